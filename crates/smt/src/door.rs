//! The door through which every question of every [`Solver`](crate::Solver) of the process passes, for
//! those who want another program to answer, or to read the questions.
//!
//! Analyses make solvers where they need them, so this is set once for all of them, by whoever starts
//! them. Unless it is, nothing here is in the way.

use crate::external::{ExternalError, ExternalSolver};
use crate::smtlib::{FloatText, Script};
use crate::solver::Outcome;
use crate::term::{TermId, Terms};
use idiolect_base::{Budget, StopReason};
use std::sync::{Mutex, OnceLock};

/// Takes the text of each question, with its answer.
pub type Sink = Box<dyn FnMut(&str) + Send>;

/// Who answers, and who reads along.
pub struct Door {
    /// A program with its arguments, such as `z3 -in`.
    program: Option<(String, Vec<String>)>,
    log: Mutex<Log>,
    floats: FloatText,
}

#[derive(Default)]
struct Log {
    sink: Option<Sink>,
    n_questions: u64,
    failure: Option<ExternalError>,
}

static DOOR: OnceLock<Door> = OnceLock::new();

impl Door {
    /// Sets the door of this process; false if it was set before.
    pub fn set(
        program: Option<(String, Vec<String>)>,
        sink: Option<Sink>,
        floats: FloatText,
    ) -> bool {
        let log = Mutex::new(Log {
            sink,
            ..Log::default()
        });
        let door = Door {
            program,
            log,
            floats,
        };
        DOOR.set(door).is_ok()
    }

    /// The door, if there is one.
    pub(crate) fn get() -> Option<&'static Door> {
        DOOR.get()
    }

    /// How floats are written for those who read along or answer.
    pub(crate) fn floats() -> FloatText {
        Self::get().map_or(FloatText::Bits, |door| door.floats)
    }

    /// Why the other program was of no use, if it was not: the first time.
    pub fn take_failure() -> Option<ExternalError> {
        let mut log = Self::get()?.log.lock().ok()?;
        log.failure.take()
    }

    /// How many questions have passed.
    pub fn n_questions() -> u64 {
        let log = Self::get().and_then(|door| door.log.lock().ok());
        log.map_or(0, |log| log.n_questions)
    }

    /// The answer of the other program, if there is one.
    pub(crate) fn ask(
        &self,
        terms: &Terms,
        (asserted, clauses): (&[TermId], &[Vec<TermId>]),
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Option<Outcome> {
        let (program, arguments) = self.program.as_ref()?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut solver = ExternalSolver::new(program, &arguments);
        for &term in asserted {
            solver.assert(term);
        }
        for clause in clauses {
            solver.add_clause(clause);
        }
        Some(match solver.check(terms, assumptions, budget) {
            Ok(outcome) => outcome,
            Err(error) => {
                if let Ok(mut log) = self.log.lock() {
                    log.failure.get_or_insert(error);
                }
                Outcome::Unknown(StopReason::Solver)
            }
        })
    }

    /// Writes the question down, if somebody reads along.
    pub(crate) fn note(&self, script: impl FnOnce() -> Script, outcome: &Outcome) {
        let Ok(mut log) = self.log.lock() else {
            return;
        };
        log.n_questions += 1;
        let number = log.n_questions;
        if let Some(sink) = &mut log.sink {
            sink(&question_text(&script(), outcome, number));
        }
    }
}

/// A question of a transcript: a solver that disagrees with its status says so.
pub(crate) fn question_text(script: &Script, outcome: &Outcome, number: u64) -> String {
    let status = match outcome {
        Outcome::Sat(_) => "(set-info :status sat)\n",
        Outcome::Unsat(_) => "(set-info :status unsat)\n",
        Outcome::Unknown(_) => "(set-info :status unknown)\n",
    };
    let reset = if number == 1 { "" } else { "(reset)\n" };
    format!("; question {number}\n{reset}{}", script.text_with(status))
}

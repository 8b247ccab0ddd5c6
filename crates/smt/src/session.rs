//! Questions to one solver after another, ours or another program, with one account of all of them.

use idiolect_base::{Budget, StopReason};

use crate::door::question_text;
use crate::external::{ExternalError, ExternalSolver};
use crate::solver::{Outcome, Solver};
use crate::term::{TermId, Terms};

/// What was asked in a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SessionStatistics {
    /// Calls of a SAT solver, or of the other program.
    pub solver_calls: u64,
    /// The largest pool of terms that was asked about.
    pub terms: u64,
    /// Nothing is known of what another program does.
    pub own: Option<OwnStatistics>,
}

/// What our own solvers did in a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OwnStatistics {
    /// Of all solvers together.
    pub conflicts: u64,
    /// Of all solvers together.
    pub propagations: u64,
    /// Of the largest solver.
    pub variables: u64,
    /// Of the largest solver.
    pub clauses: u64,
}

enum Who {
    Own(Box<Solver>),
    Other(ExternalSolver),
}

/// See the module.
pub struct Session {
    who: Who,
    /// Of the solvers before the present one, or of all calls of the other program.
    past: SessionStatistics,
    transcript: Option<String>,
    n_questions: u64,
    failure: Option<ExternalError>,
}

#[cfg(any(feature = "cadical", feature = "batsat"))]
impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// With our own solver.
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    pub fn new() -> Self {
        Self::with(Who::Own(Box::default()))
    }

    /// With our own solver, for questions that are mostly answered by no, such as steps of a proof.
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    pub fn for_refuting() -> Self {
        Self::with(Who::Own(Box::new(Solver::for_refuting())))
    }

    /// With another program, which is asked every question from its beginning.
    pub fn with_external(solver: ExternalSolver) -> Self {
        Self::with(Who::Other(solver))
    }

    fn with(who: Who) -> Self {
        Self {
            who,
            past: SessionStatistics::default(),
            transcript: None,
            n_questions: 0,
            failure: None,
        }
    }

    /// Keeps the text of every question from now on.
    pub fn keep_transcript(&mut self) {
        self.transcript.get_or_insert_with(String::new);
    }

    /// All questions so far as one SMT-LIB script, each with the answer it got as its status; `None`
    /// if nobody wanted it kept.
    pub fn transcript(&self) -> Option<&str> {
        self.transcript.as_deref()
    }

    /// Why the other program was of no use, if it was not. Its last question counts as interrupted.
    pub fn take_failure(&mut self) -> Option<ExternalError> {
        self.failure.take()
    }

    /// Goes on with a new solver, for a new pool of terms.
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    pub fn restart(&mut self) {
        self.past = self.statistics();
        if let Who::Own(solver) = &mut self.who {
            **solver = Solver::new();
        }
    }

    /// Can all assumptions hold together?
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId], budget: &Budget) -> Outcome {
        self.n_questions += 1;
        self.past.terms = self.past.terms.max(terms.len() as u64);
        let outcome = match &mut self.who {
            Who::Own(solver) => solver.check(terms, assumptions, budget),
            Who::Other(solver) => {
                self.past.solver_calls += 1;
                match solver.check(terms, assumptions, budget) {
                    Ok(outcome) => outcome,
                    Err(error) => {
                        self.failure = Some(error);
                        Outcome::Unknown(StopReason::Solver)
                    }
                }
            }
        };
        if self.transcript.is_some() {
            let text = self.question_text(terms, assumptions, &outcome);
            self.transcript.get_or_insert_default().push_str(&text);
        }
        outcome
    }

    fn question_text(&self, terms: &Terms, assumptions: &[TermId], outcome: &Outcome) -> String {
        let script = match &self.who {
            Who::Own(solver) => solver.script(terms, assumptions),
            Who::Other(solver) => solver.script(terms, assumptions),
        };
        question_text(&script, outcome, self.n_questions)
    }

    pub fn statistics(&self) -> SessionStatistics {
        let mut all = self.past;
        if let Who::Own(solver) = &self.who {
            let now = solver.statistics();
            let before = all.own.unwrap_or_default();
            all.solver_calls += now.solver_calls;
            all.own = Some(OwnStatistics {
                conflicts: before.conflicts + now.conflicts,
                propagations: before.propagations + now.propagations,
                variables: before.variables.max(now.variables),
                clauses: before.clauses.max(now.clauses),
            });
        }
        all
    }
}

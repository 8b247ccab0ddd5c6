//! Questions about commands and predicates, with a limit for each and one account of all of them.

use idiolect_base::{Budget, StopReason};
use idiolect_smt::exists_forall::{Answer, exists_forall};
use idiolect_smt::{Model, Outcome, Solver, TermId, Terms};

/// Conflicts that one question may take. A triple that needs more is one we do not know.
const MAX_CONFLICTS: u64 = 20_000;
/// What a conflict costs beside a step of the search.
const WORK_PER_CONFLICT: u64 = 20;
/// So many clauses cost as much as a step, in each question and for each conflict.
const CLAUSES_PER_WORK: u64 = 400;
/// The same for a question with an alternation, all rounds together.
const MAX_CONFLICTS_ALTERNATING: u64 = 5_000;
/// A solver keeps every term that it was ever asked about; past this it is begun anew.
const MAX_CLAUSES: u64 = 1_000_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Holds {
    /// All parts together, in this state.
    Together(Box<Model>),
    /// Not together.
    Never,
    /// Not within the limit.
    Unknown,
}

/// See the module.
#[derive(Default)]
pub struct Prover {
    solver: Solver,
    past: u64,
    /// Rounds of questions with an alternation.
    alternating: u64,
}

impl Prover {
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls of the SAT solver so far.
    pub fn n_calls(&self) -> u64 {
        self.past + self.solver.statistics().solver_calls + self.alternating
    }

    /// Counts what another solver did.
    pub fn count(&mut self, calls: u64) {
        self.past += calls;
    }

    /// Forgets all terms: those of another system come.
    pub fn start_anew(&mut self) {
        self.past += self.solver.statistics().solver_calls;
        self.solver = Solver::new();
    }

    /// Can all parts hold together?
    pub fn ask(
        &mut self,
        terms: &Terms,
        parts: &[TermId],
        budget: &Budget,
    ) -> Result<Holds, StopReason> {
        if parts.iter().any(|&p| terms.known_false(p)) {
            return Ok(Holds::Never);
        }
        if self.solver.statistics().clauses > MAX_CLAUSES {
            self.start_anew();
        }
        let share = budget.share(MAX_CONFLICTS.min(budget.steps_left() / WORK_PER_CONFLICT + 1));
        let most = share.steps_left();
        let outcome = self.solver.check(terms, parts, &share);
        // What a question took comes out of the whole.
        let per_clauses = self.solver.statistics().clauses / CLAUSES_PER_WORK;
        let n_conflicts = most - share.steps_left();
        budget.spend(1 + per_clauses + n_conflicts * (WORK_PER_CONFLICT + per_clauses))?;
        match outcome {
            Outcome::Sat(model) => Ok(Holds::Together(Box::new(model))),
            Outcome::Unsat(_) => Ok(Holds::Never),
            Outcome::Unknown(StopReason::Steps) => Ok(Holds::Unknown),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// Are there values of all other variables such that `phi` holds for all values of `forall`?
    /// `None` if that is not known within the limit.
    pub fn ask_alternating(
        &mut self,
        terms: &mut Terms,
        phi: TermId,
        forall: &[TermId],
        budget: &Budget,
    ) -> Result<Option<bool>, StopReason> {
        let share = budget.share(MAX_CONFLICTS_ALTERNATING);
        let most = share.steps_left();
        let answer = exists_forall(terms, phi, forall, &share);
        budget.spend(1 + (most - share.steps_left()) * WORK_PER_CONFLICT)?;
        Ok(match answer {
            Answer::Exists { rounds, .. } => {
                self.alternating += 2 * rounds as u64;
                Some(true)
            }
            Answer::None { refuted_by } => {
                self.alternating += 2 * refuted_by.len() as u64;
                Some(false)
            }
            Answer::Unknown(StopReason::Steps) => None,
            Answer::Unknown(reason) => return Err(reason),
        })
    }
}

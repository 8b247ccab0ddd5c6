//! Rounds that no run has are not unrolled: a solver is asked before one more of a loop or a recursion is.
//!
//! A parser of n bytes with loops inside a loop has n² rounds up to a bound of n, and n²/2 that a run can have; with a
//! third loop a sixth is left. What is left out is unsatisfiable whatever the bound is, so the encoding has the same
//! runs without it, and the questions about it are far smaller.

use crate::encoder::Encoder;
use crate::guard::GuardId;
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{Evaluator, Model, Outcome, Session, TermId, Terms};
use rustc_hash::FxHashMap;

/// Conflicts for one question. Rounds are usually refuted by the length of a text, which takes a few.
const CONFLICTS: u64 = 100;
/// A conflict costs about as much as so many statements or terms.
const WORK_PER_CONFLICT: u64 = 50;
/// So many questions are asked before their use is looked at.
const TRIAL: u64 = 64;
/// Then one in so many has to be answered by no: a loop that goes on as long as its input likes is not asked about.
const WORTH: u64 = 8;
/// For each step that the encoding may take, the questions may take so many propagations: a large formula is passed
/// through for every question, and then unrolling a round that no run has is cheaper than asking.
const PROPAGATIONS_PER_STEP: u64 = 8;
/// And in any case so many.
const LEAST_PROPAGATIONS: u64 = 2_000_000;
/// Models that are tried before the solver.
const MODELS: usize = 4;

/// Path conditions that were asked about, and whether a run may have them.
pub(crate) type Possible = FxHashMap<TermId, bool>;

pub(crate) struct Pruner {
    session: Session,
    possible: Possible,
    /// Runs that were found, the latest last.
    models: Vec<Model>,
    asked: u64,
    refuted: u64,
    propagations: u64,
    /// As many as this, and nothing more is asked.
    most_propagations: u64,
}

impl Pruner {
    pub(crate) fn new(possible: Possible, budget: &Budget) -> Self {
        let affordable = budget.steps_left().saturating_mul(PROPAGATIONS_PER_STEP);
        Self {
            session: Session::for_refuting(),
            possible,
            models: Vec::new(),
            asked: 0,
            refuted: 0,
            propagations: 0,
            most_propagations: affordable.max(LEAST_PROPAGATIONS),
        }
    }

    pub(crate) fn into_possible(self) -> Possible {
        self.possible
    }

    /// Whether no run has this path condition. Doubt counts as no.
    fn refutes(
        &mut self,
        terms: &Terms,
        condition: TermId,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        if let Some(&possible) = self.possible.get(&condition) {
            return Ok(!possible);
        }
        let is_in_vain = self.asked >= TRIAL && self.refuted * WORTH < self.asked;
        if is_in_vain || self.propagations > self.most_propagations {
            return Ok(false);
        }
        self.asked += 1;
        let possible = self.is_possible(terms, condition, budget)?;
        self.refuted += u64::from(!possible);
        self.possible.insert(condition, possible);
        Ok(!possible)
    }

    fn is_possible(
        &mut self,
        terms: &Terms,
        condition: TermId,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        for model in self.models.iter().rev() {
            if Evaluator::new(terms, model).eval_within(condition, budget)? != 0 {
                return Ok(true);
            }
        }
        let part = budget.share(CONFLICTS);
        let before = part.steps_left();
        let outcome = self.session.check(terms, &[condition], &part);
        let own = self.session.statistics().own;
        self.propagations = own.map_or(0, |own| own.propagations);
        budget.spend((before - part.steps_left()) * WORK_PER_CONFLICT)?;
        Ok(match outcome {
            Outcome::Unsat(_) => false,
            Outcome::Unknown(_) => true,
            Outcome::Sat(model) => {
                if self.models.len() == MODELS {
                    self.models.remove(0);
                }
                self.models.push(model);
                true
            }
        })
    }
}

impl Encoder<'_> {
    /// As [`is_impossible`](Self::is_impossible), asked in any case.
    pub(crate) fn never_comes(&mut self, guard: GuardId) -> Result<bool, StopReason> {
        let condition = self.guards.term(&mut self.terms, guard);
        let budget = &self.budget;
        let pruner = match &mut self.pruner {
            Some(pruner) => pruner,
            None => (self.doubter).get_or_insert_with(|| Pruner::new(Possible::default(), budget)),
        };
        pruner.refutes(&self.terms, condition, budget)
    }

    /// Whether no run comes here, as far as that was asked.
    pub(crate) fn is_impossible(&mut self, guard: GuardId) -> Result<bool, StopReason> {
        let Some(pruner) = &mut self.pruner else {
            return Ok(false);
        };
        let condition = self.guards.term(&mut self.terms, guard);
        pruner.refutes(&self.terms, condition, &self.budget)
    }
}

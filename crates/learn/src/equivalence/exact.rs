//! Comparison with a given machine.

use crate::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee, Machine};
use idiolect_base::{Bug, StopReason};

/// Knows the target; counterexamples are length-lexicographically least.
#[derive(Clone, Debug)]
pub struct Exact<'a, H> {
    target: &'a H,
}

impl<'a, H> Exact<'a, H> {
    /// The target is a `Moore` or a `Mealy` machine.
    pub fn new(target: &'a H) -> Self {
        Self { target }
    }
}

impl<O: Clone + Eq, H: Machine<O>> EquivalenceOracle<O, H> for Exact<'_, H> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<O>, StopReason> {
        let Some(word) = self.target.difference(hypothesis) else {
            return Ok(EqAnswer::Agrees(Guarantee::Proved));
        };
        // A word that tells the two apart has an answer.
        let answer = self.target.answer(&word).cloned();
        let answer = answer.ok_or(StopReason::Internal(Bug::NoAnswer))?;
        Ok(EqAnswer::Differs(Counterexample { word, answer }))
    }
}

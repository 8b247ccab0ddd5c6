//! Comparison with a given machine.

use crate::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee};
use idiolect_automata::Moore;
use idiolect_base::StopReason;

/// Knows the target; counterexamples are length-lexicographically least.
#[derive(Clone, Debug)]
pub struct Exact<'a, O> {
    target: &'a Moore<O>,
}

impl<'a, O> Exact<'a, O> {
    pub fn new(target: &'a Moore<O>) -> Self {
        Self { target }
    }
}

impl<O: Clone + Eq> EquivalenceOracle<O> for Exact<'_, O> {
    fn compare(&mut self, hypothesis: &Moore<O>) -> Result<EqAnswer<O>, StopReason> {
        Ok(match self.target.distinguishing_word(hypothesis) {
            None => EqAnswer::Agrees(Guarantee::Proved),
            Some(word) => {
                let answer = self.target.output_of(&word).clone();
                EqAnswer::Differs(Counterexample { word, answer })
            }
        })
    }
}

//! The oracle that has the target before it.

use crate::{MembershipOracle, Trace};
use idiolect_automata::{Moore, Word};
use idiolect_base::StopReason;

/// Answers from a given machine.
#[derive(Clone, Debug)]
pub struct MooreOracle<'a, O> {
    machine: &'a Moore<O>,
}

/// Answers from a given DFA.
pub type DfaOracle<'a> = MooreOracle<'a, bool>;

impl<'a, O> MooreOracle<'a, O> {
    pub fn new(machine: &'a Moore<O>) -> Self {
        Self { machine }
    }
}

impl<O: Clone + Eq> MembershipOracle for MooreOracle<'_, O> {
    type Answer = O;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<O>, StopReason> {
        Ok(words
            .iter()
            .map(|w| self.machine.output_of(w).clone())
            .collect())
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<O>>, StopReason> {
        let trace = |word: &Word| {
            let mut state = self.machine.initial();
            let mut trace = Vec::with_capacity(word.len() + 1);
            trace.push(Some(self.machine.output(state).clone()));
            for &a in word {
                state = self.machine.step(state, a);
                trace.push(Some(self.machine.output(state).clone()));
            }
            trace
        };
        Ok(words.iter().map(trace).collect())
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}

//! The oracle that has the target before it.

use crate::{MembershipOracle, Trace};
use idiolect_automata::{Letter, Mealy, Moore, Word};
use idiolect_base::{Bug, StopReason};

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

    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &O),
    ) -> Result<(), StopReason> {
        for (i, (word, &known)) in words.iter().zip(known).enumerate() {
            let mut state = self.machine.initial();
            if known == 0 {
                tell(i, 0, self.machine.output(state));
            }
            for (n, &a) in word.iter().enumerate() {
                state = self.machine.step(state, a);
                if n + 1 >= known {
                    tell(i, n + 1, self.machine.output(state));
                }
            }
        }
        Ok(())
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}

/// Answers from a given Mealy machine with the outputs of the last steps.
///
/// The empty word has no output, and learners of Mealy machines do not ask for it; if it is asked for,
/// the oracle stops.
#[derive(Clone, Debug)]
pub struct MealyOracle<'a, O> {
    machine: &'a Mealy<O>,
}

impl<'a, O> MealyOracle<'a, O> {
    pub fn new(machine: &'a Mealy<O>) -> Self {
        Self { machine }
    }
}

impl<O: Clone + Eq> MembershipOracle for MealyOracle<'_, O> {
    type Answer = O;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<O>, StopReason> {
        let answer = |word: &Word| self.machine.output_of(word).cloned();
        let answers: Option<Vec<O>> = words.iter().map(answer).collect();
        answers.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<O>>, StopReason> {
        let trace = |word: &Word| {
            let outputs = self.machine.outputs_of(word).into_iter();
            std::iter::once(None)
                .chain(outputs.map(|output| Some(output.clone())))
                .collect()
        };
        Ok(words.iter().map(trace).collect())
    }

    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &O),
    ) -> Result<(), StopReason> {
        for (i, (word, &known)) in words.iter().zip(known).enumerate() {
            let mut state = self.machine.initial();
            for (n, &a) in word.iter().enumerate() {
                if n + 1 >= known {
                    tell(i, n + 1, self.machine.output(state, a));
                }
                state = self.machine.step(state, a);
            }
        }
        Ok(())
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[O]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<O>)>, StopReason> {
        let mut word = Word::new();
        let mut outputs = Vec::new();
        let mut state = self.machine.initial();
        while let Some(letter) = match front.get(word.len()) {
            Some(&letter) => Some(letter),
            None => next(&outputs),
        } {
            outputs.push(self.machine.output(state, letter).clone());
            state = self.machine.step(state, letter);
            word.push(letter);
        }
        Ok(Some((word, outputs)))
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}

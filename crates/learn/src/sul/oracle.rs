//! A system as a membership oracle.

use super::Sul;
use crate::{Machine, MembershipOracle, Trace};
use idiolect_automata::{Letter, StateId, Word};
use idiolect_base::{Bug, StopReason};

/// What a system was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SulCounts {
    pub resets: u64,
    pub steps: u64,
}

/// Answers a word by starting the system anew and giving it the letters one by one. The answer is the
/// last output, and those of all prefixes come with it.
///
/// An error of the system stops learning; it is kept, see [`SulOracle::failure`].
#[derive(Clone, Debug)]
pub struct SulOracle<S: Sul> {
    sul: S,
    counts: SulCounts,
    failure: Option<S::Error>,
}

impl<S: Sul> SulOracle<S> {
    pub fn new(sul: S) -> Self {
        Self {
            sul,
            counts: SulCounts::default(),
            failure: None,
        }
    }

    pub fn counts(&self) -> SulCounts {
        self.counts
    }

    /// The error that made the oracle stop.
    pub fn failure(&self) -> Option<&S::Error> {
        self.failure.as_ref()
    }

    /// Takes that error, so that the oracle may be asked again.
    pub fn take_failure(&mut self) -> Option<S::Error> {
        self.failure.take()
    }

    pub fn sul(&self) -> &S {
        &self.sul
    }

    fn run(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[S::Output]) -> Option<Letter>,
    ) -> Result<(Word, Vec<S::Output>), S::Error> {
        self.counts.resets += 1;
        self.sul.reset()?;
        let mut word = Word::new();
        let mut outputs = Vec::new();
        while let Some(letter) = match front.get(word.len()) {
            Some(&letter) => Some(letter),
            None => next(&outputs),
        } {
            self.counts.steps += 1;
            outputs.push(self.sul.step(letter)?);
            word.push(letter);
        }
        Ok((word, outputs))
    }

    /// Runs, and keeps the error if there is one.
    fn try_run(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[S::Output]) -> Option<Letter>,
    ) -> Result<(Word, Vec<S::Output>), StopReason> {
        if self.failure.is_some() {
            return Err(StopReason::Interrupted);
        }
        self.run(front, next).map_err(|error| {
            self.failure = Some(error);
            StopReason::Interrupted
        })
    }
}

impl<S: Sul> MembershipOracle for SulOracle<S> {
    type Answer = S::Output;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<S::Output>, StopReason> {
        let traces = self.ask_traces(words)?;
        let last = |mut trace: Trace<S::Output>| trace.pop().flatten();
        let answers: Option<Vec<S::Output>> = traces.into_iter().map(last).collect();
        // A step has an output; the empty word has no step.
        answers.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<S::Output>>, StopReason> {
        let mut traces = Vec::with_capacity(words.len());
        for word in words {
            let (_, outputs) = self.try_run(word, &mut |_| None)?;
            let trace = std::iter::once(None).chain(outputs.into_iter().map(Some));
            traces.push(trace.collect());
        }
        Ok(traces)
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[S::Output]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<S::Output>)>, StopReason> {
        self.try_run(front, next).map(Some)
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}

/// A machine as a system, for tests and simulations.
#[derive(Clone, Debug)]
pub struct MachineSul<'a, H> {
    machine: &'a H,
    state: StateId,
}

impl<'a, H> MachineSul<'a, H> {
    pub fn new<O>(machine: &'a H) -> Self
    where
        H: Machine<O>,
    {
        let state = machine.initial();
        Self { machine, state }
    }
}

impl<O: Clone + Eq> Sul for MachineSul<'_, idiolect_automata::Mealy<O>> {
    type Output = O;
    type Error = std::convert::Infallible;

    fn reset(&mut self) -> Result<(), Self::Error> {
        self.state = self.machine.initial();
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<O, Self::Error> {
        let output = self.machine.output(self.state, input).clone();
        self.state = self.machine.step(self.state, input);
        Ok(output)
    }
}

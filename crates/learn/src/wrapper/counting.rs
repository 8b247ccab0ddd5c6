//! Counts questions on their way to another oracle.

use crate::{MembershipOracle, Pattern, Trace};
use idiolect_automata::{Letter, Word};
use idiolect_base::StopReason;

/// What passed through a [`Counting`] oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Words other than the empty one.
    pub queries: u64,
    /// Questions for the empty word.
    pub empty_word: u64,
    /// The letters of all words together.
    pub symbols: u64,
    /// Calls, each with any number of words.
    pub batches: u64,
}

impl Counts {
    fn add(&mut self, words: &[Word]) {
        let empty = words.iter().filter(|w| w.is_empty()).count() as u64;
        self.batches += 1;
        self.empty_word += empty;
        self.queries += words.len() as u64 - empty;
        self.symbols += words.iter().map(|w| w.len() as u64).sum::<u64>();
    }
}

/// Counts the questions that were answered.
#[derive(Clone, Debug)]
pub struct Counting<M> {
    inner: M,
    counts: Counts,
}

impl<M> Counting<M> {
    pub fn new(inner: M) -> Self {
        Self {
            inner,
            counts: Counts::default(),
        }
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    pub fn into_inner(self) -> M {
        self.inner
    }
}

impl<M: MembershipOracle> MembershipOracle for Counting<M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason> {
        let answers = self.inner.ask(words)?;
        self.counts.add(words);
        Ok(answers)
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        let traces = self.inner.ask_traces(words)?;
        self.counts.add(words);
        Ok(traces)
    }

    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &Self::Answer),
    ) -> Result<(), StopReason> {
        self.inner.tell_traces(words, known, tell)?;
        self.counts.add(words);
        Ok(())
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[Self::Answer]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<Self::Answer>)>, StopReason> {
        let run = self.inner.ask_stepwise(front, next)?;
        if let Some((word, _)) = &run {
            self.counts.add(std::slice::from_ref(word));
        }
        Ok(run)
    }

    fn gives_prefixes(&self) -> bool {
        self.inner.gives_prefixes()
    }

    fn take_patterns(&mut self) -> Vec<Pattern<Self::Answer>> {
        self.inner.take_patterns()
    }
}

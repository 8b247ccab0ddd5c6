//! Several runs of one word, for systems that are not quite reliable.

use crate::{MembershipOracle, Trace};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Bug, StopReason};

/// Runs that were answered in too many ways to choose one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undecided<A> {
    pub word: Word,
    /// The answers of two runs, from the first letter on.
    pub first: Vec<Option<A>>,
    pub second: Vec<Option<A>>,
    /// How often the word was run.
    pub runs: usize,
}

/// Runs each word until one sequence of answers was seen in the majority of `n` runs.
///
/// The first ⌊n/2⌋ + 1 runs that agree settle a word, so a system without noise is run that often.
/// A word that is not settled after 10·n runs stops learning, see [`Voting::undecided`].
#[derive(Clone, Debug)]
pub struct Voting<M: MembershipOracle> {
    inner: M,
    n: usize,
    undecided: Option<Undecided<M::Answer>>,
    disagreements: u64,
}

impl<M: MembershipOracle> Voting<M> {
    /// With `n` of 1 every word is run once.
    pub fn new(inner: M, n: usize) -> Self {
        Self {
            inner,
            n: n.max(1),
            undecided: None,
            disagreements: 0,
        }
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    /// The word that could not be settled, if learning stopped for that.
    pub fn undecided(&self) -> Option<&Undecided<M::Answer>> {
        self.undecided.as_ref()
    }

    /// Words whose runs did not all agree.
    pub fn disagreements(&self) -> u64 {
        self.disagreements
    }

    fn settle(&mut self, word: &Word) -> Result<Trace<M::Answer>, StopReason> {
        let needed = self.n / 2 + 1;
        let mut seen: Vec<(Trace<M::Answer>, usize)> = Vec::new();
        for _ in 0..10 * self.n {
            let mut traces = self.inner.ask_traces(std::slice::from_ref(word))?;
            let trace = traces.pop().ok_or(StopReason::Internal(Bug::NoAnswer))?;
            let place = match seen.iter().position(|(other, _)| *other == trace) {
                Some(place) => place,
                None => {
                    seen.push((trace, 0));
                    seen.len() - 1
                }
            };
            if seen.len() == 2 && seen[1].1 == 0 {
                self.disagreements += 1;
            }
            seen[place].1 += 1;
            if seen[place].1 >= needed {
                return Ok(seen.swap_remove(place).0);
            }
        }
        seen.sort_by_key(|(_, votes)| std::cmp::Reverse(*votes));
        let mut best = seen.into_iter().map(|(trace, _)| trace.into_iter().skip(1));
        if let (Some(first), Some(second)) = (best.next(), best.next()) {
            self.undecided = Some(Undecided {
                word: word.clone(),
                first: first.collect(),
                second: second.collect(),
                runs: 10 * self.n,
            });
        }
        Err(StopReason::Contradiction)
    }
}

impl<M: MembershipOracle> MembershipOracle for Voting<M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<M::Answer>, StopReason> {
        let traces = self.ask_traces(words)?;
        let last = |mut trace: Trace<M::Answer>| trace.pop().flatten();
        let answers: Option<Vec<M::Answer>> = traces.into_iter().map(last).collect();
        answers.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<M::Answer>>, StopReason> {
        if self.n == 1 {
            return self.inner.ask_traces(words);
        }
        words.iter().map(|word| self.settle(word)).collect()
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[M::Answer]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<M::Answer>)>, StopReason> {
        match self.n {
            1 => self.inner.ask_stepwise(front, next),
            // Votes are about one word.
            _ => Ok(None),
        }
    }

    fn gives_prefixes(&self) -> bool {
        self.inner.gives_prefixes()
    }
}

//! Remembers answers on their way from another oracle.

use crate::{MembershipOracle, Pattern, Patterns, Trace, WordMap};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Bug, StopReason};
use rustc_hash::FxHashMap;

/// Where the answers of a [`Caching`] oracle came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheCounts {
    /// Words that were remembered.
    pub known: u64,
    /// Words that a pattern answered.
    pub by_pattern: u64,
    /// Words that the inner oracle was asked for.
    pub asked: u64,
}

/// Asks the inner oracle only for what it does not know.
#[derive(Clone, Debug)]
pub struct Caching<M: MembershipOracle> {
    inner: M,
    words: WordMap<M::Answer>,
    patterns: Patterns<M::Answer>,
    batch_limit: usize,
    counts: CacheCounts,
}

impl<M: MembershipOracle> Caching<M> {
    pub fn new(inner: M) -> Self {
        Self::with_words(inner, WordMap::new(), Patterns::default())
    }

    /// A cache that knows some answers from before.
    pub fn with_words(inner: M, words: WordMap<M::Answer>, patterns: Patterns<M::Answer>) -> Self {
        Self {
            inner,
            words,
            patterns,
            batch_limit: usize::MAX,
            counts: CacheCounts::default(),
        }
    }

    /// Asks for at most so many words at once (at least one), so that the patterns that come with
    /// the first answers can answer the rest.
    #[must_use]
    pub fn with_batch_limit(mut self, limit: usize) -> Self {
        self.batch_limit = limit.max(1);
        self
    }

    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    pub fn words(&self) -> &WordMap<M::Answer> {
        &self.words
    }

    pub fn patterns(&self) -> &Patterns<M::Answer> {
        &self.patterns
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    pub fn inner_mut(&mut self) -> &mut M {
        &mut self.inner
    }

    pub fn into_inner(self) -> M {
        self.inner
    }

    /// The answer of a word, if it is known without asking.
    pub fn known(&self, word: &[Letter]) -> Option<&M::Answer> {
        self.words.get(word).or_else(|| self.patterns.answer(word))
    }

    /// Notes an answer that was learned elsewhere.
    pub fn insert(&mut self, word: &[Letter], answer: &M::Answer) {
        // When the table is full the cache remembers no more, and is still right.
        let _ = self.words.insert(word, answer);
    }

    /// Notes what holds for many words. Remembered answers have precedence.
    pub fn add_pattern(&mut self, pattern: Pattern<M::Answer>) {
        self.patterns.add(pattern);
    }

    fn look_up(&mut self, word: &[Letter]) -> Option<M::Answer> {
        if let Some(answer) = self.words.get(word) {
            self.counts.known += 1;
            return Some(answer.clone());
        }
        let answer = self.patterns.answer(word)?.clone();
        self.counts.by_pattern += 1;
        Some(answer)
    }

    fn drain_inner_patterns(&mut self) {
        for pattern in self.inner.take_patterns() {
            self.patterns.add(pattern);
        }
    }
}

impl<M: MembershipOracle> MembershipOracle for Caching<M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason> {
        let mut answers: Vec<Option<Self::Answer>> = vec![None; words.len()];
        let mut open: Vec<usize> = Vec::new();
        for (i, word) in words.iter().enumerate() {
            answers[i] = self.look_up(word);
            if answers[i].is_none() {
                open.push(i);
            }
        }
        let mut first_round = true;
        while !open.is_empty() {
            let mut batch: Vec<Word> = Vec::new();
            let mut place: FxHashMap<&Word, usize> = FxHashMap::default();
            let mut later = Vec::new();
            let mut now: Vec<(usize, usize)> = Vec::new();
            for i in open {
                if !first_round {
                    answers[i] = self.look_up(&words[i]);
                    if answers[i].is_some() {
                        continue;
                    }
                }
                if let Some(&at) = place.get(&words[i]) {
                    now.push((i, at));
                } else if batch.len() < self.batch_limit {
                    place.insert(&words[i], batch.len());
                    now.push((i, batch.len()));
                    batch.push(words[i].clone());
                } else {
                    later.push(i);
                }
            }
            if !batch.is_empty() {
                let found = self.inner.ask(&batch)?;
                self.counts.asked += batch.len() as u64;
                for (word, answer) in batch.iter().zip(&found) {
                    self.insert(word, answer);
                }
                self.drain_inner_patterns();
                for (i, at) in now {
                    answers[i] = found.get(at).cloned();
                }
            }
            open = later;
            first_round = false;
        }
        let complete: Option<Vec<Self::Answer>> = answers.into_iter().collect();
        // An oracle that gives fewer answers than words has stopped without saying so.
        complete.ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        if !self.inner.gives_prefixes() {
            let answers = self.ask(words)?;
            return Ok(words
                .iter()
                .zip(answers)
                .map(|(word, answer)| {
                    let mut trace: Trace<Self::Answer> = (0..word.len())
                        .map(|i| self.known(&word[..i]).cloned())
                        .collect();
                    trace.push(Some(answer));
                    trace
                })
                .collect());
        }
        let mut traces = Vec::with_capacity(words.len());
        for word in words {
            let known: Trace<Self::Answer> = (0..=word.len())
                .map(|i| self.known(&word[..i]).cloned())
                .collect();
            if known.iter().all(Option::is_some) {
                self.counts.known += 1;
                traces.push(known);
                continue;
            }
            let found = self.inner.ask_traces(std::slice::from_ref(word))?;
            self.counts.asked += 1;
            for trace in found {
                for (i, answer) in trace.iter().enumerate() {
                    if let (Some(answer), Some(prefix)) = (answer, word.get(..i)) {
                        self.insert(prefix, answer);
                    }
                }
                traces.push(trace);
            }
        }
        Ok(traces)
    }

    fn gives_prefixes(&self) -> bool {
        self.inner.gives_prefixes()
    }
}

//! Answers the words of a batch on several cores.

use crate::MembershipOracle;
use idiolect_automata::{Letter, Word};
use idiolect_base::StopReason;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// An oracle that many threads may ask at the same time.
pub trait SharedOracle: Sync {
    type Answer: Clone + Eq + Send;

    fn ask_one(&self, word: &[Letter]) -> Result<Self::Answer, StopReason>;
}

impl<A, F> SharedOracle for F
where
    A: Clone + Eq + Send,
    F: Fn(&[Letter]) -> Result<A, StopReason> + Sync,
{
    type Answer = A;

    fn ask_one(&self, word: &[Letter]) -> Result<A, StopReason> {
        self(word)
    }
}

/// Spreads the words of a batch over threads. The answers are the same for any number of them.
#[derive(Clone, Debug)]
pub struct Parallel<S> {
    oracle: S,
    n_threads: usize,
}

impl<S: SharedOracle> Parallel<S> {
    /// `n_threads` of 0 counts as 1.
    pub fn new(oracle: S, n_threads: usize) -> Self {
        Self {
            oracle,
            n_threads: n_threads.max(1),
        }
    }
}

impl<S: SharedOracle> MembershipOracle for Parallel<S> {
    type Answer = S::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<S::Answer>, StopReason> {
        let n_threads = self.n_threads.min(words.len());
        if n_threads <= 1 {
            return words.iter().map(|w| self.oracle.ask_one(w)).collect();
        }
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let oracle = &self.oracle;
        let work = || {
            let mut answers = Vec::new();
            while !stopped.load(Ordering::Relaxed) {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(word) = words.get(i) else { break };
                let answer = oracle.ask_one(word);
                if answer.is_err() {
                    stopped.store(true, Ordering::Relaxed);
                }
                answers.push((i, answer));
            }
            answers
        };
        let mut found: Vec<(usize, Result<S::Answer, StopReason>)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .flat_map(|thread| match thread.join() {
                    Ok(answers) => answers,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .collect()
        });
        found.sort_by_key(|(i, _)| *i);
        // A stop ends the batch; words are handed out in order, so the first error is the first
        // word's that failed, unless a later one failed before it was looked at.
        found.into_iter().map(|(_, answer)| answer).collect()
    }
}

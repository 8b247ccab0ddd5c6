//! Runs to show: for the shortest words of a language, one for each simple path.

use crate::replay::Replay;
use crate::session::{LearnedLanguage, Session};
use idiolect_automata::{Letter, StateId, Trimmed, Word};
use idiolect_interp::Recorder;
use std::collections::VecDeque;

/// Paths that are looked at; a graph can have very many.
const MAX_PATHS: usize = 20_000;

/// A word with a run that has it.
#[derive(Clone, Debug)]
pub struct WordWitness {
    pub word: Word,
    pub replay: Replay,
    pub recorder: Recorder<true>,
}

impl Session<'_> {
    /// Runs for at most `n` words: those of simple paths, shortest first, which no two of them share;
    /// after them further accepted words, if there are too few. A word for which no run is known and
    /// the solver finds none is left out: it lies beyond the bounds.
    pub fn witnesses(&mut self, language: &LearnedLanguage, n: usize) -> Vec<WordWitness> {
        let mut words = simple_words(&language.shown, MAX_PATHS.min(8 * n + 64));
        words.truncate(4 * n);
        let complete = language.shown.complete();
        let more = complete
            .accepted_words()
            .take(4 * n)
            .take_while(|w| w.len() <= language.bounds.word_length);
        for word in more {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let mut list = Vec::new();
        for word in words {
            if list.len() >= n {
                break;
            }
            list.extend(self.witness(&word));
        }
        list
    }

    /// The run on these inputs, with every step, if it ends as wanted.
    pub fn witness_on(&self, inputs: &[u128]) -> Option<WordWitness> {
        let (replay, recorder) = self.teacher.replayer.record(inputs);
        replay.is_wanted.then(|| WordWitness {
            word: replay.word.clone(),
            replay,
            recorder,
        })
    }

    /// A run with this word, with every step.
    pub fn witness(&mut self, word: &[Letter]) -> Option<WordWitness> {
        // A stop means that only known words are shown.
        if self.teacher.member(word).is_none() {
            self.teacher.set_unwind(self.options().max_unwind);
            let _ = self.teacher.is_member(word);
        }
        let inputs = self.teacher.member(word)?.inputs.clone();
        let (replay, recorder) = self.teacher.replayer.record(&inputs);
        (replay.word == word).then(|| WordWitness {
            word: word.to_vec(),
            replay,
            recorder,
        })
    }
}

/// Words of paths from the initial to an accepting state that visit no state twice, shortest
/// first, then by letters.
fn simple_words(shown: &Trimmed, limit: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut work: VecDeque<(Vec<StateId>, Word)> = VecDeque::new();
    work.push_back((vec![shown.initial()], Word::new()));
    let mut n_paths = 0;
    while let Some((path, word)) = work.pop_front() {
        n_paths += 1;
        if n_paths > MAX_PATHS || words.len() >= limit {
            break;
        }
        let Some(&state) = path.last() else { continue };
        if shown.is_accepting(state) {
            words.push(word.clone());
        }
        for letter in (0..shown.n_letters()).map(Letter::new) {
            let Some(to) = shown.step(state, letter) else {
                continue;
            };
            if path.contains(&to) || work.len() > MAX_PATHS {
                continue;
            }
            let (mut path, mut word) = (path.clone(), word.clone());
            path.push(to);
            word.push(letter);
            work.push_back((path, word));
        }
    }
    words
}

//! Words of events as literals: what the letter at a position is, and how long the word is.
//!
//! The encoding keeps one-hot how many events a run has had so far, merged at joins like any other
//! value, so that "the letter at position `i` is `a`" and "the word has `n` letters" are terms over
//! the whole program. A word, a set of words or an automaton is then an assumption: nothing is
//! rebuilt from one question to the next. After H. Chockler, P. Kesseli, D. Kroening and
//! O. Strichman, *Learning the Language of Software Errors* (JAIR 2020), §4, where each question is
//! a program of its own.
//!
//! An automaton is not given by clauses behind an activation literal but as a term: the states that
//! its run is in after each position, one-hot, are functions of the letters, so assuming the term
//! is the activation, and not assuming it leaves nothing behind that could matter.

use crate::record::{Encoding, EndKind, EndRecord};
use idiolect_automata::{Dfa, Letter};
use idiolect_smt::TermId;

/// The words of runs that end in a certain way. The letters are those of the encoding's
/// configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// `letters[i][a]`: the event at position `i` is letter `a`.
    letters: Vec<Vec<TermId>>,
    /// `length[n]`: the run ends as wanted after `n` events.
    length: Vec<TermId>,
}

impl Words {
    /// The words of runs that end in a way that `wanted` picks.
    pub fn new(encoding: &mut Encoding, wanted: impl Fn(&EndKind) -> bool) -> Self {
        Self::of_ends(encoding, |end| wanted(&end.kind))
    }

    /// The words of runs that end at one of the ends that `wanted` picks.
    pub fn of_ends(encoding: &mut Encoding, wanted: impl Fn(&EndRecord) -> bool) -> Self {
        let falsity = encoding.terms.ff();
        let mut length = vec![falsity; encoding.letters.len() + 1];
        for end in encoding.ends.iter().filter(|e| wanted(e)) {
            for (n, literal) in length.iter_mut().enumerate() {
                let Some(&here) = end.position.get(n) else {
                    continue;
                };
                let ends = encoding.terms.and(end.guard, here);
                *literal = encoding.terms.or(*literal, ends);
            }
        }
        Self {
            letters: encoding.letters.clone(),
            length,
        }
    }

    /// The longest words that can be asked about.
    pub fn max_length(&self) -> usize {
        self.letters.len()
    }

    /// Holds in runs whose event at this position is this letter.
    pub fn letter(&self, position: usize, letter: Letter) -> Option<TermId> {
        self.letters.get(position)?.get(letter.index()).copied()
    }

    /// Holds in runs that end as wanted with a word of `n` letters.
    pub fn length(&self, n: usize) -> Option<TermId> {
        self.length.get(n).copied()
    }

    /// Assumptions under which the word is that of a run; `None` if it is too long to ask. A core
    /// of them is a pattern that refutes every word with these letters at these positions.
    pub fn member(&self, word: &[Letter]) -> Option<Vec<TermId>> {
        let mut list: Vec<TermId> = word
            .iter()
            .enumerate()
            .map(|(i, &a)| self.letter(i, a))
            .collect::<Option<_>>()?;
        list.push(self.length(word.len())?);
        Some(list)
    }

    /// Holds in runs that begin with this word, however they end.
    pub fn prefix(&self, word: &[Letter]) -> Option<Vec<TermId>> {
        word.iter()
            .enumerate()
            .map(|(i, &a)| self.letter(i, a))
            .collect()
    }

    /// Holds in runs with one of these words. Words that are too long count as none.
    pub fn any_of<W: AsRef<[Letter]>>(&self, encoding: &mut Encoding, words: &[W]) -> TermId {
        let mut any = encoding.terms.ff();
        for word in words {
            if let Some(literals) = self.member(word.as_ref()) {
                let all = encoding.terms.and_all(&literals);
                any = encoding.terms.or(any, all);
            }
        }
        any
    }

    /// Two terms: runs that end as wanted with a word that the automaton accepts, and with one that
    /// it rejects. Words beyond the longest are in neither.
    pub fn run_of(&self, encoding: &mut Encoding, dfa: &Dfa) -> (TermId, TermId) {
        let terms = &mut encoding.terms;
        let falsity = terms.ff();
        let mut states = vec![falsity; dfa.n_states()];
        states[dfa.initial().index()] = terms.tt();
        let (mut accepted, mut rejected) = (falsity, falsity);
        for (n, &ends) in self.length.iter().enumerate() {
            for state in dfa.states() {
                let here = terms.and(ends, states[state.index()]);
                let side = if dfa.is_accepting(state) {
                    &mut accepted
                } else {
                    &mut rejected
                };
                *side = terms.or(*side, here);
            }
            let Some(letters) = self.letters.get(n) else {
                break;
            };
            let mut next = vec![falsity; dfa.n_states()];
            for state in dfa.states() {
                if terms.known_false(states[state.index()]) {
                    continue;
                }
                for letter in dfa.letters() {
                    let Some(&read) = letters.get(letter.index()) else {
                        continue;
                    };
                    let moves = terms.and(states[state.index()], read);
                    let to = dfa.step(state, letter).index();
                    next[to] = terms.or(next[to], moves);
                }
            }
            states = next;
        }
        (accepted, rejected)
    }
}

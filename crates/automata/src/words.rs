//! The words of a language: whether there are any, the shortest, all in order, how many.

use crate::backward::Backward;
use crate::{Dfa, Letter, StateId, Word};

impl Dfa {
    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        !self
            .reachable_states()
            .iter()
            .any(|&q| self.is_accepting(q))
    }

    /// Whether every word is accepted.
    pub fn is_universal(&self) -> bool {
        self.reachable_states()
            .iter()
            .all(|&q| self.is_accepting(q))
    }

    /// The length-lexicographically least accepted word.
    pub fn shortest_accepted(&self) -> Option<Word> {
        self.least_word_to(self.initial(), |q| self.is_accepting(q))
    }

    /// For every state, whether an accepting state can be reached from it.
    pub fn live_states(&self) -> Vec<bool> {
        let k = self.n_letters().max(1);
        let edges = self.table().iter().enumerate();
        let edges = edges.map(|(i, to)| (i / k, to.index()));
        Backward::new(self.n_states(), edges).closure(self.outputs().to_vec())
    }

    /// The length of a longest accepted word: `None` if there is no word at all,
    /// `Some(None)` if there are infinitely many.
    pub fn longest_accepted_length(&self) -> Option<Option<usize>> {
        let live = self.live_states();
        if !live[self.initial().index()] {
            return None;
        }
        // Kahn's order on the useful states; what remains lies on or behind a cycle.
        let useful: Vec<StateId> = (self.reachable_states().into_iter())
            .filter(|q| live[q.index()])
            .collect();
        let mut n_into = vec![0u32; self.n_states()];
        for &q in &useful {
            for to in self.row(q) {
                n_into[to.index()] += 1;
            }
        }
        let mut distance: Vec<usize> = vec![0; self.n_states()];
        let (mut n_done, mut longest) = (0, 0);
        let mut ready: Vec<StateId> = useful
            .iter()
            .copied()
            .filter(|q| n_into[q.index()] == 0)
            .collect();
        while let Some(q) = ready.pop() {
            n_done += 1;
            if self.is_accepting(q) {
                longest = longest.max(distance[q.index()]);
            }
            for to in self.row(q) {
                let i = to.index();
                if live[i] {
                    distance[i] = distance[i].max(distance[q.index()] + 1);
                    n_into[i] -= 1;
                    if n_into[i] == 0 {
                        ready.push(*to);
                    }
                }
            }
        }
        Some((n_done == useful.len()).then_some(longest))
    }

    /// Whether finitely many words are accepted.
    pub fn is_finite(&self) -> bool {
        self.longest_accepted_length() != Some(None)
    }

    /// The accepted words in length-lexicographic order, each found when it is asked for.
    ///
    /// The iterator ends for a finite language only. A word costs O(k·length), and each new length
    /// one pass over the transitions; no dead end is ever entered.
    ///
    /// ```
    /// use idiolect_automata::{Dfa, Letter};
    /// let odd = Dfa::from_fn(1, &[false, true], |q, _| 1 - q);
    /// let lengths: Vec<usize> = odd.accepted_words().take(3).map(|word| word.len()).collect();
    /// assert_eq!(lengths, [1, 3, 5]);
    /// ```
    pub fn accepted_words(&self) -> AcceptedWords<'_> {
        AcceptedWords {
            dfa: self,
            longest: self.longest_accepted_length(),
            reaches: Vec::new(),
            word: Word::new(),
            path: vec![self.initial()],
            fresh: true,
        }
    }

    /// The number of accepted words of this length, `None` if it exceeds `u128`.
    pub fn count_words(&self, length: usize) -> Option<u128> {
        // Backwards, so that a number counts continuations: states that lead to no accepting one
        // stay at 0 and cannot overflow.
        let states = self.reachable_states();
        let mut count: Vec<Option<u128>> = (self.states())
            .map(|q| Some(u128::from(self.is_accepting(q))))
            .collect();
        for _ in 0..length {
            let mut longer = vec![Some(0); self.n_states()];
            for &q in &states {
                longer[q.index()] = (self.row(q).iter())
                    .try_fold(0u128, |sum, to| sum.checked_add(count[to.index()]?));
            }
            count = longer;
        }
        count[self.initial().index()]
    }
}

/// See [`Dfa::accepted_words`].
#[derive(Clone, Debug)]
pub struct AcceptedWords<'a> {
    dfa: &'a Dfa,
    longest: Option<Option<usize>>,
    /// `reaches[r]` has a bit for every state from which a word of exactly `r` letters is accepted.
    reaches: Vec<Vec<u64>>,
    /// The word given last, and the states along it.
    word: Word,
    path: Vec<StateId>,
    /// No word has been given yet.
    fresh: bool,
}

impl AcceptedWords<'_> {
    fn reaches(&self, state: StateId, letters_left: usize) -> bool {
        let i = state.index();
        self.reaches[letters_left][i / 64] >> (i % 64) & 1 == 1
    }

    fn set_of(&self, mut contains: impl FnMut(StateId) -> bool) -> Vec<u64> {
        let mut set = vec![0u64; self.dfa.n_states().div_ceil(64)];
        for q in self.dfa.states().filter(|&q| contains(q)) {
            set[q.index() / 64] |= 1 << (q.index() % 64);
        }
        set
    }

    /// Makes `word` the least accepted word of `length` letters that has the current word as a
    /// prefix. There must be one.
    fn descend(&mut self, length: usize) {
        while self.word.len() < length {
            let left = length - self.word.len() - 1;
            let last = self.path[self.path.len() - 1];
            let step = (self.dfa.letters())
                .map(|a| (a, self.dfa.step(last, a)))
                .find(|&(_, q)| self.reaches(q, left));
            let Some((a, q)) = step else { return };
            self.word.push(a);
            self.path.push(q);
        }
    }

    /// The next word of the same length.
    fn advance(&mut self) -> bool {
        let length = self.word.len();
        while let Some(last) = self.word.pop() {
            self.path.pop();
            let before = self.path[self.path.len() - 1];
            let left = length - self.word.len() - 1;
            let step = (self.dfa.letters().skip(last.index() + 1))
                .map(|a| (a, self.dfa.step(before, a)))
                .find(|&(_, q)| self.reaches(q, left));
            if let Some((a, q)) = step {
                self.word.push(a);
                self.path.push(q);
                self.descend(length);
                return true;
            }
        }
        false
    }
}

impl Iterator for AcceptedWords<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let longest = self.longest?;
        if self.fresh {
            self.fresh = false;
            self.reaches.push(self.set_of(|q| self.dfa.is_accepting(q)));
            if self.dfa.is_accepting(self.dfa.initial()) {
                return Some(Word::new());
            }
        } else if self.advance() {
            return Some(self.word.clone());
        }
        // `advance` has emptied the word. `reaches` grows by one set for each length tried.
        loop {
            let length = self.reaches.len();
            if longest.is_some_and(|longest| length > longest) {
                self.longest = None;
                return None;
            }
            let set = self.set_of(|q| {
                self.dfa
                    .row(q)
                    .iter()
                    .any(|&to| self.reaches(to, length - 1))
            });
            self.reaches.push(set);
            if self.reaches(self.dfa.initial(), length) {
                self.descend(length);
                return Some(self.word.clone());
            }
        }
    }
}

impl std::iter::FusedIterator for AcceptedWords<'_> {}

/// The language of the given words.
impl FromIterator<Word> for Dfa {
    /// A tree of the words over as many letters as they use, with a rejecting sink.
    fn from_iter<I: IntoIterator<Item = Word>>(words: I) -> Self {
        let words: Vec<Word> = words.into_iter().collect();
        let n_letters = words
            .iter()
            .flatten()
            .map(|a| a.index() + 1)
            .max()
            .unwrap_or(0);
        let sink = StateId(0);
        let mut dfa = Self::new(n_letters, vec![false]);
        let root = dfa.add_state(false);
        let detach = |dfa: &mut Self, q| {
            for a in (0..n_letters).map(Letter::new) {
                dfa.set_step(q, a, sink);
            }
        };
        detach(&mut dfa, root);
        dfa.set_initial(root);
        for word in &words {
            let mut at = root;
            for &a in word {
                let mut next = dfa.step(at, a);
                if next == sink {
                    next = dfa.add_state(false);
                    detach(&mut dfa, next);
                    dfa.set_step(at, a, next);
                }
                at = next;
            }
            dfa.set_output(at, true);
        }
        dfa
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{any_dfa, words_shorter_than};
    use crate::{Dfa, Letter, Word};
    use proptest::prelude::*;

    #[test]
    fn counting_says_when_it_cannot() {
        assert_eq!(Dfa::all(2).count_words(127), Some(1 << 127));
        assert_eq!(Dfa::all(2).count_words(128), None);
        assert_eq!(Dfa::none(2).count_words(1000), Some(0));
    }

    #[test]
    fn a_word_far_away_is_found_at_once() {
        let word = vec![Letter(1); 3000];
        let dfa = Dfa::of_word(2, &word);
        let mut words = dfa.accepted_words();
        assert_eq!(words.next(), Some(word));
        assert_eq!(words.next(), None);
        assert_eq!(words.next(), None);
    }

    proptest! {
        #[test]
        fn words_come_in_order_and_none_is_missing(dfa in any_dfa(5, 2)) {
            let expected: Vec<Word> = words_shorter_than(9, 2).into_iter()
                .filter(|word| dfa.accepts(word)).collect();
            let found: Vec<Word> = dfa.accepted_words()
                .take_while(|word| word.len() < 9).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(dfa.shortest_accepted(), expected.first().cloned());
            prop_assert_eq!(dfa.is_empty(), expected.is_empty());
            for length in 0..9 {
                let n = expected.iter().filter(|word| word.len() == length).count();
                prop_assert_eq!(dfa.count_words(length), Some(n as u128));
            }
            // With five states, a word of five letters or more means infinitely many.
            let finite = expected.iter().all(|word| word.len() < 5);
            prop_assert_eq!(dfa.is_finite(), finite);
            if finite {
                prop_assert_eq!(dfa.accepted_words().collect::<Vec<_>>(), expected);
            }
            let universal = words_shorter_than(5, 2).iter().all(|word| dfa.accepts(word));
            prop_assert_eq!(dfa.is_universal(), universal);
        }

        #[test]
        fn a_finite_language_from_its_words(
            words in proptest::collection::vec(
                proptest::collection::vec((0u32..2).prop_map(Letter), 0..5), 0..8),
        ) {
            let dfa: Dfa = words.iter().cloned().collect();
            let mut sorted = words;
            sorted.sort_by_key(|word| (word.len(), word.clone()));
            sorted.dedup();
            prop_assert_eq!(dfa.accepted_words().collect::<Vec<_>>(), sorted);
        }

        #[test]
        fn live_states_have_a_future(dfa in any_dfa(6, 2)) {
            let live = dfa.live_states();
            for q in dfa.states() {
                let future = words_shorter_than(6, 2).iter()
                    .any(|word| dfa.is_accepting(dfa.run(q, word)));
                prop_assert_eq!(live[q.index()], future);
            }
        }
    }
}

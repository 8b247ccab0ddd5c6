//! Equivalence of machines, with the least word that tells them apart: J. Hopcroft and R. Karp, *A
//! linear algorithm for testing equivalence of finite automata*, 1971.
//!
//! Pairs of states that the same word leads to are assumed equivalent and merged by union-find; a
//! pair already in one class is not followed. The paper answers yes or no. Visiting the pairs
//! breadth-first, letters in order, the first difference found is also at the
//! **length-lexicographically least** distinguishing word, in the same near-linear time:
//!
//! Let `v = u·w` be the least word that tells the machines apart, and suppose the pair at `u` was
//! skipped. Then its two states are joined by a chain of visited pairs, each with an access word
//! `u'` that comes before `u` in length-lexicographic order, since pairs are visited in the order
//! of their access words. As `w` tells the ends of the chain apart, it does so for some link, and
//! `u'·w` is a smaller distinguishing word than `v`. So no prefix of `v` is skipped.

use crate::{Letter, Moore, StateId, Word};

impl<O: PartialEq> Moore<O> {
    /// Whether both machines give the same output on every word. Near-linear.
    ///
    /// Machines over alphabets of different sizes are not equivalent.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.n_letters() == other.n_letters() && self.distinguishing_word(other).is_none()
    }

    /// The length-lexicographically least word, over the letters that both have, with different
    /// outputs; `None` if there is none.
    ///
    /// ```
    /// use idiolect_automata::{Dfa, Letter};
    /// let even = Dfa::from_fn(1, &[true, false], |q, _| 1 - q);
    /// let thirds = Dfa::from_fn(1, &[true, false, false], |q, _| (q + 1) % 3);
    /// assert_eq!(even.distinguishing_word(&thirds), Some(vec![Letter(0); 2]));
    /// ```
    pub fn distinguishing_word(&self, other: &Self) -> Option<Word> {
        difference((self, self.initial()), (other, other.initial()))
    }

    /// Words with different outputs, shortest first, found in one pass as for
    /// [`distinguishing_word`](Self::distinguishing_word), the first of which is the least: not all
    /// there are, but some for most states that differ. At most so many letters in all, the first word
    /// excepted.
    pub fn distinguishing_words(&self, other: &Self, letters: usize) -> Vec<Word> {
        let mut words = Collected::new(letters);
        visit_differences(
            (self.n_states(), self.initial(), |q, a| self.step(q, a)),
            (other.n_states(), other.initial(), |q, a| other.step(q, a)),
            self.n_letters().min(other.n_letters()),
            |p, q| (self.output(p) != other.output(q)).then(Word::new),
            |word| words.add(word),
        );
        words.words
    }

    /// The length-lexicographically least word with different outputs from two states of this
    /// machine.
    pub fn distinguish_states(&self, p: StateId, q: StateId) -> Option<Word> {
        difference((self, p), (self, q))
    }
}

fn difference<O: PartialEq>(
    (left, p): (&Moore<O>, StateId),
    (right, q): (&Moore<O>, StateId),
) -> Option<Word> {
    tell_apart(
        (left.n_states(), p, |q, a| left.step(q, a)),
        (right.n_states(), q, |q, a| right.step(q, a)),
        left.n_letters().min(right.n_letters()),
        |p, q| (left.output(p) != right.output(q)).then(Word::new),
    )
}

/// The least word that leads to two states that differ, followed by what tells those apart. Each
/// machine is its number of states, the state to start from, and its steps.
pub(crate) fn tell_apart(
    left: (usize, StateId, impl Fn(StateId, Letter) -> StateId),
    right: (usize, StateId, impl Fn(StateId, Letter) -> StateId),
    n_letters: usize,
    differ: impl Fn(StateId, StateId) -> Option<Word>,
) -> Option<Word> {
    let mut first = None;
    visit_differences(left, right, n_letters, differ, |word| {
        first = Some(word);
        false
    });
    first
}

/// Words up to a number of letters in all.
pub(crate) struct Collected {
    pub(crate) words: Vec<Word>,
    letters: usize,
}

impl Collected {
    pub(crate) fn new(letters: usize) -> Self {
        Self {
            words: Vec::new(),
            letters,
        }
    }

    /// Whether there is room for more.
    pub(crate) fn add(&mut self, word: Word) -> bool {
        let room = self.letters.checked_sub(word.len());
        if room.is_some() || self.words.is_empty() {
            self.words.push(word);
        }
        self.letters = room.unwrap_or(0);
        self.letters > 0
    }
}

/// Calls `found` with the words of the pass described above, as long as it wants more.
pub(crate) fn visit_differences(
    (n_left, p, step_left): (usize, StateId, impl Fn(StateId, Letter) -> StateId),
    (n_right, q, step_right): (usize, StateId, impl Fn(StateId, Letter) -> StateId),
    n_letters: usize,
    differ: impl Fn(StateId, StateId) -> Option<Word>,
    mut found: impl FnMut(Word) -> bool,
) {
    struct Visit {
        left: StateId,
        right: StateId,
        parent: u32,
        letter: Letter,
    }
    if let Some(word) = differ(p, q)
        && !found(word)
    {
        return;
    }
    let mut classes = UnionFind::new(n_left + n_right);
    let mut visits = vec![Visit {
        left: p,
        right: q,
        parent: 0,
        letter: Letter(0),
    }];
    classes.merge(p.index(), n_left + q.index());
    let mut done = 0;
    while done < visits.len() {
        let (p, q) = (visits[done].left, visits[done].right);
        for a in (0..n_letters).map(Letter::new) {
            let (p, q) = (step_left(p, a), step_right(q, a));
            if classes.are_one(p.index(), n_left + q.index()) {
                continue;
            }
            // A pair that differs is not merged: with two outputs there would soon be one class.
            if let Some(end) = differ(p, q) {
                let mut word = vec![a];
                let mut at = done;
                while at != 0 {
                    word.push(visits[at].letter);
                    at = visits[at].parent as usize;
                }
                word.reverse();
                word.extend(end);
                if !found(word) {
                    return;
                }
                continue;
            }
            classes.merge(p.index(), n_left + q.index());
            visits.push(Visit {
                left: p,
                right: q,
                parent: done as u32,
                letter: a,
            });
        }
        done += 1;
    }
}

/// Disjoint sets with union by size and path halving.
struct UnionFind {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl UnionFind {
    fn new(n: usize) -> Self {
        Self {
            parent: (0..n as u32).collect(),
            size: vec![1; n],
        }
    }

    fn find(&mut self, mut x: usize) -> usize {
        while self.parent[x] as usize != x {
            let grandparent = self.parent[self.parent[x] as usize];
            self.parent[x] = grandparent;
            x = grandparent as usize;
        }
        x
    }

    fn are_one(&mut self, x: usize, y: usize) -> bool {
        self.find(x) == self.find(y)
    }

    /// Joins two sets.
    fn merge(&mut self, x: usize, y: usize) {
        let (mut x, mut y) = (self.find(x), self.find(y));
        if x == y {
            return;
        }
        if self.size[x] < self.size[y] {
            std::mem::swap(&mut x, &mut y);
        }
        self.parent[y] = x as u32;
        self.size[x] += self.size[y];
    }
}

#[cfg(test)]
mod tests {
    use crate::Dfa;
    use crate::testing::{any_dfa, any_moore, words_shorter_than};
    use proptest::prelude::*;

    #[test]
    fn alphabets_of_different_sizes_differ() {
        let (one, two) = (Dfa::new(1, vec![true]), Dfa::new(2, vec![true]));
        assert!(!one.is_equivalent(&two));
        assert_eq!(one.distinguishing_word(&two), None);
    }

    proptest! {
        // Machines of m and n states that differ do so on a word of at most m + n - 2 letters.
        #[test]
        fn the_word_is_the_least_one(a in any_moore(5, 2, 2), b in any_moore(5, 2, 2)) {
            let least = words_shorter_than(9, 2).into_iter()
                .find(|word| a.output_of(word) != b.output_of(word));
            prop_assert_eq!(a.is_equivalent(&b), least.is_none());
            prop_assert_eq!(a.distinguishing_word(&b), least);
        }

        #[test]
        fn three_letters_and_near_misses(a in any_dfa(6, 3), flip in 0usize..6) {
            let mut b = a.canonical();
            let q = crate::StateId::new(flip % b.n_states());
            b.set_output(q, !b.is_accepting(q));
            let least = words_shorter_than(7, 3).into_iter()
                .find(|word| a.accepts(word) != b.accepts(word));
            prop_assert_eq!(a.distinguishing_word(&b), least);
            prop_assert!(a.is_equivalent(&a.minimize()));
        }

        #[test]
        fn words_of_a_pass_all_differ(a in any_moore(5, 2, 2), b in any_moore(5, 2, 2)) {
            let words = a.distinguishing_words(&b, 1000);
            prop_assert_eq!(words.first().cloned(), a.distinguishing_word(&b));
            for word in &words {
                prop_assert_ne!(a.output_of(word), b.output_of(word));
            }
            prop_assert!(words.is_sorted_by_key(Vec::len));
            prop_assert_eq!(a.distinguishing_words(&b, 0).len(), words.len().min(1));
        }

        #[test]
        fn states_are_told_apart(machine in any_moore(5, 2, 3)) {
            let classes = machine.equivalence_classes();
            for p in machine.states() {
                for q in machine.states() {
                    let word = machine.distinguish_states(p, q);
                    prop_assert_eq!(word.is_none(), classes[p.index()] == classes[q.index()]);
                    if let Some(word) = word {
                        let (p, q) = (machine.run(p, &word), machine.run(q, &word));
                        prop_assert_ne!(machine.output(p), machine.output(q));
                    }
                }
            }
        }
    }
}

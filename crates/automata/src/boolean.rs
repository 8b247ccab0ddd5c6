//! Boolean operations on languages, and changes of alphabet.
//!
//! Products visit only the pairs of states that some word leads to, in breadth-first order, so
//! that the result is in canonical form. It is not minimized.

use crate::{Dfa, Letter, Moore, StateId};
use rustc_hash::FxHashMap;

impl Dfa {
    /// Accepts no word.
    pub fn none(n_letters: usize) -> Self {
        Self::new(n_letters, vec![false])
    }

    /// Accepts every word.
    pub fn all(n_letters: usize) -> Self {
        Self::new(n_letters, vec![true])
    }

    /// Accepts this word alone.
    pub fn of_word(n_letters: usize, word: &[Letter]) -> Self {
        let sink = word.len() + 1;
        let accepting: Vec<bool> = (0..=sink).map(|q| q == word.len()).collect();
        Self::from_fn(n_letters, &accepting, |q, a| match word.get(q) {
            Some(&expected) if expected == a => q + 1,
            _ => sink,
        })
    }

    #[must_use]
    pub fn complement(&self) -> Self {
        self.map_outputs(|accepting| !accepting)
    }

    /// Words in both languages. The alphabets must have the same size, here and below.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.product(other, |a, b| a & b)
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.product(other, |a, b| a | b)
    }

    /// Words in the language of `self` that are not in that of `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.product(other, |a, b| a & !b)
    }

    #[must_use]
    pub fn symmetric_difference(&self, other: &Self) -> Self {
        self.product(other, |a, b| a ^ b)
    }

    /// Whether every word of `self` is one of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    /// The language over a larger or differently ordered alphabet: letter `a` becomes `map[a]`,
    /// and words with a letter that is not in the image are rejected. The reachable part is kept.
    ///
    /// # Panics
    /// If the map does not name one letter below `n_letters` for each letter, all different.
    #[must_use]
    pub fn translate(&self, n_letters: usize, map: &[Letter]) -> Self {
        assert_eq!(map.len(), self.n_letters(), "one new letter for each");
        let mut old_letter = vec![None; n_letters];
        for (old, new) in map.iter().enumerate() {
            let before = old_letter[new.index()].replace(Letter::new(old));
            assert!(before.is_none(), "two letters would become {new:?}");
        }
        let sink = self.n_states();
        let mut accepting = self.outputs().to_vec();
        accepting.push(false);
        let mut dfa = Self::from_fn(n_letters, &accepting, |q, new| {
            match old_letter[new.index()] {
                Some(old) if q != sink => self.step(StateId::new(q), old).index(),
                _ => sink,
            }
        });
        dfa.set_initial(self.initial());
        dfa.canonical()
    }
}

impl<O> Moore<O> {
    /// Both machines at once: after every word the output is `combine` of theirs.
    ///
    /// # Panics
    /// If the alphabets differ in size.
    #[must_use]
    pub fn product<P, R>(&self, other: &Moore<P>, combine: impl Fn(&O, &P) -> R) -> Moore<R> {
        let k = self.n_letters();
        assert_eq!(k, other.n_letters(), "the same alphabet on both sides");
        let start = (self.initial(), other.initial());
        let mut pairs = vec![start];
        let mut number = FxHashMap::from_iter([(start, StateId(0))]);
        let mut delta = Vec::new();
        let mut done = 0;
        while done < pairs.len() {
            let (p, q) = pairs[done];
            for (&p, &q) in self.row(p).iter().zip(other.row(q)) {
                let fresh = StateId::new(pairs.len());
                let id = *number.entry((p, q)).or_insert(fresh);
                if id == fresh {
                    pairs.push((p, q));
                }
                delta.push(id);
            }
            done += 1;
        }
        let outputs = (pairs.iter())
            .map(|&(p, q)| combine(self.output(p), other.output(q)))
            .collect();
        Moore::from_table(k, outputs, delta)
    }

    /// The machine over some of the letters only: letter `i` of the result is `keep[i]`. The
    /// reachable part is kept. With a permutation of all letters this renames them.
    #[must_use]
    pub fn restrict(&self, keep: &[Letter]) -> Self
    where
        O: Clone,
    {
        let delta = (self.states())
            .flat_map(|q| keep.iter().map(move |&a| (q, a)))
            .map(|(q, a)| self.step(q, a))
            .collect();
        let mut machine = Self::from_table(keep.len(), self.outputs().to_vec(), delta);
        machine.set_initial(self.initial());
        machine.canonical()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{any_dfa, words_shorter_than};
    use crate::{Dfa, Letter};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn operations_are_those_of_sets(a in any_dfa(4, 2), b in any_dfa(4, 2)) {
            let both = a.intersection(&b);
            let (either, minus) = (a.union(&b), a.difference(&b));
            let (xor, not) = (a.symmetric_difference(&b), a.complement());
            for word in words_shorter_than(8, 2) {
                let (x, y) = (a.accepts(&word), b.accepts(&word));
                prop_assert_eq!(both.accepts(&word), x && y);
                prop_assert_eq!(either.accepts(&word), x || y);
                prop_assert_eq!(minus.accepts(&word), x && !y);
                prop_assert_eq!(xor.accepts(&word), x != y);
                prop_assert_eq!(not.accepts(&word), !x);
            }
            prop_assert_eq!(xor.is_empty(), a.is_equivalent(&b));
            prop_assert_eq!(a.is_subset(&b), minus.is_empty());
            prop_assert_eq!(&both.canonical(), &both);
        }

        #[test]
        fn a_word_alone(word in proptest::collection::vec((0u32..2).prop_map(Letter), 0..6)) {
            let dfa = Dfa::of_word(2, &word);
            for other in words_shorter_than(7, 2) {
                prop_assert_eq!(dfa.accepts(&other), other == word);
            }
        }

        #[test]
        fn translation_there_and_back(dfa in any_dfa(5, 2)) {
            let map = [Letter(2), Letter(0)];
            let wide = dfa.translate(3, &map);
            for word in words_shorter_than(6, 3) {
                let back: Option<Vec<Letter>> = word.iter()
                    .map(|a| map.iter().position(|b| a == b).map(Letter::new))
                    .collect();
                prop_assert_eq!(wide.accepts(&word), back.is_some_and(|w| dfa.accepts(&w)));
            }
            prop_assert!(wide.restrict(&map).is_equivalent(&dfa));
        }
    }
}

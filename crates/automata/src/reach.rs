//! What can be reached: the reachable part of a machine, its canonical numbering, access words,
//! isomorphism.

use crate::{Letter, Moore, StateId, Word};
use std::collections::VecDeque;

/// Marks a state that has no number yet.
const NONE: StateId = StateId(u32::MAX);

impl<O> Moore<O> {
    /// The states that some word leads to, in breadth-first order, letters in their order.
    pub fn reachable_states(&self) -> Vec<StateId> {
        let mut seen = vec![false; self.n_states()];
        seen[self.initial().index()] = true;
        let mut order = vec![self.initial()];
        let mut done = 0;
        while done < order.len() {
            for &next in self.row(order[done]) {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    order.push(next);
                }
            }
            done += 1;
        }
        order
    }

    /// The reachable part, numbered breadth-first from the initial state 0. Two machines whose
    /// reachable parts are isomorphic have the same canonical form.
    #[must_use]
    pub fn canonical(&self) -> Self
    where
        O: Clone,
    {
        let order = self.reachable_states();
        let mut number = vec![NONE; self.n_states()];
        for (i, &q) in order.iter().enumerate() {
            number[q.index()] = StateId::new(i);
        }
        let outputs = order.iter().map(|&q| self.output(q).clone()).collect();
        let delta = (order.iter())
            .flat_map(|&q| self.row(q).iter().map(|next| number[next.index()]))
            .collect();
        Self::from_table(self.n_letters(), outputs, delta)
    }

    /// For every state its length-lexicographically least access word, `None` if no word leads
    /// there.
    ///
    /// All words together can take quadratic space; [`Moore::access_word`] finds one.
    pub fn access_words(&self) -> Vec<Option<Word>> {
        let mut words: Vec<Option<Word>> = vec![None; self.n_states()];
        words[self.initial().index()] = Some(Word::new());
        for q in self.reachable_states() {
            for a in self.letters() {
                let next = self.step(q, a).index();
                if words[next].is_none() {
                    let mut word = words[q.index()].clone().unwrap_or_default();
                    word.push(a);
                    words[next] = Some(word);
                }
            }
        }
        words
    }

    /// The length-lexicographically least word that leads to `state`.
    pub fn access_word(&self, state: StateId) -> Option<Word> {
        self.least_word_to(self.initial(), |q| q == state)
    }

    /// The length-lexicographically least word that leads from `from` to a state of this kind.
    pub fn least_word_to(
        &self,
        from: StateId,
        mut wanted: impl FnMut(StateId) -> bool,
    ) -> Option<Word> {
        // Breadth-first with letters in order, the first path to a state is the least one.
        let mut parent: Vec<Option<(StateId, Letter)>> = vec![None; self.n_states()];
        let mut seen = vec![false; self.n_states()];
        seen[from.index()] = true;
        let mut queue = VecDeque::from([from]);
        while let Some(q) = queue.pop_front() {
            if wanted(q) {
                let mut word = Word::new();
                let mut at = q;
                while let Some((before, a)) = parent[at.index()] {
                    word.push(a);
                    at = before;
                }
                word.reverse();
                return Some(word);
            }
            for a in self.letters() {
                let next = self.step(q, a);
                if !std::mem::replace(&mut seen[next.index()], true) {
                    parent[next.index()] = Some((q, a));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// Whether the reachable parts are the same machine up to the names of states.
    pub fn is_isomorphic(&self, other: &Self) -> bool
    where
        O: PartialEq,
    {
        // In a deterministic machine the initial states leave no choice: follow both at once.
        let (ours, theirs) = (self.reachable_states(), other.reachable_states());
        if self.n_letters() != other.n_letters() || ours.len() != theirs.len() {
            return false;
        }
        let mut image = vec![NONE; self.n_states()];
        for (&p, &q) in ours.iter().zip(&theirs) {
            image[p.index()] = q;
        }
        ours.iter().zip(&theirs).all(|(&p, &q)| {
            self.output(p) == other.output(q)
                && (self.row(p).iter().zip(other.row(q)))
                    .all(|(next, other_next)| image[next.index()] == *other_next)
        })
    }

    /// The same machine with other outputs.
    #[must_use]
    pub fn map_outputs<P>(&self, f: impl FnMut(&O) -> P) -> Moore<P> {
        let outputs = self.outputs().iter().map(f).collect();
        let mut mapped = Moore::from_table(self.n_letters(), outputs, self.table().to_vec());
        mapped.set_initial(self.initial());
        mapped
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{any_moore, words_shorter_than};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn canonical_form_speaks_alike(machine in any_moore(6, 2, 3)) {
            let canonical = machine.canonical();
            prop_assert_eq!(canonical.n_states(), machine.reachable_states().len());
            prop_assert!(canonical.is_isomorphic(&machine));
            for word in words_shorter_than(7, 2) {
                prop_assert_eq!(canonical.output_of(&word), machine.output_of(&word));
            }
        }

        #[test]
        fn a_renumbering_is_isomorphic_and_has_the_same_canonical_form(
            machine in any_moore(6, 2, 3), shift in 0usize..6,
        ) {
            let n = machine.n_states();
            let moved = |q: usize| (q + shift) % n;
            let mut other = machine.clone();
            for q in machine.states() {
                let to = crate::StateId::new(moved(q.index()));
                other.set_output(to, *machine.output(q));
                for a in machine.letters() {
                    let next = crate::StateId::new(moved(machine.step(q, a).index()));
                    other.set_step(to, a, next);
                }
            }
            other.set_initial(crate::StateId::new(moved(machine.initial().index())));
            prop_assert!(machine.is_isomorphic(&other));
            prop_assert_eq!(machine.canonical(), other.canonical());
        }

        #[test]
        fn isomorphism_is_equality_of_canonical_forms(
            a in any_moore(3, 2, 2), b in any_moore(3, 2, 2),
        ) {
            prop_assert_eq!(a.is_isomorphic(&b), a.canonical() == b.canonical());
        }

        #[test]
        fn access_words_are_the_least(machine in any_moore(5, 2, 2)) {
            let words = machine.access_words();
            for q in machine.states() {
                let least = words_shorter_than(6, 2).into_iter()
                    .find(|word| machine.run(machine.initial(), word) == q);
                prop_assert_eq!(&words[q.index()], &least);
                prop_assert_eq!(machine.access_word(q), least);
            }
        }
    }
}

//! Mealy machines: an output for every step. A word of n letters is answered with n outputs, and
//! what a word answers, each longer word answers first.
//!
//! A state of a Mealy machine is what it outputs for each letter and where the letters lead. So it
//! is a [`Moore`] machine over the same states whose output at a state is that whole row
//! ([`Mealy::rows`]), and minimization, comparison and canonical forms are those of Moore machines:
//! two Mealy machines answer alike exactly if the machines of their rows do.

use crate::compare::{Collected, tell_apart, visit_differences};
use crate::{Letter, Moore, StateId, Word};
use std::hash::Hash;

/// A complete deterministic machine with an output at each transition.
///
/// ```
/// use idiolect_automata::{Letter, Mealy};
/// // A turnstile: letter 0 is a coin, letter 1 a push.
/// let turnstile = Mealy::from_fn(2, 2, |q, a| match (q, a.index()) {
///     (_, 0) => (1, "open"),
///     (1, _) => (0, "pass"),
///     _ => (0, "locked"),
/// });
/// let word = [1, 0, 1].map(Letter);
/// assert_eq!(turnstile.outputs_of(&word), [&"locked", &"open", &"pass"]);
/// assert_eq!(turnstile.output_of(&word), Some(&"pass"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mealy<O> {
    n_letters: usize,
    n_states: usize,
    initial: StateId,
    /// One row per state.
    delta: Vec<StateId>,
    /// One row per state.
    outputs: Vec<O>,
}

impl<O> Mealy<O> {
    /// A machine with these transitions and their outputs, one row of `n_letters` each per state.
    /// State 0 is initial.
    ///
    /// # Panics
    /// If there are no states, if a table has not one entry per state and letter, or if an entry is
    /// no state.
    pub fn from_table(
        n_letters: usize,
        n_states: usize,
        delta: Vec<StateId>,
        outputs: Vec<O>,
    ) -> Self {
        assert!(n_states > 0, "a machine has at least its initial state");
        assert_eq!(delta.len(), n_states * n_letters, "one row per state");
        assert_eq!(outputs.len(), delta.len(), "one output per transition");
        assert!(delta.iter().all(|q| q.index() < n_states));
        Self {
            n_letters,
            n_states,
            initial: StateId(0),
            delta,
            outputs,
        }
    }

    /// A machine given by a function from state and letter to the next state and the output.
    pub fn from_fn(
        n_letters: usize,
        n_states: usize,
        mut next: impl FnMut(usize, Letter) -> (usize, O),
    ) -> Self {
        let steps = (0..n_states).flat_map(|q| (0..n_letters).map(move |a| (q, Letter::new(a))));
        let (delta, outputs) = steps
            .map(|(q, a)| {
                let (to, output) = next(q, a);
                (StateId::new(to), output)
            })
            .unzip();
        Self::from_table(n_letters, n_states, delta, outputs)
    }

    /// Adds a state with these outputs, one per letter; its transitions are self-loops.
    ///
    /// # Panics
    /// If there are not as many outputs as letters.
    pub fn add_state(&mut self, outputs: impl IntoIterator<Item = O>) -> StateId {
        let id = StateId::new(self.n_states);
        self.n_states += 1;
        self.outputs.extend(outputs);
        self.delta.extend(std::iter::repeat_n(id, self.n_letters));
        assert_eq!(
            self.outputs.len(),
            self.delta.len(),
            "one output per letter"
        );
        id
    }

    pub fn set_initial(&mut self, state: StateId) {
        assert!(state.index() < self.n_states);
        self.initial = state;
    }

    pub fn set_step(&mut self, from: StateId, letter: Letter, to: StateId) {
        assert!(to.index() < self.n_states && letter.index() < self.n_letters);
        self.delta[from.index() * self.n_letters + letter.index()] = to;
    }

    pub fn set_output(&mut self, from: StateId, letter: Letter, output: O) {
        assert!(letter.index() < self.n_letters);
        self.outputs[from.index() * self.n_letters + letter.index()] = output;
    }

    #[inline]
    pub fn step(&self, from: StateId, letter: Letter) -> StateId {
        self.delta[from.index() * self.n_letters + letter.index()]
    }

    /// The output of a step.
    #[inline]
    pub fn output(&self, from: StateId, letter: Letter) -> &O {
        &self.outputs[from.index() * self.n_letters + letter.index()]
    }

    /// The outputs of a state, in the order of the letters.
    pub fn row(&self, state: StateId) -> &[O] {
        &self.outputs[state.index() * self.n_letters..][..self.n_letters]
    }

    /// The state that a word leads to from `from`.
    pub fn run(&self, from: StateId, word: &[Letter]) -> StateId {
        word.iter().fold(from, |q, &a| self.step(q, a))
    }

    /// The outputs of a word from `from`, one per letter.
    pub fn outputs_from(&self, from: StateId, word: &[Letter]) -> Vec<&O> {
        let mut state = from;
        let outputs = word.iter().map(|&a| {
            let output = self.output(state, a);
            state = self.step(state, a);
            output
        });
        outputs.collect()
    }

    /// The outputs of a word, one per letter.
    pub fn outputs_of(&self, word: &[Letter]) -> Vec<&O> {
        self.outputs_from(self.initial, word)
    }

    /// The last output of a word; the empty word has none.
    pub fn output_of(&self, word: &[Letter]) -> Option<&O> {
        let (&last, front) = word.split_last()?;
        Some(self.output(self.run(self.initial, front), last))
    }

    pub fn initial(&self) -> StateId {
        self.initial
    }

    pub fn n_states(&self) -> usize {
        self.n_states
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + use<O> {
        (0..self.n_states).map(StateId::new)
    }

    pub fn letters(&self) -> impl Iterator<Item = Letter> + use<O> {
        (0..self.n_letters).map(Letter::new)
    }

    /// The same states and transitions as a Moore machine: the output of a state is its row.
    pub fn rows(&self) -> Moore<&[O]> {
        let outputs = self.states().map(|q| self.row(q)).collect();
        let mut moore = Moore::from_table(self.n_letters, outputs, self.delta.clone());
        moore.set_initial(self.initial);
        moore
    }

    /// The machine with these rows; the other way round of [`Mealy::rows`].
    ///
    /// # Panics
    /// If a row has not one output per letter.
    pub fn from_rows(rows: &Moore<&[O]>) -> Self
    where
        O: Clone,
    {
        let outputs = rows.outputs().iter().flat_map(|row| row.iter().cloned());
        let mut mealy = Self::from_table(
            rows.n_letters(),
            rows.n_states(),
            rows.table().to_vec(),
            outputs.collect(),
        );
        mealy.initial = rows.initial();
        mealy
    }

    /// The same machine with other outputs.
    #[must_use]
    pub fn map_outputs<P>(&self, f: impl FnMut(&O) -> P) -> Mealy<P> {
        Mealy {
            n_letters: self.n_letters,
            n_states: self.n_states,
            initial: self.initial,
            delta: self.delta.clone(),
            outputs: self.outputs.iter().map(f).collect(),
        }
    }

    /// For every state its length-lexicographically least access word, `None` if no word leads
    /// there.
    pub fn access_words(&self) -> Vec<Option<Word>> {
        self.rows().access_words()
    }

    /// The states that some word leads to, in breadth-first order.
    pub fn reachable_states(&self) -> Vec<StateId> {
        self.rows().reachable_states()
    }

    /// The reachable part, numbered breadth-first from the initial state 0.
    #[must_use]
    pub fn canonical(&self) -> Self
    where
        O: Clone,
    {
        Self::from_rows(&self.rows().canonical())
    }
}

impl<O: Clone + Eq + Hash> Mealy<O> {
    /// The smallest machine with the same outputs on all words, in canonical form: two machines
    /// are equivalent exactly if their minimal forms are equal.
    #[must_use]
    pub fn minimize(&self) -> Self {
        Self::from_rows(&self.rows().minimize())
    }

    /// Whether no machine with fewer states gives the same outputs.
    pub fn is_minimal(&self) -> bool {
        self.rows().is_minimal()
    }
}

impl<O: PartialEq> Mealy<O> {
    /// Whether both machines give the same outputs on every word. Near-linear.
    ///
    /// Machines over alphabets of different sizes are not equivalent.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.n_letters == other.n_letters && self.distinguishing_word(other).is_none()
    }

    /// Whether the reachable parts are the same machine up to the names of states.
    pub fn is_isomorphic(&self, other: &Self) -> bool {
        self.rows().is_isomorphic(&other.rows())
    }

    /// The length-lexicographically least word, over the letters that both have, whose last outputs
    /// differ; `None` if there is none.
    ///
    /// ```
    /// use idiolect_automata::{Letter, Mealy};
    /// let always = Mealy::from_fn(1, 1, |_, _| (0, "tick"));
    /// let third = Mealy::from_fn(1, 3, |q, _| ((q + 1) % 3, if q == 2 { "tock" } else { "tick" }));
    /// assert_eq!(always.distinguishing_word(&third), Some(vec![Letter(0); 3]));
    /// ```
    pub fn distinguishing_word(&self, other: &Self) -> Option<Word> {
        difference((self, self.initial), (other, other.initial))
    }

    /// Words whose last outputs differ, shortest first, found in one pass: see
    /// [`Moore::distinguishing_words`].
    pub fn distinguishing_words(&self, other: &Self, letters: usize) -> Vec<Word> {
        let mut words = Collected::new(letters);
        visit_differences(
            (self.n_states, self.initial, |q, a| self.step(q, a)),
            (other.n_states, other.initial, |q, a| other.step(q, a)),
            self.n_letters.min(other.n_letters),
            |p, q| first_difference(self.row(p), other.row(q)),
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
    (left, p): (&Mealy<O>, StateId),
    (right, q): (&Mealy<O>, StateId),
) -> Option<Word> {
    tell_apart(
        (left.n_states, p, |q, a| left.step(q, a)),
        (right.n_states, q, |q, a| right.step(q, a)),
        left.n_letters.min(right.n_letters),
        |p, q| first_difference(left.row(p), right.row(q)),
    )
}

/// The first letter with different outputs, as a word.
fn first_difference<O: PartialEq>(left: &[O], right: &[O]) -> Option<Word> {
    let mut pairs = left.iter().zip(right);
    let letter = pairs.position(|(x, y)| x != y)?;
    Some(vec![Letter::new(letter)])
}

#[cfg(test)]
mod tests {
    use crate::testing::{any_mealy, words_shorter_than};
    use crate::{Letter, Mealy, StateId};
    use proptest::prelude::*;

    #[test]
    fn alphabets_of_different_sizes_differ() {
        let machine = |k| Mealy::from_fn(k, 1, |_, _| (0, 'x'));
        assert!(!machine(1).is_equivalent(&machine(2)));
        assert_eq!(machine(1).distinguishing_word(&machine(2)), None);
        assert_eq!(machine(0).output_of(&[]), None);
        assert_eq!(machine(0).minimize().n_states(), 1);
    }

    #[test]
    fn states_are_added_with_their_outputs() {
        let mut machine = Mealy::from_fn(2, 1, |_, _| (0, 'x'));
        let new = machine.add_state(['y', 'z']);
        machine.set_step(StateId(0), Letter(1), new);
        machine.set_output(StateId(0), Letter(0), 'w');
        let word = [0, 1, 1, 0].map(Letter);
        assert_eq!(machine.outputs_of(&word), [&'w', &'x', &'z', &'y']);
    }

    proptest! {
        #[test]
        fn the_least_word_and_the_smallest_machine(
            a in any_mealy(5, 2, 2), b in any_mealy(5, 2, 2),
        ) {
            let least = words_shorter_than(11, 2).into_iter()
                .find(|word| a.output_of(word) != b.output_of(word));
            prop_assert_eq!(a.is_equivalent(&b), least.is_none());
            prop_assert_eq!(a.distinguishing_word(&b), least.clone());
            let (x, y) = (a.minimize(), b.minimize());
            prop_assert_eq!(x == y, least.is_none());
            prop_assert!(x.is_equivalent(&a) && x.is_minimal());
            prop_assert!(a.canonical().is_isomorphic(&a));
            for p in x.states() {
                for q in x.states() {
                    prop_assert_eq!(p == q, x.distinguish_states(p, q).is_none());
                }
            }
        }
    }
}

//! Complete deterministic machines: a [`Moore`] machine has an output at every state, and a
//! [`Dfa`] is the one whose output says whether the state accepts. Learners, minimization and
//! comparison are written once, for any output.

use crate::Letter;
use idiolect_base::index_type;

index_type!(
    /// A state of an automaton.
    StateId
);

/// A deterministic finite automaton: a word is accepted when the state it leads to outputs `true`.
pub type Dfa = Moore<bool>;

/// A complete deterministic machine with an output at each state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moore<O> {
    n_letters: usize,
    initial: StateId,
    outputs: Vec<O>,
    /// One row per state.
    delta: Vec<StateId>,
}

impl<O> Moore<O> {
    /// A machine with these outputs and no other states yet: every transition is a self-loop.
    /// State 0 is initial.
    pub fn new(n_letters: usize, outputs: Vec<O>) -> Self {
        assert!(
            !outputs.is_empty(),
            "a machine has at least its initial state"
        );
        let delta = (0..outputs.len())
            .flat_map(|q| std::iter::repeat_n(StateId::new(q), n_letters))
            .collect();
        Self {
            n_letters,
            initial: StateId(0),
            outputs,
            delta,
        }
    }

    /// A machine given by a function from state and letter to the next state.
    pub fn from_fn(
        n_letters: usize,
        outputs: &[O],
        mut next: impl FnMut(usize, Letter) -> usize,
    ) -> Self
    where
        O: Clone,
    {
        let mut machine = Self::new(n_letters, outputs.to_vec());
        for q in machine.states() {
            for a in machine.letters() {
                machine.set_step(q, a, StateId::new(next(q.index(), a)));
            }
        }
        machine
    }

    /// A machine with this transition table, one row of `n_letters` states per state. State 0 is
    /// initial.
    ///
    /// # Panics
    /// If the table has not one entry per state and letter, or one that is no state.
    pub fn from_table(n_letters: usize, outputs: Vec<O>, delta: Vec<StateId>) -> Self {
        assert!(
            !outputs.is_empty(),
            "a machine has at least its initial state"
        );
        assert_eq!(delta.len(), outputs.len() * n_letters, "one row per state");
        assert!(delta.iter().all(|q| q.index() < outputs.len()));
        Self {
            n_letters,
            initial: StateId(0),
            outputs,
            delta,
        }
    }

    /// Adds a state whose transitions are all self-loops.
    pub fn add_state(&mut self, output: O) -> StateId {
        let id = StateId::new(self.outputs.len());
        self.outputs.push(output);
        self.delta.extend(std::iter::repeat_n(id, self.n_letters));
        id
    }

    pub fn set_initial(&mut self, state: StateId) {
        assert!(state.index() < self.n_states());
        self.initial = state;
    }

    pub fn set_output(&mut self, state: StateId, output: O) {
        self.outputs[state.index()] = output;
    }

    pub fn set_step(&mut self, from: StateId, letter: Letter, to: StateId) {
        assert!(to.index() < self.n_states() && letter.index() < self.n_letters);
        self.delta[from.index() * self.n_letters + letter.index()] = to;
    }

    #[inline]
    pub fn step(&self, from: StateId, letter: Letter) -> StateId {
        self.delta[from.index() * self.n_letters + letter.index()]
    }

    /// The states that the letters lead to from `from`, in the order of the letters.
    #[inline]
    pub fn row(&self, from: StateId) -> &[StateId] {
        &self.delta[from.index() * self.n_letters..][..self.n_letters]
    }

    /// All rows, one after the other.
    pub fn table(&self) -> &[StateId] {
        &self.delta
    }

    /// The outputs of all states, in their order.
    pub fn outputs(&self) -> &[O] {
        &self.outputs
    }

    /// The state that a word leads to from `from`.
    pub fn run(&self, from: StateId, word: &[Letter]) -> StateId {
        word.iter().fold(from, |q, &a| self.step(q, a))
    }

    pub fn initial(&self) -> StateId {
        self.initial
    }

    #[inline]
    pub fn output(&self, state: StateId) -> &O {
        &self.outputs[state.index()]
    }

    /// The output at the end of a word.
    pub fn output_of(&self, word: &[Letter]) -> &O {
        self.output(self.run(self.initial, word))
    }

    pub fn n_states(&self) -> usize {
        self.outputs.len()
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + use<O> {
        (0..self.n_states()).map(StateId::new)
    }

    pub fn letters(&self) -> impl Iterator<Item = Letter> + use<O> {
        (0..self.n_letters).map(Letter::new)
    }
}

impl Dfa {
    #[inline]
    pub fn is_accepting(&self, state: StateId) -> bool {
        *self.output(state)
    }

    pub fn accepts(&self, word: &[Letter]) -> bool {
        *self.output_of(word)
    }
}

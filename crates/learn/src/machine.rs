//! What the learners need to know of the machines that they make, so that each of them is written
//! once for Moore and for Mealy machines.
//!
//! The answer to a word is one output: for a Moore machine that of the state it ends in, for a Mealy
//! machine that of its last step. A Mealy machine therefore has no answer to the empty word, and
//! its states are told apart by what they answer to one letter and more.

use crate::AnswerTree;
use crate::answer_tree::NodeId;
use idiolect_automata::{Letter, Mealy, Moore, StateId, Word};

/// A complete deterministic machine that a learner makes: [`Moore`] (and so a DFA) or [`Mealy`].
pub trait Machine<O>: Clone {
    /// Whether answers belong to steps (Mealy) and not to states (Moore).
    const ANSWERS_STEPS: bool;

    fn n_letters(&self) -> usize;
    fn n_states(&self) -> usize;
    fn initial(&self) -> StateId;
    fn step(&self, from: StateId, letter: Letter) -> StateId;
    fn set_step(&mut self, from: StateId, letter: Letter, to: StateId);

    /// The answer of a state itself, if states have answers.
    fn state_answer(&self, state: StateId) -> Option<&O>;

    /// The answer to a word that ends with this step.
    fn step_answer(&self, from: StateId, letter: Letter) -> &O;

    /// The least word that the two machines answer differently.
    fn difference(&self, other: &Self) -> Option<Word>
    where
        O: PartialEq;

    /// Words that the two machines answer differently, the least one first: more of them the more
    /// letters they may have in all. None only if there are none.
    fn differences(&self, other: &Self, letters: usize) -> Vec<Word>
    where
        O: PartialEq;

    /// The least word that is answered differently from two states.
    fn separator(&self, p: StateId, q: StateId) -> Option<Word>
    where
        O: PartialEq;

    /// A machine of one state, with what is known after the word of a node. `None` if that is not
    /// enough.
    fn of_node(answers: &AnswerTree<O>, node: NodeId) -> Option<Self>;

    /// Adds a state with what is known after the word of a node, its steps being self-loops. Whether
    /// that is enough.
    fn add_node(&mut self, answers: &AnswerTree<O>, node: NodeId) -> bool;

    fn letters(&self) -> std::iter::Map<std::ops::Range<usize>, fn(usize) -> Letter> {
        (0..self.n_letters()).map(Letter::new as fn(usize) -> Letter)
    }

    /// The answer to the empty word, if it has one.
    fn empty_answer(&self) -> Option<&O> {
        self.state_answer(self.initial())
    }

    /// The state that a word leads to.
    fn run(&self, from: StateId, word: &[Letter]) -> StateId {
        word.iter().fold(from, |q, &a| self.step(q, a))
    }

    /// The answer to a word.
    fn answer(&self, word: &[Letter]) -> Option<&O> {
        match word.split_last() {
            None => self.empty_answer(),
            Some((&last, front)) => Some(self.step_answer(self.run(self.initial(), front), last)),
        }
    }

    /// The answers to the words that follow a state, one per letter.
    fn answers_from(&self, from: StateId, word: &[Letter]) -> Vec<&O> {
        let mut state = from;
        let answers = word.iter().map(|&a| {
            let answer = self.step_answer(state, a);
            state = self.step(state, a);
            answer
        });
        answers.collect()
    }
}

impl<O: Clone + Eq> Machine<O> for Moore<O> {
    const ANSWERS_STEPS: bool = false;

    fn n_letters(&self) -> usize {
        self.n_letters()
    }

    fn n_states(&self) -> usize {
        self.n_states()
    }

    fn initial(&self) -> StateId {
        self.initial()
    }

    #[inline]
    fn step(&self, from: StateId, letter: Letter) -> StateId {
        self.step(from, letter)
    }

    fn set_step(&mut self, from: StateId, letter: Letter, to: StateId) {
        self.set_step(from, letter, to);
    }

    fn state_answer(&self, state: StateId) -> Option<&O> {
        Some(self.output(state))
    }

    #[inline]
    fn step_answer(&self, from: StateId, letter: Letter) -> &O {
        self.output(self.step(from, letter))
    }

    fn difference(&self, other: &Self) -> Option<Word> {
        self.distinguishing_word(other)
    }

    fn differences(&self, other: &Self, letters: usize) -> Vec<Word> {
        self.distinguishing_words(other, letters)
    }

    fn separator(&self, p: StateId, q: StateId) -> Option<Word> {
        self.distinguish_states(p, q)
    }

    fn of_node(answers: &AnswerTree<O>, node: NodeId) -> Option<Self> {
        let answer = answers.value(answers.answer(node)?).clone();
        Some(Moore::new(answers.n_letters(), vec![answer]))
    }

    fn add_node(&mut self, answers: &AnswerTree<O>, node: NodeId) -> bool {
        let answer = answers.answer(node);
        if let Some(answer) = answer {
            self.add_state(answers.value(answer).clone());
        }
        answer.is_some()
    }
}

impl<O: Clone + Eq> Machine<O> for Mealy<O> {
    const ANSWERS_STEPS: bool = true;

    fn n_letters(&self) -> usize {
        self.n_letters()
    }

    fn n_states(&self) -> usize {
        self.n_states()
    }

    fn initial(&self) -> StateId {
        self.initial()
    }

    #[inline]
    fn step(&self, from: StateId, letter: Letter) -> StateId {
        self.step(from, letter)
    }

    fn set_step(&mut self, from: StateId, letter: Letter, to: StateId) {
        self.set_step(from, letter, to);
    }

    fn state_answer(&self, _: StateId) -> Option<&O> {
        None
    }

    #[inline]
    fn step_answer(&self, from: StateId, letter: Letter) -> &O {
        self.output(from, letter)
    }

    fn difference(&self, other: &Self) -> Option<Word> {
        self.distinguishing_word(other)
    }

    fn differences(&self, other: &Self, letters: usize) -> Vec<Word> {
        self.distinguishing_words(other, letters)
    }

    fn separator(&self, p: StateId, q: StateId) -> Option<Word> {
        self.distinguish_states(p, q)
    }

    fn of_node(answers: &AnswerTree<O>, node: NodeId) -> Option<Self> {
        let row = row(answers, node)?;
        let loops = vec![StateId(0); row.len()];
        Some(Mealy::from_table(row.len(), 1, loops, row))
    }

    fn add_node(&mut self, answers: &AnswerTree<O>, node: NodeId) -> bool {
        let row = row(answers, node);
        match row {
            Some(row) => {
                self.add_state(row);
                true
            }
            None => false,
        }
    }
}

/// The answers to the letters after a node, if they are all known.
fn row<O: Clone + Eq>(answers: &AnswerTree<O>, node: NodeId) -> Option<Vec<O>> {
    let letters = (0..answers.n_letters()).map(Letter::new);
    let answer = |a| answers.answer_after(node, &[a]);
    letters
        .map(|a| answer(a).map(|answer| answers.value(answer).clone()))
        .collect()
}

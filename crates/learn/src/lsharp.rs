//! L#: an observation tree and apartness, no table and no other bookkeeping.
//!
//! F. Vaandrager, B. Garhewal, J. Rot and T. Wißmann, *A new approach for active automata learning
//! based on apartness*, TACAS 2022.
//!
//! | paper | here |
//! |---|---|
//! | observation tree T | the answer tree, with a node for every prefix |
//! | basis S, frontier F | `basis`; the extensions of basis states by a letter |
//! | q # r, witness | `apart`, `witness` |
//! | candidates of a frontier state | found when it is looked at, then exactly one: `target` |
//! | rule 1 (promotion), 2 (extension), 3 (separation), 4 (equivalence) | `identify`, `identify`, `identify`, `refine` |
//!
//! Where we differ: rule 3 does not take two candidates and their witness but the word known to
//! tell most pairs of candidates apart, and asks rule 2's question along with it. With an oracle
//! that gives the answers of prefixes for free, both rules ask for longer words, which costs letters
//! and saves questions (200 random states, 5 letters: half of them). Before a
//! hypothesis is given out it is run on the whole tree, so no word answered before is ever a
//! counterexample. Counterexamples are cut by binary search as in Rivest and Schapire's learner:
//! they show one frontier state and its candidate to be apart.

use crate::analysis::{find_split, states_along};
use crate::answer_tree::{AnswerId, NodeId, ROOT};
use crate::apartness::{apart, best_separator, witness};
use crate::{AnswerTree, Counterexample, Learner, MembershipOracle, Notes, RefineError};
use idiolect_automata::{Letter, Moore, StateId, Word};
use idiolect_base::{Rng, StopReason};

/// The learner of Vaandrager, Garhewal, Rot and Wißmann.
#[derive(Clone, Debug)]
pub struct LSharp<O> {
    notes: Notes<O>,
    /// Pairwise apart; state `q` of the hypothesis is `basis[q]`.
    basis: Vec<NodeId>,
    /// For each state and letter the state it leads to, as far as known.
    target: Vec<Option<StateId>>,
    /// For each state and letter the number of basis states that were candidates already.
    considered: Vec<u32>,
    /// What is asked first after a frontier state, if the answers of prefixes are free: prefixes of
    /// one endless random word, so that all nodes can be compared along it.
    probe: Word,
    probe_letters: Box<Rng>,
    /// What was answered along the probe after each basis state, for a first comparison: in a
    /// random machine it leaves one candidate of a thousand to look at.
    probed: Vec<Vec<Option<AnswerId>>>,
    /// The next frontier state to look at, and the size of the basis when the first one was. They
    /// are kept so that a learner that was stopped asks the same questions as one that was not.
    next: usize,
    basis_at_start: usize,
    /// A word that the last machine gets wrong, to be cut.
    to_separate: Option<Word>,
    hypothesis: Moore<O>,
    up_to_date: bool,
}

impl<O: Clone + Eq> LSharp<O> {
    /// If the oracle gives the answers of prefixes, the learner uses them.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let traces = mq.gives_prefixes();
        Self::with_traces(n_letters, traces, mq)
    }

    /// A learner that uses the answers of prefixes or does not, see
    /// [`MembershipOracle::ask_traces`].
    pub fn with_traces(
        n_letters: usize,
        traces: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let mut notes = Notes::new(n_letters);
        notes.answers.keep_every_prefix();
        if traces {
            notes.answers.ask_for_traces();
        }
        let answer = notes.answers.ask_one(ROOT, mq)?;
        let hypothesis = Moore::new(n_letters, vec![notes.answers.value(answer).clone()]);
        let mut learner = Self {
            notes,
            basis: Vec::new(),
            target: Vec::new(),
            considered: Vec::new(),
            probe: Word::new(),
            probe_letters: Box::new(Rng::new(0, 0)),
            probed: Vec::new(),
            next: 0,
            basis_at_start: 0,
            to_separate: None,
            hypothesis,
            up_to_date: false,
        };
        learner.promote(ROOT);
        Ok(learner)
    }

    /// Makes a node a basis state. It must be apart from all of them.
    fn promote(&mut self, node: NodeId) -> StateId {
        let k = self.notes.answers.n_letters();
        self.basis.push(node);
        self.probed
            .push(answers_along(&self.notes.answers, node, &self.probe));
        self.target.extend(std::iter::repeat_n(None, k));
        self.considered.extend(std::iter::repeat_n(0, k));
        // Twice the letters that n states need at least: in a random machine they tell all apart.
        while k > 0 && self.probe.len() < 2 * self.basis.len().ilog2() as usize + 2 {
            let letter = self.probe_letters.below(k as u64);
            self.probe.push(Letter::new(letter as usize));
        }
        StateId::new(self.basis.len() - 1)
    }

    /// Finds the only basis state that a frontier state is not apart from, or promotes it.
    fn identify(
        &mut self,
        frontier: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let k = self.notes.answers.n_letters();
        let answers = &mut self.notes.answers;
        let node = answers.extend(self.basis[frontier / k], Letter::new(frontier % k));
        let old = self.target[frontier].map(StateId::index);
        if old.is_some_and(|q| self.basis[q] == node) {
            return Ok(());
        }
        let considered = self.considered[frontier] as usize;
        if answers.uses_traces() && answers.answer(node).is_none() {
            let all = old.into_iter().chain(considered..self.basis.len());
            if answers.is_leaf(node)
                || all
                    .into_iter()
                    .any(|q| !apart(answers, node, self.basis[q]))
            {
                let question = answers.extend_by(node, &self.probe);
                answers.ask_one(question, mq)?;
            }
        }
        let along = answers_along(answers, node, &self.probe);
        let mut candidates: Vec<usize> = old
            .into_iter()
            .chain(considered..self.basis.len())
            .filter(|&q| {
                let mut pairs = self.probed[q].iter().zip(&along);
                !pairs.any(|(x, y)| x.is_some() && y.is_some() && x != y)
                    && !apart(answers, node, self.basis[q])
            })
            .collect();
        while candidates.len() > 1 || (answers.answer(node).is_none() && !candidates.is_empty()) {
            let nodes: Vec<NodeId> = candidates.iter().map(|&q| self.basis[q]).collect();
            let word = best_separator(answers, &nodes, answers.uses_traces()).unwrap_or_default();
            let mut question = answers.extend_by(node, &word);
            if answers.uses_traces() && answers.answer(question).is_none() {
                // More letters cost no question, and later basis states are met by them. A longer
                // word may be known without its prefixes, as a counterexample; then it is no use.
                let more = self.probe.len() / 2;
                let longer = answers.extend_by(question, &self.probe[..more]);
                if answers.answer(longer).is_none() {
                    question = longer;
                }
            }
            let known = answers.answer(question).is_some();
            answers.ask_one(question, mq)?;
            // Without traces the answer to the frontier state itself may be missing still.
            let before = candidates.len();
            candidates.retain(|&q| !apart(answers, node, self.basis[q]));
            if candidates.len() == before && candidates.len() > 1 && (known || word.is_empty()) {
                // The beam search missed it, but any two basis states have a witness.
                let Some(word) = witness(answers, nodes[0], nodes[1]) else {
                    return Err(StopReason::Contradiction);
                };
                let question = answers.extend_by(node, &word);
                answers.ask_one(question, mq)?;
                candidates.retain(|&q| !apart(answers, node, self.basis[q]));
            }
        }
        self.considered[frontier] = self.basis.len() as u32;
        self.target[frontier] = match candidates.first() {
            Some(&q) => Some(StateId::new(q)),
            None => {
                answers.ask_one(node, mq)?;
                Some(self.promote(node))
            }
        };
        Ok(())
    }

    /// Applies rules 1 to 3 until none applies.
    fn make_adequate(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        loop {
            if self.next == 0 {
                self.basis_at_start = self.basis.len();
            }
            while self.next < self.target.len() {
                self.identify(self.next, mq)?;
                self.next += 1;
            }
            self.next = 0;
            if self.basis.len() == self.basis_at_start {
                return Ok(());
            }
        }
    }

    fn conjecture(&mut self) -> Moore<O> {
        let answers = &self.notes.answers;
        let outputs: Vec<O> = self
            .basis
            .iter()
            .filter_map(|&n| answers.answer(n).map(|a| answers.value(a).clone()))
            .collect();
        let mut machine = Moore::new(answers.n_letters(), outputs);
        for (t, target) in self.target.iter().enumerate() {
            let k = answers.n_letters();
            if let Some(target) = *target {
                machine.set_step(StateId::new(t / k), Letter::new(t % k), target);
            }
        }
        machine
    }

    /// A word of the tree that a machine answers differently.
    fn contradicted(&self, machine: &Moore<O>) -> Option<Word> {
        let answers = &self.notes.answers;
        let mut stack = vec![(ROOT, machine.initial())];
        while let Some((node, state)) = stack.pop() {
            if answers
                .answer(node)
                .is_some_and(|a| answers.value(a) != machine.output(state))
            {
                return Some(answers.word(node));
            }
            for a in machine.letters() {
                if let Some(child) = answers.child(node, a) {
                    stack.push((child, machine.step(state, a)));
                }
            }
        }
        None
    }

    /// Makes the frontier state that a word shows to have the wrong target apart from it. It was
    /// apart from all other basis states before, so [`identify`](Self::identify) will promote it.
    fn separate(
        &mut self,
        machine: &Moore<O>,
        word: &[Letter],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let states = states_along(machine, word);
        find_split(&mut self.notes.answers, &self.basis, &states, word, mq)?;
        Ok(())
    }
}

/// The answers known after a node, to the prefixes of a word.
fn answers_along<O: Clone + Eq>(
    answers: &AnswerTree<O>,
    node: NodeId,
    word: &[Letter],
) -> Vec<Option<AnswerId>> {
    let mut at = Some(node);
    let mut along = vec![answers.answer(node)];
    for &a in word {
        at = at.and_then(|n| answers.child(n, a));
        match at {
            Some(n) => along.push(answers.answer(n)),
            None => break,
        }
    }
    along
}

impl<O: Clone + Eq> Learner<O> for LSharp<O> {
    fn hypothesis(&self) -> &Moore<O> {
        &self.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        while !self.up_to_date {
            if let Some(word) = self.to_separate.take() {
                let machine = self.conjecture();
                if let Err(stop) = self.separate(&machine, &word, mq) {
                    self.to_separate = Some(word);
                    return Err(stop);
                }
            }
            self.make_adequate(mq)?;
            let machine = self.conjecture();
            self.to_separate = self.contradicted(&machine);
            if self.to_separate.is_none() {
                self.hypothesis = machine;
                self.up_to_date = true;
            }
        }
        Ok(())
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        self.notes.admit(cex, &self.hypothesis)?;
        // The word is in the tree now, so `complete` finds it, and whatever else is wrong.
        self.up_to_date = false;
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<O> {
        &self.notes
    }
}

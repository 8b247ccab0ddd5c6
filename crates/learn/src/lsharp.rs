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
//! | rule 1 (promotion), 2 (extension), 3 (separation), 4 (equivalence) | `identify`, `identify`, `identify`, `refine`; Mealy: `narrow`, `ask_about`, `separate_candidates`, `refine` |
//!
//! Where we differ: rule 3 does not take two candidates and their witness but the word known to
//! tell most pairs of candidates apart, and asks rule 2's question along with it. With an oracle
//! that gives the answers of prefixes for free, both rules ask for longer words, which costs letters
//! and saves questions (200 random states, 5 letters: half of them). For Mealy machines, which are
//! mostly systems that take their time for each step, letters are what is saved: questions are adaptive distinguishing
//! sequences, the next one is chosen by what it may tell for its letters (`lsharp/letters.rs`), and where the evidence for two states being apart is a
//! counterexample of which only the last answer is known, the others are asked for once, as without them no
//! adaptive sequence can go that way. Before a
//! hypothesis is given out it is run on the whole tree, so no word answered before is ever a
//! counterexample. From 10,000 frontier states on (Moore machines and DFA; from 1,000 on where a probe tells
//! little), basis states are kept in a tree of words that tell them apart, frontier states are sifted as in Kearns and Vazirani's learner, and only
//! those that a split concerns are looked at again: passes over all of them took hundreds of
//! times as long. Counterexamples are cut by binary search as in Rivest and Schapire's learner: they show one
//! frontier state and its candidate to be apart.

mod letters;

use crate::analysis::{find_split, states_along};
use crate::answer_tree::{AnswerId, NodeId, ROOT};
use crate::apartness::{apart, best_separator, witness};
use crate::separators::Separators;
use crate::{AnswerTree, Counterexample, Learner, Machine, MembershipOracle, Notes, RefineError};
use idiolect_automata::{Letter, Mealy, Moore, StateId, Word};
use idiolect_base::{Rng, StopReason};

/// From so many frontier states on, no pass is made over all of them: see `make_large_adequate`.
const LARGE: usize = 10_000;
/// From so many on, if the probe leaves one candidate of so many on average.
const LARGE_UNPROBED: usize = 1_000;
const MANY: u64 = 8;
/// The learner of Vaandrager, Garhewal, Rot and Wißmann.
#[derive(Clone, Debug)]
pub struct LSharp<O, H = Moore<O>> {
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
    /// What is known of the extensions of basis states (Mealy machines only).
    frontier: letters::Frontier,
    /// The candidates of all frontier states that were looked at for the first time, and those that a
    /// look along the probe left.
    n_offered: u64,
    n_candidates: u64,
    /// What tells basis states apart, the number of those that are in it, the frontier states to look
    /// at, those that lead to each state, and the candidates that came up for one since (large
    /// machines only).
    is_large: bool,
    separators: Separators,
    n_separated: usize,
    marked: Vec<(usize, Option<usize>)>,
    incoming: Vec<Vec<usize>>,
    /// A word that the last machine gets wrong, to be cut.
    to_separate: Option<Word>,
    hypothesis: H,
    up_to_date: bool,
}

impl<O: Clone + Eq> LSharp<O> {
    /// If the oracle gives the answers of prefixes, the learner uses them.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let traces = mq.gives_prefixes();
        Self::start(n_letters, traces, mq)
    }

    /// A learner that uses the answers of prefixes or does not, see
    /// [`MembershipOracle::ask_traces`].
    pub fn with_traces(
        n_letters: usize,
        traces: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, traces, mq)
    }
}

impl<O: Clone + Eq> LSharp<O, Mealy<O>> {
    /// A learner of Mealy machines. The oracle has to answer prefixes.
    pub fn for_mealy(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, true, mq)
    }
}

impl<O: Clone + Eq, H: Machine<O>> LSharp<O, H> {
    pub(crate) fn start(
        n_letters: usize,
        traces: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let mut notes = Notes::of::<H>(n_letters);
        notes.answers.keep_every_prefix();
        if traces {
            notes.answers.ask_for_traces();
        }
        let hypothesis = notes.first(mq)?;
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
            frontier: letters::Frontier::default(),
            n_offered: 0,
            n_candidates: 0,
            is_large: false,
            separators: Separators::default(),
            n_separated: 0,
            marked: Vec::new(),
            incoming: Vec::new(),
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
        self.target.extend(std::iter::repeat_n(None, k));
        if H::ANSWERS_STEPS {
            return StateId::new(self.basis.len() - 1);
        }
        self.probed
            .push(answers_along(&self.notes.answers, node, &self.probe));
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
        if old.is_none() {
            self.n_offered += self.basis.len() as u64;
            self.n_candidates += candidates.len() as u64;
        }
        while candidates.len() > 1 || (answers.answer(node).is_none() && !candidates.is_empty()) {
            let nodes: Vec<NodeId> = candidates.iter().map(|&q| self.basis[q]).collect();
            let word = best_separator(answers, &nodes, answers.uses_traces(), None);
            let word = word.unwrap_or_default();
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

    /// As [`make_adequate`](Self::make_adequate), but looks only at frontier states that are new, that
    /// a counterexample has shown to lead elsewhere, or that lead to a state from which another was
    /// split. Others may have the new state as a second candidate; if so, a counterexample will tell.
    fn make_large_adequate(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let k = self.notes.answers.n_letters();
        loop {
            while self.n_separated < self.basis.len() {
                let new = self.n_separated;
                let known = &self.basis[..=new];
                let split = self.separators.add(&mut self.notes.answers, known, mq)?;
                self.n_separated += 1;
                self.incoming.push(Vec::new());
                for frontier in new * k..(new + 1) * k {
                    match self.target[frontier] {
                        Some(q) => self.incoming_of(q.index()).push(frontier),
                        None => self.marked.push((frontier, None)),
                    }
                }
                let moved = split.map(|q| std::mem::take(self.incoming_of(q)));
                for frontier in moved.unwrap_or_default() {
                    if self.target[frontier].map(StateId::index) == split {
                        self.marked.push((frontier, Some(new)));
                    }
                }
            }
            let Some(&(frontier, candidate)) = self.marked.last() else {
                return Ok(());
            };
            self.identify_large(frontier, candidate, mq)?;
            self.marked.pop();
        }
    }

    fn incoming_of(&mut self, state: usize) -> &mut Vec<usize> {
        if self.incoming.len() <= state {
            self.incoming.resize_with(state + 1, Vec::new);
        }
        &mut self.incoming[state]
    }

    /// As [`identify`](Self::identify), for a frontier state that had one candidate, or none, and now
    /// may have another.
    fn identify_large(
        &mut self,
        frontier: usize,
        candidate: Option<usize>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let k = self.notes.answers.n_letters();
        let answers = &mut self.notes.answers;
        let node = answers.extend(self.basis[frontier / k], Letter::new(frontier % k));
        let old = self.target[frontier].map(StateId::index);
        if old.is_some_and(|q| self.basis[q] == node) {
            return Ok(());
        }
        answers.ask_one(node, mq)?;
        let sifted = match (old, candidate) {
            (Some(old), None) if !apart(answers, node, self.basis[old]) => Some(old),
            // The separators know which of the two it is.
            _ => self.separators.sift(answers, node, mq)?,
        };
        let fits = sifted.filter(|&q| !apart(answers, node, self.basis[q]));
        let target = match fits {
            Some(q) => q,
            None => self.promote(node).index(),
        };
        self.target[frontier] = Some(StateId::new(target));
        self.considered[frontier] = self.basis.len() as u32;
        if fits.is_some() {
            self.incoming_of(target).push(frontier);
        }
        Ok(())
    }

    /// Applies rules 1 to 3 until none applies.
    fn make_adequate(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        if H::ANSWERS_STEPS {
            return self.make_adequate_by_letters(mq);
        }
        loop {
            if self.is_large() {
                self.is_large = true;
                self.next = 0;
                return self.make_large_adequate(mq);
            }
            if self.next == 0 {
                self.basis_at_start = self.basis.len();
            }
            while self.next < self.target.len() && !self.is_large() {
                self.identify(self.next, mq)?;
                self.next += 1;
            }
            if self.is_large() {
                continue;
            }
            self.next = 0;
            if self.basis.len() == self.basis_at_start {
                return Ok(());
            }
        }
    }

    fn is_large(&self) -> bool {
        let many = self.n_candidates * MANY > self.n_offered;
        let large = if many { LARGE_UNPROBED } else { LARGE };
        self.is_large || (!H::ANSWERS_STEPS && self.target.len() >= large)
    }

    fn conjecture(&mut self) -> H {
        let answers = &self.notes.answers;
        let machine = H::of_node(answers, self.basis[0]);
        let mut machine = machine.expect("what a basis state answers is known");
        for &node in &self.basis[1..] {
            let known = machine.add_node(answers, node);
            assert!(known, "what a basis state answers is known");
        }
        for (t, target) in self.target.iter().enumerate() {
            let k = answers.n_letters();
            if let Some(target) = *target {
                machine.set_step(StateId::new(t / k), Letter::new(t % k), target);
            }
        }
        machine
    }

    /// A word of the tree that a machine answers differently.
    fn contradicted(&self, machine: &H) -> Option<Word> {
        let answers = &self.notes.answers;
        let mut stack = vec![(ROOT, machine.initial())];
        while let Some((node, state)) = stack.pop() {
            for a in machine.letters() {
                let Some(child) = answers.child(node, a) else {
                    continue;
                };
                let answer = answers.answer(child);
                if answer.is_some_and(|x| answers.value(x) != machine.step_answer(state, a)) {
                    return Some(answers.word(child));
                }
                stack.push((child, machine.step(state, a)));
            }
        }
        None
    }

    /// Makes the frontier state that a word shows to have the wrong target apart from it. It was
    /// apart from all other basis states before, so [`identify`](Self::identify) will promote it.
    fn separate(
        &mut self,
        machine: &H,
        word: &[Letter],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let states = states_along(machine, word);
        let cut = find_split(&mut self.notes.answers, &self.basis, &states, word, mq)?;
        if H::ANSWERS_STEPS {
            let front = self.basis[states[cut].index()];
            let end = self.notes.answers.extend_by(front, &word[cut..]);
            self.notes.answers.ask_outcome(front, end, mq)?;
            self.look_again();
        }
        if self.is_large() {
            let k = self.notes.answers.n_letters();
            let frontier = states[cut].index() * k + word[cut].index();
            self.marked.push((frontier, None));
        }
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

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for LSharp<O, H> {
    fn hypothesis(&self) -> &H {
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
            self.to_separate = if self.is_large() {
                // A walk over the whole tree in each round would take most of the time.
                self.notes.unlearned(&machine).map(|cex| cex.word)
            } else {
                self.contradicted(&machine)
            };
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
        self.look_again();
        // The word is in the tree now, so `complete` finds it, and whatever else is wrong.
        self.up_to_date = false;
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<O> {
        &self.notes
    }
}

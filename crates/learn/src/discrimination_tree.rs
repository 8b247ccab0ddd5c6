//! The discrimination tree and the transitions of KV and TTT.
//!
//! Leaves are states; an inner node has a discriminator v, and a word u belongs below its child for
//! the answer to u·v. A transition is a word (access word of its source, one letter) at a place in
//! the tree: *open* while that place is an inner node, closed when it has been sifted to a leaf.
//! When a leaf is split, only the transitions that ended there are sifted on, from there.

use crate::analysis::find_split;
use crate::answer_tree::{AnswerId, NodeId, ROOT};
use crate::suffix::EMPTY;
use crate::{Machine, MembershipOracle, Notes, SuffixId, SuffixPool};
use idiolect_automata::{Letter, StateId, Word};
use idiolect_base::{Bug, StopReason, index_type};

index_type!(
    /// A node of a discrimination tree.
    PlaceId
);

/// From so many words on, answers that were used once are not kept.
const LEAN: usize = 1 << 20;
/// Words asked for at once then.
const LEAN_BATCH: usize = 4096;

/// The root of the tree; its discriminator is the empty word.
pub(crate) const TOP: PlaceId = PlaceId(0);

#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The node above, and the answer that leads here.
    pub(crate) above: Option<(PlaceId, AnswerId)>,
    pub(crate) kind: PlaceKind,
    /// The transitions that were sifted to this place and no further.
    pub(crate) incoming: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) enum PlaceKind {
    Inner {
        discriminator: SuffixId,
        below: Vec<(AnswerId, PlaceId)>,
        /// TTT: to be replaced by a shorter discriminator.
        temporary: bool,
    },
    Leaf(StateId),
}

/// A hypothesis with a discrimination tree.
#[derive(Clone, Debug)]
pub(crate) struct DiscriminationTree<O, H> {
    pub(crate) notes: Notes<O>,
    pub(crate) suffixes: SuffixPool,
    pub(crate) places: Vec<Place>,
    /// The access word of each state.
    pub(crate) access: Vec<NodeId>,
    pub(crate) leaf_of: Vec<PlaceId>,
    /// For each transition (state times number of letters plus letter) its place.
    pub(crate) target: Vec<PlaceId>,
    /// Transitions that may have to be sifted on.
    pub(crate) open: Vec<u32>,
    /// Transitions that reached a place since the last conjecture.
    landed: Vec<u32>,
    pub(crate) hypothesis: H,
}

impl<O: Clone + Eq, H: Machine<O>> DiscriminationTree<O, H> {
    /// Asks what a machine of one state needs, and conjectures that machine.
    pub(crate) fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let mut notes = Notes::of::<H>(n_letters);
        if mq.gives_prefixes() {
            notes.answers.ask_for_traces();
        }
        let hypothesis = notes.first(mq)?;
        let mut tree = Self {
            notes,
            suffixes: SuffixPool::default(),
            places: vec![Place {
                above: None,
                kind: PlaceKind::Inner {
                    discriminator: EMPTY,
                    below: Vec::new(),
                    temporary: false,
                },
                incoming: Vec::new(),
            }],
            access: Vec::new(),
            leaf_of: Vec::new(),
            target: Vec::new(),
            open: Vec::new(),
            landed: Vec::new(),
            hypothesis,
        };
        if H::ANSWERS_STEPS {
            // The empty word tells nothing apart, so the first state is the whole tree.
            tree.places[TOP.index()].kind = PlaceKind::Leaf(StateId(0));
            tree.add_access(ROOT, TOP);
        } else {
            let answer = tree.notes.answers.ask_one(ROOT, mq)?;
            tree.add_state(ROOT, TOP, answer);
        }
        Ok(tree)
    }

    pub(crate) fn n_letters(&self) -> usize {
        self.notes.answers.n_letters()
    }

    /// The word of a transition.
    pub(crate) fn transition_word(&mut self, transition: u32) -> NodeId {
        let (q, a) = self.ends(transition);
        self.notes.answers.extend(self.access[q.index()], a)
    }

    /// Source and letter of a transition.
    pub(crate) fn ends(&self, transition: u32) -> (StateId, Letter) {
        let (t, k) = (transition as usize, self.n_letters());
        (StateId::new(t / k), Letter::new(t % k))
    }

    pub(crate) fn transition(&self, state: StateId, letter: Letter) -> u32 {
        (state.index() * self.n_letters() + letter.index()) as u32
    }

    /// A new state as the child of an inner place, all its transitions open.
    pub(crate) fn add_state(
        &mut self,
        access: NodeId,
        above: PlaceId,
        answer: AnswerId,
    ) -> StateId {
        let state = StateId::new(self.access.len());
        let leaf = self.add_place(Some((above, answer)), PlaceKind::Leaf(state));
        self.add_below(above, answer, leaf);
        self.add_access(access, leaf);
        state
    }

    /// The access word and the leaf of a new state, and its transitions.
    fn add_access(&mut self, access: NodeId, leaf: PlaceId) {
        self.access.push(access);
        self.leaf_of.push(leaf);
        for _ in 0..self.n_letters() {
            self.open.push(self.target.len() as u32);
            self.target.push(TOP);
        }
    }

    pub(crate) fn add_place(
        &mut self,
        above: Option<(PlaceId, AnswerId)>,
        kind: PlaceKind,
    ) -> PlaceId {
        self.places.push(Place {
            above,
            kind,
            incoming: Vec::new(),
        });
        PlaceId::new(self.places.len() - 1)
    }

    pub(crate) fn add_below(&mut self, above: PlaceId, answer: AnswerId, place: PlaceId) {
        if let PlaceKind::Inner { below, .. } = &mut self.places[above.index()].kind {
            below.push((answer, place));
        }
    }

    pub(crate) fn state_at(&self, place: PlaceId) -> Option<StateId> {
        match self.places[place.index()].kind {
            PlaceKind::Leaf(state) => Some(state),
            PlaceKind::Inner { .. } => None,
        }
    }

    /// Splits the leaf of a state by a discriminator; the new state has this access word. Both
    /// answers must be known and differ.
    pub(crate) fn split_leaf(
        &mut self,
        state: StateId,
        new_access: NodeId,
        discriminator: SuffixId,
        temporary: bool,
    ) -> Result<StateId, StopReason> {
        let old_access = self.access[state.index()];
        let (old, new) = (
            self.answer_at(old_access, discriminator),
            self.answer_at(new_access, discriminator),
        );
        let (Some(old), Some(new)) = (old, new) else {
            return Err(StopReason::Internal(Bug::NoAnswer));
        };
        if old == new {
            // Only an oracle that contradicts itself makes a discriminator that discriminates not.
            return Err(StopReason::Contradiction);
        }
        let inner = self.leaf_of[state.index()];
        let incoming = std::mem::take(&mut self.places[inner.index()].incoming);
        self.open.extend(incoming);
        self.places[inner.index()].kind = PlaceKind::Inner {
            discriminator,
            below: Vec::new(),
            temporary,
        };
        let leaf = self.add_place(Some((inner, old)), PlaceKind::Leaf(state));
        self.add_below(inner, old, leaf);
        self.leaf_of[state.index()] = leaf;
        Ok(self.add_state(new_access, inner, new))
    }

    /// Splits a leaf by a suffix of `word`, which the hypothesis gets wrong from the first of
    /// `states` on, see [`find_split`]. The state that was split.
    pub(crate) fn split_by(
        &mut self,
        states: &[StateId],
        word: &[Letter],
        temporary: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<StateId, StopReason> {
        let answers = &mut self.notes.answers;
        let cut = find_split(answers, &self.access, states, word, mq)?;
        let source = self.access[states[cut].index()];
        let new_access = answers.extend(source, word[cut]);
        let discriminator = self.suffixes.insert(&word[cut + 1..]);
        let split = states[cut + 1];
        if answers.answers_steps() {
            // The search knows the last answers only; the discriminator sees all of them.
            for front in [new_access, self.access[split.index()]] {
                let end = answers.extend_by(front, &word[cut + 1..]);
                answers.ask_outcome(front, end, mq)?;
            }
        }
        self.split_leaf(split, new_access, discriminator, temporary)?;
        Ok(split)
    }

    /// The outcome of an access word followed by a discriminator, if it is known.
    pub(crate) fn answer_at(
        &mut self,
        access: NodeId,
        discriminator: SuffixId,
    ) -> Option<AnswerId> {
        let answers = &mut self.notes.answers;
        let node = answers.extend_by_suffix(access, &self.suffixes, discriminator);
        answers.outcome(access, node)
    }

    /// Sifts all open transitions, level by level so that questions come in batches, down to a
    /// leaf or, if `softly`, to a temporary discriminator. A word that belongs to no leaf becomes
    /// a new state.
    pub(crate) fn sift_open(
        &mut self,
        softly: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        loop {
            if !H::ANSWERS_STEPS && self.notes.answers.n_nodes() >= LEAN {
                return self.sift_leanly(softly, mq);
            }
            let mut waiting = Vec::new();
            let mut questions = Vec::new();
            // States that are found here add their transitions to `open`.
            while !self.open.is_empty() {
                for transition in std::mem::take(&mut self.open) {
                    if let Some(question) = self.sift_on(transition, softly) {
                        waiting.push(transition);
                        questions.push(question);
                    }
                }
            }
            self.open = waiting;
            if self.open.is_empty() {
                return Ok(());
            }
            self.notes.answers.ask(&questions, mq)?;
        }
    }

    /// Sifts all open transitions without noting answers: no transition is asked the same twice, and
    /// what many millions of them were asked does not fit into memory.
    fn sift_leanly(
        &mut self,
        softly: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        while !self.open.is_empty() {
            let from = self.open.len().saturating_sub(LEAN_BATCH);
            let mut batch = self.open.split_off(from);
            let sifted = self.sift_batch(&mut batch, softly, mq);
            // What a stop left is sifted on by the next call.
            self.open.append(&mut batch);
            sifted?;
        }
        Ok(())
    }

    fn sift_batch(
        &mut self,
        batch: &mut Vec<u32>,
        softly: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            batch.retain(|&transition| {
                let at = self.target[transition as usize];
                let goes_on = self.next_discriminator(at, softly).is_some();
                if !goes_on {
                    self.places[at.index()].incoming.push(transition);
                    self.landed.push(transition);
                }
                goes_on
            });
            if batch.is_empty() {
                return Ok(());
            }
            words.resize_with(batch.len().max(words.len()), Word::new);
            for (&transition, word) in batch.iter().zip(&mut words) {
                let node = self.transition_word(transition);
                self.notes.answers.write_word(node, word);
                let at = self.target[transition as usize];
                if let Some(discriminator) = self.next_discriminator(at, softly) {
                    word.extend(self.suffixes.letters(discriminator));
                }
            }
            let answers = mq.ask(&words[..batch.len()])?;
            for (&transition, answer) in batch.iter().zip(&answers) {
                let at = self.target[transition as usize];
                let node = self.transition_word(transition);
                let id = if self.next_discriminator(at, softly) == Some(EMPTY) {
                    // What a state itself answers is part of the hypothesis.
                    let noted = self.notes.answers.record(node, answer);
                    noted.map_err(|_| StopReason::Contradiction)?
                } else {
                    self.notes.answers.intern(answer)
                };
                self.target[transition as usize] = match self.below(at, id) {
                    Some(place) => place,
                    None => {
                        let state = self.add_state(node, at, id);
                        self.leaf_of[state.index()]
                    }
                };
            }
        }
    }

    /// What to ask at a place, if it is not where a transition stays.
    fn next_discriminator(&self, place: PlaceId, softly: bool) -> Option<SuffixId> {
        match &self.places[place.index()].kind {
            PlaceKind::Leaf(_) => None,
            PlaceKind::Inner {
                discriminator,
                temporary,
                ..
            } => (!(softly && *temporary)).then_some(*discriminator),
        }
    }

    /// Moves a transition down as far as known answers reach. The word to ask for if that is not
    /// far enough.
    pub(crate) fn sift_on(&mut self, transition: u32, softly: bool) -> Option<NodeId> {
        let word = self.transition_word(transition);
        let mut at = self.target[transition as usize];
        loop {
            let (discriminator, temporary) = match &self.places[at.index()].kind {
                PlaceKind::Leaf(_) => break,
                PlaceKind::Inner {
                    discriminator,
                    temporary,
                    ..
                } => (*discriminator, *temporary),
            };
            if softly && temporary {
                break;
            }
            let answers = &mut self.notes.answers;
            let question = answers.extend_by_suffix(word, &self.suffixes, discriminator);
            let Some(answer) = answers.outcome(word, question) else {
                self.target[transition as usize] = at;
                return Some(question);
            };
            at = match self.below(at, answer) {
                Some(place) => place,
                None => {
                    let state = self.add_state(word, at, answer);
                    self.leaf_of[state.index()]
                }
            };
        }
        self.target[transition as usize] = at;
        if H::ANSWERS_STEPS && self.notes.answers.answer(word).is_none() {
            return Some(word);
        }
        self.places[at.index()].incoming.push(transition);
        self.landed.push(transition);
        None
    }

    pub(crate) fn below(&self, place: PlaceId, answer: AnswerId) -> Option<PlaceId> {
        match &self.places[place.index()].kind {
            PlaceKind::Leaf(_) => None,
            PlaceKind::Inner { below, .. } => {
                below.iter().find(|(a, _)| *a == answer).map(|&(_, p)| p)
            }
        }
    }

    /// Brings the hypothesis up to date; every transition must be at a leaf.
    pub(crate) fn conjecture(&mut self) {
        for q in self.hypothesis.n_states()..self.access.len() {
            let known = self
                .hypothesis
                .add_node(&self.notes.answers, self.access[q]);
            assert!(
                known,
                "what a state answers is known when its transitions are"
            );
        }
        for t in std::mem::take(&mut self.landed) {
            let (q, a) = self.ends(t);
            if let Some(target) = self.state_at(self.target[t as usize]) {
                self.hypothesis.set_step(q, a, target);
            }
        }
    }
}

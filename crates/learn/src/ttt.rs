//! TTT: a discrimination tree whose discriminators are short and share their ends.
//!
//! M. Isberner, F. Howar and B. Steffen, *The TTT algorithm: a redundancy-free approach to active
//! automata learning*, RV 2014. As many questions as Kearns and Vazirani's learner, but the suffix
//! of a counterexample, however long, splits a leaf only for a while: as soon as two states below
//! it have successors (by a letter a) that a final discriminator v separates, a·v takes its place.
//! So all discriminators are chains of letters ending at the root's empty word, n of them at most.
//!
//! | paper | here |
//! |---|---|
//! | spanning tree, access sequence | `access`, nodes of the answer tree |
//! | block, block root | a maximal subtree of temporary inner places, its top place |
//! | discriminator finalization | [`Ttt::finalize`] |
//! | non-tree transition to an inner node | `target` at a block root |
//!
//! Where we differ: when no block can be finalized, the paper looks for a discriminator that the
//! hypothesis contradicts among all of them; we need only follow the block root's discriminator
//! from one state on each side. For Mealy machines a letter alone is a discriminator, and what it
//! separates is seen in the answers of the transitions. If no letter separates a block, its states go from block to block
//! together and end with the same output, which is wrong for one of the two.

use crate::analysis::states_along;
use crate::discrimination_tree::{DiscriminationTree, PlaceId, PlaceKind};
use crate::suffix::EMPTY;
use crate::{
    AnswerTree, Counterexample, Learner, Machine, MembershipOracle, Notes, RefineError, SuffixId,
};
use idiolect_automata::{Letter, Mealy, Moore, StateId};
use idiolect_base::StopReason;

/// The learner of Isberner, Howar and Steffen.
#[derive(Clone, Debug)]
pub struct Ttt<O, H = Moore<O>> {
    tree: DiscriminationTree<O, H>,
    blocks: Vec<PlaceId>,
}

/// How to split a block: by the letter, followed by the discriminator of the place.
struct Splitter {
    letter: Letter,
    /// `None` if the answers of the steps themselves differ.
    separator: Option<PlaceId>,
    discriminator: SuffixId,
}

impl<O: Clone + Eq> Ttt<O> {
    /// A learner of Moore machines, and so of DFA.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq> Ttt<O, Mealy<O>> {
    /// A learner of Mealy machines. The oracle has to answer prefixes.
    pub fn for_mealy(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq, H: Machine<O>> Ttt<O, H> {
    pub(crate) fn start(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        DiscriminationTree::new(n_letters, mq).map(|tree| Self {
            tree,
            blocks: Vec::new(),
        })
    }

    /// The length of the longest discriminator in use.
    pub fn longest_discriminator(&self) -> usize {
        let lengths = self.tree.leaf_of.iter().flat_map(|&leaf| {
            std::iter::successors(self.above(leaf), |&p| self.above(p))
                .filter_map(|p| self.inner(p))
                .map(|(d, _)| self.tree.suffixes.length(d))
        });
        lengths.max().unwrap_or(0)
    }

    /// Splits a leaf for the time being.
    fn split(
        &mut self,
        states: &[StateId],
        word: &[Letter],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let split = self.tree.split_by(states, word, true, mq)?;
        let place = self.above(self.tree.leaf_of[split.index()]);
        let Some(place) = place else { return Ok(()) };
        let in_block = self.above(place).is_some_and(|p| self.is_temporary(p));
        if !in_block {
            self.blocks.push(place);
        }
        Ok(())
    }

    /// Replaces temporary discriminators until there are none.
    fn stabilize(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        loop {
            self.tree.sift_open(true, mq)?;
            let Some(&last) = self.blocks.last() else {
                return Ok(());
            };
            let found = (0..self.blocks.len())
                .rev()
                .find_map(|i| self.splitter(self.blocks[i]).map(|s| (i, s)));
            match found {
                Some((i, splitter)) => {
                    let block = self.blocks.swap_remove(i);
                    if let Err(stop) = self.finalize(block, &splitter, mq) {
                        self.blocks.push(block);
                        return Err(stop);
                    }
                }
                None => self.split_further(last, mq)?,
            }
        }
    }

    /// The shortest final discriminator for a block.
    fn splitter(&self, block: PlaceId) -> Option<Splitter> {
        let tree = &self.tree;
        let states = self.states_below(block);
        if H::ANSWERS_STEPS {
            let answer =
                |q: StateId, a| (self.answers()).answer_after(tree.access[q.index()], &[a]);
            let letters = (0..tree.n_letters()).map(Letter::new);
            let differ = |&a: &Letter| states.iter().any(|&q| answer(q, a) != answer(states[0], a));
            if let Some(letter) = letters.into_iter().find(differ) {
                return Some(Splitter {
                    letter,
                    separator: None,
                    discriminator: EMPTY,
                });
            }
        }
        let mut best: Option<(usize, Letter, PlaceId)> = None;
        for a in (0..tree.n_letters()).map(Letter::new) {
            let mut places = states
                .iter()
                .map(|&q| tree.target[tree.transition(q, a) as usize]);
            let Some(mut common) = places.next() else {
                continue;
            };
            let first = common;
            for place in places {
                common = self.lowest_common(common, place);
            }
            if common == first {
                continue;
            }
            let length = self
                .inner(common)
                .map_or(0, |(d, _)| tree.suffixes.length(d));
            if best.is_none_or(|(l, ..)| length < l) {
                best = Some((length, a, common));
            }
        }
        let (_, letter, separator) = best?;
        let (discriminator, _) = self.inner(separator)?;
        Some(Splitter {
            letter,
            separator: Some(separator),
            discriminator,
        })
    }

    /// Puts a final discriminator at the root of a block. What is asked is known:
    /// the answer for a state is the branch below the separator that its successor is in.
    fn finalize(
        &mut self,
        block: PlaceId,
        splitter: &Splitter,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let mut groups: Vec<(crate::answer_tree::AnswerId, Vec<StateId>)> = Vec::new();
        let tree = &mut self.tree;
        let discriminator = tree
            .suffixes
            .prepend(splitter.letter, splitter.discriminator);
        for q in self.states_below(block) {
            if H::ANSWERS_STEPS {
                let tree = &mut self.tree;
                let (access, answers) = (tree.access[q.index()], &mut tree.notes.answers);
                let end = answers.extend_by_suffix(access, &tree.suffixes, discriminator);
                let outcome = answers.ask_outcome(access, end, mq)?;
                match groups.iter_mut().find(|(a, _)| *a == outcome) {
                    Some((_, group)) => group.push(q),
                    None => groups.push((outcome, vec![q])),
                }
                continue;
            }
            let transition = self.tree.transition(q, splitter.letter);
            let mut at = self.tree.target[transition as usize];
            while let Some((above, answer)) = self.tree.places[at.index()].above {
                if Some(above) == splitter.separator {
                    match groups.iter_mut().find(|(a, _)| *a == answer) {
                        Some((_, group)) => group.push(q),
                        None => groups.push((answer, vec![q])),
                    }
                    break;
                }
                at = above;
            }
        }
        let mut below = Vec::new();
        for (answer, group) in groups {
            let Some(part) = self.restrict(block, &group) else {
                continue;
            };
            self.tree.places[part.index()].above = Some((block, answer));
            below.push((answer, part));
            if self.is_temporary(part) {
                self.blocks.push(part);
            }
        }
        let tree = &mut self.tree;
        let place = &mut tree.places[block.index()];
        place.kind = PlaceKind::Inner {
            discriminator,
            below,
            temporary: false,
        };
        tree.open.append(&mut place.incoming);
        Ok(())
    }

    /// The subtree at a place with these states only; inner places with one child are left out.
    fn restrict(&mut self, place: PlaceId, states: &[StateId]) -> Option<PlaceId> {
        let (discriminator, below) = match &self.tree.places[place.index()].kind {
            PlaceKind::Leaf(state) => return states.contains(state).then_some(place),
            PlaceKind::Inner {
                discriminator,
                below,
                ..
            } => (*discriminator, below.clone()),
        };
        let mut kept = Vec::new();
        for (answer, child) in below {
            if let Some(part) = self.restrict(child, states) {
                kept.push((answer, part));
            }
        }
        if kept.len() < 2 {
            return kept.pop().map(|(_, part)| part);
        }
        let kind = PlaceKind::Inner {
            discriminator,
            below: kept.clone(),
            temporary: true,
        };
        let copy = self.tree.add_place(None, kind);
        for (answer, part) in kept {
            self.tree.places[part.index()].above = Some((copy, answer));
        }
        Some(copy)
    }

    /// A block that no letter separates: its root's discriminator shows a wrong transition.
    fn split_further(
        &mut self,
        block: PlaceId,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let Some((discriminator, below)) = self.inner(block) else {
            return Ok(());
        };
        let sides: Vec<_> = below
            .iter()
            .filter_map(|&(answer, p)| self.states_below(p).first().map(|&q| (answer, q)))
            .collect();
        let word = self.tree.suffixes.word(discriminator);
        let n_states = self.tree.access.len();
        for (answer, state) in sides {
            let mut states = vec![state];
            for &a in &word {
                let next = self.hard_target(states[states.len() - 1], a, mq)?;
                states.push(next);
            }
            let wrong = if H::ANSWERS_STEPS {
                self.first_wrong_step(&states, &word)
            } else {
                let end = self.tree.access[states[word.len()].index()];
                (self.answers().answer(end) != Some(answer)).then_some(word.len())
            };
            if let Some(length) = wrong {
                return self.split(&states[..=length], &word[..length], mq);
            }
        }
        // With more than two outputs a transition may turn out to lead to a state of its own, which
        // is new and may separate the block. Otherwise the oracle contradicts itself.
        if self.tree.access.len() > n_states {
            Ok(())
        } else {
            Err(StopReason::Contradiction)
        }
    }

    /// How many letters of a word after the first of these states it takes to see an answer that the
    /// steps do not give.
    fn first_wrong_step(&self, states: &[StateId], word: &[Letter]) -> Option<usize> {
        let access = |q: StateId| self.tree.access[q.index()];
        (0..word.len()).find_map(|i| {
            let predicted = (self.answers()).answer_after(access(states[i]), &word[i..=i]);
            let seen = (self.answers()).answer_after(access(states[0]), &word[..=i]);
            (predicted != seen).then_some(i + 1)
        })
    }

    /// The state that a transition leads to, sifted through temporary discriminators.
    fn hard_target(
        &mut self,
        state: StateId,
        letter: Letter,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<StateId, StopReason> {
        let transition = self.tree.transition(state, letter);
        let word = self.tree.transition_word(transition);
        let mut at = self.tree.target[transition as usize];
        loop {
            let (discriminator, _) = match self.tree.places[at.index()].kind {
                PlaceKind::Leaf(state) => return Ok(state),
                PlaceKind::Inner {
                    discriminator,
                    temporary,
                    ..
                } => (discriminator, temporary),
            };
            let answers = &mut self.tree.notes.answers;
            let node = answers.extend_by_suffix(word, &self.tree.suffixes, discriminator);
            let answer = answers.ask_outcome(word, node, mq)?;
            match self.tree.below(at, answer) {
                Some(place) => at = place,
                None => {
                    let new = self.tree.add_state(word, at, answer);
                    self.tree.sift_open(true, mq)?;
                    return Ok(new);
                }
            }
        }
    }

    fn answers(&self) -> &AnswerTree<O> {
        &self.tree.notes.answers
    }

    fn above(&self, place: PlaceId) -> Option<PlaceId> {
        self.tree.places[place.index()].above.map(|(p, _)| p)
    }

    fn inner(
        &self,
        place: PlaceId,
    ) -> Option<(SuffixId, &[(crate::answer_tree::AnswerId, PlaceId)])> {
        match &self.tree.places[place.index()].kind {
            PlaceKind::Leaf(_) => None,
            PlaceKind::Inner {
                discriminator,
                below,
                ..
            } => Some((*discriminator, below)),
        }
    }

    fn is_temporary(&self, place: PlaceId) -> bool {
        matches!(
            self.tree.places[place.index()].kind,
            PlaceKind::Inner {
                temporary: true,
                ..
            }
        )
    }

    fn states_below(&self, place: PlaceId) -> Vec<StateId> {
        let mut states = Vec::new();
        let mut stack = vec![place];
        while let Some(p) = stack.pop() {
            match &self.tree.places[p.index()].kind {
                PlaceKind::Leaf(state) => states.push(*state),
                PlaceKind::Inner { below, .. } => {
                    stack.extend(below.iter().rev().map(|&(_, p)| p));
                }
            }
        }
        states
    }

    fn lowest_common(&self, left: PlaceId, right: PlaceId) -> PlaceId {
        let depth = |p: PlaceId| std::iter::successors(Some(p), |&p| self.above(p)).count();
        let (mut left, mut right) = (left, right);
        let (mut l, mut r) = (depth(left), depth(right));
        while left != right {
            if l >= r {
                left = self.above(left).unwrap_or(crate::discrimination_tree::TOP);
                l -= 1;
            } else {
                right = self.above(right).unwrap_or(crate::discrimination_tree::TOP);
                r -= 1;
            }
        }
        left
    }
}

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for Ttt<O, H> {
    fn hypothesis(&self) -> &H {
        &self.tree.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        loop {
            if !self.tree.open.is_empty() || !self.blocks.is_empty() {
                self.stabilize(mq)?;
                self.tree.conjecture();
            }
            let Some(cex) = self.tree.notes.unlearned(&self.tree.hypothesis) else {
                return Ok(());
            };
            let states = states_along(&self.tree.hypothesis, &cex.word);
            self.split(&states, &cex.word, mq)?;
        }
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        self.tree.notes.admit(cex, &self.tree.hypothesis)?;
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<O> {
        &self.tree.notes
    }
}

//! Words that tell the basis states of [`LSharp`](crate::LSharp) apart, as a tree: where there are
//! hundreds of candidates for a frontier state, comparing it with each of them takes longer than
//! asking it the questions on one way down.

use crate::MembershipOracle;
use crate::answer_tree::{AnswerId, AnswerTree, NodeId};
use crate::apartness::witness;
use idiolect_automata::Word;
use idiolect_base::StopReason;

#[derive(Clone, Debug)]
enum Place {
    /// The word to ask, and where its answers lead.
    Inner(Word, Vec<(AnswerId, u32)>),
    /// A basis state, by its number.
    Leaf(u32),
}

/// Every basis state is at a leaf, and has given the answers on the way there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Separators {
    places: Vec<Place>,
}

impl Separators {
    /// Asks what is on the way of a node. The basis state that it comes to, if it comes to any, from
    /// which alone it may be not apart.
    pub(crate) fn sift<O: Clone + Eq>(
        &self,
        answers: &mut AnswerTree<O>,
        node: NodeId,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Option<usize>, StopReason> {
        let at = self.walk(answers, node, mq)?;
        Ok(match at.map(|at| &self.places[at]) {
            Some(Place::Leaf(state)) => Some(*state as usize),
            _ => None,
        })
    }

    /// The place that a node comes to, an inner one if its answer there is new.
    fn walk<O: Clone + Eq>(
        &self,
        answers: &mut AnswerTree<O>,
        node: NodeId,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Option<usize>, StopReason> {
        if self.places.is_empty() {
            return Ok(None);
        }
        let mut at = 0;
        while let Place::Inner(word, below) = &self.places[at] {
            let question = answers.extend_by(node, word);
            let answer = answers.ask_one(question, mq)?;
            match below.iter().find(|(a, _)| *a == answer) {
                Some(&(_, next)) => at = next as usize,
                None => break,
            }
        }
        Ok(Some(at))
    }

    /// Adds the last of these basis states. The one that it was told apart from last, if there is one.
    pub(crate) fn add<O: Clone + Eq>(
        &mut self,
        answers: &mut AnswerTree<O>,
        basis: &[NodeId],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Option<usize>, StopReason> {
        let Some((&node, number)) = basis.last().zip(basis.len().checked_sub(1)) else {
            return Ok(None);
        };
        let leaf = Place::Leaf(number as u32);
        let Some(at) = self.walk(answers, node, mq)? else {
            self.places.push(leaf);
            return Ok(None);
        };
        let new = self.places.len() as u32;
        match &mut self.places[at] {
            Place::Inner(word, below) => {
                let question = answers.extend_by(node, word);
                below.push((answers.ask_one(question, mq)?, new));
                self.places.push(leaf);
                Ok(None)
            }
            Place::Leaf(other) => {
                let other = *other;
                // Basis states are apart from each other.
                let old = basis[other as usize];
                let word = witness(answers, node, old).ok_or(StopReason::Contradiction)?;
                let mut below = Vec::new();
                for (place, front) in [(new, node), (new + 1, old)] {
                    let question = answers.extend_by(front, &word);
                    below.push((answers.ask_one(question, mq)?, place));
                }
                self.places.extend([leaf, Place::Leaf(other)]);
                self.places[at] = Place::Inner(word, below);
                Ok(Some(other as usize))
            }
        }
    }
}

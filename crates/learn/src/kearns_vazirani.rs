//! Kearns and Vazirani's learner with a discrimination tree.
//!
//! M. J. Kearns and U. V. Vazirani, *An Introduction to Computational Learning Theory*, MIT Press
//! 1994, chapter 8. A transition asks only the questions on one path of the tree, where a table
//! asks for all columns: O(k n d + n log m) membership queries for trees of depth d.
//!
//! Where we differ: a counterexample is cut by binary search and not letter by letter; it is used
//! until the hypothesis has learned it; a split re-sifts only the transitions that ended in the
//! split leaf; and answers may be of any type, a node having one child for each answer seen.

use crate::analysis::states_along;
use crate::discrimination_tree::DiscriminationTree;
use crate::{Counterexample, Learner, Machine, MembershipOracle, Notes, RefineError};
use idiolect_automata::{Mealy, Moore};
use idiolect_base::StopReason;

/// The learner of Kearns and Vazirani.
#[derive(Clone, Debug)]
pub struct KearnsVazirani<O, H = Moore<O>> {
    tree: DiscriminationTree<O, H>,
}

impl<O: Clone + Eq> KearnsVazirani<O> {
    /// A learner of Moore machines, and so of DFA.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq> KearnsVazirani<O, Mealy<O>> {
    /// A learner of Mealy machines. The oracle has to answer prefixes.
    pub fn for_mealy(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq, H: Machine<O>> KearnsVazirani<O, H> {
    pub(crate) fn start(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        DiscriminationTree::new(n_letters, mq).map(|tree| Self { tree })
    }
}

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for KearnsVazirani<O, H> {
    fn hypothesis(&self) -> &H {
        &self.tree.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        let tree = &mut self.tree;
        loop {
            if !tree.open.is_empty() {
                tree.sift_open(false, mq)?;
                tree.conjecture();
            }
            let Some(cex) = tree.notes.unlearned(&tree.hypothesis) else {
                return Ok(());
            };
            let states = states_along(&tree.hypothesis, &cex.word);
            tree.split_by(&states, &cex.word, false, mq)?;
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

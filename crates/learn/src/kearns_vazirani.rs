//! Kearns and Vazirani's learner with a discrimination tree.
//!
//! M. J. Kearns and U. V. Vazirani, *An Introduction to Computational Learning Theory*, MIT Press
//! 1994, chapter 8. A transition asks only the questions on one path of the tree, where a table
//! asks for all columns: O(k n d + n log m) membership questions for trees of depth d.
//!
//! Where we differ: a counterexample is cut by binary search and not letter by letter; it is used
//! until the hypothesis has learned it; a split re-sifts only the transitions that ended in the
//! split leaf; and answers may be of any type, a node having one child for each answer seen.

use crate::analysis::states_along;
use crate::discrimination_tree::DiscriminationTree;
use crate::{Counterexample, Learner, MembershipOracle, Notes, RefineError};
use idiolect_automata::Moore;
use idiolect_base::StopReason;

/// The learner of Kearns and Vazirani.
#[derive(Clone, Debug)]
pub struct KearnsVazirani<O> {
    tree: DiscriminationTree<O>,
}

impl<O: Clone + Eq> KearnsVazirani<O> {
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        DiscriminationTree::new(n_letters, mq).map(|tree| Self { tree })
    }
}

impl<O: Clone + Eq> Learner<O> for KearnsVazirani<O> {
    fn hypothesis(&self) -> &Moore<O> {
        &self.tree.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        if !self.tree.open.is_empty() {
            self.tree.sift_open(false, mq)?;
            self.tree.conjecture();
        }
        Ok(())
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        self.tree.notes.admit(cex, &self.tree.hypothesis)?;
        self.complete(mq)?;
        while *self.tree.hypothesis.output_of(&cex.word) != cex.answer {
            let states = states_along(&self.tree.hypothesis, &cex.word);
            self.tree.split_by(&states, &cex.word, false, mq)?;
            self.complete(mq)?;
        }
        Ok(())
    }

    fn notes(&self) -> &Notes<O> {
        &self.tree.notes
    }
}

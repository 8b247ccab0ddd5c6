//! L\* with all suffixes of a counterexample as columns.
//!
//! O. Maler and A. Pnueli, *On the learnability of infinitary regular sets*, Information and
//! Computation 118, 1995. Short rows stay pairwise different, so the table is always consistent;
//! the price is a column for each letter of the counterexample.

use crate::observation_table::ObservationTable;
use crate::suffix::EMPTY;
use crate::{Counterexample, Learner, Machine, MembershipOracle, Notes, RefineError};
use idiolect_automata::{Mealy, Moore};
use idiolect_base::StopReason;

/// L\* with Maler and Pnueli's treatment of counterexamples.
#[derive(Clone, Debug)]
pub struct LStarColumns<O, H = Moore<O>> {
    table: ObservationTable<O, H>,
}

impl<O: Clone + Eq> LStarColumns<O> {
    /// A learner of Moore machines, and so of DFA.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq> LStarColumns<O, Mealy<O>> {
    /// A learner of Mealy machines. The oracle has to answer prefixes.
    pub fn for_mealy(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq, H: Machine<O>> LStarColumns<O, H> {
    pub(crate) fn start(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        ObservationTable::new(n_letters, mq).map(|table| Self { table })
    }
}

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for LStarColumns<O, H> {
    fn hypothesis(&self) -> &H {
        &self.table.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        if !self.table.is_up_to_date() {
            self.table.close(mq)?;
            self.table.conjecture();
        }
        Ok(())
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        self.table.notes.admit(cex, &self.table.hypothesis)?;
        let mut suffix = EMPTY;
        for &a in cex.word.iter().rev() {
            suffix = self.table.suffixes.prepend(a, suffix);
            self.table.add_column(suffix);
        }
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<O> {
        &self.table.notes
    }
}

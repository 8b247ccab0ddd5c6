//! L\* with Angluin's treatment of counterexamples: all prefixes become rows.
//!
//! D. Angluin, *Learning regular sets from queries and counterexamples*, Information and
//! Computation 75, 1987. S = short rows, S·Σ = long rows, E = columns. At most n rounds and
//! O(k m n²) membership queries for n states, k letters and counterexamples of length m.
//!
//! Where we differ: any type of answer, so that Moore machines are learned too, and a
//! counterexample that is still one after the table is closed and consistent again cannot occur,
//! as all its prefixes are rows.

use crate::observation_table::ObservationTable;
use crate::{Counterexample, Learner, Machine, MembershipOracle, Notes, RefineError};
use idiolect_automata::{Mealy, Moore};
use idiolect_base::StopReason;

/// Angluin's L\*.
#[derive(Clone, Debug)]
pub struct LStar<O, H = Moore<O>> {
    table: ObservationTable<O, H>,
}

impl<O: Clone + Eq> LStar<O> {
    /// A learner of Moore machines, and so of DFA.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq> LStar<O, Mealy<O>> {
    /// A learner of Mealy machines. The oracle has to answer prefixes.
    pub fn for_mealy(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq, H: Machine<O>> LStar<O, H> {
    pub(crate) fn start(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        ObservationTable::new(n_letters, mq).map(|table| Self { table })
    }
}

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for LStar<O, H> {
    fn hypothesis(&self) -> &H {
        &self.table.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        if self.table.is_up_to_date() {
            return Ok(());
        }
        loop {
            self.table.close(mq)?;
            match self.table.inconsistency() {
                Some(column) => self.table.add_column(column),
                None => break,
            };
        }
        self.table.conjecture();
        Ok(())
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        let table = &mut self.table;
        table.notes.admit(cex, &table.hypothesis)?;
        let mut node = crate::answer_tree::ROOT;
        for &a in &cex.word {
            node = table.notes.answers.extend(node, a);
            table.add_short_row(node);
        }
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<O> {
        &self.table.notes
    }
}

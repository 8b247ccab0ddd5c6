//! L\* with one column for each counterexample, found by binary search.
//!
//! R. L. Rivest and R. E. Schapire, *Inference of finite automata using homing sequences*,
//! Information and Computation 103, 1993. O(k n² + n log m) membership queries.
//!
//! A table with columns that are not closed under suffixes can give a hypothesis that contradicts
//! it, so a counterexample is used until the hypothesis has learned it.

use crate::analysis::{find_split, states_along};
use crate::observation_table::ObservationTable;
use crate::{Counterexample, Learner, Machine, MembershipOracle, Notes, RefineError};
use idiolect_automata::{Mealy, Moore};
use idiolect_base::StopReason;

/// L\* with Rivest and Schapire's treatment of counterexamples.
#[derive(Clone, Debug)]
pub struct RivestSchapire<O, H = Moore<O>> {
    table: ObservationTable<O, H>,
}

impl<O: Clone + Eq> RivestSchapire<O> {
    /// A learner of Moore machines, and so of DFA.
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq> RivestSchapire<O, Mealy<O>> {
    /// A learner of Mealy machines. The oracle has to answer prefixes.
    pub fn for_mealy(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        Self::start(n_letters, mq)
    }
}

impl<O: Clone + Eq, H: Machine<O>> RivestSchapire<O, H> {
    pub(crate) fn start(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        let mut table = ObservationTable::new(n_letters, mq)?;
        if mq.gives_prefixes() {
            table.notes.answers.ask_for_traces();
        }
        Ok(Self { table })
    }
}

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for RivestSchapire<O, H> {
    fn hypothesis(&self) -> &H {
        &self.table.hypothesis
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        let table = &mut self.table;
        loop {
            if !table.is_up_to_date() {
                table.close(mq)?;
                table.conjecture();
            }
            let Some(cex) = table.notes.unlearned(&table.hypothesis) else {
                return Ok(());
            };
            let states = states_along(&table.hypothesis, &cex.word);
            let answers = &mut table.notes.answers;
            let split = find_split(answers, &table.access, &states, &cex.word, mq)?;
            let column = table.suffixes.insert(&cex.word[split + 1..]);
            if !table.add_column(column) {
                // Only an oracle that contradicts itself separates rows that are equal.
                return Err(StopReason::Contradiction);
            }
        }
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        self.table.notes.admit(cex, &self.table.hypothesis)?;
        Ok(self.complete(mq)?)
    }

    fn notes(&self) -> &Notes<O> {
        &self.table.notes
    }
}

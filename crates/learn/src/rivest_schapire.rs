//! L\* with one column for each counterexample, found by binary search.
//!
//! R. L. Rivest and R. E. Schapire, *Inference of finite automata using homing sequences*,
//! Information and Computation 103, 1993. O(k n² + n log m) membership questions.
//!
//! A table with columns that are not closed under suffixes can give a hypothesis that contradicts
//! it, so a counterexample is used until the hypothesis has learned it.

use crate::analysis::{find_split, states_along};
use crate::observation_table::ObservationTable;
use crate::{Counterexample, Learner, MembershipOracle, Notes, RefineError};
use idiolect_automata::Moore;
use idiolect_base::StopReason;

/// L\* with Rivest and Schapire's treatment of counterexamples.
#[derive(Clone, Debug)]
pub struct RivestSchapire<O> {
    table: ObservationTable<O>,
}

impl<O: Clone + Eq> RivestSchapire<O> {
    pub fn new(
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Self, StopReason> {
        ObservationTable::new(n_letters, mq).map(|table| Self { table })
    }
}

impl<O: Clone + Eq> Learner<O> for RivestSchapire<O> {
    fn hypothesis(&self) -> &Moore<O> {
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
        self.complete(mq)?;
        while *self.table.hypothesis.output_of(&cex.word) != cex.answer {
            let table = &mut self.table;
            let answers = &mut table.notes.answers;
            let states = states_along(&table.hypothesis, &cex.word);
            let split = find_split(answers, &table.access, &states, &cex.word, mq)?;
            let column = table.suffixes.insert(&cex.word[split + 1..]);
            if !table.add_column(column) {
                // The column would separate rows that the closed table says are equal.
                return Err(RefineError::Contradiction {
                    word: cex.word.clone(),
                });
            }
            self.complete(mq)?;
        }
        Ok(())
    }

    fn notes(&self) -> &Notes<O> {
        &self.table.notes
    }
}

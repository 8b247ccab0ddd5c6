//! Ways to compare a hypothesis with the target.

mod exact;
mod pac;
mod random;
mod w_method;

pub use exact::Exact;
pub use pac::{PacSampling, pac_intro_samples, pac_samples};
pub use random::{RandomWalks, RandomWords, WordSource};
pub use w_method::{WMethod, WpMethod};

use crate::{Counterexample, MembershipOracle};
use idiolect_automata::{Moore, Word};
use idiolect_base::StopReason;

/// Words asked for at once.
const BATCH: usize = 256;

/// The first of these words on which the target and the hypothesis differ.
fn first_difference<M: MembershipOracle>(
    words: impl IntoIterator<Item = Word>,
    hypothesis: &Moore<M::Answer>,
    mq: &mut M,
) -> Result<Option<Counterexample<M::Answer>>, StopReason> {
    let mut words = words.into_iter();
    loop {
        let batch: Vec<Word> = words.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(None);
        }
        let answers = mq.ask(&batch)?;
        for (word, answer) in batch.into_iter().zip(answers) {
            if *hypothesis.output_of(&word) != answer {
                return Ok(Some(Counterexample { word, answer }));
            }
        }
    }
}

//! Ways to compare a hypothesis with the target.

mod exact;
mod pac;
mod random;
mod start_from;
mod w_method;

pub use exact::Exact;
pub use pac::{PacSampling, pac_intro_samples, pac_samples};
pub use random::{RandomWalks, RandomWords, StateCover, WordSource};
pub use start_from::StartFrom;
pub use w_method::{RandomWp, WMethod, WpMethod};

use crate::{Counterexample, Machine, MembershipOracle, Trace};
use idiolect_automata::Word;
use idiolect_base::StopReason;

/// Words asked for at once.
const BATCH: usize = 256;

/// The first of these words on which the target and the hypothesis differ.
fn first_difference<M: MembershipOracle>(
    words: impl IntoIterator<Item = Word>,
    hypothesis: &impl Machine<M::Answer>,
    mq: &mut M,
) -> Result<Option<Counterexample<M::Answer>>, StopReason> {
    let mut words = words.into_iter();
    loop {
        let batch: Vec<Word> = words.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(None);
        }
        if mq.gives_prefixes() {
            let traces = mq.ask_traces(&batch)?;
            let mut pairs = batch.iter().zip(traces);
            let cex = pairs.find_map(|(word, trace)| first_in_trace(word, trace, hypothesis));
            if cex.is_some() {
                return Ok(cex);
            }
            continue;
        }
        let answers = mq.ask(&batch)?;
        for (word, answer) in batch.into_iter().zip(answers) {
            if hypothesis.answer(&word).is_some_and(|a| *a != answer) {
                return Ok(Some(Counterexample { word, answer }));
            }
        }
    }
}

/// The shortest prefix of a word whose answer is not that of the hypothesis.
fn first_in_trace<O: Clone + Eq>(
    word: &Word,
    trace: Trace<O>,
    hypothesis: &impl Machine<O>,
) -> Option<Counterexample<O>> {
    let mut state = hypothesis.initial();
    for (i, answer) in trace.into_iter().enumerate().take(word.len() + 1) {
        let expected = match i.checked_sub(1) {
            None => hypothesis.empty_answer(),
            Some(last) => {
                let before = state;
                state = hypothesis.step(before, word[last]);
                Some(hypothesis.step_answer(before, word[last]))
            }
        };
        let (Some(answer), Some(expected)) = (answer, expected) else {
            continue;
        };
        if *expected != answer {
            let word = word[..i].to_vec();
            return Some(Counterexample { word, answer });
        }
    }
    None
}

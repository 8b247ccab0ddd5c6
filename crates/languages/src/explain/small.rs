//! Witnesses with small inputs: a solver's numbers are of any size, people read small ones.

use idiolect_base::Budget;
use idiolect_explain::{Replay, Session, WordWitness};
use idiolect_search::shrink;

/// Steps that all runs for one witness may take together.
const STEPS: u64 = 4_000_000;

/// The same word on inputs that are as few and as near to zero as can be found.
pub fn shrunk(session: &Session<'_>, witness: WordWitness, budget: &Budget) -> WordWitness {
    let bits = small_inputs(session, &witness.replay, budget);
    match session.witness_on(&bits) {
        Some(better) if better.replay.word == witness.replay.word => WordWitness {
            word: witness.word,
            ..better
        },
        _ => witness,
    }
}

/// Inputs of a run with the same word and the same end.
pub fn small_inputs(session: &Session<'_>, run: &Replay, budget: &Budget) -> Vec<u128> {
    let own = Budget::steps(STEPS).cancelled_by(budget.canceller());
    let own = match budget.deadline() {
        Some(deadline) => own.until(deadline),
        None => own,
    };
    let mut is_over = false;
    let small = shrink(session.program(), run.inputs(), &own, |bits| {
        if is_over {
            return None;
        }
        let replay = session.replay(bits);
        is_over = own.spend(replay.outcome.steps + 200).is_err();
        let is_same = replay.is_wanted == run.is_wanted
            && replay.word == run.word
            && replay.outcome.end == run.outcome.end;
        is_same.then(|| replay.inputs().to_vec())
    });
    small.iter().map(|input| input.bits).collect()
}

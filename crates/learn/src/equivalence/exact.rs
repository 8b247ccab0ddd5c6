//! Comparison with a given machine.

use crate::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee};
use idiolect_automata::{Moore, StateId, Word};
use idiolect_base::StopReason;
use rustc_hash::FxHashSet;

/// Knows the target; counterexamples are shortest, and first in the order of letters among those.
#[derive(Clone, Debug)]
pub struct Exact<'a, O> {
    target: &'a Moore<O>,
}

impl<'a, O> Exact<'a, O> {
    pub fn new(target: &'a Moore<O>) -> Self {
        Self { target }
    }
}

impl<O: Clone + Eq> EquivalenceOracle<O> for Exact<'_, O> {
    fn compare(&mut self, hypothesis: &Moore<O>) -> Result<EqAnswer<O>, StopReason> {
        Ok(match shortest_difference(self.target, hypothesis) {
            None => EqAnswer::Agrees(Guarantee::Proved),
            Some(word) => {
                let answer = self.target.output_of(&word).clone();
                EqAnswer::Differs(Counterexample { word, answer })
            }
        })
    }
}

/// The shortest word on which two machines differ.
pub(crate) fn shortest_difference<O: Eq>(left: &Moore<O>, right: &Moore<O>) -> Option<Word> {
    let n_letters = left.n_letters().min(right.n_letters());
    let start = (left.initial(), right.initial());
    let mut seen: FxHashSet<(StateId, StateId)> = FxHashSet::default();
    seen.insert(start);
    // Each pair with the one it was reached from.
    let mut queue = vec![(start, 0usize, idiolect_automata::Letter(0))];
    let mut next = 0;
    while let Some(&((p, q), _, _)) = queue.get(next) {
        if left.output(p) != right.output(q) {
            let mut word = Word::new();
            let mut at = next;
            while at != 0 {
                let (_, from, letter) = queue[at];
                word.push(letter);
                at = from;
            }
            word.reverse();
            return Some(word);
        }
        for a in (0..n_letters).map(idiolect_automata::Letter::new) {
            let pair = (left.step(p, a), right.step(q, a));
            if seen.insert(pair) {
                queue.push((pair, next, a));
            }
        }
        next += 1;
    }
    None
}

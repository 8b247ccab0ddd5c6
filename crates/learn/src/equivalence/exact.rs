//! Comparison with a given machine.

use crate::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee};
use idiolect_automata::{Letter, Moore, Word};
use idiolect_base::StopReason;

/// Knows the target, and gives shortest counterexamples.
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

/// A shortest word on which two machines differ.
///
/// Breadth-first over pairs of states, but a pair that follows from earlier ones by symmetry and
/// transitivity is skipped [Hopcroft & Karp 1971]: a word that tells it apart tells one of those
/// apart, and they were reached by words that are no longer. So at most as many pairs are looked at
/// as there are states in both machines together, and the word found is still a shortest one.
pub(crate) fn shortest_difference<O: Eq>(left: &Moore<O>, right: &Moore<O>) -> Option<Word> {
    let n_letters = left.n_letters().min(right.n_letters());
    let offset = left.n_states();
    let mut merged: Vec<u32> = (0..(offset + right.n_states()) as u32).collect();
    // Each pair with the place in the queue of the one it was reached from.
    let mut queue = vec![(left.initial(), right.initial(), 0usize, Letter(0))];
    let mut next = 0;
    while let Some(&(p, q, _, _)) = queue.get(next) {
        if left.output(p) != right.output(q) {
            let mut word = Word::new();
            let mut at = next;
            while at != 0 {
                let (_, _, from, letter) = queue[at];
                word.push(letter);
                at = from;
            }
            word.reverse();
            return Some(word);
        }
        for a in (0..n_letters).map(Letter::new) {
            let (x, y) = (left.step(p, a), right.step(q, a));
            let root = find(&mut merged, x.index());
            let other = find(&mut merged, offset + y.index());
            if root != other {
                merged[other] = root as u32;
                queue.push((x, y, next, a));
            }
        }
        next += 1;
    }
    None
}

/// The representative of a set, halving the path to it.
fn find(merged: &mut [u32], mut at: usize) -> usize {
    while merged[at] as usize != at {
        let above = merged[merged[at] as usize];
        merged[at] = above;
        at = above as usize;
    }
    at
}

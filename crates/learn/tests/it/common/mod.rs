//! Machines, teachers and checks that the test files share.
#![allow(dead_code)] // Each test file uses a part of it.

use idiolect_automata::generate::random_reachable;
use idiolect_automata::{Letter, Moore, StateId, Word};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee};

/// A random machine whose states are all reachable; each state outputs `output(rng)`.
pub fn random_machine<O: Clone>(
    n: usize,
    k: usize,
    seed: u64,
    mut output: impl FnMut(&mut Rng) -> O,
) -> Moore<O> {
    let mut rng = Rng::new(seed, 0);
    let outputs: Vec<O> = (0..n).map(|_| output(&mut rng)).collect();
    random_reachable(&mut rng, k, outputs).unwrap()
}

/// The least word that takes two states of two machines to different outputs.
pub fn difference<O: Clone + Eq>(
    left: &Moore<O>,
    p: StateId,
    right: &Moore<O>,
    q: StateId,
) -> Option<Word> {
    let (mut left, mut right) = (left.clone(), right.clone());
    left.set_initial(p);
    right.set_initial(q);
    left.distinguishing_word(&right)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Shortest,
    Random,
    /// About this long.
    Padded(usize),
}

/// Knows the target, and gives counterexamples of one style.
pub struct Teacher<'a, O> {
    pub target: &'a Moore<O>,
    pub style: Style,
    pub rng: Rng,
}

impl<'a, O> Teacher<'a, O> {
    pub fn new(target: &'a Moore<O>, style: Style) -> Self {
        Self {
            target,
            style,
            rng: Rng::new(5, 5),
        }
    }

    fn random_word(&mut self, length: usize) -> Word {
        let k = self.target.n_letters() as u64;
        (0..length)
            .map(|_| Letter(self.rng.below(k) as u32))
            .collect()
    }
}

impl<O: Clone + Eq> EquivalenceOracle<O> for Teacher<'_, O> {
    fn compare(&mut self, hypothesis: &Moore<O>) -> Result<EqAnswer<O>, StopReason> {
        let target = self.target;
        let Some(shortest) = difference(target, target.initial(), hypothesis, hypothesis.initial())
        else {
            return Ok(EqAnswer::Agrees(Guarantee::Proved));
        };
        let tries = match self.style {
            Style::Shortest => 0,
            _ => 20,
        };
        let mut word = shortest;
        for _ in 0..tries {
            let length = match self.style {
                Style::Padded(length) => length,
                _ => self.rng.below(30) as usize,
            };
            let mut candidate = self.random_word(length);
            let p = target.run(target.initial(), &candidate);
            let q = hypothesis.run(hypothesis.initial(), &candidate);
            if let Some(rest) = difference(target, p, hypothesis, q) {
                candidate.extend(rest);
                word = candidate;
                break;
            }
        }
        let answer = target.output_of(&word).clone();
        Ok(EqAnswer::Differs(Counterexample { word, answer }))
    }
}

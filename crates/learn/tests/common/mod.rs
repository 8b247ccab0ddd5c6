//! Machines, teachers and checks that the test files share.
#![allow(dead_code)] // Each test file uses a part of it.

use idiolect_automata::{Letter, Moore, StateId, Word};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee};
use std::collections::{BTreeMap, BTreeSet};

/// A random machine whose states are all reachable; state `q` outputs `output(rng)`.
pub fn random_machine<O: Clone>(
    n: usize,
    k: usize,
    seed: u64,
    mut output: impl FnMut(&mut Rng) -> O,
) -> Moore<O> {
    let mut rng = Rng::new(seed, 0);
    let outputs: Vec<O> = (0..n).map(|_| output(&mut rng)).collect();
    let mut machine = Moore::from_fn(k, &outputs, |_, _| rng.below(n as u64) as usize);
    // A random spanning tree first, so that every state is reachable.
    let mut free: Vec<(usize, usize)> = Vec::new();
    for q in 0..n {
        if q > 0 && k > 0 {
            let (p, a) = free.swap_remove(rng.below(free.len() as u64) as usize);
            machine.set_step(StateId::new(p), Letter::new(a), StateId::new(q));
        }
        free.extend((0..k).map(|a| (q, a)));
    }
    machine
}

/// The number of states of the smallest equivalent machine (Moore's algorithm).
pub fn minimal_size<O: Clone + Eq>(machine: &Moore<O>) -> usize {
    let mut reachable = BTreeSet::from([machine.initial()]);
    let mut queue = vec![machine.initial()];
    while let Some(q) = queue.pop() {
        for a in machine.letters() {
            let r = machine.step(q, a);
            if reachable.insert(r) {
                queue.push(r);
            }
        }
    }
    let mut values: Vec<&O> = Vec::new();
    let mut class: BTreeMap<StateId, usize> = BTreeMap::new();
    for &q in &reachable {
        let output = machine.output(q);
        let id = values.iter().position(|v| *v == output);
        class.insert(
            q,
            id.unwrap_or_else(|| {
                values.push(output);
                values.len() - 1
            }),
        );
    }
    let mut n = values.len();
    loop {
        let mut ids: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        let mut next = BTreeMap::new();
        for &q in &reachable {
            let mut key = vec![class[&q]];
            key.extend(machine.letters().map(|a| class[&machine.step(q, a)]));
            let fresh = ids.len();
            next.insert(q, *ids.entry(key).or_insert(fresh));
        }
        if ids.len() == n {
            return n;
        }
        n = ids.len();
        class = next;
    }
}

/// The shortest word that takes two states to different outputs.
pub fn difference<O: Eq>(
    left: &Moore<O>,
    p: StateId,
    right: &Moore<O>,
    q: StateId,
) -> Option<Word> {
    let mut seen = BTreeSet::from([(p, q)]);
    let mut queue = std::collections::VecDeque::from([(p, q, Word::new())]);
    while let Some((p, q, word)) = queue.pop_front() {
        if left.output(p) != right.output(q) {
            return Some(word);
        }
        for a in left.letters() {
            let (x, y) = (left.step(p, a), right.step(q, a));
            if seen.insert((x, y)) {
                let mut longer = word.clone();
                longer.push(a);
                queue.push_back((x, y, longer));
            }
        }
    }
    None
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

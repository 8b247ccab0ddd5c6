//! Machines of some hundred states, where brute force over words does not reach: the fast
//! algorithms against slow ones that are evidently right.

use idiolect_automata::generate::{RandomDfa, random_moore};
use idiolect_automata::{Letter, Moore, StateId, Word};
use idiolect_base::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Refinement in rounds (E. Moore, 1956): quadratic and short.
fn classes_by_rounds(machine: &Moore<u32>) -> Vec<usize> {
    let mut classes: Vec<usize> = machine.outputs().iter().map(|&o| o as usize).collect();
    loop {
        let mut numbers = BTreeMap::new();
        let next: Vec<usize> = (machine.states())
            .map(|q| {
                let row = machine.row(q).iter().map(|to| classes[to.index()]);
                let key: Vec<usize> = std::iter::once(classes[q.index()]).chain(row).collect();
                let fresh = numbers.len();
                *numbers.entry(key).or_insert(fresh)
            })
            .collect();
        let count = |classes: &[usize]| classes.iter().collect::<BTreeSet<_>>().len();
        if count(&next) == count(&classes) {
            return next;
        }
        classes = next;
    }
}

/// The least distinguishing word by search over all pairs of states.
fn word_by_product(a: &Moore<u32>, b: &Moore<u32>) -> Option<Word> {
    let start = (a.initial(), b.initial());
    let mut seen = BTreeSet::from([start]);
    let mut queue = VecDeque::from([(start, Word::new())]);
    while let Some(((p, q), word)) = queue.pop_front() {
        if a.output(p) != b.output(q) {
            return Some(word);
        }
        for letter in a.letters() {
            let pair = (a.step(p, letter), b.step(q, letter));
            if seen.insert(pair) {
                let mut longer = word.clone();
                longer.push(letter);
                queue.push_back((pair, longer));
            }
        }
    }
    None
}

/// A machine in which some states are copies of others, with transitions spread over the copies.
fn with_copies(rng: &mut Rng, n_states: usize, n_letters: usize) -> Moore<u32> {
    let base = random_moore(rng, n_states, n_letters, 2).expect("letters and states");
    let n = n_states as u64;
    let mut machine = base.clone();
    for q in base.states() {
        machine.add_state(*base.output(q));
    }
    for q in machine.states() {
        for a in base.letters() {
            let to = base.step(StateId::new(q.index() % n_states), a).index() as u64;
            let copy = if rng.chance(1, 2) { to } else { to + n };
            machine.set_step(q, a, StateId::new(copy as usize));
        }
    }
    machine
}

#[test]
fn hopcroft_agrees_with_moore() {
    for stream in 0..60 {
        let mut rng = Rng::new(11, stream);
        let (n_states, n_letters) = (20 + rng.below(150) as usize, 1 + rng.below(4) as usize);
        let machine = with_copies(&mut rng, n_states, n_letters);
        let (fast, slow) = (machine.equivalence_classes(), classes_by_rounds(&machine));
        let pairs: BTreeSet<(u32, usize)> = fast.iter().copied().zip(slow).collect();
        let n_classes = fast.iter().collect::<BTreeSet<_>>().len();
        // One to one: each class of one is a class of the other.
        assert_eq!(pairs.len(), n_classes);
        assert_eq!(
            pairs
                .iter()
                .map(|pair| pair.1)
                .collect::<BTreeSet<_>>()
                .len(),
            n_classes
        );
        assert!(n_classes <= n_states);
        assert!(machine.is_equivalent(&machine.minimize()));
    }
}

#[test]
fn the_least_word_of_large_machines() {
    let mut lengths = BTreeSet::new();
    for stream in 0..60 {
        let mut rng = Rng::new(12, stream);
        let (n_states, n_letters) = (10 + rng.below(60) as usize, 1 + rng.below(3) as usize);
        let machine = with_copies(&mut rng, n_states, n_letters);
        let mut other = machine.minimize();
        let q = StateId::new(rng.below(other.n_states() as u64) as usize);
        let a = Letter::new(rng.below(n_letters as u64) as usize);
        other.set_step(
            q,
            a,
            StateId::new(rng.below(other.n_states() as u64) as usize),
        );
        let word = machine.distinguishing_word(&other);
        assert_eq!(word, word_by_product(&machine, &other));
        lengths.insert(word.map(|word| word.len()));
    }
    assert!(
        lengths.len() > 5,
        "the cases are too much alike: {lengths:?}"
    );
}

#[test]
fn minimal_machines_stay_as_they_are() {
    for stream in 0..20 {
        let dfa = RandomDfa::new(300, 3)
            .draw(&mut Rng::new(13, stream))
            .expect("one is found");
        assert_eq!(dfa.minimize(), dfa.canonical());
    }
}

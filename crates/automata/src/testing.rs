//! What the tests share: small machines of every shape, and all short words to try them on.

use crate::{Dfa, Letter, Mealy, Moore, Nfa, Pfsa, StateId, Word};
use proptest::prelude::*;

/// Machines with up to `max_states` states, any initial state, some states unreachable.
pub(crate) fn any_moore(
    max_states: usize,
    n_letters: usize,
    n_outputs: u8,
) -> impl Strategy<Value = Moore<u8>> {
    (1..=max_states).prop_flat_map(move |n| {
        let outputs = proptest::collection::vec(0..n_outputs, n);
        let table = proptest::collection::vec(0..n, n * n_letters);
        (outputs, table, 0..n).prop_map(move |(outputs, table, initial)| {
            let mut machine =
                Moore::from_fn(n_letters, &outputs, |q, a| table[q * n_letters + a.index()]);
            machine.set_initial(StateId::new(initial));
            machine
        })
    })
}

pub(crate) fn any_dfa(max_states: usize, n_letters: usize) -> impl Strategy<Value = Dfa> {
    any_moore(max_states, n_letters, 2).prop_map(|machine| machine.map_outputs(|&o| o == 1))
}

/// Mealy machines with up to `max_states` states, any initial state, some states unreachable.
pub(crate) fn any_mealy(
    max_states: usize,
    n_letters: usize,
    n_outputs: u8,
) -> impl Strategy<Value = Mealy<u8>> {
    (1..=max_states).prop_flat_map(move |n| {
        let steps = proptest::collection::vec((0..n, 0..n_outputs), n * n_letters);
        (steps, 0..n).prop_map(move |(steps, initial)| {
            let mut machine = Mealy::from_fn(n_letters, n, |q, a| steps[q * n_letters + a.index()]);
            machine.set_initial(StateId::new(initial));
            machine
        })
    })
}

/// All words of fewer than `length` letters, in length-lexicographic order.
pub(crate) fn words_shorter_than(length: usize, n_letters: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut layer: Vec<Word> = vec![Word::new()];
    for _ in 0..length {
        words.extend(layer.iter().cloned());
        layer = (layer.iter())
            .flat_map(|word| {
                (0..n_letters).map(|a| {
                    let mut longer = word.clone();
                    longer.push(Letter::new(a));
                    longer
                })
            })
            .collect();
    }
    words
}

/// Automata with up to `max_states` states, several initial ones and λ-moves.
pub(crate) fn any_nfa(max_states: usize, n_letters: usize) -> impl Strategy<Value = Nfa> {
    (1..=max_states).prop_flat_map(move |n| {
        let accepting = proptest::collection::vec(any::<bool>(), n);
        let initial = proptest::collection::vec(0..n, 0..3);
        let edges = proptest::collection::vec((0..n, 0..=n_letters, 0..n), 0..3 * n);
        (accepting, initial, edges).prop_map(move |(accepting, initial, edges)| {
            let mut nfa = Nfa::new(n_letters);
            for accepting in accepting {
                nfa.add_state(accepting);
            }
            for q in initial {
                nfa.add_initial(StateId::new(q));
            }
            for (from, a, to) in edges {
                let letter = a.checked_sub(1).map(Letter::new);
                nfa.add_transition(StateId::new(from), letter, StateId::new(to));
            }
            nfa
        })
    })
}

/// Probabilistic automata with small whole weights, some of them 0.
pub(crate) fn any_pfsa(max_states: usize, n_letters: usize) -> impl Strategy<Value = Pfsa> {
    (1..=max_states).prop_flat_map(move |n| {
        let finals = proptest::collection::vec(0u8..4, n);
        let edges = proptest::collection::vec((0..n, 0..n_letters, 0..n, 0u8..9), 0..3 * n);
        (finals, edges, 0..n).prop_map(move |(finals, edges, initial)| {
            let mut pfsa = Pfsa::new(n_letters);
            for weight in finals {
                pfsa.add_state(f64::from(weight));
            }
            for (from, a, to, weight) in edges {
                let (from, to) = (StateId::new(from), StateId::new(to));
                pfsa.add_transition(from, Letter::new(a), to, f64::from(weight));
            }
            pfsa.set_initial(StateId::new(initial));
            pfsa
        })
    })
}

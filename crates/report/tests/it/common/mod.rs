//! Automata for the tests and the measurements.

use idiolect_base::Rng;
use serde_json::{Value, json};

/// A random automaton with every state reachable: a random tree, and more transitions up to two
/// for each state on average.
pub fn random_automaton(n_states: u64, seed: u64) -> Value {
    let mut rng = Rng::new(seed, n_states);
    let alphabet = ["open", "read", "write", "close", "log_flush", "assert"];
    let mut transitions: Vec<Value> = Vec::new();
    let mut add = |from: u64, to: u64, letter: u64| {
        let letter = alphabet[letter as usize % alphabet.len()];
        transitions.push(json!({"from": from, "to": to, "letter": letter}));
    };
    for to in 1..n_states {
        let from = rng.below(to);
        add(from, to, rng.below(6));
        add(rng.below(n_states), rng.below(n_states), rng.below(6));
    }
    let states: Vec<Value> = (0..n_states)
        .map(|id| {
            let (accepting, doomed) = (rng.below(8) == 0, rng.below(10) == 0);
            json!({"id": id, "initial": id == 0, "accepting": accepting || id + 1 == n_states,
                   "doomed": doomed})
        })
        .collect();
    json!({"kind": "nfa", "alphabet": alphabet, "states": states, "transitions": transitions})
}

/// What analyses give: long ways, few choices, some circles, a doomed end.
pub fn layered_automaton(n_states: u64, seed: u64) -> Value {
    let mut rng = Rng::new(seed, n_states);
    let mut automaton = random_automaton(1, seed);
    let mut transitions: Vec<Value> = Vec::new();
    for from in 0..n_states - 1 {
        transitions.push(json!({"from": from, "to": from + 1, "letter": "read"}));
        match rng.below(12) {
            0 => {
                let to = from.saturating_sub(rng.below(5));
                transitions.push(json!({"from": from, "to": to, "letter": "write"}));
            }
            1 if from + 8 < n_states => {
                let to = from + 2 + rng.below(6);
                transitions.push(json!({"from": from, "to": to, "letter": "close"}));
            }
            _ => {}
        }
    }
    automaton["states"] = (0..n_states)
        .map(|id| {
            json!({"id": id, "initial": id == 0, "accepting": id + 1 == n_states,
                   "doomed": id * 10 > n_states * 9})
        })
        .collect();
    automaton["transitions"] = transitions.into();
    automaton
}

//! Automata in our own form, a state and a transition at a time: as JSON, two million transitions take a gigabyte.

use super::json::{JsonAutomaton, JsonState, JsonTransition, Kind, state, transition};
use crate::{Alphabet, Dfa, Mealy, Moore, Pfsa};
use std::fmt::Display;

/// An automaton that is made while it is written.
///
/// ```
/// # use idiolect_automata::formats::json::JsonPieces;
/// # use idiolect_automata::{Alphabet, Dfa};
/// let everything = Dfa::new(3, vec![true]);
/// let alphabet = Alphabet::numbered(3);
/// let pieces = JsonPieces::of_complete_dfa(&everything, &alphabet);
/// assert_eq!(pieces.transitions.count(), 3);
/// ```
pub struct JsonPieces<'a> {
    pub kind: Kind,
    pub alphabet: &'a Alphabet,
    pub states: Box<dyn Iterator<Item = JsonState> + 'a>,
    pub transitions: Box<dyn Iterator<Item = JsonTransition> + 'a>,
}

impl<'a> JsonPieces<'a> {
    /// A DFA with all its states and transitions.
    pub fn of_complete_dfa(dfa: &'a Dfa, alphabet: &'a Alphabet) -> Self {
        let states = dfa.states().map(|q| JsonState {
            accepting: Some(dfa.is_accepting(q)),
            ..state(q, q == dfa.initial())
        });
        Self {
            kind: Kind::Dfa,
            alphabet,
            states: Box::new(states),
            transitions: all_steps(dfa, alphabet),
        }
    }

    /// A Moore machine.
    pub fn of_moore<O: Display>(machine: &'a Moore<O>, alphabet: &'a Alphabet) -> Self {
        let states = machine.states().map(|q| JsonState {
            output: Some(machine.output(q).to_string()),
            ..state(q, q == machine.initial())
        });
        Self {
            kind: Kind::Moore,
            alphabet,
            states: Box::new(states),
            transitions: all_steps(machine, alphabet),
        }
    }

    /// A Mealy machine.
    pub fn of_mealy<O: Display>(machine: &'a Mealy<O>, alphabet: &'a Alphabet) -> Self {
        let states = machine.states().map(|q| state(q, q == machine.initial()));
        let steps = (machine.states()).flat_map(|q| machine.letters().map(move |a| (q, a)));
        let transitions = steps.map(|(q, a)| JsonTransition {
            output: Some(machine.output(q, a).to_string()),
            ..transition(q, Some(a), machine.step(q, a), alphabet)
        });
        Self {
            kind: Kind::Mealy,
            alphabet,
            states: Box::new(states),
            transitions: Box::new(transitions),
        }
    }

    /// A probabilistic automaton; `heat` has one number for each transition, in their order.
    pub fn of_pfsa(pfsa: &'a Pfsa, alphabet: &'a Alphabet, heat: Option<&'a [f64]>) -> Self {
        let states = pfsa.states().map(|q| JsonState {
            accepting: Some(pfsa.final_weight(q) > 0.0),
            final_weight: Some(pfsa.final_weight(q)),
            ..state(q, q == pfsa.initial())
        });
        let transitions = pfsa.transitions().enumerate();
        let transitions = transitions.map(move |(i, (from, edge))| JsonTransition {
            weight: Some(edge.weight),
            heat: heat.and_then(|heat| heat.get(i).copied()),
            ..transition(from, Some(edge.letter), edge.to, alphabet)
        });
        Self {
            kind: Kind::Pfsa,
            alphabet,
            states: Box::new(states),
            transitions: Box::new(transitions),
        }
    }

    /// The whole automaton.
    pub fn collect(self) -> JsonAutomaton {
        JsonAutomaton {
            kind: self.kind,
            alphabet: self.alphabet.names().to_vec(),
            states: self.states.collect(),
            transitions: self.transitions.collect(),
        }
    }
}

fn all_steps<'a, O>(
    machine: &'a Moore<O>,
    alphabet: &'a Alphabet,
) -> Box<dyn Iterator<Item = JsonTransition> + 'a> {
    let steps = (machine.states()).flat_map(|q| machine.letters().map(move |a| (q, a)));
    Box::new(steps.map(|(q, a)| transition(q, Some(a), machine.step(q, a), alphabet)))
}

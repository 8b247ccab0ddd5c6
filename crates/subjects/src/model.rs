//! What was learned, of whichever kind, and its forms.

use idiolect_automata::formats::dot;
use idiolect_automata::formats::json::JsonPieces;
use idiolect_automata::formats::regex::Regex;
use idiolect_automata::{Alphabet, Dfa, Letter, Mealy, Moore, Pfsa, StateId};
use std::fmt::{Display, Write as _};

/// What was learned, by kind.
pub enum LearnedMachine {
    Dfa(Dfa),
    Moore(Moore<String>),
    Mealy(Mealy<String>),
    Pfsa(Pfsa),
}

impl LearnedMachine {
    /// As people call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dfa(_) => "DFA",
            Self::Moore(_) => "Moore machine",
            Self::Mealy(_) => "Mealy machine",
            Self::Pfsa(_) => "probabilistic automaton",
        }
    }

    /// The number of its states.
    pub fn n_states(&self) -> usize {
        match self {
            Self::Dfa(dfa) => dfa.n_states(),
            Self::Moore(machine) => machine.n_states(),
            Self::Mealy(machine) => machine.n_states(),
            Self::Pfsa(pfsa) => pfsa.n_states(),
        }
    }

    /// As Graphviz reads it.
    pub fn to_dot(&self, alphabet: &Alphabet) -> String {
        match self {
            Self::Dfa(dfa) => dot::write_dfa(dfa, alphabet),
            Self::Moore(machine) => dot::write_moore(machine, alphabet),
            Self::Mealy(machine) => dot::write_mealy(machine, alphabet),
            Self::Pfsa(pfsa) => dot::write_pfsa(pfsa, alphabet),
        }
    }

    /// As outcomes have it, a state and a transition at a time.
    pub fn json_pieces<'a>(&'a self, alphabet: &'a Alphabet) -> JsonPieces<'a> {
        match self {
            Self::Dfa(dfa) => JsonPieces::of_complete_dfa(dfa, alphabet),
            Self::Moore(machine) => JsonPieces::of_moore(machine, alphabet),
            Self::Mealy(machine) => JsonPieces::of_mealy(machine, alphabet),
            Self::Pfsa(pfsa) => JsonPieces::of_pfsa(pfsa, alphabet, None),
        }
    }

    /// The language in a line, if it is short enough to be read.
    pub fn regex(&self, alphabet: &Alphabet) -> Option<String> {
        let Self::Dfa(dfa) = self else { return None };
        Some(Regex::from_dfa(dfa, 200)?.show(alphabet))
    }

    /// One line per state: what it says, and where each letter leads.
    pub fn table(&self, alphabet: &Alphabet) -> String {
        match self {
            Self::Dfa(dfa) => states(dfa, alphabet),
            Self::Moore(machine) => states(machine, alphabet),
            Self::Mealy(machine) => {
                let mut text = String::new();
                for q in machine.states() {
                    start(&mut text, q, machine.initial());
                    for a in machine.letters() {
                        let (to, output) = (machine.step(q, a).index(), machine.output(q, a));
                        let _ = write!(text, "  {} / {output} -> q{to}", alphabet.name(a));
                    }
                    text.push('\n');
                }
                text
            }
            Self::Pfsa(pfsa) => {
                let mut text = String::new();
                for q in pfsa.states() {
                    start(&mut text, q, pfsa.initial());
                    let _ = write!(text, " [{}]", pfsa.final_weight(q));
                    for edge in pfsa.edges(q) {
                        let (to, name) = (edge.to.index(), alphabet.name(edge.letter));
                        let _ = write!(text, "  {name} : {} -> q{to}", edge.weight);
                    }
                    text.push('\n');
                }
                text
            }
        }
    }
}

fn start(text: &mut String, q: StateId, initial: StateId) {
    let arrow = if q == initial { "->" } else { "  " };
    let _ = write!(text, "{arrow} q{}", q.index());
}

fn states<O: Display>(machine: &Moore<O>, alphabet: &Alphabet) -> String {
    let mut text = String::new();
    for q in machine.states() {
        start(&mut text, q, machine.initial());
        let _ = write!(text, " [{}]", machine.output(q));
        for a in machine.letters() {
            let to = machine.step(q, a).index();
            let _ = write!(text, "  {} -> q{to}", alphabet.name(a));
        }
        text.push('\n');
    }
    text
}

/// The letters of a word by their names.
pub fn names(alphabet: &Alphabet, word: &[Letter]) -> Vec<String> {
    word.iter().map(|&a| alphabet.name(a).to_owned()).collect()
}

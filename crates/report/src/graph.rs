//! An automaton as it is drawn: without its rejecting sink, and with one edge between two states
//! however many letters lead from the one to the other.

use idiolect_automata::formats::json::{JsonAutomaton, Kind};
use serde_json::Value;
use std::collections::BTreeMap;

/// Why there is nothing to draw.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    #[error("this is not an automaton: {0}")]
    NotAnAutomaton(#[from] serde_json::Error),
    #[error("a transition names state {0}, which there is not")]
    UnknownState(u64),
    #[error("two states have the number {0}")]
    TwoStates(u64),
    #[error("the automaton has no state")]
    Empty,
    #[error("no place was found for a part of the drawing")]
    NoPlace,
}

/// What is drawn. States and letters are named by their position here.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    pub kind: Kind,
    pub alphabet: Vec<String>,
    pub states: Vec<GraphState>,
    pub edges: Vec<GroupedEdge>,
    /// The numbers of rejecting sinks, which are never drawn.
    pub sinks: Vec<u64>,
}

/// A state as it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphState {
    /// The number that the outcome gives it.
    pub id: u64,
    pub initial: bool,
    pub accepting: bool,
    pub doomed: bool,
    pub output: Option<String>,
}

/// All transitions between two states.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupedEdge {
    pub from: usize,
    pub to: usize,
    /// In the order of the alphabet.
    pub letters: Vec<EdgeLetter>,
}

/// A letter of an edge, with what is said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeLetter {
    /// `None` is a λ-move.
    pub letter: Option<usize>,
    pub dominating: bool,
    pub weight: Option<f64>,
    pub heat: Option<f64>,
}

impl Graph {
    /// Reads the automaton of an outcome.
    pub fn from_json(value: &Value) -> Result<Self, DrawError> {
        let automaton: JsonAutomaton = serde::Deserialize::deserialize(value)?;
        Self::new(&automaton)
    }

    /// The graph of an automaton.
    pub fn new(automaton: &JsonAutomaton) -> Result<Self, DrawError> {
        let mut alphabet = automaton.alphabet.clone();
        let mut letters: BTreeMap<String, usize> = BTreeMap::new();
        for (index, name) in alphabet.iter().enumerate() {
            letters.entry(name.clone()).or_insert(index);
        }
        let mut position: BTreeMap<u64, usize> = BTreeMap::new();
        for (index, state) in automaton.states.iter().enumerate() {
            if position.insert(state.id, index).is_some() {
                return Err(DrawError::TwoStates(state.id));
            }
        }
        let find = |id: u64| {
            position
                .get(&id)
                .copied()
                .ok_or(DrawError::UnknownState(id))
        };
        let mut between: BTreeMap<(usize, usize), Vec<EdgeLetter>> = BTreeMap::new();
        for transition in &automaton.transitions {
            let ends = (find(transition.from)?, find(transition.to)?);
            let letter = transition.letter.as_ref().map(|name| {
                // A step of a Mealy machine shows its output.
                let name = match &transition.output {
                    Some(output) => &format!("{name} / {output}"),
                    None => name,
                };
                // Readers are lenient: a letter that the alphabet forgot joins it.
                *letters.entry(name.clone()).or_insert_with(|| {
                    alphabet.push(name.clone());
                    alphabet.len() - 1
                })
            });
            between.entry(ends).or_default().push(EdgeLetter {
                letter,
                dominating: transition.dominating == Some(true),
                weight: transition.weight,
                heat: transition.heat.or(transition.relevance),
            });
        }
        let is_sink = |index: usize| {
            let state = &automaton.states[index];
            automaton.kind == Kind::Dfa
                && state.accepting == Some(false)
                && !state.initial
                && between
                    .keys()
                    .all(|&(from, to)| from != index || to == index)
        };
        let kept: Vec<usize> = (0..automaton.states.len())
            .filter(|&i| !is_sink(i))
            .collect();
        if kept.is_empty() {
            return Err(DrawError::Empty);
        }
        let mut renamed = vec![None; automaton.states.len()];
        for (new, &old) in kept.iter().enumerate() {
            renamed[old] = Some(new);
        }
        let states = kept.iter().map(|&index| {
            let state = &automaton.states[index];
            GraphState {
                id: state.id,
                initial: state.initial,
                accepting: state.accepting == Some(true),
                doomed: state.doomed == Some(true),
                output: state.output.clone(),
            }
        });
        let states: Vec<GraphState> = states.collect();
        let sinks = (0..automaton.states.len())
            .filter(|&i| renamed[i].is_none())
            .map(|i| automaton.states[i].id)
            .collect();
        let edges = between
            .into_iter()
            .filter_map(|((from, to), mut letters)| {
                letters.sort_by_key(|l| l.letter);
                Some(GroupedEdge {
                    from: renamed[from]?,
                    to: renamed[to]?,
                    letters,
                })
            })
            .collect();
        Ok(Self {
            kind: automaton.kind,
            alphabet,
            states,
            edges,
            sinks,
        })
    }

    /// Positions of successors of each state, itself excluded.
    pub fn successors(&self) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.states.len()];
        for edge in self.edges.iter().filter(|e| e.from != e.to) {
            lists[edge.from].push(edge.to);
        }
        lists
    }

    /// States along a shortest way from an initial to an accepting state; without one of these,
    /// a longest of the shortest ways from an initial state.
    pub fn typical_way(&self) -> Vec<usize> {
        let successors = self.successors();
        let mut before: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut queue: Vec<usize> = (0..self.states.len())
            .filter(|&i| self.states[i].initial)
            .collect();
        if queue.is_empty() {
            queue.push(0);
        }
        let mut seen = vec![false; self.states.len()];
        for &start in &queue {
            seen[start] = true;
        }
        let mut next = 0;
        while next < queue.len() && !self.states[queue[next]].accepting {
            for &to in &successors[queue[next]] {
                if !seen[to] {
                    seen[to] = true;
                    before[to] = Some(queue[next]);
                    queue.push(to);
                }
            }
            next += 1;
        }
        let mut at = queue[next.min(queue.len() - 1)];
        let mut way = vec![at];
        while let Some(previous) = before[at] {
            way.push(previous);
            at = previous;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_sink_goes_and_parallel_letters_are_one_edge() {
        let graph = Graph::from_json(&json!({
            "kind": "dfa", "alphabet": ["a", "b"],
            "states": [{"id": 7, "initial": true, "accepting": false},
                       {"id": 9, "accepting": false},
                       {"id": 8, "accepting": true}],
            "transitions": [{"from": 7, "to": 8, "letter": "b"},
                            {"from": 7, "to": 8, "letter": "a", "dominating": true},
                            {"from": 8, "to": 9, "letter": "a"},
                            {"from": 9, "to": 9, "letter": "a"}],
        }))
        .unwrap();
        assert_eq!(graph.sinks, [9]);
        assert_eq!(graph.edges.len(), 1);
        let letters: Vec<_> = graph.edges[0].letters.iter().map(|l| l.letter).collect();
        assert_eq!(letters, [Some(0), Some(1)]);
        assert_eq!(graph.typical_way(), [0, 1]);
    }

    #[test]
    fn what_cannot_be_drawn_is_an_error() {
        let fails = |value: Value| Graph::from_json(&value).unwrap_err().to_string();
        let state = json!({"id": 0, "initial": true});
        assert!(fails(json!(3)).starts_with("this is not an automaton"));
        assert_eq!(
            fails(json!({"kind": "dfa", "alphabet": [], "states": [], "transitions": []})),
            "the automaton has no state"
        );
        assert_eq!(
            fails(
                json!({"kind": "nfa", "alphabet": [], "states": [state, state],
                         "transitions": []})
            ),
            "two states have the number 0"
        );
        assert_eq!(
            fails(json!({"kind": "nfa", "alphabet": [], "states": [state],
                         "transitions": [{"from": 0, "to": 5, "letter": null}]})),
            "a transition names state 5, which there is not"
        );
    }
}

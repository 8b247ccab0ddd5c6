//! The automata of an outcome, wherever the command puts them, drawn for the page.

use crate::graph::{DrawError, Graph};
use crate::layout::Dagre;
use crate::svg;
use crate::views::views;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Where commands put automata, and what people call them.
const PLACES: &[(&str, &str)] = &[
    ("in_neither", "In neither: nobody wrote this"),
    ("automaton", "Automaton"),
    ("gained", "Gained: only the new version does this"),
    ("lost", "Lost: only the old version did this"),
    ("not_in_a", "Not in A: the merge does this, A does not"),
    ("not_in_b", "Not in B: the merge does this, B does not"),
    ("model", "Model: decisions that runs can take"),
    ("specification", "Specification"),
    ("pfsa", "All scenarios, with how often"),
];

/// An automaton of an outcome.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    title: String,
    /// From the outcome to the automaton, and to its witnesses.
    path: Vec<Value>,
    witnesses: Vec<Value>,
    drawings: Result<Drawings, String>,
}

#[derive(Clone, PartialEq, Debug)]
struct Drawings {
    alphabet: Vec<String>,
    sinks: Vec<u64>,
    n_states: usize,
    views: Vec<Value>,
    svg: String,
}

impl Scene {
    /// What the script is told.
    pub fn to_json(&self) -> Value {
        let mut scene = json!({
            "title": self.title, "path": self.path, "witnesses": self.witnesses,
            "alphabet": [], "sinks": [], "views": [], "n_states": 0,
        });
        match &self.drawings {
            Ok(drawings) => {
                scene["alphabet"] = json!(drawings.alphabet);
                scene["sinks"] = json!(drawings.sinks);
                scene["n_states"] = json!(drawings.n_states);
                scene["views"] = drawings.views.clone().into();
            }
            Err(problem) => scene["problem"] = json!(problem),
        }
        scene
    }

    /// The drawings, one SVG element after the other.
    pub fn svg(&self) -> &str {
        self.drawings.as_ref().map_or("", |d| d.svg.as_str())
    }
}

/// All automata of an outcome. One that cannot be drawn says why, on the page.
pub fn scenes(outcome: &Value) -> Vec<Scene> {
    let mut found = Vec::new();
    for &(name, title) in PLACES {
        let value = &outcome[name];
        // Versions that part only in what they return or print have no words to show.
        let has_steps = value["transitions"]
            .as_array()
            .is_some_and(|t| !t.is_empty());
        let is_shown_elsewhere =
            (outcome["different_for"].as_array()).is_some_and(|pairs| !pairs.is_empty());
        if matches!(name, "gained" | "lost") && !has_steps && is_shown_elsewhere {
            continue;
        }
        let witnesses = match name {
            "automaton" => vec![json!("witnesses")],
            _ => vec![json!(name), json!("witnesses")],
        };
        // An automaton with witnesses beside its states, or both one level deeper.
        if value["states"].is_array() {
            found.push(scene(outcome, title, vec![json!(name)], witnesses));
        } else if value["automaton"]["states"].is_array() {
            let path = vec![json!(name), json!("automaton")];
            found.push(scene(outcome, title, path, witnesses));
        }
    }
    let lives = outcome["lives"]["automata"]
        .as_array()
        .into_iter()
        .flatten();
    for (index, life) in lives.enumerate() {
        let kind = life["kind"].as_str().unwrap_or("object");
        let path = |last: &str| vec![json!("lives"), json!("automata"), json!(index), json!(last)];
        let title = format!("The life of a {kind}");
        found.push(scene(outcome, &title, path("automaton"), path("witnesses")));
    }
    let points = outcome["points"].as_array().into_iter().flatten();
    for (index, point) in points.enumerate() {
        if point["automaton"]["states"].is_array() {
            let kind = point["kind"].as_str().unwrap_or("point");
            let title = match point["line"].as_u64() {
                Some(line) => format!("The {kind} at line {line}"),
                None => format!("The {kind}"),
            };
            let path = vec![json!("points"), json!(index), json!("automaton")];
            let witnesses = vec![json!("points"), json!(index), json!("witnesses")];
            found.push(scene(outcome, &title, path, witnesses));
        }
    }
    found
}

fn follow<'a>(outcome: &'a Value, path: &[Value]) -> &'a Value {
    path.iter().fold(outcome, |value, step| match step {
        Value::String(name) => &value[name.as_str()],
        step => &value[step.as_u64().unwrap_or(u64::MAX) as usize],
    })
}

fn scene(outcome: &Value, title: &str, path: Vec<Value>, witnesses: Vec<Value>) -> Scene {
    let words = follow(outcome, &witnesses).as_array();
    let words: Vec<Vec<&str>> = words
        .into_iter()
        .flatten()
        .take(10)
        .map(|witness| {
            let letters = witness["word"].as_array().into_iter().flatten();
            letters.filter_map(Value::as_str).collect()
        })
        .collect();
    let drawings = draw(follow(outcome, &path), &words).map_err(|error| error.to_string());
    Scene {
        title: title.to_owned(),
        path,
        witnesses,
        drawings,
    }
}

fn draw(automaton: &Value, words: &[Vec<&str>]) -> Result<Drawings, DrawError> {
    let graph = Graph::from_json(automaton)?;
    let ways: Vec<Vec<usize>> = words.iter().map(|word| way(&graph, word)).collect();
    let views = views(&graph, &ways, &Dagre)?;
    let mut svg = String::new();
    for view in &views {
        let _ = write!(svg, "{}", svg::inline(&view.drawing, &graph, &view.name));
    }
    Ok(Drawings {
        views: views
            .iter()
            .map(|view| json!({ "name": view.name, "title": view.title }))
            .collect(),
        n_states: graph.states.len(),
        alphabet: graph.alphabet,
        sinks: graph.sinks,
        svg,
    })
}

/// The states that a word may visit: all of them, where there is a choice.
fn way(graph: &Graph, word: &[&str]) -> Vec<usize> {
    let mut current: Vec<usize> = (0..graph.states.len())
        .filter(|&i| graph.states[i].initial)
        .collect();
    let mut visited = current.clone();
    for name in word {
        let letter = graph.alphabet.iter().position(|known| known == name);
        let mut next: Vec<usize> = graph
            .edges
            .iter()
            .filter(|edge| current.contains(&edge.from))
            .filter(|edge| edge.letters.iter().any(|l| l.letter == letter))
            .map(|edge| edge.to)
            .collect();
        next.sort_unstable();
        next.dedup();
        visited.extend(&next);
        current = next;
    }
    visited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automata_are_found_where_commands_put_them() {
        let automaton = json!({"kind": "dfa", "alphabet": ["a"],
            "states": [{"id": 0, "initial": true, "accepting": true}],
            "transitions": [{"from": 0, "to": 0, "letter": "a"}]});
        let mut flat = automaton.clone();
        flat["witnesses"] = json!([{"word": ["a"]}]);
        let outcome = json!({
            "gained": {"automaton": automaton, "witnesses": []},
            "lost": flat,
            "points": [{"kind": "loop", "line": 3}, {"kind": "exit", "automaton": automaton}],
        });
        let found = scenes(&outcome);
        let paths: Vec<Value> = found.iter().map(|s| s.to_json()["path"].clone()).collect();
        assert_eq!(
            paths,
            [
                json!(["gained", "automaton"]),
                json!(["lost"]),
                json!(["points", 1, "automaton"])
            ]
        );
        assert_eq!(
            found[1].to_json()["witnesses"],
            json!(["lost", "witnesses"])
        );
        assert!(found[2].svg().starts_with("<svg "));
    }

    #[test]
    fn a_broken_automaton_says_so() {
        let outcome = json!({"automaton": {"kind": "dfa", "alphabet": [], "states": [],
                                           "transitions": []}});
        assert_eq!(
            scenes(&outcome)[0].to_json()["problem"],
            "the automaton has no state"
        );
    }
}

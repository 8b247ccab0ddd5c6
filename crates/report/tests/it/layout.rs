//! Drawings of random automata: nothing lies on anything else, nothing is lost, and the same
//! automaton gives the same drawing.

use crate::common;

use common::{layered_automaton, random_automaton};
use idiolect_report::layout::Dagre;
use idiolect_report::{Drawing, Graph, automaton_svg, single_view, views};
use serde_json::{Value, json};

fn check_apart(drawing: &Drawing, what: &str) {
    let all = drawing.rectangles();
    for (index, (name, rect)) in all.iter().enumerate() {
        assert!(
            rect.left >= 0.0
                && rect.top >= 0.0
                && rect.right <= drawing.size.width
                && rect.bottom <= drawing.size.height,
            "{what}: {name} is off the paper"
        );
        for (other, other_rect) in &all[index + 1..] {
            assert!(
                !rect.overlaps(other_rect),
                "{what}: {name} {rect:?} and {other} {other_rect:?} overlap"
            );
        }
    }
}

fn graph(value: &Value) -> Graph {
    Graph::from_json(value).unwrap()
}

#[test]
fn nothing_overlaps_in_automata_of_30_and_200_states() {
    for (n_states, seeds) in [(1, 1), (2, 3), (30, 12), (200, 3)] {
        for seed in 0..seeds {
            for make in [random_automaton, layered_automaton] {
                let automaton = make(n_states, seed);
                let drawing = single_view(&graph(&automaton), &Dagre).unwrap();
                assert_eq!(drawing.nodes.len() as u64, n_states);
                check_apart(&drawing, &format!("{n_states} states, seed {seed}"));
            }
        }
    }
}

#[test]
fn loops_outputs_and_long_labels_have_their_room() {
    let formula = "forall i j. i < j < n implies a[i] <= a[j] and the rest of a long formula";
    let states: Vec<Value> = (0..6)
        .map(|id| json!({"id": id, "initial": id == 0, "output": formula}))
        .collect();
    let mut transitions = Vec::new();
    for id in 0..6 {
        for letter in [
            "a_rather_long_function_name",
            "b",
            "c",
            "another_long_name",
            "e",
        ] {
            transitions.push(json!({"from": id, "to": id, "letter": letter}));
            transitions.push(json!({"from": id, "to": (id + 1) % 6, "letter": letter}));
        }
        transitions.push(json!({"from": (id + 1) % 6, "to": id, "letter": "b"}));
    }
    let automaton = json!({"kind": "moore", "alphabet": ["b"], "states": states,
                           "transitions": transitions});
    check_apart(&single_view(&graph(&automaton), &Dagre).unwrap(), "Moore");
}

#[test]
fn every_view_of_a_large_automaton_is_legible() {
    let automaton = layered_automaton(200, 1);
    let graph = graph(&automaton);
    let views = views(&graph, &[], &Dagre).unwrap();
    let names: Vec<&str> = views.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names[0], "boxes");
    assert!(names.contains(&"all") && names.len() > 3, "{names:?}");
    for view in &views {
        check_apart(&view.drawing, &view.title);
    }
    // The boxes and single states of the overview hold every state once.
    let mut ids: Vec<u64> = views[0]
        .drawing
        .nodes
        .iter()
        .flat_map(|n| n.ids.clone())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..200).collect::<Vec<u64>>());
}

/// A dense automaton is no picture: what is drawn is what is around words, and that at once.
#[test]
fn of_dense_automata_little_is_drawn() {
    let n_states = 150;
    let transitions: Vec<Value> = (0..n_states)
        .flat_map(|from| (0..10).map(move |i| (from, (from * 7 + i * 31 + 1) % n_states, i)))
        .map(|(from, to, i)| json!({"from": from, "to": to, "letter": format!("a{i}")}))
        .collect();
    let states: Vec<Value> = (0..n_states)
        .map(|id| json!({"id": id, "initial": id == 0, "accepting": id == 9, "doomed": false}))
        .collect();
    let alphabet: Vec<String> = (0..10).map(|i| format!("a{i}")).collect();
    let automaton = json!({"kind": "dfa", "alphabet": alphabet, "states": states,
                           "transitions": transitions});
    let graph = Graph::from_json(&automaton).unwrap();
    let views = views(&graph, &[(0..100).collect()], &Dagre).unwrap();
    assert_eq!(views.len(), 1);
    let drawing = &views[0].drawing;
    assert!(
        (6..=60).contains(&drawing.nodes.len()),
        "{}",
        drawing.nodes.len()
    );
    assert!(drawing.edges.len() <= 250, "{}", drawing.edges.len());
    assert!(views[0].title.contains("of 150 states"));
}

#[test]
fn above_300_states_the_surroundings_of_words_are_drawn() {
    let automaton = random_automaton(500, 4);
    let graph = graph(&automaton);
    let ways = [vec![0, 1, 2], vec![0, 9]];
    let views = views(&graph, &ways, &Dagre).unwrap();
    assert_eq!(views.len(), 2);
    for (view, way) in views.iter().zip(&ways) {
        assert!(view.drawing.nodes.len() <= 60);
        let shown: Vec<u64> = view
            .drawing
            .nodes
            .iter()
            .flat_map(|n| n.ids.clone())
            .collect();
        assert!(way.iter().all(|&s| shown.contains(&(s as u64))));
    }
}

#[test]
fn the_same_automaton_gives_the_same_bytes() {
    for seed in 0..6 {
        let automaton = random_automaton(40, seed);
        let first = automaton_svg(&automaton).unwrap();
        for _ in 0..4 {
            assert_eq!(automaton_svg(&automaton).unwrap(), first);
        }
    }
}

#[test]
fn small_odd_automata_are_drawn() {
    for n_states in 1..9 {
        for seed in 0..60 {
            automaton_svg(&random_automaton(n_states, seed)).unwrap();
        }
    }
}

#[test]
fn names_cannot_break_out_of_the_drawing() {
    let automaton = json!({"kind": "moore", "alphabet": ["<script>"],
        "states": [{"id": 0, "initial": true, "output": "a < b & \"c\""}],
        "transitions": [{"from": 0, "to": 0, "letter": "<script>"}]});
    let svg = automaton_svg(&automaton).unwrap();
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"));
    assert!(svg.contains("a &lt; b &amp; &quot;c&quot;"));
}

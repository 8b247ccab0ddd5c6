//! `explain --relevance`: edges with the share of their statements that matter.

use serde_json::Value;
use std::process::Command;

fn explain(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .current_dir(xtask::root())
        .arg("explain")
        .args(arguments)
        .args(["--json", "--no-timing"])
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Every edge of a witness has a share; the automaton is the same as without.
#[test]
fn edges_have_shares() {
    for file in ["examples/explain/loop.c", "examples/explain/marks.c"] {
        let events: &[&str] = if file.ends_with("marks.c") {
            &["--events", "marks"]
        } else {
            &[]
        };
        let arguments = |more: &[&'static str]| -> Vec<&str> {
            [file]
                .into_iter()
                .chain(events.iter().copied())
                .chain(more.iter().copied())
                .collect()
        };
        let mut with = explain(&arguments(&["--relevance"]));
        let without = explain(&arguments(&[]));
        let edges = with["automaton"]["transitions"]
            .as_array_mut()
            .expect("edges");
        let mut n_shares = 0;
        for edge in edges.iter_mut() {
            if let Some(share) = edge["relevance"].as_f64() {
                assert!((0.0..=1.0).contains(&share), "{share}");
                n_shares += 1;
            }
            edge.as_object_mut().expect("an edge").remove("relevance");
        }
        assert!(n_shares > 0, "{file}: {with}");
        assert_eq!(with["automaton"], without["automaton"]);
    }
}

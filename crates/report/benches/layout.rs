//! How long drawings take (processor time, medians of five, Linux), and how large they are: `cargo bench -p idiolect-report`.

#![allow(clippy::print_stdout)]

#[path = "../tests/it/common/mod.rs"]
mod common;

use idiolect_report::layout::Dagre;
use idiolect_report::{Graph, automaton_svg, views};
use serde_json::Value;

/// Seconds that this thread has computed, which other work on the machine does not lengthen.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

type Make = fn(u64, u64) -> Value;

fn main() {
    let kinds: [(&str, Make); 2] = [
        ("random", common::random_automaton),
        ("layered", common::layered_automaton),
    ];
    println!(
        "{:<8} {:>7} {:>10} {:>12} {:>10}",
        "kind", "states", "one ms", "all views ms", "svg bytes"
    );
    for (name, make) in kinds {
        for n_states in [30, 60, 200, 300, 1000] {
            let (mut one, mut all, mut bytes) = (Vec::new(), Vec::new(), 0);
            for seed in 0..5 {
                let automaton = make(n_states, seed);
                let start = cpu_seconds();
                bytes = automaton_svg(&automaton).map_or(0, |svg| svg.len());
                one.push(cpu_seconds() - start);
                let start = cpu_seconds();
                let drawn = Graph::from_json(&automaton).and_then(|g| views(&g, &[], &Dagre));
                assert!(drawn.is_ok());
                all.push(cpu_seconds() - start);
            }
            one.sort_by(f64::total_cmp);
            all.sort_by(f64::total_cmp);
            println!(
                "{name:<8} {n_states:>7} {:>10.1} {:>12.1} {bytes:>10}",
                one[2] * 1e3,
                all[2] * 1e3
            );
        }
    }
}

//! Rough times of the operations that have to scale, on one random machine each:
//! `cargo run --release -p idiolect-automata --example timings [STATES] [LETTERS]`.
#![allow(clippy::print_stdout)]

use idiolect_automata::formats::dot::{self, Missing};
use idiolect_automata::formats::json::{self, JsonAutomaton};
use idiolect_automata::generate::{RandomDfa, random_reachable};
use idiolect_automata::{Alphabet, Dfa, StateId};
use idiolect_base::Rng;
use std::time::Instant;

fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = run();
    println!("{what:<44} {:>9.1} ms", start.elapsed().as_secs_f64() * 1e3);
    value
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map_while(|number| number.parse().ok());
    let n_states = arguments.next().unwrap_or(100_000);
    let n_letters = arguments.next().unwrap_or(10);
    let mut rng = Rng::new(1, 0);
    println!("{n_states} states, {n_letters} letters");
    let kind = RandomDfa {
        minimal: false,
        ..RandomDfa::new(n_states, n_letters)
    };
    let Some(dfa) = timed("generate", || kind.draw(&mut rng)) else {
        println!("there is no such automaton");
        return;
    };
    let minimal = timed("minimize, random", || dfa.minimize());
    println!("  {} states", minimal.n_states());

    // Two copies of a random machine that lead into each other: half of the states are redundant.
    let half = random_reachable(&mut rng, n_letters, dfa.outputs()[..n_states / 2].to_vec());
    if let Some(half) = half {
        let n = half.n_states();
        let outputs: Vec<bool> = (0..2 * n).map(|q| half.outputs()[q % n]).collect();
        let double = Dfa::from_fn(n_letters, &outputs, |q, a| {
            let to = half.step(StateId::new(q % n), a).index();
            if (q + a.index()).is_multiple_of(3) {
                to + n
            } else {
                to
            }
        });
        let folded = timed("minimize, half redundant", || double.minimize());
        println!(
            "  {} of {} states",
            folded.n_states(),
            double.reachable_states().len()
        );
        let equal = timed("compare, equivalent", || double.is_equivalent(&half));
        println!("  {equal}");
    }

    // A long line, the worst case of refinement by rounds.
    let ends: Vec<bool> = (0..n_states).map(|q| q + 1 == n_states).collect();
    let line = Dfa::from_fn(2, &ends, |q, a| {
        if a.index() == 0 {
            (q + 1).min(n_states - 1)
        } else {
            q
        }
    });
    let shortest = timed("minimize, line", || line.minimize());
    println!("  {} states", shortest.n_states());

    let mut other = dfa.clone();
    let last = StateId::new(n_states - 1);
    other.set_output(last, !dfa.is_accepting(last));
    let word = timed("compare, one output changed", || {
        dfa.distinguishing_word(&other)
    });
    println!("  a word of {} letters", word.map_or(0, |word| word.len()));
    timed("compare with itself", || dfa.is_equivalent(&dfa));
    timed("first 1000 accepted words", || {
        dfa.accepted_words().take(1000).count()
    });
    timed("trim and mark", || dfa.trim().marks());

    let alphabet = Alphabet::numbered(n_letters);
    let text = timed("write DOT", || dot::write_dfa(&dfa, &alphabet));
    println!("  {} MB", text.len() / 1_000_000);
    let read = timed("read DOT", || {
        dot::read_dfa(text.as_bytes(), Missing::Refuse)
    });
    println!("  same: {}", read.is_ok_and(|(back, _)| back == dfa));
    let text = timed("write JSON", || {
        JsonAutomaton::from_complete_dfa(&dfa, &alphabet).write()
    });
    let read = timed("read JSON", || json::read_dfa(text.as_bytes()));
    println!("  same: {}", read.is_ok_and(|(back, _)| back == dfa));
}

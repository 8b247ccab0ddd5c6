//! What `cargo xtask ratio symex` measures: many questions to one encoding against one encoding for
//! each, and how encodings grow. Prints one number a line.
//!
//! `membership once N` asks N words of one encoding, `membership each N` encodes again for each of N
//! words, `membership word I` asks the one word, as a process of its own would; all print the seconds
//! and how many words are members. `membership growth` prints a table.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

use idiolect_automata::Letter;
use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_ir::Program;
use idiolect_ir::events::events;
use idiolect_smt::Solver;
use idiolect_symex::events::Words;
use idiolect_symex::{Config, Encoding, EndKind, encode};
use std::time::Instant;

/// Every comparison of a pass is `swap` or `keep`; a run has a word of 10 of them.
const BUBBLE_SORT: &str = "
extern int nondet(void);
int a[5];
void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
void keep(void) {}
void pass(int n) {
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) swap(&a[i], &a[i + 1]); else keep();
}
int main(void) {
  for (int i = 0; i < 5; i++) a[i] = nondet();
  for (int n = 5; n > 1; n--) pass(n);
  return 0;
}";
const LENGTH: usize = 10;

const LOOP: &str = "
extern int nondet(void); extern void reach_error(void);
int a[1000];
int main(void) { int n = nondet(), s = 0;
  for (int i = 0; i < n; i++) { a[i] = nondet(); if (a[i] > 3) s += a[i]; }
  if (s == 7) reach_error();
  return s; }";

const SYMBOLIC: &str = "
extern int nondet(void); extern void reach_error(void);
int a[1000];
int main(void) { int n = nondet(), s = 0;
  for (int i = 0; i < n; i++) { unsigned k = nondet(); a[k % 1000] = i; s += a[i % 1000]; }
  if (s == 7) reach_error();
  return s; }";

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("bench.c", text.into());
    compile(sources, &[id], &Options::default())
        .program
        .expect("a program without errors")
}

fn sort_encoding(program: &Program) -> (Encoding, Words) {
    let all = events(program);
    let sites = |name: &str| {
        let found = all.iter().find(|e| e.name == name);
        found.expect("a function of the program").sites.clone()
    };
    let config = Config {
        letters: vec![sites("swap"), sites("keep")],
        max_word: LENGTH,
        ..Config::default()
    };
    let mut encoding = encode(program, &config, &Budget::unlimited()).expect("no limit");
    let words = Words::new(&mut encoding, |kind| matches!(kind, EndKind::Exit(_)));
    (encoding, words)
}

/// Every second word is that of a run, the others are random.
fn word(number: u64) -> Vec<Letter> {
    let mut rng = Rng::new(number, 0);
    if number % 2 == 1 {
        return (0..LENGTH)
            .map(|_| Letter::new(rng.below(2) as usize))
            .collect();
    }
    let mut a: Vec<u64> = (0..5).map(|_| rng.below(9)).collect();
    let mut word = Vec::new();
    for n in (2..=5).rev() {
        for i in 0..n - 1 {
            let swaps = a[i] > a[i + 1];
            if swaps {
                a.swap(i, i + 1);
            }
            word.push(Letter::new(usize::from(!swaps)));
        }
    }
    word
}

fn ask(solver: &mut Solver, encoding: &Encoding, words: &Words, word: &[Letter]) -> bool {
    let question = words.member(word).expect("no word is too long");
    solver
        .check(&encoding.terms, &question, &Budget::unlimited())
        .is_sat()
}

const BOUNDS: [usize; 7] = [10, 20, 50, 100, 200, 500, 1000];

fn growth(name: &str, text: &str, unwind: usize) {
    let program = program(text);
    let config = Config {
        unwind,
        ..Config::default()
    };
    let start = Instant::now();
    let encoding = encode(&program, &config, &Budget::unlimited()).expect("no limit");
    println!(
        "{name:<10} {unwind:>6} {:>10} {:>10.4}",
        encoding.terms.len(),
        start.elapsed().as_secs_f64()
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1000);
    let start = Instant::now();
    let mut n_members = 0;
    match args.first().map(String::as_str) {
        Some("once") => {
            let program = program(BUBBLE_SORT);
            let (encoding, words) = sort_encoding(&program);
            let mut solver = Solver::new();
            for i in 0..number {
                n_members += u32::from(ask(&mut solver, &encoding, &words, &word(i)));
            }
        }
        Some("each") => {
            let program = program(BUBBLE_SORT);
            for i in 0..number {
                let (encoding, words) = sort_encoding(&program);
                n_members += u32::from(ask(&mut Solver::new(), &encoding, &words, &word(i)));
            }
        }
        Some("word") => {
            let program = program(BUBBLE_SORT);
            let (encoding, words) = sort_encoding(&program);
            n_members += u32::from(ask(&mut Solver::new(), &encoding, &words, &word(number)));
        }
        _ => {
            println!(
                "{:<10} {:>6} {:>10} {:>10}",
                "program", "bound", "terms", "seconds"
            );
            for unwind in BOUNDS {
                growth("loop", LOOP, unwind);
            }
            for unwind in BOUNDS {
                growth("symbolic", SYMBOLIC, unwind);
            }
            // As many rounds as the array is long.
            for length in BOUNDS {
                let text = LOOP.replace("1000", &length.to_string());
                growth("length", &text, length);
            }
            return;
        }
    }
    println!("{}", start.elapsed().as_secs_f64());
    println!("{n_members}");
}

//! Lists of any length: proofs about chains of blocks, against runs that build short ones.

use crate::common::with_prelude;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, RunOptions, ZeroInputs,
};
use idiolect_ir::checks::{CheckOptions, instrument};
use idiolect_ir::{Program, Property};
use idiolect_prove::states::{Config, Folding, prove};
use std::sync::Arc;

const PRELUDE: &str = "void *malloc(unsigned long); void free(void *);
    struct node { int h; struct node *n; };
    int in(void) { return __VERIFIER_nondet_uchar() & 1; }
    struct node *made(int h, struct node *n) {
        struct node *p = malloc(sizeof *p); p->h = h; p->n = n; return p; }";

fn program(text: &str, properties: &[Property]) -> Program {
    let mut program = with_prelude(&format!("{PRELUDE} {text}"));
    instrument(&mut program, properties, CheckOptions::default());
    program
}

fn is_proved(text: &str, properties: &[Property]) -> bool {
    let config = Config {
        properties: properties.to_vec(),
        ..Config::default()
    };
    let budget = Budget::steps(3_000_000);
    prove(&program(text, properties), &config, &budget)
        .result
        .is_ok()
}

const MEMORY: [Property; 4] = [
    Property::Assert,
    Property::Memory,
    Property::Free,
    Property::Leak,
];

#[test]
fn lists_are_built_walked_and_freed() {
    let freed = "while (a) { struct node *t = a->n; free(a); a = t; } return 0; }";
    for walk in [
        // Built from the end, from the start, and turned round.
        "int main(void) { struct node *a = 0; while (in()) a = made(1, a);
           for (struct node *p = a; p; p = p->n) check(p->h == 1);",
        "int main(void) { struct node *a = made(1, 0), *p = a;
           while (in()) { p->n = made(1, 0); p = p->n; }
           for (p = a; p; p = p->n) check(p->h == 1);",
        "int main(void) { struct node *a = 0, *r = 0; while (in()) a = made(1, a);
           while (a) { struct node *t = a->n; a->n = r; r = a; a = t; }
           for (a = r; a; a = a->n) check(a->h == 1); a = r;",
        // Ones, then twos, then one three.
        "int main(void) { struct node *a = malloc(sizeof *a), *p = a;
           while (in()) { p->h = 1; p->n = malloc(sizeof *p); p = p->n; }
           while (in()) { p->h = 2; p->n = malloc(sizeof *p); p = p->n; }
           p->h = 3; p->n = 0;
           for (p = a; p->h == 1; p = p->n) ; while (p->h == 2) p = p->n; check(p->h == 3);",
        // Put in and taken out in the middle.
        "int main(void) { struct node *a = made(0, 0); while (in()) a->n = made(2, a->n);
           struct node *p = a; while (p->n && in()) p = p->n;
           if (p->n) { struct node *t = p->n; p->n = t->n; free(t); }
           for (p = a->n; p; p = p->n) check(p->h == 2);",
        // Numbers of any kind, between two others.
        "int main(void) { struct node *a = 0;
           while (in()) { int h = __VERIFIER_nondet_uchar(); if (h > 4 && h < 9) a = made(h, a); }
           for (struct node *p = a; p; p = p->n) check(p->h > 4 && p->h < 9);",
    ] {
        assert!(is_proved(&format!("{walk} {freed}"), &MEMORY), "{walk}");
    }
}

#[test]
fn what_is_wrong_with_a_list_is_not_proved() {
    let built = "int main(void) { struct node *a = 0; while (in()) a = made(1, a);";
    for rest in [
        // The second block is never freed; nor is any; one is freed twice; the list is used afterwards.
        "while (a) { struct node *t = a->n; free(a); if (t) a = t->n; else a = 0; } return 0; }",
        "return 0; }",
        "if (a) { free(a); free(a); } return 0; }",
        "if (a) { free(a); check(a->h == 1); } return 0; }",
        "check(a != 0); while (a) { struct node *t = a->n; free(a); a = t; } return 0; }",
        "check(a == 0 || a->n == 0); while (a) { struct node *t = a->n; free(a); a = t; } return 0; }",
        "if (a) { a->h = 2; for (struct node *p = a; p; p = p->n) check(p->h == 2); }
           while (a) { struct node *t = a->n; free(a); a = t; } return 0; }",
        "check(a->h == 1); while (a) { struct node *t = a->n; free(a); a = t; } return 0; }",
        // The tail of a list is shared and freed by both.
        "struct node *b = a ? a->n : 0; while (a) { struct node *t = a->n; free(a); a = t; }
           while (b) { struct node *t = b->n; free(b); b = t; } return 0; }",
    ] {
        assert!(!is_proved(&format!("{built} {rest}"), &MEMORY), "{rest}");
    }
}

const POINTERS: [&str; 4] = ["a", "b", "p", "q"];

fn pointer(rng: &mut Rng) -> &'static str {
    POINTERS[rng.below(4) as usize]
}

fn statement(rng: &mut Rng, depth: u32) -> String {
    let (x, y) = (pointer(rng), pointer(rng));
    let k = rng.below(3);
    match rng.below(if depth == 0 { 11 } else { 16 }) {
        0 | 1 => format!("{x} = made({k}, {x});"),
        2 => format!("if ({x}) {{ t = {x}; {x} = {x}->n; free(t); t = 0; }}"),
        3 => format!("{x} = {y};"),
        4 => format!("if ({x}) {x} = {x}->n;"),
        5 => format!("if ({x}) {x}->h = {k};"),
        6 => format!("if ({x}) {x}->n = made({k}, {x}->n);"),
        7 => format!(
            "if ({x} && {x}->n) {{ t = {x}->n; {x}->n = t->n; t->n = {y}; {y} = t; t = 0; }}"
        ),
        8 => format!("if ({x}) {x}->n = {y};"),
        9 => format!("{x} = 0;"),
        10 => format!("check({x} == 0 || {x}->h <= {k});"),
        11 => format!("for (t = {x}; t; t = t->n) {{ check(t->h != {k}); }} t = 0;"),
        12 => format!(
            "t = 0; while ({x}) {{ u = {x}->n; {x}->n = t; t = {x}; {x} = u; }} {x} = t; t = u = 0;"
        ),
        13 => format!(
            "while ({x} && in()) {{ {} {x} = {x}->n; }}",
            statement(rng, depth - 1)
        ),
        _ => format!(
            "while (in()) {{ {} {} }}",
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
    }
}

/// A program with lists that takes bits.
fn generated(seed: u64) -> String {
    let mut rng = Rng::new(seed, 23);
    let n = 3 + rng.below(4);
    let all: Vec<String> = (0..n).map(|_| statement(&mut rng, 2)).collect();
    let place = if rng.chance(1, 2) { "static" } else { "" };
    format!(
        "int main(void) {{ {place} struct node *a = 0, *b = 0, *p = 0, *q = 0; struct node *t = 0, *u = 0;
         while (in()) {} {} check({} == 0 || {}->h != {}); return 0; }}",
        statement(&mut rng, 0),
        all.join(" "),
        "a", "a",
        rng.below(3),
    )
}

#[test]
fn what_is_proved_of_lists_has_no_error_in_any_run() {
    let given = std::env::var("IDIOLECT_PROOFS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse::<u64>().ok());
    let (first, count) = match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 40),
    };
    let (mut n_proved, mut n_wrong) = (0, 0);
    for seed in first..first + count {
        let text = generated(seed);
        let properties = match seed % 3 {
            0 => &MEMORY[..],
            _ => &MEMORY[..3],
        };
        let program = program(&text, properties);
        let proved = |folding| {
            let config = Config {
                properties: properties.to_vec(),
                folding,
                max_constants: 4,
                max_blocks: 12,
                max_states: 1_000,
            };
            let budget = Budget::steps(200_000);
            prove(&program, &config, &budget).result.is_ok()
        };
        let is_proved = proved(Folding::Alike) || proved(Folding::Any);
        let compiled = Compiled::new(Arc::new(program.clone()), &CompileOptions::default());
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let has_error = (0..256u128).any(|n| {
            let bits = (0..8).map(|i| n >> i & 1).collect();
            let mut inputs = FixedInputs::new(bits, ZeroInputs);
            let outcome = machine.run(&mut inputs, &mut NoObserver, &Budget::steps(5_000));
            matches!(outcome.end, End::Error(_) | End::Fault(_))
        });
        assert!(!(is_proved && has_error), "seed {seed}: {text}");
        n_proved += u64::from(is_proved);
        n_wrong += u64::from(has_error);
    }
    // Otherwise the test would say nothing.
    assert!(n_proved >= count / 10, "{n_proved} proved");
    assert!(n_wrong >= count / 10, "{n_wrong} with an error");
}

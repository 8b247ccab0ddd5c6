//! Lists with pointers in both directions: proofs, and programs that look alike and are wrong.

use crate::common::with_prelude;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, RunOptions, ZeroInputs,
};
use idiolect_ir::checks::{CheckOptions, instrument};
use idiolect_ir::{Program, Property};
use idiolect_prove::states::{Config, Folding, prove};
use std::sync::Arc;

/// `made` puts a block between two others, either of which may be missing.
const PRELUDE: &str = "void *malloc(unsigned long); void free(void *);
    struct node { int h; struct node *n, *p; };
    int in(void) { return __VERIFIER_nondet_uchar() & 1; }
    struct node *made(int h, struct node *p, struct node *n) {
        struct node *x = malloc(sizeof *x); x->h = h; x->n = n; x->p = p;
        if (n) n->p = x; if (p) p->n = x; return x; }
    void unlink(struct node *x) {
        if (x->n) x->n->p = x->p; if (x->p) x->p->n = x->n; free(x); }";

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
fn lists_are_built_walked_both_ways_and_freed() {
    let freed = "while (a) { struct node *t = a->n; free(a); a = t; } return 0; }";
    for walk in [
        // From the start, and from the end with a pointer to the last.
        "int main(void) { struct node *a = 0; while (in()) a = made(1, 0, a);
           for (struct node *p = a; p; p = p->n) check(p->h == 1 && (!p->n || p->n->p == p));",
        "int main(void) { struct node *a = 0, *z = 0;
           while (in()) { z = made(1, z, 0); if (!a) a = z; }
           for (struct node *p = z; p; p = p->p) check(p->h == 1 && (p->p || p == a));",
        // There and back again.
        "int main(void) { struct node *a = made(0, 0, 0), *p = a;
           while (in()) p = made(2, p, 0);
           while (p->p) p = p->p;
           check(p == a);",
        // Put in and taken out in the middle.
        "int main(void) { struct node *a = made(0, 0, 0); while (in()) made(2, a, a->n);
           struct node *p = a; while (p->n && in()) p = p->n;
           if (p->n) unlink(p->n);
           if (in()) made(2, p, p->n);
           for (p = a->n; p; p = p->n) check(p->h == 2 && p->p->n == p);",
        // Turned round.
        "int main(void) { struct node *a = 0; while (in()) a = made(1, 0, a);
           struct node *r = 0; while (a) { r = a; struct node *t = a->n; a->n = a->p; a->p = t; a = t; }
           for (a = r; a; a = a->n) check(a->h == 1); a = r;",
    ] {
        assert!(is_proved(&format!("{walk} {freed}"), &MEMORY), "{walk}");
    }
    // A ring with a head of its own.
    let ring = "struct node head;
        int main(void) { head.n = head.p = &head;
            while (in()) { if (in()) made(1, &head, head.n); else made(1, head.p, &head); }
            for (struct node *p = head.p; p != &head; p = p->p) check(p->h == 1);
            while (head.n != &head) unlink(head.n);
            return 0; }";
    assert!(is_proved(ring, &MEMORY));
}

#[test]
fn what_is_wrong_with_a_list_of_both_ways_is_not_proved() {
    let built = "int main(void) { struct node *a = 0, *z = 0;
        while (in()) { z = made(1, z, 0); if (!a) a = z; }";
    let freed = "while (a) { struct node *t = a->n; free(a); a = t; } return 0; }";
    for rest in [
        "return 0; }",
        "check(!a || a != z);",
        "check(a == z);",
        "if (a && a->n) check(a->n == z);",
        "if (a && a->n) check(a->n != z);",
        "if (z) { z->h = 2; for (struct node *p = a; p; p = p->n) check(p->h == 1); }",
        "if (z) { z->h = 2; for (struct node *p = a; p != z; p = p->n) check(p->h == 2); }",
        // The one before is freed, and then looked at.
        "if (z && z->p) { free(z->p); check(z->p->h == 1); } return 0; }",
        // A pointer back is forgotten.
        "if (a && a->n) { struct node *t = a->n; a->n = t->n; free(t); }
           while (z) { struct node *t = z->p; free(z); z = t; } return 0; }",
        // Both ends are freed.
        "while (z) { struct node *t = z->p; free(z); z = t; }",
        // The last is freed twice.
        "if (z) free(z);",
        "if (z) { z->n = a; a->p = z; }",
    ] {
        let text = if rest.contains("return") {
            format!("{built} {rest}")
        } else {
            format!("{built} {rest} {freed}")
        };
        assert!(!is_proved(&text, &MEMORY), "{rest}");
    }
}

const POINTERS: [&str; 4] = ["a", "b", "p", "q"];

fn statement(rng: &mut Rng, depth: u32) -> String {
    let (x, y) = (
        POINTERS[rng.below(4) as usize],
        POINTERS[rng.below(4) as usize],
    );
    let k = rng.below(3);
    match rng.below(if depth == 0 { 15 } else { 22 }) {
        0 | 1 => format!("{x} = made({k}, 0, {x});"),
        2 => format!("{x} = made({k}, {x}, 0);"),
        3 => format!("if ({x}) {{ t = {x}; {x} = {x}->n; unlink(t); t = 0; }}"),
        4 => format!("{x} = {y};"),
        5 => format!("if ({x}) {x} = {x}->n;"),
        6 => format!("if ({x} && {x}->p) {x} = {x}->p;"),
        7 => format!("if ({x}) {x}->h = {k};"),
        8 => format!("if ({x}) made({k}, {x}, {x}->n);"),
        9 => format!("if ({x} && {x}->n) unlink({x}->n);"),
        10 => format!("if ({x} && {x}->p) unlink({x}->p);"),
        11 => format!("if ({x}) {x}->n = {y};"),
        12 => format!("if ({x} && {y} && {x} != {y}) {{ {x}->n = {y}; {y}->p = {x}; }}"),
        13 => format!("check({x} == 0 || {x}->h <= {k});"),
        14 => format!("check(!{x} || !{x}->n || {x}->n->p == {x});"),
        15 => format!("for (t = {x}; t; t = t->n) {{ check(t->h != {k}); }} t = 0;"),
        16 => format!("for (t = {x}; t; t = t->p) {{ check(t->h != {k}); }} t = 0;"),
        17 => format!("for (t = {x}; t; t = t->n) {{ check(t != {y} || t->h == {k}); }} t = 0;"),
        18 => format!(
            "while ({x} && in()) {{ {} if ({x}) {x} = {x}->n; }}",
            statement(rng, depth - 1)
        ),
        19 => format!(
            "while ({x} && in()) {{ {} if ({x}) {x} = {x}->p; }}",
            statement(rng, depth - 1)
        ),
        _ => format!(
            "while (in()) {{ {} {} }}",
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
    }
}

/// A program with lists in both directions that takes bits.
fn generated(seed: u64) -> String {
    let mut rng = Rng::new(seed, 29);
    let n = 2 + rng.below(4);
    let first = [
        "if (in()) { a = made(1, 0, a); if (!b) b = a; } else { b = made(1, b, 0); if (!a) a = b; }",
        "a = made(1, 0, a);",
        "b = made(2, b, 0); if (!a) a = b;",
        "made(0, a, a->n);",
    ][rng.below(4) as usize];
    let start = if first.starts_with("made") {
        "a = made(0, 0, 0);"
    } else {
        ""
    };
    let all: Vec<String> = (0..n).map(|_| statement(&mut rng, 2)).collect();
    let place = if rng.chance(1, 2) { "static" } else { "" };
    format!(
        "int main(void) {{ {place} struct node *a = 0, *b = 0, *p = 0, *q = 0; struct node *t = 0;
         {start} while (in()) {{ {first} }} {} check(a == 0 || a->h != {}); return 0; }}",
        all.join(" "),
        rng.below(3),
    )
}

#[test]
fn what_is_proved_of_lists_of_both_ways_has_no_error_in_any_run() {
    let given = std::env::var("IDIOLECT_PROOFS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse::<u64>().ok());
    let (first, count) = match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 60),
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
        let has_error = (0..512u128).any(|n| {
            let bits = (0..9).map(|i| n >> i & 1).collect();
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

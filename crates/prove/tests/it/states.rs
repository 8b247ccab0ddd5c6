//! Proofs by abstract states: against all runs of small programs, and on programs that need them.

use crate::common::with_prelude;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, RunOptions, ZeroInputs,
};
use idiolect_ir::Property;
use idiolect_prove::states::{Config, NotProved, Outcome, prove};
use std::sync::Arc;

fn states_of(text: &str) -> Outcome {
    prove(
        &with_prelude(text),
        &Config::default(),
        &Budget::unlimited(),
    )
}

fn is_proved(text: &str) -> bool {
    states_of(text).result.is_ok()
}

/// Integers of several widths, an array, a record, and pointers to them.
const PLACES: [&str; 9] = ["a", "b", "c", "d", "v[0]", "v[1]", "*p", "s.x", "q->y"];

fn place(rng: &mut Rng) -> &'static str {
    PLACES[rng.below(9) as usize]
}

fn operand(rng: &mut Rng) -> String {
    match rng.below(6) {
        0..3 => place(rng).to_owned(),
        3 => "v[a & 3]".to_owned(),
        4 => "in()".to_owned(),
        _ => rng.below(5).to_string(),
    }
}

fn expression(rng: &mut Rng) -> String {
    let op = ["+", "-", "&", "|", "^", "*", "<<", ">>", "/", "%"][rng.below(10) as usize];
    match (rng.below(6), op) {
        (0..2, _) => operand(rng),
        (2, _) => format!("twice({})", operand(rng)),
        (3, _) => format!("({} ? {} : {})", condition(rng), operand(rng), operand(rng)),
        (_, "/" | "%") => format!("{} {op} {}", operand(rng), 1 + rng.below(4)),
        (_, "<<" | ">>") => format!("({} & 7) {op} {}", operand(rng), rng.below(3)),
        _ => format!("{} {op} {}", operand(rng), operand(rng)),
    }
}

fn condition(rng: &mut Rng) -> String {
    let op = ["<", "<=", "==", "!=", ">", ">="][rng.below(6) as usize];
    match rng.below(8) {
        0 => format!("p == &{}", ["a", "b", "v[1]"][rng.below(3) as usize]),
        1 => format!("{} && {}", place(rng), place(rng)),
        2 => format!("(unsigned){} {op} {}", place(rng), rng.below(5)),
        _ => format!("{} {op} {}", place(rng), operand(rng)),
    }
}

fn statement(rng: &mut Rng, depth: u32) -> String {
    match rng.below(if depth == 0 { 7 } else { 10 }) {
        0..3 => format!("{} = {};", place(rng), expression(rng)),
        3 => format!(
            "p = {};",
            ["&a", "&b", "&v[0]", "v + 1", "&s.x"][rng.below(5) as usize]
        ),
        4 => format!("v[{} & 3] = {};", place(rng), operand(rng)),
        5 => ["s = *q;", "*q = s;", "memcpy(v, v + 2, 8);", "swap(&a, p);"][rng.below(4) as usize]
            .to_owned(),
        6 => format!("{} = turn({});", place(rng), operand(rng)),
        7 | 8 => format!(
            "if ({}) {{ {} }} else {{ {} }}",
            condition(rng),
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
        _ => format!(
            "for (int i = 0; i < {}; i++) {{ {} {} }}",
            1 + rng.below(3),
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
    }
}

/// A program with up to three inputs of two bits each.
fn generated(seed: u64) -> String {
    let mut rng = Rng::new(seed, 11);
    let rng = &mut rng;
    let types = ["unsigned char", "signed char", "short", "int", "unsigned"];
    let (c, d) = (types[rng.below(5) as usize], types[rng.below(5) as usize]);
    let n = 2 + rng.below(4);
    let all: Vec<String> = (0..n).map(|_| statement(rng, 2)).collect();
    format!(
        "void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
         struct pair {{ short y; int x; }};
         int a, b = 1; {c} c; static int v[4] = {{ 0, 1, 2, 3 }}; int left = 3;
         int in(void) {{ if (left == 0) return 1; left--; return __VERIFIER_nondet_uchar() & 3; }}
         int twice(int x) {{ return x + x; }}
         int turn(int x) {{ switch (x) {{ case 0: return 1; case 1: return 2; case 2: a++; return 0;
             default: return x > 2 ? 2 : 0; }} }}
         void swap(int *x, int *y) {{ int t = *x; *x = *y; *y = t; }}
         int main(void) {{ {d} d = in(); struct pair s = {{ 1, 2 }}; struct pair *q = malloc(sizeof *q);
           q->x = in(); q->y = 0; int *p = &a; {} check({}); return 0; }}",
        all.join(" "),
        condition(rng),
    )
}

#[test]
fn what_is_proved_has_no_error_with_any_input() {
    let given = std::env::var("IDIOLECT_PROOFS").unwrap_or_default();
    let mut numbers = given.split(' ').filter_map(|n| n.parse::<u64>().ok());
    let (first, count) = match (numbers.next(), numbers.next()) {
        (Some(first), Some(count)) => (first, count),
        _ => (0, 1000),
    };
    let (mut n_proved, mut n_wrong) = (0, 0);
    for seed in first..first + count {
        let text = generated(seed);
        let program = with_prelude(&text);
        let is_proved = prove(&program, &Config::default(), &Budget::unlimited())
            .result
            .is_ok();
        let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let has_error = (0..64u128).any(|n| {
            let inputs = vec![n & 3, n >> 2 & 3, n >> 4];
            let mut inputs = FixedInputs::new(inputs, ZeroInputs);
            let outcome = machine.run(&mut inputs, &mut NoObserver, &Budget::steps(100_000));
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

/// Runs of any length, where what was done before decides.
#[test]
fn machines_without_end_are_proved() {
    assert!(is_proved(
        "int st, lock; int main(void) { while (1) {
           if (st == 0 && __VERIFIER_nondet_int()) { check(!lock); lock = 1; st = 1; }
           else if (st == 1) { st = 2; } else if (st == 2) { check(lock); lock = 0; st = 0; } } }"
    ));
    // One wrong turn after some rounds.
    assert!(!is_proved(
        "int st, lock; int main(void) { while (1) {
           if (st == 0 && __VERIFIER_nondet_int()) { check(!lock); lock = 1; st = 1; }
           else if (st == 1) { st = 2; } else if (st == 2) { st = 0; } } }"
    ));
}

/// The same unknown number in two places stays the same, also when both count on.
#[test]
fn an_unknown_number_is_known_again() {
    assert!(is_proved(
        "int main(void) { int t = __VERIFIER_nondet_int(); int l = t; t = t + 1; l = l + 1;
           check(t == l); int big = t > 100; if (big) check(l > 100); return 0; }"
    ));
    assert!(!is_proved(
        "int main(void) { int t = __VERIFIER_nondet_int(); int l = t; t = t + 1;
           check(t > l); return 0; }"
    ));
}

/// A counter that does not matter does not make the search endless; one that matters is not proved.
#[test]
fn counters_become_unknowns() {
    assert!(is_proved(
        "int n, odd; int main(void) { while (__VERIFIER_nondet_int()) { n++; odd = !odd; }
           check(odd == 0 || odd == 1); return 0; }"
    ));
    assert!(!is_proved(
        "int n; int main(void) { while (__VERIFIER_nondet_int()) { n++; } check(n != 1000); return 0; }"
    ));
}

#[test]
fn whatever_may_fault_is_not_proved() {
    for text in [
        "int a[3]; int main(void) { return a[__VERIFIER_nondet_int() & 3]; }",
        "int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) *p = 1; return 0; }",
        "int main(void) { return 7 / __VERIFIER_nondet_int(); }",
        "void *malloc(unsigned long); void free(void *);
         int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }",
        "int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }",
    ] {
        let found = states_of(text).result;
        assert!(
            matches!(found, Err(NotProved::GaveUp(_))),
            "{text}: {found:?}"
        );
    }
    let overflow = Config {
        properties: vec![Property::Overflow],
        ..Config::default()
    };
    let program = with_prelude("int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }");
    let found = prove(&program, &overflow, &Budget::unlimited()).result;
    assert!(matches!(found, Err(NotProved::GaveUp(_))), "{found:?}");
    let program = with_prelude(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x < 100 && x > 0 ? x + 1 : 0; }",
    );
    assert!(
        prove(&program, &overflow, &Budget::unlimited())
            .result
            .is_ok()
    );
}

/// Functions that call themselves and each other, with arguments of which little or much is known.
fn recursive(seed: u64) -> String {
    let mut rng = Rng::new(seed, 12);
    let rng = &mut rng;
    let mut pick = |list: &[&str]| list[rng.below(list.len() as u64) as usize].to_owned();
    let (op, other) = (pick(&["+", "-", "*", "^"]), pick(&["+", "-", "|"]));
    let call = pick(&["f(n - 1, k)", "g(n - 1)", "f(n - 2, n)", "f(n - 1, k + 1)"]);
    let more = pick(&["g(n - 2)", "k", "n", "f(n - 3, 1)"]);
    let (ty, narrow) = (
        pick(&["int", "short", "unsigned char"]),
        pick(&["long", "int"]),
    );
    let end = pick(&["k", "1", "n", "n + k"]);
    let (low, high) = (pick(&["-2", "0", "1"]), pick(&["6", "12", "16"]));
    let (cmp, wanted) = (
        pick(&["<", "!=", ">=", "<=", "=="]),
        pick(&["0", "3", "-1", "34", "n", "100"]),
    );
    let first = pick(&["n", "n - 1", "3", "n & 7"]);
    format!(
        "int g(int n);
         int f({ty} n, int k) {{ if (n < 1) return {end}; if (n == 1) return {sign}1 * 2; return {call} {op} {more}; }}
         int g(int n) {{ if (n <= 0) return 0; return f(n - 1, 2) {other} g(n - 2); }}
         int main(void) {{ int n = (signed char)__VERIFIER_nondet_char(); if (n < {low} || n > {high}) return 0;
           {narrow} r = f({first}, 2); if (r == 7) return 0; check(r {cmp} {wanted}); return 0; }}",
        sign = if op == "-" { "-" } else { "" },
    )
}

#[test]
fn tables_of_recursive_functions_say_what_runs_say() {
    let (mut n_proved, mut n_wrong) = (0, 0);
    for seed in 0..600 {
        let text = recursive(seed);
        let program = with_prelude(&text);
        let is_proved = prove(&program, &Config::default(), &Budget::steps(2_000_000))
            .result
            .is_ok();
        let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let has_error = (0..=16u128).chain(250..256).any(|n| {
            let mut inputs = FixedInputs::new(vec![n], ZeroInputs);
            let outcome = machine.run(&mut inputs, &mut NoObserver, &Budget::steps(300_000));
            matches!(outcome.end, End::Error(_) | End::Fault(_))
        });
        assert!(!(is_proved && has_error), "seed {seed}: {text}");
        n_proved += u64::from(is_proved);
        n_wrong += u64::from(has_error);
    }
    assert!(n_proved >= 60, "{n_proved} proved");
    assert!(n_wrong >= 60, "{n_wrong} with an error");
}

#[test]
fn a_recursive_function_is_looked_up() {
    let fibonacci =
        "int f(int n) { if (n < 1) return 0; if (n == 1) return 1; return f(n - 1) + f(n - 2); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > 46) return 0; int r = f(n); ";
    assert!(is_proved(&format!(
        "{fibonacci} check(n < 9 || r >= 34); return 0; }}"
    )));
    assert!(!is_proved(&format!(
        "{fibonacci} check(n < 9 || r >= 35); return 0; }}"
    )));
    // One more, and the sum wraps around.
    let wider = fibonacci.replace("n > 46", "n > 47");
    assert!(!is_proved(&format!(
        "{wider} check(n < 9 || r >= 34); return 0; }}"
    )));
}

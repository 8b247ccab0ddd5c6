//! Lists of any length in proofs by abstract states: what holds of them is proved, and nothing that a run breaks.

use crate::common::with_prelude;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, RunOptions, ZeroInputs,
};
use idiolect_prove::states::{Config, prove};
use std::sync::Arc;

const TYPES: &str = "int in(void) { return __VERIFIER_nondet_int(); }
    void *malloc(unsigned long); void free(void *);
    typedef struct node { int h; struct node *n; } node;";

fn is_proved(body: &str) -> bool {
    let program = with_prelude(&format!("{}\nint main(void) {{ {body} return 0; }}", TYPES));
    let budget = Budget::steps(2_000_000);
    prove(&program, &Config::default(), &budget).result.is_ok()
}

/// A list whose cells are written one round after they are allocated: 1, 1, …, and a last one.
fn built(inner: &str, last: &str) -> String {
    format!(
        "node *a = malloc(sizeof(node)), *p = a; int x = in(); (void)x;
         while (in()) {{ {inner} p->n = malloc(sizeof(node)); p = p->n; }}
         p->h = {last}; p->n = 0;"
    )
}

#[test]
fn lists_of_any_length_are_proved() {
    let all_ones = built("p->h = 1;", "1") + "for (p = a; p; p = p->n) check(p->h == 1);";
    assert!(is_proved(&all_ones));
    let last = built("p->h = 1;", "3") + "p = a; while (p->h == 1) p = p->n; check(p->h == 3);";
    assert!(is_proved(&last));
    let two = built("p->h = 1;", "1")
        + "while (in()) { p->n = malloc(sizeof(node)); p = p->n; p->h = 2; p->n = 0; }
         p = a; while (p && p->h == 1) p = p->n; while (p && p->h == 2) p = p->n; check(!p);";
    assert!(is_proved(&two));
    // Every cell has a number of its own, and the same number, and one of some numbers.
    let own = built("p->h = in(); if (p->h < 0) p->h = 0;", "5")
        + "for (p = a; p; p = p->n) check(p->h >= 0);";
    assert!(is_proved(&own));
    let same = built("p->h = x;", "x") + "for (p = a; p; p = p->n) check(p->h == x);";
    assert!(is_proved(&same));
    let freed = built("p->h = 1;", "1") + "while (a) { p = a->n; free(a); a = p; }";
    assert!(is_proved(&freed));
    let reversed = built("p->h = 1;", "1")
        + "node *r = 0; while (a) { p = a->n; a->n = r; r = a; a = p; }
           for (; r; r = r->n) check(r->h == 1);";
    assert!(is_proved(&reversed));
    // A cycle.
    let ring = built("p->h = 1;", "1").replace("p->n = 0", "p->n = a")
        + "p = a; do { check(p->h == 1); p = p->n; } while (p != a);";
    assert!(is_proved(&ring));
}

#[test]
fn what_a_list_breaks_is_not_proved() {
    let wrong = [
        built("p->h = 1;", "2") + "for (p = a; p; p = p->n) check(p->h == 1);",
        built("p->h = in();", "1") + "for (p = a; p; p = p->n) check(p->h == 1);",
        // Numbers that cells have for themselves are not the same.
        built("p->h = in();", "in()") + "for (p = a; p; p = p->n) check(p->h == a->h);",
        built("p->h = in();", "in()") + "x = a->h; for (p = a; p; p = p->n) check(p->h == x);",
        // A pointer into the middle, through which something is changed.
        built("p->h = 1;", "1")
            + "node *m = a; while (m->n && in()) m = m->n; m->h = 2;
               for (p = a; p; p = p->n) check(p->h == 1);",
        // A list may be as short or as long as it likes.
        built("p->h = 1;", "1") + "check(a->n != 0);",
        built("p->h = 1;", "1") + "check(a->n == 0 || a->n->n == 0);",
        built("p->h = 1;", "1")
            + "if (a->n && a->n->n && a->n->n->n && a->n->n->n->n && a->n->n->n->n->n) check(0);",
        built("p->h = 1;", "1") + "int k = 0; for (p = a; p; p = p->n) k = !k; check(k);",
        // Freed cells.
        built("p->h = 1;", "1") + "while (a) { free(a); a = a->n; }",
        built("p->h = 1;", "1") + "while (a) { p = a->n; free(a); if (in()) free(a); a = p; }",
        built("p->h = 1;", "1") + "if (a->n) free(a->n); for (p = a; p; p = p->n) p->h = 2;",
        // A cell that is not linked yet.
        built("p->h = 1;", "1").replace("p->n = 0;", "") + "for (p = a; p; p = p->n) check(1);",
        // A cell that another one points to as well.
        built("p->h = 1;", "1")
            + "node b; b.n = a; while (b.n->n && in()) b.n = b.n->n; b.n->h = 7;
               for (p = a; p; p = p->n) check(p->h == 1);",
        built("p->h = 1;", "1").replace("p->n = 0", "p->n = a")
            + "p = a; do { p = p->n; } while (p != a && in()); check(p == a);",
    ];
    for body in wrong {
        assert!(!is_proved(&body), "{body}");
    }
}

/// A statement about pointers `a`, `b`, `p` to cells, and numbers.
fn statement(rng: &mut Rng, depth: u32) -> String {
    let pointer = |rng: &mut Rng| ["a", "b", "p"][rng.below(3) as usize];
    let value = |rng: &mut Rng| ["1", "2", "x", "in()"][rng.below(4) as usize];
    match rng.below(if depth == 0 { 8 } else { 11 }) {
        0 => format!("{} = {};", pointer(rng), pointer(rng)),
        1 => {
            let p = pointer(rng);
            format!("if ({p}) {} = {p}->n;", pointer(rng))
        }
        2 => {
            let p = pointer(rng);
            format!("if ({p}) {p}->h = {};", value(rng))
        }
        3 => {
            let p = pointer(rng);
            format!(
                "if ({p}) {p}->n = {};",
                ["a", "b", "p", "0"][rng.below(4) as usize]
            )
        }
        4 | 5 => {
            let (p, v) = (pointer(rng), value(rng));
            format!("{{ node *t = malloc(sizeof(node)); t->h = {v}; t->n = {p}; {p} = t; }}")
        }
        6 => format!("x = {};", value(rng)),
        7 => {
            let p = pointer(rng);
            format!("if ({p}) x = {p}->h;")
        }
        8 => format!(
            "if (in()) {{ {} }} else {{ {} }}",
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
        _ => format!(
            "for (int i = 0; i < 9 && in(); i++) {{ {} {} }}",
            statement(rng, depth - 1),
            statement(rng, depth - 1)
        ),
    }
}

fn program(seed: u64) -> String {
    let rng = &mut Rng::new(seed, 0);
    let mut body = "node *a = 0, *b = 0, *p = 0; int x = 1;\n".to_owned();
    for _ in 0..3 + rng.below(3) {
        body += &statement(rng, 2);
        body.push('\n');
    }
    let claim = [
        "p->h == 1",
        "p->h != 2",
        "p->h == x",
        "p->h == a->h",
        "p != b || p == a",
        "p->n != p",
    ][rng.below(6) as usize];
    body + &format!("p = a; for (int i = 0; p && i < 12; i++) {{ check({claim}); p = p->n; }}")
}

/// Nothing is proved of a program with a failing run.
#[test]
fn proofs_of_random_programs_with_lists_are_not_broken_by_runs() {
    let (mut n_proved, mut n_wrong) = (0, 0);
    for seed in 0..150 {
        let text = format!(
            "{}\nint main(void) {{ {} return 0; }}",
            TYPES,
            program(seed)
        );
        let program = with_prelude(&text);
        let budget = Budget::steps(300_000);
        let is_proved = prove(&program, &Config::default(), &budget).result.is_ok();
        let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let rng = &mut Rng::new(seed, 0);
        let has_error = (0..60).any(|_| {
            let drawn = (0..60).map(|_| u128::from([0, 1, 1, 2][rng.below(4) as usize] as u32));
            let mut inputs = FixedInputs::new(drawn.collect(), ZeroInputs);
            let outcome = machine.run(&mut inputs, &mut NoObserver, &Budget::steps(50_000));
            matches!(outcome.end, End::Error(_) | End::Fault(_))
        });
        assert!(!(is_proved && has_error), "seed {seed}: {text}");
        n_proved += u64::from(is_proved);
        n_wrong += u64::from(has_error);
    }
    assert!(n_proved >= 15, "{n_proved} proved");
    assert!(n_wrong >= 15, "{n_wrong} with an error");
}

//! Proofs about the heap are checked by somebody else, who believes nothing that is not so.

use crate::common::with_prelude;
use idiolect_base::Budget;
use idiolect_ir::checks::{CheckOptions, instrument};
use idiolect_ir::{Program, Property};
use idiolect_prove::shapes::{HeapShape, ShapeValue, ShapesChecked, check};
use idiolect_prove::states::{Config, shapes};

const PRELUDE: &str = "void *malloc(unsigned long); void free(void *);
    struct node { int h; struct node *n, *p; };
    int in(void) { return __VERIFIER_nondet_uchar() & 1; }";

const MEMORY: [Property; 4] = [
    Property::Assert,
    Property::Memory,
    Property::Free,
    Property::Leak,
];

/// Blocks are not counted.
const WITHOUT_LEAKS: &[Property] = &[Property::Assert, Property::Memory, Property::Free];

const FREED: &str = "while (a) { struct node *t = a->n; free(a); a = t; } return 0; }";

/// What comes before the list is freed.
const PROGRAMS: &[&str] = &[
    "int main(void) { struct node *a = 0; while (in()) { struct node *x = malloc(sizeof *x); x->h = 1; x->n = a; a = x; }
     for (struct node *p = a; p; p = p->n) check(p->h == 1);",
    "int main(void) { struct node *a = 0;
     while (in()) { struct node *x = malloc(sizeof *x); x->h = __VERIFIER_nondet_uchar(); x->n = a; a = x; }
     for (struct node *p = a; p; p = p->n) check(p->h >= 0 && p->h <= 255);",
    "int main(void) { struct node *a = 0, *r = 0;
     while (in()) { struct node *x = malloc(sizeof *x); x->h = 1; x->n = a; a = x; }
     while (a) { struct node *t = a->n; a->n = r; r = a; a = t; }
     for (a = r; a; a = a->n) check(a->h == 1);
     a = r;",
    "struct node *a; int main(void) {
     while (in()) { struct node *x = malloc(sizeof *x); x->h = 2; x->n = a; a = x; if (in()) { a = x->n; free(x); } }
     for (struct node *p = a; p; p = p->n) check(p->h == 2);",
    // Both ways.
    "int main(void) { struct node *a = 0;
     while (in()) { struct node *x = malloc(sizeof *x); x->h = 1; x->n = a; x->p = 0; if (a) a->p = x; a = x; }
     for (struct node *p = a; p; p = p->n) check(p->h == 1 && (!p->n || p->n->p == p));",
    "int main(void) { struct node *a = 0, *z = 0;
     while (in()) { struct node *x = malloc(sizeof *x); x->h = 1; x->n = 0; x->p = z; if (z) z->n = x; else a = x; z = x; }
     for (struct node *p = z; p; p = p->p) check(p->h == 1 && (p->p || p == a));",
];

fn program(text: &str, properties: &[Property]) -> Program {
    let mut program = with_prelude(&format!("{PRELUDE} {text} {FREED}"));
    instrument(&mut program, properties, CheckOptions::default());
    program
}

fn drawn(program: &Program, properties: &[Property]) -> Option<(Program, Vec<HeapShape>)> {
    let config = Config {
        properties: properties.to_vec(),
        ..Config::default()
    };
    shapes(program, &config, &Budget::steps(3_000_000))
}

fn judge(program: &Program, shapes: &[HeapShape], properties: &[Property]) -> ShapesChecked {
    check(program, shapes, properties, &Budget::unlimited())
}

#[test]
fn proofs_about_lists_are_accepted() {
    for (i, text) in PROGRAMS.iter().enumerate() {
        // Counting blocks makes many shapes.
        for properties in [WITHOUT_LEAKS, &MEMORY[..]].into_iter().take(1 + i % 2) {
            let (program, all) = drawn(&program(text, properties), properties).expect("a proof");
            let judged = judge(&program, &all, properties);
            let pieces = all.len() + 1;
            assert_eq!(judged, ShapesChecked::Accepted { pieces }, "{text}");
        }
    }
}

/// What was proved of one program is said of another, which has an error.
#[test]
fn a_proof_of_another_program_is_refused() {
    let changes = [
        ("x->h = 1;", "x->h = in() ? 1 : 3;"),
        ("x->n = a;", "x->n = in() ? a : 0;"),
        ("check(p->h == 1", "check(p->h == 3"),
        ("check(a->h == 1", "check(a->h == 3"),
        ("x->h = 2;", "x->h = in() ? 2 : 0;"),
        ("p->h <= 255", "p->h <= 254"),
        (
            "x->h = __VERIFIER_nondet_uchar();",
            "x->h = __VERIFIER_nondet_int();",
        ),
        ("a->n = r;", "a->n = in() ? r : 0;"),
        ("free(x);", "free(a);"),
        ("x->p = z;", "x->p = in() ? z : 0;"),
        ("a->p = x;", "a->p = a;"),
        ("z->n = x;", "z->n = in() ? x : 0;"),
        ("z = x;", "z = in() ? x : z;"),
    ];
    let mut n = 0;
    for text in PROGRAMS {
        let (_, all) = drawn(&program(text, &MEMORY), &MEMORY).expect("a proof");
        for (old, new) in changes {
            if !text.contains(old) {
                continue;
            }
            let other = program(&text.replacen(old, new, 1), &MEMORY);
            assert!(drawn(&other, &MEMORY).is_none(), "{old}: {text}");
            let mut other = other;
            let start = other.start;
            idiolect_ir::transform::inline::inline(&mut other, start);
            // A block more or less, and the heads are others.
            let judged = judge(&other, &all, &MEMORY);
            assert!(
                matches!(judged, ShapesChecked::Rejected(_)),
                "{judged:?} {old}: {text}"
            );
            n += 1;
        }
    }
    assert!(n >= 15, "{n}");
}

/// Shapes with a state less, or of which each says something else.
#[test]
fn mutated_shapes_are_refused() {
    let (mut n_refused, mut n_all) = (0, 0);
    for text in PROGRAMS {
        let (program, all) = drawn(&program(text, WITHOUT_LEAKS), WITHOUT_LEAKS).expect("a proof");
        let mut mutants: Vec<Vec<HeapShape>> = Vec::new();
        // Three of each will do.
        for i in (0..all.len()).step_by(all.len().div_ceil(3)) {
            let mut less = all.clone();
            less.remove(i);
            mutants.push(less);
            let mut mutate = |change: &dyn Fn(&mut HeapShape) -> bool| {
                let mut other = all.clone();
                if change(&mut other[i]) {
                    mutants.push(other);
                }
            };
            mutate(&|s| {
                let mut cells = s.objects.iter_mut().flat_map(|o| &mut o.cells);
                match cells.find(|c| matches!(c.value, ShapeValue::Const(1..))) {
                    Some(cell) => {
                        cell.value = ShapeValue::Const(7);
                        true
                    }
                    None => false,
                }
            });
            mutate(&|s| match s.unknowns.iter_mut().find(|u| u.high == 255) {
                Some(known) => {
                    known.high = 254;
                    true
                }
                None => false,
            });
            mutate(&|s| {
                let mut registers = s.registers.iter_mut();
                match registers.find(|r| matches!(r.1, ShapeValue::At { .. })) {
                    Some(register) => {
                        register.1 = ShapeValue::Const(0);
                        true
                    }
                    None => false,
                }
            });
            // One block and not any number.
            mutate(&|s| match s.objects.iter_mut().find(|o| o.list.is_some()) {
                Some(object) => {
                    object.list = None;
                    true
                }
                None => false,
            });
        }
        for mutant in mutants {
            n_all += 1;
            let judged = judge(&program, &mutant, WITHOUT_LEAKS);
            assert!(!matches!(judged, ShapesChecked::Stopped(_)));
            n_refused += u32::from(matches!(judged, ShapesChecked::Rejected(_)));
        }
    }
    // The others say no less: a block is a list, too, and what an assertion does not ask for may be anything.
    assert!(
        n_refused >= 30 && n_refused * 2 >= n_all,
        "{n_refused} of {n_all}"
    );
}

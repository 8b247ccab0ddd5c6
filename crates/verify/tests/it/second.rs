//! A second engine judges a proof that has no certificate.

use crate::common::program;
use idiolect_base::Budget;
use idiolect_ir::Property;
use idiolect_search::Proof;
use idiolect_verify::{Opinion, second_opinion};

/// One proof of each kind that has no certificate.
const CLAIMED: [Proof; 6] = [
    Proof::Formulas { formulas: 5 },
    Proof::States { states: 7 },
    Proof::Traces { traces: 3 },
    Proof::Unwinding { unwind: 4 },
    Proof::AllPaths { paths: 2 },
    Proof::OnlyRun { steps: 9 },
];

fn opinion(text: &str, claimed: Proof) -> Opinion {
    let budget = Budget::unlimited();
    second_opinion(&program(text), &[Property::Assert], claimed, 0, &budget)
}

#[test]
fn an_engine_that_lies_is_contradicted() {
    let wrong = [
        // One input of many, a late round, a state that is passed on, and a fault that is no error.
        "int main(void) { if (nondet_int() == 77123) reach_error(); return 0; }",
        "int main(void) { for (int i = 0; i < 60; i++) if (i == 57) reach_error(); return 0; }",
        "int lock; void take(void) { if (lock) reach_error(); lock = 1; }
         int main(void) { while (nondet_bool()) { take(); if (nondet_bool()) lock = 0; } return 0; }",
        "int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
         int main(void) { int n = nondet_uchar(); if (down(n) == 20) reach_error(); return 0; }",
    ];
    for text in wrong {
        for claimed in CLAIMED {
            assert_eq!(
                opinion(text, claimed),
                Opinion::Disagrees,
                "{claimed:?}: {text}"
            );
        }
    }
}

#[test]
fn another_kind_of_engine_agrees() {
    let text = "int main(void) { int n = nondet_uchar(), even = 0;
        for (int i = 0; i < 6; i++) if (i < n) even += 2;
        if (even % 2) reach_error(); return 0; }";
    for claimed in CLAIMED {
        let Opinion::Agrees(other) = opinion(text, claimed) else {
            panic!("nobody agrees with {claimed:?}");
        };
        let is_followed = |p: Proof| {
            matches!(
                p,
                Proof::Unwinding { .. } | Proof::AllPaths { .. } | Proof::OnlyRun { .. }
            )
        };
        assert_ne!(other.method(), claimed.method());
        assert!(
            !(is_followed(other) && is_followed(claimed)),
            "{other:?}, {claimed:?}"
        );
    }
}

#[test]
fn what_is_not_so_is_not_agreed_with() {
    // The error is there, and beyond them in so little work.
    let text =
        "int main(void) { unsigned h = 17; for (;;) { h = h * 31 + nondet_uchar() * nondet_int();
        if (h * h == 1234567889u) reach_error(); } }";
    let budget = Budget::steps(2_000);
    let opinion = second_opinion(
        &program(text),
        &[Property::Assert],
        Proof::Traces { traces: 1 },
        0,
        &budget,
    );
    assert!(!matches!(opinion, Opinion::Agrees(_)), "{opinion:?}");
}

/// The run on zeros takes inputs for ever, and must not cost the others their work.
#[test]
fn inputs_are_made_small_where_zeros_never_end() {
    let text = "int main(void) { int n = 0; for (;;) { int x = nondet_int(), y = nondet_int();
        if (x > 0) n++; if (n == 3) reach_error(); if (y == 12345) return 0; } }";
    let inputs = [15, 0x7fff_fffd, 99, 0xffff_fff1, 0xffff_0000, 9, 1000, 12];
    let small = idiolect_search::smaller_inputs(
        &program(text),
        &[Property::Assert],
        inputs.to_vec(),
        &Budget::unlimited(),
    );
    assert_eq!(small, [1, 0, 1, 0, 1, 0]);
}

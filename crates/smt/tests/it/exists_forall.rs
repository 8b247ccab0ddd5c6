//! Exists-forall against brute force, and with budgets.

use idiolect_base::{Budget, StopReason};
use idiolect_smt::exists_forall::{Answer, exists_forall};
use idiolect_smt::{BinaryOp, Model, TermId, Terms, mask};
use proptest::prelude::*;

#[test]
fn a_mask_that_clears_the_low_bits_is_found() {
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("mask", 32), t.bv_var("y", 32));
    let (masked, k) = (t.and(y, x), t.bv(16, 32));
    let rest = t.urem(y, k);
    let wanted = t.sub(y, rest);
    let phi = t.eq(masked, wanted);
    let answer = exists_forall(&mut t, phi, &[y], &Budget::unlimited());
    let Answer::Exists { witness, .. } = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(witness.eval(&t, x), 0xffff_fff0);
}

#[test]
fn there_is_no_largest_number_but_one() {
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("x", 16), t.bv_var("y", 16));
    let largest = t.ule(y, x);
    let answer = exists_forall(&mut t, largest, &[y], &Budget::unlimited());
    let Answer::Exists { witness, .. } = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(witness.eval(&t, x), 0xffff);
    let above = t.ult(y, x);
    let answer = exists_forall(&mut t, above, &[y], &Budget::unlimited());
    let Answer::None { refuted_by } = answer else {
        panic!("{answer:?}");
    };
    assert!(refuted_by.iter().any(|m| m.eval(&t, y) == 0xffff));
}

#[test]
fn an_array_can_be_chosen() {
    // A table of squares of the numbers below 16, whatever the index.
    let mut t = Terms::new();
    let table = t.array_var("table", 8, 8);
    let i = t.bv_var("i", 8);
    let (sixteen, read) = (t.bv(16, 8), t.select(table, i));
    let (square, small) = (t.mul(i, i), t.ult(i, sixteen));
    let right = t.eq(read, square);
    let phi = t.implies(small, right);
    let answer = exists_forall(&mut t, phi, &[i], &Budget::unlimited());
    let Answer::Exists { witness, .. } = answer else {
        panic!("{answer:?}");
    };
    let value = witness.array(0).expect("the table matters");
    for i in 0..16 {
        assert_eq!(value.get(i), (i * i) & 255);
    }
}

#[test]
fn an_empty_budget_is_unknown() {
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
    let product = t.mul(x, y);
    let phi = t.ule(y, product);
    let answer = exists_forall(&mut t, phi, &[y], &Budget::steps(0));
    assert_eq!(answer, Answer::Unknown(StopReason::Steps));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn agrees_with_enumeration(
        width in 1u32..=4,
        ops in prop::collection::vec((prop::sample::select(&BinaryOp::ALL[..]), 0usize..8, 0usize..8), 3..9),
    ) {
        let mut t = Terms::new();
        let (x, y) = (t.bv_var("x", width), t.bv_var("y", width));
        let mut words: Vec<TermId> = vec![x, y, t.bv(1, width)];
        let mut phi = t.tt();
        for (op, i, j) in ops {
            if op == BinaryOp::Concat {
                continue;
            }
            let made = t.binary(op, words[i % words.len()], words[j % words.len()]);
            if t.sort(made) == t.sort(x) {
                words.push(made);
            } else {
                let both = t.eq(phi, made);
                phi = if i % 2 == 0 { t.or(phi, made) } else { both };
            }
        }
        let holds = |t: &Terms, a: u128, b: u128| {
            let mut m = Model::new();
            m.set_term(t, x, a);
            m.set_term(t, y, b);
            m.eval_bool(t, phi)
        };
        let expected = (0..=mask(width)).any(|a| (0..=mask(width)).all(|b| holds(&t, a, b)));
        let answer = exists_forall(&mut t.clone(), phi, &[y], &Budget::unlimited());
        match answer {
            Answer::Exists { witness, .. } => {
                prop_assert!(expected);
                let a = witness.eval(&t, x);
                prop_assert!((0..=mask(width)).all(|b| holds(&t, a, b)));
            }
            Answer::None { refuted_by } => {
                prop_assert!(!expected);
                for a in 0..=mask(width) {
                    prop_assert!(refuted_by.iter().any(|m| !holds(&t, a, m.eval(&t, y))));
                }
            }
            Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
    }
}

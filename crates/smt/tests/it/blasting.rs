//! Bit-blasted operators against native integers: all values at widths 1 to 5, random ones to 128.

use idiolect_base::Budget;
use idiolect_smt::semantics::{apply_binary, apply_extract, apply_unary};
use idiolect_smt::{BinaryOp, Outcome, Solver, TermId, Terms, mask};
use proptest::prelude::*;

/// Fixes two variables by assumption and checks that `result` has `expected` for its only value.
struct Bench {
    terms: Terms,
    solver: Solver,
    x: TermId,
    y: TermId,
}

impl Bench {
    fn new(width: u32) -> Self {
        let mut terms = Terms::unsimplified();
        let (x, y) = (terms.bv_var("x", width), terms.bv_var("y", width));
        Self {
            terms,
            solver: Solver::new(),
            x,
            y,
        }
    }

    fn check(&mut self, a: u128, b: u128, result: TermId, expected: u128) {
        let t = &mut self.terms;
        let sort = t.sort(self.x);
        let (a, b) = (t.constant(a, sort), t.constant(b, sort));
        let (fix_x, fix_y) = (t.eq(self.x, a), t.eq(self.y, b));
        let value = t.constant(expected, t.sort(result));
        let right = t.eq(result, value);
        let wrong = t.not(right);
        let budget = Budget::unlimited();
        assert!(
            self.solver
                .check(t, &[fix_x, fix_y, wrong], &budget)
                .is_unsat(),
            "{:?} of {a:?} and {b:?} has to be {expected}",
            t.node(result)
        );
        let Outcome::Sat(model) = self.solver.check(t, &[fix_x, fix_y, right], &budget) else {
            panic!("some value has to exist");
        };
        assert_eq!(model.eval(t, result), expected);
    }
}

fn check_all_pairs(op: BinaryOp, width: u32) {
    let mut bench = Bench::new(width);
    let result = bench.terms.binary(op, bench.x, bench.y);
    for a in 0..=mask(width) {
        for b in 0..=mask(width) {
            bench.check(a, b, result, apply_binary(op, a, b, width, width));
        }
    }
}

#[test]
fn binary_operators_at_all_values_of_small_widths() {
    for op in BinaryOp::ALL {
        for width in 1..=5 {
            check_all_pairs(op, width);
        }
    }
}

#[test]
fn unary_operators_and_extracts_at_all_values_of_small_widths() {
    for width in 1..=5 {
        let mut bench = Bench::new(width);
        let x = bench.x;
        let t = &mut bench.terms;
        let mut results = vec![
            (t.not(x), idiolect_smt::UnaryOp::Not, width),
            (t.neg(x), idiolect_smt::UnaryOp::Neg, width),
        ];
        for to in width..width + 4 {
            results.push((t.zext(x, to), idiolect_smt::UnaryOp::ZeroExtend, to));
            results.push((t.sext(x, to), idiolect_smt::UnaryOp::SignExtend, to));
        }
        for a in 0..=mask(width) {
            for &(result, op, to) in &results {
                bench.check(a, 0, result, apply_unary(op, a, width, to));
            }
            for lo in 0..width {
                for hi in lo..width {
                    let result = bench.terms.extract(hi, lo, x);
                    bench.check(a, 0, result, apply_extract(hi, lo, a));
                }
            }
        }
    }
}

#[test]
fn constant_factors_and_divisors_at_all_values_of_small_widths() {
    // One operand constant takes other paths through the circuits than two variables do.
    use BinaryOp::*;
    for op in [
        Mul, Udiv, Urem, Sdiv, Srem, Add, Sub, Ult, Slt, Shl, Lshr, Ashr,
    ] {
        for width in [1, 3, 4] {
            let mut bench = Bench::new(width);
            for c in 0..=mask(width) {
                let constant = bench.terms.bv(c, width);
                let right = bench.terms.binary(op, bench.x, constant);
                let left = bench.terms.binary(op, constant, bench.x);
                for a in 0..=mask(width) {
                    bench.check(a, 0, right, apply_binary(op, a, c, width, width));
                    bench.check(a, 0, left, apply_binary(op, c, a, width, width));
                }
            }
        }
    }
}

/// Values at which carries, signs and shifts go wrong first, mixed with arbitrary ones.
fn value() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        (0u32..128).prop_map(|n| 1 << n),
        (0u32..128).prop_map(|n| u128::MAX << n),
        (0u32..128).prop_map(|n| u128::MAX >> n),
        0u128..200,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn binary_operators_at_all_widths(
        op in prop::sample::select(&BinaryOp::ALL[..]),
        width in 6u32..=128,
        a in value(),
        b in value(),
        constant in any::<bool>(),
    ) {
        prop_assume!(op != BinaryOp::Concat || width <= 64);
        let (a, b) = (a & mask(width), b & mask(width));
        let mut bench = Bench::new(width);
        let y = if constant { bench.terms.bv(b, width) } else { bench.y };
        let result = bench.terms.binary(op, bench.x, y);
        bench.check(a, b, result, apply_binary(op, a, b, width, width));
    }
}

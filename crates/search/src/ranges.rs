//! Conditions on one variable at a time, decided as sets of values.
//!
//! The paths of recursive programs are full of conditions such as `n - 7 == 0` or `x + 33 > 100`:
//! a comparison of one input, plus or minus a constant, with a constant, and combinations of these.
//! Such a condition is a union of a few ranges of the input; a path whose conditions are all like
//! this is decided without a solver, a thousand times faster.

use idiolect_smt::{BinaryOp, Model, Node, Sort, TermId, Terms, UnaryOp, VarId, mask};
use std::collections::BTreeMap;

/// Values of a variable: ascending disjoint ranges, both ends included.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ranges(Vec<(u128, u128)>);

impl Ranges {
    fn intersect(&self, other: &Self) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut both = Vec::new();
        while let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), other.0.get(j)) {
            let (low, high) = (a.max(c), b.min(d));
            if low <= high {
                both.push((low, high));
            }
            if b < d { i += 1 } else { j += 1 }
        }
        Self(both)
    }

    fn complement(&self, top: u128) -> Self {
        let mut rest = Vec::new();
        let mut from = Some(0);
        for &(low, high) in &self.0 {
            if let Some(start) = from
                && start < low
            {
                rest.push((start, low - 1));
            }
            from = (high < top).then(|| high + 1);
        }
        if let Some(start) = from {
            rest.push((start, top));
        }
        Self(rest)
    }

    /// The values `x` with `x + offset` (or `-x + offset`) between the ends, which may wrap round.
    fn shifted(low: u128, high: u128, offset: u128, negated: bool, top: u128) -> Self {
        let map = |a: u128| {
            let x = a.wrapping_sub(offset) & top;
            if negated { x.wrapping_neg() & top } else { x }
        };
        let (a, b) = if !negated {
            (map(low), map(high))
        } else {
            (map(high), map(low))
        };
        if a <= b {
            Self(vec![(a, b)])
        } else {
            Self(vec![(0, b), (a, top)])
        }
    }

    /// The value nearest to zero, read as a signed number; the positive one of two.
    fn smallest(&self, width: u32) -> Option<u128> {
        let top = mask(width);
        let size = |v: u128| match v >> (width - 1) & 1 {
            0 => (v, 0),
            _ => (v.wrapping_neg() & top, 1),
        };
        let mut best: Option<u128> = None;
        for &(low, high) in &self.0 {
            for v in [low, high] {
                if best.is_none_or(|b| size(v) < size(b)) {
                    best = Some(v);
                }
            }
        }
        best
    }
}

/// What a term says about one variable.
enum Said {
    Constant(bool),
    About(VarId, u32, Ranges),
    /// Something else.
    Other,
}

/// Conditions nest no deeper than this; the others are for the solver.
const DEPTH: u32 = 40;

/// `±variable + offset`
fn linear(terms: &Terms, term: TermId, depth: u32) -> Option<(VarId, bool, u128)> {
    let top = mask(terms.width(term));
    if depth == 0 {
        return None;
    }
    match terms.node(term) {
        Node::Var(variable) => Some((variable, false, 0)),
        Node::Unary(UnaryOp::Neg, a) => {
            let (v, negated, c) = linear(terms, a, depth - 1)?;
            Some((v, !negated, c.wrapping_neg() & top))
        }
        Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            if let Some(k) = terms.as_const(b) {
                let (v, negated, c) = linear(terms, a, depth - 1)?;
                let c = match op {
                    BinaryOp::Add => c.wrapping_add(k),
                    _ => c.wrapping_sub(k),
                };
                return Some((v, negated, c & top));
            }
            let k = terms.as_const(a)?;
            let (v, negated, c) = linear(terms, b, depth - 1)?;
            Some(match op {
                BinaryOp::Add => (v, negated, k.wrapping_add(c) & top),
                _ => (v, !negated, k.wrapping_sub(c) & top),
            })
        }
        _ => None,
    }
}

/// A comparison of a term with a constant.
fn comparison(terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> Said {
    let Sort::BitVec(width) = terms.sort(a) else {
        return Said::Other;
    };
    let top = mask(width);
    let (term, k, is_left) = match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(k)) => (a, k, true),
        (Some(k), None) => (b, k, false),
        _ => return Said::Other,
    };
    let Some((variable, negated, offset)) = linear(terms, term, DEPTH) else {
        return Said::Other;
    };
    // Adding half of the range turns signed order into unsigned order.
    let bias = match op {
        BinaryOp::Slt | BinaryOp::Sle => 1u128 << (width - 1),
        _ => 0,
    };
    let k = k.wrapping_add(bias) & top;
    let offset = offset.wrapping_add(bias) & top;
    let is_strict = matches!(op, BinaryOp::Ult | BinaryOp::Slt);
    let bounds = match (op, is_left) {
        (BinaryOp::Eq, _) => Some((k, k)),
        (_, true) if is_strict => k.checked_sub(1).map(|high| (0, high)),
        (_, true) => Some((0, k)),
        (_, false) if is_strict => (k < top).then(|| (k + 1, top)),
        (_, false) => Some((k, top)),
    };
    let ranges = match bounds {
        None => return Said::Constant(false),
        // Every value: a wrapped range of all values cannot be told from an empty one.
        Some((0, high)) if high == top => return Said::Constant(true),
        Some((low, high)) => Ranges::shifted(low, high, offset, negated, top),
    };
    Said::About(variable, width, ranges)
}

fn said(terms: &Terms, term: TermId, depth: u32) -> Said {
    if depth == 0 {
        return Said::Other;
    }
    if terms.sort(term) != Sort::Bool {
        return Said::Other;
    }
    match terms.node(term) {
        Node::Const(value) => Said::Constant(value != 0),
        Node::Unary(UnaryOp::Not, a) => match said(terms, a, depth - 1) {
            Said::Constant(value) => Said::Constant(!value),
            Said::About(v, width, ranges) => Said::About(v, width, ranges.complement(mask(width))),
            Said::Other => Said::Other,
        },
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let is_and = op == BinaryOp::And;
            match (said(terms, a, depth - 1), said(terms, b, depth - 1)) {
                (Said::Constant(value), other) | (other, Said::Constant(value)) => {
                    if value == is_and {
                        other
                    } else {
                        Said::Constant(value)
                    }
                }
                (Said::About(v, width, x), Said::About(w, _, y)) if v == w => {
                    let top = mask(width);
                    let both = if is_and {
                        x.intersect(&y)
                    } else {
                        (x.complement(top))
                            .intersect(&y.complement(top))
                            .complement(top)
                    };
                    Said::About(v, width, both)
                }
                _ => Said::Other,
            }
        }
        Node::Binary(
            op @ (BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle),
            a,
            b,
        ) => comparison(terms, op, a, b),
        _ => Said::Other,
    }
}

/// What looking at ranges says of a condition.
#[derive(Clone, PartialEq, Debug)]
pub enum RangeAnswer {
    Never,
    /// In this model.
    Holds(Model),
    /// It takes a solver.
    Unknown,
}

/// Decides whether the conditions can hold together if their parts are about one variable each, or if
/// those parts that are contradict each other.
pub fn decide(terms: &Terms, conditions: &[TermId]) -> RangeAnswer {
    let mut values: BTreeMap<VarId, (u32, Ranges)> = BTreeMap::new();
    let mut todo = conditions.to_vec();
    let mut done = rustc_hash::FxHashSet::default();
    let mut is_all = true;
    while let Some(term) = todo.pop() {
        if !done.insert(term) {
            continue;
        }
        if let Node::Binary(BinaryOp::And, a, b) = terms.node(term) {
            todo.extend([a, b]);
            continue;
        }
        match said(terms, term, DEPTH) {
            Said::Constant(true) => {}
            Said::Constant(false) => return RangeAnswer::Never,
            Said::Other => is_all = false,
            Said::About(v, width, ranges) => {
                let known = values.remove(&v);
                let ranges = match known {
                    None => ranges,
                    Some((_, before)) => before.intersect(&ranges),
                };
                if ranges.0.is_empty() {
                    return RangeAnswer::Never;
                }
                values.insert(v, (width, ranges));
            }
        }
    }
    if !is_all {
        return RangeAnswer::Unknown;
    }
    let mut model = Model::new();
    for (v, (width, ranges)) in values {
        if let Some(value) = ranges.smallest(width) {
            model.set(v, value);
        }
    }
    // Nothing is believed before it has been evaluated.
    if conditions.iter().all(|&c| model.eval_bool(terms, c)) {
        RangeAnswer::Holds(model)
    } else {
        RangeAnswer::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all_values;
    use idiolect_base::Rng;

    #[test]
    fn answers_are_those_of_trying_all_values() {
        let sides = |t: &mut Terms, rng: &mut Rng, vars: [TermId; 2], which: u64| {
            let x = vars[which as usize];
            let c = t.bv(u128::from(rng.below(16)), 4);
            let k = t.bv(u128::from(rng.below(16)), 4);
            let side = match rng.below(4) {
                0 => t.add(x, c),
                1 => t.sub(x, c),
                2 => t.sub(c, x),
                _ => x,
            };
            if rng.chance(1, 2) {
                (side, k)
            } else {
                (k, side)
            }
        };
        let found = all_values::compare(4_000, sides, decide);
        assert!(found.never > 200 && found.holds > 2_000, "{found:?}");
    }
}

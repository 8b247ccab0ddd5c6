//! Rules for equality and the orders.

use super::*;
use crate::semantics::{apply_unary, to_signed};

/// The inverse of an odd number modulo 2^128, by Newton's iteration; each step doubles the number of
/// correct low bits, and an odd number is its own inverse modulo 8.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..6 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

pub(super) fn eq(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        t.fire(Rule::EqSame);
        return Some(t.tt());
    }
    if let (Some(x), Some(y)) = (as_not(t, a), as_not(t, b)) {
        t.fire(Rule::EqNotNot);
        return Some(t.eq(x, y));
    }
    if t.sort(a) == Sort::Bool {
        if let Some(c) = t.as_const(b) {
            t.fire(Rule::EqBoolConst);
            return Some(if c == 1 { a } else { t.not(a) });
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(inner) = as_not(t, x) {
                t.fire(Rule::EqNot);
                let equal = t.eq(inner, y);
                return Some(t.not(equal));
            }
        }
        return None;
    }
    if complementary(t, a, b) {
        t.fire(Rule::EqNot);
        return Some(t.ff());
    }
    if let Some(c) = t.as_const(b) {
        return eq_const(t, a, b, c);
    }
    for (x, y) in [(a, b), (b, a)] {
        if let Some(found) = eq_with(t, x, y) {
            return Some(found);
        }
    }
    match (t.node(a), t.node(b)) {
        (Node::Ite(c, p, q), Node::Ite(d, r, s)) if c == d && (p == r || q == s) => {
            t.fire(Rule::EqIteIte);
            let (then, otherwise) = (t.eq(p, r), t.eq(q, s));
            Some(t.ite(c, then, otherwise))
        }
        (Node::Unary(UnaryOp::Neg, x), Node::Unary(UnaryOp::Neg, y)) => {
            t.fire(Rule::EqNegNeg);
            Some(t.eq(x, y))
        }
        (Node::Unary(op, x), Node::Unary(other, y))
            if op == other && op != UnaryOp::Not && t.width(x) == t.width(y) =>
        {
            t.fire(Rule::EqExtend);
            Some(t.eq(x, y))
        }
        (Node::Binary(BinaryOp::Concat, p, q), Node::Binary(BinaryOp::Concat, r, s))
            if t.width(p) == t.width(r) =>
        {
            t.fire(Rule::EqConcatConcat);
            let (high, low) = (t.eq(p, r), t.eq(q, s));
            Some(t.and(high, low))
        }
        (Node::Binary(BinaryOp::Add, p, q), Node::Binary(BinaryOp::Add, r, s)) => {
            let (x, y) = if p == r {
                (q, s)
            } else if p == s {
                (q, r)
            } else if q == r {
                (p, s)
            } else if q == s {
                (p, r)
            } else {
                return eq_sums(t, a, b);
            };
            t.fire(Rule::EqAddCommon);
            Some(t.eq(x, y))
        }
        _ => eq_sums(t, a, b),
    }
}

/// `a = b` by what remains of `a - b`.
fn eq_sums(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let difference = sums::sub(t, a, b)?;
    t.fire(Rule::EqSumCancel);
    let zero = t.constant(0, t.sort(a));
    Some(t.eq(difference, zero))
}

/// `x = y` for terms that are not constant, seen from `x`.
fn eq_with(t: &mut Terms, x: TermId, y: TermId) -> Option<TermId> {
    match t.node(x) {
        Node::Ite(c, p, q) if p == y => {
            t.fire(Rule::EqIteArm);
            let rest = t.eq(q, y);
            Some(t.or(c, rest))
        }
        Node::Ite(c, p, q) if q == y => {
            t.fire(Rule::EqIteArm);
            let (rest, c) = (t.eq(p, y), t.not(c));
            Some(t.or(c, rest))
        }
        Node::Binary(BinaryOp::Add, p, q) if p == y || q == y => {
            t.fire(Rule::EqAddSelf);
            let zero = t.constant(0, t.sort(x));
            Some(t.eq(if p == y { q } else { p }, zero))
        }
        Node::Binary(BinaryOp::Sub, p, q) if p == y => {
            t.fire(Rule::EqSubSelf);
            let zero = t.constant(0, t.sort(x));
            Some(t.eq(q, zero))
        }
        Node::Binary(BinaryOp::Xor, p, q) if p == y || q == y => {
            t.fire(Rule::EqXorSelf);
            let zero = t.constant(0, t.sort(x));
            Some(t.eq(if p == y { q } else { p }, zero))
        }
        _ => None,
    }
}

/// `a = c` for a bit vector `a` that is not constant; `b` is the term of `c`.
fn eq_const(t: &mut Terms, a: TermId, b: TermId, c: u128) -> Option<TermId> {
    let sort = t.sort(a);
    match t.node(a) {
        Node::Ite(cond, p, q) => {
            as_ite_with_const(t, a)?;
            t.fire(Rule::EqIteConst);
            let (then, otherwise) = (t.eq(p, b), t.eq(q, b));
            Some(t.ite(cond, then, otherwise))
        }
        Node::Binary(BinaryOp::Add, x, k) => {
            let k = t.as_const(k)?;
            t.fire(Rule::EqAddConst);
            let rest = t.constant(c.wrapping_sub(k), sort);
            Some(t.eq(x, rest))
        }
        Node::Binary(BinaryOp::Sub, x, y) if c == 0 => {
            t.fire(Rule::EqSubZero);
            Some(t.eq(x, y))
        }
        Node::Binary(BinaryOp::Xor, x, y) if c == 0 => {
            t.fire(Rule::EqXorZero);
            Some(t.eq(x, y))
        }
        Node::Binary(BinaryOp::Xor, x, k) => {
            let k = t.as_const(k)?;
            t.fire(Rule::EqXorConst);
            let rest = t.constant(c ^ k, sort);
            Some(t.eq(x, rest))
        }
        Node::Binary(BinaryOp::Mul, x, k) => {
            let k = t.as_const(k).filter(|k| k % 2 == 1)?;
            t.fire(Rule::EqMulOdd);
            let rest = t.constant(c.wrapping_mul(inverse(k)), sort);
            Some(t.eq(x, rest))
        }
        Node::Binary(BinaryOp::Concat, x, y) => {
            t.fire(Rule::EqConcatConst);
            let (wx, wy) = (t.width(x), t.width(y));
            let (high, low) = (t.bv(c >> wy, wx), t.bv(c, wy));
            let (high, low) = (t.eq(x, high), t.eq(y, low));
            Some(t.and(high, low))
        }
        Node::Unary(UnaryOp::Neg, x) => {
            t.fire(Rule::EqNegConst);
            let c = t.constant(c.wrapping_neg(), sort);
            Some(t.eq(x, c))
        }
        Node::Unary(UnaryOp::Not, x) => {
            t.fire(Rule::EqNotConst);
            let c = t.constant(!c, sort);
            Some(t.eq(x, c))
        }
        Node::Unary(op, x) => {
            let (from, width) = (t.width(x), sort.width());
            let low = c & mask(from);
            t.fire(Rule::EqExtendConst);
            if apply_unary(op, low, from, width) == c {
                let low = t.bv(low, from);
                Some(t.eq(x, low))
            } else {
                Some(t.ff())
            }
        }
        _ => None,
    }
}

/// `ite(c, k, y) < b` and the like, where both the arm and the other side are constants.
fn push_into_ite(t: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if t.as_const(b).is_some()
        && let Some((c, p, q)) = as_ite_with_const(t, a)
    {
        t.fire(Rule::CompareIteConst);
        let (then, otherwise) = (t.binary(op, p, b), t.binary(op, q, b));
        return Some(t.ite(c, then, otherwise));
    }
    if t.as_const(a).is_some()
        && let Some((c, p, q)) = as_ite_with_const(t, b)
    {
        t.fire(Rule::CompareIteConst);
        let (then, otherwise) = (t.binary(op, a, p), t.binary(op, a, q));
        return Some(t.ite(c, then, otherwise));
    }
    None
}

pub(super) fn ult(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    if a == b {
        t.fire(Rule::CompareSame);
        return Some(t.ff());
    }
    if let Some(found) = push_into_ite(t, BinaryOp::Ult, a, b) {
        return Some(found);
    }
    if let Some(c) = t.as_const(b) {
        if c == 1 {
            t.fire(Rule::UltOne);
            let zero = t.bv(0, width);
            return Some(t.eq(a, zero));
        }
        if is_ones(c, width) {
            t.fire(Rule::UltMax);
            return Some(t.ne(a, b));
        }
    }
    if let Some(c) = t.as_const(a) {
        if c == 0 {
            t.fire(Rule::UltFromZero);
            return Some(t.ne(a, b));
        }
        if c == mask(width) - 1 {
            t.fire(Rule::UltFromAlmostMax);
            let max = t.bv(u128::MAX, width);
            return Some(t.eq(b, max));
        }
    }
    let zero_extended = |t: &Terms, term| as_unary(t, term, UnaryOp::ZeroExtend);
    match (zero_extended(t, a), zero_extended(t, b)) {
        (Some(x), Some(y)) if t.width(x) == t.width(y) => {
            t.fire(Rule::UltExtend);
            Some(t.ult(x, y))
        }
        // A constant that does not fit is decided by the ranges of the facts.
        (Some(x), None) => {
            let (c, from) = (t.as_const(b)?, t.width(x));
            if c > mask(from) {
                return None;
            }
            t.fire(Rule::UltExtendConst);
            let c = t.bv(c, from);
            Some(t.ult(x, c))
        }
        (None, Some(y)) => {
            let (c, from) = (t.as_const(a)?, t.width(y));
            if c > mask(from) {
                return None;
            }
            t.fire(Rule::UltExtendConst);
            let c = t.bv(c, from);
            Some(t.ult(c, y))
        }
        _ => None,
    }
}

pub(super) fn slt(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    if a == b {
        t.fire(Rule::CompareSame);
        return Some(t.ff());
    }
    let (sa, sb) = (t.facts(a).sign(width), t.facts(b).sign(width));
    if sa.is_some() && sa == sb {
        t.fire(Rule::SltSameSign);
        return Some(t.ult(a, b));
    }
    if let Some(found) = push_into_ite(t, BinaryOp::Slt, a, b) {
        return Some(found);
    }
    let (min, max) = (1u128 << (width - 1), mask(width) >> 1);
    match (t.as_const(a), t.as_const(b)) {
        (_, Some(c)) if c == min => {
            t.fire(Rule::SltMin);
            return Some(t.ff());
        }
        (Some(c), _) if c == max => {
            t.fire(Rule::SltMax);
            return Some(t.ff());
        }
        (Some(c), _) if c == min => {
            t.fire(Rule::SltMin);
            return Some(t.ne(a, b));
        }
        (_, Some(c)) if c == max => {
            t.fire(Rule::SltMax);
            return Some(t.ne(a, b));
        }
        _ => {}
    }
    let sign_extended = |t: &Terms, term| as_unary(t, term, UnaryOp::SignExtend);
    match (sign_extended(t, a), sign_extended(t, b)) {
        (Some(x), Some(y)) if t.width(x) == t.width(y) => {
            t.fire(Rule::SltExtend);
            Some(t.slt(x, y))
        }
        (Some(x), None) => {
            let (c, from) = (t.as_const(b)?, t.width(x));
            t.fire(Rule::SltExtendConst);
            Some(match place(c, width, from) {
                Place::Below => t.ff(),
                Place::Above => t.tt(),
                Place::Within => {
                    let c = t.bv(c, from);
                    t.slt(x, c)
                }
            })
        }
        (None, Some(y)) => {
            let (c, from) = (t.as_const(a)?, t.width(y));
            t.fire(Rule::SltExtendConst);
            Some(match place(c, width, from) {
                Place::Below => t.tt(),
                Place::Above => t.ff(),
                Place::Within => {
                    let c = t.bv(c, from);
                    t.slt(c, y)
                }
            })
        }
        _ => None,
    }
}

/// Where a signed constant lies relative to the numbers of `from` bits.
enum Place {
    Below,
    Within,
    Above,
}

fn place(c: u128, width: u32, from: u32) -> Place {
    let value = to_signed(c, width);
    let half = 1i128 << (from - 1);
    if value < -half {
        Place::Below
    } else if value >= half {
        Place::Above
    } else {
        Place::Within
    }
}

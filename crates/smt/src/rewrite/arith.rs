//! Rules for addition, subtraction, multiplication and division.

use super::*;

/// The constant `value` of the sort of `like`.
fn constant_like(t: &mut Terms, value: u128, like: TermId) -> TermId {
    let sort = t.sort(like);
    t.constant(value, sort)
}

/// The exponent, if `value` is a power of two above 1.
fn power_of_two(value: u128) -> Option<u32> {
    (value > 1 && value.is_power_of_two()).then(|| value.trailing_zeros())
}

pub(super) fn neg(t: &mut Terms, a: TermId) -> Option<TermId> {
    if let Some(x) = as_unary(t, a, UnaryOp::Neg) {
        t.fire(Rule::NegNeg);
        return Some(x);
    }
    if let Some((x, y)) = as_binary(t, a, BinaryOp::Sub) {
        t.fire(Rule::NegSub);
        return Some(t.sub(y, x));
    }
    if let Some(x) = as_not(t, a) {
        t.fire(Rule::NegNot);
        let one = constant_like(t, 1, x);
        return Some(t.add(x, one));
    }
    if let Some((c, p, q)) = as_ite_consts(t, a) {
        t.fire(Rule::NegIteConst);
        let p = constant_like(t, p.wrapping_neg(), a);
        let q = constant_like(t, q.wrapping_neg(), a);
        return Some(t.ite(c, p, q));
    }
    None
}

pub(super) fn add(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(c) = t.as_const(b) {
        if c == 0 {
            t.fire(Rule::AddZero);
            return Some(a);
        }
        if let Some((x, d)) = as_binary_const(t, a, BinaryOp::Add) {
            t.fire(Rule::AddConstConst);
            let sum = constant_like(t, c.wrapping_add(d), a);
            return Some(t.add(x, sum));
        }
        if let Some((cond, p, q)) = as_ite_consts(t, a) {
            t.fire(Rule::AddIteConst);
            let p = constant_like(t, c.wrapping_add(p), a);
            let q = constant_like(t, c.wrapping_add(q), a);
            return Some(t.ite(cond, p, q));
        }
        return None;
    }
    if a == b {
        t.fire(Rule::AddSelf);
        let one = constant_like(t, 1, a);
        return Some(t.shl(a, one));
    }
    if complementary(t, a, b) {
        t.fire(Rule::AddNot);
        return Some(constant_like(t, u128::MAX, a));
    }
    for (x, y) in [(a, b), (b, a)] {
        if let Some((p, d)) = as_binary_const(t, x, BinaryOp::Add) {
            t.fire(Rule::AddConstUp);
            let sum = t.add(p, y);
            let d = constant_like(t, d, x);
            return Some(t.add(sum, d));
        }
        if let Some(p) = as_unary(t, y, UnaryOp::Neg) {
            t.fire(Rule::AddNeg);
            return Some(t.sub(x, p));
        }
        if let Some((p, q)) = as_binary(t, x, BinaryOp::Sub)
            && q == y
        {
            t.fire(Rule::AddSubCancel);
            return Some(p);
        }
    }
    let found = sums::add(t, a, b)?;
    t.fire(Rule::AddCancel);
    Some(found)
}

pub(super) fn sub(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        t.fire(Rule::SubSame);
        return Some(constant_like(t, 0, a));
    }
    if let Some(c) = t.as_const(b) {
        if c == 0 {
            t.fire(Rule::SubZero);
            return Some(a);
        }
        t.fire(Rule::SubConst);
        let c = constant_like(t, c.wrapping_neg(), a);
        return Some(t.add(a, c));
    }
    if t.as_const(a) == Some(0) {
        t.fire(Rule::SubFromZero);
        return Some(t.neg(b));
    }
    if let Some((p, q)) = as_binary(t, a, BinaryOp::Add)
        && (b == p || b == q)
    {
        t.fire(Rule::SubAddCancel);
        return Some(if b == p { q } else { p });
    }
    if let Some((p, q)) = as_binary(t, b, BinaryOp::Add)
        && (a == p || a == q)
    {
        t.fire(Rule::SubFromSum);
        return Some(t.neg(if a == p { q } else { p }));
    }
    if let Some(p) = as_unary(t, b, UnaryOp::Neg) {
        t.fire(Rule::SubNeg);
        return Some(t.add(a, p));
    }
    if let Some((p, d)) = as_binary_const(t, a, BinaryOp::Add) {
        t.fire(Rule::SubConstUp);
        let rest = t.sub(p, b);
        let d = constant_like(t, d, a);
        return Some(t.add(rest, d));
    }
    if let Some((p, d)) = as_binary_const(t, b, BinaryOp::Add) {
        t.fire(Rule::SubConstUpRight);
        let rest = t.sub(a, p);
        let d = constant_like(t, d.wrapping_neg(), a);
        return Some(t.add(rest, d));
    }
    let found = sums::sub(t, a, b)?;
    t.fire(Rule::SubCancel);
    Some(found)
}

pub(super) fn mul(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let c = t.as_const(b)?;
    let width = t.width(a);
    if c == 0 {
        t.fire(Rule::MulZero);
        return Some(b);
    }
    if c == 1 {
        t.fire(Rule::MulOne);
        return Some(a);
    }
    if is_ones(c, width) {
        t.fire(Rule::MulMinusOne);
        return Some(t.neg(a));
    }
    if let Some((x, d)) = as_binary_const(t, a, BinaryOp::Mul) {
        t.fire(Rule::MulConstConst);
        let product = constant_like(t, c.wrapping_mul(d), a);
        return Some(t.mul(x, product));
    }
    if let Some((x, d)) = as_binary_const(t, a, BinaryOp::Add) {
        t.fire(Rule::MulDistribute);
        let product = t.mul(x, b);
        let d = constant_like(t, c.wrapping_mul(d), a);
        return Some(t.add(product, d));
    }
    if let Some((cond, p, q)) = as_ite_consts(t, a) {
        t.fire(Rule::MulIteConst);
        let p = constant_like(t, c.wrapping_mul(p), a);
        let q = constant_like(t, c.wrapping_mul(q), a);
        return Some(t.ite(cond, p, q));
    }
    if let Some(n) = power_of_two(c) {
        t.fire(Rule::MulPower);
        let n = constant_like(t, u128::from(n), a);
        return Some(t.shl(a, n));
    }
    None
}

pub(super) fn udiv(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match t.as_const(b)? {
        0 => {
            t.fire(Rule::UdivZero);
            Some(constant_like(t, u128::MAX, a))
        }
        1 => {
            t.fire(Rule::UdivOne);
            Some(a)
        }
        c => {
            if let Some((cond, p, q)) = as_ite_consts(t, a) {
                t.fire(Rule::UdivIteConst);
                let (p, q) = (constant_like(t, p / c, a), constant_like(t, q / c, a));
                return Some(t.ite(cond, p, q));
            }
            let n = power_of_two(c)?;
            t.fire(Rule::UdivPower);
            let n = constant_like(t, u128::from(n), a);
            Some(t.lshr(a, n))
        }
    }
}

pub(super) fn urem(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.facts(a).max < t.facts(b).min {
        t.fire(Rule::UremSmall);
        return Some(a);
    }
    match t.as_const(b)? {
        0 => {
            t.fire(Rule::UremZero);
            Some(a)
        }
        c => {
            if let Some((cond, p, q)) = as_ite_consts(t, a) {
                t.fire(Rule::UremIteConst);
                let (p, q) = (constant_like(t, p % c, a), constant_like(t, q % c, a));
                return Some(t.ite(cond, p, q));
            }
            power_of_two(c)?;
            t.fire(Rule::UremPower);
            let low = constant_like(t, c - 1, a);
            Some(t.and(a, low))
        }
    }
}

/// Both are known not to be negative.
fn both_positive(t: &Terms, a: TermId, b: TermId) -> bool {
    let width = t.width(a);
    t.facts(a).sign(width) == Some(false) && t.facts(b).sign(width) == Some(false)
}

pub(super) fn sdiv(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    // At width 1 the constant 1 is minus one, and `neg` is the identity there.
    if t.as_const(b).is_some_and(|c| is_ones(c, width)) {
        t.fire(Rule::SdivMinusOne);
        return Some(t.neg(a));
    }
    if t.as_const(b) == Some(1) {
        t.fire(Rule::SdivOne);
        return Some(a);
    }
    if both_positive(t, a, b) {
        t.fire(Rule::SdivPositive);
        return Some(t.udiv(a, b));
    }
    None
}

pub(super) fn srem(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    if t.as_const(b).is_some_and(|c| c == 1 || is_ones(c, width)) {
        t.fire(Rule::SremOne);
        return Some(constant_like(t, 0, a));
    }
    if both_positive(t, a, b) {
        t.fire(Rule::SremPositive);
        return Some(t.urem(a, b));
    }
    None
}

//! Rules for `not`, `and`, `or` and `xor`, on Bool and on bit vectors alike.

use super::*;

pub(super) fn not(t: &mut Terms, arg: TermId) -> Option<TermId> {
    if let Some(inner) = as_not(t, arg) {
        t.fire(Rule::NotNot);
        return Some(inner);
    }
    if let Some((c, a, b)) = as_ite_consts(t, arg) {
        t.fire(Rule::NotIteConst);
        let sort = t.sort(arg);
        let (a, b) = (t.constant(!a, sort), t.constant(!b, sort));
        return Some(t.ite(c, a, b));
    }
    if let Some(inner) = as_unary(t, arg, UnaryOp::Neg) {
        t.fire(Rule::NotNeg);
        let minus_one = t.constant(u128::MAX, t.sort(arg));
        return Some(t.add(inner, minus_one));
    }
    None
}

pub(super) fn and(t: &mut Terms, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    let width = sort.width();
    if a == b {
        t.fire(Rule::AndSame);
        return Some(a);
    }
    if complementary(t, a, b) {
        t.fire(Rule::AndComplement);
        return Some(t.constant(0, sort));
    }
    if let Some(c) = t.as_const(b) {
        if c == 0 {
            t.fire(Rule::AndZero);
            return Some(b);
        }
        if is_ones(c, width) {
            t.fire(Rule::AndOnes);
            return Some(a);
        }
        if let Some((x, d)) = as_binary_const(t, a, BinaryOp::And) {
            t.fire(Rule::AndConstConst);
            let both = t.constant(c & d, sort);
            return Some(t.and(x, both));
        }
        // Every bit the mask clears is 0 already.
        if t.facts(a).zeros | c == mask(width) {
            t.fire(Rule::AndKnown);
            return Some(a);
        }
        let low = c.trailing_ones();
        if low < width && c == mask(low.max(1)) {
            t.fire(Rule::AndLowMask);
            let cut = t.extract(low - 1, 0, a);
            return Some(t.zext(cut, width));
        }
    }
    for (x, y) in [(a, b), (b, a)] {
        if let Some((p, q)) = as_binary(t, y, BinaryOp::And) {
            if x == p || x == q {
                t.fire(Rule::AndAbsorb);
                return Some(y);
            }
            if complementary(t, x, p) || complementary(t, x, q) {
                t.fire(Rule::AndContradict);
                return Some(t.constant(0, sort));
            }
        }
        if let Some((p, q)) = as_not(t, y).and_then(|y| as_binary(t, y, BinaryOp::And)) {
            if x == p || x == q {
                t.fire(Rule::AndNotAnd);
                let rest = t.not(if x == p { q } else { p });
                return Some(t.and(x, rest));
            }
            if complementary(t, x, p) || complementary(t, x, q) {
                t.fire(Rule::AndNotAndNot);
                return Some(x);
            }
        }
    }
    None
}

pub(super) fn or(t: &mut Terms, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    let width = sort.width();
    if a == b {
        t.fire(Rule::OrSame);
        return Some(a);
    }
    if complementary(t, a, b) {
        t.fire(Rule::OrComplement);
        return Some(t.constant(mask(width), sort));
    }
    if let Some(c) = t.as_const(b) {
        if c == 0 {
            t.fire(Rule::OrZero);
            return Some(a);
        }
        if is_ones(c, width) {
            t.fire(Rule::OrOnes);
            return Some(b);
        }
        if let Some((x, d)) = as_binary_const(t, a, BinaryOp::Or) {
            t.fire(Rule::OrConstConst);
            let both = t.constant(c | d, sort);
            return Some(t.or(x, both));
        }
        if t.facts(a).ones & c == c {
            t.fire(Rule::OrKnown);
            return Some(a);
        }
    }
    if sort == Sort::Bool {
        t.fire(Rule::OrBool);
        let (a, b) = (t.not(a), t.not(b));
        let both = t.and(a, b);
        return Some(t.not(both));
    }
    for (x, y) in [(a, b), (b, a)] {
        if let Some((p, q)) = as_binary(t, y, BinaryOp::Or)
            && (x == p || x == q)
        {
            t.fire(Rule::OrAbsorb);
            return Some(y);
        }
        if let Some((p, q)) = as_binary(t, y, BinaryOp::And)
            && (x == p || x == q)
        {
            t.fire(Rule::OrAndAbsorb);
            return Some(x);
        }
    }
    None
}

pub(super) fn xor(t: &mut Terms, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    if sort == Sort::Bool {
        t.fire(Rule::XorBool);
        let equal = t.eq(a, b);
        return Some(t.not(equal));
    }
    if a == b {
        t.fire(Rule::XorSame);
        return Some(t.constant(0, sort));
    }
    if let Some(c) = t.as_const(b) {
        if c == 0 {
            t.fire(Rule::XorZero);
            return Some(a);
        }
        if is_ones(c, sort.width()) {
            t.fire(Rule::XorOnes);
            return Some(t.not(a));
        }
        if let Some((x, d)) = as_binary_const(t, a, BinaryOp::Xor) {
            t.fire(Rule::XorConstConst);
            let both = t.constant(c ^ d, sort);
            return Some(t.xor(x, both));
        }
    }
    for (x, y) in [(a, b), (b, a)] {
        if let Some(inner) = as_not(t, x) {
            t.fire(Rule::XorNot);
            let same = t.xor(inner, y);
            return Some(t.not(same));
        }
        if let Some((p, q)) = as_binary(t, y, BinaryOp::Xor)
            && (x == p || x == q)
        {
            t.fire(Rule::XorCancel);
            return Some(if x == p { q } else { p });
        }
    }
    None
}

//! Rules for `ite`.

use super::*;

pub(crate) fn ite(t: &mut Terms, c: TermId, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    if let Some(value) = t.as_const(c) {
        t.fire(Rule::IteConst);
        return Some(if value == 1 { a } else { b });
    }
    if a == b {
        t.fire(Rule::IteSame);
        return Some(a);
    }
    if let Some(inner) = as_not(t, c) {
        t.fire(Rule::IteNot);
        return Some(t.ite(inner, b, a));
    }
    if sort == Sort::Bool
        && let Some(found) = ite_bool(t, c, a, b)
    {
        return Some(found);
    }
    if let Node::Ite(d, p, q) = t.node(a) {
        if c == d {
            t.fire(Rule::IteNestedThen);
            return Some(t.ite(c, p, b));
        }
        if q == b {
            t.fire(Rule::IteSharedThen);
            let both = t.and(c, d);
            return Some(t.ite(both, p, b));
        }
    }
    if let Node::Ite(d, p, q) = t.node(b) {
        if c == d {
            t.fire(Rule::IteNestedElse);
            return Some(t.ite(c, a, q));
        }
        if p == a {
            t.fire(Rule::IteSharedElse);
            let either = t.or(c, d);
            return Some(t.ite(either, a, q));
        }
    }
    if let Some((x, y)) = as_binary(t, c, BinaryOp::Eq) {
        if (x == a && y == b) || (x == b && y == a) {
            t.fire(Rule::IteEq);
            return Some(b);
        }
        if sort == Sort::BitVec(1)
            && t.width(x) == 1
            && t.sort(x) == sort
            && let (Some(k), Some(p), Some(q)) = (t.as_const(y), t.as_const(a), t.as_const(b))
            && p != q
        {
            t.fire(Rule::IteBit);
            return Some(if p == k { x } else { t.not(x) });
        }
    }
    None
}

fn ite_bool(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    match (t.as_const(a), t.as_const(b)) {
        (Some(1), _) => {
            t.fire(Rule::IteTrueThen);
            return Some(t.or(c, b));
        }
        (Some(_), _) => {
            t.fire(Rule::IteFalseThen);
            let c = t.not(c);
            return Some(t.and(c, b));
        }
        (_, Some(1)) => {
            t.fire(Rule::IteTrueElse);
            let c = t.not(c);
            return Some(t.or(c, a));
        }
        (_, Some(_)) => {
            t.fire(Rule::IteFalseElse);
            return Some(t.and(c, a));
        }
        _ => {}
    }
    if c == a || c == b {
        t.fire(Rule::IteCondArm);
        return Some(if c == a { t.or(c, b) } else { t.and(c, a) });
    }
    if complementary(t, a, b) {
        // The arms differ, so the result is whether the condition and the first arm agree.
        t.fire(Rule::IteComplement);
        return Some(t.eq(c, a));
    }
    None
}

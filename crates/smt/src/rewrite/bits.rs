//! Rules for extensions, shifts, concat and extract.

use super::*;

pub(super) fn zext(t: &mut Terms, arg: TermId, width: u32) -> Option<TermId> {
    if t.width(arg) == width {
        t.fire(Rule::ExtendSame);
        return Some(arg);
    }
    if let Some(x) = as_unary(t, arg, UnaryOp::ZeroExtend) {
        t.fire(Rule::ZextZext);
        return Some(t.zext(x, width));
    }
    if let Some((c, a, b)) = as_ite_consts(t, arg) {
        t.fire(Rule::ExtendIteConst);
        let (a, b) = (t.bv(a, width), t.bv(b, width));
        return Some(t.ite(c, a, b));
    }
    None
}

pub(super) fn sext(t: &mut Terms, arg: TermId, width: u32) -> Option<TermId> {
    let from = t.width(arg);
    if from == width {
        t.fire(Rule::ExtendSame);
        return Some(arg);
    }
    if let Some(x) = as_unary(t, arg, UnaryOp::SignExtend) {
        t.fire(Rule::SextSext);
        return Some(t.sext(x, width));
    }
    if t.facts(arg).sign(from) == Some(false) {
        t.fire(Rule::SextPositive);
        return Some(t.zext(arg, width));
    }
    if let Node::Ite(c, a, b) = t.node(arg)
        && as_ite_consts(t, arg).is_some()
    {
        t.fire(Rule::ExtendIteConst);
        let (a, b) = (t.sext(a, width), t.sext(b, width));
        return Some(t.ite(c, a, b));
    }
    None
}

pub(super) fn shift(t: &mut Terms, op: BinaryOp, a: TermId, by: TermId) -> Option<TermId> {
    let width = t.width(a);
    if t.as_const(a) == Some(0) {
        t.fire(Rule::ShiftOfZero);
        return Some(a);
    }
    let sign = t.facts(a).sign(width);
    if op == BinaryOp::Ashr && sign == Some(false) {
        t.fire(Rule::AshrPositive);
        return Some(t.lshr(a, by));
    }
    let n = t.as_const(by)?;
    if n == 0 {
        t.fire(Rule::ShiftZero);
        return Some(a);
    }
    let n = u32::try_from(n).map_or(width, |n| n.min(width));
    match op {
        BinaryOp::Shl => {
            t.fire(Rule::ShlConst);
            if n == width {
                return Some(t.bv(0, width));
            }
            let (kept, zeros) = (t.extract(width - 1 - n, 0, a), t.bv(0, n));
            Some(t.concat(kept, zeros))
        }
        BinaryOp::Lshr => {
            t.fire(Rule::LshrConst);
            if n == width {
                return Some(t.bv(0, width));
            }
            let kept = t.extract(width - 1, n, a);
            Some(t.zext(kept, width))
        }
        _ => {
            t.fire(Rule::AshrConst);
            let kept = t.extract(width - 1, n.min(width - 1), a);
            Some(t.sext(kept, width))
        }
    }
}

pub(super) fn concat(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (wa, wb) = (t.width(a), t.width(b));
    if t.as_const(a) == Some(0) {
        t.fire(Rule::ConcatZero);
        return Some(t.zext(b, wa + wb));
    }
    if let Some(x) = as_unary(t, a, UnaryOp::ZeroExtend) {
        t.fire(Rule::ConcatZext);
        let joined = t.concat(x, b);
        return Some(t.zext(joined, wa + wb));
    }
    if let Some((x, y)) = as_binary(t, a, BinaryOp::Concat) {
        t.fire(Rule::ConcatAssoc);
        let right = t.concat(y, b);
        return Some(t.concat(x, right));
    }
    if let (Some(p), Some((q, rest))) = (t.as_const(a), as_binary(t, b, BinaryOp::Concat))
        && let Some(q) = t.as_const(q)
    {
        t.fire(Rule::ConcatConstConst);
        let wq = wb - t.width(rest);
        let both = t.bv((p << wq) | q, wa + wq);
        return Some(t.concat(both, rest));
    }
    if let Node::Extract { hi, lo, arg } = t.node(a) {
        let next_to = |t: &Terms, term: TermId| match t.node(term) {
            Node::Extract {
                hi: h,
                lo: l,
                arg: x,
            } if x == arg && h + 1 == lo => Some(l),
            _ => None,
        };
        if let Some(low) = next_to(t, b) {
            t.fire(Rule::ConcatExtracts);
            return Some(t.extract(hi, low, arg));
        }
        if let Some((first, rest)) = as_binary(t, b, BinaryOp::Concat)
            && let Some(low) = next_to(t, first)
        {
            t.fire(Rule::ConcatExtractsThen);
            let joined = t.extract(hi, low, arg);
            return Some(t.concat(joined, rest));
        }
    }
    None
}

/// Bits `lo` to `hi` of `arg`.
pub(crate) fn extract(t: &mut Terms, hi: u32, lo: u32, arg: TermId) -> Option<TermId> {
    let width = t.width(arg);
    let cut = hi - lo + 1;
    if cut == width {
        t.fire(Rule::ExtractAll);
        return Some(arg);
    }
    match t.node(arg) {
        Node::Extract {
            lo: inner, arg: x, ..
        } => {
            t.fire(Rule::ExtractExtract);
            Some(t.extract(hi + inner, lo + inner, x))
        }
        Node::Binary(BinaryOp::Concat, a, b) => {
            let wb = t.width(b);
            if hi < wb {
                t.fire(Rule::ExtractConcatLow);
                Some(t.extract(hi, lo, b))
            } else if lo >= wb {
                t.fire(Rule::ExtractConcatHigh);
                Some(t.extract(hi - wb, lo - wb, a))
            } else {
                t.fire(Rule::ExtractConcatAcross);
                let (high, low) = (t.extract(hi - wb, 0, a), t.extract(wb - 1, lo, b));
                Some(t.concat(high, low))
            }
        }
        Node::Unary(op @ (UnaryOp::ZeroExtend | UnaryOp::SignExtend), x) => {
            let from = t.width(x);
            if hi < from {
                t.fire(Rule::ExtractExtendLow);
                Some(t.extract(hi, lo, x))
            } else if lo < from {
                t.fire(Rule::ExtractExtendAcross);
                let low = t.extract(from - 1, lo, x);
                Some(t.unary(op, low, cut))
            } else if op == UnaryOp::SignExtend {
                t.fire(Rule::ExtractSextHigh);
                let sign = t.extract(from - 1, from - 1, x);
                Some(t.sext(sign, cut))
            } else {
                None // All zeros, which the facts know.
            }
        }
        Node::Unary(UnaryOp::Not, x) => {
            t.fire(Rule::ExtractNot);
            let low = t.extract(hi, lo, x);
            Some(t.not(low))
        }
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) => {
            t.fire(Rule::ExtractBitwise);
            let (a, b) = (t.extract(hi, lo, a), t.extract(hi, lo, b));
            Some(t.binary(op, a, b))
        }
        // The low bits of a sum or product need the low bits only. If the wide one is needed as well
        // nothing is lost: both share their low gates.
        Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) if lo == 0 => {
            t.fire(Rule::ExtractLowArith);
            let (a, b) = (t.extract(hi, 0, a), t.extract(hi, 0, b));
            Some(t.binary(op, a, b))
        }
        Node::Unary(UnaryOp::Neg, a) if lo == 0 => {
            t.fire(Rule::ExtractLowArith);
            let a = t.extract(hi, 0, a);
            Some(t.neg(a))
        }
        _ => {
            let (c, a, b) = as_ite_with_const(t, arg)?;
            t.fire(Rule::ExtractIteConst);
            let (a, b) = (t.extract(hi, lo, a), t.extract(hi, lo, b));
            Some(t.ite(c, a, b))
        }
    }
}

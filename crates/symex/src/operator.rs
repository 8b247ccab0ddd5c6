//! What C's operators do to terms, and where they fault; nothing here knows of a state.
//!
//! A value of 1 bit is a Bool, all others are bit vectors: pointers of pointer width, floats as
//! their bits.

use idiolect_ir::{BinaryOp, Ty};
use idiolect_smt::{Sort, TermId, Terms};

/// A Bool as a vector of one bit; everything else as it is.
pub fn as_bits(terms: &mut Terms, term: TermId) -> TermId {
    match terms.sort(term) {
        Sort::Bool => terms.bool_to_bv(term, 1),
        Sort::BitVec(_) => term,
    }
}

/// Bits as a value of this type.
pub fn typed(terms: &mut Terms, bits: TermId, ty: Ty) -> TermId {
    match ty {
        Ty::Int(1) if terms.sort(bits) != Sort::Bool => terms.is_nonzero(bits),
        _ => bits,
    }
}

/// Makes a value as wide as `width`, by zeros or by cutting.
pub fn fit(terms: &mut Terms, value: TermId, width: u32) -> TermId {
    let bits = as_bits(terms, value);
    let own = terms.width(bits);
    if own < width {
        terms.zext(bits, width)
    } else if own > width {
        terms.extract(width - 1, 0, bits)
    } else {
        bits
    }
}

/// The bits of a type.
pub fn width_of(ty: Ty, pointer_width: u32) -> u32 {
    match ty {
        Ty::Int(width) => u32::from(width),
        Ty::F32 => 32,
        Ty::F64 => 64,
        Ty::F80 => 80,
        Ty::Ptr => pointer_width,
    }
}

pub fn sort_of(ty: Ty, pointer_width: u32) -> Sort {
    match ty {
        Ty::Int(1) => Sort::Bool,
        _ => Sort::BitVec(width_of(ty, pointer_width)),
    }
}

/// The sign bit of a float flipped.
pub fn negated_float(terms: &mut Terms, a: TermId) -> TermId {
    let width = terms.width(a);
    let sign = terms.bv(1 << (width - 1), width);
    terms.xor(a, sign)
}

/// The operators that are the same on Bools and bit vectors.
pub fn bitwise(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        BinaryOp::BitAnd => terms.and(a, b),
        BinaryOp::BitOr => terms.or(a, b),
        BinaryOp::BitXor => terms.xor(a, b),
        BinaryOp::Eq => terms.eq(a, b),
        BinaryOp::Ne => terms.ne(a, b),
        _ => return None,
    })
}

/// Arithmetic and order of integers of type `ty`, given as bits, where they do not fault. `None` for
/// what is about floats or the difference of pointers.
pub fn arithmetic(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, ty: Ty) -> Option<TermId> {
    use BinaryOp::*;
    let width = terms.width(a);
    let result = match op {
        Add { .. } => terms.add(a, b),
        Sub { .. } => terms.sub(a, b),
        Mul { .. } => terms.mul(a, b),
        UDiv => terms.udiv(a, b),
        URem => terms.urem(a, b),
        SDiv => terms.sdiv(a, b),
        SRem => terms.srem(a, b),
        Shl { .. } | LShr | AShr => {
            let amount = if width.is_power_of_two() {
                let mask = terms.bv(u128::from(width - 1), width);
                terms.and(b, mask)
            } else {
                let modulus = terms.bv(u128::from(width), width);
                terms.urem(b, modulus)
            };
            match op {
                LShr => terms.lshr(a, amount),
                AShr => terms.ashr(a, amount),
                _ => terms.shl(a, amount),
            }
        }
        ULt => return Some(terms.ult(a, b)),
        ULe => return Some(terms.ule(a, b)),
        SLt => return Some(terms.slt(a, b)),
        SLe => return Some(terms.sle(a, b)),
        _ => return None,
    };
    Some(typed(terms, result, ty))
}

pub fn is_division(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, UDiv | URem | SDiv | SRem)
}

pub fn divides_by_zero(terms: &mut Terms, b: TermId) -> TermId {
    let zero = terms.bv(0, terms.width(b));
    terms.eq(b, zero)
}

/// The smallest value by -1, if the division is one of signed values.
pub fn division_overflows(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if !matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
        return None;
    }
    let width = terms.width(a);
    let least = terms.bv(1 << (width - 1), width);
    let minus_one = terms.bv(u128::MAX, width);
    let dividend = terms.eq(a, least);
    let divisor = terms.eq(b, minus_one);
    Some(terms.and(dividend, divisor))
}

/// The negative of the smallest value is none.
pub fn negation_overflows(terms: &mut Terms, bits: TermId) -> TermId {
    let width = terms.width(bits);
    let least = terms.bv(1 << (width - 1), width);
    terms.eq(bits, least)
}

/// The result is none of the values of its type. `None` if that needs terms that are too wide.
pub fn overflows(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    let wide = match op {
        BinaryOp::Mul { .. } => 2 * width,
        _ => width + 1,
    };
    if wide > idiolect_smt::MAX_WIDTH {
        return None;
    }
    let (x, y) = (terms.sext(a, wide), terms.sext(b, wide));
    let exact = match op {
        BinaryOp::Add { .. } => terms.add(x, y),
        BinaryOp::Sub { .. } => terms.sub(x, y),
        _ => terms.mul(x, y),
    };
    let cut = terms.extract(width - 1, 0, exact);
    let back = terms.sext(cut, wide);
    Some(terms.ne(back, exact))
}

/// A negative value may not be shifted, nor may a one leave the value bits.
pub fn shift_overflows(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    let limit = terms.bv(u128::from(width), width);
    let fits = terms.ult(b, limit);
    let too_far = terms.not(fits);
    let most = terms.bv(idiolect_smt::mask(width) >> 1, width);
    let largest = terms.lshr(most, b);
    let loses = terms.ult(largest, a);
    terms.or(too_far, loses)
}

//! Addition, multiplication, and both at once.

use super::definition::{FloatOp, defined};
use super::round::{Known, normalized, round};
use super::{
    Format, Mode, Parts, infinity, is_infinite, is_nan, is_negative, is_zero, magnitude, nan,
    negate, padded, parts, quieted, shifted_sticky, signed,
};
use crate::term::{TermId, Terms};

pub fn subtract(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    let term = subtract_bits(t, format, mode, a, b);
    defined(t, term, FloatOp::Subtract, (format, mode), &[a, b])
}

fn subtract_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    if a == b {
        // Zero, or NaN for what has no difference from itself.
        let (is_nan, infinite) = (is_nan(t, format, a), is_infinite(t, format, a));
        let invalid = t.or(is_nan, infinite);
        let nan = nan(t, format, &[a]);
        let sign = t.bool(mode == Mode::TowardNegative);
        let zero = signed(t, format, sign, 0);
        return t.ite(invalid, nan, zero);
    }
    let opposite = negate(t, format, b);
    let sum = finite_or_infinite_sum(t, format, mode, a, opposite);
    with_nan_of(t, format, sum, a, b)
}

pub fn add(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    let term = add_bits(t, format, mode, a, b);
    defined(t, term, FloatOp::Add, (format, mode), &[a, b])
}

fn add_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    for (x, y) in [(a, b), (b, a)] {
        // Adding minus zero changes nothing, adding zero only minus zero.
        if mode != Mode::TowardNegative
            && let Some(constant) = t.as_const(y)
            && constant & !format.sign_bit() == 0
        {
            let same = quieted(t, format, x);
            if constant != 0 {
                return same;
            }
            let (minus, zero) = (t.bv(format.sign_bit(), format.width()), y);
            let is_minus = t.eq(x, minus);
            return t.ite(is_minus, zero, same);
        }
    }
    let sum = finite_or_infinite_sum(t, format, mode, a, b);
    with_nan_of(t, format, sum, a, b)
}

/// NaN where an operand is, or where infinities of different signs meet.
fn with_nan_of(t: &mut Terms, format: Format, sum: TermId, a: TermId, b: TermId) -> TermId {
    let (x, y) = (is_nan(t, format, a), is_nan(t, format, b));
    let either = t.or(x, y);
    let nan = nan(t, format, &[a, b]);
    t.ite(either, nan, sum)
}

fn finite_or_infinite_sum(
    t: &mut Terms,
    format: Format,
    mode: Mode,
    a: TermId,
    b: TermId,
) -> TermId {
    let (x, y) = (parts(t, format, a), parts(t, format, b));
    let width = format.exponent + 2;
    let finite = {
        // Unlike the biased exponents, these may have any sign.
        let unbiased = |t: &mut Terms, e: TermId| {
            let wide = t.zext(e, width);
            let bias = super::number(t, format.bias(), width);
            t.sub(wide, bias)
        };
        let (e, f) = (unbiased(t, x.exponent), unbiased(t, y.exponent));
        let first = (x.sign, e, x.significand);
        let second = (y.sign, f, y.significand);
        let (m, n) = (magnitude(t, format, a), magnitude(t, format, b));
        let swap = t.ult(m, n);
        sum(t, format, mode, first, second, swap)
    };
    let (p, q) = (is_infinite(t, format, a), is_infinite(t, format, b));
    let invalid = {
        let both = t.and(p, q);
        let differ = t.xor(x.sign, y.sign);
        t.and(both, differ)
    };
    let default = nan(t, format, &[]);
    let infinite = t.ite(invalid, default, a);
    let result = t.ite(q, b, finite);
    t.ite(p, infinite, result)
}

/// The rounded sum of two numbers, each given by sign, exponent and significand with one bit before
/// the point; `swap` if the second is the larger in magnitude, zeros not counted.
fn sum(
    t: &mut Terms,
    format: Format,
    mode: Mode,
    a: (TermId, TermId, TermId),
    b: (TermId, TermId, TermId),
    swap: TermId,
) -> TermId {
    let mut choose = |x: TermId, y: TermId| (t.ite(swap, y, x), t.ite(swap, x, y));
    let (large_sign, small_sign) = choose(a.0, b.0);
    let (exponent, small_exponent) = choose(a.1, b.1);
    let (large, small) = choose(a.2, b.2);
    let n = t.width(large);
    let distance = t.sub(exponent, small_exponent);
    // Two bits for rounding and one for all that lies beyond; one in front for the carry.
    let large = padded(t, large, 3);
    let small = padded(t, small, 3);
    let small = shifted_sticky(t, small, distance);
    let (large, small) = (t.zext(large, n + 4), t.zext(small, n + 4));
    let differ = t.xor(large_sign, small_sign);
    let (plus, minus) = (t.add(large, small), t.sub(large, small));
    let total = t.ite(differ, minus, plus);
    let nothing = t.bv(0, n + 4);
    let is_zero = t.eq(total, nothing);
    // An exact difference of zero is positive, except where all is rounded down.
    let of_zero = t.bool(mode == Mode::TowardNegative);
    let of_zero = t.ite(differ, of_zero, large_sign);
    let sign = t.ite(is_zero, of_zero, large_sign);
    let width = t.width(exponent) + 1;
    let exponent = t.sext(exponent, width);
    let one = t.bv(1, width);
    let exponent = t.add(exponent, one);
    round(t, format, mode, sign, (exponent, total), Known::default())
}

/// If one of the factors is 1 or -1, the other with the right sign.
fn by_one(t: &mut Terms, format: Format, a: TermId, b: TermId) -> Option<TermId> {
    for (x, y) in [(a, b), (b, a)] {
        let constant = t.as_const(y);
        if constant == Some(format.one()) {
            return Some(quieted(t, format, x));
        }
        if constant == Some(format.one() | format.sign_bit()) {
            let opposite = negate(t, format, x);
            let is_nan = is_nan(t, format, x);
            let same = quieted(t, format, x);
            return Some(t.ite(is_nan, same, opposite));
        }
    }
    None
}

pub fn multiply(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    let term = multiply_bits(t, format, mode, a, b);
    defined(t, term, FloatOp::Multiply, (format, mode), &[a, b])
}

fn multiply_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    if let Some(simple) = by_one(t, format, a, b) {
        return simple;
    }
    let (x, y) = (parts(t, format, a), parts(t, format, b));
    let (sign, exponent, significand) = product(t, format, x, y);
    let finite = round(
        t,
        format,
        mode,
        sign,
        (exponent, significand),
        Known::default(),
    );
    product_with_special(t, format, a, b, finite)
}

/// Sign, exponent and significand of the exact product.
fn product(t: &mut Terms, format: Format, x: Parts, y: Parts) -> (TermId, TermId, TermId) {
    let sign = t.xor(x.sign, y.sign);
    let wide = 2 * format.precision;
    let (m, n) = (t.zext(x.significand, wide), t.zext(y.significand, wide));
    let significand = t.mul(m, n);
    let width = format.exponent + 3;
    let (e, f) = (t.zext(x.exponent, width), t.zext(y.exponent, width));
    let exponent = t.add(e, f);
    // Both have a bit before the point, so the product has two.
    let offset = super::number(t, 2 * format.bias() - 1, width);
    let exponent = t.sub(exponent, offset);
    (sign, exponent, significand)
}

fn product_with_special(
    t: &mut Terms,
    format: Format,
    a: TermId,
    b: TermId,
    finite: TermId,
) -> TermId {
    let (s, r) = (is_negative(t, format, a), is_negative(t, format, b));
    let sign = t.xor(s, r);
    let (p, q) = (is_infinite(t, format, a), is_infinite(t, format, b));
    let infinite = t.or(p, q);
    let infinity = infinity(t, format, sign);
    let result = t.ite(infinite, infinity, finite);
    let invalid = is_invalid_product(t, format, a, b);
    let nan = nan(t, format, &[a, b]);
    t.ite(invalid, nan, result)
}

/// A factor is NaN, or one is zero and the other infinite.
fn is_invalid_product(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (p, q) = (is_infinite(t, format, a), is_infinite(t, format, b));
    let (z, w) = (is_zero(t, format, a), is_zero(t, format, b));
    let (one, other) = (t.and(p, w), t.and(q, z));
    let (n, m) = (is_nan(t, format, a), is_nan(t, format, b));
    let mixed = t.or(one, other);
    let nans = t.or(n, m);
    t.or(mixed, nans)
}

/// `a * b + c`, rounded once.
pub fn fma(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId, c: TermId) -> TermId {
    let term = fma_bits(t, format, mode, a, b, c);
    defined(t, term, FloatOp::Fma, (format, mode), &[a, b, c])
}

fn fma_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId, c: TermId) -> TermId {
    let (x, y, z) = (
        parts(t, format, a),
        parts(t, format, b),
        parts(t, format, c),
    );
    let (sign, exponent, significand) = product(t, format, x, y);
    // An addition of numbers of twice the precision, both without leading zeros: then exponents tell
    // which is larger as far as it matters for what is shifted out.
    let width = t
        .width(exponent)
        .max(32 - (2 * format.precision).leading_zeros())
        + 2;
    let exponent = t.sext(exponent, width);
    let (first, zeros) = normalized(t, significand, width);
    let first_exponent = t.sub(exponent, zeros);
    let own = padded(t, z.significand, format.precision);
    let (second, zeros) = normalized(t, own, width);
    let second_exponent = {
        let wide = t.zext(z.exponent, width);
        let bias = super::number(t, format.bias(), width);
        let unbiased = t.sub(wide, bias);
        t.sub(unbiased, zeros)
    };
    let nothing = t.bv(0, 2 * format.precision);
    let (no_first, no_second) = (t.eq(significand, nothing), t.eq(own, nothing));
    let swap = {
        let below = t.slt(first_exponent, second_exponent);
        let same = t.eq(first_exponent, second_exponent);
        let smaller = t.ult(first, second);
        let tied = t.and(same, smaller);
        let by_size = t.or(below, tied);
        let some_second = t.not(no_second);
        let candidate = t.and(by_size, some_second);
        t.or(no_first, candidate)
    };
    // A zero has the other's exponent, so that nothing is shifted.
    let e = t.ite(no_first, second_exponent, first_exponent);
    let f = t.ite(no_second, first_exponent, second_exponent);
    let both = t.and(no_first, no_second);
    let zero = t.bv(0, width);
    let (e, f) = (t.ite(both, zero, e), t.ite(both, zero, f));
    let finite = sum(t, format, mode, (sign, e, first), (z.sign, f, second), swap);
    let (p, q, r) = (
        is_infinite(t, format, a),
        is_infinite(t, format, b),
        is_infinite(t, format, c),
    );
    let is_large = t.or(p, q);
    let from_product = infinity(t, format, sign);
    let result = t.ite(r, c, finite);
    let result = t.ite(is_large, from_product, result);
    let invalid = {
        let product = is_invalid_product(t, format, a, b);
        let differ = t.xor(sign, z.sign);
        let meet = t.and(is_large, r);
        let meet = t.and(meet, differ);
        let addend = is_nan(t, format, c);
        let either = t.or(product, meet);
        t.or(either, addend)
    };
    let nan = nan(t, format, &[a, b, c]);
    t.ite(invalid, nan, result)
}

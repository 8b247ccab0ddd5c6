//! Quotient, remainder and root, one bit a step.

use super::definition::{FloatOp, defined};
use super::round::{Known, normalized, round};
use super::{
    Format, Mode, infinity, is_infinite, is_nan, is_negative, is_zero, magnitude, nan, parts,
    signed,
};
use crate::term::{TermId, Terms};

/// Exponent, not biased, and significand without leading zeros.
fn leading(t: &mut Terms, format: Format, a: TermId) -> (TermId, TermId) {
    let x = parts(t, format, a);
    let lengths = 32 - format.precision.leading_zeros();
    let width = format.exponent.max(lengths) + 3;
    let (significand, zeros) = normalized(t, x.significand, width);
    let wide = t.zext(x.exponent, width);
    let bias = super::number(t, format.bias(), width);
    let exponent = t.sub(wide, bias);
    (t.sub(exponent, zeros), significand)
}

pub fn divide(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    let term = divide_bits(t, format, mode, a, b);
    defined(t, term, FloatOp::Divide, (format, mode), &[a, b])
}

fn divide_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId, b: TermId) -> TermId {
    if let Some(inverse) = exact_inverse(t, format, b) {
        return super::multiply(t, format, mode, a, inverse);
    }
    let (s, r) = (is_negative(t, format, a), is_negative(t, format, b));
    let sign = t.xor(s, r);
    let (e, dividend) = leading(t, format, a);
    let (f, divisor) = leading(t, format, b);
    let exponent = t.sub(e, f);
    let n = format.precision + 1;
    let (mut rest, divisor) = (t.zext(dividend, n), t.zext(divisor, n));
    // The quotient lies between 1/2 and 2: one bit before the point, and one more than the
    // precision after it.
    let mut quotient: Option<TermId> = None;
    for _ in 0..format.precision + 2 {
        let (bit, left) = reduced(t, rest, divisor);
        let bit = t.bool_to_bv(bit, 1);
        quotient = Some(match quotient {
            None => bit,
            Some(high) => t.concat(high, bit),
        });
        // Below the divisor, so its first bit is free.
        let low = t.extract(n - 2, 0, left);
        rest = super::padded(t, low, 1);
    }
    let rest = t.is_nonzero(rest);
    let sticky = t.bool_to_bv(rest, 1);
    let significand = match quotient {
        Some(high) => t.concat(high, sticky),
        None => sticky,
    };
    let finite = round(
        t,
        format,
        mode,
        sign,
        (exponent, significand),
        Known::default(),
    );
    let (z, w) = (is_zero(t, format, a), is_zero(t, format, b));
    let (p, q) = (is_infinite(t, format, a), is_infinite(t, format, b));
    let zero = signed(t, format, sign, 0);
    let infinite = infinity(t, format, sign);
    let vanishes = t.or(z, q);
    let result = t.ite(vanishes, zero, finite);
    let grows = t.or(w, p);
    let result = t.ite(grows, infinite, result);
    let invalid = {
        let (zeros, infinities) = (t.and(z, w), t.and(p, q));
        let (n, m) = (is_nan(t, format, a), is_nan(t, format, b));
        let nans = t.or(n, m);
        let both = t.or(zeros, infinities);
        t.or(both, nans)
    };
    let nan = nan(t, format, &[a, b]);
    t.ite(invalid, nan, result)
}

/// `1 / b` for a constant power of two whose inverse is one that the format has.
fn exact_inverse(t: &mut Terms, format: Format, b: TermId) -> Option<TermId> {
    let bits = t.as_const(b)?;
    let fraction = bits & ((1 << format.fraction()) - 1);
    let field = (bits >> format.fraction()) & ((1 << format.exponent) - 1);
    let inverse = (2 * format.bias() as u128).checked_sub(field)?;
    if fraction != 0 || field == 0 || inverse == 0 {
        return None;
    }
    let sign = bits & format.sign_bit();
    Some(t.bv(sign | inverse << format.fraction(), format.width()))
}

/// Whether `b` fits into `a`, and what is left.
fn reduced(t: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
    let fits = t.ule(b, a);
    let less = t.sub(a, b);
    (fits, t.ite(fits, less, a))
}

pub fn sqrt(t: &mut Terms, format: Format, mode: Mode, a: TermId) -> TermId {
    let term = sqrt_bits(t, format, mode, a);
    defined(t, term, FloatOp::SquareRoot, (format, mode), &[a])
}

fn sqrt_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId) -> TermId {
    let (exponent, significand) = leading(t, format, a);
    let width = t.width(exponent);
    // An odd exponent lends one factor of two to the significand, which then lies in [1, 4).
    let lowest = t.extract(0, 0, exponent);
    let is_odd = t.is_nonzero(lowest);
    let half = {
        let one = t.bv(1, width);
        t.ashr(exponent, one)
    };
    let precision = format.precision;
    // Pairs of bits, the first one before the point.
    let even = t.zext(significand, precision + 1);
    let odd = super::padded(t, significand, 1);
    let radicand = t.ite(is_odd, odd, even);
    let n = precision + 5;
    let steps = precision + 2;
    let mut rest = t.bv(0, n);
    let mut root = t.bv(0, n);
    for i in 0..steps {
        // The next two bits of the radicand: its highest is number `precision`.
        let high = i64::from(precision) - 2 * i64::from(i);
        let mut bit = |at: i64| match at {
            0.. => t.extract(at as u32, at as u32, radicand),
            _ => t.bv(0, 1),
        };
        let (first, second) = (bit(high), bit(high - 1));
        let pair = t.concat(first, second);
        let low = t.extract(n - 3, 0, rest);
        let brought = t.concat(low, pair);
        // (2 r + 1)^2 - (2 r)^2 = 4 r + 1
        let tail = t.extract(n - 3, 0, root);
        let one = t.bv(1, 2);
        let trial = t.concat(tail, one);
        let (fits, left) = reduced(t, brought, trial);
        rest = left;
        let last = t.bool_to_bv(fits, 1);
        let tail = t.extract(n - 2, 0, root);
        root = t.concat(tail, last);
    }
    let rest = t.is_nonzero(rest);
    let sticky = t.bool_to_bv(rest, 1);
    let root = t.extract(steps - 1, 0, root);
    let significand = t.concat(root, sticky);
    let positive = t.ff();
    let known = Known {
        is_normalized: true,
        is_in_range: format.bias() > i64::from(precision),
    };
    let finite = round(t, format, mode, positive, (half, significand), known);
    let (zero, infinite) = (is_zero(t, format, a), is_infinite(t, format, a));
    let is_negative = is_negative(t, format, a);
    let same = t.or(zero, infinite);
    let result = t.ite(same, a, finite);
    let invalid = {
        let some = t.not(zero);
        let below = t.and(is_negative, some);
        let own = is_nan(t, format, a);
        t.or(below, own)
    };
    let nan = nan(t, format, &[a]);
    t.ite(invalid, nan, result)
}

/// C's `fmod`: the exact `a - n b` with the sign of `a`, where `n` is `a / b` toward zero. Right where
/// the exponents differ by at most `steps`; the second term holds where they differ by more, and
/// the first means nothing there.
pub fn remainder(
    t: &mut Terms,
    format: Format,
    steps: u32,
    a: TermId,
    b: TermId,
) -> (TermId, TermId) {
    let (e, dividend) = leading(t, format, a);
    let (f, divisor) = leading(t, format, b);
    let width = t.width(e);
    let distance = t.sub(e, f);
    let n = format.precision + 1;
    let (mut rest, divisor) = (t.zext(dividend, n), t.zext(divisor, n));
    // Step number `i` subtracts the divisor moved up by `i`, if the exponents are that far apart.
    let steps = steps.min(format.exponent_range());
    for i in (0..=steps).rev() {
        let at = super::number(t, i64::from(i), width);
        let is_due = t.sle(at, distance);
        let (_, left) = reduced(t, rest, divisor);
        let next = if i == 0 {
            left
        } else {
            let low = t.extract(n - 2, 0, left);
            super::padded(t, low, 1)
        };
        rest = t.ite(is_due, next, rest);
    }
    let sign = is_negative(t, format, a);
    // Exact, since it is a multiple of the last place of the smaller operand.
    let significand = t.extract(n - 2, 0, rest);
    let exact = round(
        t,
        format,
        Mode::TowardZero,
        sign,
        (f, significand),
        Known::default(),
    );
    let (m, k) = (magnitude(t, format, a), magnitude(t, format, b));
    let is_small = t.ult(m, k);
    let result = t.ite(is_small, a, exact);
    let (zero, infinite) = (is_zero(t, format, b), is_infinite(t, format, a));
    let (p, q) = (is_nan(t, format, a), is_nan(t, format, b));
    let nans = t.or(p, q);
    let invalid = t.or(zero, infinite);
    let invalid = t.or(invalid, nans);
    let nan = nan(t, format, &[a, b]);
    let result = t.ite(invalid, nan, result);
    let beyond = {
        let most = super::number(t, i64::from(steps), width);
        let is_far = t.slt(most, distance);
        let due = t.or(invalid, is_small);
        let due = t.not(due);
        t.and(is_far, due)
    };
    (result, beyond)
}

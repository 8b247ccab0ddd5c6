//! From an exact value to the nearest one that the format has: the one place where bits are lost.

use super::{Format, Mode, padded, resized, shifted_sticky, signed};
use crate::term::{TermId, Terms};

/// `a` without leading zeros, and their number, of `width` bits. Of zero, both mean nothing.
pub(super) fn normalized(t: &mut Terms, a: TermId, width: u32) -> (TermId, TermId) {
    let n = t.width(a);
    let mut word = a;
    let mut count = t.bv(0, width);
    let mut step = n.next_power_of_two() / 2;
    while step > 0 {
        if step < n {
            let high = t.extract(n - 1, n - step, word);
            let zero = t.bv(0, step);
            let is_zero = t.eq(high, zero);
            let low = t.extract(n - step - 1, 0, word);
            let moved = padded(t, low, step);
            word = t.ite(is_zero, moved, word);
            let bit = t.bv(u128::from(step), width);
            let none = t.bv(0, width);
            let own = t.ite(is_zero, bit, none);
            count = t.or(count, own);
        }
        step /= 2;
    }
    (word, count)
}

/// The first `n` bits of `a`, with the last one set if any of the others is.
fn compressed(t: &mut Terms, a: TermId, n: u32) -> TermId {
    let width = t.width(a);
    if width <= n {
        return padded(t, a, n - width);
    }
    let high = t.extract(width - 1, width - n + 1, a);
    let low = t.extract(width - n, 0, a);
    let rest = t.is_nonzero(low);
    let sticky = t.bool_to_bv(rest, 1);
    t.concat(high, sticky)
}

/// What a rounding can rely on.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// The first bit is set.
    pub(super) is_normalized: bool,
    /// The value is neither too large nor too small for a normal number.
    pub(super) is_in_range: bool,
}

/// `(-1)^sign * significand * 2^exponent` as the format has it, where `significand` has one bit before
/// the point and its last bit may stand for everything beyond it, and `exponent` is a signed number.
/// The sign of zero is `sign`.
pub(super) fn round(
    t: &mut Terms,
    format: Format,
    mode: Mode,
    sign: TermId,
    (exponent, significand): (TermId, TermId),
    known: Known,
) -> TermId {
    let n = t.width(significand);
    let lengths = 32 - n.leading_zeros();
    let width = t.width(exponent).max(lengths).max(format.exponent + 1) + 2;
    let mut exponent = t.sext(exponent, width);
    let mut word = significand;
    if !known.is_normalized {
        let (moved, zeros) = normalized(t, significand, width);
        word = moved;
        exponent = t.sub(exponent, zeros);
    }
    let precision = format.precision;
    word = compressed(t, word, precision + 2);
    let least = super::number(t, format.least_exponent(), width);
    let bias = super::number(t, format.bias(), width);
    let mut biased = t.add(exponent, bias);
    if !known.is_in_range {
        let distance = t.sub(least, exponent);
        let is_below = t.slt(exponent, least);
        let zero = t.bv(0, width);
        let distance = t.ite(is_below, distance, zero);
        word = shifted_sticky(t, word, distance);
        let one = t.bv(1, width);
        biased = t.ite(is_below, one, biased);
    }
    let up = is_up(t, mode, sign, word);
    let kept = t.extract(precision + 1, 2, word);
    // The leading bit counts as one step of the exponent, so that a subnormal number, whose leading
    // bit is missing, and a carry out of the significand need no case of their own.
    let one = t.bv(1, width);
    let before = t.sub(biased, one);
    let field = resized(t, before, format.exponent);
    let high = padded(t, field, precision - 1);
    let size = format.width() - 1;
    let kept = t.zext(kept, size);
    let increment = t.bool_to_bv(up, size);
    let sum = t.add(high, kept);
    let sum = t.add(sum, increment);
    let top = t.bool_to_bv(sign, 1);
    let mut result = t.concat(top, sum);
    if !known.is_in_range {
        let most = super::number(t, format.bias(), width);
        let is_over = t.slt(most, exponent);
        let over = overflowed(t, format, mode, sign);
        result = t.ite(is_over, over, result);
    }
    let nothing = t.bv(0, n);
    let is_zero = t.eq(significand, nothing);
    let zero = signed(t, format, sign, 0);
    t.ite(is_zero, zero, result)
}

/// Whether the magnitude above is taken; the two lowest bits of `word` are beyond the precision.
fn is_up(t: &mut Terms, mode: Mode, sign: TermId, word: TermId) -> TermId {
    let mut bit = |i: u32| {
        let own = t.extract(i, i, word);
        t.is_nonzero(own)
    };
    let (sticky, guard, last) = (bit(0), bit(1), bit(2));
    match mode {
        Mode::NearestEven => {
            let more = t.or(sticky, last);
            t.and(guard, more)
        }
        Mode::NearestAway => guard,
        Mode::TowardZero => t.ff(),
        Mode::TowardPositive | Mode::TowardNegative => {
            let is_inexact = t.or(guard, sticky);
            let outward = away(t, mode, sign);
            t.and(is_inexact, outward)
        }
    }
}

/// Whether a directed mode goes away from zero for values of this sign.
pub(super) fn away(t: &mut Terms, mode: Mode, sign: TermId) -> TermId {
    match mode {
        Mode::TowardPositive => t.not(sign),
        Mode::TowardNegative => sign,
        _ => t.ff(),
    }
}

fn overflowed(t: &mut Terms, format: Format, mode: Mode, sign: TermId) -> TermId {
    let infinite = super::infinity(t, format, sign);
    let largest = signed(t, format, sign, format.largest());
    match mode {
        Mode::NearestEven | Mode::NearestAway => infinite,
        Mode::TowardZero => largest,
        Mode::TowardPositive | Mode::TowardNegative => {
            let outward = away(t, mode, sign);
            t.ite(outward, infinite, largest)
        }
    }
}

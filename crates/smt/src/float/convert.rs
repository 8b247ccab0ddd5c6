//! From integers, to integers, and from format to format.

use super::definition::{FloatOp, defined};
use super::round::{Known, away, round};
use super::{Format, Mode, fraction_of, infinity, is_infinite, is_nan, is_negative, padded, parts};
use crate::term::{MAX_WIDTH, TermId, Terms};

/// An integer of at most 127 bits as a float.
pub fn from_integer(
    t: &mut Terms,
    format: Format,
    mode: Mode,
    a: TermId,
    is_signed: bool,
) -> TermId {
    let term = from_integer_bits(t, format, mode, a, is_signed);
    defined(
        t,
        term,
        FloatOp::FromInteger { is_signed },
        (format, mode),
        &[a],
    )
}

fn from_integer_bits(
    t: &mut Terms,
    format: Format,
    mode: Mode,
    a: TermId,
    is_signed: bool,
) -> TermId {
    let n = t.width(a);
    let (sign, size) = if is_signed {
        let top = t.extract(n - 1, n - 1, a);
        let sign = t.is_nonzero(top);
        let opposite = t.neg(a);
        (sign, t.ite(sign, opposite, a))
    } else {
        (t.ff(), a)
    };
    // Zeros above that are known need not be looked at.
    let used = (128 - t.facts(size).max.leading_zeros()).clamp(1, n);
    let size = super::resized(t, size, used);
    let exponent = super::number(t, i64::from(used) - 1, 9);
    let known = Known {
        is_normalized: false,
        is_in_range: i64::from(used) <= format.bias(),
    };
    round(t, format, mode, sign, (exponent, size), known)
}

/// A float in another format.
pub fn to_format(t: &mut Terms, from: Format, to: Format, mode: Mode, a: TermId) -> TermId {
    let term = to_format_bits(t, from, to, mode, a);
    defined(t, term, FloatOp::FromFormat(from), (to, mode), &[a])
}

fn to_format_bits(t: &mut Terms, from: Format, to: Format, mode: Mode, a: TermId) -> TermId {
    if from == to {
        return super::quieted(t, from, a);
    }
    let x = parts(t, from, a);
    let width = from.exponent + 1;
    let exponent = t.zext(x.exponent, width);
    let bias = super::number(t, from.bias(), width);
    let exponent = t.sub(exponent, bias);
    let smallest = from.least_exponent() - i64::from(from.fraction());
    let known = Known {
        is_normalized: false,
        is_in_range: smallest >= to.least_exponent() && from.bias() <= to.bias(),
    };
    let finite = round(t, to, mode, x.sign, (exponent, x.significand), known);
    let is_infinite = is_infinite(t, from, a);
    let infinite = infinity(t, to, x.sign);
    let result = t.ite(is_infinite, infinite, finite);
    let is_nan = is_nan(t, from, a);
    let nan = carried(t, from, to, x.sign, a);
    t.ite(is_nan, nan, result)
}

/// A NaN in another format keeps its sign and the first bits of its fraction, and is quiet.
fn carried(t: &mut Terms, from: Format, to: Format, sign: TermId, a: TermId) -> TermId {
    let fraction = fraction_of(t, from, a);
    let (old, new) = (from.fraction(), to.fraction());
    let fraction = if old > new {
        t.extract(old - 1, old - new, fraction)
    } else {
        padded(t, fraction, new - old)
    };
    let quiet = t.bv(to.quiet_bit(), new);
    let fraction = t.or(fraction, quiet);
    let ones = t.bv(u128::MAX, to.exponent);
    let size = t.concat(ones, fraction);
    let top = t.bool_to_bv(sign, 1);
    t.concat(top, size)
}

/// What becomes of a float as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Converted {
    /// Means nothing where it does not fit.
    pub value: TermId,
    /// Holds if the rounded value is one of the integer type; not for infinities and NaN.
    pub fits: TermId,
}

/// A float as an integer of `width` bits. `None` if that needs terms that are too wide.
pub fn to_integer(
    t: &mut Terms,
    format: Format,
    mode: Mode,
    a: TermId,
    width: u32,
    is_signed: bool,
) -> Option<Converted> {
    let precision = format.precision;
    let wide = precision + 2 + width + 1;
    if wide > MAX_WIDTH {
        return None;
    }
    let x = parts(t, format, a);
    let sign = is_negative(t, format, a);
    let lengths = 32 - wide.leading_zeros();
    let own = format.exponent.max(lengths) + 2;
    let exponent = t.zext(x.exponent, own);
    let bias = super::number(t, format.bias(), own);
    let exponent = t.sub(exponent, bias);
    // Everything below one quarter is the same for rounding; everything beyond `width` does not fit.
    let (least, most) = (
        super::number(t, -2, own),
        super::number(t, i64::from(width), own),
    );
    let (is_low, is_high) = (t.slt(exponent, least), t.slt(most, exponent));
    let two = super::number(t, 2, own);
    let distance = t.add(exponent, two);
    let zero = t.bv(0, own);
    let distance = t.ite(is_low, zero, distance);
    // Fixed point: the significand with its leading bit two places below the point, moved up.
    let word = t.zext(x.significand, wide);
    let by = super::amount(t, distance, wide);
    let moved = t.shl(word, by);
    let fraction = precision + 1;
    let whole = t.extract(wide - 1, fraction, moved);
    let n = t.width(whole);
    let guard = t.extract(fraction - 1, fraction - 1, moved);
    let guard = t.is_nonzero(guard);
    let rest = t.extract(fraction - 2, 0, moved);
    let sticky = t.is_nonzero(rest);
    let last = t.extract(0, 0, whole);
    let is_odd = t.is_nonzero(last);
    let up = match mode {
        Mode::NearestEven => {
            let more = t.or(sticky, is_odd);
            t.and(guard, more)
        }
        Mode::NearestAway => guard,
        _ => {
            let inexact = t.or(guard, sticky);
            let outward = away(t, mode, sign);
            t.and(inexact, outward)
        }
    };
    let more = t.bool_to_bv(up, n);
    let size = t.add(whole, more);
    let opposite = t.neg(size);
    let both = t.ite(sign, opposite, size);
    let value = t.extract(width - 1, 0, both);
    let limit = |t: &mut Terms, most: u128| {
        let most = t.bv(most, n);
        t.ule(size, most)
    };
    let in_range = if is_signed {
        let below = limit(t, (1 << (width - 1)) - 1);
        let above = limit(t, 1 << (width - 1));
        t.ite(sign, above, below)
    } else {
        let below = limit(t, crate::term::mask(width));
        let above = limit(t, 0);
        t.ite(sign, above, below)
    };
    let (infinite, nan) = (is_infinite(t, format, a), is_nan(t, format, a));
    let special = t.or(infinite, nan);
    let outside = t.or(special, is_high);
    let inside = t.not(outside);
    Some(Converted {
        value,
        fits: t.and(in_range, inside),
    })
}

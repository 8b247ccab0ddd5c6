//! Rounding to a whole number in the same format: `floor`, `ceil`, `trunc`, `round`, `rint`.

use super::definition::{FloatOp, defined};
use super::round::away;
use super::{Format, Mode, exponent_of, is_nan, is_negative, magnitude, quieted, signed};
use crate::term::{TermId, Terms};

pub fn to_integral(t: &mut Terms, format: Format, mode: Mode, a: TermId) -> TermId {
    let term = to_integral_bits(t, format, mode, a);
    defined(t, term, FloatOp::ToIntegral, (format, mode), &[a])
}

fn to_integral_bits(t: &mut Terms, format: Format, mode: Mode, a: TermId) -> TermId {
    let size = format.width() - 1;
    let sign = is_negative(t, format, a);
    let bits = magnitude(t, format, a);
    let exponent = exponent_of(t, format, a);
    let bias = t.bv(format.bias() as u128, format.exponent);
    // Below 1 there is only the choice between 0 and 1.
    let is_small = t.ult(exponent, bias);
    let small = {
        let half = t.bv((format.bias() as u128 - 1) << format.fraction(), size);
        let (is_above, is_below) = (t.ult(half, bits), t.ult(bits, half));
        let up = match mode {
            Mode::NearestEven => is_above,
            Mode::NearestAway => t.not(is_below),
            _ => {
                let some = t.is_nonzero(bits);
                let outward = away(t, mode, sign);
                t.and(some, outward)
            }
        };
        let one = signed(t, format, sign, format.one());
        let zero = signed(t, format, sign, 0);
        t.ite(up, one, zero)
    };
    // From here on every bit counts for at least one.
    let exponent = t.zext(exponent, size);
    let whole = t.bv(format.bias() as u128 + u128::from(format.fraction()), size);
    let is_whole = t.ule(whole, exponent);
    let places = t.sub(whole, exponent);
    let one = t.bv(1, size);
    let unit = t.shl(one, places);
    let mask = t.sub(unit, one);
    let below = t.and(bits, mask);
    let kept = t.sub(bits, below);
    let half = t.lshr(unit, one);
    let up = match mode {
        Mode::NearestEven => {
            let above = t.ult(half, below);
            let tied = t.eq(half, below);
            let last = t.and(bits, unit);
            let odd = t.is_nonzero(last);
            // For numbers from 1 to below 2 this is the exponent's last bit, which the bias sets.
            let tied = t.and(tied, odd);
            t.or(above, tied)
        }
        Mode::NearestAway => {
            let under = t.ult(below, half);
            t.not(under)
        }
        _ => {
            let some = t.is_nonzero(below);
            let outward = away(t, mode, sign);
            t.and(some, outward)
        }
    };
    let more = t.add(kept, unit);
    let rounded = t.ite(up, more, kept);
    let top = t.bool_to_bv(sign, 1);
    let general = t.concat(top, rounded);
    let result = t.ite(is_small, small, general);
    let same = t.ite(is_whole, a, result);
    let is_nan = is_nan(t, format, a);
    let quiet = quieted(t, format, a);
    t.ite(is_nan, quiet, same)
}

//! IEEE 754 binary floating point, written out exactly as bit-vector terms.
//!
//! A float is a bit vector of its [`Format`]'s width: sign, biased exponent, fraction. Every operation
//! is a term over these bits that is right for all values, subnormal numbers, infinities and NaN
//! included, in all five rounding modes. Nothing of it is a node of its own, so that constants fold,
//! known bits travel, models evaluate and external solvers understand it as they do all else.
//!
//! The scheme is the usual one of hardware and of bit-precise model checkers: take the operands apart,
//! compute with guard and sticky bits, round once (`round.rs`).
//!
//! | here | IEEE 754-2019 |
//! |---|---|
//! | [`Format::precision`] | *p*, the significand's bits with the leading one |
//! | [`Format::bias`] | *emax*, and *emin* = 1 - *emax* |
//! | [`Mode`] | rounding-direction attributes, clause 4.3 |
//!
//! Where a result is NaN, its bits are those that x86-64's SSE instructions give: the first operand
//! that is NaN, made quiet, else the default with its sign set. The standard leaves this open, and
//! programs that look at it are rare.

mod arithmetic;
mod compare;
mod convert;
mod definition;
mod division;
mod integral;
mod round;

pub use arithmetic::{add, fma, multiply, subtract};
pub use compare::{equal, less, less_or_equal};
pub use convert::{Converted, from_integer, to_format, to_integer};
pub use definition::{Definition, FloatOp};
pub use division::{divide, remainder, sqrt};
pub use integral::to_integral;

use crate::term::{TermId, Terms};
use definition::defined;

/// The widths of a binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// Bits of the biased exponent.
    pub exponent: u32,
    /// Bits of the significand with the leading one, which is not stored.
    pub precision: u32,
}

impl Format {
    pub const BINARY32: Format = Format {
        exponent: 8,
        precision: 24,
    };
    pub const BINARY64: Format = Format {
        exponent: 11,
        precision: 53,
    };

    /// All bits of a value.
    pub fn width(self) -> u32 {
        self.exponent + self.precision
    }

    /// The bits of the stored fraction.
    fn fraction(self) -> u32 {
        self.precision - 1
    }

    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number, which subnormal ones share.
    fn least_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The bits of positive infinity.
    pub fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction()
    }

    /// The bits of the largest finite number.
    pub fn largest(self) -> u128 {
        self.infinity() - 1
    }

    /// How far apart the exponents of two numbers can be at most.
    fn exponent_range(self) -> u32 {
        2 * self.bias() as u32 + self.fraction()
    }

    /// The bits of the NaN that an operation on numbers gives.
    pub(crate) fn default_nan(self) -> u128 {
        self.sign_bit() | self.infinity() | self.quiet_bit()
    }

    pub(crate) fn quiet_bit(self) -> u128 {
        1 << (self.fraction() - 1)
    }

    fn sign_bit(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// The bits of 1.
    fn one(self) -> u128 {
        (self.bias() as u128) << self.fraction()
    }
}

/// Which of the two neighbours a value that is none becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// The nearer; of two equally near ones, the even.
    NearestEven,
    /// The nearer; of two equally near ones, the larger in magnitude.
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl Mode {
    pub const ALL: [Mode; 5] = [
        Mode::NearestEven,
        Mode::NearestAway,
        Mode::TowardPositive,
        Mode::TowardNegative,
        Mode::TowardZero,
    ];
}

/// A value in its parts. For NaN and infinity exponent and significand mean nothing.
#[derive(Clone, Copy)]
struct Parts {
    sign: TermId,
    /// Biased; 1 for subnormal numbers.
    exponent: TermId,
    /// With the leading bit, which is 0 for zero and subnormal numbers.
    significand: TermId,
}

fn fraction_of(t: &mut Terms, format: Format, a: TermId) -> TermId {
    t.extract(format.fraction() - 1, 0, a)
}

fn exponent_of(t: &mut Terms, format: Format, a: TermId) -> TermId {
    t.extract(format.width() - 2, format.fraction(), a)
}

/// Everything but the sign.
fn magnitude(t: &mut Terms, format: Format, a: TermId) -> TermId {
    t.extract(format.width() - 2, 0, a)
}

pub fn is_negative(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let top = format.width() - 1;
    let bit = t.extract(top, top, a);
    t.is_nonzero(bit)
}

pub fn is_nan(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let size = magnitude(t, format, a);
    let infinity = t.bv(format.infinity(), format.width() - 1);
    let term = t.ult(infinity, size);
    defined(t, term, FloatOp::IsNan, (format, Mode::NearestEven), &[a])
}

pub fn is_infinite(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let size = magnitude(t, format, a);
    let infinity = t.bv(format.infinity(), format.width() - 1);
    let term = t.eq(size, infinity);
    defined(
        t,
        term,
        FloatOp::IsInfinite,
        (format, Mode::NearestEven),
        &[a],
    )
}

pub fn is_zero(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let size = magnitude(t, format, a);
    let zero = t.bv(0, format.width() - 1);
    let term = t.eq(size, zero);
    defined(t, term, FloatOp::IsZero, (format, Mode::NearestEven), &[a])
}

/// The sign flipped, of NaN as well.
pub fn negate(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let sign = t.bv(format.sign_bit(), format.width());
    let term = t.xor(a, sign);
    defined(t, term, FloatOp::Negate, (format, Mode::NearestEven), &[a])
}

pub fn absolute(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let size = magnitude(t, format, a);
    let term = t.zext(size, format.width());
    defined(
        t,
        term,
        FloatOp::Absolute,
        (format, Mode::NearestEven),
        &[a],
    )
}

/// `a` with the sign of `b`.
pub fn copy_sign(t: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let top = format.width() - 1;
    let sign = t.extract(top, top, b);
    let size = magnitude(t, format, a);
    t.concat(sign, size)
}

fn parts(t: &mut Terms, format: Format, a: TermId) -> Parts {
    let sign = is_negative(t, format, a);
    let exponent = exponent_of(t, format, a);
    let fraction = fraction_of(t, format, a);
    let is_normal = t.is_nonzero(exponent);
    let one = t.bv(1, format.exponent);
    let leading = t.bool_to_bv(is_normal, 1);
    Parts {
        sign,
        exponent: t.ite(is_normal, exponent, one),
        significand: t.concat(leading, fraction),
    }
}

/// NaN as an operation on these operands gives it.
fn nan(t: &mut Terms, format: Format, operands: &[TermId]) -> TermId {
    let width = format.width();
    let mut result = t.bv(format.default_nan(), width);
    for &a in operands.iter().rev() {
        let is_nan = is_nan(t, format, a);
        let quiet = t.bv(format.quiet_bit(), width);
        let quieted = t.or(a, quiet);
        result = t.ite(is_nan, quieted, result);
    }
    result
}

/// `a`, with a signalling NaN made quiet, as every operation does.
fn quieted(t: &mut Terms, format: Format, a: TermId) -> TermId {
    let is_nan = is_nan(t, format, a);
    let quiet = t.bv(format.quiet_bit(), format.width());
    let other = t.or(a, quiet);
    t.ite(is_nan, other, a)
}

fn infinity(t: &mut Terms, format: Format, sign: TermId) -> TermId {
    signed(t, format, sign, format.infinity())
}

/// A constant magnitude with this sign.
fn signed(t: &mut Terms, format: Format, sign: TermId, magnitude: u128) -> TermId {
    let positive = t.bv(magnitude, format.width());
    let negative = t.bv(magnitude | format.sign_bit(), format.width());
    t.ite(sign, negative, positive)
}

/// The low bits of `a`, or zeros above it.
fn resized(t: &mut Terms, a: TermId, width: u32) -> TermId {
    let own = t.width(a);
    if own > width {
        t.extract(width - 1, 0, a)
    } else if own < width {
        t.zext(a, width)
    } else {
        a
    }
}

/// `a` with so many zeros below.
fn padded(t: &mut Terms, a: TermId, zeros: u32) -> TermId {
    if zeros == 0 {
        return a;
    }
    let low = t.bv(0, zeros);
    t.concat(a, low)
}

/// `a` moved down by `by`, which is not negative; what is lost is remembered in the lowest bit.
fn shifted_sticky(t: &mut Terms, a: TermId, by: TermId) -> TermId {
    let width = t.width(a);
    let by = amount(t, by, width);
    let moved = t.lshr(a, by);
    let back = t.shl(moved, by);
    let lost = t.ne(back, a);
    let sticky = t.bool_to_bv(lost, width);
    t.or(moved, sticky)
}

/// A distance as an operand of shifts of this width, at most the width.
fn amount(t: &mut Terms, by: TermId, width: u32) -> TermId {
    let own = t.width(by);
    if own < width {
        return t.zext(by, width);
    }
    let most = t.bv(u128::from(width), own);
    let is_far = t.ult(most, by);
    let capped = t.ite(is_far, most, by);
    resized(t, capped, width)
}

/// `value` as a signed number of this width.
fn number(t: &mut Terms, value: i64, width: u32) -> TermId {
    t.bv(value as i128 as u128, width)
}

//! `long double` as x87 has it: 80 bits in the lower part of a `u128`.

use crate::code::Op;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

fn unpack(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits & ((1 << 80) - 1))
}

pub(crate) fn from_f64(value: f64) -> u128 {
    let wide: X87DoubleExtended = Double::from_bits(u128::from(value.to_bits()))
        .convert(&mut false)
        .value;
    wide.to_bits()
}

pub(crate) fn to_f64(bits: u128) -> f64 {
    let narrow: Double = unpack(bits).convert(&mut false).value;
    f64::from_bits(narrow.to_bits() as u64)
}

pub(crate) fn to_f32(bits: u128) -> f32 {
    let narrow: Single = unpack(bits).convert(&mut false).value;
    f32::from_bits(narrow.to_bits() as u32)
}

pub(crate) fn from_i128(value: i128) -> u128 {
    X87DoubleExtended::from_i128(value).value.to_bits()
}

pub(crate) fn from_u128(value: u128) -> u128 {
    X87DoubleExtended::from_u128(value).value.to_bits()
}

/// Toward zero, and whether the value fits.
pub(crate) fn to_i128(bits: u128) -> (i128, bool) {
    let result = unpack(bits).to_i128(128);
    (
        result.value,
        !result.status.contains(rustc_apfloat::Status::INVALID_OP),
    )
}

pub(crate) fn to_u128(bits: u128) -> u128 {
    unpack(bits).to_u128(128).value
}

/// The operators of floats; `UDiv` stands for `/`.
pub(crate) fn binary(op: Op, a: u128, b: u128) -> u128 {
    let (x, y) = (unpack(a), unpack(b));
    match op {
        Op::Add => (x + y).value.to_bits(),
        Op::Sub => (x - y).value.to_bits(),
        Op::Mul => (x * y).value.to_bits(),
        Op::UDiv => (x / y).value.to_bits(),
        Op::Eq => u128::from(x == y),
        Op::Ne => u128::from(x != y),
        Op::SLt => u128::from(x < y),
        _ => u128::from(x <= y),
    }
}

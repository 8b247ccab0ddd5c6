//! Floats as terms: what C's operators on `float` and `double` do to their bits. `long double` is not
//! modelled: `None`. Nothing here knows of a state.
//!
//! Constants are computed by the machine, all else is written out by [`idiolect_smt::float`].

use idiolect_ir::{BinaryOp, ConvertOp, Ty};
use idiolect_smt::float::{self, Format, Mode};
use idiolect_smt::{TermId, Terms};

/// C programs that do not change it round to nearest, ties to even.
const MODE: Mode = Mode::NearestEven;

pub fn format(ty: Ty) -> Option<Format> {
    match ty {
        Ty::F32 => Some(Format::BINARY32),
        Ty::F64 => Some(Format::BINARY64),
        _ => None,
    }
}

/// Arithmetic and comparison of two floats of type `ty`.
pub fn binary(t: &mut Terms, op: BinaryOp, ty: Ty, a: TermId, b: TermId) -> Option<TermId> {
    let format = format(ty)?;
    if let (Some(x), Some(y)) = (t.as_const(a), t.as_const(b))
        && let Some(value) = binary_of_constants(op, ty, x, y)
    {
        return Some(if op.is_comparison() {
            t.bool(value == 1)
        } else {
            t.bv(value, format.width())
        });
    }
    Some(match op {
        BinaryOp::FAdd => float::add(t, format, MODE, a, b),
        BinaryOp::FSub => float::subtract(t, format, MODE, a, b),
        BinaryOp::FMul => float::multiply(t, format, MODE, a, b),
        BinaryOp::FDiv => float::divide(t, format, MODE, a, b),
        BinaryOp::FEq => float::equal(t, format, a, b),
        BinaryOp::FNe => {
            let equal = float::equal(t, format, a, b);
            t.not(equal)
        }
        BinaryOp::FLt => float::less(t, format, a, b),
        BinaryOp::FLe => float::less_or_equal(t, format, a, b),
        _ => return None,
    })
}

/// A conversion from or to a float; integers are given as bits.
pub fn convert(t: &mut Terms, op: ConvertOp, from: Ty, to: Ty, a: TermId) -> Option<TermId> {
    if let Some(bits) = t.as_const(a)
        && let Some(value) = convert_constant(op, from, to, bits)
    {
        let width = match to {
            Ty::Int(width) => u32::from(width),
            _ => format(to)?.width(),
        };
        return Some(t.bv(value, width));
    }
    match (op, from, to) {
        (ConvertOp::IntToFloat { signed }, ..) => {
            let format = format(to)?;
            Some(float::from_integer(t, format, MODE, a, signed))
        }
        (ConvertOp::FloatToFloat, ..) => {
            let (from, to) = (format(from)?, format(to)?);
            Some(float::to_format(t, from, to, MODE, a))
        }
        (ConvertOp::FloatToInt { signed }, _, Ty::Int(width)) => {
            to_integer(t, format(from)?, a, u32::from(width), signed)
        }
        _ => None,
    }
}

/// Toward zero. Out of range, which C leaves open, the value is what x86-64 computes, as in `interp`:
/// a one and zeros, of 32 bits for a signed result of 32 bits or fewer, and of 64 bits, which are
/// then cut, for others.
fn to_integer(
    t: &mut Terms,
    format: Format,
    a: TermId,
    width: u32,
    signed: bool,
) -> Option<TermId> {
    let own = if signed && width <= 32 { 32 } else { 64 };
    if width > own {
        return None;
    }
    let mode = Mode::TowardZero;
    let found = float::to_integer(t, format, mode, a, own, true)?;
    let indefinite = t.bv(1 << (own - 1), own);
    let mut value = t.ite(found.fits, found.value, indefinite);
    if !signed && width == 64 {
        // Values from 2^63 on are converted after subtracting 2^63; beyond, nothing is left.
        let large = float::to_integer(t, format, mode, a, own, false)?;
        let negative = float::is_negative(t, format, a);
        let nan = float::is_nan(t, format, a);
        let zero = t.bv(0, own);
        let below = t.or(negative, nan);
        let beyond = t.ite(below, indefinite, zero);
        let value_or = t.ite(found.fits, found.value, beyond);
        value = t.ite(large.fits, large.value, value_or);
    }
    Some(if width == own {
        value
    } else {
        t.extract(width - 1, 0, value)
    })
}

fn binary_of_constants(op: BinaryOp, ty: Ty, a: u128, b: u128) -> Option<u128> {
    macro_rules! compute {
        ($float:ident, $bits:ident) => {{
            let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
            match op {
                BinaryOp::FAdd => u128::from((x + y).to_bits()),
                BinaryOp::FSub => u128::from((x - y).to_bits()),
                BinaryOp::FMul => u128::from((x * y).to_bits()),
                BinaryOp::FDiv => u128::from((x / y).to_bits()),
                BinaryOp::FEq => u128::from(x == y),
                BinaryOp::FNe => u128::from(x != y),
                BinaryOp::FLt => u128::from(x < y),
                BinaryOp::FLe => u128::from(x <= y),
                _ => return None,
            }
        }};
    }
    match ty {
        Ty::F32 => Some(compute!(f32, u32)),
        Ty::F64 => Some(compute!(f64, u64)),
        _ => None,
    }
}

fn convert_constant(op: ConvertOp, from: Ty, to: Ty, a: u128) -> Option<u128> {
    match (op, from, to) {
        (ConvertOp::IntToFloat { signed }, Ty::Int(width), Ty::F32 | Ty::F64) => {
            let value = idiolect_smt::semantics::to_signed(a, u32::from(width));
            Some(match (signed, to) {
                (true, Ty::F32) => u128::from((value as f32).to_bits()),
                (true, _) => u128::from((value as f64).to_bits()),
                (false, Ty::F32) => u128::from((a as f32).to_bits()),
                (false, _) => u128::from((a as f64).to_bits()),
            })
        }
        (ConvertOp::FloatToFloat, Ty::F32, Ty::F64) => {
            Some(u128::from(f64::from(f32::from_bits(a as u32)).to_bits()))
        }
        (ConvertOp::FloatToFloat, Ty::F64, Ty::F32) => {
            Some(u128::from((f64::from_bits(a as u64) as f32).to_bits()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_computed_as_machines_do() {
        let mut t = Terms::new();
        let mut constant = |x: f64| t.bv(u128::from(x.to_bits()), 64);
        let (a, b, sum) = (constant(1.5), constant(2.25), constant(3.75));
        let (low, high, infinite) = (constant(-2.9), constant(3e9), constant(f64::NEG_INFINITY));
        assert_eq!(binary(&mut t, BinaryOp::FAdd, Ty::F64, a, b), Some(sum));
        let mut integer = |a: TermId, signed: bool, width: u8| {
            let op = ConvertOp::FloatToInt { signed };
            let found = convert(&mut t, op, Ty::F64, Ty::Int(width), a);
            found.and_then(|bits| t.as_const(bits))
        };
        assert_eq!(integer(low, true, 32), Some(0xffff_fffe));
        assert_eq!(integer(high, true, 32), Some(0x8000_0000));
        assert_eq!(integer(high, false, 32), Some(3_000_000_000));
        assert_eq!(integer(low, false, 8), Some(0xfe));
        assert_eq!(integer(low, false, 64), Some(0xffff_ffff_ffff_fffe));
        assert_eq!(integer(infinite, false, 64), Some(1 << 63));
        assert_eq!(integer(infinite, false, 32), Some(0));
        assert_eq!(integer(infinite, true, 128), None);
    }
}

//! Arithmetic on bits, for whatever has no instruction of its own.

use crate::code::{Conv, F32, F64, F80, Op, Width};
use crate::float80;
use crate::input::sign_extend;
use idiolect_ir::{FaultKind, Ty};

/// The lowest `width` bits, for widths up to 64.
#[inline]
pub(crate) fn mask64(width: Width) -> u64 {
    match width {
        0..64 => (1 << width) - 1,
        _ => u64::MAX,
    }
}

pub(crate) fn mask128(width: Width) -> u128 {
    match width {
        0..128 => (1 << width) - 1,
        _ => u128::MAX,
    }
}

#[inline]
pub(crate) fn sext64(bits: u64, width: Width) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    ((bits << shift) as i64) >> shift
}

/// Integers of up to 64 bits, `float` and `double`. Floats use `UDiv` for `/`.
pub(crate) fn binary(op: Op, width: Width, a: u64, b: u64) -> Result<u64, FaultKind> {
    match width {
        F32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            return Ok(match op {
                Op::Add => u64::from((x + y).to_bits()),
                Op::Sub => u64::from((x - y).to_bits()),
                Op::Mul => u64::from((x * y).to_bits()),
                Op::UDiv => u64::from((x / y).to_bits()),
                Op::Eq => u64::from(x == y),
                Op::Ne => u64::from(x != y),
                Op::SLt => u64::from(x < y),
                _ => u64::from(x <= y),
            });
        }
        F64 => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            return Ok(match op {
                Op::Add => (x + y).to_bits(),
                Op::Sub => (x - y).to_bits(),
                Op::Mul => (x * y).to_bits(),
                Op::UDiv => (x / y).to_bits(),
                Op::Eq => u64::from(x == y),
                Op::Ne => u64::from(x != y),
                Op::SLt => u64::from(x < y),
                _ => u64::from(x <= y),
            });
        }
        _ => {}
    }
    let mask = mask64(width);
    let signed = || (sext64(a, width), sext64(b, width));
    let amount = || (b % u64::from(width.max(1))) as u32;
    Ok(match op {
        Op::Add => a.wrapping_add(b) & mask,
        Op::Sub => a.wrapping_sub(b) & mask,
        Op::Mul => a.wrapping_mul(b) & mask,
        Op::UDiv => a.checked_div(b).ok_or(FaultKind::DivisionByZero)?,
        Op::URem => a.checked_rem(b).ok_or(FaultKind::DivisionByZero)?,
        Op::SDiv | Op::SRem => {
            let (x, y) = signed();
            if y == 0 {
                return Err(FaultKind::DivisionByZero);
            }
            if y == -1 && a == mask ^ (mask >> 1) {
                return Err(FaultKind::DivisionOverflow);
            }
            let result = if op == Op::SDiv {
                x.wrapping_div(y)
            } else {
                x.wrapping_rem(y)
            };
            result as u64 & mask
        }
        Op::Shl => a << amount() & mask,
        Op::LShr => a >> amount(),
        Op::AShr => (sext64(a, width) >> amount()) as u64 & mask,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => u64::from(a == b),
        Op::Ne => u64::from(a != b),
        Op::ULt => u64::from(a < b),
        Op::ULe => u64::from(a <= b),
        Op::SLt => {
            let (x, y) = signed();
            u64::from(x < y)
        }
        Op::SLe => {
            let (x, y) = signed();
            u64::from(x <= y)
        }
    })
}

/// Integers of 65 to 128 bits and `long double`.
pub(crate) fn binary_wide(op: Op, width: Width, a: u128, b: u128) -> Result<u128, FaultKind> {
    if width == F80 {
        return Ok(float80::binary(op, a, b));
    }
    let mask = mask128(width);
    let signed = || (sign_extend(a, width), sign_extend(b, width));
    let amount = || (b % u128::from(width.max(1))) as u32;
    Ok(match op {
        Op::Add => a.wrapping_add(b) & mask,
        Op::Sub => a.wrapping_sub(b) & mask,
        Op::Mul => a.wrapping_mul(b) & mask,
        Op::UDiv => a.checked_div(b).ok_or(FaultKind::DivisionByZero)?,
        Op::URem => a.checked_rem(b).ok_or(FaultKind::DivisionByZero)?,
        Op::SDiv | Op::SRem => {
            let (x, y) = signed();
            if y == 0 {
                return Err(FaultKind::DivisionByZero);
            }
            if y == -1 && a == mask ^ (mask >> 1) {
                return Err(FaultKind::DivisionOverflow);
            }
            let result = if op == Op::SDiv {
                x.wrapping_div(y)
            } else {
                x.wrapping_rem(y)
            };
            result as u128 & mask
        }
        Op::Shl => a << amount() & mask,
        Op::LShr => a >> amount(),
        Op::AShr => (sign_extend(a, width) >> amount()) as u128 & mask,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => u128::from(a == b),
        Op::Ne => u128::from(a != b),
        Op::ULt => u128::from(a < b),
        Op::ULe => u128::from(a <= b),
        Op::SLt => {
            let (x, y) = signed();
            u128::from(x < y)
        }
        Op::SLe => {
            let (x, y) = signed();
            u128::from(x <= y)
        }
    })
}

/// Signed integers of any width, where a result that does not fit is a fault.
pub(crate) fn checked(op: Op, width: Width, a: u128, b: u128) -> Result<u128, FaultKind> {
    let (x, y) = (sign_extend(a, width), sign_extend(b, width));
    let fits = |value: i128| sign_extend(value as u128, width) == value;
    let result = match op {
        Op::Add => x.checked_add(y),
        Op::Sub => x.checked_sub(y),
        Op::Mul => x.checked_mul(y),
        Op::Shl => {
            // C: a negative value may not be shifted, nor may a one leave the value bits.
            let amount = b;
            if amount >= u128::from(width) || x < 0 || x > (i128::MAX >> (128 - width)) >> amount {
                return Err(FaultKind::ShiftOverflow);
            }
            Some(x << amount)
        }
        _ => {
            return match width {
                0..=64 => binary(op, width, a as u64, b as u64).map(u128::from),
                _ => binary_wide(op, width, a, b),
            };
        }
    };
    match result {
        Some(value) if fits(value) => Ok(value as u128 & mask128(width)),
        _ => Err(FaultKind::SignedOverflow),
    }
}

/// Conversions between integers and floats of any width.
pub(crate) fn convert(op: Conv, from: Width, to: Width, a: u128) -> u128 {
    match op {
        Conv::ZeroExtend => a,
        Conv::SignExtend => sign_extend(a, from) as u128 & mask128(to),
        Conv::Truncate => a & mask128(to),
        Conv::SignedToFloat => float_of(to, sign_extend(a, from)),
        Conv::UnsignedToFloat => match to {
            F32 => u128::from((a as f32).to_bits()),
            F64 => u128::from((a as f64).to_bits()),
            _ => float80::from_u128(a),
        },
        Conv::FloatToSigned | Conv::FloatToUnsigned => {
            integer_of(from, to, a, op == Conv::FloatToSigned)
        }
        Conv::FloatToFloat => match (from, to) {
            (F32, F64) => u128::from(f64::from(f32::from_bits(a as u32)).to_bits()),
            (F64, F32) => u128::from((f64::from_bits(a as u64) as f32).to_bits()),
            (F32, F80) => float80::from_f64(f64::from(f32::from_bits(a as u32))),
            (F64, F80) => float80::from_f64(f64::from_bits(a as u64)),
            (F80, F32) => u128::from(float80::to_f32(a).to_bits()),
            (F80, F64) => u128::from(float80::to_f64(a).to_bits()),
            _ => a,
        },
        Conv::FNeg => match to {
            F32 => a ^ 1 << 31,
            F64 => a ^ 1 << 63,
            _ => a ^ 1 << 79,
        },
        // Pointers under LP64 are their bits; ILP32 has its own way.
        Conv::Flatten | Conv::Unflatten => a,
    }
}

fn float_of(to: Width, value: i128) -> u128 {
    match to {
        F32 => u128::from((value as f32).to_bits()),
        F64 => u128::from((value as f64).to_bits()),
        _ => float80::from_i128(value),
    }
}

/// Toward zero. Out of range, x86-64 gives the *indefinite* value, a one and zeros: of 32 bits for
/// a signed result of 32 bits or fewer, and of 64 bits, which are then truncated, for others.
fn integer_of(from: Width, to: Width, a: u128, signed: bool) -> u128 {
    let (value, in_i128) = match from {
        F32 => truncated(f64::from(f32::from_bits(a as u32))),
        F64 => truncated(f64::from_bits(a as u64)),
        _ => float80::to_i128(a),
    };
    let mask = mask128(to);
    if to > 64 {
        // libgcc saturates here; there is no instruction whose result could be kept.
        if in_i128 {
            return value as u128 & mask;
        }
        let wide = match from {
            F32 => f32::from_bits(a as u32) as u128,
            F64 => f64::from_bits(a as u64) as u128,
            _ => float80::to_u128(a),
        };
        return if signed {
            value as u128 & mask
        } else {
            wide & mask
        };
    }
    // `cvttsd2si` with 32 or 64 bits; narrower results and `unsigned` use the next wider one.
    if signed && to <= 32 {
        return match i32::try_from(value) {
            Ok(value) if in_i128 => value as u128 & mask,
            _ => (i32::MIN as u128) & mask,
        };
    }
    if to < 64 {
        return match i64::try_from(value) {
            Ok(value) if in_i128 => value as u128 & mask,
            _ => (i64::MIN as u128) & mask,
        };
    }
    if signed {
        return match i64::try_from(value) {
            Ok(value) if in_i128 => value as u128 & mask,
            _ => i64::MIN as u128 & mask,
        };
    }
    // To `unsigned long`: values from 2^63 on are converted after subtracting 2^63.
    match u64::try_from(value) {
        Ok(value) if in_i128 => u128::from(value),
        _ => match i64::try_from(value) {
            Ok(value) if in_i128 => u128::from(value as u64),
            // Infinity among them: it saturates above, and NaN is 0.
            _ if value > 0 => 0,
            _ => 1 << 63,
        },
    }
}

/// The value toward zero, and whether it fits (NaN does not).
fn truncated(value: f64) -> (i128, bool) {
    let fits = value.abs() < 1.7e38;
    (value as i128, fits)
}

pub(crate) fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::ULt | Op::ULe | Op::SLt | Op::SLe)
}

/// Whether values of this width take two registers.
pub(crate) fn is_wide(width: u8) -> bool {
    matches!(width, 65..=128 | crate::code::F80)
}

pub(crate) fn is_wide_ty(ty: Ty) -> bool {
    matches!(ty, Ty::Int(65..) | Ty::F80)
}

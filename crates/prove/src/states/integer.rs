//! Integers of up to 128 bits, as the program computes with them.

use idiolect_ir::{BinaryOp, UnaryOp};

pub fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

pub fn signed(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width.clamp(1, 128));
    (bits << shift) as i128 >> shift
}

pub fn unary(op: UnaryOp, width: u8, a: u128) -> Option<u128> {
    Some(match op {
        UnaryOp::Neg { .. } => a.wrapping_neg() & mask(width),
        UnaryOp::Not => !a & mask(width),
        UnaryOp::FNeg => return None,
    })
}

/// Nothing for a fault, and for what is not about integers.
pub fn binary(op: BinaryOp, width: u8, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (signed(a, width), signed(b, width));
    let amount = || (b % u128::from(width.max(1))) as u32;
    let least = signed(1 << (width.clamp(1, 128) - 1), width);
    Some(match op {
        BinaryOp::Add { .. } => a.wrapping_add(b) & mask(width),
        BinaryOp::Sub { .. } => a.wrapping_sub(b) & mask(width),
        BinaryOp::Mul { .. } => a.wrapping_mul(b) & mask(width),
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SDiv | BinaryOp::SRem if y == 0 || (y == -1 && x == least) => return None,
        BinaryOp::SDiv => x.wrapping_div(y) as u128 & mask(width),
        BinaryOp::SRem => x.wrapping_rem(y) as u128 & mask(width),
        BinaryOp::Shl { .. } => (a << amount()) & mask(width),
        BinaryOp::LShr => a >> amount(),
        BinaryOp::AShr => (x >> amount()) as u128 & mask(width),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Eq => u128::from(a == b),
        BinaryOp::Ne => u128::from(a != b),
        BinaryOp::ULt => u128::from(a < b),
        BinaryOp::ULe => u128::from(a <= b),
        BinaryOp::SLt => u128::from(x < y),
        BinaryOp::SLe => u128::from(x <= y),
        _ => return None,
    })
}

/// The result before it is cut to its width does not fit.
pub fn overflows(op: BinaryOp, width: u8, a: u128, b: u128) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    let exact = match op {
        BinaryOp::Add { signed: true } => x.checked_add(y),
        BinaryOp::Sub { signed: true } => x.checked_sub(y),
        BinaryOp::Mul { signed: true } => x.checked_mul(y),
        BinaryOp::Shl { signed: true } => {
            let amount = u32::try_from(b).unwrap_or(u32::MAX);
            if amount >= u32::from(width) {
                return true;
            }
            let back = signed(binary(op, width, a, b).unwrap_or(0), width) >> amount;
            return back != x;
        }
        _ => return false,
    };
    exact.is_none_or(|e| e != signed(e as u128, width))
}

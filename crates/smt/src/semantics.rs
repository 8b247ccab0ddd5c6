//! What each operator does to concrete values: the reference that rewriting, bit-blasting and
//! models are measured against. SMT-LIB 2 theory FixedSizeBitVectors, division by zero included.

use crate::term::{BinaryOp, UnaryOp, mask};

/// `value` of `width` bits as a signed number.
#[inline]
pub fn to_signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// `op` applied to a value of `from` bits, the result having `to` bits.
pub fn apply_unary(op: UnaryOp, value: u128, from: u32, to: u32) -> u128 {
    match op {
        UnaryOp::Not => !value & mask(to),
        UnaryOp::Neg => value.wrapping_neg() & mask(to),
        UnaryOp::ZeroExtend => value,
        UnaryOp::SignExtend => to_signed(value, from) as u128 & mask(to),
    }
}

/// `op` applied to two values; `wa` and `wb` are the widths of the operands.
pub fn apply_binary(op: BinaryOp, a: u128, b: u128, wa: u32, wb: u32) -> u128 {
    use BinaryOp::*;
    let m = mask(wa);
    let (sa, sb) = (to_signed(a, wa), to_signed(b, wb));
    match op {
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Eq => u128::from(a == b),
        Add => a.wrapping_add(b) & m,
        Sub => a.wrapping_sub(b) & m,
        Mul => a.wrapping_mul(b) & m,
        Udiv => a.checked_div(b).unwrap_or(m),
        Urem => a.checked_rem(b).unwrap_or(a),
        Sdiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                m
            }
        }
        Sdiv => sa.wrapping_div(sb) as u128 & m,
        Srem if b == 0 => a,
        Srem => sa.wrapping_rem(sb) as u128 & m,
        Shl => shift_amount(b, wa).map_or(0, |n| (a << n) & m),
        Lshr => shift_amount(b, wa).map_or(0, |n| a >> n),
        Ashr => (sa >> shift_amount(b, wa).unwrap_or(wa - 1)) as u128 & m,
        Concat => (a << wb) | b,
        Ult => u128::from(a < b),
        Ule => u128::from(a <= b),
        Slt => u128::from(sa < sb),
        Sle => u128::from(sa <= sb),
    }
}

/// Bits `lo` to `hi` of `value`.
pub fn apply_extract(hi: u32, lo: u32, value: u128) -> u128 {
    (value >> lo) & mask(hi - lo + 1)
}

fn shift_amount(by: u128, width: u32) -> Option<u32> {
    u32::try_from(by).ok().filter(|&n| n < width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_is_defined() {
        assert_eq!(apply_binary(BinaryOp::Udiv, 5, 0, 4, 4), 15);
        assert_eq!(apply_binary(BinaryOp::Urem, 5, 0, 4, 4), 5);
        assert_eq!(apply_binary(BinaryOp::Sdiv, 5, 0, 4, 4), 15);
        assert_eq!(apply_binary(BinaryOp::Sdiv, 13, 0, 4, 4), 1);
        assert_eq!(apply_binary(BinaryOp::Srem, 13, 0, 4, 4), 13);
    }

    #[test]
    fn the_smallest_number_divided_by_minus_one_wraps() {
        for width in [1, 2, 8, 64, 127, 128] {
            let min = 1 << (width - 1);
            assert_eq!(
                apply_binary(BinaryOp::Sdiv, min, mask(width), width, width),
                min
            );
            assert_eq!(
                apply_binary(BinaryOp::Srem, min, mask(width), width, width),
                0
            );
        }
    }

    #[test]
    fn wide_shifts_do_not_wrap_their_amount() {
        let big = 1u128 << 100;
        assert_eq!(apply_binary(BinaryOp::Shl, 1, big, 128, 128), 0);
        assert_eq!(apply_binary(BinaryOp::Lshr, u128::MAX, big, 128, 128), 0);
        assert_eq!(
            apply_binary(BinaryOp::Ashr, u128::MAX, big, 128, 128),
            u128::MAX
        );
    }
}

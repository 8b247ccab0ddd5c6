//! Floating constants: from digits to bits, and between formats.
//!
//! `float` and `double` are those of the host. The 80-bit `long double` of x87 is built here: sign,
//! 15 bits of exponent (bias 16383) and 64 bits of mantissa with an explicit leading one.

use idiolect_ir::{BinaryOp, Ty};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::X87DoubleExtended;

const BIAS: i64 = 16383;

/// The bits of a constant as C writes it (decimal or hexadecimal, without suffix), rounded to
/// nearest even. `None` if the digits are not a number.
pub(crate) fn parse(digits: &str, ty: Ty) -> Option<u128> {
    let text: String = digits.chars().filter(|&c| c != '\'').collect();
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        let (mantissa, exponent, sticky) = parse_hex(hex)?;
        return Some(from_parts(false, mantissa, exponent, sticky, ty));
    }
    match ty {
        Ty::F32 => lower.parse::<f32>().ok().map(|v| u128::from(v.to_bits())),
        Ty::F64 => lower.parse::<f64>().ok().map(|v| u128::from(v.to_bits())),
        Ty::F80 => parse_decimal_80(&lower),
        _ => None,
    }
}

/// Mantissa, exponent and whether non-zero bits were dropped.
fn parse_hex(text: &str) -> Option<(u128, i64, bool)> {
    let (digits, exponent) = match text.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (mut mantissa, mut shift, mut sticky, mut after_point) = (0u128, exponent, false, false);
    for c in digits.chars() {
        if c == '.' {
            after_point = true;
            continue;
        }
        let digit = u128::from(c.to_digit(16)?);
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
            shift -= if after_point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            shift += if after_point { 0 } else { 4 };
        }
    }
    Some((mantissa, shift, sticky))
}

/// Decimal digits to 80 bits by arithmetic on whole numbers of any length.
fn parse_decimal_80(text: &str) -> Option<u128> {
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let mut number: Vec<u32> = Vec::new();
    let (mut exponent, mut after_point, mut any) = (exponent, false, false);
    for c in digits.chars() {
        if c == '.' {
            after_point = true;
            continue;
        }
        any = true;
        multiply(&mut number, 10, c.to_digit(10)?);
        exponent -= i64::from(after_point);
    }
    if !any {
        return None;
    }
    if number.is_empty() || exponent < -6000 {
        return Some(0);
    }
    if exponent > 6000 {
        return Some(from_parts(false, 1, 20000, false, Ty::F80));
    }
    let mut shift = 0;
    let mut sticky = false;
    if exponent >= 0 {
        for _ in 0..exponent {
            multiply(&mut number, 10, 0);
        }
    } else {
        let words = (4 * exponent.unsigned_abs() as usize).div_ceil(32) + 3;
        number.splice(0..0, std::iter::repeat_n(0, words));
        shift = -32 * words as i64;
        for _ in 0..-exponent {
            sticky |= divide(&mut number, 10) != 0;
        }
    }
    // The top four words hold at least 97 significant bits, more than any format keeps.
    let keep = number.len().min(4);
    let dropped = number.len() - keep;
    sticky |= number[..dropped].iter().any(|&w| w != 0);
    let mantissa = number[dropped..]
        .iter()
        .rev()
        .fold(0u128, |m, &w| m << 32 | u128::from(w));
    let exponent = shift + 32 * dropped as i64;
    Some(from_parts(false, mantissa, exponent, sticky, Ty::F80))
}

fn multiply(number: &mut Vec<u32>, factor: u32, add: u32) {
    let mut carry = u64::from(add);
    for word in number.iter_mut() {
        let product = u64::from(*word) * u64::from(factor) + carry;
        *word = product as u32;
        carry = product >> 32;
    }
    if carry > 0 {
        number.push(carry as u32);
    }
}

fn divide(number: &mut Vec<u32>, divisor: u32) -> u32 {
    let mut rest = 0u64;
    for word in number.iter_mut().rev() {
        let value = rest << 32 | u64::from(*word);
        *word = (value / u64::from(divisor)) as u32;
        rest = value % u64::from(divisor);
    }
    while number.last() == Some(&0) {
        number.pop();
    }
    rest as u32
}

/// `mantissa * 2^exponent` in format `ty`, rounded to nearest even; `sticky` says that the exact
/// value is a little more.
fn from_parts(negative: bool, mantissa: u128, exponent: i64, sticky: bool, ty: Ty) -> u128 {
    let (bits, bias, width) = match ty {
        Ty::F32 => (24, 127, 32),
        Ty::F64 => (53, 1023, 64),
        _ => (64, BIAS, 80),
    };
    let sign = u128::from(negative) << (width - 1);
    if mantissa == 0 {
        return sign;
    }
    let length = 128 - i64::from(mantissa.leading_zeros());
    let mut top = exponent + length - 1;
    // Subnormal numbers have fewer bits.
    let keep = if top < 1 - bias {
        bits - (1 - bias - top)
    } else {
        bits
    };
    let mut kept;
    if keep >= length {
        kept = mantissa << (keep - length);
    } else if keep < 0 {
        kept = 0;
    } else {
        let drop = length - keep;
        kept = if drop >= 128 { 0 } else { mantissa >> drop };
        let half = 1u128 << (drop - 1).min(127);
        let rest = if drop >= 128 {
            mantissa
        } else {
            mantissa & ((1u128 << drop) - 1)
        };
        if rest > half || rest == half && (sticky || kept & 1 == 1) {
            kept += 1;
            if kept >> keep.max(1) != 0 && top >= 1 - bias {
                kept >>= 1;
                top += 1;
            }
        }
    }
    let leading = bits - 1;
    let infinity = (2 * bias + 1) as u128;
    let field = if top > bias {
        kept = 1 << leading;
        infinity
    } else if kept >> leading != 0 {
        top.max(1 - bias).wrapping_add(bias) as u128
    } else {
        0
    };
    match ty {
        Ty::F80 => sign | field << 64 | kept,
        _ => sign | field << leading | kept & ((1 << leading) - 1),
    }
}

/// Sign, mantissa and exponent of a finite number; `None` for infinities and NaN.
fn parts(bits: u128, ty: Ty) -> Option<(bool, u128, i64)> {
    let (precision, bias, width) = match ty {
        Ty::F32 => (24, 127, 32),
        Ty::F64 => (53, 1023, 64),
        _ => (64, BIAS, 80),
    };
    let negative = bits >> (width - 1) & 1 == 1;
    let (field, mantissa) = if ty == Ty::F80 {
        ((bits >> 64 & 0x7fff) as i64, bits & u128::from(u64::MAX))
    } else {
        let low = precision - 1;
        let field = (bits >> low & ((1 << (width - precision)) - 1)) as i64;
        let fraction = bits & ((1 << low) - 1);
        let hidden = u128::from(field != 0) << low;
        (field, fraction | hidden)
    };
    if field == 2 * bias + 1 {
        return None;
    }
    Some((negative, mantissa, field.max(1) - bias - (precision - 1)))
}

/// Between floating formats.
pub(crate) fn convert(bits: u128, from: Ty, to: Ty) -> u128 {
    if from == to {
        return bits;
    }
    match parts(bits, from) {
        Some((negative, mantissa, exponent)) => from_parts(negative, mantissa, exponent, false, to),
        None => {
            let value = to_f64(bits, from);
            match to {
                Ty::F32 => u128::from((value as f32).to_bits()),
                Ty::F64 => u128::from(value.to_bits()),
                _ => {
                    let sign = u128::from(value.is_sign_negative()) << 79;
                    let quiet = if value.is_nan() { 3u128 << 62 } else { 1 << 63 };
                    sign | 0x7fff << 64 | quiet
                }
            }
        }
    }
}

/// The nearest `double`.
pub(crate) fn to_f64(bits: u128, ty: Ty) -> f64 {
    match ty {
        Ty::F32 => f64::from(f32::from_bits(bits as u32)),
        Ty::F64 => f64::from_bits(bits as u64),
        _ => match parts(bits, ty) {
            Some((negative, mantissa, exponent)) => {
                f64::from_bits(from_parts(negative, mantissa, exponent, false, Ty::F64) as u64)
            }
            None => {
                let negative = bits >> 79 & 1 == 1;
                let magnitude = if bits << 65 == 0 {
                    f64::INFINITY
                } else {
                    f64::NAN
                };
                if negative { -magnitude } else { magnitude }
            }
        },
    }
}

/// The bits of a `double` in format `ty`.
pub(crate) fn from_f64(value: f64, ty: Ty) -> u128 {
    convert(u128::from(value.to_bits()), Ty::F64, ty)
}

/// An integer in format `ty`.
pub(crate) fn from_int(negative: bool, magnitude: u128, ty: Ty) -> u128 {
    from_parts(negative, magnitude, 0, false, ty)
}

/// An operation on two `long double`s, rounded to nearest even.
pub(crate) fn binary_80(op: BinaryOp, a: u128, b: u128) -> Option<u128> {
    use BinaryOp::*;
    let (x, y) = (
        X87DoubleExtended::from_bits(a),
        X87DoubleExtended::from_bits(b),
    );
    Some(match op {
        FAdd => (x + y).value.to_bits(),
        FSub => (x - y).value.to_bits(),
        FMul => (x * y).value.to_bits(),
        FDiv => (x / y).value.to_bits(),
        FEq => u128::from(x == y),
        FNe => u128::from(x != y),
        FLt => u128::from(x < y),
        FLe => u128::from(x <= y),
        _ => return None,
    })
}

/// Toward zero; `None` where the integer does not hold the value.
pub(crate) fn to_int(bits: u128, ty: Ty, width: u8, signed: bool) -> Option<u128> {
    let (negative, mantissa, exponent) = parts(bits, ty)?;
    let magnitude = match exponent {
        e if e <= -128 => 0,
        e if e < 0 => mantissa >> -e,
        _ if mantissa == 0 => 0,
        e if e as u32 >= mantissa.leading_zeros() => return None,
        e => mantissa << e,
    };
    let limit = match (signed, negative) {
        (true, true) => 1u128 << (width - 1),
        (true, false) => (1u128 << (width - 1)) - 1,
        (false, _) if width == 128 => u128::MAX,
        (false, _) => (1u128 << width) - 1,
    };
    if magnitude > limit || (negative && !signed && magnitude != 0) {
        return None;
    }
    Some(if negative {
        magnitude.wrapping_neg()
    } else {
        magnitude
    })
}

/// The integer nearest to a number that does not fit, as compilers fold it; NaN becomes 0.
pub(crate) fn to_nearest_int(bits: u128, ty: Ty, width: u8, signed: bool) -> u128 {
    let all = u128::MAX >> (128 - u32::from(width));
    let value = to_f64(bits, ty);
    if value.is_nan() {
        return 0;
    }
    match (value < 0.0, signed) {
        (true, true) => 1 << (width - 1),
        (true, false) => 0,
        (false, true) => all >> 1,
        (false, false) => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_round_as_the_host_rounds_them() {
        for text in [
            "1.5",
            "0.1",
            "1e300",
            "123456789.125",
            "4.9e-324",
            "2.2250738585072011e-308",
        ] {
            let host: f64 = text.parse().unwrap();
            assert_eq!(parse(text, Ty::F64), Some(u128::from(host.to_bits())));
            let long = parse(text, Ty::F80).unwrap();
            assert_eq!(to_f64(long, Ty::F80), host, "{text}");
        }
        assert_eq!(
            parse("0x1.8p1", Ty::F64),
            Some(u128::from(3.0f64.to_bits()))
        );
        assert_eq!(parse("0x1p-149", Ty::F32), Some(1));
    }

    #[test]
    fn long_double_has_its_own_bits() {
        // As printed by a compiler for 1.0L, 0.1L and -2.5L.
        assert_eq!(parse("1.0", Ty::F80), Some(0x3fff_8000_0000_0000_0000));
        assert_eq!(parse("0.1", Ty::F80), Some(0x3ffb_cccc_cccc_cccc_cccd));
        assert_eq!(from_f64(-2.5, Ty::F80), 0xc000_a000_0000_0000_0000);
    }

    #[test]
    fn integers_convert_both_ways() {
        for value in [0i64, 1, -1, 1 << 40, i64::MIN, i64::MAX] {
            let bits = from_int(value < 0, u128::from(value.unsigned_abs()), Ty::F80);
            assert_eq!(
                to_int(bits, Ty::F80, 64, true).map(|v| v as i64),
                Some(value)
            );
            let host = u128::from((value as f64).to_bits());
            assert_eq!(
                from_int(value < 0, u128::from(value.unsigned_abs()), Ty::F64),
                host
            );
        }
        assert_eq!(to_int(from_f64(3e10, Ty::F64), Ty::F64, 32, true), None);
    }
}

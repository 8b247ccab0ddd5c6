//! `printf`, as glibc formats in the C locale.

use crate::context::{Context, Halt, fault};
use crate::decimal::{Binary, Decimal};
use crate::float80;
use crate::observe::Value;
use idiolect_ir::FaultKind;
use idiolect_ir::{Ty, ctype::DataModel};

/// Where values come from, and how many were taken in order.
pub(crate) struct Arguments<'a> {
    source: Source<'a>,
    n_taken: u64,
}

enum Source<'a> {
    Values(&'a [Value]),
    /// The address of the first slot of 16 bytes.
    Slots(u64),
}

impl<'a> Arguments<'a> {
    pub(crate) fn values(values: &'a [Value]) -> Self {
        Arguments {
            source: Source::Values(values),
            n_taken: 0,
        }
    }

    pub(crate) fn slots(first: u64) -> Self {
        Arguments {
            source: Source::Slots(first),
            n_taken: 0,
        }
    }

    /// The value at a position counted from 1, or else the next one.
    fn take(
        &mut self,
        cx: &mut Context<'_>,
        ty: Ty,
        position: Option<u64>,
        pc: usize,
    ) -> Result<u128, Halt> {
        let index = match position {
            Some(position) => position.saturating_sub(1),
            None => {
                self.n_taken += 1;
                self.n_taken - 1
            }
        };
        match self.source {
            Source::Values(values) => {
                let Some(value) = usize::try_from(index).ok().and_then(|i| values.get(i)) else {
                    return Err(fault(FaultKind::WrongArguments, 0));
                };
                Ok(match (ty, value.ty) {
                    // What a real machine would make of the wrong kind of number is anybody's
                    // guess; the nearest value is ours.
                    (Ty::F64, Ty::F80) => u128::from(float80::to_f64(value.bits).to_bits()),
                    (Ty::F80, Ty::F64) => float80::from_f64(f64::from_bits(value.bits as u64)),
                    _ => value.bits,
                })
            }
            Source::Slots(first) => {
                cx.read_slot(first.wrapping_add(index.wrapping_mul(16)), ty, pc)
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    LongDouble,
}

/// One conversion: `%[flags][width][.precision][length]letter`.
#[derive(Clone, Copy, Debug)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Formats everything; a text longer than `limit` ends the run.
pub(crate) fn format(
    cx: &mut Context<'_>,
    template: u64,
    arguments: &mut Arguments<'_>,
    pc: usize,
    limit: usize,
) -> Result<Vec<u8>, Halt> {
    let mut out = Vec::new();
    let mut at = template;
    loop {
        let byte = next_byte(cx, &mut at, pc)?;
        match byte {
            0 => return Ok(out),
            b'%' => conversion(cx, &mut at, arguments, &mut out, pc, limit)?,
            _ => out.push(byte),
        }
        if out.len() > limit {
            return Err(Halt::Limit(idiolect_base::StopReason::Memory));
        }
    }
}

fn next_byte(cx: &mut Context<'_>, at: &mut u64, pc: usize) -> Result<u8, Halt> {
    let byte = cx.read_byte(*at, pc)?;
    *at = at.wrapping_add(1);
    Ok(byte)
}

/// What stands between `%` and the letter of a conversion, and that letter.
struct Wanted {
    spec: Spec,
    position: Option<u64>,
    length: Length,
    byte: u8,
}

fn specification(
    cx: &mut Context<'_>,
    at: &mut u64,
    arguments: &mut Arguments<'_>,
    pc: usize,
    limit: usize,
) -> Result<Wanted, Halt> {
    let mut spec = Spec {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: 0,
        precision: None,
    };
    let position = position(cx, at, pc)?;
    let mut byte = next_byte(cx, at, pc)?;
    loop {
        match byte {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            // Grouping: the C locale has none.
            b'\'' | b'I' => {}
            _ => break,
        }
        byte = next_byte(cx, at, pc)?;
    }
    if byte == b'*' {
        let from = self::position(cx, at, pc)?;
        let width = arguments.take(cx, Ty::Int(32), from, pc)? as i32;
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
        byte = next_byte(cx, at, pc)?;
    } else {
        spec.width = number(cx, at, &mut byte, pc)?;
    }
    if byte == b'.' {
        byte = next_byte(cx, at, pc)?;
        if byte == b'*' {
            let from = self::position(cx, at, pc)?;
            let precision = arguments.take(cx, Ty::Int(32), from, pc)? as i32;
            spec.precision = usize::try_from(precision).ok();
            byte = next_byte(cx, at, pc)?;
        } else if byte == b'-' {
            // A negative precision counts as none.
            byte = next_byte(cx, at, pc)?;
            number(cx, at, &mut byte, pc)?;
        } else {
            spec.precision = Some(number(cx, at, &mut byte, pc)?);
        }
    }
    if spec.width > limit || spec.precision.is_some_and(|p| p > limit) {
        return Err(Halt::Limit(idiolect_base::StopReason::Memory));
    }
    let mut length = Length::Int;
    loop {
        length = match (byte, length) {
            (b'h', Length::Short) => Length::Char,
            (b'h', _) => Length::Short,
            (b'l', Length::Long) => Length::LongLong,
            (b'l' | b'z' | b'Z' | b't', _) => Length::Long,
            // `intmax_t` has 64 bits in both models.
            (b'j' | b'q', _) => Length::LongLong,
            (b'L', _) => Length::LongDouble,
            _ => break,
        };
        byte = next_byte(cx, at, pc)?;
    }
    Ok(Wanted {
        spec,
        position,
        length,
        byte,
    })
}

fn conversion(
    cx: &mut Context<'_>,
    at: &mut u64,
    arguments: &mut Arguments<'_>,
    out: &mut Vec<u8>,
    pc: usize,
    limit: usize,
) -> Result<(), Halt> {
    let start = *at;
    let Wanted {
        mut spec,
        position,
        length,
        byte,
    } = specification(cx, at, arguments, pc, limit)?;
    let long = match cx.program.types.model {
        DataModel::Lp64 => 64,
        DataModel::Ilp32 => 32,
    };
    let width = match length {
        Length::Char => 8,
        Length::Short => 16,
        Length::Int => 32,
        Length::Long => long,
        Length::LongLong | Length::LongDouble => 64,
    };
    let int_ty = Ty::Int(width.max(32));
    match byte {
        b'd' | b'i' => {
            let bits = arguments.take(cx, int_ty, position, pc)? as u64;
            let value = crate::ops::sext64(bits, width);
            integer(&spec, value < 0, value.unsigned_abs(), b'd', out);
        }
        b'u' | b'o' | b'x' | b'X' => {
            let bits = arguments.take(cx, int_ty, position, pc)? as u64 & crate::ops::mask64(width);
            integer(&spec, false, bits, byte, out);
        }
        b'c' => {
            let value = arguments.take(cx, Ty::Int(32), position, pc)?;
            pad(&spec, &[value as u8], out);
        }
        b'C' => {
            let value = arguments.take(cx, Ty::Int(32), position, pc)?;
            pad(&spec, &[value as u8], out);
        }
        b's' | b'S' => {
            let pointer = arguments.take(cx, Ty::Ptr, position, pc)? as u64;
            let is_wide = length == Length::Long || byte == b'S';
            let text = string(cx, pointer, &spec, is_wide, pc, limit)?;
            pad(&spec, &text, out);
        }
        b'p' => {
            let pointer = arguments.take(cx, Ty::Ptr, position, pc)? as u64;
            let bits = match cx.program.types.model {
                DataModel::Lp64 => pointer,
                DataModel::Ilp32 => {
                    let flat = cx.parts.memory.flatten(pointer);
                    u64::from(flat.map_err(Halt::Limit)?)
                }
            };
            if pointer == 0 {
                pad(&spec, b"(nil)", out);
            } else {
                spec.alternate = true;
                integer(&spec, false, bits, b'x', out);
            }
        }
        b'n' => {
            let pointer = arguments.take(cx, Ty::Ptr, position, pc)? as u64;
            let bytes = (out.len() as u64).to_le_bytes();
            cx.store_slow(pointer, 0, &bytes[..usize::from(width / 8)])?;
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            if length == Length::LongDouble {
                let bits = arguments.take(cx, Ty::F80, position, pc)?;
                float(&spec, byte, &Number::from_f80(bits), out);
            } else {
                let bits = arguments.take(cx, Ty::F64, position, pc)?;
                float(
                    &spec,
                    byte,
                    &Number::from_f64(f64::from_bits(bits as u64)),
                    out,
                );
            }
        }
        b'm' => pad(&spec, b"Success", out),
        b'%' => out.push(b'%'),
        0 => {
            // A lone `%` at the end: glibc gives up; the text so far stays.
            *at = at.wrapping_sub(1);
        }
        _ => {
            // Unknown: glibc prints it as it stands.
            out.push(b'%');
            let mut from = start;
            while from < *at {
                out.push(next_byte(cx, &mut from, pc)?);
            }
        }
    }
    Ok(())
}

/// `n$`, if it is there.
fn position(cx: &mut Context<'_>, at: &mut u64, pc: usize) -> Result<Option<u64>, Halt> {
    let mut behind = *at;
    let mut byte = next_byte(cx, &mut behind, pc)?;
    let digits = number(cx, &mut behind, &mut byte, pc)?;
    if digits > 0 && byte == b'$' {
        *at = behind;
        return Ok(Some(digits as u64));
    }
    Ok(None)
}

fn number(cx: &mut Context<'_>, at: &mut u64, byte: &mut u8, pc: usize) -> Result<usize, Halt> {
    let mut value: usize = 0;
    while byte.is_ascii_digit() {
        value = value
            .saturating_mul(10)
            .saturating_add(usize::from(*byte - b'0'));
        *byte = next_byte(cx, at, pc)?;
    }
    Ok(value)
}

fn string(
    cx: &mut Context<'_>,
    pointer: u64,
    spec: &Spec,
    is_wide: bool,
    pc: usize,
    limit: usize,
) -> Result<Vec<u8>, Halt> {
    if pointer == 0 {
        // glibc prints `(null)` if there is room for all of it.
        return Ok(match spec.precision {
            Some(0..6) => Vec::new(),
            _ => b"(null)".to_vec(),
        });
    }
    let most = spec.precision.unwrap_or(limit.saturating_add(1));
    let mut text = Vec::new();
    let mut at = pointer;
    while text.len() < most {
        if is_wide {
            let wide = cx.load_bits(at, 4, pc)? as u32;
            at = at.wrapping_add(4);
            match char::from_u32(wide) {
                Some('\0') => break,
                Some(c) => {
                    let mut buffer = [0; 4];
                    let encoded = c.encode_utf8(&mut buffer);
                    if text.len() + encoded.len() > most {
                        break;
                    }
                    text.extend_from_slice(encoded.as_bytes());
                }
                None => text.push(b'?'),
            }
            continue;
        }
        match next_byte(cx, &mut at, pc)? {
            0 => break,
            byte => text.push(byte),
        }
    }
    if text.len() > limit {
        return Err(Halt::Limit(idiolect_base::StopReason::Memory));
    }
    Ok(text)
}

/// Blanks on one side.
fn pad(spec: &Spec, text: &[u8], out: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(text.len());
    if !spec.left {
        out.resize(out.len() + missing, b' ');
    }
    out.extend_from_slice(text);
    if spec.left {
        out.resize(out.len() + missing, b' ');
    }
}

/// A sign or prefix, then zeros if they are to fill the width, then digits.
fn pad_number(spec: &Spec, prefix: &[u8], digits: &[u8], zeros: bool, out: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(prefix.len() + digits.len());
    if !spec.left && !zeros {
        out.resize(out.len() + missing, b' ');
    }
    out.extend_from_slice(prefix);
    if !spec.left && zeros {
        out.resize(out.len() + missing, b'0');
    }
    out.extend_from_slice(digits);
    if spec.left {
        out.resize(out.len() + missing, b' ');
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static [u8] {
    match (negative, spec.plus, spec.space) {
        (true, ..) => b"-",
        (_, true, _) => b"+",
        (.., true) => b" ",
        _ => b"",
    }
}

fn integer(spec: &Spec, negative: bool, value: u64, letter: u8, out: &mut Vec<u8>) {
    let mut digits = match letter {
        b'o' => format!("{value:o}"),
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        _ => value.to_string(),
    }
    .into_bytes();
    if value == 0 && spec.precision == Some(0) {
        digits.clear();
    }
    let least = spec.precision.unwrap_or(1);
    if digits.len() < least {
        let zeros = least - digits.len();
        digits.splice(0..0, std::iter::repeat_n(b'0', zeros));
    }
    if letter == b'o' && spec.alternate && digits.first() != Some(&b'0') {
        digits.insert(0, b'0');
    }
    let prefix: &[u8] = match letter {
        b'd' => sign(spec, negative),
        b'x' if spec.alternate && value != 0 => b"0x",
        b'X' if spec.alternate && value != 0 => b"0X",
        _ => b"",
    };
    // A precision switches the flag `0` off.
    let zeros = spec.zero && spec.precision.is_none();
    pad_number(spec, prefix, &digits, zeros, out);
}

/// A float taken apart.
struct Number {
    negative: bool,
    kind: NumberKind,
    is_long: bool,
}

enum NumberKind {
    Finite(Binary),
    Infinite,
    Nan,
}

impl Number {
    fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let kind = match (exponent, fraction) {
            (0x7ff, 0) => NumberKind::Infinite,
            (0x7ff, _) => NumberKind::Nan,
            (0, _) => NumberKind::Finite(Binary {
                mantissa: fraction,
                exponent: -1074,
            }),
            _ => NumberKind::Finite(Binary {
                mantissa: fraction | 1 << 52,
                exponent: exponent - 1075,
            }),
        };
        Number {
            negative: bits >> 63 == 1,
            kind,
            is_long: false,
        }
    }

    fn from_f80(bits: u128) -> Self {
        let mantissa = bits as u64;
        let exponent = (bits >> 64 & 0x7fff) as i32;
        let kind = match exponent {
            0x7fff if mantissa << 1 == 0 => NumberKind::Infinite,
            0x7fff => NumberKind::Nan,
            _ => NumberKind::Finite(Binary {
                mantissa,
                exponent: exponent.max(1) - 16383 - 63,
            }),
        };
        Number {
            negative: bits >> 79 & 1 == 1,
            kind,
            is_long: true,
        }
    }
}

fn float(spec: &Spec, letter: u8, number: &Number, out: &mut Vec<u8>) {
    let upper = letter.is_ascii_uppercase();
    let prefix = sign(spec, number.negative);
    let value = match &number.kind {
        NumberKind::Finite(value) => value,
        NumberKind::Infinite | NumberKind::Nan => {
            let is_nan = matches!(number.kind, NumberKind::Nan);
            let text: &[u8] = match (is_nan, upper) {
                (true, false) => b"nan",
                (true, true) => b"NAN",
                (false, false) => b"inf",
                (false, true) => b"INF",
            };
            return pad_number(spec, prefix, text, false, out);
        }
    };
    if letter.eq_ignore_ascii_case(&b'a') {
        return hexadecimal(spec, upper, number, value, out);
    }
    let mut decimal = Decimal::new(value);
    let precision = spec.precision.unwrap_or(6);
    let text = match letter.to_ascii_lowercase() {
        b'f' => fixed(&mut decimal, precision, spec.alternate),
        b'e' => scientific(&mut decimal, precision, spec.alternate, upper),
        _ => general(&mut decimal, precision.max(1), spec.alternate, upper),
    };
    pad_number(spec, prefix, &text, spec.zero, out);
}

fn fixed(decimal: &mut Decimal, precision: usize, keep_point: bool) -> Vec<u8> {
    decimal.round(i64::from(decimal.point) + precision as i64);
    let mut text = Vec::new();
    let point = if decimal.digits.is_empty() {
        0
    } else {
        i64::from(decimal.point)
    };
    if point <= 0 {
        text.push(b'0');
    }
    text.extend((0..point).map(|i| decimal.digit(i)));
    if precision > 0 || keep_point {
        text.push(b'.');
    }
    text.extend((0..precision as i64).map(|i| decimal.digit(point + i)));
    text
}

fn scientific(decimal: &mut Decimal, precision: usize, keep_point: bool, upper: bool) -> Vec<u8> {
    decimal.round(precision as i64 + 1);
    let exponent = if decimal.digits.is_empty() {
        0
    } else {
        decimal.point - 1
    };
    let mut text = vec![decimal.digit(0)];
    if precision > 0 || keep_point {
        text.push(b'.');
    }
    text.extend((1..=precision as i64).map(|i| decimal.digit(i)));
    push_exponent(&mut text, exponent, upper);
    text
}

fn push_exponent(text: &mut Vec<u8>, exponent: i32, upper: bool) {
    text.push(if upper { b'E' } else { b'e' });
    text.push(if exponent < 0 { b'-' } else { b'+' });
    text.extend(format!("{:02}", exponent.unsigned_abs()).into_bytes());
}

/// `%g`: `precision` digits in all, scientific if the exponent is below -4 or too large, without
/// trailing zeros unless the flag `#` keeps them.
fn general(decimal: &mut Decimal, precision: usize, alternate: bool, upper: bool) -> Vec<u8> {
    decimal.round(precision as i64);
    let exponent = if decimal.digits.is_empty() {
        0
    } else {
        i64::from(decimal.point) - 1
    };
    let is_fixed = (-4..precision as i64).contains(&exponent);
    let shown = if alternate {
        precision as i64
    } else {
        (decimal.digits.len() as i64).max(1)
    };
    if is_fixed {
        let places = (shown - 1 - exponent).max(0) as usize;
        fixed(decimal, places, alternate)
    } else {
        scientific(decimal, shown as usize - 1, alternate, upper)
    }
}

/// `%a`. Doubles are normalized to `0x1.`, long doubles to a digit of four bits, as glibc shows
/// them on x86-64.
fn hexadecimal(spec: &Spec, upper: bool, number: &Number, value: &Binary, out: &mut Vec<u8>) {
    // The first digit has the bits from `n_fraction` on.
    let n_fraction: u32 = if number.is_long { 60 } else { 52 };
    let mut mantissa = u128::from(value.mantissa);
    let mut exponent = match (mantissa, number.is_long) {
        (0, _) => 0,
        (_, true) => value.exponent + 60,
        (_, false) => value.exponent + 52,
    };
    let mut n_digits = n_fraction / 4;
    if let Some(precision) = spec.precision
        && precision < n_digits as usize
    {
        let dropped = (n_digits - precision as u32) * 4;
        let rest = mantissa & ((1 << dropped) - 1);
        let half = 1u128 << (dropped - 1);
        mantissa >>= dropped;
        if rest > half || rest == half && mantissa & 1 == 1 {
            mantissa += 1;
        }
        n_digits = precision as u32;
        // Rounding up may need one more bit than the first digit has.
        if number.is_long && mantissa >> (n_digits * 4) > 15 {
            mantissa >>= 4;
            exponent += 4;
        }
    }
    let fraction = mantissa & ((1u128 << (n_digits * 4)) - 1);
    let mut text = format!("{:x}", mantissa >> (n_digits * 4));
    let mut digits = match n_digits {
        0 => String::new(),
        _ => format!("{fraction:0width$x}", width = n_digits as usize),
    };
    match spec.precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) => {
            while digits.len() < precision {
                digits.push('0');
            }
        }
    }
    if !digits.is_empty() || spec.alternate {
        text.push('.');
    }
    text.push_str(&digits);
    text.push('p');
    text.push(if exponent < 0 { '-' } else { '+' });
    text.push_str(&exponent.unsigned_abs().to_string());
    if upper {
        text.make_ascii_uppercase();
    }
    let mut prefix = sign(spec, number.negative).to_vec();
    prefix.extend_from_slice(if upper { b"0X" } else { b"0x" });
    pad_number(spec, &prefix, text.as_bytes(), spec.zero, out);
}

//! Numbers, characters and strings: from their spelling to their value.

use crate::ast::{ExprKind, FloatSuffix, IntSuffix, LiteralEncoding};

/// A complaint about a literal; the caller knows the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// The literal has a value all the same.
    pub(crate) is_warning: bool,
}

impl Problem {
    fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            is_warning: false,
        }
    }

    fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            is_warning: true,
            ..Self::error(code, message)
        }
    }
}

/// Decodes an integer or floating constant.
pub(crate) fn number(text: &str) -> (ExprKind, Option<Problem>) {
    let separated: String;
    let text = if text.contains('\'') {
        separated = text.replace('\'', "");
        &separated
    } else {
        text
    };
    let lower_prefix = text.get(..2).map(str::to_ascii_lowercase);
    let (radix, body) = match lower_prefix.as_deref() {
        Some("0x") => (16, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let is_digit = |c: char| c.is_digit(if radix == 16 { 16 } else { 10 });
    let integral = body.len() - body.trim_start_matches(is_digit).len();
    let rest = &body[integral..];
    let is_float = match radix {
        16 => rest.starts_with(['.', 'p', 'P']),
        2 => false,
        _ => rest.starts_with('.') || rest.starts_with(['e', 'E']),
    };
    if is_float {
        return float(text, body, radix);
    }
    let digits = &body[..integral];
    let octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let radix = if octal { 8 } else { radix };
    integer(digits, radix, rest, text)
}

fn integer(digits: &str, radix: u32, suffix: &str, text: &str) -> (ExprKind, Option<Problem>) {
    let error = |message: String| {
        (
            ExprKind::Error,
            Some(Problem::error("c::invalid-number", message)),
        )
    };
    if digits.is_empty() {
        return error(format!("`{text}` has no digits"));
    }
    let mut value: u128 = 0;
    let mut fits = true;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(radix) else {
            let kind = if radix == 8 { "an octal" } else { "a binary" };
            return error(format!("`{c}` is not {kind} digit in `{text}`"));
        };
        match value
            .checked_mul(u128::from(radix))
            .and_then(|v| v.checked_add(u128::from(digit)))
        {
            Some(next) => value = next,
            None => fits = false,
        }
    }
    let mut unsigned = false;
    let mut longs = 0;
    let mut imaginary = false;
    let mut rest = suffix;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            'u' | 'U' if !unsigned => {
                unsigned = true;
                1
            }
            'l' | 'L' if longs == 0 => {
                // `ll` and `LL`, but not `lL`.
                longs = if rest[1..].starts_with(c) { 2 } else { 1 };
                usize::from(longs)
            }
            'i' | 'I' | 'j' | 'J' if !imaginary => {
                imaginary = true;
                1
            }
            _ => return error(format!("`{suffix}` is no suffix of an integer constant")),
        };
        rest = &rest[length..];
    }
    if imaginary {
        let kind = ExprKind::Float {
            digits: value.to_string(),
            suffix: FloatSuffix::Imaginary,
        };
        return (kind, None);
    }
    let problem = if !fits {
        return error(format!("`{text}` does not fit into any integer type"));
    } else if value > u128::from(u64::MAX) {
        Some(Problem::warning(
            "c::large-integer",
            format!("`{text}` does not fit into 64 bits"),
        ))
    } else {
        None
    };
    let kind = ExprKind::Int {
        value,
        suffix: IntSuffix { unsigned, longs },
        decimal: radix == 10,
    };
    (kind, problem)
}

fn float(text: &str, body: &str, radix: u32) -> (ExprKind, Option<Problem>) {
    let error = |message: String| {
        (
            ExprKind::Error,
            Some(Problem::error("c::invalid-number", message)),
        )
    };
    let bytes = body.as_bytes();
    let mut at = 0;
    let mut mantissa = 0;
    let mut dots = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'.' => dots += 1,
            b if (b as char).is_digit(radix) => mantissa += 1,
            _ => break,
        }
        at += 1;
    }
    if dots > 1 || mantissa == 0 {
        let mut message = format!("`{text}` is not a number");
        if body.contains("...") {
            message.push_str("; put blanks around `...`");
        }
        return error(message);
    }
    let marker = if radix == 16 { b'p' } else { b'e' };
    if at < bytes.len() && bytes[at].to_ascii_lowercase() == marker {
        at += 1;
        if at < bytes.len() && matches!(bytes[at], b'+' | b'-') {
            at += 1;
        }
        let exponent = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if exponent == 0 {
            return error(format!("the exponent of `{text}` has no digits"));
        }
        at += exponent;
    } else if radix == 16 {
        return error(format!("`{text}` needs an exponent such as `p0`"));
    }
    let suffix_text = &body[at..];
    let lower = suffix_text.to_ascii_lowercase();
    let plain = lower.replace(['i', 'j'], "");
    let suffix = match plain.as_str() {
        _ if plain.len() + 1 < lower.len() => None,
        "" | "f" | "l" | "d" | "f32" | "f64" | "f32x" | "f64x" | "w"
            if plain.len() < lower.len() =>
        {
            Some(FloatSuffix::Imaginary)
        }
        "" | "d" | "f64" | "f32x" => Some(FloatSuffix::None),
        "f" | "f32" => Some(FloatSuffix::Float),
        "l" | "f64x" | "w" => Some(FloatSuffix::LongDouble),
        // Half and decimal floats go with the types of `Tok::Float128`.
        "f128" | "q" | "f16" | "bf16" | "df" | "dd" | "dl" => Some(FloatSuffix::Float128),
        _ => None,
    };
    let Some(suffix) = suffix else {
        return error(format!(
            "`{suffix_text}` is no suffix of a floating constant"
        ));
    };
    let digits = text[..text.len() - suffix_text.len()].to_owned();
    (ExprKind::Float { digits, suffix }, None)
}

/// Decodes a character constant with its prefix and quotes.
pub(crate) fn character(text: &str) -> (i64, LiteralEncoding, Option<Problem>) {
    let (encoding, body) = split_prefix(text, '\'');
    let mut units = Vec::new();
    let problem = decode(body, encoding, &mut units);
    if units.is_empty() {
        let empty = Problem::error("c::empty-character", "empty character constant");
        return (0, encoding, Some(problem.unwrap_or(empty)));
    }
    let value = match encoding {
        // Bytes shift in from the right into an `int`; a single one is a (signed) `char`.
        LiteralEncoding::Char if units.len() == 1 && !text.starts_with("u8") => {
            i64::from(units[0] as u8 as i8)
        }
        LiteralEncoding::Char if units.len() == 1 => i64::from(units[0]),
        LiteralEncoding::Char => {
            let bits = units.iter().fold(0u32, |v, &u| v << 8 | u);
            i64::from(bits as i32)
        }
        LiteralEncoding::Wide => i64::from(units[units.len() - 1] as i32),
        LiteralEncoding::Utf16 | LiteralEncoding::Utf32 => i64::from(units[units.len() - 1]),
    };
    (value, encoding, problem)
}

/// The encoding that a string literal's prefix asks for, if it has one other than `u8`.
pub(crate) fn string_encoding(text: &str) -> LiteralEncoding {
    split_prefix(text, '"').0
}

/// Appends the code units of one string literal, prefix and quotes included, in `encoding`.
pub(crate) fn string(
    text: &str,
    encoding: LiteralEncoding,
    units: &mut Vec<u32>,
) -> Option<Problem> {
    decode(split_prefix(text, '"').1, encoding, units)
}

/// Prefix and content. The closing quote may be missing: that was reported by the lexer.
fn split_prefix(text: &str, quote: char) -> (LiteralEncoding, &str) {
    let (encoding, rest) = if let Some(rest) = text.strip_prefix("u8") {
        (LiteralEncoding::Char, rest)
    } else if let Some(rest) = text.strip_prefix('L') {
        (LiteralEncoding::Wide, rest)
    } else if let Some(rest) = text.strip_prefix('u') {
        (LiteralEncoding::Utf16, rest)
    } else if let Some(rest) = text.strip_prefix('U') {
        (LiteralEncoding::Utf32, rest)
    } else {
        (LiteralEncoding::Char, text)
    };
    let rest = rest.strip_prefix(quote).unwrap_or(rest);
    (encoding, rest.strip_suffix(quote).unwrap_or(rest))
}

fn decode(body: &str, encoding: LiteralEncoding, units: &mut Vec<u32>) -> Option<Problem> {
    if encoding == LiteralEncoding::Char && !body.contains('\\') {
        units.extend(body.bytes().map(u32::from));
        return None;
    }
    let mut problem = None;
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        if c != '\\' {
            push_character(c, encoding, units);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (escaped, length, complaint) = escape(rest, encoding);
        match escaped {
            Escaped::Unit(unit) => units.push(unit),
            Escaped::Character(c) => push_character(c, encoding, units),
        }
        problem = problem.or(complaint);
        rest = &rest[length..];
    }
    problem
}

fn push_character(c: char, encoding: LiteralEncoding, units: &mut Vec<u32>) {
    match encoding {
        LiteralEncoding::Char => {
            let mut buffer = [0; 4];
            units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        LiteralEncoding::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
        }
        LiteralEncoding::Wide | LiteralEncoding::Utf32 => units.push(c as u32),
    }
}

enum Escaped {
    /// A code unit, whatever the encoding.
    Unit(u32),
    Character(char),
}

/// Reads the escape sequence at the start of `text`: what it stands for and its length.
fn escape(text: &str, encoding: LiteralEncoding) -> (Escaped, usize, Option<Problem>) {
    let mask = match encoding {
        LiteralEncoding::Char => 0xff,
        LiteralEncoding::Utf16 => 0xffff,
        LiteralEncoding::Wide | LiteralEncoding::Utf32 => u32::MAX,
    };
    let Some(c) = text[1..].chars().next() else {
        let problem = Problem::error("c::unknown-escape", "`\\` with nothing after it");
        return (Escaped::Unit(u32::from(b'\\')), 1, Some(problem));
    };
    let simple = match c {
        'n' => 10,
        't' => 9,
        '0'..='7' => {
            let digits: String = text[1..]
                .chars()
                .take(3)
                .take_while(|c| c.is_digit(8))
                .collect();
            let value = u32::from_str_radix(&digits, 8).unwrap_or(0);
            let problem = (value > mask).then(|| out_of_range(&text[..1 + digits.len()]));
            return (Escaped::Unit(value & mask), 1 + digits.len(), problem);
        }
        'x' => return hex_escape(text, mask),
        'u' | 'U' => {
            return match universal_character(text) {
                Some((c, length)) => (Escaped::Character(c), length, None),
                None => {
                    let message = format!("`\\{c}` needs the hexadecimal digits of a character");
                    let problem = Problem::error("c::unknown-escape", message);
                    (Escaped::Unit(c as u32), 2, Some(problem))
                }
            };
        }
        'a' => 7,
        'b' => 8,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        'e' | 'E' => 27,
        '\'' | '"' | '\\' | '?' => c as u32,
        // GCC's pedantry about format strings of other compilers: it takes these for themselves.
        '(' | '{' | '[' | '%' => c as u32,
        _ => {
            let message = format!("unknown escape sequence `\\{c}`, taken for `{c}`");
            let problem = Problem::warning("c::unknown-escape", message);
            return (Escaped::Character(c), 1 + c.len_utf8(), Some(problem));
        }
    };
    (Escaped::Unit(simple), 2, None)
}

fn hex_escape(text: &str, mask: u32) -> (Escaped, usize, Option<Problem>) {
    let digits = text[2..].len()
        - text[2..]
            .trim_start_matches(|c: char| c.is_ascii_hexdigit())
            .len();
    if digits == 0 {
        let problem = Problem::error("c::unknown-escape", "`\\x` needs hexadecimal digits");
        return (Escaped::Unit(u32::from(b'x')), 2, Some(problem));
    }
    let mut value: u32 = 0;
    let mut overflow = false;
    for c in text[2..2 + digits].chars() {
        overflow |= value > u32::MAX >> 4;
        value = value << 4 | c.to_digit(16).unwrap_or(0);
    }
    let problem = (overflow || value > mask).then(|| out_of_range(&text[..2 + digits]));
    (Escaped::Unit(value & mask), 2 + digits, problem)
}

fn out_of_range(escape: &str) -> Problem {
    Problem::warning(
        "c::escape-range",
        format!("`{escape}` is out of range for its kind of character"),
    )
}

/// Reads `\u1234` or `\U00012345` at the start of `text`: the character and the length.
pub(crate) fn universal_character(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes().get(..2)? {
        b"\\u" => 4,
        b"\\U" => 8,
        _ => return None,
    };
    let digits = text.get(2..2 + digits)?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((c, 2 + digits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_number(text: &str, expected: &str) {
        let (kind, problem) = number(text);
        let mut shown = match kind {
            ExprKind::Int {
                value,
                suffix,
                decimal,
            } => format!(
                "{value} {}{} {}",
                if suffix.unsigned { "u" } else { "" },
                "l".repeat(suffix.longs.into()),
                if decimal { "dec" } else { "other" }
            ),
            ExprKind::Float { digits, suffix } => format!("{digits} {suffix:?}"),
            _ => "error".to_owned(),
        };
        if let Some(problem) = problem {
            shown = format!("{shown}: {}", problem.message);
        }
        assert_eq!(shown, expected, "for {text}");
    }

    #[test]
    fn integers_of_all_bases_and_suffixes() {
        check_number("0", "0  dec");
        check_number("017", "15  other");
        check_number("0xFFuLL", "255 ull other");
        check_number("0b101", "5  other");
        check_number("1'000'000", "1000000  dec");
        check_number("42lu", "42 ul dec");
        check_number("18446744073709551615U", "18446744073709551615 u dec");
        check_number(
            "18446744073709551616",
            "18446744073709551616  dec: `18446744073709551616` does not fit into 64 bits",
        );
        check_number("089", "error: `8` is not an octal digit in `089`");
        check_number("0x", "error: `0x` has no digits");
        check_number("12abc", "error: `abc` is no suffix of an integer constant");
        check_number("1lLu", "error: `lLu` is no suffix of an integer constant");
        check_number("3i", "3 Imaginary");
    }

    #[test]
    fn floats_keep_their_digits() {
        check_number("1.5", "1.5 None");
        check_number(".5f", ".5 Float");
        check_number("1.", "1. None");
        check_number("1e-3L", "1e-3 LongDouble");
        check_number("0x1.8p3", "0x1.8p3 None");
        check_number("0x.1P-2f", "0x.1P-2 Float");
        check_number("1.0Q", "1.0 Float128");
        check_number("1.0f128", "1.0 Float128");
        check_number("2.0fi", "2.0 Imaginary");
        check_number("089.5", "089.5 None");
        check_number("1e", "error: the exponent of `1e` has no digits");
        check_number("0x1.8", "error: `0x1.8` needs an exponent such as `p0`");
        check_number(
            "1...5",
            "error: `1...5` is not a number; put blanks around `...`",
        );
    }

    #[test]
    fn characters_are_valued_as_gcc_does() {
        let value = |text| character(text).0;
        assert_eq!(value("'a'"), 97);
        assert_eq!(value("'\\xff'"), -1);
        assert_eq!(value("'\\377'"), -1);
        assert_eq!(value("u8'\\xff'"), 255);
        assert_eq!(value("'ab'"), 0x6162);
        assert_eq!(value("'\\0'"), 0);
        assert_eq!(value("'\\''"), 39);
        assert_eq!(value("'é'"), 0xc3a9);
        assert_eq!(value("L'é'"), 0xe9);
        assert_eq!(value("u'\\u20ac'"), 0x20ac);
        assert_eq!(character("''").2.unwrap().code, "c::empty-character");
    }

    #[test]
    fn strings_are_code_units() {
        let units = |text, encoding| {
            let mut units = Vec::new();
            string(text, encoding, &mut units);
            units
        };
        assert_eq!(
            units("\"a\\n\\x41\\101\"", LiteralEncoding::Char),
            [97, 10, 65, 65]
        );
        assert_eq!(units("\"\\u00e9\"", LiteralEncoding::Char), [0xc3, 0xa9]);
        assert_eq!(
            units("u\"\u{1f600}\"", LiteralEncoding::Utf16),
            [0xd83d, 0xde00]
        );
        assert_eq!(units("L\"\u{1f600}\"", LiteralEncoding::Wide), [0x1f600]);
        assert_eq!(units("\"\\400\"", LiteralEncoding::Char), [0]);
    }
}

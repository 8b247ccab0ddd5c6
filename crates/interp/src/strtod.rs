//! Reading numbers as `strtod` does.

/// The longest beginning of a text that is a number, and how many bytes it took; `(0, 0)` if
/// there is none.
pub(crate) fn parse_double(text: &[u8]) -> (f64, usize) {
    let mut at = text
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'..=b'\r'))
        .count();
    let negative = match text.get(at) {
        Some(b'-') => {
            at += 1;
            true
        }
        Some(b'+') => {
            at += 1;
            false
        }
        _ => false,
    };
    let rest = &text[at..];
    let Some((value, used)) = special(rest)
        .or_else(|| hexadecimal(rest))
        .or_else(|| decimal(rest))
    else {
        return (0.0, 0);
    };
    (if negative { -value } else { value }, at + used)
}

fn starts_with(text: &[u8], word: &str) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word.as_bytes())
}

fn special(text: &[u8]) -> Option<(f64, usize)> {
    if starts_with(text, "infinity") {
        return Some((f64::INFINITY, 8));
    }
    if starts_with(text, "inf") {
        return Some((f64::INFINITY, 3));
    }
    if !starts_with(text, "nan") {
        return None;
    }
    // `nan(letters)` is one thing if the parenthesis is closed.
    let mut used = 3;
    if text.get(3) == Some(&b'(') {
        let inside = text[4..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count();
        if text.get(4 + inside) == Some(&b')') {
            used = 5 + inside;
        }
    }
    Some((f64::NAN, used))
}

/// The end of an exponent that starts at `at` with one of these letters, if there is a whole one.
fn exponent_end(text: &[u8], at: usize, letters: &[u8; 2]) -> Option<usize> {
    if !text.get(at).is_some_and(|b| letters.contains(b)) {
        return None;
    }
    let digits = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    let n = text[digits.min(text.len())..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    (n > 0).then_some(digits + n)
}

fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    let digits = |from: usize| {
        text[from.min(text.len())..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let whole = digits(0);
    let mut end = whole;
    let mut n = whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        n += fraction;
        end += 1 + fraction;
    }
    if n == 0 {
        return None;
    }
    end = exponent_end(text, end, b"eE").unwrap_or(end);
    let number = std::str::from_utf8(&text[..end]).ok()?;
    Some((number.parse().ok()?, end))
}

fn hexadecimal(text: &[u8]) -> Option<(f64, usize)> {
    if !starts_with(text, "0x") {
        return None;
    }
    let mut at = 2;
    let mut seen_point = false;
    let mut n_digits = 0;
    let mut mantissa: u128 = 0;
    let mut exponent: i64 = 0;
    let mut sticky = false;
    while let Some(&byte) = text.get(at) {
        let digit = match byte {
            b'.' if !seen_point => {
                seen_point = true;
                at += 1;
                continue;
            }
            _ => match (byte as char).to_digit(16) {
                Some(digit) => digit,
                None => break,
            },
        };
        n_digits += 1;
        at += 1;
        // 30 digits are more than any rounding looks at; beyond them only "something" counts.
        if mantissa >> 116 == 0 {
            mantissa = mantissa << 4 | u128::from(digit);
            exponent -= if seen_point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if seen_point { 0 } else { 4 };
        }
    }
    if n_digits == 0 {
        // Only the `0` of `0x` is a number.
        return Some((0.0, 1));
    }
    if let Some(end) = exponent_end(text, at, b"pP") {
        let digits = std::str::from_utf8(&text[at + 1..end]).ok()?;
        let given: i64 = digits.parse().unwrap_or(if digits.starts_with('-') {
            i64::MIN / 4
        } else {
            i64::MAX / 4
        });
        exponent = exponent.saturating_add(given);
        at = end;
    }
    mantissa |= u128::from(sticky);
    Some((scaled(mantissa, exponent), at))
}

/// `mantissa * 2^exponent`, rounded once.
fn scaled(mantissa: u128, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let top = 127 - i64::from(mantissa.leading_zeros()) + exponent;
    if top > 1023 {
        return f64::INFINITY;
    }
    if top < -1080 {
        return 0.0;
    }
    // The lowest bit that the result can have.
    let low = (top - 52).max(-1074);
    let shift = low - exponent;
    let kept = match shift {
        ..=0 => mantissa << (-shift).min(127),
        1..=127 => {
            let kept = mantissa >> shift;
            let rest = mantissa & ((1 << shift) - 1);
            let half = 1 << (shift - 1);
            kept + u128::from(rest > half || rest == half && kept % 2 == 1)
        }
        _ => 0,
    };
    // Both factors are exact, and so is the product: it has at most 53 bits above `low`.
    let power = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    let value = kept as f64;
    if low < -1000 {
        value * power(low + 200) * power(-200)
    } else {
        value * power(low)
    }
}

#[cfg(test)]
mod tests {
    use super::parse_double;

    #[test]
    fn numbers_end_where_the_grammar_ends() {
        let cases: [(&str, f64, usize); 16] = [
            ("12.5abc", 12.5, 4),
            ("  -3", -3.0, 4),
            (".5.", 0.5, 2),
            ("5.", 5.0, 2),
            (".", 0.0, 0),
            ("1e", 1.0, 1),
            ("1e+", 1.0, 1),
            ("1e+2x", 100.0, 4),
            ("0x1.8p1", 3.0, 7),
            ("0x", 0.0, 1),
            ("0x.8", 0.5, 4),
            ("0x1p-1074", 5e-324, 9),
            ("0x1.fffffffffffff8p0", 2.0, 20),
            ("infinityx", f64::INFINITY, 8),
            ("-inf", f64::NEG_INFINITY, 4),
            ("", 0.0, 0),
        ];
        for (text, value, used) in cases {
            assert_eq!(parse_double(text.as_bytes()), (value, used), "{text}");
        }
        assert!(parse_double(b"nan(x1)").0.is_nan());
        assert_eq!(parse_double(b"nan(x1)").1, 7);
        assert_eq!(parse_double(b"nan(x1").1, 3);
    }
}

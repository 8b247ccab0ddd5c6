//! Values of attributes. The miner treats them as names of abstract objects: all it asks is whether
//! two are the same.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};

/// A value, in 16 bytes and without a table, so that a trace of any length costs nothing here.
///
/// Integers are compared as numbers of 64 bits (`7` is `0x7`, `-1` is `0xffffffffffffffff`, `NULL`
/// is `0`), other texts of up to 15 bytes exactly. Longer ones are kept as a hash of 120 bits: two
/// of n such texts are confused with a probability of about n²/2¹²¹.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u128);

const TAG: u32 = 120;
const TEXT: u128 = 0x10;
const HASHED: u128 = 0x20;

impl Value {
    /// What an attribute holds that names no object, such as the result of a failed call.
    pub const NOTHING: Self = Self(0x40 << TAG);

    pub fn integer(number: i64) -> Self {
        Self(u128::from(number as u64))
    }

    /// The number, if it is one, as 64 bits with a sign.
    pub(crate) fn as_integer(self) -> Option<i64> {
        (self.0 >> 64 == 0).then_some(self.0 as u64 as i64)
    }

    /// The value that a text denotes.
    pub fn new(text: &[u8]) -> Self {
        if let Some(number) = integer(text) {
            return Self(u128::from(number));
        }
        if text.len() <= 15 {
            let mut bytes = [0; 16];
            bytes[..text.len()].copy_from_slice(text);
            return Self(u128::from_le_bytes(bytes) | (TEXT | text.len() as u128) << TAG);
        }
        let hash = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(salt);
            hasher.write(text);
            u128::from(hasher.finish())
        };
        let low_120 = (hash(0) << 64 | hash(1)) & ((1 << TAG) - 1);
        Self(low_120 | HASHED << TAG)
    }
}

/// A decimal or hexadecimal number of at most 64 bits, or a null pointer as C programmers and
/// tracers write it.
fn integer(text: &[u8]) -> Option<u64> {
    match text {
        b"NULL" | b"nil" | b"(nil)" => return Some(0),
        [b'0', b'x' | b'X', digits @ ..] if (1..=16).contains(&digits.len()) => {
            return digits.iter().try_fold(0u64, |sum, &d| {
                let digit = (d as char).to_digit(16)?;
                Some(sum << 4 | u64::from(digit))
            });
        }
        _ => {}
    }
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    // `007` and `7` are different texts, and a telephone number is no number.
    if digits.is_empty() || digits.len() > 1 && digits[0] == b'0' {
        return None;
    }
    let number = digits.iter().try_fold(0u64, |sum, &d| {
        let digit = d.wrapping_sub(b'0');
        (digit < 10).then_some(())?;
        sum.checked_mul(10)?.checked_add(u64::from(digit))
    })?;
    if negative && number > 1 << 63 {
        return None;
    }
    Some(if negative {
        number.wrapping_neg()
    } else {
        number
    })
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tag = self.0 >> TAG;
        if tag == 0 {
            let number = self.0 as u64;
            // Large numbers are addresses more often than not.
            return match number as i64 {
                small @ -65536..=65535 => write!(f, "{small}"),
                _ => write!(f, "{number:#x}"),
            };
        }
        if *self == Self::NOTHING {
            return f.write_str("null");
        }
        if tag & HASHED != 0 {
            return write!(f, "text#{:08x}", self.0 as u32);
        }
        let bytes = self.0.to_le_bytes();
        let length = (tag & 0xf) as usize;
        f.write_str(&String::from_utf8_lossy(&bytes[..length]))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    fn shown(text: &str) -> String {
        Value::new(text.as_bytes()).to_string()
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert_eq!(Value::new(b"7"), Value::new(b"0x7"));
        assert_eq!(Value::new(b"-1"), Value::new(b"0xffffffffffffffff"));
        assert_eq!(Value::new(b"NULL"), Value::integer(0));
        assert_ne!(Value::new(b"7"), Value::new(b"07"));
        assert_ne!(Value::new(b"7"), Value::new(b"\"7\""));
    }

    #[test]
    fn texts_are_compared_as_texts() {
        assert_ne!(Value::new(b"a"), Value::new(b"a\0"));
        let long = [b'x'; 40];
        let mut other = long;
        other[39] = b'y';
        assert_eq!(Value::new(&long), Value::new(&long));
        assert_ne!(Value::new(&long), Value::new(&other));
    }

    #[test]
    fn values_are_shown_as_people_write_them() {
        let texts = ["7", "-1", "0x400120", "AF_INET", "\"a\""];
        assert_eq!(texts.map(shown), texts);
        assert_eq!(
            shown("18446744073709551616"),
            "text#".to_owned() + &shown("18446744073709551616")[5..]
        );
        assert_eq!(shown("-9223372036854775808"), "0x8000000000000000");
    }
}

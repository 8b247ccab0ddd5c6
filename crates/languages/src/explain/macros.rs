//! Names of macros in classes of arguments, such as `call:open(_, &O_CREAT)`: what they stand for is asked of the
//! preprocessor, after the user's own text.

use crate::args::CArgs;
use crate::c_input;
use crate::failure::CommandFailure;

/// The event with numbers for the names of macros, if it has such names.
pub fn without_macros(spec: &str, input: &CArgs) -> Result<Option<String>, CommandFailure> {
    let Some(call) = spec.strip_prefix("call:") else {
        return Ok(None);
    };
    // The first word is the function.
    let from = call.find(['(', '-', '→']).unwrap_or(call.len());
    let (function, classes) = call.split_at(from);
    let mut text = format!("call:{function}");
    let mut is_other = false;
    let mut rest = classes;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let n = if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(n);
        rest = after;
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name || word == "_" || word == "NULL" {
            text.push_str(word);
            continue;
        }
        let expansion = c_input::expansion(input, word)?;
        let Some(value) = expansion.as_deref().and_then(value_of) else {
            return Err(CommandFailure::usage(
                format!("`{word}` in `{spec}` is no macro with a number"),
                "give the number itself, or a macro that the program defines or includes",
            ));
        };
        text.push_str(&value.to_string());
        is_other = true;
    }
    Ok(is_other.then_some(text))
}

/// The value of a constant expression as macros have them: numbers with `|`, `&`, `<<`, `+`, `-`, `~` and parentheses.
fn value_of(text: &str) -> Option<i128> {
    let mut reader = Reader { rest: text };
    let value = reader.sum(0)?;
    reader.rest.trim().is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

/// From the weakest on.
const LEVELS: [&[&str]; 4] = [&["|"], &["&"], &["<<", ">>"], &["+", "-"]];
/// Parentheses inside each other.
const DEEPEST: usize = 64;

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self, depth: usize) -> Option<i128> {
        self.level(0, depth)
    }

    fn level(&mut self, level: usize, depth: usize) -> Option<i128> {
        let Some(signs) = LEVELS.get(level) else {
            return self.atom(depth);
        };
        let mut value = self.level(level + 1, depth)?;
        while let Some(sign) = signs.iter().find(|sign| self.take(sign)) {
            let right = self.level(level + 1, depth)?;
            value = match *sign {
                "|" => value | right,
                "&" => value & right,
                "<<" => value.checked_shl(u32::try_from(right).ok()?)?,
                ">>" => value.checked_shr(u32::try_from(right).ok()?)?,
                "+" => value.checked_add(right)?,
                _ => value.checked_sub(right)?,
            };
        }
        Some(value)
    }

    fn atom(&mut self, depth: usize) -> Option<i128> {
        if depth > DEEPEST {
            return None;
        }
        if self.take("(") {
            let value = self.sum(depth + 1)?;
            return self.take(")").then_some(value);
        }
        if self.take("-") {
            return self.atom(depth + 1)?.checked_neg();
        }
        if self.take("~") {
            return Some(!self.atom(depth + 1)?);
        }
        self.rest = self.rest.trim_start();
        let n = (self.rest)
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(n);
        self.rest = rest;
        let number = number.trim_end_matches(['u', 'U', 'l', 'L']);
        let lower = number.to_ascii_lowercase();
        match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
            (Some(hex), _) => i128::from_str_radix(hex, 16).ok(),
            (None, Some(octal)) if !octal.is_empty() => i128::from_str_radix(octal, 8).ok(),
            _ => lower.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn constants_are_read_as_c_has_them() {
        for (text, value) in [
            ("64", 64),
            ("0100", 64),
            ("0x40UL", 64),
            ("(1 << 6)", 64),
            ("( 01 | 02 | 1<<3 )", 11),
            ("-1", -1),
            ("~0", -1),
            ("(4 + 3 - 1)", 6),
            ("0", 0),
        ] {
            assert_eq!(value_of(text), Some(value), "{text}");
        }
        for wrong in ["", "x", "1 +", "(1", "1 2", "\"a\""] {
            assert_eq!(value_of(wrong), None, "{wrong}");
        }
    }
}

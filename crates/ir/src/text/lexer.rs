//! Text to tokens.

use super::parse::ParseError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A name, keyword or handle.
    Word(&'a str),
    /// Starts with a digit, or `-` and a digit; not yet read.
    Number(&'a str),
    Text(Vec<u8>),
    /// One of the signs in `SIGNS`.
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: [&str; 16] = [
    ":=", "->", "...", "(", ")", "[", "]", "{", "}", ",", ":", "=", "@", "&", "!", ";",
];

/// All tokens with their lines, from 1. Comments are dropped.
pub(super) fn tokens(bytes: &[u8]) -> Result<Vec<(Token<'_>, u32)>, ParseError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&b| b == b'\n').count() as u32;
            return Err(ParseError::new(line, "this is not UTF-8"));
        }
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1u32;
    while let Some(c) = rest.chars().next() {
        if c == '\n' {
            line = line.saturating_add(1);
            rest = &rest[1..];
        } else if c.is_ascii_whitespace() {
            rest = &rest[1..];
        } else if c == ';' {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if c == '"' {
            let (value, length) = quoted_text(rest).map_err(|m| ParseError::new(line, m))?;
            tokens.push((Token::Text(value), line));
            rest = &rest[length..];
        } else if starts_number(rest) {
            let (number, after) = rest.split_at(number_length(rest));
            tokens.push((Token::Number(number), line));
            rest = after;
        } else if is_word_char(c) && c != '.' {
            let length = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length);
            tokens.push((Token::Word(word), line));
            rest = after;
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            tokens.push((Token::Sign(sign), line));
            rest = &rest[sign.len()..];
        } else {
            return Err(ParseError::new(line, format!("nothing starts with {c:?}")));
        }
    }
    Ok(tokens)
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.' | '#')
}

fn starts_number(text: &str) -> bool {
    text.strip_prefix('-')
        .unwrap_or(text)
        .starts_with(|c: char| c.is_ascii_digit())
}

/// Digits of any base, a point, and an exponent with its sign.
fn number_length(text: &str) -> usize {
    let is_hex = text.starts_with("0x");
    let mut previous = ' ';
    for (i, c) in text.char_indices() {
        let is_sign = matches!(c, '+' | '-') && (i == 0 || (previous == 'e' && !is_hex));
        if !(c.is_ascii_alphanumeric() || c == '.' || is_sign) {
            return i;
        }
        previous = c;
    }
    text.len()
}

/// The bytes of a text in quotes, and its length with them.
fn quoted_text(text: &str) -> Result<(Vec<u8>, usize), &'static str> {
    let mut value = Vec::new();
    let bytes = text.as_bytes();
    let mut i = 1;
    loop {
        match bytes.get(i) {
            None | Some(b'\n') => return Err("a text without its closing quote"),
            Some(b'"') => return Ok((value, i + 1)),
            Some(b'\\') => {
                i += 1;
                match bytes.get(i) {
                    Some(b'n') => value.push(b'\n'),
                    Some(b't') => value.push(b'\t'),
                    Some(&c @ (b'"' | b'\\')) => value.push(c),
                    Some(b'x') => {
                        let digit =
                            |at: usize| bytes.get(at).and_then(|&b| char::from(b).to_digit(16));
                        let (Some(high), Some(low)) = (digit(i + 1), digit(i + 2)) else {
                            return Err("`\\x` needs two hexadecimal digits");
                        };
                        value.push((high * 16 + low) as u8);
                        i += 2;
                    }
                    _ => return Err("an unknown escape in a text"),
                }
            }
            Some(&b) => value.push(b),
        }
        i += 1;
    }
}

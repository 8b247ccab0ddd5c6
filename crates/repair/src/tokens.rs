//! C text as tokens, and which tokens of a preprocessed text a user wrote.
//!
//! Edits are found in the preprocessed text, where everything has its place in the syntax tree, and
//! made in the user's. The two are aligned line by line: a token that both have stands for itself, and
//! a run of tokens that only the preprocessed line has comes from the macro in its place.

use idiolect_base::parse_line_marker;

/// A token: its bytes in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Where a token of the preprocessed text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    Nowhere,
    /// This range of the original text; the first and the last token of a macro's run are marked.
    Original {
        start: usize,
        end: usize,
        is_first: bool,
        is_last: bool,
        is_exact: bool,
    },
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80
}

const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text, without comments and without lines of the preprocessor.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut list = Vec::new();
    let (mut i, mut is_line_start) = (0, true);
    while i < bytes.len() {
        let c = bytes[i];
        let start = i;
        if c == b'\n' {
            is_line_start = true;
            i += 1;
            continue;
        }
        if c.is_ascii_whitespace() || c == b'\\' {
            i += 1;
            continue;
        }
        if c == b'#' && is_line_start {
            i = end_of_directive(bytes, i);
            continue;
        }
        is_line_start = false;
        if text[i..].starts_with("//") {
            i = bytes[i..]
                .iter()
                .position(|b| *b == b'\n')
                .map_or(bytes.len(), |n| i + n);
            continue;
        }
        if text[i..].starts_with("/*") {
            i = text[i + 2..].find("*/").map_or(bytes.len(), |n| i + n + 4);
            continue;
        }
        i = if c == b'"' || c == b'\'' {
            end_of_literal(bytes, i)
        } else if c.is_ascii_digit()
            || (c == b'.' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit))
        {
            end_of_number(bytes, i)
        } else if is_word(c) {
            bytes[i..]
                .iter()
                .position(|b| !is_word(*b))
                .map_or(bytes.len(), |n| i + n)
        } else {
            let own = OPERATORS.iter().find(|o| text[i..].starts_with(**o));
            i + own.map_or(1, |o| o.len())
        };
        list.push(Token { start, end: i });
    }
    list
}

fn end_of_directive(bytes: &[u8], mut i: usize) -> usize {
    while i < bytes.len() && bytes[i] != b'\n' {
        if bytes[i..].starts_with(b"/*") {
            while i < bytes.len() && !bytes[i..].starts_with(b"*/") {
                i += 1;
            }
        }
        i += if bytes.get(i) == Some(&b'\\') { 2 } else { 1 };
    }
    i.min(bytes.len())
}

fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut i = start + 1;
    while i < bytes.len() && bytes[i] != quote && bytes[i] != b'\n' {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    (i + 1).min(bytes.len())
}

fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let mut i = start;
    while i < bytes.len() {
        let is_exponent = matches!(bytes[i], b'e' | b'E' | b'p' | b'P')
            && matches!(bytes.get(i + 1), Some(b'+' | b'-'));
        let is_hex = bytes[start..].starts_with(b"0x") || bytes[start..].starts_with(b"0X");
        if is_exponent && !(is_hex && matches!(bytes[i], b'e' | b'E')) {
            i += 2;
        } else if is_word(bytes[i]) || bytes[i] == b'.' {
            i += 1;
        } else {
            break;
        }
    }
    i
}

/// The preprocessed text of a file beside the file itself.
#[derive(Clone, Debug)]
pub(crate) struct Aligned {
    pub(crate) tokens: Vec<Token>,
    from: Vec<From>,
    /// The line of the file, from 1, of each token that is of it.
    pub(crate) lines: Vec<Option<u32>>,
}

/// The file and line that each line of a preprocessed text comes from, if it is this file.
fn own_lines(text: &str, file: &str) -> Vec<Option<u32>> {
    let mut lines = Vec::new();
    let (mut is_own, mut line) = (true, 1);
    for content in text.lines() {
        match parse_line_marker(content) {
            Some((next, name, _)) => {
                lines.push(None);
                if let Some(name) = name {
                    is_own = name == file;
                }
                line = next;
            }
            None => {
                lines.push(is_own.then_some(line));
                line += 1;
            }
        }
    }
    lines
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|b| b.1 == b'\n');
    std::iter::once(0).chain(ends.map(|b| b.0 + 1)).collect()
}

fn line_of(starts: &[usize], at: usize) -> usize {
    starts.partition_point(|s| *s <= at) - 1
}

impl Aligned {
    pub(crate) fn new(preprocessed: &str, original: &str, file: &str) -> Self {
        let list = tokens(preprocessed);
        let written = tokens(original);
        let own = own_lines(preprocessed, file);
        let (starts, original_starts) = (line_starts(preprocessed), line_starts(original));
        let line = |t: &Token| own.get(line_of(&starts, t.start)).copied().flatten();
        let lines: Vec<Option<u32>> = list.iter().map(line).collect();
        let mut aligned = Self {
            from: vec![From::Nowhere; list.len()],
            tokens: list,
            lines,
        };
        let written_line = |t: &Token| line_of(&original_starts, t.start) as u32 + 1;
        let mut at = 0;
        while at < aligned.tokens.len() {
            let Some(line) = aligned.lines[at] else {
                at += 1;
                continue;
            };
            let same = aligned.lines[at..].iter().take_while(|l| **l == Some(line));
            let end = at + same.count();
            let first = written.partition_point(|t| written_line(t) < line);
            let last = written.partition_point(|t| written_line(t) <= line);
            aligned.line(preprocessed, original, at..end, &written[first..last]);
            at = end;
        }
        aligned
    }

    /// Aligns the tokens of one line.
    fn line(
        &mut self,
        preprocessed: &str,
        original: &str,
        range: std::ops::Range<usize>,
        written: &[Token],
    ) {
        let text = |t: &Token| &preprocessed[t.start..t.end];
        let wrote = |t: &Token| &original[t.start..t.end];
        let (mut i, mut j) = (0, range.start);
        while i < written.len() && j < range.end {
            if wrote(&written[i]) == text(&self.tokens[j]) {
                self.from[j] = From::Original {
                    start: written[i].start,
                    end: written[i].end,
                    is_first: true,
                    is_last: true,
                    is_exact: true,
                };
                (i, j) = (i + 1, j + 1);
                continue;
            }
            let next = after_macro(written, i, wrote);
            let is_same = |at: usize, k: usize| match (written.get(k), self.tokens.get(at)) {
                (Some(a), Some(b)) => at < range.end && wrote(a) == text(b),
                _ => false,
            };
            let end = match written.get(next) {
                None => Some(range.end),
                Some(_) => (j..range.end).find(|&at| {
                    let is_last = next + 1 >= written.len();
                    is_same(at, next)
                        && (is_last || is_same(at + 1, next + 1) || at + 1 == range.end)
                }),
            };
            let Some(end) = end else { return };
            for at in j..end {
                self.from[at] = From::Original {
                    start: written[i].start,
                    end: written[next - 1].end,
                    is_first: at == j,
                    is_last: at + 1 == end,
                    is_exact: false,
                };
            }
            (i, j) = (next, end);
        }
    }

    /// The range of the original text that this range of the preprocessed one stands for, if both ends
    /// are at tokens that a user wrote.
    pub(crate) fn original(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        if start == end {
            return self.position(start).map(|p| (p, p));
        }
        let first = self.tokens.binary_search_by_key(&start, |t| t.start).ok()?;
        let last = self.tokens.binary_search_by_key(&end, |t| t.end).ok()?;
        match (self.from[first], self.from[last]) {
            (
                From::Original {
                    start,
                    is_first: true,
                    ..
                },
                From::Original {
                    end, is_last: true, ..
                },
            ) if start <= end => Some((start, end)),
            _ => None,
        }
    }

    /// The same for a place where something is put: before a token, or after one.
    fn position(&self, at: usize) -> Option<usize> {
        if let Ok(i) = self.tokens.binary_search_by_key(&at, |t| t.start)
            && let From::Original {
                start,
                is_first: true,
                ..
            } = self.from[i]
        {
            return Some(start);
        }
        let i = self.tokens.binary_search_by_key(&at, |t| t.end).ok()?;
        match self.from[i] {
            From::Original {
                end, is_last: true, ..
            } => Some(end),
            _ => None,
        }
    }

    /// The macro that makes up exactly this token: its range in the original text.
    pub(crate) fn macro_of(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let i = self.tokens.binary_search_by_key(&start, |t| t.start).ok()?;
        match self.from[i] {
            From::Original {
                start,
                end: until,
                is_first: true,
                is_last: true,
                is_exact: false,
            } if self.tokens[i].end == end => Some((start, until)),
            _ => None,
        }
    }

    /// Every token that is all of what this macro stands for somewhere.
    pub(crate) fn uses_of(&self, original: &str, name: &str) -> Vec<Token> {
        let pairs = self.tokens.iter().zip(&self.from);
        let own = pairs.filter(|(_, from)| {
            matches!(from, From::Original { start, end, is_exact: false, .. }
                if original.get(*start..*end) == Some(name))
        });
        own.map(|(t, _)| *t).collect()
    }

    /// The line of the file that holds this byte.
    pub(crate) fn line_at(&self, at: usize) -> Option<u32> {
        let i = self.tokens.partition_point(|t| t.end <= at);
        self.lines.get(i).copied().flatten()
    }
}

/// The token after the macro at `i` and its arguments.
fn after_macro<'t>(written: &[Token], i: usize, wrote: impl Fn(&Token) -> &'t str) -> usize {
    if written.get(i + 1).is_none_or(|t| wrote(t) != "(") {
        return i + 1;
    }
    let mut depth = 0;
    for (k, token) in written.iter().enumerate().skip(i + 1) {
        match wrote(token) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return k + 1;
        }
    }
    i + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_is_one_token_of_the_user_and_many_of_the_compiler() {
        let original = "#define N (3 + 1)\nint f(int x) { return x < N && x > 0; }\n";
        let preprocessed = "# 1 \"a.c\"\n\nint f(int x) { return x < (3 + 1) && x > 0; }\n";
        let aligned = Aligned::new(preprocessed, original, "a.c");
        let at = preprocessed.find("&& x").expect("it is there");
        let (start, end) = aligned.original(at, at + 2).expect("it was written");
        assert_eq!(&original[start..end], "&&");
        let three = preprocessed.find("3 + 1").expect("it is there");
        assert_eq!(aligned.original(three, three + 1), None);
        let whole = preprocessed.find("x < (3").expect("it is there");
        let (start, end) = aligned.original(whole, whole + 11).expect("it was written");
        assert_eq!(&original[start..end], "x < N");
    }

    #[test]
    fn what_is_no_code_has_no_tokens() {
        let text = "#define A \\\n 1\nint a; // b\n/* c */ char d = '\\''; x >>= 0x1e+2;";
        let words: Vec<&str> = tokens(text).iter().map(|t| &text[t.start..t.end]).collect();
        let expected = [
            "int", "a", ";", "char", "d", "=", "'\\''", ";", "x", ">>=", "0x1e", "+", "2", ";",
        ];
        assert_eq!(words, expected);
    }
}

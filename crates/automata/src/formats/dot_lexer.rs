//! The tokens of the DOT language, each with its line.

use super::dot::DotProblem;
use std::borrow::Cow;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A bare name or number.
    Name(&'a str),
    /// A quoted string, without its quotes and with its escapes.
    Quoted(&'a str),
    /// An HTML string, without its outer brackets.
    Html(&'a str),
    /// One of `{ } [ ] ; , = : +`.
    Sign(char),
    Arrow,
    Undirected,
    End,
}

impl<'a> Token<'a> {
    pub(super) fn is_keyword(self, keyword: &str) -> bool {
        matches!(self, Self::Name(name) if name.eq_ignore_ascii_case(keyword))
    }

    /// The token as an error message names it.
    pub(super) fn show(self) -> String {
        match self {
            Self::Name(text) | Self::Quoted(text) | Self::Html(text) => {
                let short: String = text.chars().take(40).collect();
                format!("`{short}`")
            }
            Self::Sign(sign) => format!("`{sign}`"),
            Self::Arrow => "`->`".to_owned(),
            Self::Undirected => "`--`".to_owned(),
            Self::End => "the end of the file".to_owned(),
        }
    }
}

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// The line at `position`, counted from 1.
    line: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            position: 0,
            line: 1,
        }
    }

    /// The next token and its line.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), (DotProblem, usize)> {
        self.skip_space_and_comments()?;
        let line = self.line;
        let rest = &self.text.as_bytes()[self.position..];
        let Some(&first) = rest.first() else {
            return Ok((Token::End, line));
        };
        let token = match first {
            b'"' => self.quoted()?,
            b'<' => self.html()?,
            b'-' if rest.starts_with(b"->") => self.fixed(2, Token::Arrow),
            b'-' if rest.starts_with(b"--") => self.fixed(2, Token::Undirected),
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' | b'+' => {
                self.fixed(1, Token::Sign(char::from(first)))
            }
            _ if is_name_byte(first) || first == b'-' => {
                let length = 1
                    + (rest[1..].iter())
                        .take_while(|&&byte| is_name_byte(byte))
                        .count();
                let name = &self.text[self.position..self.position + length];
                self.fixed(length, Token::Name(name))
            }
            _ => {
                let sign = self.text[self.position..].chars().next().unwrap_or('?');
                return Err((DotProblem::Character { sign }, line));
            }
        };
        Ok((token, line))
    }

    fn fixed(&mut self, length: usize, token: Token<'a>) -> Token<'a> {
        self.position += length;
        token
    }

    fn skip_space_and_comments(&mut self) -> Result<(), (DotProblem, usize)> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[self.position..];
            let at_line_start = self.position == 0 || bytes[self.position - 1] == b'\n';
            match rest.first() {
                Some(b'\n') => {
                    self.line += 1;
                    self.position += 1;
                }
                Some(byte) if byte.is_ascii_whitespace() || *byte == 0x0b => self.position += 1,
                // Output of a C preprocessor.
                Some(b'#') if at_line_start => self.skip_line(),
                Some(b'/') if rest.starts_with(b"//") => self.skip_line(),
                Some(b'/') if rest.starts_with(b"/*") => {
                    let end = self.text[self.position + 2..].find("*/");
                    let Some(end) = end else {
                        return Err((DotProblem::Unclosed { what: "comment" }, self.line));
                    };
                    self.advance(end + 4);
                }
                _ => return Ok(()),
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.position..];
        self.position += rest.find('\n').unwrap_or(rest.len());
    }

    /// Steps over text that may have lines in it.
    fn advance(&mut self, length: usize) {
        let over = &self.text.as_bytes()[self.position..self.position + length];
        self.line += over.iter().filter(|&&byte| byte == b'\n').count();
        self.position += length;
    }

    fn quoted(&mut self) -> Result<Token<'a>, (DotProblem, usize)> {
        let rest = &self.text.as_bytes()[self.position + 1..];
        let mut i = 0;
        while i < rest.len() {
            match rest[i] {
                b'"' => {
                    let start = self.position + 1;
                    self.advance(i + 2);
                    return Ok(Token::Quoted(&self.text[start..start + i]));
                }
                b'\\' => i += 2,
                _ => i += 1,
            }
        }
        Err((DotProblem::Unclosed { what: "string" }, self.line))
    }

    fn html(&mut self) -> Result<Token<'a>, (DotProblem, usize)> {
        let mut depth = 0usize;
        for (i, byte) in self.text.as_bytes()[self.position..].iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let start = self.position + 1;
                self.advance(i + 1);
                return Ok(Token::Html(&self.text[start..start + i - 1]));
            }
        }
        Err((
            DotProblem::Unclosed {
                what: "HTML string",
            },
            self.line,
        ))
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80
}

/// A string as an identifier: only `\"` is an escape, and a backslash joins lines.
pub(super) fn identifier(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        match (c, rest.as_str().chars().next()) {
            ('\\', Some('"')) => {}
            ('\\', Some('\n')) => {
                rest.next();
            }
            ('\\', Some(next)) => {
                rest.next();
                plain.extend([c, next]);
            }
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// A string as a label: a backslash takes the next sign as it is, except that `\n`, `\l` and `\r`
/// are line breaks, and joins lines.
pub(super) fn label(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n' | 'l' | 'r') => plain.push('\n'),
                Some('\n') => {}
                Some(next) => plain.push(next),
                None => plain.push('\\'),
            },
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Splits a raw label at the first of these signs that is not escaped.
pub(super) fn split_raw(raw: &str, sign: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (i, c) in raw.char_indices() {
        if !escaped && c == sign {
            return Some((&raw[..i], &raw[i + c.len_utf8()..]));
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

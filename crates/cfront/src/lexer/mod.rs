//! Text to tokens.
//!
//! The text is usually the output of a preprocessor, but comments, line splices and directives
//! that need no preprocessing (`#pragma`, `#ident`, line markers) may still be in it. Spans are
//! byte offsets in the text as given. Literals are only delimited here; [`literal`] decodes them
//! when the parser comes to them.

pub(crate) mod literal;
mod token;

pub(crate) use token::{Tok, Token};

use crate::symbols::{Symbol, Symbols};
use idiolect_base::{Diagnostic, SourceId, Span};
use std::borrow::Cow;

/// More complaints than this about characters are not worth reading.
const MAX_DIAGNOSTICS: usize = 100;

pub(crate) struct Lexed {
    /// Ends with one [`Tok::Eof`].
    pub(crate) tokens: Vec<Token>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Splits a text of less than 4 GiB into tokens.
pub(crate) fn lex(text: &str, source: SourceId, symbols: &mut Symbols) -> Lexed {
    let (clean, splices) = remove_splices(text);
    let mut keywords = Vec::new();
    for &(word, kind) in token::KEYWORDS {
        let index = symbols.intern(word).index();
        if keywords.len() <= index {
            keywords.resize(index + 1, Tok::Ident);
        }
        keywords[index] = kind;
    }
    let mut lexer = Lexer {
        text: &clean,
        bytes: clean.as_bytes(),
        at: 0,
        source,
        symbols,
        keywords,
        // Preprocessed C has one token in about five bytes.
        tokens: Vec::with_capacity(clean.len() / 5 + 1),
        diagnostics: Vec::new(),
        has_pragma: false,
        reported_directive: false,
    };
    lexer.run();
    let has_pragma = lexer.has_pragma;
    let mut lexed = Lexed {
        tokens: lexer.tokens,
        diagnostics: lexer.diagnostics,
    };
    if has_pragma {
        lexed.tokens = without_pragmas(lexed.tokens);
    }
    if !splices.is_empty() {
        splices.restore(&mut lexed);
    }
    lexed
}

/// The text of a token without line splices.
pub(crate) fn unspliced(text: &str) -> Cow<'_, str> {
    remove_splices(text).0
}

/// Where backslash-newlines were taken out: offset in the clean text, bytes removed so far.
struct Splices(Vec<(u32, u32)>);

impl Splices {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Translates the offsets of tokens and complaints back to the text as given.
    fn restore(&self, lexed: &mut Lexed) {
        for token in &mut lexed.tokens {
            (token.start, token.end) = self.original(token.start, token.end);
        }
        for diagnostic in &mut lexed.diagnostics {
            let span = &mut diagnostic.span;
            (span.start, span.end) = self.original(span.start, span.end);
        }
    }

    fn original(&self, start: u32, end: u32) -> (u32, u32) {
        let removed = |n: usize| n.checked_sub(1).map_or(0, |i| self.0[i].1);
        // A splice right at the start is before the token, one right at the end is after it.
        let before_start = removed(self.0.partition_point(|&(at, _)| at <= start));
        let before_end = removed(self.0.partition_point(|&(at, _)| at < end));
        (start + before_start, end + before_end.max(before_start))
    }
}

/// Joins lines that end with a backslash. As GCC does, blanks after the backslash are forgiven.
fn remove_splices(text: &str) -> (Cow<'_, str>, Splices) {
    let mut clean = String::new();
    let mut splices = Vec::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('\\') {
        let rest = &text.as_bytes()[at + 1..];
        let blanks = rest
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c))
            .count();
        if rest.get(blanks) != Some(&b'\n') || at < copied {
            continue;
        }
        clean.push_str(&text[copied..at]);
        copied = at + 1 + blanks + 1;
        splices.push((clean.len() as u32, (copied - clean.len()) as u32));
    }
    if splices.is_empty() {
        return (Cow::Borrowed(text), Splices(splices));
    }
    clean.push_str(&text[copied..]);
    (Cow::Owned(clean), Splices(splices))
}

/// Drops `_Pragma ( "…" )`, which may stand anywhere between tokens.
fn without_pragmas(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let kind = |n: usize| tokens.get(i + n).map(|t| t.kind);
        if kind(0) == Some(Tok::Pragma)
            && kind(1) == Some(Tok::LParen)
            && kind(2) == Some(Tok::String)
            && kind(3) == Some(Tok::RParen)
        {
            i += 4;
        } else {
            kept.push(tokens[i]);
            i += 1;
        }
    }
    kept
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    source: SourceId,
    symbols: &'a mut Symbols,
    /// By symbol; `Tok::Ident` for all that are no keywords.
    keywords: Vec<Tok>,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    has_pragma: bool,
    reported_directive: bool,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let mut line_start = true;
        loop {
            let start = self.at;
            let Some(&byte) = self.bytes.get(start) else {
                break;
            };
            match byte {
                b'\n' => {
                    self.at += 1;
                    line_start = true;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.at += 1;
                    continue;
                }
                b'/' if self.peek(1) == b'/' => {
                    self.skip_line();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block_comment();
                    continue;
                }
                b'#' if line_start => {
                    self.directive();
                    continue;
                }
                b'%' if line_start && self.peek(1) == b':' => {
                    self.directive();
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(),
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'"' => self.quoted(b'"', start),
                b'\'' => self.quoted(b'\'', start),
                b'\\' if matches!(self.peek(1), b'u' | b'U') => self.unusual_word(start),
                0x80.. => self.unusual_word(start),
                _ => self.punctuator(byte),
            }
            line_start = false;
        }
        let end = self.bytes.len();
        self.push(Tok::Eof, end);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Tok, start: usize) {
        self.push_word(kind, Symbol(0), start);
    }

    fn push_word(&mut self, kind: Tok, symbol: Symbol, start: usize) {
        self.tokens.push(Token {
            kind,
            symbol,
            start: start as u32,
            end: self.at as u32,
        });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.at = self.bytes.len();
                let span = self.span(start, start + 2);
                self.report(
                    Diagnostic::error("c::unterminated-comment", span, "unterminated comment")
                        .with_help("close it with `*/`"),
                );
            }
        }
    }

    /// A line that starts with `#`. Comments may go on over its end.
    fn directive(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&b| b != b'\n') {
            if self.peek(0) == b'/' && self.peek(1) == b'*' {
                self.block_comment();
            } else {
                self.at += 1;
            }
        }
        let line = self.bytes.get(start..self.at).unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let word: String = line
            .trim_start_matches(['#', '%', ':'])
            .trim_start()
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        let needs_preprocessor = matches!(
            word.as_str(),
            "include"
                | "include_next"
                | "import"
                | "if"
                | "ifdef"
                | "ifndef"
                | "elif"
                | "else"
                | "endif"
                | "error"
                | "embed"
        );
        if needs_preprocessor && !self.reported_directive {
            self.reported_directive = true;
            let span = self.span(start, start + line.trim_end().len());
            self.report(
                Diagnostic::error(
                    "c::not-preprocessed",
                    span,
                    format!("`#{word}` in a text that should already be preprocessed"),
                )
                .with_help("give the file a name that ends in `.c`, so that it is preprocessed"),
            );
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start..];
        let length = rest
            .iter()
            .position(|&b| !IS_WORD[b as usize])
            .unwrap_or(rest.len());
        self.at += length;
        match self.peek(0) {
            0x80.. => return self.unusual_word(start),
            b'\\' if matches!(self.peek(1), b'u' | b'U') => return self.unusual_word(start),
            quote @ (b'"' | b'\'')
                if matches!(&self.bytes[start..self.at], b"L" | b"u" | b"U" | b"u8") =>
            {
                return self.quoted(quote, start);
            }
            _ => {}
        }
        let symbol = self.symbols.intern(&self.text[start..self.at]);
        let kind = self
            .keywords
            .get(symbol.index())
            .copied()
            .unwrap_or(Tok::Ident);
        self.has_pragma |= kind == Tok::Pragma;
        self.push_word(kind, symbol, start);
    }

    /// An identifier with letters beyond ASCII or universal character names, or a stray character.
    fn unusual_word(&mut self, start: usize) {
        let mut name = self.text[start..self.at].to_owned();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else { break };
            let (c, length) = if c == '\\' {
                match literal::universal_character(rest) {
                    Some(found) => found,
                    None => break,
                }
            } else {
                (c, c.len_utf8())
            };
            let fits = if c.is_ascii() {
                IS_WORD[c as usize]
            } else {
                is_identifier_character(c)
            };
            if !fits {
                break;
            }
            name.push(c);
            self.at += length;
        }
        if self.at > start {
            let symbol = self.symbols.intern(&name);
            self.push_word(Tok::Ident, symbol, start);
        } else {
            self.stray();
        }
    }

    fn stray(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else {
            return;
        };
        let start = self.at;
        self.at += c.len_utf8();
        if c == '\u{feff}' {
            return;
        }
        let help = match c {
            '\u{2018}' | '\u{2019}' => Some("a typographic quotation mark: write `'`"),
            '\u{201c}' | '\u{201d}' | '\u{201e}' => {
                Some("a typographic quotation mark: write `\"`")
            }
            '\u{2013}' | '\u{2014}' | '\u{2212}' => Some("a dash or minus sign: write `-`"),
            '#' => Some("a directive has to be at the start of its line"),
            c if c.is_whitespace() => Some("a special blank: write an ordinary one"),
            _ => None,
        };
        let shown = if c.is_control() || c.is_whitespace() {
            format!("U+{:04X}", c as u32)
        } else {
            format!("`{c}`")
        };
        let span = self.span(start, self.at);
        let mut diagnostic = Diagnostic::error(
            "c::stray-character",
            span,
            format!("{shown} is not part of C"),
        );
        diagnostic.help = help.map(str::to_owned);
        self.report(diagnostic);
    }

    fn number(&mut self) {
        let start = self.at;
        let hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        self.at += 1;
        loop {
            match self.peek(0) {
                b'e' | b'E' if !hex && matches!(self.peek(1), b'+' | b'-') => self.at += 2,
                b'p' | b'P' if matches!(self.peek(1), b'+' | b'-') => self.at += 2,
                b'\'' if IS_WORD[self.peek(1) as usize] => self.at += 2,
                b'.' => self.at += 1,
                b if IS_WORD[b as usize] => self.at += 1,
                _ => break,
            }
        }
        self.push(Tok::Number, start);
    }

    /// A string or character literal whose opening quote is at `self.at` and whose prefix starts
    /// at `start`. It ends at its line's end at the latest.
    fn quoted(&mut self, quote: u8, start: usize) {
        self.at += 1;
        let kind = if quote == b'"' {
            Tok::String
        } else {
            Tok::Char
        };
        loop {
            match self.peek(0) {
                b if b == quote => {
                    self.at += 1;
                    break;
                }
                b'\\' if self.peek(1) != b'\n' && self.at + 1 < self.bytes.len() => {
                    // The escaped character may have several bytes; all others are no quotes.
                    self.at += 2;
                }
                b'\n' => return self.unterminated(kind, start),
                0 if self.at >= self.bytes.len() => return self.unterminated(kind, start),
                _ => self.at += 1,
            }
        }
        self.push(kind, start);
    }

    fn unterminated(&mut self, kind: Tok, start: usize) {
        let (code, what, quote) = match kind {
            Tok::String => ("c::unterminated-string", "string literal", '"'),
            _ => ("c::unterminated-character", "character constant", '\''),
        };
        let span = self.span(start, self.at);
        self.report(
            Diagnostic::error(code, span, format!("unterminated {what}"))
                .with_help(format!("close it with `{quote}` on the same line")),
        );
        self.push(kind, start);
    }

    fn punctuator(&mut self, byte: u8) {
        let (b1, b2) = (self.peek(1), self.peek(2));
        let (kind, length) = match (byte, b1, b2) {
            (b'(', ..) => (Tok::LParen, 1),
            (b')', ..) => (Tok::RParen, 1),
            (b'{', ..) => (Tok::LBrace, 1),
            (b'}', ..) => (Tok::RBrace, 1),
            (b'[', ..) => (Tok::LBracket, 1),
            (b']', ..) => (Tok::RBracket, 1),
            (b';', ..) => (Tok::Semi, 1),
            (b',', ..) => (Tok::Comma, 1),
            (b'?', ..) => (Tok::Question, 1),
            (b'~', ..) => (Tok::Tilde, 1),
            (b'.', b'.', b'.') => (Tok::Ellipsis, 3),
            (b'.', ..) => (Tok::Dot, 1),
            (b':', b'>', _) => (Tok::RBracket, 2),
            (b':', ..) => (Tok::Colon, 1),
            (b'-', b'>', _) => (Tok::Arrow, 2),
            (b'-', b'-', _) => (Tok::MinusMinus, 2),
            (b'-', b'=', _) => (Tok::SubAssign, 2),
            (b'-', ..) => (Tok::Minus, 1),
            (b'+', b'+', _) => (Tok::PlusPlus, 2),
            (b'+', b'=', _) => (Tok::AddAssign, 2),
            (b'+', ..) => (Tok::Plus, 1),
            (b'*', b'=', _) => (Tok::MulAssign, 2),
            (b'*', ..) => (Tok::Star, 1),
            (b'/', b'=', _) => (Tok::DivAssign, 2),
            (b'/', ..) => (Tok::Slash, 1),
            (b'%', b'=', _) => (Tok::RemAssign, 2),
            (b'%', b'>', _) => (Tok::RBrace, 2),
            (b'%', ..) => (Tok::Percent, 1),
            (b'&', b'&', _) => (Tok::AndAnd, 2),
            (b'&', b'=', _) => (Tok::AndAssign, 2),
            (b'&', ..) => (Tok::Amp, 1),
            (b'|', b'|', _) => (Tok::OrOr, 2),
            (b'|', b'=', _) => (Tok::OrAssign, 2),
            (b'|', ..) => (Tok::Pipe, 1),
            (b'^', b'=', _) => (Tok::XorAssign, 2),
            (b'^', ..) => (Tok::Caret, 1),
            (b'!', b'=', _) => (Tok::NotEqual, 2),
            (b'!', ..) => (Tok::Bang, 1),
            (b'=', b'=', _) => (Tok::EqualEqual, 2),
            (b'=', ..) => (Tok::Assign, 1),
            (b'<', b'<', b'=') => (Tok::ShlAssign, 3),
            (b'<', b'<', _) => (Tok::Shl, 2),
            (b'<', b'=', _) => (Tok::LessEqual, 2),
            (b'<', b':', _) => (Tok::LBracket, 2),
            (b'<', b'%', _) => (Tok::LBrace, 2),
            (b'<', ..) => (Tok::Less, 1),
            (b'>', b'>', b'=') => (Tok::ShrAssign, 3),
            (b'>', b'>', _) => (Tok::Shr, 2),
            (b'>', b'=', _) => (Tok::GreaterEqual, 2),
            (b'>', ..) => (Tok::Greater, 1),
            _ => return self.stray(),
        };
        let start = self.at;
        self.at += length;
        self.push(kind, start);
    }
}

const IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        let byte = b as u8;
        table[b] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
        b += 1;
    }
    table
};

/// The characters beyond ASCII that C11 (annex D.1) allows in identifiers.
fn is_identifier_character(c: char) -> bool {
    const RANGES: &[(u32, u32)] = &[
        (0xa8, 0xa8),
        (0xaa, 0xaa),
        (0xad, 0xad),
        (0xaf, 0xaf),
        (0xb2, 0xb5),
        (0xb7, 0xba),
        (0xbc, 0xbe),
        (0xc0, 0xd6),
        (0xd8, 0xf6),
        (0xf8, 0x167f),
        (0x1681, 0x180d),
        (0x180f, 0x1fff),
        (0x200b, 0x200d),
        (0x202a, 0x202e),
        (0x203f, 0x2040),
        (0x2054, 0x2054),
        (0x2060, 0x218f),
        (0x2460, 0x24ff),
        (0x2776, 0x2793),
        (0x2c00, 0x2dff),
        (0x2e80, 0x2fff),
        (0x3004, 0x3007),
        (0x3021, 0x302f),
        (0x3031, 0xd7ff),
        (0xf900, 0xfd3d),
        (0xfd40, 0xfdcf),
        (0xfdf0, 0xfe44),
        (0xfe47, 0xfefe),
        (0xff00, 0xfffd),
        (0x10000, 0x1fffd),
        (0x20000, 0x2fffd),
        (0x30000, 0xefffd),
    ];
    let code = c as u32;
    RANGES
        .iter()
        .any(|&(low, high)| (low..=high).contains(&code))
}

//! Tokens to syntax: recursive descent with typedef-aware scopes.
//!
//! The grammar is that of C11 with the GNU forms of real headers, C89's implicit `int` and K&R
//! definitions, and some of C23. The parser reports what it cannot read and goes on at the next
//! `;` or `}`, at most one complaint for each broken statement, so that a user sees all of them.
//!
//! Chains (`a + a + …`, `else if`, `a ? b : c ? …`, prefix and postfix operators) are read in
//! loops; all other nesting recurses and is limited, see [`with_big_stack`].

mod attribute;
mod declaration;
mod declarator;
mod expression;
mod initializer;
mod message;
mod primary;
mod record;
mod scope;
mod specifiers;
mod stack;
mod statement;

pub use stack::with_big_stack;

use crate::ast::{Ident, TranslationUnit};
use crate::lexer::{self, Tok, Token};
use crate::symbols::{Symbol, Symbols};
use idiolect_base::{Diagnostic, SourceId, SourceMap, Span};
use scope::{NameKind, Scopes};
use stack::Limits;
use std::borrow::Cow;

/// After this many errors the rest of the text is not looked at.
const MAX_ERRORS: usize = 100;

/// What became of a text: whatever could be read, and every complaint in the order of the text.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub unit: TranslationUnit,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses one preprocessed source. Call it, and drop the result, within [`with_big_stack`] unless
/// the text is known to be small.
///
/// ```
/// use idiolect_base::SourceMap;
/// use idiolect_cfront::{parser::{parse, with_big_stack}, symbols::Symbols};
/// let mut map = SourceMap::new();
/// let id = map.add("a.c", "typedef int T; T f(T x) { return x ?: 1 }".into());
/// let messages = with_big_stack(|| {
///     let parsed = parse(&map, id, &mut Symbols::new());
///     assert_eq!(parsed.unit.items.len(), 2);
///     parsed.diagnostics.into_iter().map(|d| d.message).collect::<Vec<_>>()
/// });
/// assert_eq!(messages, ["expected `;`, found `}`"]);
/// ```
pub fn parse(map: &SourceMap, source: SourceId, symbols: &mut Symbols) -> Parsed {
    parse_knowing(map, source, symbols, &[])
}

/// The same where these names are types already.
pub(crate) fn parse_knowing(
    map: &SourceMap,
    source: SourceId,
    symbols: &mut Symbols,
    typedefs: &[Symbol],
) -> Parsed {
    let text = map.source(source).text();
    if u32::try_from(text.len()).is_err() {
        let span = Span::new(source, 0, 0);
        let message = "the text is larger than 4 GiB";
        return Parsed {
            unit: TranslationUnit::default(),
            diagnostics: vec![Diagnostic::error("c::too-large", span, message)],
        };
    }
    let lexed = lexer::lex(text, source, symbols);
    let contextual = Contextual::new(symbols);
    let mut scopes = Scopes::default();
    for &name in typedefs {
        scopes.declare(name, NameKind::Typedef);
    }
    let mut parser = Parser {
        map,
        text,
        source,
        symbols,
        tokens: lexed.tokens,
        at: 0,
        scopes,
        diagnostics: Vec::new(),
        n_errors: 0,
        quiet: 0,
        limits: Limits::of_this_thread(),
        depth: 0,
        chained: 0,
        expression_blocks: 0,
        reported_depth: false,
        silent: false,
        suspicious_function: None,
        contextual,
    };
    let unit = parser.translation_unit();
    let mut diagnostics = lexed.diagnostics;
    diagnostics.append(&mut parser.diagnostics);
    diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
    Parsed { unit, diagnostics }
}

/// The problem was reported (or, in a look ahead, is of no interest); find a place to go on.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Words that C23 made keywords. A program may declare them itself; only if it does not, they
/// mean what C23 says.
struct Contextual {
    bool_: Symbol,
    true_: Symbol,
    false_: Symbol,
    nullptr: Symbol,
    static_assert: Symbol,
    alignas: Symbol,
    alignof: Symbol,
    thread_local: Symbol,
    constexpr: Symbol,
}

impl Contextual {
    fn new(symbols: &mut Symbols) -> Self {
        Self {
            bool_: symbols.intern("bool"),
            true_: symbols.intern("true"),
            false_: symbols.intern("false"),
            nullptr: symbols.intern("nullptr"),
            static_assert: symbols.intern("static_assert"),
            alignas: symbols.intern("alignas"),
            alignof: symbols.intern("alignof"),
            thread_local: symbols.intern("thread_local"),
            constexpr: symbols.intern("constexpr"),
        }
    }
}

struct Parser<'a> {
    map: &'a SourceMap,
    text: &'a str,
    source: SourceId,
    symbols: &'a mut Symbols,
    tokens: Vec<Token>,
    at: usize,
    scopes: Scopes,
    diagnostics: Vec<Diagnostic>,
    n_errors: usize,
    /// In a look ahead that may fail; nothing is reported.
    quiet: u32,
    limits: Limits,
    depth: u32,
    /// Links of chains on the path to the current place, see [`Limits::chain`].
    chained: u32,
    /// How many `({ … })` are open.
    expression_blocks: u32,
    reported_depth: bool,
    silent: bool,
    /// The first function within another that starts at the margin: a `}` may be missing before.
    suspicious_function: Option<Span>,
    contextual: Contextual,
}

// Moving over the tokens.
impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek(&self) -> Tok {
        self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> Tok {
        self.tokens
            .get(self.at + ahead)
            .map_or(Tok::Eof, |t| t.kind)
    }

    /// Takes the current token. The end of the text is never passed.
    fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Tok::Eof {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Tok, what: &str) -> Parse<Token> {
        if self.peek() == kind {
            return Ok(self.bump());
        }
        Err(self.expected(what))
    }

    /// The bracket that closes `open`.
    fn expect_close(&mut self, open: Token, kind: Tok) -> Parse<Token> {
        if self.peek() == kind {
            return Ok(self.bump());
        }
        Err(self.unclosed(open, kind))
    }

    fn identifier(&mut self, what: &str) -> Parse<Ident> {
        let token = self.expect(Tok::Ident, what)?;
        Ok(self.ident(token))
    }

    fn ident(&self, token: Token) -> Ident {
        Ident {
            symbol: token.symbol,
            span: self.span(token),
        }
    }

    fn span(&self, token: Token) -> Span {
        Span {
            source: self.source,
            start: token.start,
            end: token.end,
        }
    }

    /// From the start of token number `start` to the end of the last token taken.
    fn span_from(&self, start: usize) -> Span {
        let first = self.tokens[start];
        let last = self.tokens[self.at.saturating_sub(1).max(start)];
        Span {
            source: self.source,
            start: first.start,
            end: if self.at > start {
                last.end
            } else {
                first.start
            },
        }
    }

    fn slice(&self, token: Token) -> &str {
        let range = token.start as usize..token.end as usize;
        self.text.get(range).unwrap_or("")
    }

    /// The text of a token, joined if it goes over several lines.
    fn spelling(&self, token: Token) -> Cow<'_, str> {
        let slice = self.slice(token);
        if slice.contains('\n') {
            lexer::unspliced(slice)
        } else {
            Cow::Borrowed(slice)
        }
    }
}

// What names are.
impl Parser<'_> {
    fn kind_of(&self, token: Token) -> NameKind {
        self.scopes.kind(token.symbol)
    }

    fn is_typedef(&self, token: Token) -> bool {
        token.kind == Tok::Ident && self.kind_of(token) == NameKind::Typedef
    }

    fn is_undeclared(&self, token: Token) -> bool {
        token.kind == Tok::Ident && self.kind_of(token) == NameKind::Undeclared
    }

    /// The token is `name` with the meaning that C23 gives it.
    fn is_contextual(&self, token: Token, name: Symbol) -> bool {
        token.kind == Tok::Ident && token.symbol == name && self.is_undeclared(token)
    }

    /// The token is an identifier that stands for a keyword of C23 in front of a declarator.
    fn is_contextual_specifier(&self, at: usize) -> bool {
        let Some(&token) = self.tokens.get(at) else {
            return false;
        };
        if !self.is_undeclared(token) {
            return false;
        }
        let names = &self.contextual;
        let next = self.tokens.get(at + 1).map_or(Tok::Eof, |t| t.kind);
        token.symbol == names.bool_
            || (token.symbol == names.alignas && next == Tok::LParen)
            || ((token.symbol == names.thread_local || token.symbol == names.constexpr)
                && (next == Tok::Ident || next.is_specifier()))
    }

    /// Token number `at` starts a type name.
    fn starts_type_at(&self, at: usize) -> bool {
        let token = self.tokens[at.min(self.tokens.len() - 1)];
        match token.kind {
            Tok::Ident => {
                self.is_typedef(token) || self.is_contextual(token, self.contextual.bool_)
            }
            Tok::Extension => self.starts_type_at(at + 1),
            kind => kind.starts_type(),
        }
    }

    /// Token number `at` starts the specifiers of a declaration.
    fn starts_specifiers_at(&self, at: usize) -> bool {
        let token = self.tokens[at.min(self.tokens.len() - 1)];
        token.kind.is_specifier() || self.is_typedef(token) || self.is_contextual_specifier(at)
    }
}

// Limits.
impl Parser<'_> {
    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= self.limits.nesting {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Counts link number `n` of a chain that makes the tree one level deeper.
    fn link(&mut self, n: u32) -> Parse<()> {
        if n < self.limits.free_chain {
            return Ok(());
        }
        if self.chained >= self.limits.chain {
            return Err(self.too_deep());
        }
        self.chained += 1;
        Ok(())
    }

    fn too_deep(&mut self) -> Reported {
        if !self.reported_depth && self.quiet == 0 {
            self.reported_depth = true;
            let span = self.span(self.token());
            self.report(
                Diagnostic::error("c::nesting-too-deep", span, "nested too deeply").with_help(
                    format!(
                        "at most {} levels of brackets and {} links of one chain are read",
                        self.limits.nesting, self.limits.chain
                    ),
                ),
            );
        }
        // What is wrong from here to the end of this declaration follows from having stopped.
        self.silent |= self.quiet == 0;
        Reported
    }

    fn gave_up(&self) -> bool {
        self.n_errors >= MAX_ERRORS
    }
}

// Going on after errors.
impl Parser<'_> {
    /// Skips the rest of a broken statement, declaration or field that started at token `start`,
    /// its final `;` included, but not the `}` around it. A block within it is left to be parsed.
    fn skip_statement(&mut self, start: usize) {
        let mut braces = self.open_braces(start);
        if self.tokens[start].kind == Tok::For && braces == 0 {
            self.skip_for_header(start);
        }
        loop {
            match self.peek() {
                Tok::Eof => return,
                Tok::Semi if braces == 0 => {
                    self.bump();
                    return;
                }
                Tok::RBrace if braces == 0 => return,
                Tok::RBrace => {
                    self.bump();
                    braces -= 1;
                    if braces == 0 {
                        self.eat(Tok::Semi);
                        return;
                    }
                }
                Tok::LBrace => {
                    let before = self.tokens[self.at.saturating_sub(1)].kind;
                    let is_block = !matches!(before, Tok::Assign | Tok::Comma | Tok::LParen);
                    if braces == 0 && self.at > start && is_block {
                        return;
                    }
                    self.bump();
                    braces += 1;
                }
                kind if braces == 0 && self.at > start && kind.starts_keyword_statement() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// From within the parentheses of `for (a; b; c)` to behind them, or to a brace.
    fn skip_for_header(&mut self, start: usize) {
        let mut parens = 0usize;
        for token in &self.tokens[start..self.at] {
            match token.kind {
                Tok::LParen => parens += 1,
                Tok::RParen => parens = parens.saturating_sub(1),
                _ => {}
            }
        }
        while parens > 0 {
            match self.peek() {
                Tok::Eof | Tok::LBrace | Tok::RBrace => return,
                Tok::LParen => parens += 1,
                Tok::RParen => parens -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips the rest of a broken declaration at file level: to its `;`, or over its body.
    fn skip_item(&mut self, start: usize) {
        let mut braces = self.open_braces(start);
        loop {
            match self.bump().kind {
                Tok::Eof => return,
                Tok::Semi if braces == 0 => return,
                Tok::LBrace => braces += 1,
                Tok::RBrace => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        self.eat(Tok::Semi);
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// Skips to the bracket that closes the one before, whose kind is `close`, or to what ends the
    /// statement around it. True if the bracket was found; it is not taken.
    fn skip_to_close(&mut self, close: Tok) -> bool {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                kind if depth == 0 && kind == close => return true,
                Tok::Eof => return false,
                Tok::Semi if close != Tok::RBrace && depth == 0 => return false,
                Tok::LParen | Tok::LBrace | Tok::LBracket => depth += 1,
                Tok::RParen | Tok::RBrace | Tok::RBracket => {
                    let Some(less) = depth.checked_sub(1) else {
                        return false;
                    };
                    depth = less;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// How many braces were opened and not closed from token `start` to here.
    fn open_braces(&self, start: usize) -> usize {
        self.tokens[start..self.at]
            .iter()
            .fold(0usize, |open, token| match token.kind {
                Tok::LBrace => open + 1,
                Tok::RBrace => open.saturating_sub(1),
                _ => open,
            })
    }

    /// Tries `f`; if it fails, nothing was read or reported.
    fn attempt<T>(&mut self, f: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        let (at, n_diagnostics, depth) = (self.at, self.diagnostics.len(), self.depth);
        self.quiet += 1;
        let result = f(self);
        self.quiet -= 1;
        match result {
            Ok(value) => Some(value),
            Err(Reported) => {
                self.at = at;
                self.depth = depth;
                self.diagnostics.truncate(n_diagnostics);
                None
            }
        }
    }
}

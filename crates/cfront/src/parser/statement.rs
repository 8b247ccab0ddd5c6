//! Statements and blocks.

use super::declaration::Declared;
use super::specifiers::Place;
use super::{NameKind, Parse, Parser, Reported};
use crate::ast::{
    AsmOperand, AsmStmt, Block, Expr, ExprKind, ForInit, Label, LiteralEncoding, Stmt, StmtKind,
};
use crate::lexer::{Tok, Token};
use idiolect_base::{Diagnostic, Span};

impl Parser<'_> {
    /// `{ … }` with a scope of its own.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.scopes.enter();
        let block = self.block_in_open_scope();
        self.scopes.leave();
        block
    }

    /// `{ … }` in a scope that the caller opened, for a function's parameters.
    pub(super) fn block_in_open_scope(&mut self) -> Parse<Block> {
        let start = self.at;
        let open = self.expect(Tok::LBrace, "`{`")?;
        let mut statements = Vec::new();
        loop {
            match self.peek() {
                Tok::RBrace => {
                    self.bump();
                    break;
                }
                Tok::Eof => {
                    self.unclosed(open, Tok::RBrace);
                    break;
                }
                _ => {
                    let first = self.at;
                    let chained = self.chained;
                    match self.block_item() {
                        Ok(Some(statement)) => statements.push(statement),
                        Ok(None) => {}
                        Err(reported) if self.quiet > 0 => return Err(reported),
                        Err(Reported) => {
                            self.skip_statement(first);
                            if self.at == first {
                                self.bump();
                            }
                            statements.push(Stmt {
                                kind: StmtKind::Error,
                                span: self.span_from(first),
                            });
                        }
                    }
                    if self.expression_blocks == 0 {
                        self.chained = chained;
                    }
                    if self.gave_up() {
                        break;
                    }
                }
            }
        }
        Ok(Block {
            statements,
            span: self.span_from(start),
        })
    }

    /// A statement or declaration, or nothing of interest.
    fn block_item(&mut self) -> Parse<Option<Stmt>> {
        let start = self.at;
        if self.peek() == Tok::LocalLabel {
            self.bump();
            loop {
                self.identifier("the name of a label")?;
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_semicolon()?;
            return Ok(None);
        }
        if !self.starts_declaration() {
            return self.statement().map(Some);
        }
        let kind = match self.nested(|p| p.declaration(Place::Block))? {
            Declared::Declaration(declaration) => StmtKind::Declaration(declaration),
            Declared::Function(function) => {
                if self.suspicious_function.is_none() && self.starts_line(start) {
                    self.suspicious_function = Some(function.span);
                }
                StmtKind::NestedFunction(Box::new(function))
            }
        };
        Ok(Some(Stmt {
            kind,
            span: self.span_from(start),
        }))
    }

    /// Whether a declaration, and no statement, starts here.
    fn starts_declaration(&self) -> bool {
        let mut at = self.past_attributes(self.at);
        let attributed = at > self.at;
        while self.tokens[at.min(self.tokens.len() - 1)].kind == Tok::Extension {
            at += 1;
        }
        let Some(&token) = self.tokens.get(at) else {
            return false;
        };
        let kind = |n: usize| self.tokens.get(at + n).map_or(Tok::Eof, |t| t.kind);
        match token.kind {
            Tok::StaticAssert => true,
            Tok::Ident if kind(1) == Tok::Colon && at == self.at => false,
            Tok::Ident if self.starts_specifiers_at(at) => true,
            Tok::Ident if self.kind_of(token) == NameKind::Undeclared => {
                (token.symbol == self.contextual.static_assert && kind(1) == Tok::LParen)
                    || self.looks_like_unknown_type(at)
            }
            Tok::Semi => false,
            kind => kind.is_specifier() && (!attributed || kind != Tok::Semi),
        }
    }

    /// The token is at the very start of its line.
    fn starts_line(&self, at: usize) -> bool {
        let start = self.tokens[at].start as usize;
        self.text.as_bytes()[..start].last() == Some(&b'\n')
    }

    /// At an undeclared name: `foo x` or `foo *x`, with what may follow in a declaration.
    fn looks_like_unknown_type(&self, at: usize) -> bool {
        let kind = |n: usize| self.tokens.get(at + n).map_or(Tok::Eof, |t| t.kind);
        let mut n = 1;
        while kind(n) == Tok::Star {
            n += 1;
        }
        let ends = matches!(
            kind(n + 1),
            Tok::Semi | Tok::Assign | Tok::Comma | Tok::LBracket
        );
        kind(n) == Tok::Ident && ends
    }

    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        self.nested(Self::statement_here)
    }

    /// A statement where a declaration is not allowed.
    fn substatement(&mut self) -> Parse<Stmt> {
        if self.starts_declaration() {
            let span = self.span(self.token());
            self.report(
                Diagnostic::error("c::syntax", span, "a declaration cannot stand here")
                    .with_help("put it into braces: `{ … }`"),
            );
            if let Some(statement) = self.block_item()? {
                return Ok(statement);
            }
        }
        self.statement()
    }

    fn statement_here(&mut self) -> Parse<Stmt> {
        let start = self.at;
        if self.past_attributes(self.at) > self.at {
            self.skip_attributes()?;
        }
        let kind = match self.peek() {
            Tok::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Tok::LBrace => StmtKind::Block(self.block()?),
            Tok::Case | Tok::Default => self.labeled()?,
            Tok::Ident if self.peek_at(1) == Tok::Colon => self.labeled()?,
            Tok::If => return self.if_chain(),
            Tok::Switch => {
                self.bump();
                let value = self.condition("switch")?;
                StmtKind::Switch {
                    value,
                    body: Box::new(self.substatement()?),
                }
            }
            Tok::While => {
                self.bump();
                let condition = self.condition("while")?;
                StmtKind::While {
                    condition,
                    body: Box::new(self.substatement()?),
                }
            }
            Tok::Do => {
                self.bump();
                let body = Box::new(self.substatement()?);
                self.expect(Tok::While, "`while` of this `do`")?;
                let condition = self.condition("while")?;
                self.expect_semicolon()?;
                StmtKind::DoWhile { body, condition }
            }
            Tok::For => {
                self.scopes.enter();
                let kind = self.for_loop();
                self.scopes.leave();
                kind?
            }
            Tok::Goto => {
                self.bump();
                let kind = if self.eat(Tok::Star) {
                    StmtKind::GotoComputed(self.expression()?)
                } else {
                    StmtKind::Goto(self.identifier("a label")?)
                };
                self.expect_semicolon()?;
                kind
            }
            Tok::Continue => {
                self.bump();
                self.expect_semicolon()?;
                StmtKind::Continue
            }
            Tok::Break => {
                self.bump();
                self.expect_semicolon()?;
                StmtKind::Break
            }
            Tok::Return => {
                self.bump();
                let value = if matches!(self.peek(), Tok::Semi | Tok::RBrace) {
                    None
                } else {
                    Some(self.expression()?)
                };
                self.expect_semicolon()?;
                StmtKind::Return(value)
            }
            Tok::Asm => {
                let asm = self.asm_parts()?;
                self.expect_semicolon()?;
                StmtKind::Asm(asm)
            }
            Tok::Else => {
                let span = self.span(self.token());
                // After a broken `if` this is no news.
                if self.n_errors == 0 {
                    self.report(
                        Diagnostic::error("c::syntax", span, "`else` without an `if`")
                            .with_help("two statements before an `else` need braces"),
                    );
                }
                self.bump();
                return self.statement();
            }
            _ => {
                let expr = self.expression()?;
                self.expect_semicolon()?;
                StmtKind::Expr(expr)
            }
        };
        Ok(Stmt {
            kind,
            span: self.span_from(start),
        })
    }

    /// `(condition)` behind a keyword.
    fn condition(&mut self, keyword: &str) -> Parse<Expr> {
        let open = self.expect(Tok::LParen, &format!("`(` after `{keyword}`"))?;
        let condition = self.nested(Self::expression)?;
        self.expect_close(open, Tok::RParen)?;
        Ok(condition)
    }

    /// `if … else if … else …`: in a loop, since generated programs have thousands in a row.
    fn if_chain(&mut self) -> Parse<Stmt> {
        let mut arms: Vec<(usize, Expr, Stmt)> = Vec::new();
        let mut otherwise = loop {
            self.link(arms.len() as u32)?;
            let start = self.at;
            self.bump();
            let condition = self.condition("if")?;
            let then = self.substatement()?;
            arms.push((start, condition, then));
            if self.peek() != Tok::Else {
                break None;
            }
            self.bump();
            if self.peek() != Tok::If {
                break Some(self.substatement()?);
            }
        };
        while let Some((start, condition, then)) = arms.pop() {
            otherwise = Some(Stmt {
                kind: StmtKind::If {
                    condition,
                    then: Box::new(then),
                    otherwise: otherwise.map(Box::new),
                },
                span: self.span_from(start),
            });
        }
        otherwise.ok_or(Reported)
    }

    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Tok::LParen, "`(` after `for`")?;
        let init = if self.eat(Tok::Semi) {
            None
        } else if self.starts_declaration() {
            match self.nested(|p| p.declaration(Place::Block))? {
                Declared::Declaration(declaration) => {
                    Some(Box::new(ForInit::Declaration(declaration)))
                }
                Declared::Function(function) => {
                    let span = function.declarator.span;
                    let message = "a function cannot be defined in `for (…)`";
                    return Err(self.error("c::syntax", span, message));
                }
            }
        } else {
            let init = self.nested(Self::expression)?;
            self.expect(Tok::Semi, "`;` after the first part of `for`")?;
            Some(Box::new(ForInit::Expr(init)))
        };
        let condition = if self.peek() == Tok::Semi {
            None
        } else {
            Some(self.nested(Self::expression)?)
        };
        self.expect(Tok::Semi, "`;` after the condition of `for`")?;
        let step = if self.peek() == Tok::RParen {
            None
        } else {
            Some(self.nested(Self::expression)?)
        };
        self.expect_close(open, Tok::RParen)?;
        Ok(StmtKind::For {
            init,
            condition,
            step,
            body: Box::new(self.substatement()?),
        })
    }

    /// All labels in a row and their statement.
    fn labeled(&mut self) -> Parse<StmtKind> {
        let mut labels = Vec::new();
        loop {
            let start = self.at;
            match self.peek() {
                Tok::Case => {
                    self.bump();
                    let low = self.nested(Self::conditional)?;
                    let high = if self.eat(Tok::Ellipsis) {
                        Some(self.nested(Self::conditional)?)
                    } else {
                        None
                    };
                    self.expect(Tok::Colon, "`:` after the value of `case`")?;
                    let span = self.span_from(start);
                    labels.push(Label::Case { low, high, span });
                }
                Tok::Default => {
                    self.bump();
                    self.expect(Tok::Colon, "`:` after `default`")?;
                    labels.push(Label::Default(self.span_from(start)));
                }
                Tok::Ident if self.peek_at(1) == Tok::Colon => {
                    let name = self.bump();
                    self.bump();
                    labels.push(Label::Named(self.ident(name)));
                    // `L: __attribute__((unused));`, but `L: __attribute__((unused)) int x;`
                    // declares `x` (C23).
                    if self.peek() == Tok::Attribute && !self.starts_declaration() {
                        self.skip_attributes()?;
                    }
                }
                _ => break,
            }
        }
        let at_end = self.peek() == Tok::RBrace || self.starts_declaration();
        let body = if at_end {
            let end = self.token().start as usize;
            Stmt {
                kind: StmtKind::Empty,
                span: Span::new(self.source, end, end),
            }
        } else {
            self.statement()?
        };
        Ok(StmtKind::Labeled {
            labels,
            body: Box::new(body),
        })
    }

    /// `asm volatile goto ("template" : outputs : inputs : clobbers : labels)`.
    pub(super) fn asm_parts(&mut self) -> Parse<AsmStmt> {
        self.bump();
        while matches!(
            self.peek(),
            Tok::Volatile | Tok::Goto | Tok::Inline | Tok::Const
        ) {
            self.bump();
        }
        let open = self.expect(Tok::LParen, "`(` after `asm`")?;
        let template = self.asm_template()?;
        let mut asm = AsmStmt {
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
        };
        let mut section = 0;
        while self.peek() == Tok::Colon {
            self.bump();
            match section {
                0 => self.asm_operands(open, &mut asm.outputs)?,
                1 => self.asm_operands(open, &mut asm.inputs)?,
                // Clobbered registers and labels.
                _ => {
                    while matches!(self.peek(), Tok::String | Tok::Ident | Tok::Comma) {
                        self.bump();
                    }
                }
            }
            section += 1;
        }
        self.expect_close(open, Tok::RParen)?;
        Ok(asm)
    }

    fn asm_template(&mut self) -> Parse<String> {
        if self.peek() != Tok::String {
            return Err(self.expected("the instructions as a string literal"));
        }
        Ok(self.asm_text())
    }

    /// The text of the string literals that come next.
    fn asm_text(&mut self) -> String {
        let literal = self.string_literal();
        match literal.kind {
            ExprKind::String {
                units,
                encoding: LiteralEncoding::Char,
            } => {
                let bytes: Vec<u8> = units.into_iter().map(|unit| unit as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => String::new(),
        }
    }

    /// `[name] "constraint" (expression), …`, perhaps none.
    fn asm_operands(&mut self, open: Token, into: &mut Vec<AsmOperand>) -> Parse<()> {
        if !matches!(self.peek(), Tok::String | Tok::LBracket) {
            return Ok(());
        }
        loop {
            let mut name = None;
            if self.eat(Tok::LBracket) {
                name = Some(self.identifier("the name of an operand")?);
                self.expect(Tok::RBracket, "`]`")?;
            }
            if self.peek() != Tok::String {
                return Err(self.expected("a constraint as a string literal"));
            }
            let constraint = self.asm_text();
            let paren = self.expect(Tok::LParen, "`(` of the operand")?;
            let expr = self.nested(Self::expression)?;
            into.push(AsmOperand {
                name,
                constraint,
                expr,
            });
            self.expect_close(paren, Tok::RParen)?;
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.peek() == Tok::Eof {
            return Err(self.unclosed(open, Tok::RParen));
        }
        Ok(())
    }
}

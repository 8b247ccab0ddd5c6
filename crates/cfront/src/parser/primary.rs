//! Names, literals, parentheses, and builtins whose arguments are not all expressions.

use super::{Parse, Parser};
use crate::ast::{
    Declarator, Derivation, Expr, ExprKind, IntSuffix, LiteralEncoding, Qualifiers, Specifiers,
    TypeName, TypeSpecifier,
};
use crate::lexer::{Tok, Token, literal};
use idiolect_base::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        let start = self.at;
        let token = self.token();
        let kind = match token.kind {
            Tok::Ident if self.is_typedef(token) => {
                let message = format!(
                    "expected an expression, found the type `{}`",
                    self.slice(token)
                );
                let span = self.span(token);
                return Err(self.error("c::syntax", span, message));
            }
            Tok::Ident => {
                self.bump();
                self.name(token)
            }
            Tok::Number => {
                self.bump();
                self.number(token)
            }
            Tok::Char => {
                self.bump();
                self.character(token)
            }
            Tok::String => return Ok(self.string_literal()),
            Tok::LParen => return self.parenthesized(),
            Tok::AndAnd if self.peek_at(1) == Tok::Ident => {
                self.bump();
                ExprKind::LabelAddress(self.identifier("a label")?)
            }
            Tok::Generic => self.nested(Self::generic)?,
            Tok::VaArg | Tok::Offsetof | Tok::TypesCompatible | Tok::ChooseExpr => {
                self.nested(Self::builtin)?
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr {
            kind,
            span: self.span_from(start),
        })
    }

    fn name(&mut self, token: Token) -> ExprKind {
        let names = &self.contextual;
        if token.symbol == names.true_ && self.is_undeclared(token) {
            integer(1)
        } else if token.symbol == names.false_ && self.is_undeclared(token) {
            integer(0)
        } else if token.symbol == names.nullptr && self.is_undeclared(token) {
            let span = self.span(token);
            null_pointer(span)
        } else {
            ExprKind::Ident(token.symbol)
        }
    }

    fn number(&mut self, token: Token) -> ExprKind {
        let (kind, problem) = literal::number(&self.spelling(token));
        self.literal_problem(token, problem);
        kind
    }

    fn character(&mut self, token: Token) -> ExprKind {
        let (value, encoding, problem) = literal::character(&self.spelling(token));
        self.literal_problem(token, problem);
        ExprKind::Char { value, encoding }
    }

    /// One or more string literals in a row.
    pub(super) fn string_literal(&mut self) -> Expr {
        let start = self.at;
        let mut encoding = LiteralEncoding::Char;
        while self.peek() == Tok::String {
            let token = self.bump();
            // Literals without a prefix take that of the others.
            let own = literal::string_encoding(self.slice(token));
            if own == LiteralEncoding::Char || own == encoding {
                continue;
            }
            if encoding != LiteralEncoding::Char {
                let span = self.span(token);
                let message = "strings of different character types in a row";
                self.error("c::mixed-strings", span, message);
            }
            encoding = own;
        }
        let mut units = Vec::new();
        for at in start..self.at {
            let token = self.tokens[at];
            let problem = literal::string(&self.spelling(token), encoding, &mut units);
            self.literal_problem(token, problem);
        }
        Expr {
            kind: ExprKind::String { units, encoding },
            span: self.span_from(start),
        }
    }

    fn literal_problem(&mut self, token: Token, problem: Option<literal::Problem>) {
        if let Some(problem) = problem {
            let span = self.span(token);
            self.report(if problem.is_warning {
                Diagnostic::warning(problem.code, span, problem.message)
            } else {
                Diagnostic::error(problem.code, span, problem.message)
            });
        }
    }

    /// `(expression)` or `({ … })`; types in parentheses were read by the caller.
    fn parenthesized(&mut self) -> Parse<Expr> {
        let start = self.at;
        let open = self.bump();
        if self.peek() == Tok::LBrace {
            self.expression_blocks += 1;
            let block = self.nested(Self::block);
            self.expression_blocks -= 1;
            let block = block?;
            self.expect_close(open, Tok::RParen)?;
            return Ok(Expr {
                kind: ExprKind::Block(block),
                span: self.span_from(start),
            });
        }
        if let Some(expr) = self.unknown_cast(start)? {
            return Ok(expr);
        }
        let mut inner = self.nested(Self::expression)?;
        self.expect_close(open, Tok::RParen)?;
        inner.span = self.span_from(start);
        Ok(inner)
    }

    /// `(foo) x` and `(foo *) x` with an undeclared `foo`: a cast to a type nobody declared.
    fn unknown_cast(&mut self, start: usize) -> Parse<Option<Expr>> {
        let name = self.token();
        if !self.is_undeclared(name) {
            return Ok(None);
        }
        let mut n = 1;
        while self.peek_at(n) == Tok::Star {
            n += 1;
        }
        let casts = self.peek_at(n) == Tok::RParen
            && (n > 1 || matches!(self.peek_at(n + 1), Tok::Ident | Tok::Number | Tok::String));
        if !casts {
            return Ok(None);
        }
        self.unknown_type(name);
        for _ in 0..=n {
            self.bump();
        }
        // The operand is read for what it may say; the whole is an error.
        self.nested(Self::conditional)?;
        Ok(Some(Expr {
            kind: ExprKind::Error,
            span: self.span_from(start),
        }))
    }

    fn generic(&mut self) -> Parse<ExprKind> {
        self.bump();
        let open = self.expect(Tok::LParen, "`(` after `_Generic`")?;
        let control = Box::new(self.assignment()?);
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) {
                None
            } else {
                Some(self.type_name()?)
            };
            self.expect(Tok::Colon, "`:`")?;
            arms.push((ty, self.assignment()?));
        }
        self.expect_close(open, Tok::RParen)?;
        Ok(ExprKind::Generic { control, arms })
    }

    fn builtin(&mut self) -> Parse<ExprKind> {
        let token = self.bump();
        let open = self.expect(Tok::LParen, "`(`")?;
        let kind = match token.kind {
            Tok::VaArg => {
                let list = Box::new(self.assignment()?);
                self.expect(Tok::Comma, "`,` and a type")?;
                ExprKind::VaArg(list, Box::new(self.type_name()?))
            }
            Tok::Offsetof => {
                let ty = Box::new(self.type_name()?);
                self.expect(Tok::Comma, "`,` and a field")?;
                let field = self.identifier("the name of a field")?;
                let mut path = vec![crate::ast::Designator::Field(field)];
                self.designators(&mut path)?;
                ExprKind::Offsetof(ty, path)
            }
            Tok::TypesCompatible => {
                let first = Box::new(self.type_name()?);
                self.expect(Tok::Comma, "`,` and a type")?;
                ExprKind::TypesCompatible(first, Box::new(self.type_name()?))
            }
            _ => {
                let condition = Box::new(self.assignment()?);
                self.expect(Tok::Comma, "`,`")?;
                let then = Box::new(self.assignment()?);
                self.expect(Tok::Comma, "`,`")?;
                ExprKind::Choose(condition, then, Box::new(self.assignment()?))
            }
        };
        self.expect_close(open, Tok::RParen)?;
        Ok(kind)
    }
}

fn integer(value: u128) -> ExprKind {
    ExprKind::Int {
        value,
        suffix: IntSuffix::default(),
        decimal: true,
    }
}

/// `(void *)0`, as what C23 calls `nullptr`.
fn null_pointer(span: Span) -> ExprKind {
    let ty = TypeName {
        specifiers: Specifiers {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            ty: TypeSpecifier::Void,
            qualifiers: Qualifiers::default(),
            alignas: Vec::new(),
            attributes: Vec::new(),
            span,
        },
        declarator: Declarator {
            name: None,
            derivations: vec![Derivation::Pointer(Qualifiers::default())],
            attributes: Vec::new(),
            span,
        },
        span,
    };
    let zero = Expr {
        kind: integer(0),
        span,
    };
    ExprKind::Cast(Box::new(ty), Box::new(zero))
}

//! `__attribute__((…))`, `[[…]]` and `asm("…")` behind declarators.

use super::{Parse, Parser, Reported};
use crate::ast::{Attribute, Ident};
use crate::lexer::Tok;
use idiolect_base::Span;

impl Parser<'_> {
    /// Reads all attributes that stand here.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            match self.peek() {
                Tok::Attribute => {
                    self.bump();
                    let outer = self.expect(Tok::LParen, "`((` after `__attribute__`")?;
                    let inner = self.expect(Tok::LParen, "`((` after `__attribute__`")?;
                    self.attribute_list(Tok::RParen, into)?;
                    self.expect_close(inner, Tok::RParen)?;
                    self.expect_close(outer, Tok::RParen)?;
                }
                Tok::LBracket if self.peek_at(1) == Tok::LBracket => {
                    let outer = self.bump();
                    let inner = self.bump();
                    self.attribute_list(Tok::RBracket, into)?;
                    self.expect_close(inner, Tok::RBracket)?;
                    self.expect_close(outer, Tok::RBracket)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Attributes and assembler names behind a declarator, in any order. The name, which is how the linker calls the
    /// thing, is kept as an attribute `asm`.
    pub(super) fn declarator_suffixes(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            self.attributes(into)?;
            if self.peek() != Tok::Asm {
                return Ok(());
            }
            let word = self.bump();
            let open = self.expect(Tok::LParen, "`(` after `asm`")?;
            if self.peek() != Tok::String {
                return Err(self.expected("the name as a string literal"));
            }
            let label = self.nested(Self::assignment)?;
            self.expect_close(open, Tok::RParen)?;
            let name = Ident {
                symbol: self.symbols.intern("asm"),
                span: self.span(word),
            };
            into.push(Attribute {
                name,
                arguments: vec![label],
            });
        }
    }

    fn attribute_list(&mut self, close: Tok, into: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            while self.eat(Tok::Comma) {}
            let token = self.token();
            if token.kind != Tok::Ident && !token.kind.is_keyword() {
                return if token.kind == close {
                    Ok(())
                } else {
                    Err(self.expected("the name of an attribute"))
                };
            }
            self.bump();
            let mut name = token;
            // `[[gnu::packed]]`: the part behind `::` says it all.
            if self.peek() == Tok::Colon && self.peek_at(1) == Tok::Colon {
                self.bump();
                self.bump();
                name = self.bump();
            }
            let span = self.span(name);
            let spelling = self.slice(name);
            let plain = spelling
                .strip_prefix("__")
                .and_then(|s| s.strip_suffix("__"))
                .unwrap_or(spelling)
                .to_owned();
            let arguments = if self.peek() == Tok::LParen {
                self.attribute_arguments()?
            } else {
                Vec::new()
            };
            into.push(Attribute {
                name: Ident {
                    symbol: self.symbols.intern(&plain),
                    span,
                },
                arguments,
            });
            if self.peek() != Tok::Comma {
                return Ok(());
            }
        }
    }

    /// `(…)` behind the name of an attribute. Arguments are expressions for most attributes; where
    /// they are not (types, strange lists), they are skipped.
    fn attribute_arguments(&mut self) -> Parse<Vec<crate::ast::Expr>> {
        let open = self.bump();
        let parsed = self.attempt(|p| {
            let mut arguments = Vec::new();
            if p.peek() != Tok::RParen {
                loop {
                    arguments.push(p.nested(Self::assignment)?);
                    if !p.eat(Tok::Comma) {
                        break;
                    }
                }
            }
            if p.eat(Tok::RParen) {
                Ok(arguments)
            } else {
                Err(Reported)
            }
        });
        if let Some(arguments) = parsed {
            return Ok(arguments);
        }
        if self.skip_to_close(Tok::RParen) {
            self.bump();
            return Ok(Vec::new());
        }
        Err(self.unclosed(open, Tok::RParen))
    }

    /// The number of the first token from `at` on that is not part of an attribute.
    pub(super) fn past_attributes(&self, mut at: usize) -> usize {
        let kind = |at: usize| self.tokens.get(at).map_or(Tok::Eof, |t| t.kind);
        loop {
            match kind(at) {
                Tok::Attribute => at += 1,
                Tok::LBracket if kind(at + 1) == Tok::LBracket => {}
                _ => return at,
            }
            let mut depth = 0usize;
            loop {
                match kind(at) {
                    Tok::LParen | Tok::LBracket => depth += 1,
                    Tok::RParen | Tok::RBracket => depth = depth.saturating_sub(1),
                    Tok::Eof => return at,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// Skips attributes that nothing in the tree keeps.
    pub(super) fn skip_attributes(&mut self) -> Parse<Span> {
        let start = self.at;
        self.attributes(&mut Vec::new())?;
        Ok(self.span_from(start))
    }
}

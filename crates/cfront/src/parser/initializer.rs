//! Initializers and their designators.

use super::{Parse, Parser, Reported};
use crate::ast::{Designator, Initializer, InitializerItem, InitializerList};
use crate::lexer::Tok;

impl Parser<'_> {
    /// Behind `=`.
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.peek() == Tok::LBrace {
            Ok(Initializer::List(self.nested(Self::initializer_list)?))
        } else {
            Ok(Initializer::Expr(self.assignment()?))
        }
    }

    /// At `{`.
    pub(super) fn initializer_list(&mut self) -> Parse<InitializerList> {
        let start = self.at;
        let open = self.bump();
        let mut items = Vec::new();
        let chained = self.chained;
        while self.peek() != Tok::RBrace {
            if self.expression_blocks == 0 {
                self.chained = chained;
            }
            match self.initializer_item() {
                Ok(item) => items.push(item),
                Err(Reported) => {
                    // The rest of the list is skipped, what is behind it is read.
                    if self.quiet > 0 || !self.skip_to_close(Tok::RBrace) {
                        return Err(Reported);
                    }
                    break;
                }
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.peek() != Tok::RBrace {
            let reported = self.unclosed(open, Tok::RBrace);
            if self.quiet > 0 || !self.skip_to_close(Tok::RBrace) {
                return Err(reported);
            }
        }
        self.bump();
        Ok(InitializerList {
            items,
            span: self.span_from(start),
        })
    }

    fn initializer_item(&mut self) -> Parse<InitializerItem> {
        let mut designators = Vec::new();
        if self.peek() == Tok::Ident && self.peek_at(1) == Tok::Colon {
            designators.push(Designator::Field(self.identifier("a field")?));
            self.bump();
        } else if self.peek() == Tok::Dot || self.peek() == Tok::LBracket {
            self.designators(&mut designators)?;
            // GNU allows `[3] value`.
            if !self.eat(Tok::Assign) && !matches!(designators[..], [Designator::Index(_)]) {
                return Err(self.expected("`=` after the designator"));
            }
        }
        Ok(InitializerItem {
            designators,
            value: self.initializer()?,
        })
    }

    /// `.field`, `[index]` and `[first ... last]` in a row.
    pub(super) fn designators(&mut self, into: &mut Vec<Designator>) -> Parse<()> {
        loop {
            match self.peek() {
                Tok::Dot => {
                    self.bump();
                    into.push(Designator::Field(self.identifier("the name of a field")?));
                }
                Tok::LBracket => {
                    let open = self.bump();
                    let first = self.nested(Self::expression)?;
                    let designator = if self.eat(Tok::Ellipsis) {
                        Designator::Range(first, self.nested(Self::expression)?)
                    } else {
                        Designator::Index(first)
                    };
                    self.expect_close(open, Tok::RBracket)?;
                    into.push(designator);
                }
                _ => return Ok(()),
            }
        }
    }
}

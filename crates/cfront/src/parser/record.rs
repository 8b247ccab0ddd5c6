//! `struct`, `union` and `enum`.

use super::specifiers::{Place, is_definition};
use super::{NameKind, Parse, Parser};
use crate::ast::{
    Declarator, EnumSpecifier, Enumerator, FieldDeclaration, FieldDeclarator, RecordKind,
    RecordSpecifier,
};
use crate::lexer::{Tok, Token};
use idiolect_base::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parse<RecordSpecifier> {
        let start = self.at;
        let kind = match self.bump().kind {
            Tok::Struct => RecordKind::Struct,
            _ => RecordKind::Union,
        };
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let fields = if self.peek() == Tok::LBrace {
            let open = self.bump();
            let fields = self.fields(open)?;
            self.attributes(&mut attributes)?;
            Some(fields)
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        } else {
            None
        };
        Ok(RecordSpecifier {
            kind,
            tag,
            fields,
            attributes,
            span: self.span_from(start),
        })
    }

    fn tag(&mut self) -> Option<crate::ast::Ident> {
        (self.peek() == Tok::Ident).then(|| {
            let token = self.bump();
            self.ident(token)
        })
    }

    fn fields(&mut self, open: Token) -> Parse<Vec<FieldDeclaration>> {
        let mut fields = Vec::new();
        loop {
            match self.peek() {
                Tok::RBrace => {
                    self.bump();
                    return Ok(fields);
                }
                Tok::Semi => {
                    self.bump();
                }
                Tok::Eof => return Err(self.unclosed(open, Tok::RBrace)),
                _ => {
                    let start = self.at;
                    match self.field_declaration() {
                        Ok(field) => fields.push(field),
                        Err(reported) if self.quiet > 0 => return Err(reported),
                        Err(_) => {
                            self.skip_statement(start);
                            if self.at == start {
                                self.bump();
                            }
                        }
                    }
                    if self.gave_up() {
                        return Ok(fields);
                    }
                }
            }
        }
    }

    fn field_declaration(&mut self) -> Parse<FieldDeclaration> {
        let start = self.at;
        while self.eat(Tok::Extension) {}
        if self.at_static_assert() {
            let (specifiers, static_assert) = self.static_assert()?;
            return Ok(FieldDeclaration {
                specifiers,
                declarators: Vec::new(),
                static_assert: Some(static_assert),
                span: self.span_from(start),
            });
        }
        let first = self.at;
        let specifiers = self.specifiers(Place::Field)?;
        if self.at == first {
            return Err(self.expected("a field's type"));
        }
        if specifiers.storage.is_some() || specifiers.thread_local {
            let message = "a field cannot be `typedef`, `static`, `extern`, `auto` or `register`";
            self.error("c::storage", specifiers.span, message);
        }
        let mut declarators = Vec::new();
        let ends = matches!(self.peek(), Tok::Semi | Tok::RBrace)
            || (self.peek().is_type_word() && is_definition(&specifiers.ty));
        if !ends {
            loop {
                declarators.push(self.field_declarator()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        if self.peek() == Tok::RBrace {
            // GCC lets the last `;` be forgotten.
            let end = self.tokens[self.at.saturating_sub(1)].end as usize;
            let span = Span::new(self.source, end, end);
            self.report(
                Diagnostic::warning("c::expected-semicolon", span, "no `;` after the last field")
                    .with_help("put a `;` behind this"),
            );
        } else {
            self.expect_semicolon()?;
        }
        Ok(FieldDeclaration {
            specifiers,
            declarators,
            static_assert: None,
            span: self.span_from(start),
        })
    }

    fn field_declarator(&mut self) -> Parse<FieldDeclarator> {
        let start = self.at;
        let mut declarator = if self.peek() == Tok::Colon {
            Declarator {
                name: None,
                derivations: Vec::new(),
                attributes: Vec::new(),
                span: self.span_from(start),
            }
        } else {
            self.declarator()?
        };
        let width = if self.eat(Tok::Colon) {
            Some(self.conditional()?)
        } else {
            None
        };
        self.attributes(&mut declarator.attributes)?;
        Ok(FieldDeclarator { declarator, width })
    }

    pub(super) fn enumeration(&mut self) -> Parse<EnumSpecifier> {
        let start = self.at;
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        // `enum e : 3;` in a record is an unnamed bit-field instead.
        let underlying = if self.peek() == Tok::Colon && self.starts_type_at(self.at + 1) {
            self.bump();
            Some(Box::new(self.type_name()?))
        } else {
            None
        };
        let enumerators = if self.peek() == Tok::LBrace {
            let open = self.bump();
            let enumerators = self.enumerators(open)?;
            self.attributes(&mut attributes)?;
            Some(enumerators)
        } else if tag.is_none() {
            return Err(self.expected("a tag or `{`"));
        } else {
            None
        };
        Ok(EnumSpecifier {
            tag,
            enumerators,
            underlying,
            attributes,
            span: self.span_from(start),
        })
    }

    fn enumerators(&mut self, open: Token) -> Parse<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        if self.peek() == Tok::RBrace {
            let span = self.span(self.token());
            self.report(Diagnostic::error(
                "c::empty-enum",
                span,
                "an enumeration has at least one name",
            ));
        }
        while self.peek() != Tok::RBrace {
            let name = self.identifier("the name of an enumerator")?;
            self.skip_attributes()?;
            let value = if self.eat(Tok::Assign) {
                Some(self.conditional()?)
            } else {
                None
            };
            self.scopes.declare(name.symbol, NameKind::Other);
            enumerators.push(Enumerator { name, value });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(open, Tok::RBrace)?;
        Ok(enumerators)
    }
}

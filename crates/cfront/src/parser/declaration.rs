//! Declarations at file and block level, and function definitions.

use super::specifiers::Place;
use super::{NameKind, Parse, Parser, Reported};
use crate::ast::{
    Declaration, Declarator, Derivation, FunctionDefinition, InitDeclarator, Item, Parameters,
    Qualifiers, Specifiers, StaticAssert, Storage, TranslationUnit, TypeSpecifier,
};
use crate::lexer::Tok;
use idiolect_base::Diagnostic;

/// A declaration turned out to be a function's definition, or not.
pub(super) enum Declared {
    Function(FunctionDefinition),
    Declaration(Declaration),
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) -> TranslationUnit {
        let mut items = Vec::new();
        while self.peek() != Tok::Eof && !self.gave_up() {
            let start = self.at;
            self.chained = 0;
            match self.item() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => {}
                Err(Reported) => {
                    self.skip_item(start);
                    if self.at == start {
                        self.bump();
                    }
                }
            }
        }
        TranslationUnit { items }
    }

    fn item(&mut self) -> Parse<Option<Item>> {
        let start = self.at;
        match self.peek() {
            Tok::Semi => {
                self.bump();
                return Ok(None);
            }
            Tok::RBrace => {
                let token = self.bump();
                let span = self.span(token);
                self.report(
                    Diagnostic::error("c::syntax", span, "`}` without a `{`")
                        .with_help("remove it, or look for a `}` too many before it"),
                );
                return Ok(None);
            }
            Tok::Asm => {
                self.asm_parts()?;
                self.expect_semicolon()?;
                return Ok(Some(Item::Asm(self.span_from(start))));
            }
            _ => {}
        }
        Ok(Some(match self.declaration(Place::File)? {
            Declared::Function(function) => Item::Function(function),
            Declared::Declaration(declaration) => Item::Declaration(declaration),
        }))
    }

    pub(super) fn at_static_assert(&self) -> bool {
        self.peek() == Tok::StaticAssert
            || (self.is_contextual(self.token(), self.contextual.static_assert)
                && self.peek_at(1) == Tok::LParen)
    }

    /// `_Static_assert(condition, message);`, and specifiers that say nothing to go with it.
    pub(super) fn static_assert(&mut self) -> Parse<(Specifiers, Box<StaticAssert>)> {
        let start = self.at;
        self.bump();
        let open = self.expect(Tok::LParen, "`(`")?;
        let condition = self.nested(Self::conditional)?;
        let message = if self.eat(Tok::Comma) {
            Some(self.conditional()?)
        } else {
            None
        };
        self.expect_close(open, Tok::RParen)?;
        self.expect_semicolon()?;
        let specifiers = Specifiers {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            ty: TypeSpecifier::ImplicitInt,
            qualifiers: Qualifiers::default(),
            alignas: Vec::new(),
            attributes: Vec::new(),
            span: self.span_from(start),
        };
        Ok((specifiers, Box::new(StaticAssert { condition, message })))
    }

    /// A declaration with its `;`, or a function with its body.
    pub(super) fn declaration(&mut self, place: Place) -> Parse<Declared> {
        let start = self.at;
        while self.eat(Tok::Extension) {}
        if self.at_static_assert() {
            let (specifiers, static_assert) = self.static_assert()?;
            return Ok(Declared::Declaration(Declaration {
                specifiers,
                declarators: Vec::new(),
                static_assert: Some(static_assert),
                span: self.span_from(start),
            }));
        }
        let specifiers = self.specifiers(place)?;
        let mut declarators = Vec::new();
        if self.peek() == Tok::Semi {
            self.bump();
        } else {
            if !matches!(
                self.peek(),
                Tok::Ident | Tok::Star | Tok::LParen | Tok::Attribute
            ) {
                let what = if self.at > start {
                    "a name or `;` after the type"
                } else {
                    "a declaration"
                };
                return Err(self.expected(what));
            }
            loop {
                let first = self.at;
                let mut declarator = self.declarator()?;
                self.declarator_suffixes(&mut declarator.attributes)?;
                if declarators.is_empty() && self.at_function_body(&declarator) {
                    return self
                        .function(start, specifiers, declarator)
                        .map(Declared::Function);
                }
                if self.at == first + 1
                    && declarators.is_empty()
                    && matches!(specifiers.ty, TypeSpecifier::ImplicitInt)
                    && specifiers.storage.is_none()
                    && !matches!(
                        self.peek(),
                        Tok::Semi | Tok::Assign | Tok::Comma | Tok::LBracket
                    )
                {
                    return Err(self.expected("a declaration that goes on"));
                }
                declarators.push(self.init_declarator(first, &specifiers, declarator)?);
                if !self.eat(Tok::Comma) {
                    break;
                }
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
            }
            self.expect_semicolon()?;
        }
        Ok(Declared::Declaration(Declaration {
            specifiers,
            declarators,
            static_assert: None,
            span: self.span_from(start),
        }))
    }

    /// Behind a declarator: its name is declared from here on, its initializer included.
    fn init_declarator(
        &mut self,
        first: usize,
        specifiers: &Specifiers,
        declarator: Declarator,
    ) -> Parse<InitDeclarator> {
        if let Some(name) = declarator.name {
            let kind = if specifiers.storage == Some(Storage::Typedef) {
                NameKind::Typedef
            } else {
                NameKind::Other
            };
            self.scopes.declare(name.symbol, kind);
        }
        let initializer = if self.eat(Tok::Assign) {
            Some(self.initializer()?)
        } else {
            None
        };
        Ok(InitDeclarator {
            declarator,
            initializer,
            span: self.span_from(first),
        })
    }

    /// Whether a function's body, or the declarations of its K&R parameters, come next.
    fn at_function_body(&self, declarator: &Declarator) -> bool {
        match declarator.derivations.first() {
            Some(Derivation::Function(Parameters::Names(_))) => {
                self.peek() == Tok::LBrace || self.starts_specifiers_at(self.at)
            }
            Some(Derivation::Function(_)) => self.peek() == Tok::LBrace,
            _ => false,
        }
    }

    fn function(
        &mut self,
        start: usize,
        specifiers: Specifiers,
        declarator: Declarator,
    ) -> Parse<FunctionDefinition> {
        if let Some(name) = declarator.name {
            self.scopes.declare(name.symbol, NameKind::Other);
        }
        self.scopes.enter();
        let rest = self.function_rest(&declarator);
        self.scopes.leave();
        let (kr_declarations, body) = rest?;
        Ok(FunctionDefinition {
            specifiers,
            declarator,
            kr_declarations,
            body,
            span: self.span_from(start),
        })
    }

    fn function_rest(
        &mut self,
        declarator: &Declarator,
    ) -> Parse<(Vec<Declaration>, crate::ast::Block)> {
        match declarator.derivations.first() {
            Some(Derivation::Function(Parameters::Prototype { parameters, .. })) => {
                for name in parameters.iter().filter_map(|p| p.declarator.name) {
                    self.scopes.declare(name.symbol, NameKind::Other);
                }
            }
            Some(Derivation::Function(Parameters::Names(names))) => {
                for name in names {
                    self.scopes.declare(name.symbol, NameKind::Other);
                }
            }
            _ => {}
        }
        let mut kr_declarations = Vec::new();
        while self.peek() != Tok::LBrace {
            if !self.starts_specifiers_at(self.at) {
                return Err(self.expected("`{` of the function's body"));
            }
            match self.declaration(Place::File)? {
                Declared::Declaration(declaration) => kr_declarations.push(declaration),
                Declared::Function(function) => {
                    let span = function.declarator.span;
                    return Err(self.error(
                        "c::syntax",
                        span,
                        "a function cannot be defined among the parameters of another",
                    ));
                }
            }
        }
        let body = self.nested(Self::block_in_open_scope)?;
        Ok((kr_declarations, body))
    }
}

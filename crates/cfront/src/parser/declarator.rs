//! Declarators: a name and the pointers, arrays and functions around it.

use super::specifiers::Place;
use super::{NameKind, Parse, Parser};
use crate::ast::{
    ArrayLength, Attribute, Declarator, Derivation, Ident, ParameterDeclaration, Parameters,
    Qualifiers, TypeSpecifier,
};
use crate::lexer::Tok;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Naming {
    Required,
    Forbidden,
    Optional,
}

/// What the recursion over parentheses collects.
#[derive(Default)]
struct Parts {
    name: Option<Ident>,
    derivations: Vec<Derivation>,
    attributes: Vec<Attribute>,
}

impl Parser<'_> {
    /// With a name.
    pub(super) fn declarator(&mut self) -> Parse<Declarator> {
        self.any_declarator(Naming::Required)
    }

    /// Without a name, and perhaps without anything.
    pub(super) fn abstract_declarator(&mut self) -> Parse<Declarator> {
        self.any_declarator(Naming::Forbidden)
    }

    fn any_declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let start = self.at;
        let mut parts = Parts::default();
        self.declarator_parts(naming, &mut parts)?;
        Ok(Declarator {
            name: parts.name,
            derivations: parts.derivations,
            attributes: parts.attributes,
            span: self.span_from(start),
        })
    }

    fn declarator_parts(&mut self, naming: Naming, parts: &mut Parts) -> Parse<()> {
        let mut pointers: Vec<Qualifiers> = Vec::new();
        loop {
            match self.peek() {
                Tok::Star => {
                    self.bump();
                    self.link(pointers.len() as u32)?;
                    pointers.push(Qualifiers::default());
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic
                    if !pointers.is_empty() =>
                {
                    if let Some(last) = pointers.last_mut() {
                        self.qualifier(last);
                    }
                }
                Tok::Attribute => self.attributes(&mut parts.attributes)?,
                Tok::Extension => {
                    self.bump();
                }
                Tok::LBracket if !pointers.is_empty() && self.peek_at(1) == Tok::LBracket => {
                    self.attributes(&mut parts.attributes)?;
                }
                _ => break,
            }
        }
        match self.peek() {
            Tok::Ident if naming != Naming::Forbidden => {
                let token = self.bump();
                parts.name = Some(self.ident(token));
            }
            Tok::LParen if naming == Naming::Required || self.paren_nests(naming) => {
                let open = self.bump();
                self.nested(|p| p.declarator_parts(naming, parts))?;
                self.expect_close(open, Tok::RParen)?;
            }
            _ if naming == Naming::Required => return Err(self.expected("a name")),
            _ => {}
        }
        // C23 attributes belong right behind the name.
        if self.peek() == Tok::LBracket && self.peek_at(1) == Tok::LBracket {
            self.attributes(&mut parts.attributes)?;
        }
        let mut n = 0;
        loop {
            match self.peek() {
                Tok::LBracket => {
                    let array = self.nested(Self::array)?;
                    parts.derivations.push(array);
                }
                Tok::LParen => {
                    let parameters = self.nested(Self::parameters)?;
                    parts.derivations.push(Derivation::Function(parameters));
                }
                _ => break,
            }
            self.link(n)?;
            n += 1;
        }
        parts
            .derivations
            .extend(pointers.into_iter().rev().map(Derivation::Pointer));
        Ok(())
    }

    /// At `(` of a declarator that need not have a name: whether it encloses a declarator, and
    /// not parameters. A typedef name there is a parameter's type (C11 6.7.6.3, paragraph 11).
    fn paren_nests(&self, naming: Naming) -> bool {
        let at = self.past_attributes(self.at + 1);
        let token = self.tokens[at.min(self.tokens.len() - 1)];
        match token.kind {
            Tok::Star | Tok::LParen | Tok::LBracket | Tok::Caret => true,
            Tok::Ident => naming == Naming::Optional && !self.starts_specifiers_at(at),
            _ => false,
        }
    }

    fn array(&mut self) -> Parse<Derivation> {
        let open = self.bump();
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.peek() {
                Tok::Static => {
                    self.bump();
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    self.qualifier(&mut qualifiers);
                }
                Tok::Attribute => {
                    self.skip_attributes()?;
                }
                _ => break,
            }
        }
        let length = match self.peek() {
            Tok::RBracket => ArrayLength::Unknown,
            Tok::Star if self.peek_at(1) == Tok::RBracket => {
                self.bump();
                ArrayLength::Star
            }
            _ => ArrayLength::Expr(Box::new(self.assignment()?)),
        };
        self.expect_close(open, Tok::RBracket)?;
        Ok(Derivation::Array { length, qualifiers })
    }

    fn parameters(&mut self) -> Parse<Parameters> {
        let open = self.bump();
        match (self.peek(), self.peek_at(1)) {
            (Tok::RParen, _) => {
                self.bump();
                return Ok(Parameters::Unspecified);
            }
            (Tok::Void, Tok::RParen) => {
                self.bump();
                self.bump();
                return Ok(Parameters::Prototype {
                    parameters: Vec::new(),
                    variadic: false,
                });
            }
            (Tok::Ident, Tok::Comma | Tok::RParen) if !self.starts_specifiers_at(self.at) => {
                return self.parameter_names(open);
            }
            _ => {}
        }
        self.scopes.enter();
        let parameters = self.prototype();
        self.scopes.leave();
        let parameters = parameters?;
        self.expect_close(open, Tok::RParen)?;
        Ok(parameters)
    }

    fn parameter_names(&mut self, open: crate::lexer::Token) -> Parse<Parameters> {
        let mut names = Vec::new();
        loop {
            names.push(self.identifier("the name of a parameter")?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(open, Tok::RParen)?;
        Ok(Parameters::Names(names))
    }

    fn prototype(&mut self) -> Parse<Parameters> {
        let mut parameters = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Tok::Ellipsis) {
                variadic = true;
                break;
            }
            parameters.push(self.parameter()?);
            match self.peek() {
                Tok::Comma => {
                    self.bump();
                }
                // GNU forward declarations: `(int n; int a[n])`.
                Tok::Semi => {
                    self.bump();
                    parameters.clear();
                }
                _ => break,
            }
        }
        Ok(Parameters::Prototype {
            parameters,
            variadic,
        })
    }

    fn parameter(&mut self) -> Parse<ParameterDeclaration> {
        let start = self.at;
        let specifiers = self.specifiers(Place::Parameter)?;
        if self.at == start {
            return Err(self.expected("a parameter"));
        }
        let mut declarator = self.any_declarator(Naming::Optional)?;
        self.declarator_suffixes(&mut declarator.attributes)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.symbol, NameKind::Other);
        } else if matches!(specifiers.ty, TypeSpecifier::ImplicitInt)
            && specifiers.attributes.is_empty()
            && specifiers.storage.is_none()
            && specifiers.qualifiers == Qualifiers::default()
        {
            return Err(self.expected("a parameter"));
        }
        Ok(ParameterDeclaration {
            specifiers,
            declarator,
            span: self.span_from(start),
        })
    }
}

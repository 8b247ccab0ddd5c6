//! Everything before a declarator: storage, qualifiers, and the words of a type in any order.

use super::{NameKind, Parse, Parser};
use crate::ast::{Alignment, Attribute, Qualifiers, Specifiers, Storage, TypeName, TypeSpecifier};
use crate::lexer::{Tok, Token};
use idiolect_base::Span;

/// Where specifiers stand, which decides how a name that is no type is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    File,
    Block,
    Parameter,
    Field,
    TypeName,
}

/// How often each word of an arithmetic type was seen.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Words {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    complex: u8,
    /// `char`, `int`, `double` and so on: at most one.
    base: Option<Tok>,
    /// Two of them were seen, or a word together with a type of another kind.
    clash: bool,
}

impl Words {
    /// Counts a word of a type; whether it is one.
    fn add(&mut self, kind: Tok) -> bool {
        match kind {
            Tok::Signed => self.signed += 1,
            Tok::Unsigned => self.unsigned += 1,
            Tok::Short => self.short += 1,
            Tok::Long => self.long = self.long.saturating_add(1),
            Tok::Complex => self.complex += 1,
            Tok::Void
            | Tok::Bool
            | Tok::CharType
            | Tok::Int
            | Tok::Float
            | Tok::Double
            | Tok::Int128
            | Tok::Int128Typedef
            | Tok::Uint128Typedef
            | Tok::Float32
            | Tok::Float64
            | Tok::Float80
            | Tok::Float128
            | Tok::VaList
            | Tok::AutoType => {
                self.clash |= self.base.is_some();
                self.base = Some(kind);
            }
            _ => return false,
        }
        true
    }

    /// More than a handful of one word is wrong, and the counters are small.
    fn limit(&mut self) {
        self.long = self.long.min(3);
        self.signed = self.signed.min(2);
        self.unsigned = self.unsigned.min(2);
        self.short = self.short.min(2);
        self.complex = self.complex.min(2);
    }

    fn any(self) -> bool {
        self != Words::default()
    }

    /// The type that the words stand for together.
    fn combined(self) -> Option<TypeSpecifier> {
        use TypeSpecifier as T;
        let sign_or_size = self.signed + self.unsigned + self.short + self.long;
        if self.clash || self.signed + self.unsigned > 1 || self.short > 1 || self.long > 2 {
            return None;
        }
        if self.short > 0 && self.long > 0 {
            return None;
        }
        let unsigned = self.unsigned > 0;
        let plain = |ty: T| (sign_or_size == 0).then_some(ty);
        let ty = match self.base {
            None | Some(Tok::Int) => Some(match (self.short, self.long, unsigned) {
                (1, _, false) => T::Short,
                (1, _, true) => T::UnsignedShort,
                (_, 0, false) => T::Int,
                (_, 0, true) => T::UnsignedInt,
                (_, 1, false) => T::Long,
                (_, 1, true) => T::UnsignedLong,
                (_, _, false) => T::LongLong,
                (_, _, true) => T::UnsignedLongLong,
            }),
            Some(Tok::CharType) if self.short + self.long == 0 => {
                Some(match (self.signed, self.unsigned) {
                    (0, 0) => T::Char,
                    (_, 0) => T::SignedChar,
                    _ => T::UnsignedChar,
                })
            }
            Some(Tok::Int128) if self.short + self.long == 0 => Some(if unsigned {
                T::UnsignedInt128
            } else {
                T::Int128
            }),
            Some(Tok::Double) if sign_or_size == self.long => match self.long {
                0 => Some(T::Double),
                1 => Some(T::LongDouble),
                _ => None,
            },
            Some(Tok::Void) => plain(T::Void),
            Some(Tok::Bool) => plain(T::Bool),
            Some(Tok::Float | Tok::Float32) => plain(T::Float),
            Some(Tok::Float64) => plain(T::Double),
            Some(Tok::Float80) => plain(T::LongDouble),
            Some(Tok::Float128) => plain(T::Float128),
            Some(Tok::Int128Typedef) => plain(T::Int128),
            Some(Tok::Uint128Typedef) => plain(T::UnsignedInt128),
            Some(Tok::VaList) => plain(T::VaList),
            Some(Tok::AutoType) => plain(T::AutoType),
            _ => None,
        };
        match ty {
            // Without another word it is one of `double`.
            Some(_) if self.complex > 0 && self.base.is_none() && sign_or_size == 0 => {
                Some(T::Complex(Box::new(T::Double)))
            }
            Some(ty) if self.complex > 0 => Some(T::Complex(Box::new(ty))),
            ty => ty,
        }
    }
}

impl Parser<'_> {
    pub(super) fn specifiers(&mut self, place: Place) -> Parse<Specifiers> {
        let start = self.at;
        let mut words = Words::default();
        let mut other: Option<TypeSpecifier> = None;
        let mut out = Specifiers {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            ty: TypeSpecifier::ImplicitInt,
            qualifiers: Qualifiers::default(),
            alignas: Vec::new(),
            attributes: Vec::new(),
            span: Span::NOWHERE,
        };
        loop {
            let token = self.token();
            let has_type = words.any() || other.is_some();
            if token.kind.is_type_word() && other.as_ref().is_some_and(is_definition) {
                // `struct s { … }` and another type: the `;` between them was forgotten.
                break;
            }
            match token.kind {
                kind if self.storage_word(kind, &mut out) => {}
                Tok::Atomic if self.peek_at(1) == Tok::LParen => {
                    self.bump();
                    let open = self.bump();
                    let inner = self.nested(Self::type_name)?;
                    self.expect_close(open, Tok::RParen)?;
                    self.set_type(&mut other, TypeSpecifier::Atomic(Box::new(inner)), token);
                    continue;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    self.qualifier(&mut out.qualifiers);
                    continue;
                }
                Tok::Attribute => {
                    self.attributes(&mut out.attributes)?;
                    continue;
                }
                Tok::LBracket if self.peek_at(1) == Tok::LBracket => {
                    self.attributes(&mut out.attributes)?;
                    continue;
                }
                Tok::Alignas => {
                    self.bump();
                    self.alignas(&mut out.alignas)?;
                    continue;
                }
                kind if words.add(kind) => {}
                Tok::Struct | Tok::Union => {
                    let record = self.nested(Self::record)?;
                    self.set_type(&mut other, TypeSpecifier::Record(record), token);
                    continue;
                }
                Tok::Enum => {
                    let enumeration = self.nested(Self::enumeration)?;
                    self.set_type(&mut other, TypeSpecifier::Enum(enumeration), token);
                    continue;
                }
                Tok::Typeof => {
                    let ty = self.nested(Self::typeof_specifier)?;
                    self.set_type(&mut other, ty, token);
                    continue;
                }
                Tok::Ident if !has_type => match self.name_as_specifier(token, place, start) {
                    Named::Type(ty) => {
                        if matches!(ty, TypeSpecifier::Error) {
                            self.unknown_type(token);
                            if self.is_undeclared(token) {
                                // Once is enough.
                                self.scopes.declare(token.symbol, NameKind::Typedef);
                            }
                        }
                        other = Some(ty);
                    }
                    Named::Bool => words.base = Some(Tok::Bool),
                    Named::ThreadLocal => out.thread_local = true,
                    // A `constexpr` object is a constant one.
                    Named::Constexpr => out.qualifiers.is_const = true,
                    Named::Alignas => {
                        self.bump();
                        self.alignas(&mut out.alignas)?;
                        continue;
                    }
                    Named::Unknown => self.unknown_type(token),
                    Named::Declarator => break,
                },
                _ => break,
            }
            self.bump();
            words.limit();
        }
        out.span = self.span_from(start);
        self.settle_type(&mut out, other, &words);
        Ok(out)
    }

    /// Takes note of a word that is no type; whether it is one.
    fn storage_word(&mut self, kind: Tok, out: &mut Specifiers) -> bool {
        match kind {
            Tok::Typedef => self.storage(&mut out.storage, Storage::Typedef),
            Tok::Extern => self.storage(&mut out.storage, Storage::Extern),
            Tok::Static => self.storage(&mut out.storage, Storage::Static),
            Tok::Auto => self.storage(&mut out.storage, Storage::Auto),
            Tok::Register => self.storage(&mut out.storage, Storage::Register),
            Tok::ThreadLocal => out.thread_local = true,
            Tok::Inline => out.inline = true,
            Tok::Noreturn => out.noreturn = true,
            Tok::Extension => {}
            _ => return false,
        }
        true
    }

    /// The type that the words make up, or the one that stands there.
    fn settle_type(&mut self, out: &mut Specifiers, other: Option<TypeSpecifier>, words: &Words) {
        match (other, words.any()) {
            (Some(ty), false) => out.ty = ty,
            (Some(ty), true) => {
                out.ty = ty;
                self.two_types(out.span);
            }
            (None, true) => match words.combined() {
                Some(ty) => out.ty = ty,
                None => {
                    out.ty = TypeSpecifier::Error;
                    let text = self.map.slice(out.span).split_whitespace();
                    let text = text.collect::<Vec<_>>().join(" ");
                    let message = format!("`{text}` is not a type");
                    self.error("c::type-words", out.span, message);
                }
            },
            (None, false) => {}
        }
    }

    fn storage(&mut self, storage: &mut Option<Storage>, new: Storage) {
        if storage.is_some_and(|old| old != new) {
            let span = self.span(self.token());
            let message = "a declaration has at most one of `typedef`, `extern`, `static`, \
                           `auto` and `register`";
            self.error("c::storage", span, message);
        }
        *storage = Some(new);
    }

    fn set_type(&mut self, other: &mut Option<TypeSpecifier>, new: TypeSpecifier, token: Token) {
        if other.is_some() {
            let span = self.span(token);
            self.two_types(span);
        }
        *other = Some(new);
    }

    fn two_types(&mut self, span: Span) {
        let message = "two types in one declaration";
        let help = "is a `;` missing after a `struct`, `union` or `enum` before this?";
        self.report(
            idiolect_base::Diagnostic::error("c::two-types", span, message).with_help(help),
        );
    }

    /// Takes one qualifier.
    pub(super) fn qualifier(&mut self, into: &mut Qualifiers) {
        match self.bump().kind {
            Tok::Const => into.is_const = true,
            Tok::Volatile => into.is_volatile = true,
            Tok::Restrict => into.is_restrict = true,
            _ => into.is_atomic = true,
        }
    }

    /// Behind `_Alignas`.
    fn alignas(&mut self, into: &mut Vec<Alignment>) -> Parse<()> {
        let open = self.expect(Tok::LParen, "`(` after `_Alignas`")?;
        into.push(if self.starts_type_at(self.at) {
            Alignment::Type(self.nested(Self::type_name)?)
        } else {
            Alignment::Expr(self.nested(Self::conditional)?)
        });
        self.expect_close(open, Tok::RParen)?;
        Ok(())
    }

    fn typeof_specifier(&mut self) -> Parse<TypeSpecifier> {
        self.bump();
        let open = self.expect(Tok::LParen, "`(` after `typeof`")?;
        let ty = if self.starts_type_at(self.at) {
            TypeSpecifier::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpecifier::TypeofExpr(Box::new(self.expression()?))
        };
        self.expect_close(open, Tok::RParen)?;
        Ok(ty)
    }

    /// What an identifier means where a type may come and none was there yet.
    fn name_as_specifier(&self, token: Token, place: Place, start: usize) -> Named {
        match self.kind_of(token) {
            NameKind::Typedef => {
                return Named::Type(TypeSpecifier::TypedefName(self.ident(token)));
            }
            // In a block, `a b` with a variable `a` is rather a missing operator.
            NameKind::Other => {
                return if place != Place::Block && self.peek_at(1) == Tok::Ident {
                    Named::Type(TypeSpecifier::Error)
                } else {
                    Named::Declarator
                };
            }
            NameKind::Undeclared => {}
        }
        let names = &self.contextual;
        if self.is_contextual_specifier(self.at) {
            if token.symbol == names.bool_ {
                return Named::Bool;
            } else if token.symbol == names.alignas {
                return Named::Alignas;
            } else if token.symbol == names.thread_local {
                return Named::ThreadLocal;
            } else if token.symbol == names.constexpr {
                return Named::Constexpr;
            }
        }
        let next = self.peek_at(1);
        let unknown_type = match next {
            // `foo x` can only be a declaration.
            Tok::Ident => true,
            // `foo * x` is one where no expression can be. In a block, the statement's parser
            // has already decided.
            Tok::Star => true,
            // `(int a, foo)`, but `f(foo)` alone is a K&R list, and `struct { foo; }` nothing.
            Tok::Comma | Tok::RParen | Tok::LBracket => {
                matches!(place, Place::Parameter | Place::TypeName) && self.at == start
            }
            _ => false,
        };
        if unknown_type {
            Named::Type(TypeSpecifier::Error)
        } else if next.is_specifier() && next != Tok::Attribute {
            // Rather a macro that was not expanded; the type is still to come.
            Named::Unknown
        } else {
            Named::Declarator
        }
    }

    /// `int *(*)[3]`, as in a cast.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let start = self.at;
        let specifiers = self.specifiers(Place::TypeName)?;
        if self.at == start {
            return Err(self.expected("a type"));
        }
        let mut declarator = self.abstract_declarator()?;
        let mut attributes: Vec<Attribute> = Vec::new();
        self.attributes(&mut attributes)?;
        declarator.attributes.append(&mut attributes);
        Ok(TypeName {
            specifiers,
            declarator,
            span: self.span_from(start),
        })
    }
}

/// The type is a record or an enumeration with its body.
pub(super) fn is_definition(ty: &TypeSpecifier) -> bool {
    match ty {
        TypeSpecifier::Record(record) => record.fields.is_some(),
        TypeSpecifier::Enum(enumeration) => enumeration.enumerators.is_some(),
        _ => false,
    }
}

enum Named {
    Type(TypeSpecifier),
    Bool,
    Alignas,
    ThreadLocal,
    Constexpr,
    /// Not a type, but one has to follow.
    Unknown,
    /// The name of what is declared.
    Declarator,
}

//! Values as terms over what parameters and their elements were when a function was entered: as code that computes
//! them, and as text of mathematics, ACSL and C.

use super::ghost::Copy;
use super::{array_of, size_name};
use crate::c_check::identifier;
use idiolect_invariants::proof::modified;
use idiolect_invariants::records::record_of;
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, Function, LocalId, Program, Ty, UnaryOp};
use idiolect_quantified::point::Point;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ValueTerm {
    /// What it is made of.
    pub kind: ValueKind,
    /// Integers alone.
    pub ty: Ty,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ValueKind {
    Constant(u128),
    Parameter(LocalId),
    /// An element of what a parameter points to, as it was; without an index the first or only one.
    Element {
        array: LocalId,
        index: Option<Rc<ValueTerm>>,
        signed: bool,
    },
    Unary(UnaryOp, Rc<ValueTerm>),
    Binary(BinaryOp, Rc<ValueTerm>, Rc<ValueTerm>),
    Convert(ConvertOp, Rc<ValueTerm>),
    And(Rc<ValueTerm>, Rc<ValueTerm>),
    Or(Rc<ValueTerm>, Rc<ValueTerm>),
    Select(Rc<ValueTerm>, Rc<ValueTerm>, Rc<ValueTerm>),
}

impl ValueTerm {
    fn parts(&self) -> Vec<&Rc<ValueTerm>> {
        match &self.kind {
            ValueKind::Constant(_) | ValueKind::Parameter(_) => Vec::new(),
            ValueKind::Element { index, .. } => index.iter().collect(),
            ValueKind::Unary(_, a) | ValueKind::Convert(_, a) => vec![a],
            ValueKind::Binary(_, a, b) | ValueKind::And(a, b) | ValueKind::Or(a, b) => vec![a, b],
            ValueKind::Select(a, b, c) => vec![a, b, c],
        }
    }

    /// Whether it can be computed at any time: it reads no memory, and divides by no variable.
    pub fn is_harmless(&self) -> bool {
        use BinaryOp::{SDiv, SRem, UDiv, URem};
        let own = match &self.kind {
            ValueKind::Element { .. } => false,
            ValueKind::Binary(SDiv | SRem | UDiv | URem, _, by) => {
                matches!(by.kind, ValueKind::Constant(1..=0x7fff_ffff))
            }
            _ => true,
        };
        own && self.parts().iter().all(|p| p.is_harmless())
    }

    /// The code that computes it when the function is entered.
    pub fn build(&self, copy: &mut Copy) -> Option<ExprId> {
        let kind = match &self.kind {
            ValueKind::Constant(bits) => ExprKind::Const(*bits),
            ValueKind::Parameter(l) => ExprKind::Local(*l),
            ValueKind::Element { array, index, .. } => {
                let base = copy.read(*array);
                let address = match index {
                    None => base,
                    Some(index) => {
                        let index = index.build(copy)?;
                        let scale = copy.program.types.scalar_size(self.ty);
                        copy.expr(ExprKind::PtrAdd { base, index, scale }, Ty::Ptr)
                    }
                };
                ExprKind::Load { address }
            }
            ValueKind::Unary(op, a) => ExprKind::Unary(*op, a.build(copy)?),
            ValueKind::Binary(op, a, b) => ExprKind::Binary(*op, a.build(copy)?, b.build(copy)?),
            ValueKind::Convert(op, a) => ExprKind::Convert(*op, a.build(copy)?),
            ValueKind::And(a, b) => ExprKind::And(a.build(copy)?, b.build(copy)?),
            ValueKind::Or(a, b) => ExprKind::Or(a.build(copy)?, b.build(copy)?),
            ValueKind::Select(a, b, c) => ExprKind::Select {
                condition: a.build(copy)?,
                then: b.build(copy)?,
                otherwise: c.build(copy)?,
            },
        };
        Some(copy.expr(kind, self.ty))
    }
}

/// What is said, in two languages: ACSL, of which mathematics differs in signs alone, and C with copies of old values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputedText {
    /// In ACSL.
    pub acsl: String,
    /// In C.
    pub c: String,
}

impl ComputedText {
    pub(super) fn math(&self) -> String {
        let signs = [
            ("\\result", "result"),
            ("\\old(", "old("),
            (" && ", " ∧ "),
            (" || ", " ∨ "),
            ("==", "="),
            ("!=", "≠"),
            ("<=", "≤"),
            (">=", "≥"),
        ];
        let mut text = self.acsl.clone();
        for (from, to) in signs {
            text = text.replace(from, to);
        }
        for digit in '0'..='9' {
            for end in [' ', ')', ']'] {
                text = text.replace(&format!("{digit}u{end}"), &format!("{digit}{end}"));
            }
        }
        text
    }
}

/// Writes terms with the names of a function's parameters.
pub(super) struct ParameterNames<'a> {
    /// Its types.
    pub program: &'a Program,
    /// Its parameters.
    pub function: &'a Function,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TextLanguage {
    Acsl,
    C,
}

impl ParameterNames<'_> {
    /// What the function returns.
    pub fn result(&self) -> ComputedText {
        ComputedText {
            acsl: "\\result".to_owned(),
            c: "result".to_owned(),
        }
    }

    /// What a parameter points to, at the exit.
    pub fn cell(&self, pointer: LocalId) -> ComputedText {
        let name = &self.function.local(pointer).name;
        ComputedText {
            acsl: format!("*{name}"),
            c: identifier(name),
        }
    }

    /// An element at the exit, at a place that is said of the entry.
    pub fn element(&self, array: LocalId, place: &ValueTerm) -> Option<ComputedText> {
        let name = &self.function.local(array).name;
        let place = self.value(place, true)?;
        Some(ComputedText {
            acsl: format!("{name}[{}]", place.acsl),
            c: format!("{}[{}]", identifier(name), place.c),
        })
    }

    /// Bitwise operations are kept together, since comparisons bind stronger.
    pub fn value(&self, term: &ValueTerm, signed: bool) -> Option<ComputedText> {
        let of = |language| {
            if let ValueKind::Constant(bits) = term.kind {
                return self.constant(bits, term.ty, signed);
            }
            let text = self.number(language, term, signed)?;
            let is_bitwise = [" & ", " | ", " ^ ", " ? "]
                .iter()
                .any(|s| text.contains(s));
            Some(if is_bitwise {
                text
            } else {
                bare(&text).to_owned()
            })
        };
        Some(ComputedText {
            acsl: of(TextLanguage::Acsl)?,
            c: of(TextLanguage::C)?,
        })
    }

    /// All conditions together; nothing if there are none.
    pub fn guard(&self, conditions: &[(Rc<ValueTerm>, bool)]) -> Option<Option<ComputedText>> {
        if conditions.is_empty() {
            return Some(None);
        }
        let of = |language| {
            let parts: Option<Vec<String>> = (conditions.iter())
                .map(|(c, holds)| self.condition(language, c, *holds))
                .collect();
            let parts = parts?;
            // What is joined alike needs no parentheses.
            let inner = (parts.iter()).zip(conditions).map(|(p, (c, holds))| {
                if parts.len() == 1 || joins(c) == Some(*holds) {
                    bare(p)
                } else {
                    p
                }
            });
            Some(inner.collect::<Vec<&str>>().join(" && "))
        };
        Some(Some(ComputedText {
            acsl: of(TextLanguage::Acsl)?,
            c: of(TextLanguage::C)?,
        }))
    }

    /// The arrays whose old elements are read, with their sizes.
    pub fn arrays<'t>(
        &self,
        exit: &Point,
        terms: impl Iterator<Item = &'t Rc<ValueTerm>>,
    ) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for array in elements(terms) {
            if let Some((structure, _)) = array_of(exit, array) {
                let name = self.function.local(array).name.clone();
                let one = (name, size_name(exit, structure));
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// The pointers to single values that are read.
    pub fn cells<'t>(&self, terms: impl Iterator<Item = &'t Rc<ValueTerm>>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for pointer in single(terms) {
            let name = self.function.local(pointer).name.clone();
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    fn constant(&self, bits: u128, ty: Ty, signed: bool) -> Option<String> {
        let width = ty.int_width().filter(|w| (2..=64).contains(w))?;
        let shift = 64 - u32::from(width);
        Some(if signed {
            (((bits as u64) << shift) as i64 >> shift).to_string()
        } else {
            bits.to_string()
        })
    }

    /// Whether the name of a parameter is another value at the exit: that of a member that changes.
    fn is_changed(&self, parameter: LocalId) -> bool {
        let name = &self.function.local(parameter).name;
        record_of(name).is_some() && modified(self.function)[parameter.index()]
    }

    /// As a number of mathematics that its bits are, read as signed or not.
    fn number(&self, language: TextLanguage, term: &ValueTerm, signed: bool) -> Option<String> {
        let Ty::Int(width @ 1..=64) = term.ty else {
            return None;
        };
        let of = |t: &ValueTerm, signed: bool| self.number(language, t, signed);
        let cast =
            |signed: bool, text: &str| Some(format!("({}){text}", type_name(signed, width)?));
        let natural = |own: bool, text: String| {
            if own == signed {
                Some(text)
            } else {
                cast(signed, &text)
            }
        };
        if width == 1 {
            let condition = self.condition(language, term, true)?;
            return Some(format!("({condition} ? 1 : 0)"));
        }
        match &term.kind {
            ValueKind::Constant(bits) => {
                let text = self.constant(*bits, term.ty, signed)?;
                Some(if signed { text } else { text + "u" })
            }
            ValueKind::Parameter(l) => {
                let local = self.function.local(*l);
                let name = match language {
                    TextLanguage::Acsl if self.is_changed(*l) => format!("\\old({})", local.name),
                    TextLanguage::Acsl => local.name.clone(),
                    TextLanguage::C => identifier(&local.name),
                };
                natural(self.program.types.is_signed(local.ty), name)
            }
            ValueKind::Element {
                array,
                index,
                signed: own,
            } => {
                let name = &self.function.local(*array).name;
                let text = match (index, language) {
                    (None, TextLanguage::Acsl) => format!("\\old(*{name})"),
                    (None, TextLanguage::C) => format!("old_cell_{}", identifier(name)),
                    (Some(i), _) => {
                        let i = of(i, true)?;
                        let i = bare(&i);
                        match language {
                            TextLanguage::Acsl => format!("\\old({name}[{i}])"),
                            TextLanguage::C => format!("old_{}[{i}]", identifier(name)),
                        }
                    }
                };
                natural(*own, text)
            }
            ValueKind::Convert(ConvertOp::SignExtend, inner) => natural(true, of(inner, true)?),
            // Not negative, in either reading.
            ValueKind::Convert(ConvertOp::ZeroExtend, inner) => of(inner, false),
            ValueKind::Convert(ConvertOp::Truncate, inner) => cast(signed, &of(inner, signed)?),
            ValueKind::Unary(UnaryOp::Neg { signed: true }, a) => {
                natural(true, format!("(-{})", of(a, true)?))
            }
            ValueKind::Unary(UnaryOp::Not, a) => natural(true, format!("(~{})", of(a, true)?)),
            ValueKind::Binary(op, a, b) => {
                let (own, sign) = arithmetic(*op, signed)?;
                let (left, right) = match op {
                    // How far is a number of its own.
                    BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr => {
                        (of(a, own)?, of(b, true)?)
                    }
                    _ => (of(a, own)?, of(b, own)?),
                };
                let text = format!("({left} {sign} {right})");
                let wraps = matches!(
                    op,
                    BinaryOp::Add { signed: false }
                        | BinaryOp::Sub { signed: false }
                        | BinaryOp::Mul { signed: false }
                        | BinaryOp::Shl { .. }
                );
                if wraps {
                    cast(signed, &text)
                } else {
                    natural(own, text)
                }
            }
            ValueKind::Select(c, a, b) => {
                let c = self.condition(language, c, true)?;
                Some(format!("({c} ? {} : {})", of(a, signed)?, of(b, signed)?))
            }
            _ => None,
        }
    }

    /// One side of a comparison.
    fn side(&self, language: TextLanguage, term: &ValueTerm, signed: bool) -> Option<String> {
        if let ValueKind::Constant(bits) = term.kind {
            return self.constant(bits, term.ty, signed);
        }
        let text = self.number(language, term, signed)?;
        let is_sum = [" & ", " | ", " ^ ", " ? ", "<<", ">>"];
        let is_sum = is_sum.iter().any(|s| text.contains(s));
        Some(if is_sum { text } else { bare(&text).to_owned() })
    }

    fn condition(&self, language: TextLanguage, term: &ValueTerm, holds: bool) -> Option<String> {
        let both = |sign: &str, a: &ValueTerm, b: &ValueTerm| {
            let left = self.condition(language, a, holds)?;
            let right = self.condition(language, b, holds)?;
            let left = if joins(a) == joins(term) {
                bare(&left)
            } else {
                &left
            };
            let right = if joins(b) == joins(term) {
                bare(&right)
            } else {
                &right
            };
            Some(format!("({left} {sign} {right})"))
        };
        match &term.kind {
            ValueKind::And(a, b) => both(if holds { "&&" } else { "||" }, a, b),
            ValueKind::Or(a, b) => both(if holds { "||" } else { "&&" }, a, b),
            ValueKind::Unary(UnaryOp::Not, a) => self.condition(language, a, !holds),
            ValueKind::Constant(bits) => Some(
                match ((*bits != 0) == holds, language) {
                    (true, TextLanguage::Acsl) => "\\true",
                    (false, TextLanguage::Acsl) => "\\false",
                    (true, TextLanguage::C) => "1",
                    (false, TextLanguage::C) => "0",
                }
                .to_owned(),
            ),
            ValueKind::Binary(op, a, b) => {
                let (signed, sign) = match (op, holds) {
                    (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => (is_signed(self, a), "=="),
                    (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => (is_signed(self, a), "!="),
                    (BinaryOp::SLt, true) | (BinaryOp::SLe, false) => (true, "<"),
                    (BinaryOp::SLe, true) | (BinaryOp::SLt, false) => (true, "<="),
                    (BinaryOp::ULt, true) | (BinaryOp::ULe, false) => (false, "<"),
                    (BinaryOp::ULe, true) | (BinaryOp::ULt, false) => (false, "<="),
                    _ => return None,
                };
                // What is not below is at most that.
                let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                let (a, b) = if holds || is_equality { (a, b) } else { (b, a) };
                let side = |t: &ValueTerm| self.side(language, t, signed);
                Some(format!("{} {sign} {}", side(a)?, side(b)?))
            }
            _ => None,
        }
    }
}

/// Whether a condition is a conjunction or a disjunction, and which.
fn joins(term: &ValueTerm) -> Option<bool> {
    match term.kind {
        ValueKind::And(..) => Some(true),
        ValueKind::Or(..) => Some(false),
        _ => None,
    }
}

/// Whether C reads it as signed, as far as that can be told.
fn is_signed(names: &ParameterNames<'_>, term: &ValueTerm) -> bool {
    match &term.kind {
        ValueKind::Parameter(l) => names.program.types.is_signed(names.function.local(*l).ty),
        ValueKind::Element { signed, .. } => *signed,
        ValueKind::Binary(BinaryOp::UDiv | BinaryOp::URem | BinaryOp::LShr, ..) => false,
        ValueKind::Binary(
            BinaryOp::Add { signed } | BinaryOp::Sub { signed } | BinaryOp::Mul { signed },
            ..,
        ) => *signed,
        ValueKind::Binary(_, a, b) => is_signed(names, a) && is_signed(names, b),
        _ => true,
    }
}

/// How operands of an operation are read where the result is wanted so, and its sign.
fn arithmetic(op: BinaryOp, signed: bool) -> Option<(bool, &'static str)> {
    Some(match op {
        BinaryOp::Add { signed } => (signed, "+"),
        BinaryOp::Sub { signed } => (signed, "-"),
        BinaryOp::Mul { signed } => (signed, "*"),
        BinaryOp::SDiv => (true, "/"),
        BinaryOp::SRem => (true, "%"),
        BinaryOp::UDiv => (false, "/"),
        BinaryOp::URem => (false, "%"),
        BinaryOp::Shl { .. } => (signed, "<<"),
        BinaryOp::LShr => (false, ">>"),
        BinaryOp::AShr => (true, ">>"),
        BinaryOp::BitAnd => (signed, "&"),
        BinaryOp::BitOr => (signed, "|"),
        BinaryOp::BitXor => (signed, "^"),
        _ => return None,
    })
}

fn type_name(signed: bool, width: u8) -> Option<&'static str> {
    Some(match (signed, width) {
        (true, 8) => "signed char",
        (false, 8) => "unsigned char",
        (true, 16) => "short",
        (false, 16) => "unsigned short",
        (true, 32) => "int",
        (false, 32) => "unsigned int",
        (true, 64) => "long long",
        (false, 64) => "unsigned long long",
        _ => return None,
    })
}

/// Without the parentheses around all of it.
fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    inner
}

/// The parameters whose elements are read at an index.
fn elements<'t>(terms: impl Iterator<Item = &'t Rc<ValueTerm>>) -> Vec<LocalId> {
    read(terms, true)
}

/// The parameters of which the one value is read that they point to.
fn single<'t>(terms: impl Iterator<Item = &'t Rc<ValueTerm>>) -> Vec<LocalId> {
    read(terms, false)
}

fn read<'t>(terms: impl Iterator<Item = &'t Rc<ValueTerm>>, at_index: bool) -> Vec<LocalId> {
    let mut open: Vec<&Rc<ValueTerm>> = terms.collect();
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        if let ValueKind::Element { array, index, .. } = &term.kind
            && index.is_some() == at_index
        {
            found.push(*array);
        }
        open.extend(term.parts());
    }
    found.sort_unstable();
    found.dedup();
    found
}

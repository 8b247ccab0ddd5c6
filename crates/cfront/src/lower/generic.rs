//! `_Generic`.
//!
//! Types here have no qualifiers, but `const char *` and `char *` are different choices. So
//! variables remember whether what they point to is `const`, and that is compared beside the
//! types, for the control expressions that are common: names, their addresses, casts.

use super::Lowerer;
use super::scope::Entry;
use crate::ast::{
    Declarator, Derivation, Expr, ExprKind, Specifiers, TypeName, TypeSpecifier, UnaryOp,
};
use idiolect_base::Span;
use idiolect_ir::{Builtin, HostCall};

/// What `const` applies to in a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Constness {
    pub object: bool,
    pub pointee: bool,
    /// The object is `_Atomic`.
    pub is_atomic: bool,
}

impl<'a> Lowerer<'a> {
    /// Reads the qualifiers of a declaration.
    pub fn constness(&self, specifiers: &Specifiers, declarator: &Declarator) -> Constness {
        let object = self.is_const(specifiers, declarator);
        let pointee = match declarator.derivations.split_first() {
            Some((Derivation::Pointer(_) | Derivation::Array { .. }, rest)) => {
                let next = rest.iter().find_map(|d| match d {
                    Derivation::Pointer(qualifiers) => Some(qualifiers.is_const),
                    Derivation::Function(_) => Some(false),
                    Derivation::Array { .. } => None,
                });
                next.unwrap_or_else(|| self.specifies_const(specifiers))
            }
            _ => false,
        };
        let is_atomic = match declarator.derivations.first() {
            Some(Derivation::Pointer(qualifiers)) => qualifiers.is_atomic,
            _ => self.specifies_atomic(specifiers),
        };
        Constness {
            object,
            pointee,
            is_atomic,
        }
    }

    /// By the qualifier, or by one of the names that `<stdatomic.h>` has for it.
    pub fn specifies_atomic(&self, specifiers: &Specifiers) -> bool {
        specifiers.qualifiers.is_atomic
            || match &specifiers.ty {
                TypeSpecifier::Atomic(_) => true,
                TypeSpecifier::TypedefName(name) => {
                    self.symbols.name(name.symbol).starts_with("atomic_")
                }
                _ => false,
            }
    }

    /// Whether what is done with an object is atomic. Of members only the program's own habit is known.
    fn is_atomic(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(symbol) => self.constness_of(*symbol).is_atomic,
            ExprKind::Index(base, _) => self.is_atomic(base),
            ExprKind::Member { .. } | ExprKind::Unary(UnaryOp::Deref, _) => self.has_atomic_members,
            _ => false,
        }
    }

    /// Does something that no thread interrupts, if that is what the object asks for.
    pub fn held<R>(&mut self, object: &Expr, span: Span, f: impl FnOnce(&mut Self) -> R) -> R {
        let is_atomic = self.options.is_process && self.is_atomic(object);
        self.hold(is_atomic, true, span);
        let result = f(self);
        self.hold(is_atomic, false, span);
        result
    }

    /// Keeps other threads from going on, or lets them.
    pub fn hold(&mut self, is_needed: bool, is_held: bool, span: Span) {
        if is_needed && self.unevaluated == 0 {
            let ty = self
                .types
                .scalar(self.common.int)
                .unwrap_or(idiolect_ir::Ty::Int(32));
            let held = self.body.constant(u128::from(is_held), ty, span);
            let builtin = Builtin::Host(HostCall::ThreadHold);
            self.builtin_call(builtin, vec![held], self.common.int, span, false);
        }
    }

    fn points_to_const(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Ident(symbol) => self.constness_of(*symbol).pointee,
            ExprKind::Unary(UnaryOp::AddressOf, inner) => match &inner.kind {
                ExprKind::Ident(symbol) => self.constness_of(*symbol).object,
                _ => false,
            },
            ExprKind::Cast(name, _) => self.constness(&name.specifiers, &name.declarator).pointee,
            _ => false,
        }
    }

    fn constness_of(&self, symbol: crate::symbols::Symbol) -> Constness {
        match self.lookup(symbol) {
            Some(Entry::Local(local)) => {
                self.body.constness.get(&local).copied().unwrap_or_default()
            }
            Some(Entry::Object { object, .. }) => self.objects[object.index()].constness,
            _ => Constness::default(),
        }
    }

    /// The arm that `_Generic` chooses.
    pub fn generic_arm(
        &mut self,
        control: &'a Expr,
        arms: &'a [(Option<TypeName>, Expr)],
        span: Span,
    ) -> Option<&'a Expr> {
        let ty = self.unevaluated(|this| this.rvalue(control).ty);
        let is_pointer = self.pointee(ty).is_some();
        let to_const = is_pointer && self.points_to_const(control);
        let (mut default, mut similar) = (None, None);
        for (name, arm) in arms {
            let Some(name) = name else {
                default = Some(arm);
                continue;
            };
            let candidate = self.type_name(name);
            if !self.are_compatible(candidate, ty) {
                continue;
            }
            let constness = self.constness(&name.specifiers, &name.declarator);
            if is_pointer && constness.pointee != to_const {
                similar = similar.or(Some(arm));
            } else if !constness.object || is_pointer {
                return Some(arm);
            }
        }
        let found = default.or(similar);
        if found.is_none() {
            let message = format!("no choice for type `{}`", self.types.name(ty));
            self.error("c::generic", span, message);
        }
        found
    }
}

//! Variables that one part of an expression changes and another part uses, where C orders neither before the other:
//! `a[i] = i++`, `i + i++`, `f(i, ++i)`. Such an expression is undefined; what idiolect makes of it is listed.
//!
//! Names are looked at, and not what pointers point to.

use super::Lowerer;
use super::init::{Part, PartValue};
use crate::ast::{Expr, ExprKind, UnaryOp};
use crate::symbols::Symbol;
use idiolect_base::Span;

/// Variables that an expression reads, and those that it changes.
#[derive(Default)]
struct Uses {
    read: Vec<Symbol>,
    changed: Vec<Symbol>,
    /// Functions are called, or something else than a variable changes.
    has_others: bool,
}

/// Whether it makes a difference that an expression is evaluated.
fn has_effects(expr: &Expr) -> bool {
    let uses = Uses::of(expr);
    uses.has_others || !uses.changed.is_empty()
}

impl Uses {
    fn of(expr: &Expr) -> Self {
        let mut uses = Self::default();
        uses.visit(expr);
        uses
    }

    fn visit(&mut self, expr: &Expr) {
        // A stack and no recursion: generated sources have thousands of operands.
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Ident(name) => self.read.push(*name),
                ExprKind::Unary(op, operand) => match (op, &operand.kind) {
                    (UnaryOp::AddressOf, ExprKind::Ident(_)) => {}
                    (op, ExprKind::Ident(name)) if is_step(*op) => self.changed.push(*name),
                    (op, _) => {
                        self.has_others |= is_step(*op);
                        open.push(operand);
                    }
                },
                ExprKind::Assign(_, target, value) => {
                    match target.kind {
                        ExprKind::Ident(name) => self.changed.push(name),
                        _ => {
                            self.has_others = true;
                            open.push(target);
                        }
                    }
                    open.push(value);
                }
                ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => {
                    open.extend([&**a, &**b]);
                }
                ExprKind::Conditional(condition, then, otherwise) => {
                    open.extend([&**condition, &**otherwise]);
                    open.extend(then.as_deref());
                }
                ExprKind::Call(callee, arguments) => {
                    self.has_others = true;
                    open.push(callee);
                    open.extend(arguments);
                }
                ExprKind::Member { base, .. } => open.push(base),
                ExprKind::Cast(_, inner) => open.push(inner),
                _ => {}
            }
        }
    }

    /// A variable that one of the two changes and the other uses.
    fn conflict(&self, other: &Self) -> Option<Symbol> {
        let used_by =
            |name: &&Symbol, uses: &Self| uses.changed.contains(name) || uses.read.contains(name);
        let mine = self.changed.iter().find(|name| used_by(name, other));
        let theirs = other.changed.iter().find(|name| used_by(name, self));
        mine.or(theirs).copied()
    }

    fn add(&mut self, mut other: Self) {
        self.read.append(&mut other.read);
        self.changed.append(&mut other.changed);
    }
}

fn is_step(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(
        op,
        PreIncrement | PreDecrement | PostIncrement | PostDecrement
    )
}

/// Whether the expression changes a variable at all.
fn has_change(expr: &Expr) -> bool {
    !Uses::of(expr).changed.is_empty()
}

impl Lowerer<'_> {
    /// An initializer whose part another one takes over may be evaluated, or not.
    pub(super) fn overridden(&mut self, parts: &[Part<'_>]) {
        for (i, early) in parts.iter().enumerate() {
            let PartValue::Expr(expr) = early.value else {
                continue;
            };
            let is_over = |late: &&Part<'_>| {
                let size = self.types.size_of(late.ty).unwrap_or(1).max(1);
                let is_same_field = early.bits == late.bits;
                is_same_field && (late.offset..late.offset + size).contains(&early.offset)
            };
            if has_effects(expr) && parts[i + 1..].iter().any(|late| is_over(&late)) {
                let span = expr.span;
                self.evaluation_order(
                    "initializers that others take the place of are evaluated, too",
                    span,
                );
            }
        }
    }

    /// Lists that parts without an order are evaluated in ours, if that matters.
    pub fn unsequenced<'e>(&mut self, parts: impl Iterator<Item = &'e Expr> + Clone, span: Span) {
        if !parts.clone().any(has_change) {
            return;
        }
        let mut before = Uses::default();
        for part in parts {
            let own = Uses::of(part);
            if let Some(name) = before.conflict(&own) {
                self.uses_and_changes(name, span);
                return;
            }
            before.add(own);
        }
    }

    /// The same of an assignment: it changes its target, whatever its sides do.
    pub fn unsequenced_assignment(&mut self, target: &Expr, value: &Expr, span: Span) {
        let right = Uses::of(value);
        let conflict = match target.kind {
            // Reading the variable before it is written is in order.
            ExprKind::Ident(name) => right.changed.contains(&name).then_some(name),
            _ => Uses::of(target).conflict(&right),
        };
        if let Some(name) = conflict {
            self.uses_and_changes(name, span);
        }
    }

    fn uses_and_changes(&mut self, name: Symbol, span: Span) {
        let name = self.name(name).to_owned();
        let text = format!(
            "one expression changes and uses `{name}`, in an order that C leaves undefined"
        );
        self.evaluation_order(&text, span);
    }
}

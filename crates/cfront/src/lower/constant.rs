//! Constant expressions: what is left after lowering and folding must be a number or an address.
//!
//! There is one meaning of C expressions in this crate, that of lowering; constants are lowered
//! into a block that nothing reaches, and looked at.

use super::Lowerer;
use super::convert::Value;
use super::fold;
use crate::ast::{Expr, ExprKind, StaticAssert};
use idiolect_base::{Diagnostic, Span};
use idiolect_ir::{
    BinaryOp, ConvertOp, ExprId, ExprKind as IrKind, GlobalTarget, Ty, TypeId, UnaryOp,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Constant {
    Bits(u128),
    Address { target: GlobalTarget, addend: i64 },
}

impl<'a> Lowerer<'a> {
    /// The value of an integer constant expression, or a diagnostic.
    pub fn constant_int(&mut self, expr: &'a Expr) -> Option<i128> {
        let value = self.constant_int_quietly(expr);
        if value.is_none() {
            self.error(
                "c::not-constant",
                expr.span,
                "this is not a constant whole number",
            );
        }
        value
    }

    /// The value of an integer constant expression.
    pub fn constant_int_quietly(&mut self, expr: &'a Expr) -> Option<i128> {
        if let ExprKind::Int { value, .. } = expr.kind {
            return i128::try_from(value).ok();
        }
        // What is not modelled is no constant, whatever stands for it.
        let before = self.n_unmodelled;
        let (value, is_modelled) = self.unevaluated(|this| {
            let value = this.rvalue(expr);
            (value, this.n_unmodelled == before)
        });
        if is_modelled {
            self.value_as_int(value)
        } else {
            None
        }
    }

    /// The number that a lowered value is, by its C type.
    pub fn value_as_int(&mut self, value: Value) -> Option<i128> {
        if !self.is_integer(value.ty) {
            return None;
        }
        let bits = match self.evaluate(value.expr, 64)? {
            Constant::Bits(bits) => bits,
            Constant::Address { .. } => return None,
        };
        let width = self.body.ty(value.expr).int_width()?;
        Some(if self.types.is_signed(value.ty) {
            fold::signed(bits, width)
        } else {
            bits as i128
        })
    }

    /// The value of an initializer of static lifetime, converted to `ty`.
    pub fn constant(&mut self, expr: &'a Expr, ty: TypeId) -> Option<Constant> {
        let before = self.n_unmodelled;
        // What is computed before the program starts rests on conventions as much as what runs compute.
        let ((value, conventions), _) = self.detached(|this| {
            let before = this.ledger.len();
            let value = this.rvalue(expr);
            let value = this.convert(value, ty, expr.span);
            (value, this.ledger.split_off(before))
        });
        self.ledger.extend(conventions);
        if self.in_static_initializer && self.n_unmodelled != before {
            return None;
        }
        let found = self.evaluate(value.expr, 64);
        if let Some(Constant::Address {
            target: GlobalTarget::Function(id),
            ..
        }) = found
            && let Some(Some(function)) = self.function_of.get(id.index()).copied()
        {
            self.address_taken(function, expr.span);
        }
        if found.is_none() {
            let why = self.why_not_constant(value.expr);
            let diagnostic = Diagnostic::error(
                "c::not-constant",
                expr.span,
                "the initial value of a static object has to be a constant",
            )
            .with_help(why);
            self.diagnostics.push(diagnostic);
        }
        found
    }

    fn why_not_constant(&self, id: ExprId) -> String {
        let expr = &self.body.exprs[id.index()];
        match &expr.kind {
            IrKind::Local(_) | IrKind::Load { .. } => {
                "it reads a variable; use a macro or an enumerator".to_owned()
            }
            IrKind::Convert(_, inner) | IrKind::Unary(_, inner) => self.why_not_constant(*inner),
            _ => "only numbers, and addresses of static objects and functions, are".to_owned(),
        }
    }

    /// Reads a lowered expression as a constant.
    pub fn evaluate(&self, id: ExprId, depth: u32) -> Option<Constant> {
        use Constant::*;
        if depth == 0 {
            return None;
        }
        let expr = self.body.exprs.get(id.index())?;
        match expr.kind {
            IrKind::Const(bits) => Some(Bits(bits)),
            IrKind::GlobalAddress(global) => Some(Address {
                target: GlobalTarget::Global(global),
                addend: 0,
            }),
            IrKind::FunctionAddress(function) => Some(Address {
                target: GlobalTarget::Function(function),
                addend: 0,
            }),
            IrKind::PtrAdd { base, index, scale } => {
                let base = self.evaluate(base, depth - 1)?;
                let Bits(index_bits) = self.evaluate(index, depth - 1)? else {
                    return None;
                };
                let width = self.body.ty(index).int_width()?;
                let bytes = (fold::signed(index_bits, width) as i64).wrapping_mul(scale as i64);
                Some(moved(base, bytes))
            }
            IrKind::Convert(op, inner) => {
                let inner_value = self.evaluate(inner, depth - 1)?;
                match (op, inner_value) {
                    (ConvertOp::PtrToInt | ConvertOp::IntToPtr, value) => Some(value),
                    // As wide as a pointer, and back.
                    (ConvertOp::ZeroExtend | ConvertOp::SignExtend, value @ Address { .. }) => {
                        Some(value)
                    }
                    _ => None,
                }
            }
            IrKind::Binary(op, a, b) => {
                let (x, y) = (self.evaluate(a, depth - 1)?, self.evaluate(b, depth - 1)?);
                match (op, x, y) {
                    (BinaryOp::Add { .. }, Address { .. }, Bits(n)) => Some(moved(x, n as i64)),
                    (BinaryOp::Add { .. }, Bits(n), Address { .. }) => Some(moved(y, n as i64)),
                    (BinaryOp::Sub { .. }, Address { .. }, Bits(n)) => {
                        Some(moved(x, (n as i64).wrapping_neg()))
                    }
                    (
                        BinaryOp::Sub { .. } | BinaryOp::PtrDiff,
                        Address {
                            target: t,
                            addend: i,
                        },
                        Address {
                            target: u,
                            addend: j,
                        },
                    ) if t == u => Some(Bits(fold::mask(i.wrapping_sub(j) as u128, expr.ty))),
                    (BinaryOp::Eq | BinaryOp::Ne, Address { .. }, Bits(0))
                    | (BinaryOp::Eq | BinaryOp::Ne, Bits(0), Address { .. }) => {
                        Some(Bits(u128::from(op == BinaryOp::Ne)))
                    }
                    (BinaryOp::SDiv, Bits(x), Bits(y)) => {
                        let width = expr.ty.int_width()?;
                        let quotient =
                            fold::signed(x, width).checked_div(fold::signed(y, width))?;
                        Some(Bits(fold::mask(quotient as u128, expr.ty)))
                    }
                    _ => None,
                }
            }
            IrKind::Unary(UnaryOp::Not, inner) if expr.ty == Ty::BOOL => {
                match self.evaluate(inner, depth - 1)? {
                    Bits(bits) => Some(Bits(bits ^ 1)),
                    Address { .. } => None,
                }
            }
            IrKind::Select {
                condition,
                then,
                otherwise,
            } => match self.evaluate(condition, depth - 1)? {
                Bits(0) => self.evaluate(otherwise, depth - 1),
                Bits(_) => self.evaluate(then, depth - 1),
                Address { .. } => None,
            },
            IrKind::And(a, b) => match self.evaluate(a, depth - 1)? {
                Bits(0) => Some(Bits(0)),
                _ => self.evaluate(b, depth - 1),
            },
            IrKind::Or(a, b) => match self.evaluate(a, depth - 1)? {
                Bits(0) => self.evaluate(b, depth - 1),
                _ => Some(Bits(1)),
            },
            // A constant object of another definition, as newer compilers allow.
            IrKind::Load { address } => {
                let Address {
                    target: GlobalTarget::Global(global),
                    addend,
                } = self.evaluate(address, depth - 1)?
                else {
                    return None;
                };
                self.constant_load(global, addend, expr.ty)
            }
            _ => None,
        }
    }

    fn constant_load(
        &self,
        global: idiolect_ir::GlobalId,
        offset: i64,
        ty: Ty,
    ) -> Option<Constant> {
        let global = self.globals.get(global.index())?;
        let size = self.types.scalar_size(ty);
        let start = u64::try_from(offset).ok()?;
        let end = start.checked_add(size)?;
        if !global.read_only || global.is_unwritten || end > global.size {
            return None;
        }
        if let Some(found) = global.relocations.iter().find(|r| r.offset == start) {
            return Some(Constant::Address {
                target: found.target,
                addend: found.addend,
            });
        }
        let bits = (start..end).rev().fold(0u128, |bits, i| {
            bits << 8 | u128::from(global.bytes.get(i as usize).copied().unwrap_or(0))
        });
        Some(Constant::Bits(bits))
    }

    pub fn static_assert(&mut self, assertion: &'a StaticAssert) {
        if self.constant_int(&assertion.condition) != Some(0) {
            return;
        }
        let mut message = "a static assertion fails".to_owned();
        if let Some(ExprKind::String { units, .. }) = assertion.message.as_ref().map(|m| &m.kind) {
            let text: String = units.iter().filter_map(|&u| char::from_u32(u)).collect();
            message = format!("{message}: {text}");
        }
        let span: Span = assertion.condition.span;
        self.error("c::static-assert", span, message);
    }
}

fn moved(constant: Constant, bytes: i64) -> Constant {
    match constant {
        Constant::Bits(bits) => Constant::Bits((bits as u64).wrapping_add(bytes as u64).into()),
        Constant::Address { target, addend } => Constant::Address {
            target,
            addend: addend.wrapping_add(bytes),
        },
    }
}

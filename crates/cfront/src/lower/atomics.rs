//! Atomic operations. No other thread goes on while one is done.

use super::Lowerer;
use super::convert::Value;
use crate::ast::{BinaryOp, Expr};
use crate::builtins::Atomic;
use idiolect_base::Span;
use idiolect_ir::ctype::CType;

impl<'a> Lowerer<'a> {
    /// Atomic operations as plain ones.
    pub fn atomic(&mut self, atomic: Atomic, arguments: &'a [Expr], span: Span) -> Value {
        let mut values: Vec<(Value, super::body::Position)> = Vec::new();
        for argument in arguments {
            let before = self.body.emitted;
            let value = self.rvalue(argument);
            self.settle_all(&mut values, before);
            let position = self.body.position();
            values.push((value, position));
        }
        if atomic == Atomic::Fence {
            return self.void(span);
        }
        let get = |i: usize| values.get(i).map(|v: &(Value, _)| v.0);
        let Some(pointer) = get(0).filter(|v| self.pointee(v.ty).is_some()) else {
            self.error("c::not-a-pointer", span, "a pointer is needed here");
            return self.dummy(self.common.int, span);
        };
        let mut place = self.dereference(pointer, span);
        if self.is_void(place.ty) {
            place.ty = self.common.char_;
        }
        // A flag is a record with a truth value in it.
        let is_flag = matches!(atomic, Atomic::TestAndSet | Atomic::Clear);
        if is_flag && matches!(self.types.get(place.ty), CType::Record(_)) {
            place.ty = self.common.bool_;
        }
        let arguments: Vec<Value> = values.iter().map(|v| v.0).collect();
        let is_process = self.options.is_process;
        self.hold(is_process, true, span);
        let result = self.atomic_at(atomic, place, &arguments, span);
        self.hold(is_process, false, span);
        result
    }

    fn atomic_at(
        &mut self,
        atomic: Atomic,
        place: super::lvalue::LValue,
        arguments: &[Value],
        span: Span,
    ) -> Value {
        let ty = place.ty;
        let get = |i: usize| arguments.get(i).copied();
        let zero = self.dummy(ty, span);
        let argument = get(1).unwrap_or(zero);
        match atomic {
            Atomic::LoadN => {
                let value = self.read(place, span);
                self.saved(value)
            }
            Atomic::StoreN | Atomic::Clear => {
                let value = if atomic == Atomic::Clear {
                    zero
                } else {
                    argument
                };
                let value = self.convert(value, ty, span);
                self.write(place, value, false, span);
                self.void(span)
            }
            Atomic::Load | Atomic::Store => {
                let other = self.dereference(argument, span);
                let (to, from) = if atomic == Atomic::Load {
                    (other, place)
                } else {
                    (place, other)
                };
                let value = self.read(from, span);
                let value = self.convert(value, to.ty, span);
                self.write(to, value, false, span);
                self.void(span)
            }
            Atomic::ExchangeN | Atomic::TestAndSet => {
                let old = self.read(place, span);
                let old = self.saved(old);
                let new = if atomic == Atomic::ExchangeN {
                    argument
                } else {
                    self.int_value(1, self.common.int, span)
                };
                let new = self.convert(new, ty, span);
                self.write(place, new, false, span);
                if atomic == Atomic::TestAndSet {
                    return self.convert(old, self.common.bool_, span);
                }
                old
            }
            Atomic::Fetch(op, is_new) => self.fetch(op, is_new, place, argument, span),
            Atomic::Exchange => {
                let (from, to) = (get(1).unwrap_or(zero), get(2).unwrap_or(zero));
                let (from, to) = (self.dereference(from, span), self.dereference(to, span));
                let new = self.read(from, span);
                let new = self.saved(new);
                let old = self.read(place, span);
                let old = self.saved(old);
                let new = self.convert(new, ty, span);
                self.write(place, new, false, span);
                let old = self.convert(old, to.ty, span);
                self.write(to, old, false, span);
                self.void(span)
            }
            Atomic::CompareExchange => {
                let expected = self.dereference(argument, span);
                let desired = self.dereference(get(2).unwrap_or(zero), span);
                let desired = self.read(desired, span);
                let desired = self.saved(desired);
                self.compare_exchange(place, Some(expected), None, desired, span)
                    .1
            }
            Atomic::CompareExchangeN => {
                let expected = self.dereference(argument, span);
                let desired = get(2).unwrap_or(zero);
                self.compare_exchange(place, Some(expected), None, desired, span)
                    .1
            }
            Atomic::CompareSwap(is_truth) => {
                let desired = get(2).unwrap_or(zero);
                let (old, hit) = self.compare_exchange(place, None, Some(argument), desired, span);
                if is_truth { hit } else { old }
            }
            Atomic::Fence => self.void(span),
        }
    }

    /// Reads, changes and writes; the result is the new value or the old one.
    fn fetch(
        &mut self,
        op: char,
        is_new: bool,
        place: super::lvalue::LValue,
        argument: Value,
        span: Span,
    ) -> Value {
        let ty = place.ty;
        let old = self.read(place, span);
        let old = self.saved(old);
        let binary = match op {
            '+' => BinaryOp::Add,
            '-' => BinaryOp::Sub,
            '|' => BinaryOp::BitOr,
            '^' => BinaryOp::BitXor,
            _ => BinaryOp::BitAnd,
        };
        // Pointers move by bytes here.
        let new = if self.pointee(ty).is_some() {
            let bytes = self.convert(argument, self.common.difference, span);
            let index = match op {
                '-' => {
                    let neg = idiolect_ir::UnaryOp::Neg { signed: false };
                    self.body.unary(neg, bytes.expr, span)
                }
                _ => bytes.expr,
            };
            Value::new(self.body.pointer_add(old.expr, index, 1, span), ty)
        } else {
            self.binary(binary, old, argument, span)
        };
        let mut new = self.convert(new, ty, span);
        if op == 'n' {
            let expr = self.body.unary(idiolect_ir::UnaryOp::Not, new.expr, span);
            new = Value::new(expr, ty);
        }
        let new = self.saved(new);
        self.write(place, new, false, span);
        if is_new { new } else { old }
    }
}

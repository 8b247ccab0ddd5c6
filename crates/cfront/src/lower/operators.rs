//! Binary operators, assignments and steps.

use super::Lowerer;
use super::convert::Value;
use super::lvalue::{LPlace, LValue};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use idiolect_base::Span;
use idiolect_ir::{BinaryOp as Ir, Ty, TypeId};

impl<'a> Lowerer<'a> {
    /// `a + b + c…`: the left spine is walked without recursion, because generated sources have
    /// thousands of operands.
    pub fn binary_chain(&mut self, expr: &'a Expr) -> Value {
        let mut spine = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op, left, right) = &leftmost.kind
            && !matches!(op, BinaryOp::And | BinaryOp::Or)
        {
            spine.push((*op, &**right, leftmost.span));
            leftmost = left;
        }
        let parts = [leftmost].into_iter();
        self.unsequenced(
            parts.chain(spine.iter().rev().map(|part| part.1)),
            expr.span,
        );
        let start = self.n_calls;
        let mut value = self.rvalue(leftmost);
        for (op, right, span) in spine.into_iter().rev() {
            let position = self.body.position();
            let before = self.body.emitted;
            let calls = self.n_calls;
            let right = self.rvalue(right);
            if calls > start && self.n_calls > calls {
                self.evaluation_order("operands are evaluated from left to right", span);
            }
            value = self.settled(value, position, before);
            value = self.binary(op, value, right, span);
        }
        value
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Value {
        use BinaryOp::*;
        if self.is_unmodelled_type(a.ty) || self.is_unmodelled_type(b.ty) {
            let ty = if self.is_unmodelled_type(a.ty) {
                a.ty
            } else {
                b.ty
            };
            return self.unmodelled_value(ty, ty, span);
        }
        let a_points = self.pointee(a.ty).is_some();
        let b_points = self.pointee(b.ty).is_some();
        let numbers = self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty);
        match op {
            Add if a_points && self.is_integer(b.ty) => self.pointer_step(a, b, false, span),
            Add if b_points && self.is_integer(a.ty) => self.pointer_step(b, a, false, span),
            Sub if a_points && self.is_integer(b.ty) => self.pointer_step(a, b, true, span),
            Sub if a_points && b_points => self.pointer_difference(a, b, span),
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
                if (a_points || b_points)
                    && !self.is_float(a.ty)
                    && !self.is_float(b.ty)
                    && self.types.scalar(a.ty).is_some()
                    && self.types.scalar(b.ty).is_some() =>
            {
                if matches!(op, Equal | NotEqual) {
                    self.pointer_equality(a, b, span);
                } else {
                    self.pointer_order(a.expr, b.expr, span);
                }
                let pointer = if a_points { a.ty } else { b.ty };
                let a = self.convert(a, pointer, span);
                let b = self.convert(b, pointer, span);
                self.comparison(op, a, b, false, span)
            }
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual if numbers => {
                let ty = self.usual_type(a, b);
                let a = self.convert(a, ty, span);
                let b = self.convert(b, ty, span);
                let signed = self.types.is_signed(ty);
                self.comparison(op, a, b, signed, span)
            }
            Shl | Shr if self.is_integer(a.ty) && self.is_integer(b.ty) => {
                let bits = self.wide_bits(a);
                let a = self.promote(a, span);
                let b = self.promote(b, span);
                let b = self.convert(b, a.ty, span);
                self.shift_amount(b.expr, span);
                let signed = self.types.is_signed(a.ty);
                let ir = match (op, signed) {
                    (Shl, _) => Ir::Shl { signed },
                    (_, true) => Ir::AShr,
                    (_, false) => Ir::LShr,
                };
                let value = Value::new(self.body.binary(ir, a.expr, b.expr, span), a.ty);
                self.wrapped(value, bits, span)
            }
            Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor if numbers => {
                self.arithmetic(op, a, b, span)
            }
            _ => {
                let message = format!(
                    "this operator does not take `{}` and `{}`",
                    self.types.name(a.ty),
                    self.types.name(b.ty)
                );
                self.error("c::operand", span, message);
                self.dummy(self.common.int, span)
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Value {
        use BinaryOp::*;
        let ty = self.usual_type(a, b);
        let bits = self.wide_bits(a).max(self.wide_bits(b));
        let widest = self.precision(a).max(self.precision(b));
        let a = self.convert(a, ty, span);
        let b = self.convert(b, ty, span);
        let signed = self.types.is_signed(ty);
        let ir = if self.is_float(ty) {
            self.excess_precision(ty, span);
            match op {
                Add => Ir::FAdd,
                Sub => Ir::FSub,
                Mul => Ir::FMul,
                Div => Ir::FDiv,
                _ => {
                    self.error("c::operand", span, "this operator takes whole numbers only");
                    return self.dummy(ty, span);
                }
            }
        } else {
            match op {
                Add => Ir::Add { signed },
                Sub => Ir::Sub { signed },
                Mul => Ir::Mul { signed },
                Div if signed => Ir::SDiv,
                Div => Ir::UDiv,
                Rem if signed => Ir::SRem,
                Rem => Ir::URem,
                BitAnd => Ir::BitAnd,
                BitOr => Ir::BitOr,
                _ => Ir::BitXor,
            }
        };
        let value = Value::new(self.body.binary(ir, a.expr, b.expr, span), ty);
        let is_widest = bits > 0 && bits == widest;
        if is_widest && !self.is_float(ty) {
            self.wrapped(value, bits, span)
        } else {
            value
        }
    }

    /// The width of a bit-field that is wider than `int`, else 0.
    ///
    /// GCC computes with such a field in a type of just that width; other values that take part
    /// count by the width of their type.
    pub fn wide_bits(&self, value: Value) -> u8 {
        if value.bits > 32 { value.bits } else { 0 }
    }

    fn precision(&self, value: Value) -> u8 {
        match (self.wide_bits(value), self.types.scalar(value.ty)) {
            (0, Some(Ty::Int(width))) => width.max(32),
            (bits, _) => bits,
        }
    }

    /// The value as it is in a type of `bits` bits.
    pub fn wrapped(&mut self, value: Value, bits: u8, span: Span) -> Value {
        let Some(Ty::Int(width)) = self.types.scalar(value.ty).filter(|_| bits > 0) else {
            return value;
        };
        let signed = self.types.is_signed(value.ty);
        let narrow = self.body.resize(value.expr, false, bits, span);
        let expr = self.body.resize(narrow, signed, width, span);
        Value {
            expr,
            bits,
            ..value
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: Value, b: Value, signed: bool, span: Span) -> Value {
        use BinaryOp::*;
        let (a, b) = (a.expr, b.expr);
        let (x, y) = if matches!(op, Greater | GreaterEqual) {
            (b, a)
        } else {
            (a, b)
        };
        let is_float = self.body.ty(a).is_float();
        let ir = match (op, is_float, signed) {
            (Equal, true, _) => Ir::FEq,
            (Equal, ..) => Ir::Eq,
            (NotEqual, true, _) => Ir::FNe,
            (NotEqual, ..) => Ir::Ne,
            (Less | Greater, true, _) => Ir::FLt,
            (Less | Greater, _, true) => Ir::SLt,
            (Less | Greater, ..) => Ir::ULt,
            (_, true, _) => Ir::FLe,
            (_, _, true) => Ir::SLe,
            _ => Ir::ULe,
        };
        let condition = self.body.binary(ir, x, y, span);
        self.condition_value(condition, span)
    }

    fn pointer_difference(&mut self, a: Value, b: Value, span: Span) -> Value {
        self.pointer_distance(a.expr, b.expr, span);
        let ty = self.common.difference;
        let scalar = idiolect_ir::Ty::Int(self.pointer_width());
        let bytes = self.body.pointer_difference(a.expr, b.expr, scalar, span);
        let to = self.pointee(a.ty).unwrap_or(self.common.void);
        let size = match self.step_size(to, span) {
            // An empty structure, of GNU C.
            Ok(0) => return self.dummy(ty, span),
            Ok(size) => self.body.constant(u128::from(size), scalar, span),
            Err(size) => size,
        };
        Value::new(self.body.binary(Ir::SDiv, bytes, size, span), ty)
    }

    pub fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        target: &'a Expr,
        value: &'a Expr,
        span: Span,
        wanted: bool,
    ) -> Value {
        self.unsequenced_assignment(target, value, span);
        let lvalue = self.lvalue(target);
        let position = self.body.position();
        let before = self.body.emitted;
        let right = self.rvalue(value);
        let lvalue = self.settled_place(lvalue, position, before);
        let result = match op {
            None => right,
            Some(op) => {
                let left = self.read(lvalue, target.span);
                self.binary(op, left, right, span)
            }
        };
        let result = self.convert(result, lvalue.ty, span);
        self.write(lvalue, result, wanted, span)
    }

    /// Saves the address of a place if something was emitted since.
    fn settled_place(
        &mut self,
        lvalue: LValue,
        position: super::body::Position,
        before: u64,
    ) -> LValue {
        if self.body.emitted == before {
            return lvalue;
        }
        let ty = self.common.void_pointer;
        let place = match lvalue.place {
            LPlace::Register(_) => lvalue.place,
            LPlace::Memory(address) => LPlace::Memory(self.body.stabilize(address, ty, position)),
            LPlace::Bits { address, field } => LPlace::Bits {
                address: self.body.stabilize(address, ty, position),
                field,
            },
        };
        LValue { place, ..lvalue }
    }

    /// `++x`, `x--` and the like.
    pub fn step(&mut self, op: UnaryOp, inner: &'a Expr, span: Span, wanted: bool) -> Value {
        let lvalue = self.lvalue(inner);
        let old = self.read(lvalue, inner.span);
        let is_post = matches!(op, UnaryOp::PostIncrement | UnaryOp::PostDecrement);
        let old = if is_post && wanted {
            Value {
                expr: self.body.save(old.expr, old.ty),
                ..old
            }
        } else {
            old
        };
        let back = matches!(op, UnaryOp::PreDecrement | UnaryOp::PostDecrement);
        let one = self.int_value(1, self.common.int, span);
        let op = if back { BinaryOp::Sub } else { BinaryOp::Add };
        let new = self.binary(op, old, one, span);
        let new = self.convert(new, lvalue.ty, span);
        let written = self.write(lvalue, new, wanted && !is_post, span);
        if is_post { old } else { written }
    }

    /// The type of `c ? a : b` for operands of these types.
    pub fn conditional_type(&mut self, a: Value, b: Value, span: Span) -> TypeId {
        if self.is_void(a.ty) || self.is_void(b.ty) {
            return self.common.void;
        }
        if self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty) {
            return self.usual_type(a, b);
        }
        if a.ty == b.ty {
            return a.ty;
        }
        match (self.pointee(a.ty), self.pointee(b.ty)) {
            (Some(_), _) if self.is_null_constant(b) => a.ty,
            (_, Some(_)) if self.is_null_constant(a) => b.ty,
            (Some(x), Some(y)) => {
                if self.is_void(x) {
                    a.ty
                } else if self.is_void(y) {
                    b.ty
                } else {
                    a.ty
                }
            }
            (Some(_), None) if self.is_integer(b.ty) => a.ty,
            (None, Some(_)) if self.is_integer(a.ty) => b.ty,
            _ if self.are_compatible(a.ty, b.ty) => a.ty,
            _ => {
                let message = format!(
                    "`{}` and `{}` have no common type",
                    self.types.name(a.ty),
                    self.types.name(b.ty)
                );
                self.error("c::conditional", span, message);
                a.ty
            }
        }
    }
}

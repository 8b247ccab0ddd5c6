//! Expressions for their value or for their effect.

use super::Lowerer;
use super::convert::Value;
use super::float;
use super::scope::Entry;
use crate::ast::{
    BinaryOp, Designator, Expr, ExprKind, FloatSuffix, Ident, IntSuffix, LiteralEncoding, TypeName,
    UnaryOp,
};
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType, FloatKind, IntKind};
use idiolect_ir::{Ty, TypeId, UnaryOp as IrUnary};

impl<'a> Lowerer<'a> {
    /// The value of an expression, arrays and functions as pointers.
    pub fn rvalue(&mut self, expr: &'a Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int {
                value,
                suffix,
                decimal,
            } => self.int_constant(*value, *suffix, *decimal, span),
            ExprKind::Float { digits, suffix } => self.float_constant(digits, *suffix, span),
            ExprKind::Char { value, encoding } => {
                let kind = match encoding {
                    LiteralEncoding::Char | LiteralEncoding::Wide => IntKind::Int,
                    LiteralEncoding::Utf16 => IntKind::UShort,
                    LiteralEncoding::Utf32 => IntKind::UInt,
                };
                let ty = self.types.int(kind);
                self.int_value(i128::from(*value), ty, span)
            }
            ExprKind::Ident(symbol) => {
                if let Some(Entry::Enumerator { value, ty }) = self.lookup(*symbol) {
                    return self.int_value(value, ty, span);
                }
                self.place_value(expr)
            }
            ExprKind::String { .. }
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..) => self.place_value(expr),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, expr, true),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                let condition = self.condition(expr);
                self.condition_value(condition, span)
            }
            ExprKind::Binary(..) => self.binary_chain(expr),
            ExprKind::Assign(op, target, value) => self.held(target, span, |this| {
                this.assignment(*op, target, value, span, true)
            }),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, span, true)
            }
            ExprKind::Comma(..) => {
                let last = self.comma_effects(expr);
                self.rvalue(last)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, span, true),
            ExprKind::Cast(name, inner) => self.cast(name, inner, span),
            ExprKind::SizeofExpr(inner) => {
                let ty = self.lvalue_type(inner);
                self.size_value(ty, span)
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name);
                self.size_value(ty, span)
            }
            ExprKind::AlignofExpr(inner) => {
                let ty = self.lvalue_type(inner);
                self.align_value(ty, span)
            }
            ExprKind::AlignofType(name) => {
                let ty = self.type_name(name);
                let written = self.written_alignment(&name.specifiers, &name.declarator);
                let align = self.types.align_of(ty).unwrap_or(1).max(written);
                self.int_value(i128::from(align), self.common.size, span)
            }
            ExprKind::Block(block) => self.statement_expression(block, true),
            ExprKind::LabelAddress(label) => {
                let number = self.label_address(*label);
                let expr = self.body.constant(u128::from(number), Ty::Ptr, span);
                Value::new(expr, self.common.void_pointer)
            }
            ExprKind::Generic { control, arms } => match self.generic_arm(control, arms, span) {
                Some(arm) => self.rvalue(arm),
                None => self.dummy(self.common.int, span),
            },
            ExprKind::VaArg(list, name) => self.va_arg(list, name, span),
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, span),
            ExprKind::TypesCompatible(a, b) => {
                let of =
                    |name: &TypeName| self.constness(&name.specifiers, &name.declarator).pointee;
                let is_like = of(a) == of(b);
                let (a, b) = (self.type_name(a), self.type_name(b));
                let is_pointer = self.pointee(a).is_some();
                let same = i128::from(self.are_compatible(a, b) && (is_like || !is_pointer));
                self.int_value(same, self.common.int, span)
            }
            ExprKind::Choose(condition, a, b) => {
                let chosen = self.constant_int(condition).unwrap_or(0) != 0;
                self.rvalue(if chosen { a } else { b })
            }
            ExprKind::Error => self.dummy(self.common.int, span),
        }
    }

    fn place_value(&mut self, expr: &'a Expr) -> Value {
        let lvalue = self.lvalue(expr);
        self.read(lvalue, expr.span)
    }

    /// Evaluates an expression whose value nobody uses.
    pub fn effect(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Assign(op, target, value) => {
                self.held(target, expr.span, |this| {
                    this.assignment(*op, target, value, expr.span, false)
                });
            }
            ExprKind::Unary(op, inner) => {
                self.unary(*op, inner, expr, false);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, expr.span, false);
            }
            ExprKind::Comma(..) => {
                let last = self.comma_effects(expr);
                self.effect(last);
            }
            ExprKind::Call(callee, arguments) => {
                self.call(callee, arguments, expr.span, false);
            }
            ExprKind::Cast(name, inner) => {
                let ty = self.type_name(name);
                if self.is_void(ty) {
                    self.effect(inner);
                } else {
                    self.rvalue(inner);
                }
            }
            ExprKind::Block(block) => {
                self.statement_expression(block, false);
            }
            _ => {
                self.rvalue(expr);
            }
        }
    }

    /// Lowers all but the last of a chain of commas, which is returned.
    fn comma_effects(&mut self, expr: &'a Expr) -> &'a Expr {
        let mut firsts = Vec::new();
        let mut expr = expr;
        let ExprKind::Comma(first, last) = &expr.kind else {
            return expr;
        };
        expr = first;
        while let ExprKind::Comma(first, second) = &expr.kind {
            firsts.push(&**second);
            expr = first;
        }
        self.effect(expr);
        for first in firsts.into_iter().rev() {
            self.effect(first);
        }
        last
    }

    fn int_constant(&mut self, value: u128, suffix: IntSuffix, decimal: bool, span: Span) -> Value {
        use IntKind::*;
        let candidates: &[IntKind] = match (suffix.longs, suffix.unsigned) {
            (0, false) => &[Int, UInt, Long, ULong, LongLong, ULongLong],
            (0, true) => &[UInt, ULong, ULongLong],
            (1, false) => &[Long, ULong, LongLong, ULongLong],
            (1, true) => &[ULong, ULongLong],
            (_, false) => &[LongLong, ULongLong],
            (_, true) => &[ULongLong],
        };
        let model = self.types.model;
        let fits = |kind: IntKind| {
            let bits = kind.size(model) * 8 - u64::from(kind.is_signed());
            value >> bits == 0
        };
        let found = candidates
            .iter()
            .copied()
            .find(|&k| (k.is_signed() || !decimal || suffix.unsigned) && fits(k));
        let kind = found.unwrap_or(if decimal && !suffix.unsigned {
            Int128
        } else {
            ULongLong
        });
        let ty = self.types.int(kind);
        self.int_value(value as i128, ty, span)
    }

    fn float_constant(&mut self, digits: &str, suffix: FloatSuffix, span: Span) -> Value {
        let kind = match suffix {
            FloatSuffix::None => FloatKind::Double,
            FloatSuffix::Float => FloatKind::Float,
            FloatSuffix::LongDouble | FloatSuffix::Float128 => FloatKind::LongDouble,
            FloatSuffix::Imaginary => {
                let ty = self.complex(self.common.double);
                return self.unmodelled_value(ty, ty, span);
            }
        };
        let ty = self.types.intern(CType::Float(kind));
        let scalar = self.types.scalar(ty).unwrap_or(Ty::F64);
        let Some(bits) = float::parse(digits, scalar) else {
            self.error("c::number", span, format!("`{digits}` is not a number"));
            return self.dummy(ty, span);
        };
        Value::new(self.body.constant(bits, scalar, span), ty)
    }

    fn unary(&mut self, op: UnaryOp, inner: &'a Expr, expr: &'a Expr, wanted: bool) -> Value {
        let span = expr.span;
        match op {
            UnaryOp::Deref => self.place_value(expr),
            UnaryOp::AddressOf => {
                // `&*p` and `&a[i]` do not read anything.
                self.pointing_at = Some(inner.span);
                let lvalue = self.lvalue(inner);
                self.address_of(lvalue, span)
            }
            UnaryOp::Not => {
                let condition = self.condition(inner);
                let negated = self.body.negate(condition, span);
                self.condition_value(negated, span)
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.rvalue(inner);
                self.arithmetic_unary(op, value, span)
            }
            UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => {
                self.held(inner, span, |this| this.step(op, inner, span, wanted))
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let ty = self.lvalue_type(inner);
                if self.complex_element(ty).is_some() {
                    return self.place_value(expr);
                }
                let value = self.rvalue(inner);
                if op == UnaryOp::Real {
                    return value;
                }
                self.dummy(value.ty, span)
            }
        }
    }

    fn arithmetic_unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Value {
        if self.is_unmodelled_type(value.ty) {
            return self.unmodelled_value(value.ty, value.ty, span);
        }
        if !self.is_arithmetic(value.ty) {
            let message = format!("`{}` is not a number", self.types.name(value.ty));
            self.error("c::operand", span, message);
            return self.dummy(self.common.int, span);
        }
        let bits = self.wide_bits(value);
        let value = self.promote(value, span);
        let is_float = self.is_float(value.ty);
        let expr = match op {
            UnaryOp::Minus if is_float => self.body.unary(IrUnary::FNeg, value.expr, span),
            UnaryOp::Minus => {
                let signed = self.types.is_signed(value.ty);
                self.body.unary(IrUnary::Neg { signed }, value.expr, span)
            }
            UnaryOp::BitNot if !is_float => self.body.unary(IrUnary::Not, value.expr, span),
            _ => value.expr,
        };
        self.wrapped(Value::new(expr, value.ty), bits, span)
    }

    fn cast(&mut self, name: &'a TypeName, inner: &'a Expr, span: Span) -> Value {
        let ty = self.type_name(name);
        if self.is_void(ty) {
            self.effect(inner);
            return self.dummy(ty, span);
        }
        let value = self.rvalue(inner);
        self.other_number(value, ty, span);
        let mut result = self.convert(value, ty, span);
        result.bits = 0;
        result
    }

    /// The type of an expression that is not evaluated, after decay.
    pub fn type_of(&mut self, expr: &'a Expr) -> TypeId {
        self.lvalue_type(expr)
    }

    /// The type of an expression that is not evaluated, arrays staying arrays.
    pub fn lvalue_type(&mut self, expr: &'a Expr) -> TypeId {
        self.unevaluated(|this| match &expr.kind {
            ExprKind::Ident(symbol)
                if matches!(this.lookup(*symbol), Some(Entry::Enumerator { .. })) =>
            {
                this.rvalue(expr).ty
            }
            ExprKind::Ident(_)
            | ExprKind::String { .. }
            | ExprKind::Index(..)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Unary(UnaryOp::Deref, _) => this.lvalue(expr).ty,
            ExprKind::Generic { control, arms } => {
                match this.generic_arm(control, arms, expr.span) {
                    Some(arm) => this.lvalue_type(arm),
                    None => this.common.int,
                }
            }
            _ => this.rvalue(expr).ty,
        })
    }

    fn size_value(&mut self, ty: TypeId, span: Span) -> Value {
        if self.is_variable(ty) {
            let expr = self.runtime_size(ty, span);
            return Value::new(expr, self.common.size);
        }
        let size = match self.types.size_of(ty) {
            Some(size) => size,
            None => match self.types.get(ty) {
                CType::Void | CType::Function(_) => 1,
                _ => {
                    let message =
                        format!("the size of `{}` is not known here", self.types.name(ty));
                    self.error("c::incomplete-type", span, message);
                    1
                }
            },
        };
        self.int_value(i128::from(size), self.common.size, span)
    }

    fn align_value(&mut self, ty: TypeId, span: Span) -> Value {
        let align = self.types.align_of(ty).unwrap_or(1);
        self.int_value(i128::from(align), self.common.size, span)
    }

    fn offsetof(&mut self, name: &'a TypeName, path: &'a [Designator], span: Span) -> Value {
        let mut ty = self.type_name(name);
        let mut offset = 0u64;
        let pointer_width = self.pointer_width();
        // Indices that are not constants are allowed by GCC.
        let mut dynamic = None;
        for step in path {
            match step {
                Designator::Field(field) => {
                    let found = self
                        .record_of(ty)
                        .and_then(|record| Some((record, self.find_field(record, field.symbol)?)));
                    let Some((_, found)) = found else {
                        self.bad_member(ty, *field);
                        return self.dummy(self.common.size, span);
                    };
                    offset += found.offset;
                    ty = found.ty;
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let CType::Array { element, .. } = *self.types.get(ty) else {
                        let message = format!("`{}` is not an array", self.types.name(ty));
                        self.error("c::not-an-array", span, message);
                        return self.dummy(self.common.size, span);
                    };
                    ty = element;
                    let size = self.types.size_of(element).unwrap_or(1);
                    let value = self.rvalue(index);
                    let value = self.convert(value, self.common.difference, span);
                    let size = self
                        .body
                        .constant(u128::from(size), Ty::Int(pointer_width), span);
                    let op = idiolect_ir::BinaryOp::Mul { signed: false };
                    let bytes = self.body.binary(op, value.expr, size, span);
                    dynamic = Some(match dynamic {
                        Some(sum) => {
                            let op = idiolect_ir::BinaryOp::Add { signed: false };
                            self.body.binary(op, sum, bytes, span)
                        }
                        None => bytes,
                    });
                }
            }
        }
        let base = self.int_value(i128::from(offset), self.common.size, span);
        match dynamic {
            Some(bytes) => {
                let op = idiolect_ir::BinaryOp::Add { signed: false };
                Value::new(
                    self.body.binary(op, base.expr, bytes, span),
                    self.common.size,
                )
            }
            None => base,
        }
    }

    pub fn bad_member(&mut self, ty: TypeId, field: Ident) {
        match self.record_of(ty) {
            Some(record) => self.no_field(record, ty, field),
            None => {
                let message = format!("`{}` has no members", self.types.name(ty));
                self.error("c::not-a-record", field.span, message);
            }
        }
    }

    /// A string literal as a read-only global; equal ones are one object.
    pub fn string_literal(
        &mut self,
        units: &[u32],
        encoding: LiteralEncoding,
        span: Span,
    ) -> (idiolect_ir::GlobalId, TypeId) {
        let (kind, size) = match encoding {
            LiteralEncoding::Char => (IntKind::Char, 1),
            LiteralEncoding::Wide => (IntKind::Int, 4),
            LiteralEncoding::Utf16 => (IntKind::UShort, 2),
            LiteralEncoding::Utf32 => (IntKind::UInt, 4),
        };
        let element = self.types.int(kind);
        let ty = self.types.intern(CType::Array {
            element,
            length: ArrayLength::Known(units.len() as u64 + 1),
        });
        let mut bytes = Vec::with_capacity((units.len() + 1) * size);
        for unit in units.iter().chain([&0]) {
            bytes.extend_from_slice(&unit.to_le_bytes()[..size]);
        }
        if let Some(&global) = self.strings.get(&(bytes.clone(), ty)) {
            self.has_equal_literals |= !self.is_library();
            return (global, ty);
        }
        let global = idiolect_ir::GlobalId::new(self.globals.len());
        self.strings.insert((bytes.clone(), ty), global);
        self.globals.push(idiolect_ir::Global {
            name: format!(".str{}", self.strings.len() - 1),
            ty,
            size: bytes.len() as u64,
            align: size as u64,
            bytes,
            relocations: Vec::new(),
            read_only: true,
            is_unwritten: false,
            is_library: self.units[self.unit].is_library,
            function: None,
            span,
        });
        (global, ty)
    }

    /// Lowers code that never runs, for its type or its constant value.
    pub fn unevaluated<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let n_unmodelled = self.n_unmodelled;
        self.unevaluated += 1;
        let result = self.detached(f);
        self.unevaluated -= 1;
        self.n_unmodelled = n_unmodelled;
        result.0
    }

    /// Lowers code into a block that nothing reaches; says whether it emitted anything.
    pub fn detached<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (R, bool) {
        let saved = self.body.current;
        let emitted = self.body.emitted;
        let inputs = self.inputs.len();
        let (marks, assumptions) = (self.marks.len(), self.ledger.len());
        let block = self.body.new_block();
        self.body.start(block);
        let result = f(self);
        let is_clean =
            self.body.current == block && self.body.blocks[block.index()].stmts.is_empty();
        let did_emit = self.body.emitted != emitted;
        self.body.start(saved);
        self.body.emitted = emitted;
        self.inputs.truncate(inputs);
        self.marks.truncate(marks);
        self.ledger.truncate(assumptions);
        if is_clean && self.body.blocks.len() == block.index() + 1 {
            self.body.blocks.pop();
        }
        (result, did_emit)
    }
}

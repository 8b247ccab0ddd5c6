//! C's conversions between types.

use super::Lowerer;
use super::float;
use idiolect_base::Span;
use idiolect_ir::ctype::{CType, FunctionType, IntKind, RecordId};
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, Ty, TypeId};

/// A value with its C type. Aggregates are held by the address of an object that has the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub expr: ExprId,
    pub ty: TypeId,
    /// The width of the bit-field that it was read from, or 0: narrow ones promote to `int`.
    pub bits: u8,
}

impl Value {
    pub fn new(expr: ExprId, ty: TypeId) -> Self {
        Value { expr, ty, bits: 0 }
    }
}

impl Lowerer<'_> {
    pub fn pointer_width(&self) -> u8 {
        self.types.model.pointer_width()
    }

    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(
            self.types.get(ty),
            CType::Bool | CType::Int(_) | CType::Enum(_)
        )
    }

    pub fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Float(_))
    }

    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Void)
    }

    pub fn record_of(&self, ty: TypeId) -> Option<RecordId> {
        match self.types.get(ty) {
            CType::Record(id) => Some(*id),
            _ => None,
        }
    }

    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.types.get(ty) {
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The function type of a function or a pointer to one.
    pub fn function_type_of(&self, ty: TypeId) -> Option<(TypeId, FunctionType)> {
        match self.types.get(ty) {
            CType::Function(f) => Some((ty, f.clone())),
            CType::Pointer(to) => match self.types.get(*to) {
                CType::Function(f) => Some((*to, f.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn int_value(&mut self, value: i128, ty: TypeId, span: Span) -> Value {
        let scalar = self.types.scalar(ty).unwrap_or(Ty::Int(32));
        Value::new(self.body.constant(value as u128, scalar, span), ty)
    }

    /// What stands for a value where there is none: after an error, or of type `void`.
    pub fn dummy(&mut self, ty: TypeId, span: Span) -> Value {
        let scalar = self.types.scalar(ty).unwrap_or(Ty::Ptr);
        Value::new(self.body.constant(0, scalar, span), ty)
    }

    /// The integer kind after promotion; `None` if not an integer.
    fn promoted_kind(&self, ty: TypeId, bits: u8) -> Option<IntKind> {
        let kind = match self.types.get(ty) {
            CType::Bool => return Some(IntKind::Int),
            CType::Int(kind) => *kind,
            CType::Enum(id) => self.types.enumeration(*id).underlying,
            _ => return None,
        };
        let width = if bits > 0 {
            bits
        } else {
            (kind.size(self.types.model) * 8) as u8
        };
        Some(
            if width < 32 || width == 32 && kind.is_signed() && kind < IntKind::Long {
                IntKind::Int
            } else if bits == 32 && kind == IntKind::UInt {
                IntKind::UInt
            } else {
                kind
            },
        )
    }

    pub fn promoted_type(&mut self, ty: TypeId, bits: u8) -> TypeId {
        match self.promoted_kind(ty, bits) {
            Some(kind) => self.types.int(kind),
            None => ty,
        }
    }

    pub fn promote(&mut self, value: Value, span: Span) -> Value {
        let ty = self.promoted_type(value.ty, value.bits);
        self.convert(value, ty, span)
    }

    /// Arguments for `...` and for functions without a prototype.
    pub fn default_promote(&mut self, value: Value, span: Span) -> Value {
        match self.types.get(value.ty) {
            CType::Float(idiolect_ir::ctype::FloatKind::Float) => {
                self.convert(value, self.common.double, span)
            }
            _ => self.promote(value, span),
        }
    }

    /// The type in which two arithmetic operands meet.
    pub fn usual_type(&mut self, a: Value, b: Value) -> TypeId {
        if let (CType::Float(x), y) | (y, CType::Float(x)) =
            (self.types.get(a.ty), self.types.get(b.ty))
        {
            let kind = match y {
                CType::Float(y) => *x.max(y),
                _ => *x,
            };
            return self.types.intern(CType::Float(kind));
        }
        let x = self.promoted_kind(a.ty, a.bits).unwrap_or(IntKind::Int);
        let y = self.promoted_kind(b.ty, b.bits).unwrap_or(IntKind::Int);
        let kind = self.usual_kind(x, y);
        self.types.int(kind)
    }

    fn usual_kind(&self, x: IntKind, y: IntKind) -> IntKind {
        if x == y {
            return x;
        }
        let (low, high) = if rank(x) < rank(y) { (x, y) } else { (y, x) };
        if low.is_signed() == high.is_signed() || rank(low) < rank(high) && !high.is_signed() {
            return high;
        }
        // One is signed: the unsigned one has the lower rank, or ranks are equal.
        if rank(low) == rank(high) {
            return if low.is_signed() { high } else { low };
        }
        let model = self.types.model;
        if high.size(model) > low.size(model) {
            high
        } else {
            unsigned(high)
        }
    }

    /// The type that `&` of an lvalue or a decayed array or function has.
    pub fn decay(&mut self, value: Value) -> Value {
        let ty = match *self.types.get(value.ty) {
            CType::Array { element, .. } => self.types.pointer_to(element),
            CType::Function(_) | CType::VaList => self.types.pointer_to(value.ty),
            _ => return value,
        };
        Value::new(value.expr, ty)
    }

    /// Converts a scalar to another scalar type, as a cast does; anything converts to `void`.
    pub fn convert(&mut self, value: Value, to: TypeId, span: Span) -> Value {
        if value.ty == to {
            return Value::new(value.expr, to);
        }
        let value = self.decay(value);
        if self.is_void(to) {
            return Value::new(value.expr, to);
        }
        let (Some(from_ty), Some(to_ty)) = (self.types.scalar(value.ty), self.types.scalar(to))
        else {
            return self.convert_aggregate(value, to, span);
        };
        let from_signed = self.types.is_signed(value.ty);
        let pointer = self.pointer_width();
        let b = &mut self.body;
        if matches!(self.types.get(to), CType::Bool) {
            let condition = self.truth(value, span);
            return Value::new(self.body.resize(condition, false, 8, span), to);
        }
        let expr = match (from_ty, to_ty) {
            (Ty::Int(_), Ty::Int(width)) => b.resize(value.expr, from_signed, width, span),
            (Ty::Int(_), Ty::Ptr) => {
                let wide = b.resize(value.expr, from_signed, pointer, span);
                b.convert(ConvertOp::IntToPtr, wide, Ty::Ptr, span)
            }
            (Ty::Ptr, Ty::Int(width)) => {
                self.address_as_number(value.expr, span);
                let b = &mut self.body;
                let bits = b.convert(ConvertOp::PtrToInt, value.expr, Ty::Int(pointer), span);
                // GCC extends the sign of a pointer.
                b.resize(bits, true, width, span)
            }
            (Ty::Ptr, Ty::Ptr) => value.expr,
            (Ty::Int(_), _) => {
                let op = ConvertOp::IntToFloat {
                    signed: from_signed,
                };
                b.convert(op, value.expr, to_ty, span)
            }
            (_, Ty::Int(width)) => {
                let signed = self.types.is_signed(to);
                self.float_to_int(value.expr, width, signed, span)
            }
            (Ty::Ptr, _) | (_, Ty::Ptr) => {
                let message = format!(
                    "`{}` cannot become `{}`",
                    self.types.name(value.ty),
                    self.types.name(to)
                );
                self.error("c::conversion", span, message);
                return self.dummy(to, span);
            }
            _ => b.convert(ConvertOp::FloatToFloat, value.expr, to_ty, span),
        };
        Value::new(expr, to)
    }

    /// x86-64 converts to types below `int` through `int`.
    fn float_to_int(&mut self, expr: ExprId, width: u8, signed: bool, span: Span) -> ExprId {
        let from = self.body.ty(expr);
        if let Some(bits) = self.body.const_bits(expr)
            && (width < 32 || self.in_static_initializer)
            && float::to_int(bits, from, width, signed).is_none()
        {
            if self.in_static_initializer {
                self.unfit_initializer(span);
                let nearest = float::to_nearest_int(bits, from, width, signed);
                return self.body.constant(nearest, Ty::Int(width), span);
            }
            self.unfit_constant(span);
        }
        let b = &mut self.body;
        if width < 32 {
            let op = ConvertOp::FloatToInt { signed: true };
            let int = b.convert(op, expr, Ty::Int(32), span);
            return b.resize(int, true, width, span);
        }
        b.convert(ConvertOp::FloatToInt { signed }, expr, Ty::Int(width), span)
    }

    fn convert_aggregate(&mut self, value: Value, to: TypeId, span: Span) -> Value {
        if self.are_compatible(value.ty, to) {
            return Value::new(value.expr, to);
        }
        // A cast to a union type from one of its members.
        if let Some(record) = self.record_of(to)
            && self.types.record(record).is_union
            && let Some(layout) = &self.types.record(record).layout
            && let Some(field) = layout.fields.iter().find(|f| f.ty == value.ty)
        {
            let field_ty = field.ty;
            let address = self.memory_temporary(to, span);
            self.store_at(address, field_ty, value, span);
            return Value::new(address, to);
        }
        if self.is_unmodelled_type(value.ty) || self.is_unmodelled_type(to) {
            return self.unmodelled_value(value.ty, to, span);
        }
        let message = format!(
            "`{}` cannot become `{}`",
            self.types.name(value.ty),
            self.types.name(to)
        );
        self.error("c::conversion", span, message);
        self.dummy(to, span)
    }

    /// Whether records are the same for all that matters. Units that declare the same record have
    /// different ids for it.
    pub fn are_compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (CType::Record(x), CType::Record(y)) => {
                let (x, y) = (self.types.record(*x), self.types.record(*y));
                x.is_union == y.is_union
                    && match (&x.layout, &y.layout) {
                        (Some(p), Some(q)) => {
                            p.size == q.size && p.fields.len() == q.fields.len() && x.tag == y.tag
                        }
                        _ => x.tag == y.tag && x.tag.is_some(),
                    }
            }
            (CType::Pointer(x), CType::Pointer(y)) => self.are_compatible(*x, *y),
            (
                CType::Array {
                    element: x,
                    length: m,
                },
                CType::Array {
                    element: y,
                    length: n,
                },
            ) => {
                use idiolect_ir::ctype::ArrayLength::Known;
                self.are_compatible(*x, *y) && !matches!((m, n), (Known(m), Known(n)) if m != n)
            }
            (CType::Function(x), CType::Function(y)) => {
                self.are_compatible(x.ret, y.ret)
                    && (!x.prototype
                        || !y.prototype
                        || x.variadic == y.variadic
                            && x.params.len() == y.params.len()
                            && x.params
                                .iter()
                                .zip(&y.params)
                                .all(|(&p, &q)| self.are_compatible(p, q)))
            }
            (CType::Enum(e), CType::Int(kind)) | (CType::Int(kind), CType::Enum(e)) => {
                self.types.enumeration(*e).underlying == *kind
            }
            _ => false,
        }
    }

    /// Whether a value is not zero, as one bit.
    pub fn truth(&mut self, value: Value, span: Span) -> ExprId {
        let value = self.decay(value);
        let Some(ty) = self.types.scalar(value.ty) else {
            if self.is_unmodelled_type(value.ty) {
                self.unmodelled_value(value.ty, value.ty, span);
            } else {
                let message = format!("`{}` is not a condition", self.types.name(value.ty));
                self.error("c::condition", span, message);
            }
            return self.body.constant(0, Ty::BOOL, span);
        };
        if let ExprKind::Convert(ConvertOp::ZeroExtend, inner) =
            self.body.exprs[value.expr.index()].kind
            && self.body.ty(inner) == Ty::BOOL
        {
            return inner;
        }
        // Functions and variables have addresses.
        if matches!(
            self.body.exprs[value.expr.index()].kind,
            ExprKind::GlobalAddress(_) | ExprKind::LocalAddress(_) | ExprKind::FunctionAddress(_)
        ) {
            return self.body.constant(1, Ty::BOOL, span);
        }
        let zero = self.body.constant(0, ty, span);
        let op = if ty.is_float() {
            BinaryOp::FNe
        } else {
            BinaryOp::Ne
        };
        self.body.binary(op, value.expr, zero, span)
    }

    /// A condition as C's `int`.
    pub fn condition_value(&mut self, condition: ExprId, span: Span) -> Value {
        let expr = self.body.resize(condition, false, 32, span);
        Value::new(expr, self.common.int)
    }

    /// Whether this is the constant 0, which converts to any pointer type.
    pub fn is_null_constant(&self, value: Value) -> bool {
        self.body.const_bits(value.expr) == Some(0)
            && (self.is_integer(value.ty)
                || self.pointee(value.ty).is_some_and(|to| self.is_void(to)))
    }
}

fn rank(kind: IntKind) -> u8 {
    use IntKind::*;
    match kind {
        Char | SChar | UChar => 0,
        Short | UShort => 1,
        Int | UInt => 2,
        Long | ULong => 3,
        LongLong | ULongLong => 4,
        Int128 | UInt128 => 5,
    }
}

pub(crate) fn unsigned(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Char | SChar | UChar => UChar,
        Short | UShort => UShort,
        Int | UInt => UInt,
        Long | ULong => ULong,
        LongLong | ULongLong => ULongLong,
        Int128 | UInt128 => UInt128,
    }
}

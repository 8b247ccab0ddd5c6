//! Expressions that are built smaller than they were asked for: constants are computed, and what
//! C's implicit conversions add is taken away again.

use super::body::Body;
use super::float;
use idiolect_base::Span;
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, Ty, UnaryOp};

/// The bits that a value of this type can have.
pub(crate) fn mask(bits: u128, ty: Ty) -> u128 {
    match ty {
        Ty::Int(width) if width < 128 => bits & ((1 << width) - 1),
        _ => bits,
    }
}

/// Reads `width` bits as a signed number.
pub(crate) fn signed(bits: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    (bits << unused) as i128 >> unused
}

/// The value of an operation on constants of type `ty`; `None` if it has none (division by zero)
/// or is not worth computing.
fn binary_bits(op: BinaryOp, a: u128, b: u128, ty: Ty) -> Option<u128> {
    use BinaryOp::*;
    if ty.is_float() {
        return float_bits(op, a, b, ty);
    }
    let width = ty.int_width().unwrap_or(64);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let flag = |c: bool| Some(u128::from(c));
    let amount = (b % u128::from(width)) as u32;
    Some(match op {
        Add { .. } => a.wrapping_add(b),
        Sub { .. } => a.wrapping_sub(b),
        Mul { .. } => a.wrapping_mul(b),
        UDiv => a.checked_div(b)?,
        URem => a.checked_rem(b)?,
        SDiv | SRem if sb == -1 && sa == signed(1 << (width - 1), width) => return None,
        SDiv => sa.checked_div(sb)? as u128,
        SRem => sa.checked_rem(sb)? as u128,
        Shl { .. } => a << amount,
        LShr => a >> amount,
        AShr => (sa >> amount) as u128,
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Eq => return flag(a == b),
        Ne => return flag(a != b),
        ULt => return flag(a < b),
        ULe => return flag(a <= b),
        SLt => return flag(sa < sb),
        SLe => return flag(sa <= sb),
        PtrDiff => a.wrapping_sub(b),
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => return None,
    })
}

fn float_bits(op: BinaryOp, a: u128, b: u128, ty: Ty) -> Option<u128> {
    use BinaryOp::*;
    let flag = |c: bool| Some(u128::from(c));
    if ty == Ty::F32 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let value = match op {
            FAdd => x + y,
            FSub => x - y,
            FMul => x * y,
            FDiv => x / y,
            FEq => return flag(x == y),
            FNe => return flag(x != y),
            FLt => return flag(x < y),
            FLe => return flag(x <= y),
            _ => return None,
        };
        return Some(u128::from(value.to_bits()));
    }
    if ty == Ty::F80 {
        return float::binary_80(op, a, b);
    }
    let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
    let value = match op {
        FEq => return flag(x == y),
        FNe => return flag(x != y),
        FLt => return flag(x < y),
        FLe => return flag(x <= y),
        FAdd => x + y,
        FSub => x - y,
        FMul => x * y,
        FDiv => x / y,
        _ => return None,
    };
    Some(u128::from(value.to_bits()))
}

fn convert_bits(op: ConvertOp, bits: u128, from: Ty, to: Ty) -> Option<u128> {
    Some(match op {
        ConvertOp::ZeroExtend | ConvertOp::PtrToInt | ConvertOp::IntToPtr => bits,
        ConvertOp::Truncate => mask(bits, to),
        ConvertOp::SignExtend => mask(signed(bits, from.int_width()?) as u128, to),
        ConvertOp::IntToFloat { signed: true } => {
            let value = signed(bits, from.int_width()?);
            float::from_int(value < 0, value.unsigned_abs(), to)
        }
        ConvertOp::IntToFloat { signed: false } => float::from_int(false, bits, to),
        ConvertOp::FloatToInt { signed } => {
            mask(float::to_int(bits, from, to.int_width()?, signed)?, to)
        }
        ConvertOp::FloatToFloat => float::convert(bits, from, to),
    })
}

impl Body {
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        use BinaryOp::*;
        let ty = self.ty(a);
        let result = if op.is_comparison() { Ty::BOOL } else { ty };
        let (ca, cb) = (self.const_bits(a), self.const_bits(b));
        if let (Some(x), Some(y)) = (ca, cb)
            && let Some(bits) = binary_bits(op, x, y, ty)
        {
            return self.constant(bits, result, span);
        }
        if ty.int_width().is_some() {
            match (op, ca, cb) {
                (Add { .. } | BitOr | BitXor, Some(0), _) => return b,
                (Add { .. } | Sub { .. } | BitOr | BitXor, _, Some(0)) => return a,
                (Shl { .. } | LShr | AShr, _, Some(0)) => return a,
                (Mul { .. }, Some(1), _) => return b,
                (Mul { .. } | UDiv | SDiv, _, Some(1)) => return a,
                // `(a < b) != 0`
                (Eq | Ne, _, Some(y)) => {
                    if let ExprKind::Convert(ConvertOp::ZeroExtend, inner) =
                        self.exprs[a.index()].kind
                        && self.ty(inner) == Ty::BOOL
                        && y <= 1
                    {
                        return if (op == Eq) == (y == 1) {
                            inner
                        } else {
                            self.negate(inner, span)
                        };
                    }
                }
                _ => {}
            }
        }
        self.add(ExprKind::Binary(op, a, b), result, span)
    }

    /// The difference of two pointers in bytes.
    pub fn pointer_difference(&mut self, a: ExprId, b: ExprId, ty: Ty, span: Span) -> ExprId {
        if let (Some(x), Some(y)) = (self.const_bits(a), self.const_bits(b)) {
            return self.constant(x.wrapping_sub(y), ty, span);
        }
        self.add(ExprKind::Binary(BinaryOp::PtrDiff, a, b), ty, span)
    }

    pub fn unary(&mut self, op: UnaryOp, a: ExprId, span: Span) -> ExprId {
        let ty = self.ty(a);
        if let Some(bits) = self.const_bits(a) {
            let bits = match (op, ty) {
                (UnaryOp::Neg { .. }, _) => bits.wrapping_neg(),
                (UnaryOp::Not, _) => !bits,
                (UnaryOp::FNeg, Ty::F32) => bits ^ 1 << 31,
                (UnaryOp::FNeg, Ty::F64) => bits ^ 1 << 63,
                (UnaryOp::FNeg, _) => bits ^ 1 << 79,
            };
            return self.constant(bits, ty, span);
        }
        self.add(ExprKind::Unary(op, a), ty, span)
    }

    /// The opposite of a condition.
    pub fn negate(&mut self, condition: ExprId, span: Span) -> ExprId {
        use BinaryOp::*;
        match self.exprs[condition.index()].kind {
            ExprKind::Unary(UnaryOp::Not, inner) => inner,
            ExprKind::Binary(op, a, b) if self.ty(condition) == Ty::BOOL => {
                let (op, a, b) = match op {
                    Eq => (Ne, a, b),
                    Ne => (Eq, a, b),
                    ULt => (ULe, b, a),
                    ULe => (ULt, b, a),
                    SLt => (SLe, b, a),
                    SLe => (SLt, b, a),
                    FEq => (FNe, a, b),
                    FNe => (FEq, a, b),
                    _ => return self.unary(UnaryOp::Not, condition, span),
                };
                self.binary(op, a, b, span)
            }
            _ => self.unary(UnaryOp::Not, condition, span),
        }
    }

    pub fn convert(&mut self, op: ConvertOp, a: ExprId, to: Ty, span: Span) -> ExprId {
        use ConvertOp::*;
        let from = self.ty(a);
        if from == to {
            return a;
        }
        if let Some(bits) = self.const_bits(a)
            && let Some(bits) = convert_bits(op, bits, from, to)
        {
            return self.constant(bits, to, span);
        }
        if let ExprKind::Convert(inner_op, inner) = self.exprs[a.index()].kind {
            let inner_ty = self.ty(inner);
            let widths = (inner_ty.int_width(), to.int_width());
            match (op, inner_op, widths) {
                (Truncate, ZeroExtend | SignExtend, (Some(i), Some(t))) => {
                    return match t.cmp(&i) {
                        std::cmp::Ordering::Equal => inner,
                        std::cmp::Ordering::Less => self.convert(Truncate, inner, to, span),
                        std::cmp::Ordering::Greater => self.convert(inner_op, inner, to, span),
                    };
                }
                (ZeroExtend | SignExtend, ZeroExtend, _)
                | (SignExtend, SignExtend, _)
                | (Truncate, Truncate, _) => {
                    return self.convert(inner_op, inner, to, span);
                }
                (IntToPtr, PtrToInt, _) | (PtrToInt, IntToPtr, _) if inner_ty == to => {
                    return inner;
                }
                _ => {}
            }
        }
        self.add(ExprKind::Convert(op, a), to, span)
    }

    /// An integer of another width.
    pub fn resize(&mut self, a: ExprId, is_signed: bool, width: u8, span: Span) -> ExprId {
        let op = match self.ty(a).int_width() {
            Some(from) if from > width => ConvertOp::Truncate,
            _ if is_signed => ConvertOp::SignExtend,
            _ => ConvertOp::ZeroExtend,
        };
        self.convert(op, a, Ty::Int(width), span)
    }

    pub fn and(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        match (self.const_bits(a), self.const_bits(b)) {
            (Some(0), _) | (_, Some(1)) => a,
            (Some(_), _) => b,
            _ => self.add(ExprKind::And(a, b), Ty::BOOL, span),
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId, span: Span) -> ExprId {
        match (self.const_bits(a), self.const_bits(b)) {
            (Some(0), _) => b,
            (Some(_), _) | (_, Some(0)) => a,
            _ => self.add(ExprKind::Or(a, b), Ty::BOOL, span),
        }
    }

    pub fn select(&mut self, condition: ExprId, a: ExprId, b: ExprId, span: Span) -> ExprId {
        if let Some(bits) = self.const_bits(condition) {
            return if bits == 0 { b } else { a };
        }
        let ty = self.ty(a);
        if let Ty::Int(width) = ty {
            match (self.const_bits(a), self.const_bits(b)) {
                (Some(1), Some(0)) => return self.resize(condition, false, width, span),
                (Some(0), Some(1)) => {
                    let negated = self.negate(condition, span);
                    return self.resize(negated, false, width, span);
                }
                _ => {}
            }
        }
        let kind = ExprKind::Select {
            condition,
            then: a,
            otherwise: b,
        };
        self.add(kind, ty, span)
    }

    /// `base + index * scale`; the index has the width of a pointer.
    pub fn pointer_add(&mut self, base: ExprId, index: ExprId, scale: u64, span: Span) -> ExprId {
        let Some(steps) = self.const_bits(index) else {
            let kind = ExprKind::PtrAdd { base, index, scale };
            return self.add(kind, Ty::Ptr, span);
        };
        let width = self.ty(index).int_width().unwrap_or(64);
        let bytes = signed(steps, width).wrapping_mul(i128::from(scale));
        if bytes == 0 {
            return base;
        }
        match self.exprs[base.index()].kind {
            ExprKind::Const(bits) => {
                let moved = mask(bits.wrapping_add(bytes as u128), Ty::Int(width));
                self.constant(moved, Ty::Ptr, span)
            }
            // Steps by constants join, so that `s.a.b[2]` is one step.
            ExprKind::PtrAdd {
                base: inner,
                index: by,
                scale: 1,
            } if self.const_bits(by).is_some() => {
                let by = signed(self.const_bits(by).unwrap_or(0), width);
                let total = by.wrapping_add(bytes);
                if total == 0 {
                    return inner;
                }
                let index = self.constant(total as u128, Ty::Int(width), span);
                let kind = ExprKind::PtrAdd {
                    base: inner,
                    index,
                    scale: 1,
                };
                self.add(kind, Ty::Ptr, span)
            }
            _ => {
                let index = self.constant(bytes as u128, Ty::Int(width), span);
                let kind = ExprKind::PtrAdd {
                    base,
                    index,
                    scale: 1,
                };
                self.add(kind, Ty::Ptr, span)
            }
        }
    }

    /// The address `bytes` after `base`.
    pub fn offset(&mut self, base: ExprId, bytes: u64, pointer: u8, span: Span) -> ExprId {
        if bytes == 0 {
            return base;
        }
        let index = self.constant(u128::from(bytes), Ty::Int(pointer), span);
        self.pointer_add(base, index, 1, span)
    }
}

//! Expressions as terms over state variables.

use super::Effects;
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, Ty, UnaryOp};
use idiolect_smt::{Sort, TermId};

impl Effects<'_> {
    pub(super) fn as_bits(&mut self, term: TermId) -> TermId {
        match self.terms.sort(term) {
            Sort::Bool => self.terms.bool_to_bv(term, 1),
            Sort::BitVec(_) => term,
        }
    }

    pub(super) fn typed(&mut self, bits: TermId, ty: Ty) -> TermId {
        match ty {
            Ty::Int(1) if self.terms.sort(bits) != Sort::Bool => self.terms.is_nonzero(bits),
            _ => bits,
        }
    }

    pub(super) fn fit(&mut self, value: TermId, width: u32) -> TermId {
        let bits = self.as_bits(value);
        let own = self.terms.width(bits);
        if own < width {
            self.terms.zext(bits, width)
        } else if own > width {
            self.terms.extract(width - 1, 0, bits)
        } else {
            bits
        }
    }

    fn eval_if(&mut self, context: usize, id: ExprId, condition: TermId) -> TermId {
        self.lazies.push(condition);
        let value = self.eval(context, id);
        self.lazies.pop();
        value
    }

    pub(super) fn eval(&mut self, context: usize, id: ExprId) -> TermId {
        let expr = self.cells.function(context).expr(id);
        let ty = expr.ty;
        match expr.kind {
            ExprKind::Const(bits) => {
                let sort = self.sort_of(ty);
                self.terms.constant(bits, sort)
            }
            ExprKind::Local(local) => self.register(context, local),
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) => {
                let target = self.cells.resolve(context, id);
                match target.and_then(|t| self.address_of(&t)) {
                    Some(address) => address,
                    None => self.some_address(),
                }
            }
            ExprKind::FunctionAddress(function) => self.function_address(function),
            ExprKind::Load { address } => self.load(context, address, ty),
            ExprKind::Unary(op, a) => {
                let a = self.eval(context, a);
                match op {
                    UnaryOp::Not => self.terms.not(a),
                    UnaryOp::Neg { .. } => {
                        let bits = self.as_bits(a);
                        let bits = self.terms.neg(bits);
                        self.typed(bits, ty)
                    }
                    UnaryOp::FNeg => {
                        let width = self.terms.width(a);
                        let sign = self.terms.bv(1 << (width - 1), width);
                        self.terms.xor(a, sign)
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                let operand = self.cells.function(context).expr(a).ty;
                let a = self.eval(context, a);
                let b = self.eval(context, b);
                self.binary(op, a, b, operand, ty)
            }
            ExprKind::Convert(op, a) => {
                let a = self.eval(context, a);
                self.convert(op, a, ty)
            }
            ExprKind::And(a, b) => {
                let a = self.eval(context, a);
                let b = self.eval_if(context, b, a);
                self.terms.and(a, b)
            }
            ExprKind::Or(a, b) => {
                let a = self.eval(context, a);
                let otherwise = self.terms.not(a);
                let b = self.eval_if(context, b, otherwise);
                self.terms.or(a, b)
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.eval(context, condition);
                let opposite = self.terms.not(condition);
                let then = self.eval_if(context, then, condition);
                let otherwise = self.eval_if(context, otherwise, opposite);
                self.terms.ite(condition, then, otherwise)
            }
            ExprKind::PtrAdd { base, index, .. } => {
                let target = self.cells.resolve(context, id);
                if let Some(address) = target.and_then(|t| self.address_of(&t)) {
                    return address;
                }
                // Only what it points to is followed, by `Cells::resolve`.
                self.eval(context, base);
                self.eval(context, index);
                let sort = self.sort_of(ty);
                self.guess(sort)
            }
        }
    }

    fn convert(&mut self, op: ConvertOp, a: TermId, to: Ty) -> TermId {
        let width = self.width_of(to);
        match op {
            ConvertOp::ZeroExtend | ConvertOp::Truncate => {
                let bits = self.fit(a, width);
                self.typed(bits, to)
            }
            ConvertOp::SignExtend => {
                let bits = self.as_bits(a);
                let bits = self.terms.sext(bits, width);
                self.typed(bits, to)
            }
            ConvertOp::PtrToInt | ConvertOp::IntToPtr => {
                // Only null is the same number in every layout.
                if self.terms.as_const(a) == Some(0) {
                    return self.terms.bv(0, width);
                }
                self.guess(Sort::BitVec(width))
            }
            ConvertOp::IntToFloat { .. }
            | ConvertOp::FloatToInt { .. }
            | ConvertOp::FloatToFloat => {
                let sort = self.sort_of(to);
                self.guess(sort)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId, operand: Ty, ty: Ty) -> TermId {
        use BinaryOp::*;
        match op {
            BitAnd => return self.terms.and(a, b),
            BitOr => return self.terms.or(a, b),
            BitXor => return self.terms.xor(a, b),
            Eq => return self.terms.eq(a, b),
            Ne => return self.terms.ne(a, b),
            FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe | PtrDiff => {
                let sort = self.sort_of(ty);
                return self.guess(sort);
            }
            // Which of two objects lies lower is up to the layout.
            ULt | ULe if operand == Ty::Ptr => return self.guess(Sort::Bool),
            _ => {}
        }
        let (a, b) = (self.as_bits(a), self.as_bits(b));
        let width = self.terms.width(a);
        let result = match op {
            Add { .. } => self.terms.add(a, b),
            Sub { .. } => self.terms.sub(a, b),
            Mul { .. } => self.terms.mul(a, b),
            UDiv | URem | SDiv | SRem => {
                let zero = self.terms.bv(0, width);
                let by_zero = self.terms.eq(b, zero);
                self.fault(by_zero);
                if matches!(op, SDiv | SRem) {
                    let least = self.terms.bv(1 << (width - 1), width);
                    let minus_one = self.terms.bv(u128::MAX, width);
                    let dividend = self.terms.eq(a, least);
                    let divisor = self.terms.eq(b, minus_one);
                    let overflows = self.terms.and(dividend, divisor);
                    self.fault(overflows);
                }
                match op {
                    UDiv => self.terms.udiv(a, b),
                    URem => self.terms.urem(a, b),
                    SDiv => self.terms.sdiv(a, b),
                    _ => self.terms.srem(a, b),
                }
            }
            Shl { .. } | LShr | AShr => {
                let amount = if width.is_power_of_two() {
                    let mask = self.terms.bv(u128::from(width - 1), width);
                    self.terms.and(b, mask)
                } else {
                    let modulus = self.terms.bv(u128::from(width), width);
                    self.terms.urem(b, modulus)
                };
                match op {
                    LShr => self.terms.lshr(a, amount),
                    AShr => self.terms.ashr(a, amount),
                    _ => self.terms.shl(a, amount),
                }
            }
            ULt => return self.terms.ult(a, b),
            ULe => return self.terms.ule(a, b),
            SLt => return self.terms.slt(a, b),
            _ => return self.terms.sle(a, b),
        };
        self.typed(result, operand)
    }
}

//! Expressions as terms over state variables.

use super::Effects;
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, Property, Ty, UnaryOp};
use idiolect_smt::{Sort, TermId};
use idiolect_symex::{float, operator};

impl Effects<'_> {
    pub(super) fn as_bits(&mut self, term: TermId) -> TermId {
        operator::as_bits(&mut self.terms, term)
    }

    pub(super) fn typed(&mut self, bits: TermId, ty: Ty) -> TermId {
        operator::typed(&mut self.terms, bits, ty)
    }

    pub(super) fn fit(&mut self, value: TermId, width: u32) -> TermId {
        operator::fit(&mut self.terms, value, width)
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
                    UnaryOp::Neg { signed } => {
                        let bits = self.as_bits(a);
                        if signed && self.check_overflow {
                            let overflows = operator::negation_overflows(&mut self.terms, bits);
                            self.fault(Property::Overflow, overflows);
                        }
                        let bits = self.terms.neg(bits);
                        self.typed(bits, ty)
                    }
                    UnaryOp::FNeg => operator::negated_float(&mut self.terms, a),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let operand = self.cells.function(context).expr(a).ty;
                let a = self.eval(context, a);
                let b = self.eval(context, b);
                self.binary(op, a, b, operand, ty)
            }
            ExprKind::Convert(op, a) => {
                let from = self.cells.function(context).expr(a).ty;
                let a = self.eval(context, a);
                self.convert(op, a, from, ty)
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

    fn convert(&mut self, op: ConvertOp, a: TermId, from: Ty, to: Ty) -> TermId {
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
                let bits = self.as_bits(a);
                if let Some(value) = float::convert(&mut self.terms, op, from, to, bits) {
                    return self.typed(value, to);
                }
                let sort = self.sort_of(to);
                self.guess(sort)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId, operand: Ty, ty: Ty) -> TermId {
        use BinaryOp::*;
        if let Some(value) = operator::bitwise(&mut self.terms, op, a, b) {
            return value;
        }
        // Which of two objects lies lower is up to the layout.
        if matches!(op, ULt | ULe) && operand == Ty::Ptr {
            return self.guess(Sort::Bool);
        }
        if matches!(
            op,
            FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe | PtrDiff
        ) {
            if let Some(value) = float::binary(&mut self.terms, op, operand, a, b) {
                return value;
            }
            let sort = self.sort_of(ty);
            return self.guess(sort);
        }
        let (a, b) = (self.as_bits(a), self.as_bits(b));
        if self.check_overflow {
            self.overflow(op, a, b);
        }
        if operator::is_division(op) {
            let by_zero = operator::divides_by_zero(&mut self.terms, b);
            self.fault(Property::Division, by_zero);
            if let Some(overflows) = operator::division_overflows(&mut self.terms, op, a, b) {
                self.fault(Property::Division, overflows);
            }
        }
        match operator::arithmetic(&mut self.terms, op, a, b, operand) {
            Some(value) => value,
            None => {
                let sort = self.sort_of(ty);
                self.guess(sort)
            }
        }
    }

    fn overflow(&mut self, op: BinaryOp, a: TermId, b: TermId) {
        use BinaryOp::*;
        let overflows = match op {
            Add { signed: true } | Sub { signed: true } | Mul { signed: true } => {
                operator::overflows(&mut self.terms, op, a, b)
            }
            Shl { signed: true } => Some(operator::shift_overflows(&mut self.terms, a, b)),
            _ => return,
        };
        match overflows {
            Some(condition) => self.fault(Property::Overflow, condition),
            // Too wide to say.
            None => {
                let truth = self.terms.tt();
                let all = self.if_counts(truth);
                self.is_exact = false;
                self.note_fault(Property::Overflow, all, false);
            }
        }
    }
}

//! Expressions as terms. What an expression may do wrong becomes faults of the state on the way.

use crate::encoder::Encoder;
use crate::float;
use crate::operator;
use crate::state::State;
use idiolect_base::StopReason;
use idiolect_ir::{
    BinaryOp, CType, ConvertOp, ExprId, ExprKind, FaultKind, Function, Ty, TypeId, UnaryOp,
};
use idiolect_smt::{Sort, TermId};

const LONG_DOUBLE: &str = "`long double`";

impl Encoder<'_> {
    pub(crate) fn sort_of(&self, ty: Ty) -> Sort {
        operator::sort_of(ty, self.addresses.width())
    }

    pub(crate) fn width_of(&self, ty: Ty) -> u32 {
        operator::width_of(ty, self.addresses.width())
    }

    /// The size of the first scalar in a type: what bulk writes are cut into.
    pub(crate) fn stride_of(&self, ty: TypeId) -> u32 {
        let types = &self.program.types;
        match types.get(ty) {
            CType::Array { element, .. } => self.stride_of(*element),
            CType::Record(id) => {
                let layout = types.record(*id).layout.as_ref();
                let first = layout.and_then(|l| l.fields.first());
                first.map_or(1, |f| self.stride_of(f.ty))
            }
            _ => types.size_of(ty).unwrap_or(1).clamp(1, 16) as u32,
        }
    }

    pub(crate) fn as_bits(&mut self, term: TermId) -> TermId {
        operator::as_bits(&mut self.terms, term)
    }

    pub(crate) fn typed(&mut self, bits: TermId, ty: Ty) -> TermId {
        operator::typed(&mut self.terms, bits, ty)
    }

    pub(crate) fn fit(&mut self, value: TermId, width: u32) -> TermId {
        operator::fit(&mut self.terms, value, width)
    }

    pub(crate) fn eval(
        &mut self,
        s: &mut State,
        f: &Function,
        id: ExprId,
    ) -> Result<TermId, StopReason> {
        let expr = f.expr(id);
        let ty = expr.ty;
        let width = self.addresses.width();
        Ok(match expr.kind {
            ExprKind::Const(bits) => {
                let sort = self.sort_of(ty);
                self.terms.constant(bits, sort)
            }
            ExprKind::Local(local) | ExprKind::LocalAddress(local) => {
                self.note_register(local);
                match s.registers.get(local.index()) {
                    Some(&value) => value,
                    None => self.nothing(ty),
                }
            }
            ExprKind::GlobalAddress(global) => {
                let object = self.global_object(global);
                self.pointer_term(object)
            }
            ExprKind::FunctionAddress(function) => self.pointer_term(function.0 + 1),
            ExprKind::Load { address } => {
                let address = self.eval_deciding(s, f, address, true)?;
                if s.is_dead() {
                    return Ok(self.nothing(ty));
                }
                let size = self.program.types.scalar_size(ty) as u32;
                // The padding of a `long double` is not read, but has to be there.
                let used = if ty == Ty::F80 { 10 } else { size };
                let bits = self.load(s, address, used, size, ty)?;
                self.typed(bits, ty)
            }
            ExprKind::Unary(op, a) => {
                let a = self.eval(s, f, a)?;
                self.unary(s, op, a, ty)
            }
            ExprKind::Binary(op, a, b) => {
                let operand = f.expr(a).ty;
                let a = self.eval(s, f, a)?;
                let b = self.eval(s, f, b)?;
                self.binary(s, op, a, b, operand)
            }
            ExprKind::Convert(op, a) => {
                let from = f.expr(a).ty;
                let a = self.eval(s, f, a)?;
                self.convert(s, op, a, from, ty)
            }
            ExprKind::And(a, b) => {
                let a = self.eval(s, f, a)?;
                let b = self.eval_if(s, f, b, a)?;
                self.terms.and(a, b)
            }
            ExprKind::Or(a, b) => {
                let a = self.eval(s, f, a)?;
                let otherwise = self.terms.not(a);
                let b = self.eval_if(s, f, b, otherwise)?;
                self.terms.or(a, b)
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.eval(s, f, condition)?;
                let opposite = self.terms.not(condition);
                let then = self.eval_if(s, f, then, condition)?;
                let otherwise = self.eval_if(s, f, otherwise, opposite)?;
                self.terms.ite(condition, then, otherwise)
            }
            ExprKind::PtrAdd { base, index, scale } => {
                let base = self.eval(s, f, base)?;
                let index = self.eval(s, f, index)?;
                let factor = self.terms.bv(u128::from(scale), width);
                let distance = self.terms.mul(index, factor);
                let moved = self.move_pointer(base, distance);
                self.unless_too_far(base, index, scale, moved)
            }
        })
    }

    /// Under ILP32 the product of index and scale may be too large for an address. It does not wrap
    /// around then: the pointer is out of bounds.
    fn unless_too_far(&mut self, base: TermId, index: TermId, scale: u64, moved: TermId) -> TermId {
        let width = self.addresses.width();
        let needed = self.offsets.bits(&self.terms, index) + 64 - scale.leading_zeros();
        if width == 64 || needed <= width {
            return moved;
        }
        let wide = self.terms.sext(index, 64);
        let factor = self.terms.bv(u128::from(scale), 64);
        let exact = self.terms.mul(wide, factor);
        let cut = self.terms.extract(width - 1, 0, exact);
        let back = self.terms.sext(cut, 64);
        let fits = self.terms.eq(back, exact);
        let far = self.terms.bv(0x7fff_0000, width);
        let outside = self.move_pointer(base, far);
        self.terms.ite(fits, moved, outside)
    }

    fn move_pointer(&mut self, base: TermId, distance: TermId) -> TermId {
        let width = self.addresses.width();
        let constants = (self.terms.as_const(base), self.terms.as_const(distance));
        if let (Some(base), Some(distance)) = constants {
            let shift = 64 - width;
            let distance = ((distance as u64) << shift) as i64 >> shift;
            let bits = self.addresses.displaced(base as u64, distance, &self.infos);
            return self.terms.bv(u128::from(bits), width);
        }
        self.terms.add(base, distance)
    }

    /// Some value, where nothing can depend on it.
    fn nothing(&mut self, ty: Ty) -> TermId {
        let sort = self.sort_of(ty);
        self.terms.constant(0, sort)
    }

    /// Evaluates what only counts where the condition holds.
    fn eval_if(
        &mut self,
        s: &mut State,
        f: &Function,
        id: ExprId,
        condition: TermId,
    ) -> Result<TermId, StopReason> {
        if self.is_excluded(s, condition) {
            return Ok(self.nothing(f.expr(id).ty));
        }
        if self.terms.known_true(condition) {
            return self.eval(s, f, id);
        }
        self.lazies.push(condition);
        let value = self.eval(s, f, id);
        self.lazies.pop();
        value
    }

    fn unary(&mut self, s: &mut State, op: UnaryOp, a: TermId, ty: Ty) -> TermId {
        match op {
            UnaryOp::Not => self.terms.not(a),
            UnaryOp::Neg { signed } => {
                let bits = self.as_bits(a);
                if signed && self.config.check_overflow {
                    let overflows = operator::negation_overflows(&mut self.terms, bits);
                    self.fault(s, FaultKind::SignedOverflow, overflows);
                }
                let bits = self.terms.neg(bits);
                self.typed(bits, ty)
            }
            UnaryOp::FNeg => operator::negated_float(&mut self.terms, a),
        }
    }

    fn binary(&mut self, s: &mut State, op: BinaryOp, a: TermId, b: TermId, ty: Ty) -> TermId {
        use BinaryOp::*;
        if let Some(value) = operator::bitwise(&mut self.terms, op, a, b) {
            return value;
        }
        if op == PtrDiff {
            return self.pointer_difference(a, b);
        }
        if matches!(op, FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe) {
            if let Some(value) = float::binary(&mut self.terms, op, ty, a, b) {
                return value;
            }
            let truth = self.terms.tt();
            self.trap(s, LONG_DOUBLE, truth);
            return self.nothing(if op.is_comparison() { Ty::BOOL } else { ty });
        }
        let (a, b) = (self.as_bits(a), self.as_bits(b));
        if self.config.check_overflow {
            self.check_overflow(s, op, a, b);
        }
        if operator::is_division(op) {
            let by_zero = operator::divides_by_zero(&mut self.terms, b);
            self.fault(s, FaultKind::DivisionByZero, by_zero);
            if let Some(overflows) = operator::division_overflows(&mut self.terms, op, a, b) {
                self.fault(s, FaultKind::DivisionOverflow, overflows);
            }
        }
        match operator::arithmetic(&mut self.terms, op, a, b, ty) {
            Some(value) => value,
            None => self.nothing(ty),
        }
    }

    fn check_overflow(&mut self, s: &mut State, op: BinaryOp, a: TermId, b: TermId) {
        use BinaryOp::*;
        match op {
            Add { signed: true } | Sub { signed: true } | Mul { signed: true } => {
                match operator::overflows(&mut self.terms, op, a, b) {
                    Some(overflows) => self.fault(s, FaultKind::SignedOverflow, overflows),
                    None => {
                        let truth = self.terms.tt();
                        self.trap(s, "overflow of 128-bit arithmetic", truth);
                    }
                }
            }
            Shl { signed: true } => {
                let overflows = operator::shift_overflows(&mut self.terms, a, b);
                self.fault(s, FaultKind::ShiftOverflow, overflows);
            }
            _ => {}
        }
    }

    /// Inside one object the offsets alone tell the difference.
    fn pointer_difference(&mut self, a: TermId, b: TermId) -> TermId {
        let n = self.infos.len();
        let left = self.addresses.targets(&mut self.terms, a, n);
        let right = self.addresses.targets(&mut self.terms, b, n);
        if let ([x], [y]) = (&left[..], &right[..])
            && x.object == y.object
        {
            return self.terms.sub(x.offset, y.offset);
        }
        self.terms.sub(a, b)
    }

    fn convert(&mut self, s: &mut State, op: ConvertOp, a: TermId, from: Ty, to: Ty) -> TermId {
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
            ConvertOp::PtrToInt | ConvertOp::IntToPtr => self.fit(a, width),
            ConvertOp::IntToFloat { .. }
            | ConvertOp::FloatToInt { .. }
            | ConvertOp::FloatToFloat => {
                let bits = self.as_bits(a);
                if let Some(value) = float::convert(&mut self.terms, op, from, to, bits) {
                    return self.typed(value, to);
                }
                let construct = match (from, to) {
                    (Ty::F80, _) | (_, Ty::F80) => LONG_DOUBLE,
                    _ => "conversions between floating point and 128-bit integers",
                };
                let truth = self.terms.tt();
                self.trap(s, construct, truth);
                self.nothing(to)
            }
        }
    }
}

//! The one walker over expressions and statements: what an operation of the program means as terms,
//! and when it is a fault.
//!
//! What a register, an address and a place in memory are is up to a [`WalkDomain`]: objects of one unrolled
//! run for the encoder, state variables of a graph for trace abstraction. So both speak of the same
//! arithmetic and of the same faults.

use crate::{float, operator};
use idiolect_ir::{
    BinaryOp, CType, Callee, ConvertOp, ExprId, ExprKind, FaultKind, FuncId, Function, InputId,
    LocalId, LocalStorage, MarkId, Place, Program, StmtKind, Ty, UnaryOp,
};
use idiolect_smt::{Sort, TermId, Terms};

const LONG_DOUBLE: &str = "`long double`";

/// What values, places and faults are. The provided methods are the walk.
pub trait WalkDomain<'f> {
    /// What the walk changes on its way.
    type State;
    /// Whose expression it is.
    type Scope: Copy;
    /// Why a walk may end early.
    type Stop;

    fn program(&self) -> &Program;
    fn function(&self, scope: Self::Scope) -> &'f Function;
    fn terms(&mut self) -> &mut Terms;
    fn pointer_width(&self) -> u32;
    /// Whether signed overflow ends a run.
    fn checks_overflow(&self) -> bool;
    /// Conditions under which the expression at hand counts.
    fn lazies(&mut self) -> &mut Vec<TermId>;

    fn register(&mut self, s: &mut Self::State, scope: Self::Scope, local: LocalId) -> TermId;
    /// Of the address of a local or global variable.
    fn address(&mut self, s: &mut Self::State, scope: Self::Scope, id: ExprId) -> TermId;
    fn function_address(&mut self, function: FuncId) -> TermId;
    fn read(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        address: ExprId,
        ty: Ty,
    ) -> Result<TermId, Self::Stop>;
    /// Of the sum of a pointer and an index.
    fn element(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        id: ExprId,
    ) -> Result<TermId, Self::Stop>;
    fn pointer_difference(&mut self, a: TermId, b: TermId) -> TermId;
    /// Which of two pointers lies lower, if not their numbers decide.
    fn pointer_order(&mut self) -> Option<TermId>;
    /// A pointer as a number, or the other way round.
    fn reinterpreted(&mut self, a: TermId, width: u32) -> TermId;

    /// Whether no run comes here with this condition.
    fn is_excluded(&mut self, s: &Self::State, condition: TermId) -> bool;
    /// The run ends with a fault where the expression counts and this holds.
    fn fault(&mut self, s: &mut Self::State, kind: FaultKind, condition: TermId);
    /// Nobody can say whether the operation overflows.
    fn may_overflow(&mut self, s: &mut Self::State);
    /// The value of an operation that is not modelled.
    fn unmodelled(&mut self, s: &mut Self::State, construct: &'static str, ty: Ty) -> TermId;

    /// Whether the run has ended, so that nothing more happens.
    fn has_ended(&self, s: &Self::State) -> bool;
    /// A new input.
    fn drawn(&mut self, s: &mut Self::State, input: InputId, ty: Ty) -> TermId;
    /// What is assigned, if another value may stand for it.
    fn assigned(&mut self, scope: Self::Scope, place: &Place, value: TermId) -> TermId;
    fn set_register(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        local: LocalId,
        value: TermId,
    );
    fn write(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        address: ExprId,
        ty: Ty,
        value: TermId,
    ) -> Result<(), Self::Stop>;
    /// Writes bits from bit `offset` of the unit on.
    fn write_bits(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        address: ExprId,
        unit: Ty,
        offset: u32,
        bits: TermId,
    ) -> Result<(), Self::Stop>;
    fn assume(&mut self, s: &mut Self::State, condition: TermId);
    fn copy_bytes(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        to: ExprId,
        from: ExprId,
        size: u64,
    ) -> Result<(), Self::Stop>;
    fn zero_bytes(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        to: ExprId,
        size: u64,
    ) -> Result<(), Self::Stop>;
    fn declare(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        local: LocalId,
        size: Option<ExprId>,
    ) -> Result<(), Self::Stop>;
    fn end_local(&mut self, s: &mut Self::State, scope: Self::Scope, local: LocalId);
    fn call_statement(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Result<(), Self::Stop>;
    fn mark(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        mark: MarkId,
        condition: Option<ExprId>,
    ) -> Result<(), Self::Stop>;

    /// What an assignment gives to its place.
    fn source(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        _: &Place,
        value: ExprId,
    ) -> Result<TermId, Self::Stop> {
        self.eval(s, scope, value)
    }

    fn width_of(&self, ty: Ty) -> u32 {
        operator::width_of(ty, self.pointer_width())
    }

    fn sort_of(&self, ty: Ty) -> Sort {
        operator::sort_of(ty, self.pointer_width())
    }

    /// Some value, where nothing can depend on it.
    fn nothing(&mut self, ty: Ty) -> TermId {
        let sort = self.sort_of(ty);
        self.terms().constant(0, sort)
    }

    fn eval(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        id: ExprId,
    ) -> Result<TermId, Self::Stop> {
        let expr = self.function(scope).expr(id);
        let ty = expr.ty;
        Ok(match expr.kind {
            ExprKind::Const(bits) => {
                let sort = self.sort_of(ty);
                self.terms().constant(bits, sort)
            }
            ExprKind::Local(local) => self.register(s, scope, local),
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) => self.address(s, scope, id),
            ExprKind::FunctionAddress(function) => self.function_address(function),
            ExprKind::Load { address } => self.read(s, scope, address, ty)?,
            ExprKind::Unary(op, a) => {
                let a = self.eval(s, scope, a)?;
                self.unary(s, op, a, ty)
            }
            ExprKind::Binary(op, a, b) => {
                let operand = self.function(scope).expr(a).ty;
                let a = self.eval(s, scope, a)?;
                let b = self.eval(s, scope, b)?;
                self.binary(s, op, a, b, operand)
            }
            ExprKind::Convert(op, a) => {
                let from = self.function(scope).expr(a).ty;
                let a = self.eval(s, scope, a)?;
                self.convert(s, op, a, from, ty)
            }
            ExprKind::And(a, b) => {
                let a = self.eval(s, scope, a)?;
                let b = self.eval_if(s, scope, b, a)?;
                self.terms().and(a, b)
            }
            ExprKind::Or(a, b) => {
                let a = self.eval(s, scope, a)?;
                let otherwise = self.terms().not(a);
                let b = self.eval_if(s, scope, b, otherwise)?;
                self.terms().or(a, b)
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.eval(s, scope, condition)?;
                let opposite = self.terms().not(condition);
                let then = self.eval_if(s, scope, then, condition)?;
                let otherwise = self.eval_if(s, scope, otherwise, opposite)?;
                self.terms().ite(condition, then, otherwise)
            }
            ExprKind::PtrAdd { .. } => self.element(s, scope, id)?,
        })
    }

    /// Evaluates what only counts where the condition holds.
    fn eval_if(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        id: ExprId,
        condition: TermId,
    ) -> Result<TermId, Self::Stop> {
        if self.is_excluded(s, condition) {
            let ty = self.function(scope).expr(id).ty;
            return Ok(self.nothing(ty));
        }
        if self.terms().known_true(condition) {
            return self.eval(s, scope, id);
        }
        self.lazies().push(condition);
        let value = self.eval(s, scope, id);
        self.lazies().pop();
        value
    }

    fn unary(&mut self, s: &mut Self::State, op: UnaryOp, a: TermId, ty: Ty) -> TermId {
        match op {
            UnaryOp::Not => self.terms().not(a),
            UnaryOp::Neg { signed } => {
                let bits = operator::as_bits(self.terms(), a);
                if signed && self.checks_overflow() {
                    let overflows = operator::negation_overflows(self.terms(), bits);
                    self.fault(s, FaultKind::SignedOverflow, overflows);
                }
                let bits = self.terms().neg(bits);
                operator::typed(self.terms(), bits, ty)
            }
            UnaryOp::FNeg => operator::negated_float(self.terms(), a),
        }
    }

    /// Of two operands of this type.
    fn binary(
        &mut self,
        s: &mut Self::State,
        op: BinaryOp,
        a: TermId,
        b: TermId,
        ty: Ty,
    ) -> TermId {
        use BinaryOp::*;
        if let Some(value) = operator::bitwise(self.terms(), op, a, b) {
            return value;
        }
        if op == PtrDiff {
            return self.pointer_difference(a, b);
        }
        if matches!(op, ULt | ULe)
            && ty == Ty::Ptr
            && let Some(value) = self.pointer_order()
        {
            return value;
        }
        if matches!(op, FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe) {
            if let Some(value) = float::binary(self.terms(), op, ty, a, b) {
                return value;
            }
            let result = if op.is_comparison() { Ty::BOOL } else { ty };
            return self.unmodelled(s, LONG_DOUBLE, result);
        }
        let a = operator::as_bits(self.terms(), a);
        let b = operator::as_bits(self.terms(), b);
        if self.checks_overflow() {
            self.check_overflow(s, op, a, b);
        }
        if operator::is_division(op) {
            let by_zero = operator::divides_by_zero(self.terms(), b);
            self.fault(s, FaultKind::DivisionByZero, by_zero);
            if let Some(overflows) = operator::division_overflows(self.terms(), op, a, b) {
                self.fault(s, FaultKind::DivisionOverflow, overflows);
            }
        }
        match operator::arithmetic(self.terms(), op, a, b, ty) {
            Some(value) => value,
            None => self.nothing(ty),
        }
    }

    fn check_overflow(&mut self, s: &mut Self::State, op: BinaryOp, a: TermId, b: TermId) {
        use BinaryOp::*;
        match op {
            Add { signed: true } | Sub { signed: true } | Mul { signed: true } => {
                match operator::overflows(self.terms(), op, a, b) {
                    Some(overflows) => self.fault(s, FaultKind::SignedOverflow, overflows),
                    None => self.may_overflow(s),
                }
            }
            Shl { signed: true } => {
                let overflows = operator::shift_overflows(self.terms(), a, b);
                self.fault(s, FaultKind::ShiftOverflow, overflows);
            }
            _ => {}
        }
    }

    fn convert(
        &mut self,
        s: &mut Self::State,
        op: ConvertOp,
        a: TermId,
        from: Ty,
        to: Ty,
    ) -> TermId {
        let width = self.width_of(to);
        match op {
            ConvertOp::ZeroExtend | ConvertOp::Truncate => {
                let bits = operator::fit(self.terms(), a, width);
                operator::typed(self.terms(), bits, to)
            }
            ConvertOp::SignExtend => {
                let bits = operator::as_bits(self.terms(), a);
                let bits = self.terms().sext(bits, width);
                operator::typed(self.terms(), bits, to)
            }
            ConvertOp::PtrToInt | ConvertOp::IntToPtr => self.reinterpreted(a, width),
            ConvertOp::IntToFloat { .. }
            | ConvertOp::FloatToInt { .. }
            | ConvertOp::FloatToFloat => {
                let bits = operator::as_bits(self.terms(), a);
                if let Some(value) = float::convert(self.terms(), op, from, to, bits) {
                    return operator::typed(self.terms(), value, to);
                }
                let construct = match (from, to) {
                    (Ty::F80, _) | (_, Ty::F80) => LONG_DOUBLE,
                    _ => "conversions between floating point and 128-bit integers",
                };
                self.unmodelled(s, construct, to)
            }
        }
    }

    fn place_type(&self, scope: Self::Scope, place: &Place) -> Ty {
        match *place {
            Place::Local(local) => match self.function(scope).local(local).storage {
                LocalStorage::Register(ty) => ty,
                _ => Ty::Ptr,
            },
            Place::Memory { ty, .. } => ty,
            Place::Bits { width, .. } => Ty::Int(width),
        }
    }

    fn statement(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        stmt: &StmtKind,
    ) -> Result<(), Self::Stop> {
        match stmt {
            StmtKind::Assign { place, value } => {
                let value = self.source(s, scope, place, *value)?;
                self.assign(s, scope, place, value)
            }
            StmtKind::Havoc { place, input } => {
                let value = self.havoc(s, scope, place, *input);
                self.assign(s, scope, place, value)
            }
            StmtKind::Assume { condition } => {
                let condition = self.eval(s, scope, *condition)?;
                self.assume(s, condition);
                Ok(())
            }
            &StmtKind::Copy { to, from, size } => self.copy_bytes(s, scope, to, from, size),
            &StmtKind::Zero { to, size } => self.zero_bytes(s, scope, to, size),
            &StmtKind::Declare { local, size } => self.declare(s, scope, local, size),
            &StmtKind::End { local } => {
                self.end_local(s, scope, local);
                Ok(())
            }
            StmtKind::Call { dest, callee, args } => {
                self.call_statement(s, scope, dest.as_ref(), callee, args)
            }
            &StmtKind::Mark { mark, condition } => self.mark(s, scope, mark, condition),
        }
    }

    fn havoc(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        place: &Place,
        input: InputId,
    ) -> TermId {
        let ty = self.place_type(scope, place);
        let value = self.drawn(s, input, ty);
        let program = self.program();
        let site = &program.inputs[input.index()];
        let is_bool = *program.types.get(site.ty) == CType::Bool;
        let width = self.width_of(ty);
        if !is_bool || width <= 1 {
            return value;
        }
        // `interp` keeps the lowest bit of what it is given.
        let one = self.terms().bv(1, width);
        self.terms().and(value, one)
    }

    /// Gives a place a value. The address is evaluated after the value.
    fn assign(
        &mut self,
        s: &mut Self::State,
        scope: Self::Scope,
        place: &Place,
        value: TermId,
    ) -> Result<(), Self::Stop> {
        if self.has_ended(s) {
            return Ok(());
        }
        let value = self.assigned(scope, place, value);
        match *place {
            Place::Local(local) => {
                self.set_register(s, scope, local, value);
                Ok(())
            }
            Place::Memory { address, ty } => self.write(s, scope, address, ty, value),
            Place::Bits {
                address,
                unit,
                offset,
                width,
            } => {
                let bits = operator::fit(self.terms(), value, u32::from(width));
                self.write_bits(s, scope, address, unit, u32::from(offset), bits)
            }
        }
    }
}

//! What values, places and faults are to trace abstraction: state variables, cells of memory, edges that end.

use super::super::cells::Object;
use super::Effects;
use idiolect_ir::{
    Callee, ExprId, ExprKind, FaultKind, FuncId, Function, InputId, LocalId, MarkId, Place,
    Program, Property, Ty,
};
use idiolect_smt::{Sort, TermId, Terms};
use idiolect_symex::operator;
use idiolect_symex::walker::WalkDomain;
use std::convert::Infallible;

type Done = Result<(), Infallible>;

impl Effects<'_> {
    pub(super) fn typed(&mut self, bits: TermId, ty: Ty) -> TermId {
        operator::typed(&mut self.terms, bits, ty)
    }

    pub(super) fn fit(&mut self, value: TermId, width: u32) -> TermId {
        operator::fit(&mut self.terms, value, width)
    }

    /// The value of an expression of this activation.
    pub(super) fn value(&mut self, context: usize, id: ExprId) -> TermId {
        let Ok(value) = self.eval(&mut (), context, id);
        value
    }
}

impl<'a> WalkDomain<'a> for Effects<'a> {
    /// A walk leaves commands and faults.
    type State = ();
    /// An activation.
    type Scope = usize;
    type Stop = Infallible;

    fn program(&self) -> &Program {
        self.program
    }

    fn function(&self, context: usize) -> &'a Function {
        self.cells.function(context)
    }

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn pointer_width(&self) -> u32 {
        u32::from(self.program.types.model.pointer_width())
    }

    fn checks_overflow(&self) -> bool {
        self.check_overflow
    }

    fn lazies(&mut self) -> &mut Vec<TermId> {
        &mut self.lazies
    }

    fn register(&mut self, (): &mut (), context: usize, local: LocalId) -> TermId {
        self.variable(context, local)
    }

    fn address(&mut self, (): &mut (), context: usize, id: ExprId) -> TermId {
        let target = self.cells.resolve(context, id);
        match target.and_then(|t| self.address_of(&t)) {
            Some(address) => address,
            None => self.some_address(),
        }
    }

    /// Functions are told apart by their addresses; null is none of them.
    fn function_address(&mut self, function: FuncId) -> TermId {
        let width = self.pointer_width();
        self.terms.bv((u128::from(function.0) + 1) << 4, width)
    }

    fn read(
        &mut self,
        (): &mut (),
        context: usize,
        address: ExprId,
        ty: Ty,
    ) -> Result<TermId, Infallible> {
        Ok(self.load(context, address, ty))
    }

    fn element(&mut self, (): &mut (), context: usize, id: ExprId) -> Result<TermId, Infallible> {
        let target = self.cells.resolve(context, id);
        if let Some(address) = target.and_then(|t| self.address_of(&t)) {
            return Ok(address);
        }
        let expr = self.function(context).expr(id);
        // Only what it points to is followed, by `Cells::resolve`.
        if let ExprKind::PtrAdd { base, index, .. } = expr.kind {
            self.value(context, base);
            self.value(context, index);
        }
        let sort = self.sort_of(expr.ty);
        Ok(self.guess(sort))
    }

    fn pointer_difference(&mut self, _: TermId, _: TermId) -> TermId {
        let sort = Sort::BitVec(self.pointer_width());
        self.guess(sort)
    }

    /// Which of two objects lies lower is up to the layout.
    fn pointer_order(&mut self) -> Option<TermId> {
        Some(self.guess(Sort::Bool))
    }

    /// Only null is the same number in every layout.
    fn reinterpreted(&mut self, a: TermId, width: u32) -> TermId {
        if self.terms.as_const(a) == Some(0) {
            return self.terms.bv(0, width);
        }
        self.guess(Sort::BitVec(width))
    }

    fn is_excluded(&mut self, (): &(), _: TermId) -> bool {
        false
    }

    fn fault(&mut self, (): &mut (), kind: FaultKind, condition: TermId) {
        // As `FaultKind::violates`: it is an overflow as well.
        let is_overflow = kind == FaultKind::DivisionOverflow && self.check_overflow;
        let property = if is_overflow {
            Some(Property::Overflow)
        } else {
            kind.property()
        };
        if let Some(property) = property {
            self.ends(property, condition);
        }
    }

    fn may_overflow(&mut self, (): &mut ()) {
        let truth = self.terms.tt();
        let all = self.if_counts(truth);
        self.is_exact = false;
        self.note_fault(Property::Overflow, all, false);
    }

    fn unmodelled(&mut self, (): &mut (), _: &'static str, ty: Ty) -> TermId {
        let sort = self.sort_of(ty);
        self.guess(sort)
    }

    fn has_ended(&self, (): &()) -> bool {
        false
    }

    fn drawn(&mut self, (): &mut (), _: InputId, ty: Ty) -> TermId {
        let sort = self.sort_of(ty);
        self.draw(sort)
    }

    fn assigned(&mut self, _: usize, _: &Place, value: TermId) -> TermId {
        value
    }

    fn set_register(&mut self, (): &mut (), context: usize, local: LocalId, value: TermId) {
        let variable = self.variable(context, local);
        let sort = self.terms.sort(variable);
        let fits = sort == self.terms.sort(value);
        let value = if fits { value } else { self.guess(sort) };
        self.set(variable, value);
    }

    fn write(
        &mut self,
        (): &mut (),
        context: usize,
        address: ExprId,
        ty: Ty,
        value: TermId,
    ) -> Done {
        let Some(size) = self.cells.size_of(ty) else {
            self.may_fault();
            self.clobber();
            return Ok(());
        };
        let bits = self.fit(value, 8 * size as u32);
        self.store(context, address, size, |_, _| bits);
        Ok(())
    }

    fn write_bits(
        &mut self,
        (): &mut (),
        context: usize,
        address: ExprId,
        unit: Ty,
        offset: u32,
        bits: TermId,
    ) -> Done {
        let Some(size) = self.cells.size_of(unit) else {
            self.may_fault();
            self.clobber();
            return Ok(());
        };
        self.store(context, address, size, |this, old| {
            this.insert(old, offset, bits)
        });
        Ok(())
    }

    fn assume(&mut self, (): &mut (), condition: TermId) {
        self.goes_on_if(condition);
    }

    /// Unwritten bytes are copied as such and may be read as different values later.
    fn copy_bytes(
        &mut self,
        (): &mut (),
        context: usize,
        to: ExprId,
        _: ExprId,
        size: u64,
    ) -> Done {
        self.is_exact = false;
        self.may_fault();
        self.overwrite(context, to, size, None);
        Ok(())
    }

    fn zero_bytes(&mut self, (): &mut (), context: usize, to: ExprId, size: u64) -> Done {
        self.overwrite(context, to, size, Some(0));
        Ok(())
    }

    fn declare(&mut self, (): &mut (), context: usize, local: LocalId, _: Option<ExprId>) -> Done {
        self.forget(Object::Local { context, local });
        Ok(())
    }

    /// Whether a pointer to it is used later is not followed.
    fn end_local(&mut self, (): &mut (), context: usize, local: LocalId) {
        self.may_fault();
        self.forget(Object::Local { context, local });
    }

    /// Calls of functions are edges.
    fn call_statement(
        &mut self,
        (): &mut (),
        context: usize,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Done {
        if let &Callee::Builtin(builtin) = callee {
            self.builtin(context, dest, builtin, args);
        }
        Ok(())
    }

    fn mark(&mut self, (): &mut (), _: usize, _: MarkId, _: Option<ExprId>) -> Done {
        Ok(())
    }
}

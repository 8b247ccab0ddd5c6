//! What values and places are to the encoder: registers of a state, pointers to objects, faults of the state
//! on the way.

use crate::EndKind;
use crate::encoder::Encoder;
use crate::operator;
use crate::record::InputOrigin;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::events::EventSite;
use idiolect_ir::{
    CType, Callee, ExprId, ExprKind, FaultKind, FuncId, Function, InputId, LocalId, MarkId, Place,
    Program, Ty, TypeId,
};
use idiolect_smt::{TermId, Terms};

/// A function's body, and whose it is.
pub(crate) type Body<'f> = (FuncId, &'f Function);

impl Encoder<'_> {
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

    pub(crate) fn typed(&mut self, bits: TermId, ty: Ty) -> TermId {
        operator::typed(&mut self.terms, bits, ty)
    }

    pub(crate) fn fit(&mut self, value: TermId, width: u32) -> TermId {
        operator::fit(&mut self.terms, value, width)
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
}

impl<'f> WalkDomain<'f> for Encoder<'_> {
    type State = State;
    type Scope = Body<'f>;
    type Stop = StopReason;

    fn program(&self) -> &Program {
        self.program
    }

    fn function(&self, (_, function): Body<'f>) -> &'f Function {
        function
    }

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn pointer_width(&self) -> u32 {
        self.addresses.width()
    }

    fn checks_overflow(&self) -> bool {
        self.config.check_overflow
    }

    fn lazies(&mut self) -> &mut Vec<TermId> {
        &mut self.lazies
    }

    fn register(&mut self, s: &mut State, (_, f): Body<'f>, local: LocalId) -> TermId {
        self.note_register(local);
        match s.registers.get(local.index()) {
            Some(&value) => value,
            // The state is dead.
            None => {
                let ty = self.place_type((FuncId(0), f), &Place::Local(local));
                self.nothing(ty)
            }
        }
    }

    fn address(&mut self, s: &mut State, body: Body<'f>, id: ExprId) -> TermId {
        match body.1.expr(id).kind {
            ExprKind::LocalAddress(local) => self.register(s, body, local),
            ExprKind::GlobalAddress(global) => {
                let object = self.global_object(global);
                self.pointer_term(object)
            }
            _ => self.nothing(Ty::Ptr),
        }
    }

    fn function_address(&mut self, function: FuncId) -> TermId {
        self.pointer_term(function.0 + 1)
    }

    fn read(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        address: ExprId,
        ty: Ty,
    ) -> Result<TermId, StopReason> {
        let address = self.eval_deciding(s, body, address, true)?;
        if s.is_dead() {
            return Ok(self.nothing(ty));
        }
        let size = self.program.types.scalar_size(ty) as u32;
        // The padding of a `long double` is not read, but has to be there.
        let used = if ty == Ty::F80 { 10 } else { size };
        let bits = self.load(s, address, used, size, ty)?;
        Ok(self.typed(bits, ty))
    }

    fn element(&mut self, s: &mut State, body: Body<'f>, id: ExprId) -> Result<TermId, StopReason> {
        let ExprKind::PtrAdd { base, index, scale } = body.1.expr(id).kind else {
            return self.eval(s, body, id);
        };
        let base = self.eval(s, body, base)?;
        let index = self.eval(s, body, index)?;
        let factor = self.terms.bv(u128::from(scale), self.addresses.width());
        let distance = self.terms.mul(index, factor);
        let moved = self.move_pointer(base, distance);
        Ok(self.unless_too_far(base, index, scale, moved))
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

    fn pointer_order(&mut self) -> Option<TermId> {
        None
    }

    fn reinterpreted(&mut self, a: TermId, width: u32) -> TermId {
        self.fit(a, width)
    }

    fn is_excluded(&mut self, s: &State, condition: TermId) -> bool {
        if s.is_dead() {
            return true;
        }
        if self.guards.value(&self.terms, s.guard, condition) == Some(false) {
            return true;
        }
        let all = self.under_lazies(condition);
        self.terms.known_false(all)
    }

    fn fault(&mut self, s: &mut State, kind: FaultKind, condition: TermId) {
        self.end_if(s, EndKind::Fault(kind), condition);
    }

    fn may_overflow(&mut self, s: &mut State) {
        let truth = self.terms.tt();
        self.trap(s, "overflow of 128-bit arithmetic", truth);
    }

    fn unmodelled(&mut self, s: &mut State, construct: &'static str, ty: Ty) -> TermId {
        let truth = self.terms.tt();
        self.trap(s, construct, truth);
        self.nothing(ty)
    }

    fn source(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        place: &Place,
        value: ExprId,
    ) -> Result<TermId, StopReason> {
        let decides = matches!(place, Place::Local(local) if self.decides(body.0, *local));
        self.eval_deciding(s, body, value, decides)
    }

    fn has_ended(&self, s: &State) -> bool {
        s.is_dead()
    }

    fn drawn(&mut self, s: &mut State, input: InputId, ty: Ty) -> TermId {
        let width = self.width_of(ty);
        let truth = self.terms.tt();
        let bits = self.draw(s, InputOrigin::Site(input), ty, width, truth);
        self.typed(bits, ty)
    }

    fn assigned(&mut self, (_, f): Body<'f>, place: &Place, value: TermId) -> TermId {
        self.replaceable(f, place, value)
    }

    fn set_register(&mut self, s: &mut State, _: Body<'f>, local: LocalId, value: TermId) {
        s.registers[local.index()] = value;
    }

    fn write(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        address: ExprId,
        ty: Ty,
        value: TermId,
    ) -> Result<(), StopReason> {
        let address = self.eval_deciding(s, body, address, true)?;
        if s.is_dead() {
            return Ok(());
        }
        let size = self.program.types.scalar_size(ty) as u32;
        let bits = self.fit(value, size * 8);
        self.store(s, address, size, bits)
    }

    fn write_bits(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        address: ExprId,
        unit: Ty,
        offset: u32,
        bits: TermId,
    ) -> Result<(), StopReason> {
        let address = self.eval(s, body, address)?;
        if s.is_dead() {
            return Ok(());
        }
        let size = self.program.types.scalar_size(unit) as u32;
        self.store_bits(s, address, size, offset, bits)
    }

    fn assume(&mut self, s: &mut State, condition: TermId) {
        let fails = self.terms.not(condition);
        self.end_if(s, EndKind::AssumeEnded, fails);
    }

    fn copy_bytes(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        to: ExprId,
        from: ExprId,
        size: u64,
    ) -> Result<(), StopReason> {
        let to = self.eval(s, body, to)?;
        let from = self.eval(s, body, from)?;
        let size = self.terms.bv(u128::from(size), self.addresses.width());
        self.copy(s, to, from, size)
    }

    fn zero_bytes(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        to: ExprId,
        size: u64,
    ) -> Result<(), StopReason> {
        let to = self.eval(s, body, to)?;
        let size = self.terms.bv(u128::from(size), self.addresses.width());
        let zero = self.terms.bv(0, 8);
        self.fill(s, to, zero, size)
    }

    fn declare(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        local: LocalId,
        size: Option<ExprId>,
    ) -> Result<(), StopReason> {
        self.new_lifetime(s, body, local, size)
    }

    fn end_local(&mut self, s: &mut State, body: Body<'f>, local: LocalId) {
        self.end_lifetime(s, body, local);
    }

    fn call_statement(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Result<(), StopReason> {
        self.call_with(s, body, dest, callee, args)
    }

    fn mark(
        &mut self,
        s: &mut State,
        body: Body<'f>,
        mark: MarkId,
        condition: Option<ExprId>,
    ) -> Result<(), StopReason> {
        let condition = match condition {
            Some(condition) => self.eval(s, body, condition)?,
            None => self.terms.tt(),
        };
        if !s.is_dead() {
            self.event(s, EventSite::Mark(mark), condition);
            self.note_event(EventSite::Mark(mark), condition);
        }
        Ok(())
    }
}

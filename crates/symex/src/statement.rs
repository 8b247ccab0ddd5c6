//! Statements and calls.

use crate::EndKind;
use crate::encoder::Encoder;
use crate::memory::{Contents, ObjectInfo, ObjectKind};
use crate::record::InputOrigin;
use crate::state::State;
use idiolect_base::StopReason;
use idiolect_ir::events::EventSite;
use idiolect_ir::{
    CType, Callee, ExprId, FaultKind, FuncId, Function, InputId, LocalId, LocalStorage, Place,
    Stmt, StmtKind, Ty,
};
use idiolect_smt::TermId;
use std::rc::Rc;

type Step<T> = Result<T, StopReason>;

impl Encoder<'_> {
    pub(crate) fn statement(
        &mut self,
        s: &mut State,
        id: FuncId,
        f: &Function,
        stmt: &Stmt,
    ) -> Step<()> {
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let decides = matches!(place, Place::Local(local) if self.decides(id, *local));
                let value = self.eval_deciding(s, f, *value, decides)?;
                self.assign(s, f, place, value)
            }
            StmtKind::Havoc { place, input } => {
                let value = self.havoc(s, f, place, *input);
                self.assign(s, f, place, value)
            }
            StmtKind::Assume { condition } => {
                let condition = self.eval(s, f, *condition)?;
                let fails = self.terms.not(condition);
                self.end_if(s, EndKind::AssumeEnded, fails);
                Ok(())
            }
            StmtKind::Copy { to, from, size } => {
                let to = self.eval(s, f, *to)?;
                let from = self.eval(s, f, *from)?;
                let width = self.addresses.width();
                let size = self.terms.bv(u128::from(*size), width);
                self.copy(s, to, from, size)
            }
            StmtKind::Zero { to, size } => {
                let to = self.eval(s, f, *to)?;
                let width = self.addresses.width();
                let size = self.terms.bv(u128::from(*size), width);
                let zero = self.terms.bv(0, 8);
                self.fill(s, to, zero, size)
            }
            StmtKind::Declare { local, size } => self.declare(s, id, f, *local, *size),
            StmtKind::End { local } => {
                self.end_local(s, id, f, *local);
                Ok(())
            }
            StmtKind::Call { dest, callee, args } => {
                self.call_statement(s, f, dest.as_ref(), callee, args)
            }
            StmtKind::Mark { mark, condition } => {
                let condition = match condition {
                    Some(condition) => self.eval(s, f, *condition)?,
                    None => self.terms.tt(),
                };
                if !s.is_dead() {
                    self.event(s, EventSite::Mark(*mark), condition);
                    self.note_event(EventSite::Mark(*mark), condition);
                }
                Ok(())
            }
        }
    }

    fn place_type(&self, f: &Function, place: &Place) -> Ty {
        match *place {
            Place::Local(local) => match f.local(local).storage {
                LocalStorage::Register(ty) => ty,
                _ => Ty::Ptr,
            },
            Place::Memory { ty, .. } => ty,
            Place::Bits { width, .. } => Ty::Int(width),
        }
    }

    fn havoc(&mut self, s: &mut State, f: &Function, place: &Place, input: InputId) -> TermId {
        let ty = self.place_type(f, place);
        let site = &self.program.inputs[input.index()];
        let is_bool = *self.program.types.get(site.ty) == CType::Bool;
        let width = self.width_of(ty);
        let truth = self.terms.tt();
        let bits = if is_bool && width > 1 {
            // `interp` keeps the lowest bit of what it is given.
            let all = self.draw(s, InputOrigin::Site(input), ty, width, truth);
            let one = self.terms.bv(1, width);
            self.terms.and(all, one)
        } else {
            self.draw(s, InputOrigin::Site(input), ty, width, truth)
        };
        self.typed(bits, ty)
    }

    /// Gives a place a value. The address is evaluated after the value.
    pub(crate) fn assign(
        &mut self,
        s: &mut State,
        f: &Function,
        place: &Place,
        value: TermId,
    ) -> Step<()> {
        if s.is_dead() {
            return Ok(());
        }
        let value = self.replaceable(f, place, value);
        match *place {
            Place::Local(local) => {
                s.registers[local.index()] = value;
                Ok(())
            }
            Place::Memory { address, ty } => {
                let address = self.eval_deciding(s, f, address, true)?;
                if s.is_dead() {
                    return Ok(());
                }
                let size = self.program.types.scalar_size(ty) as u32;
                let bits = self.fit(value, size * 8);
                self.store(s, address, size, bits)
            }
            Place::Bits {
                address,
                unit,
                offset,
                ..
            } => {
                let address = self.eval(s, f, address)?;
                if s.is_dead() {
                    return Ok(());
                }
                let size = self.program.types.scalar_size(unit) as u32;
                let bits = self.as_bits(value);
                self.store_bits(s, address, size, u32::from(offset), bits)
            }
        }
    }

    /// A memory local starts a new lifetime. As in `interp`, an object that nobody touched stays.
    fn declare(
        &mut self,
        s: &mut State,
        id: FuncId,
        f: &Function,
        local: LocalId,
        size: Option<ExprId>,
    ) -> Step<()> {
        let width = self.addresses.width();
        let size = match (size, f.local(local).storage) {
            (Some(size), _) => {
                let size = self.eval(s, f, size)?;
                self.fit(size, width)
            }
            (None, LocalStorage::Memory { size, .. }) => self.terms.bv(u128::from(size), width),
            _ => return Ok(()),
        };
        if s.is_dead() {
            return Ok(());
        }
        let old = s.registers[local.index()];
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, old, n);
        let is_dynamic = matches!(f.local(local).storage, LocalStorage::Dynamic);
        let untouched = |object: u32| {
            let contents = s.memory.objects.get(object);
            contents.is_some_and(|c: &Rc<Contents>| c.cells.is_empty() && c.large.is_none())
        };
        if !is_dynamic && targets.iter().all(|t| untouched(t.object)) {
            return Ok(());
        }
        self.begin_local(s, id, f, local, size);
        Ok(())
    }

    /// The block of a memory local ends: it is dead, and what may begin there again is another object.
    fn end_local(&mut self, s: &mut State, id: FuncId, f: &Function, local: LocalId) {
        if s.is_dead() {
            return;
        }
        if let LocalStorage::Memory { size, .. } = f.local(local).storage {
            let width = self.addresses.width();
            let size = self.terms.bv(u128::from(size), width);
            self.begin_local(s, id, f, local, size);
        } else {
            self.kill_all(s, s.registers[local.index()]);
        }
    }

    fn kill_all(&mut self, s: &mut State, pointer: TermId) {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, pointer, n);
        for t in targets.iter().filter(|t| t.object != 0) {
            self.kill(s, t.object, t.condition);
        }
    }

    /// The object of a local dies, and another one takes its place.
    fn begin_local(
        &mut self,
        s: &mut State,
        id: FuncId,
        f: &Function,
        local: LocalId,
        size: TermId,
    ) {
        self.kill_all(s, s.registers[local.index()]);
        let made = self.guards.term(&mut self.terms, s.guard);
        let max_size = self.largest(s, size);
        let info = ObjectInfo {
            kind: ObjectKind::Local {
                function: id,
                local,
            },
            size,
            max_size,
            is_read_only: false,
            initial: None,
            stride: self.stride_of(f.local(local).ty),
            made,
            truncated: None,
            is_forgotten: false,
        };
        let object = self.make_object(s, info);
        let pointer = self.pointer_term(object);
        if !s.is_dead() {
            s.registers[local.index()] = pointer;
        }
    }

    /// The largest value of a size; sizes that no object can have end the run.
    pub(crate) fn largest(&mut self, s: &mut State, size: TermId) -> u64 {
        let width = self.addresses.width();
        let limit = self.terms.bv(1 << 31, width.max(32));
        let limit = self.fit(limit, width);
        let fits = self.terms.ult(size, limit);
        let too_large = self.terms.not(fits);
        self.end_if(s, EndKind::OutOfMemory, too_large);
        (self.terms.facts(size).max as u64).min((1 << 31) - 1)
    }

    fn call_statement(
        &mut self,
        s: &mut State,
        f: &Function,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Step<()> {
        let target = match callee {
            Callee::Pointer { target, .. } => Some(self.eval(s, f, *target)?),
            _ => None,
        };
        let known = match callee {
            Callee::Function(id) => Some(*id),
            _ => None,
        };
        let values = self.arguments(s, f, known, args)?;
        if s.is_dead() {
            return Ok(());
        }
        let result = match (callee, target) {
            (Callee::Function(id), _) => self.call(s, *id, values)?,
            (Callee::Builtin(builtin), _) => {
                let types: Vec<Ty> = args.iter().map(|&a| f.expr(a).ty).collect();
                let wanted = dest.map(|d| self.place_type(f, d));
                self.builtin(s, *builtin, &values, &types, wanted)?
            }
            (Callee::Pointer { .. }, Some(target)) => {
                let types: Vec<Ty> = args.iter().map(|&a| f.expr(a).ty).collect();
                let wanted = dest.map(|d| self.place_type(f, d));
                self.call_pointer(s, target, values, &types, wanted)?
            }
            (Callee::Pointer { .. }, None) => None,
        };
        self.assign_result(s, f, dest, result)
    }

    fn arguments(
        &mut self,
        s: &mut State,
        f: &Function,
        callee: Option<FuncId>,
        args: &[ExprId],
    ) -> Step<Vec<TermId>> {
        let mut values = Vec::with_capacity(args.len());
        for (i, &arg) in args.iter().enumerate() {
            let decides = callee.is_some_and(|id| {
                let param = self.program.function(id).params.get(i);
                param.is_some_and(|&param| self.decides(id, param))
            });
            values.push(self.eval_deciding(s, f, arg, decides)?);
        }
        Ok(values)
    }

    /// A call of a known function, with the states after it as they are.
    pub(crate) fn call_statement_apart(
        &mut self,
        mut s: State,
        f: &Function,
        (callee, args, dest): (FuncId, &[ExprId], Option<&Place>),
    ) -> Step<Vec<State>> {
        if let Some(&Place::Local(local)) = dest
            && self.decides(self.location.function, local)
        {
            self.note_result_decides(callee);
        }
        let values = self.arguments(&mut s, f, Some(callee), args)?;
        let mut outer = Vec::new();
        let mut states = self.call_apart(&mut s, callee, values, &mut outer)?;
        for state in &mut states {
            let result = state.registers.first().copied();
            state.registers.clone_from(&outer);
            self.assign_result(state, f, dest, result)?;
        }
        Ok(states)
    }

    fn assign_result(
        &mut self,
        s: &mut State,
        f: &Function,
        dest: Option<&Place>,
        result: Option<TermId>,
    ) -> Step<()> {
        let (Some(dest), false) = (dest, s.is_dead()) else {
            return Ok(());
        };
        let ty = self.place_type(f, dest);
        let value = match result {
            Some(value) => {
                let width = self.width_of(ty);
                let bits = self.fit(value, width);
                self.typed(bits, ty)
            }
            None => {
                let sort = self.sort_of(ty);
                self.terms.constant(0, sort)
            }
        };
        self.assign(s, f, dest, value)
    }

    /// Calls whatever the pointer points to.
    fn call_pointer(
        &mut self,
        s: &mut State,
        pointer: TermId,
        values: Vec<TermId>,
        types: &[Ty],
        wanted: Option<Ty>,
    ) -> Step<Option<TermId>> {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, pointer, n);
        let width = self.addresses.width();
        let mut callees: Vec<(TermId, FuncId)> = Vec::new();
        for &t in targets.iter() {
            if self.is_excluded(s, t.condition) {
                continue;
            }
            if t.object == 0 {
                self.no_object(s, t, FaultKind::BadFunctionPointer);
                continue;
            }
            let kind = self.infos[t.object as usize].kind;
            let ObjectKind::Function(id) = kind else {
                self.fault(s, FaultKind::BadFunctionPointer, t.condition);
                continue;
            };
            let zero = self.terms.bv(0, width);
            let inside = self.terms.ne(t.offset, zero);
            let inside = self.terms.and(t.condition, inside);
            self.fault(s, FaultKind::BadFunctionPointer, inside);
            if self.takes(id, types, wanted) {
                callees.push((t.condition, id));
            } else {
                self.fault(s, FaultKind::WrongArguments, t.condition);
            }
        }
        self.only_callee_of_run(&mut callees);
        if self.is_recording() && callees.len() > 1 {
            self.not_recordable("a call through a pointer that is not known");
        }
        let mut after: Option<State> = None;
        for (condition, id) in callees {
            if s.is_dead() {
                break;
            }
            let mut own = s.clone();
            own.guard = self.guards.push(&mut self.terms, own.guard, condition);
            if own.is_dead() {
                continue;
            }
            let callee = self.program.function(id);
            let mut args = Vec::new();
            for (&param, &value) in callee.params.iter().zip(&values) {
                args.push(match callee.local(param).storage {
                    LocalStorage::Register(ty) => {
                        let width = self.width_of(ty);
                        let bits = self.fit(value, width);
                        self.typed(bits, ty)
                    }
                    _ => value,
                });
            }
            let result = self.call(&mut own, id, args)?;
            if own.is_dead() {
                continue;
            }
            // The result travels as one more register while the callees' states are merged.
            if let Some(wanted) = wanted {
                let width = self.width_of(wanted);
                let value = match result {
                    Some(value) => self.fit(value, width),
                    None => self.terms.bv(0, width),
                };
                own.registers.push(value);
            }
            after = Some(match after {
                None => own,
                Some(other) => self.merge(other, own)?,
            });
        }
        let Some(mut merged) = after else {
            s.guard = crate::guard::GuardId::DEAD;
            return Ok(None);
        };
        let result = wanted.and_then(|_| merged.registers.pop());
        *s = merged;
        Ok(result)
    }

    /// Whether `interp` would let a call pass these arguments.
    fn takes(&self, id: FuncId, types: &[Ty], wanted: Option<Ty>) -> bool {
        let n_registers = |ty: Ty| match ty {
            Ty::Int(65..) | Ty::F80 => 2,
            _ => 1,
        };
        let function = self.program.function(id);
        if let (Some(wanted), Some(given)) = (wanted, function.ret)
            && n_registers(wanted) != n_registers(given)
        {
            return false;
        }
        function.params.len() == types.len()
            && function.params.iter().zip(types).all(|(&param, &arg)| {
                matches!(function.local(param).storage,
                    LocalStorage::Register(ty) if n_registers(ty) == n_registers(arg))
            })
    }
}

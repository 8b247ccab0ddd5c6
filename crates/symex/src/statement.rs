//! Statements and calls.

use crate::EndKind;
use crate::encoder::Encoder;
use crate::expr::Body;
use crate::memory::{Contents, ObjectInfo, ObjectKind};
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::{Callee, ExprId, FaultKind, FuncId, LocalId, LocalStorage, Place, Ty};
use idiolect_smt::TermId;
use std::rc::Rc;

type Step<T> = Result<T, StopReason>;

impl Encoder<'_> {
    /// A memory local starts a new lifetime. As in `interp`, an object that nobody touched stays.
    pub(crate) fn new_lifetime(
        &mut self,
        s: &mut State,
        body: Body<'_>,
        local: LocalId,
        size: Option<ExprId>,
    ) -> Step<()> {
        let width = self.addresses.width();
        let size = match (size, body.1.local(local).storage) {
            (Some(size), _) => {
                let size = self.eval(s, body, size)?;
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
        let is_dynamic = matches!(body.1.local(local).storage, LocalStorage::Dynamic);
        let untouched = |object: u32| {
            let contents = s.memory.objects.get(object);
            contents.is_some_and(|c: &Rc<Contents>| c.cells.is_empty() && c.large.is_none())
        };
        if !is_dynamic && targets.iter().all(|t| untouched(t.object)) {
            return Ok(());
        }
        self.begin_local(s, body, local, size);
        Ok(())
    }

    /// The block of a memory local ends: it is dead, and what may begin there again is another object.
    pub(crate) fn end_lifetime(&mut self, s: &mut State, body: Body<'_>, local: LocalId) {
        if s.is_dead() {
            return;
        }
        if let LocalStorage::Memory { size, .. } = body.1.local(local).storage {
            let width = self.addresses.width();
            let size = self.terms.bv(u128::from(size), width);
            self.begin_local(s, body, local, size);
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
    fn begin_local(&mut self, s: &mut State, (id, f): Body<'_>, local: LocalId, size: TermId) {
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

    /// Calls, and gives the result to where it is wanted.
    pub(crate) fn call_with(
        &mut self,
        s: &mut State,
        body: Body<'_>,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Step<()> {
        let target = match callee {
            Callee::Pointer { target, .. } => Some(self.eval(s, body, *target)?),
            _ => None,
        };
        let known = match callee {
            Callee::Function(id) => Some(*id),
            _ => None,
        };
        let values = self.arguments(s, body, known, args)?;
        if s.is_dead() {
            return Ok(());
        }
        let result = match (callee, target) {
            (Callee::Function(id), _) => self.call(s, *id, values)?,
            (Callee::Builtin(builtin), _) => {
                if let (Some(size), &[to, from, _]) =
                    (body.1.reading_copy(callee, args), &values[..])
                {
                    self.read_copied(s, to, from, size)?;
                }
                let types: Vec<Ty> = args.iter().map(|&a| body.1.expr(a).ty).collect();
                let wanted = dest.map(|d| self.place_type(body, d));
                self.builtin(s, *builtin, &values, &types, wanted)?
            }
            (Callee::Pointer { .. }, Some(target)) => {
                let types: Vec<Ty> = args.iter().map(|&a| body.1.expr(a).ty).collect();
                let wanted = dest.map(|d| self.place_type(body, d));
                self.call_pointer(s, target, values, &types, wanted)?
            }
            (Callee::Pointer { .. }, None) => None,
        };
        self.assign_result(s, body, dest, result)
    }

    fn arguments(
        &mut self,
        s: &mut State,
        body: Body<'_>,
        callee: Option<FuncId>,
        args: &[ExprId],
    ) -> Step<Vec<TermId>> {
        let mut values = Vec::with_capacity(args.len());
        for (i, &arg) in args.iter().enumerate() {
            let decides = callee.is_some_and(|id| {
                let param = self.program.function(id).params.get(i);
                param.is_some_and(|&param| self.decides(id, param))
            });
            values.push(self.eval_deciding(s, body, arg, decides)?);
        }
        Ok(values)
    }

    /// A call of a known function, with the states after it as they are.
    pub(crate) fn call_statement_apart(
        &mut self,
        mut s: State,
        body: Body<'_>,
        (callee, args, dest): (FuncId, &[ExprId], Option<&Place>),
    ) -> Step<Vec<State>> {
        if let Some(&Place::Local(local)) = dest
            && self.decides(self.location.function, local)
        {
            self.note_result_decides(callee);
        }
        let values = self.arguments(&mut s, body, Some(callee), args)?;
        let mut outer = Vec::new();
        let mut states = self.call_apart(&mut s, callee, values, &mut outer)?;
        for state in &mut states {
            let result = state.registers.first().copied();
            state.registers.clone_from(&outer);
            self.assign_result(state, body, dest, result)?;
        }
        Ok(states)
    }

    fn assign_result(
        &mut self,
        s: &mut State,
        body: Body<'_>,
        dest: Option<&Place>,
        result: Option<TermId>,
    ) -> Step<()> {
        let (Some(dest), false) = (dest, s.is_dead()) else {
            return Ok(());
        };
        let ty = self.place_type(body, dest);
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
        self.assign(s, body, dest, value)
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

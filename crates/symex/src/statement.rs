//! Statements and calls.

use crate::EndKind;
use crate::access::Access;
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
                let value = self.eval(s, f, *value)?;
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
        match *place {
            Place::Local(local) => {
                s.registers[local.index()] = value;
                Ok(())
            }
            Place::Memory { address, ty } => {
                let address = self.eval(s, f, address)?;
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
        let falsity = self.terms.ff();
        for t in targets.iter().filter(|t| t.object != 0) {
            let dead = s.memory.dead.get(t.object).copied().unwrap_or(falsity);
            let dead = self.terms.or(dead, t.condition);
            s.memory.dead.insert(t.object, dead);
        }
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
        };
        let object = self.make_object(s, info);
        let pointer = self.pointer_term(object);
        if !s.is_dead() {
            s.registers[local.index()] = pointer;
        }
        Ok(())
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
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.eval(s, f, arg)?);
        }
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

    /// `memmove`: any overlap, written or not.
    pub(crate) fn copy(
        &mut self,
        s: &mut State,
        to: TermId,
        from: TermId,
        size: TermId,
    ) -> Step<()> {
        let Some(total) = self.terms.as_const(size) else {
            return self.copy_symbolic(s, to, from, size);
        };
        if total == 0 || s.is_dead() {
            return Ok(());
        }
        let truth = self.terms.tt();
        let total = total as u64;
        let sources = self.resolve(s, from, total, Access::Read);
        let destinations = self.resolve(s, to, total, Access::Write);
        for &t in sources.iter().chain(&destinations) {
            if !self.refuse_large(s, t) {
                self.limit(s, t, total as u32);
            }
        }
        if s.is_dead() || sources.is_empty() || destinations.is_empty() {
            return Ok(());
        }
        let pieces = self.gather(s, &sources, total as u32)?;
        let Some(pieces) = pieces else {
            self.trap(s, "a copy of a large object", truth);
            return Ok(());
        };
        let is_single = destinations.len() == 1;
        for t in destinations {
            let hit = if is_single { truth } else { t.condition };
            for &(skip, size, value) in &pieces {
                self.charge(1)?;
                self.raw_write(s, t, skip, size, total as u32, value, hit);
            }
        }
        Ok(())
    }

    /// The bytes of a range in pieces: distance from its start, size, value and unwrittenness.
    #[expect(clippy::type_complexity)]
    fn gather(
        &mut self,
        s: &State,
        sources: &[crate::pointer::Target],
        total: u32,
    ) -> Step<Option<Vec<(u32, u32, (TermId, TermId))>>> {
        // One source at a constant place: its own cells are the pieces.
        if let [t] = sources
            && let Some(offset) = self.terms.as_const(t.offset)
            && let Some(contents) = s.memory.objects.get(t.object).cloned()
        {
            let offset = offset as u32;
            let initial = self.infos[t.object as usize].initial.clone();
            let found = contents.pieces(&mut self.terms, initial.as_deref(), offset, total);
            self.charge(found.len() as u64)?;
            let list = found
                .into_iter()
                .map(|p| (p.at - offset, p.size, (p.value, p.unwritten)));
            return Ok(Some(list.collect()));
        }
        let stride = sources
            .iter()
            .map(|t| self.infos[t.object as usize].stride)
            .min()
            .unwrap_or(1);
        let mut list = Vec::new();
        let mut at = 0;
        while at < total {
            self.charge(1)?;
            let size = stride.min(total - at);
            match self.raw_read_any(s, sources, at, size, total) {
                Some(value) => list.push((at, size, value)),
                None => {
                    for byte in at..at + size {
                        match self.raw_read_any(s, sources, byte, 1, total) {
                            Some(value) => list.push((byte, 1, value)),
                            None => return Ok(None),
                        }
                    }
                }
            }
            at += size;
        }
        Ok(Some(list))
    }

    fn raw_read_any(
        &mut self,
        s: &State,
        sources: &[crate::pointer::Target],
        skip: u32,
        size: u32,
        total: u32,
    ) -> Option<(TermId, TermId)> {
        let mut result: Option<(TermId, TermId)> = None;
        for &t in sources {
            let own = self.raw_read(s, t, skip, size, total)?;
            result = Some(match result {
                None => own,
                Some((value, unwritten)) => (
                    self.terms.ite(t.condition, own.0, value),
                    self.terms.ite(t.condition, own.1, unwritten),
                ),
            });
        }
        result
    }

    /// A copy whose size is not known: byte by byte, each if it is still within the size.
    fn copy_symbolic(&mut self, s: &mut State, to: TermId, from: TermId, size: TermId) -> Step<()> {
        let Some(most) = self.symbolic_extent(s, &[to, from], size) else {
            return Ok(());
        };
        // Faults first: the ranges have to be there as a whole.
        self.check_range(s, from, size, Access::Read);
        self.check_range(s, to, size, Access::Write);
        let width = self.addresses.width();
        let mut bytes = Vec::new();
        for i in 0..most {
            if s.is_dead() {
                return Ok(());
            }
            let distance = self.terms.bv(u128::from(i), width);
            let inside = self.terms.ult(distance, size);
            if self.is_excluded(s, inside) {
                break;
            }
            let at = self.terms.add(from, distance);
            self.lazies.push(inside);
            let sources = self.resolve(s, at, 1, Access::Read);
            for &t in &sources {
                if !self.refuse_large(s, t) {
                    self.limit(s, t, 1);
                }
            }
            self.lazies.pop();
            let value = self.raw_read_any(s, &sources, 0, 1, 1);
            self.charge(1)?;
            bytes.push((distance, inside, value));
        }
        for (distance, inside, value) in bytes {
            let Some(value) = value else { continue };
            let at = self.terms.add(to, distance);
            self.lazies.push(inside);
            let destinations = self.resolve(s, at, 1, Access::Write);
            for &t in &destinations {
                if !self.refuse_large(s, t) {
                    self.limit(s, t, 1);
                }
            }
            self.lazies.pop();
            for t in destinations {
                let hit = self.terms.and(inside, t.condition);
                self.raw_write(s, t, 0, 1, 1, value, hit);
            }
        }
        Ok(())
    }

    /// How many bytes an operation of symbolic size may touch at most.
    fn symbolic_extent(&mut self, s: &mut State, pointers: &[TermId], size: TermId) -> Option<u32> {
        let mut most = self.terms.facts(size).max.min(u128::from(u32::MAX)) as u64;
        for &pointer in pointers {
            let n = self.infos.len();
            let targets = self.addresses.targets(&mut self.terms, pointer, n);
            let own = targets
                .iter()
                .map(|t| self.infos[t.object as usize].max_size)
                .max();
            most = most.min(own.unwrap_or(0));
        }
        // Sizes beyond what one wants to look at are not modelled.
        let limit = u64::from(self.config.max_unsized_elements) * 8;
        if most > limit {
            let width = self.addresses.width();
            let limit = self.terms.bv(u128::from(limit), width);
            let beyond = self.terms.ult(limit, size);
            self.trap(s, "a copy of symbolic size in a large object", beyond);
        }
        let most = most.min(limit);
        if s.is_dead() {
            return None;
        }
        Some(most as u32)
    }

    /// Faults of a range of symbolic size, unless it is empty.
    fn check_range(&mut self, s: &mut State, pointer: TermId, size: TermId, access: Access) {
        let width = self.addresses.width();
        let zero = self.terms.bv(0, width);
        let nonempty = self.terms.ne(size, zero);
        if self.is_excluded(s, nonempty) {
            return;
        }
        self.lazies.push(nonempty);
        let live = self.resolve(s, pointer, 1, access);
        for t in live {
            let own = self.infos[t.object as usize].size;
            let room = self.terms.sub(own, t.offset);
            let beyond = self.terms.ult(room, size);
            let beyond = self.terms.and(t.condition, beyond);
            self.fault(s, FaultKind::OutOfBounds, beyond);
        }
        self.lazies.pop();
    }

    /// `memset`
    pub(crate) fn fill(
        &mut self,
        s: &mut State,
        to: TermId,
        byte: TermId,
        size: TermId,
    ) -> Step<()> {
        let truth = self.terms.tt();
        let falsity = self.terms.ff();
        let Some(total) = self.terms.as_const(size) else {
            let Some(most) = self.symbolic_extent(s, &[to], size) else {
                return Ok(());
            };
            self.check_range(s, to, size, Access::Write);
            let width = self.addresses.width();
            for i in 0..most {
                let distance = self.terms.bv(u128::from(i), width);
                let inside = self.terms.ult(distance, size);
                if self.is_excluded(s, inside) {
                    break;
                }
                self.charge(1)?;
                let at = self.terms.add(to, distance);
                self.lazies.push(inside);
                let destinations = self.resolve(s, at, 1, Access::Write);
                for &t in &destinations {
                    if !self.refuse_large(s, t) {
                        self.limit(s, t, 1);
                    }
                }
                self.lazies.pop();
                for t in destinations {
                    let hit = self.terms.and(inside, t.condition);
                    self.raw_write(s, t, 0, 1, 1, (byte, falsity), hit);
                }
            }
            return Ok(());
        };
        if total == 0 || s.is_dead() {
            return Ok(());
        }
        let targets = self.resolve(s, to, total as u64, Access::Write);
        let is_single = targets.len() == 1;
        for t in targets {
            if self.refuse_large(s, t) {
                continue;
            }
            self.limit(s, t, total as u32);
            let hit = if is_single { truth } else { t.condition };
            let stride = self.infos[t.object as usize].stride;
            let mut at = 0;
            while at < total as u32 {
                self.charge(1)?;
                let size = stride.min(total as u32 - at);
                let value = self.concat(&vec![byte; size as usize]);
                self.raw_write(s, t, at, size, total as u32, (value, falsity), hit);
                at += size;
            }
        }
        Ok(())
    }
}

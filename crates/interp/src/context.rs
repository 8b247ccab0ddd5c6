//! What instructions need beyond registers: memory off the fast path, inputs, calls.

use crate::code::{Access, AccessForm, Code, EffectCode, Slot, TyCode, WINDOW, ty_of};
use crate::input::{DrawnInput, InputOrigin, InputRequest, InputSource, ObjectKind, Unwritten};
use crate::machine::{Parts, RunOptions, Scope};
use crate::memory::displaced;
use crate::observe::{Effect, Value, View, value_of};
use crate::ops;
use crate::outcome::Fault;
use crate::run::Meter;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::FaultKind;
use idiolect_ir::ctype::{ArrayLength, DataModel, Types};
use idiolect_ir::memory::{MAX_OBJECT_SIZE, object_of, offset_of};
use idiolect_ir::{BlockId, CType, FuncId, InputId, LocalId, LocalStorage, Program, Ty, TypeId};

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    Exit(i32),
    Abort,
    Error(BlockId),
    Fault(Fault),
    AssumeEnded,
    Trap(u32),
    Limit(StopReason),
    InputsEnded,
    Stopped,
}

/// Stands for the place of an instruction that reads a pointer, whatever type the instruction has.
pub(crate) const POINTER: usize = usize::MAX;

pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) code: &'a Code,
    pub(crate) options: &'a RunOptions,
    pub(crate) source: &'a mut dyn InputSource,
    pub(crate) parts: Parts,
    pub(crate) budget: &'a Budget,
    pub(crate) meter: Meter,
    /// Why the run is over, once it is.
    pub(crate) halt: Halt,
}

pub(crate) fn fault(kind: FaultKind, address: u64) -> Halt {
    Halt::Fault(Fault { kind, address })
}

/// How many registers a value takes.
fn n_regs(ty: Ty) -> usize {
    match ty {
        Ty::Int(65..) | Ty::F80 => 2,
        _ => 1,
    }
}

impl Context<'_> {
    /// A load of up to 8 bytes that is not simply there.
    #[cold]
    #[inline(never)]
    pub(crate) fn load_slow(
        &mut self,
        base: u64,
        delta: i64,
        size: u64,
        pc: usize,
    ) -> Result<u64, Halt> {
        let pointer = displaced(base, delta);
        let bits = self.load_bits(pointer, size, pc)?;
        Ok(bits as u64)
    }

    /// The difference of ILP32 pointers.
    pub(crate) fn flat_difference(&mut self, x: u64, y: u64) -> Result<i32, Halt> {
        if object_of(x) == object_of(y) {
            return Ok(offset_of(x).wrapping_sub(offset_of(y)));
        }
        let memory = &mut self.parts.memory;
        let x = memory.flatten(x).map_err(Halt::Limit)?;
        let y = memory.flatten(y).map_err(Halt::Limit)?;
        Ok(x.wrapping_sub(y) as i32)
    }

    /// Loads up to 16 bytes; what was never written becomes input first.
    pub(crate) fn load_bits(&mut self, pointer: u64, size: u64, pc: usize) -> Result<u128, Halt> {
        let memory = &self.parts.memory;
        let (index, offset) = memory
            .locate(pointer, size)
            .map_err(|kind| memory.halt(kind, pointer))?;
        if !memory.all_written(index, offset, size) {
            self.read_unwritten(index, offset, size, pc)?;
        }
        let mut bytes = [0; 16];
        bytes[..size as usize].copy_from_slice(self.parts.memory.bytes_at(index, offset, size));
        Ok(u128::from_le_bytes(bytes))
    }

    /// Bytes of locals and of the heap that nobody wrote are a fault; what else is wrong with the pointer
    /// shows when it is used.
    pub(crate) fn check_written(&self, pointer: u64, size: u64) -> Result<(), Halt> {
        let memory = &self.parts.memory;
        let Ok((index, offset)) = memory.locate(pointer, size) else {
            return Ok(());
        };
        let counts = match memory.kind_at(index) {
            // What pointers of the entry function point to is made by the start function.
            ObjectKind::Local { function, .. } => function != self.program.start,
            ObjectKind::Heap { .. } | ObjectKind::Alloca { .. } => true,
            ObjectKind::Global(_) | ObjectKind::Function(_) => false,
        };
        if counts && !memory.is_forgotten(index) && !memory.all_written(index, offset, size) {
            return Err(fault(FaultKind::Uninitialised, pointer));
        }
        Ok(())
    }

    /// Makes unwritten bytes inputs: one of the type that is read if all of them are unwritten,
    /// else one for each unwritten byte.
    fn read_unwritten(
        &mut self,
        index: usize,
        offset: u32,
        size: u64,
        pc: usize,
    ) -> Result<(), Halt> {
        let memory = &self.parts.memory;
        let object = memory.kind_at(index);
        let all = (0..size as u32).all(|i| !memory.is_written(index, offset + i));
        if all {
            let (ty, signed) = self.type_read(object, offset, size, pc);
            let origin = InputOrigin::Unwritten(Unwritten {
                object,
                offset,
                size: size as u32,
            });
            let bits = self.draw(origin, ty, signed)?;
            let bytes = bits.to_le_bytes();
            self.parts
                .memory
                .settle(index, offset, &bytes[..size as usize]);
            return Ok(());
        }
        for at in offset..offset + size as u32 {
            if !self.parts.memory.is_written(index, at) {
                let origin = InputOrigin::Unwritten(Unwritten {
                    object,
                    offset: at,
                    size: 1,
                });
                let bits = self.draw(origin, Ty::Int(8), false)?;
                self.parts.memory.settle(index, at, &[bits as u8]);
            }
        }
        Ok(())
    }

    /// The type of an unwritten scalar, and whether C reads it as signed.
    fn type_read(&self, object: ObjectKind, offset: u32, size: u64, pc: usize) -> (Ty, bool) {
        let types = &self.program.types;
        let declared = match object {
            ObjectKind::Global(g) => Some(self.program.global(g).ty),
            ObjectKind::Local { function, local } => {
                Some(self.program.function(function).local(local).ty)
            }
            _ => None,
        };
        if let Some(ty) = declared.and_then(|ty| scalar_at(types, ty, u64::from(offset), size))
            && let Some(scalar) = types.scalar(ty)
        {
            return (scalar, types.is_signed(ty));
        }
        let Some(&code) = self.code.types.get(pc) else {
            return (Ty::Ptr, false);
        };
        match code {
            0 => (Ty::Int((size * 8) as u8), true),
            code => (ty_of(code), false),
        }
    }

    /// The next input, recorded.
    pub(crate) fn draw(&mut self, origin: InputOrigin, ty: Ty, signed: bool) -> Result<u128, Halt> {
        let request = InputRequest {
            program: self.program,
            origin,
            ty,
            signed,
        };
        let bits = self.source.next(&request).ok_or(Halt::InputsEnded)?;
        let width = match ty {
            Ty::Int(width) => width,
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::F80 => 80,
            Ty::Ptr => self.program.types.model.pointer_width(),
        };
        let bits = bits & ops::mask128(width);
        self.parts.inputs.push(DrawnInput {
            origin,
            ty,
            signed,
            bits,
        });
        Ok(bits)
    }

    /// An input for a register, in two halves.
    pub(crate) fn input(&mut self, input: InputId, ty: TyCode) -> Result<(u64, u64), Halt> {
        let ty = ty_of(ty);
        let site = &self.program.inputs[input.index()];
        let signed = self.program.types.is_signed(site.ty);
        let is_bool = matches!(self.program.types.get(site.ty), CType::Bool);
        let mut bits = self.draw(InputOrigin::Site(input), ty, signed)?;
        if is_bool && bits > 1 {
            bits &= 1;
            if let Some(last) = self.parts.inputs.last_mut() {
                last.bits = bits;
            }
        }
        if ty == Ty::Ptr && self.program.types.model == DataModel::Ilp32 {
            bits = u128::from(self.parts.memory.unflatten(bits as u32));
        }
        Ok((bits as u64, (bits >> 64) as u64))
    }

    pub(crate) fn load_any(
        &mut self,
        base: u64,
        offset: i32,
        access: u32,
        pc: usize,
    ) -> Result<(u64, Option<u64>), Halt> {
        let access = Access::unpack(access);
        let pointer = displaced(base, i64::from(offset));
        Ok(match access.form {
            AccessForm::Plain => (
                self.load_bits(pointer, u64::from(access.size), pc)? as u64,
                None,
            ),
            AccessForm::Flat => {
                let flat = self.load_bits(pointer, 4, pc)? as u32;
                (self.parts.memory.unflatten(flat), None)
            }
            AccessForm::Wide => {
                let bits = self.load_bits(pointer, u64::from(access.size), pc)?;
                (bits as u64, Some((bits >> 64) as u64))
            }
            AccessForm::Float80 => {
                // Bounds are those of the whole, padding included.
                let memory = &self.parts.memory;
                memory
                    .locate(pointer, u64::from(access.size))
                    .map_err(|kind| memory.halt(kind, pointer))?;
                let bits = self.load_bits(pointer, 10, pc)?;
                (bits as u64, Some((bits >> 64) as u64))
            }
        })
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn store_slow(&mut self, base: u64, delta: i64, bytes: &[u8]) -> Result<(), Halt> {
        let pointer = displaced(base, delta);
        let memory = &mut self.parts.memory;
        memory
            .write_slow(pointer, bytes)
            .map_err(|kind| memory.halt(kind, pointer))
    }

    pub(crate) fn store_any(
        &mut self,
        base: u64,
        offset: i32,
        access: u32,
        value: u128,
    ) -> Result<(), Halt> {
        let access = Access::unpack(access);
        let value = match access.form {
            AccessForm::Flat => {
                let flat = self.parts.memory.flatten(value as u64);
                u128::from(flat.map_err(Halt::Limit)?)
            }
            // The padding of a `long double` becomes zero.
            AccessForm::Float80 => value & ops::mask128(80),
            AccessForm::Plain | AccessForm::Wide => value,
        };
        let bytes = value.to_le_bytes();
        self.store_slow(base, i64::from(offset), &bytes[..usize::from(access.size)])
    }

    /// Stores the lowest `width` bits of a value into a unit of memory.
    pub(crate) fn store_bits(
        &mut self,
        pointer: u64,
        access: u32,
        shift: u8,
        width: u8,
        value: u128,
    ) -> Result<(), Halt> {
        let size = u64::from(Access::unpack(access).size);
        let memory = &mut self.parts.memory;
        let (index, offset) = memory
            .locate_to_write(pointer, size)
            .map_err(|kind| memory.halt(kind, pointer))?;
        let mut bytes = [0; 16];
        for (i, &byte) in memory.bytes_at(index, offset, size).iter().enumerate() {
            if memory.is_written(index, offset + i as u32) {
                bytes[i] = byte;
            }
        }
        let mask = ops::mask128(width) << shift;
        let unit = u128::from_le_bytes(bytes) & !mask | value << shift & mask;
        memory
            .bytes_at_mut(index, offset, size)
            .copy_from_slice(&unit.to_le_bytes()[..size as usize]);
        memory.mark_written(index, offset, size);
        Ok(())
    }

    /// Unwritten bytes become inputs before they are copied, each by itself, if the copy is no fault.
    pub(crate) fn read_copied(
        &mut self,
        to: u64,
        from: u64,
        size: u64,
        pc: usize,
    ) -> Result<(), Halt> {
        let memory = &mut self.parts.memory;
        if size == 0 || self.parts.host.is_some() {
            return Ok(());
        }
        let (Ok((index, offset)), Ok(_)) =
            (memory.locate(from, size), memory.locate_to_write(to, size))
        else {
            return Ok(());
        };
        for at in offset..offset + size as u32 {
            if !self.parts.memory.is_written(index, at) {
                self.read_unwritten(index, at, 1, pc)?;
            }
        }
        Ok(())
    }

    pub(crate) fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Halt> {
        // For a process, memory that nobody wrote has some content, and no proof depends on it.
        if self.parts.host.is_some() {
            self.parts.memory.settle_unwritten(from, size);
        }
        let memory = &mut self.parts.memory;
        memory
            .copy(to, from, size)
            .map_err(|kind| match memory.locate(from, size) {
                Err(kind) => memory.halt(kind, from),
                Ok(_) => memory.halt(kind, to),
            })
    }

    pub(crate) fn fill(&mut self, to: u64, byte: u8, size: u64) -> Result<(), Halt> {
        let memory = &mut self.parts.memory;
        memory
            .fill(to, byte, size)
            .map_err(|kind| memory.halt(kind, to))
    }

    /// The function that a pointer means, if the call can pass it these arguments.
    /// Where a function begins.
    pub(crate) fn function_start(&self, pointer: u64) -> Result<usize, Halt> {
        let object = object_of(pointer);
        let n_functions = self.program.functions.len() as u32;
        if object == 0 || object > n_functions || offset_of(pointer) != 0 {
            return Err(fault(FaultKind::BadFunctionPointer, pointer));
        }
        Ok(self.code.functions[object as usize - 1].start as usize)
    }

    pub(crate) fn resolve_call(
        &mut self,
        pointer: u64,
        call: u32,
        registers: &mut [u64],
    ) -> Result<FuncId, Halt> {
        let site = &self.code.calls[call as usize];
        let object = object_of(pointer);
        let n_functions = self.program.functions.len() as u32;
        if object == 0 || object > n_functions || offset_of(pointer) != 0 {
            return Err(fault(FaultKind::BadFunctionPointer, pointer));
        }
        let id = FuncId(object - 1);
        let function = self.program.function(id);
        let mismatch = fault(FaultKind::WrongArguments, pointer);
        if function.params.len() != site.args.len() {
            return Err(mismatch);
        }
        if let (Some(wanted), Some(given)) = (site.result, function.ret)
            && n_regs(wanted) != n_regs(given)
        {
            return Err(mismatch);
        }
        let mut at = 0;
        for (&param, &arg) in function.params.iter().zip(&site.args) {
            let LocalStorage::Register(ty) = function.local(param).storage else {
                return Err(mismatch);
            };
            if n_regs(ty) != n_regs(arg) {
                return Err(mismatch);
            }
            // Old C calls functions with integers of another width; registers stay zero-extended.
            if let (Ty::Int(to @ 1..=64), Some(register)) = (ty, registers.get_mut(at)) {
                *register &= ops::mask64(to);
            }
            at += n_regs(ty);
        }
        Ok(id)
    }

    /// The arguments that a function is called with, for observers.
    pub(crate) fn arguments_of(&self, callee: FuncId, registers: &[u64]) -> Vec<Value> {
        let function = self.program.function(callee);
        let types = function
            .params
            .iter()
            .map(|&param| match function.local(param).storage {
                LocalStorage::Register(ty) => ty,
                _ => Ty::Ptr,
            });
        self.argument_values(types, registers)
    }

    /// Arguments in registers and, from the first that found no room there, beside them.
    pub(crate) fn argument_values(
        &self,
        types: impl Iterator<Item = Ty>,
        registers: &[u64],
    ) -> Vec<Value> {
        let (mut at, mut beside) = (0, None);
        types
            .map(|ty| {
                let n = n_regs(ty);
                if beside.is_none() && at + n <= crate::compile::MAX_WINDOW_ARGS {
                    at += n;
                    return value_of(ty, registers[at - n], registers[at - 1]);
                }
                let from = beside.unwrap_or(0);
                beside = Some(from + n);
                let get = |i: usize| self.parts.arguments.get(i).copied().unwrap_or(0);
                value_of(ty, get(from), get(from + n - 1))
            })
            .collect()
    }

    /// Room for variables that have no place in the window.
    pub(crate) fn enter_far(&mut self, size: usize) -> Result<(), Halt> {
        let parts = &mut self.parts;
        let base = parts.far.len();
        if (base + size) * 8 > self.options.max_memory {
            return Err(Halt::Limit(StopReason::Memory));
        }
        parts.far.resize(base + size, 0);
        parts.far.push(parts.far_base as u64);
        parts.far_base = base;
        Ok(())
    }

    pub(crate) fn leave_far(&mut self) {
        let parts = &mut self.parts;
        let base = parts.far_base;
        parts.far_base = parts.far.pop().unwrap_or(0) as usize;
        parts.far.truncate(base);
    }

    pub(crate) fn enter_locals(
        &mut self,
        function: usize,
        frame: &mut [u64; WINDOW],
        pc: usize,
    ) -> Result<(), Halt> {
        let code = &self.code.functions[function];
        let parts = &mut self.parts;
        let first_object = parts.objects.len();
        let mut scope = Scope {
            block: None,
            first_object,
        };
        if code.memory_locals.is_empty() {
            parts.scopes.push(scope);
            return Ok(());
        }
        let block = parts.memory.take_block_of(code.block);
        let block = block.map_err(Halt::Limit)?;
        scope.block = Some(block);
        parts.scopes.push(scope);
        for local in &code.memory_locals {
            let pointer = parts
                .memory
                .add_object(local.kind, block, local.offset, local.size, pc as u32)
                .map_err(Halt::Limit)?;
            parts.objects.push((pointer, false));
            match local.slot {
                Slot::Near(reg) => frame[usize::from(reg)] = pointer,
                Slot::Far(slot) => parts.far[parts.far_base + slot as usize] = pointer,
            }
        }
        Ok(())
    }

    pub(crate) fn leave_locals(&mut self) {
        let parts = &mut self.parts;
        let Some(scope) = parts.scopes.pop() else {
            return;
        };
        for (pointer, owns_block) in parts.objects.drain(scope.first_object..) {
            parts.memory.end_object(pointer, owns_block);
        }
        if let Some(block) = scope.block {
            parts.memory.give_block(block);
        }
        if !parts.jumps.is_empty() {
            let n_open = parts.scopes.len();
            parts.jumps.retain(|jump| jump.n_scopes <= n_open);
        }
    }

    /// A variable-length array comes to life, after the one of the round before.
    pub(crate) fn dynamic_local(
        &mut self,
        local: LocalId,
        old: u64,
        size: u64,
        pc: usize,
    ) -> Result<u64, Halt> {
        if size >= MAX_OBJECT_SIZE {
            return Err(Halt::Limit(StopReason::Memory));
        }
        self.end_dynamic(old);
        let parts = &mut self.parts;
        let block = parts.memory.take_block(size).map_err(Halt::Limit)?;
        let kind = ObjectKind::Local {
            function: self.code.function_at(pc),
            local,
        };
        let pointer = parts
            .memory
            .add_object(kind, block, 0, size as u32, pc as u32)
            .map_err(Halt::Limit)?;
        parts.objects.push((pointer, true));
        Ok(pointer)
    }

    /// Ends the life of a variable-length array, if it has begun; gives the pointer of one that has not.
    pub(crate) fn end_dynamic(&mut self, old: u64) -> u64 {
        if old != 0 {
            self.parts.memory.end_object(old, true);
            self.parts.objects.retain(|&(pointer, _)| pointer != old);
        }
        0
    }

    /// The first heap block that is lost, and where it was made.
    pub(crate) fn first_leak(&self, roots: &[u64]) -> Option<(u64, usize)> {
        let size = self.program.types.model.pointer_size() as usize;
        let leaks = self.parts.memory.leaks(roots, size);
        leaks.first().map(|&(pointer, at)| (pointer, at as usize))
    }

    /// What a statement did, in terms of values.
    pub(crate) fn effect(&self, effect: u32, view: &View<'_>) -> Effect {
        let register = |reg: u8, ty: Ty| {
            let at = usize::from(reg);
            let high = view.window.get(at + 1).copied().unwrap_or(0);
            value_of(ty, view.window[at], high)
        };
        match self.code.effects[effect as usize] {
            EffectCode::None => Effect::None,
            EffectCode::Local(local) => match view.local(local) {
                Some(value) => Effect::Assigned { local, value },
                None => Effect::None,
            },
            EffectCode::Memory { address, value, ty } => Effect::Stored {
                address: view.window[usize::from(address)],
                value: register(value, ty),
            },
            EffectCode::Value { value, ty } => Effect::Result(register(value, ty)),
        }
    }
}

/// The scalar of `size` bytes that a type has at an offset.
fn scalar_at(types: &Types, ty: TypeId, offset: u64, size: u64) -> Option<TypeId> {
    match types.get(ty) {
        CType::Array { element, length } => {
            let element_size = types.size_of(*element)?;
            let known = match length {
                ArrayLength::Known(n) => offset < n * element_size,
                _ => true,
            };
            if element_size == 0 || !known {
                return None;
            }
            scalar_at(types, *element, offset % element_size, size)
        }
        CType::Record(id) => {
            let layout = types.record(*id).layout.as_ref()?;
            layout
                .fields
                .iter()
                .filter(|f| f.bits.is_none() && f.offset <= offset)
                .rev()
                .find_map(|f| scalar_at(types, f.ty, offset - f.offset, size))
        }
        _ => (offset == 0 && types.size_of(ty) == Some(size)).then_some(ty),
    }
}

//! Statements.

use super::address::{Address, Index};
use super::layout::n_regs;
use super::thread::reads;
use super::{FunctionCompiler, MAX_WINDOW_ARGS};
use crate::code::{Access, AccessForm, CallSite, EffectCode, Instr, Reg, Slot, ty_code};
use idiolect_ir::{
    Builtin, Callee, ExprId, Function, LocalId, LocalStorage, Place, Stmt, StmtKind, Ty,
};

/// Whether a function takes memory that lives as long as its activation, or is jumped back to, which only
/// works for as long.
pub(super) fn uses_alloca(function: &Function) -> bool {
    function.blocks.iter().flat_map(|b| &b.stmts).any(|s| {
        matches!(
            s.kind,
            StmtKind::Call {
                callee: Callee::Builtin(Builtin::Alloca | Builtin::Setjmp),
                ..
            }
        )
    })
}

/// Whether a statement may be emitted twice without making the code much longer.
pub(super) fn is_small(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Assign { .. })
}

impl FunctionCompiler<'_> {
    pub(super) fn statement(&mut self, stmt: &Stmt) {
        if self.may_yield() && self.uses_memory(stmt) {
            self.emit(Instr::Yield);
        }
        if self.hooks.statements {
            self.emit(Instr::Before);
        }
        match &stmt.kind {
            &StmtKind::Assign { place, value } => self.assign(place, value),
            &StmtKind::Havoc { place, input } => {
                let ty = self.place_ty(place);
                let d = match place {
                    Place::Local(l) if let Slot::Near(reg) = self.layout.slots[l.index()] => reg,
                    _ => self.temp(n_regs(ty)),
                };
                self.emit(Instr::Input {
                    d,
                    input,
                    ty: ty_code(ty),
                });
                self.store(place, d, ty);
            }
            &StmtKind::Assume { condition } => {
                let holds = self.label();
                self.inner_branch(condition, true, holds);
                self.emit(Instr::AssumeFails);
                self.place(holds);
                self.after(EffectCode::None);
            }
            &StmtKind::Copy { to, from, size } => {
                let (to, from) = self.pair(to, from);
                self.emit(Instr::Copy {
                    to,
                    from,
                    low: size as u32,
                    high: (size >> 32) as u32,
                });
                self.after(EffectCode::Memory {
                    address: to,
                    value: from,
                    ty: Ty::Ptr,
                });
            }
            &StmtKind::Zero { to, size } => {
                let to = self.value(to);
                self.emit(Instr::Zero {
                    to,
                    low: size as u32,
                    high: (size >> 32) as u32,
                });
                self.after(EffectCode::None);
            }
            &StmtKind::Declare { local, size } => self.declare(local, size),
            &StmtKind::End { local } => self.end(local),
            StmtKind::Call { dest, callee, args } => self.call(*dest, *callee, args),
            &StmtKind::Mark { mark, condition } => {
                // The condition is computed whether anyone listens or not, so that its inputs and
                // faults are part of the run and a run does not depend on who looks at it.
                let behind = condition.map(|condition| {
                    let behind = self.label();
                    self.inner_branch(condition, false, behind);
                    behind
                });
                if self.hooks.events {
                    self.emit(Instr::Mark { mark: mark.0 });
                }
                if let Some(behind) = behind {
                    self.place(behind);
                }
                self.after(EffectCode::None);
            }
        }
    }

    /// Tells an observer of statements what has happened.
    pub(super) fn after(&mut self, effect: EffectCode) {
        if self.hooks.statements {
            self.effects.push(effect);
            let effect = self.first_effect + self.effects.len() as u32 - 1;
            self.emit(Instr::After { effect });
        }
    }

    pub(super) fn after_value(&mut self, value: Reg, ty: Ty) {
        self.after(EffectCode::Value { value, ty });
    }

    pub(super) fn place_ty(&self, place: Place) -> Ty {
        match place {
            Place::Local(l) => match self.function.local(l).storage {
                LocalStorage::Register(ty) => ty,
                _ => Ty::Ptr,
            },
            Place::Memory { ty, .. } => ty,
            Place::Bits { width, .. } => Ty::Int(width),
        }
    }

    fn assign(&mut self, place: Place, value: ExprId) {
        let ty = self.place_ty(place);
        match place {
            Place::Local(l) => {
                match self.layout.slots[l.index()] {
                    Slot::Near(d) => self.value_to(value, d),
                    Slot::Far(_) => {
                        let reg = self.value(value);
                        self.store_far(l, reg, ty);
                    }
                }
                self.after(EffectCode::Local(l));
            }
            Place::Memory { .. } | Place::Bits { .. } => {
                let mark = self.next_temp;
                let mut reg = self.value(value);
                // What was read may have changed when the result is written.
                if self.may_yield() && reads(self.function, value) {
                    self.emit(Instr::Yield);
                }
                let spilled = self.must_spill() && self.is_temp(reg);
                if spilled {
                    let slot = self.spill(reg, ty);
                    self.release(mark);
                    let address = self.place_address(place);
                    reg = self.unspill(slot, ty);
                    self.store_at(place, address, reg, ty);
                } else {
                    let address = self.place_address(place);
                    self.store_at(place, address, reg, ty);
                }
            }
        }
    }

    fn place_address(&mut self, place: Place) -> Option<Address> {
        match place {
            Place::Local(_) => None,
            Place::Memory { address, .. } => Some(self.address(address)),
            Place::Bits { address, .. } => {
                let base = self.value(address);
                Some(Address {
                    base,
                    index: None,
                    offset: 0,
                })
            }
        }
    }

    fn store_far(&mut self, l: LocalId, reg: Reg, ty: Ty) {
        if let Slot::Far(slot) = self.layout.slots[l.index()] {
            for i in 0..n_regs(ty) {
                self.emit(Instr::StoreFar {
                    a: reg + i as Reg,
                    slot: slot + i,
                });
            }
        }
    }

    /// Stores a register to any place.
    pub(super) fn store(&mut self, place: Place, v: Reg, ty: Ty) {
        match place {
            Place::Local(l) => {
                match self.layout.slots[l.index()] {
                    Slot::Near(d) => self.move_to(d, v, ty),
                    Slot::Far(_) => self.store_far(l, v, ty),
                }
                self.after(EffectCode::Local(l));
            }
            _ => {
                let address = self.place_address(place);
                self.store_at(place, address, v, ty);
            }
        }
    }

    fn store_at(&mut self, place: Place, address: Option<Address>, v: Reg, ty: Ty) {
        let Some(mut address) = address else { return };
        if let Place::Bits {
            unit,
            offset,
            width,
            ..
        } = place
        {
            let access = self.access(unit);
            self.emit(Instr::StoreBits {
                v,
                a: address.base,
                access: access.pack(),
                shift: offset,
                width,
            });
        } else {
            let access = self.access(ty);
            let plain = access.form == AccessForm::Plain;
            let fast = plain && matches!(access.size, 1 | 4 | 8);
            if address.index.is_some() && (!fast || self.hooks.statements) {
                let mark = self.next_temp;
                let base = self.address_value(&address, None, mark);
                address = Address {
                    base,
                    index: None,
                    offset: 0,
                };
            }
            self.emit_store(&address, access, v);
        }
        let mark = self.next_temp;
        if self.hooks.statements {
            let address = self.address_value(&address, None, mark);
            self.after(EffectCode::Memory {
                address,
                value: v,
                ty,
            });
        }
    }

    fn emit_store(&mut self, address: &Address, access: Access, v: Reg) {
        let plain = access.form == AccessForm::Plain;
        let (a, offset) = (address.base, address.offset);
        self.emit(match (&address.index, access.size) {
            (None, 1) if plain => Instr::Store8 { v, a, offset },
            (None, 2) if plain => Instr::Store16 { v, a, offset },
            (None, 4) if plain => Instr::Store32 { v, a, offset },
            (None, 8) if plain => Instr::Store64 { v, a, offset },
            (None, _) => Instr::StoreAny {
                v,
                a,
                access: access.pack(),
                offset,
            },
            (
                &Some(Index {
                    reg: b,
                    scale,
                    is_32,
                }),
                size,
            ) => match (is_32, size) {
                (false, 1) => Instr::Store8X {
                    v,
                    a,
                    b,
                    scale,
                    offset,
                },
                (false, 4) => Instr::Store32X {
                    v,
                    a,
                    b,
                    scale,
                    offset,
                },
                (false, _) => Instr::Store64X {
                    v,
                    a,
                    b,
                    scale,
                    offset,
                },
                (true, 1) => Instr::Store8Y {
                    v,
                    a,
                    b,
                    scale,
                    offset,
                },
                (true, 4) => Instr::Store32Y {
                    v,
                    a,
                    b,
                    scale,
                    offset,
                },
                (true, _) => Instr::Store64Y {
                    v,
                    a,
                    b,
                    scale,
                    offset,
                },
            },
        });
    }

    fn declare(&mut self, local: LocalId, size: Option<ExprId>) {
        let d = self.load_local(local, None, Ty::Ptr);
        match (self.function.local(local).storage, size) {
            (LocalStorage::Register(_), _) => {}
            (_, Some(size)) => {
                let a = self.value(size);
                self.emit(Instr::Dynamic { d, a, local });
                self.store_far(local, d, Ty::Ptr);
            }
            (_, None) => {
                self.emit(Instr::Renew { d });
                self.store_far(local, d, Ty::Ptr);
            }
        }
        self.after(EffectCode::None);
    }

    fn end(&mut self, local: LocalId) {
        let d = self.load_local(local, None, Ty::Ptr);
        if self.function.local(local).storage == LocalStorage::Dynamic {
            self.emit(Instr::EndDynamic { d });
        } else {
            self.emit(Instr::End { d });
        }
        self.store_far(local, d, Ty::Ptr);
        self.after(EffectCode::None);
    }

    /// `malloc` and `free` have instructions of their own, if nobody observes the call.
    fn call_allocator(&mut self, dest: Option<Place>, builtin: Builtin, args: &[ExprId]) -> bool {
        match (builtin, args, dest) {
            (Builtin::Malloc, &[size], Some(place)) => {
                let a = self.value(size);
                let d = match place {
                    Place::Local(l) if let Slot::Near(reg) = self.layout.slots[l.index()] => reg,
                    _ => self.temp(1),
                };
                self.emit(Instr::Malloc { d, a });
                self.store(place, d, Ty::Ptr);
                true
            }
            (Builtin::Free, &[pointer], None) => {
                let a = self.value(pointer);
                self.emit(Instr::Free { a });
                self.after(EffectCode::None);
                true
            }
            _ => false,
        }
    }

    /// Jumps between functions are no calls.
    fn call_jump(&mut self, dest: Option<Place>, builtin: Builtin, args: &[ExprId]) -> bool {
        match (builtin, args) {
            (Builtin::Setjmp, &[buffer]) => {
                let a = self.value(buffer);
                let d = match dest {
                    Some(Place::Local(l)) if let Slot::Near(reg) = self.layout.slots[l.index()] => {
                        reg
                    }
                    _ => self.temp(1),
                };
                self.emit(Instr::Setjmp { d, a });
                match dest {
                    Some(place) => self.store(place, d, Ty::Int(32)),
                    None => self.after(EffectCode::None),
                }
                true
            }
            (Builtin::Longjmp, &[buffer, value]) => {
                let a = self.value(buffer);
                let v = self.value(value);
                self.after(EffectCode::None);
                self.emit(Instr::Longjmp { a, v });
                true
            }
            (Builtin::CheckLeaks, []) => {
                self.after(EffectCode::None);
                self.emit(Instr::CheckLeaks);
                true
            }
            _ => false,
        }
    }

    fn call(&mut self, dest: Option<Place>, callee: Callee, args: &[ExprId]) {
        let function = self.function;
        if let Callee::Builtin(builtin) = callee
            && (self.call_jump(dest, builtin, args) || self.call_thread(dest, builtin, args))
        {
            return;
        }
        if let Callee::Builtin(builtin) = callee
            && !self.hooks.variables
            && self.call_allocator(dest, builtin, args)
        {
            return;
        }
        let target = match callee {
            Callee::Pointer { target, .. } => self.value(target),
            _ => 0,
        };
        let base = self.next_temp as Reg;
        let mut used = 0;
        let mut beside = false;
        for &arg in args {
            let n = n_regs(function.expr(arg).ty);
            if !beside && (used + n) as usize <= MAX_WINDOW_ARGS {
                used += n;
                let d = self.temp(n);
                self.value_to(arg, d);
            } else {
                beside = true;
                let mark = self.next_temp;
                let a = self.value(arg);
                for i in 0..n {
                    self.emit(Instr::PushArgument { a: a + i as Reg });
                }
                self.release(mark);
            }
        }
        // The result may not overwrite anything if nobody wants it.
        let ty = dest.map(|place| self.place_ty(place));
        let d = match dest {
            Some(Place::Local(l)) if let Slot::Near(reg) = self.layout.slots[l.index()] => reg,
            _ => base,
        };
        let result = match callee {
            Callee::Function(f) => self.program.function(f).ret,
            _ => ty,
        };
        let index = self.first_call + self.calls.len() as u32;
        let site = |ty, builtin| CallSite {
            args: args.iter().map(|&a| function.expr(a).ty).collect(),
            ty,
            builtin,
            result,
            reads: function.reading_copy(&callee, args).is_some(),
        };
        match callee {
            Callee::Function(f) => self.emit(Instr::Call {
                base,
                d,
                target: f.0,
            }),
            Callee::Pointer { ty, .. } => {
                self.calls.push(site(Some(ty), None));
                self.emit(Instr::CallPointer {
                    base,
                    d,
                    a: target,
                    call: index,
                });
            }
            Callee::Builtin(builtin) => {
                self.calls.push(site(None, Some(builtin)));
                self.emit(Instr::CallBuiltin {
                    base,
                    d,
                    call: index,
                });
            }
        }
        match (dest, ty) {
            (Some(place), Some(ty)) => {
                self.release(u32::from(base));
                let v = match place {
                    Place::Local(_) => d,
                    // The value must survive the computation of the address.
                    _ => self.temp(n_regs(ty)),
                };
                self.store(place, v, ty);
            }
            _ => self.after(EffectCode::None),
        }
    }

    pub(super) fn return_(&mut self, value: Option<ExprId>) {
        let Some(value) = value else {
            self.after(EffectCode::None);
            self.leave();
            let steps = self.take_steps();
            self.emit(Instr::ReturnVoid { steps });
            return;
        };
        let ty = self.function.expr(value).ty;
        let a = self.value(value);
        self.after_value(a, ty);
        self.leave();
        let steps = self.take_steps();
        self.emit(match n_regs(ty) {
            1 => Instr::Return { a, steps },
            _ => Instr::Return2 { a, steps },
        });
    }

    fn leave(&mut self) {
        if self.has_locals {
            self.emit(Instr::LeaveLocals);
        }
        self.emit(Instr::LeaveFar { size: 0 });
    }
}

//! Expressions.

use super::layout::n_regs;
use super::{FunctionCompiler, function_object, global_object};
use crate::code::{F32, F64, F80, Instr, Reg, Slot, Width};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{ConvertOp, Expr, ExprId, ExprKind, LocalId, Ty, memory};

impl FunctionCompiler<'_> {
    pub(super) fn width(&self, ty: Ty) -> Width {
        match ty {
            Ty::Int(width) => width,
            Ty::F32 => F32,
            Ty::F64 => F64,
            Ty::F80 => F80,
            Ty::Ptr => 64,
        }
    }

    pub(super) fn is_lp64(&self) -> bool {
        self.program.types.model == DataModel::Lp64
    }

    /// The value of an expression that is the same in every run, if it fits into a register.
    pub(super) fn constant(&self, id: ExprId) -> Option<u64> {
        let expr = self.function.expr(id);
        if n_regs(expr.ty) > 1 {
            return None;
        }
        match expr.kind {
            ExprKind::Const(bits) if expr.ty == Ty::Ptr && !self.is_lp64() => {
                Some(memory::address(0, bits as i32))
            }
            ExprKind::Const(bits) => Some(bits as u64),
            ExprKind::GlobalAddress(g) => Some(memory::address(global_object(self.program, g), 0)),
            ExprKind::FunctionAddress(f) => Some(memory::address(function_object(f), 0)),
            ExprKind::PtrAdd { base, index, scale } => {
                let base = self.constant(base)?;
                let offset = self.constant_offset(index, scale)?;
                Some(memory::address(
                    memory::object_of(base),
                    memory::offset_of(base).checked_add(offset)?,
                ))
            }
            ExprKind::Convert(ConvertOp::PtrToInt | ConvertOp::IntToPtr, inner)
                if self.is_lp64() && !self.hooks.addresses =>
            {
                self.constant(inner)
            }
            _ => None,
        }
    }

    /// `index * scale`, if it is a constant that fits.
    pub(super) fn constant_offset(&self, index: ExprId, scale: u64) -> Option<i32> {
        let ExprKind::Const(bits) = self.function.expr(index).kind else {
            return None;
        };
        let index = if self.is_lp64() {
            bits as i64
        } else {
            i64::from(bits as i32)
        };
        i32::try_from(i128::from(index) * i128::from(scale)).ok()
    }

    /// A constant that fits into an instruction, as a signed number of the type's width.
    pub(super) fn immediate(&self, id: ExprId) -> Option<i32> {
        let value = self.constant(id)?;
        match self.function.expr(id).ty {
            Ty::Int(32) => Some(value as u32 as i32),
            Ty::Int(64) | Ty::Ptr => i32::try_from(value as i64).ok(),
            Ty::Int(_) => i32::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value in any register.
    pub(super) fn value(&mut self, id: ExprId) -> Reg {
        let expr = self.function.expr(id);
        if let ExprKind::Local(l) | ExprKind::LocalAddress(l) = expr.kind
            && let Slot::Near(reg) = self.layout.slots[l.index()]
        {
            return reg;
        }
        if let Some(value) = self.constant(id)
            && let Some(reg) = self.layout.const_reg(value)
        {
            return reg;
        }
        self.compute(id, None)
    }

    /// The value in the given register.
    pub(super) fn value_to(&mut self, id: ExprId, d: Reg) {
        self.compute(id, Some(d));
    }

    pub(super) fn dest(&mut self, want: Option<Reg>, mark: u32, ty: Ty) -> Reg {
        self.release(mark);
        want.unwrap_or_else(|| self.temp(n_regs(ty)))
    }

    pub(super) fn move_to(&mut self, d: Reg, a: Reg, ty: Ty) {
        if d != a {
            self.emit(match n_regs(ty) {
                1 => Instr::Move { d, a },
                _ => Instr::Move2 { d, a },
            });
        }
    }

    /// Moves a value to `want`, if that is somewhere else.
    pub(super) fn deliver(&mut self, reg: Reg, want: Option<Reg>, ty: Ty) -> Reg {
        match want {
            Some(d) => {
                self.move_to(d, reg, ty);
                d
            }
            None => reg,
        }
    }

    pub(super) fn load_local(&mut self, l: LocalId, want: Option<Reg>, ty: Ty) -> Reg {
        match self.layout.slots[l.index()] {
            Slot::Near(reg) => self.deliver(reg, want, ty),
            Slot::Far(slot) => {
                let d = want.unwrap_or_else(|| self.temp(n_regs(ty)));
                for i in 0..n_regs(ty) {
                    self.emit(Instr::LoadFar {
                        d: d + i as Reg,
                        slot: slot + i,
                    });
                }
                d
            }
        }
    }

    /// Two values, the first of which waits in a far slot if registers get few.
    pub(super) fn pair(&mut self, a: ExprId, b: ExprId) -> (Reg, Reg) {
        let ty = self.function.expr(a).ty;
        let mark = self.next_temp;
        let ra = self.value(a);
        if !self.must_spill() || !self.is_temp(ra) {
            let rb = self.value(b);
            return (ra, rb);
        }
        let slot = self.spill(ra, ty);
        self.release(mark);
        let rb = self.value(b);
        let ra = self.unspill(slot, ty);
        (ra, rb)
    }

    pub(super) fn spill(&mut self, reg: Reg, ty: Ty) -> u32 {
        let slot = self.far_slots(n_regs(ty));
        for i in 0..n_regs(ty) {
            self.emit(Instr::StoreFar {
                a: reg + i as Reg,
                slot: slot + i,
            });
        }
        slot
    }

    pub(super) fn unspill(&mut self, slot: u32, ty: Ty) -> Reg {
        let d = self.temp(n_regs(ty));
        for i in 0..n_regs(ty) {
            self.emit(Instr::LoadFar {
                d: d + i as Reg,
                slot: slot + i,
            });
        }
        d
    }

    /// The value in `want` or else in a new temporary (or wherever it is already). No register
    /// that anything still needs is written before the last operand has been read.
    pub(super) fn compute(&mut self, id: ExprId, want: Option<Reg>) -> Reg {
        let function = self.function;
        let expr: &Expr = function.expr(id);
        let ty = expr.ty;
        let mark = self.next_temp;
        if let Some(value) = self.constant(id) {
            if let Some(reg) = self.layout.const_reg(value) {
                return self.deliver(reg, want, ty);
            }
            let d = self.dest(want, mark, ty);
            self.materialize(d, value);
            return d;
        }
        match expr.kind {
            ExprKind::Const(bits) => {
                let d = self.dest(want, mark, ty);
                self.emit_const(d, bits as u64);
                if n_regs(ty) == 2 {
                    self.emit_const(d + 1, (bits >> 64) as u64);
                }
                d
            }
            ExprKind::Local(l) | ExprKind::LocalAddress(l) => self.load_local(l, want, ty),
            // Constants were dealt with above.
            ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => {
                let d = self.dest(want, mark, ty);
                self.emit_const(d, 0);
                d
            }
            ExprKind::Load { address } => self.load(address, ty, want),
            ExprKind::Unary(op, a) => self.unary(op, a, ty, want),
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, ty, want),
            ExprKind::Convert(op, a) => self.convert(op, a, ty, want),
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (done, is_false) = (self.label(), self.label());
                self.inner_branch(id, false, is_false);
                let d = self.dest(want, mark, ty);
                self.emit_const(d, 1);
                self.emit_inner_jump(|steps, target| Instr::Jump { steps, target }, done);
                self.place(is_false);
                self.emit_const(d, 0);
                self.place(done);
                d
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                let (done, is_false) = (self.label(), self.label());
                self.inner_branch(condition, false, is_false);
                let d = self.dest(want, mark, ty);
                self.value_to(then, d);
                self.emit_inner_jump(|steps, target| Instr::Jump { steps, target }, done);
                self.place(is_false);
                self.value_to(otherwise, d);
                self.place(done);
                d
            }
            ExprKind::PtrAdd { .. } => {
                let address = self.address(id);
                self.address_value(&address, want, mark)
            }
        }
    }
}

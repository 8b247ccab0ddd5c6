//! Expressions.

use super::layout::n_regs;
use super::{FunctionCompiler, function_object, global_object};
use crate::code::{Access, AccessForm, Conv, F32, F64, F80, Instr, Op, Reg, Slot, Width};
use crate::code::{conv_of, op_of};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, LocalId, Ty, UnaryOp, memory};

/// `base + index * scale + offset`
pub(super) struct Address {
    pub(super) base: Reg,
    pub(super) index: Option<Index>,
    pub(super) offset: i32,
}

pub(super) struct Index {
    pub(super) reg: Reg,
    pub(super) scale: i32,
    /// The register has a signed 32-bit number.
    pub(super) is_32: bool,
}

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
                if self.is_lp64() =>
            {
                self.constant(inner)
            }
            _ => None,
        }
    }

    /// `index * scale`, if it is a constant that fits.
    fn constant_offset(&self, index: ExprId, scale: u64) -> Option<i32> {
        let ExprKind::Const(bits) = self.function.expr(index).kind else {
            return None;
        };
        let index = match self.is_lp64() {
            true => bits as i64,
            false => i64::from(bits as i32),
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

    fn dest(&mut self, want: Option<Reg>, mark: u32, ty: Ty) -> Reg {
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
    fn deliver(&mut self, reg: Reg, want: Option<Reg>, ty: Ty) -> Reg {
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
    fn compute(&mut self, id: ExprId, want: Option<Reg>) -> Reg {
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

    /// Takes an address apart, so that instructions can put it together again for nothing.
    pub(super) fn address(&mut self, id: ExprId) -> Address {
        let function = self.function;
        let mut offset: i32 = 0;
        let mut at = id;
        let peel = |offset: &mut i32, at: &mut ExprId, this: &Self| {
            while this.constant(*at).is_none()
                && let ExprKind::PtrAdd { base, index, scale } = function.expr(*at).kind
                && let Some(more) = this.constant_offset(index, scale)
                && let Some(sum) = offset.checked_add(more)
            {
                *offset = sum;
                *at = base;
            }
        };
        peel(&mut offset, &mut at, self);
        if self.constant(at).is_none()
            && let ExprKind::PtrAdd { base, index, scale } = function.expr(at).kind
            && let Ok(scale) = i32::try_from(scale)
        {
            let mut base = base;
            peel(&mut offset, &mut base, self);
            let (index, is_32) = match function.expr(index).kind {
                ExprKind::Convert(ConvertOp::SignExtend, inner)
                    if function.expr(inner).ty == Ty::Int(32) =>
                {
                    (inner, true)
                }
                _ => (index, !self.is_lp64()),
            };
            let (base, reg) = self.pair(base, index);
            return Address {
                base,
                index: Some(Index { reg, scale, is_32 }),
                offset,
            };
        }
        // Scales beyond 31 bits leave every object, unless the index is 0.
        if self.constant(at).is_none()
            && let ExprKind::PtrAdd { base, index, scale } = function.expr(at).kind
        {
            let (base, index) = self.pair(base, index);
            let factor = self.temp(1);
            self.emit_const(factor, scale);
            let reg = self.temp(1);
            self.emit(Instr::Mul64 {
                d: reg,
                a: index,
                b: factor,
            });
            return Address {
                base,
                index: Some(Index {
                    reg,
                    scale: 1,
                    is_32: false,
                }),
                offset,
            };
        }
        Address {
            base: self.value(at),
            index: None,
            offset,
        }
    }

    pub(super) fn address_value(&mut self, address: &Address, want: Option<Reg>, mark: u32) -> Reg {
        let offset = address.offset;
        match address.index {
            None if offset == 0 => self.deliver(address.base, want, Ty::Ptr),
            None => {
                let d = self.dest(want, mark, Ty::Ptr);
                self.emit(Instr::Add64I {
                    d,
                    a: address.base,
                    imm: offset,
                });
                d
            }
            Some(Index {
                reg: b,
                scale,
                is_32,
            }) => {
                let d = self.dest(want, mark, Ty::Ptr);
                let a = address.base;
                self.emit(match is_32 {
                    true => Instr::Index32 {
                        d,
                        a,
                        b,
                        scale,
                        offset,
                    },
                    false => Instr::Index {
                        d,
                        a,
                        b,
                        scale,
                        offset,
                    },
                });
                d
            }
        }
    }

    /// How a type is accessed, other than as 1, 2, 4 or 8 plain bytes.
    pub(super) fn access(&self, ty: Ty) -> Access {
        let size = self.program.types.scalar_size(ty) as u8;
        let form = match ty {
            Ty::Ptr if !self.is_lp64() => AccessForm::Flat,
            Ty::F80 => AccessForm::Float80,
            Ty::Int(65..) => AccessForm::Wide,
            _ => AccessForm::Plain,
        };
        Access { size, form }
    }

    fn load(&mut self, address: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let mark = self.next_temp;
        let mut address = self.address(address);
        let access = self.access(ty);
        let plain = access.form == AccessForm::Plain;
        let fast = plain && matches!(access.size, 1 | 4 | 8);
        if address.index.is_some() && !fast {
            let base = self.address_value(&address, None, mark);
            address = Address {
                base,
                index: None,
                offset: 0,
            };
        }
        let d = self.dest(want, mark, ty);
        let (a, offset) = (address.base, address.offset);
        self.emit(match (address.index, access.size) {
            (None, 1) if plain => Instr::Load8 { d, a, offset },
            (None, 2) if plain => Instr::Load16 { d, a, offset },
            (None, 4) if plain => Instr::Load32 { d, a, offset },
            (None, 8) if plain => Instr::Load64 { d, a, offset },
            (
                Some(Index {
                    reg: b,
                    scale,
                    is_32: false,
                }),
                1,
            ) => Instr::Load8X {
                d,
                a,
                b,
                scale,
                offset,
            },
            (
                Some(Index {
                    reg: b,
                    scale,
                    is_32: false,
                }),
                4,
            ) => Instr::Load32X {
                d,
                a,
                b,
                scale,
                offset,
            },
            (
                Some(Index {
                    reg: b,
                    scale,
                    is_32: false,
                }),
                _,
            ) => Instr::Load64X {
                d,
                a,
                b,
                scale,
                offset,
            },
            (
                Some(Index {
                    reg: b,
                    scale,
                    is_32: true,
                }),
                1,
            ) => Instr::Load8Y {
                d,
                a,
                b,
                scale,
                offset,
            },
            (
                Some(Index {
                    reg: b,
                    scale,
                    is_32: true,
                }),
                4,
            ) => Instr::Load32Y {
                d,
                a,
                b,
                scale,
                offset,
            },
            (
                Some(Index {
                    reg: b,
                    scale,
                    is_32: true,
                }),
                _,
            ) => Instr::Load64Y {
                d,
                a,
                b,
                scale,
                offset,
            },
            (None, _) => Instr::LoadAny {
                d,
                a,
                access: access.pack(),
                offset,
            },
        });
        self.note_type(ty);
        d
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let mark = self.next_temp;
        let width = self.width(ty);
        let ra = self.value(a);
        match op {
            UnaryOp::Not if width <= 32 => {
                let d = self.dest(want, mark, ty);
                let imm = (u64::from(u32::MAX) >> (32 - width)) as u32;
                self.emit(Instr::XorI { d, a: ra, imm });
                d
            }
            UnaryOp::FNeg => {
                let d = self.dest(want, mark, ty);
                self.emit(Instr::Convert {
                    d,
                    a: ra,
                    op: Conv::FNeg,
                    from: width,
                    to: width,
                });
                d
            }
            // -x = 0 - x and ~x = -1 - x, which also overflows exactly where -x does.
            UnaryOp::Not | UnaryOp::Neg { .. } => {
                let start = if op == UnaryOp::Not { u64::MAX } else { 0 };
                let zero = self.temp(n_regs(ty));
                let low = match width {
                    0..64 => start & ((1 << width) - 1),
                    _ => start,
                };
                self.emit_const(zero, low);
                if n_regs(ty) == 2 {
                    let high = match width {
                        65..128 => start & ((1 << (width - 64)) - 1),
                        _ => start,
                    };
                    self.emit_const(zero + 1, high);
                }
                let checked = op == UnaryOp::Neg { signed: true };
                let d = self.dest(want, mark, ty);
                self.emit_binary(Op::Sub, checked, width, d, zero, ra);
                d
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let mark = self.next_temp;
        let operand = self.function.expr(a).ty;
        let width = self.width(operand);
        let (code, signed) = op_of(op);
        let checked = signed && self.check_overflow;
        if op == BinaryOp::PtrDiff && !self.is_lp64() {
            let (ra, rb) = self.pair(a, b);
            let d = self.dest(want, mark, ty);
            self.emit(Instr::FlatDiff { d, a: ra, b: rb });
            return d;
        }
        if !checked && let Some(d) = self.binary_immediate(code, width, a, b, ty, want) {
            return d;
        }
        let (ra, rb) = self.pair(a, b);
        let d = self.dest(want, mark, ty);
        self.emit_binary(code, checked, width, d, ra, rb);
        d
    }

    /// Operations with a constant operand that have an instruction of their own.
    fn binary_immediate(
        &mut self,
        op: Op,
        width: Width,
        a: ExprId,
        b: ExprId,
        ty: Ty,
        want: Option<Reg>,
    ) -> Option<Reg> {
        let (a, b) = match (self.immediate(a), op) {
            (Some(_), Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ne)
                if self.immediate(b).is_none() =>
            {
                (b, a)
            }
            _ => (a, b),
        };
        let imm = self.immediate(b)?;
        let bits = self.constant(b)?;
        let small = u32::try_from(bits);
        let mark = self.next_temp;
        let make: Box<dyn Fn(Reg, Reg) -> Instr> = match (op, width) {
            (Op::Add, 32) => Box::new(move |d, a| Instr::Add32I { d, a, imm }),
            (Op::Sub, 32) => Box::new(move |d, a| Instr::Add32I {
                d,
                a,
                imm: imm.wrapping_neg(),
            }),
            (Op::Mul, 32) => Box::new(move |d, a| Instr::Mul32I { d, a, imm }),
            (Op::SDiv, 32) if imm != 0 && imm != -1 => {
                Box::new(move |d, a| Instr::SDiv32I { d, a, imm })
            }
            (Op::SRem, 32) if imm != 0 && imm != -1 => {
                Box::new(move |d, a| Instr::SRem32I { d, a, imm })
            }
            (Op::Shl, 32) => Box::new(move |d, a| Instr::Shl32I {
                d,
                a,
                imm: imm & 31,
            }),
            (Op::AShr, 32) => Box::new(move |d, a| Instr::AShr32I {
                d,
                a,
                imm: imm & 31,
            }),
            (Op::LShr, 32) => Box::new(move |d, a| Instr::LShrI {
                d,
                a,
                imm: imm as u32 & 31,
            }),
            (Op::Add, 64) => Box::new(move |d, a| Instr::Add64I { d, a, imm }),
            (Op::Sub, 64) if imm != i32::MIN => {
                Box::new(move |d, a| Instr::Add64I { d, a, imm: -imm })
            }
            (Op::Mul, 64) => Box::new(move |d, a| Instr::Mul64I { d, a, imm }),
            (Op::Shl, 64) => Box::new(move |d, a| Instr::Shl64I {
                d,
                a,
                imm: imm & 63,
            }),
            (Op::AShr, 64) => Box::new(move |d, a| Instr::AShr64I {
                d,
                a,
                imm: imm & 63,
            }),
            (Op::LShr, 64) => Box::new(move |d, a| Instr::LShrI {
                d,
                a,
                imm: imm as u32 & 63,
            }),
            (Op::And, 1..=64) if let Ok(imm) = small => {
                Box::new(move |d, a| Instr::AndI { d, a, imm })
            }
            (Op::Or, 1..=64) if let Ok(imm) = small => {
                Box::new(move |d, a| Instr::OrI { d, a, imm })
            }
            (Op::Xor, 1..=64) if let Ok(imm) = small => {
                Box::new(move |d, a| Instr::XorI { d, a, imm })
            }
            // The comparison is with the sign-extended 64 bits.
            (Op::Eq, 1..=64) if bits == imm as i64 as u64 => {
                Box::new(move |d, a| Instr::EqI { d, a, imm })
            }
            (Op::Ne, 1..=64) if bits == imm as i64 as u64 => {
                Box::new(move |d, a| Instr::NeI { d, a, imm })
            }
            _ => return None,
        };
        let ra = self.value(a);
        let d = self.dest(want, mark, ty);
        self.emit(make(d, ra));
        Some(d)
    }

    fn emit_binary(&mut self, op: Op, checked: bool, width: Width, d: Reg, a: Reg, b: Reg) {
        if checked && self.check_overflow {
            self.emit(match width {
                0..=64 => Instr::Checked { d, a, b, op, width },
                _ => Instr::Checked2 { d, a, b, op, width },
            });
            return;
        }
        self.emit(match (op, width) {
            (Op::Add, 32) => Instr::Add32 { d, a, b },
            (Op::Sub, 32) => Instr::Sub32 { d, a, b },
            (Op::Mul, 32) => Instr::Mul32 { d, a, b },
            (Op::SDiv, 32) => Instr::SDiv32 { d, a, b },
            (Op::UDiv, 32) => Instr::UDiv32 { d, a, b },
            (Op::SRem, 32) => Instr::SRem32 { d, a, b },
            (Op::URem, 32) => Instr::URem32 { d, a, b },
            (Op::Shl, 32) => Instr::Shl32 { d, a, b },
            (Op::LShr, 32) => Instr::LShr32 { d, a, b },
            (Op::AShr, 32) => Instr::AShr32 { d, a, b },
            (Op::SLt, 32) => Instr::SLt32 { d, a, b },
            (Op::SLe, 32) => Instr::SLe32 { d, a, b },
            (Op::Add, 64) => Instr::Add64 { d, a, b },
            (Op::Sub, 64) => Instr::Sub64 { d, a, b },
            (Op::Mul, 64) => Instr::Mul64 { d, a, b },
            (Op::SLt, 64) => Instr::SLt64 { d, a, b },
            (Op::SLe, 64) => Instr::SLe64 { d, a, b },
            (Op::And, 1..=64) => Instr::And { d, a, b },
            (Op::Or, 1..=64) => Instr::Or { d, a, b },
            (Op::Xor, 1..=64) => Instr::Xor { d, a, b },
            (Op::Eq, 1..=64) => Instr::Eq { d, a, b },
            (Op::Ne, 1..=64) => Instr::Ne { d, a, b },
            (Op::ULt, 1..=64) => Instr::ULt { d, a, b },
            (Op::ULe, 1..=64) => Instr::ULe { d, a, b },
            (Op::Add, F64) => Instr::AddF64 { d, a, b },
            (Op::Sub, F64) => Instr::SubF64 { d, a, b },
            (Op::Mul, F64) => Instr::MulF64 { d, a, b },
            (Op::UDiv, F64) => Instr::DivF64 { d, a, b },
            (_, 0..=64 | F32 | F64) => Instr::Binary { d, a, b, op, width },
            _ => Instr::Binary2 { d, a, b, op, width },
        });
    }

    fn convert(&mut self, op: ConvertOp, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let mark = self.next_temp;
        let from_ty = self.function.expr(a).ty;
        let (from, to) = (self.width(from_ty), self.width(ty));
        // Zero-extended registers need nothing to become wider.
        let is_free = match op {
            ConvertOp::ZeroExtend => to <= 64,
            ConvertOp::PtrToInt | ConvertOp::IntToPtr => self.is_lp64(),
            _ => from == to && op == ConvertOp::FloatToFloat,
        };
        if is_free {
            return match want {
                Some(d) => {
                    self.value_to(a, d);
                    d
                }
                None => self.value(a),
            };
        }
        if op == ConvertOp::SignExtend
            && (from, to) == (8, 32)
            && let ExprKind::Load { address } = self.function.expr(a).kind
        {
            let address = self.address(address);
            if address.index.is_none() {
                let d = self.dest(want, mark, ty);
                self.emit(Instr::Load8S {
                    d,
                    a: address.base,
                    offset: address.offset,
                });
                return d;
            }
            let base = self.address_value(&address, None, mark);
            let d = self.dest(want, mark, ty);
            self.emit(Instr::Load8S {
                d,
                a: base,
                offset: 0,
            });
            return d;
        }
        let ra = self.value(a);
        let d = self.dest(want, mark, ty);
        self.emit(match op {
            ConvertOp::SignExtend if (from, to) == (32, 64) => Instr::Sext32To64 { d, a: ra },
            ConvertOp::SignExtend if (from, to) == (8, 32) => Instr::Sext8To32 { d, a: ra },
            ConvertOp::SignExtend if (from, to) == (16, 32) => Instr::Sext16To32 { d, a: ra },
            ConvertOp::SignExtend if to <= 64 => Instr::Sext {
                d,
                a: ra,
                from,
                to: u32::from(to),
            },
            ConvertOp::Truncate if from <= 64 && to <= 32 => Instr::AndI {
                d,
                a: ra,
                imm: (u64::from(u32::MAX) >> (32 - to)) as u32,
            },
            _ => Instr::Convert {
                d,
                a: ra,
                op: conv_of(op),
                from,
                to,
            },
        });
        d
    }
}

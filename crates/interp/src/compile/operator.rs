//! Operators and conversions.

use super::FunctionCompiler;
use super::address::Index;
use super::layout::n_regs;
use crate::code::{Conv, F32, F64, Instr, Op, Reg, Width, conv_of, op_of};
use idiolect_ir::{BinaryOp, ConvertOp, ExprId, ExprKind, Ty, UnaryOp};

impl FunctionCompiler<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
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

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        ty: Ty,
        want: Option<Reg>,
    ) -> Reg {
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

    pub(super) fn convert(&mut self, op: ConvertOp, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let mark = self.next_temp;
        let from_ty = self.function.expr(a).ty;
        let (from, to) = (self.width(from_ty), self.width(ty));
        // Zero-extended registers need nothing to become wider.
        let is_free = match op {
            ConvertOp::ZeroExtend => to <= 64,
            ConvertOp::PtrToInt | ConvertOp::IntToPtr => self.is_lp64() && !self.hooks.addresses,
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
            let (a, offset) = (address.base, address.offset);
            let d = self.dest(want, mark, ty);
            self.emit(match address.index {
                None => Instr::Load8S { d, a, offset },
                Some(Index {
                    reg: b,
                    scale,
                    is_32,
                }) => {
                    if is_32 {
                        Instr::Load8SY {
                            d,
                            a,
                            b,
                            scale,
                            offset,
                        }
                    } else {
                        Instr::Load8SX {
                            d,
                            a,
                            b,
                            scale,
                            offset,
                        }
                    }
                }
            });
            return d;
        }
        let ra = self.value(a);
        let d = self.dest(want, mark, ty);
        self.emit(match op {
            ConvertOp::PtrToInt if to == 64 => Instr::ToAddress { d, a: ra },
            ConvertOp::IntToPtr if from == 64 => Instr::ToPointer { d, a: ra },
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

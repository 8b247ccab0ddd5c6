//! Addresses, taken apart, and loads from them.

use super::FunctionCompiler;
use crate::code::{Access, AccessForm, Instr, Reg};
use idiolect_ir::{ConvertOp, ExprId, ExprKind, Ty};

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
                self.emit(if is_32 {
                    Instr::Index32 {
                        d,
                        a,
                        b,
                        scale,
                        offset,
                    }
                } else {
                    Instr::Index {
                        d,
                        a,
                        b,
                        scale,
                        offset,
                    }
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

    #[rustfmt::skip]
    pub(super) fn load(&mut self, address: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let mark = self.next_temp;
        let mut address = self.address(address);
        let access = self.access(ty);
        let plain = access.form == AccessForm::Plain;
        let fast = plain && matches!(access.size, 1 | 2 | 4 | 8);
        if address.index.is_some() && !fast {
            let base = self.address_value(&address, None, mark);
            address = Address { base, index: None, offset: 0 };
        }
        let d = self.dest(want, mark, ty);
        let (a, offset) = (address.base, address.offset);
        self.emit(match address.index {
            None => match access.size {
                1 if plain => Instr::Load8 { d, a, offset },
                2 if plain => Instr::Load16 { d, a, offset },
                4 if plain => Instr::Load32 { d, a, offset },
                8 if plain => Instr::Load64 { d, a, offset },
                _ => Instr::LoadAny { d, a, access: access.pack(), offset },
            },
            Some(Index { reg: b, scale, is_32 }) => match (access.size, is_32) {
                (1, false) => Instr::Load8X { d, a, b, scale, offset },
                (2, false) => Instr::Load16X { d, a, b, scale, offset },
                (4, false) => Instr::Load32X { d, a, b, scale, offset },
                (_, false) => Instr::Load64X { d, a, b, scale, offset },
                (1, true) => Instr::Load8Y { d, a, b, scale, offset },
                (2, true) => Instr::Load16Y { d, a, b, scale, offset },
                (4, true) => Instr::Load32Y { d, a, b, scale, offset },
                (_, true) => Instr::Load64Y { d, a, b, scale, offset },
            },
        });
        self.note_type(ty);
        d
    }
}

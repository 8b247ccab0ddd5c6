//! Conditions: a jump for each comparison, without the 0 or 1 in between.

use super::{FunctionCompiler, Label};
use crate::code::{Instr, Op, Reg, op_of};
use idiolect_ir::{BlockId, ConvertOp, ExprId, ExprKind, Ty, UnaryOp};

impl FunctionCompiler<'_> {
    pub(super) fn branch(
        &mut self,
        id: BlockId,
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
    ) -> Option<BlockId> {
        if self.hooks.decisions {
            let is_false = self.label();
            self.jump_if(condition, false, is_false, true);
            self.count_here();
            self.emit(Instr::Decision {
                taken: true,
                function: self.id,
                block: id,
            });
            let label = self.block_label(then);
            self.emit_jump(|steps, target| Instr::Jump { steps, target }, label);
            self.place(is_false);
            self.emit(Instr::Decision {
                taken: false,
                function: self.id,
                block: id,
            });
            return self.go_on(otherwise);
        }
        if self.table(condition, then, otherwise) {
            return None;
        }
        // If both are there, the jump back is the one taken more often.
        if self.emitted(then) {
            let label = self.block_label(then);
            self.jump_if(condition, true, label, true);
            self.count_here();
            return self.go_on(otherwise);
        }
        let label = self.block_label(otherwise);
        self.jump_if(condition, false, label, true);
        self.count_here();
        self.go_on(then)
    }

    /// Counts steps that a constant condition left over.
    fn count_here(&mut self) {
        if self.has_uncounted() {
            let n = self.take_uncounted();
            self.emit(Instr::Steps { n });
        }
    }

    /// Jumps inside a statement.
    pub(super) fn inner_branch(&mut self, condition: ExprId, when: bool, to: Label) {
        self.jump_if(condition, when, to, false);
    }

    fn jump(&mut self, counts: bool, to: Label, jump: impl FnOnce(u8, u32) -> Instr) {
        if counts {
            self.emit_jump(jump, to)
        } else {
            self.emit_inner_jump(jump, to)
        }
    }

    /// Jumps to the label if the condition is `when`, else goes on behind. The first jump is always
    /// executed, so it is the one that counts steps.
    fn jump_if(&mut self, condition: ExprId, when: bool, to: Label, counts: bool) {
        let function = self.function;
        let expr = function.expr(condition);
        let mark = self.next_temp;
        match expr.kind {
            ExprKind::Const(bits) => {
                if (bits & 1 == 1) == when {
                    self.jump(counts, to, |steps, target| Instr::Jump { steps, target });
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) if expr.ty == Ty::BOOL => {
                self.jump_if(inner, !when, to, counts);
            }
            ExprKind::And(a, b) if when => {
                let behind = self.label();
                self.jump_if(a, false, behind, counts);
                self.jump_if(b, true, to, counts);
                self.place(behind);
            }
            ExprKind::And(a, b) => {
                self.jump_if(a, false, to, counts);
                self.jump_if(b, false, to, counts);
            }
            ExprKind::Or(a, b) if when => {
                self.jump_if(a, true, to, counts);
                self.jump_if(b, true, to, counts);
            }
            ExprKind::Or(a, b) => {
                let behind = self.label();
                self.jump_if(a, true, behind, counts);
                self.jump_if(b, false, to, counts);
                self.place(behind);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (op, _) = op_of(op);
                let ty = function.expr(a).ty;
                // `(c ? 1 : 0) != 0` is c.
                if let (Op::Eq | Op::Ne, Some(0)) = (op, self.constant(b))
                    && let Some(inner) = self.widened_bool(a)
                {
                    return self.jump_if(inner, when == (op == Op::Ne), to, counts);
                }
                let is_simple = matches!(ty, Ty::Int(1..=64) | Ty::Ptr)
                    && (matches!(ty, Ty::Int(32 | 64)) || !matches!(op, Op::SLt | Op::SLe));
                if !is_simple {
                    return self.jump_if_value(condition, when, to, counts);
                }
                if self.compare_immediate(op, a, b, when, to, counts) {
                    self.release(mark);
                    return;
                }
                let (a, b) = self.pair(a, b);
                let wide = !matches!(ty, Ty::Int(32));
                self.compare(op, wide, a, b, when, to, counts);
            }
            _ => self.jump_if_value(condition, when, to, counts),
        }
        self.release(mark);
    }

    /// The 1-bit value that an expression is the zero-extension of.
    fn widened_bool(&self, id: ExprId) -> Option<ExprId> {
        let expr = self.function.expr(id);
        match expr.kind {
            _ if expr.ty == Ty::BOOL => Some(id),
            ExprKind::Convert(ConvertOp::ZeroExtend, inner) => self.widened_bool(inner),
            _ => None,
        }
    }

    fn jump_if_value(&mut self, condition: ExprId, when: bool, to: Label, counts: bool) {
        let mark = self.next_temp;
        let a = self.value(condition);
        self.release(mark);
        self.jump(counts, to, |steps, target| {
            if when {
                Instr::JumpNeI {
                    a,
                    steps,
                    imm: 0,
                    target,
                }
            } else {
                Instr::JumpEqI {
                    a,
                    steps,
                    imm: 0,
                    target,
                }
            }
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn compare(&mut self, op: Op, wide: bool, a: Reg, b: Reg, when: bool, to: Label, counts: bool) {
        // not (a < b) is b <= a, and so on.
        let (op, a, b) = match (op, when) {
            (_, true) => (op, a, b),
            (Op::Eq, _) => (Op::Ne, a, b),
            (Op::Ne, _) => (Op::Eq, a, b),
            (Op::ULt, _) => (Op::ULe, b, a),
            (Op::ULe, _) => (Op::ULt, b, a),
            (Op::SLt, _) => (Op::SLe, b, a),
            (_, _) => (Op::SLt, b, a),
        };
        self.jump(counts, to, |steps, target| match (op, wide) {
            (Op::Eq, _) => Instr::JumpEq {
                a,
                b,
                steps,
                target,
            },
            (Op::Ne, _) => Instr::JumpNe {
                a,
                b,
                steps,
                target,
            },
            (Op::ULt, _) => Instr::JumpULt {
                a,
                b,
                steps,
                target,
            },
            (Op::ULe, _) => Instr::JumpULe {
                a,
                b,
                steps,
                target,
            },
            (Op::SLt, false) => Instr::JumpSLt32 {
                a,
                b,
                steps,
                target,
            },
            (Op::SLt, true) => Instr::JumpSLt64 {
                a,
                b,
                steps,
                target,
            },
            (_, false) => Instr::JumpSLe32 {
                a,
                b,
                steps,
                target,
            },
            (_, true) => Instr::JumpSLe64 {
                a,
                b,
                steps,
                target,
            },
        });
    }

    /// A comparison with a constant that fits into the instruction.
    fn compare_immediate(
        &mut self,
        op: Op,
        a: ExprId,
        b: ExprId,
        when: bool,
        to: Label,
        counts: bool,
    ) -> bool {
        let ty = self.function.expr(a).ty;
        // Whether the constant is on the left: then all orders turn around.
        let (a, imm, bits, flipped) = match (self.immediate(a), self.immediate(b)) {
            (_, Some(imm)) => (a, imm, self.constant(b), false),
            (Some(imm), None) => (b, imm, self.constant(a), true),
            (None, None) => return false,
        };
        let Some(bits) = bits else { return false };
        let wide = !matches!(ty, Ty::Int(32));
        // Everything as `a < imm` or `a > imm`.
        let (is_signed, less, imm) = match (op, flipped, when) {
            (Op::Eq | Op::Ne, ..) => {
                if bits != imm as i64 as u64 && wide {
                    return false;
                }
                // 32-bit registers are zero-extended and so must be the constant.
                if !wide && imm < 0 {
                    return false;
                }
                let ra = self.value(a);
                let equal = (op == Op::Eq) == when;
                self.jump(counts, to, |steps, target| {
                    if equal {
                        Instr::JumpEqI {
                            a: ra,
                            steps,
                            imm,
                            target,
                        }
                    } else {
                        Instr::JumpNeI {
                            a: ra,
                            steps,
                            imm,
                            target,
                        }
                    }
                });
                return true;
            }
            (Op::SLt | Op::ULt, false, true) => (op == Op::SLt, true, Some(imm)),
            // a <= c is a < c + 1.
            (Op::SLe | Op::ULe, false, true) => (op == Op::SLe, true, imm.checked_add(1)),
            (Op::SLt | Op::ULt, false, false) => (op == Op::SLt, false, imm.checked_sub(1)),
            (Op::SLe | Op::ULe, false, false) => (op == Op::SLe, false, Some(imm)),
            (Op::SLt | Op::ULt, true, true) => (op == Op::SLt, false, Some(imm)),
            (Op::SLe | Op::ULe, true, true) => (op == Op::SLe, false, imm.checked_sub(1)),
            (Op::SLt | Op::ULt, true, false) => (op == Op::SLt, true, imm.checked_add(1)),
            (Op::SLe | Op::ULe, true, false) => (op == Op::SLe, true, Some(imm)),
            _ => return false,
        };
        let Some(imm) = imm else { return false };
        if !is_signed && (imm < 0 || bits > i32::MAX as u64) {
            return false;
        }
        let ra = self.value(a);
        self.jump(counts, to, |steps, target| match (is_signed, wide, less) {
            (true, false, true) => Instr::JumpSLt32I {
                a: ra,
                steps,
                imm,
                target,
            },
            (true, false, false) => Instr::JumpSGt32I {
                a: ra,
                steps,
                imm,
                target,
            },
            (true, true, true) => Instr::JumpSLt64I {
                a: ra,
                steps,
                imm,
                target,
            },
            (true, true, false) => Instr::JumpSGt64I {
                a: ra,
                steps,
                imm,
                target,
            },
            (false, _, true) => Instr::JumpULtI {
                a: ra,
                steps,
                imm,
                target,
            },
            (false, _, false) => Instr::JumpUGtI {
                a: ra,
                steps,
                imm,
                target,
            },
        });
        true
    }
}

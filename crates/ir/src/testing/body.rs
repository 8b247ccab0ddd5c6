//! Random bodies of functions.

use super::Generator;
use crate::expr::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Ty, UnaryOp};
use crate::program::{FuncId, Function, GlobalId, InputId, LocalId, LocalStorage, MarkId, Program};
use crate::property::FaultKind;
use crate::stmt::{
    Block, BlockId, Builtin, Callee, ErrorKind, MathFunction, Place, PrintfTarget, Stmt, StmtKind,
    Terminator, TerminatorKind,
};
use idiolect_base::Span;

/// Fills one function.
pub(super) struct Body<'a> {
    pub function: Function,
    pub program: &'a Program,
    pub generator: &'a mut Generator,
}

impl Body<'_> {
    pub fn generate(mut self) -> Function {
        let n_blocks = 1 + self.below(self.generator.shape.max_blocks as usize);
        for _ in 0..n_blocks {
            let mut stmts = Vec::new();
            for _ in 0..self.below(1 + self.generator.shape.max_stmts as usize) {
                if let Some(kind) = self.stmt() {
                    stmts.push(Stmt {
                        kind,
                        span: Span::NOWHERE,
                    });
                }
            }
            let kind = self.terminator(n_blocks);
            self.function.blocks.push(Block {
                stmts,
                terminator: Terminator {
                    kind,
                    span: Span::NOWHERE,
                },
            });
        }
        self.function
    }

    fn below(&mut self, bound: usize) -> usize {
        self.generator.below(bound)
    }

    fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let id = ExprId::new(self.function.exprs.len());
        self.function.exprs.push(Expr {
            kind,
            ty,
            span: Span::NOWHERE,
        });
        id
    }

    fn pointer(&self) -> Ty {
        Ty::Int(self.program.types.model.pointer_width())
    }

    fn any(&mut self, ty: Ty) -> ExprId {
        let depth = self.generator.shape.max_depth;
        self.expr(ty, depth)
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> ExprId {
        if self.generator.rng.chance(1, 4) {
            // Share what is there, large or small.
            let start = self.below(self.function.exprs.len());
            let found = self.function.exprs[start.min(self.function.exprs.len())..]
                .iter()
                .position(|e| e.ty == ty);
            if let Some(i) = found {
                return ExprId::new(start + i);
            }
        }
        if depth == 0 || self.generator.rng.chance(1, 5) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        let width = ty.int_width();
        let kind = match self.below(4) {
            0 => ExprKind::Select {
                condition: self.expr(Ty::BOOL, depth),
                then: self.expr(ty, depth),
                otherwise: self.expr(ty, depth),
            },
            1 if width.is_none_or(|w| w % 8 == 0) => ExprKind::Load {
                address: self.expr(Ty::Ptr, depth),
            },
            2 => match self.conversion(ty, depth) {
                Some(kind) => kind,
                None => return self.leaf(ty),
            },
            _ => self.operation(ty, depth),
        };
        self.push(kind, ty)
    }

    fn conversion(&mut self, ty: Ty, depth: u32) -> Option<ExprKind> {
        let signed = self.generator.flip();
        Some(match ty {
            Ty::Ptr => ExprKind::Convert(ConvertOp::IntToPtr, self.expr(self.pointer(), depth)),
            Ty::Int(width) => match self.below(4) {
                0 if ty == self.pointer() => {
                    ExprKind::Convert(ConvertOp::PtrToInt, self.expr(Ty::Ptr, depth))
                }
                1 if width > 1 => {
                    let from = Ty::Int(1 + self.below(usize::from(width) - 1) as u8);
                    let op = self
                        .generator
                        .pick(&[ConvertOp::ZeroExtend, ConvertOp::SignExtend]);
                    ExprKind::Convert(op, self.expr(from, depth))
                }
                2 if width < 128 => {
                    let more = 1 + self.below(usize::from(128 - width)) as u8;
                    ExprKind::Convert(ConvertOp::Truncate, self.expr(Ty::Int(width + more), depth))
                }
                _ => {
                    let from = self.generator.pick(&[Ty::F32, Ty::F64, Ty::F80]);
                    ExprKind::Convert(ConvertOp::FloatToInt { signed }, self.expr(from, depth))
                }
            },
            _ => {
                let from = self.generator.pick(&[Ty::F32, Ty::F64, Ty::Int(32)]);
                if from == ty {
                    return None;
                }
                let op = match from {
                    Ty::Int(_) => ConvertOp::IntToFloat { signed },
                    _ => ConvertOp::FloatToFloat,
                };
                ExprKind::Convert(op, self.expr(from, depth))
            }
        })
    }

    fn operation(&mut self, ty: Ty, depth: u32) -> ExprKind {
        use BinaryOp::*;
        let signed = self.generator.flip();
        let (op, operand) = match ty {
            Ty::BOOL => match self.below(5) {
                0 => {
                    return ExprKind::And(self.expr(Ty::BOOL, depth), self.expr(Ty::BOOL, depth));
                }
                1 => return ExprKind::Or(self.expr(Ty::BOOL, depth), self.expr(Ty::BOOL, depth)),
                2 => (self.generator.pick(&[FEq, FNe, FLt, FLe]), Ty::F64),
                3 => (self.generator.pick(&[Eq, Ne, ULt, ULe]), Ty::Ptr),
                _ => (
                    self.generator.pick(&[Eq, Ne, ULt, ULe, SLt, SLe]),
                    Ty::Int(32),
                ),
            },
            Ty::Int(_) if ty == self.pointer() && self.generator.rng.chance(1, 4) => {
                (PtrDiff, Ty::Ptr)
            }
            Ty::Int(_) => {
                let op = self.generator.pick(&[
                    Add { signed },
                    Sub { signed },
                    Mul { signed },
                    Shl { signed },
                    UDiv,
                    SDiv,
                    URem,
                    SRem,
                    LShr,
                    AShr,
                    BitAnd,
                    BitOr,
                    BitXor,
                ]);
                if self.generator.rng.chance(1, 5) {
                    let op = self
                        .generator
                        .pick(&[UnaryOp::Neg { signed }, UnaryOp::Not]);
                    return ExprKind::Unary(op, self.expr(ty, depth));
                }
                (op, ty)
            }
            Ty::Ptr => {
                return ExprKind::PtrAdd {
                    base: self.expr(Ty::Ptr, depth),
                    index: self.expr(self.pointer(), depth),
                    scale: self.generator.rng.below(1 << 20),
                };
            }
            _ if self.generator.rng.chance(1, 5) => {
                return ExprKind::Unary(UnaryOp::FNeg, self.expr(ty, depth));
            }
            _ => (self.generator.pick(&[FAdd, FSub, FMul, FDiv]), ty),
        };
        let left = self.expr(operand, depth);
        ExprKind::Binary(op, left, self.expr(operand, depth))
    }

    /// The locals with a storage like this.
    fn locals(&self, wanted: impl Fn(LocalStorage) -> bool) -> Vec<LocalId> {
        let found = self.function.locals.iter().enumerate();
        found
            .filter(|(_, l)| wanted(l.storage))
            .map(|(i, _)| LocalId::new(i))
            .collect()
    }

    fn leaf(&mut self, ty: Ty) -> ExprId {
        let registers = self.locals(|s| s == LocalStorage::Register(ty));
        if !registers.is_empty() && self.generator.flip() {
            let local = self.generator.pick(&registers);
            return self.push(ExprKind::Local(local), ty);
        }
        if ty == Ty::Ptr {
            let memory = self.locals(|s| !matches!(s, LocalStorage::Register(_)));
            let (n_globals, n_functions) =
                (self.program.globals.len(), self.program.functions.len());
            match self.below(3) {
                0 if !memory.is_empty() => {
                    let local = self.generator.pick(&memory);
                    return self.push(ExprKind::LocalAddress(local), ty);
                }
                1 if n_globals > 0 => {
                    let global = GlobalId::new(self.below(n_globals));
                    return self.push(ExprKind::GlobalAddress(global), ty);
                }
                2 => {
                    let function = FuncId::new(self.below(n_functions));
                    return self.push(ExprKind::FunctionAddress(function), ty);
                }
                _ => {}
            }
        }
        let width = match ty {
            Ty::Int(width) => u32::from(width),
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::F80 => 80,
            Ty::Ptr => u32::from(self.program.types.model.pointer_width()),
        };
        let random = u128::from(self.generator.rng.next_u64()) << 64
            | u128::from(self.generator.rng.next_u64());
        let bits = match self.below(4) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            _ => random,
        };
        self.push(ExprKind::Const(bits & (u128::MAX >> (128 - width))), ty)
    }

    /// A place for values of this type.
    fn place(&mut self, ty: Ty) -> Option<Place> {
        let registers = self.locals(|s| s == LocalStorage::Register(ty));
        if !registers.is_empty() && self.generator.flip() {
            return Some(Place::Local(self.generator.pick(&registers)));
        }
        match ty {
            Ty::Int(width) if width % 8 != 0 || self.generator.rng.chance(1, 4) => {
                let units: Vec<u8> = [32, 64, 72, 128]
                    .into_iter()
                    .filter(|&unit| unit >= width)
                    .collect();
                let unit = self.generator.pick(&units);
                Some(Place::Bits {
                    address: self.any(Ty::Ptr),
                    unit: Ty::Int(unit),
                    offset: self.below(usize::from(unit - width) + 1) as u8,
                    width,
                })
            }
            _ => Some(Place::Memory {
                address: self.any(Ty::Ptr),
                ty,
            }),
        }
    }

    fn stmt(&mut self) -> Option<StmtKind> {
        Some(match self.below(9) {
            0 => StmtKind::Assume {
                condition: self.any(Ty::BOOL),
            },
            1 => StmtKind::Copy {
                to: self.any(Ty::Ptr),
                from: self.any(Ty::Ptr),
                size: self.generator.rng.below(100),
            },
            2 => StmtKind::Zero {
                to: self.any(Ty::Ptr),
                size: self.generator.rng.below(100),
            },
            3 => {
                let memory = self.locals(|s| !matches!(s, LocalStorage::Register(_)));
                if memory.is_empty() {
                    return None;
                }
                let local = self.generator.pick(&memory);
                if self.generator.rng.below(4) == 0 {
                    return Some(StmtKind::End { local });
                }
                let size = match self.function.local(local).storage {
                    LocalStorage::Dynamic => Some(self.any(self.pointer())),
                    _ => None,
                };
                StmtKind::Declare { local, size }
            }
            4 if !self.program.inputs.is_empty() => {
                let input = InputId::new(self.below(self.program.inputs.len()));
                let ty = self
                    .program
                    .types
                    .scalar(self.program.inputs[input.index()].ty)?;
                StmtKind::Havoc {
                    place: self.place(ty)?,
                    input,
                }
            }
            5 if !self.program.marks.is_empty() => StmtKind::Mark {
                mark: MarkId::new(self.below(self.program.marks.len())),
                condition: self.generator.flip().then(|| self.any(Ty::BOOL)),
            },
            6 | 7 => self.call()?,
            _ => {
                let ty = self.generator.scalar();
                StmtKind::Assign {
                    place: self.place(ty)?,
                    value: self.any(ty),
                }
            }
        })
    }

    fn call(&mut self) -> Option<StmtKind> {
        let callee = FuncId::new(self.below(self.program.functions.len()));
        let function = self.program.function(callee);
        let registers: Vec<Ty> = function
            .params
            .iter()
            .filter_map(|&p| match function.local(p).storage {
                LocalStorage::Register(ty) => Some(ty),
                _ => None,
            })
            .collect();
        let (callee, params, ret) = match self.below(4) {
            0 => {
                let (builtin, params, ret) = self.builtin();
                (Callee::Builtin(builtin), params, ret)
            }
            1 => {
                let target = self.any(Ty::Ptr);
                let ty = function.ty;
                (Callee::Pointer { target, ty }, registers, function.ret)
            }
            _ => (Callee::Function(callee), registers, function.ret),
        };
        let args = params.into_iter().map(|ty| self.any(ty)).collect();
        let dest = match ret {
            Some(ty) if self.generator.flip() => Some(self.place(ty)?),
            _ => None,
        };
        Some(StmtKind::Call { dest, callee, args })
    }

    fn builtin(&mut self) -> (Builtin, Vec<Ty>, Option<Ty>) {
        use Ty::Ptr;
        let size = self.pointer();
        let int = Ty::Int(32);
        let reached = self.reached();
        match self.below(11) {
            0 => (Builtin::Malloc, vec![size], Some(Ptr)),
            1 => (Builtin::Calloc, vec![size, size], Some(Ptr)),
            2 => (Builtin::Realloc, vec![Ptr, size], Some(Ptr)),
            3 => (Builtin::Free, vec![Ptr], None),
            4 => (Builtin::Memset, vec![Ptr, int, size], None),
            5 => (
                Builtin::Printf(PrintfTarget::BoundedBuffer),
                vec![Ptr, size, Ptr, int, Ty::F64],
                Some(int),
            ),
            6 => (
                Builtin::VPrintf(PrintfTarget::Stderr),
                vec![Ptr, Ptr],
                Some(int),
            ),
            7 => (
                Builtin::Math(MathFunction::Pow),
                vec![Ty::F64, Ty::F64],
                Some(Ty::F64),
            ),
            8 => (Builtin::Forget, vec![Ptr], None),
            9 if !reached.is_empty() => {
                let index = reached[self.below(reached.len())];
                (Builtin::Truncate(index), vec![Ptr, Ty::BOOL], None)
            }
            _ => (
                Builtin::Math(MathFunction::Trunc),
                vec![Ty::F64],
                Some(Ty::F64),
            ),
        }
    }

    /// Assumptions that runs can come to.
    fn reached(&self) -> Vec<u32> {
        (self.program.assumptions.iter().enumerate())
            .filter(|(_, a)| a.kind.is_reached())
            .map(|(i, _)| i as u32)
            .collect()
    }

    fn terminator(&mut self, n_blocks: usize) -> TerminatorKind {
        let traps = self.reached();
        match self.below(12) {
            0 => TerminatorKind::Error(ErrorKind::ReachError),
            1 => TerminatorKind::Error(ErrorKind::Assert(self.generator.name())),
            2 => TerminatorKind::Exit(self.any(Ty::Int(32))),
            3 if !traps.is_empty() => TerminatorKind::Trap(traps[self.below(traps.len())]),
            3 if self.generator.flip() => TerminatorKind::Abort,
            3 => TerminatorKind::Fault(FaultKind::Unreachable),
            4..=6 => TerminatorKind::Return(self.function.ret.map(|ty| self.any(ty))),
            7 | 8 => TerminatorKind::Goto(BlockId::new(self.below(n_blocks))),
            _ => TerminatorKind::Branch {
                condition: self.any(Ty::BOOL),
                then: BlockId::new(self.below(n_blocks)),
                otherwise: BlockId::new(self.below(n_blocks)),
            },
        }
    }
}

//! Adding to functions.

use crate::ctype::TypeId;
use crate::expr::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Ty};
use crate::program::{Function, GlobalId, Local, LocalId, LocalKind, LocalStorage};
use crate::property::FaultKind;
use crate::stmt::{Block, BlockId, Place, Stmt, StmtKind, Terminator, TerminatorKind};
use idiolect_base::Span;

pub struct Editor<'a> {
    pub function: &'a mut Function,
    pointer: u8,
}

impl<'a> Editor<'a> {
    pub fn new(function: &'a mut Function, pointer: u8) -> Self {
        Self { function, pointer }
    }

    pub fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = Span::NOWHERE;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    pub fn constant(&mut self, bits: u128, ty: Ty) -> ExprId {
        self.push(ExprKind::Const(bits), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: Ty) -> ExprId {
        self.push(ExprKind::Binary(op, a, b), ty)
    }

    pub fn size(&self) -> Ty {
        Ty::Int(self.pointer)
    }

    pub fn address(&mut self, global: GlobalId, offset: u64) -> ExprId {
        let base = self.push(ExprKind::GlobalAddress(global), Ty::Ptr);
        self.offset(base, offset)
    }

    pub fn offset(&mut self, base: ExprId, offset: u64) -> ExprId {
        if offset == 0 {
            return base;
        }
        let size = self.size();
        let index = self.constant(offset.into(), size);
        self.push(
            ExprKind::PtrAdd {
                base,
                index,
                scale: 1,
            },
            Ty::Ptr,
        )
    }

    pub fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let ty = self.function.expr(then).ty;
        let kind = ExprKind::Select {
            condition,
            then,
            otherwise,
        };
        self.push(kind, ty)
    }

    /// A new register.
    pub fn register(&mut self, name: &str, c_type: TypeId, ty: Ty) -> LocalId {
        let span = Span::NOWHERE;
        self.function.locals.push(Local {
            name: name.to_owned(),
            ty: c_type,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(ty),
            span,
            scope: span,
        });
        LocalId::new(self.function.locals.len() - 1)
    }

    /// The same number with more bits.
    pub fn widen(&mut self, value: ExprId, ty: Ty, is_signed: bool) -> ExprId {
        if self.function.expr(value).ty == ty {
            return value;
        }
        let op = if is_signed {
            ConvertOp::SignExtend
        } else {
            ConvertOp::ZeroExtend
        };
        self.push(ExprKind::Convert(op, value), ty)
    }

    /// The lowest bits of an integer.
    pub fn narrow(&mut self, value: ExprId, ty: Ty) -> ExprId {
        if self.function.expr(value).ty == ty {
            return value;
        }
        self.push(ExprKind::Convert(ConvertOp::Truncate, value), ty)
    }

    pub fn load(&mut self, global: GlobalId, offset: u64, ty: Ty) -> ExprId {
        let address = self.address(global, offset);
        self.push(ExprKind::Load { address }, ty)
    }

    /// `slots + 16 * (first + count)`, where the count is a variable.
    pub fn slot(&mut self, slots: GlobalId, first: u64, count: GlobalId, at: u64) -> ExprId {
        let size = self.size();
        let base = self.address(slots, first * 16);
        let index = self.load(count, at, size);
        self.push(
            ExprKind::PtrAdd {
                base,
                index,
                scale: 16,
            },
            Ty::Ptr,
        )
    }

    pub fn store(&mut self, global: GlobalId, offset: u64, ty: Ty, value: ExprId) -> StmtKind {
        let address = self.address(global, offset);
        StmtKind::Assign {
            place: Place::Memory { address, ty },
            value,
        }
    }

    /// One more.
    pub fn count(&mut self, count: GlobalId, at: u64) -> StmtKind {
        let size = self.size();
        let old = self.load(count, at, size);
        let one = self.constant(1, size);
        let more = self.binary(BinaryOp::Add { signed: false }, old, one, size);
        self.store(count, at, size, more)
    }

    pub fn block(&mut self, stmts: Vec<Stmt>, terminator: Terminator) -> BlockId {
        self.function.blocks.push(Block { stmts, terminator });
        BlockId::new(self.function.blocks.len() - 1)
    }

    pub fn end(&self, kind: TerminatorKind, span: Span) -> Terminator {
        Terminator { kind, span }
    }

    /// Takes the statements from this one on, and the terminator, into a block of their own.
    pub fn split(&mut self, block: BlockId, from: usize) -> BlockId {
        let own = &mut self.function.blocks[block.index()];
        let rest = own.stmts.split_off(from);
        let span = own.terminator.span;
        let placeholder = Terminator {
            kind: TerminatorKind::Fault(FaultKind::Unreachable),
            span,
        };
        let terminator = std::mem::replace(&mut own.terminator, placeholder);
        self.block(rest, terminator)
    }

    pub fn go(&mut self, block: BlockId, kind: TerminatorKind) {
        self.function.blocks[block.index()].terminator.kind = kind;
    }

    pub fn add(&mut self, block: BlockId, kind: StmtKind, span: Span) {
        self.function.blocks[block.index()]
            .stmts
            .push(Stmt { kind, span });
    }
}

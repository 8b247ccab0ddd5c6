//! Statements and blocks that are added to a function.

use crate::induction::variable::push;
use idiolect_ir::ctype::IntKind;
use idiolect_ir::{
    BinaryOp, Block, BlockId, Builtin, Callee, ConvertOp, ErrorKind, ExprId, ExprKind, FuncId,
    Function, InputId, InputKind, InputSite, Local, LocalId, LocalKind, LocalStorage, Place,
    Program, Stmt, StmtKind, Terminator, TerminatorKind, Ty,
};

/// Adds to one function of a program; new statements come to the end of the block at hand.
pub(super) struct Writer {
    pub program: Program,
    pub function: FuncId,
    pub at: BlockId,
    input: Option<InputId>,
}

impl Writer {
    pub(super) fn new(program: Program, function: FuncId) -> Self {
        Self {
            program,
            function,
            at: Function::ENTRY,
            input: None,
        }
    }

    pub(super) fn pointer_width(&self) -> u8 {
        self.program.types.model.pointer_width()
    }

    pub(super) fn f(&mut self) -> &mut Function {
        &mut self.program.functions[self.function.index()]
    }

    pub(super) fn register(&mut self, ty: Ty) -> LocalId {
        let int = self.program.types.int(IntKind::Int);
        let function = self.f();
        let (name, span) = (format!("%s{}", function.locals.len()), function.span);
        function.locals.push(Local {
            name,
            ty: int,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(ty),
            span,
            scope: span,
        });
        LocalId::new(function.locals.len() - 1)
    }

    pub(super) fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        push(self.f(), kind, ty)
    }

    pub(super) fn constant(&mut self, bits: u128, ty: Ty) -> ExprId {
        self.expr(ExprKind::Const(bits), ty)
    }

    /// What a register of ours holds.
    pub(super) fn read(&mut self, local: LocalId) -> ExprId {
        let ty = match self.f().local(local).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        };
        self.expr(ExprKind::Local(local), ty)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() {
            Ty::BOOL
        } else {
            self.f().expr(a).ty
        };
        self.expr(ExprKind::Binary(op, a, b), ty)
    }

    pub(super) fn convert(&mut self, op: ConvertOp, a: ExprId, to: Ty) -> ExprId {
        self.expr(ExprKind::Convert(op, a), to)
    }

    /// A pointer so many bytes on.
    pub(super) fn moved(&mut self, pointer: ExprId, by: i64) -> ExprId {
        if by == 0 {
            return pointer;
        }
        let width = self.pointer_width();
        let bits = by as i128 as u128 & (u128::MAX >> (128 - u32::from(width)));
        let index = self.constant(bits, Ty::Int(width));
        let add = ExprKind::PtrAdd {
            base: pointer,
            index,
            scale: 1,
        };
        self.expr(add, Ty::Ptr)
    }

    pub(super) fn load(&mut self, pointer: ExprId, offset: u64, ty: Ty) -> ExprId {
        let address = self.moved(pointer, offset as i64);
        self.expr(ExprKind::Load { address }, ty)
    }

    pub(super) fn stmt(&mut self, kind: StmtKind) {
        let at = self.at;
        let function = self.f();
        let span = function.span;
        function.blocks[at.index()].stmts.push(Stmt { kind, span });
    }

    pub(super) fn set(&mut self, local: LocalId, value: ExprId) {
        let place = Place::Local(local);
        self.stmt(StmtKind::Assign { place, value });
    }

    /// The value in a register of its own.
    pub(super) fn keep(&mut self, value: ExprId) -> LocalId {
        let ty = self.f().expr(value).ty;
        let local = self.register(ty);
        self.set(local, value);
        local
    }

    pub(super) fn store(&mut self, pointer: ExprId, offset: u64, value: ExprId) {
        let ty = self.f().expr(value).ty;
        let address = self.moved(pointer, offset as i64);
        let place = Place::Memory { address, ty };
        self.stmt(StmtKind::Assign { place, value });
    }

    /// A register that holds anything.
    pub(super) fn any(&mut self, ty: Ty) -> LocalId {
        let local = self.register(ty);
        self.havoc(Place::Local(local));
        local
    }

    pub(super) fn havoc(&mut self, place: Place) {
        let input = match self.input {
            Some(input) => input,
            None => {
                // One of no scalar type is for places of all types.
                let ty = self.program.types.intern(idiolect_ir::ctype::CType::Void);
                let span = self.program.function(self.program.start).span;
                let kind = InputKind::Nondet("any".to_owned());
                self.program.inputs.push(InputSite { kind, ty, span });
                let input = InputId::new(self.program.inputs.len() - 1);
                self.input = Some(input);
                input
            }
        };
        self.stmt(StmtKind::Havoc { place, input });
    }

    pub(super) fn assume(&mut self, condition: ExprId) {
        self.stmt(StmtKind::Assume { condition });
    }

    pub(super) fn call(&mut self, dest: Option<LocalId>, builtin: Builtin, args: Vec<ExprId>) {
        let dest = dest.map(Place::Local);
        let callee = Callee::Builtin(builtin);
        self.stmt(StmtKind::Call { dest, callee, args });
    }

    /// A new block, which ends the run until it is told otherwise.
    pub(super) fn block(&mut self) -> BlockId {
        let function = self.f();
        let span = function.span;
        let kind = TerminatorKind::Abort;
        function.blocks.push(Block {
            stmts: Vec::new(),
            terminator: Terminator { kind, span },
        });
        BlockId::new(function.blocks.len() - 1)
    }

    pub(super) fn end(&mut self, kind: TerminatorKind) {
        let at = self.at;
        self.f().blocks[at.index()].terminator.kind = kind;
    }

    pub(super) fn goto(&mut self, to: BlockId) {
        self.end(TerminatorKind::Goto(to));
    }

    pub(super) fn error(&mut self, text: &str) {
        self.end(TerminatorKind::Error(ErrorKind::Assert(text.to_owned())));
    }

    /// Goes on if the condition holds, and there if not.
    pub(super) fn require(&mut self, condition: ExprId, otherwise: BlockId) {
        let then = self.block();
        self.branch(condition, then, otherwise);
        self.at = then;
    }

    pub(super) fn branch(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId) {
        self.end(TerminatorKind::Branch {
            condition,
            then,
            otherwise,
        });
    }
}

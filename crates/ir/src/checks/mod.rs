//! Checks as statements: what counts as an error and no engine knows by itself is written into the
//! program, once, and every engine looks for it as for anything else.
//!
//! | property | what is put in |
//! |---|---|
//! | [`Shift`](Property::Shift) | a branch to a fault before a shift whose amount may be out of range |
//! | [`Uninitialised`](Property::Uninitialised) | for registers a flag that is set where they are written; for memory a [`CheckWritten`](Builtin::CheckWritten) before a load |
//! | [`Leak`](Property::Leak) | a counter of blocks; where it is not zero at an exit, a [`CheckLeaks`](Builtin::CheckLeaks) |
//! | [`Stack`](Property::Stack) | a counter of the bytes that open calls take, and a branch to a fault at the entry of functions that recurse |
//!
//! Overlapping copies and bounds of members are put in by the front end, where `memcpy` is told from
//! `memmove` and an array from a pointer. All other faults belong to operations, and engines know them.
//!
//! A check of an operand that C evaluates only sometimes stands behind the same condition.

mod heap;
mod large;
mod reads;
mod stack;

pub use large::large_objects;

use crate::ctype::IntKind;
use crate::expr::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Ty};
use crate::program::{
    Function, FunctionOrigin, Global, GlobalId, Local, LocalId, LocalKind, LocalStorage, Program,
};
use crate::property::{FaultKind, Property};
use crate::stmt::{Block, BlockId, Builtin, Callee, Place, Stmt, StmtKind};
use crate::stmt::{Terminator, TerminatorKind};
use idiolect_base::Span;

/// Sizes that checks need and no program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// Bytes that open calls may take together.
    pub stack_size: u64,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            stack_size: 8 << 20,
        }
    }
}

/// Puts the checks that these properties need into the program. Once is enough.
pub fn instrument(program: &mut Program, properties: &[Property], options: CheckOptions) {
    let has = |property| properties.contains(&property);
    let wanted = reads::Wanted {
        shifts: has(Property::Shift),
        reads: has(Property::Uninitialised),
        conversions: false,
    };
    if wanted.shifts || wanted.reads {
        for index in 0..program.functions.len() {
            if index != program.start.index() {
                reads::instrument(program, index, wanted);
            }
        }
    }
    if has(Property::Leak) {
        heap::instrument(program);
    }
    if has(Property::Stack) {
        stack::instrument(program, options.stack_size);
    }
    debug_assert_eq!(crate::verify(program), Ok(()));
}

/// Makes a run fault where it makes an integer of a number that does not fit: C leaves open what comes of it. Returns
/// whether any run might.
pub fn numbers_that_do_not_fit(program: &mut Program) -> bool {
    let wanted = reads::Wanted {
        conversions: true,
        ..reads::Wanted::default()
    };
    let mut is_any = false;
    for index in 0..program.functions.len() {
        is_any |= reads::instrument(program, index, wanted);
    }
    debug_assert_eq!(crate::verify(program), Ok(()));
    is_any
}

/// Whether the program asks of bytes whether they were written. Who gives memory any value, as at the head of
/// a loop, knows nothing about that.
pub fn looks_at_bytes(program: &Program) -> bool {
    let mut stmts = (program.functions.iter())
        .flat_map(|f| &f.blocks)
        .flat_map(|b| &b.stmts);
    stmts.any(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::Call {
                callee: Callee::Builtin(Builtin::CheckWritten),
                ..
            }
        )
    })
}

/// A counter that the program does not see.
fn counter(program: &mut Program, name: &str) -> GlobalId {
    let ty = program.types.int(IntKind::ULong);
    program.globals.push(Global {
        name: name.to_owned(),
        ty,
        size: program.types.model.pointer_size(),
        align: program.types.model.pointer_size(),
        bytes: Vec::new(),
        relocations: Vec::new(),
        read_only: false,
        is_unwritten: false,
        is_library: true,
        function: None,
        span: Span::NOWHERE,
    });
    GlobalId::new(program.globals.len() - 1)
}

/// Writes a function anew, statement by statement, with more in between.
struct Writer<'a> {
    function: &'a mut Function,
    /// The blocks that are done; the last parts of them are still open.
    blocks: Vec<Block>,
    current: BlockId,
    pointer: Ty,
}

const OPEN: TerminatorKind = TerminatorKind::Fault(FaultKind::Unreachable);

impl<'a> Writer<'a> {
    /// Hands out the blocks as they were. The numbers of blocks stay: more are added at the end.
    fn start(function: &'a mut Function, pointer: u8) -> (Self, Vec<Block>) {
        let old = std::mem::take(&mut function.blocks);
        let blocks = old
            .iter()
            .map(|block| Block {
                stmts: Vec::new(),
                terminator: Terminator {
                    kind: OPEN,
                    span: block.terminator.span,
                },
            })
            .collect();
        let writer = Self {
            function,
            blocks,
            current: Function::ENTRY,
            pointer: Ty::Int(pointer),
        };
        (writer, old)
    }

    fn finish(self) {
        self.function.blocks = self.blocks;
    }

    fn push(&mut self, stmt: Stmt) {
        self.blocks[self.current.index()].stmts.push(stmt);
    }

    fn stmt(&mut self, kind: StmtKind, span: Span) {
        self.push(Stmt { kind, span });
    }

    fn end(&mut self, terminator: Terminator) {
        self.blocks[self.current.index()].terminator = terminator;
    }

    fn block(&mut self, span: Span) -> BlockId {
        self.blocks.push(Block {
            stmts: Vec::new(),
            terminator: Terminator { kind: OPEN, span },
        });
        BlockId::new(self.blocks.len() - 1)
    }

    fn branch(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId, span: Span) {
        self.end(Terminator {
            kind: TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            },
            span,
        });
    }

    fn goto(&mut self, to: BlockId, span: Span) {
        let kind = TerminatorKind::Goto(to);
        self.end(Terminator { kind, span });
        self.current = to;
    }

    /// The run goes on only where the condition holds; elsewhere there is this fault.
    fn require(&mut self, condition: ExprId, kind: FaultKind, span: Span) {
        let (good, bad) = (self.block(span), self.block(span));
        self.branch(condition, good, bad, span);
        self.blocks[bad.index()].terminator.kind = TerminatorKind::Fault(kind);
        self.current = good;
    }

    fn expr(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    fn constant(&mut self, bits: u128, ty: Ty, span: Span) -> ExprId {
        self.expr(ExprKind::Const(bits), ty, span)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let ty = if op.is_comparison() {
            Ty::BOOL
        } else {
            self.function.expr(a).ty
        };
        self.expr(ExprKind::Binary(op, a, b), ty, span)
    }

    /// 1 where a condition holds, as wide as a counter.
    fn number(&mut self, condition: ExprId, span: Span) -> ExprId {
        let ty = self.pointer;
        let op = ConvertOp::ZeroExtend;
        self.expr(ExprKind::Convert(op, condition), ty, span)
    }

    fn is_not_null(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let null = self.constant(0, Ty::Ptr, span);
        self.binary(BinaryOp::Ne, pointer, null, span)
    }

    fn load(&mut self, counter: GlobalId, span: Span) -> ExprId {
        let address = self.expr(ExprKind::GlobalAddress(counter), Ty::Ptr, span);
        let ty = self.pointer;
        self.expr(ExprKind::Load { address }, ty, span)
    }

    fn store(&mut self, counter: GlobalId, value: ExprId, span: Span) {
        let address = self.expr(ExprKind::GlobalAddress(counter), Ty::Ptr, span);
        let place = Place::Memory {
            address,
            ty: self.pointer,
        };
        self.stmt(StmtKind::Assign { place, value }, span);
    }

    /// Adds to a counter, or takes from it.
    fn change(&mut self, counter: GlobalId, op: BinaryOp, by: ExprId, span: Span) {
        let old = self.load(counter, span);
        let new = self.binary(op, old, by, span);
        self.store(counter, new, span);
    }

    /// A register of ours.
    fn register(&mut self, program_ty: crate::TypeId, name: String, ty: Ty) -> LocalId {
        self.function.locals.push(Local {
            name,
            ty: program_ty,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(ty),
            span: Span::NOWHERE,
            scope: Span::NOWHERE,
        });
        LocalId::new(self.function.locals.len() - 1)
    }

    fn read(&mut self, local: LocalId, ty: Ty, span: Span) -> ExprId {
        self.expr(ExprKind::Local(local), ty, span)
    }

    fn call(&mut self, dest: Option<Place>, builtin: Builtin, args: Vec<ExprId>, span: Span) {
        let callee = Callee::Builtin(builtin);
        self.stmt(StmtKind::Call { dest, callee, args }, span);
    }
}

/// Makes the entry block one that no jump leads to, so that what is put there happens once a call.
fn free_entry(function: &mut Function) {
    let is_target = (function.blocks.iter()).any(|b| {
        b.terminator
            .kind
            .successors()
            .any(|to| to == Function::ENTRY)
    });
    if !is_target {
        return;
    }
    let moved = BlockId::new(function.blocks.len());
    let span = function.span;
    let entry = Block {
        stmts: Vec::new(),
        terminator: Terminator {
            kind: TerminatorKind::Goto(moved),
            span,
        },
    };
    let old = std::mem::replace(&mut function.blocks[Function::ENTRY.index()], entry);
    function.blocks.push(old);
    let renamed = |to: &mut BlockId| {
        if *to == Function::ENTRY {
            *to = moved;
        }
    };
    for block in &mut function.blocks {
        match &mut block.terminator.kind {
            TerminatorKind::Goto(to) => renamed(to),
            TerminatorKind::Branch {
                then, otherwise, ..
            } => {
                renamed(then);
                renamed(otherwise);
            }
            _ => {}
        }
    }
}

fn is_users(function: &Function) -> bool {
    function.origin == FunctionOrigin::User
}

#[cfg(test)]
mod tests;

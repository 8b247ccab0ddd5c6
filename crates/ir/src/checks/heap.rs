//! Leaks: the blocks that there are, counted, and looked at where the program ends.

use super::{Writer, counter};
use crate::TypeId;
use crate::callgraph::CallGraph;
use crate::ctype::IntKind;
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::graph::{Cfg, Loops};
use crate::program::{Assumption, AssumptionKind, GlobalId, Program};
use crate::stmt::{Block, BlockId, Builtin, Callee, Place, Stmt, StmtKind, TerminatorKind};
use idiolect_base::Span;

const ADD: BinaryOp = BinaryOp::Add { signed: false };
const SUB: BinaryOp = BinaryOp::Sub { signed: false };

pub(super) fn instrument(program: &mut Program) {
    note_ends(program);
    let blocks = counter(program, "%blocks");
    let int = program.types.int(IntKind::Int);
    let void = program.types.int(IntKind::Char);
    let pointer_ty = program.types.pointer_to(void);
    let width = program.types.model.pointer_width();
    for function in &mut program.functions {
        let is_concerned = function.blocks.iter().any(|block| {
            matches!(block.terminator.kind, TerminatorKind::Exit(_))
                || block.stmts.iter().any(|stmt| changes_heap(stmt).is_some())
        });
        if !is_concerned {
            continue;
        }
        let (writer, old) = Writer::start(function, width);
        let mut pass = Pass {
            writer,
            blocks,
            types: (int, pointer_ty),
        };
        pass.all(old);
        pass.writer.finish();
    }
}

/// A run that does not end is not looked at, and may have lost blocks all the same.
fn note_ends(program: &mut Program) {
    let calls = CallGraph::new(program);
    let cycle = program.function_ids().find(|&f| {
        let loops = || Loops::new(&Cfg::new(program.function(f)));
        calls.is_reachable(f) && (calls.is_recursive(f) || !loops().all().is_empty())
    });
    if let Some(function) = cycle {
        let span = program.function(function).span;
        program.assumptions.push(Assumption {
            kind: AssumptionKind::Convention,
            text: "blocks that are lost count where the program ends".to_owned(),
            span,
            option: None,
        });
    }
}

/// A call that makes or ends blocks.
fn changes_heap(stmt: &Stmt) -> Option<Builtin> {
    match stmt.kind {
        StmtKind::Call {
            callee: Callee::Builtin(builtin),
            ..
        } => matches!(
            builtin,
            Builtin::Malloc | Builtin::Calloc | Builtin::Realloc | Builtin::Free
        )
        .then_some(builtin),
        _ => None,
    }
}

struct Pass<'a> {
    writer: Writer<'a>,
    blocks: GlobalId,
    types: (TypeId, TypeId),
}

impl Pass<'_> {
    fn all(&mut self, old: Vec<Block>) {
        for (i, block) in old.into_iter().enumerate() {
            self.writer.current = BlockId::new(i);
            for stmt in block.stmts {
                match changes_heap(&stmt) {
                    Some(builtin) => self.counted(builtin, stmt),
                    None => self.writer.push(stmt),
                }
            }
            if let TerminatorKind::Exit(_) = block.terminator.kind {
                self.look(block.terminator.span);
            }
            self.writer.end(block.terminator);
        }
    }

    /// Blocks that are left may still be in use, which is for those to say who can see all pointers.
    fn look(&mut self, span: Span) {
        let writer = &mut self.writer;
        let left = writer.load(self.blocks, span);
        let ty = writer.pointer;
        let zero = writer.constant(0, ty, span);
        let is_none = writer.binary(BinaryOp::Eq, left, zero, span);
        let (some, end) = (writer.block(span), writer.block(span));
        writer.branch(is_none, end, some, span);
        writer.current = some;
        writer.call(None, Builtin::CheckLeaks, Vec::new(), span);
        writer.goto(end, span);
    }

    fn counted(&mut self, builtin: Builtin, stmt: Stmt) {
        let span = stmt.span;
        let StmtKind::Call { dest, args, .. } = stmt.kind else {
            return;
        };
        let writer = &mut self.writer;
        if builtin == Builtin::Free {
            if let Some(&pointer) = args.first() {
                let is_block = writer.is_not_null(pointer, span);
                let one = writer.number(is_block, span);
                writer.change(self.blocks, SUB, one, span);
            }
            writer.call(dest, builtin, args, span);
            return;
        }
        // What `realloc` is given is looked at before it is gone.
        let old = match (builtin, &args[..]) {
            (Builtin::Realloc, &[pointer, size]) => {
                let was_block = writer.is_not_null(pointer, span);
                let zero_ty = writer.function.expr(size).ty;
                let zero = writer.constant(0, zero_ty, span);
                let is_zero = writer.binary(BinaryOp::Eq, size, zero, span);
                let ends = writer.expr(ExprKind::And(was_block, is_zero), Ty::BOOL, span);
                Some((self.saved(was_block, span), self.saved(ends, span)))
            }
            _ => None,
        };
        let writer = &mut self.writer;
        let result = writer.register(self.types.1, "%block".to_owned(), Ty::Ptr);
        writer.call(Some(Place::Local(result)), builtin, args, span);
        let value = writer.read(result, Ty::Ptr, span);
        let is_made = writer.is_not_null(value, span);
        let one = writer.number(is_made, span);
        writer.change(self.blocks, ADD, one, span);
        if let Some((was_block, ends)) = old {
            let moved = writer.expr(ExprKind::And(was_block, is_made), Ty::BOOL, span);
            let is_gone = writer.expr(ExprKind::Or(ends, moved), Ty::BOOL, span);
            let one = writer.number(is_gone, span);
            writer.change(self.blocks, SUB, one, span);
        }
        if let Some(place) = dest {
            let value = writer.read(result, Ty::Ptr, span);
            writer.stmt(StmtKind::Assign { place, value }, span);
        }
    }

    /// A condition as it is now.
    fn saved(&mut self, condition: ExprId, span: Span) -> ExprId {
        let writer = &mut self.writer;
        let local = writer.register(self.types.0, "%was".to_owned(), Ty::BOOL);
        let place = Place::Local(local);
        let value = condition;
        writer.stmt(StmtKind::Assign { place, value }, span);
        writer.read(local, Ty::BOOL, span)
    }
}

//! Programs that end return to where they were started.

use super::edit::Editor;
use crate::expr::{BinaryOp, ExprId, Ty};
use crate::program::{FuncId, GlobalId, Program};
use crate::stmt::{BlockId, Callee, StmtKind, TerminatorKind};

/// Why a program ended.
const EXIT: u128 = 1;
const ABORT: u128 = 2;
const ERROR: u128 = 3;

/// For each function whether the program may end in it, or in one that it calls.
pub fn may_end(program: &Program) -> Vec<bool> {
    let ends = |kind: &TerminatorKind| {
        matches!(
            kind,
            TerminatorKind::Exit(_) | TerminatorKind::Abort | TerminatorKind::Error(_)
        )
    };
    let mut known: Vec<bool> = (program.functions.iter())
        .map(|f| f.blocks.iter().any(|b| ends(&b.terminator.kind)))
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        let any = known.iter().any(|k| *k);
        for (i, function) in program.functions.iter().enumerate() {
            if known[i] {
                continue;
            }
            let calls = function.blocks.iter().flat_map(|b| &b.stmts);
            let may = calls.into_iter().any(|s| match s.kind {
                StmtKind::Call {
                    callee: Callee::Function(f),
                    ..
                } => known[f.index()],
                StmtKind::Call {
                    callee: Callee::Pointer { .. },
                    ..
                } => any,
                _ => false,
            });
            known[i] = may;
            changed |= may;
        }
    }
    known
}

pub fn instrument(
    program: &mut Program,
    function: FuncId,
    may_end: &[bool],
    ended: GlobalId,
    status: GlobalId,
) {
    let pointer = program.types.model.pointer_width();
    let any = may_end.iter().any(|m| *m);
    let body = &mut program.functions[function.index()];
    let ret = body.ret;
    let mut edit = Editor::new(body, pointer);
    let mut block = 0;
    while block < edit.function.blocks.len() {
        let id = BlockId::new(block);
        let returns = |edit: &mut Editor<'_>| {
            let value = ret.map(|ty| edit.constant(0, ty));
            TerminatorKind::Return(value)
        };
        let own = &edit.function.blocks[block];
        let calls = own.stmts.iter().position(|s| match s.kind {
            StmtKind::Call {
                callee: Callee::Function(f),
                ..
            } => may_end[f.index()],
            StmtKind::Call {
                callee: Callee::Pointer { .. },
                ..
            } => any,
            _ => false,
        });
        if let Some(index) = calls {
            let span = own.stmts[index].span;
            let rest = edit.split(id, index + 1);
            let over = returns(&mut edit);
            let over = edit.end(over, span);
            let over = edit.block(Vec::new(), over);
            let now = edit.load(ended, 0, Ty::Int(32));
            let zero = edit.constant(0, Ty::Int(32));
            let goes_on = edit.binary(BinaryOp::Eq, now, zero, Ty::BOOL);
            edit.go(
                id,
                TerminatorKind::Branch {
                    condition: goes_on,
                    then: rest,
                    otherwise: over,
                },
            );
        }
        let (kind, span) = {
            let terminator = &edit.function.blocks[block].terminator;
            (terminator.kind.clone(), terminator.span)
        };
        let (why, value): (u128, Option<ExprId>) = match kind {
            TerminatorKind::Exit(value) => (EXIT, Some(value)),
            TerminatorKind::Abort => (ABORT, None),
            TerminatorKind::Error(_) => (ERROR, None),
            _ => {
                block += 1;
                continue;
            }
        };
        if let Some(value) = value {
            let store = edit.store(status, 0, Ty::Int(32), value);
            edit.add(id, store, span);
        }
        let why = edit.constant(why, Ty::Int(32));
        let store = edit.store(ended, 0, Ty::Int(32), why);
        edit.add(id, store, span);
        let over = returns(&mut edit);
        edit.go(id, over);
        block += 1;
    }
}

//! Recursion that needs more stack than there is: open calls of functions that may call themselves are
//! counted in bytes.

use super::{Writer, counter, free_entry};
use crate::TypeId;
use crate::callgraph::CallGraph;
use crate::ctype::IntKind;
use crate::expr::{BinaryOp, Ty};
use crate::program::{Assumption, FuncId};
use crate::program::{AssumptionKind, Function, GlobalId, LocalKind, LocalStorage, Program};
use crate::property::FaultKind;
use crate::stmt::{Block, BlockId, Builtin, Callee, Place, StmtKind, TerminatorKind};
use idiolect_base::Span;

/// What a call takes beside variables: where to return to, what registers held, room for temporaries.
const CALL: u64 = 48;

pub(super) fn instrument(program: &mut Program, stack_size: u64) {
    let calls = CallGraph::new(program);
    let counted: Vec<FuncId> = (program.function_ids())
        .filter(|&f| calls.is_recursive(f) && calls.is_reachable(f))
        .collect();
    let Some(&first) = counted.first() else {
        return;
    };
    let span = program.function(first).span;
    program.assumptions.push(Assumption {
        kind: AssumptionKind::Convention,
        text: format!(
            "the stack has {stack_size} bytes, and a call takes those of its variables and {CALL} more"
        ),
        span,
        option: Some("--stack-size".to_owned()),
    });
    let used = counter(program, "%stack");
    let int = program.types.int(IntKind::ULong);
    let width = program.types.model.pointer_width();
    for id in counted {
        let function = &mut program.functions[id.index()];
        let frame = frame(function);
        free_entry(function);
        let (mut writer, old) = Writer::start(function, width);
        enter(&mut writer, used, frame, stack_size);
        copy(&mut writer, old, used, frame);
        writer.finish();
    }
    restore_at_jumps(program, used, int);
}

fn frame(function: &Function) -> u64 {
    let variables = function
        .locals
        .iter()
        .filter(|l| l.kind != LocalKind::Temporary);
    let bytes: u64 = variables.map(|l| frame_bytes(l.storage)).sum();
    (bytes + CALL).next_multiple_of(16)
}

/// Bytes of a local in a frame.
fn frame_bytes(storage: LocalStorage) -> u64 {
    match storage {
        LocalStorage::Register(_) | LocalStorage::Dynamic => 8,
        LocalStorage::Memory { size, .. } => size.next_multiple_of(8),
    }
}

/// Takes the bytes of a call, if they are there.
fn enter(writer: &mut Writer<'_>, used: GlobalId, frame: u64, stack_size: u64) {
    let span = writer.function.span;
    let ty = writer.pointer;
    let bytes = writer.constant(frame.into(), ty, span);
    writer.change(used, BinaryOp::Add { signed: false }, bytes, span);
    let now = writer.load(used, span);
    let most = writer.constant(stack_size.into(), ty, span);
    let fits = writer.binary(BinaryOp::ULe, now, most, span);
    writer.require(fits, FaultKind::StackExhausted, span);
}

fn copy(writer: &mut Writer<'_>, old: Vec<Block>, used: GlobalId, frame: u64) {
    for (i, block) in old.into_iter().enumerate() {
        // The entry block goes on behind what was put into it.
        if i != Function::ENTRY.index() {
            writer.current = BlockId::new(i);
        }
        for stmt in block.stmts {
            writer.push(stmt);
        }
        if let TerminatorKind::Return(_) = block.terminator.kind {
            let span = block.terminator.span;
            let ty = writer.pointer;
            let bytes = writer.constant(frame.into(), ty, span);
            writer.change(used, BinaryOp::Sub { signed: false }, bytes, span);
        }
        writer.end(block.terminator);
    }
}

/// Who comes back by `longjmp` has as many open calls as before.
fn restore_at_jumps(program: &mut Program, used: GlobalId, ty: TypeId) {
    let width = program.types.model.pointer_width();
    for function in &mut program.functions {
        let is_setjmp = |kind: &StmtKind| {
            matches!(
                kind,
                StmtKind::Call {
                    callee: Callee::Builtin(Builtin::Setjmp),
                    ..
                }
            )
        };
        let has_jumps = (function.blocks.iter())
            .flat_map(|b| &b.stmts)
            .any(|s| is_setjmp(&s.kind));
        if !has_jumps {
            continue;
        }
        let (mut writer, old) = Writer::start(function, width);
        let word = Ty::Int(width);
        for (i, block) in old.into_iter().enumerate() {
            writer.current = BlockId::new(i);
            for stmt in block.stmts {
                if !is_setjmp(&stmt.kind) {
                    writer.push(stmt);
                    continue;
                }
                let span: Span = stmt.span;
                let kept = writer.register(ty, "%stack".to_owned(), word);
                let value = writer.load(used, span);
                let place = Place::Local(kept);
                writer.stmt(StmtKind::Assign { place, value }, span);
                writer.push(stmt);
                let value = writer.read(kept, word, span);
                writer.store(used, value, span);
            }
            writer.end(block.terminator);
        }
        writer.finish();
    }
}

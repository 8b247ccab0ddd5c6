//! What a function says, without the numbers that depend on the rest of its program.

use crate::expr::ExprKind;
use crate::program::{FuncId, GlobalId, Program};
use crate::stmt::{Callee, StmtKind, TerminatorKind};
use std::fmt::Write as _;

/// A text that is the same for functions of two programs if they do the same in the same way.
pub fn shape(program: &Program, function: FuncId) -> String {
    let body = program.function(function);
    let mut text = program.types.declaration(body.ty, "");
    for local in &body.locals {
        let ty = program.types.name(local.ty);
        let _ = write!(text, "\n{} {ty} {:?}", local.name, local.storage);
    }
    for expr in &body.exprs {
        let _ = match expr.kind {
            ExprKind::GlobalAddress(g) => write!(text, "\n&{}", global(program, g)),
            ExprKind::FunctionAddress(f) => write!(text, "\n&{}", program.function(f).name),
            ref kind => write!(text, "\n{kind:?} {:?}", expr.ty),
        };
    }
    for block in &body.blocks {
        text.push_str("\nblock");
        for stmt in &block.stmts {
            statement(program, &stmt.kind, &mut text);
        }
        let _ = match &block.terminator.kind {
            TerminatorKind::Trap(index) => {
                let known = program.assumptions.get(*index as usize);
                write!(text, "\ntrap {:?}", known.map(|a| a.text.as_str()))
            }
            kind => write!(text, "\n{kind:?}"),
        };
    }
    text
}

fn statement(program: &Program, kind: &StmtKind, text: &mut String) {
    let _ = match kind {
        StmtKind::Call { dest, callee, args } => {
            let callee = match callee {
                Callee::Function(f) => program.function(*f).name.clone(),
                Callee::Pointer { target, ty } => {
                    format!("{target:?} {}", program.types.name(*ty))
                }
                Callee::Builtin(builtin) => format!("{builtin:?}"),
            };
            write!(text, "\n{dest:?} {callee} {args:?}")
        }
        StmtKind::Havoc { place, input } => {
            let kind = &program.inputs[input.index()].kind;
            write!(text, "\n{place:?} {kind:?}")
        }
        StmtKind::Mark { mark, condition } => {
            let name = &program.marks[mark.index()].name;
            write!(text, "\nmark {name} {condition:?}")
        }
        other => write!(text, "\n{other:?}"),
    };
}

/// Texts and other nameless objects are what is in them.
fn global(program: &Program, id: GlobalId) -> String {
    let global = program.global(id);
    if global.read_only && global.relocations.is_empty() {
        format!("{:?} {}", global.bytes, global.size)
    } else {
        global.name.clone()
    }
}

//! All of one program beside another.

use crate::ctype::TypeId;
use crate::expr::ExprKind;
use crate::program::{FuncId, GlobalId, GlobalTarget, InputId, MarkId, Program};
use crate::stmt::{Builtin, Callee, StmtKind, TerminatorKind};
use idiolect_base::Span;

/// Appends a program; where it starts now.
pub fn append(program: &mut Program, other: &Program) -> FuncId {
    let sources = program.sources.append(&other.sources);
    let at = |span: Span| {
        if span.is_nowhere() {
            span
        } else {
            Span {
                source: idiolect_base::SourceId::new(span.source.index() + sources),
                ..span
            }
        }
    };
    let types = program.types.import(&other.types);
    let ty = |id: TypeId| types[id.index()];
    let n_functions = program.functions.len();
    let n_globals = program.globals.len();
    let function = |f: FuncId| FuncId::new(f.index() + n_functions);
    let global = |g: GlobalId| GlobalId::new(g.index() + n_globals);
    let (n_inputs, n_marks) = (program.inputs.len(), program.marks.len());
    let n_assumptions = program.assumptions.len() as u32;
    for mut g in other.globals.iter().cloned() {
        g.ty = ty(g.ty);
        g.span = at(g.span);
        for relocation in &mut g.relocations {
            relocation.target = match relocation.target {
                GlobalTarget::Global(g) => GlobalTarget::Global(global(g)),
                GlobalTarget::Function(f) => GlobalTarget::Function(function(f)),
            };
        }
        program.globals.push(g);
    }
    for mut site in other.inputs.iter().cloned() {
        site.ty = ty(site.ty);
        site.span = at(site.span);
        program.inputs.push(site);
    }
    for mut mark in other.marks.iter().cloned() {
        mark.span = at(mark.span);
        program.marks.push(mark);
    }
    for mut assumption in other.assumptions.iter().cloned() {
        assumption.span = at(assumption.span);
        program.assumptions.push(assumption);
    }
    for mut f in other.functions.iter().cloned() {
        f.ty = ty(f.ty);
        f.span = at(f.span);
        for local in &mut f.locals {
            local.ty = ty(local.ty);
            local.span = at(local.span);
            local.scope = at(local.scope);
        }
        for expr in &mut f.exprs {
            expr.span = at(expr.span);
            match &mut expr.kind {
                ExprKind::GlobalAddress(g) => *g = global(*g),
                ExprKind::FunctionAddress(f) => *f = function(*f),
                _ => {}
            }
        }
        for block in &mut f.blocks {
            for stmt in &mut block.stmts {
                stmt.span = at(stmt.span);
                match &mut stmt.kind {
                    StmtKind::Havoc { input, .. } => {
                        *input = InputId::new(input.index() + n_inputs);
                    }
                    StmtKind::Mark { mark, .. } => *mark = MarkId::new(mark.index() + n_marks),
                    StmtKind::Call { callee, .. } => match callee {
                        Callee::Function(f) => *f = function(*f),
                        Callee::Pointer { ty: own, .. } => *own = ty(*own),
                        Callee::Builtin(Builtin::Truncate(index)) => *index += n_assumptions,
                        Callee::Builtin(_) => {}
                    },
                    _ => {}
                }
            }
            block.terminator.span = at(block.terminator.span);
            if let TerminatorKind::Trap(index) = &mut block.terminator.kind {
                *index += n_assumptions;
            }
        }
        program.functions.push(f);
    }
    function(other.start)
}

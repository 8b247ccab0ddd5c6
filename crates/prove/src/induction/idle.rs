//! Parameters that nothing depends on: they are handed on to recursive calls and never looked at. Facts about
//! them would be many, and no proof needs one.

use idiolect_ir::{Callee, ExprId, ExprKind, FuncId, Function, LocalId, Program, StmtKind};
use std::collections::BTreeSet;

/// By function and position. What a function hands on counts as looked at where it is handed on to somebody
/// who looks, or to nobody knows whom.
pub fn idle_parameters(program: &Program) -> BTreeSet<(FuncId, usize)> {
    let mut idle: BTreeSet<(FuncId, usize)> = BTreeSet::new();
    for id in program.function_ids() {
        let function = program.function(id);
        // Old values are there for the facts alone.
        let is_old = |&p: &LocalId| function.local(p).name.starts_with("\\old(");
        let own = function.params.iter().enumerate();
        idle.extend(own.filter(|(_, p)| !is_old(p)).map(|(i, _)| (id, i)));
    }
    loop {
        let n_before = idle.len();
        for id in program.function_ids() {
            look(program.function(id), id, &mut idle);
        }
        if idle.len() == n_before {
            return idle;
        }
    }
}

/// Takes away what one function looks at.
fn look(function: &Function, id: FuncId, idle: &mut BTreeSet<(FuncId, usize)>) {
    let mut used = BTreeSet::new();
    for block in &function.blocks {
        for stmt in &block.stmts {
            let StmtKind::Call {
                callee: Callee::Function(callee),
                args,
                ..
            } = &stmt.kind
            else {
                stmt.kind.for_each_expr(|e| uses(function, e, &mut used));
                continue;
            };
            stmt.kind.for_each_expr(|e| {
                let is_handed_on = matches!(function.expr(e).kind, ExprKind::Local(_))
                    && (args.iter().enumerate())
                        .all(|(i, &a)| a != e || idle.contains(&(*callee, i)));
                if !is_handed_on {
                    uses(function, e, &mut used);
                }
            });
        }
        if let Some(e) = block.terminator.kind.expr() {
            uses(function, e, &mut used);
        }
    }
    for (i, param) in function.params.iter().enumerate() {
        if used.contains(param) {
            idle.remove(&(id, i));
        }
    }
}

fn uses(function: &Function, expr: ExprId, used: &mut BTreeSet<LocalId>) {
    match function.expr(expr).kind {
        ExprKind::Local(local) | ExprKind::LocalAddress(local) => {
            used.insert(local);
        }
        ref kind => kind.for_each_operand(|e| uses(function, e, used)),
    }
}

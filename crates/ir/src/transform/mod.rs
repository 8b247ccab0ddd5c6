//! Passes: each takes a program and gives one that does the same, or says exactly what else it does.

pub mod inline;
pub mod scale;

use crate::{ExprId, ExprKind, Function};

/// Whether an expression reads memory.
pub fn reads_memory(function: &Function, expr: ExprId) -> bool {
    let kind = &function.expr(expr).kind;
    let mut reads = matches!(kind, ExprKind::Load { .. });
    kind.for_each_operand(|e| reads |= reads_memory(function, e));
    reads
}

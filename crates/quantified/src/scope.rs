//! Which variables have a value that matters at a place.
//!
//! A variable counts where it has been given a value on every path from the function's entry, and
//! where some path reads it before it is given another one. `int t;` that serves as a temporary in
//! a loop's body is so left out at the loop's head, where its value is an accident.

use idiolect_ir::graph::Cfg;
use idiolect_ir::{
    BlockId, ExprId, ExprKind, Function, InputKind, LocalId, Place, Program, Stmt, StmtKind,
};

/// For each block the locals that have a value at its start, and those that are read later.
#[derive(Clone, Debug)]
pub struct Scope {
    assigned: Vec<Vec<bool>>,
    live: Vec<Vec<bool>>,
    /// Parameters that the function assigns to.
    modified: Vec<bool>,
}

impl Scope {
    pub fn new(program: &Program, function: &Function, cfg: &Cfg) -> Self {
        let n = function.locals.len();
        let mut modified = vec![false; n];
        for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
            if let Some(local) = written(program, function, stmt) {
                modified[local.index()] = true;
            }
        }
        Scope {
            assigned: assigned(program, function, cfg),
            live: live(program, function, cfg),
            modified,
        }
    }

    pub fn has_value(&self, block: BlockId, local: LocalId) -> bool {
        self.assigned[block.index()][local.index()]
    }

    pub fn is_read_later(&self, block: BlockId, local: LocalId) -> bool {
        self.live[block.index()][local.index()]
    }

    pub fn is_modified(&self, local: LocalId) -> bool {
        self.modified[local.index()]
    }
}

/// The register local that a statement gives a value. An uninitialized variable's random value is
/// none, except in `main`: there it is an input like any other (`run_harness`).
fn written(program: &Program, function: &Function, stmt: &Stmt) -> Option<LocalId> {
    let place = match &stmt.kind {
        StmtKind::Assign { place, .. } => *place,
        StmtKind::Havoc { place, input } => {
            if let InputKind::Uninitialized(_) = program.inputs[input.index()].kind
                && function.name != "main"
            {
                return None;
            }
            *place
        }
        StmtKind::Call { dest, .. } => (*dest)?,
        _ => return None,
    };
    match place {
        Place::Local(local) => Some(local),
        _ => None,
    }
}

fn assigned(program: &Program, function: &Function, cfg: &Cfg) -> Vec<Vec<bool>> {
    let n = function.locals.len();
    // Everything, until a path says otherwise.
    let mut at_start = vec![vec![true; n]; function.blocks.len()];
    at_start[Function::ENTRY.index()] = vec![false; n];
    for &param in &function.params {
        at_start[Function::ENTRY.index()][param.index()] = true;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder() {
            let mut now = at_start[block.index()].clone();
            for stmt in &function.block(block).stmts {
                if let Some(local) = written(program, function, stmt) {
                    now[local.index()] = true;
                }
            }
            for next in cfg.successors(block) {
                for (before, &after) in at_start[next.index()].iter_mut().zip(&now) {
                    if *before && !after {
                        *before = false;
                        changed = true;
                    }
                }
            }
        }
    }
    at_start
}

fn live(program: &Program, function: &Function, cfg: &Cfg) -> Vec<Vec<bool>> {
    let n = function.locals.len();
    let mut at_start = vec![vec![false; n]; function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder().iter().rev() {
            let mut now = vec![false; n];
            for next in cfg.successors(block) {
                for (a, &b) in now.iter_mut().zip(&at_start[next.index()]) {
                    *a |= b;
                }
            }
            let body = function.block(block);
            if let Some(expr) = body.terminator.kind.expr() {
                read(function, expr, &mut now);
            }
            for stmt in body.stmts.iter().rev() {
                if let Some(local) = written(program, function, stmt) {
                    now[local.index()] = false;
                }
                stmt.kind.for_each_expr(|e| read(function, e, &mut now));
            }
            if now != at_start[block.index()] {
                at_start[block.index()] = now;
                changed = true;
            }
        }
    }
    at_start
}

fn read(function: &Function, expr: ExprId, live: &mut [bool]) {
    let kind = &function.expr(expr).kind;
    if let ExprKind::Local(local) | ExprKind::LocalAddress(local) = *kind {
        live[local.index()] = true;
    }
    kind.for_each_operand(|e| read(function, e, live));
}

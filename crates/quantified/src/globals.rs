//! Which global variables a function works on.

use idiolect_ir::{Callee, ExprKind, FuncId, GlobalId, Program, StmtKind};

/// The user's globals that a function mentions itself, in the order in which they are declared.
pub fn mentioned(program: &Program, function: FuncId) -> Vec<GlobalId> {
    let exprs = program.function(function).exprs.iter();
    let mut found: Vec<GlobalId> = exprs
        .filter_map(|e| match e.kind {
            ExprKind::GlobalAddress(g) => Some(g),
            _ => None,
        })
        .filter(|&g| {
            let global = program.global(g);
            !global.is_library && !global.read_only && !global.is_unwritten
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Those that it or a function that it calls mentions.
pub fn reached(program: &Program, function: FuncId) -> Vec<GlobalId> {
    let mut seen = vec![function];
    let mut next = 0;
    let mut found = Vec::new();
    while let Some(&id) = seen.get(next) {
        next += 1;
        found.extend(mentioned(program, id));
        for stmt in program.function(id).blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Call {
                callee: Callee::Function(callee),
                ..
            } = stmt.kind
                && !seen.contains(&callee)
            {
                seen.push(callee);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

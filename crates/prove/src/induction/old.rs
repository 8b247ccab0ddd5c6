//! Old values of globals as parameters: what a recursive function does to a counter is a relation of what it
//! was at its entry and what it is at its exit, and a contract speaks of parameters and the state at the exit.
//!
//! So the function gets a parameter for each global number that it or its callees write, and callers pass what
//! the global holds. Nobody reads the parameter: the program does the same.

use super::variable::{Base, address_of, fixed, push};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::ctype::CType;
use idiolect_ir::{
    Callee, ExprKind, FuncId, Function, FunctionOrigin, GlobalId, Local, LocalId, LocalKind,
    LocalStorage, Place, Program, StmtKind, Ty,
};
use std::collections::{BTreeMap, BTreeSet};

/// More old values make more facts than it is worth.
const MAX_OLD: usize = 3;

/// The program with old values, if there is a function that has any.
pub fn with_old_values(program: &Program) -> Option<Program> {
    let calls = CallGraph::new(program);
    let mut old: BTreeMap<FuncId, Vec<GlobalId>> = BTreeMap::new();
    for id in program.function_ids() {
        let function = program.function(id);
        let can_change = calls.is_recursive(id)
            && calls.is_reachable(id)
            && function.origin == FunctionOrigin::User
            && !function.variadic
            && !calls.address_taken().contains(&id);
        if !can_change {
            continue;
        }
        let written = written_below(program, &calls, id);
        if (1..=MAX_OLD).contains(&written.len()) {
            old.insert(id, written.into_iter().collect());
        }
    }
    if old.is_empty() {
        return None;
    }
    let mut new = program.clone();
    for (&id, globals) in &old {
        add_parameters(&mut new, id, globals)?;
    }
    let width = new.types.model.pointer_width();
    for function in &mut new.functions {
        pass(program, function, &old, width);
    }
    (idiolect_ir::verify(&new).is_ok()).then_some(new)
}

/// A global that is one number.
fn number(program: &Program, global: GlobalId) -> Option<Ty> {
    let ty = program.types.scalar(program.global(global).ty)?;
    matches!(ty, Ty::Int(8..=64)).then_some(ty)
}

/// The global numbers that a function or one that it calls writes by name.
fn written_below(program: &Program, calls: &CallGraph, id: FuncId) -> BTreeSet<GlobalId> {
    let mut seen: BTreeSet<FuncId> = [id].into();
    let mut todo = vec![id];
    let mut found = BTreeSet::new();
    while let Some(f) = todo.pop() {
        todo.extend(calls.callees(f).filter(|&callee| seen.insert(callee)));
        let function = program.function(f);
        for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
            let place = match &stmt.kind {
                StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => Some(*place),
                StmtKind::Call { dest, .. } => *dest,
                _ => None,
            };
            if let Some(Place::Memory { address, .. }) = place
                && let Some((Base::Global(global), 0)) = fixed(function, address)
                && number(program, global).is_some()
            {
                found.insert(global);
            }
        }
    }
    found
}

fn add_parameters(program: &mut Program, id: FuncId, globals: &[GlobalId]) -> Option<()> {
    let CType::Function(mut signature) = program.types.get(program.function(id).ty).clone() else {
        return None;
    };
    for &global in globals {
        let ty = number(program, global)?;
        let declared = program.global(global);
        let (name, c_type, span) = (
            format!("\\old({})", declared.name),
            declared.ty,
            declared.span,
        );
        signature.params.push(c_type);
        let function = &mut program.functions[id.index()];
        function.locals.push(Local {
            name,
            ty: c_type,
            kind: LocalKind::Parameter,
            storage: LocalStorage::Register(ty),
            span,
            scope: function.span,
        });
        let local = LocalId::new(function.locals.len() - 1);
        function.params.push(local);
    }
    let ty = program.types.intern(CType::Function(signature));
    program.functions[id.index()].ty = ty;
    Some(())
}

/// Passes what the globals hold to those that want it.
fn pass(
    program: &Program,
    function: &mut Function,
    old: &BTreeMap<FuncId, Vec<GlobalId>>,
    pointer_width: u8,
) {
    for block in 0..function.blocks.len() {
        for index in 0..function.blocks[block].stmts.len() {
            let StmtKind::Call {
                callee: Callee::Function(callee),
                ..
            } = function.blocks[block].stmts[index].kind
            else {
                continue;
            };
            let Some(globals) = old.get(&callee) else {
                continue;
            };
            let mut more = Vec::new();
            for &global in globals {
                if let Some(ty) = number(program, global) {
                    let address = address_of(function, Base::Global(global), 0, pointer_width);
                    more.push(push(function, ExprKind::Load { address }, ty));
                }
            }
            if let StmtKind::Call { args, .. } = &mut function.blocks[block].stmts[index].kind {
                args.extend(more);
            }
        }
    }
}

//! Memory behind pointer parameters of the entry function: in both programs it is the same before the call, and
//! what is there afterwards is compared.
//!
//! The objects are locals of the functions that start the programs. What is in them is read from one object that
//! nobody wrote, so reading it is an input, and copied out right after the call.

use super::edit::Editor;
use super::leaves::{Leaf, leaves};
use super::pointers::Targets;
use super::variable;
use crate::ctype::{ArrayLength, CType};
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{BEHIND, FuncId, GlobalId, LocalId, LocalStorage, Program};
use crate::stmt::{Callee, Place, Stmt, StmtKind};
use idiolect_base::Span;

/// Where an object is declared in a function.
pub struct Object {
    pub name: String,
    pub local: LocalId,
    at: (usize, usize),
    /// The number of bytes, where it is no constant.
    bytes: Option<ExprId>,
    pub element_size: u64,
    /// So many elements at most.
    pub n: u64,
    /// Of one element.
    leaves: Option<Vec<Leaf>>,
}

/// A scalar that both programs have behind a parameter.
pub struct Kept {
    pub leaf: Leaf,
    /// What each program left there.
    pub after: [GlobalId; 2],
    /// For pointers: where they point to.
    pub class: [GlobalId; 2],
    pub name: String,
}

/// Objects with more scalars than this are compared in part.
const MOST: usize = 512;

/// Objects behind pointer parameters, as the start function declares them.
pub fn objects(program: &Program, start: FuncId) -> Vec<Object> {
    let function = program.function(start);
    let mut list = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        for (s, stmt) in block.stmts.iter().enumerate() {
            let StmtKind::Declare { local, size } = stmt.kind else {
                continue;
            };
            let declared = function.local(local);
            let Some(name) = declared.name.strip_prefix(BEHIND) else {
                continue;
            };
            let CType::Array { element, length } = *program.types.get(declared.ty) else {
                continue;
            };
            let n = match (declared.storage, length) {
                (LocalStorage::Memory { .. }, ArrayLength::Known(n)) => Some(n),
                (LocalStorage::Dynamic, ArrayLength::Variable(count)) => {
                    most(program, start, count)
                }
                _ => None,
            };
            list.push(Object {
                name: name.to_owned(),
                local,
                at: (b, s),
                bytes: size,
                element_size: program.types.size_of(element).unwrap_or(0),
                n: n.unwrap_or(0),
                leaves: n.and_then(|_| leaves(&program.types, element)),
            });
        }
    }
    list
}

/// The most that a register can hold that is masked where it is assigned.
fn most(program: &Program, start: FuncId, count: LocalId) -> Option<u64> {
    let function = program.function(start);
    let assigned = function.blocks.iter().flat_map(|b| &b.stmts);
    let mut values = assigned.filter_map(|stmt| match stmt.kind {
        StmtKind::Assign {
            place: Place::Local(l),
            value,
        } if l == count => Some(value),
        _ => None,
    });
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::BitAnd, _, mask) = function.expr(value).kind else {
        return None;
    };
    match function.expr(mask).kind {
        ExprKind::Const(bits) => u64::try_from(bits).ok().filter(|&n| n <= 4096),
        _ => None,
    }
}

/// Shares the objects; the scalars to be compared, and what cannot be.
pub fn share(
    program: &mut Program,
    starts: [FuncId; 2],
    entries: [FuncId; 2],
    targets: &[Targets; 2],
) -> (Vec<Kept>, Vec<String>) {
    let [old, new] = starts.map(|start| objects(program, start));
    let mut kept = Vec::new();
    let mut unseen = Vec::new();
    let mut pairs: Vec<(&Object, &Object, GlobalId, Vec<Kept>)> = Vec::new();
    for object in &old {
        let other = new.iter().find(|other| other.name == object.name);
        let same = other
            .filter(|other| object.n == other.n && object.n > 0 && shapes(object) == shapes(other));
        let (Some(other), Some(leaves)) = (same, &object.leaves) else {
            unseen.push(format!("memory behind `{}`", object.name));
            continue;
        };
        let size = object.n * object.element_size;
        let shared = variable(program, &format!("{BEHIND}{}", object.name), size);
        program.globals[shared.index()].is_unwritten = true;
        let after = ["old", "new"]
            .map(|side| variable(program, &format!("%after_{side} {}", object.name), size));
        let class = if leaves.iter().any(|leaf| leaf.ty == Ty::Ptr) {
            ["old", "new"]
                .map(|side| variable(program, &format!("%class_{side} {}", object.name), size))
        } else {
            after
        };
        let mut own = Vec::new();
        for k in 0..object.n {
            for leaf in leaves {
                if own.len() == MOST {
                    unseen.push(format!("all of the memory behind `{}`", object.name));
                    break;
                }
                own.push(Kept {
                    leaf: Leaf {
                        offset: k * object.element_size + leaf.offset,
                        ..leaf.clone()
                    },
                    after,
                    class,
                    name: format!("{}[{k}]{}", object.name, leaf.name),
                });
            }
        }
        pairs.push((object, other, shared, own));
    }
    let dump = variable(program, "%dump", 16);
    for side in 0..2 {
        copy_out(
            program,
            starts[side],
            entries[side],
            side,
            &pairs,
            &targets[side],
        );
        // From the last one on, so that places stay where they are.
        let mut order: Vec<_> = (pairs.iter())
            .map(|(old, new, shared, own)| ([*old, *new][side], *shared, own))
            .collect();
        order.sort_by_key(|(object, ..)| std::cmp::Reverse(object.at));
        for (object, shared, own) in order {
            copy_in(program, starts[side], object, shared, own, dump);
        }
    }
    for (_, _, _, own) in pairs {
        kept.extend(own);
    }
    (kept, unseen)
}

fn shapes(object: &Object) -> Option<Vec<(u64, Ty)>> {
    let leaves = object.leaves.as_ref()?;
    Some(leaves.iter().map(|leaf| (leaf.offset, leaf.ty)).collect())
}

/// Whether the object goes so far; `None` if it always does.
fn reaches(edit: &mut Editor<'_>, object: &Object, leaf: &Leaf) -> Option<ExprId> {
    let bytes = object.bytes?;
    let size = edit.size();
    let k = leaf.offset / object.element_size.max(1);
    let end = edit.constant(((k + 1) * object.element_size).into(), size);
    Some(edit.binary(BinaryOp::ULe, end, bytes, Ty::BOOL))
}

fn address(edit: &mut Editor<'_>, local: LocalId, offset: u64) -> ExprId {
    let base = edit.push(ExprKind::LocalAddress(local), Ty::Ptr);
    edit.offset(base, offset)
}

fn copy_in(
    program: &mut Program,
    start: FuncId,
    object: &Object,
    shared: GlobalId,
    own: &[Kept],
    dump: GlobalId,
) {
    let pointer = program.types.model.pointer_width();
    let mut edit = Editor::new(&mut program.functions[start.index()], pointer);
    let mut stmts = Vec::new();
    for kept in own {
        let leaf = &kept.leaf;
        let value = edit.load(shared, leaf.offset, leaf.ty);
        let mut to = address(&mut edit, object.local, leaf.offset);
        if let Some(condition) = reaches(&mut edit, object, leaf) {
            let otherwise = edit.address(dump, 0);
            to = edit.select(condition, to, otherwise);
        }
        let place = Place::Memory {
            address: to,
            ty: leaf.ty,
        };
        let kind = StmtKind::Assign { place, value };
        stmts.push(Stmt {
            kind,
            span: Span::NOWHERE,
        });
    }
    let (block, stmt) = object.at;
    let list = &mut edit.function.blocks[block].stmts;
    list.splice(stmt + 1..stmt + 1, stmts);
}

fn copy_out(
    program: &mut Program,
    start: FuncId,
    entry: FuncId,
    side: usize,
    pairs: &[(&Object, &Object, GlobalId, Vec<Kept>)],
    targets: &Targets,
) {
    let pointer = program.types.model.pointer_width();
    let mut edit = Editor::new(&mut program.functions[start.index()], pointer);
    let Some((block, stmt)) = call_of(&edit, entry) else {
        return;
    };
    let mut stmts = Vec::new();
    for (old, new, _, own) in pairs {
        let object = [old, new][side];
        for kept in own {
            let leaf = &kept.leaf;
            let from = address(&mut edit, object.local, leaf.offset);
            let mut value = edit.push(ExprKind::Load { address: from }, leaf.ty);
            if let Some(condition) = reaches(&mut edit, object, leaf) {
                let otherwise = edit.constant(0, leaf.ty);
                value = edit.select(condition, value, otherwise);
            }
            stmts.push(edit.store(kept.after[side], leaf.offset, leaf.ty, value));
            if leaf.ty == Ty::Ptr {
                let value = edit.load(kept.after[side], leaf.offset, Ty::Ptr);
                let class = targets.class(&mut edit, value);
                let size = edit.size();
                let class = edit.narrow(class, size);
                stmts.push(edit.store(kept.class[side], leaf.offset, size, class));
            }
        }
    }
    let stmts = stmts.into_iter().map(|kind| Stmt {
        kind,
        span: Span::NOWHERE,
    });
    let list = &mut edit.function.blocks[block].stmts;
    list.splice(stmt + 1..stmt + 1, stmts);
}

/// Where the start function calls the entry function.
pub fn call_of(edit: &Editor<'_>, entry: FuncId) -> Option<(usize, usize)> {
    let blocks = edit.function.blocks.iter().enumerate();
    blocks.into_iter().find_map(|(b, block)| {
        let is_call = |stmt: &Stmt| match stmt.kind {
            StmtKind::Call {
                callee: Callee::Function(f),
                ..
            } => f == entry,
            _ => false,
        };
        Some((b, block.stmts.iter().position(is_call)?))
    })
}

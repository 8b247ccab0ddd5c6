//! What the entry function returns, kept to be compared.

use super::behind::call_of;
use super::edit::Editor;
use super::leaves::{Leaf, leaves};
use super::pointers::Targets;
use super::variable;
use crate::ctype::{CType, TypeId};
use crate::expr::{ExprKind, Ty};
use crate::program::{FuncId, GlobalId, LocalStorage, Program};
use crate::stmt::{Place, Stmt, StmtKind};
use idiolect_base::Span;

/// Where both programs leave what they return.
pub struct Returned {
    /// The bits of a scalar; of a pointer, where it points to.
    pub value: [GlobalId; 2],
    pub ty: Option<(Ty, bool)>,
    /// A pointer as it is, and the type of what it points to.
    pub pointer: Option<([GlobalId; 2], TypeId)>,
    /// The scalars of a record.
    pub record: Option<([GlobalId; 2], Vec<Leaf>)>,
}

/// Keeps what both entry functions return; `None` if one of them is `main`, whose status is all there is.
pub fn keep(
    program: &mut Program,
    starts: [FuncId; 2],
    entries: [FuncId; 2],
    targets: &[Targets; 2],
    unseen: &mut Vec<String>,
) -> Option<Returned> {
    if entries.iter().any(|&f| program.function(f).name == "main") {
        return None;
    }
    let mut returned = Returned {
        value: ["old", "new"].map(|side| variable(program, &format!("%returned_{side}"), 16)),
        ty: None,
        pointer: None,
        record: None,
    };
    let CType::Function(signature) = program.types.get(program.function(entries[0]).ty) else {
        return Some(returned);
    };
    let ret = signature.ret;
    match *program.types.get(ret) {
        CType::Pointer(to) => {
            let raw = ["old", "new"].map(|side| variable(program, &format!("%pointer_{side}"), 16));
            returned.pointer = Some((raw, to));
        }
        CType::Record(_) => match (leaves(&program.types, ret), program.types.size_of(ret)) {
            (Some(list), Some(size)) => {
                let has_pointers = list.iter().any(|leaf| leaf.ty == Ty::Ptr);
                if has_pointers {
                    unseen.push("pointers in a returned record".to_owned());
                }
                let list = list.into_iter().filter(|leaf| leaf.ty != Ty::Ptr).collect();
                let kept =
                    ["old", "new"].map(|side| variable(program, &format!("%record_{side}"), size));
                returned.record = Some((kept, list));
            }
            _ => unseen.push("a returned record".to_owned()),
        },
        _ => {
            let scalar = program.types.scalar(ret);
            returned.ty = scalar.map(|ty| (ty, program.types.is_signed(ret)));
            if scalar == Some(Ty::F80) {
                unseen.push("a returned `long double`".to_owned());
            }
        }
    }
    for side in 0..2 {
        keep_one(
            program,
            starts[side],
            entries[side],
            side,
            &returned,
            &targets[side],
        );
    }
    Some(returned)
}

fn keep_one(
    program: &mut Program,
    start: FuncId,
    entry: FuncId,
    side: usize,
    returned: &Returned,
    targets: &Targets,
) {
    let pointer = program.types.model.pointer_width();
    let mut edit = Editor::new(&mut program.functions[start.index()], pointer);
    let Some((block, index)) = call_of(&edit, entry) else {
        return;
    };
    let StmtKind::Call { dest, args, .. } = edit.function.blocks[block].stmts[index].kind.clone()
    else {
        return;
    };
    let mut stmts = Vec::new();
    if let Some(Place::Local(local)) = dest
        && let LocalStorage::Register(ty) = edit.function.local(local).storage
    {
        let value = edit.push(ExprKind::Local(local), ty);
        match (ty, &returned.pointer) {
            (Ty::F80, _) => {}
            (Ty::Ptr, Some((raw, _))) => {
                stmts.push(edit.store(raw[side], 0, Ty::Ptr, value));
                let class = targets.class(&mut edit, value);
                stmts.push(edit.store(returned.value[side], 0, Ty::Int(64), class));
            }
            (Ty::Ptr, None) => {}
            _ => stmts.push(edit.store(returned.value[side], 0, ty, value)),
        }
    }
    if let (Some((kept, list)), Some(&from)) = (&returned.record, args.first()) {
        for leaf in list {
            let address = edit.offset(from, leaf.offset);
            let value = edit.push(ExprKind::Load { address }, leaf.ty);
            stmts.push(edit.store(kept[side], leaf.offset, leaf.ty, value));
        }
    }
    let span = Span::NOWHERE;
    let stmts = stmts.into_iter().map(|kind| Stmt { kind, span });
    let list = &mut edit.function.blocks[block].stmts;
    list.splice(index + 1..index + 1, stmts);
}

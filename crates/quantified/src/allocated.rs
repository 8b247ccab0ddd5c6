//! Arrays that a function makes itself: what `malloc` or `calloc` gave a variable, and arrays of variable length.
//!
//! How many elements there are is read off the size that was asked for, `n * sizeof *a`. That is a guess about what
//! the variable is at a point; a proof has to show at each that it leads to a block of that size. An array of variable
//! length is looked at as a pointer to such a block, which ends where the array does.

use crate::linear::{self, NotAList};
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::{
    BinaryOp, Builtin, Callee, Expr, ExprId, ExprKind, Function, FunctionOrigin, Local, LocalId,
    LocalKind, LocalStorage, Place, Program, Stmt, StmtKind, Ty, TypeId,
};

/// How many elements an allocated array has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocatedLength {
    /// As many as this variable said.
    Variable(LocalId),
    /// So many.
    Known(u64),
}

/// An array that a variable is given by an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocated {
    /// The variable.
    pub array: LocalId,
    /// What was asked for.
    pub length: AllocatedLength,
}

/// The variables of a function that lead to arrays which it allocates. Where a variable has several allocations, their
/// sizes have to be written alike.
pub fn allocated(program: &Program, function: &Function) -> Vec<Allocated> {
    let mut found: Vec<Allocated> = Vec::new();
    let mut unclear: Vec<LocalId> = Vec::new();
    for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
        let Some((array, bytes)) = allocation(function, &stmt.kind) else {
            continue;
        };
        let length = length(program, function, array, &bytes);
        match (length, found.iter().find(|a| a.array == array)) {
            (Some(length), None) => found.push(Allocated { array, length }),
            (Some(length), Some(known)) if known.length == length => {}
            _ => unclear.push(array),
        }
    }
    found.retain(|a| !unclear.contains(&a.array));
    found
}

/// The variable that a statement gives a new block, and the factors of its size in bytes.
pub fn allocation(function: &Function, kind: &StmtKind) -> Option<(LocalId, Vec<ExprId>)> {
    let StmtKind::Call {
        dest: Some(Place::Local(to)),
        callee: Callee::Builtin(Builtin::Malloc | Builtin::Calloc),
        args,
    } = kind
    else {
        return None;
    };
    let array = match function.local(*to).kind {
        LocalKind::Temporary => only_copy(function, *to)?,
        _ => *to,
    };
    let is_register = function.local(array).storage == LocalStorage::Register(Ty::Ptr);
    is_register.then(|| (array, args.clone()))
}

/// The variable that a temporary is copied to, if it is one alone.
fn only_copy(function: &Function, temporary: LocalId) -> Option<LocalId> {
    let mut copies = function
        .blocks
        .iter()
        .flat_map(|b| &b.stmts)
        .filter_map(|s| {
            let StmtKind::Assign {
                place: Place::Local(to),
                value,
            } = s.kind
            else {
                return None;
            };
            (function.expr(value).kind == ExprKind::Local(temporary)).then_some(to)
        });
    let first = copies.next()?;
    copies.next().is_none().then_some(first)
}

fn length(
    program: &Program,
    function: &Function,
    array: LocalId,
    bytes: &[ExprId],
) -> Option<AllocatedLength> {
    let CType::Pointer(to) = *program.types.get(function.local(array).ty) else {
        return None;
    };
    // Cells of lists and trees are another matter.
    if !matches!(
        linear::list_behind(&program.types, function.local(array).ty),
        None | Some(Err(NotAList::NoPointer(_)))
    ) {
        return None;
    }
    let stride = linear::element(&program.types, to)?.size;
    let mut constant: u64 = 1;
    let mut variable = None;
    let mut open: Vec<ExprId> = bytes.to_vec();
    while let Some(e) = open.pop() {
        match function.expr(e).kind {
            ExprKind::Const(bits) => constant = constant.checked_mul(u64::try_from(bits).ok()?)?,
            ExprKind::Binary(BinaryOp::Mul { .. }, left, right) => open.extend([left, right]),
            ExprKind::Convert(_, inner) => open.push(inner),
            ExprKind::Local(l) => match (function.local(l).kind, variable) {
                (LocalKind::Temporary, _) => open.push(only_value(function, l)?),
                (_, None) => variable = Some(l),
                _ => return None,
            },
            _ => return None,
        }
    }
    match variable {
        Some(n) if constant == stride => {
            let is_number = linear::integer(&program.types, function.local(n).ty).is_some();
            let is_register = matches!(function.local(n).storage, LocalStorage::Register(_));
            (is_number && is_register).then_some(AllocatedLength::Variable(n))
        }
        None if constant > 0 && constant.is_multiple_of(stride) => {
            Some(AllocatedLength::Known(constant / stride))
        }
        _ => None,
    }
}

/// What a temporary is, if it is given a value once.
fn only_value(function: &Function, temporary: LocalId) -> Option<ExprId> {
    let stmts = function.blocks.iter().flat_map(|b| &b.stmts);
    let given = stmts.filter_map(|stmt| match stmt.kind {
        StmtKind::Assign { place, value } => Some((place, Some(value))),
        StmtKind::Havoc { place, .. } => Some((place, None)),
        StmtKind::Call { dest, .. } => Some((dest?, None)),
        _ => None,
    });
    let mut given = given.filter(|(to, _)| *to == Place::Local(temporary));
    let (_, value) = given.next()?;
    value.filter(|_| given.next().is_none())
}

/// Whether a call of this may free a block, as far as its text is there.
pub fn may_free(program: &Program, callee: Callee) -> bool {
    let mut open = vec![callee];
    let mut seen = Vec::new();
    while let Some(callee) = open.pop() {
        match callee {
            Callee::Builtin(Builtin::Free | Builtin::Realloc) | Callee::Pointer { .. } => {
                return true;
            }
            Callee::Builtin(_) => {}
            Callee::Function(id) => {
                if seen.contains(&id) {
                    continue;
                }
                seen.push(id);
                let stmts = program.function(id).blocks.iter().flat_map(|b| &b.stmts);
                open.extend(stmts.filter_map(|s| match s.kind {
                    StmtKind::Call { callee, .. } => Some(callee),
                    _ => None,
                }));
            }
        }
    }
    false
}

/// The program whose arrays of variable length are pointers to blocks. What declares them stays, for what is wrong with
/// a size. Nothing if there are none, or if something is freed that might be one of them.
pub fn as_blocks(program: &Program) -> Option<Program> {
    let is_user = |f: &&Function| f.origin == FunctionOrigin::User;
    let users = || program.functions.iter().filter(is_user);
    let frees = users()
        .flat_map(|f| f.blocks.iter().flat_map(|b| &b.stmts))
        .any(|s| {
            matches!(
                s.kind,
                StmtKind::Call {
                    callee: Callee::Builtin(Builtin::Free | Builtin::Realloc),
                    ..
                }
            )
        });
    let is_dynamic = |l: &Local| l.storage == LocalStorage::Dynamic;
    if frees || !users().any(|f| f.locals.iter().any(is_dynamic)) {
        return None;
    }
    let mut copy = program.clone();
    let mut is_changed = false;
    for f in 0..copy.functions.len() {
        if copy.functions[f].origin != FunctionOrigin::User {
            continue;
        }
        for l in 0..copy.functions[f].locals.len() {
            let local = LocalId::new(l);
            let of = &copy.functions[f].locals[l];
            if let (
                true,
                &CType::Array {
                    element,
                    length: ArrayLength::Variable(_),
                },
            ) = (is_dynamic(of), copy.types.get(of.ty))
                && linear::element(&copy.types, element).is_some()
            {
                let ty = copy.types.pointer_to(element);
                as_block(&mut copy.functions[f], local, ty);
                is_changed = true;
            }
        }
    }
    is_changed.then_some(copy)
}

/// A pointer to a block takes the place of an array of variable length.
fn as_block(function: &mut Function, array: LocalId, ty: TypeId) {
    let old = function.local(array).clone();
    function.locals[array.index()].kind = LocalKind::Temporary;
    function.locals.push(Local {
        ty,
        kind: LocalKind::Variable,
        storage: LocalStorage::Register(Ty::Ptr),
        ..old
    });
    let block = LocalId::new(function.locals.len() - 1);
    for e in &mut function.exprs {
        if e.kind == ExprKind::LocalAddress(array) {
            e.kind = ExprKind::Local(block);
        }
    }
    let mut exprs = std::mem::take(&mut function.exprs);
    for code in &mut function.blocks {
        let stmts = std::mem::take(&mut code.stmts);
        for stmt in stmts {
            let span = stmt.span;
            let call = |dest: Option<Place>, builtin: Builtin, arg: ExprId| Stmt {
                kind: StmtKind::Call {
                    dest,
                    callee: Callee::Builtin(builtin),
                    args: vec![arg],
                },
                span,
            };
            let more = match stmt.kind {
                StmtKind::Declare {
                    local,
                    size: Some(size),
                } if local == array => Some(call(Some(Place::Local(block)), Builtin::Malloc, size)),
                StmtKind::End { local } if local == array => {
                    let kind = ExprKind::Local(block);
                    exprs.push(Expr {
                        kind,
                        ty: Ty::Ptr,
                        span,
                    });
                    Some(call(None, Builtin::Free, ExprId::new(exprs.len() - 1)))
                }
                _ => None,
            };
            code.stmts.push(stmt);
            code.stmts.extend(more);
        }
    }
    function.exprs = exprs;
}

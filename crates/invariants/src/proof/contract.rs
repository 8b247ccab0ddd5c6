//! What a call of a function with loops, or of one that calls itself, needs and does.
//!
//! Such a call is not followed. The claim at the function's entry is a goal at the call, the claim
//! at its exit is assumed behind it, and both are proved, or dropped, together with those of the
//! function that is looked at (`houdini.rs`). For functions that call themselves this is induction
//! over the depth of calls: what is shown holds of every call that returns, and that calls return
//! is not shown (partial correctness).
//!
//! **What a call changes.** Let `R` be the cells that the arguments reach. The function has no
//! global variables, allocates and frees nothing, and makes no pointers of integers; so every
//! pointer that it can come by leads to `R`, to a variable of its own, or is null. Afterwards, then:
//!
//! * cells outside of `R` are what they were;
//! * each cell of `R` is followed by a cell of `R`, by nothing, or leads elsewhere (to a variable
//!   that is gone, say). Of cells that the arguments and the result reach, the last is excluded by
//!   the proof that lists are lists at the exit;
//! * data of cells of `R` is what it was, if the function writes no integer to memory;
//! * a result that points to a list points to a cell of `R`, or is null.
//!
//! Of this the claim at the exit selects. That cells do not change their data is what makes a
//! sorted result of use to a caller: quick sort knows that what it gets back is not below its pivot
//! since all of it was there before.
//!
//! **Few cells are enough** here, too (`bound.rs` has the claim). The result of a call is a name.
//! Drop cells without a name from the states before and after a call alike, each time by letting
//! the predecessor point to the successor. Reachability between cells with names is as it was, so
//! `R` is what remains of `R`; the cells of `R` that remain are linked among themselves in some way,
//! and every way is looked at. A cell with a name from where only cells without one follow, for ever,
//! leads *elsewhere*: what looks at it as at a list finds that it is none, as before. The claim at
//! the exit says of fewer cells what it said of all.

use super::Claim;
use super::cuts::Touches;
use idiolect_ir::ctype::RecordId;
use idiolect_ir::{
    CType, Callee, ConvertOp, ExprId, ExprKind, FuncId, Function, FunctionOrigin, LocalId,
    LocalStorage, Place, Program, StmtKind, Ty, TypeId, Types,
};
use idiolect_quantified::linear;
use idiolect_quantified::point::{Binding, Point, PointKind, Role};

/// A claim at a cut; cuts of all functions are numbered through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Side {
    pub cut: usize,
    pub claim: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contract {
    pub function: FuncId,
    pub entry: Side,
    pub exit: Side,
    pub writes_data: bool,
    /// It works on arrays, and not on lists.
    pub has_arrays: bool,
    /// It writes only what it read from its arrays.
    pub copies: bool,
}

/// What is known of a function that is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Described {
    /// The claims at its entry and exit, by position.
    pub entry: usize,
    pub exit: usize,
    pub writes_data: bool,
    pub has_arrays: bool,
    pub copies: bool,
}

/// The functions that a proof about this one needs contracts for.
pub fn needed(program: &Program, function: FuncId) -> Vec<FuncId> {
    let mut touches = Touches::new(program, &[]);
    let mut found: Vec<FuncId> = Vec::new();
    let mut waiting = called(program.function(function));
    while let Some(id) = waiting.pop() {
        if !found.contains(&id) && touches.of_function(id).is_err() {
            found.push(id);
            waiting.extend(called(program.function(id)));
        }
    }
    found.sort_unstable();
    found
}

fn called(function: &Function) -> Vec<FuncId> {
    let stmts = function.blocks.iter().flat_map(|b| &b.stmts);
    let callee = |kind: &StmtKind| match kind {
        StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } => Some(*id),
        _ => None,
    };
    stmts.filter_map(|s| callee(&s.kind)).collect()
}

/// The claims at the entry and the exit of a function, by position, if a call of it can be
/// described by them.
pub(super) fn claims_of(
    program: &Program,
    function: FuncId,
    claims: &[Claim<'_>],
) -> Option<Described> {
    let at = |kind: PointKind| {
        let is_it = |c: &Claim<'_>| c.point.function == function && c.point.kind == kind;
        claims.iter().position(is_it)
    };
    let (entry, exit) = (at(PointKind::Entry)?, at(PointKind::Exit)?);
    let structures = |p: usize| claims[p].point.structures.iter();
    let has_arrays = structures(entry).any(|s| !s.is_list());
    let is_same_kind = |s: &idiolect_quantified::point::Structure| s.is_list() != has_arrays;
    if !structures(entry).chain(structures(exit)).all(is_same_kind) {
        return None;
    }
    let code = program.function(function);
    let types = &program.types;
    let is_known = |ty: TypeId| {
        linear::integer(types, ty).is_some()
            || has_arrays && linear::integer_behind(types, ty).is_some()
            || !has_arrays
                && matches!(linear::list_behind(types, ty), Some(Ok(shape)) if shape.back.is_none() && is_plain(types, shape.record))
    };
    let returns_pointer = has_arrays && code.ret == Some(Ty::Ptr);
    let CType::Function(ty) = types.get(code.ty) else {
        return None;
    };
    let is_seen = |p: &Point, b: Binding| p.variables.iter().any(|v| v.binding == b);
    let has_parameters = code
        .params
        .iter()
        .all(|&l| is_known(code.local(l).ty) && is_seen(claims[entry].point, Binding::Local(l)));
    let has_result =
        code.ret.is_none() || is_known(ty.ret) && is_seen(claims[exit].point, Binding::Result);
    if !has_parameters || !has_result || returns_pointer {
        return None;
    }
    let effects = Effects::of(program, function)?;
    if has_arrays && effects.compares_pointers {
        return None;
    }
    let is_array = |&&l: &&LocalId| linear::integer_behind(types, code.local(l).ty).is_some();
    let is_one = code.params.iter().filter(is_array).count() == 1;
    Some(Described {
        entry,
        exit,
        writes_data: effects.writes_data,
        has_arrays,
        copies: is_one && effects.seen.iter().all(|&f| copies(program.function(f))),
    })
}

/// Whether a function writes to memory only what it read there.
fn copies(function: &Function) -> bool {
    let is_register = |l: &idiolect_ir::Local| matches!(l.storage, LocalStorage::Register(_));
    if !function.locals.iter().all(is_register) {
        return false;
    }
    let mut is_read = vec![true; function.locals.len()];
    for &p in &function.params {
        is_read[p.index()] = false;
    }
    let of = |is_read: &[bool], e: ExprId| match function.expr(e).kind {
        ExprKind::Load { .. } => true,
        ExprKind::Local(l) => is_read[l.index()],
        _ => false,
    };
    let stmts = || function.blocks.iter().flat_map(|b| &b.stmts);
    loop {
        let before = is_read.clone();
        for stmt in stmts() {
            match &stmt.kind {
                StmtKind::Assign {
                    place: Place::Local(l),
                    value,
                } => is_read[l.index()] &= of(&before, *value),
                StmtKind::Havoc {
                    place: Place::Local(l),
                    ..
                }
                | StmtKind::Call {
                    dest: Some(Place::Local(l)),
                    ..
                } => is_read[l.index()] = false,
                _ => {}
            }
        }
        if is_read == before {
            break;
        }
    }
    stmts().all(|s| match &s.kind {
        StmtKind::Assign {
            place: Place::Memory { .. },
            value,
        } => of(&is_read, *value),
        StmtKind::Havoc { place, .. } => matches!(place, Place::Local(_)),
        StmtKind::Call { dest, .. } => !matches!(dest, Some(Place::Memory { .. })),
        _ => true,
    })
}

/// Whether cells of this type have nothing but integers and the pointer to the next one.
fn is_plain(types: &Types, record: RecordId) -> bool {
    let Some(layout) = &types.record(record).layout else {
        return false;
    };
    layout.fields.iter().all(|f| {
        let is_next = match types.get(f.ty) {
            CType::Pointer(to) => *types.get(*to) == CType::Record(record),
            _ => false,
        };
        f.name.is_some() && f.bits.is_none() && (is_next || linear::integer(types, f.ty).is_some())
    })
}

/// The record of the list that a variable of a point points into.
pub(super) fn record_of(point: &Point, variable: usize) -> Option<RecordId> {
    match (point.variables[variable].role, &point.structures[..]) {
        (Role::Pointer { structure }, structures) => match &structures[structure] {
            idiolect_quantified::point::Structure::List(list) => Some(list.record),
            idiolect_quantified::point::Structure::Array(_) => None,
        },
        _ => None,
    }
}

/// What a function, and what it calls, may do to memory.
#[derive(Default)]
struct Effects {
    seen: Vec<FuncId>,
    writes_data: bool,
    /// Two pointers neither of which is null.
    compares_pointers: bool,
}

impl Effects {
    /// Nothing if it may do more than link cells anew and change their data.
    fn of(program: &Program, function: FuncId) -> Option<Self> {
        let mut effects = Effects::default();
        effects.look_at(program, function)?;
        Some(effects)
    }

    fn look_at(&mut self, program: &Program, id: FuncId) -> Option<()> {
        if self.seen.contains(&id) {
            return Some(());
        }
        self.seen.push(id);
        let function = program.function(id);
        if function.origin != FunctionOrigin::User || function.variadic {
            return None;
        }
        for e in &function.exprs {
            match e.kind {
                ExprKind::GlobalAddress(g) if program.global(g).read_only => {}
                ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => return None,
                ExprKind::Convert(ConvertOp::IntToPtr | ConvertOp::PtrToInt, _) => return None,
                ExprKind::Binary(_, a, b) => {
                    let is_pointer = |e: ExprId| {
                        let e = function.expr(e);
                        e.ty == Ty::Ptr && !matches!(e.kind, ExprKind::Const(_))
                    };
                    self.compares_pointers |= is_pointer(a) && is_pointer(b);
                }
                _ => {}
            }
        }
        for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
            match &stmt.kind {
                StmtKind::Assign { place, .. } => self.write(*place)?,
                StmtKind::Havoc { place, .. } => match place {
                    Place::Memory { ty: Ty::Ptr, .. } => return None,
                    _ => self.write(*place)?,
                },
                StmtKind::Call {
                    dest,
                    callee: Callee::Function(other),
                    ..
                } => {
                    if let Some(place) = dest {
                        self.write(*place)?;
                    }
                    self.look_at(program, *other)?;
                }
                StmtKind::Call { .. } | StmtKind::Copy { .. } | StmtKind::Zero { .. } => {
                    return None;
                }
                StmtKind::Declare { size, .. } => {
                    if size.is_some() {
                        return None;
                    }
                }
                StmtKind::End { .. } | StmtKind::Assume { .. } | StmtKind::Mark { .. } => {}
            }
        }
        Some(())
    }

    fn write(&mut self, place: Place) -> Option<()> {
        match place {
            Place::Local(_) | Place::Memory { ty: Ty::Ptr, .. } => {}
            Place::Memory { ty: Ty::Int(_), .. } => self.writes_data = true,
            Place::Memory { .. } | Place::Bits { .. } => return None,
        }
        Some(())
    }
}

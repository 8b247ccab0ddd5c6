//! Which parameter or expression bounds which pointer, as the code's accesses and comparisons say.
//!
//! An array is as long as what its subscripts are compared with. Where that is no parameter, the function gets one
//! more that no caller passes and no code reads: `n + m` for an array that is filled from two others, `size(s)` for a
//! string, whose last byte is its first nul. What it is, is assumed at the entry ([`definitions`]), and it is a number
//! like others for runs, formulas and proofs.

use crate::pointers;
use crate::proof::modified;
use crate::records;
use idiolect_ir::ctype::{CType, FunctionType, IntKind};
use idiolect_ir::{
    BinaryOp, Callee, ExprId, ExprKind, FuncId, Function, Local, LocalId, LocalKind, LocalStorage,
    Place, Program, StmtKind, Ty, TypeId,
};
use idiolect_quantified::formula::{
    Arrangement, Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Linear, Orders,
    Relation, Sum, Term,
};
use idiolect_quantified::linear;
use idiolect_quantified::point::{Binding, Point, PointKind, Role};

/// What the subscripts of the array that a parameter points to are compared with, or come from: the positions of
/// integer parameters, ascending.
pub fn bounds(function: &Function, array: LocalId) -> Vec<usize> {
    let counts = subscripts(function, array);
    let is_count = |e: ExprId| {
        let mut found = false;
        locals(function, e, &mut |l| found |= counts.contains(&l));
        found
    };
    let mut found = Vec::new();
    // What changes is a position and no length.
    let modified = modified(function);
    let mut add = |l: LocalId| {
        let position = function.params.iter().position(|&p| p == l);
        let position = position.filter(|_| !modified[l.index()]);
        let is_integer = matches!(
            function.local(l).storage,
            LocalStorage::Register(Ty::Int(_))
        );
        if let (Some(position), true) = (position.filter(|p| !found.contains(p)), is_integer) {
            found.push(position);
        }
    };
    counts.iter().for_each(|&l| add(l));
    for e in &function.exprs {
        if let ExprKind::Binary(op, left, right) = e.kind
            && op.is_comparison()
            && !reads_memory(function, left)
            && !reads_memory(function, right)
        {
            for (one, other) in [(left, right), (right, left)] {
                if is_count(one) {
                    locals(function, other, &mut add);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

fn reads_memory(function: &Function, expr: ExprId) -> bool {
    idiolect_ir::transform::reads_memory(function, expr)
}

fn locals(function: &Function, expr: ExprId, f: &mut impl FnMut(LocalId)) {
    if let ExprKind::Local(l) = function.expr(expr).kind {
        f(l);
    }
    let mut operands = Vec::new();
    (function.expr(expr).kind).for_each_operand(|e| operands.push(e));
    operands.into_iter().for_each(|e| locals(function, e, f));
}

/// The variables in subscripts of an array, and those that they get their values from.
fn subscripts(function: &Function, array: LocalId) -> Vec<LocalId> {
    let mut found: Vec<LocalId> = Vec::new();
    for e in &function.exprs {
        if let ExprKind::PtrAdd { base, index, .. } = e.kind
            && function.expr(base).kind == ExprKind::Local(array)
            && !reads_memory(function, index)
        {
            locals(function, index, &mut |l| {
                if !found.contains(&l) {
                    found.push(l);
                }
            });
        }
    }
    let mut next = 0;
    while next < found.len() {
        let to = found[next];
        next += 1;
        for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Assign {
                place: Place::Local(l),
                value,
            } = stmt.kind
                && l == to
                && !reads_memory(function, value)
            {
                locals(function, value, &mut |l| {
                    if !found.contains(&l) {
                        found.push(l);
                    }
                });
            }
        }
    }
    found
}

/// What a parameter that was added stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Added {
    /// The sum of two others, by position.
    Total(usize, usize),
    /// The size of a string, nul included, by the position of the pointer.
    Size(usize),
}

/// What the parameter of this name stands for, if it was added.
pub fn added(function: &Function, name: &str) -> Option<Added> {
    let position = |name: &str| {
        let is_it = |&p: &LocalId| function.local(p).name == name;
        function.params.iter().position(is_it)
    };
    if let Some((left, right)) = name.split_once(" + ") {
        return Some(Added::Total(position(left)?, position(right)?));
    }
    let string = name.strip_prefix("size(")?.strip_suffix(')')?;
    position(string).map(Added::Size)
}

/// The parameter that was added for the length of an array, by position.
pub fn added_length(function: &Function, array: usize) -> Option<usize> {
    let own = bounds(function, function.params[array]);
    let is_length = |p: &usize| match added(function, &function.local(function.params[*p]).name) {
        Some(Added::Size(of)) => of == array || shares_subscript(function, of, array),
        Some(Added::Total(..)) => own.is_empty(),
        None => false,
    };
    (0..function.params.len()).find(|p| own.is_empty() && is_length(p))
}

fn shares_subscript(function: &Function, one: usize, other: usize) -> bool {
    let theirs = subscripts(function, function.params[one]);
    let mut own = subscripts(function, function.params[other]).into_iter();
    own.any(|l| theirs.contains(&l))
}

/// The program with the function as it is looked at, if that is another one: members of records are parameters, copies of pointer parameters stand for
/// the parameters themselves, and there are parameters for what bounds arrays.
pub fn shaped(program: &Program, id: FuncId) -> Option<Program> {
    let with = |program: &Program, function: Function| {
        let mut program = program.clone();
        program.functions[id.index()] = function;
        program
    };
    let opened = records::opened(program, id);
    let program = opened.as_ref().unwrap_or(program);
    let plain = without_copies(program.function(id)).map(|f| with(program, f));
    let counting = pointers::counting(plain.as_ref().unwrap_or(program), id);
    let is_same = opened.is_none() && plain.is_none() && counting.is_none();
    let program = counting.as_ref().or(plain.as_ref()).unwrap_or(program);
    let lengths = added_parameters(program, id, program.function(id));
    if is_same && lengths.is_empty() {
        return None;
    }
    let mut program = program.clone();
    let mut function = program.function(id).clone();
    for (name, ty) in lengths {
        let ty = ty.unwrap_or_else(|| program.types.int(IntKind::Int));
        add(&mut function, &mut program.types, name, ty);
    }
    program.functions[id.index()] = function;
    pad_calls(&mut program, id);
    Some(program)
}

/// The function where a temporary that only ever is a pointer parameter, which never changes, is that parameter.
fn without_copies(function: &Function) -> Option<Function> {
    let modified = modified(function);
    let mut values: Vec<Vec<Option<LocalId>>> = vec![Vec::new(); function.locals.len()];
    for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
        match stmt.kind {
            StmtKind::Assign {
                place: Place::Local(to),
                value,
            } => values[to.index()].push(match function.expr(value).kind {
                ExprKind::Local(p) if function.params.contains(&p) && !modified[p.index()] => {
                    Some(p)
                }
                _ => None,
            }),
            StmtKind::Havoc {
                place: Place::Local(to),
                ..
            }
            | StmtKind::Call {
                dest: Some(Place::Local(to)),
                ..
            } => values[to.index()].push(None),
            _ => {}
        }
    }
    let same = |l: LocalId| {
        let local = function.local(l);
        let is_copy =
            local.kind == LocalKind::Temporary && local.storage == LocalStorage::Register(Ty::Ptr);
        match values[l.index()][..] {
            [Some(p)] if is_copy => Some(p),
            _ => None,
        }
    };
    let mut new = function.clone();
    let mut is_changed = false;
    for e in &mut new.exprs {
        if let ExprKind::Local(l) = e.kind
            && let Some(p) = same(l)
        {
            e.kind = ExprKind::Local(p);
            is_changed = true;
        }
    }
    is_changed.then_some(new)
}

/// Names and types of the parameters that are needed for the bounds of arrays; `int` if nothing else is said.
fn added_parameters(
    program: &Program,
    id: FuncId,
    function: &Function,
) -> Vec<(String, Option<TypeId>)> {
    if calls(function, id) {
        return Vec::new();
    }
    let types = &program.types;
    let mut unbounded = Vec::new();
    let mut lengths: Vec<usize> = Vec::new();
    for (i, &p) in function.params.iter().enumerate() {
        let ty = function.local(p).ty;
        let is_array = linear::element_behind(types, ty).is_some()
            && !matches!(linear::list_behind(types, ty), Some(Ok(_)));
        if !is_array || subscripts(function, p).is_empty() {
            continue;
        }
        match bounds(function, p)[..] {
            [] => unbounded.push(i),
            [one] => lengths.push(one),
            _ => return Vec::new(),
        }
    }
    lengths.sort_unstable();
    lengths.dedup();
    let name = |i: usize| function.local(function.params[i]).name.clone();
    let strings: Vec<usize> = (unbounded.iter().copied())
        .filter(|&i| is_string(program, function, function.params[i]))
        .collect();
    match (&unbounded[..], &strings[..], &lengths[..]) {
        ([], ..) => Vec::new(),
        (_, [], &[n, m]) => {
            let ty = |i: usize| function.local(function.params[i]).ty;
            if ty(n) == ty(m) {
                vec![(format!("{} + {}", name(n), name(m)), Some(ty(n)))]
            } else {
                Vec::new()
            }
        }
        (_, strings, _) => {
            let one = |&i: &usize| (format!("size({})", name(i)), None);
            strings.iter().map(one).collect()
        }
    }
}

fn calls(function: &Function, id: FuncId) -> bool {
    let stmts = function.blocks.iter().flat_map(|b| &b.stmts);
    stmts
        .into_iter()
        .any(|s| matches!(s.kind, StmtKind::Call { callee: Callee::Function(f), .. } if f == id))
}

/// Whether a pointer leads to bytes that are compared with 0.
fn is_string(program: &Program, function: &Function, array: LocalId) -> bool {
    let is_byte = linear::integer_behind(&program.types, function.local(array).ty)
        .is_some_and(|(ty, _)| ty == Ty::Int(8));
    is_byte
        && function.exprs.iter().any(|e| match e.kind {
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                let is_zero = |e: ExprId| function.expr(e).kind == ExprKind::Const(0);
                is_zero(left) && is_read_of(function, right, array)
                    || is_zero(right) && is_read_of(function, left, array)
            }
            _ => false,
        })
}

fn is_read_of(function: &Function, expr: ExprId, array: LocalId) -> bool {
    match function.expr(expr).kind {
        ExprKind::Convert(_, inner) => is_read_of(function, inner, array),
        ExprKind::Load { address } => match function.expr(address).kind {
            ExprKind::PtrAdd { base, .. } => function.expr(base).kind == ExprKind::Local(array),
            _ => false,
        },
        _ => false,
    }
}

/// Gives a function one more parameter.
pub fn add(
    function: &mut Function,
    types: &mut idiolect_ir::Types,
    name: String,
    ty: TypeId,
) -> LocalId {
    let span = function.span;
    function.locals.push(Local {
        name,
        ty,
        kind: LocalKind::Parameter,
        storage: LocalStorage::Register(types.scalar(ty).unwrap_or(Ty::Int(32))),
        span,
        scope: span,
    });
    let new = LocalId::new(function.locals.len() - 1);
    function.params.push(new);
    if let CType::Function(old) = types.get(function.ty).clone() {
        let mut params = old.params.clone();
        params.push(ty);
        function.ty = types.intern(CType::Function(FunctionType {
            params,
            prototype: true,
            ..old
        }));
    }
    new
}

/// Calls of a function that has got more parameters pass 0 for them: nobody runs these calls.
pub fn pad_calls(program: &mut Program, id: FuncId) {
    let callee = program.function(id);
    let types: Vec<Ty> = (callee.params.iter())
        .map(|&p| match callee.local(p).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        })
        .collect();
    for function in &mut program.functions {
        let span = function.span;
        for block in &mut function.blocks {
            for stmt in &mut block.stmts {
                let StmtKind::Call {
                    callee: Callee::Function(f),
                    args,
                    ..
                } = &mut stmt.kind
                else {
                    continue;
                };
                while *f == id && args.len() < types.len() {
                    let kind = ExprKind::Const(0);
                    let ty = types[args.len()];
                    function.exprs.push(idiolect_ir::Expr { kind, ty, span });
                    args.push(ExprId::new(function.exprs.len() - 1));
                }
            }
        }
    }
}

/// Calls of a function whose parameters or result are other ones pass 0 where types do not fit, and drop the result:
/// nobody runs these calls.
pub fn retype_calls(program: &mut Program, id: FuncId) {
    let callee = program.function(id);
    let types: Vec<TypeId> = callee.params.iter().map(|&p| callee.local(p).ty).collect();
    let types: Vec<Option<Ty>> = types.iter().map(|&t| program.types.scalar(t)).collect();
    let ret = callee.ret;
    for function in &mut program.functions {
        let span = function.span;
        for stmt in function.blocks.iter_mut().flat_map(|b| &mut b.stmts) {
            let StmtKind::Call {
                callee: Callee::Function(f),
                args,
                dest,
            } = &mut stmt.kind
            else {
                continue;
            };
            if *f != id {
                continue;
            }
            for (arg, ty) in args.iter_mut().zip(&types) {
                if let Some(ty) = *ty
                    && function.exprs[arg.index()].ty != ty
                {
                    let kind = ExprKind::Const(0);
                    function.exprs.push(idiolect_ir::Expr { kind, ty, span });
                    *arg = ExprId::new(function.exprs.len() - 1);
                }
            }
            let is_same = match *dest {
                Some(Place::Local(l)) => match function.locals[l.index()].storage {
                    LocalStorage::Register(ty) => ret == Some(ty),
                    _ => false,
                },
                Some(Place::Memory { ty, .. }) => ret == Some(ty),
                Some(Place::Bits { .. }) => false,
                None => true,
            };
            if !is_same {
                *dest = None;
            }
        }
    }
}

/// What holds at a point of the parameters that were added: it is assumed at the entry, and kept as long as nothing
/// writes to the strings.
pub fn definitions(program: &Program, point: &Point) -> Vec<Conjunct> {
    let function = program.function(point.function);
    let modified = modified(function);
    let of = |position: usize| {
        let local = function.params[position];
        let wanted = if modified[local.index()] && point.kind != PointKind::Entry {
            Binding::AtEntry(local)
        } else {
            Binding::Local(local)
        };
        point.variables.iter().position(|v| v.binding == wanted)
    };
    let mut found = Vec::new();
    for (position, &local) in function.params.iter().enumerate() {
        match added(function, &function.local(local).name) {
            Some(Added::Total(n, m)) => {
                if let (Some(total), Some(n), Some(m)) = (of(position), of(n), of(m)) {
                    let sum = Sum {
                        plus: [n, m],
                        minus: None,
                        constant: 0,
                    };
                    found.push(one(
                        Vec::new(),
                        vec![Comparison {
                            left: DataTerm::Variable(total),
                            orders: Orders::EQUAL,
                            right: DataTerm::Sum(sum),
                        }],
                    ));
                }
            }
            Some(Added::Size(string)) => {
                let base = of(string).map(|v| point.variables[v].role);
                let is_kept = point.kind == PointKind::Entry
                    || !is_written(function, function.params[string]);
                if let (Some(Role::Base { structure, field }), true) = (base, is_kept) {
                    found.extend(string_of(structure, field));
                }
            }
            None => {}
        }
    }
    found
}

/// Whether the function may write behind a pointer.
fn is_written(function: &Function, array: LocalId) -> bool {
    let stmts = function.blocks.iter().flat_map(|b| &b.stmts);
    stmts.into_iter().any(|s| match s.kind {
        StmtKind::Assign {
            place: Place::Memory { address, .. },
            ..
        } => match function.expr(address).kind {
            ExprKind::PtrAdd { base, .. } => match function.expr(base).kind {
                ExprKind::Local(l) => l == array || !function.params.contains(&l),
                _ => true,
            },
            _ => true,
        },
        StmtKind::Assign { .. } | StmtKind::Assume { .. } | StmtKind::Mark { .. } => false,
        _ => true,
    })
}

fn one(constraints: Vec<Constraint>, comparisons: Vec<Comparison>) -> Conjunct {
    Conjunct::OneOf(vec![Arrangement {
        constraints,
        comparisons,
    }])
}

/// The last element is nul, and no other one.
fn string_of(structure: usize, field: usize) -> Vec<Conjunct> {
    let at = |cell: Term, orders: Orders| Comparison {
        left: DataTerm::At {
            structure,
            cell,
            field,
        },
        orders,
        right: DataTerm::Constant(0),
    };
    let constraint = |left, relation, right| Constraint {
        left,
        relation,
        right,
    };
    let last = Term::Linear(Linear {
        size: Some(structure),
        constant: -1,
        ..Linear::default()
    });
    vec![
        one(
            vec![constraint(
                Term::Zero,
                Relation::Less,
                Term::Size(structure),
            )],
            vec![at(last, Orders::EQUAL)],
        ),
        Conjunct::ForAll(ForAll {
            over: vec![structure],
            guard: vec![constraint(Term::Quantified(0), Relation::Less, last)],
            conclusion: Conclusion::All(vec![at(Term::Quantified(0), Orders::UNEQUAL)]),
        }),
    ]
}

//! Whether something that a function found is there: `∃ y. a[y] = m`.
//!
//! A ghost is the place of the element that was read last, and each variable that may be such a find has one that is
//! what this was when the variable was assigned. That the place is in range and its element is the find is the
//! existence, with a witness.

use super::ghost::{self, Copy};
use super::{Attempt, FunctionalFact, FunctionalFactKind, array_of, comparison, index, name_of};
use idiolect_invariants::proof::modified;
use idiolect_invariants::session::Outcome;
use idiolect_ir::transform::reads_memory;
use idiolect_ir::{
    BlockId, ExprId, ExprKind, FuncId, Function, LocalId, LocalKind, LocalStorage, Place, Program,
    StmtKind, Ty,
};
use idiolect_quantified::formula::{
    Arrangement, Conjunct, Constraint, DataTerm, Orders, Relation, Term,
};
use idiolect_quantified::point::{Binding, Point, PointKind, Role, Variable};

/// At most so many variables are looked at.
const MAX_FINDS: usize = 4;

/// For each array that is read, the variables that may be a find.
pub(super) fn attempts(program: &Program, outcome: &Outcome) -> Vec<Attempt> {
    let function = program.function(outcome.function);
    let modified = modified(function);
    let mut arrays = Vec::new();
    for block in &function.blocks {
        let mut look = |e: ExprId| {
            let read = ghost::loads(function, &modified, e);
            arrays.extend(read.into_iter().map(|(_, e)| e.array));
        };
        block
            .stmts
            .iter()
            .for_each(|s| s.kind.for_each_expr(&mut look));
        block.terminator.kind.expr().into_iter().for_each(&mut look);
    }
    arrays.sort_unstable();
    arrays.dedup();
    let mut found = Vec::new();
    for array in arrays {
        for find in finds(function, &modified, array)
            .into_iter()
            .take(MAX_FINDS)
        {
            found.extend(attempt(program, outcome, array, find, &modified));
        }
    }
    found.extend(written(program, outcome, &modified));
    found
}

/// Whether a parameter was put into an array: the witness is the place that was written last.
fn written(program: &Program, outcome: &Outcome, modified: &[bool]) -> Vec<Attempt> {
    let function = program.function(outcome.function);
    let stores = ghost::stores(function, modified).unwrap_or_default();
    let mut arrays: Vec<LocalId> = stores.iter().map(|s| s.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let one = |a| stored(program, outcome, a, &stores, modified);
    arrays.into_iter().filter_map(one).collect()
}

fn stored(
    program: &Program,
    outcome: &Outcome,
    array: LocalId,
    stores: &[ghost::Store],
    modified: &[bool],
) -> Option<Attempt> {
    let mut copy = Copy::new(program, outcome.function)?;
    let long = copy.long;
    let witness = copy.ghost("%witness", long, -1);
    for store in stores.iter().filter(|s| s.array == array) {
        let element = ghost::element(&copy.function, modified, store.address)?;
        remember(
            &mut copy,
            store.at,
            witness,
            array,
            &[(store.address, element)],
        );
    }
    let mut points: Vec<Point> = outcome.points.iter().map(|p| p.point.clone()).collect();
    let mut candidates = vec![Vec::new(); points.len()];
    let mut goals = Vec::new();
    for (p, point) in points.iter_mut().enumerate() {
        let Some((structure, field)) = array_of(point, array) else {
            continue;
        };
        if point.kind != PointKind::Exit {
            continue;
        }
        let w = point.variables.len();
        point
            .variables
            .push(index(witness, "%witness", long, structure));
        let is_result = |v: &Variable| v.binding == Binding::Result && v.role == Role::Scalar;
        let result = point.variables.iter().position(is_result);
        for s in parameters(program, point, structure, field, w) {
            let of = exists(w, structure, field, DataTerm::Variable(s));
            let mut said = vec![
                (vec![of.clone()], Said::Plain(s)),
                (vec![of.clone(), empty(structure)], Said::IfAny(s)),
            ];
            said.extend(result.map(|v| (vec![of, is_zero(v)], Said::IfSet(v, s))));
            for (parts, what) in said {
                let kind = what.fact(point, (structure, field));
                goals.push(((p, candidates[p].len()), FunctionalFact { kind, at: p }));
                candidates[p].push(Conjunct::OneOf(parts));
            }
        }
    }
    Attempt::with_goals(copy.finish(), points, candidates, goals, Vec::new())
}

/// Variables that are given an element, or a constant behind the first block (flags).
fn finds(function: &Function, modified: &[bool], array: LocalId) -> Vec<LocalId> {
    let mut found = Vec::new();
    for block in function.block_ids() {
        for stmt in &function.block(block).stmts {
            let StmtKind::Assign {
                place: Place::Local(local),
                value,
            } = stmt.kind
            else {
                continue;
            };
            let info = function.local(local);
            let is_own = info.kind == LocalKind::Variable
                && matches!(info.storage, LocalStorage::Register(Ty::Int(2..=64)));
            let is_find = match function.expr(value).kind {
                ExprKind::Load { address } => {
                    ghost::element(function, modified, address).is_some_and(|e| e.array == array)
                }
                ExprKind::Const(bits) => bits != 0 && block != Function::ENTRY,
                _ => false,
            };
            if is_own && is_find && !found.contains(&local) {
                found.push(local);
            }
        }
    }
    found
}

fn attempt(
    program: &Program,
    outcome: &Outcome,
    array: LocalId,
    find: LocalId,
    modified: &[bool],
) -> Option<Attempt> {
    let id: FuncId = outcome.function;
    let function = program.function(id);
    let mut copy = Copy::new(program, id)?;
    let long = copy.long;
    let last = copy.ghost("%last", long, -1);
    let witness = copy.ghost("%witness", long, -1);
    for block in function.block_ids() {
        let code = function.block(block);
        for (i, stmt) in code.stmts.iter().enumerate() {
            let mut read = Vec::new();
            stmt.kind
                .for_each_expr(|e| read.extend(ghost::loads(function, modified, e)));
            remember(&mut copy, (block, i), last, array, &read);
            if let StmtKind::Assign {
                place: Place::Local(to),
                ..
            } = stmt.kind
                && to == find
            {
                let value = copy.read(last);
                copy.before((block, i + 1), witness, value);
            }
        }
        if let Some(e) = code.terminator.kind.expr() {
            let read = ghost::loads(function, modified, e);
            remember(&mut copy, (block, code.stmts.len()), last, array, &read);
        }
    }
    let mut points: Vec<Point> = outcome.points.iter().map(|p| p.point.clone()).collect();
    let mut candidates = vec![Vec::new(); points.len()];
    let mut goals = Vec::new();
    let mut loops = Vec::new();
    for (p, point) in points.iter_mut().enumerate() {
        let Some((structure, field)) = array_of(point, array) else {
            continue;
        };
        if point.kind == PointKind::Entry {
            continue;
        }
        let w = point.variables.len();
        point
            .variables
            .push(index(witness, "%witness", long, structure));
        let of = |v: usize| exists(w, structure, field, DataTerm::Variable(v));
        let is_find = |binding: Binding| match point.kind {
            PointKind::Exit => binding == Binding::Result,
            _ => binding == Binding::Local(find),
        };
        let mut said = Vec::new();
        if let Some(v) = (point.variables.iter()).position(|v| is_find(v.binding)) {
            said.push((vec![of(v)], Said::Plain(v)));
            said.push((vec![of(v), empty(structure)], Said::IfAny(v)));
            for s in parameters(program, point, structure, field, w) {
                said.push((vec![of(s), is_zero(v)], Said::IfSet(v, s)));
            }
        }
        for (parts, what) in said {
            let fact = FunctionalFact {
                kind: what.fact(point, (structure, field)),
                at: p,
            };
            let place = (p, candidates[p].len());
            match point.kind {
                PointKind::Exit => goals.push((place, fact)),
                _ => loops.push((place, fact)),
            }
            candidates[p].push(Conjunct::OneOf(parts));
        }
    }
    Attempt::with_goals(copy.finish(), points, candidates, goals, loops)
}

/// What is said of a find.
enum Said {
    Plain(usize),
    IfAny(usize),
    IfSet(usize, usize),
}

impl Said {
    fn fact(&self, point: &Point, (structure, field): (usize, usize)) -> FunctionalFactKind {
        let (value, unless) = match *self {
            Said::Plain(v) => (v, None),
            Said::IfAny(v) => (v, Some(super::Unless::Empty)),
            Said::IfSet(v, s) => (s, Some(super::Unless::Zero(name_of(point, v)))),
        };
        FunctionalFactKind::Exists {
            array: super::array_name(point, structure, field),
            size: super::size_name(point, structure),
            value: name_of(point, value),
            unless,
        }
    }
}

/// Puts the place that is read last into a ghost.
fn remember(
    copy: &mut Copy,
    at: (BlockId, usize),
    last: LocalId,
    array: LocalId,
    read: &[(ExprId, ghost::Element)],
) {
    let wide = copy.wide();
    for (_, element) in read.iter().filter(|(_, e)| e.array == array) {
        let index = match element.index {
            None => copy.constant(0, wide),
            // What may fault is not read before its time.
            Some(index)
                if reads_memory(&copy.function, index) || divides(&copy.function, index) =>
            {
                continue;
            }
            Some(index) if copy.function.expr(index).ty == wide => index,
            Some(_) => continue,
        };
        copy.before(at, last, index);
    }
}

fn divides(function: &Function, expr: ExprId) -> bool {
    use idiolect_ir::BinaryOp::{SDiv, SRem, UDiv, URem};
    let kind = &function.expr(expr).kind;
    let mut found = matches!(kind, ExprKind::Binary(SDiv | SRem | UDiv | URem, ..));
    kind.for_each_operand(|e| found |= divides(function, e));
    found
}

/// `0 ≤ w < n` and `a[w] = value`.
fn exists(w: usize, structure: usize, field: usize, value: DataTerm) -> Arrangement {
    let constraint = |left, relation, right| Constraint {
        left,
        relation,
        right,
    };
    Arrangement {
        constraints: vec![
            constraint(Term::Zero, Relation::AtMost, Term::Variable(w)),
            constraint(Term::Variable(w), Relation::Less, Term::Size(structure)),
        ],
        comparisons: vec![comparison(
            DataTerm::At {
                structure,
                cell: Term::Variable(w),
                field,
            },
            Orders::EQUAL,
            value,
        )],
    }
}

fn empty(structure: usize) -> Arrangement {
    Arrangement {
        constraints: vec![Constraint {
            left: Term::Size(structure),
            relation: Relation::AtMost,
            right: Term::Zero,
        }],
        comparisons: Vec::new(),
    }
}

fn is_zero(v: usize) -> Arrangement {
    Arrangement {
        constraints: Vec::new(),
        comparisons: vec![comparison(
            DataTerm::Variable(v),
            Orders::EQUAL,
            DataTerm::Constant(0),
        )],
    }
}

/// Parameters that are data like the elements.
fn parameters(
    program: &Program,
    point: &Point,
    structure: usize,
    field: usize,
    below: usize,
) -> Vec<usize> {
    let info = &point.structures[structure].fields()[field];
    let function = program.function(point.function);
    (0..below)
        .filter(|&v| {
            let variable = &point.variables[v];
            let is_parameter = match variable.binding {
                Binding::Local(l) | Binding::AtEntry(l) => function.params.contains(&l),
                _ => false,
            };
            is_parameter
                && variable.role == Role::Scalar
                && program.types.scalar(variable.ty) == Some(info.ty)
        })
        .collect()
}

//! Sums of elements, and how many of them satisfy a comparison.
//!
//! For a loop and an array that nothing writes to there are two ghosts: `k`, which is 0 at first and grows by one
//! with each round, and `g`, to which that round adds `a[k]`, or 1 if the comparison holds of it. So `g` is the sum
//! over the first `k` elements, whatever the loop does. If `k` is the loop's index and `g` its variable, the
//! variable is that sum; and if `k` is the number of elements at the exit, it is the sum of all.

use super::ghost::{self, Copy};
use super::{
    Attempt, FunctionalFact, FunctionalFactKind, Summand, array_of, comparison, index, name_of,
    scalar,
};
use idiolect_invariants::proof::modified;
use idiolect_invariants::session::Outcome;
use idiolect_ir::graph::{Cfg, Loop, Loops};
use idiolect_ir::{
    BinaryOp, BlockId, ExprId, ExprKind, Function, LocalId, LocalStorage, Place, Program, StmtKind,
    TerminatorKind, Ty, TypeId,
};
use idiolect_quantified::formula::{
    Arrangement, Conjunct, Constraint, DataTerm, Orders, Relation, Term,
};
use idiolect_quantified::point::{Binding, Point, PointKind, Role};

/// What a round adds.
#[derive(Clone, Copy, Debug)]
struct Addend {
    array: LocalId,
    /// The read of the element.
    load: ExprId,
    /// The element as it is added, or the comparison of which it is a part.
    whole: ExprId,
    is_comparison: bool,
    is_negated: bool,
}

pub(super) fn attempts(program: &Program, outcome: &Outcome) -> Vec<Attempt> {
    let function = program.function(outcome.function);
    let modified = modified(function);
    let Some(stores) = ghost::stores(function, &modified) else {
        return Vec::new();
    };
    let cfg = Cfg::new(function);
    let loops = Loops::new(&cfg);
    let mut found = Vec::new();
    for looping in loops.all().iter().filter(|l| l.depth == 1) {
        let ([head], [(latch, _)]) = (&looping.heads[..], &looping.back_edges[..]) else {
            continue;
        };
        let is_plain = matches!(function.block(*latch).terminator.kind, TerminatorKind::Goto(to) if to == *head);
        if !is_plain {
            continue;
        }
        let addends = addends(function, &modified, looping);
        for (sum, ty) in sums(function, looping) {
            let fits = |a: &&Addend| {
                let is_read_only = stores.iter().all(|s| s.array != a.array);
                let is_same =
                    a.is_comparison || Some(function.expr(a.whole).ty) == register(function, sum);
                is_read_only && is_same
            };
            for addend in addends.iter().filter(fits) {
                found.extend(attempt(program, outcome, (*head, *latch), sum, ty, addend));
            }
        }
    }
    found
}

fn register(function: &Function, local: LocalId) -> Option<Ty> {
    match function.local(local).storage {
        LocalStorage::Register(ty) => Some(ty),
        _ => None,
    }
}

/// Variables that grow in a loop.
fn sums(function: &Function, looping: &Loop) -> Vec<(LocalId, TypeId)> {
    let mut found = Vec::new();
    for &block in &looping.blocks {
        for stmt in &function.block(block).stmts {
            if let StmtKind::Assign {
                place: Place::Local(local),
                value,
            } = stmt.kind
                && let ExprKind::Binary(BinaryOp::Add { .. }, left, right) =
                    function.expr(value).kind
                && [left, right]
                    .iter()
                    .any(|&e| function.expr(e).kind == ExprKind::Local(local))
            {
                let ty = function.local(local).ty;
                if !found.contains(&(local, ty)) {
                    found.push((local, ty));
                }
            }
        }
    }
    found
}

/// What rounds may add: elements that are added to something, and comparisons of elements with what never changes.
fn addends(function: &Function, modified: &[bool], looping: &Loop) -> Vec<Addend> {
    let mut found: Vec<Addend> = Vec::new();
    for &block in &looping.blocks {
        let code = function.block(block);
        let mut look = |e: ExprId| walk(function, modified, e, &mut found);
        code.stmts
            .iter()
            .for_each(|s| s.kind.for_each_expr(&mut look));
        code.terminator.kind.expr().into_iter().for_each(&mut look);
    }
    found
}

fn walk(function: &Function, modified: &[bool], expr: ExprId, found: &mut Vec<Addend>) {
    let e = function.expr(expr);
    if let ExprKind::Binary(op, left, right) = e.kind {
        for (one, other) in [(left, right), (right, left)] {
            let Some((load, array)) = converted_load(function, modified, one) else {
                continue;
            };
            let is_constant = match function.expr(other).kind {
                ExprKind::Const(_) => true,
                ExprKind::Local(l) => function.params.contains(&l) && !modified[l.index()],
                _ => false,
            };
            let whole = match op {
                BinaryOp::Add { .. } => one,
                _ if op.is_comparison() && is_constant => expr,
                _ => continue,
            };
            let is_comparison = op.is_comparison();
            for is_negated in [false, true] {
                if !is_negated || is_comparison {
                    found.push(Addend {
                        array,
                        load,
                        whole,
                        is_comparison,
                        is_negated,
                    });
                }
            }
        }
    }
    e.kind
        .for_each_operand(|o| walk(function, modified, o, found));
}

/// A read of an element, perhaps converted.
fn converted_load(
    function: &Function,
    modified: &[bool],
    expr: ExprId,
) -> Option<(ExprId, LocalId)> {
    match function.expr(expr).kind {
        ExprKind::Convert(_, inner) => converted_load(function, modified, inner),
        ExprKind::Load { address } => {
            let element = ghost::element(function, modified, address)?;
            element.index.map(|_| (expr, element.array))
        }
        _ => None,
    }
}

fn attempt(
    program: &Program,
    outcome: &Outcome,
    (head, latch): (BlockId, BlockId),
    sum: LocalId,
    ty: TypeId,
    addend: &Addend,
) -> Option<Attempt> {
    let mut copy = Copy::new(program, outcome.function)?;
    let long = copy.long;
    let number = register(&copy.function, sum)?;
    let count = copy.ghost("%count", long, 0);
    let total = copy.ghost("%total", ty, 0);
    let at = (latch, copy.function.block(latch).stmts.len());
    let k = copy.read(count);
    let element = again(&mut copy, addend.whole, addend.load, k);
    let added = if !addend.is_comparison {
        element
    } else {
        let holds = if !addend.is_negated {
            element
        } else {
            copy.expr(
                ExprKind::Unary(idiolect_ir::UnaryOp::Not, element),
                Ty::BOOL,
            )
        };
        copy.as_number(holds, number)
    };
    let wraps = BinaryOp::Add { signed: false };
    let before = copy.read(total);
    let after = copy.binary(wraps, before, added);
    copy.before(at, total, after);
    let wide = copy.wide();
    let one = copy.constant(1, wide);
    let next = copy.binary(wraps, k, one);
    copy.before(at, count, next);
    let mut points: Vec<Point> = outcome.points.iter().map(|p| p.point.clone()).collect();
    let mut candidates = vec![Vec::new(); points.len()];
    let (mut goals, mut loops) = (Vec::new(), Vec::new());
    for (p, point) in points.iter_mut().enumerate() {
        let Some((structure, field)) = array_of(point, addend.array) else {
            continue;
        };
        if point.kind == PointKind::Entry {
            continue;
        }
        let signed = program.types.is_signed(ty);
        let k = point.variables.len();
        point
            .variables
            .push(index(count, "%count", long, structure));
        point.variables.push(scalar(total, "%total", ty, signed));
        let is_sum = |binding: Binding| match point.kind {
            PointKind::Exit => binding == Binding::Result,
            _ => binding == Binding::Local(sum),
        };
        let variable = (point.variables.iter()).position(|v| is_sum(v.binding));
        // The comparison of two numbers of different types is one of whole numbers.
        let is_same_type = |v: &usize| program.types.scalar(point.variables[*v].ty) == Some(number);
        let variable = variable.filter(is_same_type);
        let ends = if point.kind == PointKind::Loop && point.block == head {
            (0..k)
                .filter(|&v| matches!(point.variables[v].role, Role::Index { .. }))
                .map(Term::Variable)
                .collect()
        } else {
            vec![Term::Size(structure)]
        };
        for end in ends {
            let is_end = Constraint {
                left: Term::Variable(k),
                relation: Relation::Same,
                right: end,
            };
            let equal = variable.map(|v| {
                comparison(
                    DataTerm::Variable(v),
                    Orders::EQUAL,
                    DataTerm::Variable(k + 1),
                )
            });
            if let (Some(v), Some(summand)) = (
                variable,
                summand(program, outcome, point, field, structure, addend),
            ) {
                let to = match end {
                    Term::Variable(i) => name_of(point, i),
                    _ => super::size_name(point, structure),
                };
                let kind = FunctionalFactKind::Total {
                    array: super::array_name(point, structure, field),
                    to,
                    value: name_of(point, v),
                    summand,
                    element: super::element_name(program, point, addend.array)?,
                    wraps: match (addend.is_comparison, number) {
                        (false, Ty::Int(bits)) => Some((bits, program.types.name(ty))),
                        _ => None,
                    },
                };
                let place = (p, candidates[p].len());
                let fact = FunctionalFact { kind, at: p };
                match point.kind {
                    PointKind::Exit => goals.push((place, fact)),
                    _ => loops.push((place, fact)),
                }
            }
            candidates[p].push(Conjunct::OneOf(vec![Arrangement {
                constraints: vec![is_end],
                comparisons: equal.into_iter().collect(),
            }]));
        }
    }
    Attempt::with_goals(copy.finish(), points, candidates, goals, loops)
}

/// What is added, for people.
fn summand(
    program: &Program,
    outcome: &Outcome,
    point: &Point,
    field: usize,
    structure: usize,
    addend: &Addend,
) -> Option<Summand> {
    let function = program.function(outcome.function);
    if !addend.is_comparison {
        return Some(Summand::Element);
    }
    let ExprKind::Binary(op, left, right) = function.expr(addend.whole).kind else {
        return None;
    };
    let is_left = contains(function, left, addend.load);
    let other = if is_left { right } else { left };
    let info = &point.structures[structure].fields()[field];
    let mut other_signed = None;
    let other = match function.expr(other).kind {
        ExprKind::Const(bits) => {
            let Ty::Int(width @ 1..=64) = function.expr(other).ty else {
                return None;
            };
            let shift = 64 - u32::from(width);
            let value = if info.signed || function.expr(left).ty != info.ty {
                ((bits as u64) << shift) as i64 >> shift
            } else {
                bits as i64
            };
            value.to_string()
        }
        ExprKind::Local(l) => {
            other_signed = Some(program.types.is_signed(function.local(l).ty));
            let same = |b: Binding| b == Binding::Local(l) || b == Binding::AtEntry(l);
            name_of(point, point.variables.iter().position(|v| same(v.binding))?)
        }
        _ => return None,
    };
    let orders = match (op, is_left) {
        (BinaryOp::Eq, _) => Orders::EQUAL,
        (BinaryOp::Ne, _) => Orders::UNEQUAL,
        (BinaryOp::SLt | BinaryOp::ULt, true) => Orders::LESS,
        (BinaryOp::SLt | BinaryOp::ULt, false) => Orders::GREATER,
        (BinaryOp::SLe | BinaryOp::ULe, true) => Orders::AT_MOST,
        (BinaryOp::SLe | BinaryOp::ULe, false) => Orders::AT_LEAST,
        _ => return None,
    };
    // Comparisons of C's types mean those of mathematics only where signs agree.
    let is_widened = function.expr(left).ty != info.ty;
    let is_signed = match op {
        BinaryOp::SLt | BinaryOp::SLe => true,
        BinaryOp::ULt | BinaryOp::ULe => false,
        _ => is_widened || info.signed,
    };
    if is_signed != (is_widened || info.signed) || other_signed.is_some_and(|s| s != is_signed) {
        return None;
    }
    let orders = if addend.is_negated {
        Orders(7 & !orders.0)
    } else {
        orders
    };
    Some(Summand::If { orders, other })
}

fn contains(function: &Function, expr: ExprId, part: ExprId) -> bool {
    let mut found = expr == part;
    function
        .expr(expr)
        .kind
        .for_each_operand(|e| found |= contains(function, e, part));
    found
}

/// The expression with another index in place of the one of the read.
fn again(copy: &mut Copy, expr: ExprId, load: ExprId, index: ExprId) -> ExprId {
    let mut e = copy.function.expr(expr).clone();
    if expr == load {
        if let ExprKind::Load { address } = e.kind
            && let ExprKind::PtrAdd { base, scale, .. } = copy.function.expr(address).kind
        {
            let address = copy.expr(ExprKind::PtrAdd { base, index, scale }, Ty::Ptr);
            return copy.expr(ExprKind::Load { address }, e.ty);
        }
        return expr;
    }
    let mut operands = Vec::new();
    e.kind.for_each_operand(|o| operands.push(o));
    let mut new: Vec<ExprId> = operands
        .into_iter()
        .map(|o| again(copy, o, load, index))
        .collect();
    new.reverse();
    e.kind.for_each_operand_mut(|o| {
        if let Some(n) = new.pop() {
            *o = n;
        }
    });
    copy.expr(e.kind, e.ty)
}

//! Whether a function leaves an array with the elements that it had, in whatever order.
//!
//! A parameter `v` takes any value, and a ghost counts by how much more often `v` is an element now than when the
//! function was entered: each store takes away what it overwrites and adds what it writes. If the difference is 0 at
//! the exit whatever `v` is, the array is a permutation of what it was. The ghost has 32 bits, and no array has
//! 2^31 elements.
//!
//! While an element is kept in a variable `t` and its place `a[e]` has a copy of another one, the difference is
//! `[a[e] = v] - [t = v]`: that is what loops that shift elements say.

use super::ghost::{self, Copy};
use super::{Attempt, FunctionalFact, FunctionalFactKind, array_of, comparison, scalar};
use idiolect_invariants::proof::modified;
use idiolect_invariants::session::Outcome;
use idiolect_ir::{BinaryOp, FuncId, LocalId, Program, Ty};
use idiolect_quantified::formula::{Arrangement, Conjunct, DataTerm, Linear, Orders, Term};
use idiolect_quantified::point::{Point, PointKind, Role};

/// One attempt for each array that the function writes to.
pub(super) fn attempts(program: &Program, outcome: &Outcome) -> Vec<Attempt> {
    let function = program.function(outcome.function);
    let modified = modified(function);
    let Some(stores) = ghost::stores(function, &modified) else {
        return Vec::new();
    };
    let mut arrays: Vec<LocalId> = stores.iter().map(|s| s.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let one = |a| attempt(program, outcome.function, a, &stores, outcome);
    arrays.into_iter().filter_map(one).collect()
}

fn attempt(
    program: &Program,
    id: FuncId,
    array: LocalId,
    stores: &[ghost::Store],
    outcome: &Outcome,
) -> Option<Attempt> {
    let exit = outcome
        .points
        .iter()
        .find(|p| p.point.kind == PointKind::Exit)?;
    let (structure, field) = array_of(&exit.point, array)?;
    let info = &exit.point.structures[structure].fields()[field];
    let (Ty::Int(_), None) = (info.ty, &info.member) else {
        return None;
    };
    let name = program.function(id).local(array).name.clone();
    let (element, _) = super::element_of(program, id, array)?;
    let signed = info.signed;
    let mut copy = Copy::new(program, id)?;
    let (int, number) = (copy.int, Ty::Int(32));
    let value = copy.parameter("%value", element);
    let delta = copy.ghost("%difference", int, 0);
    for store in stores.iter().filter(|s| s.array == array) {
        if copy.function.expr(store.value).ty != info.ty {
            return None; // Not a whole element.
        }
        let v = copy.read(value);
        let is_new = copy.binary(BinaryOp::Eq, store.value, v);
        let is_new = copy.as_number(is_new, number);
        let load = idiolect_ir::ExprKind::Load {
            address: store.address,
        };
        let old = copy.expr(load, info.ty);
        let is_old = copy.binary(BinaryOp::Eq, old, v);
        let is_old = copy.as_number(is_old, number);
        let wraps = BinaryOp::Sub { signed: false };
        let change = copy.binary(wraps, is_new, is_old);
        let before = copy.read(delta);
        let wraps = BinaryOp::Add { signed: false };
        let after = copy.binary(wraps, before, change);
        copy.before(store.at, delta, after);
    }
    let mut points: Vec<Point> = outcome.points.iter().map(|p| p.point.clone()).collect();
    let mut candidates = vec![Vec::new(); points.len()];
    let mut goal = None;
    let mut loops = Vec::new();
    let element_name = super::element_name(program, &exit.point, array)?;
    for (p, point) in points.iter_mut().enumerate() {
        if point.kind == PointKind::Entry {
            continue;
        }
        let d = point.variables.len();
        point
            .variables
            .push(scalar(delta, "%difference", int, true));
        point
            .variables
            .push(scalar(value, "%value", element, signed));
        let same = differs_by(d, 0, Vec::new());
        candidates[p].push(Conjunct::OneOf(vec![same]));
        let kind = FunctionalFactKind::Permutation {
            array: name.clone(),
            size: match array_of(point, array) {
                Some((own, _)) => super::size_name(point, own),
                None => super::size_name(&exit.point, structure),
            },
            element: element_name.clone(),
            is_exit: point.kind == PointKind::Exit,
            by_rounds: false,
        };
        let meant = ((p, 0), FunctionalFact { kind, at: p });
        if point.kind == PointKind::Exit {
            goal = Some(meant);
            continue;
        }
        loops.push(meant);
        if let Some((structure, field)) = array_of(point, array) {
            candidates[p].extend(holes(program, point, (structure, field), d));
        }
    }
    Attempt::with_goals(copy.finish(), points, candidates, vec![goal?], loops)
}

/// The difference is this, and these comparisons hold.
fn differs_by(
    delta: usize,
    by: i64,
    mut comparisons: Vec<idiolect_quantified::formula::Comparison>,
) -> Arrangement {
    comparisons.push(comparison(
        DataTerm::Variable(delta),
        Orders::EQUAL,
        DataTerm::Constant(by),
    ));
    Arrangement {
        constraints: Vec::new(),
        comparisons,
    }
}

/// What may be said where an element is kept in a variable.
fn holes(
    program: &Program,
    point: &Point,
    (structure, field): (usize, usize),
    delta: usize,
) -> Vec<Conjunct> {
    let info = &point.structures[structure].fields()[field];
    let value = DataTerm::Variable(delta + 1);
    let is_kept = |v: &usize| {
        let variable = &point.variables[*v];
        *v < delta
            && variable.role == Role::Scalar
            && program.types.scalar(variable.ty) == Some(info.ty)
            && variable.signed == info.signed
    };
    let mut found = Vec::new();
    for t in (0..point.variables.len()).filter(is_kept) {
        for e in (0..delta).filter(|&v| matches!(point.variables[v].role, Role::Index { .. })) {
            for distance in [0, -1, 1] {
                let cell = match distance {
                    0 if point.structure_of(e) == Some(structure) => Term::Variable(e),
                    _ => Term::Linear(Linear {
                        variable: Some((e, 1)),
                        constant: distance,
                        ..Linear::default()
                    }),
                };
                let at = DataTerm::At {
                    structure,
                    cell,
                    field,
                };
                let cases = [
                    (Orders::EQUAL, Orders::EQUAL, 0),
                    (Orders::UNEQUAL, Orders::UNEQUAL, 0),
                    (Orders::EQUAL, Orders::UNEQUAL, 1),
                    (Orders::UNEQUAL, Orders::EQUAL, -1),
                ];
                let case = |&(is_there, is_kept, by): &(Orders, Orders, i64)| {
                    let comparisons = vec![
                        comparison(at, is_there, value),
                        comparison(DataTerm::Variable(t), is_kept, value),
                    ];
                    differs_by(delta, by, comparisons)
                };
                found.push(Conjunct::OneOf(cases.iter().map(case).collect()));
            }
        }
    }
    found
}

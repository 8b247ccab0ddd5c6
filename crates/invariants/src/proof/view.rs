//! What a formula says of a state of the program, as conditions of IR.
//!
//! The meaning is that of [`idiolect_quantified::formula`], case by case: a relation between things that it does
//! not relate is false, and so is a comparison with a datum that is not there.

use super::cells::{Cells, Place};
use idiolect_ir::build::{Builder, Number};
use idiolect_ir::{ExprId, Ty};
use idiolect_quantified::formula::{
    Arrangement, Comparison, Conclusion, Conjunct, Constraint, DataTerm, ForAll, Linear, Orders,
    Relation, Term,
};
use idiolect_quantified::point::{Point, Structure};
use rustc_hash::FxHashMap;

/// What a term is.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    Nil,
    Pointer {
        structure: usize,
        place: Place,
    },
    Number(Number),
    /// The base of an array, or something that cannot be told.
    Nothing,
}

/// A state, seen from a point.
pub(super) struct View<'a> {
    pub point: &'a Point,
    /// By variable of the point.
    pub variables: Vec<Spot>,
    /// By structure of the point.
    pub lists: Vec<Option<Cells>>,
    /// By structure of the point: the number of elements.
    pub sizes: Vec<Option<Number>>,
    /// By structure and field: the array.
    pub bases: Vec<Vec<Option<ExprId>>>,
    /// Elements that were read already, by structure, field and index: whether the index is in
    /// range, and the value.
    pub elements: FxHashMap<(usize, usize, ExprId), (ExprId, ExprId)>,
}

/// Values for quantified variables, each with the condition under which it is one.
pub(super) type Domain = Vec<(Spot, ExprId)>;

impl View<'_> {
    pub fn is_list(&self, structure: usize) -> bool {
        self.point.structures[structure].is_list()
    }

    /// What the conjunct says, where quantified variables have all values of their domains. What
    /// comes back is a list of conditions that hold together.
    pub fn instances(
        &mut self,
        b: &mut Builder,
        conjunct: &Conjunct,
        domains: &[Domain],
    ) -> Vec<ExprId> {
        match conjunct {
            Conjunct::OneOf(list) => vec![self.one_of(b, list)],
            Conjunct::ForAll(all) => {
                let mut found = Vec::new();
                if all.guard.iter().any(|c| c.relation == Relation::Parent) {
                    self.heap_instances(b, all, domains, &mut found);
                } else {
                    self.instances_from(b, all, domains, &mut Vec::new(), b.truth(), &mut found);
                }
                found
            }
        }
    }

    fn instances_from(
        &mut self,
        b: &mut Builder,
        all: &ForAll,
        domains: &[Domain],
        chosen: &mut Vec<Spot>,
        guard: ExprId,
        found: &mut Vec<ExprId>,
    ) {
        let Some(&structure) = all.over.get(chosen.len()) else {
            let holds = self.for_values(b, all, chosen, guard);
            if holds != b.truth() {
                found.push(b.keep(holds));
            }
            return;
        };
        for (spot, condition) in &domains[structure] {
            let both = b.and(guard, *condition);
            if both == b.falsity() {
                continue;
            }
            let both = b.keep(both);
            chosen.push(spot.clone());
            self.instances_from(b, all, domains, chosen, both, found);
            chosen.pop();
        }
    }

    /// What the conjunct says where the quantified variables have these values.
    pub fn holds(&mut self, b: &mut Builder, conjunct: &Conjunct, values: &[Domain]) -> ExprId {
        let list = self.instances(b, conjunct, values);
        b.all(list)
    }

    fn one_of(&mut self, b: &mut Builder, list: &[Arrangement]) -> ExprId {
        let mut either = b.falsity();
        for arrangement in list {
            let mut holds = b.truth();
            for c in &arrangement.constraints {
                let satisfied = self.satisfies(b, *c, &[]);
                holds = b.and(holds, satisfied);
            }
            for c in &arrangement.comparisons {
                let compares = self.compares(b, *c, &[]);
                holds = b.and(holds, compares);
            }
            let holds = b.keep(holds);
            either = b.or(either, holds);
        }
        b.keep(either)
    }

    /// What the conjunct says of these values, where `guard` holds.
    pub fn for_values(
        &mut self,
        b: &mut Builder,
        all: &ForAll,
        values: &[Spot],
        guard: ExprId,
    ) -> ExprId {
        let mut guard = guard;
        for c in &all.guard {
            let satisfied = self.satisfies(b, *c, values);
            guard = b.and(guard, satisfied);
            if guard == b.falsity() {
                return b.truth();
            }
        }
        let conclusion = match &all.conclusion {
            Conclusion::False => b.falsity(),
            Conclusion::All(list) => {
                let mut holds = b.truth();
                for c in list {
                    let compares = self.compares(b, *c, values);
                    holds = b.and(holds, compares);
                }
                holds
            }
        };
        b.implies(guard, conclusion)
    }

    fn spot(&self, b: &mut Builder, term: Term, values: &[Spot]) -> Spot {
        match term {
            Term::Nil => Spot::Nil,
            Term::Zero => Spot::Number(b.number(0)),
            Term::Size(structure) => match self.sizes.get(structure).copied().flatten() {
                Some(size) => Spot::Number(size),
                None => Spot::Nothing,
            },
            Term::Quantified(y) => values.get(y).cloned().unwrap_or(Spot::Nothing),
            Term::Variable(v) => self.variables.get(v).cloned().unwrap_or(Spot::Nothing),
            Term::Linear(linear) => match self.linear(b, linear, values) {
                Some(number) => Spot::Number(number),
                None => Spot::Nothing,
            },
        }
    }

    /// A number that is computed from others of at most 32 bits.
    ///
    /// Factors and constants are far below what would make a whole number wrap in 40 bits.
    fn linear(&self, b: &mut Builder, linear: Linear, values: &[Spot]) -> Option<Number> {
        let width = if linear.wraps { 32 } else { 40 };
        let parts = [
            (linear.quantified).map(|(y, factor)| (Term::Quantified(y), factor)),
            (linear.variable).map(|(v, factor)| (Term::Variable(v), factor)),
            linear.size.map(|s| (Term::Size(s), 1)),
        ];
        let mut numbers = Vec::new();
        for (term, factor) in parts.into_iter().flatten() {
            match self.spot(b, term, values) {
                Spot::Number(n) if n.width <= 32 && factor.unsigned_abs() <= 1 << 5 => {
                    numbers.push((n, factor));
                }
                _ => return None,
            }
        }
        (linear.constant.unsigned_abs() < 1 << 32)
            .then(|| b.linear(&numbers, linear.constant, width))
    }

    pub fn satisfies(&mut self, b: &mut Builder, c: Constraint, values: &[Spot]) -> ExprId {
        let left = self.spot(b, c.left, values);
        let right = self.spot(b, c.right, values);
        match (left, right) {
            (Spot::Number(left), Spot::Number(right)) => match c.relation {
                Relation::Same => b.equal(left, right),
                Relation::Next => b.follows(left, right),
                Relation::Less => b.less(left, right),
                Relation::AtMost => b.at_most(left, right),
                Relation::Parent => b.is_parent(left, right),
                _ => b.falsity(),
            },
            (Spot::Number(_) | Spot::Nothing, _) | (_, Spot::Number(_) | Spot::Nothing) => {
                b.falsity()
            }
            (left, right) => self.placed(b, &left, c.relation, &right),
        }
    }

    /// Relations between pointers.
    fn placed(&self, b: &mut Builder, left: &Spot, relation: Relation, right: &Spot) -> ExprId {
        let nil = |b: &Builder, spot: &Spot| match spot {
            Spot::Pointer { place, .. } => place.is_nil,
            _ => b.truth(),
        };
        let (left_nil, right_nil) = (nil(b, left), nil(b, right));
        // The part about two cells, where both are.
        let cells = match (left, right) {
            (
                Spot::Pointer { structure, place },
                Spot::Pointer {
                    structure: other,
                    place: to,
                },
            ) if structure == other => self.lists[*structure].as_ref().map(|c| (c, place, to)),
            _ => None,
        };
        let of_cells =
            |b: &mut Builder, f: &dyn Fn(&Cells, &mut Builder, usize, usize) -> ExprId| match cells
            {
                Some((cells, from, to)) => cells.related(b, from, to, |b, i, j| f(cells, b, i, j)),
                None => b.falsity(),
            };
        match relation {
            Relation::Same => {
                let cells = of_cells(b, &|_, b, i, j| b.boolean(i == j));
                let both = b.and(left_nil, right_nil);
                b.or(cells, both)
            }
            Relation::Next => {
                let cells = of_cells(b, &|c, _, i, j| c.after[i][j]);
                let Spot::Pointer { structure, place } = left else {
                    return b.falsity();
                };
                let mut ends = b.falsity();
                if let Some(list) = &self.lists[*structure] {
                    for (at, last) in place.at.iter().zip(&list.is_last) {
                        let both = b.and(*at, *last);
                        ends = b.or(ends, both);
                    }
                }
                let ends = b.and(ends, right_nil);
                b.or(cells, ends)
            }
            Relation::Reaches => {
                let cells = of_cells(b, &|c, _, i, j| c.reach[i][j]);
                b.or(cells, right_nil)
            }
            Relation::ReachesStrictly => {
                let cells = of_cells(b, &|c, b, i, j| {
                    if i == j { b.falsity() } else { c.reach[i][j] }
                });
                let is_cell = b.not(left_nil);
                let ends = b.and(is_cell, right_nil);
                b.or(cells, ends)
            }
            Relation::Apart => {
                let joined = of_cells(b, &|c, b, i, j| b.or(c.reach[i][j], c.reach[j][i]));
                b.not(joined)
            }
            Relation::Less | Relation::AtMost | Relation::Parent => b.falsity(),
        }
    }

    /// An integer, and the condition under which it is there.
    fn datum(
        &mut self,
        b: &mut Builder,
        term: DataTerm,
        values: &[Spot],
    ) -> Option<(Number, ExprId)> {
        match term {
            DataTerm::Constant(value) => Some((b.number(value), b.truth())),
            DataTerm::Variable(v) => match self.variables.get(v)? {
                Spot::Number(n) => Some((*n, b.truth())),
                _ => None,
            },
            DataTerm::Sum(sum) => {
                let mut parts = Vec::new();
                for (v, is_plus) in sum.parts() {
                    match self.variables.get(v)? {
                        Spot::Number(n) => parts.push((*n, is_plus)),
                        _ => return None,
                    }
                }
                // What is claimed is that the sum is equal, and that it did not wrap.
                let is_exact = b.is_exact(&parts, sum.constant);
                Some((b.sum(&parts, sum.constant), is_exact))
            }
            DataTerm::Linear(linear) => Some((self.linear(b, linear, values)?, b.truth())),
            DataTerm::At {
                structure,
                cell,
                field,
            } => match self.spot(b, cell, values) {
                Spot::Pointer { structure, place } => self.of_cell(b, structure, &place, field),
                Spot::Number(index) => self.element(b, structure, field, index),
                _ => None,
            },
        }
    }

    fn of_cell(
        &self,
        b: &mut Builder,
        structure: usize,
        place: &Place,
        field: usize,
    ) -> Option<(Number, ExprId)> {
        let info = self.point.structures[structure].fields().get(field)?;
        let Ty::Int(width) = info.ty else { return None };
        let cells = self.lists[structure].as_ref()?;
        let mut value = b.constant(0, info.ty);
        for (at, row) in place.at.iter().zip(&cells.data) {
            value = b.select(*at, row[field], value);
        }
        let number = Number {
            expr: b.keep(value),
            width,
            signed: info.signed,
        };
        Some((number, b.not(place.is_nil)))
    }

    /// Whether an index is one of this structure.
    pub fn in_range(&self, b: &mut Builder, structure: usize, index: Number) -> ExprId {
        let Some(size) = self.sizes.get(structure).copied().flatten() else {
            return b.falsity();
        };
        let zero = b.number(0);
        let low = b.at_most(zero, index);
        let high = b.less(index, size);
        b.and(low, high)
    }

    /// An element of an array.
    pub fn element(
        &mut self,
        b: &mut Builder,
        structure: usize,
        field: usize,
        index: Number,
    ) -> Option<(Number, ExprId)> {
        let Structure::Array(group) = &self.point.structures[structure] else {
            return None;
        };
        let info = group.fields.get(field)?;
        let Ty::Int(width) = info.ty else { return None };
        let base = (*self.bases.get(structure)?.get(field)?)?;
        let key = (structure, field, index.expr);
        let (in_range, expr) = match self.elements.get(&key) {
            Some(&known) => known,
            None => {
                let in_range = self.in_range(b, structure, index);
                let in_range = b.keep(in_range);
                let at = b.element(base, index, info.stride);
                let at = b.field(at, info.offset);
                let loaded = b.load(at, info.ty);
                let zero = b.constant(0, info.ty);
                let value = b.select(in_range, loaded, zero);
                let value = b.keep(value);
                self.elements.insert(key, (in_range, value));
                (in_range, value)
            }
        };
        let number = Number {
            expr,
            width,
            signed: info.signed,
        };
        Some((number, in_range))
    }

    pub fn compares(&mut self, b: &mut Builder, c: Comparison, values: &[Spot]) -> ExprId {
        let (left, right) = (
            self.datum(b, c.left, values),
            self.datum(b, c.right, values),
        );
        let (Some((left, is_left)), Some((right, is_right))) = (left, right) else {
            return b.falsity();
        };
        let holds = match c.orders {
            Orders::LESS => b.less(left, right),
            Orders::EQUAL => b.equal(left, right),
            Orders::GREATER => b.less(right, left),
            Orders::AT_MOST => b.at_most(left, right),
            Orders::AT_LEAST => b.at_most(right, left),
            Orders::UNEQUAL => {
                let equal = b.equal(left, right);
                b.not(equal)
            }
            Orders::ANY => b.truth(),
            _ => b.falsity(),
        };
        let there = b.and(is_left, is_right);
        b.and(there, holds)
    }
}

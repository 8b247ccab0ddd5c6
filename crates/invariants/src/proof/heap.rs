//! Instances of what is said of heaps in arrays.
//!
//! A conjunct about a parent and its child is assumed of each index with its parent, and of each index
//! variable with its two children, not of all pairs of indices.
//!
//! **The first is the largest.** If every child before an end has its order with its parent, and
//! parents start at 0, then every element before that end has that order with the first one: by
//! induction over the index, since a parent comes before its children and before the end, too. No
//! number of instances says this, so it is assumed with the conjunct, of each index.

use super::view::{Domain, Spot, View};
use idiolect_ir::ExprId;
use idiolect_ir::build::{Builder, Number};
use idiolect_quantified::formula::{
    Comparison, Conclusion, Constraint, DataTerm, ForAll, Orders, Relation, Term,
};
use idiolect_quantified::point::{Role, Variable};

impl View<'_> {
    /// Instances of a conjunct that has two quantified variables and speaks of parents.
    pub(super) fn heap_instances(
        &mut self,
        b: &mut Builder,
        all: &ForAll,
        domains: &[Domain],
        found: &mut Vec<ExprId>,
    ) {
        let &[structure, other] = &all.over[..] else {
            return;
        };
        if structure != other || self.is_list(structure) {
            return;
        }
        let (y1, y2) = (Term::Quantified(0), Term::Quantified(1));
        let is_edge =
            |c: &Constraint| c.relation == Relation::Parent && c.left == y1 && c.right == y2;
        let numbers: Vec<Number> = (domains[structure].iter())
            .filter_map(|(spot, _)| match spot {
                Spot::Number(n) => Some(*n),
                _ => None,
            })
            .collect();
        let mut pairs: Vec<(Number, Number)> = Vec::new();
        if all.guard.iter().any(is_edge) {
            for &n in &numbers {
                pairs.push((b.parent(n), n));
            }
            // Code goes from a variable to its children; of a goal, the child is among the numbers.
            for n in self.index_variables() {
                pairs.extend([1, 2].map(|d| (n, b.child(n, d))));
            }
        } else if let Some(Spot::Number(middle)) = self.middle(&all.guard) {
            let parent = b.parent(middle);
            pairs.extend([1, 2].map(|d| (parent, b.child(middle, d))));
        }
        for (parent, child) in pairs {
            let mut guard = self.in_range(b, structure, parent);
            let is_child = self.in_range(b, structure, child);
            guard = b.and(guard, is_child);
            let values = [Spot::Number(parent), Spot::Number(child)];
            let holds = self.for_values(b, all, &values, guard);
            found.push(b.keep(holds));
        }
        if let Some(orders) = whole_heap(all) {
            self.first_is_largest(b, all, &numbers, orders, found);
        }
    }

    fn index_variables(&self) -> Vec<Number> {
        let of = |(spot, v): (&Spot, &Variable)| match (spot, v.role) {
            (Spot::Number(n), Role::Index { .. }) => Some(*n),
            _ => None,
        };
        let all = self.variables.iter().zip(&self.point.variables);
        all.filter_map(of).collect()
    }

    /// The variable whose parent and children a guard speaks of.
    fn middle(&self, guard: &[Constraint]) -> Option<Spot> {
        let mut of = guard.iter().filter(|c| c.relation == Relation::Parent);
        match of.next()?.right {
            Term::Variable(v) => self.variables.get(v).cloned(),
            _ => None,
        }
    }

    fn first_is_largest(
        &mut self,
        b: &mut Builder,
        all: &ForAll,
        numbers: &[Number],
        (field, orders): (usize, Orders),
        found: &mut Vec<ExprId>,
    ) {
        let structure = all.over[0];
        let y2 = Term::Quantified(1);
        let zero = b.number(0);
        for &n in numbers {
            let values = [Spot::Number(zero), Spot::Number(n)];
            let mut guard = self.in_range(b, structure, n);
            for c in &all.guard {
                let wanted = match c.relation {
                    Relation::Parent => continue,
                    // Parents start at 0.
                    Relation::AtMost => Constraint {
                        right: Term::Zero,
                        ..*c
                    },
                    _ => *c,
                };
                debug_assert!(wanted.left == y2 || wanted.right == Term::Zero);
                let holds = self.satisfies(b, wanted, &values);
                guard = b.and(guard, holds);
            }
            let at = |cell: Term| DataTerm::At {
                structure,
                cell,
                field,
            };
            let comparison = Comparison {
                left: at(Term::Zero),
                orders,
                right: at(y2),
            };
            let compares = self.compares(b, comparison, &values);
            let holds = b.implies(guard, compares);
            found.push(b.keep(holds));
        }
    }
}

/// The field, and how the first element is ordered with the others, if a conjunct speaks of all
/// edges from some parent on and up to some child.
fn whole_heap(all: &ForAll) -> Option<(usize, Orders)> {
    let (y1, y2) = (Term::Quantified(0), Term::Quantified(1));
    let mut n_parents = 0;
    for c in &all.guard {
        match (c.left, c.relation, c.right) {
            (l, Relation::Parent, r) if l == y1 && r == y2 => {}
            (_, Relation::AtMost, r) if r == y1 && c.left != y2 => n_parents += 1,
            (l, Relation::Less, r) if l == y2 && r != y1 => {}
            _ => return None,
        }
    }
    let Conclusion::All(list) = &all.conclusion else {
        return None;
    };
    let &[c] = &list[..] else { return None };
    let cell = |t: DataTerm| match t {
        DataTerm::At { cell, field, .. } => Some((cell, field)),
        _ => None,
    };
    let ((left, f), (right, g)) = (cell(c.left)?, cell(c.right)?);
    let is_order = |o: Orders| matches!(o, Orders::AT_MOST | Orders::AT_LEAST);
    if n_parents != 1 || f != g || !is_order(c.orders) {
        return None;
    }
    match (left == y1 && right == y2, left == y2 && right == y1) {
        (true, _) => Some((f, c.orders)),
        (_, true) => Some((f, c.orders.flipped())),
        _ => None,
    }
}

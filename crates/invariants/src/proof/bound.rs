//! How many cells a list has to have before a counterexample to an obligation can need more.
//!
//! **Claim.** Let a state at the start of a segment satisfy the hypotheses, let the segment run from
//! it to a state that violates the goal, or to a fault. Then there is such a state with at most as
//! many cells as there are *names*: pointer variables at the start (values that parameters had at
//! entry included), pointers that the segment reads from memory on one path, quantified variables
//! of the violated conjunct, and for each variable on the left of a `→` (*next*) in the violated
//! conjunct, or in a guard of a hypothesis, the cell after it.
//!
//! **Proof.** Keep the cells that have a name, and drop each other cell by letting its predecessor
//! point to its successor. (1) *Hypotheses.* What they say of pointers is who comes before whom, who
//! is null and who is apart, which dropping other cells does not change; `x → y` for a variable `x`
//! in a guard does not change either, since the cell after `x` was kept; outside of guards, where it
//! is not negated, it can only become true, since `y` is a variable or null and is kept. Universally
//! quantified conjuncts hold of fewer cells now, and say the same of those: order and data, and
//! `x → y` with a variable `x`.
//! A hypothesis with a quantified variable on the left of a `→` would not survive, and is refused
//! ([`NoBound::Distance`]). (2) *The run.* The segment has no loop. Every address it uses is a
//! variable's value, was read from memory, or is a block that it allocated; every pointer that it
//! reads has a name, and is null or not, equal or not, as before. So it takes the same branches,
//! writes the same cells, faults where it did. Cells with a name whose successor it does not read
//! have another successor now, which only the goal can see. (3) *The goal.* At the end, lists are
//! those of before with some successors overwritten by named values; between named cells reachability
//! and order are as before dropping. The violation speaks of variables, of quantified variables, and
//! of cells after variables, all of which were kept: if it violated the conjunct, it still does. If
//! the end was no set of disjoint lists ending in null, it still is none: the cell where two lists
//! meet, or a cycle closes, has a successor written by the segment before it, so it has a name; if a
//! list leaves the known cells, the last one before that was written. ∎
//!
//! *Doubly linked lists.* The cell after one that is dropped leads back to the one before it. A pointer back that the
//! segment reads has a name, too. If at the end a cell does not lead back to the one before it, then that cell and the one that
//! was before it at the start have names, so that its pointer back, or what comes before it, is still the wrong one.
//!
//! Data is not bounded by this at all: it stays symbolic.

use super::cuts::Unbounded;
use idiolect_ir::ctype::RecordId;
use idiolect_quantified::formula::{
    Comparison, Conclusion, Conjunct, Constraint, DataTerm, Formula, Relation, Term,
};
use idiolect_quantified::point::{Point, Role};

/// Why no number of cells is enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoBound {
    /// The segment calls code that may follow any number of pointers.
    Code(Unbounded),
    /// A formula tells whether a quantified cell is immediately before another one.
    Distance,
    /// A pointer to the head of a list has moved on to the link of some cell.
    Link,
    /// What this variable points to is not known.
    Pointer(String),
    /// So many are more than one wants to look at.
    TooMany(usize),
}

/// The structure at a point that has this record for its cells.
pub(super) fn structure_of(point: &Point, record: RecordId) -> Option<usize> {
    let is_it = |s: &idiolect_quantified::point::Structure| match s {
        idiolect_quantified::point::Structure::List(l) => l.record == record,
        _ => false,
    };
    point.structures.iter().position(is_it)
}

/// Names that a point has by itself.
pub(super) fn pointers(point: &Point, record: RecordId) -> usize {
    let wanted = structure_of(point, record);
    let is_it =
        |role: Role| matches!(role, Role::Pointer { structure } if Some(structure) == wanted);
    point.variables.iter().filter(|v| is_it(v.role)).count()
}

/// The quantified variables of a conjunct over these lists.
pub(super) fn quantified(point: &Point, conjunct: &Conjunct, record: RecordId) -> usize {
    match conjunct {
        Conjunct::OneOf(_) => 0,
        Conjunct::ForAll(all) => {
            let structure = structure_of(point, record);
            all.over.iter().filter(|&&s| Some(s) == structure).count()
        }
    }
}

/// The terms whose next cell a conjunct speaks of.
pub(super) fn with_next(conjunct: &Conjunct) -> Vec<Term> {
    let mut found = Vec::new();
    let mut look = |list: &[Constraint]| {
        for c in list {
            if c.relation == Relation::Next && !found.contains(&c.left) {
                found.push(c.left);
            }
        }
    };
    match conjunct {
        Conjunct::OneOf(list) => list.iter().for_each(|a| look(&a.constraints)),
        Conjunct::ForAll(all) => look(&all.guard),
    }
    found
}

/// The cells that hypotheses name beyond variables.
pub(super) fn named_by_hypotheses(point: &Point, conjuncts: &[Conjunct]) -> Result<usize, NoBound> {
    let mut terms: Vec<Term> = Vec::new();
    for conjunct in conjuncts
        .iter()
        .filter(|c| matches!(c, Conjunct::ForAll(_)))
    {
        for term in with_next(conjunct) {
            let is_list = match (term, conjunct) {
                (Term::Quantified(y), Conjunct::ForAll(all)) => all
                    .over
                    .get(y)
                    .is_some_and(|&s| point.structures[s].is_list()),
                (Term::Variable(v), _) => {
                    matches!(point.variables[v].role, Role::Pointer { .. })
                }
                _ => false,
            };
            if !is_list {
                continue;
            }
            if matches!(term, Term::Quantified(_)) {
                return Err(NoBound::Distance);
            }
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    Ok(terms.len())
}

/// The constants that a formula compares with.
pub(super) fn constants(formula: &Formula) -> Vec<i64> {
    let mut found = Vec::new();
    let mut look = |list: &[Comparison]| {
        for c in list {
            for term in [c.left, c.right] {
                if let DataTerm::Constant(value) = term {
                    found.push(value);
                }
            }
        }
    };
    for conjunct in &formula.conjuncts {
        match conjunct {
            Conjunct::OneOf(list) => list.iter().for_each(|a| look(&a.comparisons)),
            Conjunct::ForAll(all) => match &all.conclusion {
                Conclusion::All(list) => look(list),
                Conclusion::False => {}
            },
        }
    }
    found
}

//! Comparisons of indices with numbers that the guard says already: `6 ≤ i ⇒ i ≠ 0`.

use crate::formula::{Conclusion, Conjunct, Constraint, DataTerm, Formula, Orders, Relation, Term};
use crate::point::{ArraySize, Point, Structure};

/// Drops what follows from a guard alone, where arrays have a known size.
pub fn drop_trivial(point: &Point, formula: &mut Formula) {
    formula.conjuncts.retain_mut(|conjunct| {
        let Conjunct::ForAll(all) = conjunct else {
            return true;
        };
        let Conclusion::All(list) = &mut all.conclusion else {
            return true;
        };
        let guard = &all.guard;
        list.retain(|c| match (c.left, c.right) {
            (DataTerm::Variable(v), DataTerm::Constant(n)) => {
                !follows(point, guard, v, c.orders, n)
            }
            (DataTerm::Constant(n), DataTerm::Variable(v)) => {
                !follows(point, guard, v, c.orders.flipped(), n)
            }
            _ => true,
        });
        !list.is_empty()
    });
}

/// Whether `v orders n` follows from the bounds that a guard gives an index.
fn follows(point: &Point, guard: &[Constraint], v: usize, orders: Orders, n: i64) -> bool {
    let number = |term: Term| match term {
        Term::Zero => Some(0),
        Term::Size(s) => match &point.structures[s] {
            Structure::Array(group) => match group.size {
                ArraySize::Constant(n) => i64::try_from(n).ok(),
                ArraySize::Variable(_) => None,
            },
            Structure::List(_) => None,
        },
        _ => None,
    };
    let (mut low, mut high) = (i64::MIN, i64::MAX);
    for c in guard {
        let is_strict = match c.relation {
            Relation::Less => true,
            Relation::AtMost => false,
            _ => continue,
        };
        let step = i64::from(is_strict);
        if c.right == Term::Variable(v)
            && let Some(bound) = number(c.left)
        {
            low = low.max(bound.saturating_add(step));
        }
        if c.left == Term::Variable(v)
            && let Some(bound) = number(c.right)
        {
            high = high.min(bound.saturating_sub(step));
        }
    }
    let mut possible = Orders::NONE;
    if low < n {
        possible = possible.join(Orders::LESS);
    }
    if low <= n && n <= high {
        possible = possible.join(Orders::EQUAL);
    }
    if n < high {
        possible = possible.join(Orders::GREATER);
    }
    // Without a bound, everything is possible, and nothing follows that says something.
    possible.implies(orders)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Comparison, ForAll};
    use crate::point::{ArrayGroup, PointKind};
    use idiolect_base::Span;
    use idiolect_ir::{BlockId, FuncId};

    #[test]
    fn what_a_guard_says_is_not_said_again() {
        let point = Point {
            function: FuncId::new(0),
            kind: PointKind::Exit,
            block: BlockId::new(0),
            span: Span::NOWHERE,
            variables: Vec::new(),
            structures: vec![Structure::Array(ArrayGroup {
                fields: Vec::new(),
                size: ArraySize::Constant(6),
            })],
        };
        let compare = |orders, n| Comparison {
            left: DataTerm::Variable(0),
            orders,
            right: DataTerm::Constant(n),
        };
        let guarded = |left, relation, right, list: &[Comparison]| {
            Conjunct::ForAll(ForAll {
                over: Vec::new(),
                guard: vec![Constraint {
                    left,
                    relation,
                    right,
                }],
                conclusion: Conclusion::All(list.to_vec()),
            })
        };
        let (i, six) = (Term::Variable(0), Term::Size(0));
        let bounded = [compare(Orders::AT_MOST, 6)];
        let mut formula = Formula {
            conjuncts: vec![
                guarded(i, Relation::Less, six, &[compare(Orders::UNEQUAL, 6)]),
                guarded(
                    six,
                    Relation::AtMost,
                    i,
                    &[compare(Orders::UNEQUAL, 0), bounded[0]],
                ),
                // That it is less follows; that it is at least 0 does not.
                guarded(i, Relation::Less, six, &[compare(Orders::AT_LEAST, 0)]),
            ],
        };
        drop_trivial(&point, &mut formula);
        let expected = [
            guarded(six, Relation::AtMost, i, &bounded),
            guarded(i, Relation::Less, six, &[compare(Orders::AT_LEAST, 0)]),
        ];
        assert_eq!(formula.conjuncts, expected);
    }
}

//! The array property fragment: quantified positions are compared by `≤` and `=` alone.
//!
//! Where a guard says `y1 < y2`, the paper (§6) weakens it to `y1 ≤ y2` and lets the conclusion
//! allow equal data. The formula becomes weaker for it, so Theorem 4 holds in one direction. A
//! comparison that then says nothing is dropped.

use crate::formula::{Conclusion, Conjunct, DataTerm, Formula, Orders, Relation, Term};
use crate::point::Point;

pub fn weaken(point: &Point, formula: &mut Formula) {
    for conjunct in &mut formula.conjuncts {
        let Conjunct::ForAll(all) = conjunct else {
            continue;
        };
        let is_array = |y: usize| !point.structures[all.over[y]].is_list();
        let mut touched = Vec::new();
        for c in &mut all.guard {
            if let (Relation::Less, Term::Quantified(a), Term::Quantified(b)) =
                (c.relation, c.left, c.right)
                && is_array(a)
                && is_array(b)
            {
                c.relation = Relation::AtMost;
                touched.push((a.min(b), a.max(b)));
            }
        }
        if touched.is_empty() {
            continue;
        }
        match &mut all.conclusion {
            // With y1 = y2 the guard holds somewhere, so that nothing is excluded.
            Conclusion::False => all.conclusion = Conclusion::All(Vec::new()),
            Conclusion::All(list) => {
                for c in list.iter_mut() {
                    let cell = |t: DataTerm| match t {
                        DataTerm::At {
                            cell: Term::Quantified(y),
                            field,
                            ..
                        } => Some((y, field)),
                        _ => None,
                    };
                    c.orders = match (cell(c.left), cell(c.right)) {
                        (Some((a, f)), Some((b, g))) if touched.contains(&(a.min(b), a.max(b))) => {
                            if f == g {
                                c.orders.join(Orders::EQUAL)
                            } else {
                                Orders::ANY
                            }
                        }
                        // Facts about one of the two cells stay what they are: y2's place is y1's
                        // place only in the new case, for which nothing was promised.
                        _ => Orders::ANY,
                    };
                }
                list.retain(|c| c.orders != Orders::ANY);
            }
        }
    }
    formula.conjuncts.retain(|c| match c {
        Conjunct::ForAll(all) => all.conclusion != Conclusion::All(Vec::new()),
        Conjunct::OneOf(_) => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Comparison, Constraint, ForAll};
    use crate::point::{
        ArrayGroup, ArraySize, Binding, Chain, Datum, PointKind, Role, Snapshot, Structure,
        Variable,
    };
    use crate::show;
    use idiolect_base::Span;
    use idiolect_ir::{BlockId, FuncId, LocalId, Ty, TypeId};

    /// Two arrays read in step, and the number of their elements.
    fn arrays() -> Point {
        let (structure, ty) = (0, TypeId::new(0));
        let variable = |name: &str, local, role| Variable {
            name: name.to_owned(),
            binding: Binding::Local(LocalId::new(local)),
            role,
            ty,
            signed: true,
        };
        let field = |name: &str| crate::point::DataField {
            name: name.to_owned(),
            offset: 0,
            ty: Ty::Int(32),
            signed: true,
            stride: 4,
            member: None,
        };
        Point {
            function: FuncId::new(0),
            kind: PointKind::Exit,
            block: BlockId::new(0),
            span: Span::NOWHERE,
            variables: vec![
                variable("n", 0, Role::Length { structure }),
                variable(
                    "a",
                    1,
                    Role::Base {
                        structure,
                        field: 0,
                    },
                ),
                variable(
                    "b",
                    2,
                    Role::Base {
                        structure,
                        field: 1,
                    },
                ),
            ],
            structures: vec![Structure::Array(ArrayGroup {
                fields: vec![field("a"), field("b")],
                size: ArraySize::Variable(0),
            })],
        }
    }

    fn at(y: usize, field: usize) -> DataTerm {
        DataTerm::At {
            structure: 0,
            cell: Term::Quantified(y),
            field,
        }
    }

    /// `∀ y1, y2. y1 < y2 ⇒ …`
    fn ordered(conclusion: Conclusion) -> Formula {
        let y = Term::Quantified;
        let guard = vec![Constraint {
            left: y(0),
            relation: Relation::Less,
            right: y(1),
        }];
        Formula {
            conjuncts: vec![Conjunct::ForAll(ForAll {
                over: vec![0, 0],
                guard,
                conclusion,
            })],
        }
    }

    #[track_caller]
    fn check(list: &[(DataTerm, Orders, DataTerm)], expected: &str) {
        let one = |&(left, orders, right): &_| Comparison {
            left,
            orders,
            right,
        };
        let (point, before) = (
            arrays(),
            ordered(Conclusion::All(list.iter().map(one).collect())),
        );
        let mut after = before.clone();
        weaken(&point, &mut after);
        assert_eq!(show::formula(&point, &after), expected);
        // Theorem 4: what satisfied the formula still does.
        for n in 0..4usize {
            for number in 0..9usize.pow(n as u32) {
                let digit = |i: usize| (number / 3usize.pow(i as u32) % 3) as i64;
                let snapshot = Snapshot {
                    chains: vec![Chain {
                        structure: 0,
                        n_cells: n,
                        data: (0..2 * n).map(digit).collect(),
                        unwritten: Vec::new(),
                    }],
                    values: vec![Datum::Number(n as i64), Datum::Base, Datum::Base],
                };
                let held = before.holds(&point, &snapshot);
                assert!(!held || after.holds(&point, &snapshot), "{snapshot:?}");
            }
        }
    }

    /// A-QDA-10: `<` becomes `≤` between quantified positions, and the data formula is joined with
    /// the equality of their data.
    #[test]
    fn strict_guards_are_weakened_and_conclusions_allow_equal_data() {
        let (less, at_most, unequal) = (Orders::LESS, Orders::AT_MOST, Orders::UNEQUAL);
        check(
            &[(at(0, 0), less, at(1, 0))],
            "∀ y1, y2. y1 ≤ y2 ⇒ a[y1] ≤ a[y2]",
        );
        check(
            &[(at(0, 0), at_most, at(1, 0))],
            "∀ y1, y2. y1 ≤ y2 ⇒ a[y1] ≤ a[y2]",
        );
        // The join with equality allows everything.
        check(&[(at(0, 0), unequal, at(1, 0))], "true");
        // Elements of two arrays may differ at one position, and constants are not compared with
        // each other by the equality: both are lost.
        check(
            &[
                (at(0, 0), less, at(1, 1)),
                (at(0, 1), Orders::EQUAL, DataTerm::Constant(2)),
                (at(0, 1), Orders::GREATER, at(1, 1)),
            ],
            "∀ y1, y2. y1 ≤ y2 ⇒ b[y2] ≤ b[y1]",
        );
    }

    #[test]
    fn what_excluded_two_positions_excludes_nothing() {
        let point = arrays();
        let mut formula = ordered(Conclusion::False);
        weaken(&point, &mut formula);
        assert_eq!(formula, Formula::default());
    }
}

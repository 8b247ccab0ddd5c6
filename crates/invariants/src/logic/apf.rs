//! The array property fragment: quantified positions are compared by `≤` and `=` alone.
//!
//! Where a guard says `y1 < y2`, the seed (§6) weakens it to `y1 ≤ y2` and lets the conclusion
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
                            match f == g {
                                true => c.orders.join(Orders::EQUAL),
                                false => Orders::ANY,
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

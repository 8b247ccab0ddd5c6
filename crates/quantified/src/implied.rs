//! Conjuncts that follow from one other conjunct, so that nobody has to read them.

use crate::formula::{Comparison, Conclusion, Conjunct, Constraint, Orders, Relation, Term};

/// Which of these conjuncts have to be said: of those that are `kept`, the ones that no other implies.
pub fn worth_saying(conjuncts: &[Conjunct], kept: &[bool]) -> Vec<bool> {
    let mut said = kept.to_vec();
    for i in 0..conjuncts.len() {
        let is_implied = |j: usize| i != j && said[j] && implies(&conjuncts[j], &conjuncts[i]);
        if said[i] && (0..conjuncts.len()).any(is_implied) {
            said[i] = false;
        }
    }
    said
}

fn implies(known: &Conjunct, wanted: &Conjunct) -> bool {
    match (known, wanted) {
        (Conjunct::ForAll(known), Conjunct::ForAll(wanted)) => {
            let (Conclusion::All(has), Conclusion::All(wants)) =
                (&known.conclusion, &wanted.conclusion)
            else {
                return false;
            };
            // Where the wanted one speaks, the known one does.
            known.over == wanted.over
                && entails(&wanted.guard, &known.guard)
                && wants.iter().all(|w| has.iter().any(|h| is_within(h, w)))
        }
        (Conjunct::OneOf(known), Conjunct::OneOf(wanted)) => {
            let ([has], [wants]) = (&known[..], &wanted[..]) else {
                return false;
            };
            entails(&has.constraints, &wants.constraints)
                && (wants.comparisons.iter())
                    .all(|w| has.comparisons.iter().any(|h| is_within(h, w)))
        }
        _ => false,
    }
}

fn is_within(has: &Comparison, wants: &Comparison) -> bool {
    let flipped = Comparison {
        left: has.right,
        orders: has.orders.flipped(),
        right: has.left,
    };
    [*has, flipped].iter().any(|has| {
        has.left == wants.left && has.right == wants.right && has.orders.implies(wants.orders)
    })
}

/// Whether all of `wanted` follow from `known`. Numbers are ordered; of other relations only what is
/// there counts.
fn entails(known: &[Constraint], wanted: &[Constraint]) -> bool {
    wanted.iter().all(|w| {
        known.contains(w)
            || match w.relation {
                Relation::AtMost => least_order(known, w.left, w.right).is_some(),
                Relation::Less => least_order(known, w.left, w.right) == Some(Orders::LESS),
                _ => false,
            }
    })
}

/// `from < to` or `from ≤ to`, if a chain of constraints says so.
pub fn least_order(known: &[Constraint], from: Term, to: Term) -> Option<Orders> {
    let mut reached = vec![(from, false)];
    let mut at = 0;
    while at < reached.len() {
        let (term, is_strict) = reached[at];
        at += 1;
        for c in known {
            let mut go = |next: Term, strict: bool| {
                let next = (next, is_strict || strict);
                if !reached.contains(&next) {
                    reached.push(next);
                }
            };
            match c.relation {
                Relation::Less | Relation::Parent if c.left == term => go(c.right, true),
                Relation::AtMost if c.left == term => go(c.right, false),
                Relation::Same if c.left == term => go(c.right, false),
                Relation::Same if c.right == term => go(c.left, false),
                // A parent is a position.
                Relation::Parent if term == Term::Zero => go(c.left, false),
                _ => {}
            }
        }
    }
    match (
        reached.contains(&(to, true)),
        reached.contains(&(to, false)),
    ) {
        (true, _) => Some(Orders::LESS),
        (false, true) => Some(Orders::AT_MOST),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Arrangement, DataTerm, ForAll};

    const Y: [Term; 2] = [Term::Quantified(0), Term::Quantified(1)];
    const I: Term = Term::Variable(0);
    const N: Term = Term::Variable(1);

    fn constraint(left: Term, relation: Relation, right: Term) -> Constraint {
        Constraint {
            left,
            relation,
            right,
        }
    }

    fn sorted(guard: &[Constraint], orders: Orders) -> Conjunct {
        let at = |cell| DataTerm::At {
            structure: 0,
            cell,
            field: 0,
        };
        Conjunct::ForAll(ForAll {
            over: vec![0, 0],
            guard: guard.to_vec(),
            conclusion: Conclusion::All(vec![Comparison {
                left: at(Y[0]),
                orders,
                right: at(Y[1]),
            }]),
        })
    }

    #[test]
    fn a_part_of_a_sorted_range_is_sorted() {
        use Relation::{AtMost, Less, Parent};
        let whole = [
            constraint(Term::Zero, AtMost, Y[0]),
            constraint(Y[0], AtMost, Y[1]),
            constraint(Y[1], Less, N),
        ];
        let part = [
            constraint(Term::Zero, AtMost, Y[0]),
            constraint(Y[0], Less, I),
            constraint(I, AtMost, Y[1]),
            constraint(Y[1], Less, N),
        ];
        let heap = [constraint(Y[0], Parent, Y[1]), constraint(Y[1], Less, N)];
        let below = |relation| {
            Conjunct::OneOf(vec![Arrangement {
                constraints: vec![constraint(I, relation, N)],
                comparisons: Vec::new(),
            }])
        };
        let all = [
            sorted(&part, Orders::AT_MOST),
            sorted(&whole, Orders::AT_MOST),
            sorted(&heap, Orders::AT_MOST),
            // Stronger, so it has to be said.
            sorted(&part, Orders::LESS),
            below(Less),
            below(AtMost),
        ];
        let said = worth_saying(&all, &[true; 6]);
        assert_eq!(said, [false, true, false, true, true, false]);
        // What is not proved implies nothing.
        let said = worth_saying(&all, &[true, false, true, true, true, true]);
        assert_eq!(said, [false, false, true, true, true, false]);
    }

    #[test]
    fn of_two_that_say_the_same_one_is_said() {
        let guard = [constraint(Y[0], Relation::AtMost, Y[1])];
        let all = [
            sorted(&guard, Orders::AT_MOST),
            sorted(&guard, Orders::AT_MOST),
        ];
        let said = worth_saying(&all, &[true; 2]);
        assert_eq!(said.iter().filter(|s| **s).count(), 1);
    }
}

//! Facts of one point that learn from states: each has room for all states it was shown.
//!
//! A fact begins as what is true of the states of runs, and a state that it excludes makes it weaker,
//! or unmakes it. So the facts that are left when no counterexample to induction is found any more are
//! the strongest of their kinds that are inductive together (C. Flanagan and K. R. M. Leino, *Houdini*,
//! 2001; T. Reps, M. Sagiv and G. Yorsh, *Symbolic Implementation of the Best Transformer*, 2004; bounds
//! go up to the next constant of the program, so that there is an end).

use super::formula::{Formula, Reading, Sum};
use std::collections::BTreeSet;

/// A set of values larger than this says nothing.
const MAX_VALUES: usize = 24;
/// A set under a condition that had to grow so often is not the whole of it: each value is a question.
const MAX_GROWTH: usize = 6;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A sum of variables is between these.
    Bounds {
        parts: Vec<(i64, usize)>,
        least: Option<i128>,
        most: Option<i128>,
    },
    /// A variable is one of these.
    Values {
        variable: usize,
        values: BTreeSet<i128>,
    },
    /// A variable has this remainder.
    Remainder {
        variable: usize,
        modulus: u64,
        rest: i128,
    },
    /// This is so, or nothing is said.
    Fixed(Formula),
}

/// A shape, where a condition holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    pub guard: Option<Formula>,
    pub shape: Shape,
    /// It says nothing any more.
    pub is_gone: bool,
    /// How often it had to make room.
    n_learned: usize,
}

/// What a fact speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FactKind {
    /// One variable.
    Single,
    /// Several at once.
    Relation,
    /// What speaks of powers of two.
    Power,
    /// What holds under a condition.
    Guarded,
    /// What speaks of powers of two under a condition.
    GuardedPower,
}

impl FactKind {
    pub const ALL: [FactKind; 5] = [
        FactKind::Single,
        FactKind::Relation,
        FactKind::Power,
        FactKind::Guarded,
        FactKind::GuardedPower,
    ];

    pub fn has_powers(self) -> bool {
        matches!(self, FactKind::Power | FactKind::GuardedPower)
    }

    /// The next kind, if it is the same with powers of two.
    pub fn with_powers(self) -> Option<Self> {
        match self {
            FactKind::Relation => Some(FactKind::Power),
            FactKind::Guarded => Some(FactKind::GuardedPower),
            _ => None,
        }
    }
}

/// What facts of a point have in common.
pub struct Scale {
    pub readings: Vec<Reading>,
    /// Where bounds stop on their way, ascending.
    pub thresholds: Vec<i128>,
}

impl Fact {
    pub fn new(guard: Option<Formula>, shape: Shape) -> Self {
        Self {
            guard,
            shape,
            is_gone: false,
            n_learned: 0,
        }
    }

    pub fn kind(&self) -> FactKind {
        let has_powers = matches!(&self.shape, Shape::Fixed(formula) if formula.has_powers());
        match (self.guard.is_some(), has_powers) {
            (false, true) => return FactKind::Power,
            (true, false) => return FactKind::Guarded,
            (true, true) => return FactKind::GuardedPower,
            (false, false) => {}
        }
        match &self.shape {
            Shape::Bounds { parts, .. } if parts.len() > 1 => FactKind::Relation,
            Shape::Bounds { .. } | Shape::Values { .. } | Shape::Remainder { .. } => {
                FactKind::Single
            }
            Shape::Fixed(formula) => {
                let mut variables = BTreeSet::new();
                formula.for_each_variable(&mut |v| {
                    variables.insert(v);
                });
                match variables.len() {
                    0 | 1 => FactKind::Single,
                    _ => FactKind::Relation,
                }
            }
        }
    }

    pub fn formula(&self) -> Formula {
        let said = match &self.shape {
            Shape::Bounds { parts, least, most } => match (least, most) {
                (Some(a), Some(b)) if a == b => Formula::Zero(Sum::of(parts, -a)),
                _ => {
                    let mut list = Vec::new();
                    if let Some(least) = least {
                        let negated: Vec<(i64, usize)> =
                            parts.iter().map(|&(c, v)| (-c, v)).collect();
                        list.push(Formula::AtMostZero(Sum::of(&negated, *least)));
                    }
                    if let Some(most) = most {
                        list.push(Formula::AtMostZero(Sum::of(parts, -most)));
                    }
                    match list.len() {
                        1 => list.swap_remove(0),
                        _ => Formula::All(list),
                    }
                }
            },
            Shape::Values { variable, values } => {
                let is = |v: &i128| Formula::Zero(Sum::of(&[(1, *variable)], -v));
                let mut list: Vec<Formula> = values.iter().map(is).collect();
                match list.len() {
                    1 => list.swap_remove(0),
                    _ => Formula::Any(list),
                }
            }
            Shape::Remainder {
                variable,
                modulus,
                rest,
            } => Formula::Multiple(Sum::of(&[(1, *variable)], -rest), *modulus),
            Shape::Fixed(formula) => formula.clone(),
        };
        match &self.guard {
            None => said,
            Some(guard) => Formula::Any(vec![guard.clone().negated(), said]),
        }
    }

    /// Makes room for a state; whether it had to.
    pub fn learn(&mut self, state: &[i128], scale: &Scale) -> bool {
        if self.is_gone || self.guard.as_ref().is_some_and(|g| !g.holds(state)) {
            return false;
        }
        match &mut self.shape {
            Shape::Bounds { parts, least, most } => {
                let value = Sum::of(parts, 0).value(state);
                let mut is_new = false;
                if least.is_some_and(|l| value < l) {
                    *least = scale.below(value, parts);
                    is_new = true;
                }
                if most.is_some_and(|m| value > m) {
                    *most = scale.above(value, parts);
                    is_new = true;
                }
                self.is_gone = least.is_none() && most.is_none();
                is_new
            }
            Shape::Values { variable, values } => {
                let is_new = values.insert(state[*variable]);
                self.n_learned += usize::from(is_new);
                let is_growing = self.guard.is_some() && self.n_learned > MAX_GROWTH;
                self.is_gone = values.len() > MAX_VALUES || is_growing;
                is_new
            }
            Shape::Remainder {
                variable,
                modulus,
                rest,
            } => {
                let distance = (state[*variable] - *rest).unsigned_abs();
                if distance.is_multiple_of(u128::from(*modulus)) {
                    return false;
                }
                *modulus = gcd(u128::from(*modulus), distance) as u64;
                *rest = rest.rem_euclid(i128::from(*modulus));
                self.is_gone = *modulus == 1;
                true
            }
            Shape::Fixed(formula) => {
                self.is_gone = !formula.holds(state);
                self.is_gone
            }
        }
    }
}

impl Scale {
    /// Bounds stop at these numbers; and at large powers of two, if one wants that: what grows by doubling goes
    /// beyond all constants.
    pub fn stop_at(&mut self, constants: &[i128], has_powers: bool) {
        self.thresholds = constants.to_vec();
        if has_powers {
            let powers = [8, 12, 16, 20].into_iter().chain(24..31);
            self.thresholds.extend(powers.map(|k| 1i128 << k));
            self.thresholds.sort_unstable();
            self.thresholds.dedup();
        }
    }

    fn range(&self, parts: &[(i64, usize)]) -> (i128, i128) {
        let mut range = (0i128, 0i128);
        for &(c, v) in parts {
            let (a, b) = (self.readings[v].least(), self.readings[v].most());
            let (a, b) = (a * i128::from(c), b * i128::from(c));
            range = (range.0 + a.min(b), range.1 + a.max(b));
        }
        range
    }

    /// The next bound at or below a value; none if that says nothing.
    fn below(&self, value: i128, parts: &[(i64, usize)]) -> Option<i128> {
        let at = self.thresholds.partition_point(|&t| t <= value);
        let found = self.thresholds[..at].last().copied();
        found.filter(|&t| t > self.range(parts).0)
    }

    fn above(&self, value: i128, parts: &[(i64, usize)]) -> Option<i128> {
        let at = self.thresholds.partition_point(|&t| t < value);
        let found = self.thresholds.get(at).copied();
        found.filter(|&t| t < self.range(parts).1)
    }
}

pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale() -> Scale {
        let reading = Reading {
            width: 8,
            is_signed: true,
        };
        Scale {
            readings: vec![reading; 2],
            thresholds: vec![-5, 0, 1, 10],
        }
    }

    fn any_fact() -> impl Strategy<Value = Fact> {
        let bounds = (-9i128..0, 0i128..9).prop_map(|(a, b)| Shape::Bounds {
            parts: vec![(1, 0), (-1, 1)],
            least: Some(a),
            most: Some(b),
        });
        let values =
            prop::collection::btree_set(-9i128..9, 1..4).prop_map(|values| Shape::Values {
                variable: 1,
                values,
            });
        let remainder = (2u64..9, -4i128..4).prop_map(|(modulus, rest)| Shape::Remainder {
            variable: 0,
            modulus,
            rest,
        });
        let fixed = (-9i128..9)
            .prop_map(|c| Shape::Fixed(Formula::Wraps(Sum::of(&[(1, 0), (3, 1)], c), 8)));
        let guard =
            prop::option::of((-9i128..9).prop_map(|c| Formula::AtMostZero(Sum::of(&[(1, 0)], c))));
        (guard, prop_oneof![bounds, values, remainder, fixed])
            .prop_map(|(guard, shape)| Fact::new(guard, shape))
    }

    proptest! {
        /// A fact that has seen a state allows it, and all that it allowed before.
        #[test]
        fn learning_makes_weaker(
            fact in any_fact(),
            new in prop::array::uniform2(-128i128..128),
            old in prop::array::uniform2(-128i128..128),
        ) {
            let before = fact.formula();
            let mut after = fact.clone();
            let is_new = after.learn(&new, &scale());
            prop_assert_eq!(is_new, !before.holds(&new));
            if !after.is_gone {
                prop_assert!(after.formula().holds(&new));
                prop_assert!(!before.holds(&old) || after.formula().holds(&old));
            }
        }
    }
}

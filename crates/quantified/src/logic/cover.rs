//! Few and wide guards for a set of placements.
//!
//! Given placements where something holds and placements where it does not, finds conjunctions of
//! constraints that together cover the first and touch none of the second: prime implicants by
//! dropping one constraint after the other, the widest first.

use super::path::PlacementPath;
use crate::formula::{Constraint, Relation, Term};

/// A set of constraints, one bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    pub fn none(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)])
    }

    pub fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub fn clear(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    pub fn get(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    pub fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub fn count(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&i| self.get(i))
    }
}

/// For each placement which constraints must and which may hold.
pub struct Table {
    pub atoms: Vec<Constraint>,
    pub must: Vec<Bits>,
    pub may: Vec<Bits>,
}

impl Table {
    /// The order of the atoms matters: those that come first are dropped first, so that the
    /// constraints one likes to read come last.
    pub fn new(atoms: Vec<Constraint>, paths: &[PlacementPath]) -> Table {
        let mut table = Table {
            must: Vec::with_capacity(paths.len()),
            may: Vec::with_capacity(paths.len()),
            atoms,
        };
        for path in paths {
            let mut must = Bits::none(table.atoms.len());
            let mut may = must.clone();
            for (i, &atom) in table.atoms.iter().enumerate() {
                let truth = path.truth(atom);
                if truth.must {
                    must.set(i);
                }
                if truth.may {
                    may.set(i);
                }
            }
            table.must.push(must);
            table.may.push(may);
        }
        table
    }

    /// Guards that cover all of `wanted`, as far as constraints can tell them from `unwanted`.
    /// Placements in `allowed` may be covered too. `fixed` gives alternatives of constraints that a
    /// guard for a placement has to keep; the widest result counts.
    pub fn cover(
        &self,
        wanted: &[usize],
        allowed: &[usize],
        unwanted: &[usize],
        fixed: impl Fn(usize) -> Vec<Bits>,
    ) -> Vec<Guard> {
        let mut left: Vec<usize> = wanted.to_vec();
        let mut guards: Vec<Guard> = Vec::new();
        while let Some(&seed) = left.first() {
            let best = fixed(seed)
                .into_iter()
                .flat_map(|kept| [true, false].map(|reversed| (kept.clone(), reversed)))
                .filter_map(|(kept, reversed)| self.widen(seed, &kept, unwanted, reversed))
                .map(|bits| {
                    let covers = |p: &&usize| bits.is_subset(&self.must[**p]);
                    let n = left.iter().filter(covers).count();
                    let n_allowed = allowed.iter().filter(covers).count();
                    (n, n_allowed, bits)
                })
                .max_by_key(|(n, n_allowed, bits)| {
                    (*n, *n_allowed, std::cmp::Reverse(self.effort(bits)))
                });
            let Some((_, _, bits)) = best else {
                left.remove(0);
                continue;
            };
            let covered: Vec<usize> = (allowed.iter().chain(wanted).copied())
                .filter(|&p| bits.is_subset(&self.must[p]))
                .collect();
            left.retain(|p| !covered.contains(p));
            guards.push(Guard { bits, covered });
        }
        guards
    }

    /// The guard of one placement with as many constraints dropped as possible.
    fn widen(&self, seed: usize, kept: &Bits, unwanted: &[usize], reversed: bool) -> Option<Bits> {
        let mut bits = self.must[seed].clone();
        let excludes = |bits: &Bits| unwanted.iter().all(|&u| !bits.is_subset(&self.may[u]));
        if !kept.is_subset(&bits) || !excludes(&bits) {
            return None;
        }
        let n = self.atoms.len();
        for i in 0..n {
            let i = if reversed { n - 1 - i } else { i };
            if bits.get(i) && !kept.get(i) {
                bits.clear(i);
                if !excludes(&bits) {
                    bits.set(i);
                }
            }
        }
        Some(bits)
    }

    /// How hard a guard is to read.
    fn effort(&self, bits: &Bits) -> u32 {
        let of = |i: usize| {
            let Constraint {
                left,
                relation,
                right,
            } = self.atoms[i];
            let is_program = |t: Term| matches!(t, Term::Variable(_));
            match relation {
                Relation::Same => 2,
                Relation::Next => 3,
                Relation::Apart => 8,
                // Of two of the program's pointers, it says less than it seems to: null is reached
                // from everywhere.
                _ if is_program(left) && is_program(right) => 5,
                _ => 4,
            }
        };
        bits.iter().map(of).sum()
    }

    pub fn constraints(&self, bits: &Bits) -> Vec<Constraint> {
        bits.iter().map(|i| self.atoms[i]).collect()
    }
}

/// A conjunction of constraints and the placements it covers.
pub struct Guard {
    pub bits: Bits,
    pub covered: Vec<usize>,
}

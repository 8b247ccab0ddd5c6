//! What words and data formulas at a point are made of.
//!
//! The paper's Cartesian lattice over {=, <, ≤} is, for each pair of integer terms, a set of the
//! orders less, equal, greater: three bits ([`Orders`]). A data formula is such a set for each
//! pair of interest, the join of two formulas is their bitwise union, and the empty sets are *false*.

use crate::formula::{DataTerm, Orders, Term};
use crate::point::{ArraySize, Datum, Point, Role, Snapshot, Structure};

/// A conjunction of comparisons: three bits for each pair of the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct DataFormula(pub u128);

/// As many pairs as there is room for.
pub const MAX_PAIRS: usize = 42;

impl DataFormula {
    pub const FALSE: DataFormula = DataFormula(0);

    pub fn orders(self, pair: usize) -> Orders {
        Orders((self.0 >> (3 * pair)) as u8 & 7)
    }

    pub fn with(self, pair: usize, orders: Orders) -> Self {
        DataFormula(self.0 | u128::from(orders.0) << (3 * pair))
    }

    /// The least formula that both imply.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        DataFormula(self.0 | other.0)
    }

    /// The order of the lattice.
    pub fn implies(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

/// Two integers that are compared. Structures are those of the quantified cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ComparedPair {
    pub left: DataTerm,
    pub right: DataTerm,
}

/// The pairs for a number of quantified variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vocabulary {
    pub n_quantified: usize,
    pub pairs: Vec<ComparedPair>,
    /// Pairs that there was no room for; nothing is said of them.
    pub n_dropped: usize,
}

impl Vocabulary {
    pub fn new(point: &Point, constants: &[i64], n_quantified: usize) -> Self {
        let mut pairs = match n_quantified {
            0 => scalar_pairs(point, constants),
            _ => data_pairs(point, constants, n_quantified),
        };
        let n_dropped = pairs.len().saturating_sub(MAX_PAIRS);
        pairs.truncate(MAX_PAIRS);
        Vocabulary {
            n_quantified,
            pairs,
            n_dropped,
        }
    }

    /// The strongest formula that holds of a snapshot with these cells as quantified variables.
    pub fn formula(&self, snapshot: &Snapshot, cells: &[(usize, usize)]) -> DataFormula {
        let mut formula = DataFormula::FALSE;
        for (i, pair) in self.pairs.iter().enumerate() {
            let (left, right) = (
                value(snapshot, cells, pair.left),
                value(snapshot, cells, pair.right),
            );
            let orders = match (left, right) {
                (Value::Known(left), Value::Known(right)) => Orders::of(left, right),
                // The pair is about cells of another structure.
                (Value::Absent, _) | (_, Value::Absent) => Orders::NONE,
                _ => Orders::ANY,
            };
            formula = formula.with(i, orders);
        }
        formula
    }
}

enum Value {
    Known(i64),
    /// Never written: any order is possible.
    Unknown,
    Absent,
}

fn value(snapshot: &Snapshot, cells: &[(usize, usize)], term: DataTerm) -> Value {
    match term {
        DataTerm::Constant(value) => Value::Known(value),
        DataTerm::Variable(v) => match snapshot.values[v] {
            Datum::Number(n) => Value::Known(n),
            _ => Value::Absent,
        },
        DataTerm::At {
            structure,
            cell: Term::Quantified(y),
            field,
        } => {
            let (chain, cell) = cells[y];
            let chain = &snapshot.chains[chain];
            if chain.structure == structure {
                chain
                    .datum(cell, field)
                    .map_or(Value::Unknown, Value::Known)
            } else {
                Value::Absent
            }
        }
        DataTerm::At { .. } | DataTerm::Sum(_) | DataTerm::Linear(_) => Value::Absent,
    }
}

/// Numbers of the program against each other: scalars and constants; indices, lengths and 0.
fn scalar_pairs(point: &Point, constants: &[i64]) -> Vec<ComparedPair> {
    let mut pairs = Vec::new();
    let n = point.variables.len();
    for a in 0..n {
        for b in a + 1..n {
            let comparable = match (point.variables[a].role, point.variables[b].role) {
                (Role::Scalar, Role::Scalar) => true,
                (
                    Role::Index { structure: s } | Role::Length { structure: s },
                    Role::Index { structure: t } | Role::Length { structure: t },
                ) => s == t,
                _ => false,
            };
            if comparable {
                pairs.push(ComparedPair {
                    left: DataTerm::Variable(a),
                    right: DataTerm::Variable(b),
                });
            }
        }
    }
    for (v, variable) in point.variables.iter().enumerate() {
        let left = DataTerm::Variable(v);
        let mut against: Vec<i64> = Vec::new();
        match variable.role {
            Role::Scalar => against.extend(constants),
            Role::Index { structure } => {
                against.push(0);
                against.extend(known_size(point, structure));
            }
            _ => {}
        }
        pairs.extend(against.into_iter().map(|c| ComparedPair {
            left,
            right: DataTerm::Constant(c),
        }));
    }
    pairs
}

/// The number of elements of arrays that is part of their type.
fn known_size(point: &Point, structure: usize) -> Option<i64> {
    match &point.structures[structure] {
        Structure::Array(group) => match group.size {
            ArraySize::Constant(n) => i64::try_from(n).ok(),
            ArraySize::Variable(_) => None,
        },
        Structure::List(_) => None,
    }
}

/// Data at quantified cells against each other, scalars and constants.
fn data_pairs(point: &Point, constants: &[i64], n_quantified: usize) -> Vec<ComparedPair> {
    let at = |structure, y, field| DataTerm::At {
        structure,
        cell: Term::Quantified(y),
        field,
    };
    let mut pairs = Vec::new();
    for (s, structure) in point.structures.iter().enumerate() {
        let n_fields = structure.fields().len();
        for y in 0..n_quantified {
            for z in y + 1..n_quantified {
                // The same datum of two cells, and data of two structures.
                pairs.extend((0..n_fields).map(|f| ComparedPair {
                    left: at(s, y, f),
                    right: at(s, z, f),
                }));
                for (t, other) in point.structures.iter().enumerate() {
                    if t != s && n_fields == 1 && other.fields().len() == 1 {
                        pairs.push(ComparedPair {
                            left: at(s, y, 0),
                            right: at(t, z, 0),
                        });
                    }
                }
            }
            // Different data of one cell: arrays that are read in step.
            for f in 0..n_fields {
                pairs.extend((f + 1..n_fields).map(|g| ComparedPair {
                    left: at(s, y, f),
                    right: at(s, y, g),
                }));
            }
        }
    }
    for (s, structure) in point.structures.iter().enumerate() {
        for y in 0..n_quantified {
            for f in 0..structure.fields().len() {
                let left = at(s, y, f);
                let scalars = point.scalars().map(DataTerm::Variable);
                let constants = constants.iter().map(|&c| DataTerm::Constant(c));
                pairs.extend(
                    scalars
                        .chain(constants)
                        .map(|right| ComparedPair { left, right }),
                );
            }
        }
    }
    pairs
}

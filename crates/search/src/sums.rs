//! Conditions read as comparisons of sums: a few variables with coefficients, and a constant.

use idiolect_smt::{BinaryOp, Node, Sort, TermId, Terms, UnaryOp, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Terms nest no deeper than this; deeper ones are for the solver.
const DEPTH: u32 = 400;
/// Cases of one condition that are told apart.
pub const MAX_CASES: usize = 9;
/// Coefficients beyond this leave no room for products.
const MAX_COEFFICIENT: i128 = 1 << 62;
const MAX_CONSTANT: i128 = 1 << 100;

/// A sum of variables with coefficients, and a constant; equal to a term modulo 2^w.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrappedSum {
    pub parts: BTreeMap<VarId, i128>,
    pub constant: i128,
}

impl WrappedSum {
    fn constant(constant: i128) -> Self {
        let parts = BTreeMap::new();
        Self { parts, constant }
    }

    fn plus(&self, other: &Self, times: i128) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(times)?)?;
        for (&v, &k) in &other.parts {
            let part = sum.parts.entry(v).or_insert(0);
            *part = part.checked_add(k.checked_mul(times)?)?;
        }
        sum.parts.retain(|_, k| *k != 0);
        let is_small = |k: i128| k.unsigned_abs() < MAX_COEFFICIENT as u128;
        let is_plain = sum.parts.len() <= 2 && sum.constant.unsigned_abs() < MAX_CONSTANT as u128;
        (is_plain && sum.parts.values().all(|&k| is_small(k))).then_some(sum)
    }
}

/// How two sums compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumRelation {
    Equal,
    Different,
    /// `<`, or `<=` if it is not strict.
    Less {
        is_signed: bool,
        is_strict: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SumComparison {
    pub relation: SumRelation,
    pub left: WrappedSum,
    pub right: WrappedSum,
    pub width: u32,
}

/// Some case holds; a case is a list of comparisons that all do.
pub type Cases = Vec<Vec<SumComparison>>;

/// Reads terms as sums.
pub struct Reader<'t> {
    terms: &'t Terms,
    sums: FxHashMap<TermId, Option<WrappedSum>>,
    /// How a variable is compared: signed, or unsigned. Its values are counted that way.
    pub votes: BTreeMap<VarId, [u32; 2]>,
}

/// The number that the bits of a constant mean, as a signed one.
fn signed(value: u128, width: u32) -> Option<i128> {
    let value = i128::try_from(value).ok()?;
    match width {
        128 => None,
        _ if value >> (width - 1) & 1 == 1 => Some(value - (1 << width)),
        _ => Some(value),
    }
}

impl<'t> Reader<'t> {
    pub fn new(terms: &'t Terms) -> Self {
        Self {
            terms,
            sums: FxHashMap::default(),
            votes: BTreeMap::new(),
        }
    }

    fn sum(&mut self, term: TermId, depth: u32) -> Option<WrappedSum> {
        if let Some(known) = self.sums.get(&term) {
            return known.clone();
        }
        let sum = match depth {
            0 => None,
            _ => self.read_sum(term, depth - 1),
        };
        self.sums.insert(term, sum.clone());
        sum
    }

    fn read_sum(&mut self, term: TermId, depth: u32) -> Option<WrappedSum> {
        let Sort::BitVec(width) = self.terms.sort(term) else {
            return None;
        };
        if width > 64 {
            return None;
        }
        match self.terms.node(term) {
            Node::Const(value) => Some(WrappedSum::constant(signed(value, width)?)),
            Node::Var(v) => Some(WrappedSum {
                parts: BTreeMap::from([(v, 1)]),
                constant: 0,
            }),
            Node::Unary(UnaryOp::Neg, a) => {
                let a = self.sum(a, depth)?;
                WrappedSum::constant(0).plus(&a, -1)
            }
            // `~a` is `-a - 1`.
            Node::Unary(UnaryOp::Not, a) => {
                let a = self.sum(a, depth)?;
                WrappedSum::constant(-1).plus(&a, -1)
            }
            Node::Binary(BinaryOp::Add, a, b) => {
                let (a, b) = (self.sum(a, depth)?, self.sum(b, depth)?);
                a.plus(&b, 1)
            }
            Node::Binary(BinaryOp::Sub, a, b) => {
                let (a, b) = (self.sum(a, depth)?, self.sum(b, depth)?);
                a.plus(&b, -1)
            }
            Node::Binary(BinaryOp::Mul, a, b) => {
                let (term, k) = match (self.terms.as_const(a), self.terms.as_const(b)) {
                    (_, Some(k)) => (a, k),
                    (Some(k), _) => (b, k),
                    _ => return None,
                };
                let sum = self.sum(term, depth)?;
                WrappedSum::constant(0).plus(&sum, signed(k, width)?)
            }
            Node::Binary(BinaryOp::Shl, a, b) => {
                let n = u32::try_from(self.terms.as_const(b)?).ok()?;
                let sum = self.sum(a, depth)?;
                (n < width).then(|| WrappedSum::constant(0).plus(&sum, 1 << n))?
            }
            _ => None,
        }
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        a: TermId,
        b: TermId,
        holds: bool,
    ) -> Option<SumComparison> {
        let Sort::BitVec(width) = self.terms.sort(a) else {
            return None;
        };
        let (mut left, mut right) = (self.sum(a, DEPTH)?, self.sum(b, DEPTH)?);
        let is_signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
        let relation = match op {
            BinaryOp::Eq if holds => SumRelation::Equal,
            BinaryOp::Eq => SumRelation::Different,
            _ => {
                for v in left.parts.keys().chain(right.parts.keys()) {
                    self.votes.entry(*v).or_default()[usize::from(!is_signed)] += 1;
                }
                // What is not less is greater or equal.
                if !holds {
                    std::mem::swap(&mut left, &mut right);
                }
                let is_strict = matches!(op, BinaryOp::Ult | BinaryOp::Slt) == holds;
                SumRelation::Less {
                    is_signed,
                    is_strict,
                }
            }
        };
        Some(SumComparison {
            relation,
            left,
            right,
            width,
        })
    }

    /// The cases of a condition, or of its opposite; `None` if it is something else.
    pub fn cases(&mut self, term: TermId, holds: bool, depth: u32) -> Option<Cases> {
        if depth == 0 || self.terms.sort(term) != Sort::Bool {
            return None;
        }
        match self.terms.node(term) {
            Node::Const(value) => Some(if (value != 0) == holds {
                vec![Vec::new()]
            } else {
                Vec::new()
            }),
            Node::Unary(UnaryOp::Not, a) => self.cases(a, !holds, depth - 1),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.cases(a, holds, depth - 1)?;
                let b = self.cases(b, holds, depth - 1)?;
                let all: Cases = if (op == BinaryOp::And) == holds {
                    (a.iter())
                        .flat_map(|x| b.iter().map(|y| [x.as_slice(), y].concat()))
                        .collect()
                } else {
                    a.into_iter().chain(b).collect()
                };
                (all.len() <= MAX_CASES).then_some(all)
            }
            Node::Binary(
                op @ (BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle),
                a,
                b,
            ) => Some(vec![vec![self.comparison(op, a, b, holds)?]]),
            _ => None,
        }
    }
}

//! What can be known of a term's value without asking a solver: bits that are always 0 or always 1,
//! and an unsigned range. Computed once when the term is built, from the facts of its operands.

use rustc_hash::FxHashMap;

use crate::semantics::{apply_binary, apply_extract, apply_unary};
use crate::term::{BinaryOp, Node, Sort, TermId, Terms, UnaryOp, mask};

/// `zeros` and `ones` are the bits known to be 0 and 1 (within the width), and the value lies in
/// `min..=max`. The two halves are kept consistent: `ones <= min` and `max <= !zeros`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitFacts {
    pub zeros: u128,
    pub ones: u128,
    pub min: u128,
    pub max: u128,
}

impl BitFacts {
    pub fn unknown(width: u32) -> Self {
        Self {
            zeros: 0,
            ones: 0,
            min: 0,
            max: mask(width),
        }
    }

    pub fn constant(value: u128, width: u32) -> Self {
        Self {
            zeros: !value & mask(width),
            ones: value,
            min: value,
            max: value,
        }
    }

    #[inline]
    pub fn as_constant(&self) -> Option<u128> {
        (self.min == self.max).then_some(self.min)
    }

    /// Whether both can be equal to one value.
    pub fn may_equal(&self, other: &Self) -> bool {
        self.zeros & other.ones == 0
            && self.ones & other.zeros == 0
            && self.min <= other.max
            && other.min <= self.max
    }

    /// The sign bit, if it is known.
    pub fn sign(&self, width: u32) -> Option<bool> {
        let top = 1 << (width - 1);
        if self.ones & top != 0 {
            Some(true)
        } else if self.zeros & top != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// Both halves sharpened by each other.
    fn close(mut self, width: u32) -> Self {
        let m = mask(width);
        self.min = self.min.max(self.ones);
        self.max = self.max.min(!self.zeros & m);
        if self.min > self.max {
            // Only reachable for terms without any model value, which do not exist; keep it harmless.
            return Self::unknown(width);
        }
        // The leading bits in which both ends agree are the same for everything between them.
        let differing = 128 - (self.min ^ self.max).leading_zeros();
        let agree = if differing >= 128 {
            0
        } else {
            (u128::MAX << differing) & m
        };
        self.ones |= self.min & agree;
        self.zeros |= !self.min & agree;
        self
    }

    fn bits(zeros: u128, ones: u128, width: u32) -> Self {
        Self {
            zeros,
            ones,
            ..Self::unknown(width)
        }
        .close(width)
    }

    fn range(min: u128, max: u128, width: u32) -> Self {
        Self {
            min,
            max,
            ..Self::unknown(width)
        }
        .close(width)
    }

    fn join(&self, other: &Self, width: u32) -> Self {
        Self {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
        .close(width)
    }

    /// The facts of a node whose operands are in the pool.
    pub(crate) fn of(terms: &Terms, node: Node, sort: Sort) -> Self {
        let width = sort.width();
        match node {
            Node::Const(value) => Self::constant(value, width),
            Node::Var(_) | Node::Select(..) => Self::unknown(width),
            Node::Unary(op, a) => of_unary(terms, op, a, width),
            Node::Binary(op, a, b) => of_binary(terms, op, a, b, width),
            Node::Ite(c, a, b) => match terms.facts(c).as_constant() {
                Some(1) => *terms.facts(a),
                Some(_) => *terms.facts(b),
                None => terms.facts(a).join(terms.facts(b), width),
            },
            Node::Extract { hi, lo, arg } => {
                let a = terms.facts(arg);
                let mut facts = Self::bits(
                    apply_extract(hi, lo, a.zeros),
                    apply_extract(hi, lo, a.ones),
                    width,
                );
                // Shifting is monotone; cutting at the top is harmless if nothing is there.
                if a.max >> lo <= mask(width) {
                    facts.min = facts.min.max(a.min >> lo);
                    facts.max = facts.max.min(a.max >> lo);
                    facts = facts.close(width);
                }
                facts
            }
        }
    }
}

fn of_unary(terms: &Terms, op: UnaryOp, a: TermId, width: u32) -> BitFacts {
    let from = terms.width(a);
    let f = terms.facts(a);
    if let Some(value) = f.as_constant() {
        return BitFacts::constant(apply_unary(op, value, from, width), width);
    }
    match op {
        UnaryOp::Not => BitFacts {
            zeros: f.ones,
            ones: f.zeros,
            min: !f.max & mask(width),
            max: !f.min & mask(width),
        },
        UnaryOp::Neg => {
            // Trailing zeros stay; `-x` of a range without 0 is a range.
            let low = low_ones(f.zeros);
            let mut out = BitFacts::bits(low, 0, width);
            if f.min > 0 {
                out.min = out.min.max(f.max.wrapping_neg() & mask(width));
                out.max = out.max.min(f.min.wrapping_neg() & mask(width));
                out = out.close(width);
            }
            out
        }
        UnaryOp::ZeroExtend => BitFacts {
            zeros: f.zeros | (mask(width) & !mask(from)),
            ..*f
        },
        UnaryOp::SignExtend => {
            let high = mask(width) & !mask(from);
            match f.sign(from) {
                Some(true) => BitFacts {
                    zeros: f.zeros,
                    ones: f.ones | high,
                    min: f.min | high,
                    max: f.max | high,
                },
                Some(false) => BitFacts {
                    zeros: f.zeros | high,
                    ..*f
                },
                None => BitFacts::bits(f.zeros & mask(from), f.ones, width),
            }
        }
    }
}

/// The mask of the lowest run of set bits, starting at bit 0.
fn low_ones(bits: u128) -> u128 {
    let n = bits.trailing_ones();
    if n == 0 { 0 } else { mask(n) }
}

fn of_binary(terms: &Terms, op: BinaryOp, a: TermId, b: TermId, width: u32) -> BitFacts {
    use BinaryOp::*;
    let (wa, wb) = (terms.width(a), terms.width(b));
    let (fa, fb) = (terms.facts(a), terms.facts(b));
    if let (Some(x), Some(y)) = (fa.as_constant(), fb.as_constant()) {
        return BitFacts::constant(apply_binary(op, x, y, wa, wb), width);
    }
    let m = mask(width);
    let truth = |value: Option<bool>| match value {
        Some(value) => BitFacts::constant(u128::from(value), 1),
        None => BitFacts::unknown(1),
    };
    match op {
        And => {
            let mut f = BitFacts::bits(fa.zeros | fb.zeros, fa.ones & fb.ones, width);
            f.max = f.max.min(fa.max).min(fb.max);
            f.close(width)
        }
        Or => {
            let mut f = BitFacts::bits(fa.zeros & fb.zeros, fa.ones | fb.ones, width);
            f.min = f.min.max(fa.min).max(fb.min);
            f.close(width)
        }
        Xor => {
            let known = (fa.zeros | fa.ones) & (fb.zeros | fb.ones);
            let ones = (fa.ones ^ fb.ones) & known;
            BitFacts::bits(known & !ones, ones, width)
        }
        Eq => truth((!fa.may_equal(fb)).then_some(false)),
        Ult => truth(below(fa, fb)),
        Ule => truth(below(fb, fa).map(|r| !r)),
        Slt | Sle => {
            let (sa, sb) = (fa.sign(wa), fb.sign(wa));
            truth(match (sa, sb) {
                (Some(x), Some(y)) if x != y => Some(x),
                (Some(_), Some(_)) if op == Slt => below(fa, fb),
                (Some(_), Some(_)) => below(fb, fa).map(|r| !r),
                _ => None,
            })
        }
        Add => {
            let mut f = BitFacts::bits(low_ones(fa.zeros) & low_ones(fb.zeros), 0, width);
            if let Some(max) = fa.max.checked_add(fb.max).filter(|&s| s <= m) {
                f.min = f.min.max(fa.min + fb.min);
                f.max = f.max.min(max);
                f = f.close(width);
            } else if let Some(min) = fa.min.checked_add(fb.min).filter(|&s| s > m) {
                // Both ends wrap, so everything between them does.
                f.min = f.min.max(min & m);
                f.max = f.max.min(fa.max.wrapping_add(fb.max) & m);
                f = f.close(width);
            }
            f
        }
        Sub => {
            let mut f = BitFacts::bits(low_ones(fa.zeros) & low_ones(fb.zeros), 0, width);
            if fa.min >= fb.max {
                f.min = f.min.max(fa.min - fb.max);
                f.max = f.max.min(fa.max - fb.min);
                f = f.close(width);
            }
            f
        }
        Mul => {
            let zeros = (fa.zeros.trailing_ones() + fb.zeros.trailing_ones()).min(width);
            let mut f = BitFacts::bits(if zeros == 0 { 0 } else { mask(zeros) }, 0, width);
            if let Some(max) = fa.max.checked_mul(fb.max).filter(|&p| p <= m) {
                f.min = f.min.max(fa.min * fb.min);
                f.max = f.max.min(max);
                f = f.close(width);
            }
            f
        }
        Udiv if fb.min > 0 => BitFacts::range(fa.min / fb.max, fa.max / fb.min, width),
        Urem if fb.min > 0 => BitFacts::range(0, fa.max.min(fb.max - 1), width),
        Urem => BitFacts::range(0, fa.max, width),
        Udiv | Sdiv | Srem => BitFacts::unknown(width),
        Shl => match fb.as_constant() {
            Some(n) if n < u128::from(width) => {
                let n = n as u32;
                let low = if n == 0 { 0 } else { mask(n) };
                BitFacts::bits(((fa.zeros << n) | low) & m, (fa.ones << n) & m, width)
            }
            _ => BitFacts::bits(low_ones(fa.zeros), 0, width),
        },
        Lshr => match fb.as_constant() {
            Some(n) if n < u128::from(width) => {
                let n = n as u32;
                let mut f = BitFacts::bits((fa.zeros >> n) | (m & !(m >> n)), fa.ones >> n, width);
                f.min = f.min.max(fa.min >> n);
                f.max = f.max.min(fa.max >> n);
                f.close(width)
            }
            _ => BitFacts::range(0, fa.max, width),
        },
        Ashr if fa.sign(width) == Some(false) => BitFacts::range(0, fa.max, width),
        Ashr => BitFacts::unknown(width),
        Concat => BitFacts {
            zeros: (fa.zeros << wb) | fb.zeros,
            ones: (fa.ones << wb) | fb.ones,
            min: (fa.min << wb) | fb.min,
            max: (fa.max << wb) | fb.max,
        },
    }
}

/// Whether `a < b` always or never, as unsigned numbers.
fn below(a: &BitFacts, b: &BitFacts) -> Option<bool> {
    if a.max < b.min {
        Some(true)
    } else if a.min >= b.max {
        Some(false)
    } else {
        None
    }
}

/// Facts by number: most terms share a handful, so a term keeps four bytes instead of 64.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactsTable {
    entries: Vec<BitFacts>,
    index: FxHashMap<BitFacts, u32>,
}

impl FactsTable {
    #[inline]
    pub(crate) fn get(&self, index: u32) -> &BitFacts {
        &self.entries[index as usize]
    }

    pub(crate) fn intern(&mut self, facts: BitFacts) -> u32 {
        let next = self.entries.len() as u32;
        let index = *self.index.entry(facts).or_insert(next);
        if index == next {
            self.entries.push(facts);
        }
        index
    }
}

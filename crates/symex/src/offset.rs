//! Which offsets a symbolic index can lead to: `12 * i + 4` is 4 modulo 12, so that only one field
//! of each record has to be looked at.

use idiolect_smt::{BinaryOp, Node, TermId, Terms, UnaryOp};
use rustc_hash::FxHashMap;

/// Deeper operands are taken for unknown, so that no term can exhaust the call stack. Since answers
/// are remembered, what was looked at before counts as one level.
const MAX_NESTING: u32 = 64;

/// What was found out of the terms of one pool. Merged states share most of their operands, so that
/// looking at each of them anew takes time exponential in the nesting.
#[derive(Default)]
pub(crate) struct Offsets {
    bits: FxHashMap<TermId, u32>,
    congruences: FxHashMap<TermId, (u64, u64)>,
}

impl Offsets {
    /// `(m, r)`: the value, read as an unsigned number, is `r` modulo `m`; `m` is 0 for a constant.
    /// The statement is about the true value modulo 2^width, so other factors than two are only kept
    /// where nothing wraps around. A negative value is out of bounds whatever its residue is.
    pub(crate) fn congruence(&mut self, terms: &Terms, term: TermId) -> (u64, u64) {
        self.signed(terms, term, 0)
    }

    /// The number of bits that a signed reading of the value needs at most.
    pub(crate) fn bits(&mut self, terms: &Terms, term: TermId) -> u32 {
        self.bits_at(terms, term, 0)
    }

    fn bits_at(&mut self, terms: &Terms, term: TermId, nesting: u32) -> u32 {
        if let Some(&known) = self.bits.get(&term) {
            return known;
        }
        if nesting > MAX_NESTING {
            return terms.width(term);
        }
        let found = self.own_bits(terms, term, nesting + 1);
        self.bits.insert(term, found);
        found
    }

    fn own_bits(&mut self, terms: &Terms, term: TermId, nesting: u32) -> u32 {
        let width = terms.width(term);
        let own = match terms.node(term) {
            Node::Const(value) => {
                let shift = 128 - width;
                let value = ((value << shift) as i128) >> shift;
                129 - value.leading_zeros().max(value.leading_ones())
            }
            Node::Unary(UnaryOp::SignExtend, a) => self.bits_at(terms, a, nesting),
            Node::Unary(UnaryOp::ZeroExtend, a) => terms.width(a) + 1,
            Node::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                self.bits_at(terms, a, nesting)
                    .max(self.bits_at(terms, b, nesting))
                    + 1
            }
            Node::Binary(BinaryOp::Mul, a, b) => {
                self.bits_at(terms, a, nesting) + self.bits_at(terms, b, nesting)
            }
            Node::Binary(BinaryOp::Shl, a, b) => match terms.as_const(b) {
                Some(by) if by < 64 => self.bits_at(terms, a, nesting) + by as u32,
                _ => width,
            },
            Node::Ite(_, a, b) => self
                .bits_at(terms, a, nesting)
                .max(self.bits_at(terms, b, nesting)),
            _ => width,
        };
        let by_facts = 129 - terms.facts(term).max.leading_zeros();
        own.min(by_facts).min(width)
    }

    fn signed(&mut self, terms: &Terms, term: TermId, nesting: u32) -> (u64, u64) {
        if let Some(&known) = self.congruences.get(&term) {
            return known;
        }
        if nesting > MAX_NESTING || terms.width(term) > 64 {
            return from_facts(terms, term);
        }
        let found = self.own_congruence(terms, term, nesting + 1);
        self.congruences.insert(term, found);
        found
    }

    fn own_congruence(&mut self, terms: &Terms, term: TermId, nesting: u32) -> (u64, u64) {
        let width = terms.width(term);
        // Whether the operands' true values give the true value of the term.
        let exact = |needed: u32| needed < width;
        let found = match terms.node(term) {
            Node::Const(value) => {
                let shift = 128 - width;
                (0, (((value << shift) as i128) >> shift) as u64)
            }
            Node::Unary(UnaryOp::SignExtend, a) => {
                let (m, r) = self.signed(terms, a, nesting);
                if m == 0 {
                    return from_facts(terms, term);
                }
                // The value below may be read as negative here: then it lies lower by a power of two.
                if self.bits(terms, a) < terms.width(a) {
                    (m, r)
                } else {
                    power_of_two(m, r)
                }
            }
            Node::Unary(UnaryOp::ZeroExtend, a) => {
                let (m, r) = self.signed(terms, a, nesting);
                power_of_two(m, r)
            }
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (m, r) = self.signed(terms, a, nesting);
                let (n, q) = self.signed(terms, b, nesting);
                let modulus = gcd(m, n);
                if modulus == 0 {
                    return from_facts(terms, term);
                }
                // Constants are signed numbers here.
                let reduced = |x: u64| (x as i64).rem_euclid(modulus as i64) as u64;
                let residue = if op == BinaryOp::Add {
                    (reduced(r) + reduced(q)) % modulus
                } else {
                    (reduced(r) + modulus - reduced(q)) % modulus
                };
                let needed = self.bits(terms, a).max(self.bits(terms, b)) + 1;
                if exact(needed) {
                    (modulus, residue)
                } else {
                    power_of_two(modulus, residue)
                }
            }
            Node::Binary(op @ (BinaryOp::Mul | BinaryOp::Shl), a, b) => {
                let Some(constant) = terms.as_const(b) else {
                    return from_facts(terms, term);
                };
                let factor = match op {
                    BinaryOp::Mul => constant as u64,
                    _ if constant < 32 => 1 << constant,
                    _ => return from_facts(terms, term),
                };
                if factor == 0 || factor > 1 << 31 {
                    return from_facts(terms, term);
                }
                let (m, r) = self.signed(terms, a, nesting);
                let needed = self.bits(terms, a) + 64 - factor.leading_zeros();
                match (m.checked_mul(factor), r.checked_mul(factor)) {
                    (Some(m), Some(r)) if m < 1 << 40 && m > 0 && exact(needed) => (m, r % m),
                    _ if exact(needed) => (factor, 0),
                    _ => power_of_two(factor, 0),
                }
            }
            Node::Ite(_, a, b) => {
                let (m, r) = self.signed(terms, a, nesting);
                let (n, q) = self.signed(terms, b, nesting);
                let modulus = gcd(gcd(m, n), r.abs_diff(q));
                if modulus == 0 {
                    return (0, r);
                }
                // Constants may be negative numbers, which only powers of two do not mind.
                power_of_two(modulus, r)
            }
            _ => return from_facts(terms, term),
        };
        let facts = from_facts(terms, term);
        if found.0 != 0 && found.0 < facts.0 {
            facts
        } else {
            found
        }
    }
}

fn power_of_two(modulus: u64, residue: u64) -> (u64, u64) {
    if modulus == 0 {
        return (0, residue);
    }
    let power = modulus & modulus.wrapping_neg();
    (power, residue % power)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn from_facts(terms: &Terms, term: TermId) -> (u64, u64) {
    let facts = terms.facts(term);
    let known = (facts.zeros | facts.ones).trailing_ones().min(32);
    let modulus = 1u64 << known;
    (modulus, facts.ones as u64 & (modulus - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_records_are_told_apart() {
        let (mut t, mut offsets) = (Terms::new(), Offsets::default());
        let i = t.bv_var("i", 32);
        let wide = t.sext(i, 64);
        let twelve = t.bv(12, 64);
        let four = t.bv(4, 64);
        let scaled = t.mul(wide, twelve);
        let field = t.add(scaled, four);
        assert_eq!(offsets.congruence(&t, field), (12, 4));
        let j = t.bv_var("j", 64);
        let scaled = t.mul(j, twelve);
        assert_eq!(offsets.congruence(&t, scaled), (4, 0));
    }

    /// Sums whose operands are all shared: without a memory, each level doubles the work.
    #[test]
    fn shared_operands_are_looked_at_once() {
        let (mut t, mut offsets) = (Terms::new(), Offsets::default());
        let c = t.bool_var("c");
        let mut wide = {
            let i = t.bv_var("i", 8);
            t.zext(i, 64)
        };
        for k in 0..60 {
            let d = t.bool_var("d");
            let by = t.bv(4 * (k % 3), 64);
            let moved = t.add(wide, by);
            let four = t.bv(4, 64);
            let scaled = t.mul(moved, four);
            let arm = t.ite(d, moved, scaled);
            wide = t.ite(c, arm, moved);
        }
        offsets.congruence(&t, wide);
        assert!(offsets.bits.len() + offsets.congruences.len() < 2 * t.len());
    }
}

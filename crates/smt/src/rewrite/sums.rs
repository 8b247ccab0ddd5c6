//! Sums in which summands cancel out, wherever they stand in it: `(x + y) + (x - y)` is `2x`.

use super::*;

/// Longer sums are left as they are, so that building a term stays cheap.
const MAX_SUMMANDS: usize = 8;
const MAX_NODES: usize = 24;
/// What may remain for the sum to count as simpler.
const MAX_REMAINING: usize = 2;

/// A sum with a multiple of each term, and a constant; everything modulo the width.
struct Sum {
    summands: [(TermId, u128); MAX_SUMMANDS],
    n_different: usize,
    /// With repetitions.
    n_summands: usize,
    n_nodes: usize,
    constant: u128,
}

impl Sum {
    fn of(t: &Terms, a: TermId, b: TermId, factor_of_b: u128) -> Option<Self> {
        let mut sum = Self {
            summands: [(a, 0); MAX_SUMMANDS],
            n_different: 0,
            n_summands: 0,
            n_nodes: 0,
            constant: 0,
        };
        sum.add(t, a, 1)?;
        sum.add(t, b, factor_of_b)?;
        Some(sum)
    }

    /// Adds `factor * term`; `None` if that is too much to look at.
    fn add(&mut self, t: &Terms, term: TermId, factor: u128) -> Option<()> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            return None;
        }
        match t.node(term) {
            Node::Const(c) => {
                self.constant = self.constant.wrapping_add(c.wrapping_mul(factor));
                return Some(());
            }
            Node::Binary(BinaryOp::Add, x, y) => {
                self.add(t, x, factor)?;
                return self.add(t, y, factor);
            }
            Node::Binary(BinaryOp::Sub, x, y) => {
                self.add(t, x, factor)?;
                return self.add(t, y, factor.wrapping_neg());
            }
            Node::Unary(UnaryOp::Neg, x) => return self.add(t, x, factor.wrapping_neg()),
            Node::Binary(BinaryOp::Mul, x, y) => {
                if let Some(c) = t.as_const(y) {
                    return self.add(t, x, factor.wrapping_mul(c));
                }
            }
            Node::Binary(BinaryOp::Concat, ..) => {
                if let Some((x, power)) = as_shifted(t, term) {
                    return self.add(t, x, factor.wrapping_mul(1 << power));
                }
            }
            _ => {}
        }
        self.n_summands += 1;
        let own = self.summands[..self.n_different].iter_mut();
        if let Some((_, sum)) = own.into_iter().find(|s| s.0 == term) {
            *sum = sum.wrapping_add(factor);
            return (self.n_summands <= MAX_SUMMANDS).then_some(());
        }
        *self.summands.get_mut(self.n_different)? = (term, factor);
        self.n_different += 1;
        Some(())
    }

    /// The sum as a term, if at least two of its summands are gone.
    fn cancelled(&self, t: &mut Terms) -> Option<TermId> {
        let first = self.summands[0].0;
        let width = t.width(first);
        let mut remaining: Vec<(TermId, u128)> = Vec::new();
        for &(term, factor) in &self.summands[..self.n_different] {
            match factor & mask(width) {
                0 => {}
                factor if remaining.len() < MAX_REMAINING && is_cheap(factor, width) => {
                    remaining.push((term, factor));
                }
                _ => return None,
            }
        }
        if remaining.len() + 2 > self.n_summands || self.n_different == remaining.len() {
            return None;
        }
        let sort = t.sort(first);
        let mut sum = t.constant(0, sort);
        // What is subtracted comes last.
        remaining.sort_by_key(|r| is_ones(r.1, width));
        for (term, factor) in remaining {
            if is_ones(factor, width) {
                sum = t.sub(sum, term);
            } else {
                let factor = t.constant(factor, sort);
                let product = t.mul(term, factor);
                sum = t.add(sum, product);
            }
        }
        let constant = t.constant(self.constant, sort);
        Some(t.add(sum, constant))
    }
}

/// 1, -1 or a power of two: no adder is needed for the product.
fn is_cheap(factor: u128, width: u32) -> bool {
    factor.is_power_of_two() || is_ones(factor, width)
}

/// `x` and `n`, if the term is `x << n` in its normal form.
fn as_shifted(t: &Terms, term: TermId) -> Option<(TermId, u32)> {
    let (high, low) = as_binary(t, term, BinaryOp::Concat)?;
    let Node::Extract { hi, lo: 0, arg } = t.node(high) else {
        return None;
    };
    let n = t.width(low);
    let is_shift = t.as_const(low) == Some(0) && t.width(arg) == t.width(term);
    (is_shift && hi + 1 + n == t.width(term)).then_some((arg, n))
}

fn is_sum(t: &Terms, term: TermId) -> bool {
    matches!(
        t.node(term),
        Node::Binary(BinaryOp::Add | BinaryOp::Sub, ..) | Node::Unary(UnaryOp::Neg, _)
    )
}

/// `a + b` with less in it.
pub(super) fn add(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if !is_sum(t, a) && !is_sum(t, b) {
        return None;
    }
    Sum::of(t, a, b, 1)?.cancelled(t)
}

/// `a - b` with less in it.
pub(super) fn sub(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if !is_sum(t, a) && !is_sum(t, b) {
        return None;
    }
    Sum::of(t, a, b, u128::MAX)?.cancelled(t)
}

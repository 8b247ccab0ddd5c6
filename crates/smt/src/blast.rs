//! Bit-blasting: words of wires for terms, bit 0 first. Each term is translated once, when a query
//! first needs it, with its own stack so that the depth of a term is no limit.

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::gates::{GATES_PER_LOOK, Gates, Wire};
use crate::term::{ArrayId, BinaryOp, Node, TermId, Terms, UnaryOp, VarId};
use crate::words;

/// A read the solver treats as free until refinement constrains it. Reads of inner arrays, which
/// refinement makes, need no term of their own.
pub type Read = (ArrayId, TermId);

type WordPair = (Vec<Wire>, Vec<Wire>);

#[derive(Clone, Debug, Default)]
pub struct Blaster {
    pub gates: Gates,
    /// Where a term's bits start in `bits`, plus 1; 0 if it has none yet.
    start: Vec<u32>,
    bits: Vec<Wire>,
    /// Variables in the order in which they were met.
    variables: Vec<VarId>,
    reads: FxHashMap<Read, Vec<Wire>>,
    /// Reads in the order in which they were met.
    read_order: Vec<Read>,
    /// Quotient and remainder by dividend and divisor.
    quotients: FxHashMap<WordPair, WordPair>,
    /// Gates and terms made since the clock was last looked at.
    since_look: usize,
}

impl Blaster {
    /// The variables met so far.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }

    /// The reads met so far.
    pub fn reads(&self) -> &[Read] {
        &self.read_order
    }

    fn has(&self, term: TermId) -> bool {
        self.start.get(term.index()).is_some_and(|&s| s != 0)
    }

    /// The bits of a term that was translated before.
    pub fn known_bits(&self, terms: &Terms, term: TermId) -> Option<&[Wire]> {
        if !self.has(term) {
            return None;
        }
        let start = self.start[term.index()] as usize - 1;
        Some(&self.bits[start..start + terms.width(term) as usize])
    }

    fn word(&self, terms: &Terms, term: TermId) -> Vec<Wire> {
        let start = self.start[term.index()] as usize - 1;
        self.bits[start..start + terms.width(term) as usize].to_vec()
    }

    /// The wire of a Bool. What was translated before the budget ended is kept.
    pub fn wire(
        &mut self,
        terms: &Terms,
        term: TermId,
        budget: &Budget,
    ) -> Result<Wire, StopReason> {
        self.translate(terms, term, budget)?;
        Ok(self.bits[self.start[term.index()] as usize - 1])
    }

    /// The bits of a term.
    pub fn bits(
        &mut self,
        terms: &Terms,
        term: TermId,
        budget: &Budget,
    ) -> Result<Vec<Wire>, StopReason> {
        self.translate(terms, term, budget)?;
        Ok(self.word(terms, term))
    }

    /// The bits of a read.
    pub fn read_bits(&mut self, terms: &Terms, read: Read) -> Vec<Wire> {
        if let Some(bits) = self.reads.get(&read) {
            return bits.clone();
        }
        let (_, width) = terms.array_sort(read.0);
        let bits: Vec<Wire> = (0..width).map(|_| self.gates.input()).collect();
        self.reads.insert(read, bits.clone());
        self.read_order.push(read);
        bits
    }

    fn translate(
        &mut self,
        terms: &Terms,
        term: TermId,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        if self.has(term) {
            return Ok(());
        }
        if self.start.len() < terms.len() {
            self.start.resize(terms.len(), 0);
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.has(top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.children(top).filter(|&c| !self.has(c)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let before = self.gates.len();
            let word = self.translate_node(terms, top);
            debug_assert_eq!(word.len(), terms.width(top) as usize);
            self.start[top.index()] = self.bits.len() as u32 + 1;
            self.bits.extend(word);
            // The largest single term, a division of 128 bits, has 10^5 gates: some 10 ms.
            self.since_look += 1 + self.gates.len() - before;
            if self.since_look >= GATES_PER_LOOK {
                self.since_look = 0;
                budget.look()?;
            }
        }
        Ok(())
    }

    fn translate_node(&mut self, terms: &Terms, term: TermId) -> Vec<Wire> {
        let width = terms.width(term);
        match terms.node(term) {
            Node::Const(value) => words::constant(value, width),
            Node::Var(variable) => {
                self.variables.push(variable);
                (0..width).map(|_| self.gates.input()).collect()
            }
            Node::Select(array, index) => self.read_bits(terms, (array, index)),
            Node::Extract { hi, lo, arg } => {
                self.word(terms, arg)[lo as usize..=hi as usize].to_vec()
            }
            Node::Ite(c, a, b) => {
                let c = self.word(terms, c)[0];
                let (a, b) = (self.word(terms, a), self.word(terms, b));
                words::mux(&mut self.gates, c, &a, &b)
            }
            Node::Unary(op, a) => {
                let mut a = self.word(terms, a);
                match op {
                    UnaryOp::Not => a.into_iter().map(|w| !w).collect(),
                    UnaryOp::Neg => words::negate(&mut self.gates, &a),
                    UnaryOp::ZeroExtend => {
                        a.resize(width as usize, Wire::FALSE);
                        a
                    }
                    UnaryOp::SignExtend => {
                        a.resize(width as usize, a[a.len() - 1]);
                        a
                    }
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.word(terms, a), self.word(terms, b));
                self.translate_binary(op, a, b)
            }
        }
    }

    fn translate_binary(&mut self, op: BinaryOp, a: Vec<Wire>, b: Vec<Wire>) -> Vec<Wire> {
        use BinaryOp::*;
        let g = &mut self.gates;
        let bitwise = |g: &mut Gates, f: fn(&mut Gates, Wire, Wire) -> Wire| {
            a.iter().zip(&b).map(|(&x, &y)| f(g, x, y)).collect()
        };
        match op {
            And => bitwise(g, Gates::and),
            Or => bitwise(g, Gates::or),
            Xor => bitwise(g, Gates::xor),
            Eq => vec![words::equal(g, &a, &b)],
            Add => words::add(g, &a, &b, Wire::FALSE),
            Sub => words::subtract(g, &a, &b),
            Mul => words::multiply(g, &a, &b),
            Udiv => self.divide(a, b).0,
            Urem => self.divide(a, b).1,
            Sdiv | Srem => {
                // Divide the magnitudes; the quotient is negative if the signs differ, the remainder
                // has the sign of the dividend. Division by zero comes out as SMT-LIB defines it.
                let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
                let abs_a = words::negate_if(g, sa, &a);
                let abs_b = words::negate_if(g, sb, &b);
                let (q, r) = self.divide(abs_a, abs_b);
                let g = &mut self.gates;
                if op == Sdiv {
                    let sign = g.xor(sa, sb);
                    words::negate_if(g, sign, &q)
                } else {
                    words::negate_if(g, sa, &r)
                }
            }
            Shl => words::shift_left(g, &a, &b),
            Lshr => words::shift_right(g, &a, &b, Wire::FALSE),
            Ashr => words::shift_right(g, &a, &b, a[a.len() - 1]),
            Concat => b.into_iter().chain(a).collect(),
            Ult => vec![words::less(g, &a, &b, Wire::FALSE)],
            Ule => vec![words::less(g, &a, &b, Wire::TRUE)],
            Slt => vec![words::less_signed(g, a, b, Wire::FALSE)],
            Sle => vec![words::less_signed(g, a, b, Wire::TRUE)],
        }
    }

    /// Quotient and remainder, made once for both.
    fn divide(&mut self, a: Vec<Wire>, b: Vec<Wire>) -> WordPair {
        if let Some(known) = self.quotients.get(&(a.clone(), b.clone())) {
            return known.clone();
        }
        let result = words::divide(&mut self.gates, &a, &b);
        self.quotients.insert((a, b), result.clone());
        result
    }
}

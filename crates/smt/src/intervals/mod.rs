//! Questions about floats by intervals: inputs are cut in halves until it is clear for each part what the answer is.
//!
//! A multiplication of two floats is some thousand gates, and a solver has to find out anew what every schoolchild
//! knows of it, that it is monotone. Over intervals it is one multiplication of ends. Where few inputs are floats, and a
//! condition holds with something to spare, a few thousand parts settle what clauses do not in hours. After V. D'Silva,
//! L. Haller, D. Kroening and M. Tautschnig, *Numeric Bounds Analysis with Conflict-Driven Learning* (TACAS 2012), without
//! the learning.
//!
//! The answer *no* needs every part to be excluded; the answer *yes* is a model that the caller evaluates on the terms.

mod numbers;
mod values;

use crate::float::{Definition, FloatOp};
use crate::model::Model;
use crate::term::{BinaryOp, Node, TermId, Terms, UnaryOp, VarId};
use idiolect_base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use values::Values;

/// Larger questions are left to the solver.
const MAX_TERMS: usize = 20_000;
/// And those with more inputs than this: each halving is one of one input.
const MAX_INPUTS: usize = 12;
/// So many evaluated terms cost as much as a conflict.
const TERMS_PER_STEP: u64 = 2_000;
/// Parts that are waiting; more is a question that halving does not settle.
const MAX_PARTS: usize = 10_000;

/// What became of a question.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    /// No values of the inputs satisfy it.
    No,
    /// These should.
    Yes(Model),
    /// So much work did not settle it; there may be more.
    Open,
    /// More work will not settle it.
    Hopeless,
}

/// One term of the question, its operands as places in the list.
#[derive(Clone, Copy)]
enum Step {
    Input(usize),
    Constant(u128),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    Choice(usize, usize, usize),
    Extract(u32, u32, usize),
    Float(Definition, [usize; 3]),
    Anything,
}

/// A question that is being looked at.
pub(crate) struct Intervals {
    steps: Vec<(Step, u32)>,
    /// Where the conditions are that have to hold.
    conditions: Vec<usize>,
    inputs: Vec<(VarId, u32)>,
    /// Parts that are not settled.
    parts: Vec<Vec<Values>>,
    values: Vec<Values>,
}

impl Intervals {
    /// The conjunction of `conditions`, if it is about arithmetic of floats and small enough.
    pub(crate) fn new(terms: &Terms, conditions: &[TermId]) -> Option<Self> {
        let order = cone(terms, conditions)?;
        let is_arithmetic = |t: &TermId| {
            let op = terms.float_definition(*t).map(|d| d.op);
            matches!(
                op,
                Some(
                    FloatOp::Add
                        | FloatOp::Subtract
                        | FloatOp::Multiply
                        | FloatOp::Divide
                        | FloatOp::SquareRoot
                        | FloatOp::Fma
                )
            )
        };
        if !order.iter().any(is_arithmetic) {
            return None;
        }
        let places: FxHashMap<TermId, usize> = order.iter().copied().zip(0..).collect();
        let place = |t: TermId| places.get(&t).copied().unwrap_or_default();
        let mut inputs = Vec::new();
        let mut steps = Vec::with_capacity(order.len());
        for &t in &order {
            let step = match (terms.float_definition(t), terms.node(t)) {
                (Some(own), _) => {
                    let mut operands = [0; 3];
                    for (to, &from) in operands.iter_mut().zip(own.operands()) {
                        *to = place(from);
                    }
                    Step::Float(*own, operands)
                }
                (None, Node::Const(value)) => Step::Constant(value),
                (None, Node::Var(variable)) => {
                    inputs.push((variable, terms.width(t)));
                    Step::Input(inputs.len() - 1)
                }
                (None, Node::Unary(op, a)) => Step::Unary(op, place(a)),
                (None, Node::Binary(op, a, b)) => Step::Binary(op, place(a), place(b)),
                (None, Node::Ite(c, a, b)) => Step::Choice(place(c), place(a), place(b)),
                (None, Node::Extract { hi, lo, arg }) => Step::Extract(hi, lo, place(arg)),
                (None, Node::Select(..)) => Step::Anything,
            };
            steps.push((step, terms.width(t)));
        }
        // Inputs that are conditions themselves have one value.
        let mut first: Vec<Values> = inputs.iter().map(|&(_, w)| Values::all(w)).collect();
        let mut free = inputs.len();
        for (own, &(variable, _)) in first.iter_mut().zip(&inputs) {
            let t = terms.variable_term(variable);
            let is_opposite = |c: &TermId| terms.node(*c) == Node::Unary(UnaryOp::Not, t);
            if conditions.contains(&t) {
                *own = Values::bools(false, true);
                free -= 1;
            } else if conditions.iter().any(is_opposite) {
                *own = Values::bools(true, false);
                free -= 1;
            }
        }
        if free > MAX_INPUTS {
            return None;
        }
        Some(Self {
            values: vec![Values::all(1); steps.len()],
            steps,
            conditions: conditions.iter().map(|&c| place(c)).collect(),
            inputs,
            parts: vec![first],
        })
    }

    /// Goes on for so many steps of the budget.
    pub(crate) fn go(&mut self, work: u64, budget: &Budget) -> Result<Answer, StopReason> {
        let each = self.steps.len() as u64;
        let mut left = work.saturating_mul(TERMS_PER_STEP);
        let mut owed = 0;
        while let Some(part) = self.parts.pop() {
            if left < 2 * each {
                self.parts.push(part);
                return Ok(Answer::Open);
            }
            left -= 2 * each;
            owed += 2 * each;
            if owed >= TERMS_PER_STEP {
                budget.spend(owed / TERMS_PER_STEP)?;
                owed %= TERMS_PER_STEP;
            }
            match self.holds(&part) {
                Some(false) => continue,
                Some(true) => return Ok(Answer::Yes(self.model(&part))),
                None => {}
            }
            let point: Vec<Values> = (part.iter().zip(&self.inputs))
                .map(|(own, &(_, width))| Values::one(own.middle(width), width))
                .collect();
            if self.holds(&point) == Some(true) {
                return Ok(Answer::Yes(self.model(&point)));
            }
            let largest = (0..part.len()).max_by_key(|&i| (part[i].size(), std::cmp::Reverse(i)));
            let Some((i, (a, b))) = largest.and_then(|i| Some((i, part[i].split()?))) else {
                // One value of each input, and still open.
                return Ok(Answer::Hopeless);
            };
            for half in [b, a] {
                let mut new = part.clone();
                new[i] = half;
                self.parts.push(new);
            }
            if self.parts.len() > MAX_PARTS {
                return Ok(Answer::Hopeless);
            }
        }
        Ok(Answer::No)
    }

    fn model(&self, part: &[Values]) -> Model {
        let mut model = Model::new();
        for (own, &(variable, width)) in part.iter().zip(&self.inputs) {
            model.set(variable, own.middle(width));
        }
        model
    }

    /// Whether the conditions hold for all values of a part, or for none.
    fn holds(&mut self, part: &[Values]) -> Option<bool> {
        for i in 0..self.steps.len() {
            let (step, width) = self.steps[i];
            let at = |j: usize| self.values[j];
            let width_of = |j: usize| self.steps[j].1;
            self.values[i] = match step {
                Step::Input(n) => part[n],
                Step::Constant(value) => Values::one(value, width),
                Step::Unary(op, a) => values::unary(op, at(a), width_of(a), width),
                Step::Binary(op, a, b) => {
                    let widths = (width_of(a), width_of(b), width);
                    values::binary(op, at(a), at(b), widths)
                }
                Step::Choice(c, a, b) => {
                    let c = at(c);
                    if c.is_true() {
                        at(a)
                    } else if c.is_false() {
                        at(b)
                    } else {
                        at(a).join(at(b))
                    }
                }
                Step::Extract(hi, lo, a) => values::extract(hi, lo, at(a), width_of(a)),
                Step::Float(own, operands) => {
                    let all = operands.map(|j| (at(j), width_of(j)));
                    let n = own.operands().len();
                    let are_same = n > 1 && operands[0] == operands[1];
                    numbers::apply(own.op, (own.format, own.mode), &all[..n], are_same)
                }
                Step::Anything => Values::all(width),
            };
        }
        let mut all = Some(true);
        for &c in &self.conditions {
            let own = self.values[c];
            if own.is_false() {
                return Some(false);
            }
            if !own.is_true() {
                all = None;
            }
        }
        all
    }
}

/// What the conditions depend on, operands first; operations of floats on their operands.
fn cone(terms: &Terms, conditions: &[TermId]) -> Option<Vec<TermId>> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut todo: Vec<TermId> = conditions.to_vec();
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        if seen.len() > MAX_TERMS {
            return None;
        }
        match terms.float_definition(t) {
            Some(own) => todo.extend_from_slice(own.operands()),
            None => todo.extend(terms.children(t)),
        }
    }
    // An operand is older than what it is an operand of.
    let mut order: Vec<TermId> = seen.into_iter().collect();
    order.sort_unstable();
    Some(order)
}

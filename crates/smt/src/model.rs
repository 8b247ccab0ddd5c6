//! Values for variables and arrays, and the evaluation of terms under them.

use std::collections::BTreeMap;

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::array::ArrayNode;
use crate::blast::Read;
use crate::semantics::{apply_binary, apply_extract, apply_unary};
use crate::term::{ArrayId, BinaryOp, Node, TermId, Terms, VarId, mask};

/// Evaluation looks at the clock once in so many steps, about half a millisecond of work.
const STEPS_PER_LOOK: u32 = 4096;

/// The content of an array variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArrayValue {
    /// The elements that matter, by index.
    pub entries: BTreeMap<u128, u128>,
    /// All others.
    pub default: u128,
}

impl ArrayValue {
    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }
}

/// One value for each variable. A variable without an entry did not matter; it counts as 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: BTreeMap<VarId, u128>,
    arrays: BTreeMap<u32, ArrayValue>,
}

impl Model {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, variable: VarId, value: u128) {
        self.values.insert(variable, value);
    }

    /// Gives the variable `term` a value, cut to its width. Other terms are left alone.
    pub fn set_term(&mut self, terms: &Terms, term: TermId, value: u128) {
        if let Node::Var(variable) = terms.node(term) {
            self.set(variable, value & mask(terms.width(term)));
        }
    }

    pub fn get(&self, variable: VarId) -> Option<u128> {
        self.values.get(&variable).copied()
    }

    /// The variables that have a value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u128)> + '_ {
        self.values.iter().map(|(&v, &value)| (v, value))
    }

    pub fn array_mut(&mut self, variable: u32) -> &mut ArrayValue {
        self.arrays.entry(variable).or_default()
    }

    pub fn array(&self, variable: u32) -> Option<&ArrayValue> {
        self.arrays.get(&variable)
    }

    /// The value of `term`; a Bool is 0 or 1. For many terms use one [`Evaluator`].
    pub fn eval(&self, terms: &Terms, term: TermId) -> u128 {
        Evaluator::new(terms, self).eval(term)
    }

    pub fn eval_bool(&self, terms: &Terms, term: TermId) -> bool {
        self.eval(terms, term) != 0
    }
}

/// Terms in one page of a [`Memo`].
const PAGE: usize = 64;

/// Values by term. Terms that belong together were made one after the other, so pages of neighbours are found faster
/// than single terms.
#[derive(Default)]
struct Memo {
    pages: Vec<Option<Box<Page>>>,
}

struct Page {
    /// Bit `i`: value `i` is known.
    known: u64,
    values: [u128; PAGE],
}

impl Memo {
    fn get(&self, term: TermId) -> Option<u128> {
        let page = self.pages.get(term.index() / PAGE)?.as_ref()?;
        let at = term.index() % PAGE;
        (page.known >> at & 1 == 1).then(|| page.values[at])
    }

    fn insert(&mut self, term: TermId, value: u128) {
        let number = term.index() / PAGE;
        if number >= self.pages.len() {
            self.pages.resize_with(number + 1, || None);
        }
        let page = self.pages[number].get_or_insert_with(|| {
            Box::new(Page {
                known: 0,
                values: [0; PAGE],
            })
        });
        let at = term.index() % PAGE;
        page.known |= 1 << at;
        page.values[at] = value;
    }
}

/// Evaluates terms under one model and remembers what it has evaluated. It keeps its own stack, so
/// that the depth of a term is no limit.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    memo: Memo,
    /// How far down the writes of its array a read has come.
    reached: FxHashMap<TermId, ArrayId>,
    reads: Option<&'a FxHashMap<Read, u128>>,
    /// Reads that were asked for and had no value; they counted as 0.
    pub(crate) missing: Vec<Read>,
    /// Steps until the clock is looked at again, in whichever question.
    until_look: u32,
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, model: &'a Model) -> Self {
        Self {
            terms,
            model,
            memo: Memo::default(),
            reached: FxHashMap::default(),
            reads: None,
            missing: Vec::new(),
            until_look: STEPS_PER_LOOK,
        }
    }

    /// An evaluator in which reads have these values, whatever the model says of their arrays.
    pub(crate) fn with_reads(
        terms: &'a Terms,
        model: &'a Model,
        reads: &'a FxHashMap<Read, u128>,
    ) -> Self {
        Self {
            reads: Some(reads),
            ..Self::new(terms, model)
        }
    }

    /// The variable has this value, whatever the model says. What was evaluated before stays as it is, so
    /// nothing of that may depend on the variable; variables that are set in the order in which they are
    /// needed are.
    pub fn set(&mut self, variable: TermId, value: u128) {
        let width = self.terms.width(variable);
        self.memo.insert(variable, value & mask(width));
    }

    /// Whether the value of the term was asked for, or set.
    pub fn knows(&self, term: TermId) -> bool {
        self.memo.get(term).is_some()
    }

    pub fn eval_bool(&mut self, term: TermId) -> bool {
        self.eval(term) != 0
    }

    pub fn eval(&mut self, term: TermId) -> u128 {
        self.eval_within(term, &Budget::unlimited()).unwrap_or(0)
    }

    /// The same under a budget whose clock and canceller are looked at once in a while; no steps are
    /// taken. A term may stand for a whole program.
    pub fn eval_within(&mut self, term: TermId, budget: &Budget) -> Result<u128, StopReason> {
        if let Some(value) = self.memo.get(term) {
            return Ok(value);
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            self.until_look -= 1;
            if self.until_look == 0 {
                self.until_look = STEPS_PER_LOOK;
                budget.look()?;
            }
            if self.memo.get(top).is_some() {
                stack.pop();
                continue;
            }
            match self.step(top) {
                Ok(value) => {
                    self.memo.insert(top, value);
                    stack.pop();
                }
                Err(needed) => stack.push(needed),
            }
        }
        Ok(self.memo.get(term).unwrap_or(0))
    }

    fn known(&self, term: TermId) -> Result<u128, TermId> {
        self.memo.get(term).ok_or(term)
    }

    /// The value of `term`, or an operand that has to be evaluated first.
    fn step(&mut self, term: TermId) -> Result<u128, TermId> {
        let t = self.terms;
        Ok(match t.node(term) {
            Node::Const(value) => value,
            Node::Var(variable) => self.model.get(variable).unwrap_or(0),
            Node::Unary(op, a) => apply_unary(op, self.known(a)?, t.width(a), t.width(term)),
            // What comes after a false condition is not looked at: of an encoding of a program, most is not on the way of
            // one run.
            Node::Binary(BinaryOp::And, a, _) if self.known(a)? == 0 => 0,
            Node::Binary(BinaryOp::Or, a, _) if self.known(a)? == mask(t.width(a)) => {
                mask(t.width(a))
            }
            Node::Binary(op, a, b) => {
                let (x, y) = (self.known(a)?, self.known(b)?);
                apply_binary(op, x, y, t.width(a), t.width(b))
            }
            Node::Ite(c, a, b) => self.known(if self.known(c)? != 0 { a } else { b })?,
            Node::Extract { hi, lo, arg } => apply_extract(hi, lo, self.known(arg)?),
            Node::Select(array, index) if self.reads.is_some() => {
                let known = self.reads.and_then(|reads| reads.get(&(array, index)));
                known.copied().unwrap_or_else(|| {
                    self.missing.push((array, index));
                    0
                })
            }
            Node::Select(array, index) => {
                let index = self.known(index)?;
                let mut at = self.reached.get(&term).copied().unwrap_or(array);
                loop {
                    let next = match t.array_node(at) {
                        ArrayNode::Var(v) => {
                            break self.model.array(v).map_or(0, |array| array.get(index));
                        }
                        ArrayNode::Const(element, _) => break self.known(element)?,
                        ArrayNode::Store(below, i, element) => match self.known(i) {
                            Ok(i) if i == index => break self.known(element)?,
                            Ok(_) => Ok(below),
                            Err(needed) => Err(needed),
                        },
                        ArrayNode::Ite(c, a, b) => {
                            self.known(c).map(|c| if c != 0 { a } else { b })
                        }
                    };
                    match next {
                        Ok(below) => at = below,
                        Err(needed) => {
                            self.reached.insert(term, at);
                            return Err(needed);
                        }
                    }
                }
            }
        })
    }
}

//! A read of a long array as the way it takes through the writes, each part stated when it matters.
//!
//! For a read `r = a[j]` every array node `n` below `a` gets a literal `at(n)`, "the read comes to
//! `n`", and every write a literal `hit(n)`, "the read ends here". With `at(a)` true, the clauses are
//!
//! | node | stated at once | stated on demand |
//! |---|---|---|
//! | `store(b, i, e)` | `at → hit ∨ at(b)`, `hit → r = e` | `hit → j = i`, `at ∧ ¬hit → j ≠ i` |
//! | `ite(c, x, y)` | `at ∧ c → at(x)`, `at ∧ ¬c → at(y)` | |
//! | a constant array of `e` | `at → r = e` | |
//! | an array variable `v` | `at → r = v[j]` | |
//!
//! They only say that there is *some* way; the true one satisfies them, so nothing follows from them
//! that does not hold. If all of them are stated, a way that satisfies them is the true one. What is
//! stated at once speaks of elements only and leads the SAT solver to writes of the right element;
//! the comparisons of indices, which are most of the clauses, are stated when the solver's way has
//! got one wrong: one, then four, then sixteen of them and so on, the wrong ones first. So a read
//! needs a number of rounds that is logarithmic in the length of its array.

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use super::Solver;
use crate::array::ArrayNode;
use crate::blast::Read;
use crate::gates::Wire;
use crate::model::Evaluator;
use crate::term::{ArrayId, TermId, Terms};
use crate::words;

/// Each time a read is wrong again, so many times more comparisons are stated.
const GROWTH: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// The array's own node first.
    nodes: Vec<Node>,
    /// How many comparisons are stated when the read is wrong the next time.
    quota: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    at: Wire,
    kind: Kind,
    /// Which comparisons of a write are stated: bit 0 `hit → j = i`, bit 1 the other.
    stated: u8,
}

impl Node {
    fn new(at: Wire) -> Self {
        Self {
            at,
            kind: Kind::End,
            stated: 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The index of the write, and the node below.
    Store {
        index: TermId,
        hit: Wire,
        below: usize,
    },
    /// A write that is missed for certain.
    Pass(usize),
    Ite {
        cond: TermId,
        then: usize,
        otherwise: usize,
    },
    End,
}

/// A comparison of indices at the node with this number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Same(usize),
    Differ(usize),
}

impl Comparison {
    fn node(self) -> usize {
        let (Comparison::Same(here) | Comparison::Differ(here)) = self;
        here
    }

    fn bit(self) -> u8 {
        match self {
            Comparison::Same(_) => 1,
            Comparison::Differ(_) => 2,
        }
    }
}

/// Whether two words are equal, if their wires alone tell.
fn compare(a: &[Wire], b: &[Wire]) -> Option<bool> {
    if a.iter().zip(b).any(|(&x, &y)| x == !y) {
        return Some(false);
    }
    (a == b).then_some(true)
}

impl Flow {
    /// The comparisons that are wrong on the way that the SAT solver has chosen, from the newest write
    /// on. None if the way is the true one.
    pub(super) fn wrong(
        &self,
        solver: &mut Solver,
        evaluator: &mut Evaluator<'_>,
        read: Read,
    ) -> Vec<Comparison> {
        let place = evaluator.eval(read.1);
        let mut wrong = Vec::new();
        let mut here = 0;
        loop {
            match self.nodes[here].kind {
                Kind::End => return wrong,
                Kind::Pass(below) => here = below,
                Kind::Ite {
                    cond,
                    then,
                    otherwise,
                } => {
                    let holds = evaluator.eval_bool(cond);
                    here = if holds { then } else { otherwise };
                }
                Kind::Store { index, hit, below } => {
                    let same = evaluator.eval(index) == place;
                    if solver.word_value(&[hit]) == 1 {
                        if !same {
                            wrong.push(Comparison::Same(here));
                        }
                        return wrong;
                    }
                    if same {
                        wrong.push(Comparison::Differ(here));
                    }
                    here = below;
                }
            }
        }
    }
}

impl Solver {
    /// States what is stated at once.
    pub(super) fn build_flow(
        &mut self,
        terms: &Terms,
        read: Read,
        budget: &Budget,
    ) -> Result<Flow, StopReason> {
        let word = self.blaster.read_bits(terms, read);
        let place = self.blaster.bits(terms, read.1, budget)?;
        let mut nodes = vec![Node::new(Wire::TRUE)];
        let mut numbers: FxHashMap<ArrayId, usize> = FxHashMap::default();
        let mut work = vec![(read.0, 0)];
        while let Some((array, here)) = work.pop() {
            let at = nodes[here].at;
            // The number of a node below, which is new unless another way leads there, too.
            let mut number = |solver: &mut Solver, nodes: &mut Vec<Node>, array: ArrayId| {
                *numbers.entry(array).or_insert_with(|| {
                    nodes.push(Node::new(solver.blaster.gates.input()));
                    work.push((array, nodes.len() - 1));
                    nodes.len() - 1
                })
            };
            nodes[here].kind = match terms.array_node(array) {
                ArrayNode::Var(_) => {
                    let inner = self.blaster.read_bits(terms, (array, read.1));
                    self.equal_if(at, &word, &inner);
                    Kind::End
                }
                ArrayNode::Const(element, _) => {
                    let element = self.blaster.bits(terms, element, budget)?;
                    self.equal_if(at, &word, &element);
                    Kind::End
                }
                ArrayNode::Store(below, index, element) => {
                    let written = self.blaster.bits(terms, index, budget)?;
                    let element = self.blaster.bits(terms, element, budget)?;
                    match compare(&place, &written) {
                        Some(true) => {
                            self.equal_if(at, &word, &element);
                            Kind::End
                        }
                        Some(false) => {
                            let below = number(self, &mut nodes, below);
                            self.flow_clause(&[!at, nodes[below].at]);
                            Kind::Pass(below)
                        }
                        None => {
                            let below = number(self, &mut nodes, below);
                            let hit = self.blaster.gates.input();
                            self.flow_clause(&[!at, hit, nodes[below].at]);
                            self.equal_if(hit, &word, &element);
                            Kind::Store { index, hit, below }
                        }
                    }
                }
                ArrayNode::Ite(cond, a, b) => {
                    let c = self.blaster.wire(terms, cond, budget)?;
                    let then = number(self, &mut nodes, a);
                    let otherwise = number(self, &mut nodes, b);
                    self.flow_clause(&[!at, !c, nodes[then].at]);
                    self.flow_clause(&[!at, c, nodes[otherwise].at]);
                    Kind::Ite {
                        cond,
                        then,
                        otherwise,
                    }
                }
            };
            self.emit(budget)?;
        }
        Ok(Flow { nodes, quota: 1 })
    }

    /// States comparisons, as many as it is this read's turn to: the wrong ones from the newest write
    /// on, then others of the same kind. Returns their number.
    pub(super) fn correct_flow(
        &mut self,
        terms: &Terms,
        flow: &mut Flow,
        read: Read,
        wrong: &[Comparison],
        budget: &Budget,
    ) -> Result<u64, StopReason> {
        let Some(&first) = wrong.first() else {
            return Ok(0);
        };
        let like = |here| match first {
            Comparison::Same(_) => Comparison::Same(here),
            Comparison::Differ(_) => Comparison::Differ(here),
        };
        let others = (0..flow.nodes.len()).map(like);
        let mut n = 0;
        for one in wrong.iter().copied().chain(others) {
            if n as usize == flow.quota {
                break;
            }
            if self.state(terms, flow, read, one, budget)? {
                n += 1;
            }
        }
        flow.quota = flow.quota.saturating_mul(GROWTH);
        Ok(n)
    }

    /// States everything that is left to demand.
    pub(super) fn complete_flow(
        &mut self,
        terms: &Terms,
        flow: &mut Flow,
        read: Read,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        for here in 0..flow.nodes.len() {
            self.state(terms, flow, read, Comparison::Same(here), budget)?;
            self.state(terms, flow, read, Comparison::Differ(here), budget)?;
        }
        Ok(())
    }

    /// States a comparison, unless there is none at that node or it was stated before.
    fn state(
        &mut self,
        terms: &Terms,
        flow: &mut Flow,
        read: Read,
        comparison: Comparison,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let Node { at, kind, stated } = flow.nodes[comparison.node()];
        let Kind::Store { index, hit, .. } = kind else {
            return Ok(false);
        };
        if stated & comparison.bit() != 0 {
            return Ok(false);
        }
        let place = self.blaster.bits(terms, read.1, budget)?;
        let written = self.blaster.bits(terms, index, budget)?;
        match comparison {
            Comparison::Same(_) => self.equal_if(hit, &place, &written),
            Comparison::Differ(_) => {
                let same = words::equal(&mut self.blaster.gates, &place, &written);
                self.flow_clause(&[!at, hit, !same]);
            }
        }
        flow.nodes[comparison.node()].stated |= comparison.bit();
        self.emit(budget)?;
        Ok(true)
    }

    fn flow_clause(&mut self, wires: &[Wire]) {
        self.blaster.gates.assert_clause(&mut *self.sat, wires);
    }

    /// `premise` gives that the words are equal.
    pub(super) fn equal_if(&mut self, premise: Wire, a: &[Wire], b: &[Wire]) {
        for (&a, &b) in a.iter().zip(b) {
            self.flow_clause(&[!premise, !a, b]);
            self.flow_clause(&[!premise, a, !b]);
        }
    }
}

//! One path at a time: is there a run that takes exactly these decisions first?
//!
//! Decision vectors are prefix-closed, so they are kept as a trie. A node knows the condition under
//! which a run comes to its decision, the term that decides it, and, once somebody asked, a model of
//! a run that does come there. A question walks down the trie; where the stored model already goes
//! the way that is asked for, nobody else is asked, and only where it does not, the solver is, with
//! the condition of this one step. Every path that is encoded is followed to its end by the model at hand
//! (as concolic testing does it), so that one solver call answers for all prefixes of a run.
//!
//! All paths share one pool of terms, one solver, and the variables of their inputs: the n-th input
//! of a path is the same variable for all paths, which is right because paths with the same
//! beginning draw the same inputs there. No symbolic memory is kept between questions: a path that
//! leaves the trie is encoded again from its start, which costs the time of its statements, while
//! its terms are the shared ones.

use crate::encoder::{Config, Pool, Script, encode_with};
use crate::record::{Encoding, EndKind, EndRecord, InputOrigin, InputRecord, InputValue};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{BlockId, FuncId, Program};
use idiolect_smt::{Evaluator, Model, Outcome, Solver, TermId, Terms};
use std::rc::Rc;

/// Paths are followed no further than this beyond what was asked for.
const FOLLOW: usize = 2_000;

/// What is known of a decision that runs may come to.
struct Node {
    /// The condition under which a run comes here.
    guard: TermId,
    taken: TermId,
    place: (FuncId, BlockId),
    edges: [Edge; 2],
    /// A run that comes here.
    model: Option<Rc<Model>>,
}

/// One outcome of a decision.
#[derive(Clone, Default)]
struct Edge {
    status: Status,
    next: Next,
}

#[derive(Clone, Default)]
enum Status {
    #[default]
    Unknown,
    Infeasible,
    /// A run that decides like this here.
    Feasible(Rc<Model>),
}

/// What comes after an outcome.
#[derive(Clone, Copy, Default)]
enum Next {
    #[default]
    Unknown,
    Node(usize),
    /// No further decision.
    End,
}

/// Who answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathStatistics {
    pub questions: u64,
    /// Answered without the solver.
    pub by_model: u64,
    pub solver_calls: u64,
    /// Paths that were encoded.
    pub encoded: u64,
    pub nodes: u64,
}

/// A run that takes the decisions that were asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    pub model: Rc<Model>,
}

/// Everything along one path, from the start to where its decisions end or it ends itself.
#[derive(Clone, Debug)]
pub struct Path {
    /// Holds in runs that take this path.
    pub condition: TermId,
    pub inputs: Vec<InputRecord>,
    /// How runs may end along the path; the conditions speak of runs that take it so far.
    pub ends: Vec<EndRecord>,
    /// The decisions that it has: fewer than asked for if it ends before.
    pub decisions: Vec<(FuncId, BlockId, bool)>,
    /// By decision: holds in runs that come to it, and holds if they then decide for 1.
    pub steps: Vec<(TermId, TermId)>,
}

/// Inputs that are known, where not all of a path's are: a run is followed with few of its values open.
pub trait KnownInputs: Send {
    /// A path is followed from its start.
    fn start(&mut self);

    /// The bits of the input that the path draws next; those beyond its width do not count. `None` if it is a variable.
    fn next(&mut self, origin: InputOrigin) -> Option<u128>;
}

/// Answers questions about the paths of one program.
pub struct PathExplorer<'p> {
    program: &'p Program,
    config: Config,
    terms: Terms,
    /// Made when somebody asks: many explorers are used for their paths alone.
    solver: Option<Solver>,
    script: Script,
    nodes: Vec<Node>,
    root: Next,
    statistics: PathStatistics,
}

impl<'p> PathExplorer<'p> {
    pub fn new(program: &'p Program, check_overflow: bool) -> Self {
        Self {
            program,
            config: Config {
                unwind: 0,
                check_overflow,
                constant_unwindings: u32::MAX,
                ..Config::default()
            },
            terms: Terms::new(),
            solver: None,
            script: Script {
                decisions: Vec::new(),
                then: None,
                max_decisions: 0,
                variables: Default::default(),
                given: None,
                recorder: None,
                rerun: None,
            },
            nodes: Vec::new(),
            root: Next::Unknown,
            statistics: PathStatistics::default(),
        }
    }

    /// Takes these inputs for what they are; only the others are variables, and only they are inputs of paths. What
    /// questions about runs found before is not asked with others.
    pub fn give(&mut self, given: Box<dyn KnownInputs>) {
        self.script.given = Some(given);
        self.nodes.clear();
        self.root = Next::Unknown;
    }

    pub fn statistics(&self) -> PathStatistics {
        PathStatistics {
            nodes: self.nodes.len() as u64,
            ..self.statistics
        }
    }

    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Holds where this condition, of a path of this explorer, does not.
    pub fn negated(&mut self, condition: TermId) -> TermId {
        self.terms.not(condition)
    }

    /// The conjunction of two conditions of a path.
    pub fn both(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms.and(a, b)
    }

    /// Holds where one of these conditions, of paths of this explorer, does.
    pub fn any(&mut self, conditions: &[TermId]) -> TermId {
        self.terms.or_all(conditions)
    }

    /// A run that takes these decisions first, if there is one.
    pub fn feasible(
        &mut self,
        decisions: &[bool],
        budget: &Budget,
    ) -> Result<Option<Witness>, StopReason> {
        self.statistics.questions += 1;
        let calls = self.statistics.solver_calls;
        let answer = self.walk(decisions, budget)?;
        if self.statistics.solver_calls == calls {
            self.statistics.by_model += 1;
        }
        Ok(answer.map(|model| Witness { model }))
    }

    fn walk(
        &mut self,
        decisions: &[bool],
        budget: &Budget,
    ) -> Result<Option<Rc<Model>>, StopReason> {
        let mut model = Rc::new(Model::new());
        if let Next::Unknown = self.root {
            self.grow(&[], &model, budget)?;
        }
        let mut next = self.root;
        for (i, &outcome) in decisions.iter().enumerate() {
            let Next::Node(at) = next else {
                return Ok(None);
            };
            if self.nodes[at].model.is_none() {
                // Runs that come to the decision before may all end on the way to this one.
                let guard = self.nodes[at].guard;
                match self.solve(guard, budget)? {
                    Some(found) => self.nodes[at].model = Some(found),
                    None => {
                        self.set_next(&decisions[..i], Next::End);
                        return Ok(None);
                    }
                }
            }
            let side = usize::from(outcome);
            model = match self.nodes[at].edges[side].status.clone() {
                Status::Feasible(model) => model,
                Status::Infeasible => return Ok(None),
                Status::Unknown => {
                    let found = match self.goes(at, outcome) {
                        Some(model) => Some(model),
                        None => {
                            let taken = self.nodes[at].taken;
                            let literal = if outcome {
                                taken
                            } else {
                                self.terms.not(taken)
                            };
                            let condition = self.terms.and(self.nodes[at].guard, literal);
                            self.solve(condition, budget)?
                        }
                    };
                    let Some(found) = found else {
                        self.nodes[at].edges[side].status = Status::Infeasible;
                        return Ok(None);
                    };
                    self.nodes[at].edges[side].status = Status::Feasible(found.clone());
                    found
                }
            };
            if i + 1 < decisions.len() && matches!(self.nodes[at].edges[side].next, Next::Unknown) {
                self.grow(&decisions[..=i], &model, budget)?;
            }
            next = self.nodes[at].edges[side].next;
        }
        Ok(Some(model))
    }

    /// Says what comes after these decisions, which the trie has.
    fn set_next(&mut self, decisions: &[bool], next: Next) {
        let mut at = self.root;
        let Some((&last, front)) = decisions.split_last() else {
            self.root = next;
            return;
        };
        for &outcome in front {
            let Next::Node(node) = at else { return };
            at = self.nodes[node].edges[usize::from(outcome)].next;
        }
        if let Next::Node(node) = at {
            self.nodes[node].edges[usize::from(last)].next = next;
        }
    }

    /// The node's model, if it decides like this.
    fn goes(&self, at: usize, outcome: bool) -> Option<Rc<Model>> {
        let node = &self.nodes[at];
        let model = node.model.as_ref()?;
        let own = model.eval_bool(&self.terms, node.taken);
        (own == outcome).then(|| model.clone())
    }

    fn solve(
        &mut self,
        condition: TermId,
        budget: &Budget,
    ) -> Result<Option<Rc<Model>>, StopReason> {
        if self.terms.known_false(condition) {
            return Ok(None);
        }
        self.statistics.solver_calls += 1;
        let solver = self.solver.get_or_insert_with(Solver::new);
        match solver.check(&self.terms, &[condition], budget) {
            Outcome::Sat(model) => Ok(Some(Rc::new(model))),
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    fn encode(
        &mut self,
        decisions: &[bool],
        then: Option<Model>,
        max_decisions: usize,
        budget: &Budget,
    ) -> Result<Encoding, StopReason> {
        self.statistics.encoded += 1;
        if let Some(given) = &mut self.script.given {
            given.start();
        }
        self.script.decisions = decisions.to_vec();
        self.script.then = then;
        self.script.max_decisions = max_decisions;
        let pool = Pool {
            terms: std::mem::take(&mut self.terms),
            ..Pool::default()
        };
        let script = Some(&mut self.script);
        let (result, mut encoding) = encode_with(self.program, &self.config, budget, pool, script);
        self.terms = std::mem::take(&mut encoding.terms);
        result.map(|()| encoding)
    }

    /// Encodes the path that starts with these decisions and goes on as the model does, and takes
    /// it into the trie: at least what comes after the decisions, and beyond it what the model's
    /// run comes to.
    fn grow(
        &mut self,
        decisions: &[bool],
        model: &Rc<Model>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let most = decisions.len() + FOLLOW;
        let encoding = self.encode(decisions, Some((**model).clone()), most, budget)?;
        let mut evaluations: Vec<(bool, bool)> = Vec::new();
        {
            let mut evaluator = Evaluator::new(&self.terms, model);
            for d in &encoding.decisions {
                evaluations.push((evaluator.eval_bool(d.guard), evaluator.eval_bool(d.taken)));
            }
        }
        // Where the last node hangs; `None` for the root.
        let mut above: Option<(usize, usize)> = None;
        for (i, decision) in encoding.decisions.iter().enumerate() {
            let (comes_here, own) = evaluations[i];
            if !comes_here && i > decisions.len() {
                // The run has ended by a fault or an assumption, and the path was not asked for.
                return Ok(());
            }
            let known = match above {
                None => self.root,
                Some((node, side)) => self.nodes[node].edges[side].next,
            };
            let here = match known {
                Next::Node(here) => here,
                _ => {
                    self.nodes.push(Node {
                        guard: decision.guard,
                        taken: decision.taken,
                        place: (decision.function, decision.block),
                        edges: Default::default(),
                        model: None,
                    });
                    let here = self.nodes.len() - 1;
                    self.hang(above, Next::Node(here));
                    here
                }
            };
            let node = &mut self.nodes[here];
            if comes_here && node.model.is_none() {
                node.model = Some(model.clone());
            }
            if !comes_here && i >= decisions.len() {
                return Ok(());
            }
            let outcome = decisions.get(i).copied().unwrap_or(own);
            let edge = &mut node.edges[usize::from(outcome)];
            if comes_here && own == outcome && matches!(edge.status, Status::Unknown) {
                edge.status = Status::Feasible(model.clone());
            }
            above = Some((here, usize::from(outcome)));
        }
        // The encoding went on until nothing was left, so no run has a further decision.
        if !encoding.is_left && encoding.decisions.len() >= decisions.len() {
            self.hang(above, Next::End);
        }
        Ok(())
    }

    fn hang(&mut self, above: Option<(usize, usize)>, next: Next) {
        match above {
            None => self.root = next,
            Some((node, side)) => self.nodes[node].edges[side].next = next,
        }
    }

    /// Everything along a path, feasible or not.
    pub fn path(&mut self, decisions: &[bool], budget: &Budget) -> Result<Path, StopReason> {
        let encoding = self.encode(decisions, None, decisions.len(), budget)?;
        let list: Vec<(FuncId, BlockId, bool)> = encoding
            .decisions
            .iter()
            .zip(decisions)
            .map(|(d, &outcome)| (d.function, d.block, outcome))
            .collect();
        let steps = encoding.decisions.iter().take(list.len());
        let steps = steps.map(|d| (d.guard, d.taken)).collect();
        let condition = match encoding.decisions.get(decisions.len().wrapping_sub(1)) {
            Some(last) => {
                let outcome = decisions[decisions.len() - 1];
                let literal = if outcome {
                    last.taken
                } else {
                    self.terms.not(last.taken)
                };
                self.terms.and(last.guard, literal)
            }
            None if decisions.is_empty() => self.terms.tt(),
            None => self.terms.ff(),
        };
        Ok(Path {
            condition,
            inputs: encoding.inputs,
            ends: encoding.ends,
            decisions: list,
            steps,
        })
    }

    /// The inputs of a run along the path for which one of these conditions holds, if there is one.
    pub fn run_to(
        &mut self,
        path: &Path,
        conditions: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<InputValue>>, StopReason> {
        let mut any = self.terms.ff();
        for &condition in conditions {
            any = self.terms.or(any, condition);
        }
        let wanted = self.terms.and(path.condition, any);
        let model = self.solve(wanted, budget)?;
        Ok(model.map(|model| {
            let mut evaluator = Evaluator::new(&self.terms, &model);
            inputs_along(path, &mut evaluator)
        }))
    }

    /// The inputs of a witness's run along its decisions, and how the run ends if it does so before
    /// a further decision.
    pub fn inputs_of(
        &mut self,
        decisions: &[bool],
        witness: &Witness,
        budget: &Budget,
    ) -> Result<(Vec<InputValue>, Option<EndKind>), StopReason> {
        let path = self.path(decisions, budget)?;
        let mut evaluator = Evaluator::new(&self.terms, &witness.model);
        let inputs = inputs_along(&path, &mut evaluator);
        let end = path.ends.iter().find(|e| evaluator.eval_bool(e.guard));
        Ok((inputs, end.map(|e| e.kind.clone())))
    }

    /// The decision that comes after these, if the trie has it.
    pub fn next_decision(&self, decisions: &[bool]) -> Option<(FuncId, BlockId)> {
        let mut next = self.root;
        for &outcome in decisions {
            let Next::Node(at) = next else { return None };
            next = self.nodes[at].edges[usize::from(outcome)].next;
        }
        match next {
            Next::Node(at) => Some(self.nodes[at].place),
            _ => None,
        }
    }
}

/// What a run along the path draws.
fn inputs_along(path: &Path, evaluator: &mut Evaluator<'_>) -> Vec<InputValue> {
    let mut inputs = Vec::new();
    for input in &path.inputs {
        if evaluator.eval_bool(input.guard) {
            inputs.push(InputValue {
                origin: input.origin,
                ty: input.ty,
                bits: evaluator.eval(input.value),
            });
        }
    }
    inputs
}

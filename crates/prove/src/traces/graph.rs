//! The program as one finite graph: calls inlined by call string, edges from one choice to the next.
//!
//! An edge is a letter of a trace. It carries what happens between two points where paths part or
//! meet: statements, at most one decision, parameters in and results out. A function that calls itself
//! is inlined up to a bound; where it would go further, and where C is not modelled, there is a *cut*:
//! a state that accepts, like an error, but of which it is only known that runs which get there were
//! not followed.

use super::language::Language;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{
    BlockId, Callee, FuncId, Location, Program, StmtKind, Terminator, TerminatorKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// One activation, by its call string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    pub function: FuncId,
    /// The calling activation and its call statement.
    pub caller: Option<(usize, Location)>,
}

/// Something that happens on an edge. `context` is that of the statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Globals get their initial values.
    Start,
    /// Any statement but a call of a function.
    Stmt { context: usize, at: Location },
    Decision {
        context: usize,
        at: Location,
        outcome: bool,
    },
    /// A call: the arguments are passed to the activation `callee`.
    Enter {
        context: usize,
        at: Location,
        callee: usize,
    },
    /// A return: the result is given to the calling activation.
    Leave { context: usize, at: Location },
}

impl Op {
    /// Where it is in the program.
    pub fn location(self) -> Option<Location> {
        match self {
            Op::Start => None,
            Op::Stmt { at, .. }
            | Op::Decision { at, .. }
            | Op::Enter { at, .. }
            | Op::Leave { at, .. } => Some(at),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphEdge {
    pub from: usize,
    pub to: usize,
    pub ops: Vec<Op>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// The function would be nested deeper than the bound.
    Recursion(FuncId),
    /// C that is not modelled, by its index in the program's list.
    Unmodelled(u32),
    /// A call through a pointer for which no function is known.
    UnknownCallee(Location),
    /// A fault ends runs here. A real run may go on, and nobody can say where.
    Fault(Location),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    Error(Location),
    Cut(Cut),
}

/// See the module. Nodes from which no goal can be reached are left out, unless faults are looked for,
/// which may be anywhere.
#[derive(Clone, Debug)]
pub struct ProgramGraph {
    pub contexts: Vec<Context>,
    pub goals: Vec<Option<Goal>>,
    /// Letters.
    pub edges: Vec<GraphEdge>,
}

/// More nodes are not inlined.
const MAX_NODES: usize = 200_000;

type Point = (usize, BlockId, usize);

struct Builder<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    recursion: usize,
    to_anywhere: bool,
    contexts: Vec<Context>,
    by_call: FxHashMap<(usize, Location, FuncId), usize>,
    nodes: FxHashMap<Point, usize>,
    points: Vec<Option<Point>>,
    goals: Vec<Option<Goal>>,
    edges: Vec<GraphEdge>,
    cuts: BTreeMap<Cut, usize>,
}

impl ProgramGraph {
    /// All paths from the start to the error locations, or to anywhere. A function may be open
    /// `recursion + 1` times.
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        errors: &[Location],
        to_anywhere: bool,
        recursion: usize,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let mut builder = Builder {
            program,
            calls,
            recursion,
            to_anywhere,
            contexts: vec![Context {
                function: program.start,
                caller: None,
            }],
            by_call: FxHashMap::default(),
            nodes: FxHashMap::default(),
            points: vec![None],
            goals: vec![None],
            edges: Vec::new(),
            cuts: BTreeMap::new(),
        };
        let first = builder.node((0, BlockId(0), 0));
        builder.edge(0, first, vec![Op::Start]);
        let mut done = 1;
        while done < builder.points.len() {
            budget.spend(1)?;
            if builder.points.len() > MAX_NODES {
                return Err(StopReason::Memory);
            }
            if let Some(point) = builder.points[done] {
                builder.expand(done, point, errors);
            }
            done += 1;
        }
        Ok(Self {
            contexts: builder.contexts,
            goals: builder.goals,
            edges: builder.edges,
        }
        .joined(to_anywhere))
    }

    /// The words that lead to the goals of a kind.
    pub fn language(
        &self,
        wanted: impl Fn(Goal) -> bool,
        budget: &Budget,
    ) -> Result<Language, StopReason> {
        let mut edges = vec![Vec::new(); self.goals.len()];
        for (letter, edge) in self.edges.iter().enumerate() {
            edges[edge.from].push((letter as u32, edge.to as u32));
        }
        let accepting = self.goals.iter().map(|g| g.is_some_and(&wanted)).collect();
        Language::new(edges, accepting, budget)
    }

    /// What happens along a word.
    pub fn ops(&self, word: &[usize]) -> impl Iterator<Item = Op> + '_ {
        let letters: Vec<usize> = word.to_vec();
        letters
            .into_iter()
            .flat_map(move |a| self.edges[a].ops.iter().copied())
    }

    /// The outcomes of the decisions along a word.
    pub fn decisions(&self, word: &[usize]) -> Vec<bool> {
        self.ops(word)
            .filter_map(|op| match op {
                Op::Decision { outcome, .. } => Some(outcome),
                _ => None,
            })
            .collect()
    }

    /// A further edge, to where runs end.
    pub fn add_goal(&mut self, from: usize, goal: Goal, ops: Vec<Op>) {
        let goal = Some(goal);
        let to = match self.goals.iter().position(|g| *g == goal) {
            Some(known) => known,
            None => {
                self.goals.push(goal);
                self.goals.len() - 1
            }
        };
        self.edges.push(GraphEdge { from, to, ops });
    }

    /// The goal that a word leads to.
    pub fn goal(&self, word: &[usize]) -> Option<Goal> {
        self.goals[self.edges[*word.last()?].to]
    }

    /// Without nodes that reach no goal, if only those count, and with edges joined over nodes that
    /// have one way in and one way out. Node 0 stays the first.
    fn joined(self, to_anywhere: bool) -> Self {
        let n = self.goals.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for edge in &self.edges {
            before[edge.to].push(edge.from);
        }
        let mut live: Vec<bool> = (self.goals.iter())
            .map(|g| to_anywhere || g.is_some())
            .collect();
        let mut stack: Vec<usize> = (0..n).filter(|&q| live[q]).collect();
        while let Some(q) = stack.pop() {
            for &p in &before[q] {
                if !std::mem::replace(&mut live[p], true) {
                    stack.push(p);
                }
            }
        }
        let (mut ins, mut outs) = (vec![0; n], vec![Vec::new(); n]);
        for (i, edge) in self.edges.iter().enumerate() {
            if live[edge.from] && live[edge.to] {
                ins[edge.to] += 1;
                outs[edge.from].push(i);
            }
        }
        let is_inner = |q: usize| q != 0 && ins[q] == 1 && outs[q].len() == 1;
        let mut edges = Vec::new();
        for q in (0..n).filter(|&q| live[q] && !is_inner(q)) {
            for &first in &outs[q] {
                let mut joined = self.edges[first].clone();
                // A cycle of inner nodes only is not reached from outside, so this ends.
                while is_inner(joined.to) && self.goals[joined.to].is_none() {
                    let next = &self.edges[outs[joined.to][0]];
                    joined.ops.extend_from_slice(&next.ops);
                    joined.to = next.to;
                }
                edges.push(joined);
            }
        }
        Self { edges, ..self }
    }
}

impl Builder<'_> {
    fn node(&mut self, point: Point) -> usize {
        let new = self.points.len();
        let number = *self.nodes.entry(point).or_insert(new);
        if number == new {
            self.points.push(Some(point));
            self.goals.push(None);
        }
        number
    }

    fn cut(&mut self, cut: Cut) -> usize {
        let new = self.points.len();
        let number = *self.cuts.entry(cut).or_insert(new);
        if number == new {
            self.points.push(None);
            self.goals.push(Some(Goal::Cut(cut)));
        }
        number
    }

    fn edge(&mut self, from: usize, to: usize, ops: Vec<Op>) {
        self.edges.push(GraphEdge { from, to, ops });
    }

    /// The edges from a point to where paths may part next.
    fn expand(&mut self, node: usize, (context, block, start): Point, errors: &[Location]) {
        let program = self.program;
        let function = self.contexts[context].function;
        let body = program.function(function).block(block);
        let mut ops = Vec::new();
        for (index, stmt) in body.stmts.iter().enumerate().skip(start) {
            let at = Location {
                function,
                block,
                index,
            };
            match &stmt.kind {
                StmtKind::Call {
                    callee: Callee::Builtin(_),
                    ..
                } => ops.push(Op::Stmt { context, at }),
                StmtKind::Call { .. } => return self.call(node, context, at, ops),
                StmtKind::Mark { .. } => {}
                _ => ops.push(Op::Stmt { context, at }),
            }
        }
        let at = Location {
            function,
            block,
            index: body.stmts.len(),
        };
        self.end(node, context, at, &body.terminator, ops, errors);
    }

    fn call(&mut self, node: usize, context: usize, at: Location, ops: Vec<Op>) {
        let calls = self.calls;
        let sites = calls.sites(at.function);
        let site = sites
            .iter()
            .find(|s| s.block == at.block && s.index == at.index);
        let callees = site.map_or(&[][..], |s| &s.callees);
        if callees.is_empty() {
            let to = self.cut(Cut::UnknownCallee(at));
            return self.edge(node, to, ops);
        }
        for &callee in callees {
            let mut ops = ops.clone();
            let to = if self.depth(context, callee) > self.recursion {
                self.cut(Cut::Recursion(callee))
            } else {
                let new = self.contexts.len();
                let inner = *self.by_call.entry((context, at, callee)).or_insert(new);
                if inner == new {
                    self.contexts.push(Context {
                        function: callee,
                        caller: Some((context, at)),
                    });
                }
                ops.push(Op::Enter {
                    context,
                    at,
                    callee: inner,
                });
                self.node((inner, BlockId(0), 0))
            };
            self.edge(node, to, ops);
        }
    }

    /// How often the function is open in an activation.
    fn depth(&self, mut context: usize, function: FuncId) -> usize {
        let mut n = 0;
        loop {
            n += usize::from(self.contexts[context].function == function);
            match self.contexts[context].caller {
                Some((caller, _)) => context = caller,
                None => return n,
            }
        }
    }

    fn end(
        &mut self,
        node: usize,
        context: usize,
        at: Location,
        terminator: &Terminator,
        mut ops: Vec<Op>,
        errors: &[Location],
    ) {
        match terminator.kind {
            TerminatorKind::Goto(to) => {
                let to = self.node((context, to, 0));
                self.edge(node, to, ops);
            }
            TerminatorKind::Branch {
                then, otherwise, ..
            } => {
                for (outcome, target) in [(true, then), (false, otherwise)] {
                    let mut ops = ops.clone();
                    ops.push(Op::Decision {
                        context,
                        at,
                        outcome,
                    });
                    let to = self.node((context, target, 0));
                    self.edge(node, to, ops);
                }
            }
            TerminatorKind::Return(_) => {
                if let Some((caller, call)) = self.contexts[context].caller {
                    ops.push(Op::Leave { context, at });
                    let to = self.node((caller, call.block, call.index + 1));
                    self.edge(node, to, ops);
                }
            }
            TerminatorKind::Error(_) | TerminatorKind::Fault(_) if errors.contains(&at) => {
                // The error has a node of its own, so that what comes before it is on an edge.
                let to = self.points.len();
                self.points.push(None);
                self.goals.push(Some(Goal::Error(at)));
                self.edge(node, to, ops);
            }
            TerminatorKind::Trap(index) => {
                let to = self.cut(Cut::Unmodelled(index));
                self.edge(node, to, ops);
            }
            TerminatorKind::Fault(_) => {
                let to = self.cut(Cut::Fault(at));
                self.edge(node, to, ops);
            }
            TerminatorKind::Error(_) | TerminatorKind::Exit(_) | TerminatorKind::Abort => {
                if self.to_anywhere {
                    // What comes before the end may fault.
                    let to = self.points.len();
                    self.points.push(None);
                    self.goals.push(None);
                    self.edge(node, to, ops);
                }
            }
        }
    }
}

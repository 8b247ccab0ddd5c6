//! How far it is to outcomes of branches that have not been seen, in the control-flow graph of the
//! whole program.
//!
//! After J. Burnim and K. Sen, *Heuristics for Scalable Dynamic Test Generation* (2008): a step
//! costs one where there is a choice and nothing where there is none. A call leads into the function
//! that is called and over it; a return leads to every place that calls return to, since a sequence
//! of decisions says nothing of the stack to a measure that is a guess anyway.

use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{BlockId, FuncId, Program, TerminatorKind};
use idiolect_search::runs::Decision;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Outcomes of branches.
pub type Seen = FxHashSet<(FuncId, BlockId, bool)>;

/// The graph, backwards.
pub struct Distances {
    /// First node of each function; nodes are blocks.
    first: Vec<usize>,
    /// By node, the nodes from which one comes here without a choice, and those from which one does
    /// with one.
    free_before: Vec<Vec<usize>>,
    choice_before: Vec<Vec<usize>>,
    branches: Vec<(FuncId, BlockId)>,
    /// By branch, where its outcomes lead: 0 and 1.
    targets: FxHashMap<(FuncId, BlockId), [usize; 2]>,
}

/// Distances to what one batch has not seen.
pub struct Near<'d> {
    graph: &'d Distances,
    /// By node: choices until a branch with an unseen outcome.
    to_unseen: Vec<u32>,
    seen: &'d Seen,
}

impl Distances {
    pub fn new(program: &Program) -> Self {
        let calls = CallGraph::new(program);
        let mut first = Vec::new();
        let mut n = 0;
        for function in program.function_ids() {
            first.push(n);
            n += program.function(function).blocks.len();
        }
        let mut graph = Self {
            first,
            free_before: vec![Vec::new(); n],
            choice_before: vec![Vec::new(); n],
            branches: Vec::new(),
            targets: FxHashMap::default(),
        };
        for function in program.function_ids() {
            let body = program.function(function);
            for (id, block) in body.block_ids().zip(&body.blocks) {
                let here = graph.node(function, id);
                match block.terminator.kind {
                    TerminatorKind::Goto(to) => {
                        let to = graph.node(function, to);
                        graph.free_before[to].push(here);
                    }
                    TerminatorKind::Branch {
                        then, otherwise, ..
                    } => {
                        let to = [otherwise, then].map(|b| graph.node(function, b));
                        for target in to {
                            graph.choice_before[target].push(here);
                        }
                        graph.branches.push((function, id));
                        graph.targets.insert((function, id), to);
                    }
                    _ => {}
                }
            }
            for site in calls.sites(function) {
                let here = graph.node(function, site.block);
                for &callee in &site.callees {
                    let entry = graph.node(callee, BlockId::new(0));
                    graph.free_before[entry].push(here);
                    let body = program.function(callee);
                    for (id, block) in body.block_ids().zip(&body.blocks) {
                        if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
                            let from = graph.node(callee, id);
                            graph.free_before[here].push(from);
                        }
                    }
                }
            }
        }
        graph
    }

    fn node(&self, function: FuncId, block: BlockId) -> usize {
        self.first[function.index()] + block.index()
    }

    /// Distances to branches with an outcome that is not among these.
    pub fn to_unseen<'d>(&'d self, seen: &'d Seen) -> Near<'d> {
        let mut to_unseen = vec![u32::MAX; self.free_before.len()];
        let mut queue = VecDeque::new();
        for &(function, block) in &self.branches {
            let is_new = [false, true]
                .iter()
                .any(|&o| !seen.contains(&(function, block, o)));
            if is_new {
                let node = self.node(function, block);
                to_unseen[node] = 0;
                queue.push_back(node);
            }
        }
        // Steps that cost nothing go to the front, so that nodes come in order of their distance.
        while let Some(node) = queue.pop_front() {
            let here = to_unseen[node];
            for &before in &self.free_before[node] {
                if to_unseen[before] > here {
                    to_unseen[before] = here;
                    queue.push_front(before);
                }
            }
            for &before in &self.choice_before[node] {
                if to_unseen[before] > here + 1 {
                    to_unseen[before] = here + 1;
                    queue.push_back(before);
                }
            }
        }
        Near {
            graph: self,
            to_unseen,
            seen,
        }
    }
}

impl Near<'_> {
    /// The distance behind a decision that comes out the other way; 0 if that is itself unseen.
    pub fn behind(&self, decision: &Decision) -> u32 {
        let (function, block) = (decision.function, decision.block);
        if !self.seen.contains(&(function, block, !decision.taken)) {
            return 0;
        }
        match self.graph.targets.get(&(function, block)) {
            Some(targets) => {
                self.to_unseen[targets[usize::from(!decision.taken)]].saturating_add(1)
            }
            None => u32::MAX,
        }
    }
}

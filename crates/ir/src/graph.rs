//! The shape of one function: order, dominators, loops.
//!
//! * [`Cfg`]: successors, predecessors, reverse postorder.
//! * [`Dominators`]: K. D. Cooper, T. J. Harvey, K. Kennedy, *A Simple, Fast Dominance Algorithm*,
//!   2001. Their `doms` is `idom`, their `intersect` walks up by reverse postorder positions.
//!   Quadratic at worst, near linear on real control flow.
//! * [`Loops`]: the loop forest of B. Steensgaard, *Sequentializing Program Dependence Graphs for
//!   Irreducible Programs*, 1993: a strongly connected region is a loop, and its entries are its
//!   heads; take the heads away, and the regions that remain are the loops inside. On reducible
//!   graphs, where each loop has one head, these are the natural loops, with those of the same
//!   head as one. Linear for each level of nesting.
//!
//! Only blocks that can be reached from the function's entry by edges count.

use crate::program::Function;
use crate::scc::Components;
use crate::stmt::BlockId;

/// The edges between the blocks of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cfg {
    /// `then` before `otherwise`; twice the same block if both are.
    successors: Vec<Vec<usize>>,
    /// Reachable ones only, ascending, without repetition.
    predecessors: Vec<Vec<BlockId>>,
    reverse_postorder: Vec<BlockId>,
    /// Positions in `reverse_postorder`.
    position: Vec<Option<usize>>,
}

impl Cfg {
    /// The graph of a function all of whose branch targets exist.
    pub fn new(function: &Function) -> Self {
        let successors: Vec<Vec<usize>> = function
            .blocks
            .iter()
            .map(|b| b.terminator.kind.successors().map(BlockId::index).collect())
            .collect();
        let reverse_postorder = reverse_postorder(&successors);
        let mut position = vec![None; successors.len()];
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (i, &block) in reverse_postorder.iter().enumerate() {
            position[block.index()] = Some(i);
            for &to in &successors[block.index()] {
                predecessors[to].push(block);
            }
        }
        for list in &mut predecessors {
            list.sort_unstable();
            list.dedup();
        }
        Self {
            successors,
            predecessors,
            reverse_postorder,
            position,
        }
    }

    pub fn n_blocks(&self) -> usize {
        self.successors.len()
    }

    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.successors[block.index()]
            .iter()
            .map(|&b| BlockId::new(b))
    }

    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// The reachable blocks; every block comes before its successors, back edges aside.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()].is_some()
    }

    /// The position of a reachable block in [`reverse_postorder`](Self::reverse_postorder).
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block.index()]
    }
}

fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<BlockId> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    // Blocks on the current path, each with the number of successors that remain. The last one is
    // looked at first, so that after reversal `then` comes before `otherwise`.
    let mut path = vec![(0, successors[0].len())];
    seen[0] = true;
    while let Some((block, remaining)) = path.last_mut() {
        if *remaining == 0 {
            order.push(BlockId::new(*block));
            path.pop();
            continue;
        }
        *remaining -= 1;
        let to = successors[*block][*remaining];
        if !std::mem::replace(&mut seen[to], true) {
            path.push((to, successors[to].len()));
        }
    }
    order.reverse();
    order
}

/// Which blocks every path to a block goes through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominators {
    idom: Vec<Option<BlockId>>,
    /// When a walk over the dominator tree enters and leaves a block; `None` if unreachable.
    interval: Vec<Option<(u32, u32)>>,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Self {
        // Everything here is in positions of the reverse postorder; the entry is 0.
        let order = cfg.reverse_postorder();
        let mut idom: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(entry) = idom.first_mut() {
            *entry = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &block) in order.iter().enumerate().skip(1) {
                let mut new: Option<usize> = None;
                for &before in cfg.predecessors(block) {
                    let Some(p) = cfg.position(before).filter(|&p| idom[p].is_some()) else {
                        continue;
                    };
                    new = Some(match new {
                        None => p,
                        Some(other) => intersect(&idom, p, other),
                    });
                }
                if idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        Self::with_intervals(cfg, &idom)
    }

    fn with_intervals(cfg: &Cfg, idom: &[Option<usize>]) -> Self {
        let order = cfg.reverse_postorder();
        let mut children = vec![Vec::new(); order.len()];
        for (i, parent) in idom.iter().enumerate().skip(1) {
            if let Some(parent) = parent {
                children[*parent].push(i);
            }
        }
        let mut result = Self {
            idom: vec![None; cfg.n_blocks()],
            interval: vec![None; cfg.n_blocks()],
        };
        let mut clock = 0;
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !order.is_empty() {
            path.push((0, 0));
        }
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            let interval = &mut result.interval[order[node].index()];
            if *next == 0 {
                *interval = Some((clock, clock));
                clock += 1;
            }
            if let Some(&child) = children[node].get(*next) {
                *next += 1;
                result.idom[order[child].index()] = Some(order[node]);
                path.push((child, 0));
            } else {
                if let Some((_, leave)) = interval {
                    *leave = clock;
                }
                path.pop();
            }
        }
        result
    }

    /// The last block before this one that every path to it goes through; `None` for the entry
    /// and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.idom[block.index()]
    }

    /// Whether every path to `below` goes through `above`. A reachable block dominates itself.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        match (self.interval[above.index()], self.interval[below.index()]) {
            (Some((enter, leave)), Some((at, _))) => enter <= at && at < leave,
            _ => false,
        }
    }
}

fn intersect(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        // Dominators have smaller positions, so the larger one moves up.
        if a > b {
            a = idom[a].unwrap_or(0);
        } else {
            b = idom[b].unwrap_or(0);
        }
    }
    a
}

idiolect_base::index_type!(
    /// A loop of one function, as its position in [`Loops::all`].
    LoopId
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where control enters: one block, or several if the region is irreducible, as a `goto` into
    /// a loop makes it. Ascending.
    pub heads: Vec<BlockId>,
    /// All blocks, those of inner loops too, ascending.
    pub blocks: Vec<BlockId>,
    /// Edges from the loop to one of its heads, ascending.
    pub back_edges: Vec<(BlockId, BlockId)>,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

impl Loop {
    pub fn is_irreducible(&self) -> bool {
        self.heads.len() > 1
    }

    pub fn contains(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// The loops of a function, outer before inner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loops {
    loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
}

impl Loops {
    pub fn new(cfg: &Cfg) -> Self {
        let n = cfg.n_blocks();
        let mut result = Self {
            loops: Vec::new(),
            innermost: vec![None; n],
        };
        // The region that a block is in, as the heads around it are taken away one level after
        // the other; each region is looked at once.
        let mut region: Vec<Option<usize>> = cfg.position.iter().map(|p| p.map(|_| 0)).collect();
        let mut n_regions = 1;
        let mut search = Components::new(n);
        let everything: Vec<usize> = cfg.reverse_postorder.iter().map(|b| b.index()).collect();
        let mut todo = std::collections::VecDeque::from([(0, everything, None::<LoopId>)]);
        while let Some((number, blocks, parent)) = todo.pop_front() {
            let inside = |b: usize| region[b] == Some(number);
            let mut found = search.find(&cfg.successors, inside, blocks);
            found.sort_unstable();
            for component in found {
                let is_cyclic =
                    component.len() > 1 || cfg.successors[component[0]].contains(&component[0]);
                if !is_cyclic {
                    continue;
                }
                let id = LoopId::new(result.loops.len());
                let new = make_loop(cfg, &component, parent, &result.loops);
                for &block in &component {
                    result.innermost[block] = Some(id);
                    region[block] = Some(n_regions);
                }
                for head in &new.heads {
                    region[head.index()] = None;
                }
                todo.push_back((n_regions, component, Some(id)));
                n_regions += 1;
                result.loops.push(new);
            }
        }
        result
    }

    pub fn all(&self) -> &[Loop] {
        &self.loops
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The number of loops around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }

    /// The loop that this block is a head of. A block is the head of at most one, because heads
    /// are not part of any loop inside their own.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block)
            .filter(|&id| self.get(id).heads.binary_search(&block).is_ok())
    }

    /// Whether an edge goes to a head of a loop from within.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.headed_by(to)
            .is_some_and(|id| self.get(id).contains(from))
    }

    /// Whether each loop has one head.
    pub fn is_reducible(&self) -> bool {
        !self.loops.iter().any(Loop::is_irreducible)
    }
}

fn make_loop(cfg: &Cfg, component: &[usize], parent: Option<LoopId>, loops: &[Loop]) -> Loop {
    let inside = |b: BlockId| component.binary_search(&b.index()).is_ok();
    let blocks: Vec<BlockId> = component.iter().map(|&b| BlockId::new(b)).collect();
    let heads: Vec<BlockId> = blocks
        .iter()
        .copied()
        .filter(|&b| {
            b == Function::ENTRY || cfg.predecessors(b).iter().any(|&before| !inside(before))
        })
        .collect();
    let mut back_edges: Vec<(BlockId, BlockId)> = heads
        .iter()
        .flat_map(|&head| {
            let from = cfg.predecessors(head).iter().copied();
            from.filter(|&b| inside(b)).map(move |b| (b, head))
        })
        .collect();
    back_edges.sort_unstable();
    Loop {
        heads,
        blocks,
        back_edges,
        parent,
        depth: 1 + parent.map_or(0, |p| loops[p.index()].depth),
    }
}

#[cfg(test)]
mod tests;

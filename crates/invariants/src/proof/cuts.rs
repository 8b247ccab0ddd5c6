//! Where a function is cut, and the pieces without loops that remain.
//!
//! Cuts are the entry, the heads of all loops, calls before which something is claimed, and the exit. A *segment* is everything between one
//! cut and the next ones: it has no cycle, so one encoding covers it. A loop inside another needs
//! no rule of its own: the outer loop's body is the segment up to the inner head, what follows the
//! inner loop is part of the segment that starts there, and all claims are proved together.

use super::contract::Contract;
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::{
    BlockId, Builtin, Callee, ConvertOp, ExprId, ExprKind, FuncId, Function, Program, StmtKind,
    TerminatorKind, Ty,
};
use idiolect_quantified::point::{Point, PointKind};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    pub kind: PointKind,
    /// The head of the loop; block 0 for the entry and the exit.
    pub block: BlockId,
    /// What is claimed there, by its position in the list of points.
    pub point: Option<usize>,
}

pub(super) struct Cuts {
    /// The entry is the first one, the exit the last one.
    pub list: Vec<Cut>,
}

impl Cuts {
    /// `points` may be of other functions, too.
    pub fn new(function: &Function, id: FuncId, points: &[&Point]) -> Self {
        let at = |kind: PointKind, block: BlockId| {
            let same = |p: &&Point| {
                p.function == id && p.kind == kind && (kind != PointKind::Loop || p.block == block)
            };
            let point = points.iter().position(same);
            Cut { kind, block, point }
        };
        let mut heads: Vec<BlockId> = Loops::new(&Cfg::new(function))
            .all()
            .iter()
            .flat_map(|l| l.heads.iter().copied())
            .collect();
        // Whatever else something is claimed at: calls.
        let is_inside = |p: &&&Point| p.function == id && p.kind == PointKind::Loop;
        heads.extend(points.iter().filter(is_inside).map(|p| p.block));
        heads.sort_unstable();
        heads.dedup();
        let mut list = vec![at(PointKind::Entry, Function::ENTRY)];
        list.extend(heads.into_iter().map(|h| at(PointKind::Loop, h)));
        list.push(at(PointKind::Exit, Function::ENTRY));
        Cuts { list }
    }

    pub fn exit(&self) -> usize {
        self.list.len() - 1
    }

    /// The cut that a jump to this block comes to.
    pub fn at(&self, block: BlockId) -> Option<usize> {
        let is_here = |c: &Cut| c.kind == PointKind::Loop && c.block == block;
        self.list.iter().position(is_here)
    }

    /// The blocks of the segment that starts at a cut, in an order in which predecessors come first.
    /// Empty if the cut leads to another one at once.
    pub fn segment(&self, function: &Function, from: usize) -> Vec<BlockId> {
        let cut = self.list[from];
        if cut.kind == PointKind::Entry && self.at(cut.block).is_some() {
            return Vec::new();
        }
        let mut seen = vec![false; function.blocks.len()];
        let mut order = Vec::new();
        let mut path = vec![(cut.block, self.successors(function, cut.block))];
        seen[cut.block.index()] = true;
        while let Some((block, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                order.push(*block);
                path.pop();
                continue;
            };
            if !std::mem::replace(&mut seen[next.index()], true) {
                path.push((next, self.successors(function, next)));
            }
        }
        order.reverse();
        order
    }

    /// The cuts that the segment which starts at a cut may come to.
    pub fn targets(&self, function: &Function, from: usize) -> Vec<usize> {
        let segment = self.segment(function, from);
        let mut found = Vec::new();
        if segment.is_empty() {
            found.extend(self.at(self.list[from].block));
        }
        for block in segment {
            let kind = &function.block(block).terminator.kind;
            found.extend(kind.successors().filter_map(|s| self.at(s)));
            if matches!(kind, TerminatorKind::Return(_)) {
                found.push(self.exit());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn successors(&self, function: &Function, block: BlockId) -> Vec<BlockId> {
        let all = function.block(block).terminator.kind.successors();
        all.filter(|&b| self.at(b).is_none()).collect()
    }

    /// The most that blocks on one path of a segment sum up to.
    pub fn longest(
        &self,
        function: &Function,
        segment: &[BlockId],
        weight: impl Fn(BlockId) -> usize,
    ) -> usize {
        let mut best: FxHashMap<BlockId, usize> = FxHashMap::default();
        let mut most = 0;
        for &block in segment {
            let here = best.get(&block).copied().unwrap_or(0) + weight(block);
            most = most.max(here);
            for next in self.successors(function, block) {
                let before = best.entry(next).or_insert(0);
                *before = (*before).max(here);
            }
        }
        most
    }
}

/// Why nobody can say how many cells a piece of code touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unbounded {
    /// The function that loops or calls itself, or nothing for a call through a pointer.
    pub function: Option<FuncId>,
}

/// How many pointers code reads from memory: each may be a cell that nothing named before.
pub(super) struct Touches<'a> {
    program: &'a Program,
    /// Calls of these are not followed: what they return is all that is new.
    contracts: &'a [Contract],
    known: FxHashMap<FuncId, Result<usize, Unbounded>>,
    open: Vec<FuncId>,
}

impl<'a> Touches<'a> {
    pub fn new(program: &'a Program, contracts: &'a [Contract]) -> Self {
        Touches {
            program,
            contracts,
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    pub fn of_block(&mut self, function: &Function, block: BlockId) -> Result<usize, Unbounded> {
        let mut n = 0;
        let block = function.block(block);
        for stmt in &block.stmts {
            stmt.kind.for_each_expr(|e| n += pointer_loads(function, e));
            match &stmt.kind {
                StmtKind::Call { callee, .. } => n += self.of_callee(*callee)?,
                // Copies bytes, which may be pointers.
                StmtKind::Copy { size, .. } => n += *size as usize / 4,
                _ => {}
            }
        }
        if let Some(e) = block.terminator.kind.expr() {
            n += pointer_loads(function, e);
        }
        Ok(n)
    }

    fn of_callee(&mut self, callee: Callee) -> Result<usize, Unbounded> {
        match callee {
            Callee::Function(id) => self.of_function(id),
            Callee::Pointer { .. } => Err(Unbounded { function: None }),
            Callee::Builtin(Builtin::Memmove | Builtin::Realloc) => {
                Err(Unbounded { function: None })
            }
            Callee::Builtin(_) => Ok(0),
        }
    }

    /// The pointers that a call of a function reads; functions with loops have no bound.
    pub fn of_function(&mut self, id: FuncId) -> Result<usize, Unbounded> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let function = self.program.function(id);
        if self.contracts.iter().any(|c| c.function == id) {
            return Ok(usize::from(function.ret == Some(Ty::Ptr)));
        }
        let has_loops = !Loops::new(&Cfg::new(function)).all().is_empty();
        if has_loops || self.open.contains(&id) {
            return Err(Unbounded { function: Some(id) });
        }
        self.open.push(id);
        let mut sum = Ok(0);
        for block in function.block_ids() {
            let here = self.of_block(function, block);
            sum = sum.and_then(|n| here.map(|m| n + m));
        }
        self.open.pop();
        self.known.insert(id, sum.clone());
        sum
    }
}

fn pointer_loads(function: &Function, expr: ExprId) -> usize {
    let e = function.expr(expr);
    // An integer that becomes a pointer may have been read from memory as an integer.
    let is_new = match e.kind {
        ExprKind::Load { .. } => e.ty == Ty::Ptr,
        ExprKind::Convert(op, _) => op == ConvertOp::IntToPtr,
        _ => false,
    };
    let mut n = usize::from(is_new);
    e.kind.for_each_operand(|o| n += pointer_loads(function, o));
    n
}

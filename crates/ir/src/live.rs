//! Which locals are still needed where.

use crate::{BlockId, Callee, ExprId, ExprKind, Function, LocalId, Place, Program, StmtKind};

/// For every block and statement, the register locals that may be read from there on.
pub struct Liveness {
    /// By block, then by statement, and one more for the terminator.
    before: Vec<Vec<Vec<u64>>>,
}

impl Liveness {
    pub fn new(program: &Program, function: &Function) -> Self {
        let n_words = function.locals.len().div_ceil(64);
        let mut entry = vec![vec![0u64; n_words]; function.blocks.len()];
        let blocks: Vec<BlockId> = function.block_ids().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for block in blocks.iter().rev().copied() {
                let lists = backward(program, function, block, &entry);
                if lists[0] != entry[block.index()] {
                    entry[block.index()] = lists[0].clone();
                    changed = true;
                }
            }
        }
        let before = function
            .block_ids()
            .map(|block| backward(program, function, block, &entry))
            .collect();
        Self { before }
    }

    /// Before this statement, or the terminator.
    pub fn is_live(&self, block: BlockId, index: usize, local: usize) -> bool {
        let sets = &self.before[block.index()];
        sets.get(index)
            .is_none_or(|set| set[local / 64] >> (local % 64) & 1 == 1)
    }
}

fn backward(
    program: &Program,
    function: &Function,
    block: BlockId,
    entry: &[Vec<u64>],
) -> Vec<Vec<u64>> {
    let body = function.block(block);
    let mut live = vec![0u64; function.locals.len().div_ceil(64)];
    for successor in body.terminator.kind.successors() {
        for (word, more) in live.iter_mut().zip(&entry[successor.index()]) {
            *word |= more;
        }
    }
    if let Some(e) = body.terminator.kind.expr() {
        read(function, e, &mut live);
    }
    let mut lists = vec![live.clone()];
    for stmt in body.stmts.iter().rev() {
        let written = match &stmt.kind {
            StmtKind::Assign {
                place: Place::Local(l),
                ..
            }
            | StmtKind::Havoc {
                place: Place::Local(l),
                ..
            } => Some(*l),
            // A call that has no result leaves its destination as it was.
            StmtKind::Call {
                dest: Some(Place::Local(l)),
                callee: Callee::Function(f),
                ..
            } if program.function(*f).ret.is_some() => Some(*l),
            _ => None,
        };
        if let Some(l) = written {
            live[l.index() / 64] &= !(1 << (l.index() % 64));
        }
        stmt.kind.for_each_expr(|e| read(function, e, &mut live));
        lists.push(live.clone());
    }
    lists.reverse();
    lists
}

fn read(function: &Function, root: ExprId, live: &mut [u64]) {
    let mut mark = |l: LocalId| live[l.index() / 64] |= 1 << (l.index() % 64);
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let kind = &function.expr(id).kind;
        if let ExprKind::Local(l) = kind {
            mark(*l);
        }
        kind.for_each_operand(|operand| open.push(operand));
    }
}

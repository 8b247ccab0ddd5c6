//! From a finished body to a function: variables whose address is taken move to memory, blocks
//! that nothing reaches go away, and the rest is numbered in the order of the source.

use super::Lowerer;
use super::body::{Body, Draft};
use idiolect_base::Span;
use idiolect_ir::{
    Block, BlockId, Expr, ExprId, ExprKind, FaultKind, LocalId, LocalKind, LocalStorage, Place,
    Stmt, StmtKind, Terminator, TerminatorKind, Ty,
};

impl Lowerer<'_> {
    /// The blocks of the current body, ready for the IR. `params` are replaced where a parameter
    /// has moved to memory.
    pub fn finish_blocks(&mut self, params: &mut [LocalId]) -> Vec<Block> {
        self.settle_orders();
        self.move_to_memory(params);
        self.keep_redeclared();
        self.drop_ends();
        let mut body = std::mem::replace(&mut self.body, Body::new());
        for draft in &mut body.blocks {
            if draft.terminator.is_none() {
                draft.terminator = Some(Terminator {
                    kind: TerminatorKind::Fault(FaultKind::Unreachable),
                    span: Span::NOWHERE,
                });
            }
        }
        thread_jumps(&mut body.blocks);
        merge_chains(&mut body.blocks);
        let order = source_order(&body.blocks);
        let mut number = vec![BlockId(0); body.blocks.len()];
        for (i, block) in order.iter().enumerate() {
            number[block.index()] = BlockId::new(i);
        }
        let mut blocks = Vec::with_capacity(order.len());
        for block in order {
            let draft = std::mem::take(&mut body.blocks[block.index()]);
            let Some(mut terminator) = draft.terminator else {
                continue;
            };
            for target in targets_mut(&mut terminator.kind) {
                *target = number[target.index()];
            }
            blocks.push(Block {
                stmts: draft.stmts,
                terminator,
            });
        }
        self.body = body;
        self.settle_declarations(&mut blocks, params);
        compact(&mut self.body.exprs, &mut blocks);
        blocks
    }

    /// Rewrites every use of a register whose address is taken.
    fn move_to_memory(&mut self, params: &mut [LocalId]) {
        let body = &mut self.body;
        if !body.addressed.iter().any(|&a| a) {
            return;
        }
        let model = &self.types;
        let mut entry = Vec::new();
        for i in 0..body.locals.len() {
            if !body.addressed[i] {
                continue;
            }
            let LocalStorage::Register(ty) = body.locals[i].storage else {
                continue;
            };
            let local = LocalId::new(i);
            let c_type = body.locals[i].ty;
            let size = model.scalar_size(ty);
            let align = model.align_of(c_type).unwrap_or(1);
            if let Some(param) = params.iter_mut().find(|p| **p == local) {
                // The argument arrives in a register of the same name, and is stored at once.
                let span = body.locals[i].span;
                let register = body.add_local(body.locals[i].clone());
                body.locals[i].kind = LocalKind::Variable;
                *param = register;
                let value = body.read(register, ty, span);
                let address = body.add(ExprKind::LocalAddress(local), Ty::Ptr, span);
                entry.push(Stmt {
                    kind: StmtKind::Declare { local, size: None },
                    span,
                });
                entry.push(Stmt {
                    kind: StmtKind::Assign {
                        place: Place::Memory { address, ty },
                        value,
                    },
                    span,
                });
            }
            body.locals[i].storage = LocalStorage::Memory { size, align };
        }
        let is_moved = |body: &Body, local: LocalId| {
            body.addressed[local.index()]
                && matches!(
                    body.locals[local.index()].storage,
                    LocalStorage::Memory { .. }
                )
        };
        for i in 0..body.exprs.len() {
            if let ExprKind::Local(local) = body.exprs[i].kind
                && is_moved(body, local)
            {
                let span = body.exprs[i].span;
                let address = body.add(ExprKind::LocalAddress(local), Ty::Ptr, span);
                body.exprs[i].kind = ExprKind::Load { address };
            }
        }
        for b in 0..body.blocks.len() {
            for s in 0..body.blocks[b].stmts.len() {
                let span = body.blocks[b].stmts[s].span;
                let (StmtKind::Assign { place, .. }
                | StmtKind::Havoc { place, .. }
                | StmtKind::Call {
                    dest: Some(place), ..
                }) = &body.blocks[b].stmts[s].kind
                else {
                    continue;
                };
                let Place::Local(local) = *place else {
                    continue;
                };
                if !is_moved(body, local) {
                    continue;
                }
                let ty = model
                    .scalar(body.locals[local.index()].ty)
                    .unwrap_or(Ty::Ptr);
                let address = body.add(ExprKind::LocalAddress(local), Ty::Ptr, span);
                if let StmtKind::Assign { place, .. }
                | StmtKind::Havoc { place, .. }
                | StmtKind::Call {
                    dest: Some(place), ..
                } = &mut body.blocks[b].stmts[s].kind
                {
                    *place = Place::Memory { address, ty };
                }
            }
        }
        body.blocks[0].stmts.splice(0..0, entry);
    }
}

/// The blocks that a terminator may go to.
pub(crate) fn targets(kind: &TerminatorKind) -> impl Iterator<Item = BlockId> + use<> {
    let pair = match *kind {
        TerminatorKind::Goto(target) => [Some(target), None],
        TerminatorKind::Branch {
            then, otherwise, ..
        } => [Some(then), Some(otherwise)],
        _ => [None, None],
    };
    pair.into_iter().flatten()
}

fn targets_mut(kind: &mut TerminatorKind) -> impl Iterator<Item = &mut BlockId> {
    let pair = match kind {
        TerminatorKind::Goto(target) => [Some(target), None],
        TerminatorKind::Branch {
            then, otherwise, ..
        } => [Some(then), Some(otherwise)],
        _ => [None, None],
    };
    pair.into_iter().flatten()
}

/// Jumps to empty blocks that only jump on go to where those lead. A branch whose sides become
/// one is still a decision of the program, and stays.
fn thread_jumps(blocks: &mut [Draft]) {
    let mut lead: Vec<BlockId> = (0..blocks.len()).map(BlockId::new).collect();
    for start in 0..blocks.len() {
        let mut path = Vec::new();
        let mut at = start;
        // An endless loop of empty blocks leads to itself.
        while lead[at].index() == at && path.len() <= blocks.len() {
            match &blocks[at] {
                Draft {
                    stmts,
                    terminator:
                        Some(Terminator {
                            kind: TerminatorKind::Goto(next),
                            ..
                        }),
                } if stmts.is_empty() && !path.contains_or_push(at) => at = next.index(),
                _ => break,
            }
        }
        let end = if path.last() == Some(&usize::MAX) {
            start
        } else {
            lead[at].index()
        };
        for block in path {
            if block != usize::MAX {
                lead[block] = BlockId::new(end);
            }
        }
    }
    for draft in blocks {
        if let Some(terminator) = &mut draft.terminator {
            for target in targets_mut(&mut terminator.kind) {
                *target = lead[target.index()];
            }
        }
    }
}

/// A block that only one jump leads to becomes part of the block that jumps.
fn merge_chains(blocks: &mut [Draft]) {
    let order = source_order(blocks);
    let mut n_predecessors = vec![0u32; blocks.len()];
    n_predecessors[0] = 1;
    for block in &order {
        if let Some(terminator) = &blocks[block.index()].terminator {
            for target in targets(&terminator.kind) {
                n_predecessors[target.index()] += 1;
            }
        }
    }
    let mut is_merged = vec![false; blocks.len()];
    for block in order {
        let block = block.index();
        while !is_merged[block]
            && let Some(TerminatorKind::Goto(next)) =
                blocks[block].terminator.as_ref().map(|t| t.kind.clone())
            && next.index() != 0
            && next.index() != block
            && n_predecessors[next.index()] == 1
        {
            let mut tail = std::mem::take(&mut blocks[next.index()]);
            is_merged[next.index()] = true;
            blocks[block].stmts.append(&mut tail.stmts);
            blocks[block].terminator = tail.terminator;
        }
    }
}

/// A path of block numbers; short, as chains of empty blocks are.
trait Path {
    /// Whether the path has this block already (then the path is marked as a cycle); else adds it.
    fn contains_or_push(&mut self, block: usize) -> bool;
}

impl Path for Vec<usize> {
    fn contains_or_push(&mut self, block: usize) -> bool {
        if self.contains(&block) {
            self.push(usize::MAX);
            return true;
        }
        self.push(block);
        false
    }
}

/// Reverse postorder from block 0, the side taken when the condition holds first.
fn source_order(blocks: &[Draft]) -> Vec<BlockId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let successors = |block: usize| -> [Option<BlockId>; 2] {
        let mut list = [None, None];
        if let Some(terminator) = &blocks[block].terminator {
            for (slot, target) in list.iter_mut().rev().zip(targets(&terminator.kind)) {
                *slot = Some(target);
            }
        }
        list
    };
    let mut stack = vec![(0usize, 0usize)];
    if blocks.is_empty() {
        return order;
    }
    seen[0] = true;
    while let Some((block, next)) = stack.pop() {
        let list = successors(block);
        match list.get(next) {
            Some(target) => {
                stack.push((block, next + 1));
                if let Some(target) = target
                    && !std::mem::replace(&mut seen[target.index()], true)
                {
                    stack.push((target.index(), 0));
                }
            }
            None => order.push(BlockId::new(block)),
        }
    }
    order.reverse();
    order
}

/// Keeps the expressions that the blocks use, each after its operands.
fn compact(exprs: &mut Vec<Expr>, blocks: &mut [Block]) {
    let old = std::mem::take(exprs);
    let mut number: Vec<Option<ExprId>> = vec![None; old.len()];
    let mut stack = Vec::new();
    let mut keep = |root: &mut ExprId, exprs: &mut Vec<Expr>| {
        stack.push((*root, false));
        while let Some((id, is_ready)) = stack.pop() {
            if number[id.index()].is_some() {
                continue;
            }
            let expr = &old[id.index()];
            if is_ready {
                let mut kind = expr.kind.clone();
                kind.for_each_operand_mut(|operand| {
                    if let Some(new) = number[operand.index()] {
                        *operand = new;
                    }
                });
                number[id.index()] = Some(ExprId::new(exprs.len()));
                exprs.push(Expr {
                    kind,
                    ty: expr.ty,
                    span: expr.span,
                });
            } else {
                stack.push((id, true));
                expr.kind
                    .for_each_operand(|operand| stack.push((operand, false)));
            }
        }
        if let Some(new) = number[root.index()] {
            *root = new;
        }
    };
    for block in blocks {
        for stmt in &mut block.stmts {
            stmt.kind.for_each_expr_mut(|root| keep(root, exprs));
        }
        match &mut block.terminator.kind {
            TerminatorKind::Branch { condition, .. } => keep(condition, exprs),
            TerminatorKind::Return(Some(value)) | TerminatorKind::Exit(value) => {
                keep(value, exprs);
            }
            _ => {}
        }
    }
}

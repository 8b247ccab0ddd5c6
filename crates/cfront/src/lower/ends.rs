//! Where blocks end, and with them the lives of what is declared there: at the closing brace, and by
//! every jump out. Returns end the lives of all locals by themselves.
//!
//! A computed `goto` is taken as one that stays in its block, which the ledger says.

use super::Lowerer;
use super::body::Body;
use super::finish::targets;
use crate::symbols::Symbol;
use idiolect_base::Span;
use idiolect_ir::{
    BinaryOp, BlockId, Builtin, Callee, ExprId, ExprKind, LocalId, LocalStorage, Place, Stmt,
    StmtKind, TerminatorKind, Ty,
};

/// A way out of scopes to a label that may not be known yet.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub block: BlockId,
    pub label: Symbol,
    pub span: Span,
    /// The block scopes around it, from the outside in, with their locals so far.
    pub scopes: Vec<(u32, Vec<LocalId>)>,
}

impl Lowerer<'_> {
    /// The end of a block inside a function: what is declared there does not live on.
    pub fn end_scope(&mut self, span: Span) {
        if self.body.is_open() {
            self.leave(self.scopes.len().saturating_sub(1), span);
        }
        self.pop_scope();
    }

    /// Ends what is declared in the scopes from this depth on. The outermost block of a function ends
    /// with the function.
    pub fn leave(&mut self, depth: usize, span: Span) {
        let mut ended: Vec<(usize, LocalId)> = Vec::new();
        for (i, scope) in self.scopes.iter().enumerate().skip(depth).rev() {
            ended.extend(scope.locals.iter().rev().map(|&local| (i, local)));
        }
        for (i, local) in ended {
            if let Some(call) = self.body.cleanups.get(&local).cloned() {
                self.body.emit(call, span);
            }
            if i > 0 {
                self.body.emit(StmtKind::End { local }, span);
            }
        }
    }

    /// The calls of a `return` for variables with the attribute `cleanup`. Whether there are any.
    pub fn clean_up_all(&mut self, span: Span) -> bool {
        if self.body.cleanups.is_empty() || !self.body.is_open() {
            return false;
        }
        let scopes = self.scopes.iter().rev();
        let locals: Vec<LocalId> = scopes
            .flat_map(|s| s.locals.iter().rev().copied())
            .collect();
        let mut has_any = false;
        for local in locals {
            if let Some(call) = self.body.cleanups.get(&local).cloned() {
                self.body.emit(call, span);
                has_any = true;
            }
        }
        has_any
    }

    /// The block scopes around this place.
    pub fn scopes_here(&self) -> Vec<(u32, Vec<LocalId>)> {
        let inner = self.scopes.iter().skip(1);
        inner.map(|s| (s.id, s.locals.clone())).collect()
    }

    /// `goto` ends what its label is outside of.
    pub fn finish_exits(&mut self) {
        for exit in std::mem::take(&mut self.body.exits) {
            let Some(label) = self.body.labels.get(&exit.label) else {
                continue;
            };
            let is_left = |id: &u32| !label.scopes.contains(id);
            let left = exit.scopes.iter().rev().filter(|(id, _)| is_left(id));
            let ended = left.flat_map(|(_, locals)| locals.iter().rev());
            let span = exit.span;
            let mut ends = Vec::new();
            for &local in ended {
                let cleanup = self.body.cleanups.get(&local).cloned();
                let kinds = cleanup.into_iter().chain([StmtKind::End { local }]);
                ends.extend(kinds.map(|kind| Stmt { kind, span }));
            }
            self.body.blocks[exit.block.index()].stmts.extend(ends);
        }
    }

    /// An object lives as long as its block. Where its declaration is come to again before that (by a
    /// backward `goto`, or as a compound literal in the condition of a loop), it is the same object, and
    /// only its bytes are unwritten again.
    pub fn keep_redeclared(&mut self) {
        let is_kept = kept(&self.body);
        let own = std::mem::take(&mut self.body.scoped);
        let candidates = own.into_iter().filter(|&local| {
            let is_fixed = matches!(
                self.body.locals[local.index()].storage,
                LocalStorage::Memory { .. }
            );
            is_fixed && is_kept[local.index()]
        });
        for local in candidates.collect::<Vec<_>>() {
            if is_declared_again(&self.body, local) {
                self.declare_once(local);
            }
        }
    }

    fn declare_once(&mut self, local: LocalId) {
        let is_declaration =
            |s: &Stmt| matches!(s.kind, StmtKind::Declare { local: l, .. } if l == local);
        for b in 0..self.body.blocks.len() {
            for i in 0..self.body.blocks[b].stmts.len() {
                if !is_declaration(&self.body.blocks[b].stmts[i]) {
                    continue;
                }
                let span = self.body.blocks[b].stmts[i].span;
                let address = self.body.add(ExprKind::LocalAddress(local), Ty::Ptr, span);
                self.body.blocks[b].stmts[i].kind = StmtKind::Call {
                    dest: None,
                    callee: Callee::Builtin(Builtin::Forget),
                    args: vec![address],
                };
            }
        }
        let span = self.body.locals[local.index()].span;
        let kind = StmtKind::Declare { local, size: None };
        self.body.blocks[0].stmts.insert(0, Stmt { kind, span });
    }

    /// Leaves only the ends that may matter: of locals in memory whose address goes somewhere.
    pub fn drop_ends(&mut self) {
        let body = &mut self.body;
        let is_end = |s: &Stmt| matches!(s.kind, StmtKind::End { .. });
        if !body.blocks.iter().any(|b| b.stmts.iter().any(is_end)) {
            return;
        }
        let is_kept = kept(body);
        let locals = &body.locals;
        for block in &mut body.blocks {
            block.stmts.retain(|s| match s.kind {
                StmtKind::End { local } => {
                    let is_register =
                        matches!(locals[local.index()].storage, LocalStorage::Register(_));
                    !is_register && is_kept[local.index()]
                }
                _ => true,
            });
        }
    }
}

/// Whether some way leads from a declaration of the local to one without its end in between.
fn is_declared_again(body: &Body, local: LocalId) -> bool {
    let first = |stmts: &[Stmt]| {
        stmts.iter().find_map(|s| match s.kind {
            StmtKind::Declare { local: l, .. } if l == local => Some(true),
            StmtKind::End { local: l } if l == local => Some(false),
            _ => None,
        })
    };
    let mut seen = vec![false; body.blocks.len()];
    let mut open: Vec<BlockId> = Vec::new();
    for block in &body.blocks {
        let is_declaration =
            |s: &Stmt| matches!(s.kind, StmtKind::Declare { local: l, .. } if l == local);
        let Some(at) = block.stmts.iter().rposition(is_declaration) else {
            continue;
        };
        if first(&block.stmts[at + 1..]).is_none() {
            open.extend(block.terminator.iter().flat_map(|t| targets(&t.kind)));
        }
    }
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let draft = &body.blocks[block.index()];
        match first(&draft.stmts) {
            Some(true) => return true,
            Some(false) => {}
            None => open.extend(draft.terminator.iter().flat_map(|t| targets(&t.kind))),
        }
    }
    false
}

/// By local: its address is stored, passed on, or turned into something that is not followed here.
fn kept(body: &Body) -> Vec<bool> {
    let mut uses = Uses {
        body,
        kept: vec![false; body.locals.len()],
    };
    for block in &body.blocks {
        for stmt in &block.stmts {
            uses.statement(&stmt.kind);
        }
        match block.terminator.as_ref().map(|t| &t.kind) {
            Some(TerminatorKind::Branch { condition, .. }) => uses.looked_at(*condition),
            Some(TerminatorKind::Return(Some(value))) => uses.goes_on(*value),
            _ => {}
        }
    }
    uses.kept
}

struct Uses<'a> {
    body: &'a Body,
    kept: Vec<bool>,
}

impl Uses<'_> {
    fn statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { place, value } => {
                self.place(*place);
                self.goes_on(*value);
            }
            StmtKind::Havoc { place, .. } => self.place(*place),
            StmtKind::Assume { condition } => self.looked_at(*condition),
            StmtKind::Copy { to, from, .. } => {
                self.looked_at(*to);
                self.looked_at(*from);
            }
            StmtKind::Zero { to, .. } => self.looked_at(*to),
            StmtKind::Declare { size, .. } => size.iter().for_each(|&s| self.looked_at(s)),
            StmtKind::End { .. } => {}
            StmtKind::Call { dest, callee, args } => {
                dest.iter().for_each(|&d| self.place(d));
                for &arg in args {
                    match callee {
                        Callee::Builtin(
                            Builtin::Memmove
                            | Builtin::Memset
                            | Builtin::CheckWritten
                            | Builtin::CheckOverlap,
                        ) => self.looked_at(arg),
                        _ => self.goes_on(arg),
                    }
                }
            }
            StmtKind::Mark { condition, .. } => condition.iter().for_each(|&c| self.looked_at(c)),
        }
    }

    fn place(&mut self, place: Place) {
        if let Some(address) = place.address() {
            self.looked_at(address);
        }
    }

    /// An address that is used here and forgotten; a condition; a size.
    fn looked_at(&mut self, expr: ExprId) {
        match self.body.exprs[expr.index()].kind {
            ExprKind::LocalAddress(_) | ExprKind::Const(_) | ExprKind::Local(_) => {}
            ExprKind::Load { address } => self.looked_at(address),
            ExprKind::PtrAdd { base, index, .. } => {
                self.looked_at(base);
                self.looked_at(index);
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                self.looked_at(left);
                self.looked_at(right);
            }
            _ => self.goes_on(expr),
        }
    }

    /// A value that may be found elsewhere later, and all that it is made of.
    fn goes_on(&mut self, expr: ExprId) {
        match self.body.exprs[expr.index()].kind {
            ExprKind::LocalAddress(local) => self.kept[local.index()] = true,
            ExprKind::Load { address } => self.looked_at(address),
            ref kind => {
                let mut parts = Vec::new();
                kind.for_each_operand(|e| parts.push(e));
                parts.into_iter().for_each(|e| self.goes_on(e));
            }
        }
    }
}

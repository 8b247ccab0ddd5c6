//! The accesses of a function and of those that it calls.

use super::locals::{Guard, Locals};
use super::{Amount, Bound, Facts, Root};
use idiolect_ir::graph::{Cfg, Dominators};
use idiolect_ir::{
    BinaryOp, BlockId, Builtin, Callee, ExprId, ExprKind, FuncId, FunctionOrigin, Place, Program,
    StmtKind, TerminatorKind, Ty,
};
use std::collections::{BTreeMap, BTreeSet};

/// Calls are followed so deep.
const MAX_DEPTH: u32 = 5;
/// Functions that are looked at, at most.
const MAX_VISITS: u32 = 300;
/// Nested expressions, likewise.
const MAX_NESTING: u32 = 60;

/// What is done with pointers, and the numbers behind parameters that are indices with an upper end only.
pub(super) fn survey(
    program: &Program,
    bound: &[Bound],
) -> (BTreeMap<Root, Facts>, BTreeSet<Amount>) {
    let mut survey = Survey {
        program,
        facts: BTreeMap::new(),
        indices: BTreeSet::new(),
        with_sign: BTreeSet::new(),
        n_visits: 0,
    };
    survey.visit(program.entry, bound, 0);
    let open = survey.indices.difference(&survey.with_sign).copied();
    let open = open.collect();
    (survey.facts, open)
}

struct Survey<'p> {
    program: &'p Program,
    facts: BTreeMap<Root, Facts>,
    /// Numbers behind parameters that index something, below an end that they are compared with.
    indices: BTreeSet<Amount>,
    /// Those that are compared with zero.
    with_sign: BTreeSet<Amount>,
    n_visits: u32,
}

/// What is known of a function while its expressions are looked at.
struct Inside<'p> {
    locals: Locals<'p>,
    /// Where it holds that an index or a pointer is below its end.
    guards: Vec<(BlockId, Guard)>,
    dominators: Dominators,
    is_users: bool,
    depth: u32,
}

impl<'p> Inside<'p> {
    fn guards_of(&self, block: BlockId) -> Vec<Guard> {
        (self.guards.iter())
            .filter(|(above, _)| self.dominators.dominates(*above, block))
            .map(|(_, guard)| guard.clone())
            .collect()
    }
}

impl<'p> Survey<'p> {
    fn visit(&mut self, id: FuncId, bound: &[Bound], depth: u32) {
        if depth > MAX_DEPTH || self.n_visits >= MAX_VISITS {
            return;
        }
        self.n_visits += 1;
        let function = self.program.function(id);
        let mut locals = Locals::new(self.program, function, bound);
        locals.follow_assignments();
        locals.collect_bounds();
        let cfg = Cfg::new(function);
        let mut guards = Vec::new();
        for (i, block) in function.blocks.iter().enumerate() {
            if let TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } = block.terminator.kind
                && cfg.is_reachable(BlockId::new(i))
            {
                for (target, truth) in [(then, true), (otherwise, false)] {
                    if cfg.predecessors(target).len() == 1 {
                        let implied = locals.implied(condition, truth);
                        guards.extend(implied.into_iter().map(|g| (target, g)));
                    }
                }
            }
        }
        let inside = Inside {
            locals,
            guards,
            dominators: Dominators::new(&cfg),
            is_users: function.origin == FunctionOrigin::User,
            depth,
        };
        for (i, block) in function.blocks.iter().enumerate() {
            let mut known = inside.guards_of(BlockId::new(i));
            for stmt in &block.stmts {
                self.statement(&inside, &stmt.kind, &mut known);
            }
            match block.terminator.kind {
                TerminatorKind::Branch { condition, .. } => {
                    self.expression(&inside, condition, &mut known, 0);
                }
                TerminatorKind::Return(Some(value)) | TerminatorKind::Exit(value) => {
                    self.expression(&inside, value, &mut known, 0);
                }
                _ => {}
            }
        }
    }

    fn statement(&mut self, inside: &Inside<'_>, kind: &StmtKind, known: &mut Vec<Guard>) {
        let size_of = |ty| self.program.types.scalar_size(ty);
        match kind {
            StmtKind::Assign { place, value } => {
                self.expression(inside, *value, known, 0);
                if let Place::Memory { address, ty } = place {
                    let size = size_of(*ty);
                    self.expression(inside, *address, known, 0);
                    self.access(inside, *address, size, true);
                }
            }
            StmtKind::Copy { to, from, size } => {
                self.access(inside, *to, *size, true);
                self.access(inside, *from, *size, false);
            }
            StmtKind::Zero { to, size } => self.access(inside, *to, *size, true),
            StmtKind::Call { callee, args, dest } => {
                for &arg in args {
                    self.expression(inside, arg, known, 0);
                }
                if let Callee::Pointer { target, .. } = callee {
                    self.expression(inside, *target, known, 0);
                }
                if let Some(Place::Memory { address, ty }) = dest {
                    let size = size_of(*ty);
                    self.access(inside, *address, size, true);
                }
                self.call(inside, *callee, args);
            }
            StmtKind::Assume { condition } => self.expression(inside, *condition, known, 0),
            StmtKind::Havoc { .. }
            | StmtKind::Declare { .. }
            | StmtKind::End { .. }
            | StmtKind::Mark { .. } => {}
        }
    }

    /// Looks at an expression and its parts; what holds for the later ones because of the earlier is known to them.
    fn expression(
        &mut self,
        inside: &Inside<'_>,
        at: ExprId,
        known: &mut Vec<Guard>,
        nesting: u32,
    ) {
        if nesting > MAX_NESTING {
            return;
        }
        let function = inside.locals.function;
        let under = nesting + 1;
        match function.expr(at).kind {
            ExprKind::Load { address } => {
                let size = self.program.types.scalar_size(function.expr(at).ty);
                self.expression(inside, address, known, under);
                self.access(inside, address, size, false);
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => {
                self.expression(inside, a, known, under);
            }
            ExprKind::Binary(op, a, b) => {
                self.expression(inside, a, known, under);
                self.expression(inside, b, known, under);
                self.comparison(inside, op, a, b, known);
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let truth = matches!(function.expr(at).kind, ExprKind::And(..));
                self.expression(inside, a, known, under);
                let n = known.len();
                known.extend(inside.locals.implied(a, truth));
                self.expression(inside, b, known, under);
                known.truncate(n);
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                self.expression(inside, condition, known, under);
                for (side, truth) in [(then, true), (otherwise, false)] {
                    let n = known.len();
                    known.extend(inside.locals.implied(condition, truth));
                    self.expression(inside, side, known, under);
                    known.truncate(n);
                }
            }
            ExprKind::PtrAdd { base, index, .. } => {
                self.expression(inside, base, known, under);
                self.expression(inside, index, known, under);
            }
            _ => {}
        }
    }

    fn call(&mut self, inside: &Inside<'_>, callee: Callee, args: &[ExprId]) {
        let locals = &inside.locals;
        match callee {
            Callee::Function(id) => {
                let bound: Vec<Bound> = args.iter().map(|&arg| locals.bound(arg)).collect();
                if bound.iter().any(|b| !b.roots.is_empty()) {
                    self.visit(id, &bound, inside.depth + 1);
                }
            }
            Callee::Builtin(Builtin::Memmove) => {
                for (i, pointer) in args.iter().take(2).enumerate() {
                    self.bulk(locals, *pointer, args.get(2).copied(), i == 0);
                }
            }
            Callee::Builtin(Builtin::Memset) => {
                if let Some(&pointer) = args.first() {
                    self.bulk(locals, pointer, args.get(2).copied(), true);
                }
            }
            Callee::Pointer { target, .. } => {
                for root in locals.address(target).roots {
                    let facts = self.facts.entry(root).or_default();
                    facts.is_accessed = true;
                    facts.is_called = true;
                }
            }
            Callee::Builtin(_) => {}
        }
    }

    /// So many bytes behind a pointer are read or written.
    fn bulk(
        &mut self,
        locals: &Locals<'_>,
        pointer: ExprId,
        size: Option<ExprId>,
        is_written: bool,
    ) {
        let address = locals.address(pointer);
        let amount = size.and_then(|size| locals.amount(size));
        let constant = size.and_then(|size| match locals.function.expr(size).kind {
            ExprKind::Const(n) => u64::try_from(n).ok(),
            _ => None,
        });
        for root in address.roots {
            let facts = self.facts.entry(root).or_default();
            facts.is_accessed = true;
            facts.is_written |= is_written;
            if let Some(amount) = amount {
                facts.counts.insert(((amount, false), 1));
            }
            if let Some(n) = constant.filter(|&n| n < 1 << 16) {
                facts.extent = facts.extent.max(address.offset + n);
            }
        }
    }

    fn access(&mut self, inside: &Inside<'_>, address: ExprId, size: u64, is_written: bool) {
        let locals = &inside.locals;
        let address = locals.address(address);
        for root in &address.roots {
            let facts = self.facts.entry(root.clone()).or_default();
            facts.is_accessed = true;
            facts.is_written |= is_written;
            facts.moves |= address.moves;
            let Some((index, scale)) = address.index else {
                if !address.moves {
                    facts.extent = facts.extent.max(address.offset.saturating_add(size));
                } else if let Some(count) = locals.counted_down() {
                    facts.counts.insert((count, size));
                }
                continue;
            };
            facts.is_indexed = true;
            for count in locals.bounds_of(index) {
                facts.counts.insert((count, scale));
            }
            self.indices.extend(locals.bounded_field(index));
        }
    }

    fn comparison(
        &mut self,
        inside: &Inside<'_>,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        known: &[Guard],
    ) {
        let locals = &inside.locals;
        let function = locals.function;
        self.ends(locals, a, b);
        if matches!(op, BinaryOp::SLt | BinaryOp::SLe) {
            for (value, other) in [(a, b), (b, a)] {
                if matches!(function.expr(other).kind, ExprKind::Const(_)) {
                    self.with_sign.extend(locals.amount(value));
                }
            }
        }
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return;
        }
        for (value, other) in [(a, b), (b, a)] {
            if function.expr(other).kind != ExprKind::Const(0) {
                continue;
            }
            if function.expr(value).ty == Ty::Ptr {
                let address = locals.address(value);
                let is_plain = inside.is_users && !address.moves && !locals.is_mixed(value);
                for root in address.roots.into_iter().filter(|_| is_plain) {
                    self.facts.entry(root).or_default().is_compared_with_null = true;
                }
            }
            let value = locals.stripped(value);
            if let ExprKind::Load { address } = function.expr(value).kind
                && self.program.types.scalar_size(function.expr(value).ty) == 1
            {
                let address = locals.address(address);
                let is_guarded = known.iter().any(|guard| guard.is_of(&address, locals));
                for root in address.roots {
                    let facts = self.facts.entry(root).or_default();
                    facts.stops_at_nul |= inside.is_users;
                    facts.ends_with_nul |= !is_guarded && inside.is_users;
                    facts.library_wants_nul |= !is_guarded && !inside.is_users;
                }
            }
        }
    }

    /// Pointers that are compared with one to the end, or subtracted from it.
    fn ends(&mut self, locals: &Locals<'_>, a: ExprId, b: ExprId) {
        for (value, end) in [(a, b), (b, a)] {
            let (value, end) = (locals.stripped(value), locals.stripped(end));
            let is_pointer = |at| locals.function.expr(at).ty == Ty::Ptr;
            if !is_pointer(value) || !is_pointer(end) {
                continue;
            }
            let known = locals.ends_of(end);
            let (walker, last) = (locals.address(value), locals.address(end));
            for root in &walker.roots {
                for (of, amount, scale) in &known {
                    if of == root {
                        let facts = self.facts.entry(root.clone()).or_default();
                        facts.counts.insert(((*amount, false), *scale));
                    }
                }
                if last.index.is_none() && last.offset == 0 && known.is_empty() {
                    let others = last.roots.iter().filter(|other| *other != root);
                    let others: Vec<Root> = others.cloned().collect();
                    let facts = self.facts.entry(root.clone()).or_default();
                    if locals.walks_down(value) {
                        facts.starts.extend(others);
                    } else if !locals.walks_down(end) {
                        facts.ends.extend(others);
                    }
                }
            }
        }
    }
}

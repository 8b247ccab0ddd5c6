//! Which indices a segment speaks of, as far as they can be told from the values that variables have
//! at its start.

use super::cuts::Cuts;
use idiolect_ir::transform::reads_memory;
use idiolect_ir::{
    BinaryOp, BlockId, ConvertOp, ExprId, ExprKind, Function, LocalId, Place, Stmt, StmtKind, Ty,
};
use idiolect_quantified::affine::signed;
use idiolect_quantified::point::PointKind;
use rustc_hash::FxHashMap;

/// A value that is known before the code runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Value {
    Constant(i64),
    /// What this local was at the start, plus a constant.
    Start(LocalId, i64),
}

type Values = FxHashMap<LocalId, Value>;

/// An index that the code uses or a variable has at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Index {
    Known(Value),
    /// Known only before this statement of this block, or before its end.
    Later {
        at: (BlockId, usize),
        index: ExprId,
    },
}

pub(super) struct Flow<'a> {
    function: &'a Function,
    segment: &'a [BlockId],
    at_start: FxHashMap<BlockId, Values>,
    at_cut: FxHashMap<usize, Values>,
}

impl<'a> Flow<'a> {
    /// Follows values through a segment, whose blocks come after their predecessors.
    pub fn new(function: &'a Function, cuts: &Cuts, from: usize, segment: &'a [BlockId]) -> Self {
        let mut flow = Flow {
            function,
            segment,
            at_start: FxHashMap::default(),
            at_cut: FxHashMap::default(),
        };
        let is_entry = cuts.list[from].kind == PointKind::Entry;
        let mut start = Values::default();
        for (i, local) in function.locals.iter().enumerate() {
            let id = LocalId::new(i);
            let is_int = matches!(
                local.storage,
                idiolect_ir::LocalStorage::Register(Ty::Int(_))
            );
            if is_int && (!is_entry || function.params.contains(&id)) {
                start.insert(id, Value::Start(id, 0));
            }
        }
        let Some(&first) = segment.first() else {
            flow.at_cut
                .extend(cuts.at(cuts.list[from].block).map(|c| (c, start)));
            return flow;
        };
        flow.at_start.insert(first, start);
        for &block in segment {
            let mut now = flow.at_start.get(&block).cloned().unwrap_or_default();
            for stmt in &function.block(block).stmts {
                step(function, &mut now, stmt);
            }
            let end = &function.block(block).terminator.kind;
            for next in end.successors() {
                match cuts.at(next) {
                    Some(cut) => join(flow.at_cut.entry(cut), &now),
                    None => join(flow.at_start.entry(next), &now),
                }
            }
            if matches!(end, idiolect_ir::TerminatorKind::Return(_)) {
                join(flow.at_cut.entry(cuts.exit()), &now);
            }
        }
        flow
    }

    /// What a local is when the segment comes to a cut.
    pub fn at_cut(&self, cut: usize, local: LocalId) -> Option<Value> {
        self.at_cut.get(&cut)?.get(&local).copied()
    }

    /// Indices that the code uses, each known one once. Those that read memory are left out.
    pub fn in_code(&self) -> Vec<Index> {
        let mut found: Vec<Index> = Vec::new();
        for &block in self.segment {
            let code = self.function.block(block);
            let mut now = self.at_start.get(&block).cloned().unwrap_or_default();
            for position in 0..=code.stmts.len() {
                let mut used = Vec::new();
                let mut look = |e: ExprId| subscripts(self.function, e, &mut used);
                match code.stmts.get(position) {
                    Some(stmt) => stmt.kind.for_each_expr(&mut look),
                    None => code.terminator.kind.expr().into_iter().for_each(&mut look),
                }
                for index in used {
                    let index = match value(self.function, &now, index) {
                        Some(known) => Index::Known(known),
                        None => Index::Later {
                            at: (block, position),
                            index,
                        },
                    };
                    if !found.contains(&index) {
                        found.push(index);
                    }
                }
                if let Some(stmt) = code.stmts.get(position) {
                    step(self.function, &mut now, stmt);
                }
            }
        }
        found
    }
}

fn join<K>(entry: std::collections::hash_map::Entry<'_, K, Values>, now: &Values) {
    entry
        .and_modify(|before| before.retain(|local, v| now.get(local) == Some(v)))
        .or_insert_with(|| now.clone());
}

fn step(function: &Function, now: &mut Values, stmt: &Stmt) {
    let Some(local) = super::state::written(&stmt.kind) else {
        return;
    };
    let new = match &stmt.kind {
        StmtKind::Assign {
            place: Place::Local(_),
            value: expr,
        } => value(function, now, *expr),
        _ => None,
    };
    match new {
        Some(new) => now.insert(local, new),
        None => now.remove(&local),
    };
}

/// The value of an expression, conversions ignored: what is said at a wrong index is true as well.
fn value(function: &Function, now: &Values, expr: ExprId) -> Option<Value> {
    let e = function.expr(expr);
    match e.kind {
        ExprKind::Const(bits) => signed(bits, e.ty).map(Value::Constant),
        ExprKind::Local(local) => now.get(&local).copied(),
        ExprKind::Convert(
            ConvertOp::SignExtend | ConvertOp::ZeroExtend | ConvertOp::Truncate,
            inner,
        ) => value(function, now, inner),
        ExprKind::Binary(BinaryOp::Add { .. }, a, b) => {
            let (a, b) = (value(function, now, a)?, value(function, now, b)?);
            match (a, b) {
                (Value::Constant(a), Value::Constant(b)) => {
                    Some(Value::Constant(a.checked_add(b)?))
                }
                (Value::Start(l, a), Value::Constant(b))
                | (Value::Constant(b), Value::Start(l, a)) => {
                    Some(Value::Start(l, a.checked_add(b)?))
                }
                _ => None,
            }
        }
        ExprKind::Binary(BinaryOp::Sub { .. }, a, b) => {
            let (a, b) = (value(function, now, a)?, value(function, now, b)?);
            match (a, b) {
                (Value::Constant(a), Value::Constant(b)) => {
                    Some(Value::Constant(a.checked_sub(b)?))
                }
                (Value::Start(l, a), Value::Constant(b)) => {
                    Some(Value::Start(l, a.checked_sub(b)?))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Indices of arrays in an expression that do not read memory.
fn subscripts(function: &Function, expr: ExprId, found: &mut Vec<ExprId>) {
    let kind = &function.expr(expr).kind;
    if let ExprKind::PtrAdd { index, scale, .. } = *kind
        && scale > 1
        && !reads_memory(function, index)
    {
        found.push(index);
    }
    kind.for_each_operand(|e| subscripts(function, e, found));
}

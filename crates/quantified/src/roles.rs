//! What integer variables are for: subscripts, or data.
//!
//! Two variables that are assigned to, compared with, or passed as each other are of one kind. A
//! variable in a subscript makes its kind an index; one that meets a value read through a pointer
//! makes its kind data. `find(a, n, key)` with `i < n` and `a[i] == key` so says that `i` and `n`
//! count and that `key` is data. Whatever is guessed wrong costs precision, never truth: roles only
//! decide how snapshots are read, and formulas are checked against what was read.

use idiolect_ir::{
    BinaryOp, Callee, ConvertOp, ExprId, ExprKind, FuncId, Function, GlobalId, LocalId, Place,
    Program, StmtKind, TerminatorKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that holds an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    Local(FuncId, LocalId),
    Global(GlobalId),
    Result(FuncId),
}

/// The kinds of all integer variables of a program.
#[derive(Clone, Debug)]
pub struct Roles {
    nodes: FxHashMap<Holder, usize>,
    parent: Vec<usize>,
    is_index: Vec<bool>,
    is_data: Vec<bool>,
    /// Constants that data is compared with or set to, ascending.
    constants: Vec<i64>,
    /// Pointers that are subscripted, or moved.
    subscripted: FxHashSet<(FuncId, LocalId)>,
    /// Pointers that are passed on: from, to.
    passed: Vec<((FuncId, LocalId), (FuncId, LocalId))>,
}

/// The variables that an expression is made of.
#[derive(Default)]
struct Parts {
    holders: Vec<Holder>,
    /// Reads through a pointer.
    reads: bool,
    constant: Option<i64>,
}

impl Roles {
    pub fn new(program: &Program) -> Self {
        let mut roles = Roles {
            nodes: FxHashMap::default(),
            parent: Vec::new(),
            is_index: Vec::new(),
            is_data: Vec::new(),
            constants: Vec::new(),
            subscripted: FxHashSet::default(),
            passed: Vec::new(),
        };
        for id in program.function_ids() {
            let function = program.function(id);
            if function.origin == idiolect_ir::FunctionOrigin::User {
                roles.look_at(program, id, function);
            }
        }
        // Whoever passes a pointer to a function that subscripts it has an array.
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in &roles.passed {
                if roles.subscripted.contains(to) {
                    changed |= roles.subscripted.insert(*from);
                }
            }
        }
        roles.constants.sort_unstable();
        roles.constants.dedup();
        roles
    }

    pub fn is_index(&self, holder: Holder) -> bool {
        self.flag(&self.is_index, holder)
    }

    pub fn is_data(&self, holder: Holder) -> bool {
        self.flag(&self.is_data, holder)
    }

    /// Constants that data is compared with or set to, ascending.
    pub fn constants(&self) -> &[i64] {
        &self.constants
    }

    /// Whether a pointer is used as an array.
    pub fn is_array(&self, function: FuncId, pointer: LocalId) -> bool {
        self.subscripted.contains(&(function, pointer))
    }

    fn flag(&self, flags: &[bool], holder: Holder) -> bool {
        let Some(&node) = self.nodes.get(&holder) else {
            return false;
        };
        let mut node = node;
        while self.parent[node] != node {
            node = self.parent[node];
        }
        flags[node]
    }

    fn node(&mut self, holder: Holder) -> usize {
        let new = self.parent.len();
        let node = *self.nodes.entry(holder).or_insert(new);
        if node == new {
            self.parent.push(new);
            self.is_index.push(false);
            self.is_data.push(false);
        }
        self.root(node)
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn unite(&mut self, a: Holder, b: Holder) {
        let (a, b) = (self.node(a), self.node(b));
        self.parent[b] = a;
        self.is_index[a] |= self.is_index[b];
        self.is_data[a] |= self.is_data[b];
    }

    fn look_at(&mut self, program: &Program, id: FuncId, function: &Function) {
        for i in 0..function.exprs.len() {
            self.expression(id, function, ExprId::new(i));
        }
        for block in &function.blocks {
            for stmt in &block.stmts {
                self.statement(program, id, function, &stmt.kind);
            }
            if let TerminatorKind::Return(Some(value)) = block.terminator.kind {
                let parts = parts(id, function, value);
                self.meet(Some(Holder::Result(id)), &parts);
            }
        }
    }

    fn expression(&mut self, id: FuncId, function: &Function, expr: ExprId) {
        match function.expr(expr).kind {
            ExprKind::PtrAdd { base, index, scale } => {
                if matches!(function.expr(index).kind, ExprKind::Const(_)) && scale == 1 {
                    return; // A field of a record.
                }
                if let ExprKind::Local(pointer) = function.expr(base).kind {
                    self.subscripted.insert((id, pointer));
                }
                for holder in parts(id, function, index).holders {
                    let node = self.node(holder);
                    self.is_index[node] = true;
                }
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let (left, right) = (parts(id, function, left), parts(id, function, right));
                self.meet_both(&left, &right);
            }
            _ => {}
        }
    }

    fn statement(&mut self, program: &Program, id: FuncId, function: &Function, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { place, value } => {
                let value = parts(id, function, *value);
                let place = self.place(id, function, *place);
                self.meet_both(&place, &value);
            }
            StmtKind::Call { dest, callee, args } => {
                let Callee::Function(callee) = *callee else {
                    return;
                };
                let params = &program.function(callee).params;
                for (&param, &arg) in params.iter().zip(args) {
                    if let ExprKind::Local(local) = function.expr(arg).kind {
                        self.passed.push(((id, local), (callee, param)));
                    }
                    let arg = parts(id, function, arg);
                    self.meet(Some(Holder::Local(callee, param)), &arg);
                }
                if let Some(dest) = dest {
                    let place = self.place(id, function, *dest);
                    self.meet(Some(Holder::Result(callee)), &place);
                }
            }
            _ => {}
        }
    }

    fn place(&self, id: FuncId, function: &Function, place: Place) -> Parts {
        match place {
            Place::Local(local) => Parts {
                holders: vec![Holder::Local(id, local)],
                ..Parts::default()
            },
            Place::Memory { address, .. } => memory(function, address),
            Place::Bits { .. } => Parts::default(),
        }
    }

    fn meet_both(&mut self, left: &Parts, right: &Parts) {
        for &holder in &left.holders {
            self.meet(Some(holder), right);
        }
        self.meet(None, right);
        for (reads, other) in [(left.reads, right), (right.reads, left)] {
            if !reads {
                continue;
            }
            for &holder in &other.holders {
                let node = self.node(holder);
                self.is_data[node] = true;
            }
            self.constants.extend(other.constant);
        }
    }

    fn meet(&mut self, holder: Option<Holder>, parts: &Parts) {
        let holder = holder.or_else(|| parts.holders.first().copied());
        let Some(holder) = holder else {
            return;
        };
        for &other in &parts.holders {
            self.unite(holder, other);
        }
        if parts.reads {
            let node = self.node(holder);
            self.is_data[node] = true;
        }
    }
}

/// What an expression is a sum, a difference or a fraction of.
fn parts(id: FuncId, function: &Function, expr: ExprId) -> Parts {
    let mut parts = Parts::default();
    collect(id, function, expr, &mut parts, 0);
    parts
}

fn collect(id: FuncId, function: &Function, expr: ExprId, parts: &mut Parts, depth: u32) {
    let expr = function.expr(expr);
    match expr.kind {
        ExprKind::Const(bits) => {
            if let (Ty::Int(width @ 1..=64), 0) = (expr.ty, depth) {
                let shift = 64 - u32::from(width);
                parts.constant = Some(((bits as u64) << shift) as i64 >> shift);
            }
        }
        ExprKind::Local(local) if matches!(expr.ty, Ty::Int(_)) => {
            parts.holders.push(Holder::Local(id, local));
        }
        ExprKind::Load { address } if matches!(expr.ty, Ty::Int(_)) => {
            let found = memory(function, address);
            parts.holders.extend(found.holders);
            parts.reads |= found.reads;
        }
        ExprKind::Convert(
            ConvertOp::SignExtend | ConvertOp::ZeroExtend | ConvertOp::Truncate,
            inner,
        ) => collect(id, function, inner, parts, depth),
        ExprKind::Binary(
            BinaryOp::Add { .. }
            | BinaryOp::Sub { .. }
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::AShr
            | BinaryOp::LShr,
            left,
            right,
        ) => {
            collect(id, function, left, parts, depth + 1);
            collect(id, function, right, parts, depth + 1);
        }
        ExprKind::Select {
            then, otherwise, ..
        } => {
            collect(id, function, then, parts, depth + 1);
            collect(id, function, otherwise, parts, depth + 1);
        }
        _ => {}
    }
}

/// What lies at an address: a global variable, or data.
fn memory(function: &Function, address: ExprId) -> Parts {
    match function.expr(address).kind {
        ExprKind::GlobalAddress(global) => Parts {
            holders: vec![Holder::Global(global)],
            ..Parts::default()
        },
        ExprKind::LocalAddress(_) => Parts::default(),
        _ => Parts {
            reads: true,
            ..Parts::default()
        },
    }
}

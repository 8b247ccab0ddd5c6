//! Whether the data of arrays is only compared and copied, and never meets indices.
//!
//! **Claim.** Then a counterexample to an obligation exists whose elements have few bits: as many as
//! there are elements that it reads, and constants that elements are compared with, have different
//! values. **Proof.** Take any counterexample, and map the values of all elements and of all
//! variables that hold elements or are compared with some by a map that keeps these constants, and
//! keeps the order of the values that are read (`domain.rs` has the same for lists). Everything that
//! code and formulas do with them is to compare and to copy, so the run takes the same branches and
//! violates the same goal; indices and addresses are what they were. ∎
//!
//! What is a datum is found by uniting: what is assigned or compared with each other is of one kind.
//! A kind with elements of arrays in which something is computed with, or used as an index, is none
//! that can be mapped.

use super::contract::Contract;
use crate::formula::{Comparison, Conclusion, Conjunct, DataTerm, Formula};
use crate::point::{Binding, Point, Role};
use idiolect_ir::graph::{Cfg, Loops};
use idiolect_ir::{
    BlockId, Callee, ExprId, ExprKind, FuncId, Function, LocalId, Place, Program, StmtKind,
    TerminatorKind, Ty,
};
use rustc_hash::FxHashMap;

/// Something that holds an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Holder {
    /// All elements of arrays, and everything else in memory.
    Memory,
    Local(FuncId, LocalId),
    Result(FuncId),
    /// Whatever is computed with.
    Number,
}

pub(super) struct Separation<'a> {
    program: &'a Program,
    contracts: &'a [Contract],
    numbers: FxHashMap<Holder, usize>,
    parents: Vec<usize>,
    seen: Vec<FuncId>,
    /// The largest constant, without its sign, that elements are compared with.
    constant: u64,
    /// Constants that something is compared with.
    compared: Vec<(usize, u64)>,
    /// Loads of integers in functions that are called.
    pub n_loads: u64,
}

impl<'a> Separation<'a> {
    pub fn new(program: &'a Program, contracts: &'a [Contract]) -> Self {
        Separation {
            program,
            contracts,
            numbers: FxHashMap::default(),
            parents: Vec::new(),
            seen: Vec::new(),
            constant: 0,
            compared: Vec::new(),
            n_loads: 0,
        }
    }

    fn node(&mut self, holder: Holder) -> usize {
        let next = self.parents.len();
        let node = *self.numbers.entry(holder).or_insert(next);
        if node == next {
            self.parents.push(next);
        }
        self.root(node)
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn unite(&mut self, a: Holder, b: Holder) {
        let (a, b) = (self.node(a), self.node(b));
        self.parents[a] = b;
    }

    /// The largest constant that elements are compared with, if they are never computed with.
    pub fn constant(&mut self) -> Option<u64> {
        let (memory, number) = (self.node(Holder::Memory), self.node(Holder::Number));
        if memory == number {
            return None;
        }
        let compared = std::mem::take(&mut self.compared);
        for (node, value) in compared {
            if self.root(node) == memory {
                self.constant = self.constant.max(value);
            }
        }
        Some(self.constant)
    }

    pub fn look_at_block(&mut self, id: FuncId, function: &'a Function, block: BlockId) {
        let block = function.block(block);
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assign { place, value } => {
                    let to = self.place(id, function, *place);
                    self.assigned(id, function, to, *value);
                }
                StmtKind::Call { dest, callee, args } => {
                    self.call(id, function, *callee, args, *dest);
                }
                StmtKind::Copy { .. } => self.unite(Holder::Memory, Holder::Number),
                other => other.for_each_expr(|e| self.expression(id, function, e)),
            }
        }
        match block.terminator.kind {
            TerminatorKind::Return(Some(e)) => self.assigned(id, function, Holder::Result(id), e),
            ref kind => {
                if let Some(e) = kind.expr() {
                    self.expression(id, function, e);
                }
            }
        }
    }

    fn place(&mut self, id: FuncId, function: &'a Function, place: Place) -> Holder {
        match place {
            Place::Local(l) => Holder::Local(id, l),
            Place::Memory { address, .. } => {
                self.expression(id, function, address);
                Holder::Memory
            }
            Place::Bits { .. } => Holder::Number,
        }
    }

    fn call(
        &mut self,
        id: FuncId,
        function: &'a Function,
        callee: Callee,
        args: &[ExprId],
        dest: Option<Place>,
    ) {
        let to = dest.map(|d| self.place(id, function, d));
        let program = self.program;
        let known = match callee {
            Callee::Function(f) if !self.contracts.iter().any(|c| c.function == f) => f,
            // What contracts, and functions of the system, do with numbers is not looked at.
            other => {
                for &arg in args {
                    self.assigned(id, function, Holder::Number, arg);
                }
                if let Callee::Function(f) = other {
                    // Claims may compare what it is given, and returns, with elements.
                    for &param in &program.function(f).params {
                        self.unite(Holder::Local(f, param), Holder::Number);
                    }
                    self.unite(Holder::Result(f), Holder::Number);
                }
                if let Some(to) = to {
                    self.unite(to, Holder::Number);
                }
                return;
            }
        };
        let code = program.function(known);
        for (&param, &arg) in code.params.iter().zip(args) {
            self.assigned(id, function, Holder::Local(known, param), arg);
        }
        if let Some(to) = to {
            self.unite(to, Holder::Result(known));
        }
        let has_calls = |b: &idiolect_ir::Block| {
            let mut stmts = b.stmts.iter();
            stmts.any(|s| matches!(s.kind, StmtKind::Call { .. }))
        };
        if code.blocks.iter().any(has_calls) || !Loops::new(&Cfg::new(code)).all().is_empty() {
            // Nobody counts how often it reads.
            self.unite(Holder::Memory, Holder::Number);
        }
        for e in &code.exprs {
            self.n_loads += u64::from(matches!(e.kind, ExprKind::Load { .. }));
        }
        if !self.seen.contains(&known) {
            self.seen.push(known);
            for block in code.block_ids() {
                self.look_at_block(known, code, block);
            }
        }
    }

    /// A value that goes to a holder.
    fn assigned(&mut self, id: FuncId, function: &'a Function, to: Holder, value: ExprId) {
        let e = function.expr(value);
        if !matches!(e.ty, Ty::Int(_)) {
            self.expression(id, function, value);
            return;
        }
        match e.kind {
            ExprKind::Const(bits) => self.constant_met(to, bits, e.ty),
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                self.expression(id, function, condition);
                self.assigned(id, function, to, then);
                self.assigned(id, function, to, otherwise);
            }
            _ => {
                let from = self.holder(id, function, value);
                self.unite(to, from);
            }
        }
    }

    fn constant_met(&mut self, holder: Holder, bits: u128, ty: Ty) {
        if let Ty::Int(width @ 1..=64) = ty {
            let shift = 64 - u32::from(width);
            let value = ((bits as u64) << shift) as i64 >> shift;
            let node = self.node(holder);
            self.compared.push((node, value.unsigned_abs()));
        }
    }

    /// What an integer expression is; parts of it that are computed with are numbers.
    fn holder(&mut self, id: FuncId, function: &'a Function, e: ExprId) -> Holder {
        match function.expr(e).kind {
            ExprKind::Local(l) => Holder::Local(id, l),
            ExprKind::Load { address } => {
                self.expression(id, function, address);
                Holder::Memory
            }
            _ => {
                self.expression(id, function, e);
                Holder::Number
            }
        }
    }

    /// Looks at an expression that is used for something else than its value as it is.
    fn expression(&mut self, id: FuncId, function: &'a Function, e: ExprId) {
        let expr = function.expr(e);
        match expr.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let is_int = |e: ExprId| matches!(function.expr(e).ty, Ty::Int(_));
                if !is_int(a) {
                    self.expression(id, function, a);
                    self.expression(id, function, b);
                    return;
                }
                for (one, other) in [(a, b), (b, a)] {
                    if let ExprKind::Const(bits) = function.expr(one).kind {
                        let holder = self.holder(id, function, other);
                        self.constant_met(holder, bits, function.expr(one).ty);
                        return;
                    }
                }
                let left = self.holder(id, function, a);
                let right = self.holder(id, function, b);
                self.unite(left, right);
            }
            ExprKind::Local(l) if matches!(expr.ty, Ty::Int(_)) => {
                self.unite(Holder::Local(id, l), Holder::Number);
            }
            ExprKind::Load { address } => {
                if matches!(expr.ty, Ty::Int(_)) {
                    self.unite(Holder::Memory, Holder::Number);
                }
                self.expression(id, function, address);
            }
            // The truth of a comparison as a number is not the numbers compared.
            ref kind => kind.for_each_operand(|o| self.expression(id, function, o)),
        }
    }

    /// What a claim compares, of the variables of a function or of what it hands to another one.
    pub fn look_at_claim(&mut self, point: &Point, formula: &Formula) {
        let id = point.function;
        let holder = |v: usize| match point.variables[v].binding {
            Binding::Local(l) | Binding::AtEntry(l) => Holder::Local(id, l),
            Binding::Result => Holder::Result(id),
            Binding::Global(_) => Holder::Memory,
        };
        for (v, variable) in point.variables.iter().enumerate() {
            if matches!(variable.role, Role::Index { .. } | Role::Length { .. }) {
                self.unite(holder(v), Holder::Number);
            }
        }
        let mut all: Vec<Comparison> = Vec::new();
        for conjunct in &formula.conjuncts {
            match conjunct {
                Conjunct::OneOf(list) => {
                    all.extend(list.iter().flat_map(|a| a.comparisons.iter().copied()));
                }
                Conjunct::ForAll(f) => {
                    if let Conclusion::All(list) = &f.conclusion {
                        all.extend(list.iter().copied());
                    }
                }
            }
        }
        for c in all {
            let part = |t: DataTerm| match t {
                DataTerm::At { .. } => Some(Holder::Memory),
                DataTerm::Variable(v) => Some(holder(v)),
                DataTerm::Sum(_) => Some(Holder::Number),
                DataTerm::Constant(_) => None,
            };
            match (part(c.left), part(c.right)) {
                (Some(a), Some(b)) => self.unite(a, b),
                (Some(a), None) | (None, Some(a)) => {
                    for t in [c.left, c.right] {
                        if let DataTerm::Constant(value) = t {
                            let node = self.node(a);
                            self.compared.push((node, value.unsigned_abs()));
                        }
                    }
                }
                (None, None) => {}
            }
        }
    }
}

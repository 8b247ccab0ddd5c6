//! How many bits data needs where it is only compared and copied.
//!
//! **Claim.** If a segment does nothing with integers but compare, copy, load and store them, then
//! an obligation that fails for some data fails for data in `-(D + c) … D + c`, where `D` is the
//! number of integers that a run starts with or draws, and `c` the largest absolute value of a
//! constant that it or a formula has; for unsigned data in `0 … D + c`.
//!
//! **Proof.** Order the values of the failing run that are no constants. Between two neighbouring
//! constants, below the least and above the largest one, there are at most `D` of them, and the
//! range has either all integers between the two constants or at least `D` of them, and `D` below
//! the least and above the largest one. So they can be moved into the range such that they keep
//! their order among themselves and with the constants. Whatever compares and copies them does the
//! same as before, and so do formulas. ∎
//!
//! Words of a few bits instead of 32 make solving about ten times faster.

use super::contract::Contract;
use idiolect_ir::{
    BlockId, Callee, ConvertOp, ExprId, ExprKind, FuncId, Function, Program, StmtKind, Ty, UnaryOp,
};

/// Looks at code for what it does with integers.
pub(super) struct Uses<'a> {
    program: &'a Program,
    /// Calls of these are not followed.
    contracts: &'a [Contract],
    seen: Vec<FuncId>,
    /// The largest absolute value of a constant.
    pub constant: u64,
    /// Integers that are read from memory or drawn as inputs.
    pub n_values: u64,
    pub n_calls: u64,
    /// Something else than comparing and copying is done.
    pub is_arithmetic: bool,
}

impl<'a> Uses<'a> {
    pub fn new(program: &'a Program, contracts: &'a [Contract]) -> Self {
        Uses {
            program,
            contracts,
            seen: Vec::new(),
            constant: 0,
            n_values: 0,
            n_calls: 0,
            is_arithmetic: false,
        }
    }

    pub fn look_at(&mut self, function: &Function, block: BlockId) {
        let block = function.block(block);
        for stmt in &block.stmts {
            if let StmtKind::Havoc { .. } = stmt.kind {
                self.n_values += 1;
            }
            let mut list = Vec::new();
            stmt.kind.for_each_expr(|e| list.push(e));
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                self.n_calls += 1;
                match *callee {
                    Callee::Function(id) => self.look_at_function(id),
                    // Sizes and bytes, and pointers.
                    Callee::Builtin(idiolect_ir::Builtin::Malloc | idiolect_ir::Builtin::Free) => {
                        list.retain(|&e| !matches!(function.expr(e).kind, ExprKind::Const(_)))
                    }
                    _ => self.is_arithmetic = true,
                }
            }
            for e in list {
                self.look_at_expr(function, e);
            }
        }
        if let Some(e) = block.terminator.kind.expr() {
            self.look_at_expr(function, e);
        }
    }

    fn look_at_function(&mut self, id: FuncId) {
        if self.seen.contains(&id) || self.contracts.iter().any(|c| c.function == id) {
            return;
        }
        self.seen.push(id);
        let function = self.program.function(id);
        for block in function.block_ids() {
            self.look_at(function, block);
        }
    }

    fn look_at_expr(&mut self, function: &Function, expr: ExprId) {
        let e = function.expr(expr);
        match e.kind {
            ExprKind::Const(bits) => {
                if let Ty::Int(width @ 2..=64) = e.ty {
                    let shift = 64 - u32::from(width);
                    let value = ((bits as u64) << shift) as i64 >> shift;
                    self.constant = self.constant.max(value.unsigned_abs());
                }
                return;
            }
            // A field: the offset is no datum.
            ExprKind::PtrAdd { base, index, .. } => {
                if !matches!(function.expr(index).kind, ExprKind::Const(_)) {
                    self.is_arithmetic = true;
                }
                self.look_at_expr(function, base);
                return;
            }
            ExprKind::Load { .. } => self.n_values += 1,
            ExprKind::Unary(op, _) => {
                self.is_arithmetic |= op != UnaryOp::Not || e.ty != Ty::BOOL;
            }
            ExprKind::Binary(op, ..) => self.is_arithmetic |= !op.is_comparison(),
            // A condition as a number, which is 0 or 1.
            ExprKind::Convert(ConvertOp::ZeroExtend, a) if function.expr(a).ty == Ty::BOOL => {
                self.constant = self.constant.max(1);
            }
            ExprKind::Convert(..) => self.is_arithmetic = true,
            _ => {}
        }
        e.kind.for_each_operand(|o| self.look_at_expr(function, o));
    }
}

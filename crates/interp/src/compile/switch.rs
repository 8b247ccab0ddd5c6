//! Rows of tests of one variable against constants, which is what `switch` becomes: one jump through a table.
//!
//! The steps are those of the tests that the table saves, so that a run counts the same with and without it.

use super::FunctionCompiler;
use crate::code::{Instr, Table};
use idiolect_ir::{BinaryOp, BlockId, ExprId, ExprKind, LocalId, TerminatorKind, Ty};

/// Fewer tests are faster one by one.
const MIN_TESTS: usize = 4;
/// Entries of a table for each test, at most, and in all.
const MAX_SPREAD: usize = 8;
const MAX_ENTRIES: usize = 1 << 14;

/// The tests, in order.
struct Row {
    local: LocalId,
    width: u8,
    tests: Vec<(i64, BlockId)>,
    otherwise: BlockId,
}

impl FunctionCompiler<'_> {
    /// Emits a table for the tests that begin with this one, if there are enough of them.
    pub(super) fn table(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId) -> bool {
        if self.hooks.decisions || self.hooks.statements {
            return false;
        }
        let Some(row) = self.row(condition, then, otherwise) else {
            return false;
        };
        let Some((low, n)) = extent(&row.tests) else {
            return false;
        };
        let (local, width) = (row.local, row.width);
        let ExprKind::Binary(_, a, b) = self.function.expr(condition).kind else {
            return false;
        };
        let value = match self.function.expr(a).kind {
            ExprKind::Local(l) if l == local => a,
            _ => b,
        };
        let a = self.value(value);
        let first = self.take_uncounted();
        let n_tests = row.tests.len() as u32;
        let last = self.block_label(row.otherwise).0;
        let mut entries = vec![(last, first + n_tests - 1); n];
        // Of two tests against the same number, the first one counts.
        for (k, &(number, block)) in row.tests.iter().enumerate().rev() {
            let label = self.block_label(block).0;
            entries[(number - low) as usize] = (label, first + k as u32);
        }
        let table = self.first_table + self.tables.len() as u32;
        self.tables.push(Table {
            low,
            entries,
            otherwise: (last, first + n_tests - 1),
        });
        self.emit(match width {
            32 => Instr::Switch32 { a, table },
            _ => Instr::Switch64 { a, table },
        });
        true
    }

    fn row(&self, condition: ExprId, then: BlockId, otherwise: BlockId) -> Option<Row> {
        let (local, width, number) = self.test(condition)?;
        let mut row = Row {
            local,
            width,
            tests: vec![(number, then)],
            otherwise,
        };
        loop {
            let block = self.function.block(row.otherwise);
            let TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } = block.terminator.kind
            else {
                break;
            };
            let Some((other, _, number)) = self.test(condition) else {
                break;
            };
            if !block.stmts.is_empty() || other != local || row.tests.len() >= MAX_ENTRIES {
                break;
            }
            row.tests.push((number, then));
            row.otherwise = otherwise;
        }
        (row.tests.len() >= MIN_TESTS).then_some(row)
    }

    /// `x == 3` for a variable of 32 or 64 bits in a register.
    fn test(&self, condition: ExprId) -> Option<(LocalId, u8, i64)> {
        let ExprKind::Binary(BinaryOp::Eq, a, b) = self.function.expr(condition).kind else {
            return None;
        };
        let read = |at: ExprId| match self.function.expr(at).kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        let constant = |at: ExprId| match self.function.expr(at).kind {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        };
        let (local, bits) = match (read(a), constant(b)) {
            (Some(local), Some(bits)) => (local, bits),
            _ => (read(b)?, constant(a)?),
        };
        match self.function.expr(a).ty {
            Ty::Int(32) => Some((local, 32, i64::from(bits as u32 as i32))),
            Ty::Int(64) => Some((local, 64, bits as u64 as i64)),
            _ => None,
        }
    }
}

/// The least number, and how many there are up to the largest, if they lie close enough.
fn extent(tests: &[(i64, BlockId)]) -> Option<(i64, usize)> {
    let low = tests.iter().map(|t| t.0).min()?;
    let high = tests.iter().map(|t| t.0).max()?;
    let n = usize::try_from(high.checked_sub(low)?)
        .ok()?
        .checked_add(1)?;
    (n <= tests.len() * MAX_SPREAD && n <= MAX_ENTRIES).then_some((low, n))
}

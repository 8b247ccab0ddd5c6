//! Values that both programs give, one after the other: the old one leaves them, the new one is compared with them.

use super::edit::Editor;
use super::{MAX_VALUES, variable};
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{GlobalId, Program};
use crate::stmt::{BlockId, Place, Stmt, StmtKind, TerminatorKind};
use idiolect_base::Span;

/// What the old program gave, and whether the new one gave something else.
pub struct Tape {
    slots: GlobalId,
    counts: [GlobalId; 2],
    differs: GlobalId,
}

/// Where a value is put: on the way from one block to another, by one of the programs.
#[derive(Clone, Copy)]
pub struct Way {
    pub from: BlockId,
    pub to: BlockId,
    pub side: usize,
    /// What is said of values beyond the last one that there is room for.
    pub bound: u32,
    pub span: Span,
}

impl Tape {
    pub fn new(program: &mut Program, name: &str) -> Self {
        Self {
            slots: variable(program, name, MAX_VALUES * 16),
            counts: ["old", "new"].map(|side| variable(program, &format!("{name}_{side}"), 8)),
            differs: variable(program, &format!("{name}_else"), 4),
        }
    }

    /// Nothing else was given, and as much.
    pub fn same(&self, edit: &mut Editor<'_>) -> Vec<ExprId> {
        let size = edit.size();
        let differs = edit.load(self.differs, 0, Ty::Int(32));
        let zero = edit.constant(0, Ty::Int(32));
        let first = edit.binary(BinaryOp::Eq, differs, zero, Ty::BOOL);
        let [a, b] = self.counts.map(|c| edit.load(c, 0, size));
        vec![first, edit.binary(BinaryOp::Eq, a, b, Ty::BOOL)]
    }

    /// One more value, of 64 bits.
    pub fn put(&self, edit: &mut Editor<'_>, way: &Way, value: ExprId) {
        let &Way {
            from,
            to,
            side,
            bound,
            span,
        } = way;
        let size = edit.size();
        let word = Ty::Int(64);
        let address = edit.slot(self.slots, 0, self.counts[side], 0);
        let count = edit.count(self.counts[side], 0);
        let (kind, limit, otherwise) = match side {
            0 => {
                let place = Place::Memory { address, ty: word };
                let keep = StmtKind::Assign { place, value };
                let most = edit.constant(MAX_VALUES.into(), size);
                (keep, most, TerminatorKind::Trap(bound))
            }
            _ => {
                // Once something else was given, it stays so.
                let old = edit.push(ExprKind::Load { address }, word);
                let differs = edit.binary(BinaryOp::Ne, old, value, Ty::BOOL);
                let before = edit.load(self.differs, 0, Ty::Int(32));
                let one = edit.constant(1, Ty::Int(32));
                let now = edit.select(differs, one, before);
                let note = edit.store(self.differs, 0, Ty::Int(32), now);
                let most = edit.load(self.counts[0], 0, size);
                (note, most, TerminatorKind::Goto(to))
            }
        };
        let goes = edit.end(TerminatorKind::Goto(to), span);
        let stmts = [kind, count.clone()].map(|kind| Stmt { kind, span });
        let inside = edit.block(stmts.to_vec(), goes);
        let beyond = edit.end(otherwise, span);
        // The new program gave more: the counts say so.
        let beyond = edit.block(vec![Stmt { kind: count, span }], beyond);
        let n = edit.load(self.counts[side], 0, size);
        let fits = edit.binary(BinaryOp::ULt, n, limit, Ty::BOOL);
        edit.go(
            from,
            TerminatorKind::Branch {
                condition: fits,
                then: inside,
                otherwise: beyond,
            },
        );
    }
}

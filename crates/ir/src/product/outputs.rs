//! What both programs print, compared as it comes.

use super::edit::Editor;
use super::{MAX_VALUES, variable};
use crate::expr::{BinaryOp, ExprId, ExprKind, Ty};
use crate::program::{FuncId, GlobalId, Program};
use crate::property::FaultKind;
use crate::stmt::{BlockId, Builtin, Callee, Place, PrintfTarget, Stmt, StmtKind, TerminatorKind};

/// What the old program printed, and whether the new one printed something else.
pub struct Log {
    slots: GlobalId,
    counts: [GlobalId; 2],
    differs: GlobalId,
    /// Where a float becomes its bits.
    bits: GlobalId,
}

impl Log {
    pub fn new(program: &mut Program) -> Self {
        Self {
            slots: variable(program, "%printed", MAX_VALUES * 16),
            counts: [
                variable(program, "%printed_old", 8),
                variable(program, "%printed_new", 8),
            ],
            differs: variable(program, "%printed_else", 4),
            bits: variable(program, "%bits", 16),
        }
    }

    /// Nothing else was printed, and as much.
    pub fn same(&self, edit: &mut Editor<'_>) -> Vec<ExprId> {
        let size = edit.size();
        let differs = edit.load(self.differs, 0, Ty::Int(32));
        let zero = edit.constant(0, Ty::Int(32));
        let first = edit.binary(BinaryOp::Eq, differs, zero, Ty::BOOL);
        let [a, b] = self.counts.map(|c| edit.load(c, 0, size));
        vec![first, edit.binary(BinaryOp::Eq, a, b, Ty::BOOL)]
    }

    /// False if something that is printed cannot be compared.
    pub fn instrument(
        &self,
        program: &mut Program,
        function: FuncId,
        side: usize,
        bound: u32,
    ) -> bool {
        let pointer = program.types.model.pointer_width();
        let texts: Vec<Option<u64>> = (program.globals.iter())
            .map(|g| g.read_only.then(|| fingerprint(&g.bytes)))
            .collect();
        let body = &mut program.functions[function.index()];
        let mut edit = Editor::new(body, pointer);
        let mut block = 0;
        let mut done: Vec<(usize, usize)> = Vec::new();
        let mut sees_all = true;
        while block < edit.function.blocks.len() {
            let id = BlockId::new(block);
            let own = &edit.function.blocks[block];
            let found = own
                .stmts
                .iter()
                .enumerate()
                .position(|(i, s)| !done.contains(&(block, i)) && printed(&s.kind).is_some());
            let Some(index) = found else {
                block += 1;
                continue;
            };
            let stmt = own.stmts[index].clone();
            let values = printed(&stmt.kind).unwrap_or_default();
            // Each value in a block of its own, in front of the call.
            let rest = edit.split(id, index);
            done.push((rest.index(), 0));
            let mut at = id;
            for value in values {
                let next = edit.block(
                    Vec::new(),
                    crate::stmt::Terminator {
                        kind: TerminatorKind::Fault(FaultKind::Unreachable),
                        span: stmt.span,
                    },
                );
                let word = match edit.function.expr(value).ty {
                    Ty::F64 => {
                        let keep = edit.store(self.bits, 0, Ty::F64, value);
                        edit.add(at, keep, stmt.span);
                        Some(edit.load(self.bits, 0, Ty::Int(64)))
                    }
                    _ => known(&mut edit, value, &texts),
                };
                let Some(value) = word else {
                    sees_all = false;
                    edit.go(at, TerminatorKind::Goto(next));
                    at = next;
                    continue;
                };
                self.put(&mut edit, at, next, value, side, bound, &stmt);
                at = next;
            }
            edit.go(at, TerminatorKind::Goto(rest));
            block += 1;
        }
        sees_all
    }

    #[allow(clippy::too_many_arguments)]
    fn put(
        &self,
        edit: &mut Editor<'_>,
        from: BlockId,
        to: BlockId,
        value: ExprId,
        side: usize,
        bound: u32,
        stmt: &Stmt,
    ) {
        let span = stmt.span;
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
                // Once something else was printed, it stays so.
                let old = edit.push(ExprKind::Load { address }, word);
                let differs = edit.binary(BinaryOp::Ne, old, value, Ty::BOOL);
                let before = edit.load(self.differs, 0, Ty::Int(32));
                let one = edit.constant(1, Ty::Int(32));
                let now = edit.push(
                    ExprKind::Select {
                        condition: differs,
                        then: one,
                        otherwise: before,
                    },
                    Ty::Int(32),
                );
                let note = edit.store(self.differs, 0, Ty::Int(32), now);
                let most = edit.load(self.counts[0], 0, size);
                (note, most, TerminatorKind::Goto(to))
            }
        };
        let goes = edit.end(TerminatorKind::Goto(to), span);
        let inside = edit.block(
            vec![
                Stmt { kind, span },
                Stmt {
                    kind: count.clone(),
                    span,
                },
            ],
            goes,
        );
        let beyond = edit.end(otherwise, span);
        // The new program printed more: the counts say so.
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

/// The values that a statement prints.
fn printed(stmt: &StmtKind) -> Option<Vec<ExprId>> {
    match stmt {
        StmtKind::Call {
            callee:
                Callee::Builtin(
                    Builtin::Printf(PrintfTarget::Stdout)
                    | Builtin::VPrintf(PrintfTarget::Stdout)
                    | Builtin::Putchar,
                ),
            args,
            ..
        } => Some(args.clone()),
        _ => None,
    }
}

/// A value as a word that can be compared: texts of the program by what they say, other pointers not at all.
fn known(edit: &mut Editor<'_>, value: ExprId, texts: &[Option<u64>]) -> Option<ExprId> {
    let expr = edit.function.expr(value).clone();
    let word = Ty::Int(64);
    Some(match (expr.ty, expr.kind) {
        (Ty::Ptr, ExprKind::GlobalAddress(g)) => {
            let text = (*texts.get(g.index())?)?;
            edit.constant(text.into(), word)
        }
        (
            Ty::Ptr,
            ExprKind::Select {
                condition,
                then,
                otherwise,
            },
        ) => {
            let then = known(edit, then, texts)?;
            let otherwise = known(edit, otherwise, texts)?;
            let kind = ExprKind::Select {
                condition,
                then,
                otherwise,
            };
            edit.push(kind, word)
        }
        (Ty::Int(64), _) => value,
        (Ty::Int(width), _) if width < 64 => edit.push(
            ExprKind::Convert(crate::expr::ConvertOp::SignExtend, value),
            word,
        ),
        _ => return None,
    })
}

fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

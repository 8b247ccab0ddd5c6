//! The same inputs for both programs.

use super::edit::Editor;
use super::{MAX_VALUES, variable};
use crate::expr::{BinaryOp, ExprKind, Ty};
use crate::program::{FuncId, GlobalId, InputKind, LocalStorage, Program};
use crate::stmt::{BlockId, Place, Stmt, StmtKind, TerminatorKind};

/// Where inputs come from, for both programs alike.
pub type Channel = InputKind;

/// Inputs that are the same thing in both programs have the same channel.
pub fn channel(kind: &InputKind) -> Channel {
    kind.clone()
}

/// For each channel, the values that the old program got.
pub struct Queues {
    channels: Vec<Channel>,
    slots: GlobalId,
    /// How many the old program got, and how many the new one.
    counts: [GlobalId; 2],
}

impl Queues {
    pub fn new(program: &mut Program) -> Self {
        let mut channels: Vec<Channel> = Vec::new();
        for site in &program.inputs {
            let own = channel(&site.kind);
            if !channels.contains(&own) {
                channels.push(own);
            }
        }
        let n = channels.len().max(1) as u64;
        Self {
            channels,
            slots: variable(program, "%inputs", n * MAX_VALUES * 16),
            counts: [
                variable(program, "%inputs_old", n * 8),
                variable(program, "%inputs_new", n * 8),
            ],
        }
    }

    pub fn instrument(&self, program: &mut Program, function: FuncId, side: usize, bound: u32) {
        let pointer = program.types.model.pointer_width();
        let kinds: Vec<Channel> = (program.inputs.iter()).map(|s| channel(&s.kind)).collect();
        let body = &mut program.functions[function.index()];
        let mut edit = Editor::new(body, pointer);
        // Blocks that are split off are looked at when it is their turn.
        let mut block = 0;
        let mut done = Vec::new();
        while block < edit.function.blocks.len() {
            let id = BlockId::new(block);
            block += 1;
            if done.contains(&id) {
                continue;
            }
            let own = &edit.function.blocks[id.index()];
            let found = own
                .stmts
                .iter()
                .position(|s| matches!(s.kind, StmtKind::Havoc { .. }));
            let Some(index) = found else {
                continue;
            };
            let stmt = own.stmts[index].clone();
            let StmtKind::Havoc { place, input } = stmt.kind else {
                continue;
            };
            let Some(number) = self
                .channels
                .iter()
                .position(|c| *c == kinds[input.index()])
            else {
                continue;
            };
            let ty = place_ty(&edit, place);
            let rest = edit.split(id, index + 1);
            match side {
                0 => self.record(&mut edit, id, rest, place, ty, number as u64, bound),
                _ => done.push(self.reuse(&mut edit, id, rest, &stmt, place, ty, number as u64)),
            }
        }
    }

    /// The old program keeps what it got.
    #[allow(clippy::too_many_arguments)]
    fn record(
        &self,
        edit: &mut Editor<'_>,
        block: BlockId,
        rest: BlockId,
        place: Place,
        ty: Ty,
        number: u64,
        bound: u32,
    ) {
        let span = edit.function.blocks[block.index()].terminator.span;
        let size = edit.size();
        let value = match place {
            Place::Local(l) => edit.push(ExprKind::Local(l), ty),
            Place::Memory { address, ty } => edit.push(ExprKind::Load { address }, ty),
            // Nobody reads a single bit-field from outside.
            Place::Bits { .. } => {
                edit.go(block, TerminatorKind::Goto(rest));
                return;
            }
        };
        let address = edit.slot(self.slots, number * MAX_VALUES, self.counts[0], number * 8);
        let keep = StmtKind::Assign {
            place: Place::Memory { address, ty },
            value,
        };
        let count = edit.count(self.counts[0], number * 8);
        let to = edit.end(TerminatorKind::Goto(rest), span);
        let stmts = vec![Stmt { kind: keep, span }, Stmt { kind: count, span }];
        let kept = edit.block(stmts, to);
        let too_many = edit.end(TerminatorKind::Trap(bound), span);
        let too_many = edit.block(Vec::new(), too_many);
        let n = edit.load(self.counts[0], number * 8, size);
        let most = edit.constant(MAX_VALUES.into(), size);
        let fits = edit.binary(BinaryOp::ULt, n, most, Ty::BOOL);
        edit.go(
            block,
            TerminatorKind::Branch {
                condition: fits,
                then: kept,
                otherwise: too_many,
            },
        );
    }

    /// The new program gets the same, as long as there is some. Where there is none, it gets others in the block
    /// that is returned.
    #[allow(clippy::too_many_arguments)]
    fn reuse(
        &self,
        edit: &mut Editor<'_>,
        block: BlockId,
        rest: BlockId,
        havoc: &Stmt,
        place: Place,
        ty: Ty,
        number: u64,
    ) -> BlockId {
        let span = havoc.span;
        let size = edit.size();
        edit.function.blocks[block.index()].stmts.pop();
        let address = edit.slot(self.slots, number * MAX_VALUES, self.counts[1], number * 8);
        let value = edit.push(ExprKind::Load { address }, ty);
        let take = StmtKind::Assign { place, value };
        let mut arms = Vec::new();
        for kind in [take, havoc.kind.clone()] {
            let count = edit.count(self.counts[1], number * 8);
            let to = edit.end(TerminatorKind::Goto(rest), span);
            let stmts = vec![Stmt { kind, span }, Stmt { kind: count, span }];
            arms.push(edit.block(stmts, to));
        }
        let n = edit.load(self.counts[1], number * 8, size);
        let most = edit.load(self.counts[0], number * 8, size);
        let there_is = edit.binary(BinaryOp::ULt, n, most, Ty::BOOL);
        edit.go(
            block,
            TerminatorKind::Branch {
                condition: there_is,
                then: arms[0],
                otherwise: arms[1],
            },
        );
        arms[1]
    }
}

fn place_ty(edit: &Editor<'_>, place: Place) -> Ty {
    match place {
        Place::Local(l) => match edit.function.local(l).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        },
        Place::Memory { ty, .. } => ty,
        Place::Bits { width, .. } => Ty::Int(width),
    }
}

//! Loops cut for induction over several rounds.
//!
//! With `k` rounds a piece of a run begins where a loop has come to its head with a state that the facts allow, goes
//! through `k - 1` rounds that are known to be right, because they came before, and then through one of which this
//! has to be shown. In each of the `k` states at the head the facts are assumed. What has fewer rounds
//! before it is looked at from where the loop is entered. So facts and assertions have to follow from `k` rounds together,
//! and not from one ([Sheeran, Singh and Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver*, 2000]).
//!
//! No block is copied: a register counts the rounds of a piece, and says at the head what is to be done there.
//! It is a constant in each round of the encoding, which unrolls the loop.
//!
//! | count at the head | what happens there |
//! |---|---|
//! | `0 .. k - 1` | arrival; a round from where the loop is entered |
//! | `k - 1` | arrival; any state; hypothesis; a round that is known to be right, if `k > 1` |
//! | `k .. 2k - 2` | hypothesis; a round that is known to be right |
//! | `2k - 2` | hypothesis; the round that has to be shown right |
//! | `2k - 1` | arrival; the end of the piece |
//!
//! A run does not leave a loop in a round that is known to be right: a run that leaves after `k` rounds or more leaves in the round that
//! has to be shown right, and others leave in the first ones. In such rounds errors of
//! functions that are called, and arrivals at loops inside, are known to be right, too.

use super::cut::{CutLoop, Cutter, ProbeKind};
use super::variable::push;
use idiolect_ir::ctype::IntKind;
use idiolect_ir::{
    BinaryOp, BlockId, ExprId, ExprKind, FuncId, Global, GlobalId, LocalId, Place, Stmt, StmtKind,
    TerminatorKind, Ty,
};

const COUNT: Ty = Ty::Int(32);

impl Cutter<'_> {
    /// A loop with its blocks as they are now, cut for `rounds` of them.
    pub(super) fn cut_rounds(&mut self, point: usize, own: &CutLoop) {
        let id = own.function;
        let k = self.rounds as u128;
        let n_blocks = self.program.function(id).blocks.len();
        let count = self.local(id, COUNT);
        let set = |cutter: &mut Self, value: ExprId| {
            let place = Place::Local(count);
            cutter.stmt(id, StmtKind::Assign { place, value })
        };

        let arrival = self.probe(id, point, ProbeKind::Arrival);
        let hypothesis = self.probe(id, point, ProbeKind::Hypothesis);
        let any = self.havoc(id, &own.frame);
        let stop = {
            let end = self.ending(id);
            self.block(id, vec![end], TerminatorKind::Abort)
        };
        let quiet = self.quiet();
        // The last kind of head first, so that each case knows the next.
        let last = self.arriving(id, &arrival, quiet, Vec::new(), stop);
        let shown = {
            let mut stmts = hypothesis.clone();
            stmts.push(self.change_quiet(id, quiet, BinaryOp::Sub { signed: false }));
            self.block(id, stmts, TerminatorKind::Goto(own.head))
        };
        let known = self.block(id, hypothesis.clone(), TerminatorKind::Goto(own.head));
        let begin = {
            let mut stmts = any;
            stmts.extend(hypothesis);
            stmts.push(self.change_quiet(id, quiet, BinaryOp::Add { signed: false }));
            self.arriving(id, &arrival, quiet, stmts, own.head)
        };
        let first = self.arriving(id, &arrival, quiet, Vec::new(), own.head);
        let mut next = last;
        for (below, case) in [
            (2 * k - 1, shown),
            (2 * k - 2, known),
            (k, begin),
            (k - 1, first),
        ] {
            let condition = self.is_below(id, count, 0, below);
            let branch = TerminatorKind::Branch {
                condition,
                then: case,
                otherwise: next,
            };
            next = self.block(id, Vec::new(), branch);
        }
        let zero = push(self.function(id), ExprKind::Const(0), COUNT);
        let entered = vec![set(self, zero)];
        let entered = self.block(id, entered, TerminatorKind::Goto(next));
        let function = self.function(id);
        let now = push(function, ExprKind::Local(count), COUNT);
        let one = push(function, ExprKind::Const(1), COUNT);
        let more = ExprKind::Binary(BinaryOp::Add { signed: false }, now, one);
        let more = push(function, more, COUNT);
        let again = vec![set(self, more)];
        let again = self.block(id, again, TerminatorKind::Goto(next));
        // A loop around this one has all of these, too.
        let n_now = self.program.function(id).blocks.len();
        let new = (n_blocks..n_now).map(|b| (id, BlockId::new(b), own.head));
        self.added.extend(new);

        let inside: Vec<bool> = (0..n_blocks)
            .map(|b| self.is_inside(own, BlockId::new(b)))
            .collect();
        let mut exits: Vec<(BlockId, BlockId)> = Vec::new();
        for b in 0..n_blocks {
            let block = BlockId::new(b);
            let mut kind = self.function(id).blocks[b].terminator.kind.clone();
            for target in targets(&mut kind) {
                if *target == own.head {
                    *target = if inside[b] { again } else { entered };
                } else if inside[b] && !inside[target.index()] {
                    let known = exits.iter().find(|e| e.0 == *target).map(|e| e.1);
                    *target = known.unwrap_or_else(|| {
                        // Rounds that are known to be right do not leave.
                        let condition = self.is_below(id, count, k - 1, k - 1);
                        let branch = TerminatorKind::Branch {
                            condition,
                            then: stop,
                            otherwise: *target,
                        };
                        let exit = self.block(id, Vec::new(), branch);
                        exits.push((*target, exit));
                        self.added.push((id, exit, block));
                        exit
                    });
                }
            }
            self.function(id).blocks[b].terminator.kind = kind;
        }
    }

    /// Whether a block is one of a loop, or was added beside one of it.
    fn is_inside(&self, own: &CutLoop, block: BlockId) -> bool {
        let mut block = block;
        loop {
            if own.blocks.binary_search(&block).is_ok() {
                return true;
            }
            let mut known = self.added.iter();
            match known.find(|a| a.0 == own.function && a.1 == block) {
                Some(&(_, _, source)) => block = source,
                None => return false,
            }
        }
    }

    /// Blocks that arrive somewhere, unless all is known to be right, and go on with these statements.
    fn arriving(
        &mut self,
        id: FuncId,
        arrival: &[Stmt],
        quiet: GlobalId,
        then: Vec<Stmt>,
        to: BlockId,
    ) -> BlockId {
        let after = self.block(id, then, TerminatorKind::Goto(to));
        let probe = self.block(id, arrival.to_vec(), TerminatorKind::Goto(after));
        let condition = self.is_quiet(id, quiet);
        let branch = TerminatorKind::Branch {
            condition,
            then: after,
            otherwise: probe,
        };
        self.block(id, Vec::new(), branch)
    }

    /// `count - from < n`, without signs.
    fn is_below(&mut self, id: FuncId, count: LocalId, from: u128, n: u128) -> ExprId {
        let function = self.function(id);
        let mut value = push(function, ExprKind::Local(count), COUNT);
        if from > 0 {
            let from = push(function, ExprKind::Const(from), COUNT);
            let distance = ExprKind::Binary(BinaryOp::Sub { signed: false }, value, from);
            value = push(function, distance, COUNT);
        }
        let n = push(function, ExprKind::Const(n), COUNT);
        let is_below = ExprKind::Binary(BinaryOp::ULt, value, n);
        push(function, is_below, Ty::BOOL)
    }

    /// In how many loops a round goes on that is known to be right.
    fn quiet(&mut self) -> GlobalId {
        if let Some(known) = self.quiet {
            return known;
        }
        let span = self.program.function(self.program.start).span;
        let ty = self.program.types.int(IntKind::UInt);
        self.program.globals.push(Global {
            name: "%known".to_owned(),
            ty,
            size: 4,
            align: 4,
            bytes: Vec::new(),
            relocations: Vec::new(),
            read_only: false,
            is_unwritten: false,
            is_library: true,
            function: None,
            span,
        });
        let id = GlobalId::new(self.program.globals.len() - 1);
        self.quiet = Some(id);
        id
    }

    fn change_quiet(&mut self, id: FuncId, quiet: GlobalId, by: BinaryOp) -> Stmt {
        let function = self.function(id);
        let address = push(function, ExprKind::GlobalAddress(quiet), Ty::Ptr);
        let value = push(function, ExprKind::Load { address }, COUNT);
        let one = push(function, ExprKind::Const(1), COUNT);
        let value = push(function, ExprKind::Binary(by, value, one), COUNT);
        let place = Place::Memory { address, ty: COUNT };
        self.stmt(id, StmtKind::Assign { place, value })
    }

    fn is_quiet(&mut self, id: FuncId, quiet: GlobalId) -> ExprId {
        let function = self.function(id);
        let address = push(function, ExprKind::GlobalAddress(quiet), Ty::Ptr);
        let value = push(function, ExprKind::Load { address }, COUNT);
        let zero = push(function, ExprKind::Const(0), COUNT);
        push(
            function,
            ExprKind::Binary(BinaryOp::Ne, value, zero),
            Ty::BOOL,
        )
    }

    /// Errors in rounds that are known to be right end a run quietly.
    pub(super) fn quiet_errors(&mut self) {
        let Some(quiet) = self.quiet else {
            return;
        };
        for f in 0..self.program.functions.len() {
            let id = FuncId::new(f);
            for b in 0..self.program.functions[f].blocks.len() {
                let terminator = &self.program.functions[f].blocks[b].terminator;
                if !matches!(terminator.kind, TerminatorKind::Error(_)) {
                    continue;
                }
                let error = terminator.kind.clone();
                let error = self.block(id, Vec::new(), error);
                let end = self.ending(id);
                let stop = self.block(id, vec![end], TerminatorKind::Abort);
                let condition = self.is_quiet(id, quiet);
                self.function(id).blocks[b].terminator.kind = TerminatorKind::Branch {
                    condition,
                    then: stop,
                    otherwise: error,
                };
            }
        }
    }
}

/// Where a block leads.
fn targets(kind: &mut TerminatorKind) -> Vec<&mut BlockId> {
    match kind {
        TerminatorKind::Goto(block) => vec![block],
        TerminatorKind::Branch {
            then, otherwise, ..
        } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

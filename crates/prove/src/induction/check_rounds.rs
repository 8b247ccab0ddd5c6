//! How the checker reads claims that follow from several rounds of a loop.
//!
//! A loop of the program that is handed to bounded model checking has a register that counts its rounds. The first `k` times the claim
//! is asserted at the head; the `k`-th time anything that the loop may change takes any value after that, the claim is assumed,
//! and so it is the `k - 1` times after. In the rounds between these a run is trusted: it ends without a complaint where it would
//! leave the loop or come to an error. After the last of them comes a round in which it is not, and the claim is asserted
//! for the last time.

use super::certificate::Claim;
use super::check::{Annotator, Changes, Refusal};
use super::variable::push;
use idiolect_ir::ctype::IntKind;
use idiolect_ir::{
    BinaryOp, BlockId, ExprId, ExprKind, FuncId, Global, GlobalId, Local, LocalId, LocalKind,
    LocalStorage, Place, Program, StmtKind, TerminatorKind, Ty,
};
use std::collections::{BTreeMap, BTreeSet};

const NUMBER: Ty = Ty::Int(32);

/// A number that begins as zero: in how many loops a trusted round goes on.
pub(super) fn trusting(program: &mut Program) -> GlobalId {
    let ty = program.types.int(IntKind::UInt);
    program.globals.push(Global {
        name: "%trusting".to_owned(),
        ty,
        size: 4,
        align: 4,
        bytes: Vec::new(),
        relocations: Vec::new(),
        read_only: false,
        is_unwritten: false,
        is_library: true,
        function: None,
        span: program.function(program.start).span,
    });
    GlobalId::new(program.globals.len() - 1)
}

impl Annotator<'_> {
    pub(super) fn cut_rounds(
        &mut self,
        claim: &Claim,
        head: BlockId,
        body: &BTreeSet<BlockId>,
        changes: &Changes,
        rounds: usize,
    ) -> Result<(), Refusal> {
        let id = claim.function;
        let k = rounds as u128;
        let n_before = self.program.function(id).blocks.len();
        let is_own: Vec<bool> = (0..n_before)
            .map(|b| self.belongs(id, BlockId::new(b), body))
            .collect();
        let count = self.counter(id);
        let stop = self.stop(id);

        // What happens at the head, from the last time to the first.
        let what = "the claim holds after each round";
        let end = self.asserting(id, claim, what, stop)?;
        let assume = |annotator: &mut Self| -> Result<StmtKind, Refusal> {
            let condition = annotator.claimed(id, claim)?;
            Ok(StmtKind::Assume { condition })
        };
        let judged = {
            let trust = self.trust(id, BinaryOp::Sub { signed: false });
            let stmts = vec![assume(self)?, trust];
            self.add_block(id, stmts, TerminatorKind::Goto(head))
        };
        let trusted = {
            let stmts = vec![assume(self)?];
            self.add_block(id, stmts, TerminatorKind::Goto(head))
        };
        let anything = {
            let mut stmts = self.anything_goes(id, changes)?;
            stmts.push(assume(self)?);
            stmts.push(self.trust(id, BinaryOp::Add { signed: false }));
            self.add_block(id, stmts, TerminatorKind::Goto(head))
        };
        let what = "the claim holds in the first rounds";
        let anything = self.asserting(id, claim, what, anything)?;
        let early = self.asserting(id, claim, what, head)?;
        let at_last = self.unless_equal(id, count, 2 * k - 2, judged, end);
        let mut choose = at_last;
        for i in k..2 * k - 2 {
            choose = self.unless_equal(id, count, i, trusted, choose);
        }
        choose = self.unless_equal(id, count, k - 1, anything, choose);
        for i in 0..k - 1 {
            choose = self.unless_equal(id, count, i, early, choose);
        }
        let (place, zero) = (Place::Local(count), self.number(id, 0));
        let entered = StmtKind::Assign { place, value: zero };
        let entered = self.add_block(id, vec![entered], TerminatorKind::Goto(choose));
        let (now, one) = (
            push(self.f(id), ExprKind::Local(count), NUMBER),
            self.number(id, 1),
        );
        let more = ExprKind::Binary(BinaryOp::Add { signed: false }, now, one);
        let value = push(self.f(id), more, NUMBER);
        let again = StmtKind::Assign { place, value };
        let again = self.add_block(id, vec![again], TerminatorKind::Goto(choose));

        // Nothing of this leaves a loop around this one.
        let n_now = self.program.function(id).blocks.len();
        let new = (n_before..n_now).map(|b| (id, BlockId::new(b), head));
        self.doors.extend(new);

        let mut doors: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        for (b, &is_inside) in is_own.iter().enumerate() {
            let mut kind = self.program.function(id).blocks[b].terminator.kind.clone();
            let leads: Vec<BlockId> = kind.successors().collect();
            for target in leads {
                let leaves = is_inside && target != head && !is_own[target.index()];
                if leaves && !doors.contains_key(&target) {
                    // Open but in trusted rounds.
                    let mut door = self.add_block(id, Vec::new(), TerminatorKind::Goto(target));
                    for i in k - 1..2 * k - 2 {
                        door = self.unless_equal(id, count, i, stop, door);
                    }
                    self.doors.push((id, door, BlockId::new(b)));
                    doors.insert(target, door);
                }
            }
            let change = |to: &mut BlockId| {
                if *to == head {
                    *to = if is_inside { again } else { entered };
                } else if is_inside && let Some(&door) = doors.get(to) {
                    *to = door;
                }
            };
            match &mut kind {
                TerminatorKind::Goto(to) => change(to),
                TerminatorKind::Branch {
                    then, otherwise, ..
                } => [then, otherwise].into_iter().for_each(change),
                _ => {}
            }
            self.f(id).blocks[b].terminator.kind = kind;
        }
        Ok(())
    }

    /// Whether a block is one of a loop, or was put in beside one of it.
    fn belongs(&self, id: FuncId, block: BlockId, body: &BTreeSet<BlockId>) -> bool {
        let mut block = block;
        while !body.contains(&block) {
            let mut doors = self.doors.iter();
            match doors.find(|d| d.0 == id && d.1 == block) {
                Some(door) => block = door.2,
                None => return false,
            }
        }
        true
    }

    /// In trusted rounds nothing is an error.
    pub(super) fn trust_errors(&mut self) {
        for f in 0..self.program.functions.len() {
            let id = FuncId::new(f);
            for b in 0..self.program.functions[f].blocks.len() {
                let kind = self.program.functions[f].blocks[b].terminator.kind.clone();
                if !matches!(kind, TerminatorKind::Error(_)) {
                    continue;
                }
                let error = self.add_block(id, Vec::new(), kind);
                let stop = self.stop(id);
                let (_, value) = self.trusted(id);
                let zero = self.number(id, 0);
                let condition = ExprKind::Binary(BinaryOp::Eq, value, zero);
                let condition = push(self.f(id), condition, Ty::BOOL);
                self.f(id).blocks[b].terminator.kind = TerminatorKind::Branch {
                    condition,
                    then: error,
                    otherwise: stop,
                };
            }
        }
    }

    fn counter(&mut self, id: FuncId) -> LocalId {
        let ty = self.program.types.int(IntKind::UInt);
        let function = self.f(id);
        let span = function.span;
        function.locals.push(Local {
            name: "%rounds".to_owned(),
            ty,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(NUMBER),
            span,
            scope: span,
        });
        LocalId::new(function.locals.len() - 1)
    }

    fn number(&mut self, id: FuncId, value: u128) -> ExprId {
        push(self.f(id), ExprKind::Const(value), NUMBER)
    }

    /// A block that goes to the first if the counter has this value, else to the second.
    fn unless_equal(
        &mut self,
        id: FuncId,
        count: LocalId,
        value: u128,
        then: BlockId,
        otherwise: BlockId,
    ) -> BlockId {
        let value = self.number(id, value);
        let now = push(self.f(id), ExprKind::Local(count), NUMBER);
        let is_it = ExprKind::Binary(BinaryOp::Eq, now, value);
        let condition = push(self.f(id), is_it, Ty::BOOL);
        let branch = TerminatorKind::Branch {
            condition,
            then,
            otherwise,
        };
        self.add_block(id, Vec::new(), branch)
    }

    /// The address of the number of loops with a trusted round, and its value.
    fn trusted(&mut self, id: FuncId) -> (ExprId, ExprId) {
        let trusting = self.trusting;
        let address = push(self.f(id), ExprKind::GlobalAddress(trusting), Ty::Ptr);
        let value = push(self.f(id), ExprKind::Load { address }, NUMBER);
        (address, value)
    }

    fn trust(&mut self, id: FuncId, by: BinaryOp) -> StmtKind {
        let (address, value) = self.trusted(id);
        let one = self.number(id, 1);
        let value = push(self.f(id), ExprKind::Binary(by, value, one), NUMBER);
        let place = Place::Memory {
            address,
            ty: NUMBER,
        };
        StmtKind::Assign { place, value }
    }
}

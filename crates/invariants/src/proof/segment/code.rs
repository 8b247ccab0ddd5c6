//! The code between the cuts, with what is needed to recognise cells and indices afterwards.

use super::Deriver;
use crate::proof::state::NewBlock;
use idiolect_ir::ctype::RecordId;
use idiolect_ir::{
    BinaryOp, BlockId, Builtin, CType, Callee, ExprId, ExprKind, LocalId, Place as IrPlace, Stmt,
    StmtKind, TerminatorKind, Ty,
};
use idiolect_quantified::allocated;

impl Deriver<'_> {
    /// Adds to the code what is needed to recognise cells and indices afterwards.
    pub(super) fn instrument(&mut self) {
        for original in self.segment.clone() {
            let block = BlockId::new(original.index() + 1);
            let stmts = std::mem::take(&mut self.b.function.blocks[block.index()].stmts);
            let end = self.b.function.blocks[block.index()].terminator.clone();
            self.b.go_on_in(block);
            for (position, stmt) in stmts.into_iter().enumerate() {
                self.fulfil((original, position));
                let contract = self.task.contract(&stmt.kind);
                if let (Some(contract), StmtKind::Call { dest, args, .. }) = (contract, &stmt.kind)
                {
                    // What follows goes to a new block.
                    if contract.has_arrays {
                        self.call_with_arrays(contract, *dest, args)
                    } else {
                        self.call(contract, *dest, args)
                    }
                    continue;
                }
                self.note_free(&stmt);
                self.note_size(&stmt.kind);
                let kind = stmt.kind.clone();
                let here = self.b.current().index();
                self.b.function.blocks[here].stmts.push(stmt);
                self.note_new(&kind);
            }
            let here = self.b.current().index();
            self.b.function.blocks[here].terminator = end;
            let position = self.task.function.block(original).stmts.len();
            self.fulfil((original, position));
            if let TerminatorKind::Return(value) =
                self.task.function.block(original).terminator.kind
            {
                if let (Some(result), Some(value)) = (self.state.result, value) {
                    self.b.assign(result, value);
                }
                let n = self.task.function.blocks.len();
                let exit = BlockId::new(1 + n + self.task.cuts.exit());
                self.b.end(TerminatorKind::Goto(exit));
            }
        }
    }

    /// What was foreseen for this place becomes true.
    pub(super) fn fulfil(&mut self, at: (BlockId, usize)) {
        for i in 0..self.prophecies.len() {
            let p = &self.prophecies[i];
            if p.at == at {
                let (register, index) = (p.register, p.index);
                let foreseen = self.b.read(register);
                let same = self.b.binary(BinaryOp::Eq, foreseen, index);
                self.b.assume(same);
            }
        }
    }

    fn note_free(&mut self, stmt: &Stmt) {
        let StmtKind::Call {
            callee: Callee::Builtin(builtin @ (Builtin::Free | Builtin::Realloc)),
            args,
            ..
        } = &stmt.kind
        else {
            return;
        };
        let starts = self.state.arrays.iter().map(|a| a.1);
        let mut blocks: Vec<(LocalId, LocalId)> =
            starts.zip(self.state.freed.iter().copied()).collect();
        blocks.extend(self.state.blocks.iter().map(|b| (b.address, b.freed)));
        for (address, freed) in blocks {
            let address = self.b.read(address);
            let same = self.b.same_pointer(address, args[0]);
            let before = self.b.read(freed);
            let now = self.b.or(before, same);
            self.b.assign(freed, now);
        }
        if *builtin == Builtin::Realloc {
            return;
        }
        for i in 0..self.pools.len() {
            for cell in 0..self.pools[i].freed.len() {
                let (freed, address) = (self.pools[i].freed[cell], self.pools[i].addresses[cell]);
                let address = self.b.read(address);
                let same = self.b.same_pointer(address, args[0]);
                let before = self.b.read(freed);
                let now = self.b.or(before, same);
                self.b.assign(freed, now);
            }
        }
    }

    /// The size of a block that is allocated for a variable is kept.
    fn note_size(&mut self, kind: &StmtKind) {
        let Some((array, factors)) = allocated::allocation(self.task.function, kind) else {
            return;
        };
        let own = |b: &NewBlock| b.array == array;
        let block = match self.state.blocks.iter().find(|b| own(b)) {
            Some(block) => *block,
            None => {
                let width = Ty::Int(self.b.pointer_bits());
                let block = NewBlock {
                    array,
                    address: self.b.register("block", Ty::Ptr),
                    bytes: self.b.register("bytes", width),
                    freed: self.b.register("freed", Ty::BOOL),
                };
                self.state.blocks.push(block);
                block
            }
        };
        let mut bytes = factors[0];
        for &factor in &factors[1..] {
            let times = BinaryOp::Mul { signed: false };
            bytes = self.b.binary(times, bytes, factor);
        }
        self.b.assign(block.bytes, bytes);
    }

    /// The result of a call that may be a new cell is kept, and so is that of an allocation for a variable.
    fn note_new(&mut self, kind: &StmtKind) {
        let StmtKind::Call {
            dest: Some(IrPlace::Local(local)),
            callee,
            args,
        } = kind
        else {
            return;
        };
        if let Some((array, _)) = allocated::allocation(self.task.function, kind)
            && let Some(block) = self.state.blocks.iter().find(|b| b.array == array).copied()
        {
            let (value, falsity) = (self.b.read(*local), self.b.falsity());
            self.b.assign(block.address, value);
            self.b.assign(block.freed, falsity);
        }
        for i in 0..self.pools.len() {
            if !self.may_make(*callee, args, self.pools[i].record) {
                continue;
            }
            let value = self.b.read(*local);
            let kept = self.b.register("new", Ty::Ptr);
            self.b.assign(kept, value);
            self.pools[i].captured.push(kept);
        }
    }

    fn may_make(&self, callee: Callee, args: &[ExprId], record: RecordId) -> bool {
        let types = &self.task.program.types;
        match callee {
            Callee::Builtin(Builtin::Malloc) => {
                let size = types
                    .record(record)
                    .layout
                    .as_ref()
                    .map(|l| u128::from(l.size));
                let constant = match self.b.function.expr(args[0]).kind {
                    ExprKind::Const(bits) => Some(bits),
                    _ => None,
                };
                size.is_some() && constant == size
            }
            Callee::Function(id) => {
                let CType::Function(ty) = types.get(self.task.program.function(id).ty) else {
                    return false;
                };
                match types.get(ty.ret) {
                    CType::Pointer(to) => *types.get(*to) == CType::Record(record),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

//! Whether a variable can be read before it has a value.

use super::successors;
use idiolect_ir::{
    Builtin, Callee, ExprId, ExprKind, Function, LocalId, LocalStorage, Place, Program, Stmt,
    StmtKind, TerminatorKind,
};

/// Beyond so many bits the answer is *maybe*, which only costs a few instructions in each call.
const MAX_BITS: usize = 1 << 24;

/// Whether some path from the entry may read a variable, other than a parameter, that was not
/// assigned on it. The usual backward analysis: such a variable is live at the entry.
pub(super) fn may_read_too_early(program: &Program, function: &Function) -> bool {
    let n_blocks = function.blocks.len();
    let n_words = function.locals.len().div_ceil(64);
    if n_blocks * n_words * 64 > MAX_BITS {
        return true;
    }
    let mut reads = vec![0u64; n_blocks * n_words];
    let mut writes = vec![0u64; n_blocks * n_words];
    let mut seen = vec![0u32; function.exprs.len()];
    let mut round = 0;
    for (b, block) in function.blocks.iter().enumerate() {
        let range = b * n_words..(b + 1) * n_words;
        let mut effects = Effects {
            function,
            reads: &mut reads[range.clone()],
            writes: &mut writes[range],
            seen: &mut seen,
            round,
        };
        for stmt in &block.stmts {
            effects.statement(program, stmt);
        }
        match block.terminator.kind {
            TerminatorKind::Branch { condition: e, .. }
            | TerminatorKind::Return(Some(e))
            | TerminatorKind::Exit(e) => effects.expr(e),
            _ => {}
        }
        round = effects.round;
    }
    // `reads` becomes what is live at the start of each block.
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..n_blocks).rev() {
            for successor in successors(&function.blocks[b].terminator.kind) {
                for word in 0..n_words {
                    let at = b * n_words + word;
                    let live = reads[successor.index() * n_words + word] & !writes[at];
                    changed |= live & !reads[at] != 0;
                    reads[at] |= live;
                }
            }
        }
    }
    let mut entry = reads[..n_words].to_vec();
    for param in &function.params {
        entry[param.index() / 64] &= !(1 << (param.index() % 64));
    }
    entry.iter().any(|&word| word != 0)
}

/// What a block reads before it writes, and what it writes.
struct Effects<'a> {
    function: &'a Function,
    reads: &'a mut [u64],
    writes: &'a mut [u64],
    /// By expression: the last statement that met it, so that shared ones are visited once.
    seen: &'a mut [u32],
    round: u32,
}

impl Effects<'_> {
    fn statement(&mut self, program: &Program, stmt: &Stmt) {
        match &stmt.kind {
            &StmtKind::Assign { place, value } => {
                self.expr(value);
                self.place(place, true);
            }
            &StmtKind::Havoc { place, .. } => self.place(place, true),
            &StmtKind::Assume { condition } => self.expr(condition),
            &StmtKind::Copy { to, from, .. } => {
                self.expr(to);
                self.expr(from);
            }
            &StmtKind::Zero { to, .. } => self.expr(to),
            &StmtKind::Declare { local, size } => {
                if let Some(size) = size {
                    self.expr(size);
                }
                // The array of the round before ends here.
                if self.function.local(local).storage == LocalStorage::Dynamic {
                    self.read(local);
                }
            }
            &StmtKind::End { local } => {
                if self.function.local(local).storage == LocalStorage::Dynamic {
                    self.read(local);
                }
            }
            StmtKind::Call { dest, callee, args } => {
                if let Callee::Pointer { target, .. } = *callee {
                    self.expr(target);
                }
                for &arg in args {
                    self.expr(arg);
                }
                // A call that has no result leaves its destination as it was.
                let has_result = match *callee {
                    Callee::Function(f) => program.function(f).ret.is_some(),
                    Callee::Pointer { .. } => false,
                    Callee::Builtin(builtin) => !matches!(
                        builtin,
                        Builtin::Free
                            | Builtin::Memmove
                            | Builtin::Memset
                            | Builtin::Truncate(_)
                            | Builtin::Forget
                            | Builtin::CheckOverlap
                            | Builtin::CheckWritten
                            | Builtin::CheckLeaks
                            | Builtin::Longjmp
                    ),
                };
                if let Some(place) = *dest {
                    self.place(place, has_result);
                }
            }
            &StmtKind::Mark { condition, .. } => {
                if let Some(condition) = condition {
                    self.expr(condition);
                }
            }
        }
    }

    fn place(&mut self, place: Place, is_written: bool) {
        match place {
            Place::Local(l) if is_written => {
                self.writes[l.index() / 64] |= 1 << (l.index() % 64);
            }
            Place::Local(_) => {}
            Place::Memory { address, .. } | Place::Bits { address, .. } => self.expr(address),
        }
    }

    fn read(&mut self, local: LocalId) {
        let (word, bit) = (local.index() / 64, 1 << (local.index() % 64));
        self.reads[word] |= bit & !self.writes[word];
    }

    fn expr(&mut self, root: ExprId) {
        self.round += 1;
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.seen[id.index()], self.round) == self.round {
                continue;
            }
            match self.function.expr(id).kind {
                ExprKind::Local(l) => self.read(l),
                // The pointers of memory locals are there from the start; dynamic ones are not.
                ExprKind::LocalAddress(l) => {
                    if self.function.local(l).storage == LocalStorage::Dynamic {
                        self.read(l);
                    }
                }
                ExprKind::Load { address: a } | ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => {
                    open.push(a)
                }
                ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                    open.extend([a, b]);
                }
                ExprKind::PtrAdd { base, index, .. } => open.extend([base, index]),
                ExprKind::Select {
                    condition,
                    then,
                    otherwise,
                } => open.extend([condition, then, otherwise]),
                ExprKind::Const(_) | ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => {}
            }
        }
    }
}

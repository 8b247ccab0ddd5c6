//! Which registers may be read before they are written.
//!
//! A forward analysis over the blocks: a variable is *open* where some path from the function's
//! start, or from its own declaration, has not written it. One that is read while open takes an
//! input at its declaration; if a jump can even go around the declaration, at the start too.
//! Bit sets over the variables that have a declaration without a value at once; temporaries are
//! always written first.

use super::Lowerer;
use super::finish::targets;
use idiolect_ir::{
    Block, BlockId, ExprId, ExprKind, InputKind, LocalId, LocalKind, LocalStorage, Place, Stmt,
    StmtKind, TerminatorKind,
};
use std::collections::BTreeSet;

type Bits = Vec<u64>;

fn set(bits: &mut Bits, i: usize) {
    bits[i / 64] |= 1 << (i % 64);
}

fn clear(bits: &mut Bits, i: usize) {
    bits[i / 64] &= !(1 << (i % 64));
}

fn has(bits: &Bits, i: usize) -> bool {
    bits[i / 64] >> (i % 64) & 1 == 1
}

/// What a block does to the open variables, read once per block.
struct Effect {
    /// `(variable, action)` in order.
    steps: Vec<(usize, Step)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Read,
    Write,
    Declare,
}

impl Lowerer<'_> {
    /// Drops the declarations of registers, or turns them into inputs where needed.
    pub fn settle_declarations(&mut self, blocks: &mut [Block], params: &[LocalId]) {
        let open = self.open_at_read(blocks, params);
        for (local, at_start) in &open {
            if *at_start {
                let stmt = self.uninitialized(*local);
                blocks[0].stmts.insert(0, stmt);
            }
        }
        let needed: BTreeSet<LocalId> = open.iter().map(|o| o.0).collect();
        for block in blocks {
            let has_any = block.stmts.iter().any(|s| self.is_register_declaration(s));
            if !has_any {
                continue;
            }
            let stmts = std::mem::take(&mut block.stmts);
            for stmt in stmts {
                match stmt.kind {
                    StmtKind::Declare { local, .. } if self.is_register_declaration(&stmt) => {
                        if needed.contains(&local) {
                            let stmt = self.uninitialized(local);
                            block.stmts.push(stmt);
                        }
                    }
                    _ => block.stmts.push(stmt),
                }
            }
        }
    }

    fn is_register_declaration(&self, stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::Declare { local, .. }
            if matches!(self.body.locals[local.index()].storage, LocalStorage::Register(_)))
    }

    fn uninitialized(&mut self, local: LocalId) -> Stmt {
        let (name, ty, span) = {
            let local = &self.body.locals[local.index()];
            (local.name.clone(), local.ty, local.span)
        };
        let input = self.input(InputKind::Uninitialized(name), ty, span);
        Stmt {
            kind: StmtKind::Havoc {
                place: Place::Local(local),
                input,
            },
            span,
        }
    }

    /// The variables that need an input, and whether their declaration can be jumped over.
    fn open_at_read(&self, blocks: &[Block], params: &[LocalId]) -> Vec<(LocalId, bool)> {
        let mut index = vec![usize::MAX; self.body.locals.len()];
        let mut variables = Vec::new();
        for (i, local) in self.body.locals.iter().enumerate() {
            let id = LocalId::new(i);
            if local.kind == LocalKind::Variable
                && matches!(local.storage, LocalStorage::Register(_))
                && !params.contains(&id)
            {
                index[i] = variables.len();
                variables.push(id);
            }
        }
        if variables.is_empty() {
            return Vec::new();
        }
        let mut reader = Reader {
            body: &self.body,
            index: &index,
            stamp: vec![0; self.body.exprs.len()],
            now: 0,
        };
        let effects: Vec<Effect> = blocks.iter().map(|b| reader.effect(b)).collect();
        let all: Vec<usize> = (0..variables.len()).collect();
        let found = flow(blocks, &effects, &all, variables.len(), true);
        if found.is_empty() {
            return Vec::new();
        }
        let around = flow(blocks, &effects, &found, variables.len(), false);
        found
            .into_iter()
            .map(|v| (variables[v], around.contains(&v)))
            .collect()
    }
}

/// The variables of `of` that are read while open; with `declared`, a declaration opens one,
/// else it counts as a write.
fn flow(
    blocks: &[Block],
    effects: &[Effect],
    of: &[usize],
    n: usize,
    declared: bool,
) -> Vec<usize> {
    let words = n.div_ceil(64);
    let mut start = vec![0; words];
    for &v in of {
        set(&mut start, v);
    }
    let mut at_entry: Vec<Option<Bits>> = vec![None; blocks.len()];
    at_entry[0] = Some(start);
    let mut work = BTreeSet::from([0usize]);
    let mut found = vec![0; words];
    // Blocks are in reverse postorder, so that the smallest first reaches the fixed point soon.
    while let Some(b) = work.pop_first() {
        let Some(mut bits) = at_entry[b].clone() else {
            continue;
        };
        for &(v, step) in &effects[b].steps {
            match step {
                Step::Read => {
                    if has(&bits, v) {
                        set(&mut found, v);
                    }
                }
                Step::Write => clear(&mut bits, v),
                Step::Declare if declared => set(&mut bits, v),
                Step::Declare => clear(&mut bits, v),
            }
        }
        for target in targets(&blocks[b].terminator.kind) {
            let BlockId(t) = target;
            match &mut at_entry[t as usize] {
                Some(old) => {
                    let mut changed = false;
                    for (o, new) in old.iter_mut().zip(&bits) {
                        changed |= *new & !*o != 0;
                        *o |= *new;
                    }
                    if changed {
                        work.insert(t as usize);
                    }
                }
                slot @ None => {
                    *slot = Some(bits.clone());
                    work.insert(t as usize);
                }
            }
        }
    }
    (0..n).filter(|&v| has(&found, v)).collect()
}

struct Reader<'b> {
    body: &'b super::body::Body,
    index: &'b [usize],
    /// Expressions are shared: each is walked once per block.
    stamp: Vec<u32>,
    now: u32,
}

impl Reader<'_> {
    fn effect(&mut self, block: &Block) -> Effect {
        let mut steps = Vec::new();
        for stmt in &block.stmts {
            self.now += 1;
            let mut write = None;
            let place = match &stmt.kind {
                StmtKind::Assign { place, value } => {
                    self.reads(*value, &mut steps);
                    Some(*place)
                }
                StmtKind::Havoc { place, .. } => Some(*place),
                StmtKind::Assume { condition } => {
                    self.reads(*condition, &mut steps);
                    None
                }
                StmtKind::Copy { to, from, .. } => {
                    self.reads(*to, &mut steps);
                    self.reads(*from, &mut steps);
                    None
                }
                StmtKind::Zero { to, .. } => {
                    self.reads(*to, &mut steps);
                    None
                }
                StmtKind::Declare { local, size } => {
                    if let Some(size) = size {
                        self.reads(*size, &mut steps);
                    }
                    let v = self.index[local.index()];
                    if v != usize::MAX {
                        steps.push((v, Step::Declare));
                    }
                    None
                }
                StmtKind::End { .. } => None,
                StmtKind::Call { dest, callee, args } => {
                    if let idiolect_ir::Callee::Pointer { target, .. } = callee {
                        self.reads(*target, &mut steps);
                    }
                    for arg in args {
                        self.reads(*arg, &mut steps);
                    }
                    *dest
                }
                StmtKind::Mark { condition, .. } => {
                    if let Some(condition) = condition {
                        self.reads(*condition, &mut steps);
                    }
                    None
                }
            };
            match place {
                Some(Place::Local(local)) => write = Some(self.index[local.index()]),
                Some(Place::Memory { address, .. } | Place::Bits { address, .. }) => {
                    self.reads(address, &mut steps);
                }
                None => {}
            }
            if let Some(v) = write
                && v != usize::MAX
            {
                steps.push((v, Step::Write));
            }
        }
        self.now += 1;
        match &block.terminator.kind {
            TerminatorKind::Branch { condition, .. } => self.reads(*condition, &mut steps),
            TerminatorKind::Return(Some(value)) | TerminatorKind::Exit(value) => {
                self.reads(*value, &mut steps);
            }
            _ => {}
        }
        Effect { steps }
    }

    fn reads(&mut self, id: ExprId, steps: &mut Vec<(usize, Step)>) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.stamp[id.index()], self.now) == self.now {
                continue;
            }
            let kind = &self.body.exprs[id.index()].kind;
            if let ExprKind::Local(local) = kind {
                let v = self.index[local.index()];
                if v != usize::MAX {
                    steps.push((v, Step::Read));
                }
            }
            kind.for_each_operand(|operand| stack.push(operand));
        }
    }
}

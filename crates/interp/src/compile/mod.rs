//! From IR to instructions.
//!
//! Each function is compiled twice at most: the first time finds out which constants do not fit
//! into instructions inside loops, the second one keeps those in registers that are set once when
//! the function starts.

mod address;
mod branch;
mod expr;
mod fuse;
mod layout;
mod link;
mod liveness;
mod operator;
mod statics;
mod steps;
mod stmt;
mod switch;
mod thread;

use crate::code::{Code, FunctionCode, Instr, MemoryLocal, Reg, Site, Slot, TyCode, ty_code};
use crate::input::ObjectKind;
use crate::memory::class_of;
use idiolect_base::{Span, deep_stack};
use idiolect_ir::{
    Block, BlockId, FuncId, Function, LocalId, LocalStorage, Program, TerminatorKind, Ty, memory,
};
use layout::Layout;
pub(crate) use statics::{function_object, global_object, image};
use std::collections::BTreeMap;
pub(crate) use thread::has_threads;

/// Which hooks the code has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hooks {
    pub(crate) decisions: bool,
    pub(crate) events: bool,
    pub(crate) statements: bool,
    /// Someone may look at the variables of open calls: all have a value at all times.
    pub(crate) variables: bool,
    /// Integers made from pointers are addresses as a process has them.
    pub(crate) addresses: bool,
    /// Threads may take turns wherever the program's own functions use memory.
    pub(crate) threads: bool,
}

/// Arguments beyond so many registers are passed beside the window.
pub(crate) const MAX_WINDOW_ARGS: usize = 32;
/// From this register on, held temporaries move to far slots while others are computed.
const SPILL_AT: u32 = 212;

pub(crate) fn compile(program: &Program, check_overflow: bool, hooks: Hooks) -> Code {
    let mut code = Code::default();
    for id in program.function_ids() {
        let function = program.function(id);
        let start = code.instrs.len() as u32;
        let plan = Layout::new(function, &[]);
        let mut compiler = FunctionCompiler::new(program, id, plan, check_overflow, hooks, &code);
        compiler.function();
        if !compiler.wanted.is_empty() {
            let hoisted = compiler.hoisted();
            let plan = Layout::new(function, &hoisted);
            compiler = FunctionCompiler::new(program, id, plan, check_overflow, hooks, &code);
            compiler.function();
        }
        compiler.finish(start, &mut code);
    }
    link::link(&mut code);
    code
}

/// As [`compile`], for expressions of any depth: very deep ones get a large stack to recurse on.
pub(crate) fn compile_deep(program: &Program, check_overflow: bool, hooks: Hooks) -> Code {
    let depth = program.functions.iter().map(layout::depth).max();
    if depth.unwrap_or(0) < 400 {
        return compile(program, check_overflow, hooks);
    }
    deep_stack(|| compile(program, check_overflow, hooks))
}

/// A position that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(u32);

/// Compiles one function.
struct FunctionCompiler<'a> {
    pub(super) program: &'a Program,
    pub(super) id: FuncId,
    pub(super) function: &'a Function,
    layout: Layout,
    pub(super) check_overflow: bool,
    pub(super) hooks: Hooks,
    pub(super) next_temp: u32,
    pub(super) n_far: u32,
    instrs: Vec<Instr>,
    sites: Vec<Site>,
    /// By instruction: the type of a load that is no integer, else 0.
    types: Vec<TyCode>,
    site: Site,
    labels: Vec<Option<u32>>,
    block_labels: Vec<Option<Label>>,
    emitted: Vec<bool>,
    pending: Vec<BlockId>,
    n_preds: Vec<u32>,
    in_loop: Vec<bool>,
    /// Steps of the current straight line that the next jump has to count.
    uncounted: u32,
    /// Constants that had to be put into a register inside a loop, and how often.
    wanted: BTreeMap<u64, u32>,
    pub(super) calls: Vec<crate::code::CallSite>,
    pub(super) effects: Vec<crate::code::EffectCode>,
    first_call: u32,
    first_effect: u32,
    tables: Vec<crate::code::Table>,
    first_table: u32,
    first_constant: u32,
    /// Whether the function has anything to give back when it returns.
    pub(super) has_locals: bool,
}

impl<'a> FunctionCompiler<'a> {
    fn new(
        program: &'a Program,
        id: FuncId,
        layout: Layout,
        check_overflow: bool,
        hooks: Hooks,
        code: &Code,
    ) -> Self {
        let function = program.function(id);
        let n = function.blocks.len();
        let mut n_preds = vec![0; n];
        let mut in_loop = vec![false; n];
        if let Some(entry) = n_preds.first_mut() {
            *entry = 1;
        }
        for (b, block) in function.blocks.iter().enumerate() {
            for successor in successors(&block.terminator.kind) {
                // A test that is repeated has its successors twice.
                n_preds[successor.index()] += 1 + u32::from(is_repeatable(block));
                // Front ends number blocks as the text has them, so this is nearly exact; it only
                // decides where constants are kept.
                if successor.index() <= b {
                    in_loop[successor.index()..=b].fill(true);
                }
            }
        }
        FunctionCompiler {
            program,
            id,
            function,
            next_temp: layout.first_temp,
            n_far: layout.n_far,
            layout,
            check_overflow,
            hooks,
            instrs: Vec::new(),
            sites: Vec::new(),
            types: Vec::new(),
            site: Site {
                block: Function::ENTRY,
                stmt: 0,
                span: function.span,
                uncounted: 0,
            },
            labels: Vec::new(),
            block_labels: vec![None; n],
            emitted: vec![false; n],
            pending: Vec::new(),
            n_preds,
            in_loop,
            uncounted: 0,
            wanted: BTreeMap::new(),
            calls: Vec::new(),
            effects: Vec::new(),
            first_call: code.calls.len() as u32,
            first_effect: code.effects.len() as u32,
            tables: Vec::new(),
            first_table: code.tables.len() as u32,
            first_constant: code.constants.len() as u32,
            has_locals: function
                .locals
                .iter()
                .any(|l| !matches!(l.storage, LocalStorage::Register(_)))
                || stmt::uses_alloca(function),
        }
    }

    /// The constants worth a register, most used first.
    fn hoisted(&self) -> Vec<u64> {
        let mut wanted: Vec<(u64, u32)> = self.wanted.iter().map(|(&c, &n)| (c, n)).collect();
        wanted.sort_by_key(|&(c, n)| (std::cmp::Reverse(n), c));
        wanted.into_iter().map(|(c, _)| c).collect()
    }

    fn function(&mut self) {
        self.prologue();
        self.pending.push(Function::ENTRY);
        while let Some(block) = self.pending.pop() {
            let mut next = Some(block);
            while let Some(block) = next {
                next = self.block(block);
            }
        }
    }

    fn prologue(&mut self) {
        let layout = &self.layout;
        let mut extra = 0;
        let takes: Vec<(Slot, u32)> = layout
            .extra_params
            .iter()
            .map(|&slot| {
                extra += 1;
                (slot, extra - 1)
            })
            .collect();
        let clear = (layout.n_window_params, layout.first_const);
        let must_clear =
            self.hooks.variables || liveness::may_read_too_early(self.program, self.function);
        let consts = layout.consts.clone();
        if clear.0 < clear.1 && must_clear {
            self.emit(Instr::Clear {
                from: clear.0 as Reg,
                to: clear.1,
            });
        }
        let far_at = self.instrs.len();
        self.emit(Instr::EnterFar { size: 0 });
        if !takes.is_empty() {
            for (slot, index) in takes {
                match slot {
                    Slot::Near(d) => self.emit(Instr::TakeArgument { d, index }),
                    Slot::Far(slot) => {
                        let d = self.temp(1);
                        self.emit(Instr::TakeArgument { d, index });
                        self.emit(Instr::StoreFar { a: d, slot });
                        self.release_all();
                    }
                }
            }
            self.emit(Instr::DropArguments);
        }
        match consts[..] {
            [] => {}
            [(value, d)] => self.emit_const(d, value),
            [(_, d), ..] => {
                let first = self.first_constant;
                let n = consts.len() as u8;
                self.emit(Instr::Consts { d, n, first });
            }
        }
        if self.has_locals {
            self.emit(Instr::EnterLocals {
                function: self.id.0,
            });
        }
        if self.hooks.events {
            self.emit(Instr::Enter);
        }
        debug_assert!(matches!(self.instrs[far_at], Instr::EnterFar { .. }));
    }

    fn finish(mut self, start: u32, code: &mut Code) {
        // Where no far slots are used, entering them is dropped; positions shift, so labels do too.
        let n_far = self.n_far;
        let mut keep: Vec<bool> = self
            .instrs
            .iter()
            .map(|i| n_far > 0 || !matches!(i, Instr::EnterFar { .. } | Instr::LeaveFar { .. }))
            .collect();
        if !self.hooks.statements {
            fuse::fuse(
                fuse::Body {
                    instrs: &mut self.instrs,
                    sites: &mut self.sites,
                    types: &mut self.types,
                    keep: &mut keep,
                },
                &self.labels,
                &self.tables,
                self.layout.first_temp,
                !self.hooks.variables,
            );
        }
        let mut new_position = Vec::with_capacity(keep.len() + 1);
        let mut position = start;
        for &kept in &keep {
            new_position.push(position);
            position += u32::from(kept);
        }
        new_position.push(position);
        for (i, instr) in self.instrs.iter_mut().enumerate() {
            if !keep[i] {
                continue;
            }
            if let Some(target) = link::target_mut(instr) {
                let at = self.labels[*target as usize].expect("every label is placed");
                *target = new_position[at as usize];
            }
            if let Instr::EnterFar { size } | Instr::LeaveFar { size } = instr {
                *size = n_far;
            }
            let site = self.sites[i];
            if code.sites.last() != Some(&site) {
                code.sites.push(site);
            }
            code.site_of.push(code.sites.len() as u32 - 1);
            code.types.push(self.types[i]);
            code.instrs.push(*instr);
        }
        for table in &mut self.tables {
            for (target, _) in table.entries.iter_mut().chain([&mut table.otherwise]) {
                let at = self.labels[*target as usize].expect("every label is placed");
                *target = new_position[at as usize];
            }
        }
        code.tables.append(&mut self.tables);
        let constants = self.layout.consts.iter().map(|&(value, _)| value);
        code.constants.extend(constants);
        let mut memory_locals = Vec::new();
        let mut block_size = 0u64;
        for (i, local) in self.function.locals.iter().enumerate() {
            if let LocalStorage::Memory { size, .. } = local.storage {
                let size = size.min(memory::MAX_OBJECT_SIZE - 1);
                memory_locals.push(MemoryLocal {
                    kind: ObjectKind::Local {
                        function: self.id,
                        local: LocalId::new(i),
                    },
                    offset: block_size as usize,
                    size: size as u32,
                    slot: self.layout.slots[i],
                });
                block_size = block_size.saturating_add(size.next_multiple_of(16));
            }
        }
        code.functions.push(FunctionCode {
            start,
            n_registers: self.layout.first_const,
            slots: self.layout.slots,
            memory_locals,
            block: class_of(block_size),
        });
        code.calls.append(&mut self.calls);
        code.effects.append(&mut self.effects);
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.instrs.push(instr);
        self.sites.push(self.site);
        self.types.push(0);
    }

    /// Notes the type of the load that was just emitted.
    pub(super) fn note_type(&mut self, ty: Ty) {
        if !matches!(ty, Ty::Int(_))
            && let Some(last) = self.types.last_mut()
        {
            *last = ty_code(ty);
        }
    }

    pub(super) fn emit_const(&mut self, d: Reg, value: u64) {
        self.emit(Instr::Const {
            d,
            low: value as u32,
            high: (value >> 32) as u32,
        });
    }

    /// Puts a constant into a register, and notes that it would be better there already.
    pub(super) fn materialize(&mut self, d: Reg, value: u64) {
        if self.in_loop[self.site.block.index()] {
            *self.wanted.entry(value).or_default() += 1;
        }
        self.emit_const(d, value);
    }

    /// A jump, which counts the steps that wait.
    pub(super) fn emit_jump(&mut self, jump: impl FnOnce(u8, u32) -> Instr, to: Label) {
        let steps = match u8::try_from(self.uncounted) {
            Ok(steps) => steps,
            Err(_) => {
                self.emit(Instr::Steps { n: self.uncounted });
                0
            }
        };
        self.emit(jump(steps, to.0));
        self.uncounted = 0;
        self.site.uncounted = 0;
    }

    pub(super) fn take_steps(&mut self) -> u8 {
        match u8::try_from(std::mem::take(&mut self.uncounted)) {
            Ok(steps) => steps,
            Err(_) => {
                self.emit(Instr::Steps {
                    n: self.site.uncounted,
                });
                self.site.uncounted = 0;
                0
            }
        }
    }

    /// A jump inside a statement, which counts nothing.
    pub(super) fn emit_inner_jump(&mut self, jump: impl FnOnce(u8, u32) -> Instr, to: Label) {
        self.emit(jump(0, to.0));
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.instrs.len() as u32);
    }

    fn block_label(&mut self, block: BlockId) -> Label {
        match self.block_labels[block.index()] {
            Some(label) => label,
            None => {
                let label = self.label();
                self.block_labels[block.index()] = Some(label);
                self.pending.push(block);
                label
            }
        }
    }

    /// `n` registers in a row.
    pub(super) fn temp(&mut self, n: u32) -> Reg {
        let reg = self.next_temp;
        self.next_temp += n;
        // Spilling starts long before, so this only guards against a slip.
        debug_assert!(self.next_temp <= 256, "out of registers");
        reg.min(255) as Reg
    }

    pub(super) fn release(&mut self, mark: u32) {
        self.next_temp = mark;
    }

    fn release_all(&mut self) {
        self.next_temp = self.layout.first_temp;
    }

    pub(super) fn is_temp(&self, reg: Reg) -> bool {
        u32::from(reg) >= self.layout.first_temp
    }

    pub(super) fn far_slots(&mut self, n: u32) -> u32 {
        self.n_far += n;
        self.n_far - n
    }

    pub(super) fn must_spill(&self) -> bool {
        self.next_temp > SPILL_AT
    }

    fn set_site(&mut self, block: BlockId, stmt: u32, span: Span) {
        self.uncounted += 1;
        self.site = Site {
            block,
            stmt,
            span,
            uncounted: self.uncounted,
        };
    }

    /// Emits a block; says which one to emit next, without a jump between them.
    fn block(&mut self, id: BlockId) -> Option<BlockId> {
        if self.emitted[id.index()] {
            return None;
        }
        self.emitted[id.index()] = true;
        if self.n_preds[id.index()] > 1 || self.uncounted == 0 {
            debug_assert_eq!(self.uncounted, 0);
            let label = match self.block_labels[id.index()] {
                Some(label) => label,
                None => {
                    let label = self.label();
                    self.block_labels[id.index()] = Some(label);
                    label
                }
            };
            self.place(label);
        }
        self.statements(id);
        self.terminator(id)
    }

    fn statements(&mut self, id: BlockId) {
        let function = self.function;
        for (i, stmt) in function.block(id).stmts.iter().enumerate() {
            self.set_site(id, i as u32, stmt.span);
            self.statement(stmt);
            self.release_all();
        }
    }

    /// Continues at a block: falls into it if possible. Returns it if it is to be emitted next.
    fn go(&mut self, target: BlockId, from: BlockId) -> Option<BlockId> {
        let t = target.index();
        // Returning is shorter than going where it is done.
        let block = self.function.block(target);
        if block.stmts.is_empty() && matches!(block.terminator.kind, TerminatorKind::Return(_)) {
            return self.terminator(target);
        }
        if !self.emitted[t] {
            if self.n_preds[t] > 1 && self.uncounted > 0 {
                let n = std::mem::take(&mut self.uncounted);
                self.emit(Instr::Steps { n });
            }
            // Someone may have asked for it before; it is emitted here all the same.
            return Some(target);
        }
        // The test of a loop is repeated at its end, which saves a jump in each round.
        if t <= from.index() && is_repeatable(block) {
            self.statements(target);
            return self.terminator(target);
        }
        let label = self.block_label(target);
        self.emit_jump(|steps, target| Instr::Jump { steps, target }, label);
        None
    }

    /// As [`Self::go`], for the side of a branch that is not jumped to.
    pub(super) fn go_on(&mut self, target: BlockId) -> Option<BlockId> {
        debug_assert_eq!(self.uncounted, 0);
        if !self.emitted(target) {
            return Some(target);
        }
        let label = self.block_label(target);
        self.emit_jump(|steps, target| Instr::Jump { steps, target }, label);
        None
    }

    pub(super) fn emitted(&self, block: BlockId) -> bool {
        self.emitted[block.index()]
    }

    pub(super) fn has_uncounted(&self) -> bool {
        self.uncounted > 0
    }

    pub(super) fn take_uncounted(&mut self) -> u32 {
        self.site.uncounted = 0;
        std::mem::take(&mut self.uncounted)
    }

    fn terminator(&mut self, id: BlockId) -> Option<BlockId> {
        let function = self.function;
        let block = function.block(id);
        self.set_site(id, block.stmts.len() as u32, block.terminator.span);
        if self.hooks.statements {
            self.emit(Instr::Before);
        }
        let next = self.terminator_code(id, &block.terminator.kind);
        self.release_all();
        next
    }

    fn terminator_code(&mut self, id: BlockId, kind: &TerminatorKind) -> Option<BlockId> {
        match *kind {
            TerminatorKind::Goto(target) => self.go(target, id),
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                if self.may_yield() && thread::reads(self.function, condition) {
                    self.emit(Instr::Yield);
                }
                self.branch(id, condition, then, otherwise)
            }
            TerminatorKind::Return(value) => {
                self.return_(value);
                None
            }
            TerminatorKind::Exit(value) => {
                let a = self.value(value);
                self.after_value(a, Ty::Int(32));
                self.emit(Instr::Exit { a });
                self.uncounted = 0;
                None
            }
            TerminatorKind::Abort => self.stop(Instr::Abort),
            TerminatorKind::Error(_) => self.stop(Instr::Error { block: id }),
            TerminatorKind::Trap(index) => self.stop(Instr::Trap { index }),
            TerminatorKind::Fault(kind) => self.stop(Instr::Fault { kind }),
        }
    }

    fn stop(&mut self, instr: Instr) -> Option<BlockId> {
        self.emit(instr);
        self.uncounted = 0;
        None
    }
}

/// Whether a block is small enough to be emitted more than once.
fn is_repeatable(block: &Block) -> bool {
    block.stmts.len() <= 1
        && block.stmts.iter().all(stmt::is_small)
        && matches!(block.terminator.kind, TerminatorKind::Branch { .. })
}

pub(super) fn successors(kind: &TerminatorKind) -> impl Iterator<Item = BlockId> {
    let (a, b) = match *kind {
        TerminatorKind::Goto(target) => (Some(target), None),
        TerminatorKind::Branch {
            then, otherwise, ..
        } => (Some(then), Some(otherwise)),
        _ => (None, None),
    };
    a.into_iter().chain(b)
}

//! A plain dynamic backward slice of a run: everything that its end depends on by data or control. It
//! is what relevance is compared with, and what one falls back on where no simple fix exists.
//!
//! Data: who gave a value that is read, addresses included. Control: the last decision of the same
//! activation on which the block depends, by post-dominance, and the call that opened the
//! activation. After B. Korel and J. Laski, *Dynamic Program Slicing* (1988). Ways that can only end
//! in an error or a trap are no ways around anything, so that an assertion that holds does not
//! control everything after it.

use crate::decided::Decided;
use crate::graph::{ItemKind, ItemNo};
use idiolect_ir::graph::Cfg;
use idiolect_ir::{BlockId, FuncId, Function, Program, TerminatorKind};
use idiolect_symex::rerun::{Role, RunTrace};
use rustc_hash::FxHashMap;

/// By statement of the trace: whether it is in the slice.
pub fn slice(program: &Program, trace: &RunTrace, decided: &Decided) -> Vec<bool> {
    let n = trace.statements.len();
    let mut slice = Slice {
        trace,
        decided,
        controls: controls(program, trace),
        in_slice: vec![false; n],
        seen: vec![false; decided.graph.items.len()],
        items: Vec::new(),
        statements: Vec::new(),
    };
    // The last statement with a condition is the one that lets the error happen.
    let last = trace
        .statements
        .iter()
        .rposition(|s| s.decision.is_some() || !s.conditions.is_empty());
    if let Some(last) = last {
        slice.add_statement(last);
        slice.add_checks(last);
    }
    slice.close();
    slice.in_slice
}

struct Slice<'a> {
    trace: &'a RunTrace,
    decided: &'a Decided,
    /// By statement: those that control it.
    controls: Vec<Vec<usize>>,
    in_slice: Vec<bool>,
    seen: Vec<bool>,
    items: Vec<ItemNo>,
    statements: Vec<usize>,
}

impl Slice<'_> {
    fn add_statement(&mut self, number: usize) {
        if !self.in_slice[number] {
            self.in_slice[number] = true;
            self.statements.push(number);
        }
    }

    fn add_item(&mut self, item: ItemNo) {
        if !self.seen[item as usize] {
            self.seen[item as usize] = true;
            self.items.push(item);
        }
    }

    /// What the conditions of a statement read: its decision, and the addresses that it uses.
    fn add_checks(&mut self, number: usize) {
        let graph = &self.decided.graph;
        let from = graph.first[number] as usize;
        let mut at = from;
        while at < graph.items.len() && graph.items[at].statement == number {
            if matches!(graph.items[at].kind, ItemKind::Check { .. }) {
                self.add_item(at as ItemNo);
            }
            at += 1;
        }
    }

    fn close(&mut self) {
        loop {
            if let Some(item) = self.items.pop() {
                let item = &self.decided.graph.items[item as usize];
                let (statement, is_initial) = (item.statement, item.reads.is_empty());
                let reads: Vec<ItemNo> = item.reads.iter().map(|r| r.1).collect();
                if !(is_initial && self.trace.statements.is_empty()) {
                    self.add_statement(statement);
                }
                for read in reads {
                    self.add_item(read);
                }
            } else if let Some(number) = self.statements.pop() {
                self.add_checks(number);
                for control in self.controls[number].clone() {
                    self.add_statement(control);
                    self.add_checks(control);
                }
            } else {
                return;
            }
        }
    }
}

/// By statement: the decision and the call that it depends on.
fn controls(program: &Program, trace: &RunTrace) -> Vec<Vec<usize>> {
    let mut functions: FxHashMap<FuncId, Vec<Vec<BlockId>>> = FxHashMap::default();
    let mut decisions: FxHashMap<(u32, BlockId), usize> = FxHashMap::default();
    // By depth: the statement that opened the activation.
    let mut calls: Vec<usize> = Vec::new();
    let mut all = Vec::with_capacity(trace.statements.len());
    for (number, statement) in trace.statements.iter().enumerate() {
        let mut own = Vec::new();
        if let Role::Global(_) = statement.role {
            all.push(own);
            continue;
        }
        let is_entry = statement.role == Role::Entry;
        let depth = statement.depth.saturating_sub(usize::from(is_entry));
        // An entry is at a place of the caller, whose activation is that of its own call.
        let activation = if !is_entry {
            statement.activation
        } else {
            match depth.checked_sub(1).and_then(|d| calls.get(d)) {
                Some(&call) => trace.statements[call].activation,
                None => 0,
            }
        };
        let place = statement.place;
        let of = functions
            .entry(place.function)
            .or_insert_with(|| control_blocks(program.function(place.function)));
        let deciding = of[place.block.index()]
            .iter()
            .filter_map(|&block| decisions.get(&(activation, block)).copied());
        own.extend(deciding.max());
        calls.truncate(depth);
        own.extend(calls.last());
        if is_entry {
            calls.push(number);
        }
        if statement.decision.is_some() {
            decisions.insert((statement.activation, place.block), number);
        }
        all.push(own);
    }
    all
}

/// By block: the branches that it depends on.
fn control_blocks(function: &Function) -> Vec<Vec<BlockId>> {
    let cfg = Cfg::new(function);
    let n = cfg.n_blocks();
    let returns = |b: BlockId| {
        let end = &function.block(b).terminator.kind;
        matches!(end, TerminatorKind::Return(_) | TerminatorKind::Exit(_))
    };
    // Blocks from which the function can still come to its end.
    let mut finishes: Vec<bool> = (0..n).map(|i| returns(BlockId::new(i))).collect();
    let mut work: Vec<BlockId> = (0..n)
        .map(BlockId::new)
        .filter(|b| finishes[b.index()])
        .collect();
    while let Some(block) = work.pop() {
        for &before in cfg.predecessors(block) {
            if !finishes[before.index()] {
                finishes[before.index()] = true;
                work.push(before);
            }
        }
    }
    let ways = |b: BlockId| -> Vec<BlockId> {
        let all: Vec<BlockId> = cfg.successors(b).collect();
        let good: Vec<BlockId> = all
            .iter()
            .copied()
            .filter(|s| finishes[s.index()])
            .collect();
        if good.is_empty() { all } else { good }
    };
    // Post-dominators as sets, from all blocks downward.
    let words = n.div_ceil(64);
    let full = vec![u64::MAX; words];
    let only = |b: usize| {
        let mut set = vec![0u64; words];
        set[b / 64] |= 1 << (b % 64);
        set
    };
    let mut post: Vec<Vec<u64>> = (0..n)
        .map(|b| {
            if ways(BlockId::new(b)).is_empty() {
                only(b)
            } else {
                full.clone()
            }
        })
        .collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &block in cfg.reverse_postorder().iter().rev() {
            let next = ways(block);
            if next.is_empty() {
                continue;
            }
            let mut set = full.clone();
            for s in next {
                for (word, other) in set.iter_mut().zip(&post[s.index()]) {
                    *word &= other;
                }
            }
            set[block.index() / 64] |= 1 << (block.index() % 64);
            if set != post[block.index()] {
                post[block.index()] = set;
                is_changed = true;
            }
        }
    }
    let dominates = |above: usize, b: usize| post[b][above / 64] >> (above % 64) & 1 == 1;
    let mut list: Vec<Vec<BlockId>> = vec![Vec::new(); n];
    for &branch in cfg.reverse_postorder() {
        let next = ways(branch);
        if next.len() < 2 {
            continue;
        }
        for (block, own) in list.iter_mut().enumerate() {
            let is_strict = block != branch.index() && dominates(block, branch.index());
            if !is_strict && next.iter().any(|s| dominates(block, s.index())) {
                own.push(branch);
            }
        }
    }
    list
}

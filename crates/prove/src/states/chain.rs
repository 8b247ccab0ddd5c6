//! Chains of heap blocks as one object.
//!
//! A list of any length is one object here: a *chain* stands for one or more blocks of the same size, each
//! with a pointer to the next one at the same offset. A pointer to the object points to its first block;
//! nobody but the block before points to any other one, so that what lies behind the first can be forgotten
//! one by one. The cell of the link holds where the last block points to. All other cells are those of every
//! block: with the same value in all of them, or, where the chain says so, with a value of its own in each.
//!
//! Where each block points back to the one before, too, a chain is of two or more blocks, and its last block has a name of
//! its own, so that others can point to it and take it off ([`Back`]). Nobody but its neighbors points to any block between
//! the two. The cell of the pointer back holds where that of the first block points to.
//!
//! Two blocks become a chain where loops begin ([`State::fold`]); whoever looks at a chain sees its first block, and
//! either there is no other one or the rest of the chain lies behind it ([`State::unfold`]). See D. Distefano, P. O'Hearn
//! and H. Yang, *A Local Shape Analysis Based on Separation Logic*, 2006; K. Dudka, P. Peringer and T. Vojnar,
//! *Byte-Precise Verification of Low-Level List Manipulation*, 2013.

use super::evaluate::at;
use super::memory::{Cell, Object, ObjectKind};
use super::state::State;
use super::value::{Facts, Value};
use idiolect_ir::live::Liveness;
use idiolect_ir::{FuncId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How blocks become chains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    Never,
    /// Only blocks that hold the same constants.
    Alike,
    /// Blocks may hold different numbers.
    Any,
}

/// How the blocks of a chain hang together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Where the pointer to the next block is, and which byte of that it points to.
    pub link: u64,
    pub entry: i64,
    /// Where the pointer to the block before is, if there is one.
    pub back: Option<Back>,
    /// Cells that hold a value of their own in each block, of which the facts of the symbol are known.
    pub own: BTreeSet<u64>,
}

/// How the blocks of a chain point back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Back {
    /// Where the pointer to the block before is, and which byte of that it points to.
    pub link: u64,
    pub entry: i64,
    /// The name of the last block, which is not that of the first: there are two or more.
    pub last: u32,
}

/// Heap blocks and chains that a state names.
pub fn n_blocks(state: &State) -> usize {
    let is_block = |o: &&Rc<Object>| o.kind == ObjectKind::Heap && o.last_of.is_none();
    state.objects.values().filter(is_block).count()
}

impl State {
    /// Values that nobody reads any more are forgotten, so that they name no object.
    pub fn forget_dead<'l>(&mut self, live: impl Fn(FuncId) -> &'l Liveness) {
        let last = self.frames.len() - 1;
        for depth in 0..self.frames.len() {
            let frame = &self.frames[depth];
            let live = live(frame.function);
            let from = if depth == last {
                frame.index
            } else {
                frame.index + 1
            };
            let is_dead = |local: usize| !live.is_live(frame.block, from, local);
            let dead: Vec<usize> = (0..frame.locals.len())
                .filter(|&l| frame.locals[l].is_some() && is_dead(l))
                .collect();
            if !dead.is_empty() {
                let frame = Rc::make_mut(&mut self.frames[depth]);
                dead.into_iter().for_each(|l| frame.locals[l] = None);
            }
        }
    }

    /// Makes chains of blocks until there is nothing left to be done.
    pub fn fold(&mut self, program: &Program, folding: Folding) {
        self.derived.clear();
        loop {
            if let Some((pair, joined)) = self.foldable_both_ways(program, folding) {
                self.join_both_ways(pair, joined);
            } else if let Some((first, next, joined)) = self.foldable(program, folding) {
                self.objects.remove(&next);
                self.objects.insert(first, Rc::new(joined));
            } else {
                return;
            }
        }
    }

    /// How many pointers lead to each object.
    pub(super) fn references(&self) -> BTreeMap<u32, u32> {
        let mut found = BTreeMap::new();
        let mut count = |value: Value| {
            if let Value::Pointer { object, .. } = self.resolve(value) {
                *found.entry(object).or_insert(0) += 1;
            }
        };
        for frame in &self.frames {
            frame.locals.iter().flatten().for_each(|&v| count(v));
        }
        for object in self.objects.values() {
            let cells = object.cells.values().filter(|c| !c.is_any);
            cells.for_each(|cell| count(cell.value));
        }
        found
    }

    /// A block, the one behind it, and what both are together.
    fn foldable(&mut self, program: &Program, folding: Folding) -> Option<(u32, u32, Object)> {
        let references = self.references();
        let size = program.types.model.pointer_size();
        let blocks: Vec<(u32, Rc<Object>)> = (self.objects.iter())
            .filter(|(_, o)| o.kind == ObjectKind::Heap && o.last_of.is_none())
            .map(|(&id, o)| (id, o.clone()))
            .collect();
        for (id, block) in &blocks {
            for (&link, cell) in &block.cells {
                if cell.is_any || cell.size != size {
                    continue;
                }
                let Value::Pointer { object, low, high } = self.resolve(cell.value) else {
                    continue;
                };
                let is_single = references.get(&object) == Some(&1);
                if object == *id || low != high || !is_single {
                    continue;
                }
                let Some(next) = self.objects.get(&object).cloned() else {
                    continue;
                };
                if let Some(joined) = self.joined(block, &next, (link, low), size, folding) {
                    return Some((*id, object, joined));
                }
            }
        }
        None
    }

    /// One object for a block or chain and what its link points to, if they are alike.
    fn joined(
        &mut self,
        first: &Object,
        next: &Object,
        (link, entry): (u64, i64),
        pointer: u64,
        folding: Folding,
    ) -> Option<Object> {
        let fits = |o: &Object| {
            let is_same = |c: &Chain| c.link == link && c.entry == entry && c.back.is_none();
            o.last_of.is_none() && o.chain.as_ref().is_none_or(is_same)
        };
        if !fits(first) || !fits(next) {
            return None;
        }
        let behind = self.known_link(next, link, pointer)?;
        let chain = Chain {
            link,
            entry,
            back: None,
            own: BTreeSet::new(),
        };
        self.alike(
            first,
            next,
            (chain, BTreeMap::from([(link, behind)])),
            folding,
        )
    }

    /// The cell of a pointer whose value is known.
    pub(super) fn known_link(&self, object: &Object, at: u64, pointer: u64) -> Option<Cell> {
        let cell = object.cell(at, pointer)?;
        let is_known = matches!(
            self.resolve(cell.value),
            Value::Const(_) | Value::Pointer { .. }
        );
        (!cell.is_any && is_known).then_some(cell)
    }

    /// A chain with these links of two blocks or chains whose other cells are alike.
    pub(super) fn alike(
        &mut self,
        first: &Object,
        next: &Object,
        (mut chain, links): (Chain, BTreeMap<u64, Cell>),
        folding: Folding,
    ) -> Option<Object> {
        let is_heap = |o: &Object| o.kind == ObjectKind::Heap;
        let is_alike = first.size.is_some() && first.size == next.size;
        let has_like_rest = first.background == next.background;
        if !is_heap(first) || !is_heap(next) || !is_alike || !has_like_rest {
            return None;
        }
        let mut offsets: BTreeSet<u64> = first.cells.keys().copied().collect();
        offsets.extend(next.cells.keys().copied());
        offsets.retain(|at| !links.contains_key(at));
        let mut cells = links;
        let mut end = 0;
        for at in offsets {
            let mut sizes = [first, next]
                .into_iter()
                .filter_map(|o| o.cells.get(&at).map(|c| c.size));
            let size = sizes.next()?;
            if sizes.any(|other| other != size) {
                return None;
            }
            let (cell, is_own) = match (first.cell(at, size), next.cell(at, size)) {
                (Some(a), Some(b)) => {
                    let has_own =
                        |o: &Object| o.chain.as_ref().is_some_and(|c| c.own.contains(&at));
                    self.joined_cell((a, has_own(first)), (b, has_own(next)), folding)?
                }
                // Written in one and not in the other.
                (Some(one), None) | (None, Some(one)) if self.is_forgettable(&one) => {
                    let is_any = true;
                    (Cell { is_any, ..one }, false)
                }
                _ => return None,
            };
            // Cells of the two may overlap where they do not begin together.
            if at < end {
                return None;
            }
            end = at + cell.size;
            if is_own {
                chain.own.insert(at);
            }
            cells.insert(at, cell);
        }
        let overlaps = cells.iter().zip(cells.iter().skip(1));
        if overlaps
            .into_iter()
            .any(|((at, cell), (next, _))| at + cell.size > *next)
        {
            return None;
        }
        Some(Object {
            kind: first.kind,
            size: first.size,
            background: first.background,
            cells,
            chain: Some(chain),
            last_of: None,
        })
    }

    /// Nothing is lost with it but a number.
    fn is_forgettable(&self, cell: &Cell) -> bool {
        let value = self.resolve(cell.value);
        cell.is_any || matches!(value, Value::Const(_) | Value::Symbol { .. })
    }

    /// What both cells hold, and whether each block has its own value; each of the two comes with whether it
    /// is so there.
    fn joined_cell(
        &mut self,
        (a, a_own): (Cell, bool),
        (b, b_own): (Cell, bool),
        folding: Folding,
    ) -> Option<(Cell, bool)> {
        if a.is_any || b.is_any {
            let both = self.is_forgettable(&a) && self.is_forgettable(&b);
            return both.then_some((Cell { is_any: true, ..a }, false));
        }
        let (x, y) = (self.resolve(a.value), self.resolve(b.value));
        if x == y && !a_own && !b_own {
            return Some((Cell { value: x, ..a }, false));
        }
        let is_symbol = |v| matches!(v, Value::Symbol { .. });
        if !self.is_forgettable(&a) || !self.is_forgettable(&b) || a.size > 8 {
            return None;
        }
        if folding == Folding::Alike && !(is_symbol(x) && is_symbol(y)) {
            return None;
        }
        let width = 8 * a.size as u8;
        let (from, to) = (self.range(x, width), self.range(y, width));
        let low = from.0.min(to.0);
        let high = from.1.max(to.1);
        // A range that grew once grows again.
        let is_new = !a_own && !b_own;
        let is_kept = a_own && (low, high) == from || b_own && (low, high) == to;
        let facts = if is_new || is_kept {
            Facts::between(width, low, high)
        } else {
            Facts::any(width)
        };
        let value = self.symbol(facts);
        Some((Cell { value, ..a }, true))
    }

    /// The first block of a chain by itself, or the last, if it is that which is named: there are no more than there have to
    /// be, or the rest of the chain is behind or before it.
    pub fn unfold(&mut self, object: u32, is_least: bool) {
        let last_of = self.objects.get(&object).and_then(|o| o.last_of);
        let first = last_of.unwrap_or(object);
        let Some(rest) = self.objects.get(&first).cloned() else {
            return;
        };
        let Some(chain) = &rest.chain else {
            return;
        };
        if let Some(back) = chain.back {
            return self.unfold_both_ways(
                (first, &rest),
                (chain, back),
                is_least,
                last_of.is_some(),
            );
        }
        let mut block = self.one_of(&rest, chain);
        if !is_least {
            let behind = self.allocate((*rest).clone());
            let next = at(behind, chain.entry);
            set(&mut block, chain.link, next);
        }
        self.objects.insert(object, Rc::new(block));
    }

    /// A block of a chain, with values of its own; its links are those of the chain.
    pub(super) fn one_of(&mut self, rest: &Object, chain: &Chain) -> Object {
        let mut block = rest.clone();
        block.chain = None;
        for at in &chain.own {
            let Some(cell) = block.cells.get_mut(at) else {
                continue;
            };
            let facts = match self.resolve(cell.value) {
                Value::Symbol { id, add: 0 } => self.facts.get(&id).cloned(),
                _ => None,
            };
            let facts = facts.unwrap_or_else(|| Facts::any(8 * cell.size as u8));
            cell.value = self.symbol(facts);
        }
        block
    }

    /// Whether every heap block can still be named by a global or by a local in memory.
    pub fn has_all_blocks(&self, program: &Program) -> bool {
        let n_globals = program.globals.len() as u32;
        let mut open: Vec<u32> = (0..n_globals).collect();
        for frame in &self.frames {
            open.extend(frame.objects.values());
        }
        let mut reached: BTreeSet<u32> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let Some(object) = self.objects.get(&id) else {
                continue;
            };
            let cells = object.cells.values().filter(|c| !c.is_any);
            let targets = cells.filter_map(|cell| match self.resolve(cell.value) {
                Value::Pointer { object, .. } => Some(object),
                _ => None,
            });
            let back = object.chain.as_ref().and_then(|c| c.back);
            let targets = targets.chain(back.map(|b| b.last)).chain(object.last_of);
            for target in targets {
                if reached.insert(target) {
                    open.push(target);
                }
            }
        }
        let is_lost =
            |(id, o): (&u32, &Rc<Object>)| o.kind == ObjectKind::Heap && !reached.contains(id);
        !self.is_lost && !self.objects.iter().any(is_lost)
    }
}

/// Gives a cell that is there another value.
pub(super) fn set(block: &mut Object, at: u64, value: Value) {
    if let Some(cell) = block.cells.get_mut(&at) {
        cell.value = value;
    }
}

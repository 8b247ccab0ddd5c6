//! Chains of heap blocks as one object.
//!
//! A list of any length is one object here: a *chain* stands for one or more blocks of the same size, each
//! with a pointer to the next one at the same offset. A pointer to the object points to its first block;
//! nobody but the block before points to any other one, so that what lies behind the first can be forgotten
//! one by one. The cell of the link holds where the last block points to. All other cells are those of every
//! block: with the same value in all of them, or, where the chain says so, with a value of its own in each.
//!
//! Two blocks become a chain where loops begin ([`State::fold`]); whoever looks at a chain sees its first block, and
//! either there is no other one or the rest of the chain lies behind it ([`State::unfold`]). See D. Distefano, P. O'Hearn
//! and H. Yang, *A Local Shape Analysis Based on Separation Logic*, 2006; K. Dudka, P. Peringer and T. Vojnar,
//! *Byte-Precise Verification of Low-Level List Manipulation*, 2013.

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
    /// Cells that hold a value of their own in each block, of which the facts of the symbol are known.
    pub own: BTreeSet<u64>,
}

/// Heap blocks that a state names.
pub fn n_blocks(state: &State) -> usize {
    let is_block = |o: &&Rc<Object>| o.kind == ObjectKind::Heap;
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
        while let Some((first, next, joined)) = self.foldable(program, folding) {
            self.objects.remove(&next);
            self.objects.insert(first, Rc::new(joined));
        }
    }

    /// How many pointers lead to each object.
    fn references(&self) -> BTreeMap<u32, u32> {
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
            .filter(|(_, o)| o.kind == ObjectKind::Heap)
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
            let chain = o.chain.as_ref();
            o.kind == ObjectKind::Heap && chain.is_none_or(|c| c.link == link && c.entry == entry)
        };
        let is_alike = first.size.is_some() && first.size == next.size;
        if !fits(first) || !fits(next) || !is_alike || first.background != next.background {
            return None;
        }
        let behind = next.cells.get(&link).filter(|c| c.size == pointer)?;
        let is_known = matches!(
            self.resolve(behind.value),
            Value::Const(_) | Value::Pointer { .. }
        );
        if behind.is_any || !is_known {
            return None;
        }
        let mut offsets: BTreeSet<u64> = first.cells.keys().copied().collect();
        offsets.extend(next.cells.keys().copied());
        offsets.remove(&link);
        let mut cells = BTreeMap::from([(link, *behind)]);
        let mut own = BTreeSet::new();
        let mut end = 0;
        for at in offsets {
            let (a, b) = (first.cells.get(&at), next.cells.get(&at));
            let (cell, is_own) = match (a, b) {
                (Some(a), Some(b)) if a.size == b.size => {
                    let has_own =
                        |o: &Object| o.chain.as_ref().is_some_and(|c| c.own.contains(&at));
                    self.joined_cell((*a, has_own(first)), (*b, has_own(next)), folding)?
                }
                // Written in one and not in the other.
                (Some(one), None) | (None, Some(one)) if self.is_forgettable(one) => {
                    let is_any = true;
                    (Cell { is_any, ..*one }, false)
                }
                _ => return None,
            };
            // Cells of the two may overlap where they do not begin together.
            if at < end {
                return None;
            }
            end = at + cell.size;
            if is_own {
                own.insert(at);
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
            chain: Some(Chain { link, entry, own }),
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

    /// The first block of a chain by itself: there is no other one, or the rest of the chain is behind it.
    pub fn unfold(&mut self, object: u32, is_last: bool) {
        let Some(rest) = self.objects.get(&object).cloned() else {
            return;
        };
        let Some(chain) = &rest.chain else {
            return;
        };
        let mut block = (*rest).clone();
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
        if !is_last {
            let (link, entry) = (chain.link, chain.entry);
            let behind = self.allocate((*rest).clone());
            if let Some(cell) = block.cells.get_mut(&link) {
                cell.value = Value::Pointer {
                    object: behind,
                    low: entry,
                    high: entry,
                };
            }
        }
        self.objects.insert(object, Rc::new(block));
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
            for cell in object.cells.values().filter(|c| !c.is_any) {
                if let Value::Pointer { object, .. } = self.resolve(cell.value)
                    && reached.insert(object)
                {
                    open.push(object);
                }
            }
        }
        let is_lost =
            |(id, o): (&u32, &Rc<Object>)| o.kind == ObjectKind::Heap && !reached.contains(id);
        !self.is_lost && !self.objects.iter().any(is_lost)
    }
}

//! The memory of a symbolic state: objects with contents in cells.
//!
//! A *cell* is a piece of an object at a constant offset with one term as its value. Cells come into
//! being as the program accesses memory; an access of another shape cuts them. Where there is no
//! cell, bytes have their initial value: that of a static object, zero, or *unwritten*.
//!
//! Reading unwritten bytes is an input, drawn once and kept from then on, exactly as `interp` draws
//! it. Because states are merged, a cell may be unwritten on some of the paths that lead here: it
//! carries the condition under which it is.

use crate::large::Large;
use crate::persistent::{PersistentMap, Same};
use crate::pointer::ObjectNo;
use idiolect_ir::{FuncId, GlobalId, LocalId};
use idiolect_smt::{TermId, Terms};
use std::rc::Rc;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    Function(FuncId),
    Global(GlobalId),
    Local {
        function: FuncId,
        local: LocalId,
    },
    /// A block of the heap. Its number in a run is the number of blocks taken before it.
    Heap,
    Alloca,
}

impl ObjectKind {
    /// Whether the object ends with the activation that made it.
    pub(crate) fn is_automatic(self) -> bool {
        matches!(self, ObjectKind::Local { .. } | ObjectKind::Alloca)
    }
}

pub(crate) struct ObjectInfo {
    pub(crate) kind: ObjectKind,
    /// Bytes, as wide as a pointer.
    pub(crate) size: TermId,
    /// Bytes, or the most that they can be.
    pub(crate) max_size: u64,
    pub(crate) is_read_only: bool,
    /// The first bytes, zeros beyond them; `None` if they are unwritten.
    pub(crate) initial: Option<Rc<[u8]>>,
    /// The size of the scalars that it is made of, as far as one can tell; bulk writes use it.
    pub(crate) stride: u32,
    /// Holds in runs that make this object.
    pub(crate) made: TermId,
    /// The condition under which it is only the first part of a larger object, and what was limited,
    /// as an index into [`idiolect_ir::Program::assumptions`].
    pub(crate) truncated: Option<(TermId, u32)>,
    /// Some of its bytes may be unwritten because something unknown may have written them.
    pub(crate) is_forgotten: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) size: u32,
    /// Of 8 bits for each byte.
    pub(crate) value: TermId,
    /// The condition under which nobody wrote the bytes yet; `value` means nothing then.
    pub(crate) unwritten: TermId,
}

impl Same for Cell {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

/// The largest cell: what one access can touch.
pub(crate) const MAX_CELL: u32 = 16;

#[derive(Clone, Default)]
pub(crate) struct Contents {
    pub(crate) cells: PersistentMap<Cell>,
    /// Everything, instead of cells.
    pub(crate) large: Option<Large>,
}

#[derive(Clone, Default)]
pub(crate) struct Memory {
    pub(crate) objects: PersistentMap<Rc<Contents>>,
    /// The condition under which an object has ended, if it may have. Automatic objects that are
    /// in neither map have ended for good.
    pub(crate) dead: PersistentMap<TermId>,
}

/// A piece of memory as one access sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) at: u32,
    pub(crate) size: u32,
    pub(crate) value: TermId,
    pub(crate) unwritten: TermId,
}

/// Bytes `at..at + size` of a value whose first byte is at `from`.
pub(crate) fn part(terms: &mut Terms, value: TermId, from: u32, at: u32, size: u32) -> TermId {
    let lo = (at - from) * 8;
    terms.extract(lo + size * 8 - 1, lo, value)
}

fn initial_value(terms: &mut Terms, bytes: &[u8], at: u32, size: u32) -> TermId {
    let mut value = 0u128;
    for i in 0..size {
        let byte = bytes.get((at + i) as usize).copied().unwrap_or(0);
        value |= u128::from(byte) << (8 * i);
    }
    terms.bv(value, size * 8)
}

impl Contents {
    /// The cell that has the byte at `at`, and where it starts.
    fn covering(&self, at: u32) -> Option<(u32, Cell)> {
        for start in (at.saturating_sub(MAX_CELL - 1)..=at).rev() {
            if let Some(&cell) = self.cells.get(start) {
                return (start + cell.size > at).then_some((start, cell));
            }
        }
        None
    }

    /// The pieces of `from..from + size`, without gaps, none larger than a cell can be.
    pub(crate) fn pieces(
        &self,
        terms: &mut Terms,
        initial: Option<&[u8]>,
        from: u32,
        size: u32,
    ) -> Vec<Piece> {
        if let Some(&cell) = self.cells.get(from)
            && cell.size == size
        {
            return vec![Piece {
                at: from,
                size,
                value: cell.value,
                unwritten: cell.unwritten,
            }];
        }
        let end = from + size;
        let mut starts: Vec<u32> = Vec::new();
        self.cells.for_range(from, end, &mut |k, _| starts.push(k));
        let (truth, falsity) = (terms.tt(), terms.ff());
        let mut pieces = Vec::new();
        let mut at = from;
        while at < end {
            if let Some((start, cell)) = self.covering(at) {
                let stop = (start + cell.size).min(end);
                pieces.push(Piece {
                    at,
                    size: stop - at,
                    value: part(terms, cell.value, start, at, stop - at),
                    unwritten: cell.unwritten,
                });
                at = stop;
                continue;
            }
            let next = starts.iter().copied().find(|&s| s > at).unwrap_or(end);
            let stop = next.min(at + MAX_CELL);
            let (value, unwritten) = match initial {
                Some(bytes) => (initial_value(terms, bytes, at, stop - at), falsity),
                None => (terms.bv(0, (stop - at) * 8), truth),
            };
            pieces.push(Piece {
                at,
                size: stop - at,
                value,
                unwritten,
            });
            at = stop;
        }
        pieces
    }

    /// Splits the cell that lies on both sides of `at`, if there is one.
    fn cut(&mut self, terms: &mut Terms, at: u32) {
        if at == 0 || self.cells.get(at).is_some() {
            return;
        }
        if let Some((start, cell)) = self.covering(at)
            && start < at
        {
            let end = start + cell.size;
            for (from, to) in [(start, at), (at, end)] {
                let value = part(terms, cell.value, start, from, to - from);
                let cell = Cell {
                    size: to - from,
                    value,
                    unwritten: cell.unwritten,
                };
                self.cells.insert(from, cell);
            }
        }
    }

    /// Puts a cell in place of whatever was there.
    pub(crate) fn put(&mut self, terms: &mut Terms, at: u32, cell: Cell) {
        let is_exact = self.cells.get(at).is_some_and(|old| old.size == cell.size);
        if !is_exact {
            let end = at + cell.size;
            self.cut(terms, at);
            self.cut(terms, end);
            let mut old = Vec::new();
            self.cells.for_range(at, end, &mut |k, _| old.push(k));
            for key in old {
                self.cells.remove(key);
            }
        }
        self.cells.insert(at, cell);
    }

    /// Writes `value` where `hit` holds.
    pub(crate) fn write(
        &mut self,
        terms: &mut Terms,
        initial: Option<&[u8]>,
        at: u32,
        size: u32,
        value: TermId,
        hit: TermId,
    ) {
        if terms.known_true(hit) {
            let unwritten = terms.ff();
            let cell = Cell {
                size,
                value,
                unwritten,
            };
            self.put(terms, at, cell);
            return;
        }
        let miss = terms.not(hit);
        for piece in self.pieces(terms, initial, at, size) {
            let new = part(terms, value, at, piece.at, piece.size);
            let value = if terms.known_true(piece.unwritten) {
                new
            } else {
                terms.ite(hit, new, piece.value)
            };
            let unwritten = terms.and(piece.unwritten, miss);
            let cell = Cell {
                size: piece.size,
                value,
                unwritten,
            };
            self.put(terms, piece.at, cell);
        }
    }

    /// The contents that are `a` where `selector` holds and `b` elsewhere.
    fn merged(
        terms: &mut Terms,
        initial: Option<&[u8]>,
        selector: TermId,
        a: &Contents,
        b: &Contents,
    ) -> Contents {
        let mut result = a.clone();
        for key in a.cells.differences(&b.cells) {
            let (left, right) = (a.cells.get(key), b.cells.get(key));
            let size = left.map_or(0, |c| c.size).max(right.map_or(0, |c| c.size));
            let (mut left, mut right) = (
                a.pieces(terms, initial, key, size),
                b.pieces(terms, initial, key, size),
            );
            // The common refinement of both lists of pieces.
            let mut starts: Vec<u32> = left.iter().chain(&right).map(|p| p.at).collect();
            starts.sort_unstable();
            starts.dedup();
            starts.push(key + size);
            if left.len() + 1 < starts.len() {
                left = refine(terms, &left, &starts);
            }
            if right.len() + 1 < starts.len() {
                right = refine(terms, &right, &starts);
            }
            for (p, q) in left.iter().zip(&right) {
                let value = if terms.known_true(p.unwritten) {
                    q.value
                } else if terms.known_true(q.unwritten) {
                    p.value
                } else {
                    terms.ite(selector, p.value, q.value)
                };
                let unwritten = terms.ite(selector, p.unwritten, q.unwritten);
                let cell = Cell {
                    size: p.size,
                    value,
                    unwritten,
                };
                result.put(terms, p.at, cell);
            }
        }
        result
    }
}

fn refine(terms: &mut Terms, pieces: &[Piece], starts: &[u32]) -> Vec<Piece> {
    let mut result = Vec::new();
    for piece in pieces {
        for pair in starts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if from >= piece.at && to <= piece.at + piece.size {
                result.push(Piece {
                    at: from,
                    size: to - from,
                    value: part(terms, piece.value, piece.at, from, to - from),
                    unwritten: piece.unwritten,
                });
            }
        }
    }
    result
}

impl Memory {
    /// The memory that is `a` where `selector` holds and `b` elsewhere.
    pub(crate) fn merged(
        terms: &mut Terms,
        infos: &[ObjectInfo],
        selector: TermId,
        a: &Memory,
        b: &Memory,
    ) -> Memory {
        let mut result = a.clone();
        for key in a.objects.differences(&b.objects) {
            match (a.objects.get(key), b.objects.get(key)) {
                (Some(left), Some(right)) => {
                    let info = &infos[key as usize];
                    let merged = match Large::merged(terms, info, selector, left, right) {
                        Some(large) => Contents {
                            large: Some(large),
                            ..Contents::default()
                        },
                        None => {
                            let initial = info.initial.as_deref();
                            Contents::merged(terms, initial, selector, left, right)
                        }
                    };
                    result.objects.insert(key, Rc::new(merged));
                }
                // On one side only: on the other it was not made, or has ended, which `dead`
                // tells; either way its contents do not matter there.
                (None, Some(right)) => result.objects.insert(key, right.clone()),
                _ => {}
            }
        }
        let falsity = terms.ff();
        for key in a.dead.differences(&b.dead) {
            let exists = |m: &Memory| m.objects.get(key).is_some() || m.dead.get(key).is_some();
            let of = |m: &Memory| m.dead.get(key).copied().unwrap_or(falsity);
            let dead = match (exists(a), exists(b)) {
                (true, false) => of(a),
                (false, true) => of(b),
                _ => terms.ite(selector, of(a), of(b)),
            };
            result.dead.insert(key, dead);
        }
        result
    }

    pub(crate) fn contents_mut(&mut self, object: ObjectNo) -> Contents {
        self.objects
            .get(object)
            .map(|c| (**c).clone())
            .unwrap_or_default()
    }
}

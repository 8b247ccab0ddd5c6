//! Objects of abstract states: bytes in cells that hold one value each.

use super::chain::Chain;
use super::value::Value;
use idiolect_ir::{GlobalId, GlobalTarget, Program};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Global,
    Local,
    Heap,
}

/// What the bytes are that nobody wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Background {
    Zero,
    /// Reading them gives anything, each time.
    Unwritten,
    /// Those of the program text.
    Initial(GlobalId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub size: u64,
    /// A constant holds for the first 16 bytes; behind these there are zeros.
    pub value: Value,
    /// Reading it gives anything, each time; `value` means nothing then.
    pub is_any: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub size: Option<u64>,
    pub background: Background,
    /// By their offsets; no two overlap.
    pub cells: BTreeMap<u64, Cell>,
    /// It stands for several blocks.
    pub chain: Option<Chain>,
    /// It is another name, for the last block of this chain.
    pub last_of: Option<u32>,
}

const ANY: Cell = Cell {
    size: 0,
    value: Value::Const(0),
    is_any: true,
};

impl Object {
    pub fn new(kind: ObjectKind, size: Option<u64>) -> Self {
        Self {
            kind,
            size,
            background: Background::Unwritten,
            cells: BTreeMap::new(),
            chain: None,
            last_of: None,
        }
    }

    /// Whether these bytes belong to the object.
    pub fn holds(&self, low: i64, high: i64, n: u64) -> bool {
        let Some(size) = self.size else {
            return false;
        };
        low >= 0
            && (high as u64)
                .checked_add(n)
                .is_some_and(|end| high >= 0 && end <= size)
    }

    /// What is in these bytes, if one value is; zeros that nobody wrote are one.
    pub fn cell(&self, offset: u64, size: u64) -> Option<Cell> {
        match self.cells.get(&offset) {
            Some(cell) => (cell.size == size).then_some(*cell),
            None if self.background == Background::Zero
                && self.overlapping(offset, size).next().is_none() =>
            {
                let value = Value::Const(0);
                let is_any = false;
                Some(Cell {
                    size,
                    value,
                    is_any,
                })
            }
            None => None,
        }
    }

    /// The value of these bytes, if it is known.
    pub fn read(&self, program: &Program, offset: u64, n: u64) -> Option<Value> {
        if let Some(cell) = self.cells.get(&offset)
            && cell.size == n
        {
            return (!cell.is_any).then_some(cell.value);
        }
        if let Background::Initial(global) = self.background
            && self.overlapping(offset, n).next().is_none()
            && let Some(target) = pointer_at(program, global, offset)
        {
            return (n == program.types.model.pointer_size()).then_some(target);
        }
        if n > 16 {
            return None;
        }
        let mut bits = 0;
        for i in 0..n {
            bits |= u128::from(self.byte(program, offset + i)?) << (8 * i);
        }
        Some(Value::Const(bits))
    }

    fn byte(&self, program: &Program, offset: u64) -> Option<u8> {
        if let Some((&start, cell)) = self.cells.range(..=offset).next_back()
            && offset - start < cell.size
        {
            let Value::Const(bits) = cell.value else {
                return None;
            };
            let i = offset - start;
            return (!cell.is_any).then_some(if i < 16 { (bits >> (8 * i)) as u8 } else { 0 });
        }
        match self.background {
            Background::Zero => Some(0),
            Background::Unwritten => None,
            Background::Initial(global) => {
                let size = program.types.model.pointer_size();
                let global = program.global(global);
                let is_address = (global.relocations.iter())
                    .any(|r| r.offset <= offset && offset < r.offset + size);
                let byte = global.bytes.get(offset as usize).copied().unwrap_or(0);
                (!is_address).then_some(byte)
            }
        }
    }

    /// Whether all of these bytes are known to be written.
    pub fn is_written(&self, offset: u64, n: u64) -> bool {
        if self.background != Background::Unwritten {
            return true;
        }
        let Some(end) = offset.checked_add(n) else {
            return false;
        };
        let mut at = offset;
        for (start, cell) in self.overlapping(offset, n) {
            // What is anything may be so because nobody wrote it.
            if start > at || cell.is_any {
                return false;
            }
            at = start + cell.size;
        }
        at >= end
    }

    fn overlapping(&self, offset: u64, n: u64) -> impl Iterator<Item = (u64, Cell)> + '_ {
        let before = self.cells.range(..offset).next_back();
        let before = before.filter(|(start, cell)| *start + cell.size > offset);
        let inside = self.cells.range(offset..offset.saturating_add(n));
        before.into_iter().chain(inside).map(|(&o, &c)| (o, c))
    }

    /// Takes cells out of the way of these bytes; what remains of them keeps what is known of it.
    fn clear(&mut self, program: &Program, offset: u64, n: u64) {
        let end = offset + n;
        let old: Vec<(u64, Cell)> = self.overlapping(offset, n).collect();
        for (start, cell) in old {
            let cell_end = start + cell.size;
            let mut rest = Vec::new();
            for (from, to) in [(start, offset.max(start)), (end.min(cell_end), cell_end)] {
                let mut at = from;
                while at < to {
                    // Constants are split into bytes; nothing is known of a part of something else.
                    let is_zero = cell.value == Value::Const(0) && !cell.is_any;
                    let size = match cell.value {
                        Value::Const(_) if !cell.is_any && !is_zero => 1,
                        _ => to - at,
                    };
                    let piece = match self.byte(program, at) {
                        Some(byte) => Cell {
                            size,
                            value: Value::Const(u128::from(byte)),
                            is_any: false,
                        },
                        None => Cell { size, ..ANY },
                    };
                    rest.push((at, piece));
                    at += size;
                }
            }
            self.cells.remove(&start);
            self.cells.extend(rest);
        }
    }

    pub fn write(&mut self, program: &Program, offset: u64, size: u64, value: Value) {
        self.put(
            program,
            offset,
            Cell {
                size,
                value,
                is_any: false,
            },
        );
    }

    /// Nothing is known of these bytes any more.
    pub fn forget(&mut self, program: &Program, offset: u64, size: u64) {
        self.put(program, offset, Cell { size, ..ANY });
    }

    fn put(&mut self, program: &Program, offset: u64, cell: Cell) {
        if cell.size > 0 {
            self.clear(program, offset, cell.size);
            self.cells.insert(offset, cell);
        }
    }

    /// Nothing is known of the object any more.
    pub fn forget_all(&mut self) {
        self.cells.clear();
        self.background = Background::Unwritten;
    }

    /// Everything that is known of these bytes, relative to the first. Nothing if it is too much.
    pub fn pieces(&self, program: &Program, offset: u64, n: u64) -> Option<Vec<(u64, Cell)>> {
        const MOST: u64 = 4096;
        let mut pieces = Vec::new();
        let mut at = offset;
        let end = offset + n;
        while at < end {
            let next = self.overlapping(at, end - at).next();
            match next {
                Some((start, cell)) if start == at && at + cell.size <= end => {
                    pieces.push((at - offset, cell));
                    at += cell.size;
                }
                // A part of a cell.
                Some((start, _)) if start <= at => {
                    let piece = match self.byte(program, at) {
                        Some(byte) => Cell {
                            size: 1,
                            value: Value::Const(u128::from(byte)),
                            is_any: false,
                        },
                        None => Cell { size: 1, ..ANY },
                    };
                    pieces.push((at - offset, piece));
                    at += 1;
                }
                gap => {
                    let to = gap.map_or(end, |(start, _)| start);
                    let size = self.background_piece(program, at, to, &mut pieces, offset);
                    at += size;
                }
            }
            if pieces.len() as u64 > MOST {
                return None;
            }
        }
        Some(pieces)
    }

    fn background_piece(
        &self,
        program: &Program,
        at: u64,
        to: u64,
        pieces: &mut Vec<(u64, Cell)>,
        offset: u64,
    ) -> u64 {
        let (size, value) = match self.background {
            Background::Zero => (to - at, Some(Value::Const(0))),
            Background::Unwritten => (to - at, None),
            Background::Initial(global) => {
                let pointer = program.types.model.pointer_size();
                match pointer_at(program, global, at) {
                    Some(target) if at + pointer <= to => (pointer, Some(target)),
                    _ => (1, self.byte(program, at).map(|b| Value::Const(b.into()))),
                }
            }
        };
        let cell = match value {
            Some(value) => Cell {
                size,
                value,
                is_any: false,
            },
            None => Cell { size, ..ANY },
        };
        pieces.push((at - offset, cell));
        size
    }

    pub fn paste(&mut self, program: &Program, offset: u64, pieces: Vec<(u64, Cell)>) {
        for (at, cell) in pieces {
            self.put(program, offset + at, cell);
        }
    }
}

fn pointer_at(program: &Program, global: GlobalId, offset: u64) -> Option<Value> {
    let relocations = &program.global(global).relocations;
    let at = relocations
        .binary_search_by_key(&offset, |r| r.offset)
        .ok()?;
    let relocation = relocations[at];
    Some(match relocation.target {
        GlobalTarget::Global(target) => Value::Pointer {
            object: target.0,
            low: relocation.addend,
            high: relocation.addend,
        },
        GlobalTarget::Function(function) => Value::Function(function),
    })
}

//! Proofs about the heap that somebody else can check.
//!
//! A proof by abstract states describes, at the head of each loop, all states of runs by a few [`HeapShape`]s: which blocks
//! there are, what they hold, and which of them are lists of any length. [`check`] takes the shapes alone, and finds out
//! with bounded model checking of pieces of the program that every run begins with one of them ([`build`], [`compare`]),
//! keeps to them from loop to loop, and has no error on the way.

mod build;
mod check;
mod compare;
mod writer;

use idiolect_ir::{BlockId, FuncId, GlobalId, LocalId};

pub(crate) use check::named_globals;
pub use check::{ShapesChecked, check};

/// States of the one function of a program at the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapShape {
    pub head: BlockId,
    /// Registers that matter here; nothing is said of others.
    pub registers: Vec<(LocalId, ShapeValue)>,
    pub unknowns: Vec<ShapeUnknown>,
    pub objects: Vec<ShapeObject>,
    /// There may be a heap block that nobody can name any more.
    pub is_lost: bool,
}

/// A number of which this much is known, read with a sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeUnknown {
    pub width: u8,
    pub low: i128,
    pub high: i128,
    pub not: Vec<i128>,
}

/// What a cell of memory holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeValue {
    /// Nothing is known.
    Any,
    Const(u128),
    /// An unknown and a constant.
    Unknown {
        number: usize,
        add: u128,
    },
    /// So many bytes behind the start of an object; of a list, of its first block or its last.
    At {
        object: usize,
        is_last: bool,
        offset: i64,
    },
    Function(FuncId),
}

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapePlace {
    Global(GlobalId),
    Local(LocalId),
    Heap,
}

/// What bytes hold that no cell is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeRest {
    Any,
    Zero,
    /// What the text of the program says.
    Initial,
}

/// An object, or all blocks of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeObject {
    pub place: ShapePlace,
    pub size: u64,
    pub rest: ShapeRest,
    pub cells: Vec<ShapeCell>,
    /// It is a list of such blocks.
    pub list: Option<ShapeList>,
}

/// Bytes of an object that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeCell {
    pub offset: u64,
    pub size: u64,
    pub value: ShapeValue,
    /// Each block of a list has a number of its own here, of which this much is known.
    pub is_own: bool,
}

/// How the blocks of a list hang together: each points to the next. The cell of this pointer says where the last one
/// points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapeList {
    pub next: u64,
    pub entry: i64,
    /// Each points to the one before, too; then there are two or more. The cell of that pointer says where the first
    /// points to.
    pub back: Option<(u64, i64)>,
}

impl ShapeObject {
    fn cell(&self, offset: u64) -> Option<&ShapeCell> {
        self.cells.iter().find(|c| c.offset == offset)
    }

    /// Cells that are no links of a list.
    fn content(&self) -> impl Iterator<Item = &ShapeCell> {
        let next = self.list.map(|l| l.next);
        let back = self.list.and_then(|l| l.back).map(|b| b.0);
        let is_link = move |offset: u64| Some(offset) == next || Some(offset) == back;
        self.cells.iter().filter(move |c| !is_link(c.offset))
    }
}

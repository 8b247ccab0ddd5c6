//! Points of a program at which something is said about its data, and what is visible there.
//!
//! Everything here is plain data: a [`Point`] is found once (`points.rs`), and snapshots, words,
//! formulas and proofs refer to its variables and structures by their positions.

use idiolect_base::Span;
use idiolect_ir::ctype::RecordId;
use idiolect_ir::{BlockId, FuncId, GlobalId, LocalId, Ty, TypeId};

/// Where in a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PointKind {
    /// Before each test of a loop's condition.
    Loop,
    /// Before the first statement.
    Entry,
    /// Before each `return`, when its value is known.
    Exit,
}

/// A place in a function, and what is in scope there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    pub function: FuncId,
    pub kind: PointKind,
    /// The head of the loop; block 0 for the entry, and for the exit too, which may have many.
    pub block: BlockId,
    /// The loop's text, or the function's name.
    pub span: Span,
    pub variables: Vec<Variable>,
    pub structures: Vec<Structure>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub binding: Binding,
    pub role: Role,
    pub ty: TypeId,
    /// Whether C reads the value as signed.
    pub signed: bool,
}

/// Where the value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binding {
    /// The current value of a local or parameter.
    Local(LocalId),
    /// The value that a parameter had when the function was entered.
    AtEntry(LocalId),
    /// What lies where a local or parameter points to: the head of a list that the function may
    /// change.
    Behind(LocalId),
    /// What lies where a parameter pointed to when the function was entered.
    BehindEntry(LocalId),
    Global(GlobalId),
    /// What the function returns.
    Result,
}

/// What a variable is in terms of the point's structures, which it refers to by their positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Points to a cell of a list, or is null.
    Pointer { structure: usize },
    /// The first element of an array, which is this field of the structure; of an array of records,
    /// which is this field and some that follow ([`ArrayGroup::fields_of`]).
    Base { structure: usize, field: usize },
    /// A subscript, in range or not.
    Index { structure: usize },
    /// The number of elements.
    Length { structure: usize },
    /// An integer that is compared with data, or with nothing that we know.
    Scalar,
}

/// A kind of linear structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// All lists of one record type. There may be several at a time, or none.
    List(ListShape),
    /// Arrays that are read in step: one word, with a datum for each array at each cell.
    Array(ArrayGroup),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListShape {
    pub record: RecordId,
    /// The record type, as C writes it.
    pub type_name: String,
    /// The pointer to the next cell.
    pub next: String,
    pub next_offset: u64,
    /// The pointer to the cell before, in doubly linked lists, and where it is.
    pub back: Option<(String, u64)>,
    pub fields: Vec<DataField>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayGroup {
    /// Named after the arrays; an array of records has a field for each member.
    pub fields: Vec<DataField>,
    pub size: ArraySize,
}

/// How many elements the arrays of a group have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArraySize {
    /// The value of this variable of the point, which has the role [`Role::Length`].
    Variable(usize),
    Constant(u64),
}

/// An integer in each cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataField {
    pub name: String,
    /// In bytes, from the start of the cell or element.
    pub offset: u64,
    pub ty: Ty,
    pub signed: bool,
    /// In arrays: bytes from one element to the next.
    pub stride: u64,
    /// In arrays of records: the member; in arrays of rows: the column, such as `[2]`.
    pub member: Option<String>,
}

impl DataField {
    /// As C writes it, for arrays: `a[i]`, `a[i].key`, `a[i][2]`.
    pub fn element(&self, array: &str, index: &str) -> String {
        match &self.member {
            Some(column) if column.starts_with('[') => format!("{array}[{index}]{column}"),
            Some(member) => format!("{array}[{index}].{member}"),
            None => format!("{array}[{index}]"),
        }
    }
}

impl ArrayGroup {
    /// The fields of the array whose first one this is.
    pub fn fields_of(&self, first: usize) -> std::ops::Range<usize> {
        let rest = &self.fields[first..];
        let is_next = |w: &&[DataField]| w[0].name == w[1].name && w[0].offset < w[1].offset;
        first..first + 1 + rest.windows(2).take_while(is_next).count()
    }
}

impl Structure {
    pub fn fields(&self) -> &[DataField] {
        match self {
            Structure::List(list) => &list.fields,
            Structure::Array(array) => &array.fields,
        }
    }

    pub fn is_list(&self) -> bool {
        matches!(self, Structure::List(_))
    }
}

impl Point {
    pub fn variable_named(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    /// The structure that a variable points or counts into.
    pub fn structure_of(&self, variable: usize) -> Option<usize> {
        match self.variables[variable].role {
            Role::Pointer { structure }
            | Role::Base { structure, .. }
            | Role::Index { structure }
            | Role::Length { structure } => Some(structure),
            Role::Scalar => None,
        }
    }

    /// The variables of this role, by position.
    pub fn pointers(&self) -> impl Iterator<Item = usize> + '_ {
        self.with_role(|role| matches!(role, Role::Pointer { .. }))
    }

    pub fn scalars(&self) -> impl Iterator<Item = usize> + '_ {
        self.with_role(|role| matches!(role, Role::Scalar))
    }

    fn with_role(&self, wanted: impl Fn(Role) -> bool) -> impl Iterator<Item = usize> {
        (0..self.variables.len()).filter(move |&v| wanted(self.variables[v].role))
    }
}

/// The data at a point at one moment of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// The lists, and one chain for each group of arrays, in the order in which words read them.
    pub chains: Vec<Chain>,
    /// For each variable of the point.
    pub values: Vec<Datum>,
}

impl Snapshot {
    /// The first chain of a structure; arrays have one.
    pub fn chain(&self, structure: usize) -> Option<&Chain> {
        self.chains.iter().find(|c| c.structure == structure)
    }
}

/// A sequence of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// The structure it is an instance of.
    pub structure: usize,
    pub n_cells: usize,
    /// One row of fields for each cell.
    pub data: Vec<i64>,
    /// The positions in `data` of what was never written, ascending. Their numbers mean nothing.
    pub unwritten: Vec<usize>,
}

/// The value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Datum {
    /// A null pointer.
    Nil,
    /// A pointer to a cell of a chain.
    Cell { chain: usize, cell: usize },
    /// An index, a length, a scalar.
    Number(i64),
    /// The base of an array: it has no value of its own.
    Base,
}

impl Chain {
    pub fn n_fields(&self) -> usize {
        match self.n_cells {
            0 => 0,
            n => self.data.len() / n,
        }
    }

    /// The datum, if it has been written.
    pub fn datum(&self, cell: usize, field: usize) -> Option<i64> {
        let at = cell * self.n_fields() + field;
        match self.unwritten.binary_search(&at) {
            Ok(_) => None,
            Err(_) => self.data.get(at).copied(),
        }
    }
}

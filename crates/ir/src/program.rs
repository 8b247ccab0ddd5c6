//! Programs, functions, variables.

use crate::ctype::{TypeId, Types};
use crate::expr::{Expr, ExprId, ExprKind, Ty};
use crate::stmt::{Block, BlockId, Builtin, Callee};
use idiolect_base::{SourceMap, Span, index_type};

index_type!(FuncId);
index_type!(GlobalId);
index_type!(
    /// A local variable or parameter of one function.
    LocalId
);
index_type!(
    /// A place in the program where inputs come in.
    InputId
);
index_type!(MarkId);

/// A whole linked program.
#[derive(Clone, Debug)]
pub struct Program {
    pub sources: SourceMap,
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    pub inputs: Vec<InputSite>,
    pub marks: Vec<Mark>,
    /// What was limited, chosen or left out where the program was made.
    pub assumptions: Vec<Assumption>,
    /// Where a run starts: a synthetic function without parameters that makes the entry function's
    /// arguments, calls it and exits with its result.
    pub start: FuncId,
    /// The user's entry function, usually `main`.
    pub entry: FuncId,
}

/// The text of an assumption that holds wherever no index leaves the array that is indexed, which has to be asked.
pub const INDEX_BEYOND: &str = "an index beyond a row of an array, or beyond an array in a record, is about what lies there in the same object";

impl Program {
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter()
            .position(|f| f.name == name)
            .map(FuncId::new)
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len()).map(FuncId::new)
    }
}

/// Who wrote a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionOrigin {
    /// The user's source.
    User,
    /// Our model of libc.
    Library,
    /// Neither: the start function, and functions that have no body anywhere and return an input.
    Synthetic,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    pub origin: FunctionOrigin,
    /// The C type, as the user wrote it.
    pub ty: TypeId,
    /// Register locals that take the arguments. Beside the C parameters these may be a first one
    /// for the address of a returned record, and a last one for the address of variable arguments.
    pub params: Vec<LocalId>,
    pub ret: Option<Ty>,
    pub variadic: bool,
    pub locals: Vec<Local>,
    pub exprs: Vec<Expr>,
    pub blocks: Vec<Block>,
    /// The name in its definition.
    pub span: Span,
}

impl Function {
    pub const ENTRY: BlockId = BlockId(0);

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId::new)
    }

    /// The size of a copy that reads what it copies: by a call, of a constant size that is no larger than most records.
    /// Bytes that nobody wrote become inputs there, so that the copy compares equal. A larger one, and the assignment
    /// of a record, whose padding means nothing in C, hand unwritten bytes on as such.
    pub fn reading_copy(&self, callee: &Callee, args: &[ExprId]) -> Option<u32> {
        const LARGEST: u128 = 64;
        let (Callee::Builtin(Builtin::Memmove), Some(&size)) = (callee, args.get(2)) else {
            return None;
        };
        match self.expr(size).kind {
            ExprKind::Const(size) if size <= LARGEST => Some(size as u32),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// The C name; temporaries have names that C cannot have, such as `%3`.
    pub name: String,
    pub ty: TypeId,
    pub kind: LocalKind,
    pub storage: LocalStorage,
    /// Where it is declared.
    pub span: Span,
    /// The text in which its name is visible (from its declarator to the end of its block).
    pub scope: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalKind {
    Parameter,
    Variable,
    Temporary,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalStorage {
    /// A scalar whose address is never taken.
    Register(Ty),
    /// An object of this size and alignment in each activation.
    Memory { size: u64, align: u64 },
    /// A variable-length array: an object whose size its `Declare` gives.
    Dynamic,
}

/// A variable of static lifetime: file-level, static local, or string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    pub name: String,
    pub ty: TypeId,
    pub size: u64,
    pub align: u64,
    /// The first bytes; the rest is zero.
    pub bytes: Vec<u8>,
    /// Addresses in the initial value, by ascending offset. Their bytes in `bytes` are zero.
    pub relocations: Vec<Relocation>,
    /// Writing to it is a fault (string literals, `const` objects).
    pub read_only: bool,
    /// Declared `extern` and defined nowhere: its bytes are unwritten, so reading them is an input.
    pub is_unwritten: bool,
    pub is_library: bool,
    /// `Some(function)` for a static local.
    pub function: Option<String>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    pub offset: u64,
    pub target: GlobalTarget,
    pub addend: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GlobalTarget {
    Global(GlobalId),
    Function(FuncId),
}

/// A place where inputs come in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputSite {
    pub kind: InputKind,
    /// The C type of the value.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum InputKind {
    /// A call of `__VERIFIER_nondet_int` and the like, with its name.
    Nondet(String),
    /// A parameter of the entry function.
    Parameter(String),
    /// A register local that may be read before it is written, with its name.
    Uninitialized(String),
    /// The result of a function that has no body.
    External(String),
    /// A byte of standard input, or -1.
    Stdin,
    /// `argc`.
    ArgumentCount,
    /// A byte of an `argv` string.
    ArgumentByte { argument: u32, byte: u32 },
    /// Whether a variable of the environment is set (0: it is not), by its name.
    Variable(String),
    /// A byte of the value of a variable of the environment.
    VariableByte { variable: String, byte: u32 },
    /// Whether a function without a body does something that is not modelled (0: it does not).
    Effect(String),
    /// `rand`, `time`, `clock` and the like, with its name.
    Environment(String),
}

/// An event in the source other than a call or a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub kind: MarkKind,
    pub name: String,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkKind {
    /// A C label.
    Label,
    /// `Learn(id)` in the source.
    User,
    /// A predicate at a line, given on the command line.
    Predicate,
}

/// Something that the program model limits, chooses or leaves out, and that whatever is said about
/// the program rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    pub kind: AssumptionKind,
    /// Such as `inline assembly`, or what is taken for granted, as a sentence without a full stop.
    pub text: String,
    /// Where it was made.
    pub span: Span,
    /// The option of the command line that changes it.
    pub option: Option<String>,
}

/// What the names of objects begin with that are behind pointer parameters of the entry function.
pub const BEHIND: &str = "%behind ";

/// The construct that runs follow and proofs do not: what comes after it is a trap for whoever cannot jump.
pub const LONGJMP: &str = "`longjmp`, except in runs";

/// Why something is an assumption. [`Bound`](Self::Bound) and [`Unmodelled`](Self::Unmodelled) are
/// reached by runs (a trap, or an access beyond the end of a truncated object) and are doubts of
/// those; the others hold of the whole program, and stand there for as long as what they were
/// recorded for does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AssumptionKind {
    /// Runs that exist are not looked at because a size was limited.
    Bound,
    /// C or the platform leaves it open, and we chose.
    Convention,
    /// A function without a body is called.
    MissingBody,
    /// A precondition of the entry function.
    Contract,
    /// C that we do not model.
    Unmodelled,
}

impl AssumptionKind {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::Bound => "bound",
            AssumptionKind::Convention => "convention",
            AssumptionKind::MissingBody => "missing-body",
            AssumptionKind::Contract => "contract",
            AssumptionKind::Unmodelled => "unmodelled",
        }
    }

    /// Whether a run can come to it, which then is a doubt of that run.
    pub fn is_reached(self) -> bool {
        matches!(self, AssumptionKind::Bound | AssumptionKind::Unmodelled)
    }
}

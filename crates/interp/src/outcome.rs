//! What a run comes to.

use crate::input::DrawnInput;
use idiolect_base::{Span, StopReason};
use idiolect_ir::{BlockId, ErrorKind, FaultKind, FuncId};

/// Everything that is known after a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub end: End,
    /// Where it ended.
    pub place: CodePlace,
    /// If that is in the library: the call in the program's own text that led there.
    pub called_from: Option<CodePlace>,
    /// Every input, in the order of use: [`crate::FixedInputs`] made of their bits replays the run.
    pub inputs: Vec<DrawnInput>,
    /// Statements and terminators executed, the last one included.
    pub steps: u64,
    /// What was written to standard output, up to the limit of the options.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With this status, as the program gave it (a shell sees the lowest 8 bits).
    Exit(i32),
    /// `abort()`
    Abort,
    /// At an error location.
    Error(ErrorKind),
    Fault(Fault),
    /// An assumption did not hold.
    AssumeEnded,
    /// C that we do not model, or something beyond a bound, by its index in
    /// [`idiolect_ir::Program::assumptions`].
    Trap(u32),
    /// A limit of the options or the budget.
    Limit(StopReason),
    /// The source of inputs had no more.
    InputsEnded,
    /// The observer had seen enough.
    Stopped,
}

/// A point in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CodePlace {
    pub function: FuncId,
    pub block: BlockId,
    /// The position in the block; the terminator's is the number of statements.
    pub stmt: u32,
    pub span: Span,
}

/// What C calls undefined and a real machine may do anything with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    /// The address in question, for faults of memory (LP64 pointer bits, see
    /// [`idiolect_ir::memory`]).
    pub address: u64,
}

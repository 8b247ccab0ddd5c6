//! What a run comes to.

use crate::input::DrawnInput;
use idiolect_base::{Span, StopReason};
use idiolect_ir::{BlockId, ErrorKind, FuncId};
use std::fmt;

/// Everything that is known after a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub end: End,
    /// Where it ended.
    pub place: CodePlace,
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
    /// C that we do not model, by its index in [`idiolect_ir::Program::unmodelled`].
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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    NullDereference,
    /// The pointer names no object, such as one made from an integer.
    InvalidPointer,
    OutOfBounds,
    UseAfterFree,
    /// Use of a local whose scope or function has been left.
    UseAfterReturn,
    DoubleFree,
    /// Not the start of a heap block.
    InvalidFree,
    WriteToReadOnly,
    DivisionByZero,
    /// The smallest value divided by -1.
    DivisionOverflow,
    SignedOverflow,
    /// A shift by the width or more, or one that loses bits of a signed value.
    ShiftOverflow,
    BadFunctionPointer,
    /// A call through a pointer with arguments that the function does not take.
    WrongArguments,
    Unreachable,
    /// A heap block that nothing points to any more when the program exits.
    Leak,
}

/// The property that a fault violates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    Memory,
    Division,
    Overflow,
    /// `__builtin_unreachable()` and the like.
    Undefined,
}

impl FaultKind {
    pub fn property(self) -> Property {
        use FaultKind::*;
        match self {
            DivisionByZero | DivisionOverflow => Property::Division,
            SignedOverflow | ShiftOverflow => Property::Overflow,
            Unreachable => Property::Undefined,
            _ => Property::Memory,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FaultKind::*;
        f.write_str(match self {
            NullDereference => "null pointer dereference",
            InvalidPointer => "access through an invalid pointer",
            OutOfBounds => "access out of bounds",
            UseAfterFree => "use after free",
            UseAfterReturn => "use of a local variable after its lifetime",
            DoubleFree => "double free",
            InvalidFree => "free of something other than a heap block",
            WriteToReadOnly => "write to a constant",
            DivisionByZero => "division by zero",
            DivisionOverflow => "division overflow",
            SignedOverflow => "signed overflow",
            ShiftOverflow => "shift overflow",
            BadFunctionPointer => "call through something other than a function",
            WrongArguments => "call with arguments that the function does not take",
            Unreachable => "unreachable code reached",
            Leak => "memory leak",
        })
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Property::Memory => "memory",
            Property::Division => "division",
            Property::Overflow => "overflow",
            Property::Undefined => "undefined",
        })
    }
}

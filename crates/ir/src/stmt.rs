//! Statements, and how blocks end.

use crate::ctype::TypeId;
use crate::expr::{ExprId, Ty};
use crate::program::{FuncId, InputId, LocalId, MarkId};
use crate::property::FaultKind;
use idiolect_base::{Span, index_type};

index_type!(
    /// A basic block of one function. Block 0 is where the function starts.
    BlockId
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub terminator: Terminator,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    Assign {
        place: Place,
        value: ExprId,
    },
    /// The place takes the next input.
    Havoc {
        place: Place,
        input: InputId,
    },
    /// The run ends quietly here unless the condition holds.
    Assume {
        condition: ExprId,
    },
    /// Copies `size` bytes, written or not. The ranges are the same or do not overlap.
    Copy {
        to: ExprId,
        from: ExprId,
        size: u64,
    },
    /// Writes `size` zero bytes.
    Zero {
        to: ExprId,
        size: u64,
    },
    /// A memory local starts a new lifetime: its bytes are unwritten. The size is given exactly
    /// for locals of [`LocalStorage::Dynamic`](crate::LocalStorage::Dynamic).
    Declare {
        local: LocalId,
        size: Option<ExprId>,
    },
    /// The block of a local in memory ends: pointers to it dangle from here on. Left out where no
    /// pointer to it is kept.
    End {
        local: LocalId,
    },
    Call {
        dest: Option<Place>,
        callee: Callee,
        args: Vec<ExprId>,
    },
    /// An event that a user may listen to: a label, a mark, or a predicate at a line. It happens
    /// if there is no condition or the condition holds.
    Mark {
        mark: MarkId,
        condition: Option<ExprId>,
    },
}

/// What can be assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A register local.
    Local(LocalId),
    Memory {
        address: ExprId,
        ty: Ty,
    },
    /// A bit-field: `width` bits from bit `offset` of the integer of type `unit` in memory
    /// (little-endian, any number of bytes up to 16). The value has type `Int(width)`. Other bits
    /// of the unit keep their value; unwritten ones become 0.
    Bits {
        address: ExprId,
        unit: Ty,
        offset: u8,
        width: u8,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Function(FuncId),
    /// A call through a pointer, with the C function type of the call.
    Pointer {
        target: ExprId,
        ty: TypeId,
    },
    Builtin(Builtin),
}

/// What both engines know by themselves. Everything else of libc is C text on top of these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `(size) -> ptr`: a fresh object of unwritten bytes; never null.
    Malloc,
    /// `(count, size) -> ptr`: a fresh object of zeros.
    Calloc,
    /// `(ptr, size) -> ptr`
    Realloc,
    /// `(ptr)`; null is fine; anything but the start of a live heap block is a fault.
    Free,
    /// `(size) -> ptr`: an object that lives as long as the activation.
    Alloca,
    /// `(to, from, size)`: any overlap.
    Memmove,
    /// `(to, byte: int, size)`
    Memset,
    /// `(format, value…) -> int`, values after C's default promotions.
    Printf(PrintfTarget),
    /// As `Printf`, with a pointer to the variable arguments in place of the values: slots of 16
    /// bytes each (see the front end's variadic calls).
    VPrintf(PrintfTarget),
    /// `(byte: int) -> int`: `putchar`.
    Putchar,
    /// `(text, destination, kind: int) -> int`: reads a number with `strtod`'s grammar; returns
    /// how many characters were used and stores the value as `double`.
    ParseDouble,
    Math(MathFunction),
    /// `(ptr, condition: i1)`: if the condition holds, the live object that the pointer names is only
    /// the first part of a larger one: an access at or beyond its end is a trap with this index into
    /// [`Program::assumptions`](crate::Program::assumptions) and not a fault. Null is fine.
    Truncate(u32),
    /// `(ptr)`: all bytes of the live object that the pointer names become unwritten, so that
    /// reading them is an input. Nothing happens if it names no object that can be written.
    Forget,
    /// `(to, from, size)`: a fault if these ranges overlap and are not the same.
    CheckOverlap,
    /// `(ptr, size)`: a fault if one of these bytes of a local or of the heap has never been written.
    CheckWritten,
    /// `()`: a fault if there is a block of the heap that nothing points to any more.
    CheckLeaks,
    /// `(buffer: ptr) -> int`: 0 now, and once more with another value for each [`Longjmp`](Self::Longjmp) to it.
    Setjmp,
    /// `(buffer: ptr, value: int)`: does not come back; a trap follows for those who cannot follow the jump.
    Longjmp,
    /// What the process asks of the system that it runs on. Only in programs that are made to be run.
    Host(HostCall),
}

/// A question or request to the system around a run. Results are negative error numbers where something fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HostCall {
    /// `(path: ptr, flags: int) -> int`: a descriptor.
    Open,
    /// `(descriptor: int) -> int`
    Close,
    /// `(descriptor: int, to: ptr, size) -> long`: how many bytes.
    Read,
    /// `(descriptor: int, from: ptr, size) -> long`: how many bytes.
    Write,
    /// `(descriptor: int, offset: long, whence: int) -> long`: the new position.
    Seek,
    /// `(descriptor: int, size: long) -> int`
    Resize,
    /// `(stream: int, descriptor: int) -> int`: standard output (1) or error (2) goes to that file from now on, and the
    /// descriptor is free again.
    Redirect,
    /// `(path: ptr) -> int`: of a file.
    Remove,
    /// `(from: ptr, to: ptr) -> int`
    Rename,
    /// `(path: ptr) -> int`
    MakeDirectory,
    /// `(path: ptr) -> int`
    RemoveDirectory,
    /// `(path: ptr, out: ptr) -> int`: three `long`s: 1 for a directory, else 0; the size; a number for the file.
    Status,
    /// `(descriptor: int, out: ptr) -> int`: the same of an open file.
    StatusOf,
    /// `(path: ptr, index: int, to: ptr) -> int`: the name of an entry, of up to 255 bytes; 0 after the last.
    Entry,
    /// `(name: ptr, to: ptr, size) -> long`: the length of a variable's value, of which as many bytes as fit are
    /// written with a nul after them.
    Variable,
    /// `(index: int, to: ptr, size) -> long`: the same of the n-th `NAME=VALUE`.
    VariableAt,
    /// `(which: int) -> long`: nanoseconds.
    Clock,
    /// `(start: ptr, argument: ptr) -> long`: a new thread, by its number. The function never returns.
    ThreadCreate,
    /// `(on: ptr, is_timed: int) -> int`: sleeps until somebody wakes those who wait on this; 1 if time ran out.
    ThreadWait,
    /// `(on: ptr, n: int) -> int`: wakes so many, or all of them if it is negative.
    ThreadWake,
    /// `(unused: int) -> long`: the number of this thread, which for the first one is 0.
    ThreadSelf,
    /// `(unused: int) -> int`: ends this thread.
    ThreadExit,
    /// `(unused: int) -> int`: lets others go on.
    ThreadYield,
    /// `(held: int) -> int`: while it is held, no other thread goes on. Around what is atomic.
    ThreadHold,
    /// `(nanoseconds: long) -> int`: lets so much time pass.
    Sleep,
    /// `(object: ptr, alignment: size) -> int`: gives it an address that this power of two divides.
    Align,
}

/// Where `printf` writes. The leading arguments differ: a buffer has `(buffer)`, a bounded one
/// `(buffer, size)` before the format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PrintfTarget {
    Stdout,
    Stderr,
    /// Formatted but not shown: a stream that is neither.
    Elsewhere,
    Buffer,
    BoundedBuffer,
}

/// Functions of `double` (and of a second one, where C has it), by their C names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MathFunction {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Pow,
    Fmod,
    Floor,
    Ceil,
    Round,
    Trunc,
    Rint,
    Cbrt,
    Hypot,
    Fabs,
    Copysign,
    /// `x * y + z`, rounded once.
    Fma,
}

impl MathFunction {
    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        use MathFunction::{Atan2, Copysign, Fma, Fmod, Hypot, Pow};
        match self {
            Atan2 | Pow | Fmod | Hypot | Copysign => 2,
            Fma => 3,
            _ => 1,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminator {
    pub kind: TerminatorKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TerminatorKind {
    Goto(BlockId),
    /// One decision: 1 takes `then`, 0 takes `otherwise`.
    Branch {
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
    },
    Return(Option<ExprId>),
    /// The program ends with this `int` as its status.
    Exit(ExprId),
    /// `abort()`
    Abort,
    /// An error location.
    Error(ErrorKind),
    /// What is not looked at: C that we do not model, or something beyond a bound. Reaching it makes
    /// a verdict inconclusive. The index is into
    /// [`Program::assumptions`](crate::Program::assumptions).
    Trap(u32),
    /// Being here is this fault: [`FaultKind::Unreachable`] where the program promises never to be,
    /// others where a check of [`checks`](crate::checks) failed.
    Fault(FaultKind),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A failing assertion, with its text if known.
    Assert(String),
    /// `reach_error()`, `__VERIFIER_error()`.
    ReachError,
}

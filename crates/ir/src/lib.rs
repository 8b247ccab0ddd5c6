//! The program model that everything else speaks about: typed control-flow graphs of C functions.
//!
//! A [`Program`] has [`Function`]s, each a graph of basic [`Block`]s. A block is a list of
//! statements ([`Stmt`]) and ends in one [`Terminator`]. Expressions have no side effects; they
//! may read memory. A *location* is a point between statements: a block and a position in it.
//!
//! * A branching block has exactly two ordered successors: `then` (decision 1) and `otherwise`
//!   (decision 0). Taking one is one *decision*, however many `&&` and `||` the condition has.
//! * All integers are bit-vectors without sign; operators say how they read them.
//! * C's aggregates never appear as values: they are copied by [`StmtKind::Copy`], passed and
//!   returned by pointers to copies.
//! * The memory model is in [`memory`]: objects with byte offsets.
//!
//! # Calls
//!
//! Registers hold scalars, so C's other parameters are passed in one way for every function:
//! * A record parameter: the caller makes a copy in a temporary and passes its address. The
//!   parameter's local has the record as its C type and `Register(Ptr)` as its storage.
//! * A returned record: a first parameter, before those of C, has the address to copy it to; `ret`
//!   is `None`.
//! * Variable arguments: a last parameter has the address of an object with one slot of 16 bytes
//!   for each of them, after default promotions. A `va_list` holds the address of the next slot in
//!   its first bytes. A call of a variadic function without any passes null.
//!
//! # What one can do with a program
//!
//! * [`verify()`]: is it well-formed? Everything else here takes that for granted.
//! * [`text`]: read and write it; [`dot`]: draw a function.
//! * [`graph`]: order, dominators, loops of a function; [`callgraph`]: who calls whom.
//! * [`locations`]: statements on edges; [`property`]: where errors may be; [`events`]: what a user
//!   may listen to.
//! * [`checks`]: what counts as an error and no engine knows by itself, as statements of the program.
//! * [`build`]: writing IR by hand; [`transform`]: passes;
//! * [`paths`]: all paths as a pushdown automaton; [`decisions`] and [`structure`] are its uses.
//!
//! ```
//! use idiolect_ir::{graph::{Cfg, Loops}, text::parse, verify};
//! let program = parse(r#"program lp64 start f entry f
//! type t0 = void
//! type t1 = fn() -> t0
//! fn f() : t1 synthetic {
//!   local x: t0 i32
//! b0:
//!   x := 0:i32
//!   goto b1
//! b1:
//!   x := add.s(x, 1:i32)
//!   branch slt(x, 10:i32) b1 b2
//! b2:
//!   return
//! }"#).unwrap();
//! assert_eq!(verify(&program), Ok(()));
//! let loops = Loops::new(&Cfg::new(program.function(program.start)));
//! assert_eq!(loops.all().len(), 1);
//! ```
//!
//! What is not here: how C becomes IR (`cfront`), what running it does (`interp`), what is true of
//! all runs (`symex`).

pub mod build;
pub mod callgraph;
pub mod checks;
pub mod ctype;
pub mod decisions;
pub mod dot;
pub mod events;
mod expr;
pub mod graph;
pub mod live;
pub mod locations;
pub mod loop_places;
pub mod memory;
pub mod paths;
pub mod product;
mod program;
pub mod property;
mod scc;
mod stmt;
pub mod structure;
pub mod testing;
pub mod text;
pub mod transform;
mod verify;
mod visit;

pub use ctype::{CType, TypeId, Types};
pub use expr::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Ty, UnaryOp};
pub use locations::Location;
pub use program::{
    Assumption, AssumptionKind, BEHIND, FuncId, Function, FunctionOrigin, Global, GlobalId,
    GlobalTarget, INDEX_BEYOND, InputId, InputKind, InputSite, LONGJMP, Local, LocalId, LocalKind,
    LocalStorage, Mark, MarkId, MarkKind, Program, Relocation,
};
pub use property::{FaultKind, Property};
pub use stmt::{
    Block, BlockId, Builtin, Callee, ErrorKind, HostCall, MathFunction, Place, PrintfTarget, Stmt,
    StmtKind, Terminator, TerminatorKind,
};
pub use verify::{Malformed, parameter_types, verify};

//! Runs programs on concrete inputs, fast.
//!
//! [`Compiled`] turns an IR program once into compact instructions; a [`Machine`] runs it as often
//! as one likes, each time with a source of inputs ([`InputSource`]) and an [`Observer`], and
//! yields an [`Outcome`]. A run is a function of its input sequence, and the outcome records that
//! sequence, so every run can be repeated.
//!
//! ```
//! use idiolect_base::Budget;
//! use idiolect_interp::{
//!     CompileOptions, Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, RunOptions,
//! };
//! let text = r#"program lp64 start main entry main
//! type t0 = int
//! type t1 = fn() -> t0
//! input i0 nondet "x": t0
//! fn main() -> i32 : t1 user {
//!   local x: t0 i32
//! b0:
//!   havoc x from i0
//!   exit mul(x, 2:i32)
//! }
//! "#;
//! let program = idiolect_ir::text::parse(text).unwrap();
//! let compiled = Compiled::new(program.into(), &CompileOptions::default());
//! let mut machine = Machine::new(&compiled, RunOptions::default());
//! let mut inputs = FixedInputs::new(vec![21], NoInputs);
//! let outcome = machine.run(&mut inputs, &mut NoObserver, &Budget::steps(1_000));
//! assert_eq!((outcome.end, outcome.steps), (End::Exit(42), 2));
//! ```
//!
//! What is not here: how C becomes IR (`cfront`), and what is true of all runs (`symex`).

mod builtins;
mod code;
mod compile;
mod context;
mod decimal;
mod float80;
mod host;
mod input;
mod jump;
mod listen;
mod machine;
mod memory;
pub mod naming;
mod observe;
mod ops;
mod outcome;
mod parallel;
mod printf;
mod run;
mod strtod;
mod threads;
mod trace;

pub use host::{Clock, Disk, Host, NodeKind};
pub use input::{
    DrawnInput, FixedInputs, InputOrigin, InputRequest, InputSource, NoInputs, ObjectKind,
    RandomInputs, Spread, StdinInputs, Unwritten, ZeroInputs,
};
pub use listen::Listener;
pub use machine::{CompileOptions, Compiled, Machine, RunOptions, Snapshot};
pub use observe::{
    Decisions, Effect, NoObserver, Observer, Pointee, ReadError, Stream, Value, View,
};
pub use outcome::{CodePlace, End, Fault, Outcome};
pub use parallel::run_many;
pub use trace::{Event, Recorder, Step};

//! IR to formulas: the whole program unrolled up to a bound, encoded once and asked by assumption.
//!
//! [`encode`] gives an [`Encoding`]: terms, and records of everything that can happen in a run with
//! the condition under which it does. [`bmc::find_error`] is the shortest way from a program to an
//! answer. One path at a time: [`path`] asks for feasible decisions, [`trace`] carries conditions
//! along a sequence of statements, [`rerun`] follows a run with room for other values.
//!
//! What is not here: running programs (`interp`, which replays what is found here), and what counts
//! as a verdict (the analyses).

mod access;
mod apart;
pub mod bmc;
mod builtin;
mod bulk;
mod check;
mod encoder;
pub mod events;
mod expr;
pub mod float;
mod format;
mod guard;
mod large;
mod large_bulk;
mod lost;
mod math;
mod memory;
mod offset;
pub mod operator;
mod order;
pub mod path;
mod persistent;
mod pointer;
mod print;
mod prune;
mod record;
mod recorder;
pub mod rerun;
mod resolve;
mod sprintf;
mod state;
mod statement;
pub mod trace;
mod variables;
mod walk;
pub mod walker;

pub use encoder::{Config, Rounds, UnwindSite, encode, encode_again};
pub use memory::ObjectKind;
pub use record::{
    DecisionRecord, Encoding, EncodingStatistics, EndKind, EndRecord, EventRecord, Gap,
    InputOrigin, InputRecord, InputValue,
};

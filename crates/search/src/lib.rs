//! Finding a run that fails, or showing that there is none, one engine after the other.
//!
//! | engine | module |
//! |---|---|
//! | runs on chosen inputs, monitors beside them | [`runs`], [`monitor`] |
//! | everything below in one order, for every command | [`find_error`] |
//! | a failing run as a value, inputs made small | [`replay`], [`shrink`] |
//! | runs on inputs made from those that came to something new | [`guided`] |
//! | one decision of a path turned round | [`flips`], by ranges, linear arithmetic and the solver |
//! | every path, where there are few | [`all_paths`] |
//! | all runs up to a bound at once | [`bmc`] |
//!
//! It never learns and never decides what may be claimed: it hands over a run, a [`Proof`] or a [`Doubt`].

pub mod all_paths;
#[cfg(test)]
mod all_values;
pub mod bmc;
mod doubt;
pub mod effort;
mod find;
pub mod flips;
pub mod guided;
mod linear;
pub mod monitor;
mod plane;
mod ranges;
mod replay;
pub mod runs;
mod shrink;
mod sums;

pub use doubt::{Doubt, Proof};
pub use find::{FindOptions, Finder, Found, attack, find_error, shrunk, smaller_inputs};
pub use monitor::{Monitor, MonitorError};
pub use replay::{Replayed, replay, violates};
pub use runs::{Decision, Runner, Sample, compile};
pub use shrink::shrink;

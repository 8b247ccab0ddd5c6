//! Finding a run that fails, or showing that there is none, one engine after the other.
//!
//! | engine | module |
//! |---|---|
//! | runs on chosen inputs, monitors beside them | [`runs`], [`monitor`] |
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
pub mod flips;
mod linear;
pub mod monitor;
mod plane;
mod ranges;
pub mod runs;
mod sums;

pub use doubt::{Doubt, Proof};
pub use monitor::{Monitor, MonitorError};
pub use runs::{Decision, Runner, Sample, compile};

//! Oracles around oracles: counting, caching, asking in parallel; and the oracle that knows the
//! target.

mod counting;
mod machine;

pub use counting::{Counting, Counts};
pub use machine::{DfaOracle, MooreOracle};

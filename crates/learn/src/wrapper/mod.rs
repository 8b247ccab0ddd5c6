//! Oracles around oracles: counting, caching, asking in parallel; and the oracle that knows the
//! target.

mod caching;
mod closure;
mod counting;
mod machine;
#[cfg(feature = "parallel")]
mod parallel;

pub use caching::{CacheCounts, Caching};
pub use closure::FnOracle;
pub use counting::{Counting, Counts};
pub use machine::{DfaOracle, MealyOracle, MooreOracle};
#[cfg(feature = "parallel")]
pub use parallel::{Parallel, SharedOracle};

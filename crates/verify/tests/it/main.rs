//! All integration tests of the crate in one binary: one link instead of 4.

mod common;
mod directions;
mod formulas;
mod ground_truth;
mod guarantee;
mod lemmas;
mod relate;
mod second;

//! All integration tests of the crate in one binary: one link instead of 6.

mod brute_force;
mod common;
mod conformance;
mod counts;
mod ground_truth;
mod mealy;
mod oracles;
mod passive;

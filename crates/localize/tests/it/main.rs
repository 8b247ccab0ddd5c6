//! All integration tests of the crate in one binary: one link instead of 6.

mod all_traces;
mod common;
mod danger;
mod definition;
mod generated;
mod no_value;
mod programs;
mod replayed;
mod seed;

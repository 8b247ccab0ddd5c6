//! All integration tests of the crate in one binary: one link instead of many.

mod all_traces;
mod common;
mod danger;
mod definition;
mod generated;
mod no_value;
mod programs;
mod ranking;
mod replayed;
mod seed;

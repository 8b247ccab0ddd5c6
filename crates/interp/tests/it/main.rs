//! All integration tests of the crate in one binary: one link instead of 8.

mod against_cc;
mod any_program;
mod common;
mod faults;
mod fused;
mod inputs;
mod observers;
mod operators;
mod snapshots;

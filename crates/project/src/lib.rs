//! The user's project: which C files are meant and how they are compiled, what counts as an error, contracts, tests
//! and tasks, and what is said of one of its runs: inputs by name, how it ended, a harness that repeats it. It never
//! analyses a program.

pub mod args;
pub mod build;
pub mod c_input;
pub mod claim;
pub mod contracts;
pub mod door;
pub mod ends;
pub mod harness;
pub mod inputs;
pub mod named;
pub mod native;
pub mod returned;
pub mod spec;
pub mod survey;
pub mod task;
pub mod tests_file;
pub mod traces;
pub mod unwinding;

use idiolect_console::{
    child, clock, exit, failure, looks, output, progress, reading, render, sink,
};

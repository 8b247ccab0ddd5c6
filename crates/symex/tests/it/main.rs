//! All integration tests of the crate in one binary: one link instead of 9.

mod bounds;
mod common;
mod corpus;
mod floats;
mod formats;
mod generated;
mod growth;
mod large_copies;
mod pointers;
mod programs;
mod reached;
mod traces;
mod words;

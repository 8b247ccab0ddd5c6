//! All integration tests of the crate in one binary: one link instead of 11.

mod allocated;
mod contracts;
mod doubly_linked;
mod harness;
mod heads_globals_records;
mod limits;
mod proof;
mod proof_rows;
mod ranges;
mod records;
mod rows;
mod seed;
mod support;
mod transform;
mod why_rows;

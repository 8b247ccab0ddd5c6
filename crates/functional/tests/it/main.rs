//! All integration tests of the crate in one binary.

mod facts;
mod outputs;
#[path = "../../../invariants/tests/it/support/mod.rs"]
mod support;

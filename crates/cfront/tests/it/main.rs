//! All integration tests of the crate in one binary: one link instead of 8.

mod complaints;
mod contracts;
mod diagnostics;
mod headers;
mod layout;
mod lowering;
mod robustness;
mod support;
mod syntax;
mod traps;

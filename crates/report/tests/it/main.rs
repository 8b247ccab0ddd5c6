//! All integration tests of the crate in one binary: one link instead of 2.

mod browser;
mod common;
mod keys;
mod layout;

//! The project's chores, in Rust: setting up what tests need, and judging idiolect against
//! programs that others wrote. Nothing here is part of the product; it looks at the binary from
//! outside, as a user does.

pub mod agree;
pub mod claims;
pub mod corpus;
pub mod csmith;
pub mod deadline;
pub mod differential;
pub mod dist;
pub mod explain;
pub mod fresh;
pub mod gallery;
pub mod growth;
pub mod house;
pub mod invariants;
pub mod localize;
pub mod mutants;
pub mod newcomer;
pub mod parts;
pub mod plot;
pub mod process;
pub mod protocol;
pub mod publish;
pub mod published;
pub mod ratio;
pub mod record;
pub mod setup;
pub mod spectrum;
pub mod stats;
pub mod surface;
pub mod survey;
pub mod textbook;
pub mod verdicts;

use std::path::PathBuf;

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}

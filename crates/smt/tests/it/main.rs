//! All integration tests of the crate in one binary: one link instead of 9.

mod arrays;
mod blasting;
mod common;
mod exists_forall;
mod external;
mod floats;
mod pictures;
mod random_terms;
mod rules;
mod sat_backends;
mod solving;

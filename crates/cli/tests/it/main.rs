//! All integration tests of the crate in one binary: one link instead of 21.

mod agree;
mod architecture;
mod batch;
mod claims;
mod corpus;
mod csmith;
mod diff_git;
mod explain_corpus;
mod explain_stops;
mod faults;
mod harness;
mod help;
mod hostile;
mod lives;
mod mine;
mod progress;
mod relevance;
mod repeatable;
mod schema;
mod seeded_faults;
mod serve;
mod sink;
mod solver;
mod tasks;
mod trace;
mod transcripts;

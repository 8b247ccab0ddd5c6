//! All integration tests of the crate in one binary: one link instead of 2.

mod brute_force;
mod common;
mod doubts;
mod open_words;
mod pieces;
mod rounds;
mod seed;

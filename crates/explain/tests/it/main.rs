//! All integration tests of the crate in one binary: one link instead of 2.

mod blame;
mod brute_force;
mod common;
mod doubts;
mod open_words;
mod pairs;
mod pieces;
mod rounds;
mod seed;

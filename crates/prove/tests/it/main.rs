//! Proofs by induction: what is proved, what is not, and what the checker makes of wrong ones.

mod both_ways;
mod brute_force;
mod checker;
mod common;
mod induction;
mod lists;
mod rounds;
mod segments;
mod shapes;
mod states;

//! What holds of every element of an array or a list at a point of a program: learned from runs, then proved.
//!
//! P. Garg, C. Löding, P. Madhusudan and D. Neider, *Learning Universally Quantified Invariants of
//! Linear Data Structures* (CAV 2013).
//!
//! | step | where |
//! |---|---|
//! | a place in a program and what is visible there | [`point`] |
//! | formulas and what they mean of a snapshot | [`formula`], [`show`] |
//! | are formulas inductive, and are they enough? | [`proof`] |

pub mod formula;
pub mod point;
pub mod proof;
pub mod show;

//! What holds of every element of an array or a list at a point of a program: learned from runs, then proved.
//!
//! P. Garg, C. Löding, P. Madhusudan and D. Neider, *Learning Universally Quantified Invariants of
//! Linear Data Structures* (CAV 2013).
//!
//! | step | where |
//! |---|---|
//! | points of a program, formulas, words, automata | [`idiolect_quantified`] |
//! | the points that are looked at | [`points`] |
//! | inputs of a function's parameter types | [`records`], [`shapes`], [`pointers`], [`signature`], [`inputs`], [`assume`], [`builder`] |
//! | runs and what is seen in them | [`collect`] |
//! | learning | [`session`] |
//! | are formulas inductive, and are they enough? | [`proof`] |
//! | runs that refute a formula are learned from | [`refine`] |
//! | assertions that formulas are not enough for | [`whole`] |

pub mod assume;
pub mod builder;
mod calls;
pub mod collect;
pub mod inputs;
pub mod pointers;
pub mod points;
pub mod proof;
pub mod records;
pub mod refine;
pub mod session;
pub mod shapes;
pub mod signature;
pub mod whole;

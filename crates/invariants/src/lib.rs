//! What holds of every element of an array or a list at a point of a program: learned from runs, then proved.
//!
//! P. Garg, C. Löding, P. Madhusudan and D. Neider, *Learning Universally Quantified Invariants of
//! Linear Data Structures* (CAV 2013).
//!
//! | step | where |
//! |---|---|
//! | a place in a program and what is visible there | [`point`], [`points`], [`roles`], [`scope`] |
//! | inputs of a function's parameter types | [`shapes`], [`pointers`], [`signature`], [`inputs`], [`assume`], [`builder`] |
//! | runs, snapshots, formula words | [`scale`], [`instrument`], [`collect`], [`snapshot`], [`samples`] |
//! | learning, elastic automata | [`teacher`], [`automaton`] |
//! | formulas and what they mean of a snapshot | [`formula`], [`show`] |
//! | are formulas inductive, and are they enough? | [`proof`] |
//! | what a function does: existence, permutations, sums | [`functional`] |
//! | assertions that formulas are not enough for | [`whole`] |
//! | runs that refute a formula are learned from, helpers of proofs | [`refine`], [`ranges`], [`flags`], [`affine`] |

pub mod acsl;
pub mod acsl_contract;
pub mod affine;
pub mod assume;
pub mod automaton;
pub mod builder;
pub mod c_check;
pub mod c_driver;
mod c_terms;
mod calls;
pub mod collect;
pub mod draw;
pub mod flags;
pub mod formula;
pub mod functional;
mod globals;
mod implied;
pub mod inputs;
pub mod instrument;
pub mod linear;
pub mod logic;
pub mod point;
pub mod pointers;
pub mod points;
pub mod proof;
pub mod ranges;
pub mod refine;
pub mod roles;
pub mod samples;
pub mod scale;
pub mod scope;
pub mod session;
pub mod shapes;
pub mod show;
pub mod signature;
pub mod snapshot;
pub mod teacher;
pub mod vocabulary;
pub mod whole;

//! Formulas about all elements of an array or a list, as words and automata.
//!
//! A snapshot of a linear data structure is a set of words; a formula `for all y1 <= y2: guard => data` is an automaton that
//! reads them. This crate knows points of a program and what is visible there, snapshots, words, automata, formulas, what
//! they mean of a snapshot, and how they are written; it makes no runs and asks no solver.
//!
//! P. Garg, C. Löding, P. Madhusudan and D. Neider, *Learning Universally Quantified Invariants of
//! Linear Data Structures* (CAV 2013).
//!
//! | step | where |
//! |---|---|
//! | a place in a program and what is visible there | [`point`], [`roles`], [`scope`], [`linear`], [`globals`] |
//! | arrays that a function allocates itself | [`allocated`] |
//! | snapshots and formula words | [`scale`], [`instrument`], [`snapshot`], [`samples`], [`vocabulary`] |
//! | learning, elastic automata | [`teacher`], [`automaton`] |
//! | formulas and what they mean of a snapshot | [`formula`], [`logic`], [`implied`] |
//! | facts about variables beside them | [`ranges`], [`flags`], [`affine`] |
//! | mathematics, ACSL, drawings | [`show`], [`acsl`], [`draw`] |

pub mod acsl;
pub mod affine;
pub mod allocated;
pub mod automaton;
pub mod c_terms;
pub mod draw;
pub mod flags;
pub mod formula;
pub mod globals;
pub mod implied;
pub mod instrument;
pub mod linear;
pub mod logic;
pub mod point;
pub mod ranges;
pub mod roles;
pub mod samples;
pub mod scale;
pub mod scope;
pub mod show;
pub mod snapshot;
pub mod teacher;
pub mod vocabulary;

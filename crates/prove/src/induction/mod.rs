//! Induction over loops and recursion, with invariants and contracts that are learned from runs.
//!
//! *Question.* Does no run of any length have an error?
//!
//! *Method.* The program is cut at its loops and recursive calls ([`cut`]) and encoded once. What
//! runs suggest at each cut ([`samples`], [`candidates`]) is assumed there, and the solver is asked
//! for a piece of a run that comes to a cut with a state that the facts exclude. Such a state makes
//! the facts weaker ([`fact`]) until there is none: what is left is inductive. If no piece of a run has an
//! error then, or a fault, or comes to C that is not modelled, the program is proved. Only what the
//! proof needs is kept of the facts.
//!
//! *Guarantee.* A proof is a [`Certificate`], and nothing is called proved before [`check`] has
//! accepted it: another cut of the program, another encoding, another solver.
//!
//! *Limits.* Facts are about integers in registers and at fixed places in memory. Arrays and the heap may
//! be there, but nothing is known of them after a loop that changes them, and pointers that move in a
//! loop point nowhere. Recursive functions take and return integers.

pub mod candidates;
pub mod certificate;
pub mod check;
mod check_rounds;
pub mod cut;
pub mod effects;
mod engine;
pub mod fact;
pub mod formula;
mod idle;
mod old;
mod rounds;
pub mod samples;
pub mod variable;

pub use certificate::{Certificate, Claim};
pub use engine::{Config, NotProved, Outcome, Statistics, prove};

//! Proofs that no run of a program has an error, for runs of any length.
//!
//! [`traces`] takes infeasible error traces away from the program's graph until none remains (trace
//! abstraction). It needs no candidates, and it is at home where few decisions matter. [`induction`] cuts
//! loops and recursive calls, learns from runs what holds there, and proves that it does.
//!
//! [`states`] follows every abstract state once: flags, phases and machines that never end.
//!
//! What is not here: finding errors by runs and by unwinding (`verify`), and what holds of every element
//! of an array or list (`invariants`).

pub mod induction;
pub mod shapes;
pub mod states;
pub mod traces;

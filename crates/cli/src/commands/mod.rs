//! One file per subcommand: its options, what it calls, how it shows the outcome.

pub mod batch;
pub mod check;
pub mod debug;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod invariants;
pub mod learn;
pub mod localize;
pub mod lsp;
pub mod mine;
pub mod repair;
pub mod run;
pub mod serve;
pub mod shell;
pub mod trace;
mod traces;
mod unwinding;
pub mod verify;

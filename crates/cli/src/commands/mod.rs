//! One file per subcommand: its options, what it calls, how it shows the outcome.

pub mod check;
pub mod debug;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod invariants;
pub mod learn;
pub mod localize;
pub mod mine;
pub mod repair;
pub mod run;
pub mod shell;
pub mod trace;
mod traces;
pub mod verify;

use crate::unwinding;
pub use {idiolect_batch as batch, idiolect_lsp as lsp, idiolect_serve as serve};

//! One file per subcommand: its options, what it calls, how it shows the outcome.

pub mod debug;
pub mod doctor;
pub mod invariants;
pub mod localize;
pub mod repair;
pub mod run;
pub mod shell;
pub mod verify;

use crate::{traces, unwinding};
pub use idiolect_languages::{diff, explain};
pub use idiolect_protocols::{check, mine, trace};
pub use {
    idiolect_batch as batch, idiolect_lsp as lsp, idiolect_serve as serve,
    idiolect_subjects as learn,
};

//! The protocols that running programs keep: `idiolect trace` records what a real program calls, `mine` learns the
//! protocol of many traces, `check` judges others by it. It never runs a program that the user did not name.

pub mod check;
pub mod mine;
pub mod trace;

use idiolect_console::{exit, failure, looks, output, progress, sink};
use idiolect_project::{args, c_input, spec, traces};

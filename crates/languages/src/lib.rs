//! The languages of programs: `idiolect explain` shows the ways in which an assertion fails, `diff` what a change
//! gained and lost. It never learns or proves by itself: `idiolect_explain` does.

pub mod diff;
pub mod explain;

use idiolect_console::{drawing, exit, failure, looks, output, progress};
use idiolect_project::{args, c_input, claim, ends, harness, named, returned, unwinding};

//! How a command meets its user: the options that all commands share, files read and written, messages, progress,
//! the clock and the memory of the process. It never decides what is true of a program.

pub mod args;
pub mod child;
pub mod clock;
pub mod drawing;
pub mod exit;
pub mod failure;
pub mod live;
pub mod looks;
pub mod memory;
pub mod output;
pub mod progress;
pub mod reading;
pub mod render;
pub mod sink;

//! One file per subcommand: its options, what it calls, how it shows the outcome.

pub mod debug;
pub mod doctor;
pub mod learn;
pub mod run;
pub mod serve;
pub mod shell;
pub mod verify;

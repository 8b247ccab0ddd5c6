//! Either an error with its run, or a regular model of a program's feasible decisions with a guarantee.

mod all_paths;
mod batch;
mod bmc;
mod config;
mod distance;
mod effort;
mod errors;
mod fingerprint;
mod flips;
pub mod monitor;
mod outcome;
mod ranges;
mod runs;
mod session;
mod teacher;

pub use batch::{Batch, Plan, Sampler, distribution};
pub use config::{Config, Engine, Strategy};
pub use fingerprint::fingerprint;
pub use monitor::{Monitor, MonitorError};
pub use outcome::{
    Coverage, Doubt, FoundBy, Guarantee, Iteration, Outcome, Proof, Statistics, Verdict,
};
pub use runs::{Decision, Runner, Sample, compile};
pub use session::{Progress, Reused, next_error, run, run_again};
pub use teacher::{Teacher, TeacherStatistics};

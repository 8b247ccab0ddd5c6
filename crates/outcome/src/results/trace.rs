//! `trace`.

use serde::Serialize;

/// What `trace` adds to an outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceResult {
    pub runs: Vec<RecordedProcess>,
    /// Of the program, if it ended by itself.
    pub exit_code: Option<i32>,
    /// How it ended, in words.
    pub ended: String,
    pub output: Option<String>,
}

/// A process whose calls were recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RecordedProcess {
    pub pid: u64,
    pub parent: Option<u64>,
    pub command: String,
    pub calls: u64,
}

/// How much was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceCounts {
    pub calls: u64,
    pub lost: u64,
    /// Calls that had not returned when their process ended.
    pub unreturned: u64,
}

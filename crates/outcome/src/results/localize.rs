//! `localize`: on one trace, on all, and with tests.

use super::run::{FailedRun, JsonNumber};
use serde::Serialize;
use std::collections::BTreeMap;

/// What `localize` adds to an outcome, on one trace.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocalizeResult {
    pub relevant: Vec<RelevantPlace>,
    pub places: Vec<SuspectRow>,
    pub error: Option<FailedRun>,
    pub traces: Vec<TraceRows>,
}

/// An assignment of the source that, changed alone, blocks the error.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RelevantPlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
    pub kind: &'static str,
    pub blocking_value: Option<JsonNumber>,
    pub in_this_run: bool,
    pub passes: Option<bool>,
    pub shown: bool,
    pub occurrences: usize,
    pub relevant_occurrences: usize,
    pub distance: usize,
    pub score: f64,
}

/// A place of the source with the evidence against it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuspectRow {
    pub rank: usize,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
    pub kind: &'static str,
    pub score: f64,
    pub spectrum: Option<f64>,
    pub evidence: EvidenceRow,
    pub passes: Option<bool>,
    pub passing_value: Option<JsonNumber>,
    pub execution: Option<u64>,
    pub solved: bool,
}

/// What speaks against a place, by source.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceRow {
    pub helped: f64,
    pub spectrum: f64,
    pub near: f64,
    pub kind: f64,
    pub edits: f64,
}

/// The statements of an error trace.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceRows {
    pub statements: Vec<TracedStatement>,
    /// Statements before those.
    pub omitted: usize,
    pub inputs: Vec<JsonNumber>,
    /// Where there are several traces, the error of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<FailedRun>,
}

/// One statement of an error trace.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TracedStatement {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub text: String,
    pub assigning: bool,
    pub relevant: Option<bool>,
    pub depth: usize,
    pub in_slice: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// What was assigned, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocking_value: Option<JsonNumber>,
    /// With the blocking value; unknown is `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<Option<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<u8>,
}

/// How much was done for one trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LocalizeStatistics {
    pub iterations: usize,
    pub error_traces: usize,
    pub statements: usize,
    pub relevant: usize,
    pub shown: usize,
    pub unknown: usize,
    pub slice: usize,
    pub assignments: usize,
    pub unread: usize,
    pub tried: usize,
    pub asked: usize,
    pub solver_calls: u64,
}

/// What `localize --all-traces` adds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AllTracesResult {
    pub coverage: &'static str,
    pub relevant: Vec<SharedStatement>,
    pub ranking: Vec<SharedStatement>,
    pub error: Option<FailedRun>,
    pub traces: Vec<TraceRows>,
}

/// A statement with the traces that it is relevant in.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SharedStatement {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
    pub relevant_in: usize,
    pub in_every_trace: Option<bool>,
    pub distance: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// That of the first trace; unknown is `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocking_value: Option<Option<JsonNumber>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocking_values: Option<Vec<JsonNumber>>,
}

/// How much was done for all traces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AllTracesStatistics {
    pub iterations: u64,
    pub error_traces: usize,
    pub statements: usize,
    pub relevant: usize,
    pub solver_calls: u64,
    pub letters: u64,
    pub largest_remainder: u64,
    pub floyd_hoare_automata: u64,
    pub danger_automata: u64,
    pub subtracted_alone: u64,
}

/// What `localize --tests` adds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RankedResult {
    pub places: Vec<SuspectRow>,
    /// Those at which another value makes a failing run pass.
    pub relevant: Vec<SuspectRow>,
    pub traces: [(); 0],
    pub error: Option<FailedRun>,
    pub lines: Vec<LineCount>,
    pub failing_tests: Vec<String>,
}

/// How many of the tests come to a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LineCount {
    pub file: String,
    pub line: u32,
    pub failing: u32,
    pub passing: u32,
}

/// How much was done with tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RankedStatistics {
    pub iterations: usize,
    pub error_traces: usize,
    pub failing_tests: usize,
    pub tests_set_aside: usize,
    pub passing_tests: usize,
    pub suspects: usize,
    pub refuted: usize,
    pub solved: usize,
    pub statements: usize,
    pub solver_calls: usize,
}

//! `repair`.

use super::run::{FailedRun, JsonNumber, NamedInput, TraceStep};
use serde::Serialize;

/// What `repair` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepairResult {
    pub repairs: Vec<RepairRow>,
    /// The failing run, if no tests were given.
    pub error: Option<FailedRun>,
    /// For a page: the first failing run as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ShownRun>,
}

/// An edit and what it is known to hold for.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepairRow {
    pub rank: usize,
    pub file: String,
    pub line: u32,
    pub kind: &'static str,
    pub before: String,
    pub after: String,
    /// As a unified diff.
    pub patch: String,
    pub replacement: ReplacedLines,
    pub cost: u32,
    pub score: f64,
    /// Whether nothing but the given runs speaks for it.
    pub overfitting: bool,
    /// The same in words.
    pub holds: String,
    pub holds_for: HoldsFor,
    pub failing_run: Option<BeforeAndAfter>,
    /// Other inputs on which it matters.
    pub differs_on: Option<BeforeAndAfter>,
    /// For a page: the failing run with this repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<ShownRun>,
}

/// Whole lines in place of others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReplacedLines {
    pub first_line: usize,
    pub lines: usize,
    pub text: String,
}

/// What a repair is known to hold for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HoldsFor {
    pub this_trace: bool,
    pub failing_tests: usize,
    pub passing_tests: usize,
    /// Passing runs near the failing one, where no tests were given.
    pub near_runs: usize,
    pub refutations: usize,
    pub all_runs_within: Option<usize>,
    pub proved: bool,
}

/// A run before and after an edit.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BeforeAndAfter {
    pub inputs: Vec<JsonNumber>,
    pub named_inputs: Vec<NamedInput>,
    pub old: String,
    pub new: String,
}

/// A run as a page plays it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShownRun {
    pub trace: Vec<TraceStep>,
    pub inputs: Vec<JsonNumber>,
    pub named_inputs: Vec<NamedInput>,
}

/// How many edits were looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RepairStatistics {
    pub candidates: usize,
    pub tried: usize,
    pub compiled: usize,
    pub overfitted: usize,
    pub failing_tests: usize,
    pub passing_tests: usize,
}

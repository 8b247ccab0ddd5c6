//! `check`.

use super::mine::BrokenLife;
use serde::Serialize;
use serde_json::Value;

/// What `check` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckResult {
    /// `all`: every call on every object; `paper`: some scenario around every seed.
    pub check: &'static str,
    pub violations: CheckViolations,
    /// Seeds for which not all scenarios could be tried.
    pub undecided: Vec<BrokenSeed>,
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub specification: Value,
}

/// What breaks a specification.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum CheckViolations {
    Lives(Vec<BrokenLife>),
    Seeds(Vec<BrokenSeed>),
}

/// A seed without a scenario that the specification accepts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BrokenSeed {
    /// The trace, and its line.
    pub file: String,
    pub line: u64,
    pub seed: String,
    pub scenario: Vec<String>,
    pub scenario_lines: Vec<u64>,
    /// The nearest scenario that is accepted, and how it differs.
    pub nearest: Vec<String>,
    pub missing: Vec<String>,
    pub extra: Vec<String>,
}

/// How much `check` looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckStatistics {
    pub runs: u64,
    pub calls: u64,
    pub unknown_calls: u64,
    pub skipped_lines: u64,
    pub seeds: u64,
    pub scenarios_tried: u64,
    pub objects: u64,
    pub objects_checked: u64,
    pub events_checked: u64,
}

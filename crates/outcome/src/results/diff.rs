//! `diff`.

use super::explain::WitnessRun;
use super::run::{JsonNumber, NamedInput, TraceStep};
use serde::Serialize;
use serde_json::Value;

/// What `diff` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffResult {
    /// What the new version has and the old one has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gained: Option<LanguageDifference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<LanguageDifference>,
    /// With `--merge`: what the merged version has and one of the merged ones has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_in_a: Option<LanguageDifference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_in_b: Option<LanguageDifference>,
    /// What nobody wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_neither: Option<LanguageDifference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub different_for: Option<Vec<DifferentInputs>>,
    pub functions: FunctionChanges,
}

/// Words that one side has and another has not.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LanguageDifference {
    #[serde(flatten)]
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub automaton: Value,
    pub witnesses: Vec<WitnessRun>,
}

/// Inputs on which two versions behave differently, replayed on both.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DifferentInputs {
    pub inputs: Vec<JsonNumber>,
    pub named_inputs: Vec<NamedInput>,
    /// What differs afterwards, where it is not what the runs show.
    pub what: Option<DifferentValue>,
    pub old: VersionRun,
    pub new: VersionRun,
}

/// A value that differs after the runs of two versions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DifferentValue {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// The run of one version.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VersionRun {
    pub word: Option<Vec<String>>,
    pub trace: Option<Vec<TraceStep>>,
    pub stdout: String,
    /// The value that was returned, the exit status, or how else the run ended.
    pub result: JsonNumber,
    pub inputs: Vec<JsonNumber>,
}

/// Functions that are not in both versions as they were.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionChanges {
    pub signature: Vec<SignatureChange>,
    pub changed: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

/// A function whose type changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SignatureChange {
    pub name: String,
    pub old: String,
    pub new: String,
}

/// What comparing took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffStatistics {
    pub sides: Vec<SideStatistics>,
}

/// What learning one side took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideStatistics {
    pub file: String,
    pub states: usize,
    pub membership_queries: u64,
    pub solver_calls: u64,
}

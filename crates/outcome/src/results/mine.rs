//! `mine`, and the broken rules that `check` and `verify --spec` show.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What `mine` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MineResult {
    pub scenarios: ScenarioCounts,
    /// Attributes with their types.
    pub types: BTreeMap<String, String>,
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub pfsa: Value,
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub specification: Value,
    pub lives: LivesResult,
    pub removed: Vec<RemovedEdge>,
    pub learner: String,
    pub size: usize,
    pub cut: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inferred: Option<InferredApi>,
}

/// The scenarios around seeds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScenarioCounts {
    pub count: u64,
    pub distinct: usize,
    pub censored: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strings: Option<Vec<ScenarioString>>,
}

/// A scenario as a word, and how often it was seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScenarioString {
    pub letters: Vec<String>,
    pub count: u64,
}

/// Rules and automata about the lives of objects.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LivesResult {
    pub objects: u64,
    pub voters: Value,
    pub n_voters: u64,
    pub rules: Vec<LifeRuleRow>,
    pub automata: Vec<LifeAutomatonRow>,
}

/// A rule about the lives of objects.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LifeRuleRow {
    pub template: Value,
    pub kind: String,
    pub birth: Option<String>,
    pub a: Option<String>,
    pub b: Option<String>,
    pub text: String,
    pub objects: u64,
    pub kept: u64,
    pub support: u64,
    pub confidence: f64,
    /// Who voted, where programs do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<Vec<ProgramVote>>,
}

/// How often a program keeps a rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProgramVote {
    pub program: String,
    pub kept: u64,
    pub objects: u64,
}

/// The life of one kind of objects.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LifeAutomatonRow {
    pub kind: String,
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub automaton: Value,
}

/// An edge that is not in the hot core.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RemovedEdge {
    pub from: usize,
    pub letter: Option<String>,
    pub to: Option<usize>,
    pub weight: f64,
    pub heat: f64,
    pub scenarios: u64,
}

/// What `mine --infer` adds where only parts are put together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InferResult {
    pub inferred: InferredApi,
}

/// An API file that was inferred.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InferredApi {
    pub api: String,
    pub attributes: Vec<InferredAttribute>,
}

/// Why an attribute is what it is taken for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InferredAttribute {
    pub attribute: String,
    pub reason: String,
}

/// How much `mine` read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MineStatistics {
    pub traces: usize,
    pub runs: u64,
    pub calls: u64,
    pub interactions: u64,
    pub unknown_calls: u64,
    pub skipped_lines: u64,
    pub letters: usize,
    pub pfsa_states: usize,
    pub specification_states: usize,
    pub specification_edges: usize,
}

/// An object that breaks a rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BrokenLife {
    /// The trace, and its line.
    pub file: String,
    pub line: u64,
    /// Where in the source the call is, as the recorder says it.
    pub at: Option<String>,
    pub source: Option<CallLine>,
    pub kind: &'static str,
    pub seed: String,
    pub object: String,
    pub what: String,
    pub rule: Option<String>,
    pub support: Option<u64>,
    pub confidence: Option<f64>,
    pub scenario: Vec<String>,
    pub scenario_lines: Vec<Option<u64>>,
    pub scenario_at: Vec<Option<String>>,
    pub nearest: Vec<String>,
    pub missing: Vec<String>,
    pub extra: Vec<String>,
}

/// A line of the source with a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CallLine {
    pub file: String,
    pub line: u64,
}

//! `learn`.

use serde::Serialize;
use serde_json::Value;

/// What `learn` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LearnResult {
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub automaton: Value,
    pub learner: &'static str,
    /// If there is a target to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_target: Option<bool>,
    /// Two runs of the system that contradict each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<ContradictingRuns>,
    #[serde(flatten)]
    pub since: Option<ChangesSince>,
}

/// The same inputs with other outputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContradictingRuns {
    pub inputs: Vec<String>,
    pub first: Vec<String>,
    pub second: Vec<String>,
}

/// What changed since an earlier model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangesSince {
    pub changes: Vec<ChangedWord>,
    pub added_inputs: Vec<String>,
    pub removed_inputs: Vec<String>,
}

/// A word that two models answer differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangedWord {
    pub inputs: Vec<String>,
    pub old: Vec<String>,
    pub new: Vec<String>,
}

/// What learning took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LearnStatistics {
    Queries(QueryStatistics),
    Words(WordStatistics),
}

/// What learning by queries took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QueryStatistics {
    pub membership_queries: u64,
    pub empty_word_queries: u64,
    pub equivalence_queries: u64,
    /// Words and letters of tests.
    pub equivalence_words: u64,
    pub equivalence_symbols: u64,
    pub symbols: u64,
    pub states: usize,
    #[serde(flatten)]
    pub system: Option<SystemStatistics>,
    #[serde(flatten)]
    pub program: Option<CProgramStatistics>,
}

/// What a running system had to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SystemStatistics {
    pub resets: u64,
    pub steps: u64,
    /// Steps that an earlier run of learning had asked for.
    pub remembered_steps: u64,
}

/// What a C program had to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CProgramStatistics {
    pub runs: u64,
    pub statements: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver_checks: Option<u64>,
}

/// What was learned from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WordStatistics {
    pub words: usize,
    pub negative_words: usize,
    pub symbols: u64,
    /// Of Mealy machines: outputs that the machine has otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_outputs: Option<u64>,
    pub states: usize,
}

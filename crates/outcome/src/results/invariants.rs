//! `invariants`.

use super::run::SourceLine;
use serde::Serialize;
use serde_json::Value;

/// What `invariants` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InvariantsResult {
    pub points: Vec<PointResult>,
    pub functions: Vec<FunctionResult>,
    pub assertions: Vec<AssertionResult>,
    pub left_out: Vec<LeftOut>,
}

/// A point of a function, and what was learned there.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PointResult {
    pub function: String,
    pub kind: &'static str,
    #[serde(flatten)]
    pub at: SourceLine,
    pub samples: u64,
    /// `None` where nothing was learned; then there is a reason.
    pub formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub learned: Option<LearnedPoint>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_proved: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<FactResult>,
}

/// What is said of a formula.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LearnedPoint {
    pub acsl: String,
    pub conjuncts: Vec<ConjunctResult>,
    #[serde(flatten)]
    pub last: Option<LearnedLevels>,
    pub proof: &'static str,
    /// What could not be shown.
    pub obligation: Option<String>,
    /// Structures that runs had there.
    pub satisfying: Vec<String>,
    pub violating: Vec<ViolatingExample>,
    /// At exits: what runs began with, and what they came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
}

/// The automata that a formula comes from.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LearnedLevels {
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub automaton: Value,
    pub elastified: bool,
    pub statistics: LevelStatistics,
    pub levels: Vec<LevelStatistics>,
}

/// What learning with a number of quantified positions took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LevelStatistics {
    pub quantified: usize,
    pub membership_queries: u64,
    pub equivalence_queries: u64,
    pub states: usize,
    pub states_learned: usize,
    pub elastified: bool,
    pub words: u64,
}

/// A part of a formula.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConjunctResult {
    pub text: String,
    pub proved: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// A structure that breaks a conjunct.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ViolatingExample {
    pub structure: String,
    pub conjunct: String,
}

/// What a run began with, and what it came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    pub before: String,
    pub after: String,
}

/// A fact that automata cannot say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FactResult {
    pub kind: &'static str,
    pub text: String,
    pub acsl: Option<String>,
}

/// What is shown of a whole function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionResult {
    pub function: String,
    pub memory_safe: bool,
    pub assertions_hold: Option<bool>,
    pub functional: Vec<String>,
}

/// An assertion, and whether it is proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AssertionResult {
    #[serde(flatten)]
    pub at: SourceLine,
    pub proved: bool,
}

/// A function that was left out, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOut {
    pub function: String,
    pub reason: String,
}

/// How much `invariants` did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InvariantsStatistics {
    pub runs: u64,
    pub assumed_away: u64,
    pub refuting_inputs: usize,
    pub snapshots: u64,
    pub membership_queries: u64,
    pub equivalence_queries: u64,
    pub solver_calls: u64,
}

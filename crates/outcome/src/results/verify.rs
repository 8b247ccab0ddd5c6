//! `verify`.

use super::mine::BrokenLife;
use super::run::{FailedRun, SourceLine};
use serde::Serialize;
use serde_json::Value;

/// What `verify` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifyResult {
    pub found_by: Option<&'static str>,
    /// The learned automaton.
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton_or_null"))]
    pub model: Value,
    pub error: Option<FailedRun>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Vec<CoverageRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofResult>,
    /// With `--verbose`: the engines that were asked, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engines: Option<Vec<AskedEngine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<Vec<TeachingRound>>,
    /// With `--spec`: what was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub specification: Option<CheckedSpecification>,
    /// With `--spec`: how the error breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<Vec<BrokenLife>>,
    /// With `--native-check`: what the compiled program did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_check: Option<Vec<NativeRun>>,
}

/// A specification that was checked, and how much of it speaks of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckedSpecification {
    pub file: String,
    pub rules: usize,
    pub calls: Vec<String>,
}

/// What the compiled program did on the inputs that are shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NativeRun {
    pub command: String,
    pub exit: Option<i32>,
    pub signal: Option<i32>,
    pub expected: String,
    pub agrees: Option<bool>,
}

/// How often samples took each outcome of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CoverageRow {
    pub function: String,
    #[serde(flatten)]
    pub at: SourceLine,
    pub seen: [u64; 2],
}

/// A proof and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofResult {
    pub method: &'static str,
    pub invariants: Vec<ProofInvariant>,
    pub checked_by: Option<String>,
}

/// An invariant of a proof, or a part of a contract.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofInvariant {
    #[serde(flatten)]
    pub at: SourceLine,
    pub function: String,
    pub formula: String,
    /// `None` where it speaks of a value that C has no name for.
    pub acsl: Option<String>,
}

/// An engine that was asked, and what it came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AskedEngine {
    pub engine: &'static str,
    pub result: String,
}

/// One equivalence query of learning.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TeachingRound {
    pub question: u32,
    pub states: usize,
    pub batches_needed: u64,
    pub accepted: u64,
    pub batches: u64,
    pub next_error: f64,
}

/// The numbers of a bet: they stand beside the words of the guarantee, and in the file of a model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PacNumbers {
    pub epsilon: f64,
    pub delta: f64,
    pub batch: usize,
    pub strategy: &'static str,
    pub seed: u64,
    pub equivalence_queries: u32,
    pub samples_last: u64,
    pub cut: usize,
    pub max_steps: u64,
    pub distribution: String,
    pub two_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples_unfinished: Option<u64>,
}

/// What bounded model checking did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BmcStatistics {
    pub unwind: Option<usize>,
    pub solver_calls: u64,
    pub terms: u64,
    /// `None` if another program was asked; so with the next two.
    pub conflicts: Option<u64>,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
}

/// Who answered the questions about sequences of decisions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecisionAnswers {
    pub tree: u64,
    pub solver: u64,
    pub given_up: u64,
}

/// What learning and the engines around it did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LearningStatistics {
    pub membership_queries: u64,
    pub answered_by: DecisionAnswers,
    pub equivalence_queries: u64,
    pub error_words_refuted: u64,
    pub over_approximation_sufficed: u64,
    pub pushdown_tests: u64,
    pub model_words_refuted: u64,
    pub samples: u64,
    pub batches: u64,
    pub samples_cut: u64,
    pub samples_unfinished: u64,
    pub random_runs: u64,
    pub solver_calls: u64,
    pub unwind: usize,
    pub work: SharedWork,
    pub engines: EngineStatistics,
}

/// Work of the two that share the budget, in statements, terms and conflicts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SharedWork {
    pub bmc: u64,
    pub learn: u64,
}

/// What the engines did that prove.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EngineStatistics {
    pub states: u64,
    pub traces: TraceStatistics,
    pub induction: InductionStatistics,
}

/// What trace abstraction did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceStatistics {
    pub traces: u64,
    pub solver_calls: u64,
}

/// What induction did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InductionStatistics {
    pub points: u64,
    pub states: u64,
    pub candidates: u64,
    pub solver_calls: u64,
    pub facts: u64,
}

//! `explain`.

use super::run::{FailedRun, SourceLine};
use serde::Serialize;
use serde_json::Value;

/// What `explain` adds to an outcome that has a language.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainResult {
    #[cfg_attr(test, schemars(schema_with = "super::schema::automaton"))]
    pub automaton: Value,
    /// As a regular expression, if it is short.
    pub language: Option<String>,
    pub letters: Vec<LetterPlace>,
    pub bounds: ExplainBounds,
    pub learner: &'static str,
    pub witnesses: Vec<WitnessRun>,
}

/// A letter with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LetterPlace {
    pub name: String,
    pub kind: &'static str,
    #[serde(flatten)]
    pub at: SourceLine,
}

/// How far a language was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainBounds {
    pub unwind: usize,
    pub strict_states: Option<usize>,
    pub marks_within: Option<String>,
    pub loops: Vec<LoopRow>,
    pub word_length: usize,
    pub converged: bool,
    pub complete: bool,
    pub checked_length: usize,
}

/// A loop whose bound is another one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopRow {
    pub function: String,
    #[serde(flatten)]
    pub at: SourceLine,
    pub rounds: usize,
}

/// A run that has a word.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WitnessRun {
    #[serde(flatten)]
    pub run: FailedRun,
    pub word: Vec<String>,
}

/// What `explain --word` adds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WordResult {
    pub word: Vec<String>,
    pub member: Option<bool>,
    pub blocked: Option<BlockedWord>,
    pub witnesses: Vec<WitnessRun>,
}

/// Why a word is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BlockedWord {
    pub position: usize,
    pub letter: Option<String>,
    pub reason: &'static str,
    pub conditions: Vec<ConditionPlace>,
}

/// A condition that no run with the word meets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConditionPlace {
    pub file: String,
    pub line: u32,
    pub text: String,
}

/// What learning a language took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainStatistics {
    pub membership_queries: u64,
    pub answered_by: WordAnswers,
    pub wrong_guesses: u64,
    pub fixes: u64,
    pub fix_calls: u64,
    pub conjectures: u64,
    pub solver_calls: u64,
    pub conflicts: u64,
    pub terms: u64,
    pub encodings: u64,
}

/// Who answered the questions about words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WordAnswers {
    pub shape: u64,
    pub cfg: u64,
    pub cache: u64,
    pub core: u64,
    pub guess: u64,
    pub solver: u64,
}

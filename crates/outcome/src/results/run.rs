//! `run`, and every run that another command shows.

use serde::Serialize;
use std::collections::BTreeMap;

/// A number where JSON readers can hold it, text where they cannot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum JsonNumber {
    Integer(i64),
    Natural(u64),
    Single(f32),
    Double(f64),
    Text(String),
}

impl JsonNumber {
    /// An integer of any size; what is too large is this text.
    pub fn of(value: i128, text: impl FnOnce() -> String) -> Self {
        match (i64::try_from(value), u64::try_from(value)) {
            (Ok(small), _) => Self::Integer(small),
            (_, Ok(small)) => Self::Natural(small),
            _ => Self::Text(text()),
        }
    }

    /// A text that may be a number of JSON.
    pub fn read(text: String) -> Self {
        if let Ok(integer) = text.parse() {
            Self::Integer(integer)
        } else if let Ok(natural) = text.parse() {
            Self::Natural(natural)
        } else {
            let double = serde_json::from_str(&text);
            double.map_or(Self::Text(text), Self::Double)
        }
    }
}

impl std::fmt::Display for JsonNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            number => f.write_str(&serde_json::to_string(number).unwrap_or_default()),
        }
    }
}

/// A line of the source, if there is one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SourceLine {
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// One input, or the bytes of one text, by the name that people know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedInput {
    pub name: String,
    pub value: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// A statement that a run executed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceStep {
    #[serde(flatten)]
    pub at: SourceLine,
    /// Where its text begins; where a macro wrote it, the start of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    pub function: String,
    /// Calls around it.
    pub depth: usize,
    pub text: String,
    /// What it changed.
    pub values: BTreeMap<String, String>,
    /// The outcome of a branch.
    pub decision: Option<u8>,
}

/// What went wrong and where, in the program's own text.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorPlace {
    pub kind: Option<String>,
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub function: String,
    /// Where in the C library, if it was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<LibraryPlace>,
}

/// A place in the model of the C library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LibraryPlace {
    pub function: String,
    #[serde(flatten)]
    pub at: SourceLine,
}

/// What a run did, as a page plays it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunRecord {
    /// `1` and `0`, in order.
    pub decisions: String,
    /// The last steps.
    pub trace: Vec<TraceStep>,
    /// Steps before those.
    pub trace_omitted: usize,
}

/// A failing run with everything that is needed to see it again.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FailedRun {
    #[serde(flatten)]
    pub error: ErrorPlace,
    /// The property that it violates, as SV-COMP calls it.
    pub property: Option<String>,
    pub inputs: Vec<JsonNumber>,
    pub named_inputs: Vec<NamedInput>,
    #[serde(flatten)]
    pub recorded: Option<RunRecord>,
}

/// C that is not modelled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnmodelledPlace {
    pub construct: String,
    #[serde(flatten)]
    pub at: SourceLine,
}

/// What `run` adds to an outcome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunResult {
    pub exit_code: Option<i32>,
    /// What the entry function returned, where it is not `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    pub inputs: Vec<JsonNumber>,
    pub named_inputs: Vec<NamedInput>,
    /// The run's word over calls and marks.
    pub events: Vec<String>,
    pub decisions: String,
    pub error: Option<ErrorPlace>,
    pub unmodelled: Vec<UnmodelledPlace>,
    pub stdout: String,
    /// `None` if nobody asked.
    pub trace: Option<Vec<TraceStep>>,
    /// With `--api`: the calls, as `mine` reads them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<Vec<String>>,
}

/// How much `run` did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunStatistics {
    pub runs: usize,
    pub runs_asked: usize,
    pub steps: u64,
    pub decisions: usize,
}

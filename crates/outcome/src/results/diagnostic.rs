//! What is printed instead of an outcome: bad usage, bad input, an output that cannot be written.

use serde::Serialize;

/// Why there is no outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorReport {
    pub error: Option<Complaint>,
    /// About C: everything that there is to complain of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Vec<Complaint>>,
}

/// What is wrong, where, and a way out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Complaint {
    /// `error` or `warning`, of complaints about C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<&'static str>,
    pub code: String,
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub help: Option<String>,
}

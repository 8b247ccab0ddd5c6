//! `doctor`: what of a project can be analysed.

use serde::Serialize;

/// What `doctor` adds to an outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DoctorResult {
    pub unreadable: Vec<UnreadableFile>,
    /// C that is not modelled, the most frequent first.
    pub unmodelled: Vec<UnmodelledConstruct>,
    pub missing_bodies: Vec<MissingBody>,
}

/// What `doctor` adds where no project is named: the tools of this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MachineResult {
    pub tools: Vec<ToolRow>,
}

/// Where nothing is counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NoStatistics {}

/// A tool that idiolect may use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolRow {
    pub name: String,
    /// As it says itself; `None` if it is not there.
    pub version: Option<String>,
    pub purpose: &'static str,
    pub required: bool,
}

/// A file that is not understood, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnreadableFile {
    pub file: String,
    pub message: String,
}

/// C that is not modelled, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnmodelledConstruct {
    pub construct: String,
    pub count: usize,
    pub places: Vec<FileLine>,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileLine {
    pub file: String,
    pub line: u32,
}

/// A function that is called and has no body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MissingBody {
    pub function: String,
    #[serde(flatten)]
    pub at: FileLine,
}

/// How much of a project was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DoctorStatistics {
    pub files: usize,
    pub unreadable: usize,
    pub functions: usize,
    pub functions_with_traps: usize,
}

//! What verifiers exchange with each other and with SV-COMP: task definitions, property files and
//! witnesses. These are texts that others wrote, so reading them says where they are wrong.

mod replay;
mod task;
mod witness;

pub use replay::{Violation, WitnessInputs};
pub use task::{Specification, Task};
pub use witness::About;

/// Why a text cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct FormatError {
    pub message: String,
    /// Counted from 1, where it is known.
    pub line: Option<u32>,
    pub help: String,
}

impl FormatError {
    fn new(message: impl Into<String>, line: Option<u32>, help: &str) -> Self {
        Self {
            message: message.into(),
            line,
            help: help.to_owned(),
        }
    }

    /// Something that is no YAML, or not of the expected shape.
    fn of_yaml(error: &serde_saphyr::Error, help: &str) -> Self {
        let line = error.location().and_then(|l| u32::try_from(l.line()).ok());
        Self::new(
            first_line(&error.to_string()),
            line.filter(|&l| l > 0),
            help,
        )
    }
}

/// The place is told apart from the message.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let line = line.trim_start_matches("error: ");
    match line.split_once(": ") {
        Some((place, message)) if place.starts_with("line ") => message.to_owned(),
        _ => line.to_owned(),
    }
}

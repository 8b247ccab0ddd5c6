//! Why a command could not give an outcome, and what the user is told about it.

use crate::exit::Exit;
use crate::{output, render};
use idiolect_base::{Diagnostic, Place, SourceMap, StopReason};
use idiolect_outcome::results::{Complaint, ErrorReport};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// A command that ends without an outcome ends with one of these.
#[derive(Debug, thiserror::Error)]
pub enum CommandFailure {
    #[error("{message}")]
    Usage { message: String, help: String },
    #[error("cannot read `{}`: {source}", path.display())]
    CannotRead { path: PathBuf, source: io::Error },
    #[error("cannot write `{}`: {source}", path.display())]
    CannotWrite { path: PathBuf, source: io::Error },
    /// The budget ended before there was anything to say.
    #[error("not finished: {reason}, while {doing}")]
    Stopped {
        reason: StopReason,
        doing: &'static str,
    },
    /// A complaint about an input that is not C, with its line if it has one.
    #[error("{message}")]
    BadFile {
        code: &'static str,
        message: String,
        place: Option<Place>,
        help: String,
    },
    /// The solver that `--solver` names is of no use.
    #[error("{0}")]
    Solver(Box<dyn std::error::Error + Send + Sync>),
    /// Our two engines say different things about one run.
    #[error("idiolect has a bug: symbolic execution says {symbolic}, the interpreter {concrete}")]
    Disagreement {
        symbolic: String,
        concrete: String,
        reproducer: Option<PathBuf>,
    },
    /// Complaints about C source; at least one is an error.
    #[error("the C source cannot be used")]
    Source {
        sources: Box<SourceMap>,
        diagnostics: Vec<Diagnostic>,
    },
}

impl CommandFailure {
    /// Options that make no sense, and a way out.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        CommandFailure::Usage {
            message: message.into(),
            help: help.into(),
        }
    }

    /// Another solver that is of no use, and why.
    pub fn solver(why: impl std::error::Error + Send + Sync + 'static) -> Self {
        CommandFailure::Solver(Box::new(why))
    }

    /// How the process exits.
    pub fn exit(&self) -> Exit {
        match self {
            CommandFailure::Disagreement { .. } => Exit::OurBug,
            CommandFailure::Stopped { .. } => Exit::Undecided,
            _ => Exit::BadInput,
        }
    }

    /// As text for standard error.
    pub fn to_text(&self) -> String {
        match self {
            CommandFailure::Source {
                sources,
                diagnostics,
            } => render::diagnostics(sources, diagnostics),
            _ => {
                let (code, place, help) = self.parts();
                let place = place.map_or(String::new(), |p| format!("{}:{}: ", p.file, p.line));
                render::plain_error(code, &format!("{place}{self}"), &help)
            }
        }
    }

    /// As the contract's `{"error": …}`.
    pub fn to_json(&self) -> Value {
        output::json_of(&self.to_report())
    }

    fn to_report(&self) -> ErrorReport {
        match self {
            CommandFailure::Source {
                sources,
                diagnostics,
            } => {
                let first = diagnostics.iter().find(|d| d.is_error());
                let all = diagnostics.iter().take(render::MOST);
                let all = all.map(|d| render::complaint(sources, d));
                ErrorReport {
                    error: first.map(|d| render::complaint(sources, d)),
                    diagnostics: Some(all.collect()),
                }
            }
            _ => {
                let (code, place, help) = self.parts();
                let file = match self {
                    CommandFailure::CannotRead { path, .. }
                    | CommandFailure::CannotWrite { path, .. } => Some(path.display().to_string()),
                    _ => place.map(|p| p.file.clone()),
                };
                let error = Complaint {
                    severity: None,
                    code: code.to_owned(),
                    message: self.to_string(),
                    file,
                    line: place.map(|p| p.line),
                    column: place.map(|p| p.column),
                    help: Some(help),
                };
                ErrorReport {
                    error: Some(error),
                    diagnostics: None,
                }
            }
        }
    }

    fn parts(&self) -> (&'static str, Option<&Place>, String) {
        match self {
            CommandFailure::Usage { help, .. } => ("cli::usage", None, help.clone()),
            CommandFailure::CannotRead { path, .. } => {
                ("cli::cannot-read", None, reading_help(path))
            }
            CommandFailure::CannotWrite { .. } => (
                "cli::cannot-write",
                None,
                "check that the folder exists, is writable and has room".to_owned(),
            ),
            CommandFailure::Stopped { .. } => (
                "cli::stopped",
                None,
                "give it more time with `--timeout`".to_owned(),
            ),
            CommandFailure::BadFile {
                code, place, help, ..
            } => (code, place.as_ref(), help.clone()),
            CommandFailure::Solver(error) => ("cli::solver", None, solver_help(error.as_ref())),
            CommandFailure::Disagreement { reproducer, .. } => (
                "idiolect::disagreement",
                None,
                match reproducer {
                    Some(path) => format!("please report it with `{}`", path.display()),
                    None => "please report it with the source".to_owned(),
                },
            ),
            CommandFailure::Source { .. } => ("c::error", None, String::new()),
        }
    }
}

/// What can be done about a file that cannot be read.
pub fn reading_help(path: &Path) -> String {
    match neighbour(path) {
        Some(near) => format!("did you mean `{}`?", near.display()),
        None => "check the path and its permissions".to_owned(),
    }
}

/// A file with a similar name where one is missing.
fn neighbour(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let place = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    // In a folder of many thousands, a look at some of them has to do.
    let names: Vec<String> = std::fs::read_dir(place)
        .ok()?
        .take(5000)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let near = idiolect_base::nearest(name, sorted.into_iter())?;
    Some(folder.join(near))
}

/// What can be done about another solver.
fn solver_help(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    let cause = match error.source() {
        Some(source) => format!("{source}; "),
        None => String::new(),
    };
    format!(
        "{cause}`--solver` wants a command that reads SMT-LIB 2 from its standard input, such as \
         `z3 -in` or `cvc5 --lang=smt2 --incremental`"
    )
}

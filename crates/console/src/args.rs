//! Options that all commands share, and values of options.

use crate::clock;
use crate::failure::CommandFailure;
use clap::builder::{PathBufValueParser, RangedU64ValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use idiolect_base::{Budget, Canceller};
use idiolect_outcome::{Conclusion, Exit, Requirement};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What every command takes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub struct CommonArgs {
    /// Print the outcome as one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,

    /// Leave times and memory out of the JSON, so that two runs give the same bytes
    #[arg(long)]
    pub no_timing: bool,

    /// Exit with 0 where a finding would exit with 1
    #[arg(long)]
    pub exit_zero: bool,

    /// Exit with 3 unless at least this much is promised, so that a script can tell a proof from a bet
    #[arg(long, value_name = "KIND")]
    pub require: Option<RequireArg>,

    /// Budget of the whole run; past it, the best result so far, marked undecided
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,

    /// Seed of all randomness; same input and seed, same bytes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Print less
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print more
    #[arg(short, long)]
    pub verbose: bool,
}

/// The least promise that counts.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequireArg {
    /// Of all runs
    Proved,
    /// At least exact within the printed bounds
    Exact,
    /// At least a bet in numbers
    Pac,
}

impl CommonArgs {
    /// How the command exits with this conclusion.
    pub fn exit(&self, conclusion: &Conclusion) -> Exit {
        let least = self.require.map(|least| match least {
            RequireArg::Proved => Requirement::Proved,
            RequireArg::Exact => Requirement::Exact,
            RequireArg::Pac => Requirement::Pac,
        });
        conclusion.exit_requiring(least).forgiving(self.exit_zero)
    }

    /// The budget of the whole run: the time-out, and Ctrl-C.
    pub fn budget(&self, canceller: &Canceller) -> Budget {
        let budget = Budget::unlimited().cancelled_by(canceller);
        // From the first moment on, not from when the program was read.
        match self.timeout.and_then(|t| clock::began().checked_add(t)) {
            Some(deadline) => budget.until(deadline),
            None => budget,
        }
    }
}

/// How findings in C files are printed.
#[derive(Args, Clone, Debug)]
pub struct FormatArgs {
    /// What is printed: text, the same as `--json`, or annotations of GitHub Actions
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        conflicts_with = "json"
    )]
    format: OutputFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    Text,
    Json,
    Github,
}

impl FormatArgs {
    /// What is printed: `--json` is short for a format.
    pub fn chosen(&self, common: &CommonArgs) -> OutputFormat {
        if common.json {
            OutputFormat::Json
        } else {
            self.format
        }
    }
}

/// A number of seconds, such as `2.5`.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds, such as 2.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "must be positive and finite".to_owned())
}

/// Where something is to be written. Long work should not end with the news that it cannot be.
pub fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(writable)
}

/// The same path, if a file could be written there.
pub fn writable(path: PathBuf) -> Result<PathBuf, String> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(format!("there is no folder `{}`", folder.display()));
    }
    if path.is_dir() {
        return Err("it is a folder; give the name of a file".to_owned());
    }
    Ok(path)
}

/// A number that memory and time could bear; what is larger nobody means.
pub fn up_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=most)
}

/// Refuses options that make no sense together, with a way out.
pub fn refuse(when: bool, message: &str, help: &str) -> Result<(), CommandFailure> {
    if when {
        Err(CommandFailure::usage(message, help))
    } else {
        Ok(())
    }
}

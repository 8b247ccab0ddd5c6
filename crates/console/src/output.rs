//! What leaves the program: the result on standard output, files written whole or not at all, and
//! the parts that every JSON outcome has.

use crate::args::{CommonArgs, OutputFormat};
use crate::exit::Exit;
use crate::failure::CommandFailure;
use idiolect_base::{SourceMap, StopReason};
use idiolect_outcome::Conclusion;
use idiolect_outcome::results::{Answer, ClaimText};
use idiolect_report::{Page, SourceText};
use serde::Serialize;
use serde::ser::SerializeMap as _;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub use crate::sink::{deliver, hold, try_hold};

/// Writes to standard output. A closed pipe (`idiolect … | head`) is not an error.
pub fn print(text: &str) {
    hold().print(text.as_bytes());
}

/// Bytes of a program that is run, as they are, to standard output.
pub fn pass_on(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    if let Err(source) = written
        && source.kind() != std::io::ErrorKind::BrokenPipe
    {
        crate::sink::note(&CommandFailure::CannotWrite {
            path: "<stdout>".into(),
            source,
        });
    }
}

/// Writes to standard error.
pub fn print_error(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(text.as_bytes());
    let _ = err.flush();
}

/// Prints one JSON object on standard output.
pub fn print_json(value: &Value) {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    print(&text);
}

/// Prints an outcome as [`print_json`] does, with a part that is made while it is printed: as a value it would
/// take more memory than everything else. It stands where the outcome has this key.
pub fn print_json_with(outcome: &Value, key: &str, part: &impl Serialize) {
    hold().print_pieces(|out| write_json_with(out, outcome, key, part));
}

/// What [`print_json_with`] prints.
pub fn json_text_with(outcome: &Value, key: &str, part: &impl Serialize) -> String {
    let mut text = Vec::new();
    let _ = write_json_with(&mut text, outcome, key, part);
    String::from_utf8(text).unwrap_or_default()
}

fn write_json_with(
    out: &mut dyn std::io::Write,
    outcome: &Value,
    key: &str,
    part: &impl Serialize,
) -> std::io::Result<()> {
    let whole = WithPart { outcome, key, part };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    out.write_all(b"\n")
}

/// An object with another value for one of its keys.
struct WithPart<'a, T> {
    outcome: &'a Value,
    key: &'a str,
    part: &'a T,
}

impl<T: Serialize> Serialize for WithPart<'_, T> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = self.outcome.as_object().into_iter().flatten();
        let mut map = to.serialize_map(None)?;
        for (key, value) in entries {
            if key == self.key {
                map.serialize_entry(key, self.part)?;
            } else {
                map.serialize_entry(key, value)?;
            }
        }
        map.end()
    }
}

/// Items of a list that are made one by one while they are written, each with its keys in order.
pub struct Streamed<I>(Cell<Option<I>>);

impl<I> Streamed<I> {
    /// A list that can be written once; after that it is empty.
    pub fn new(items: I) -> Self {
        Self(Cell::new(Some(items)))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Streamed<I> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let items = self.0.take().into_iter().flatten();
        to.collect_seq(items.map(|item| json_of(&item)))
    }
}

/// Leaves a value to the end of the process, which comes next and needs no time to take a gigabyte
/// apart piece by piece.
pub fn leave<T>(value: T) {
    std::mem::forget(value);
}

/// Writes a file that the user asked for. One that cannot be written does not cost the answer: that
/// is said, and the exit code is another in the end.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), CommandFailure> {
    deliver(path, bytes);
    Ok(())
}

/// Writes the findings of an outcome as SARIF.
pub fn write_sarif(path: &Path, outcome: &Value) -> Result<(), CommandFailure> {
    let log = idiolect_report::sarif(outcome, &command_line());
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    write_whole(path, text.as_bytes())
}

/// The outcome of a command whose budget ended while the program was encoded.
pub fn not_started(
    command: &str,
    (common, format): (&CommonArgs, OutputFormat),
    reason: StopReason,
    timing: &Timing,
) -> Exit {
    let text = format!("Not finished: {reason}, before the first question.");
    if format == OutputFormat::Github {
        print(&unfinished(command, &text, format, None));
    } else if format == OutputFormat::Json {
        let envelope = Envelope {
            command,
            verdict: "undecided",
            guarantee_kind: "none",
            guarantee_text: &text,
            statistics: json!({}),
            warnings: &[],
        };
        print_json(&envelope.to_json((!common.no_timing).then_some(timing)));
    } else {
        print(&format!(
            "undecided: {text}\nTry a smaller `--max-unwind` or a longer `--timeout`.\n"
        ));
    }
    crate::exit::Exit::of_stop(reason)
}

/// The answer of a command that was not finished, for standard output.
pub fn unfinished(command: &str, text: &str, format: OutputFormat, seconds: Option<f64>) -> String {
    if format == OutputFormat::Text {
        return format!("undecided: {text}\n");
    }
    let verdict = if command == "run" {
        "limit"
    } else {
        "undecided"
    };
    let envelope = Envelope {
        command,
        verdict,
        guarantee_kind: "none",
        guarantee_text: text,
        statistics: json!({}),
        warnings: &[],
    };
    let mut outcome = envelope.to_json(None);
    if format == OutputFormat::Github {
        return idiolect_report::github(&outcome);
    }
    if let Some(seconds) = seconds {
        outcome["timing"] = json!({ "total": seconds });
    }
    format!("{outcome:#}\n")
}

/// The page of an outcome about C files.
pub fn page(command: &str, sources: &SourceMap, files: &[PathBuf], outcome: &Value) -> String {
    let texts: Vec<SourceText> = files
        .iter()
        .filter_map(|file| {
            let file = file.to_str()?;
            let text = sources.original_text(file)?;
            Some(SourceText {
                file: file.to_owned(),
                text,
            })
        })
        .collect();
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    Page {
        title: &format!("{command} {}", names.join(" ")),
        command: &command_line(),
        outcome,
        sources: &texts,
    }
    .to_html()
}

/// Seconds since 1970; `SOURCE_DATE_EPOCH` is for those who want the same bytes every day.
pub fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    fixed.and_then(|text| text.parse().ok()).unwrap_or_else(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |time| time.as_secs())
    })
}

/// A word as a shell takes it for one.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The command as the user gave it, for a shell.
pub fn command_line() -> String {
    let given = std::env::args_os().skip(1);
    std::iter::once("idiolect".to_owned())
        .chain(given.map(|arg| quoted(&arg.to_string_lossy())))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Seconds by phase and peak memory: the only part of an outcome that differs between two runs.
pub struct Timing {
    start: Instant,
    last: Instant,
    phases: Vec<(&'static str, f64)>,
}

impl Timing {
    /// The clock runs from now on.
    pub fn start() -> Self {
        let now = Instant::now();
        Self {
            start: now,
            last: now,
            phases: Vec::new(),
        }
    }

    /// The time since the last phase ended was spent on this one.
    pub fn phase(&mut self, name: &'static str) {
        let now = Instant::now();
        self.phases.push((name, (now - self.last).as_secs_f64()));
        self.last = now;
    }

    /// A part of a phase, measured by whoever ran it.
    pub fn add(&mut self, name: &'static str, seconds: f64) {
        self.phases.push((name, seconds));
    }

    /// Seconds by phase, and the peak of memory.
    pub fn to_json(&self) -> Value {
        let mut timing = json!({ "total": self.start.elapsed().as_secs_f64() });
        for &(name, seconds) in &self.phases {
            timing[name] = json!(seconds);
        }
        if let Some(bytes) = crate::memory::peak() {
            timing["peak_memory_bytes"] = json!(bytes);
        }
        timing
    }
}

/// The parts that every outcome has; a command adds its own.
pub struct Envelope<'a> {
    pub command: &'a str,
    pub verdict: &'a str,
    pub guarantee_kind: &'a str,
    pub guarantee_text: &'a str,
    pub statistics: Value,
    pub warnings: &'a [String],
}

impl Envelope<'_> {
    /// The outcome of a command that adds nothing.
    pub fn to_json(&self, timing: Option<&Timing>) -> Value {
        self.with(timing, Nothing {})
    }

    /// The same with what the command adds.
    pub fn with(&self, timing: Option<&Timing>, result: impl Serialize) -> Value {
        let answer = Answer {
            command: self.command,
            version: env!("CARGO_PKG_VERSION"),
            verdict: self.verdict,
            guarantee: ClaimText::plain(self.verdict, self.guarantee_kind, self.guarantee_text)
                .with(Some(&Nothing {})),
            statistics: &self.statistics,
            warnings: self.warnings,
            timing: timing.map(Timing::to_json),
            result,
        };
        json_of(&answer)
    }
}

/// Where a command adds nothing.
#[derive(Serialize)]
struct Nothing {}

/// Anything as a JSON value, with its keys in order.
pub fn json_of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The parts that every outcome has, from what is concluded.
pub fn outcome_json(
    command: &str,
    conclusion: &Conclusion,
    statistics: Value,
    warnings: &[String],
    timing: Option<&Timing>,
) -> Value {
    answer_json(
        command,
        conclusion,
        statistics,
        warnings,
        timing,
        Nothing {},
    )
}

/// An outcome: the parts that all have, from what is concluded, and what this command adds.
pub fn answer_json(
    command: &str,
    conclusion: &Conclusion,
    statistics: impl Serialize,
    warnings: &[String],
    timing: Option<&Timing>,
    result: impl Serialize,
) -> Value {
    let numbers: Option<&Nothing> = None;
    promise_json(
        command, conclusion, numbers, statistics, warnings, timing, result,
    )
}

/// The same with numbers that belong to the guarantee.
pub fn promise_json(
    command: &str,
    conclusion: &Conclusion,
    numbers: Option<&impl Serialize>,
    statistics: impl Serialize,
    warnings: &[String],
    timing: Option<&Timing>,
    result: impl Serialize,
) -> Value {
    let answer = Answer {
        command,
        version: env!("CARGO_PKG_VERSION"),
        verdict: conclusion.verdict.word(),
        guarantee: ClaimText::of(conclusion).with(numbers),
        statistics,
        warnings,
        timing: timing.map(Timing::to_json),
        result,
    };
    json_of(&answer)
}

/// A number of things, in words: `1 unwinding`, `2 unwindings`, `3 membership queries`.
pub fn counted<N: std::fmt::Display + PartialEq + From<u8>>(n: N, word: &str) -> String {
    if n == N::from(1) {
        format!("{n} {word}")
    } else if let Some(stem) = word.strip_suffix("ry") {
        format!("{n} {stem}ries")
    } else {
        format!("{n} {word}s")
    }
}

//! The outcome as text and as JSON.

use super::LocalizeArgs;
use super::find::Found;
use super::fold::{Line, fold};
use crate::commands::run::show as run_show;
use crate::exit::Exit;
use crate::output::{Envelope, Timing};
use idiolect_interp::Outcome;
use idiolect_ir::Program;
use idiolect_localize::{
    BlockingValue, Kind, Localization, NotLocalized, RelevantStatement, TraceStatement,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Everything that is told.
pub struct Told<'a> {
    pub program: &'a Program,
    pub args: &'a LocalizeArgs,
    pub found: Found,
    /// If an error was found.
    pub localization: Option<Result<Localization, NotLocalized>>,
    pub warnings: Vec<String>,
}

pub struct Verdict {
    name: &'static str,
    guarantee_kind: &'static str,
    guarantee: String,
    pub exit: Exit,
}

/// What relevance promises, and what not.
const PROMISE: &str = "Each of them, changed alone, can block this trace; another trace to the \
                       error may remain, so no single fix is promised.";

impl Told<'_> {
    pub fn verdict(&self) -> Verdict {
        let undecided = |guarantee: String| Verdict {
            name: "undecided",
            guarantee_kind: "none",
            guarantee,
            exit: Exit::Undecided,
        };
        let no_error = |guarantee_kind, guarantee| Verdict {
            name: "no-error",
            guarantee_kind,
            guarantee,
            exit: Exit::Clean,
        };
        match (&self.found, &self.localization) {
            (Found::Proved { unwind }, _) => no_error(
                "proved",
                format!(
                    "No run has an error: every run ends within {unwind} unwindings of each loop. \
                     There is nothing to localize."
                ),
            ),
            (Found::NoErrorUpTo { unwind }, _) => no_error(
                "bounded",
                format!(
                    "No run of at most {unwind} unwindings of each loop has an error; longer runs \
                     were not looked at. There is nothing to localize."
                ),
            ),
            (Found::Undecided(text), _) => undecided(text.clone()),
            (Found::Error { .. }, None) => undecided("Not finished.".to_owned()),
            (Found::Error { outcome, .. }, Some(Err(why))) => {
                let what = run_show::what(self.program, &outcome.end);
                undecided(match why {
                    NotLocalized::NotSupported { construct, place } => format!(
                        "An error was found ({what}), but its run cannot be followed \
                         symbolically: {construct}, at {}.",
                        run_show::at(self.program, *place)
                    ),
                    other => format!("An error was found ({what}), but not localized: {other}."),
                })
            }
            (Found::Error { .. }, Some(Ok(found))) => of_localization(found),
        }
    }

    fn localized(&self) -> Option<(&Outcome, &str, &Localization)> {
        match (&self.found, &self.localization) {
            (Found::Error { outcome, how, .. }, Some(Ok(found))) => Some((outcome, how, found)),
            _ => None,
        }
    }
}

fn of_localization(found: &Localization) -> Verdict {
    let n_assigning = found.trace.iter().filter(|s| s.is_assigning()).count();
    let relevant = |s: &&TraceStatement| s.relevant == Some(true) && s.is_assigning();
    let n_relevant = found.trace.iter().filter(relevant).count();
    let n_unknown = found.n_unknown();
    let unknown = match n_unknown {
        0 => String::new(),
        n => format!(" Of {n} it is not known."),
    };
    if n_relevant > 0 {
        return Verdict {
            name: "relevant",
            guarantee_kind: "replayed",
            guarantee: format!(
                "{n_relevant} of {n_assigning} assignments in this trace are relevant, in {} \
                 statements of the source. {PROMISE}{unknown}",
                found.relevant.len()
            ),
            exit: Exit::Finding,
        };
    }
    if n_unknown > 0 {
        return Verdict {
            name: "undecided",
            guarantee_kind: "none",
            guarantee: format!(
                "No assignment of this trace is known to be relevant; of {n_unknown} of \
                 {n_assigning} it is not known."
            ),
            exit: Exit::Undecided,
        };
    }
    Verdict {
        name: "no-simple-fix",
        guarantee_kind: "replayed",
        guarantee: format!(
            "No simple fix exists: none of the {n_assigning} assignments in this trace, replaced \
             by a constant, blocks it."
        ),
        exit: Exit::Finding,
    }
}

pub fn value_json(value: Option<&BlockingValue>) -> Value {
    match value {
        None => Value::Null,
        Some(value) => match value.number {
            Some(number) => match (i64::try_from(number), u64::try_from(number)) {
                (Ok(small), _) => json!(small),
                (_, Ok(small)) => json!(small),
                _ => json!(value.text),
            },
            None => json!(value.text),
        },
    }
}

pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Assign => "assign",
        Kind::Havoc => "havoc",
    }
}

/// Statements of a trace that are put into JSON, the last ones: each takes about 2 KB there.
const MAX_TRACE: usize = 20_000;

pub fn json(told: &Told<'_>, timing: Option<&Timing>) -> Value {
    let verdict = told.verdict();
    let localized = told.localized();
    let counts = localized.map(|l| l.2.counts).unwrap_or_default();
    let n_traces = usize::from(matches!(told.found, Found::Error { .. }));
    let n_statements = localized.map_or(0, |l| l.2.trace.len());
    let envelope = Envelope {
        command: "localize",
        verdict: verdict.name,
        guarantee_kind: verdict.guarantee_kind,
        guarantee_text: &verdict.guarantee,
        statistics: json!({
            "iterations": n_traces,
            "error_traces": n_traces,
            "statements": n_statements,
            "relevant": localized.map_or(0, |l| n_relevant(l.2)),
            "unknown": localized.map_or(0, |l| l.2.n_unknown()),
            "slice": localized.map_or(0, |l| n_in_slice(l.2)),
            "assignments": counts.candidates,
            "unread": counts.unread,
            "tried": counts.tried,
            "asked": counts.asked,
            "solver_calls": counts.solver_calls,
        }),
        warnings: &told.warnings,
    };
    let mut value = envelope.to_json(timing);
    value["relevant"] = localized.map_or_else(
        || json!([]),
        |l| l.2.relevant.iter().map(relevant_json).collect(),
    );
    value["error"] = match &told.found {
        Found::Error { outcome, .. } => error_of(told.program, outcome),
        _ => Value::Null,
    };
    value["traces"] = match localized {
        None => json!([]),
        Some((_, _, found)) => json!([trace_json(found, &value["error"]["inputs"])]),
    };
    value
}

pub fn trace_json(found: &Localization, inputs: &Value) -> Value {
    let n_omitted = found.trace.len().saturating_sub(MAX_TRACE);
    let statements = found.trace[n_omitted..].iter();
    let statements = statements.zip(&found.in_slice[n_omitted..]);
    let statements = statements.map(|(s, in_slice)| statement_json(s, *in_slice));
    json!({
        "statements": statements.collect::<Value>(),
        "omitted": n_omitted,
        "inputs": inputs,
    })
}

/// Where a run fails, and on which inputs.
pub fn error_of(program: &Program, outcome: &Outcome) -> Value {
    let empty = idiolect_interp::Recorder::default();
    let mut error = run_show::error_json(program, outcome, &empty);
    for field in ["trace", "trace_omitted", "decisions"] {
        if let Some(object) = error.as_object_mut() {
            object.remove(field);
        }
    }
    error
}

fn n_relevant(found: &Localization) -> usize {
    let relevant = |s: &&TraceStatement| s.relevant == Some(true) && s.is_assigning();
    found.trace.iter().filter(relevant).count()
}

/// Assigning statements of the trace that a dynamic backward slice shows.
fn n_in_slice(found: &Localization) -> usize {
    let pairs = found.trace.iter().zip(&found.in_slice);
    pairs
        .filter(|(s, in_slice)| s.is_assigning() && **in_slice)
        .count()
}

fn relevant_json(found: &RelevantStatement) -> Value {
    json!({
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "function": found.function,
        "text": found.text,
        "kind": kind_name(found.kind),
        "blocking_value": value_json(found.blocking.as_ref()),
        "in_this_run": found.blocking.as_ref().is_none_or(|b| b.in_this_run),
        "occurrences": found.occurrences,
        "relevant_occurrences": found.n_relevant,
        "distance": found.distance,
    })
}

fn statement_json(s: &TraceStatement, in_slice: bool) -> Value {
    let mut value = json!({
        "file": s.file,
        "line": s.line,
        "function": s.function,
        "text": s.text,
        "assigning": s.is_assigning(),
        "relevant": s.relevant,
        "depth": s.depth,
        "in_slice": in_slice,
    });
    if let Some(kind) = s.kind {
        value["kind"] = json!(kind_name(kind));
    }
    if let Some((name, assigned)) = &s.assigned {
        value["values"] = json!({ name.as_str(): assigned });
    }
    if s.blocking.is_some() {
        value["blocking_value"] = value_json(s.blocking.as_ref());
    }
    if let Some(decision) = s.decision {
        value["decision"] = json!(u8::from(decision));
    }
    value
}

pub fn text(told: &Told<'_>) -> String {
    let verdict = told.verdict();
    let mut text = format!("{}: {}\n", verdict.name, verdict.guarantee);
    if let Found::Error { outcome, how, .. } = &told.found {
        let _ = writeln!(
            text,
            "error: {}, at {}, {how}",
            run_show::what(told.program, &outcome.end),
            run_show::place_text(told.program, &outcome.place),
        );
        if !outcome.inputs.is_empty() {
            let inputs = run_show::inputs_text(told.program, &outcome.inputs);
            let _ = writeln!(text, "inputs: {inputs}");
        }
        if told.localization.as_ref().is_some_and(Result::is_err) {
            let run = run_show::reproduce(&told.args.input, &outcome.inputs);
            let _ = writeln!(text, "see it: {run} --trace");
        }
    }
    if let Some((outcome, _, found)) = told.localized() {
        if !told.args.common.quiet {
            source_text(told.program, outcome, found, &mut text);
        }
        trace_text(found, told.args.common.verbose, &mut text);
    }
    for warning in &told.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

pub fn with(value: &BlockingValue) -> String {
    match value.in_this_run {
        true => format!("with {}, blocked", value.text),
        false => format!(
            "with {}, blocked in another run along this trace",
            value.text
        ),
    }
}

/// The lines of the source that are relevant, and those beside them.
fn source_text(program: &Program, outcome: &Outcome, found: &Localization, text: &mut String) {
    let mut statements: BTreeMap<(&str, u32), Vec<&RelevantStatement>> = BTreeMap::new();
    for own in &found.relevant {
        let list = statements.entry((&own.file, own.line)).or_default();
        list.push(own);
    }
    let mut marks: BTreeMap<(&str, u32), String> = BTreeMap::new();
    for (place, mut list) in statements {
        list.sort_by_key(|s| s.column);
        let said = |s: &RelevantStatement| match &s.blocking {
            Some(value) => with(value),
            None => "relevant".to_owned(),
        };
        let notes: Vec<String> = match list[..] {
            [one] => vec![said(one)],
            _ => list
                .iter()
                .map(|s| format!("`{}` {}", s.text, said(s)))
                .collect(),
        };
        marks.insert(place, notes.join("; "));
    }
    let error = program.sources.place(outcome.place.span);
    let failing: Vec<(String, u32)> = error.map(|e| (e.file, e.line)).into_iter().collect();
    lines_text(program, &marks, &failing, text);
}

/// Lines with marks, lines that fail, and those beside them.
pub fn lines_text(
    program: &Program,
    marks: &BTreeMap<(&str, u32), String>,
    failing: &[(String, u32)],
    text: &mut String,
) {
    let mut shown: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let lines = marks.keys().copied();
    let errors = failing.iter().map(|(file, line)| (file.as_str(), *line));
    for (file, line) in lines.chain(errors) {
        let around = line.saturating_sub(1).max(1)..=line + 1;
        shown.entry(file).or_default().extend(around);
    }
    for (file, mut lines) in shown {
        let Some(source) = program.sources.original_text(file) else {
            continue;
        };
        let source: Vec<&str> = source.lines().collect();
        lines.sort_unstable();
        lines.dedup();
        let _ = writeln!(text, "{file}");
        let mut last = None;
        for line in lines {
            let Some(content) = source.get(line as usize - 1) else {
                continue;
            };
            if last.is_some_and(|l| l + 1 != line) {
                text.push_str("       …\n");
            }
            last = Some(line);
            let is_error = failing.iter().any(|f| f.0 == file && f.1 == line);
            let mark = marks.get(&(file, line));
            let sign = match (mark.is_some(), is_error) {
                (_, true) => '!',
                (true, false) => '>',
                _ => ' ',
            };
            let content = content.replace('\t', "    ");
            let mut note = mark.cloned().unwrap_or_default();
            if is_error {
                note = match note.is_empty() {
                    true => "fails here".to_owned(),
                    false => format!("{note}; fails here"),
                };
            }
            let shown = format!("{sign} {line:>5} | {content}");
            let _ = match note.is_empty() {
                true => writeln!(text, "{}", shown.trim_end()),
                false => writeln!(text, "{shown:<52}  <- {note}"),
            };
        }
    }
}

pub fn trace_text(found: &Localization, all: bool, text: &mut String) {
    let trace = &found.trace;
    let is_open = |s: &TraceStatement| s.is_assigning() && s.relevant != Some(false);
    let matters = |i: usize| all || is_open(&trace[i]) || trace[i].decision.is_some();
    let key = |i: usize| {
        let s = &trace[i];
        (&s.file, s.line, &s.text, s.relevant, s.decision, s.depth)
    };
    let _ = writeln!(text, "trace of {} statements:", trace.len());
    let (mut inside, mut n_rounds) = (0, 0);
    for line in fold(trace.len(), matters, key) {
        let bar = match inside {
            0 => "  ",
            _ => "  | ",
        };
        match line {
            Line::Repeat { lines, rounds } => {
                let _ = writeln!(text, "  {rounds} times:");
                (inside, n_rounds) = (lines + 1, rounds);
            }
            Line::Others(1) => {
                let _ = writeln!(text, "{bar}    … 1 more");
            }
            Line::Others(n) => {
                let _ = writeln!(text, "{bar}    … {n} more");
            }
            Line::Statement(i) => {
                let s = &trace[i];
                let sign = match (s.is_assigning(), s.relevant) {
                    (true, Some(true)) => '>',
                    (true, None) => '?',
                    _ => ' ',
                };
                let indent = "  ".repeat(s.depth.min(20));
                let outcome = match s.decision {
                    Some(true) => " -> yes",
                    Some(false) => " -> no",
                    None => "",
                };
                let shown = format!("{bar}{sign} {:>5}  {indent}{}{outcome}", s.line, s.text);
                let note = match (&s.blocking, s.is_assigning(), s.relevant) {
                    (Some(value), _, Some(true)) if n_rounds == 0 => with(value),
                    (Some(value), _, Some(true)) => format!("for example {}", with(value)),
                    (_, true, None) => "not known".to_owned(),
                    _ => String::new(),
                };
                let _ = match note.is_empty() {
                    true => writeln!(text, "{shown}"),
                    false => writeln!(text, "{shown:<52}  <- {note}"),
                };
            }
        }
        inside = inside.saturating_sub(1);
        if inside == 0 {
            n_rounds = 0;
        }
    }
}

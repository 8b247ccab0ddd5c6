//! The outcome of a run as text and as JSON.

pub use crate::ends::*;

use super::{Report, RunArgs};
use crate::drawing;
use crate::named::named_inputs;
use crate::output::{self, Envelope, Timing};
use crate::returned;
use idiolect_interp::{DrawnInput, End, Event, Step};
use idiolect_ir::{AssumptionKind, MarkKind, Program};
use idiolect_outcome::results::{RunResult, RunStatistics, UnmodelledPlace};
use idiolect_report::{Page, SourceText};
use serde_json::Value;
use std::fmt::Write as _;

/// The contract's word for the end of a run.
fn verdict(end: &End) -> &'static str {
    match end {
        End::Exit(_) | End::Abort => "exit",
        End::Error(_) => "error",
        End::Fault(_) => "fault",
        End::AssumeEnded => "assume-ended",
        End::Trap(_) => "trap",
        End::Limit(_) | End::InputsEnded | End::Stopped => "limit",
    }
}

/// The outcome as JSON, with all steps.
pub fn json(program: &Program, report: &Report, timing: Option<&Timing>) -> Value {
    json_with(program, report, timing, result(program, report))
}

/// The outcome as JSON, with this much of it.
pub fn json_with(
    program: &Program,
    report: &Report,
    timing: Option<&Timing>,
    result: RunResult,
) -> Value {
    let outcome = &report.outcome;
    let mut warnings = report.warnings.clone();
    if let End::Fault(fault) = &outcome.end {
        let place = end_text(program, outcome);
        warnings.push(format!("{place}: {}", fault.kind));
    }
    let statistics = RunStatistics {
        runs: report.number + 1,
        runs_asked: report.n_runs,
        steps: outcome.steps,
        decisions: report.recorder.decisions.len(),
    };
    let envelope = Envelope {
        command: "run",
        verdict: verdict(&outcome.end),
        guarantee_kind: "replayed",
        guarantee_text: "This run happened, on these inputs; it says nothing about others.",
        statistics: output::json_of(&statistics),
        warnings: &warnings,
    };
    envelope.with(timing, result)
}

/// What is told of a run.
pub fn result(program: &Program, report: &Report) -> RunResult {
    let outcome = &report.outcome;
    let gaps = program.assumptions.iter();
    let gaps = gaps.filter(|a| a.kind == AssumptionKind::Unmodelled);
    let steps = report.recorder.steps.iter();
    RunResult {
        exit_code: match outcome.end {
            End::Exit(code) => Some(code & 0xff),
            // What a shell shows for a program that aborts.
            End::Abort => Some(134),
            _ => None,
        },
        result: returned::value(program, outcome),
        inputs: input_numbers(&outcome.inputs),
        named_inputs: named_inputs(program, &outcome.inputs),
        events: events(program, report),
        decisions: decision_text(&report.recorder.decisions),
        error: error_kind(program, &outcome.end).map(|_| placed_error(program, outcome)),
        unmodelled: gaps
            .map(|gap| UnmodelledPlace {
                construct: gap.text.clone(),
                at: source_line(program, gap.span),
            })
            .collect(),
        stdout: String::from_utf8_lossy(&outcome.stdout).into_owned(),
        trace: Some(steps.map(|step| trace_step(program, step)).collect()),
        api: None,
    }
}

/// The run's word over calls and marks; a failing assertion is the letter `assert`.
fn events(program: &Program, report: &Report) -> Vec<String> {
    let named = report
        .recorder
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Entered(id) if *id == program.entry => None,
            Event::Entered(id) => Some(program.function(*id).name.clone()),
            Event::Marked(id) => {
                let mark = &program.marks[id.index()];
                (mark.kind == MarkKind::User).then(|| mark.name.clone())
            }
        });
    let failure = matches!(report.outcome.end, End::Error(_)).then(|| "assert".to_owned());
    named.chain(failure).collect()
}

/// The page for a browser: the outcome, and the files that the run went through.
pub fn page(program: &Program, args: &RunArgs, inputs: &[DrawnInput], outcome: &Value) -> String {
    let mut files: Vec<&str> = Vec::new();
    let named = outcome["trace"].as_array().into_iter().flatten();
    let given = args.input.files.iter().filter_map(|f| f.to_str());
    for file in given.chain(named.filter_map(|step| step["file"].as_str())) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let sources: Vec<SourceText> = files
        .iter()
        .filter_map(|&file| {
            let text = program.sources.original_text(file)?;
            Some(SourceText {
                file: file.to_owned(),
                text,
            })
        })
        .collect();
    let names: Vec<&str> = args
        .input
        .files
        .iter()
        .filter_map(|f| f.file_name()?.to_str())
        .collect();
    Page {
        title: &format!("run {}", names.join(" ")),
        command: &reproduce(&args.input, inputs),
        outcome,
        sources: &sources,
    }
    .to_html()
}

/// The outcome in words.
pub fn text(program: &Program, args: &RunArgs, report: &Report) -> String {
    let outcome = &report.outcome;
    let mut text = String::new();
    if args.trace {
        trace(program, &report.recorder.steps, &mut text);
    } else if report.n_runs > 1 {
        text.push_str(&String::from_utf8_lossy(&outcome.stdout));
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    }
    let place = end_text(program, outcome);
    let end = returned::end(program, outcome);
    if args.common.quiet {
        // What a program prints is the answer, unless it did not come to its end.
        if !matches!(outcome.end, End::Exit(_)) {
            let _ = writeln!(text, "{}: {end}, at {place}", verdict(&outcome.end));
        }
        return text;
    }
    let run = match report.n_runs {
        1 => String::new(),
        n => format!("run {} of {n}: ", report.number + 1),
    };
    let _ = writeln!(
        text,
        "{run}{end}, at {place}, after {} steps",
        outcome.steps
    );
    if !outcome.inputs.is_empty() {
        let _ = writeln!(text, "inputs: {}", inputs_text(program, &outcome.inputs));
    }
    if let Some(path) = &args.harness {
        let _ = writeln!(
            text,
            "harness: {}",
            crate::harness::command(program, &outcome.inputs, &args.input, path)
        );
    }
    if let Some(path) = &args.report {
        let _ = writeln!(text, "report: {}", drawing::link(path));
    }
    let shown = if args.input.warnings || args.common.verbose {
        report.warnings.len()
    } else {
        report.warnings.len().min(5)
    };
    for warning in &report.warnings[..shown] {
        let _ = writeln!(text, "warning: {warning}");
    }
    if shown < report.warnings.len() {
        let more = report.warnings.len() - shown;
        let _ = writeln!(text, "{more} more warnings; --warnings shows them");
    }
    text
}

/// One line per step: place, statement, what changed.
fn trace(program: &Program, steps: &[Step], text: &mut String) {
    for step in steps {
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let effect = match step.decision {
            Some(true) => "1".to_owned(),
            Some(false) => "0".to_owned(),
            None => changes.join(", "),
        };
        let place = place_text(program, &step.place);
        let statement = program.sources.statement_text(step.place.span);
        let indent = "  ".repeat(step.depth.saturating_sub(1).min(20));
        let line = format!("{place:<24} {indent}{statement}");
        let _ = if effect.is_empty() {
            writeln!(text, "{line}")
        } else {
            writeln!(text, "{line:<64} -> {effect}")
        };
    }
}

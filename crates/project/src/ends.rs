//! How a run ended, what its inputs were and what it did, in words and as JSON; and the command that does it again.

use crate::args::CArgs;
use crate::named::{has_texts, named_inputs};
use crate::output;
use idiolect_base::Span;
use idiolect_interp::{CodePlace, DrawnInput, End, Outcome, Recorder, Step};
use idiolect_ir::checks::CheckOptions;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{AssumptionKind, ErrorKind, InputKind, Location, Program, Property, Ty};
use idiolect_outcome::results::{
    ErrorPlace, FailedRun, JsonNumber, LibraryPlace, RunRecord, SourceLine, TraceStep,
};
use serde_json::Value;
use std::fmt::Write as _;

/// What ended the run, in words.
pub fn what(program: &Program, end: &End) -> String {
    match end {
        End::Exit(code) => format!("exit with status {}", code & 0xff),
        End::Abort => "abort".to_owned(),
        End::Error(ErrorKind::Assert(text)) if text.is_empty() => "assertion failed".to_owned(),
        End::Error(ErrorKind::Assert(text)) => format!("assertion `{text}` failed"),
        End::Error(ErrorKind::ReachError) => "the error function was called".to_owned(),
        End::Fault(fault) => fault.kind.to_string(),
        End::AssumeEnded => "an assumption does not hold; the run ends quietly".to_owned(),
        End::Trap(index) => match program.assumptions.get(*index as usize) {
            Some(gap) if gap.kind == AssumptionKind::Bound => format!("a bound: {}", gap.text),
            Some(gap) => format!("C that is not modelled: {}", gap.text),
            None => "C that is not modelled".to_owned(),
        },
        End::Limit(reason) => reason.to_string(),
        End::InputsEnded => "there are no more inputs".to_owned(),
        End::Stopped => "stopped".to_owned(),
    }
}

/// A short name for the kind of an error.
pub fn error_kind(program: &Program, end: &End) -> Option<String> {
    Some(match end {
        End::Error(ErrorKind::Assert(_)) => "assert".to_owned(),
        End::Error(ErrorKind::ReachError) => "reach_error".to_owned(),
        End::Fault(_) | End::Trap(_) => what(program, end),
        _ => return None,
    })
}

/// The property that an end violates, as SV-COMP calls it.
fn property_of(end: &End) -> Option<&'static str> {
    match end {
        End::Error(_) => Some(Property::Assert.sv_comp_name()),
        End::Fault(fault) => fault.kind.property().map(Property::sv_comp_name),
        _ => None,
    }
}

/// The last steps of a trace that are shown. A step takes about 4 KB as a JSON value, and a loop that
/// fills an array of 100,000 elements has half a million of them: 2 GB and half a minute for nobody.
const MAX_TRACE: usize = 10_000;

/// The last steps of a run, as a page plays them.
pub fn trace_steps(program: &Program, recorder: &Recorder<true>) -> Vec<TraceStep> {
    let n_omitted = recorder.steps.len().saturating_sub(MAX_TRACE);
    let steps = recorder.steps[n_omitted..].iter();
    steps.map(|step| trace_step(program, step)).collect()
}

/// An error with everything that is needed to see it again.
pub fn failed_run(program: &Program, outcome: &Outcome, recorder: &Recorder<true>) -> FailedRun {
    FailedRun {
        recorded: Some(RunRecord {
            decisions: decision_text(&recorder.decisions),
            trace: trace_steps(program, recorder),
            trace_omitted: recorder.steps.len().saturating_sub(MAX_TRACE),
        }),
        ..failed_inputs(program, outcome)
    }
}

/// An error with its inputs, without what the run did.
pub fn failed_inputs(program: &Program, outcome: &Outcome) -> FailedRun {
    FailedRun {
        error: placed_error(program, outcome),
        property: property_of(&outcome.end).map(str::to_owned),
        inputs: input_numbers(&outcome.inputs),
        named_inputs: named_inputs(program, &outcome.inputs),
        recorded: None,
    }
}

/// The same as [`failed_run`], as JSON.
pub fn error_json(program: &Program, outcome: &Outcome, recorder: &Recorder<true>) -> Value {
    output::json_of(&failed_run(program, outcome, recorder))
}

/// Where in the source something is.
pub fn source_line(program: &Program, span: Span) -> SourceLine {
    match program.sources.place(span) {
        Some(place) => SourceLine {
            file: Some(place.file),
            line: Some(place.line),
        },
        None => SourceLine::default(),
    }
}

/// What and where, in the program's own text.
pub fn placed_error(program: &Program, outcome: &Outcome) -> ErrorPlace {
    let own = outcome.called_from.as_ref().unwrap_or(&outcome.place);
    let place = program.sources.place(own.span);
    ErrorPlace {
        kind: error_kind(program, &outcome.end),
        message: what(program, &outcome.end),
        column: place.as_ref().map(|p| p.column),
        line: place.as_ref().map(|p| p.line),
        file: place.map(|p| p.file),
        function: program.function(own.function).name.clone(),
        library: outcome.called_from.as_ref().map(|_| LibraryPlace {
            function: program.function(outcome.place.function).name.clone(),
            at: source_line(program, outcome.place.span),
        }),
    }
}

/// Decisions as `1` and `0`.
pub fn decision_text(decisions: &[bool]) -> String {
    decisions
        .iter()
        .map(|&d| if d { '1' } else { '0' })
        .collect()
}

/// The inputs of a run in order of use.
pub fn input_numbers(inputs: &[DrawnInput]) -> Vec<JsonNumber> {
    inputs.iter().map(input_number).collect()
}

/// Numbers where JSON readers can hold them, text where they cannot.
pub fn input_number(input: &DrawnInput) -> JsonNumber {
    match input.ty {
        Ty::F32 => {
            let value = f32::from_bits(input.bits as u32);
            let is_usual = input.bits as u32 == f32::NAN.to_bits();
            if value.is_finite() {
                JsonNumber::Single(value)
            } else {
                JsonNumber::Text(special(f64::from(value), input.bits, is_usual))
            }
        }
        Ty::F64 => {
            let value = f64::from_bits(input.bits as u64);
            let is_usual = input.bits as u64 == f64::NAN.to_bits();
            if value.is_finite() {
                JsonNumber::Double(value)
            } else {
                JsonNumber::Text(special(value, input.bits, is_usual))
            }
        }
        _ => {
            let value = input.as_integer();
            JsonNumber::of(value, || value.to_string())
        }
    }
}

/// The same as JSON.
pub fn input_json(input: &DrawnInput) -> Value {
    output::json_of(&input_number(input))
}

/// A float that JSON has no number for, as `--input` reads it: `inf`, `-inf`, `nan`, or a NaN with its bits.
fn special(value: f64, bits: u128, is_usual: bool) -> String {
    if value.is_nan() && !is_usual {
        format!("nan:{bits:#x}")
    } else {
        value.to_string().to_lowercase()
    }
}

/// One step of a run.
pub fn trace_step(program: &Program, step: &Step) -> TraceStep {
    TraceStep {
        column: program.sources.place(step.place.span).map(|p| p.column),
        at: source_line(program, step.place.span),
        function: program.function(step.place.function).name.clone(),
        depth: step.depth.saturating_sub(1),
        text: program.sources.statement_text(step.place.span),
        values: step.changes.iter().cloned().collect(),
        decision: step.decision.map(u8::from),
    }
}

/// The command that does the same run again, whatever chose its inputs the first time.
pub fn reproduce(input: &CArgs, inputs: &[DrawnInput]) -> String {
    let mut command = "idiolect run".to_owned();
    for file in &input.files {
        let _ = write!(command, " {}", output::quoted(&file.to_string_lossy()));
    }
    if input.entry != "main" {
        let _ = write!(command, " --entry {}", input.entry);
    }
    if input.data_model() == DataModel::Ilp32 {
        command.push_str(" --data-model ILP32");
    }
    if let Some(spec) = &input.spec {
        let quoted = output::quoted(&spec.to_string_lossy());
        let _ = write!(command, " --spec {quoted}");
    }
    if input.free_globals {
        command.push_str(" --free-globals");
    }
    for condition in &input.assume {
        let quoted = shlex::try_quote(condition).unwrap_or_default();
        let _ = write!(command, " --assume {quoted}");
    }
    if input.max_elements != 8 {
        let _ = write!(command, " --max-elements {}", input.max_elements);
    }
    if input.max_argc != 3 {
        let _ = write!(command, " --max-argc {}", input.max_argc);
    }
    // What the inputs are, and what is done with them, depends on all of these.
    if input.max_argument_length != 8 {
        let _ = write!(
            command,
            " --max-argument-length {}",
            input.max_argument_length
        );
    }
    if input.assumes_nothing() {
        command.push_str(" --assume nothing");
    }
    for function in &input.pure_functions {
        let _ = write!(command, " --pure {}", output::quoted(function));
    }
    if input.malloc_may_fail {
        command.push_str(" --malloc-may-fail");
    }
    let properties = input.properties();
    let is_put_in = |p: &Property| !matches!(p, Property::Assert | Property::Division);
    if properties.iter().any(is_put_in) {
        let mut all = vec![Property::Assert];
        all.extend(properties.into_iter().filter(is_put_in));
        let _ = write!(command, " --property {}", Property::names(&all).join(","));
    }
    if input.stack_size != CheckOptions::default().stack_size {
        let _ = write!(command, " --stack-size {}", input.stack_size);
    }
    for folder in &input.build.include {
        let _ = write!(command, " -I {}", output::quoted(&folder.to_string_lossy()));
    }
    for define in &input.build.define {
        let _ = write!(command, " -D {}", output::quoted(define));
    }
    for flag in &input.build.compiler_flag {
        let _ = write!(command, " --compiler-flag={flag}");
    }
    if let Some(database) = &input.build.database {
        let _ = write!(command, " -p {}", database.display());
    }
    if !inputs.is_empty() {
        let values: Vec<String> = inputs
            .iter()
            .map(|drawn| match input_json(drawn) {
                Value::String(text) => text,
                number => number.to_string(),
            })
            .collect();
        let _ = write!(command, " --input {}", values.join(","));
    }
    command
}

/// File and line of a location, or its function.
pub fn at(program: &Program, location: Location) -> String {
    match location.place(program) {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => format!("`{}`", program.function(location.function).name),
    }
}

/// File and line, or the function whose end it is.
pub fn place_text(program: &Program, place: &CodePlace) -> String {
    match program.sources.place(place.span) {
        Some(at) => format!("{}:{}", at.file, at.line),
        None => format!("the end of `{}`", program.function(place.function).name),
    }
}

/// The first of many values, for a warning.
pub fn first_values(values: &[u128]) -> String {
    const MOST: usize = 10;
    let first: Vec<String> = values.iter().take(MOST).map(u128::to_string).collect();
    let mut text = first.join(",");
    if values.len() > MOST {
        let _ = write!(text, ",… {} in all", values.len());
    }
    text
}

/// Where a run ended, in the program's own text if it can be said.
pub fn end_text(program: &Program, outcome: &Outcome) -> String {
    match &outcome.called_from {
        Some(call) => {
            let at = place_text(program, call);
            let inner = &program.function(outcome.place.function).name;
            format!("{at} in `{inner}`")
        }
        None => place_text(program, &outcome.place),
    }
}

/// The values, with where they came in if there are few of them.
pub fn inputs_text(program: &Program, inputs: &[DrawnInput]) -> String {
    const MOST: usize = 40;
    if has_texts(program, inputs) {
        let parts: Vec<String> = named_inputs(program, inputs)
            .iter()
            .take(MOST)
            .map(|input| format!("{} = {}", input.name, input.value))
            .collect();
        return parts.join(", ");
    }
    let mut parts: Vec<String> = inputs
        .iter()
        .take(MOST)
        .map(|input| match (input.ty, kind_of(program, input)) {
            (Ty::F32, _) => f32::from_bits(input.bits as u32).to_string(),
            (Ty::F64, _) => f64::from_bits(input.bits as u64).to_string(),
            (_, Some(InputKind::Uninitialized(name))) => {
                format!("{} (uninitialised {name})", input.as_integer())
            }
            _ => input.as_integer().to_string(),
        })
        .collect();
    if inputs.len() > MOST {
        parts.push(format!("… ({} in all)", inputs.len()));
    }
    parts.join(", ")
}

fn kind_of<'a>(program: &'a Program, input: &DrawnInput) -> Option<&'a InputKind> {
    match input.origin {
        idiolect_interp::InputOrigin::Site(id) => Some(&program.inputs[id.index()].kind),
        idiolect_interp::InputOrigin::Unwritten(_) => None,
    }
}

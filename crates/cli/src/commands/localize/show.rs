//! The outcome as text and as JSON.

use super::LocalizeArgs;
use super::find::ErrorLookup;
use super::fold::{FoldedLine, fold};
use super::ranked;
use crate::claim;
use crate::commands::run::show as run_show;
use crate::looks;
use crate::output::{self, Timing, counted};
use idiolect_interp::Outcome;
use idiolect_ir::{Program, Property};
use idiolect_localize::{
    AssignmentKind, BlockingValue, Localization, NotLocalized, Places, RelevantStatement,
    TraceStatement,
};
use idiolect_outcome::results::{
    JsonNumber, LocalizeResult, LocalizeStatistics, RelevantPlace, TraceRows, TracedStatement,
};
use idiolect_outcome::{Assumption, Conclusion, GuaranteeKind, Ledger, Verdict as Claim};
use idiolect_search::Proof;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Everything that is told.
pub struct LocalizeAnswer<'a> {
    pub program: &'a Program,
    pub properties: &'a [Property],
    pub args: &'a LocalizeArgs,
    pub found: ErrorLookup,
    /// If an error was found.
    pub localization: Option<Result<Localization, NotLocalized>>,
    /// Every place of the source with its score.
    pub places: Option<Places>,
    /// What C leaves open and a promise rests on.
    pub chosen: Vec<Assumption>,
    pub warnings: Vec<String>,
}

/// What relevance promises, and what not.
const PROMISE: &str = "Another trace to the error may remain, so no single fix is promised.";

impl LocalizeAnswer<'_> {
    pub fn conclusion(&self) -> Conclusion {
        let mut ledger = claim::ledger(self.program);
        ledger.extend(self.chosen.clone());
        let checked = claim::checked(self.properties);
        match (&self.found, &self.localization) {
            (ErrorLookup::Proved(proof), _) => {
                let text = match proof {
                    Proof::Unwinding { unwind } => format!(
                        "every run ends within {} of each loop",
                        counted(*unwind, "unwinding")
                    ),
                    Proof::AllPaths { paths } => {
                        format!("all {paths} paths were followed to their ends")
                    }
                    Proof::Induction { .. } | Proof::Formulas { .. } => {
                        "invariants are inductive and exclude it".to_owned()
                    }
                    Proof::States { states } => {
                        format!("none of its {states} abstract states is at an error")
                    }
                    Proof::Traces { .. } => "every error trace is infeasible".to_owned(),
                    Proof::OnlyRun { steps } => format!(
                        "the program takes no input, and its one run ended after {}",
                        counted(*steps, "step")
                    ),
                };
                let text = format!(
                    "No run has an error ({checked}): {text}. There is nothing to localize."
                );
                Conclusion::new(Claim::NoError, GuaranteeKind::Proved, text, &ledger)
            }
            (ErrorLookup::Nothing { unwind, doubt }, _) => {
                let why = match doubt {
                    Some(doubt) => format!(", but {}", claim::doubt_phrase(self.program, doubt)),
                    None => String::new(),
                };
                if let Some(doubt) = doubt {
                    claim::add_doubt(&mut ledger, self.program, doubt);
                }
                ledger.add(claim::unwinding(*unwind));
                let text = format!(
                    "No error was found ({checked}){why}. Runs of more than {} of each loop were \
                     not all looked at.",
                    counted(*unwind, "unwinding")
                );
                Conclusion::new(Claim::Undecided, GuaranteeKind::Bounded, text, &ledger)
            }
            (ErrorLookup::Undecided(text), _) => Conclusion::undecided(text, &ledger),
            (ErrorLookup::Error { .. }, None) => Conclusion::undecided("Not finished.", &ledger),
            (ErrorLookup::Error { outcome, .. }, Some(Err(why))) => {
                let what = run_show::what(self.program, &outcome.end);
                let text = match why {
                    NotLocalized::NotSupported { construct, place } => format!(
                        "An error was found ({what}), but its run cannot be followed \
                         symbolically: {construct}, at {}.",
                        run_show::at(self.program, *place)
                    ),
                    other => format!("An error was found ({what}), but not localized: {other}."),
                };
                Conclusion::undecided(text, &ledger)
            }
            (ErrorLookup::Error { .. }, Some(Ok(found))) => of_localization(found, &ledger),
        }
    }

    fn localized(&self) -> Option<(&Outcome, &str, &Localization)> {
        match (&self.found, &self.localization) {
            (ErrorLookup::Error { outcome, how, .. }, Some(Ok(found))) => {
                Some((outcome, how, found))
            }
            _ => None,
        }
    }
}

fn of_localization(found: &Localization, ledger: &Ledger) -> Conclusion {
    let n_assigning = found.trace.iter().filter(|s| s.is_assigning()).count();
    let n_relevant = found.relevant_assignments().count();
    let n_unknown = found.n_unknown();
    let unknown = match n_unknown {
        0 => String::new(),
        1 => " Of 1 more it is not known.".to_owned(),
        n => format!(" Of {n} more it is not known."),
    };
    if n_relevant > 0 {
        let relevant = match n_relevant {
            1 => "is relevant: another constant there blocks it",
            _ => "are relevant: another constant in any one of them blocks it",
        };
        let passes = passing(found, n_relevant);
        let text = format!(
            "{n_relevant} of {} in this trace {relevant}.{passes} {PROMISE}{unknown}",
            counted(n_assigning, "assignment")
        );
        return Conclusion::new(Claim::Relevant, GuaranteeKind::Replayed, text, ledger);
    }
    if n_unknown > 0 {
        let text = format!(
            "No assignment of this trace is known to be relevant; of {n_unknown} of {n_assigning} \
             it is not known."
        );
        return Conclusion::undecided(text, ledger);
    }
    let text = format!(
        "No simple fix exists: none of the {} in this trace, replaced by a constant, blocks it.",
        counted(n_assigning, "assignment")
    );
    Conclusion::new(Claim::NoSimpleFix, GuaranteeKind::Replayed, text, ledger)
}

/// With how many of the relevant assignments the run is known to pass.
fn passing(found: &Localization, n_relevant: usize) -> String {
    let with = |passes: Option<bool>| {
        let list = found
            .relevant_assignments()
            .filter_map(|s| s.blocking.as_ref());
        list.filter(|b| b.passes == passes).count()
    };
    match with(Some(true)) {
        0 if with(Some(false)) == n_relevant => {
            " But with every value that was tried, this run fails all the same.".to_owned()
        }
        0 => String::new(),
        1 if n_relevant == 1 => " This run then passes.".to_owned(),
        n if n == n_relevant => " With each of them changed so, this run passes.".to_owned(),
        n => format!(" With {n} of them changed so, this run passes."),
    }
}

/// A value as JSON has it: a number if it is one.
pub fn value_number(value: &BlockingValue) -> JsonNumber {
    match value.number {
        Some(number) => JsonNumber::of(number, || value.text.clone()),
        None => JsonNumber::Text(value.text.clone()),
    }
}

pub fn kind_name(kind: AssignmentKind) -> &'static str {
    match kind {
        AssignmentKind::Assign => "assign",
        AssignmentKind::Havoc => "havoc",
    }
}

/// Statements of a trace that are put into JSON, the last ones: each takes about 2 KB there.
const MAX_TRACE: usize = 20_000;

pub fn json(told: &LocalizeAnswer<'_>, timing: Option<&Timing>) -> Value {
    let localized = told.localized();
    let counts = localized.map(|l| l.2.counts).unwrap_or_default();
    let n_traces = usize::from(matches!(told.found, ErrorLookup::Error { .. }));
    let statistics = LocalizeStatistics {
        iterations: n_traces,
        error_traces: n_traces,
        statements: localized.map_or(0, |l| l.2.trace.len()),
        relevant: localized.map_or(0, |l| l.2.relevant_assignments().count()),
        shown: localized.map_or(0, |l| n_shown(l.2)),
        unknown: localized.map_or(0, |l| l.2.n_unknown()),
        slice: localized.map_or(0, |l| n_in_slice(l.2)),
        assignments: counts.candidates,
        unread: counts.unread,
        tried: counts.tried,
        asked: counts.asked,
        solver_calls: counts.solver_calls,
    };
    output::answer_json(
        "localize",
        &told.conclusion(),
        statistics,
        &told.warnings,
        timing,
        result(told),
    )
}

fn result(told: &LocalizeAnswer<'_>) -> LocalizeResult {
    let localized = told.localized();
    let relevant = localized.map_or_else(Vec::new, |(_, _, all)| {
        let list = all.relevant.iter();
        list.map(|r| {
            let score = ranked::score_of(told.places.as_ref(), &r.file, r.line);
            relevant_place(all, r, score)
        })
        .collect()
    });
    let error = match &told.found {
        ErrorLookup::Error { outcome, .. } => Some(run_show::failed_inputs(told.program, outcome)),
        _ => None,
    };
    let inputs = error.as_ref().map_or(&[][..], |e| &e.inputs);
    LocalizeResult {
        relevant,
        places: told.places.as_ref().map_or_else(Vec::new, ranked::rows),
        traces: (localized.iter())
            .map(|(_, _, found)| trace_rows(found, inputs))
            .collect(),
        error,
    }
}

/// The last statements of an error trace.
pub fn trace_rows(found: &Localization, inputs: &[JsonNumber]) -> TraceRows {
    let omitted = found.trace.len().saturating_sub(MAX_TRACE);
    let statements = found.trace[omitted..].iter();
    let statements = statements.zip(&found.in_slice[omitted..]);
    TraceRows {
        statements: statements
            .map(|(s, in_slice)| traced(s, *in_slice))
            .collect(),
        omitted,
        inputs: inputs.to_vec(),
        error: None,
    }
}

/// Relevant assignments of the trace that are shown first.
fn n_shown(found: &Localization) -> usize {
    let is_first = |s: &&TraceStatement| found.is_first(s.blocking.as_ref());
    found.relevant_assignments().filter(is_first).count()
}

/// Assigning statements of the trace that a dynamic backward slice shows.
fn n_in_slice(found: &Localization) -> usize {
    let pairs = found.trace.iter().zip(&found.in_slice);
    pairs
        .filter(|(s, in_slice)| s.is_assigning() && **in_slice)
        .count()
}

fn relevant_place(all: &Localization, found: &RelevantStatement, score: f64) -> RelevantPlace {
    let blocking = found.blocking.as_ref();
    RelevantPlace {
        file: found.file.clone(),
        line: found.line,
        column: found.column,
        function: found.function.clone(),
        text: found.text.clone(),
        kind: kind_name(found.kind),
        blocking_value: blocking.map(value_number),
        in_this_run: blocking.is_none_or(|b| b.in_this_run),
        passes: blocking.and_then(|b| b.passes),
        shown: all.is_first(blocking),
        occurrences: found.occurrences,
        relevant_occurrences: found.n_relevant,
        distance: found.distance,
        score,
    }
}

fn traced(s: &TraceStatement, in_slice: bool) -> TracedStatement {
    TracedStatement {
        file: s.file.clone(),
        line: s.line,
        function: s.function.clone(),
        text: s.text.clone(),
        assigning: s.is_assigning(),
        relevant: s.relevant,
        depth: s.depth,
        in_slice,
        kind: s.kind.map(kind_name),
        values: s.assigned.clone().map(|assigned| [assigned].into()),
        blocking_value: s.blocking.as_ref().map(value_number),
        passes: s.blocking.as_ref().map(|b| b.passes),
        decision: s.decision.map(u8::from),
    }
}

pub fn text(told: &LocalizeAnswer<'_>) -> String {
    let mut text = looks::conclusion(&told.conclusion());
    if let ErrorLookup::Error { outcome, how, .. } = &told.found {
        let _ = writeln!(
            text,
            "error: {}, at {}, {how}",
            run_show::what(told.program, &outcome.end),
            run_show::end_text(told.program, outcome),
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
    if let Some(places) = &told.places
        && !told.args.common.quiet
    {
        text.push_str(&ranked::text(places, told.args.all));
    }
    if let Some((outcome, _, found)) = told.localized() {
        if !told.args.common.quiet {
            let all = told.args.common.verbose;
            source_text(told.program, outcome, found, all, &mut text);
        }
        trace_text(found, told.args.common.verbose, &mut text);
    }
    for warning in &told.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

/// What becomes of the trace with this value.
pub fn with(value: &BlockingValue) -> String {
    let BlockingValue { text, .. } = value;
    match (value.passes, value.in_this_run) {
        (Some(true), _) => format!("passes with {text}"),
        (Some(false), _) => format!("blocked with {text}, but fails all the same"),
        (None, true) => format!("blocked with {text}"),
        (None, false) => format!("blocked with {text} in another run along this trace"),
    }
}

/// Statements of one line that are named beside it.
const MAX_NAMED: usize = 3;

/// What is said beside a line of these statements: what is the same of several is said once.
pub fn notes(statements: &[(&str, String)]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (text, note) in statements {
        match groups.iter_mut().find(|g| g.0 == note) {
            Some(group) => group.1.push(text),
            None => groups.push((note, vec![text])),
        }
    }
    if let [(note, texts)] = &groups[..]
        && texts.len() == 1
    {
        return (*note).to_owned();
    }
    let mut left = MAX_NAMED;
    let mut said = Vec::new();
    for (note, texts) in &groups {
        if left == 0 {
            break;
        }
        let named: Vec<String> = texts.iter().take(left).map(|t| format!("`{t}`")).collect();
        left -= named.len();
        let note = match note.strip_prefix("passes") {
            Some(rest) if named.len() > 1 => format!("pass{rest}"),
            _ => (*note).to_owned(),
        };
        said.push(format!("{} {note}", named.join(", ")));
    }
    let n_more = statements.len().saturating_sub(MAX_NAMED);
    if n_more > 0 {
        said.push(format!("{n_more} more"));
    }
    said.join("; ")
}

/// The lines of the source to look at, and those beside them.
fn source_text(
    program: &Program,
    outcome: &Outcome,
    found: &Localization,
    all: bool,
    text: &mut String,
) {
    let mut statements: BTreeMap<(&str, u32), Vec<&RelevantStatement>> = BTreeMap::new();
    for own in &found.relevant {
        if all || found.is_first(own.blocking.as_ref()) {
            let list = statements.entry((&own.file, own.line)).or_default();
            list.push(own);
        }
    }
    let mut marks: BTreeMap<(&str, u32), String> = BTreeMap::new();
    for (place, mut list) in statements {
        list.sort_by_key(|s| s.column);
        let said = |s: &RelevantStatement| match &s.blocking {
            Some(value) => with(value),
            None => "relevant".to_owned(),
        };
        let list: Vec<(&str, String)> = list.iter().map(|s| (s.text.as_str(), said(s))).collect();
        marks.insert(place, notes(&list));
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
                note = if note.is_empty() {
                    "fails here".to_owned()
                } else {
                    format!("{note}; fails here")
                };
            }
            let shown = format!("{sign} {line:>5} | {content}");
            let _ = if note.is_empty() {
                writeln!(text, "{}", shown.trim_end())
            } else {
                writeln!(text, "{shown:<52}  <- {note}")
            };
        }
    }
}

pub fn trace_text(found: &Localization, all: bool, text: &mut String) {
    let trace = &found.trace;
    let is_open = |s: &TraceStatement| match (s.is_assigning(), s.relevant) {
        (true, Some(true)) => found.is_first(s.blocking.as_ref()),
        (true, None) => true,
        _ => false,
    };
    let matters = |i: usize| all || is_open(&trace[i]) || trace[i].decision.is_some();
    let key = |i: usize| {
        let s = &trace[i];
        let passes = s.blocking.as_ref().map(|b| b.passes);
        (
            &s.file, s.line, &s.text, s.relevant, passes, s.decision, s.depth,
        )
    };
    let _ = writeln!(text, "trace of {}:", counted(trace.len(), "statement"));
    let (mut inside, mut n_rounds) = (0, 0);
    for line in fold(trace.len(), matters, key) {
        let bar = match inside {
            0 => "  ",
            _ => "  | ",
        };
        match line {
            FoldedLine::Repeat { lines, rounds } => {
                let _ = writeln!(text, "  {rounds} times:");
                (inside, n_rounds) = (lines + 1, rounds);
            }
            FoldedLine::Others(n) => {
                let _ = writeln!(text, "{bar}    … {n} more");
            }
            FoldedLine::Statement(i) => {
                let s = &trace[i];
                // One that is shown only because it stands alone is not pointed at.
                let is_pointed_at = all || is_open(s);
                let sign = match (s.is_assigning(), s.relevant) {
                    (true, Some(true)) if is_pointed_at => '>',
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
                    (_, _, Some(true)) if !is_pointed_at => String::new(),
                    (Some(value), _, Some(true)) if n_rounds == 0 => with(value),
                    (Some(value), _, Some(true)) => format!("{} in the first round", with(value)),
                    (_, true, None) => "not known".to_owned(),
                    _ => String::new(),
                };
                let _ = if note.is_empty() {
                    writeln!(text, "{shown}")
                } else {
                    writeln!(text, "{shown:<52}  <- {note}")
                };
            }
        }
        inside = inside.saturating_sub(1);
        if inside == 0 {
            n_rounds = 0;
        }
    }
    let n_folded = found.relevant_assignments().filter(|s| !is_open(s)).count();
    if n_folded > 0 && !all {
        let hidden = found.relevant.iter();
        let hidden = hidden.filter(|r| !found.is_first(r.blocking.as_ref()));
        let lines = hidden.map(|r| r.line).collect();
        text.push_str(&folded(n_folded, "this trace", "this run", lines));
    }
}

/// Relevant assignments that are not shown, and the lines of those that are shown nowhere.
pub fn folded(n: usize, trace: &str, run: &str, mut lines: Vec<u32>) -> String {
    let (blocks, them) = match n {
        1 => ("blocks", "it"),
        _ => ("block", "them"),
    };
    lines.sort_unstable();
    lines.dedup();
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    let places = match &numbers[..] {
        [] => String::new(),
        [one] => format!(" (line {one})"),
        several => format!(" (lines {})", several.join(", ")),
    };
    format!(
        "{n} more {blocks} {trace} with another value, but then {run} fails all the same{places}; \
         `-v` shows {them}\n"
    )
}

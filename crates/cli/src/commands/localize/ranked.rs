//! The places of the source in the order in which to look at them, and `--tests`.

use super::LocalizeArgs;
use crate::c_input::Units;
use crate::claim;
use crate::commands::run::show as run_show;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use idiolect_base::Budget;
use idiolect_interp::{CompileOptions, Compiled, End, NoObserver};
use idiolect_ir::{Program, Property};
use idiolect_localize::{
    CaseInputs, JudgedCase, Localization, NearRuns, PassingValue, PlaceKind, Places, PlacesConfig,
    RunCase, SuspectPlace, near, places,
};
use idiolect_outcome::results::{
    EvidenceRow, JsonNumber, LineCount, RankedResult, RankedStatistics, SuspectRow,
};
use idiolect_outcome::{Conclusion, GuaranteeKind, Verdict as Claim};
use idiolect_repair::{KnownFault, RepairTask, rank_by_edits};
use std::fmt::Write as _;
use std::sync::Arc;

/// Places that are shown, unless all are asked for.
const SHOWN: usize = 10;

/// Steps of a run that may still be judged.
pub const MAX_STEPS: u64 = 20_000_000;

/// Runs by which places are ranked.
#[derive(Clone, Default)]
pub struct RankingRuns {
    pub failing: Vec<RunCase>,
    pub passing: Vec<RunCase>,
    /// Runs near a failing one that fail like it: what small edits do is asked of them, too.
    pub also_failing: Vec<RunCase>,
    /// Faults of tests that were set aside.
    pub known_faults: Vec<KnownFault>,
}

impl RankingRuns {
    /// One failing run, with runs near it.
    pub fn near(
        program: &Arc<Program>,
        properties: &[Property],
        bits: &[u128],
        seed: u64,
        budget: &Budget,
    ) -> Self {
        let NearRuns { passing, failing } =
            near(program, properties, bits, seed, MAX_STEPS, budget);
        Self {
            failing: vec![RunCase::of_inputs(bits.to_vec())],
            passing,
            also_failing: failing,
            known_faults: Vec::new(),
        }
    }
}

/// The places by these runs, and by what small edits do to them. What the trace of the only failing run says is known.
pub fn rank(
    setting: &Setting<'_>,
    runs: &RankingRuns,
    trace: Option<&Localization>,
    budget: &Budget,
) -> Places {
    let Setting {
        program,
        units,
        properties,
    } = *setting;
    let (failing, passing) = (&runs.failing, &runs.passing);
    let has_tests = failing.iter().any(|case| !case.is_plain());
    let config = if has_tests {
        PlacesConfig::default()
    } else {
        PlacesConfig::for_one_run()
    };
    let mut found = places(program, properties, failing, passing, &config, budget);
    let has_no_inputs =
        |case: &RunCase| matches!(&case.inputs, CaseInputs::List(l) if l.is_empty());
    if let Some(trace) = trace.filter(|_| failing.iter().all(has_no_inputs)) {
        refute(&mut found, trace);
    }
    let task = RepairTask {
        program,
        units: units.units(),
        failing: failing.iter().chain(&runs.also_failing).cloned().collect(),
        passing: passing.clone(),
        places: &found,
        known_faults: runs.known_faults.clone(),
        has_tests,
    };
    let config = idiolect_repair::RepairConfig {
        properties: properties.to_vec(),
        max_candidates: 1_500,
        ..idiolect_repair::RepairConfig::default()
    };
    rank_by_edits(&task, units, &config, budget)
}

/// Whether another value at an assignment that is executed once lets the run pass is not always known. If none blocks
/// the trace and there are no inputs, which could be others then, none does.
fn refute(found: &mut Places, trace: &Localization) {
    let is_refuted = |place: &SuspectPlace| {
        let at = (trace.trace.iter())
            .filter(|s| s.line == place.line && s.file == place.file && s.is_assigning());
        let mut relevant = at.map(|s| s.relevant);
        place.kind == PlaceKind::Assign
            && place.passes.is_none()
            && relevant.next() == Some(Some(false))
            && relevant.next().is_none()
    };
    let (refuted, list): (Vec<_>, Vec<_>) = found.list.drain(..).partition(is_refuted);
    found.list = list;
    for mut place in refuted {
        place.passes = Some(false);
        found.n_refuted += 1;
        found.refuted.push(place);
    }
}

/// Each line once, with its best place: a line has a condition, its parts and its constants.
fn by_line(found: &Places) -> Vec<&SuspectPlace> {
    let mut lines: Vec<(&str, u32)> = Vec::new();
    let mut list = Vec::new();
    for place in &found.list {
        if !lines.contains(&(&place.file, place.line)) {
            lines.push((&place.file, place.line));
            list.push(place);
        }
    }
    list
}

fn note(place: &SuspectPlace) -> String {
    let Some(value) = &place.value else {
        if place.kind == PlaceKind::Statement {
            return if place.in_failing < 1.0 {
                "some failing runs come here".to_owned()
            } else {
                "every failing run comes here".to_owned()
            };
        }
        return "not known whether a value passes".to_owned();
    };
    let number = match (place.kind, value.number, &value.name) {
        (_, _, Some(name)) => format!("`{name}`"),
        (PlaceKind::Condition, 0, _) => "false".to_owned(),
        (PlaceKind::Condition, ..) => "true".to_owned(),
        (_, number, _) => number.to_string(),
    };
    let when = match value.execution {
        None => String::new(),
        Some(n) => format!(" the {} time", ordinal(n)),
    };
    let runs = match place.n_failing {
        0 | 1 => String::new(),
        n => format!(" ({} of {n} failing runs)", place.n_passing_with),
    };
    format!("passes with {number}{when}{runs}")
}

fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// The ranked list.
pub fn text(found: &Places, all: bool) -> String {
    let list = by_line(found);
    let mut text = String::new();
    if list.is_empty() {
        return text;
    }
    let _ = writeln!(text, "where to look, best first:");
    let n_shown = if all { list.len() } else { SHOWN };
    for (i, place) in list.iter().take(n_shown).enumerate() {
        let what = format!("{} `{}`", place.kind.word(), one_line(&place.text));
        let _ = writeln!(
            text,
            "{:>4}. {:.2}  {}:{}  {what}  <- {}",
            i + 1,
            place.score,
            place.file,
            place.line,
            note(place)
        );
    }
    if list.len() > n_shown {
        let _ = writeln!(
            text,
            "      … {} more; `--all` shows them",
            list.len() - n_shown
        );
    }
    text
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

/// Every place with its score.
pub fn rows(found: &Places) -> Vec<SuspectRow> {
    let list = found.list.iter().enumerate();
    list.map(|(i, p)| SuspectRow {
        rank: i + 1,
        file: p.file.clone(),
        line: p.line,
        column: p.column,
        function: p.function.clone(),
        text: p.text.clone(),
        kind: p.kind.word(),
        score: rounded(p.score),
        spectrum: p.spectrum.map(rounded),
        evidence: EvidenceRow {
            helped: rounded(p.evidence.helped),
            spectrum: rounded(p.evidence.spectrum),
            near: rounded(p.evidence.near),
            kind: rounded(p.evidence.kind),
            edits: rounded(p.evidence.edits),
        },
        passes: p.passes,
        passing_value: p.value.as_ref().map(passing_value),
        execution: p.value.as_ref().and_then(|v| v.execution),
        solved: p.value.as_ref().is_some_and(|v| v.is_solved),
    })
    .collect()
}

/// How many of the tests come to each line, by file.
fn line_counts(found: &Places) -> Vec<LineCount> {
    let list = found.lines.iter();
    list.map(|l| LineCount {
        file: l.file.clone(),
        line: l.line,
        failing: l.failing,
        passing: l.passing,
    })
    .collect()
}

/// A number, or a pointer as C writes it.
fn passing_value(value: &PassingValue) -> JsonNumber {
    match (&value.name, i64::try_from(value.number)) {
        (Some(name), _) => JsonNumber::Text(name.clone()),
        (None, Ok(small)) => JsonNumber::Integer(small),
        (None, Err(_)) => JsonNumber::Text(value.number.to_string()),
    }
}

/// The best score of a line.
pub fn score_of(found: Option<&Places>, file: &str, line: u32) -> f64 {
    let list = found.map_or(&[][..], |f| &f.list);
    let own = list.iter().filter(|p| p.line == line && p.file == file);
    let best = own.map(|p| p.score).fold(0.0, f64::max);
    (best * 1e4).round() / 1e4
}

/// Tests by how they go now: failing, passing, and those that cannot be judged.
#[derive(Default)]
pub struct Sorted {
    pub runs: RankingRuns,
    pub open: Vec<String>,
    /// Those that end with a fault although others fail by what they print: another bug, whose runs would
    /// hide this one. With what each ends with, and where.
    pub aside: Vec<(String, String)>,
}

pub fn sort(
    program: &Arc<Program>,
    properties: &[Property],
    tests: Vec<RunCase>,
    budget: &Budget,
) -> Sorted {
    let check_overflow = properties.contains(&Property::Overflow);
    let compiled = Compiled::new(program.clone(), &CompileOptions { check_overflow });
    let mut sorted = Sorted::default();
    let runs = &mut sorted.runs;
    let mut faulting: Vec<(RunCase, String)> = Vec::new();
    for case in tests {
        let outcome = case.run(
            &compiled,
            idiolect_localize::MAX_STEPS,
            &mut NoObserver,
            budget,
        );
        match case.judge(&outcome, properties) {
            JudgedCase::Passes => runs.passing.push(case),
            JudgedCase::Fails if matches!(outcome.end, End::Fault(_)) => {
                let what = run_show::what(program, &outcome.end);
                let at = run_show::end_text(program, &outcome);
                let fault = KnownFault::of(program, &outcome);
                let is_new = |f: &KnownFault| !runs.known_faults.contains(f);
                let fault = fault.filter(is_new);
                runs.known_faults.extend(fault);
                faulting.push((case, format!("{what} at {at}")));
            }
            JudgedCase::Fails => runs.failing.push(case),
            JudgedCase::Open => sorted.open.push(case.name),
        }
    }
    if runs.failing.is_empty() {
        runs.failing = faulting.into_iter().map(|(case, _)| case).collect();
        runs.known_faults.clear();
    } else {
        sorted.aside = faulting
            .into_iter()
            .map(|(c, what)| (c.name, what))
            .collect()
    }
    sorted
}

/// What is looked at.
pub struct Setting<'a> {
    pub program: &'a Arc<Program>,
    pub units: &'a Units,
    pub properties: &'a [Property],
}

/// `localize --tests`.
pub fn run(
    args: &LocalizeArgs,
    setting: &Setting<'_>,
    tests: Vec<RunCase>,
    mut warnings: Vec<String>,
    budget: &Budget,
    timing: &mut Timing,
) -> Result<Exit, CommandFailure> {
    let (program, properties) = (setting.program, setting.properties);
    let progress = ProgressLine::start(&args.common, "localize");
    let n_tests = tests.len();
    progress.say(|| format!("running {}", counted(n_tests, "test")));
    let sorted = sort(program, properties, tests, budget);
    warnings.extend(left_out(&sorted));
    timing.phase("tests");
    progress.say(|| "asking for another value at each place".to_owned());
    let found = rank(setting, &sorted.runs, None, budget);
    timing.phase("places");
    drop(progress);
    let conclusion = conclusion(program, &sorted, &found);
    let statistics = RankedStatistics {
        iterations: 1,
        error_traces: sorted.runs.failing.len(),
        failing_tests: sorted.runs.failing.len(),
        tests_set_aside: sorted.aside.len(),
        passing_tests: sorted.runs.passing.len(),
        suspects: found.n_suspects,
        refuted: found.n_refuted,
        solved: found.n_solved,
        statements: 0,
        solver_calls: found.n_solved,
    };
    let places = rows(&found);
    let passes = |p: &&SuspectRow| p.passes == Some(true);
    let result = RankedResult {
        relevant: places.iter().filter(passes).cloned().collect(),
        places,
        traces: [],
        error: None,
        lines: line_counts(&found),
        failing_tests: sorted.runs.failing.iter().map(|c| c.name.clone()).collect(),
    };
    let timing = (!args.common.no_timing).then_some(&*timing);
    let value = output::answer_json(
        "localize",
        &conclusion,
        statistics,
        &warnings,
        timing,
        result,
    );
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let page = output::page("localize", &program.sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || {
        let mut shown = looks::conclusion(&conclusion);
        shown.push_str(&text(&found, args.all));
        for warning in &warnings {
            let _ = writeln!(shown, "warning: {warning}");
        }
        shown
    });
    Ok(args.common.exit(&conclusion))
}

/// What is said of tests that could not be judged, and of those that were set aside.
pub fn left_out(sorted: &Sorted) -> Vec<String> {
    let open = sorted.open.first().map(|first| {
        format!(
            "{} could not be judged (cut, or beyond what is modelled), `{first}` first",
            counted(sorted.open.len(), "test")
        )
    });
    let aside = sorted.aside.first().map(|(first, what)| {
        format!(
            "{} set aside, `{first}` first: {what}. This is a bug of its own; give these tests alone to look \
             for it",
            counted(sorted.aside.len(), "failing test")
        )
    });
    open.into_iter().chain(aside).collect()
}

fn conclusion(program: &Program, sorted: &Sorted, found: &Places) -> Conclusion {
    let ledger = claim::ledger(program);
    let (n_failing, n_passing) = (sorted.runs.failing.len(), sorted.runs.passing.len());
    if n_failing == 0 {
        let text = format!(
            "All {} pass; there is nothing to localize.",
            counted(n_passing, "test")
        );
        return Conclusion::undecided(text, &ledger);
    }
    let fail = if n_failing == 1 { "fails" } else { "fail" };
    let tests = format!(
        "{n_failing} of {} {fail}",
        counted(n_failing + n_passing, "test")
    );
    let n = found.list.iter().filter(|p| p.passes == Some(true)).count();
    if n > 0 {
        let places = match n {
            1 => "At 1 place another value makes a failing run pass".to_owned(),
            n => format!("At {n} places another value makes a failing run pass"),
        };
        let others = match found.n_refuted {
            0 => String::new(),
            n => format!("; at {} no value does", counted(n, "other place")),
        };
        let text = format!("{tests}. {places}{others}.");
        return Conclusion::new(Claim::Relevant, GuaranteeKind::Replayed, text, &ledger);
    }
    if found.list.is_empty() && found.stopped.is_none() && found.n_suspects > 0 {
        let text = format!(
            "{tests}, and no value at any one of {} makes a failing run pass.",
            counted(found.n_suspects, "place")
        );
        return Conclusion::new(Claim::NoSimpleFix, GuaranteeKind::Replayed, text, &ledger);
    }
    let text =
        format!("{tests}. No place was found at which another value makes a failing run pass.");
    Conclusion::undecided(text, &ledger)
}

//! Where to look first: every place of the source with a score.
//!
//! A place counts if some value there, and nothing else changed, makes failing runs pass: a condition
//! or a returned value at every execution or at one, a constant at every one. Few values are tried;
//! then the value is solved for ([`solving`](crate::solving)), so that "no value passes" is known and
//! not guessed. Runs that pass and runs that fail give each place a second number, Ochiai's. Both
//! together are the score. A place that some failing run does not come to does not explain that run: what
//! speaks for it counts for the others alone. One at which no value makes any failing run pass is no suspect, whatever
//! other runs say.

use crate::another::{Asking, Failing, Replaceable, numbers};
use crate::case::{JudgedCase, MAX_STEPS, RunCase, machine};
use crate::evidence::PlaceEvidence;
use crate::initial::Initial;
use crate::sites::{SiteKind, Suspect, suspects};
use crate::solving::Solved;
use crate::spectrum::{Covered, LineRuns, Spectrum, number_of};
use idiolect_base::{Budget, Span, StopReason};
use idiolect_interp::{CompileOptions, Compiled, End};
use idiolect_ir::{Location, Program, Property};
use std::cmp::Reverse;
use std::sync::Arc;

pub use crate::sites::SiteKind as PlaceKind;

/// How much is done.
#[derive(Clone, Debug)]
pub struct PlacesConfig {
    /// Failing runs in which values are looked for; all of them count for the spectrum.
    pub max_failing: usize,
    /// Executions of a place that are replaced one at a time.
    pub max_executions: usize,
    /// Steps of the interpreter in all.
    pub steps: u64,
    /// Work of the solver in all: statements and terms.
    pub work: u64,
}

impl Default for PlacesConfig {
    fn default() -> Self {
        Self {
            max_failing: 4,
            max_executions: 8,
            steps: 40_000_000,
            work: 400_000,
        }
    }
}

impl PlacesConfig {
    /// For a run that was found and not given: its trace has been looked at already, and nobody waits for a ranking of places
    /// longer than for that.
    pub fn for_one_run() -> Self {
        Self {
            steps: 3_500_000,
            work: 150_000,
            ..Self::default()
        }
    }
}

/// A place may take so many times its part of the steps that are left before the others have been asked.
const SHARES: u64 = 2;

/// A value with which a failing run passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassingValue {
    pub number: i128,
    /// How a pointer is written.
    pub name: Option<String>,
    /// The only execution that has it, counted from 1; all have it if `None`.
    pub execution: Option<u64>,
    /// It was solved for.
    pub is_solved: bool,
}

/// A place of the source that may be at fault.
#[derive(Clone, Debug)]
pub struct SuspectPlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
    pub kind: SiteKind,
    /// From 0 to 1.
    pub score: f64,
    /// What the score is made of.
    pub evidence: PlaceEvidence,
    /// Ochiai's number, if there are runs that pass.
    pub spectrum: Option<f64>,
    pub value: Option<PassingValue>,
    /// Of all failing runs: numbers that every execution may have.
    pub numbers: Vec<i128>,
    /// Whether some value makes a failing run pass; `None` is not known.
    pub passes: Option<bool>,
    /// The part of the failing runs that come here.
    pub in_failing: f64,
    /// Failing runs that were looked at, and those that pass with some value.
    pub n_failing: usize,
    pub n_passing_with: usize,
    pub span: Span,
    pub location: Location,
}

/// What is known of all of them.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Best first; without those at which no value passes.
    pub list: Vec<SuspectPlace>,
    /// Places at which no value makes any failing run pass.
    pub refuted: Vec<SuspectPlace>,
    pub n_refuted: usize,
    /// All suspects of the failing runs.
    pub n_suspects: usize,
    pub n_solved: usize,
    /// Runs that count as passing in the spectrum.
    pub n_passing_runs: usize,
    pub n_failing_runs: usize,
    /// Every line that some run comes to, in order: what spectrum-based rankings are computed from.
    pub lines: Vec<LineRuns>,
    pub stopped: Option<StopReason>,
}

/// Ranks the places of the source by these runs. Runs that do not fail although they should are no
/// failing ones.
pub fn places(
    program: &Arc<Program>,
    properties: &[Property],
    failing: &[RunCase],
    passing: &[RunCase],
    config: &PlacesConfig,
    budget: &Budget,
) -> Places {
    let check_overflow = properties.contains(&Property::Overflow);
    let options = CompileOptions { check_overflow };
    let initial = Initial::new(program);
    let compiled = Compiled::new(initial.program.clone(), &options);
    let mut spectrum = Spectrum::new(program, initial.list.len());
    let mut runs: Vec<Failing<'_>> = Vec::new();
    let mut found = Places::default();
    // Steps of the longest run that ends.
    let mut typical = 0;
    let mut machine = machine(&compiled, MAX_STEPS);
    for case in failing.iter().chain(passing) {
        let mut covered = spectrum.covered();
        let mut source = initial.with(case.source());
        let outcome = machine.run(&mut source, &mut covered, budget);
        let Covered {
            mut counts,
            last,
            assigned,
            ..
        } = covered;
        for number in initial.read(&outcome.inputs) {
            counts[spectrum.n_statements + number] = 1;
        }
        let judged = case.judge(&outcome, properties);
        if judged == JudgedCase::Open {
            continue;
        }
        let is_cut = matches!(outcome.end, End::Limit(_));
        if !is_cut {
            typical = typical.max(outcome.steps);
        }
        spectrum.add(&counts, judged == JudgedCase::Passes);
        if judged == JudgedCase::Fails {
            runs.push(Failing {
                case,
                counts,
                last,
                assigned,
                steps: outcome.steps,
                is_cut,
                wanted: case
                    .expected
                    .stdout
                    .as_deref()
                    .map_or_else(Vec::new, numbers),
            });
        }
        if let Err(reason) = budget.look() {
            found.stopped = Some(reason);
            break;
        }
    }
    found.n_failing_runs = spectrum.n_failing as usize;
    found.n_passing_runs = spectrum.n_passing as usize;
    let executed = |l: &LineRuns| l.failing + l.passing > 0;
    let lines = spectrum.lines.iter().map(|line| &line.runs);
    found.lines = lines.filter(|l| executed(l)).cloned().collect();
    // The shortest are the cheapest to do again.
    for run in runs.iter_mut().filter(|r| r.is_cut) {
        run.steps = typical.max(2_000);
    }
    runs.sort_by_key(|r| (r.is_cut, r.steps));
    let slot = |suspect: &Suspect| match initial.number(suspect.site) {
        Some(number) => spectrum.n_statements + number,
        None => number_of(&spectrum.first, suspect.at),
    };
    let mut list = suspects(program);
    list.extend(initial.list.iter().cloned());
    in_order(&mut list, &spectrum, &runs, &slot);
    found.n_suspects = list.len();
    let replaceable = Replaceable::new(program, properties, &list);
    let mut asking = Asking::new(program, properties, &replaceable, config, budget);
    let asked = ask_all(
        &mut asking,
        program,
        &list,
        (&spectrum, &runs),
        &slot,
        config,
    );
    let mut ranked = Vec::new();
    for ((mut place, near), suspect) in asked.into_iter().zip(&list) {
        if place.passes == Some(false) {
            found.n_refuted += 1;
            found.refuted.push(place);
            continue;
        }
        let has_passing = spectrum.n_passing > 0;
        place.spectrum = has_passing.then(|| spectrum.ochiai(slot(suspect)));
        ranked.push((place, near));
    }
    if failing.iter().any(|c| !c.is_plain()) {
        let others = statements(program, &spectrum, &runs, &ranked, &found.refuted);
        ranked.extend(others);
    }
    let best = (ranked.iter()).filter_map(|(place, _)| place.spectrum);
    let best = best.fold(0.0, f64::max);
    let ranked = ranked.into_iter().map(|(mut place, near)| {
        place.evidence = PlaceEvidence::new(&place, near, best);
        place.score = place.evidence.score();
        place
    });
    found.n_solved = asking.n_solved;
    found.stopped = found.stopped.or(asking.stopped);
    found.list = ranked.collect();
    found.sort();
    found
}

/// Every suspect as a place, with how near the end of a failing run it was executed last.
fn ask_all(
    asking: &mut Asking<'_>,
    program: &Program,
    list: &[Suspect],
    (spectrum, runs): (&Spectrum, &[Failing<'_>]),
    slot: &dyn Fn(&Suspect) -> usize,
    config: &PlacesConfig,
) -> Vec<(SuspectPlace, f64)> {
    // What runs with one place replaced take must not keep the others from being asked: a share for each, and what is left for those
    // that want more.
    let mut asked: Vec<(SuspectPlace, f64)> = Vec::with_capacity(list.len());
    let mut again = Vec::new();
    for (number, suspect) in list.iter().enumerate() {
        let at = slot(suspect);
        let own = coming_to(runs, at, config);
        let mut place = placed(program, suspect);
        place.in_failing = spectrum.part_of_failing(spectrum.failing[at]);
        place.n_failing = own.len();
        asking.share(SHARES * asking.steps_left / (list.len() - number) as u64);
        ask(asking, (number, suspect, at), &own, &mut place);
        if asking.wants_more && place.passes.is_none() {
            again.push(number);
        }
        asked.push((place, own.first().map_or(0.0, |r| r.near(at))));
    }
    for number in again {
        let at = slot(&list[number]);
        asking.share(asking.steps_left);
        let own = coming_to(runs, at, config);
        ask(
            asking,
            (number, &list[number], at),
            &own,
            &mut asked[number].0,
        );
    }
    asked
}

/// A place explains nothing of a run that does not come to it.
fn coming_to<'a, 'b>(
    runs: &'a [Failing<'b>],
    at: usize,
    config: &PlacesConfig,
) -> Vec<&'a Failing<'b>> {
    let own = runs.iter().filter(|r| r.counts[at] > 0);
    own.take(config.max_failing.max(1)).collect()
}

/// Asks for a value with which failing runs pass, one run after the other.
fn ask(
    asking: &mut Asking<'_>,
    (number, suspect, at): (usize, &Suspect, usize),
    runs: &[&Failing<'_>],
    place: &mut SuspectPlace,
) {
    let mut all_never = true;
    for (i, &run) in runs.iter().enumerate() {
        // If one is not helped by anything, the others are not asked.
        if i > 0 && place.passes == Some(false) {
            break;
        }
        asking.may_solve = i == 0;
        asking.hint = place.value.as_ref().map(|v| v.number);
        match asking.passing(number, suspect, run, run.counts[at], at) {
            Solved::Passes(_) => {
                place.n_passing_with += 1;
                all_never = false;
                place.passes = Some(true);
                let value = asking.last.take();
                let every = value.as_ref().filter(|v| v.execution.is_none());
                place.numbers.extend(every.map(|v| v.number));
                place.value = place.value.take().or(value);
            }
            Solved::Never if i == 0 => place.passes = Some(false),
            Solved::Never => {}
            Solved::Unknown => all_never = false,
        }
    }
    if place.passes != Some(true) && all_never {
        place.passes = Some(false);
    }
}

/// Keeps the suspects that some failing run comes to, the likeliest first: the work may end before the last.
fn in_order(
    list: &mut Vec<Suspect>,
    spectrum: &Spectrum,
    runs: &[Failing<'_>],
    slot: &dyn Fn(&Suspect) -> usize,
) {
    let failing = |s: &Suspect| spectrum.failing[slot(s)];
    list.retain(|s| failing(s) > 0);
    let last = |s: &Suspect| runs.first().map_or(0, |r| r.last[slot(s)]);
    if spectrum.n_passing > 0 {
        list.sort_by_key(|s| Reverse((spectrum.ochiai(slot(s)) * 1e6) as u64));
    } else {
        list.sort_by_key(|s| Reverse((failing(s), last(s))));
    }
}

impl Places {
    /// The best first.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|p| {
            (
                Reverse((p.score * 1e6) as u64),
                p.file.clone(),
                p.line,
                p.column,
            )
        });
    }
}

/// Lines that failing runs come to and that have nothing to be replaced.
fn statements(
    program: &Program,
    spectrum: &Spectrum,
    runs: &[Failing<'_>],
    ranked: &[(SuspectPlace, f64)],
    refuted: &[SuspectPlace],
) -> Vec<(SuspectPlace, f64)> {
    let asked = crate::sites::specification_functions(program);
    let mut list = Vec::new();
    for line in &spectrum.lines {
        let LineRuns {
            failing, passing, ..
        } = line.runs;
        let mut known = ranked.iter().map(|r| &r.0).chain(refuted);
        let is_known = |p: &SuspectPlace| p.line == line.runs.line && p.file == line.runs.file;
        let is_asked = asked.contains(&program.function(line.at.function).name);
        if failing == 0 || is_asked || known.any(is_known) {
            continue;
        }
        let mut place = place_of(program, line.at, line.span, SiteKind::Statement);
        place.in_failing = spectrum.part_of_failing(failing);
        let has_words = place.text.contains(|c: char| c.is_alphanumeric());
        if has_words {
            place.spectrum = Some(spectrum.ochiai_of(failing, passing));
            let at = number_of(&spectrum.first, line.at);
            let near = runs.iter().map(|r| r.near(at)).find(|near| *near > 0.0);
            list.push((place, near.unwrap_or(0.0)));
        }
    }
    list
}

fn placed(program: &Program, suspect: &Suspect) -> SuspectPlace {
    place_of(program, suspect.at, suspect.span, suspect.kind)
}

fn place_of(program: &Program, location: Location, span: Span, kind: SiteKind) -> SuspectPlace {
    let sources = &program.sources;
    let at = sources.place(span);
    let (file, line, column) = at.map_or_else(Default::default, |p| (p.file, p.line, p.column));
    let written = sources.slice(span);
    let line_text = sources.line_text(span).unwrap_or("");
    // As it is written, unless macros hide it.
    let text = if !written.is_empty() && line_text.contains(written) {
        written.to_owned()
    } else {
        sources.statement_text(span)
    };
    SuspectPlace {
        file,
        line,
        column,
        function: program.function(location.function).name.clone(),
        text: text.trim_end_matches(';').to_owned(),
        kind,
        score: 0.0,
        evidence: PlaceEvidence::default(),
        spectrum: None,
        value: None,
        numbers: Vec::new(),
        passes: None,
        in_failing: 0.0,
        n_failing: 0,
        n_passing_with: 0,
        span,
        location,
    }
}

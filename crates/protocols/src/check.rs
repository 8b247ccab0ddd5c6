//! `idiolect check`: which runs break a mined protocol, and where.

mod parts;

use super::mine;
use super::traces::{self, Piece, StoredTrace, TraceFormatArgs};
use crate::args::{CommonArgs, output_file, up_to};
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use crate::spec::lives::{self, CallPlaces};
use crate::spec::read_spec;
use clap::{Args, ValueEnum};
use idiolect_automata::formats::dot;
use idiolect_automata::formats::json::JsonAutomaton;
use idiolect_base::{Budget, Canceller};
use idiolect_mine::{
    CallOrEnd, CheckConfig, CheckPart, CheckedScenarios, Checker, FoundScenario, LifeCheck,
    LifeChecker, LifeViolation, MinedSpecification, ScenarioViolation, Sieve, for_each_item,
    for_process, in_parallel, places,
};
use idiolect_outcome::results::{BrokenSeed, CheckResult, CheckStatistics, CheckViolations};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect mine good/*.trace --api socket --spec server.spec
  idiolect check --spec server.spec new.trace
  idiolect check --spec server.spec s.out --format strace --json
  idiolect check --spec server.spec s.out --format strace,github
  idiolect check --spec server.spec --monitor watch.c && cc -o server server.c watch.c -ldl

Every call on every object is looked at: what is never ended is *missing* its end, a call that must not
come where it comes is *forbidden*, and what stops between two calls that belong together is
*unfinished*. With `--check paper`, as with specifications without rules about objects, a run violates
the specification if some seed has no scenario, of any size up to the limit, that it accepts.")]
pub struct CheckArgs {
    /// The specification, as `idiolect mine --spec` wrote it
    #[arg(long, value_name = "SPEC")]
    spec: PathBuf,

    /// Traces: text, JSON lines, or what strace or ltrace wrote; `-` reads standard input
    #[arg(required_unless_present_any = ["add_parts", "monitor"], value_name = "TRACE")]
    traces: Vec<PathBuf>,

    /// Only these bytes of the one trace, as `idiolect mine --cuts` gives them (with `--write-part`)
    #[arg(long, value_name = "A..B", requires = "write_part")]
    range: Option<String>,

    /// Write what was found, to be put together elsewhere, and print nothing; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "report", value_parser = output_file())]
    write_part: Option<PathBuf>,

    /// Put together what `--write-part` wrote with the same specification, of whole traces
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["traces", "write_part"])]
    add_parts: Vec<PathBuf>,

    /// Look at every object from birth to end (the default; the same as `--check all`)
    #[arg(long, conflicts_with = "check")]
    all: bool,

    /// Look at every object, or ask for one good scenario around each seed, as the paper does
    #[arg(long, value_name = "HOW", default_value = "all")]
    check: CheckMode,

    #[command(flatten)]
    pub format: TraceFormatArgs,

    /// The most ancestors and descendants together (default: as many as mining took)
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    max_size: Option<usize>,

    /// Scenarios tried for one seed before it is given up as undecided
    #[arg(long, value_name = "N", default_value_t = CheckConfig::default().most_scenarios, value_parser = up_to(1_000_000_000))]
    max_scenarios: usize,

    /// Write the rules about objects as a C file that watches a program while it runs: linked with it, or preloaded
    #[arg(long, value_name = "FILE.c", value_parser = output_file())]
    monitor: Option<PathBuf>,

    /// Write the specification in DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    dot: Option<PathBuf>,

    /// Write the specification as a drawing
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<PathBuf>,

    /// Write violations as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    sarif: Option<PathBuf>,

    /// Write everything as one HTML page
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    /// How many traces are read at a time (default: one per core)
    #[arg(long, value_name = "N", value_parser = up_to(1024))]
    jobs: Option<usize>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum CheckMode {
    /// Every call on every object
    All,
    /// Some scenario around every seed
    Paper,
}

/// What came of all traces.
#[derive(Default)]
struct Outcome {
    warnings: Vec<String>,
    /// With the file of each.
    violations: Vec<(String, ScenarioViolation)>,
    /// Seeds for which not all scenarios could be tried.
    undecided: Vec<(String, ScenarioViolation)>,
    /// Objects that break a rule, with the file and the places of its calls.
    broken: Vec<(String, LifeViolation, CallPlaces)>,
    /// Whether objects were looked at rather than seeds.
    is_lives: bool,
    objects: u64,
    checked: u64,
    events: u64,
    seeds: u64,
    runs: u64,
    calls: u64,
    unknown_calls: u64,
    skipped: u64,
    tried: u64,
    stopped: bool,
}

impl Outcome {
    fn add(&mut self, part: CheckPart) -> Result<(), CommandFailure> {
        let (name, checked, summary) = (&part.trace, part.checked, &part.summary);
        self.warnings.extend(traces::judge(name, summary)?);
        self.runs += summary.runs;
        self.calls += summary.calls;
        self.unknown_calls += summary.unknown_calls;
        self.skipped += summary.skipped.count;
        self.stopped |= summary.stopped.is_some();
        self.seeds += checked.seeds;
        self.tried += checked.scenarios_tried;
        if checked.seeds == 0 && !self.is_lives {
            self.warnings.push(format!(
                "{name}: there is no seed in it, so nothing was checked"
            ));
        }
        for violation in checked.violations {
            if violation.is_certain {
                self.violations.push((name.to_owned(), violation))
            } else {
                self.undecided.push((name.to_owned(), violation))
            }
        }
        self.add_lives(part.trace, part.lives, &part.places);
        Ok(())
    }

    fn add_lives(&mut self, name: String, lives: LifeCheck, places: &CallPlaces) {
        self.objects += lives.objects;
        self.checked += lives.checked;
        self.events += lives.events;
        if self.is_lives && lives.checked == 0 {
            self.warnings.push(format!(
                "{name}: no rule is about any object in it, so nothing was checked"
            ));
        }
        for violation in lives.violations {
            let steps = violation.life.iter().flatten().map(|step| step.line);
            let own = steps.chain([violation.line]);
            let own = own.filter_map(|line| Some((line, places.get(&line)?.clone())));
            let own = own.collect();
            self.broken.push((name.clone(), violation, own));
        }
    }

    /// What may be said of what was looked at.
    fn conclusion(&self) -> Conclusion {
        let n_broken = self.violations.len() + self.broken.len();
        let verdict = if n_broken > 0 {
            Verdict::Violates
        } else if self.stopped || !self.undecided.is_empty() {
            Verdict::Undecided
        } else {
            Verdict::Satisfies
        };
        let text = if self.is_lives {
            self.of_lives(verdict)
        } else {
            self.of_seeds(verdict)
        };
        Conclusion::new(verdict, GuaranteeKind::Checked, text, &Ledger::default())
    }

    fn of_lives(&self, verdict: Verdict) -> String {
        let objects = counted(self.checked, "object");
        match verdict {
            Verdict::Violates => format!(
                "{} in the lives of {objects}; every call on them was looked at.",
                counted(self.broken.len(), "violation")
            ),
            Verdict::Satisfies => format!("{objects}, each within the rules from birth to end."),
            _ => format!("Not finished; none of the first {objects} breaks a rule."),
        }
    }

    fn of_seeds(&self, verdict: Verdict) -> String {
        let seeds = counted(self.seeds, "seed");
        match verdict {
            Verdict::Violates => format!(
                "{} of {seeds} without a scenario that the specification accepts; all were \
                 tried.",
                self.violations.len()
            ),
            Verdict::Satisfies => {
                format!("{seeds}, each with a scenario that the specification accepts.")
            }
            _ if self.undecided.is_empty() => {
                format!("Not finished; none of the first {seeds} violates the specification.")
            }
            _ => format!(
                "{} of {seeds} may violate the specification, but not all their scenarios \
                 could be tried.",
                self.undecided.len()
            ),
        }
    }
}

/// Checks traces, or joins what parts of them gave.
pub fn run(args: &CheckArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let spec = read_spec(&args.spec)?;
    let traces = StoredTrace::all(&args.traces)?;
    if let Some(path) = &args.dot {
        let drawing = dot::write_nfa(&spec.automaton, &spec.alphabet);
        output::write_whole(path, drawing.as_bytes())?;
    }
    if let Some(path) = &args.monitor {
        write_monitor(path, &args.spec, &spec)?;
        if args.traces.is_empty() && args.add_parts.is_empty() {
            return Ok(Exit::Clean);
        }
    }
    timing.phase("read");
    let is_lives = args.check == CheckMode::All && !spec.lives.rules.is_empty();
    let found = match args.add_parts.as_slice() {
        [] => look(args, &spec, is_lives, &traces, canceller)?,
        files => parts::read(files, &parts::fingerprint(args, &spec, is_lives))?,
    };
    if let Some(path) = &args.write_part {
        return parts::write(path, &parts::fingerprint(args, &spec, is_lives), &found);
    }
    let mut outcome = Outcome {
        is_lives,
        ..Outcome::default()
    };
    for part in found {
        outcome.add(part)?;
    }
    if !is_lives && args.check == CheckMode::All {
        outcome.warnings.push(
            "the specification has no rules about objects, so seeds were checked (`--check paper`)"
                .to_owned(),
        );
    }
    if spec.automaton.n_states() == 0 && !is_lives {
        outcome
            .warnings
            .push("the specification is empty: it accepts nothing".to_owned());
    }
    timing.phase("check");
    let timing = (!args.common.no_timing).then_some(&timing);
    let value = to_json(&spec, &outcome, timing);
    if let Some(path) = &args.svg {
        traces::write_svg(path, &value["specification"])?;
    }
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let failing = traces.iter().filter(|trace| {
            let name = trace.name();
            let mut all = outcome.violations.iter().chain(&outcome.undecided);
            let mut broken = outcome.broken.iter();
            all.any(|(file, _)| *file == name) || broken.any(|(file, ..)| *file == name)
        });
        // The page draws the lives of objects, too.
        let mut page = value.clone();
        if outcome.is_lives {
            let lives = mine::lives_json(&spec.lives, &spec.vocabulary(), None);
            page["lives"] = json!({ "automata": lives["automata"] });
        }
        let called = called_from(&page);
        let title = traces::title("check", &traces);
        traces::write_report(path, &title, &page, &failing.collect::<Vec<_>>(), &called)?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || {
        to_text(&spec, &outcome, args.common.verbose)
    });
    Ok(args.common.exit(&outcome.conclusion()))
}

/// The C files that violations are in, as far as traces name them.
fn called_from(outcome: &Value) -> Vec<PathBuf> {
    let violations = outcome["violations"].as_array().into_iter().flatten();
    let places = violations.flat_map(|found| found["scenario_at"].as_array().into_iter().flatten());
    let files = places
        .filter_map(Value::as_str)
        .filter_map(|place| place.rsplit_once(':'));
    // A trace may name any file; a page shows C.
    let is_c = |file: &&str| file.ends_with(".c") || file.ends_with(".h");
    let files: BTreeSet<&str> = files.map(|(file, _)| file).filter(is_c).collect();
    files.into_iter().map(PathBuf::from).collect()
}

/// Writes the rules about objects as a C file.
fn write_monitor(
    path: &Path,
    from: &Path,
    spec: &MinedSpecification,
) -> Result<(), CommandFailure> {
    if spec.lives.rules.is_empty() {
        return Err(CommandFailure::usage(
            format!("`{}` has no rules about objects", from.display()),
            "mine more traces, with an API file that says which attributes are of which kind",
        ));
    }
    let (text, left_out) = for_process(spec);
    for (call, why) in left_out {
        output::print_error(&format!("calls of `{call}` are not watched: {why}\n"));
    }
    output::write_whole(path, text.as_bytes())
}

/// Checks all traces; what was found in each, in their order.
fn look(
    args: &CheckArgs,
    spec: &MinedSpecification,
    is_lives: bool,
    traces: &[StoredTrace],
    canceller: &Canceller,
) -> Result<Vec<CheckPart>, CommandFailure> {
    let shared = traces::Shared::new(&args.common.budget(canceller));
    let progress = ProgressLine::start(&args.common, "checking");
    progress.say(|| format!("{} traces", traces.len()));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let format = args.format.of_traces();
    let pieces = match (&args.range, traces) {
        (Some(range), [trace]) => vec![Piece::of_range(trace, range, format)?],
        (Some(_), _) => {
            return Err(CommandFailure::usage(
                "`--range` is about one trace",
                "name one trace",
            ));
        }
        (None, _) => Piece::all(traces, format)?,
    };
    let done = AtomicU64::new(0);
    let results = in_parallel(&pieces, args.jobs.unwrap_or(cores), |piece| {
        let budget = shared.budget();
        let part = if is_lives {
            check_lives(spec, piece, &budget)
        } else {
            check(args, spec, piece, &budget)
        };
        let n = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.count(n, Some(pieces.len() as u64), "pieces");
        part
    });
    let mut whole: Vec<(&StoredTrace, CheckPart)> = Vec::new();
    for (piece, result) in pieces.iter().zip(results) {
        let part = result?;
        match whole.last_mut() {
            Some((trace, last)) if std::ptr::eq(*trace, piece.trace) => last.append(part),
            _ => whole.push((piece.trace, part)),
        }
    }
    let mut found: Vec<CheckPart> = whole.into_iter().map(|(_, part)| part).collect();
    for (part, trace) in found.iter_mut().zip(traces) {
        part.trace = trace.name();
        part.range = match &args.range {
            Some(_) => pieces[0]
                .range()
                .zip(trace.length())
                .map(|(range, length)| [range.start, range.end, length]),
            None => None,
        };
    }
    Ok(found)
}

/// Where in the source the calls are that broken rules speak of.
fn places_of(piece: &Piece<'_>, lives: &LifeCheck) -> Result<CallPlaces, CommandFailure> {
    if lives.violations.is_empty() {
        return Ok(CallPlaces::new());
    }
    let steps = (lives.violations.iter()).flat_map(|v| v.life.iter().flatten());
    let mut lines: BTreeSet<u64> = steps.map(|step| step.line).collect();
    lines.extend(lives.violations.iter().map(|v| v.line));
    (piece.open())
        .and_then(|reader| places(reader, piece.format, &lines))
        .map_err(|source| piece.trace.cannot_read(source))
}

/// Looks at every object of the runs of a piece.
fn check_lives(
    spec: &MinedSpecification,
    piece: &Piece<'_>,
    budget: &Budget,
) -> Result<CheckPart, CommandFailure> {
    let vocabulary = spec.vocabulary();
    let mut checker = LifeChecker::new(&vocabulary, &spec.lives);
    let summary = (piece.open())
        .and_then(|reader| {
            for_each_item(
                &vocabulary,
                reader,
                piece.format,
                budget,
                |item| match item {
                    CallOrEnd::Interaction(interaction) => checker.add(&interaction),
                    CallOrEnd::EndOfRun(notes) => checker.end_run(notes.is_cut),
                },
            )
        })
        .map_err(|source| piece.trace.cannot_read(source))?;
    let lives = checker.finish();
    Ok(CheckPart {
        summary,
        places: places_of(piece, &lives)?,
        lives,
        ..CheckPart::default()
    })
}

fn check(
    args: &CheckArgs,
    spec: &MinedSpecification,
    piece: &Piece<'_>,
    budget: &Budget,
) -> Result<CheckPart, CommandFailure> {
    let config = CheckConfig {
        max_size: args.max_size,
        most_scenarios: args.max_scenarios,
    };
    let mut checker = Checker::new(spec, config);
    let vocabulary = checker.vocabulary().clone();
    let mut all = CheckedScenarios::default();
    // The first reading keeps nothing but the seeds that need a second look; only their runs are
    // held in memory by the second.
    let mut failed: BTreeMap<u64, Vec<FoundScenario>> = BTreeMap::new();
    let mut sieve = Sieve::new(&vocabulary, &checker);
    let mut number = 0;
    let format = piece.format;
    let summary = (piece.open())
        .and_then(|reader| {
            for_each_item(&vocabulary, reader, format, budget, |item| match item {
                CallOrEnd::Interaction(interaction) => {
                    sieve.add(&mut checker, interaction, &mut all)
                }
                CallOrEnd::EndOfRun(_) => {
                    let found = sieve.end_run(&mut checker, &mut all);
                    if !found.is_empty() {
                        failed.insert(number, found);
                    }
                    number += 1;
                }
            })
        })
        .map_err(|source| piece.trace.cannot_read(source))?;
    let found = |checked: CheckedScenarios| CheckPart {
        summary,
        checked,
        ..CheckPart::default()
    };
    if failed.is_empty() {
        return Ok(found(all));
    }
    let mut number = 0;
    let mut run = Vec::new();
    (piece.open())
        .and_then(|reader| {
            for_each_item(&vocabulary, reader, format, budget, |item| match item {
                CallOrEnd::Interaction(interaction) if failed.contains_key(&number) => {
                    run.push(interaction);
                }
                CallOrEnd::Interaction(_) => {}
                CallOrEnd::EndOfRun(_) => {
                    if let Some(found) = failed.remove(&number) {
                        checker.decide(std::mem::take(&mut run), found, &mut all);
                    }
                    number += 1;
                }
            })
        })
        .map_err(|source| piece.trace.cannot_read(source))?;
    Ok(found(all))
}

fn to_json(spec: &MinedSpecification, outcome: &Outcome, timing: Option<&Timing>) -> Value {
    let statistics = CheckStatistics {
        runs: outcome.runs,
        calls: outcome.calls,
        unknown_calls: outcome.unknown_calls,
        skipped_lines: outcome.skipped,
        seeds: outcome.seeds,
        scenarios_tried: outcome.tried,
        objects: outcome.objects,
        objects_checked: outcome.checked,
        events_checked: outcome.events,
    };
    let list = |items: &[(String, ScenarioViolation)]| {
        let items = items.iter();
        items.map(|(file, v)| broken_seed(file, v)).collect()
    };
    let automaton = JsonAutomaton::from_nfa(&spec.automaton, &spec.alphabet);
    let result = CheckResult {
        check: if outcome.is_lives { "all" } else { "paper" },
        violations: if outcome.is_lives {
            CheckViolations::Lives(lives::broken_lives(spec, &outcome.broken))
        } else {
            CheckViolations::Seeds(list(&outcome.violations))
        },
        undecided: list(&outcome.undecided),
        specification: output::json_of(&automaton),
    };
    let (conclusion, warnings) = (outcome.conclusion(), &outcome.warnings);
    output::answer_json("check", &conclusion, statistics, warnings, timing, result)
}

fn broken_seed(file: &str, violation: &ScenarioViolation) -> BrokenSeed {
    let letters = |keep: &dyn Fn(usize) -> bool| -> Vec<String> {
        let scenario = violation.scenario.iter().enumerate();
        let kept = scenario.filter(|(i, _)| keep(*i));
        kept.map(|(_, line)| line.letter.clone()).collect()
    };
    let nearest = violation.nearest.iter();
    let missing = nearest.clone().filter(|l| l.is_missing);
    BrokenSeed {
        file: file.to_owned(),
        line: violation.line,
        seed: violation.seed.clone(),
        scenario: letters(&|_| true),
        scenario_lines: violation.scenario.iter().map(|l| l.line).collect(),
        nearest: nearest.map(|l| l.letter.clone()).collect(),
        missing: missing.map(|l| l.letter.clone()).collect(),
        extra: letters(&|i| violation.scenario[i].is_extra),
    }
}

fn to_text(spec: &MinedSpecification, outcome: &Outcome, verbose: bool) -> String {
    let mut text = outcome.conclusion().to_text();
    let most = if verbose { usize::MAX } else { 10 };
    for items in [&outcome.violations, &outcome.undecided] {
        for (file, violation) in items.iter().take(most) {
            text.push_str(&violation_text(file, violation));
        }
        if items.len() > most {
            let _ = writeln!(text, "… and {} more (`-v` shows all)", items.len() - most);
        }
    }
    for (file, broken, places) in outcome.broken.iter().take(most) {
        text.push_str(&lives::violation_text(spec, file, broken, places));
    }
    if outcome.broken.len() > most {
        let _ = writeln!(
            text,
            "… and {} more (`-v` shows all)",
            outcome.broken.len() - most
        );
    }
    for warning in &outcome.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

/// The seed, then its scenario beside the nearest accepted one: `-` is too much, `+` is missing.
pub fn violation_text(file: &str, violation: &ScenarioViolation) -> String {
    let what = if violation.is_certain {
        "violation"
    } else {
        "undecided"
    };
    let mut text = format!("{file}:{}: {what} at {}\n", violation.line, violation.seed);
    let mut own = violation.scenario.iter().peekable();
    let extras =
        |own: &mut std::iter::Peekable<std::slice::Iter<'_, idiolect_mine::ScenarioLine>>,
         text: &mut String| {
            while let Some(line) = own.next_if(|line| line.is_extra) {
                let _ = writeln!(text, "  - {} (line {})", line.letter, line.line);
            }
        };
    for line in &violation.nearest {
        if line.is_missing {
            let _ = writeln!(text, "  + {}", line.letter);
            continue;
        }
        extras(&mut own, &mut text);
        if let Some(kept) = own.next() {
            let _ = writeln!(text, "    {} (line {})", kept.letter, kept.line);
        }
    }
    extras(&mut own, &mut text);
    text
}

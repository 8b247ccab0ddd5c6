//! The tables of the published study for a folder of programs: `cargo xtask tables verify`.
//!
//! `tables FOLDER [PART…] [--seeds N] [--from SEED] [--timeout SECONDS]`, where a part is `seeds` (every program with the seeds from 1
//! to N, as a user would run it), `1` to `4` (the tables of the paper, with the learner alone: no
//! random runs, exploration of all paths or model checking beside it) or `speed`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "an example prints"
)]

use idiolect_automata::Letter;
use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::preprocess::{self, PreprocessOptions};
use idiolect_interp::{Compiled, End};
use idiolect_ir::{Program, Property};
use idiolect_learn::LearnerKind;
use idiolect_verify::{
    Config, Doubt, Engine, FoundBy, Outcome, Plan, Progress, Sample, Sampler, Strategy, Verdict,
    compile, run,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The paper's: 900 s, on another machine. On a machine that is busy with other things more than this
/// may have to be allowed, and processor time be looked at.
const TIMEOUT: u64 = 60;

struct Case {
    name: String,
    program: Arc<Program>,
    has_error: bool,
}

/// Programs whose task definition or name says what is expected of them.
fn cases(folder: &Path) -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let mut list = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let task = std::fs::read_to_string(file.with_extension("yml")).unwrap_or_default();
        let has_error =
            task.contains("expected_verdict: false") || name.contains("false-unreach-call");
        let options = PreprocessOptions::new(std::env::temp_dir());
        let Ok(text) = preprocess::preprocess(&file, &options) else {
            eprintln!("{name}: cannot be preprocessed");
            continue;
        };
        let mut sources = SourceMap::new();
        let id = sources.add(&file.display().to_string(), text);
        let compiled = idiolect_cfront::compile(sources, &[id], &Default::default());
        let Some(program) = compiled.program else {
            eprintln!("{name}: cannot be read");
            continue;
        };
        list.push(Case {
            name: name
                .split("_true-")
                .next()
                .unwrap_or(&name)
                .split("_false-")
                .next()
                .unwrap_or(&name)
                .to_owned(),
            program: Arc::new(program),
            has_error,
        });
    }
    list
}

/// The learner has to do it.
fn alone(learner: LearnerKind, strategy: Strategy, seed: u64) -> Config {
    Config {
        engine: Engine::Learn,
        hunt: 0,
        proof_work: 0,
        learner,
        strategy,
        seed,
        ..Config::default()
    }
}

struct Told {
    outcome: Outcome,
    seconds: f64,
    /// Processor time of all threads.
    processor: f64,
    /// Of the seconds, in which the learner asked.
    learning: f64,
}

fn tell(case: &Case, config: &Config, timeout: Duration) -> Told {
    let (start, processor) = (Instant::now(), processor_seconds());
    let mut since = start;
    let mut learning = 0.0;
    let mut is_learning = false;
    let budget = Budget::unlimited().within(timeout);
    let outcome = run(&case.program, config, &budget, &mut |step| {
        let now = Instant::now();
        if is_learning {
            learning += (now - since).as_secs_f64();
        }
        since = now;
        is_learning = matches!(step, Progress::Learning { .. });
    });
    Told {
        outcome,
        seconds: start.elapsed().as_secs_f64(),
        processor: processor_seconds() - processor,
        learning,
    }
}

/// The rows of Tables 1 and 2.
#[derive(Default)]
struct Column {
    verified: u32,
    found: u32,
    by: [u32; 3],
    false_positives: u32,
    false_negatives: u32,
    undecided: u32,
    membership: u64,
    equivalence: u64,
    samples: u64,
    seconds: f64,
    processor: f64,
    learning: f64,
}

impl Column {
    fn add(&mut self, case: &Case, told: &Told) {
        let is_safe = matches!(
            told.outcome.verdict,
            Verdict::Proved(_) | Verdict::Pac(_) | Verdict::Undecided(Doubt::NoModelChecking)
        );
        match (&told.outcome.verdict, case.has_error) {
            (Verdict::Error { found_by, .. }, true) => {
                self.found += 1;
                let at = match found_by {
                    FoundBy::Model => 0,
                    FoundBy::Sampling | FoundBy::Guided => 1,
                    FoundBy::Bmc | FoundBy::Traces => 2,
                };
                self.by[at] += 1;
            }
            (Verdict::Error { .. }, false) => self.false_positives += 1,
            _ if is_safe && case.has_error => self.false_negatives += 1,
            _ if is_safe => self.verified += 1,
            _ => self.undecided += 1,
        }
        let s = &told.outcome.statistics;
        self.membership += s.membership.questions;
        self.equivalence += s.equivalence_questions;
        self.samples += s.samples;
        self.seconds += told.seconds;
        self.processor += told.processor;
        self.learning += told.learning;
    }
}

fn print_columns(title: &str, names: &[String], columns: &[Column], runs: f64) {
    println!("{title}");
    print!("{:<26}", "");
    for name in names {
        print!(" {name:>14}");
    }
    println!();
    type Row = (&'static str, fn(&Column) -> f64, bool);
    let rows: [Row; 14] = [
        ("Verified", |c| f64::from(c.verified), true),
        ("Bug found", |c| f64::from(c.found), true),
        ("  by Bad (the model)", |c| f64::from(c.by[0]), true),
        ("  by sampling", |c| f64::from(c.by[1]), true),
        ("  by model checking", |c| f64::from(c.by[2]), true),
        ("False positives", |c| f64::from(c.false_positives), true),
        ("False negatives", |c| f64::from(c.false_negatives), true),
        ("Undecided, timeouts", |c| f64::from(c.undecided), true),
        ("# of Mem queries", |c| c.membership as f64, true),
        ("# of Equ queries", |c| c.equivalence as f64, true),
        ("# of samples", |c| c.samples as f64, true),
        ("Total time [s]", |c| c.seconds, true),
        ("Processor time [s]", |c| c.processor, true),
        (
            "Learner and Mem time [%]",
            |c| 100.0 * c.learning / c.seconds.max(1e-9),
            false,
        ),
    ];
    for (name, value, is_sum) in rows {
        print!("{name:<26}");
        for column in columns {
            let v = value(column) / if is_sum { runs } else { 1.0 };
            print!(
                " {:>14}",
                format!("{v:.2}")
                    .trim_end_matches('0')
                    .trim_end_matches('.')
            );
        }
        println!();
    }
    println!();
}

fn compare(
    title: &str,
    cases: &[Case],
    kinds: &[(String, LearnerKind, Strategy)],
    seeds: u64,
    timeout: Duration,
) {
    let mut columns = Vec::new();
    for (name, learner, strategy) in kinds {
        let mut column = Column::default();
        for seed in 1..=seeds {
            for case in cases {
                let told = tell(case, &alone(*learner, *strategy, seed), timeout);
                column.add(case, &told);
                let is_wrong =
                    matches!(told.outcome.verdict, Verdict::Error { .. }) != case.has_error;
                if is_wrong || told.seconds > 20.0 {
                    eprintln!(
                        "{name} seed {seed} {}: {:?}, {:.1} s",
                        case.name, told.outcome.verdict, told.seconds
                    );
                }
            }
        }
        columns.push(column);
    }
    let names: Vec<String> = kinds.iter().map(|k| k.0.clone()).collect();
    print_columns(title, &names, &columns, seeds as f64);
}

fn plan(config: &Config, strategy: Strategy, size: usize, seed: u64) -> Plan {
    Plan {
        strategy,
        size,
        seed,
        max_decisions: config.max_decisions,
        max_steps: config.max_steps,
        threads: None,
    }
}

fn is_error(sample: &Sample) -> bool {
    matches!(sample.end, End::Error(_))
}

/// Table 3: the first batch, and the first path of a search that never begins anew, with an error.
fn restarts(cases: &[Case], seeds: u64, timeout: Duration) {
    println!("Table 3: the tester with and without restart, strategy RBS, seeds 1 to {seeds}");
    println!("{:<30} {:>24} {:>24}", "", "batch size 10", "never restart");
    let config = Config::default();
    for case in cases.iter().filter(|c| c.has_error) {
        let compiled = compile(&case.program, &[Property::Assert]);
        let mut cells = [String::new(), String::new()];
        for seed in 1..=seeds {
            let budget = Budget::unlimited().within(timeout);
            let batches = Sampler::new(
                &compiled,
                &case.program,
                false,
                &[],
                plan(&config, Strategy::RandomBranch, 10, seed),
            );
            let mut found = None;
            let mut first = 0;
            while found.is_none() && first < 600 {
                let Ok(drawn) = batches.draw(first, 20, &budget) else {
                    break;
                };
                found = drawn
                    .iter()
                    .position(|b| b.iter().any(is_error))
                    .map(|i| first + i as u64 + 1);
                first += 20;
            }
            let one = Sampler::new(
                &compiled,
                &case.program,
                false,
                &[],
                plan(&config, Strategy::RandomBranch, 6_000, seed),
            );
            let all = one.draw(0, 1, &budget).unwrap_or_default();
            let at = all.first().and_then(|b| b.iter().position(is_error));
            for (cell, number) in cells.iter_mut().zip([found, at.map(|i| i as u64 + 1)]) {
                if !cell.is_empty() {
                    cell.push_str(", ");
                }
                cell.push_str(&number.map_or("none".to_owned(), |n| n.to_string()));
            }
        }
        println!("{:<30} {:>24} {:>24}", case.name, cells[0], cells[1]);
    }
    println!();
}

fn accepted(model: &idiolect_automata::Dfa, sample: &Sample) -> bool {
    let word: Vec<Letter> = sample
        .word()
        .iter()
        .map(|&d| Letter(u32::from(d)))
        .collect();
    model.accepts(&word)
}

/// Table 4: fresh batches that the models accept.
fn quality(cases: &[Case], seed: u64, timeout: Duration) {
    let kinds = [Strategy::RandomBranch, Strategy::ControlFlow];
    let mut counts = [[0u64; 2]; 2];
    let mut drawn = 0;
    for (learned, &strategy) in kinds.iter().enumerate() {
        for case in cases.iter().filter(|c| !c.has_error) {
            let config = alone(LearnerKind::KearnsVazirani, strategy, seed);
            let Told { outcome, .. } = tell(case, &config, timeout);
            let Some(model) = outcome
                .model
                .filter(|_| matches!(outcome.verdict, Verdict::Undecided(Doubt::NoModelChecking)))
            else {
                continue;
            };
            let compiled = compile(&case.program, &[Property::Assert]);
            for (drawn_by, &strategy) in kinds.iter().enumerate() {
                let plan = plan(&config, strategy, 10, 1_000_000 + seed);
                let sampler = Sampler::new(&compiled, &case.program, false, &[], plan);
                let batches = sampler
                    .draw(0, 100, &Budget::unlimited())
                    .unwrap_or_default();
                let good = batches
                    .iter()
                    .filter(|b| b.iter().all(|s| accepted(&model, s)))
                    .count() as u64;
                counts[drawn_by][learned] += good;
                if good < 98 {
                    let learned = kinds[learned].name();
                    eprintln!(
                        "{}: learned {learned}, drawn {}: {good}",
                        case.name,
                        strategy.name()
                    );
                }
            }
            drawn += u64::from(learned == 0) * 100;
        }
    }
    println!("Table 4: fresh batches that the models accept, of {drawn}, KV, seed {seed}");
    println!("{:<26} {:>14} {:>14}", "", "learned RBS", "learned CDS");
    for (i, name) in ["drawn RBS", "drawn CDS"].iter().enumerate() {
        let cell = |n: u64| format!("{n} {:.2}%", 100.0 * n as f64 / drawn.max(1) as f64);
        println!(
            "{name:<26} {:>14} {:>14}",
            cell(counts[i][0]),
            cell(counts[i][1])
        );
    }
    println!();
}

/// Every program as a user runs it.
fn seeds(cases: &[Case], range: std::ops::RangeInclusive<u64>, timeout: Duration) {
    let (first, last) = (range.start(), range.end());
    println!("Every program with the seeds {first} to {last}, default options");
    for seed in range {
        let mut column = Column::default();
        let mut proved = 0;
        let mut longest = (0.0, 0.0, "");
        for case in cases {
            let config = Config {
                seed,
                ..Config::default()
            };
            let told = tell(case, &config, timeout);
            proved += u32::from(matches!(told.outcome.verdict, Verdict::Proved(_)));
            if told.processor > longest.0 {
                longest = (told.processor, told.seconds, &case.name);
            }
            column.add(case, &told);
            let is_right = match &told.outcome.verdict {
                Verdict::Error { .. } => case.has_error,
                Verdict::Proved(_) | Verdict::Pac(_) => !case.has_error,
                Verdict::Undecided(_) => false,
            };
            if !is_right {
                println!("  {}: {:?}", case.name, told.outcome.verdict);
            }
        }
        println!(
            "seed {seed:>2}: {} errors found and replayed ({} by the model, {} by sampling, {} by model checking), {} proved, {} pac, {} wrong, {} undecided; {:.1} s, of the processor {:.1} s; longest {}: {:.1} s, of the processor {:.1} s",
            column.found,
            column.by[0],
            column.by[1],
            column.by[2],
            proved,
            column.verified - proved,
            column.false_negatives + column.false_positives,
            column.undecided,
            column.seconds,
            column.processor,
            longest.2,
            longest.1,
            longest.0,
        );
    }
    println!();
}

/// Processor time of all threads so far, where the system tells: it does not depend on what else the
/// machine has to do. The system counts hundredths of a second.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may have spaces: user and system time are the 12th and 13th fields.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split(' ').collect();
    let ticks = |i: usize| fields.get(i).and_then(|t| t.parse().ok()).unwrap_or(0.0);
    (ticks(12) + ticks(13)) / 100.0
}

/// Samples a second, and a second of processor time.
fn rate(compiled: &Compiled, program: &Program, strategy: Strategy) -> [f64; 2] {
    let config = Config::default();
    let sampler = Sampler::new(
        compiled,
        program,
        false,
        &[],
        plan(&config, strategy, 10, 7),
    );
    let budget = Budget::unlimited();
    let (start, processor) = (Instant::now(), processor_seconds());
    let mut samples = 0;
    while start.elapsed() < Duration::from_millis(500) {
        samples += match strategy {
            Strategy::RandomInput => sampler
                .hunt(samples, 4_096, &budget)
                .map_or(0, |s| s.len() as u64),
            _ => {
                let batches = sampler.draw(samples / 10, 32, &budget).unwrap_or_default();
                10 * batches.len() as u64
            }
        };
    }
    let busy = (processor_seconds() - processor).max(0.01);
    [
        samples as f64 / start.elapsed().as_secs_f64(),
        samples as f64 / busy,
    ]
}

/// Samples a second, on all cores, with nothing known in the beginning.
fn speed(cases: &[Case]) {
    println!(
        "{:<24} {:>14} {:>14} {:>14} {:>14}",
        "samples a second", "concolic (RBS)", "processor s", "random input", "processor s"
    );
    let mut columns = vec![Vec::new(); 4];
    let row = |name: &str, values: &[f64]| {
        print!("{name:<24}");
        for value in values {
            print!(" {value:>14.0}");
        }
        println!();
    };
    for case in cases {
        let compiled = compile(&case.program, &[Property::Assert]);
        let [a, b] = rate(&compiled, &case.program, Strategy::RandomBranch);
        let [c, d] = rate(&compiled, &case.program, Strategy::RandomInput);
        row(&case.name, &[a, b, c, d]);
        for (column, value) in columns.iter_mut().zip([a, b, c, d]) {
            column.push(value);
        }
    }
    let medians: Vec<f64> = (columns.iter_mut())
        .map(|column| {
            column.sort_by(f64::total_cmp);
            column.get(column.len() / 2).copied().unwrap_or(0.0)
        })
        .collect();
    row("median", &medians);
    println!();
}

fn main() {
    let mut parts: Vec<String> = Vec::new();
    let mut folder = None;
    let (mut n, mut from, mut timeout) = (3, 1, TIMEOUT);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seeds" | "--from" | "--timeout" => {
                let number = arguments.next().and_then(|t| t.parse().ok());
                let option = match argument.as_str() {
                    "--seeds" => &mut n,
                    "--from" => &mut from,
                    _ => &mut timeout,
                };
                *option = number.unwrap_or(*option);
            }
            "seeds" | "1" | "2" | "3" | "4" | "speed" => parts.push(argument),
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    if parts.is_empty() {
        parts = ["seeds", "1", "2", "3", "4", "speed"]
            .map(String::from)
            .to_vec();
    }
    let folder = folder.unwrap_or_else(|| PathBuf::from("corpus/recursive"));
    let cases = cases(&folder);
    println!(
        "{} programs, {} with an error\n",
        cases.len(),
        cases.iter().filter(|c| c.has_error).count()
    );
    let timeout = Duration::from_secs(timeout);
    for part in parts {
        match part.as_str() {
            "seeds" => seeds(&cases, from..=from + n - 1, timeout),
            "1" => {
                use LearnerKind::{
                    KearnsVazirani, LStar, LStarColumns, NlStar, RivestSchapire, Ttt,
                };
                let kinds = [
                    KearnsVazirani,
                    LStar,
                    LStarColumns,
                    RivestSchapire,
                    NlStar,
                    Ttt,
                ];
                let kinds: Vec<_> = kinds
                    .iter()
                    .map(|&k| (k.name().to_owned(), k, Strategy::RandomBranch))
                    .collect();
                compare(
                    "Table 1: comparison of learning algorithms (RBS, the learner alone)",
                    &cases,
                    &kinds,
                    n,
                    timeout,
                );
            }
            "2" => {
                let kinds: Vec<_> = [
                    Strategy::RandomBranch,
                    Strategy::ControlFlow,
                    Strategy::DepthFirst,
                    Strategy::RandomInput,
                ]
                .iter()
                .map(|&s| (s.name().to_owned(), LearnerKind::KearnsVazirani, s))
                .collect();
                compare(
                    "Table 2: search strategies (KV, the learner alone)",
                    &cases,
                    &kinds,
                    n,
                    timeout,
                );
            }
            "3" => restarts(&cases, n, timeout),
            "4" => quality(&cases, 1, timeout),
            _ => speed(&cases),
        }
    }
}

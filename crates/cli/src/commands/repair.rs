//! `idiolect repair`: small edits of the source that make failing runs pass, each checked.

mod apply;
mod show;

use super::localize::find::{self, ErrorLookup};
use super::localize::ranked::{self, RankingRuns};
use super::run::inputs::Given;
use crate::args::{CArgs, CommonArgs, FormatArgs, OutputFormat, output_file, refuse, up_to};
use crate::c_input;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use crate::tests_file;
use clap::Args;
use idiolect_base::{Budget, Canceller};
use idiolect_ir::{Program, Property};
use idiolect_localize::RunCase;
use idiolect_repair::{RepairConfig, RepairOutcome, RepairTask};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect repair examples/sort.c
  idiolect repair examples/repair/median.c --tests examples/repair/median.toml
  idiolect repair examples/sort.c --patch patches/
  idiolect repair median.c --tests tests/ --apply 1

A repair is one small edit in the program's own words: a constant, an operator, a variable of the same
type, a condition, a guard. It makes every failing run pass and keeps those that pass, and is then
checked further: on all runs within bounds, and by the engines of `verify`. What it is known to hold
for is said; if that is only the given runs, it may be wrong for all others. `--apply` changes the file
in place, if it is still what was looked at.")]
pub struct RepairArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// The inputs of a run that fails, in order of use, separated by commas; further ones are 0
    #[arg(
        long,
        visible_alias = "input",
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    inputs: Option<Vec<Given>>,

    /// Tests of the program: a TOML file with a table `[[test]]` each (`args`, `stdin`, `inputs`;
    /// `stdout`, `exit`), or a folder of such files or of `NAME.out` beside `NAME.args` and `NAME.in`
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "inputs")]
    tests: Option<PathBuf>,

    /// Change the file as the repair with this number says
    #[arg(long, value_name = "N", value_parser = up_to(1_000))]
    apply: Option<usize>,

    /// Write each repair as `N.patch` into this folder
    #[arg(long, value_name = "DIR")]
    patch: Option<PathBuf>,

    /// Show at most this many repairs
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = up_to(1_000))]
    max_repairs: usize,

    /// The largest number of unwindings of loops and recursion when an error is looked for
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = up_to(1_000_000))]
    unwind: usize,

    /// Write the finding, with the repairs as fixes, as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    sarif: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Write one self-contained HTML page
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// Looks for a change that makes failing runs pass.
pub fn run(args: &RepairArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    refuse(
        args.apply == Some(0),
        "repairs are counted from 1",
        "give `--apply` the number of a repair",
    )?;
    let mut timing = Timing::start();
    let (tests, left_out) = match &args.tests {
        Some(path) => tests_file::read_fitting(path)?,
        None => (Vec::new(), None),
    };
    let input = args.input.with_arguments(&tests);
    let (loaded, front_end) = c_input::load_units(&input)?;
    refuse(
        front_end.units().is_empty(),
        "standard input, and text that is not UTF-8, cannot be repaired",
        "give the name of a file with UTF-8 text",
    )?;
    timing.phase("front_end");
    let mut warnings = loaded.warnings();
    warnings.extend(left_out);
    let program = Arc::new(loaded.program);
    let budget = args.common.budget(canceller);
    let (properties, note) = args.input.properties_of(&program);
    warnings.extend(note);
    let progress = ProgressLine::start(&args.common, "repair");
    let mut told = show::RepairAnswer {
        program: &program,
        properties: &properties,
        args,
        error: None,
        undecided: None,
        n_failing: 0,
        n_passing: 0,
        outcome: None,
        warnings,
    };
    let runs = failing_runs(
        args,
        &program,
        &properties,
        tests,
        &budget,
        &progress,
        &mut told,
    )?;
    timing.phase("find");
    let first = runs.as_ref().and_then(|r| r.failing.first()).cloned();
    if let Some(runs) = runs {
        told.n_failing = runs.failing.len();
        told.n_passing = runs.passing.len();
        progress.say(|| "asking for another value at each place".to_owned());
        let setting = ranked::Setting {
            program: &program,
            units: &front_end,
            properties: &properties,
        };
        let found = ranked::rank(&setting, &runs, None, &budget);
        timing.phase("localize");
        progress.say(|| "trying edits".to_owned());
        let task = RepairTask {
            program: &program,
            units: front_end.units(),
            failing: runs.failing,
            passing: runs.passing,
            places: &found,
            known_faults: runs.known_faults,
            has_tests: args.tests.is_some(),
        };
        let config = RepairConfig {
            properties: properties.clone(),
            seed: args.common.seed,
            max_repairs: args.max_repairs.max(args.apply.unwrap_or(0)).max(1),
            ..RepairConfig::default()
        };
        told.outcome = Some(idiolect_repair::repair(&task, &front_end, &config, &budget));
        timing.phase("repair");
    }
    drop(progress);
    deliver(args, &told, first.as_ref(), &front_end, &timing)
}

/// The failing runs, if there are any; what is told else is left in `told`.
fn failing_runs(
    args: &RepairArgs,
    program: &Arc<Program>,
    properties: &[Property],
    tests: Vec<RunCase>,
    budget: &Budget,
    progress: &ProgressLine,
    told: &mut show::RepairAnswer<'_>,
) -> Result<Option<RankingRuns>, CommandFailure> {
    if args.tests.is_some() {
        progress.say(|| format!("running {}", counted(tests.len(), "test")));
        let sorted = ranked::sort(program, properties, tests, budget);
        told.warnings.extend(ranked::left_out(&sorted));
        told.n_passing = sorted.runs.passing.len();
        if sorted.runs.failing.is_empty() {
            return Ok(None);
        }
        return Ok(Some(sorted.runs));
    }
    progress.say(|| "looking for an error".to_owned());
    let found = match &args.inputs {
        Some(given) => {
            let (input, warnings) = (&args.input, &mut told.warnings);
            find::given(input, program, properties, given, budget, warnings)?
        }
        None => {
            let (common, unwind) = (&args.common, args.unwind);
            find::any(common, unwind, program, properties, budget, progress)?
        }
    };
    let ErrorLookup::Error { outcome, bits, how } = found else {
        told.undecided = Some(found);
        return Ok(None);
    };
    told.error = Some((outcome, how));
    let seed = args.common.seed;
    Ok(Some(RankingRuns::near(
        program, properties, &bits, seed, budget,
    )))
}

fn deliver(
    args: &RepairArgs,
    told: &show::RepairAnswer<'_>,
    first: Option<&RunCase>,
    front_end: &c_input::Units,
    timing: &Timing,
) -> Result<Exit, CommandFailure> {
    let timing = (!args.common.no_timing).then_some(timing);
    let mut result = show::result(told);
    let value = show::json(told, &result, timing);
    let empty = RepairOutcome::default();
    let repairs = &told.outcome.as_ref().unwrap_or(&empty).repairs;
    if let Some(folder) = &args.patch {
        apply::write_patches(folder, repairs)?;
    }
    let applied = match args.apply {
        Some(number) => Some(apply::apply(number, repairs, front_end)?),
        None => None,
    };
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let sources = &told.program.sources;
        if let Some(case) = first {
            show::with_runs(told, case, &mut result, &Budget::unlimited());
        }
        let value = show::json(told, &result, timing);
        let page = output::page("repair", sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    match args.format.chosen(&args.common) {
        OutputFormat::Json => output::print_json(&value),
        OutputFormat::Github => output::print(&idiolect_report::github(&value)),
        OutputFormat::Text if args.common.quiet => output::print(&looks::one_line(&value)),
        OutputFormat::Text => output::print(&show::text(told, applied.as_deref())),
    }
    Ok(args.common.exit(&told.conclusion()))
}

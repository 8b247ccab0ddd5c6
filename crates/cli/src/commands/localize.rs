//! `idiolect localize`: which assignments, changed alone, would have made an error go away.

mod all;
pub mod find;
mod fold;
pub mod ranked;
mod show;

use super::run::inputs::Given;
use crate::args::{CArgs, CommonArgs, FormatArgs, output_file, up_to};
use crate::c_input;
use crate::claim;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing};
use crate::progress::ProgressLine;
use crate::tests_file;
use clap::Args;
use find::ErrorLookup;
use idiolect_base::Canceller;
use idiolect_localize::{LocalizeConfig, NotLocalized};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect localize examples/localize/figure1.c
  idiolect localize examples/localize/figure2.c --inputs 1
  idiolect localize examples/localize/figure2.c --all-traces
  idiolect localize examples/sort.c --report sort.html
  idiolect localize examples/repair/median.c --tests examples/repair/median.toml
  idiolect localize driver.c --property assert,memory --timeout 60 --json

A statement is relevant if some constant in its place, and nothing else changed, would have blocked
this trace: the same statements could not have led to the error, whatever inputs came later. That is
a definition, not a guess, and a value that does it is shown. It is about one trace: the error may
be reached along another one, and then no single change needs to be enough.

Beside them every place of the source has a score: conditions and their parts, returned values,
constants, indices. A place counts if some value there makes the run pass; the value is solved for, and
what passing runs execute as well counts less.")]
pub struct LocalizeArgs {
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
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["inputs", "all_traces"])]
    tests: Option<PathBuf>,

    /// Show all places in the ranked list, not only the first ten
    #[arg(long)]
    all: bool,

    /// Look for every kind of error trace, and for what is relevant in all of them
    #[arg(long, conflicts_with = "inputs")]
    all_traces: bool,

    /// With `--all-traces`: stop after this many error traces
    #[arg(long, value_name = "N", requires = "all_traces", default_value_t = 100,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_000_000_000))]
    max_traces: usize,

    /// The largest number of unwindings of loops and recursion when an error is looked for
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = up_to(1_000_000))]
    unwind: usize,

    /// Conflicts of the solver for one statement; then its relevance is unknown
    #[arg(long, value_name = "N", default_value_t = LocalizeConfig::default().conflicts)]
    conflicts: u64,

    /// Write the findings as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    sarif: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Write one self-contained HTML page with source and trace side by side
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// Localizes the error that is found or given.
pub fn run(args: &LocalizeArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let (tests, left_out) = match &args.tests {
        Some(path) => tests_file::read_fitting(path)?,
        None => (Vec::new(), None),
    };
    let (loaded, units) = c_input::load_units(&args.input.with_arguments(&tests))?;
    timing.phase("front_end");
    let mut warnings = loaded.warnings();
    warnings.extend(left_out);
    let program = Arc::new(loaded.program);
    let budget = args.common.budget(canceller);
    let (properties, note) = args.input.properties_of(&program);
    warnings.extend(note);
    let config = LocalizeConfig {
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        conflicts: args.conflicts,
        ..LocalizeConfig::default()
    };
    if args.tests.is_some() {
        let setting = ranked::Setting {
            program: &program,
            units: &units,
            properties: &properties,
        };
        return ranked::run(args, &setting, tests, warnings, &budget, &mut timing);
    }
    if args.all_traces {
        return all::run(
            args,
            &program,
            &properties,
            &config,
            warnings,
            &budget,
            &mut timing,
        );
    }
    let progress = ProgressLine::start(&args.common, "localize");
    progress.say(|| "looking for an error".to_owned());
    let found = match &args.inputs {
        Some(given) => find::given(
            &args.input,
            &program,
            &properties,
            given,
            &budget,
            &mut warnings,
        )?,
        None => find::any(
            &args.common,
            args.unwind,
            &program,
            &properties,
            &budget,
            &progress,
        )?,
    };
    timing.phase("find");
    let mut told = show::LocalizeAnswer {
        program: &program,
        properties: &properties,
        args,
        found,
        localization: None,
        places: None,
        chosen: Vec::new(),
        warnings,
    };
    if let ErrorLookup::Proved(_) = &told.found {
        told.chosen = claim::chosen(&program, &properties, (&args.input, &args.common), &budget);
        timing.phase("conventions");
    }
    if let ErrorLookup::Error { bits, .. } = &told.found {
        progress.say(|| "asking for another value of each assignment".to_owned());
        let found =
            idiolect_localize::LocalizedRun::new(&program, &properties, bits, &config, &budget);
        timing.phase("localize");
        let outcome = found.map(|mut found| {
            found.run_on(&properties, bits, &config, &budget);
            found.told()
        });
        timing.phase("run_again");
        if let Err(NotLocalized::NoError(end)) = &outcome {
            return Err(CommandFailure::Disagreement {
                symbolic: "an error".to_owned(),
                concrete: format!("{end:?}"),
                reproducer: None,
            });
        }
        told.localization = Some(outcome);
        progress.say(|| "asking for another value at each place".to_owned());
        let runs =
            ranked::RankingRuns::near(&program, &properties, bits, args.common.seed, &budget);
        let setting = ranked::Setting {
            program: &program,
            units: &units,
            properties: &properties,
        };
        let trace = told.localization.as_ref().and_then(|l| l.as_ref().ok());
        told.places = Some(ranked::rank(&setting, &runs, trace, &budget));
        timing.phase("places");
    }
    drop(progress);
    let value = show::json(&told, (!args.common.no_timing).then_some(&timing));
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let page = output::page("localize", &program.sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || show::text(&told));
    Ok(args.common.exit(&told.conclusion()))
}

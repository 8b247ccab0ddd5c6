//! `idiolect run`: run a program on given or random inputs.

mod api_trace;
mod process;
pub mod show;

use crate::args::{CArgs, CommonArgs, FormatArgs, OutputFormat, output_file, refuse};
use crate::c_input;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::harness;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use crate::reading;
use crate::task::read_violation;
use api_trace::ApiTrace;
use clap::Args;
use idiolect_base::{Budget, Canceller, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, Host, InputSource, Machine, NoObserver, Outcome, RandomInputs,
    Recorder, RunOptions, Spread, StdinInputs, Stream, ZeroInputs, run_many,
};
use idiolect_ir::{ErrorKind, Program, Property};
use idiolect_mine::Api;
use idiolect_mine::api::SHIPPED;
pub use idiolect_project::inputs;
use idiolect_verify::svcomp::{Violation, WitnessInputs};

use crate::inputs::{Given, GivenInputs};
use process::{Arguments, Passing, ProcessArgs, is_process};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect run examples/sort.c --input 3,0,-1     these inputs, in order of use
  idiolect run examples/sort.c --runs 10000       random inputs, until one run fails
  idiolect run examples/sort.c --trace            one line per step
  idiolect run wc.c --files . -- -l notes.txt     with arguments, and with this folder's files to read
  idiolect run queue.c --schedules 1000           threads in up to 1000 orders, until a run fails
  idiolect run server.c --api socket,close        the calls, as specification miners read them
  idiolect run task.yml --witness witness.yml     does the run that a witness describes fail?
  idiolect run examples/sort.c --harness test.c   a C file that makes the compiled program do the same")]
pub struct RunArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// Inputs in order of use, separated by commas; further ones are 0
    #[arg(
        long = "input",
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    given: Option<Vec<Given>>,

    /// Follow a violation witness of SV-COMP, of whichever verifier; what it leaves open is 0
    #[arg(long, value_name = "FILE.yml", conflicts_with_all = ["given", "runs"])]
    witness: Option<PathBuf>,

    /// Standard input of the program; `-` is that of this process
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,

    #[command(flatten)]
    process: ProcessArgs,

    /// Run it this many times on random inputs; the outcome is that of the first run that fails
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "given")]
    runs: u32,

    /// Show every step with the values that it changed
    #[arg(long)]
    trace: bool,

    /// Print the calls of these functions, one a line; the name of an API that comes with idiolect, or a file of one
    /// (`.toml`), stands for its functions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    api: Vec<String>,

    /// Write the inputs as a C file to be linked with the program
    #[arg(long, value_name = "FILE.c", value_parser = output_file())]
    harness: Option<PathBuf>,

    /// Write one self-contained HTML page with the source and the run to step through
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    /// Write the finding, if there is one, as SARIF 2.1.0
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    sarif: Option<PathBuf>,

    /// A heap block that nothing points to any more at the end is a fault
    #[arg(long)]
    leaks: bool,

    /// Statements that a run may execute
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,

    #[command(flatten)]
    pub format: FormatArgs,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// Everything that a run needs beside its inputs.
struct Setting<'a> {
    args: &'a RunArgs,
    compiled: Compiled,
    options: RunOptions,
    budget: Budget,
    stdin: Option<Vec<u8>>,
    /// The system around the program, if it runs as a process.
    host: Option<Host>,
    /// Functions of which the calls are printed.
    api: Vec<String>,
}

/// What is told about the run.
pub struct Report {
    outcome: Outcome,
    recorder: Recorder<true>,
    /// Which of the runs it was.
    number: usize,
    n_runs: usize,
    warnings: Vec<String>,
}

/// Runs a program.
pub fn run(args: &RunArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    refuse(
        args.runs == 0,
        "there is nothing to do in 0 runs",
        "give `--runs` a positive number",
    )?;
    let mut timing = Timing::start();
    let is_process = is_process(args);
    let host = if is_process {
        Some(args.process.host()?)
    } else {
        None
    };
    let loaded = c_input::load(&process_input(args, is_process), Vec::new())?;
    timing.phase("front_end");
    let mut warnings = loaded.warnings_of_run();
    let stdin = match &args.stdin {
        Some(path) if path.as_os_str() == "-" => {
            let stdin = std::io::stdin().lock();
            Some(reading::from(stdin, Path::new("<stdin>"), reading::LARGE)?)
        }
        Some(path) => Some(reading::bytes(path, reading::LARGE)?),
        None => None,
    };
    let witness = match &args.witness {
        Some(path) => Some(read_violation(path)?),
        None => None,
    };
    let mut setting = setting(args, loaded.program, stdin, host, canceller);
    setting.api = api_functions(&args.api)?;
    let shows_output = args.runs == 1 && !args.common.json && !args.trace && args.api.is_empty();
    let mut passing = Passing::new(shows_output);
    let (number, outcome) = match &witness {
        Some(witness) => (0, follow(&setting, witness, &mut passing, &mut warnings)),
        None if args.runs == 1 => {
            choose_schedule(&mut setting, &mut warnings);
            (0, single_run(&mut setting, &mut passing, &mut warnings))
        }
        None => chosen_run(&setting),
    };
    passing.finish();
    let is_searched = args.runs > 1 && args.given.is_none() && setting.stdin.is_none();
    let outcome = if is_searched && !args.leaks {
        smaller(&setting, outcome)
    } else {
        outcome
    };
    timing.phase("run");
    let recorder = record(&setting, &outcome);
    timing.phase("record");
    let format = args.format.chosen(&args.common);
    if !args.common.quiet {
        unknown_calls(setting.compiled.program(), &args.api);
    }
    if !args.api.is_empty() && format == OutputFormat::Text {
        let lines = api_lines(&setting, &outcome);
        output::print(&(lines.join("\n") + if lines.is_empty() { "" } else { "\n" } + "--\n"));
        return Ok(exit_of(&outcome.end).forgiving(args.common.exit_zero));
    }
    let report = Report {
        outcome,
        recorder,
        number,
        n_runs: args.runs as usize,
        warnings,
    };
    let program = setting.compiled.program();
    if let Some(path) = &args.harness {
        let harness = harness::write(program, &report.outcome.inputs, &args.input, path);
        output::write_whole(path, harness.as_bytes())?;
    }
    if args.report.is_some() || args.sarif.is_some() {
        let outcome = show::json(program, &report, None);
        let inputs = &report.outcome.inputs;
        if let Some(path) = &args.report {
            let page = show::page(program, args, inputs, &outcome);
            output::write_whole(path, page.as_bytes())?;
        }
        if let Some(path) = &args.sarif {
            let log = idiolect_report::sarif(&outcome, &show::reproduce(&args.input, inputs));
            output::write_whole(path, format!("{log:#}\n").as_bytes())?;
        }
    }
    match format {
        OutputFormat::Json => {
            let timing = (!args.common.no_timing).then_some(&timing);
            let mut result = show::result(program, &report);
            if !args.trace {
                result.trace = None;
            }
            if !args.api.is_empty() {
                result.api = Some(api_lines(&setting, &report.outcome));
            }
            output::print_json(&show::json_with(program, &report, timing, result));
        }
        OutputFormat::Github => {
            let outcome = show::json(program, &report, None);
            output::print(&idiolect_report::github(&outcome));
        }
        // Standard output is the program's; what there is to say about it goes beside it.
        OutputFormat::Text if shows_output => {
            let newline = match passing.last {
                None | Some(b'\n') => "",
                Some(_) => "\n",
            };
            let text = show::text(program, args, &report);
            if !text.is_empty() {
                output::print_error(&(newline.to_owned() + &text));
            }
        }
        OutputFormat::Text => output::print(&show::text(program, args, &report)),
    }
    let exit = match (&report.outcome.end, args.process.pass_exit_code) {
        (End::Exit(status), true) => Exit::Program(*status as u8),
        (End::Abort | End::Error(ErrorKind::Assert(_)), true) => Exit::Program(ABORTED),
        (end, _) => exit_of(end).forgiving(args.common.exit_zero),
    };
    Ok(exit)
}

/// What a shell shows for a program that aborts.
const ABORTED: u8 = 134;

/// As much room for the arguments as those have that are given.
fn process_input(args: &RunArgs, is_process: bool) -> CArgs {
    let mut input = args.input.clone();
    input.is_process = is_process;
    let longest = (args.process.arguments.iter()).map(|a| a.len());
    if let Some(longest) = longest.max() {
        let name = args.input.files.first().map_or(0, |f| f.as_os_str().len());
        input.max_argc = args.process.arguments.len() as u32 + 1;
        input.max_argument_length = longest.max(name) as u32 + 1;
    }
    input
}

fn setting<'a>(
    args: &'a RunArgs,
    program: Program,
    stdin: Option<Vec<u8>>,
    host: Option<Host>,
    canceller: &Canceller,
) -> Setting<'a> {
    let compile_options = CompileOptions {
        check_overflow: args.input.properties().contains(&Property::Overflow),
    };
    // One run may compute for a while; many random ones must not hang in an endless loop each.
    let default_steps = (2_000_000_000 / u64::from(args.runs)).max(1_000_000);
    Setting {
        args,
        compiled: match host {
            Some(_) => Compiled::new(Arc::new(program), &compile_options).with_addresses(),
            None => Compiled::new(Arc::new(program), &compile_options),
        },
        options: RunOptions {
            max_steps: args.max_steps.unwrap_or(default_steps),
            check_leaks: args.leaks,
            ..RunOptions::default()
        },
        budget: args.common.budget(canceller),
        api: Vec::new(),
        stdin,
        host,
    }
}

/// The same failure on inputs made small.
fn smaller(setting: &Setting<'_>, outcome: Outcome) -> Outcome {
    let all = Property::ALL;
    if !idiolect_search::violates(&outcome.end, &all) {
        return outcome;
    }
    let bits = outcome.inputs.iter().map(|i| i.bits).collect();
    let Ok(run) = idiolect_search::replay(&setting.compiled, &all, bits, &setting.budget) else {
        return outcome;
    };
    let small = idiolect_search::shrunk(&setting.compiled, &all, &run, &setting.budget);
    let mut source = idiolect_interp::FixedInputs::new(small.bits(), ZeroInputs);
    let again = one_run(setting, &mut source, &mut ignore);
    if small.is_same_error(&again) {
        again
    } else {
        outcome
    }
}

/// Does the run that a witness describes.
fn follow(
    setting: &Setting<'_>,
    witness: &Violation,
    passing: &mut Passing,
    warnings: &mut Vec<String>,
) -> Outcome {
    let program = setting.compiled.program();
    let mut source = WitnessInputs::new(program, witness, ZeroInputs);
    let outcome = one_run(setting, &mut source, &mut |to, bytes| {
        passing.write(to, bytes)
    });
    let (missed, values) = (source.n_missed(), witness.n_values());
    if missed > 0 {
        warnings.push(format!(
            "the run does not come by {missed} of the {} in the witness",
            counted(values as u64, "value")
        ));
    }
    if witness.n_unused > 0 {
        warnings.push(format!(
            "{} of the witness are not about what a call returns, and were not used",
            counted(witness.n_unused as u64, "waypoint")
        ));
    }
    outcome
}

/// Tries orders of threads until a run fails, and stays with the last one.
fn choose_schedule(setting: &mut Setting<'_>, warnings: &mut Vec<String>) {
    let args = setting.args;
    let Some(host) = setting.host.clone().filter(|_| args.process.schedules > 1) else {
        return;
    };
    let progress = ProgressLine::start(&args.common, "running");
    let total = args.process.schedules;
    for i in 0..u64::from(total) {
        let schedule = args.process.schedule.wrapping_add(i);
        progress.count(i, Some(total.into()), "schedules");
        setting.host = Some(host.clone().with_schedule(schedule));
        let random = RandomInputs::new(Rng::new(args.common.seed, 0), Spread::Mixed);
        let outcome = match &args.given {
            Some(given) => {
                let mut source = GivenInputs::new(given, ZeroInputs);
                one_run(setting, &mut source, &mut ignore)
            }
            None => {
                let stdin = setting.stdin.clone().unwrap_or_default();
                let mut source = StdinInputs::new(stdin, Arguments::new(args, random));
                machine(setting).run_writing(&mut source, &mut ignore, &setting.budget)
            }
        };
        if exit_of(&outcome.end) == Exit::Finding {
            warnings.push(format!(
                "`--schedule {schedule}` makes threads take these turns again"
            ));
            return;
        }
        if setting.budget.look().is_err() {
            return;
        }
    }
}

/// Does one run: on given inputs, or as a plain process.
fn single_run(
    setting: &mut Setting<'_>,
    passing: &mut Passing,
    warnings: &mut Vec<String>,
) -> Outcome {
    let args = setting.args;
    if let Some(given) = &args.given {
        let mut source = GivenInputs::new(given, ZeroInputs);
        let outcome = one_run(setting, &mut source, &mut |to, bytes| {
            passing.write(to, bytes)
        });
        if source.unused() > 0 {
            warnings.push(format!(
                "{} of the given inputs were not used",
                source.unused()
            ));
        }
        if source.beyond > 0 {
            let (given, beyond) = (given.len(), source.beyond);
            warnings.push(format!(
                "{given} inputs were given and {} used; the others were 0",
                given + beyond
            ));
        }
        return outcome;
    }
    // Standard input is as given, or empty.
    let random = RandomInputs::new(Rng::new(args.common.seed, 0), Spread::Mixed);
    let stdin = setting.stdin.clone().unwrap_or_default();
    let mut source = StdinInputs::new(stdin, Arguments::new(args, random));
    let mut machine = machine(setting);
    passing.progress = Some(ProgressLine::start(&args.common, "running"));
    let mut write = |to, bytes: &[u8]| passing.write(to, bytes);
    let outcome = machine.run_writing(&mut source, &mut write, &setting.budget);
    passing.progress = None;
    // Whoever does this run again sees the same times.
    let readings = machine.clock_readings().to_vec();
    drop(machine);
    setting.host = setting
        .host
        .as_ref()
        .map(|host| host.with_readings(&readings));
    outcome
}

fn machine<'s>(setting: &'s Setting<'_>) -> Machine<'s> {
    let machine = Machine::new(&setting.compiled, setting.options);
    match &setting.host {
        Some(host) => machine.with_host(host.clone()),
        None => machine,
    }
}

/// Does the runs and gives the first that fails, or else the last.
fn chosen_run(setting: &Setting<'_>) -> (usize, Outcome) {
    let args = setting.args;
    let progress = ProgressLine::start(&args.common, "running");
    let done = AtomicU64::new(0);
    // Batches, so that the first failure ends the search and memory stays small.
    let batch = 1024;
    let (seed, setting_stdin) = (args.common.seed, setting.stdin.as_deref());
    let total = args.runs as usize;
    let mut last = None;
    for start in (0..total).step_by(batch) {
        let n = batch.min(total - start);
        let results = run_many(
            &setting.compiled,
            setting.options,
            n,
            &setting.budget,
            |i| {
                let number = (start + i) as u64;
                let n = done.fetch_add(1, Ordering::Relaxed);
                progress.count(n, Some(total as u64), "runs");
                (random_source(seed, number, setting_stdin), NoObserver)
            },
        );
        for (i, (outcome, _)) in results.into_iter().enumerate() {
            let is_finding = exit_of(&outcome.end) == Exit::Finding;
            let is_cancelled = setting.budget.look().is_err();
            last = Some((start + i, outcome));
            if is_finding || is_cancelled {
                break;
            }
        }
        if let Some((_, outcome)) = &last
            && (exit_of(&outcome.end) == Exit::Finding || setting.budget.look().is_err())
        {
            break;
        }
    }
    // There is at least one run, so there is a last one.
    last.unwrap_or_else(|| (0, one_run(setting, &mut ZeroInputs, &mut ignore)))
}

/// Many runs vary everything but what is given.
fn random_source(seed: u64, number: u64, stdin: Option<&[u8]>) -> Box<dyn InputSource> {
    let random = RandomInputs::new(Rng::new(seed, number), Spread::Mixed);
    match stdin {
        Some(bytes) => Box::new(StdinInputs::new(bytes.to_vec(), random)),
        None => Box::new(random),
    }
}

/// What a run writes is in its outcome, too.
fn ignore(_: Stream, _: &[u8]) {}

fn one_run(
    setting: &Setting<'_>,
    source: &mut dyn InputSource,
    write: &mut dyn FnMut(Stream, &[u8]),
) -> Outcome {
    match &setting.stdin {
        Some(bytes) => {
            let mut source = StdinInputs::new(bytes.clone(), source);
            machine(setting).run_writing(&mut source, write, &setting.budget)
        }
        None => machine(setting).run_writing(source, write, &setting.budget),
    }
}

/// Does the chosen run again and watches: the same inputs make the same run.
fn record(setting: &Setting<'_>, outcome: &Outcome) -> Recorder<true> {
    let bits = outcome.inputs.iter().map(|input| input.bits).collect();
    let mut source = idiolect_interp::FixedInputs::new(bits, ZeroInputs);
    let mut machine = machine(setting);
    let mut recorder = Recorder::<true>::default();
    let has_reader = setting.args.report.is_some() || setting.args.sarif.is_some();
    if setting.args.trace || has_reader {
        machine.run(&mut source, &mut recorder, &setting.budget);
    } else if setting.args.common.json {
        let mut short = Recorder::<false>::default();
        machine.run(&mut source, &mut short, &setting.budget);
        recorder.events = short.events;
        recorder.decisions = short.decisions;
    }
    recorder
}

/// So many functions are named where a name is not known.
const SHOWN: usize = 8;

/// Says which of these functions the program has not: it may be meant so, or be a slip.
fn unknown_calls(program: &Program, names: &[String]) {
    let known = || {
        let ids = program.function_ids();
        ids.map(|id| program.function(id).name.as_str())
    };
    let is_api = |name: &String| name.ends_with(".toml") || Api::shipped(name).is_some();
    let unknown = |name: &&String| !is_api(name) && !known().any(|own| own == *name);
    // A call of the library that this program does not make is no slip.
    let is_library = |name: &String| {
        let mut shipped = SHIPPED.iter().filter_map(|(api, _)| Api::shipped(api));
        shipped.any(|api| api.calls.iter().any(|call| call.name == *name))
    };
    // Names of the library begin like this where they are ours.
    let own = || known().filter(|name| !name.starts_with("__"));
    for name in names.iter().filter(unknown) {
        let help = match idiolect_base::nearest(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if is_library(name) => continue,
            None => match own().take(SHOWN).collect::<Vec<_>>().join(", ") {
                list if own().nth(SHOWN).is_none() => format!("it has {list}"),
                list => format!("it has {list}, …"),
            },
        };
        output::print_error(&format!(
            "note: the program has no function `{name}`; {help}\n"
        ));
    }
}

/// The functions that `--api` names: an API stands for all of its functions, and a function for itself.
fn api_functions(names: &[String]) -> Result<Vec<String>, CommandFailure> {
    let mut functions = Vec::new();
    for name in names {
        let is_api = Api::shipped(name).is_some() || name.ends_with(".toml");
        if is_api {
            let api = super::traces::load_api(name)?;
            functions.extend(api.calls.into_iter().map(|call| call.name));
        }
        functions.push(name.clone());
    }
    Ok(functions)
}

fn api_lines(setting: &Setting<'_>, outcome: &Outcome) -> Vec<String> {
    let bits = outcome.inputs.iter().map(|input| input.bits).collect();
    let mut source = idiolect_interp::FixedInputs::new(bits, ZeroInputs);
    let mut trace = ApiTrace::new(&setting.api);
    let mut machine = machine(setting);
    machine.run(&mut source, &mut trace, &setting.budget);
    trace.finish()
}

fn exit_of(end: &End) -> Exit {
    match end {
        End::Exit(_) | End::Abort | End::AssumeEnded => Exit::Clean,
        End::Error(_) | End::Fault(_) => Exit::Finding,
        End::Trap(_) | End::Limit(_) | End::InputsEnded | End::Stopped => Exit::Undecided,
    }
}

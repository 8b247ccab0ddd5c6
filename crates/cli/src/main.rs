//! The command line: one file per subcommand, and no algorithms.

mod commands;

use args::{CArgs, CommonArgs, OutputFormat};
use clap::{CommandFactory, Parser, Subcommand};
use exit::Exit;
use failure::CommandFailure;
use idiolect_base::{Canceller, deep_stack, nearest};
use idiolect_console::{
    clock, drawing, exit, failure, live, looks, memory, output, progress, reading, render, sink,
};
use idiolect_project::{
    args, build, c_input, claim, door, ends, harness, inputs, named, native, returned, spec, task,
    tests_file, traces, unwinding,
};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  idiolect run examples/sort.c --runs 1000      run it on random inputs, report the first failure
  idiolect explain examples/explain/loop.c      all the ways in which an assertion fails
  idiolect verify examples/sort.c               all runs up to a bound at once
  idiolect localize examples/localize/figure1.c the assignments that an error depends on
  idiolect repair examples/sort.c               a change that makes it pass, checked
  idiolect invariants corpus/linear/array-find.c
                                                what holds of every element at each loop
  idiolect trace --api socket -- ./server 80    the calls that a real program makes
  idiolect mine examples/server.trace --api socket
                                                the protocol that running programs keep
  idiolect debug cfg examples/sort.c            show what the analyses see
  idiolect learn examples/odd.dot --learner ttt learn a given automaton by queries

Exit codes: 0 a promise was reached (see its guarantee), 1 finding, 2 bad usage, input or output,
3 nothing is promised, 101 our bug.";

/// Learns the language a C program speaks.
#[derive(Parser, Debug)]
#[command(name = "idiolect", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run a C program on given or random inputs
    Run(commands::run::RunArgs),
    /// Show in which ways an assertion fails, as an automaton over events
    Explain(commands::explain::ExplainArgs),
    /// Show what a change or a merge gained and lost
    Diff(commands::diff::DiffArgs),
    /// Look for an error, or show that there is none
    Verify(commands::verify::VerifyArgs),
    /// Show which assignments, changed alone, would make an error go away
    Localize(commands::localize::LocalizeArgs),
    /// Change the source so that failing runs pass, and check the change
    Repair(commands::repair::RepairArgs),
    /// Learn and prove what holds of every element of an array or list
    Invariants(commands::invariants::InvariantsArgs),
    /// Record the calls that a real program makes
    Trace(commands::trace::TraceArgs),
    /// Mine the protocol that traces keep with an API
    Mine(commands::mine::MineArgs),
    /// Check traces against a mined protocol
    Check(commands::check::CheckArgs),
    /// Learn an automaton: of a running system, a C program, words, or one that is given
    Learn(commands::learn::LearnArgs),
    /// Do many jobs from a list, and merge their results
    Batch(commands::batch::BatchArgs),
    /// Show the reports of a folder in a browser
    Serve(commands::serve::ServeArgs),
    /// Speak with an editor: findings when a file is saved, invariants on hover
    Lsp(commands::lsp::LspArgs),
    /// Look at a stage of the pipeline: syntax tree, control flow, paths, terms, clauses
    Debug(commands::debug::DebugArgs),
    /// Say what was found on this machine: C compiler, optional helpers
    Doctor(commands::doctor::DoctorArgs),
    /// Print a completion script for a shell
    Completions(commands::shell::CompletionsArgs),
    /// Print the manual page
    Man(commands::shell::ManArgs),
}

impl Command {
    /// How an answer, or what stands in its way, is printed.
    fn format(&self) -> OutputFormat {
        let or_text = |json| {
            if json {
                OutputFormat::Json
            } else {
                OutputFormat::Text
            }
        };
        match self {
            Command::Run(args) => args.format.chosen(&args.common),
            Command::Explain(args) => args.format.chosen(&args.common),
            Command::Diff(args) => args.format.chosen(&args.common),
            Command::Verify(args) => args.format.chosen(&args.common),
            Command::Localize(args) => args.format.chosen(&args.common),
            Command::Repair(args) => args.format.chosen(&args.common),
            Command::Invariants(args) => args.format.chosen(&args.common),
            Command::Mine(args) => args.format.chosen(&args.common),
            Command::Check(args) => args.format.chosen(&args.common),
            Command::Learn(args) => args.format.chosen(&args.common),
            Command::Doctor(args) => args.format.chosen(&args.common),
            Command::Trace(args) => or_text(args.common.json),
            Command::Batch(args) => or_text(args.wants_json()),
            Command::Serve(_)
            | Command::Lsp(_)
            | Command::Debug(_)
            | Command::Completions(_)
            | Command::Man(_) => OutputFormat::Text,
        }
    }

    /// The C program that the command reads, if it reads one.
    fn c_input(&mut self) -> Option<&mut CArgs> {
        match self {
            Command::Run(args) => Some(&mut args.input),
            Command::Explain(args) => Some(&mut args.input),
            Command::Verify(args) => Some(&mut args.input),
            Command::Localize(args) => Some(&mut args.input),
            Command::Repair(args) => Some(&mut args.input),
            Command::Invariants(args) => Some(&mut args.input),
            Command::Diff(args) => Some(&mut args.input),
            Command::Debug(args) => Some(args.input()),
            _ => None,
        }
    }

    /// The report that the command leaves, if it leaves one.
    fn report(&self) -> Option<&Path> {
        match self {
            Command::Run(args) => args.report.as_deref(),
            Command::Explain(args) => args.report.as_deref(),
            Command::Diff(args) => args.report.as_deref(),
            Command::Verify(args) => args.report.as_deref(),
            Command::Localize(args) => args.report.as_deref(),
            Command::Repair(args) => args.report.as_deref(),
            Command::Invariants(args) => args.report.as_deref(),
            Command::Mine(args) => args.report.as_deref(),
            Command::Check(args) => args.report.as_deref(),
            Command::Learn(args) => args.report.as_deref(),
            _ => None,
        }
    }

    /// What an answer in its place would look like.
    fn asked(&self) -> clock::AskedCommand {
        let (command, common) = self.name();
        clock::AskedCommand {
            command,
            format: self.format(),
            no_timing: common.is_some_and(|c| c.no_timing),
        }
    }

    fn timeout(&self) -> Option<Duration> {
        match self {
            // The program that is recorded has its own limit; then its calls are still written.
            Command::Trace(_) => None,
            Command::Debug(args) => args.timeout(),
            _ => self.name().1.and_then(|common| common.timeout),
        }
    }

    fn name(&self) -> (&'static str, Option<&CommonArgs>) {
        match self {
            Command::Run(args) => ("run", Some(&args.common)),
            Command::Explain(args) => ("explain", Some(&args.common)),
            Command::Diff(args) => ("diff", Some(&args.common)),
            Command::Verify(args) => ("verify", Some(&args.common)),
            Command::Localize(args) => ("localize", Some(&args.common)),
            Command::Repair(args) => ("repair", Some(&args.common)),
            Command::Invariants(args) => ("invariants", Some(&args.common)),
            Command::Trace(args) => ("trace", Some(&args.common)),
            Command::Mine(args) => ("mine", Some(&args.common)),
            Command::Check(args) => ("check", Some(&args.common)),
            Command::Learn(args) => ("learn", Some(&args.common)),
            Command::Batch(_) => ("batch", None),
            Command::Serve(_) => ("serve", None),
            Command::Lsp(_) => ("lsp", None),
            Command::Debug(_) => ("debug", None),
            Command::Doctor(args) => ("doctor", Some(&args.common)),
            Command::Completions(_) => ("completions", None),
            Command::Man(_) => ("man", None),
        }
    }

    fn run(mut self, canceller: &Canceller) -> Result<Exit, CommandFailure> {
        if let Some(input) = self.c_input() {
            input.read_task()?;
            input.read_build()?;
        }
        let is_verify = matches!(self, Command::Verify(_));
        if let Some(input) = self.c_input() {
            input.check_models(is_verify)?;
        }
        if !matches!(self, Command::Invariants(_))
            && let Some(input) = self.c_input()
        {
            input.takes_contract = true;
            input.explains_contract = is_verify;
        }
        if let Some(input) = self.c_input()
            && input.suggest_contract
        {
            output::print(&c_input::suggested_contract(input)?);
            return Ok(Exit::Clean);
        }
        match &mut self {
            Command::Explain(args) => args.resolve()?,
            Command::Diff(args) => args.resolve()?,
            _ => {}
        }
        // `verify` decides by its engine who is asked.
        if !is_verify && let Some(input) = self.c_input() {
            door::open(input)?;
        }
        match self {
            Command::Run(args) => commands::run::run(&args, canceller),
            Command::Explain(args) => commands::explain::run(&args, canceller),
            Command::Diff(args) => commands::diff::run(&args, canceller),
            Command::Verify(args) => commands::verify::run(&args, canceller),
            Command::Localize(args) => commands::localize::run(&args, canceller),
            Command::Repair(args) => commands::repair::run(&args, canceller),
            Command::Invariants(args) => commands::invariants::run(&args, canceller),
            Command::Trace(args) => commands::trace::run(&args, canceller),
            Command::Mine(args) => commands::mine::run(&args, canceller),
            Command::Check(args) => commands::check::run(&args, canceller),
            Command::Learn(args) => commands::learn::run(&args, canceller),
            Command::Batch(args) => commands::batch::run(&args, canceller),
            Command::Serve(args) => commands::serve::run(&args, canceller),
            Command::Lsp(args) => commands::lsp::run(&args),
            Command::Debug(args) => commands::debug::run(&args, canceller),
            Command::Doctor(args) => commands::doctor::run(args, canceller),
            Command::Completions(args) => commands::shell::completions(&args, Cli::command()),
            Command::Man(args) => commands::shell::manual(&args, Cli::command()),
        }
    }
}

fn main() -> ExitCode {
    let words = match build::words::prepare(std::env::args_os().collect(), &Cli::command()) {
        Ok(words) => words,
        Err(failure) => return bad_words(&failure),
    };
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => return usage_error(&with_near_value(error)),
    };
    let canceller = Canceller::new();
    clock::start(cli.command.timeout(), &canceller, cli.command.asked());
    let for_handler = canceller.clone();
    // The first Ctrl-C asks for the best result so far, the second one ends the process.
    let _ = ctrlc::set_handler(move || {
        if for_handler.is_cancelled() {
            end_now();
        }
        for_handler.cancel();
    });
    memory::watch(canceller.clone());
    // Deeply nested programs need deep recursion.
    let work = || deep_stack(move || command_to_exit(cli.command, &canceller));
    let exit = match std::panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(exit) => exit,
        Err(_) => {
            output::print_error(
                "idiolect has a bug: it should have given an answer and did not.\n\
                 Please report this together with the input and the command.\n",
            );
            Exit::OurBug
        }
    };
    // What was found is lost on a script that waits for a file.
    let exit = match exit {
        Exit::OurBug => exit,
        _ if !sink::is_complete() => Exit::BadInput,
        _ => exit,
    };
    ExitCode::from(exit.code())
}

fn command_to_exit(command: Command, canceller: &Canceller) -> Exit {
    let asked = command.asked();
    let _live = command.report().and_then(live::Live::start);
    command.run(canceller).unwrap_or_else(|failure| {
        if let CommandFailure::Stopped { reason, doing } = failure {
            output::print(&clock::answer(asked, reason, doing));
            return failure.exit();
        }
        complain(&failure, asked.format);
        failure.exit()
    })
}

/// Says why there is no answer, so that whoever reads the answers reads it, too.
fn complain(failure: &CommandFailure, format: OutputFormat) {
    match format {
        OutputFormat::Json => output::print_json(&failure.to_json()),
        OutputFormat::Github => {
            output::print(&idiolect_report::github_complaints(&failure.to_json()));
            output::print_error(&failure.to_text());
        }
        OutputFormat::Text => output::print_error(&failure.to_text()),
    }
}

/// The form that the words of a command line ask for, where they cannot be read as a whole. Those behind `--` are a
/// program's own.
fn wanted_format() -> OutputFormat {
    let words: Vec<_> = std::env::args_os()
        .take_while(|word| word != "--")
        .collect();
    let is_github = |pair: &[std::ffi::OsString]| pair[0] == "--format" && pair[1] == "github";
    if words.iter().any(|word| word == "--json") {
        OutputFormat::Json
    } else if words.windows(2).any(is_github) || words.iter().any(|word| word == "--format=github")
    {
        OutputFormat::Github
    } else {
        OutputFormat::Text
    }
}

/// The words of the command line could not even be put together.
fn bad_words(failure: &CommandFailure) -> ExitCode {
    complain(failure, wanted_format());
    ExitCode::from(failure.exit().code())
}

/// A value that an option does not have, with the nearest one that it has: letters that changed places are near, too.
fn with_near_value(mut error: clap::Error) -> clap::Error {
    use clap::error::{ContextKind, ContextValue};
    let near = match (
        error.get(ContextKind::InvalidValue),
        error.get(ContextKind::ValidValue),
    ) {
        (Some(ContextValue::String(given)), Some(ContextValue::Strings(known))) => {
            nearest(given, known.iter().map(String::as_str)).map(str::to_owned)
        }
        _ => None,
    };
    if let Some(near) = near
        && error.get(ContextKind::SuggestedValue).is_none()
    {
        error.insert(ContextKind::SuggestedValue, ContextValue::String(near));
    }
    error
}

/// What was probably meant.
fn usage_help(error: &clap::Error) -> String {
    use clap::error::{ContextKind, ContextValue};
    let kinds = [
        ContextKind::SuggestedValue,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
    ];
    let near = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(near) => Some(near),
        ContextValue::Strings(all) => all.first(),
        _ => None,
    });
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "see `idiolect --help`".to_owned(),
    }
}

/// Help and version are answers; everything else is bad usage, which scripts that asked for JSON
/// want to read as JSON.
fn usage_error(error: &clap::Error) -> ExitCode {
    let format = wanted_format();
    if error.use_stderr() && format != OutputFormat::Text {
        let message = error.to_string();
        let first = message
            .lines()
            .next()
            .unwrap_or("")
            .trim_start_matches("error: ");
        let failure = CommandFailure::usage(first, usage_help(error));
        complain(&failure, format);
        return ExitCode::from(Exit::BadInput.code());
    }
    let printed = error.print();
    let is_lost = printed.is_err_and(|e| e.kind() != std::io::ErrorKind::BrokenPipe);
    ExitCode::from(if error.use_stderr() || is_lost {
        Exit::BadInput.code()
    } else {
        Exit::Clean.code()
    })
}

#[allow(clippy::exit)] // A second Ctrl-C: the user does not want to wait for anything.
fn end_now() -> ! {
    std::process::exit(130)
}

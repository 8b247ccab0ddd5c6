//! `idiolect verify`: an error with its run, or how sure one may be that there is none. So far by
//! bounded model checking alone.

use super::run::show;
use super::unwinding::UnwindArgs;
use crate::args::{CArgs, CommonArgs, Format, FormatArgs};
use crate::c_input;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::harness;
use crate::output::{self, Envelope, Timing};
use crate::progress::Progress;
use crate::witness;
use clap::{Args, ValueEnum};
use idiolect_base::{Budget, Canceller};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, Outcome, Recorder, RunOptions, ZeroInputs,
};
use idiolect_ir::{Program, Property};
use idiolect_smt::{ExternalSolver, Session, SessionStatistics};
use idiolect_symex::bmc::{BmcOutcome, FoundFault, Undecided, Unwinding, find_error_within};
use idiolect_symex::{EndKind, InputValue};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect verify examples/sort.c
  idiolect verify examples/sort.c --unwind 8 --harness test.c
  idiolect verify driver.c --property assert,memory --timeout 60 --json
  idiolect verify corpus/recursive/fibonacci_five.yml --witness witness.yml
  idiolect verify driver.c --solver 'z3 -in'
  idiolect verify driver.c --dump-smt2 questions.smt2 && z3 questions.smt2

An error is replayed by the interpreter before it is shown. `proved` means that every run ends
within the bound, that all C in it is modelled, and that none has an error or a fault.")]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// Who looks for errors
    #[arg(long, value_name = "NAME", default_value = "bmc")]
    engine: Engine,

    /// The largest number of unwindings of loops and recursion; tried by 1, 2, 4, …
    #[arg(long, value_name = "N", default_value_t = 32)]
    unwind: usize,

    #[command(flatten)]
    unwinding: UnwindArgs,

    /// Write the inputs of the error as a C file to be linked with the program
    #[arg(long, value_name = "FILE.c")]
    harness: Option<PathBuf>,

    /// Write a witness of the verdict in the exchange format 2.0 of SV-COMP
    #[arg(long, value_name = "FILE.yml")]
    witness: Option<PathBuf>,

    /// Ask this program instead of our own solver: a command that reads SMT-LIB 2 from its standard
    /// input, with its arguments
    #[arg(long, value_name = "COMMAND")]
    solver: Option<String>,

    /// Write every question as SMT-LIB 2, with the answer it got as its status
    #[arg(long, value_name = "FILE.smt2")]
    dump_smt2: Option<PathBuf>,

    /// Write the finding as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,

    /// Write one self-contained HTML page
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Engine {
    /// Bounded model checking: all runs up to a number of unwindings at once
    Bmc,
}

/// A verdict, ready to be shown.
struct Verdict {
    name: &'static str,
    guarantee_kind: &'static str,
    guarantee: String,
    exit: Exit,
    unwind: Option<usize>,
    error: Option<(Outcome, Recorder<true>)>,
    warnings: Vec<String>,
}

pub fn run(args: &VerifyArgs, canceller: &Canceller) -> Result<Exit, Failure> {
    let mut timing = Timing::start();
    let loaded = c_input::load(&args.input, Vec::new())?;
    timing.phase("front_end");
    let warnings = loaded.warnings();
    let budget = args.common.budget(canceller);
    let properties = args.input.properties();
    let progress = Progress::start(args.common.quiet, "bounded model checking");
    progress.say(|| format!("up to {} unwindings", args.unwind));
    let mut session = session(args)?;
    let found = match args.engine {
        Engine::Bmc => {
            let unwinding = Unwinding {
                max: args.unwind,
                own: args.unwinding.own_bounds(&loaded.program)?,
            };
            find_error_within(
                &mut session,
                &loaded.program,
                &properties,
                &unwinding,
                &budget,
            )
        }
    };
    drop(progress);
    if let (Some(path), Some(questions)) = (&args.dump_smt2, session.transcript()) {
        output::write_whole(path, questions.as_bytes())?;
    }
    if let Some(error) = session.take_failure() {
        return Err(Failure::Solver(error));
    }
    timing.phase("bmc");
    let program = Arc::new(loaded.program);
    let mut verdict = judge(args, &program, &properties, found, &budget)?;
    timing.phase("replay");
    verdict.warnings.splice(0..0, warnings);
    if let (Some(path), Some((outcome, _))) = (&args.harness, &verdict.error) {
        let how = harness::command(&program, &outcome.inputs, &args.input.files, path);
        let text = harness::write(&program, &outcome.inputs, &how);
        output::write_whole(path, text.as_bytes())?;
    }
    if let Some(path) = &args.witness {
        write_witness(args, &program, &verdict, path)?;
    }
    let timing = (!args.common.no_timing).then_some(&timing);
    let value = to_json(&program, &verdict, &session.statistics(), timing);
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let page = output::page("verify", &program.sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    match args.format.chosen(&args.common) {
        Format::Json => output::print_json(&value),
        Format::Github => output::print(&idiolect_report::github(&value)),
        Format::Text => output::print(&to_text(&program, args, &verdict)),
    }
    output::leave(session);
    Ok(verdict.exit.forgiving(args.common.exit_zero))
}

/// An error is shown by its inputs, a proof by nothing but its verdict; there is no witness of doubt.
fn write_witness(
    args: &VerifyArgs,
    program: &Program,
    verdict: &Verdict,
    path: &Path,
) -> Result<(), Failure> {
    let about = witness::About {
        program,
        files: &args.input.files,
        properties: &args.input.properties(),
        data_model: args.input.data_model(),
        entry: &args.input.entry,
        time: match args.common.no_timing {
            true => 0,
            false => output::now(),
        },
    };
    let text = match &verdict.error {
        Some((outcome, _)) => {
            let function = &program.function(outcome.place.function).name;
            let target = program.sources.place(outcome.place.span);
            target.map(|target| about.violation(&outcome.inputs, &target, function))
        }
        None => (verdict.name == "proved").then(|| about.correctness()),
    };
    match text {
        Some(text) => output::write_whole(path, text.as_bytes()),
        None => Ok(()),
    }
}

/// Who answers, and whether the questions are kept.
fn session(args: &VerifyArgs) -> Result<Session, Failure> {
    let mut session = match &args.solver {
        None => Session::new(),
        Some(command) => {
            let mut words = command.split_whitespace();
            let program = words.next().ok_or_else(|| {
                Failure::usage(
                    "`--solver` names no program",
                    "for example `--solver 'z3 -in'`",
                )
            })?;
            Session::with_external(ExternalSolver::new(program, &words.collect::<Vec<_>>()))
        }
    };
    if args.dump_smt2.is_some() {
        session.keep_transcript();
    }
    Ok(session)
}

fn judge(
    args: &VerifyArgs,
    program: &Arc<Program>,
    properties: &[Property],
    found: BmcOutcome,
    budget: &Budget,
) -> Result<Verdict, Failure> {
    let undecided = |guarantee: String, unwind: Option<usize>, faults: &[FoundFault]| Verdict {
        name: "undecided",
        guarantee_kind: if unwind.is_some() { "bounded" } else { "none" },
        guarantee,
        exit: Exit::Undecided,
        unwind,
        error: None,
        warnings: fault_warnings(program, faults),
    };
    let own = args.unwinding.remark();
    Ok(match found {
        BmcOutcome::Error {
            inputs,
            kind,
            unwind,
            is_approximate,
            ..
        } => {
            let (outcome, recorder) = replay(program, properties, &inputs, budget);
            if let End::Limit(reason) = outcome.end {
                let text =
                    format!("A possible error was found, but its run was not finished: {reason}.");
                return Ok(undecided(text, None, &[]));
            }
            if !agrees(&kind, &outcome.end) {
                if !is_approximate {
                    return Err(disagreement(args, &kind, &outcome, &inputs));
                }
                let text = "A possible error was found, but it depends on a value that is not \
                            modelled exactly, and its run does not show it.";
                return Ok(undecided(text.to_owned(), None, &[]));
            }
            Verdict {
                name: "error",
                guarantee_kind: "replayed",
                guarantee: format!(
                    "{}: this run was found with {unwind} unwindings and replayed.",
                    show::what(program, &outcome.end)
                ),
                exit: Exit::Finding,
                unwind: Some(unwind),
                error: Some((outcome, recorder)),
                warnings: Vec::new(),
            }
        }
        // What is proved holds of runs that have ended where they fault; a real run may go on.
        BmcOutcome::Proved { unwind, faults } if !faults.is_empty() => {
            let FoundFault { kind, place, .. } = &faults[0];
            undecided(
                format!(
                    "No run has an error before it ends, but a run may end with {kind} at {}, \
                     and nobody can say what it does after that; `--property {}` makes it the error.",
                    show::at(program, *place),
                    kind.property().map_or("assert,memory", property_name),
                ),
                Some(unwind),
                &faults,
            )
        }
        BmcOutcome::Proved { unwind, .. } => Verdict {
            name: "proved",
            guarantee_kind: "proved",
            guarantee: format!(
                "No run has an error: every run ends within {unwind} unwindings of each \
                 loop{own}."
            ),
            exit: Exit::Clean,
            unwind: Some(unwind),
            error: None,
            warnings: Vec::new(),
        },
        BmcOutcome::NoErrorUpTo { unwind, faults } => undecided(
            format!(
                "No run of at most {unwind} unwindings of each loop{own} has an error; longer runs \
                 were not looked at."
            ),
            Some(unwind),
            &faults,
        ),
        BmcOutcome::Undecided(why) => {
            let text = match why {
                Undecided::Stopped(reason) => format!("Not finished: {reason}."),
                Undecided::Trap { construct, place } => format!(
                    "No error was found, but runs reach C that is not modelled: {construct}, at \
                     {}.",
                    show::at(program, place)
                ),
                Undecided::UnknownPointer { place } => format!(
                    "No error was found, but runs use a pointer that names no object, at {}.",
                    show::at(program, place)
                ),
            };
            undecided(text, None, &[])
        }
    })
}

fn property_name(property: Property) -> &'static str {
    match property {
        Property::Assert => "assert",
        Property::Memory => "assert,memory",
        Property::Division => "assert,division",
        Property::Overflow => "assert,overflow",
    }
}

fn fault_warnings(program: &Program, faults: &[FoundFault]) -> Vec<String> {
    let one = |fault: &FoundFault| {
        let inputs: Vec<String> = fault.inputs.iter().map(|i| i.bits.to_string()).collect();
        format!(
            "{}: {} is possible and ends the run there (inputs {})",
            show::at(program, fault.place),
            fault.kind,
            inputs.join(",")
        )
    };
    faults.iter().map(one).collect()
}

/// Nothing is called an error before the interpreter has seen it.
fn replay(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[InputValue],
    budget: &Budget,
) -> (Outcome, Recorder<true>) {
    let options = CompileOptions {
        check_overflow: properties.contains(&Property::Overflow),
    };
    let compiled = Compiled::new(program.clone(), &options);
    let values = inputs.iter().map(|input| input.bits).collect();
    let mut recorder = Recorder::default();
    let outcome = Machine::new(&compiled, RunOptions::default()).run(
        &mut FixedInputs::new(values, ZeroInputs),
        &mut recorder,
        budget,
    );
    (outcome, recorder)
}

fn agrees(kind: &EndKind, end: &End) -> bool {
    match (kind, end) {
        (EndKind::Error(a), End::Error(b)) => a == b,
        (EndKind::Fault(a), End::Fault(b)) => *a == b.kind,
        _ => false,
    }
}

/// Two engines that disagree are our bug; what is needed to see it again goes into a file.
fn disagreement(
    args: &VerifyArgs,
    kind: &EndKind,
    outcome: &Outcome,
    inputs: &[InputValue],
) -> Failure {
    let values: Vec<String> = inputs.iter().map(|i| i.bits.to_string()).collect();
    let files: Vec<String> = args
        .input
        .files
        .iter()
        .map(|f| f.display().to_string())
        .collect();
    let report = json!({
        "files": files,
        "inputs": values,
        "symbolic": format!("{kind:?}"),
        "interpreter": format!("{:?}", outcome.end),
    });
    let path =
        std::env::temp_dir().join(format!("idiolect-disagreement-{}.json", std::process::id()));
    let written = output::write_whole(&path, report.to_string().as_bytes()).is_ok();
    Failure::Disagreement {
        symbolic: format!("{kind:?}"),
        concrete: format!("{:?}", outcome.end),
        reproducer: written.then_some(path),
    }
}

fn to_json(
    program: &Program,
    verdict: &Verdict,
    asked: &SessionStatistics,
    timing: Option<&Timing>,
) -> Value {
    let envelope = Envelope {
        command: "verify",
        verdict: verdict.name,
        guarantee_kind: verdict.guarantee_kind,
        guarantee_text: &verdict.guarantee,
        statistics: json!({
            "unwind": verdict.unwind,
            "solver_calls": asked.solver_calls,
            "terms": asked.terms,
            // Null if another program was asked.
            "conflicts": asked.own.map(|own| own.conflicts),
            "variables": asked.own.map(|own| own.variables),
            "clauses": asked.own.map(|own| own.clauses),
        }),
        warnings: &verdict.warnings,
    };
    let mut value = envelope.to_json(timing);
    value["found_by"] = match verdict.error {
        Some(_) => json!("bmc"),
        None => Value::Null,
    };
    value["model"] = Value::Null;
    value["error"] = match &verdict.error {
        Some((outcome, recorder)) => show::error_json(program, outcome, recorder),
        None => Value::Null,
    };
    value
}

fn to_text(program: &Program, args: &VerifyArgs, verdict: &Verdict) -> String {
    let mut text = format!("{}: {}\n", verdict.name, verdict.guarantee);
    if let Some((outcome, _)) = &verdict.error {
        let _ = writeln!(text, "at {}", show::place_text(program, &outcome.place));
        if !outcome.inputs.is_empty() {
            let _ = writeln!(
                text,
                "inputs: {}",
                show::inputs_text(program, &outcome.inputs)
            );
        }
        let _ = writeln!(
            text,
            "see it: {}",
            show::reproduce(&args.input, &outcome.inputs) + " --trace"
        );
    }
    if let (Some(path), Some((outcome, _))) = (&args.harness, &verdict.error) {
        let _ = writeln!(
            text,
            "harness: {}",
            harness::command(program, &outcome.inputs, &args.input.files, path)
        );
    }
    for warning in &verdict.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

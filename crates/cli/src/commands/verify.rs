//! `idiolect verify`: an error with its run, or how sure one may be that there is none.

mod learn;
mod model_file;
mod proof;

use self::learn::VerifyLearnArgs;
use super::run::show;
use super::unwinding::UnwindArgs;
use crate::args::{CArgs, CommonArgs, FormatArgs, output_file, refuse, up_to};
use crate::c_input;
use crate::claim;
use crate::drawing;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::harness;
use crate::looks;
use crate::native::{self, Native};
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use crate::spec;
use clap::{Args, ValueEnum};
use idiolect_base::{Budget, Canceller, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, Outcome, RandomInputs,
    Recorder, RunOptions, Spread, ZeroInputs,
};
use idiolect_ir::{FaultKind, Program, Property};
use idiolect_outcome::results::{
    BmcStatistics, FailedRun, LearningStatistics, PacNumbers, VerifyResult,
};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict as Claim};
use idiolect_prove::induction::Certificate;
use idiolect_search::smaller_inputs;
use idiolect_smt::{ExternalSolver, Session, SessionStatistics};
use idiolect_symex::bmc::{BmcOutcome, FoundFault, Undecided, Unwinding, find_error_within};
use idiolect_symex::{EndKind, InputValue};
use idiolect_verify::{Sample, svcomp};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect verify examples/sort.c
  idiolect verify corpus/recursive/gcd_divides.c --epsilon 0.05 --delta 0.95 --budget-report
  idiolect verify parser.c --model parser.model
  idiolect verify parser.c --reuse parser.model --monitor protocol.txt
  idiolect verify parser.c --strategy cds --learner ttt --report parser.html
  idiolect verify examples/sort.c --unwind 8 --harness test.c
  idiolect verify driver.c --property assert,memory --timeout 60 --json
  idiolect verify corpus/recursive/fibonacci_five.yml --witness witness.yml
  idiolect verify server.c --spec sockets.spec
  idiolect verify driver.c --solver 'z3 -in'
  idiolect verify driver.c --dump-smt2 questions.smt2 && z3 questions.smt2

An error is replayed by the interpreter before it is shown. `proved` means that every run ends
within the bound or was followed to its end, or that no run of any length has an error by induction or
trace abstraction, that all C in it is modelled, and that none has an error or a fault. `pac` means that a regular model of the program's decisions was learned which has no
error, and that with the given confidence a fresh batch of runs goes beyond it with at most the given
probability.")]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// Which engine looks for errors [default: both; bmc with --solver or --dump-smt2]
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,

    /// The largest number of unwindings of loops and recursion; tried by 1, 2, 4, … [default: grows
    /// while there is time; 32 with --engine bmc]
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    unwind: Option<usize>,

    #[command(flatten)]
    unwinding: UnwindArgs,

    #[command(flatten)]
    learn: VerifyLearnArgs,

    /// Write the inputs of the error, or of a run that ends well where there is none, as a C file to be
    /// compiled with the program
    #[arg(long, value_name = "FILE.c", value_parser = output_file())]
    harness: Option<PathBuf>,

    /// Write a witness of the verdict in the exchange format 2.0 of SV-COMP
    #[arg(long, value_name = "FILE.yml", value_parser = output_file())]
    witness: Option<PathBuf>,

    /// Compile the program with `cc` and run it: on the inputs of the error, or on three random ones where
    /// there is none. Without this, the program is never run on the machine itself
    #[arg(long)]
    native_check: bool,

    /// Check a proof again before it is shown, and say so: its invariants by the checker; a proof without
    /// any by another engine that has to find one by itself
    #[arg(long)]
    check_proof: bool,

    /// Write the finding as SARIF 2.1.0
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

/// Unwindings, if nobody says how many.
const UNWIND: usize = 32;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Engine {
    /// A learned model with a guarantee, and bounded model checking beside it
    Both,
    /// The learned model alone: it finds errors, and gives no guarantee
    Learn,
    /// Bounded model checking: all runs up to a number of unwindings at once
    Bmc,
}

/// A verdict, ready to be shown.
struct Verdict {
    claim: Claim,
    kind: GuaranteeKind,
    guarantee: String,
    /// What stands in the way of a proof.
    reached: Ledger,
    unwind: Option<usize>,
    error: Option<(Outcome, Recorder<true>)>,
    warnings: Vec<String>,
    found_by: Option<&'static str>,
    /// More about the guarantee.
    numbers: Option<PacNumbers>,
    /// Those of bounded model checking alone if `None`.
    statistics: Option<LearningStatistics>,
    dot: Option<String>,
    /// More lines below the first one.
    lines: Vec<String>,
    /// The learned model and more parts of the outcome; what is in fields of its own comes last.
    result: VerifyResult,
    /// The property that the error violates, if it is one of a monitor.
    violated: Option<String>,
    /// A proof by induction.
    certificate: Option<Certificate>,
    /// How the error breaks the specification of `--spec`.
    broken: Option<spec::Broken>,
}

impl Verdict {
    /// What may be said at last.
    fn conclusion(&self, program: &Program) -> Conclusion {
        let mut ledger = self.reached.clone();
        claim::add_program(&mut ledger, program);
        Conclusion::new(self.claim, self.kind, &self.guarantee, &ledger)
    }

    /// What bounded model checking says.
    fn of_bmc(claim: Claim, kind: GuaranteeKind) -> Self {
        Self {
            claim,
            kind,
            guarantee: String::new(),
            reached: Ledger::default(),
            unwind: None,
            error: None,
            warnings: Vec::new(),
            found_by: None,
            numbers: None,
            statistics: None,
            dot: None,
            lines: Vec::new(),
            result: VerifyResult::default(),
            violated: None,
            certificate: None,
            broken: None,
        }
    }
}

/// Looks for an error, or for a proof that there is none.
pub fn run(args: &VerifyArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    refuse(
        args.input.spec.is_some()
            && (args.harness.is_some() || args.witness.is_some() || args.native_check),
        "`--harness`, `--witness` and `--native-check` are about the program alone, and `--spec` gives it models",
        "leave them out; `--report` shows the run",
    )?;
    let loaded = c_input::load(&args.input, Vec::new())?;
    timing.phase("front_end");
    let mut warnings = loaded.warnings();
    let budget = args.common.budget(canceller);
    let (properties, note) = if args.learn.has_monitor() {
        (args.input.properties(), None)
    } else {
        args.input.properties_of(&loaded.program)
    };
    warnings.extend(note);
    args.learn.check()?;
    let asks_solver = args.input.solver.is_some() || args.input.dump_smt2.is_some();
    let engine = args.engine.unwrap_or(if asks_solver {
        Engine::Bmc
    } else {
        Engine::Both
    });
    if engine != Engine::Bmc {
        crate::door::open(&args.input)?;
    } else if asks_solver {
        crate::door::write_floats(&args.input);
    }
    let unwinding = Unwinding {
        max: args.unwind.unwrap_or(UNWIND),
        own: args.unwinding.own_bounds(&loaded.program)?,
    };
    let mut session = session(args)?;
    let program = Arc::new(loaded.program);
    let mut verdict = match engine {
        Engine::Bmc => {
            let progress = ProgressLine::start(&args.common, "bounded model checking");
            progress.say(|| format!("up to {} unwindings", unwinding.max));
            let found = find_error_within(&mut session, &program, &properties, &unwinding, &budget);
            drop(progress);
            if let (Some(path), Some(questions)) = (&args.input.dump_smt2, session.transcript()) {
                output::write_whole(path, questions.as_bytes())?;
            }
            if let Some(error) = session.take_failure() {
                return Err(CommandFailure::solver(error));
            }
            timing.phase("bmc");
            if matches!(found, BmcOutcome::Proved { .. }) {
                claim::attack(&program, &properties, &args.common, &budget)?;
                timing.phase("attack");
            }
            judge(args, &program, &properties, found, &budget)?
        }
        Engine::Both | Engine::Learn => {
            let with_bmc = engine == Engine::Both;
            let verdict = learn::verify(args, &program, &properties, with_bmc, unwinding, &budget)?;
            timing.phase("learn");
            verdict
        }
    };
    timing.phase("replay");
    verdict.warnings.splice(0..0, warnings);
    if let Some(path) = &args.input.spec {
        judge_specification(args, path, &program, &mut verdict, &budget)?;
        timing.phase("specification");
    }
    if let Some((run, _)) = &verdict.error
        && !properties.contains(&Property::Overflow)
    {
        let wraps = claim::wraps_around(&program, run, &budget);
        verdict.reached.extend(wraps);
    }
    if verdict.claim == Claim::Proved {
        let chosen = claim::chosen(&program, &properties, (&args.input, &args.common), &budget);
        verdict.reached.extend(chosen);
        timing.phase("conventions");
    }
    if args.native_check {
        native_check(args, &program, &properties, &mut verdict, &budget)?;
        timing.phase("native");
    }
    warn_of_vacuity(args, &program, &mut verdict);
    if let Some(path) = &args.harness {
        write_harness(args, &program, &mut verdict, path)?;
    }
    if let Some(path) = &args.witness {
        write_witness(args, &program, &verdict, path)?;
    }
    let timing = (!args.common.no_timing).then_some(&timing);
    let value = to_json(
        &program,
        &properties,
        &verdict,
        &session.statistics(),
        timing,
    );
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let (Some(path), Some(dot)) = (&args.learn.dot, &verdict.dot) {
        output::write_whole(path, dot.as_bytes())?;
    }
    if let (Some(path), Some(_)) = (&args.learn.svg, &verdict.dot) {
        drawing::write_svg(path, &value["model"])?;
    }
    if let Some(path) = &args.report {
        let page = output::page("verify", &program.sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || {
        to_text(&program, args, &verdict)
    });
    output::leave(session);
    Ok(args.common.exit(&verdict.conclusion(&program)))
}

/// What counts as an error, in words.
fn checked(args: &VerifyArgs, properties: &[Property]) -> String {
    let checked = claim::checked(properties);
    match &args.input.spec {
        Some(_) => checked + ", specification",
        None => checked,
    }
}

/// Says what was checked, and of a run that breaks the specification, how.
fn judge_specification(
    args: &VerifyArgs,
    path: &Path,
    program: &Arc<Program>,
    verdict: &mut Verdict,
    budget: &Budget,
) -> Result<(), CommandFailure> {
    let about = spec::about(&args.input, path, program)?;
    verdict.warnings.extend(about.warnings);
    verdict.lines.push(about.text);
    verdict.result.specification = Some(about.checked);
    let Some((outcome, _)) = &verdict.error else {
        return Ok(());
    };
    if !spec::is_break(program, outcome.place.function) {
        return Ok(());
    }
    verdict.broken = spec::judge(path, program, &outcome.inputs, budget)?;
    if let Some(broken) = &verdict.broken {
        let what = show::what(program, &outcome.end);
        verdict.guarantee = verdict.guarantee.replacen(&what, &broken.message, 1);
        verdict.result.violations = Some(broken.lives.clone());
        return Ok(());
    }
    // The two judges have to agree before anything is shown.
    verdict.claim = Claim::Undecided;
    verdict.kind = GuaranteeKind::None;
    verdict.error = None;
    verdict.guarantee =
        "A run seemed to break the specification, but its calls do not: nothing is known."
            .to_owned();
    Ok(())
}

/// Random runs that are compared where there is no error to compare.
const NATIVE_RUNS: u64 = 3;

/// A contract that no run keeps proves everything.
fn warn_of_vacuity(args: &VerifyArgs, program: &Arc<Program>, verdict: &mut Verdict) {
    let is_proof = verdict.claim == Claim::Proved && harness::is_entry(program);
    if is_proof && harness::run_that_ends(program, args.common.seed).is_none() {
        let text = "no run was found that the contract allows and that ends: if there is none, \
                    nothing was shown";
        verdict.warnings.push(text.to_owned());
    }
}

/// Writes the run that fails, or one that does not, as a C file.
fn write_harness(
    args: &VerifyArgs,
    program: &Arc<Program>,
    verdict: &mut Verdict,
    path: &Path,
) -> Result<(), CommandFailure> {
    let found = match &verdict.error {
        Some((outcome, _)) => Some(outcome.inputs.clone()),
        None => harness::run_that_ends(program, args.common.seed),
    };
    let Some(inputs) = found else {
        let text = "no harness is written: none of the runs that were tried ends by itself";
        verdict.warnings.push(text.to_owned());
        return Ok(());
    };
    let text = harness::write(program, &inputs, &args.input, path);
    output::write_whole(path, text.as_bytes())?;
    let command = harness::command(program, &inputs, &args.input, path);
    verdict.lines.insert(0, format!("harness: {command}"));
    Ok(())
}

/// Compares with runs of the program as the system compiler builds it.
fn native_check(
    args: &VerifyArgs,
    program: &Arc<Program>,
    properties: &[Property],
    verdict: &mut Verdict,
    budget: &Budget,
) -> Result<(), CommandFailure> {
    let check =
        |outcome: &Outcome| native::check(program, &args.input, properties, outcome, budget);
    let mut seen = Vec::new();
    if let Some((outcome, _)) = &verdict.error {
        seen.push(check(outcome)?);
    } else {
        let compiled = Compiled::new(program.clone(), &CompileOptions::default());
        for i in 0..NATIVE_RUNS {
            let mut source = RandomInputs::new(Rng::new(args.common.seed, i), Spread::Mixed);
            let mut machine = Machine::new(&compiled, RunOptions::default());
            let outcome = machine.run(&mut source, &mut NoObserver, budget);
            if matches!(outcome.end, End::Exit(_)) {
                seen.push(check(&outcome)?);
            }
        }
    }
    for native in &seen {
        let list = match native.agrees {
            Some(false) => &mut verdict.warnings,
            _ => &mut verdict.lines,
        };
        list.push(native.text());
    }
    verdict.result.native_check = Some(seen.iter().map(Native::to_result).collect());
    Ok(())
}

/// An error is shown by its inputs, a proof by its invariants if it has some; there is no witness of
/// doubt.
fn write_witness(
    args: &VerifyArgs,
    program: &Program,
    verdict: &Verdict,
    path: &Path,
) -> Result<(), CommandFailure> {
    let about = svcomp::About {
        program,
        files: &args.input.files,
        properties: &args.input.properties(),
        data_model: args.input.data_model(),
        entry: &args.input.entry,
        time: if args.common.no_timing {
            0
        } else {
            output::now()
        },
    };
    let text = match &verdict.error {
        Some((outcome, _)) => {
            let function = &program.function(outcome.place.function).name;
            let target = program.sources.place(outcome.place.span);
            target.map(|target| about.violation(&outcome.inputs, &target, function))
        }
        None => {
            let is_proved = verdict.conclusion(program).verdict == Claim::Proved;
            is_proved.then(|| about.correctness(verdict.certificate.as_ref()))
        }
    };
    let Some(text) = text else {
        return Ok(());
    };
    let assumptions = verdict.conclusion(program).assumptions;
    let remarks: String = (assumptions.entries().iter())
        .map(|a| format!("# Assuming {}.\n", a.line_text().replace(['\n', '\r'], " ")))
        .collect();
    output::write_whole(path, (remarks + &text).as_bytes())
}

/// Who answers, and whether the questions are kept.
fn session(args: &VerifyArgs) -> Result<Session, CommandFailure> {
    let mut session = match &args.input.solver {
        None => Session::new(),
        Some(command) => {
            let (program, words) = crate::door::words(command)?;
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            Session::with_external(ExternalSolver::new(&program, &words))
        }
    };
    if args.input.dump_smt2.is_some() {
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
) -> Result<Verdict, CommandFailure> {
    let undecided = |guarantee: String, unwind: Option<usize>, faults: &[FoundFault]| {
        let kind = match unwind {
            Some(_) => GuaranteeKind::Bounded,
            None => GuaranteeKind::None,
        };
        Verdict {
            guarantee,
            unwind,
            warnings: fault_warnings(program, faults),
            ..Verdict::of_bmc(Claim::Undecided, kind)
        }
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
            let (mut outcome, mut recorder) = replay(program, properties, &inputs, budget);
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
            let bits: Vec<u128> = inputs.iter().map(|input| input.bits).collect();
            let smaller = smaller_inputs(program, properties, bits.clone(), budget);
            if smaller != bits {
                (outcome, recorder) = replay_values(program, properties, smaller, budget);
            }
            Verdict {
                guarantee: format!(
                    "{}: this run was found with {} and replayed.",
                    show::what(program, &outcome.end),
                    counted(unwind, "unwinding")
                ),
                unwind: Some(unwind),
                error: Some((outcome, recorder)),
                found_by: Some("bmc"),
                ..Verdict::of_bmc(Claim::Error, GuaranteeKind::Replayed)
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
                    property_option(*kind),
                ),
                Some(unwind),
                &faults,
            )
        }
        BmcOutcome::Proved { unwind, .. } => Verdict {
            guarantee: format!(
                "No run has an error ({}): every run ends within {} of each loop{own}.",
                checked(args, properties),
                counted(unwind, "unwinding")
            ),
            unwind: Some(unwind),
            ..Verdict::of_bmc(Claim::Proved, GuaranteeKind::Proved)
        },
        BmcOutcome::NoErrorUpTo { unwind, faults } => Verdict {
            reached: claim::unwinding(unwind).into(),
            ..undecided(
                format!(
                    "No run of at most {} of each loop{own} has an error; longer runs were not \
                     looked at.",
                    counted(unwind, "unwinding")
                ),
                Some(unwind),
                &faults,
            )
        },
        BmcOutcome::Undecided(why) => {
            let mut reached = Ledger::default();
            match &why {
                Undecided::Stopped(reason) => reached.stopped(*reason),
                Undecided::Trap { gap, place } => reached.add(claim::gap(program, gap, *place)),
                Undecided::UnknownPointer { .. } => {}
            }
            let text = match why {
                Undecided::Stopped(reason) => format!("Not finished: {reason}."),
                Undecided::Trap { gap, place } => format!(
                    "No error was found, but runs {}: {gap}, at {}.",
                    c_input::reach(gap.kind),
                    show::at(program, place)
                ),
                Undecided::UnknownPointer { place } => format!(
                    "No error was found, but runs use a pointer that names no object, at {}.",
                    show::at(program, place)
                ),
            };
            Verdict {
                reached,
                ..undecided(text, None, &[])
            }
        }
    })
}

/// Which of these properties an error violates, as SV-COMP calls it. The smallest number divided by -1 violates
/// two.
fn violated(end: &End, properties: &[Property]) -> Option<&'static str> {
    let property = match end {
        End::Error(_) => Some(Property::Assert),
        End::Fault(fault) => {
            let first = fault.kind.property();
            let is_asked = first.is_some_and(|p| properties.contains(&p));
            if !is_asked && fault.kind.violates(properties) {
                Some(Property::Overflow)
            } else {
                first
            }
        }
        _ => None,
    };
    property.map(Property::sv_comp_name)
}

/// What `--property` has to be for faults of this kind to be errors.
fn property_option(kind: FaultKind) -> String {
    let property = kind.property().unwrap_or(Property::Memory);
    let mut all = vec![Property::Assert];
    match property {
        Property::Assert => {}
        Property::Memory | Property::Free => all.extend([Property::Memory, Property::Free]),
        other => all.push(other),
    }
    Property::names(&all).join(",")
}

fn fault_warnings(program: &Program, faults: &[FoundFault]) -> Vec<String> {
    let one = |fault: &FoundFault| {
        let inputs: Vec<u128> = fault.inputs.iter().map(|i| i.bits).collect();
        format!(
            "{}: {} is possible and ends the run there (inputs {})",
            show::at(program, fault.place),
            fault.kind,
            show::first_values(&inputs)
        )
    };
    faults.iter().map(one).collect()
}

/// A sampled run once more, with inputs made small, written down for people. One that a monitor ended is
/// ended there.
fn replay_small(
    program: &Arc<Program>,
    properties: &[Property],
    run: &Sample,
    budget: &Budget,
) -> (Outcome, Recorder<true>) {
    if run.violated.is_some() {
        let budget = budget.share(run.steps);
        return replay_values(program, properties, run.inputs.clone(), &budget);
    }
    let inputs = smaller_inputs(program, properties, run.inputs.clone(), budget);
    replay_values(program, properties, inputs, budget)
}

/// Nothing is called an error before the interpreter has seen it.
fn replay(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[InputValue],
    budget: &Budget,
) -> (Outcome, Recorder<true>) {
    let values = inputs.iter().map(|input| input.bits).collect();
    replay_values(program, properties, values, budget)
}

fn replay_values(
    program: &Arc<Program>,
    properties: &[Property],
    values: Vec<u128>,
    budget: &Budget,
) -> (Outcome, Recorder<true>) {
    let options = CompileOptions {
        check_overflow: properties.contains(&Property::Overflow),
    };
    let compiled = Compiled::new(program.clone(), &options);
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
) -> CommandFailure {
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
    let written = crate::sink::write(&path, report.to_string().as_bytes()).is_ok();
    CommandFailure::Disagreement {
        symbolic: format!("{kind:?}"),
        concrete: format!("{:?}", outcome.end),
        reproducer: written.then_some(path),
    }
}

fn to_json(
    program: &Program,
    properties: &[Property],
    verdict: &Verdict,
    asked: &SessionStatistics,
    timing: Option<&Timing>,
) -> Value {
    let statistics = match &verdict.statistics {
        Some(learning) => output::json_of(learning),
        None => output::json_of(&BmcStatistics {
            unwind: verdict.unwind,
            solver_calls: asked.solver_calls,
            terms: asked.terms,
            conflicts: asked.own.map(|own| own.conflicts),
            variables: asked.own.map(|own| own.variables),
            clauses: asked.own.map(|own| own.clauses),
        }),
    };
    let result = VerifyResult {
        found_by: verdict.found_by,
        error: error(program, properties, verdict),
        ..verdict.result.clone()
    };
    let conclusion = verdict.conclusion(program);
    output::promise_json(
        "verify",
        &conclusion,
        verdict.numbers.as_ref(),
        statistics,
        &verdict.warnings,
        timing,
        result,
    )
}

/// The run with the error, told as what it violates.
fn error(program: &Program, properties: &[Property], verdict: &Verdict) -> Option<FailedRun> {
    let (outcome, recorder) = verdict.error.as_ref()?;
    let mut run = show::failed_run(program, outcome, recorder);
    run.property = violated(&outcome.end, properties).map(str::to_owned);
    if let Some(property) = &verdict.violated {
        run.error.kind = Some("monitor".to_owned());
        run.error.message = format!("monitor `{property}` violated");
    }
    if let Some(broken) = &verdict.broken {
        let place = broken.place.as_ref();
        run.error.kind = Some("specification".to_owned());
        run.error.message.clone_from(&broken.message);
        run.error.file = place.map(|p| p.file.clone());
        run.error.line = place.map(|p| p.line);
        run.error.column = place.map(|p| p.column);
    }
    Some(run)
}

fn to_text(program: &Program, args: &VerifyArgs, verdict: &Verdict) -> String {
    let mut text = looks::conclusion(&verdict.conclusion(program));
    if let Some((outcome, _)) = &verdict.error {
        match &verdict.broken {
            Some(broken) => text.push_str(&broken.text),
            None => {
                let _ = writeln!(text, "at {}", show::end_text(program, outcome));
            }
        }
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
    for line in &verdict.lines {
        let _ = writeln!(text, "{line}");
    }
    for warning in &verdict.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

//! `idiolect invariants`: what holds of every element of an array or list, learned and proved.

mod files;
mod show;

use super::unwinding;
use crate::args::{CArgs, CommonArgs, FormatArgs, output_file};
use crate::c_input::{self, Loaded};
use crate::drawing;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Timing};
use crate::progress::ProgressLine;
use clap::{Args, ValueEnum};
use idiolect_base::{Budget, Canceller, StopReason};
use idiolect_functional::{self as functional, FunctionalFact};
use idiolect_invariants::assume::Assumption;
use idiolect_invariants::collect::Watch;
use idiolect_invariants::points::Wanted;
use idiolect_invariants::proof;
use idiolect_invariants::refine::{self, Wish};
use idiolect_invariants::session::{self, Config, InvariantsError, Outcome};
use idiolect_invariants::shapes::{self, Added};
use idiolect_invariants::signature::SignatureError;
use idiolect_invariants::whole;
use idiolect_ir::{Block, FuncId, FunctionOrigin, Program, TerminatorKind};
use idiolect_learn::LearnerKind;
use idiolect_quantified::allocated;
use idiolect_quantified::point::PointKind;
use std::cell::Cell;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect invariants examples/invariants/find.c
  idiolect invariants examples/invariants/find.c --function sorted_find --assume 'sorted(head)'
  idiolect invariants corpus/linear/selection-sort.c --points loops --acsl sort-annotated.c
  idiolect invariants corpus/linear/array-copy.c --length 3 --values 0..1 --json
  idiolect invariants program.c --harness --function insert

Every input of a function's parameter types up to a length is built and run: arrays of integers, or of
records of integers, with the parameter that is their length, singly linked lists of integers, pointers
to heads of such lists, integers and pointers to integers, pointers to the begin and the end of an
array; and lists, arrays and integers in global variables that it works on.
What is seen at loops, at the entry and at the exit is learned as an automaton and written as a formula.
With `--harness`, `main` is run instead, on all small values of what it draws with
`__VERIFIER_nondet_int()`.")]
pub struct InvariantsArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// The function to look at [default: every function whose parameters are supported]
    #[arg(long, value_name = "F")]
    function: Option<String>,

    /// Only the loop at this line
    #[arg(long, value_name = "LINE")]
    r#loop: Option<u32>,

    /// Where to look
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "loops,entry,exit"
    )]
    points: Vec<PointsArg>,

    /// Build lists and arrays of at most this many elements
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(..=1000))]
    length: u64,

    /// The values of data and of integer parameters
    #[arg(long, value_name = "LOW..HIGH", default_value = "0..2", value_parser = parse_range, allow_hyphen_values = true)]
    values: RangeInclusive<i64>,

    /// Relate at most this many elements to each other
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=3))]
    quantified: u8,

    /// Run `main` on all small inputs that it draws, and look at the functions that it calls
    #[arg(long)]
    harness: bool,

    /// Run on at most this many inputs
    #[arg(long, value_name = "N", default_value_t = Config::default().max_runs)]
    max_runs: u64,

    /// The learning algorithm
    #[arg(long, value_name = "NAME", default_value = "lstar", value_parser = parse_learner)]
    learner: LearnerKind,

    /// Learn only
    #[arg(long)]
    no_prove: bool,

    /// Write the program with the formulas as ACSL annotations
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    acsl: Option<PathBuf>,

    /// Write C functions that check the formulas at run time; built with -DIDIOLECT_RUN, on random inputs
    #[arg(long, value_name = "FILE.c", value_parser = output_file())]
    check: Option<PathBuf>,

    /// Write the automaton of the first point in DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    dot: Option<PathBuf>,

    /// Write a drawing of the automaton of the first point
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<PathBuf>,

    /// Write one self-contained HTML page
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgs,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// A whole program that nobody asked to run is run at most so often.
const MAX_UNASKED_RUNS: u64 = 10_000;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum PointsArg {
    Loops,
    Entry,
    Exit,
}

fn parse_range(text: &str) -> Result<RangeInclusive<i64>, String> {
    let wrong = || "expected two numbers, such as 0..2".to_owned();
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let (low, high): (i64, i64) = (
        low.trim().parse().map_err(|_| wrong())?,
        high.trim()
            .trim_start_matches('=')
            .parse()
            .map_err(|_| wrong())?,
    );
    if low <= high && high.saturating_sub(low) < 64 {
        Ok(low..=high)
    } else {
        Err("expected at most 64 values, the smaller end first".to_owned())
    }
}

fn parse_learner(text: &str) -> Result<LearnerKind, String> {
    let moore = LearnerKind::ALL.into_iter().filter(|k| k.learns_moore());
    let names: Vec<&str> = moore.map(LearnerKind::name).collect();
    LearnerKind::from_name(text)
        .filter(|k| k.learns_moore())
        .ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

/// What was found for one function.
pub struct FunctionFindings {
    pub outcome: Outcome,
    /// One for each point that was learned, in their order; none with `--no-prove`.
    pub proof: Option<proof::Outcome>,
    /// Inputs that were learned from because they, or larger ones, refuted a formula.
    pub n_refuting: usize,
    /// `main` was run, and not the function on inputs of its own.
    pub is_harness: bool,
    /// What the function is proved to do.
    pub facts: Vec<FunctionalFact>,
    /// What was seen at points and left out, since it is not proved.
    pub open: Vec<refine::Open>,
    /// The program whose function has parameters for the bounds of its arrays, where it needed any.
    pub shaped: Option<Program>,
    /// The longest arrays and lists that were run.
    pub longest: u64,
}

impl FunctionFindings {
    /// The program that was looked at.
    pub fn program<'a>(&'a self, own: &'a Program) -> &'a Program {
        self.shaped.as_ref().unwrap_or(own)
    }
}

/// Everything that is told.
pub struct InvariantsAnswer<'a> {
    pub program: &'a Program,
    pub args: &'a InvariantsArgs,
    pub found: Vec<FunctionFindings>,
    /// Functions that were left out, with the reason.
    pub left_out: Vec<(String, String)>,
    pub warnings: Vec<String>,
    pub stopped: Option<StopReason>,
    /// If all assertions of the program are proved beside what is said at points: the number of abstract states.
    pub whole: Option<u64>,
}

/// Learns and proves what holds at loops, entries and exits.
pub fn run(args: &InvariantsArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let loaded = load(args)?;
    timing.phase("front_end");
    let warnings = loaded.warnings();
    let program = loaded.program;
    let budget = args.common.budget(canceller);
    let mut told = InvariantsAnswer {
        program: &program,
        args,
        found: Vec::new(),
        left_out: Vec::new(),
        warnings,
        stopped: None,
        whole: None,
    };
    if let Some(line) = args.r#loop {
        unwinding::require_loop(&program, line)?;
    }
    let progress = Arc::new(ProgressLine::start(&args.common, "invariants"));
    let mut functions: Vec<(FuncId, bool)> = (functions(&program, args)?.into_iter())
        .map(|f| (f, args.harness))
        .collect();
    // A program that runs by itself is looked at as a whole, if its functions cannot be looked at alone or it asserts something.
    let main = program
        .function_named("main")
        .filter(|&f| is_users(&program, f));
    if let (Some(main), None, false) = (main, &args.function, args.harness) {
        functions.push((main, true));
    }
    for (function, is_harness) in functions {
        let is_needed = told.found.is_empty() || asserts(&program);
        if is_harness && !args.harness && !is_needed {
            continue;
        }
        let name = &program.function(function).name;
        let watch = watch(&progress, format!("running {name}"));
        let blocks = allocated::as_blocks(&program);
        let shaped = if is_harness {
            blocks
        } else {
            shapes::shaped(blocks.as_ref().unwrap_or(&program), function).or(blocks)
        };
        let asked = Asked {
            program: shaped.as_ref().unwrap_or(&program),
            function,
            args,
            is_harness,
            watch: &watch,
            longest: Cell::new(args.length),
        };
        let learned = asked.learn(Wish::more(&[]), false, &budget);
        let longest = asked.longest.get();
        match learned {
            Ok(outcome) => told.found.push(FunctionFindings {
                outcome,
                proof: None,
                n_refuting: 0,
                is_harness,
                facts: Vec::new(),
                open: Vec::new(),
                shaped,
                longest,
            }),
            Err(InvariantsError::Stopped(reason)) => {
                told.stopped = Some(reason);
                break;
            }
            Err(error) if args.function.is_some() => {
                return Err(refusal(&program, function, &error));
            }
            // Whoever did not ask for `main` need not hear that it says nothing.
            Err(_) if is_harness => {}
            Err(error) => told.left_out.push((name.clone(), error.to_string())),
        }
        if let Err(reason) = budget.look() {
            told.stopped = Some(reason);
            break;
        }
    }
    timing.phase("learn");
    if !args.no_prove {
        prove_all(&mut told, main.is_some(), &progress, &budget);
        timing.phase("prove");
    }
    drop(progress);
    for found in &told.found {
        let more = show::warnings(&program, &found.outcome);
        told.warnings.extend(more);
        if found.longest < args.length && !found.is_harness {
            let name = &program.function(found.outcome.function).name;
            told.warnings.push(format!(
                "inputs of `{name}` have at most {} elements, since there would be more than {} longer ones",
                found.longest, args.max_runs
            ));
        }
    }
    let value = show::json(&told, &timing);
    files::write(&told, &value)?;
    if let Some(path) = &args.svg {
        drawing::write_svg(path, &value["points"][0]["automaton"])?;
    }
    if let Some(path) = &args.report {
        let page = output::page("invariants", &program.sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || show::text(&told));
    Ok(args.common.exit(&show::conclusion(&told)))
}

/// Puts what was learned of each function to the proof, and the assertions of a whole program to abstract states.
fn prove_all(
    told: &mut InvariantsAnswer<'_>,
    has_main: bool,
    progress: &Arc<ProgressLine>,
    budget: &Budget,
) {
    let (program, args) = (told.program, told.args);
    let is_whole = args.harness || args.function.as_deref().is_none_or(|f| f == "main");
    if is_whole && has_main {
        progress.say(|| "abstract states".to_owned());
        told.whole = whole::holds(program, budget);
    }
    for found in std::mem::take(&mut told.found) {
        // What the first few of all inputs have in common would be assumed of every input.
        if found.outcome.runs.is_cut && !found.is_harness {
            told.stopped = told.stopped.or(Some(StopReason::Time));
            told.found.push(found);
            continue;
        }
        let name = &program.function(found.outcome.function).name;
        progress.say(|| format!("proving {name}"));
        let watch = watch(progress, format!("running {name} again"));
        let asked = Asked {
            program: found.shaped.as_ref().unwrap_or(program),
            function: found.outcome.function,
            args,
            is_harness: found.is_harness,
            watch: &watch,
            longest: Cell::new(found.longest),
        };
        let proved = asked.prove(found.outcome, budget);
        told.found.push(FunctionFindings {
            shaped: found.shaped,
            longest: found.longest,
            ..proved
        });
    }
    let proofs = told.found.iter_mut().filter_map(|f| f.proof.as_mut());
    for assertion in proofs.flat_map(|p| &mut p.assertions) {
        assertion.is_proved |= told.whole.is_some();
    }
}

/// Shows how far the runs of a function are.
fn watch(progress: &Arc<ProgressLine>, what: String) -> Watch {
    let progress = Arc::clone(progress);
    Watch::new(move |done, of| progress.count_of(&what, done, of, "runs"))
}

/// The program; without a `main`, any function will do as its entry.
fn load(args: &InvariantsArgs) -> Result<Loaded, CommandFailure> {
    let mut input = args.input.clone();
    if let (Some(function), false) = (&args.function, args.harness) {
        input.entry.clone_from(function);
    } else if !args.harness && input.entry == "main" {
        let names = c_input::function_names(&input)?;
        if let (false, Some(first)) = (names.iter().any(|n| n == "main"), names.first()) {
            input.entry.clone_from(first);
        }
    }
    c_input::load(&input, Vec::new())
}

fn functions(program: &Program, args: &InvariantsArgs) -> Result<Vec<FuncId>, CommandFailure> {
    if let Some(name) = &args.function {
        let found = program
            .function_named(name)
            .filter(|&f| is_users(program, f));
        return found.map(|f| vec![f]).ok_or_else(|| {
            CommandFailure::usage(
                format!("there is no function `{name}`"),
                "give the name of a function that has a body",
            )
        });
    }
    let all = program.function_ids().filter(|&f| is_users(program, f));
    Ok(all
        .filter(|&f| program.function(f).name != "main")
        .collect())
}

/// Whether a function of the user has an assertion, or reports an error.
fn asserts(program: &Program) -> bool {
    let is_error = |b: &Block| matches!(b.terminator.kind, TerminatorKind::Error(_));
    let mut own = program.function_ids().filter(|&f| is_users(program, f));
    own.any(|f| program.function(f).blocks.iter().any(is_error))
}

fn is_users(program: &Program, function: FuncId) -> bool {
    program.function(function).origin == FunctionOrigin::User
}

/// A function that is looked at.
struct Asked<'a> {
    program: &'a Program,
    function: FuncId,
    args: &'a InvariantsArgs,
    is_harness: bool,
    watch: &'a Watch,
    /// The longest arrays and lists that are run.
    longest: Cell<u64>,
}

/// Shorter arrays and lists are not tried where longer ones make too many inputs.
const MIN_LENGTH: u64 = 2;

impl Asked<'_> {
    fn config(&self, wish: &Wish<'_>, for_proof: bool) -> Config {
        let args = self.args;
        let (longest, quantified) = self.limits();
        let wants = |p| args.points.contains(&p);
        Config {
            wanted: Wanted {
                loops: wants(PointsArg::Loops),
                entry: wants(PointsArg::Entry) && args.r#loop.is_none(),
                exit: wants(PointsArg::Exit) && args.r#loop.is_none(),
            },
            lengths: 0..=self.longest.get().min(longest),
            values: args.values.clone(),
            max_quantified: usize::from(args.quantified)
                .min(wish.quantified)
                .min(quantified),
            learner: args.learner,
            assumptions: args.input.conditions(),
            // Nobody asked for all runs of `main`.
            max_runs: if self.is_harness && !args.harness {
                args.max_runs.min(MAX_UNASKED_RUNS)
            } else {
                args.max_runs
            },
            for_proof,
            helpers: wish.helpers,
            watch: self.watch.clone(),
            flags: wish.flags,
            ..Config::default()
        }
    }

    /// The longest arrays that are run, and how many elements are related: an array that is filled from two others
    /// has as many elements as both, and words of three arrays are many.
    fn limits(&self) -> (u64, usize) {
        let function = self.program.function(self.function);
        let mut names = function.params.iter().map(|&p| &function.local(p).name);
        if names.any(|n| matches!(shapes::added(function, n), Some(Added::Total(..)))) {
            (2, 1)
        } else {
            (u64::MAX, usize::MAX)
        }
    }

    fn learn(
        &self,
        wish: Wish<'_>,
        for_proof: bool,
        budget: &Budget,
    ) -> Result<Outcome, InvariantsError> {
        let mut outcome = loop {
            let config = self.config(&wish, for_proof);
            if self.is_harness {
                break session::run_harness(self.program, self.function, &config, budget)?;
            }
            match session::run_with(self.program, self.function, &config, wish.more, budget) {
                // Whoever asks for every function gets what can be had of each.
                Err(InvariantsError::TooManyInputs { .. })
                    if self.args.function.is_none() && *config.lengths.end() > MIN_LENGTH =>
                {
                    self.longest.set(config.lengths.end() - 1);
                }
                found => break found?,
            }
        };
        if let Some(line) = self.args.r#loop {
            outcome.points.retain(|p| {
                let place = self.program.sources.place(p.point.span);
                p.point.kind == PointKind::Loop && place.is_some_and(|at| at.line == line)
            });
        }
        Ok(outcome)
    }

    /// Proves what was learned, and what the function does.
    fn prove(&self, outcome: Outcome, budget: &Budget) -> FunctionFindings {
        let config = proof::Config::default();
        // Inputs that only part of could be run would be learned from as if they were all.
        let again = |wish: Wish<'_>| match self.learn(wish, true, budget) {
            Ok(outcome) if outcome.runs.is_cut && !self.is_harness => {
                Err(InvariantsError::Stopped(StopReason::Time))
            }
            learned => learned,
        };
        let refined = if self.is_harness {
            refine::prove_harness(self.program, outcome, &config, budget, again)
        } else {
            refine::prove(self.program, outcome, &config, budget, again)
        };
        let mut refined = refined;
        let mut open = Vec::new();
        if !self.is_harness
            && let Some((outcome, proof, left_out)) = refine::without_what_fails(
                self.program,
                &refined.outcome,
                &refined.proof,
                &config,
                budget,
            )
        {
            (refined.outcome, refined.proof, open) = (outcome, proof, left_out);
        }
        let find = |outcome: &Outcome, proof: &proof::Outcome| {
            let config = self.config(&Wish::more(&[]), false);
            functional::find(self.program, outcome, proof, &config, budget)
        };
        let mut facts = Vec::new();
        if !self.is_harness {
            facts = find(&refined.outcome, &refined.proof);
            // What callers are asked for is no more than what is needed.
            if self.args.input.conditions().is_empty()
                && let Some((outcome, proof)) = refine::asking_less(
                    self.program,
                    &refined.outcome,
                    &refined.proof,
                    &config,
                    budget,
                )
            {
                let less = find(&outcome, &proof);
                if less.len() >= facts.len() {
                    (refined.outcome, refined.proof, facts) = (outcome, proof, less);
                }
            }
        }
        FunctionFindings {
            outcome: refined.outcome,
            proof: Some(refined.proof),
            n_refuting: refined.more.len(),
            is_harness: self.is_harness,
            facts,
            open,
            shaped: None,
            longest: self.longest.get(),
        }
    }
}

/// What can be done about an error.
fn refusal(program: &Program, function: FuncId, error: &InvariantsError) -> CommandFailure {
    let help = match error {
        InvariantsError::Signature(SignatureError::NotLinear { .. }) => format!(
            "trees are not looked at; where `{0}` works on arrays or lists, too, write a `main` that builds its inputs with `malloc` and \
             `__VERIFIER_nondet_int()` and calls it, and use `--harness --function {0}`",
            program.function(function).name
        ),
        InvariantsError::Signature(_) => format!(
            "inputs are built for integers, arrays of integers or of records of integers with a \
             length parameter, singly linked lists of integers, and pointers to heads of such lists; \
             for anything else write a `main` that builds inputs from `__VERIFIER_nondet_int()` and \
             calls `{0}`, and use `--harness --function {0}`",
            program.function(function).name
        ),
        InvariantsError::Assumption(_) => format!("these can be assumed: {}", Assumption::FORMS),
        InvariantsError::TooLong { .. } => {
            "use a smaller `--length`: what holds of short structures is proved of long ones"
                .to_owned()
        }
        InvariantsError::TooManyInputs { .. } => {
            "use a smaller `--length`, fewer `--values`, or a larger `--max-runs`".to_owned()
        }
        InvariantsError::NoStructures { .. } => {
            "choose a function that works on an array or a list".to_owned()
        }
        InvariantsError::NoRuns => {
            "let `main` draw its inputs with `__VERIFIER_nondet_int()` and bound them with \
             `__VERIFIER_assume`"
                .to_owned()
        }
        InvariantsError::Stopped(_) => "give it more time with `--timeout`".to_owned(),
    };
    let message = match error {
        InvariantsError::Signature(e) => at_parameter(program, function, e),
        _ => error.to_string(),
    };
    CommandFailure::usage(message, help)
}

/// What is wrong with a parameter, and where it is.
fn at_parameter(program: &Program, function: FuncId, error: &SignatureError) -> String {
    let code = program.function(function);
    let span = match error {
        SignatureError::Unsupported { name, .. }
        | SignatureError::NotLinear { name, .. }
        | SignatureError::NoLength { name, .. } => (code.params.iter())
            .map(|&p| code.local(p))
            .find(|l| l.name == *name)
            .map_or(code.span, |l| l.span),
        SignatureError::Hidden { .. } => code.span,
    };
    match program.sources.place(span) {
        Some(at) => format!("{}:{}: {error}", at.file, at.line),
        None => error.to_string(),
    }
}

//! `idiolect learn`: learn a given automaton, a running system, a C program or a list of words.
//!
//! It never learns by itself: the learners and their loop are those of `idiolect_learn`.

mod active;
mod c_paths;
mod c_program;
mod c_solver;
mod c_system;
mod earlier;
mod model;
mod show;
mod system;
mod words;

use idiolect_console::{args, drawing, exit, failure, looks, output, progress, reading};
use idiolect_project::{c_input, traces};

use crate::args::{CommonArgs, FormatArgs, output_file, up_to};
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output::Timing;
use active::ComparisonMethod;
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};
use idiolect_automata::formats::dot::{self, DotAutomaton, Missing};
use idiolect_automata::formats::json::{self, Automaton};
use idiolect_automata::formats::{Help, ReadError};
use idiolect_automata::{Alphabet, Dfa, Mealy, Moore};
use idiolect_base::{Canceller, Place};
use idiolect_learn::LearnerKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect learn examples/odd.dot
  idiolect learn examples/coffee.dot --learner lsharp --equivalence wp
  idiolect learn examples/odd.dot --learner lsharp --json --no-timing
  idiolect learn examples/odd.dot --svg odd.svg --report odd.html
  idiolect learn --sul 'python3 examples/coffee.py' --alphabet coin,button,clean
  idiolect learn --sul ./server --alphabet a,b --cache runs.log --repeat 3
  idiolect learn --tcp localhost:7000 --alphabet SYN,ACK,FIN --timeout-as silence
  idiolect learn --c examples/connection.c --step step --reset reset --alphabet listen,syn,ack
  idiolect learn --words examples/words.txt --learner edsm
  idiolect learn --words runs.txt --noise 0.05
  idiolect learn --sul ./server-2.0 --alphabet a,b --start-from server-1.0.dot

A DOT file is a DFA (accepting states have the shape doublecircle; missing transitions reject), a
Moore machine (states are labelled \"s0|output\") or a Mealy machine (transitions are labelled
\"input/output\"); what is none of them is refused.

A system gets one input a line on its standard input and answers each with one line; the line RESET
begins anew and has no answer. With --cache every run is written down, and the same command goes on
where an earlier one was stopped.

A list of words is in the format of Abbadingo, or has one word a line, letters separated by spaces,
each line after a sign `+` or `-` if there are words that are not in the language. If every letter is
written `input/output`, rpni and edsm learn a Mealy machine from them.")]
#[command(group(ArgGroup::new("what").required(true).multiple(true).args(["target", "sul", "tcp", "words", "c"])))]
pub struct LearnArgs {
    /// The automaton: DOT as LearnLib and AALpy write it, or our JSON (`.json`)
    #[arg(value_name = "TARGET", conflicts_with_all = ["sul", "tcp", "words", "c"])]
    target: Option<PathBuf>,

    /// The learning algorithm [default: kv for automata, lsharp for systems, edsm for words]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(
            LearnerKind::ALL.map(LearnerKind::name).into_iter().chain(words::LEARNERS)
        )
    )]
    learner: Option<String>,

    /// How a hypothesis is compared with the target [default: exact; wp for systems]
    #[arg(long, value_name = "HOW")]
    equivalence: Option<ComparisonMethod>,

    /// States that the target may have beyond the hypothesis (`w`, `wp`)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(1000))]
    extra_states: usize,

    /// Share of words that the model may get wrong (`pac`)
    #[arg(long, value_name = "E", default_value_t = 0.1)]
    epsilon: f64,

    /// Confidence in that share (`pac`)
    #[arg(long, value_name = "D", default_value_t = 0.9)]
    delta: f64,

    /// Length of the longest random word (`random`, `pac`), letters of a walk (`state-cover`), of
    /// the middle of a word on average (`random-wp`), or of the words that the solver looks at (`solver`)
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    word_length: Option<usize>,

    /// Random words in each comparison (`random`, `random-wp`), or walks from each state (`state-cover`)
    #[arg(long, value_name = "N")]
    test_words: Option<u64>,

    /// Write the learned automaton in DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    dot: Option<PathBuf>,

    /// Draw the learned automaton
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<PathBuf>,

    /// Write one self-contained HTML page with the automaton to look at and play with
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    /// Start from an earlier model of the same thing, and say what has changed since
    #[arg(long, value_name = "OLD.dot", conflicts_with = "words")]
    start_from: Option<PathBuf>,

    #[command(flatten)]
    system: SystemArgs,

    #[command(flatten)]
    c_program: CProgramArgs,

    /// Learn from the words in a file: Abbadingo's format, or one word a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sul", "tcp", "c"])]
    words: Option<PathBuf>,

    /// Letters to look ahead (`k-tails`, `sk-strings`)
    #[arg(long, value_name = "K", default_value_t = 2, requires = "words")]
    k: usize,

    /// Share of the probability that has to agree (`sk-strings`)
    #[arg(long, value_name = "S", default_value_t = 0.5, requires = "words")]
    agree: f64,

    /// Share of the words whose label, or of the outputs that, may be wrong (`rpni`, `edsm`)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "words")]
    noise: f64,

    /// Significance of the statistical test (`alergia`)
    #[arg(long, value_name = "ALPHA", default_value_t = 0.05, requires = "words")]
    alpha: f64,

    #[command(flatten)]
    pub format: FormatArgs,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// How a running system is spoken to.
#[derive(Args, Debug)]
#[command(next_help_heading = "A running system")]
struct SystemArgs {
    /// Learn a process: this command, which reads inputs and writes outputs line by line
    #[arg(long, value_name = "COMMAND", requires = "alphabet")]
    sul: Option<String>,

    /// Learn a server on this machine; with `--sul`, that command is the server
    #[arg(long, value_name = "HOST:PORT", requires = "alphabet")]
    tcp: Option<String>,

    /// The inputs of the system, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    alphabet: Vec<String>,

    /// Start the process, or connect, again instead of sending RESET
    #[arg(long, requires = "alphabet", conflicts_with = "c")]
    restart: bool,

    /// Run each word until most of N runs agree
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "alphabet", conflicts_with = "c")]
    repeat: u32,

    /// How long to wait for an output
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = crate::args::parse_seconds, requires = "alphabet", conflicts_with = "c")]
    wait: Duration,

    /// If no output comes in time, take this as the output
    #[arg(
        long,
        value_name = "LETTER",
        requires = "alphabet",
        conflicts_with = "c"
    )]
    timeout_as: Option<String>,

    /// Write every run to this file, and begin with those that it has
    #[arg(long, value_name = "FILE", value_parser = output_file(), requires = "alphabet", conflicts_with = "c")]
    cache: Option<PathBuf>,
}

/// How a C program is run in the interpreter.
#[derive(Args, Debug)]
#[command(next_help_heading = "A C program")]
struct CProgramArgs {
    /// Learn a C program in the interpreter: its files
    #[arg(long, value_name = "FILE.c", num_args = 1.., requires_all = ["alphabet", "step"], conflicts_with_all = ["sul", "tcp"])]
    c: Vec<PathBuf>,

    /// The function that takes an input, as text or as a number, and returns or prints its output
    #[arg(long, value_name = "FUNCTION", requires = "c")]
    step: Option<String>,

    /// The function to call first
    #[arg(long, value_name = "FUNCTION", requires = "c")]
    reset: Option<String>,

    /// Statements that the run of a word may execute
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "c")]
    max_steps: u64,

    /// Run every word from the reset on, to see what snapshots of memory save
    #[arg(long, requires = "c")]
    no_snapshots: bool,

    /// Also look for included files here
    #[arg(short = 'I', value_name = "DIR", requires = "c")]
    include: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", requires = "c")]
    define: Vec<String>,
}

enum Target {
    Dfa(Dfa),
    Moore(Moore<String>),
    Mealy(Mealy<String>),
}

/// Learns what the options name.
pub fn run(args: &LearnArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    if let Some(path) = &args.words {
        let learnt = words::learn(args, path, &mut timing)?;
        return show::finish(args, &learnt, &timing);
    }
    let learner = args.learner.as_deref();
    if learner.is_some_and(|name| LearnerKind::from_name(name).is_none()) {
        return Err(CommandFailure::usage(
            format!(
                "`{}` learns from words, not by queries",
                learner.unwrap_or_default()
            ),
            "give a list with `--words FILE`, or choose another learner",
        ));
    }
    let kind = learner.and_then(LearnerKind::from_name);
    let budget = args.common.budget(canceller);
    let learnt = match &args.target {
        Some(path) => {
            let (mut target, mut alphabet) = read(path)?;
            let earlier = earlier::Earlier::read(args, &mut alphabet)?;
            if let Some((_, order)) = &earlier {
                target = earlier::reordered(&target, order);
            }
            let earlier = earlier.map(|(earlier, _)| earlier);
            timing.phase("read");
            let kind = kind.unwrap_or(LearnerKind::KearnsVazirani);
            active::learn_target(args, kind, target, alphabet, earlier.as_ref(), &budget)?
        }
        None if !args.c_program.c.is_empty() => {
            let kind = kind.unwrap_or(LearnerKind::LSharp);
            c_program::learn(args, kind, &budget)?
        }
        None => {
            let kind = kind.unwrap_or(LearnerKind::LSharp);
            system::learn(args, kind, &budget)?
        }
    };
    timing.phase("learn");
    show::finish(args, &learnt, &timing)
}

fn read(path: &Path) -> Result<(Target, Alphabet), CommandFailure> {
    let bytes = crate::reading::bytes(path, crate::reading::LARGE)?;
    if path.extension().is_some_and(|e| e == "json") {
        let (automaton, alphabet) = json::read(&bytes).map_err(|e| bad_file(path, &e))?;
        return match automaton {
            Automaton::Dfa(dfa) => Ok((Target::Dfa(dfa), alphabet)),
            Automaton::Moore(machine) => Ok((Target::Moore(machine), alphabet)),
            Automaton::Mealy(machine) => Ok((Target::Mealy(machine), alphabet)),
            Automaton::Nfa(_) | Automaton::Pfsa(_) => Err(CommandFailure::usage(
                "only deterministic automata can be learned by queries",
                "give a `dfa`, a `moore` or a `mealy` automaton",
            )),
        };
    }
    let (automaton, alphabet) =
        dot::read(&bytes, Missing::Reject).map_err(|e| bad_file(path, &e))?;
    let target = match automaton {
        DotAutomaton::Dfa(dfa) => Target::Dfa(dfa),
        DotAutomaton::Moore(machine) => Target::Moore(machine),
        DotAutomaton::Mealy(machine) => Target::Mealy(machine),
    };
    Ok((target, alphabet))
}

fn bad_file<P: std::error::Error + Help>(path: &Path, error: &ReadError<P>) -> CommandFailure {
    CommandFailure::BadFile {
        code: "automaton::bad-file",
        message: error.problem.to_string(),
        place: Some(Place {
            file: path.display().to_string(),
            line: error.line as u32,
            column: 1,
        }),
        help: error.help().to_owned(),
    }
}

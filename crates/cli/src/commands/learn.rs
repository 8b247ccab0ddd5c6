//! `idiolect learn`: learn a given automaton by queries, to compare learners and to teach.

use crate::args::{CommonArgs, output_file, up_to};
use crate::drawing;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Envelope, Timing, counted};
use crate::progress::Progress;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use idiolect_automata::formats::dot::{self, DotAutomaton, Missing};
use idiolect_automata::formats::json::{self, Automaton, JsonAutomaton};
use idiolect_automata::formats::regex::Regex;
use idiolect_automata::formats::{Help, ReadError};
use idiolect_automata::{Alphabet, Dfa, Letter, Moore, Word};
use idiolect_base::{Budget, Bug, Canceller, Place, Rng, StopReason};
use idiolect_learn::{
    Counting, Counts, EqAnswer, EquivalenceOracle, Exact, Guarantee, Learner, LearnerKind,
    MembershipOracle, MooreOracle, PacSampling, RandomWords, RefineError, Trace, WpMethod,
};
use idiolect_report::Page;
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect learn examples/odd.dot
  idiolect learn examples/odd.dot --learner ttt --equivalence wp
  idiolect learn examples/odd.dot --learner lsharp --json --no-timing
  idiolect learn examples/odd.dot --svg odd.svg --report odd.html

Missing transitions of a DFA reject. A Moore machine has labels such as \"s0|output\".")]
pub struct LearnArgs {
    /// The automaton: DOT as LearnLib and AALpy write it, or our JSON (`.json`)
    #[arg(value_name = "TARGET")]
    target: PathBuf,

    /// The learning algorithm
    #[arg(
        long,
        value_name = "NAME",
        default_value = "kv",
        value_parser = PossibleValuesParser::new(LearnerKind::ALL.map(LearnerKind::name))
    )]
    learner: String,

    /// How a hypothesis is compared with the target
    #[arg(long, value_name = "HOW", default_value = "exact")]
    equivalence: Comparison,

    /// States that the target may have beyond the hypothesis (`wp`)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(1000))]
    extra_states: usize,

    /// Share of words that the model may get wrong (`pac`)
    #[arg(long, value_name = "E", default_value_t = 0.1)]
    epsilon: f64,

    /// Confidence in that share (`pac`)
    #[arg(long, value_name = "D", default_value_t = 0.9)]
    delta: f64,

    /// Length of the longest random word (`random`, `pac`)
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = up_to(1_000_000))]
    word_length: usize,

    /// Write the learned automaton in DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    dot: Option<PathBuf>,

    /// Draw the learned automaton
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<PathBuf>,

    /// Write one self-contained HTML page with the automaton to look at and play with
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    /// With the target itself: shortest counterexamples, and a proof in the end
    Exact,
    /// The Wp-method: complete up to a number of extra states
    Wp,
    /// Random words, which promise nothing
    Random,
    /// Random words, as many as the PAC guarantee needs
    Pac,
}

/// What came of it.
struct Learnt<O> {
    machine: Moore<O>,
    counts: Counts,
    rounds: u64,
    /// Or why it stopped.
    guarantee: Result<Guarantee, StopReason>,
    is_target: bool,
}

enum Target {
    Dfa(Dfa),
    Moore(Moore<String>),
}

pub fn run(args: &LearnArgs, canceller: &Canceller) -> Result<Exit, Failure> {
    let mut timing = Timing::start();
    let (target, alphabet) = read(&args.target)?;
    timing.phase("read");
    let kind = LearnerKind::from_name(&args.learner).unwrap_or(LearnerKind::KearnsVazirani);
    let budget = args.common.budget(canceller);
    match target {
        Target::Dfa(target) => {
            let learnt = learn(args, &target, &budget, |mq| {
                let learner = kind.start_dfa(target.n_letters(), mq)?;
                Ok(Box::new(learner) as Box<dyn Learner<bool>>)
            })?;
            timing.phase("learn");
            let drawing = dot::write_dfa(&learnt.machine, &alphabet);
            let automaton = JsonAutomaton::from_complete_dfa(&learnt.machine, &alphabet);
            let regex = Regex::from_dfa(&learnt.machine, 200);
            let regex = regex.map(|regex| regex.show(&alphabet));
            finish(
                args, &learnt, &alphabet, drawing, &automaton, regex, &timing,
            )
        }
        Target::Moore(target) => {
            if !kind.learns_moore() {
                return Err(Failure::usage(
                    format!("`{}` learns DFA alone", args.learner),
                    "choose another learner for a Moore machine",
                ));
            }
            let learnt = learn(args, &target, &budget, |mq| {
                let learner = kind.start_moore(target.n_letters(), mq)?;
                // The one learner without Moore machines was refused above.
                let learner = learner.ok_or(StopReason::Internal(Bug::RuledOut))?;
                Ok(Box::new(learner) as Box<dyn Learner<String>>)
            })?;
            timing.phase("learn");
            let drawing = dot::write_moore(&learnt.machine, &alphabet);
            let automaton = JsonAutomaton::from_moore(&learnt.machine, &alphabet);
            finish(args, &learnt, &alphabet, drawing, &automaton, None, &timing)
        }
    }
}

fn read(path: &Path) -> Result<(Target, Alphabet), Failure> {
    let bytes = crate::reading::bytes(path, crate::reading::LARGE)?;
    if path.extension().is_some_and(|e| e == "json") {
        let (automaton, alphabet) = json::read(&bytes).map_err(|e| bad_file(path, &e))?;
        return match automaton {
            Automaton::Dfa(dfa) => Ok((Target::Dfa(dfa), alphabet)),
            Automaton::Moore(machine) => Ok((Target::Moore(machine), alphabet)),
            _ => Err(Failure::usage(
                "only deterministic automata can be learned by queries",
                "give a `dfa` or a `moore` automaton",
            )),
        };
    }
    let (automaton, alphabet) =
        dot::read(&bytes, Missing::Reject).map_err(|e| bad_file(path, &e))?;
    match automaton {
        DotAutomaton::Dfa(dfa) => Ok((Target::Dfa(dfa), alphabet)),
        DotAutomaton::Moore(machine) => Ok((Target::Moore(machine), alphabet)),
        DotAutomaton::Mealy(_) => Err(Failure::usage(
            "Mealy machines are not learned yet",
            "give a DFA or a Moore machine",
        )),
    }
}

fn bad_file<P: std::error::Error + Help>(path: &Path, error: &ReadError<P>) -> Failure {
    Failure::BadFile {
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

/// A membership oracle that keeps to a budget and shows how far it is.
struct Watched<'a, M> {
    inner: Counting<M>,
    budget: &'a Budget,
    progress: &'a Progress,
}

impl<M: MembershipOracle> Watched<'_, M> {
    fn watch(&self, words: &[Word]) -> Result<(), StopReason> {
        self.budget.spend(words.len() as u64)?;
        let queries = self.inner.counts().queries;
        self.progress.count(queries, None, "membership queries");
        Ok(())
    }
}

impl<M: MembershipOracle> MembershipOracle for Watched<'_, M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason> {
        self.watch(words)?;
        self.inner.ask(words)
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        self.watch(words)?;
        self.inner.ask_traces(words)
    }

    fn gives_prefixes(&self) -> bool {
        self.inner.gives_prefixes()
    }
}

fn learn<O: Clone + Eq>(
    args: &LearnArgs,
    target: &Moore<O>,
    budget: &Budget,
    start: impl FnOnce(&mut dyn MembershipOracle<Answer = O>) -> Result<Box<dyn Learner<O>>, StopReason>,
) -> Result<Learnt<O>, Failure> {
    let progress = Progress::start(&args.common, "learning");
    let mut mq = Watched {
        inner: Counting::new(MooreOracle::new(target)),
        budget,
        progress: &progress,
    };
    let mut eq = comparison(args, target)?;
    let stopped_early = |reason| Learnt {
        machine: Moore::new(target.n_letters(), vec![target.output_of(&[]).clone()]),
        counts: Counts::default(),
        rounds: 0,
        guarantee: Err(reason),
        is_target: false,
    };
    let mut learner = match start(&mut mq) {
        Ok(learner) => learner,
        Err(reason) => return Ok(stopped_early(reason)),
    };
    let mut rounds = 0;
    let guarantee = loop {
        // The library's `learn` does the same; here each round is shown.
        if let Err(reason) = learner.complete(&mut mq) {
            break Err(reason);
        }
        if let Err(reason) = budget.look() {
            break Err(reason);
        }
        rounds += 1;
        let refined = match eq.compare(learner.hypothesis()) {
            Ok(EqAnswer::Agrees(guarantee)) => break Ok(guarantee),
            Ok(EqAnswer::Differs(cex)) => learner.refine(&cex, &mut mq),
            Err(reason) => break Err(reason),
        };
        match refined {
            Ok(()) => {}
            Err(RefineError::Stopped(reason)) => break Err(reason),
            Err(error) => panic!("a counterexample from the target refines: {error}"),
        }
        let (queries, states) = (mq.inner.counts().queries, learner.hypothesis().n_states());
        progress.count_and_say(queries, None, "membership queries", || {
            let states = counted(states as u64, "state");
            format!(
                "round {rounds}, {states}, {} membership queries",
                HumanCount(queries)
            )
        });
    };
    let machine = learner.hypothesis().clone();
    Ok(Learnt {
        is_target: machine.is_equivalent(target),
        machine,
        counts: mq.inner.counts(),
        rounds,
        guarantee,
    })
}

fn comparison<'a, O: Clone + Eq>(
    args: &LearnArgs,
    target: &'a Moore<O>,
) -> Result<Box<dyn EquivalenceOracle<O> + 'a>, Failure> {
    let rng = Rng::new(args.common.seed, 0);
    let mq = MooreOracle::new(target);
    let (longest, n_letters) = (args.word_length, target.n_letters());
    Ok(match args.equivalence {
        Comparison::Exact => Box::new(Exact::new(target)),
        Comparison::Wp => Box::new(WpMethod::new(mq, args.extra_states)),
        Comparison::Random => Box::new(RandomWords::new(mq, 10_000, 1, longest, rng)),
        Comparison::Pac => {
            let words = move |rng: &mut Rng| -> Word {
                let length = rng.below(longest as u64 + 1);
                let letters = (0..length).filter(|_| n_letters > 0);
                letters
                    .map(|_| Letter(rng.below(n_letters as u64) as u32))
                    .collect()
            };
            let sampling = PacSampling::new(mq, words, args.epsilon, args.delta, rng);
            Box::new(sampling.ok_or_else(|| {
                Failure::usage(
                    "epsilon and delta have to lie strictly between 0 and 1",
                    "for instance `--epsilon 0.1 --delta 0.9`",
                )
            })?)
        }
    })
}

fn guarantee_parts(guarantee: &Result<Guarantee, StopReason>) -> (&'static str, String) {
    match guarantee {
        Ok(Guarantee::Proved) => ("proved", "The learned automaton is the target.".to_owned()),
        Ok(Guarantee::UpToLength(n)) => (
            "bounded",
            format!("It agrees with the target on every word of at most {n} letters."),
        ),
        Ok(Guarantee::UpToStates(n)) => (
            "bounded",
            format!("It is the target, if the target has at most {n} states."),
        ),
        Ok(Guarantee::Pac {
            epsilon,
            delta,
            samples,
        }) => (
            "pac",
            format!(
                "With confidence {delta}, it is wrong on at most a share of {epsilon} of such \
                 random words ({samples} of them agreed)."
            ),
        ),
        Ok(Guarantee::Tested { words }) => (
            "tested",
            format!("It agrees with the target on {words} random words, which promises nothing."),
        ),
        Err(reason) => (
            "none",
            format!("Not finished: {reason}. This is the last hypothesis."),
        ),
    }
}

fn finish<O: Display + Clone + Eq>(
    args: &LearnArgs,
    learnt: &Learnt<O>,
    alphabet: &Alphabet,
    drawing: String,
    automaton: &JsonAutomaton,
    regex: Option<String>,
    timing: &Timing,
) -> Result<Exit, Failure> {
    if let Some(path) = &args.dot {
        output::write_whole(path, drawing.as_bytes())?;
    }
    let (guarantee_kind, guarantee_text) = guarantee_parts(&learnt.guarantee);
    let exit = match learnt.guarantee {
        Ok(_) => Exit::Clean,
        Err(reason) => crate::exit::Exit::of_stop(reason),
    };
    let counts = learnt.counts;
    let outcome = |timing: Option<&Timing>| {
        let envelope = Envelope {
            command: "learn",
            verdict: if learnt.guarantee.is_ok() {
                "learned"
            } else {
                "undecided"
            },
            guarantee_kind,
            guarantee_text: &guarantee_text,
            statistics: json!({
                "membership_queries": counts.queries,
                "empty_word_queries": counts.empty_word,
                "equivalence_queries": learnt.rounds,
                "symbols": counts.symbols,
                "states": learnt.machine.n_states(),
            }),
            warnings: &[],
        };
        let mut value = envelope.to_json(timing);
        value["automaton"] = serde_json::to_value(automaton).unwrap_or(Value::Null);
        value["is_target"] = json!(learnt.is_target);
        value["learner"] = json!(args.learner);
        value
    };
    if args.svg.is_some() || args.report.is_some() {
        // Without times, so that the same command writes the same bytes.
        let outcome = outcome(None);
        if let Some(path) = &args.svg {
            drawing::write_svg(path, &outcome["automaton"])?;
        }
        if let Some(path) = &args.report {
            output::write_whole(path, page(args, &outcome).as_bytes())?;
        }
    }
    if args.common.json {
        output::print_json(&outcome((!args.common.no_timing).then_some(timing)));
        return Ok(exit);
    }
    let mut text = format!("{guarantee_text}\n");
    let _ = writeln!(
        text,
        "{} states, {} membership queries ({} letters), {} equivalence queries, learner {}",
        learnt.machine.n_states(),
        counts.queries,
        counts.symbols,
        learnt.rounds,
        args.learner
    );
    if !learnt.is_target && learnt.guarantee.is_ok() {
        text.push_str("It is not the target.\n");
    }
    if let Some(regex) = regex {
        let _ = writeln!(text, "language: {regex}");
    }
    if learnt.machine.n_states() <= 20 || args.common.verbose {
        transitions(&learnt.machine, alphabet, &mut text);
    }
    if let Some(path) = &args.dot {
        let _ = writeln!(text, "drawing: {}", path.display());
    }
    if let Some(path) = &args.svg {
        let _ = writeln!(text, "drawing: {}", drawing::link(path));
    }
    if let Some(path) = &args.report {
        let _ = writeln!(text, "report: {}", drawing::link(path));
    }
    output::print(&text);
    Ok(exit)
}

/// The page for a browser.
fn page(args: &LearnArgs, outcome: &Value) -> String {
    let target = args.target.display();
    let comparison = args.equivalence.to_possible_value();
    let comparison = comparison.map_or(String::new(), |value| value.get_name().to_owned());
    let mut command = format!(
        "idiolect learn {target} --learner {} --equivalence {comparison}",
        args.learner
    );
    match args.equivalence {
        Comparison::Exact => {}
        Comparison::Wp => command.push_str(&format!(" --extra-states {}", args.extra_states)),
        Comparison::Random | Comparison::Pac => {
            let (seed, length) = (args.common.seed, args.word_length);
            command.push_str(&format!(" --seed {seed} --word-length {length}"));
        }
    }
    if args.equivalence == Comparison::Pac {
        command.push_str(&format!(
            " --epsilon {} --delta {}",
            args.epsilon, args.delta
        ));
    }
    let name = args.target.file_name().unwrap_or(args.target.as_os_str());
    Page {
        title: &format!("learn {}", name.display()),
        command: &command,
        outcome,
        sources: &[],
    }
    .to_html()
}

/// One line per state: its output, and where each letter leads.
fn transitions<O: Display>(machine: &Moore<O>, alphabet: &Alphabet, text: &mut String) {
    for q in machine.states() {
        let initial = if q == machine.initial() { "->" } else { "  " };
        let _ = write!(text, "{initial} q{} [{}]", q.index(), machine.output(q));
        for a in machine.letters() {
            let to = machine.step(q, a).index();
            let _ = write!(text, "  {} -> q{to}", alphabet.name(a));
        }
        text.push('\n');
    }
}

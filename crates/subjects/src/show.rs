//! How the outcome is shown: text, JSON, drawings and the page.

use super::LearnArgs;
use super::active::LearningEnd;
use super::model::LearnedMachine;
use crate::args::Format;
use crate::drawing;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::looks;
use crate::output::{self, Envelope, Timing};
use idiolect_automata::Alphabet;
use idiolect_base::StopReason;
use idiolect_learn::{Counts, Guarantee, LearnerKind};
use idiolect_report::Page;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Larger automata are not printed as text.
const SHOWN_STATES: usize = 20;

/// What came of it, of whichever way to learn.
pub struct Learnt {
    pub learner: &'static str,
    pub model: LearnedMachine,
    pub alphabet: Alphabet,
    /// Whether the promise in `guarantee` was reached.
    pub finished: bool,
    pub exit: Exit,
    pub guarantee: (&'static str, String),
    /// A line about the effort.
    pub effort: String,
    pub statistics: Map<String, Value>,
    /// If there is a target to compare with.
    pub is_target: Option<bool>,
    /// Lines after the first, such as the evidence for a refusal.
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
    /// More fields of the JSON outcome.
    pub more: Vec<(&'static str, Value)>,
}

/// What learning by queries took.
pub struct Asked {
    pub end: LearningEnd,
    /// All questions, those of comparisons included.
    pub counts: Counts,
    pub is_target: Option<bool>,
}

impl Asked {
    /// What is told when learning has ended.
    pub fn new(end: LearningEnd, counts: Counts, is_target: Option<bool>) -> Self {
        Self {
            end,
            counts,
            is_target,
        }
    }
}

impl Learnt {
    /// What was learned by asking.
    pub fn by_queries(
        kind: LearnerKind,
        model: LearnedMachine,
        alphabet: Alphabet,
        asked: Asked,
    ) -> Self {
        let Asked {
            end,
            counts,
            is_target,
        } = asked;
        let (rounds, tests) = (end.rounds, end.tests);
        let (queries, symbols) = (
            counts.queries - tests.queries,
            counts.symbols - tests.symbols,
        );
        let mut effort = format!(
            "{} states, {queries} membership queries ({symbols} letters), {rounds} equivalence queries",
            model.n_states(),
        );
        if tests.queries > 0 {
            let _ = write!(
                effort,
                " ({} words, {} letters)",
                tests.queries, tests.symbols
            );
        }
        let statistics = json!({
            "membership_queries": queries,
            "empty_word_queries": counts.empty_word - tests.empty_word,
            "equivalence_queries": rounds,
            "equivalence_words": tests.queries,
            "equivalence_symbols": tests.symbols,
            "symbols": symbols,
            "states": model.n_states(),
        });
        Self {
            learner: kind.name(),
            finished: end.guarantee.is_ok(),
            exit: match end.guarantee {
                Ok(_) => Exit::Clean,
                Err(reason) => Exit::of_stop(reason),
            },
            guarantee: guarantee_parts(&end.guarantee),
            model,
            alphabet,
            effort,
            statistics: statistics.as_object().cloned().unwrap_or_default(),
            is_target,
            notes: Vec::new(),
            warnings: Vec::new(),
            more: Vec::new(),
        }
    }
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

/// Writes what was asked for, and says the rest.
pub fn finish(args: &LearnArgs, learnt: &Learnt, timing: &Timing) -> Result<Exit, Failure> {
    let (model, alphabet) = (&learnt.model, &learnt.alphabet);
    if let Some(path) = &args.dot {
        output::write_whole(path, model.to_dot(alphabet).as_bytes())?;
    }
    let (guarantee_kind, guarantee_text) = &learnt.guarantee;
    let exit = learnt.exit;
    let outcome = |timing: Option<&Timing>, is_whole: bool| {
        let envelope = Envelope {
            command: "learn",
            verdict: if learnt.finished {
                "learned"
            } else {
                "undecided"
            },
            guarantee_kind,
            guarantee_text,
            statistics: Value::Object(learnt.statistics.clone()),
            warnings: &learnt.warnings,
        };
        let mut value = envelope.to_json(timing);
        if is_whole {
            let automaton = model.to_json(alphabet);
            value["automaton"] = serde_json::to_value(automaton).unwrap_or(Value::Null);
        }
        if let Some(is_target) = learnt.is_target {
            value["is_target"] = json!(is_target);
        }
        value["learner"] = json!(learnt.learner);
        for (name, more) in &learnt.more {
            value[*name] = more.clone();
        }
        value
    };
    if args.svg.is_some() || args.report.is_some() {
        // Without times, so that the same command writes the same bytes.
        let outcome = outcome(None, true);
        if let Some(path) = &args.svg {
            drawing::write_svg(path, &outcome["automaton"])?;
        }
        if let Some(path) = &args.report {
            output::write_whole(path, page(args, &outcome).as_bytes())?;
        }
    }
    let format = args.format.chosen(&args.common);
    // Two million transitions take a gigabyte as JSON.
    let is_whole = matches!(format, Format::Json);
    let value = outcome((!args.common.no_timing).then_some(timing), is_whole);
    looks::answer(&args.common, format, &value, || text(args, learnt));
    Ok(exit)
}

fn text(args: &LearnArgs, learnt: &Learnt) -> String {
    let (model, alphabet) = (&learnt.model, &learnt.alphabet);
    let mut text = format!("{}\n", learnt.guarantee.1);
    for note in &learnt.notes {
        let _ = writeln!(text, "{note}");
    }
    let _ = writeln!(
        text,
        "{}: {}, learner {}",
        model.name(),
        learnt.effort,
        learnt.learner
    );
    if learnt.is_target == Some(false) && learnt.finished {
        text.push_str("It is not the target.\n");
    }
    for warning in &learnt.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    // A regular expression takes longer than learning, so it is made only to be read.
    if model.n_states() <= SHOWN_STATES || args.common.verbose {
        if let Some(regex) = model.regex(alphabet) {
            let _ = writeln!(text, "language: {regex}");
        }
        text.push_str(&model.table(alphabet));
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
    text
}

/// The page for a browser.
fn page(args: &LearnArgs, outcome: &Value) -> String {
    let file = args.target.as_ref().or(args.words.as_ref());
    let file = file.or(args.c_program.c.first());
    let name = match (file, &args.system.sul, &args.system.tcp) {
        (Some(path), ..) => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.display().to_string()
        }
        (None, Some(command), _) => command.clone(),
        (None, None, Some(address)) => address.clone(),
        (None, None, None) => String::new(),
    };
    Page {
        title: &format!("learn {name}"),
        command: &output::command_line(),
        outcome,
        sources: &[],
    }
    .to_html()
}

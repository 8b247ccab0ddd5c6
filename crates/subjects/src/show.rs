//! How the outcome is shown: text, JSON, drawings and the page.

use super::LearnArgs;
use super::active::LearningEnd;
use super::model::LearnedMachine;
use crate::args::OutputFormat;
use crate::drawing;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output::{self, Streamed, Timing, counted};
use idiolect_automata::Alphabet;
use idiolect_automata::formats::json::{JsonPieces, JsonState, JsonTransition, Kind};
use idiolect_base::StopReason;
use idiolect_learn::{Counts, Guarantee, LearnerKind};
use idiolect_outcome::results::{
    ChangesSince, ContradictingRuns, LearnResult, LearnStatistics, QueryStatistics,
};
use idiolect_outcome::{Assumption, AssumptionKind, Conclusion, GuaranteeKind, Ledger, Verdict};
use idiolect_report::Page;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// Larger automata are not printed as text.
const SHOWN_STATES: usize = 20;

/// What came of it, of whichever way to learn.
pub struct Learnt {
    pub learner: &'static str,
    pub model: LearnedMachine,
    pub alphabet: Alphabet,
    pub conclusion: Conclusion,
    /// A line about the effort.
    pub effort: String,
    pub statistics: LearnStatistics,
    /// If there is a target to compare with.
    pub is_target: Option<bool>,
    /// Lines after the first, such as the evidence for a refusal.
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
    /// Two runs of the system that contradict each other.
    pub contradiction: Option<ContradictingRuns>,
    /// What changed since an earlier model.
    pub since: Option<ChangesSince>,
}

/// What learning by queries took.
pub struct LearningEffort {
    pub end: LearningEnd,
    /// All questions, those of comparisons included.
    pub counts: Counts,
    pub is_target: Option<bool>,
}

impl LearningEffort {
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
    /// What was learned by asking a `target`, a `system` or a `program`.
    pub fn by_queries(
        kind: LearnerKind,
        model: LearnedMachine,
        alphabet: Alphabet,
        asked: LearningEffort,
        subject: &str,
    ) -> Self {
        let LearningEffort {
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
            "{}, {} ({}), {}",
            counted(model.n_states() as u64, "state"),
            counted(queries, "membership query"),
            counted(symbols, "letter"),
            counted(rounds, "equivalence query"),
        );
        if tests.queries > 0 {
            let _ = write!(
                effort,
                " ({}, {})",
                counted(tests.queries, "word"),
                counted(tests.symbols, "letter")
            );
        }
        let statistics = QueryStatistics {
            membership_queries: queries,
            empty_word_queries: counts.empty_word - tests.empty_word,
            equivalence_queries: rounds,
            equivalence_words: tests.queries,
            equivalence_symbols: tests.symbols,
            symbols,
            states: model.n_states(),
            system: None,
            program: None,
        };
        Self {
            learner: kind.name(),
            conclusion: conclusion(&end.guarantee, subject),
            model,
            alphabet,
            effort,
            statistics: LearnStatistics::Queries(statistics),
            is_target,
            notes: Vec::new(),
            warnings: Vec::new(),
            contradiction: None,
            since: None,
        }
    }

    /// What asking took; of what was learned from words, nothing.
    pub fn queries(&mut self) -> Option<&mut QueryStatistics> {
        match &mut self.statistics {
            LearnStatistics::Queries(statistics) => Some(statistics),
            LearnStatistics::Words(_) => None,
        }
    }

    /// Nothing is promised, for this reason.
    pub fn undecided(why: impl std::fmt::Display, ledger: &Ledger) -> Conclusion {
        let text = format!("Not finished: {why}. This is the last hypothesis.");
        Conclusion::undecided(text, ledger)
    }
}

/// What the last comparison promises.
fn conclusion(guarantee: &Result<Guarantee, StopReason>, subject: &str) -> Conclusion {
    let mut ledger = Ledger::default();
    let mut bound = |text: String, option: &str| {
        ledger.add(Assumption::new(AssumptionKind::Bound, text).with_option(option));
        GuaranteeKind::Exact
    };
    let (kind, text) = match guarantee {
        Ok(Guarantee::Proved) => {
            let machine = if subject == "system" {
                "machine"
            } else {
                "automaton"
            };
            let text = format!("The learned {machine} is the {subject}.");
            (GuaranteeKind::Proved, text)
        }
        Ok(Guarantee::UpToLength(n)) => (
            bound(format!("words of at most {n} letters"), "--word-length"),
            format!("It agrees with the {subject} on every word of at most {n} letters."),
        ),
        Ok(Guarantee::UpToStates(n)) => (
            bound(
                format!("the {subject} has at most {n} states"),
                "--extra-states",
            ),
            format!("It is the {subject}, if the {subject} has at most {n} states."),
        ),
        Ok(Guarantee::Pac {
            epsilon,
            delta,
            samples,
        }) => (
            GuaranteeKind::Pac,
            format!(
                "With confidence {delta}, it is wrong on at most a share of {epsilon} of such \
                 random words ({samples} of them agreed)."
            ),
        ),
        Ok(Guarantee::Tested { words }) => (
            GuaranteeKind::Learned,
            format!(
                "It agrees with the {subject} on {words} random words; nothing is promised of others."
            ),
        ),
        Err(reason) => {
            ledger.stopped(*reason);
            return Learnt::undecided(reason, &ledger);
        }
    };
    Conclusion::new(Verdict::Learned, kind, text, &ledger)
}

/// Writes what was asked for, and says the rest.
pub fn finish(args: &LearnArgs, learnt: &Learnt, timing: &Timing) -> Result<Exit, CommandFailure> {
    let (model, alphabet) = (&learnt.model, &learnt.alphabet);
    if let Some(path) = &args.dot {
        output::write_whole(path, model.to_dot(alphabet).as_bytes())?;
    }
    let outcome = |timing: Option<&Timing>, is_whole: bool| {
        let result = LearnResult {
            automaton: if is_whole {
                output::json_of(&model.json_pieces(alphabet).collect())
            } else {
                Value::Null
            },
            learner: learnt.learner,
            is_target: learnt.is_target,
            contradiction: learnt.contradiction.clone(),
            since: learnt.since.clone(),
        };
        let (statistics, warnings) = (&learnt.statistics, &learnt.warnings);
        output::answer_json(
            "learn",
            &learnt.conclusion,
            statistics,
            warnings,
            timing,
            result,
        )
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
    let value = outcome((!args.common.no_timing).then_some(timing), false);
    if matches!(format, OutputFormat::Json) {
        let automaton = StreamedAutomaton::new(model.json_pieces(alphabet));
        output::print_json_with(&value, "automaton", &automaton);
    } else {
        looks::answer(&args.common, format, &value, || text(args, learnt));
    }
    Ok(args.common.exit(&learnt.conclusion))
}

/// An automaton that is made while it is printed: two million transitions take a gigabyte as a value. The keys are
/// in the order that values have.
#[derive(Serialize)]
struct StreamedAutomaton<'a> {
    alphabet: &'a [String],
    kind: Kind,
    states: Streamed<Box<dyn Iterator<Item = JsonState> + 'a>>,
    transitions: Streamed<Box<dyn Iterator<Item = JsonTransition> + 'a>>,
}

impl<'a> StreamedAutomaton<'a> {
    fn new(pieces: JsonPieces<'a>) -> Self {
        Self {
            alphabet: pieces.alphabet.names(),
            kind: pieces.kind,
            states: Streamed::new(pieces.states),
            transitions: Streamed::new(pieces.transitions),
        }
    }
}

fn text(args: &LearnArgs, learnt: &Learnt) -> String {
    let (model, alphabet) = (&learnt.model, &learnt.alphabet);
    let mut text = format!("{}\n", learnt.conclusion.text);
    text.push_str(&learnt.conclusion.assumption_lines());
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
    let is_finished = learnt.conclusion.verdict == Verdict::Learned;
    if learnt.is_target == Some(false) && is_finished {
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

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_automata::{Dfa, Letter, Mealy, Moore, Pfsa};
    use serde_json::json;

    /// One state, which every letter leads back to.
    fn machines() -> [LearnedMachine; 4] {
        let mut pfsa = Pfsa::new(2);
        let state = pfsa.add_state(1.5);
        pfsa.add_transition(state, Letter(1), state, 3.0);
        let mealy = Mealy::from_fn(2, 1, |_, a: Letter| (0, format!("\"{}\u{1b}", a.0)));
        [
            LearnedMachine::Dfa(Dfa::new(2, vec![true])),
            LearnedMachine::Moore(Moore::new(2, vec!["ä".to_owned()])),
            LearnedMachine::Mealy(mealy),
            LearnedMachine::Pfsa(pfsa),
        ]
    }

    #[test]
    fn what_is_printed_piece_by_piece_is_what_the_whole_value_would_be() {
        let alphabet = Alphabet::new(["b", "a"]);
        for model in machines() {
            let whole = output::json_of(&model.json_pieces(&alphabet).collect());
            let mut outcome = json!({ "automaton": null, "command": "learn", "a": {} });
            let streamed = StreamedAutomaton::new(model.json_pieces(&alphabet));
            let text = output::json_text_with(&outcome, "automaton", &streamed);
            outcome["automaton"] = whole;
            assert_eq!(text, format!("{outcome:#}\n"));
        }
    }
}

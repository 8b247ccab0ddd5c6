//! From the command line to a session: events, bounds, the assertion.

use super::macros;
use crate::args::{CArgs, up_to};
use crate::c_input::{self, Loaded};
use crate::failure::CommandFailure;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use idiolect_base::{Budget, StopReason, nearest};
use idiolect_cfront::{CallProbe, LineProbe};
use idiolect_explain::{
    BranchNames, Choice, EventVocabulary, LanguageTarget, Laziness, Options, Promise, Session,
    UnknownEvent,
};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::events::EventKind;
use idiolect_ir::{Location, Program, Property};
use idiolect_learn::LearnerKind;
use std::sync::Arc;

/// What `explain` and `diff` share.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Learning")]
pub struct LanguageArgs {
    /// Which events are letters
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        default_value = "calls"
    )]
    events: Vec<EventsArg>,

    /// One more event: `call:f`, also of the library and by classes of arguments and results (`call:free`,
    /// `open(_, &O_CREAT)`, `read -> <0`), `branch:FILE:LINE`, `label:L`, or a predicate at a line,
    /// `FILE:LINE EXPR`. `NAME=…` before it names the letter
    #[arg(long, value_name = "SPEC")]
    event: Vec<String>,

    /// Events as the user wrote them, with names of macros, and what they are.
    #[arg(skip)]
    with_macros: Vec<(String, String)>,

    /// Do not take this as an event
    #[arg(long, value_name = "NAME")]
    ignore: Vec<String>,

    /// Rounds of every loop and depth of recursion: a round is one execution of the back edge. Without
    /// bounds, they grow by themselves, and loops over constants have the rounds they need
    #[arg(long, value_name = "B", value_parser = up_to(1_000_000))]
    unwind: Option<usize>,

    /// The longest words to consider, in letters, the failing assertion included
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    word_length: Option<usize>,

    /// The largest number of rounds that is tried automatically
    #[arg(long, value_name = "B", default_value_t = 4, value_parser = up_to(1_000_000))]
    max_unwind: usize,

    /// The longest words that are tried automatically
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = up_to(1_000_000))]
    max_word_length: usize,

    /// Reject words that only runs of more rounds could have, as with `--unwind`; where bounds grow by
    /// themselves, the automaton may otherwise treat them as it likes, and is the smallest
    #[arg(long)]
    strict: bool,

    /// The learning algorithm
    #[arg(
        long,
        value_name = "NAME",
        default_value = "lstar",
        value_parser = PossibleValuesParser::new(LearnerKind::ALL.map(LearnerKind::name))
    )]
    learner: String,

    /// What is promised of the automaton
    #[arg(long, value_name = "WHICH", default_value = "exact")]
    guarantee: GuaranteeArg,

    /// Guess membership queries and confirm them together; by default where solving is expensive
    #[arg(long, conflicts_with = "eager")]
    lazy: bool,

    /// Solve each membership query at once
    #[arg(long)]
    eager: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventsArg {
    /// Entries of the program's own functions, except the entry function
    Calls,
    /// Both outcomes of every branch
    Branches,
    /// Labels
    Labels,
    /// `Learn(id)` in the source
    Marks,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuaranteeArg {
    /// A word is accepted exactly if some run has it
    Exact,
    /// A run's word is accepted exactly if the run fails
    Paper,
}

/// So many rounds are as good as no bound, and far beyond what can be encoded.
const MOST_UNWINDINGS: usize = 10_000;
const LONGEST_WORD: usize = 1_000;

impl LanguageArgs {
    /// Puts numbers into the place of macros that events name.
    pub fn resolve_macros(&mut self, input: &CArgs) -> Result<(), CommandFailure> {
        for event in &mut self.event {
            if let Some(whole) = with_prefix(event) {
                *event = whole;
            }
            let (name, spec) = named(event);
            let Some(plain) = macros::without_macros(spec, input)? else {
                continue;
            };
            match name {
                Some(name) => *event = format!("{name}={plain}"),
                None => {
                    self.with_macros.push((shown(spec), normal(&plain)));
                    *event = plain;
                }
            }
        }
        Ok(())
    }

    /// The same events in another version, where places are others. Letters are called as they are here.
    pub fn in_version(&self, moved: impl Fn(&str, u32) -> Option<(String, u32)>) -> Self {
        let mut other = self.clone();
        for event in &mut other.event {
            let (name, spec) = named(event);
            let Some(probe) = predicate(spec) else {
                continue;
            };
            let Some((file, line)) = moved(&probe.file, probe.line) else {
                continue;
            };
            let there = format!("{file}:{line} {}", probe.text);
            *event = match name {
                Some(name) => format!("{name}={there}"),
                None => {
                    let own = (normal(spec), there.clone());
                    other.with_macros.push(own);
                    there
                }
            };
        }
        other
    }

    /// The events that are letters.
    pub fn choice(&self) -> Choice {
        let kind = |arg: &EventsArg| match arg {
            EventsArg::Calls => EventKind::Call,
            EventsArg::Branches => EventKind::Branch,
            EventsArg::Labels => EventKind::Label,
            EventsArg::Marks => EventKind::Mark,
        };
        Choice {
            kinds: self.events.iter().map(kind).collect(),
            specs: self.event.iter().map(|e| normal(named(e).1)).collect(),
            names: (self.event.iter().map(|e| named(e)))
                .filter_map(|(name, spec)| Some((name?.to_owned(), normal(spec))))
                .chain(self.with_macros.iter().cloned())
                .collect(),
            ignore: self.ignore.iter().map(|e| normal(e)).collect(),
            branches: BranchNames::Condition,
        }
    }

    /// The bounds, if the user gave one of them.
    pub fn fixed_bounds(&self) -> Option<(usize, usize)> {
        if self.unwind.is_none() && self.word_length.is_none() {
            return None;
        }
        Some((
            self.unwind.unwrap_or(self.max_unwind),
            self.word_length.unwrap_or(self.max_word_length),
        ))
    }

    /// How a session is to learn.
    pub fn options(&self, input: &CArgs) -> Options {
        let (max_unwind, max_word_length) = self
            .fixed_bounds()
            .unwrap_or((self.max_unwind, self.max_word_length));
        Options {
            learner: LearnerKind::from_name(&self.learner).unwrap_or(LearnerKind::LStar),
            promise: match self.guarantee {
                GuaranteeArg::Exact => Promise::Exact,
                GuaranteeArg::Paper => Promise::Paper,
            },
            laziness: match (self.lazy, self.eager) {
                (true, _) => Laziness::Lazy,
                (_, true) => Laziness::Eager,
                _ => Laziness::Auto,
            },
            max_unwind: max_unwind.min(MOST_UNWINDINGS),
            max_word_length: max_word_length.min(LONGEST_WORD),
            has_fixed_unwind: self.unwind.is_some(),
            // A bound that the user fixes says what the language is: there is nothing to leave open.
            is_free_beyond: !self.strict && self.unwind.is_none(),
            properties: input.properties(),
            ..Options::default()
        }
    }

    fn check(&self) -> Result<(), CommandFailure> {
        let too_large = |n: Option<usize>, most: usize| n.is_some_and(|n| n > most);
        if too_large(self.unwind, MOST_UNWINDINGS) || self.max_unwind > MOST_UNWINDINGS {
            return Err(CommandFailure::usage(
                format!("a bound of more than {MOST_UNWINDINGS} rounds cannot be encoded"),
                "give a smaller `--unwind`",
            ));
        }
        if too_large(self.word_length, LONGEST_WORD) || self.max_word_length > LONGEST_WORD {
            return Err(CommandFailure::usage(
                format!("words of more than {LONGEST_WORD} letters explain nothing"),
                "give a smaller `--word-length`",
            ));
        }
        Ok(())
    }
}

/// Reads the program, with the predicates and calls among the events compiled into it.
pub fn load_with_events(input: &CArgs, learning: &LanguageArgs) -> Result<Loaded, CommandFailure> {
    learning.check()?;
    let specs: Vec<&str> = learning.event.iter().map(|e| named(e).1).collect();
    let probes = specs.iter().filter_map(|e| predicate(e)).collect();
    let calls = specs.iter().filter_map(|e| call(e)).collect();
    c_input::load_listening(input, probes, calls)
}

/// `NAME=SPEC`: an event, and what it is to be called.
fn named(text: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        name.chars().all(is_letter)
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    };
    match text.split_once('=') {
        Some((name, spec)) if is_name(name.trim()) && spec.contains(':') => {
            (Some(name.trim()), spec.trim())
        }
        _ => (None, text),
    }
}

/// `open(_, &O_CREAT)` and `read → 0` can only be calls: as these are written with `call:` before them.
fn with_prefix(event: &str) -> Option<String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_call = |spec: &str| {
        let rest = spec.trim_start_matches(is_letter).trim_start();
        rest.len() < spec.len() && ["(", "->", "→"].iter().any(|sign| rest.starts_with(sign))
    };
    match event.split_once('=') {
        _ if is_call(event) => Some(format!("call:{}", event.trim())),
        Some((name, spec)) if name.trim().chars().all(is_letter) && is_call(spec.trim()) => {
            Some(format!("{}=call:{}", name.trim(), spec.trim()))
        }
        _ => None,
    }
}

/// `FILE:LINE EXPR`
fn predicate(spec: &str) -> Option<LineProbe> {
    let (place, text) = spec.split_once(char::is_whitespace)?;
    let (file, line) = place.rsplit_once(':')?;
    Some(LineProbe {
        file: file.to_owned(),
        line: line.parse().ok()?,
        text: text.trim().to_owned(),
    })
}

/// `call:free`, `call:read -> 0`
fn call(spec: &str) -> Option<CallProbe> {
    CallProbe::parse(spec.strip_prefix("call:")?)
}

/// As the event is called: one space between place and expression.
fn normal(spec: &str) -> String {
    match (predicate(spec), call(spec)) {
        (Some(probe), _) => format!("{}:{} {}", probe.file, probe.line, probe.text),
        (None, Some(call)) => call.name(),
        (None, None) => spec.to_owned(),
    }
}

/// An event with names of macros, as it is shown: `open(_, &O_CREAT)`.
fn shown(spec: &str) -> String {
    let call = spec.strip_prefix("call:").unwrap_or(spec);
    let words: Vec<&str> = call.split_whitespace().collect();
    words.join(" ").replace("->", "→")
}

/// A session, or why it could not be encoded.
pub fn session_of<'a>(
    program: &Arc<Program>,
    calls: &CallGraph,
    target: &LanguageTarget,
    choice: &Choice,
    options: &Options,
    budget: &'a Budget,
) -> Result<Result<Session<'a>, StopReason>, CommandFailure> {
    let vocabulary = EventVocabulary::new(program, calls, target, choice)
        .map_err(|unknown| unknown_event(&unknown))?;
    Ok(Session::new(
        program.clone(),
        calls,
        vocabulary,
        target,
        options.clone(),
        budget,
    ))
}

/// What the user is told about an event that is not there.
pub fn unknown_event(unknown: &UnknownEvent) -> CommandFailure {
    let spec = unknown.spec.trim_start_matches("call:");
    let near = nearest(spec, unknown.known.iter().map(String::as_str));
    let help = match near {
        Some(name) => format!("did you mean `{name}`?"),
        None if unknown.known.is_empty() => "the program has no events; see `--events`".to_owned(),
        None => {
            let some: Vec<String> = (unknown.known.iter().take(8))
                .map(|name| format!("`{name}`"))
                .collect();
            let more = match unknown.known.len() {
                n if n > 8 => format!(" and {} more", n - 8),
                _ => String::new(),
            };
            format!("there are {}{more}", some.join(", "))
        }
    };
    CommandFailure::usage(format!("the program has no event `{}`", unknown.spec), help)
}

/// Where the program can fail, or the place that the user chose.
pub fn errors(
    program: &Program,
    options: &Options,
    chosen: Option<&str>,
) -> Result<LanguageTarget, CommandFailure> {
    let all = LanguageTarget::errors(program, &options.properties);
    let LanguageTarget::Error { places, properties } = &all else {
        return Ok(all);
    };
    if places.is_empty() {
        return Err(CommandFailure::usage(
            "the program has no assertion that could fail, so there is no error to explain",
            "add `assert(…)`, choose another `--property`, or explain the program itself with \
             `--program`",
        ));
    }
    let Some(chosen) = chosen.filter(|&c| c != "all") else {
        return Ok(all);
    };
    let picked: Vec<Location> = places
        .iter()
        .copied()
        .filter(|place| line_of(program, *place).is_some_and(|at| is_meant(&at, chosen)))
        .collect();
    if picked.is_empty() {
        return Err(CommandFailure::usage(
            format!("there is no assertion at `{chosen}`"),
            format!(
                "there are assertions at {}",
                lines(program, places).join(", ")
            ),
        ));
    }
    Ok(LanguageTarget::Error {
        places: picked,
        properties: properties.clone(),
    })
}

/// `dir/file.c:12` is meant by `file.c:12` and by `12`.
fn is_meant(at: &str, chosen: &str) -> bool {
    at.strip_suffix(chosen)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', ':']))
}

fn line_of(program: &Program, place: Location) -> Option<String> {
    let at = place.place(program)?;
    Some(format!("{}:{}", at.file, at.line))
}

fn lines(program: &Program, places: &[Location]) -> Vec<String> {
    let mut list: Vec<(String, u32)> = (places.iter())
        .filter_map(|place| place.place(program))
        .map(|at| (at.file, at.line))
        .collect();
    list.sort_unstable();
    list.dedup();
    list.into_iter()
        .map(|(file, line)| format!("{file}:{line}"))
        .collect()
}

/// If the program has several assertions, the one that can fail; an error if there are several of
/// these. `None` leaves things as they are.
pub fn choose_assertion(
    session: &mut Session<'_>,
    program: &Program,
    options: &Options,
) -> Result<Option<LanguageTarget>, CommandFailure> {
    let LanguageTarget::Error { places, properties } =
        LanguageTarget::errors(program, &options.properties)
    else {
        return Ok(None);
    };
    if options.properties != [Property::Assert] || lines(program, &places).len() < 2 {
        return Ok(None);
    }
    // A budget that ends here ends the rest as well.
    let Ok(failing) = session.failing_places() else {
        return Ok(None);
    };
    let failing_lines = lines(program, &failing);
    match failing_lines.len() {
        0 => Ok(None),
        1 => Ok(Some(LanguageTarget::Error {
            places: failing,
            properties,
        })),
        n => Err(CommandFailure::usage(
            format!("{n} assertions can fail: {}", failing_lines.join(", ")),
            format!(
                "choose one with `--assertion {}`, or take them together with `--assertion all`",
                failing_lines[0]
            ),
        )),
    }
}

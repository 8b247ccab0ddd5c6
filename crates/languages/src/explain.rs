//! `idiolect explain`: the language of an error, or of a program, as an automaton over events.

mod bounds;
mod hidden;
mod input;
mod macros;
mod relevance;
mod rounds;
mod show;
mod small;

use self::bounds::NextBounds;
use super::unwinding::UnwindArgs;
use crate::args::{CArgs, CommonArgs, FormatArgs, output_file, up_to};
use crate::claim;
use crate::drawing;
use crate::ends as run_show;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::harness;
use crate::looks;
use crate::output::{self, Timing, counted};
use crate::progress::ProgressLine;
use clap::Args;
use idiolect_automata::{Letter, StateId};
use idiolect_base::{Budget, Canceller, StopReason};
use idiolect_explain::{
    LanguageTarget, LearnedLanguage, ModelDoubt, Options, Session, WordAnswer, WordWitness,
};
use idiolect_ir::Program;
use idiolect_ir::callgraph::CallGraph;
use idiolect_outcome::Assumption;
use idiolect_search::{FindOptions, Found};
use idiolect_symex::EndRecord;
use idiolect_verify::find_error_or_proof;
use indicatif::HumanCount;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use input::{LanguageArgs, errors as errors_of, load_with_events, session_of};
pub use rounds::of_each_loop_in;
pub use show::{automaton_json, automaton_text, witness_run};
pub use small::shrunk;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect explain examples/explain/loop.c
  idiolect explain examples/explain/loop.c --unwind 4 --word-length 6 --report loop.html
  idiolect explain examples/explain/marks.c --events marks --word '3 3 6 2 assert'
  idiolect explain examples/sort.c --event 'sort.c:16 a[0] > a[1]' --events branches
  idiolect explain examples/explain/loop.c --program

Events are the letters of words; the failing assertion is the letter `assert`. `exact` promises
that, up to the bounds, a word is accepted exactly if some run fails with it; `paper` promises
less, as the published method does: that a run's word is accepted exactly if the run fails.")]
pub struct ExplainArgs {
    #[command(flatten)]
    pub input: CArgs,

    #[command(flatten)]
    learning: LanguageArgs,

    #[command(flatten)]
    unwinding: UnwindArgs,

    /// Explain the program, not an error: words of runs that end by themselves
    #[arg(long)]
    program: bool,

    /// The assertion to explain, if several can fail; `all` takes them together
    #[arg(long, value_name = "FILE:LINE", conflicts_with = "program")]
    assertion: Option<String>,

    /// Ask for one word: a run that has it, or the first event where it is blocked
    #[arg(long, value_name = "WORD")]
    word: Option<String>,

    /// Show runs for at most this many words
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = up_to(1_000_000))]
    witnesses: usize,

    /// Say of every edge which share of the statements on it are relevant for the failure: changed
    /// alone, they would have blocked the runs that are shown
    #[arg(long, conflicts_with = "program")]
    relevance: bool,

    /// Write a C file for each witness, to be linked with the program
    #[arg(long, value_name = "DIR")]
    harness: Option<PathBuf>,

    /// Write the automaton in DOT
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    dot: Option<PathBuf>,

    /// Write a drawing of the automaton
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<PathBuf>,

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

impl ExplainArgs {
    /// Asks the preprocessor for what the events name.
    pub fn resolve(&mut self) -> Result<(), CommandFailure> {
        self.learning.resolve_macros(&self.input)
    }
}

/// Work of the search for an error beyond bounds that the user fixed.
const STEPS_BEYOND: u64 = 200_000;

/// What is told.
pub struct Explained {
    language: LearnedLanguage,
    witnesses: Vec<WordWitness>,
    doubts: Vec<ModelDoubt>,
    /// A place where runs fault, if they do.
    fault: Option<EndRecord>,
    /// Nobody knows whether they do.
    may_fault: bool,
    /// What the search for errors says, where the language is empty.
    search: Option<Found>,
    /// No bound hides a word: the language has those of all runs.
    hides_nothing: bool,
    /// What C leaves open and a promise rests on.
    chosen: Vec<Assumption>,
    warnings: Vec<String>,
    /// With `--relevance`: by edge, the share of relevant statements.
    relevance: Vec<((StateId, Letter), f64)>,
}

/// Learns the language and says what it promises.
pub fn run(args: &ExplainArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let mut timing = Timing::start();
    let loaded = load_with_events(&args.input, &args.learning)?;
    timing.phase("front_end");
    let mut warnings = loaded.warnings();
    let program = std::sync::Arc::new(loaded.program);
    let budget = args.common.budget(canceller);
    let calls = CallGraph::new(&program);
    let mut options = args.learning.options(&args.input);
    options.own_bounds = args.unwinding.own_bounds(&program)?;
    if let Some(exit) = set_properties(args, &program, &mut options, &mut warnings, &timing) {
        return Ok(exit);
    }
    let mut search: Option<Found> = None;
    // An error that runs find quickly says where bounds begin.
    let may_grow = !args.program && args.word.is_none() && args.learning.fixed_bounds().is_none();
    let quick = || bounds::quick_error(&program, &options, args.common.seed, &budget);
    let first = may_grow.then(quick).flatten();
    timing.phase("first_run");
    let (mut n_larger, mut n_grown, mut n_doubled) = (0, 0, 0);
    let mut hides_nothing = false;
    let mut kept: Option<(Session<'_>, LearnedLanguage)> = None;
    // The smaller bounds, while larger ones are tried that may settle all runs.
    let mut small: Option<(Session<'_>, LearnedLanguage)> = None;
    let (mut session, language) = loop {
        let opened = open(args, &program, &calls, &options, &budget)?;
        let mut session = match opened {
            Ok(session) => session,
            Err(reason) => {
                if let Some(before) = small.take().or_else(|| kept.take()) {
                    break before;
                }
                return Ok(not_opened(args, reason, &timing));
            }
        };
        timing.phase("encode");
        if let Some(text) = &args.word {
            return one_word(args, &mut session, &budget, text, &warnings, &mut timing);
        }
        if let Some(inputs) = &first
            && let Some(larger) = bounds::begin(&mut session, &options, inputs)
            && n_larger < bounds::MOST_TIMES
        {
            n_larger += 1;
            options = larger;
            continue;
        }
        let progress = ProgressLine::start(&args.common, "explain");
        session.on_progress(move |now| show_learning(&progress, "", now));
        let language = match args.learning.fixed_bounds() {
            Some((unwind, word_length)) => session.learn_at(unwind, word_length),
            None => session.learn_up_to(),
        };
        // Runs that come to C that is not modelled have no words.
        let is_empty = !args.program && language.shown.is_empty() && language.stopped.is_none();
        let is_open =
            is_empty && (!language.is_complete || !session.doubts(&language.bounds).is_empty());
        if !is_open {
            let is_done = language.stopped.is_none();
            let before = small.take();
            if let Some(settled) = kept.take().filter(|_| !is_done) {
                // The smaller bounds are settled; these are not.
                break settled;
            }
            let may_follow =
                may_grow && is_done && n_grown < bounds::MOST_TIMES && before.is_none();
            let may_double = is_done && args.learning.fixed_bounds().is_none();
            let wanted = (may_follow, may_double, args.common.seed);
            match bounds::next(&mut session, &language, &options, wanted) {
                NextBounds::Larger(larger) => {
                    n_grown += 1;
                    options = larger;
                    kept = Some((session, language));
                    continue;
                }
                // Larger bounds are worth their time if they settle the matter for all runs.
                NextBounds::Twice(larger) if n_doubled < bounds::MOST_TIMES => {
                    n_doubled += 1;
                    options = larger;
                    small = before.or(Some((session, language)));
                    continue;
                }
                NextBounds::Enough => hides_nothing = true,
                NextBounds::Twice(_) | NextBounds::Unknown => {
                    let is_settled = language.is_complete;
                    break before
                        .filter(|_| !is_settled)
                        .unwrap_or((session, language));
                }
            }
            break (session, language);
        }
        // Nobody fails within the bounds: is there anybody who fails at all?
        let found = search.get_or_insert_with(|| anybody_fails(args, &program, &options, &budget));
        timing.phase("search");
        match found {
            Found::Error { run, .. } if args.learning.fixed_bounds().is_none() => {
                match bounds::larger(&session, &options, &run.bits()) {
                    Some(larger) => options = larger,
                    None => break (session, language),
                }
            }
            _ => break (session, language),
        }
    };
    session.on_progress(|_| {});
    timing.phase("learn");
    let explained = complete(
        args,
        &mut session,
        language,
        (search, hides_nothing, warnings),
        &options,
        &budget,
        &mut timing,
    )?;
    publish(args, session, &explained, &timing)
}

/// What counts as an error, where errors are explained; the answer, if nothing of it can be seen.
fn set_properties(
    args: &ExplainArgs,
    program: &Arc<Program>,
    options: &mut Options,
    warnings: &mut Vec<String>,
    timing: &Timing,
) -> Option<Exit> {
    if args.program {
        return None;
    }
    let (properties, note) = args.input.properties_of(program);
    options.properties = properties;
    warnings.extend(note);
    hidden::answer(args, program, &options.properties, warnings, timing)
}

fn not_opened(args: &ExplainArgs, reason: StopReason, timing: &Timing) -> Exit {
    let format = args.format.chosen(&args.common);
    output::not_started("explain", (&args.common, format), reason, timing)
}

/// A failing run, or a proof that there is none, whatever the bounds are.
fn anybody_fails(
    args: &ExplainArgs,
    program: &Arc<Program>,
    options: &Options,
    budget: &Budget,
) -> Found {
    let wanted = FindOptions {
        properties: options.properties.clone(),
        seed: args.common.seed,
        ..FindOptions::default()
    };
    // Who fixes the bounds asks about these; an error beyond them is news, and not what takes long.
    let own = match args.learning.fixed_bounds() {
        Some(_) => budget.share(STEPS_BEYOND),
        None => budget.clone(),
    };
    find_error_or_proof(program, &wanted, &own, &mut |_| {})
}

/// Writes what was asked for, and says the rest.
fn publish(
    args: &ExplainArgs,
    session: Session<'_>,
    explained: &Explained,
    timing: &Timing,
) -> Result<Exit, CommandFailure> {
    write_files(args, &session, explained)?;
    let value = show::json(args, &session, explained, timing);
    if let Some(path) = &args.svg {
        drawing::write_svg(path, &value["automaton"])?;
    }
    if let Some(path) = &args.sarif {
        output::write_sarif(path, &value)?;
    }
    if let Some(path) = &args.report {
        let sources = &session.program().sources;
        let page = output::page("explain", sources, &args.input.files, &value);
        output::write_whole(path, page.as_bytes())?;
    }
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || {
        show::text(args, &session, explained)
    });
    let exit = args.common.exit(&show::conclusion(&session, explained));
    output::leave(session);
    Ok(exit)
}

/// What is said of a language beside its words: witnesses, doubts, what it rests on.
fn complete(
    args: &ExplainArgs,
    session: &mut Session<'_>,
    language: LearnedLanguage,
    (search, hides_nothing, mut warnings): (Option<Found>, bool, Vec<String>),
    options: &Options,
    budget: &Budget,
    timing: &mut Timing,
) -> Result<Explained, CommandFailure> {
    check_agreement(session)?;
    let witnesses: Vec<WordWitness> = (session.witnesses(&language, args.witnesses).into_iter())
        .map(|witness| shrunk(session, witness, budget))
        .collect();
    timing.phase("witnesses");
    check_agreement(session)?;
    let mut doubts = session.doubts(&language.bounds);
    let has_words = language.stopped.is_none() && !language.shown.is_empty();
    let mut may_fault = false;
    let fault = match session.fault(&language.bounds) {
        Some(Ok(fault)) => Some(fault),
        // The words are those of runs up to a fault, whether or not there is one.
        Some(Err(ModelDoubt::Unsettled(_))) if has_words => {
            may_fault = true;
            None
        }
        Some(Err(doubt)) => {
            doubts.push(doubt);
            None
        }
        None => None,
    };
    warnings.extend(rounds::cut_warning(session));
    if let Some(fault) = &fault {
        warnings.push(show::fault_warning(session.program(), fault));
    }
    if language.stopped.is_none() && !args.program && !language.shown.is_empty() {
        attack(args, session, &language, &mut warnings, budget)?;
        timing.phase("attack");
    }
    let relevance = if args.relevance {
        relevance::of(session, &language, &witnesses, budget)
    } else {
        Vec::new()
    };
    if args.relevance {
        timing.phase("relevance");
    }
    let chosen = match language.stopped {
        None => claim::chosen(
            session.program(),
            &options.properties,
            (&args.input, &args.common),
            budget,
        ),
        Some(_) => Vec::new(),
    };
    timing.phase("conventions");
    Ok(Explained {
        relevance,
        chosen,
        language,
        witnesses,
        doubts,
        fault,
        may_fault,
        search,
        hides_nothing,
        warnings,
    })
}

/// Tries to refute the language by running: a failing run that it lacks is our bug if it lies within the
/// bounds, and news if it lies beyond.
fn attack(
    args: &ExplainArgs,
    session: &mut Session<'_>,
    language: &LearnedLanguage,
    warnings: &mut Vec<String>,
    budget: &Budget,
) -> Result<(), CommandFailure> {
    let Some((replay, is_within)) = session.attack(language, args.common.seed, bounds::ATTACKS)
    else {
        return Ok(());
    };
    let replay = session.replay(&small::small_inputs(session, &replay, budget));
    let alphabet = session.vocabulary().alphabet();
    let word = alphabet.show(&replay.word);
    let command = run_show::reproduce(&args.input, replay.inputs());
    if is_within {
        return Err(CommandFailure::Disagreement {
            symbolic: format!("no run has the word `{word}`"),
            concrete: format!("`{command}` has it"),
            reproducer: None,
        });
    }
    warnings.push(format!(
        "beyond the bounds a run fails with another word, `{word}`: {command}"
    ));
    Ok(())
}

/// A session about the assertion that is meant.
fn open<'a>(
    args: &ExplainArgs,
    program: &Arc<Program>,
    calls: &CallGraph,
    options: &Options,
    budget: &'a Budget,
) -> Result<Result<Session<'a>, StopReason>, CommandFailure> {
    let target = if args.program {
        LanguageTarget::Program
    } else {
        input::errors(program, options, args.assertion.as_deref())?
    };
    let session = session_of(
        program,
        calls,
        &target,
        &args.learning.choice(),
        options,
        budget,
    )?;
    let mut session = match session {
        Ok(session) => session,
        Err(reason) => return Ok(Err(reason)),
    };
    if !args.program && args.assertion.is_none() {
        let chosen = input::choose_assertion(&mut session, program, options)?;
        if let Some(target) = chosen {
            return session_of(
                program,
                calls,
                &target,
                &args.learning.choice(),
                options,
                budget,
            );
        }
    }
    Ok(Ok(session))
}

fn one_word(
    args: &ExplainArgs,
    session: &mut Session<'_>,
    budget: &Budget,
    text: &str,
    warnings: &[String],
    timing: &mut Timing,
) -> Result<Exit, CommandFailure> {
    let word = session
        .vocabulary()
        .read_word(text)
        .map_err(|unknown| input::unknown_event(&unknown))?;
    let answer = match session.ask_word(&word) {
        Ok(WordAnswer::Member(witness)) => {
            let small = shrunk(session, *witness, budget);
            Ok(WordAnswer::Member(Box::new(small)))
        }
        other => other,
    };
    timing.phase("solve");
    check_agreement(session)?;
    if let (Some(folder), Ok(WordAnswer::Member(witness))) = (&args.harness, &answer) {
        write_harness(args, session, folder, 1, witness)?;
    }
    if args.common.json {
        output::print_json(&show::word_json(
            args, session, &word, &answer, warnings, timing,
        ))
    } else {
        output::print(&show::word_text(args, session, &word, &answer))
    }
    let said = show::word_conclusion(args, session, &word, &answer);
    Ok(args.common.exit(&said))
}

/// Where the learner is. `whose` comes before it, if there are several programs.
pub fn show_learning(
    progress: &ProgressLine,
    whose: &str,
    now: &idiolect_explain::LearningProgress,
) {
    let asked = now.statistics.membership_queries;
    progress.count_and_say(asked, None, "queries", || {
        let by = now.statistics.answered_by;
        format!(
            "{whose}bound {}, words up to {}: {}; {} queries ({} shape, {} cfg, {} cache, {} core, \
             {} guess, {} solver), {} solver calls, {} conflicts",
            now.unwind,
            now.word_length,
            counted(now.states as u64, "state"),
            HumanCount(asked),
            by.shape,
            by.cfg,
            by.cache,
            by.core,
            by.guess,
            by.solver,
            now.statistics.solver_calls,
            now.statistics.conflicts,
        )
    });
}

/// Two engines that disagree are our bug.
pub fn check_agreement(session: &Session<'_>) -> Result<(), CommandFailure> {
    let Some(found) = session.disagreement() else {
        return Ok(());
    };
    let alphabet = session.vocabulary().alphabet();
    let promised = match &found.word {
        Some(word) => format!("a run with the word `{}`", alphabet.show(word)),
        None => "a run of the language".to_owned(),
    };
    let inputs: Vec<String> = found.inputs.iter().map(u128::to_string).collect();
    Err(CommandFailure::Disagreement {
        symbolic: promised,
        concrete: format!(
            "`{}` and {:?} on inputs {}",
            alphabet.show(&found.replay.word),
            found.replay.outcome.end,
            inputs.join(",")
        ),
        reproducer: None,
    })
}

fn write_files(
    args: &ExplainArgs,
    session: &Session<'_>,
    explained: &Explained,
) -> Result<(), CommandFailure> {
    if let Some(path) = &args.dot {
        output::write_whole(path, show::dot(session, explained).as_bytes())?;
    }
    if let Some(folder) = &args.harness {
        for (i, witness) in explained.witnesses.iter().enumerate() {
            write_harness(args, session, folder, i + 1, witness)?;
        }
    }
    Ok(())
}

fn write_harness(
    args: &ExplainArgs,
    session: &Session<'_>,
    folder: &Path,
    number: usize,
    witness: &WordWitness,
) -> Result<(), CommandFailure> {
    std::fs::create_dir_all(folder).map_err(|source| CommandFailure::CannotWrite {
        path: folder.to_owned(),
        source,
    })?;
    let path = folder.join(format!("witness-{number}.c"));
    let inputs = witness.replay.inputs();
    let text = harness::write(session.program(), inputs, &args.input, &path);
    output::write_whole(&path, text.as_bytes())
}

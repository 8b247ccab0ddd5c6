//! A language as text, JSON, DOT and a page.

use super::{ExplainArgs, Explained, rounds};
use crate::claim;
use crate::ends as run_show;
use crate::looks;
use crate::output::{self, Timing, counted};
use idiolect_automata::formats::json::JsonAutomaton;
use idiolect_automata::formats::{dot as dot_format, regex::Regex};
use idiolect_automata::{Alphabet, Letter, Marks, StateId, Trimmed, Word};
use idiolect_base::StopReason;
use idiolect_explain::{
    Blocked, LearnedLanguage, ModelDoubt, Promise, Reason, Session, WordAnswer, WordWitness,
};
use idiolect_ir::events::EventKind;
use idiolect_ir::{Location, Program};
use idiolect_outcome::results::{
    BlockedWord, ConditionPlace, ExplainBounds, ExplainResult, ExplainStatistics, LetterPlace,
    SourceLine, WitnessRun, WordAnswers, WordResult,
};
use idiolect_outcome::{
    Assumption, AssumptionKind, Conclusion, GuaranteeKind, Ledger, Verdict as Claim,
};
use idiolect_search::Found;
use idiolect_symex::{EndKind, EndRecord};
use serde_json::Value;
use std::fmt::Write as _;

/// What is promised.
pub fn conclusion(session: &Session<'_>, explained: &Explained) -> Conclusion {
    let program = session.program();
    let language = &explained.language;
    let is_error = session.vocabulary().assert().is_some();
    let mut ledger = claim::ledger(program);
    for doubt in &explained.doubts {
        ledger.add(claim::of_language(program, doubt));
    }
    if let Some(fault) = &explained.fault
        && let EndKind::Fault(kind) = &fault.kind
    {
        ledger.add(claim::ends_at_fault(
            program,
            &kind.to_string(),
            fault.place,
        ));
    }
    if explained.may_fault {
        ledger.add(claim::may_end_at_fault());
    }
    if let Some(reason) = language.stopped {
        ledger.stopped(reason);
        let text = format!(
            "Not finished: {reason}. The automaton agrees with everything that was asked so far, \
             which promises nothing."
        );
        return Conclusion::undecided(text, &ledger);
    }
    if is_error && language.shown.is_empty() {
        return nothing_fails(session, explained, ledger);
    }
    if !language.is_complete {
        ledger.add(bound(session, explained));
    }
    if let Some(doubt) = (explained.doubts.iter()).find(|d| !matches!(d, ModelDoubt::Bound(..))) {
        let text = format!(
            "Not certain: {}. Other runs are shown as far as they were found.",
            doubt_text(program, doubt)
        );
        // Runs that are shown have happened, whatever else there may be.
        return if is_error && !explained.witnesses.is_empty() {
            Conclusion::new(Claim::ErrorLanguage, GuaranteeKind::Replayed, text, &ledger)
        } else {
            Conclusion::undecided(text, &ledger)
        };
    }
    let kind = match session.options().promise {
        Promise::Exact => GuaranteeKind::Exact,
        Promise::Paper => GuaranteeKind::Paper,
    };
    let claim = if is_error {
        Claim::ErrorLanguage
    } else {
        Claim::ProgramLanguage
    };
    ledger.extend(explained.chosen.clone());
    Conclusion::new(claim, kind, guarantee(session, explained), &ledger)
}

/// No run within the bounds fails: what is known of the others?
fn nothing_fails(session: &Session<'_>, explained: &Explained, mut ledger: Ledger) -> Conclusion {
    let program = session.program();
    let language = &explained.language;
    let within = within(session, explained);
    let checked = claim::checked(&session.options().properties);
    if let Some(fault) = &explained.fault {
        let place = run_show::at(program, fault.place);
        let text = format!(
            "Not certain: no run fails, but some run faults at {place}, and a real machine may go \
             on there."
        );
        return Conclusion::undecided(text, &ledger);
    }
    let proved = |text: String, ledger: &Ledger| {
        let mut ledger = ledger.clone();
        ledger.extend(explained.chosen.clone());
        let conclusion = Conclusion::new(Claim::NoError, GuaranteeKind::Proved, text, &ledger);
        if conclusion.verdict == Claim::NoError {
            return conclusion;
        }
        // What the ledger does not carry is not said either.
        let text = format!("No failing run was found ({checked}), under what is assumed below.");
        Conclusion::undecided(text, &ledger)
    };
    if let (Some(Found::Error { run, .. }), true) = (&explained.search, language.is_complete) {
        let text = format!(
            "A run fails ({}, at {}), but the engine does not follow it there; see `idiolect verify`.",
            run_show::what(program, &run.outcome().end),
            run_show::end_text(program, run.outcome())
        );
        return Conclusion::undecided(text, &ledger);
    }
    if language.is_complete {
        let text = format!("No run fails ({checked}): all runs stay within {within}.");
        return proved(text, &ledger);
    }
    match &explained.search {
        Some(Found::Proved(_)) => {
            let text = format!(
                "No run fails ({checked}): the search for errors proved it, beyond {within} too."
            );
            proved(text, &ledger)
        }
        Some(Found::Error { run, .. }) => {
            ledger.add(bound(session, explained));
            let text = format!(
                "A run fails, but not within {within}: {}, at {}; see \
                 `idiolect verify`, or give larger `--max-unwind` and `--max-word-length`.",
                run_show::what(program, &run.outcome().end),
                run_show::end_text(program, run.outcome())
            );
            Conclusion::undecided(text, &ledger)
        }
        found => {
            ledger.add(bound(session, explained));
            let mut text = format!(
                "No run fails within {within}; longer runs and words were not all looked at (see \
                 `--max-unwind`, `--max-word-length`)."
            );
            if let Some(Found::Nothing {
                doubt: Some(doubt), ..
            }) = found
            {
                claim::add_doubt(&mut ledger, program, doubt);
                let _ = write!(text, " Also: {}.", claim::doubt_phrase(program, doubt));
            }
            Conclusion::new(Claim::Undecided, GuaranteeKind::Bounded, text, &ledger)
        }
    }
}

fn bound(session: &Session<'_>, explained: &Explained) -> Assumption {
    let bounds = &explained.language.bounds;
    let options = session.options();
    let (unwind, length) = if bounds.converged {
        (options.max_unwind, options.max_word_length)
    } else {
        (bounds.unwind, bounds.word_length)
    };
    let text = format!(
        "{} and words of {}",
        rounds::of_each_loop(session, unwind),
        counted(length as u64, "letter")
    );
    let text = if session.has_uncounted_rounds() {
        format!("{text}; in library functions, only rounds that depend on input count")
    } else {
        text
    };
    Assumption::new(AssumptionKind::Bound, text).with_option("--max-unwind, --max-word-length")
}

fn within(session: &Session<'_>, explained: &Explained) -> String {
    let language = &explained.language;
    format!(
        "{} and words of {}",
        rounds::of_each_loop(session, language.bounds.unwind),
        counted(
            language.bounds.word_length.min(language.checked_length) as u64,
            "letter"
        )
    )
}

/// The rounds that marks were looked at for, if there are runs beyond.
fn marks_within(session: &Session<'_>, language: &LearnedLanguage) -> Option<String> {
    let unwind = session.options().max_unwind;
    (!language.is_complete).then(|| rounds::of_each_loop(session, unwind))
}

/// What is promised of a language that is not empty, in one sentence or two.
fn guarantee(session: &Session<'_>, explained: &Explained) -> String {
    let language = &explained.language;
    let bounds = &language.bounds;
    let (fails, failing, fail) = if session.vocabulary().assert().is_some() {
        ("some run fails with it", "failing run", "fails")
    } else {
        ("some run has it", "run", "ends")
    };
    let within = within(session, explained);
    let has_no_word = session.vocabulary().assert().is_none() && language.shown.is_empty();
    let mut text = match (session.options().promise, language.strict_states) {
        _ if has_no_word => format!(
            "Up to {within}, no run comes to a normal end: each fails, is stopped, or goes beyond."
        ),
        (Promise::Exact, None) => {
            format!("Up to {within}, a word is accepted exactly if {fails}.")
        }
        (Promise::Exact, Some(n)) => format!(
            "Up to {within}, a word is accepted if {fails}, and rejected if none can; where only runs of \
             more rounds could tell, the smallest automaton decides (`--strict` rejects: {n} states)."
        ),
        (Promise::Paper, _) => format!(
            "Up to {within}, the word of a run is accepted exactly if the run {fail}; accepted \
             words without any run are possible."
        ),
    };
    let cut = explained.doubts.iter().find_map(|doubt| match doubt {
        ModelDoubt::Bound(bound, _) => Some(bound),
        _ => None,
    });
    if let Some(bound) = cut {
        let _ = write!(
            text,
            " Runs beyond other bounds were not looked at: {bound}."
        );
    }
    if language.is_complete {
        if cut.is_none() {
            let _ = write!(text, " No {failing} goes beyond.");
        }
    } else if bounds.converged {
        let options = session.options();
        let most = rounds::counted_rounds(options.max_unwind);
        let letters = counted(options.max_word_length as u64, "letter");
        let _ = if explained.hides_nothing {
            write!(text, " No {failing} has another word, however long it is")
        } else {
            write!(
                text,
                " No {failing} of up to {most} and {letters} has another word"
            )
        };
        // Beyond the bounds nobody looked for runs: where one of more rounds could have the word, it stays.
        if language.is_tight {
            let _ = write!(
                text,
                ", and every accepted word of up to {letters} has one of up to {most} or may have one of more"
            );
        }
        text.push('.');
    } else {
        text.push_str(" Beyond that, nothing is promised.");
    }
    text
}

fn doubt_text(program: &Program, doubt: &ModelDoubt) -> String {
    match doubt {
        ModelDoubt::Trap(construct, place) => format!(
            "runs come to C that is not modelled: {construct}, at {}",
            run_show::at(program, *place)
        ),
        ModelDoubt::Bound(bound, place) => {
            format!(
                "runs go beyond a bound: {bound}, at {}",
                run_show::at(program, *place)
            )
        }
        ModelDoubt::Approximate => {
            "some words depend on a value that is not modelled exactly".to_owned()
        }
        ModelDoubt::UnconfirmedFault(place) => format!(
            "runs are cut at {} by a fault of the symbolic engine that the run itself does not have",
            run_show::at(program, *place)
        ),
        ModelDoubt::Unsettled(reason) => {
            format!(
                "whether runs go beyond a bound, have a fault or come to C that is not modelled was not settled ({reason})"
            )
        }
    }
}

/// Says that runs end with a fault.
pub fn fault_warning(program: &Program, end: &EndRecord) -> String {
    let what = match &end.kind {
        EndKind::Fault(kind) => kind.to_string(),
        _ => "a fault".to_owned(),
    };
    format!(
        "{}: {what} is possible and ends the run there; see `idiolect verify --property memory,division`",
        run_show::at(program, end.place)
    )
}

/// The automaton with its doomed states.
pub fn automaton_json(shown: &Trimmed, doomed: &[bool], alphabet: &Alphabet) -> Value {
    let marks = marks(shown, doomed);
    let automaton = JsonAutomaton::from_trimmed(shown, alphabet, Some(&marks));
    serde_json::to_value(automaton).unwrap_or(Value::Null)
}

fn marks(shown: &Trimmed, doomed: &[bool]) -> Marks {
    Marks {
        dominating: shown.dominating_letters(),
        doomed: doomed.to_vec(),
    }
}

/// As Graphviz reads it, coloured by relevance.
pub fn dot(session: &Session<'_>, explained: &Explained) -> String {
    let language = &explained.language;
    let alphabet = session.vocabulary().alphabet();
    let marks = marks(&language.shown, &language.doomed);
    let share = |from: StateId, letter: Letter| {
        let mut edges = explained.relevance.iter();
        edges.find(|e| e.0 == (from, letter)).map(|e| e.1)
    };
    dot_format::write_colored(&language.shown, alphabet, Some(&marks), share)
}

fn names(alphabet: &Alphabet, word: &[Letter]) -> Vec<String> {
    word.iter().map(|&a| alphabet.name(a).to_owned()).collect()
}

/// The letters with their places in the source.
fn letters(session: &Session<'_>) -> Vec<LetterPlace> {
    let vocabulary = session.vocabulary();
    let kind = |letter: Letter| match vocabulary.events().get(letter.index()).map(|e| e.kind) {
        Some(EventKind::Call) => "call",
        Some(EventKind::Branch) => "branch",
        Some(EventKind::Label) => "label",
        Some(EventKind::Mark) => "mark",
        Some(EventKind::Predicate) => "predicate",
        None => "assert",
    };
    let alphabet = vocabulary.alphabet();
    alphabet
        .letters()
        .map(|letter| {
            let place = vocabulary.place(session.program(), letter);
            LetterPlace {
                name: alphabet.name(letter).to_owned(),
                kind: kind(letter),
                at: SourceLine {
                    line: place.as_ref().map(|p| p.line),
                    file: place.map(|p| p.file),
                },
            }
        })
        .collect()
}

/// A run that has a word.
pub fn witness_run(program: &Program, alphabet: &Alphabet, witness: &WordWitness) -> WitnessRun {
    WitnessRun {
        run: run_show::failed_run(program, &witness.replay.outcome, &witness.recorder),
        word: names(alphabet, &witness.word),
    }
}

fn statistics(session: &Session<'_>) -> ExplainStatistics {
    let statistics = session.statistics();
    let by = statistics.answered_by;
    ExplainStatistics {
        membership_queries: statistics.membership_queries,
        answered_by: WordAnswers {
            shape: by.shape,
            cfg: by.cfg,
            cache: by.cache,
            core: by.core,
            guess: by.guess,
            solver: by.solver,
        },
        wrong_guesses: statistics.wrong_guesses,
        fixes: statistics.fixes,
        fix_calls: statistics.fix_calls,
        conjectures: statistics.conjectures,
        solver_calls: statistics.solver_calls,
        conflicts: statistics.conflicts,
        terms: statistics.terms,
        encodings: statistics.encodings,
    }
}

/// The outcome as JSON.
pub fn json(
    args: &ExplainArgs,
    session: &Session<'_>,
    explained: &Explained,
    timing: &Timing,
) -> Value {
    output::answer_json(
        "explain",
        &conclusion(session, explained),
        statistics(session),
        &explained.warnings,
        (!args.common.no_timing).then_some(timing),
        result(session, explained),
    )
}

fn result(session: &Session<'_>, explained: &Explained) -> ExplainResult {
    let language = &explained.language;
    let alphabet = session.vocabulary().alphabet();
    let mut automaton = automaton_json(&language.shown, &language.doomed, alphabet);
    for (i, (from, letter, _)) in language.shown.edges().enumerate() {
        let mut known = explained.relevance.iter();
        if let Some((_, share)) = known.find(|e| e.0 == (from, letter)) {
            automaton["transitions"][i]["relevance"] = (*share).into();
        }
    }
    let witnesses = explained.witnesses.iter();
    ExplainResult {
        automaton,
        language: regex(&language.shown, alphabet),
        letters: letters(session),
        bounds: ExplainBounds {
            unwind: language.bounds.unwind,
            strict_states: language.strict_states,
            marks_within: marks_within(session, language),
            loops: rounds::rows(session, language.bounds.unwind),
            word_length: language.bounds.word_length,
            converged: language.bounds.converged,
            complete: language.is_complete,
            checked_length: language.checked_length,
        },
        learner: session.options().learner.name(),
        witnesses: witnesses
            .map(|w| witness_run(session.program(), alphabet, w))
            .collect(),
    }
}

fn regex(shown: &Trimmed, alphabet: &Alphabet) -> Option<String> {
    Regex::from_dfa(&shown.complete(), 120).map(|regex| regex.show(alphabet))
}

/// The outcome in words.
pub fn text(args: &ExplainArgs, session: &Session<'_>, explained: &Explained) -> String {
    let language = &explained.language;
    let alphabet = session.vocabulary().alphabet();
    let mut text = looks::conclusion(&conclusion(session, explained));
    if let Some(witness) = explained.witnesses.first().filter(|w| w.replay.is_wanted)
        && session.vocabulary().assert().is_some()
    {
        let program = session.program();
        let outcome = &witness.replay.outcome;
        let _ = writeln!(
            text,
            "{}, at {}",
            run_show::what(program, &outcome.end),
            run_show::end_text(program, outcome)
        );
    }
    if !language.shown.is_empty() {
        if let Some(regex) = regex(&language.shown, alphabet) {
            let _ = writeln!(text, "language: {regex}");
        }
        text.push_str(&automaton_text(
            &language.shown,
            &language.doomed,
            alphabet,
            marks_within(session, language).as_deref(),
            args.common.verbose,
        ));
    }
    for (i, witness) in explained.witnesses.iter().enumerate() {
        if i == 0 {
            text.push_str("runs, each replayed:\n");
        }
        let command = run_show::reproduce(&args.input, witness.replay.inputs());
        let word = alphabet.show(&witness.word);
        let _ = writeln!(text, "  {word}\n      {command} --trace");
    }
    let statistics = session.statistics();
    let by = statistics.answered_by;
    if !args.common.quiet {
        let _ = writeln!(
            text,
            "{} (shape {}, control flow {}, cache {}, core {}, guess {}, solver {}), {}, {}",
            counted(statistics.membership_queries, "membership query"),
            by.shape,
            by.cfg,
            by.cache,
            by.core,
            by.guess,
            by.solver,
            counted(statistics.conjectures, "conjecture"),
            counted(statistics.solver_calls, "solver call")
        );
    }
    for warning in &explained.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    if let Some(folder) = &args.harness
        && let Some(witness) = explained.witnesses.first()
    {
        let path = folder.join("witness-1.c");
        let inputs = witness.replay.inputs();
        let command = crate::harness::command(session.program(), inputs, &args.input, &path);
        let _ = writeln!(text, "harness: {command}");
    }
    if let Some(path) = &args.report {
        let _ = writeln!(text, "report: {}", crate::drawing::link(path));
    }
    text
}

/// Automata of more states are for the report.
const MOST_STATES: usize = 24;

/// One line per state: its marks, and where each letter leads.
///
/// What the marks say holds `within` bounds, if not of all runs.
pub fn automaton_text(
    shown: &Trimmed,
    doomed: &[bool],
    alphabet: &Alphabet,
    within: Option<&str>,
    all: bool,
) -> String {
    let mut text = String::new();
    let marks = marks(shown, doomed);
    let n_edges = shown.edges().count();
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let n_states = shown.n_states();
    let _ = writeln!(
        text,
        "{n_states} state{}, {n_edges} transition{}",
        plural(n_states),
        plural(n_edges)
    );
    if shown.n_states() > MOST_STATES && !all {
        text.push_str("-v lists them; --report draws them\n");
        return text;
    }
    for state in shown.states() {
        let start = if state == shown.initial() { "->" } else { "  " };
        let accepts = if shown.is_accepting(state) {
            " (accepts)"
        } else {
            ""
        };
        let doomed = if marks.doomed[state.index()] && !shown.is_accepting(state) {
            " ⊘"
        } else {
            ""
        };
        let _ = write!(text, "{start} q{}{accepts}{doomed}", state.index());
        for (from, letter, to) in shown.edges().filter(|e| e.0 == state) {
            let _ = from;
            let diamond = if marks.dominating[letter.index()] {
                "◆"
            } else {
                ""
            };
            let _ = write!(
                text,
                "   {diamond}{} -> q{}",
                alphabet.name(letter),
                to.index()
            );
        }
        text.push('\n');
    }
    let is_marked = marks.dominating.contains(&true);
    let is_doomed = shown
        .states()
        .any(|q| marks.doomed[q.index()] && !shown.is_accepting(q));
    let legend = match (is_marked, is_doomed) {
        (true, true) => "◆ in every word   ⊘ from here on failure is certain",
        (true, false) => "◆ in every word",
        (false, true) => "⊘ from here on failure is certain",
        (false, false) => return text,
    };
    text.push_str(legend);
    if let Some(within) = within {
        let _ = write!(text, " (within {within})");
    }
    text.push('\n');
    text
}

/// The letter at which the word is blocked; none if it is the end.
fn blocked_letter(word: &[Letter], blocked: &Blocked) -> Option<Letter> {
    word.get(blocked.position).copied()
}

fn condition_places(program: &Program, places: &[Location]) -> Vec<(String, u32, String)> {
    let mut list = Vec::new();
    for place in places {
        if let Some(at) = place.place(program) {
            let text = program.sources.statement_text(place.span(program));
            let entry = (at.file, at.line, text);
            if !list.contains(&entry) {
                list.push(entry);
            }
        }
    }
    list
}

/// What is promised of one word.
pub fn word_conclusion(
    args: &ExplainArgs,
    session: &Session<'_>,
    word: &Word,
    answer: &Result<WordAnswer, StopReason>,
) -> Conclusion {
    let ledger = claim::ledger(session.program());
    let text = word_sentence(session, word, answer);
    let (claim, kind) = match (answer, args.program) {
        (Err(_), _) => return Conclusion::undecided(text, &ledger),
        // Of a program's own words a member is no finding.
        (Ok(WordAnswer::Member(_)), true) => (Claim::ProgramLanguage, GuaranteeKind::Exact),
        (Ok(WordAnswer::Member(_)), false) => (Claim::ErrorLanguage, GuaranteeKind::Replayed),
        (Ok(WordAnswer::NotMember(_)), _) => (Claim::NotMember, GuaranteeKind::Exact),
    };
    Conclusion::new(claim, kind, text, &ledger)
}

/// What is said of one word, as JSON.
pub fn word_json(
    args: &ExplainArgs,
    session: &Session<'_>,
    word: &Word,
    answer: &Result<WordAnswer, StopReason>,
    warnings: &[String],
    timing: &Timing,
) -> Value {
    let alphabet = session.vocabulary().alphabet();
    let result = WordResult {
        word: names(alphabet, word),
        member: match answer {
            Ok(WordAnswer::Member(_)) => Some(true),
            Ok(WordAnswer::NotMember(_)) => Some(false),
            Err(_) => None,
        },
        blocked: match answer {
            Ok(WordAnswer::NotMember(blocked)) => Some(blocked_word(session, word, blocked)),
            _ => None,
        },
        witnesses: match answer {
            Ok(WordAnswer::Member(witness)) => {
                vec![witness_run(session.program(), alphabet, witness)]
            }
            _ => Vec::new(),
        },
    };
    output::answer_json(
        "explain",
        &word_conclusion(args, session, word, answer),
        statistics(session),
        warnings,
        (!args.common.no_timing).then_some(timing),
        result,
    )
}

fn blocked_word(session: &Session<'_>, word: &Word, blocked: &Blocked) -> BlockedWord {
    let alphabet = session.vocabulary().alphabet();
    let (reason, places) = match &blocked.why {
        Reason::Shape => ("shape", Vec::new()),
        Reason::ControlFlow => ("cfg", Vec::new()),
        Reason::Conditions(places) => ("conditions", condition_places(session.program(), places)),
        Reason::Bound => ("bound", Vec::new()),
        Reason::Data => ("data", Vec::new()),
    };
    BlockedWord {
        position: blocked.position,
        letter: blocked_letter(word, blocked).map(|a| alphabet.name(a).to_owned()),
        reason,
        conditions: places
            .into_iter()
            .map(|(file, line, text)| ConditionPlace { file, line, text })
            .collect(),
    }
}

fn word_sentence(
    session: &Session<'_>,
    word: &Word,
    answer: &Result<WordAnswer, StopReason>,
) -> String {
    let alphabet = session.vocabulary().alphabet();
    let shown = alphabet.show(word);
    match answer {
        Err(reason) => format!("Not finished: {reason}."),
        Ok(WordAnswer::Member(_)) => format!("`{shown}` is a word: this run has it."),
        Ok(WordAnswer::NotMember(blocked)) => {
            let letter = match blocked_letter(word, blocked) {
                Some(letter) => format!(
                    "`{}`, letter {}",
                    alphabet.name(letter),
                    blocked.position + 1
                ),
                None => "its end".to_owned(),
            };
            format!(
                "`{shown}` is no word of a run with at most {}: it is blocked at {letter}.",
                rounds::of_each_loop(session, session.options().max_unwind)
            )
        }
    }
}

/// What is said of one word.
pub fn word_text(
    args: &ExplainArgs,
    session: &Session<'_>,
    word: &Word,
    answer: &Result<WordAnswer, StopReason>,
) -> String {
    let mut text = word_sentence(session, word, answer) + "\n";
    match answer {
        Ok(WordAnswer::Member(witness)) => {
            let inputs = witness.replay.inputs();
            if !inputs.is_empty() {
                let shown = run_show::inputs_text(session.program(), inputs);
                let _ = writeln!(text, "inputs: {shown}");
            }
            let command = run_show::reproduce(&args.input, inputs);
            let _ = writeln!(text, "see it: {command} --trace");
        }
        Ok(WordAnswer::NotMember(blocked)) => {
            let why = match &blocked.why {
                Reason::Shape => {
                    "words of errors end with `assert`, which they have once".to_owned()
                }
                Reason::ControlFlow => "no path of the control-flow graph goes on like this".into(),
                Reason::Bound => {
                    "only runs with more rounds of a loop may have it; see --unwind".into()
                }
                Reason::Data => "what the program computes excludes it".into(),
                Reason::Conditions(_) => "these conditions cannot all come out as needed:".into(),
            };
            let _ = writeln!(text, "why: {why}");
            if let Reason::Conditions(places) = &blocked.why {
                for (file, line, statement) in condition_places(session.program(), places) {
                    let _ = writeln!(text, "  {file}:{line}  {statement}");
                }
            }
        }
        Err(_) => {}
    }
    text
}

//! Bounds that start from a failing run: its rounds of each loop, and the letters of its word.

use idiolect_base::Budget;
use idiolect_explain::{LearnedLanguage, Options, Session};
use idiolect_ir::Program;
use idiolect_search::attack;
use idiolect_symex::UnwindSite;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bounds never grow beyond these by themselves, where nothing else fails.
const MOST_ROUNDS: usize = 512;
const MOST_LETTERS: usize = 600;
/// Random runs that attack a language.
pub const ATTACKS: u64 = 300;
/// A random run makes bounds larger up to these, as long as there may be a shorter one that fails.
const MOST_MORE_ROUNDS: usize = 16;
const MOST_MORE_LETTERS: usize = 32;
/// And only if what was learned so far has cost no more than this, in conflicts and terms.
const MOST_CONFLICTS: u64 = 2_000;
const MOST_TERMS: u64 = 60_000;
/// How often bounds are made larger, before anything is learned and after.
pub const MOST_TIMES: usize = 3;
/// Steps of all runs that look for a first error and make it small.
const FIRST_STEPS: u64 = 2_000_000;

/// Where growing bounds begin.
enum Begin {
    /// As they are: nobody knows of an error.
    Anywhere,
    /// At so many rounds and letters.
    Here((usize, usize)),
    /// The run does not fit into what was encoded; these bounds hold it.
    Beyond(Options),
}

/// The inputs of a failing run that a few runs find, made small.
pub fn quick_error(
    program: &Arc<Program>,
    options: &Options,
    seed: u64,
    budget: &Budget,
) -> Option<Vec<u128>> {
    let own = budget.share(FIRST_STEPS);
    attack(program, &options.properties, seed, &own).map(|run| run.bits())
}

/// Begins with a failing run; larger bounds, if what was encoded does not hold it.
pub fn begin(session: &mut Session<'_>, options: &Options, inputs: &[u128]) -> Option<Options> {
    match beginning(session, options, inputs) {
        Begin::Here((rounds, letters)) => session.begin_at(rounds, letters),
        Begin::Beyond(larger) => return Some(larger),
        Begin::Anywhere => {}
    }
    None
}

/// What the bounds of the first language are.
fn beginning(session: &Session<'_>, options: &Options, inputs: &[u128]) -> Begin {
    let replay = session.replay(inputs);
    if !replay.is_wanted || replay.word.len() > MOST_LETTERS {
        return Begin::Anywhere;
    }
    let rounds = session.rounds_of(inputs);
    let beyond = beyond(session, options, &rounds);
    if replay.word.len() > options.max_word_length || !beyond.is_empty() {
        if is_much(replay.word.len(), &beyond) {
            return Begin::Anywhere;
        }
        return match larger(session, options, inputs) {
            Some(larger) => Begin::Beyond(larger),
            None => Begin::Anywhere,
        };
    }
    // Loops with a bound of their own have it from the beginning.
    let own = session.loops_beyond(options.max_unwind);
    let most = (rounds.iter())
        .filter(|(site, _)| !own.iter().any(|l| l.site == **site))
        .map(|(_, n)| *n);
    Begin::Here((most.max().unwrap_or(0), replay.word.len()))
}

/// The rounds of loops that have more than their bound.
fn beyond(
    session: &Session<'_>,
    options: &Options,
    rounds: &BTreeMap<UnwindSite, usize>,
) -> Vec<usize> {
    let own = session.loops_beyond(options.max_unwind);
    let limit = |site: &UnwindSite| {
        let own = own.iter().find(|l| l.site == *site);
        own.map_or(options.max_unwind, |l| l.rounds)
    };
    let list = rounds.iter().filter(|(site, n)| **n > limit(site));
    list.map(|(_, n)| *n).collect()
}

fn is_much(letters: usize, rounds: &[usize]) -> bool {
    letters > MOST_MORE_LETTERS || rounds.iter().any(|&n| n > MOST_MORE_ROUNDS)
}

/// Bounds that hold a failing run of which the language lacks the word, if random runs show one that is not much
/// longer.
fn lacking(
    session: &mut Session<'_>,
    language: &LearnedLanguage,
    options: &Options,
    seed: u64,
) -> Option<Options> {
    if language.shown.is_empty() || language.is_complete {
        return None;
    }
    if has_cost_much(session) {
        return None;
    }
    let (run, is_within) = session.attack(language, seed, ATTACKS)?;
    let inputs: Vec<u128> = run.inputs().iter().map(|input| input.bits).collect();
    // Within the bounds it is our bug, and said later.
    let beyond = beyond(session, options, &session.rounds_of(&inputs));
    if is_within || is_much(run.word.len(), &beyond) {
        return None;
    }
    let larger = larger(session, options, &inputs)?;
    (larger.max_unwind == options.max_unwind).then_some(larger)
}

fn has_cost_much(session: &Session<'_>) -> bool {
    let statistics = session.statistics();
    statistics.conflicts > MOST_CONFLICTS || statistics.terms > MOST_TERMS
}

/// The bounds that come next.
pub enum NextBounds {
    /// These hold a run that the language lacks.
    Larger(Options),
    /// Twice those that may hide a word, of loops or of letters.
    Twice(Options),
    /// None: the language has the words of all runs.
    Enough,
    /// Nobody knows whether something is hidden, or it is behind other bounds.
    Unknown,
}

/// What is learned next: whether a run that is lacked may say so, and whether bounds may be doubled.
pub fn next(
    session: &mut Session<'_>,
    language: &LearnedLanguage,
    options: &Options,
    (may_follow, may_double, seed): (bool, bool, u64),
) -> NextBounds {
    if may_follow && let Some(larger) = lacking(session, language, options, seed) {
        return NextBounds::Larger(larger);
    }
    if may_double {
        hidden(session, language, options)
    } else {
        NextBounds::Unknown
    }
}

/// Whether a bound cuts a run that may go on to a word which the language rejects.
fn hidden(session: &mut Session<'_>, language: &LearnedLanguage, options: &Options) -> NextBounds {
    let is_settled = language.bounds.converged && language.stopped.is_none();
    if !is_settled || language.is_complete || has_cost_much(session) {
        return NextBounds::Unknown;
    }
    let Ok(blame) = session.blame(&language.dfa) else {
        return NextBounds::Unknown;
    };
    if blame.is_none() {
        return NextBounds::Enough;
    }
    let own = session.loops_beyond(options.max_unwind);
    let mut larger = options.clone();
    let mut may_grow = !blame.is_other;
    for site in blame.loops {
        let now = own.iter().find(|l| l.site == site);
        let more = 2 * now.map_or(options.max_unwind, |l| l.rounds);
        may_grow &= more <= MOST_MORE_ROUNDS && session.is_users(site);
        larger.own_bounds.insert(site, more);
    }
    if blame.is_length {
        larger.max_word_length = 2 * options.max_word_length;
    }
    if may_grow && larger.max_word_length <= MOST_MORE_LETTERS {
        NextBounds::Twice(larger)
    } else {
        NextBounds::Unknown
    }
}

/// Bounds that hold a failing run that was found: its word, and its rounds of each loop. If they were not
/// enough, those of all loops grow.
pub fn larger(session: &Session<'_>, options: &Options, inputs: &[u128]) -> Option<Options> {
    let replay = session.replay(inputs);
    if !replay.is_wanted || replay.word.len() > MOST_LETTERS || options.max_unwind >= MOST_ROUNDS {
        return None;
    }
    let mut larger = options.clone();
    larger.max_word_length = options.max_word_length.max(replay.word.len());
    for (site, rounds) in session.rounds_of(inputs) {
        let has_enough = (options.own_bounds.get(&site)).is_some_and(|&own| own >= rounds);
        if rounds > options.max_unwind && rounds <= MOST_ROUNDS && !has_enough {
            larger.own_bounds.insert(site, rounds);
        }
    }
    if larger == *options {
        larger.max_unwind = (4 * options.max_unwind).clamp(4, MOST_ROUNDS);
        larger.first_unwind = larger.max_unwind;
    }
    Some(larger)
}

//! `--relevance`: which part of what happens on an edge matters for the failure.
//!
//! Every witness is localized. What it assigns between two of its events belongs to the edge of the
//! later one; an edge's share is taken over all witnesses that go along it.

use idiolect_automata::{Letter, StateId};
use idiolect_base::Budget;
use idiolect_explain::{LearnedLanguage, Session, WordWitness};
use idiolect_ir::events::EventSite;
use idiolect_localize::{LocalizeConfig, decide_run, follow};
use std::collections::BTreeMap;

/// For each edge of the automaton, the share of relevant assignments among those on it, over all witnesses.
pub fn of(
    session: &Session<'_>,
    language: &LearnedLanguage,
    witnesses: &[WordWitness],
    budget: &Budget,
) -> Vec<((StateId, Letter), f64)> {
    let mut letters: BTreeMap<EventSite, Letter> = BTreeMap::new();
    for (i, event) in session.vocabulary().events().iter().enumerate() {
        letters.extend(event.sites.iter().map(|&site| (site, Letter::new(i))));
    }
    let config = LocalizeConfig {
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        ..LocalizeConfig::default()
    };
    let mut counts: BTreeMap<(StateId, Letter), (usize, usize)> = BTreeMap::new();
    for witness in witnesses {
        let inputs: Vec<u128> = witness.replay.inputs().iter().map(|i| i.bits).collect();
        let properties = &session.options().properties;
        // A run that cannot be followed says nothing about its edges.
        let Ok(trace) = follow(session.program(), properties, &inputs, budget) else {
            continue;
        };
        let decided = decide_run(&trace, &config, budget);
        let between = decided.between(&trace, |site| letters.contains_key(&site));
        // The last letter is the failing assertion.
        if between.len() != witness.word.len() {
            continue;
        }
        let mut at = language.shown.initial();
        for (&letter, (relevant, all)) in witness.word.iter().zip(between) {
            let own = counts.entry((at, letter)).or_default();
            own.0 += relevant;
            own.1 += all;
            match language.shown.step(at, letter) {
                Some(next) => at = next,
                None => break,
            }
        }
    }
    let share = |(relevant, all): (usize, usize)| relevant as f64 / all as f64;
    let known = counts.into_iter().filter(|c| c.1.1 > 0);
    known.map(|(edge, count)| (edge, share(count))).collect()
}

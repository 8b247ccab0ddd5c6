//! The rules of a kind as one automaton: what an object of this kind may go through, from birth to
//! the end of the run. A missing transition breaks a rule; an end of the run is only right in an
//! accepting state.

use super::{LifeRules, Template};
use crate::core::for_reading;
use crate::vocabulary::{ApiVocabulary, AttributeId, KindId};
use idiolect_automata::{Alphabet, Letter, Nfa, StateId};
use std::collections::BTreeMap;

/// The automaton of a kind, over letters such as `close.fd`; `*` is any call that no rule mentions.
#[derive(Clone, Debug)]
pub struct LifeAutomaton {
    pub kind: KindId,
    pub alphabet: Alphabet,
    pub automaton: Nfa,
}

/// The letter of all other calls on an object.
const OTHERS: &str = "*";

/// More states are not built: nobody reads them.
const MOST_STATES: usize = 2000;

/// What the rules remember of a life.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Memory {
    pub(super) phase: Phase,
    birth: Option<AttributeId>,
    /// Letters that some rule asks about.
    seen: Vec<AttributeId>,
    /// Rules of which the first letter waits for the second.
    open: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Phase {
    #[default]
    Unborn,
    Alive,
    Ended,
    /// It belongs to another object.
    HandedOver,
}

/// What comes of a call.
pub(super) enum Stepped {
    To(Memory),
    /// The number of a rule.
    Breaks(usize),
    /// The call makes another object of the same name.
    Another,
}

/// The automaton of a kind. Objects whose making was not seen begin anywhere, as they do in a check.
/// `None` if no rule is about the kind, or there would be too many states.
pub fn life_automaton(
    vocabulary: &ApiVocabulary,
    rules: &LifeRules,
    kind: KindId,
) -> Option<LifeAutomaton> {
    rules.of_kind(kind).next()?;
    let mut alphabet = Alphabet::default();
    let mut named: Vec<(AttributeId, Letter)> = Vec::new();
    for letter in (0..vocabulary.n_attributes()).map(AttributeId::new) {
        if vocabulary.kind(letter) != kind || vocabulary.like(letter) != letter {
            continue;
        }
        let mut own = rules.of_kind(kind);
        let is_mentioned = own.any(|r| [r.birth, r.a, r.b].contains(&Some(letter)));
        if is_mentioned || vocabulary.ends(letter) || vocabulary.hands_over(letter) {
            named.push((letter, alphabet.intern(&vocabulary.full_name(letter))));
        } else if !vocabulary.creates(letter) && alphabet.letter(OTHERS).is_none() {
            // No rule tells these apart, so the first of them stands for all.
            named.push((letter, alphabet.intern(OTHERS)));
        }
    }
    let mut nfa = Nfa::new(alphabet.len());
    let mut known: BTreeMap<Memory, StateId> = BTreeMap::new();
    let start = Memory::default();
    let first = nfa.add_state(true);
    nfa.add_initial(first);
    known.insert(start.clone(), first);
    let mut worklist = vec![start];
    let mut edges = Vec::new();
    while let Some(memory) = worklist.pop() {
        let from = *known.get(&memory)?;
        for &(attribute, letter) in &named {
            let Stepped::To(next) = step(vocabulary, rules, kind, &memory, attribute) else {
                continue;
            };
            let to = match known.get(&next) {
                Some(to) => *to,
                None => {
                    if known.len() >= MOST_STATES {
                        return None;
                    }
                    let to = nfa.add_state(unfinished(rules, kind, &next).is_none());
                    known.insert(next.clone(), to);
                    worklist.push(next);
                    to
                }
            };
            edges.push((from, Some(letter), to));
        }
    }
    nfa.add_transitions(edges);
    Some(LifeAutomaton {
        kind,
        alphabet,
        automaton: for_reading(&nfa),
    })
}

/// What is remembered after a call.
pub(super) fn step(
    vocabulary: &ApiVocabulary,
    rules: &LifeRules,
    kind: KindId,
    memory: &Memory,
    letter: AttributeId,
) -> Stepped {
    let numbered = || {
        let all = rules.rules.iter().enumerate();
        all.filter(|(_, rule)| rule.kind == kind)
    };
    let mut next = memory.clone();
    if vocabulary.creates(letter) {
        // Another object.
        if memory.phase != Phase::Unborn {
            return Stepped::Another;
        }
        next.birth = Some(letter);
    }
    if memory.phase == Phase::HandedOver {
        return Stepped::To(next);
    }
    if memory.phase == Phase::Ended {
        let mut all = numbered();
        let quiet = all.find(|(_, rule)| rule.template == Template::QuietAfterEnd);
        return match quiet {
            Some((rule, _)) => Stepped::Breaks(rule),
            None => Stepped::To(next),
        };
    }
    next.phase = if vocabulary.hands_over(letter) {
        Phase::HandedOver
    } else if vocabulary.ends(letter) {
        Phase::Ended
    } else {
        Phase::Alive
    };
    let has = |a: Option<AttributeId>| a.is_some_and(|a| memory.seen.contains(&a));
    let here = |a: Option<AttributeId>| a == Some(letter);
    let mut asked = false;
    for (number, rule) in numbered() {
        let is_open = memory.open.contains(&number);
        let breaks = match rule.template {
            Template::Alternates => here(rule.a) && is_open || here(rule.b) && !is_open,
            Template::Never => here(rule.b) && has(rule.a),
            Template::Precedes => here(rule.b) && memory.birth == rule.birth && !has(rule.a),
            Template::Once => here(rule.a) && has(rule.a),
            _ => false,
        };
        if breaks {
            return Stepped::Breaks(number);
        }
        if matches!(rule.template, Template::Alternates | Template::Completes) {
            if here(rule.a) && !is_open {
                next.open.push(number);
            }
            if here(rule.b) {
                next.open.retain(|&open| open != number);
            }
        }
        let templates = [Template::Never, Template::Precedes, Template::Once];
        asked |= here(rule.a) && templates.contains(&rule.template);
    }
    next.open.sort_unstable();
    if asked && !next.seen.contains(&letter) {
        next.seen.push(letter);
        next.seen.sort_unstable();
    }
    Stepped::To(next)
}

/// The rule that is broken if the run ends here.
pub(super) fn unfinished(rules: &LifeRules, kind: KindId, memory: &Memory) -> Option<usize> {
    let mut all = (rules.rules.iter().enumerate()).filter(|(_, rule)| rule.kind == kind);
    let broken = all.find(|(number, rule)| match rule.template {
        Template::Ends => memory.phase == Phase::Alive && memory.birth == rule.birth,
        Template::Completes => memory.phase == Phase::Alive && memory.open.contains(number),
        _ => false,
    });
    broken.map(|(number, _)| number)
}

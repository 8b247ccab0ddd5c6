//! The rules of a kind as a machine that a program can carry: small numbers for what is remembered of an object, and
//! for each call the next number, or the rule that it breaks.

use super::LifeRules;
use super::automaton::{Memory, Phase, Stepped, step, unfinished};
use crate::vocabulary::{ApiVocabulary, AttributeId, KindId};
use std::collections::BTreeMap;

/// More states are not built.
const MOST_STATES: usize = 2000;

/// What a call does to an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Next {
    State(usize),
    /// The number of the rule in [`LifeRules::rules`].
    Breaks(usize),
}

/// State 0 is that of an object that nothing is known of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LifeMachine {
    pub kind: KindId,
    /// The rule that is broken if the run ends here.
    pub at_end: Vec<Option<usize>>,
    /// For each letter (that of the call that it is like) and each state.
    pub steps: BTreeMap<AttributeId, Vec<Next>>,
}

impl LifeMachine {
    /// `None` if no rule is about the kind, or there are too many states.
    pub(crate) fn new(vocabulary: &ApiVocabulary, rules: &LifeRules, kind: KindId) -> Option<Self> {
        rules.of_kind(kind).next()?;
        let letters: Vec<AttributeId> = (0..vocabulary.n_attributes())
            .map(AttributeId::new)
            .filter(|&a| vocabulary.kind(a) == kind && vocabulary.like(a) == a)
            .collect();
        let mut known: BTreeMap<Memory, usize> = BTreeMap::new();
        let mut all: Vec<Memory> = vec![Memory::default()];
        known.insert(Memory::default(), 0);
        let mut rows: Vec<Vec<Next>> = Vec::new();
        while let Some(memory) = all.get(rows.len()).cloned() {
            let mut row = Vec::with_capacity(letters.len());
            for &letter in &letters {
                let next = match step(vocabulary, rules, kind, &memory, letter) {
                    Stepped::To(next) => next,
                    Stepped::Breaks(rule) => {
                        row.push(Next::Breaks(rule));
                        continue;
                    }
                    // It begins anew.
                    Stepped::Another => {
                        match step(vocabulary, rules, kind, &Memory::default(), letter) {
                            Stepped::To(next) => next,
                            _ => return None,
                        }
                    }
                };
                let number = *known.entry(next.clone()).or_insert_with(|| {
                    all.push(next);
                    all.len() - 1
                });
                if all.len() > MOST_STATES {
                    return None;
                }
                row.push(Next::State(number));
            }
            rows.push(row);
        }
        let at_end: Vec<Option<usize>> = (all.iter())
            .map(|memory| match memory.phase {
                Phase::Alive => unfinished(rules, kind, memory),
                _ => None,
            })
            .collect();
        Some(Self::smallest(kind, &letters, &rows, &at_end))
    }

    /// Puts states together that no calls tell apart (Moore's refinement).
    fn smallest(
        kind: KindId,
        letters: &[AttributeId],
        rows: &[Vec<Next>],
        at_end: &[Option<usize>],
    ) -> Self {
        let mut class: Vec<usize> = vec![0; rows.len()];
        let mut n_classes = 0;
        loop {
            let mut numbers: BTreeMap<(usize, Option<usize>, Vec<Next>), usize> = BTreeMap::new();
            let signature = |state: usize| {
                let row = rows[state].iter().map(|next| match next {
                    Next::State(to) => Next::State(class[*to]),
                    Next::Breaks(rule) => Next::Breaks(*rule),
                });
                (class[state], at_end[state], row.collect::<Vec<_>>())
            };
            let mut refined = Vec::with_capacity(rows.len());
            for state in 0..rows.len() {
                let fresh = numbers.len();
                refined.push(*numbers.entry(signature(state)).or_insert(fresh));
            }
            let found = numbers.len();
            class = refined;
            if found == n_classes {
                break;
            }
            n_classes = found;
        }
        let first: Vec<usize> = (0..n_classes)
            .map(|number| class.iter().position(|c| *c == number).unwrap_or(0))
            .collect();
        let steps = letters.iter().enumerate().map(|(at, &letter)| {
            let row = first.iter().map(|&state| match rows[state][at] {
                Next::State(to) => Next::State(class[to]),
                broken @ Next::Breaks(_) => broken,
            });
            (letter, row.collect())
        });
        Self {
            kind,
            at_end: first.iter().map(|&state| at_end[state]).collect(),
            steps: steps.collect(),
        }
    }
}

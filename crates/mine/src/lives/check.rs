//! Every event of every life, checked by the rules of its kind.
//!
//! An event breaks a rule only if the object says so, too, where it can: on an object of a validated
//! kind, such as a descriptor, a call that succeeds breaks nothing. A call that failed is no event of
//! a life, but it may be what breaks a rule: `send` after `shutdown` fails, and so does the second
//! `close`. An object is reported once for each line.

use super::{Life, LifeEvent, LifeRule, LifeRules, Observer, Over, Template, Tracker};
use crate::value::Value;
use crate::vocabulary::{ApiVocabulary, AttributeId, CallOutcome, Interaction, KindId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a life breaks the specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LifeBreak {
    /// The object never ends.
    Missing,
    /// The call must not come here.
    Forbidden,
    /// The run ends between two calls that belong together.
    Unfinished,
}

impl LifeBreak {
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Forbidden => "forbidden",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A call in the life of the object that broke a rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LifeStep {
    pub line: u64,
    /// `close.fd`
    pub letter: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LifeViolation {
    pub kind: LifeBreak,
    /// The line of the call that is wrong, or of the one that something is missing for.
    pub line: u64,
    /// The call there, such as `close.fd`.
    pub letter: String,
    /// Such as `descriptor 3`.
    pub object: String,
    /// What is wrong, in words.
    pub what: String,
    /// The number of the rule in [`LifeRules::rules`].
    pub rule: usize,
    /// The life up to there; `None` stands for calls that are left out.
    pub life: Vec<Option<LifeStep>>,
    /// The call that the life lacks.
    pub lacks: Option<String>,
}

/// What came of checking lives.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LifeCheck {
    pub objects: u64,
    /// Objects of kinds that some rule is about.
    pub checked: u64,
    /// Events that were checked.
    pub events: u64,
    pub violations: Vec<LifeViolation>,
}

impl LifeCheck {
    /// Adds what came of a piece of the trace that begins `lines` lines later.
    pub fn append(&mut self, next: Self, lines: u64) {
        self.objects = self.objects.saturating_add(next.objects);
        self.checked = self.checked.saturating_add(next.checked);
        self.events = self.events.saturating_add(next.events);
        let shifted = next.violations.into_iter().map(|mut violation| {
            violation.line = violation.line.saturating_add(lines);
            for step in violation.life.iter_mut().flatten() {
                step.line = step.line.saturating_add(lines);
            }
            violation
        });
        self.violations.extend(shifted);
    }
}

/// Checks runs that stream by.
#[derive(Debug)]
pub struct LifeChecker<'a> {
    tracker: Tracker<'a>,
    state: Checking<'a>,
}

impl<'a> LifeChecker<'a> {
    pub fn new(vocabulary: &'a ApiVocabulary, rules: &'a LifeRules) -> Self {
        let mut by_kind: Vec<Vec<usize>> = vec![Vec::new(); vocabulary.n_kinds()];
        for (number, rule) in rules.rules.iter().enumerate() {
            by_kind[rule.kind.index()].push(number);
        }
        Self {
            tracker: Tracker::new(vocabulary, true),
            state: Checking {
                vocabulary,
                rules,
                by_kind,
                reported: BTreeSet::new(),
                found: LifeCheck::default(),
            },
        }
    }

    pub fn add(&mut self, interaction: &Interaction) {
        self.tracker.add(interaction, &mut self.state);
    }

    /// The run is over; `is_cut` if it was stopped rather than ended.
    pub fn end_run(&mut self, is_cut: bool) {
        self.tracker.end_run(is_cut, &mut self.state);
        self.state.reported.clear();
    }

    pub fn finish(mut self) -> LifeCheck {
        self.state
            .found
            .violations
            .sort_by_key(|v| (v.line, v.rule));
        self.state.found
    }
}

#[derive(Debug)]
struct Checking<'a> {
    vocabulary: &'a ApiVocabulary,
    rules: &'a LifeRules,
    by_kind: Vec<Vec<usize>>,
    /// Objects and lines that were reported in this run.
    reported: BTreeSet<(KindId, Value, u64)>,
    found: LifeCheck,
}

impl<'a> Checking<'a> {
    /// The rules of a kind, with their numbers.
    fn rules(&self, kind: KindId) -> impl Iterator<Item = (usize, &'a LifeRule)> + use<'a> {
        let rules = self.rules;
        let numbers = self.by_kind[kind.index()].clone();
        numbers.into_iter().map(|at| (at, &rules.rules[at]))
    }

    fn name(&self, letter: AttributeId) -> String {
        self.vocabulary.full_name(letter)
    }

    fn report(&mut self, life: &Life, rule: usize, broken: Broken) {
        if !self.reported.insert((life.kind, life.value, broken.line)) {
            return;
        }
        let step = |event: LifeEvent| LifeStep {
            line: event.line,
            letter: self.vocabulary.full_name(event.attribute),
        };
        let mut steps: Vec<Option<LifeStep>> =
            life.events().into_iter().map(|e| e.map(step)).collect();
        if let Some(event) = broken.event {
            steps.push(Some(step(event)));
        }
        let kind = self.vocabulary.kind_name(life.kind);
        self.found.violations.push(LifeViolation {
            kind: broken.kind,
            line: broken.line,
            letter: self.name(broken.letter),
            object: format!("{kind} {}", life.value),
            what: broken.what,
            rule,
            life: steps,
            lacks: broken.lacks,
        });
    }

    /// Whether an object that can say so objects to the event.
    fn counts(&self, kind: KindId, event: LifeEvent) -> bool {
        let failed = event.outcome == CallOutcome::Failed;
        let succeeded = event.outcome == CallOutcome::Succeeded;
        if self.vocabulary.is_validated(kind) {
            !succeeded
        } else {
            !failed
        }
    }
}

/// What is wrong, before it is said of an object.
struct Broken {
    kind: LifeBreak,
    line: u64,
    letter: AttributeId,
    what: String,
    /// The event that is not part of the life.
    event: Option<LifeEvent>,
    lacks: Option<String>,
}

impl Observer for Checking<'_> {
    fn event(&mut self, life: &Life, event: LifeEvent) {
        self.found.events += 1;
        if self.by_kind[life.kind.index()].is_empty() || !self.counts(life.kind, event) {
            return;
        }
        let here = |letter: Option<AttributeId>| letter == Some(event.letter);
        for (number, rule) in self.rules(life.kind) {
            let a = rule.a.and_then(|a| life.find(a));
            let b = rule.b.and_then(|b| life.find(b));
            let made_so = life.birth.map(|birth| birth.event.letter) == rule.birth;
            let own = self.name(event.attribute);
            let name = |letter: Option<AttributeId>| letter.map_or(String::new(), |l| self.name(l));
            let (what, lacks) = match rule.template {
                Template::Alternates if here(rule.a) => {
                    let is_open = a.is_some_and(|a| b.is_none_or(|b| b.last < a.last));
                    let what = format!("{own} again, without {} in between", name(rule.b));
                    (is_open.then_some(what), rule.b)
                }
                Template::Alternates if here(rule.b) => {
                    let is_open = a.is_some_and(|a| b.is_none_or(|b| b.last < a.last));
                    let what = format!("{own} without {} before it", name(rule.a));
                    ((!is_open).then_some(what), rule.a)
                }
                Template::Never if here(rule.b) => {
                    let what = format!("{own} after {}", name(rule.a));
                    (a.map(|_| what), None)
                }
                Template::Precedes if here(rule.b) && made_so => {
                    let what = format!("{own} without {} before it", name(rule.a));
                    (a.is_none().then_some(what), rule.a)
                }
                Template::Once if here(rule.a) => {
                    let what = format!("{own} more than once");
                    (a.map(|_| what), None)
                }
                _ => (None, None),
            };
            if let Some(what) = what {
                let broken = Broken {
                    kind: LifeBreak::Forbidden,
                    line: event.line,
                    letter: event.attribute,
                    what,
                    event: Some(event),
                    lacks: lacks.map(|l| self.name(l)),
                };
                self.report(life, number, broken);
            }
        }
    }

    fn after_end(&mut self, life: &Life, event: LifeEvent) {
        self.found.events += 1;
        if life.was_used_after_end {
            return;
        }
        let rules: Vec<_> = self.rules(life.kind).collect();
        let quiet = (rules.iter()).find(|(_, rule)| rule.template == Template::QuietAfterEnd);
        if let (Some((number, _)), Some(end)) = (quiet, life.ended) {
            let broken = Broken {
                kind: LifeBreak::Forbidden,
                line: event.line,
                letter: event.attribute,
                what: format!(
                    "{} after {}",
                    self.name(event.attribute),
                    self.name(end.attribute)
                ),
                event: Some(event),
                lacks: None,
            };
            self.report(life, *number, broken);
        }
    }

    fn over(&mut self, life: &Life, how: Over) {
        self.found.objects += 1;
        self.found.checked += u64::from(!self.by_kind[life.kind.index()].is_empty());
        if how != Over::Open {
            return;
        }
        for (number, rule) in self.rules(life.kind) {
            match rule.template {
                Template::Ends => {
                    let Some(birth) = life.birth.filter(|birth| {
                        Some(birth.event.letter) == rule.birth && !birth.is_inherited
                    }) else {
                        continue;
                    };
                    let kind = self.vocabulary.kind_name(life.kind);
                    let broken = Broken {
                        kind: LifeBreak::Missing,
                        line: birth.event.line,
                        letter: birth.event.attribute,
                        what: format!("the {kind} is never ended"),
                        event: None,
                        lacks: ender(self.vocabulary, life.kind).map(|l| self.name(l)),
                    };
                    self.report(life, number, broken);
                }
                Template::Completes => {
                    let a = rule.a.and_then(|a| life.find(a)).copied();
                    let b = rule.b.and_then(|b| life.find(b)).copied();
                    let (Some(a), Some(letter)) = (a, rule.b) else {
                        continue;
                    };
                    if b.is_none_or(|b| b.last < a.last) {
                        let next = self.name(letter);
                        let broken = Broken {
                            kind: LifeBreak::Unfinished,
                            line: a.last_line,
                            letter: a.letter,
                            what: format!("{} is not followed by {next}", self.name(a.letter)),
                            event: None,
                            lacks: Some(next),
                        };
                        self.report(life, number, broken);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A call that ends objects of this kind.
fn ender(vocabulary: &ApiVocabulary, kind: KindId) -> Option<AttributeId> {
    let mut all = (0..vocabulary.n_attributes()).map(AttributeId::new);
    all.find(|&a| vocabulary.kind(a) == kind && vocabulary.ends(a))
}

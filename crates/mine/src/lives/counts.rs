//! How often each rule was kept, by program: all that mining rules needs of a trace, and what is
//! merged when traces are read in parallel or on several machines.

use super::{Life, LifeEvent, LifeRule, Observer, Over, Template, Tracker};
use crate::vocabulary::{ApiVocabulary, AttributeId, CallOutcome, Interaction, KindId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A rule that may be one: a template, the kind, and up to three letters ([`NO_LETTER`] if there is
/// none). What the letters are, the template says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Candidate {
    pub template: Template,
    pub kind: KindId,
    pub birth: u32,
    pub a: u32,
    pub b: u32,
}

pub(crate) const NO_LETTER: u32 = u32::MAX;

/// Lives that a rule speaks of, and runs that have such lives.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    pub lives: u64,
    pub kept: u64,
    pub runs: u64,
    /// Runs in which all of them keep it.
    pub runs_kept: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.lives = self.lives.saturating_add(other.lives);
        self.kept = self.kept.saturating_add(other.kept);
        self.runs = self.runs.saturating_add(other.runs);
        self.runs_kept = self.runs_kept.saturating_add(other.runs_kept);
    }
}

/// What is known of one program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct OfProgram {
    pub runs: u64,
    pub lives: u64,
    pub tallies: BTreeMap<Candidate, Tally>,
}

/// What one program says about a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vote<'a> {
    pub program: &'a str,
    /// So many of these lives keep it.
    pub kept: u64,
    pub lives: u64,
}

/// Merging is associative and commutative, and empty counts change nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LifeCounts {
    pub(crate) programs: BTreeMap<String, OfProgram>,
}

impl LifeCounts {
    pub fn merge(&mut self, other: Self) {
        for (name, more) in other.programs {
            let own = self.programs.entry(name).or_default();
            own.runs = own.runs.saturating_add(more.runs);
            own.lives = own.lives.saturating_add(more.lives);
            for (candidate, tally) in more.tallies {
                own.tallies.entry(candidate).or_default().add(tally);
            }
        }
    }

    pub fn n_programs(&self) -> usize {
        self.programs.len()
    }

    pub fn n_runs(&self) -> u64 {
        self.programs.values().map(|p| p.runs).sum()
    }

    /// Objects whose lives were seen.
    pub fn n_lives(&self) -> u64 {
        self.programs.values().map(|p| p.lives).sum()
    }

    /// The programs that a rule is about, and how many of their objects keep it.
    pub fn votes(&self, rule: &LifeRule) -> Vec<Vote<'_>> {
        let number = |letter: Option<AttributeId>| letter.map_or(NO_LETTER, |letter| letter.0);
        let candidate = Candidate {
            template: rule.template,
            kind: rule.kind,
            birth: number(rule.birth),
            a: number(rule.a),
            b: number(rule.b),
        };
        let mut votes = Vec::new();
        for (program, own) in &self.programs {
            if let Some(tally) = own.tallies.get(&candidate) {
                votes.push(Vote {
                    program,
                    kept: tally.kept,
                    lives: tally.lives,
                });
            }
        }
        votes
    }
}

/// Counts the lives of runs that stream by.
#[derive(Debug)]
pub struct LifeCounter<'v> {
    tracker: Tracker<'v>,
    run: RunCounts<'v>,
    counts: LifeCounts,
}

impl<'v> LifeCounter<'v> {
    pub fn new(vocabulary: &'v ApiVocabulary) -> Self {
        let mut changers: Vec<Vec<AttributeId>> = vec![Vec::new(); vocabulary.n_kinds()];
        for letter in (0..vocabulary.n_attributes()).map(AttributeId::new) {
            if vocabulary.changes(letter) && vocabulary.like(letter) == letter {
                changers[vocabulary.kind(letter).index()].push(letter);
            }
        }
        Self {
            tracker: Tracker::new(vocabulary, false),
            run: RunCounts {
                vocabulary,
                changers,
                lives: 0,
                tallies: FxHashMap::default(),
                broken_after_end: FxHashMap::default(),
            },
            counts: LifeCounts::default(),
        }
    }

    pub fn add(&mut self, interaction: &Interaction) {
        self.tracker.add(interaction, &mut self.run);
    }

    /// A run of this program is over.
    pub fn end_run(&mut self, program: &str, is_cut: bool) {
        self.tracker.end_run(is_cut, &mut self.run);
        if self.run.lives == 0 {
            return;
        }
        let own = self.counts.programs.entry(program.to_owned()).or_default();
        own.runs += 1;
        own.lives += std::mem::take(&mut self.run.lives);
        let broken = std::mem::take(&mut self.run.broken_after_end);
        let mut tallies: Vec<(Candidate, (u64, u64))> = self.run.tallies.drain().collect();
        tallies.sort_unstable_by_key(|(candidate, _)| *candidate);
        for (candidate, (lives, kept)) in tallies {
            let broken = match candidate.template {
                Template::QuietAfterEnd => broken.get(&candidate.kind).copied().unwrap_or(0),
                _ => 0,
            };
            let kept = kept.saturating_sub(broken);
            own.tallies.entry(candidate).or_default().add(Tally {
                lives,
                kept,
                runs: 1,
                runs_kept: u64::from(kept == lives),
            });
        }
    }

    pub fn finish(self) -> LifeCounts {
        self.counts
    }
}

/// One run.
#[derive(Debug)]
struct RunCounts<'v> {
    vocabulary: &'v ApiVocabulary,
    /// The letters of each kind that change an object, and neither make nor end it.
    changers: Vec<Vec<AttributeId>>,
    lives: u64,
    tallies: FxHashMap<Candidate, (u64, u64)>,
    /// Lives with an event after their end.
    broken_after_end: FxHashMap<KindId, u64>,
}

impl RunCounts<'_> {
    fn count(&mut self, candidate: Candidate, kept: bool) {
        let tally = self.tallies.entry(candidate).or_default();
        tally.0 += 1;
        tally.1 += u64::from(kept);
    }
}

impl Observer for RunCounts<'_> {
    fn event(&mut self, _life: &Life, _event: LifeEvent) {}

    fn after_end(&mut self, life: &Life, event: LifeEvent) {
        // A call that fails because there is no object is how the program finds out.
        let finds_out =
            event.outcome == CallOutcome::Failed && self.vocabulary.is_validated(life.kind);
        if !finds_out && !life.was_used_after_end {
            *self.broken_after_end.entry(life.kind).or_default() += 1;
        }
    }

    fn over(&mut self, life: &Life, how: Over) {
        self.lives += 1;
        let kind = life.kind;
        let candidate = |template, birth: u32, a: u32, b: u32| Candidate {
            template,
            kind,
            birth,
            a,
            b,
        };
        if how == Over::Ended {
            let quiet = candidate(Template::QuietAfterEnd, NO_LETTER, NO_LETTER, NO_LETTER);
            self.count(quiet, true);
        }
        let born = life.birth.filter(|birth| !birth.is_inherited);
        if let Some(birth) = born
            && matches!(how, Over::Ended | Over::Open)
        {
            let ends = candidate(Template::Ends, birth.event.letter.0, NO_LETTER, NO_LETTER);
            self.count(ends, how == Over::Ended);
        }
        let changers = std::mem::take(&mut self.changers[kind.index()]);
        for &a in &changers {
            let seen_a = life.find(a).copied();
            if let Some(a) = seen_a {
                let once = candidate(Template::Once, NO_LETTER, a.letter.0, NO_LETTER);
                self.count(once, a.count == 1);
            }
            for b in &life.seen {
                let is_birth = born.is_some_and(|birth| birth.event.letter == b.letter);
                if b.letter == a || is_birth {
                    continue;
                }
                if let Some(birth) = born {
                    let before = seen_a.is_some_and(|a| a.first < b.first);
                    let precedes =
                        candidate(Template::Precedes, birth.event.letter.0, a.0, b.letter.0);
                    self.count(precedes, before);
                }
                if let Some(a) = seen_a {
                    let never = candidate(Template::Never, NO_LETTER, a.letter.0, b.letter.0);
                    self.count(never, b.last < a.first);
                }
            }
            for &b in changers.iter().filter(|b| **b != a) {
                let seen_b = life.find(b).copied();
                let Some((alternates, rounds)) = alternation(life, seen_a, seen_b) else {
                    continue;
                };
                let pair = |template| candidate(template, NO_LETTER, a.0, b.0);
                self.count(pair(Template::Alternates), alternates);
                if rounds > 1 {
                    self.count(pair(Template::Rounds), alternates);
                }
                // Whether the last round is complete is another question.
                if alternates && how != Over::Cut {
                    let last = |seen: Option<super::Seen>| seen.map(|s| s.last);
                    self.count(pair(Template::Completes), last(seen_a) < last(seen_b));
                }
            }
        }
        self.changers[kind.index()] = changers;
    }
}

/// Whether two letters alternate in a life, the first one first, and how often the second came;
/// `None` if the life has neither.
fn alternation(life: &Life, a: Option<super::Seen>, b: Option<super::Seen>) -> Option<(bool, u32)> {
    match (a, b) {
        (None, None) => None,
        (None, Some(_)) => Some((false, 0)),
        (Some(a), None) => Some((a.count == 1, 0)),
        (Some(a), Some(b)) => {
            let double = |x, y| life.doubles.contains(&(x, y));
            let alternates =
                a.first < b.first && !double(a.letter, b.letter) && !double(b.letter, a.letter);
            Some((alternates, b.count))
        }
    }
}

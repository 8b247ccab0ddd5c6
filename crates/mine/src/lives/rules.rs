//! Rules about the lives of a kind of objects, from what programs do.
//!
//! | template | a life keeps it if |
//! |---|---|
//! | [`Template::Ends`] | the object, made by this call, ends before the run does |
//! | [`Template::QuietAfterEnd`] | no call uses the object after its end |
//! | [`Template::Alternates`] | `a b a b …`, as lock and unlock do |
//! | [`Template::Completes`] | what alternates does not stop between `a` and `b` |
//! | [`Template::Never`] | no `b` after an `a` |
//! | [`Template::Precedes`] | no `b` before an `a`, for objects made by this call |
//! | [`Template::Once`] | at most one `a` |
//!
//! The first letter of a pair always *changes* the object: what only depends on its state can come in
//! any order. Every program has one vote, the share of its lives that keep the rule; so a program
//! with a thousand objects says no more than one with three. Where there is only one program, its
//! runs vote, and where there is only one run, its objects.
//!
//! That two letters alternate is believed only of lives with at least two rounds: in `connect` and
//! `shutdown`, once each, there is no telling a pair from two steps. The order of calls that merely
//! happened so far needs the votes of three, because people write them down in the same order for no
//! reason.

use super::counts::{Candidate, LifeCounts, NO_LETTER, Tally};
use crate::vocabulary::{ApiVocabulary, AttributeId, KindId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Template {
    Ends,
    QuietAfterEnd,
    Alternates,
    Completes,
    Never,
    Precedes,
    Once,
    /// Lives in which two letters alternate more than once: no rule, but the evidence for one.
    Rounds,
}

/// Who votes on rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voters {
    #[default]
    Programs,
    Runs,
    Objects,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RuleConfig {
    /// The least number of voters.
    pub support: u64,
    /// The least share of their votes.
    pub confidence: f64,
}

impl Default for RuleConfig {
    fn default() -> Self {
        Self {
            support: 2,
            confidence: 0.9,
        }
    }
}

/// The order of calls is believed of so many voters.
const ORDER_SUPPORT: u64 = 3;

/// A rule that the traces keep.
#[derive(Clone, PartialEq, Debug)]
pub struct LifeRule {
    pub template: Template,
    pub kind: KindId,
    /// The call that made the object, where the rule is about such objects only.
    pub birth: Option<AttributeId>,
    pub a: Option<AttributeId>,
    pub b: Option<AttributeId>,
    pub lives: u64,
    pub kept: u64,
    /// Voters with such lives.
    pub support: u64,
    pub confidence: f64,
}

impl LifeRule {
    /// The rule in words.
    pub fn text(&self, vocabulary: &ApiVocabulary) -> String {
        let kind = vocabulary.kind_name(self.kind);
        let name = |letter: Option<AttributeId>| {
            letter.map_or(String::new(), |letter| vocabulary.full_name(letter))
        };
        let (birth, a, b) = (name(self.birth), name(self.a), name(self.b));
        let is_vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
        let an = if is_vowel { "an" } else { "a" };
        match self.template {
            Template::Ends => format!("{an} {kind} made by {birth} ends"),
            Template::QuietAfterEnd => format!("{an} {kind} is not used after its end"),
            Template::Alternates => format!("{a} and {b} alternate"),
            Template::Completes => format!("{a} is followed by {b}"),
            Template::Never => format!("no {b} after {a}"),
            Template::Precedes => format!("of {an} {kind} made by {birth}, {b} only after {a}"),
            Template::Once => format!("{a} at most once"),
            Template::Rounds => format!("{a} and {b} alternate more than once"),
        }
    }
}

/// The rules of all kinds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LifeRules {
    pub voters: Voters,
    /// How many there were.
    pub n_voters: u64,
    /// Objects whose lives were seen.
    pub lives: u64,
    /// By kind and template.
    pub rules: Vec<LifeRule>,
}

impl LifeRules {
    /// The rules that enough voters keep.
    pub fn mine(counts: &LifeCounts, config: &RuleConfig) -> Self {
        let (n_programs, n_runs) = (counts.n_programs() as u64, counts.n_runs());
        let lives = counts.n_lives();
        let (voters, n_voters) = match (n_programs, n_runs) {
            (0 | 1, 0 | 1) => (Voters::Objects, lives),
            (0 | 1, _) => (Voters::Runs, n_runs),
            _ => (Voters::Programs, n_programs),
        };
        let mut votes: BTreeMap<Candidate, (Tally, u64, f64)> = BTreeMap::new();
        for program in counts.programs.values() {
            for (candidate, tally) in &program.tallies {
                let vote = votes.entry(*candidate).or_default();
                vote.0.lives += tally.lives;
                vote.0.kept += tally.kept;
                let (voters, share) = match voters {
                    Voters::Programs => (1, tally.kept as f64 / tally.lives.max(1) as f64),
                    Voters::Runs => (tally.runs, tally.runs_kept as f64),
                    Voters::Objects => (tally.lives, tally.kept as f64),
                };
                vote.1 += voters;
                vote.2 += share;
            }
        }
        let mut rules: Vec<LifeRule> = Vec::new();
        let letter = |number: u32| (number != NO_LETTER).then_some(AttributeId(number));
        let accepted = |candidate: &Candidate, least: u64| {
            let (_, support, share) = votes.get(candidate)?;
            let confidence = share / (*support).max(1) as f64;
            let keeps = *support >= least && confidence >= config.confidence;
            keeps.then_some((*support, confidence))
        };
        for (candidate, (tally, ..)) in &votes {
            let with = |template| Candidate {
                template,
                ..*candidate
            };
            let least = match candidate.template {
                Template::Rounds => continue,
                Template::Never | Template::Precedes | Template::Once => {
                    config.support.max(ORDER_SUPPORT)
                }
                _ => config.support,
            };
            let Some((support, confidence)) = accepted(candidate, least) else {
                continue;
            };
            let pairs = matches!(
                candidate.template,
                Template::Alternates | Template::Completes
            );
            let needs = [Template::Alternates, Template::Rounds];
            if pairs
                && needs
                    .iter()
                    .any(|t| accepted(&with(*t), config.support).is_none())
            {
                continue;
            }
            rules.push(LifeRule {
                template: candidate.template,
                kind: candidate.kind,
                birth: letter(candidate.birth),
                a: letter(candidate.a),
                b: letter(candidate.b),
                lives: tally.lives,
                kept: tally.kept,
                support,
                confidence,
            });
        }
        rules.sort_by_key(|r| (r.kind, r.template, r.birth, r.a, r.b));
        Self {
            voters,
            n_voters,
            lives,
            rules,
        }
    }

    /// The kinds that some rule is about.
    pub fn kinds(&self) -> Vec<KindId> {
        let mut kinds: Vec<KindId> = self.rules.iter().map(|r| r.kind).collect();
        kinds.dedup();
        kinds
    }

    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = &LifeRule> {
        self.rules.iter().filter(move |rule| rule.kind == kind)
    }

    /// As it is in a file.
    pub(crate) fn to_file(&self, vocabulary: &ApiVocabulary) -> RulesInFile {
        let name = |letter: Option<AttributeId>| letter.map(|l| vocabulary.full_name(l));
        RulesInFile {
            voters: self.voters,
            n_voters: self.n_voters,
            lives: self.lives,
            rules: (self.rules.iter())
                .map(|rule| RuleInFile {
                    template: rule.template,
                    kind: vocabulary.kind_name(rule.kind).to_owned(),
                    birth: name(rule.birth),
                    a: name(rule.a),
                    b: name(rule.b),
                    lives: rule.lives,
                    kept: rule.kept,
                    support: rule.support,
                    confidence: rule.confidence,
                })
                .collect(),
        }
    }

    /// The rules of a file; the error is what the API does not have.
    pub(crate) fn from_file(file: RulesInFile, vocabulary: &ApiVocabulary) -> Result<Self, String> {
        let letter = |name: Option<String>| match name {
            None => Ok(None),
            Some(name) => match vocabulary.attribute(&name) {
                Some(letter) => Ok(Some(letter)),
                None => Err(name),
            },
        };
        let mut rules = Vec::new();
        for rule in file.rules {
            let mut kinds = (0..vocabulary.n_kinds()).map(KindId::new);
            let kind = kinds.find(|k| vocabulary.kind_name(*k) == rule.kind);
            rules.push(LifeRule {
                template: rule.template,
                kind: kind.ok_or(rule.kind)?,
                birth: letter(rule.birth)?,
                a: letter(rule.a)?,
                b: letter(rule.b)?,
                lives: rule.lives,
                kept: rule.kept,
                support: rule.support,
                confidence: rule.confidence,
            });
        }
        Ok(Self {
            voters: file.voters,
            n_voters: file.n_voters,
            lives: file.lives,
            rules,
        })
    }
}

#[derive(Serialize, Deserialize, Default)]
pub(crate) struct RulesInFile {
    voters: Voters,
    n_voters: u64,
    lives: u64,
    rules: Vec<RuleInFile>,
}

#[derive(Serialize, Deserialize)]
struct RuleInFile {
    template: Template,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    birth: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<String>,
    lives: u64,
    kept: u64,
    support: u64,
    confidence: f64,
}

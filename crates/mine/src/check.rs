//! Which seeds of a run have no scenario that the specification accepts.
//!
//! Figure 21 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002): a run satisfies a
//! specification if for every seed *some* scenario around it does. `Extract*` tries scenarios of
//! growing size: all sets with exactly that many ancestors and descendants of the seed that contain
//! with two interactions every chain of flow dependences between them.
//!
//! Where we differ, without changing the answer:
//! * The scenario that mining would extract is tried first; it nearly always decides. It is found
//!   while the run streams by, and answers are remembered for scenarios that do the same.
//! * Interactions that the specification never mentions are left out of the search.
//! * Of interactions that are interchangeable (the same call with the same objects, depending on
//!   the same definers, with nothing depending on them) the first ones are taken: which two of
//!   twenty reads are in a scenario does not matter to its string.
//!
//! There may be exponentially many scenarios, so the search for one seed ends after a number of
//! them; then the seed is *undecided*, never a violation.

use crate::counts::CountedScenarios;
use crate::extract::{Extractor, FoundScenario};
use crate::nearest::{Edit, nearest};
use crate::run::Run;
use crate::scenario::Scenario;
use crate::specification::MinedSpecification;
use crate::standardize::standardize;
use crate::strings::letter_name;
use crate::vocabulary::{ApiVocabulary, Interaction};
use idiolect_automata::Letter;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckConfig {
    /// `MaxSize`: the most ancestors and descendants together; by default, as many as mining took.
    pub max_size: Option<usize>,
    /// Scenarios tried for one seed before it is given up as undecided.
    pub most_scenarios: usize,
}

impl Default for CheckConfig {
    fn default() -> Self {
        Self {
            max_size: None,
            most_scenarios: 20_000,
        }
    }
}

/// A seed without a scenario that the specification accepts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScenarioViolation {
    /// The line of the seed, from 1.
    pub line: u64,
    /// The seed as it is in the trace, without attributes that carry no dependence.
    pub seed: String,
    /// The scenario that mining would have extracted, in standard form.
    pub scenario: Vec<ScenarioLine>,
    /// The nearest scenario that is accepted; empty if there is none at all.
    pub nearest: Vec<NearestLine>,
    /// Whether all scenarios were tried.
    pub is_certain: bool,
}

/// One interaction of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScenarioLine {
    pub line: u64,
    pub letter: String,
    /// Whether the nearest accepted scenario does without it.
    pub is_extra: bool,
}

/// One interaction of an accepted scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NearestLine {
    pub letter: String,
    /// Whether the run lacks it.
    pub is_missing: bool,
}

/// What came of checking: in the order of seeds.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct CheckedScenarios {
    pub seeds: u64,
    pub violations: Vec<ScenarioViolation>,
    /// Scenarios that were standardized and run through the automaton.
    pub scenarios_tried: u64,
}

impl CheckedScenarios {
    /// Adds what came of a piece of the trace that begins `lines` lines later.
    pub fn append(&mut self, next: Self, lines: u64) {
        self.seeds = self.seeds.saturating_add(next.seeds);
        self.scenarios_tried = self.scenarios_tried.saturating_add(next.scenarios_tried);
        let shifted = next.violations.into_iter().map(|mut violation| {
            violation.line = violation.line.saturating_add(lines);
            for step in &mut violation.scenario {
                step.line = step.line.saturating_add(lines);
            }
            violation
        });
        self.violations.extend(shifted);
    }
}

/// Checks runs against one specification.
#[derive(Debug)]
pub struct Checker<'a> {
    specification: &'a MinedSpecification,
    vocabulary: ApiVocabulary,
    config: CheckConfig,
    /// Calls with attributes, as letters have them.
    shapes: FxHashSet<String>,
    known: FxHashMap<Scenario, bool>,
}

/// The first look at runs that stream by: the scenario that mining would extract nearly always
/// decides. The seeds for which it does not are left for [`Checker::decide`], which needs the run.
#[derive(Debug)]
pub struct Sieve<'v> {
    extractor: Extractor<'v>,
    counts: CountedScenarios,
    failed: Vec<FoundScenario>,
}

impl<'v> Sieve<'v> {
    /// For runs in terms of the checker's vocabulary.
    pub fn new(vocabulary: &'v ApiVocabulary, checker: &Checker<'_>) -> Self {
        Self {
            extractor: Extractor::new(vocabulary, checker.specification.size).keeping(),
            counts: CountedScenarios::new(vocabulary),
            failed: Vec::new(),
        }
    }

    pub fn add(
        &mut self,
        checker: &mut Checker<'_>,
        interaction: Interaction,
        checked: &mut CheckedScenarios,
    ) {
        self.extractor.add(interaction, &mut self.counts);
        self.look(checker, checked);
    }

    /// The seeds of the run that have to be looked at again.
    pub fn end_run(
        &mut self,
        checker: &mut Checker<'_>,
        checked: &mut CheckedScenarios,
    ) -> Vec<FoundScenario> {
        self.extractor.end_run(&mut self.counts);
        self.look(checker, checked);
        std::mem::take(&mut self.failed)
    }

    fn look(&mut self, checker: &mut Checker<'_>, checked: &mut CheckedScenarios) {
        for found in self.extractor.take() {
            checked.seeds += 1;
            if !checker.satisfies(&found, checked) {
                self.failed.push(found);
            }
        }
    }
}

/// Answers remembered; a scenario is some hundred bytes.
const MOST_KNOWN: usize = 1 << 16;

impl<'a> Checker<'a> {
    pub fn new(specification: &'a MinedSpecification, config: CheckConfig) -> Self {
        let names = specification.alphabet.names();
        Self {
            vocabulary: specification.vocabulary(),
            shapes: names.iter().map(|name| shape(name)).collect(),
            specification,
            config,
            known: FxHashMap::default(),
        }
    }

    pub fn vocabulary(&self) -> &ApiVocabulary {
        &self.vocabulary
    }

    /// Checks one run.
    pub fn check(&mut self, interactions: Vec<Interaction>) -> CheckedScenarios {
        let mut checked = CheckedScenarios::default();
        let vocabulary = self.vocabulary.clone();
        let mut sieve = Sieve::new(&vocabulary, self);
        for interaction in &interactions {
            sieve.add(self, interaction.clone(), &mut checked);
        }
        let failed = sieve.end_run(self, &mut checked);
        if !failed.is_empty() {
            self.decide(interactions, failed, &mut checked);
        }
        checked
    }

    /// Tries all scenarios of the seeds that a [`Sieve`] found in this run.
    pub fn decide(
        &self,
        interactions: Vec<Interaction>,
        mut failed: Vec<FoundScenario>,
        checked: &mut CheckedScenarios,
    ) {
        let run = Run::new(&self.vocabulary, interactions);
        failed.sort_by_key(|found| found.interactions[found.seed].line);
        // Lines are not always in the order of the run, but seeds are told apart by both.
        let seeds = run.seeds(&self.vocabulary);
        for found in failed {
            let seed = &found.interactions[found.seed];
            let at = seeds.iter().copied().find(|&at| {
                run.interactions[at].line == seed.line && run.interactions[at] == *seed
            });
            let searched = at.map(|at| self.search(&run, at, checked));
            if searched != Some(Search::Satisfied) {
                let is_certain = searched == Some(Search::Exhausted);
                checked.violations.push(self.violation(&found, is_certain));
            }
        }
    }

    fn satisfies(&mut self, found: &FoundScenario, checked: &mut CheckedScenarios) -> bool {
        let max_size = self.max_size();
        if found.interactions.len() > max_size + 1 {
            return false;
        }
        let scenario = Scenario::new(&found.interactions, found.seed);
        if let Some(&answer) = self.known.get(&scenario) {
            return answer;
        }
        let answer = self.accepts(&scenario, checked);
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(scenario, answer);
        answer
    }

    fn max_size(&self) -> usize {
        let default = self.specification.size.saturating_mul(2);
        self.config.max_size.unwrap_or(default)
    }

    fn accepts(&self, scenario: &Scenario, checked: &mut CheckedScenarios) -> bool {
        checked.scenarios_tried += 1;
        let (letters, _) = self.letters(scenario);
        let word: Option<Vec<Letter>> = (letters.iter())
            .map(|letter| self.specification.alphabet.letter(letter))
            .collect();
        word.is_some_and(|word| self.specification.automaton.accepts(&word))
    }

    /// The standard string of a scenario, and where each letter was in it.
    fn letters(&self, scenario: &Scenario) -> (Vec<String>, Vec<usize>) {
        let types = &self.specification.types;
        let simple = scenario.simplify(&self.vocabulary, types);
        let standard = standardize(&self.vocabulary, Some(types), &simple);
        let steps = standard.scenario.steps.iter();
        let letters = steps
            .map(|step| letter_name(&self.vocabulary, types, step))
            .collect();
        (letters, standard.order)
    }

    /// Whether the specification ever mentions such an interaction.
    fn is_mentioned(&self, interaction: &Interaction) -> bool {
        let types = &self.specification.types;
        let scenario = Scenario::new([interaction], 0).simplify(&self.vocabulary, types);
        let letter = letter_name(&self.vocabulary, types, &scenario.steps[0]);
        self.shapes.contains(&shape(&letter))
    }

    /// `Extract*` for sizes from 0 to `MaxSize`.
    fn search(&self, run: &Run, seed: usize, checked: &mut CheckedScenarios) -> Search {
        let around = Around::new(run, seed, self.max_size(), |at| {
            self.is_mentioned(&run.interactions[at])
        });
        let mut tried = 0;
        let mut level: BTreeSet<Vec<usize>> = BTreeSet::from([vec![seed]]);
        let mut seen: FxHashSet<Vec<usize>> = FxHashSet::default();
        for size in 0..=self.max_size() {
            let mut next: BTreeSet<Vec<usize>> = BTreeSet::new();
            for set in &level {
                tried += 1;
                if tried > self.config.most_scenarios {
                    return Search::GivenUp;
                }
                let members = around.with_chains(run, set);
                if seen.insert(members.clone()) {
                    let interactions = members.iter().map(|&at| &run.interactions[at]);
                    let position = members.binary_search(&seed).unwrap_or(0);
                    if self.accepts(&Scenario::new(interactions, position), checked) {
                        return Search::Satisfied;
                    }
                }
                if size < self.max_size() {
                    for more in around.extensions(run, set) {
                        let mut larger = set.clone();
                        let at = larger.partition_point(|&m| m < more);
                        larger.insert(at, more);
                        next.insert(larger);
                    }
                }
            }
            level = next;
            if level.is_empty() {
                break;
            }
        }
        if around.is_cut {
            Search::GivenUp
        } else {
            Search::Exhausted
        }
    }

    fn violation(&self, found: &FoundScenario, is_certain: bool) -> ScenarioViolation {
        let scenario = Scenario::new(&found.interactions, found.seed);
        let (letters, order) = self.letters(&scenario);
        let alphabet = &self.specification.alphabet;
        let word: Vec<Option<Letter>> = letters.iter().map(|l| alphabet.letter(l)).collect();
        let edits = nearest(&self.specification.automaton, &word).unwrap_or_default();
        let nearest = edits.iter().filter_map(|edit| match *edit {
            Edit::Keep(at) => Some(NearestLine {
                letter: letters[at].clone(),
                is_missing: false,
            }),
            Edit::Missing(letter) => Some(NearestLine {
                letter: alphabet.name(letter).to_owned(),
                is_missing: true,
            }),
            Edit::Extra(_) => None,
        });
        let nearest = nearest.collect();
        let lines = letters.iter().zip(&order).enumerate();
        let seed = &found.interactions[found.seed];
        ScenarioViolation {
            line: seed.line,
            seed: self.vocabulary.show_interaction(seed),
            scenario: lines
                .map(|(at, (letter, &origin))| ScenarioLine {
                    line: found.interactions[origin].line,
                    letter: letter.clone(),
                    is_extra: edits.contains(&Edit::Extra(at)),
                })
                .collect(),
            nearest,
            is_certain,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    Satisfied,
    /// No scenario is accepted.
    Exhausted,
    /// There are too many scenarios.
    GivenUp,
}

/// `accept(so = x0:T0, return = x1:T0)` without its names.
fn shape(letter: &str) -> String {
    let (call, rest) = letter.split_once('(').unwrap_or((letter, ""));
    let rest = rest.strip_suffix(')').unwrap_or(rest);
    let names = rest
        .split(", ")
        .map(|part| part.split(" = ").next().unwrap_or(""));
    format!("{call}({})", names.collect::<Vec<_>>().join(", "))
}

/// The interactions that scenarios of one seed may contain.
struct Around {
    seed: usize,
    ancestors: BTreeSet<usize>,
    descendants: BTreeSet<usize>,
    /// With those that are never mentioned.
    all_ancestors: FxHashSet<usize>,
    all_descendants: FxHashSet<usize>,
    /// For interchangeable interactions, the one that has to be taken before.
    before: FxHashMap<usize, usize>,
    is_cut: bool,
}

/// Ancestors, and descendants, that are looked at for one seed, the nearest first.
const MOST_CANDIDATES: usize = 500;

impl Around {
    fn new(run: &Run, seed: usize, max_size: usize, mentioned: impl Fn(usize) -> bool) -> Self {
        let mut is_cut = false;
        // Every chain to the seed has to be there whole; so what is behind an interaction that is
        // never mentioned is out of reach by that chain, and `extensions` looks at all of them.
        let mut collect = |edges: &[Vec<u32>], limit: usize| -> BTreeSet<usize> {
            let mut found = BTreeSet::new();
            let mut worklist: BTreeSet<(usize, usize)> = BTreeSet::new();
            let add = |worklist: &mut BTreeSet<(usize, usize)>, from: usize| {
                let next = edges[from].iter().map(|&i| i as usize);
                worklist.extend(next.map(|i| (i.abs_diff(seed), i)));
            };
            add(&mut worklist, seed);
            while let Some((_, at)) = worklist.pop_first() {
                if found.contains(&at) || !mentioned(at) {
                    continue;
                }
                if found.len() == limit {
                    is_cut = true;
                    break;
                }
                found.insert(at);
                add(&mut worklist, at);
            }
            found
        };
        let ancestors = collect(&run.definers, MOST_CANDIDATES);
        let descendants = collect(&run.users, MOST_CANDIDATES);
        let mut around = Self {
            seed,
            ancestors,
            descendants,
            all_ancestors: reachable(&run.definers, seed),
            all_descendants: reachable(&run.users, seed),
            before: FxHashMap::default(),
            is_cut,
        };
        around.find_interchangeable(run, max_size);
        around
    }

    fn find_interchangeable(&mut self, run: &Run, max_size: usize) {
        let mut last: FxHashMap<_, (usize, usize)> = FxHashMap::default();
        let mut surplus = Vec::new();
        for &at in &self.descendants {
            if !run.users[at].is_empty() {
                continue;
            }
            let interaction = &run.interactions[at];
            let key = (
                interaction.skeleton,
                interaction.values.clone(),
                &run.definers[at],
            );
            let (before, count) = *last.get(&key).unwrap_or(&(at, 0));
            // More of one kind than fit into a scenario are never needed.
            if count == max_size {
                surplus.push(at);
                continue;
            }
            if before != at {
                self.before.insert(at, before);
            }
            last.insert(key, (at, count + 1));
        }
        for at in surplus {
            self.descendants.remove(&at);
        }
    }

    /// What can be added to a set so that it is closed under chains to and from the seed.
    fn extensions(&self, run: &Run, set: &[usize]) -> Vec<usize> {
        let has = |at: usize| set.binary_search(&at).is_ok();
        let fits = |at: usize, edges: &[Vec<u32>], chained: &FxHashSet<usize>| {
            let mut next = edges[at].iter().map(|&i| i as usize);
            next.all(|i| has(i) || !chained.contains(&i))
                && self.before.get(&at).is_none_or(|&before| has(before))
        };
        let mut found = Vec::new();
        for &at in self.ancestors.iter().filter(|&&at| !has(at)) {
            let touches = run.users[at].iter().any(|&i| has(i as usize));
            if touches && fits(at, &run.users, &self.all_ancestors) {
                found.push(at);
            }
        }
        for &at in self.descendants.iter().filter(|&&at| !has(at)) {
            let touches = run.definers[at].iter().any(|&i| has(i as usize));
            if touches && fits(at, &run.definers, &self.all_descendants) {
                found.push(at);
            }
        }
        found
    }

    /// The set with all interactions on chains from its ancestors to its descendants.
    fn with_chains(&self, run: &Run, set: &[usize]) -> Vec<usize> {
        let (Some(&first), Some(&last)) = (set.first(), set.last()) else {
            return Vec::new();
        };
        // Forward from what is before the seed, then backward from what is behind it.
        let spread = |start: Vec<usize>, edges: &[Vec<u32>]| -> BTreeSet<usize> {
            let mut seen: BTreeSet<usize> = start.iter().copied().collect();
            let mut stack = start;
            while let Some(at) = stack.pop() {
                for &i in &edges[at] {
                    let i = i as usize;
                    if (first..=last).contains(&i) && seen.insert(i) {
                        stack.push(i);
                    }
                }
            }
            seen
        };
        let before: Vec<usize> = set.iter().copied().filter(|&i| i < self.seed).collect();
        let behind: Vec<usize> = set.iter().copied().filter(|&i| i > self.seed).collect();
        if before.is_empty() || behind.is_empty() {
            return set.to_vec();
        }
        let forward = spread(before, &run.users);
        let backward = spread(behind, &run.definers);
        let mut members: BTreeSet<usize> = forward.intersection(&backward).copied().collect();
        members.extend(set);
        members.into_iter().collect()
    }
}

/// Everything that the edges lead to from one interaction.
fn reachable(edges: &[Vec<u32>], from: usize) -> FxHashSet<usize> {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        let next = edges[at].iter().map(|&i| i as usize);
        stack.extend(next.filter(|&i| seen.insert(i)));
    }
    seen
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;

//! The loop of trace abstraction, and what is relevant in all that it finds.

use super::by_location::ByLocation;
use super::effects::system_of;
use super::floyd_hoare::{Feasibility, FloydHoare, judge};
use super::graph::{Cut, Goal, ProgramGraph};
use super::language::{Language, Word};
use super::possible::Impossible;
use super::prover::Prover;
use super::system::System;
use super::{
    Assigning, Config, Counts, Coverage, ErrorTrace, Gap, Judged, Outcome, Phase, ProgramRelevance,
    Watch,
};
use crate::states::{self, paths::ErrorPaths};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{Location, Program, Property, property};
use std::collections::BTreeMap;

/// Whoever localizes a trace, given by its decisions and the error it leads to.
pub type Localizer<'l, K, T> =
    &'l mut dyn FnMut(&[bool], Location, &Budget) -> Result<Judged<K, T>, StopReason>;

/// Looks for all kinds of traces to where the properties are violated.
pub fn run<K: Ord + Clone, T>(
    program: &Program,
    properties: &[Property],
    config: &Config,
    budget: &Budget,
    localize: Localizer<'_, K, T>,
    watch: Watch<'_>,
) -> Outcome<K, T> {
    watch(Phase::Program, &Counts::default());
    let mut search = Search {
        watch,
        config,
        budget,
        localize,
        prover: Prover::new(),
        traces: Vec::new(),
        gaps: Vec::new(),
        counts: Counts::default(),
        program,
        properties,
    };
    let calls = CallGraph::new(program);
    let errors = property::error_ends(program, properties);
    let has_faults = properties.iter().any(|p| *p != Property::Assert);
    let graph = ProgramGraph::new(
        program,
        &calls,
        &errors,
        has_faults,
        config.recursion,
        budget,
    );
    let mut is_every_trace = false;
    match graph {
        Ok(mut graph) => {
            let mut system = system_of(program, &mut graph, properties);
            search.counts.letters = graph.edges.len() as u64;
            let paths = if has_faults {
                None
            } else {
                search.abstract_paths(program)
            };
            match search.all(&graph, &mut system, paths) {
                Ok(all) => is_every_trace = all,
                Err(gap) => search.gaps.push(gap),
            }
        }
        Err(reason) => search.gaps.push(Gap::Budget(reason)),
    }
    search.counts.solver_calls = search.prover.n_calls();
    let coverage = if !search.gaps.is_empty() {
        Coverage::Partial(search.gaps)
    } else if is_every_trace {
        Coverage::EveryTrace
    } else {
        Coverage::EveryKind
    };
    Outcome {
        statements: rank(&search.traces),
        traces: search.traces,
        coverage,
        counts: search.counts,
    }
}

struct Search<'s, K, T> {
    watch: Watch<'s>,
    config: &'s Config,
    budget: &'s Budget,
    localize: Localizer<'s, K, T>,
    prover: Prover,
    traces: Vec<ErrorTrace<K, T>>,
    gaps: Vec<Gap>,
    counts: Counts,
    program: &'s Program,
    properties: &'s [Property],
}

/// How a trace came out.
enum Verdict {
    Refuted(Vec<super::floyd_hoare::Predicate>),
    /// By more than the commands know.
    Infeasible,
    Error,
    Unknown,
}

impl From<StopReason> for Gap {
    fn from(reason: StopReason) -> Self {
        Gap::Budget(reason)
    }
}

/// The automaton of what abstract runs do may be so many times larger than that of the program.
const LARGER: usize = 4;
/// States of that automaton before equal ones are merged; with more, only its letters are asked for.
const MAX_ABSTRACT: usize = 100_000;
/// Work for an abstract state, those between two places where paths meet included.
const STEPS_PER_STATE: u64 = 200;

impl<K: Ord + Clone, T> Search<'_, K, T> {
    /// What abstract runs do on their way to an error.
    fn abstract_paths(&mut self, program: &Program) -> Option<ErrorPaths> {
        let max_states = self.config.abstract_states;
        if max_states == 0 {
            return None;
        }
        let config = states::Config {
            max_states,
            ..states::Config::default()
        };
        let own = self.budget.share(STEPS_PER_STATE * max_states);
        let own = own.half_the_time();
        ErrorPaths::new(program, &config, &own).ok()
    }

    /// Whether every feasible trace was localized; an error if the search had to stop.
    fn all(
        &mut self,
        graph: &ProgramGraph,
        system: &mut System,
        paths: Option<ErrorPaths>,
    ) -> Result<bool, Gap> {
        let all = graph.language(|g| matches!(g, Goal::Error(_)), self.budget)?;
        let mut danger = ByLocation::new(system, &all);
        // What cannot happen and what was localized is not in it; what the danger automaton has is skipped.
        let mut remaining = match &paths {
            Some(paths) => {
                // Half of the time is for the traces themselves.
                let own = self.budget.half_the_time();
                possible(&all, &mut Impossible { paths, graph }, &own)
                    .or_else(|_| self.budget.look().map(|()| all.clone()))?
            }
            None => all.clone(),
        };
        while let Some(word) = remaining.shortest_with(|letter| !danger.covers(letter)) {
            self.note(&remaining)?;
            match self.look(graph, system, &word)? {
                Verdict::Refuted(predicates) => {
                    self.counts.floyd_hoare += 1;
                    let mut automaton =
                        FloydHoare::new(system, &mut self.prover, predicates, self.budget)?;
                    remaining = remaining.minus(&mut automaton, self.budget)?;
                    if remaining.accepts(&word) {
                        // A question was left open on the way.
                        self.counts.alone += 1;
                        remaining = self.without(&remaining, &word)?;
                    }
                }
                Verdict::Error => {
                    if self.traces.len() >= self.config.max_traces {
                        return Err(Gap::MaxTraces);
                    }
                    remaining = self.without(&remaining, &word)?;
                    self.enter(Phase::Danger);
                    let questions = self.config.danger_questions;
                    let prover = &mut self.prover;
                    if danger.add(system, prover, &all, &word, questions, self.budget)? {
                        self.counts.danger += 1
                    } else {
                        self.counts.alone += 1
                    }
                }
                Verdict::Infeasible | Verdict::Unknown => {
                    self.counts.alone += 1;
                    remaining = self.without(&remaining, &word)?;
                }
            }
            // So the search ends if there are finitely many traces.
            debug_assert!(!remaining.accepts(&word));
        }
        if self.traces.is_empty() {
            self.cuts_anywhere(graph, system)?;
        } else {
            self.cuts(graph, system)?;
        }
        if remaining.count(self.config.one_by_one).is_none() {
            return Ok(false);
        }
        self.one_by_one(graph, system, remaining)?;
        Ok(true)
    }

    fn note(&mut self, remaining: &Language) -> Result<(), StopReason> {
        self.budget.look()?;
        if self.counts.iterations >= self.config.max_iterations {
            return Err(StopReason::Steps);
        }
        self.counts.iterations += 1;
        self.counts.states = self.counts.states.max(remaining.n_states() as u64);
        self.enter(Phase::Judge);
        Ok(())
    }

    fn enter(&mut self, phase: Phase) {
        (self.watch)(phase, &self.counts);
    }

    /// Is this trace feasible? If so, it is localized.
    fn look(
        &mut self,
        graph: &ProgramGraph,
        system: &mut System,
        word: &[usize],
    ) -> Result<Verdict, StopReason> {
        let feasibility = judge(
            system,
            word,
            self.config.max_parts,
            &mut self.prover,
            self.budget,
        )?;
        if let Feasibility::Infeasible(predicates) = feasibility {
            self.enter(Phase::Refute);
            return Ok(Verdict::Refuted(predicates));
        }
        let Some(Goal::Error(error)) = graph.goal(word) else {
            return Ok(Verdict::Unknown);
        };
        let decisions = graph.decisions(word);
        self.enter(Phase::Localize);
        let judged = (self.localize)(&decisions, error, self.budget);
        self.enter(Phase::Refute);
        Ok(match judged? {
            Judged::Error { assigning, detail } => {
                self.traces.push(ErrorTrace {
                    decisions,
                    error,
                    assigning: once_each(assigning),
                    detail,
                });
                Verdict::Error
            }
            Judged::Infeasible => Verdict::Infeasible,
            Judged::Unknown(why) => {
                let gap = Gap::Undecided(why);
                if !self.gaps.contains(&gap) {
                    self.gaps.push(gap);
                }
                Verdict::Unknown
            }
        })
    }

    fn without(&self, language: &Language, word: &[usize]) -> Result<Language, StopReason> {
        language.minus(&mut Word(word), self.budget)
    }

    /// [`Self::cuts`] of the whole program: the graph has only what leads to an error, and a run may fault elsewhere.
    fn cuts_anywhere(&mut self, graph: &ProgramGraph, system: &mut System) -> Result<(), Gap> {
        let has_faults = self.properties.iter().any(|p| *p != Property::Assert);
        if has_faults {
            return self.cuts(graph, system);
        }
        let calls = CallGraph::new(self.program);
        let errors = property::error_ends(self.program, self.properties);
        let recursion = self.config.recursion;
        let mut whole =
            ProgramGraph::new(self.program, &calls, &errors, true, recursion, self.budget)?;
        let mut system = system_of(self.program, &mut whole, self.properties);
        self.prover.start_anew();
        let found = self.cuts(&whole, &mut system);
        self.prover.start_anew();
        found
    }

    /// Shows that runs do not get to where they were not followed, or notes where they may.
    fn cuts(&mut self, graph: &ProgramGraph, system: &mut System) -> Result<(), Gap> {
        // A fault ends a run of ours, so it is no trace that was missed. But a real run may go on,
        // and so a proof needs that there is none.
        let needs_proof = self.traces.is_empty();
        let wanted = |g| match g {
            Goal::Error(_) => false,
            Goal::Cut(Cut::Fault(_)) => needs_proof,
            Goal::Cut(_) => true,
        };
        let mut remaining = graph.language(wanted, self.budget)?;
        while let Some(word) = remaining.shortest() {
            self.note(&remaining)?;
            match judge(
                system,
                &word,
                self.config.max_parts,
                &mut self.prover,
                self.budget,
            )? {
                Feasibility::Infeasible(predicates) => {
                    let mut automaton =
                        FloydHoare::new(system, &mut self.prover, predicates, self.budget)?;
                    remaining = remaining.minus(&mut automaton, self.budget)?;
                    if remaining.accepts(&word) {
                        remaining = self.without(&remaining, &word)?;
                    }
                }
                _ => {
                    if let Some(Goal::Cut(cut)) = graph.goal(&word) {
                        return Err(Gap::Cut(cut));
                    }
                }
            }
        }
        Ok(())
    }

    fn one_by_one(
        &mut self,
        graph: &ProgramGraph,
        system: &mut System,
        mut unseen: Language,
    ) -> Result<(), Gap> {
        while let Some(word) = unseen.shortest() {
            self.note(&unseen)?;
            match self.look(graph, system, &word)? {
                Verdict::Refuted(predicates) => {
                    let mut automaton =
                        FloydHoare::new(system, &mut self.prover, predicates, self.budget)?;
                    unseen = unseen.minus(&mut automaton, self.budget)?;
                }
                Verdict::Error if self.traces.len() >= self.config.max_traces => {
                    return Err(Gap::MaxTraces);
                }
                _ => {}
            }
            if unseen.accepts(&word) {
                unseen = self.without(&unseen, &word)?;
            }
        }
        Ok(())
    }
}

/// The words that abstract runs take; where that is a large automaton, those whose letters they have.
fn possible(
    all: &Language,
    impossible: &mut Impossible<'_>,
    budget: &Budget,
) -> Result<Language, StopReason> {
    let n_letters = impossible.graph.edges.len();
    let letters = match all.minus_within(impossible, MAX_ABSTRACT, budget) {
        Ok(exact) if exact.n_states() <= LARGER * all.n_states() => return Ok(exact),
        Ok(exact) => exact.letters(n_letters),
        Err(StopReason::Memory) => (0..n_letters).map(|a| impossible.may_take(a)).collect(),
        Err(reason) => return Err(reason),
    };
    all.of_letters(&letters, budget)
}

/// A statement that occurs several times is relevant if one of its occurrences is.
pub fn once_each<K: Ord + Clone>(assigning: Vec<Assigning<K>>) -> Vec<Assigning<K>> {
    let mut all: BTreeMap<K, Assigning<K>> = BTreeMap::new();
    for one in assigning {
        match all.get_mut(&one.statement) {
            None => {
                all.insert(one.statement.clone(), one);
            }
            Some(known) => {
                known.distance = known.distance.min(one.distance);
                known.relevant = match (known.relevant, one.relevant) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (None, _) | (_, None) => None,
                    _ => Some(false),
                };
            }
        }
    }
    all.into_values().collect()
}

pub(super) fn rank<K: Ord + Clone, T>(traces: &[ErrorTrace<K, T>]) -> Vec<ProgramRelevance<K>> {
    let mut all: BTreeMap<K, ProgramRelevance<K>> = BTreeMap::new();
    for (number, trace) in traces.iter().enumerate() {
        for one in &trace.assigning {
            let entry = all
                .entry(one.statement.clone())
                .or_insert_with(|| ProgramRelevance {
                    statement: one.statement.clone(),
                    relevant_in: Vec::new(),
                    in_every: Some(true),
                    distance: one.distance,
                });
            entry.distance = entry.distance.min(one.distance);
            if one.relevant == Some(true) {
                entry.relevant_in.push(number);
            }
        }
    }
    for entry in all.values_mut() {
        for trace in traces {
            let own = |a: &&Assigning<K>| a.statement == entry.statement;
            let here = trace.assigning.iter().find(own);
            match here.map_or(Some(false), |a| a.relevant) {
                Some(true) => {}
                Some(false) => entry.in_every = Some(false),
                None if entry.in_every == Some(true) => entry.in_every = None,
                None => {}
            }
        }
    }
    let mut list: Vec<ProgramRelevance<K>> = all.into_values().collect();
    list.sort_by(|a, b| {
        (b.relevant_in.len().cmp(&a.relevant_in.len()))
            .then(a.distance.cmp(&b.distance))
            .then(a.statement.cmp(&b.statement))
    });
    list
}

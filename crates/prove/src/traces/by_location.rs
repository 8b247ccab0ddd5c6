//! One danger automaton for all error traces found so far, with one invariant a location.
//!
//! A canonical danger automaton ([`danger`](super::danger)) has a state for every location *and* predicate, and is
//! made for one trace and what remains. Loops are then taken away one number of rounds at a time. Here the
//! predicates of all traces are kept, over the program's own graph, and those of a location are joined:
//! `f(q)` is the union of all `φ` in `α(q)`. That is a danger automaton by the same definition:
//!
//! * condition (4): a feasible trace's first predicate is not empty, and it is in `α` of the first location;
//! * condition (5): every `φ` of `α(q)` is in the union of `pre(φ', s)` over the edges of `q`, so their union is.
//!
//! Its edges are those over which some state of `f(q)` leads to one of `f(q')`. As a letter says where it starts
//! and ends, the automaton is a set of letters, and it accepts a word if all of its letters are in the set. So
//! every error trace that is looked at has an edge that no error trace before it explained, and there are at most as
//! many as edges: for a loop one trace that does not enter it and one that does.

use super::danger::{Annotated, Inclusion, Possibly, included, pre};
use super::language::Language;
use super::prover::{Holds, Prover};
use super::system::System;
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{Evaluator, Model};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// States outside that are kept of a predicate.
const MAX_SAMPLES: usize = 8;

/// See the module.
pub struct ByLocation {
    /// By state of the language, the states that have an edge to it.
    before: Vec<Vec<usize>>,
    pub predicates: Vec<Possibly>,
    /// By state of the language: its predicates, ascending.
    pub alpha: Vec<Vec<u32>>,
    /// By letter.
    covered: Vec<bool>,
    pres: FxHashMap<(usize, u32), Possibly>,
    /// Not connected, by predicates and letter.
    apart: FxHashSet<(u32, usize, u32)>,
    samples: Vec<Vec<Model>>,
}

impl ByLocation {
    /// Of no trace: nothing is covered. The language is that of all error traces.
    pub fn new(system: &mut System, language: &Language) -> Self {
        let n = language.n_states();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for q in 0..n {
            for edge in language.edges(q) {
                if before[edge.to].last() != Some(&q) {
                    before[edge.to].push(q);
                }
            }
        }
        let mut alpha: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (q, own) in alpha.iter_mut().enumerate() {
            if language.is_accepting(q) {
                own.push(0);
            }
        }
        let everything = Possibly {
            body: system.terms.tt(),
            bound: Vec::new(),
        };
        Self {
            before,
            predicates: vec![everything],
            alpha,
            covered: vec![false; system.commands.len()],
            pres: FxHashMap::default(),
            apart: FxHashSet::default(),
            samples: vec![Vec::new()],
        }
    }

    /// Whether every word with this letter and others like it is in the automaton.
    pub fn covers(&self, letter: usize) -> bool {
        self.covered[letter]
    }

    pub fn accepts(&self, word: &[usize]) -> bool {
        word.iter().all(|&letter| self.covers(letter))
    }

    /// Takes a feasible word of the language in. `false` if a letter of it is not exact: then its `pre` is
    /// not known, and nothing changes. At most `max_questions` are asked.
    pub fn add(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        language: &Language,
        word: &[usize],
        max_questions: u64,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let Some(run) = language.run(word) else {
            return Ok(false);
        };
        if word.iter().any(|&a| !system.commands[a].is_exact) {
            return Ok(false);
        }
        let mut now = 0u32;
        let mut changed = Vec::new();
        for (&letter, &q) in word.iter().zip(&run).rev() {
            let next = self.pre(system, prover, letter, now, budget)?;
            now = self.number(next);
            if let Err(at) = self.alpha[q].binary_search(&now) {
                self.alpha[q].insert(at, now);
                changed.push(q);
            }
            // The trace is feasible, so the predicate is not empty.
            self.covered[letter] = true;
        }
        let last = prover.n_calls().saturating_add(max_questions);
        self.saturate(system, prover, language, changed, last, budget)?;
        self.connect(system, prover, language, budget)?;
        Ok(true)
    }

    fn number(&mut self, possibly: Possibly) -> u32 {
        let same = |p: &Possibly| p.body == possibly.body;
        if let Some(known) = self.predicates.iter().position(same) {
            return known as u32;
        }
        self.predicates.push(possibly);
        self.samples.push(Vec::new());
        self.predicates.len() as u32 - 1
    }

    fn pre(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        letter: usize,
        predicate: u32,
        budget: &Budget,
    ) -> Result<Possibly, StopReason> {
        if let Some(known) = self.pres.get(&(letter, predicate)) {
            return Ok(known.clone());
        }
        let possibly = &self.predicates[predicate as usize];
        let found = pre(system, prover, letter, possibly, budget)?;
        self.pres.insert((letter, predicate), found.clone());
        Ok(found)
    }

    /// The inference rule of the canonical automaton, from the locations that have changed. Every pair was
    /// justified by pairs before it, so stopping early leaves a smaller automaton.
    fn saturate(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        language: &Language,
        changed: Vec<usize>,
        last: u64,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let mut waiting = vec![false; language.n_states()];
        let mut queue = VecDeque::new();
        for q in changed {
            for &p in &self.before[q] {
                if !std::mem::replace(&mut waiting[p], true) {
                    queue.push_back(p);
                }
            }
        }
        while let Some(q) = queue.pop_front() {
            waiting[q] = false;
            if language.is_accepting(q) {
                continue;
            }
            let right = self.ahead(system, prover, language, q, budget)?;
            let mut grew = false;
            for i in 0..self.predicates.len() as u32 {
                let Err(at) = self.alpha[q].binary_search(&i) else {
                    continue;
                };
                if prover.n_calls() >= last {
                    return Ok(());
                }
                if self.follows(system, prover, i, &right, budget)? {
                    self.alpha[q].insert(at, i);
                    grew = true;
                }
            }
            if grew {
                for &p in &self.before[q] {
                    if !std::mem::replace(&mut waiting[p], true) {
                        queue.push_back(p);
                    }
                }
            }
        }
        Ok(())
    }

    /// `pre` of all that is known of the locations after this one.
    fn ahead(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        language: &Language,
        q: usize,
        budget: &Budget,
    ) -> Result<Vec<Possibly>, StopReason> {
        let mut right: Vec<Possibly> = Vec::new();
        for edge in language.edges(q) {
            if !system.commands[edge.letter].is_exact {
                continue;
            }
            for predicate in self.alpha[edge.to].clone() {
                let possibly = self.pre(system, prover, edge.letter, predicate, budget)?;
                let is_known = right.iter().any(|r| r.body == possibly.body);
                if !is_known && !system.terms.known_false(possibly.body) {
                    right.push(possibly);
                }
            }
        }
        Ok(right)
    }

    fn follows(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        left: u32,
        right: &[Possibly],
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let possibly = &self.predicates[left as usize];
        if right.iter().any(|r| r.body == possibly.body) {
            return Ok(true);
        }
        let terms = &mut system.terms;
        let is_outside = |model: &Model| {
            let mut evaluator = Evaluator::new(terms, model);
            (right.iter()).all(|r| r.bound.is_empty() && !evaluator.eval_bool(r.body))
        };
        let samples = &mut self.samples[left as usize];
        if samples.iter().any(is_outside) {
            return Ok(false);
        }
        match included(terms, prover, possibly, right, budget)? {
            Inclusion::Holds => return Ok(true),
            Inclusion::Fails(model) if samples.len() < MAX_SAMPLES => {
                samples.extend(model.map(|m| *m));
            }
            Inclusion::Fails(_) | Inclusion::Unknown => {}
        }
        Ok(false)
    }

    /// Covers the letters over which a state of one invariant leads to one of the other.
    fn connect(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        language: &Language,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        for q in 0..language.n_states() {
            for edge in language.edges(q) {
                if self.covered[edge.letter] || !system.commands[edge.letter].is_exact {
                    continue;
                }
                self.covered[edge.letter] =
                    self.connects(system, prover, (q, edge.letter, edge.to), budget)?;
            }
        }
        Ok(())
    }

    fn connects(
        &mut self,
        system: &mut System,
        prover: &mut Prover,
        (q, letter, to): (usize, usize, usize),
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        for before in self.alpha[q].clone() {
            for after in self.alpha[to].clone() {
                if self.apart.contains(&(before, letter, after)) {
                    continue;
                }
                let ahead = self.pre(system, prover, letter, after, budget)?.body;
                let parts = [self.predicates[before as usize].body, ahead];
                // In doubt it is covered: more edges do no harm to condition (5), fewer might. Bound variables of the
                // two are others; they coincide only where one was made from the
                // other, and then the same value does.
                if prover.ask(&system.terms, &parts, budget)? != Holds::Never {
                    return Ok(true);
                }
                self.apart.insert((before, letter, after));
            }
        }
        Ok(false)
    }

    /// The automaton with its predicates, for [`Annotated::is_danger`]: a state for each predicate, because a
    /// union of predicates with bound variables is no [`Possibly`]. If this one is a danger automaton, so is
    /// that of the unions.
    pub fn annotated(&self, language: &Language) -> Annotated {
        let mut result = Annotated::default();
        let mut states: Vec<Vec<usize>> = Vec::new();
        for q in 0..language.n_states() {
            let mut own = Vec::new();
            for &i in &self.alpha[q] {
                own.push(result.accepting.len());
                result.accepting.push(language.is_accepting(q));
                result.predicates.push(self.predicates[i as usize].clone());
            }
            states.push(own);
        }
        result.initial = states.first().cloned().unwrap_or_default();
        for (q, own) in states.iter().enumerate() {
            for edge in language.edges(q).filter(|e| self.covered[e.letter]) {
                for &from in own {
                    for &to in &states[edge.to] {
                        result.edges.push((from, edge.letter, to));
                    }
                }
            }
        }
        result
    }
}

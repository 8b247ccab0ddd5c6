//! Danger automata: sets of traces every feasible prefix of which can go on to the error.
//!
//! Seed 004, §4.4 and §4.5. Its "inferior" (whose definition contradicts propositions 4.5 and 4.7)
//! is read as: every word of the danger automaton is one of the remaining language, which the
//! construction has by itself, since it follows the remaining automaton's edges.
//!
//! | there | here |
//! |---|---|
//! | `f : Q → Preds`, conditions (4), (5) | [`Annotated`], [`Annotated::is_danger`] |
//! | `φ_0 … φ_n` | [`Canonical::predicates`] |
//! | `α` | [`Canonical::alpha`] |
//! | `A_D`, subtracted | [`Canonical`] as a [`Subtrahend`] |
//!
//! The inference rule is applied to the trace's own run first, which needs no solver. Every pair that
//! it gives was justified by pairs before it, so stopping early leaves a danger automaton, only a
//! smaller one: that is what `max_questions` does. A letter that is not exact justifies nothing.

use super::floyd_hoare::solve_for;
use super::language::{Edge, Language, Subtrahend};
use super::prover::{Holds, Prover};
use super::system::{System, conjuncts, variables};
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{Evaluator, Model, TermId, Terms};
use rustc_hash::FxHashMap;

/// Holds of a state if the body does for some values of what is bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possibly {
    pub body: TermId,
    pub bound: Vec<TermId>,
}

/// An automaton over the letters of a system with a predicate on every state.
#[derive(Clone, Debug, Default)]
pub struct Annotated {
    pub initial: Vec<usize>,
    pub accepting: Vec<bool>,
    pub edges: Vec<(usize, usize, usize)>,
    pub predicates: Vec<Possibly>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    Danger,
    /// Condition (4): every initial state has the predicate false, or there is none.
    NoStart,
    /// Condition (5) fails at this state.
    Leaves(usize),
    Unknown,
}

impl Annotated {
    /// Whether conditions (4) and (5) hold for these predicates.
    pub fn is_danger(
        &self,
        system: &mut System,
        prover: &mut Prover,
        budget: &Budget,
    ) -> Result<Judgement, StopReason> {
        if !self.accepting.contains(&true) {
            return Ok(Judgement::NoStart);
        }
        let mut has_start = false;
        for &q in &self.initial {
            match prover.ask(&system.terms, &[self.predicates[q].body], budget)? {
                Holds::Together(_) => has_start = true,
                Holds::Never => {}
                Holds::Unknown => return Ok(Judgement::Unknown),
            }
        }
        if !has_start {
            return Ok(Judgement::NoStart);
        }
        for q in 0..self.accepting.len() {
            if self.accepting[q] {
                continue;
            }
            let mut targets = Vec::new();
            for &(from, letter, to) in &self.edges {
                if from == q && system.commands[letter].is_exact {
                    let to = &self.predicates[to];
                    targets.push(pre(system, prover, letter, to, budget)?);
                }
            }
            let terms = &mut system.terms;
            match included(terms, prover, &self.predicates[q], &targets, budget)? {
                Inclusion::Holds => {}
                Inclusion::Fails(_) => return Ok(Judgement::Leaves(q)),
                Inclusion::Unknown => return Ok(Judgement::Unknown),
            }
        }
        Ok(Judgement::Danger)
    }
}

pub(super) fn pre(
    system: &mut System,
    prover: &mut Prover,
    letter: usize,
    predicate: &Possibly,
    budget: &Budget,
) -> Result<Possibly, StopReason> {
    let (body, mut bound) = system.pre(letter, predicate.body);
    bound.extend(predicate.bound.iter().copied());
    without_choices(system, prover, body, bound, budget)
}

/// The same predicate with fewer bound variables: those that an equation names are replaced, and
/// conditions on nothing but bound variables, which some values fulfil, are left out. Most inputs
/// only decide a branch, so this leaves few questions with an alternation.
fn without_choices(
    system: &mut System,
    prover: &mut Prover,
    body: TermId,
    mut bound: Vec<TermId>,
    budget: &Budget,
) -> Result<Possibly, StopReason> {
    if bound.is_empty() {
        return Ok(Possibly { body, bound });
    }
    let mut parts = Vec::new();
    conjuncts(&system.terms, body, &mut parts);
    solve_for(&mut system.terms, &mut parts, &mut bound);
    let mut groups: Vec<(Vec<TermId>, Vec<TermId>)> = Vec::new();
    let mut kept = Vec::new();
    for part in parts {
        let names = variables(&system.terms, part);
        if !names.iter().any(|v| bound.contains(v)) {
            kept.push(part);
            continue;
        }
        // Parts that share a variable that is bound belong together.
        let mut group = (vec![part], names);
        groups.retain_mut(|other| {
            let shares = |v: &TermId| bound.contains(v) && group.1.contains(v);
            let joins = other.1.iter().any(shares);
            if joins {
                group.0.append(&mut other.0);
                group.1.append(&mut other.1);
            }
            !joins
        });
        groups.push(group);
    }
    for (parts, names) in groups {
        let is_free = names.iter().all(|v| bound.contains(v));
        if !is_free
            || !matches!(
                prover.ask(&system.terms, &parts, budget)?,
                Holds::Together(_)
            )
        {
            kept.extend(parts);
        }
    }
    // The order of parts is that of their making, whatever group they were in.
    kept.sort_unstable();
    let body = system.terms.and_all(&kept);
    let names = variables(&system.terms, body);
    bound.retain(|d| names.contains(d));
    Ok(Possibly { body, bound })
}

pub(super) enum Inclusion {
    Holds,
    /// In this state of the left side, if there was no alternation.
    Fails(Option<Box<Model>>),
    Unknown,
}

/// Is every state of `left` one of some of the right sides?
pub(super) fn included(
    terms: &mut Terms,
    prover: &mut Prover,
    left: &Possibly,
    right: &[Possibly],
    budget: &Budget,
) -> Result<Inclusion, StopReason> {
    let mut outside = vec![left.body];
    // What is bound on the right is read universally in the negation. A variable that is bound on
    // both sides is free on the left, so it is another one there; for such a right side it is
    // sound, and the usual case, to take the left side's value as the witness.
    let mut forall: Vec<TermId> = Vec::new();
    for possibly in right {
        outside.push(terms.not(possibly.body));
        forall.extend(possibly.bound.iter().filter(|d| !left.bound.contains(d)));
    }
    forall.sort_unstable();
    forall.dedup();
    if forall.is_empty() {
        return Ok(match prover.ask(terms, &outside, budget)? {
            Holds::Never => Inclusion::Holds,
            Holds::Together(model) => Inclusion::Fails(Some(model)),
            Holds::Unknown => Inclusion::Unknown,
        });
    }
    let phi = terms.and_all(&outside);
    Ok(match prover.ask_alternating(terms, phi, &forall, budget)? {
        Some(false) => Inclusion::Holds,
        Some(true) => Inclusion::Fails(None),
        None => Inclusion::Unknown,
    })
}

/// The canonical danger automaton of a remaining language and one of its feasible words.
pub struct Canonical<'a> {
    system: &'a mut System,
    prover: &'a mut Prover,
    /// `φ_0 … φ_n`, each once.
    pub predicates: Vec<Possibly>,
    /// By state of the language: the predicates it has, ascending.
    pub alpha: Vec<Vec<u32>>,
    /// Nothing was left out: no question was undecided, and there were enough of them.
    pub is_complete: bool,
    known: FxHashMap<(u32, usize, u32), bool>,
    pres: FxHashMap<(usize, u32), Possibly>,
}

impl<'a> Canonical<'a> {
    /// `None` if a letter of the word is not exact: then its `pre` is not known.
    pub fn new(
        system: &'a mut System,
        prover: &'a mut Prover,
        language: &Language,
        word: &[usize],
        max_questions: u64,
        budget: &Budget,
    ) -> Result<Option<Self>, StopReason> {
        let Some(run) = language.run(word) else {
            return Ok(None);
        };
        if word.iter().any(|&a| !system.commands[a].is_exact) {
            return Ok(None);
        }
        let mut predicates = vec![Possibly {
            body: system.terms.tt(),
            bound: Vec::new(),
        }];
        let mut alpha: Vec<Vec<u32>> = vec![Vec::new(); language.n_states()];
        for (q, own) in alpha.iter_mut().enumerate() {
            if language.is_accepting(q) {
                own.push(0);
            }
        }
        let mut pres = FxHashMap::default();
        let mut now = 0u32;
        for (&letter, &q) in word.iter().zip(&run).rev() {
            let next = pre(system, prover, letter, &predicates[now as usize], budget)?;
            pres.insert((letter, now), next.clone());
            let known = predicates.iter().position(|p| p.body == next.body);
            now = match known {
                Some(i) => i as u32,
                None => {
                    predicates.push(next);
                    predicates.len() as u32 - 1
                }
            };
            if let Err(at) = alpha[q].binary_search(&now) {
                alpha[q].insert(at, now);
            }
        }
        let mut this = Self {
            system,
            prover,
            predicates,
            alpha,
            is_complete: true,
            known: FxHashMap::default(),
            pres,
        };
        this.saturate(language, max_questions, budget)?;
        Ok(Some(this))
    }

    fn pre(
        &mut self,
        letter: usize,
        predicate: u32,
        budget: &Budget,
    ) -> Result<Possibly, StopReason> {
        if let Some(known) = self.pres.get(&(letter, predicate)) {
            return Ok(known.clone());
        }
        let possibly = self.predicates[predicate as usize].clone();
        let found = pre(self.system, self.prover, letter, &possibly, budget)?;
        self.pres.insert((letter, predicate), found.clone());
        Ok(found)
    }

    /// Applies the inference rule until nothing changes.
    fn saturate(
        &mut self,
        language: &Language,
        max_questions: u64,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let n = language.n_states();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for q in 0..n {
            for edge in language.edges(q) {
                if before[edge.to].last() != Some(&q) {
                    before[edge.to].push(q);
                }
            }
        }
        // States of each predicate that some earlier question found outside.
        let mut samples: Vec<Vec<Model>> = vec![Vec::new(); self.predicates.len()];
        let first = self.prover.n_calls();
        let mut waiting = vec![false; n];
        let mut queue = std::collections::VecDeque::new();
        for (q, list) in before.iter().enumerate() {
            for &p in list {
                if !self.alpha[q].is_empty() && !std::mem::replace(&mut waiting[p], true) {
                    queue.push_back(p);
                }
            }
        }
        while let Some(q) = queue.pop_front() {
            waiting[q] = false;
            if language.is_accepting(q) {
                continue;
            }
            let mut right: Vec<Possibly> = Vec::new();
            for edge in language.edges(q) {
                if !self.system.commands[edge.letter].is_exact {
                    continue;
                }
                for predicate in self.alpha[edge.to].clone() {
                    let possibly = self.pre(edge.letter, predicate, budget)?;
                    let is_known = right.iter().any(|r| r.body == possibly.body);
                    if !is_known && !self.system.terms.known_false(possibly.body) {
                        right.push(possibly);
                    }
                }
            }
            let mut grew = false;
            for i in 0..self.predicates.len() as u32 {
                if self.alpha[q].binary_search(&i).is_ok() {
                    continue;
                }
                if self.prover.n_calls() - first >= max_questions {
                    self.is_complete = false;
                    return Ok(());
                }
                let left = self.predicates[i as usize].clone();
                if self.follows(&left, &right, &mut samples[i as usize], budget)?
                    && let Err(at) = self.alpha[q].binary_search(&i)
                {
                    self.alpha[q].insert(at, i);
                    grew = true;
                }
            }
            if grew {
                for &p in &before[q] {
                    if !std::mem::replace(&mut waiting[p], true) {
                        queue.push_back(p);
                    }
                }
            }
        }
        Ok(())
    }

    fn follows(
        &mut self,
        left: &Possibly,
        right: &[Possibly],
        samples: &mut Vec<Model>,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        if right.iter().any(|r| r.body == left.body) {
            return Ok(true);
        }
        let terms = &mut self.system.terms;
        let is_outside = |model: &Model| {
            let mut evaluator = Evaluator::new(terms, model);
            (right.iter()).all(|r| r.bound.is_empty() && !evaluator.eval_bool(r.body))
        };
        if samples.iter().any(is_outside) {
            return Ok(false);
        }
        match included(terms, self.prover, left, right, budget)? {
            Inclusion::Holds => return Ok(true),
            Inclusion::Fails(model) => {
                if samples.len() < MAX_SAMPLES {
                    samples.extend(model.map(|m| *m));
                }
            }
            Inclusion::Unknown => self.is_complete = false,
        }
        Ok(false)
    }

    /// Whether the automaton has an edge over the letter between these predicates. In doubt it has:
    /// more edges do no harm to condition (5).
    fn connects(
        &mut self,
        from: u32,
        letter: usize,
        to: u32,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        if let Some(&known) = self.known.get(&(from, letter, to)) {
            return Ok(known);
        }
        let after = self.pre(letter, to, budget)?.body;
        let before = self.predicates[from as usize].body;
        // Bound variables of the two are others; they coincide only where one was made from the
        // other, and then the same value does.
        let parts = [before, after];
        let found = self.prover.ask(&self.system.terms, &parts, budget)? != Holds::Never;
        self.known.insert((from, letter, to), found);
        Ok(found)
    }

    /// The automaton with its predicates, for [`Annotated::is_danger`].
    pub fn annotated(
        &mut self,
        language: &Language,
        budget: &Budget,
    ) -> Result<Annotated, StopReason> {
        let mut result = Annotated::default();
        let mut number = FxHashMap::default();
        for q in 0..language.n_states() {
            for &i in &self.alpha[q] {
                number.insert((q, i), result.accepting.len());
                if q == 0 {
                    result.initial.push(result.accepting.len());
                }
                result.accepting.push(language.is_accepting(q));
                result.predicates.push(self.predicates[i as usize].clone());
            }
        }
        for q in 0..language.n_states() {
            for edge in language.edges(q) {
                if !self.system.commands[edge.letter].is_exact {
                    continue;
                }
                for i in self.alpha[q].clone() {
                    for j in self.alpha[edge.to].clone() {
                        if self.connects(i, edge.letter, j, budget)? {
                            let (from, to) = (number[&(q, i)], number[&(edge.to, j)]);
                            result.edges.push((from, edge.letter, to));
                        }
                    }
                }
            }
        }
        Ok(result)
    }
}

const MAX_SAMPLES: usize = 8;

impl Subtrahend for Canonical<'_> {
    /// The predicates of the automaton's states after the word, ascending.
    type State = Vec<u32>;

    fn start(&mut self) -> Self::State {
        self.alpha.first().cloned().unwrap_or_default()
    }

    fn step(
        &mut self,
        state: &Self::State,
        edge: Edge,
        budget: &Budget,
    ) -> Result<Option<Self::State>, StopReason> {
        let mut next = Vec::new();
        if self.system.commands[edge.letter].is_exact {
            for to in self.alpha[edge.to].clone() {
                for &from in state {
                    if self.connects(from, edge.letter, to, budget)? {
                        next.push(to);
                        break;
                    }
                }
            }
        }
        Ok(Some(next))
    }

    fn takes(&self, state: &Self::State) -> bool {
        !state.is_empty()
    }
}

//! Asking the solver whether some value at a statement blocks the trace: the third way of
//! [`relevance`](crate::relevance), in one context for many statements.
//!
//! Any state and any value, with all later draws read universally: counterexample-guided, as in
//! `smt::exists_forall`. Later checks that share no later draw with those that read the value are left
//! out. They can be fulfilled on their own, because the state is coreachable, so they never decide.

use crate::component::Components;
use crate::graph::{Graph, ItemKind, ItemNo, rewritten};
use crate::relevance::{Candidate, LocalizeConfig, Relevance, RelevanceDoubt};
use crate::trying::{Trying, affected, blocking, later_draws};
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{Model, Outcome, Solver, Substitution, TermId, Terms, mask};
use idiolect_symex::rerun::AssignedKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// What all workers read.
pub(crate) struct Shared<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) candidates: &'a [Candidate],
    pub(crate) over_draws: &'a [TermId],
    pub(crate) components: &'a Components,
    pub(crate) config: &'a LocalizeConfig,
}

/// Answers candidates one after the other, in one context.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    terms: Terms,
    /// By components: knows that their checks hold; made when it is needed.
    along_trace: FxHashMap<Vec<usize>, Solver>,
    /// Knows nothing.
    plain: Solver,
    n_calls: u64,
}

/// The later checks with another value.
struct Later {
    replaced: Vec<TermId>,
    /// All hold exactly where the trace can be finished.
    exact: Vec<TermId>,
    /// Where these do not hold, nothing is known.
    inexact: Vec<TermId>,
    /// Variables of these that are drawn later.
    universal: Vec<TermId>,
    /// Those that the checks with the other value read themselves.
    direct: Vec<TermId>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, terms: Terms) -> Self {
        Self {
            shared,
            terms,
            along_trace: FxHashMap::default(),
            plain: Solver::new(),
            n_calls: 0,
        }
    }

    /// The answers to these candidates, and how often a solver was asked.
    pub(crate) fn run(mut self, part: &[usize], budget: &Budget) -> (Vec<(usize, Relevance)>, u64) {
        let mut answers = Vec::new();
        for &number in part {
            let candidate = &self.shared.candidates[number];
            // Conflicts are counted for each statement; the clock goes on for all of them.
            let own = Budget::steps(self.shared.config.conflicts).cancelled_by(budget.canceller());
            let own = match budget.deadline() {
                Some(deadline) => own.until(deadline),
                None => own,
            };
            let answer = match budget.look() {
                Ok(()) => self.relevance(candidate, &own),
                Err(reason) => Err(reason),
            };
            let answer = answer.unwrap_or_else(|r| Relevance::Unknown(RelevanceDoubt::Stopped(r)));
            answers.push((number, answer));
        }
        (answers, self.n_calls)
    }

    fn relevance(
        &mut self,
        candidate: &Candidate,
        budget: &Budget,
    ) -> Result<Relevance, StopReason> {
        let later = self.later(candidate, budget)?;
        let exact = self.terms.and_all(&later.exact);
        let inexact = self.terms.and_all(&later.inexact);
        let blocked = self.terms.not(exact);
        // With this value the run stays where we know it, and the trace is blocked.
        let question = self.terms.and(inexact, blocked);
        let found = match self.in_this_run(candidate, &later, question, budget)? {
            Some(values) => Found::Values(values),
            None => self.exists_forall(candidate, &later, question, budget)?,
        };
        match found {
            Found::Values(values) => {
                let (terms, graph) = (&self.terms, self.shared.graph);
                let own = Trying::new(terms, graph, self.shared.config).is_blocked_by(
                    candidate,
                    &values,
                    &Budget::unlimited(),
                )?;
                let own = blocking(terms, graph, candidate, values, own);
                return Ok(Relevance::Relevant(own));
            }
            Found::Rounds => return Ok(Relevance::Unknown(RelevanceDoubt::Rounds)),
            Found::None => {}
        }
        let has_pointers = candidate.kinds.contains(&AssignedKind::Pointer);
        if candidate.assigns_more || (has_pointers && !self.terms.known_true(exact)) {
            return Ok(Relevance::Unknown(RelevanceDoubt::Memory));
        }
        if self.shared.graph.has_open_places {
            // States with accesses elsewhere were left out.
            return Ok(Relevance::Unknown(RelevanceDoubt::Memory));
        }
        if later.inexact.is_empty() {
            return Ok(Relevance::NotRelevant);
        }
        let unknown = self.terms.not(inexact);
        let either = self.terms.or(unknown, blocked);
        Ok(match self.ask(&[either], budget)? {
            None => Relevance::NotRelevant,
            Some(_) => Relevance::Unknown(RelevanceDoubt::Memory),
        })
    }

    fn later(&mut self, candidate: &Candidate, budget: &Budget) -> Result<Later, StopReason> {
        let Shared {
            graph, over_draws, ..
        } = *self.shared;
        let mut other: FxHashMap<ItemNo, TermId> = FxHashMap::default();
        let mut replaced = Vec::new();
        for &item in &candidate.items {
            let sort = self.terms.sort(graph.items[item as usize].subject);
            let variable = self.terms.var("other", sort);
            other.insert(item, variable);
            replaced.push(variable);
        }
        let (mut exact, mut inexact) = (Vec::new(), Vec::new());
        let mut is_affected: FxHashSet<ItemNo> = FxHashSet::default();
        for number in affected(graph, candidate) {
            if number % 256 == 0 {
                budget.look()?;
            }
            let item = &graph.items[number as usize];
            if candidate.items.contains(&number)
                || item.reads.iter().all(|r| !other.contains_key(&r.1))
            {
                continue;
            }
            let value_of = |read: ItemNo| match other.get(&read) {
                Some(&term) => term,
                None => over_draws[read as usize],
            };
            let term = rewritten(&mut self.terms, item, value_of);
            if term == over_draws[number as usize] {
                continue;
            }
            match item.kind {
                ItemKind::Check { .. } if self.terms.known_true(term) => {
                    is_affected.insert(number);
                }
                ItemKind::Check { is_exact } => {
                    is_affected.insert(number);
                    if is_exact {
                        exact.push(term)
                    } else {
                        inexact.push(term)
                    }
                }
                _ => {
                    other.insert(number, term);
                }
            }
        }
        let mut later = Later {
            replaced,
            exact,
            inexact,
            universal: Vec::new(),
            direct: Vec::new(),
        };
        self.share_draws(candidate, &is_affected, &mut later);
        Ok(later)
    }

    /// Finds the variables that are drawn later, and adds the checks that share them.
    fn share_draws(
        &mut self,
        candidate: &Candidate,
        is_affected: &FxHashSet<ItemNo>,
        later: &mut Later,
    ) {
        let Shared {
            graph, over_draws, ..
        } = *self.shared;
        let from = later_draws(graph, candidate);
        let drawn: FxHashSet<TermId> = graph.items[from as usize..]
            .iter()
            .filter(|i| i.kind == ItemKind::Drawn)
            .map(|i| i.subject)
            .collect();
        if drawn.is_empty() {
            return;
        }
        let mut universal: FxHashSet<TermId> = FxHashSet::default();
        let all: Vec<TermId> = later.exact.iter().chain(&later.inexact).copied().collect();
        later.direct = self.drawn_of(&all, &drawn);
        universal.extend(later.direct.iter().copied());
        if universal.is_empty() {
            return;
        }
        // The statement's own conditions go with what it would have assigned.
        let first = if candidate.is_draw {
            from as usize
        } else {
            graph
                .first
                .get(candidate.statement + 1)
                .map_or(graph.items.len(), |&i| i as usize)
        };
        let mut rest: Vec<(usize, Vec<TermId>)> = Vec::new();
        let items = graph.items.iter().zip(over_draws).enumerate();
        for (number, (item, &term)) in items.skip(first) {
            let is_check = matches!(item.kind, ItemKind::Check { .. });
            if is_check && !is_affected.contains(&(number as ItemNo)) {
                let own = self.drawn_of(&[term], &drawn);
                if !own.is_empty() {
                    rest.push((number, own));
                }
            }
        }
        loop {
            let (joined, others): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, own)| own.iter().any(|v| universal.contains(v)));
            rest = others;
            if joined.is_empty() {
                break;
            }
            for (number, own) in joined {
                universal.extend(own);
                match graph.items[number].kind {
                    ItemKind::Check { is_exact: false } => later.inexact.push(over_draws[number]),
                    _ => later.exact.push(over_draws[number]),
                }
            }
        }
        later.universal = universal.into_iter().collect();
        later.universal.sort_unstable();
    }

    fn drawn_of(&self, terms: &[TermId], drawn: &FxHashSet<TermId>) -> Vec<TermId> {
        let (variables, _) = self.terms.variables_of(terms);
        let variables = variables.into_iter().map(|v| self.terms.variable_term(v));
        variables.filter(|v| drawn.contains(v)).collect()
    }

    /// A model in which all checks of the trace hold that have to do with these, and these too. To
    /// give the solver only the checks that its last model breaks, round by round, was tried: on the
    /// longest trace of FL that took twice the time.
    fn ask(&mut self, question: &[TermId], budget: &Budget) -> Result<Option<Model>, StopReason> {
        let Shared {
            over_draws,
            components,
            ..
        } = *self.shared;
        let terms = &self.terms;
        let own = components.of(terms, question);
        let solver = self.along_trace.entry(own).or_insert_with_key(|own| {
            let mut solver = Solver::new();
            for &number in own {
                for &check in &components.checks[number] {
                    solver.assert(terms, over_draws[check as usize]);
                }
            }
            solver
        });
        self.n_calls += 1;
        match solver.check(terms, question, budget) {
            Outcome::Sat(model) => Ok(Some(model)),
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    fn exists_forall(
        &mut self,
        candidate: &Candidate,
        later: &Later,
        question: TermId,
        budget: &Budget,
    ) -> Result<Found, StopReason> {
        if self.terms.known_false(question) {
            return Ok(Found::None);
        }
        if later.universal.is_empty() {
            let Some(model) = self.ask(&[question], budget)? else {
                return Ok(Found::None);
            };
            let values = self.values(later, &model);
            return Ok(Found::Values(
                self.smaller(candidate, later, question, values, budget),
            ));
        }
        let (variables, _) = self.terms.variables_of(&[question]);
        let chosen: Vec<TermId> = variables
            .into_iter()
            .map(|v| self.terms.variable_term(v))
            .filter(|v| later.universal.binary_search(v).is_err())
            .collect();
        // A proposal has to do for the later draws that its own run along the trace has.
        let mut instances = vec![question];
        for _ in 0..self.shared.config.rounds {
            let Some(proposal) = self.ask(&instances, budget)? else {
                return Ok(Found::None);
            };
            let Some(draws) = self.refute(later, question, &chosen, &proposal, budget)? else {
                return Ok(Found::Values(self.values(later, &proposal)));
            };
            let mut map = Substitution::default();
            for (variable, value) in draws {
                let sort = self.terms.sort(variable);
                let value = self.terms.constant(value, sort);
                map.terms.insert(variable, value);
            }
            instances.push(self.terms.substitute(question, &mut map));
        }
        Ok(Found::Rounds)
    }

    /// Later draws that lead to the end of the trace in spite of the proposal: as few as the solver's
    /// cores tell that are not those of the proposal's own run. The others stay open in the instance
    /// that is made of it, which then speaks of many states and not only of the one proposed.
    fn refute(
        &mut self,
        later: &Later,
        question: TermId,
        chosen: &[TermId],
        proposal: &Model,
        budget: &Budget,
    ) -> Result<Option<Vec<(TermId, u128)>>, StopReason> {
        let mut assumptions = vec![self.terms.not(question)];
        let same = |terms: &mut Terms, variable: TermId| {
            let value = proposal.eval(terms, variable);
            let value = terms.constant(value, terms.sort(variable));
            terms.eq(variable, value)
        };
        for &variable in chosen {
            assumptions.push(same(&mut self.terms, variable));
        }
        let mut kept: Vec<(TermId, TermId)> = Vec::new();
        for &variable in &later.universal {
            kept.push((variable, same(&mut self.terms, variable)));
        }
        loop {
            let mut all = assumptions.clone();
            all.extend(kept.iter().map(|k| k.1));
            self.n_calls += 1;
            match self.plain.check(&self.terms, &all, budget) {
                Outcome::Sat(model) => {
                    let is_kept = |v: &TermId| kept.iter().any(|k| k.0 == *v);
                    let free = later.universal.iter().filter(|v| !is_kept(v));
                    let draws = free.map(|&v| (v, model.eval(&self.terms, v)));
                    return Ok(Some(draws.collect()));
                }
                Outcome::Unsat(core) => {
                    // One at a time: a core is seldom the smallest.
                    let in_core = |k: &(TermId, TermId)| core.contains(&k.1);
                    let is_direct = |k: &(TermId, TermId)| later.direct.contains(&k.0);
                    let first = kept.iter().position(|k| in_core(k) && is_direct(k));
                    match first.or_else(|| kept.iter().position(in_core)) {
                        Some(first) => kept.remove(first),
                        None => return Ok(None),
                    };
                }
                Outcome::Unknown(reason) => return Err(reason),
            }
        }
    }

    /// Values that block the trace from the state of the run at hand, which fulfils all checks, so that
    /// nobody has to look for another one: cheap, and better to read. Not if something is drawn later.
    fn in_this_run(
        &mut self,
        candidate: &Candidate,
        later: &Later,
        question: TermId,
        budget: &Budget,
    ) -> Result<Option<Vec<u128>>, StopReason> {
        if !later.universal.is_empty() {
            return Ok(None);
        }
        let mut map = Substitution::default();
        for item in &self.shared.graph.items {
            if item.kind == ItemKind::Drawn {
                let sort = self.terms.sort(item.subject);
                let value = self.terms.constant(item.value, sort);
                map.terms.insert(item.subject, value);
            }
        }
        let here = self.terms.substitute(question, &mut map);
        if self.terms.known_false(here) {
            return Ok(None);
        }
        let Some(model) = self.ask(&[here], budget)? else {
            return Ok(None);
        };
        let values = self.values(later, &model);
        let values = self.smaller(candidate, later, here, values, budget);
        Ok(Some(values))
    }

    fn values(&self, later: &Later, model: &Model) -> Vec<u128> {
        let value = |v: &TermId| model.eval(&self.terms, *v);
        later.replaced.iter().map(value).collect()
    }

    /// A small value that does as well, if there is one.
    fn smaller(
        &mut self,
        candidate: &Candidate,
        later: &Later,
        question: TermId,
        values: Vec<u128>,
        budget: &Budget,
    ) -> Vec<u128> {
        let ([variable], [AssignedKind::Value]) = (&later.replaced[..], &candidate.kinds[..])
        else {
            return values;
        };
        let width = self.terms.width(*variable);
        let bits = self.terms.sort(*variable);
        if width < 6 || bits == idiolect_smt::Sort::Bool {
            return values;
        }
        for bound in [4, 32, 1024] {
            if values[0] < bound || bound >= mask(width) {
                break;
            }
            let limit = self.terms.bv(bound, width);
            let is_small = self.terms.ult(*variable, limit);
            if let Ok(Some(model)) = self.ask(&[question, is_small], budget) {
                return self.values(later, &model);
            }
        }
        values
    }
}

enum Found {
    Values(Vec<u128>),
    None,
    Rounds,
}

//! Infeasible traces and what they have in common with others: Floyd–Hoare automata.
//!
//! After M. Heizmann, J. Hoenicke, A. Podelski, *Software Model Checking for People Who Love
//! Automata* (2013), without interpolants. An infeasible trace is encoded with one assumption per
//! step; the failed ones are the steps that matter. From the end, the negated conditions of these
//! steps are carried back by weakest precondition: at each position a predicate whose states cannot
//! finish the trace. These predicates, their parts and the conditions themselves are the *atoms*.
//!
//! The automaton is deterministic and computed on demand: its states are sets of atoms, all of which
//! hold; a letter leads to the set of all atoms `a` for which `{all of the set} letter {a}` was proved.
//! Loops close where a set comes again. Where a set and a letter's condition contradict each other, no
//! run goes on, and every continuation is infeasible. A triple that was not proved is not used.
//!
//! What a letter draws may occur in what is carried back. It is read universally there (no value
//! helps): solved for where an equation names it, left out where the rest suffices, and else kept
//! as a bound variable, which makes a triple a question with one alternation.

use super::language::{Edge, Subtrahend};
use super::prover::{Holds, Prover};
use super::system::{Step, System, conjuncts, like, variables};
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{
    BinaryOp, Evaluator, Model, Node, Outcome, Solver, Substitution, TermId, Terms,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Holds of a state if the body does for all values of what is bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    pub body: TermId,
    pub bound: Vec<TermId>,
}

/// What is known of a trace.
pub enum Feasibility {
    /// The commands can be run one after the other; if all are exact, so can the statements.
    Possible,
    /// They cannot, and these predicates say why.
    Infeasible(Vec<Predicate>),
    Unknown,
}

const MAX_CONFLICTS: u64 = 200_000;

/// Whether the letters of the word can follow each other, and if not, why: the predicates of its
/// positions, and of their parts at most `max_parts`.
pub fn judge(
    system: &mut System,
    word: &[usize],
    max_parts: usize,
    prover: &mut Prover,
    budget: &Budget,
) -> Result<Feasibility, StopReason> {
    let unrolled = Unrolled::new(system, word);
    let mut solver = Solver::new();
    let share = budget.share(MAX_CONFLICTS);
    let outcome = solver.check(&system.terms, &unrolled.constraints, &share);
    let core = match outcome {
        Outcome::Sat(_) => {
            prover.count(solver.statistics().solver_calls);
            return Ok(Feasibility::Possible);
        }
        Outcome::Unknown(StopReason::Steps) => return Ok(Feasibility::Unknown),
        Outcome::Unknown(reason) => return Err(reason),
        Outcome::Unsat(core) => solver.minimize_core(&system.terms, &core, &share),
    };
    let (predicates, parts) = unrolled.explain(system, word, core, &mut solver, prover, &share)?;
    let predicates = with_parts(system, predicates, parts, max_parts);
    prover.count(solver.statistics().solver_calls);
    Ok(Feasibility::Infeasible(predicates))
}

/// The trace formula: a name of its own for every new value, a constraint for every step.
struct Unrolled {
    constraints: Vec<TermId>,
    /// By constraint: the letter's position in the word and the step's in the command.
    origins: Vec<(usize, usize)>,
    /// By position in the word: the names of the changed variables before that letter.
    names: Vec<FxHashMap<TermId, TermId>>,
}

impl Unrolled {
    fn new(system: &mut System, word: &[usize]) -> Self {
        let mut now: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut all = Self {
            constraints: Vec::new(),
            origins: Vec::new(),
            names: Vec::new(),
        };
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let terms = &mut system.terms;
        for (position, &letter) in word.iter().enumerate() {
            all.names.push(now.clone());
            let command = &system.commands[letter];
            for &variable in &command.drawn {
                let fresh = like(terms, "drawn", variable);
                now.insert(variable, fresh);
            }
            for (number, step) in command.steps.iter().enumerate() {
                let mut map = Substitution::default();
                map.terms.clone_from(&now);
                let constraint = match step {
                    &Step::Assume(assumed) => terms.substitute(assumed, &mut map),
                    Step::Assign(list) => {
                        let mut all = terms.tt();
                        for &(variable, value) in list {
                            let value = terms.substitute(value, &mut map);
                            let new = like(terms, "after", variable);
                            now.insert(variable, new);
                            let same = terms.eq(new, value);
                            all = terms.and(all, same);
                        }
                        all
                    }
                };
                // A condition that was there before adds nothing.
                if !terms.known_true(constraint) && seen.insert(constraint) {
                    all.constraints.push(constraint);
                    all.origins.push((position, number));
                }
            }
        }
        all.names.push(now);
        all
    }

    /// Carries the conditions that matter back to the start of the trace.
    fn explain(
        &self,
        system: &mut System,
        word: &[usize],
        core: Vec<TermId>,
        solver: &mut Solver,
        prover: &mut Prover,
        budget: &Budget,
    ) -> Result<(Vec<Predicate>, Vec<TermId>), StopReason> {
        let failed: FxHashSet<TermId> = core.iter().copied().collect();
        let mut matters: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (constraint, origin) in self.constraints.iter().zip(&self.origins) {
            if failed.contains(constraint) {
                matters.insert(*origin);
            }
        }
        let mut predicates: Vec<Predicate> = Vec::new();
        let mut parts: Vec<TermId> = Vec::new();
        let mut carried: Vec<TermId> = Vec::new();
        let mut bound: Vec<TermId> = Vec::new();
        for (position, &letter) in word.iter().enumerate().rev() {
            let mut fresh = Vec::new();
            let mut rename = Substitution::default();
            for &variable in &system.commands[letter].drawn {
                let new = like(&mut system.terms, "any", variable);
                rename.terms.insert(variable, new);
                fresh.push(new);
            }
            let steps = system.commands[letter].steps.clone();
            for (number, step) in steps.iter().enumerate().rev() {
                let is_needed = matters.contains(&(position, number));
                match step {
                    &Step::Assume(assumed) if is_needed => {
                        parts.push(assumed);
                        let assumed = system.terms.substitute(assumed, &mut rename);
                        conjuncts(&system.terms, assumed, &mut carried);
                    }
                    Step::Assume(_) => {}
                    Step::Assign(list) => {
                        let mut renamed = Vec::new();
                        for &(variable, value) in list {
                            if is_needed {
                                parts.push(system.terms.eq(variable, value));
                            }
                            let value = system.terms.substitute(value, &mut rename);
                            renamed.push((variable, value));
                        }
                        replace(&mut system.terms, &mut carried, &renamed);
                    }
                }
            }
            solve_for(&mut system.terms, &mut carried, &mut fresh);
            fresh.retain(|&d| mentions(&system.terms, &carried, d));
            let is_false = carried.iter().any(|&c| system.terms.known_false(c));
            if is_false {
                break;
            }
            if !fresh.is_empty() {
                // No value of what was drawn helps: then nothing before matters.
                if prover.ask(&system.terms, &carried, budget)? == Holds::Never {
                    break;
                }
                let rest: Vec<TermId> = carried
                    .iter()
                    .copied()
                    .filter(|&c| !fresh.iter().any(|&d| mentions(&system.terms, &[c], d)))
                    .collect();
                if self.refutes(system, position, &core, &rest, solver, budget)? {
                    carried = rest;
                } else {
                    bound.extend(fresh);
                }
            }
            bound.retain(|&d| mentions(&system.terms, &carried, d));
            let all = system.terms.and_all(&carried);
            let predicate = Predicate {
                body: system.terms.not(all),
                bound: bound.clone(),
            };
            let is_trivial = system.terms.as_const(predicate.body).is_some();
            if !is_trivial && !predicates.contains(&predicate) {
                predicates.push(predicate);
            }
            for &c in &carried {
                parts.push(system.terms.not(c));
            }
        }
        Ok((predicates, parts))
    }

    /// Whether the part of the core before `position` contradicts these conditions at it.
    fn refutes(
        &self,
        system: &mut System,
        position: usize,
        core: &[TermId],
        conditions: &[TermId],
        solver: &mut Solver,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut map = Substitution::default();
        map.terms.clone_from(&self.names[position]);
        let mut all: Vec<TermId> = (self.constraints.iter().zip(&self.origins))
            .filter(|(_, origin)| origin.0 < position)
            .map(|(&c, _)| c)
            .filter(|c| core.contains(c))
            .collect();
        for &condition in conditions {
            all.push(system.terms.substitute(condition, &mut map));
        }
        match solver.check(&system.terms, &all, budget) {
            Outcome::Unsat(_) => Ok(true),
            Outcome::Sat(_) | Outcome::Unknown(StopReason::Steps) => Ok(false),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

/// The predicates and, after them, some parts as predicates of their own.
fn with_parts(
    system: &System,
    mut predicates: Vec<Predicate>,
    parts: Vec<TermId>,
    max_parts: usize,
) -> Vec<Predicate> {
    let drawn: FxHashSet<TermId> = (system.commands.iter())
        .flat_map(|c| c.drawn.iter().copied())
        .collect();
    let bound: FxHashSet<TermId> = (predicates.iter())
        .flat_map(|p| p.bound.iter().copied())
        .collect();
    let mut n_parts = 0;
    for part in parts {
        let is_closed = !variables(&system.terms, part)
            .iter()
            .any(|v| drawn.contains(v) || bound.contains(v));
        let predicate = Predicate {
            body: part,
            bound: Vec::new(),
        };
        if n_parts < max_parts
            && is_closed
            && system.terms.as_const(part).is_none()
            && !predicates.contains(&predicate)
        {
            predicates.push(predicate);
            n_parts += 1;
        }
    }
    predicates
}

fn mentions(terms: &Terms, conditions: &[TermId], variable: TermId) -> bool {
    (conditions.iter()).any(|&c| variables(terms, c).binary_search(&variable).is_ok())
}

fn replace(terms: &mut Terms, conditions: &mut Vec<TermId>, list: &[(TermId, TermId)]) {
    let mut map = Substitution::default();
    for &(variable, value) in list {
        if mentions(terms, conditions, variable) {
            map.terms.insert(variable, value);
        }
    }
    if map.terms.is_empty() {
        return;
    }
    let before = std::mem::take(conditions);
    for condition in before {
        let new = terms.substitute(condition, &mut map);
        conjuncts(terms, new, conditions);
    }
}

/// Removes drawn variables that an equation names.
pub(super) fn solve_for(terms: &mut Terms, conditions: &mut Vec<TermId>, drawn: &mut Vec<TermId>) {
    drawn.retain(|&d| {
        let found = conditions.iter().find_map(|&c| match terms.node(c) {
            Node::Binary(BinaryOp::Eq, a, b) if a == d && !mentions(terms, &[b], d) => Some(b),
            Node::Binary(BinaryOp::Eq, a, b) if b == d && !mentions(terms, &[a], d) => Some(a),
            _ => None,
        });
        if let Some(value) = found {
            replace(terms, conditions, &[(d, value)]);
        }
        found.is_none()
    });
}

struct Atom {
    predicate: Predicate,
    /// The body as a conclusion: what is bound there is not what is bound in a hypothesis.
    concluded: TermId,
    /// Its state variables, ascending.
    variables: Vec<TermId>,
}

/// The automaton of some predicates; see the module.
pub struct FloydHoare<'a> {
    system: &'a mut System,
    prover: &'a mut Prover,
    atoms: Vec<Atom>,
    sets: Vec<Vec<u32>>,
    number: FxHashMap<Vec<u32>, u32>,
    known: FxHashMap<(u32, usize), Option<u32>>,
}

impl<'a> FloydHoare<'a> {
    pub fn new(
        system: &'a mut System,
        prover: &'a mut Prover,
        predicates: Vec<Predicate>,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let mut atoms = Vec::new();
        let mut start = Vec::new();
        for (i, predicate) in predicates.into_iter().enumerate() {
            let mut all = variables(&system.terms, predicate.body);
            all.retain(|v| !predicate.bound.contains(v));
            // At the start everything is possible, so only what always holds does.
            let wrong = system.terms.not(predicate.body);
            if prover.ask(&system.terms, &[wrong], budget)? == Holds::Never {
                start.push(i as u32);
            }
            let mut map = Substitution::default();
            for &d in &predicate.bound {
                let other = like(&mut system.terms, "other", d);
                map.terms.insert(d, other);
            }
            let concluded = system.terms.substitute(predicate.body, &mut map);
            atoms.push(Atom {
                predicate,
                concluded,
                variables: all,
            });
        }
        Ok(Self {
            system,
            prover,
            atoms,
            number: FxHashMap::from_iter([(start.clone(), 0)]),
            sets: vec![start],
            known: FxHashMap::default(),
        })
    }

    /// The states made so far.
    pub fn n_states(&self) -> usize {
        self.sets.len()
    }

    /// Whether the automaton accepts a word: some prefix of it was proved infeasible.
    pub fn accepts(&mut self, word: &[usize], budget: &Budget) -> Result<bool, StopReason> {
        let mut state = 0;
        for &letter in word {
            match self.next(state, letter, budget)? {
                Some(next) => state = next,
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    fn next(
        &mut self,
        state: u32,
        letter: usize,
        budget: &Budget,
    ) -> Result<Option<u32>, StopReason> {
        if let Some(&known) = self.known.get(&(state, letter)) {
            return Ok(known);
        }
        let found = self.compute(state, letter, budget)?;
        if cfg!(debug_assertions) {
            self.check_again(state, letter, found.as_deref(), budget);
        }
        let next = found.map(|set| {
            let new = self.sets.len() as u32;
            let number = *self.number.entry(set.clone()).or_insert(new);
            if number == new {
                self.sets.push(set);
            }
            number
        });
        self.known.insert((state, letter), next);
        Ok(next)
    }

    /// The atoms after the letter, or `None` if it cannot be run.
    fn compute(
        &mut self,
        state: u32,
        letter: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<u32>>, StopReason> {
        let set = self.sets[state as usize].clone();
        let condition = self.system.commands[letter].condition();
        let has_condition = !self.system.terms.known_true(condition);
        let mut result = Vec::new();
        let mut pending: Vec<(u32, TermId)> = Vec::new();
        let touched = self.reach_of(&set, condition);
        for (i, atom) in self.atoms.iter().enumerate() {
            let command = &self.system.commands[letter];
            let is_written = atom.variables.iter().any(|&v| command.writes(v));
            let holds = set.binary_search(&(i as u32)).is_ok();
            if !is_written && holds {
                result.push(i as u32);
            } else if is_written
                || (has_condition && atom.variables.iter().any(|v| touched.contains(v)))
            {
                pending.push((i as u32, atom.concluded));
            }
        }
        for (_, body) in &mut pending {
            *body = self.system.after(letter, *body);
        }
        let mut given: Vec<TermId> = Vec::new();
        let mut quantified: Vec<u32> = Vec::new();
        for &i in &set {
            let predicate = &self.atoms[i as usize].predicate;
            if predicate.bound.is_empty() {
                given.push(predicate.body)
            } else {
                quantified.push(i)
            }
        }
        if has_condition {
            given.push(condition);
            match self.impossible(&given, &quantified, budget)? {
                Ok(()) => return Ok(None),
                Err(model) => self.drop_refuted(&mut pending, model),
            }
        }
        while let Some((atom, after)) = pending.pop() {
            if self.system.terms.known_true(after) {
                result.push(atom);
                continue;
            }
            let wrong = self.system.terms.not(after);
            given.push(wrong);
            match self.impossible(&given, &quantified, budget)? {
                Ok(()) => result.push(atom),
                Err(model) => self.drop_refuted(&mut pending, model),
            }
            given.pop();
        }
        result.sort_unstable();
        Ok(Some(result))
    }

    /// The variables that the condition speaks of, together with those that atoms of the set relate
    /// to them: what else is true cannot have become so by the condition.
    fn reach_of(&self, set: &[u32], condition: TermId) -> FxHashSet<TermId> {
        let mut reach: FxHashSet<TermId> = variables(&self.system.terms, condition)
            .into_iter()
            .collect();
        loop {
            let before = reach.len();
            for &i in set {
                let atom = &self.atoms[i as usize];
                if atom.variables.iter().any(|v| reach.contains(v)) {
                    reach.extend(atom.variables.iter().copied());
                }
            }
            if reach.len() == before {
                return reach;
            }
        }
    }

    /// `Ok` if the conditions and the quantified atoms cannot hold together; else a state of the
    /// conditions, if one is known.
    fn impossible(
        &mut self,
        given: &[TermId],
        quantified: &[u32],
        budget: &Budget,
    ) -> Result<Result<(), Option<Box<Model>>>, StopReason> {
        let model = match self.prover.ask(&self.system.terms, given, budget)? {
            Holds::Never => return Ok(Ok(())),
            Holds::Together(model) => Some(model),
            Holds::Unknown => None,
        };
        if quantified.is_empty() {
            return Ok(Err(model));
        }
        let mut forall = Vec::new();
        let mut parts = given.to_vec();
        for &i in quantified {
            let predicate = &self.atoms[i as usize].predicate;
            parts.push(predicate.body);
            forall.extend(predicate.bound.iter().copied());
        }
        let terms = &mut self.system.terms;
        let phi = terms.and_all(&parts);
        let answer = self.prover.ask_alternating(terms, phi, &forall, budget)?;
        Ok(match answer {
            Some(false) => Ok(()),
            // The state need not be one of the quantified atoms.
            _ => Err(None),
        })
    }

    fn drop_refuted(&self, pending: &mut Vec<(u32, TermId)>, model: Option<Box<Model>>) {
        if let Some(model) = model {
            let mut evaluator = Evaluator::new(&self.system.terms, &model);
            pending.retain(|&(_, after)| evaluator.eval_bool(after));
        }
    }

    /// Every triple once more, all conclusions at once and without what an earlier question left.
    fn check_again(&mut self, state: u32, letter: usize, found: Option<&[u32]>, budget: &Budget) {
        let condition = self.system.commands[letter].condition();
        let mut parts = vec![condition];
        let mut forall = Vec::new();
        for &i in &self.sets[state as usize] {
            let predicate = &self.atoms[i as usize].predicate;
            parts.push(predicate.body);
            forall.extend(predicate.bound.iter().copied());
        }
        let mut all = self.system.terms.tt();
        for &i in found.unwrap_or_default() {
            let after = self.system.after(letter, self.atoms[i as usize].concluded);
            all = self.system.terms.and(all, after);
        }
        if found.is_some() {
            parts.push(self.system.terms.not(all));
        }
        let phi = self.system.terms.and_all(&parts);
        let limit = budget.share(2_000);
        let answer = if forall.is_empty() {
            !Solver::new()
                .check(&self.system.terms, &[phi], &limit)
                .is_sat()
        } else {
            use idiolect_smt::exists_forall::{Answer, exists_forall};
            let answer = exists_forall(&mut self.system.terms, phi, &forall, &limit);
            !matches!(answer, Answer::Exists { .. })
        };
        assert!(answer, "a Hoare triple of letter {letter} does not hold");
    }
}

impl Subtrahend for FloydHoare<'_> {
    type State = u32;

    fn start(&mut self) -> u32 {
        0
    }

    fn step(
        &mut self,
        state: &u32,
        edge: Edge,
        budget: &Budget,
    ) -> Result<Option<u32>, StopReason> {
        self.next(*state, edge.letter, budget)
    }

    fn takes(&self, _: &u32) -> bool {
        false
    }
}

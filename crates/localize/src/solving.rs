//! Is there a value with which the run passes? One site of a program, all inputs as in the run, and
//! the value unknown: every path that some value takes is followed.
//!
//! Where passing is a matter of decisions alone the answer is exact; where output is compared, one
//! value of each path is tried, and only a value that passes is an answer.

use crate::case::{Case, Judged};
use crate::replaced::{EVERY, Pinned, Site, pinned};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, RunOptions};
use idiolect_interp::{NoObserver, ZeroInputs};
use idiolect_ir::{Program, Property};
use idiolect_smt::{Evaluator, Outcome, Solver, TermId, Terms};
use idiolect_symex::EndKind;
use idiolect_symex::path::PathExplorer;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What is known of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Solved {
    /// With this value the run passes; it was done.
    Passes(u128),
    /// With no value.
    Never,
    Unknown,
}

/// How much may be done for one site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) paths: usize,
    pub(crate) decisions: usize,
    pub(crate) work: u64,
    pub(crate) conflicts: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            paths: 16,
            decisions: 300,
            work: 20_000,
            conflicts: 200,
        }
    }
}

/// A run, and a site in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) case: &'a Case,
    /// All inputs of the run.
    pub(crate) inputs: &'a [u128],
    pub(crate) site: Site,
    /// At which of its executions it is replaced: at every one if `None`.
    pub(crate) execution: Option<u64>,
}

/// Follows every path that the run may take with another value at the site. `work` is what may be
/// done in all; what this question takes is taken away.
pub(crate) fn solve(
    program: &Arc<Program>,
    properties: &[Property],
    question: Question<'_>,
    effort: Effort,
    work: &mut u64,
    budget: &Budget,
) -> Result<Solved, StopReason> {
    let every = 1u64 << EVERY;
    let numbers = Pinned {
        execution: question.execution.unwrap_or(0),
        replaced: 1 | question.execution.map_or(every, |_| 0),
        inputs: question.inputs,
    };
    let Some(copy) = pinned(program, question.site, &numbers) else {
        return Ok(Solved::Unknown);
    };
    debug_assert_eq!(idiolect_ir::verify(&copy), Ok(()));
    let check_overflow = properties.contains(&Property::Overflow);
    let copy = Arc::new(copy);
    let compiled = Compiled::new(copy.clone(), &CompileOptions { check_overflow });
    let mut following = Following {
        explorer: PathExplorer::new(&copy, check_overflow),
        compiled: &compiled,
        effort,
        case: question.case,
        properties,
        is_complete: question.case.is_plain(),
        n_questions: 0,
    };
    let own = part(budget, effort.work.min(*work));
    let before = own.steps_left();
    let found = following.all(&own);
    *work = work.saturating_sub(before - own.steps_left());
    match found {
        Err(StopReason::Steps | StopReason::Memory) => Ok(Solved::Unknown),
        other => other,
    }
}

/// Nodes of a term that the solver is asked about.
const MAX_NODES: usize = 600;
/// Questions to the solver about one site.
const MAX_QUESTIONS: usize = 24;

fn is_large(terms: &Terms, term: TermId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(top) = stack.pop() {
        if seen.insert(top) {
            stack.extend(terms.children(top));
        }
        if seen.len() > MAX_NODES {
            return true;
        }
    }
    false
}

fn part(budget: &Budget, steps: u64) -> Budget {
    let own = Budget::steps(steps).cancelled_by(budget.canceller());
    match budget.deadline() {
        Some(deadline) => own.until(deadline),
        None => own,
    }
}

struct Following<'a> {
    /// Paths of one question share most of their terms.
    explorer: PathExplorer<'a>,
    compiled: &'a Compiled,
    effort: Effort,
    case: &'a Case,
    properties: &'a [Property],
    is_complete: bool,
    n_questions: usize,
}

impl Following<'_> {
    fn all(&mut self, budget: &Budget) -> Result<Solved, StopReason> {
        let mut todo: Vec<(Vec<bool>, Vec<u128>)> = vec![(Vec::new(), vec![0])];
        let mut n_paths = 0;
        while let Some((first, inputs)) = todo.pop() {
            n_paths += 1;
            if n_paths > self.effort.paths {
                return Ok(Solved::Unknown);
            }
            let value = inputs.first().copied().unwrap_or(0);
            let (judged, word) = self.run(inputs, budget)?;
            if judged == Judged::Passes {
                return Ok(Solved::Passes(value));
            }
            let Some(word) = word.filter(|w| w.starts_with(&first)) else {
                self.is_complete = false;
                continue;
            };
            if let Some(value) = self.along(&word, first.len(), &mut todo, budget)? {
                return Ok(Solved::Passes(value));
            }
        }
        Ok(if self.is_complete {
            Solved::Never
        } else {
            Solved::Unknown
        })
    }

    /// How a run goes, and its decisions if all of them are known.
    fn run(
        &self,
        inputs: Vec<u128>,
        budget: &Budget,
    ) -> Result<(Judged, Option<Vec<bool>>), StopReason> {
        let mut decisions = Decisions {
            limit: self.effort.decisions,
            ..Decisions::default()
        };
        let mut source = FixedInputs::new(inputs, ZeroInputs);
        let mut machine = Machine::new(self.compiled, RunOptions::default());
        let outcome = machine.run(&mut source, &mut decisions, budget);
        budget.look()?;
        let is_cut = matches!(
            outcome.end,
            End::Limit(_) | End::Stopped | End::Trap(_) | End::InputsEnded
        );
        let judged = self.case.judge(&outcome, self.properties);
        Ok((judged, (!is_cut).then_some(decisions.taken)))
    }

    /// A value that passes along this path, and what turns its decisions from the given one on.
    fn along(
        &mut self,
        word: &[bool],
        first: usize,
        todo: &mut Vec<(Vec<bool>, Vec<u128>)>,
        budget: &Budget,
    ) -> Result<Option<u128>, StopReason> {
        let explorer = &mut self.explorer;
        let path = explorer.path(word, budget)?;
        let is_exit = |kind: &EndKind| matches!(kind, EndKind::Exit(_));
        let is_lost = |kind: &EndKind| {
            matches!(
                kind,
                EndKind::Trap(_) | EndKind::OutOfMemory | EndKind::Bound(_) | EndKind::OwnBound(_)
            )
        };
        let exits: Vec<_> = (path.ends.iter())
            .filter(|e| is_exit(&e.kind))
            .map(|e| e.guard)
            .collect();
        let lost: Vec<_> = (path.ends.iter())
            .filter(|e| is_lost(&e.kind))
            .map(|e| e.guard)
            .collect();
        for guard in lost {
            if !explorer.terms().known_false(guard) {
                self.is_complete = false;
            }
        }
        let mut questions: Vec<(Option<usize>, _)> = exits.into_iter().map(|g| (None, g)).collect();
        for (i, &(guard, taken)) in path.steps.iter().enumerate().skip(first) {
            let other = match word.get(i) {
                Some(true) => explorer.negated(taken),
                _ => taken,
            };
            questions.push((Some(i), explorer.both(guard, other)));
        }
        let terms = explorer.terms();
        for (next, condition) in questions {
            if terms.known_false(condition) {
                continue;
            }
            // Large terms take seconds to be made clauses of, whatever the number of conflicts.
            if is_large(terms, condition) {
                self.is_complete = false;
                continue;
            }
            self.n_questions += 1;
            if self.n_questions > MAX_QUESTIONS {
                return Err(StopReason::Steps);
            }
            let conflicts = part(budget, self.effort.conflicts);
            let model = match Solver::new().check(terms, &[condition], &conflicts) {
                Outcome::Unsat(_) => continue,
                Outcome::Unknown(StopReason::Steps | StopReason::Memory) => {
                    self.is_complete = false;
                    continue;
                }
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat(model) => model,
            };
            let mut evaluator = Evaluator::new(terms, &model);
            let inputs = path.inputs.iter();
            let inputs = inputs.filter(|i| evaluator.eval_bool(i.guard));
            let inputs: Vec<_> = inputs.map(|i| i.value).collect();
            let inputs: Vec<u128> = inputs.into_iter().map(|v| evaluator.eval(v)).collect();
            match next {
                Some(i) => {
                    let mut beginning = word[..=i].to_vec();
                    beginning[i] = !beginning[i];
                    todo.push((beginning, inputs));
                }
                None => {
                    let value = inputs.first().copied().unwrap_or(0);
                    let mut source = FixedInputs::new(inputs, ZeroInputs);
                    let mut machine = Machine::new(self.compiled, RunOptions::default());
                    let outcome = machine.run(&mut source, &mut NoObserver, budget);
                    match self.case.judge(&outcome, self.properties) {
                        Judged::Passes => return Ok(Some(value)),
                        _ => self.is_complete = false,
                    }
                }
            }
        }
        Ok(None)
    }
}

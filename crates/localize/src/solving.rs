//! Is there a value with which the run passes? One site of a program, all inputs as in the run, and
//! the value unknown: every path that some value takes is followed.
//!
//! Where passing is a matter of decisions alone the answer is exact; where output is compared, one
//! value of each path is tried, and only a value that passes is an answer.

use crate::another::{Replaced, told};
use crate::case::{CaseInputs, DrawnValues, JudgedCase, RunCase};
use crate::replaced::{N_NUMBERS, Site, is_number, replaceable};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{Decisions, End, Machine};
use idiolect_ir::{Program, Property};
use idiolect_smt::{Evaluator, Outcome, Solver, TermId, Terms};
use idiolect_symex::path::{KnownInputs, PathExplorer};
use idiolect_symex::{EndKind, InputOrigin};
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
    pub(crate) case: &'a RunCase,
    /// The number of the site in the program that all runs are done with, counted from 0.
    pub(crate) number: usize,
    /// At which of its executions it is replaced: at every one if `None`.
    pub(crate) execution: Option<u64>,
}

/// The inputs of a run, for the copy of the program in which one site can be replaced: all are known but the
/// value there.
struct OneOpen {
    copy: Arc<Program>,
    inputs: CaseInputs,
    drawn: DrawnValues,
    numbers: [u128; N_NUMBERS],
    n_numbers: usize,
}

/// Where the value is among the numbers.
const VALUE: usize = 3;

impl KnownInputs for OneOpen {
    fn start(&mut self) {
        self.drawn = DrawnValues::default();
        self.n_numbers = 0;
    }

    fn next(&mut self, origin: InputOrigin) -> Option<u128> {
        let kind = match origin {
            InputOrigin::Site(id) => Some(&self.copy.inputs[id.index()].kind),
            InputOrigin::Unwritten { .. } => None,
        };
        if self.n_numbers < N_NUMBERS && is_number(kind) {
            self.n_numbers += 1;
            let own = self.n_numbers - 1;
            return (own != VALUE).then(|| self.numbers[own]);
        }
        Some(self.drawn.next(&self.inputs, kind))
    }
}

/// The program in which this site alone can be replaced, if it can.
pub(crate) fn with_site(program: &Program, site: Site) -> Option<Arc<Program>> {
    let (copy, is_done) = replaceable(program, &[site], true);
    debug_assert_eq!(idiolect_ir::verify(&copy), Ok(()));
    (is_done == [true]).then(|| Arc::new(copy))
}

/// Follows every path that the run may take with another value at the site of this copy. The machine runs the program in
/// which every suspect can be replaced. `work` is what may be done in all; what this question takes is taken away.
pub(crate) fn solve(
    (copy, explorer, solver): (&Arc<Program>, &mut PathExplorer<'_>, &mut Solver),
    machine: &mut Machine<'_>,
    properties: &[Property],
    question: Question<'_>,
    effort: Effort,
    work: &mut u64,
    budget: &Budget,
) -> Result<Solved, StopReason> {
    let given = OneOpen {
        copy: copy.clone(),
        inputs: question.case.inputs.clone(),
        drawn: DrawnValues::default(),
        numbers: told(0, question.execution, 0),
        n_numbers: 0,
    };
    explorer.give(Box::new(given));
    let mut following = Following {
        explorer,
        solver,
        doing: Doing {
            machine,
            question,
            effort,
            properties,
        },
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

/// Does the run with one value or another.
struct Doing<'a, 'm, 'c> {
    machine: &'m mut Machine<'c>,
    question: Question<'a>,
    effort: Effort,
    properties: &'a [Property],
}

impl Doing<'_, '_, '_> {
    /// How it goes, and its decisions if all of them are known.
    fn run(
        &mut self,
        value: u128,
        budget: &Budget,
    ) -> Result<(JudgedCase, Option<Vec<bool>>), StopReason> {
        let mut decisions = Decisions {
            limit: self.effort.decisions,
            ..Decisions::default()
        };
        let Question {
            case,
            number,
            execution,
            ..
        } = self.question;
        let numbers = told(number, execution, value);
        let mut source = Replaced {
            numbers: &numbers,
            used: 0,
            rest: case.source(),
        };
        // The budget ends it.
        self.machine.limit_steps(u64::MAX);
        let outcome = self.machine.run(&mut source, &mut decisions, budget);
        budget.look()?;
        let is_cut = matches!(
            outcome.end,
            End::Limit(_) | End::Stopped | End::Trap(_) | End::InputsEnded
        );
        let judged = case.judge(&outcome, self.properties);
        Ok((judged, (!is_cut).then_some(decisions.taken)))
    }
}

struct Following<'a, 'm, 'c, 'p> {
    /// Paths of one site share most of their terms.
    explorer: &'m mut PathExplorer<'p>,
    /// Knows what earlier questions about the site were made of.
    solver: &'m mut Solver,
    doing: Doing<'a, 'm, 'c>,
    is_complete: bool,
    n_questions: usize,
}

impl Following<'_, '_, '_, '_> {
    fn all(&mut self, budget: &Budget) -> Result<Solved, StopReason> {
        let mut todo: Vec<(Vec<bool>, u128)> = vec![(Vec::new(), 0)];
        let mut n_paths = 0;
        while let Some((first, value)) = todo.pop() {
            n_paths += 1;
            if n_paths > self.doing.effort.paths {
                return Ok(Solved::Unknown);
            }
            let (judged, word) = self.doing.run(value, budget)?;
            if judged == JudgedCase::Passes {
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

    /// A value that passes along this path, and what turns its decisions from the given one on.
    fn along(
        &mut self,
        word: &[bool],
        first: usize,
        todo: &mut Vec<(Vec<bool>, u128)>,
        budget: &Budget,
    ) -> Result<Option<u128>, StopReason> {
        let explorer = &mut *self.explorer;
        let path = explorer.path(word, budget)?;
        // The value is drawn first; what cannot be told by the order of draws is open, too.
        self.is_complete &= path.inputs.len() <= 1;
        let is_exit = |kind: &EndKind| matches!(kind, EndKind::Exit(_));
        let is_lost = |kind: &EndKind| {
            matches!(
                kind,
                EndKind::Trap(_) | EndKind::OutOfMemory | EndKind::Bound(..) | EndKind::OwnBound(_)
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
            let conflicts = part(budget, self.doing.effort.conflicts);
            let model = match self.solver.check(terms, &[condition], &conflicts) {
                Outcome::Unsat(_) => continue,
                Outcome::Unknown(StopReason::Steps | StopReason::Memory) => {
                    self.is_complete = false;
                    continue;
                }
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat(model) => model,
            };
            let mut evaluator = Evaluator::new(terms, &model);
            let value = path.inputs.first().map(|input| input.value);
            let value = value.map_or(0, |value| evaluator.eval(value));
            match next {
                Some(i) => {
                    let mut beginning = word[..=i].to_vec();
                    beginning[i] = !beginning[i];
                    todo.push((beginning, value));
                }
                None => match self.doing.run(value, budget)?.0 {
                    JudgedCase::Passes => return Ok(Some(value)),
                    _ => self.is_complete = false,
                },
            }
        }
        Ok(None)
    }
}

//! What becomes of the run with another value.
//!
//! A value that blocks a trace need not prevent the error: the counter of a loop that has nothing to
//! do with it blocks the trace as soon as the loop goes round once more, and the same assertion fails
//! after that. So the interpreter does the run again, on the same inputs, with each of a few values
//! that block it. If one of them lets it pass, that is the value to show. This takes nothing from the
//! answer, which is Definition 3.1's; it says what to look at first.

use crate::decided::Decided;
use crate::graph::{Item, ItemKind};
use crate::relevance::{Blocking, Candidate, LocalizeConfig, Relevance};
use crate::replaced::{MAX_VALUES, N_NUMBERS, Site, replaceable};
use crate::trying::{Trying, blocking};
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, RunOptions, ZeroInputs,
};
use idiolect_ir::{Callee, LocalStorage, Program, StmtKind, Ty};
use idiolect_smt::{Evaluator, Model, Sort, TermId, mask};
use idiolect_symex::rerun::{AssignedKind, Role, RunTrace, Statement, foreign_address};
use idiolect_symex::trace::StatePlace;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How a candidate is replaced.
#[derive(Clone, Debug)]
enum How {
    /// At the site with this number, its n-th execution; by item: the position of its value.
    Site {
        number: u64,
        execution: u64,
        positions: Vec<usize>,
    },
    /// It is this input.
    Input(usize),
}

/// Numbers that a person would rather read than the largest one.
const PLAIN: [u128; 6] = [0, 1, 2, 5, 10, 100];

/// Numbers in the condition that failed are worth trying, with those beside them: it wants one of
/// them, or wants to be on the other side of it.
const MAX_WANTED: usize = 12;

/// The numbers that the last condition of the trace compares, as they are in the run.
fn wanted(trace: &RunTrace, decided: &Decided) -> Vec<u128> {
    let terms = &trace.terms;
    let items = &decided.graph.items;
    let is_check = |i: &&Item| matches!(i.kind, ItemKind::Check { .. });
    let Some(last) = items.iter().rev().find(is_check) else {
        return Vec::new();
    };
    let mut model = Model::new();
    for &(variable, read) in &last.reads {
        model.set_term(terms, variable, items[read as usize].value);
    }
    let mut evaluator = Evaluator::new(terms, &model);
    let (mut list, mut stack) = (Vec::new(), vec![last.term]);
    while let Some(term) = stack.pop() {
        if list.len() >= MAX_WANTED {
            break;
        }
        stack.extend(terms.children(term));
        if terms.sort(term) == Sort::Bool {
            continue;
        }
        let value = evaluator.eval(term);
        let most = mask(terms.width(term));
        for near in [
            value,
            value.wrapping_add(1) & most,
            value.wrapping_sub(1) & most,
        ] {
            if !list.contains(&near) {
                list.push(near);
            }
        }
    }
    list
}

/// The candidate's values if it is one number and gets this one.
fn plain(
    trace: &RunTrace,
    decided: &Decided,
    candidate: &Candidate,
    value: u128,
) -> Option<Vec<u128>> {
    let ([item], [AssignedKind::Value]) = (&candidate.items[..], &candidate.kinds[..]) else {
        return None;
    };
    let item = &decided.graph.items[*item as usize];
    let fits = value <= mask(trace.terms.width(item.subject));
    (fits && value != item.value).then(|| vec![value])
}

/// Sets [`Blocking::passes`] where it can be found out, and puts a value that passes into the place
/// of one that does not.
pub(crate) fn run_on(
    program: &Arc<Program>,
    check_overflow: bool,
    trace: &RunTrace,
    inputs: &[u128],
    decided: &mut Decided,
    config: &LocalizeConfig,
    budget: &Budget,
) {
    // The steps of other runs are counted here; the clock goes on.
    let own = Budget::unlimited().cancelled_by(budget.canceller());
    let budget = &match budget.deadline() {
        Some(deadline) => own.until(deadline),
        None => own,
    };
    let is_relevant = |answer: &Relevance| matches!(answer, Relevance::Relevant(_));
    let open: Vec<usize> = (0..decided.answers.len())
        .filter(|&i| is_relevant(&decided.answers[i]))
        .collect();
    let (sites, hows) = sites_of(program, trace, decided, &open);
    let (copy, is_done) = replaceable(program, &sites, false);
    debug_assert_eq!(idiolect_ir::verify(&copy), Ok(()));
    let compiled = Compiled::new(Arc::new(copy), &CompileOptions { check_overflow });
    let mut runs = Runs {
        machine: Machine::new(&compiled, RunOptions::default()),
        program,
        inputs,
        steps_left: config.reruns,
    };
    // Without anything replaced it fails as it did, or the copy is none.
    let Some((End::Error(_) | End::Fault(_), steps)) = runs.run([0; N_NUMBERS], inputs, budget)
    else {
        return;
    };
    let max_steps = 2 * steps + 1_000;
    runs.machine = Machine::new(
        &compiled,
        RunOptions {
            max_steps,
            ..RunOptions::default()
        },
    );
    let mut trying = Trying::new(&trace.terms, &decided.graph, config);
    let wanted = wanted(trace, decided);
    // The nearest to the error first, in case that not all can be done.
    for (&i, how) in open.iter().zip(&hows).rev() {
        if runs.steps_left == 0 {
            break;
        }
        let (candidate, Some(how)) = (&decided.candidates[i], how) else {
            continue;
        };
        if matches!(how, How::Site { number, .. } if !is_done[*number as usize - 1]) {
            continue;
        }
        let Relevance::Relevant(found) = &decided.answers[i] else {
            continue;
        };
        let own: Vec<u128> = found.values.iter().map(|v| v.1).collect();
        let mut lists = vec![own.clone()];
        let numbers = PLAIN.iter().chain(&wanted);
        lists.extend(numbers.filter_map(|&v| plain(trace, decided, candidate, v)));
        lists.extend(trying.values(candidate));
        let mut done: FxHashSet<Vec<u128>> = FxHashSet::default();
        lists.retain(|values| done.insert(values.clone()));
        let (mut passes, mut n_finished, mut n_cut) = (false, 0, 0);
        for values in lists {
            if n_cut > 2 && n_finished == 0 {
                break;
            }
            let Some(end) = runs.with(candidate, how, &values, budget) else {
                n_finished = 0;
                break;
            };
            match end {
                End::Exit(_) => {
                    n_finished += 1;
                    // The value that was found is known to block; others have to, too.
                    passes = values == own
                        || trying.is_blocked_by(candidate, &values, budget) == Ok(true);
                    if passes && values != own {
                        let graph = &decided.graph;
                        let new = blocking(&trace.terms, graph, candidate, values, true);
                        decided.answers[i] = Relevance::Relevant(new);
                    }
                    if passes {
                        break;
                    }
                }
                // It may go on for ever, or do anything: nothing was seen.
                End::Limit(_) | End::Trap(_) => n_cut += 1,
                _ => n_finished += 1,
            }
        }
        // Of pointers only those to nothing can be tried, and what fails with them says little.
        let is_tried = n_finished > 0 && !candidate.kinds.contains(&AssignedKind::Pointer);
        let passes = (passes || is_tried).then_some(passes);
        if let Relevance::Relevant(Blocking { passes: own, .. }) = &mut decided.answers[i] {
            *own = passes;
        }
    }
}

/// The sites of these candidates, and how each is replaced, if it can be.
fn sites_of(
    program: &Program,
    trace: &RunTrace,
    decided: &Decided,
    open: &[usize],
) -> (Vec<Site>, Vec<Option<How>>) {
    let site_of = |number: usize| {
        let statement = &trace.statements[number];
        match statement.role {
            Role::Plain => Site::Assigned(statement.place),
            Role::Entry => Site::Arguments(statement.place),
            Role::Global(id) => Site::Initial(id, 0),
        }
    };
    let mut executions: FxHashMap<Site, u64> = FxHashMap::default();
    let execution: Vec<u64> = (0..trace.statements.len())
        .map(|number| {
            let n = executions.entry(site_of(number)).or_default();
            *n += 1;
            *n
        })
        .collect();
    let mut first_input = Vec::with_capacity(trace.statements.len());
    let mut n_inputs = 0;
    let is_input = |d: &idiolect_symex::rerun::Drawn| d.in_this_run && d.origin.is_some();
    for statement in &trace.statements {
        first_input.push(n_inputs);
        n_inputs += statement.drawn.iter().filter(|d| is_input(d)).count();
    }
    let mut sites: Vec<Site> = Vec::new();
    let mut numbers: FxHashMap<Site, u64> = FxHashMap::default();
    let mut hows = Vec::new();
    for &i in open {
        let candidate = &decided.candidates[i];
        let number = candidate.statement;
        let statement = &trace.statements[number];
        let subjects: Vec<TermId> = (candidate.items.iter())
            .map(|&item| decided.graph.items[item as usize].subject)
            .collect();
        if candidate.is_draw {
            let before = statement.drawn.iter().filter(|d| is_input(d));
            let own = before.take_while(|d| !subjects.contains(&d.variable));
            hows.push(Some(How::Input(first_input[number] + own.count())));
            continue;
        }
        let positions = match statement.role {
            Role::Entry => positions(program, statement, &subjects),
            _ if candidate.items.len() == 1 => Some(vec![0]),
            _ => None,
        };
        hows.push(positions.map(|positions| {
            let site = site_of(number);
            let new = sites.len() as u64 + 1;
            let own = *numbers.entry(site).or_insert(new);
            if own == new {
                sites.push(site);
            }
            How::Site {
                number: own,
                execution: execution[number],
                positions,
            }
        }));
    }
    (sites, hows)
}

/// The positions of the arguments that give these variables their values.
fn positions(program: &Program, statement: &Statement, subjects: &[TermId]) -> Option<Vec<usize>> {
    let in_registers = statement.updates.iter().map(|u| (u.variable, u.place));
    let places = in_registers.filter_map(|(variable, place)| match place {
        StatePlace::Local {
            function, local, ..
        } => Some((variable, function, local)),
        StatePlace::Memory { .. } => None,
    });
    let callee = match statement.place.stmt(program).map(|s| &s.kind) {
        Some(StmtKind::Call {
            callee: Callee::Function(id),
            ..
        }) => *id,
        _ => places.clone().next()?.1,
    };
    let callee = program.function(callee);
    let is_pointer = |local| callee.local(local).storage == LocalStorage::Register(Ty::Ptr);
    // Pointers have their choices in the order of the parameters.
    let mut pointers = (0..callee.params.len()).filter(|&i| is_pointer(callee.params[i]));
    let mut by_variable: FxHashMap<TermId, usize> = FxHashMap::default();
    for assigned in &statement.assigned {
        let position = match assigned.kind {
            AssignedKind::Pointer => pointers.next()?,
            AssignedKind::Value => {
                let (_, _, local) = places.clone().find(|p| p.0 == assigned.variable)?;
                callee.params.iter().position(|&p| p == local)?
            }
        };
        by_variable.insert(assigned.variable, position);
    }
    let list: Option<Vec<usize>> = subjects
        .iter()
        .map(|s| by_variable.get(s).copied().filter(|&p| p < MAX_VALUES))
        .collect();
    list
}

struct Runs<'a> {
    machine: Machine<'a>,
    program: &'a Program,
    inputs: &'a [u128],
    steps_left: u64,
}

impl Runs<'_> {
    /// How the run ends if the candidate gets these values. `None` if that is too much work.
    fn with(
        &mut self,
        candidate: &Candidate,
        how: &How,
        values: &[u128],
        budget: &Budget,
    ) -> Option<End> {
        let mut numbers = [0; N_NUMBERS];
        let mut inputs = self.inputs.to_vec();
        match how {
            How::Input(i) => {
                // Inputs that were not given are 0.
                inputs.resize(inputs.len().max(i + 1), 0);
                inputs[*i] = *values.first()?;
            }
            How::Site {
                number,
                execution,
                positions,
            } => {
                numbers[0] = u128::from(*number);
                numbers[1] = u128::from(*execution);
                for ((&position, &kind), &value) in
                    positions.iter().zip(&candidate.kinds).zip(values)
                {
                    let value = match kind {
                        AssignedKind::Value => value,
                        AssignedKind::Pointer if value == 0 => continue,
                        AssignedKind::Pointer if value == 1 => 0,
                        AssignedKind::Pointer => foreign_address(self.program.types.model),
                    };
                    numbers[2] |= 1 << position;
                    numbers[3 + position] = value;
                }
            }
        }
        self.run(numbers, &inputs, budget).map(|r| r.0)
    }

    fn run(
        &mut self,
        numbers: [u128; N_NUMBERS],
        inputs: &[u128],
        budget: &Budget,
    ) -> Option<(End, u64)> {
        let all: Vec<u128> = numbers.iter().chain(inputs).copied().collect();
        let outcome = self.machine.run(
            &mut FixedInputs::new(all, ZeroInputs),
            &mut NoObserver,
            budget,
        );
        let left = self.steps_left.checked_sub(outcome.steps);
        self.steps_left = left.unwrap_or(0);
        left.map(|_| (outcome.end, outcome.steps))
    }
}

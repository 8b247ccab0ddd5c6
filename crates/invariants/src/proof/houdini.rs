//! Which conjuncts are inductive together: the largest such set, found by dropping what fails.

use super::contract::{self, Contract, Side};
use super::countermodel;
use super::cuts::Cuts;
use super::question::Question;
use super::runs::{Runner, Wanted};
use super::segment::{self, Aim, Task};
use super::{
    Assertion, Claim, Config, Doubt, Failure, Goal, Outcome, PointProof, Statistics, Verdict,
};
use idiolect_base::{Budget, Span};
use idiolect_ir::{FuncId, Program, TerminatorKind};
use idiolect_quantified::formula::Formula;
use idiolect_quantified::point::{Point, PointKind};
use idiolect_smt::Model;
use idiolect_symex::EndKind;

pub(super) fn prove(
    program: &Program,
    function: FuncId,
    claims: &[Claim<'_>],
    config: &Config,
    budget: &Budget,
) -> Outcome {
    let points: Vec<&Point> = claims.iter().map(|c| c.point).collect();
    let formulas: Vec<&Formula> = claims.iter().map(|c| c.formula).collect();
    // The function itself, and those that it calls and that have contracts.
    let mut functions = vec![function];
    let mut cuts = vec![Cuts::new(program.function(function), function, &points)];
    let mut contracts = Vec::new();
    for callee in contract::needed(program, function) {
        let Some(known) = contract::claims_of(program, callee, claims) else {
            continue;
        };
        let task = match functions.iter().position(|&f| f == callee) {
            Some(task) => task,
            None => {
                functions.push(callee);
                cuts.push(Cuts::new(program.function(callee), callee, &points));
                functions.len() - 1
            }
        };
        let first: usize = cuts[..task].iter().map(|c| c.list.len()).sum();
        contracts.push(Contract {
            function: callee,
            entry: Side {
                cut: first,
                claim: known.entry,
            },
            exit: Side {
                cut: first + cuts[task].exit(),
                claim: known.exit,
            },
            writes_data: known.writes_data,
            has_arrays: known.has_arrays,
            copies: known.copies,
        });
    }
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (id, cuts) in functions.into_iter().zip(cuts) {
        let first_cut = tasks.last().map_or(0, |t| t.first_cut + t.cuts.list.len());
        tasks.push(Task {
            program,
            id,
            function: program.function(id),
            points: &points,
            formulas: &formulas,
            contracts: &contracts,
            cuts,
            first_cut,
            max_cells: config.max_cells,
        });
    }
    let mut prover = Prover::new(&tasks, config, budget);
    prover.runner = Runner::new(program, function, claims);
    prover.weaken();
    if !prover.is_cut_short {
        prover.check_ends();
    }
    prover.outcome()
}

/// What a model shows.
struct Shown {
    state: Option<idiolect_quantified::point::Snapshot>,
    is_run: bool,
    input: Option<crate::inputs::Input>,
}

/// A cut of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Site {
    task: usize,
    cut: usize,
}

struct Prover<'a> {
    tasks: &'a [Task<'a>],
    config: &'a Config,
    budget: &'a Budget,
    /// Repeats counter-models as runs, if inputs can be built for the function.
    runner: Option<Runner<'a>>,
    /// Of questions that were replaced.
    past_calls: u64,
    /// By number of the cut.
    sites: Vec<Site>,
    /// One for each segment, with the cut that it starts from.
    questions: Vec<(usize, Result<Question, Doubt>)>,
    /// By claim and conjunct.
    kept: Vec<Vec<bool>>,
    failures: Vec<Vec<Failure>>,
    /// Cuts whose state may be other than what segments start with.
    broken: Vec<bool>,
    /// What else is not proved of the function.
    others: Vec<Failure>,
    is_cut_short: bool,
}

/// Questions with so many terms take seconds.
const LARGE: usize = 10_000;

impl<'a> Prover<'a> {
    fn new(tasks: &'a [Task<'a>], config: &'a Config, budget: &'a Budget) -> Self {
        let mut questions = Vec::new();
        let mut sites = Vec::new();
        for (task, t) in tasks.iter().enumerate() {
            for cut in 0..t.cuts.list.len() {
                // Nothing starts at the exit.
                if cut != t.cuts.exit() {
                    let asked = Question::new(t, cut, false, config, budget);
                    questions.push((sites.len(), asked));
                }
                sites.push(Site { task, cut });
            }
        }
        let formulas = tasks.first().map_or(&[][..], |t| t.formulas);
        Prover {
            tasks,
            config,
            budget,
            runner: None,
            past_calls: 0,
            questions,
            kept: (formulas.iter())
                .map(|f| vec![true; f.conjuncts.len()])
                .collect(),
            failures: vec![Vec::new(); formulas.len()],
            broken: vec![false; sites.len()],
            sites,
            others: Vec::new(),
            is_cut_short: false,
        }
    }

    fn task(&self, cut: usize) -> &'a Task<'a> {
        &self.tasks[self.sites[cut].task]
    }

    /// The claim at a cut.
    fn point(&self, cut: usize) -> Option<usize> {
        self.task(cut).cuts.list[self.sites[cut].cut].point
    }

    /// Drops conjuncts until every segment keeps what is claimed at its end.
    fn weaken(&mut self) {
        // Small questions first: most conjuncts that fail do so there, and where a run refutes one,
        // all is learned and asked again.
        let mut order: Vec<usize> = (0..self.questions.len()).collect();
        order.sort_by_key(|&q| (self.size(q) / LARGE, q));
        let rank = |q: &usize| std::cmp::Reverse(order.iter().position(|o| o == q));
        let mut waiting = order.clone();
        waiting.reverse();
        while let Some(question) = waiting.pop() {
            let has_input = |f: &Failure| f.input.is_some();
            if self.config.stop_when_refuted
                && self.size(question) >= LARGE
                && self.failures.iter().flatten().any(has_input)
            {
                self.is_cut_short = true;
                return;
            }
            let changed = self.weaken_after(question);
            for (i, (from, q)) in self.questions.iter().enumerate() {
                let uses = match q {
                    Ok(question) => &question.derived.uses[..],
                    Err(_) => std::slice::from_ref(from),
                };
                if uses.iter().any(|cut| changed.contains(cut)) && !waiting.contains(&i) {
                    waiting.push(i);
                }
            }
            waiting.sort_unstable_by_key(rank);
        }
    }

    /// The number of terms of a question.
    fn size(&self, question: usize) -> usize {
        match &self.questions[question].1 {
            Ok(question) => question.encoding.terms.len(),
            Err(_) => 0,
        }
    }

    /// Why a segment proves nothing, if it does not.
    fn doubt(&mut self, question: usize) -> Option<Doubt> {
        let (from, asked) = &mut self.questions[question];
        let asked = match asked {
            Ok(asked) => asked,
            Err(doubt) => return Some(doubt.clone()),
        };
        let broken = asked.derived.uses.iter().find(|&&cut| self.broken[cut]);
        match broken {
            Some(cut) if cut == from => Some(Doubt::Start),
            Some(&cut) => {
                let task = &self.tasks[self.sites[cut].task];
                Some(Doubt::Callee(task.function.name.clone()))
            }
            None => asked.doubt(&self.kept, self.budget),
        }
    }

    /// Asks one segment; the cuts whose claims became weaker.
    fn weaken_after(&mut self, number: usize) -> Vec<usize> {
        let mut changed = Vec::new();
        if let Some(doubt) = self.doubt(number) {
            self.give_up(number, doubt, &mut changed);
            return changed;
        }
        loop {
            let from = self.questions[number].0;
            let (task, cut) = (self.task(from), self.sites[from].cut);
            let Ok(question) = &mut self.questions[number].1 else {
                return changed;
            };
            let mut goals = Vec::new();
            for (i, goal) in question.derived.goals.iter().enumerate() {
                let is_open = !self.broken[goal.target]
                    && match goal.aim {
                        Aim::Shape => true,
                        Aim::Conjunct(c) => self.kept[goal.claim][c],
                    };
                if is_open {
                    goals.push(i);
                }
            }
            match question.failing_goal(&self.kept, &goals, self.budget) {
                Ok(None) => return changed,
                Ok(Some(_)) if self.config.widen && !question.is_wide => {
                    // Perhaps more instances help.
                    self.past_calls += question.solver_calls();
                    let wider = Question::new(task, cut, true, self.config, self.budget);
                    self.questions[number].1 = wider;
                    changed.extend(self.weaken_after(number));
                    return changed;
                }
                Ok(Some((goal, model))) => {
                    let failing = question.violated(goal, &model);
                    let failing: Vec<segment::Goal> = (failing.into_iter())
                        .filter(|g| goals.contains(g))
                        .map(|g| question.derived.goals[g])
                        .collect();
                    let mut is_assumed = false;
                    for goal in &failing {
                        is_assumed |= question.derived.uses.contains(&goal.target);
                        if !changed.contains(&goal.target) {
                            changed.push(goal.target);
                        }
                    }
                    for goal in failing {
                        self.drop_goal(number, goal, &model);
                    }
                    if is_assumed {
                        // What was assumed is weaker now: start again.
                        return changed;
                    }
                }
                Err(doubt) => {
                    self.give_up(number, doubt, &mut changed);
                    return changed;
                }
            }
        }
    }

    fn drop_goal(&mut self, question: usize, goal: segment::Goal, model: &Model) {
        let (point, aim) = (goal.claim, goal.aim);
        let wanted = match aim {
            Aim::Conjunct(c) => Some(Wanted::Violation(point, c)),
            Aim::Shape => None,
        };
        let shown = self.model(question, model, wanted);
        let from = self.questions[question].0;
        let goal = match aim {
            Aim::Conjunct(c) => {
                self.kept[point][c] = false;
                Goal::Conjunct(c)
            }
            Aim::Shape => {
                self.break_at(goal.target);
                Goal::Shape
            }
        };
        let failure = Failure {
            goal,
            from: self.point(from),
            to: Some(point),
            span: None,
            model: shown.state,
            is_run: shown.is_run,
            input: shown.input,
        };
        self.failures[point].push(failure);
    }

    /// The state that a model starts with, and whether a real run fails like it.
    fn model(&self, question: usize, model: &Model, wanted: Option<Wanted>) -> Shown {
        let nothing = Shown {
            state: None,
            is_run: false,
            input: None,
        };
        let (from, Ok(question)) = &self.questions[question] else {
            return nothing;
        };
        let task = self.task(*from);
        let Some(point) = self.point(*from).map(|p| task.points[p]) else {
            return nothing;
        };
        let state = countermodel::snapshot(question, point, model);
        let input = match (&self.runner, &state, wanted) {
            (Some(runner), Some(state), Some(wanted)) => runner.run(point, state, wanted),
            _ => None,
        };
        // A run of the function that is looked at, all of whose calls were followed.
        let is_first = *from == 0 && question.derived.uses.len() == 1;
        let is_run = input.is_some() || is_first && countermodel::replays(question, model);
        Shown {
            state,
            is_run,
            input,
        }
    }

    /// Nothing is known at this cut any more.
    fn break_at(&mut self, cut: usize) {
        self.broken[cut] = true;
        if let Some(point) = self.point(cut) {
            self.kept[point].fill(false);
        }
    }

    /// The segment proves nothing.
    fn give_up(&mut self, question: usize, doubt: Doubt, changed: &mut Vec<usize>) {
        let from = self.questions[question].0;
        for target in self.targets(question) {
            if self.broken[target] {
                continue;
            }
            self.break_at(target);
            changed.push(target);
            if let Some(point) = self.point(target) {
                let failure = self.doubtful(from, Some(point), doubt.clone());
                self.failures[point].push(failure);
            }
        }
        let failure = self.doubtful(from, None, doubt);
        if !self.others.contains(&failure) {
            self.others.push(failure);
        }
    }

    fn doubtful(&self, from: usize, to: Option<usize>, doubt: Doubt) -> Failure {
        Failure {
            goal: Goal::Doubt(doubt),
            from: self.point(from),
            to,
            span: None,
            model: None,
            is_run: false,
            input: None,
        }
    }

    /// The cuts that a segment may come to, and the entries of what it calls.
    fn targets(&self, question: usize) -> Vec<usize> {
        let from = self.questions[question].0;
        let (task, cut) = (self.task(from), self.sites[from].cut);
        let own = task.cuts.targets(task.function, cut).into_iter();
        let mut all: Vec<usize> = own.map(|c| task.first_cut + c).collect();
        for block in task.cuts.segment(task.function, cut) {
            let stmts = &task.function.block(block).stmts;
            let contracts = stmts.iter().filter_map(|s| task.contract(&s.kind));
            all.extend(contracts.map(|c| c.entry.cut));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Assertions and faults, with what is left of the claims.
    fn check_ends(&mut self) {
        for number in 0..self.questions.len() {
            let from = self.questions[number].0;
            if self.broken[from] {
                continue;
            }
            let (task, cut) = (self.task(from), self.sites[from].cut);
            let Ok(question) = &mut self.questions[number].1 else {
                continue;
            };
            let mut found = question.failing_end(&self.kept, self.budget);
            if self.config.widen && !question.is_wide && matches!(found, Ok(Some(_))) {
                self.past_calls += question.solver_calls();
                if let Ok(wider) = Question::new(task, cut, true, self.config, self.budget) {
                    *question = wider;
                    found = question.failing_end(&self.kept, self.budget);
                }
            }
            let failure = match found {
                Ok(None) => continue,
                Err(doubt) => self.doubtful(from, None, doubt),
                Ok(Some((end, model))) => {
                    let end = &question.encoding.ends[end];
                    let goal = match end.kind {
                        EndKind::Fault(kind) => Goal::Safety(kind),
                        _ => Goal::Assertion,
                    };
                    let span = countermodel::span_of(&question.derived.program, end.place);
                    let shown = self.model(number, &model, Some(Wanted::BadEnd));
                    Failure {
                        goal,
                        from: self.point(from),
                        to: None,
                        span,
                        model: shown.state,
                        is_run: shown.is_run,
                        input: shown.input,
                    }
                }
            };
            self.others.push(failure);
        }
    }

    /// The assertions, and whether what is left of the claims is enough for them.
    fn assertions(&mut self) -> Vec<Assertion> {
        let mut found: Vec<Assertion> = Vec::new();
        let mut add = |span: Span, is_proved: bool| match found.iter_mut().find(|a| a.span == span)
        {
            Some(known) => known.is_proved &= is_proved,
            None => found.push(Assertion { span, is_proved }),
        };
        let may_be_kept = self.may_be_kept();
        for number in 0..self.questions.len() {
            let from = self.questions[number].0;
            let (task, cut) = (self.task(from), self.sites[from].cut);
            let mut spans = Vec::new();
            for block in task.cuts.segment(task.function, cut) {
                let end = &task.function.block(block).terminator;
                if matches!(end.kind, TerminatorKind::Error(_)) {
                    spans.push(end.span);
                }
            }
            let has_more = matches!(&self.questions[number].1, Ok(q) if q.has_assertions());
            if spans.is_empty() && !has_more {
                continue;
            }
            let is_known = may_be_kept && self.doubt(number).is_none();
            spans.into_iter().for_each(|span| add(span, is_known));
            if let (true, Ok(question)) = (is_known, &mut self.questions[number].1) {
                for (span, holds) in question.assertions(&self.kept, self.budget) {
                    add(span, holds);
                }
            }
        }
        found.sort_by_key(|a| a.span);
        found
    }

    /// Whether what is kept holds. A callee that leaves the part of an array that it was given changes
    /// what its caller takes to be unchanged.
    fn may_be_kept(&self) -> bool {
        let mut contracts = self.tasks.iter().flat_map(|t| t.contracts);
        !self.is_cut_short && (self.others.is_empty() || !contracts.any(|c| c.has_arrays))
    }

    fn outcome(mut self) -> Outcome {
        let mut assertions = self.assertions();
        // Behind an access that may leave its object anything holds, since no run comes there.
        let is_unsafe = |f: &Failure| matches!(f.goal, Goal::Safety(_) | Goal::Doubt(_));
        if self.others.iter().any(is_unsafe) {
            for assertion in &mut assertions {
                assertion.is_proved = false;
            }
        }
        let exit = self.tasks.first().map(|t| t.cuts.exit());
        let exit = exit.and_then(|cut| self.point(cut));
        let is_exit_proved = exit.is_none_or(|p| self.kept[p].iter().all(|&k| k));
        let everything = !self.is_cut_short
            && self.others.is_empty()
            && is_exit_proved
            && self.broken.iter().all(|b| !b);
        let may_be_kept = self.may_be_kept();
        let mut points = Vec::new();
        let all = self.tasks.first().map_or(&[][..], |t| t.points);
        for (i, point) in all.iter().enumerate() {
            let mut failures = self.failures[i].clone();
            let some = self.kept[i].iter().any(|&k| k);
            let is_refuted = failures.iter().any(|f| f.is_run);
            let verdict = match (is_refuted, everything, some) {
                (true, _, _) => Verdict::Refuted,
                (_, true, _) => Verdict::Adequate,
                (_, false, true) if may_be_kept && point.kind != PointKind::Entry => {
                    Verdict::Inductive
                }
                _ => Verdict::NotProved,
            };
            if verdict != Verdict::Adequate {
                for other in &self.others {
                    if !failures.contains(other) {
                        failures.push(other.clone());
                    }
                }
                if let Some(exit) = exit
                    && exit != i
                {
                    failures.extend(self.failures[exit].iter().cloned());
                }
            }
            points.push(PointProof {
                verdict,
                kept: self.kept[i].clone(),
                failures,
            });
        }
        let mut statistics = Statistics {
            solver_calls: self.past_calls,
            ..Statistics::default()
        };
        for question in self.questions.iter().filter_map(|q| q.1.as_ref().ok()) {
            statistics.segments += 1;
            statistics.solver_calls += question.solver_calls();
            statistics.cells = statistics.cells.max(question.cells as u64);
            statistics.terms += question.encoding.terms.len() as u64;
        }
        Outcome {
            points,
            assertions,
            statistics,
            is_cut_short: self.is_cut_short,
        }
    }
}

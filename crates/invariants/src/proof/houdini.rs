//! Which conjuncts are inductive together: the largest such set, found by dropping what fails.

use super::countermodel;
use super::cuts::Cuts;
use super::question::Question;
use super::runs::{Runner, Wanted};
use super::segment::{Aim, Task};
use super::{Claim, Config, Doubt, Failure, Goal, Outcome, PointProof, Statistics, Verdict};
use crate::formula::Formula;
use crate::point::{Point, PointKind};
use idiolect_base::Budget;
use idiolect_ir::{FuncId, Program};
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
    let code = program.function(function);
    let cuts = Cuts::new(code, &points);
    let task = Task {
        program,
        function: code,
        points,
        formulas,
        cuts,
        max_cells: config.max_cells,
    };
    let mut prover = Prover::new(&task, config, budget);
    prover.runner = Runner::new(program, function, claims);
    prover.weaken();
    prover.check_ends();
    prover.outcome()
}

/// What a model shows.
struct Shown {
    state: Option<crate::point::Snapshot>,
    is_run: bool,
    input: Option<crate::inputs::Input>,
}

struct Prover<'a> {
    task: &'a Task<'a>,
    config: &'a Config,
    budget: &'a Budget,
    /// Repeats counter-models as runs, if inputs can be built for the function.
    runner: Option<Runner<'a>>,
    /// Of questions that were replaced.
    past_calls: u64,
    /// By cut; none for the exit.
    questions: Vec<Result<Question, Doubt>>,
    /// By claim and conjunct.
    kept: Vec<Vec<bool>>,
    failures: Vec<Vec<Failure>>,
    /// Cuts whose state may be other than what segments start with.
    broken: Vec<bool>,
    /// What else is not proved of the function.
    others: Vec<Failure>,
}

impl<'a> Prover<'a> {
    fn new(task: &'a Task<'a>, config: &'a Config, budget: &'a Budget) -> Self {
        let mut questions = Vec::new();
        for from in 0..task.cuts.exit() {
            questions.push(Question::new(task, from, false, config, budget));
        }
        Prover {
            task,
            config,
            budget,
            runner: None,
            past_calls: 0,
            questions,
            kept: (task.formulas.iter())
                .map(|f| vec![true; f.conjuncts.len()])
                .collect(),
            failures: vec![Vec::new(); task.points.len()],
            broken: vec![false; task.cuts.list.len()],
            others: Vec::new(),
        }
    }

    fn point(&self, cut: usize) -> Option<usize> {
        self.task.cuts.list[cut].point
    }

    fn kept_at(&self, cut: usize) -> Vec<bool> {
        self.point(cut)
            .map_or_else(Vec::new, |p| self.kept[p].clone())
    }

    /// Drops conjuncts until every segment keeps what is claimed at its end.
    fn weaken(&mut self) {
        let mut waiting: Vec<usize> = (0..self.questions.len()).rev().collect();
        while let Some(from) = waiting.pop() {
            let changed = self.weaken_after(from);
            for cut in changed {
                if cut < self.questions.len() && !waiting.contains(&cut) {
                    waiting.push(cut);
                }
            }
            waiting.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// Asks one segment; the cuts whose claims became weaker.
    fn weaken_after(&mut self, from: usize) -> Vec<usize> {
        let mut changed = Vec::new();
        let kept = self.kept_at(from);
        let doubt = match (&mut self.questions[from], self.broken[from]) {
            (Err(doubt), _) => Some(doubt.clone()),
            (Ok(_), true) => Some(Doubt::Start),
            (Ok(question), false) => question.doubt(&kept, self.budget),
        };
        if let Some(doubt) = doubt {
            self.give_up(from, doubt, &mut changed);
            return changed;
        }
        loop {
            let Ok(question) = &mut self.questions[from] else {
                return changed;
            };
            let mut goals = Vec::new();
            for (i, goal) in question.derived.goals.iter().enumerate() {
                let is_open = !self.broken[goal.target]
                    && match (goal.aim, self.task.cuts.list[goal.target].point) {
                        (Aim::Shape, _) => true,
                        (Aim::Conjunct(c), Some(p)) => self.kept[p][c],
                        (Aim::Conjunct(_), None) => false,
                    };
                if is_open {
                    goals.push(i);
                }
            }
            match question.failing_goal(&kept, &goals, self.budget) {
                Ok(None) => return changed,
                Ok(Some(_)) if !question.is_wide => {
                    // Perhaps more instances help.
                    self.past_calls += question.solver_calls();
                    let wider = Question::new(self.task, from, true, self.config, self.budget);
                    self.questions[from] = wider;
                    return self.weaken_after(from);
                }
                Ok(Some((goal, model))) => {
                    let goal = question.derived.goals[goal];
                    if !changed.contains(&goal.target) {
                        changed.push(goal.target);
                    }
                    self.drop_goal(from, goal.target, goal.aim, &model);
                    if goal.target == from {
                        // What was assumed is weaker now: start again.
                        return changed;
                    }
                }
                Err(doubt) => {
                    self.give_up(from, doubt, &mut changed);
                    return changed;
                }
            }
        }
    }

    fn drop_goal(&mut self, from: usize, to: usize, aim: Aim, model: &Model) {
        let Some(point) = self.point(to) else {
            return;
        };
        let wanted = match aim {
            Aim::Conjunct(c) => Some(Wanted::Violation(point, c)),
            Aim::Shape => None,
        };
        let shown = self.model(from, model, wanted);
        let goal = match aim {
            Aim::Conjunct(c) => {
                self.kept[point][c] = false;
                Goal::Conjunct(c)
            }
            Aim::Shape => {
                self.break_at(to);
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
    fn model(&self, from: usize, model: &Model, wanted: Option<Wanted>) -> Shown {
        let nothing = Shown {
            state: None,
            is_run: false,
            input: None,
        };
        let Ok(question) = &self.questions[from] else {
            return nothing;
        };
        let Some(point) = self.point(from).map(|p| self.task.points[p]) else {
            return nothing;
        };
        let state = countermodel::snapshot(question, point, model);
        let input = match (&self.runner, &state, wanted) {
            (Some(runner), Some(state), Some(wanted)) => runner.run(point, state, wanted),
            _ => None,
        };
        let is_entry = self.task.cuts.list[from].kind == PointKind::Entry;
        let is_run = input.is_some() || is_entry && countermodel::replays(question, model);
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
    fn give_up(&mut self, from: usize, doubt: Doubt, changed: &mut Vec<usize>) {
        for target in self.targets(from) {
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

    /// The cuts that a segment may come to.
    fn targets(&self, from: usize) -> Vec<usize> {
        self.task.cuts.targets(self.task.function, from)
    }

    /// Assertions and faults, with what is left of the claims.
    fn check_ends(&mut self) {
        for from in 0..self.questions.len() {
            if self.broken[from] {
                continue;
            }
            let kept = self.kept_at(from);
            let Ok(question) = &mut self.questions[from] else {
                continue;
            };
            let mut found = question.failing_end(&kept, self.budget);
            if !question.is_wide && matches!(found, Ok(Some(_))) {
                self.past_calls += question.solver_calls();
                if let Ok(wider) = Question::new(self.task, from, true, self.config, self.budget) {
                    *question = wider;
                    found = question.failing_end(&kept, self.budget);
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
                    let shown = self.model(from, &model, Some(Wanted::BadEnd));
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

    fn outcome(self) -> Outcome {
        let exit = self.point(self.task.cuts.exit());
        let is_exit_proved = exit.is_none_or(|p| self.kept[p].iter().all(|&k| k));
        let is_reached = |cut: usize| !self.broken[cut];
        let everything = self.others.is_empty()
            && is_exit_proved
            && (0..self.task.cuts.list.len()).all(is_reached);
        let mut points = Vec::new();
        for (i, point) in self.task.points.iter().enumerate() {
            let mut failures = self.failures[i].clone();
            let some = self.kept[i].iter().any(|&k| k);
            let is_refuted = failures.iter().any(|f| f.is_run);
            let verdict = match (is_refuted, everything, some) {
                (true, _, _) => Verdict::Refuted,
                (_, true, _) => Verdict::Adequate,
                (_, false, true) if point.kind != PointKind::Entry => Verdict::Inductive,
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
        for question in self.questions.iter().flatten() {
            statistics.segments += 1;
            statistics.solver_calls += question.solver_calls();
            statistics.cells = statistics.cells.max(question.cells as u64);
            statistics.terms += question.encoding.terms.len() as u64;
        }
        Outcome { points, statistics }
    }
}

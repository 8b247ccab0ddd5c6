//! The procedure of Figure 2, with bounded model checking beside it.

use crate::batch::{Batch, Plan, Sampler, distribution};
use crate::config::{Config, Engine};
use crate::errors::{ErrorWords, assertions};
use crate::outcome::{
    Asked, Coverage, FoundBy, Guarantee, Iteration, Outcome, Statistics, Verdict,
};
use crate::portfolio::{
    EARLY_GUIDED, EARLY_STEPS, FIRST_STEPS, LATE_GUIDED, LONG_GUIDED, OnlyRun, slice,
};
use crate::teacher::{Teacher, letters, outcomes};
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::{Budget, Bug, StopReason, deep_stack};
use idiolect_interp::{Compiled, End, FixedInputs, ZeroInputs};
use idiolect_invariants::whole::KeptFormula;
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{BlockId, FuncId, Program, Property};
use idiolect_learn::{Counterexample, DfaLearner, Learner, RefineError, pac_samples};
use idiolect_prove::induction::Certificate;
use idiolect_search::all_paths::{Explored, Limits, explore};
use idiolect_search::bmc::{Checked, ModelChecking};
use idiolect_search::runs::{Runner, Sample, compile, is_error};
use idiolect_search::{Doubt, Proof};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Batches drawn at once; those that are not looked at stay in the queue, so it changes nothing.
const AT_ONCE: u64 = 16;
/// Before everything else there are so many runs, and so much work of bounded model checking.
const FIRST_RUNS: u64 = 64;
const FIRST_CHECK: u64 = 8_000;
/// Runs drawn at once while hunting.
const HUNT_AT_ONCE: u64 = 4096;
/// A run to an error may take far more steps than a sample.
const REPLAY_STEPS: u64 = 200_000_000;
/// An interpreter's step is cheap beside one of the symbolic engine.
const RUN_STEPS_PER_WORK: u64 = 50;

/// A learner that was told no where a run says yes begins anew at most so often.
const MAX_RESTARTS: u32 = 20;

/// What a caller may show while it goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Progress {
    Hunting {
        runs: u64,
    },
    Checking {
        unwind: usize,
    },
    Learning {
        states: usize,
    },
    Sampling {
        question: u32,
        batches: u64,
        of: u64,
    },
}

/// Why the loop ended.
pub(crate) enum Stop {
    Verdict(Verdict),
    Doubt(Doubt),
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        Stop::Doubt(Doubt::Stopped(reason))
    }
}

/// A model that was learned before, and what was promised of it.
pub struct Reused {
    pub learner: DfaLearner,
    pub guarantee: Guarantee,
}

/// Looks for an error of the program, or learns a model of it.
pub fn run(
    program: &Arc<Program>,
    config: &Config,
    budget: &Budget,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Outcome {
    let budget = budget.clone();
    deep_stack(move || run_here(program, config, None, &budget, progress))
}

/// The same, beginning with a model of the same program. If it has no word that leads to an error,
/// its guarantee is that of the answer, and nothing is sampled.
pub fn run_again(
    program: &Arc<Program>,
    config: &Config,
    reused: Reused,
    budget: &Budget,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Outcome {
    let budget = budget.clone();
    deep_stack(move || run_here(program, config, Some(reused), &budget, progress))
}

fn run_here(
    program: &Arc<Program>,
    config: &Config,
    reused: Option<Reused>,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Outcome {
    let compiled = compile(program, &config.properties);
    let plan = Plan {
        strategy: config.strategy,
        size: config.batch,
        seed: config.seed,
        max_decisions: config.max_decisions,
        max_steps: config.max_steps,
        threads: config.threads,
    };
    let check_overflow = config.properties.contains(&Property::Overflow);
    let monitors = &config.monitors;
    let sampler = Sampler::new(&compiled, program, check_overflow, monitors, plan);
    let mut session = Session::new(program, &compiled, &sampler, config, budget, progress);
    let verdict = match session.verify(reused) {
        Ok(guarantee) => {
            session.guarantee = Some(guarantee.clone());
            Verdict::Pac(guarantee)
        }
        Err(Stop::Verdict(verdict)) => verdict,
        Err(Stop::Doubt(doubt)) => Verdict::Undecided(match (doubt, session.noted.take()) {
            // More time would not have helped.
            (Doubt::Stopped(reason), Some(noted)) if !reason.is_our_bug() => noted,
            (doubt, _) => doubt,
        }),
    };
    session.finish(verdict)
}

pub(crate) struct Session<'a> {
    pub(crate) program: &'a Program,
    pub(crate) compiled: &'a Compiled,
    pub(crate) config: &'a Config,
    pub(crate) budget: &'a Budget,
    progress: &'a mut dyn FnMut(Progress),
    pub(crate) sampler: &'a Sampler<'a>,
    pub(crate) teacher: Teacher<'a>,
    /// Of assertions, if there are any, and of each monitor.
    pub(crate) errors: Vec<ErrorWords>,
    pub(crate) has_assertion: bool,
    checking: ModelChecking<'a>,
    learner: Option<DfaLearner>,
    /// Drawn and not looked at.
    drawn: VecDeque<Batch>,
    /// The number of the next batch to draw.
    next_batch: u64,
    /// The number of the next short run with random inputs.
    next_run: u64,
    iterations: Vec<Iteration>,
    pub(crate) asked: Vec<Asked>,
    /// What the engine that is asked now has to say.
    pub(crate) said: String,
    pub(crate) proof: Option<Proof>,
    pub(crate) only_run: OnlyRun,
    pub(crate) certificate: Option<Certificate>,
    pub(crate) formulas: Vec<KeptFormula>,
    guarantee: Option<Guarantee>,
    seen: FxHashMap<(FuncId, BlockId), [u64; 2]>,
    fault: Option<Box<Sample>>,
    /// What model checking found that forbids a guarantee, while there may still be an error.
    noted: Option<Doubt>,
    pub(crate) statistics: Statistics,
    pub(crate) run_steps: u64,
    /// What it took to find the paths of batches.
    sample_work: u64,
    restarts: u32,
    /// Random words of models so far.
    pub(crate) walks: u64,
    /// Paths of samples that were asked for faults.
    pub(crate) asked_paths: FxHashSet<Vec<bool>>,
}

impl<'a> Session<'a> {
    fn new(
        program: &'a Arc<Program>,
        compiled: &'a Compiled,
        sampler: &'a Sampler<'a>,
        config: &'a Config,
        budget: &'a Budget,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let calls = CallGraph::new(program);
        let places = if config.properties.contains(&Property::Assert) {
            assertions(program, &calls)
        } else {
            Vec::new()
        };
        let mut errors = Vec::new();
        if !places.is_empty() {
            errors.push(ErrorWords::new(program, &calls, &places));
        }
        for monitor in &config.monitors {
            errors.push(ErrorWords::of_monitor(program, &calls, monitor));
        }
        Self {
            program,
            compiled,
            config,
            budget,
            progress,
            sampler,
            teacher: Teacher::new(compiled, sampler.flips(), budget),
            errors,
            has_assertion: !places.is_empty(),
            checking: ModelChecking::new(
                program,
                &config.properties,
                &config.unwinding,
                config.grows,
            ),
            learner: None,
            drawn: VecDeque::new(),
            next_batch: 0,
            next_run: 0,
            iterations: Vec::new(),
            asked: Vec::new(),
            said: String::new(),
            proof: None,
            only_run: OnlyRun::default(),
            certificate: None,
            formulas: Vec::new(),
            guarantee: None,
            seen: FxHashMap::default(),
            fault: None,
            noted: None,
            statistics: Statistics::default(),
            run_steps: 0,
            sample_work: 0,
            restarts: 0,
            walks: 0,
            asked_paths: FxHashSet::default(),
        }
    }

    /// Whether there is anything to look for.
    fn has_target(&self) -> bool {
        !self.errors.is_empty()
            || self
                .config
                .properties
                .iter()
                .any(|&p| p != Property::Assert)
    }

    fn verify(&mut self, reused: Option<Reused>) -> Result<Guarantee, Stop> {
        if let Some(Reused { learner, guarantee }) = reused {
            self.learner = Some(learner);
            let conjecture = self.conjecture()?;
            match self.error_word(&conjecture)? {
                None => return Ok(guarantee),
                Some(cex) => self.refine(&cex)?,
            }
        }
        if self.has_target() {
            let is_whole = self.config.engine == Engine::Both;
            self.ask("short runs", |s| s.easy_runs(is_whole))?;
            if is_whole {
                self.ask("model checking", Self::easy_check)?;
                self.ask("abstract states", Self::easy_states)?;
                self.ask("the run without inputs", |s| s.only_run(EARLY_STEPS))?;
                self.ask("the run with zeros", Self::zero_run)?;
                self.ask("formulas", Self::formulas)?;
            }
            self.ask("short runs", Self::hunt)?;
            self.ask("model checking", Self::check_early)?;
            if is_whole {
                self.ask("guided runs", |s| s.guided(EARLY_GUIDED))?;
            }
            if let Some(Doubt::Trap { index }) = self.noted {
                // No promise is left to be made; bounded model checking may still find an error.
                self.check(self.config.bmc_least)?;
                return Err(Stop::Doubt(Doubt::Trap { index }));
            }
            self.ask("all paths", Self::all_paths)?;
            if is_whole {
                self.ask("abstract states", Self::states)?;
                self.ask("model checking", |s| s.check_more(5))?;
                self.ask("induction", Self::induction)?;
                self.ask("model checking", |s| s.check_more(2))?;
                self.ask("trace abstraction", Self::traces)?;
                self.ask("guided runs", |s| s.guided(LATE_GUIDED))?;
                self.ask("long runs", Self::long_runs)?;
                self.ask("guided runs", |s| s.guided(LONG_GUIDED))?;
                self.ask("the run without inputs", Self::only_run_at_last)?;
            }
        }
        let guarantee = self.ask("learning", Self::learn)?;
        self.guarantee = Some(guarantee.clone());
        if let Some(proof) = self.proof {
            return Err(Stop::Verdict(Verdict::Proved(proof)));
        }
        if self.has_target() {
            if self.config.engine == Engine::Learn {
                return Err(Stop::Doubt(Doubt::NoModelChecking));
            }
            self.check(self.config.bmc_least)?;
            let s = &self.statistics;
            if s.samples > 0 && s.unfinished == s.samples {
                return Err(Stop::Doubt(Doubt::NoRunEnded));
            }
        }
        match (self.noted.take(), self.fault.take()) {
            (Some(doubt), _) => Err(Stop::Doubt(doubt)),
            (None, Some(fault)) => Err(Stop::Doubt(Doubt::Fault(fault))),
            (None, None) => Ok(guarantee),
        }
    }

    fn all_paths(&mut self) -> Result<(), Stop> {
        if self.config.engine == Engine::Learn || self.proof.is_some() {
            return Ok(());
        }
        let limits = Limits {
            properties: &self.config.properties,
            monitors: &self.config.monitors,
            max_paths: self.config.max_paths,
        };
        match explore(self.compiled, self.sampler.flips(), &limits, self.budget)? {
            Explored::More => Ok(()),
            Explored::All { paths } => self.proved(Proof::AllPaths { paths }),
            Explored::Error(run) => Err(error(FoundBy::Sampling, *run)),
        }
    }

    /// Work of learning and sampling.
    fn learn_work(&self) -> u64 {
        let asked = self.teacher.statistics().work;
        asked + self.sample_work + self.run_steps / RUN_STEPS_PER_WORK
    }

    /// Bounded model checking before the other engines: work that its measure does not see, of very deep
    /// recursion say, must not take the time of all others.
    fn check_early(&mut self) -> Result<(), Stop> {
        let whole = self.budget;
        let own = slice(whole, u64::MAX, 4);
        self.check_within(self.config.bmc_least / 4, &own)
    }

    /// Bounded model checking goes on, for this part of the time that is left, before and after induction: what has to be
    /// unrolled is worth more of it than traces one by one.
    fn check_more(&mut self, part: u32) -> Result<(), Stop> {
        let own = slice(self.budget, u64::MAX, part);
        let least = match self.budget.deadline() {
            Some(_) => u64::MAX,
            None => self.config.bmc_least / u64::from(part),
        };
        self.check_within(least, &own)
    }

    /// Lets bounded model checking go on until it had its share, and at least so much work.
    fn check(&mut self, least: u64) -> Result<(), Stop> {
        let own = self.budget.clone();
        self.check_within(least, &own)
    }

    fn check_within(&mut self, least: u64, own: &Budget) -> Result<(), Stop> {
        let result = self.check_slices(least, own);
        self.said = match self.checking.reached() {
            1 => "no error within 1 unwinding".to_owned(),
            n => format!("no error within {n} unwindings"),
        };
        result
    }

    fn check_slices(&mut self, least: u64, own: &Budget) -> Result<(), Stop> {
        if self.config.engine == Engine::Learn || !self.has_target() || self.proof.is_some() {
            return Ok(());
        }
        let share = self.config.bmc_share.clamp(0.0, 0.99);
        let due = (self.learn_work() as f64 * share / (1.0 - share)) as u64;
        let due = due.max(least);
        while self.checking.work() < due && !self.checking.is_over() {
            let unwind = self.checking.bound();
            (self.progress)(Progress::Checking { unwind });
            let left = due - self.checking.work();
            let checked = match self.checking.step(left, own) {
                Err(StopReason::Time) if self.budget.look().is_ok() => return Ok(()),
                other => other?,
            };
            match checked {
                Checked::GoesOn => {}
                Checked::Proved { unwind } => {
                    // It knows nothing of monitors.
                    if self.config.monitors.is_empty() {
                        self.proved(Proof::Unwinding { unwind })?;
                    }
                    return Ok(());
                }
                Checked::Doubt(doubt) => return Err(Stop::Doubt(doubt)),
                Checked::Noted(doubt) => {
                    self.noted.get_or_insert(doubt);
                }
                Checked::Error {
                    inputs,
                    is_approximate,
                } => {
                    let run = self.replay(&inputs)?;
                    if is_error(&run, &self.config.properties) {
                        return Err(error(FoundBy::Bmc, run));
                    }
                    return Err(Stop::Doubt(match (&run.end, is_approximate) {
                        (End::Limit(reason), _) => Doubt::Stopped(*reason),
                        (_, true) => Doubt::Unconfirmed,
                        (_, false) => Doubt::Disagreement { inputs },
                    }));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn replay(&self, inputs: &[u128]) -> Result<Sample, StopReason> {
        let mut runner = Runner::new(self.compiled, usize::MAX, &self.config.monitors);
        let mut source = FixedInputs::new(inputs.to_vec(), ZeroInputs);
        runner.run(&mut source, REPLAY_STEPS, self.budget)
    }

    /// Lets an engine work, and keeps in mind what came of it.
    fn ask<T>(
        &mut self,
        engine: &'static str,
        go: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let from = Instant::now();
        self.said.clear();
        let had_proof = self.proof.is_some();
        let result = go(self);
        let said = match &result {
            Err(Stop::Verdict(Verdict::Error { .. })) => "an error".to_owned(),
            Err(Stop::Verdict(Verdict::Proved(_))) => "a proof".to_owned(),
            Ok(_) if self.proof.is_some() && !had_proof => "a proof".to_owned(),
            Err(Stop::Doubt(Doubt::Stopped(reason))) => format!("stopped: {reason}"),
            Err(Stop::Doubt(_)) => "something that forbids a proof".to_owned(),
            Err(Stop::Verdict(_)) | Ok(_) => std::mem::take(&mut self.said),
        };
        self.asked.push(Asked {
            engine,
            seconds: from.elapsed().as_secs_f64(),
            said,
        });
        result
    }

    /// A few runs: most errors are near, and whoever has one wants to see it at once.
    fn easy_runs(&mut self, is_whole: bool) -> Result<(), Stop> {
        if is_whole {
            self.only_run(FIRST_STEPS)?;
        }
        self.hunt_until(FIRST_RUNS)
    }

    /// A little model checking, for the same reason.
    fn easy_check(&mut self) -> Result<(), Stop> {
        let own = slice(self.budget, u64::MAX, 8);
        match self.check_within(FIRST_CHECK, &own) {
            // Without a proof or an error, what stands in the way is said after the other runs; and
            // no proof is believed that runs refute.
            Err(stop @ (Stop::Doubt(_) | Stop::Verdict(Verdict::Proved(_)))) => {
                self.hunt()?;
                Err(stop)
            }
            other => other,
        }
    }

    /// Many short runs with random inputs: what they find need not be learned.
    pub(crate) fn hunt(&mut self) -> Result<(), Stop> {
        self.hunt_until(self.config.hunt)
    }

    fn hunt_until(&mut self, n_runs: u64) -> Result<(), Stop> {
        if matches!(self.only_run, OnlyRun::Goes { .. }) {
            return Ok(());
        }
        let n_runs = n_runs.min(self.config.hunt);
        let mut done = self.next_run;
        while done < n_runs {
            (self.progress)(Progress::Hunting { runs: done });
            let n = HUNT_AT_ONCE.min(n_runs - done);
            self.next_run = done + n;
            for sample in self.sampler.hunt(done, n, self.budget)? {
                self.statistics.hunted += 1;
                self.run_steps += sample.steps;
                match self.judge(&sample) {
                    // Another run may show an error all the same.
                    Err(Stop::Doubt(doubt @ Doubt::Trap { .. })) => {
                        self.noted.get_or_insert(doubt);
                    }
                    judged => judged?,
                }
            }
            done += n;
        }
        self.said = format!("no error in {done} runs");
        Ok(())
    }

    /// Ends everything if the run is an error, and keeps what else is wrong with it in mind.
    pub(crate) fn judge(&mut self, sample: &Sample) -> Result<(), Stop> {
        if is_error(sample, &self.config.properties) {
            return Err(error(FoundBy::Sampling, sample.clone()));
        }
        match &sample.end {
            End::Trap(index) => Err(Stop::Doubt(Doubt::Trap { index: *index })),
            End::Fault(_) => {
                self.fault.get_or_insert_with(|| Box::new(sample.clone()));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn learn(&mut self) -> Result<Guarantee, Stop> {
        if self.learner.is_none() {
            let learner = self.config.learner.start_dfa(2, &mut self.teacher)?;
            self.learner = Some(learner);
        }
        let mut question = 0;
        loop {
            let conjecture = self.conjecture()?;
            let states = conjecture.n_states();
            (self.progress)(Progress::Learning { states });
            if let Some(cex) = self.not_prefix_closed(&conjecture)? {
                self.statistics.not_prefix_closed += 1;
                self.refine(&cex)?;
                continue;
            }
            if let Some(cex) = self.error_word(&conjecture)? {
                self.statistics.error_words_refuted += 1;
                self.refine(&cex)?;
                continue;
            }
            if let Some(cex) = self.infeasible_word(&conjecture, question + 1)? {
                self.statistics.model_words_refuted += 1;
                self.refine(&cex)?;
                continue;
            }
            self.check(0)?;
            question += 1;
            match self.equivalence(&conjecture, question)? {
                Some(cex) => self.refine(&cex)?,
                None => {
                    let config = self.config;
                    return Ok(Guarantee {
                        epsilon: config.epsilon,
                        delta: config.delta,
                        batch: config.batch,
                        question,
                        batches: self.needed(question)?,
                        strategy: config.strategy,
                        seed: config.seed,
                        max_decisions: config.max_decisions,
                        max_steps: config.max_steps,
                        distribution: distribution(config.strategy, config.batch),
                        is_two_sided: self.is_two_sided(),
                    });
                }
            }
        }
    }

    fn conjecture(&mut self) -> Result<Dfa, Stop> {
        let Some(learner) = &mut self.learner else {
            return Err(StopReason::Internal(Bug::RuledOut).into());
        };
        learner.complete(&mut self.teacher)?;
        Ok(learner.hypothesis().clone())
    }

    fn refine(&mut self, cex: &Counterexample) -> Result<(), Stop> {
        self.budget.look()?;
        if self.learn_work() > self.config.max_work {
            return Err(StopReason::Steps.into());
        }
        let Some(learner) = &mut self.learner else {
            return Ok(());
        };
        debug_assert_ne!(
            learner.hypothesis().accepts(&cex.word),
            cex.answer,
            "only what the conjecture gets wrong goes to the learner"
        );
        match learner.refine(cex, &mut self.teacher) {
            Ok(()) => {}
            // The learner has seen it already, which is what the re-check of §10 finds out.
            Err(RefineError::NotACounterexample { .. }) => {}
            Err(RefineError::Stopped(reason)) => return Err(reason.into()),
            Err(RefineError::Contradiction { word }) => {
                // A question that was given up had been taken for no, and now a run says yes. The
                // tree has that run, so a learner that begins anew is told the truth.
                if self.restarts < MAX_RESTARTS {
                    self.restarts += 1;
                    let learner = self.config.learner.start_dfa(2, &mut self.teacher)?;
                    self.learner = Some(learner);
                    return Ok(());
                }
                let decisions = outcomes(&word);
                return Err(Stop::Doubt(Doubt::Contradiction { decisions }));
            }
            Err(RefineError::UnknownLetter { .. }) => {}
        }
        Ok(())
    }

    pub(crate) fn needed(&self, question: u32) -> Result<u64, Stop> {
        pac_samples(self.config.epsilon, self.config.delta, question)
            .ok_or_else(|| StopReason::Steps.into())
    }

    /// Looks at q_i batches that nobody has looked at.
    fn equivalence(
        &mut self,
        conjecture: &Dfa,
        question: u32,
    ) -> Result<Option<Counterexample>, Stop> {
        self.statistics.equivalence_questions += 1;
        let needed = self.needed(question)?;
        let mut accepted = 0;
        let mut found = None;
        while accepted < needed && found.is_none() {
            if self.drawn.is_empty() {
                let of = needed;
                let batches = accepted;
                (self.progress)(Progress::Sampling {
                    question,
                    batches,
                    of,
                });
                let n = AT_ONCE.min(needed - accepted);
                let new = self.sampler.draw(self.next_batch, n, self.budget)?;
                self.next_batch += new.len() as u64;
                self.drawn.extend(new);
            }
            let Some(batch) = self.drawn.pop_front() else {
                break;
            };
            self.statistics.batches += 1;
            for sample in &batch {
                self.look_at(sample)?;
                self.fault_on_path(sample)?;
            }
            match batch.iter().find_map(|s| rejected_prefix(conjecture, s)) {
                None => accepted += 1,
                Some(word) => found = Some(Counterexample { word, answer: true }),
            }
        }
        let batches = self.statistics.batches;
        self.iterations.push(Iteration {
            question,
            states: conjecture.n_states(),
            batches_needed: needed,
            accepted,
            batches,
            next_error: next_error(self.config.delta, question, batches),
        });
        Ok(found)
    }

    fn look_at(&mut self, sample: &Sample) -> Result<(), Stop> {
        self.statistics.samples += 1;
        self.statistics.cut += u64::from(sample.is_cut);
        let is_unfinished = matches!(sample.end, End::Limit(_) | End::Stopped);
        self.statistics.unfinished += u64::from(is_unfinished);
        self.run_steps += sample.steps;
        self.sample_work += sample.work;
        self.teacher.saw(&sample.decisions);
        for d in &sample.decisions {
            self.seen.entry((d.function, d.block)).or_default()[usize::from(d.taken)] += 1;
        }
        self.judge(sample)
    }

    fn finish(mut self, verdict: Verdict) -> Outcome {
        self.statistics.membership = self.teacher.statistics();
        self.statistics.bmc_solver_calls = self.checking.solver_calls();
        self.statistics.bmc_unwind = self.checking.reached();
        self.statistics.bmc_work = self.checking.work();
        self.statistics.learn_work = self.learn_work();
        let mut coverage = Vec::new();
        for (id, function) in self.program.function_ids().zip(&self.program.functions) {
            for block in function.block_ids() {
                if let Some(&seen) = self.seen.get(&(id, block)) {
                    coverage.push(Coverage {
                        function: id,
                        block,
                        seen,
                    });
                }
            }
        }
        Outcome {
            verdict,
            certificate: self.certificate,
            formulas: self.formulas,
            guarantee: self.guarantee,
            model: self.learner.as_ref().map(|l| l.hypothesis().minimize()),
            learner: self.learner,
            has_assertion: self.has_assertion,
            iterations: self.iterations,
            asked: self.asked,
            coverage,
            statistics: self.statistics,
        }
    }
}

pub(crate) fn error(found_by: FoundBy, run: Sample) -> Stop {
    Stop::Verdict(Verdict::Error {
        found_by,
        run: Box::new(run),
    })
}

/// The shortest prefix of a sampled vector that the conjecture rejects: all of them are feasible.
fn rejected_prefix(conjecture: &Dfa, sample: &Sample) -> Option<Word> {
    let word: Vec<Letter> = letters(sample.decisions.iter().map(|d| d.taken));
    let mut state = conjecture.initial();
    for (i, &letter) in word.iter().enumerate() {
        if !conjecture.is_accepting(state) {
            return Some(word[..i].to_vec());
        }
        state = conjecture.step(state, letter);
    }
    (!conjecture.is_accepting(state)).then_some(word)
}

/// After so many batches without an error, at the i-th time that one asks: with confidence δ the
/// next one has an error with at most this probability. Equation (2) solved for ε.
pub fn next_error(delta: f64, question: u32, batches: u64) -> f64 {
    let doubt = (1.0 - delta).recip().ln() + f64::from(question) * std::f64::consts::LN_2;
    (doubt / batches.max(1) as f64).min(1.0)
}

//! Engines that are asked before anything is learned: one run to its end, long runs, trace abstraction
//! and induction. Each has a number of steps, and a part of the time that is left as a net below it.

use crate::outcome::{FoundBy, Verdict};
use crate::session::{Session, Stop, error};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{End, ZeroInputs};
use idiolect_invariants::whole;
use idiolect_ir::{Location, Property};
use idiolect_prove::traces::{self, Judged};
use idiolect_prove::{induction, states};
use idiolect_search::effort;
use idiolect_search::guided::{self, Guided};
use idiolect_search::runs::{Runner, Sample, is_error};
use idiolect_search::{Doubt, Proof};
use std::time::Instant;

/// The run without inputs is followed for so many steps at first, and for eight times as many each
/// time that it has not ended.
pub(crate) const FIRST_STEPS: u64 = 15_625;
/// The run whose inputs are all zeros, where there are inputs.
const ZERO_STEPS: u64 = 1_000_000;
const GROWTH: u64 = 8;
/// What the run without inputs gets before the other engines, and after them; then, too, it may take all
/// the time that is left, since there is no other run to look at.
pub(crate) const EARLY_STEPS: u64 = 8_000_000;
const LATE_STEPS: u64 = 64_000_000;

/// Long runs with random inputs: how many, and how long.
const LONG_RUNS: [(u64, u64); 2] = [(24, 400_000), (8, 6_000_000)];

/// Coverage-guided runs before the engines that prove, and after them.
pub(crate) const EARLY_GUIDED: guided::Limits = guided::Limits {
    runs: 20_000,
    steps: 10_000_000,
    run_steps: 100_000,
    questions: 10,
};
pub(crate) const LATE_GUIDED: guided::Limits = guided::Limits {
    runs: 200_000,
    steps: 60_000_000,
    run_steps: 400_000,
    questions: 100,
};

/// The same where runs are cut by the limits above: few runs, of which each may go far.
pub(crate) const LONG_GUIDED: guided::Limits = guided::Limits {
    runs: 400,
    steps: 120_000_000,
    run_steps: 6_000_000,
    questions: 0,
};

/// So many times more work is done where the time is limited.
const WITH_LIMIT: u64 = 20;

/// Work to judge one trace: statements, terms and conflicts.
const TRACE_EFFORT: u64 = 500_000;

/// Steps of abstract states before the other engines that prove.
const EASY_STATES: u64 = 40_000;

/// How the run without inputs went so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OnlyRun {
    #[default]
    NotAsked,
    /// It takes inputs, so there are others.
    HasInputs,
    /// It takes none in its first steps, and has not ended.
    Goes { steps: u64 },
}

/// So many steps, and at most a part of the time that is left.
pub(crate) fn slice(budget: &Budget, steps: u64, part: u32) -> Budget {
    // Who gave a time limit wants it used.
    let steps = match budget.deadline() {
        Some(_) => steps.saturating_mul(WITH_LIMIT),
        None => steps,
    };
    let own = effort::part(budget, steps);
    match budget.deadline() {
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now());
            own.within(left / part)
        }
        None => own,
    }
}

impl Session<'_> {
    /// A program that takes no input has one run, and its end settles everything. It is followed for
    /// at most so many steps.
    pub(crate) fn only_run(&mut self, most: u64) -> Result<(), Stop> {
        let mut steps = match self.only_run {
            OnlyRun::HasInputs => return Ok(()),
            OnlyRun::NotAsked => FIRST_STEPS,
            OnlyRun::Goes { steps } => steps.saturating_mul(GROWTH),
        };
        while steps <= most && self.proof.is_none() {
            let mut runner = Runner::new(self.compiled, 0, &self.config.monitors);
            let run = runner.run(&mut ZeroInputs, steps, self.budget)?;
            self.run_steps += run.steps;
            if is_error(&run, &self.config.properties) {
                return Err(self.found(FoundBy::Sampling, run)?);
            }
            if !run.inputs.is_empty() {
                self.only_run = OnlyRun::HasInputs;
                return Ok(());
            }
            match run.end {
                End::Exit(_) | End::Abort | End::AssumeEnded => {
                    return self.proved(Proof::OnlyRun { steps: run.steps });
                }
                End::Limit(StopReason::Steps) => {}
                // There is no other run to look at.
                End::Trap(index) => return Err(Stop::Doubt(Doubt::Trap { index })),
                // What else ends it is for those who ask about faults.
                _ => {
                    self.only_run = OnlyRun::HasInputs;
                    return Ok(());
                }
            }
            self.only_run = OnlyRun::Goes { steps };
            steps = steps.saturating_mul(GROWTH);
        }
        Ok(())
    }

    /// The run whose inputs are all zeros, for longer than at first.
    pub(crate) fn zero_run(&mut self) -> Result<(), Stop> {
        if self.only_run != OnlyRun::HasInputs || self.proof.is_some() {
            return Ok(());
        }
        let mut runner = Runner::new(self.compiled, 0, &self.config.monitors);
        let run = runner.run(&mut ZeroInputs, ZERO_STEPS, self.budget)?;
        self.run_steps += run.steps;
        if is_error(&run, &self.config.properties) {
            return Err(self.found(FoundBy::Sampling, run)?);
        }
        Ok(())
    }

    /// The run without inputs, after the other engines.
    pub(crate) fn only_run_at_last(&mut self) -> Result<(), Stop> {
        let has_deadline = self.budget.deadline().is_some();
        self.only_run(if has_deadline {
            u64::MAX / GROWTH
        } else {
            LATE_STEPS
        })
    }

    /// A few runs that are not cut where samples are.
    pub(crate) fn long_runs(&mut self) -> Result<(), Stop> {
        if self.config.hunt == 0 || matches!(self.only_run, OnlyRun::Goes { .. }) {
            return Ok(());
        }
        let mut first = self.config.hunt;
        for (n, steps) in LONG_RUNS {
            let own = slice(self.budget, u64::MAX, 8);
            let runs = match self.sampler.long_runs(first, n, steps, &own) {
                Ok(runs) => runs,
                Err(StopReason::Time) => {
                    self.budget.look()?;
                    return Ok(());
                }
                Err(reason) => return Err(reason.into()),
            };
            first += n;
            for run in runs {
                self.statistics.hunted += 1;
                self.run_steps += run.steps;
                self.judge(&run)?;
            }
        }
        Ok(())
    }

    /// Runs on inputs made from those that came to something new. A run that goes on for ever is for others.
    pub(crate) fn guided(&mut self, limits: guided::Limits) -> Result<(), Stop> {
        let is_only = matches!(self.only_run, OnlyRun::Goes { .. });
        if self.config.hunt == 0 || is_only || !self.may_prove() {
            return Ok(());
        }
        let mut guided = Guided::new(
            self.program,
            self.compiled,
            self.sampler.flips(),
            &self.config.properties,
            self.config.seed,
        );
        let own = slice(self.budget, u64::MAX, 16);
        let found = guided.search(&limits, &own);
        let done = guided.statistics();
        self.statistics.hunted += done.runs;
        self.run_steps += done.steps;
        match found {
            Ok(Some(inputs)) => {
                let run = self.replay(&inputs)?;
                // What a run drew beyond its list is a part of the inputs, so it repeats.
                if is_error(&run, &self.config.properties) {
                    return Err(error(FoundBy::Guided, run));
                }
                Ok(())
            }
            Ok(None) => {
                self.said = format!("no error in {} runs", done.runs);
                Ok(())
            }
            Err(StopReason::Time) => {
                self.budget.look()?;
                Ok(())
            }
            Err(reason) => Err(reason.into()),
        }
    }

    /// Once more, so that the decisions of the run are all there.
    fn found(&self, by: FoundBy, run: Sample) -> Result<Stop, Stop> {
        Ok(error(by, self.replay(&run.inputs)?))
    }

    fn may_prove(&self) -> bool {
        self.config.proof_work > 0 && self.proof.is_none() && self.config.monitors.is_empty()
    }

    /// Takes infeasible error traces away until none is left.
    pub(crate) fn traces(&mut self) -> Result<(), Stop> {
        if !self.may_prove() {
            return Ok(());
        }
        let own = slice(self.budget, self.config.proof_work, 4);
        let config = traces::Config {
            max_traces: 1,
            max_iterations: self.config.proof_traces,
            ..traces::Config::default()
        };
        let mut run = None;
        let (flips, properties) = (self.sampler.flips(), &self.config.properties);
        let mut judge = |decisions: &[bool], _: Location, budget: &Budget| {
            let is_wanted = |kind: &_| idiolect_symex::bmc::is_error(kind, properties);
            let effort = effort::part(budget, TRACE_EFFORT);
            let most = effort.steps_left();
            let judged = flips.run_to(decisions, is_wanted, &effort);
            // What it took comes out of the whole.
            budget.spend(most - effort.steps_left())?;
            let inputs = match judged {
                Ok(Some(inputs)) => inputs,
                Ok(None) => return Ok(Judged::<(), ()>::Infeasible),
                Err(StopReason::Steps) => return Ok(Judged::Unknown("a hard trace".to_owned())),
                Err(reason) => return Err(reason),
            };
            let sample = self.replay(&inputs)?;
            if !is_error(&sample, properties) {
                return Ok(Judged::Unknown("a run that does not repeat".to_owned()));
            }
            run = Some(sample);
            // Nothing else is wanted of the search.
            Err(StopReason::Steps)
        };
        let outcome = traces::run(
            self.program,
            properties,
            &config,
            &own,
            &mut judge,
            &mut |_, _| {},
        );
        self.statistics.traces = outcome.counts.iterations;
        self.statistics.trace_solver_calls = outcome.counts.solver_calls;
        if let Some(run) = run {
            return Err(error(FoundBy::Traces, run));
        }
        self.budget.look()?;
        if outcome.is_proved() {
            self.proved(Proof::Traces {
                traces: outcome.counts.iterations,
            })?;
        }
        self.said = format!("no proof after {} traces", outcome.counts.iterations);
        Ok(())
    }

    /// Looks at all abstract states, where there are very few: control programs and lists are proved so at once.
    pub(crate) fn easy_states(&mut self) -> Result<(), Stop> {
        let own = effort::part(self.budget, EASY_STATES);
        self.states_within(&own)
    }

    /// Looks at all abstract states, where there are few.
    pub(crate) fn states(&mut self) -> Result<(), Stop> {
        let own = slice(self.budget, self.config.proof_work, 4);
        self.states_within(&own)
    }

    fn states_within(&mut self, own: &Budget) -> Result<(), Stop> {
        if !self.may_prove() {
            return Ok(());
        }
        let config = states::Config {
            properties: self.config.properties.clone(),
            ..states::Config::default()
        };
        let outcome = states::prove(self.program, &config, own);
        self.statistics.states = outcome.states;
        self.budget.look()?;
        match outcome.result {
            Ok(states) => {
                // No proof is believed that runs refute; what was run already is not run again.
                self.hunt()?;
                self.proved(Proof::States { states })
            }
            Err(why) => {
                self.said = format!("no proof after {} states: {why}", outcome.states);
                Ok(())
            }
        }
    }

    /// Learns formulas about all elements of arrays and lists, and proves that they hold and are enough.
    pub(crate) fn formulas(&mut self) -> Result<(), Stop> {
        let is_asked = self.config.properties == [Property::Assert];
        if !self.may_prove() || !is_asked {
            return Ok(());
        }
        let own = slice(self.budget, self.config.proof_work, 8);
        let found = whole::by_formulas(self.program, &own);
        self.budget.look()?;
        match found {
            Some(kept) => {
                // No proof is believed that runs refute.
                self.hunt()?;
                let formulas = kept.len() as u64;
                self.formulas = kept;
                self.proved(Proof::Formulas { formulas })
            }
            None => Ok(()),
        }
    }

    /// Learns invariants and contracts, and proves that they hold and are enough.
    pub(crate) fn induction(&mut self) -> Result<(), Stop> {
        if !self.may_prove() {
            return Ok(());
        }
        // Three quarters of the time that is left: few proofs come after this one.
        let mut own = slice(self.budget, self.config.proof_work, 1);
        if let Some(deadline) = self.budget.deadline() {
            let left = deadline.saturating_duration_since(Instant::now());
            own = own.within(left * 3 / 4);
        }
        let config = induction::Config {
            properties: self.config.properties.clone(),
            seed: self.config.seed,
            ..induction::Config::default()
        };
        let outcome = induction::prove(self.program, &config, &own);
        self.statistics.induction = outcome.statistics;
        self.budget.look()?;
        match outcome.result {
            Ok(certificate) => {
                let facts = certificate.claims.iter().map(|c| c.formulas.len() as u64);
                let facts = facts.sum();
                self.certificate = Some(certificate);
                self.proved(Proof::Induction { facts })
            }
            Err(why) => {
                let asked = outcome.statistics.questions;
                self.said = format!("no proof after {asked} questions: {why}");
                Ok(())
            }
        }
    }

    /// Nothing is left to doubt; a model may be wanted all the same.
    pub(crate) fn proved(&mut self, proof: Proof) -> Result<(), Stop> {
        self.proof = Some(proof);
        if self.config.wants_model {
            Ok(())
        } else {
            Err(Stop::Verdict(Verdict::Proved(proof)))
        }
    }
}

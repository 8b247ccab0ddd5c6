//! One search for everybody: is there a failing run?
//!
//! Cheap engines first: the run on zeros (the only one, if it takes no input), random runs short and long, all
//! runs up to a growing bound, all paths, coverage-guided runs. The answer depends on the program, the seed and the amount of
//! work, and on nothing else, so every command that asks knows the same.

use crate::all_paths::{Explored, Limits, explore};
use crate::bmc::{Checked, ModelChecking};
use crate::doubt::{Doubt, Proof};
use crate::effort;
use crate::flips::Flips;
use crate::guided::{self, Guided};
use crate::replay::{Replayed, replay, replay_within, violates};
use crate::runs::compile;
use crate::shrink::shrink;
use idiolect_base::{Budget, Rng, StopReason};
use idiolect_interp::{
    Compiled, End, InputSource, Machine, NoObserver, Outcome, RandomInputs, RunOptions, Spread,
    ZeroInputs,
};
use idiolect_ir::{Program, Property};
use idiolect_symex::bmc::Unwinding;
use std::sync::Arc;

/// What is looked for, and how far.
#[derive(Clone, Debug)]
pub struct FindOptions {
    pub properties: Vec<Property>,
    pub seed: u64,
    pub unwinding: Unwinding,
    /// The largest bound of `unwinding` is not the last, as long as there is work to spend.
    pub grows: bool,
    /// Work of bounded model checking: statements, terms and conflicts.
    pub bmc_work: u64,
    /// Paths that are followed to their ends in the hope that these are all.
    pub max_paths: u64,
    /// Steps of coverage-guided runs, where nothing else settles the matter.
    pub guided_steps: u64,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            properties: vec![Property::Assert],
            seed: 0,
            unwinding: 256.into(),
            grows: false,
            bmc_work: 1_500_000,
            max_paths: 200,
            guided_steps: GUIDED,
        }
    }
}

/// Who found a failing run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finder {
    Runs,
    Guided,
    Paths,
    Bmc { unwind: usize },
}

impl Finder {
    /// As a phrase: `found by …`.
    pub fn phrase(self) -> String {
        match self {
            Self::Runs => "random runs".to_owned(),
            Self::Guided => "coverage-guided runs".to_owned(),
            Self::Paths => "following all paths".to_owned(),
            Self::Bmc { unwind: 1 } => "bounded model checking with 1 unwinding".to_owned(),
            Self::Bmc { unwind } => {
                format!("bounded model checking with {unwind} unwindings")
            }
        }
    }
}

/// What the search came to.
#[derive(Clone, Debug)]
pub enum Found {
    Error {
        run: Box<Replayed>,
        by: Finder,
    },
    Proved(Proof),
    Nothing {
        /// Bounded model checking has found no error with so many unwindings.
        unwind: usize,
        /// What stands in the way of a proof, whatever the bound.
        doubt: Option<Doubt>,
    },
}

/// Random runs by their number and their largest number of steps.
const SCHEDULE: [(u64, u64); 4] = [(3_000, 3_000), (400, 30_000), (40, 300_000), (4, 5_000_000)];
/// The same for a claim that is attacked.
const ATTACK: [(u64, u64); 2] = [(1_000, 3_000), (50, 30_000)];
/// Work of bounded model checking once nothing can be proved any more.
const IN_DOUBT: u64 = 200_000;
/// Steps of the first run. One that takes no input goes on for [`LONG`]; another goes on for [`FIRST`] when short
/// runs have found nothing: most of those that take so long never end.
const BRIEF: u64 = 200_000;
const FIRST: u64 = 5_000_000;
const LONG: u64 = 2_000_000_000;
const STREAM: u64 = 0x5eed_0000_0000;
/// Steps of coverage-guided runs by default, and what else bounds them.
const GUIDED: u64 = 20_000_000;
const GUIDED_RUNS: u64 = 50_000;
const GUIDED_RUN: u64 = 100_000;
const GUIDED_QUESTIONS: u64 = 100;

/// Looks for a failing run of the program.
pub fn find_error(
    program: &Arc<Program>,
    options: &FindOptions,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
) -> Found {
    let compiled = compile(program, &options.properties);
    let mut search = Search {
        program,
        compiled: &compiled,
        options,
        budget,
        doubt: None,
        unwind: 0,
        is_first_cut: false,
    };
    let found = search.all(progress).unwrap_or_else(|reason| {
        search.doubt.get_or_insert(Doubt::Stopped(reason));
        None
    });
    found.unwrap_or(Found::Nothing {
        unwind: search.unwind,
        doubt: search.doubt,
    })
}

/// Tries to refute the claim that no run fails, by the run on zeros and by random runs.
pub fn attack(
    program: &Arc<Program>,
    properties: &[Property],
    seed: u64,
    budget: &Budget,
) -> Option<Box<Replayed>> {
    let options = FindOptions {
        properties: properties.to_vec(),
        seed,
        ..FindOptions::default()
    };
    let compiled = compile(program, properties);
    let mut search = Search {
        program,
        compiled: &compiled,
        options: &options,
        budget,
        doubt: None,
        unwind: 0,
        is_first_cut: false,
    };
    match search.first_run() {
        Ok(Some(Found::Error { run, .. })) => return Some(run),
        Ok(Some(_)) | Err(_) => return None,
        Ok(None) => {}
    }
    match search.random_runs(&ATTACK) {
        Ok(Some(Found::Error { run, .. })) => Some(run),
        _ => None,
    }
}

/// Smaller inputs for the same error.
pub fn shrunk(
    compiled: &Compiled,
    properties: &[Property],
    run: &Replayed,
    budget: &Budget,
) -> Replayed {
    // A run that takes seconds is not repeated a thousand times.
    let steps = run.outcome().steps;
    let own = effort::part(
        budget,
        steps.saturating_mul(300).clamp(4_000_000, 60_000_000),
    );
    // Nor is a run that takes far longer a simpler one; it may take inputs for ever.
    let longest = steps.saturating_mul(2).saturating_add(2_000);
    let spent = |outcome: &Outcome| own.spend(outcome.steps + 200).is_err();
    let mut over = false;
    let small = shrink(compiled.program(), run.inputs(), &own, |bits| {
        if over {
            return None;
        }
        let tried = replay_within(compiled, properties, bits.to_vec(), longest, &own);
        let outcome = match &tried {
            Ok(run) => run.outcome(),
            Err(outcome) => outcome.as_ref(),
        };
        over = spent(outcome);
        tried
            .ok()
            .filter(|t| run.is_same_error(t.outcome()))
            .map(|t| t.inputs().to_vec())
    });
    let bits = small.iter().map(|i| i.bits).collect();
    replay(compiled, properties, bits, budget).unwrap_or_else(|_| run.clone())
}

/// Inputs made small that lead to the same error; the given ones if they lead to none.
pub fn smaller_inputs(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: Vec<u128>,
    budget: &Budget,
) -> Vec<u128> {
    let compiled = compile(program, properties);
    match replay(&compiled, properties, inputs.clone(), budget) {
        Ok(run) => shrunk(&compiled, properties, &run, budget).bits(),
        Err(_) => inputs,
    }
}

struct Search<'a> {
    program: &'a Arc<Program>,
    compiled: &'a Compiled,
    options: &'a FindOptions,
    budget: &'a Budget,
    doubt: Option<Doubt>,
    unwind: usize,
    /// The run on zeros takes inputs and was not followed to its end.
    is_first_cut: bool,
}

impl Search<'_> {
    fn all(&mut self, progress: &mut dyn FnMut(&str)) -> Result<Option<Found>, StopReason> {
        progress("running");
        if let Some(found) = self.first_run()? {
            return Ok(Some(found));
        }
        if let Some(found) = self.random_runs(&SCHEDULE)? {
            return Ok(Some(found));
        }
        progress("bounded model checking");
        if let Some(found) = self.model_checking()? {
            return Ok(Some(found));
        }
        if self.doubt.is_none() {
            progress("following all paths");
            if let Some(found) = self.paths()? {
                return Ok(Some(found));
            }
        }
        progress("guided runs");
        self.guided()
    }

    fn run(&self, source: &mut dyn InputSource, steps: u64) -> Outcome {
        let options = RunOptions {
            max_output: 1 << 12,
            ..RunOptions::default()
        };
        let own = effort::part(self.budget, steps);
        Machine::new(self.compiled, options).run(source, &mut NoObserver, &own)
    }

    fn error(&self, outcome: &Outcome, by: Finder) -> Option<Found> {
        if !violates(&outcome.end, &self.options.properties) {
            return None;
        }
        let bits = outcome.inputs.iter().map(|i| i.bits).collect();
        let run = replay(self.compiled, &self.options.properties, bits, self.budget).ok()?;
        let run = shrunk(self.compiled, &self.options.properties, &run, self.budget);
        let run = Box::new(run);
        Some(Found::Error { run, by })
    }

    /// A run without inputs is the only one that there is.
    fn first_run(&mut self) -> Result<Option<Found>, StopReason> {
        let mut outcome = self.run(&mut ZeroInputs, BRIEF);
        if matches!(outcome.end, End::Limit(StopReason::Steps)) {
            self.is_first_cut = !outcome.inputs.is_empty();
            if !self.is_first_cut {
                outcome = self.run(&mut ZeroInputs, FIRST);
            }
            if matches!(outcome.end, End::Limit(StopReason::Steps)) && outcome.inputs.is_empty() {
                outcome = self.run(&mut ZeroInputs, LONG);
            }
        }
        if let Some(found) = self.error(&outcome, Finder::Runs) {
            return Ok(Some(found));
        }
        self.budget.look()?;
        if !outcome.inputs.is_empty() {
            return Ok(None);
        }
        Ok(match outcome.end {
            End::Exit(_) | End::Abort | End::AssumeEnded => Some(Found::Proved(Proof::OnlyRun {
                steps: outcome.steps,
            })),
            End::Trap(index) => {
                self.doubt = Some(Doubt::Trap { index });
                None
            }
            _ => None,
        })
    }

    /// The run on zeros again, if it was cut.
    fn first_run_again(&mut self) -> Result<Option<Found>, StopReason> {
        if !std::mem::take(&mut self.is_first_cut) {
            return Ok(None);
        }
        let outcome = self.run(&mut ZeroInputs, FIRST);
        let found = self.error(&outcome, Finder::Runs);
        self.budget.look()?;
        Ok(found)
    }

    fn random_runs(&mut self, schedule: &[(u64, u64)]) -> Result<Option<Found>, StopReason> {
        let mut number = 0;
        for &(runs, steps) in schedule {
            if steps > BRIEF
                && let Some(found) = self.first_run_again()?
            {
                return Ok(Some(found));
            }
            for _ in 0..runs {
                let rng = Rng::new(self.options.seed, STREAM + number);
                number += 1;
                let mut inputs = RandomInputs::new(rng, Spread::Mixed);
                let outcome = self.run(&mut inputs, steps);
                if let Some(found) = self.error(&outcome, Finder::Runs) {
                    return Ok(Some(found));
                }
                if number % 16 == 0 {
                    self.budget.look()?;
                }
            }
        }
        self.first_run_again()
    }

    fn model_checking(&mut self) -> Result<Option<Found>, StopReason> {
        let options = self.options;
        let mut checking = ModelChecking::new(
            self.program,
            &options.properties,
            &options.unwinding,
            options.grows,
        );
        let mut most = options.bmc_work;
        while checking.work() < most && !checking.is_over() {
            let left = most - checking.work();
            let unwind = checking.bound();
            let checked = checking.step(left, self.budget);
            self.unwind = checking.reached();
            match checked? {
                Checked::GoesOn => {}
                Checked::Proved { unwind } => {
                    return Ok(Some(Found::Proved(Proof::Unwinding { unwind })));
                }
                Checked::Doubt(doubt) | Checked::Noted(doubt) => {
                    self.doubt.get_or_insert(doubt);
                    // Nothing will be proved, so little more is spent on errors.
                    most = most.min(checking.work() + IN_DOUBT);
                }
                Checked::Error {
                    inputs,
                    is_approximate,
                } => {
                    let run = replay(
                        self.compiled,
                        &options.properties,
                        inputs.clone(),
                        self.budget,
                    );
                    self.doubt = Some(match run {
                        Ok(run) => {
                            return Ok(self.error(run.outcome(), Finder::Bmc { unwind }));
                        }
                        Err(outcome) => match (&outcome.end, is_approximate) {
                            (End::Limit(reason), _) => Doubt::Stopped(*reason),
                            (_, true) => Doubt::Unconfirmed,
                            (_, false) => Doubt::Disagreement { inputs },
                        },
                    });
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    fn guided(&mut self) -> Result<Option<Found>, StopReason> {
        let properties = &self.options.properties;
        let flips = Flips::new(self.program, properties.contains(&Property::Overflow));
        let seed = self.options.seed;
        let mut guided = Guided::new(self.program, self.compiled, &flips, properties, seed);
        let limits = guided::Limits {
            runs: GUIDED_RUNS,
            steps: self.options.guided_steps,
            run_steps: GUIDED_RUN,
            questions: GUIDED_QUESTIONS,
        };
        let Some(inputs) = guided.search(&limits, self.budget)? else {
            return Ok(None);
        };
        let run = replay(self.compiled, properties, inputs, self.budget);
        Ok(run
            .ok()
            .and_then(|run| self.error(run.outcome(), Finder::Guided)))
    }

    fn paths(&mut self) -> Result<Option<Found>, StopReason> {
        let check_overflow = self.options.properties.contains(&Property::Overflow);
        let flips = Flips::new(self.program, check_overflow);
        let limits = Limits {
            properties: &self.options.properties,
            monitors: &[],
            max_paths: self.options.max_paths,
        };
        Ok(
            match explore(self.compiled, &flips, &limits, self.budget)? {
                Explored::More => None,
                Explored::All { paths } => Some(Found::Proved(Proof::AllPaths { paths })),
                Explored::Error(run) => {
                    let properties = &self.options.properties;
                    let run = replay(self.compiled, properties, run.inputs.clone(), self.budget);
                    run.ok()
                        .and_then(|run| self.error(run.outcome(), Finder::Paths))
                }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_base::SourceMap;

    /// With zeros it waits for ever. What is tried ends soon all the same, and smaller inputs are found.
    #[test]
    fn a_try_that_does_not_end_does_not_end_the_shrinking() {
        let text = "int nondet(void); void reach_error(void);
            int main(void) {
                int n = 0, x = 0;
                while (x == 0) x = nondet();
                while (n < 3) n += nondet() != 0;
                if (x > 100) reach_error();
                return 0;
            }";
        let mut sources = SourceMap::new();
        let id = sources.add("a.c", text.to_owned());
        let compiled = idiolect_cfront::compile(sources, &[id], &Default::default());
        let program = Arc::new(compiled.program.expect("C"));
        let from = vec![0, 0, 70_000, 5, 0, 9, 0, 0, 77];
        let small = smaller_inputs(&program, &[Property::Assert], from, &Budget::unlimited());
        assert_eq!(small, [101, 1, 1, 1]);
    }

    /// The run on zeros is followed far enough, also where random runs are tried before.
    #[test]
    fn a_long_run_on_zeros_is_found() {
        let text = "int nondet(void); void reach_error(void);
            int main(void) {
                int all = 0;
                for (int i = 0; i < 12; i++) all += nondet() != 0;
                for (int i = 0; i < 100000; i++) all += i - i;
                if (all == 0) reach_error();
                return 0;
            }";
        let mut sources = SourceMap::new();
        let id = sources.add("a.c", text.to_owned());
        let compiled = idiolect_cfront::compile(sources, &[id], &Default::default());
        let program = Arc::new(compiled.program.expect("C"));
        let options = FindOptions {
            properties: vec![Property::Assert],
            ..FindOptions::default()
        };
        let found = find_error(&program, &options, &Budget::unlimited(), &mut |_| {});
        let Found::Error { run, by } = found else {
            panic!("there is an error");
        };
        assert!(run.bits().iter().all(|bits| *bits == 0));
        assert!(
            matches!(by, Finder::Runs),
            "the run takes more steps than the brief one"
        );
        assert!(run.outcome().steps > BRIEF);
    }
}

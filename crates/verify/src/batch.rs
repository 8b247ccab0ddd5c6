//! Batches of sampled paths.
//!
//! Batch `n` is a function of the seed and `n` alone (the tester is restarted for each, as §5.1 of
//! the paper has it), so batches are independent and identically distributed, and can be drawn on
//! any core in any order. The first path of a batch has random inputs; each further one turns round
//! a decision of the path before, and where that is not possible begins anew.

use crate::config::Strategy;
use crate::distance::Distances;
use idiolect_base::{Budget, Rng, StopReason, spawn_deep};
use idiolect_interp::{Compiled, FixedInputs, RandomInputs, Spread};
use idiolect_ir::{BlockId, FuncId, Program};
use idiolect_search::effort;
use idiolect_search::flips::{Effort, Flip, Flips};
use idiolect_search::monitor::Monitor;
use idiolect_search::runs::{Decision, Runner, Sample};
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Decisions of a path that are tried before the next path begins anew.
const TRIES: usize = 16;
/// A batch does not go on looking for an outcome that so many decisions could not be turned to.
const PATIENCE: u32 = 4;
/// Runs that are not part of a batch have their own streams of randomness.
const HUNT_STREAM: u64 = 1 << 48;

/// What the samples are drawn from, for the guarantee.
pub fn distribution(strategy: Strategy, k: usize) -> String {
    let inputs = "inputs half within 16 of zero, a quarter of any number of bits, an eighth at the \
                  ends of their types, an eighth uniform";
    match strategy {
        Strategy::RandomInput => format!("{k} runs with random inputs ({inputs})"),
        Strategy::RandomBranch => format!(
            "a run with random inputs ({inputs}), then {} times a decision of the latest run, \
             chosen at random, turned round",
            k.saturating_sub(1)
        ),
        Strategy::ControlFlow => format!(
            "a run with random inputs ({inputs}), then {} times the decision of the latest run \
             that is nearest to an outcome the batch has not seen nor tried {PATIENCE} times, at \
             random among equals, turned round",
            k.saturating_sub(1)
        ),
        Strategy::DepthFirst => format!(
            "a run with random inputs ({inputs}), then {} times the last decision that was not \
             turned round yet, turned round",
            k.saturating_sub(1)
        ),
    }
}

/// How batches are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub strategy: Strategy,
    pub size: usize,
    pub seed: u64,
    pub max_decisions: usize,
    pub max_steps: u64,
    pub threads: Option<usize>,
}

/// Draws batches.
pub struct Sampler<'p> {
    compiled: &'p Compiled,
    flips: Flips<'p>,
    distances: Distances,
    monitors: &'p [Monitor],
    plan: Plan,
}

/// One batch: its paths in the order in which they were found.
pub type Batch = Vec<Sample>;

impl<'p> Sampler<'p> {
    pub fn new(
        compiled: &'p Compiled,
        program: &'p Program,
        check_overflow: bool,
        monitors: &'p [Monitor],
        plan: Plan,
    ) -> Self {
        Self {
            compiled,
            flips: Flips::new(program, check_overflow),
            distances: Distances::new(program),
            monitors,
            plan,
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn flips(&self) -> &Flips<'p> {
        &self.flips
    }

    /// Batches `first..first + n`.
    pub fn draw(&self, first: u64, n: u64, budget: &Budget) -> Result<Vec<Batch>, StopReason> {
        self.in_parallel(first, n, 1, budget, |runner, number, budget| {
            self.batch(runner, number, budget)
        })
    }

    /// Runs `first..first + n` with random inputs, most of them short: the number of steps is drawn
    /// too, and every doubling of it is half as likely.
    pub fn hunt(&self, first: u64, n: u64, budget: &Budget) -> Result<Vec<Sample>, StopReason> {
        self.in_parallel(first, n, 64, budget, |runner, number, budget| {
            let mut rng = Rng::new(self.plan.seed, HUNT_STREAM + number);
            let mut steps = 1_000;
            while rng.chance(1, 2) && steps < self.plan.max_steps {
                steps *= 2;
            }
            let mut inputs = RandomInputs::new(rng, Spread::Mixed);
            runner.run(&mut inputs, steps, budget)
        })
    }

    /// Runs `first..first + n` with random inputs, followed for `steps` steps.
    pub fn long_runs(
        &self,
        first: u64,
        n: u64,
        steps: u64,
        budget: &Budget,
    ) -> Result<Vec<Sample>, StopReason> {
        self.in_parallel(first, n, 1, budget, |runner, number, budget| {
            let rng = Rng::new(self.plan.seed, HUNT_STREAM + number);
            runner.run(&mut RandomInputs::new(rng, Spread::Mixed), steps, budget)
        })
    }

    /// Results in the order of their numbers, whatever the number of threads.
    fn in_parallel<T: Send>(
        &self,
        first: u64,
        n: u64,
        at_once: u64,
        budget: &Budget,
        work: impl Fn(&mut Runner<'_>, u64, &Budget) -> Result<T, StopReason> + Sync,
    ) -> Result<Vec<T>, StopReason> {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let n_threads = self.plan.threads.unwrap_or(cores).max(1);
        let n_threads = n_threads.min(usize::try_from(n.div_ceil(at_once)).unwrap_or(1).max(1));
        let next = AtomicU64::new(0);
        let results: Mutex<Vec<(u64, Result<T, StopReason>)>> = Mutex::default();
        let go = |own: Budget| {
            let mut runner = Runner::new(self.compiled, self.plan.max_decisions, self.monitors);
            loop {
                let from = next.fetch_add(at_once, Ordering::Relaxed);
                if from >= n {
                    return;
                }
                let done: Vec<_> = (from..n.min(from + at_once))
                    .map(|i| (i, work(&mut runner, first + i, &own)))
                    .collect();
                let has_stopped = done.iter().any(|(_, r)| r.is_err());
                if let Ok(mut results) = results.lock() {
                    results.extend(done);
                }
                if has_stopped {
                    return;
                }
            }
        };
        match n_threads {
            1 => go(effort::part(budget, u64::MAX)),
            _ => std::thread::scope(|scope| {
                for _ in 0..n_threads {
                    let own = effort::part(budget, u64::MAX);
                    let spawned = spawn_deep(scope, || go(own));
                    // With fewer threads it takes longer; without any, nothing would be done.
                    if spawned.is_err() {
                        break;
                    }
                }
            }),
        }
        if next.load(Ordering::Relaxed) == 0 {
            go(effort::part(budget, u64::MAX));
        }
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|(i, _)| *i);
        results.into_iter().map(|(_, r)| r).collect()
    }

    fn batch(
        &self,
        runner: &mut Runner<'_>,
        number: u64,
        budget: &Budget,
    ) -> Result<Batch, StopReason> {
        let mut choice = Rng::new(self.plan.seed, 2 * number);
        let mut random = RandomInputs::new(Rng::new(self.plan.seed, 2 * number + 1), Spread::Mixed);
        let max_steps = self.plan.max_steps;
        let mut batch: Batch = Vec::with_capacity(self.plan.size);
        let mut search = Search::new(self.plan.strategy);
        while batch.len() < self.plan.size {
            let inputs = match batch.last() {
                None => None,
                Some(latest) => self.next_path(&mut search, latest, &mut choice, budget)?,
            };
            let mut sample = match inputs {
                None => {
                    search.turned = 0;
                    runner.run(&mut random, max_steps, budget)?
                }
                Some(inputs) => {
                    let mut source = FixedInputs::new(inputs.to_vec(), &mut random);
                    runner.run(&mut source, max_steps, budget)?
                }
            };
            sample.work = std::mem::take(&mut search.work);
            search.saw(&sample);
            batch.push(sample);
        }
        Ok(batch)
    }

    /// Inputs of a path beside the latest one; `None` if it has to begin anew.
    fn next_path(
        &self,
        search: &mut Search,
        latest: &Sample,
        choice: &mut Rng,
        budget: &Budget,
    ) -> Result<Option<std::sync::Arc<[u128]>>, StopReason> {
        let order = self.order(search, latest, choice);
        let mut word = latest.word();
        for at in order {
            let rest = word.split_off(at + 1);
            word[at] = !word[at];
            let asked = self.flips.ask(&word, Effort::Sample, budget)?;
            search.work += asked.work;
            word[at] = !word[at];
            word.extend(rest);
            if let Flip::Inputs(inputs) = asked.flip {
                search.turned = at + 1;
                return Ok(Some(inputs));
            }
            search.failed(&latest.decisions[at]);
        }
        Ok(None)
    }

    /// Decisions of the latest path to turn round, the best first.
    fn order(&self, search: &Search, latest: &Sample, choice: &mut Rng) -> Vec<usize> {
        let n = latest.decisions.len();
        match self.plan.strategy {
            Strategy::RandomInput => Vec::new(),
            Strategy::RandomBranch => {
                // A decision that was tried is not tried again.
                let mut all: Vec<usize> = (0..n).collect();
                let tries = n.min(TRIES);
                for i in 0..tries {
                    all.swap(i, i + choice.below((n - i) as u64) as usize);
                }
                all.truncate(tries);
                all
            }
            Strategy::DepthFirst => {
                // What lies below the decision that was turned round last is new; what lies above
                // has been turned round already on the way down.
                let from = search.turned.min(n);
                (from..n)
                    .rev()
                    .chain((0..from).rev())
                    .take(4 * TRIES)
                    .collect()
            }
            Strategy::ControlFlow => {
                // In a recursive program many decisions are equally near, being the same branch: the
                // first of them every time would be one path out of many.
                let near = self.distances.to_unseen(&search.seen);
                let mut all: Vec<(u32, u64, usize)> = (0..n)
                    .map(|i| (near.behind(&latest.decisions[i]), choice.next_u64(), i))
                    .collect();
                all.sort_unstable();
                all.truncate(TRIES);
                all.into_iter().map(|(_, _, i)| i).collect()
            }
        }
    }
}

/// What a batch remembers between its paths.
struct Search {
    strategy: Strategy,
    /// Outcomes that the batch has seen; the next batch begins with none.
    seen: crate::distance::Seen,
    /// The path before was found by turning round the decision before this one.
    turned: usize,
    /// How often a new outcome was tried in vain.
    in_vain: FxHashMap<(FuncId, BlockId, bool), u32>,
    /// What it took to find the next path.
    work: u64,
}

impl Search {
    fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            seen: Default::default(),
            turned: 0,
            in_vain: FxHashMap::default(),
            work: 0,
        }
    }

    /// A decision could not be turned round. An outcome that nobody comes to, such as a failing
    /// assertion of a correct program, would otherwise be the nearest new one for ever.
    fn failed(&mut self, decision: &Decision) {
        if self.strategy == Strategy::ControlFlow {
            let outcome = (decision.function, decision.block, !decision.taken);
            let n = self.in_vain.entry(outcome).or_insert(0);
            *n += 1;
            if *n >= PATIENCE {
                self.seen.insert(outcome);
            }
        }
    }

    fn saw(&mut self, sample: &Sample) {
        if self.strategy == Strategy::ControlFlow {
            for d in &sample.decisions {
                self.seen.insert((d.function, d.block, d.taken));
            }
        }
    }
}

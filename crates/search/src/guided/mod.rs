//! Coverage-guided inputs: a corpus of inputs, each of which came to an outcome of a decision that none
//! before it had come to (or so often), and new ones made from those.
//!
//! | part | module |
//! |---|---|
//! | what runs have come to | [`coverage`] |
//! | constants and texts of the program | [`dictionary`] |
//! | inputs made from others | [`mutate`] |
//! | outcomes that no run came to, asked of the solver, and other inputs on the same path that fail | [`solved`] |
//!
//! As in libFuzzer, with decisions for its edges; a condition with `&&` is one decision here, so where
//! mutation does not get on, the solver turns a decision round. Its inputs join the corpus like any others. What is
//! done depends on the program, the seed and the work that is allowed, and on nothing else.

mod coverage;
mod dictionary;
mod mutate;
mod solved;

use crate::effort;
use crate::flips::Flips;
use crate::replay::violates;
use coverage::{Coverage, Watch};
use dictionary::Dictionary;
use idiolect_base::{Budget, Rng, StopReason};
use idiolect_interp::{Compiled, DrawnInput, End, FixedInputs, Machine, Outcome, RunOptions};
use idiolect_ir::{BlockId, FuncId, Program, Property};
use mutate::{Tail, mutated};
use solved::{Asked, Tried};

/// How far the search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Runs at most.
    pub runs: u64,
    /// Steps of all runs together.
    pub steps: u64,
    /// Steps of one run at most.
    pub run_steps: u64,
    /// Questions to the solver.
    pub questions: u64,
}

/// What a search has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GuidedStatistics {
    pub runs: u64,
    pub steps: u64,
    pub questions: u64,
    /// Runs whose inputs the solver made.
    pub solved: u64,
    pub corpus: usize,
    pub outcomes: usize,
}

/// Inputs that were kept.
struct Entry {
    inputs: Vec<DrawnInput>,
    decisions: Vec<(FuncId, BlockId, bool)>,
    /// It came to an outcome that none before it had.
    is_first: bool,
    asked: Asked,
}

/// Runs from nothing; those after it are made from the corpus.
const FIRST_RUNS: u64 = 32;
/// So many runs without anything new, and the solver is asked.
const PATIENCE: u64 = 400;
/// More entries than this are not kept.
const MAX_CORPUS: usize = 4_000;
const STREAM: u64 = 0x6015_0000_0000;

/// A search that can be continued.
pub struct Guided<'c> {
    compiled: &'c Compiled,
    flips: &'c Flips<'c>,
    properties: &'c [Property],
    dictionary: Dictionary,
    coverage: Coverage,
    corpus: Vec<Entry>,
    tried: Tried,
    rng: Rng,
    /// Runs since something new was seen.
    quiet: u64,
    statistics: GuidedStatistics,
}

impl<'c> Guided<'c> {
    pub fn new(
        program: &'c Program,
        compiled: &'c Compiled,
        flips: &'c Flips<'c>,
        properties: &'c [Property],
        seed: u64,
    ) -> Self {
        Self {
            compiled,
            flips,
            properties,
            dictionary: Dictionary::new(program),
            coverage: Coverage::new(program),
            corpus: Vec::new(),
            tried: Tried::default(),
            rng: Rng::new(seed, STREAM),
            quiet: 0,
            statistics: GuidedStatistics::default(),
        }
    }

    pub fn statistics(&self) -> GuidedStatistics {
        GuidedStatistics {
            corpus: self.corpus.len(),
            outcomes: self.coverage.n_outcomes(),
            ..self.statistics
        }
    }

    /// Inputs that others found, such as those of an earlier answer.
    pub fn seed_with(
        &mut self,
        inputs: Vec<u128>,
        limits: &Limits,
        budget: &Budget,
    ) -> GuidedResult {
        self.run(inputs, limits, budget)
    }

    /// The inputs of a run that fails, if one is found within the limits.
    pub fn search(&mut self, limits: &Limits, budget: &Budget) -> GuidedResult {
        while self.statistics.runs < limits.runs && self.statistics.steps < limits.steps {
            budget.look()?;
            let found = if self.quiet >= PATIENCE && self.statistics.questions < limits.questions {
                self.ask(limits, budget)?
            } else {
                let inputs = self.next_inputs();
                self.run(inputs, limits, budget)?
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn next_inputs(&mut self) -> Vec<u128> {
        if self.statistics.runs < FIRST_RUNS || self.corpus.is_empty() {
            return Vec::new();
        }
        let (base, other) = (self.pick(), self.pick());
        let (base, other) = (&self.corpus[base].inputs, &self.corpus[other].inputs);
        mutated(base, other, &self.dictionary, &mut self.rng)
    }

    /// An entry: the later ones, and those that came to an outcome first, more often.
    fn pick(&mut self) -> usize {
        let n = self.corpus.len() as u64;
        let mut at = self.rng.below(n);
        if self.rng.chance(1, 2) {
            at = at.max(self.rng.below(n));
        }
        if !self.corpus[at as usize].is_first && self.rng.chance(1, 2) {
            at = at.max(self.rng.below(n));
        }
        at as usize
    }

    fn run(&mut self, inputs: Vec<u128>, limits: &Limits, budget: &Budget) -> GuidedResult {
        let left = limits.steps.saturating_sub(self.statistics.steps);
        let own = effort::part(budget, limits.run_steps.min(left.max(1)));
        let tail = Tail::new(&self.dictionary, &mut self.rng);
        let mut source = FixedInputs::new(inputs, tail);
        let mut watch = Watch {
            coverage: &mut self.coverage,
            decisions: Vec::new(),
        };
        let options = RunOptions {
            max_output: 1 << 12,
            ..RunOptions::default()
        };
        let outcome = Machine::new(self.compiled, options).run(&mut source, &mut watch, &own);
        let decisions = watch.decisions;
        self.statistics.runs += 1;
        // A run costs something even if it has no steps.
        self.statistics.steps += outcome.steps + 100;
        self.keep(&outcome, decisions);
        match outcome.end {
            End::Limit(reason) if !matches!(reason, StopReason::Steps | StopReason::Memory) => {
                Err(reason)
            }
            ref end if violates(end, self.properties) => {
                Ok(Some(outcome.inputs.iter().map(|i| i.bits).collect()))
            }
            _ => Ok(None),
        }
    }

    fn keep(&mut self, outcome: &Outcome, decisions: Vec<(FuncId, BlockId, bool)>) {
        let news = self.coverage.take();
        if news.counts == 0 || self.corpus.len() >= MAX_CORPUS {
            self.quiet += 1;
            return;
        }
        if news.outcomes > 0 {
            self.quiet = 0;
        }
        self.corpus.push(Entry {
            inputs: outcome.inputs.clone(),
            decisions,
            is_first: news.outcomes > 0,
            asked: Asked::default(),
        });
    }
}

/// Inputs that fail, or none within the limits.
pub type GuidedResult = Result<Option<Vec<u128>>, StopReason>;

#[cfg(test)]
mod tests;

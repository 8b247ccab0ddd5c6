//! Questions to the solver about the runs of the corpus: an outcome that no run has come to, and other inputs
//! on the same path that fail.

use super::{Guided, GuidedResult, Limits};
use crate::effort;
use crate::flips::{Effort, Flip};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{BlockId, FuncId};
use idiolect_symex::bmc::is_error;
use rustc_hash::FxHashMap;

/// Decisions so deep in a run are not turned round: the path to them takes too long to encode.
const MAX_DEPTH: usize = 300;
/// An outcome is asked for at so many places of runs.
const TRIES: u32 = 3;
/// Work of the question whether other inputs on a path fail.
const PATH_EFFORT: u64 = 300_000;

/// What was asked about an entry.
#[derive(Default)]
pub(super) struct Asked {
    /// Whether other inputs on its path fail.
    path: bool,
    /// Decisions before this one were looked at.
    next: usize,
}

type Outcome = (FuncId, BlockId, bool);

/// How often each outcome was asked for in vain.
pub(super) type Tried = FxHashMap<Outcome, u32>;

impl Guided<'_> {
    /// One question; if there is none left to ask, mutation goes on.
    pub(super) fn ask(&mut self, limits: &Limits, budget: &Budget) -> GuidedResult {
        if let Some((entry, at)) = self.unseen() {
            return self.turn_round(entry, at, limits, budget);
        }
        if let Some(entry) = (0..self.corpus.len()).rev().find(|&i| self.is_open(i)) {
            return self.other_inputs(entry, limits, budget);
        }
        self.quiet = 0;
        Ok(None)
    }

    fn is_open(&self, entry: usize) -> bool {
        let entry = &self.corpus[entry];
        entry.is_first && !entry.asked.path && entry.decisions.len() <= MAX_DEPTH
    }

    /// A decision of the corpus whose other outcome nobody has seen: the latest entries first, since they
    /// came farthest.
    fn unseen(&mut self) -> Option<(usize, usize)> {
        for i in (0..self.corpus.len()).rev() {
            let entry = &mut self.corpus[i];
            let n = entry.decisions.len().min(MAX_DEPTH);
            while entry.asked.next < n {
                let at = entry.asked.next;
                entry.asked.next += 1;
                let (function, block, taken) = entry.decisions[at];
                let other = (function, block, !taken);
                if self.coverage.has_seen(other.0, other.1, other.2) {
                    continue;
                }
                let tries = self.tried.entry(other).or_insert(0);
                if *tries < TRIES {
                    *tries += 1;
                    return Some((i, at));
                }
            }
        }
        None
    }

    fn turn_round(
        &mut self,
        entry: usize,
        at: usize,
        limits: &Limits,
        budget: &Budget,
    ) -> GuidedResult {
        let decisions = &self.corpus[entry].decisions;
        let mut word: Vec<bool> = decisions[..=at].iter().map(|d| d.2).collect();
        word[at] = !word[at];
        self.statistics.questions += 1;
        let asked = self.flips.ask(&word, Effort::Question, budget)?;
        let Flip::Inputs(inputs) = asked.flip else {
            return Ok(None);
        };
        // What comes after the inputs of the solver is as it was.
        let mut inputs = inputs.to_vec();
        let rest = self.corpus[entry].inputs.get(inputs.len()..).unwrap_or(&[]);
        inputs.extend(rest.iter().map(|i| i.bits));
        self.statistics.solved += 1;
        self.run(inputs, limits, budget)
    }

    fn other_inputs(&mut self, entry: usize, limits: &Limits, budget: &Budget) -> GuidedResult {
        let properties = self.properties;
        let entry = &mut self.corpus[entry];
        entry.asked.path = true;
        self.statistics.questions += 1;
        let word: Vec<bool> = entry.decisions.iter().map(|d| d.2).collect();
        let own = effort::part(budget, PATH_EFFORT);
        let inputs = match self
            .flips
            .run_to(&word, |kind| is_error(kind, properties), &own)
        {
            Ok(Some(inputs)) => inputs,
            Ok(None) | Err(StopReason::Steps | StopReason::Memory) => return Ok(None),
            Err(reason) => return Err(reason),
        };
        self.statistics.solved += 1;
        self.run(inputs, limits, budget)
    }
}

//! Inputs for paths that no run has taken yet.
//!
//! The answer for a sequence of decisions is a function of that sequence alone: its path is encoded
//! into terms of its own and asked of a solver of its own. So the answers can be kept and shared by
//! all batches and all threads, and a batch is the same whoever was drawn before it.
//!
//! A solver of its own is also the fast way: one that has seen hundreds of other paths takes seconds
//! for questions that a new one answers in milliseconds (`gcd02` of SV-COMP 2015: 40 to 300 times).

use crate::effort;
use crate::linear;
use crate::ranges::{self, RangeAnswer};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::Program;
use idiolect_smt::{Evaluator, Model, Outcome, Solver, TermId, Terms};
use idiolect_symex::EndKind;
use idiolect_symex::path::{Path, PathExplorer};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// What is known of a sequence of decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flip {
    /// Some run takes these decisions first: with these inputs, and any after them.
    Inputs(Arc<[u128]>),
    /// No run takes the first so many of these decisions.
    Infeasible(usize),
    /// The solver gave up within its limit, or the path has C that is not modelled.
    Unknown,
}

/// An answer, and what it took: statements and terms, and conflicts with their weight. That is what
/// it takes whoever asks first, and the same when the answer is known already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlipAnswer {
    pub flip: Flip,
    pub work: u64,
}

/// Statements and terms for one sequence.
const EFFORT: u64 = 400_000;

/// How hard the solver tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A sample: there are others.
    Sample,
    /// A question of the learner.
    Question,
}

impl Effort {
    fn conflicts(self) -> u64 {
        match self {
            Self::Sample => 100,
            Self::Question => 600,
        }
    }
}
/// What it takes to begin with a solver.
const SOLVER_WORK: u64 = 2_000;

/// Answers that are kept; beyond it all are forgotten, which costs time alone.
const MAX_KEPT: usize = 400_000;

/// The answers so far.
pub struct Flips<'p> {
    program: &'p Program,
    check_overflow: bool,
    known: Mutex<FxHashMap<Box<[u8]>, FlipAnswer>>,
    solved: AtomicU64,
}

impl<'p> Flips<'p> {
    pub fn new(program: &'p Program, check_overflow: bool) -> Self {
        Self {
            program,
            check_overflow,
            known: Mutex::default(),
            solved: AtomicU64::new(0),
        }
    }

    /// Inputs of a run that takes these decisions first.
    pub fn ask(
        &self,
        decisions: &[bool],
        effort: Effort,
        budget: &Budget,
    ) -> Result<FlipAnswer, StopReason> {
        // A decided question has the same answer whatever the effort, but a sample must not profit
        // from an effort that was made for the learner: it would depend on what was asked before.
        let key = pack(decisions, effort);
        if let Ok(known) = self.known.lock()
            && let Some(asked) = known.get(&key)
        {
            return Ok(asked.clone());
        }
        let own = effort::part(budget, EFFORT);
        let conflicts = effort::part(budget, effort.conflicts());
        let flip = self.solve(decisions, &own, &conflicts)?;
        let n_conflicts = effort.conflicts() - conflicts.steps_left();
        let solving = match n_conflicts {
            0 => 0,
            n => SOLVER_WORK + n * effort::WORK_PER_CONFLICT,
        };
        let work = EFFORT - own.steps_left() + solving;
        let asked = FlipAnswer { flip, work };
        self.solved.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= MAX_KEPT {
                known.clear();
            }
            known.insert(key, asked.clone());
        }
        Ok(asked)
    }

    /// Sequences that were solved; which of them depends on what was forgotten and on luck between
    /// threads, so it is for benchmarks and not for results.
    pub fn solved(&self) -> u64 {
        self.solved.load(Ordering::Relaxed)
    }

    fn solve(
        &self,
        decisions: &[bool],
        own: &Budget,
        conflicts: &Budget,
    ) -> Result<Flip, StopReason> {
        let mut explorer = PathExplorer::new(self.program, self.check_overflow);
        let path = match explorer.path(decisions, own) {
            Ok(path) => path,
            Err(reason) => return gave_up(reason),
        };
        let terms = explorer.terms();
        if path.decisions.len() < decisions.len() {
            // The path ends before.
            return Ok(Flip::Infeasible(path.decisions.len() + 1));
        }
        match settle(terms, &[path.condition]) {
            RangeAnswer::Never => return Ok(Flip::Infeasible(decisions.len())),
            RangeAnswer::Holds(model) => {
                return Ok(Flip::Inputs(inputs_of(&path, terms, &model).into()));
            }
            RangeAnswer::Unknown => {}
        }
        match Solver::new().check(terms, &[path.condition], conflicts) {
            Outcome::Unsat(_) => Ok(Flip::Infeasible(decisions.len())),
            Outcome::Unknown(reason) => gave_up(reason),
            Outcome::Sat(model) => Ok(Flip::Inputs(inputs_of(&path, terms, &model).into())),
        }
    }

    /// Inputs of a run that, without a decision beyond these, ends in a way that `wanted` picks: behind
    /// the last of them, or before on the way to it, where it has taken fewer.
    pub fn run_to(
        &self,
        decisions: &[bool],
        wanted: impl Fn(&EndKind) -> bool,
        budget: &Budget,
    ) -> Result<Option<Vec<u128>>, StopReason> {
        let mut explorer = PathExplorer::new(self.program, self.check_overflow);
        let path = explorer.path(decisions, budget)?;
        let mut open = Vec::new();
        for end in path.ends.iter().filter(|e| wanted(&e.kind)) {
            // The guard says that the run has taken the path so far.
            match settle(explorer.terms(), &[end.guard]) {
                RangeAnswer::Never => {}
                RangeAnswer::Holds(model) => {
                    return Ok(Some(inputs_of(&path, explorer.terms(), &model)));
                }
                RangeAnswer::Unknown => open.push(end.guard),
            }
        }
        if open.is_empty() {
            return Ok(None);
        }
        let question = explorer.any(&open);
        let terms = explorer.terms();
        match Solver::new().check(terms, &[question], budget) {
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(model) => Ok(Some(inputs_of(&path, terms, &model))),
        }
    }
}

/// Whether the conditions can hold together, as far as ranges and geometry tell.
fn settle(terms: &Terms, conditions: &[TermId]) -> RangeAnswer {
    if conditions.iter().any(|&c| terms.known_false(c)) {
        return RangeAnswer::Never;
    }
    match ranges::decide(terms, conditions) {
        RangeAnswer::Unknown => linear::decide(terms, conditions),
        answer => answer,
    }
}

/// The inputs of the run that a model describes.
fn inputs_of(path: &Path, terms: &Terms, model: &Model) -> Vec<u128> {
    let mut evaluator = Evaluator::new(terms, model);
    let mut inputs = Vec::new();
    for input in &path.inputs {
        if evaluator.eval_bool(input.guard) {
            inputs.push(evaluator.eval(input.value));
        }
    }
    inputs
}

fn gave_up(reason: StopReason) -> Result<Flip, StopReason> {
    match reason {
        StopReason::Steps | StopReason::Memory => Ok(Flip::Unknown),
        _ => Err(reason),
    }
}

/// Eight decisions a byte, with a last byte that tells how many there are in it, and the effort.
fn pack(decisions: &[bool], effort: Effort) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(decisions.len() / 8 + 2);
    for chunk in decisions.chunks(8) {
        bytes.push(chunk.iter().fold(0u8, |b, &d| b << 1 | u8::from(d)));
    }
    bytes.push((decisions.len() % 8) as u8 | (effort as u8) << 4);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_sequences_have_different_keys() {
        let mut keys = Vec::new();
        for n in 0..10u32 {
            for bits in 0..1u32 << n {
                let word: Vec<bool> = (0..n).map(|i| bits >> i & 1 == 1).collect();
                keys.push(pack(&word, Effort::Sample));
                keys.push(pack(&word, Effort::Question));
            }
        }
        let all = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }
}

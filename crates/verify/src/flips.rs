//! Inputs for paths that no run has taken yet.
//!
//! The answer for a sequence of decisions is a function of that sequence alone: its path is encoded
//! into terms of its own and asked of a solver of its own. So the answers can be kept and shared by
//! all batches and all threads, and a batch is the same whoever was drawn before it.

use crate::effort;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::Program;
use idiolect_smt::{Evaluator, Outcome, Solver};
use idiolect_symex::path::PathExplorer;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// What is known of a sequence of decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flip {
    /// Some run takes these decisions first: with these inputs, and any after them.
    Inputs(Arc<[u128]>),
    Infeasible,
    /// The solver gave up within its limit, or the path has C that is not modelled.
    Unknown,
}

/// Work for one sequence: statements, terms and conflicts.
const EFFORT: u64 = 400_000;
/// Answers that are kept; beyond it all are forgotten, which costs time alone.
const MAX_KEPT: usize = 400_000;

/// The answers so far.
pub struct Flips<'p> {
    program: &'p Program,
    check_overflow: bool,
    known: Mutex<FxHashMap<Box<[u8]>, Flip>>,
    asked: AtomicU64,
    solved: AtomicU64,
}

impl<'p> Flips<'p> {
    pub fn new(program: &'p Program, check_overflow: bool) -> Self {
        Self {
            program,
            check_overflow,
            known: Mutex::default(),
            asked: AtomicU64::new(0),
            solved: AtomicU64::new(0),
        }
    }

    /// Inputs of a run that takes these decisions first.
    pub fn ask(&self, decisions: &[bool], budget: &Budget) -> Result<Flip, StopReason> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let key = pack(decisions);
        if let Ok(known) = self.known.lock()
            && let Some(flip) = known.get(&key)
        {
            return Ok(flip.clone());
        }
        let flip = self.solve(decisions, budget)?;
        self.solved.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= MAX_KEPT {
                known.clear();
            }
            known.insert(key, flip.clone());
        }
        Ok(flip)
    }

    /// Sequences that were solved; which of them depends on what was forgotten and on luck between
    /// threads, so it is for benchmarks and not for results.
    pub fn solved(&self) -> u64 {
        self.solved.load(Ordering::Relaxed)
    }

    fn solve(&self, decisions: &[bool], budget: &Budget) -> Result<Flip, StopReason> {
        let own = effort::part(budget, EFFORT);
        let mut explorer = PathExplorer::new(self.program, self.check_overflow);
        let path = match explorer.path(decisions, &own) {
            Ok(path) => path,
            Err(reason) => return gave_up(reason),
        };
        if explorer.terms().known_false(path.condition) {
            return Ok(Flip::Infeasible);
        }
        let mut solver = Solver::new();
        match solver.check(explorer.terms(), &[path.condition], &own) {
            Outcome::Unsat(_) => Ok(Flip::Infeasible),
            Outcome::Unknown(reason) => gave_up(reason),
            Outcome::Sat(model) => {
                let mut evaluator = Evaluator::new(explorer.terms(), &model);
                let mut inputs = Vec::new();
                for input in &path.inputs {
                    if evaluator.eval_bool(input.guard) {
                        inputs.push(evaluator.eval(input.value));
                    }
                }
                Ok(Flip::Inputs(inputs.into()))
            }
        }
    }
}

fn gave_up(reason: StopReason) -> Result<Flip, StopReason> {
    match reason {
        StopReason::Steps | StopReason::Memory => Ok(Flip::Unknown),
        StopReason::Time | StopReason::Interrupted => Err(reason),
    }
}

/// Eight decisions a byte, with a last byte that tells how many there are in it.
fn pack(decisions: &[bool]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(decisions.len() / 8 + 2);
    for chunk in decisions.chunks(8) {
        bytes.push(chunk.iter().fold(0u8, |b, &d| b << 1 | u8::from(d)));
    }
    bytes.push((decisions.len() % 8) as u8);
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
                keys.push(pack(&word));
            }
        }
        let all = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }
}

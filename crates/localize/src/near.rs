//! Runs that pass, near one that fails: what they do and it does not is worth looking at.

use crate::case::{Case, Judged};
use idiolect_base::{Budget, Rng};
use idiolect_interp::{CompileOptions, Compiled, NoObserver};
use idiolect_ir::{Program, Property};
use std::sync::Arc;

/// Runs that are made in the hope that they pass.
const TRIES: usize = 300;
/// Passing runs that are kept.
const KEPT: usize = 40;
const STREAM: u64 = 0x4e45_4152;

/// Passing runs whose inputs differ little from those of the failing one, in a fixed order.
pub fn near(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[u128],
    seed: u64,
    max_steps: u64,
    budget: &Budget,
) -> Vec<Case> {
    let mut list = Vec::new();
    if inputs.is_empty() {
        return list;
    }
    let check_overflow = properties.contains(&Property::Overflow);
    let compiled = Compiled::new(program.clone(), &CompileOptions { check_overflow });
    let mut steps_left = max_steps;
    for number in 0..TRIES {
        if list.len() >= KEPT || steps_left == 0 || budget.look().is_err() {
            break;
        }
        let mut rng = Rng::new(seed, STREAM + number as u64);
        let mut other = inputs.to_vec();
        // One input at first, then more of them.
        let n_changed = 1 + number / 100;
        for _ in 0..n_changed {
            let i = rng.below(other.len() as u64) as usize;
            let own = other[i];
            other[i] = match rng.below(6) {
                0 => own.wrapping_add(1),
                1 => own.wrapping_sub(1),
                2 => 0,
                3 => 1,
                4 => own.wrapping_neg(),
                _ => other[rng.below(other.len() as u64) as usize],
            };
        }
        if other == inputs {
            continue;
        }
        let case = Case::of_inputs(other);
        let outcome = case.run(&compiled, steps_left, &mut NoObserver, budget);
        steps_left = steps_left.saturating_sub(outcome.steps);
        if case.judge(&outcome, properties) == Judged::Passes && !list.contains(&case) {
            list.push(case);
        }
    }
    list
}

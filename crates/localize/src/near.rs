//! Runs near one that fails. What the passing ones do and it does not is worth looking at; what helps it and not
//! the others that fail at the same place is not the fault.

use crate::case::{JudgedCase, RunCase, machine};
use idiolect_base::{Budget, Rng};
use idiolect_interp::{CompileOptions, Compiled, NoObserver};
use idiolect_ir::{Program, Property};
use std::sync::Arc;

/// Runs that are made in the hope that they pass.
const TRIES: usize = 300;
/// Passing runs that are kept, and failing ones.
const PASSING: usize = 40;
const FAILING: usize = 5;
/// A run that takes so many times the steps of the failing one, and these, is given up: servers never end.
const LONGER: u64 = 20;
const STEPS: u64 = 20_000;
/// Runs that are given up before any passes.
const GIVEN_UP: usize = 12;
const STREAM: u64 = 0x4e45_4152;

/// Runs whose inputs differ little from those of a failing one, in a fixed order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NearRuns {
    pub passing: Vec<RunCase>,
    /// They end at the same place and for the same reason; the given run is not among them.
    pub failing: Vec<RunCase>,
}

/// Runs near the one with these inputs; they take so many steps in all.
pub fn near(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[u128],
    seed: u64,
    max_steps: u64,
    budget: &Budget,
) -> NearRuns {
    let mut found = NearRuns::default();
    if inputs.is_empty() {
        return found;
    }
    let check_overflow = properties.contains(&Property::Overflow);
    let compiled = Compiled::new(program.clone(), &CompileOptions { check_overflow });
    let mut machine = machine(&compiled, max_steps);
    let given = RunCase::of_inputs(inputs.to_vec()).run_on(&mut machine, &mut NoObserver, budget);
    let most = LONGER * given.steps + STEPS;
    let mut steps_left = max_steps;
    let mut n_given_up = 0;
    for number in 0..TRIES {
        let is_vain = found.passing.is_empty() && n_given_up >= GIVEN_UP;
        if found.passing.len() >= PASSING || is_vain || steps_left == 0 || budget.look().is_err() {
            break;
        }
        let other = changed(inputs, number, &mut Rng::new(seed, STREAM + number as u64));
        if other == inputs {
            continue;
        }
        let case = RunCase::of_inputs(other);
        machine.limit_steps(most.min(steps_left));
        let outcome = case.run_on(&mut machine, &mut NoObserver, budget);
        steps_left = steps_left.saturating_sub(outcome.steps);
        match case.judge(&outcome, properties) {
            JudgedCase::Passes if !found.passing.contains(&case) => found.passing.push(case),
            JudgedCase::Fails
                if found.failing.len() < FAILING
                    && (&outcome.end, outcome.place) == (&given.end, given.place)
                    && !found.failing.contains(&case) =>
            {
                found.failing.push(case);
            }
            JudgedCase::Open => n_given_up += 1,
            _ => {}
        }
    }
    found
}

/// One input is another at first, then more of them.
fn changed(inputs: &[u128], number: usize, rng: &mut Rng) -> Vec<u128> {
    let mut other = inputs.to_vec();
    for _ in 0..1 + number / 100 {
        let i = rng.below(other.len() as u64) as usize;
        let own = other[i];
        other[i] = match rng.below(7) {
            0 => own.wrapping_add(1),
            1 => own.wrapping_sub(1),
            2 => 0,
            3 => 1,
            4 => own.wrapping_neg(),
            // Edits that fit small numbers by chance do not fit others.
            5 => u128::from(rng.below(100)),
            _ => other[rng.below(other.len() as u64) as usize],
        };
    }
    other
}

//! What an edited program holds for, in rising cost.

use crate::{KnownFault, RepairHolds, RunDifference, part};
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, Outcome, RandomInputs,
    RunOptions, Spread, ZeroInputs,
};
use idiolect_ir::property::error_locations;
use idiolect_ir::{Program, Property};
use idiolect_localize::{JudgedCase, RunCase};
use idiolect_search::{FindOptions, Found, Proof, find_error};
use idiolect_verify::{Config as VerifyConfig, Verdict};
use std::sync::Arc;

/// Work of bounded model checking for one candidate.
const BMC_WORK: u64 = 400_000;
/// Unwindings that are looked at, at most.
const UNWIND: usize = 32;
/// Runs that are compared in the search for inputs that tell old from new.
const COMPARED: u64 = 400;
const STREAM: u64 = 0x4449_4646;

pub(crate) struct Checked {
    pub(crate) program: Arc<Program>,
    pub(crate) compiled: Compiled,
}

pub(crate) fn compiled(program: Program, properties: &[Property]) -> Checked {
    let check_overflow = properties.contains(&Property::Overflow);
    let program = Arc::new(program);
    let compiled = Compiled::new(program.clone(), &CompileOptions { check_overflow });
    Checked { program, compiled }
}

/// How a run goes that passed before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    Passes,
    AtKnownFault,
    Fails,
}

impl Checked {
    /// Whether the case passes.
    pub(crate) fn passes(
        &self,
        case: &RunCase,
        properties: &[Property],
        max_steps: u64,
        budget: &Budget,
    ) -> bool {
        let outcome = case.run(&self.compiled, max_steps, &mut NoObserver, budget);
        case.judge(&outcome, properties) == JudgedCase::Passes
    }

    /// Whether a case passes that did so before, or now comes to a fault that has nothing to do with it.
    pub(crate) fn keeps(
        &self,
        case: &RunCase,
        properties: &[Property],
        known: &[KnownFault],
        max_steps: u64,
        budget: &Budget,
    ) -> Kept {
        let outcome = case.run(&self.compiled, max_steps, &mut NoObserver, budget);
        if case.judge(&outcome, properties) == JudgedCase::Passes {
            return Kept::Passes;
        }
        match KnownFault::of(&self.program, &outcome) {
            Some(fault) if known.contains(&fault) => Kept::AtKnownFault,
            _ => Kept::Fails,
        }
    }

    /// Looks at all runs within bounds. A run that fails is handed back.
    pub(crate) fn all_runs(
        &self,
        properties: &[Property],
        seed: u64,
        holds: &mut RepairHolds,
        budget: &Budget,
    ) -> Option<RunCase> {
        if !self.has_errors(properties) {
            return None;
        }
        let options = FindOptions {
            properties: properties.to_vec(),
            seed,
            unwinding: UNWIND.into(),
            bmc_work: BMC_WORK,
            max_paths: 60,
            guided_steps: 0,
            ..FindOptions::default()
        };
        match find_error(&self.program, &options, budget, &mut |_| {}) {
            Found::Error { run, .. } => return Some(RunCase::of_inputs(run.bits())),
            Found::Proved(proof) => {
                holds.is_only_run = matches!(proof, Proof::OnlyRun { .. });
                holds.is_proved = self.may_be_proved();
                holds.all_runs_within = Some(UNWIND);
            }
            Found::Nothing { unwind, .. } => {
                holds.all_runs_within = (unwind > 0).then_some(unwind);
            }
        }
        None
    }

    /// Whether there is anything that a run could violate.
    fn has_errors(&self, properties: &[Property]) -> bool {
        let mut list = properties.iter();
        list.any(|&p| !error_locations(&self.program, p).is_empty())
    }

    /// Whether nothing stands in the way of a proof whichever engine has it.
    fn may_be_proved(&self) -> bool {
        use idiolect_ir::AssumptionKind::{MissingBody, Unmodelled};
        let list = self.program.assumptions.iter();
        !list
            .into_iter()
            .any(|a| matches!(a.kind, Unmodelled | MissingBody))
    }

    /// Whether the engines of `verify` prove it.
    pub(crate) fn is_proved(&self, properties: &[Property], seed: u64, budget: &Budget) -> bool {
        if !self.has_errors(properties) || !self.may_be_proved() {
            return false;
        }
        let config = VerifyConfig {
            properties: properties.to_vec(),
            seed,
            hunt: 2_000,
            max_work: 300_000,
            bmc_least: 50_000,
            proof_work: 300_000,
            ..VerifyConfig::default()
        };
        let outcome = idiolect_verify::run(&self.program, &config, budget, &mut |_| {});
        matches!(outcome.verdict, Verdict::Proved(_))
    }
}

fn run(compiled: &Compiled, inputs: Vec<u128>, budget: &Budget) -> Outcome {
    let options = RunOptions {
        max_steps: 200_000,
        max_output: 1 << 16,
        ..RunOptions::default()
    };
    let mut source = FixedInputs::new(inputs, ZeroInputs);
    Machine::new(compiled, options).run(&mut source, &mut NoObserver, budget)
}

/// How a run went, as far as two versions can be compared.
fn seen(outcome: &Outcome) -> String {
    let end = match &outcome.end {
        End::Exit(status) => format!("exit {status}"),
        End::Abort => "abort".to_owned(),
        End::Error(_) => "assertion fails".to_owned(),
        End::Fault(_) => "fault".to_owned(),
        End::AssumeEnded => "assumption ends it".to_owned(),
        End::Trap(_) | End::Limit(_) | End::InputsEnded | End::Stopped => "not finished".to_owned(),
    };
    let shown = String::from_utf8_lossy(&outcome.stdout);
    let shown: String = shown.chars().take(60).collect();
    if shown.is_empty() {
        end
    } else {
        format!("{end}, prints {shown:?}")
    }
}

/// A run that failed, before and after.
pub(crate) fn failing_run(
    old: &Checked,
    new: &Checked,
    case: &RunCase,
    max_steps: u64,
    budget: &Budget,
) -> RunDifference {
    let before = case.run(&old.compiled, max_steps, &mut NoObserver, budget);
    let after = case.run(&new.compiled, max_steps, &mut NoObserver, budget);
    RunDifference {
        old: seen(&before),
        new: seen(&after),
        inputs: before.inputs,
    }
}

/// Inputs on which old and new differ, other than these: near them first, then anywhere.
pub(crate) fn difference(
    old: &Checked,
    new: &Checked,
    known: &[Vec<u128>],
    seed: u64,
    budget: &Budget,
) -> Option<RunDifference> {
    let own = part(budget, 20_000_000);
    for number in 0..COMPARED {
        let mut rng = Rng::new(seed, STREAM + number);
        let near = known.get(number as usize % (known.len().max(1)));
        let inputs = match near {
            Some(near) if !near.is_empty() && number < COMPARED / 2 => {
                let mut inputs = near.clone();
                let i = rng.below(inputs.len() as u64) as usize;
                inputs[i] = match rng.below(4) {
                    0 => inputs[i].wrapping_add(1),
                    1 => inputs[i].wrapping_sub(1),
                    2 => 0,
                    _ => u128::from(rng.below(20)),
                };
                inputs
            }
            _ => {
                let mut source = RandomInputs::new(rng, Spread::Mixed);
                let options = RunOptions {
                    max_steps: 200_000,
                    ..RunOptions::default()
                };
                let mut machine = Machine::new(&old.compiled, options);
                let outcome = machine.run(&mut source, &mut NoObserver, &own);
                outcome.inputs.iter().map(|i| i.bits).collect()
            }
        };
        own.look().ok()?;
        if inputs.is_empty() || known.contains(&inputs) {
            continue;
        }
        let (a, b) = (
            run(&old.compiled, inputs.clone(), &own),
            run(&new.compiled, inputs.clone(), &own),
        );
        let (x, y) = (seen(&a), seen(&b));
        let is_open = x == "not finished" || y == "not finished";
        if x != y && !is_open {
            let found = RunDifference {
                inputs: a.inputs,
                old: x,
                new: y,
            };
            return Some(smaller(old, new, known, found, &own));
        }
    }
    None
}

/// Simpler inputs on which both still differ, and that are none of those that are known.
fn smaller(
    old: &Checked,
    new: &Checked,
    known: &[Vec<u128>],
    found: RunDifference,
    budget: &Budget,
) -> RunDifference {
    let compare = |bits: &[u128]| {
        let (a, b) = (
            run(&old.compiled, bits.to_vec(), budget),
            run(&new.compiled, bits.to_vec(), budget),
        );
        let drawn: Vec<u128> = a.inputs.iter().map(|i| i.bits).collect();
        let (x, y) = (seen(&a), seen(&b));
        let is_open = x == "not finished" || y == "not finished";
        let is_other = x != y && !is_open && !known.contains(&drawn);
        let difference = RunDifference {
            inputs: a.inputs,
            old: x,
            new: y,
        };
        is_other.then_some(difference)
    };
    let program = old.compiled.program();
    let small = idiolect_search::shrink(program, &found.inputs, budget, |bits| {
        compare(bits).map(|difference| difference.inputs)
    });
    let bits: Vec<u128> = small.iter().map(|i| i.bits).collect();
    compare(&bits).unwrap_or(found)
}

//! Finding an error or proving that there is none, for analyses that need no more than that.

use crate::portfolio::slice;
use idiolect_base::{Budget, Span};
use idiolect_invariants::whole;
use idiolect_ir::checks::{large_objects, numbers_that_do_not_fit};
use idiolect_ir::property::error_locations;
use idiolect_ir::{Program, Property};
use idiolect_prove::{induction, states};
use idiolect_search::{Doubt, FindOptions, Found, Proof, attack, find_error};
use std::sync::Arc;

/// Work of one engine, as that of `verify`.
const WORK: u64 = 3_000_000;

/// As [`find_error`]; where that finds nothing, the engines for runs of any length are asked.
pub fn find_error_or_proof(
    program: &Arc<Program>,
    options: &FindOptions,
    budget: &Budget,
    say: &mut dyn FnMut(&str),
) -> Found {
    let found = find_error(program, options, budget, say);
    let is_open = match &found {
        Found::Nothing { doubt, .. } => !matches!(
            doubt,
            Some(
                Doubt::Trap { .. }
                    | Doubt::Fault(_)
                    | Doubt::FoundFault(_)
                    | Doubt::Disagreement { .. }
            )
        ),
        _ => false,
    };
    if !is_open {
        return found;
    }
    say("abstract states");
    let config = states::Config {
        properties: options.properties.clone(),
        ..states::Config::default()
    };
    if let Ok(states) = states::prove(program, &config, &slice(budget, WORK, 3)).result {
        return Found::Proved(Proof::States { states });
    }
    if options.properties == [Property::Assert] {
        say("formulas");
        if let Some(kept) = whole::by_formulas(program, &slice(budget, WORK, 4)) {
            let formulas = kept.len() as u64;
            return Found::Proved(Proof::Formulas { formulas });
        }
    }
    say("induction");
    let config = induction::Config {
        properties: options.properties.clone(),
        seed: options.seed,
        ..induction::Config::default()
    };
    if let Ok(certificate) = induction::prove(program, &config, &slice(budget, WORK, 3)).result {
        let facts = certificate.claims.iter().map(|c| c.formulas.len() as u64);
        return Found::Proved(Proof::Induction { facts: facts.sum() });
    }
    found
}

/// Whether runs do something that a promise would rest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occurrence {
    Never,
    /// A run was seen to do so here.
    At(Span),
    NotExcluded,
}

/// Work of each engine that is asked.
const SMALL_WORK: u64 = 100_000;
/// Steps of all runs that look for one.
const SMALL_RUNS: u64 = 3_000_000;

/// Asks, for a small part of the budget, whether signed arithmetic ever overflows.
pub fn overflows(program: &Arc<Program>, seed: u64, budget: &Budget) -> Occurrence {
    if error_locations(program, Property::Overflow).is_empty() {
        return Occurrence::Never;
    }
    occurs(program, Property::Overflow, seed, budget)
}

/// The same of memory in one piece that is too large for the model, and may not be for a machine.
pub fn asks_for_large_objects(program: &Arc<Program>, seed: u64, budget: &Budget) -> Occurrence {
    let mut checked = (**program).clone();
    if !large_objects(&mut checked) {
        return Occurrence::Never;
    }
    occurs(&Arc::new(checked), Property::Stack, seed, budget)
}

/// The same of accesses outside of what they are about, in a program in which these are faults.
pub fn has_memory_faults(program: &Arc<Program>, seed: u64, budget: &Budget) -> Occurrence {
    let occurs = occurs(program, Property::Memory, seed, budget);
    if occurs != Occurrence::NotExcluded {
        return occurs;
    }
    let options = FindOptions {
        properties: vec![Property::Memory],
        seed,
        bmc_work: SMALL_WORK,
        guided_steps: 0,
        ..FindOptions::default()
    };
    let own = slice(budget, u64::MAX, 20).share(SMALL_RUNS);
    match find_error(program, &options, &own, &mut |_| {}) {
        Found::Error { run, .. } => Occurrence::At(run.outcome().place.span),
        Found::Proved(_) => Occurrence::Never,
        Found::Nothing { .. } => occurs,
    }
}

/// The same of numbers that become integers and do not fit.
pub fn converts_out_of_range(program: &Arc<Program>, seed: u64, budget: &Budget) -> Occurrence {
    let mut checked = (**program).clone();
    if !numbers_that_do_not_fit(&mut checked) {
        return Occurrence::Never;
    }
    let checked = Arc::new(checked);
    let occurs = occurs(&checked, Property::Shift, seed, budget);
    if occurs != Occurrence::NotExcluded {
        return occurs;
    }
    // Neither of those engines knows much of floating-point numbers.
    let options = FindOptions {
        properties: vec![Property::Shift],
        seed,
        bmc_work: SMALL_WORK,
        guided_steps: 0,
        ..FindOptions::default()
    };
    let own = slice(budget, u64::MAX, 20).share(SMALL_RUNS);
    match find_error(&checked, &options, &own, &mut |_| {}) {
        Found::Error { run, .. } => Occurrence::At(run.outcome().place.span),
        Found::Proved(_) => Occurrence::Never,
        Found::Nothing { .. } => occurs,
    }
}

fn occurs(program: &Arc<Program>, property: Property, seed: u64, budget: &Budget) -> Occurrence {
    let own = slice(budget, u64::MAX, 20).share(SMALL_RUNS);
    let config = states::Config {
        properties: vec![property],
        ..states::Config::default()
    };
    if states::prove(program, &config, &own.share(SMALL_WORK))
        .result
        .is_ok()
    {
        return Occurrence::Never;
    }
    let properties = vec![property];
    if let Some(run) = attack(program, &properties, seed, &own) {
        return Occurrence::At(run.outcome().place.span);
    }
    let config = induction::Config {
        properties,
        seed,
        ..induction::Config::default()
    };
    match induction::prove(program, &config, &own.share(SMALL_WORK)).result {
        Ok(_) => Occurrence::Never,
        Err(_) => Occurrence::NotExcluded,
    }
}

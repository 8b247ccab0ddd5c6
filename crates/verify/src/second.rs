//! A second opinion about a proof that has no certificate: another engine that shows the same by itself.

use crate::portfolio::slice;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{Location, Program, Property};
use idiolect_prove::induction::Certificate;
use idiolect_prove::shapes::{self, ShapesChecked};
use idiolect_prove::traces::{self, Judged};
use idiolect_prove::{induction, states};
use idiolect_search::{FindOptions, Found, Proof, find_error};
use std::sync::Arc;

/// Work of one engine.
const WORK: u64 = 3_000_000;

/// What another engine says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opinion {
    Agrees(Proof),
    /// It has found an error: one of the two is wrong.
    Disagrees,
    /// None of them came to an end.
    None,
}

/// What holds at the loops of a program that was proved without saying so, as the checker has accepted it: by
/// the states of a proof by abstract states, or by induction.
pub fn certify(
    program: &Program,
    properties: &[Property],
    seed: u64,
    budget: &Budget,
) -> Option<Certificate> {
    let config = states::Config {
        properties: properties.to_vec(),
        ..states::Config::default()
    };
    if let Some(found) = states::certificate(program, &config, &slice(budget, WORK, 3)) {
        return Some(found);
    }
    let config = induction::Config {
        properties: properties.to_vec(),
        seed,
        ..induction::Config::default()
    };
    induction::prove(program, &config, &slice(budget, WORK, 2))
        .result
        .ok()
}

/// Asks the engines that had no part in the first proof. Paths, runs and unwinding are one kind here: they share
/// the symbolic engine; but an error that these find counts in any case, since it was replayed.
pub fn second_opinion(
    program: &Arc<Program>,
    properties: &[Property],
    first: Proof,
    seed: u64,
    budget: &Budget,
) -> Opinion {
    if !matches!(first, Proof::States { .. }) {
        let config = states::Config {
            properties: properties.to_vec(),
            ..states::Config::default()
        };
        if let Ok(states) = states::prove(program, &config, &slice(budget, WORK, 3)).result {
            return Opinion::Agrees(Proof::States { states });
        }
    }
    let is_followed = matches!(
        first,
        Proof::Unwinding { .. } | Proof::AllPaths { .. } | Proof::OnlyRun { .. }
    );
    let options = FindOptions {
        properties: properties.to_vec(),
        seed,
        ..FindOptions::default()
    };
    // Who finds an error is right, whatever kind of engine it is; a second proof has to be of another kind.
    match find_error(program, &options, &slice(budget, u64::MAX, 3), &mut |_| {}) {
        Found::Proved(proof) if !is_followed => return Opinion::Agrees(proof),
        Found::Error { .. } => return Opinion::Disagrees,
        Found::Proved(_) | Found::Nothing { .. } => {}
    }
    let config = induction::Config {
        properties: properties.to_vec(),
        seed,
        ..induction::Config::default()
    };
    if let Ok(certificate) = induction::prove(program, &config, &slice(budget, WORK, 2)).result {
        let facts = certificate.claims.iter().map(|c| c.formulas.len() as u64);
        return Opinion::Agrees(Proof::Induction { facts: facts.sum() });
    }
    if matches!(first, Proof::Traces { .. }) {
        return Opinion::None;
    }
    match refuted_traces(program, properties, &slice(budget, WORK, 1)) {
        Some(traces) => Opinion::Agrees(Proof::Traces { traces }),
        None => Opinion::None,
    }
}

/// How many error traces were refuted, if all are. One that the commands of its edges do not refute ends it.
fn refuted_traces(program: &Program, properties: &[Property], budget: &Budget) -> Option<u64> {
    let config = traces::Config {
        max_traces: 1,
        ..traces::Config::default()
    };
    let mut judge = |_: &[bool], _: Location, _: &Budget| -> Result<Judged<(), ()>, StopReason> {
        Err(StopReason::Steps)
    };
    let outcome = traces::run(
        program,
        properties,
        &config,
        budget,
        &mut judge,
        &mut |_, _| {},
    );
    outcome.is_proved().then_some(outcome.counts.iterations)
}

/// How many pieces of the program a second checker has looked at, if it accepts what the states at loops say of the heap.
/// It may not be able to follow a proof that is right.
pub fn heap_is_checked(
    program: &Program,
    properties: &[Property],
    budget: &Budget,
) -> Option<HeapCheck> {
    let config = states::Config {
        properties: properties.to_vec(),
        ..states::Config::default()
    };
    let (written_out, all) = states::shapes(program, &config, &slice(budget, WORK, 3))?;
    match shapes::check(&written_out, &all, properties, &slice(budget, u64::MAX, 2)) {
        ShapesChecked::Accepted { pieces } => Some(HeapCheck {
            shapes: all.len(),
            pieces,
        }),
        ShapesChecked::Rejected(_) | ShapesChecked::Stopped(_) => None,
    }
}

/// What a second checker has accepted of a proof about the heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeapCheck {
    pub shapes: usize,
    pub pieces: usize,
}

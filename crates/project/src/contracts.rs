//! What a suggested precondition is good for: an input that breaks the function without it.

use crate::clock;
use crate::named::named_inputs;
use idiolect_base::{Rng, SourceId, SourceMap};
use idiolect_cfront::contract::{Clause, Precondition};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, End, Machine, NoObserver, RandomInputs, RunOptions, Spread,
};
use idiolect_ir::{AssumptionKind, FaultKind, Program};
use std::sync::Arc;

/// Runs that look for such an input.
const RUNS: u64 = 60;
const STEPS: u64 = 200_000;
/// Preconditions beyond so many are not looked at.
const MOST: usize = 6;

/// Adds to each suggested precondition of a program what happens without it, if that is found quickly.
pub fn add_examples(
    program: &mut Program,
    sources: &SourceMap,
    ids: &[SourceId],
    options: &Options,
) {
    let suggested = options.preconditions.iter().enumerate();
    for (i, precondition) in suggested.filter(|(_, p)| p.is_suggested).take(MOST) {
        if clock::budget().look().is_err() {
            return;
        }
        let text = format!("requires {}", precondition.text);
        let Some(example) = without(i, sources, ids, options) else {
            continue;
        };
        for assumption in &mut program.assumptions {
            if assumption.kind == AssumptionKind::Contract && assumption.text == text {
                assumption.text = format!("{text}; without it: {example}");
            }
        }
    }
}

/// What goes wrong if one precondition does not hold: the pointer is null, or has less behind it.
fn without(
    index: usize,
    sources: &SourceMap,
    ids: &[SourceId],
    options: &Options,
) -> Option<String> {
    let mut options = options.clone();
    let broken = weakened(options.preconditions.get(index)?)?;
    options.preconditions[index] = broken;
    let program = compile(sources.clone(), ids, &options).program?;
    let compiled = Compiled::new(Arc::new(program), &CompileOptions::default());
    let limits = RunOptions {
        max_steps: STEPS,
        ..RunOptions::default()
    };
    let mut machine = Machine::new(&compiled, limits);
    let budget = clock::budget();
    for number in 0..RUNS {
        let mut inputs = RandomInputs::new(Rng::new(0, number), Spread::Mixed);
        let outcome = machine.run(&mut inputs, &mut NoObserver, &budget);
        let End::Fault(fault) = outcome.end else {
            continue;
        };
        let is_memory = matches!(
            fault.kind,
            FaultKind::NullDereference | FaultKind::OutOfBounds | FaultKind::InvalidPointer
        );
        if is_memory {
            let program = compiled.program();
            let place = program.sources.place(outcome.place.span);
            let place = place.map_or(String::new(), |p| format!(" at {}:{}", p.file, p.line));
            let named = named_inputs(program, &outcome.inputs);
            let shown: Vec<String> = (named.iter().take(6))
                .map(|input| format!("{} = {}", input.name, input.value))
                .collect();
            return Some(format!("{}{place} with {}", fault.kind, shown.join(", ")));
        }
    }
    None
}

/// The precondition with pointers that may be null or have nothing behind them, and without conditions.
fn weakened(precondition: &Precondition) -> Option<Precondition> {
    let mut weak = precondition.clone();
    weak.clauses.retain(|c| !matches!(c, Clause::Condition(_)));
    let mut is_weaker = weak.clauses.len() < precondition.clauses.len();
    for clause in &mut weak.clauses {
        let (Clause::Valid { pointer, .. } | Clause::Text { pointer, .. }) = clause else {
            continue;
        };
        is_weaker = true;
        *clause = Clause::Valid {
            pointer: pointer.clone(),
            count: "0".to_owned(),
            in_bytes: false,
            may_be_null: true,
        };
    }
    is_weaker.then_some(weak)
}

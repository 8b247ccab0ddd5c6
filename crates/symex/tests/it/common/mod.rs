//! From C text to answers, and from answers back to runs.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod generate;

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, Outcome, RunOptions,
};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{Program, Property};
use idiolect_smt::{Evaluator, Model};
use idiolect_symex::bmc::{BmcOutcome, find_error};
use idiolect_symex::{Encoding, EndKind, InputValue};

pub fn program(text: &str, data_model: DataModel) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("test.c", text.into());
    let options = Options {
        data_model,
        ..Options::default()
    };
    let compiled = compile(sources, &[id], &options);
    let errors: Vec<_> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    compiled.program.expect("a program without errors")
}

pub fn run(program: &Program, inputs: &[InputValue], overflow: bool) -> Outcome {
    let options = CompileOptions {
        check_overflow: overflow,
    };
    let compiled = Compiled::new(program.clone().into(), &options);
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let values = inputs.iter().map(|i| i.bits).collect();
    let mut source = FixedInputs::new(values, NoInputs);
    machine.run(&mut source, &mut NoObserver, &Budget::steps(10_000_000))
}

/// The same end, as `interp` says it.
pub fn agrees(kind: &EndKind, end: &End) -> bool {
    match (kind, end) {
        (EndKind::Error(a), End::Error(b)) => a == b,
        (EndKind::Fault(a), End::Fault(b)) => *a == b.kind,
        (EndKind::Abort, End::Abort) | (EndKind::AssumeEnded, End::AssumeEnded) => true,
        _ => false,
    }
}

/// What is found, after a replay.
pub fn verdict(program: &Program, properties: &[Property], unwind: usize) -> String {
    let overflow = properties.contains(&Property::Overflow);
    match find_error(program, properties, unwind, &Budget::unlimited()) {
        BmcOutcome::Error {
            inputs,
            kind,
            place,
            ..
        } => {
            let outcome = run(program, &inputs, overflow);
            assert!(
                agrees(&kind, &outcome.end),
                "found {kind:?} at {:?} with {inputs:?}, but the run ends with {:?} at {:?}, {:?}",
                place.place(program),
                outcome.end,
                program.sources.place(outcome.place.span),
                outcome.inputs,
            );
            match kind {
                EndKind::Error(_) => "error".into(),
                EndKind::Fault(kind) => format!("{kind:?}"),
                _ => unreachable!(),
            }
        }
        BmcOutcome::NoErrorUpTo { unwind, .. } => format!("none up to {unwind}"),
        BmcOutcome::Proved { .. } => "proved".into(),
        BmcOutcome::Undecided(why) => format!("{why:?}"),
    }
}

/// What a run did.
pub struct Run {
    pub end: End,
    pub place: (u32, u32, u32),
    pub inputs: Vec<u128>,
    pub decisions: Vec<bool>,
}

impl Run {
    pub fn new(outcome: Outcome, decisions: Vec<bool>) -> Self {
        let place = outcome.place;
        Self {
            end: outcome.end,
            place: (place.function.0, place.block.0, place.stmt),
            inputs: outcome.inputs.iter().map(|i| i.bits).collect(),
            decisions,
        }
    }
}

/// The run with these inputs, as the formulas have it, and how many of them it leaves.
pub fn model_of(encoding: &Encoding, inputs: &[u128]) -> Result<(Model, usize), String> {
    let mut model = Model::new();
    for &unwind in &encoding.unwind {
        model.set_term(&encoding.terms, unwind, 1);
    }
    let mut given = inputs.iter();
    for record in &encoding.inputs {
        if Evaluator::new(&encoding.terms, &model).eval_bool(record.guard) {
            let value = *given
                .next()
                .ok_or(format!("one input too many: {record:?}"))?;
            model.set_term(&encoding.terms, record.value, value);
        }
    }
    Ok((model, given.len()))
}

/// What the formulas say of a run's inputs against what the run did.
pub fn compare(encoding: &Encoding, run: &Run) -> Result<(), String> {
    let (model, n_left) = model_of(encoding, &run.inputs)?;
    let end = encoding.end_of(&model).ok_or("no end")?;
    if let EndKind::Trap(_) = end.kind {
        return Ok(());
    }
    if n_left > 0 {
        return Err("fewer inputs than the run has".into());
    }
    let same = match (&end.kind, &run.end) {
        (EndKind::Exit(code), End::Exit(status)) => {
            model.eval(&encoding.terms, *code) as u32 as i32 == *status
        }
        (kind, end) => agrees(kind, end),
    };
    if !same {
        return Err(format!(
            "ends with {:?} and not with {:?}",
            end.kind, run.end
        ));
    }
    let place = (
        end.place.function.0,
        end.place.block.0,
        end.place.index as u32,
    );
    if place != run.place && !matches!(end.kind, EndKind::Exit(_)) {
        return Err(format!("ends at {place:?} and not at {:?}", run.place));
    }
    let taken: Vec<bool> = encoding
        .decisions_of(&model)
        .into_iter()
        .map(|d| d.2)
        .collect();
    if taken != run.decisions {
        return Err(format!("decides {taken:?} and not {:?}", run.decisions));
    }
    let n_ends = encoding
        .ends
        .iter()
        .filter(|e| model.eval_bool(&encoding.terms, e.guard))
        .count();
    if n_ends != 1 {
        return Err(format!("has {n_ends} ends"));
    }
    Ok(())
}

//! From C text to answers, and from answers back to runs.
#![allow(dead_code, reason = "each test file uses a part of it")]

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, Outcome, RunOptions,
};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{Program, Property};
use idiolect_symex::bmc::{BmcOutcome, find_error};
use idiolect_symex::{EndKind, InputValue};

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

//! C text in, outcome out.
#![allow(dead_code, reason = "each test file uses a part of it")]

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::Options;
use idiolect_interp::{
    CompileOptions, Compiled, FixedInputs, Machine, NoInputs, NoObserver, Observer, Outcome,
    RunOptions,
};
use idiolect_ir::ctype::DataModel;

pub fn compile_with(text: &str, model: DataModel, check_overflow: bool) -> Compiled {
    let mut sources = SourceMap::new();
    let id = sources.add("test.c", text.to_owned());
    let options = Options {
        data_model: model,
        ..Options::default()
    };
    let lowered = idiolect_cfront::compile(sources, &[id], &options);
    let program = lowered
        .program
        .unwrap_or_else(|| panic!("{text}\n{:#?}", lowered.diagnostics));
    Compiled::new(program.into(), &CompileOptions { check_overflow })
}

pub fn compile(text: &str) -> Compiled {
    compile_with(text, DataModel::Lp64, false)
}

pub fn run_with<O: Observer>(compiled: &Compiled, inputs: &[i128], observer: &mut O) -> Outcome {
    let bits = inputs.iter().map(|&i| i as u128).collect();
    let options = RunOptions {
        max_steps: 10_000_000,
        ..RunOptions::default()
    };
    Machine::new(compiled, options).run(
        &mut FixedInputs::new(bits, NoInputs),
        observer,
        &Budget::unlimited(),
    )
}

pub fn run(text: &str, inputs: &[i128]) -> Outcome {
    run_with(&compile(text), inputs, &mut NoObserver)
}

//! From C text to what is relevant in it.
#![allow(dead_code, reason = "each test file uses a part of it")]

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{Program, Property};
use idiolect_localize::{Localization, LocalizeConfig, NotLocalized, localize};
use idiolect_symex::bmc::{BmcOutcome, find_error};
use std::sync::Arc;

pub fn program(text: &str) -> Arc<Program> {
    program_of(text, DataModel::Lp64)
}

pub fn program_of(text: &str, data_model: DataModel) -> Arc<Program> {
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
    Arc::new(compiled.program.expect("a program without errors"))
}

pub fn on(program: &Arc<Program>, inputs: &[u128]) -> Result<Localization, NotLocalized> {
    let all = [
        Property::Assert,
        Property::Memory,
        Property::Free,
        Property::Division,
    ];
    let config = LocalizeConfig::default();
    localize(program, &all, inputs, &config, &Budget::unlimited())
}

/// Inputs of an error.
pub fn error_of(program: &Program) -> Vec<u128> {
    let all = [
        Property::Assert,
        Property::Memory,
        Property::Free,
        Property::Division,
    ];
    match find_error(program, &all, 64, &Budget::unlimited()) {
        BmcOutcome::Error { inputs, .. } => inputs.iter().map(|i| i.bits).collect(),
        other => panic!("no error: {other:?}"),
    }
}

/// Relevant statements in the order of the file, with a value that blocks.
pub fn shown(found: &Localization) -> Vec<String> {
    let mut list: Vec<_> = found.relevant.iter().collect();
    list.sort_by_key(|s| (s.line, s.column));
    list.iter()
        .map(|s| {
            let value = s.blocking.as_ref().map_or("?", |v| v.text.as_str());
            format!("{}: {} <- {value}", s.line, s.text)
        })
        .collect()
}

/// The same for the error that is found first.
pub fn relevant(text: &str) -> Vec<String> {
    let program = program(text);
    let inputs = error_of(&program);
    let found = on(&program, &inputs).expect("a localization");
    assert_eq!(found.n_unknown(), 0, "{:#?}", found.trace);
    shown(&found)
}

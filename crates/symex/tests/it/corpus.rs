//! The programs of `corpus/run` under both engines.
//!
//! What a run of `interp` did, on random inputs, is what the formulas say of its inputs; its
//! decisions are a path; and the inputs of a model, of every way in which the solver says that a
//! run can end, drive `interp` there.

use crate::common;

use common::{Run, compare};
use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::preprocess::{PreprocessOptions, preprocess};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, InputSource, Machine, NoInputs,
    RandomInputs, RunOptions, Spread,
};
use idiolect_ir::Program;
use idiolect_smt::{Outcome, Solver};
use idiolect_symex::path::PathExplorer;
use idiolect_symex::{Config, EndKind, encode};
use std::path::{Path, PathBuf};

const MAX_STEPS: u64 = 20_000;
const MAX_TERMS: u64 = 400_000;
const RUNS: u64 = 4;

/// Every `.c` file, and every folder of them two levels down, as one program.
fn programs() -> Vec<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/run");
    let sorted = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("the corpus is part of the repository");
        let mut list: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
        list.sort();
        list
    };
    let is_c = |path: &PathBuf| path.extension().is_some_and(|e| e == "c");
    let mut found = Vec::new();
    let topics = sorted(&root).into_iter().filter(|topic| topic.is_dir());
    for entry in topics.flat_map(|topic| sorted(&topic)) {
        if entry.is_dir() {
            found.push(sorted(&entry).into_iter().filter(is_c).collect());
        } else if is_c(&entry) {
            found.push(vec![entry]);
        }
    }
    found
}

fn load(files: &[PathBuf]) -> Program {
    let options = PreprocessOptions::new(std::env::temp_dir());
    let mut sources = SourceMap::new();
    let mut ids = Vec::new();
    for file in files {
        let text = preprocess(file, &options).expect("the system compiler preprocesses it");
        ids.push(sources.add(&file.display().to_string(), text));
    }
    compile(sources, &ids, &Options::default())
        .program
        .expect("no errors in the corpus")
}

fn run(program: &Program, source: &mut dyn InputSource) -> Run {
    let compiled = Compiled::new(program.clone().into(), &CompileOptions::default());
    let mut decisions = Decisions::default();
    let outcome = Machine::new(&compiled, RunOptions::default()).run(
        &mut { source },
        &mut decisions,
        &Budget::steps(MAX_STEPS),
    );
    Run::new(outcome, decisions.taken)
}

#[derive(Default, Debug)]
struct Counts {
    programs: u32,
    too_long: u32,
    too_large: u32,
    compared: u32,
    unmodelled: u32,
    paths: u32,
    driven: u32,
}

/// The runs against the formulas, and the decisions of the first against its path.
fn check_program(name: &str, program: &Program, counts: &mut Counts) {
    let runs: Vec<Run> = (0..RUNS)
        .map(|seed| {
            run(
                program,
                &mut RandomInputs::new(Rng::new(seed, 0), Spread::default()),
            )
        })
        .filter(|run| !matches!(run.end, End::Limit(_) | End::Trap(_)))
        .collect();
    if runs.is_empty() {
        counts.too_long += 1;
        return;
    }
    let config = Config {
        unwind: 2,
        ..Config::default()
    };
    let Ok(mut encoding) = encode(program, &config, &Budget::steps(MAX_TERMS)) else {
        counts.too_large += 1;
        return;
    };
    for run in &runs {
        let modelled = common::model_of(&encoding, &run.inputs);
        let end = modelled.as_ref().ok().and_then(|m| encoding.end_of(&m.0));
        if let Some(EndKind::Trap(_) | EndKind::Bound(..)) = end.map(|e| &e.kind) {
            counts.unmodelled += 1;
            continue;
        }
        match compare(&encoding, run) {
            Ok(()) => counts.compared += 1,
            Err(_) if modelled.is_ok_and(|m| encoding.is_approximate(&m.0)) => {}
            Err(why) => panic!("{name}, inputs {:?}: {why}", run.inputs),
        }
    }
    let budget = Budget::steps(MAX_TERMS);
    let first = &runs[0];
    let mut explorer = PathExplorer::new(program, false);
    if let Ok(found) = explorer.feasible(&first.decisions, &budget)
        && let Ok(path) = explorer.path(&first.decisions, &budget)
        && !path.ends.iter().any(|e| matches!(e.kind, EndKind::Trap(_)))
    {
        assert!(found.is_some(), "{name}: the decisions of a run are a path");
        counts.paths += 1;
    }
    let mut solver = Solver::new();
    let bound = encoding.bound(2);
    let kinds: [fn(&EndKind) -> bool; 4] = [
        |kind| matches!(kind, EndKind::Exit(_)),
        |kind| matches!(kind, EndKind::Abort),
        |kind| matches!(kind, EndKind::Error(_)),
        |kind| matches!(kind, EndKind::Fault(_)),
    ];
    for wanted in kinds {
        let mut question = bound.clone();
        question.push(encoding.any_end(wanted));
        let Outcome::Sat(model) = solver.check(&encoding.terms, &question, &Budget::steps(2_000))
        else {
            continue;
        };
        let inputs: Vec<u128> = encoding.inputs_of(&model).iter().map(|i| i.bits).collect();
        let run = run(program, &mut FixedInputs::new(inputs, NoInputs));
        if matches!(run.end, End::Limit(_)) || encoding.is_approximate(&model) {
            continue;
        }
        if let Err(why) = compare(&encoding, &run) {
            panic!("{name}, model's inputs {:?}: {why}", run.inputs);
        }
        counts.driven += 1;
    }
}

#[test]
fn the_corpus_agrees() {
    let mut counts = Counts::default();
    for files in programs() {
        let name = files[0].display().to_string();
        counts.programs += 1;
        check_program(&name, &load(&files), &mut counts);
    }
    assert!(counts.programs >= 150, "{counts:?}");
    // Most programs are compared; floats and long loops are not.
    assert!(counts.compared >= 2 * counts.programs, "{counts:?}");
    assert!(counts.paths * 2 >= counts.programs, "{counts:?}");
    assert!(counts.driven * 2 >= counts.programs, "{counts:?}");
}

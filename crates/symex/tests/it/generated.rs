//! Generated programs with few input bits: what `symex` says of all runs against all runs of
//! `interp`, one after the other.
//!
//! Each input is used modulo 4, so giving every input the values 0 to 3 tries all behaviours. Every
//! run's inputs are put into the formulas: they have to say the same inputs, the same decisions, and
//! the same end at the same place. And an error is found by the solver exactly if some run has it.

use crate::common;

use common::generate::{all_runs, generate};
use common::{Run, agrees, compare, program, verdict};
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, NoInputs, RunOptions,
};
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;
use idiolect_smt::Session;
use idiolect_symex::bmc::{BmcOutcome, Deepening};
use idiolect_symex::path::PathExplorer;
use idiolect_symex::{Config, EndKind, encode, encode_again};
use std::collections::BTreeSet;

fn has_error(runs: &[Run], property: Property) -> bool {
    runs.iter().any(|r| match &r.end {
        End::Error(_) => property == Property::Assert,
        End::Fault(fault) => fault.kind.property() == Some(property),
        _ => false,
    })
}

/// At least so many of the programs have to be few enough runs to try them all.
fn check_seeds(seeds: std::ops::Range<u64>, least: u32, model: DataModel) {
    let (mut n_runs, mut n_found, mut n_proved, mut n_programs) = (0, 0, 0, 0);
    for seed in seeds {
        let text = generate(seed);
        let program = program(&text, model);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        n_programs += 1;
        let config = Config {
            unwind: 8,
            ..Config::default()
        };
        let encoding = encode(&program, &config, &Budget::unlimited()).expect("no limit");
        for run in &runs {
            if let Err(why) = compare(&encoding, run) {
                panic!("seed {seed}, inputs {:?}: {why}\n{text}", run.inputs);
            }
        }
        n_runs += runs.len();
        for property in [Property::Assert, Property::Memory, Property::Division] {
            let found = verdict(&program, &[property], 8);
            let expected = has_error(&runs, property);
            if found.contains("Trap") || found.starts_with("none") {
                assert!(!expected, "seed {seed}: {property:?} {found}\n{text}");
            } else {
                assert_eq!(
                    found != "proved",
                    expected,
                    "seed {seed}: {property:?} {found}\n{text}"
                );
                n_found += u32::from(expected);
                n_proved += u32::from(!expected);
            }
        }
    }
    assert!(n_programs >= least, "only {n_programs} programs");
    // A generator whose programs are all alike would check nothing.
    assert!(
        n_found * 6 > n_programs,
        "{n_found} errors in {n_programs} programs"
    );
    assert!(
        n_proved > n_programs,
        "{n_proved} proofs for {n_programs} programs"
    );
    assert!(n_runs > 3 * n_programs as usize);
}

#[test]
fn all_runs_of_generated_programs_agree() {
    check_seeds(0..960, 840, DataModel::Lp64);
}

#[test]
fn all_runs_of_generated_programs_agree_under_ilp32() {
    check_seeds(1000..1200, 170, DataModel::Ilp32);
}

/// The same with states kept apart that differ in where a run goes. The second encoding knows from the first which those are.
#[test]
fn all_runs_agree_where_states_stay_apart() {
    let (mut n_apart, mut n_found, mut n_proved) = (0, 0, 0);
    for seed in 0..320 {
        let text = generate(seed);
        let program = program(&text, DataModel::Lp64);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        let config = |unwind| Config {
            unwind,
            apart: 64,
            ..Config::default()
        };
        let budget = Budget::unlimited();
        let encoding = encode(&program, &config(4), &budget).expect("no limit");
        let encoding = encode_again(encoding, &program, &config(8), &budget).expect("no limit");
        n_apart += u32::from(encoding.statistics.kept_apart > 0);
        for run in &runs {
            if let Err(why) = compare(&encoding, run) {
                panic!("seed {seed}, inputs {:?}: {why}\n{text}", run.inputs);
            }
        }
        let expected = has_error(&runs, Property::Memory);
        let mut search = Deepening::new(&program, &[Property::Memory], 8).apart(64);
        let mut session = Session::new();
        let found = loop {
            if let Some(found) = search
                .step(&mut session, &budget, &budget)
                .expect("no limit")
            {
                break found;
            }
        };
        match found {
            BmcOutcome::Error { inputs, kind, .. } => {
                assert!(agrees(&kind, &common::run(&program, &inputs, false).end));
                n_found += 1;
            }
            BmcOutcome::Proved { .. } => {
                assert!(!expected, "seed {seed}\n{text}");
                n_proved += 1;
            }
            other => assert!(!expected, "seed {seed}: {other:?}\n{text}"),
        }
    }
    assert!(n_apart > 50, "only {n_apart} programs are different so");
    assert!(n_found > 10 && n_proved > 100, "{n_found}, {n_proved}");
}

/// The same with every array as one of the solver. Accesses of another size than its elements are
/// not modelled then, and such runs say nothing.
#[test]
fn all_runs_agree_where_objects_are_arrays() {
    let (mut n_compared, mut n_runs) = (0, 0);
    for seed in 7000..7150 {
        let text = generate(seed);
        let program = program(&text, DataModel::Lp64);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        let config = Config {
            unwind: 8,
            array_elements: 1,
            ..Config::default()
        };
        let encoding = encode(&program, &config, &Budget::unlimited()).expect("no limit");
        for run in &runs {
            if let Err(why) = compare(&encoding, run) {
                panic!("seed {seed}, inputs {:?}: {why}\n{text}", run.inputs);
            }
            let ends =
                common::model_of(&encoding, &run.inputs).map(|m| encoding.end_of(&m.0).cloned());
            let is_trap = matches!(ends, Ok(Some(end)) if matches!(end.kind, EndKind::Trap(_)));
            n_compared += u32::from(!is_trap);
            n_runs += 1;
        }
    }
    assert!(n_compared * 2 > n_runs, "{n_compared} of {n_runs}");
}

/// Every run's decisions are a path, and a vector that differs from all runs is none.
#[test]
fn paths_of_generated_programs_are_those_of_runs() {
    let budget = Budget::unlimited();
    let (mut n_feasible, mut n_infeasible, mut n_programs) = (0, 0, 0);
    for seed in 3000..3080 {
        let text = generate(seed);
        let program = program(&text, DataModel::Lp64);
        let Some(runs) = all_runs(&program) else {
            continue;
        };
        n_programs += 1;
        let mut explorer = PathExplorer::new(&program, false);
        let mut asked: BTreeSet<Vec<bool>> = BTreeSet::new();
        for run in &runs {
            for n in 0..=run.decisions.len() {
                asked.insert(run.decisions[..n].to_vec());
                if n > 0 {
                    let mut other = run.decisions[..n].to_vec();
                    other[n - 1] = !other[n - 1];
                    asked.insert(other.clone());
                    other.push(true);
                    asked.insert(other);
                }
            }
        }
        for decisions in &asked {
            let expected = runs.iter().any(|r| r.decisions.starts_with(decisions));
            let found = explorer.feasible(decisions, &budget).expect("no limit");
            assert_eq!(
                found.is_some(),
                expected,
                "seed {seed}: {decisions:?}\n{text}"
            );
            let Some(witness) = found else {
                n_infeasible += 1;
                continue;
            };
            n_feasible += 1;
            // The witness's inputs drive a run along these decisions.
            let (inputs, _) = explorer
                .inputs_of(decisions, &witness, &budget)
                .expect("no limit");
            let compiled = Compiled::new(program.clone().into(), &CompileOptions::default());
            let mut machine = Machine::new(&compiled, RunOptions::default());
            let values = inputs.iter().map(|i| i.bits).collect();
            let mut source = FixedInputs::new(values, NoInputs);
            let mut taken = Decisions::default();
            machine.run(&mut source, &mut taken, &Budget::steps(100_000));
            assert!(
                taken.taken.starts_with(decisions),
                "seed {seed}: {decisions:?} {:?}\n{text}",
                taken.taken
            );
        }
        let statistics = explorer.statistics();
        assert!(
            statistics.solver_calls <= statistics.questions,
            "{statistics:?}"
        );
    }
    assert!(
        n_feasible > 10 * n_programs && n_infeasible > 5 * n_programs,
        "{n_feasible} {n_infeasible}"
    );
}

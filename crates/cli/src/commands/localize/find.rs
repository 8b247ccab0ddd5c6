//! The run whose trace is looked at: the user's own, or one that bounded model checking finds.

use super::LocalizeArgs;
use crate::commands::run::inputs::{Given, GivenInputs};
use crate::commands::run::show as run_show;
use crate::failure::Failure;
use crate::output::counted;
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, InputSource, Machine, NoObserver, Outcome,
    RunOptions, ZeroInputs,
};
use idiolect_ir::{Program, Property};
use idiolect_localize::violates;
use idiolect_smt::Session;
use idiolect_symex::EndKind;
use idiolect_symex::bmc::{BmcOutcome, FoundFault, Undecided, find_error_in};
use std::sync::Arc;

pub enum Found {
    /// A run that was replayed.
    Error {
        outcome: Box<Outcome>,
        bits: Vec<u128>,
        how: String,
    },
    /// Every run ends within the bound, and none has an error.
    Proved {
        unwind: usize,
    },
    NoErrorUpTo {
        unwind: usize,
    },
    Undecided(String),
}

pub fn replay(
    program: &Arc<Program>,
    properties: &[Property],
    source: &mut dyn InputSource,
    budget: &Budget,
) -> Outcome {
    let options = CompileOptions {
        check_overflow: properties.contains(&Property::Overflow),
    };
    let compiled = Compiled::new(program.clone(), &options);
    Machine::new(&compiled, RunOptions::default()).run(source, &mut NoObserver, budget)
}

fn error(outcome: Outcome, how: String) -> Found {
    Found::Error {
        bits: outcome.inputs.iter().map(|i| i.bits).collect(),
        outcome: Box::new(outcome),
        how,
    }
}

/// The run on given inputs, which has to fail.
pub fn given(
    args: &LocalizeArgs,
    program: &Arc<Program>,
    properties: &[Property],
    given: &[Given],
    budget: &Budget,
    warnings: &mut Vec<String>,
) -> Result<Found, Failure> {
    let mut source = GivenInputs::new(given, ZeroInputs);
    let outcome = replay(program, properties, &mut source, budget);
    if source.unused() > 0 {
        let unused = source.unused();
        warnings.push(format!("{unused} of the given inputs were not used"));
    }
    let what = run_show::what(program, &outcome.end);
    let at = run_show::place_text(program, &outcome.place);
    match &outcome.end {
        end if violates(end, properties) => {}
        End::Fault(fault) => {
            let help = match fault.kind.property() {
                Some(_) => "`--property assert,memory,division,overflow` makes it the error",
                None => "it is a fault of no property; give inputs of an error",
            };
            let message = format!("with these inputs the run ends with {what}, at {at}");
            return Err(Failure::usage(message, help));
        }
        End::Limit(reason) => {
            return Ok(Found::Undecided(format!(
                "The run was not finished: {reason}."
            )));
        }
        End::Trap(_) => {
            return Ok(Found::Undecided(format!(
                "The run on these inputs reaches {what}, at {at}."
            )));
        }
        _ => {
            let message = format!("with these inputs the run does not fail: {what}, at {at}");
            let run = run_show::reproduce(&args.input, &outcome.inputs);
            let help = format!(
                "`{run} --trace` shows it; leave `--inputs` out, and a run that fails is looked for"
            );
            return Err(Failure::usage(message, help));
        }
    }
    Ok(error(outcome, "on the given inputs".to_owned()))
}

/// A run that fails, if one is found.
pub fn any(
    args: &LocalizeArgs,
    program: &Arc<Program>,
    properties: &[Property],
    budget: &Budget,
    warnings: &mut Vec<String>,
) -> Result<Found, Failure> {
    let mut session = Session::new();
    let found = find_error_in(&mut session, program, properties, args.unwind, budget);
    let mut warn = |faults: &[FoundFault]| {
        for fault in faults {
            warnings.push(format!(
                "{}: {} is possible and ends the run there; it is no error of the chosen properties",
                run_show::at(program, fault.place),
                fault.kind
            ));
        }
    };
    Ok(match found {
        BmcOutcome::Error {
            inputs,
            kind,
            unwind,
            is_approximate,
            ..
        } => {
            let bits = inputs.iter().map(|i| i.bits).collect();
            let mut source = FixedInputs::new(bits, ZeroInputs);
            let outcome = replay(program, properties, &mut source, budget);
            let agrees = match (&kind, &outcome.end) {
                (EndKind::Error(a), End::Error(b)) => a == b,
                (EndKind::Fault(a), End::Fault(b)) => *a == b.kind,
                _ => false,
            };
            match (&outcome.end, agrees, is_approximate) {
                (_, true, _) => {
                    let how = format!("found with {}", counted(unwind, "unwinding"));
                    error(outcome, how)
                }
                (End::Limit(reason), ..) => Found::Undecided(format!(
                    "A possible error was found, but its run was not finished: {reason}."
                )),
                (_, _, true) => Found::Undecided(
                    "A possible error was found, but it depends on a value that is not modelled \
                     exactly, and its run does not show it."
                        .to_owned(),
                ),
                _ => {
                    return Err(Failure::Disagreement {
                        symbolic: format!("{kind:?}"),
                        concrete: format!("{:?}", outcome.end),
                        reproducer: None,
                    });
                }
            }
        }
        BmcOutcome::Proved { unwind, faults } => {
            warn(&faults);
            match faults.is_empty() {
                true => Found::Proved { unwind },
                false => Found::NoErrorUpTo { unwind },
            }
        }
        BmcOutcome::NoErrorUpTo { unwind, faults } => {
            warn(&faults);
            Found::NoErrorUpTo { unwind }
        }
        BmcOutcome::Undecided(why) => Found::Undecided(match why {
            Undecided::Stopped(reason) => format!("No error was found yet: {reason}."),
            Undecided::Trap { gap, place } => format!(
                "No error was found, but runs {}: {gap}, at {}.",
                crate::c_input::reach(gap.kind),
                run_show::at(program, place)
            ),
            Undecided::UnknownPointer { place } => format!(
                "No error was found, but runs use a pointer that names no object, at {}.",
                run_show::at(program, place)
            ),
        }),
    })
}

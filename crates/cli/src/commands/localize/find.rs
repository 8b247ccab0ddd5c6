//! The run whose trace is looked at: the user's own, or one that is found.

use crate::args::{CArgs, CommonArgs};
use crate::commands::run::inputs::{Given, GivenInputs};
use crate::commands::run::show as run_show;
use crate::failure::CommandFailure;
use crate::progress::ProgressLine;
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, End, InputSource, Machine, NoObserver, Outcome, RunOptions,
    ZeroInputs,
};
use idiolect_ir::{Program, Property};
use idiolect_localize::violates;
use idiolect_search::{self as search, Doubt, FindOptions, Proof};
use idiolect_verify::find_error_or_proof;
use std::sync::Arc;

pub enum ErrorLookup {
    /// A run that was replayed.
    Error {
        outcome: Box<Outcome>,
        bits: Vec<u128>,
        how: String,
    },
    /// No run has an error.
    Proved(Proof),
    /// None was found so far.
    Nothing {
        unwind: usize,
        doubt: Option<Doubt>,
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

fn error(outcome: Outcome, how: String) -> ErrorLookup {
    ErrorLookup::Error {
        bits: outcome.inputs.iter().map(|i| i.bits).collect(),
        outcome: Box::new(outcome),
        how,
    }
}

/// The run on given inputs, which has to fail.
pub fn given(
    input: &CArgs,
    program: &Arc<Program>,
    properties: &[Property],
    given: &[Given],
    budget: &Budget,
    warnings: &mut Vec<String>,
) -> Result<ErrorLookup, CommandFailure> {
    let mut source = GivenInputs::new(given, ZeroInputs);
    let outcome = replay(program, properties, &mut source, budget);
    if source.unused() > 0 {
        let unused = source.unused();
        warnings.push(format!("{unused} of the given inputs were not used"));
    }
    let what = run_show::what(program, &outcome.end);
    let at = run_show::end_text(program, &outcome);
    match &outcome.end {
        end if violates(end, properties) => {}
        End::Fault(fault) => {
            let help = match fault.kind.property() {
                Some(_) => "`--property all` makes it the error",
                None => "it is a fault of no property; give inputs of an error",
            };
            let message = format!("with these inputs the run ends with {what}, at {at}");
            return Err(CommandFailure::usage(message, help));
        }
        End::Limit(reason) => {
            return Ok(ErrorLookup::Undecided(format!(
                "The run was not finished: {reason}."
            )));
        }
        End::Trap(_) => {
            return Ok(ErrorLookup::Undecided(format!(
                "The run on these inputs reaches {what}, at {at}."
            )));
        }
        _ => {
            let message = format!("with these inputs the run does not fail: {what}, at {at}");
            let run = run_show::reproduce(input, &outcome.inputs);
            let help = format!(
                "`{run} --trace` shows it; leave `--inputs` out, and a run that fails is looked for"
            );
            return Err(CommandFailure::usage(message, help));
        }
    }
    Ok(error(outcome, "on the given inputs".to_owned()))
}

/// A run that fails, if one is found.
pub fn any(
    common: &CommonArgs,
    unwind: usize,
    program: &Arc<Program>,
    properties: &[Property],
    budget: &Budget,
    progress: &ProgressLine,
) -> Result<ErrorLookup, CommandFailure> {
    let options = FindOptions {
        properties: properties.to_vec(),
        seed: common.seed,
        unwinding: unwind.into(),
        ..FindOptions::default()
    };
    let mut say = |stage: &str| progress.say(|| format!("looking for an error: {stage}"));
    Ok(
        match find_error_or_proof(program, &options, budget, &mut say) {
            search::Found::Error { run, by } => {
                error(run.outcome().clone(), format!("found by {}", by.phrase()))
            }
            search::Found::Proved(proof) => ErrorLookup::Proved(proof),
            search::Found::Nothing {
                doubt: Some(Doubt::Disagreement { inputs }),
                ..
            } => {
                return Err(CommandFailure::Disagreement {
                    symbolic: format!("an error on inputs {inputs:?}"),
                    concrete: "no error".to_owned(),
                    reproducer: None,
                });
            }
            search::Found::Nothing { unwind, doubt } => ErrorLookup::Nothing { unwind, doubt },
        },
    )
}

//! `--solver` and `--dump-smt2`: who answers the questions of all analyses, and where they are written.

use crate::args::CArgs;
use crate::failure::CommandFailure;
use idiolect_base::Budget;
use idiolect_smt::{Door, ExternalSolver, Sink, Terms};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// A solver that does not answer the simplest question by then is none.
const PATIENCE: Duration = Duration::from_secs(10);

/// The words of a command that names a solver.
pub fn words(command: &str) -> Result<(String, Vec<String>), CommandFailure> {
    let mut words = command.split_whitespace().map(str::to_owned);
    let program = words.next().ok_or_else(|| {
        CommandFailure::usage(
            "`--solver` names no program",
            "for example `--solver 'z3 -in'`",
        )
    })?;
    Ok((program, words.collect()))
}

/// From now on every solver of this process asks and tells whom the options say.
pub fn open(input: &CArgs) -> Result<(), CommandFailure> {
    if input.solver.is_none() && input.dump_smt2.is_none() {
        return Ok(());
    }
    let program = input.solver.as_deref().map(words).transpose()?;
    if let Some((program, arguments)) = &program {
        try_out(program, arguments)?;
    }
    let sink = input.dump_smt2.as_deref().map(file).transpose()?;
    Door::set(program, sink, input.smt_floats());
    Ok(())
}

/// Only how floats are written, for who asks in a session of its own.
pub fn write_floats(input: &CArgs) {
    Door::set(None, None, input.smt_floats());
}

/// Better now than after the work.
fn try_out(program: &str, arguments: &[String]) -> Result<(), CommandFailure> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut terms = Terms::new();
    let question = terms.bool_var("x");
    let budget = Budget::unlimited().within(PATIENCE);
    let answer = ExternalSolver::new(program, &arguments).check(&terms, &[question], &budget);
    answer.map(|_| ()).map_err(CommandFailure::solver)
}

fn file(path: &Path) -> Result<Sink, CommandFailure> {
    let mut file = File::create(path).map_err(|source| CommandFailure::CannotWrite {
        path: path.to_owned(),
        source,
    })?;
    Ok(Box::new(move |question| {
        // A full disk ends the text, not the analysis.
        let _ = file.write_all(question.as_bytes());
    }))
}

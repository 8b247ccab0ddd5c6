//! What the entry function of a run returned, where it is not `main`: its value in full, of which an exit status has
//! eight bits.

use crate::ends::what;
use crate::harness::is_entry;
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, Observer, Outcome, RunOptions, Value,
    View, ZeroInputs, naming,
};
use idiolect_ir::{CType, Program};
use idiolect_outcome::results::JsonNumber;
use std::sync::Arc;

/// The last value that the entry function returned; a call that is still going on returns after those that it made.
#[derive(Default)]
struct Last(Option<String>);

impl Observer for Last {
    const CALLS: bool = true;

    fn returned(&mut self, view: &View<'_>, result: Option<Value>) {
        let program = view.program();
        if view.function() != program.entry {
            return;
        }
        let ty = match program.types.get(program.function(program.entry).ty) {
            CType::Function(function) => Some(function.ret),
            _ => None,
        };
        self.0 = result.map(|value| naming::value(view, ty, value));
    }
}

/// Whether a function other than `main` came to its end.
fn is_return(program: &Program, run: &Outcome) -> bool {
    matches!(run.end, End::Exit(_)) && is_entry(program) && run.place.function == program.start
}

/// The value as C writes it; `None` of a run that ended otherwise, of a function without a result and of `main`.
pub fn value(program: &Program, run: &Outcome) -> Option<String> {
    if !is_return(program, run) {
        return None;
    }
    let compiled = Compiled::new(Arc::new(program.clone()), &CompileOptions::default());
    let options = RunOptions {
        max_steps: run.steps.saturating_add(1),
        ..RunOptions::default()
    };
    let bits = run.inputs.iter().map(|input| input.bits).collect();
    let mut source = FixedInputs::new(bits, ZeroInputs);
    let mut last = Last::default();
    let again = Machine::new(&compiled, options).run(&mut source, &mut last, &Budget::unlimited());
    last.0.filter(|_| again.end == run.end)
}

/// The result of a run: the number that the entry function returns, the exit status of a program, or how else it
/// ended in words.
pub fn number(program: &Program, run: &Outcome) -> JsonNumber {
    match (value(program, run), &run.end) {
        // Numbers as numbers, if JSON has them.
        (Some(value), _) => JsonNumber::read(value),
        (None, End::Exit(_)) if is_return(program, run) && is_void(program) => {
            JsonNumber::Text("none (void)".to_owned())
        }
        (None, End::Exit(code)) => JsonNumber::Integer(i64::from(code & 0xff)),
        (None, end) => JsonNumber::Text(what(program, end)),
    }
}

/// Whether the entry function has no result.
fn is_void(program: &Program) -> bool {
    match program.types.get(program.function(program.entry).ty) {
        CType::Function(function) => matches!(program.types.get(function.ret), CType::Void),
        _ => false,
    }
}

/// How a run ended, in words: a function returns, a program exits.
pub fn end(program: &Program, run: &Outcome) -> String {
    let name = &program.function(program.entry).name;
    match value(program, run) {
        Some(value) => format!("`{name}` returns {value}"),
        None if is_return(program, run) => format!("`{name}` returns"),
        None => what(program, &run.end),
    }
}

//! From what engines say to the ledger that a guarantee is computed from.

use crate::args::{CArgs, CommonArgs};
use crate::c_input;
use crate::ends as show;
use crate::failure::CommandFailure;
use idiolect_base::{Budget, Span};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoObserver, Outcome, RunOptions,
    ZeroInputs,
};
use idiolect_ir::{AssumptionKind as Kind, INDEX_BEYOND, Location, Program, Property};
use idiolect_outcome::{Assumption, AssumptionKind, Ledger};
use idiolect_search::Doubt;
use idiolect_symex::Gap;
use idiolect_verify::Occurrence;
use std::sync::Arc;

/// What everything that is said of the program rests on, whichever runs are looked at.
pub fn ledger(program: &Program) -> Ledger {
    let mut ledger = Ledger::default();
    add_program(&mut ledger, program);
    ledger
}

/// The same, beside what is there already.
pub fn add_program(ledger: &mut Ledger, program: &Program) {
    for assumption in &program.assumptions {
        if !assumption.kind.is_reached() && assumption.text != INDEX_BEYOND {
            ledger.add(of_program(program, assumption));
        }
    }
}

/// The same where functions are called with inputs of the caller's own: what the front end would have given to the
/// entry function is nothing that anything rests on.
pub fn add_program_called(ledger: &mut Ledger, program: &Program) {
    for assumption in &program.assumptions {
        let option = assumption.option.as_deref();
        let is_of_entry = matches!(option, Some("--assume nothing" | "--free-globals"));
        if !assumption.kind.is_reached() && !is_of_entry && assumption.text != INDEX_BEYOND {
            ledger.add(of_program(program, assumption));
        }
    }
}

/// A place in our models of the C library says nothing to the user, who cannot open it.
fn placed(program: &Program, span: Span, assumption: Assumption) -> Assumption {
    match program.sources.place(span) {
        Some(place) if !place.file.starts_with("<libc>") => assumption.at(place.file, place.line),
        _ => assumption,
    }
}

fn located(program: &Program, place: Location, assumption: Assumption) -> Assumption {
    match place.place(program) {
        Some(at) => assumption.at(at.file, at.line),
        None => assumption,
    }
}

/// An assumption of the program, ready to be shown.
fn of_program(program: &Program, assumption: &idiolect_ir::Assumption) -> Assumption {
    let kind = match assumption.kind {
        Kind::Bound => AssumptionKind::Bound,
        Kind::Convention => AssumptionKind::Convention,
        Kind::MissingBody => AssumptionKind::MissingBody,
        Kind::Contract => AssumptionKind::Contract,
        Kind::Unmodelled => AssumptionKind::Unmodelled,
    };
    let shown = Assumption::new(kind, assumption.text.clone());
    let shown = match &assumption.option {
        Some(option) => shown.with_option(option.clone()),
        None => shown,
    };
    placed(program, assumption.span, shown)
}

/// A place that runs come to and that is not modelled, or where a size was limited.
pub fn trap(program: &Program, index: u32) -> Assumption {
    match program.assumptions.get(index as usize) {
        Some(assumption) => of_program(program, assumption),
        None => Assumption::new(AssumptionKind::Unmodelled, "C that is not modelled"),
    }
}

/// The same, as the symbolic engine says it.
pub fn gap(program: &Program, gap: &Gap, place: Location) -> Assumption {
    match gap.assumption {
        Some(index) => trap(program, index),
        None => unmodelled(program, &gap.text, place),
    }
}

/// The same, as the symbolic engine says it.
pub fn unmodelled(program: &Program, construct: &str, place: Location) -> Assumption {
    let gap = program
        .assumptions
        .iter()
        .position(|a| a.kind.is_reached() && a.text == construct);
    match gap {
        Some(index) => trap(program, index as u32),
        None => located(
            program,
            place,
            Assumption::new(AssumptionKind::Unmodelled, construct),
        ),
    }
}

/// Loops and recursion were looked at so far.
pub fn unwinding(unwind: usize) -> Assumption {
    let text = match unwind {
        0 => "no unwinding of loops and recursion was finished".to_owned(),
        1 => "loops and recursion are unwound at most once".to_owned(),
        n => format!("loops and recursion are unwound at most {n} times"),
    };
    Assumption::new(AssumptionKind::Bound, text).with_option("--unwind")
}

/// What a doubt of the search means for a promise, if it is something that a promise could rest on.
fn of_doubt(program: &Program, doubt: &Doubt) -> Option<Assumption> {
    Some(match doubt {
        Doubt::Trap { index } => trap(program, *index),
        Doubt::Unmodelled { gap: what, place } => gap(program, what, *place),
        Doubt::UnknownPointer { place } => located(
            program,
            *place,
            Assumption::new(
                AssumptionKind::Unmodelled,
                "a pointer that names no object is used",
            ),
        ),
        _ => return None,
    })
}

/// Writes down what a doubt of the search means for a promise.
pub fn add_doubt(ledger: &mut Ledger, program: &Program, doubt: &Doubt) {
    if let Doubt::Stopped(reason) = doubt {
        ledger.stopped(*reason);
    }
    ledger.extend(of_doubt(program, doubt));
}

/// What makes a language uncertain.
pub fn of_language(program: &Program, doubt: &idiolect_explain::ModelDoubt) -> Assumption {
    use idiolect_explain::ModelDoubt as D;
    match doubt {
        D::Trap(construct, place) | D::Bound(construct, place) => {
            unmodelled(program, construct, *place)
        }
        D::Approximate => Assumption::new(
            AssumptionKind::Unmodelled,
            "some words depend on a value that is not modelled exactly",
        ),
        D::UnconfirmedFault(place) => located(
            program,
            *place,
            Assumption::new(
                AssumptionKind::Unmodelled,
                "runs are cut by a fault of the symbolic engine that the run itself does not have",
            ),
        ),
        D::Unsettled(_) => Assumption::new(
            AssumptionKind::Unmodelled,
            "whether runs come to C that is not modelled was not settled",
        ),
    }
}

/// A run ends where it faults, and a real machine may go on there.
pub fn ends_at_fault(program: &Program, what: &str, place: Location) -> Assumption {
    let text = format!("a run ends where it faults ({what})");
    located(
        program,
        place,
        Assumption::new(AssumptionKind::Convention, text),
    )
    .with_option("--property memory,division")
}

/// As [`ends_at_fault`], where nobody knows of a run that faults, nor that there is none.
pub fn may_end_at_fault() -> Assumption {
    let text = "a run ends where it faults; whether runs do was not settled";
    Assumption::new(AssumptionKind::Convention, text).with_option("--property memory,division")
}

/// C calls a signed overflow undefined, and a run that is shown has one: what a compiler makes of the program
/// may do something else.
pub fn wraps_around(program: &Arc<Program>, run: &Outcome, budget: &Budget) -> Option<Assumption> {
    let options = CompileOptions {
        check_overflow: true,
    };
    let compiled = Compiled::new(program.clone(), &options);
    let mut inputs = FixedInputs::new(run.inputs.iter().map(|i| i.bits).collect(), ZeroInputs);
    let budget = budget.share(run.steps.saturating_add(1));
    let again =
        Machine::new(&compiled, RunOptions::default()).run(&mut inputs, &mut NoObserver, &budget);
    let End::Fault(fault) = &again.end else {
        return None;
    };
    if fault.kind.property() != Some(Property::Overflow) {
        return None;
    }
    let text =
        "signed arithmetic wraps around; C leaves an overflow undefined, and this run has one";
    let wraps = Assumption::new(AssumptionKind::Convention, text);
    let wraps = placed(program, again.place.span, wraps);
    Some(wraps.with_option("--property overflow"))
}

/// What C or the machine leaves open and a promise about all runs rests on, as far as some run may come to it.
pub fn chosen(
    program: &Arc<Program>,
    properties: &[Property],
    (input, common): (&CArgs, &CommonArgs),
    budget: &Budget,
) -> Vec<Assumption> {
    let mut list = Vec::new();
    list.extend(may_leave_rows(program, input, common, budget));
    if !properties.contains(&Property::Overflow) {
        list.extend(may_wrap(program, common, budget));
    }
    list.extend(may_be_large(program, common.seed, budget));
    list.extend(may_not_fit(program, common.seed, budget));
    list
}

/// An index beyond a row stays in the object, and C leaves that undefined: the program is read again with such accesses as faults,
/// and asked whether it has any.
fn may_leave_rows(
    program: &Program,
    input: &CArgs,
    common: &CommonArgs,
    budget: &Budget,
) -> Option<Assumption> {
    let listed = indexes_beyond(program)?;
    let Ok(loaded) = c_input::load(&input.with_memory_faults(), Vec::new()) else {
        return Some(listed);
    };
    let strict = Arc::new(loaded.program);
    match idiolect_verify::has_memory_faults(&strict, common.seed, budget) {
        Occurrence::Never => None,
        Occurrence::At(_) | Occurrence::NotExcluded => Some(listed),
    }
}

/// That an index beyond a row is one in the object, if the program has one that may be.
pub fn indexes_beyond(program: &Program) -> Option<Assumption> {
    let mut all = program.assumptions.iter();
    let found = all.find(|a| a.text == INDEX_BEYOND)?;
    Some(of_program(program, found))
}

/// C calls a signed overflow undefined, and here it wraps around.
fn may_wrap(program: &Arc<Program>, common: &CommonArgs, budget: &Budget) -> Option<Assumption> {
    let wraps = |what: &str| {
        let text =
            format!("signed arithmetic wraps around; C leaves an overflow undefined, and {what}");
        Assumption::new(AssumptionKind::Convention, text).with_option("--property overflow")
    };
    match idiolect_verify::overflows(program, common.seed, budget) {
        Occurrence::Never => None,
        Occurrence::At(span) => Some(placed(program, span, wraps("runs have one"))),
        Occurrence::NotExcluded => Some(wraps("that no run has one is not shown")),
    }
}

/// A machine may have more memory in one piece than the model.
pub fn may_be_large(program: &Arc<Program>, seed: u64, budget: &Budget) -> Option<Assumption> {
    let large = |what: &str| {
        let text = format!(
            "nobody gets 2 GiB or more in one piece: `malloc` returns null then, and an array on the stack ends the \
             run; {what}"
        );
        Assumption::new(AssumptionKind::Convention, text)
    };
    match idiolect_verify::asks_for_large_objects(program, seed, budget) {
        Occurrence::Never => None,
        Occurrence::At(span) => Some(placed(program, span, large("runs ask for it"))),
        Occurrence::NotExcluded => Some(large("that no run asks for it is not shown")),
    }
}

/// C leaves open what comes of a number that does not fit into the integer that it becomes.
pub fn may_not_fit(program: &Arc<Program>, seed: u64, budget: &Budget) -> Option<Assumption> {
    let unfit = |what: &str| {
        let text = format!(
            "a floating-point number that does not fit into an integer becomes what x86-64 makes of it when the \
             program runs; {what}"
        );
        Assumption::new(AssumptionKind::Convention, text)
    };
    match idiolect_verify::converts_out_of_range(program, seed, budget) {
        Occurrence::Never => None,
        Occurrence::At(span) => Some(placed(program, span, unfit("runs convert one"))),
        Occurrence::NotExcluded => Some(unfit("that no run converts one is not shown")),
    }
}

/// Tries to refute the claim that no run has an error, by running. A claim that is refuted is our bug.
pub fn attack(
    program: &Arc<Program>,
    properties: &[Property],
    common: &CommonArgs,
    budget: &Budget,
) -> Result<(), CommandFailure> {
    let Some(run) = idiolect_search::attack(program, properties, common.seed, budget) else {
        return Ok(());
    };
    Err(CommandFailure::Disagreement {
        symbolic: "no run has an error".to_owned(),
        concrete: format!(
            "{} on inputs {}",
            show::what(program, &run.outcome().end),
            show::inputs_text(program, run.inputs())
        ),
        reproducer: None,
    })
}

/// What something rests on, as lines inside a C comment of a file that is written.
pub fn in_comment(ledger: &Ledger) -> String {
    let lines = ledger.entries().iter();
    lines
        .map(|a| format!("   Assuming {}.\n", a.line_text().replace("*/", "* /")))
        .collect()
}

/// The properties in words: `checked: assert, memory`.
pub fn checked(properties: &[Property]) -> String {
    format!("checked: {}", Property::names(properties).join(", "))
}

/// A doubt of the search in words, for a sentence that begins with `No error was found, but …`.
pub fn doubt_phrase(program: &Program, doubt: &Doubt) -> String {
    match doubt {
        Doubt::Stopped(reason) => format!("the search was not finished: {reason}"),
        Doubt::Trap { index } => {
            let gap = program.assumptions.get(*index as usize);
            let text = gap.map_or("something", |gap| gap.text.as_str());
            let at = gap.and_then(|gap| program.sources.place(gap.span));
            let at = at.map_or(String::new(), |p| format!(", at {}:{}", p.file, p.line));
            match gap.map(|gap| gap.kind) {
                Some(Kind::Bound) => format!("a run goes beyond a bound: {text}{at}"),
                _ => format!("a run reaches C that is not modelled: {text}{at}"),
            }
        }
        Doubt::Unmodelled { gap, place } => format!(
            "runs {}: {gap}, at {}",
            crate::c_input::reach(gap.kind),
            show::at(program, *place)
        ),
        Doubt::UnknownPointer { place } => format!(
            "runs use a pointer that names no object, at {}",
            show::at(program, *place)
        ),
        Doubt::FoundFault(fault) => format!(
            "a run may end with {} at {}, and nobody can say what it does after that",
            fault.kind,
            show::at(program, fault.place)
        ),
        Doubt::Fault(run) => format!(
            "a run ended with {} at {}, and nobody can say what it does after that",
            show::what(program, &run.end),
            show::place_text(program, &run.place)
        ),
        Doubt::Unconfirmed => {
            "a possible error depends on a value that is not modelled exactly, and \
                               its run does not show it"
                .to_owned()
        }
        other => format!("the search ended in doubt ({other:?})"),
    }
}

//! Bounded model checking: is there an error within so many unwindings?

use crate::encoder::{Config, encode};
use crate::record::{Encoding, EndKind, InputValue};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{Location, Program, Property};
use idiolect_smt::{Outcome, Solver};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BmcOutcome {
    /// The caller replays the inputs before anybody sees them.
    Error {
        inputs: Vec<InputValue>,
        place: Location,
        kind: EndKind,
        unwind: usize,
        /// The run passes a value that the encoding left open, so the replay may disagree.
        is_approximate: bool,
    },
    /// There may be errors further on.
    NoErrorUpTo {
        unwind: usize,
    },
    /// No run has an error: all of them end within the bound, and all of C in them is modelled.
    Proved {
        unwind: usize,
    },
    Undecided(Undecided),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undecided {
    Stopped(StopReason),
    /// No error was found, but runs may reach C that is not modelled.
    Trap {
        construct: String,
        place: Location,
    },
}

/// Whether ending like this violates one of the properties.
pub fn is_error(kind: &EndKind, properties: &[Property]) -> bool {
    match kind {
        EndKind::Error(_) => properties.contains(&Property::Assert),
        EndKind::Fault(fault) => fault.property().is_some_and(|p| properties.contains(&p)),
        _ => false,
    }
}

/// Looks for an error with 1, 2, 4, … and at last `unwind_max` unwindings.
pub fn find_error(
    program: &Program,
    properties: &[Property],
    unwind_max: usize,
    budget: &Budget,
) -> BmcOutcome {
    let mut unwind = 1.min(unwind_max);
    loop {
        match at_bound(program, properties, unwind, budget) {
            Err(reason) => return BmcOutcome::Undecided(Undecided::Stopped(reason)),
            Ok(BmcOutcome::NoErrorUpTo { .. }) if unwind < unwind_max => {
                unwind = (2 * unwind).min(unwind_max);
            }
            Ok(outcome) => return outcome,
        }
    }
}

fn at_bound(
    program: &Program,
    properties: &[Property],
    unwind: usize,
    budget: &Budget,
) -> Result<BmcOutcome, StopReason> {
    let config = Config {
        unwind,
        check_overflow: properties.contains(&Property::Overflow),
        ..Config::default()
    };
    let mut encoding = encode(program, &config, budget)?;
    let mut solver = Solver::new();
    let assumptions = encoding.bound(unwind);
    let error = encoding.any_end(|kind| is_error(kind, properties));
    if let Some(model) = ask(&mut solver, &encoding, &assumptions, error, budget)? {
        let end = encoding
            .ends
            .iter()
            .find(|e| is_error(&e.kind, properties) && model.eval_bool(&encoding.terms, e.guard));
        if let Some(end) = end {
            return Ok(BmcOutcome::Error {
                inputs: encoding.inputs_of(&model),
                place: end.place,
                kind: end.kind.clone(),
                unwind,
                is_approximate: encoding.is_approximate(&model),
            });
        }
    }
    let trap = encoding.any_end(|kind| matches!(kind, EndKind::Trap(_)));
    if let Some(model) = ask(&mut solver, &encoding, &assumptions, trap, budget)? {
        let end = encoding.ends.iter().find(|e| {
            matches!(e.kind, EndKind::Trap(_)) && model.eval_bool(&encoding.terms, e.guard)
        });
        if let Some(EndKind::Trap(construct)) = end.map(|e| &e.kind) {
            return Ok(BmcOutcome::Undecided(Undecided::Trap {
                construct: construct.clone(),
                place: end.map_or(Location::entry(program.start), |e| e.place),
            }));
        }
    }
    let beyond = encoding.exceeds(unwind);
    Ok(
        match ask(&mut solver, &encoding, &assumptions, beyond, budget)? {
            Some(_) => BmcOutcome::NoErrorUpTo { unwind },
            None => BmcOutcome::Proved { unwind },
        },
    )
}

fn ask(
    solver: &mut Solver,
    encoding: &Encoding,
    assumptions: &[idiolect_smt::TermId],
    question: idiolect_smt::TermId,
    budget: &Budget,
) -> Result<Option<idiolect_smt::Model>, StopReason> {
    if encoding.terms.known_false(question) {
        return Ok(None);
    }
    let mut all = assumptions.to_vec();
    all.push(question);
    match solver.check(&encoding.terms, &all, budget) {
        Outcome::Sat(model) => Ok(Some(model)),
        Outcome::Unsat(_) => Ok(None),
        Outcome::Unknown(reason) => Err(reason),
    }
}

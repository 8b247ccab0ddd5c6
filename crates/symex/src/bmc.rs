//! Bounded model checking: is there an error within so many unwindings?

use crate::encoder::{Config, UnwindSite, encode, encode_again};
use crate::record::{Encoding, EndKind, Gap, InputValue};
use idiolect_base::{Budget, StopReason, drop_aside};
use idiolect_ir::{FaultKind, Location, Program, Property};
use idiolect_smt::{Evaluator, Model, Outcome, Session, TermId};
use std::collections::BTreeMap;

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
        faults: Vec<FoundFault>,
    },
    /// No run has an error: all of them end within the bound, and all of C in them is modelled.
    /// What is shown holds of runs as they are here: one that faults has ended.
    Proved {
        unwind: usize,
        faults: Vec<FoundFault>,
    },
    Undecided(Undecided),
}

/// A fault that no property asked for, and a run to it: a warning, since real programs may well go
/// on where we stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFault {
    pub kind: FaultKind,
    pub place: Location,
    pub inputs: Vec<InputValue>,
}

/// So many faults are told apart by kind and place; each costs one question.
const MAX_FAULTS: usize = 16;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undecided {
    Stopped(StopReason),
    /// No error was found, but runs may use a pointer that names no object, such as one that is an
    /// input. Nobody asked whether they do; if real runs go on there, we do not know how.
    UnknownPointer {
        place: Location,
    },
    /// No error was found, but runs may reach C that is not modelled.
    Trap {
        gap: Gap,
        place: Location,
    },
}

/// Whether ending like this violates one of the properties.
pub fn is_error(kind: &EndKind, properties: &[Property]) -> bool {
    match kind {
        EndKind::Error(_) => properties.contains(&Property::Assert),
        EndKind::Fault(fault) => fault.violates(properties),
        _ => false,
    }
}

/// Looks for an error with 1, 2, 4, … and at last `unwind_max` unwindings. All bounds share one
/// pool of terms and one solver, so a larger one pays for what is new in it.
pub fn find_error(
    program: &Program,
    properties: &[Property],
    unwind_max: usize,
    budget: &Budget,
) -> BmcOutcome {
    find_error_in(&mut Session::new(), program, properties, unwind_max, budget)
}

/// The same with the questions asked in a session, which knows afterwards how many there were.
pub fn find_error_in(
    session: &mut Session,
    program: &Program,
    properties: &[Property],
    unwind_max: usize,
    budget: &Budget,
) -> BmcOutcome {
    find_error_within(session, program, properties, &unwind_max.into(), budget)
}

/// How far loops and recursion are unwound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwinding {
    /// Tried by 1, 2, 4, …
    pub max: usize,
    /// Those that have a bound of their own, at all times.
    pub own: BTreeMap<UnwindSite, usize>,
}

impl From<usize> for Unwinding {
    fn from(max: usize) -> Self {
        Self {
            max,
            own: BTreeMap::new(),
        }
    }
}

/// The same with bounds of their own for some loops.
pub fn find_error_within(
    session: &mut Session,
    program: &Program,
    properties: &[Property],
    unwinding: &Unwinding,
    budget: &Budget,
) -> BmcOutcome {
    let mut search = Deepening::new(program, properties, unwinding.clone());
    loop {
        match search.step(session, budget, budget) {
            Ok(None) => {}
            Ok(Some(outcome)) => return outcome,
            Err(reason) => return BmcOutcome::Undecided(Undecided::Stopped(reason)),
        }
    }
}

/// Up to so many unwindings, what no run has is not worth a question. With two, cJSON on four bytes has 74,070 statements, and
/// 4,233 that some run has.
const ASKED_BEYOND: usize = 1;

/// The search by growing bounds, one bound at a time, for a caller who has other things to do in
/// between.
pub struct Deepening<'p> {
    program: &'p Program,
    properties: Vec<Property>,
    unwinding: Unwinding,
    /// The next bound.
    unwind: usize,
    earlier: Option<Encoding>,
    /// The bound of that.
    encoded: usize,
    /// See [`Config::apart`].
    apart: usize,
}

impl<'p> Deepening<'p> {
    pub fn new(
        program: &'p Program,
        properties: &[Property],
        unwinding: impl Into<Unwinding>,
    ) -> Self {
        let unwinding = unwinding.into();
        Self {
            program,
            properties: properties.to_vec(),
            unwind: 1.min(unwinding.max),
            unwinding,
            earlier: None,
            encoded: 0,
            apart: 1,
        }
    }

    /// The same with at most so many states of a block kept apart.
    pub fn apart(mut self, most: usize) -> Self {
        self.apart = most;
        self
    }

    /// Whether there is an encoding; a stop while encoding leaves none.
    pub fn is_encoded(&self) -> bool {
        self.earlier.is_some()
    }

    /// Whether the latest encoding keeps states apart that would have been merged.
    pub fn keeps_apart(&self) -> bool {
        (self.earlier.as_ref()).is_some_and(|encoding| encoding.statistics.kept_apart > 0)
    }

    /// The bound that the next step looks at.
    pub fn bound(&self) -> usize {
        self.unwind
    }

    /// After the largest bound: goes on with twice that. Not if no loop has a bound that could grow.
    pub fn extend(&mut self) -> bool {
        if self.unwinding.max == 0 {
            return false;
        }
        let Some(larger) = self.unwinding.max.checked_mul(2) else {
            return false;
        };
        self.unwinding.max = larger;
        self.unwind = larger;
        true
    }

    /// The same search from its next bound on, with nothing encoded: for a new session.
    pub fn restart(&mut self) {
        self.earlier = None;
    }

    /// Looks at one bound, with a budget for the encoding and one for the questions; `None` if the
    /// next step looks further. All steps need the same session until [`restart`](Self::restart).
    /// After a stop the same bound is next; one that came while encoding needs a restart.
    pub fn step(
        &mut self,
        session: &mut Session,
        encoding_budget: &Budget,
        budget: &Budget,
    ) -> Result<Option<BmcOutcome>, StopReason> {
        let (unwind, unwind_max) = (self.unwind, self.unwinding.max);
        let is_last = unwind >= unwind_max;
        let program = self.program;
        let config = Config {
            unwind,
            own_bounds: self.unwinding.own.clone(),
            check_overflow: self.properties.contains(&Property::Overflow),
            constant_unwindings: constant_unwindings(unwind),
            asks_for_rounds: unwind > ASKED_BEYOND,
            apart: self.apart,
            ..Config::default()
        };
        let mut encoding = match self.earlier.take() {
            None => encode(program, &config, encoding_budget)?,
            // The questions about it were interrupted.
            Some(earlier) if self.encoded == unwind => earlier,
            Some(earlier) => encode_again(earlier, program, &config, encoding_budget)?,
        };
        self.encoded = unwind;
        let bound = Bound { unwind, is_last };
        let properties = &self.properties;
        let outcome = at_bound(session, program, properties, bound, &mut encoding, budget);
        self.earlier = Some(encoding);
        match outcome? {
            BmcOutcome::NoErrorUpTo { .. } if !is_last => {
                self.unwind = (2 * unwind).min(unwind_max);
                Ok(None)
            }
            outcome => Ok(Some(outcome)),
        }
    }
}

/// Rounds that count as no unwinding at a bound. A loop with a constant bound is unrolled as far as all
/// others are, or a long one would keep small bounds from being looked at at all.
fn constant_unwindings(unwind: usize) -> u32 {
    const FIRST: u64 = 2_000;
    let most = u64::from(Config::default().constant_unwindings);
    let unwind = unwind as u64;
    FIRST
        .saturating_mul(unwind.saturating_mul(unwind))
        .clamp(FIRST, most) as u32
}

impl Drop for Deepening<'_> {
    fn drop(&mut self) {
        if let Some(encoding) = self.earlier.take() {
            drop_aside(encoding);
        }
    }
}

#[derive(Clone, Copy)]
struct Bound {
    unwind: usize,
    is_last: bool,
}

fn at_bound(
    solver: &mut Session,
    program: &Program,
    properties: &[Property],
    Bound { unwind, is_last }: Bound,
    encoding: &mut Encoding,
    budget: &Budget,
) -> Result<BmcOutcome, StopReason> {
    let assumptions = encoding.bound(unwind);
    let error = encoding.any_end(|kind| is_error(kind, properties));
    if let Some(model) = ask_small(solver, encoding, &assumptions, error, budget)? {
        let end = encoding.end_among(&model, |kind| is_error(kind, properties), budget)?;
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
    let beyond = encoding.exceeds(unwind);
    let is_complete = ask(solver, encoding, &assumptions, beyond, budget)?.is_none();
    if !is_complete && !is_last {
        let faults = Vec::new();
        return Ok(BmcOutcome::NoErrorUpTo { unwind, faults });
    }
    let trap = encoding.any_end(|kind| matches!(kind, EndKind::Trap(_)));
    if let Some(model) = ask(solver, encoding, &assumptions, trap, budget)? {
        let is_trap = |kind: &EndKind| matches!(kind, EndKind::Trap(_));
        let end = encoding.end_among(&model, is_trap, budget)?;
        if let Some(EndKind::Trap(gap)) = end.map(|e| &e.kind) {
            return Ok(BmcOutcome::Undecided(Undecided::Trap {
                gap: gap.clone(),
                place: end.map_or(Location::entry(program.start), |e| e.place),
            }));
        }
    }
    if is_complete && !properties.contains(&Property::Memory) {
        let is_unknown = |kind: &EndKind| *kind == EndKind::Fault(FaultKind::InvalidPointer);
        let unknown = encoding.any_end(is_unknown);
        if let Some(model) = ask(solver, encoding, &assumptions, unknown, budget)?
            && let Some(end) = encoding.end_of(&model)
        {
            let place = end.place;
            return Ok(BmcOutcome::Undecided(Undecided::UnknownPointer { place }));
        }
    }
    let faults = reachable_faults(solver, encoding, &assumptions, budget)?;
    Ok(if is_complete {
        BmcOutcome::Proved { unwind, faults }
    } else {
        BmcOutcome::NoErrorUpTo { unwind, faults }
    })
}

/// Objects larger than this are looked for only where there is no run with smaller ones.
const SMALL: u64 = 1 << 16;

/// As [`ask`], and for a run with small objects first: one with gigabytes cannot be replayed.
fn ask_small(
    solver: &mut Session,
    encoding: &mut Encoding,
    assumptions: &[TermId],
    question: TermId,
    budget: &Budget,
) -> Result<Option<Model>, StopReason> {
    let small = encoding.small_objects(SMALL);
    if !encoding.terms.known_true(small) {
        let both = encoding.terms.and(question, small);
        if let Some(model) = ask(solver, encoding, assumptions, both, budget)? {
            return Ok(Some(model));
        }
    }
    ask(solver, encoding, assumptions, question, budget)
}

/// Faults that runs come to, each kind and place once.
fn reachable_faults(
    solver: &mut Session,
    encoding: &mut Encoding,
    assumptions: &[TermId],
    budget: &Budget,
) -> Result<Vec<FoundFault>, StopReason> {
    let mut faults: Vec<FoundFault> = Vec::new();
    while faults.len() < MAX_FAULTS {
        let mut rest = Vec::new();
        for end in &encoding.ends {
            if let EndKind::Fault(kind) = end.kind
                && !faults
                    .iter()
                    .any(|f| f.kind == kind && f.place == end.place)
            {
                rest.push((kind, end.place, end.guard));
            }
        }
        let guards: Vec<TermId> = rest.iter().map(|r| r.2).collect();
        let question = encoding.terms.or_all(&guards);
        let Some(model) = ask_small(solver, encoding, assumptions, question, budget)? else {
            break;
        };
        let mut evaluator = Evaluator::new(&encoding.terms, &model);
        let mut found = None;
        for &(kind, place, guard) in &rest {
            if evaluator.eval_within(guard, budget)? != 0 {
                found = Some((kind, place));
                break;
            }
        }
        let Some((kind, place)) = found else {
            break;
        };
        faults.push(FoundFault {
            kind,
            place,
            inputs: encoding.inputs_of(&model),
        });
    }
    Ok(faults)
}

fn ask(
    solver: &mut Session,
    encoding: &Encoding,
    assumptions: &[TermId],
    question: TermId,
    budget: &Budget,
) -> Result<Option<Model>, StopReason> {
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

//! Which assignments of an error trace, replaced by a constant, would have blocked it.
//!
//! [`localize`] takes a program and inputs on which it fails, follows that run symbolically, and says
//! for every assignment of it, inputs and parameters included, whether some constant in its place
//! makes the trace infeasible, and which ([`Localization`]). After the paper's *Static fault
//! localization for simple bugs*: a definition, not a heuristic.
//!
//! What is promised: a relevant statement, changed alone, can block *this* trace. Another trace to
//! the same error may remain, and a value that blocks one may not block another. What is not known
//! is said to be unknown ([`Relevance::Unknown`]), never "not relevant".
//!
//! What is not here: finding an error (`symex::bmc`), and how an outcome is shown.

pub mod all_traces;
mod another;
mod asking;
mod case;
mod component;
mod decided;
mod evidence;
mod graph;
mod initial;
mod near;
mod places;
mod relevance;
mod replaced;
mod run_on;
mod sites;
pub mod slice;
mod solving;
mod source;
mod spectrum;
mod trying;
mod wording;

use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, RunOptions, ZeroInputs,
};
use idiolect_ir::{Location, Program, Property};
use idiolect_symex::EndKind;
use idiolect_symex::rerun::RunTrace;
use idiolect_symex::trace::TraceError;
use std::sync::Arc;

pub use case::{CaseInputs, CaseSource, Expected, JudgedCase, MAX_STEPS, RunCase, machine};
pub use decided::{Decided, decide_run};
pub use evidence::PlaceEvidence;
pub use near::{NearRuns, near};
pub use places::{PassingValue, PlaceKind, Places, PlacesConfig, SuspectPlace, places};
pub use relevance::{Blocking, LocalizeConfig, Relevance, RelevanceCounts, RelevanceDoubt};
pub use sites::specification_functions;
pub use source::{AssignmentKind, BlockingValue, RelevantStatement, TraceStatement};
pub use spectrum::LineRuns;

/// What there is to say about one error trace.
#[derive(Clone, Debug)]
pub struct Localization {
    /// The statements of the trace that a user sees, in order.
    pub trace: Vec<TraceStatement>,
    /// Each relevant statement once: those with which the run passes first, then the nearest to the
    /// error.
    pub relevant: Vec<RelevantStatement>,
    /// By statement of the trace: whether it is in the dynamic backward slice of the error.
    pub in_slice: Vec<bool>,
    pub counts: RelevanceCounts,
}

impl Localization {
    /// Whether a relevant statement with this value is among those to look at first: not if the run
    /// fails with every value that was tried, unless that is so of all of them.
    pub fn is_first(&self, value: Option<&BlockingValue>) -> bool {
        let may_pass = |v: Option<&BlockingValue>| v.is_none_or(|v| v.passes != Some(false));
        may_pass(value) || !self.relevant.iter().any(|r| may_pass(r.blocking.as_ref()))
    }

    /// Relevant assignments of the trace.
    pub fn relevant_assignments(&self) -> impl Iterator<Item = &TraceStatement> {
        let is_relevant = |s: &&TraceStatement| s.is_assigning() && s.relevant == Some(true);
        self.trace.iter().filter(is_relevant)
    }

    /// Assigning statements whose relevance is not known.
    pub fn n_unknown(&self) -> usize {
        let unknown = |s: &&TraceStatement| s.is_assigning() && s.relevant.is_none();
        self.trace.iter().filter(unknown).count()
    }
}

/// Why a run has no localization.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NotLocalized {
    #[error("the run does not end with an error")]
    NoError(End),
    #[error("{0}")]
    Stopped(StopReason),
    #[error("the run reaches C that cannot be followed symbolically: {construct}")]
    NotSupported { construct: String, place: Location },
}

impl From<TraceError> for NotLocalized {
    fn from(error: TraceError) -> Self {
        match error {
            TraceError::Stopped(reason) => NotLocalized::Stopped(reason),
            TraceError::NotSupported { construct, place } => {
                NotLocalized::NotSupported { construct, place }
            }
        }
    }
}

/// Localizes the error that the program comes to on these inputs.
pub fn localize(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[u128],
    config: &LocalizeConfig,
    budget: &Budget,
) -> Result<Localization, NotLocalized> {
    let mut found = LocalizedRun::new(program, properties, inputs, config, budget)?;
    found.run_on(properties, inputs, config, budget);
    Ok(found.told())
}

/// The run and what is relevant in it, before it is told.
pub struct LocalizedRun {
    program: Arc<Program>,
    trace: RunTrace,
    decided: Decided,
}

impl LocalizedRun {
    /// Algorithm 1 on the run with these inputs.
    pub fn new(
        program: &Arc<Program>,
        properties: &[Property],
        inputs: &[u128],
        config: &LocalizeConfig,
        budget: &Budget,
    ) -> Result<Self, NotLocalized> {
        let trace = follow(program, properties, inputs, budget)?;
        Ok(Self {
            program: program.clone(),
            decided: decide_run(&trace, config, budget),
            trace,
        })
    }

    /// Finds out with which of the changes the run passes.
    pub fn run_on(
        &mut self,
        properties: &[Property],
        inputs: &[u128],
        config: &LocalizeConfig,
        budget: &Budget,
    ) {
        let check_overflow = properties.contains(&Property::Overflow);
        let Self {
            program,
            trace,
            decided,
        } = self;
        run_on::run_on(
            program,
            check_overflow,
            trace,
            inputs,
            decided,
            config,
            budget,
        );
    }

    pub fn told(&self) -> Localization {
        let statements = source::statements(&self.program, &self.trace, &self.decided);
        let slice = slice::slice(&self.program, &self.trace, &self.decided);
        let in_slice = |s: &TraceStatement| s.parts.iter().any(|&p| slice[p]);
        Localization {
            in_slice: statements.iter().map(in_slice).collect(),
            relevant: source::relevant(&statements),
            trace: statements,
            counts: self.decided.counts,
        }
    }
}

/// Whether a run that ends like this violates one of the properties.
pub fn violates(end: &End, properties: &[Property]) -> bool {
    match end {
        End::Error(_) => properties.contains(&Property::Assert),
        End::Fault(fault) => fault.kind.violates(properties),
        _ => false,
    }
}

/// Runs the program and follows the run symbolically.
pub fn follow(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[u128],
    budget: &Budget,
) -> Result<RunTrace, NotLocalized> {
    let check_overflow = properties.contains(&Property::Overflow);
    let options = CompileOptions { check_overflow };
    let compiled = Compiled::new(program.clone(), &options);
    let mut decisions = Decisions::default();
    let outcome = Machine::new(&compiled, RunOptions::default()).run(
        &mut FixedInputs::new(inputs.to_vec(), ZeroInputs),
        &mut decisions,
        budget,
    );
    match &outcome.end {
        end if violates(end, properties) => {}
        End::Limit(reason) => return Err(NotLocalized::Stopped(*reason)),
        end => return Err(NotLocalized::NoError(end.clone())),
    }
    let drawn: Vec<u128> = outcome.inputs.iter().map(|i| i.bits).collect();
    let trace = RunTrace::along(program, &decisions.taken, &drawn, check_overflow, budget)?;
    let agrees = match (&trace.end.0, &outcome.end) {
        (EndKind::Error(a), End::Error(b)) => a == b,
        (EndKind::Fault(a), End::Fault(b)) => *a == b.kind,
        _ => false,
    };
    if !agrees {
        return Err(NotLocalized::NotSupported {
            construct: "a run that ends otherwise when it is followed".to_owned(),
            place: trace.end.1,
        });
    }
    Ok(trace)
}

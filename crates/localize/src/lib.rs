//! Which assignments of an error trace, replaced by a constant, would have blocked it.
//!
//! [`localize`] takes a program and inputs on which it fails, follows that run symbolically, and says
//! for every assignment of it, inputs and parameters included, whether some constant in its place
//! makes the trace infeasible, and which ([`Localization`]). After the seed's *Static fault
//! localization for simple bugs*: a definition, not a heuristic.
//!
//! What is promised: a relevant statement, changed alone, can block *this* trace. Another trace to
//! the same error may remain, and a value that blocks one may not block another. What is not known
//! is said to be unknown ([`Relevance::Unknown`]), never "not relevant".
//!
//! What is not here: finding an error (`symex::bmc`), and how an outcome is shown.

pub mod all_traces;
mod decided;
mod graph;
mod relevance;
pub mod slice;
mod source;
mod trying;

use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, RunOptions, ZeroInputs,
};
use idiolect_ir::{Location, Program, Property};
use idiolect_symex::EndKind;
use idiolect_symex::rerun::RunTrace;
use idiolect_symex::trace::TraceError;
use std::sync::Arc;

pub use decided::{Decided, decide_run};
pub use relevance::{Blocking, Config, Counts, Doubt, Relevance};
pub use source::{BlockingValue, Kind, RelevantStatement, TraceStatement};

/// What there is to say about one error trace.
#[derive(Clone, Debug)]
pub struct Localization {
    /// The statements of the trace that a user sees, in order.
    pub trace: Vec<TraceStatement>,
    /// Each relevant statement once; the nearest to the error first.
    pub relevant: Vec<RelevantStatement>,
    /// By statement of the trace: whether it is in the dynamic backward slice of the error.
    pub in_slice: Vec<bool>,
    pub counts: Counts,
}

impl Localization {
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
    config: &Config,
    budget: &Budget,
) -> Result<Localization, NotLocalized> {
    let trace = follow(program, properties, inputs, budget)?;
    let decided = decide_run(&trace, config, budget);
    let statements = source::statements(program, &trace, &decided);
    let slice = slice::slice(program, &trace, &decided);
    let in_slice = |s: &TraceStatement| s.parts.iter().any(|&p| slice[p]);
    Ok(Localization {
        in_slice: statements.iter().map(in_slice).collect(),
        relevant: source::relevant(&statements),
        trace: statements,
        counts: decided.counts,
    })
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
        End::Error(_) if properties.contains(&Property::Assert) => {}
        End::Fault(fault)
            if fault
                .kind
                .property()
                .is_some_and(|p| properties.contains(&p)) => {}
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

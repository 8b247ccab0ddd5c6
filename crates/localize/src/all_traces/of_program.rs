//! The search over a program, each of its traces localized by Algorithm 1.

use super::{Assigning, Config, ErrorTrace, Judged, Outcome, Watch, once_each, run};
use crate::{Localization, NotLocalized, localize};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, FixedInputs, Machine, RunOptions, ZeroInputs,
};
use idiolect_ir::{Location, Program, Property, TerminatorKind};
use idiolect_smt::{Outcome as Answer, Solver, TermId};
use idiolect_symex::EndKind;
use idiolect_symex::path::PathExplorer;
use idiolect_symex::trace::{Extent, Trace, TraceError};
use std::sync::Arc;

/// A statement of the user's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceStatement {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
}

/// An error trace as a run of it, and what is relevant there.
#[derive(Clone, Debug)]
pub struct LocalizedTrace {
    pub inputs: Vec<u128>,
    pub localization: Localization,
}

/// What is relevant in all traces to where the properties are violated. Every error trace was run
/// before it counts.
pub fn all_traces(
    program: &Arc<Program>,
    properties: &[Property],
    config: &Config,
    one_trace: &crate::LocalizeConfig,
    budget: &Budget,
    watch: Watch<'_>,
) -> Outcome<SourceStatement, LocalizedTrace> {
    let mut judge = Judge {
        program,
        properties,
        config: one_trace,
        n_calls: 0,
    };
    let mut localize =
        |decisions: &[bool], error, budget: &Budget| judge.judge(decisions, error, budget);
    let mut outcome = run(program, properties, config, budget, &mut localize, watch);
    outcome.counts.solver_calls += judge.n_calls;
    outcome
}

/// The trace of a run that was found in another way; `None` if it cannot be followed, or does not fail.
pub fn trace_of_run(
    program: &Arc<Program>,
    properties: &[Property],
    inputs: &[u128],
    config: &crate::LocalizeConfig,
    budget: &Budget,
) -> Option<ErrorTrace<SourceStatement, LocalizedTrace>> {
    let check_overflow = properties.contains(&Property::Overflow);
    let compiled = Compiled::new(program.clone(), &CompileOptions { check_overflow });
    let mut source = FixedInputs::new(inputs.to_vec(), ZeroInputs);
    let mut decisions = Decisions::default();
    let options = RunOptions::default();
    let outcome = Machine::new(&compiled, options).run(&mut source, &mut decisions, budget);
    let localization = localize(program, properties, inputs, config, budget).ok()?;
    Some(ErrorTrace {
        decisions: decisions.taken,
        error: Location {
            function: outcome.place.function,
            block: outcome.place.block,
            index: outcome.place.stmt as usize,
        },
        assigning: once_each(assigning(&localization)),
        detail: LocalizedTrace {
            inputs: inputs.to_vec(),
            localization,
        },
    })
}

/// The statements that assign, in order.
fn assigning(localization: &Localization) -> Vec<Assigning<SourceStatement>> {
    let n = localization.trace.len();
    (localization.trace.iter().enumerate())
        .filter(|(_, s)| s.is_assigning())
        .map(|(i, s)| Assigning {
            statement: SourceStatement {
                file: s.file.clone(),
                line: s.line,
                column: s.column,
                text: s.text.clone(),
            },
            relevant: s.relevant,
            distance: n - i - 1,
        })
        .collect()
}

struct Judge<'a> {
    program: &'a Arc<Program>,
    properties: &'a [Property],
    config: &'a crate::LocalizeConfig,
    n_calls: u64,
}

/// Whether some run takes a trace.
enum Taken {
    By(Vec<u128>),
    ByNone,
    Unknown(String),
}

impl Judge<'_> {
    fn judge(
        &mut self,
        decisions: &[bool],
        error: Location,
        budget: &Budget,
    ) -> Result<Judged<SourceStatement, LocalizedTrace>, StopReason> {
        let is_error_location = error.stmt(self.program).is_none()
            && matches!(
                self.program
                    .function(error.function)
                    .block(error.block)
                    .terminator
                    .kind,
                TerminatorKind::Error(_)
            );
        let taken = if is_error_location {
            self.taken_to_error(decisions, error, budget)?
        } else {
            self.taken_to_fault(decisions, error, budget)?
        };
        let inputs = match taken {
            Taken::By(inputs) => inputs,
            Taken::ByNone => return Ok(Judged::Infeasible),
            Taken::Unknown(why) => return Ok(Judged::Unknown(why)),
        };
        let found = localize(self.program, self.properties, &inputs, self.config, budget);
        let localization = match found {
            Ok(localization) => localization,
            Err(NotLocalized::Stopped(reason)) => return Err(reason),
            Err(NotLocalized::NotSupported { construct, .. }) => {
                return Ok(Judged::Unknown(construct));
            }
            Err(NotLocalized::NoError(_)) => {
                return Ok(Judged::Unknown("a run that does not repeat".to_owned()));
            }
        };
        self.n_calls += localization.counts.solver_calls;
        let assigning = assigning(&localization);
        Ok(Judged::Error {
            assigning,
            detail: LocalizedTrace {
                inputs,
                localization,
            },
        })
    }

    fn taken_to_error(
        &mut self,
        decisions: &[bool],
        error: Location,
        budget: &Budget,
    ) -> Result<Taken, StopReason> {
        let overflow = self.properties.contains(&Property::Overflow);
        let found = Trace::along(self.program, decisions, Extent::End, overflow, budget);
        let mut trace = match found {
            Ok(trace) => trace,
            Err(TraceError::Stopped(reason)) => return Err(reason),
            Err(TraceError::NotSupported { construct, .. }) => {
                return Ok(Taken::Unknown(construct));
            }
        };
        let leads_there = matches!(&trace.end, Some((EndKind::Error(_), at)) if *at == error);
        let formula = trace.formula();
        let mut solver = Solver::new();
        let answer = solver.check(&trace.terms, &formula.constraints, budget);
        self.n_calls += solver.statistics().solver_calls;
        Ok(match answer {
            Answer::Unsat(_) => Taken::ByNone,
            Answer::Unknown(reason) => return Err(reason),
            Answer::Sat(_) if !leads_there => {
                Taken::Unknown("a trace that ends elsewhere".to_owned())
            }
            Answer::Sat(model) => Taken::By(
                (formula.inputs_of(&trace.terms, &model).iter())
                    .map(|i| i.bits)
                    .collect(),
            ),
        })
    }

    /// A fault has no condition of its own in a trace, but is an end along the path.
    fn taken_to_fault(
        &mut self,
        decisions: &[bool],
        at: Location,
        budget: &Budget,
    ) -> Result<Taken, StopReason> {
        let overflow = self.properties.contains(&Property::Overflow);
        let mut paths = PathExplorer::new(self.program, overflow);
        let path = paths.path(decisions, budget)?;
        let is_fault = |kind: &EndKind| match kind {
            EndKind::Fault(kind) => kind.violates(self.properties),
            _ => false,
        };
        let ends = path.ends.iter();
        let own: Vec<TermId> = ends
            .filter(|e| e.place == at && is_fault(&e.kind))
            .map(|e| e.guard)
            .collect();
        // An end before the last decision is one of another trace.
        let found = paths.run_to(&path, &own, budget)?;
        self.n_calls += paths.statistics().solver_calls;
        let mut ends = path.ends.iter();
        let trap = ends.find_map(|e| match &e.kind {
            EndKind::Trap(gap) => Some(gap.text.clone()),
            _ => None,
        });
        Ok(match (found, trap) {
            (Some(inputs), _) => Taken::By(inputs.iter().map(|i| i.bits).collect()),
            (None, Some(construct)) => Taken::Unknown(construct),
            (None, None) => Taken::ByNone,
        })
    }
}

//! The search over a program, each of its traces localized by Algorithm 1.

use super::{Assigning, Config, Judged, Outcome, Watch, run};
use crate::{Localization, NotLocalized, localize};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{Location, Program, Property, property};
use idiolect_smt::Solver;
use idiolect_symex::EndKind;
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

/// What is relevant in all traces to failing assertions. Every error trace was run before it counts.
pub fn all_traces(
    program: &Arc<Program>,
    config: &Config,
    one_trace: &crate::Config,
    budget: &Budget,
    watch: Watch<'_>,
) -> Outcome<SourceStatement, LocalizedTrace> {
    let errors = property::error_locations(program, Property::Assert);
    let mut n_calls = 0;
    let mut judge = |decisions: &[bool], error, budget: &Budget| {
        judge(program, decisions, error, one_trace, budget, &mut n_calls)
    };
    let mut outcome = run(program, &errors, config, budget, &mut judge, watch);
    outcome.counts.solver_calls += n_calls;
    outcome
}

fn judge(
    program: &Arc<Program>,
    decisions: &[bool],
    error: Location,
    config: &crate::Config,
    budget: &Budget,
    n_calls: &mut u64,
) -> Result<Judged<SourceStatement, LocalizedTrace>, StopReason> {
    let mut trace = match Trace::along(program, decisions, Extent::End, false, budget) {
        Ok(trace) => trace,
        Err(TraceError::Stopped(reason)) => return Err(reason),
        Err(TraceError::NotSupported { construct, .. }) => return Ok(Judged::Unknown(construct)),
    };
    let leads_there = matches!(&trace.end, Some((EndKind::Error(_), at)) if *at == error);
    let formula = trace.formula();
    let mut solver = Solver::new();
    let answer = solver.check(&trace.terms, &formula.constraints, budget);
    *n_calls += solver.statistics().solver_calls;
    let inputs: Vec<u128> = match answer {
        idiolect_smt::Outcome::Unsat(_) => return Ok(Judged::Infeasible),
        idiolect_smt::Outcome::Unknown(reason) => return Err(reason),
        idiolect_smt::Outcome::Sat(_) if !leads_there => {
            return Ok(Judged::Unknown("a trace that ends elsewhere".to_owned()));
        }
        idiolect_smt::Outcome::Sat(model) => (formula.inputs_of(&trace.terms, &model).iter())
            .map(|i| i.bits)
            .collect(),
    };
    let localization = match localize(program, &[Property::Assert], &inputs, config, budget) {
        Ok(localization) => localization,
        Err(NotLocalized::Stopped(reason)) => return Err(reason),
        Err(NotLocalized::NotSupported { construct, .. }) => {
            return Ok(Judged::Unknown(construct));
        }
        Err(NotLocalized::NoError(_)) => {
            return Ok(Judged::Unknown("a run that does not repeat".to_owned()));
        }
    };
    *n_calls += localization.counts.solver_calls;
    let n = localization.trace.len();
    let assigning = (localization.trace.iter().enumerate())
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
        .collect();
    Ok(Judged::Error {
        assigning,
        detail: LocalizedTrace {
            inputs,
            localization,
        },
    })
}

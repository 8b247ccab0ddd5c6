//! Real runs of the function from what counter-models show.
//!
//! A counter-model at a loop need not be reachable. But the function can be run on the data that it
//! shows, and if a run violates what the counter-model is about, the claim is wrong and not only
//! unproved; the input is then worth learning from.

use super::Claim;
use crate::builder;
use crate::collect::Built;
use crate::inputs::{Input, InputSpace, InputValue};
use crate::signature::{self, Parameter, ParameterKind, Site};
use idiolect_base::Budget;
use idiolect_interp::{CompileOptions, Compiled, End, Machine, Observer, RunOptions, View};
use idiolect_ir::{FuncId, InputId, MarkId, Program};
use idiolect_quantified::formula::Conjunct;
use idiolect_quantified::instrument::Instrumented;
use idiolect_quantified::point::{Binding, Datum, Point, PointKind, Role, Snapshot, Structure};
use idiolect_quantified::roles::Roles;
use idiolect_quantified::snapshot;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Longer runs say nothing.
const MAX_STEPS: u64 = 100_000;

pub(super) struct Runner<'a> {
    function: FuncId,
    claims: &'a [Claim<'a>],
    parameters: Vec<Parameter>,
    space: InputSpace,
    instrumented: Instrumented,
    compiled: Compiled,
    first: InputId,
}

/// What a run is looked at for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// A violation of this conjunct of this claim.
    Violation(usize, usize),
    /// An error or a fault.
    BadEnd,
}

impl<'a> Runner<'a> {
    /// Nothing if no inputs can be built for the function.
    pub fn new(program: &Program, function: FuncId, claims: &'a [Claim<'a>]) -> Option<Self> {
        let roles = Roles::new(program);
        let parameters = signature::inputs(program, &roles, function).ok()?;
        let points: Vec<Point> = claims.iter().map(|c| c.point.clone()).collect();
        let mut instrumented = Instrumented::new(program, &points);
        let first = builder::start_with(&mut instrumented.program, function, &parameters);
        let compiled = Compiled::new(
            Arc::new(instrumented.program.clone()),
            &CompileOptions::default(),
        );
        Some(Runner {
            function,
            claims,
            space: InputSpace::new(&parameters, 0..=0, vec![0]),
            parameters,
            instrumented,
            compiled,
            first,
        })
    }

    /// The input that a state shows, if the run from there is as wanted; without cells that do not
    /// matter, since what is learned from small inputs says more.
    pub fn run(&self, point: &Point, state: &Snapshot, wanted: Wanted) -> Option<Input> {
        if point.function != self.function {
            return None;
        }
        let values = (self.parameters.iter())
            .map(|p| value(point, state, p))
            .collect::<Option<Vec<_>>>()?;
        let mut input = Input { values };
        if !self.goes(&input, wanted) {
            return None;
        }
        while let Some(smaller) =
            (self.space.smaller(&input).into_iter()).find(|i| self.goes(i, wanted))
        {
            input = smaller;
        }
        Some(input)
    }

    /// Whether the run of an input is as wanted.
    fn goes(&self, input: &Input, wanted: Wanted) -> bool {
        let mut watcher = Watcher {
            runner: self,
            wanted,
            is_allowed: true,
            is_found: false,
        };
        let mut source = Built {
            first: self.first,
            draws: self.space.draws(input).into_iter(),
        };
        let mut machine = Machine::new(&self.compiled, RunOptions::default());
        let outcome = machine.run(&mut source, &mut watcher, &Budget::steps(MAX_STEPS));
        let is_bad = matches!(outcome.end, End::Error(_) | End::Fault(_));
        let is_found = watcher.is_found || wanted == Wanted::BadEnd && is_bad;
        watcher.is_allowed && is_found
    }
}

/// What a parameter was, as far as the state shows it.
fn value(point: &Point, state: &Snapshot, parameter: &Parameter) -> Option<InputValue> {
    let of = |binding: Binding| point.variables.iter().position(|v| v.binding == binding);
    let v = match (&parameter.kind, parameter.site) {
        (ParameterKind::Head(_) | ParameterKind::Cell { .. }, Site::Local(local)) => {
            of(Binding::BehindEntry(local)).or_else(|| of(Binding::Behind(local)))?
        }
        (_, Site::Local(local)) => {
            of(Binding::AtEntry(local)).or_else(|| of(Binding::Local(local)))?
        }
        (_, Site::Global(global)) => of(Binding::Global(global))?,
    };
    let columns = |structure: usize, field: usize| {
        let chain = state.chain(structure)?;
        let Structure::Array(group) = &point.structures[structure] else {
            return None;
        };
        let cell = |i: usize| {
            let fields = group.fields_of(field);
            fields.map(|f| chain.datum(i, f).unwrap_or(0)).collect()
        };
        Some(InputValue::Cells((0..chain.n_cells).map(cell).collect()))
    };
    match (&parameter.kind, state.values[v], point.variables[v].role) {
        (ParameterKind::List(_) | ParameterKind::Head(_), Datum::Nil, _) => {
            Some(InputValue::Cells(Vec::new()))
        }
        (
            ParameterKind::List(shape) | ParameterKind::Head(shape),
            Datum::Cell { chain, cell },
            _,
        ) => {
            let chain = &state.chains[chain];
            let row = |i: usize| {
                let fields = 0..shape.fields.len();
                fields.map(|f| chain.datum(i, f).unwrap_or(0)).collect()
            };
            Some(InputValue::Cells((cell..chain.n_cells).map(row).collect()))
        }
        (ParameterKind::Array { .. }, _, Role::Base { structure, field }) => {
            columns(structure, field)
        }
        (
            ParameterKind::Cell { .. }
            | ParameterKind::List(_)
            | ParameterKind::Head(_)
            | ParameterKind::Array { .. },
            ..,
        ) => None,
        (_, Datum::Number(n), _) => Some(InputValue::Number(n)),
        _ => None,
    }
}

struct Watcher<'a> {
    runner: &'a Runner<'a>,
    wanted: Wanted,
    /// The claim at the entry holds.
    is_allowed: bool,
    is_found: bool,
}

impl Watcher<'_> {
    fn conjunct(&self, point: usize, conjunct: usize) -> Option<&Conjunct> {
        self.runner.claims[point].formula.conjuncts.get(conjunct)
    }
}

impl Observer for Watcher<'_> {
    const EVENTS: bool = true;

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let instrumented = &self.runner.instrumented;
        let Some(p) = mark.index().checked_sub(instrumented.first_mark) else {
            return ControlFlow::Continue(());
        };
        let Some(claim) = self.runner.claims.get(p) else {
            return ControlFlow::Continue(());
        };
        let Ok(state) = snapshot::read(view, claim.point, &instrumented.sources[p]) else {
            return ControlFlow::Continue(());
        };
        if claim.point.kind == PointKind::Entry && claim.point.function == self.runner.function {
            self.is_allowed &= claim.formula.holds(claim.point, &state);
        }
        if let Wanted::Violation(point, conjunct) = self.wanted
            && point == p
            && let Some(conjunct) = self.conjunct(point, conjunct)
        {
            self.is_found |= conjunct.violation(claim.point, &state).is_some();
        }
        ControlFlow::Continue(())
    }
}

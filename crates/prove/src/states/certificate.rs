//! What the states at loops say, as claims that the checker of proofs by induction understands.
//!
//! A proof by abstract states is the set of states itself, and nobody but the engine that made it can read it. At
//! the head of each loop, the states say which values the variables may have together; that is an
//! invariant of the loop. If these are inductive by themselves and leave no room for an error, which [`check`] finds out with a
//! cut and an encoding of its own, the proof has a certificate.

use super::state::State;
use super::value::Value;
use super::{Config, Explorer};
use crate::induction::check::{Checked, check};
use crate::induction::cut::{Plan, Point, PointKind};
use crate::induction::formula::{Formula, Reading, Sum};
use crate::induction::variable::{Base, Site, Variable};
use crate::induction::{Certificate, Claim};
use idiolect_base::Budget;
use idiolect_ir::{BlockId, FuncId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More cases at one loop are told variable by variable only.
const MAX_ROWS: usize = 64;
/// More values of one variable are an interval.
const MAX_VALUES: usize = 16;
/// Loops that are not cut are unrolled so often by the checker.
const UNWIND: usize = 8;

/// The least and the largest value of each variable.
type Row = Vec<(i128, i128)>;

/// Collects what states say at the points of a certificate.
pub(super) struct Recorder {
    points: FxHashMap<(FuncId, BlockId), (Vec<Variable>, BTreeSet<Row>)>,
}

impl Recorder {
    fn new(points: &[Point]) -> Self {
        let loops = points.iter().filter_map(|point| match point.kind {
            PointKind::Loop(head) => Some((
                (point.function, head),
                (point.variables.clone(), BTreeSet::new()),
            )),
            PointKind::Entry | PointKind::Exit => None,
        });
        Self {
            points: loops.collect(),
        }
    }

    /// A state that was not here before.
    pub(super) fn saw(&mut self, program: &Program, state: &State) {
        let frame = state.frame();
        if let Some((variables, rows)) = self.points.get_mut(&(frame.function, frame.block)) {
            let row = variables.iter().map(|v| range(program, state, v)).collect();
            rows.insert(row);
        }
    }
}

/// What a state says of a variable.
fn range(program: &Program, state: &State, variable: &Variable) -> (i128, i128) {
    let reading = variable.reading;
    let frame = state.frame();
    let value = match variable.site {
        Site::Register(local) => frame.locals.get(local.index()).copied().flatten(),
        Site::Cell { base, offset } => {
            let id = match base {
                Base::Global(global) => Some(global.0),
                Base::Local(local) => frame.objects.get(&local).copied(),
            };
            let object = id.and_then(|id| state.object(program, id));
            object.and_then(|o| o.read(program, offset, u64::from(reading.width).div_ceil(8)))
        }
    };
    let all = (reading.least(), reading.most());
    let width = reading.width as u8;
    match value.map(|v| state.resolve(v)) {
        Some(Value::Const(bits)) => (reading.value(bits), reading.value(bits)),
        Some(value @ Value::Symbol { .. }) => match state.range(value, width) {
            (low, high) if reading.is_signed || low >= 0 => (low, high),
            (low, high) if high < 0 => (low + (1 << width), high + (1 << width)),
            _ => all,
        },
        _ => all,
    }
}

/// A variable is between these; nothing if it always is.
fn between(variable: usize, reading: Reading, (low, high): (i128, i128)) -> Option<Formula> {
    let at_least = || Formula::AtMostZero(Sum::of(&[(-1, variable)], low));
    let at_most = || Formula::AtMostZero(Sum::of(&[(1, variable)], -high));
    match (low > reading.least(), high < reading.most()) {
        _ if low == high => Some(Formula::Zero(Sum::of(&[(1, variable)], -low))),
        (true, true) => Some(Formula::All(vec![at_least(), at_most()])),
        (true, false) => Some(at_least()),
        (false, true) => Some(at_most()),
        (false, false) => None,
    }
}

/// All that the rows say.
fn formulas(variables: &[Variable], rows: &BTreeSet<Row>) -> Vec<Formula> {
    if rows.is_empty() {
        // No run comes here.
        return vec![Formula::Any(Vec::new())];
    }
    let mut found = Vec::new();
    let mut differing = Vec::new();
    let mut n_possible: usize = 1;
    for (v, variable) in variables.iter().enumerate() {
        let values: BTreeSet<(i128, i128)> = rows.iter().map(|row| row[v]).collect();
        let low = values.iter().map(|r| r.0).min().unwrap_or_default();
        let high = values.iter().map(|r| r.1).max().unwrap_or_default();
        n_possible = n_possible.saturating_mul(values.len());
        if values.len() > 1 {
            differing.push(v);
        }
        let cases: Option<Vec<Formula>> = (values.iter())
            .map(|&range| between(v, variable.reading, range))
            .collect();
        match cases {
            Some(cases) if (2..=MAX_VALUES).contains(&cases.len()) => {
                found.push(Formula::Any(cases));
            }
            _ => found.extend(between(v, variable.reading, (low, high))),
        }
    }
    let together: BTreeSet<Vec<Formula>> = (rows.iter())
        .map(|row| {
            let own = differing.iter();
            own.filter_map(|&v| between(v, variables[v].reading, row[v]))
                .collect()
        })
        .collect();
    // Where every combination occurs, there is nothing more to say.
    let says_more = differing.len() > 1 && together.len() < n_possible;
    if says_more && together.len() <= MAX_ROWS && !together.contains(&Vec::new()) {
        let cases = together.into_iter().map(|list| match list.len() {
            1 => list.into_iter().next().unwrap_or(Formula::All(Vec::new())),
            _ => Formula::All(list),
        });
        found.push(Formula::Any(cases.collect()));
    }
    found.sort();
    found.dedup();
    found
}

/// Proves the program once more, and says what holds at its loops. Nothing, unless the checker accepts it.
pub fn certificate(program: &Program, config: &Config, budget: &Budget) -> Option<Certificate> {
    let plan = Plan::new(program).ok()?;
    let points = plan.points;
    let mut explorer = Explorer::new(program, config, budget);
    explorer.recorder = Some(Recorder::new(&points));
    explorer.explore().ok()?;
    let recorder = explorer.recorder.take()?;
    let claims = points.into_iter().map(|point| {
        let formulas = match point.kind {
            PointKind::Loop(head) => match recorder.points.get(&(point.function, head)) {
                Some((variables, rows)) => formulas(variables, rows),
                None => Vec::new(),
            },
            PointKind::Entry | PointKind::Exit => Vec::new(),
        };
        Claim {
            function: point.function,
            kind: point.kind,
            variables: point.variables,
            result: point.result,
            formulas,
        }
    });
    let certificate = Certificate {
        claims: claims.collect(),
        unwind: UNWIND,
        has_old_values: false,
        rounds: 1,
    };
    let checked = check(program, &certificate, &config.properties, budget);
    (checked == Checked::Accepted).then_some(certificate)
}

//! States at points, from runs.

use super::cut::{Point, PointKind};
use super::variable::{Base, Site};
use idiolect_base::{Budget, Rng, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, End, InputRequest, InputSource, Machine, Observer, RandomInputs,
    RunOptions, Spread, Value, View, ZeroInputs,
};
use idiolect_ir::{FuncId, Mark, MarkId, MarkKind, Program, Stmt, StmtKind, Ty};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Runs that are made, and how far they are followed.
const RUNS: u64 = 60;
const STEPS: u64 = 30_000;
/// Runs whose first two numbers are these together, whatever the seed: what a small argument does is seen for each.
const GRID: u64 = 6;
/// States that are kept of each point, and of one run at it.
const MAX_STATES: usize = 600;
const MAX_OF_RUN: u64 = 40;
/// States at entries and exits that are kept for each small value of an argument: a run may come to some of
/// them only after many others.
const MAX_OF_VALUE: u32 = 12;
const SMALL: std::ops::RangeInclusive<i128> = -16..=16;

/// By point: different states that runs have there, values as integers.
pub type States = Vec<Vec<Vec<i128>>>;

/// Runs the program and looks at its states at the points.
pub fn collect(
    program: &Program,
    points: &[Point],
    seed: u64,
    budget: &Budget,
) -> Result<States, StopReason> {
    let mut marked = program.clone();
    let first_mark = marked.marks.len();
    for (i, point) in points.iter().enumerate() {
        let span = program.function(point.function).span;
        marked.marks.push(Mark {
            kind: MarkKind::User,
            name: format!("%point {i}"),
            span,
        });
        if let PointKind::Loop(head) = point.kind {
            let mark = MarkId::new(first_mark + i);
            let kind = StmtKind::Mark {
                mark,
                condition: None,
            };
            let stmts = &mut marked.functions[point.function.index()].blocks[head.index()].stmts;
            stmts.insert(0, Stmt { kind, span });
        }
    }
    let by_function = |wanted: PointKind| -> BTreeMap<FuncId, usize> {
        let all = points.iter().enumerate();
        all.filter(|(_, p)| p.kind == wanted)
            .map(|(i, p)| (p.function, i))
            .collect()
    };
    let mut watch = Watch {
        points,
        first_mark,
        entries: by_function(PointKind::Entry),
        exits: by_function(PointKind::Exit),
        states: vec![std::collections::BTreeSet::new(); points.len()],
        visits: vec![0; points.len()],
        rare: BTreeMap::new(),
        open: Vec::new(),
    };
    let compiled = Compiled::new(Arc::new(marked), &CompileOptions::default());
    let options = RunOptions {
        max_output: 1 << 12,
        max_frames: 10_000,
        ..RunOptions::default()
    };
    let mut machine = Machine::new(&compiled, options);
    for run in 0..=RUNS {
        budget.look()?;
        let mut follow = |mut inputs: &mut dyn InputSource| {
            watch.visits.fill(0);
            watch.open.clear();
            let own = Budget::steps(STEPS).cancelled_by(budget.canceller());
            let own = match budget.deadline() {
                Some(deadline) => own.until(deadline),
                None => own,
            };
            let outcome = machine.run(&mut inputs, &mut watch, &own);
            match outcome.end {
                End::Limit(reason) if !matches!(reason, StopReason::Steps | StopReason::Memory) => {
                    Err(reason)
                }
                _ => Ok(outcome.inputs.len()),
            }
        };
        // Small numbers come to the ends of loops, all kinds of numbers come everywhere else.
        let n_inputs = match run {
            0 => follow(&mut ZeroInputs)?,
            _ if run % 2 == 0 => {
                let rng = Rng::new(seed, run);
                follow(&mut RandomInputs::new(rng, Spread::Mixed))?
            }
            _ => follow(&mut SmallInputs(Rng::new(seed, run)))?,
        };
        if n_inputs == 0 {
            break;
        }
        if let Some(at) = run.checked_sub(1).filter(|at| *at < GRID * GRID) {
            follow(&mut GridInputs {
                first: vec![at % GRID, at / GRID],
                rest: SmallInputs(Rng::new(0, run)),
            })?;
        }
    }
    let states = watch.states.into_iter();
    Ok(states.map(|s| s.into_iter().collect()).collect())
}

/// Numbers from 0 to 11; pointers are null.
struct SmallInputs(Rng);

impl InputSource for SmallInputs {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let number = self.0.below(12);
        Some(match request.ty {
            Ty::Int(width) if width >= 4 => u128::from(number),
            Ty::Int(_) => u128::from(number % 2),
            _ => 0,
        })
    }
}

/// These, and then others.
struct GridInputs {
    /// The next one is the last.
    first: Vec<u64>,
    rest: SmallInputs,
}

impl InputSource for GridInputs {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let is_number = matches!(request.ty, Ty::Int(width) if width >= 4);
        match self.first.pop().filter(|_| is_number) {
            Some(number) => Some(number.into()),
            None => self.rest.next(request),
        }
    }
}

struct Watch<'p> {
    points: &'p [Point],
    first_mark: usize,
    entries: BTreeMap<FuncId, usize>,
    exits: BTreeMap<FuncId, usize>,
    states: Vec<std::collections::BTreeSet<Vec<i128>>>,
    visits: Vec<u64>,
    /// By point, argument and value: how many states were kept for it.
    rare: BTreeMap<(usize, usize, i128), u32>,
    /// Arguments of the open activations of recursive functions.
    open: Vec<(usize, Vec<i128>)>,
}

impl Watch<'_> {
    /// Whether this visit is looked at: the first ones, and then fewer and fewer.
    fn wants(&mut self, point: usize) -> bool {
        self.visits[point] += 1;
        let n = self.visits[point];
        let is_kept = n <= MAX_OF_RUN || n.is_power_of_two() || n.is_multiple_of(97);
        is_kept && self.states[point].len() < MAX_STATES
    }

    /// The same of an entry or exit with these arguments, of which one may have a value that is rare.
    fn wants_of(&mut self, point: usize, arguments: &[i128]) -> bool {
        let mut is_wanted = self.wants(point);
        for (i, &value) in arguments.iter().enumerate() {
            if SMALL.contains(&value) && self.states[point].len() < MAX_STATES {
                let n = self.rare.entry((point, i, value)).or_default();
                if *n < MAX_OF_VALUE {
                    *n += 1;
                    is_wanted = true;
                }
            }
        }
        is_wanted
    }

    fn read(&self, view: &View<'_>, site: Site, width: u32) -> Option<u128> {
        match site {
            Site::Register(local) => Some(view.local(local)?.bits),
            Site::Cell { base, offset } => {
                let start = match base {
                    Base::Global(global) => view.global_address(global),
                    Base::Local(local) => view.local_address(local)?,
                };
                let ty = Ty::Int(width as u8);
                view.load(start.wrapping_add(offset), ty)
                    .ok()
                    .map(|v| v.bits)
            }
        }
    }

    fn add(&mut self, point: usize, state: Vec<i128>) {
        self.states[point].insert(state);
    }
}

impl Observer for Watch<'_> {
    const EVENTS: bool = true;
    const CALLS: bool = true;

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let Some(point) = mark.index().checked_sub(self.first_mark) else {
            return ControlFlow::Continue(());
        };
        if !self.wants(point) {
            return ControlFlow::Continue(());
        }
        let variables = &self.points[point].variables;
        let state = variables.iter().map(|v| {
            let bits = self.read(view, v.site, v.reading.width);
            v.reading.value(bits.unwrap_or(0))
        });
        let state = state.collect();
        self.add(point, state);
        ControlFlow::Continue(())
    }

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let id = view.function();
        let Some(&point) = self.entries.get(&id) else {
            return ControlFlow::Continue(());
        };
        let params = view.program().function(id).params.clone();
        let variables = &self.points[point].variables;
        let state: Vec<i128> = (variables.iter().enumerate())
            .map(|(i, v)| {
                let site = params.get(i).map_or(v.site, |&p| Site::Register(p));
                let bits = self.read(view, site, v.reading.width);
                v.reading.value(bits.unwrap_or(0))
            })
            .collect();
        let arguments = state[..params.len()].to_vec();
        let is_wanted = self.wants_of(point, &arguments);
        self.open.push((view.depth(), arguments));
        if is_wanted {
            self.add(point, state);
        }
        ControlFlow::Continue(())
    }

    fn returned(&mut self, view: &View<'_>, result: Option<Value>) {
        let id = view.function();
        let Some(&point) = self.exits.get(&id) else {
            return;
        };
        while self.open.last().is_some_and(|o| o.0 > view.depth()) {
            self.open.pop();
        }
        let Some((depth, arguments)) = self.open.pop() else {
            return;
        };
        if depth != view.depth() || !self.wants_of(point, &arguments) {
            return;
        }
        let p = &self.points[point];
        let state: Vec<i128> = (p.variables.iter().enumerate())
            .map(|(i, v)| {
                if let Some(&argument) = arguments.get(i) {
                    return argument;
                }
                let bits = match p.result {
                    Some(at) if at == i => result.map(|r| r.bits),
                    _ => self.read(view, v.site, v.reading.width),
                };
                v.reading.value(bits.unwrap_or(0))
            })
            .collect();
        self.add(point, state);
    }
}

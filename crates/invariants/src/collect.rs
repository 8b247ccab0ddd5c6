//! Runs the program on all inputs and folds what it sees at the points.

use crate::assume::Assumption;
use crate::inputs::{Input, InputSpace};
use idiolect_base::{Budget, Bug, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, DrawnInput, End, InputOrigin, InputRequest, InputSource, Machine,
    Observer, Outcome, RunOptions, View,
};
use idiolect_ir::{InputId, InputKind, MarkId, Place, Program, StmtKind};
use idiolect_quantified::formula::{Conjunct, Formula};
use idiolect_quantified::instrument::Instrumented;
use idiolect_quantified::point::{Point, Snapshot};
use idiolect_quantified::ranges::Ranges;
use idiolect_quantified::roles::{Holder, Roles};
use idiolect_quantified::samples::Samples;
use idiolect_quantified::snapshot;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A run may take so many steps; longer ones are counted as unfinished.
const MAX_STEPS: u64 = 1_000_000;
/// A program that draws more numbers than this in a run may do so for ever (`while (nondet())`).
const MANY_DRAWS: usize = 64;
/// Then only so many of them have a choice.
const FEW_CHOICES: usize = 5;

/// Somebody who wants to know how far the runs are, from whichever thread does them.
#[derive(Clone, Default)]
pub struct Watch(Option<Arc<Told>>);

/// So many runs are done, of so many if that is known.
type Told = dyn Fn(u64, Option<u64>) + Send + Sync;

impl Watch {
    pub fn new(told: impl Fn(u64, Option<u64>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    fn tell(&self, done: u64, of: Option<u64>) {
        if let Some(told) = &self.0 {
            told(done, of);
        }
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() {
            "Watch"
        } else {
            "no Watch"
        })
    }
}

/// What the runs came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    pub n_runs: u64,
    /// Inputs that an assumption of the user or of the program rules out.
    pub n_assumed_away: u64,
    /// Runs that ended at a failing assertion, with the inputs of the first one.
    pub errors: Counted,
    /// Runs that ended in a fault.
    pub faults: Counted,
    /// Runs that met C that is not modelled.
    pub traps: Counted,
    /// Runs that took too long.
    pub unfinished: Counted,
    /// There are more inputs than were run.
    pub is_cut: bool,
}

/// How often something happened, and with which inputs first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    pub n: u64,
    pub first: Option<FirstRun>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstRun {
    pub run: u64,
    pub inputs: Vec<i128>,
    pub span: idiolect_base::Span,
}

impl Counted {
    fn add(&mut self, run: u64, outcome: &Outcome) {
        self.n += 1;
        if self.first.is_none() {
            self.first = Some(FirstRun {
                run,
                inputs: outcome.inputs.iter().map(DrawnInput::as_integer).collect(),
                span: outcome.place.span,
            });
        }
    }

    fn merge(&mut self, other: Counted) {
        self.n += other.n;
        let run = |c: &Option<FirstRun>| c.as_ref().map_or(u64::MAX, |f| f.run);
        if run(&other.first) < run(&self.first) {
            self.first = other.first;
        }
    }
}

impl Runs {
    fn add(&mut self, run: u64, outcome: &Outcome) {
        self.n_runs += 1;
        match outcome.end {
            End::AssumeEnded => {
                self.n_runs -= 1;
                self.n_assumed_away += 1;
            }
            End::Error(_) | End::Abort => self.errors.add(run, outcome),
            End::Fault(_) => self.faults.add(run, outcome),
            End::Trap(_) => self.traps.add(run, outcome),
            End::Limit(_) => self.unfinished.add(run, outcome),
            End::Exit(_) | End::InputsEnded | End::Stopped => {}
        }
    }

    pub fn merge(&mut self, other: Runs) {
        self.is_cut |= other.is_cut;
        self.n_runs += other.n_runs;
        self.n_assumed_away += other.n_assumed_away;
        self.errors.merge(other.errors);
        self.faults.merge(other.faults);
        self.traps.merge(other.traps);
        self.unfinished.merge(other.unfinished);
    }
}

/// Sees marks and folds snapshots.
struct Watcher<'a> {
    points: &'a [Point],
    instrumented: &'a Instrumented,
    samples: Vec<Samples>,
    run: u64,
}

impl Observer for Watcher<'_> {
    const EVENTS: bool = true;

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let Some(p) = mark.index().checked_sub(self.instrumented.first_mark) else {
            return ControlFlow::Continue(());
        };
        let (Some(point), Some(sources)) = (self.points.get(p), self.instrumented.sources.get(p))
        else {
            return ControlFlow::Continue(());
        };
        match snapshot::read(view, point, sources) {
            Ok(snapshot) => self.samples[p].add(point, &snapshot, self.run),
            Err(reason) => self.samples[p].add_failure(reason),
        }
        ControlFlow::Continue(())
    }
}

/// Sees marks and looks for a snapshot of which a formula does not hold.
struct Checker<'a> {
    points: &'a [Point],
    instrumented: &'a Instrumented,
    formulas: &'a [Option<&'a Formula>],
    found: Option<(usize, Snapshot)>,
}

impl Observer for Checker<'_> {
    const EVENTS: bool = true;

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let Some(p) = mark.index().checked_sub(self.instrumented.first_mark) else {
            return ControlFlow::Continue(());
        };
        let (Some(point), Some(Some(formula))) = (self.points.get(p), self.formulas.get(p)) else {
            return ControlFlow::Continue(());
        };
        match snapshot::read(view, point, &self.instrumented.sources[p]) {
            Ok(snapshot) if formula.holds(point, &snapshot) => ControlFlow::Continue(()),
            Ok(snapshot) => {
                self.found = Some((p, snapshot));
                ControlFlow::Break(())
            }
            Err(_) => ControlFlow::Continue(()),
        }
    }
}

/// Sees marks and drops conjuncts that do not hold.
struct Sieve<'a> {
    points: &'a [Point],
    instrumented: &'a Instrumented,
    candidates: &'a [Vec<Conjunct>],
    alive: Vec<Vec<bool>>,
}

impl Observer for Sieve<'_> {
    const EVENTS: bool = true;

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        let Some(p) = mark.index().checked_sub(self.instrumented.first_mark) else {
            return ControlFlow::Continue(());
        };
        let (Some(point), Some(candidates)) = (self.points.get(p), self.candidates.get(p)) else {
            return ControlFlow::Continue(());
        };
        match snapshot::read(view, point, &self.instrumented.sources[p]) {
            Ok(snapshot) => {
                for (alive, c) in self.alive[p].iter_mut().zip(candidates) {
                    *alive = *alive && c.violation(point, &snapshot).is_none();
                }
            }
            Err(_) => self.alive[p].fill(false),
        }
        ControlFlow::Continue(())
    }
}

/// Gives the builder's function what it draws; everything else is 0.
pub(crate) struct Built {
    pub first: InputId,
    pub draws: std::vec::IntoIter<u128>,
}

impl InputSource for Built {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.origin {
            InputOrigin::Site(id) if id >= self.first => Some(self.draws.next().unwrap_or(0)),
            _ => Some(match request.kind() {
                Some(InputKind::Stdin) => u128::MAX,
                _ => 0,
            }),
        }
    }
}

/// The samples of each point, in the order of the points.
pub type Seen = (Vec<Samples>, Runs);

/// A program that is ready to be watched.
pub struct Collector<'a> {
    points: &'a [Point],
    instrumented: &'a Instrumented,
    compiled: Compiled,
    fresh: Vec<Samples>,
    pub watch: Watch,
}

impl<'a> Collector<'a> {
    pub fn new(
        points: &'a [Point],
        instrumented: &'a Instrumented,
        constants: &[i64],
        max_quantified: usize,
    ) -> Self {
        let program: Arc<Program> = instrumented.program.clone().into();
        Collector {
            points,
            instrumented,
            compiled: Compiled::new(program, &CompileOptions::default()),
            fresh: (points.iter())
                .map(|p| Samples::new(p, constants, max_quantified))
                .collect(),
            watch: Watch::default(),
        }
    }

    /// Looks at ranges of arrays as well, which may be heaps.
    pub fn look_at_ranges(&mut self, heaps: bool) {
        for (samples, point) in self.fresh.iter_mut().zip(self.points) {
            samples.ranges = Some(Ranges::new(point, heaps));
        }
    }

    /// Starts with these samples, one for each point.
    pub fn start_with(&mut self, fresh: Vec<Samples>) {
        self.fresh = fresh;
    }

    fn watcher(&self) -> Watcher<'_> {
        Watcher {
            points: self.points,
            instrumented: self.instrumented,
            samples: self.fresh.clone(),
            run: 0,
        }
    }

    /// Runs all inputs of a space that satisfy the assumptions, on `n_threads` threads. What comes
    /// out does not depend on their number, since joins commute.
    pub fn all(
        &self,
        space: &InputSpace,
        first: InputId,
        assumptions: &[Assumption],
        n_threads: usize,
        budget: &Budget,
    ) -> Result<Seen, StopReason> {
        let count = u64::try_from(space.count()).unwrap_or(u64::MAX);
        const BATCH: u64 = 256;
        let next = AtomicU64::new(0);
        let work = |budget: Budget| -> Result<Seen, StopReason> {
            let mut machine = Machine::new(&self.compiled, RunOptions::default());
            let mut watcher = self.watcher();
            let mut runs = Runs::default();
            loop {
                let start = next.fetch_add(BATCH, Ordering::Relaxed);
                if start >= count {
                    return Ok((watcher.samples, runs));
                }
                // What was seen so far is worth learning from.
                if budget.look().is_err() {
                    runs.is_cut = true;
                    return Ok((watcher.samples, runs));
                }
                self.watch.tell(start, Some(count));
                for i in start..count.min(start + BATCH) {
                    let input = space.nth(u128::from(i));
                    if !space.is_assumed(&input, assumptions) {
                        runs.n_assumed_away += 1;
                        continue;
                    }
                    let mut source = Built {
                        first,
                        draws: space.draws(&input).into_iter(),
                    };
                    watcher.run = i;
                    let outcome = machine.run(&mut source, &mut watcher, &budget.share(MAX_STEPS));
                    if budget.look().is_err() {
                        break;
                    }
                    runs.add(i, &outcome);
                }
            }
        };
        let n_threads = n_threads.min(count.div_ceil(4 * BATCH) as usize).max(1);
        if n_threads == 1 {
            return work(budget.clone());
        }
        let results: Vec<Result<Seen, StopReason>> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..n_threads)
                .map(|_| {
                    let budget = budget.clone();
                    scope.spawn(|| work(budget))
                })
                .collect();
            (handles.into_iter())
                .map(|h| h.join().unwrap_or(Err(StopReason::Internal(Bug::Panicked))))
                .collect()
        });
        let mut total: Option<Seen> = None;
        for result in results {
            let (samples, runs) = result?;
            match &mut total {
                None => total = Some((samples, runs)),
                Some((all, total)) => {
                    for (own, other) in all.iter_mut().zip(samples) {
                        own.merge(other);
                    }
                    total.merge(runs);
                }
            }
        }
        Ok(total.unwrap_or_default())
    }

    /// Runs these inputs, too, as far as they satisfy the assumptions. They are numbered behind
    /// those of the space.
    pub fn more(
        &self,
        space: &InputSpace,
        first: InputId,
        assumptions: &[Assumption],
        inputs: &[Input],
        seen: &mut Seen,
        budget: &Budget,
    ) {
        let mut machine = Machine::new(&self.compiled, RunOptions::default());
        let mut watcher = self.watcher();
        watcher.samples = std::mem::take(&mut seen.0);
        let count = u64::try_from(space.count()).unwrap_or(u64::MAX);
        for (i, input) in inputs.iter().enumerate() {
            if !space.is_assumed(input, assumptions) {
                seen.1.n_assumed_away += 1;
                continue;
            }
            let mut source = Built {
                first,
                draws: space.draws(input).into_iter(),
            };
            watcher.run = count.saturating_add(i as u64);
            let outcome = machine.run(&mut source, &mut watcher, &budget.share(MAX_STEPS));
            seen.1.add(watcher.run, &outcome);
        }
        seen.0 = watcher.samples;
    }

    /// The first snapshot of a run of these inputs of which the formula of its point does not hold.
    pub fn violation(
        &self,
        space: &InputSpace,
        first: InputId,
        assumptions: &[Assumption],
        formulas: &[Option<&Formula>],
        budget: &Budget,
    ) -> Result<Option<(usize, Snapshot)>, StopReason> {
        let mut checker = Checker {
            points: self.points,
            instrumented: self.instrumented,
            formulas,
            found: None,
        };
        let is_done = |checker: &Checker<'_>| checker.found.is_some();
        self.watch_all(space, first, assumptions, &mut checker, is_done, budget)?;
        Ok(checker.found)
    }

    /// Runs the function on all inputs that are assumed, until the observer has seen enough.
    fn watch_all<O: Observer>(
        &self,
        space: &InputSpace,
        first: InputId,
        assumptions: &[Assumption],
        observer: &mut O,
        is_done: impl Fn(&O) -> bool,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let mut machine = Machine::new(&self.compiled, RunOptions::default());
        for i in 0..u64::try_from(space.count()).unwrap_or(u64::MAX) {
            budget.look()?;
            let input = space.nth(u128::from(i));
            if !space.is_assumed(&input, assumptions) {
                continue;
            }
            let mut source = Built {
                first,
                draws: space.draws(&input).into_iter(),
            };
            machine.run(&mut source, observer, &budget.share(MAX_STEPS));
            if is_done(observer) {
                break;
            }
        }
        Ok(())
    }

    /// For each conjunct of each point whether it holds in all runs of these inputs.
    pub fn surviving(
        &self,
        space: &InputSpace,
        first: InputId,
        assumptions: &[Assumption],
        candidates: &[Vec<Conjunct>],
        budget: &Budget,
    ) -> Result<Vec<Vec<bool>>, StopReason> {
        let mut sieve = Sieve {
            points: self.points,
            instrumented: self.instrumented,
            candidates,
            alive: candidates.iter().map(|c| vec![true; c.len()]).collect(),
        };
        self.watch_all(space, first, assumptions, &mut sieve, |_| false, budget)?;
        Ok(sieve.alive)
    }

    /// Runs the program as it is, on all choices of what it draws, at most `max_runs` times.
    pub fn enumerate(
        &self,
        domain: &Domain<'_>,
        max_runs: u64,
        budget: &Budget,
    ) -> Result<Seen, StopReason> {
        let mut machine = Machine::new(&self.compiled, RunOptions::default());
        let mut watcher = self.watcher();
        let mut runs = Runs::default();
        let mut choices: Vec<(usize, usize)> = Vec::new();
        let mut max_choices = usize::MAX;
        for number in 0.. {
            if number == max_runs {
                runs.is_cut = true;
                break;
            }
            if budget.look().is_err() {
                runs.is_cut = true;
                break;
            }
            self.watch.tell(number, None);
            watcher.run = number;
            let mut source = Chosen {
                domain,
                choices: &mut choices,
                next: 0,
                max_choices,
                n_draws: 0,
            };
            let outcome = machine.run(&mut source, &mut watcher, &budget.share(MAX_STEPS));
            let (used, n_draws) = (source.next, source.n_draws);
            if n_draws > MANY_DRAWS && max_choices == usize::MAX {
                // It may draw for ever: once more, and only the first draws have a choice.
                max_choices = FEW_CHOICES;
                (watcher, runs) = (self.watcher(), Runs::default());
                choices.clear();
                continue;
            }
            runs.add(number, &outcome);
            // Count: the last choice that has more values takes its next one.
            choices.truncate(used);
            while choices.last().is_some_and(|&(at, n)| at + 1 == n) {
                choices.pop();
            }
            match choices.last_mut() {
                Some((at, _)) => *at += 1,
                None => break,
            }
        }
        Ok((watcher.samples, runs))
    }
}

/// What the numbers that a program draws may be.
pub struct Domain<'a> {
    pub lengths: &'a [i64],
    /// Elements that nobody gave a value.
    pub values: &'a [i64],
    /// Numbers that count nothing.
    pub scalars: &'a [i64],
    /// For each input of the program whether it counts something.
    pub counts: Vec<bool>,
}

/// For each input of a program whether its value is used as an index or a length.
pub fn counting_inputs(program: &Program, roles: &Roles) -> Vec<bool> {
    let mut counts = vec![false; program.inputs.len()];
    for id in program.function_ids() {
        let stmts = program.function(id).blocks.iter().flat_map(|b| &b.stmts);
        for stmt in stmts {
            if let StmtKind::Havoc {
                place: Place::Local(local),
                input,
            } = stmt.kind
            {
                let holder = Holder::Local(id, local);
                counts[input.index()] |= roles.is_index(holder) || !roles.is_data(holder);
            }
        }
    }
    counts
}

/// Gives each draw its chosen value; a draw that is new takes its first one.
struct Chosen<'a> {
    domain: &'a Domain<'a>,
    /// The position of the value, and the number of values.
    choices: &'a mut Vec<(usize, usize)>,
    next: usize,
    /// Later draws take their first value.
    max_choices: usize,
    n_draws: usize,
}

impl InputSource for Chosen<'_> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let values = match (request.kind(), request.origin) {
            (Some(InputKind::Nondet(_) | InputKind::Uninitialized(_)), InputOrigin::Site(id)) => {
                match self.domain.counts.get(id.index()) {
                    Some(true) => self.domain.lengths,
                    _ => self.domain.scalars,
                }
            }
            (Some(InputKind::Stdin), _) => return Some(u128::MAX),
            // An element of an array that nobody gave a value.
            (None, _) => self.domain.values,
            _ => return Some(0),
        };
        self.n_draws += 1;
        if self.next == self.max_choices {
            return Some(values.first().copied().unwrap_or(0) as i128 as u128);
        }
        if self.next == self.choices.len() {
            self.choices.push((0, values.len().max(1)));
        }
        let (at, _) = self.choices[self.next];
        self.next += 1;
        Some(values.get(at).copied().unwrap_or(0) as i128 as u128)
    }
}

//! Runs of the program, as samples of its decision vectors.

use crate::effort;
use crate::monitor::Monitor;
use idiolect_automata::StateId;
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{
    CodePlace, CompileOptions, Compiled, End, InputSource, Machine, Observer, RunOptions, View,
};
use idiolect_ir::{BlockId, FuncId, MarkId, Program, Property};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A decision of a run: where, and how it came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Decision {
    pub function: FuncId,
    pub block: BlockId,
    pub taken: bool,
}

/// One run, as far as it is looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The first decisions, up to the limit.
    pub decisions: Vec<Decision>,
    pub end: End,
    pub place: CodePlace,
    /// The bits of all inputs, in the order of use.
    pub inputs: Vec<u128>,
    pub steps: u64,
    /// What the symbolic engine did to find its inputs, in statements, terms and conflicts.
    pub work: u64,
    /// There may be more decisions than are written down here: the run has more, or was cut.
    pub is_cut: bool,
    /// The monitor that the run violates, by its number; the run was ended there.
    pub violated: Option<usize>,
}

impl Sample {
    pub fn word(&self) -> Vec<bool> {
        self.decisions.iter().map(|d| d.taken).collect()
    }
}

/// Collects the first decisions of a run, and lets monitors see it. With labels to listen to a run
/// is slower, so they are asked for only if a monitor does.
struct Watch<'m, const LABELS: bool> {
    decisions: Vec<Decision>,
    limit: usize,
    is_cut: bool,
    monitors: &'m [Monitor],
    states: Vec<StateId>,
    violated: Option<usize>,
}

impl<const LABELS: bool> Watch<'_, LABELS> {
    fn tell(&mut self, step: impl Fn(&Monitor, StateId) -> StateId) -> ControlFlow<()> {
        for (i, (monitor, state)) in self.monitors.iter().zip(&mut self.states).enumerate() {
            *state = step(monitor, *state);
            if monitor.is_violated(*state) {
                self.violated = Some(i);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl<const LABELS: bool> Observer for Watch<'_, LABELS> {
    const DECISIONS: bool = true;
    const EVENTS: bool = LABELS;

    fn decision(&mut self, function: FuncId, block: BlockId, taken: bool) -> ControlFlow<()> {
        if self.decisions.len() < self.limit {
            self.decisions.push(Decision {
                function,
                block,
                taken,
            })
        } else {
            self.is_cut = true
        }
        self.tell(|monitor, state| monitor.after_decision(state, taken))
    }

    fn marked(&mut self, _: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        self.tell(|monitor, state| monitor.after_mark(state, mark))
    }
}

/// Runs one program; each thread has a machine of its own.
pub struct Runner<'c> {
    machine: Machine<'c>,
    max_decisions: usize,
    monitors: &'c [Monitor],
}

/// Recursion that goes deeper than this is cut: real stacks end before.
const MAX_FRAMES: usize = 200_000;

impl<'c> Runner<'c> {
    pub fn new(compiled: &'c Compiled, max_decisions: usize, monitors: &'c [Monitor]) -> Self {
        let options = RunOptions {
            max_frames: MAX_FRAMES,
            max_output: 1 << 12,
            ..RunOptions::default()
        };
        Self {
            machine: Machine::new(compiled, options),
            max_decisions,
            monitors,
        }
    }

    /// Runs until the program ends or has made `max_steps` steps. The deadline and the canceller
    /// are the budget's; its steps are not taken.
    pub fn run(
        &mut self,
        source: &mut dyn InputSource,
        max_steps: u64,
        budget: &Budget,
    ) -> Result<Sample, StopReason> {
        if self.monitors.iter().any(Monitor::has_labels) {
            self.watched::<true>(source, max_steps, budget)
        } else {
            self.watched::<false>(source, max_steps, budget)
        }
    }

    fn watched<const LABELS: bool>(
        &mut self,
        source: &mut dyn InputSource,
        max_steps: u64,
        budget: &Budget,
    ) -> Result<Sample, StopReason> {
        let mut watch = Watch::<'_, LABELS> {
            decisions: Vec::with_capacity(self.max_decisions.min(32)),
            limit: self.max_decisions,
            is_cut: false,
            monitors: self.monitors,
            states: self.monitors.iter().map(Monitor::start).collect(),
            violated: None,
        };
        let own = effort::part(budget, max_steps);
        let outcome = self.machine.run(source, &mut watch, &own);
        // Limits of one run are a part of the sample; all others end the sampling.
        if let End::Limit(reason) = outcome.end
            && !matches!(reason, StopReason::Steps | StopReason::Memory)
        {
            return Err(reason);
        }
        let is_cut = watch.is_cut || matches!(outcome.end, End::Limit(_) | End::Stopped);
        Ok(Sample {
            decisions: watch.decisions,
            end: outcome.end,
            place: outcome.place,
            inputs: outcome.inputs.iter().map(|i| i.bits).collect(),
            steps: outcome.steps,
            work: 0,
            is_cut,
            violated: watch.violated,
        })
    }
}

/// The program in the form that runs.
pub fn compile(program: &Arc<Program>, properties: &[Property]) -> Compiled {
    let check_overflow = properties.contains(&Property::Overflow);
    Compiled::new(program.clone(), &CompileOptions { check_overflow })
}

/// Whether the run violates a monitor or one of the properties.
pub fn is_error(run: &Sample, properties: &[Property]) -> bool {
    if run.violated.is_some() {
        return true;
    }
    match &run.end {
        End::Error(_) => properties.contains(&Property::Assert),
        End::Fault(fault) => fault.kind.violates(properties),
        _ => false,
    }
}

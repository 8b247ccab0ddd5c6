//! Counting steps, and asking the budget now and then.

use crate::context::{Context, Halt};
use idiolect_base::StopReason;

/// The budget is asked once in so many steps, which take about a millisecond.
const STEPS_PER_LOOK: u64 = 100_000;

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) halt: Halt,
    /// The last instruction, or the next one if `is_counted`.
    pub(crate) pc: usize,
    /// The steps counted so far.
    pub(crate) steps: u64,
    /// Whether the current straight line has been counted.
    pub(crate) is_counted: bool,
}

/// Counters of the loop. They are kept here, in memory, to leave machine registers to what every
/// instruction needs: the position in the code and the window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    /// Steps that are left until the budget is asked again; below 0 it should have been. Counting
    /// down makes a jump's share of the work one subtraction whose sign is the question.
    pub(crate) left: i64,
    /// The number of steps at which none is left.
    pub(crate) check_at: u64,
    /// The part of the steps that the budget knows of.
    pub(crate) spent: u64,
    /// Whether the current straight line has been counted.
    pub(crate) is_counted: bool,
    /// Where the window starts.
    pub(crate) fp: u32,
}

impl Meter {
    /// Counted so far.
    pub(crate) fn steps(&self) -> u64 {
        self.check_at.wrapping_sub(self.left as u64)
    }

    /// The budget is to be asked after so many steps, counted from the start.
    pub(crate) fn set_check(&mut self, check_at: u64) {
        self.left = check_at.wrapping_sub(self.steps()) as i64;
        self.check_at = check_at;
    }
}

pub(super) fn next_check(cx: &Context<'_>) -> u64 {
    let steps = cx.meter.steps();
    steps
        .saturating_add(STEPS_PER_LOOK)
        .min(cx.options.max_steps)
        .min(steps.saturating_add(cx.budget.steps_left().max(1)))
}

#[cold]
#[inline(never)]
pub(super) fn look(cx: &mut Context<'_>) -> Result<(), Halt> {
    let steps = cx.meter.steps();
    let new = steps - std::mem::replace(&mut cx.meter.spent, steps);
    match cx.budget.spend(new).and_then(|()| cx.budget.look()) {
        Err(reason) => Err(Halt::Limit(reason)),
        Ok(()) if steps >= cx.options.max_steps => Err(Halt::Limit(StopReason::Steps)),
        Ok(()) => {
            cx.meter.set_check(next_check(cx));
            Ok(())
        }
    }
}

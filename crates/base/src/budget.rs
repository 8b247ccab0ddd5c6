//! How much work an analysis may do. Steps are counted first, so that a run can be repeated;
//! seconds and a user's interrupt are only a safety net around them.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Why an engine stopped before it had an answer. It is itself an answer, never a failure of ours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum StopReason {
    #[error("the step limit was reached")]
    Steps,
    #[error("the time limit was reached")]
    Time,
    #[error("the memory limit was reached")]
    Memory,
    #[error("interrupted")]
    Interrupted,
    /// Not a limit that was asked for: the process would not have got more.
    #[error("nearly out of memory")]
    OutOfMemory,
    /// Whoever was asked said different things about one question.
    #[error("answers contradict each other")]
    Contradiction,
    /// Another program was asked and gave no answer.
    #[error("the solver failed")]
    Solver,
    #[error("idiolect has a bug: {0}")]
    Internal(Bug),
}

/// What should not have happened. It is never a limit, and never the fault of the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Bug {
    #[error("a question was left without an answer")]
    NoAnswer,
    #[error("symbolic execution and the interpreter disagree")]
    Disagreement,
    #[error("a worker panicked")]
    Panicked,
    #[error("answers about one program contradict each other")]
    Contradiction,
    #[error("a case came up that had been ruled out")]
    RuledOut,
}

impl StopReason {
    /// Whether somebody should report it, rather than ask for more time.
    pub fn is_our_bug(self) -> bool {
        matches!(self, StopReason::Internal(_))
    }
}

/// Tells every [`Budget`] made from it to stop, from any thread or from a signal handler.
#[derive(Clone, Debug, Default)]
pub struct Canceller(Arc<AtomicU8>);

const INTERRUPTED: u8 = 1;
const OUT_OF_MEMORY: u8 = 2;

impl Canceller {
    /// Nobody has asked yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everybody with a budget of this canceller to end.
    pub fn cancel(&self) {
        self.0.store(INTERRUPTED, Ordering::Relaxed);
    }

    /// Stops because hardly any memory is left.
    pub fn out_of_memory(&self) {
        self.0.store(OUT_OF_MEMORY, Ordering::Relaxed);
    }

    /// Whether somebody asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.reason().is_some()
    }

    /// Why, if somebody asked.
    pub fn reason(&self) -> Option<StopReason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            OUT_OF_MEMORY => Some(StopReason::OutOfMemory),
            _ => Some(StopReason::Interrupted),
        }
    }
}

/// A number of steps, a deadline and a canceller, whichever ends first.
#[derive(Clone, Debug)]
pub struct Budget {
    steps_left: Cell<u64>,
    until_clock: Cell<u32>,
    deadline: Option<Instant>,
    canceller: Canceller,
}

/// Looking at the clock costs tens of nanoseconds, so it is done once in so many `spend`s.
const SPENDS_PER_LOOK: u32 = 256;

impl Budget {
    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// At most this many steps.
    pub fn steps(steps: u64) -> Self {
        Self {
            steps_left: Cell::new(steps),
            until_clock: Cell::new(0),
            deadline: None,
            canceller: Canceller::new(),
        }
    }

    /// The same budget that also ends at `deadline`.
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Self {
        self.deadline = Some(self.deadline.map_or(deadline, |d| d.min(deadline)));
        self
    }

    /// The same budget that also ends `limit` from now.
    #[must_use]
    pub fn within(self, limit: Duration) -> Self {
        match Instant::now().checked_add(limit) {
            Some(deadline) => self.until(deadline),
            // Longer than a clock can say is for ever.
            None => self,
        }
    }

    /// The same budget that also ends when `canceller` says so.
    #[must_use]
    pub fn cancelled_by(mut self, canceller: &Canceller) -> Self {
        self.canceller = canceller.clone();
        self
    }

    /// A part of this budget: fewer steps, same deadline and canceller.
    pub fn share(&self, steps: u64) -> Self {
        let part = self.clone();
        part.steps_left.set(steps.min(self.steps_left.get()));
        part
    }

    /// The same budget with half of the time that is left, so that something can be made of what it was spent on.
    #[must_use]
    pub fn half_the_time(&self) -> Self {
        let now = Instant::now();
        match self.deadline {
            Some(end) => self
                .clone()
                .until(now + end.saturating_duration_since(now) / 2),
            None => self.clone(),
        }
    }

    /// The same budget that leaves some time for something after it: so much, and at most a fifth of what is left.
    #[must_use]
    pub fn leaving(&self, time: Duration) -> Self {
        let now = Instant::now();
        match self.deadline {
            Some(end) => {
                let left = end.saturating_duration_since(now);
                self.clone().until(now + (left - time.min(left / 5)))
            }
            None => self.clone(),
        }
    }

    /// Takes `n` steps, or says why not.
    #[inline]
    pub fn spend(&self, n: u64) -> Result<(), StopReason> {
        let left = self.steps_left.get();
        if left < n {
            self.steps_left.set(0);
            return Err(StopReason::Steps);
        }
        self.steps_left.set(left - n);
        match self.until_clock.get() {
            0 => self.look(),
            k => {
                self.until_clock.set(k - 1);
                Ok(())
            }
        }
    }

    /// Looks at the clock and the canceller now, without taking a step.
    pub fn look(&self) -> Result<(), StopReason> {
        self.until_clock.set(SPENDS_PER_LOOK);
        if let Some(reason) = self.canceller.reason() {
            return Err(reason);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    /// Steps that may still be spent.
    pub fn steps_left(&self) -> u64 {
        self.steps_left.get()
    }

    /// When time is over, if it ever is.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Who can end it from outside.
    pub fn canceller(&self) -> &Canceller {
        &self.canceller
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_exactly() {
        let budget = Budget::steps(1000);
        assert!((0..1000).all(|_| budget.spend(1).is_ok()));
        assert_eq!(budget.spend(1), Err(StopReason::Steps));
    }

    #[test]
    fn a_cancelled_budget_stops_within_one_look() {
        let canceller = Canceller::new();
        let budget = Budget::unlimited().cancelled_by(&canceller);
        assert_eq!(budget.spend(1), Ok(()));
        canceller.cancel();
        let spends = (0..=SPENDS_PER_LOOK).take_while(|_| budget.spend(1).is_ok());
        assert!(spends.count() <= SPENDS_PER_LOOK as usize);
        assert_eq!(budget.look(), Err(StopReason::Interrupted));
    }

    #[test]
    fn a_bug_says_that_it_is_one() {
        let bug = StopReason::Internal(Bug::Panicked);
        assert!(bug.is_our_bug() && !StopReason::Interrupted.is_our_bug());
        assert_eq!(bug.to_string(), "idiolect has a bug: a worker panicked");
    }

    #[test]
    fn a_past_deadline_is_seen_at_once() {
        let budget = Budget::unlimited().within(Duration::ZERO);
        assert_eq!(budget.spend(1), Err(StopReason::Time));
    }

    #[test]
    fn what_is_left_for_later_is_a_fifth_at_most() {
        let minute = Duration::from_secs(60);
        assert_eq!(Budget::unlimited().leaving(minute).deadline(), None);
        for (limit, left) in [(600, 60), (50, 10)] {
            let budget = Budget::unlimited().within(Duration::from_secs(limit));
            let ends = budget.leaving(minute).deadline().zip(budget.deadline());
            let between = ends.map(|(early, late)| late - early).unwrap_or_default();
            assert!(between <= Duration::from_secs(left));
            assert!(between >= Duration::from_secs(left - 1));
        }
    }

    #[test]
    fn a_share_never_exceeds_the_whole() {
        assert_eq!(Budget::steps(10).share(20).steps_left(), 10);
    }
}

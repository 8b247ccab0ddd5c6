//! The system around a run: files, environment, clocks.
//!
//! Nothing here touches the real system. Files live in memory; what is there from the start comes from a
//! [`Disk`], is read when it is first asked for, and is never written back.

mod files;
mod requests;

use files::Files;
use idiolect_base::Budget;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    File,
    Directory,
}

/// Files that are there before a run. Paths are relative to its root, without `.` and `..`, and have no slash at
/// the start. The same path always has the same content.
pub trait Disk: Send + Sync {
    fn kind(&self, path: &[u8]) -> Option<NodeKind>;
    /// The bytes of a file; `None` if it cannot be read.
    fn read(&self, path: &[u8]) -> Option<Vec<u8>>;
    /// The names in a directory, sorted.
    fn list(&self, path: &[u8]) -> Vec<Vec<u8>>;
    /// What absolute paths begin with that mean files of this disk.
    fn root(&self) -> &[u8];
}

/// A disk with nothing on it.
#[derive(Debug)]
struct Empty;

impl Disk for Empty {
    fn kind(&self, _: &[u8]) -> Option<NodeKind> {
        None
    }

    fn read(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn list(&self, _: &[u8]) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn root(&self) -> &[u8] {
        b""
    }
}

/// What clocks show.
#[derive(Clone)]
pub enum Clock {
    /// Each look moves it on a little; every run sees the same times.
    Logical,
    /// Nanoseconds of clock 0 (since 1970), 1 (monotonic) or 2 (processor time).
    Real(Arc<dyn Fn(i32) -> i64 + Send + Sync>),
    /// What an earlier run was shown, in order.
    Recorded(Arc<[i64]>),
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Clock::Logical => "Logical",
            Clock::Real(_) => "Real",
            Clock::Recorded(_) => "Recorded",
        })
    }
}

/// Where logical clocks start: 2026-01-01.
const LOGICAL_START: i64 = 1_767_225_600_000_000_000;
/// What a look at a logical clock takes.
const LOGICAL_LOOK: i64 = 1_000;
/// Nanoseconds after which a sleeper asks whether there is time left.
const LONGEST_NAP: i64 = 10_000_000;

#[derive(Clone, Debug)]
pub struct Host {
    files: Files,
    variables: Arc<[(Vec<u8>, Vec<u8>)]>,
    clock: Clock,
    readings: Vec<i64>,
    /// Nanoseconds for which the program was asleep.
    slept: i64,
    schedule: u64,
}

impl Default for Host {
    fn default() -> Self {
        Self::new(None, Vec::new(), Clock::Logical)
    }
}

impl Host {
    /// A system with these files and variables.
    pub fn new(
        disk: Option<Arc<dyn Disk>>,
        variables: Vec<(Vec<u8>, Vec<u8>)>,
        clock: Clock,
    ) -> Self {
        Self {
            files: Files::new(disk.unwrap_or_else(|| Arc::new(Empty))),
            variables: variables.into(),
            clock,
            readings: Vec::new(),
            slept: 0,
            schedule: 0,
        }
    }

    /// The same system, in which threads take turns as this number says.
    pub fn with_schedule(mut self, schedule: u64) -> Self {
        self.schedule = schedule;
        self
    }

    pub(crate) fn schedule(&self) -> u64 {
        self.schedule
    }

    /// The same system with clocks that show what they showed before.
    pub fn with_readings(&self, readings: &[i64]) -> Self {
        let mut host = self.clone();
        if let Clock::Real(_) = host.clock {
            host.clock = Clock::Recorded(readings.into());
        }
        host
    }

    /// Whether bytes for standard output (1) or error (2) went to a file.
    pub(crate) fn takes(&mut self, stream: u64, bytes: &[u8]) -> bool {
        self.files.takes(stream, bytes)
    }

    pub(crate) fn clock_readings(&self) -> &[i64] {
        &self.readings
    }

    /// Lets time pass. Where the clock is real, that takes as long as it says, unless the budget ends before.
    fn sleep(&mut self, nanoseconds: i64, budget: &Budget) {
        let nanoseconds = nanoseconds.max(0);
        self.slept = self.slept.saturating_add(nanoseconds);
        if let Clock::Real(clock) = &self.clock {
            let end = clock(1).saturating_add(nanoseconds);
            while clock(1) < end && budget.look().is_ok() {
                let rest = (end - clock(1)).clamp(0, LONGEST_NAP);
                std::thread::sleep(Duration::from_nanos(rest as u64));
            }
        }
    }

    fn look_at_clock(&mut self, which: i32) -> i64 {
        let n = self.readings.len();
        let looks = (n as i64 + 1).saturating_mul(LOGICAL_LOOK);
        // Nobody works while asleep.
        let elapsed = if which == 2 {
            looks
        } else {
            looks.saturating_add(self.slept)
        };
        let now = match &self.clock {
            Clock::Logical if which == 0 => LOGICAL_START.saturating_add(elapsed),
            Clock::Logical => elapsed,
            Clock::Real(clock) => clock(which),
            Clock::Recorded(all) => all.get(n).or(all.last()).copied().unwrap_or(0),
        };
        self.readings.push(now);
        now
    }
}

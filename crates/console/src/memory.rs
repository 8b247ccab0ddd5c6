//! How much memory there is, and a watch that asks for the best result so far before all of it is used:
//! an answer is better than to be killed.

use crate::clock;
use idiolect_base::{Canceller, StopReason};
use std::time::Duration;

/// Between two looks; at most some 10 MB are taken in this time.
const PAUSE: Duration = Duration::from_millis(10);

/// What the process may use, and a part of it that is left for the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limits {
    /// Address space.
    virtual_bytes: Option<u64>,
    /// Of real memory.
    resident_bytes: Option<u64>,
}

impl Limits {
    fn of_this_process() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        let number = |text: String| text.trim().parse::<u64>().ok();
        let address_space = read("/proc/self/limits").and_then(|text| {
            let line = text.lines().find(|l| l.starts_with("Max address space"))?;
            line.split_whitespace().nth(3)?.parse().ok()
        });
        let machine = read("/proc/meminfo").and_then(|text| in_kib(&text, "MemTotal:"));
        let group = read("/sys/fs/cgroup/memory.max").and_then(number);
        let older_group = read("/sys/fs/cgroup/memory/memory.limit_in_bytes").and_then(number);
        Self {
            virtual_bytes: address_space,
            resident_bytes: [machine, group, older_group].into_iter().flatten().min(),
        }
    }

    /// Whether less than one part in `parts` of either limit is left.
    fn are_near(self, status: &str, parts: u64) -> bool {
        let is_near = |used: Option<u64>, limit: Option<u64>| match (used, limit) {
            (Some(used), Some(limit)) => used > limit - limit / parts,
            _ => false,
        };
        is_near(in_kib(status, "VmSize:"), self.virtual_bytes)
            || is_near(in_kib(status, "VmRSS:"), self.resident_bytes)
    }
}

/// The bytes after this name, which `/proc` counts in KiB.
fn in_kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with(name))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kib.checked_mul(1024)
}

/// The most memory that this process had so far.
pub fn peak() -> Option<u64> {
    in_kib(
        &std::fs::read_to_string("/proc/self/status").ok()?,
        "VmHWM:",
    )
}

/// Stops the work before the memory ends. Where nobody knows how much there is, nothing happens.
pub fn watch(canceller: Canceller) {
    let limits = Limits::of_this_process();
    let watching = move || {
        while let Ok(status) = std::fs::read_to_string("/proc/self/status") {
            if limits.are_near(&status, 10) {
                canceller.out_of_memory();
                // Who does not stop is stopped before the system does it.
                if limits.are_near(&status, 25) {
                    clock::end_now(StopReason::OutOfMemory);
                }
            }
            std::thread::sleep(PAUSE);
        }
    };
    // Without it the work goes on as well.
    let _ = std::thread::Builder::new()
        .stack_size(1 << 18)
        .spawn(watching);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_either_limit_is_kept() {
        let limits = Limits {
            virtual_bytes: Some(1000 << 10),
            resident_bytes: Some(100 << 10),
        };
        let status = |size: u64, resident: u64| {
            format!("Name:\tidiolect\nVmSize:\t  {size} kB\nVmRSS:\t {resident} kB\n")
        };
        assert!(!limits.are_near(&status(900, 90), 10));
        assert!(limits.are_near(&status(901, 90), 10));
        assert!(limits.are_near(&status(900, 91), 10));
        assert!(!limits.are_near(&status(901, 91), 25));
        let none = Limits {
            virtual_bytes: None,
            resident_bytes: None,
        };
        assert!(!none.are_near(&status(u64::MAX >> 10, 0), 10));
    }
}

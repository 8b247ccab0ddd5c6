//! Processes that we start and wait for, never longer than we may.

use idiolect_base::Budget;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Kept of what a process writes.
const MOST_OUTPUT: u64 = 1 << 28;

/// In the environment of a job: the process that started it. When that is gone, so is the reason to work.
pub const PARENT: &str = "IDIOLECT_BATCH_PROCESS";

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Exit(i32),
    /// By the system, or by somebody else.
    Signal(i32),
    /// By us: it had a limit and did not keep to it.
    Overdue,
}

/// How a process ended, by its status.
pub fn how(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exit(code),
        (None, signal) => Ended::Signal(signal.unwrap_or(0)),
    }
}

/// It did not end in time.
pub struct Late;

/// The end of a process, or nothing if the budget ends first.
pub fn wait(
    child: &mut Child,
    deadline: Option<Instant>,
    budget: &Budget,
) -> Option<Result<ExitStatus, Late>> {
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(Ok(status)),
            Ok(None) => {}
            Err(_) => return Some(Err(Late)),
        }
        if budget.look().is_err() {
            return None;
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(Err(Late));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends a process and whatever it started; nothing if there is nobody left in its group.
pub fn end(child: &Child) {
    // Most often there is nobody left in the group.
    let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
}

/// Reads what a process writes, so that it never waits for us.
pub fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        bytes
    })
}

//! A process and its children, watched until they end: how much they computed after a moment.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What was seen of a process.
pub struct Seen {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
    /// Seconds of the processor that it and its children used after the limit.
    pub cpu_after_limit: f64,
    /// By us, as it would not end.
    pub was_killed: bool,
    /// Processes that it started and that outlived it.
    pub left_behind: usize,
}

/// A job that is so late on the wall, or used so much more, is not waited for.
const PATIENCE: Duration = Duration::from_secs(30);
const FAR_TOO_LATE: f64 = 4.0;
/// Kept of what it writes; the rest is read and dropped.
const MOST_OUTPUT: u64 = 1 << 28;
const PAUSE: Duration = Duration::from_millis(10);

/// Runs it in a process group of its own. At the limit the signal, if any, is sent to it alone.
pub fn run(
    command: &mut Command,
    limit: Duration,
    signal: Option<Signal>,
) -> std::io::Result<Seen> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let group = child.id();
    let pid = Pid::from_raw(group as i32);
    let mut at_limit = None;
    let mut used = 0.0;
    let mut was_killed = false;
    loop {
        let usage = Usage::of_group(group);
        // A process that has ended keeps its times until it is waited for.
        used = usage.seconds.max(used);
        if !usage.leader_is_alive {
            break;
        }
        let elapsed = start.elapsed();
        if elapsed >= limit {
            let before = *at_limit.get_or_insert_with(|| {
                if let Some(signal) = signal {
                    // It may have ended meanwhile.
                    let _ = nix::sys::signal::kill(pid, signal);
                }
                used
            });
            if used - before > FAR_TOO_LATE || elapsed > limit + PATIENCE {
                let _ = killpg(pid, Signal::SIGKILL);
                was_killed = true;
                break;
            }
        }
        std::thread::sleep(PAUSE);
    }
    let status = child.wait()?;
    let elapsed = start.elapsed();
    // Children that it told to end may need a moment.
    let mut left_behind = 0;
    for _ in 0..20 {
        left_behind = Usage::of_group(group).alive;
        if left_behind == 0 {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    if left_behind > 0 {
        let _ = killpg(pid, Signal::SIGKILL);
    }
    Ok(Seen {
        code: status.code(),
        signal: status.signal(),
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        elapsed,
        cpu_after_limit: at_limit.map_or(0.0, |before| used - before),
        was_killed,
        left_behind,
    })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        bytes
    })
}

/// What the processes of a group have used so far, those included that were waited for.
struct Usage {
    seconds: f64,
    alive: usize,
    leader_is_alive: bool,
}

impl Usage {
    fn of_group(group: u32) -> Self {
        let mut usage = Usage {
            seconds: 0.0,
            alive: 0,
            leader_is_alive: false,
        };
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes {
            let name = process.file_name();
            let Some(pid) = name.to_str().and_then(|n| n.parse::<u32>().ok()) else {
                continue;
            };
            let Ok(text) = std::fs::read_to_string(process.path().join("stat")) else {
                continue;
            };
            let Some(stat) = Stat::parse(&text) else {
                continue;
            };
            if stat.group == group {
                usage.seconds += stat.ticks as f64 / TICKS_PER_SECOND;
                usage.alive += usize::from(stat.is_alive);
                usage.leader_is_alive |= pid == group && stat.is_alive;
            }
        }
        usage
    }
}

/// `USER_HZ`, which is the same on every Linux that runs user programs.
const TICKS_PER_SECOND: f64 = 100.0;

#[derive(PartialEq, Eq, Debug)]
struct Stat {
    group: u32,
    is_alive: bool,
    ticks: u64,
}

impl Stat {
    /// Reads `/proc/PID/stat`. The name, in parentheses, may contain anything.
    fn parse(text: &str) -> Option<Self> {
        let (_, rest) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let number = |i: usize| fields.get(i)?.parse::<u64>().ok();
        Some(Self {
            is_alive: !matches!(*fields.first()?, "Z" | "X"),
            group: number(2)? as u32,
            // User and system time of the process and of its children that were waited for.
            ticks: (11..=14).map(number).sum::<Option<u64>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_proc_is_read() {
        let line = "12 (a) b)) S 1 12 12 0 -1 4194560 1 2 3 4 50 6 700 8 20 0 1 0 9\n";
        let expected = Stat {
            group: 12,
            is_alive: true,
            ticks: 764,
        };
        assert_eq!(Stat::parse(line), Some(expected));
        assert_eq!(Stat::parse("12 (a"), None);
    }
}

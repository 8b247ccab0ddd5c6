//! `cargo xtask deadline`: hostile programs, traces, automata and options, put to every command.
//!
//! Each job gets a time limit or, after as long, a signal. It has to end with one of the exit codes
//! that the contract lists, not more than one second of processor time after that moment, and leave
//! no process behind. Processor time and not the clock on the wall: others use the machine as well.

mod cases;
mod watch;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What may be asked for.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seconds until the limit or the signal.
    pub seconds: u32,
    /// Only jobs whose name contains this.
    pub filter: String,
    /// Only every so many jobs.
    pub stride: usize,
    /// How many at a time.
    pub jobs: usize,
    /// Every way to end a job, and not one after the other in turn.
    pub all_ways: bool,
}

/// How a job is told to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Timeout,
    Terminate,
    Interrupt,
}

impl Way {
    const ALL: [Way; 3] = [Way::Timeout, Way::Terminate, Way::Interrupt];

    fn name(self) -> &'static str {
        match self {
            Way::Timeout => "--timeout",
            Way::Terminate => "SIGTERM",
            Way::Interrupt => "SIGINT",
        }
    }
}

/// One command on one hostile input.
#[derive(Clone, Debug)]
pub struct Job {
    pub name: String,
    args: Vec<String>,
    way: Way,
    wants_json: bool,
}

/// What is wrong with how a job ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// Processor seconds after the limit.
    Late(f64),
    /// It did nothing, and did not end.
    Stuck,
    Signal(i32),
    /// Our bug, with the first line that it wrote.
    Panic(String),
    UnknownExit(i32),
    NotJson,
    LeftBehind(usize),
}

#[derive(Clone, Debug)]
pub struct Report {
    pub job: Job,
    pub code: Option<i32>,
    /// On the wall.
    pub seconds: f64,
    pub late: f64,
    pub faults: Vec<Fault>,
}

/// More than this much processor time after the limit is too much.
const GRACE: f64 = 1.0;

/// All jobs in a fixed order. The inputs are written to `folder`.
pub fn jobs(folder: &Path, config: &Config) -> std::io::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for case in cases::all(folder)? {
        for (command, args) in case.command_lines() {
            let ways: Vec<Way> = if config.all_ways {
                Way::ALL.to_vec()
            } else {
                vec![Way::ALL[jobs.len() % Way::ALL.len()]]
            };
            for way in ways {
                let mut args = args.clone();
                // A command that has its own limit, or knows none, is told by a signal.
                let way = match way {
                    Way::Timeout if !cases::takes_timeout(&args) => Way::Terminate,
                    way => way,
                };
                if way == Way::Timeout {
                    args.extend(["--timeout".to_owned(), config.seconds.to_string()]);
                }
                let wants_json = args.iter().any(|a| a == "--json");
                jobs.push(Job {
                    name: format!("{} / {command}", case.name),
                    args,
                    way,
                    wants_json,
                });
            }
        }
    }
    let chosen = jobs.into_iter().filter(|j| j.name.contains(&config.filter));
    Ok(chosen.step_by(config.stride.max(1)).collect())
}

/// Runs them, a few at a time, and tells of each.
pub fn run(
    idiolect: &Path,
    jobs: &[Job],
    config: &Config,
    folder: &Path,
    tell: impl Fn(&Report) + Sync,
) -> Vec<Report> {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..config.jobs.max(1) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = one(idiolect, job, config, folder);
                    tell(&report);
                    if let Ok(mut reports) = reports.lock() {
                        reports.push(report);
                    }
                }
            });
        }
    });
    let mut reports = reports.into_inner().unwrap_or_default();
    reports.sort_by(|a, b| a.job.name.cmp(&b.job.name));
    reports
}

fn one(idiolect: &Path, job: &Job, config: &Config, folder: &Path) -> Report {
    let limit = Duration::from_secs(u64::from(config.seconds));
    let signal = match job.way {
        Way::Timeout => None,
        Way::Terminate => Some(nix::sys::signal::Signal::SIGTERM),
        Way::Interrupt => Some(nix::sys::signal::Signal::SIGINT),
    };
    let mut command = Command::new(idiolect);
    command.args(&job.args).current_dir(folder);
    let mut report = Report {
        job: job.clone(),
        code: None,
        seconds: 0.0,
        late: 0.0,
        faults: Vec::new(),
    };
    match watch::run(&mut command, limit, signal) {
        Ok(seen) => {
            report.code = seen.code;
            report.seconds = seen.elapsed.as_secs_f64();
            report.late = seen.cpu_after_limit;
            report.faults = faults(job, &seen);
        }
        Err(error) => report.faults = vec![Fault::Panic(error.to_string())],
    }
    report
}

fn faults(job: &Job, seen: &watch::Seen) -> Vec<Fault> {
    let mut faults = Vec::new();
    if seen.cpu_after_limit > GRACE {
        faults.push(Fault::Late(seen.cpu_after_limit));
    } else if seen.was_killed {
        faults.push(Fault::Stuck);
    }
    match (seen.code, seen.signal) {
        (Some(0..=3), _) => {}
        (Some(101), _) => {
            let text = String::from_utf8_lossy(&seen.stderr);
            let line = text.lines().find(|l| l.contains("panicked"));
            let line = line.or(text.lines().next()).unwrap_or("");
            faults.push(Fault::Panic(line.to_owned()));
        }
        (Some(code), _) => faults.push(Fault::UnknownExit(code)),
        (None, Some(signal)) if !seen.was_killed => faults.push(Fault::Signal(signal)),
        (None, _) => {}
    }
    let is_json = || serde_json::from_slice::<serde_json::Value>(&seen.stdout).is_ok();
    if job.wants_json && matches!(seen.code, Some(0..=3)) && !is_json() {
        faults.push(Fault::NotJson);
    }
    if seen.left_behind > 0 {
        faults.push(Fault::LeftBehind(seen.left_behind));
    }
    faults
}

/// One line for a job: exit code, seconds, what is wrong, how to see it.
pub fn line(report: &Report) -> String {
    let what: Vec<String> = report
        .faults
        .iter()
        .map(|fault| match fault {
            Fault::Late(seconds) => format!("{seconds:.1} s of processor time too late"),
            Fault::Stuck => "did not end".to_owned(),
            Fault::Signal(number) => format!("killed by signal {number}"),
            Fault::Panic(text) => format!("panicked: {text}"),
            Fault::UnknownExit(code) => format!("exit code {code}"),
            Fault::NotJson => "standard output is not JSON".to_owned(),
            Fault::LeftBehind(n) => format!("left {n} processes behind"),
        })
        .collect();
    let mut text = format!(
        "{} {:>4} {:>5.1} s {:>5.2} {:<9} {}",
        if report.faults.is_empty() {
            "ok  "
        } else {
            "FAIL"
        },
        report
            .code
            .map_or_else(|| "-".to_owned(), |c| c.to_string()),
        report.seconds,
        report.late,
        report.job.way.name(),
        report.job.name,
    );
    if !what.is_empty() {
        let _ = write!(
            text,
            ": {} [{}]",
            what.join(", "),
            report.job.args.join(" ")
        );
    }
    text
}

/// Where the inputs are kept between two runs of this task.
pub fn folder() -> PathBuf {
    crate::root().join("target/deadline")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config {
            seconds: 1,
            filter: String::new(),
            stride: 1,
            jobs: 1,
            all_ways: false,
        }
    }

    fn job(script: &str, way: Way) -> Report {
        let job = Job {
            name: script.to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            way,
            wants_json: false,
        };
        one(Path::new("/bin/sh"), &job, &config(), Path::new("/"))
    }

    #[test]
    fn faults_are_seen() {
        assert_eq!(job("exit 3", Way::Timeout).faults, []);
        assert_eq!(job("exit 7", Way::Timeout).faults, [Fault::UnknownExit(7)]);
        assert_eq!(
            job("kill -ABRT $$", Way::Timeout).faults,
            [Fault::Signal(6)]
        );
        let panic = job("echo 'x panicked at y' >&2; exit 101", Way::Timeout);
        assert_eq!(panic.faults, [Fault::Panic("x panicked at y".to_owned())]);
        let late = job("while :; do :; done", Way::Timeout);
        assert!(matches!(late.faults[..], [Fault::Late(_)]), "{late:?}");
    }

    #[test]
    fn a_child_that_stays_is_seen() {
        let left = job("sleep 100 & exit 0", Way::Timeout);
        assert_eq!(left.faults, [Fault::LeftBehind(1)]);
    }

    #[test]
    fn signals_are_sent_and_obeyed() {
        let obeys = "trap 'exit 3' TERM INT; while :; do sleep 0.05; done";
        for way in [Way::Terminate, Way::Interrupt] {
            let report = job(obeys, way);
            assert_eq!((report.code, report.faults), (Some(3), vec![]));
        }
    }
}

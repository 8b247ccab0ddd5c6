//! One job: a process of its own, with limits, and what became of it.

use super::manifest::Job;
use crate::child::{Ended, Late, PARENT, drain, end, how, wait};
use crate::failure::CommandFailure;
use idiolect_base::Budget;
use serde_json::{Value, json};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What holds for every job.
#[derive(Clone, Debug)]
pub struct JobLimits {
    pub timeout: Option<Duration>,
    pub memory_kib: Option<u64>,
    pub retries: usize,
}

/// What became of a job.
pub struct JobResult {
    pub ended: Ended,
    outcome: Option<Value>,
    /// What it printed, where that is no JSON.
    stdout: Option<String>,
    stderr: String,
    attempts: usize,
    elapsed: Duration,
}

/// A job keeps its limit by itself; one that is so much later does not.
const PATIENCE: Duration = Duration::from_secs(10);
/// Kept of messages.
const MOST_MESSAGES: usize = 1 << 13;

/// Does it, again if the system killed it; nothing if the budget ends first.
pub fn run(
    job: &Job,
    limits: &JobLimits,
    budget: &Budget,
) -> Result<Option<JobResult>, CommandFailure> {
    let mut attempts = 0;
    loop {
        attempts += 1;
        let Some(mut result) = attempt(job, limits, budget)? else {
            return Ok(None);
        };
        result.attempts = attempts;
        if !matches!(result.ended, Ended::Signal(_)) || attempts > limits.retries {
            return Ok(Some(result));
        }
    }
}

/// What the shell does before it becomes the job: `-` is no limit.
const LIMITED: &str =
    "[ \"$0\" = - ] || ulimit -t \"$0\"; [ \"$1\" = - ] || ulimit -v \"$1\"; shift; exec \"$@\"";

fn attempt(
    job: &Job,
    limits: &JobLimits,
    budget: &Budget,
) -> Result<Option<JobResult>, CommandFailure> {
    let own = job
        .timeout
        .and_then(|t| Duration::try_from_secs_f64(t).ok());
    let limit = own.or(limits.timeout);
    let start = Instant::now();
    let mut child =
        spawn(job, limit, limits.memory_kib).map_err(|source| CommandFailure::BadFile {
            code: "batch::cannot-start",
            message: format!("cannot start a job: {source}"),
            place: None,
            help: "are there too many processes?".to_owned(),
        })?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let deadline = limit.and_then(|limit| start.checked_add(limit + PATIENCE));
    let waited = wait(&mut child, deadline, budget);
    // Nothing of it is left behind, whatever it started.
    end(&child);
    let status = match waited {
        Some(Ok(status)) => Some(status),
        Some(Err(Late)) => {
            let _ = child.wait();
            None
        }
        None => {
            let _ = child.wait();
            return Ok(None);
        }
    };
    let (stdout, stderr) = (
        stdout.join().unwrap_or_default(),
        stderr.join().unwrap_or_default(),
    );
    let outcome: Option<Value> = serde_json::from_slice(&stdout).ok();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Some(JobResult {
        ended: status.map_or(Ended::Overdue, how),
        stdout: outcome.is_none().then(|| text(&stdout)),
        outcome,
        stderr: text(&stderr[..stderr.len().min(MOST_MESSAGES)]),
        attempts: 1,
        elapsed: start.elapsed(),
    }))
}

fn spawn(job: &Job, limit: Option<Duration>, kib: Option<u64>) -> std::io::Result<Child> {
    let this = std::env::current_exe()?;
    let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    // Of the processor, as a job that sleeps is ended by its own clock.
    let seconds = limit.map(|l| (l.as_secs() + PATIENCE.as_secs()).saturating_mul(processors));
    let mut command = Command::new("/bin/sh");
    command.args(["-c", LIMITED, &number(seconds), &number(kib)]);
    command.arg(this).args(&job.args);
    let says = |word: &str| job.args.iter().any(|a| a == word);
    if !says("--json") {
        command.arg("--json");
    }
    if let Some(limit) = limit
        && !job.args.iter().any(|a| a.starts_with("--timeout"))
    {
        command
            .arg("--timeout")
            .arg(limit.as_secs_f64().to_string());
    }
    command
        .env(PARENT, std::process::id().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

impl JobResult {
    /// The line of the result; only `timing` differs between two runs.
    pub fn to_json(&self, job: &Job) -> Value {
        let (exit, ended) = match self.ended {
            Ended::Exit(code) => (Some(code), "exit".to_owned()),
            Ended::Signal(number) => (None, format!("signal {number}")),
            Ended::Overdue => (None, "overdue".to_owned()),
        };
        let mut outcome = self.outcome.clone();
        let timing = outcome
            .as_mut()
            .and_then(Value::as_object_mut)
            .and_then(|o| o.remove("timing"));
        let mut line = json!({
            "id": job.id,
            "args": job.args,
            "exit": exit,
            "ended": ended,
            "outcome": outcome,
            "timing": {
                "seconds": self.elapsed.as_secs_f64(),
                "attempts": self.attempts,
                "phases": timing,
            },
        });
        if let Some(text) = &self.stdout {
            line["stdout"] = json!(text);
        }
        if !self.stderr.is_empty() {
            line["stderr"] = json!(self.stderr);
        }
        line
    }
}

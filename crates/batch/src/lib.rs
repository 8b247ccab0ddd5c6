//! `idiolect batch`: many jobs from a list, with results that can be resumed, split and merged.
//!
//! A job is a command line of idiolect. Each runs in a process of its own, so that one that goes
//! wrong costs one result; each result is one line that is written when the job has ended, so that a
//! batch that was killed goes on where it was. Drivers of cluster engines only move files around.
//!
//! It never looks into a job: what a job says is in its JSON.

mod job;
mod manifest;
mod merge;
mod results;

use idiolect_console::{args, child, exit, failure, output, reading};

use crate::args::{parse_seconds, up_to};
use crate::child::Ended;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output::{Envelope, counted};
use clap::{Args, Subcommand};
use idiolect_base::{Budget, Canceller};
use job::JobLimits;
use manifest::{Job, Shard};
use results::ResultSink;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  idiolect batch jobs.jsonl --out results.jsonl
  idiolect batch jobs.jsonl --out results.jsonl --resume        what is missing
  idiolect batch jobs.jsonl --out part3.jsonl --shard 3/16      every 16th job
  idiolect batch merge part*.jsonl --manifest jobs.jsonl        one table

A job is a line {\"id\": \"sort\", \"args\": [\"verify\", \"sort.c\"]}, perhaps with \"timeout\" in seconds. A
result is a line with the same \"id\", the exit code and the outcome that `--json` prints. Exit codes: 0
every job has a result, 2 the list or an output cannot be used, 3 jobs are left; of `merge`: 1 two
results of one job differ, 3 jobs of the list have no result."
)]
pub struct BatchArgs {
    #[command(subcommand)]
    what: Option<What>,

    /// The jobs, one JSON object a line; `-` reads standard input
    #[arg(required = true, value_name = "MANIFEST.jsonl")]
    manifest: Option<PathBuf>,

    /// Where the results go, one JSON object a line, in the order in which jobs end
    #[arg(long, required = true, value_name = "RESULTS.jsonl")]
    out: Option<PathBuf>,

    /// Keep the results that are there, and do the other jobs
    #[arg(long)]
    resume: bool,

    /// Only every N-th job, beginning with the I-th
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

    /// Jobs at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = up_to(1024))]
    jobs: Option<usize>,

    /// Time limit of each job that has none of its own
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    job_timeout: Option<Duration>,

    /// Memory limit of each job
    #[arg(long, value_name = "MEGABYTES", value_parser = up_to(1 << 30))]
    job_memory: Option<usize>,

    /// Restart a job that was killed by the system, at most this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(100))]
    retries: usize,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print less
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Put results together to one table, and compare those of the same job
    Merge(merge::MergeArgs),
}

impl BatchArgs {
    /// Whether the answer is one JSON object.
    pub fn wants_json(&self) -> bool {
        match &self.what {
            Some(What::Merge(args)) => args.json,
            None => self.json,
        }
    }
}

/// Does the jobs that have no result yet.
pub fn run(args: &BatchArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    if let Some(What::Merge(args)) = &args.what {
        return merge::run(args);
    }
    let (Some(manifest), Some(out)) = (&args.manifest, &args.out) else {
        return Err(CommandFailure::usage(
            "a batch needs a list of jobs and a place for the results",
            "give `MANIFEST.jsonl --out RESULTS.jsonl`",
        ));
    };
    let all = manifest::read(manifest)?;
    let n_all = all.len();
    let (sink, done) = ResultSink::open(out, args.resume)?;
    let mine: Vec<Job> = (all.into_iter().enumerate())
        .filter(|(i, _)| args.shard.is_none_or(|shard| shard.has(*i)))
        .map(|(_, job)| job)
        .collect();
    let n_mine = mine.len();
    let open: Vec<Job> = (mine.into_iter())
        .filter(|job| !done.contains(&job.id))
        .collect();
    let before = n_mine - open.len();
    let budget = Budget::unlimited().cancelled_by(canceller);
    let results = do_all(args, &open, sink, &budget)?;
    let left = open.len() - results.done;
    let text = summary(n_mine, before, &results);
    if args.json {
        let statistics = json!({
            "jobs_of_list": n_all,
            "jobs": n_mine,
            "kept": before,
            "done": results.done,
            "left": left,
            "findings": results.findings,
            "killed": results.killed,
        });
        let envelope = Envelope {
            command: "batch",
            verdict: if left == 0 { "done" } else { "undecided" },
            guarantee_kind: "none",
            guarantee_text: &text,
            statistics,
            warnings: &[],
        };
        output::print_json(&envelope.to_json(None));
    } else if !args.quiet {
        output::print(&format!("{text}\n"));
    }
    Ok(match left {
        0 => Exit::Clean,
        _ => Exit::Undecided,
    })
}

#[derive(Default)]
struct Summary {
    done: usize,
    findings: usize,
    killed: usize,
}

fn summary(n_jobs: usize, before: usize, results: &Summary) -> String {
    let have = before + results.done;
    let mut text = format!("{have} of {} have a result", counted(n_jobs as u64, "job"));
    if before > 0 {
        text += &format!(", {before} of them from before");
    }
    if results.findings > 0 {
        text += &format!("; {}", counted(results.findings as u64, "finding"));
    }
    if results.killed > 0 {
        text += &format!("; {} killed", counted(results.killed as u64, "job"));
    }
    if have < n_jobs {
        text += "; `--resume` does the others";
    }
    text + "."
}

/// Does the jobs, some at a time, until the budget ends.
fn do_all(
    args: &BatchArgs,
    jobs: &[Job],
    sink: ResultSink,
    budget: &Budget,
) -> Result<Summary, CommandFailure> {
    let limits = JobLimits {
        timeout: args.job_timeout,
        memory_kib: args.job_memory.map(|m| m as u64 * 1024),
        retries: args.retries,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.jobs.unwrap_or(threads).clamp(1, jobs.len().max(1));
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((sink, Summary::default(), None::<CommandFailure>));
    let lock = || {
        shared
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let budget = budget.clone();
            let (next, lock, limits) = (&next, &lock, &limits);
            scope.spawn(move || {
                while budget.look().is_ok() && lock().2.is_none() {
                    let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let result = match job::run(job, limits, &budget) {
                        // Told to end: the job has no result and is done again.
                        Ok(None) => return,
                        Ok(Some(result)) => result,
                        Err(failure) => {
                            lock().2.get_or_insert(failure);
                            return;
                        }
                    };
                    let mut shared = lock();
                    if let Err(failure) = shared.0.write(&result.to_json(job)) {
                        shared.2.get_or_insert(failure);
                        return;
                    }
                    shared.1.done += 1;
                    shared.1.findings += usize::from(result.ended == Ended::Exit(1));
                    shared.1.killed += usize::from(!matches!(result.ended, Ended::Exit(_)));
                }
            });
        }
    });
    let (_, summary, failure) = shared
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    match failure {
        Some(failure) => Err(failure),
        None => Ok(summary),
    }
}

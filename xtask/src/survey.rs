//! A folder of programs that others wrote: which of them idiolect takes, how fast, and what is
//! not modelled.

use crate::process;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What became of one program.
#[derive(Clone, Debug)]
pub struct Case {
    pub path: PathBuf,
    pub what: What,
    pub front_end_seconds: f64,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    /// Lowered without a gap; the verdict of the runs.
    Lowered(String),
    /// Lowered, with constructs that are not modelled.
    Gaps(Vec<String>),
    /// Refused, with the first message.
    Refused(String),
    /// Exit code 101, no JSON, or no answer within the limit.
    Broken(String),
}

/// All `.c` and `.i` files below a folder. Where `x.c` and `x.i` are the same program, the
/// preprocessed one counts.
pub fn programs(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
                found.push(path);
            }
        }
    }
    found.sort();
    let preprocessed: Vec<PathBuf> = found
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "i"))
        .map(|p| p.with_extension("c"))
        .collect();
    found.retain(|p| preprocessed.binary_search(p).is_err());
    Ok(found)
}

/// Runs every program `runs` times on random inputs, on all cores.
pub fn survey(idiolect: &Path, programs: &[PathBuf], runs: u32, flags: &[String]) -> Vec<Case> {
    let next = AtomicUsize::new(0);
    let cases = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let case = one(idiolect, path, runs, flags);
                    let mut cases = cases.lock().unwrap_or_else(PoisonError::into_inner);
                    cases.push(case);
                }
            });
        }
    });
    let mut cases = cases.into_inner().unwrap_or_else(PoisonError::into_inner);
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    cases
}

fn one(idiolect: &Path, path: &Path, runs: u32, flags: &[String]) -> Case {
    let mut command = Command::new(idiolect);
    command.args(["run", "--json", "--timeout", "20", "--max-steps", "200000"]);
    command
        .arg("--runs")
        .arg(runs.to_string())
        .args(flags)
        .arg(path);
    let case = |what, front_end_seconds| Case {
        path: path.to_path_buf(),
        what,
        front_end_seconds,
    };
    let finished = match process::run(&mut command, &[], Duration::from_secs(60)) {
        Ok(finished) => finished,
        Err(error) => return case(What::Broken(error.to_string()), 0.0),
    };
    if finished.timed_out {
        return case(What::Broken("no answer within a minute".to_owned()), 0.0);
    }
    let Ok(outcome) = serde_json::from_slice::<Value>(&finished.stdout) else {
        return case(
            What::Broken(format!("exit {:?}, no JSON", finished.code)),
            0.0,
        );
    };
    if finished.code == Some(2) {
        let error = &outcome["error"];
        let message = format!("line {}: {}", error["line"], error["message"]);
        return case(What::Refused(message), 0.0);
    }
    let seconds = outcome["timing"]["front_end"].as_f64().unwrap_or(0.0);
    let gaps = outcome["unmodelled"].as_array();
    let mut gaps: Vec<String> = gaps
        .into_iter()
        .flatten()
        .map(|gap| gap["construct"].as_str().unwrap_or("?").to_owned())
        .collect();
    gaps.sort();
    gaps.dedup();
    let what = if gaps.is_empty() {
        What::Lowered(outcome["verdict"].as_str().unwrap_or("?").to_owned())
    } else {
        What::Gaps(gaps)
    };
    case(what, seconds)
}

/// A table by folder, and the programs that are not lowered whole.
pub fn table(root: &Path, cases: &[Case]) -> String {
    let mut by_folder: BTreeMap<PathBuf, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        let relative = case.path.strip_prefix(root).unwrap_or(&case.path);
        let folder = relative.parent().map(PathBuf::from).unwrap_or_default();
        by_folder.entry(folder).or_default().push(case);
    }
    let mut text = format!(
        "{:<40} {:>8} {:>8} {:>6} {:>8} {:>7} {:>9}\n",
        "folder", "programs", "lowered", "gaps", "refused", "broken", "slowest s"
    );
    let mut row = |name: &str, cases: &[&Case]| {
        let count = |f: fn(&What) -> bool| cases.iter().filter(|c| f(&c.what)).count();
        let slowest = cases
            .iter()
            .map(|c| c.front_end_seconds)
            .fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "{name:<40} {:>8} {:>8} {:>6} {:>8} {:>7} {slowest:>9.2}",
            cases.len(),
            count(|w| matches!(w, What::Lowered(_))),
            count(|w| matches!(w, What::Gaps(_))),
            count(|w| matches!(w, What::Refused(_))),
            count(|w| matches!(w, What::Broken(_))),
        );
    };
    for (folder, cases) in &by_folder {
        row(&folder.display().to_string(), cases);
    }
    row("all", &cases.iter().collect::<Vec<_>>());
    for case in cases {
        let why = match &case.what {
            What::Lowered(_) => continue,
            What::Gaps(gaps) => format!("gaps: {}", gaps.join(", ")),
            What::Refused(message) => format!("refused: {message}"),
            What::Broken(why) => format!("BROKEN: {why}"),
        };
        let relative = case.path.strip_prefix(root).unwrap_or(&case.path);
        let _ = writeln!(text, "{}: {why}", relative.display());
    }
    text
}

//! Verdicts of `idiolect verify` on programs whose names say what is expected, as those of SV-COMP
//! do: `…_false-unreach-call…` has a reachable error, `…_true-unreach-call…` has none.
//!
//! An undecided verdict is honest; a wrong one is a bug of ours, and so is a disagreement of our
//! engines (exit code 101).

use crate::process;
use crate::stats::median;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A program and whether an error is expected in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub path: PathBuf,
    pub has_error: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    Right,
    Undecided,
    Wrong,
    /// Exit code 101, a refusal, no JSON, or no end within twice the limit.
    Broken,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub task: Task,
    pub judgement: Judgement,
    /// The verdict and its guarantee, or what went wrong.
    pub text: String,
    pub seconds: f64,
    pub megabytes: f64,
}

const MARK: &str = "-unreach-call";

/// Whether an error is expected, if the file's name says so.
pub fn expected(path: &Path) -> Option<bool> {
    stem(path).map(|(_, has_error)| has_error)
}

/// The name up to what it says about reachability, with a number that may follow: what follows
/// that differs from one year to the next.
fn stem(path: &Path) -> Option<(String, bool)> {
    let name = path.file_name()?.to_str()?;
    let at = name.find(MARK)?;
    let has_error = name[..at].ends_with("false");
    if !has_error && !name[..at].ends_with("true") {
        return None;
    }
    let rest = &name[at + MARK.len()..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let folder = path.parent()?.file_name()?.to_str()?;
    let own = &name[..at + MARK.len() + digits];
    Some((format!("{folder}/{own}"), has_error))
}

/// The programs below a folder with an expected verdict, each once: the preprocessed one if there
/// are two. With a list (CSV whose last column is a path), only what is on it; what cannot be
/// found is an error.
pub fn tasks(folder: &Path, list: Option<&Path>) -> io::Result<Vec<Task>> {
    let mut found: BTreeMap<String, Task> = BTreeMap::new();
    for path in crate::survey::programs(folder)? {
        let Some((stem, has_error)) = stem(&path) else {
            continue;
        };
        let is_preprocessed = path.extension().is_some_and(|e| e == "i");
        if is_preprocessed || !found.contains_key(&stem) {
            found.insert(stem, Task { path, has_error });
        }
    }
    let Some(list) = list else {
        return Ok(found.into_values().collect());
    };
    let text = std::fs::read_to_string(list)?;
    let mut tasks = Vec::new();
    for line in text.lines().skip(1).filter(|l| !l.trim().is_empty()) {
        let path = line.rsplit(',').next().unwrap_or("").trim();
        let key = stem(Path::new(path)).map(|s| s.0);
        match key.and_then(|key| found.remove(&key)) {
            Some(task) => tasks.push(task),
            None => return Err(io::Error::other(format!("{path} is not in the folder"))),
        }
    }
    Ok(tasks)
}

/// Asks for every verdict, on `jobs` cores.
pub fn judge_all(
    idiolect: &Path,
    tasks: &[Task],
    jobs: usize,
    timeout: u32,
    flags: &[String],
) -> Vec<Case> {
    let next = AtomicUsize::new(0);
    let cases = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let case = judge(idiolect, task, timeout, flags);
                    let mut cases = cases.lock().unwrap_or_else(PoisonError::into_inner);
                    cases.push(case);
                }
            });
        }
    });
    let mut cases = cases.into_inner().unwrap_or_else(PoisonError::into_inner);
    cases.sort_by(|a, b| a.task.path.cmp(&b.task.path));
    cases
}

fn judge(idiolect: &Path, task: &Task, timeout: u32, flags: &[String]) -> Case {
    let mut command = Command::new(idiolect);
    command.args(["verify", "--json", "--timeout", &timeout.to_string()]);
    command.args(flags).arg(&task.path);
    let limit = Duration::from_secs(u64::from(timeout) * 2 + 5);
    let broken = |text: String| Case {
        task: task.clone(),
        judgement: Judgement::Broken,
        text,
        seconds: 0.0,
        megabytes: 0.0,
    };
    let finished = match process::run(&mut command, &[], limit) {
        Ok(finished) => finished,
        Err(error) => return broken(error.to_string()),
    };
    if finished.timed_out {
        return broken("no answer within twice the limit".to_owned());
    }
    let Ok(outcome) = serde_json::from_slice::<Value>(&finished.stdout) else {
        let error = String::from_utf8_lossy(&finished.stderr);
        let first = error.lines().next().unwrap_or("").to_owned();
        return broken(format!("exit {:?}: {first}", finished.code));
    };
    let Some(verdict) = outcome["verdict"].as_str() else {
        return broken(format!("{}", outcome["error"]["message"]));
    };
    let judgement = match (verdict, task.has_error) {
        ("error", true) | ("proved", false) => Judgement::Right,
        ("error", false) | ("proved", true) => Judgement::Wrong,
        _ => Judgement::Undecided,
    };
    let guarantee = outcome["guarantee"]["text"].as_str().unwrap_or("");
    Case {
        task: task.clone(),
        judgement,
        text: format!("{verdict}: {guarantee}"),
        seconds: outcome["timing"]["total"].as_f64().unwrap_or(f64::NAN),
        megabytes: outcome["timing"]["peak_memory_bytes"]
            .as_f64()
            .unwrap_or(0.0)
            / 1e6,
    }
}

/// Totals by folder, then every program, or only those without the right verdict.
pub fn table(root: &Path, cases: &[Case], all: bool) -> String {
    let mut by_folder: BTreeMap<PathBuf, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        let relative = case.task.path.strip_prefix(root).unwrap_or(&case.task.path);
        let folder = relative.parent().map(PathBuf::from).unwrap_or_default();
        by_folder.entry(folder).or_default().push(case);
    }
    let mut text = format!(
        "{:<24} {:>8} {:>7} {:>7} {:>9} {:>6} {:>7} {:>9} {:>9} {:>7}\n",
        "folder",
        "programs",
        "errors",
        "proofs",
        "undecided",
        "WRONG",
        "BROKEN",
        "median s",
        "slowest s",
        "most MB"
    );
    let mut row = |name: &str, cases: &[&Case]| {
        let count = |f: &dyn Fn(&Case) -> bool| cases.iter().filter(|c| f(c)).count();
        let right =
            |error: bool| count(&|c| c.judgement == Judgement::Right && c.task.has_error == error);
        let expected = |error: bool| count(&|c| c.task.has_error == error);
        let seconds: Vec<f64> = cases.iter().map(|c| c.seconds).collect();
        let _ = writeln!(
            text,
            "{name:<24} {:>8} {:>7} {:>7} {:>9} {:>6} {:>7} {:>9.3} {:>9.2} {:>7.0}",
            cases.len(),
            format!("{}/{}", right(true), expected(true)),
            format!("{}/{}", right(false), expected(false)),
            count(&|c| c.judgement == Judgement::Undecided),
            count(&|c| c.judgement == Judgement::Wrong),
            count(&|c| c.judgement == Judgement::Broken),
            median(&seconds),
            seconds.iter().copied().fold(0.0, f64::max),
            cases.iter().map(|c| c.megabytes).fold(0.0, f64::max),
        );
    };
    for (folder, cases) in &by_folder {
        row(&folder.display().to_string(), cases);
    }
    row("all", &cases.iter().collect::<Vec<_>>());
    for case in cases {
        if case.judgement == Judgement::Right && !all {
            continue;
        }
        let relative = case.task.path.strip_prefix(root).unwrap_or(&case.task.path);
        let _ = writeln!(
            text,
            "{:?} {}: {:.2} s, {:.0} MB: {}",
            case.judgement,
            relative.display(),
            case.seconds,
            case.megabytes,
            case.text.replace(&format!("{}/", root.display()), "")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_several_years_have_one_stem() {
        let stem = |name: &str| stem(Path::new(name));
        let long = "loop-acceleration/underapprox_false-unreach-call2_true-termination.i";
        let short = "c/loop-acceleration/underapprox_false-unreach-call2.c";
        assert_eq!(stem(long), stem(short));
        assert_eq!(stem(short).map(|s| s.1), Some(true));
        assert_eq!(stem("a/b_true-unreach-call.c").map(|s| s.1), Some(false));
        assert_eq!(stem("a/b_true-valid-memsafety.c"), None);
    }
}

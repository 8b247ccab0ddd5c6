//! Our own programs with what idiolect has to say about them.
//!
//! A case is `corpus/TOPIC/NAME.c` with `NAME.toml` beside it; `topic.toml` holds checks for every
//! program of its folder that does not check the same command itself. A check runs one command on
//! the program and looks at its exit code and at places in its JSON:
//!
//! ```toml
//! status = "pass"                     # or "slow" (only on demand), "known-bug" (must still fail)
//! [[check]]
//! run = "localize --unwind 4"
//! exit = 1
//! equal = { "/verdict" = "error-trace" }
//! contains = { "/relevant/*/line" = [6] }
//! ```
//!
//! In a place, `*` stands for every element of an array.

use crate::differential::{Comparison, Differential};
use crate::process;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    #[default]
    Pass,
    /// Takes too long for every day.
    Slow,
    /// Fails, and somebody has written down why; the day it passes, this has to be changed.
    KnownBug,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The command and its options; without it, the program behaves as the one that `cc` builds.
    run: Option<String>,
    #[serde(default)]
    exit: i32,
    /// Places in the JSON and what stands there; a list beside a single value: one of these.
    #[serde(default)]
    equal: BTreeMap<String, Value>,
    /// Places with lists, and what they have among others.
    #[serde(default)]
    contains: BTreeMap<String, Vec<Value>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Expectation {
    #[serde(default)]
    status: Status,
    #[serde(default)]
    check: Vec<Check>,
}

/// A program, its checks, and whether they are expected to hold.
#[derive(Clone, Debug)]
pub struct Case {
    /// `TOPIC/NAME`
    pub name: String,
    files: Vec<PathBuf>,
    pub status: Status,
    checks: Vec<Check>,
}

/// All cases below a folder whose name contains the filter, in order of their names.
pub fn cases(corpus: &Path, filter: &str) -> Fallible<Vec<Case>> {
    let mut found = Vec::new();
    collect(corpus, corpus, &Expectation::default(), &mut found)?;
    // What is expected of repairs and of pairs with a fault is looked at where they are tried.
    let is_elsewhere = |name: &str| name.starts_with("repairs/") || name.starts_with("checks/");
    found.retain(|case| case.name.contains(filter) && !is_elsewhere(&case.name));
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn collect(
    corpus: &Path,
    folder: &Path,
    above: &Expectation,
    found: &mut Vec<Case>,
) -> Fallible<()> {
    let topic = match expectation(&folder.join("topic.toml"))? {
        Some(topic) => topic,
        None => above.clone(),
    };
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    let sources = |list: &[PathBuf]| -> Vec<PathBuf> {
        let is_c = |p: &&PathBuf| p.extension().is_some_and(|e| e == "c");
        list.iter().filter(is_c).cloned().collect()
    };
    // A folder with a file `program.toml` is one program of several files.
    if let Some(own) = expectation(&folder.join("program.toml"))? {
        push(corpus, folder, sources(&entries), &topic, own, found);
        return Ok(());
    }
    for file in sources(&entries) {
        let own = expectation(&file.with_extension("toml"))?.unwrap_or_default();
        push(
            corpus,
            &file.with_extension(""),
            vec![file],
            &topic,
            own,
            found,
        );
    }
    for entry in entries.iter().filter(|e| e.is_dir()) {
        collect(corpus, entry, &topic, found)?;
    }
    Ok(())
}

fn push(
    corpus: &Path,
    place: &Path,
    files: Vec<PathBuf>,
    topic: &Expectation,
    own: Expectation,
    found: &mut Vec<Case>,
) {
    let name = place.strip_prefix(corpus).unwrap_or(place);
    let is_replaced = |check: &Check| own.check.iter().any(|c| c.run == check.run);
    let of_topic = topic.check.iter().filter(|c| !is_replaced(c)).cloned();
    found.push(Case {
        name: name.display().to_string(),
        files,
        status: own.status,
        checks: of_topic.chain(own.check.iter().cloned()).collect(),
    });
}

fn expectation(path: &Path) -> Fallible<Option<Expectation>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path)?;
    match toml::from_str(&text) {
        Ok(expectation) => Ok(Some(expectation)),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// How a case fared, and why where it did not fare well.
#[derive(Clone, Debug)]
pub struct Report {
    pub name: String,
    pub status: Status,
    pub complaints: Vec<String>,
    pub elapsed: Duration,
}

impl Report {
    /// Whether all is as its status says.
    pub fn is_as_expected(&self) -> bool {
        self.complaints.is_empty() != (self.status == Status::KnownBug)
    }
}

/// Runs the cases, as many at a time as there are cores. Slow ones are left out unless asked for.
pub fn run(idiolect: &Path, cases: &[Case], with_slow: bool) -> Fallible<Vec<Report>> {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if case.status == Status::Slow && !with_slow {
                        continue;
                    }
                    let outcome = case.examine(idiolect);
                    match (outcome, reports.lock(), failure.lock()) {
                        (Ok(report), Ok(mut reports), _) => reports.push(report),
                        (Err(error), _, Ok(mut failure)) => *failure = Some(error.to_string()),
                        _ => return,
                    }
                }
            });
        }
    });
    if let Some(error) = failure.into_inner()? {
        return Err(error.into());
    }
    let mut reports = reports.into_inner()?;
    reports.sort_by(|a: &Report, b| a.name.cmp(&b.name));
    Ok(reports)
}

/// What a check may take at most.
const LIMIT: Duration = Duration::from_secs(480);

impl Case {
    fn examine(&self, idiolect: &Path) -> Fallible<Report> {
        let start = Instant::now();
        let mut complaints = Vec::new();
        if self.checks.is_empty() {
            complaints.push("nothing is checked; write what is expected beside it".to_owned());
        }
        for check in &self.checks {
            let (what, wrong) = match &check.run {
                Some(line) => (line.as_str(), self.command(idiolect, line, check)?),
                None => ("run, against cc", self.behaviour(idiolect)?),
            };
            complaints.extend(wrong.into_iter().map(|w| format!("{what}: {w}")));
        }
        Ok(Report {
            name: self.name.clone(),
            status: self.status,
            complaints,
            elapsed: start.elapsed(),
        })
    }

    fn behaviour(&self, idiolect: &Path) -> Fallible<Vec<String>> {
        let scratch = tempfile::tempdir()?;
        let stdin = Some(self.files[0].with_extension("stdin")).filter(|path| path.exists());
        let differential = Differential::new(idiolect.to_path_buf());
        let compared = differential.compare(&self.files, stdin.as_deref(), scratch.path())?;
        Ok(match compared {
            Comparison::Same => Vec::new(),
            Comparison::NoReference(why) => vec![format!("`cc` cannot judge: {why}")],
            Comparison::Differs(how) => vec![how],
        })
    }

    fn command(&self, idiolect: &Path, line: &str, check: &Check) -> Fallible<Vec<String>> {
        let mut command = Command::new(idiolect);
        command.args(crate::explain::words(line)).args(&self.files);
        command.args(["--json", "--no-timing"]);
        let finished = process::run(&mut command, b"", LIMIT)?;
        if finished.timed_out {
            return Ok(vec![format!("not finished after {} s", LIMIT.as_secs())]);
        }
        let mut wrong = Vec::new();
        if finished.code != Some(check.exit) {
            wrong.push(format!("exit {:?} for {}", finished.code, check.exit));
        }
        match serde_json::from_slice(&finished.stdout) {
            Ok(outcome) => check.compare(&outcome, &mut wrong),
            Err(_) => wrong.push(String::from_utf8_lossy(&finished.stderr).into_owned()),
        }
        Ok(wrong)
    }
}

impl Check {
    fn compare(&self, outcome: &Value, wrong: &mut Vec<String>) {
        for (place, expected) in &self.equal {
            let found = at(outcome, place);
            let is_fine = match (expected, &found) {
                (Value::Array(some), found) if !found.is_array() => some.contains(found),
                (expected, found) => expected == found,
            };
            if !is_fine {
                wrong.push(format!("{place} is {found} and not {expected}"));
            }
        }
        for (place, expected) in &self.contains {
            let found = at(outcome, place);
            for one in expected {
                if !found.as_array().is_some_and(|all| all.contains(one)) {
                    wrong.push(format!("{place} is {found} and lacks {one}"));
                }
            }
        }
    }
}

/// What stands at a place; `null` if there is nothing.
fn at(value: &Value, place: &str) -> Value {
    let place = place.trim_start_matches('/');
    let (first, rest) = place.split_once('/').unwrap_or((place, ""));
    match (first, value) {
        ("", value) => value.clone(),
        ("*", Value::Array(all)) => all.iter().map(|one| at(one, rest)).collect(),
        (key, Value::Object(fields)) => fields.get(key).map_or(Value::Null, |v| at(v, rest)),
        (key, Value::Array(all)) => {
            let one = key.parse().ok().and_then(|i: usize| all.get(i));
            one.map_or(Value::Null, |v| at(v, rest))
        }
        _ => Value::Null,
    }
}

/// One line for every topic, and every complaint.
pub fn table(reports: &[Report]) -> String {
    let mut topics: BTreeMap<&str, (usize, usize, usize, Duration)> = BTreeMap::new();
    let mut text = String::new();
    for report in reports {
        let topic = report.name.split('/').next().unwrap_or_default();
        let (as_expected, known, unexpected, elapsed) = topics.entry(topic).or_default();
        match (report.is_as_expected(), report.status) {
            (true, Status::KnownBug) => *known += 1,
            (true, _) => *as_expected += 1,
            (false, _) => *unexpected += 1,
        }
        *elapsed += report.elapsed;
        if !report.is_as_expected() {
            let _ = writeln!(text, "{}:", report.name);
            for complaint in &report.complaints {
                let _ = writeln!(text, "  {complaint}");
            }
            if report.complaints.is_empty() {
                let _ = writeln!(text, "  a known bug that is gone: change its status");
            }
        }
    }
    let _ = writeln!(
        text,
        "{:<12} {:>6} {:>11} {:>11} {:>9}",
        "topic", "pass", "known bugs", "unexpected", "seconds"
    );
    for (topic, (pass, known, unexpected, elapsed)) in topics {
        let seconds = elapsed.as_secs_f64();
        let _ = writeln!(
            text,
            "{topic:<12} {pass:>6} {known:>11} {unexpected:>11} {seconds:>9.1}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_lead_through_arrays() {
        let value = json!({"a": [{"line": 1}, {"line": 2}], "b": {"c": true}});
        assert_eq!(at(&value, "/a/*/line"), json!([1, 2]));
        assert_eq!(at(&value, "/a/1/line"), json!(2));
        assert_eq!(at(&value, "/b/c"), json!(true));
        assert_eq!(at(&value, "/b/d/e"), Value::Null);
    }

    #[test]
    fn a_check_complains_about_every_difference() {
        let check: Check = toml::from_str(
            "run = \"verify\"\nexit = 1\nequal = { \"/v\" = [\"pac\", \"proved\"], \"/n\" = 3 }\n\
             contains = { \"/a\" = [1, 5] }",
        )
        .expect("a check");
        let mut wrong = Vec::new();
        check.compare(&json!({"v": "pac", "n": 3, "a": [5, 1]}), &mut wrong);
        assert!(wrong.is_empty(), "{wrong:?}");
        check.compare(&json!({"v": "error", "n": 4, "a": [5]}), &mut wrong);
        assert_eq!(wrong.len(), 3, "{wrong:?}");
    }

    #[test]
    fn a_known_bug_has_to_fail() {
        let report = |status, complaints: &[&str]| Report {
            name: "topic/case".to_owned(),
            status,
            complaints: complaints.iter().map(|&c| c.to_owned()).collect(),
            elapsed: Duration::ZERO,
        };
        assert!(report(Status::KnownBug, &["wrong"]).is_as_expected());
        assert!(!report(Status::KnownBug, &[]).is_as_expected());
        assert!(!report(Status::Pass, &["wrong"]).is_as_expected());
        assert!(table(&[report(Status::KnownBug, &[])]).contains("change its status"));
    }
}

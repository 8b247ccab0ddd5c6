//! Is the faulty line among the first that `localize --tests` names, and what would a spectrum-based ranking
//! (Ochiai's) have said with the same tests? Both answers come from one outcome: its `places` are ours, and its
//! `lines` say how many failing and passing tests come to each line.
//!
//! A folder of programs has a folder for each: `tests/` as `--tests` reads it, and `changed.txt` with a line for
//! each faulty version: its file, and the numbers of the lines that are wrong in it.

use crate::process;
use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A faulty version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    pub name: String,
    pub file: PathBuf,
    pub tests: PathBuf,
    /// The wrong lines: of the file itself if there is no other name.
    pub wrong: Vec<(Option<String>, u64)>,
}

/// The versions of all programs of a folder whose names contain the filter, in order.
pub fn versions(folder: &Path, filter: &str) -> io::Result<Vec<Version>> {
    let mut list = Vec::new();
    let mut programs: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    programs.sort();
    for program in programs {
        let Ok(text) = std::fs::read_to_string(program.join("changed.txt")) else {
            continue;
        };
        let stem = program.file_name().unwrap_or_default().to_string_lossy();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let Some(file) = words.next() else {
                continue;
            };
            let name = format!("{stem}/{}", file.split('/').next().unwrap_or(file));
            if name.contains(filter) {
                list.push(Version {
                    name,
                    file: program.join(file),
                    tests: program.join("tests"),
                    wrong: words.filter_map(wrong_line).collect(),
                });
            }
        }
    }
    Ok(list)
}

/// `12`, or `header.h:12`.
fn wrong_line(word: &str) -> Option<(Option<String>, u64)> {
    match word.split_once(':') {
        Some((file, line)) => Some((Some(file.to_owned()), line.parse().ok()?)),
        None => Some((None, word.parse().ok()?)),
    }
}

/// Where the wrong line stands.
#[derive(Clone, Debug)]
pub struct Ranks {
    pub version: Version,
    /// `None` if it is not named.
    pub ours: Option<f64>,
    /// In the order of the lines where the numbers are the same.
    pub ochiai: Option<f64>,
    /// In the middle of the lines of the same number.
    pub ochiai_middle: Option<f64>,
    pub n_failing: u64,
    pub n_passing: u64,
    pub seconds: f64,
    /// What was said, if it is no ranking.
    pub problem: Option<String>,
}

/// Asks about one version.
pub fn rank(
    idiolect: &Path,
    version: &Version,
    timeout: u32,
    flags: &[String],
) -> io::Result<Ranks> {
    let mut command = Command::new(idiolect);
    command
        .arg("localize")
        .arg(&version.file)
        .arg("--tests")
        .arg(&version.tests)
        .args(["--json", "--timeout", &timeout.to_string()])
        .args(flags);
    let limit = Duration::from_secs(u64::from(timeout) + 20);
    let (finished, seconds) = process::run_measured(&mut command, limit)?;
    let outcome: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    let count = |key: &str| outcome["statistics"][key].as_u64().unwrap_or(0);
    let places = list(&outcome["places"]);
    let lines = list(&outcome["lines"]);
    let n_failing = count("failing_tests");
    let mut ranks = Ranks {
        version: version.clone(),
        ours: ours(places, version).map(|n| n as f64),
        ochiai: None,
        ochiai_middle: None,
        n_failing,
        n_passing: count("passing_tests"),
        seconds,
        problem: None,
    };
    if n_failing > 0 {
        (ranks.ochiai, ranks.ochiai_middle) = ochiai(lines, n_failing, version);
    }
    if places.is_empty() {
        let said = outcome["guarantee"]["text"].as_str();
        let error = String::from_utf8_lossy(&finished.stderr);
        let first = error.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
        ranks.problem = Some(said.unwrap_or(first).to_owned());
    }
    Ok(ranks)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_wrong(version: &Version, file: &str, line: u64) -> bool {
    let name = Path::new(file).file_name().unwrap_or_default();
    let own = version.file.file_name().unwrap_or_default();
    (version.wrong.iter())
        .any(|(other, l)| *l == line && other.as_ref().map_or(own, std::ffi::OsStr::new) == name)
}

fn line_of(value: &Value) -> (&str, u64) {
    let line = value["line"].as_u64().unwrap_or(0);
    (value["file"].as_str().unwrap_or(""), line)
}

/// The rank of the first wrong line, each line once.
fn ours(places: &[Value], version: &Version) -> Option<usize> {
    let mut seen: Vec<(&str, u64)> = Vec::new();
    for place in places {
        let at = line_of(place);
        if !seen.contains(&at) {
            seen.push(at);
        }
    }
    let rank = seen.iter().position(|(f, l)| is_wrong(version, f, *l))?;
    Some(rank + 1)
}

/// The same by Ochiai's number: in the order of lines, and in the middle of equal ones.
fn ochiai(lines: &[Value], n_failing: u64, version: &Version) -> (Option<f64>, Option<f64>) {
    let mut scored: Vec<(f64, (&str, u64))> = Vec::new();
    for line in lines {
        let count = |key: &str| line[key].as_u64().unwrap_or(0) as f64;
        let (failing, passing) = (count("failing"), count("passing"));
        if failing > 0.0 {
            let score = failing / (n_failing as f64 * (failing + passing)).sqrt();
            scored.push((score, line_of(line)));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let first = scored
        .iter()
        .position(|(_, (f, l))| is_wrong(version, f, *l));
    let Some(first) = first else {
        return (None, None);
    };
    let own = scored[first].0;
    let better = scored.iter().filter(|s| s.0 > own).count();
    let same = scored.iter().filter(|s| s.0 == own).count();
    let middle = better as f64 + (same as f64 + 1.0) / 2.0;
    (Some(first as f64 + 1.0), Some(middle))
}

/// One row a version, and how often the wrong line is among the first.
pub fn table(ranks: &[Ranks]) -> String {
    let mut text = format!(
        "{:<18} {:>6} {:>8} {:>8} {:>7} {:>7} {:>7}\n",
        "version", "ours", "ochiai", "middle", "failing", "passing", "s"
    );
    let shown = |rank: Option<f64>| rank.map_or("-".to_owned(), |r| format!("{r}"));
    for r in ranks {
        let _ = writeln!(
            text,
            "{:<18} {:>6} {:>8} {:>8} {:>7} {:>7} {:>7.2}  {}",
            r.version.name,
            shown(r.ours),
            shown(r.ochiai),
            shown(r.ochiai_middle),
            r.n_failing,
            r.n_passing,
            r.seconds,
            r.problem.as_deref().unwrap_or("")
        );
    }
    let failing: Vec<&Ranks> = ranks.iter().filter(|r| r.n_failing > 0).collect();
    let _ = writeln!(
        text,
        "{} versions, {} with a failing test; the wrong line among the first 1, 3, 5, 10, and named:",
        ranks.len(),
        failing.len()
    );
    type Which = fn(&Ranks) -> Option<f64>;
    let rows: [(&str, Which); 3] = [
        ("ours", |r| r.ours),
        ("Ochiai", |r| r.ochiai),
        ("Ochiai, middle", |r| r.ochiai_middle),
    ];
    for (name, which) in rows {
        let among = |most: f64| {
            let found = failing
                .iter()
                .filter(|r| which(r).is_some_and(|n| n <= most));
            found.count()
        };
        let counts = [1.0, 3.0, 5.0, 10.0, f64::INFINITY].map(among);
        let _ = writeln!(text, "{name:<15} {counts:?}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn version() -> Version {
        Version {
            name: "p/v1".to_owned(),
            file: PathBuf::from("p/v1/p.c"),
            tests: PathBuf::from("p/tests"),
            wrong: vec![(None, 7), (Some("p.h".to_owned()), 3)],
        }
    }

    #[test]
    fn a_line_counts_once_and_in_its_own_file() {
        let place = |file: &str, line: u64| json!({"file": file, "line": line});
        let places = [
            place("x/p.c", 5),
            place("x/p.c", 5),
            place("x/p.h", 7),
            place("x/p.c", 7),
        ];
        assert_eq!(ours(&places, &version()), Some(3));
        assert_eq!(ours(&places[..3], &version()), None);
    }

    #[test]
    fn equal_numbers_are_ranked_in_order_and_in_the_middle() {
        let line = |line: u64, failing: u64, passing: u64| json!({"file": "p.c", "line": line, "failing": failing, "passing": passing});
        let lines = [
            line(1, 2, 10),
            line(6, 2, 1),
            line(7, 2, 1),
            line(8, 2, 1),
            line(9, 2, 0),
        ];
        assert_eq!(ochiai(&lines, 2, &version()), (Some(3.0), Some(3.0)));
        assert_eq!(ochiai(&lines[2..], 2, &version()), (Some(2.0), Some(2.5)));
        assert_eq!(ochiai(&lines[..2], 2, &version()), (None, None));
    }
}

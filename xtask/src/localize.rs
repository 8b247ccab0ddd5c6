//! The seed's Table 1 for a folder of programs, and our own programs with one seeded fault each: is the
//! faulty line among those that `idiolect localize` shows, and how much of the trace does it show?

use crate::process;
use crate::published::Published;
use crate::verdicts::Task;
use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A program of `corpus/faults` with what its TOML file says.
#[derive(Clone, Debug)]
pub struct Fault {
    pub file: PathBuf,
    /// The line of the wrong assignment.
    pub line: u64,
    /// Whether some constant in its place would block the trace.
    pub is_simple: bool,
    pub arguments: Vec<String>,
}

/// The programs of `corpus/faults`.
pub fn faults() -> io::Result<Vec<Fault>> {
    let folder = crate::root().join("corpus/faults");
    let mut list = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let field = |name: &str| {
            text.lines()
                .filter_map(|line| line.split_once('='))
                .find(|(key, _)| key.trim() == name)
                .map(|(_, value)| value.trim().trim_matches('"').to_owned())
        };
        let line = field("line").and_then(|l| l.parse().ok());
        let bad = || io::Error::other(format!("{} has no line", path.display()));
        let mut arguments = Vec::new();
        if let Some(properties) = field("property") {
            arguments.extend(["--property".to_owned(), properties]);
        }
        list.push(Fault {
            file: path.with_extension("c"),
            line: line.ok_or_else(bad)?,
            is_simple: field("simple").as_deref() == Some("true"),
            arguments,
        });
    }
    list.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(list)
}

/// What was seen of one seeded fault.
#[derive(Clone, Debug)]
pub struct Seen {
    pub fault: Fault,
    pub outcome: Value,
    pub is_relevant: bool,
    pub is_shown: bool,
    pub is_in_slice: bool,
    /// Of the statements of the trace: those that are relevant, those that are shown of them, and the
    /// assignments that a dynamic slice has.
    pub relevant_share: f64,
    pub share: f64,
    pub slice_share: f64,
}

pub fn look_at(idiolect: &Path, fault: &Fault) -> io::Result<Seen> {
    let output = Command::new(idiolect)
        .arg("localize")
        .arg(&fault.file)
        .args(&fault.arguments)
        .args(["--json", "--no-timing"])
        .output()?;
    let outcome: Value = serde_json::from_slice(&output.stdout).map_err(io::Error::other)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let statements = list(&outcome["traces"][0]["statements"]);
    let is_here = |s: &Value| s["line"].as_u64() == Some(fault.line);
    let is_assigning = |s: &&Value| s["assigning"] == true;
    let n = statements.len().max(1) as f64;
    let assigning: Vec<&Value> = statements.iter().filter(is_assigning).collect();
    let relevant = assigning.iter().filter(|s| s["relevant"] == true).count();
    let shown = outcome["statistics"]["shown"].as_u64().unwrap_or(0);
    let here: Vec<Value> = list(&outcome["relevant"])
        .into_iter()
        .filter(is_here)
        .collect();
    let in_slice: Vec<&&Value> = assigning.iter().filter(|s| s["in_slice"] == true).collect();
    Ok(Seen {
        is_relevant: !here.is_empty(),
        is_shown: here.iter().any(|s| s["shown"] == true),
        is_in_slice: in_slice.iter().any(|s| is_here(s)),
        relevant_share: relevant as f64 / n,
        share: shown as f64 / n,
        slice_share: in_slice.len() as f64 / n,
        fault: fault.clone(),
        outcome,
    })
}

/// The seeded faults as a table; the last line has the averages.
pub fn fault_table(seen: &[Seen]) -> String {
    let mut text = format!(
        "{:<16} {:>13} {:>6} {:>8} {:>5} {:>5} | {:>10} {:>8} {:>5} {:>5} | {:>10} {:>7} {:>7}\n",
        "program",
        "verdict",
        "simple",
        "relevant",
        "shown",
        "slice",
        "statements",
        "relevant",
        "shown",
        "slice",
        "relevant %",
        "shown %",
        "slice %"
    );
    let yes = |b: bool| if b { "yes" } else { "no" };
    for s in seen {
        let stem = s.fault.file.file_stem().unwrap_or_default();
        let count = |key: &str| s.outcome["statistics"][key].as_u64().unwrap_or(0);
        let _ = writeln!(
            text,
            "{:<16} {:>13} {:>6} {:>8} {:>5} {:>5} | {:>10} {:>8} {:>5} {:>5} | {:>10.1} {:>7.1} {:>7.1}",
            stem.to_string_lossy(),
            s.outcome["verdict"].as_str().unwrap_or("?"),
            yes(s.fault.is_simple),
            yes(s.is_relevant),
            yes(s.is_shown),
            yes(s.is_in_slice),
            count("statements"),
            count("relevant"),
            count("shown"),
            count("slice"),
            100.0 * s.relevant_share,
            100.0 * s.share,
            100.0 * s.slice_share,
        );
    }
    let simple: Vec<&Seen> = seen.iter().filter(|s| s.fault.is_simple).collect();
    let number = |f: fn(&Seen) -> bool| simple.iter().filter(|s| f(s)).count();
    let average =
        |f: fn(&Seen) -> f64| 100.0 * seen.iter().map(f).sum::<f64>() / seen.len().max(1) as f64;
    let _ = writeln!(
        text,
        "{} programs; of {} simple faults {} are relevant, {} are shown, {} are in the slice; on average \
         {:.1} % of the trace is relevant, {:.1} % is shown, {:.1} % is in the slice",
        seen.len(),
        simple.len(),
        number(|s| s.is_relevant),
        number(|s| s.is_shown),
        number(|s| s.is_in_slice),
        average(|s| s.relevant_share),
        average(|s| s.share),
        average(|s| s.slice_share),
    );
    text
}

/// What the command said of a program; null if it said nothing.
struct Answer(Value);

impl Answer {
    fn count(&self, key: &str) -> u64 {
        self.0["statistics"][key].as_u64().unwrap_or(0)
    }

    fn seconds(&self, key: &str) -> f64 {
        self.0["timing"][key].as_f64().unwrap_or(0.0)
    }
}

fn ask(idiolect: &Path, task: &Task, timeout: u32, mode: &[&str], flags: &[String]) -> Answer {
    let mut command = Command::new(idiolect);
    command
        .arg("localize")
        .args(mode)
        .args(["--json", "--timeout"]);
    command.arg(timeout.to_string()).args(flags).arg(&task.path);
    // It keeps to its budget by itself, but for the last thing that it does.
    let limit = Duration::from_secs(u64::from(timeout) + 30);
    let outcome = process::run(&mut command, &[], limit)
        .ok()
        .and_then(|f| serde_json::from_slice::<Value>(&f.stdout).ok());
    Answer(outcome.unwrap_or(Value::Null))
}

/// The columns of the seed's Table 1. Times are those that the command reports of itself; the total
/// is that of the whole process, reading C included.
pub fn table(
    idiolect: &Path,
    tasks: &[(String, Task)],
    timeout: u32,
    flags: &[String],
) -> (String, bool) {
    let mut text = format!(
        "Ours, then the paper's in brackets, where it has the program.\n\
         {:<14} {:>9} {:>12} {:>8} {:>10} {:>9} {:>9} {:>10}  {}\n",
        "program",
        "relevant",
        "statements",
        "unknown",
        "FL s",
        "find s",
        "total s",
        "iterations",
        "verdict"
    );
    let published = Published::read("localize").unwrap_or_default();
    let theirs = |name: &str, column: &str| published.beside(name, column);
    let (mut fl, mut total, mut n_done, mut share) = (0.0, 0.0, 0, 0.0);
    for (name, task) in tasks {
        let answer = ask(idiolect, task, timeout, &[], flags);
        let count = |key: &str| answer.count(key);
        let seconds = |key: &str| answer.seconds(key);
        let verdict = answer.0["verdict"].as_str().unwrap_or("no answer");
        if matches!(verdict, "relevant" | "no-simple-fix") {
            n_done += 1;
            share += count("relevant") as f64 / count("statements").max(1) as f64;
        }
        fl += seconds("localize");
        total += seconds("total");
        let why = match verdict {
            "undecided" => answer.0["guarantee"]["text"].as_str().unwrap_or(""),
            _ => "",
        };
        let _ = writeln!(
            text,
            "{name:<14} {:>9} {:>12} {:>8} {:>10.3} {:>9.3} {:>9.3} {:>10}  {verdict} {why}",
            count("relevant").to_string() + &theirs(name, "relevant"),
            count("statements").to_string() + &theirs(name, "statements"),
            count("unknown"),
            seconds("localize"),
            seconds("find"),
            seconds("total"),
            count("iterations"),
        );
    }
    let _ = writeln!(
        text,
        "{n_done} of {} localized; relevant {:.1} % of the trace on average; fault localization {fl:.2} s \
         of {total:.2} s in all ({:.1} %)",
        tasks.len(),
        100.0 * share / f64::from(n_done.max(1)),
        100.0 * fl / total.max(1e-9),
    );
    (text, n_done as usize == tasks.len())
}

/// The columns of the seed's Table 2, and how far the answers reach. True if every program got one.
pub fn table_of_all_traces(
    idiolect: &Path,
    tasks: &[(String, Task)],
    timeout: u32,
    flags: &[String],
) -> (String, bool) {
    let mut text = format!(
        "Ours, then the paper's in brackets, where it has the program.\n\
         {:<14} {:>9} {:>12} {:>8} {:>10} {:>9} {:>10} {:>12}  {}\n",
        "program",
        "relevant",
        "statements",
        "FL s",
        "danger s",
        "total s",
        "iterations",
        "error traces",
        "reach"
    );
    let published = Published::read("localize-all-traces").unwrap_or_default();
    let theirs = |name: &str, column: &str| published.beside(name, column);
    let (mut fl, mut danger, mut total) = (0.0, 0.0, 0.0);
    let (mut n_found, mut n_all) = (0, 0);
    for (name, task) in tasks {
        let answer = ask(idiolect, task, timeout, &["--all-traces"], flags);
        let count = |key: &str| answer.count(key);
        let seconds = |key: &str| answer.seconds(key);
        let reach = answer.0["guarantee"]["kind"]
            .as_str()
            .unwrap_or("no answer");
        n_found += usize::from(count("error_traces") > 0);
        n_all += usize::from(matches!(reach, "every-trace" | "every-kind" | "proved"));
        fl += seconds("fault_localization");
        danger += seconds("danger_automata");
        total += seconds("total");
        let _ = writeln!(
            text,
            "{name:<14} {:>9} {:>12} {:>8.2} {:>10.2} {:>9.2} {:>10} {:>12}  {reach}",
            count("relevant").to_string() + &theirs(name, "relevant"),
            count("statements").to_string() + &theirs(name, "statements_all"),
            seconds("fault_localization"),
            seconds("danger_automata"),
            seconds("total"),
            count("iterations"),
            count("error_traces").to_string() + &theirs(name, "error_traces"),
        );
    }
    let _ = writeln!(
        text,
        "{n_found} of {} with an error trace, {n_all} with all of them; fault localization {fl:.1} s, \
         danger automata {danger:.1} s of {total:.1} s in all",
        tasks.len(),
    );
    (text, n_found == tasks.len())
}

/// The programs of a folder, or of a list (see [`crate::verdicts::tasks`]) with the names in its first
/// column; only those with an error.
pub fn tasks(folder: &Path, list: Option<&Path>) -> io::Result<Vec<(String, Task)>> {
    let found = crate::verdicts::tasks(folder, list)?;
    let names: Vec<String> = match list {
        Some(list) => std::fs::read_to_string(list)?
            .lines()
            .skip(1)
            .filter(|l| !l.trim().is_empty())
            .map(|l| l.split(',').next().unwrap_or("").to_owned())
            .collect(),
        None => found
            .iter()
            .map(|t| {
                let stem = t.path.file_stem().unwrap_or_default().to_string_lossy();
                stem.chars().take(14).collect()
            })
            .collect(),
    };
    let pairs = names.into_iter().zip(found);
    Ok(pairs.filter(|(_, t)| t.has_error).collect())
}

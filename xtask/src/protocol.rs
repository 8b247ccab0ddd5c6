//! The tables of the study of specification mining, for the programs of `corpus/protocol`: how many
//! scenarios each has, and what becomes of the specification as an expert goes from one to the next.

use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// What an expert says of a program.
#[derive(Clone, Debug, Deserialize)]
struct Expert {
    /// When its turn is.
    order: usize,
    /// Why it breaks the specification of those before it; empty if it does not.
    reason: String,
}

#[derive(Deserialize)]
struct Told {
    expert: Expert,
}

struct Program {
    name: String,
    file: PathBuf,
    expert: Expert,
}

/// The calls that are recorded: all of the API.
const CALLS: &str = "next_event,event_time,own_selection,disown_selection,send_selection";
const SEED: &str = " own_selection(";

/// Both tables, and whether every program fared as the expert says.
pub fn tables(idiolect: &Path) -> Fallible<(String, bool)> {
    let folder = crate::root().join("corpus/protocol");
    let programs = programs(&folder)?;
    let scratch = tempfile::tempdir()?;
    let api = folder.join("api.toml");
    let specification = scratch.path().join("selection.spec");
    let mut counts = String::from(
        "Programs, places in the source that take the selection, and scenarios around them (Table 1)\n\
         program      places  scenarios\n",
    );
    let mut course = String::from(
        "Each program against what the accepted ones before it taught (Table 2)\n\
         program      verifies  reason      action\n",
    );
    let mut accepted: Vec<PathBuf> = Vec::new();
    let mut is_as_told = true;
    let mut known = Value::Null;
    let mut n_read = 0;
    for Program { name, file, expert } in &programs {
        let trace = scratch.path().join(format!("{name}.trace"));
        let recorded = run(idiolect, &["run", "--api", CALLS], &[file])?;
        std::fs::write(&trace, recorded)?;
        let mined = json(idiolect, &["mine", "--api"], &[&api, &trace])?;
        let _ = writeln!(
            counts,
            "{name:<12} {:>6} {:>10}",
            places(&std::fs::read_to_string(file)?),
            mined["scenarios"]["count"].as_u64().unwrap_or(0)
        );
        let verifies = if accepted.is_empty() {
            None
        } else {
            let checked = json(idiolect, &["check", "--spec"], &[&specification, &trace])?;
            Some(checked["verdict"] == "satisfies")
        };
        is_as_told &= verifies.is_none_or(|yes| yes == expert.reason.is_empty());
        n_read += usize::from(verifies == Some(false));
        let is_accepted = matches!(expert.reason.as_str(), "" | "too narrow");
        let _ = writeln!(
            course,
            "{name:<12} {:<9} {:<11} {}",
            match verifies {
                None => "-",
                Some(true) => "yes",
                Some(false) => "no",
            },
            if expert.reason.is_empty() {
                "-"
            } else {
                &expert.reason
            },
            if is_accepted { "accept" } else { "reject" },
        );
        if is_accepted {
            accepted.push(trace);
            known = learned(idiolect, &api, &accepted, &specification)?;
        }
    }
    let automaton = &known["specification"];
    let size = |part: &str| automaton[part].as_array().map_or(0, Vec::len);
    let _ = writeln!(
        course,
        "{} programs, {} of them accepted; {n_read} had to be looked at; the last specification has {} \
         states and {} edges",
        programs.len(),
        accepted.len(),
        size("states"),
        size("transitions"),
    );
    Ok((format!("{counts}\n{course}"), is_as_told))
}

fn programs(folder: &Path) -> Fallible<Vec<Program>> {
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|e| e == "c") {
            let told: Told =
                toml::from_str(&std::fs::read_to_string(file.with_extension("toml"))?)?;
            let name = file.file_stem().unwrap_or_default();
            programs.push(Program {
                name: name.to_string_lossy().into_owned(),
                file,
                expert: told.expert,
            });
        }
    }
    programs.sort_by_key(|p| p.expert.order);
    Ok(programs)
}

/// Calls of the seed in a source.
fn places(source: &str) -> usize {
    source.matches(SEED).count()
}

/// Mines the traces and writes the specification.
fn learned(
    idiolect: &Path,
    api: &Path,
    traces: &[PathBuf],
    specification: &Path,
) -> Fallible<Value> {
    let mut command = Command::new(idiolect);
    command.arg("mine").args(traces).arg("--api").arg(api);
    command
        .arg("--spec")
        .arg(specification)
        .args(["--json", "--no-timing"]);
    Ok(serde_json::from_slice(&command.output()?.stdout)?)
}

/// The last of the arguments is an option that takes the first file.
fn json(idiolect: &Path, arguments: &[&str], files: &[&Path]) -> Fallible<Value> {
    let (option, rest) = arguments.split_last().ok_or("no command")?;
    let mut command = Command::new(idiolect);
    command
        .args(rest)
        .args(["--json", "--no-timing"])
        .arg(option)
        .args(files);
    Ok(serde_json::from_slice(&command.output()?.stdout)?)
}

fn run(idiolect: &Path, arguments: &[&str], files: &[&PathBuf]) -> Fallible<Vec<u8>> {
    let output = Command::new(idiolect)
        .args(arguments)
        .args(files)
        .output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}

//! Time to verdict against CBMC, on the same programs and at the same bound.
//!
//! With `--engine bmc` we get the bound at which we find the error as `--unwind`, and try the smaller ones 1, 2, 4, …
//! first, as always; the default engines are told nothing. CBMC gets the least of some bounds from ours on at which it finds one (a loop
//! whose number of rounds is constant counts for it and not for us), and need not try others.
//! Processor time of whole processes, interleaved: on a machine that does other things as well, time
//! of the clock says little.

use super::{Pair, table};
use crate::process;
use crate::verdicts::{self, Task};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const LIMIT: Duration = Duration::from_secs(120);

/// Prints a table for the default engines and one for `--engine bmc`. Returns whether our geometric means are at most that of CBMC.
#[allow(clippy::print_stdout)]
pub fn run(idiolect: &Path, folder: &Path, list: &Path, repetitions: usize) -> Fallible<bool> {
    if !process::is_installed("cbmc") {
        return Err("`cbmc` is not on PATH; https://github.com/diffblue/cbmc".into());
    }
    let version = Command::new("cbmc").arg("--version").output()?;
    println!("cbmc {}", String::from_utf8_lossy(&version.stdout).trim());
    let mut pairs = [Vec::new(), Vec::new()];
    for task in verdicts::tasks(folder, Some(list))? {
        let both = compare(idiolect, folder, &task, repetitions)?;
        for (all, pair) in pairs.iter_mut().zip(both) {
            all.push(pair);
        }
    }
    let mut is_faster = true;
    for (what, pairs) in ["the default engines", "`--engine bmc`"].iter().zip(&pairs) {
        println!("{what}\n{}", table("cbmc", pairs));
        let factors: Vec<f64> = pairs.iter().map(Pair::factor).collect();
        is_faster &= crate::stats::geometric_mean(&factors) >= 1.0;
    }
    Ok(is_faster)
}

/// What CBMC may need more than we do.
const MORE: [u64; 10] = [0, 1, 2, 3, 5, 8, 12, 20, 50, 110];

fn compare(idiolect: &Path, root: &Path, task: &Task, repetitions: usize) -> Fallible<[Pair; 2]> {
    let (bound, _) = ours(idiolect, task, None)?;
    let mut their_bound = None;
    for more in MORE {
        if theirs(task, bound + more)?.0 {
            their_bound = Some(bound + more);
            break;
        }
    }
    let relative = task.path.strip_prefix(root).unwrap_or(&task.path);
    let mut case = relative.display().to_string();
    case.truncate(case.find("-unreach").unwrap_or(case.len()));
    let note = match their_bound {
        Some(theirs) => format!("bounds {bound} and {theirs}"),
        None => format!("bounds {bound} and {bound}: cbmc finds no error"),
    };
    let new = || Pair {
        case: case.clone(),
        note: note.clone(),
        ..Pair::default()
    };
    let [mut by_default, mut by_bmc] = [new(), new()];
    for _ in 0..repetitions {
        by_default.ours.push(by_all(idiolect, task)?);
        by_bmc.ours.push(ours(idiolect, task, Some(bound))?.1);
        let seconds = theirs(task, their_bound.unwrap_or(bound))?.1;
        by_default.theirs.push(seconds);
        by_bmc.theirs.push(seconds);
    }
    Ok([by_default, by_bmc])
}

/// Processor time of the default engines, which find the error.
fn by_all(idiolect: &Path, task: &Task) -> Fallible<f64> {
    let mut command = Command::new(idiolect);
    command.args(["verify", "--json", "--data-model", "ILP32"]);
    let (finished, seconds) = process::run_measured(command.arg(&task.path), LIMIT)?;
    let outcome: Value = serde_json::from_slice(&finished.stdout)?;
    match outcome["verdict"].as_str() {
        Some("error") => Ok(seconds),
        _ => Err(format!("{}: {}", task.path.display(), outcome["verdict"]).into()),
    }
}

/// The bound at which we find the error, and processor time.
fn ours(idiolect: &Path, task: &Task, bound: Option<u64>) -> Fallible<(u64, f64)> {
    let mut command = Command::new(idiolect);
    command.args([
        "verify",
        "--engine",
        "bmc",
        "--json",
        "--data-model",
        "ILP32",
    ]);
    if let Some(bound) = bound {
        command.args(["--unwind", &bound.max(1).to_string()]);
    }
    let (finished, seconds) = process::run_measured(command.arg(&task.path), LIMIT)?;
    let outcome: Value = serde_json::from_slice(&finished.stdout)?;
    match (
        outcome["verdict"].as_str(),
        outcome["statistics"]["unwind"].as_u64(),
    ) {
        (Some("error"), Some(unwind)) => Ok((unwind, seconds)),
        _ => Err(format!("{}: {}", task.path.display(), outcome["verdict"]).into()),
    }
}

/// Whether CBMC finds an error, and processor time. Only assertions count, as for us.
fn theirs(task: &Task, bound: u64) -> Fallible<(bool, f64)> {
    let mut command = Command::new("cbmc");
    command.args(["--32", "--no-standard-checks", "--error-label", "ERROR"]);
    command.args(["--unwind", &bound.to_string(), "--no-unwinding-assertions"]);
    let (finished, seconds) = process::run_measured(command.arg(&task.path), LIMIT)?;
    // 10: verification failed, 0: successful. Everything else is no verdict.
    match finished.code {
        Some(10) => Ok((true, seconds)),
        Some(0) => Ok((false, seconds)),
        _ => Err(format!(
            "cbmc gives no verdict on {}: {}",
            task.path.display(),
            String::from_utf8_lossy(&finished.stderr)
        )
        .into()),
    }
}

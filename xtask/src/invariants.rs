//! The seed's Table 1 for the programs of `corpus/linear`, next to the paper's columns.

use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::Command;

/// The table, and whether every row was learned. `flags` are for `idiolect invariants`, such as
/// `--no-prove`.
pub fn table(idiolect: &Path, flags: &[String]) -> io::Result<(String, bool)> {
    let folder = crate::root().join("corpus/linear");
    let rows = std::fs::read_to_string(folder.join("rows.csv"))?;
    let mut text = String::from(
        "Ours, then the paper's in brackets. Queries are those for the row's quantified variables.\n\n\
         | example | inputs | Eq | Mem | states | elastified | proof | learn s | prove s | peak MB |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut formulas = String::new();
    let (mut learn, mut prove, mut is_complete) = (0.0, 0.0, true);
    let mut most = 0.0f64;
    for line in rows.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(14, ',').collect();
        let [
            example,
            section,
            file,
            function,
            point,
            quantified,
            lengths,
            values,
            ..,
        ] = cells[..]
        else {
            return Err(io::Error::other(format!("not a row: {line}")));
        };
        if cells.len() != 14 {
            return Err(io::Error::other(format!("not a row: {line}")));
        }
        let length = lengths.rsplit("..").next().unwrap_or("5");
        let mut command = Command::new(idiolect);
        command
            .arg("invariants")
            .arg(folder.join(file))
            .args(["--function", function, "--quantified", quantified])
            .args(["--length", length, "--values", values, "--json"])
            .args(flags);
        let assumptions = cells[13].trim_matches('"').split(';').map(str::trim);
        for assumption in assumptions.filter(|a| !a.is_empty()) {
            command.args(["--assume", assumption]);
        }
        let output = command.output()?;
        let outcome: Value = serde_json::from_slice(&output.stdout).map_err(io::Error::other)?;
        let seconds = |phase: &str| outcome["timing"][phase].as_f64().unwrap_or(0.0);
        learn += seconds("learn");
        prove += seconds("prove");
        let megabytes = seconds("peak_memory_bytes") / 1e6;
        most = most.max(megabytes);
        let found = find(&outcome, point);
        is_complete &= found["formula"].is_string();
        let statistics = &found["statistics"];
        let elastified = match found["elastified"].as_bool() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "?",
        };
        let mark = if section == "precondition" {
            " (pre)"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "| {example}{mark} | {} [{}] | {} [{}] | {} [{}] | {} [{}] | {elastified} [{}] | {} | {:.3} | {:.3} | {megabytes:.0} |",
            outcome["statistics"]["runs"],
            cells[8],
            statistics["equivalence_queries"],
            cells[9],
            statistics["membership_queries"],
            cells[10],
            statistics["states"],
            cells[11],
            cells[12],
            found["proof"].as_str().unwrap_or("?"),
            seconds("learn"),
            seconds("prove"),
        );
        let formula = found["formula"]
            .as_str()
            .unwrap_or("nothing")
            .replace('\n', " ");
        let _ = writeln!(formulas, "{example}{mark}: {formula}");
    }
    let _ = writeln!(
        text,
        "\nlearning {learn:.2} s, proving {prove:.2} s, at most {most:.0} MB\n\n{formulas}"
    );
    let reasons = std::fs::read_to_string(folder.join("differences.txt"))?;
    text += "\nWhere states or elastification differ from the paper's:\n\n";
    for line in reasons.lines().filter(|l| !l.starts_with('#')) {
        text +=
            &difference(line).ok_or_else(|| io::Error::other(format!("not a reason: {line}")))?;
    }
    Ok((text, is_complete))
}

/// A line of `differences.txt`: the reason, or one more experiment, with what it gives.
fn difference(line: &str) -> Option<String> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [example, section, change, states, before, elastified, why] = cells[..] else {
        return None;
    };
    let mark = match section {
        "precondition" => " (pre)",
        _ => "",
    };
    let change = if change.is_empty() {
        "as it is"
    } else {
        change
    };
    let result = format!("{change}: {states} states, {before} before, elastified {elastified}");
    Some(if why.is_empty() {
        format!("    tried too: {result}\n")
    } else {
        format!("{example}{mark}: {why} ({result})\n")
    })
}

/// The point that a row speaks of: `entry`, `exit`, or `loop N` in the order of the text.
fn find<'v>(outcome: &'v Value, point: &str) -> &'v Value {
    let (kind, n) = match point.split_once(' ') {
        Some((kind, n)) => (kind, n.parse().unwrap_or(1) - 1),
        None => (point, 0),
    };
    let points = outcome["points"].as_array().into_iter().flatten();
    let mut points = points.filter(|p| p["kind"] == kind);
    points.nth(n).unwrap_or(&Value::Null)
}

//! One encoding that is asked many times, against one encoding for each question, in one process
//! and in processes of their own; and how encodings grow with the bound.

use crate::stats::median;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const QUESTIONS: u32 = 1000;
/// So many processes are started, and their time is scaled to all questions.
const PROCESSES: u32 = 50;
const LEAST_AGAINST_ENCODING: f64 = 10.0;
const LEAST_AGAINST_PROCESSES: f64 = 100.0;

/// Prints the table. Returns whether the targets are met.
#[allow(clippy::print_stdout)]
pub fn run(repetitions: usize) -> Fallible<bool> {
    let example = build()?;
    let (mut once, mut each, mut processes) = (Vec::new(), Vec::new(), Vec::new());
    let mut members = Vec::new();
    for _ in 0..repetitions {
        let (seconds, n) = measured(&example, "once", QUESTIONS)?;
        once.push(seconds);
        members.push(n);
        let (seconds, n) = measured(&example, "each", QUESTIONS)?;
        each.push(seconds);
        members.push(n);
        let start = Instant::now();
        for i in 0..PROCESSES {
            measured(&example, "word", i)?;
        }
        let factor = f64::from(QUESTIONS) / f64::from(PROCESSES);
        processes.push(start.elapsed().as_secs_f64() * factor);
    }
    if members.iter().any(|&n| n != members[0]) {
        return Err(format!("the ways disagree on what is a member: {members:?}").into());
    }
    let (once, each, processes) = (median(&once), median(&each), median(&processes));
    println!(
        "{QUESTIONS} membership questions on a bubble sort of 5 elements, {} members; medians of \
         {repetitions}:",
        members[0]
    );
    println!("one encoding, asked by assumption {once:>10.4} s");
    println!(
        "one encoding for each question    {each:>10.4} s  {:>8.1} times slower, wanted {LEAST_AGAINST_ENCODING}",
        each / once
    );
    println!(
        "one process for each question     {processes:>10.4} s  {:>8.1} times slower, wanted \
         {LEAST_AGAINST_PROCESSES} ({PROCESSES} processes, scaled)",
        processes / once
    );
    println!("\nGrowth of encodings:");
    println!("{}", output(&example, "growth", 0)?);
    Ok(each / once >= LEAST_AGAINST_ENCODING && processes / once >= LEAST_AGAINST_PROCESSES)
}

pub fn build() -> Fallible<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "idiolect-symex",
    ];
    let status = Command::new(cargo)
        .args(arguments)
        .args(["--example", "membership"])
        .current_dir(crate::root())
        .status()?;
    if status.success() {
        Ok(crate::root().join("target/release/examples/membership"))
    } else {
        Err("the example does not build".into())
    }
}

fn output(example: &PathBuf, what: &str, number: u32) -> Fallible<String> {
    let output = Command::new(example)
        .arg(what)
        .arg(number.to_string())
        .output()?;
    if !output.status.success() {
        return Err(format!("`membership {what}` failed").into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Seconds and members.
fn measured(example: &PathBuf, what: &str, number: u32) -> Fallible<(f64, u32)> {
    let text = output(example, what, number)?;
    let mut lines = text.lines();
    let mut next = || lines.next().ok_or("a line is missing");
    Ok((next()?.parse()?, next()?.parse()?))
}

//! Recording against `strace`, and mining against its own bounds.
//!
//! What recording adds to a call is measured inside the program: a loop of cheap calls, alone,
//! recorded by us, and under `strace`, in turns. Ours is all in the program's own processor time;
//! `strace` is another process, so for it the clock is what counts. Mining runs in one process on one core, on a
//! synthetic trace that is made while it is read.

use crate::process::is_installed;
use crate::stats::{median, quartiles};
use std::path::Path;
use std::process::{Command, Stdio};

/// Recording adds at most this to a call.
const MOST_NANOSECONDS: f64 = 3000.0;
const CALLS: u32 = 400_000;
/// Under `strace` a call takes long.
const CALLS_UNDER_STRACE: u32 = 20_000;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Prints the tables. Returns whether the targets are met.
#[allow(clippy::print_stdout)]
pub fn run(idiolect: &Path, repetitions: usize) -> Fallible<bool> {
    let scratch = crate::root().join("target/ratio-mine");
    std::fs::create_dir_all(&scratch)?;
    let program = scratch.join("calls");
    let built = Command::new("cc")
        .args(["-O1", "-o"])
        .arg(&program)
        .arg(crate::root().join("bench/trace/calls.c"))
        .status()?;
    if !built.success() {
        return Err("bench/trace/calls.c does not compile".into());
    }
    let (mut alone, mut ours, mut theirs) = (Times::default(), Times::default(), Times::default());
    let has_strace = is_installed("strace");
    for _ in 0..repetitions {
        alone.measure(&mut Command::new(&program), CALLS)?;
        let mut traced = Command::new(idiolect);
        traced.args(["trace", "--api", "socket", "-q", "-o"]);
        traced.arg(scratch.join("calls.trace")).arg("--");
        ours.measure(traced.arg(&program), CALLS)?;
        if has_strace {
            let mut traced = Command::new("strace");
            traced.args(["-f", "-ttt", "-o"]);
            traced.arg(scratch.join("calls.strace")).arg(&program);
            theirs.measure(&mut traced, CALLS_UNDER_STRACE)?;
        }
    }
    println!("A call of the loop in nanoseconds, median and quartiles: processor time, clock");
    alone.show("alone");
    ours.show("idiolect trace");
    if has_strace {
        theirs.show("strace -f -ttt");
    }
    let added = median(&ours.processor) - median(&alone.processor);
    println!(
        "Recording adds {added:.0} ns of processor time to a call; the target is \
         {MOST_NANOSECONDS:.0}."
    );
    if has_strace {
        let base = median(&alone.clock);
        let factor = (median(&theirs.clock) - base) / (median(&ours.clock) - base);
        println!("On the clock, strace adds {factor:.1} times as much.");
    }
    println!();
    let mined = Command::new("cargo")
        .args(["run", "--release", "--quiet", "--package", "idiolect-mine"])
        .args(["--example", "throughput", "--", "10000000"])
        .current_dir(crate::root())
        .status()?;
    Ok(added <= MOST_NANOSECONDS && mined.success())
}

/// What the program reports about one call.
#[derive(Default)]
struct Times {
    processor: Vec<f64>,
    clock: Vec<f64>,
}

impl Times {
    fn measure(&mut self, command: &mut Command, calls: u32) -> Fallible<()> {
        let output = command
            .arg(calls.to_string())
            .stderr(Stdio::piped())
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let mut numbers = text.split_whitespace().filter_map(|n| n.parse().ok());
        match (numbers.next(), numbers.next()) {
            (Some(processor), Some(clock)) => {
                self.processor.push(processor);
                self.clock.push(clock);
                Ok(())
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stderr);
                Err(format!("the loop did not say how long it took: {said}").into())
            }
        }
    }

    #[allow(clippy::print_stdout)]
    fn show(&self, name: &str) {
        let one = |times: &[f64]| {
            let (low, high) = quartiles(times);
            format!("{:>8.0} ({low:.0}-{high:.0})", median(times))
        };
        println!("{name:<16} {} {}", one(&self.processor), one(&self.clock));
    }
}

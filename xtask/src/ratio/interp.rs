//! The interpreter against compiled code and against CPython, on the kernels of `bench/kernels`.
//!
//! Times are processor time (user and system) of whole processes, because other work on the machine
//! stretches the clock of long runs more than that of short ones. What each side needs before the
//! kernel starts is measured in the same rounds and subtracted: our front end, CPython's start, and
//! an empty compiled program. The front end is shown apart.

use super::{Pair, table};
use crate::process;
use crate::stats::median;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const KERNELS: [&str; 5] = ["sort", "sieve", "matmul", "list", "recursion"];
/// At most so many times slower than `cc -O0`.
const MOST_SLOWER: f64 = 40.0;
/// At least so many times faster than CPython.
const LEAST_FASTER: f64 = 5.0;
const LEAST_RUNS_PER_SECOND: f64 = 100_000.0;
const LEAST_LINES_PER_MINUTE: f64 = 1_000_000.0;
const TINY_RUNS: u32 = 200_000;
/// Functions of the large file, of ten lines each.
const LARGE_FUNCTIONS: usize = 20_000;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Prints the tables. Returns whether the targets are met.
#[allow(clippy::print_stdout)]
pub fn run(idiolect: &Path, repetitions: usize) -> Fallible<bool> {
    let kernels = crate::root().join("bench/kernels");
    let scratch = crate::root().join("target/ratio-interp");
    std::fs::create_dir_all(&scratch)?;
    let empty = scratch.join("empty");
    std::fs::write(scratch.join("empty.c"), "int main(void) { return 0; }\n")?;
    compile(&scratch.join("empty.c"), &empty)?;
    let mut rows = Vec::new();
    for name in KERNELS {
        let kernel = Kernel::prepare(&kernels, &scratch, name)?;
        rows.push(kernel.measure(idiolect, &empty, repetitions)?);
    }

    println!("Against `cc -O0`, in seconds of processor time; a factor below 1 is a loss:");
    let pairs = rows
        .iter()
        .map(|row| row.pair(&row.compiled, true))
        .collect::<Vec<_>>();
    println!("{}", table("cc -O0", &pairs));
    let slowest = pairs.iter().map(|p| 1.0 / p.factor()).fold(0.0, f64::max);
    println!("At most {slowest:.1} times slower; the target is {MOST_SLOWER}.\n");

    println!("Against CPython:");
    let pairs = rows
        .iter()
        .map(|row| row.pair(&row.python, false))
        .collect::<Vec<_>>();
    println!("{}", table("CPython", &pairs));
    let least = pairs.iter().map(Pair::factor).fold(f64::INFINITY, f64::min);
    println!("At least {least:.2} times faster; the target is {LEAST_FASTER}.\n");

    let runs_per_second = tiny_runs(idiolect, &kernels, repetitions)?;
    println!(
        "Runs of tiny.c: {runs_per_second:.0} a second on one core; the target is {LEAST_RUNS_PER_SECOND:.0}.\n"
    );
    let lines_per_minute = front_end(idiolect, &scratch, repetitions)?;
    println!(
        "Front end: {:.1} million lines a minute on one core; the target is {:.1}.",
        lines_per_minute / 1e6,
        LEAST_LINES_PER_MINUTE / 1e6
    );
    Ok(slowest <= MOST_SLOWER
        && least >= LEAST_FASTER
        && runs_per_second >= LEAST_RUNS_PER_SECOND
        && lines_per_minute >= LEAST_LINES_PER_MINUTE)
}

/// One kernel in its three forms.
struct Kernel {
    name: &'static str,
    preprocessed: PathBuf,
    compiled: PathBuf,
    python: PathBuf,
}

/// Times of one kernel, without what comes before it.
struct Row {
    name: &'static str,
    ours: Vec<f64>,
    compiled: Vec<f64>,
    python: Vec<f64>,
    front_end: f64,
}

impl Kernel {
    fn prepare(kernels: &Path, scratch: &Path, name: &'static str) -> Fallible<Self> {
        let source = kernels.join(format!("{name}.c"));
        let compiled = scratch.join(name);
        compile(&source, &compiled)?;
        let preprocessed = scratch.join(format!("{name}.i"));
        let mut command = Command::new("cc");
        command.arg("-E").arg(&source).arg("-o").arg(&preprocessed);
        output(&mut command)?;
        Ok(Kernel {
            name,
            preprocessed,
            compiled,
            python: kernels.join(format!("{name}.py")),
        })
    }

    fn measure(&self, idiolect: &Path, empty: &Path, repetitions: usize) -> Fallible<Row> {
        let run = |limit: Option<&str>| {
            let mut command = Command::new(idiolect);
            command.args(["run", "-q"]).arg(&self.preprocessed);
            if let Some(limit) = limit {
                command.args(["--max-steps", limit]);
            }
            command
        };
        let mut columns: [Vec<f64>; 6] = Default::default();
        for _ in 0..repetitions {
            let mut outputs = Vec::new();
            let mut python = Command::new("python3");
            python.arg(&self.python);
            let mut nothing = Command::new("python3");
            nothing.args(["-c", "pass"]);
            let commands = [
                &mut run(None),
                &mut Command::new(&self.compiled),
                &mut python,
                // What comes before: the last three.
                &mut run(Some("1")),
                &mut Command::new(empty),
                &mut nothing,
            ];
            for (column, command) in columns.iter_mut().zip(commands) {
                let (seconds, text) = timed(command)?;
                column.push(seconds);
                outputs.push(text);
            }
            let ours = String::from_utf8_lossy(&outputs[0]);
            let theirs = String::from_utf8_lossy(&outputs[1]);
            let same = ours.lines().any(|line| line.trim() == theirs.trim());
            if !same || outputs[1] != outputs[2] {
                let name = self.name;
                return Err(format!("{name}: the outputs differ: {outputs:?}").into());
            }
        }
        let [ours, compiled, python, front_end, nothing, start] = columns;
        let without = |times: Vec<f64>, before: f64| {
            times.into_iter().map(|t| (t - before).max(1e-6)).collect()
        };
        let front_end = median(&front_end);
        Ok(Row {
            name: self.name,
            ours: without(ours, front_end),
            compiled: without(compiled, median(&nothing)),
            python: without(python, median(&start)),
            front_end,
        })
    }
}

impl Row {
    fn pair(&self, theirs: &[f64], shows_slower: bool) -> Pair {
        let mut pair = Pair {
            case: self.name.to_owned(),
            ours: self.ours.clone(),
            theirs: theirs.to_vec(),
            note: String::new(),
        };
        pair.note = if shows_slower {
            format!(
                "{:.1} times slower; front end {:.4} s",
                1.0 / pair.factor(),
                self.front_end
            )
        } else {
            String::new()
        };
        pair
    }
}

/// Runs of a small program on random inputs, for each second of processor time.
fn tiny_runs(idiolect: &Path, kernels: &Path, repetitions: usize) -> Fallible<f64> {
    let mut rates = Vec::new();
    for _ in 0..repetitions {
        let mut times = [0.0; 2];
        for (time, runs) in times.iter_mut().zip([TINY_RUNS, 1]) {
            let mut command = Command::new(idiolect);
            command.args(["run", "-q", "--runs", &runs.to_string()]);
            *time = timed(command.arg(kernels.join("tiny.c")))?.0;
        }
        rates.push(f64::from(TINY_RUNS - 1) / (times[0] - times[1]).max(1e-6));
    }
    Ok(median(&rates))
}

/// Lines of preprocessed C that the front end takes in a minute.
fn front_end(idiolect: &Path, scratch: &Path, repetitions: usize) -> Fallible<f64> {
    let text = large_file();
    let n_lines = text.lines().count() as f64;
    let path = scratch.join("large.i");
    std::fs::write(&path, text)?;
    let mut rates = Vec::new();
    for _ in 0..repetitions.min(5) {
        let mut command = Command::new(idiolect);
        command.args(["run", "-q", "--max-steps", "1"]).arg(&path);
        rates.push(n_lines / timed(&mut command)?.0 * 60.0);
    }
    Ok(median(&rates))
}

/// Functions with the usual loops, records, pointers and conversions.
fn large_file() -> String {
    let mut text = String::from("struct item { int key; long sum; struct item *next; };\n");
    for i in 0..LARGE_FUNCTIONS {
        let _ = write!(
            text,
            "static long f{i}(struct item *list, const unsigned char *bytes, int n)\n{{\n    \
             long total = {i};\n    int k;\n    for (k = 0; k < n && list != 0; k++) {{\n        \
             total += list->sum * (bytes[k] - {i});\n        \
             list->key = (int)(total >> (k & 7)) ^ list->key;\n        \
             list = list->next;\n    }}\n    return total;\n}}\n"
        );
    }
    text.push_str("int main(void) { return (int)f0(0, 0, 0); }\n");
    text
}

fn compile(source: &Path, to: &Path) -> Fallible<()> {
    let mut command = Command::new("cc");
    output(command.arg("-O0").arg(source).arg("-o").arg(to))?;
    Ok(())
}

/// Processor time and standard output of a command.
fn timed(command: &mut Command) -> Fallible<(f64, Vec<u8>)> {
    let (finished, seconds) = process::run_measured(command, Duration::from_secs(300))?;
    Ok((seconds, output_of(command, finished)?))
}

fn output(command: &mut Command) -> Fallible<Vec<u8>> {
    let finished = process::run(command, b"", Duration::from_secs(300))?;
    output_of(command, finished)
}

fn output_of(command: &Command, finished: process::Finished) -> Fallible<Vec<u8>> {
    // 3 is our answer to a limit that was reached.
    if finished.timed_out || !matches!(finished.code, Some(0 | 3)) {
        let stderr = String::from_utf8_lossy(&finished.stderr);
        return Err(format!("{command:?} failed: {stderr}").into());
    }
    Ok(finished.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_large_file_has_the_lines_it_is_measured_by() {
        assert_eq!(large_file().lines().count(), 11 * LARGE_FUNCTIONS + 2);
    }

    #[test]
    fn a_command_that_fails_is_no_measurement() {
        assert!(timed(&mut Command::new("false")).is_err());
    }
}

//! How sizes, times and memory grow: encodings with the bound and with the length of an array, learners
//! with the states of the target and its alphabet, mining with the length of a trace, the interpreter
//! with the steps of a run and the number of inputs, localizing with the length of a run, explaining
//! with the length of words. Seconds are processor time of whole processes, the least of three, without
//! what a process needs for next to nothing; so is memory.

use crate::plot::{Panel, Series, svg};
use crate::process;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const REPETITIONS: usize = 3;
/// Sizes grow at most like this power of what they grow with, and times like this one.
const LINEAR: f64 = 1.2;

/// Measures, writes `FOLDER/growth.svg` and prints the numbers. Returns whether what has to be linear
/// is.
#[allow(clippy::print_stdout)]
pub fn run(idiolect: &Path, folder: &Path) -> Fallible<bool> {
    let scratch = crate::root().join("target/growth");
    std::fs::create_dir_all(&scratch)?;
    let (sizes, times) = encodings()?;
    let linear = [
        Panel {
            title: "Encodings: size".to_owned(),
            x: "unwindings, or length of the array".to_owned(),
            y: "terms".to_owned(),
            series: sizes,
        },
        Panel {
            title: "Encodings: time".to_owned(),
            x: "unwindings, or length of the array".to_owned(),
            y: "seconds".to_owned(),
            series: times,
        },
        Panel {
            title: "Interpreter".to_owned(),
            x: "rounds of a loop".to_owned(),
            y: "seconds".to_owned(),
            series: vec![interpreter(idiolect, &scratch)?],
        },
        Panel {
            title: "Random runs".to_owned(),
            x: "runs, each on other inputs".to_owned(),
            y: "seconds".to_owned(),
            series: vec![random_runs(idiolect, &scratch)?],
        },
        Panel {
            title: "Mining".to_owned(),
            x: "interactions of a trace".to_owned(),
            y: "seconds".to_owned(),
            series: vec![
                mining(idiolect, &scratch, 1)?,
                mining(idiolect, &scratch, 100)?,
            ],
        },
        Panel {
            title: "Localizing".to_owned(),
            x: "rounds of a failing run".to_owned(),
            y: "seconds".to_owned(),
            series: vec![localizing(idiolect, &scratch)?],
        },
        Panel {
            title: "Memory".to_owned(),
            x: "unwindings, or interactions of a trace".to_owned(),
            y: "MB".to_owned(),
            series: memory(idiolect, &scratch)?,
        },
    ];
    let mut others = learners(idiolect, &scratch)?;
    others.push(Panel {
        title: "Explaining".to_owned(),
        x: "length of the longest words".to_owned(),
        y: "seconds".to_owned(),
        series: vec![explaining(idiolect, &scratch)?],
    });
    let mut text = String::new();
    for panel in linear.iter().chain(&others) {
        let _ = writeln!(text, "{}: {} by {}", panel.title, panel.y, panel.x);
        for series in &panel.series {
            let _ = writeln!(text, "  {}: exponent {:.2}", series.name, series.exponent());
            for (x, y) in &series.points {
                let _ = writeln!(text, "    {x:>10} {y:>14.4}");
            }
        }
    }
    println!("{text}");
    let path = folder.join("growth.svg");
    let panels: Vec<Panel> = linear.iter().chain(&others).cloned().collect();
    std::fs::write(&path, svg(&panels))?;
    println!("{}", path.display());
    let mut is_linear = true;
    for series in linear.iter().flat_map(|panel| &panel.series) {
        if series.exponent() > LINEAR {
            println!("not linear: {}", series.name);
            is_linear = false;
        }
    }
    Ok(is_linear)
}

/// Terms and seconds of the encodings that the example makes.
fn encodings() -> Fallible<(Vec<Series>, Vec<Series>)> {
    let example = crate::ratio::symex::build()?;
    let output = Command::new(example).arg("growth").output()?;
    let text = String::from_utf8(output.stdout)?;
    let (mut sizes, mut times): (Vec<Series>, Vec<Series>) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, x, terms, seconds] = words[..] else {
            return Err(format!("not a row of numbers: {line}").into());
        };
        for (list, y) in [(&mut sizes, terms), (&mut times, seconds)] {
            let point = (x.parse()?, y.parse()?);
            match list.iter_mut().find(|s| s.name == name) {
                Some(series) => series.points.push(point),
                None => list.push(Series {
                    name: name.to_owned(),
                    points: vec![point],
                }),
            }
        }
    }
    Ok((sizes, times))
}

/// The least processor time of a command.
fn seconds(command: &mut Command) -> Fallible<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let (finished, seconds) = process::run_measured(command, Duration::from_secs(600))?;
        if finished.timed_out || !matches!(finished.code, Some(0 | 1)) {
            let said = String::from_utf8_lossy(&finished.stderr);
            return Err(format!("{command:?} failed: {said}").into());
        }
        least = least.min(seconds);
    }
    Ok(least)
}

fn series(
    name: &str,
    sizes: &[u64],
    mut command: impl FnMut(u64) -> Fallible<Command>,
) -> Fallible<Series> {
    let start = seconds(&mut command(1)?)?;
    let mut points = Vec::new();
    for &size in sizes {
        let own = seconds(&mut command(size)?)? - start;
        points.push((size as f64, own.max(1e-4)));
    }
    Ok(Series {
        name: name.to_owned(),
        points,
    })
}

fn interpreter(idiolect: &Path, scratch: &Path) -> Fallible<Series> {
    let file = scratch.join("rounds.c");
    std::fs::write(
        &file,
        "int main(void) { unsigned s = 0; for (unsigned i = 0; i < N; i++) s += i ^ s >> 3; return s == 1; }\n",
    )?;
    let sizes = [1_000_000, 3_000_000, 10_000_000, 30_000_000];
    series("a loop", &sizes, |n| {
        let mut command = Command::new(idiolect);
        command.args(["run", "-D", &format!("N={n}")]).arg(&file);
        Ok(command)
    })
}

fn random_runs(idiolect: &Path, scratch: &Path) -> Fallible<Series> {
    let file = scratch.join("inputs.c");
    std::fs::write(
        &file,
        "extern int nondet(void);
         int main(void) { int s = 0; for (int i = 0; i < 20; i++) if (nondet() > 0) s++; return s > 30; }\n",
    )?;
    let sizes = [10_000, 30_000, 100_000, 300_000, 1_000_000];
    series("20 inputs each", &sizes, |n| {
        let mut command = Command::new(idiolect);
        command.args(["run", "--runs", &n.to_string()]).arg(&file);
        Ok(command)
    })
}

/// A run of which every round matters for the error at its end.
fn localizing(idiolect: &Path, scratch: &Path) -> Fallible<Series> {
    let file = scratch.join("failing.c");
    std::fs::write(
        &file,
        "#include <assert.h>
         extern int nondet(void);
         int main(void) { unsigned s = nondet(), t = 0;
         for (unsigned i = 0; i < N; i++) { t = s + i; s = t ^ 1; } assert(s == t); return 0; }\n",
    )?;
    series("a loop", &[100, 300, 1_000, 3_000, 10_000], |n| {
        let mut command = Command::new(idiolect);
        command
            .args(["localize", "--json", "--inputs", "3"])
            .args(["-D", &format!("N={n}")])
            .arg(&file);
        Ok(command)
    })
}

/// Every word of some length over two letters can happen, and some of each length fail.
fn explaining(idiolect: &Path, scratch: &Path) -> Fallible<Series> {
    let file = scratch.join("words.c");
    std::fs::write(
        &file,
        "#include <assert.h>
         extern int nondet(void);
         int n; void f(void) { n++; } void g(void) { n = 0; }
         int main(void) { while (nondet()) if (nondet()) f(); else g(); assert(n != 3); return 0; }\n",
    )?;
    series("two letters", &[4, 8, 16, 32], |n| {
        let mut command = Command::new(idiolect);
        let bound = n.to_string();
        command
            .args(["explain", "--json", "--unwind", &bound])
            .args(["--word-length", &bound, "--guarantee", "paper"])
            .arg(&file);
        Ok(command)
    })
}

/// Peak memory in MB, without what a process needs for next to nothing.
fn memory(idiolect: &Path, scratch: &Path) -> Fallible<Vec<Series>> {
    let peak = |command: &mut Command| -> Fallible<f64> {
        let output = command.arg("--json").output()?;
        let value: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let bytes = value["timing"]["peak_memory_bytes"].as_f64();
        Ok(bytes.ok_or("no peak memory was said")? / 1e6)
    };
    let grow = |name: &str, sizes: &[u64], command: &dyn Fn(u64) -> Fallible<Command>| {
        let start = peak(&mut command(1)?)?;
        let mut points = Vec::new();
        for &size in sizes {
            let own = peak(&mut command(size)?)? - start;
            points.push((size as f64, own.max(0.1)));
        }
        Fallible::Ok(Series {
            name: name.to_owned(),
            points,
        })
    };
    let rounds = scratch.join("unwound.c");
    std::fs::write(
        &rounds,
        "#include <assert.h>
         extern unsigned nondet(void);
         int main(void) { unsigned s = 0, n = nondet(); for (unsigned i = 0; i < n; i++) s += nondet();
         assert(n < 100000000); return s == 1; }\n",
    )?;
    Ok(vec![
        grow("verify, by unwindings", &[256, 512, 1024, 2048], &|n| {
            let mut command = Command::new(idiolect);
            command
                .args(["verify", "--engine", "bmc", "--unwind", &n.to_string()])
                .arg(&rounds);
            Ok(command)
        })?,
        grow(
            "mine, by interactions",
            &[10_000, 100_000, 1_000_000],
            &|n| {
                let file = scratch.join(format!("server-1-{n}.trace"));
                std::fs::write(&file, server_trace(n, 1))?;
                let mut command = Command::new(idiolect);
                command.args(["mine", "--api", "socket"]).arg(&file);
                Ok(command)
            },
        )?,
    ])
}

/// A trace of servers; connections come and go, `n_open` at a time.
fn mining(idiolect: &Path, scratch: &Path, n_open: u64) -> Fallible<Series> {
    let sizes = [10_000, 30_000, 100_000, 300_000, 1_000_000];
    series(&format!("{n_open} open at a time"), &sizes, |n| {
        let file = scratch.join(format!("server-{n_open}-{n}.trace"));
        std::fs::write(&file, server_trace(n, n_open))?;
        let mut command = Command::new(idiolect);
        command.args(["mine", "--api", "socket"]).arg(&file);
        Ok(command)
    })
}

fn server_trace(n: u64, n_open: u64) -> String {
    let mut text = String::from(
        "socket(domain = 2, type = 1, proto = 0, return = 7)\n\
         bind(so = 7, addr = 1, addr_len = 6, return = 0)\nlisten(so = 7, backlog = 5, return = 0)\n",
    );
    for i in 0..(n / 4).max(n_open) {
        // A descriptor is used again when its connection was closed.
        let fd = 8 + i % n_open;
        if i >= n_open {
            let _ = writeln!(text, "close(fd = {fd}, return = 0)");
        }
        let _ = writeln!(
            text,
            "accept(so = 7, addr = 1, addr_len = 6, return = {fd})\n\
             read(fd = {fd}, buf = 3, len = 255, return = 12)\n\
             write(fd = {fd}, buf = 3, len = 12, return = 12)"
        );
    }
    for i in 0..n_open {
        let _ = writeln!(text, "close(fd = {}, return = 0)", 8 + i);
    }
    text
}

fn learners(idiolect: &Path, scratch: &Path) -> Fallible<Vec<Panel>> {
    let one = |kind: &str, sizes: &[u64], by_letters: bool| {
        series(kind, sizes, |n| {
            let (states, letters) = if by_letters { (400, n) } else { (n, 4) };
            let file = random_dfa(scratch, states, letters)?;
            let mut command = Command::new(idiolect);
            command
                .args(["learn", "--json", "--learner", kind])
                .arg(file);
            Ok(command)
        })
    };
    let kinds = ["lstar", "rs", "kv", "ttt"];
    // Of smaller automata the language is shown as an expression, which takes longer than learning.
    let states = [400, 800, 1600, 3200];
    let letters = [4, 8, 16, 32];
    let panel = |title: &str, x: &str, series: Vec<Series>| Panel {
        title: title.to_owned(),
        x: x.to_owned(),
        y: "seconds".to_owned(),
        series,
    };
    Ok(vec![
        panel(
            "Learners, 4 letters",
            "states of a random automaton",
            kinds
                .iter()
                .map(|kind| one(kind, &states, false))
                .collect::<Fallible<_>>()?,
        ),
        panel(
            "Learners, 400 states",
            "letters",
            kinds
                .iter()
                .map(|kind| one(kind, &letters, true))
                .collect::<Fallible<_>>()?,
        ),
    ])
}

fn random_dfa(scratch: &Path, states: u64, letters: u64) -> Fallible<PathBuf> {
    let mut random: u64 = 1 + states * 1000 + letters;
    let mut next = |n: u64| {
        // Constants of Knuth's MMIX; the low bits of such a sequence are poor.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % n
    };
    let mut text = String::from("digraph g {\n__start0 [label=\"\" shape=\"none\"];\n");
    for state in 0..states {
        let shape = match next(2) {
            0 => "circle",
            _ => "doublecircle",
        };
        let _ = writeln!(text, "s{state} [shape=\"{shape}\" label=\"s{state}\"];");
    }
    for state in 0..states {
        for letter in 0..letters {
            let _ = writeln!(text, "s{state} -> s{} [label=\"a{letter}\"];", next(states));
        }
    }
    text.push_str("__start0 -> s0;\n}\n");
    let path = scratch.join(format!("random-{states}-{letters}.dot"));
    std::fs::write(&path, text)?;
    Ok(path)
}

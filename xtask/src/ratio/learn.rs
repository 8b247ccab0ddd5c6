//! Learners against AALpy's of the same names, on the same automata and the same words.
//!
//! Both sides run in a process of their own for each measurement and take their own time: ours in
//! the examples of the `learn` crate, theirs in `bench/learners`. Starting, reading the input and
//! equivalence questions are not in it; membership questions are, as both sides answer them from
//! the target. Equivalence is exact on both sides, with shortest counterexamples. Times are
//! those of the processor, so that other work on the machine does not count.
//!
//! A question is counted when it reaches the target. On both sides a target that runs a word has
//! answered its prefixes too.
//!
//! Mealy machines are random ones and whatever DOT files there are in `target/models`, such as
//! AALpy's `DotModels`; there letters are compared as well. Word lists in Abbadingo's format in `target/words`,
//! such as those of the StaMInA competition, are learned from, and the share of other words that is right compared.

use super::{Pair, table};
use crate::process;
use crate::setup::install_python;
use crate::stats::{geometric_mean, median};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Longer runs of the other side are cut off: we are at least so many times faster.
const CUT_OFF: Duration = Duration::from_secs(60);
/// Longer runs of the other side are not repeated.
const SHORT: f64 = 2.0;
/// Runs of the other side below this are repeated [`MANY`] times at least: ours then take a
/// millisecond or less, and one that was interrupted must not decide.
const TINY: f64 = 0.2;
const MANY: usize = 11;
const LEAST_FACTOR: f64 = 20.0;
/// Mealy machines of so many states have to be learned [`LEAST_FACTOR`] times faster; no others slower.
const LARGE: usize = 200;
const MEAN_FACTOR: f64 = 50.0;
/// How many letters a learner needs on one random machine is chance: it is compared on so many of each size.
const SEEDS: u32 = 10;

/// Prints the tables. Returns whether the targets are met.
#[allow(clippy::print_stdout)]
pub fn run(repetitions: usize) -> Outcome<bool> {
    let bench = Bench {
        python: install_python(&["aalpy"])?,
        examples: build_examples()?,
        folder: crate::root().join("target/ratio"),
        repetitions: repetitions.max(1),
    };
    std::fs::create_dir_all(&bench.folder)?;
    let mut misses = Vec::new();
    println!("Active learning, without the time for equivalence");
    let pairs = bench.active(&mut misses)?;
    println!("{}", table("AALpy", &pairs));
    let factors: Vec<f64> = pairs.iter().map(Pair::factor).collect();
    if geometric_mean(&factors) < MEAN_FACTOR {
        misses.push(format!("geometric mean below {MEAN_FACTOR}"));
    }
    println!("Active learning of Mealy machines, without the time for equivalence");
    let pairs = bench.mealy(&mut misses)?;
    println!("{}", table("AALpy", &pairs));
    println!("Letters of L# on {SEEDS} random Mealy machines of each size, ours to theirs");
    bench.letters(&mut misses)?;
    println!("Passive learning, with the time for the prefix tree");
    let pairs = bench.passive(&mut misses)?;
    println!("{}", table("AALpy", &pairs));
    println!("Words of target/words, four fifths to learn from and one to test with");
    let pairs = bench.accuracy(&mut misses)?;
    println!("{}", table("AALpy", &pairs));
    bench.large(&mut misses)?;
    for miss in &misses {
        println!("MISSED {miss}");
    }
    Ok(misses.is_empty())
}

struct Bench {
    python: PathBuf,
    examples: PathBuf,
    folder: PathBuf,
    repetitions: usize,
}

/// One run of the other side: what it printed, or that it was cut off.
struct Theirs {
    seconds: f64,
    printed: Option<serde_json::Value>,
}

impl Theirs {
    fn number(&self, name: &str) -> Option<u64> {
        self.printed.as_ref()?.get(name)?.as_u64()
    }
}

impl Bench {
    fn active(&self, misses: &mut Vec<String>) -> Outcome<Vec<Pair>> {
        let mut pairs = Vec::new();
        for learner in ["rs", "kv", "lsharp"] {
            let mut cut_off_at = usize::MAX;
            for (n, k, percent) in [
                (50, 5, 50),
                (50, 5, 5),
                (50, 20, 50),
                (200, 5, 50),
                (200, 5, 5),
                (200, 20, 50),
                (1000, 5, 50),
                (1000, 20, 50),
            ] {
                let file = self.folder.join(format!("dfa-{n}-{k}-{percent}"));
                let file = file.display().to_string();
                let (states, letters, percent) =
                    (n.to_string(), k.to_string(), percent.to_string());
                self.ours(
                    "learner_bench",
                    &["--write", &file, &states, &letters, "1", &percent],
                )?;
                // What was cut off on a smaller machine would be so on a larger one.
                if n * k > cut_off_at {
                    continue;
                }
                let ours = || -> Outcome<Vec<String>> {
                    line(&self.ours("learner_bench", &[&file, learner])?, learner)
                };
                let case = format!("{learner} {n} states {k} letters {percent}%");
                let mut pair = self.pair(
                    case,
                    || ours()?[5].parse().map_err(Into::into),
                    || self.theirs("active.py", &[&file, learner]),
                )?;
                let (asked, last) = (ours()?[1].parse::<u64>()?, pair.1);
                let Some(theirs) = last.number("queries") else {
                    cut_off_at = n * k;
                    pair.0.note = format!("queries {asked}, theirs cut off");
                    check_factor(&pair.0, LEAST_FACTOR, misses);
                    pairs.push(pair.0);
                    continue;
                };
                pair.0.note = format!("queries {asked} against {theirs}");
                if asked > theirs {
                    misses.push(format!("{}: {}", pair.0.case, pair.0.note));
                }
                check_factor(&pair.0, LEAST_FACTOR, misses);
                pairs.push(pair.0);
            }
        }
        Ok(pairs)
    }

    fn mealy(&self, misses: &mut Vec<String>) -> Outcome<Vec<Pair>> {
        let mut files = Vec::new();
        for (n, k, outputs) in [
            (20, 5, 2),
            (50, 5, 4),
            (50, 10, 2),
            (100, 5, 10),
            (200, 5, 4),
            (200, 20, 10),
            (400, 5, 10),
            (1000, 5, 4),
        ] {
            let file = self.folder.join(format!("mealy-{n}-{k}-{outputs}.dot"));
            let path = file.display().to_string();
            let [n, k, outputs] = [n, k, outputs].map(|x: u32| x.to_string());
            self.ours("mealy_bench", &["--write", &path, &n, &k, &outputs, "1"])?;
            files.push(file);
        }
        files.extend(files_in("target/models", "dot"));
        let mut pairs = Vec::new();
        for learner in ["rs", "kv", "lsharp"] {
            let mut cut_off_at = usize::MAX;
            for file in &files {
                let path = file.display().to_string();
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                // What is no Mealy machine is refused, and what AALpy cannot read is left out.
                let Ok(printed) = self.ours("mealy_bench", &[&path, learner]) else {
                    continue;
                };
                let found = line(&printed, learner)?;
                let states: usize = found[4].parse()?;
                // What was cut off on a smaller machine would be so on a larger one.
                if states > cut_off_at {
                    continue;
                }
                let ours = || -> Outcome<f64> {
                    let printed = self.ours("mealy_bench", &[&path, learner])?;
                    line(&printed, learner)?[5].parse().map_err(Into::into)
                };
                let case = format!("{learner} {name}, {states} states");
                let theirs = || self.theirs("mealy.py", &[&path, learner]);
                let Ok((mut pair, last)) = self.pair(case, ours, theirs) else {
                    continue;
                };
                let letters: u64 = found[2].parse()?;
                pair.note = match last.number("symbols") {
                    Some(theirs) => {
                        if letters > theirs {
                            misses.push(format!("{}: letters {letters} > {theirs}", pair.case));
                        }
                        format!("letters {letters} against {theirs}")
                    }
                    None => {
                        cut_off_at = states;
                        format!("letters {letters}, theirs cut off")
                    }
                };
                let least = if states >= LARGE { LEAST_FACTOR } else { 1.0 };
                check_factor(&pair, least, misses);
                pairs.push(pair);
            }
        }
        Ok(pairs)
    }

    /// The letters that L# asks for on many random machines. More of them on one is chance, and shown; on
    /// all together it is a miss.
    #[allow(clippy::print_stdout)]
    fn letters(&self, misses: &mut Vec<String>) -> Outcome<()> {
        let mut all = Vec::new();
        for (n, k, outputs) in [
            (20, 5, 2),
            (50, 5, 4),
            (50, 10, 2),
            (100, 5, 10),
            (200, 5, 4),
        ] {
            let mut ratios = Vec::new();
            // The first one is among the machines that are timed.
            for seed in 2..SEEDS + 2 {
                let file = self
                    .folder
                    .join(format!("mealy-{n}-{k}-{outputs}-{seed}.dot"));
                let path = file.display().to_string();
                let [n, k, outputs, seed] = [n, k, outputs, seed].map(|x: u32| x.to_string());
                self.ours("mealy_bench", &["--write", &path, &n, &k, &outputs, &seed])?;
                let printed = self.ours("mealy_bench", &[&path, "lsharp"])?;
                let ours: f64 = line(&printed, "lsharp")?[2].parse()?;
                let theirs = self.theirs("mealy.py", &[&path, "lsharp"])?;
                if let Some(theirs) = theirs.number("symbols") {
                    ratios.push(ours / theirs as f64);
                }
            }
            println!(
                "{n} states {k} letters {outputs} outputs: {}",
                spread(&ratios)
            );
            all.extend(ratios);
        }
        println!("together: {}\n", spread(&all));
        if geometric_mean(&all) > 1.0 {
            misses.push(format!("letters of L#: {}", spread(&all)));
        }
        Ok(())
    }

    fn passive(&self, misses: &mut Vec<String>) -> Outcome<Vec<Pair>> {
        let mut pairs = Vec::new();
        for learner in ["rpni", "edsm", "alergia"] {
            let mut cut_off_at = usize::MAX;
            for (n, k, longest) in [("20", "2", "15"), ("50", "3", "40")] {
                for words in [1_000, 10_000, 100_000usize] {
                    if words > cut_off_at {
                        continue;
                    }
                    let file = self.folder.join(format!("words-{n}-{words}"));
                    let file = file.display().to_string();
                    let n_words = words.to_string();
                    let args = [n, k, &n_words, longest, "1", &file];
                    let ours = || line(&self.ours("passive_bench", &args)?, learner);
                    let case = format!("{learner} {n} states {words} words");
                    let found = ours()?;
                    let (mut pair, theirs) = self.pair(
                        case,
                        || ours()?[3].parse().map_err(Into::into),
                        || self.theirs("passive.py", &[&file, learner]),
                    )?;
                    let states = match theirs.number("states") {
                        Some(states) => format!("{states}"),
                        None => {
                            cut_off_at = words;
                            "cut off".to_owned()
                        }
                    };
                    let exact = match found[2].as_str() {
                        "true" => ", the target",
                        "false" => ", not the target",
                        _ => "",
                    };
                    pair.note = format!("{} states{exact}; theirs {states}", found[1]);
                    if (learner, n, words) == ("edsm", "50", 10_000) && found[2] != "true" {
                        misses.push(format!("{}: {}", pair.case, pair.note));
                    }
                    check_factor(&pair, LEAST_FACTOR, misses);
                    pairs.push(pair);
                }
            }
        }
        Ok(pairs)
    }

    /// Lists of words that somebody else made: every fifth word is kept for the test.
    #[allow(clippy::print_stdout)]
    fn accuracy(&self, misses: &mut Vec<String>) -> Outcome<Vec<Pair>> {
        let mut pairs = Vec::new();
        let (mut mine, mut other, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        let mut cut_off_at = usize::MAX;
        for list in files_in("target/words", "dat") {
            let name = list.file_stem().unwrap_or_default().to_string_lossy();
            let name = name.split('_').next().unwrap_or_default().to_owned();
            let (train, test, n_words) = self.split(&list)?;
            for learner in ["rpni", "edsm"] {
                let ours = || line(&self.ours("passive_bench", &[&train, &test])?, learner);
                let found = ours()?;
                let case = format!("{learner} list {name}");
                let right: f64 = found[2].parse()?;
                // What was cut off on a shorter list is not tried on a longer one.
                if learner == "edsm" && n_words > cut_off_at {
                    alone.push(right);
                    continue;
                }
                let (mut pair, theirs) = self.pair(
                    case,
                    || ours()?[3].parse().map_err(Into::into),
                    || self.theirs("passive.py", &[&train, learner, &test]),
                )?;
                let said = theirs.printed.as_ref().and_then(|p| p["right"].as_f64());
                pair.note = match said {
                    Some(said) => {
                        if learner == "rpni" {
                            mine.push(right);
                            other.push(said);
                        }
                        format!("right {right:.4} against {said:.4}")
                    }
                    None => {
                        if learner == "edsm" {
                            cut_off_at = cut_off_at.min(n_words);
                        }
                        format!("right {right:.4}, theirs cut off")
                    }
                };
                if learner == "edsm" {
                    alone.push(right);
                }
                pairs.push(pair);
            }
        }
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
        let (mine, other) = (mean(&mine), mean(&other));
        println!(
            "on average: rpni {mine:.4} against {other:.4}, edsm {:.4}",
            mean(&alone)
        );
        if mine < other {
            misses.push(format!(
                "rpni: right {mine:.4} against {other:.4} on average"
            ));
        }
        Ok(pairs)
    }

    /// A list in Abbadingo's format as two files, of a line for each word: its label and its letters.
    fn split(&self, list: &Path) -> Outcome<(String, String, usize)> {
        let text = std::fs::read_to_string(list)?;
        let (mut train, mut test) = (String::new(), String::new());
        for (i, word) in text.lines().skip(1).enumerate() {
            let mut parts = word.split_whitespace();
            let label = parts.next().unwrap_or_default();
            let to = if i % 5 == 0 { &mut test } else { &mut train };
            to.push_str(label);
            for letter in parts.skip(1) {
                to.push(' ');
                to.push_str(letter);
            }
            to.push('\n');
        }
        let path = |part: &str| {
            self.folder
                .join(format!("list-{part}"))
                .display()
                .to_string()
        };
        let n_words = train.lines().count();
        std::fs::write(path("train"), train)?;
        std::fs::write(path("test"), test)?;
        Ok((path("train"), path("test"), n_words))
    }

    /// What has a bound of its own and no other side.
    #[allow(clippy::print_stdout)]
    fn large(&self, misses: &mut Vec<String>) -> Outcome<()> {
        let printed = self.ours("learner_bench", &["5000", "10", "1", "ttt"])?;
        let ttt = line(&printed, "ttt")?;
        let seconds = ttt[5].parse::<f64>()? + ttt[6].parse::<f64>()?;
        let mib: u64 = line(&printed, "peak")?[2].parse()?;
        println!(
            "ttt, 5000 states, 10 letters: {} queries, {seconds:.2} s with equivalence, {mib} MiB",
            ttt[1]
        );
        if seconds >= 60.0 || mib >= 1024 {
            misses.push("ttt: under 60 s and 1 GiB".to_owned());
        }
        let printed = self.ours("cache_bench", &["10000000", "20", "10"])?;
        let mib: u64 = line(&printed, "peak")?[2].parse()?;
        print!("cache, length 20, 10 letters: {printed}");
        if mib >= 2048 {
            misses.push("cache: under 2 GiB".to_owned());
        }
        Ok(())
    }

    /// Measures both sides alternately, as often as the other side is short.
    fn pair(
        &self,
        case: String,
        mut ours: impl FnMut() -> Outcome<f64>,
        mut theirs: impl FnMut() -> Outcome<Theirs>,
    ) -> Outcome<(Pair, Theirs)> {
        let mut pair = Pair {
            case,
            ours: vec![ours()?],
            ..Pair::default()
        };
        let mut last = theirs()?;
        pair.theirs.push(last.seconds);
        let both = last.seconds < SHORT;
        for _ in 1..repetitions_for(last.seconds, self.repetitions) {
            pair.ours.push(ours()?);
            if both {
                last = theirs()?;
                pair.theirs.push(last.seconds);
            }
        }
        Ok((pair, last))
    }

    fn ours(&self, example: &str, args: &[&str]) -> Outcome<String> {
        let mut command = Command::new(self.examples.join(example));
        let finished = process::run(command.args(args), b"", Duration::from_secs(300))?;
        match finished.code {
            Some(0) => Ok(String::from_utf8(finished.stdout)?),
            _ => Err(failed(example, args, &finished).into()),
        }
    }

    fn theirs(&self, script: &str, args: &[&str]) -> Outcome<Theirs> {
        let mut command = Command::new(&self.python);
        command.arg(crate::root().join("bench/learners").join(script));
        let finished = process::run(command.args(args), b"", CUT_OFF)?;
        if finished.timed_out {
            return Ok(Theirs {
                seconds: CUT_OFF.as_secs_f64(),
                printed: None,
            });
        }
        let printed: serde_json::Value = match finished.code {
            Some(0) => serde_json::from_slice(&finished.stdout)?,
            _ => return Err(failed(script, args, &finished).into()),
        };
        let seconds = printed["seconds"].as_f64().ok_or("no time was printed")?;
        Ok(Theirs {
            seconds,
            printed: Some(printed),
        })
    }
}

/// The files in a folder that end so, in order.
fn files_in(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(crate::root().join(folder));
    let paths = entries.into_iter().flatten();
    let paths = paths.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    files.sort();
    files
}

/// How often a case is measured whose other side took so long.
fn repetitions_for(seconds: f64, asked: usize) -> usize {
    if seconds < TINY {
        asked.max(MANY)
    } else {
        asked
    }
}

fn check_factor(pair: &Pair, least: f64, misses: &mut Vec<String>) {
    if pair.factor() < least {
        let times = (median(&pair.ours), median(&pair.theirs));
        misses.push(format!(
            "{}: {:.1} times faster ({:.6} s against {:.6} s), not {least}",
            pair.case,
            pair.factor(),
            times.0,
            times.1
        ));
    }
}

fn failed(program: &str, args: &[&str], finished: &process::Finished) -> String {
    let stderr = String::from_utf8_lossy(&finished.stderr);
    format!("{program} {} failed: {stderr}", args.join(" "))
}

/// The fields of the line that starts with this word.
fn line(printed: &str, first: &str) -> Outcome<Vec<String>> {
    let mut lines = printed
        .lines()
        .map(|l| l.split_whitespace().map(str::to_owned).collect());
    lines
        .find(|fields: &Vec<String>| fields.first().is_some_and(|f| f == first))
        .ok_or_else(|| format!("no line `{first}` was printed").into())
}

/// How ratios are spread, those above one counted.
fn spread(ratios: &[f64]) -> String {
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let more = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
    format!(
        "geometric mean {:.3}, {least:.3} to {most:.3}, above one {more} of {}",
        geometric_mean(ratios),
        ratios.len()
    )
}

fn build_examples() -> Outcome<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--examples"])
        .args(["--package", "idiolect-learn"])
        .current_dir(crate::root())
        .status()?;
    if status.success() {
        Ok(crate::root().join("target/release/examples"))
    } else {
        Err("the examples do not build".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_measured_often() {
        assert_eq!(repetitions_for(0.02, 3), MANY);
        assert_eq!(repetitions_for(0.02, 30), 30);
        assert_eq!(repetitions_for(1.0, 3), 3);
    }

    #[test]
    fn losses_are_counted() {
        let text = spread(&[0.5, 2.0, 1.0]);
        assert_eq!(
            text,
            "geometric mean 1.000, 0.500 to 2.000, above one 1 of 3"
        );
    }

    #[test]
    fn the_line_of_a_learner_is_found() {
        let printed = "learner queries\nrs 12 3\nkv 4\n";
        assert_eq!(line(printed, "rs").unwrap(), ["rs", "12", "3"]);
        assert!(line(printed, "ttt").is_err());
    }
}

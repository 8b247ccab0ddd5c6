//! `cargo xtask parts`: a synthetic trace of any size, mined in parts as a cluster would do it, and what
//! that costs: seconds of the processor, memory of a worker, bytes between map and reduce.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Runs of servers: several programs, several connections at a time, and a few mistakes.
pub struct Synthetic {
    state: u64,
    run: u64,
}

impl Synthetic {
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(2).wrapping_add(1),
            run: 0,
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        // A linear congruential generator is as good as any here.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.state >> 33) % n
    }

    /// Writes one run, with the line that ends it.
    pub fn write_run(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.run += 1;
        let program = self.below(40);
        writeln!(out, "# process {}: /usr/bin/server-{program}", self.run)?;
        writeln!(out, "socket(domain = 2, type = 1, proto = 0, return = 3)")?;
        writeln!(
            out,
            "bind(so = 3, addr = 0x7ffd40001200, addr_len = 16, return = 0)"
        )?;
        writeln!(out, "listen(so = 3, backlog = 128, return = 0)")?;
        let mut open: Vec<u64> = Vec::new();
        let mut next = 4;
        let n = 20 + self.below(60);
        for _ in 0..n {
            let choice = self.below(10);
            if open.is_empty() || choice == 0 && open.len() < 8 {
                writeln!(
                    out,
                    "accept(so = 3, addr = 0x7ffd40001300, addr_len = 0x7ffd400012f8, return = {next})"
                )?;
                open.push(next);
                next += 1;
                continue;
            }
            let at = self.below(open.len() as u64) as usize;
            let (fd, len) = (open[at], 1 + self.below(4096));
            match choice {
                1..=5 => writeln!(
                    out,
                    "read(fd = {fd}, buf = 0x7ffd40002000, len = 4096, return = {len})"
                )?,
                6..=8 => writeln!(
                    out,
                    "write(fd = {fd}, buf = 0x7ffd40002000, len = {len}, return = {len})"
                )?,
                _ => {
                    writeln!(out, "close(fd = {fd}, return = 0)")?;
                    open.swap_remove(at);
                }
            }
        }
        for fd in open {
            // Now and then one is forgotten.
            if self.below(50) != 0 {
                writeln!(out, "close(fd = {fd}, return = 0)")?;
            }
        }
        writeln!(out, "close(fd = 3, return = 0)")?;
        writeln!(out, "--")
    }

    /// Writes whole runs until there are so many bytes.
    pub fn write_bytes(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let mut written = 0;
        let mut run = Vec::new();
        while written < bytes {
            run.clear();
            self.write_run(&mut run)?;
            out.write_all(&run)?;
            written += run.len() as u64;
        }
        out.flush()
    }
}

/// What a process took.
#[derive(Clone, Copy, Default)]
struct Cost {
    wall: f64,
    processor: f64,
    /// The most of any one process, in KiB.
    memory: u64,
}

impl Cost {
    fn add(&mut self, other: Self) {
        self.processor += other.processor;
        self.memory = self.memory.max(other.memory);
    }
}

struct Lab<'a> {
    idiolect: &'a Path,
    folder: PathBuf,
}

const OPTIONS: &[&str] = &["--api", "socket", "--quiet", "--jobs", "1"];

impl Lab<'_> {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Runs `idiolect mine`, and looks at it until it ends.
    fn mine(&self, words: &[String]) -> Fallible<Cost> {
        let start = Instant::now();
        let mut child = Command::new(self.idiolect)
            .arg("mine")
            .args(words)
            .args(OPTIONS)
            .stdout(Stdio::null())
            .spawn()?;
        let proc = PathBuf::from(format!("/proc/{}", child.id()));
        let mut cost = Cost::default();
        loop {
            cost.memory = cost.memory.max(peak(&proc).unwrap_or(0));
            cost.processor = cost.processor.max(seconds(&proc).unwrap_or(0.0));
            if let Some(status) = child.try_wait()? {
                cost.wall = start.elapsed().as_secs_f64();
                return if status.success() {
                    Ok(cost)
                } else {
                    Err(format!("idiolect mine {words:?}: {status}").into())
                };
            }
            std::thread::sleep(Duration::from_millis(3));
        }
    }

    /// Does all of this with so many workers.
    fn all(&self, work: &[Vec<String>], workers: usize) -> Fallible<Cost> {
        let start = Instant::now();
        let queue: Mutex<VecDeque<&Vec<String>>> = Mutex::new(work.iter().collect());
        let total: Mutex<Result<Cost, String>> = Mutex::new(Ok(Cost::default()));
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let next = queue.lock().ok().and_then(|mut q| q.pop_front());
                        let Some(words) = next else { return };
                        let cost = self.mine(words).map_err(|e| e.to_string());
                        let Ok(mut total) = total.lock() else { return };
                        match (&mut *total, cost) {
                            (Ok(sum), Ok(cost)) => sum.add(cost),
                            (_, Err(error)) => *total = Err(error),
                            (Err(_), Ok(_)) => {}
                        }
                    }
                });
            }
        });
        let mut cost = total.into_inner().map_err(|e| e.to_string())??;
        cost.wall = start.elapsed().as_secs_f64();
        Ok(cost)
    }

    fn cuts(&self, trace: &Path, n: usize) -> Fallible<Vec<String>> {
        let output = Command::new(self.idiolect)
            .args(["mine", "--cuts", &n.to_string()])
            .arg(trace)
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// The words that count a part.
    fn map(&self, trace: &Path, n: usize, name: &str) -> Fallible<Vec<Vec<String>>> {
        let ranges = self.cuts(trace, n)?;
        let part = |(i, range): (usize, &String)| {
            let out = self.at(&format!("{name}-{i:04}"));
            let mut words = vec![trace.display().to_string(), "--range".to_owned()];
            words.extend([range.clone(), "--counts-only".to_owned()]);
            words.extend(["--write-counts".to_owned(), out.display().to_string()]);
            words
        };
        Ok(ranges.iter().enumerate().map(part).collect())
    }

    /// The words that add files, and the file that they give.
    fn reduce(&self, files: &[String], name: &str) -> (Vec<String>, String) {
        let out = self.at(name).display().to_string();
        let mut words = vec!["--add-counts".to_owned()];
        words.extend_from_slice(files);
        words.extend(["--counts-only", "--write-counts"].map(str::to_owned));
        words.push(out.clone());
        (words, out)
    }
}

/// The most memory that a process has had, in KiB.
fn peak(proc: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(proc.join("status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Seconds of the processor, of which there are a hundred ticks each.
fn seconds(proc: &Path) -> Option<f64> {
    let stat = std::fs::read_to_string(proc.join("stat")).ok()?;
    let after = stat.rsplit_once(')')?.1;
    let ticks = |n: usize| after.split_whitespace().nth(n)?.parse::<u64>().ok();
    Some((ticks(11)? + ticks(12)?) as f64 / 100.0)
}

fn outputs(work: &[Vec<String>]) -> Vec<String> {
    work.iter().filter_map(|w| w.last().cloned()).collect()
}

fn size(files: &[String]) -> u64 {
    let length = |f: &String| std::fs::metadata(f).map_or(0, |data| data.len());
    files.iter().map(length).sum()
}

const MIB: f64 = 1_048_576.0;

/// Measures with a trace of so many megabytes; `true` if all ways gave the same bytes.
#[allow(clippy::print_stdout)]
pub fn run(idiolect: &Path, megabytes: u64, parts: usize, many: usize) -> Fallible<bool> {
    let folder = tempfile::tempdir_in(crate::root().join("target"))?;
    let lab = Lab {
        idiolect,
        folder: folder.path().to_owned(),
    };
    let trace = lab.at("trace");
    Synthetic::new(1).write_bytes(&trace, megabytes * 1_000_000)?;
    let gigabytes = megabytes as f64 / 1000.0;
    let show = |what: &str, cost: Cost| {
        println!(
            "{what:<34} {:>8.1} s {:>8.1} s {:>8.2} s {:>7.0} MiB",
            cost.wall,
            cost.processor,
            cost.processor / gigabytes,
            cost.memory as f64 / 1024.0,
        );
    };
    println!("a trace of {gigabytes} GB");
    println!(
        "{:<34} {:>10} {:>10} {:>10} {:>11}",
        "", "wall", "processor", "a GB", "a process"
    );
    let work = lab.map(&trace, parts, "one")?;
    let one = lab.all(&work, 1)?;
    show(&format!("{} parts, one worker", work.len()), one);
    let again = lab.map(&trace, parts, "two")?;
    let two = lab.all(&again, 2)?;
    show(&format!("{} parts, two workers", again.len()), two);
    println!(
        "two workers are {:.2} times as fast as one",
        one.wall / two.wall
    );
    let (words, few) = lab.reduce(&outputs(&work), "few");
    show("their reducer", lab.mine(&words)?);
    let mut same = same_files(&outputs(&work), &outputs(&again))?;

    let work = lab.map(&trace, many, "many")?;
    let files = outputs(&work);
    show(
        &format!("{} parts, two workers", work.len()),
        lab.all(&work, 2)?,
    );
    println!(
        "what goes from map to reduce: {:.1} MiB for {} parts, {:.1} MiB a GB",
        size(&files) as f64 / MIB,
        files.len(),
        size(&files) as f64 / MIB / gigabytes,
    );
    let (words, single) = lab.reduce(&files, "single");
    show("one reducer", lab.mine(&words)?);
    let fan_in = (files.len() as f64).sqrt().ceil().max(2.0) as usize;
    let groups: Vec<(Vec<String>, String)> = (files.chunks(fan_in).enumerate())
        .map(|(i, group)| lab.reduce(group, &format!("level-{i:04}")))
        .collect();
    let (work, sums): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
    let level = lab.all(&work, 2)?;
    show(
        &format!("a tree: {} reducers of {fan_in}", work.len()),
        level,
    );
    let (words, tree) = lab.reduce(&sums, "tree");
    show("and the last", lab.mine(&words)?);
    println!(
        "what is left: {:.1} MiB",
        size(std::slice::from_ref(&tree)) as f64 / MIB
    );
    same &= same_files(&[few.clone(), few], &[single, tree])?;
    println!(
        "{}",
        if same {
            "all bytes are the same"
        } else {
            "BYTES DIFFER"
        }
    );
    Ok(same)
}

fn same_files(left: &[String], right: &[String]) -> io::Result<bool> {
    for (a, b) in left.iter().zip(right) {
        if std::fs::read(a)? != std::fs::read(b)? {
            return Ok(false);
        }
    }
    Ok(left.len() == right.len())
}

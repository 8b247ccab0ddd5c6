//! Random C programs without undefined behaviour, from Csmith, run by us and by the system
//! compiler.

use crate::differential::{Comparison, Differential};
use crate::process;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where Debian puts `csmith.h`.
pub fn include_dir() -> Option<PathBuf> {
    let candidates = ["/usr/include/csmith", "/usr/include/csmith-2.3.0"];
    let fixed = candidates.iter().map(PathBuf::from);
    let mut listed: Vec<PathBuf> = std::fs::read_dir("/usr/include")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().contains("csmith"))
        .collect();
    listed.sort();
    fixed
        .chain(listed)
        .find(|dir| dir.join("csmith.h").exists())
}

/// Writes the Csmith program with this seed. Floats are off; everything else is on.
pub fn generate(seed: u64, path: &Path) -> io::Result<bool> {
    let mut csmith = Command::new("csmith");
    csmith.args(["--no-float", "--bitfields", "--unions", "--seed"]);
    csmith.arg(seed.to_string()).arg("--output").arg(path);
    // It leaves a note on the platform where it runs.
    csmith.current_dir(path.parent().unwrap_or(Path::new(".")));
    let finished = process::run(&mut csmith, &[], Duration::from_secs(60))?;
    Ok(finished.code == Some(0) && path.exists())
}

/// One program that did not behave.
#[derive(Clone, Debug)]
pub struct Failure {
    pub seed: u64,
    pub what: String,
}

#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub same: u64,
    /// The compiled program hangs or crashes, so there is nothing to compare with.
    pub no_reference: u64,
    pub failures: Vec<Failure>,
}

/// Compares the programs with these seeds on all cores. Failing programs are kept in `keep`.
pub fn compare(
    differential: &Differential,
    seeds: std::ops::Range<u64>,
    keep: Option<&Path>,
) -> io::Result<Summary> {
    let include = include_dir().ok_or_else(|| io::Error::other("csmith.h was not found"))?;
    let mut differential = differential.clone();
    let include_flag = format!("-I{}", include.display());
    differential.compiler_flags.push(include_flag.clone());
    differential.idiolect_flags.push(include_flag);
    let next = AtomicU64::new(seeds.start);
    let summary = Mutex::new(Summary::default());
    let failed = Mutex::new(None);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let result = worker(&differential, &next, seeds.end, keep, &summary);
                if let Err(error) = result {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.failures.sort_by_key(|f| f.seed);
    Ok(summary)
}

fn worker(
    differential: &Differential,
    next: &AtomicU64,
    end: u64,
    keep: Option<&Path>,
    summary: &Mutex<Summary>,
) -> io::Result<()> {
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join("program.c");
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return Ok(());
        }
        if !generate(seed, &file)? {
            continue;
        }
        let comparison = differential.compare(std::slice::from_ref(&file), None, scratch.path())?;
        let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
        match comparison {
            Comparison::Same => summary.same += 1,
            Comparison::NoReference(_) => summary.no_reference += 1,
            Comparison::Differs(what) => {
                if let Some(folder) = keep {
                    std::fs::create_dir_all(folder)?;
                    std::fs::copy(&file, folder.join(format!("csmith-{seed}.c")))?;
                }
                summary.failures.push(Failure { seed, what });
            }
        }
    }
}

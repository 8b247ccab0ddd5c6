//! Deliberate mistakes, and whether the tests notice them.
//!
//! `xtask/mutants.toml` lists them. They are made in a copy of the repository below `target/`, with a
//! target folder of its own, so nothing here changes what is being worked on.

use crate::process;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    pub what: String,
    file: PathBuf,
    from: String,
    to: String,
    /// What `cargo test` gets.
    test: String,
}

#[derive(Deserialize)]
struct List {
    mutant: Vec<Mutant>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// A test fails.
    Noticed,
    /// The mistake makes a test run forever, which is noticed as well.
    Hangs,
    Survives,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Noticed => "noticed",
            Self::Hangs => "noticed (hangs)",
            Self::Survives => "SURVIVES",
        })
    }
}

/// The mistakes whose description contains the filter.
pub fn list(filter: &str) -> Fallible<Vec<Mutant>> {
    let text = std::fs::read_to_string(crate::root().join("xtask/mutants.toml"))?;
    let mut list: List = toml::from_str(&text)?;
    list.mutant.retain(|m| m.what.contains(filter));
    Ok(list.mutant)
}

impl Mutant {
    /// The file with the mistake in it.
    fn apply(&self, text: &str) -> Fallible<String> {
        match text.matches(&self.from).count() {
            1 => Ok(text.replacen(&self.from, &self.to, 1)),
            n => Err(format!(
                "{}: its text stands {n} times in {}",
                self.what,
                self.file.display()
            )
            .into()),
        }
    }
}

/// How many seconds a build may take, and tests without a mistake.
const LIMIT: u64 = 900;
/// How many times longer tests may take with a mistake in the code, before they count as hanging.
const PATIENCE: u32 = 4;
/// What `timeout` says of a command that it has ended.
const ENDED: i32 = 124;

/// Makes the mistakes one by one. `say` hears of each at once.
pub fn run(mutants: &[Mutant], mut say: impl FnMut(&Mutant, Fate)) -> Fallible<Vec<Fate>> {
    let folder = crate::root().join("target/mutants");
    let tree = folder.join("tree");
    copy_repository(&tree)?;
    let tests: BTreeSet<&str> = mutants.iter().map(|m| m.test.as_str()).collect();
    let mut limits = BTreeMap::new();
    for test in tests {
        let is_built = builds(&tree, &folder, test)?;
        let start = Instant::now();
        if !is_built || !passes(&tree, &folder, test, LIMIT)?.is_ok_and(|passed| passed) {
            return Err(format!(
                "`cargo test {test}` fails without a mistake; try it in {}",
                tree.display()
            )
            .into());
        }
        let patience = (start.elapsed() * PATIENCE).as_secs();
        limits.insert(test, (30 + patience).min(LIMIT));
    }
    let mut fates = Vec::new();
    for mutant in mutants {
        let path = tree.join(&mutant.file);
        let text = std::fs::read_to_string(&path)?;
        std::fs::write(&path, mutant.apply(&text)?)?;
        let fate = if !builds(&tree, &folder, &mutant.test)? {
            return Err(format!("{}: does not build", mutant.what).into());
        } else {
            match passes(&tree, &folder, &mutant.test, limits[mutant.test.as_str()])? {
                Ok(true) => Fate::Survives,
                Ok(false) => Fate::Noticed,
                Err(TimedOut) => Fate::Hangs,
            }
        };
        std::fs::write(&path, text)?;
        say(mutant, fate);
        fates.push(fate);
    }
    Ok(fates)
}

struct TimedOut;

/// What git knows, as it is on disk. Only files that differ are written, so that cargo builds little.
fn copy_repository(tree: &Path) -> Fallible<()> {
    let root = crate::root();
    let files = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(&root)
        .output()?;
    let mut own = BTreeSet::new();
    for name in files.stdout.split(|&b| b == 0).filter(|n| !n.is_empty()) {
        let name = String::from_utf8_lossy(name).into_owned();
        own.insert(tree.join(&name));
        let Ok(bytes) = std::fs::read(root.join(&name)) else {
            continue;
        };
        let to = tree.join(&name);
        if std::fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        std::fs::create_dir_all(to.parent().unwrap_or(tree))?;
        std::fs::write(to, bytes)?;
    }
    // What an earlier copy had, and there is no more.
    let mut todo = vec![tree.to_path_buf()];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                todo.push(entry?.path());
            }
        } else if !own.contains(&path) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// The exit code of `cargo test`. `timeout` also ends what cargo has started.
fn cargo_test(tree: &Path, folder: &Path, arguments: &[&str], limit: u64) -> Fallible<Option<i32>> {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", &limit.to_string()]);
    command.args([env!("CARGO"), "test"]).args(arguments);
    command.current_dir(tree);
    command.env("CARGO_TARGET_DIR", folder.join("build"));
    let finished = process::run(&mut command, b"", Duration::from_secs(2 * LIMIT))?;
    Ok(finished.code)
}

fn builds(tree: &Path, folder: &Path, test: &str) -> Fallible<bool> {
    let mut arguments: Vec<&str> = test.split_whitespace().collect();
    arguments.insert(0, "--no-run");
    Ok(cargo_test(tree, folder, &arguments, LIMIT)? == Some(0))
}

fn passes(tree: &Path, folder: &Path, test: &str, limit: u64) -> Fallible<Result<bool, TimedOut>> {
    let arguments: Vec<&str> = test.split_whitespace().collect();
    Ok(match cargo_test(tree, folder, &arguments, limit)? {
        Some(ENDED) => Err(TimedOut),
        code => Ok(code == Some(0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list that has fallen behind the code is noticed before anybody waits for an hour.
    #[test]
    fn every_mistake_can_be_made() {
        let mutants = list("").expect("the list can be read");
        assert!(mutants.len() >= 30, "{} mistakes", mutants.len());
        for mutant in &mutants {
            let path = crate::root().join(&mutant.file);
            let text = std::fs::read_to_string(path).expect("the file is there");
            let changed = mutant.apply(&text).unwrap_or_else(|e| panic!("{e}"));
            assert_ne!(text, changed, "{}", mutant.what);
        }
    }
}

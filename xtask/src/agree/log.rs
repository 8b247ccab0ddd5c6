//! What was found out so far, a program on each line, so that hours of work go on where they were cut.

use super::Case;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file to which every program is added as soon as it is done.
pub struct Log {
    file: Mutex<std::fs::File>,
}

impl Log {
    /// Opens a log, and reads what is in it. The last line of a run that was cut is left out and done again.
    pub fn open(path: &Path) -> io::Result<(Self, Vec<Case>)> {
        let mut cases: Vec<Case> = Vec::new();
        if path.exists() {
            let text = std::fs::read_to_string(path)?;
            cases.extend(text.lines().filter_map(|l| serde_json::from_str(l).ok()));
            let whole = text.len() - text.lines().last().map_or(0, str::len);
            if !text.ends_with('\n') {
                std::fs::write(path, &text[..whole])?;
                let n_before = text[..whole].lines().count();
                cases.truncate(n_before);
            }
        }
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)?;
        let file = Mutex::new(file);
        Ok((Self { file }, cases))
    }

    pub fn add(&self, case: &Case) -> io::Result<()> {
        let mut line = serde_json::to_string(case)?;
        line.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
    }
}

/// The programs that are not among these.
pub fn without(programs: Vec<PathBuf>, done: &[Case]) -> Vec<PathBuf> {
    let done: BTreeSet<&Path> = done.iter().map(|c| c.path.as_path()).collect();
    let is_open = |p: &PathBuf| !done.contains(p.as_path());
    programs.into_iter().filter(is_open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(path: &str) -> Case {
        Case {
            path: PathBuf::from(path),
            answers: Vec::new(),
            contradictions: vec!["one".to_owned()],
        }
    }

    #[test]
    fn what_was_cut_is_done_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("log");
        let (log, before) = Log::open(&file).expect("a new log");
        assert!(before.is_empty());
        log.add(&case("a.c")).expect("written");
        log.add(&case("b.c")).expect("written");
        drop(log);
        let text = std::fs::read_to_string(&file).expect("readable");
        std::fs::write(&file, &text[..text.len() - 9]).expect("cut");
        let (log, before) = Log::open(&file).expect("the same log");
        assert_eq!(before.len(), 1);
        assert_eq!(before[0].contradictions, ["one"]);
        let all = ["a.c", "b.c", "c.c"].map(PathBuf::from).to_vec();
        assert_eq!(without(all, &before), ["b.c", "c.c"].map(PathBuf::from));
        log.add(&case("b.c")).expect("written");
        drop(log);
        assert_eq!(Log::open(&file).expect("the same log").1.len(), 2);
    }
}

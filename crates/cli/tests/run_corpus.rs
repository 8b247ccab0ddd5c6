//! Every program of `corpus/run` behaves under `idiolect run` as the system compiler's program
//! does: same output, same exit status.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use xtask::differential::{Comparison, Differential};
use xtask::process::available_or_skip;

/// A program: a `.c` file, or a folder of them. `name.stdin` beside it is its standard input.
fn programs(folder: &Path, found: &mut Vec<Vec<PathBuf>>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is part of the repository")
        .map(|entry| entry.expect("readable").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            let mut files: Vec<PathBuf> = std::fs::read_dir(&path)
                .expect("readable")
                .map(|entry| entry.expect("readable").path())
                .filter(|file| file.extension().is_some_and(|e| e == "c"))
                .collect();
            files.sort();
            found.push(files);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(vec![path]);
        }
    }
}

#[test]
fn corpus_programs_behave_as_compiled_ones() {
    if !available_or_skip("cc", "run_corpus") {
        return;
    }
    let corpus = xtask::root().join("corpus/run");
    let mut all = Vec::new();
    for topic in std::fs::read_dir(&corpus).expect("the corpus is part of the repository") {
        let topic = topic.expect("readable").path();
        if topic.is_dir() {
            programs(&topic, &mut all);
        }
    }
    all.sort();
    assert!(all.len() >= 150, "only {} programs", all.len());
    let differential = Differential::new(env!("CARGO_BIN_EXE_idiolect").into());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let scratch = tempfile::tempdir().expect("a temporary folder");
                while let Some(files) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let stdin = files[0].with_extension("stdin");
                    let stdin = stdin.exists().then_some(stdin);
                    let result = differential
                        .compare(files, stdin.as_deref(), scratch.path())
                        .expect("processes can be started");
                    if result != Comparison::Same {
                        let name = files[0].strip_prefix(&corpus).unwrap_or(&files[0]);
                        let text = format!("{}: {result:?}", name.display());
                        failures.lock().expect("not poisoned").push(text);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("not poisoned");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} programs differ:\n{}",
        failures.len(),
        all.len(),
        failures.join("\n")
    );
}

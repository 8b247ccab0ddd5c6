//! The same input and seed give the same bytes, whoever else is on the machine: run twice, and once
//! more on one core.

use std::path::Path;
use std::process::Command;

const COMMANDS: &[&[&str]] = &[
    &["run", "examples/sort.c", "--runs", "500"],
    &["explain", "examples/explain/loop.c"],
    &["explain", "examples/explain/loop.c", "--relevance"],
    &["verify", "examples/sort.c"],
    &["verify", "corpus/recursive/addition.c", "--seed", "7"],
    &["verify", "corpus/recursive/even_odd.c", "--engine", "learn"],
    &["localize", "examples/localize/figure1.c"],
    &["localize", "corpus/faults/array_max.c", "--all-traces"],
    &["invariants", "corpus/linear/array-find.c"],
    &["invariants", "corpus/linear/list-sorted-insert.c"],
    &["mine", "examples/server.trace", "--api", "socket"],
    &["learn", "examples/odd.dot", "--learner", "ttt"],
];

/// What is printed, and the report.
fn bytes_of(start: &[&str], arguments: &[&str], report: &Path) -> (Vec<u8>, Vec<u8>) {
    let idiolect = env!("CARGO_BIN_EXE_idiolect");
    let mut words = start.iter().chain([&idiolect]).chain(arguments);
    let first = words.next().expect("at least the program");
    let output = Command::new(first)
        .args(words)
        .args(["--json", "--no-timing"])
        .current_dir(xtask::root())
        .output()
        .expect("it starts");
    assert!(
        matches!(output.status.code(), Some(0 | 1 | 3)),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let page = match arguments[0] {
        "learn" => Vec::new(),
        _ => {
            let status = Command::new(idiolect)
                .args(arguments)
                .args(["--no-timing", "--quiet", "--report"])
                .arg(report)
                .current_dir(xtask::root())
                .output();
            assert!(status.is_ok());
            std::fs::read(report).expect("a report")
        }
    };
    (output.stdout, page)
}

#[test]
fn every_command_gives_the_same_bytes_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = folder.path().join("report.html");
    for arguments in COMMANDS {
        let first = bytes_of(&[], arguments, &report);
        let again = bytes_of(&[], arguments, &report);
        let one_core = bytes_of(&["taskset", "-c", "0"], arguments, &report);
        assert!(!first.0.is_empty());
        let (said, page) = (first.0 == again.0, first.1 == again.1);
        assert!(said && page, "{arguments:?}: the same again? {said} {page}");
        assert!(first.0 == one_core.0, "{arguments:?} on one core");
    }
}

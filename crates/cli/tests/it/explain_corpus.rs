//! Our programs with errors, explained: what is promised is kept, lazily and eagerly, and every
//! witness fails when the system's compiler has built it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

fn explain(arguments: &[String]) -> (Option<i32>, Value) {
    let output = Command::new(IDIOLECT)
        .current_dir(xtask::root())
        .arg("explain")
        .args(arguments)
        .args(["--json", "--no-timing"])
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code(), value)
}

/// The programs, with the options that their first lines give.
fn corpus() -> Vec<(PathBuf, Vec<String>)> {
    xtask::explain::corpus().expect("the corpus can be read")
}

fn with(arguments: &[String], more: &[&str]) -> Vec<String> {
    let more = more.iter().map(|a| (*a).to_owned());
    arguments.iter().cloned().chain(more).collect()
}

#[test]
fn lazy_and_eager_learning_agree() {
    for (file, arguments) in corpus() {
        let bounds = ["--unwind", "4", "--word-length", "12"];
        let (code, eager) = explain(&with(&with(&arguments, &bounds), &["--eager"]));
        let (_, lazy) = explain(&with(&with(&arguments, &bounds), &["--lazy"]));
        assert_eq!(code, Some(1), "{}", file.display());
        assert_eq!(eager["verdict"], "error-language", "{}", file.display());
        assert_eq!(eager["guarantee"]["kind"], "exact", "{}", file.display());
        assert_eq!(eager["automaton"], lazy["automaton"], "{}", file.display());
        let count = |v: &Value, key: &str| v["statistics"][key].as_u64().unwrap_or(u64::MAX);
        assert_eq!(
            count(&lazy, "fix_calls"),
            count(&lazy, "wrong_guesses") + count(&lazy, "fixes"),
            "{}",
            file.display()
        );
        assert_eq!(count(&eager, "fix_calls"), 0);
    }
}

/// Bounds that grow by themselves find an error in every program, too.
#[test]
fn automatic_bounds_find_every_error() {
    for (file, arguments) in corpus() {
        let (code, found) = explain(&arguments);
        assert_eq!(code, Some(1), "{}", file.display());
        let witnesses = found["witnesses"].as_array().map_or(0, Vec::len);
        assert!(witnesses > 0, "{}", file.display());
    }
}

fn compiled_status(arguments: &[String], harness: &Path, scratch: &Path) -> Option<i32> {
    let text = std::fs::read_to_string(harness).expect("a harness");
    let command = (text.lines().map(str::trim))
        .find(|line| line.starts_with("cc "))
        .expect("the command that builds it");
    let options: Vec<&str> = (command.split_whitespace())
        .filter(|word| word.starts_with("-D"))
        .collect();
    let program = scratch.join("replay");
    let built = Command::new("cc")
        .current_dir(xtask::root())
        .args(["-fwrapv", "-w"])
        .args(options)
        .arg(&arguments[0])
        .arg(harness)
        .arg("-o")
        .arg(&program)
        .status()
        .expect("cc starts");
    assert!(built.success(), "{} compiles", harness.display());
    let output = Command::new(&program).output().expect("the replay starts");
    output.status.code()
}

#[test]
fn every_witness_fails_when_compiled() {
    if !available_or_skip("cc", "explain_corpus") {
        return;
    }
    let own = |file: &str| vec![format!("examples/explain/{file}")];
    let examples = [
        own("loop.c"),
        own("branch.c"),
        with(&own("marks.c"), &["--events", "marks"]),
        vec!["examples/sort.c".to_owned()],
    ];
    let all = corpus().into_iter().map(|(_, arguments)| arguments);
    for arguments in all.chain(examples) {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let folder = scratch.path().join("harnesses");
        let harness = ["--witnesses", "3", "--harness", folder.to_str().unwrap()];
        let (_, found) = explain(&with(&arguments, &harness));
        let n = found["witnesses"].as_array().map_or(0, Vec::len);
        assert!(n > 0, "{arguments:?}");
        for i in 1..=n {
            let path = folder.join(format!("witness-{i}.c"));
            let status = compiled_status(&arguments, &path, scratch.path());
            // An assertion aborts; the conventions of verifiers exit with 107.
            let failed = status.is_none() || status == Some(107);
            assert!(failed, "{arguments:?}, witness {i}: {status:?}");
        }
    }
}

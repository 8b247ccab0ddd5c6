//! Threads in runs: what does not depend on their order is as in the compiled program, the same schedule makes the same
//! run, and races and deadlocks are found.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

fn run(source: &Path, options: &[&str]) -> Output {
    Command::new(IDIOLECT)
        .arg("run")
        .arg(source)
        .args(options)
        .output()
        .expect("idiolect starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn program(name: &str) -> PathBuf {
    xtask::root().join("corpus/threads").join(name)
}

#[test]
fn programs_that_wait_for_each_other_do_what_the_compiled_ones_do() {
    if !available_or_skip("cc", "threads") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    for name in ["queue.c", "locks.c", "standard.c"] {
        let binary = scratch.path().join("program");
        let built = Command::new("cc")
            .args(["-O0", "-w", "-pthread", "-o"])
            .arg(&binary)
            .arg(program(name))
            .status()
            .expect("cc starts");
        assert!(built.success(), "cc refuses {name}");
        let theirs = Command::new(&binary).output().expect("it starts");
        for schedule in 0..6 {
            let schedule = schedule.to_string();
            let options = ["--pass-exit-code", "-q", "--schedule", &schedule];
            let ours = run(&program(name), &options);
            assert_eq!(
                text(&ours.stdout),
                text(&theirs.stdout),
                "{name} in order {schedule}: {}",
                text(&ours.stderr)
            );
            assert_eq!(ours.status.code(), theirs.status.code(), "{name}");
        }
    }
}

#[test]
fn a_race_is_found_and_happens_again() {
    let source = program("race.c");
    let ours = run(&source, &["--schedules", "200"]);
    assert_eq!(ours.status.code(), Some(1), "{}", text(&ours.stderr));
    let said = text(&ours.stderr);
    assert!(said.contains("assertion `count == 40` failed"), "{said}");
    let at = said
        .split("--schedule ")
        .nth(1)
        .expect("the schedule is named");
    let schedule: String = at.chars().take_while(char::is_ascii_digit).collect();
    let again = || run(&source, &["--schedule", &schedule, "--json", "--no-timing"]);
    let (first, second) = (again(), again());
    assert_eq!(first.status.code(), Some(1));
    assert_eq!(
        first.stdout, second.stdout,
        "the same order, the same bytes"
    );
    // With a lock around it there is nothing to find.
    let safe = run(&program("locks.c"), &["--schedules", "200", "-q"]);
    assert_eq!(safe.status.code(), Some(0), "{}", text(&safe.stderr));
}

#[test]
fn a_deadlock_is_a_finding() {
    let ours = run(&program("deadlock.c"), &["--schedules", "200"]);
    let said = text(&ours.stderr);
    assert_eq!(ours.status.code(), Some(1), "{said}");
    assert!(said.contains("deadlock: every thread waits"), "{said}");
    // Watching does not change the order.
    let at = said
        .split("--schedule ")
        .nth(1)
        .expect("the schedule is named");
    let schedule: String = at.chars().take_while(char::is_ascii_digit).collect();
    let watched = run(
        &program("deadlock.c"),
        &["--schedule", &schedule, "--trace"],
    );
    assert_eq!(watched.status.code(), Some(1), "{}", text(&watched.stdout));
    assert!(text(&watched.stdout).contains("deadlock"));
}

#[test]
fn proofs_do_not_follow_threads_but_know_locks() {
    let verify = |name: &str| {
        let output = Command::new(IDIOLECT)
            .args(["verify", "--json", "--timeout", "20"])
            .arg(program(name))
            .output()
            .expect("idiolect starts");
        let json: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("it prints JSON");
        json["verdict"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(verify("race.c"), "undecided");
    assert_eq!(verify("sequential.c"), "proved");
}

//! The textbook functions of `corpus/linear/textbook`: what they do is found and proved, Frama-C/WP confirms the
//! annotations, and time that is up leaves what is known.

#![allow(clippy::print_stderr)] // A test that is skipped says so.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn idiolect(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .arg("invariants")
        .args(args)
        .current_dir(xtask::root())
        .output()
        .expect("idiolect starts")
}

fn json(args: &[&str]) -> Value {
    let done = idiolect(&[args, &["--json"]].concat());
    serde_json::from_slice(&done.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {done:?}"))
}

/// A function, and what is found of what it does.
const DO: &[(&str, &str)] = &[
    ("count", "result = #{ y | 0 ≤ y < n ∧ a[y] = x }"),
    ("min-value", "0 < n ⇒ ∃ y. 0 ≤ y < n ∧ a[y] = result"),
    ("two-sum", "result ≠ 0 ⇒ ∃ y. 0 ≤ y < n ∧ a[y] = x"),
    ("rotate", "a[0..n) is a permutation of old(a[0..n))"),
    ("reverse", "a[0..n) is a permutation of old(a[0..n))"),
    ("strlen", "∀ y1. 0 ≤ y1 < result ⇒ s[y1] ≠ 0"),
];

#[test]
fn what_textbook_functions_do_is_proved() {
    for (file, expected) in DO {
        let found = json(&[&format!("corpus/linear/textbook/{file}.c"), "--length", "4"]);
        assert_eq!(found["guarantee"]["kind"], "proved", "{file}: {found:#}");
        let function = &found["functions"][0];
        assert_eq!(function["memory_safe"], true, "{file}");
        let said = function["functional"].as_array().expect("a list");
        assert!(said.iter().any(|s| s == expected), "{file}: {function:#}");
    }
}

/// A contract that nothing rests on is not told: functions are run on arrays of every length.
#[test]
fn the_contract_is_the_one_of_the_proof() {
    let found = json(&["corpus/linear/textbook/count.c", "--length", "3"]);
    let text = found["guarantee"].to_string() + &found["assumptions"].to_string();
    assert!(!text.contains("8 elements"), "{found:#}");
    assert!(found.to_string().contains("has `n` elements"), "{found:#}");
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("textbook");
    std::fs::create_dir_all(&folder).expect("it is our folder");
    folder
}

#[test]
fn frama_c_confirms_the_annotations() {
    let is_there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    if !["frama-c", "why3", "z3"].into_iter().all(is_there) {
        assert!(
            std::env::var_os("CI").is_none(),
            "`cargo xtask setup` installs frama-c and z3"
        );
        eprintln!("SKIPPED textbook: `cargo xtask setup` installs frama-c and z3");
        return;
    }
    let config = folder().join("why3.conf");
    let detected = Command::new("why3")
        .args(["config", "detect"])
        .env("WHY3CONFIG", &config)
        .output()
        .expect("it is there");
    assert!(detected.status.success(), "{detected:?}");
    for file in ["count", "rotate", "max-index"] {
        let annotated = folder().join(format!("{file}.c"));
        let path = annotated.display().to_string();
        let source = format!("corpus/linear/textbook/{file}.c");
        let done = idiolect(&[&source, "--acsl", &path]);
        assert!(done.status.success(), "{done:?}");
        let wp = Command::new("frama-c")
            .args(["-wp", "-wp-prover", "z3", "-wp-timeout", "30"])
            .arg(&annotated)
            .env("WHY3CONFIG", &config)
            .output()
            .expect("it is there");
        let said = String::from_utf8_lossy(&wp.stdout).into_owned();
        let goals = said.lines().find_map(|l| l.split_once("Proved goals:"));
        let (proved, all) = goals.and_then(|g| g.1.split_once('/')).expect(&said);
        assert_eq!(proved.trim(), all.trim(), "{file}:\n{said}");
        assert_ne!(all.trim(), "0", "{file}:\n{said}");
    }
}

/// Runs that never end, and more inputs than there is time for: what was seen is told, soon.
#[test]
fn when_time_is_up_what_is_known_is_told() {
    let path = folder().join("forever.c");
    let text = "int spin(int *a, int n) {\n    int i = 0;\n    while (i < n)\n        \
                if (a[i] < 0)\n            i++;\n    return i;\n}\n";
    std::fs::write(&path, text).expect("it is our folder");
    let path = path.display().to_string();
    let start = Instant::now();
    let found = json(&[&path, "--timeout", "2"]);
    // Twice what is promised, for machines that are busy.
    assert!(start.elapsed() < Duration::from_secs(6), "{found:#}");
    assert_ne!(found["guarantee"]["kind"], "proved", "{found:#}");
    let points = found["points"].as_array().expect("a list");
    assert!(points.iter().any(|p| p["formula"].is_string()), "{found:#}");
}

//! Bounds of `idiolect explain` that start from a failing run and hold those that runs find beyond; letters with
//! names of macros.

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

fn explain(folder: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .current_dir(folder)
        .args(["explain", "--json", "--no-timing"])
        .args(arguments)
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}{error}"))
}

fn word_lengths(value: &Value) -> Vec<usize> {
    let witnesses = value["witnesses"].as_array().into_iter().flatten();
    witnesses
        .map(|w| w["word"].as_array().map_or(0, Vec::len))
        .collect()
}

/// One way to fail needs no round, the other one nine: more than where bounds end by default.
#[test]
fn a_failing_run_beyond_the_bounds_makes_them_larger() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void);\nvoid tick(void) {}\n\
                int main(void) {\n  int n = __VERIFIER_nondet_uchar() & 15;\n  \
                for (int i = 0; i < n; i++)\n    tick();\n  assert(n != 0 && n != 9);\n}\n";
    std::fs::write(folder.path().join("a.c"), text).expect("writable");
    let value = explain(folder.path(), &["a.c", "--strict"]);
    assert_eq!(value["verdict"], "error-language", "{value}");
    assert_eq!(word_lengths(&value), [1, 10], "{value}");
    assert_eq!(value["warnings"], json!([]), "{value}");
    // Who fixes the bounds asks for no more.
    let value = explain(folder.path(), &["a.c", "--unwind", "4"]);
    assert_eq!(word_lengths(&value), [1], "{value}");
}

/// The first failing run has six rounds and seven letters; nothing is learned below.
#[test]
fn bounds_begin_with_those_of_a_failing_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void);\nvoid tick(void) {}\n\
                int main(void) {\n  int n = __VERIFIER_nondet_uchar() & 7, i;\n  \
                for (i = 0; i < n; i++)\n    tick();\n  assert(i < 6);\n}\n";
    std::fs::write(folder.path().join("a.c"), text).expect("writable");
    let value = explain(folder.path(), &["a.c"]);
    assert_eq!(word_lengths(&value), [7, 8], "{value}");
    let rounds = value["bounds"]["loops"][0]["rounds"].as_u64();
    assert!(rounds.is_some_and(|n| n >= 6), "{value}");
}

#[test]
fn macros_name_classes_of_arguments() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include <fcntl.h>\n#define MODE (O_WRONLY | O_CREAT)\nint nondet_int(void);\n\
                int main(void) {\n  open(\"a\", nondet_int() ? MODE : O_RDONLY, 0600);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("a.c"), text).expect("writable");
    let event = "call:open(_, &O_CREAT)";
    let value = explain(folder.path(), &["a.c", "--program", "--event", event]);
    let letters = value["automaton"]["alphabet"].to_string() + &value["language"].to_string();
    assert!(letters.contains("open(_, &O_CREAT)"), "{value}");
    assert_eq!(word_lengths(&value), [0, 1], "{value}");
    let named = explain(
        folder.path(),
        &["a.c", "--program", "--event", "makes=call:open(_, &MODE)"],
    );
    assert!(named["language"].to_string().contains("makes"), "{named}");
    // What can only be a call needs no `call:`.
    for (short, long) in [
        (&event["call:".len()..], &value),
        ("makes=open(_, &MODE)", &named),
    ] {
        let same = explain(folder.path(), &["a.c", "--program", "--event", short]);
        assert_eq!(same["automaton"], long["automaton"], "{same}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .current_dir(folder.path())
        .args([
            "explain",
            "a.c",
            "--program",
            "--event",
            "call:open(_, &NOTHING)",
        ])
        .output()
        .expect("idiolect starts");
    assert_eq!(output.status.code(), Some(2));
}

//! `localize --all-traces` under a short time limit.

use serde_json::Value;
use std::fmt::Write as _;
use std::process::Command;

/// A loop that takes some of `n` locks and gives them back; the last one is given back wrongly. Which are held is 2^n
/// states.
fn locks(n: usize) -> String {
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void); void __VERIFIER_error(void);\nint main(void) {\n",
    );
    for i in 0..n {
        let _ = writeln!(text, "  int p{i} = __VERIFIER_nondet_int(), l{i};");
    }
    let _ = writeln!(text, "  while (__VERIFIER_nondet_int()) {{");
    for i in 0..n {
        let _ = writeln!(text, "    l{i} = 0;");
    }
    for i in 0..n {
        let _ = writeln!(text, "    if (p{i}) l{i} = 1;");
    }
    for i in 0..n {
        let wrong = if i + 1 == n { 2 } else { 1 };
        let _ = writeln!(
            text,
            "    if (p{i}) {{ if (l{i} != {wrong}) __VERIFIER_error(); l{i} = 0; }}"
        );
    }
    text.push_str("  }\n  return 0;\n}\n");
    text
}

#[test]
fn something_is_shown_when_the_time_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    for n in [3, 30] {
        let path = folder.path().join("locks.c");
        std::fs::write(&path, locks(n)).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
            .arg("localize")
            .arg(&path)
            .args(["--all-traces", "--json", "--timeout", "6"])
            .output()
            .expect("it starts");
        let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        // Whether all of them were found or not: there is a trace, and it says what is relevant.
        assert!(outcome["coverage"].is_string(), "{outcome}");
        assert!(
            outcome["statistics"]["error_traces"].as_u64() >= Some(1),
            "{outcome}"
        );
        assert_eq!(outcome["error"]["kind"], "reach_error", "{outcome}");
    }
}

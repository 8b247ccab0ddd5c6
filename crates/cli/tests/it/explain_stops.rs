//! A budget that ends, and Ctrl-C: the best automaton so far, marked undecided.

use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

/// Multiplications that no solver undoes, with as many loops as one likes.
const HARD: &str = "
    #include <assert.h>
    extern unsigned long long nondet_ulonglong(void);
    void a(void) {} void b(void) {}
    int main(void) {
        unsigned long long x = nondet_ulonglong(), y = nondet_ulonglong(), p = 1;
        while (nondet_ulonglong()) {
            if (x * y * p % 1000003 == 7) a(); else b();
            p = p * (x ^ (y >> 3)) + 12345;
            x = x * x + y;
        }
        assert(p * x != 18446744073709551557ULL * y || y < 2);
    }";

fn command(folder: &std::path::Path) -> Command {
    let file = folder.join("hard.c");
    std::fs::write(&file, HARD).expect("writable");
    let mut command = Command::new(IDIOLECT);
    command
        .args(["explain", "--json", "--unwind", "20", "--word-length", "21"])
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn check(output: &std::process::Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(output.status.code(), Some(3), "{value}");
    assert_eq!(value["verdict"], "undecided");
    assert_eq!(value["guarantee"]["kind"], "none");
}

#[test]
fn a_timeout_is_undecided() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = command(folder.path())
        .args(["--timeout", "1"])
        .output()
        .expect("idiolect starts");
    check(&output);
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_undecided() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let child = command(folder.path()).spawn().expect("idiolect starts");
    std::thread::sleep(Duration::from_millis(1500));
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill starts");
    assert!(interrupted.success());
    let before = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    check(&output);
    // Generous: the point is that it ends at all without being asked twice.
    assert!(before.elapsed() < Duration::from_secs(60));
}

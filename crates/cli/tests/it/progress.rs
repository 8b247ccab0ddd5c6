//! Long work shows how fast it goes and how long it takes yet, if a person is watching.

use std::process::Command;
use xtask::process::available_or_skip;

/// What a terminal gets to see. `script` of util-linux is the terminal.
fn seen(arguments: &str) -> Option<String> {
    if !available_or_skip("script", "progress") {
        return None;
    }
    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_idiolect"));
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it starts");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn program(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("there is room");
    path.display().to_string()
}

const SUM: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2000; i++) sum += __VERIFIER_nondet_int() & 3;
    return sum < 0;
}
";

#[test]
fn many_runs_show_rate_and_time_left() {
    let path = program("many_runs.c", SUM);
    let Some(seen) = seen(&format!("run {path} --runs 4000")) else {
        return;
    };
    let line = seen.split('\r').find(|line| line.contains(" left ("));
    let line = line.unwrap_or_else(|| panic!("no line with the time left:\n{seen}"));
    assert!(line.contains(" of 4,000 runs · "), "{line}");
    assert!(line.contains(" runs/s · "), "{line}");
    let last = seen.lines().last().unwrap_or_default();
    assert!(!last.contains("left"), "the line goes away: {last}");
}

#[test]
fn a_time_limit_is_an_end_in_sight() {
    let path = program("endless.c", "int main(void) { for (;;); }\n");
    let Some(seen) = seen(&format!("run {path} --timeout 1")) else {
        return;
    };
    assert!(seen.contains("running · at most 1 s left ("), "{seen}");
}

#[test]
fn quiet_runs_and_pipes_show_nothing() {
    let path = program("quiet.c", SUM);
    if let Some(seen) = seen(&format!("run {path} --runs 4000 --quiet")) {
        assert!(!seen.contains("runs/s"), "{seen}");
    }
    let piped = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["run", &path, "--runs", "4000"])
        .output()
        .expect("it starts");
    assert_eq!(String::from_utf8_lossy(&piped.stderr), "");
}

/// Before the work, not after it.
#[test]
fn a_place_that_cannot_be_written_is_told_at_once() {
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args([
            "run",
            "no_such_program.c",
            "--report",
            "no_such_folder/a.html",
        ])
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("'no_such_folder/a.html' for '--report <FILE.html>'"),
        "{told}"
    );
    assert!(
        told.contains("there is no folder `no_such_folder`"),
        "{told}"
    );
}

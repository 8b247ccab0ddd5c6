//! What the world does to a tool: it is killed, interrupted, runs out of space, finds no compiler, and
//! is given files that are not what they seem. Nothing is half written, nothing crashes, and every
//! failure says what to do.

#![allow(clippy::print_stderr)] // A test that is skipped says so.

use idiolect_base::Rng;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

fn idiolect() -> Command {
    let mut command = Command::new(IDIOLECT);
    command.current_dir(xtask::root());
    command
}

/// Bad input: exit code 2, and the help names a way out.
fn is_refused(output: &Output, said: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(said), "expected {said:?} in {text}");
    assert!(text.contains("help:"), "{text}");
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A law of arithmetic that no solver of bits sees soon.
fn endless(folder: &Path) -> PathBuf {
    let path = folder.join("endless.c");
    let text = "#include <assert.h>\n\
                unsigned nondet_uint(void);\n\
                int main(void) {\n\
                  unsigned a = nondet_uint(), b = nondet_uint(), n = 0;\n\
                  while (nondet_uint() % 7 != 3) { a = a * b + n; n += a ^ b; }\n\
                  assert(a * (b + n) * b == n * a * b + b * (b * a));\n\
                  return 0;\n}\n";
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn a_killed_run_leaves_whole_files_or_none() {
    let folder = scratch();
    let (page, dot) = (folder.path().join("r.html"), folder.path().join("r.dot"));
    let mut random = Rng::new(7, 0);
    let mut n_whole = 0;
    for _ in 0..24 {
        for path in [&page, &dot] {
            let _ = std::fs::remove_file(path);
        }
        let mut run = idiolect()
            .args(["explain", "examples/sort.c", "--report"])
            .arg(&page)
            .arg("--dot")
            .arg(&dot)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("idiolect starts");
        std::thread::sleep(Duration::from_millis(random.below(400)));
        let _ = run.kill();
        let _ = run.wait();
        if let Ok(text) = std::fs::read_to_string(&page) {
            assert!(text.trim_end().ends_with("</html>"));
            n_whole += 1;
        }
        if let Ok(text) = std::fs::read_to_string(&dot) {
            assert!(text.trim_end().ends_with('}'));
        }
    }
    // Otherwise nothing was tried: some runs get to their end.
    let done = idiolect()
        .args(["explain", "examples/sort.c", "--report"])
        .arg(&page)
        .output()
        .expect("idiolect runs");
    assert_eq!(done.status.code(), Some(1), "{n_whole} of 24 were whole");
}

#[test]
fn a_full_disk_is_said_and_leaves_nothing() {
    let folder = scratch();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=32k", "tmpfs"])
        .arg(folder.path())
        .output();
    if !mounted.is_ok_and(|done| done.status.success()) {
        assert!(std::env::var_os("CI").is_none(), "CI may mount");
        eprintln!("SKIPPED faults: only root can make a disk that is full");
        return;
    }
    let page = folder.path().join("r.html");
    let output = idiolect()
        .args(["explain", "examples/sort.c", "-q", "--report"])
        .arg(&page)
        .output()
        .expect("idiolect runs");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder is there")
        .flatten()
        .collect();
    let unmounted = Command::new("umount").arg(folder.path()).status();
    is_refused(&output, "No space left");
    assert!(left.is_empty(), "{left:?}");
    assert!(unmounted.is_ok_and(|status| status.success()));
}

/// Ctrl-C at any moment asks for the best result so far.
#[test]
fn an_interrupt_gives_an_answer() {
    let folder = scratch();
    let file = endless(folder.path());
    let mut random = Rng::new(11, 0);
    for round in 0..10 {
        let run = idiolect()
            .args(["verify", "--json", "--unwind", "100000", "--timeout", "120"])
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("idiolect starts");
        // The handler is there soon after the start; before that a signal just ends the process.
        std::thread::sleep(Duration::from_millis(150 + random.below(700)));
        let sent = Command::new("kill")
            .args(["-INT", &run.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()));
        let output = run.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout);
        let value: Value = serde_json::from_str(&text)
            .unwrap_or_else(|e| panic!("round {round}: {e} in {text:?}"));
        assert_eq!(value["verdict"], "undecided", "{value}");
        assert_eq!(output.status.code(), Some(3));
    }
}

#[test]
fn a_compiler_that_is_missing_or_fails_is_said() {
    let with = |compiler: &str| {
        idiolect()
            .args(["run", "examples/sort.c"])
            .env("CC", compiler)
            .output()
            .expect("idiolect runs")
    };
    is_refused(&with("no-such-compiler"), "no-such-compiler");
    is_refused(&with("false"), "false");
}

#[test]
fn files_that_are_not_what_they_seem_are_refused() {
    let folder = scratch();
    let run = |path: &Path| {
        idiolect()
            .arg("run")
            .arg(path)
            .output()
            .expect("idiolect runs")
    };
    std::os::unix::fs::symlink("loop.c", folder.path().join("loop.c")).expect("a link");
    is_refused(&run(&folder.path().join("loop.c")), "loop.c");
    std::os::unix::fs::symlink("absent.c", folder.path().join("gone.c")).expect("a link");
    is_refused(&run(&folder.path().join("gone.c")), "gone.c");
    std::fs::create_dir(folder.path().join("dir.c")).expect("a folder");
    is_refused(&run(&folder.path().join("dir.c")), "dir.c");
    is_refused(&run(&folder.path().join("x".repeat(300))), "cannot read");
    let deep: PathBuf = std::iter::repeat_n("deep", 1500).collect();
    is_refused(&run(&folder.path().join(deep)), "cannot read");
    // A link to a good file is a good file.
    let good = xtask::root().join("examples/book/shelf_fixed.c");
    std::os::unix::fs::symlink(good, folder.path().join("good.c")).expect("a link");
    let output = run(&folder.path().join("good.c"));
    assert_eq!(output.status.code(), Some(0));
}

/// Line ends and marks of other systems change nothing.
#[test]
fn text_of_other_systems_is_read() {
    let folder = scratch();
    let text = "int main(void)\n{\n    return 3; /* a\n comment */\n}\n";
    for (name, text) in [
        ("crlf.c", text.replace('\n', "\r\n")),
        ("bom.c", format!("\u{feff}{text}")),
        ("both.i", format!("\u{feff}{}", text.replace('\n', "\r\n"))),
        ("no_end.c", text.trim_end().to_owned()),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        let output = idiolect().args(["run", "--json"]).arg(&path).output();
        let output = output.expect("idiolect runs");
        let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(value["exit_code"], 3, "{name}: {value}");
    }
}

#[test]
fn very_deep_and_very_long_input_is_read_or_refused() {
    let folder = scratch();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let n = 10_000;
    let parentheses = format!(
        "int main(void) {{ return {}7{}; }}\n",
        "(".repeat(n),
        ")".repeat(n)
    );
    let blocks = format!("int main(void) {{ {} {} }}\n", "{".repeat(n), "}".repeat(n));
    let long = format!(
        "int main(void) {{ return 7; }} /* {} */\n",
        "x".repeat(100 << 20)
    );
    for path in [
        write("parentheses.i", parentheses),
        write("blocks.i", blocks),
        write("long.i", long),
    ] {
        let output = idiolect().arg("run").arg(&path).output();
        let code = output.expect("idiolect runs").status.code();
        assert!(
            matches!(code, Some(0 | 2 | 7)),
            "{}: {code:?}",
            path.display()
        );
    }
}

#[test]
fn a_trace_of_a_hundred_megabytes_is_read() {
    let folder = scratch();
    let path = folder.path().join("long.trace");
    let run = std::fs::read(xtask::root().join("examples/server.trace")).expect("an example");
    let n_runs = (100 << 20) / run.len() + 1;
    std::fs::write(&path, run.repeat(n_runs)).expect("a file");
    let output = idiolect()
        .args(["mine", "--json", "--api", "socket"])
        .arg(&path)
        .output()
        .expect("idiolect runs");
    assert_eq!(output.status.code(), Some(0));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let calls = value["statistics"]["calls"].as_u64().expect("a count");
    assert!(calls > 1_000_000, "{calls}");
    let peak = value["timing"]["peak_memory_bytes"].as_u64();
    assert!(peak.is_none_or(|bytes| bytes < 100 << 20), "{peak:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_end_of_memory_is_undecided() {
    let folder = scratch();
    let path = folder.path().join("large.c");
    let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
        int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0;
        for (unsigned i = 0; i < n; i++) { s = s * 31 + (s ^ i) * __VERIFIER_nondet_uint(); }
        if (s == 12345 && n == 4000000000u) reach_error(); return 0; }\n";
    std::fs::write(&path, text).expect("a file");
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\""])
        .arg(IDIOLECT)
        .args(["verify", "--json", "--engine", "bmc", "--timeout", "300"])
        .args(["--unwind", "1000000"])
        .arg(&path)
        .output()
        .expect("a shell runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["verdict"], "undecided", "{value}");
    let why = value["guarantee"]["text"].as_str().unwrap_or_default();
    assert!(why.contains("memory"), "{why}");
}

//! Files and streams that outcomes go to: devices, pipes and links are written through, and what cannot
//! be written does not cost the answer.

use std::fs::File;
use std::os::unix::fs::FileTypeExt;
use std::process::{Command, Output, Stdio};

const ODD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/odd.dot");

fn learn(args: &[&str], stdout: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["learn", ODD])
        .args(args)
        .stdout(stdout)
        .output()
        .expect("idiolect runs")
}

fn full() -> Stdio {
    let device = File::options().write(true).open("/dev/full");
    device.expect("Linux has it").into()
}

#[test]
fn a_device_is_not_replaced() {
    let output = learn(
        &["--dot", "/dev/null", "--report", "/dev/null"],
        Stdio::piped(),
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let kind = std::fs::symlink_metadata("/dev/null").expect("it is there");
    assert!(kind.file_type().is_char_device());
    assert!(!std::path::Path::new("/dev/.null.running").exists());
}

#[test]
fn a_pipe_gets_the_whole_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe))
    };
    let output = learn(&["--dot", pipe.to_str().expect("text")], Stdio::piped());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = reader.join().expect("no panic").expect("text");
    assert!(text.contains("digraph"), "{text}");
    let kind = std::fs::symlink_metadata(&pipe).expect("it is there");
    assert!(kind.file_type().is_fifo());
}

#[test]
fn standard_output_is_a_file_like_others() {
    for name in ["-", "/dev/stdout"] {
        let output = learn(&["--dot", name, "-q"], Stdio::piped());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("digraph"), "{name}: {text}");
    }
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn what_cannot_be_written_does_not_cost_the_answer() {
    let output = learn(&["--json", "--dot", "/dev/full"], Stdio::piped());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(outcome["verdict"], "learned");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(messages.contains("cannot write `/dev/full`"), "{messages}");
}

#[test]
fn an_answer_that_nobody_can_read_is_none() {
    let output = learn(&["--json"], full());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let help = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .arg("--help")
        .stdout(full())
        .status();
    assert_eq!(help.expect("idiolect runs").code(), Some(2));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["learn", ODD, "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("idiolect runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

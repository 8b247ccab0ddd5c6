//! `idiolect diff --git`: both versions of a file from a repository.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .status()
        .expect("git starts");
    assert!(status.success(), "git {arguments:?}");
}

#[test]
fn two_revisions_of_a_file_are_compared() {
    if !available_or_skip("git", "diff_git") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("src");
    std::fs::create_dir(&source).expect("writable");
    let header = "void open(void) {} void close(void) {}\n";
    std::fs::write(source.join("api.h"), header).expect("writable");
    let old = "#include \"api.h\"\nint nondet_int(void);\n\
               int main(void) { open(); if (nondet_int()) close(); }\n";
    let new = "#include \"api.h\"\nint main(void) { open(); close(); }\n";
    git(folder.path(), &["init", "-q"]);
    for text in [old, new] {
        std::fs::write(source.join("main.c"), text).expect("writable");
        git(folder.path(), &["add", "-A"]);
        git(folder.path(), &["commit", "-q", "-m", "a version"]);
    }
    let output = Command::new(IDIOLECT)
        .current_dir(folder.path())
        .args([
            "diff",
            "--json",
            "--git",
            "HEAD~1",
            "HEAD",
            "--",
            "src/main.c",
        ])
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(output.status.code(), Some(1), "{value}");
    assert_eq!(value["verdict"], "different");
    assert_eq!(
        value["lost"]["witnesses"][0]["word"],
        serde_json::json!(["open"])
    );
    assert_eq!(value["gained"]["witnesses"], serde_json::json!([]));
    // A revision is never taken for an option.
    let output = Command::new(IDIOLECT)
        .current_dir(folder.path())
        .args(["diff", "--git", "--output=x", "HEAD", "--", "src/main.c"])
        .output()
        .expect("idiolect starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("x").exists());
}

//! `idiolect diff --git`: both versions of a file from a repository.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

pub fn git(folder: &Path, arguments: &[&str]) {
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

pub fn diff_json(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = Command::new(IDIOLECT)
        .current_dir(folder)
        .args(["diff", "--json", "--no-timing"])
        .args(arguments)
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}{error}"));
    (output.status.code(), value)
}

/// Several files, a header that only one revision changes, and a driver that is in none of them; then the merge of two
/// branches that do not know of each other.
#[test]
fn revisions_have_several_files_and_merges_four_revisions() {
    if !available_or_skip("git", "diff_git") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).expect("writable");
    std::fs::create_dir(root.join("src")).expect("writable");
    write(
        "src/api.h",
        "#define LIMIT 3\nvoid start(void); void stop(void);\n",
    );
    write(
        "src/api.c",
        "#include \"api.h\"\nvoid start(void) {} void stop(void) {}\n",
    );
    let work = "#include \"api.h\"\n\
                int work(int n) {\nif (n > LIMIT) {\nstart();\nstop();\nreturn 1;\n}\n\nreturn 0;\n}\n";
    write("src/work.c", work);
    git(root, &["init", "-q"]);
    let commit = |message: &str| {
        git(root, &["add", "src"]);
        git(root, &["commit", "-q", "-m", message]);
    };
    commit("base");
    git(root, &["tag", "base"]);
    git(root, &["checkout", "-q", "-b", "a"]);
    write(
        "src/api.h",
        "#define LIMIT 4\nvoid start(void); void stop(void);\n",
    );
    commit("a");
    git(root, &["checkout", "-q", "-b", "b", "base"]);
    write("src/work.c", &work.replace("stop();\n", ""));
    commit("b");
    git(root, &["checkout", "-q", "-b", "merged", "a"]);
    git(root, &["merge", "-q", "-m", "merged", "b"]);
    write(
        "drive.c",
        "int nondet_int(void); int work(int);\nint main(void) { return work(nondet_int()); }\n",
    );
    let files = ["--driver", "drive.c", "--", "src/work.c", "src/api.c"];
    // Only the header differs: the header of the working tree would hide it.
    let arguments = [&["--git", "base", "a"][..], &files].concat();
    let (code, value) = diff_json(root, &arguments);
    assert_eq!(
        (code, &value["verdict"]),
        (Some(1), &Value::from("different"))
    );
    let both = &value["different_for"][0];
    assert_eq!(both["inputs"], serde_json::json!([4]), "{value}");
    assert_eq!(
        both["old"]["word"],
        serde_json::json!(["work", "start", "stop"])
    );
    assert_eq!(both["new"]["word"], serde_json::json!(["work"]));
    let arguments = [&["--git-merge", "base", "a", "b", "merged"][..], &files].concat();
    let (code, value) = diff_json(root, &arguments);
    assert_eq!(code, Some(1), "{value}");
    let words = |key: &str| value[key]["witnesses"][0]["word"].clone();
    assert_eq!(words("not_in_a"), serde_json::json!(["work", "start"]));
    assert_eq!(words("not_in_b"), Value::Null);
    assert_eq!(words("in_neither"), Value::Null);
    // Nothing of the user's was touched.
    let status = Command::new("git")
        .current_dir(root)
        .args(["status", "--porcelain"])
        .output()
        .expect("git starts");
    assert_eq!(String::from_utf8_lossy(&status.stdout), "?? drive.c\n");
}

//! Source that nobody should have to read: always an answer, never a panic or a dead process.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file that is removed when dropped.
struct Source(PathBuf);

impl Source {
    fn new(name: &str, content: &[u8]) -> Self {
        let name = format!("idiolect-hostile-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, content).expect("a temporary file");
        Source(path)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The exit code of `idiolect run` and what it wrote to standard error.
fn run(path: &Path) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["run", "-q", "--max-steps", "100000"])
        .arg(path)
        .output()
        .expect("idiolect runs");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), messages)
}

#[track_caller]
fn refused(name: &str, content: &[u8], code: &str) {
    let source = Source::new(name, content);
    let (exit, messages) = run(&source.0);
    assert_eq!(exit, Some(2), "{name}: {messages}");
    assert!(
        messages.contains(&format!("error[{code}]")),
        "{name}: {messages}"
    );
}

#[test]
fn there_is_nothing_to_run() {
    refused("empty.c", b"", "c::no-entry");
    refused("empty.i", b"", "c::no-entry");
    refused("comment.c", b"/* nothing */", "c::no-entry");
    refused("no_main.c", b"int f(void) { return 1; }\n", "c::no-entry");
    refused("declared.c", b"int main(void);\n", "c::no-entry");
}

#[test]
fn bytes_are_not_text() {
    refused("program.c", b"\x7fELF\x02\x01\x01\0\0\0", "c::not-text");
    refused(
        "name.c",
        b"int main(void) { return \xff; }\n",
        "c::undeclared",
    );
    // In a string they are bytes like any other.
    let text = b"int main(void) { return \"\xff\"[0] == '\\xff' ? 7 : 8; } /* \xe9 */\n";
    let source = Source::new("literal.c", text);
    let (exit, messages) = run(&source.0);
    assert_eq!(exit, Some(0), "{messages}");
}

#[test]
fn nesting_has_an_end() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    let text = format!("int main(void) {{ return {open}0{close}; }}\n");
    refused("parentheses.c", text.as_bytes(), "c::nesting-too-deep");
    let (open, close) = ("{".repeat(10_000), "}".repeat(10_000));
    let text = format!("int main(void) {{ {open}{close} return 0; }}\n");
    refused("braces.i", text.as_bytes(), "c::nesting-too-deep");
    refused(
        "unclosed.i",
        "int main(void) { (".repeat(10_000).as_bytes(),
        "c::syntax",
    );
}

#[test]
fn macros_may_be_many() {
    let mut text = "#define A0 x +\n".to_owned();
    for i in 1..=12 {
        text += &format!("#define A{i} A{j} A{j}\n", j = i - 1);
    }
    // 4,096 summands are a program.
    let sum = text.clone() + "int main(void) { int x = 1; return (A12 0) == 4096 ? 0 : 1; }\n";
    let source = Source::new("sum.c", sum.as_bytes());
    let (exit, messages) = run(&source.0);
    assert_eq!(exit, Some(0), "{messages}");
    // A header that includes itself is not.
    refused(
        "self.c",
        b"#include __FILE__\nint main(void) { return 0; }\n",
        "c::preprocessor",
    );
}

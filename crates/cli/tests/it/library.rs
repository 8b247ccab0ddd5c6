//! An error inside the C library is shown at the call in the program's own text, by every command.

use serde_json::Value;
use std::process::Command;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

const PROGRAM: &str = "\
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static unsigned long length(const char *text)
{
    return strlen(text);
}
int main(void)
{
    return length(__VERIFIER_nondet_int() > 5 ? 0 : \"some\") == 4;
}
";

fn said(words: &[&str], source: &str) -> String {
    let output = Command::new(IDIOLECT)
        .args(words)
        .arg(source)
        .output()
        .expect("idiolect starts");
    let bytes = [output.stdout, output.stderr].concat();
    String::from_utf8(bytes).expect("text")
}

#[test]
fn an_error_in_the_library_is_shown_at_its_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("called.c");
    std::fs::write(&path, PROGRAM).expect("a program");
    let source = path.to_str().expect("a path");
    for words in [
        &["run", "--input", "6"][..],
        &["verify", "--property", "memory"],
        &["localize"],
    ] {
        let text = said(&[words, &["--no-timing"]].concat(), source);
        assert!(text.contains("called.c:5 in `strlen`"), "{words:?}: {text}");
        let json = said(&[words, &["--json", "-q"]].concat(), source);
        let value: Value = serde_json::from_str(&json).expect("an outcome");
        let error = &value["error"];
        assert_eq!(error["line"], 5, "{words:?}: {error}");
        assert_eq!(error["function"], "length", "{words:?}");
        assert_eq!(error["library"]["function"], "strlen", "{words:?}");
    }
}

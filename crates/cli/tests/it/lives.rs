//! Mistakes with objects of the C library are found at their lines, and nothing in corrected programs.

use std::path::Path;
use std::process::Command;

#[test]
fn twelve_mistakes_are_found_and_their_corrections_are_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("sh")
        .arg(root.join("bench/lives/run.sh"))
        .arg(env!("CARGO_BIN_EXE_idiolect"))
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("12 of 12 found, 0 false alarms"), "{text}");
}

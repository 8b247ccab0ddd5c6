//! Pairs of programs that differ in one fault: `corpus/checks/NAME_bad.c` has it, `NAME_good.c` has not.
//! Every fault is found and every sibling proved; and the programs that the system compiler builds from
//! them with sanitizers agree, as far as these can see the fault.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

/// The names of pairs, each with the property that its first line names.
fn pairs() -> Vec<(String, String)> {
    let folder = xtask::root().join("corpus/checks");
    let mut pairs = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of checks") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
        let Some(name) = name.strip_suffix("_bad.c") else {
            continue;
        };
        let text = std::fs::read_to_string(&path).expect("a program");
        let first = text.lines().next().expect("a line");
        let property = first.strip_prefix("// property: ").expect("a property");
        pairs.push((name.to_owned(), property.to_owned()));
    }
    pairs.sort();
    pairs
}

fn file(name: &str, kind: &str) -> PathBuf {
    xtask::root().join(format!("corpus/checks/{name}_{kind}.c"))
}

fn verify(path: &Path, property: &str, more: &[&str]) -> Value {
    let output = Command::new(IDIOLECT)
        .args(["verify", "--json", "--property", property])
        .args(["--stack-size", "20000"])
        .args(more)
        .arg(path)
        .output()
        .expect("idiolect starts");
    serde_json::from_slice(&output.stdout).expect("an outcome")
}

#[test]
fn every_fault_is_found_and_every_sibling_proved() {
    let pairs = pairs();
    assert!(pairs.len() >= 28, "{} pairs", pairs.len());
    let mut wrong = Vec::new();
    for (name, property) in &pairs {
        let found = verify(&file(name, "bad"), property, &[]);
        // `memory` is two properties of SV-COMP, and we have no other that it does not name.
        let violated = match property.as_str() {
            "memory" => "valid-deref",
            other => other,
        };
        if found["verdict"] != "error" || found["error"]["property"] != violated {
            let what = (&found["verdict"], &found["error"]["property"]);
            wrong.push(format!("{name}_bad: {what:?}"));
        }
        let proved = verify(&file(name, "good"), property, &[]);
        if proved["verdict"] != "proved" {
            wrong.push(format!(
                "{name}_good: {} {}",
                proved["verdict"], proved["guarantee"]["text"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What makes a compiled program stop at a violation of the property, if anything does.
fn sanitizer(property: &str) -> Option<&'static [&'static str]> {
    match property {
        "valid-deref" | "valid-free" | "memory" => Some(&[
            "-fsanitize=address,bounds",
            "-fno-sanitize-recover=all",
            "-fno-builtin",
        ]),
        "valid-memtrack" => Some(&["-fsanitize=leak"]),
        "no-overflow" => Some(&[
            "-fsanitize=signed-integer-overflow,integer-divide-by-zero",
            "-fno-sanitize-recover=all",
        ]),
        "shift" => Some(&["-fsanitize=shift", "-fno-sanitize-recover=all"]),
        "division" => Some(&[
            "-fsanitize=integer-divide-by-zero",
            "-fno-sanitize-recover=all",
        ]),
        // The stack of the process is larger than the one that is asked about.
        _ => None,
    }
}

fn built(files: &[&Path], flags: &[&str], to: &Path) -> bool {
    let status = Command::new("cc")
        .args(["-std=gnu11", "-w", "-g"])
        .args(flags)
        .args(files)
        .arg("-o")
        .arg(to)
        .status()
        .expect("cc starts");
    status.success()
}

fn passes(program: &Path) -> bool {
    let output = Command::new(program)
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1",
        )
        .output()
        .expect("the program starts");
    // Sanitizers say what they see.
    let said = String::from_utf8_lossy(&output.stderr);
    output.status.code().is_some() && !said.contains("ERROR") && !said.contains("runtime error")
}

/// Inputs for siblings: all alike, so that any of them may come first.
const DRIVER: &str = "int __VERIFIER_nondet_int(void) { return INPUT; }\n";

#[test]
fn the_compiled_programs_agree() {
    if !available_or_skip("cc", "checks") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let program = scratch.path().join("program");
    let driver = scratch.path().join("driver.c");
    let harness = scratch.path().join("harness.c");
    std::fs::write(&driver, DRIVER).expect("a file");
    // A machine without the libraries, or one that does not let a process look at itself.
    std::fs::write(
        scratch.path().join("probe.c"),
        "int main(void) { return 0; }",
    )
    .expect("a file");
    let probe = scratch.path().join("probe.c");
    let mut known: BTreeMap<&[&str], bool> = BTreeMap::new();
    let mut can = |flags: &'static [&'static str]| {
        *known.entry(flags).or_insert_with(|| {
            built(&[&probe], flags, &program)
                && Command::new(&program).status().is_ok_and(|s| s.success())
        })
    };
    for (name, property) in pairs() {
        let (bad, good) = (file(&name, "bad"), file(&name, "good"));
        let Some(flags) = sanitizer(&property).filter(|flags| can(flags)) else {
            assert!(built(&[&good, &driver], &["-DINPUT=1"], &program));
            continue;
        };
        let at = harness.to_str().expect("a path");
        verify(&bad, &property, &["--harness", at]);
        assert!(built(&[&bad, &harness], flags, &program), "{name}");
        assert!(
            !passes(&program),
            "{name}: the compiled program does not fail"
        );
        for input in ["-DINPUT=3", "-DINPUT=(-2147483647-1)"] {
            let mut flags = flags.to_vec();
            flags.push(input);
            assert!(built(&[&good, &driver], &flags, &program), "{name}");
            assert!(passes(&program), "{name}: {input}");
        }
    }
}

//! A harness makes the compiled program do what the interpreter did.

use std::path::Path;
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

/// Runs a program with idiolect, writes the harness, compiles both and gives the status of the
/// compiled run: an exit code, or `None` for a signal.
fn replay(source: &Path, inputs: &str, scratch: &Path) -> Option<i32> {
    replay_with(source, inputs, scratch, &[])
}

fn replay_with(source: &Path, inputs: &str, scratch: &Path, flags: &[&str]) -> Option<i32> {
    let harness = scratch.join("harness.c");
    let program = scratch.join("replay");
    let status = Command::new(IDIOLECT)
        .args(["run", "--exit-zero", "-q", "--input", inputs, "--harness"])
        .arg(&harness)
        .arg(source)
        .stdout(std::process::Stdio::null())
        .status()
        .expect("idiolect starts");
    assert!(status.success());
    let compiled = Command::new("cc")
        .args(["-fwrapv", "-w"])
        .args(flags)
        .arg(source)
        .arg(&harness)
        .arg("-o")
        .arg(&program)
        .status()
        .expect("cc starts");
    assert!(compiled.success(), "the harness compiles");
    let output = Command::new(&program).output().expect("the replay starts");
    output.status.code()
}

#[test]
fn an_assertion_fails_in_the_compiled_program_too() {
    if !available_or_skip("cc", "harness") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let sort = xtask::root().join("examples/sort.c");
    assert_eq!(replay(&sort, "3,1,2", scratch.path()), None, "aborts");
    assert_eq!(replay(&sort, "1,2,3", scratch.path()), Some(0));
}

#[test]
fn every_type_of_input_reaches_the_compiled_program() {
    if !available_or_skip("cc", "harness") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("types.c");
    let text = "
        extern char __VERIFIER_nondet_char(void);
        extern unsigned short __VERIFIER_nondet_ushort(void);
        extern int __VERIFIER_nondet_int(void);
        extern long __VERIFIER_nondet_long(void);
        extern unsigned long long __VERIFIER_nondet_ulonglong(void);
        extern _Bool __VERIFIER_nondet_bool(void);
        extern double __VERIFIER_nondet_double(void);
        extern void reach_error(void);
        int main(void) {
            if (__VERIFIER_nondet_char() != -5) return 1;
            if (__VERIFIER_nondet_ushort() != 65535) return 2;
            if (__VERIFIER_nondet_int() != -2147483647 - 1) return 3;
            if (__VERIFIER_nondet_long() != -9) return 4;
            if (__VERIFIER_nondet_ulonglong() != 18446744073709551615ull) return 5;
            if (__VERIFIER_nondet_bool() != 1) return 6;
            if (__VERIFIER_nondet_double() != 2.5) return 7;
            if (__VERIFIER_nondet_int() == 1) reach_error();
            return 42;
        }";
    std::fs::write(&source, text).expect("writable");
    let inputs = "-5,65535,-2147483648,-9,18446744073709551615,1,2.5,";
    let quiet = replay(&source, &format!("{inputs}0"), scratch.path());
    assert_eq!(quiet, Some(42));
    let error = replay(&source, &format!("{inputs}1"), scratch.path());
    assert_eq!(error, Some(107), "the status for a violation");
}

#[test]
fn a_report_is_written_whole_or_not_at_all() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let page = scratch.path().join("report.html");
    let sort = xtask::root().join("examples/sort.c");
    let run = |report: &Path| {
        Command::new(IDIOLECT)
            .args(["run", "--input", "3,1,2", "--exit-zero", "-q", "--report"])
            .arg(report)
            .arg(&sort)
            .output()
            .expect("idiolect starts")
    };
    assert!(run(&page).status.success());
    let html = std::fs::read_to_string(&page).expect("the report is there");
    assert!(html.ends_with("</html>\n"));
    let nowhere = scratch.path().join("missing/report.html");
    assert_eq!(run(&nowhere).status.code(), Some(2));
    let left: Vec<_> = std::fs::read_dir(scratch.path())
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name())
        .collect();
    assert_eq!(left, ["report.html"], "nothing else is left behind");
}

#[test]
fn the_command_line_and_the_environment_reach_the_compiled_program() {
    if !available_or_skip("cc", "harness") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("process.c");
    let text = "
        extern char *getenv(const char *name);
        extern void reach_error(void);
        extern void unknown(int *p);
        int main(int argc, char **argv) {
            char *home = getenv(\"HOME\");
            int x = 1;
            unknown(&x);
            if (argc == 9 && argv[3] && argv[1][0] == 'a' && home && home[0] == 'x'
                && !getenv(\"NO_SUCH\"))
                reach_error();
            return 42;
        }";
    std::fs::write(&source, text).expect("writable");
    let empty = "0,0,0,0,0,0,0";
    let inputs =
        |count: u32| format!("1,120,{empty},0,0,{empty},{count},0,{empty},97,{empty},0,{empty}");
    let flags = ["-Dmain=program_main"];
    let failing = replay_with(&source, &inputs(9), scratch.path(), &flags);
    assert_eq!(failing, Some(107));
    let passing = replay_with(&source, &inputs(8), scratch.path(), &flags);
    assert_eq!(passing, Some(42));
}

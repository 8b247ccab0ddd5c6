//! Functions that are looked at by themselves: what is built for their parameters is no fault of theirs.

use serde_json::Value;
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

/// What `verify` says of a function under a contract.
fn verdict(text: &str, options: &[&str]) -> String {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("a.c");
    std::fs::write(&source, text).expect("the source is written");
    let output = Command::new(IDIOLECT)
        .arg("verify")
        .arg(&source)
        .args(["--entry", "f", "--property", "assert,memory", "--json"])
        .args(["--timeout", "20"])
        .args(options)
        .output()
        .expect("it starts");
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    outcome["verdict"].as_str().unwrap_or_default().to_owned()
}

const HEADERS: &str = "struct header { const char *name; unsigned long n; };\n\
    unsigned long f(struct header *headers, unsigned long *n) {\n  unsigned long sum = 0;\n  \
    for (unsigned long i = 0; i < *n; i++) if (headers[i].name) sum += headers[i].n;\n  return sum;\n}\n";

#[test]
fn an_array_of_records_may_be_empty() {
    let contract = [
        "--assume",
        "\\valid(n)",
        "--assume",
        "*n <= 2",
        "--assume",
        "\\valid(headers + (0 .. *n - 1))",
    ];
    assert_eq!(verdict(HEADERS, &contract), "proved");
    let broken = HEADERS.replace("i < *n", "i <= *n");
    assert_eq!(verdict(&broken, &contract), "error");
}

#[test]
fn no_array_is_larger_than_memory() {
    // The last element of an array of n elements has an address, whatever n is.
    let text = "int f(int *a, unsigned long n) { return n ? a[n - 1] : 0; }\n";
    let contract = ["--assume", "\\valid(a + (0 .. n - 1))"];
    assert_ne!(verdict(text, &contract), "error");
    let text = "int f(int *a, unsigned long n) { return a[n]; }\n";
    assert_eq!(verdict(text, &contract), "error");
}

#[test]
fn bytes_of_a_record_are_as_many_as_are_said() {
    let text = "struct s { char *text; };\nint f(struct s *s) { return s->text != 0; }\n";
    let contract = ["--assume", "\\valid((char *)s + (0 .. 7))"];
    assert_eq!(verdict(text, &contract), "proved");
}

/// Whatever the answer is, the harness builds the parameters, links, and does what was said.
#[test]
fn a_harness_is_there_for_any_outcome() {
    if !available_or_skip("cc", "entries") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("a.c");
    let harness = scratch.path().join("test.c");
    for (text, is_error) in [
        (HEADERS.to_owned(), false),
        (HEADERS.replace("<", "<="), true),
    ] {
        std::fs::write(&source, text).expect("the source is written");
        let output = Command::new(IDIOLECT)
            .arg("verify")
            .arg(&source)
            .args(["--entry", "f", "--property", "memory", "--timeout", "20"])
            .args(["--assume", "\\valid(n)", "--assume", "*n <= 2"])
            .args(["--assume", "\\valid(headers + (0 .. *n - 1))"])
            .arg("--harness")
            .arg(&harness)
            .output()
            .expect("it starts");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let command = shown.lines().find_map(|l| l.strip_prefix("harness: "));
        let built = Command::new("sh")
            .args(["-c", command.expect("the command is shown")])
            .current_dir(&scratch)
            .output()
            .expect("sh starts");
        assert_eq!(built.status.success(), !is_error, "{shown}\n{built:?}");
        let errors = String::from_utf8_lossy(&built.stderr).into_owned();
        assert_eq!(errors.contains("AddressSanitizer"), is_error, "{errors}");
    }
}

/// A contract that nothing keeps proves everything: whoever wrote it is told.
#[test]
fn a_contract_that_no_run_keeps_is_noticed() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("a.c");
    let text = "struct s { int a, b, c; }; int f(struct s *s, unsigned n, int *p) { return p[n]; }";
    std::fs::write(&source, text).expect("the source is written");
    // The second one is kept by few inputs, and such a run is found.
    for (contract, is_kept) in [
        (["n > 3", "n < 2"], false),
        (["s->a == 0 && s->b == 0 && s->c == -1", "n <= 2"], true),
    ] {
        let output = Command::new(IDIOLECT)
            .arg("verify")
            .arg(&source)
            .args(["--entry", "f", "--property", "memory", "--timeout", "20"])
            .args(["--assume", contract[0], "--assume", contract[1]])
            .args([
                "--assume",
                "\\valid(s)",
                "--assume",
                "\\valid(p + (0 .. 2))",
            ])
            .output()
            .expect("it starts");
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown).into_owned();
        assert!(shown.contains("proved"), "{shown}");
        assert_eq!(shown.contains("no run was found"), !is_kept, "{shown}");
    }
}

/// A harness needs the function under test alone: what else its file calls need not be there, and a type of a parameter
/// need not have a name.
#[test]
fn a_harness_links_without_the_rest_of_the_project() {
    if !available_or_skip("cc", "entries") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = scratch.path().join("a.c");
    let harness = scratch.path().join("test.c");
    let text = "typedef enum { LOW, HIGH } level; int elsewhere(int);
        int other(int x) { return elsewhere(x); }
        int f(level l, const int *a) { return a[l == HIGH ? 4 : 0]; }";
    std::fs::write(&source, text).expect("the source is written");
    let output = Command::new(IDIOLECT)
        .arg("verify")
        .arg(&source)
        .args(["--entry", "f", "--property", "memory", "--timeout", "20"])
        .args(["--assume", "\\valid_read(a + (0 .. 3))", "--harness"])
        .arg(&harness)
        .output()
        .expect("it starts");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let command = shown.lines().find_map(|l| l.strip_prefix("harness: "));
    let built = Command::new("sh")
        .args(["-c", command.expect("the command is shown")])
        .current_dir(&scratch)
        .output()
        .expect("sh starts");
    let errors = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(errors.contains("AddressSanitizer"), "{shown}\n{errors}");
}

/// Whoever reasons about jumps sees what runs do: the value of an assignment that never happens, jumps through several
/// functions, from callbacks and in recursion, buffers that are set anew, and those of functions that have returned.
const JUMPS: &str = r#"
    #include <assert.h>
    #include <setjmp.h>
    #include <stdlib.h>
    static jmp_buf outer, inner;
    static int trail;
    static void note(int n) { trail = trail * 10 + n; }
    static int deep(int n, int value) {
        if (n == 0) longjmp(outer, value);
        note(1);
        return deep(n - 1, value) + 1;
    }
    static int compare(const void *a, const void *b) {
        if (*(const int *)a == 7) longjmp(inner, 7);
        return *(const int *)a - *(const int *)b;
    }
    static int (*callback)(const void *, const void *) = compare;
    static int sorted(int first) {
        int numbers[2] = { first, 3 };
        switch (setjmp(inner)) {
        case 0: return callback(&numbers[0], &numbers[1]) ? 1 : 2;
        case 7: return 7;
        default: return 9;
        }
    }
    static int retry(int n) {
        volatile int times = 0;
        int got = setjmp(outer);
        if (times < n) { times++; longjmp(outer, 0); }
        return got * 10 + times;
    }
    int f(int input) {
        int x = 5, result = 0;
        if (setjmp(outer) == 0) x = deep(2, input); else result = 1;
        assert(x == 5 && result == 1 && trail == 11);
        assert(sorted(7) == 7 && sorted(4) == 1);
        assert(retry(2) == 12 && retry(0) == 0);
        return x;
    }
"#;

#[test]
fn jumps_are_followed_in_proofs() {
    assert_eq!(verdict(JUMPS, &[]), "proved");
    let wrong = JUMPS.replace("retry(2) == 12", "retry(2) == 2");
    assert_eq!(verdict(&wrong, &[]), "error");
    let stale = JUMPS.replace("return x;", "longjmp(outer, 1);");
    assert_eq!(verdict(&stale, &[]), "error");
}

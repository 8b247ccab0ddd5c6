//! The textbook functions of `corpus/linear/textbook`: what they do is found and proved, Frama-C/WP and native runs
//! confirm it, mistakes in them are never called adequate, and time that is up leaves what is known.

#![allow(clippy::print_stderr)] // A test that is skipped says so.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use xtask::textbook::{self, FramaC};

fn idiolect(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .arg("invariants")
        .args(args)
        .current_dir(xtask::root())
        .output()
        .expect("idiolect starts")
}

fn json(args: &[&str]) -> Value {
    let done = idiolect(&[args, &["--json"]].concat());
    serde_json::from_slice(&done.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {done:?}"))
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("it is our folder");
    folder
}

/// The formulas at the exit of the last function that are proved to say what it does; none if something fails.
fn functional(found: &Value) -> Vec<String> {
    let functions = found["functions"].as_array().expect("a list");
    let is_safe = |f: &Value| f["memory_safe"] == true;
    match functions.last().filter(|_| functions.iter().all(is_safe)) {
        Some(f) => {
            let texts = f["functional"].as_array().expect("a list").iter();
            texts
                .map(|t| t.as_str().expect("text").to_owned())
                .collect()
        }
        None => Vec::new(),
    }
}

/// Looks at a function with what its callers see to.
fn look(name: &str, length: &str, more: &[&str]) -> Value {
    let assumed = textbook::assumptions(name).expect("there is a list");
    let path = format!("corpus/linear/textbook/{name}.c");
    let mut args = vec![path.as_str(), "--length", length];
    args.extend(assumed.iter().map(String::as_str));
    args.extend(more);
    json(&args)
}

/// A function, and what is found of what it does. Slower ones are in `cargo xtask tables textbook`.
const DO: &[(&str, &str)] = &[
    ("buffer-fill", "∀ y1. 0 ≤ y1 < b->len ⇒ b->data[y1] = x"),
    (
        "stack-push",
        "old(s->len) < s->cap ⇒ s->data[old(s->len)] = x",
    ),
    (
        "vector-max",
        "0 < v->len ⇒ ∃ y. 0 ≤ y < v->len ∧ v->data[y] = result",
    ),
    (
        "bitmap",
        "∀ y. 0 ≤ y < n ∧ y ≠ bit / 32 ⇒ words[y] = old(words[y])",
    ),
    (
        "bitmap-test",
        "0 ≤ bit ∧ bit / 32 < n ⇒ result = ((old(words[bit / 32]) >> (bit % 32)) & 1)",
    ),
    ("bsearch", "∀ y1. 0 ≤ y1 < n ∧ result < 0 ⇒ a[y1] ≠ key"),
    ("count", "result = #{ y | 0 ≤ y < n ∧ a[y] = x }"),
    ("hash-find", "0 ≤ result ⇒ keys[result] = key"),
    ("hash-insert", "0 ≤ result ⇒ keys[result] = key"),
    ("heapify", "a[0..n) is a permutation of old(a[0..n))"),
    (
        "insertion-sort",
        "∀ y1, y2. 0 ≤ y1 ≤ y2 < n ⇒ a[y1] ≤ a[y2]",
    ),
    ("list-delete", "∀ y1. result →* y1 ⇒ y1->key ≠ key"),
    (
        "list-reverse",
        "∀ y1, y2. result →* y1 →* y2 ⇒ y2->key ≤ y1->key",
    ),
    ("max-index", "∀ y1. 0 ≤ y1 < result < n ⇒ a[y1] ≠ a[result]"),
    (
        "memmove",
        "∀ y. 0 ≤ k ∧ 0 ≤ y < n - k ⇒ a[y + k] = old(a[y])",
    ),
    ("min-value", "0 < n ⇒ ∃ y. 0 ≤ y < n ∧ a[y] = result"),
    (
        "min-index",
        "∀ y1. result < y1 < n ∧ result < n ⇒ a[result] ≠ a[y1]",
    ),
    ("reverse", "∀ y. 0 ≤ y < n ⇒ a[n - 1 - y] = old(a[y])"),
    (
        "ring-pop",
        "0 ≤ old(*first) ∧ old(*first) < size ∧ 0 < old(*count) ∧ old(*count) ≤ size ⇒ \
         *value = old(ring[old(*first)])",
    ),
    (
        "ring-push",
        "result ≠ 0 ⇒ ∃ y. 0 ≤ y < size ∧ ring[y] = value",
    ),
    ("rotate", "∀ y. 1 ≤ y < n ⇒ a[y - 1] = old(a[y])"),
    ("segment-fill", "∀ y1. 0 ≤ y1 < end - begin ⇒ begin[y1] = x"),
    (
        "segment-find",
        "∀ y1. 0 ≤ y1 < result - begin ⇒ begin[y1] ≠ x",
    ),
    ("strchr", "∀ y1. 0 ≤ y1 < result ⇒ s[y1] ≠ c"),
    ("strlen", "∀ y1. 0 ≤ y1 < result ⇒ s[y1] ≠ 0"),
    ("strlen-pointer", "∀ y1. 0 ≤ y1 < result ⇒ s[y1] ≠ 0"),
    ("two-sum", "result ≠ 0 ⇒ ∃ y. 0 ≤ y < n ∧ a[y] = x"),
];

/// Each is proved, and 10,000 calls on random inputs break none of the C checks.
#[test]
fn what_textbook_functions_do_is_proved_and_holds_of_native_runs() {
    let folder = folder("textbook-checks");
    for (name, expected) in DO {
        let check = folder.join(format!("{name}-check.c")).display().to_string();
        let found = look(name, "4", &["--check", &check]);
        assert_eq!(found["guarantee"]["kind"], "proved", "{name}: {found:#}");
        let said = functional(&found);
        assert!(said.iter().any(|s| s == expected), "{name}: {said:#?}");
        let source = xtask::root().join(format!("corpus/linear/textbook/{name}.c"));
        let (code, text) = run_checks(&source, Path::new(&check), &folder.join(name), 10_000);
        assert_eq!(code, Some(0), "{name}: {text}");
        assert!(text.contains("nothing broken"), "{name}: {text}");
    }
}

/// Builds checks with the functions that they are of, and runs them on random inputs.
fn run_checks(source: &Path, check: &Path, binary: &Path, runs: u32) -> (Option<i32>, String) {
    let cc = Command::new("cc")
        .args(["-std=gnu11", "-w", "-DIDIOLECT_RUN", "-include"])
        .args([source, check])
        .arg("-o")
        .arg(binary)
        .output()
        .expect("there is a C compiler");
    let text = String::from_utf8_lossy(&cc.stderr).into_owned();
    if !cc.status.success() {
        return (None, text);
    }
    // A mistake may run for ever.
    let run = Command::new("timeout")
        .args(["-k", "1", "5"])
        .arg(binary)
        .arg(runs.to_string())
        .output()
        .expect("it was built");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    (run.status.code(), text)
}

/// A contract that nothing rests on is not told: functions are run on arrays of every length.
#[test]
fn the_contract_is_the_one_of_the_proof() {
    let found = json(&["corpus/linear/textbook/count.c", "--length", "3"]);
    let text = found["guarantee"].to_string() + &found["assumptions"].to_string();
    assert!(!text.contains("8 elements"), "{found:#}");
    assert!(found.to_string().contains("has `n` elements"), "{found:#}");
}

/// What held of all inputs and is taken for granted at the entry is in the ledger.
#[test]
fn what_is_assumed_at_the_entry_is_told() {
    let found = look("heapify", "4", &[]);
    let text = found["guarantee"]["assumptions"].to_string();
    assert!(
        text.contains("`0 ≤ root ≤ n` when `sift_down` is called"),
        "{text}"
    );
}

/// Those that Frama-C/WP confirms within seconds; `cargo xtask tables textbook` asks it about every adequate one.
const CONFIRMED: &[&str] = &[
    "count",
    "rotate",
    "max-index",
    "heapify",
    "bitmap",
    "bitmap-test",
    "ring-pop",
    "ring-push",
    "segment-fill",
    "segment-find",
    "strlen-pointer",
];

#[test]
fn frama_c_confirms_the_annotations() {
    let folder = folder("textbook-wp");
    let Some(frama_c) = FramaC::find(&folder) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "`cargo xtask setup` installs frama-c and z3"
        );
        eprintln!("SKIPPED textbook: `cargo xtask setup` installs frama-c and z3");
        return;
    };
    for name in CONFIRMED {
        let annotated = folder.join(format!("{name}.c"));
        let found = look(name, "4", &["--acsl", &annotated.display().to_string()]);
        assert!(!functional(&found).is_empty(), "{name}: {found:#}");
        let wp = frama_c.check(&annotated).expect("it starts");
        assert!(wp.is_confirmed(), "{name}: {wp:#?}");
    }
}

/// Functions whose mistakes are quickly looked at.
const MUTATED: &[&str] = &[
    "count",
    "hash-find",
    "hash-insert",
    "list-delete",
    "min-value",
    "reverse",
    "rotate",
    "segment-fill",
    "segment-find",
    "strchr",
    "strlen",
    "strlen-pointer",
    "two-sum",
    "partition",
];

/// Where a native run of a function with a mistake breaks what was said of the function, this is not said again.
#[test]
fn a_formula_that_a_native_run_of_a_mutant_breaks_is_never_adequate() {
    let folder = folder("textbook-mutants");
    let (mut n, mut broken) = (0, 0);
    for name in MUTATED {
        let check = folder.join(format!("{name}-check.c"));
        let found = look(
            name,
            "2",
            &["--quantified", "1", "--check", &check.display().to_string()],
        );
        let old = functional(&found);
        assert!(!old.is_empty(), "{name}: {found:#}");
        let source = xtask::root().join(format!("corpus/linear/textbook/{name}.c"));
        let text = std::fs::read_to_string(source).expect("it is there");
        for mutant in textbook::mutants(name, &text) {
            let path = folder.join(format!("mutant-{n}.c"));
            n += 1;
            std::fs::write(&path, &mutant.text).expect("it is our folder");
            let (code, said) = run_checks(&path, &check, &folder.join("mutant"), 2_000);
            let Some(formula) = said.split_once(": ").filter(|_| code == Some(1)) else {
                continue;
            };
            broken += 1;
            let formula = formula.1.trim();
            let found = json(&[
                &path.display().to_string(),
                "--length",
                "2",
                "--quantified",
                "1",
                "--timeout",
                "20",
            ]);
            let now = functional(&found);
            assert!(
                !now.iter().any(|f| f == formula),
                "{}: a run breaks `{formula}`, and it is said: {now:#?}",
                mutant.what
            );
        }
    }
    assert!(n >= 90, "{n} mutants");
    assert!(broken >= 20, "runs break {broken} of {n} mutants");
}

/// More runs than are wanted: what was seen in some of them is told. Runs are counted, not seconds.
#[test]
fn when_enough_was_run_what_is_known_is_told() {
    let path = folder("textbook").join("many.c");
    let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n    int a[3], i;\n    \
                for (i = 0; i < 3; i++)\n        a[i] = __VERIFIER_nondet_int();\n    i = 0;\n    \
                while (i < 3 && a[i] < 1)\n        i++;\n    return i;\n}\n";
    std::fs::write(&path, text).expect("it is our folder");
    let path = path.display().to_string();
    let found = json(&[
        &path,
        "--harness",
        "--function",
        "main",
        "--max-runs",
        "12",
        "--no-prove",
    ]);
    assert_eq!(found["statistics"]["runs"], 12, "{found:#}");
    assert_ne!(found["guarantee"]["kind"], "proved", "{found:#}");
    let points = found["points"].as_array().expect("a list");
    assert!(points.iter().any(|p| p["formula"].is_string()), "{found:#}");
}

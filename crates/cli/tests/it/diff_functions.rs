//! `idiolect diff --entry`: one function of a library in two versions, and what is said of all functions.

use crate::diff_git::{diff_json, git};
use serde_json::{Value, json};
use std::path::Path;
use xtask::process::available_or_skip;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("writable");
}

fn verdict(folder: &Path, arguments: &[&str]) -> (Value, Value) {
    let (_, value) = diff_json(folder, arguments);
    (value["verdict"].clone(), value)
}

const SUM: &str =
    "int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";

/// The contract that the old code relies on holds for both: what reads beyond it has a fault that the other has not.
#[test]
fn both_versions_are_called_alike() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "old.c", SUM);
    let back = "int sum(int *b, int k) { int t = 0; while (k > 0) t += b[--k]; return t; }\n";
    write(root, "back.c", back);
    write(root, "beyond.c", &SUM.replace("i < n", "i <= n"));
    let options = [
        "--entry",
        "sum",
        "--observe",
        "result",
        "--max-elements",
        "2",
    ];
    let (same, value) = verdict(root, &[&["old.c", "back.c"][..], &options].concat());
    assert_ne!(same, "different", "{value}");
    let (other, value) = verdict(root, &[&["old.c", "beyond.c"][..], &options].concat());
    assert_eq!(other, "different", "{value}");
    let new = &value["different_for"][0]["new"]["result"];
    assert!(
        new.as_str().is_some_and(|end| end.contains("bounds")),
        "{value}"
    );
    // A fault in one of them is no other result.
    let said = value["guarantee"]["text"].as_str().unwrap_or_default();
    assert!(said.contains("they end in different ways"), "{said}");
}

/// What a function does to an array is shown by the name that its parameter has, and what differs is named.
#[test]
fn memory_behind_parameters_has_their_names() {
    let pair = "examples/diff/insert.c examples/diff/insert_wrong.c --entry insert";
    let arguments: Vec<&str> = pair.split(' ').collect();
    let (other, value) = verdict(&xtask::root(), &arguments);
    assert_eq!(other, "different", "{value}");
    let found = &value["different_for"][0];
    let steps = found["old"]["trace"].as_array().expect("a trace");
    assert!(steps.iter().any(|step| step["values"]["a[0]"] == "0"));
    assert!(!value.to_string().contains("%behind"), "{value}");
    assert_eq!(found["new"]["result"], "none (void)");
    let said = value["guarantee"]["text"].as_str().unwrap_or_default();
    assert!(said.contains("inputs on which `a[0]` differs;"), "{said}");
}

/// A caller sees what a function does to global variables; and what was not compared is not said to be the same.
#[test]
fn global_variables_are_a_part_of_what_a_function_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let keeps = "int g; int f(int x) { return x; }\n";
    let changes = "int g; int f(int x) { if (x == 123456) g = 1; return x; }\n";
    write(root, "old.c", keeps);
    write(root, "new.c", changes);
    let (other, value) = verdict(root, &["old.c", "new.c", "--entry", "f"]);
    assert_eq!(other, "different", "{value}");
    assert_eq!(value["different_for"][0]["what"]["name"], "`g`", "{value}");
    let observe = ["old.c", "new.c", "--entry", "f", "--observe"];
    let (same, value) = verdict(root, &[&observe[..], &["words,result,stdout"]].concat());
    assert_eq!(same, "same", "{value}");
    let text = value["guarantee"]["text"].as_str().expect("a text");
    assert!(!text.contains("global"), "{text}");
}

#[test]
fn errno_is_a_variable_for_whoever_calls() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let text = |then: &str| {
        format!(
            "#include <errno.h>\nint f(int x) {{ if (x < 0) errno = 22; if (x == 777) {then} return x; }}\n"
        )
    };
    write(root, "old.c", &text("errno = 5;"));
    write(root, "new.c", &text(";"));
    write(root, "none.c", "int f(int x) { return x; }\n");
    let (other, value) = verdict(root, &["old.c", "new.c", "--entry", "f"]);
    assert_eq!(other, "different", "{value}");
    assert_eq!(
        value["different_for"][0]["what"]["name"], "`errno`",
        "{value}"
    );
    let (unknown, value) = verdict(root, &["old.c", "none.c", "--entry", "f"]);
    assert_ne!(unknown, "same", "{value}");
    let (same, value) = verdict(root, &["old.c", "old.c", "--entry", "f"]);
    assert_eq!(same, "same", "{value}");
}

/// What a function without a body is given is all that is known of what it does.
#[test]
fn calls_of_functions_without_a_body_are_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let declared = "int g(int); void tell(double);";
    let versions = [
        (
            "int f(int x) { return g(1); }",
            "int f(int x) { return g(2); }",
        ),
        (
            "int f(int x) { tell(x); return 0; }",
            "int f(int x) { return 0; }",
        ),
        (
            "int f(int x) { tell(x); return 0; }",
            "int f(int x) { tell(x + 1); return 0; }",
        ),
    ];
    for (old, new) in versions {
        write(root, "old.c", &format!("{declared} {old}"));
        write(root, "new.c", &format!("{declared} {new}"));
        for observe in ["result", "result,stdout"] {
            let (other, value) = verdict(
                root,
                &["old.c", "new.c", "--entry", "f", "--observe", observe],
            );
            assert_eq!(other, "different", "{value}");
            let name = &value["different_for"][0]["what"]["name"];
            assert_eq!(name, "calls of functions without a body", "{value}");
        }
    }
    write(
        root,
        "old.c",
        &format!("{declared} int f(int x) {{ tell(x); return g(x + x); }}"),
    );
    write(
        root,
        "new.c",
        &format!("{declared} int f(int x) {{ tell(x); return g(2 * x); }}"),
    );
    let (same, value) = verdict(root, &["old.c", "new.c", "--entry", "f"]);
    assert_eq!(same, "same", "{value}");
}

/// One call is compared, and what it leaves for the next one is a part of it.
#[test]
fn what_a_function_keeps_is_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "old.c", "int f(void) { static int n; return n++; }\n");
    write(
        root,
        "new.c",
        "int f(void) { static int n; n += 2; return n - 2; }\n",
    );
    let (other, value) = verdict(root, &["old.c", "new.c", "--entry", "f"]);
    assert_eq!(other, "different", "{value}");
    write(root, "plain.c", "int unused; int f(void) { return 0; }\n");
    write(
        root,
        "keeps.c",
        "static int n; int f(void) { return n++ > 0; }\n",
    );
    let (open, value) = verdict(root, &["plain.c", "keeps.c", "--entry", "f"]);
    assert_eq!(open, "undecided", "{value}");
    write(
        root,
        "other.c",
        "int another; int f(void) { return 1 - 1; }\n",
    );
    let (same, value) = verdict(root, &["plain.c", "other.c", "--entry", "f"]);
    assert_eq!(same, "same", "{value}");
}

/// An exit status has eight bits; a result has all of them.
#[test]
fn results_are_shown_as_they_are_returned() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "old.c", "long f(int x) { return x * 4294967296L; }\n");
    write(root, "new.c", "long f(int x) { return x * 8589934592L; }\n");
    let files = ["old.c", "new.c", "--entry", "f", "--observe", "result"];
    let (verdict, value) = verdict(root, &files);
    assert_eq!(verdict, "different", "{value}");
    let both = &value["different_for"][0];
    let x = both["inputs"][0].as_i64().expect("the input");
    assert_eq!(both["old"]["result"], json!(x << 32), "{value}");
    assert_eq!(both["new"]["result"], json!(x << 33), "{value}");
}

#[test]
fn functions_with_another_signature_are_said_to_have_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let main = "int main(void) { return 0; }\n";
    let old =
        "int f(int a) { return a; }\nint g(int a) { return a; }\nint gone(void) { return 1; }\n";
    let new = "int added(void) { return 1; }\nint f(int a, int b) { return a + b; }\n\n\
               int g(int a) { return a + 1; }\n";
    write(root, "old.c", &format!("{old}{main}"));
    write(root, "new.c", &format!("{new}{main}"));
    let (_, value) = verdict(root, &["old.c", "new.c"]);
    let signature = json!([{ "name": "f", "old": "int f(int)", "new": "int f(int, int)" }]);
    let expected = json!({
        "signature": signature, "changed": ["g"], "added": ["added"], "removed": ["gone"],
    });
    assert_eq!(value["functions"], expected, "{value}");
    let entry = ["old.c", "new.c", "--entry", "f", "--observe", "result"];
    let (changed, value) = verdict(root, &entry);
    assert_eq!(changed, "different", "{value}");
    let text = value["guarantee"]["text"].as_str().unwrap_or_default();
    assert!(
        text.contains("`int f(int, int)` was `int f(int)`"),
        "{value}"
    );
}

/// Letters are found again by what they are, not by where they stand.
#[test]
fn a_blank_line_and_another_folder_are_no_difference() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    std::fs::create_dir(root.join("other")).expect("writable");
    let text = "int nondet_int(void);\nvoid put(void) {}\nvoid take(void) {}\n\
                int main(void) {\n  int n = nondet_int();\n  if (n > 3) put();\n  while (n-- > 0)\n    \
                if (n == 2) take();\nout:\n  return 0;\n}\n";
    write(root, "a.c", text);
    write(
        &root.join("other"),
        "b.c",
        &text.replace("  if (n > 3)", "\n\n  /* new */\n  if (n > 3)"),
    );
    for events in ["calls", "branches", "calls,branches,labels"] {
        let arguments = ["a.c", "other/b.c", "--events", events];
        let (code, value) = diff_json(root, &arguments);
        assert_eq!(
            (code, &value["verdict"]),
            (Some(0), &Value::from("same")),
            "{events}: {value}"
        );
        assert_eq!(value["warnings"], json!([]), "{events}: {value}");
    }
}

/// A compilation database names the flags of the working tree; versions from git are compiled with the same ones,
/// and include what belongs to them.
#[test]
fn versions_from_git_take_flags_from_the_compilation_database() {
    if !available_or_skip("git", "diff_functions") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    for name in ["src", "include", "build"] {
        std::fs::create_dir(root.join(name)).expect("writable");
    }
    let source = "#include <limit.h>\n#ifndef SCALE\n#error no flags\n#endif\n\
                  int scaled(int n) { return n > LIMIT ? LIMIT : n * SCALE; }\n";
    write(&root.join("src"), "scale.c", source);
    write(&root.join("include"), "limit.h", "#define LIMIT 100\n");
    git(root, &["init", "-q"]);
    git(root, &["add", "src", "include"]);
    git(root, &["commit", "-q", "-m", "first"]);
    write(&root.join("include"), "limit.h", "#define LIMIT 101\n");
    git(root, &["commit", "-q", "-a", "-m", "second"]);
    // The working tree has yet another one.
    write(&root.join("include"), "limit.h", "#define LIMIT 7\n");
    let database = json!([{
        "directory": root.join("build"), "file": "../src/scale.c",
        "command": "cc -DSCALE=1 -I../include -c ../src/scale.c -o scale.o",
    }]);
    write(
        &root.join("build"),
        "compile_commands.json",
        &database.to_string(),
    );
    let options = [
        "-p",
        "build",
        "--entry",
        "scaled",
        "--observe",
        "result",
        "--git",
        "HEAD~1",
        "HEAD",
    ];
    let (code, value) = diff_json(root, &[&options[..], &["--", "src/scale.c"]].concat());
    assert_eq!(
        (code, &value["verdict"]),
        (Some(1), &Value::from("different")),
        "{value}"
    );
    assert_eq!(value["different_for"][0]["inputs"], json!([101]), "{value}");
    // A saved copy is compiled as the file is.
    std::fs::copy(root.join("src/scale.c"), root.join("copy.c")).expect("writable");
    let files = [
        "-p",
        "build",
        "--entry",
        "scaled",
        "--observe",
        "result",
        "src/scale.c",
        "copy.c",
    ];
    let (code, value) = diff_json(root, &files);
    assert_eq!(
        (code, &value["verdict"]),
        (Some(0), &Value::from("same")),
        "{value}"
    );
}

/// The same words, but on other inputs: the languages are the same, and the programs are not.
#[test]
fn words_are_compared_input_by_input() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let old = "int __VERIFIER_nondet_int(void);\nvoid a(void) {} void b(void) {}\n\
               int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 70000) a(); else b();\n}\n";
    write(root, "old.c", old);
    write(
        root,
        "turned.c",
        &old.replace("a(); else b();", "b(); else a();"),
    );
    write(root, "one.c", &old.replace("> 70000", ">= 70000"));
    write(root, "same.c", &old.replace("x > 70000", "!(70000 >= x)"));
    for changed in ["turned.c", "one.c"] {
        let (verdict, value) = verdict(root, &["old.c", changed]);
        assert_eq!(verdict, "different", "{value}");
        assert_eq!(value["gained"]["witnesses"], json!([]), "{value}");
        let both = &value["different_for"][0];
        let words = [&both["old"]["word"], &both["new"]["word"]];
        assert_eq!(words, [&json!(["b"]), &json!(["a"])], "{value}");
    }
    let (same, value) = verdict(root, &["old.c", "same.c"]);
    assert_eq!(same, "same", "{value}");
    assert_eq!(value["guarantee"]["kind"], "proved", "{value}");
    // Who asks for results alone gets them.
    let (same, value) = verdict(root, &["old.c", "turned.c", "--observe", "result"]);
    assert_eq!(same, "same", "{value}");
}

/// The place of a predicate is one of the old program: two lines more and another name are no difference.
#[test]
fn predicates_are_found_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let old = "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  \
               if (x < 0) x = 0;\n  return x > 3;\n}\n";
    write(root, "old.c", old);
    write(root, "new.c", &old.replace("int main", "\n\nint main"));
    write(
        root,
        "less.c",
        &old.replace("int main", "\n\nint main")
            .replace("x = 0", "x = 9"),
    );
    for event in ["old.c:5 x > 3", "big=old.c:5 x > 3"] {
        let (same, value) = verdict(root, &["old.c", "new.c", "--event", event]);
        assert_eq!(same, "same", "{value}");
        let words = ["--observe", "words", "--event", event];
        let (other, value) = verdict(root, &[&["old.c", "less.c"][..], &words].concat());
        assert_eq!(other, "different", "{value}");
        let letter = event.strip_suffix("=old.c:5 x > 3").unwrap_or(event);
        let both = &value["different_for"][0];
        assert_eq!(both["old"]["word"], json!([]), "{value}");
        assert_eq!(both["new"]["word"], json!([letter]), "{value}");
    }
}

/// Versions that are the same as far as they end are called so, and that they end is said to be assumed.
#[test]
fn runs_that_never_end_are_not_compared_without_a_word() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let with = |before: &str| {
        format!(
            "int f(int x) {{ int i = 0; {before} return x + i; }}\nint main(void) {{ return f(3); }}\n"
        )
    };
    write(root, "stays.c", &with("while (x == 3) i++;"));
    write(root, "goes.c", &with(""));
    write(root, "adds.c", &with("i += 0;"));
    let of = |old: &str, new: &str| {
        let files = [old, new, "--entry", "f", "--observe", "result"];
        let (verdict, value) = verdict(root, &files);
        (verdict, value["guarantee"]["assumptions"].to_string())
    };
    let (same, assumed) = of("stays.c", "goes.c");
    assert_eq!(same, "same", "{assumed}");
    assert!(assumed.contains("both versions end"), "{assumed}");
    let (same, assumed) = of("adds.c", "goes.c");
    assert_eq!(same, "same", "{assumed}");
    assert!(!assumed.contains("both versions end"), "{assumed}");
}

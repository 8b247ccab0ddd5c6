//! `idiolect repair` on classic algorithms with one bug each, and what it does to files.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn idiolect(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(args)
        .current_dir(xtask::root())
        .output()
        .expect("it starts")
}

fn json(args: &[&str]) -> Value {
    let output = idiolect(args);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn programs() -> Vec<PathBuf> {
    let folder = xtask::root().join("corpus/repairs");
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut list: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    list.sort();
    list
}

/// Whether all tests that were held back pass.
fn is_right(program: &Path, held: &Path) -> bool {
    let args = ["localize", program.to_str().expect("UTF-8"), "--tests"];
    let output = idiolect(&[&args[..], &[held.to_str().expect("UTF-8"), "--json"]].concat());
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    outcome["statistics"]["failing_tests"] == 0 && outcome["warnings"].as_array().is_some()
}

#[test]
fn most_classic_bugs_are_repaired_and_most_repairs_are_right() {
    let scratch = tempfile::tempdir().expect("a folder");
    let (mut n_repaired, mut n_right, mut said) = (0, 0, String::new());
    let list = programs();
    assert!(list.len() >= 40);
    for program in &list {
        let name = program
            .file_stem()
            .and_then(|s| s.to_str())
            .expect("a name");
        let copy = scratch.path().join(format!("{name}.c"));
        std::fs::copy(program, &copy).expect("copied");
        let tests = program.with_extension("toml");
        let (copy_text, tests) = (
            copy.to_str().expect("UTF-8"),
            tests.to_str().expect("UTF-8"),
        );
        let args = [
            "repair", copy_text, "--tests", tests, "--json", "--apply", "1",
        ];
        let output = idiolect(&[&args[..], &["--timeout", "60"]].concat());
        let is_repaired = output.status.code() == Some(1);
        n_repaired += usize::from(is_repaired);
        let held = program.with_file_name("held").join(format!("{name}.toml"));
        let is_right = is_repaired && (!held.is_file() || is_right(&copy, &held));
        n_right += usize::from(is_right);
        said.push_str(&format!("{name}: {is_repaired} {is_right}\n"));
    }
    assert!(n_repaired >= 28, "{n_repaired}\n{said}");
    assert!(n_right >= 24, "{n_right}\n{said}");
}

#[test]
fn a_repair_says_what_it_holds_for() {
    let outcome = json(&["repair", "examples/sort.c", "--json"]);
    assert_eq!(outcome["verdict"], "repaired");
    let best = &outcome["repairs"][0];
    assert_eq!(best["line"], 20);
    assert_eq!(best["holds_for"]["this_trace"], true);
    assert_eq!(best["holds_for"]["proved"], true);
    assert!(
        best["patch"]
            .as_str()
            .is_some_and(|p| p.starts_with("--- a/examples/sort.c\n"))
    );
}

/// The page shows the failing run as it is and with each repair, on the lines of the file.
#[test]
fn a_page_has_the_run_before_and_after() {
    let scratch = tempfile::tempdir().expect("a folder");
    let page = scratch.path().join("page.html");
    let path = page.to_str().expect("UTF-8");
    let output = idiolect(&["repair", "examples/sort.c", "-q", "--report", path]);
    assert_eq!(output.status.code(), Some(1));
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.contains("\"before\":{\"inputs\":[1,0,0]"));
    assert!(text.contains("\"run\":{\"inputs\":[1,0,0]"));
    assert!(!text.contains("u003cstdin"), "steps have a file");
}

#[test]
fn a_program_without_other_runs_is_only_tested() {
    let outcome = json(&["repair", "corpus/faults/average.c", "--json"]);
    assert_eq!(outcome["verdict"], "repaired");
    assert_eq!(outcome["repairs"][0]["overfitting"], true);
}

#[test]
fn a_file_is_changed_only_as_asked() {
    let scratch = tempfile::tempdir().expect("a folder");
    let copy = scratch.path().join("median.c");
    std::fs::copy(xtask::root().join("corpus/repairs/median.c"), &copy).expect("copied");
    let before = std::fs::read_to_string(&copy).expect("text");
    let copy_text = copy.to_str().expect("UTF-8");
    let tests = "corpus/repairs/median.toml";
    let refused = idiolect(&["repair", copy_text, "--tests", tests, "--apply", "99"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&copy).expect("text"), before);
    let applied = idiolect(&["repair", copy_text, "--tests", tests, "--apply", "1"]);
    assert_eq!(applied.status.code(), Some(1));
    let after = std::fs::read_to_string(&copy).expect("text");
    let changed = before
        .lines()
        .zip(after.lines())
        .filter(|(a, b)| a != b)
        .count();
    assert_eq!(
        (changed, before.lines().count()),
        (1, after.lines().count())
    );
}

#[test]
fn bad_tests_are_named_with_their_line() {
    let scratch = tempfile::tempdir().expect("a folder");
    let tests = scratch.path().join("bad.toml");
    std::fs::write(&tests, "[[test]]\nargs = [\"1\"]\nstdot = \"x\"\n").expect("written");
    let tests = tests.to_str().expect("UTF-8");
    let output = idiolect(&["repair", "examples/repair/median.c", "--tests", tests]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("bad.toml:3") && said.contains("stdot"),
        "{said}"
    );
}

#[test]
fn sarif_has_fixes() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("out.sarif");
    let path_text = path.to_str().expect("UTF-8");
    idiolect(&["repair", "examples/sort.c", "--sarif", path_text]);
    let text = std::fs::read_to_string(&path).expect("written");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let fix = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(fix["deletedRegion"]["startLine"], 20);
    assert!(
        fix["insertedContent"]["text"]
            .as_str()
            .is_some_and(|t| t.ends_with('\n'))
    );
}

/// One bug is a wrong constant, another one a table that is read out of bounds. Tests that end with the second
/// do not hide the first, also where a right repair leads more of them there.
#[test]
fn tests_with_a_fault_of_their_own_are_set_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("two_bugs.c");
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint table[3] = {10, 20, 30};\n\
        int at(int i) {\n    return table[i];\n}\nint main(int argc, char **argv) {\n    \
        int n = atoi(argv[1]), i = atoi(argv[2]);\n    if (n < 5)\n        \
        printf(\"%d\\n\", at(i));\n    else\n        printf(\"%d\\n\", n);\n    return 0;\n}\n";
    std::fs::write(&program, text).expect("written");
    let tests = folder.path().join("tests.toml");
    // Right is `n < 7`.
    let list = [
        (1, 0, "10"),
        (4, 2, "30"),
        (5, 1, "20"),
        (6, 2, "30"),
        (7, 1, "7"),
        (9, 0, "9"),
        (2, 3, "0"),
        (6, 3, "6"),
    ];
    let tests_text: String = list
        .iter()
        .map(|(n, i, out)| {
            format!("[[test]]\nargs = [\"{n}\", \"{i}\"]\nstdout = \"{out}\\n\"\nexit = 0\n")
        })
        .collect();
    std::fs::write(&tests, tests_text).expect("written");
    let (program, tests) = (program.to_str().expect("UTF-8"), tests.to_str());
    let tests = tests.expect("UTF-8");
    let found = json(&["localize", program, "--tests", tests, "--json"]);
    assert_eq!(found["statistics"]["tests_set_aside"], 1, "{found}");
    assert_eq!(found["places"][0]["line"], 9, "{found}");
    let repaired = json(&["repair", program, "--tests", tests, "--json"]);
    assert_eq!(repaired["verdict"], "repaired", "{repaired}");
    let after = repaired["repairs"][0]["after"].as_str().unwrap_or("");
    assert!(after.contains("n < 7"), "{after}");
    let said = repaired["guarantee"]["text"].as_str().unwrap_or("");
    assert!(
        said.contains("1 more then end with the fault that was set aside"),
        "{said}"
    );
}

/// What is found for a program and tests of it: arguments and what is printed.
fn repairs_of(name: &str, text: &str, tests: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join(name);
    std::fs::write(&program, text).expect("written");
    let list = folder.path().join("tests.toml");
    let each = |(argument, out): &(&str, &str)| {
        format!("[[test]]\nargs = [\"{argument}\"]\nstdout = \"{out}\\n\"\n")
    };
    let said: String = tests.iter().map(each).collect();
    std::fs::write(&list, said).expect("written");
    let (program, list) = (program.to_str(), list.to_str());
    let (program, list) = (program.expect("UTF-8"), list.expect("UTF-8"));
    let found = json(&["repair", program, "--tests", list, "--json"]);
    let repairs = found["repairs"].as_array().cloned().unwrap_or_default();
    let after = repairs.iter().map(|r| r["after"].as_str().unwrap_or(""));
    after.map(|text| text.trim().to_owned()).collect()
}

#[test]
fn a_missing_break_is_put_where_it_belongs() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n\
        int find(int *a, int n, int x) {\n  int at = -1;\n  for (int i = 0; i < n; i++)\n    \
        if (a[i] == x)\n      at = i;\n  return at;\n}\nint main(int argc, char **argv) {\n  \
        int a[] = {4, 7, 4, 7, 9};\n  printf(\"%d\\n\", find(a, 5, atoi(argv[1])));\n  return 0;\n}\n";
    let tests = [("4", "0"), ("7", "1"), ("9", "4"), ("1", "-1")];
    let found = repairs_of("find.c", text, &tests);
    assert_eq!(
        found.first().map(String::as_str),
        Some("{ at = i; break; }")
    );
}

/// What the function sets at its start has to be set again in the loop.
#[test]
fn a_missing_reset_is_put_where_it_belongs() {
    let text = "#include <stdio.h>\n\
        int longest(const char *s) {\n  int n, most;\n  n = most = 0;\n  while (*s) {\n    \
        if (*s != ' ')\n      n++;\n    else {\n      if (n > most)\n        most = n;\n    }\n    \
        s++;\n  }\n  return n > most ? n : most;\n}\nint main(int argc, char **argv) {\n  \
        printf(\"%d\\n\", longest(argv[1]));\n  return 0;\n}\n";
    let tests = [
        ("ab c", "2"),
        ("a bcd", "3"),
        ("abc", "3"),
        ("a b c de", "2"),
        (" ", "0"),
    ];
    let found = repairs_of("longest.c", text, &tests);
    assert!(
        found.iter().any(|text| text.contains("n = 0;")),
        "{found:?}"
    );
}

#[test]
fn initial_values_and_declared_sizes_are_repaired() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nstatic int first = 1;\n\
        int main(int argc, char **argv) {\n  int s = first;\n  for (int i = 0; i < atoi(argv[1]); i++)\n    \
        s += i;\n  printf(\"%d\\n\", s);\n  return 0;\n}\n";
    let tests = [("-1", "0"), ("0", "0"), ("3", "3"), ("4", "6")];
    let found = repairs_of("first.c", text, &tests);
    assert_eq!(
        found.first().map(String::as_str),
        Some("static int first = 0;")
    );
    // A variable has no value where it gets its first.
    assert!(!found.contains(&"int s = s;".to_owned()), "{found:?}");
    let text = "#include <stdio.h>\n#include <string.h>\n#define SIZE 4\nint main(int argc, char **argv) {\n  \
        char buffer[SIZE];\n  strcpy(buffer, argv[1]);\n  strcat(buffer, \"!\");\n  puts(buffer);\n  \
        return 0;\n}\n";
    let found = repairs_of("size.c", text, &[("abc", "abc!"), ("a", "a!")]);
    assert_eq!(found, ["#define SIZE 5"]);
}

/// One test that is too long does not take the others with it.
#[test]
fn long_arguments_are_looked_at_and_longer_ones_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("count.c");
    let text = "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n  \
        printf(\"%d\\n\", (int)strlen(argv[1]) - 1);\n  return 0;\n}\n";
    std::fs::write(&program, text).expect("written");
    let tests = folder.path().join("tests.toml");
    let said: String = [3, 300, 5000]
        .iter()
        .map(|&n: &usize| {
            format!(
                "[[test]]\nargs = [\"{}\"]\nstdout = \"{n}\\n\"\n",
                "x".repeat(n)
            )
        })
        .collect();
    std::fs::write(&tests, &said).expect("written");
    let (program, path) = (program.to_str().expect("UTF-8"), tests.to_str());
    let path = path.expect("UTF-8");
    let found = json(&["localize", program, "--tests", path, "--json"]);
    assert_eq!(found["statistics"]["failing_tests"], 2, "{found}");
    let warnings = found["warnings"].to_string();
    assert!(
        warnings.contains("1 test was left out, `tests 3` first"),
        "{warnings}"
    );
    let only = said.split("[[test]]").last().expect("the last");
    std::fs::write(&tests, format!("[[test]]{only}")).expect("written");
    let output = idiolect(&["localize", program, "--tests", path]);
    assert_eq!(output.status.code(), Some(2));
}

/// Inputs that are shown can be read: no byte in them that nobody can type.
#[test]
fn other_inputs_on_which_a_repair_matters_are_small_and_readable() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["repair", "examples/repair/median.c", "--tests"])
        .args(["examples/repair/median.toml", "--json", "--no-timing"])
        .current_dir(xtask::root())
        .output()
        .expect("idiolect runs");
    let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let repairs = outcome["repairs"].as_array().expect("repairs");
    assert!(!repairs.is_empty());
    for repair in repairs {
        let found = &repair["differs_on"];
        let inputs = found["named_inputs"].as_array().expect("named inputs");
        assert!(inputs.len() >= 4, "{found}");
        for input in inputs {
            let value = input["value"].as_str().unwrap_or_default();
            // A name, three numbers, and none of them longer than a digit.
            assert!(value.len() <= 3 && !value.contains('\\'), "{found}");
        }
        assert_ne!(found["old"], found["new"]);
    }
}

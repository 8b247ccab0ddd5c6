//! What is written for other tools is what they take.

#![allow(clippy::print_stderr)] // A test that is skipped says so.

use crate::support;

use idiolect_functional::c_check;
use idiolect_invariants::session::Config;
use idiolect_quantified::acsl;
use idiolect_quantified::formula::Formula;
use idiolect_quantified::point::{Point, PointKind};
use std::path::Path;
use std::process::Command;

const FIND: &str = "
struct node { int key; struct node *next; };
struct node *find(struct node *head, int k) {
    struct node *cur = head;
    while (cur != 0 && cur->key < k)
        cur = cur->next;
    return cur;
}
";

const SORT: &str = "
void sort(int a[], int n) {
    int i, j, t;
    for (i = 0; i < n; i++)
        for (j = i; j > 0 && a[j - 1] > a[j]; j--) {
            t = a[j]; a[j] = a[j - 1]; a[j - 1] = t;
        }
}
";

fn learned(
    text: &str,
    function: &str,
    assume: &[&str],
) -> (idiolect_ir::Program, Vec<(Point, Formula)>) {
    let config = Config {
        assumptions: assume.iter().map(|&a| a.to_owned()).collect(),
        ..Config::default()
    };
    let outcome = support::learn(text, function, &config).expect("it runs");
    let points = (outcome.points.into_iter())
        .map(|p| (p.point, p.learned.expect("it was learned").formula))
        .collect();
    (support::program(text, function), points)
}

/// Compiles a C file and runs it.
fn compile_and_run(folder: &Path, text: &str) -> String {
    let (source, binary) = (folder.join("check.c"), folder.join("check"));
    std::fs::write(&source, text).expect("it is our folder");
    let cc = Command::new("cc")
        .args([
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-function",
            "-std=c99",
            "-o",
        ])
        .args([&binary, &source])
        .output()
        .expect("there is a C compiler");
    assert!(
        cc.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&cc.stderr)
    );
    let run = Command::new(&binary).output().expect("it was built");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("it is our folder");
    folder
}

#[test]
fn checks_of_lists_compile_and_tell_right_from_wrong() {
    let (program, points) = learned(FIND, "find", &["sorted(head)", "nonempty(head)"]);
    let mut text = format!("#include <stdio.h>\n{FIND}\n");
    text += &c_check::helpers(points.iter().map(|(p, _)| p));
    for (point, formula) in &points {
        let name = format!("check_{:?}", point.kind);
        text += &c_check::function(&program.types, point, formula, &[], &name);
    }
    text += "
int main(void) {
    struct node c = { 5, 0 }, b = { 3, &c }, a = { 1, &b };
    printf(\"%d\", check_Entry(&a, 4));
    printf(\"%d\", check_Entry(0, 4));
    printf(\"%d\", check_Loop(&a, 4, &c));
    printf(\"%d\", check_Loop(&a, 4, 0));
    printf(\"%d\", check_Exit(&a, 4, find(&a, 4)));
    b.key = 9;
    printf(\"%d\", check_Entry(&a, 4));
    printf(\"%d\", check_Loop(&a, 4, &a));
    return 0;
}
";
    // Sorted and not empty; empty; in the middle; 5 is not below 4; the result; not sorted twice.
    assert_eq!(compile_and_run(&folder("lists"), &text), "1010100");
}

#[test]
fn checks_of_arrays_compile_and_tell_right_from_wrong() {
    let (program, points) = learned(SORT, "sort", &[]);
    let (point, formula) = (points.iter())
        .find(|(p, _)| p.kind == PointKind::Exit)
        .expect("it is there");
    let mut text = format!("#include <stdio.h>\n{SORT}\n");
    text += &c_check::helpers([point]);
    text += &c_check::function(&program.types, point, formula, &[], "check_exit");
    let parameters: Vec<String> = point.variables.iter().map(c_check::c_name).collect();
    assert_eq!(parameters, ["n", "a"]);
    text += "
int main(void) {
    int a[] = { 3, -1, 7, 7, 0 };
    printf(\"%d\", check_exit(5, a));
    sort(a, 5);
    printf(\"%d\", check_exit(5, a));
    printf(\"%d\", check_exit(0, a));
    return 0;
}
";
    assert_eq!(compile_and_run(&folder("arrays"), &text), "011");
}

/// The program with all clauses in their places.
fn annotated(text: &str, points: &[(Point, Formula)]) -> String {
    let mut annotations = Vec::new();
    let mut contract = Vec::new();
    let mut function = 0;
    for (point, formula) in points {
        let clauses = acsl::clauses(point, formula);
        if point.kind == PointKind::Loop {
            let at = acsl::loop_keyword(text, point.span.start as usize + 1).expect("a loop");
            let comment = acsl::comment(&clauses);
            annotations.extend(comment.map(|text| acsl::Annotation { at, text }));
        } else {
            contract.extend(clauses);
            function = text[..point.span.start as usize]
                .rfind('\n')
                .map_or(0, |n| n + 1);
        }
    }
    let definitions = acsl::definitions(points.iter().map(|(p, _)| p)).unwrap_or_default();
    let comment = acsl::comment(&contract).unwrap_or_default();
    annotations.push(acsl::Annotation {
        at: function,
        text: format!("{definitions}{comment}"),
    });
    acsl::annotate(text, annotations)
}

#[test]
fn acsl_is_put_where_it_belongs() {
    let (_, points) = learned(SORT, "sort", &[]);
    let text = annotated(SORT, &points);
    let expected = "
/*@ ensures \\forall integer y1; \\forall integer y2; 0 <= y1 && y2 < n && y1 <= y2 ==> a[y1] <= a[y2];
  @*/
void sort(int a[], int n) {
    int i, j, t;
    /*@ loop invariant i <= n && 0 <= i;
";
    assert!(text.starts_with(expected), "{text}");
    // Each loop has its comment right in front of it.
    for keyword in ["    for (i = 0;", "        for (j = i;"] {
        let at = text.find(keyword).expect("the loop is there");
        assert!(text[..at].trim_end().ends_with("@*/"), "{text}");
    }
}

#[test]
fn frama_c_parses_the_annotations() {
    if Command::new("frama-c").arg("-version").output().is_err() {
        assert!(
            std::env::var_os("CI").is_none(),
            "`cargo xtask setup` installs frama-c"
        );
        eprintln!("SKIPPED outputs: `frama-c` is not installed; `cargo xtask setup` installs it");
        return;
    }
    for (text, function, assume) in [(FIND, "find", &["sorted(head)"][..]), (SORT, "sort", &[])] {
        let (_, points) = learned(text, function, assume);
        let text = annotated(text, &points);
        let path = folder("acsl").join(format!("{function}.c"));
        std::fs::write(&path, &text).expect("it is our folder");
        let output = Command::new("frama-c")
            .args(["-kernel-warn-key", "annot-error=abort", "-print"])
            .arg(&path)
            .output()
            .expect("it is installed");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}\n{text}");
        assert!(said.contains("loop invariant"), "{said}");
    }
}

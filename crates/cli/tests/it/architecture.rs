//! The crates depend on each other as the table in `ARCHITECTURE.md` says, and no other way.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};

/// The table of `ARCHITECTURE.md`: each crate of the house and the ones it may see. Adding an edge takes a
/// note in `docs/decisions/`.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let path = xtask::root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).expect("ARCHITECTURE.md");
    let mut table: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let quoted = |cell: &str| -> Vec<String> {
        let parts = cell.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    for line in text.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let [name, _, sees] = cells[..] else {
            panic!("a row of three cells: {line}");
        };
        let name = quoted(name).remove(0);
        // The command line sees everything.
        if name == "idiolect" {
            continue;
        }
        let mut edges: BTreeSet<String> = quoted(sees).into_iter().collect();
        if sees.trim().starts_with("as `") {
            let like = quoted(sees).remove(0);
            edges.remove(&like);
            let of_other = table.get(&like).expect("a row further up").clone();
            edges.extend(of_other);
        }
        table.insert(name, edges);
    }
    assert!(table.len() > 15, "{table:?}");
    table
}

#[test]
fn crates_see_only_what_the_architecture_allows() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec()
        .expect("cargo metadata works where cargo test does");
    let allowed = table();
    let mut seen = BTreeSet::new();
    for package in &metadata.packages {
        let Some(name) = package.name.strip_prefix("idiolect-") else {
            continue;
        };
        // What the fuzzers check sees everything, like the command line.
        if name == "fuzz-checks" {
            continue;
        }
        seen.insert(name.to_owned());
        let allowed = allowed
            .get(name)
            .unwrap_or_else(|| panic!("crate `{name}` is not in the table"));
        for dependency in &package.dependencies {
            let Some(on) = dependency.name.strip_prefix("idiolect-") else {
                continue;
            };
            if dependency.kind == DependencyKind::Normal {
                assert!(allowed.contains(on), "`{name}` must not depend on `{on}`");
            }
        }
    }
    let table: BTreeSet<String> = allowed.into_keys().collect();
    assert_eq!(seen, table, "the table lists exactly the crates that exist");
}

/// The third-party crates of a selection with the features they are compiled with.
fn compiled(selection: &[&str]) -> BTreeSet<String> {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--prefix", "none", "-f", "{p} {f}"])
        .args(selection)
        .current_dir(xtask::root())
        .output()
        .expect("cargo tree works where cargo test does");
    assert!(output.status.success(), "cargo tree {selection:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.map(str::to_owned).collect()
}

/// Otherwise each of these commands compiles CaDiCaL and most of our crates anew; `workspace-hack` prevents it.
#[test]
fn every_selection_compiles_the_same_dependencies() {
    let all = compiled(&["--workspace", "-e", "normal,build,dev"]);
    for package in ["idiolect", "xtask"] {
        let own = compiled(&["-p", package, "-e", "normal,build"]);
        let alone: Vec<&String> = own.difference(&all).collect();
        assert!(
            alone.is_empty(),
            "`-p {package}` has other features than `--workspace`, say them in workspace-hack/Cargo.toml: {alone:#?}"
        );
    }
}

/// Deadlines and durations are measured by a clock that never jumps; the calendar is for people, and
/// only where it is written down.
#[test]
fn no_analysis_looks_at_the_calendar() {
    let root = xtask::root();
    let for_people = [
        // What a program is shown that asks for the time, if that is to be the real one.
        "cli/src/commands/run/process.rs",
        "console/src/output.rs",
        "console/src/live.rs",
        "serve/src/list.rs",
    ];
    let mut todo = vec![root.join("crates")];
    let mut n_files = 0;
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            todo.extend(entries.map(|e| e.expect("an entry").path()));
            continue;
        }
        let name = path.to_string_lossy().replace('\\', "/");
        let is_source = name.ends_with(".rs") && name.contains("/src/");
        if !is_source || for_people.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        n_files += 1;
        let text = std::fs::read_to_string(&path).expect("source text");
        assert!(!text.contains("SystemTime"), "{name} looks at the calendar");
    }
    assert!(n_files > 200, "{n_files}");
}

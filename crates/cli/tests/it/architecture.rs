//! The crates depend on each other as the table in `ARCHITECTURE.md` says, and no other way.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};

/// Each crate of the house and the ones it may see. Adding an edge takes a note in
/// `docs/decisions/`.
const ALLOWED: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("automata", &["base"]),
    ("learn", &["base", "automata"]),
    ("ir", &["base", "automata"]),
    ("cfront", &["base", "ir"]),
    ("interp", &["base", "ir"]),
    ("smt", &["base"]),
    ("symex", &["base", "automata", "ir", "smt"]),
    // It draws outcomes from their JSON alone, and automata are a part of that JSON.
    ("report", &["automata"]),
    ("mine", &["base", "automata", "learn"]),
    (
        "explain",
        &["base", "automata", "learn", "ir", "interp", "smt", "symex"],
    ),
    (
        "prove",
        &["base", "automata", "ir", "interp", "smt", "symex"],
    ),
    (
        "verify",
        &[
            "base", "automata", "learn", "ir", "interp", "smt", "symex", "prove",
        ],
    ),
    (
        "localize",
        &[
            "base", "automata", "learn", "ir", "interp", "smt", "symex", "prove",
        ],
    ),
    (
        "invariants",
        &["base", "automata", "learn", "ir", "interp", "smt", "symex"],
    ),
];

#[test]
fn crates_see_only_what_the_architecture_allows() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec()
        .expect("cargo metadata works where cargo test does");
    let allowed: BTreeMap<&str, BTreeSet<&str>> = ALLOWED
        .iter()
        .map(|(name, list)| (*name, list.iter().copied().collect()))
        .collect();
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
    let table: BTreeSet<String> = allowed.keys().map(|&name| name.to_owned()).collect();
    assert_eq!(seen, table, "the table lists exactly the crates that exist");
}

/// Deadlines and durations are measured by a clock that never jumps; the calendar is for people, and
/// only where it is written down.
#[test]
fn no_analysis_looks_at_the_calendar() {
    let root = xtask::root();
    let for_people = [
        "cli/src/output.rs",
        "cli/src/live.rs",
        "cli/src/commands/serve.rs",
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

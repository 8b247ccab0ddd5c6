//! The JSON of every command keeps to `docs/schema/outcome.schema.json`: a renamed key breaks this test, not
//! somebody's script.

use jsonschema::Validator;
use serde_json::Value;
use std::process::Command;

fn validator() -> Validator {
    let path = xtask::root().join("docs/schema/outcome.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn outcome(line: &str) -> Value {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let done = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args([command, "--json", "--timeout", "30"])
        .args(rest.split_whitespace())
        .current_dir(xtask::root())
        .output()
        .expect("idiolect starts");
    serde_json::from_slice(&done.stdout)
        .unwrap_or_else(|e| panic!("`{line}` prints no JSON ({e}): {done:?}"))
}

fn complaints(validator: &Validator, outcome: &Value) -> Vec<String> {
    let errors = validator.iter_errors(outcome);
    errors
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

const COMMANDS: &[&str] = &[
    "run examples/sort.c --input 3,1,2",
    "run examples/sort.c --runs 3 --trace",
    "verify examples/sort.c",
    "verify --engine bmc examples/sort.c --unwind 1",
    "verify --engine learn corpus/recursive/gcd_divides.c",
    "verify corpus/agree/bound_only.c",
    "explain examples/sort.c",
    "explain examples/sort.c --program",
    "explain corpus/agree/late_error.c",
    "explain examples/explain/marks.c --events marks --word assert",
    "localize examples/localize/figure1.c",
    "localize examples/localize/figure2.c --all-traces",
    "localize corpus/agree/bound_only.c",
    "diff examples/sort.c examples/sort.c",
    "diff corpus/agree/many_rounds.c corpus/agree/bound_only.c",
    "diff examples/diff/insert.c examples/diff/insert_wrong.c --entry insert",
    "diff --merge examples/explain/merge/base.c examples/explain/merge/a.c examples/explain/merge/b.c examples/explain/merge/merged.c",
    "localize examples/repair/median.c --tests examples/repair/median.toml",
    "repair examples/repair/median.c --tests examples/repair/median.toml",
    "repair examples/localize/figure1.c",
    "repair corpus/agree/bound_only.c",
    "invariants corpus/linear/array-find.c",
    "mine examples/server.trace --api socket",
    "mine examples/servers.trace --api socket --strings --infer",
    "check examples/server.trace --spec examples/protocol/sockets.spec",
    "check examples/servers.trace --spec examples/protocol/sockets.spec --check paper",
    "verify examples/protocol/server.c --spec examples/protocol/sockets.spec",
    "trace --api socket -o /dev/null -- true",
    "learn examples/odd.dot",
    "learn examples/coffee.dot --equivalence wp --start-from examples/coffee-old.dot",
    "learn --words examples/words.txt --learner alergia",
    "learn --c examples/connection.c --step step --reset reset --alphabet listen,syn,ack",
    "doctor",
    "doctor -p examples/project",
    "verify there-is-no-such-file.c",
];

#[test]
fn every_outcome_keeps_to_the_schema() {
    let validator = validator();
    for line in COMMANDS {
        let found = outcome(line);
        let wrong = complaints(&validator, &found);
        assert!(wrong.is_empty(), "`{line}`: {wrong:#?}\n{found:#}");
    }
}

/// The schema is not one that everything keeps to.
#[test]
fn a_renamed_key_is_noticed() {
    let validator = validator();
    let good = outcome("verify examples/sort.c");
    assert!(validator.is_valid(&good));
    for key in [
        "command",
        "verdict",
        "guarantee",
        "statistics",
        "warnings",
        "error",
        "found_by",
    ] {
        let mut bad = good.clone();
        let object = bad.as_object_mut().expect("an object");
        let value = object.remove(key).unwrap_or_else(|| panic!("`{key}`"));
        object.insert(format!("{key}_"), value);
        assert!(!validator.is_valid(&bad), "{key}");
    }
    let mut bad = good;
    bad["guarantee"]["assumptions"] = serde_json::json!([{ "kind": "hope" }]);
    assert!(!validator.is_valid(&bad));
}

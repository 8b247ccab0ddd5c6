//! SV-COMP's conventions: task definitions, property files, witnesses and BenchExec's tool module.

use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use xtask::process::available_or_skip;
use xtask::setup::{BENCHEXEC, install_python};

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

fn idiolect(arguments: &[&str]) -> Output {
    Command::new(IDIOLECT)
        .args(arguments)
        .current_dir(xtask::root())
        .output()
        .expect("idiolect starts")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e} in {text}"))
}

// The shape of a witness: fields that the format does not have are refused here.

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    content: Vec<SegmentHolder>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    format_version: String,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: Task,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Producer {
    name: String,
    version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    input_files: Vec<String>,
    input_file_hashes: std::collections::BTreeMap<String, String>,
    specification: String,
    data_model: String,
    language: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentHolder {
    segment: Vec<WaypointHolder>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaypointHolder {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Waypoint {
    r#type: String,
    action: String,
    constraint: Option<Constraint>,
    location: Location,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Constraint {
    value: String,
    format: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Location {
    file_name: String,
    line: usize,
    column: Option<usize>,
    function: Option<String>,
}

fn read_witness(path: &Path) -> Entry {
    let text = std::fs::read_to_string(path).expect("there is a witness");
    let mut entries: Vec<Entry> = serde_saphyr::from_str(&text).expect("of the right shape");
    assert_eq!(entries.len(), 1);
    let entry = entries.remove(0);
    assert_eq!(entry.metadata.format_version, "2.0");
    let uuid: Vec<usize> = entry.metadata.uuid.split('-').map(str::len).collect();
    assert_eq!(uuid, [8, 4, 4, 4, 12]);
    assert_eq!(entry.metadata.creation_time, "1970-01-01T00:00:00Z");
    assert_eq!(entry.metadata.producer.name, "idiolect");
    assert_eq!(entry.metadata.producer.version, env!("CARGO_PKG_VERSION"));
    let task = &entry.metadata.task;
    assert_eq!(task.language, "C");
    assert_eq!(task.data_model, "ILP32");
    assert_eq!(
        task.specification,
        "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    );
    assert_eq!(
        task.input_file_hashes.keys().collect::<Vec<_>>(),
        task.input_files.iter().collect::<Vec<_>>()
    );
    assert!(task.input_file_hashes.values().all(|hash| hash.len() == 64));
    entry
}

#[test]
fn a_violation_witness_has_the_shape_of_the_format_and_leads_to_the_error() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let programs = ["fibonacci_five", "even_odd_confused", "ninety_one_off"];
    for program in programs {
        let path = scratch.path().join("witness.yml");
        let task = format!("corpus/recursive/{program}.yml");
        let file = path.to_str().expect("a path in UTF-8");
        let arguments = [
            "verify",
            "--engine",
            "bmc",
            "--json",
            "--no-timing",
            &task,
            "--witness",
            file,
        ];
        let output = idiolect(&arguments);
        assert_eq!(output.status.code(), Some(1), "{program}");
        let outcome = json(&output);
        let entry = read_witness(&path);
        assert_eq!(entry.entry_type, "violation_sequence");
        let source = format!("corpus/recursive/{program}.c");
        assert_eq!(entry.metadata.task.input_files, [source.as_str()]);
        let text = std::fs::read_to_string(xtask::root().join(&source)).expect("the program");
        let line = |number: usize| text.lines().nth(number - 1).expect("a line of the program");

        let (last, before) = entry.content.split_last().expect("a target at least");
        let mut inputs = Vec::new();
        for holder in before {
            let [WaypointHolder { waypoint }] = &holder.segment[..] else {
                panic!("one waypoint in each segment");
            };
            assert_eq!(waypoint.r#type, "function_return");
            assert_eq!(waypoint.action, "follow");
            assert_eq!(waypoint.location.file_name, source);
            let column = waypoint.location.column.expect("the call is in the source");
            let at = line(waypoint.location.line);
            assert_eq!(at.as_bytes()[column - 1], b')', "{at}");
            assert!(at[..column].ends_with("__VERIFIER_nondet_int()"), "{at}");
            let constraint = waypoint.constraint.as_ref().expect("a value");
            assert_eq!(constraint.format, "ext_c_expression");
            let value = constraint.value.strip_prefix("\\result == ");
            inputs.push(value.expect("the value of an input").to_owned());
        }
        let target = &last.segment[0].waypoint;
        assert_eq!(target.r#type, "target");
        assert!(target.constraint.is_none());
        assert_eq!(target.location.function.as_deref(), Some("main"));
        assert!(line(target.location.line).contains("assert("));

        let values = inputs.join(",");
        let again = idiolect(&[
            "run",
            "--json",
            "--data-model",
            "ILP32",
            &source,
            "--input",
            &values,
        ]);
        let replayed = json(&again);
        assert_eq!(replayed["verdict"], "error", "{program} with {values}");
        assert_eq!(replayed["error"]["line"], outcome["error"]["line"]);
        assert_eq!(replayed["error"]["line"], target.location.line);
    }
}

/// A witness is read back, also from another folder, and its run fails; with another value it does not.
#[test]
fn witnesses_are_followed() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let path = scratch.path().join("witness.yml");
    let file = path.to_str().expect("a path in UTF-8");
    let task = "corpus/recursive/fibonacci_five.yml";
    idiolect(&["verify", "--engine", "bmc", task, "--witness", file]);
    let text = std::fs::read_to_string(&path).expect("there is a witness");
    assert!(text.contains("\\result == 5"), "{text}");
    let run = || json(&idiolect(&["run", "--json", task, "--witness", file]));
    let confirmed = run();
    assert_eq!(confirmed["verdict"], "error", "{confirmed:#}");
    assert_eq!(
        confirmed["warnings"],
        serde_json::json!([]),
        "{confirmed:#}"
    );

    let write = |text: &str| std::fs::write(&path, text).expect("a scratch file");
    write(&text.replace("\\result == 5", "\\result == 4"));
    let other = run();
    assert_eq!(other["verdict"], "exit", "{other:#}");

    // Of another file, the values are not for us.
    write(&text.replace("fibonacci_five.c", "another.c"));
    let missed = run();
    assert_eq!(missed["verdict"], "exit", "{missed:#}");
    let warning = missed["warnings"][0].as_str().expect("a warning");
    assert!(
        warning.contains("does not come by 1 of the 1 value"),
        "{warning}"
    );

    write(&text.replace("violation_sequence", "invariant_set"));
    let output = idiolect(&["run", "--json", task, "--witness", file]);
    assert_eq!(output.status.code(), Some(2));
    let message = json(&output)["error"]["message"].to_string();
    assert!(message.contains("no witness of a violation"), "{message}");
}

#[test]
fn a_proof_has_a_correctness_witness_and_doubt_has_none() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let path = scratch.path().join("witness.yml");
    let file = path.to_str().expect("a path in UTF-8");
    let verify = |task: &str| {
        idiolect(&[
            "verify",
            "--engine",
            "bmc",
            "--unwind",
            "2",
            "--no-timing",
            task,
            "--witness",
            file,
        ])
    };
    let output = verify("corpus/recursive/hanoi_grows.yml");
    assert_eq!(output.status.code(), Some(3));
    assert!(!path.exists());
    let output = verify("corpus/recursive/fibonacci_nine.yml");
    assert_eq!(output.status.code(), Some(0));
    let entry = read_witness(&path);
    assert_eq!(entry.entry_type, "invariant_set");
    assert!(entry.content.is_empty());
}

/// What is said of these property files and task definitions, with the place.
#[test]
fn bad_tasks_are_refused_with_their_line() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        std::fs::write(&path, text).expect("a scratch file");
        path.to_str().expect("a path in UTF-8").to_owned()
    };
    write("p.c", "int main(void) { return 0; }\n");
    write(
        "leaks.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-memcleanup) )\n",
    );
    write("ends.prp", "CHECK( init(main()), LTL(F end) )\n");
    write("words.prp", "no errors, please\n");
    write("empty.prp", "\n");
    write("good.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let task = |files: &str, property: &str, options: &str| {
        format!(
            "format_version: '2.0'\ninput_files: {files}\nproperties:\n  \
             - property_file: {property}\noptions:\n  {options}\n"
        )
    };
    let c = "language: C";
    let cases = [
        (task("p.c", "leaks.prp", c), "in use when", Some(2)),
        (task("p.c", "ends.prp", c), "`Fend` is not checked", Some(1)),
        (task("p.c", "words.prp", c), "expected `CHECK(", Some(1)),
        (task("p.c", "empty.prp", c), "has no property", None),
        (task("p.c", "absent.prp", c), "cannot read", None),
        (task("[]", "good.prp", c), "no input files", None),
        (task("p.c", "good.prp", "language: Java"), "Java", None),
        (task("p.c", "good.prp", "data_model: LLP64"), "LLP64", None),
        (
            task("{", "good.prp", c),
            "only valid inside a block",
            Some(4),
        ),
        ("format_version: '2.0'\n".to_owned(), "input_files", Some(1)),
        (
            "format_version: '9'\ninput_files: p.c\n".to_owned(),
            "`9`",
            None,
        ),
    ];
    for (text, said, line) in cases {
        let file = write("task.yml", &text);
        let output = idiolect(&["verify", "--json", &file]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let outcome = json(&output);
        let message = outcome["error"]["message"].as_str().expect("a message");
        assert!(message.contains(said), "{message:?} for {text}");
        assert_eq!(
            outcome["error"]["line"].as_u64(),
            line,
            "{message:?} for {text}"
        );
    }
    // What the command line says goes before what the task says.
    let file = write("task.yml", &task("p.c", "ends.prp", c));
    let output = idiolect(&["verify", "--property", "memory", &file]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn benchexec_takes_the_tool_module_and_reads_our_verdicts() {
    if !available_or_skip("python3", "tasks") {
        return;
    }
    let python = install_python(BENCHEXEC).expect("BenchExec can be installed");
    let script = r##"
import importlib, subprocess, sys
import benchexec.tools.template as template
tool = importlib.import_module("contrib.benchexec.idiolect").Tool()
executable = sys.argv[1]
assert tool.name() == "idiolect"
assert tool.version(executable)[0].isdigit()
Task = template.BaseTool2.Task
Limits = template.BaseTool2.ResourceLimits
for program, unwind, expected in [("fibonacci_five", "8", "false(unreach-call)"), ("fibonacci_nine", "8", "true"),
                          ("hanoi_grows", "2", "unknown"), ("absent", "8", "ERROR (cli::cannot-read)")]:
    folder = "corpus/recursive/"
    task = Task.with_files([folder + program + ".c"], property_file=folder + "unreach-call.prp",
                           options={"data_model": "ILP32", "language": "C"})
    command = tool.cmdline(executable, ["--engine", "bmc", "--unwind", unwind], task, Limits(cputime=60))
    done = subprocess.run(command, capture_output=True, text=True)
    class Run: output = done.stdout.splitlines()
    said = tool.determine_result(Run)
    assert said == expected, (program, said, done)
# Memory and divisions have properties of their own.
import os, tempfile
folder = tempfile.mkdtemp()
for text, expected in [("int main(void) { int x = __VERIFIER_nondet_int(); return 10 / x; }", "division"),
                       ("#include <stdlib.h>\nint main(void) { char *p = malloc(3); free(p); free(p); }", "valid-free"),
                       ("int a[3]; int main(void) { return a[__VERIFIER_nondet_int()]; }", "valid-deref"),
                       ("void reach_error(void); int main(void) { reach_error(); }", "unreach-call")]:
    with open(folder + "/p.c", "w") as file:
        file.write(text + "\n")
    command = tool.cmdline(executable, [], Task.with_files([folder + "/p.c"]), Limits(cputime=60))
    done = subprocess.run(command, capture_output=True, text=True)
    class Run: output = done.stdout.splitlines()
    assert tool.determine_result(Run) == f"false({expected})", (text, done)
for text, asked in [("#include <stdlib.h>\nint main(void) { return malloc(3) == 0; }", "valid-memtrack"),
                    ("int main(void) { return __VERIFIER_nondet_int() + 1; }", "no-overflow"),
                    ("#include <stdlib.h>\nint main(void) { free(1 + (char *)malloc(3)); }", "valid-free")]:
    with open(folder + "/p.c", "w") as file:
        file.write(text + "\n")
    with open(folder + "/p.prp", "w") as file:
        file.write(f"CHECK( init(main()), LTL(G {asked.replace('no-', '! ')}) )\n")
    task = Task.with_files([folder + "/p.c"], property_file=folder + "/p.prp")
    done = subprocess.run(tool.cmdline(executable, [], task, Limits(cputime=60)), capture_output=True, text=True)
    class Run: output = done.stdout.splitlines()
    assert tool.determine_result(Run) == f"false({asked})", (text, done)
# The program is found where it was built, where it was installed, and on the path.
Locator = template.BaseTool2.ToolLocator
for below in ["target/release", "bin", "."]:
    top = tempfile.mkdtemp()
    os.makedirs(os.path.join(top, below), exist_ok=True)
    os.symlink(executable, os.path.join(top, below, "idiolect"))
    found = tool.executable(Locator(tool_directory=top))
    assert os.path.realpath(found) == os.path.realpath(executable), (below, found)
os.environ["PATH"] = top + ":" + os.environ["PATH"]
assert os.path.realpath(tool.executable(Locator(use_path=True))) == os.path.realpath(executable)
"##;
    let output = Command::new(python)
        .args(["-c", script, IDIOLECT])
        .env("PYTHONPATH", xtask::root())
        .current_dir(xtask::root())
        .output()
        .expect("Python starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
}

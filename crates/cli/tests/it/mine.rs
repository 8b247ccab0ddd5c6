//! From a program to its protocol and back, through the command line.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn idiolect(args: &[&str], stdin: Option<&str>) -> (i32, String, String) {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = Command::new(env!("CARGO_BIN_EXE_idiolect"));
    command.args(args).current_dir(xtask::root());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("idiolect runs");
    let mut to = child.stdin.take().expect("it was asked for");
    // A command that does not read may be gone.
    let _ = to.write_all(stdin.unwrap_or("").as_bytes());
    drop(to);
    let output = child.wait_with_output().expect("idiolect ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn json(args: &[&str], stdin: Option<&str>) -> Value {
    let mut all = args.to_vec();
    all.extend(["--json", "--no-timing"]);
    let (_, out, err) = idiolect(&all, stdin);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"))
}

fn scratch() -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name))
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn letters(value: &Value) -> Vec<String> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

#[test]
fn figures_2_to_12_through_the_command_line() {
    let mined = json(
        &[
            "mine",
            "examples/server.trace",
            "--api",
            "socket",
            "--seed-call",
            "accept(so, return)",
            "--strings",
        ],
        None,
    );
    assert_eq!(mined["verdict"], "mined");
    // Figure 8.
    let types = mined["types"].as_object().expect("an object");
    assert_eq!(types.len(), 8);
    assert!(types.values().all(|t| t == "T0"));
    // Figures 10 to 12, and the second scenario.
    let strings = mined["scenarios"]["strings"].as_array().expect("a list");
    let calls = |string: &Value| -> String {
        let letters = letters(&string["letters"]);
        let order = [
            "socket", "bind", "listen", "accept", "read", "write", "close",
        ];
        let short = |letter: &String| order.iter().position(|call| letter.starts_with(call));
        letters
            .iter()
            .filter_map(short)
            .map(|i| (b'A' + i as u8) as char)
            .collect()
    };
    let found: Vec<String> = strings.iter().map(calls).collect();
    assert_eq!(found, ["ABCDEEFFG", "ABCDEFG"]);
    assert_eq!(
        letters(&strings[0]["letters"])[3],
        "accept(so = x0:T0, return = x1:T0)"
    );
    // Counts are there and the automata can be read back.
    assert_eq!(mined["scenarios"]["count"], 2);
    assert_eq!(mined["pfsa"]["kind"], "pfsa");
    assert_eq!(mined["specification"]["kind"], "nfa");
}

#[test]
fn every_format_gives_the_same_specification() {
    let text = json(&["mine", "examples/server.trace", "--api", "socket"], None);
    let lines = std::fs::read_to_string(xtask::root().join("examples/server.trace"))
        .expect("the example is there");
    let mut as_json = String::new();
    let mut as_strace = String::new();
    for line in lines.lines() {
        let (call, rest) = line.split_once('(').expect("a call");
        let mut object = serde_json::json!({ "call": call, "args": {} });
        let mut arguments = Vec::new();
        let mut result = "";
        for part in rest.trim_end_matches(')').split(", ") {
            let (name, value) = part.split_once(" = ").expect("an attribute");
            match name {
                "return" => {
                    object["return"] = value.parse::<i64>().expect("a number").into();
                    result = value;
                }
                _ => {
                    object["args"][name] = value.into();
                    arguments.push(value);
                }
            }
        }
        as_json += &format!("{object}\n");
        as_strace += &format!("7 1.5 {call}({}) = {result}\n", arguments.join(", "));
    }
    for (format, input) in [
        ("auto", &as_json),
        ("jsonl", &as_json),
        ("strace", &as_strace),
        ("ltrace", &as_strace),
    ] {
        let mined = json(
            &["mine", "-", "--api", "socket", "--format", format],
            Some(input),
        );
        assert_eq!(mined["specification"], text["specification"], "{format}");
    }
}

/// A-STR-9: scenarios of a list's nodes, from a program that our interpreter ran.
#[test]
fn nodes_of_a_list_are_allocated_and_freed() {
    let (_, trace, _) = idiolect(
        &[
            "run",
            "crates/cli/tests/cmd/in/list.c",
            "--api",
            "malloc,free",
        ],
        None,
    );
    let calls: Vec<&str> = trace
        .lines()
        .filter(|l| l.starts_with("malloc") || l.starts_with("free"))
        .collect();
    assert_eq!(calls.len(), 6, "{trace}");
    let mined = json(
        &["mine", "-", "--api", "malloc", "--strings"],
        Some(&calls.join("\n")),
    );
    let strings = mined["scenarios"]["strings"].as_array().expect("a list");
    assert_eq!(strings.len(), 1);
    assert_eq!(strings[0]["count"], 3);
    assert_eq!(
        letters(&strings[0]["letters"]),
        ["malloc(return = x0:T0)", "free(block = x0:T0)"]
    );
}

#[test]
fn the_cut_says_what_it_removed() {
    let mut text = String::new();
    for i in 0..50 {
        text += "fopen(return = 0x10)\nfgets(stream = 0x10)\n";
        text += if i == 7 {
            "--\n"
        } else {
            "fclose(stream = 0x10)\n--\n"
        };
    }
    let mined = json(&["mine", "-", "--api", "stdio"], Some(&text));
    let removed = mined["removed"].as_array().expect("a list");
    assert_eq!(removed.len(), 1, "{removed:?}");
    assert_eq!(removed[0]["scenarios"], 1);
    assert_eq!(removed[0]["letter"], Value::Null);
    assert_eq!(mined["statistics"]["runs"], 50);
    let uncut = json(&["mine", "-", "--api", "stdio", "--cut", "0"], Some(&text));
    assert_eq!(uncut["removed"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_proposed_api_can_be_written_edited_and_used() {
    let (_folder, path) = scratch();
    let api = show(&path("my.toml"));
    let inferred = json(
        &[
            "mine",
            "examples/server.trace",
            "--infer",
            "--seed-call",
            "accept(so, return)",
            "--write-api",
            &api,
        ],
        None,
    );
    let used = json(&["mine", "examples/server.trace", "--api", &api], None);
    let shipped = json(&["mine", "examples/server.trace", "--api", "socket"], None);
    assert_eq!(inferred["specification"], shipped["specification"]);
    assert_eq!(used["specification"], shipped["specification"]);
    assert_eq!(
        inferred["inferred"]["attributes"].as_array().map(Vec::len),
        Some(8)
    );
}

/// The loop of section 6: one accepted as too narrow, one rejected as a bug.
#[test]
fn the_experts_loop() {
    let (_folder, path) = scratch();
    let runs = [
        (
            "a",
            "fopen(return = 1)\nfgets(stream = 1)\nfclose(stream = 1)\n",
        ),
        (
            "b",
            "fopen(return = 1)\nfputs(stream = 1)\nfclose(stream = 1)\n",
        ),
        ("c", "fopen(return = 1)\nfgets(stream = 1)\n"),
        (
            "d",
            "fopen(return = 1)\nfputs(stream = 1)\nfclose(stream = 1)\n",
        ),
    ];
    let mut args = vec!["mine".to_owned()];
    for (name, text) in runs {
        std::fs::write(path(name), text).expect("a file can be written");
        args.push(show(&path(name)));
    }
    let log = show(&path("log"));
    let spec = show(&path("spec"));
    let rest = [
        "--api",
        "stdio",
        "--interactive",
        "--learner",
        "k-tails",
        "--k",
        "3",
        "--cut",
        "0",
        "--log",
        &log,
        "--spec",
        &spec,
    ];
    args.extend(rest.map(str::to_owned));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (code, out, err) = idiolect(&args, Some("a\nx\na\nr leaks\n"));
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("1 of 4 traces were not looked at"), "{out}");
    let log = std::fs::read_to_string(log).expect("the log was written");
    let entries: Vec<Value> = (log.lines())
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect();
    let accepted: Vec<bool> = entries
        .iter()
        .filter_map(|e| e["accepted"].as_bool())
        .collect();
    assert_eq!(accepted, [true, true, false, true]);
    assert_eq!(entries[2]["reason"], "leaks");
    let d = show(&path("d"));
    let (code, ..) = idiolect(&["check", "--check", "paper", "--spec", &spec, &d], None);
    assert_eq!(code, 0);
    // Without answers nothing is accepted and nothing is written.
    let (code, ..) = idiolect(&args, Some(""));
    assert_eq!(code, 0);
}

#[test]
fn counts_of_parts_are_counts_of_the_whole() {
    let (_folder, path) = scratch();
    let whole = std::fs::read_to_string(xtask::root().join("examples/server.trace"))
        .expect("the example is there");
    let (a, b) = (show(&path("a")), show(&path("b")));
    let other = "fopen(return = 1)\nsocket(return = 3)\naccept(so = 3, return = 4)\n";
    let api = ["--api", "socket"];
    json(
        &[&["mine", "-", "--write-counts", &a], &api[..]].concat(),
        Some(&whole),
    );
    json(
        &[&["mine", "-", "--write-counts", &b], &api[..]].concat(),
        Some(other),
    );
    let parts = json(
        &[
            &["mine", "--add-counts", &a, "--add-counts", &b, "--strings"],
            &api[..],
        ]
        .concat(),
        None,
    );
    let text = format!("{whole}--\n{other}");
    let one = json(
        &[&["mine", "-", "--strings"], &api[..]].concat(),
        Some(&text),
    );
    for part in ["scenarios", "types", "specification", "pfsa"] {
        assert_eq!(parts[part], one[part], "{part}");
    }
    let (code, _, err) = idiolect(&["mine", "--add-counts", &a, "--api", "stdio"], None);
    assert_eq!(code, 2);
    assert!(
        err.contains("these counts were made in another way"),
        "{err}"
    );
}

#[test]
fn pages_and_drawings() {
    let (_folder, path) = scratch();
    let (svg, page, spec) = (
        show(&path("s.svg")),
        show(&path("p.html")),
        show(&path("spec")),
    );
    let (code, ..) = idiolect(
        &[
            "mine",
            "examples/server.trace",
            "--api",
            "socket",
            "--svg",
            &svg,
            "--report",
            &page,
            "--spec",
            &spec,
        ],
        None,
    );
    assert_eq!(code, 0);
    let read = |path: &str| std::fs::read_to_string(path).expect("it was written");
    assert!(read(&svg).contains("accept(so = x0:T0, return = x1:T0)"));
    assert!(read(&page).starts_with("<!DOCTYPE html>"));
    let early = "crates/cli/tests/cmd/in/early.trace";
    let sarif = show(&path("s.sarif"));
    let files = ["--report", &page, "--sarif", &sarif];
    let (code, ..) = idiolect(
        &[&["check", "--spec", &spec, early], &files[..]].concat(),
        None,
    );
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&read(&sarif)).expect("SARIF is JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.len(), 1);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 4);
    assert!(read(&page).contains("violates"));
}

#[test]
fn no_input_makes_it_panic() {
    let megabyte = format!("f(x = \"{}\", return = 1)\n", "a".repeat(1 << 20));
    let inputs: [(&str, i32); 8] = [
        ("", 2),
        ("accept(so = 7", 2),
        (&megabyte, 2),
        ("read(fd = 99, return = 1)\n", 2),
        ("--\n--\n", 2),
        ("accept(so = 1, return = 1)\n", 0),
        ("accept(so = 1, return = -1)\naccept()\n{\n", 0),
        ("{\"call\": 3}\n[]\nnull\n", 2),
    ];
    for (input, expected) in inputs {
        let (code, out, err) = idiolect(&["mine", "-", "--api", "socket", "--json"], Some(input));
        assert_eq!(code, expected, "{out}{err}");
        assert!(serde_json::from_str::<Value>(&out).is_ok(), "{out}");
    }
}

/// The course of the study of specification mining, on programs of ours: what is too narrow is widened,
/// and the two bugs are still found at the end.
#[test]
fn an_expert_goes_through_the_programs_that_take_the_selection() {
    let idiolect = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let (tables, is_as_told) = xtask::protocol::tables(idiolect).expect("the corpus is there");
    assert!(is_as_told, "{tables}");
    let sum = "8 programs, 5 of them accepted; 5 had to be looked at; the last specification has 4 \
               states and 5 edges";
    assert!(tables.contains(sum), "{tables}");
    assert!(
        tables.contains("notes        no        bug         reject"),
        "{tables}"
    );
}

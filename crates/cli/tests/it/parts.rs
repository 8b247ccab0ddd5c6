//! Traces in parts: however they are cut and put together, what comes out are the bytes of the whole.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use xtask::parts::Synthetic;

struct Lab(tempfile::TempDir);

impl Lab {
    /// With a trace of so many runs, which is small enough to be one piece.
    fn new(runs: usize) -> Self {
        let lab = Self(tempfile::tempdir().expect("a folder"));
        let mut text = Vec::new();
        let mut synthetic = Synthetic::new(3);
        for _ in 0..runs {
            synthetic.write_run(&mut text).expect("memory");
        }
        lab.write("whole.trace", &text);
        lab
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.at(name), bytes).expect("a file");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.at(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn output(&self, line: &str) -> Output {
        let words = line.split_whitespace();
        let mut command = Command::new(env!("CARGO_BIN_EXE_idiolect"));
        command.args(words).current_dir(self.0.path());
        command
            .stdin(Stdio::null())
            .output()
            .expect("idiolect runs")
    }

    /// Runs it well, and gives what it prints.
    fn run(&self, line: &str) -> String {
        let output = self.output(line);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{line}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    fn cuts(&self, trace: &str, n: usize) -> Vec<String> {
        let ranges = self.run(&format!("mine {trace} --cuts {n}"));
        ranges.lines().map(str::to_owned).collect()
    }

    /// Runs it in vain, and gives what it complains.
    fn refused(&self, line: &str) -> String {
        let output = self.output(line);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {complaint}");
        complaint
    }
}

const COUNT: &str = "--api socket --counts-only --write-counts";

#[test]
fn more_files_than_may_be_open_are_added_in_a_tree() {
    let lab = Lab::new(600);
    lab.run(&format!("mine whole.trace {COUNT} one"));
    let mut names = Vec::new();
    for (i, range) in lab.cuts("whole.trace", 400).iter().enumerate() {
        names.push(format!("part-{i}"));
        lab.run(&format!(
            "mine whole.trace --range {range} {COUNT} part-{i}"
        ));
    }
    assert!(names.len() > 140, "{}", names.len());
    names.reverse();
    lab.run(&format!(
        "mine --add-counts {} {COUNT} sum",
        names.join(" ")
    ));
    assert!(lab.read("sum") == lab.read("one"));
    // By hand, with standard output and what others have packed.
    let (left, right) = names.split_at(names.len() / 3);
    let text = lab.run(&format!("mine --add-counts {} {COUNT} -", left.join(" ")));
    lab.write("left", text.as_bytes());
    assert!(
        Command::new("gzip")
            .arg(lab.at("left"))
            .status()
            .is_ok_and(|s| s.success())
    );
    lab.run(&format!(
        "mine --add-counts left.gz {} {COUNT} again",
        right.join(" ")
    ));
    assert!(lab.read("again") == lab.read("one"));
    // Counts and learning at once.
    lab.run("mine whole.trace --api socket --spec one.spec");
    lab.run("mine --add-counts again --api socket --spec two.spec");
    assert!(lab.read("one.spec") == lab.read("two.spec"));
    // A trace and counts together.
    let rest = lab.cuts("whole.trace", 2);
    lab.run(&format!(
        "mine whole.trace --range {} {COUNT} first",
        rest[0]
    ));
    lab.run(&format!(
        "mine whole.trace --range {} --add-counts first {COUNT} both",
        rest[1]
    ));
    assert!(lab.read("both") == lab.read("one"));
}

#[test]
fn strangers_and_damage_are_refused_with_their_place() {
    let lab = Lab::new(20);
    lab.run(&format!("mine whole.trace {COUNT} good"));
    let ways = [
        "--api stdio",
        "--api socket --size 9",
        "--api socket --seed-call listen(so)",
    ];
    for way in ways {
        for more in ["", "--counts-only --write-counts sum"] {
            let complaint = lab.refused(&format!("mine --add-counts good {way} {more}"));
            assert!(
                complaint.contains("made in another way: theirs are "),
                "{complaint}"
            );
            assert!(complaint.contains("ours would be "), "{complaint}");
        }
    }
    let text = String::from_utf8(lab.read("good")).expect("text");
    lab.write(
        "old",
        text.replace("\"version\":2", "\"version\":1").as_bytes(),
    );
    let complaint = lab.refused(&format!("mine --add-counts good old {COUNT} sum"));
    assert!(
        complaint.contains("old:1: `idiolect-counts` version 1 is not"),
        "{complaint}"
    );
    lab.write("half", &text.as_bytes()[..text.len() / 2]);
    let mut flipped = text.clone().into_bytes();
    let line = flipped[..text.len() / 2]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
        + 1;
    flipped[text.len() / 2] ^= 1;
    lab.write("flipped", &flipped);
    for (name, what) in [
        ("half", format!("half:{line}: ")),
        ("flipped", format!("flipped:{line}: line {line} is damaged")),
    ] {
        for more in ["--counts-only --write-counts sum", ""] {
            let complaint = lab.refused(&format!(
                "mine --add-counts good {name} good --api socket {more}"
            ));
            assert!(complaint.contains(&what), "{complaint}");
        }
    }
    assert!(!Path::new(&lab.at("sum")).exists(), "half a sum is no sum");
}

#[test]
fn what_a_tracer_wrote_is_cut_where_its_last_process_ends() {
    let lab = Lab::new(0);
    let mut text = String::new();
    for i in 0..40 {
        let (parent, child) = (100 + 2 * i, 101 + 2 * i);
        text += &format!("{parent} execve(\"./server\", [\"server\"], 0x7ffd) = 0\n");
        text += &format!("{parent} socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3\n");
        text += &format!(
            "{parent} bind(3, {{sa_family=AF_INET}}, 16) = 0\n{parent} listen(3, 5) = 0\n"
        );
        text += &format!("{parent} clone(child_stack=NULL, flags=SIGCHLD) = {child}\n");
        if i % 2 == 0 {
            text += &format!("{parent} +++ exited with 0 +++\n");
        }
        text += &format!("{child} accept(3, NULL, NULL) = 4\n{child} read(4, \"x\", 1) = 1\n");
        text += &format!("{child} close(4) = 0\n{child} +++ exited with 0 +++\n");
        if i % 2 == 1 {
            text += &format!("{parent} close(3) = 0\n{parent} +++ exited with 0 +++\n");
        }
    }
    lab.write("s.out", text.as_bytes());
    lab.run(&format!("mine s.out {COUNT} one"));
    assert!(String::from_utf8_lossy(&lab.read("one")).contains("\"runs\":40,"));
    let ranges = lab.cuts("s.out", 10);
    assert!((8..=10).contains(&ranges.len()), "{ranges:?}");
    let mut names = String::new();
    for (i, range) in ranges.iter().enumerate() {
        lab.run(&format!("mine s.out --range {range} {COUNT} part-{i}"));
        names += &format!(" part-{i}");
    }
    lab.run(&format!("mine --add-counts {names} {COUNT} sum"));
    assert!(lab.read("sum") == lab.read("one"));
    // One run is one part, and that is said.
    let first = text.split_inclusive("100 +++ exited with 0 +++\n").next();
    lab.write("run.out", first.unwrap_or_default().as_bytes());
    let output = lab.output("mine run.out --cuts 4");
    assert!(String::from_utf8_lossy(&output.stderr).contains("run.out is one part"));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}

#[test]
fn checks_and_proposals_of_parts_are_those_of_the_whole() {
    let lab = Lab::new(200);
    lab.run("mine whole.trace --api socket --spec spec");
    for mode in ["all", "paper"] {
        let mut names = String::new();
        for (i, range) in lab.cuts("whole.trace", 9).iter().enumerate() {
            lab.run(&format!("check --spec spec --check {mode} whole.trace --range {range} --write-part {mode}-{i}"));
            names = format!(" {mode}-{i}{names}");
        }
        let value = |line: &str| -> serde_json::Value {
            let output = lab.output(&format!(
                "check --spec spec --check {mode} {line} --json --no-timing"
            ));
            let mut value: serde_json::Value =
                serde_json::from_slice(&output.stdout).expect("JSON");
            // What was tried before is not tried again, which each part finds out by itself.
            value["statistics"]["scenarios_tried"] = serde_json::Value::Null;
            value
        };
        let whole = value("whole.trace");
        assert_eq!(value(&format!("--add-parts {names}")), whole);
        assert_eq!(whole["verdict"], "violates");
        let twice = lab.refused(&format!(
            "check --spec spec --check {mode} --add-parts {names} {mode}-3"
        ));
        assert!(twice.contains("are in two parts"), "{twice}");
    }
    let other = lab.refused("check --spec spec --add-parts paper-0");
    assert!(other.contains("its fingerprint is"), "{other}");

    lab.run("mine whole.trace --infer --write-api one.toml");
    let (mut first, mut second) = (String::new(), String::new());
    for (i, range) in lab.cuts("whole.trace", 9).iter().enumerate() {
        lab.run(&format!(
            "mine --infer whole.trace --range {range} --write-part first-{i}"
        ));
        first = format!(" first-{i}{first}");
    }
    lab.run(&format!(
        "mine --infer --add-parts {first} --write-part first"
    ));
    for (i, range) in lab.cuts("whole.trace", 7).iter().enumerate() {
        lab.run(&format!(
            "mine --infer whole.trace --range {range} --add-parts first --write-part second-{i}"
        ));
        second = format!(" second-{i}{second}");
    }
    lab.run(&format!(
        "mine --infer --add-parts {second} --write-api two.toml"
    ));
    assert!(lab.read("one.toml") == lab.read("two.toml"));
    let mixed = lab.refused("mine --infer --add-parts first second-0");
    assert!(mixed.contains("not of one round"), "{mixed}");
}

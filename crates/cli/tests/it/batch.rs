//! `batch`: none lost, none twice, and the same table however often it was killed.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    /// A list of so many jobs: quick programs with different ends, and one that is no program.
    fn new(n: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut list = String::new();
        for i in 0..n {
            let text = match i % 4 {
                0 => format!("int main(void) {{ return {i}; }}\n"),
                1 => "void reach_error(void); int main(void) { reach_error(); }\n".to_owned(),
                2 => "int main(void) { return ; }}\n".to_owned(),
                _ => {
                    "int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }\n"
                        .to_owned()
                }
            };
            let name = format!("p{i}.i");
            std::fs::write(folder.path().join(&name), text).expect("a file");
            let _ = writeln!(list, r#"{{"id": "job-{i:03}", "args": ["run", "{name}"]}}"#);
        }
        std::fs::write(folder.path().join("jobs.jsonl"), list).expect("a file");
        Self { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idiolect"));
        command.arg("batch").args(args);
        command.current_dir(self.folder.path());
        command
    }

    fn batch(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("idiolect runs")
    }

    fn merged(&self, results: &[&str]) -> String {
        let mut args = vec!["merge"];
        args.extend(results);
        args.extend(["--manifest", "jobs.jsonl"]);
        let output = self.batch(&args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }
}

fn ids(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let id = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("a whole line");
        value["id"].as_str().expect("an id").to_owned()
    };
    let mut ids: Vec<String> = whole.lines().map(id).collect();
    ids.sort();
    ids
}

#[test]
fn a_killed_batch_goes_on() {
    let lab = Lab::new(500);
    let whole = lab.batch(&["jobs.jsonl", "--out", "whole.jsonl"]);
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let args = [
        "jobs.jsonl",
        "--out",
        "parts.jsonl",
        "--resume",
        "--jobs",
        "2",
    ];
    // At five moments, which are others each time.
    let seed = u64::from(std::process::id());
    let moments: Vec<usize> = (0..5)
        .map(|i| 90 * i + 1 + (seed.wrapping_mul(2_654_435_761 + i as u64) >> 7) as usize % 80)
        .collect();
    for &wanted in &moments {
        let mut child = lab
            .command(&args)
            .stdout(Stdio::null())
            .spawn()
            .expect("idiolect runs");
        while ids(&lab.at("parts.jsonl")).len() < wanted
            && child.try_wait().expect("a child").is_none()
        {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let before = ids(&lab.at("parts.jsonl"));
        assert!(before.len() < 500, "it is not done yet: {moments:?}");
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
    }
    let rest = lab.batch(&args);
    assert_eq!(rest.status.code(), Some(0), "{rest:?}");
    let expected: Vec<String> = (0..500).map(|i| format!("job-{i:03}")).collect();
    assert_eq!(
        ids(&lab.at("parts.jsonl")),
        expected,
        "none twice, none lost: {moments:?}"
    );
    assert_eq!(lab.merged(&["whole.jsonl"]), lab.merged(&["parts.jsonl"]));
    let both = lab.merged(&["whole.jsonl", "parts.jsonl"]);
    assert!(
        both.contains("500 of them repeated with the same result"),
        "{both}"
    );
}

#[test]
fn shards_merge_to_the_same_table() {
    let lab = Lab::new(7);
    let whole = lab.batch(&["jobs.jsonl", "--out", "whole.jsonl"]);
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    for i in 1..=3 {
        let (shard, out) = (format!("{i}/3"), format!("part{i}.jsonl"));
        let part = lab.batch(&["jobs.jsonl", "--out", &out, "--shard", &shard, "--json"]);
        assert_eq!(part.status.code(), Some(0), "{part:?}");
    }
    let table = lab.merged(&["part3.jsonl", "part1.jsonl", "part2.jsonl"]);
    assert_eq!(table, lab.merged(&["whole.jsonl"]));
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(lines.len(), 1 + 7 + 1, "{table}");
    assert_eq!(lines[0], ["id", "command", "exit", "verdict", "guarantee"]);
    assert_eq!(lines[2][..4], ["job-001", "run", "1", "error"]);
    assert_eq!(lines[3][..4], ["job-002", "run", "2", "c::syntax"]);
    let page = lab.batch(&["merge", "whole.jsonl", "--report", "all.html"]);
    assert_eq!(page.status.code(), Some(0), "{page:?}");
    let page = std::fs::read_to_string(lab.at("all.html")).expect("a page");
    assert_eq!(page.matches("<tr>").count(), 1 + 7, "{page}");
    assert!(page.contains("<td>job-002</td><td>run</td><td>2</td><td>c::syntax</td>"));
    let missing = lab.batch(&["merge", "part1.jsonl", "--manifest", "jobs.jsonl"]);
    assert_eq!(missing.status.code(), Some(3), "{missing:?}");
}

#[test]
fn results_that_differ_are_a_finding() {
    let lab = Lab::new(1);
    let line = |exit: u32| format!("{{\"id\":\"job-000\",\"args\":[\"run\"],\"exit\":{exit}}}\n");
    std::fs::write(lab.at("a.jsonl"), line(0)).expect("a file");
    std::fs::write(lab.at("b.jsonl"), line(1)).expect("a file");
    let output = lab.batch(&["merge", "a.jsonl", "b.jsonl", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["different"][0], "job-000");
    std::fs::write(lab.at("half.jsonl"), "{\"id\":\"job-0").expect("a file");
    let output = lab.batch(&["merge", "half.jsonl"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

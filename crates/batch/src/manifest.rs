//! The list of jobs.

use crate::failure::CommandFailure;
use crate::reading;
use idiolect_base::Place;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A line of the list.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub id: String,
    pub args: Vec<String>,
    /// Seconds, before what the batch says for all.
    #[serde(default)]
    pub timeout: Option<f64>,
}

/// Commands that give one outcome and end.
const COMMANDS: &[&str] = &[
    "run",
    "explain",
    "diff",
    "verify",
    "localize",
    "invariants",
    "mine",
    "check",
    "learn",
    "repair",
];

/// Reads a list and refuses what could not be done, with its line.
pub fn read(path: &Path) -> Result<Vec<Job>, CommandFailure> {
    let bytes = if path.as_os_str() == "-" {
        reading::from(
            std::io::stdin().lock(),
            Path::new("<stdin>"),
            reading::LARGE,
        )?
    } else {
        reading::bytes(path, reading::LARGE)?
    };
    parse(
        &path.display().to_string(),
        &String::from_utf8_lossy(&bytes),
    )
}

fn parse(file: &str, text: &str) -> Result<Vec<Job>, CommandFailure> {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut jobs = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |message: String, help: &str| CommandFailure::BadFile {
            code: "batch::manifest",
            message,
            place: Some(Place {
                file: file.to_owned(),
                line: i as u32 + 1,
                column: 1,
            }),
            help: help.to_owned(),
        };
        let form = r#"a job is a line such as {"id": "sort", "args": ["verify", "sort.c"]}"#;
        let job: Job =
            serde_json::from_str(line).map_err(|error| wrong(format!("no job: {error}"), form))?;
        let command = job.args.first().map_or("", String::as_str);
        if !COMMANDS.contains(&command) {
            let message = format!("`{command}` is no command that gives one outcome");
            let help = format!("one of {}", COMMANDS.join(", "));
            return Err(wrong(message, &help));
        }
        let has_time = job.timeout.is_none_or(|t| t.is_finite() && t >= 0.0);
        if !has_time || job.id.is_empty() {
            let message = "an id has letters, and a timeout is a number of seconds";
            return Err(wrong(message.to_owned(), form));
        }
        if let Some(first) = lines.insert(job.id.clone(), i + 1) {
            let message = format!("line {first} has the id `{}`, too", job.id);
            return Err(wrong(message, "give each job an id of its own"));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// A part of the jobs: every `of`-th.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// `2/8`: the second of eight parts.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "expected I/N with I from 1 to N, such as 3/16".to_owned();
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let (number, of): (usize, usize) = (
            number.trim().parse().map_err(|_| wrong())?,
            of.trim().parse().map_err(|_| wrong())?,
        );
        if (1..=of).contains(&number) {
            Ok(Self { number, of })
        } else {
            Err(wrong())
        }
    }

    /// Whether the job at this place of the list is one of it.
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, line: u32, words: &str) {
        match parse("jobs", text) {
            Err(CommandFailure::BadFile {
                message,
                place: Some(place),
                ..
            }) => {
                assert_eq!(place.line, line, "{message}");
                assert!(message.contains(words), "{message}");
            }
            other => panic!("expected a complaint, got {other:?}"),
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused_with_its_line() {
        let good = r#"{"id": "a", "args": ["run", "a.c"], "timeout": 2.5}"#;
        let jobs = parse("jobs", &format!("{good}\n\n")).expect("a list");
        assert_eq!((jobs.len(), jobs[0].timeout), (1, Some(2.5)));
        refused(&format!("{good}\n{good}"), 2, "line 1");
        refused(&format!("{good}\n{{\"id\": \"b\"}}"), 2, "args");
        refused("\n{", 2, "no job");
        refused(r#"{"id": "a", "args": ["batch", "x"]}"#, 1, "`batch`");
        refused(r#"{"id": "", "args": ["run"]}"#, 1, "id");
        refused(
            r#"{"id": "a", "args": ["run"], "tiemout": 3}"#,
            1,
            "tiemout",
        );
    }

    #[test]
    fn shards_are_a_partition() {
        for of in 1..6 {
            let shards: Vec<Shard> = (1..=of)
                .map(|i| Shard::parse(&format!("{i}/{of}")).expect("a shard"))
                .collect();
            assert!((0..20).all(|i| shards.iter().filter(|s| s.has(i)).count() == 1));
        }
        for wrong in ["", "0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}

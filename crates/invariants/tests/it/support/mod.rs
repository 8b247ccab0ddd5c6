//! The programs of `corpus/linear` and the rows of the paper's table.

#![allow(dead_code)]

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_invariants::session::{Config, InvariantsError, Outcome, PointOutcome, run};
use idiolect_ir::Program;
use idiolect_quantified::point::PointKind;
use std::path::PathBuf;

pub fn program(text: &str, function: &str) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.to_owned());
    let options = Options {
        entry: function.to_owned(),
        ..Options::default()
    };
    let lowered = compile(sources, &[id], &options);
    let errors = lowered.diagnostics.iter().any(|d| d.is_error());
    assert!(!errors, "{:?}", lowered.diagnostics);
    lowered.program.expect("it compiles")
}

pub fn learn(text: &str, function: &str, config: &Config) -> Result<Outcome, InvariantsError> {
    let program = program(text, function);
    let function = program.function_named(function).expect("it is there");
    run(&program, function, config, &Budget::unlimited())
}

/// A row of `corpus/linear/rows.csv`.
#[derive(Clone, Debug)]
pub struct Row {
    pub example: String,
    pub section: String,
    pub file: String,
    pub function: String,
    pub point: String,
    pub quantified: usize,
    pub lengths: std::ops::RangeInclusive<u64>,
    pub values: std::ops::RangeInclusive<i64>,
    pub assume: Vec<String>,
    pub paper_states: usize,
    /// Whether the paper's automaton was made elastic.
    pub paper_elastified: bool,
}

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/linear")
}

/// A program of the corpus.
pub fn text(file: &str) -> String {
    std::fs::read_to_string(corpus().join(file)).expect("the corpus is there")
}

pub fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(corpus().join("rows.csv")).expect("the corpus is there");
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.splitn(14, ',').collect();
            let range = |text: &str| {
                let (low, high) = text.split_once("..").expect("a range");
                (
                    low.parse::<i64>().expect("a number"),
                    high.parse::<i64>().expect("a number"),
                )
            };
            let (lengths, values) = (range(cells[6]), range(cells[7]));
            Row {
                example: cells[0].to_owned(),
                section: cells[1].to_owned(),
                file: cells[2].to_owned(),
                function: cells[3].to_owned(),
                point: cells[4].to_owned(),
                quantified: cells[5].parse().expect("a number"),
                lengths: lengths.0 as u64..=lengths.1 as u64,
                values: values.0..=values.1,
                paper_states: cells[11].parse().expect("a number"),
                paper_elastified: cells[12] == "yes",
                assume: (cells[13].split(';').map(|t| t.trim().trim_matches('"')))
                    .filter(|t| !t.is_empty())
                    .map(str::to_owned)
                    .collect(),
            }
        })
        .collect()
}

impl Row {
    pub fn text(&self) -> String {
        text(&self.file)
    }

    pub fn config(&self) -> Config {
        Config {
            lengths: self.lengths.clone(),
            values: self.values.clone(),
            max_quantified: self.quantified,
            assumptions: self.assume.clone(),
            ..Config::default()
        }
    }

    pub fn learn(&self) -> Outcome {
        let outcome = learn(&self.text(), &self.function, &self.config());
        outcome.unwrap_or_else(|e| panic!("{}: {e}", self.example))
    }

    /// The point of this row.
    pub fn point<'o>(&self, outcome: &'o Outcome) -> &'o PointOutcome {
        let (kind, n) = match self.point.as_str() {
            "entry" => (PointKind::Entry, 0),
            "exit" => (PointKind::Exit, 0),
            "loop 1" => (PointKind::Loop, 0),
            "loop 2" => (PointKind::Loop, 1),
            other => panic!("{other}"),
        };
        (outcome.points.iter().filter(|p| p.point.kind == kind))
            .nth(n)
            .expect("the point is there")
    }
}

/// The text of a program of the corpus.
pub fn corpus_text(file: &str) -> String {
    std::fs::read_to_string(corpus().join(file)).expect("the corpus is there")
}

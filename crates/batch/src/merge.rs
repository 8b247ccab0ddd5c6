//! `idiolect batch merge`: results of many machines to one table.

use super::{manifest, results};
use crate::args::output_file;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output::{self, Envelope, counted};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect batch merge part*.jsonl --manifest jobs.jsonl
  idiolect batch merge monday.jsonl tuesday.jsonl --out all.jsonl --report all.html")]
pub struct MergeArgs {
    /// Files of results
    #[arg(required = true, value_name = "RESULTS.jsonl")]
    results: Vec<PathBuf>,

    /// The list of jobs: say which have no result
    #[arg(long, value_name = "MANIFEST.jsonl")]
    manifest: Option<PathBuf>,

    /// Write all results, one JSON object a line, in the order of their ids
    #[arg(long, value_name = "FILE.jsonl", value_parser = output_file())]
    out: Option<PathBuf>,

    /// Write the table as one self-contained HTML page
    #[arg(long, value_name = "FILE.html", value_parser = output_file())]
    report: Option<PathBuf>,

    /// Leave times out of the written results, so that two runs give the same bytes
    #[arg(long)]
    no_timing: bool,

    /// Print the table as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// All results, each job once.
#[derive(Default)]
struct Merged {
    of: BTreeMap<String, Value>,
    /// Results that were there twice, and were the same.
    repeated: usize,
    /// Ids with results that differ.
    different: Vec<String>,
}

/// Merges the results of several batches.
pub fn run(args: &MergeArgs) -> Result<Exit, CommandFailure> {
    let merged = merge(&args.results)?;
    let missing: Vec<String> = match &args.manifest {
        Some(path) => {
            let jobs = manifest::read(path)?.into_iter();
            jobs.map(|job| job.id)
                .filter(|id| !merged.of.contains_key(id))
                .collect()
        }
        None => Vec::new(),
    };
    let rows: Vec<Row> = merged.of.iter().map(|(id, v)| Row::of(id, v)).collect();
    let text = sentence(&merged, &missing);
    if let Some(path) = &args.out {
        let lines: String = merged.of.values().fold(String::new(), |mut all, value| {
            let mut value = value.clone();
            if let (true, Some(object)) = (args.no_timing, value.as_object_mut()) {
                object.remove("timing");
            }
            let _ = writeln!(all, "{value}");
            all
        });
        output::deliver(path, lines.as_bytes());
    }
    if let Some(path) = &args.report {
        output::deliver(path, page(&rows, &text).as_bytes());
    }
    if args.json {
        let envelope = Envelope {
            command: "batch",
            verdict: match (merged.different.is_empty(), missing.is_empty()) {
                (false, _) => "different",
                (true, false) => "incomplete",
                (true, true) => "merged",
            },
            guarantee_kind: "none",
            guarantee_text: &text,
            statistics: json!({
                "jobs": rows.len(),
                "repeated": merged.repeated,
                "missing": missing.len(),
                "verdicts": verdicts(&rows),
            }),
            warnings: &[],
        };
        let mut value = envelope.to_json(None);
        value["table"] = rows.iter().map(Row::to_json).collect();
        value["different"] = json!(merged.different);
        value["missing"] = json!(missing);
        output::print_json(&value);
    } else {
        output::print(&format!("{}{text}\n", table(&rows)))
    }
    Ok(match (merged.different.is_empty(), missing.is_empty()) {
        (false, _) => Exit::Finding,
        (true, false) => Exit::Undecided,
        (true, true) => Exit::Clean,
    })
}

fn merge(paths: &[PathBuf]) -> Result<Merged, CommandFailure> {
    let mut merged = Merged::default();
    for path in paths {
        let file = File::open(path).map_err(|source| CommandFailure::CannotRead {
            path: path.clone(),
            source,
        })?;
        let length = file.metadata().map_or(0, |data| data.len());
        let end = results::read(path, &file, |result| {
            match merged.of.get(&result.id) {
                Some(known) if is_same(known, &result.value) => merged.repeated += 1,
                Some(_) => merged.different.push(result.id),
                None => {
                    merged.of.insert(result.id, result.value);
                }
            }
            Ok(())
        })?;
        if end < length {
            return Err(CommandFailure::BadFile {
                code: "batch::results",
                message: format!("`{}` ends within a line", path.display()),
                place: None,
                help: "its batch was killed: `--resume` it first".to_owned(),
            });
        }
    }
    merged.different.sort();
    merged.different.dedup();
    Ok(merged)
}

/// Whether two results say the same, whenever and however fast.
fn is_same(a: &Value, b: &Value) -> bool {
    let without = |value: &Value| {
        let mut value = value.clone();
        if let Some(object) = value.as_object_mut() {
            object.remove("timing");
        }
        value
    };
    without(a) == without(b)
}

/// What the table says of a job.
struct Row {
    id: String,
    command: String,
    ended: String,
    verdict: String,
    guarantee: String,
}

impl Row {
    fn of(id: &str, value: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let outcome = &value["outcome"];
        let verdict = match (&outcome["verdict"], &outcome["error"]["code"]) {
            (Value::String(verdict), _) => verdict.clone(),
            (_, Value::String(code)) => code.clone(),
            _ => String::new(),
        };
        Self {
            id: id.to_owned(),
            command: text(&value["args"][0]),
            ended: match value["exit"].as_i64() {
                Some(code) => code.to_string(),
                None => text(&value["ended"]),
            },
            verdict,
            guarantee: text(&outcome["guarantee"]["kind"]),
        }
    }

    fn cells(&self) -> [&str; 5] {
        [
            &self.id,
            &self.command,
            &self.ended,
            &self.verdict,
            &self.guarantee,
        ]
    }

    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "command": self.command,
            "ended": self.ended,
            "verdict": self.verdict,
            "guarantee": self.guarantee,
        })
    }
}

const HEAD: [&str; 5] = ["id", "command", "exit", "verdict", "guarantee"];

fn table(rows: &[Row]) -> String {
    let mut widths = HEAD.map(|h| h.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row.cells()) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for cells in std::iter::once(HEAD).chain(rows.iter().map(Row::cells)) {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn verdicts(rows: &[Row]) -> Value {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows {
        let name = if row.verdict.is_empty() {
            &row.ended
        } else {
            &row.verdict
        };
        *counts.entry(name).or_default() += 1;
    }
    json!(counts)
}

fn sentence(merged: &Merged, missing: &[String]) -> String {
    let mut text = counted(merged.of.len() as u64, "job");
    if merged.repeated > 0 {
        let _ = write!(
            text,
            ", {} of them repeated with the same result",
            merged.repeated
        );
    }
    let some = |ids: &[String]| {
        let more = if ids.len() > 5 { ", …" } else { "" };
        let first: Vec<&str> = ids.iter().take(5).map(String::as_str).collect();
        format!("{}{more}", first.join(", "))
    };
    if !merged.different.is_empty() {
        let _ = write!(text, "; results differ for {}", some(&merged.different));
    }
    if !missing.is_empty() {
        let _ = write!(
            text,
            "; {} without a result: {}",
            missing.len(),
            some(missing)
        );
    }
    text + "."
}

/// One page that needs nothing else; a click on a heading sorts.
fn page(rows: &[Row], text: &str) -> String {
    let escape = |text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        text.replace('>', "&gt;").replace('"', "&quot;")
    };
    let line = |tag: &str, cells: [&str; 5]| {
        let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let body: String = rows.iter().map(|row| line("td", row.cells())).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>idiolect batch</title>\n\
         <style>body{{font:15px system-ui;margin:2rem}}table{{border-collapse:collapse}}\
         td,th{{padding:.2rem .8rem;border-bottom:1px solid #ccc;text-align:left}}th{{cursor:pointer}}</style>\n\
         </head><body><h1>batch</h1><p>{}</p>\n<table><thead>{}</thead><tbody>\n{body}</tbody></table>\n\
         <script>document.querySelectorAll('th').forEach((h,i)=>h.onclick=()=>{{const b=document.querySelector('tbody');\
         [...b.rows].sort((x,y)=>x.cells[i].textContent.localeCompare(y.cells[i].textContent)).forEach(r=>b.append(r))}})\
         </script></body></html>\n",
        escape(text),
        line("th", HEAD),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_timing_may_differ() {
        let result = |seconds: u32, exit: u32| json!({ "id": "a", "exit": exit, "timing": { "seconds": seconds } });
        assert!(is_same(&result(1, 0), &result(2, 0)));
        assert!(!is_same(&result(1, 0), &result(1, 3)));
    }

    #[test]
    fn a_row_says_what_became_of_a_job() {
        let value = json!({ "args": ["verify"], "exit": 1, "outcome":
            { "verdict": "error", "guarantee": { "kind": "replayed" } } });
        let row = Row::of("x", &value);
        assert_eq!(row.cells(), ["x", "verify", "1", "error", "replayed"]);
        let lost = json!({ "args": ["run"], "exit": null, "ended": "signal 9", "outcome": null });
        assert_eq!(
            Row::of("y", &lost).cells(),
            ["y", "run", "signal 9", "", ""]
        );
        let page = page(&[Row::of("<b>", &lost)], "1 job.");
        assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"));
    }
}

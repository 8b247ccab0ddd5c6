//! Our programs with errors to be explained, the seed's table for them, and how much one encoding
//! saves.

use crate::ratio::Pair;
use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The programs of `corpus/explain`, each with the arguments for `idiolect explain` that its first
/// line gives: `// explain: --ignore less`.
pub fn corpus() -> io::Result<Vec<(PathBuf, Vec<String>)>> {
    let folder = crate::root().join("corpus/explain");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    let mut list = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let first = text.lines().next().unwrap_or("");
        let options = first.strip_prefix("// explain:").unwrap_or("");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut arguments = vec![format!("corpus/explain/{name}")];
        arguments.extend(words(options));
        list.push((file, arguments));
    }
    Ok(list)
}

/// Words as a shell has them, with single quotes.
pub fn words(text: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut parts = text.split('\'');
    while let Some(plain) = parts.next() {
        list.extend(plain.split_whitespace().map(str::to_owned));
        list.extend(parts.next().map(str::to_owned));
    }
    list
}

fn explain(idiolect: &Path, arguments: &[String], more: &[&str]) -> io::Result<(f64, Value)> {
    let start = Instant::now();
    let output = Command::new(idiolect)
        .current_dir(crate::root())
        .arg("explain")
        .args(arguments)
        .args(more)
        .arg("--json")
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let value = serde_json::from_slice(&output.stdout).map_err(io::Error::other)?;
    Ok((seconds, value))
}

fn count(value: &Value, key: &str) -> u64 {
    value["statistics"][key].as_u64().unwrap_or(0)
}

/// The columns of the seed's Table 2 for our programs: right guesses, saved solver calls, and times
/// eager and lazy, whole processes.
pub fn table(idiolect: &Path) -> io::Result<String> {
    let mut text = format!(
        "{:<18} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>9}\n",
        "program",
        "states",
        "queries",
        "solver",
        "p %",
        "calls",
        "lazy",
        "saved %",
        "eager s",
        "lazy s"
    );
    for (file, arguments) in corpus()? {
        let bounds = ["--unwind", "4", "--word-length", "12"];
        let eager_options: Vec<&str> = bounds.iter().copied().chain(["--eager"]).collect();
        let lazy_options: Vec<&str> = bounds.iter().copied().chain(["--lazy"]).collect();
        let (eager_time, eager) = explain(idiolect, &arguments, &eager_options)?;
        let (lazy_time, lazy) = explain(idiolect, &arguments, &lazy_options)?;
        let guesses = lazy["statistics"]["answered_by"]["guess"]
            .as_u64()
            .unwrap_or(0);
        let wrong = count(&lazy, "wrong_guesses");
        let p = match guesses {
            0 => 100.0,
            n => 100.0 * (n.saturating_sub(wrong)) as f64 / n as f64,
        };
        let (calls, lazy_calls) = (count(&eager, "solver_calls"), count(&lazy, "solver_calls"));
        let saved = 100.0 * (1.0 - lazy_calls as f64 / calls.max(1) as f64);
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            text,
            "{name:<18} {:>6} {:>8} {:>8} {p:>8.1} {calls:>9} {lazy_calls:>9} {saved:>8.1} \
             {eager_time:>8.3} {lazy_time:>8.3}",
            eager["automaton"]["states"].as_array().map_or(0, Vec::len),
            count(&eager, "membership_queries"),
            eager["statistics"]["answered_by"]["solver"]
                .as_u64()
                .unwrap_or(0),
        );
    }
    Ok(text)
}

/// Words that a process is asked for, to know what one question costs from scratch.
const SAMPLE: usize = 5;

/// Learning on one encoding against one process for each question. The second is measured on a few
/// words and multiplied; the note says for how many questions, and what remains of the factor if
/// only those count that no pre-check answers.
pub fn ratios(idiolect: &Path, repetitions: usize) -> io::Result<Vec<Pair>> {
    let bounds = ["--unwind", "4", "--word-length", "12"];
    let mut pairs = Vec::new();
    for (file, arguments) in corpus()? {
        let mut pair = Pair {
            case: file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            ..Pair::default()
        };
        let mut note = String::new();
        for _ in 0..repetitions {
            let (seconds, outcome) = explain(idiolect, &arguments, &bounds)?;
            let words: Vec<String> = outcome["witnesses"]
                .as_array()
                .into_iter()
                .flatten()
                .take(SAMPLE)
                .map(|w| {
                    let letters = w["word"].as_array().into_iter().flatten();
                    letters
                        .filter_map(Value::as_str)
                        .collect::<Vec<_>>()
                        .join(" ")
                })
                .collect();
            let mut per_word = Vec::new();
            for word in &words {
                let asked: Vec<&str> = bounds.iter().copied().chain(["--word", word]).collect();
                per_word.push(explain(idiolect, &arguments, &asked)?.0);
            }
            let mean = per_word.iter().sum::<f64>() / per_word.len().max(1) as f64;
            let conjectures = count(&outcome, "conjectures");
            let all = count(&outcome, "membership_queries") + conjectures;
            let by = &outcome["statistics"]["answered_by"];
            let free = by["shape"].as_u64().unwrap_or(0) + by["cfg"].as_u64().unwrap_or(0);
            pair.ours.push(seconds);
            pair.theirs.push(mean * all as f64);
            note = format!(
                "{all} questions, {} of them beyond pre-checks: factor {:.1}",
                all - free,
                mean * (all - free) as f64 / seconds
            );
        }
        pair.note = note;
        pairs.push(pair);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(
            words(" --event 'a.c:3 x > 1' -v"),
            ["--event", "a.c:3 x > 1", "-v"]
        );
        assert!(words("").is_empty());
    }
}

//! What each command makes of each feature of C: the table in the book.
//!
//! Each program of `corpus/features` fails its assertion on input 7 and passes on 0, compiled as well as here. The table is
//! written anew by `UPDATE_FEATURES=1 cargo test -p idiolect --test it features`.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

fn outcome(command: &str, source: &Path, options: &[&str]) -> Value {
    let output = Command::new(IDIOLECT)
        .arg(command)
        .arg(source)
        .args(["--json", "--no-timing", "--timeout", "60"])
        .args(options)
        .output()
        .expect("idiolect starts");
    assert_ne!(
        output.status.code(),
        Some(101),
        "{command} {}",
        source.display()
    );
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

/// What a command says: `yes` if it does its job, otherwise its verdict.
fn cell(command: &str, source: &Path) -> String {
    let verdict = |outcome: &Value| outcome["verdict"].as_str().unwrap_or("error").to_owned();
    if command == "run" {
        let passes = verdict(&outcome("run", source, &["--input", "0", "--process"]));
        let fails = verdict(&outcome("run", source, &["--input", "7", "--process"]));
        return match (passes.as_str(), fails.as_str()) {
            ("exit", "error") => "yes".to_owned(),
            ("trap", _) | (_, "trap") => "trap".to_owned(),
            (passes, fails) => format!("{passes}, {fails}"),
        };
    }
    let wanted: &[&str] = match command {
        "verify" => &["error"],
        "explain" => &["error-language"],
        _ => &["relevant", "no-simple-fix"],
    };
    let verdict = verdict(&outcome(command, source, &[]));
    if wanted.contains(&verdict.as_str()) {
        "yes".to_owned()
    } else {
        verdict
    }
}

const COMMANDS: [&str; 4] = ["run", "verify", "explain", "localize"];

fn table() -> String {
    let folder = xtask::root().join("corpus/features");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(vec![String::new(); sources.len()]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(i) else { break };
                    let text = std::fs::read_to_string(source).expect("it is text");
                    let title = text.lines().next().unwrap_or_default();
                    let title = title.trim_start_matches("/* ").trim_end_matches(" */");
                    let cells = COMMANDS.map(|command| cell(command, source));
                    let row = format!("| {title} | {} |", cells.join(" | "));
                    rows.lock().expect("nobody panicked")[i] = row;
                }
            });
        }
    });
    let mut table =
        "| feature | run | verify | explain | localize |\n|---|---|---|---|---|\n".to_owned();
    for row in rows.into_inner().expect("nobody panicked") {
        let _ = writeln!(table, "{row}");
    }
    table
}

const BEGIN: &str = "<!-- features -->\n";
const END: &str = "<!-- end of features -->\n";

#[test]
fn the_table_of_features_is_what_the_commands_say() {
    let page = xtask::root().join("docs/book/src/features.md");
    let text = std::fs::read_to_string(&page).expect("the page is there");
    let (before, rest) = text.split_once(BEGIN).expect("the table has a beginning");
    let (known, after) = rest.split_once(END).expect("the table has an end");
    let table = table();
    if std::env::var_os("UPDATE_FEATURES").is_some() {
        let new = format!("{before}{BEGIN}{table}{END}{after}");
        std::fs::write(&page, new).expect("the page is written");
        return;
    }
    assert_eq!(table, known, "set UPDATE_FEATURES=1 if this is meant");
}

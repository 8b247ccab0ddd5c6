//! The textbook functions of `corpus/linear/textbook`: what is proved of each, and whether Frama-C/WP confirms it.

use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is known of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub name: String,
    pub runs: u64,
    /// All points adequate and no run that fails.
    pub is_adequate: bool,
    /// Formulas at the exit that say what the function does.
    pub functional: Vec<String>,
    /// How many of these are facts that ACSL has no words for, so that they are comments there.
    pub beyond_acsl: usize,
    /// Why it was not looked at, or the first obligation that fails.
    pub reason: Option<String>,
    pub milliseconds: u64,
    /// What Frama-C/WP says of the annotations.
    pub wp: Option<Wp>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wp {
    pub proved: u64,
    pub all: u64,
    /// The goals that were not proved, or why there are none.
    pub open: Vec<String>,
}

impl Wp {
    pub fn is_confirmed(&self) -> bool {
        self.proved == self.all && self.all > 0
    }
}

impl Row {
    /// Whether an adequate formula says what the function does.
    pub fn is_functional(&self) -> bool {
        self.is_adequate && !self.functional.is_empty()
    }

    /// Whether such a formula is among the annotations, all of which are proved. What ACSL has no words for is not.
    pub fn is_confirmed(&self) -> bool {
        self.is_functional()
            && self.functional.len() > self.beyond_acsl
            && self.wp.as_ref().is_some_and(Wp::is_confirmed)
    }
}

/// The names of the functions, in the order of the alphabet.
pub fn names() -> io::Result<Vec<String>> {
    let folder = crate::root().join("corpus/linear/textbook");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "c")
            && let Some(stem) = path.file_stem().and_then(|s| s.to_str())
        {
            names.push(stem.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The arguments for what callers of a function have to see to, from `assume.txt`.
pub fn assumptions(name: &str) -> io::Result<Vec<String>> {
    let path = crate::root().join("corpus/linear/textbook/assume.txt");
    let text = std::fs::read_to_string(path)?;
    let own = text
        .lines()
        .filter_map(|l| l.strip_prefix(name)?.strip_prefix(": "));
    Ok(own
        .flat_map(|a| ["--assume".to_owned(), a.to_owned()])
        .collect())
}

/// Looks at one function. The annotated program is left at `acsl`.
pub fn look(idiolect: &Path, name: &str, flags: &[String], acsl: &Path) -> io::Result<Row> {
    let start = std::time::Instant::now();
    let output = Command::new(idiolect)
        .arg("invariants")
        .arg(format!("corpus/linear/textbook/{name}.c"))
        .arg("--json")
        .arg("--acsl")
        .arg(acsl)
        .args(assumptions(name)?)
        .args(flags)
        .current_dir(crate::root())
        .output()?;
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let found: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| io::Error::other(format!("{name}: {e}: {output:?}")))?;
    // The function of the file that is asked about is its last one.
    let functions = found["functions"].as_array().cloned().unwrap_or_default();
    let is_adequate = !functions.is_empty()
        && functions
            .iter()
            .all(|f| f["memory_safe"] == Value::Bool(true));
    let functional = functions.last().map(|f| f["functional"].clone());
    let points = found["points"].as_array().into_iter().flatten();
    let exits = points.filter(|p| p["kind"] == "exit");
    let facts = exits.flat_map(|p| p["facts"].as_array().into_iter().flatten());
    let beyond_acsl = facts.filter(|f| f["acsl"].is_null()).count();
    let texts = functional
        .iter()
        .flat_map(|f| f.as_array().into_iter().flatten());
    Ok(Row {
        name: name.to_owned(),
        runs: found["statistics"]["runs"].as_u64().unwrap_or(0),
        is_adequate,
        functional: texts
            .filter_map(|t| t.as_str().map(str::to_owned))
            .collect(),
        beyond_acsl,
        reason: reason(&found),
        milliseconds,
        wp: None,
    })
}

fn reason(found: &Value) -> Option<String> {
    let texts = |list: &str, key: &str| -> Option<String> {
        let mut all = found[list].as_array()?.iter();
        all.find_map(|v| v[key].as_str().map(str::to_owned))
    };
    texts("left_out", "reason")
        .or_else(|| texts("points", "reason"))
        .or_else(|| texts("points", "obligation"))
}

/// Frama-C/WP with z3 and cvc4, in a folder that keeps what `why3` knows of provers.
pub struct FramaC {
    config: PathBuf,
    /// Seconds for each goal.
    pub timeout: u32,
}

impl FramaC {
    /// Nothing if it is not installed.
    pub fn find(folder: &Path) -> Option<Self> {
        let is_there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
        if !["frama-c", "why3", "z3", "cvc4"].into_iter().all(is_there) {
            return None;
        }
        let config = folder.join("why3.conf");
        let detected = Command::new("why3")
            .args(["config", "detect"])
            .env("WHY3CONFIG", &config)
            .output()
            .ok()?;
        detected.status.success().then_some(FramaC {
            config,
            timeout: 30,
        })
    }

    /// What it says of an annotated file.
    pub fn check(&self, annotated: &Path) -> io::Result<Wp> {
        let wp = Command::new("frama-c")
            .args(["-wp", "-wp-prover", "z3,cvc4", "-wp-timeout"])
            .arg(self.timeout.to_string())
            .arg(annotated)
            .env("WHY3CONFIG", &self.config)
            .output()?;
        let said = String::from_utf8_lossy(&wp.stdout).into_owned();
        let goals = said.lines().find_map(|l| l.split_once("Proved goals:"));
        let number = |text: &str| text.trim().parse().ok();
        let counted = goals.and_then(|g| g.1.split_once('/'));
        let counted = counted.and_then(|(p, a)| Some((number(p)?, number(a)?)));
        let is_open = |l: &&str| {
            ["Timeout", "Unknown", "Failed", "error", "Stepout"]
                .iter()
                .any(|w| l.contains(w))
        };
        let open: Vec<String> = said.lines().filter(is_open).map(str::to_owned).collect();
        Ok(match counted {
            Some((proved, all)) => Wp { proved, all, open },
            None => Wp {
                proved: 0,
                all: 0,
                open,
            },
        })
    }
}

/// The table, and whether everything that is adequate was confirmed.
pub fn table(idiolect: &Path, flags: &[String], filter: &str) -> io::Result<(String, bool)> {
    let folder = crate::root().join("target/textbook");
    std::fs::create_dir_all(&folder)?;
    let frama_c = FramaC::find(&folder);
    let mut text = String::from(
        "| function | runs | adequate | formulas at the exit | of them beyond ACSL | WP | s |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let (mut n, mut adequate, mut functional, mut confirmed) = (0, 0, 0, 0);
    let mut notes = String::new();
    for name in names()?.iter().filter(|n| n.contains(filter)) {
        let acsl = folder.join(format!("{name}.c"));
        let mut row = look(idiolect, name, flags, &acsl)?;
        if let (true, Some(frama_c)) = (row.is_adequate, &frama_c) {
            row.wp = Some(frama_c.check(&acsl)?);
        }
        n += 1;
        adequate += usize::from(row.is_adequate);
        functional += usize::from(row.is_functional());
        confirmed += usize::from(row.is_confirmed());
        let wp = row.wp.as_ref();
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {:.1} |",
            row.runs,
            if row.is_adequate { "yes" } else { "no" },
            row.functional.len(),
            row.beyond_acsl,
            wp.map_or("-".to_owned(), |w| format!("{}/{}", w.proved, w.all)),
            row.milliseconds as f64 / 1e3,
        );
        for formula in &row.functional {
            let _ = writeln!(notes, "{name}: {formula}");
        }
        if let (false, Some(reason)) = (row.is_adequate, &row.reason) {
            let _ = writeln!(notes, "{name}: not adequate: {reason}");
        }
        for goal in wp.iter().flat_map(|w| &w.open) {
            let _ = writeln!(notes, "{name}: WP: {goal}");
        }
    }
    let _ = writeln!(
        text,
        "\n{adequate} of {n} adequate, {functional} of them with a formula that says what the function does, \
         {confirmed} of those confirmed by Frama-C/WP\n\n{notes}"
    );
    Ok((text, confirmed == functional))
}

/// A function with one mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// Such as `count.c:6: < becomes <=`.
    pub what: String,
    pub text: String,
}

/// What a mistake makes of what.
const MISTAKES: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" + 1", " + 2"),
    (" - 1", " - 2"),
    (" = 0", " = 1"),
    ("++", " += 2"),
    ("[i]", "[0]"),
    ("return i", "return i + 1"),
    ("return -1", "return 0"),
    ("return 0", "return 1"),
];

/// Every way in which one of these mistakes can be made in a text, comments and declarations of types left alone.
pub fn mutants(name: &str, text: &str) -> Vec<Mutant> {
    let start = text.find("*/").map_or(0, |i| i + 2);
    let mut found = Vec::new();
    for (from, to) in MISTAKES {
        for (at, _) in text.match_indices(from).filter(|(at, _)| *at >= start) {
            let line = text[..at].matches('\n').count() + 1;
            found.push(Mutant {
                what: format!("{name}.c:{line}: `{}` becomes `{}`", from.trim(), to.trim()),
                text: format!("{}{to}{}", &text[..at], &text[at + from.len()..]),
            });
        }
    }
    found
}

//! Every command speaks about every program, and the answers are compared; so is what the file's name says,
//! where it says something (`…_false-unreach-call…`), and what is said of a mutant of the program.
//!
//! An answer is reduced to what it claims: some run fails, no run fails, probably none does, or nothing. Two
//! answers contradict each other if one shows a failing run and the other promises that there is none.
//! Inputs that are shown are tried: `run` has to fail on them. The exit code has to be the one of the claim.

mod generate;
mod log;
mod mutate;

pub use generate::program;
pub use log::{Log, without};
pub use mutate::mutant;

use crate::process;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What an answer claims of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Claim {
    /// A run fails, and it is shown.
    Fails,
    /// No run fails.
    Clean,
    /// Probably none does.
    Bet,
    /// Nothing.
    Nothing,
    /// The command does not take this program (exit 2).
    Refused,
}

/// One command's answer about one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The command with its options, without the files.
    pub command: String,
    pub claim: Claim,
    /// The verdict and the guarantee, for people.
    pub text: String,
    /// What is wrong with the answer by itself.
    pub complaints: Vec<String>,
}

/// A program and what is said of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    pub path: PathBuf,
    pub answers: Vec<Answer>,
    pub contradictions: Vec<String>,
}

impl Case {
    /// Everything that is wrong with the answers, on lines of its own; empty if nothing is.
    pub fn troubles(&self) -> String {
        let mut text = String::new();
        for contradiction in &self.contradictions {
            let _ = writeln!(text, "  CONTRADICTION {contradiction}");
        }
        for answer in &self.answers {
            for complaint in &answer.complaints {
                let _ = writeln!(text, "  WRONG `{}`: {complaint}", answer.command);
            }
        }
        if !self.contradictions.is_empty() {
            for answer in &self.answers {
                let _ = writeln!(text, "    {}: {}", answer.command, answer.text);
            }
        }
        if text.is_empty() {
            return text;
        }
        format!("{}\n{text}", self.path.display())
    }
}

/// How long and with which options the commands are asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seconds for each command.
    pub timeout: u32,
    pub jobs: usize,
    /// For every command, such as `--data-model ILP32`.
    pub flags: Vec<String>,
    /// Ask only the commands that begin like one of these (`verify`, `diff MUTANT`); all of [`COMMANDS`] if
    /// there is none, and not `invariants`.
    pub only: Vec<String>,
}

impl Options {
    fn wants(&self, command: &str) -> bool {
        if self.only.is_empty() {
            return command != "invariants";
        }
        let is_meant = |own: &String| {
            let rest = command.strip_prefix(own.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        self.only.iter().any(is_meant)
    }
}

/// The commands that speak about one program, the cheap ones first.
pub const COMMANDS: &[&str] = &[
    "run --runs 300",
    "verify",
    "verify --engine bmc",
    "verify --engine learn",
    "explain --assertion all",
    "localize",
    "localize --all-traces",
    "invariants",
    "diff",
    "verify MUTANT",
    "diff MUTANT",
];

/// Asks every command about every program; `tell` hears of each as soon as it is done.
pub fn compare_all(
    idiolect: &Path,
    programs: &[PathBuf],
    options: &Options,
    tell: &(dyn Fn(usize, &Case) + Sync),
) -> Vec<Case> {
    let next = AtomicUsize::new(0);
    let cases = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let case = compare(idiolect, path, options);
                    let mut cases = cases.lock().unwrap_or_else(PoisonError::into_inner);
                    tell(cases.len() + 1, &case);
                    cases.push(case);
                }
            });
        }
    });
    let mut cases = cases.into_inner().unwrap_or_else(PoisonError::into_inner);
    cases.sort_by(|a: &Case, b: &Case| a.path.cmp(&b.path));
    cases
}

/// Asks every command about one program.
pub fn compare(idiolect: &Path, path: &Path, options: &Options) -> Case {
    let mut answers = Vec::new();
    for command in COMMANDS.iter().filter(|c| options.wants(c)) {
        answers.extend(match *command {
            "verify MUTANT" | "diff MUTANT" => None,
            "diff" => Some(ask(idiolect, command, &[path, path], options)),
            _ => Some(ask(idiolect, command, &[path], options)),
        });
    }
    let mut contradictions = contradictions(&answers);
    contradictions.extend(against_its_name(path, &answers));
    if options.wants("diff MUTANT") {
        match mutated(idiolect, path, options, &mut answers) {
            Ok(found) => contradictions.extend(found),
            Err(error) => contradictions.push(format!("no mutant could be written: {error}")),
        }
    }
    Case {
        path: path.to_owned(),
        answers,
        contradictions,
    }
}

/// Answers that contradict what the name of the file says.
fn against_its_name(path: &Path, answers: &[Answer]) -> Vec<String> {
    let Some(has_error) = crate::verdicts::expected(path) else {
        return Vec::new();
    };
    let is_wrong = |claim: Claim| match claim {
        Claim::Fails => !has_error,
        Claim::Clean | Claim::Bet => has_error,
        Claim::Nothing | Claim::Refused => false,
    };
    answers
        .iter()
        .filter(|a| !a.command.starts_with("diff") && is_wrong(a.claim))
        // The name speaks of errors that are reached, and a fault in memory is something else.
        .filter(|a| !a.text.starts_with("fault"))
        .map(|a| format!("`{}` contradicts the name of the file", a.command))
        .collect()
}

/// Compares the program with a mutant: two versions of which one fails and the other never does are not
/// the same, and inputs on which they are said to differ make them differ.
fn mutated(
    idiolect: &Path,
    path: &Path,
    options: &Options,
    answers: &mut Vec<Answer>,
) -> std::io::Result<Vec<String>> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let Some(changed) = mutant(&text, 1) else {
        return Ok(Vec::new());
    };
    let folder = tempfile::tempdir()?;
    let other = folder.path().join("mutant.c");
    std::fs::write(&other, changed)?;
    let mut of_mutant = ask(idiolect, "verify", &[&other], options);
    of_mutant.command = "verify MUTANT".to_owned();
    let mut between = ask(idiolect, "diff", &[path, &other], options);
    between.command = "diff MUTANT".to_owned();
    let mut found = Vec::new();
    let of_program = answers.iter().filter(|a| !a.command.starts_with("diff"));
    let claims: Vec<Claim> = of_program.map(|a| a.claim).collect();
    let is_other = match of_mutant.claim {
        Claim::Fails => claims.contains(&Claim::Clean),
        Claim::Clean => claims.contains(&Claim::Fails),
        _ => false,
    };
    if is_other && between.claim == Claim::Clean {
        found.push("one of program and mutant fails, and `diff` calls them the same".to_owned());
    }
    answers.extend([of_mutant, between]);
    Ok(found)
}

fn ask(idiolect: &Path, command: &str, files: &[&Path], options: &Options) -> Answer {
    let mut process = Command::new(idiolect);
    let timeout = options.timeout.to_string();
    process.args(command.split_whitespace());
    process.args(["--json", "--timeout", &timeout]);
    process.args(&options.flags).args(files);
    let limit = Duration::from_secs(u64::from(options.timeout) * 2 + 5);
    let broken = |text: String| Answer {
        command: command.to_owned(),
        claim: Claim::Nothing,
        complaints: vec![text.clone()],
        text,
    };
    let finished = match process::run(&mut process, &[], limit) {
        Ok(finished) => finished,
        Err(error) => return broken(error.to_string()),
    };
    if finished.timed_out {
        return broken("no answer within twice the limit".to_owned());
    }
    let Ok(outcome) = serde_json::from_slice::<Value>(&finished.stdout) else {
        let error = String::from_utf8_lossy(&finished.stderr);
        return broken(format!(
            "no JSON, exit {:?}: {}",
            finished.code,
            error.lines().next().unwrap_or("")
        ));
    };
    let Some(verdict) = outcome["verdict"].as_str() else {
        let message = outcome["error"]["message"]
            .as_str()
            .unwrap_or("")
            .to_owned();
        let is_refusal = finished.code == Some(2);
        return if is_refusal {
            Answer {
                command: command.to_owned(),
                claim: Claim::Refused,
                text: message,
                complaints: Vec::new(),
            }
        } else {
            broken(format!("exit {:?}: {message}", finished.code))
        };
    };
    let claim = claim_of(command, verdict, &outcome);
    let mut complaints = Vec::new();
    let expected = match (claim, verdict) {
        // A difference is a finding, whatever it means for failing runs.
        (_, "different" | "program-language") => None,
        (Claim::Fails, _) => Some(1),
        (Claim::Clean | Claim::Bet, _) => Some(0),
        (Claim::Nothing, _) => Some(3),
        (Claim::Refused, _) => Some(2),
    };
    let is_single_run = command.starts_with("run");
    let is_invariants = command.starts_with("invariants");
    if let (Some(expected), false, false) = (expected, is_single_run, is_invariants)
        && finished.code != Some(expected)
    {
        complaints.push(format!("{verdict} exits with {:?}", finished.code));
    }
    if verdict == "different" && files.windows(2).all(|pair| pair[0] == pair[1]) {
        complaints.push("a program differs from itself".to_owned());
    }
    let kind = outcome["guarantee"]["kind"].as_str().unwrap_or("");
    complaints.extend(ledger_complaints(verdict, kind, &outcome["guarantee"]));
    if claim == Claim::Fails {
        complaints.extend(replay(idiolect, &outcome, files, options));
    }
    let text = outcome["guarantee"]["text"].as_str().unwrap_or("");
    Answer {
        command: command.to_owned(),
        claim,
        text: format!("{verdict} ({kind}): {text}"),
        complaints,
    }
}

/// What a verdict claims of failing runs.
fn claim_of(command: &str, verdict: &str, outcome: &Value) -> Claim {
    match verdict {
        "error" | "error-language" | "relevant" | "no-simple-fix" => Claim::Fails,
        "fault" if command.starts_with("run") && !outcome["error"].is_null() => Claim::Fails,
        "proved" | "no-error" => Claim::Clean,
        "pac" => Claim::Bet,
        // Of one program with itself: nothing but `same` and doubt may be said.
        "same" => Claim::Clean,
        "learned" => match outcome["points"].as_array() {
            Some(points) if points.iter().any(|p| p["proof"] == "adequate") => Claim::Clean,
            _ => Claim::Nothing,
        },
        _ => Claim::Nothing,
    }
}

/// A promise must not rest on a bound or on C that is not modelled.
fn ledger_complaints(verdict: &str, kind: &str, guarantee: &Value) -> Vec<String> {
    let mut complaints = Vec::new();
    let Some(assumptions) = guarantee["assumptions"].as_array() else {
        complaints.push("the guarantee has no list of assumptions".to_owned());
        return complaints;
    };
    for assumption in assumptions {
        let what = assumption["kind"].as_str().unwrap_or("");
        if kind == "proved" && matches!(what, "bound" | "unmodelled") {
            complaints.push(format!(
                "{verdict} rests on a {what}: {}",
                assumption["text"]
            ));
        }
    }
    complaints
}

/// Longer lists of inputs do not go through a command line.
const MAX_LIST: usize = 100_000;

/// Inputs that are shown have to fail again.
fn replay(idiolect: &Path, outcome: &Value, files: &[&Path], options: &Options) -> Vec<String> {
    let places = [
        "/error/inputs",
        "/inputs",
        "/witnesses/0/inputs",
        "/traces/0/inputs",
    ];
    let Some(inputs) = places.iter().find_map(|p| outcome.pointer(p)?.as_array()) else {
        return Vec::new();
    };
    let list: Vec<String> = inputs
        .iter()
        .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned))
        .collect();
    // A command line has an end; and how many are given counts, because standard input ends with them.
    if list.iter().map(|v| v.len() + 1).sum::<usize>() > MAX_LIST {
        return Vec::new();
    }
    let mut process = Command::new(idiolect);
    process.args(["run", "--json", "--timeout", "20"]);
    if !list.is_empty() {
        process.arg(format!("--input={}", list.join(",")));
    }
    process.args(&options.flags).args(&files[..1]);
    let Ok(finished) = process::run(&mut process, &[], Duration::from_secs(30)) else {
        return vec!["the run that is shown could not be tried".to_owned()];
    };
    let run: Value = serde_json::from_slice(&finished.stdout).unwrap_or_default();
    match run["verdict"].as_str() {
        Some("error" | "fault") => Vec::new(),
        other => vec![format!(
            "`run --input {}` does not fail: {other:?}",
            list.join(",")
        )],
    }
}

/// Pairs of answers that cannot both be true.
fn contradictions(answers: &[Answer]) -> Vec<String> {
    let mut found = Vec::new();
    let speaks = |a: &&Answer| !a.command.starts_with("diff");
    for fails in answers
        .iter()
        .filter(speaks)
        .filter(|a| a.claim == Claim::Fails)
    {
        for other in answers.iter().filter(speaks) {
            let word = match other.claim {
                Claim::Clean => "says that no run fails",
                Claim::Bet => "bets that no run fails",
                _ => continue,
            };
            found.push(format!(
                "`{}` shows a failing run, `{}` {word}",
                fails.command, other.command
            ));
        }
    }
    found
}

/// Whether anything is wrong with the answers.
pub fn is_clean(cases: &[Case]) -> bool {
    cases.iter().all(|case| {
        case.contradictions.is_empty() && case.answers.iter().all(|a| a.complaints.is_empty())
    })
}

/// How many programs each command decides, then everything that is wrong.
pub fn table(cases: &[Case]) -> String {
    let mut text = String::new();
    let mut commands: Vec<&str> = Vec::new();
    for answer in cases.iter().flat_map(|c| &c.answers) {
        if !commands.contains(&answer.command.as_str()) {
            commands.push(&answer.command);
        }
    }
    let _ = writeln!(
        text,
        "{:<26} {:>7} {:>7} {:>7} {:>8} {:>8}",
        "command", "fails", "clean", "bet", "nothing", "refused"
    );
    for command in commands {
        let of = |claim: Claim| {
            let answers = cases.iter().flat_map(|c| &c.answers);
            answers
                .filter(|a| a.command == command && a.claim == claim)
                .count()
        };
        let _ = writeln!(
            text,
            "{command:<26} {:>7} {:>7} {:>7} {:>8} {:>8}",
            of(Claim::Fails),
            of(Claim::Clean),
            of(Claim::Bet),
            of(Claim::Nothing),
            of(Claim::Refused)
        );
    }
    let (mut contradicting, mut complained) = (0, 0);
    for case in cases {
        contradicting += usize::from(!case.contradictions.is_empty());
        complained += usize::from(case.answers.iter().any(|a| !a.complaints.is_empty()));
        text.push_str(&case.troubles());
    }
    let _ = writeln!(
        text,
        "{} programs, {contradicting} with contradictions, {complained} with wrong answers",
        cases.len()
    );
    text
}

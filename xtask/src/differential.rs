//! idiolect's interpreter against the system compiler: same output, same exit status.

use crate::process::{self, Finished};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How one program fared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    Same,
    /// The system compiler cannot judge: it refuses the program, or the program crashes or hangs.
    NoReference(String),
    Differs(String),
}

/// What to compare, and with which limits.
#[derive(Clone, Debug)]
pub struct Differential {
    /// The idiolect binary.
    pub idiolect: PathBuf,
    pub compiler_flags: Vec<String>,
    pub idiolect_flags: Vec<String>,
    pub reference_limit: Duration,
    pub limit: Duration,
}

impl Differential {
    pub fn new(idiolect: PathBuf) -> Self {
        let flags = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect();
        Self {
            idiolect,
            compiler_flags: flags(&["-std=gnu11", "-w", "-O0", "-fwrapv"]),
            idiolect_flags: Vec::new(),
            reference_limit: Duration::from_secs(5),
            limit: Duration::from_secs(60),
        }
    }

    /// Compiles and runs the files with `cc` in `scratch`, then runs them with idiolect.
    pub fn compare(
        &self,
        files: &[PathBuf],
        stdin: Option<&Path>,
        scratch: &Path,
    ) -> io::Result<Comparison> {
        let program = scratch.join("reference");
        let stdin_bytes = stdin.map_or(Ok(Vec::new()), std::fs::read)?;
        let mut cc = Command::new("cc");
        cc.args(&self.compiler_flags).args(files);
        cc.arg("-o").arg(&program).arg("-lm");
        let compiled = process::run(&mut cc, &[], Duration::from_secs(60))?;
        if compiled.code != Some(0) {
            return Ok(Comparison::NoReference(first_line(&compiled.stderr)));
        }
        let mut reference = Command::new(&program);
        let expected = process::run(&mut reference, &stdin_bytes, self.reference_limit)?;
        let Some(code) = expected.code else {
            let why = if expected.timed_out {
                "hangs"
            } else {
                "crashes"
            };
            return Ok(Comparison::NoReference(format!("the program {why}")));
        };
        let got = self.run(files, stdin)?;
        Ok(judge(&expected, code, &got))
    }

    fn run(&self, files: &[PathBuf], stdin: Option<&Path>) -> io::Result<Finished> {
        let mut idiolect = Command::new(&self.idiolect);
        idiolect.args(["run", "--json", "--no-timing"]);
        idiolect.args(&self.idiolect_flags).args(files);
        if let Some(path) = stdin {
            idiolect.arg("--stdin").arg(path);
        }
        process::run(&mut idiolect, &[], self.limit)
    }
}

fn judge(expected: &Finished, code: i32, got: &Finished) -> Comparison {
    if got.timed_out {
        return Comparison::Differs("idiolect takes too long".to_owned());
    }
    let Ok(outcome) = serde_json::from_slice::<Value>(&got.stdout) else {
        return Comparison::Differs(format!(
            "no JSON, exit {:?}: {}",
            got.code,
            first_line(&got.stderr)
        ));
    };
    if outcome["verdict"] != "exit" {
        let what = match &outcome["error"] {
            Value::Null => outcome["warnings"].to_string(),
            error => error.to_string(),
        };
        return Comparison::Differs(format!("verdict {}: {what}", outcome["verdict"]));
    }
    if outcome["exit_code"] != code {
        return Comparison::Differs(format!("exit code {} for {code}", outcome["exit_code"]));
    }
    // Bytes that are not UTF-8 are replaced in JSON, on both sides alike.
    let stdout = outcome["stdout"].as_str().unwrap_or("");
    let reference = String::from_utf8_lossy(&expected.stdout);
    if stdout == reference {
        return Comparison::Same;
    }
    let line = stdout
        .lines()
        .zip(reference.lines())
        .position(|(a, b)| a != b)
        .unwrap_or_else(|| stdout.lines().count().min(reference.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("<end>").to_owned();
    Comparison::Differs(format!(
        "line {} of the output: `{}` for `{}`",
        line + 1,
        at(stdout),
        at(&reference)
    ))
}

fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().next().unwrap_or("").to_owned()
}

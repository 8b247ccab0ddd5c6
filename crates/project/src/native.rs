//! `--native-check`: what was said of a run, compared with the same run of the program as the system
//! compiler builds it. Nobody's program is run like this unless it is asked for.

use crate::args::CArgs;
use crate::child::{self, Ended};
use crate::failure::CommandFailure;
use crate::{harness, output};
use idiolect_base::Budget;
use idiolect_interp::{End, Outcome};
use idiolect_ir::{Program, Property};
use idiolect_outcome::results::NativeRun;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One run, twice.
pub struct Native {
    /// What was run, as one would type it.
    pub command: String,
    ended: Option<Ended>,
    /// What our run says should happen.
    expected: String,
    /// Nothing where the two cannot be compared.
    pub agrees: Option<bool>,
}

/// A program that runs on is no answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Builds the program with the inputs of this run, and runs it.
pub fn check(
    program: &Program,
    input: &CArgs,
    properties: &[Property],
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Native, CommandFailure> {
    if input.entry != "main" || input.files.iter().any(|f| f == Path::new("-")) {
        return Err(CommandFailure::usage(
            "`--native-check` needs a whole program in files",
            "leave `--entry` out, and give the files by their names",
        ));
    }
    let cannot = |what: &str, why: String| CommandFailure::BadFile {
        code: "native::cannot-run",
        message: format!("{what}: {why}"),
        place: None,
        help: "`--native-check` needs a C compiler, `cc`, and a temporary folder".to_owned(),
    };
    let folder = tempfile::tempdir().map_err(|e| cannot("no temporary folder", e.to_string()))?;
    let file = folder.path().join("harness.c");
    let text = harness::write(program, &outcome.inputs, input, &file);
    std::fs::write(&file, text).map_err(|e| cannot("cannot write the harness", e.to_string()))?;
    let binary = folder.path().join("program");
    let mut flags = harness::flags(program, &outcome.inputs);
    flags.extend(sanitizers(properties));
    if let Some(file) = input.files.first() {
        flags.extend(input.build.flags_for(file));
    }
    let files = input.files.iter().map(|f| f.display().to_string());
    let words: Vec<String> = (["cc", "-w"].map(str::to_owned).into_iter())
        .chain(flags)
        .chain(files)
        .collect();
    let command = format!("{} harness.c -lm && ./a.out", words.join(" "));
    output::print_error(&format!("native check: {command}\n"));
    let mut build = Command::new(&words[0]);
    build.args(&words[1..]).arg(&file).arg("-lm").arg("-o");
    let built = done(build.arg(&binary), Path::new("."), budget)
        .map_err(|e| cannot("cannot start `cc`", e.to_string()))?;
    if let (Some(Ended::Exit(1..)), said) = &built {
        let first = said.lines().find(|l| l.contains("error")).unwrap_or(said);
        return Err(cannot("`cc` refuses the program", first.trim().to_owned()));
    }
    let ended = match built.0 {
        Some(Ended::Exit(0)) => done(&mut Command::new(&binary), folder.path(), budget)
            .map_err(|e| cannot("cannot start the program", e.to_string()))?,
        _ => (None, String::new()),
    };
    let (expected, agrees) = compare(&outcome.end, ended.0);
    Ok(Native {
        command,
        ended: ended.0,
        expected,
        agrees,
    })
}

/// Faults that a machine may not notice by itself.
fn sanitizers(properties: &[Property]) -> Vec<String> {
    let of = |property: &Property| match property {
        Property::Memory | Property::Free => Some("address"),
        Property::Leak => Some("leak"),
        Property::Shift => Some("shift"),
        Property::Division => Some("integer-divide-by-zero"),
        Property::Overflow => Some("signed-integer-overflow"),
        // No sanitizer of every compiler knows others.
        _ => None,
    };
    let mut names: Vec<&str> = properties.iter().filter_map(of).collect();
    names.dedup();
    if names.is_empty() {
        return Vec::new();
    }
    vec![
        "-g".to_owned(),
        format!("-fsanitize={}", names.join(",")),
        "-fno-sanitize-recover=all".to_owned(),
    ]
}

fn done(
    command: &mut Command,
    folder: &Path,
    budget: &Budget,
) -> std::io::Result<(Option<Ended>, String)> {
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let said = child::drain(child.stderr.take());
    let waited = child::wait(&mut child, Instant::now().checked_add(PATIENCE), budget);
    child::end(&child);
    let ended = match waited {
        Some(Ok(status)) => Some(child::how(status)),
        _ => {
            let _ = child.wait();
            Some(Ended::Overdue)
        }
    };
    let said = said.join().unwrap_or_default();
    Ok((ended, String::from_utf8_lossy(&said).into_owned()))
}

/// What our run leads one to expect, and whether it was so.
fn compare(end: &End, ended: Option<Ended>) -> (String, Option<bool>) {
    let fails = ended.map(|ended| match ended {
        Ended::Exit(code) => code != 0,
        Ended::Signal(_) => true,
        Ended::Overdue => false,
    });
    let is_over = matches!(ended, None | Some(Ended::Overdue));
    match end {
        End::Exit(code) => {
            let code = code & 0xff;
            let expected = format!("exit code {code}");
            let same = ended == Some(Ended::Exit(code));
            (expected, (!is_over).then_some(same))
        }
        End::Error(_) | End::Fault(_) | End::Abort => {
            ("a failure".to_owned(), fails.filter(|_| !is_over))
        }
        _ => ("an end that cannot be compared".to_owned(), None),
    }
}

impl Native {
    /// A sentence.
    pub fn text(&self) -> String {
        let seen = match self.ended {
            Some(Ended::Exit(code)) => format!("ended with exit code {code}"),
            Some(Ended::Signal(number)) => format!("was ended by signal {number}"),
            Some(Ended::Overdue) => "did not end in time".to_owned(),
            None => "could not be built in time".to_owned(),
        };
        let means = match self.agrees {
            Some(true) => "as it should",
            Some(false) => "which is NOT what was found",
            None => "which tells nothing",
        };
        let expected = &self.expected;
        format!("native check: the program {seen}, {means} ({expected} was expected)")
    }

    /// What was compared.
    pub fn to_result(&self) -> NativeRun {
        let (exit, signal) = match self.ended {
            Some(Ended::Exit(code)) => (Some(code), None),
            Some(Ended::Signal(number)) => (None, Some(number)),
            _ => (None, None),
        };
        NativeRun {
            command: self.command.clone(),
            exit,
            signal,
            expected: self.expected.clone(),
            agrees: self.agrees,
        }
    }
}

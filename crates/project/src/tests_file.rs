//! Tests that a user has: runs with arguments, input, and what they have to come to.
//!
//! A TOML file has a table `[[test]]` for each; a folder has such files, or files `NAME.out` with
//! `NAME.args` (one a line) and `NAME.in` beside them.

use crate::failure::CommandFailure;
use crate::reading;
use idiolect_base::Place;
use idiolect_localize::{CaseInputs, Expected, RunCase};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    test: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Test {
    name: Option<String>,
    args: Option<Vec<String>>,
    stdin: Option<String>,
    #[serde(default)]
    inputs: Vec<i64>,
    stdout: Option<String>,
    exit: Option<i64>,
    expect: Option<Expect>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Expect {
    Pass,
    Fail,
}

/// The tests of a file or a folder, in order of their names there.
fn read(path: &Path) -> Result<Vec<RunCase>, CommandFailure> {
    let is_folder = std::fs::metadata(path)
        .map_err(|source| CommandFailure::CannotRead {
            path: path.to_path_buf(),
            source,
        })?
        .is_dir();
    let cases = if is_folder {
        folder(path)?
    } else {
        of_file(path)?
    };
    if cases.is_empty() {
        return Err(CommandFailure::BadFile {
            code: "cli::tests",
            message: format!("there is no test in `{}`", path.display()),
            place: None,
            help: "write a table `[[test]]` for each, with `args`, `stdin` or `inputs`, and \
                   `stdout` or `exit`; in a folder, files `NAME.out` beside `NAME.args` and `NAME.in`"
                .to_owned(),
        });
    }
    Ok(cases)
}

fn folder(path: &Path) -> Result<Vec<RunCase>, CommandFailure> {
    let cannot = |source| CommandFailure::CannotRead {
        path: path.to_path_buf(),
        source,
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        files.push(entry.map_err(cannot)?.path());
    }
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        match file.extension().and_then(|e| e.to_str()) {
            Some("toml") => cases.extend(of_file(&file)?),
            Some("out") => cases.push(of_output(&file)?),
            _ => {}
        }
    }
    Ok(cases)
}

fn of_output(out: &Path) -> Result<RunCase, CommandFailure> {
    let beside = |extension: &str| {
        let path = out.with_extension(extension);
        if path.is_file() {
            reading::bytes(&path, reading::SMALL).map(Some)
        } else {
            Ok(None)
        }
    };
    let arguments = beside("args")?.unwrap_or_default();
    let arguments = String::from_utf8_lossy(&arguments).into_owned();
    let arguments = arguments.lines().map(|l| l.as_bytes().to_vec()).collect();
    Ok(RunCase {
        name: name_of(out),
        inputs: CaseInputs::Process {
            arguments,
            stdin: beside("in")?.unwrap_or_default(),
            list: Vec::new(),
        },
        expected: Expected {
            stdout: Some(reading::bytes(out, reading::SMALL)?),
            ..Expected::default()
        },
    })
}

fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn of_file(path: &Path) -> Result<Vec<RunCase>, CommandFailure> {
    let text = reading::text(path, reading::SMALL)?;
    let file: File = toml::from_str(&text).map_err(|error| {
        let at = error.span().map_or(0, |s| s.start).min(text.len());
        let before = text.as_bytes()[..at].iter();
        let line = before.filter(|b| **b == b'\n').count() as u32 + 1;
        CommandFailure::BadFile {
            code: "cli::tests",
            message: error.message().to_owned(),
            place: Some(Place {
                file: path.display().to_string(),
                line,
                column: 1,
            }),
            help: "a test has `name`, `args`, `stdin`, `inputs`, `stdout`, `exit`, and \
                   `expect = \"pass\"` or `\"fail\"`"
                .to_owned(),
        }
    })?;
    let stem = name_of(path);
    let cases = file.test.into_iter().enumerate();
    Ok(cases.map(|(i, test)| of_test(test, &stem, i)).collect())
}

fn of_test(test: Test, stem: &str, i: usize) -> RunCase {
    let list = test.inputs.iter().map(|&v| v as i128 as u128).collect();
    let inputs = if !(test.args.is_some() || test.stdin.is_some()) {
        CaseInputs::List(list)
    } else {
        CaseInputs::Process {
            arguments: (test.args.unwrap_or_default().into_iter())
                .map(String::into_bytes)
                .collect(),
            stdin: test.stdin.unwrap_or_default().into_bytes(),
            list,
        }
    };
    RunCase {
        name: test.name.unwrap_or_else(|| format!("{stem} {}", i + 1)),
        inputs,
        expected: Expected {
            stdout: test.stdout.map(String::into_bytes),
            exit: test.exit.map(|e| e as u8),
            is_failure: test.expect == Some(Expect::Fail),
        },
    }
}

/// Bytes of one argument that are looked at, arguments of one run, and bytes that all arguments of a run have room for: each
/// of them is an input of every run.
const LONGEST: u32 = 4_096;
const MOST: u32 = 255;
const ROOM: u64 = 1 << 16;

/// The tests of a file or a folder, without those whose arguments are too many or too long to be looked at, and what there is to
/// say of these. If there is room for none of them, that is a failure.
pub fn read_fitting(path: &Path) -> Result<(Vec<RunCase>, Option<String>), CommandFailure> {
    let (mut most, mut longest) = (0, 0);
    let mut left_out: Vec<String> = Vec::new();
    let mut cases = read(path)?;
    // Long ones last: one of them must not leave out all others.
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(|&i| size(&cases[i]));
    let mut fits = vec![false; cases.len()];
    for i in order {
        let (own_most, own_longest) = size(&cases[i]);
        let both = (most.max(own_most), longest.max(own_longest));
        let room = u64::from(both.0) * u64::from(both.1);
        if both.0 <= MOST && both.1 <= LONGEST && room <= ROOM {
            (most, longest) = both;
            fits[i] = true;
        }
    }
    let mut i = 0;
    cases.retain(|case| {
        i += 1;
        if !fits[i - 1] {
            left_out.push(case.name.clone());
        }
        fits[i - 1]
    });
    let Some(first) = left_out.first() else {
        return Ok((cases, None));
    };
    if cases.is_empty() {
        return Err(CommandFailure::BadFile {
            code: "cli::tests",
            message: format!(
                "every test has too many arguments, or too long ones, `{first}` first"
            ),
            place: None,
            help: format!(
                "at most {} arguments of at most {} bytes are looked at",
                MOST - 1,
                LONGEST - 1
            ),
        });
    }
    let n = left_out.len();
    let tests = if n == 1 {
        "1 test was"
    } else {
        &format!("{n} tests were")
    };
    let said = format!(
        "{tests} left out, `{first}` first: too many arguments, or too long ones (at most {} of at most {} bytes)",
        MOST - 1,
        LONGEST - 1
    );
    Ok((cases, Some(said)))
}

/// So many arguments of `main`, its name included, and so many bytes of each are needed.
fn size(case: &RunCase) -> (u32, u32) {
    let CaseInputs::Process { arguments, .. } = &case.inputs else {
        return (0, 0);
    };
    let number = |n: usize| u32::try_from(n).map_or(u32::MAX, |n| n.saturating_add(1));
    let longest = arguments.iter().map(|a| number(a.len())).max();
    (number(arguments.len()), longest.unwrap_or(0))
}

/// The same for all of them.
pub fn sizes(cases: &[RunCase]) -> (u32, u32) {
    let all = cases.iter().map(size);
    all.fold((0, 0), |(a, b), (c, d)| (a.max(c), b.max(d)))
}

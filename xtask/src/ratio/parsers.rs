//! Real parsers with a few free bytes: the harnesses of `bench/parsers` over sources that the user has fetched.
//!
//! Nothing fetched is in the repository: each harness includes a file of the project that it is about, which is
//! looked for in the folders given. Processor time of whole processes; with CBMC on `PATH`, its time beside ours.

use crate::process;
use crate::root;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// A harness and its sizes, and the file that it includes.
struct Case {
    harness: &'static str,
    includes: &'static str,
    /// Free bytes, and for LZ4 the bytes of the result.
    sizes: (u32, Option<u32>),
}

const fn case(harness: &'static str, includes: &'static str, n: u32) -> Case {
    Case {
        harness,
        includes,
        sizes: (n, None),
    }
}

/// The smallest sizes of each parser.
const CASES: [Case; 17] = [
    case("cjson_number", "cJSON.c", 5),
    case("cjson_string", "cJSON.c", 6),
    case("cjson_value", "cJSON.c", 5),
    case("cjson_utf16", "cJSON.c", 12),
    case("jsmn", "jsmn.h", 6),
    case("pico_request", "picohttpparser.c", 12),
    case("pico_headers", "picohttpparser.c", 8),
    case("pico_chunked", "picohttpparser.c", 6),
    case("inih", "ini.c", 6),
    case("http_url", "http_parser.c", 10),
    Case {
        harness: "lz4_decode",
        includes: "lz4.c",
        sizes: (6, Some(8)),
    },
    Case {
        harness: "lz4_decode",
        includes: "lz4.c",
        sizes: (10, Some(16)),
    },
    case("bzip2_lengths", "huffman.c", 4),
    case("utf8", "utf8.h", 12),
    case("versions", "strverscmp.c", 4),
    case("string2ll", "read.c", 21),
    case("adler32", "miniz.c", 20),
];

impl Case {
    fn name(&self) -> String {
        match self.sizes {
            (n, Some(m)) => format!("{} {n} -> {m}", self.harness),
            (n, None) => format!("{} {n}", self.harness),
        }
    }

    fn defines(&self) -> Vec<String> {
        let (n, m) = self.sizes;
        let mut list = vec![format!("-DN={n}")];
        list.extend(m.map(|m| format!("-DM={m}")));
        list
    }

    /// Flags for the preprocessor, if the source is in one of the folders.
    fn flags(&self, folders: &[PathBuf]) -> Option<Vec<String>> {
        let folder = folders.iter().find(|f| f.join(self.includes).is_file())?;
        let mut flags = vec![format!("-I{}", folder.display())];
        flags.push(format!("-I{}", root().join("bench/parsers").display()));
        flags.extend(self.defines());
        Some(flags)
    }

    fn path(&self) -> PathBuf {
        root()
            .join("bench/parsers")
            .join(format!("{}.c", self.harness))
    }
}

/// How much wall-clock time a process may take for each second of the processor: the machine may be busy.
const PATIENCE: u64 = 8;

/// Prints the table. Returns whether at least four fifths of the parsers that are there are decided.
#[allow(clippy::print_stdout)]
pub fn run(idiolect: &Path, folders: &[PathBuf], seconds: u64) -> Fallible<bool> {
    let has_cbmc = process::is_installed("cbmc");
    let (mut n_decided, mut n_there) = (0, 0);
    println!(
        "{:<20} {:>10} {:>9} {:>9}",
        "parser", "verdict", "ours s", "cbmc s"
    );
    for case in &CASES {
        let name = case.name();
        let Some(flags) = case.flags(folders) else {
            println!("{name:<20} {:>10}", "no source");
            continue;
        };
        n_there += 1;
        let (verdict, ours) = ask(idiolect, &case.path(), &flags, seconds)?;
        n_decided += u32::from(matches!(&*verdict, "proved" | "error"));
        let theirs = if has_cbmc {
            cbmc(&case.path(), &flags, case.sizes.0, seconds)?
        } else {
            "-".to_owned()
        };
        println!("{name:<20} {verdict:>10} {ours:>9.2} {theirs:>9}");
    }
    println!("{n_decided} of {n_there} decided within {seconds} s of the processor");
    Ok(n_there > 0 && n_decided * 5 >= n_there * 4)
}

/// A command that is ended after so many seconds of the processor.
fn limited(program: &Path, seconds: u64) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t \"$0\" && exec \"$@\""]);
    command.arg(seconds.to_string()).arg(program);
    command
}

fn ask(idiolect: &Path, file: &Path, flags: &[String], seconds: u64) -> Fallible<(String, f64)> {
    let mut command = limited(idiolect, seconds);
    command.args(["verify", "--property", "assert,memory", "--json"]);
    command.args(["--timeout", &(seconds * PATIENCE / 2).to_string()]);
    command.args(flags).arg(file);
    let limit = Duration::from_secs(seconds * PATIENCE);
    let (finished, used) = process::run_measured(&mut command, limit)?;
    let verdict = match finished.code {
        Some(0 | 1 | 3) => {
            let outcome: Value = serde_json::from_slice(&finished.stdout)?;
            outcome["verdict"].as_str().unwrap_or("none").to_owned()
        }
        None => "time".to_owned(),
        Some(code) => format!("exit {code}"),
    };
    Ok((verdict, used))
}

fn cbmc(file: &Path, flags: &[String], n: u32, seconds: u64) -> Fallible<String> {
    let mut command = limited(Path::new("cbmc"), seconds);
    command.args([
        "--bounds-check",
        "--pointer-check",
        "--unwinding-assertions",
    ]);
    command.args(["--unwind", &(n + 2).to_string()]);
    command.args(flags).arg(file);
    let limit = Duration::from_secs(seconds * PATIENCE);
    let (finished, used) = process::run_measured(&mut command, limit)?;
    Ok(match finished.code {
        Some(0 | 10) => format!("{used:.2}"),
        _ => "none".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_harness_is_there_and_takes_its_sizes() {
        for case in &CASES {
            let text = std::fs::read_to_string(case.path()).expect("a harness");
            let include = format!("#include \"{}\"", case.includes);
            assert!(text.contains(&include), "{}", case.harness);
            assert!(text.contains("#ifndef N"), "{}", case.harness);
            assert_eq!(text.contains("#ifndef M"), case.sizes.1.is_some());
        }
    }
}

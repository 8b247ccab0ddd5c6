//! The analysis of a report once more, with other options.
//!
//! No command comes from the network. A report names the command that made it; from that, and from a
//! form's few fields, only what is on the lists below is taken: our own analyses, options that say
//! how to look at a program, and none that writes a file or starts another program.

use crate::failure::CommandFailure;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What can be done again.
const COMMANDS: [&str; 9] = [
    "run",
    "explain",
    "diff",
    "verify",
    "localize",
    "invariants",
    "mine",
    "check",
    "learn",
];

/// Options with a value that are kept.
const VALUES: [&str; 45] = [
    "--unwind",
    "--unwind-loop",
    "--max-unwind",
    "--word-length",
    "--max-word-length",
    "--seed",
    "--timeout",
    "--data-model",
    "--property",
    "--property-file",
    "--entry",
    "--max-argc",
    "-I",
    "-D",
    "--events",
    "--event",
    "--ignore",
    "--assertion",
    "--learner",
    "--guarantee",
    "--witnesses",
    "--word",
    "--input",
    "--inputs",
    "--runs",
    "--engine",
    "--epsilon",
    "--delta",
    "--batch",
    "--strategy",
    "--monitor",
    "--max-traces",
    "--function",
    "--loop",
    "--points",
    "--length",
    "--values",
    "--quantified",
    "--assume",
    "--size",
    "--cut",
    "--agree",
    "--equivalence",
    "--api",
    "--seed-call",
];

/// Those of them that name files and folders.
const PATHS: [&str; 4] = ["-I", "--property-file", "--monitor", "--api"];

/// Options without one.
const FLAGS: [&str; 13] = [
    "--program",
    "--lazy",
    "--eager",
    "--merge",
    "--errors",
    "--all-traces",
    "--no-prove",
    "--infer",
    "--strings",
    "--relevance",
    "--warnings",
    "--no-timing",
    "--exit-zero",
];

/// Options whose files are not written again; the report gets a new name.
const OUTPUTS: [&str; 12] = [
    "--report",
    "--sarif",
    "--dot",
    "--svg",
    "--harness",
    "--witness",
    "--model",
    "--acsl",
    "--check",
    "--dump-smt2",
    "--trace-out",
    "--format",
];

/// Without a value, and only about what is printed.
const PRINTING: [&str; 7] = [
    "--json",
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "--trace",
    "--debug",
];

/// What a form offers to change, by command.
pub fn fields(command: &str) -> &'static [&'static str] {
    match command {
        "run" => &["--input", "--seed"],
        "explain" | "diff" => &[
            "--unwind",
            "--word-length",
            "--learner",
            "--guarantee",
            "--timeout",
        ],
        "verify" => &[
            "--engine",
            "--unwind",
            "--epsilon",
            "--delta",
            "--batch",
            "--learner",
            "--strategy",
            "--seed",
            "--timeout",
        ],
        "localize" => &["--inputs", "--max-traces", "--timeout"],
        "invariants" => &["--length", "--values", "--quantified", "--timeout"],
        "mine" => &["--size", "--cut", "--agree", "--learner"],
        "learn" => &["--learner", "--equivalence", "--seed"],
        _ => &[],
    }
}

/// A command of a report, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    pub command: String,
    /// Options as they will be given, each with its value.
    options: Vec<(String, Option<String>)>,
    files: Vec<String>,
}

impl Recipe {
    /// Reads the command of a report; the error says what stands in the way.
    pub fn read(line: &str) -> Result<Self, String> {
        let words = shlex::split(line).ok_or("its command cannot be read")?;
        let mut words = words.into_iter();
        if words.next().as_deref() != Some("idiolect") {
            return Err("its command is not one of idiolect".to_owned());
        }
        let command = words.next().unwrap_or_default();
        if !COMMANDS.contains(&command.as_str()) {
            return Err(format!("`{command}` is not repeated from a page"));
        }
        let mut recipe = Self {
            command,
            options: Vec::new(),
            files: Vec::new(),
        };
        while let Some(word) = words.next() {
            if word == "--" && recipe.command == "run" {
                return Err("the arguments of a program are not repeated from a page".to_owned());
            }
            if word == "--" {
                recipe.files.extend(words.by_ref());
                break;
            }
            if !word.starts_with('-') {
                recipe.files.push(word);
                continue;
            }
            let (name, mut value) = match word.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (word, None),
            };
            let mut with_value = || value.take().or_else(|| words.next());
            if VALUES.contains(&name.as_str()) {
                let value = with_value().ok_or_else(|| format!("`{name}` has no value"))?;
                recipe.options.push((name, Some(value)));
            } else if FLAGS.contains(&name.as_str()) {
                recipe.options.push((name, None));
            } else if OUTPUTS.contains(&name.as_str()) {
                let _ = with_value();
            } else if !PRINTING.contains(&name.as_str()) {
                return Err(format!("`{name}` is not repeated from a page"));
            }
        }
        Ok(recipe)
    }

    /// The value that an option has now.
    pub fn value(&self, option: &str) -> &str {
        let found = self.options.iter().rev().find(|(name, _)| name == option);
        found
            .and_then(|(_, value)| value.as_deref())
            .unwrap_or_default()
    }

    /// Takes a field of the form. An empty one takes the option away.
    pub fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        if !fields(&self.command).contains(&option) {
            return Err(format!("`{option}` cannot be changed here"));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".,_-".contains(c);
        if value.len() > 200 || !value.chars().all(is_plain) {
            return Err(format!("`{option}` takes letters, digits and `.,_-`"));
        }
        self.options.retain(|(name, _)| name != option);
        if !value.is_empty() {
            self.options
                .push((option.to_owned(), Some(value.to_owned())));
        }
        Ok(())
    }

    /// A file or folder that it reads and that is not below one of these. Relative paths are those of
    /// whoever repeats it.
    pub fn outside<'a>(&'a self, folders: &[&Path], here: &Path) -> Option<&'a str> {
        let named = self.options.iter().filter_map(|(name, value)| {
            let value = value.as_deref()?;
            PATHS.contains(&name.as_str()).then_some(value)
        });
        // A name without a slash may be that of something that is shipped.
        let named = named.filter(|value| value.contains('/') || here.join(value).exists());
        let mut all = self.files.iter().map(String::as_str).chain(named);
        all.find(|path| {
            let whole = here.join(path).canonicalize();
            !whole.is_ok_and(|whole| folders.iter().any(|folder| whole.starts_with(folder)))
        })
    }

    /// The words for a process that leaves its report there.
    fn words(&self, report: &Path) -> Vec<String> {
        let mut words = vec![self.command.clone()];
        for (name, value) in &self.options {
            match value {
                // One word, so that a value is never taken for an option.
                Some(value) if name.starts_with("--") => words.push(format!("{name}={value}")),
                Some(value) => words.push(format!("{name}{value}")),
                None => words.push(name.clone()),
            }
        }
        words.push(format!("--report={}", report.display()));
        // After `--` come the program's own arguments in `run`; no file may look like an option.
        let is_plain = |file: &String| !file.starts_with('-') || file == "-";
        words.extend(self.files.iter().map(|file| {
            if is_plain(file) {
                file.clone()
            } else {
                format!("./{file}")
            }
        }));
        words
    }
}

/// An analysis that was started from a page.
pub struct Rerun {
    pub report: PathBuf,
    child: Child,
    complaints: File,
    end: Option<String>,
}

impl Rerun {
    /// Starts it. Its report is a file that does not exist yet, beside the first one.
    pub fn start(recipe: &Recipe, first: &Path) -> Result<Self, CommandFailure> {
        let stem = first.file_stem().unwrap_or_default().to_string_lossy();
        let stem = stem.split("-again-").next().unwrap_or_default().to_owned();
        let report = (1..)
            .map(|n| first.with_file_name(format!("{stem}-again-{n}.html")))
            .find(|path| !path.exists())
            .unwrap_or_default();
        let cannot = |source| CommandFailure::CannotWrite {
            path: report.clone(),
            source,
        };
        let complaints = tempfile::tempfile().map_err(cannot)?;
        let program = std::env::current_exe().map_err(cannot)?;
        let child = Command::new(program)
            .args(recipe.words(&report))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(complaints.try_clone().map_err(cannot)?)
            .spawn()
            .map_err(cannot)?;
        Ok(Self {
            report,
            child,
            complaints,
            end: None,
        })
    }

    /// How it ended: nothing if all is well and its report is there.
    pub fn end(&mut self) -> Option<&str> {
        if self.end.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            let mut text = String::new();
            if !self.report.exists() {
                let _ = self.complaints.rewind();
                let mut some = (&mut self.complaints).take(4000);
                let mut bytes = Vec::new();
                let _ = some.read_to_end(&mut bytes);
                text = String::from_utf8_lossy(&bytes).trim().to_owned();
                if text.is_empty() {
                    text = format!("ended without a report ({status})");
                }
            }
            self.end = Some(text);
        }
        self.end.as_deref()
    }
}

impl Drop for Rerun {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_on_the_lists_is_taken_from_a_command() {
        let line = "idiolect explain 'a b.c' -DX=1 --unwind 3 --report r.html --json --program";
        let mut recipe = Recipe::read(&line.replace("-DX=1", "-D X=1")).unwrap();
        assert_eq!(recipe.value("--unwind"), "3");
        recipe.set("--unwind", "4").unwrap();
        recipe.set("--learner", "ttt").unwrap();
        assert_eq!(
            recipe.words(Path::new("n.html")),
            [
                "explain",
                "-DX=1",
                "--program",
                "--unwind=4",
                "--learner=ttt",
                "--report=n.html",
                "a b.c"
            ]
        );
        for refused in [
            "idiolect trace --api socket -- ls",
            "idiolect verify a.c --solver 'sh -c x'",
            "idiolect diff --git HEAD HEAD~ -- a.c",
            "idiolect serve .",
            "rm -rf x",
            "idiolect verify 'a.c",
            "",
        ] {
            assert!(Recipe::read(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn a_form_cannot_add_options_or_strange_values() {
        let mut recipe = Recipe::read("idiolect verify a.c").unwrap();
        assert!(recipe.set("--solver", "x").is_err());
        assert!(recipe.set("--report", "x").is_err());
        assert!(recipe.set("--unwind", "3 --solver=x").is_err());
        assert!(recipe.set("--unwind", "$(x)").is_err());
        assert!(recipe.set("--unwind", &"9".repeat(201)).is_err());
        assert_eq!(recipe, Recipe::read("idiolect verify a.c").unwrap());
    }
}

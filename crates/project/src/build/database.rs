//! Compilation databases: `compile_commands.json`, as CMake, Meson, Bear and others write it.

use super::flags::{self, Flags, seen_from};
use crate::failure::CommandFailure;
use crate::reading;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One file of a project, and how it is compiled.
#[derive(Clone, Debug)]
pub struct CompileUnit {
    /// As seen from here.
    pub path: PathBuf,
    pub flags: Flags,
    /// What it is compiled for, where the build tool says so.
    pub target: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    output: Option<String>,
}

const FILE_NAME: &str = "compile_commands.json";

/// Reads the database of a folder, or a database itself. Files that are not C are left out.
pub fn read(path: &Path) -> Result<Vec<CompileUnit>, CommandFailure> {
    let file = if path.is_dir() {
        path.join(FILE_NAME)
    } else {
        path.to_owned()
    };
    if path.is_dir() && !file.is_file() {
        return Err(CommandFailure::usage(
            format!("there is no `{FILE_NAME}` in `{}`", path.display()),
            "CMake writes one with `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, Meson always, and `bear -- make` for \
             Makefiles",
        ));
    }
    let text = reading::text(&file, reading::LARGE)?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        CommandFailure::BadFile {
        code: "cli::database",
        message: format!("not a compilation database: {error}"),
        place: Some(idiolect_base::Place {
            file: file.display().to_string(),
            line: error.line() as u32,
            column: error.column() as u32,
        }),
        help: "it is a JSON array of objects with `directory`, `file` and `command` or `arguments`"
            .to_owned(),
    }
    })?;
    let here = file.parent().unwrap_or(Path::new(""));
    let mut units = Vec::new();
    for entry in entries {
        if entry.file.extension().is_none_or(|e| e != "c" && e != "i") {
            continue;
        }
        units.push(unit(&entry, here)?);
    }
    Ok(units)
}

fn unit(entry: &Entry, here: &Path) -> Result<CompileUnit, CommandFailure> {
    // A directory that is not absolute is one as seen from the database.
    let folder = from_here(&seen_from(here, &entry.directory));
    let words = match &entry.command {
        Some(command) => shlex::split(command).unwrap_or_default(),
        None => entry.arguments.clone(),
    };
    let mut output = entry.output.clone();
    let mut arguments: Vec<String> = Vec::with_capacity(words.len());
    // The first word is the compiler.
    let mut words = words.into_iter().skip(1).peekable();
    while let Some(word) = words.next() {
        if word == "-o" {
            output = output.or_else(|| words.next());
        } else {
            arguments.push(word);
        }
    }
    Ok(CompileUnit {
        path: from_here(&seen_from(&folder, &entry.file)),
        flags: flags::read(&arguments, &folder)?,
        target: output.as_deref().and_then(target_of),
    })
}

/// CMake compiles `src/a.c` for `prog` to `CMakeFiles/prog.dir/src/a.c.o`, Meson to `prog.p/src_a.c.o`.
fn target_of(output: &str) -> Option<String> {
    Path::new(output).components().find_map(|part| {
        let name = part.as_os_str().to_str()?;
        let name = name.strip_suffix(".dir").or(name.strip_suffix(".p"))?;
        (!name.is_empty()).then(|| name.to_owned())
    })
}

/// A path below the current folder, as seen from there: messages are shorter and the same everywhere.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    match here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok()) {
        Some(short) if short.as_os_str().is_empty() => PathBuf::from("."),
        Some(short) => short,
        None => path.to_owned(),
    }
}

/// What the files are wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedUnits {
    OneProgram,
    /// Each file by itself.
    EveryFile,
}

/// The files of one program: those of a target, those that are named, or all.
pub fn choose(
    units: Vec<CompileUnit>,
    target: Option<&str>,
    files: &[PathBuf],
    wanted: WantedUnits,
) -> Result<BTreeMap<PathBuf, Flags>, CommandFailure> {
    let targets: Vec<&str> = {
        let mut names: Vec<&str> = units.iter().filter_map(|u| u.target.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    if let Some(target) = target
        && !targets.contains(&target)
    {
        let help = if targets.is_empty() {
            "the database does not say what files are compiled for; name the files".to_owned()
        } else {
            format!("it has {}", targets.join(", "))
        };
        let message = format!("the compilation database has no target `{target}`");
        return Err(CommandFailure::usage(message, help));
    }
    let is_all = target.is_none() && files.is_empty();
    if is_all && targets.len() > 1 && wanted == WantedUnits::OneProgram {
        return Err(CommandFailure::usage(
            "the compilation database has several targets",
            format!(
                "choose one with `--target`: {}; or name files",
                targets.join(", ")
            ),
        ));
    }
    let mut chosen = BTreeMap::new();
    for unit in units {
        let is_target = target.is_none() || unit.target.as_deref() == target;
        let is_named = files.is_empty() || files.iter().any(|f| same_file(f, &unit.path));
        if is_target && is_named && !chosen.contains_key(&unit.path) {
            chosen.insert(unit.path, unit.flags);
        }
    }
    if chosen.is_empty() {
        return Err(match files.first() {
            Some(file) => CommandFailure::usage(
                format!("`{}` is not in the compilation database", file.display()),
                "give the path as the build has it, or leave `-p` out and give the flags yourself",
            ),
            None => CommandFailure::usage(
                "the compilation database names no C files",
                "was the project built?",
            ),
        });
    }
    Ok(chosen)
}

/// Whether two paths name one file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_from_output_paths() {
        assert_eq!(
            target_of("CMakeFiles/app.dir/src/a.c.o").as_deref(),
            Some("app")
        );
        assert_eq!(target_of("lib/libx.so.p/a.c.o").as_deref(), Some("libx.so"));
        assert_eq!(target_of("a.o"), None);
    }
}

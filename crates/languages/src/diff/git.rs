//! Versions of a program from git: each revision's whole tree is written to a scratch folder, so that what the
//! files include is of the same version. Neither the working tree nor the index is touched.

use crate::args::{CArgs, refuse};
use crate::failure::CommandFailure;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What files of the scratch folder are called in front of people: `HEAD~1:parser.c`, as git has it.
#[derive(Clone, Debug)]
pub struct VersionNames(Vec<(String, String)>);

impl VersionNames {
    /// Revisions whose trees are in numbered folders of this one.
    pub fn new(revisions: &[String], scratch: &Path) -> Self {
        let one = |(i, revision): (usize, &String)| {
            let tree = scratch.join(i.to_string());
            (format!("{}/", tree.display()), format!("{revision}:"))
        };
        Self(revisions.iter().enumerate().map(one).collect())
    }

    /// The paths alone, for readers who look for them in the repository.
    pub fn without_revisions(&self) -> Self {
        let bare = |(tree, _): &(String, String)| (tree.clone(), String::new());
        Self(self.0.iter().map(bare).collect())
    }

    /// A text with the paths of these folders as those of the revisions.
    pub fn rename(&self, text: &str) -> String {
        (self.0.iter()).fold(text.to_owned(), |text, (tree, name)| {
            text.replace(tree, name)
        })
    }

    /// In every text of an outcome.
    pub fn rename_in(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.0.iter().any(|(tree, _)| text.contains(tree)) => {
                *text = self.rename(text);
            }
            Value::Array(list) => list.iter_mut().for_each(|inner| self.rename_in(inner)),
            Value::Object(map) => map.values_mut().for_each(|inner| self.rename_in(inner)),
            _ => {}
        }
    }
}

/// The same options for the files as they are in each revision.
pub fn versions(
    input: &CArgs,
    drivers: &[PathBuf],
    revisions: &[String],
    scratch: &Path,
) -> Result<Vec<CArgs>, CommandFailure> {
    refuse(
        input.files.is_empty(),
        "no file was given",
        "name the files after `--`: `idiolect diff --git HEAD~1 HEAD -- parser.c`",
    )?;
    let folder = folder_of(&input.files[0]);
    let top = PathBuf::from(git(&folder, ["rev-parse", "--show-toplevel"], None)?);
    let top = top.canonicalize().unwrap_or(top);
    let mut list = Vec::new();
    for (i, revision) in revisions.iter().enumerate() {
        let tree = scratch.join(i.to_string());
        check_out(&top, revision, &tree, &scratch.join(format!("{i}.index")))?;
        let mut own = input.clone();
        own.files.clear();
        for file in &input.files {
            let path = in_tree(file, &top, &tree).filter(|path| path.is_file());
            let Some(path) = path else {
                return Err(CommandFailure::usage(
                    format!("`{revision}` has no `{}`", file.display()),
                    "check the revision and the path, from inside the repository",
                ));
            };
            if let Some(flags) = input.build.flags_of.get(file) {
                let flags = of_revision(flags, &top, &tree);
                own.build.flags_of.insert(path.clone(), flags);
            }
            own.files.push(path);
        }
        // A driver is the same for all versions.
        own.files.extend(drivers.iter().cloned());
        // Folders of the repository are meant as they are in the revision; what is made by building, such
        // as `config.h`, is only in the working tree.
        let mut include = Vec::new();
        for path in &input.build.include {
            include.extend(in_tree(path, &top, &tree));
            include.push(path.clone());
        }
        // A driver includes what belongs to the revision.
        for folder in input.files.iter().map(|file| folder_of(file)) {
            let own = in_tree(&folder, &top, &tree);
            for path in own.into_iter().chain([folder]) {
                if !include.contains(&path) {
                    include.push(path);
                }
            }
        }
        own.build.include = include;
        list.push(own);
    }
    Ok(list)
}

/// Flags of the compilation database for a file of the revision: it includes what belongs to the revision, and
/// what is made by building from where it was made.
fn of_revision(flags: &[String], top: &Path, tree: &Path) -> Vec<String> {
    const FOLDERS: [&str; 3] = ["-I", "-isystem", "-iquote"];
    let mut list = Vec::new();
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        let found = FOLDERS.into_iter().find(|flag| word.starts_with(flag));
        let (flag, path) = match found {
            Some(flag) if word == flag => (flag, words.next().map(String::as_str)),
            Some(flag) => (flag, word.strip_prefix(flag)),
            None if word == "-include" => ("-include", words.next().map(String::as_str)),
            None => {
                list.push(word.clone());
                continue;
            }
        };
        let Some(path) = path else {
            list.push(word.clone());
            continue;
        };
        let own = in_tree(Path::new(path), top, tree).filter(|own| own.exists());
        let own = own.map(|own| own.display().to_string());
        // Of two files that are always included, one is enough.
        let original = (flag != "-include" || own.is_none()).then(|| path.to_owned());
        for path in own.into_iter().chain(original) {
            list.extend([flag.to_owned(), path]);
        }
    }
    list
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Where a path of the repository is in the tree. The file need not be in the working tree.
fn in_tree(path: &Path, top: &Path, tree: &Path) -> Option<PathBuf> {
    let known = match path.canonicalize() {
        Ok(known) => known,
        Err(_) => folder_of(path).canonicalize().ok()?.join(path.file_name()?),
    };
    Some(tree.join(known.strip_prefix(top).ok()?))
}

/// Writes all files of a revision, with an index of its own.
fn check_out(top: &Path, revision: &str, tree: &Path, index: &Path) -> Result<(), CommandFailure> {
    let wanted = format!("{revision}^{{tree}}");
    let named = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
    let arguments = named.into_iter().chain([wanted.as_str()]);
    let object = git(top, arguments, None).map_err(|_| {
        CommandFailure::usage(
            format!("there is no revision `{revision}`"),
            "check the revision and the path, from inside the repository",
        )
    })?;
    std::fs::create_dir(tree).map_err(|source| CommandFailure::CannotWrite {
        path: tree.to_owned(),
        source,
    })?;
    git(top, ["read-tree", object.as_str()], Some(index))?;
    let mut prefix = std::ffi::OsString::from("--prefix=");
    prefix.push(tree);
    prefix.push("/");
    let arguments = [OsStr::new("checkout-index"), OsStr::new("-a"), &prefix];
    git(top, arguments, Some(index)).map(drop)
}

fn git<A: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = A>,
    index: Option<&Path>,
) -> Result<String, CommandFailure> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| {
        CommandFailure::usage(format!("git cannot be started: {error}"), "install git")
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().next().unwrap_or("git failed");
        return Err(CommandFailure::usage(
            first.trim_start_matches("fatal: "),
            "check the revision and the path, from inside the repository",
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::of_revision;

    #[test]
    fn folders_of_the_repository_are_those_of_the_revision() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let tree = tempfile::tempdir().expect("a temporary folder");
        for folder in [top.path(), tree.path()] {
            std::fs::create_dir(folder.join("include")).expect("writable");
        }
        let top_path = top.path().canonicalize().expect("it exists");
        let own = top_path.join("include").display().to_string();
        let flags = ["-DX=1", "-I", &own, "-I/usr/include/none"].map(str::to_owned);
        let moved = tree.path().join("include").display().to_string();
        let expected = ["-DX=1", "-I", &moved, "-I", &own, "-I", "/usr/include/none"];
        assert_eq!(of_revision(&flags, &top_path, tree.path()), expected);
    }
}

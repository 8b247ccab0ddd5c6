//! `cargo xtask newcomer`: README from top to bottom in a folder that has only what a fresh clone has. Every
//! command is run as it is written, every transcript has to be what is printed, every link has to lead somewhere.
//!
//! With a binary that is built already (as a test has one), nothing is compiled: that binary is what `cargo run` and
//! `cargo install` would have made, and what only packs or tests is left out, and said to be.

use crate::root;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Done<T> = Result<T, Box<dyn Error>>;

/// A block of README that one can type in.
#[derive(Debug, PartialEq, Eq)]
enum Block {
    /// Lines for a shell.
    Shell(String),
    /// A command, how it ends, and what it prints.
    Transcript {
        command: String,
        code: i32,
        printed: String,
    },
}

/// What was done.
#[derive(Debug, Default)]
pub struct Walk {
    pub commands: Vec<String>,
    pub transcripts: usize,
    pub links: usize,
    /// Commands that were left out, because a binary was given.
    pub left_out: Vec<String>,
}

/// Walks through README in a fresh folder. With `binary`, nothing is compiled.
pub fn walk(binary: Option<&Path>) -> Done<Walk> {
    let fresh = tempfile::tempdir()?;
    let clone = fresh.path().join("idiolect");
    copy_tracked(&clone)?;
    let text = std::fs::read_to_string(clone.join("README.md"))?;
    let mut walk = Walk {
        links: follow_links(&clone, &text)?,
        ..Walk::default()
    };
    let tools = fresh.path().join("tools");
    std::fs::create_dir_all(tools.join("bin"))?;
    let place = Place {
        clone,
        tools,
        binary: binary.map(Path::to_path_buf),
    };
    for block in blocks(&text) {
        match block {
            Block::Shell(lines) => {
                for line in lines.lines().filter(|line| !line.trim().is_empty()) {
                    place.type_in(line, &mut walk)?;
                }
            }
            Block::Transcript {
                command,
                code,
                printed,
            } => {
                place.compare(&command, code, &printed)?;
                walk.transcripts += 1;
            }
        }
    }
    Ok(walk)
}

struct Place {
    clone: PathBuf,
    /// What the newcomer installs goes here and not into the home of whoever runs this.
    tools: PathBuf,
    binary: Option<PathBuf>,
}

impl Place {
    fn shell(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command
            .args(["-euc", line])
            .current_dir(&self.clone)
            .env("NO_COLOR", "1")
            .env("CARGO_INSTALL_ROOT", &self.tools)
            .env_remove("CARGO_TARGET_DIR")
            .env("PATH", format!("{}/bin:{path}", self.tools.display()));
        command
    }

    /// A line of a shell block. It has to succeed.
    #[allow(clippy::print_stderr)]
    fn type_in(&self, line: &str, walk: &mut Walk) -> Done<()> {
        let bare = line.split("  #").next().unwrap_or(line).trim();
        let Some(binary) = &self.binary else {
            // The tests have their own run.
            if bare == "cargo xtask test" {
                walk.left_out.push(bare.to_owned());
                return Ok(());
            }
            let start = Instant::now();
            let bare = match bare.strip_prefix("pip install ") {
                Some(what) => format!(
                    "python3 -m venv '{0}' && '{0}/bin/pip' install --quiet {what}",
                    self.tools.display()
                ),
                None => bare.to_owned(),
            };
            succeed(&mut self.shell(&bare))?;
            eprintln!("{:7.1} s  {bare}", start.elapsed().as_secs_f64());
            walk.commands.push(bare);
            return Ok(());
        };
        if let Some(options) = bare.strip_prefix("cargo run --release -p idiolect -- ") {
            succeed(&mut self.shell(&format!("'{}' {options}", binary.display())))?;
            walk.commands.push(bare.to_owned());
        } else if bare == "cargo install --locked --path crates/cli" {
            let manifest = std::fs::read_to_string(self.clone.join("crates/cli/Cargo.toml"))?;
            if !manifest.contains("[[bin]]\nname = \"idiolect\"") {
                return Err("crates/cli has no binary `idiolect` to install".into());
            }
            std::os::unix::fs::symlink(binary, self.tools.join("bin/idiolect"))?;
            walk.commands.push(bare.to_owned());
        } else {
            walk.left_out.push(bare.to_owned());
        }
        Ok(())
    }

    /// A transcript has to be what happens, to the letter.
    fn compare(&self, line: &str, code: i32, printed: &str) -> Done<()> {
        let output = self.shell(line).output()?;
        let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.push_str(&String::from_utf8_lossy(&output.stderr));
        if output.status.code() != Some(code) {
            return Err(format!(
                "README: `{line}` ends with {}, not with {code}\n{said}",
                output.status
            )
            .into());
        }
        if said.trim_end() != printed.trim_end() {
            return Err(
                format!("README: `{line}` prints\n{said}\nand README says\n{printed}").into(),
            );
        }
        Ok(())
    }
}

fn succeed(command: &mut Command) -> Done<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("README: {command:?}: {}\n{said}", output.status).into())
}

/// What a clone has: files that are tracked, as they are now. Nothing that was built.
fn copy_tracked(to: &Path) -> Done<()> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard")
        .current_dir(root())
        .output()?;
    if !listed.status.success() {
        let said = String::from_utf8_lossy(&listed.stderr);
        return Err(format!("git ls-files: {said}").into());
    }
    for name in listed.stdout.split(|b| *b == 0).filter(|n| !n.is_empty()) {
        let name = std::str::from_utf8(name)?;
        let (from, file) = (root().join(name), to.join(name));
        // Deleted, and not yet committed.
        if !from.exists() {
            continue;
        }
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(from, file)?;
    }
    Ok(())
}

/// Every file that README links to is in the clone; how many there are.
fn follow_links(clone: &Path, text: &str) -> Done<usize> {
    let mut n = 0;
    for part in text.split("](").skip(1) {
        let link = part.split(')').next().unwrap_or_default();
        let file = link.split('#').next().unwrap_or_default();
        if link.contains("://") || file.is_empty() {
            continue;
        }
        if !clone.join(file).exists() {
            return Err(format!("README links to `{link}`, which is not there").into());
        }
        n += 1;
    }
    Ok(n)
}

/// The blocks of a Markdown text that are `sh` or `console`, in order.
fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let kind = line.strip_prefix("```");
        if kind.is_none() {
            continue;
        }
        let inside: Vec<&str> = (lines.by_ref()).take_while(|line| *line != "```").collect();
        if kind == Some("sh") {
            found.push(Block::Shell(inside.join("\n")));
        } else if kind == Some("console") {
            transcripts(&inside, &mut found);
        }
    }
    found
}

fn transcripts(lines: &[&str], found: &mut Vec<Block>) {
    for line in lines {
        if let Some(line) = line.strip_prefix("$ ") {
            found.push(Block::Transcript {
                command: line.to_owned(),
                code: 0,
                printed: String::new(),
            });
            continue;
        }
        let Some(Block::Transcript { code, printed, .. }) = found.last_mut() else {
            continue;
        };
        if let (true, Some(number)) = (printed.is_empty(), line.strip_prefix("? ")) {
            *code = number.parse().unwrap_or(-1);
        } else {
            printed.push_str(line);
            printed.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_exit_codes() {
        let text = "# T\n```sh\nmake\n```\ntext\n```console\n$ a b\n? 1\nx\n\n$ c\ny\n```\n```text\n$ no\n```\n";
        let told = |command: &str, code, printed: &str| Block::Transcript {
            command: command.to_owned(),
            code,
            printed: printed.to_owned(),
        };
        assert_eq!(
            blocks(text),
            [
                Block::Shell("make".to_owned()),
                told("a b", 1, "x\n\n"),
                told("c", 0, "y\n"),
            ]
        );
    }

    #[test]
    fn a_link_that_leads_nowhere_is_told() {
        let text = "[a](Cargo.toml) [b](https://x.org) [c](README.md#top)";
        assert_eq!(follow_links(&root(), text).unwrap(), 2);
        let error = follow_links(&root(), "[a](nowhere.md)").unwrap_err();
        assert!(error.to_string().contains("nowhere.md"));
    }
}

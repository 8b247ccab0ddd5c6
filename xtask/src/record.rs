//! Keeps what another task prints: in a file of its own below `record/`, with the command, the commit
//! and the date, and in `docs/results.md` where that has a place for it.

use crate::root;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Runs `cargo xtask ARGUMENTS` and keeps its output under this name. Returns whether it succeeded;
/// what failed is not kept.
#[allow(clippy::print_stdout)]
pub fn run(name: &str, arguments: &[String]) -> Fallible<bool> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().ok_or("no output")?).lines() {
        let line = line?;
        println!("{line}");
        said.push_str(line.trim_end());
        said.push('\n');
    }
    if !child.wait()?.success() {
        return Ok(false);
    }
    let date = text_of(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let command = format!("cargo xtask {}", arguments.join(" "));
    let head = format!("`{command}`, {}, {date}", commit()?);
    let path = root().join("record").join(format!("{name}.txt"));
    std::fs::write(path, format!("{head}\n\n{said}"))?;
    let results = root().join("docs/results.md");
    let page = std::fs::read_to_string(&results)?;
    if let Some(page) = with_block(&page, name, &format!("{head}\n\n```text\n{said}```\n")) {
        std::fs::write(&results, page)?;
    }
    Ok(true)
}

fn commit() -> Fallible<String> {
    let mut git = Command::new("git");
    let commit = text_of(
        git.args(["rev-parse", "--short", "HEAD"])
            .current_dir(root()),
    )?;
    let mut git = Command::new("git");
    let changes = text_of(
        git.args(["status", "--porcelain", "--", "crates", "corpus"])
            .current_dir(root()),
    )?;
    Ok(if changes.is_empty() {
        commit
    } else {
        format!("{commit} with changes")
    })
}

fn text_of(command: &mut Command) -> Fallible<String> {
    Ok(String::from_utf8(command.output()?.stdout)?
        .trim()
        .to_owned())
}

/// The page with this text between `<!-- NAME -->` and the next `<!-- end -->`; `None` if it has no
/// such place.
fn with_block(page: &str, name: &str, text: &str) -> Option<String> {
    let start_mark = format!("<!-- {name} -->\n");
    let start = page.find(&start_mark)? + start_mark.len();
    let end = start + page[start..].find("<!-- end -->")?;
    Some(format!("{}{text}{}", &page[..start], &page[end..]))
}

#[cfg(test)]
mod tests {
    use super::with_block;

    #[test]
    fn only_its_own_place_is_filled() {
        let page = "a\n<!-- x -->\nold\n<!-- end -->\nb\n<!-- y -->\n<!-- end -->\n";
        let filled = with_block(page, "x", "new\n").expect("a place");
        assert_eq!(
            filled,
            "a\n<!-- x -->\nnew\n<!-- end -->\nb\n<!-- y -->\n<!-- end -->\n"
        );
        assert_eq!(with_block(page, "z", "new\n"), None);
    }
}

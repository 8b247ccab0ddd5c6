//! `cargo xtask gallery`: a report of every kind, made from the repository's own examples, and a page that lists
//! them. A test makes it, so what is shown is what the present binary writes.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of a page, what it answers, and the command, from the root of the repository.
pub const PAGES: &[(&str, &str, &str)] = &[
    (
        "explain",
        "In which ways does this assertion fail?",
        "explain examples/sort.c",
    ),
    (
        "program",
        "What does this program do?",
        "explain examples/book/shelf.c --program",
    ),
    (
        "diff",
        "What did this change gain and lose?",
        "diff examples/explain/merge/base.c examples/explain/merge/merged.c",
    ),
    (
        "merge",
        "Does the merge do what nobody wrote?",
        "diff --merge examples/explain/merge/base.c examples/explain/merge/a.c \
         examples/explain/merge/b.c examples/explain/merge/merged.c",
    ),
    ("error", "Is there an error?", "verify examples/sort.c"),
    (
        "proof",
        "Is there really none?",
        "verify examples/book/shelf_fixed.c",
    ),
    (
        "localize",
        "Which statement is to blame?",
        "localize examples/localize/figure1.c",
    ),
    (
        "all-traces",
        "Which statements are to blame, whatever the run?",
        "localize examples/localize/figure2.c --all-traces",
    ),
    (
        "repair",
        "Which change makes it pass?",
        "repair examples/repair/median.c --tests examples/repair/median.toml",
    ),
    (
        "invariants",
        "What holds of every element?",
        "invariants corpus/linear/array-find.c",
    ),
    (
        "mine",
        "Which protocol do these programs keep?",
        "mine examples/servers.trace --api socket",
    ),
    (
        "check",
        "Where does this run leave the protocol?",
        "check --spec examples/protocol/sockets.spec crates/cli/tests/cmd/in/early.trace",
    ),
    (
        "learn",
        "Which machine is behind these answers?",
        "learn examples/coffee.dot",
    ),
    (
        "run",
        "What happens on these inputs?",
        "run examples/sort.c --input 1,0,0",
    ),
];

/// Makes all pages into a folder. Returns the list's path.
pub fn make(idiolect: &Path, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let folder = folder.canonicalize()?;
    let mut rows = String::new();
    for (name, question, command) in PAGES {
        let page = folder.join(format!("{name}.html"));
        let output = Command::new(idiolect)
            .args(command.split_whitespace())
            .args(["-q", "--exit-zero", "--report"])
            .arg(&page)
            .current_dir(crate::root())
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("idiolect {command}: {}\n{said}", output.status).into());
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let _ = writeln!(
            rows,
            "<li><a href=\"{name}.html\">{question}</a><br><code>idiolect {command}</code><br>{}</li>",
            escape(said.trim())
        );
    }
    let list = folder.join("index.html");
    let text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>idiolect: reports</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; \
         color-scheme: light dark; }} li {{ margin-bottom: 1rem; overflow-wrap: anywhere; }} a {{ font-size: 1.1rem; }}\
         </style></head>\n<body><main><h1>What idiolect shows</h1>\n<ul>\n{rows}</ul></main></body></html>\n"
    );
    std::fs::write(&list, text)?;
    Ok(list)
}

/// README's picture: the page of its first command, as Chromium shows it.
pub fn picture(idiolect: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    // The page says how it was made: as README says it.
    let name = "examples/sort.c";
    std::fs::create_dir_all(folder.path().join("examples"))?;
    std::fs::copy(crate::root().join(name), folder.path().join(name))?;
    let made = Command::new(idiolect)
        .args(["explain", name, "--report", "report.html"])
        .arg("--exit-zero")
        .current_dir(folder.path())
        .output()?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).into_owned().into());
    }
    let taken = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--hide-scrollbars", "--window-size=1280,800"])
        .arg(format!("--screenshot={}", file.display()))
        .arg(format!(
            "file://{}",
            folder.path().join("report.html").display()
        ))
        .output()?;
    if !taken.status.success() || !file.exists() {
        return Err("chromium has taken no picture".into());
    }
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

//! A report of every kind is made by its command, says what it is of, and comes up in a browser.

use std::path::Path;
use std::process::Command;
use xtask::process::available_or_skip;

#[test]
fn a_report_of_every_kind_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let list = xtask::gallery::make(binary, folder.path()).expect("all reports are made");
    let list = std::fs::read_to_string(list).expect("the list");
    let has_browser = available_or_skip("chromium", "pages in a browser");
    for (name, question, command) in xtask::gallery::PAGES {
        assert!(list.contains(question), "{list}");
        let file = folder.path().join(format!("{name}.html"));
        let page = std::fs::read_to_string(&file).expect("a page");
        let (first, _) = command.split_once(' ').expect("a command with a file");
        assert!(
            page.contains(&format!("\"command\":\"{first}\"")),
            "{name} is no report of {first}"
        );
        if has_browser {
            let shown = shown_by_chromium(&file);
            // The last thing that the page puts there, and what it says before anything else.
            for part in ["<header class=\"head", "<details class=\"keys\""] {
                assert!(shown.contains(part), "{name} does not come up: no {part}");
            }
        }
    }
}

/// The document after its scripts have run.
fn shown_by_chromium(page: &Path) -> String {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

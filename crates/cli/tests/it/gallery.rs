//! A report of every kind is made by its command, and says what it is of.

use std::path::Path;

#[test]
fn a_report_of_every_kind_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let list = xtask::gallery::make(binary, folder.path()).expect("all reports are made");
    let list = std::fs::read_to_string(list).expect("the list");
    for (name, question, command) in xtask::gallery::PAGES {
        assert!(list.contains(question), "{list}");
        let page = folder.path().join(format!("{name}.html"));
        let page = std::fs::read_to_string(page).expect("a page");
        let (first, _) = command.split_once(' ').expect("a command with a file");
        assert!(
            page.contains(&format!("\"command\":\"{first}\"")),
            "{name} is no report of {first}"
        );
    }
}

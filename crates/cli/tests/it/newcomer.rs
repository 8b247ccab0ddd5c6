//! README from top to bottom, in a folder that has only what a fresh clone has.

use std::path::Path;

#[test]
fn readme_can_be_followed_from_top_to_bottom() {
    let binary = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let walk = xtask::newcomer::walk(Some(binary)).expect("README is true");
    let first = "cargo run --release -p idiolect -- explain examples/sort.c --report report.html --exit-zero";
    assert_eq!(
        walk.commands,
        ["cargo install --locked --path crates/cli", first]
    );
    assert!(walk.transcripts >= 8, "{walk:?}");
    assert!(walk.links >= 10, "{walk:?}");
    // What packs and what tests is done by `cargo xtask dist --check` and by the tests themselves.
    let (packing, testing): (Vec<_>, Vec<_>) = (walk.left_out.iter())
        .partition(|line| line.contains("xtask dist") || line.contains("target/package/"));
    assert_eq!(testing, ["cargo xtask test"]);
    assert_eq!(packing.len(), 3, "{packing:?}");
}

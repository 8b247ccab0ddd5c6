//! Answers that would be wrong: the programs of `corpus/claims`, built and run, show which are true.
//! What idiolect has to say about them is looked at with the rest of the corpus.

use std::path::PathBuf;
use xtask::claims;
use xtask::process::available_or_skip;

#[test]
fn no_claim_is_refuted_by_a_run_of_the_real_program() {
    if !available_or_skip("cc", "claims") {
        return;
    }
    let folder = xtask::root().join("corpus/claims");
    let entries = std::fs::read_dir(&folder).expect("the folder of claims");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 60, "{} programs", files.len());
    let mut n_failing = 0;
    for file in files {
        let claim = claims::read(&file.with_extension("toml")).expect("what is expected");
        let name = file.display();
        assert!(!claim.native.is_empty(), "{name}: no run shows the truth");
        assert!(!claim.check.is_empty(), "{name}: nothing is expected");
        let mut fails = false;
        for native in &claim.native {
            let seen = native.run(&file).expect("the program can be built");
            assert_eq!(seen, native.fails, "{name}: {native:?}");
            fails |= seen && !native.outside;
        }
        n_failing += u32::from(fails);
        for check in &claim.check {
            // Options other than these say what to assume, and are for the user to answer for.
            let assumes = check.run.contains("--pure");
            let is_promise = check.exit == 0 && !assumes;
            assert!(!(fails && is_promise), "{name}: {} is wrong", check.run);
        }
    }
    assert!(n_failing >= 30, "{n_failing} programs that can fail");
}

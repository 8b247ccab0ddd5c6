//! Our own programs: everything that has to be said about them is said.

use std::path::Path;
use xtask::corpus;
use xtask::process::available_or_skip;

#[test]
fn what_is_expected_of_the_corpus_is_seen() {
    if !available_or_skip("cc", "corpus") {
        return;
    }
    let cases = corpus::cases(&xtask::root().join("corpus"), "").expect("the corpus can be read");
    let of = |topic: &str| cases.iter().filter(|c| c.name.starts_with(topic)).count();
    assert!(of("run/") >= 150, "{} programs that print", of("run/"));
    assert!(
        of("faults/") >= 40,
        "{} programs with a fault",
        of("faults/")
    );
    let idiolect = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let reports = corpus::run(idiolect, &cases, false).expect("idiolect starts");
    let is_fine = reports.iter().all(corpus::Report::is_as_expected);
    assert!(is_fine, "{}", corpus::table(&reports));
}

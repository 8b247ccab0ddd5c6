//! Random programs without undefined behaviour give the same checksum as when compiled.
//! `cargo xtask csmith` does the same with as many as one likes.

use std::time::Duration;
use xtask::csmith;
use xtask::differential::Differential;
use xtask::process::available_or_skip;

#[test]
fn fifty_random_programs_behave_as_compiled_ones() {
    if !available_or_skip("cc", "csmith") || !available_or_skip("csmith", "csmith") {
        return;
    }
    let mut differential = Differential::new(env!("CARGO_BIN_EXE_idiolect").into());
    // Other tests run at the same time, and some of them are engines of clusters.
    differential.limit = Duration::from_secs(300);
    let summary = csmith::compare(&differential, 1..61, None).expect("processes can be started");
    assert!(summary.failures.is_empty(), "{:#?}", summary.failures);
    assert!(summary.same >= 50, "{summary:?}");
}

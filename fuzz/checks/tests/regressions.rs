//! Inputs that once broke something, and small seeds, are checked on every test run.

use idiolect_fuzz_checks::CHECKS;
use std::path::Path;

#[test]
fn every_recorded_input_is_harmless_now() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regressions");
    let mut n_inputs = 0;
    for (name, check) in CHECKS {
        let mut paths: Vec<_> = std::fs::read_dir(folder.join(name))
            .unwrap_or_else(|error| panic!("fuzz/regressions/{name}: {error}"))
            .map(|entry| entry.expect("readable").path())
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{name} has at least a seed");
        for path in paths {
            check(&std::fs::read(&path).expect("readable"));
            n_inputs += 1;
        }
    }
    assert!(n_inputs >= CHECKS.len());
}

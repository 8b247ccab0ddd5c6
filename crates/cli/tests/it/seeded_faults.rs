//! Programs with one wrong assignment each: it is among those that are shown, if it is a simple bug.

use std::path::Path;
use xtask::localize::{Seen, fault_table, faults, look_at};

#[test]
fn every_simple_fault_is_shown() {
    let idiolect = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let faults = faults().expect("the corpus can be read");
    assert!(faults.len() >= 40);
    let seen: Vec<Seen> = faults
        .iter()
        .map(|f| look_at(idiolect, f).unwrap_or_else(|e| panic!("{}: {e}", f.file.display())))
        .collect();
    let table = fault_table(&seen);
    for s in &seen {
        // Not shown means not relevant, and not that somebody gave up.
        let about = format!("{}\n{table}", s.fault.file.display());
        assert_eq!(s.is_relevant, s.fault.is_simple, "{about}");
        assert_eq!(s.is_shown, s.fault.is_simple, "{about}");
        assert_eq!(s.outcome["statistics"]["unknown"], 0, "{about}");
    }
    let average = |f: fn(&Seen) -> f64| seen.iter().map(f).sum::<f64>() / seen.len() as f64;
    assert!(average(|s| s.relevant_share) < 0.4, "{table}");
    assert!(average(|s| s.share) < 0.3, "{table}");
    assert!(average(|s| s.share) < average(|s| s.slice_share), "{table}");
    // A slice misses what was not executed because of the fault.
    let simple = seen.iter().filter(|s| s.fault.is_simple);
    assert!(simple.filter(|s| !s.is_in_slice).count() >= 3, "{table}");
}

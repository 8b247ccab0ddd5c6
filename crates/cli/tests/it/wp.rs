//! Invariants of `verify` are checked by somebody else: Frama-C/WP, if it is installed.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::textbook::FramaC;

/// What every program begins with. A call of the error function is proved to be out of reach.
const PRELUDE: &str = "/*@ requires \\false; assigns \\nothing; */
extern void __VERIFIER_error(void);
/*@ assigns \\nothing; */
extern int __VERIFIER_nondet_int(void);
";

const PROGRAMS: [(&str, &str); 2] = [
    (
        "sums",
        "int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  int i = 0, s = 0;
  /*@ INVARIANTS loop assigns i, s; */
  while (i < n) {
    i++;
    s++;
  }
  if (s != i) __VERIFIER_error();
  return 0;
}
",
    ),
    (
        "phases",
        "int main(void) {
  int held = 0, phase = 0;
  /*@ INVARIANTS loop assigns held, phase; */
  while (__VERIFIER_nondet_int()) {
    if (phase == 0) {
      if (held) __VERIFIER_error();
      held = 1;
      phase = 1;
    } else if (phase == 1) {
      phase = 2;
    } else {
      if (!held) __VERIFIER_error();
      held = 0;
      phase = 0;
    }
  }
  return 0;
}
",
    ),
];

fn invariants(file: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["verify", "--json", "--check-proof"])
        .arg(file)
        .output()
        .expect("idiolect runs");
    let found: Value = serde_json::from_slice(&output.stdout).expect("it writes JSON");
    assert_eq!(found["verdict"], "proved", "{found:#}");
    let all = found["proof"]["invariants"]
        .as_array()
        .into_iter()
        .flatten();
    all.filter_map(|i| i["acsl"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn invariants_of_proofs_are_confirmed_by_frama_c() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("wp");
    std::fs::create_dir_all(&folder).expect("target can be written");
    let mut frama_c = FramaC::find(&folder);
    if let Some(frama_c) = &mut frama_c {
        frama_c.timeout = 5;
    }
    for (name, text) in PROGRAMS {
        let file = folder.join(format!("{name}.c"));
        std::fs::write(&file, format!("{PRELUDE}{text}")).expect("target can be written");
        let found = invariants(&file);
        assert!(!found.is_empty(), "{name}");
        let Some(frama_c) = &frama_c else {
            continue;
        };
        let confirmed = |invariants: &str| {
            let text = text.replace("INVARIANTS", invariants);
            std::fs::write(&file, format!("{PRELUDE}{text}")).expect("target can be written");
            let wp = frama_c.check(&file).expect("Frama-C runs");
            assert!(wp.all > 0, "{name}: {wp:?}");
            wp.is_confirmed()
        };
        assert!(confirmed(&found.join(" ")), "{name}: {found:?}");
        // Without them it is not.
        assert!(!confirmed(""), "{name}");
    }
}

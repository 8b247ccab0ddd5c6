//! Every command speaks about every program of a sample, and no answer contradicts another. All of them:
//! `cargo xtask agree`.

use std::path::{Path, PathBuf};
use xtask::agree::{Options, compare_all, is_clean, program, table};

fn options() -> Options {
    Options {
        timeout: 4,
        jobs: 2,
        flags: Vec::new(),
        only: Vec::new(),
    }
}

fn compare(programs: &[PathBuf]) {
    let idiolect = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let cases = compare_all(idiolect, programs, &options(), &|_, _| {});
    assert!(is_clean(&cases), "{}", table(&cases));
}

#[test]
fn commands_agree_on_programs_of_the_corpus() {
    let all = xtask::survey::programs(&xtask::root().join("corpus")).expect("the corpus is there");
    let of_agree = |p: &&PathBuf| p.parent().is_some_and(|d| d.ends_with("agree"));
    let mut chosen: Vec<PathBuf> = all.iter().filter(of_agree).cloned().collect();
    assert!(chosen.len() >= 6);
    chosen.extend(all.into_iter().step_by(20));
    compare(&chosen);
}

#[test]
fn commands_agree_on_generated_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut programs = Vec::new();
    for i in 0..14 {
        let path = folder.path().join(format!("{i}.c"));
        std::fs::write(&path, program(20_261_117, i)).expect("written");
        programs.push(path);
    }
    compare(&programs);
}

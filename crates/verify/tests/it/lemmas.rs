//! Lemma 1 of the paper by brute force, and what is promised of verdicts.

use crate::common;

use common::{Small, language, name, prefixes, verify};
use idiolect_ir::Property;
use idiolect_learn::LearnerKind;
use idiolect_verify::{Config, FoundBy, Strategy, Verdict};

/// Without bounded model checking and random runs beforehand, so that learning has to do it alone.
fn exact() -> Config {
    Config {
        epsilon: 0.005,
        hunt: 0,
        max_paths: 0,
        proof_work: 0,
        bmc_least: 0,
        bmc_share: 0.01,
        threads: Some(1),
        wants_model: true,
        ..Config::default()
    }
}

#[test]
fn a_program_without_an_error_has_a_model_that_is_its_set_of_decisions() {
    let mut sizes = 0;
    for seed in 0..100 {
        let small = Small::new(seed, false);
        let outcome = verify(&small.text, &exact());
        let (words, _) = small.all_runs();
        assert_eq!(name(&outcome.verdict), "pac", "{}", small.text);
        let model = outcome.model.unwrap();
        let expected = prefixes(&words);
        assert_eq!(
            language(&model, 64),
            expected,
            "seed {seed}\n{}",
            small.text
        );
        sizes += expected.len();
    }
    assert!(sizes > 300, "the programs do decide something: {sizes}");
}

#[test]
fn all_learners_and_strategies_learn_the_same() {
    for seed in [3, 8, 21] {
        let small = Small::new(seed, false);
        let (words, _) = small.all_runs();
        for learner in LearnerKind::ALL {
            let config = Config { learner, ..exact() };
            let outcome = verify(&small.text, &config);
            let model = outcome.model.unwrap();
            assert_eq!(language(&model, 64), prefixes(&words), "{learner:?}");
        }
        for strategy in Strategy::ALL {
            let config = Config {
                strategy,
                ..exact()
            };
            let outcome = verify(&small.text, &config);
            let model = outcome.model.unwrap();
            assert_eq!(language(&model, 64), prefixes(&words), "{strategy:?}");
        }
    }
}

#[test]
fn an_error_is_found_if_and_only_if_there_is_one() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..150 {
        let small = Small::new(seed, true);
        let (_, has_error) = small.all_runs();
        let alone = verify(&small.text, &exact());
        let all = verify(&small.text, &Config::default());
        for outcome in [&alone, &all] {
            assert_eq!(
                matches!(outcome.verdict, Verdict::Error { .. }),
                has_error,
                "seed {seed}: {:?}\n{}",
                outcome.verdict,
                small.text
            );
            if !has_error {
                assert_ne!(name(&outcome.verdict), "undecided");
            }
        }
        if has_error { with += 1 } else { without += 1 }
    }
    assert!(with > 20 && without > 20, "{with} {without}");
}

#[test]
fn a_program_with_few_paths_is_proved_by_following_all() {
    // Recursion deeper than the bound of model checking.
    let text = "int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); }\n\
        int main(void) { int n = nondet_uchar(); if (n > 60) return 0;\n\
        if (f(n) != n) reach_error(); return 0; }";
    let config = Config {
        unwinding: 4.into(),
        ..Config::default()
    };
    let outcome = verify(text, &config);
    assert_eq!(name(&outcome.verdict), "proved", "{:?}", outcome.verdict);
    let wrong = text.replace("!= n", "== 57");
    assert_eq!(name(&verify(&wrong, &config).verdict), "error");
}

/// A fault between two decisions: the path on which it happens goes on, with other inputs.
#[test]
fn a_fault_in_the_middle_of_a_path_is_no_proof() {
    let text = "int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); }\n\
        int main(void) { int n = nondet_uchar(); int m = nondet_int(); if (n > 60) return 0;\n\
        if (n < 40) return 1;\n\
        int k = f(n); m = 7 / (m - 123456 + 1000 * (k - 50));\n\
        if (k == 77) reach_error(); return 0; }";
    let with = |properties: &[Property]| Config {
        properties: properties.to_vec(),
        unwinding: 4.into(),
        ..Config::default()
    };
    let outcome = verify(text, &with(&[Property::Assert]));
    assert_ne!(name(&outcome.verdict), "proved", "{:?}", outcome.verdict);
    let outcome = verify(text, &with(&[Property::Division]));
    let Verdict::Error { run, .. } = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(run.inputs[0] >= 40 && run.inputs[1] > 100_000, "{run:?}");
}

/// Too many paths to follow all, too deep for model checking, and one of 2^32 values.
#[test]
fn the_path_of_a_sample_is_asked_for_faults() {
    let text = "int f(int n) { if (n == 0) return 0; if (nondet_bool()) return 1 + f(n - 1);\n\
        return f(n - 1); }\n\
        int main(void) { int n = nondet_uchar(); int m = nondet_int(); if (n < 12) return 1;\n\
        int k = f(n); m = 7 / (m - 123456 + 1000 * k); if (m > 100) return 2; return 0; }";
    let config = Config {
        properties: vec![Property::Division],
        hunt: 0,
        max_paths: 0,
        proof_work: 0,
        unwinding: 4.into(),
        ..Config::default()
    };
    let outcome = verify(text, &config);
    let Verdict::Error { run, found_by } = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(found_by, FoundBy::Sampling);
    assert!(run.inputs[1] % 1000 == 456, "{run:?}");
}

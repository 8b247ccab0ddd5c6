//! What the paper says that can be tested exactly: rows A-PAC-1 to A-PAC-9.

use crate::common;

use common::{language, name, program, text, verify, word};
use idiolect_base::Budget;
use idiolect_learn::{pac_intro_samples, pac_samples};
use idiolect_verify::{
    Batch, Config, Doubt, Engine, FoundBy, Monitor, Plan, Reused, Sampler, Strategy, Verdict,
    compile, monitor, run_again,
};

#[test]
fn a_pac_1_and_2_numbers_of_samples() {
    let q: Vec<u64> = (1..=10).filter_map(|i| pac_samples(0.1, 0.9, i)).collect();
    assert_eq!(q, [30, 37, 44, 51, 58, 65, 72, 79, 86, 93]);
    assert_eq!(pac_intro_samples(0.1, 0.9), Some(22));
    assert_eq!(pac_intro_samples(0.05, 0.95), Some(59));
    assert_eq!(pac_intro_samples(0.01, 0.99), Some(459));
    // And these are the numbers of a verification.
    let outcome = verify(RECURSIVE, &learning());
    for i in &outcome.iterations {
        assert_eq!(i.batches_needed, q[i.question as usize - 1]);
        assert!(i.accepted <= i.batches_needed);
    }
    let last = outcome.iterations.last().unwrap();
    assert_eq!(last.accepted, last.batches_needed);
    assert_eq!(outcome.statistics.samples, 10 * last.batches);
}

const RECURSIVE: &str = "int down(int n) { if (n == 0) return 0; return down(n - 1); }\n\
    int main(void) { int n = nondet_int(); if (n < 0) return 0;\n\
    if (down(n) != 0) reach_error(); return 0; }";

/// The learner has to do it.
fn learning() -> Config {
    Config {
        hunt: 0,
        max_paths: 0,
        proof_work: 0,
        bmc_least: 0,
        unwinding: 2.into(),
        ..Config::default()
    }
}

#[test]
fn a_pac_4_a_feasible_error_word_is_reported_and_an_infeasible_one_refines() {
    let outcome = verify(RECURSIVE, &learning());
    assert_eq!(name(&outcome.verdict), "pac");
    assert!(outcome.statistics.error_words_refuted > 0);
    // 1; 0 0^n 1, and then the last decision is 0.
    let model = outcome.model.unwrap();
    assert!(model.accepts(&word("1")) && model.accepts(&word("0000010")));
    assert!(!model.accepts(&word("0000011")) && !model.accepts(&word("11")));
    let all: Vec<String> = language(&model, 4).into_iter().collect();
    assert!(all.iter().all(|w| !w.ends_with("11")), "{all:?}");

    // The input 123456 is not drawn by chance, and no sample turns the decision round.
    let hidden =
        "int main(void) { int n = nondet_int(); if (n == 123456) reach_error(); return 0; }";
    let config = Config {
        strategy: Strategy::RandomInput,
        ..learning()
    };
    let outcome = verify(
        hidden,
        &Config {
            engine: Engine::Learn,
            ..config
        },
    );
    let Verdict::Error { found_by, run } = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(
        (found_by, &run.inputs[..]),
        (FoundBy::Model, &[123_456][..])
    );
    assert_eq!(text(&run.word()), "1");
}

#[test]
fn an_assumption_before_the_error_clears_a_word() {
    let text = "int main(void) { int n = nondet_int(); if (n > 5) { if (n < 3) return 1;\n\
        __VERIFIER_assume(n < 5); reach_error(); } return 0; }";
    let head = "extern void __VERIFIER_assume(int);\n";
    let outcome = verify(&format!("{head}{text}"), &learning());
    assert_ne!(name(&outcome.verdict), "error", "{:?}", outcome.verdict);
    let possible = text.replace("n < 5", "n < 7");
    let outcome = verify(&format!("{head}{possible}"), &learning());
    assert_eq!(name(&outcome.verdict), "error", "{:?}", outcome.verdict);
}

fn plan(strategy: Strategy, threads: usize) -> Plan {
    Plan {
        strategy,
        size: 10,
        seed: 3,
        max_decisions: 50,
        max_steps: 10_000,
        threads: Some(threads),
    }
}

const BRANCHY: &str = "int f(int n, int d) { if (d == 0 || n == 0) return 0;\n\
    if ((n & 3) == 1) return 1 + f(n - 2, d - 1); return f(n - 1, d - 1); }\n\
    int main(void) { int n = nondet_int(); int m = nondet_int(); if (n < m) return f(m, 9);\n\
    if (n == m + 7) return 1; return f(n, 9); }";

#[test]
fn a_pac_5_batches_are_independent() {
    let program = program(BRANCHY);
    let compiled = compile(&program, &[]);
    for strategy in Strategy::ALL {
        let budget = Budget::unlimited();
        let sampler = Sampler::new(&compiled, &program, false, &[], plan(strategy, 2));
        let together = sampler.draw(0, 24, &budget).unwrap();
        // One at a time, in another order, with and without what others have found out.
        let other = Sampler::new(&compiled, &program, false, &[], plan(strategy, 1));
        for number in [17, 3, 23, 0, 11] {
            let fresh = Sampler::new(&compiled, &program, false, &[], plan(strategy, 1));
            for sampler in [&other, &fresh, &sampler] {
                let alone: Vec<Batch> = sampler.draw(number, 1, &budget).unwrap();
                assert_eq!(alone[0], together[number as usize], "{strategy:?} {number}");
            }
        }
        let distinct: std::collections::BTreeSet<String> =
            together.iter().flatten().map(|s| text(&s.word())).collect();
        assert!(distinct.len() > 4, "{strategy:?}: {}", distinct.len());
    }
}

#[test]
fn the_number_of_cores_changes_nothing() {
    for source in [RECURSIVE, BRANCHY] {
        let outcomes: Vec<String> = [1, 2, 5]
            .iter()
            .map(|&n| {
                let config = Config {
                    threads: Some(n),
                    proof_work: 0,
                    grows: false,
                    ..Config::default()
                };
                let mut outcome = verify(source, &config);
                outcome.learner = None;
                // Seconds are nobody's promise.
                for asked in &mut outcome.asked {
                    asked.seconds = 0.0;
                }
                format!("{outcome:?}")
            })
            .collect();
        assert_eq!(outcomes[0], outcomes[1]);
        assert_eq!(outcomes[0], outcomes[2]);
    }
}

#[test]
fn a_pac_6_a_condition_is_one_decision() {
    let source = "int main(void) { int a = nondet_int(); int b = nondet_int();\n\
        if (a > 0 && b > 0 || a == -1) return 1; return 0; }";
    let program = program(source);
    let compiled = compile(&program, &[]);
    let plan = plan(Strategy::RandomBranch, 1);
    let sampler = Sampler::new(&compiled, &program, false, &[], plan);
    for batch in sampler.draw(0, 5, &Budget::unlimited()).unwrap() {
        assert!(batch.iter().all(|s| s.decisions.len() == 1));
    }
    let outcome = verify(source, &Config::default());
    assert_eq!(language(&outcome.model.unwrap(), 5).len(), 3, "λ, 0 and 1");
}

const LABELS: &str = "int main(void) { int n = nondet_uchar(); int i = 0;\n\
    if (n > 200) { A: ; i = 1; while (i < n - 195) i++; B: ; }\n\
    while (nondet_bool()) { i = 0; }\n\
    return 0; }";

fn monitors(text: &str) -> Vec<Monitor> {
    monitor::parse(text, &program(LABELS)).unwrap()
}

#[test]
fn a_pac_9_monitors() {
    let check = |monitor: &str, expected: &str| {
        let config = Config {
            monitors: monitors(monitor),
            max_decisions: 120,
            ..Config::default()
        };
        let outcome = verify(LABELS, &config);
        assert_eq!(
            name(&outcome.verdict),
            expected,
            "{monitor}: {:?}",
            outcome.verdict
        );
        if let Verdict::Error { run, .. } = &outcome.verdict {
            assert_eq!(run.violated, Some(0), "{monitor}");
        }
    };
    // n - 195 goes up to 60, so at most 59 rounds and one decision that ends the loop.
    check("after A, B within 60", "pac");
    check("after A, B within 59", "error");
    check("never 11 consecutive 1", "error");
    check("never A", "error");
    check("never A after B", "pac");
    check("never B after A", "error");
}

#[test]
fn a_monitor_counts_what_it_says() {
    let fails = |monitor: &str, decisions: &str| {
        let monitor = &monitors(monitor)[0];
        let mut state = monitor.start();
        for c in decisions.chars() {
            state = monitor.after_decision(state, c == '1');
        }
        monitor.is_violated(state)
    };
    let rule = "never 3 consecutive 1";
    assert!(!fails(rule, "110110") && fails(rule, "01110") && fails(rule, "111"));
    let rule = "after 1, 0 within 2";
    assert!(!fails(rule, "000110") && fails(rule, "1111") && !fails(rule, "111"));
    for (text, complaint) in [
        ("sometimes A", "not a property: `sometimes A`"),
        ("# fine\nnever C", "the program has no label `C`"),
        (
            "never 0 consecutive 1",
            "the number has to be between 1 and 100000",
        ),
    ] {
        let error = monitor::parse(text, &program(LABELS)).unwrap_err();
        assert_eq!(error.to_string(), complaint);
    }
}

#[test]
fn a_pac_8_a_model_is_used_again() {
    let program = program(RECURSIVE);
    let budget = Budget::unlimited();
    let first = idiolect_verify::run(&program, &learning(), &budget, &mut |_| {});
    let Verdict::Pac(guarantee) = first.verdict else {
        panic!("{:?}", first.verdict);
    };
    let again = |text: &str| {
        let config = Config {
            monitors: monitor::parse(text, &program).unwrap(),
            ..learning()
        };
        let learner = idiolect_learn::Saved::of_dfa(first.learner.as_ref().unwrap());
        let reused = Reused {
            learner: learner.restore_dfa().unwrap(),
            guarantee: guarantee.clone(),
        };
        run_again(&program, &config, reused, &budget, &mut |_| {})
    };
    let same = again("never 2 consecutive 1");
    assert_eq!(same.verdict, Verdict::Pac(guarantee.clone()));
    assert_eq!((same.statistics.samples, same.statistics.hunted), (0, 0));
    assert_eq!(same.statistics.membership.questions, 0);
    let other = again("never 7 consecutive 0");
    assert_eq!(name(&other.verdict), "error", "{:?}", other.verdict);
}

#[test]
fn a_program_without_assertions_has_a_model() {
    let outcome = verify(BRANCHY, &Config::default());
    assert_eq!(name(&outcome.verdict), "pac", "{:?}", outcome.verdict);
    assert!(!outcome.has_assertion && outcome.model.is_some());
}

#[test]
fn a_program_that_does_not_end_is_cut() {
    let outcome = verify(
        "int main(void) { for (;;) { if (nondet_bool()) nondet_int(); } }",
        &Config::default(),
    );
    assert_eq!(name(&outcome.verdict), "pac", "{:?}", outcome.verdict);
    assert_eq!(outcome.statistics.cut, outcome.statistics.samples);
}

/// An error behind more rounds than anybody follows: nothing may be promised.
#[test]
fn where_no_run_ends_nothing_is_promised() {
    let outcome = verify(
        "int main(void) { for (unsigned i = 0; i < 268435455; i++) { if (nondet_bool()) i++; }\n\
         reach_error(); return 0; }",
        // What samples say, without engines that would go on for long.
        &Config {
            proof_work: 0,
            grows: false,
            bmc_least: 100_000,
            ..Config::default()
        },
    );
    assert_eq!(outcome.verdict, Verdict::Undecided(Doubt::NoRunEnded));
    assert_eq!(outcome.statistics.unfinished, outcome.statistics.samples);
}

#[test]
fn bounded_model_checking_finds_what_samples_do_not() {
    // One of 2^24 paths, and a single question.
    let text = "int main(void) { int s = 0; for (int i = 0; i < 24; i++) { if (nondet_bool()) s++; }\n\
        if (s == 24) reach_error(); return 0; }";
    let config = Config {
        hunt: 100,
        max_paths: 0,
        proof_work: 0,
        ..Config::default()
    };
    let outcome = verify(text, &config);
    let Verdict::Error { found_by, run } = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(found_by, FoundBy::Bmc, "{run:?} {:?}", outcome.statistics);
}

#[test]
fn control_flow_directed_search_goes_to_what_is_new() {
    let source = "int main(void) { int n = nondet_int(); int i = 0;\n\
        while (i < 30) i++;\n\
        if (n > 1000) { if (n % 7 == 3) { if (n / 7 == 15000) return 5; return 4; } return 3; }\n\
        return 0; }";
    let program = program(source);
    let compiled = compile(&program, &[]);
    let reach = |strategy| {
        let sampler = Sampler::new(&compiled, &program, false, &[], plan(strategy, 1));
        let batches = sampler.draw(0, 20, &Budget::unlimited()).unwrap();
        let deep = |b: &Batch| b.iter().any(|s| s.end == idiolect_interp::End::Exit(5));
        batches.iter().filter(|b| deep(b)).count()
    };
    let (directed, random) = (reach(Strategy::ControlFlow), reach(Strategy::RandomBranch));
    assert_eq!(directed, 20);
    assert!(random < directed, "{random}");
    assert_eq!(reach(Strategy::RandomInput), 0);
}

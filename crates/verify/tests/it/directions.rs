//! What the paper measured and what must come out the same way round here: rows A-PAC-10 and 11.

use crate::common;

use common::{program, verify};
use idiolect_base::Budget;
use idiolect_interp::End;
use idiolect_learn::LearnerKind;
use idiolect_verify::{Config, Doubt, Engine, Plan, Sampler, Strategy, Verdict, compile};

const FIBONACCI: &str = "int f(int n) { if (n < 1) return 0; if (n == 1) return 1;\n\
    return f(n - 1) + f(n - 2); }\n\
    int main(void) { int n = nondet_int(); if (n > 9) return 0;\n\
    if (f(n) == WRONG) reach_error(); return 0; }";
const NINETY_ONE: &str = "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }\n\
    int main(void) { int n = nondet_int(); if (n < 80 || n > LAST) return 0;\n\
    if (f(n) != 91) reach_error(); return 0; }";
const EVEN: &str = "int odd(int n);\n\
    int even(int n) { if (n == 0) return 1; if (n == 1) return 0; return odd(n - 1); }\n\
    int odd(int n) { if (n == 0) return 0; if (n == 1) return 1; return even(n - 1); }\n\
    int main(void) { int n = nondet_int(); if (n < 0 || n > 30) return 0;\n\
    int r = even(n); if (r < 0 || r > MOST) reach_error(); return 0; }";

/// Table 1: of the five learners KV asks the fewest membership queries.
#[test]
fn a_pac_10_kv_asks_least() {
    let programs = [
        FIBONACCI.replace("WRONG", "4"),
        NINETY_ONE.replace("LAST", "101"),
        EVEN.replace("MOST", "1"),
    ];
    let asked = |learner| -> u64 {
        let config = Config {
            engine: Engine::Learn,
            learner,
            hunt: 0,
            max_paths: 0,
            proof_work: 0,
            max_decisions: 30,
            ..Config::default()
        };
        let ask = |text: &String| {
            let outcome = verify(text, &config);
            assert_eq!(
                outcome.verdict,
                Verdict::Undecided(Doubt::NoModelChecking),
                "{learner:?}"
            );
            outcome.statistics.membership.questions
        };
        programs.iter().map(ask).sum()
    };
    use LearnerKind::{KearnsVazirani, LStar, LStarColumns, NlStar, RivestSchapire};
    let least = asked(KearnsVazirani);
    for other in [LStar, LStarColumns, RivestSchapire, NlStar] {
        let n = asked(other);
        assert!(least < n, "KV {least}, {other:?} {n}");
    }
}

/// Table 3: what a search that never begins anew finds is found by batches of ten, too.
#[test]
fn a_pac_11_restarts_lose_no_error() {
    let programs = [
        FIBONACCI.replace("WRONG", "5"),
        NINETY_ONE.replace("LAST", "102"),
        EVEN.replace("MOST", "0"),
    ];
    let mut found_without = 0;
    for text in &programs {
        let program = program(text);
        let compiled = compile(&program, &[]);
        let finds = |size: usize, n: u64, seed: u64| {
            let plan = Plan {
                strategy: Strategy::RandomBranch,
                size,
                seed,
                max_decisions: 60,
                max_steps: 10_000,
                threads: Some(1),
            };
            let sampler = Sampler::new(&compiled, &program, false, &[], plan);
            let batches = sampler.draw(0, n, &Budget::unlimited()).unwrap();
            let is_error = |s: &idiolect_verify::Sample| matches!(s.end, End::Error(_));
            batches.iter().flatten().any(is_error)
        };
        for seed in 1..4 {
            let without = finds(400, 1, seed);
            found_without += u32::from(without);
            assert!(finds(10, 40, seed) || !without, "seed {seed}: {text}");
        }
    }
    assert!(found_without > 4, "{found_without}");
}

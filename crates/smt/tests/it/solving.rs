//! The solver over terms: models, cores, budgets, interrupts, determinism.

use std::time::{Duration, Instant};

use idiolect_base::{Budget, Canceller, StopReason};
use idiolect_smt::{Evaluator, Model, Outcome, Solver, TermId, Terms};

fn sat(outcome: Outcome) -> Model {
    match outcome {
        Outcome::Sat(model) => model,
        other => panic!("expected a model, got {other:?}"),
    }
}

fn core(outcome: Outcome) -> Vec<TermId> {
    match outcome {
        Outcome::Unsat(core) => core,
        other => panic!("expected a core, got {other:?}"),
    }
}

/// Two factors of a product of two primes: hard enough to outlast any test's patience.
fn factoring(t: &mut Terms, width: u32, product: u128) -> (TermId, TermId, TermId) {
    let (x, y) = (t.bv_var("x", width), t.bv_var("y", width));
    let (wide_x, wide_y) = (t.zext(x, 2 * width), t.zext(y, 2 * width));
    let xy = t.mul(wide_x, wide_y);
    let n = t.bv(product, 2 * width);
    let one = t.bv(1, width);
    let parts = [t.eq(xy, n), t.ult(one, x), t.ult(one, y)];
    (x, y, t.and_all(&parts))
}

#[test]
fn factors_are_found() {
    let mut t = Terms::new();
    let (x, y, product) = factoring(&mut t, 16, 62_615_533);
    let mut solver = Solver::new();
    solver.assert(&t, product);
    let model = sat(solver.check(&t, &[], &Budget::unlimited()));
    assert_eq!(model.eval(&t, x) * model.eval(&t, y), 62_615_533);
    assert!(solver.statistics().conflicts > 0);
}

#[test]
fn a_core_names_the_assumptions_that_matter() {
    let mut t = Terms::new();
    let vars: Vec<TermId> = (0..10).map(|i| t.bv_var(&format!("v{i}"), 32)).collect();
    let ordered: Vec<TermId> = vars.windows(2).map(|w| t.ult(w[0], w[1])).collect();
    let back = t.ult(vars[6], vars[3]);
    let mut assumptions = ordered.clone();
    assumptions.push(back);
    let mut solver = Solver::new();
    let budget = Budget::unlimited();
    let found = core(solver.check(&t, &assumptions, &budget));
    assert!(solver.check(&t, &found, &budget).is_unsat());
    let least = solver.minimize_core(&t, &found, &budget);
    let expected = [ordered[3], ordered[4], ordered[5], back];
    assert_eq!(least, expected);
    assert!(solver.check(&t, &ordered, &budget).is_sat());
}

#[test]
fn a_minimized_core_is_a_core_even_without_budget() {
    let mut t = Terms::new();
    let x = t.bv_var("x", 8);
    let assumptions: Vec<TermId> = (0..20)
        .map(|i| {
            let c = t.bv(i, 8);
            t.eq(x, c)
        })
        .collect();
    let mut solver = Solver::new();
    let kept = solver.minimize_core(&t, &assumptions, &Budget::steps(0));
    assert_eq!(kept, assumptions);
    let least = solver.minimize_core(&t, &assumptions, &Budget::unlimited());
    assert_eq!(least.len(), 2);
}

#[test]
fn activation_literals_switch_assertions_on_and_off() {
    let mut t = Terms::new();
    let x = t.bv_var("x", 8);
    let (zero, one) = (t.bv(0, 8), t.bv(1, 8));
    let (is_zero, is_one) = (t.eq(x, zero), t.eq(x, one));
    let (a, b) = (t.bool_var("a"), t.bool_var("b"));
    let mut solver = Solver::new();
    solver.assert_if(&mut t, a, is_zero);
    solver.assert_if(&mut t, b, is_one);
    let budget = Budget::unlimited();
    assert_eq!(sat(solver.check(&t, &[a], &budget)).eval(&t, x), 0);
    assert_eq!(sat(solver.check(&t, &[b], &budget)).eval(&t, x), 1);
    assert_eq!(core(solver.check(&t, &[a, b], &budget)), [a, b]);
}

#[test]
fn constants_may_be_assumed_and_asserted() {
    let mut t = Terms::new();
    let (yes, no) = (t.tt(), t.ff());
    let mut solver = Solver::new();
    let budget = Budget::unlimited();
    assert!(solver.check(&t, &[yes], &budget).is_sat());
    assert_eq!(core(solver.check(&t, &[yes, no], &budget)), [no]);
    assert!(solver.check(&t, &[yes], &budget).is_sat());
    solver.add_clause(&t, &[no, yes]);
    assert!(solver.check(&t, &[], &budget).is_sat());
    solver.add_clause(&t, &[]);
    assert_eq!(core(solver.check(&t, &[yes], &budget)), []);
}

#[test]
fn an_interrupt_is_obeyed_within_100_ms() {
    let mut t = Terms::new();
    let (_, _, product) = factoring(&mut t, 48, 198_765_432_109_951 * 170_141_183_460_469);
    let mut solver = Solver::new();
    solver.assert(&t, product);
    let canceller = Canceller::new();
    let budget = Budget::unlimited().cancelled_by(&canceller);
    let cancelled_at = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            // Waits for the solver to be at work, not for anything to happen.
            std::thread::park_timeout(Duration::from_millis(300));
            canceller.cancel();
            Instant::now()
        });
        let outcome = solver.check(&t, &[], &budget);
        let back = Instant::now();
        assert_eq!(outcome, Outcome::Unknown(StopReason::Interrupted));
        back.duration_since(watcher.join().expect("the watcher does not panic"))
    });
    // A loaded machine may not schedule us for a while; the bound itself is 100 ms.
    assert!(
        cancelled_at < Duration::from_millis(500),
        "{cancelled_at:?}"
    );
}

#[test]
fn translation_can_be_interrupted_and_goes_on_later() {
    // Divisions of 128 bits: some 10^5 gates each, and nothing for the SAT solver to do.
    let mut t = Terms::new();
    let x = t.bv_var("x", 128);
    let mut word = x;
    for i in 0..40 {
        let y = t.bv_var(&format!("y{i}"), 128);
        let quotient = t.udiv(word, y);
        word = t.add(quotient, y);
    }
    let one = t.bv(1, 128);
    let goal = t.eq(word, one);
    let mut solver = Solver::new();
    solver.assert(&t, goal);
    let canceller = Canceller::new();
    canceller.cancel();
    let stopped = Budget::unlimited().cancelled_by(&canceller);
    let mut gates = Vec::new();
    // Each try gets as far as the next look at the canceller, and keeps what it has.
    for _ in 0..10 {
        let outcome = solver.check(&t, &[], &stopped);
        assert_eq!(outcome, Outcome::Unknown(StopReason::Interrupted));
        gates.push(solver.statistics().gates);
    }
    assert!(gates.is_sorted_by(|a, b| a < b), "{gates:?}");
    // One division at most: 10 ms.
    let largest = gates.windows(2).map(|w| w[1] - w[0]).max();
    assert!(largest.is_some_and(|n| n < 200_000), "{gates:?}");
    assert_eq!(solver.statistics().solver_calls, 0);
}

#[test]
fn an_interrupted_translation_loses_nothing() {
    // Whatever the order of interruptions, the answers are those of a solver that was left alone.
    let mut t = Terms::new();
    let (x, y, product) = factoring(&mut t, 64, 6_700_417 * 4_294_967_291);
    let factor = t.bv(6_700_417, 64);
    let given = t.eq(x, factor);
    let twice = t.add(x, y);
    let odd = t.udiv(twice, y);
    let one = t.bv(1, 64);
    let sum = t.eq(odd, one);
    let canceller = Canceller::new();
    let stopped = Budget::unlimited().cancelled_by(&canceller);
    canceller.cancel();
    let mut solver = Solver::new();
    solver.assert(&t, product);
    let mut n_stops = 0;
    // Until nothing is left to translate, which is when the SAT solver gets its turn.
    while solver.statistics().solver_calls == 0 {
        let outcome = solver.check(&t, &[given, sum], &stopped);
        assert_eq!(outcome, Outcome::Unknown(StopReason::Interrupted));
        n_stops += 1;
        assert!(n_stops < 1000, "translation has to end");
    }
    assert!(n_stops > 1, "{n_stops} interruptions");
    let model = sat(solver.check(&t, &[given, sum], &Budget::unlimited()));
    assert_eq!(model.eval(&t, y), 4_294_967_291);
    let other = t.bv(4_294_967_291, 64);
    let not_given = t.ne(y, other);
    let outcome = solver.check(&t, &[given, not_given, sum], &Budget::unlimited());
    assert!(outcome.is_unsat());
}

#[test]
fn budgets_are_kept_and_the_question_can_be_asked_again() {
    let mut t = Terms::new();
    let (x, y, product) = factoring(&mut t, 24, 11_863_279 * 9_737_333);
    let mut solver = Solver::new();
    solver.assert(&t, product);
    let few = Budget::steps(20);
    assert_eq!(
        solver.check(&t, &[], &few),
        Outcome::Unknown(StopReason::Steps)
    );
    assert!(solver.statistics().conflicts <= 20);
    let late = Budget::unlimited().within(Duration::ZERO);
    assert_eq!(
        solver.check(&t, &[], &late),
        Outcome::Unknown(StopReason::Time)
    );
    // With one factor given it is easy.
    let factor = t.bv(11_863_279, 24);
    let given = t.eq(x, factor);
    let model = sat(solver.check(&t, &[given], &Budget::unlimited()));
    assert_eq!(model.eval(&t, y), 9_737_333);
}

#[test]
fn too_many_clauses_are_a_reason_to_stop() {
    let mut t = Terms::new();
    let (_, _, product) = factoring(&mut t, 16, 62_615_533);
    let mut solver = Solver::new();
    solver.set_max_clauses(100);
    let budget = Budget::unlimited();
    assert!(solver.check(&t, &[], &budget).is_sat());
    let answer = solver.check(&t, &[product], &budget);
    assert_eq!(answer, Outcome::Unknown(StopReason::Memory));
}

#[test]
fn the_same_questions_get_the_same_models() {
    let run = || {
        let mut t = Terms::new();
        let (x, y, product) = factoring(&mut t, 14, 16_127 * 16_111);
        let mut solver = Solver::new();
        solver.assert(&t, product);
        let less = t.ult(x, y);
        let models: Vec<Outcome> = [vec![], vec![less], vec![t.not(less)]]
            .iter()
            .map(|a| solver.check(&t, a, &Budget::unlimited()))
            .collect();
        (models, solver.statistics())
    };
    assert_eq!(run(), run());
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    for mut t in [Terms::new(), Terms::unsimplified()] {
        let x = t.bv_var("x", 4);
        let c = t.bool_var("c");
        let mut sum = x;
        for i in 0..30_000u128 {
            let k = t.bv(i % 7, 4);
            let flipped = t.xor(sum, k);
            let more = t.add(flipped, x);
            sum = t.ite(c, more, flipped);
        }
        let low = t.extract(2, 0, sum);
        let zero = t.bv(0, 3);
        let goal = t.eq(low, zero);
        let on = t.eq(x, sum);
        let mut solver = Solver::new();
        let off = t.not(c);
        let model = sat(solver.check(&t, &[goal, off], &Budget::unlimited()));
        assert_eq!(model.eval(&t, low), 0);
        // Only that it can be built and evaluated.
        let _ = model.eval(&t, on);
    }
}

#[test]
fn rewriting_a_shared_chain_takes_linear_time() {
    let mut t = Terms::new();
    let (mut a, mut b) = (t.bv_var("a", 64), t.bv_var("b", 64));
    for _ in 0..200 {
        let next = t.add(a, b);
        (a, b) = (b, next);
    }
    let before = t.len();
    let low = t.extract(7, 0, b);
    assert_eq!(t.width(low), 8);
    assert!(t.len() - before < 2_000, "{} new terms", t.len() - before);
}

#[test]
fn evaluation_ends_with_the_budget() {
    let mut terms = Terms::new();
    let x = terms.bv_var("x", 32);
    let mut sum = x;
    for i in 1..20_000 {
        let c = terms.bv(i, 32);
        let shifted = terms.xor(sum, c);
        sum = terms.add(shifted, x);
    }
    let model = Model::new();
    let canceller = Canceller::new();
    let budget = Budget::unlimited().cancelled_by(&canceller);
    let whole = Evaluator::new(&terms, &model).eval_within(sum, &budget);
    assert_eq!(whole, Ok(model.eval(&terms, sum)));
    canceller.cancel();
    let mut evaluator = Evaluator::new(&terms, &model);
    assert_eq!(
        evaluator.eval_within(sum, &budget),
        Err(StopReason::Interrupted)
    );
    // What was evaluated before is kept, so that it can go on.
    assert_eq!(Ok(evaluator.eval(sum)), whole);
}

//! Random terms, built simplified and unsimplified: same values under random models, facts that
//! hold, equality proved by the solver, and the two SAT back ends of one opinion.

use idiolect_base::Budget;
use idiolect_smt::batsat::Batsat;
use idiolect_smt::{
    ArrayId, BinaryOp, Evaluator, Model, Outcome, Solver, Sort, TermId, Terms, mask,
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

/// One step of a recipe: what to build, from which of the terms built so far.
type Step = (u8, u16, u16, u16, u8);

fn recipe(steps: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (
        any::<u8>(),
        any::<u16>(),
        any::<u16>(),
        any::<u16>(),
        any::<u8>(),
    );
    prop::collection::vec(step, 1..steps)
}

struct Kitchen {
    words: Vec<TermId>,
    bools: Vec<TermId>,
    arrays: Vec<ArrayId>,
    variables: Vec<TermId>,
}

/// Follows the recipe in the pool `t`. The same recipe meets the same choices in every pool.
fn cook(t: &mut Terms, width: u32, steps: &[Step], with_arrays: bool) -> Kitchen {
    let mut k = Kitchen {
        words: vec![
            t.bv_var("x", width),
            t.bv_var("y", width),
            t.bv_var("z", width),
        ],
        bools: vec![t.bool_var("p"), t.bool_var("q")],
        arrays: Vec::new(),
        variables: Vec::new(),
    };
    k.variables = [&k.words[..], &k.bools[..]].concat();
    if with_arrays {
        // Wide enough not to be split into elements.
        k.arrays.push(t.array_var("m", 5, width));
        let zero = t.bv(0, width);
        k.arrays.push(t.array_const(zero, 5));
    }
    for &(what, i, j, l, extra) in steps {
        let word = |k: &Kitchen, n: u16| k.words[n as usize % k.words.len()];
        let boolean = |k: &Kitchen, n: u16| k.bools[n as usize % k.bools.len()];
        let (a, p, q) = (word(&k, i), boolean(&k, i), boolean(&k, j));
        let wa = t.width(a);
        let fit = |t: &mut Terms, term: TermId, to: u32| {
            let from = t.width(term);
            match from.cmp(&to) {
                std::cmp::Ordering::Less if extra % 2 == 0 => t.zext(term, to),
                std::cmp::Ordering::Less => t.sext(term, to),
                std::cmp::Ordering::Equal => term,
                std::cmp::Ordering::Greater => t.extract(to - 1, 0, term),
            }
        };
        let b = if extra % 5 == 0 {
            t.bv(u128::from(l % 9), wa)
        } else {
            fit(t, word(&k, j), wa)
        };
        match what % 12 {
            0..=4 => {
                let op = BinaryOp::ALL[what as usize / 12 % BinaryOp::ALL.len()];
                if op == BinaryOp::Concat && 2 * wa > 2 * width {
                    continue;
                }
                let made = t.binary(op, a, b);
                if t.sort(made) == Sort::Bool {
                    k.bools.push(made);
                } else {
                    k.words.push(made);
                }
            }
            5 => k.words.push(t.ite(p, a, b)),
            6 => k.words.push(match extra % 3 {
                0 => t.not(a),
                1 => t.neg(a),
                _ => t.bv(u128::from(l), wa),
            }),
            7 => {
                let (lo, hi) = (u32::from(j) % wa, u32::from(l) % wa);
                k.words.push(t.extract(lo.max(hi), lo.min(hi), a));
            }
            8 => {
                let to = (wa + u32::from(j) % 4).min(2 * width);
                k.words.push(fit(t, a, to));
            }
            9 => k.bools.push(match extra % 6 {
                0 => t.and(p, q),
                1 => t.or(p, q),
                2 => t.xor(p, q),
                3 => t.not(p),
                4 => t.eq(p, q),
                _ => t.ite(p, q, boolean(&k, l)),
            }),
            10 if with_arrays => {
                let array = k.arrays[l as usize % k.arrays.len()];
                let (index, element) = (fit(t, a, 5), fit(t, b, width));
                let made = t.store(array, index, element);
                k.arrays.push(if extra % 4 == 0 {
                    t.array_ite(q, made, k.arrays[j as usize % k.arrays.len()])
                } else {
                    made
                });
            }
            11 if with_arrays => {
                let index = fit(t, a, 5);
                k.words
                    .push(t.select(k.arrays[l as usize % k.arrays.len()], index));
            }
            _ => k.bools.push(t.ult(a, b)),
        }
    }
    k
}

/// A model of both pools, whose variables correspond by position.
fn model(t: &Terms, variables: &[TermId], values: &[u128]) -> Model {
    let mut model = Model::new();
    for (&v, &value) in variables.iter().zip(values) {
        model.set_term(t, v, value);
    }
    let memory = model.array_mut(0);
    memory.default = values[0] & 1;
    for (i, value) in values.iter().enumerate() {
        memory.entries.insert(i as u128 * 3, value & 1);
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]
    #[test]
    fn rewriting_keeps_every_value(
        width in prop_oneof![1u32..=8, Just(32), Just(64)],
        steps in recipe(40),
        values in prop::collection::vec(any::<u128>(), 5),
        with_arrays in any::<bool>(),
    ) {
        let (mut simple, mut raw) = (Terms::new(), Terms::unsimplified());
        let a = cook(&mut simple, width, &steps, with_arrays);
        let b = cook(&mut raw, width, &steps, with_arrays);
        let (ma, mb) = (model(&simple, &a.variables, &values), model(&raw, &b.variables, &values));
        let (mut ea, mut eb) = (Evaluator::new(&simple, &ma), Evaluator::new(&raw, &mb));
        let pairs = a.words.iter().zip(&b.words).chain(a.bools.iter().zip(&b.bools));
        for (&s, &r) in pairs {
            let value = eb.eval(r);
            prop_assert_eq!(ea.eval(s), value, "{:?} for {:?}", simple.node(s), raw.node(r));
            for facts in [simple.facts(s), raw.facts(r)] {
                prop_assert!(facts.min <= value && value <= facts.max, "{:?} of {:?}", facts, raw.node(r));
                prop_assert!(value & facts.zeros == 0 && !value & facts.ones == 0, "{:?}", facts);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn rewriting_is_proved_equal_by_the_solver(width in 1u32..=4, steps in recipe(25)) {
        let (mut simple, mut raw) = (Terms::new(), Terms::unsimplified());
        let a = cook(&mut simple, width, &steps, false);
        let b = cook(&mut raw, width, &steps, false);
        let mut known: FxHashMap<TermId, TermId> =
            a.variables.iter().copied().zip(b.variables.iter().copied()).collect();
        let mut solver = Solver::new();
        for (&s, &r) in a.words.iter().zip(&b.words).chain(a.bools.iter().zip(&b.bools)) {
            let copy = raw.import(&simple, s, &mut known);
            let same = raw.eq(copy, r);
            let differ = raw.not(same);
            let outcome = solver.check(&raw, &[differ], &Budget::unlimited());
            prop_assert!(outcome.is_unsat(), "{:?} for {:?}", simple.node(s), raw.node(r));
        }
    }

    /// Four solvers on one question: two pools, two back ends. Models are checked inside.
    #[test]
    fn all_solvers_agree(
        width in 1u32..=5,
        steps in recipe(40),
        with_arrays in any::<bool>(),
    ) {
        let (mut simple, mut raw) = (Terms::new(), Terms::unsimplified());
        let a = cook(&mut simple, width, &steps, with_arrays);
        let b = cook(&mut raw, width, &steps, with_arrays);
        let budget = Budget::unlimited();
        for (t, kitchen) in [(&simple, &a), (&raw, &b)] {
            let mut solvers = [Solver::new(), Solver::with_backend(Box::new(Batsat::new()))];
            // The last Bools are the most involved ones; one and two of them at a time.
            let last: Vec<TermId> = kitchen.bools.iter().rev().take(4).copied().collect();
            for pair in last.windows(2) {
                for question in [&pair[..1], pair] {
                    let answers = solvers.each_mut().map(|s| s.check(t, question, &budget));
                    prop_assert_eq!(answers[0].is_sat(), answers[1].is_sat());
                    for (solver, answer) in solvers.iter_mut().zip(answers) {
                        if let Outcome::Unsat(core) = answer {
                            prop_assert!(core.iter().all(|c| question.contains(c)));
                            prop_assert!(solver.check(t, &core, &budget).is_unsat());
                        }
                    }
                }
            }
        }
        // And the two pools agree with each other.
        for (&s, &r) in a.bools.iter().zip(&b.bools).rev().take(4) {
            let left = Solver::new().check(&simple, &[s], &budget).is_sat();
            let right = Solver::new().check(&raw, &[r], &budget).is_sat();
            prop_assert_eq!(left, right);
        }
    }
}

/// The same terms in a small pool have the same facts whatever their width; the widest words are
/// where shifts by the width would go wrong.
#[test]
fn facts_of_the_widest_words_are_sound() {
    let mut t = Terms::unsimplified();
    let x = t.bv_var("x", 128);
    let ones = t.bv(u128::MAX, 128);
    for op in BinaryOp::ALL {
        if op == BinaryOp::Concat {
            continue;
        }
        let made = t.binary(op, x, ones);
        for value in [0, 1, u128::MAX, 1 << 127, mask(127)] {
            let mut m = Model::new();
            m.set_term(&t, x, value);
            let result = m.eval(&t, made);
            let facts = t.facts(made);
            assert!(
                facts.min <= result && result <= facts.max,
                "{op:?} of {value}"
            );
        }
    }
}

//! Arrays against a map: the same writes and reads done by the solver and by hand.

use std::collections::BTreeMap;

use idiolect_base::Budget;
use idiolect_smt::{ArrayId, Model, Outcome, Solver, TermId, Terms};
use proptest::prelude::*;

const INDEX: u32 = 6;
const ELEMENT: u32 = 8;

#[derive(Clone, Debug)]
enum Act {
    /// Write variable `value` at variable `index` plus a constant.
    Store {
        index: usize,
        plus: u8,
        value: usize,
    },
    /// Go on with one of two arrays, by a Bool variable.
    Choose { cond: usize, with: usize },
    /// Read, and use what was read as an index too.
    Read { index: usize, plus: u8 },
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0usize..6, 0u8..4, 0usize..6)
            .prop_map(|(index, plus, value)| Act::Store { index, plus, value }),
        1 => (0usize..2, 0usize..40).prop_map(|(cond, with)| Act::Choose { cond, with }),
        2 => (0usize..6, 0u8..4).prop_map(|(index, plus)| Act::Read { index, plus }),
    ]
}

/// What the acts read, symbolically.
struct Symbolic {
    variables: Vec<TermId>,
    bools: Vec<TermId>,
    memory: ArrayId,
    reads: Vec<TermId>,
}

fn run_symbolically(t: &mut Terms, acts: &[Act]) -> Symbolic {
    let mut variables: Vec<TermId> = (0..6)
        .map(|i| t.bv_var(&format!("v{i}"), ELEMENT))
        .collect();
    let names = variables.clone();
    let bools: Vec<TermId> = (0..2).map(|i| t.bool_var(&format!("c{i}"))).collect();
    let memory = t.array_var("memory", INDEX, ELEMENT);
    let mut arrays = vec![memory];
    let mut reads = Vec::new();
    for a in acts {
        let now = arrays[arrays.len() - 1];
        let place = |t: &mut Terms, index: usize, plus: u8| {
            let k = t.bv(u128::from(plus), ELEMENT);
            let sum = t.add(variables[index % variables.len()], k);
            t.extract(INDEX - 1, 0, sum)
        };
        match *a {
            Act::Store { index, plus, value } => {
                let i = place(t, index, plus);
                arrays.push(t.store(now, i, names[value]));
            }
            Act::Choose { cond, with } => {
                let other = arrays[with % arrays.len()];
                arrays.push(t.array_ite(bools[cond], now, other));
            }
            Act::Read { index, plus } => {
                let i = place(t, index, plus);
                let read = t.select(now, i);
                reads.push(read);
                // The next acts may use it as an index.
                variables[index] = read;
            }
        }
    }
    Symbolic {
        variables: names,
        bools,
        memory,
        reads,
    }
}

/// What the acts read when the variables have the values of `model`.
fn run_by_hand(t: &Terms, s: &Symbolic, model: &Model, acts: &[Act]) -> Vec<u128> {
    let mut variables: Vec<u128> = s.variables.iter().map(|&v| model.eval(t, v)).collect();
    let values = variables.clone();
    let bools: Vec<bool> = s.bools.iter().map(|&b| model.eval_bool(t, b)).collect();
    let start = model.array(0).cloned().unwrap_or_default();
    let initial: BTreeMap<u128, u128> = (0..1 << INDEX).map(|i| (i, start.get(i))).collect();
    let mut arrays = vec![initial];
    let mut reads = Vec::new();
    for a in acts {
        let mut now = arrays[arrays.len() - 1].clone();
        let place = |variables: &[u128], index: usize, plus: u8| {
            (variables[index] + u128::from(plus)) & ((1 << INDEX) - 1)
        };
        match *a {
            Act::Store { index, plus, value } => {
                now.insert(place(&variables, index, plus), values[value]);
                arrays.push(now);
            }
            Act::Choose { cond, with } => {
                let other = arrays[with % arrays.len()].clone();
                arrays.push(if bools[cond] { now } else { other });
            }
            Act::Read { index, plus } => {
                let read = now[&place(&variables, index, plus)];
                reads.push(read);
                variables[index] = read;
            }
        }
    }
    reads
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn reads_agree_with_a_map(
        acts in prop::collection::vec(act(), 1..60),
        wanted in prop::collection::vec(any::<u8>(), 4),
        simplify in any::<bool>(),
    ) {
        let mut t = if simplify { Terms::new() } else { Terms::unsimplified() };
        let s = run_symbolically(&mut t, &acts);
        // Ask for a run whose last reads have certain low bits: one bit each keeps many satisfiable.
        let mut question = Vec::new();
        for (&read, want) in s.reads.iter().rev().zip(&wanted) {
            let bit = t.extract(0, 0, read);
            let want = t.bv(u128::from(*want), 1);
            question.push(t.eq(bit, want));
        }
        let mut solver = Solver::new();
        match solver.check(&t, &question, &Budget::unlimited()) {
            Outcome::Sat(model) => {
                let by_hand = run_by_hand(&t, &s, &model, &acts);
                let symbolic: Vec<u128> = s.reads.iter().map(|&r| model.eval(&t, r)).collect();
                prop_assert_eq!(symbolic, by_hand);
                // The whole run can be pinned to these values, and to no others.
                let mut pinned = question.clone();
                for &v in s.variables.iter().chain(&s.bools) {
                    let value = t.constant(model.eval(&t, v), t.sort(v));
                    pinned.push(t.eq(v, value));
                }
                for i in 0..1u128 << INDEX {
                    let index = t.bv(i, INDEX);
                    let element = t.select(s.memory, index);
                    let value = model.eval(&t, element);
                    let value = t.bv(value, ELEMENT);
                    pinned.push(t.eq(element, value));
                }
                prop_assert!(solver.check(&t, &pinned, &Budget::unlimited()).is_sat());
                for &read in s.reads.iter().rev().take(3) {
                    let value = t.constant(model.eval(&t, read), t.sort(read));
                    let other = t.ne(read, value);
                    let mut question = pinned.clone();
                    question.push(other);
                    let answer = solver.check(&t, &question, &Budget::unlimited());
                    prop_assert!(answer.is_unsat());
                }
            }
            Outcome::Unsat(core) => {
                prop_assert!(solver.check(&t, &core, &Budget::unlimited()).is_unsat());
            }
            Outcome::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
    }
}

/// A chain of writes too long to be expanded, so that refinement has to do it.
fn long_chain(t: &mut Terms, n: usize) -> (Vec<TermId>, ArrayId) {
    let mut memory = t.array_var("memory", 32, 32);
    let indices: Vec<TermId> = (0..n).map(|i| t.bv_var(&format!("i{i}"), 32)).collect();
    for (k, &i) in indices.iter().enumerate() {
        let value = t.bv(k as u128, 32);
        memory = t.store(memory, i, value);
    }
    (indices, memory)
}

#[test]
fn long_chains_are_refined_only_where_it_matters() {
    let mut t = Terms::new();
    let n = 200;
    let (indices, memory) = long_chain(&mut t, n);
    let j = t.bv_var("j", 32);
    let read = t.select(memory, j);
    let wanted = t.bv(5, 32);
    let goal = t.eq(read, wanted);
    let here = t.eq(j, indices[n - 1]);
    let mut solver = Solver::new();
    let budget = Budget::unlimited();
    // The newest write wins: one axiom settles it.
    assert!(solver.check(&t, &[goal, here], &budget).is_unsat());
    let one = solver.statistics().array_lemmas;
    assert!(one <= 2, "{one} lemmas");
    let Outcome::Sat(model) = solver.check(&t, &[goal], &budget) else {
        panic!("write 5 can be read");
    };
    assert_eq!(model.eval(&t, read), 5);
    // Unless it is nowhere: then no value below n can be 5 but that write's or the array's own.
    let mut apart: Vec<TermId> = Vec::new();
    for &i in &indices[..n] {
        apart.push(t.ne(i, j));
    }
    let outcome = solver.check(&t, &[&apart[..], &[goal]].concat(), &budget);
    assert!(outcome.is_sat(), "the array itself may hold a 5 there");
    assert!(solver.statistics().array_lemmas <= 2 * n as u64 + 10);
}

#[test]
fn equal_indices_read_equal_elements() {
    let mut t = Terms::new();
    let memory = t.array_var("memory", 32, 8);
    let (i, j, k) = (t.bv_var("i", 32), t.bv_var("j", 32), t.bv_var("k", 32));
    let reads = [i, j, k].map(|x| t.select(memory, x));
    let same = [t.eq(i, j), t.eq(j, k)];
    let differ = t.ne(reads[0], reads[2]);
    let mut solver = Solver::new();
    let budget = Budget::unlimited();
    let outcome = solver.check(&t, &[same[0], same[1], differ], &budget);
    assert!(outcome.is_unsat());
    assert!(solver.check(&t, &[same[0], differ], &budget).is_sat());
}

#[test]
fn constant_indices_cost_nothing() {
    // What an unrolled loop over an array does: no lemma, no select, no solver.
    let mut t = Terms::new();
    let zero = t.bv(0, 32);
    let mut array = t.array_const(zero, 32);
    let mut sum = zero;
    for i in 0..1000u128 {
        let (index, value) = (t.bv(i, 32), t.bv(3 * i, 32));
        array = t.store(array, index, value);
        let read = t.select(array, index);
        sum = t.add(sum, read);
    }
    assert_eq!(t.as_const(sum), Some(3 * 999 * 500));
    let first = t.select(array, zero);
    assert_eq!(t.as_const(first), Some(0));
}

#[test]
fn small_arrays_are_split_into_elements() {
    let mut t = Terms::new();
    let small = t.array_var("small", 3, 8);
    let i = t.bv_var("i", 3);
    let read = t.select(small, i);
    let seven = t.bv(7, 8);
    let goal = t.eq(read, seven);
    let mut solver = Solver::new();
    assert!(solver.check(&t, &[goal], &Budget::unlimited()).is_sat());
    assert_eq!(solver.statistics().array_lemmas, 0);
    assert_eq!(t.n_array_variables(), 0);
}

#[test]
fn reads_over_a_thousand_writes_take_few_rounds_and_clauses() {
    let mut t = Terms::new();
    let n = 1000;
    let (indices, memory) = long_chain(&mut t, n);
    let budget = Budget::unlimited();
    let mut solver = Solver::new();
    let mut reads = Vec::new();
    for k in 0..20u128 {
        let (j, wanted) = (t.bv_var(&format!("j{k}"), 32), t.bv(k * 50, 32));
        let read = t.select(memory, j);
        let goal = t.eq(read, wanted);
        let Outcome::Sat(model) = solver.check(&t, &[goal], &budget) else {
            panic!("write {} can be read", k * 50);
        };
        assert_eq!(model.eval(&t, read), k * 50);
        reads.push((j, read));
    }
    let s = solver.statistics();
    // One expansion of every read over every write takes 3.9 million clauses.
    assert!(s.clauses < 1_000_000, "{} clauses", s.clauses);
    assert!(s.solver_calls < 20 * 12, "{} calls", s.solver_calls);
    // What follows needs a comparison with every newer write.
    let (j, read) = reads[3];
    let mut question = vec![t.eq(j, indices[7])];
    for &i in &indices[8..] {
        question.push(t.ne(i, j));
    }
    let seven = t.bv(7, 32);
    question.push(t.ne(read, seven));
    let Outcome::Unsat(core) = solver.check(&t, &question, &budget) else {
        panic!("write 7 is read");
    };
    assert_eq!(core.len(), question.len());
    let after = solver.statistics();
    let rounds = after.solver_calls - s.solver_calls;
    assert!(rounds < 20, "{rounds} calls");
}

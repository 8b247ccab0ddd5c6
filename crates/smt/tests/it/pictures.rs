//! Questions as clauses and as text: the clauses have the answers that the solver gives, and the
//! literals of inputs have their values.

use crate::common;

use common::{Vars, read};
use idiolect_base::{Budget, Rng};
use idiolect_smt::dimacs::{Bit, Cnf};
use idiolect_smt::listing::listing;
use idiolect_smt::sat::SatResult;
use idiolect_smt::{BinaryOp, Model, Solver, TermId, Terms, default_backend};

/// A random question over words, Bools and an array with more writes than are eliminated.
fn question(t: &mut Terms, seed: u64) -> (Vec<TermId>, Vec<TermId>) {
    let mut rng = Rng::new(seed, 0);
    let width = 6;
    let mut words: Vec<TermId> = ["x", "y", "z"].map(|n| t.bv_var(n, width)).to_vec();
    let inputs = words.clone();
    let mut bools: Vec<TermId> = Vec::new();
    let mut array = t.array_var("memory", width, width);
    for step in 0..60 {
        let pick = |rng: &mut Rng, from: &[TermId]| from[rng.below(from.len() as u64) as usize];
        let (a, b) = (pick(&mut rng, &words), pick(&mut rng, &words));
        match rng.below(6) {
            0 => words.push(t.select(array, a)),
            1..=3 => array = t.store(array, a, b),
            _ => {
                let ops = [BinaryOp::Add, BinaryOp::Xor, BinaryOp::Ult, BinaryOp::Eq];
                let made = t.binary(ops[rng.below(4) as usize], a, b);
                if t.sort(made) == t.sort(a) {
                    words.push(made);
                } else if step > 20 {
                    bools.push(made);
                }
            }
        }
    }
    let question = bools.into_iter().rev().take(4);
    let negate = |(i, q): (usize, TermId)| if i % 2 == 0 { t.not(q) } else { q };
    (question.enumerate().map(negate).collect(), inputs)
}

#[test]
fn clauses_have_the_answer_of_the_question() {
    let mut n_answers = [0, 0];
    let budget = Budget::unlimited();
    for seed in 0..150 {
        let mut t = if seed % 3 == 0 {
            Terms::unsimplified()
        } else {
            Terms::new()
        };
        let (question, inputs) = question(&mut t, seed);
        let cnf = Cnf::new(&t, &question, &inputs, &budget).expect("no limit");
        let mut sat = default_backend();
        for _ in 0..cnf.n_variables() {
            sat.new_var();
        }
        cnf.clauses().iter().for_each(|c| sat.add_clause(c));
        let answer = sat.solve(&[], &budget);
        let outcome = Solver::new().check(&t, &question, &budget);
        assert_eq!(answer == SatResult::Sat, outcome.is_sat(), "seed {seed}");
        n_answers[usize::from(outcome.is_sat())] += 1;
        if answer != SatResult::Sat {
            continue;
        }
        // The inputs that the clauses chose are those of a model.
        let mut model = Model::new();
        for &input in &inputs {
            let mut value = 0;
            for (i, &bit) in cnf.bits(input).iter().enumerate() {
                let holds = match bit {
                    Bit::Constant(holds) => holds,
                    Bit::Literal(lit) => sat.value(lit),
                    Bit::Absent => false,
                };
                value |= u128::from(holds) << i;
            }
            model.set_term(&t, input, value);
        }
        let mut pinned = question.clone();
        for &input in &inputs {
            let value = t.bv(model.eval(&t, input), 6);
            pinned.push(t.eq(input, value));
        }
        let outcome = Solver::new().check(&t, &pinned, &budget);
        assert!(outcome.is_sat(), "seed {seed}: the inputs of the clauses");
    }
    assert!(
        n_answers.iter().all(|&n| n > 10),
        "both occur: {n_answers:?}"
    );
}

#[test]
fn clauses_are_printed_as_dimacs() {
    let mut t = Terms::new();
    let (p, q) = (t.bool_var("p"), t.bool_var("q"));
    let either = t.xor(p, q);
    let cnf = Cnf::new(&t, &[either], &[p, q], &Budget::unlimited()).expect("no limit");
    assert_eq!(cnf.text(), "p cnf 3 3\n-1 2 3 0\n-1 -2 -3 0\n1 0\n");
    let both: Vec<Bit> = [p, q].iter().flat_map(|&x| cnf.bits(x).to_vec()).collect();
    assert!(matches!(both[..], [Bit::Literal(a), Bit::Literal(b)] if a != b));
}

#[test]
fn a_listing_names_what_is_shared() {
    let mut t = Terms::new();
    let v = Vars::new(&mut t, 8);
    let sum = read(&mut t, &v, "(add x y)").expect("a term");
    let square = t.mul(sum, sum);
    let minus_two = t.bv(254, 8);
    let goal = t.slt(square, minus_two);
    let [p, ..] = v.bools;
    let question = t.and(goal, p);
    let listing = listing(&t, &[question, p], &mut |v| {
        (v.0 == 1).then(|| "second".to_owned())
    });
    assert_eq!(listing.definitions, "t1: 8 = add(x, second)\n");
    let [question, p] = &listing.roots[..] else {
        panic!("two roots");
    };
    assert_eq!(p, "p");
    assert!(question.contains("slt(mul(t1, t1), -2)"), "{question}");
}

//! Learners against all short words.
//!
//! Two complete DFA of m and n states that differ do so on some word of at most m + n - 2 letters,
//! so for five states the words below length nine settle it.

use crate::common;

use common::{Style, Teacher};
use idiolect_automata::{Dfa, Letter, Moore, Word};
use idiolect_base::Rng;
use idiolect_learn::{Learner, LearnerKind, MooreOracle, learn};
use proptest::prelude::*;

fn words_shorter_than(length: usize, k: usize) -> Vec<Word> {
    let mut words = vec![Word::new()];
    let mut from = 0;
    for _ in 1..length {
        let to = words.len();
        for i in from..to {
            for a in 0..k {
                words.push([words[i].as_slice(), &[Letter::new(a)]].concat());
            }
        }
        from = to;
    }
    words
}

/// Any machine with up to `n` states over `k` letters and outputs below `outputs`.
fn any_machine(n: usize, k: usize, outputs: u8) -> impl Strategy<Value = Moore<u8>> {
    (1..=n).prop_flat_map(move |n| {
        let rows = proptest::collection::vec((0..outputs, proptest::collection::vec(0..n, k)), n);
        rows.prop_map(move |rows| {
            let outputs: Vec<u8> = rows.iter().map(|(o, _)| *o).collect();
            Moore::from_fn(k, &outputs, |q, a| rows[q].1[a.index()])
        })
    })
}

fn to_dfa(machine: &Moore<u8>) -> Dfa {
    let outputs: Vec<bool> = machine.states().map(|q| *machine.output(q) > 0).collect();
    Dfa::from_fn(machine.n_letters(), &outputs, |q, a| {
        machine.step(idiolect_automata::StateId::new(q), a).index()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_learner_learns_the_minimal_dfa(machine in any_machine(5, 2, 2), long in any::<bool>()) {
        let target = to_dfa(&machine);
        let style = if long { Style::Padded(30) } else { Style::Random };
        for kind in LearnerKind::ALL {
            let mut mq = MooreOracle::new(&target);
            let mut learner = kind.start_dfa(2, &mut mq).unwrap();
            learn(&mut learner, &mut mq, &mut Teacher::new(&target, style)).unwrap();
            let learned = learner.hypothesis();
            prop_assert_eq!(learned.n_states(), target.minimize().n_states(), "{}", kind.name());
            for word in words_shorter_than(9, 2) {
                let (left, right) = (learned.accepts(&word), target.accepts(&word));
                prop_assert_eq!(left, right, "{} on {:?}", kind.name(), word);
            }
        }
    }

    #[test]
    fn every_learner_learns_the_minimal_moore_machine(target in any_machine(5, 2, 3)) {
        for kind in LearnerKind::ALL.into_iter().filter(|k| k.learns_moore()) {
            let mut mq = MooreOracle::new(&target);
            let mut learner = kind.start_moore(2, &mut mq).unwrap().unwrap();
            let end = learn(&mut learner, &mut mq, &mut Teacher::new(&target, Style::Random));
            prop_assert!(end.is_ok(), "{}: {:?}", kind.name(), end);
            let learned = learner.hypothesis();
            prop_assert_eq!(learned.n_states(), target.minimize().n_states(), "{}", kind.name());
            for word in words_shorter_than(9, 2) {
                let (left, right) = (learned.output_of(&word), target.output_of(&word));
                prop_assert_eq!(left, right, "{} on {:?}", kind.name(), word);
            }
        }
    }
}

/// A third output may show up while a block is split: TTT then has a new state and goes on.
#[test]
fn ttt_meets_new_outputs_while_it_splits() {
    let steps = [[0, 1], [4, 1], [0, 2], [2, 0], [3, 0]];
    let outputs = [2u8, 2, 1, 0, 2];
    let target = Moore::from_fn(2, &outputs, |q, a| steps[q][a.index()]);
    for kind in LearnerKind::ALL.into_iter().filter(|k| k.learns_moore()) {
        for seed in 0..200 {
            let mut mq = MooreOracle::new(&target);
            let mut learner = kind.start_moore(2, &mut mq).unwrap().unwrap();
            let mut teacher = Teacher::new(&target, Style::Random);
            teacher.rng = Rng::new(seed, 5);
            let end = learn(&mut learner, &mut mq, &mut teacher);
            assert!(end.is_ok(), "{} with seed {seed}: {end:?}", kind.name());
            assert!(learner.hypothesis().is_equivalent(&target));
        }
    }
}

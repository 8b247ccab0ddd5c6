//! Mealy machines: every learner against brute force, and conformance tests that keep their promise.

use idiolect_automata::generate::random_mealy;
use idiolect_automata::{Letter, Mealy, Word};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{
    Counterexample, Counting, EqAnswer, EquivalenceOracle, Exact, Guarantee, LSharp, Learner,
    LearnerKind, MealyOracle, MembershipOracle, RandomWalks, RandomWp, RefineError, StateCover,
    Trace, Ttt, WMethod, WpMethod, learn,
};
use proptest::prelude::*;

fn any_mealy(n: usize, k: usize, outputs: u8) -> impl Strategy<Value = Mealy<u8>> {
    (1..=n).prop_flat_map(move |n| {
        let steps = proptest::collection::vec((0..n, 0..outputs), n * k);
        steps.prop_map(move |steps| Mealy::from_fn(k, n, |q, a| steps[q * k + a.index()]))
    })
}

/// Gives words with a difference at the end, and perhaps others before it.
struct Teacher<'a> {
    target: &'a Mealy<u8>,
    rng: Rng,
}

impl EquivalenceOracle<u8, Mealy<u8>> for Teacher<'_> {
    fn compare(&mut self, hypothesis: &Mealy<u8>) -> Result<EqAnswer<u8>, StopReason> {
        let target = self.target;
        let Some(mut word) = target.distinguishing_word(hypothesis) else {
            return Ok(EqAnswer::Agrees(Guarantee::Proved));
        };
        for _ in 0..20 {
            let length = self.rng.below(25) + 1;
            let k = target.n_letters() as u64;
            let candidate: Word = (0..length)
                .map(|_| Letter(self.rng.below(k) as u32))
                .collect();
            if target.output_of(&candidate) != hypothesis.output_of(&candidate) {
                word = candidate;
                break;
            }
        }
        let answer = *target.output_of(&word).unwrap();
        Ok(EqAnswer::Differs(Counterexample { word, answer }))
    }
}

/// Panics if it is asked for a word whose answers it has given, or for the empty word.
struct NoRepeats<'a> {
    inner: MealyOracle<'a, u8>,
    told: std::collections::BTreeSet<Word>,
}

impl MembershipOracle for NoRepeats<'_> {
    type Answer = u8;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<u8>, StopReason> {
        panic!("whole words of a Mealy machine are asked with their prefixes: {words:?}");
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<u8>>, StopReason> {
        for word in words {
            assert!(!word.is_empty() && !self.told.contains(word), "{word:?}");
            for i in 1..=word.len() {
                self.told.insert(word[..i].to_vec());
            }
        }
        self.inner.ask_traces(words)
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}

fn mealy_learners() -> impl Iterator<Item = LearnerKind> {
    LearnerKind::ALL.into_iter().filter(|k| k.learns_moore())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_learner_learns_the_minimal_machine(
        target in any_mealy(6, 2, 3), seed in any::<u64>(), shortest in any::<bool>(),
    ) {
        let n = target.minimize().n_states();
        for kind in mealy_learners() {
            let mut mq = NoRepeats { inner: MealyOracle::new(&target), told: Default::default() };
            let mut learner = kind.start_mealy(2, &mut mq).unwrap().unwrap();
            let mut teacher = Teacher { target: &target, rng: Rng::new(seed, 0) };
            let end = if shortest { learn(&mut learner, &mut mq, &mut Exact::new(&target)) } else { learn(&mut learner, &mut mq, &mut teacher) };
            let end = end.unwrap_or_else(|e| panic!("{}: {e}", kind.name()));
            prop_assert!(end.rounds <= n, "{}: {} rounds", kind.name(), end.rounds);
            let learned = learner.hypothesis();
            prop_assert_eq!(learned.n_states(), n, "{}", kind.name());
            prop_assert_eq!(learned.minimize(), target.minimize(), "{}", kind.name());
        }
    }

    // Whatever a complete test passes is the target, if that is as small as was said.
    #[test]
    fn complete_tests_keep_their_promise(
        target in any_mealy(4, 2, 2), hypothesis in any_mealy(3, 2, 2),
    ) {
        let hypothesis = hypothesis.minimize();
        let extra = target.minimize().n_states().saturating_sub(hypothesis.n_states());
        let same = hypothesis.is_equivalent(&target);
        let mut counts = Vec::new();
        for wp in [false, true] {
            let mut mq = Counting::new(MealyOracle::new(&target));
            let answer = if !wp { WMethod::new(&mut mq, extra).compare(&hypothesis).unwrap() } else { WpMethod::new(&mut mq, extra).compare(&hypothesis).unwrap() };
            counts.push(mq.counts().queries);
            match answer {
                EqAnswer::Agrees(guarantee) => {
                    prop_assert!(same);
                    let n = hypothesis.n_states() + extra;
                    prop_assert_eq!(guarantee, Guarantee::UpToStates(n));
                }
                EqAnswer::Differs(cex) => {
                    prop_assert_eq!(target.output_of(&cex.word), Some(&cex.answer));
                    let (last, front) = cex.word.split_last().unwrap();
                    prop_assert_eq!(target.outputs_of(front), hypothesis.outputs_of(front));
                    let state = hypothesis.run(hypothesis.initial(), front);
                    prop_assert_ne!(hypothesis.output(state, *last), &cex.answer);
                }
            }
        }
        prop_assert!(!same || counts[1] <= counts[0], "Wp asks no more than W");
    }
}

#[test]
fn large_machines_are_learned_by_all() {
    for (n, k, outputs) in [(1, 3, 2), (40, 4, 2), (150, 3, 5), (30, 20, 8)] {
        let target = random_mealy(&mut Rng::new(7, n as u64), n, k, outputs).unwrap();
        for kind in mealy_learners() {
            let mut mq = Counting::new(MealyOracle::new(&target));
            let mut learner = kind.start_mealy(k, &mut mq).unwrap().unwrap();
            learn(&mut learner, &mut mq, &mut Exact::new(&target)).unwrap();
            assert!(
                learner.hypothesis().is_equivalent(&target),
                "{}",
                kind.name()
            );
            assert_eq!(mq.counts().empty_word, 0);
        }
    }
}

#[test]
fn what_is_no_counterexample_is_refused() {
    let target = random_mealy(&mut Rng::new(1, 1), 5, 2, 2).unwrap();
    for kind in mealy_learners() {
        let mut mq = MealyOracle::new(&target);
        let mut learner = kind.start_mealy(2, &mut mq).unwrap().unwrap();
        learn(&mut learner, &mut mq, &mut Exact::new(&target)).unwrap();
        for word in [vec![], vec![Letter(1)]] {
            let answer = *target.output_of(&word).unwrap_or(&0);
            let refused = learner.refine(&Counterexample { word, answer }, &mut mq);
            assert!(matches!(
                refused,
                Err(RefineError::NotACounterexample { .. })
            ));
        }
    }
}

/// A lock that opens after one word of six letters: found from the state before the last step.
#[test]
fn random_tests_find_what_hides_behind_states() {
    let code = [0, 2, 1, 1, 0, 2];
    let lock = Mealy::from_fn(3, 7, |q, a| match q {
        6 => (6, 1u32),
        _ if a.index() == code[q] => (q + 1, u32::from(q == 5)),
        _ => (0, 0),
    });
    let rng = Rng::new(3, 3);
    let mut learner = Ttt::for_mealy(3, &mut MealyOracle::new(&lock)).unwrap();
    let mq = || MealyOracle::new(&lock);
    let mut eq = RandomWp::new(mq(), 5000, 4, rng.clone());
    let learned = learn(&mut learner, &mut mq(), &mut eq).unwrap();
    assert_eq!(learned.guarantee, Guarantee::Tested { words: 5000 });
    assert!(learner.hypothesis().is_equivalent(&lock));
    let mut learner = LSharp::for_mealy(3, &mut mq()).unwrap();
    let mut eq = StateCover::new(mq(), 2000, 8, rng.clone());
    learn(&mut learner, &mut mq(), &mut eq).unwrap();
    assert!(learner.hypothesis().is_equivalent(&lock));
    let mut learner = LSharp::for_mealy(3, &mut mq()).unwrap();
    let mut eq = RandomWalks::new(mq(), 100_000, 30, rng);
    learn(&mut learner, &mut mq(), &mut eq).unwrap();
    assert!(learner.hypothesis().is_equivalent(&lock));
}

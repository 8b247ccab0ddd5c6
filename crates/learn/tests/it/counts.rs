//! Exact numbers of questions: a change here is a change of an algorithm.

use crate::common;

use common::{Style, Teacher};
use idiolect_automata::generate::{RandomDfa, random_mealy};
use idiolect_automata::{Dfa, Letter, Mealy, Word};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::{
    Counting, DfaOracle, Exact, LSharp, Learner, LearnerKind, MealyOracle, MembershipOracle,
    RefineError, Trace, Ttt, learn,
};

fn random_dfa(n: usize, k: usize) -> Dfa {
    RandomDfa::new(n, k).draw(&mut Rng::new(1, 0)).unwrap()
}

/// Membership questions (without the empty word) and rounds against an exact oracle.
fn cost(target: &Dfa, kind: LearnerKind) -> (u64, usize) {
    let mut mq = Counting::new(DfaOracle::new(target));
    let mut learner = kind.start_dfa(target.n_letters(), &mut mq).unwrap();
    let learned = learn(&mut learner, &mut mq, &mut Exact::new(target)).unwrap();
    assert!(learner.hypothesis().is_equivalent(target));
    (mq.counts().queries, learned.rounds)
}

#[test]
fn questions_on_fifty_random_states() {
    let target = random_dfa(50, 5);
    let costs = LearnerKind::ALL.map(|kind| (kind.name(), cost(&target, kind)));
    assert_eq!(
        costs,
        [
            ("lstar", (3076, 11)),
            ("lstar-columns", (3059, 6)),
            ("rs", (2310, 12)),
            ("kv", (1188, 49)),
            ("ttt", (1187, 49)),
            ("nlstar", (4470, 2)),
            ("lsharp", (555, 1)),
        ]
    );
    let mut mq = Counting::new(DfaOracle::new(&target));
    let mut learner = LSharp::with_traces(5, false, &mut mq).unwrap();
    learn(&mut learner, &mut mq, &mut Exact::new(&target)).unwrap();
    assert_eq!(mq.counts().queries, 1223);
}

/// One state in twenty accepts: words tell less, and answers of prefixes count more. AALpy asks 5487,
/// 2023 and 1499 questions for this machine.
#[test]
fn questions_where_few_states_accept() {
    let kind = RandomDfa {
        acceptance: 0.05,
        ..RandomDfa::new(50, 5)
    };
    let target = kind.draw(&mut Rng::new(1, 0)).unwrap();
    let compared = [
        LearnerKind::RivestSchapire,
        LearnerKind::KearnsVazirani,
        LearnerKind::LSharp,
    ];
    assert_eq!(
        compared.map(|kind| cost(&target, kind)),
        [(4968, 27), (1995, 47), (1106, 2)]
    );
}

/// libalf needs 41,769 for such a machine.
#[test]
fn kv_on_a_thousand_random_states() {
    assert_eq!(
        cost(&random_dfa(1000, 5), LearnerKind::KearnsVazirani),
        (40867, 996)
    );
}

/// AALpy needs 4,528 for such a machine, each with the answers of all prefixes as here.
#[test]
fn lsharp_on_two_hundred_random_states() {
    assert_eq!(cost(&random_dfa(200, 5), LearnerKind::LSharp), (2122, 1));
}

/// Whatever the length of counterexamples, the discriminators of TTT stay short.
#[test]
fn ttt_forgets_long_counterexamples() {
    let target = random_dfa(60, 4);
    let mut mq = Counting::new(DfaOracle::new(&target));
    let mut learner = Ttt::new(4, &mut mq).unwrap();
    let mut eq = Teacher::new(&target, Style::Padded(800));
    learn(&mut learner, &mut mq, &mut eq).unwrap();
    assert!(learner.hypothesis().is_equivalent(&target));
    assert_eq!(learner.longest_discriminator(), 2);
    // Suffixes of 800 letters would be asked for at every transition otherwise.
    let mean_length = mq.counts().symbols / mq.counts().queries;
    assert!(mean_length < 100, "{mean_length}");
}

/// Letters of L# on random Mealy machines, where AALpy's L# asks for 6114 and 20083.
#[test]
fn letters_on_random_mealy_machines() {
    for (n, outputs, letters) in [(100, 10, 5869), (200, 4, 19931)] {
        let target = random_mealy(&mut Rng::new(1, 0), n, 5, outputs).unwrap();
        let mut mq = Counting::new(MealyOracle::new(&target));
        let mut learner = LSharp::for_mealy(5, &mut mq).unwrap();
        learn(&mut learner, &mut mq, &mut Exact::new(&target)).unwrap();
        assert_eq!(mq.counts().symbols, letters);
    }
}

/// Runs a machine letter by letter, and stops at every seventh word.
struct Stopping<'a> {
    inner: MealyOracle<'a, u32>,
    words: Vec<Word>,
    calls: usize,
    often: usize,
}

impl Stopping<'_> {
    fn may(&mut self) -> Result<(), StopReason> {
        self.calls += 1;
        if self.calls.is_multiple_of(self.often) {
            return Err(StopReason::Steps);
        }
        Ok(())
    }
}

impl MembershipOracle for Stopping<'_> {
    type Answer = u32;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<u32>, StopReason> {
        self.may()?;
        self.words.extend_from_slice(words);
        self.inner.ask(words)
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<u32>>, StopReason> {
        self.may()?;
        self.words.extend_from_slice(words);
        self.inner.ask_traces(words)
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[u32]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<u32>)>, StopReason> {
        self.may()?;
        let run = self.inner.ask_stepwise(front, next)?;
        self.words.extend(run.iter().map(|(word, _)| word.clone()));
        Ok(run)
    }

    fn gives_prefixes(&self) -> bool {
        true
    }
}

/// The words that L# asks for if it is stopped at every so manieth question and goes on.
fn words_asked(target: &Mealy<u32>, often: usize) -> Vec<Word> {
    let mut mq = Stopping {
        inner: MealyOracle::new(target),
        words: Vec::new(),
        calls: 0,
        often,
    };
    let mut learner = LSharp::for_mealy(target.n_letters(), &mut mq).unwrap();
    let mut stops = 0;
    loop {
        match learn(&mut learner, &mut mq, &mut Exact::new(target)) {
            Ok(_) => break,
            Err(RefineError::Stopped(StopReason::Steps)) => stops += 1,
            Err(e) => panic!("{e}"),
        }
    }
    assert!(often == usize::MAX || stops > 20, "{stops}");
    assert_eq!(learner.hypothesis().n_states(), target.n_states());
    mq.words
}

#[test]
fn a_mealy_learner_that_was_stopped_asks_the_same() {
    let target = random_mealy(&mut Rng::new(2, 0), 30, 4, 3).unwrap();
    assert_eq!(words_asked(&target, 7), words_asked(&target, usize::MAX));
}

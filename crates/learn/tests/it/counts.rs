//! Exact numbers of questions: a change here is a change of an algorithm.

use crate::common;

use common::{Style, Teacher};
use idiolect_automata::{Dfa, generate::RandomDfa};
use idiolect_base::Rng;
use idiolect_learn::{Counting, DfaOracle, Exact, LSharp, Learner, LearnerKind, Ttt, learn};

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

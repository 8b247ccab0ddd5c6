//! Every active learner, every kind of machine, every style of counterexample.

use crate::common;

use common::{Style, Teacher, random_machine};
use idiolect_automata::{Dfa, Moore};
use idiolect_learn::{
    Counterexample, Counting, DfaOracle, EqAnswer, EquivalenceOracle, Exact, Guarantee, LSharp,
    Learner, LearnerKind, MembershipOracle, MooreOracle, RefineError, learn,
};

fn machines() -> Vec<(String, Dfa)> {
    let mut machines: Vec<(String, Dfa)> = vec![
        ("all words".into(), Dfa::new(3, vec![true])),
        ("no word".into(), Dfa::new(3, vec![false])),
        ("no letters".into(), Dfa::new(0, vec![true])),
        (
            "one letter, period 7".into(),
            Dfa::from_fn(
                1,
                &[true, false, true, true, false, false, false],
                |q, _| (q + 1) % 7,
            ),
        ),
        (
            "all words but of redundant states".into(),
            Dfa::from_fn(2, &[true, true, true], |q, a| (q + a.index()) % 3),
        ),
    ];
    for (n, k) in [
        (2, 2),
        (5, 1),
        (10, 3),
        (30, 2),
        (60, 2),
        (50, 20),
        (200, 5),
    ] {
        for (density, out_of) in [(1, 2), (1, 12)] {
            machines.push((
                format!("{n} states, {k} letters, {density}/{out_of} accepting"),
                random_machine(n, k, 11, |rng| rng.chance(density, out_of)),
            ));
        }
    }
    machines
}

type Start<O> =
    fn(LearnerKind, usize, &mut dyn MembershipOracle<Answer = O>) -> Box<dyn Learner<O>>;

fn start_dfa(
    kind: LearnerKind,
    n_letters: usize,
    mq: &mut dyn MembershipOracle<Answer = bool>,
) -> Box<dyn Learner<bool>> {
    Box::new(kind.start_dfa(n_letters, mq).unwrap())
}

fn start_moore<O: Clone + Eq + 'static>(
    kind: LearnerKind,
    n_letters: usize,
    mq: &mut dyn MembershipOracle<Answer = O>,
) -> Box<dyn Learner<O>> {
    Box::new(kind.start_moore(n_letters, mq).unwrap().unwrap())
}

/// Learns and checks: minimal, equivalent, few rounds, no word asked twice, false counterexamples
/// refused. The number of queries.
fn check<O: Clone + Eq + std::hash::Hash>(
    kind: LearnerKind,
    name: &str,
    target: &Moore<O>,
    style: Style,
    start: Start<O>,
) -> u64 {
    let case = format!("{} on {name}, {style:?}", kind.name());
    let n = target.minimize().n_states();
    let mut mq = Counting::new(NoRepeats::new(target));
    let mut learner = start(kind, target.n_letters(), &mut mq);
    let learner = learner.as_mut();
    let mut eq = Teacher::new(target, style);
    let learned = learn(learner, &mut mq, &mut eq).unwrap_or_else(|e| panic!("{case}: {e}"));
    let model = learner.hypothesis();
    assert_eq!(model.n_states(), n, "{case}");
    assert_eq!(target.distinguishing_word(model), None, "{case}");
    let rounds = if kind.name() == "nlstar" { n * n } else { n };
    assert!(
        learned.rounds <= rounds,
        "{case}: {} rounds",
        learned.rounds
    );
    assert!(mq.counts().empty_word <= 1, "{case}");

    let queries = mq.counts().queries;
    let word = vec![];
    let answer = target.output_of(&word).clone();
    let refused = learner.refine(&Counterexample { word, answer }, &mut mq);
    assert!(
        matches!(refused, Err(RefineError::NotACounterexample { .. })),
        "{case}"
    );
    assert_eq!(mq.counts().queries, queries, "{case}");
    queries
}

/// Panics if a word is asked for twice.
struct NoRepeats<'a, O> {
    inner: MooreOracle<'a, O>,
    seen: std::collections::BTreeSet<idiolect_automata::Word>,
}

impl<'a, O: Clone + Eq> NoRepeats<'a, O> {
    fn new(target: &'a Moore<O>) -> Self {
        Self {
            inner: MooreOracle::new(target),
            seen: Default::default(),
        }
    }
}

impl<O: Clone + Eq> idiolect_learn::MembershipOracle for NoRepeats<'_, O> {
    type Answer = O;

    fn ask(
        &mut self,
        words: &[idiolect_automata::Word],
    ) -> Result<Vec<O>, idiolect_base::StopReason> {
        for word in words {
            assert!(self.seen.insert(word.clone()), "asked twice for {word:?}");
        }
        self.inner.ask(words)
    }
}

fn conforms(kind: LearnerKind) {
    for (name, target) in machines() {
        for style in [Style::Shortest, Style::Random, Style::Padded(500)] {
            // A column for each of 500 suffixes at each of 1000 rows, round after round, is what
            // L*-columns does by definition; machines with fewer transitions show that it works.
            let columns = matches!(kind.name(), "lstar" | "lstar-columns" | "nlstar");
            let transitions = target.n_states() * target.n_letters();
            if columns && style == Style::Padded(500) && transitions > 120 {
                continue;
            }
            check(kind, &name, &target, style, start_dfa);
        }
    }
}

fn conforms_for_moore_machines(kind: LearnerKind) {
    if !kind.learns_moore() {
        return;
    }
    for (n, k) in [(1, 2), (6, 2), (40, 4)] {
        let target = random_machine(n, k, 3, |rng| format!("o{}", rng.below(4)));
        for style in [Style::Shortest, Style::Random, Style::Padded(500)] {
            check(kind, &format!("Moore {n} {k}"), &target, style, start_moore);
        }
    }
}

macro_rules! suite {
    ($($name:ident: $kind:ident;)*) => {$(
        mod $name {
            use super::*;
            #[test]
            fn learns_every_dfa() {
                conforms(LearnerKind::$kind);
            }
            #[test]
            fn learns_moore_machines() {
                conforms_for_moore_machines(LearnerKind::$kind);
            }
        }
    )*};
}

suite! {
    lstar: LStar;
    lstar_columns: LStarColumns;
    rivest_schapire: RivestSchapire;
    kearns_vazirani: KearnsVazirani;
    ttt: Ttt;
    lsharp: LSharp;
    nlstar: NlStar;
}

#[test]
fn a_true_counterexample_is_learned_at_once() {
    let target = random_machine(20, 3, 1, |rng| rng.chance(1, 2));
    for kind in LearnerKind::ALL {
        let mut mq = MooreOracle::new(&target);
        let mut learner = kind.start_dfa(3, &mut mq).unwrap();
        let mut eq = Teacher::new(&target, Style::Random);
        learner.complete(&mut mq).unwrap();
        while let EqAnswer::Differs(cex) = eq.compare(learner.hypothesis()).unwrap() {
            learner.refine(&cex, &mut mq).unwrap();
            assert_eq!(*learner.hypothesis().output_of(&cex.word), cex.answer);
        }
    }
}

/// The suite asks for whole words; this is L# with an oracle that gives the answers of prefixes.
#[test]
fn lsharp_uses_prefixes() {
    for (name, target) in machines() {
        for style in [Style::Shortest, Style::Random, Style::Padded(500)] {
            let mut mq = Counting::new(MooreOracle::new(&target));
            let mut learner = start_dfa(LearnerKind::LSharp, target.n_letters(), &mut mq);
            let mut eq = Teacher::new(&target, style);
            let learned = learn(learner.as_mut(), &mut mq, &mut eq).unwrap();
            let n = target.minimize().n_states();
            assert_eq!(learner.hypothesis().n_states(), n, "{name}, {style:?}");
            assert!(
                learner.hypothesis().is_equivalent(&target),
                "{name}, {style:?}"
            );
            assert!(learned.rounds <= n, "{name}, {style:?}");
        }
    }
}

/// From 10,000 frontier states on L# works differently: a random machine, and one in which a probe tells
/// nothing, as nearly all words lead to a sink.
#[test]
fn lsharp_learns_large_machines() {
    let random = random_machine(1_100, 10, 3, |rng| rng.below(2) == 0);
    // A lock with a long code: only the letter that is next goes on, and one other begins anew.
    let accepts: Vec<bool> = (0..601).map(|q| q < 600).collect();
    let mut rng = idiolect_base::Rng::new(1, 0);
    let code: Vec<usize> = (0..600).map(|_| rng.below(20) as usize).collect();
    let counter = Dfa::from_fn(20, &accepts, |q, a| match q {
        600 => 600,
        _ if a.index() == code[q] => (q + 1) % 600,
        _ if a.index() == (code[q] + 1) % 20 => 0,
        _ => 600,
    });
    for target in [random, counter] {
        let target = target.minimize();
        let k = target.n_letters();
        assert!(target.n_states() * k >= 10_000, "{}", target.n_states());
        let mut mq = Counting::new(DfaOracle::new(&target));
        let mut learner = LSharp::new(k, &mut mq).unwrap();
        let learned = learn(&mut learner, &mut mq, &mut Exact::new(&target)).unwrap();
        assert_eq!(learned.guarantee, Guarantee::Proved);
        assert!(learner.hypothesis().is_isomorphic(&target));
        assert!(learned.rounds <= target.n_states());
    }
}

//! Counts that papers state, or that can be derived from them.

use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::StopReason;
use idiolect_learn::{
    Counterexample, Counting, EqAnswer, EquivalenceOracle, Guarantee, LStar, Learner,
    MembershipOracle,
};

const F: Letter = Letter(0);
const G: Letter = Letter(1);
const ASSERT: Letter = Letter(2);

/// The program of Figure 6 of *Learning the Language of Software Errors* (Chockler et al.), with
/// bounds 4 on loops and on the length of words: `g` up to four times (never beyond its exit), then
/// `f`, whose assertion fails. A word is a member if some failing run has exactly these events.
struct Figure6;

fn is_failing_run(word: &[Letter]) -> bool {
    let n = word.len();
    (2..=4).contains(&n)
        && word[n - 1] == ASSERT
        && word[n - 2] == F
        && word[..n - 2].iter().all(|&a| a == G)
}

impl MembershipOracle for Figure6 {
    type Answer = bool;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<bool>, StopReason> {
        Ok(words.iter().map(|w| is_failing_run(w)).collect())
    }
}

/// The paper's weak conjecture query (its Figure 9): only runs of the program that reach the
/// assertion are compared with the hypothesis. All of them fail, so feedback is positive.
struct WeakOracle {
    conjectures: Vec<Dfa>,
}

impl EquivalenceOracle<bool> for WeakOracle {
    fn compare(&mut self, hypothesis: &Dfa) -> Result<EqAnswer, StopReason> {
        self.conjectures.push(hypothesis.clone());
        for n_calls in 0..=2 {
            let mut word = vec![G; n_calls];
            word.extend([F, ASSERT]);
            if !hypothesis.accepts(&word) {
                return Ok(EqAnswer::Differs(Counterexample { word, answer: true }));
            }
        }
        Ok(EqAnswer::Agrees(Guarantee::UpToLength(4)))
    }
}

#[test]
fn figure_5_takes_three_and_twelve_queries() {
    let mut mq = Counting::new(Figure6);
    let mut eq = WeakOracle {
        conjectures: Vec::new(),
    };
    let mut learner = LStar::new(3, &mut mq).unwrap();
    assert_eq!((mq.counts().queries, mq.counts().empty_word), (0, 1));
    learner.complete(&mut mq).unwrap();
    assert_eq!(mq.counts().queries, 3);

    let EqAnswer::Differs(cex) = eq.compare(learner.hypothesis()).unwrap() else {
        panic!("the empty language is not the program's");
    };
    assert_eq!(eq.conjectures[0], Dfa::new(3, vec![false]));
    assert_eq!(cex.word, [F, ASSERT]);
    learner.refine(&cex, &mut mq).unwrap();
    assert_eq!(mq.counts().queries, 3 + 12);
    assert_eq!(mq.counts().empty_word, 1);

    assert_eq!(learner.hypothesis().n_states(), 3);
    assert!(matches!(
        eq.compare(learner.hypothesis()),
        Ok(EqAnswer::Agrees(_))
    ));
    // The raw automaton: what is not on the way to a failing run leads back to the start.
    let expected = Dfa::from_fn(3, &[false, false, true], |q, a| match (q, a) {
        (0, F) => 1,
        (1, ASSERT) => 2,
        _ => 0,
    });
    assert_eq!(learner.hypothesis().minimize(), expected.minimize());
}

//! Adaptive learning: an earlier model of the same system as a guide.
//!
//! A new version of a system mostly does what the old one did. Where a hypothesis and the old model
//! answer a word differently, one of them is wrong about the system, and one question says which: if
//! it is the hypothesis, the word is a counterexample that no test had to find; if it is the old model, the
//! system has changed. Only when every such word has been asked is the hypothesis put to the real test, so
//! the promise in the end is that of the test, whatever the old model says.

use super::first_in_trace;
use crate::{Counterexample, EqAnswer, EquivalenceOracle, Machine, MembershipOracle};
use idiolect_automata::Word;
use idiolect_base::StopReason;
use rustc_hash::FxHashSet;

/// Letters of the words that are taken from one comparison with the old model.
const LETTERS: usize = 1_000_000;

/// Asks where an earlier model and the hypothesis differ, and then another oracle.
///
/// ```
/// use idiolect_automata::Mealy;
/// use idiolect_learn::{KearnsVazirani, Learner, MealyOracle, StartFrom, WpMethod, learn};
/// use std::cell::RefCell;
/// let counter = |n| Mealy::from_fn(1, n, move |q, _| ((q + 1) % n, q + 1 == n));
/// // Nothing has changed. The words of the Wp-method alone are too short to see that it counts.
/// let (old, new) = (counter(7), counter(7));
/// let mq = RefCell::new(MealyOracle::new(&new));
/// let mut eq = StartFrom::new(&old, &mq, WpMethod::new(&mq, 1));
/// let mut learner = KearnsVazirani::for_mealy(1, &mut &mq).unwrap();
/// learn(&mut learner, &mut &mq, &mut eq).unwrap();
/// assert_eq!(learner.hypothesis().n_states(), 7);
/// ```
#[derive(Clone, Debug)]
pub struct StartFrom<H, M, E> {
    old: H,
    mq: M,
    inner: E,
    asked: FxHashSet<Word>,
    found: u64,
}

impl<H: Clone, M, E> StartFrom<H, M, E> {
    /// The old model has the letters of the system, in the same order.
    pub fn new(old: &H, mq: M, inner: E) -> Self {
        Self {
            old: old.clone(),
            mq,
            inner,
            asked: FxHashSet::default(),
            found: 0,
        }
    }

    /// How many counterexamples the old model gave.
    pub fn found(&self) -> u64 {
        self.found
    }
}

impl<H, M, E> EquivalenceOracle<M::Answer, H> for StartFrom<H, M, E>
where
    M: MembershipOracle,
    H: Machine<M::Answer>,
    E: EquivalenceOracle<M::Answer, H>,
{
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
        for word in self.old.differences(hypothesis, LETTERS) {
            if !self.asked.insert(word.clone()) {
                continue;
            }
            let words = std::slice::from_ref(&word);
            let cex = if self.mq.gives_prefixes() {
                let trace = self.mq.ask_traces(words)?.pop();
                trace.and_then(|trace| first_in_trace(&word, trace, hypothesis))
            } else {
                let answer = self.mq.ask(words)?.pop();
                let wrong = answer.filter(|answer| hypothesis.answer(&word) != Some(answer));
                wrong.map(|answer| Counterexample { word, answer })
            };
            if let Some(cex) = cex {
                self.found += 1;
                return Ok(EqAnswer::Differs(cex));
            }
        }
        self.inner.compare(hypothesis)
    }
}

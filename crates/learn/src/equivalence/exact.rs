//! Comparison with a given machine.

use crate::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee, Machine};
use idiolect_automata::Word;
use idiolect_base::{Bug, StopReason};

/// Targets with so many transitions are large.
const LARGE: usize = 10_000;
/// Letters of the counterexamples that are kept from one pass.
const KEPT_LETTERS: usize = 4_000_000;

/// Knows the target.
///
/// Counterexamples are length-lexicographically least. A pass over both machines for each of them
/// would make learning quadratic in the number of states; so if the target is large (10,000
/// transitions), one pass finds many counterexamples, shortest first, and those that the next
/// hypotheses still get wrong are given out before another pass is made.
#[derive(Clone, Debug)]
pub struct Exact<'a, H> {
    target: &'a H,
    /// Letters to keep from a pass; with none, every comparison starts afresh.
    letters: usize,
    /// Differences of an earlier hypothesis, the next one last.
    kept: Vec<Word>,
}

impl<'a, H> Exact<'a, H> {
    /// The target is a `Moore` or a `Mealy` machine.
    pub fn new<O>(target: &'a H) -> Self
    where
        H: Machine<O>,
    {
        let is_large = target.n_states().saturating_mul(target.n_letters()) >= LARGE;
        Self {
            letters: if is_large { KEPT_LETTERS } else { 0 },
            ..Self::least(target)
        }
    }

    /// Every counterexample is the least there is, however large the target.
    pub fn least(target: &'a H) -> Self {
        Self {
            target,
            letters: 0,
            kept: Vec::new(),
        }
    }
}

impl<O: Clone + Eq, H: Machine<O>> EquivalenceOracle<O, H> for Exact<'_, H> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<O>, StopReason> {
        let target = self.target;
        let differs = |word: &Word| target.answer(word) != hypothesis.answer(word);
        while self.kept.last().is_some_and(|word| !differs(word)) {
            self.kept.pop();
        }
        if self.kept.is_empty() {
            self.kept = target.differences(hypothesis, self.letters);
            self.kept.reverse();
        }
        let Some(word) = self.kept.pop() else {
            return Ok(EqAnswer::Agrees(Guarantee::Proved));
        };
        // A word that tells the two apart has an answer.
        let answer = self.target.answer(&word).cloned();
        let answer = answer.ok_or(StopReason::Internal(Bug::NoAnswer))?;
        Ok(EqAnswer::Differs(Counterexample { word, answer }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counting, DfaOracle, KearnsVazirani, Learner, learn};
    use idiolect_automata::generate::RandomDfa;
    use idiolect_base::Rng;

    #[test]
    fn large_targets_are_compared_in_few_passes_and_learned() {
        let target = RandomDfa::new(2_000, 5).draw(&mut Rng::new(1, 0)).unwrap();
        let mut queries = Vec::new();
        for mut eq in [Exact::new(&target), Exact::least(&target)] {
            let mut mq = Counting::new(DfaOracle::new(&target));
            let mut learner = KearnsVazirani::new(5, &mut mq).unwrap();
            let learned = learn(&mut learner, &mut mq, &mut eq).unwrap();
            assert_eq!(learned.guarantee, Guarantee::Proved);
            assert!(learner.hypothesis().is_isomorphic(&target.minimize()));
            queries.push(mq.counts().queries);
        }
        // Longer counterexamples cost hardly any more questions.
        assert!(queries[0] < queries[1] * 11 / 10, "{queries:?}");
    }
}

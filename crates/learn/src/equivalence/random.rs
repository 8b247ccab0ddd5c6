//! Comparison on random words.

use super::first_difference;
use crate::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle};
use idiolect_automata::{Letter, Moore, Word};
use idiolect_base::{Rng, StopReason};

/// A distribution of words.
pub trait WordSource {
    fn draw(&mut self, rng: &mut Rng) -> Word;
}

impl<F: FnMut(&mut Rng) -> Word> WordSource for F {
    fn draw(&mut self, rng: &mut Rng) -> Word {
        self(rng)
    }
}

/// Words with a length chosen evenly from a range, and letters chosen evenly.
#[derive(Clone, Debug)]
pub struct RandomWords<M> {
    mq: M,
    n_words: u64,
    shortest: usize,
    longest: usize,
    rng: Rng,
}

impl<M> RandomWords<M> {
    /// Tries `n_words` words with lengths in `shortest..=longest` in each comparison.
    pub fn new(mq: M, n_words: u64, shortest: usize, longest: usize, rng: Rng) -> Self {
        Self {
            mq,
            n_words,
            shortest,
            longest: longest.max(shortest),
            rng,
        }
    }
}

impl<M: MembershipOracle> EquivalenceOracle<M::Answer> for RandomWords<M> {
    fn compare(
        &mut self,
        hypothesis: &Moore<M::Answer>,
    ) -> Result<EqAnswer<M::Answer>, StopReason> {
        let k = hypothesis.n_letters();
        let span = (self.longest - self.shortest) as u64 + 1;
        let words = (0..self.n_words).map(|_| {
            let length = self.shortest + self.rng.below(span) as usize;
            random_word(&mut self.rng, k, length)
        });
        Ok(match first_difference(words, hypothesis, &mut self.mq)? {
            Some(cex) => EqAnswer::Differs(cex),
            None => EqAnswer::Agrees(Guarantee::Tested {
                words: self.n_words,
            }),
        })
    }
}

/// Walks that go on with a fixed probability after each letter, and are compared at every step if
/// the oracle gives the answers of prefixes, else at their ends.
#[derive(Clone, Debug)]
pub struct RandomWalks<M> {
    mq: M,
    n_steps: u64,
    mean_length: u64,
    rng: Rng,
}

impl<M> RandomWalks<M> {
    /// Takes `n_steps` steps in each comparison, starting afresh every `mean_length` steps on
    /// average.
    pub fn new(mq: M, n_steps: u64, mean_length: u64, rng: Rng) -> Self {
        Self {
            mq,
            n_steps,
            mean_length: mean_length.max(1),
            rng,
        }
    }
}

impl<M: MembershipOracle> EquivalenceOracle<M::Answer> for RandomWalks<M> {
    fn compare(
        &mut self,
        hypothesis: &Moore<M::Answer>,
    ) -> Result<EqAnswer<M::Answer>, StopReason> {
        let k = hypothesis.n_letters() as u64;
        let (mut steps, mut walks) = (0, 0);
        while steps < self.n_steps && k > 0 {
            let mut word = Word::new();
            while steps < self.n_steps {
                word.push(Letter(self.rng.below(k) as u32));
                steps += 1;
                if self.rng.chance(1, self.mean_length) {
                    break;
                }
            }
            walks += 1;
            let traces = self.mq.ask_traces(std::slice::from_ref(&word))?;
            for (i, answer) in traces.into_iter().flatten().enumerate() {
                let Some(answer) = answer else { continue };
                if let Some(prefix) = word.get(..i)
                    && *hypothesis.output_of(prefix) != answer
                {
                    let word = prefix.to_vec();
                    return Ok(EqAnswer::Differs(Counterexample { word, answer }));
                }
            }
        }
        Ok(EqAnswer::Agrees(Guarantee::Tested { words: walks }))
    }
}

/// A word of evenly chosen letters; empty if there are no letters.
pub(crate) fn random_word(rng: &mut Rng, n_letters: usize, length: usize) -> Word {
    if n_letters == 0 {
        return Word::new();
    }
    (0..length)
        .map(|_| Letter(rng.below(n_letters as u64) as u32))
        .collect()
}

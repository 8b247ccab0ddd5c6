//! Comparison on random words.

use super::w_method::AccessTree;
use super::{first_difference, first_in_trace};
use crate::{EqAnswer, EquivalenceOracle, Guarantee, Machine, MembershipOracle};
use idiolect_automata::{Letter, Word};
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

impl<M: MembershipOracle, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H>
    for RandomWords<M>
{
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
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

impl<M: MembershipOracle, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H>
    for RandomWalks<M>
{
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
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
            for trace in traces {
                if let Some(cex) = first_in_trace(&word, trace, hypothesis) {
                    return Ok(EqAnswer::Differs(cex));
                }
            }
        }
        Ok(EqAnswer::Agrees(Guarantee::Tested { words: walks }))
    }
}

/// Random walks that begin in every state of the hypothesis: each is an access word and random
/// letters after it. States far from the initial one, which plain random words rarely reach, are
/// tried as often as the others.
#[derive(Clone, Debug)]
pub struct StateCover<M> {
    mq: M,
    walks: u64,
    length: usize,
    rng: Rng,
}

impl<M> StateCover<M> {
    /// Takes `walks` walks of `length` letters from each state in each comparison.
    pub fn new(mq: M, walks: u64, length: usize, rng: Rng) -> Self {
        Self {
            mq,
            walks,
            length,
            rng,
        }
    }
}

impl<M: MembershipOracle, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H> for StateCover<M> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
        let tree = AccessTree::new(hypothesis);
        let (k, length, rng) = (hypothesis.n_letters(), self.length, &mut self.rng);
        let states = tree.order.len() as u64;
        // A walk from each state, then another one from each.
        let words = (0..self.walks).flat_map(|_| tree.order.iter()).map(|&q| {
            let mut word = tree.word(q);
            word.extend(random_word(rng, k, length));
            word
        });
        Ok(match first_difference(words, hypothesis, &mut self.mq)? {
            Some(cex) => EqAnswer::Differs(cex),
            None => EqAnswer::Agrees(Guarantee::Tested {
                words: states * self.walks,
            }),
        })
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

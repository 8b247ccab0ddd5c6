//! Comparison by sampling, with the guarantee of probably approximately correct learning.
//!
//! Y.-F. Chen et al., *PAC learning-based verification and model synthesis*, ICSE 2016, after
//! D. Angluin, *Queries and concept learning*, 1988. Here as there, `delta` is the confidence.

use super::first_difference;
use super::random::WordSource;
use crate::{EqAnswer, EquivalenceOracle, Guarantee, Machine, MembershipOracle};
use idiolect_base::{Rng, StopReason};

/// The number of samples for the `i`-th equivalence query (from 1) of a run whose result is to
/// be wrong on at most `epsilon` of the distribution with confidence `delta`:
/// q_i = ⌈(1/ε)(ln(1/(1 − δ)) + i·ln 2)⌉. `None` unless both are strictly between 0 and 1.
///
/// ```
/// assert_eq!(idiolect_learn::pac_samples(0.1, 0.9, 1), Some(30));
/// ```
pub fn pac_samples(epsilon: f64, delta: f64, i: u32) -> Option<u64> {
    let inside = |x: f64| x > 0.0 && x < 1.0;
    if !inside(epsilon) || !inside(delta) {
        return None;
    }
    let doubt = (1.0 - delta).recip().ln();
    Some(((doubt + f64::from(i) * std::f64::consts::LN_2) / epsilon).ceil() as u64)
}

/// The number of samples for a single test: the least r with (1 − ε)^r < 1 − δ. `None` unless both
/// are strictly between 0 and 1.
pub fn pac_intro_samples(epsilon: f64, delta: f64) -> Option<u64> {
    let inside = |x: f64| x > 0.0 && x < 1.0;
    if !inside(epsilon) || !inside(delta) {
        return None;
    }
    Some(((-delta).ln_1p() / (-epsilon).ln_1p()).floor() as u64 + 1)
}

/// Draws q_i words in the i-th comparison.
#[derive(Clone, Debug)]
pub struct PacSampling<M, S> {
    mq: M,
    source: S,
    epsilon: f64,
    delta: f64,
    rounds: u32,
    rng: Rng,
}

impl<M, S: WordSource> PacSampling<M, S> {
    /// `None` unless `epsilon` and `delta` are strictly between 0 and 1.
    pub fn new(mq: M, source: S, epsilon: f64, delta: f64, rng: Rng) -> Option<Self> {
        pac_samples(epsilon, delta, 1)?;
        Some(Self {
            mq,
            source,
            epsilon,
            delta,
            rounds: 0,
            rng,
        })
    }

    /// The comparisons made so far.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }
}

impl<M: MembershipOracle, S: WordSource, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H>
    for PacSampling<M, S>
{
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
        self.rounds += 1;
        let samples = pac_samples(self.epsilon, self.delta, self.rounds).unwrap_or(u64::MAX);
        let (source, rng) = (&mut self.source, &mut self.rng);
        let words = (0..samples).map(|_| source.draw(rng));
        Ok(match first_difference(words, hypothesis, &mut self.mq)? {
            Some(cex) => EqAnswer::Differs(cex),
            None => EqAnswer::Agrees(Guarantee::Pac {
                epsilon: self.epsilon,
                delta: self.delta,
                samples,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_samples_are_those_of_the_paper() {
        let q: Vec<u64> = (1..=10).filter_map(|i| pac_samples(0.1, 0.9, i)).collect();
        assert_eq!(q, [30, 37, 44, 51, 58, 65, 72, 79, 86, 93]);
        assert_eq!(pac_intro_samples(0.1, 0.9), Some(22));
        assert_eq!(pac_intro_samples(0.05, 0.95), Some(59));
        assert_eq!(pac_intro_samples(0.01, 0.99), Some(459));
    }

    #[test]
    fn parameters_outside_the_unit_interval_are_refused() {
        for bad in [0.0, 1.0, -0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(pac_samples(bad, 0.9, 1), None);
            assert_eq!(pac_samples(0.1, bad, 1), None);
            assert_eq!(pac_intro_samples(bad, 0.9), None);
            assert_eq!(pac_intro_samples(0.1, bad), None);
        }
    }
}

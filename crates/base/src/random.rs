//! Seeded randomness: the same seed and stream give the same values on every machine.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

/// A random number generator with independent numbered streams.
///
/// Streams let batch `i` of a run be drawn on any core, in any order, with the same result.
///
/// ```
/// use idiolect_base::Rng;
/// let (mut a, mut b) = (Rng::new(7, 0), Rng::new(7, 1));
/// assert_ne!(a.next_u64(), b.next_u64());
/// assert_eq!(Rng::new(7, 1).next_u64(), Rng::new(7, 1).next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// Stream number `stream` of the generator with this `seed`.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in `0..bound`. `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "an empty range has no element");
        // Rejection keeps it uniform: the zone is the largest multiple of `bound`.
        let zone = u64::MAX - (u64::MAX - bound + 1) % bound;
        loop {
            let bits = self.next_u64();
            if bits <= zone {
                return bits % bound;
            }
        }
    }

    /// True with probability `numerator / denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// A uniform number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles in place (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn below_covers_its_range_and_nothing_else() {
        let mut rng = Rng::new(1, 0);
        let mut seen = [0u32; 7];
        for _ in 0..7000 {
            seen[rng.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
    }

    #[test]
    fn shuffle_keeps_every_element() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(3, 9).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}

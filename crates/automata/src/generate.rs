//! Random machines for tests and benchmarks, the same for the same seed on every computer.

use crate::{Dfa, Letter, Mealy, Moore, StateId};
use idiolect_base::Rng;

/// What a random DFA should be like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RandomDfa {
    pub n_states: usize,
    pub n_letters: usize,
    /// The probability that a state accepts.
    pub acceptance: f64,
    /// Whether no smaller DFA may have the same language.
    pub minimal: bool,
}

/// A reachable random DFA is minimal more often than not where that is possible at all with more
/// than one letter, so a hundred tries settle it.
const MAX_TRIES: usize = 100;

impl RandomDfa {
    /// A DFA with as many states accepting as not.
    pub fn new(n_states: usize, n_letters: usize) -> Self {
        Self {
            n_states,
            n_letters,
            acceptance: 0.5,
            minimal: true,
        }
    }

    /// A DFA all of whose states are reachable. `None` if there is no such DFA (no states, or
    /// several and no letters), or if a minimal one was asked for and not found, which happens
    /// when all or no states accept, or with one letter and many states.
    ///
    /// ```
    /// use idiolect_automata::generate::RandomDfa;
    /// use idiolect_base::Rng;
    /// let dfa = RandomDfa::new(50, 3).draw(&mut Rng::new(7, 0)).unwrap();
    /// assert_eq!(dfa.minimize().n_states(), 50);
    /// ```
    pub fn draw(&self, rng: &mut Rng) -> Option<Dfa> {
        let tries = if self.minimal { MAX_TRIES } else { 1 };
        for _ in 0..tries {
            let outputs = (0..self.n_states)
                .map(|_| rng.unit() < self.acceptance)
                .collect();
            let dfa = random_reachable(rng, self.n_letters, outputs)?;
            if !self.minimal || dfa.is_minimal() {
                return Some(dfa);
            }
        }
        None
    }
}

/// A machine with these outputs, all states reachable, transitions random apart from that; `None`
/// if there are no states, or several and no letters.
pub fn random_reachable<O>(rng: &mut Rng, n_letters: usize, outputs: Vec<O>) -> Option<Moore<O>> {
    let n = outputs.len();
    if n == 0 || (n > 1 && n_letters == 0) {
        return None;
    }
    let mut machine = Moore::new(n_letters, outputs);
    for q in 0..n {
        for a in (0..n_letters).map(Letter::new) {
            machine.set_step(
                StateId::new(q),
                a,
                StateId::new(rng.below(n as u64) as usize),
            );
        }
    }
    // A random tree: each state hangs on a random free transition of those before it. Slots are
    // numbered as in the table, `free` holds those of earlier states not used yet.
    let mut free: Vec<usize> = (0..n_letters).collect();
    for q in 1..n {
        let slot = free.swap_remove(rng.below(free.len() as u64) as usize);
        let (from, letter) = (
            StateId::new(slot / n_letters),
            Letter::new(slot % n_letters),
        );
        machine.set_step(from, letter, StateId::new(q));
        free.extend(q * n_letters..(q + 1) * n_letters);
    }
    Some(machine)
}

/// A machine with `n_outputs` different outputs, chosen at random for each state, all states
/// reachable.
pub fn random_moore(
    rng: &mut Rng,
    n_states: usize,
    n_letters: usize,
    n_outputs: u32,
) -> Option<Moore<u32>> {
    let bound = u64::from(n_outputs.max(1));
    let outputs = (0..n_states).map(|_| rng.below(bound) as u32).collect();
    random_reachable(rng, n_letters, outputs)
}

/// A Mealy machine with up to `n_outputs` different outputs, chosen at random for each transition,
/// all states reachable.
pub fn random_mealy(
    rng: &mut Rng,
    n_states: usize,
    n_letters: usize,
    n_outputs: u32,
) -> Option<Mealy<u32>> {
    let bound = u64::from(n_outputs.max(1));
    let graph = random_reachable(rng, n_letters, vec![(); n_states])?;
    let outputs = (graph.table().iter())
        .map(|_| rng.below(bound) as u32)
        .collect();
    let delta = graph.table().to_vec();
    Some(Mealy::from_table(n_letters, n_states, delta, outputs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_states_are_reachable_and_the_seed_decides() {
        for n_states in [1, 2, 3, 10, 200] {
            for n_letters in 1..5 {
                let kind = RandomDfa {
                    minimal: false,
                    ..RandomDfa::new(n_states, n_letters)
                };
                let dfa = kind.draw(&mut Rng::new(1, 2)).unwrap();
                assert_eq!(dfa.reachable_states().len(), n_states);
                assert_eq!(Some(dfa), kind.draw(&mut Rng::new(1, 2)));
            }
        }
    }

    #[test]
    fn minimal_when_asked() {
        for stream in 0..20 {
            let kind = RandomDfa {
                acceptance: 0.1,
                ..RandomDfa::new(60, 2)
            };
            let dfa = kind.draw(&mut Rng::new(5, stream)).unwrap();
            assert_eq!(dfa.minimize().n_states(), 60);
        }
    }

    #[test]
    fn the_impossible_is_refused() {
        let mut rng = Rng::new(0, 0);
        assert_eq!(RandomDfa::new(0, 2).draw(&mut rng), None);
        assert_eq!(RandomDfa::new(2, 0).draw(&mut rng), None);
        assert_eq!(
            RandomDfa {
                acceptance: 1.0,
                ..RandomDfa::new(3, 2)
            }
            .draw(&mut rng),
            None
        );
        assert!(random_moore(&mut rng, 30, 3, 4).is_some_and(|m| m.n_states() == 30));
        assert!(random_mealy(&mut rng, 30, 3, 4).is_some_and(|m| m.is_minimal()));
        assert_eq!(random_mealy(&mut rng, 2, 0, 4), None);
    }
}

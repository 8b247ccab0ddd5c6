//! The canonical residual automaton: F. Denis, A. Lemay and A. Terlutte, *Residual finite state
//! automata*, 2002.
//!
//! | paper | here |
//! |---|---|
//! | residual u⁻¹L | a state of the minimal DFA |
//! | prime residual (not the union of other residuals) | `is_prime` |
//! | canonical RFSA | [`residual_nfa`] |
//!
//! The states are the prime residuals; a letter leads from a residual R to all primes that are
//! subsets of a⁻¹R; initial are the primes that are subsets of L.

use crate::{Dfa, Nfa, StateId, TooManyStates};
use rustc_hash::FxHashSet;

/// The canonical residual automaton of a DFA's language: the smallest NFA whose states each accept
/// a residual, saturated with transitions. NL\* converges to it.
///
/// Whether a residual is a union of others is PSPACE-hard to say. The search for a word that is in
/// the residual and not in the union visits at most `limit` sets of states for each residual;
/// beyond that the result is an error.
pub fn residual_nfa(dfa: &Dfa, limit: usize) -> Result<Nfa, TooManyStates> {
    let dfa = dfa.minimize();
    let inclusion = Inclusion::new(&dfa);
    let mut nfa = Nfa::new(dfa.n_letters());
    let mut primes = Vec::new();
    for q in dfa.states() {
        if is_prime(&dfa, &inclusion, q, limit)? {
            primes.push((q, nfa.add_state(dfa.is_accepting(q))));
        }
    }
    for &(q, id) in &primes {
        if inclusion.holds(q, dfa.initial()) {
            nfa.add_initial(id);
        }
        for a in dfa.letters() {
            let next = dfa.step(q, a);
            for &(p, to) in &primes {
                if inclusion.holds(p, next) {
                    nfa.add_transition(id, Some(a), to);
                }
            }
        }
    }
    Ok(nfa)
}

/// Which states accept a subset of what others accept: n² bits.
struct Inclusion {
    n: usize,
    /// At `p·n + q`: some word is accepted from p and not from q.
    refuted: Vec<bool>,
}

impl Inclusion {
    fn new(dfa: &Dfa) -> Self {
        // Backwards from the pairs (accepting, rejecting), which the empty word refutes.
        let n = dfa.n_states();
        let mut refuted = vec![false; n * n];
        let mut sources = vec![vec![Vec::new(); n]; dfa.n_letters()];
        for q in dfa.states() {
            for a in dfa.letters() {
                sources[a.index()][dfa.step(q, a).index()].push(q);
            }
        }
        let mut stack = Vec::new();
        for p in dfa.states().filter(|&p| dfa.is_accepting(p)) {
            for q in dfa.states().filter(|&q| !dfa.is_accepting(q)) {
                refuted[p.index() * n + q.index()] = true;
                stack.push((p, q));
            }
        }
        while let Some((p, q)) = stack.pop() {
            for by_target in &sources {
                for &p in &by_target[p.index()] {
                    for &q in &by_target[q.index()] {
                        let slot = &mut refuted[p.index() * n + q.index()];
                        if !std::mem::replace(slot, true) {
                            stack.push((p, q));
                        }
                    }
                }
            }
        }
        Self { n, refuted }
    }

    /// Whether every word accepted from `p` is accepted from `q`.
    fn holds(&self, p: StateId, q: StateId) -> bool {
        !self.refuted[p.index() * self.n + q.index()]
    }
}

/// Whether some word is accepted from `q` but from none of the states that accept strictly less.
fn is_prime(
    dfa: &Dfa,
    inclusion: &Inclusion,
    q: StateId,
    limit: usize,
) -> Result<bool, TooManyStates> {
    // The largest members say all about a union, so sets are kept as their maximal elements.
    let maximal = |mut set: Vec<StateId>| {
        set.sort_unstable();
        set.dedup();
        let all = set.clone();
        set.retain(|&p| {
            !all.iter()
                .any(|&other| other != p && inclusion.holds(p, other))
        });
        set
    };
    // In a minimal DFA different states accept different languages, so inclusion is strict.
    let below = dfa
        .states()
        .filter(|&p| p != q && inclusion.holds(p, q))
        .collect();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(q, maximal(below))];
    while let Some((q, set)) = stack.pop() {
        if dfa.is_accepting(q) && !set.iter().any(|&p| dfa.is_accepting(p)) {
            return Ok(true);
        }
        for a in dfa.letters() {
            let next = dfa.step(q, a);
            let set = maximal(set.iter().map(|&p| dfa.step(p, a)).collect());
            // One member that accepts everything `next` does leaves no word to find.
            if set.iter().any(|&p| inclusion.holds(next, p)) {
                continue;
            }
            if seen.insert((next, set.clone())) {
                if seen.len() > limit {
                    return Err(TooManyStates { limit });
                }
                stack.push((next, set));
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::residual_nfa;
    use crate::testing::{any_dfa, words_shorter_than};
    use crate::{Dfa, Letter, Nfa};
    use proptest::prelude::*;

    #[test]
    fn the_empty_language_has_no_prime() {
        assert_eq!(residual_nfa(&Dfa::none(2), 10).unwrap(), Nfa::new(2));
    }

    /// Words whose n-th letter from the end is 1 need 2^n states in a DFA and n + 1 in an RFSA.
    #[test]
    fn exponentially_smaller() {
        let n = 6;
        let dfa = Dfa::from_fn(
            2,
            &(0..1usize << n)
                .map(|bits| bits >> (n - 1) & 1 == 1)
                .collect::<Vec<_>>(),
            |bits, a| (bits << 1 | a.index()) & ((1 << n) - 1),
        );
        let nfa = residual_nfa(&dfa, 100_000).unwrap();
        assert_eq!((dfa.minimize().n_states(), nfa.n_states()), (64, 7));
        assert!(nfa.accepts(&[1, 0, 0, 0, 0, 0].map(Letter)));
    }

    proptest! {
        #[test]
        fn same_language_and_only_prime_residuals(dfa in any_dfa(5, 2)) {
            let nfa = residual_nfa(&dfa, 100_000).unwrap();
            let words = words_shorter_than(7, 2);
            for word in &words {
                prop_assert_eq!(nfa.accepts(word), dfa.accepts(word));
            }
            // By brute force: residuals as sets of short words, primes among them.
            let minimal = dfa.minimize();
            let residuals: Vec<Vec<bool>> = minimal.states()
                .map(|q| words.iter().map(|w| minimal.is_accepting(minimal.run(q, w))).collect())
                .collect();
            let subset = |r: &[bool], s: &[bool]| r.iter().zip(s).all(|(x, y)| !x || *y);
            let n_primes = residuals.iter().filter(|r| {
                let below: Vec<_> = residuals.iter().filter(|s| s != r && subset(s, r)).collect();
                (0..words.len()).any(|i| r[i] && !below.iter().any(|s| s[i]))
            }).count();
            prop_assert_eq!(nfa.n_states(), n_primes);
        }
    }
}

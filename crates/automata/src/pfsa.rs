//! Probabilistic finite-state automata: transitions and ends with weights, usually how often they
//! were seen. A state's weights, divided by their sum, are the probabilities of what comes next.

use crate::{Letter, Nfa, StateId};

/// One weighted transition of a [`Pfsa`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PfsaEdge {
    pub letter: Letter,
    pub to: StateId,
    pub weight: f64,
}

/// A probabilistic automaton, possibly nondeterministic. State 0 is initial unless said otherwise.
///
/// Weights are finite and not negative. Counts are exact up to 2^53.
///
/// ```
/// use idiolect_automata::{Letter, Pfsa};
/// let mut pfsa = Pfsa::new(1);
/// let q = pfsa.add_state(1.0);
/// pfsa.add_transition(q, Letter(0), q, 3.0);
/// assert_eq!(pfsa.word_probability(&[Letter(0)]), 0.75 * 0.25);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Pfsa {
    n_letters: usize,
    initial: StateId,
    final_weights: Vec<f64>,
    /// Sorted by letter and target; one edge for each.
    edges: Vec<Vec<PfsaEdge>>,
}

impl Pfsa {
    /// An automaton without states.
    pub fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            initial: StateId(0),
            final_weights: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Adds a state with the weight of ending there.
    pub fn add_state(&mut self, final_weight: f64) -> StateId {
        assert!(is_weight(final_weight));
        self.final_weights.push(final_weight);
        self.edges.push(Vec::new());
        StateId::new(self.final_weights.len() - 1)
    }

    /// Adds a transition; its weight is added to that of the same transition if there is one.
    pub fn add_transition(&mut self, from: StateId, letter: Letter, to: StateId, weight: f64) {
        assert!(is_weight(weight) && letter.index() < self.n_letters);
        assert!(to.index() < self.n_states());
        let edges = &mut self.edges[from.index()];
        match edges.binary_search_by_key(&(letter, to), |edge| (edge.letter, edge.to)) {
            Ok(at) => edges[at].weight += weight,
            Err(at) => edges.insert(at, PfsaEdge { letter, to, weight }),
        }
    }

    /// Adds to the weight of ending in a state.
    pub fn add_final_weight(&mut self, state: StateId, weight: f64) {
        assert!(is_weight(weight));
        self.final_weights[state.index()] += weight;
    }

    pub fn set_initial(&mut self, state: StateId) {
        assert!(state.index() < self.n_states());
        self.initial = state;
    }

    pub fn initial(&self) -> StateId {
        self.initial
    }

    pub fn n_states(&self) -> usize {
        self.final_weights.len()
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.n_states()).map(StateId::new)
    }

    pub fn final_weight(&self, state: StateId) -> f64 {
        self.final_weights[state.index()]
    }

    /// The transitions from a state, by letter and target.
    pub fn edges(&self, from: StateId) -> &[PfsaEdge] {
        &self.edges[from.index()]
    }

    /// All transitions, by state.
    pub fn transitions(&self) -> impl Iterator<Item = (StateId, PfsaEdge)> + '_ {
        (self.states()).flat_map(|q| self.edges(q).iter().map(move |&edge| (q, edge)))
    }

    /// The sum of a state's weights.
    pub fn total_weight(&self, state: StateId) -> f64 {
        let out: f64 = self.edges(state).iter().map(|edge| edge.weight).sum();
        out + self.final_weight(state)
    }

    /// The probability of a transition at its state; 0 if the state has no weight.
    pub fn probability(&self, from: StateId, edge: &PfsaEdge) -> f64 {
        ratio(edge.weight, self.total_weight(from))
    }

    /// The probability of ending at a state once there.
    pub fn final_probability(&self, state: StateId) -> f64 {
        ratio(self.final_weight(state), self.total_weight(state))
    }

    /// The probability that exactly this word is produced, over all its runs.
    pub fn word_probability(&self, word: &[Letter]) -> f64 {
        self.word_log_probability(word).exp()
    }

    /// The natural logarithm of [`Pfsa::word_probability`], which does not underflow for long
    /// words; minus infinity if the word cannot be produced.
    pub fn word_log_probability(&self, word: &[Letter]) -> f64 {
        if self.n_states() == 0 {
            return f64::NEG_INFINITY;
        }
        // The forward algorithm, scaled to sum 1 after each letter.
        let mut log = 0.0;
        let mut now = vec![(self.initial, 1.0)];
        for &letter in word {
            let mut next: Vec<(StateId, f64)> = Vec::new();
            for &(q, p) in &now {
                let edges = self.edges(q);
                let start = edges.partition_point(|edge| edge.letter < letter);
                let total = self.total_weight(q);
                let same = edges[start..]
                    .iter()
                    .take_while(|edge| edge.letter == letter);
                next.extend(same.map(|edge| (edge.to, p * ratio(edge.weight, total))));
            }
            next.sort_by_key(|&(q, _)| q);
            next.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 += later.1;
                }
                same
            });
            let sum: f64 = next.iter().map(|&(_, p)| p).sum();
            if sum == 0.0 {
                return f64::NEG_INFINITY;
            }
            for (_, p) in &mut next {
                *p /= sum;
            }
            log += sum.ln();
            now = next;
        }
        let end: f64 = now
            .iter()
            .map(|&(q, p)| p * self.final_probability(q))
            .sum();
        log + end.ln()
    }

    /// The words of positive probability: weights dropped, transitions and ends of weight 0 too.
    pub fn to_nfa(&self) -> Nfa {
        let mut nfa = Nfa::new(self.n_letters);
        for q in self.states() {
            nfa.add_state(self.final_weight(q) > 0.0);
        }
        if self.n_states() > 0 {
            nfa.add_initial(self.initial);
        }
        nfa.add_transitions(
            (self.transitions())
                .filter(|(_, edge)| edge.weight > 0.0)
                .map(|(q, edge)| (q, Some(edge.letter), edge.to)),
        );
        nfa
    }
}

pub(crate) fn is_weight(weight: f64) -> bool {
    weight.is_finite() && weight >= 0.0
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::Pfsa;
    use crate::testing::{any_pfsa, words_shorter_than};
    use crate::{Letter, StateId};
    use proptest::prelude::*;

    /// The definition: a sum over all runs.
    fn by_runs(pfsa: &Pfsa, at: StateId, word: &[Letter]) -> f64 {
        let Some((first, rest)) = word.split_first() else {
            return pfsa.final_probability(at);
        };
        (pfsa.edges(at).iter())
            .filter(|edge| edge.letter == *first)
            .map(|edge| pfsa.probability(at, edge) * by_runs(pfsa, edge.to, rest))
            .sum()
    }

    #[test]
    fn weights_of_the_same_transition_add_up() {
        let mut pfsa = Pfsa::new(1);
        let q = pfsa.add_state(0.0);
        pfsa.add_transition(q, Letter(0), q, 2.0);
        pfsa.add_transition(q, Letter(0), q, 3.0);
        pfsa.add_final_weight(q, 5.0);
        assert_eq!((pfsa.edges(q).len(), pfsa.total_weight(q)), (1, 10.0));
        assert_eq!(pfsa.final_probability(q), 0.5);
    }

    #[test]
    fn long_words_do_not_underflow() {
        let mut pfsa = Pfsa::new(1);
        let q = pfsa.add_state(1.0);
        pfsa.add_transition(q, Letter(0), q, 1.0);
        let log = pfsa.word_log_probability(&[Letter(0); 5000]);
        assert!((log - 5001.0 * 0.5f64.ln()).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn word_probability_sums_over_runs(pfsa in any_pfsa(4, 2)) {
            for word in words_shorter_than(5, 2) {
                let expected = by_runs(&pfsa, pfsa.initial(), &word);
                let found = pfsa.word_probability(&word);
                prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected);
                prop_assert_eq!(pfsa.to_nfa().accepts(&word), expected > 0.0);
            }
        }
    }
}

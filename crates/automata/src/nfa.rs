//! Nondeterministic automata with λ-moves and any number of initial states.

use crate::{Dfa, Letter, StateId, Word};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A construction would have needed more states than it was allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {limit} states would be needed")]
pub struct TooManyStates {
    pub limit: usize,
}

/// A nondeterministic finite automaton. A transition without a letter is a λ-move.
///
/// ```
/// use idiolect_automata::{Letter, Nfa};
/// // Words over {0, 1} whose last letter but one is 1.
/// let mut nfa = Nfa::new(2);
/// let [p, q, r] = [false, false, true].map(|accepting| nfa.add_state(accepting));
/// nfa.add_initial(p);
/// for a in [0, 1].map(Letter) {
///     nfa.add_transition(p, Some(a), p);
///     nfa.add_transition(q, Some(a), r);
/// }
/// nfa.add_transition(p, Some(Letter(1)), q);
/// assert_eq!(nfa.determinize(100).unwrap().n_states(), 4);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nfa {
    n_letters: usize,
    initial: Vec<StateId>,
    accepting: Vec<bool>,
    /// Per state, sorted and without duplicates; λ-moves come first.
    edges: Vec<Vec<(Option<Letter>, StateId)>>,
}

impl Nfa {
    /// An automaton without states.
    pub fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            initial: Vec::new(),
            accepting: Vec::new(),
            edges: Vec::new(),
        }
    }

    pub fn add_state(&mut self, accepting: bool) -> StateId {
        self.accepting.push(accepting);
        self.edges.push(Vec::new());
        StateId::new(self.accepting.len() - 1)
    }

    pub fn add_initial(&mut self, state: StateId) {
        assert!(state.index() < self.n_states());
        if let Err(at) = self.initial.binary_search(&state) {
            self.initial.insert(at, state);
        }
    }

    pub fn set_accepting(&mut self, state: StateId, accepting: bool) {
        self.accepting[state.index()] = accepting;
    }

    /// Adds a transition; one that is there already is not doubled.
    pub fn add_transition(&mut self, from: StateId, letter: Option<Letter>, to: StateId) {
        assert!(to.index() < self.n_states());
        assert!(letter.is_none_or(|a| a.index() < self.n_letters));
        let edges = &mut self.edges[from.index()];
        // Most automata are built in order, so the end is the usual place.
        match edges.last() {
            Some(last) if *last >= (letter, to) => {
                if let Err(at) = edges.binary_search(&(letter, to)) {
                    edges.insert(at, (letter, to));
                }
            }
            _ => edges.push((letter, to)),
        }
    }

    /// Adds many transitions at once, in any order, without the cost of keeping each state's list
    /// sorted in between.
    pub fn add_transitions(
        &mut self,
        transitions: impl IntoIterator<Item = (StateId, Option<Letter>, StateId)>,
    ) {
        for (from, letter, to) in transitions {
            assert!(to.index() < self.n_states());
            assert!(letter.is_none_or(|a| a.index() < self.n_letters));
            self.edges[from.index()].push((letter, to));
        }
        for edges in &mut self.edges {
            edges.sort_unstable();
            edges.dedup();
        }
    }

    pub fn n_states(&self) -> usize {
        self.accepting.len()
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn n_transitions(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.n_states()).map(StateId::new)
    }

    /// The initial states, in order.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// The transitions from a state, λ-moves first, then by letter and target.
    pub fn edges(&self, from: StateId) -> &[(Option<Letter>, StateId)] {
        &self.edges[from.index()]
    }

    /// All transitions, by state.
    pub fn transitions(&self) -> impl Iterator<Item = (StateId, Option<Letter>, StateId)> + '_ {
        (self.states()).flat_map(|q| self.edges(q).iter().map(move |&(a, to)| (q, a, to)))
    }

    /// The states that a letter leads to from one state, without λ-moves.
    fn successors(&self, from: StateId, letter: Letter) -> impl Iterator<Item = StateId> + '_ {
        let edges = self.edges(from);
        let start = edges.partition_point(|&(a, _)| a < Some(letter));
        (edges[start..].iter())
            .take_while(move |&&(a, _)| a == Some(letter))
            .map(|&(_, to)| to)
    }

    /// Adds to a set everything that λ-moves reach from it; the result is sorted.
    pub fn epsilon_closure(&self, set: &mut Vec<StateId>) {
        let mut seen = vec![false; self.n_states()];
        self.close(set, &mut seen);
    }

    /// `seen` is all false before and after, so that it can be used again.
    fn close(&self, set: &mut Vec<StateId>, seen: &mut [bool]) {
        set.retain(|q| !std::mem::replace(&mut seen[q.index()], true));
        let mut done = 0;
        while done < set.len() {
            for &(a, to) in self.edges(set[done]) {
                if a.is_some() {
                    break;
                }
                if !std::mem::replace(&mut seen[to.index()], true) {
                    set.push(to);
                }
            }
            done += 1;
        }
        for q in set.iter() {
            seen[q.index()] = false;
        }
        set.sort_unstable();
    }

    pub fn accepts(&self, word: &[Letter]) -> bool {
        let mut seen = vec![false; self.n_states()];
        let mut set = self.initial.clone();
        self.close(&mut set, &mut seen);
        for &a in word {
            let mut next = (set.iter().flat_map(|&q| self.successors(q, a))).collect();
            self.close(&mut next, &mut seen);
            set = next;
        }
        set.iter().any(|&q| self.is_accepting(q))
    }

    /// The DFA of the same language by the subset construction, in canonical form but not
    /// minimized; an error if it would have more than `limit` states.
    pub fn determinize(&self, limit: usize) -> Result<Dfa, TooManyStates> {
        let mut seen = vec![false; self.n_states()];
        let mut start = self.initial.clone();
        self.close(&mut start, &mut seen);
        let mut number: FxHashMap<Vec<StateId>, StateId> = FxHashMap::default();
        let mut subsets = vec![start.clone()];
        number.insert(start, StateId(0));
        let mut delta = Vec::new();
        let mut done = 0;
        while done < subsets.len() {
            if subsets.len() > limit {
                return Err(TooManyStates { limit });
            }
            // One pass over the subset's transitions serves all letters.
            let mut by_letter: Vec<Vec<StateId>> = vec![Vec::new(); self.n_letters];
            for &q in &subsets[done] {
                for &(a, to) in self.edges(q) {
                    if let Some(a) = a {
                        by_letter[a.index()].push(to);
                    }
                }
            }
            for mut next in by_letter {
                self.close(&mut next, &mut seen);
                let fresh = StateId::new(subsets.len());
                let id = match number.get(&next) {
                    Some(&id) => id,
                    None => {
                        subsets.push(next.clone());
                        number.insert(next, fresh);
                        fresh
                    }
                };
                delta.push(id);
            }
            done += 1;
        }
        let accepting = (subsets.iter())
            .map(|set| set.iter().any(|&q| self.is_accepting(q)))
            .collect();
        Ok(Dfa::from_table(self.n_letters, accepting, delta))
    }

    /// The same language without states that are not on a way from an initial to an accepting
    /// state; the others keep their order.
    #[must_use]
    pub fn trim(&self) -> Self {
        let forward = self.reachable(&self.initial, &self.edges);
        let reversed = self.reverse();
        let backward = self.reachable(&reversed.initial, &reversed.edges);
        self.keep(|q| forward[q.index()] && backward[q.index()])
    }

    /// The part with only these states.
    fn keep(&self, keep: impl Fn(StateId) -> bool) -> Self {
        let mut trimmed = Self::new(self.n_letters);
        let number: Vec<Option<StateId>> = (self.states())
            .map(|q| keep(q).then(|| trimmed.add_state(self.is_accepting(q))))
            .collect();
        for q in self.initial.iter().filter_map(|q| number[q.index()]) {
            trimmed.add_initial(q);
        }
        let kept = (self.transitions())
            .filter_map(|(from, a, to)| Some((number[from.index()]?, a, number[to.index()]?)));
        trimmed.add_transitions(kept);
        trimmed
    }

    fn reachable(&self, start: &[StateId], edges: &[Vec<(Option<Letter>, StateId)>]) -> Vec<bool> {
        let mut seen = vec![false; self.n_states()];
        let mut stack = start.to_vec();
        for q in start {
            seen[q.index()] = true;
        }
        while let Some(q) = stack.pop() {
            for &(_, to) in &edges[q.index()] {
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push(to);
                }
            }
        }
        seen
    }

    /// The language of all words read backwards.
    #[must_use]
    pub fn reverse(&self) -> Self {
        let mut edges = vec![Vec::new(); self.n_states()];
        for (from, a, to) in self.transitions() {
            edges[to.index()].push((a, from));
        }
        for list in &mut edges {
            list.sort_unstable();
        }
        let mut accepting = vec![false; self.n_states()];
        for q in &self.initial {
            accepting[q.index()] = true;
        }
        Self {
            n_letters: self.n_letters,
            initial: self.states().filter(|&q| self.is_accepting(q)).collect(),
            accepting,
            edges,
        }
    }

    /// The union of both languages: the automata side by side.
    ///
    /// # Panics
    /// If the alphabets differ in size, here and below.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        assert_eq!(self.n_letters, other.n_letters, "the same alphabet");
        let shift = |q: StateId| StateId::new(q.index() + self.n_states());
        let mut both = self.clone();
        both.initial.extend(other.initial.iter().map(|&q| shift(q)));
        both.accepting.extend(&other.accepting);
        both.edges.extend(
            (other.edges.iter()).map(|edges| edges.iter().map(|&(a, to)| (a, shift(to))).collect()),
        );
        both
    }

    /// The words that the DFA accepts too. Only reachable pairs are built.
    #[must_use]
    pub fn intersection(&self, dfa: &Dfa) -> Self {
        assert_eq!(self.n_letters, dfa.n_letters(), "the same alphabet");
        let mut product = Self::new(self.n_letters);
        let mut number: FxHashMap<(StateId, StateId), StateId> = FxHashMap::default();
        let mut pairs: Vec<(StateId, StateId)> = Vec::new();
        let mut id_of = |pair: (StateId, StateId), product: &mut Self, pairs: &mut Vec<_>| {
            *number.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                product.add_state(self.is_accepting(pair.0) && dfa.is_accepting(pair.1))
            })
        };
        for &q in &self.initial {
            let id = id_of((q, dfa.initial()), &mut product, &mut pairs);
            product.add_initial(id);
        }
        let mut transitions = Vec::new();
        let mut done = 0;
        while done < pairs.len() {
            let (p, q) = pairs[done];
            for &(a, to) in self.edges(p) {
                let next = a.map_or(q, |a| dfa.step(q, a));
                let id = id_of((to, next), &mut product, &mut pairs);
                transitions.push((StateId::new(done), a, id));
            }
            done += 1;
        }
        product.add_transitions(transitions);
        product
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        let seen = self.reachable(&self.initial, &self.edges);
        !self
            .states()
            .any(|q| seen[q.index()] && self.is_accepting(q))
    }

    /// A shortest accepted word. Linear: λ-moves count nothing and are followed first.
    pub fn shortest_accepted(&self) -> Option<Word> {
        let mut parent: Vec<Option<(StateId, Option<Letter>)>> = vec![None; self.n_states()];
        let mut settled = vec![false; self.n_states()];
        let mut queue: VecDeque<StateId> = self.initial.iter().copied().collect();
        let mut distance = vec![usize::MAX; self.n_states()];
        for q in &self.initial {
            distance[q.index()] = 0;
        }
        while let Some(q) = queue.pop_front() {
            if std::mem::replace(&mut settled[q.index()], true) {
                continue;
            }
            if self.is_accepting(q) {
                let mut word = Word::new();
                let mut at = q;
                while let Some((before, a)) = parent[at.index()] {
                    word.extend(a);
                    at = before;
                }
                word.reverse();
                return Some(word);
            }
            for &(a, to) in self.edges(q) {
                let length = distance[q.index()] + usize::from(a.is_some());
                if length < distance[to.index()] {
                    distance[to.index()] = length;
                    parent[to.index()] = Some((q, a));
                    match a {
                        None => queue.push_front(to),
                        Some(_) => queue.push_back(to),
                    }
                }
            }
        }
        None
    }
}

impl From<&Dfa> for Nfa {
    fn from(dfa: &Dfa) -> Self {
        Self {
            n_letters: dfa.n_letters(),
            initial: vec![dfa.initial()],
            accepting: dfa.outputs().to_vec(),
            edges: (dfa.states())
                .map(|q| dfa.letters().map(|a| (Some(a), dfa.step(q, a))).collect())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Nfa, TooManyStates};
    use crate::testing::{any_dfa, any_nfa, words_shorter_than};
    use crate::{Letter, StateId};
    use proptest::prelude::*;

    /// The n-th letter from the end is 1: the smallest DFA has 2^n states.
    fn nth_from_the_end(n: usize) -> Nfa {
        let mut nfa = Nfa::new(2);
        let states: Vec<StateId> = (0..=n).map(|q| nfa.add_state(q == n)).collect();
        nfa.add_initial(states[0]);
        for a in [0, 1].map(Letter) {
            nfa.add_transition(states[0], Some(a), states[0]);
            for pair in states[1..].windows(2) {
                nfa.add_transition(pair[0], Some(a), pair[1]);
            }
        }
        nfa.add_transition(states[0], Some(Letter(1)), states[1]);
        nfa
    }

    #[test]
    fn determinization_keeps_to_its_limit() {
        let nfa = nth_from_the_end(10);
        assert_eq!(nfa.determinize(1024).map(|dfa| dfa.n_states()), Ok(1024));
        assert_eq!(nfa.determinize(1023), Err(TooManyStates { limit: 1023 }));
        assert!(nth_from_the_end(60).determinize(1000).is_err());
    }

    #[test]
    fn no_states_no_words() {
        let nfa = Nfa::new(2);
        assert!(nfa.is_empty() && !nfa.accepts(&[]));
        assert!(nfa.determinize(1).is_ok_and(|dfa| dfa.is_empty()));
        assert_eq!(nfa.reverse().trim(), nfa);
    }

    proptest! {
        #[test]
        fn determinization_keeps_the_language(nfa in any_nfa(5, 2)) {
            let dfa = nfa.determinize(32).unwrap();
            for word in words_shorter_than(7, 2) {
                prop_assert_eq!(dfa.accepts(&word), nfa.accepts(&word));
            }
        }

        // By the definition of acceptance: some sequence of moves, found by search over pairs.
        #[test]
        fn acceptance_is_some_path(nfa in any_nfa(5, 2)) {
            for word in words_shorter_than(5, 2) {
                let mut seen: Vec<(StateId, usize)> =
                    nfa.initial().iter().map(|&q| (q, 0)).collect();
                let mut done = 0;
                while done < seen.len() {
                    let (q, i) = seen[done];
                    for &(a, to) in nfa.edges(q) {
                        let next = match a {
                            None => (to, i),
                            Some(a) if word.get(i) == Some(&a) => (to, i + 1),
                            Some(_) => continue,
                        };
                        if !seen.contains(&next) {
                            seen.push(next);
                        }
                    }
                    done += 1;
                }
                let some = seen.iter().any(|&(q, i)| i == word.len() && nfa.is_accepting(q));
                prop_assert_eq!(nfa.accepts(&word), some);
            }
        }

        #[test]
        fn operations_are_those_of_sets(
            a in any_nfa(4, 2), b in any_nfa(4, 2), dfa in any_dfa(4, 2),
        ) {
            let (union, both) = (a.union(&b), a.intersection(&dfa));
            let (reverse, trimmed) = (a.reverse(), a.trim());
            for word in words_shorter_than(6, 2) {
                let backwards: Vec<Letter> = word.iter().rev().copied().collect();
                prop_assert_eq!(union.accepts(&word), a.accepts(&word) || b.accepts(&word));
                prop_assert_eq!(both.accepts(&word), a.accepts(&word) && dfa.accepts(&word));
                prop_assert_eq!(reverse.accepts(&backwards), a.accepts(&word));
                prop_assert_eq!(trimmed.accepts(&word), a.accepts(&word));
                prop_assert_eq!(Nfa::from(&dfa).accepts(&word), dfa.accepts(&word));
            }
            prop_assert!(trimmed.n_states() == 0 || !trimmed.is_empty());
        }

        #[test]
        fn shortest_word_is_shortest(nfa in any_nfa(5, 2)) {
            let word = nfa.shortest_accepted();
            let expected = words_shorter_than(6, 2).into_iter().find(|word| nfa.accepts(word));
            prop_assert_eq!(word.as_ref().map(Vec::len), expected.map(|word| word.len()));
            prop_assert_eq!(word.is_none(), nfa.is_empty());
            prop_assert!(word.is_none_or(|word| nfa.accepts(&word)));
        }

        #[test]
        fn closure_is_what_lambda_reaches(nfa in any_nfa(5, 2), start in 0usize..5) {
            let start = StateId::new(start % nfa.n_states());
            let mut set = vec![start, start];
            nfa.epsilon_closure(&mut set);
            let mut expected = vec![start];
            for _ in 0..nfa.n_states() {
                let more: Vec<StateId> = expected.iter()
                    .flat_map(|&q| nfa.edges(q).iter())
                    .filter(|(a, _)| a.is_none()).map(|&(_, to)| to).collect();
                expected.extend(more);
                expected.sort();
                expected.dedup();
            }
            prop_assert_eq!(set, expected);
        }
    }
}

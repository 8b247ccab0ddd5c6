//! Pushdown automata, as in Y.-F. Chen, C. Hsieh, O. Lengál, T.-J. Lii, M.-H. Tsai, B.-Y. Wang and
//! F. Wang, *PAC Learning-Based Verification and Model Synthesis*, §2: a transition
//! `(q, [a; b/c], q')` reads `a`, pops `b` and pushes `c`, each of which may be λ. A run starts
//! with the empty stack and accepts in a final state, whatever the stack.
//!
//! Control flow with calls is such an automaton: a call pushes the place to return to.

use crate::pda_search::Search;
use crate::{Dfa, Letter, Nfa, StateId, Word};
use idiolect_base::{Budget, StopReason, index_type};

index_type!(
    /// A symbol of a stack alphabet.
    StackSymbol
);

/// A transition `(from, [letter; pop/push], to)`; `None` is λ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PdaTransition {
    pub from: StateId,
    pub letter: Option<Letter>,
    pub pop: Option<StackSymbol>,
    pub push: Option<StackSymbol>,
    pub to: StateId,
}

/// A pushdown automaton.
///
/// ```
/// use idiolect_automata::{Letter, Pda, StackSymbol};
/// // aⁿbⁿ with n > 0: a pushes, b pops, and the bottom symbol tells when all is matched.
/// let (a, b) = (Some(Letter(0)), Some(Letter(1)));
/// let (bottom, one) = (Some(StackSymbol(0)), Some(StackSymbol(1)));
/// let mut pda = Pda::new(2);
/// let [start, up, down, end] = [false, false, false, true].map(|f| pda.add_state(f));
/// pda.add_transition(start, None, None, bottom, up);
/// pda.add_transition(up, a, None, one, up);
/// pda.add_transition(up, b, one, None, down);
/// pda.add_transition(down, b, one, None, down);
/// pda.add_transition(down, None, bottom, None, end);
/// assert!(pda.accepts(&[0, 0, 1, 1].map(Letter)));
/// assert!(!pda.accepts(&[0, 0, 1].map(Letter)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pda {
    n_letters: usize,
    initial: StateId,
    accepting: Vec<bool>,
    transitions: Vec<PdaTransition>,
}

/// Why there is no answer in the form of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PdaError {
    #[error(transparent)]
    Stopped(#[from] StopReason),
    /// There are common words, but the shortest is too long to write down: its length can be
    /// exponential in the size of the automaton.
    #[error("the shortest witness has {length} letters")]
    WitnessTooLong { length: u64 },
}

impl Pda {
    /// Longer witnesses are not written out.
    pub const MAX_WITNESS: u64 = 1 << 26;

    /// An automaton without states; the first that is added is initial.
    pub fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            initial: StateId(0),
            accepting: Vec::new(),
            transitions: Vec::new(),
        }
    }

    pub fn add_state(&mut self, accepting: bool) -> StateId {
        self.accepting.push(accepting);
        StateId::new(self.accepting.len() - 1)
    }

    pub fn add_transition(
        &mut self,
        from: StateId,
        letter: Option<Letter>,
        pop: Option<StackSymbol>,
        push: Option<StackSymbol>,
        to: StateId,
    ) {
        assert!(from.index() < self.n_states() && to.index() < self.n_states());
        assert!(letter.is_none_or(|a| a.index() < self.n_letters));
        self.transitions.push(PdaTransition {
            from,
            letter,
            pop,
            push,
            to,
        });
    }

    pub fn set_initial(&mut self, state: StateId) {
        assert!(state.index() < self.n_states());
        self.initial = state;
    }

    pub fn set_accepting(&mut self, state: StateId, accepting: bool) {
        self.accepting[state.index()] = accepting;
    }

    pub fn initial(&self) -> StateId {
        self.initial
    }

    pub fn n_states(&self) -> usize {
        self.accepting.len()
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    pub fn transitions(&self) -> &[PdaTransition] {
        &self.transitions
    }

    /// A shortest word that both automata accept; `None` if there is none. The same automata give
    /// the same word.
    ///
    /// Polynomial in both sizes, whatever the depth of the stack; a step of the budget is one
    /// summary found. See the module `pda_search` for the method.
    ///
    /// # Panics
    /// If the alphabets differ in size.
    pub fn intersect_with(&self, dfa: &Dfa, budget: &Budget) -> Result<Option<Word>, PdaError> {
        assert_eq!(self.n_letters, dfa.n_letters(), "the same alphabet");
        if self.n_states() == 0 {
            return Ok(None);
        }
        Search::new(self, dfa).run(budget)
    }

    /// A shortest accepted word.
    pub fn shortest_accepted(&self, budget: &Budget) -> Result<Option<Word>, PdaError> {
        self.intersect_with(&Dfa::all(self.n_letters), budget)
    }

    pub fn accepts(&self, word: &[Letter]) -> bool {
        let alone = Dfa::of_word(self.n_letters, word);
        // The budget has no end, so an error can only speak of a long witness.
        !matches!(self.intersect_with(&alone, &Budget::unlimited()), Ok(None))
    }

    /// The automaton that forgets the stack: it accepts at least the words that `self` accepts,
    /// and emptiness of an intersection with it is a cheap first question.
    pub fn without_stack(&self) -> Nfa {
        let mut nfa = Nfa::new(self.n_letters);
        for &accepting in &self.accepting {
            nfa.add_state(accepting);
        }
        if self.n_states() > 0 {
            nfa.add_initial(self.initial);
        }
        nfa.add_transitions(self.transitions.iter().map(|t| (t.from, t.letter, t.to)));
        nfa
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{any_dfa, words_shorter_than};
    use proptest::prelude::*;

    fn any_pda() -> impl Strategy<Value = Pda> {
        (1usize..=4).prop_flat_map(|n| {
            let accepting = proptest::collection::vec(any::<bool>(), n);
            let transition = (0..n, 0u32..=2, 0u32..=2, 0u32..=2, 0..n);
            let transitions = proptest::collection::vec(transition, 0..10);
            (accepting, transitions).prop_map(|(accepting, transitions)| {
                let mut pda = Pda::new(2);
                for accepting in accepting {
                    pda.add_state(accepting);
                }
                for (from, a, pop, push, to) in transitions {
                    pda.add_transition(
                        StateId::new(from),
                        a.checked_sub(1).map(Letter),
                        pop.checked_sub(1).map(StackSymbol),
                        push.checked_sub(1).map(StackSymbol),
                        StateId::new(to),
                    );
                }
                pda
            })
        })
    }

    /// Acceptance by the definition, with stacks up to a height: all configurations.
    fn accepts_within(pda: &Pda, word: &[Letter], height: usize) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        let mut todo = vec![(pda.initial(), 0, Vec::new())];
        while let Some((q, i, stack)) = todo.pop() {
            if stack.len() > height || !seen.insert((q, i, stack.clone())) {
                continue;
            }
            if i == word.len() && pda.is_accepting(q) {
                return true;
            }
            for t in pda.transitions().iter().filter(|t| t.from == q) {
                let i = match t.letter {
                    None => i,
                    Some(a) if word.get(i) == Some(&a) => i + 1,
                    Some(_) => continue,
                };
                let mut stack = stack.clone();
                if t.pop.is_some() && stack.pop() != t.pop {
                    continue;
                }
                stack.extend(t.push);
                todo.push((t.to, i, stack));
            }
        }
        false
    }

    /// Acceptance by all summaries (q, i) to (q', j), closed under the rules one by one until
    /// nothing is new: slow, and without the order, entries and pruning of the real search.
    fn accepts_by_closure(pda: &Pda, word: &[Letter]) -> bool {
        let mut halves = Vec::new();
        for (m, t) in pda.transitions().iter().enumerate() {
            // Pop and push apart, with a state of its own in between.
            if t.pop.is_some() && t.push.is_some() {
                let middle = pda.n_states() + m;
                halves.push((t.from.index(), t.letter, t.pop, None, middle));
                halves.push((middle, None, None, t.push, t.to.index()));
            } else {
                halves.push((t.from.index(), t.letter, t.pop, t.push, t.to.index()));
            }
        }
        let width = word.len() + 1;
        let n = (pda.n_states() + pda.transitions().len()) * width;
        let moves: Vec<(usize, Option<StackSymbol>, Option<StackSymbol>, usize)> = (halves.iter())
            .flat_map(|&(p, a, pop, push, q)| {
                (0..width).filter_map(move |i| match a {
                    None => Some((p * width + i, pop, push, q * width + i)),
                    Some(a) if word.get(i) == Some(&a) => {
                        Some((p * width + i, pop, push, q * width + i + 1))
                    }
                    Some(_) => None,
                })
            })
            .collect();
        let mut level = vec![vec![false; n]; n];
        (0..n).for_each(|x| level[x][x] = true);
        loop {
            let mut found = Vec::new();
            for &(x, pop, push, y) in &moves {
                if (pop, push) == (None, None) {
                    found.push((x, y));
                }
                for &(z, pop2, _, end) in moves.iter().filter(|m| m.1.is_some()) {
                    if pop.is_none() && push == pop2 && level[y][z] {
                        found.push((x, end));
                    }
                }
            }
            let mut grown = false;
            for (x, y) in found {
                for from in 0..n {
                    for to in 0..n {
                        if level[from][x] && level[y][to] && !level[from][to] {
                            level[from][to] = true;
                            grown = true;
                        }
                    }
                }
            }
            if !grown {
                break;
            }
        }
        let mut reached = vec![false; n];
        let mut todo = vec![pda.initial().index() * width];
        while let Some(x) = todo.pop() {
            if std::mem::replace(&mut reached[x], true) {
                continue;
            }
            todo.extend((0..n).filter(|&y| level[x][y]));
            let pushes = moves.iter().filter(|m| m.0 == x && m.1.is_none());
            todo.extend(pushes.map(|m| m.3));
        }
        (0..pda.n_states()).any(|q| pda.accepting[q] && reached[q * width + word.len()])
    }

    /// A chain of procedures, each calling the next one twice; the last reads a letter.
    fn doubling(n: usize) -> Pda {
        let mut pda = Pda::new(1);
        let end = pda.add_state(true);
        let mut body = (pda.add_state(false), pda.add_state(false));
        pda.add_transition(body.0, Some(Letter(0)), None, None, body.1);
        let mut n_symbols = 0;
        let mut call = |pda: &mut Pda, at, body: (StateId, StateId), back| {
            let symbol = Some(StackSymbol(n_symbols));
            n_symbols += 1;
            pda.add_transition(at, None, None, symbol, body.0);
            pda.add_transition(body.1, None, symbol, None, back);
        };
        for _ in 0..n {
            let [start, middle, back] = [(); 3].map(|()| pda.add_state(false));
            call(&mut pda, start, body, middle);
            call(&mut pda, middle, body, back);
            body = (start, back);
        }
        let start = pda.add_state(false);
        call(&mut pda, start, body, end);
        pda.set_initial(start);
        pda
    }

    #[test]
    fn a_witness_of_exponential_length() {
        let budget = Budget::unlimited();
        let word = doubling(16).shortest_accepted(&budget).unwrap().unwrap();
        assert_eq!(word.len(), 1 << 16);
        let length = 1 << 40;
        let too_long = Err(PdaError::WitnessTooLong { length });
        assert_eq!(doubling(40).shortest_accepted(&budget), too_long);
        // Beyond 64 bits the length is a lower bound.
        assert!(doubling(200).shortest_accepted(&budget).is_err());
    }

    #[test]
    fn the_budget_is_kept() {
        let stopped = Err(PdaError::Stopped(StopReason::Steps));
        assert_eq!(doubling(20).shortest_accepted(&Budget::steps(10)), stopped);
    }

    #[test]
    fn recursion_of_any_depth() {
        // As many returns as calls: the DFA asks for 5000 calls first.
        let mut pda = Pda::new(2);
        let [start, body, end] = [false, false, true].map(|f| pda.add_state(f));
        let (outer, inner) = (Some(StackSymbol(0)), Some(StackSymbol(1)));
        pda.add_transition(start, None, None, outer, body);
        pda.add_transition(body, Some(Letter(0)), None, inner, body);
        pda.add_transition(body, Some(Letter(1)), inner, None, body);
        pda.add_transition(body, None, outer, None, end);
        let deep: Vec<bool> = (0..=5000).map(|q| q == 5000).collect();
        let dfa = Dfa::from_fn(2, &deep, |q, a| match a.index() {
            0 => (q + 1).min(5000),
            _ if q < 5000 => 0,
            _ => 5000,
        });
        let word = pda
            .intersect_with(&dfa, &Budget::unlimited())
            .unwrap()
            .unwrap();
        assert_eq!(
            word,
            [vec![Letter(0); 5000], vec![Letter(1); 5000]].concat()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn acceptance_is_that_of_the_definition(pda in any_pda()) {
            for word in words_shorter_than(4, 2) {
                let accepts = pda.accepts(&word);
                prop_assert_eq!(accepts, accepts_by_closure(&pda, &word), "{:?}", word);
                prop_assert!(accepts || !accepts_within(&pda, &word, 4), "{:?}", word);
                prop_assert!(!accepts || pda.without_stack().accepts(&word));
            }
        }

        #[test]
        fn the_witness_is_common_and_shortest(pda in any_pda(), dfa in any_dfa(3, 2)) {
            let found = pda.intersect_with(&dfa, &Budget::unlimited()).unwrap();
            let short = words_shorter_than(6, 2).into_iter()
                .find(|word| dfa.accepts(word) && pda.accepts(word));
            if let Some(word) = &found {
                prop_assert!(dfa.accepts(word) && pda.accepts(word));
            }
            match short {
                Some(short) => prop_assert_eq!(found.map(|word| word.len()), Some(short.len())),
                None => prop_assert!(found.is_none_or(|word| word.len() >= 6)),
            }
        }
    }
}

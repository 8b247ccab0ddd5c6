//! The error traces that remain: a deterministic automaton over letters, and what is taken from it.
//!
//! Seed 004's `A_rem`. It is deterministic because the program is: a letter is an edge of the
//! program's graph and says where it starts. So a difference is a product with something that is
//! followed along the letters ([`Subtrahend`]), however nondeterministic that is inside.

use super::minimize::classes;
use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;

/// Every state is reachable, and an accepting one can be reached from it; missing letters reject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Language {
    /// By state, ascending by letter. State 0 is the initial one, if there are any.
    edges: Vec<Vec<(u32, u32)>>,
    accepting: Vec<bool>,
}

/// What is taken away, followed along the words of a language.
pub trait Subtrahend {
    type State: Clone + Eq + Hash;

    fn start(&mut self) -> Self::State;

    /// Goes over `letter`, which leads the language from one state to another; `None` if every
    /// accepted word from here on is taken away.
    fn step(
        &mut self,
        state: &Self::State,
        edge: Edge,
        budget: &Budget,
    ) -> Result<Option<Self::State>, StopReason>;

    /// Whether a word that ends here, at an accepting state of the language, is taken away.
    fn takes(&self, state: &Self::State) -> bool;
}

/// An edge of a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: usize,
    pub letter: usize,
    pub to: usize,
}

impl Language {
    /// All words from state 0 to accepting states.
    pub fn new(
        edges: Vec<Vec<(u32, u32)>>,
        accepting: Vec<bool>,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        Self { edges, accepting }.trimmed().minimized(budget)
    }

    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// The edges from a state, ascending by letter.
    pub fn edges(&self, from: usize) -> impl Iterator<Item = Edge> + '_ {
        self.edges[from].iter().map(move |&(letter, to)| Edge {
            from,
            letter: letter as usize,
            to: to as usize,
        })
    }

    /// The states that a word leads through, the initial one first; `None` if it leads nowhere.
    pub fn run(&self, word: &[usize]) -> Option<Vec<usize>> {
        if self.is_empty() {
            return None;
        }
        let mut states = vec![0];
        let mut at = 0;
        for &letter in word {
            at = self.edges(at).find(|e| e.letter == letter)?.to;
            states.push(at);
        }
        Some(states)
    }

    pub fn accepts(&self, word: &[usize]) -> bool {
        self.run(word)
            .is_some_and(|states| states.last().is_some_and(|&q| self.accepting[q]))
    }

    /// The shortest word; of several the least.
    pub fn shortest(&self) -> Option<Vec<usize>> {
        if self.accepting.first() == Some(&true) {
            return Some(Vec::new());
        }
        self.shortest_with(|_| true)
    }

    /// The shortest word that has a wanted letter; of several the least.
    pub fn shortest_with(&self, is_wanted: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        if self.is_empty() {
            return None;
        }
        // Every state twice: before a wanted letter, and after one.
        let n = self.n_states();
        let mut came: Vec<Option<(usize, usize)>> = vec![None; 2 * n];
        let mut seen = vec![false; 2 * n];
        seen[0] = true;
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let q = at % n;
            if at >= n && self.accepting[q] {
                let (mut word, mut at) = (Vec::new(), at);
                while let Some((from, letter)) = came[at] {
                    word.push(letter);
                    at = from;
                }
                word.reverse();
                return Some(word);
            }
            for edge in self.edges(q) {
                let has_wanted = at >= n || is_wanted(edge.letter);
                let to = if has_wanted { n + edge.to } else { edge.to };
                if !std::mem::replace(&mut seen[to], true) {
                    came[to] = Some((at, edge.letter));
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// How many words there are; `None` if there are more than `most`.
    pub fn count(&self, most: u64) -> Option<u64> {
        // Every state is live, so any cycle means that there are infinitely many.
        let n = self.n_states();
        if n == 0 {
            return Some(0);
        }
        let mut incoming = vec![0usize; n];
        for q in 0..n {
            self.edges(q).for_each(|e| incoming[e.to] += 1);
        }
        let mut ways = vec![0u64; n];
        ways[0] = 1;
        let mut queue = VecDeque::from([0]);
        let (mut done, mut total) = (0, 0u64);
        if incoming[0] > 0 {
            return None;
        }
        while let Some(q) = queue.pop_front() {
            done += 1;
            if self.accepting[q] {
                total = total.saturating_add(ways[q]);
            }
            for edge in self.edges(q) {
                ways[edge.to] = ways[edge.to].saturating_add(ways[q]);
                incoming[edge.to] -= 1;
                if incoming[edge.to] == 0 {
                    queue.push_back(edge.to);
                }
            }
        }
        (done == n && total <= most).then_some(total)
    }

    /// The words that the subtrahend does not take.
    pub fn minus<S: Subtrahend>(
        &self,
        subtrahend: &mut S,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        self.minus_within(subtrahend, MAX_STATES, budget)
    }

    /// The same, but [`StopReason::Memory`] if it takes more than so many states on the way.
    pub fn minus_within<S: Subtrahend>(
        &self,
        subtrahend: &mut S,
        max_states: usize,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        if self.is_empty() {
            return Ok(self.clone());
        }
        let start = (0usize, subtrahend.start());
        let mut number: FxHashMap<(usize, S::State), u32> = FxHashMap::default();
        number.insert(start.clone(), 0);
        let mut list = vec![start];
        let mut edges: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut accepting = Vec::new();
        while let Some((q, state)) = list.get(edges.len()).cloned() {
            budget.spend(1)?;
            let mut row = Vec::new();
            for edge in self.edges(q) {
                let Some(next) = subtrahend.step(&state, edge, budget)? else {
                    continue;
                };
                let key = (edge.to, next);
                let new = list.len() as u32;
                let to = *number.entry(key.clone()).or_insert(new);
                if to == new {
                    if list.len() >= max_states {
                        return Err(StopReason::Memory);
                    }
                    list.push(key);
                }
                row.push((edge.letter as u32, to));
            }
            edges.push(row);
            accepting.push(self.accepting[q] && !subtrahend.takes(&state));
        }
        Self::new(edges, accepting, budget)
    }

    /// By letter, of so many: whether some word has it.
    pub fn letters(&self, n: usize) -> Vec<bool> {
        let mut has = vec![false; n];
        for row in &self.edges {
            row.iter()
                .for_each(|&(letter, _)| has[letter as usize] = true);
        }
        has
    }

    /// The words of these letters alone.
    pub fn of_letters(&self, is_kept: &[bool], budget: &Budget) -> Result<Self, StopReason> {
        let kept = |row: &Vec<(u32, u32)>| {
            let edges = row.iter().filter(|e| is_kept[e.0 as usize]);
            edges.copied().collect()
        };
        Self::new(
            self.edges.iter().map(kept).collect(),
            self.accepting.clone(),
            budget,
        )
    }

    /// Without states that cannot be reached or that reach no accepting one.
    fn trimmed(self) -> Self {
        let n = self.n_states();
        if n == 0 {
            return self;
        }
        let mut reached = vec![false; n];
        reached[0] = true;
        let mut stack = vec![0];
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        while let Some(q) = stack.pop() {
            for edge in self.edges(q) {
                before[edge.to].push(q);
                if !std::mem::replace(&mut reached[edge.to], true) {
                    stack.push(edge.to);
                }
            }
        }
        let mut live = vec![false; n];
        let mut stack: Vec<usize> = (0..n)
            .filter(|&q| reached[q] && self.accepting[q])
            .collect();
        stack.iter().for_each(|&q| live[q] = true);
        while let Some(q) = stack.pop() {
            for &p in &before[q] {
                if !std::mem::replace(&mut live[p], true) {
                    stack.push(p);
                }
            }
        }
        let keep: Vec<usize> = (0..n).filter(|&q| reached[q] && live[q]).collect();
        let mut new = vec![u32::MAX; n];
        for (i, &q) in keep.iter().enumerate() {
            new[q] = i as u32;
        }
        if !live[0] {
            return Self {
                edges: Vec::new(),
                accepting: Vec::new(),
            };
        }
        Self {
            edges: keep
                .iter()
                .map(|&q| {
                    self.edges(q)
                        .filter(|e| new[e.to] != u32::MAX)
                        .map(|e| (e.letter as u32, new[e.to]))
                        .collect()
                })
                .collect(),
            accepting: keep.iter().map(|&q| self.accepting[q]).collect(),
        }
    }

    /// Merges states of the same future.
    fn minimized(self, budget: &Budget) -> Result<Self, StopReason> {
        let n = self.n_states();
        let (class, n_classes) = classes(&self.edges, &self.accepting, budget)?;
        if n_classes == n {
            return Ok(self);
        }
        // Classes are numbered by their first state, so state 0 stays the initial one.
        let mut edges = vec![Vec::new(); n_classes];
        let mut accepting = vec![false; n_classes];
        let mut done = vec![false; n_classes];
        for q in 0..n {
            let c = class[q] as usize;
            if !std::mem::replace(&mut done[c], true) {
                edges[c] = (self.edges[q].iter())
                    .map(|&(a, to)| (a, class[to as usize]))
                    .collect();
                accepting[c] = self.accepting[q];
            }
        }
        Ok(Self { edges, accepting })
    }
}

/// More are not kept in memory.
const MAX_STATES: usize = 1_000_000;

/// One word, and nothing else.
pub struct Word<'a>(pub &'a [usize]);

impl Subtrahend for Word<'_> {
    /// How much of the word was read; `None` once it was left.
    type State = Option<usize>;

    fn start(&mut self) -> Self::State {
        Some(0)
    }

    fn step(
        &mut self,
        state: &Self::State,
        edge: Edge,
        _: &Budget,
    ) -> Result<Option<Self::State>, StopReason> {
        let next = state.filter(|&i| self.0.get(i) == Some(&edge.letter));
        Ok(Some(next.map(|i| i + 1)))
    }

    fn takes(&self, state: &Self::State) -> bool {
        *state == Some(self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a (b a)* c | b`, with letters 0, 1, 2.
    fn example() -> Language {
        Language::new(
            vec![
                vec![(0, 1), (1, 2)],
                vec![(1, 3), (2, 2)],
                vec![],
                vec![(0, 1), (1, 4)],
                vec![],
            ],
            vec![false, false, true, false, false],
            &Budget::unlimited(),
        )
        .unwrap()
    }

    #[test]
    fn words_are_taken_one_by_one_shortest_first() {
        let mut language = example();
        let mut found = Vec::new();
        for _ in 0..3 {
            let word = language.shortest().unwrap();
            assert!(language.accepts(&word));
            language = language
                .minus(&mut Word(&word), &Budget::unlimited())
                .unwrap();
            assert!(!language.accepts(&word));
            found.push(word);
        }
        assert_eq!(found, [vec![1], vec![0, 2], vec![0, 1, 0, 2]]);
    }

    #[test]
    fn the_shortest_word_with_a_letter_may_go_round_a_loop() {
        assert_eq!(example().shortest_with(|a| a == 2), Some(vec![0, 2]));
        assert_eq!(example().shortest_with(|a| a == 3), None);
        let after_a_loop = |a: usize| a == 1;
        let more = example()
            .minus(&mut Word(&[1]), &Budget::unlimited())
            .unwrap();
        assert_eq!(more.shortest_with(after_a_loop), Some(vec![0, 1, 0, 2]));
    }

    #[test]
    fn words_of_some_letters() {
        assert_eq!(example().letters(4), [true, true, true, false]);
        let without_b = example()
            .of_letters(&[true, false, true], &Budget::unlimited())
            .unwrap();
        assert_eq!(without_b.count(10), Some(1));
        assert!(without_b.accepts(&[0, 2]));
    }

    #[test]
    fn finite_languages_are_counted_and_infinite_ones_are_not() {
        assert_eq!(example().count(100), None);
        let two = Language::new(
            vec![vec![(0, 1), (1, 1)], vec![(0, 2), (1, 3)], vec![], vec![]],
            vec![false, false, true, true],
            &Budget::unlimited(),
        )
        .unwrap();
        assert_eq!(two.count(4), Some(4));
        assert_eq!(two.count(3), None);
        // States of the same future are one.
        assert_eq!(two.n_states(), 3);
    }
}

//! sk-strings and k-tails: merges states that produce the same next k letters.
//!
//! A. V. Raman and J. D. Patrick, *The sk-strings method for inferring PFSA*, ICML 1997 workshop;
//! A. W. Biermann and J. A. Feldman, *On the synthesis of finite-state machines from samples of
//! their behavior*, 1972 (k-tails).
//!
//! The *k-strings* of a state are the words of length k that can be produced from it, and the
//! shorter ones after which the word can end there; each has a probability. k-tails merges states
//! with the same k-strings. sk-strings looks only at the most probable ones that together have
//! probability s, and asks that (AND) each state can produce those of the other, (OR) one can
//! produce those of the other, (LAX) they are the same in the same order, (STRICT) with the same
//! probabilities too.
//!
//! Pairs are looked at in the order of states, from the start after each merge, as in the authors'
//! program. Only what a merge changed is looked at again: states from which it can be seen within k
//! letters. Merging states may make the automaton nondeterministic.

use super::prefix_tree::PrefixTree;
use idiolect_automata::{Letter, Pfsa, StateId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// When two states agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    And,
    Or,
    Lax,
    Strict,
}

/// The sk-strings learner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SkStrings {
    /// How many letters to look ahead.
    pub k: usize,
    /// The share of the probability that has to agree, between 0 and 1.
    pub s: f64,
    pub agreement: Agreement,
}

impl SkStrings {
    /// A probabilistic automaton from weighted words.
    pub fn learn(&self, tree: &PrefixTree) -> Pfsa {
        Merger::new(tree, self.k, Criterion::Strings(*self)).run()
    }
}

/// A probabilistic automaton from weighted words: merges states with the same k-strings.
pub fn k_tails(tree: &PrefixTree, k: usize) -> Pfsa {
    Merger::new(tree, k, Criterion::Tails).run()
}

#[derive(Clone, Copy)]
enum Criterion {
    Tails,
    Strings(SkStrings),
}

/// Marks the end of a word that ends before k letters are over.
const END: Letter = Letter(u32::MAX);

/// The k-strings of a state: most probable first, and all of them sorted.
struct Strings {
    by_probability: Vec<(u32, f64)>,
    ids: Vec<u32>,
}

struct Merger {
    n_letters: usize,
    k: usize,
    criterion: Criterion,
    /// Ending weight, and transitions to states; `None` for a state that was merged into another.
    states: Vec<Option<State>>,
    sources: Vec<BTreeSet<u32>>,
    strings: Vec<Option<Strings>>,
    ids: FxHashMap<Vec<Letter>, u32>,
}

#[derive(Clone, Default)]
struct State {
    ends: f64,
    total: f64,
    to: BTreeMap<(Letter, u32), f64>,
}

impl Merger {
    fn new(tree: &PrefixTree, k: usize, criterion: Criterion) -> Self {
        let n = tree.n_nodes();
        let mut states = Vec::with_capacity(n);
        let mut sources = vec![BTreeSet::new(); n];
        for q in 0..n as u32 {
            let to = tree.children(q).map(|c| {
                let weight = tree.passes[c as usize] as f64;
                ((tree.letter[c as usize], c), weight)
            });
            states.push(Some(State {
                ends: tree.accepted[q as usize] as f64,
                total: tree.passes[q as usize] as f64,
                to: to.collect(),
            }));
            for c in tree.children(q) {
                sources[c as usize].insert(q);
            }
        }
        Self {
            n_letters: tree.n_letters(),
            k,
            criterion,
            states,
            sources,
            strings: (0..n).map(|_| None).collect(),
            ids: FxHashMap::default(),
        }
    }

    fn run(mut self) -> Pfsa {
        let n = self.states.len() as u32;
        // Rows before `row` have been compared with all later states; `changed` are those whose
        // strings are no longer what they were then.
        let (mut row, mut column) = (0, 1);
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        loop {
            let again = (0..if changed.is_empty() { 0 } else { row }).find_map(|p| {
                self.states[p as usize].as_ref()?;
                let others: Vec<u32> = if changed.contains(&p) {
                    (p + 1..n).collect()
                } else {
                    changed.range(p + 1..).copied().collect()
                };
                let q = others.into_iter().find(|&q| self.mergeable(p, q))?;
                Some((p, q))
            });
            if let Some((p, q)) = again {
                changed.extend(self.merge(p, q));
                column = row + 1;
                continue;
            }
            changed.clear();
            if row == n {
                break;
            }
            match (column..n).find(|&q| self.mergeable(row, q)) {
                Some(q) => {
                    changed = self.merge(row, q);
                    // Nothing changed: the states before this one need no second look.
                    column = if changed.is_empty() { q + 1 } else { row + 1 };
                }
                None => {
                    row += 1;
                    column = row + 1;
                }
            }
        }
        self.to_pfsa()
    }

    fn mergeable(&mut self, p: u32, q: u32) -> bool {
        if self.states[p as usize].is_none() || self.states[q as usize].is_none() {
            return false;
        }
        self.find_strings(p);
        self.find_strings(q);
        let (Some(p), Some(q)) = (&self.strings[p as usize], &self.strings[q as usize]) else {
            return false;
        };
        match self.criterion {
            Criterion::Tails => p.ids == q.ids,
            Criterion::Strings(SkStrings { s, agreement, .. }) => match agreement {
                Agreement::And => produces(q, p.top(s)) && produces(p, q.top(s)),
                Agreement::Or => produces(q, p.top(s)) || produces(p, q.top(s)),
                Agreement::Lax => {
                    let strings = |list: &[(u32, f64)]| list.iter().map(|(id, _)| *id).collect();
                    let (a, b): (Vec<u32>, Vec<u32>) = (strings(p.top(s)), strings(q.top(s)));
                    a == b
                }
                Agreement::Strict => same_strings(p.top(s), q.top(s)),
            },
        }
    }

    fn find_strings(&mut self, state: u32) {
        if self.strings[state as usize].is_some() {
            return;
        }
        let mut found: BTreeMap<Vec<Letter>, f64> = BTreeMap::new();
        self.collect(state, self.k, 1.0, &mut Vec::new(), &mut found);
        let fresh = &mut self.ids;
        let mut list: Vec<(u32, f64)> = Vec::with_capacity(found.len());
        for (string, probability) in found {
            let next = fresh.len() as u32;
            list.push((*fresh.entry(string).or_insert(next), probability));
        }
        // The sort is stable: among equally probable strings the order of letters decides.
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut ids: Vec<u32> = list.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        self.strings[state as usize] = Some(Strings {
            by_probability: list,
            ids,
        });
    }

    fn collect(
        &self,
        state: u32,
        k: usize,
        probability: f64,
        string: &mut Vec<Letter>,
        found: &mut BTreeMap<Vec<Letter>, f64>,
    ) {
        let Some(s) = &self.states[state as usize] else {
            return;
        };
        if k == 0 {
            *found.entry(string.clone()).or_insert(0.0) += probability;
            return;
        }
        if s.ends > 0.0 {
            string.push(END);
            *found.entry(string.clone()).or_insert(0.0) += probability * s.ends / s.total;
            string.pop();
        }
        for (&(letter, to), &weight) in &s.to {
            string.push(letter);
            self.collect(to, k - 1, probability * weight / s.total, string, found);
            string.pop();
        }
    }

    /// Merges the second state into the first. The states whose strings may have changed: none if
    /// the two had the same strings with the same probabilities.
    fn merge(&mut self, p: u32, q: u32) -> BTreeSet<u32> {
        let alike = match (&self.strings[p as usize], &self.strings[q as usize]) {
            (Some(a), Some(b)) => same_strings(&a.by_probability, &b.by_probability),
            _ => false,
        };
        let Some(gone) = self.states[q as usize].take() else {
            return BTreeSet::new();
        };
        self.strings[q as usize] = None;
        for source in std::mem::take(&mut self.sources[q as usize]) {
            let source = if source == q { p } else { source };
            if let Some(state) = &mut self.states[source as usize] {
                let moved: Vec<_> = state
                    .to
                    .iter()
                    .filter(|((_, to), _)| *to == q)
                    .map(|(&(letter, _), &weight)| (letter, weight))
                    .collect();
                for (letter, weight) in moved {
                    state.to.remove(&(letter, q));
                    *state.to.entry((letter, p)).or_insert(0.0) += weight;
                }
            }
            self.sources[p as usize].insert(source);
        }
        let mut kept = self.states[p as usize].take().unwrap_or_default();
        kept.ends += gone.ends;
        kept.total += gone.total;
        for ((letter, to), weight) in gone.to {
            let to = if to == q { p } else { to };
            *kept.to.entry((letter, to)).or_insert(0.0) += weight;
            self.sources[to as usize].remove(&q);
            self.sources[to as usize].insert(p);
        }
        self.states[p as usize] = Some(kept);
        if alike {
            return BTreeSet::new();
        }
        let mut seen = BTreeSet::from([p]);
        let mut border = vec![p];
        // From k letters away only that there is a state here can be seen, and that stays so.
        for _ in 1..self.k {
            let mut next = Vec::new();
            for state in border {
                let sources = self.sources[state as usize].iter().copied();
                next.extend(sources.filter(|&s| seen.insert(s)));
            }
            border = next;
        }
        for &state in &seen {
            self.strings[state as usize] = None;
        }
        seen
    }

    fn to_pfsa(&self) -> Pfsa {
        let mut number = vec![StateId(0); self.states.len()];
        let mut pfsa = Pfsa::new(self.n_letters);
        for (q, state) in self.states.iter().enumerate() {
            if let Some(state) = state {
                number[q] = pfsa.add_state(state.ends);
            }
        }
        for (q, state) in self.states.iter().enumerate() {
            for (&(letter, to), &weight) in state.iter().flat_map(|s| &s.to) {
                pfsa.add_transition(number[q], letter, number[to as usize], weight);
            }
        }
        pfsa
    }
}

impl Strings {
    /// The most probable strings that together have at least this probability.
    fn top(&self, s: f64) -> &[(u32, f64)] {
        let mut sum = 0.0;
        let mut enough = 0;
        // Sums of fractions are a little off; strings that make up exactly `s` are to suffice.
        while enough < self.by_probability.len() && (sum < s - 1e-9 || enough == 0) {
            sum += self.by_probability[enough].1;
            enough += 1;
        }
        &self.by_probability[..enough]
    }
}

/// Whether a state can produce all these strings.
fn produces(strings: &Strings, list: &[(u32, f64)]) -> bool {
    list.iter()
        .all(|(id, _)| strings.ids.binary_search(id).is_ok())
}

/// Whether two lists have the same strings in the same order with the same probabilities.
fn same_strings(left: &[(u32, f64)], right: &[(u32, f64)]) -> bool {
    left.len() == right.len()
        && (left.iter().zip(right)).all(|(x, y)| x.0 == y.0 && (x.1 - y.1).abs() < 1e-12)
}

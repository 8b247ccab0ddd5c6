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
//! program: the next two to be merged are the first that agree. Finding them takes no look at all
//! pairs, as states are kept in [classes](super::string_classes), and what a merge changed is
//! looked at again alone: states from which it can be seen within k letters. Merging states may
//! make the automaton nondeterministic.
//!
//! Large trees are merged in rounds instead: every state takes in those that agree with it and with what it has taken in
//! before, by the strings that they had when the round began. What is left is of the same kind, states no two of which
//! agree, but it need not be the same automaton.

use super::prefix_tree::PrefixTree;
use super::string_classes::StringClasses;
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

impl Agreement {
    /// Whether sets of strings are compared, and not lists.
    pub(crate) fn is_about_sets(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }

    pub(crate) fn is_about_probabilities(self) -> bool {
        self == Self::Strict
    }

    /// Whether each state has to produce the strings of the other.
    pub(crate) fn is_mutual(self) -> bool {
        self != Self::Or
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Criterion {
    Tails,
    Strings(SkStrings),
}

/// Marks the end of a word that ends before k letters are over.
const END: Letter = Letter(u32::MAX);

/// The k-strings of a state: most probable first, and all of them sorted.
#[derive(Clone)]
pub(crate) struct Strings {
    pub(crate) by_probability: Vec<(u32, f64)>,
    pub(crate) ids: Vec<u32>,
}

/// How much work a run was.
#[derive(Clone, Copy, Default, Debug)]
struct Work {
    merges: u64,
    /// How often the strings of a state were found.
    found: u64,
}

struct Merger {
    n_letters: usize,
    k: usize,
    classes: StringClasses,
    work: Work,
    /// Ending weight, and transitions to states; `None` for a state that was merged into another.
    states: Vec<Option<State>>,
    /// The transitions that lead to each state: from where, with which letter.
    sources: Vec<BTreeSet<(u32, Letter)>>,
    strings: Vec<Option<Strings>>,
    pool: StringPool,
    /// For 1, 2, … letters less than k the strings of each state, where they are known.
    shorter: Vec<FxHashMap<u32, Vec<(u32, f64)>>>,
    sums: Sums,
}

/// Prefix trees with more states are merged in rounds: one merge after the other, each followed by a look at all
/// states near it, takes time that grows with the square.
const MOST_ONE_BY_ONE: usize = 30_000;

/// The number of the empty string.
const NO_STRING: u32 = u32::MAX;

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
                sources[c as usize].insert((q, tree.letter[c as usize]));
            }
        }
        Self {
            n_letters: tree.n_letters(),
            k,
            classes: StringClasses::new(n, criterion),
            work: Work::default(),
            states,
            sources,
            strings: (0..n).map(|_| None).collect(),
            pool: StringPool::default(),
            shorter: Vec::new(),
            sums: Sums::default(),
        }
    }

    fn run(mut self) -> Pfsa {
        if self.states.len() > MOST_ONE_BY_ONE {
            self.merge_in_rounds()
        } else {
            self.merge_all()
        }
        self.to_pfsa()
    }

    /// In each round, every state takes in later ones that agreed with it when the round began and agree with what it has
    /// become since; then strings are found anew. It ends with states no two of which agree, as one merge after the other does.
    fn merge_in_rounds(&mut self) {
        let n = self.states.len() as u32;
        loop {
            self.classes.clear();
            self.shorter.clear();
            let living: Vec<u32> = (0..n)
                .filter(|&q| self.states[q as usize].is_some())
                .collect();
            for &state in &living {
                self.classify(state);
            }
            let mut into: Vec<u32> = (0..n).collect();
            let merges = self.work.merges;
            for &row in &living {
                if into[row as usize] != row {
                    continue;
                }
                for other in self.take_agreeing(row) {
                    into[other as usize] = row;
                    self.work.merges += 1;
                }
            }
            if self.work.merges == merges {
                return;
            }
            self.join(&living, &into);
        }
    }

    /// Takes the states out of their classes that agree with this one and those before them, one after the other. The
    /// first always does.
    fn take_agreeing(&mut self, row: u32) -> Vec<u32> {
        let mut taken = Vec::new();
        let total = |this: &Self, q: u32| this.states[q as usize].as_ref().map_or(0.0, |s| s.total);
        let Some(mut strings) = self.strings[row as usize].clone() else {
            return taken;
        };
        let mut weight = total(self, row);
        for other in self.classes.agreeing(row) {
            let Some(others) = &self.strings[other as usize] else {
                continue;
            };
            let agrees = match self.classes.criterion() {
                Criterion::Tails => true,
                criterion => agree(criterion, &strings, others),
            };
            if !agrees {
                continue;
            }
            let more = total(self, other);
            strings = self.mixed((&strings, weight), (others, more));
            weight += more;
            self.classes.remove(other);
            taken.push(other);
        }
        taken
    }

    /// The strings of two states together, each as often as it was come to.
    fn mixed(&self, left: (&Strings, f64), right: (&Strings, f64)) -> Strings {
        let total = left.1 + right.1;
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for (strings, weight) in [left, right] {
            for (id, p) in &strings.by_probability {
                *sums.entry(*id).or_insert(0.0) += p * weight / total;
            }
        }
        self.sorted(sums.into_iter().collect())
    }

    /// Strings that are sorted by their numbers.
    fn sorted(&self, mut list: Vec<(u32, f64)>) -> Strings {
        let ids: Vec<u32> = list.iter().map(|(id, _)| *id).collect();
        // Among equally probable strings the order of letters decides.
        let pool = &self.pool;
        list.sort_by(|a, b| {
            let by_letters = || pool.letters(a.0).cmp(pool.letters(b.0));
            b.1.total_cmp(&a.1).then_with(by_letters)
        });
        Strings {
            by_probability: list,
            ids,
        }
    }

    /// Merges every state into the one that it goes `into`, which is not after it and goes into itself.
    fn join(&mut self, living: &[u32], into: &[u32]) {
        for &state in living {
            let Some(old) = self.states[state as usize].take() else {
                continue;
            };
            let own = into[state as usize];
            let to = old.to.into_iter();
            let to = to.map(|((letter, to), weight)| ((letter, into[to as usize]), weight));
            let kept = self.states[own as usize].get_or_insert_with(State::default);
            kept.ends += old.ends;
            kept.total += old.total;
            for (key, weight) in to {
                *kept.to.entry(key).or_insert(0.0) += weight;
            }
        }
    }

    fn merge_all(&mut self) {
        let n = self.states.len() as u32;
        for state in 0..n {
            self.classify(state);
        }
        // Rows before `row` have been compared with all later states; `changed` are those that
        // agree with others than then.
        let (mut row, mut column) = (0, 1);
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        loop {
            if let Some((p, q)) = self.first_changed_pair(&changed, row) {
                changed.extend(self.merge(p, q));
                column = row + 1;
                continue;
            }
            changed.clear();
            if row == n {
                return;
            }
            match self.classes.partner(row, Some(column - 1)) {
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
    }

    /// The first pair that agrees, one of the two changed and the first of the two before `row`.
    fn first_changed_pair(&mut self, changed: &BTreeSet<u32>, row: u32) -> Option<(u32, u32)> {
        let mut first = None;
        for &state in changed {
            let Some(partner) = self.classes.partner(state, None) else {
                continue;
            };
            let smaller = partner.min(state);
            if smaller < row && first.is_none_or(|f| smaller < f) {
                first = Some(smaller);
            }
        }
        // Two unchanged states do not agree, so whatever agrees with the first one is changed or
        // the first one is.
        let first = first?;
        Some((first, self.classes.partner(first, Some(first))?))
    }

    /// Finds the strings of a state and puts it into its class. Whether it was in another one.
    fn classify(&mut self, state: u32) -> bool {
        self.work.found += 1;
        let list = self.distribution(state, self.k);
        let strings = self.sorted(list);
        let other = self.classes.put(state, &strings);
        self.strings[state as usize] = Some(strings);
        other
    }

    /// The strings of `length` letters, sorted by their numbers. Those of the states that follow
    /// are kept: a state with thousands of transitions has few different strings, and is looked at
    /// from many states.
    fn distribution(&mut self, state: u32, length: usize) -> Vec<(u32, f64)> {
        if length == 0 {
            return vec![(NO_STRING, 1.0)];
        }
        let to = self.states[state as usize].iter().flat_map(|s| &s.to);
        let targets: Vec<u32> = to.map(|((_, to), _)| *to).collect();
        if self.shorter.len() + 1 < length {
            self.shorter.resize_with(length - 1, FxHashMap::default);
        }
        for to in targets {
            if length > 1 && !self.shorter[length - 2].contains_key(&to) {
                let list = self.distribution(to, length - 1);
                self.shorter[length - 2].insert(to, list);
            }
        }
        let Some(state) = &self.states[state as usize] else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if state.ends > 0.0 {
            found.push((self.pool.longer(END, NO_STRING), state.ends / state.total));
        }
        let mut edges = state.to.iter().peekable();
        while let Some((&(letter, to), &weight)) = edges.next() {
            let share = weight / state.total;
            match length.checked_sub(2) {
                None => self.sums.add(NO_STRING, share),
                Some(at) => {
                    for &(string, p) in self.shorter[at].get(&to).into_iter().flatten() {
                        self.sums.add(string, share * p);
                    }
                }
            }
            // All that starts with this letter is added up: what follows is a longer string.
            if edges.peek().is_none_or(|((next, _), _)| *next != letter) {
                for (rest, sum) in self.sums.take() {
                    found.push((self.pool.longer(letter, rest), sum));
                }
            }
        }
        found.sort_unstable_by_key(|(id, _)| *id);
        found
    }

    /// Merges the second state into the first. The states that are in another class now: none if
    /// the two had the same strings with the same probabilities.
    fn merge(&mut self, p: u32, q: u32) -> BTreeSet<u32> {
        let alike = match (&self.strings[p as usize], &self.strings[q as usize]) {
            // Rejected words lead to states without strings, and what is lost there may come back
            // when a merge closes a loop.
            (Some(a), Some(b)) => {
                let total: f64 = a.by_probability.iter().map(|(_, p)| p).sum();
                total > 1.0 - 1e-9 && same_strings(&a.by_probability, &b.by_probability)
            }
            _ => false,
        };
        let Some(gone) = self.states[q as usize].take() else {
            return BTreeSet::new();
        };
        self.work.merges += 1;
        self.strings[q as usize] = None;
        self.classes.remove(q);
        for (source, letter) in std::mem::take(&mut self.sources[q as usize]) {
            let source = if source == q { p } else { source };
            if let Some(state) = &mut self.states[source as usize]
                && let Some(weight) = state.to.remove(&(letter, q))
            {
                *state.to.entry((letter, p)).or_insert(0.0) += weight;
            }
            self.sources[p as usize].insert((source, letter));
        }
        let mut kept = self.states[p as usize].take().unwrap_or_default();
        kept.ends += gone.ends;
        kept.total += gone.total;
        for ((letter, to), weight) in gone.to {
            let to = if to == q { p } else { to };
            *kept.to.entry((letter, to)).or_insert(0.0) += weight;
            self.sources[to as usize].remove(&(q, letter));
            self.sources[to as usize].insert((p, letter));
        }
        self.states[p as usize] = Some(kept);
        if alike {
            return BTreeSet::new();
        }
        let mut seen = BTreeSet::from([p]);
        let mut border = vec![p];
        // From k letters away only that there is a state here can be seen, and that stays so.
        for distance in 0..self.k {
            let mut next = Vec::new();
            for state in border {
                for known in self.shorter.iter_mut().skip(distance) {
                    known.remove(&state);
                }
                if distance + 1 < self.k {
                    let sources = self.sources[state as usize].iter().map(|(s, _)| *s);
                    next.extend(sources.filter(|&s| seen.insert(s)));
                }
            }
            border = next;
        }
        seen.retain(|&state| self.states[state as usize].is_some() && self.classify(state));
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

/// Numbers for strings.
#[derive(Default)]
struct StringPool {
    /// Each is a letter and the string with this number.
    known: Vec<(Letter, u32)>,
    ids: FxHashMap<(Letter, u32), u32>,
}

impl StringPool {
    fn longer(&mut self, letter: Letter, rest: u32) -> u32 {
        let Self { known, ids } = self;
        *ids.entry((letter, rest)).or_insert_with(|| {
            known.push((letter, rest));
            known.len() as u32 - 1
        })
    }

    fn letters(&self, string: u32) -> impl Iterator<Item = Letter> + '_ {
        let mut at = string;
        std::iter::from_fn(move || {
            let &(letter, rest) = self.known.get(at as usize)?;
            at = rest;
            Some(letter)
        })
    }
}

/// Adds up probabilities of strings.
#[derive(Default)]
struct Sums {
    /// By the number of the string plus one, so that the empty one is 0; below zero if not there.
    sums: Vec<f64>,
    strings: Vec<u32>,
}

const ABSENT: f64 = -1.0;

impl Sums {
    fn add(&mut self, string: u32, probability: f64) {
        let at = string.wrapping_add(1) as usize;
        if at >= self.sums.len() {
            self.sums.resize(at + 1, ABSENT);
        }
        if self.sums[at] < 0.0 {
            self.sums[at] = 0.0;
            self.strings.push(string);
        }
        self.sums[at] += probability;
    }

    /// All that was added, in the order in which it first came.
    fn take(&mut self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let Self { sums, strings } = self;
        strings.drain(..).map(|string| {
            let at = string.wrapping_add(1) as usize;
            (string, std::mem::replace(&mut sums[at], ABSENT))
        })
    }
}

impl Strings {
    /// The most probable strings that together have at least this probability.
    pub(crate) fn top(&self, s: f64) -> &[(u32, f64)] {
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

/// Whether states with these strings are merged.
pub(crate) fn agree(criterion: Criterion, p: &Strings, q: &Strings) -> bool {
    match criterion {
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

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_automata::Word;
    use idiolect_base::Rng;
    use proptest::prelude::*;

    const AGREEMENTS: [Agreement; 4] = [
        Agreement::And,
        Agreement::Or,
        Agreement::Lax,
        Agreement::Strict,
    ];

    /// By the definition: after each merge, all pairs from the start, with strings found anew.
    fn merge_naively(tree: &PrefixTree, k: usize, criterion: Criterion) -> Pfsa {
        let mut merger = Merger::new(tree, k, criterion);
        let n = tree.n_nodes() as u32;
        'again: loop {
            let living = |m: &Merger| -> Vec<u32> {
                (0..n).filter(|&q| m.states[q as usize].is_some()).collect()
            };
            for q in living(&merger) {
                merger.classify(q);
            }
            for p in living(&merger) {
                for q in living(&merger).into_iter().filter(|&q| q > p) {
                    let strings = |q: u32| merger.strings[q as usize].as_ref().unwrap();
                    if agree(criterion, strings(p), strings(q)) {
                        merger.merge(p, q);
                        continue 'again;
                    }
                }
            }
            return merger.to_pfsa();
        }
    }

    proptest! {
        #[test]
        fn merges_the_first_pair_that_agrees(
            words in proptest::collection::vec(
                (proptest::collection::vec(0u32..3, 0..6), 1u64..5, any::<bool>()), 1..15),
            k in 0usize..4,
            percent in 1u32..=100,
        ) {
            // Words that are rejected leave states with no strings at all.
            let words: Vec<(Word, u64, bool)> = words
                .into_iter()
                .map(|(w, n, label)| (w.into_iter().map(Letter).collect(), n, label))
                .collect();
            let labeled: Vec<(&Word, bool)> = words.iter().map(|(w, _, l)| (w, *l)).collect();
            let weighted: Vec<(&Word, u64)> = words.iter().map(|(w, n, _)| (w, *n)).collect();
            let trees = [PrefixTree::of_labeled(3, &labeled), PrefixTree::of_words(3, &weighted)];
            let s = f64::from(percent) / 100.0;
            let mut criteria = vec![Criterion::Tails];
            let strings = |agreement| Criterion::Strings(SkStrings { k, s, agreement });
            criteria.extend(AGREEMENTS.map(strings));
            for tree in &trees {
                for &criterion in &criteria {
                    let found = Merger::new(tree, k, criterion).run();
                    let expected = merge_naively(tree, k, criterion);
                    prop_assert_eq!(format!("{found:?}"), format!("{expected:?}"));
                }
            }
        }
    }

    /// Words of a protocol with a few hundred variations, as traces of programs are.
    fn protocol(n_words: usize, seed: u64) -> Vec<(Word, u64)> {
        let mut rng = Rng::new(seed, 0);
        (0..n_words)
            .map(|_| {
                let mut state = 0;
                let mut word = Word::new();
                while word.len() < 5 || (word.len() < 25 && rng.below(10) > 0) {
                    let letter = (state * 7 + rng.below(3) * 5) % 20;
                    state = (state + letter + 1) % 9;
                    word.push(Letter(letter as u32));
                }
                (word, 1 + rng.below(100))
            })
            .collect()
    }

    /// Scenarios of a server that reads and writes, with how often they come.
    const SERVER: [(&[u32], u64); 4] = [
        (&[0, 1, 2, 3, 4, 5, 6], 20),
        (&[0, 1, 2, 3, 4, 4, 5, 5, 6], 7),
        (&[0, 1, 2, 3, 4, 5, 4, 5, 6], 5),
        (&[0, 1, 2, 3, 6], 1),
    ];

    #[test]
    fn rounds_leave_no_two_states_that_agree() {
        let strings = |agreement| SkStrings {
            k: 2,
            s: 0.5,
            agreement,
        };
        let mut same = 0;
        for agreement in AGREEMENTS {
            let criterion = Criterion::Strings(strings(agreement));
            let word = |letters: &[u32]| -> Word { letters.iter().map(|&l| Letter(l)).collect() };
            let server: Vec<(Word, u64)> = (SERVER.iter()).map(|&(w, n)| (word(w), n)).collect();
            let samples = (0..10).map(|seed| protocol(40, seed));
            for (number, words) in std::iter::once(server).chain(samples).enumerate() {
                let tree = PrefixTree::of_words(20, &words);
                let mut rounds = Merger::new(&tree, 2, criterion);
                rounds.merge_in_rounds();
                let living: Vec<usize> = (0..rounds.states.len())
                    .filter(|&q| rounds.states[q].is_some())
                    .collect();
                let of = |q: usize| rounds.strings[q].as_ref().expect("it has been classified");
                for (i, &p) in living.iter().enumerate() {
                    for &q in &living[i + 1..] {
                        assert!(!agree(criterion, of(p), of(q)), "{agreement:?} {number}");
                    }
                }
                let ended: f64 = rounds.states.iter().flatten().map(|s| s.ends).sum();
                let counted: u64 = words.iter().map(|(_, n)| n).sum();
                assert_eq!(ended, counted as f64);
                let mut single = Merger::new(&tree, 2, criterion);
                single.merge_all();
                let is_same =
                    format!("{:?}", rounds.to_pfsa()) == format!("{:?}", single.to_pfsa());
                same += u32::from(is_same);
            }
        }
        // Where probabilities count, states that agree are alike, and the order of merges does not matter.
        assert_eq!(same, 20, "of 44 samples");
    }

    /// 500 different words make 4,000 states, and 8 million pairs of them.
    #[test]
    fn looks_at_classes_and_not_at_pairs_of_states() {
        for agreement in [Agreement::And, Agreement::Lax] {
            let criterion = Criterion::Strings(SkStrings {
                k: 2,
                s: 0.5,
                agreement,
            });
            let tree = PrefixTree::of_words(20, &protocol(500, 1));
            let n = tree.n_nodes() as u64;
            let mut merger = Merger::new(&tree, 2, criterion);
            merger.merge_all();
            let left = merger.states.iter().flatten().count() as u64;
            assert_eq!(merger.work.merges, n - left);
            let work = (merger.classes.comparisons, merger.work.found);
            assert!(
                work.0 < 20 * n && work.1 < 100 * n,
                "{n} states, {left} left, {work:?}"
            );
        }
    }
}

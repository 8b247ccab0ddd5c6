//! Merging states by counted outputs: Mealy machines from input/output words, and words with noise.
//!
//! The red-blue framework of [`edsm`](super::edsm()), with counts of outputs in place of one label. Two
//! states are merged if that is likelier than not: let a share η of the outputs be wrong. Two outputs
//! of the same state then differ with probability e = 2η(1 - η), two of states that have nothing to do
//! with each other with ½ at least. So each pair of outputs that agree is evidence of ln 2(1 - e) for
//! a merge, and each pair that differ of ln 2e, which is negative; without noise one is too many.
//! The sum over everything that is folded is the score, and below zero a merge is refused. So is one with
//! significantly more differences than a share e: states that differ rarely are two states all the same.
//!
//! The blue state that most words pass through is taken first, and merged with the red state of the best
//! score: what is seen most is hardest to get wrong, and each blue state is looked at once.

use super::merging::Contradictory;
use super::prefix_tree::{Node, PrefixTree};
use idiolect_automata::{Dfa, Letter, Mealy, StateId, Word};
use std::collections::BTreeSet;

const NONE: u32 = u32::MAX;

/// Which merge is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first that is possible, in the order of words: RPNI.
    First,
    /// The one with the most evidence: EDSM.
    Best,
}

/// Learning from words with outputs, some of which may be wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerant {
    pub order: Order,
    /// The share of outputs (labels of words, for a DFA) that are wrong, below one half; 0 for none.
    pub noise: f64,
}

impl Tolerant {
    /// A DFA from words that are in the language and words that are not.
    ///
    /// ```
    /// use idiolect_automata::{Letter, Word};
    /// use idiolect_learn::passive::{Order, Tolerant};
    /// // Words of a's with even length, each of them often, and one label that is wrong.
    /// let words = (0..100).map(|i| (vec![Letter(0); i % 10], i % 2 == 0));
    /// let words: Vec<(Word, bool)> = words.chain([(vec![Letter(0); 3], true)]).collect();
    /// let dfa = Tolerant { order: Order::Best, noise: 0.05 }.dfa(1, &words).unwrap();
    /// assert_eq!(dfa.minimize().n_states(), 2);
    /// ```
    pub fn dfa(&self, n_letters: usize, words: &[(Word, bool)]) -> Result<Dfa, Contradictory> {
        let tree = PrefixTree::of_labeled(n_letters, words);
        let mut tallies = vec![Tally::default(); tree.n_nodes()];
        for (q, tally) in tallies.iter_mut().enumerate() {
            for (output, n) in [(1, tree.accepted[q]), (0, tree.rejected[q])] {
                tally.add(output, u32::try_from(n).unwrap_or(u32::MAX));
            }
        }
        let merged = self.merge(&tree, tallies, Outputs::OfStates)?;
        let (number, states) = merged.numbered();
        let accepts = |q: &Node| {
            merged.tallies[*q as usize]
                .most()
                .is_some_and(|(o, _)| o == 1)
        };
        let mut dfa = Dfa::new(tree.n_letters(), states.iter().map(accepts).collect());
        let mut sink = None;
        for (i, &q) in states.iter().enumerate() {
            for a in (0..tree.n_letters()).map(Letter::new) {
                let to = match merged.transition(q, a) {
                    Some(c) => number[merged.state(c) as usize],
                    None => *sink.get_or_insert_with(|| dfa.add_state(false)),
                };
                dfa.set_step(StateId::new(i), a, to);
            }
        }
        Ok(dfa)
    }

    /// A Mealy machine from words of inputs with one output for each. Where no word went, the
    /// machine says `unknown`, and goes on saying so.
    pub fn mealy<O: Clone + Eq>(
        &self,
        n_letters: usize,
        words: &[(Word, Vec<O>)],
        unknown: &O,
    ) -> Result<Mealy<O>, Contradictory> {
        let weighted: Vec<(&[Letter], u64)> =
            words.iter().map(|(word, _)| (word.as_slice(), 1)).collect();
        let tree = PrefixTree::of_words(n_letters, &weighted);
        let mut outputs: Vec<O> = Vec::new();
        let mut tallies = vec![Tally::default(); tree.n_nodes()];
        for (word, seen) in words {
            let mut at = 0;
            for (&a, output) in word.iter().zip(seen) {
                at = child(&tree, at, a).unwrap_or(at);
                let known = outputs.iter().position(|o| o == output);
                let id = known.unwrap_or_else(|| {
                    outputs.push(output.clone());
                    outputs.len() - 1
                });
                tallies[at as usize].add(id as u32, 1);
            }
        }
        let merged = self.merge(&tree, tallies, Outputs::OfSteps)?;
        let (number, states) = merged.numbered();
        let n = states.len();
        let target = |q: usize, a: Letter| {
            let step = states.get(q).and_then(|&q| merged.transition(q, a));
            let Some(step) = step else {
                return (n, unknown.clone());
            };
            let output = merged.tallies[step as usize].most();
            let output = output
                .and_then(|(id, _)| outputs.get(id as usize))
                .unwrap_or(unknown);
            (number[merged.state(step) as usize].index(), output.clone())
        };
        let letters = || (0..tree.n_letters()).map(Letter::new);
        let is_partial = (0..n).any(|q| letters().any(|a| target(q, a).0 == n));
        Ok(Mealy::from_fn(
            tree.n_letters(),
            n + usize::from(is_partial),
            target,
        ))
    }

    fn merge<'t>(
        &self,
        tree: &'t PrefixTree,
        tallies: Vec<Tally>,
        outputs: Outputs,
    ) -> Result<Merged<'t>, Contradictory> {
        let evidence = Evidence::new(self.noise);
        if evidence.conflict.is_infinite() && tallies.iter().any(|tally| tally.0[1].1 > 0) {
            return Err(Contradictory);
        }
        let mut merged = Merged::new(tree, tallies, outputs);
        while let Some(blue) = merged.next_blue(self.order) {
            let mut best: Option<(f64, Node)> = None;
            for i in 0..merged.red.len() {
                let red = merged.red[i];
                let score = merged.fold(red, blue, &evidence);
                merged.undo();
                if let Some(score) = score
                    && best.is_none_or(|(s, _)| score > s)
                {
                    best = Some((score, red));
                    if self.order == Order::First {
                        break;
                    }
                }
            }
            match best {
                Some((_, red)) => {
                    merged.fold(red, blue, &evidence);
                    merged.commit();
                }
                None => merged.promote(blue),
            }
        }
        Ok(merged)
    }
}

/// Whose outputs are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outputs {
    OfStates,
    OfSteps,
}

/// What a pair of outputs says about a merge.
struct Evidence {
    agreement: f64,
    conflict: f64,
    /// How likely two outputs of one state differ.
    differ: f64,
}

/// Pairs of outputs that were compared, and those that differ.
#[derive(Clone, Copy, Default)]
struct Pairs {
    all: f64,
    different: f64,
}

impl Evidence {
    /// So many standard deviations above what noise explains are significant.
    const DEVIATIONS: f64 = 2.5;

    fn new(noise: f64) -> Self {
        let noise = if noise.is_nan() {
            0.0
        } else {
            noise.clamp(0.0, 0.49)
        };
        let differ = 2.0 * noise * (1.0 - noise);
        Self {
            agreement: (2.0 * (1.0 - differ)).ln(),
            conflict: -(2.0 * differ).ln(),
            differ,
        }
    }

    /// The evidence for a merge, unless it is against it.
    fn judge(&self, pairs: Pairs) -> Option<f64> {
        if self.conflict.is_infinite() {
            let score = pairs.all * self.agreement;
            return (pairs.different == 0.0).then_some(score);
        }
        let Pairs { all, different } = pairs;
        let score = (all - different) * self.agreement - different * self.conflict;
        let deviation = (all * self.differ * (1.0 - self.differ)).sqrt();
        let is_usual = different <= all * self.differ + Self::DEVIATIONS * deviation;
        (score >= 0.0 && is_usual).then_some(score)
    }
}

/// How often each output was seen: the two most frequent ones.
#[derive(Clone, Copy, Default)]
struct Tally([(u32, u32); 2]);

impl Tally {
    fn add(&mut self, output: u32, n: u32) {
        if n == 0 {
            return;
        }
        let slot = self.0.iter().position(|(o, m)| *o == output && *m > 0);
        // A third output is one that is wrong, whatever it is.
        let slot = slot
            .or_else(|| self.0.iter().position(|(_, m)| *m == 0))
            .unwrap_or(1);
        let count = self.0[slot].1;
        if count == 0 {
            self.0[slot].0 = output;
        }
        self.0[slot].1 = count.saturating_add(n);
        if self.0[1].1 > self.0[0].1 {
            self.0.swap(0, 1);
        }
    }

    fn most(&self) -> Option<(u32, u32)> {
        (self.0[0].1 > 0).then_some(self.0[0])
    }

    fn total(&self) -> u32 {
        self.0[0].1.saturating_add(self.0[1].1)
    }

    /// The pairs of outputs of two tallies: as many as the smaller one has.
    fn pairs(&self, other: &Self) -> Pairs {
        let (Some((output, _)), total) = (self.most(), other.total()) else {
            return Pairs::default();
        };
        if total == 0 {
            return Pairs::default();
        }
        let same = other.0.iter().filter(|(o, n)| *o == output && *n > 0);
        let same = f64::from(same.map(|(_, n)| *n).sum::<u32>()) / f64::from(total);
        let all = f64::from(total.min(self.total()));
        Pairs {
            all,
            different: all * (1.0 - same),
        }
    }
}

#[derive(Clone, Copy)]
enum Change {
    Merged(Node),
    Child(Node, u32),
    Sibling(Node, u32),
    Tally(Node, Tally),
}

/// A prefix tree some of whose nodes are merged, as in [`super::merging`], with tallies.
struct Merged<'t> {
    tree: &'t PrefixTree,
    outputs: Outputs,
    merged_into: Vec<u32>,
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
    tallies: Vec<Tally>,
    log: Vec<Change>,
    is_red: Vec<bool>,
    red: Vec<Node>,
    blue: BTreeSet<Node>,
}

impl<'t> Merged<'t> {
    fn new(tree: &'t PrefixTree, tallies: Vec<Tally>, outputs: Outputs) -> Self {
        let n = tree.n_nodes();
        let first = |q: usize| tree.children(q as Node).next().unwrap_or(NONE);
        let mut next_sibling = vec![NONE; n];
        for q in 0..n as Node {
            let children = tree.children(q);
            for (child, next) in children.clone().zip(children.skip(1)) {
                next_sibling[child as usize] = next;
            }
        }
        let mut merged = Self {
            tree,
            outputs,
            merged_into: (0..n as u32).collect(),
            first_child: (0..n).map(first).collect(),
            next_sibling,
            tallies,
            log: Vec::new(),
            is_red: vec![false; n],
            red: Vec::new(),
            blue: BTreeSet::new(),
        };
        merged.promote(0);
        merged
    }

    fn state(&self, mut node: Node) -> Node {
        while self.merged_into[node as usize] != node {
            node = self.merged_into[node as usize];
        }
        node
    }

    fn transitions(&self, state: Node) -> impl Iterator<Item = Node> + '_ {
        let first = self.first_child[state as usize];
        let some = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(some(first), move |&c| some(self.next_sibling[c as usize]))
    }

    fn transition(&self, state: Node, letter: Letter) -> Option<Node> {
        self.transitions(state)
            .find(|&c| self.tree.letter[c as usize] == letter)
    }

    /// The blue state to look at: the first in the order of words, or the one with most words.
    fn next_blue(&self, order: Order) -> Option<Node> {
        let words = |q: &&Node| (self.tree.passes[**q as usize], std::cmp::Reverse(**q));
        match order {
            Order::First => self.blue.first().copied(),
            Order::Best => self.blue.iter().max_by_key(words).copied(),
        }
    }

    fn promote(&mut self, state: Node) {
        self.blue.remove(&state);
        self.is_red[state as usize] = true;
        self.red.push(state);
        self.show_blue(state);
    }

    /// The successors of a red state that are not red are blue.
    fn show_blue(&mut self, red: Node) {
        let targets: Vec<Node> = self.transitions(red).map(|c| self.state(c)).collect();
        let fresh = targets.into_iter().filter(|&q| !self.is_red[q as usize]);
        self.blue.extend(fresh.collect::<Vec<_>>());
    }

    /// Folds the tree at a blue state into a red one. The evidence for it, unless it is against it.
    fn fold(&mut self, red: Node, blue: Node, evidence: &Evidence) -> Option<f64> {
        let mut pairs = Pairs::default();
        let mut queue = vec![(red, blue)];
        let mut next = 0;
        while let Some(&(from, to)) = queue.get(next) {
            let is_first = next == 0;
            next += 1;
            let (x, y) = (self.state(from), self.state(to));
            if self.outputs == Outputs::OfSteps && !is_first && from != to {
                self.tally_up(from, to, &mut pairs);
            }
            if x == y {
                continue;
            }
            if self.outputs == Outputs::OfStates {
                self.tally_up(x, y, &mut pairs);
            }
            if pairs.different > 0.0 && evidence.conflict.is_infinite() {
                return None;
            }
            self.log.push(Change::Merged(y));
            self.merged_into[y as usize] = x;
            let mut child = self.first_child[y as usize];
            while child != NONE {
                let following = self.next_sibling[child as usize];
                match self.transition(x, self.tree.letter[child as usize]) {
                    Some(same) => queue.push((same, child)),
                    None => {
                        let first = self.first_child[x as usize];
                        self.log.push(Change::Sibling(child, following));
                        self.log.push(Change::Child(x, first));
                        self.next_sibling[child as usize] = first;
                        self.first_child[x as usize] = child;
                    }
                }
                child = following;
            }
        }
        evidence.judge(pairs)
    }

    fn tally_up(&mut self, x: Node, y: Node, pairs: &mut Pairs) {
        let (mut tally, other) = (self.tallies[x as usize], self.tallies[y as usize]);
        let found = tally.pairs(&other);
        pairs.all += found.all;
        pairs.different += found.different;
        if other.total() > 0 {
            self.log.push(Change::Tally(x, tally));
            for (output, n) in other.0 {
                tally.add(output, n);
            }
            self.tallies[x as usize] = tally;
        }
    }

    fn undo(&mut self) {
        while let Some(change) = self.log.pop() {
            match change {
                Change::Merged(q) => self.merged_into[q as usize] = q,
                Change::Child(q, old) => self.first_child[q as usize] = old,
                Change::Sibling(q, old) => self.next_sibling[q as usize] = old,
                Change::Tally(q, old) => self.tallies[q as usize] = old,
            }
        }
    }

    fn commit(&mut self) {
        for change in std::mem::take(&mut self.log) {
            match change {
                Change::Merged(q) => {
                    self.blue.remove(&q);
                }
                Change::Child(q, _) if self.is_red[q as usize] => self.show_blue(q),
                _ => {}
            }
        }
    }

    /// The red states in order, and the number of each.
    fn numbered(&self) -> (Vec<StateId>, Vec<Node>) {
        let mut states = self.red.clone();
        states.sort_unstable();
        let mut number = vec![StateId(NONE); self.merged_into.len()];
        for (i, &q) in states.iter().enumerate() {
            number[q as usize] = StateId::new(i);
        }
        (number, states)
    }
}

fn child(tree: &PrefixTree, node: Node, letter: Letter) -> Option<Node> {
    let children = tree.children(node);
    let letters = &tree.letter[children.start as usize..children.end as usize];
    let at = letters.binary_search(&letter).ok()?;
    Some(children.start + at as Node)
}

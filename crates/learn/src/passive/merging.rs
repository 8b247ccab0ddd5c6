//! Merging the states of a prefix tree, with undo: the ground of RPNI, EDSM and ALERGIA.
//!
//! *Red* states belong to the result, *blue* ones are their successors that do not, and everything
//! below a blue state is still a tree (the red-blue framework of K. Lang, B. Pearlmutter and
//! R. Price, *Results of the Abbadingo One DFA learning competition*, 1998). Merging a blue state
//! with a red one folds the tree below it into the automaton: where both have a transition with the
//! same letter, the targets are merged, else the subtree is moved over. Everything changed is
//! written to a log, so that a merge can be tried and taken back.

use super::prefix_tree::{Node, PrefixTree};
use idiolect_automata::{Dfa, Letter, Pfsa, StateId};
use std::collections::BTreeSet;

const NONE: u32 = u32::MAX;

/// A word was given both as in the language and as not in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the same word is given as accepted and as rejected")]
pub struct Contradictory;

enum Change {
    Merged(Node),
    Child(Node, u32),
    Sibling(Node, u32),
    Counts(Node, [u64; 3]),
    Passes(Node, u64),
}

/// A prefix tree some of whose nodes are merged. A node stands for a state and for the transition
/// that leads to it; the state of node `c` is [`state`](Self::state)`(c)`.
pub(crate) struct Merging<'a> {
    tree: &'a PrefixTree,
    merged_into: Vec<u32>,
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
    /// How often the transition was taken.
    pub(crate) passes: Vec<u64>,
    /// For states: words accepted here, words rejected here, words that came here.
    pub(crate) counts: Vec<[u64; 3]>,
    log: Vec<Change>,
    queue: Vec<(Node, Node)>,
    is_red: Vec<bool>,
    pub(crate) red: Vec<Node>,
    pub(crate) blue: BTreeSet<Node>,
}

impl<'a> Merging<'a> {
    /// The tree with a red root.
    pub(crate) fn new(tree: &'a PrefixTree) -> Self {
        let n = tree.n_nodes();
        let mut first_child = vec![NONE; n];
        let mut next_sibling = vec![NONE; n];
        for q in 0..n as Node {
            let children = tree.children(q);
            if let Some(last) = children.clone().last() {
                first_child[q as usize] = children.start;
                for c in children {
                    next_sibling[c as usize] = if c == last { NONE } else { c + 1 };
                }
            }
        }
        let counts = (0..n)
            .map(|q| [tree.accepted[q], tree.rejected[q], tree.passes[q]])
            .collect();
        let mut merging = Self {
            tree,
            merged_into: (0..n as u32).collect(),
            first_child,
            next_sibling,
            passes: tree.passes.clone(),
            counts,
            log: Vec::new(),
            queue: Vec::new(),
            is_red: vec![false; n],
            red: Vec::new(),
            blue: BTreeSet::new(),
        };
        merging.promote(0);
        merging
    }

    #[inline]
    pub(crate) fn state(&self, node: Node) -> Node {
        let mut at = node;
        while self.merged_into[at as usize] != at {
            at = self.merged_into[at as usize];
        }
        at
    }

    /// The transitions of a state.
    pub(crate) fn transitions(&self, state: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = self.first_child[state as usize];
        std::iter::from_fn(move || {
            let node = at;
            (node != NONE).then(|| {
                at = self.next_sibling[node as usize];
                node
            })
        })
    }

    #[inline]
    pub(crate) fn letter(&self, transition: Node) -> Letter {
        self.tree.letter[transition as usize]
    }

    #[inline]
    pub(crate) fn transition(&self, state: Node, letter: Letter) -> Option<Node> {
        let mut at = self.first_child[state as usize];
        while at != NONE && self.letter(at) != letter {
            at = self.next_sibling[at as usize];
        }
        (at != NONE).then_some(at)
    }

    /// Makes a blue state red, and its successors blue.
    pub(crate) fn promote(&mut self, state: Node) {
        self.blue.remove(&state);
        self.is_red[state as usize] = true;
        self.red.push(state);
        let targets: Vec<Node> = self.transitions(state).map(|c| self.state(c)).collect();
        for target in targets {
            if !self.is_red[target as usize] {
                self.blue.insert(target);
            }
        }
    }

    /// Folds the tree at a blue state into a red state. The number of times two states with the
    /// same label were merged, or `None` as soon as an accepting and a rejecting state were; if
    /// `check_labels` is not set, labels do not matter. Follow with [`commit`](Self::commit) or
    /// [`undo`](Self::undo).
    pub(crate) fn fold(&mut self, red: Node, blue: Node, check_labels: bool) -> Option<u64> {
        let mut score = 0;
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        queue.push((red, blue));
        let mut next = 0;
        // Breadth first: short words are the likeliest to have labels on both sides.
        while let Some(&(x, y)) = queue.get(next) {
            next += 1;
            let (x, y) = (self.state(x), self.state(y));
            if x == y {
                continue;
            }
            let (cx, cy) = (self.counts[x as usize], self.counts[y as usize]);
            if check_labels {
                if (cx[0] > 0 && cy[1] > 0) || (cx[1] > 0 && cy[0] > 0) {
                    self.queue = queue;
                    return None;
                }
                score += u64::from((cx[0] > 0 && cy[0] > 0) || (cx[1] > 0 && cy[1] > 0));
            }
            self.log.push(Change::Merged(y));
            self.merged_into[y as usize] = x;
            self.log.push(Change::Counts(x, cx));
            self.counts[x as usize] = [0, 1, 2].map(|i| cx[i].saturating_add(cy[i]));
            let mut child = self.first_child[y as usize];
            while child != NONE {
                let following = self.next_sibling[child as usize];
                match self.transition(x, self.letter(child)) {
                    Some(same) => {
                        self.log
                            .push(Change::Passes(same, self.passes[same as usize]));
                        self.passes[same as usize] += self.passes[child as usize];
                        queue.push((same, child));
                    }
                    None => {
                        self.log.push(Change::Sibling(child, following));
                        let old = self.first_child[x as usize];
                        self.log.push(Change::Child(x, old));
                        self.next_sibling[child as usize] = old;
                        self.first_child[x as usize] = child;
                    }
                }
                child = following;
            }
        }
        self.queue = queue;
        Some(score)
    }

    /// Takes back everything since the last commit.
    pub(crate) fn undo(&mut self) {
        while let Some(change) = self.log.pop() {
            match change {
                Change::Merged(node) => self.merged_into[node as usize] = node,
                Change::Child(node, old) => self.first_child[node as usize] = old,
                Change::Sibling(node, old) => self.next_sibling[node as usize] = old,
                Change::Counts(node, old) => self.counts[node as usize] = old,
                Change::Passes(node, old) => self.passes[node as usize] = old,
            }
        }
    }

    /// Keeps a merge; subtrees that were moved to red states become blue.
    pub(crate) fn commit(&mut self) {
        for change in std::mem::take(&mut self.log) {
            match change {
                Change::Merged(node) => {
                    self.blue.remove(&node);
                }
                Change::Child(node, old) if self.is_red[node as usize] => {
                    let new: Vec<Node> = self
                        .transitions(node)
                        .take_while(|&c| c != old)
                        .map(|c| self.state(c))
                        .collect();
                    for state in new {
                        if !self.is_red[state as usize] {
                            self.blue.insert(state);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The red states as a DFA. A state accepts if accepted words end there; transitions that no
    /// word took lead to a rejecting sink.
    pub(crate) fn to_dfa(&self) -> Dfa {
        let (number, states) = self.numbered();
        let accepts = |q: &Node| self.counts[*q as usize][0] > 0;
        let mut dfa = Dfa::new(self.tree.n_letters(), states.iter().map(accepts).collect());
        let mut sink = None;
        for (i, &q) in states.iter().enumerate() {
            for a in (0..self.tree.n_letters()).map(Letter::new) {
                let to = match self.transition(q, a) {
                    Some(c) => number[self.state(c) as usize],
                    None => *sink.get_or_insert_with(|| dfa.add_state(false)),
                };
                dfa.set_step(StateId::new(i), a, to);
            }
        }
        dfa
    }

    /// The red states as a probabilistic automaton.
    pub(crate) fn to_pfsa(&self) -> Pfsa {
        let (number, states) = self.numbered();
        let mut pfsa = Pfsa::new(self.tree.n_letters());
        for &q in &states {
            pfsa.add_state(self.counts[q as usize][0] as f64);
        }
        for (i, &q) in states.iter().enumerate() {
            for c in self.transitions(q) {
                let to = number[self.state(c) as usize];
                let weight = self.passes[c as usize] as f64;
                pfsa.add_transition(StateId::new(i), self.letter(c), to, weight);
            }
        }
        pfsa
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

/// Refuses words that are both accepted and rejected.
pub(crate) fn check_labels(tree: &PrefixTree) -> Result<(), Contradictory> {
    let mut labels = tree.accepted.iter().zip(&tree.rejected);
    match labels.any(|(&yes, &no)| yes > 0 && no > 0) {
        true => Err(Contradictory),
        false => Ok(()),
    }
}

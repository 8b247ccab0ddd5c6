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

/// One node: a state, and the transition that leads to it. Sixteen bytes that are looked at
/// together, as folding a large tree is mostly waiting for memory.
#[derive(Clone, Copy)]
struct Hot {
    merged_into: u32,
    first_child: u32,
    next_sibling: u32,
    /// The letter, and above it the two bits of the label.
    letter: u32,
}

const ACCEPTED: u32 = 1 << 31;
const REJECTED: u32 = 1 << 30;
const LABELS: u32 = ACCEPTED | REJECTED;

#[derive(Clone, Copy)]
enum Field {
    Merged,
    Child,
    Sibling,
    Letter,
}

/// A field of a node as it was.
struct Change {
    field: Field,
    node: u32,
    old: u32,
}

/// A prefix tree some of whose nodes are merged. A node stands for a state and for the transition
/// that leads to it; the state of node `c` is [`state`](Self::state)`(c)`.
pub(crate) struct Merging<'a> {
    tree: &'a PrefixTree,
    nodes: Vec<Hot>,
    /// How often the transition was taken. These three only change when counts are wanted.
    pub(crate) passes: Vec<u64>,
    /// How many words ended in the state.
    pub(crate) ends: Vec<u64>,
    /// How many words came to the state.
    pub(crate) came: Vec<u64>,
    log: Vec<Change>,
    queue: Vec<(Node, Node)>,
    is_red: Vec<bool>,
    pub(crate) red: Vec<Node>,
    pub(crate) blue: BTreeSet<Node>,
}

impl<'a> Merging<'a> {
    /// The tree with a red root. Without `counts`, words are not counted, and merges can be undone.
    pub(crate) fn new(tree: &'a PrefixTree, counts: bool) -> Self {
        let n = tree.n_nodes();
        let mut nodes: Vec<Hot> = (0..n)
            .map(|q| {
                let children = tree.children(q as Node);
                let accepted = if tree.accepted[q] > 0 { ACCEPTED } else { 0 };
                let rejected = if tree.rejected[q] > 0 { REJECTED } else { 0 };
                Hot {
                    merged_into: q as u32,
                    first_child: children.clone().next().unwrap_or(NONE),
                    next_sibling: q as u32 + 1,
                    letter: tree.letter[q].0 & !LABELS | accepted | rejected,
                }
            })
            .collect();
        for q in 0..n {
            if let Some(last) = tree.children(q as Node).last() {
                nodes[last as usize].next_sibling = NONE;
            }
        }
        let counted = |of: &Vec<u64>| if counts { of.clone() } else { Vec::new() };
        let mut merging = Self {
            tree,
            nodes,
            passes: counted(&tree.passes),
            ends: counted(&tree.accepted),
            came: counted(&tree.passes),
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
        loop {
            let above = self.nodes[at as usize].merged_into;
            if above == at {
                return at;
            }
            at = above;
        }
    }

    /// The transitions of a state.
    pub(crate) fn transitions(&self, state: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = self.nodes[state as usize].first_child;
        std::iter::from_fn(move || {
            let node = at;
            (node != NONE).then(|| {
                at = self.nodes[node as usize].next_sibling;
                node
            })
        })
    }

    #[inline]
    pub(crate) fn letter(&self, transition: Node) -> Letter {
        Letter(self.nodes[transition as usize].letter & !LABELS)
    }

    #[inline]
    pub(crate) fn transition(&self, state: Node, letter: Letter) -> Option<Node> {
        let mut at = self.nodes[state as usize].first_child;
        while at != NONE && self.letter(at) != letter {
            at = self.nodes[at as usize].next_sibling;
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
    /// same label were merged, or `None` as soon as an accepting and a rejecting state were. Follow
    /// with [`commit`](Self::commit) or [`undo`](Self::undo).
    pub(crate) fn fold(&mut self, red: Node, blue: Node) -> Option<u64> {
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
            let (lx, ly) = (
                self.nodes[x as usize].letter,
                self.nodes[y as usize].letter & LABELS,
            );
            if (lx | ly) & LABELS == LABELS {
                self.queue = queue;
                return None;
            }
            score += u64::from(lx & ly != 0);
            self.join(x, y, &mut queue);
            if ly & !lx != 0 {
                self.change(Field::Letter, x, lx | ly);
            }
        }
        self.queue = queue;
        Some(score)
    }

    /// Folds the tree at a blue state into a red state, whatever the labels, and adds the counts.
    /// Follow with [`commit`](Self::commit); this cannot be undone.
    pub(crate) fn fold_counts(&mut self, red: Node, blue: Node) {
        let mut queue = vec![(red, blue)];
        let mut next = 0;
        while let Some(&(from, to)) = queue.get(next) {
            let (x, y) = (self.state(from), self.state(to));
            if next > 0 {
                // Not the first pair: these are transitions too.
                self.passes[from as usize] =
                    self.passes[from as usize].saturating_add(self.passes[to as usize]);
            }
            next += 1;
            if x == y {
                continue;
            }
            self.ends[x as usize] = self.ends[x as usize].saturating_add(self.ends[y as usize]);
            self.came[x as usize] = self.came[x as usize].saturating_add(self.came[y as usize]);
            self.join(x, y, &mut queue);
        }
    }

    /// Merges one state into another. Transitions with the same letter go to the queue.
    #[inline]
    fn join(&mut self, x: Node, y: Node, queue: &mut Vec<(Node, Node)>) {
        self.change(Field::Merged, y, x);
        let mut child = self.nodes[y as usize].first_child;
        while child != NONE {
            let following = self.nodes[child as usize].next_sibling;
            match self.transition(x, self.letter(child)) {
                Some(same) => queue.push((same, child)),
                None => {
                    let first = self.nodes[x as usize].first_child;
                    self.change(Field::Sibling, child, first);
                    self.change(Field::Child, x, child);
                }
            }
            child = following;
        }
    }

    #[inline]
    fn field(&mut self, field: Field, node: u32) -> &mut u32 {
        let node = &mut self.nodes[node as usize];
        match field {
            Field::Merged => &mut node.merged_into,
            Field::Child => &mut node.first_child,
            Field::Sibling => &mut node.next_sibling,
            Field::Letter => &mut node.letter,
        }
    }

    #[inline]
    fn change(&mut self, field: Field, node: u32, new: u32) {
        let old = std::mem::replace(self.field(field, node), new);
        self.log.push(Change { field, node, old });
    }

    /// Takes back everything since the last commit.
    pub(crate) fn undo(&mut self) {
        while let Some(Change { field, node, old }) = self.log.pop() {
            *self.field(field, node) = old;
        }
    }

    /// Keeps a merge; subtrees that were moved to red states become blue.
    pub(crate) fn commit(&mut self) {
        let mut log = std::mem::take(&mut self.log);
        for Change { field, node, old } in log.drain(..) {
            match field {
                Field::Merged => {
                    self.blue.remove(&node);
                }
                Field::Child if self.is_red[node as usize] => {
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
        self.log = log;
    }

    /// The red states as a DFA. A state accepts if accepted words end there; transitions that no
    /// word took lead to a rejecting sink.
    pub(crate) fn to_dfa(&self) -> Dfa {
        let (number, states) = self.numbered();
        let accepts = |q: &Node| self.nodes[*q as usize].letter & ACCEPTED != 0;
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
            pfsa.add_state(self.ends[q as usize] as f64);
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
        let mut number = vec![StateId(NONE); self.nodes.len()];
        for (i, &q) in states.iter().enumerate() {
            number[q as usize] = StateId::new(i);
        }
        (number, states)
    }
}

/// Refuses words that are both accepted and rejected.
pub(crate) fn check_labels(tree: &PrefixTree) -> Result<(), Contradictory> {
    let mut labels = tree.accepted.iter().zip(&tree.rejected);
    if labels.any(|(&yes, &no)| yes > 0 && no > 0) {
        Err(Contradictory)
    } else {
        Ok(())
    }
}

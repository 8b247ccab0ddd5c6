//! The children of the nodes of an [`AnswerTree`].
//!
//! A node with a few children has them in a chain, in the order of their letters; one with more has a block with
//! a place for each letter. Most nodes have a few, and a block for these would be larger than all else that is
//! kept of them, and slower to go through. Where there are few letters, a node has a block from its first child on.

use super::{AnswerTree, NONE, NodeId};
use idiolect_automata::Letter;

/// Marks the first child of a chain where the number of a block would be.
const CHAIN: u32 = 1 << 31;

/// With more children than this a node gets a block.
const FEW: usize = 4;

/// The first letter of each edge that leads on from a node, and where it leads, in the order of the letters.
struct Children<'a, O> {
    tree: &'a AnswerTree<O>,
    /// The next one, if they are in a chain.
    chain: u32,
    /// The places that were not looked at, if they are in a block.
    block: std::iter::Enumerate<std::slice::Iter<'a, u32>>,
}

impl<O> Iterator for Children<'_, O> {
    type Item = (Letter, NodeId);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.chain != NONE {
            let at = self.chain;
            let child = &self.tree.nodes[at as usize];
            self.chain = child.next;
            return Some((self.tree.letters[child.edge as usize], NodeId(at)));
        }
        let (letter, &child) = self.block.find(|(_, child)| **child != NONE)?;
        Some((Letter::new(letter), NodeId(child)))
    }
}

impl<O: Clone + Eq> AnswerTree<O> {
    /// The edges that lead on from a node.
    #[inline]
    fn branches(&self, node: NodeId) -> Children<'_, O> {
        let block = self.nodes[node.index()].block;
        let places = if block & CHAIN == 0 {
            &self.children[block as usize * self.n_letters..][..self.n_letters]
        } else {
            &[]
        };
        Children {
            tree: self,
            chain: chain(block),
            block: places.iter().enumerate(),
        }
    }

    /// The letters by which a word has been made one letter longer, and the longer words.
    #[inline]
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = (Letter, NodeId)> + '_ {
        self.branches(node)
            .filter(|(_, child)| self.nodes[child.index()].edge_len == 1)
    }

    /// The node of the word one letter longer, if it is there.
    #[inline]
    pub fn child(&self, node: NodeId, letter: Letter) -> Option<NodeId> {
        let child = self.branch(node, letter)?;
        (self.nodes[child.index()].edge_len == 1).then_some(child)
    }

    /// The letters by which both words have been made one letter longer, and the longer words.
    #[inline]
    pub fn common_children(
        &self,
        left: NodeId,
        right: NodeId,
    ) -> impl Iterator<Item = (Letter, NodeId, NodeId)> + '_ {
        // Better to go through a chain than through a block.
        let swapped = self.nodes[left.index()].block & CHAIN == 0;
        let (few, other) = if swapped {
            (right, left)
        } else {
            (left, right)
        };
        self.children(few).filter_map(move |(a, x)| {
            let y = self.child(other, a)?;
            Some(if swapped { (a, y, x) } else { (a, x, y) })
        })
    }

    /// Whether no word that continues this one has been seen.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.index()].block == NONE
    }

    /// The edge that leads on from a node with this letter.
    #[inline]
    pub(super) fn branch(&self, node: NodeId, letter: Letter) -> Option<NodeId> {
        let block = self.nodes[node.index()].block;
        if block & CHAIN == 0 {
            let child = self.children[block as usize * self.n_letters + letter.index()];
            return (child != NONE).then_some(NodeId(child));
        }
        let mut at = chain(block);
        while at != NONE {
            let child = &self.nodes[at as usize];
            if self.letters[child.edge as usize] == letter {
                return Some(NodeId(at));
            }
            at = child.next;
        }
        None
    }

    /// Makes a node the child for this letter, in place of the one that was.
    pub(super) fn attach(&mut self, parent: NodeId, first: Letter, child: NodeId) {
        let mut block = self.nodes[parent.index()].block;
        if block & CHAIN != 0 {
            if self.attach_to_chain(parent, first, child) {
                return;
            }
            block = (self.children.len() / self.n_letters) as u32;
            self.children
                .extend(std::iter::repeat_n(NONE, self.n_letters));
            let mut at = chain(std::mem::replace(
                &mut self.nodes[parent.index()].block,
                block,
            ));
            while at != NONE {
                let letter = self.letters[self.nodes[at as usize].edge as usize];
                self.children[block as usize * self.n_letters + letter.index()] = at;
                at = std::mem::replace(&mut self.nodes[at as usize].next, NONE);
            }
        }
        self.children[block as usize * self.n_letters + first.index()] = child.0;
    }

    /// The same for a node without a block. Whether there was room for it.
    fn attach_to_chain(&mut self, parent: NodeId, first: Letter, child: NodeId) -> bool {
        let (mut before, mut n_before) = (NONE, 0);
        let mut at = chain(self.nodes[parent.index()].block);
        let letter_of = |tree: &Self, at: u32| tree.letters[tree.nodes[at as usize].edge as usize];
        while at != NONE && letter_of(self, at) < first {
            (before, at) = (at, self.nodes[at as usize].next);
            n_before += 1;
        }
        let mut next = at;
        if at != NONE && letter_of(self, at) == first {
            next = std::mem::replace(&mut self.nodes[at as usize].next, NONE);
        } else {
            let mut length = n_before;
            while at != NONE {
                (at, length) = (self.nodes[at as usize].next, length + 1);
            }
            if length == FEW || self.n_letters <= 2 * FEW || child.0 >= CHAIN - 1 {
                return false;
            }
        }
        self.nodes[child.index()].next = next;
        match before {
            NONE => self.nodes[parent.index()].block = child.0 | CHAIN,
            before => self.nodes[before as usize].next = child.0,
        }
        true
    }
}

/// The first child of a node that has no block.
#[inline]
fn chain(block: u32) -> u32 {
    if block == NONE || block & CHAIN == 0 {
        NONE
    } else {
        block & !CHAIN
    }
}

#[cfg(test)]
mod tests {
    use super::super::ROOT;
    use super::*;
    use idiolect_automata::Word;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The letters that come next in words with this front.
    fn next_letters(words: &BTreeSet<Word>, front: &[Letter]) -> Vec<Letter> {
        let next = words.iter().filter_map(|word| {
            let rest = word.strip_prefix(front)?;
            rest.first().copied()
        });
        let next: BTreeSet<Letter> = next.collect();
        next.into_iter().collect()
    }

    proptest! {
        /// Chains, blocks, and what becomes of a chain that grows too long or has an edge cut.
        #[test]
        fn children_are_those_of_the_words(
            words in proptest::collection::vec(proptest::collection::vec(0u32..12, 0..5), 1..40),
            n_letters in 12usize..14,
            every_prefix in any::<bool>(),
        ) {
            let mut tree: AnswerTree<u8> = AnswerTree::new(n_letters);
            if every_prefix {
                tree.keep_every_prefix();
            }
            let mut seen: BTreeSet<Word> = BTreeSet::new();
            let mut nodes = vec![(Word::new(), ROOT)];
            for word in words {
                let word: Word = word.into_iter().map(Letter).collect();
                let node = tree.extend_by(ROOT, &word);
                nodes.push((word.clone(), node));
                seen.insert(word);
                for (word, node) in &nodes {
                    prop_assert_eq!(&tree.word(*node), word);
                    prop_assert_eq!(tree.find(ROOT, word), Some(*node));
                    let expected = next_letters(&seen, word);
                    let found: Vec<Letter> = tree.branches(*node).map(|(a, _)| a).collect();
                    prop_assert_eq!(tree.is_leaf(*node), expected.is_empty());
                    prop_assert_eq!(found, expected);
                }
            }
            for (left, x) in &nodes {
                for (right, y) in nodes.iter().take(5) {
                    let longer = |front: &Word, a: Letter| {
                        let mut word = front.clone();
                        word.push(a);
                        tree.find(ROOT, &word)
                    };
                    let common = (0..n_letters as u32).map(Letter);
                    let common = common.filter_map(|a| Some((a, longer(left, a)?, longer(right, a)?)));
                    let found: Vec<_> = tree.common_children(*x, *y).collect();
                    prop_assert_eq!(found, common.collect::<Vec<_>>());
                }
            }
        }
    }
}

//! The tree of all prefixes of given words, with how often each was seen.
//!
//! Nodes are numbered breadth first, the children of a node in the order of letters, so that
//! numbers are in the length-lexicographic order of the words and siblings are neighbours. The
//! words are sorted first: building the tree then needs no search, and time and memory are linear
//! in the letters given, but for the sorting.

use idiolect_automata::{Letter, Pfsa, StateId};

/// A node; 0 is the root.
pub(crate) type Node = u32;

/// A weighted prefix tree.
#[derive(Clone, Debug)]
pub struct PrefixTree {
    n_letters: usize,
    /// The last letter of each node's word.
    pub(crate) letter: Vec<Letter>,
    /// The children of node `q` are `first_child[q]..first_child[q + 1]`.
    pub(crate) first_child: Vec<u32>,
    /// How many words pass through a node or end there.
    pub(crate) passes: Vec<u64>,
    /// How many words of the language end at a node.
    pub(crate) accepted: Vec<u64>,
    /// How many words outside the language end at a node.
    pub(crate) rejected: Vec<u64>,
}

impl PrefixTree {
    /// The tree of words with how often each was seen. Letters beyond `n_letters` enlarge the
    /// alphabet.
    pub fn of_words<W: AsRef<[Letter]>>(n_letters: usize, words: &[(W, u64)]) -> Self {
        let items = words.iter().map(|(w, n)| (w.as_ref(), *n, 0)).collect();
        Self::build(n_letters, items)
    }

    /// The tree of words that are in a language or not.
    pub fn of_labeled<W: AsRef<[Letter]>>(n_letters: usize, words: &[(W, bool)]) -> Self {
        let items = words
            .iter()
            .map(|(w, label)| (w.as_ref(), u64::from(*label), u64::from(!*label)))
            .collect();
        Self::build(n_letters, items)
    }

    fn build(n_letters: usize, mut items: Vec<(&[Letter], u64, u64)>) -> Self {
        items.sort_unstable();
        let largest = items.iter().flat_map(|(w, ..)| w.iter()).max();
        let n_letters = largest.map_or(n_letters, |a| n_letters.max(a.index() + 1));
        let mut tree = Self {
            n_letters,
            letter: vec![Letter(0)],
            first_child: Vec::new(),
            passes: Vec::new(),
            accepted: Vec::new(),
            rejected: Vec::new(),
        };
        // The words of a node are a range of the sorted items, those that end there first.
        let mut ranges = vec![(0usize, items.len())];
        let (mut depth, mut level_end) = (0, 1);
        let mut node = 0;
        while node < ranges.len() {
            if node == level_end {
                depth += 1;
                level_end = ranges.len();
            }
            let (mut from, to) = ranges[node];
            let (mut accepted, mut rejected) = (0u64, 0u64);
            while from < to && items[from].0.len() == depth {
                accepted = accepted.saturating_add(items[from].1);
                rejected = rejected.saturating_add(items[from].2);
                from += 1;
            }
            tree.accepted.push(accepted);
            tree.rejected.push(rejected);
            tree.first_child.push(ranges.len() as u32);
            while from < to {
                let letter = items[from].0[depth];
                let size = items[from..to].partition_point(|(w, ..)| w[depth] == letter);
                ranges.push((from, from + size));
                tree.letter.push(letter);
                from += size;
            }
            node += 1;
        }
        tree.first_child.push(ranges.len() as u32);
        tree.passes = vec![0; ranges.len()];
        for q in (0..ranges.len()).rev() {
            let below: u64 = tree
                .children(q as Node)
                .fold(0, |sum, c| sum.saturating_add(tree.passes[c as usize]));
            let here = tree.accepted[q].saturating_add(tree.rejected[q]);
            tree.passes[q] = below.saturating_add(here);
        }
        tree
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn n_nodes(&self) -> usize {
        self.letter.len()
    }

    /// The weight of all words.
    pub fn total_weight(&self) -> u64 {
        self.passes[0]
    }

    pub(crate) fn children(&self, node: Node) -> std::ops::Range<Node> {
        self.first_child[node as usize]..self.first_child[node as usize + 1]
    }

    /// The tree as a probabilistic automaton that gives each word its relative frequency.
    pub fn to_pfsa(&self) -> Pfsa {
        let mut pfsa = Pfsa::new(self.n_letters);
        for &ends in &self.accepted {
            pfsa.add_state(ends as f64);
        }
        for q in 0..self.n_nodes() as Node {
            for c in self.children(q) {
                let weight = self.passes[c as usize] as f64;
                let (from, to) = (StateId(q), StateId(c));
                pfsa.add_transition(from, self.letter[c as usize], to, weight);
            }
        }
        pfsa
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Vec<Letter> {
        text.bytes().map(|b| Letter(u32::from(b - b'a'))).collect()
    }

    #[test]
    fn numbers_follow_the_order_of_words() {
        let words: Vec<(Vec<Letter>, u64)> = [("b", 2), ("ab", 3), ("", 1), ("aa", 1), ("b", 4)]
            .map(|(w, n)| (word(w), n))
            .to_vec();
        let tree = PrefixTree::of_words(2, &words);
        // ε, a, b, aa, ab
        assert_eq!(tree.passes, [11, 4, 6, 1, 3]);
        assert_eq!(tree.accepted, [1, 0, 6, 1, 3]);
        assert_eq!(tree.children(0), 1..3);
        assert_eq!(tree.children(1), 3..5);
        assert_eq!(tree.letter[1..], [0, 1, 0, 1].map(Letter));
        assert_eq!(tree.to_pfsa().word_probability(&word("ab")), 3.0 / 11.0);
        assert_eq!(PrefixTree::of_words::<Vec<Letter>>(2, &[]).n_nodes(), 1);
    }
}

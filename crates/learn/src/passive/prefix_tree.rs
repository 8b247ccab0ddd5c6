//! The tree of all prefixes of given words, with how often each was seen.
//!
//! Nodes are numbered breadth first, the children of a node in the order of letters, so that
//! numbers are in the length-lexicographic order of the words and siblings are neighbours. The
//! words are sorted first, so that each shares a front with its neighbour and the rest is new: no
//! search is needed, and time and memory are linear in the letters given, but for the sorting,
//! which compares as many letters at a time as fit into 128 bits.

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

    fn build(n_letters: usize, items: Vec<(&[Letter], u64, u64)>) -> Self {
        let largest = items.iter().flat_map(|(w, ..)| w.iter()).max();
        let n_letters = largest.map_or(n_letters, |a| n_letters.max(a.index() + 1));
        let items = sorted(items, n_letters);

        // Depth first: a word's new nodes come after those it shares with the word before.
        let mut parent: Vec<u32> = vec![0];
        let mut depth: Vec<u32> = vec![0];
        let mut letter: Vec<Letter> = vec![Letter(0)];
        let mut labels: Vec<(u32, u64, u64)> = Vec::new();
        let mut path: Vec<u32> = vec![0];
        let mut before: &[Letter] = &[];
        for (word, accepted, rejected) in items {
            let shared = before.iter().zip(word).take_while(|(a, b)| a == b).count();
            path.truncate(shared + 1);
            for (i, &a) in word.iter().enumerate().skip(shared) {
                parent.push(path[i]);
                path.push(depth.len() as u32);
                depth.push(i as u32 + 1);
                letter.push(a);
            }
            labels.push((path[word.len()], accepted, rejected));
            before = word;
        }

        // Breadth first: at one depth, depth-first order is the order of words.
        let n = depth.len();
        let deepest = depth.iter().copied().max().unwrap_or(0) as usize;
        let mut next = vec![0u32; deepest + 2];
        for &d in &depth {
            next[d as usize + 1] += 1;
        }
        for d in 0..=deepest {
            next[d + 1] += next[d];
        }
        let mut number = vec![0u32; n];
        for (node, &d) in depth.iter().enumerate() {
            number[node] = next[d as usize];
            next[d as usize] += 1;
        }
        let mut tree = Self {
            n_letters,
            letter: vec![Letter(0); n],
            first_child: vec![0; n + 1],
            passes: vec![0; n],
            accepted: vec![0; n],
            rejected: vec![0; n],
        };
        for node in 1..n {
            tree.letter[number[node] as usize] = letter[node];
            tree.first_child[number[parent[node] as usize] as usize] += 1;
        }
        // From numbers of children to where they start; the root's is node 1.
        let mut start = 1;
        for slot in &mut tree.first_child {
            let children = std::mem::replace(slot, start);
            start += children;
        }
        for (node, accepted, rejected) in labels {
            let q = number[node as usize] as usize;
            tree.accepted[q] = tree.accepted[q].saturating_add(accepted);
            tree.rejected[q] = tree.rejected[q].saturating_add(rejected);
        }
        for q in (0..n).rev() {
            let below = tree
                .children(q as Node)
                .fold(0u64, |sum, c| sum.saturating_add(tree.passes[c as usize]));
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

/// The words in order, by as many first letters as fit into a number, then by the rest.
fn sorted(
    items: Vec<(&[Letter], u64, u64)>,
    n_letters: usize,
) -> impl Iterator<Item = (&[Letter], u64, u64)> {
    // 0 stands for the end of the word, so that a prefix comes before its extensions.
    let bits = usize::BITS - n_letters.leading_zeros();
    let fit = (128 / bits.max(1)) as usize;
    let key = |word: &[Letter]| {
        let front = word.iter().take(fit);
        let packed = front.fold(0u128, |key, a| key << bits | (u128::from(a.0) + 1));
        packed.unbounded_shl(bits * (fit - word.len().min(fit)) as u32)
    };
    let mut keyed: Vec<(u128, u32)> = items
        .iter()
        .enumerate()
        .map(|(i, (word, ..))| (key(word), i as u32))
        .collect();
    let rest = |i: u32| items[i as usize].0.get(fit..).unwrap_or(&[]);
    keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| rest(a.1).cmp(rest(b.1))));
    keyed.into_iter().map(move |(_, i)| items[i as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

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
        let probability = tree.to_pfsa().word_probability(&word("ab"));
        assert!((probability - 3.0 / 11.0).abs() < 1e-12);
        assert_eq!(PrefixTree::of_words::<Vec<Letter>>(2, &[]).n_nodes(), 1);
    }

    proptest! {
        /// Against a map from each prefix to how many words have it; long words and letters far
        /// apart do not fit into one key.
        #[test]
        fn has_the_prefixes_of_its_words(
            words in proptest::collection::vec(
                proptest::collection::vec(prop_oneof![0u32..3, Just(70_000)], 0..12), 0..30),
        ) {
            let words: Vec<(Vec<Letter>, u64)> =
                words.into_iter().map(|w| (w.into_iter().map(Letter).collect(), 1)).collect();
            let tree = PrefixTree::of_words(2, &words);
            let mut model: BTreeMap<(usize, Vec<Letter>), (u64, u64)> = BTreeMap::new();
            model.insert((0, vec![]), (0, 0));
            for (word, _) in &words {
                for i in 0..=word.len() {
                    let entry = model.entry((i, word[..i].to_vec())).or_default();
                    entry.0 += 1;
                    entry.1 += u64::from(i == word.len());
                }
            }
            prop_assert_eq!(tree.n_nodes(), model.len());
            let mut prefix = vec![Vec::new(); tree.n_nodes()];
            for q in 0..tree.n_nodes() {
                for c in tree.children(q as Node) {
                    let mut longer: Vec<Letter> = prefix[q].clone();
                    longer.push(tree.letter[c as usize]);
                    prefix[c as usize] = longer;
                }
            }
            for (q, ((_, word), (passes, ends))) in model.into_iter().enumerate() {
                prop_assert_eq!(&prefix[q], &word);
                prop_assert_eq!(tree.passes[q], passes);
                prop_assert_eq!(tree.accepted[q], ends);
            }
        }
    }
}

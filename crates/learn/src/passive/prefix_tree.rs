//! The tree of all prefixes of given words, with how often each was seen.
//!
//! Nodes are numbered breadth first, the children of a node in the order of letters, so that
//! numbers are in the length-lexicographic order of the words and siblings are neighbours. The
//! words are sorted first, so that each shares a front with its neighbour and the rest is new: no
//! search is needed, and time and memory are linear in the letters given, but for the sorting,
//! which takes as many letters at a time as fit into 64 bits.

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
        Self::build(n_letters, words.len(), |i| {
            let (word, n) = &words[i];
            (word.as_ref(), *n, 0)
        })
    }

    /// The tree of words that are in a language or not.
    pub fn of_labeled<W: AsRef<[Letter]>>(n_letters: usize, words: &[(W, bool)]) -> Self {
        Self::build(n_letters, words.len(), |i| {
            let (word, label) = &words[i];
            (word.as_ref(), u64::from(*label), u64::from(!*label))
        })
    }

    /// Of `n_words` words, each with how often it is accepted and rejected.
    fn build<'w>(
        n_letters: usize,
        n_words: usize,
        item: impl Fn(usize) -> (&'w [Letter], u64, u64),
    ) -> Self {
        let word = |i: usize| item(i).0;
        let (words, n_letters) = SortedWords::new(n_letters, n_words, word);

        // Depth first: a word's new nodes come after those it shares with the word before.
        let mut parent: Vec<u32> = vec![0];
        let mut depth: Vec<u32> = vec![0];
        let mut letter: Vec<Letter> = vec![Letter(0)];
        let mut end_of = vec![0u32; n_words];
        let mut path: Vec<u32> = vec![0];
        let mut before = None;
        for &entry in &words.sorted {
            let length = words.length(entry, word);
            let shared = before.map_or(0, |other| words.shared(other, entry, word));
            path.truncate(shared.min(length) + 1);
            for i in path.len() - 1..length {
                parent.push(path[i]);
                path.push(depth.len() as u32);
                depth.push(i as u32 + 1);
                letter.push(words.letter(entry, i, word));
            }
            end_of[words.index(entry)] = path[length];
            before = Some(entry);
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
        for (i, &node) in end_of.iter().enumerate() {
            let q = number[node as usize] as usize;
            let (_, accepted, rejected) = item(i);
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

/// The words in order, as numbers of which the upper part is the key of a word, as many of its
/// first letters as fit, and the lower part its position. Nearly always the key decides; it also
/// has the length, the letters, and how many of them a word shares with its neighbour, so that most
/// words are looked at once, in the order in which they are given.
struct SortedWords {
    sorted: Vec<u64>,
    /// Bits of a position, bits of a letter, and how many letters are in a key.
    index_bits: u32,
    bits: u32,
    fit: usize,
}

impl SortedWords {
    /// Also finds how many letters there are, at least those that are announced.
    fn new<'w>(
        n_letters: usize,
        n_words: usize,
        word: impl Fn(usize) -> &'w [Letter] + Copy,
    ) -> (Self, usize) {
        let longest = (0..n_words).map(|i| word(i).len()).max().unwrap_or(0);
        // So many words would take 48 GB without any letter.
        let index_bits = (usize::BITS - n_words.leading_zeros()).min(31);
        let mut n_letters = n_letters;
        loop {
            // 0 stands for the end of the word, so that a prefix comes before its extensions.
            let bits = (usize::BITS - n_letters.leading_zeros()).clamp(1, 33);
            let fit = ((u64::BITS - index_bits) / bits) as usize;
            let fit = fit.min(longest.max(1));
            let mut largest = None;
            let mut sorted = Vec::with_capacity(n_words);
            for i in 0..n_words {
                let word = word(i);
                let mut key = 0u64;
                for &a in word.iter().take(fit) {
                    largest = largest.max(Some(a.0));
                    key = key << bits | (u64::from(a.0) + 1);
                }
                largest = largest.max(word.iter().skip(fit).map(|a| a.0).max());
                key <<= bits * (fit - word.len().min(fit)) as u32;
                sorted.push(key << index_bits | i as u64);
            }
            let needed = largest.map_or(0, |a| a as usize + 1);
            if needed > n_letters {
                // More letters than announced: each needs more bits.
                n_letters = needed;
                continue;
            }
            sort_by_upper(&mut sorted, index_bits, bits * fit as u32);
            let mut words = Self {
                sorted,
                index_bits,
                bits,
                fit,
            };
            words.break_ties(word);
            return (words, n_letters);
        }
    }

    /// Puts words with the same key into the order of their other letters.
    fn break_ties<'w>(&mut self, word: impl Fn(usize) -> &'w [Letter]) {
        let mut sorted = std::mem::take(&mut self.sorted);
        for ties in sorted.chunk_by_mut(|&a, &b| self.key(a) == self.key(b)) {
            if ties.len() > 1 && self.fills_key(ties[0]) {
                let rest = |entry: u64| &word(self.index(entry))[self.fit..];
                ties.sort_unstable_by(|&a, &b| rest(a).cmp(rest(b)));
            }
        }
        self.sorted = sorted;
    }

    fn index(&self, entry: u64) -> usize {
        (entry & ((1 << self.index_bits) - 1)) as usize
    }

    fn key(&self, entry: u64) -> u64 {
        entry >> self.index_bits
    }

    /// Whether the word has as many letters as there are in the key, or more.
    fn fills_key(&self, entry: u64) -> bool {
        self.key(entry) & ((1 << self.bits) - 1) != 0
    }

    fn length<'w>(&self, entry: u64, word: impl Fn(usize) -> &'w [Letter]) -> usize {
        match self.key(entry) {
            0 => 0,
            _ if self.fills_key(entry) => word(self.index(entry)).len(),
            key => self.fit - (key.trailing_zeros() / self.bits) as usize,
        }
    }

    /// The letter at a position that is below the length.
    fn letter<'w>(&self, entry: u64, at: usize, word: impl Fn(usize) -> &'w [Letter]) -> Letter {
        match (self.fit - 1).checked_sub(at) {
            Some(below) => {
                let symbol = self.key(entry) >> (below as u32 * self.bits);
                Letter((symbol & ((1 << self.bits) - 1)) as u32 - 1)
            }
            None => word(self.index(entry))[at],
        }
    }

    /// How many letters two words share, or more than the length of both if they are the same.
    fn shared<'w>(&self, a: u64, b: u64, word: impl Fn(usize) -> &'w [Letter]) -> usize {
        let difference = self.key(a) ^ self.key(b);
        if difference != 0 {
            let highest = u64::BITS - 1 - difference.leading_zeros();
            return self.fit - 1 - (highest / self.bits) as usize;
        }
        let rest = |entry: u64| word(self.index(entry)).iter().skip(self.fit);
        let same = rest(a).zip(rest(b)).take_while(|(a, b)| a == b);
        self.fit + same.count()
    }
}

/// Sorts by the `width` bits above the lowest ones. Many entries are dealt out by a few bits at a
/// time, from the lowest on, which is faster than comparing them.
fn sort_by_upper(entries: &mut Vec<u64>, lowest: u32, width: u32) {
    const DIGIT: u32 = 11;
    const FEW: usize = 4096;
    if entries.len() < FEW {
        entries.sort_unstable();
        return;
    }
    let mut other = vec![0; entries.len()];
    for shift in (lowest..lowest + width).step_by(DIGIT as usize) {
        let digit = |entry: u64| (entry >> shift) as usize & ((1 << DIGIT) - 1);
        let mut next = [0u32; 1 << DIGIT];
        for &entry in entries.iter() {
            next[digit(entry)] += 1;
        }
        let mut start = 0;
        for slot in &mut next {
            start += std::mem::replace(slot, start);
        }
        for &entry in entries.iter() {
            let slot = &mut next[digit(entry)];
            other[*slot as usize] = entry;
            *slot += 1;
        }
        std::mem::swap(entries, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_base::Rng;
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
            has_the_prefixes_of(&words);
        }
    }

    /// So many that they are dealt out by digits; some share more letters than are in a key.
    #[test]
    fn many_words_are_sorted_too() {
        let mut rng = Rng::new(7, 0);
        let mut words: Vec<(Vec<Letter>, u64)> = Vec::new();
        for _ in 0..6000 {
            let mut word = match rng.below(4) {
                0 => vec![Letter(1); 30],
                _ => Vec::new(),
            };
            let length = rng.below(14);
            word.extend((0..length).map(|_| Letter(rng.below(3) as u32)));
            words.push((word, 1));
        }
        has_the_prefixes_of(&words);
    }

    fn has_the_prefixes_of(words: &[(Vec<Letter>, u64)]) {
        let tree = PrefixTree::of_words(2, words);
        let mut model: BTreeMap<(usize, Vec<Letter>), (u64, u64)> = BTreeMap::new();
        model.insert((0, vec![]), (0, 0));
        for (word, _) in words {
            for i in 0..=word.len() {
                let entry = model.entry((i, word[..i].to_vec())).or_default();
                entry.0 += 1;
                entry.1 += u64::from(i == word.len());
            }
        }
        assert_eq!(tree.n_nodes(), model.len());
        let mut prefix = vec![Vec::new(); tree.n_nodes()];
        for q in 0..tree.n_nodes() {
            for c in tree.children(q as Node) {
                let mut longer: Vec<Letter> = prefix[q].clone();
                longer.push(tree.letter[c as usize]);
                prefix[c as usize] = longer;
            }
        }
        for (q, ((_, word), (passes, ends))) in model.into_iter().enumerate() {
            assert_eq!(prefix[q], word);
            assert_eq!(tree.passes[q], passes);
            assert_eq!(tree.accepted[q], ends);
        }
    }
}

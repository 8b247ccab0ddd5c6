//! A map from words to answers that is built for tens of millions of words.
//!
//! A radix tree in a few flat arrays: no allocation per node, 20 bytes a node, a hash table of four
//! bytes an entry that finds the child for a letter whatever the size of the alphabet, and one byte
//! a letter (four if some letter is above 255). Ten million random words of length 20 over 10
//! letters take 0.55 GiB, growth of the arrays included.

use idiolect_automata::{Letter, Word};

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    /// The first letter on the edge to this node.
    letter: u32,
    /// Where the letters of the edge are, the first one included.
    edge: u32,
    edge_len: u32,
    answer: u32,
}

/// Letters, narrow as long as they can be.
#[derive(Clone, Debug)]
enum Letters {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Letters {
    #[inline]
    fn get(&self, at: usize) -> u32 {
        match self {
            Letters::Narrow(letters) => u32::from(letters[at]),
            Letters::Wide(letters) => letters[at],
        }
    }

    fn len(&self) -> usize {
        match self {
            Letters::Narrow(letters) => letters.len(),
            Letters::Wide(letters) => letters.len(),
        }
    }

    fn extend(&mut self, word: &[Letter]) {
        if let Letters::Narrow(letters) = self
            && word.iter().any(|a| a.0 > 255)
        {
            *self = Letters::Wide(letters.iter().map(|&a| u32::from(a)).collect());
        }
        match self {
            Letters::Narrow(letters) => letters.extend(word.iter().map(|a| a.0 as u8)),
            Letters::Wide(letters) => letters.extend(word.iter().map(|a| a.0)),
        }
    }
}

/// Words and their answers.
#[derive(Clone, Debug)]
pub struct WordMap<A> {
    nodes: Vec<Node>,
    /// Nodes by parent and letter: open addressing, a power of two of slots.
    table: Vec<u32>,
    letters: Letters,
    answers: Vec<A>,
    len: usize,
}

/// There is no room for another word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the table of words is full")]
pub struct Full;

impl<A: Clone + Eq> Default for WordMap<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Clone + Eq> WordMap<A> {
    pub fn new() -> Self {
        Self {
            nodes: vec![Node {
                parent: NONE,
                letter: NONE,
                edge: 0,
                edge_len: 0,
                answer: NONE,
            }],
            table: vec![NONE; 16],
            letters: Letters::Narrow(Vec::new()),
            answers: Vec::new(),
            len: 0,
        }
    }

    /// The number of words with an answer.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory that the map has reserved, without what the answers own themselves.
    pub fn reserved_bytes(&self) -> usize {
        let letters = match &self.letters {
            Letters::Narrow(letters) => letters.capacity(),
            Letters::Wide(letters) => letters.capacity() * size_of::<u32>(),
        };
        let table = self.table.capacity() * size_of::<u32>();
        letters + table + self.nodes.capacity() * size_of::<Node>()
    }

    pub fn get(&self, word: &[Letter]) -> Option<&A> {
        let mut node = 0usize;
        let mut rest = word;
        while let Some(first) = rest.first() {
            node = self.child(node, first.0)?;
            let n = &self.nodes[node];
            let (edge, len) = (n.edge as usize, n.edge_len as usize);
            let same =
                rest.len() >= len && (1..len).all(|i| self.letters.get(edge + i) == rest[i].0);
            if !same {
                return None;
            }
            rest = &rest[len..];
        }
        self.answers.get(self.nodes[node].answer as usize)
    }

    /// Sets the answer of a word.
    pub fn insert(&mut self, word: &[Letter], answer: &A) -> Result<(), Full> {
        // One more word takes at most two nodes, and offsets are 32 bits wide.
        if self.nodes.len() + 2 >= NONE as usize || self.letters.len() + word.len() >= NONE as usize
        {
            return Err(Full);
        }
        let id = match self.answers.iter().position(|a| a == answer) {
            Some(id) => id,
            None => {
                self.answers.push(answer.clone());
                self.answers.len() - 1
            }
        };
        let node = self.node(word);
        if self.nodes[node].answer == NONE {
            self.len += 1;
        }
        self.nodes[node].answer = id as u32;
        Ok(())
    }

    /// All words with their answers, in the order of letters.
    pub fn iter(&self) -> impl Iterator<Item = (Word, &A)> {
        // By parent, and in reverse order of letters as the stack reverses them once more.
        let mut by_parent: Vec<u32> = (1..self.nodes.len() as u32).collect();
        by_parent.sort_unstable_by_key(|&c| {
            let node = &self.nodes[c as usize];
            (node.parent, std::cmp::Reverse(node.letter))
        });
        let mut stack = vec![(0u32, 0usize)];
        let mut word = Word::new();
        std::iter::from_fn(move || {
            loop {
                let (at, depth) = stack.pop()?;
                let node = &self.nodes[at as usize];
                word.truncate(depth);
                let edge = node.edge..node.edge + node.edge_len;
                word.extend(edge.map(|i| Letter(self.letters.get(i as usize))));
                let parent = |c: &u32| self.nodes[*c as usize].parent;
                let first = by_parent.partition_point(|c| parent(c) < at);
                let children = by_parent[first..].iter().take_while(|&c| parent(c) == at);
                stack.extend(children.map(|&c| (c, word.len())));
                if let Some(answer) = self.answers.get(node.answer as usize) {
                    return Some((word.clone(), answer));
                }
            }
        })
    }

    /// The slot of a child, or the empty slot where it would be.
    #[inline]
    fn slot(&self, parent: u32, letter: u32) -> usize {
        // Fibonacci hashing: the product's high bits are well mixed.
        let key = u64::from(parent) << 32 | u64::from(letter);
        let hash = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 20) as usize & mask;
        loop {
            let child = self.table[slot];
            if child == NONE {
                return slot;
            }
            let node = &self.nodes[child as usize];
            if node.parent == parent && node.letter == letter {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn child(&self, node: usize, letter: u32) -> Option<usize> {
        let child = self.table[self.slot(node as u32, letter)];
        (child != NONE).then_some(child as usize)
    }

    /// Adds a node to the arrays and the table.
    fn add(&mut self, node: Node) -> usize {
        if self.nodes.len() + 1 > self.table.len() / 4 * 3 {
            self.grow();
        }
        let slot = self.slot(node.parent, node.letter);
        self.table[slot] = self.nodes.len() as u32;
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn node(&mut self, word: &[Letter]) -> usize {
        let mut at = 0usize;
        let mut rest = word;
        while let Some(first) = rest.first() {
            let Some(child) = self.child(at, first.0) else {
                let edge = self.letters.len() as u32;
                self.letters.extend(rest);
                return self.add(Node {
                    parent: at as u32,
                    letter: first.0,
                    edge,
                    edge_len: rest.len() as u32,
                    answer: NONE,
                });
            };
            let (edge, len) = (self.nodes[child].edge, self.nodes[child].edge_len);
            let same = (0..len)
                .zip(rest)
                .take_while(|(i, a)| self.letters.get((edge + i) as usize) == a.0)
                .count();
            at = match same < len as usize {
                true => self.cut(child, same as u32),
                false => child,
            };
            rest = &rest[same..];
        }
        at
    }

    /// Puts a node on the edge to another, after this many letters. The other keeps its children
    /// and its number, so only its own entry in the table changes.
    fn cut(&mut self, lower: usize, length: u32) -> usize {
        let upper = Node {
            edge_len: length,
            answer: NONE,
            ..self.nodes[lower]
        };
        // The entry of the lower node becomes that of the upper one, which has the same key.
        let slot = self.slot(upper.parent, upper.letter);
        let id = self.nodes.len();
        self.table[slot] = id as u32;
        self.nodes.push(upper);
        let edge = self.nodes[lower].edge + length;
        let letter = self.letters.get(edge as usize);
        let node = &mut self.nodes[lower];
        node.parent = id as u32;
        node.letter = letter;
        node.edge = edge;
        node.edge_len -= length;
        if self.nodes.len() + 1 > self.table.len() / 4 * 3 {
            self.grow();
        } else {
            let slot = self.slot(id as u32, letter);
            self.table[slot] = lower as u32;
        }
        id
    }

    /// Doubles the table and enters all nodes anew.
    fn grow(&mut self) {
        self.table = vec![NONE; self.table.len() * 2];
        for id in 1..self.nodes.len() {
            let slot = self.slot(self.nodes[id].parent, self.nodes[id].letter);
            self.table[slot] = id as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(
            entries in proptest::collection::vec(
                (proptest::collection::vec(0u32..3, 0..6), 0u8..3), 0..60),
            wide in any::<bool>(),
        ) {
            let letter = |a: u32| Letter(if wide && a == 2 { 1000 } else { a });
            let mut map = WordMap::new();
            let mut model: BTreeMap<Word, u8> = BTreeMap::new();
            for (word, answer) in entries {
                let word: Word = word.into_iter().map(letter).collect();
                map.insert(&word, &answer).unwrap();
                model.insert(word, answer);
            }
            prop_assert_eq!(map.len(), model.len());
            let listed: Vec<(Word, u8)> = map.iter().map(|(w, a)| (w, *a)).collect();
            let expected: Vec<(Word, u8)> = model.clone().into_iter().collect();
            prop_assert_eq!(listed, expected);
            for len in 0..5usize {
                for code in 0..3usize.pow(len as u32) {
                    let word: Word =
                        (0..len).map(|i| letter((code / 3usize.pow(i as u32) % 3) as u32)).collect();
                    prop_assert_eq!(map.get(&word), model.get(&word));
                }
            }
        }
    }
}

//! A map from words to answers that is built for tens of millions of words.
//!
//! A radix tree in a few flat arrays: no allocation per node, 20 bytes a node and one byte a letter
//! (four if some letter is above 255). Ten million random words of length 20 over 10 letters take
//! MEASURED, growth of the arrays included.

use idiolect_automata::{Letter, Word};

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    /// The letters on the edge to this node.
    edge: u32,
    edge_len: u32,
    first_child: u32,
    next_sibling: u32,
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
                edge: 0,
                edge_len: 0,
                first_child: NONE,
                next_sibling: NONE,
                answer: NONE,
            }],
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
        letters + self.nodes.capacity() * size_of::<Node>()
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
        let mut stack = vec![(0usize, Word::new())];
        std::iter::from_fn(move || {
            loop {
                let (at, word) = stack.pop()?;
                let mut children = Vec::new();
                let mut child = self.nodes[at].first_child;
                while child != NONE {
                    children.push(child as usize);
                    child = self.nodes[child as usize].next_sibling;
                }
                // Siblings begin with different letters.
                children.sort_by_key(|&c| {
                    std::cmp::Reverse(self.letters.get(self.nodes[c].edge as usize))
                });
                for c in children {
                    let (edge, len) = (self.nodes[c].edge, self.nodes[c].edge_len);
                    let mut longer = word.clone();
                    longer.extend((edge..edge + len).map(|i| Letter(self.letters.get(i as usize))));
                    stack.push((c, longer));
                }
                if let Some(answer) = self.answers.get(self.nodes[at].answer as usize) {
                    return Some((word, answer));
                }
            }
        })
    }

    #[inline]
    fn child(&self, node: usize, letter: u32) -> Option<usize> {
        let mut child = self.nodes[node].first_child;
        while child != NONE {
            let n = &self.nodes[child as usize];
            if self.letters.get(n.edge as usize) == letter {
                return Some(child as usize);
            }
            child = n.next_sibling;
        }
        None
    }

    fn node(&mut self, word: &[Letter]) -> usize {
        let mut at = 0usize;
        let mut rest = word;
        while let Some(first) = rest.first() {
            let Some(child) = self.child(at, first.0) else {
                let edge = self.letters.len() as u32;
                self.letters.extend(rest);
                let next_sibling = self.nodes[at].first_child;
                self.nodes[at].first_child = self.nodes.len() as u32;
                self.nodes.push(Node {
                    edge,
                    edge_len: rest.len() as u32,
                    first_child: NONE,
                    next_sibling,
                    answer: NONE,
                });
                return self.nodes.len() - 1;
            };
            let (edge, len) = (self.nodes[child].edge, self.nodes[child].edge_len);
            let same = (0..len)
                .zip(rest)
                .take_while(|(i, a)| self.letters.get((edge + i) as usize) == a.0)
                .count();
            if same < len as usize {
                // The lower part of the edge gets a node of its own, which takes over the children.
                let lower = Node {
                    edge: edge + same as u32,
                    edge_len: len - same as u32,
                    next_sibling: NONE,
                    ..self.nodes[child]
                };
                let lower_id = self.nodes.len() as u32;
                self.nodes.push(lower);
                let upper = &mut self.nodes[child];
                upper.edge_len = same as u32;
                upper.first_child = lower_id;
                upper.answer = NONE;
            }
            at = child;
            rest = &rest[same..];
        }
        at
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

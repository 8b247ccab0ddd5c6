//! Everything a learner was ever told: a tree with one node per word, and the answers known.
//!
//! Rows of a table, access words of states, transitions and cells are all nodes of one tree, so a
//! word is stored once, and asking for a word that two of them share costs one query. Answers are
//! interned: inside a learner an answer is a small number, whatever its type.
//!
//! Edges carry several letters (a radix tree), as the questions about a counterexample of length
//! 500 would otherwise leave thousands of nodes with one child behind. An edge is cut when a word
//! ends or branches off in its middle; the ids of nodes stay as they are.

use crate::{MembershipOracle, RefineError, SuffixId, SuffixPool};
use idiolect_automata::{Letter, Word};
use idiolect_base::{StopReason, index_type};

index_type!(
    /// A word, as a node of an [`AnswerTree`].
    NodeId
);

index_type!(
    /// An answer, as its position in the list of different answers seen so far.
    AnswerId
);

/// The empty word.
pub const ROOT: NodeId = NodeId(0);

/// No child, no block, no answer.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    /// The letters on the edge from the parent, in [`AnswerTree::letters`].
    edge: u32,
    edge_len: u32,
    /// Where the children of this node start, in units of `n_letters`.
    block: u32,
    answer: u32,
}

/// The words seen so far and their answers.
#[derive(Clone, Debug)]
pub struct AnswerTree<O> {
    n_letters: usize,
    nodes: Vec<Node>,
    /// Indexed by block and first letter of the edge.
    children: Vec<u32>,
    letters: Vec<Letter>,
    answers: Vec<O>,
    /// Whether prefixes are asked for too, see [`MembershipOracle::ask_traces`].
    traces: bool,
    /// Whether every prefix of a word is a node, so that [`child`](Self::child) finds all words.
    every_prefix: bool,
}

impl<O: Clone + Eq> AnswerTree<O> {
    pub fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            nodes: vec![Node {
                parent: NONE,
                edge: 0,
                edge_len: 0,
                block: NONE,
                answer: NONE,
            }],
            children: Vec::new(),
            letters: Vec::new(),
            answers: Vec::new(),
            traces: false,
            every_prefix: false,
        }
    }

    /// From now on use the answers of prefixes, where the oracle gives them for free.
    pub fn ask_for_traces(&mut self) {
        self.traces = true;
    }

    /// From now on make a node for every prefix of a word.
    pub fn keep_every_prefix(&mut self) {
        self.every_prefix = true;
    }

    pub fn uses_traces(&self) -> bool {
        self.traces
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    /// The number of nodes, answered or not.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The node of the word one letter longer, if it is there.
    #[inline]
    pub fn child(&self, node: NodeId, letter: Letter) -> Option<NodeId> {
        let child = self.branch(node, letter)?;
        (self.nodes[child.index()].edge_len == 1).then_some(child)
    }

    /// The node of the word one letter longer.
    #[inline]
    pub fn extend(&mut self, node: NodeId, letter: Letter) -> NodeId {
        match self.branch(node, letter) {
            Some(child) => self.cut(child, 1),
            None => self.add(node, &[letter]),
        }
    }

    /// The node of `node`'s word followed by `word`.
    pub fn extend_by(&mut self, mut node: NodeId, mut word: &[Letter]) -> NodeId {
        while let Some(&first) = word.first() {
            let Some(child) = self.branch(node, first) else {
                return self.add(node, word);
            };
            let edge = self.edge(child);
            let same = edge.iter().zip(word).take_while(|(a, b)| a == b).count();
            node = self.cut(child, same);
            word = &word[same..];
        }
        node
    }

    /// The node of `node`'s word followed by a suffix.
    #[inline]
    pub fn extend_by_suffix(
        &mut self,
        node: NodeId,
        suffixes: &SuffixPool,
        suffix: SuffixId,
    ) -> NodeId {
        let mut at = node;
        let mut rest = suffix;
        while let Some((letter, next)) = suffixes.first(rest) {
            let Some(child) = self.branch(at, letter) else {
                let tail: Word = suffixes.letters(rest).collect();
                return self.add(at, &tail);
            };
            let mut same = 1;
            rest = next;
            for &a in &self.edge(child)[1..] {
                match suffixes.first(rest) {
                    Some((b, next)) if a == b => rest = next,
                    _ => break,
                }
                same += 1;
            }
            at = self.cut(child, same);
        }
        at
    }

    /// The node of `node`'s word followed by `word`, if it is there.
    pub fn find(&self, mut node: NodeId, mut word: &[Letter]) -> Option<NodeId> {
        while let Some(&first) = word.first() {
            node = self.branch(node, first)?;
            word = word.strip_prefix(self.edge(node))?;
        }
        Some(node)
    }

    /// The node that an edge leads from, and the letters of the edge.
    pub fn parent(&self, node: NodeId) -> Option<(NodeId, &[Letter])> {
        let parent = self.nodes[node.index()].parent;
        (parent != NONE).then(|| (NodeId(parent), self.edge(node)))
    }

    fn edge(&self, node: NodeId) -> &[Letter] {
        let n = &self.nodes[node.index()];
        &self.letters[n.edge as usize..][..n.edge_len as usize]
    }

    #[inline]
    fn branch(&self, node: NodeId, letter: Letter) -> Option<NodeId> {
        let block = self.nodes[node.index()].block;
        if block == NONE {
            return None;
        }
        let child = self.children[block as usize * self.n_letters + letter.index()];
        (child != NONE).then_some(NodeId(child))
    }

    fn add(&mut self, parent: NodeId, edge: &[Letter]) -> NodeId {
        if self.every_prefix && edge.len() > 1 {
            return edge
                .chunks(1)
                .fold(parent, |at, letter| self.add(at, letter));
        }
        let start = self.letters.len() as u32;
        self.letters.extend_from_slice(edge);
        let node = self.push(parent, start, edge.len() as u32);
        self.attach(parent, edge[0], node);
        node
    }

    fn push(&mut self, parent: NodeId, edge: u32, edge_len: u32) -> NodeId {
        self.nodes.push(Node {
            parent: parent.0,
            edge,
            edge_len,
            block: NONE,
            answer: NONE,
        });
        NodeId::new(self.nodes.len() - 1)
    }

    fn attach(&mut self, parent: NodeId, first: Letter, child: NodeId) {
        let mut block = self.nodes[parent.index()].block;
        if block == NONE {
            block = (self.children.len() / self.n_letters) as u32;
            self.children
                .extend(std::iter::repeat_n(NONE, self.n_letters));
            self.nodes[parent.index()].block = block;
        }
        self.children[block as usize * self.n_letters + first.index()] = child.0;
    }

    /// The node after the first `length` letters of the edge to `child`, new if need be.
    #[inline]
    fn cut(&mut self, child: NodeId, length: usize) -> NodeId {
        let Node {
            parent,
            edge,
            edge_len,
            ..
        } = self.nodes[child.index()];
        if edge_len as usize == length {
            return child;
        }
        let middle = self.push(NodeId(parent), edge, length as u32);
        let first = self.letters[edge as usize];
        self.attach(NodeId(parent), first, middle);
        let next = edge + length as u32;
        let node = &mut self.nodes[child.index()];
        node.parent = middle.0;
        node.edge = next;
        node.edge_len = edge_len - length as u32;
        self.attach(middle, self.letters[next as usize], child);
        middle
    }

    pub fn word(&self, node: NodeId) -> Word {
        let mut word = Word::new();
        let mut at = node;
        while let Some((parent, edge)) = self.parent(at) {
            word.extend(edge.iter().rev());
            at = parent;
        }
        word.reverse();
        word
    }

    #[inline]
    pub fn answer(&self, node: NodeId) -> Option<AnswerId> {
        let answer = self.nodes[node.index()].answer;
        (answer != NONE).then_some(AnswerId(answer))
    }

    /// The answer behind its number.
    pub fn value(&self, answer: AnswerId) -> &O {
        &self.answers[answer.index()]
    }

    /// The different answers seen so far.
    pub fn values(&self) -> &[O] {
        &self.answers
    }

    /// The number of an answer, new if need be. There are as many answers as the target has
    /// outputs, so a search beats a hash of a type that may be a formula.
    pub fn intern(&mut self, answer: &O) -> AnswerId {
        let known = self.answers.iter().position(|a| a == answer);
        AnswerId::new(known.unwrap_or_else(|| {
            self.answers.push(answer.clone());
            self.answers.len() - 1
        }))
    }

    /// Writes down an answer, unless another one is there already.
    pub fn record(&mut self, node: NodeId, answer: &O) -> Result<AnswerId, RefineError> {
        let id = self.intern(answer);
        let slot = &mut self.nodes[node.index()].answer;
        if *slot != NONE && *slot != id.0 {
            return Err(RefineError::Contradiction {
                word: self.word(node),
            });
        }
        *slot = id.0;
        Ok(id)
    }

    /// Asks for those of these words whose answers are not known, each once, in this order.
    pub fn ask(
        &mut self,
        nodes: &[NodeId],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let mut open: Vec<NodeId> = Vec::new();
        for &node in nodes {
            // The mark keeps a word that comes twice from being asked twice.
            if self.nodes[node.index()].answer == NONE {
                self.nodes[node.index()].answer = NONE - 1;
                open.push(node);
            }
        }
        for &node in &open {
            self.nodes[node.index()].answer = NONE;
        }
        if open.is_empty() {
            return Ok(());
        }
        let words: Vec<Word> = open.iter().map(|&n| self.word(n)).collect();
        if !self.traces {
            for (&node, answer) in open.iter().zip(mq.ask(&words)?) {
                let id = self.intern(&answer);
                self.nodes[node.index()].answer = id.0;
            }
            return Ok(());
        }
        for (word, node) in words.into_iter().zip(open) {
            // A trace answers its prefixes, so the words go one by one: the next may be known.
            if self.answer(node).is_some() {
                continue;
            }
            let traces = mq.ask_traces(std::slice::from_ref(&word))?;
            let mut at = ROOT;
            for (i, answer) in traces.into_iter().flatten().enumerate() {
                if let Some(answer) = answer {
                    let id = self.intern(&answer);
                    self.nodes[at.index()].answer = id.0;
                }
                if let Some(&letter) = word.get(i) {
                    at = self.extend(at, letter);
                }
            }
        }
        Ok(())
    }

    /// Asks for one word.
    pub fn ask_one(
        &mut self,
        node: NodeId,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<AnswerId, StopReason> {
        if self.answer(node).is_none() {
            self.ask(&[node], mq)?;
        }
        // An oracle that gives fewer answers than words has stopped without saying so.
        self.answer(node).ok_or(StopReason::Interrupted)
    }

    /// All words whose answers are known, in the order in which their nodes were made.
    pub fn entries(&self) -> impl Iterator<Item = (NodeId, AnswerId)> + '_ {
        (0..self.nodes.len()).filter_map(|i| {
            let node = NodeId::new(i);
            self.answer(node).map(|answer| (node, answer))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        text.bytes().map(|b| Letter(u32::from(b - b'a'))).collect()
    }

    #[test]
    fn a_cut_edge_keeps_words_and_ids() {
        let mut tree: AnswerTree<u8> = AnswerTree::new(3);
        let mut pool = SuffixPool::default();
        let long = tree.extend_by(ROOT, &word("abcabc"));
        tree.record(long, &7).unwrap();
        let cab = pool.insert(&word("cab"));
        let ab = tree.extend_by(ROOT, &word("ab"));
        assert_eq!(tree.word(ab), word("ab"));
        let branch = tree.extend_by_suffix(ab, &pool, cab);
        assert_eq!(tree.word(branch), word("abcab"));
        let other = tree.extend_by(ab, &word("cc"));
        assert_eq!(tree.word(other), word("abcc"));
        assert_eq!(tree.find(ROOT, &word("abcabc")), Some(long));
        assert_eq!(tree.answer(long), Some(AnswerId(0)));
        assert_eq!(tree.find(ROOT, &word("a")), None);
        let a = tree.extend(ROOT, Letter(0));
        assert_eq!(tree.child(ROOT, Letter(0)), Some(a));
        assert_eq!(tree.extend(a, Letter(1)), ab);
        assert_eq!(tree.word(long), word("abcabc"));
        assert_eq!(tree.find(branch, &word("c")), Some(long));
    }

    #[test]
    fn two_answers_for_one_word_are_refused() {
        let mut tree: AnswerTree<u8> = AnswerTree::new(1);
        assert!(tree.record(ROOT, &1).is_ok());
        assert_eq!(
            tree.record(ROOT, &2),
            Err(RefineError::Contradiction { word: vec![] })
        );
    }
}

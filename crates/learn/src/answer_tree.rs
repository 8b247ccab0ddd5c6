//! Everything a learner was ever told: a tree with one node per word, and the answers known.
//!
//! Rows of a table, access words of states, transitions and cells are all nodes of one tree, so a
//! word is stored once, and asking for a word that two of them share costs one query. Answers are
//! interned: inside a learner an answer is a small number, whatever its type.
//!
//! Edges carry several letters (a radix tree), as the questions about a counterexample of length
//! 500 would otherwise leave thousands of nodes with one child behind. An edge is cut when a word
//! ends or branches off in its middle; the ids of nodes stay as they are. Answers belong to the
//! letters of edges and not to nodes, so that those of all prefixes of a word can be kept without
//! a node for each.

mod children;

use crate::interned::Interned;
use crate::{MembershipOracle, RefineError, SuffixId, SuffixPool};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Bug, StopReason, index_type};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Words with their prefixes that are asked for at once: enough for many cores, and so few that their memory is
/// used again and again.
const TRACES_AT_ONCE: usize = 4096;

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    /// The letters on the edge from the parent, in [`AnswerTree::letters`].
    edge: u32,
    edge_len: u32,
    /// The children of this node, see [`children`].
    block: u32,
    /// The next child of the parent, if that has a few.
    next: u32,
}

impl Node {
    /// Where the last letter of the edge is, and with it the answer.
    #[inline]
    fn last(&self) -> usize {
        (self.edge + self.edge_len) as usize - 1
    }
}

/// The words seen so far and their answers.
#[derive(Clone, Debug)]
pub struct AnswerTree<O> {
    n_letters: usize,
    nodes: Vec<Node>,
    /// Indexed by block and first letter of the edge.
    children: Vec<u32>,
    letters: Vec<Letter>,
    /// For each letter of an edge the answer to the word that ends with it.
    answer_at: Vec<u32>,
    answers: Interned<O>,
    /// Whether prefixes are asked for too, see [`MembershipOracle::ask_traces`].
    traces: bool,
    /// The words of the last batch: their memory is used again.
    words: Vec<Word>,
    /// Where the answers of these words and of their prefixes are kept.
    places: Vec<u32>,
    /// The answers on a way through the tree, last to first: memory of [`outcome`](Self::outcome).
    way: Vec<AnswerId>,
    /// Whether every prefix of a word is a node, so that [`child`](Self::child) finds all words.
    every_prefix: bool,
    /// Whether answers belong to steps, see [`Machine`](crate::Machine).
    steps: bool,
    /// Sequences of answers as numbers, one more answer at a time.
    sequences: FxHashMap<(u32, AnswerId), u32>,
    /// Words whose answer is known although those of their prefixes may not be: counterexamples.
    /// Only kept if answers belong to steps.
    bare: FxHashSet<NodeId>,
}

impl<O: Clone + Eq> AnswerTree<O> {
    pub fn new(n_letters: usize) -> Self {
        Self {
            n_letters,
            nodes: vec![Node {
                parent: NONE,
                edge: 0,
                edge_len: 1,
                block: NONE,
                next: NONE,
            }],
            children: Vec::new(),
            // The empty word has an answer too, so the root has an edge that nobody walks.
            letters: vec![Letter(u32::MAX)],
            answer_at: vec![NONE],
            answers: Interned::default(),
            traces: false,
            words: Vec::new(),
            places: Vec::new(),
            way: Vec::new(),
            every_prefix: false,
            steps: false,
            sequences: FxHashMap::default(),
            bare: FxHashSet::default(),
        }
    }

    /// The tree of a learner whose answers belong to steps (see [`Machine`](crate::Machine)): a word
    /// is told from another by all answers on its way. Prefixes are asked for too.
    pub fn of_steps(n_letters: usize) -> Self {
        Self {
            steps: true,
            traces: true,
            ..Self::new(n_letters)
        }
    }

    /// Whether answers belong to steps.
    #[inline]
    pub fn answers_steps(&self) -> bool {
        self.steps
    }

    /// What is known after the word of `from` along the way to `to`, which continues it: the answer
    /// to `to` or, if answers belong to steps, all answers on the way as one number. `None` if
    /// something is not known.
    #[inline]
    pub fn outcome(&mut self, from: NodeId, to: NodeId) -> Option<AnswerId> {
        if !self.steps {
            return self.answer(to);
        }
        let mut way = std::mem::take(&mut self.way);
        way.clear();
        let known = self.write_way(from, to, &mut way);
        let mut sequence = 0;
        if known {
            for &answer in way.iter().rev() {
                let fresh = self.sequences.len() as u32 + 1;
                sequence = *self.sequences.entry((sequence, answer)).or_insert(fresh);
            }
        }
        self.way = way;
        known.then_some(AnswerId(sequence))
    }

    /// The answers on the way from a node to one that continues it, last to first. Whether all are known.
    fn write_way(&self, from: NodeId, to: NodeId, way: &mut Vec<AnswerId>) -> bool {
        let mut at = to;
        while at != from {
            let Node {
                parent,
                edge,
                edge_len,
                ..
            } = self.nodes[at.index()];
            for position in (edge..edge + edge_len).rev() {
                let Some(answer) = self.answer_in(position as usize) else {
                    return false;
                };
                way.push(answer);
            }
            if parent == NONE {
                return false;
            }
            at = NodeId(parent);
        }
        true
    }

    /// Asks until the [`outcome`](Self::outcome) is known.
    pub fn ask_outcome(
        &mut self,
        from: NodeId,
        to: NodeId,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<AnswerId, StopReason> {
        if let Some(outcome) = self.outcome(from, to) {
            return Ok(outcome);
        }
        self.ask(&[to], mq)?;
        self.outcome(from, to)
            .ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    /// Notes that only the answer to a word itself is known.
    pub(crate) fn note_bare(&mut self, node: NodeId) {
        if self.steps {
            self.bare.insert(node);
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
                return self.add_suffix(at, suffixes, rest);
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

    /// The answer to `node`'s word followed by `word`, if it is known.
    pub fn answer_after(&self, mut node: NodeId, mut word: &[Letter]) -> Option<AnswerId> {
        while let Some(&first) = word.first() {
            node = self.branch(node, first)?;
            let edge = self.edge(node);
            if word.len() < edge.len() {
                let at = self.nodes[node.index()].edge as usize + word.len() - 1;
                return edge.starts_with(word).then(|| self.answer_in(at)).flatten();
            }
            word = word.strip_prefix(edge)?;
        }
        self.answer(node)
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

    fn add(&mut self, parent: NodeId, edge: &[Letter]) -> NodeId {
        if self.every_prefix && edge.len() > 1 {
            return edge
                .chunks(1)
                .fold(parent, |at, letter| self.add(at, letter));
        }
        let start = self.letters.len() as u32;
        self.letters.extend_from_slice(edge);
        self.answer_at.resize(self.letters.len(), NONE);
        let node = self.push(parent, start, edge.len() as u32);
        self.attach(parent, edge[0], node);
        node
    }

    /// As [`add`](Self::add), without a copy of the suffix.
    fn add_suffix(&mut self, parent: NodeId, suffixes: &SuffixPool, suffix: SuffixId) -> NodeId {
        if self.every_prefix {
            return self.add(parent, &suffixes.word(suffix));
        }
        let start = self.letters.len();
        self.letters.extend(suffixes.letters(suffix));
        self.answer_at.resize(self.letters.len(), NONE);
        let length = (self.letters.len() - start) as u32;
        let node = self.push(parent, start as u32, length);
        self.attach(parent, self.letters[start], node);
        node
    }

    fn push(&mut self, parent: NodeId, edge: u32, edge_len: u32) -> NodeId {
        self.nodes.push(Node {
            parent: parent.0,
            edge,
            edge_len,
            block: NONE,
            next: NONE,
        });
        NodeId::new(self.nodes.len() - 1)
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
        self.write_word(node, &mut word);
        word
    }

    pub(crate) fn write_word(&self, node: NodeId, word: &mut Word) {
        word.clear();
        let mut at = node;
        while let Some((parent, edge)) = self.parent(at) {
            word.extend(edge.iter().rev());
            at = parent;
        }
        word.reverse();
    }

    #[inline]
    pub fn answer(&self, node: NodeId) -> Option<AnswerId> {
        self.answer_in(self.nodes[node.index()].last())
    }

    #[inline]
    fn answer_in(&self, position: usize) -> Option<AnswerId> {
        let answer = self.answer_at[position];
        (answer != NONE).then_some(AnswerId(answer))
    }

    /// The answer behind its number.
    pub fn value(&self, answer: AnswerId) -> &O {
        &self.answers.values()[answer.index()]
    }

    /// The different answers seen so far.
    pub fn values(&self) -> &[O] {
        self.answers.values()
    }

    /// The number of an answer, new if need be.
    pub fn intern(&mut self, answer: &O) -> AnswerId {
        AnswerId::new(self.answers.number(answer))
    }

    /// Writes down an answer, unless another one is there already.
    pub fn record(&mut self, node: NodeId, answer: &O) -> Result<AnswerId, RefineError> {
        let id = self.intern(answer);
        let slot = &mut self.answer_at[self.nodes[node.index()].last()];
        if *slot != NONE && *slot != id.0 {
            return Err(RefineError::Contradiction {
                word: self.word(node),
            });
        }
        *slot = id.0;
        Ok(id)
    }

    /// Asks for those of these words whose answers are not known, each once, in this order. With
    /// [traces](Self::ask_for_traces), prefixes of other words in the list are not asked for.
    pub fn ask(
        &mut self,
        nodes: &[NodeId],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        loop {
            let open = self.questions(nodes);
            if open.is_empty() {
                return Ok(());
            }
            let batch = if self.traces {
                TRACES_AT_ONCE
            } else {
                open.len()
            };
            for open in open.chunks(batch) {
                self.ask_batch(open, mq)?;
            }
            if !self.traces {
                return Ok(());
            }
        }
    }

    /// Asks for these words, none of which is there twice.
    fn ask_batch(
        &mut self,
        open: &[NodeId],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let mut words = std::mem::take(&mut self.words);
        if words.len() < open.len() {
            words.resize_with(open.len(), Word::new);
        }
        if self.traces {
            let told = self.ask_traces(open, &mut words, mq);
            self.words = words;
            return told;
        }
        self.write_words(open, &mut words);
        let asked = &words[..open.len()];
        let answers = mq.ask(asked);
        self.words = words;
        for (&node, answer) in open.iter().zip(answers?) {
            let id = self.intern(&answer);
            let position = self.nodes[node.index()].last();
            self.answer_at[position] = id.0;
        }
        Ok(())
    }

    /// Asks for the words of these nodes, and writes down what is told of their prefixes.
    fn ask_traces(
        &mut self,
        open: &[NodeId],
        words: &mut [Word],
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        let mut starts: Vec<usize> = Vec::with_capacity(open.len());
        let mut known: Vec<usize> = Vec::with_capacity(open.len());
        for (i, (&node, word)) in open.iter().zip(words.iter_mut()).enumerate() {
            let start = places.len();
            let before = self.common_front(open, i);
            let front = match (before, starts.last(), known.last()) {
                (true, Some(&last), Some(&unknown)) => {
                    let front = start - self.nodes[open[i - 1].index()].edge_len as usize;
                    places.extend_from_within(last..front);
                    places.extend(self.edge_places(node));
                    unknown.min(front - last)
                }
                _ => {
                    self.write_places(node, &mut places);
                    // Where answers belong to steps, the empty word has none, ever.
                    usize::from(self.steps)
                }
            };
            let mut rest = places[start + front..].iter();
            let unknown = rest.position(|&at| self.answer_at[at as usize] == NONE);
            word.clear();
            word.extend(
                places[start + 1..]
                    .iter()
                    .map(|&at| self.letters[at as usize]),
            );
            starts.push(start);
            known.push(unknown.map_or(word.len(), |after| front + after));
        }
        let words = &words[..open.len()];
        let (answer_at, answers) = (&mut self.answer_at, &mut self.answers);
        let mut tell = |i: usize, n: usize, answer: &O| {
            if words.get(i).is_some_and(|word| n <= word.len()) {
                let slot = &mut answer_at[places[starts[i] + n] as usize];
                if *slot == NONE {
                    *slot = answers.number(answer) as u32;
                }
            }
        };
        let told = mq.tell_traces(words, &known, &mut tell);
        self.places = places;
        told?;
        // The answers to the words themselves must be there, and then asking comes to an end.
        let all = open.iter().all(|&node| self.answer(node).is_some());
        if all {
            Ok(())
        } else {
            Err(StopReason::Internal(Bug::NoAnswer))
        }
    }

    /// Whether the word of the node before this one in the list differs from its word in the last edge alone.
    fn common_front(&self, nodes: &[NodeId], i: usize) -> bool {
        let parent = |node: NodeId| self.nodes[node.index()].parent;
        i > 0 && parent(nodes[i]) == parent(nodes[i - 1]) && parent(nodes[i]) != NONE
    }

    /// The words of these nodes. Neighbours often have the same front, which is found once.
    fn write_words(&self, nodes: &[NodeId], words: &mut [Word]) {
        for (i, &node) in nodes.iter().enumerate() {
            let (done, rest) = words.split_at_mut(i);
            let (Some(last), Some(word)) = (done.last(), rest.first_mut()) else {
                self.write_word(node, &mut rest[0]);
                continue;
            };
            if self.common_front(nodes, i) {
                let front = last.len() - self.edge(nodes[i - 1]).len();
                word.clear();
                word.extend_from_slice(&last[..front]);
                word.extend_from_slice(self.edge(node));
            } else {
                self.write_word(node, word);
            }
        }
    }

    /// Where the answers on the edge to a node are kept.
    fn edge_places(&self, node: NodeId) -> std::ops::Range<u32> {
        let Node { edge, edge_len, .. } = self.nodes[node.index()];
        edge..edge + edge_len
    }

    /// Appends where the answers of a node's word and its prefixes are kept, the empty one first. Its letters are
    /// in these places, too.
    fn write_places(&self, node: NodeId, places: &mut Vec<u32>) {
        let mut free = places.len();
        let mut at = &self.nodes[node.index()];
        free += at.edge_len as usize;
        while at.parent != NONE {
            at = &self.nodes[at.parent as usize];
            free += at.edge_len as usize;
        }
        places.resize(free, 0);
        let mut at = &self.nodes[node.index()];
        loop {
            for position in (at.edge..at.edge + at.edge_len).rev() {
                free -= 1;
                places[free] = position;
            }
            if at.parent == NONE {
                return;
            }
            at = &self.nodes[at.parent as usize];
        }
    }

    /// Writes down the answers to all letters of a word.
    pub(crate) fn record_run(&mut self, word: &[Letter], answers: &[O]) {
        let node = self.extend_by(ROOT, word);
        let trace: Vec<Option<O>> = std::iter::once(None)
            .chain(answers.iter().cloned().map(Some))
            .collect();
        self.record_trace(node, &trace);
    }

    /// The words to ask for so that the answers of all these nodes are known.
    fn questions(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        // The mark keeps a word that comes twice from being asked twice.
        const ASKED: u32 = NONE - 1;
        let mut open: Vec<NodeId> = Vec::new();
        for &node in nodes {
            let position = self.nodes[node.index()].last();
            let is_bare = !self.bare.is_empty() && self.bare.remove(&node);
            if self.answer_at[position] == NONE || is_bare {
                self.answer_at[position] = ASKED;
                open.push(node);
            }
        }
        if self.traces && open.len() > 1 {
            for (i, &node) in open.iter().enumerate() {
                if self.common_front(&open, i) {
                    continue;
                }
                let mut above = self.nodes[node.index()].parent;
                while above != NONE {
                    let Node { parent, .. } = self.nodes[above as usize];
                    let position = self.nodes[above as usize].last();
                    if self.answer_at[position] == ASKED {
                        self.answer_at[position] = NONE;
                    }
                    above = parent;
                }
            }
        }
        open.retain(|node| {
            let position = self.nodes[node.index()].last();
            std::mem::replace(&mut self.answer_at[position], NONE) == ASKED
        });
        open
    }

    /// Writes down the answers to a node's word and its prefixes, as far as they are not known.
    fn record_trace(&mut self, node: NodeId, trace: &[Option<O>]) {
        let mut at = node;
        let mut after = trace.len();
        loop {
            let Node {
                parent,
                edge,
                edge_len,
                ..
            } = self.nodes[at.index()];
            for position in (edge..edge + edge_len).rev() {
                after = after.saturating_sub(1);
                if self.answer_at[position as usize] == NONE
                    && let Some(Some(answer)) = trace.get(after)
                {
                    let id = self.intern(answer);
                    self.answer_at[position as usize] = id.0;
                }
            }
            if parent == NONE {
                return;
            }
            at = NodeId(parent);
        }
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
        self.answer(node).ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    /// All words whose answers are known, in the order in which their nodes were made, and after
    /// each the prefixes of it that end on its edge.
    pub fn entries(&self) -> impl Iterator<Item = (Word, AnswerId)> + '_ {
        (0..self.nodes.len()).flat_map(move |i| {
            let n = &self.nodes[i];
            let known = (n.edge..n.edge + n.edge_len).rev().enumerate();
            let known =
                known.filter_map(move |(cut, at)| Some((cut, self.answer_in(at as usize)?)));
            known.map(move |(cut, answer)| {
                let mut word = self.word(NodeId::new(i));
                word.truncate(word.len() - cut);
                (word, answer)
            })
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

    /// Answers with the length of the word, and with those of all its prefixes.
    struct Length {
        asked: Vec<Word>,
    }

    impl MembershipOracle for Length {
        type Answer = usize;

        fn ask(&mut self, words: &[Word]) -> Result<Vec<usize>, StopReason> {
            self.asked.extend_from_slice(words);
            Ok(words.iter().map(Vec::len).collect())
        }

        fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<crate::Trace<usize>>, StopReason> {
            self.asked.extend_from_slice(words);
            Ok(words
                .iter()
                .map(|w| (0..=w.len()).map(Some).collect())
                .collect())
        }
    }

    #[test]
    fn prefixes_are_answered_without_nodes() {
        let mut tree: AnswerTree<usize> = AnswerTree::new(3);
        tree.ask_for_traces();
        let mut oracle = Length { asked: Vec::new() };
        let nodes = ["ab", "abcab", "b", "abc", "ab"].map(|w| tree.extend_by(ROOT, &word(w)));
        tree.ask(&nodes, &mut oracle).unwrap();
        assert_eq!(oracle.asked, [word("abcab"), word("b")]);
        let n_nodes = tree.n_nodes();
        let length = |tree: &AnswerTree<usize>, w: &str| {
            let answer = tree.answer_after(ROOT, &word(w))?;
            Some(*tree.value(answer))
        };
        for w in ["", "a", "ab", "abc", "abca", "abcab", "b"] {
            assert_eq!(length(&tree, w), Some(w.len()), "{w}");
        }
        for w in ["c", "ac", "abcb", "abcabc"] {
            assert_eq!(length(&tree, w), None, "{w}");
        }
        assert_eq!(tree.n_nodes(), n_nodes);
        let mut entries: Vec<(Word, usize)> =
            tree.entries().map(|(w, a)| (w, *tree.value(a))).collect();
        entries.sort();
        assert_eq!(
            entries,
            ["", "a", "ab", "abc", "abca", "abcab", "b"].map(|w| (word(w), w.len()))
        );
        // A node made later, in the middle of an edge, has its answer.
        let abca = tree.extend_by(ROOT, &word("abca"));
        assert_eq!(
            tree.ask_one(abca, &mut oracle).map(|a| *tree.value(a)),
            Ok(4)
        );
        assert_eq!(oracle.asked.len(), 2);
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

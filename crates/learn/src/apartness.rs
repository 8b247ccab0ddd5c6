//! Apartness in an observation tree: two nodes are apart when some word has been answered
//! differently after them. Where answers belong to steps, the answers to the nodes themselves belong
//! to the steps before and do not count.

use crate::AnswerTree;
use crate::answer_tree::NodeId;
use idiolect_automata::{Letter, Word};
use std::ops::Range;

/// Whether the answers known so far tell two nodes apart.
pub(crate) fn apart<O: Clone + Eq>(tree: &AnswerTree<O>, left: NodeId, right: NodeId) -> bool {
    if !tree.answers_steps() && differ(tree, left, right) {
        return true;
    }
    let mut stack = vec![(left, right)];
    while let Some((x, y)) = stack.pop() {
        for (_, x, y) in tree.common_children(x, y) {
            if differ(tree, x, y) {
                return true;
            }
            stack.push((x, y));
        }
    }
    false
}

/// A shortest word that tells two nodes apart.
pub(crate) fn witness<O: Clone + Eq>(
    tree: &AnswerTree<O>,
    left: NodeId,
    right: NodeId,
) -> Option<Word> {
    let mut queue = vec![(left, right, 0usize, Letter(0))];
    let mut next = 0;
    while let Some(&(x, y, _, _)) = queue.get(next) {
        if (next > 0 || !tree.answers_steps()) && differ(tree, x, y) {
            let mut word = Word::new();
            let mut at = next;
            while at != 0 {
                word.push(queue[at].3);
                at = queue[at].2;
            }
            word.reverse();
            return Some(word);
        }
        let longer = tree.common_children(x, y);
        queue.extend(longer.map(|(a, x, y)| (x, y, next, a)));
        next += 1;
    }
    None
}

#[inline]
fn differ<O: Clone + Eq>(tree: &AnswerTree<O>, x: NodeId, y: NodeId) -> bool {
    matches!((tree.answer(x), tree.answer(y)), (Some(a), Some(b)) if a != b)
}

/// Of the words known after at least two of these nodes, the one that tells most pairs of them
/// apart, if any does.
///
/// With `traces` the answers to all prefixes count, otherwise only that of the word. Looks at
/// a sample of the nodes, and at the most promising words of each length only (beam search).
///
/// If each letter costs and the word is asked after `front` letters, it is the one that tells most
/// apart for its price: the logarithm of how much fewer nodes are left on average, per letter.
pub(crate) fn best_separator<O: Clone + Eq>(
    tree: &AnswerTree<O>,
    nodes: &[NodeId],
    traces: bool,
    front: Option<usize>,
) -> Option<Word> {
    const SAMPLE: usize = 48;
    const BEAM: usize = 6;
    const LONGEST: usize = 24;

    struct Candidate {
        word: Word,
        /// Node after the word, and its class: equal for equal answers so far.
        at: Vec<(NodeId, u32)>,
    }
    let step = nodes.len().div_ceil(SAMPLE).max(1);
    let start: Vec<(NodeId, u32)> = nodes.iter().step_by(step).map(|&n| (n, 0)).collect();
    let mut first = Candidate {
        word: Word::new(),
        at: start,
    };
    let n = first.at.len() as f64;
    let value = |score: u64, length: usize| match front {
        None => score as f64,
        Some(front) => (n / (n - score as f64 / n)).ln() / (front + length) as f64,
    };
    let mut best = (0.0, Word::new());
    // All pairs told apart, each counted twice: no word does better.
    let most = (first.at.len() * first.at.len().saturating_sub(1)) as u64;
    if !tree.answers_steps() {
        let score = classify(tree, &mut first.at, traces);
        best.0 = value(score, 0);
        if score > 0 && score == most {
            return Some(Word::new());
        }
    }
    let mut beam = vec![first];
    let mut at: Vec<(NodeId, u32)> = Vec::new();
    for length in 1..=LONGEST {
        if front.is_some() && best.0 >= value(most, length) {
            break;
        }
        let mut longer: Vec<(u64, Candidate)> = Vec::new();
        for candidate in &beam {
            for a in (0..tree.n_letters()).map(Letter::new) {
                // Most words are known after no two of the nodes: those cost no allocation.
                at.clear();
                let after = candidate.at.iter();
                at.extend(after.filter_map(|&(n, class)| Some((tree.child(n, a)?, class))));
                if at.len() < 2 {
                    continue;
                }
                let score = classify(tree, &mut at, traces);
                let mut word = candidate.word.clone();
                word.push(a);
                let value = value(score, word.len());
                if score > 0 && value > best.0 {
                    best = (value, word.clone());
                }
                if score == most && score > 0 {
                    // Longer words tell no more apart.
                    return Some(best.1);
                }
                let rank = if traces { score } else { at.len() as u64 };
                let at = at.clone();
                longer.push((rank, Candidate { word, at }));
            }
        }
        longer.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        longer.truncate(BEAM);
        beam = longer.into_iter().map(|(_, c)| c).collect();
        if beam.is_empty() {
            break;
        }
    }
    (best.0 > 0.0).then_some(best.1)
}

/// Refines the classes by the answers at the nodes, and counts the pairs told apart (twice).
fn classify<O: Clone + Eq>(tree: &AnswerTree<O>, at: &mut [(NodeId, u32)], traces: bool) -> u64 {
    // A node without an answer is told apart from nothing.
    let mut sizes: Vec<((u32, u32), u64)> = Vec::new();
    let mut answered = 0u64;
    for (node, class) in at.iter_mut() {
        let answer = tree.answer(*node).map(|a| a.0 + 1).unwrap_or(0);
        if answer == 0 {
            continue;
        }
        answered += 1;
        let key = (if traces { *class } else { 0 }, answer);
        match sizes.iter().position(|(k, _)| *k == key) {
            Some(i) => {
                sizes[i].1 += 1;
                *class = i as u32;
            }
            None => {
                *class = sizes.len() as u32;
                sizes.push((key, 1));
            }
        }
    }
    answered * answered - sizes.iter().map(|(_, n)| n * n).sum::<u64>()
}

/// The letter after which these nodes are best told apart, if each further letter may be chosen by
/// the answers before it: an adaptive distinguishing sequence as far as the tree knows one.
///
/// A letter is worth the number of nodes that its answers, and those to the best letters after them,
/// are expected to leave behind, if each node is as likely. The known words after two or more nodes
/// with the same answers are each looked at once.
pub(crate) fn adaptive_letter<O: Clone + Eq>(
    tree: &AnswerTree<O>,
    nodes: &[NodeId],
) -> Option<Letter> {
    let mut search = AdaptiveSearch {
        tree,
        nodes: nodes.to_vec(),
        steps: Vec::new(),
        sizes: Vec::new(),
        group_of: vec![(0, 0); tree.values().len()],
        time: 0,
    };
    search.best_letter(0..nodes.len(), DEEPEST, 0.0).1
}

/// Longer ways to tell nodes apart are not looked for.
const DEEPEST: usize = 24;
/// What a letter costs, in nodes left behind: of two ways that tell as much, the shorter.
const LETTER: f64 = 0.01;
/// More than what rounding may change in what a letter is worth.
const ROUNDING: f64 = 1e-6;

/// The search of [`adaptive_letter`]. All groups of nodes that are looked at are in a few stacks, as there are
/// far more of them than could be allocated one by one.
struct AdaptiveSearch<'a, O> {
    tree: &'a AnswerTree<O>,
    nodes: Vec<NodeId>,
    /// The steps from a group of nodes, by letter.
    steps: Vec<AnsweredStep>,
    /// The sizes of the groups that the answers to a letter make.
    sizes: Vec<u32>,
    /// For each answer when it was last met, and the group it had then.
    group_of: Vec<(u64, u32)>,
    /// The number of letters looked at so far.
    time: u64,
}

#[derive(Clone, Copy)]
struct AnsweredStep {
    letter: Letter,
    /// The answer, and once it is known the number of its group.
    answer: u32,
    to: NodeId,
}

impl<O: Clone + Eq> AdaptiveSearch<'_, O> {
    /// What the best letter after these nodes is worth, and the letter. If that is at most `least`, it may be
    /// another letter, or none.
    fn best_letter(
        &mut self,
        group: Range<usize>,
        depth: usize,
        least: f64,
    ) -> (f64, Option<Letter>) {
        let mut best = (0.0, None);
        if depth == 0 {
            return best;
        }
        let first = self.steps.len();
        for &node in &self.nodes[group] {
            for (letter, to) in self.tree.children(node) {
                if let Some(answer) = self.tree.answer(to) {
                    let answer = answer.0;
                    self.steps.push(AnsweredStep { letter, answer, to });
                }
            }
        }
        let end = self.steps.len();
        // In the order of the letters, and of the nodes.
        self.steps[first..].sort_by_key(|step| step.letter);
        let mut from = first;
        while from < end {
            let letter = self.steps[from].letter;
            let same = self.steps[from..end].iter();
            let to = from + same.take_while(|step| step.letter == letter).count();
            if let Some(worth) = self.worth(from..to, depth, least.max(best.0)) {
                best = (worth, Some(letter));
            }
            from = to;
        }
        self.steps.truncate(first);
        best
    }

    /// What the letter of these steps is worth, if that is more than `least`.
    fn worth(&mut self, steps: Range<usize>, depth: usize, least: f64) -> Option<f64> {
        let n = steps.len() as f64;
        // At best it leaves one node of all.
        if n < 2.0 || n - 1.0 - LETTER <= least {
            return None;
        }
        let (first_node, first_size) = (self.nodes.len(), self.sizes.len());
        self.time += 1;
        for step in &mut self.steps[steps.clone()] {
            let group = &mut self.group_of[step.answer as usize];
            if group.0 != self.time {
                *group = (self.time, (self.sizes.len() - first_size) as u32);
                self.sizes.push(0);
            }
            step.answer = group.1;
            self.sizes[first_size + group.1 as usize] += 1;
        }
        self.lay_out(steps, first_size);
        let worth = self.worth_of_groups(first_node, first_size, n, depth, least);
        self.nodes.truncate(first_node);
        self.sizes.truncate(first_size);
        worth.filter(|&worth| worth > least)
    }

    /// Puts the nodes that steps lead to on the stack, group by group. The sizes become the ends of the groups.
    fn lay_out(&mut self, steps: Range<usize>, first_size: usize) {
        let mut free = self.nodes.len() as u32;
        for size in &mut self.sizes[first_size..] {
            (*size, free) = (free, free + *size);
        }
        self.nodes.resize(free as usize, NodeId(0));
        for step in &self.steps[steps] {
            let free = &mut self.sizes[first_size + step.answer as usize];
            self.nodes[*free as usize] = step.to;
            *free += 1;
        }
    }

    /// What a letter with these groups of answers is worth, unless that is at most `least` for sure.
    fn worth_of_groups(
        &mut self,
        first_node: usize,
        first_size: usize,
        n: f64,
        depth: usize,
        least: f64,
    ) -> Option<f64> {
        let n_groups = self.sizes.len() - first_size;
        let (mut worth, mut start) = (0.0, first_node);
        // What the groups not looked at yet are worth at best.
        let mut open = n - 1.0;
        for group in 0..n_groups {
            let end = self.sizes[first_size + group] as usize;
            let left = (end - start) as f64;
            open -= left * (n - 1.0) / n;
            let after = if end - start < 2 {
                0.0
            } else {
                // With less than this after it, the letter is worth less than `least`.
                let enough = least - ROUNDING + LETTER - worth - open;
                let enough = enough * n / left - (n - left);
                self.best_letter(start..end, depth - 1, enough).0
            };
            worth += left * (n - left + after) / n;
            if worth + open - LETTER + ROUNDING <= least {
                return None;
            }
            start = end;
        }
        Some(worth - LETTER)
    }
}

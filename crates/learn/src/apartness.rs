//! Apartness in an observation tree: two nodes are apart when some word has been answered
//! differently after them. Where answers belong to steps, the answers to the nodes themselves belong
//! to the steps before and do not count.

use crate::AnswerTree;
use crate::answer_tree::{AnswerId, NodeId};
use idiolect_automata::{Letter, Word};

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
    best_letter(tree, nodes, DEEPEST).1
}

/// Longer ways to tell nodes apart are not looked for.
const DEEPEST: usize = 24;
/// What a letter costs, in nodes left behind: of two ways that tell as much, the shorter.
const LETTER: f64 = 0.01;

fn best_letter<O: Clone + Eq>(
    tree: &AnswerTree<O>,
    nodes: &[NodeId],
    depth: usize,
) -> (f64, Option<Letter>) {
    let mut best = (0.0, None);
    // Most nodes of a group have nothing known after them, and every letter would look at them again.
    let nodes: Vec<NodeId> = (nodes.iter().copied())
        .filter(|&node| !tree.is_leaf(node))
        .collect();
    if nodes.len() < 2 || depth == 0 {
        return best;
    }
    let mut groups: Vec<(AnswerId, Vec<NodeId>)> = Vec::new();
    for a in (0..tree.n_letters()).map(Letter::new) {
        groups.clear();
        let mut n = 0u32;
        for &node in &nodes {
            let Some(child) = tree.child(node, a) else {
                continue;
            };
            let Some(answer) = tree.answer(child) else {
                continue;
            };
            n += 1;
            match groups.iter_mut().find(|(known, _)| *known == answer) {
                Some((_, group)) => group.push(child),
                None => groups.push((answer, vec![child])),
            }
        }
        // At best it leaves one node of all.
        if n < 2 || f64::from(n) - 1.0 - LETTER <= best.0 {
            continue;
        }
        let worth = groups.iter().map(|(_, group)| {
            let left = group.len() as f64;
            left * (f64::from(n) - left + best_letter(tree, group, depth - 1).0) / f64::from(n)
        });
        let worth = worth.sum::<f64>() - LETTER;
        if worth > best.0 {
            best = (worth, Some(a));
        }
    }
    best
}

//! Apartness in an observation tree: two nodes are apart when some word has been answered
//! differently after them.

use crate::AnswerTree;
use crate::answer_tree::NodeId;
use idiolect_automata::{Letter, Word};

/// Whether the answers known so far tell two nodes apart.
pub(crate) fn apart<O: Clone + Eq>(tree: &AnswerTree<O>, left: NodeId, right: NodeId) -> bool {
    let mut stack = vec![(left, right)];
    while let Some((x, y)) = stack.pop() {
        if differ(tree, x, y) {
            return true;
        }
        stack.extend(tree.common_children(x, y).map(|(_, x, y)| (x, y)));
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
        if differ(tree, x, y) {
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
pub(crate) fn best_separator<O: Clone + Eq>(
    tree: &AnswerTree<O>,
    nodes: &[NodeId],
    traces: bool,
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
    let mut best = (classify(tree, &mut first.at, traces), Word::new());
    // All pairs told apart, each counted twice: no word does better.
    let most = (first.at.len() * (first.at.len() - 1)) as u64;
    if best.0 > 0 && best.0 == most {
        return Some(Word::new());
    }
    let mut beam = vec![first];
    let mut at: Vec<(NodeId, u32)> = Vec::new();
    for _ in 0..LONGEST {
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
                if score == most && score > 0 {
                    return Some(word);
                }
                if score > best.0 {
                    best = (score, word.clone());
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
    (best.0 > 0).then_some(best.1)
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

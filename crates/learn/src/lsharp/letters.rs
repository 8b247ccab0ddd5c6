//! Rules 1 to 3 where every letter is a step of a system: which question comes next is decided by
//! what it may tell for its letters.
//!
//! A frontier state with `c` candidates, reached by a word of `l` letters, needs at least `l + 1` letters
//! to tell some of them apart, and `log c` is what there is to learn. The next question is about the one
//! for which `log c / (l + 1)` is largest; one that was not asked about yet has all basis states for
//! candidates (rule 2), and of two that are worth as much it is first.
//!
//! If rule 2 always came first, states would be found at the end of long words before short words are
//! looked at closely, and every later question would pay for it (random machines of 200 states: half
//! as many letters again). If rule 3 always came first, a frontier state would be told apart from one
//! candidate each time a state is found, and not from many at once (31 published models: an eighth
//! more letters).

use super::LSharp;
use crate::answer_tree::NodeId;
use crate::apartness::{adaptive_letter, apart, best_separator, witness};
use crate::{AnswerTree, Machine, MembershipOracle};
use idiolect_automata::{Letter, StateId};
use idiolect_base::StopReason;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What starting a system anew costs, in letters.
const RESET: usize = 1;

/// What is known of the extension of a basis state by a letter.
#[derive(Clone, Debug)]
enum Extension {
    /// Nothing was asked about it.
    Unseen,
    /// The basis states that it is not apart from, as far as they were looked at.
    Candidates(Vec<u32>),
    /// It is a basis state itself.
    Basis,
}

/// The extensions of basis states, and which of them to ask about next.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    extensions: Vec<Extension>,
    /// The letters of the word that leads to each basis state.
    length: Vec<usize>,
    unseen: BinaryHeap<Reverse<(usize, usize)>>,
    /// Those with several candidates. What is not true any more is skipped.
    ambiguous: BinaryHeap<Ambiguous>,
    /// Whether answers came in that were not asked for here.
    is_stale: bool,
}

#[derive(Clone, Debug)]
struct Ambiguous {
    worth: f64,
    extension: usize,
    n_candidates: usize,
}

impl Ord for Ambiguous {
    fn cmp(&self, other: &Self) -> Ordering {
        let worth = self.worth.total_cmp(&other.worth);
        worth.then(other.extension.cmp(&self.extension))
    }
}

impl PartialOrd for Ambiguous {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ambiguous {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ambiguous {}

enum NextQuestion {
    Extend(usize),
    Separate(usize),
}

/// What a question may tell about one of so many candidates, for each of its letters.
fn worth(n_candidates: usize, length: usize) -> f64 {
    (n_candidates as f64).ln() / (length + 1) as f64
}

impl Frontier {
    /// A basis state that a word of so many letters leads to, with its extensions.
    fn add(&mut self, length: usize, n_letters: usize) {
        let first = self.extensions.len();
        self.length.push(length);
        self.extensions
            .extend(std::iter::repeat_n(Extension::Unseen, n_letters));
        let new = first..self.extensions.len();
        self.unseen.extend(new.map(|e| Reverse((length + 1, e))));
    }

    fn length_of(&self, extension: usize, n_letters: usize) -> usize {
        self.length[extension / n_letters] + 1
    }

    fn n_candidates(&self, extension: usize) -> usize {
        match &self.extensions[extension] {
            Extension::Candidates(candidates) => candidates.len(),
            _ => 0,
        }
    }

    /// Says that an extension has these candidates.
    fn set(&mut self, extension: usize, n_letters: usize, candidates: Vec<u32>) {
        let n_candidates = candidates.len();
        self.extensions[extension] = Extension::Candidates(candidates);
        if n_candidates > 1 {
            self.ambiguous.push(Ambiguous {
                worth: worth(n_candidates, self.length_of(extension, n_letters)),
                extension,
                n_candidates,
            });
        }
    }

    /// The candidates, which are then missing until they are [`set`](Self::set) again.
    fn take(&mut self, extension: usize) -> Option<Vec<u32>> {
        match &mut self.extensions[extension] {
            Extension::Candidates(candidates) => Some(std::mem::take(candidates)),
            _ => None,
        }
    }

    fn next(&mut self, n_basis: usize) -> Option<NextQuestion> {
        while let Some(Reverse((_, extension))) = self.unseen.peek()
            && !matches!(self.extensions[*extension], Extension::Unseen)
        {
            self.unseen.pop();
        }
        while let Some(top) = self.ambiguous.peek()
            && self.n_candidates(top.extension) != top.n_candidates
        {
            self.ambiguous.pop();
        }
        let unseen = self.unseen.peek().map(|Reverse(unseen)| *unseen);
        let ambiguous = self.ambiguous.peek();
        match (unseen, ambiguous) {
            (Some((length, _)), Some(top)) if top.worth > worth(n_basis, length) => {
                Some(NextQuestion::Separate(top.extension))
            }
            (Some((_, extension)), _) => Some(NextQuestion::Extend(extension)),
            (None, top) => top.map(|top| NextQuestion::Separate(top.extension)),
        }
    }
}

impl<O: Clone + Eq, H: Machine<O>> LSharp<O, H> {
    /// Says that answers came in which may show extensions apart from their candidates.
    pub(super) fn look_again(&mut self) {
        self.frontier.is_stale = true;
    }

    /// Applies rules 1 to 3 until none applies.
    pub(super) fn make_adequate_by_letters(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let k = self.notes.answers.n_letters();
        if self.frontier.length.is_empty() {
            self.frontier.add(0, k);
        }
        if self.frontier.is_stale {
            for extension in 0..self.frontier.extensions.len() {
                self.narrow(extension);
            }
            self.frontier.is_stale = false;
        }
        while let Some(next) = self.frontier.next(self.basis.len()) {
            match next {
                NextQuestion::Extend(extension) => self.ask_about(extension, mq)?,
                NextQuestion::Separate(extension) => self.separate_candidates(extension, mq)?,
            }
        }
        Ok(())
    }

    fn node_of(&mut self, extension: usize) -> NodeId {
        let k = self.notes.answers.n_letters();
        let letter = Letter::new(extension % k);
        self.notes.answers.extend(self.basis[extension / k], letter)
    }

    /// Drops candidates that an extension is apart from. If none is left, it becomes a basis state
    /// (rule 1).
    fn narrow(&mut self, extension: usize) {
        let node = self.node_of(extension);
        let k = self.notes.answers.n_letters();
        let Some(mut candidates) = self.frontier.take(extension) else {
            return;
        };
        candidates.retain(|&q| !apart(&self.notes.answers, node, self.basis[q as usize]));
        match candidates.as_slice() {
            [] => self.promote_extension(extension, node),
            [q, ..] => {
                self.target[extension] = Some(StateId::new(*q as usize));
                self.frontier.set(extension, k, candidates);
            }
        }
    }

    fn promote_extension(&mut self, extension: usize, node: NodeId) {
        let k = self.notes.answers.n_letters();
        let q = self.promote(node);
        self.target[extension] = Some(q);
        self.frontier.extensions[extension] = Extension::Basis;
        let length = self.frontier.length_of(extension, k);
        for other in 0..self.frontier.extensions.len() {
            if matches!(self.frontier.extensions[other], Extension::Candidates(_)) {
                let other_node = self.node_of(other);
                if !apart(&self.notes.answers, other_node, node) {
                    let mut candidates = self.frontier.take(other).unwrap_or_default();
                    candidates.push(q.index() as u32);
                    self.frontier.set(other, k, candidates);
                }
            }
        }
        self.frontier.add(length, k);
    }

    /// Rule 2, with the question that tells most of the basis states apart.
    fn ask_about(
        &mut self,
        extension: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let node = self.node_of(extension);
        if self.notes.answers.answer(node).is_none() {
            tell_apart(&mut self.notes.answers, node, &self.basis, mq)?;
            // A longer word may be known without its prefixes, as a counterexample: then it was not run.
            self.notes.answers.ask_one(node, mq)?;
        }
        let candidates = (0..self.basis.len() as u32).collect();
        self.frontier.extensions[extension] = Extension::Candidates(candidates);
        self.narrow(extension);
        Ok(())
    }

    /// Rule 3: one question about the candidates of an extension.
    fn separate_candidates(
        &mut self,
        extension: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), StopReason> {
        let before = self.frontier.n_candidates(extension);
        let Some(candidates) = self.narrowed(extension).filter(|c| c.len() == before) else {
            // What was asked elsewhere told some of them apart: another may be worth more now.
            return Ok(());
        };
        let node = self.node_of(extension);
        tell_apart(&mut self.notes.answers, node, &candidates, mq)?;
        if self
            .narrowed(extension)
            .is_some_and(|left| left.len() == before)
        {
            let (one, other) = (candidates[0], candidates[1]);
            witness_apart(&mut self.notes.answers, node, one, other, mq)?;
            self.narrow(extension);
        }
        Ok(())
    }

    /// Drops candidates that an extension is apart from; the others, if there are two or more.
    fn narrowed(&mut self, extension: usize) -> Option<Vec<NodeId>> {
        self.narrow(extension);
        match &self.frontier.extensions[extension] {
            Extension::Candidates(left) if left.len() > 1 => {
                Some(left.iter().map(|&q| self.basis[q as usize]).collect())
            }
            _ => None,
        }
    }
}

/// Runs a word that goes on after a node as it tells most of these candidates for it apart. With an
/// oracle that runs its target letter by letter, each letter is chosen by the answers before it and
/// the candidates that are left.
fn tell_apart<O: Clone + Eq>(
    answers: &mut AnswerTree<O>,
    node: NodeId,
    candidates: &[NodeId],
    mq: &mut dyn MembershipOracle<Answer = O>,
) -> Result<(), StopReason> {
    if answers.answer(node).is_some() && adaptive_letter(answers, candidates).is_none() {
        return Ok(());
    }
    let front = answers.word(node);
    let mut left = candidates.to_vec();
    let mut last = None;
    let tree = &*answers;
    let mut next = |seen: &[O]| -> Option<Letter> {
        if let (Some(letter), Some(answer)) = (last, seen.last()) {
            left = (left.iter())
                .filter_map(|&n| {
                    let child = tree.child(n, letter)?;
                    let known = tree.answer(child)?;
                    (tree.value(known) == answer).then_some(child)
                })
                .collect();
        }
        last = adaptive_letter(tree, &left);
        last
    };
    let run = mq.ask_stepwise(&front, &mut next)?;
    match run {
        Some((word, outputs)) => answers.record_run(&word, &outputs),
        None => {
            let price = front.len() + RESET;
            let word = best_separator(answers, candidates, true, Some(price));
            let question = answers.extend_by(node, &word.unwrap_or_default());
            answers.ask_one(question, mq)?;
        }
    }
    Ok(())
}

/// Comes nearer to telling a node from one of two that are apart where an adaptive sequence does not: the
/// word that shows them apart may be one of which not all answers are known. If they are, it is too long for one.
fn witness_apart<O: Clone + Eq>(
    answers: &mut AnswerTree<O>,
    node: NodeId,
    left: NodeId,
    right: NodeId,
    mq: &mut dyn MembershipOracle<Answer = O>,
) -> Result<(), StopReason> {
    let Some(word) = witness(answers, left, right) else {
        return Err(StopReason::Contradiction);
    };
    let mut is_known = true;
    for front in [left, right] {
        let end = answers.extend_by(front, &word);
        is_known &= answers.outcome(front, end).is_some();
        answers.ask_outcome(front, end, mq)?;
    }
    if is_known {
        let question = answers.extend_by(node, &word);
        answers.ask_outcome(node, question, mq)?;
    }
    Ok(())
}

//! Where in a counterexample the hypothesis goes wrong.

use crate::answer_tree::NodeId;
use crate::{AnswerTree, MembershipOracle};
use idiolect_automata::{Letter, Moore};
use idiolect_base::StopReason;

/// An index `i` of the counterexample such that the `i`-th transition taken by the hypothesis is
/// wrong: the access word of its source followed by letter `i`, and the access word of its target,
/// are told apart by what follows, `word[i + 1..]`.
///
/// `access[q]` is the access word of state `q`. The answers of `word` and of all access words must
/// be known, and the first must differ from the hypothesis.
pub(crate) fn find_split<O: Clone + Eq>(
    answers: &mut AnswerTree<O>,
    hypothesis: &Moore<O>,
    access: &[NodeId],
    word: &[Letter],
    mq: &mut dyn MembershipOracle<Answer = O>,
) -> Result<usize, StopReason> {
    let mut states = vec![hypothesis.initial()];
    for &a in word {
        states.push(hypothesis.step(states[states.len() - 1], a));
    }
    let front = |i: usize| -> NodeId { access[states[i].index()] };
    let last = answers.answer(front(word.len()));

    // Cut the word anywhere and replace the front by the access word of its state: at cut 0 the
    // target answers as for the whole word, at the last cut as the hypothesis does. Those two
    // differ, so between them the answer flips, and halving finds a flip in log2(len) questions
    // [Rivest & Schapire 1993]. Answers known already come first: they narrow the search for free.
    let (mut low, mut high) = (0, word.len());
    let mut differs = Some(0);
    for i in 1..=word.len() {
        let known = answers.find(front(i), &word[i..]);
        match known.and_then(|n| answers.answer(n)) {
            None => {}
            answer if answer != last => differs = Some(i),
            // Among equally narrow gaps the later one has the shorter suffix.
            _ => {
                if let Some(start) = differs.take().filter(|&start| i - start <= high - low) {
                    (low, high) = (start, i);
                }
            }
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let node = answers.extend_by(front(middle), &word[middle..]);
        if Some(answers.ask_one(node, mq)?) == last {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(low)
}

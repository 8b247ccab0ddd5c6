//! Where in a counterexample the hypothesis goes wrong.

use crate::answer_tree::NodeId;
use crate::{AnswerTree, Machine, MembershipOracle};
use idiolect_automata::{Letter, StateId};
use idiolect_base::StopReason;

/// An index `i` of `word` such that the `i`-th transition taken by the hypothesis is wrong: the
/// access word of its source followed by letter `i`, and the access word of its target, are told
/// apart by what follows, `word[i + 1..]`.
///
/// `states` are the states of the hypothesis before each letter and at the end, and `access[q]` is
/// the access word of state `q`. The answers of `word` from the first state and of all access words
/// must be known, and the first must differ from what the hypothesis answers. Where answers belong
/// to steps, the last step is right and its answer known: it is a step of the hypothesis.
pub(crate) fn find_split<O: Clone + Eq>(
    answers: &mut AnswerTree<O>,
    access: &[NodeId],
    states: &[StateId],
    word: &[Letter],
    mq: &mut dyn MembershipOracle<Answer = O>,
) -> Result<usize, StopReason> {
    let front = |i: usize| -> NodeId { access[states[i].index()] };
    let end = word.len() - usize::from(answers.answers_steps() && !word.is_empty());
    let last = answers.answer_after(front(end), &word[end..]);

    // Cut the word anywhere and replace the front by the access word of its state: at cut 0 the
    // target answers as for the whole word, at the last cut as the hypothesis does. Those two
    // differ, so between them the answer flips, and halving finds a flip in log2(len) questions
    // [Rivest & Schapire 1993]. Answers known already come first: they narrow the search for free.
    let (mut low, mut high) = (0, end);
    let mut differs = Some(0);
    for i in 1..=end {
        match answers.answer_after(front(i), &word[i..]) {
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

/// The states of a machine before each letter of a word and at its end.
pub(crate) fn states_along<O>(machine: &impl Machine<O>, word: &[Letter]) -> Vec<StateId> {
    let mut state = machine.initial();
    let mut states = vec![state];
    states.extend(word.iter().map(|&a| {
        state = machine.step(state, a);
        state
    }));
    states
}

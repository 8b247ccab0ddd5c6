//! What all active learners have in common, and the one loop that drives them.

use crate::{AnswerTree, Counterexample, EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle};
use idiolect_automata::{Moore, Word};
use idiolect_base::StopReason;

/// A learner that asks questions and holds a hypothesis at all times.
///
/// The oracle is lent and not kept. After a stop the learner still holds its last hypothesis and
/// everything it was told; the next call carries on where it stopped.
pub trait Learner<O: Clone + Eq> {
    /// The current model.
    fn hypothesis(&self) -> &Moore<O>;

    /// Finishes work that is still to be done before the hypothesis may be compared: the first
    /// questions of a new learner, or those that a stop cut short.
    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason>;

    /// Learns from a word that the hypothesis gets wrong, until it gets it right.
    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError>;

    /// What the learner has been told.
    fn notes(&self) -> &Notes<O>;
}

/// What a learner was told: the answers, and the counterexamples in the order in which they came.
/// Learners are deterministic, so this is their whole state (see [`crate::Saved`]).
#[derive(Clone, Debug)]
pub struct Notes<O> {
    pub answers: AnswerTree<O>,
    pub counterexamples: Vec<Counterexample<O>>,
}

impl<O: Clone + Eq> Notes<O> {
    pub fn new(n_letters: usize) -> Self {
        Self {
            answers: AnswerTree::new(n_letters),
            counterexamples: Vec::new(),
        }
    }

    /// Checks that this is a counterexample to `hypothesis`, and notes it and its answer.
    pub fn admit(
        &mut self,
        cex: &Counterexample<O>,
        hypothesis: &Moore<O>,
    ) -> Result<(), RefineError> {
        let n_letters = self.answers.n_letters();
        if let Some(a) = cex.word.iter().find(|a| a.index() >= n_letters) {
            return Err(RefineError::UnknownLetter {
                letter: a.index(),
                n_letters,
            });
        }
        if *hypothesis.output_of(&cex.word) == cex.answer {
            return Err(RefineError::NotACounterexample {
                word: cex.word.clone(),
            });
        }
        let node = self.answers.extend_by(crate::answer_tree::ROOT, &cex.word);
        self.answers.record(node, &cex.answer)?;
        if self.counterexamples.last() != Some(cex) {
            self.counterexamples.push(cex.clone());
        }
        Ok(())
    }
}

/// Why a counterexample did not lead to a better hypothesis.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RefineError {
    #[error("the hypothesis already gives this answer for the word {}", show(word))]
    NotACounterexample { word: Word },
    #[error("two different answers were given for the word {}", show(word))]
    Contradiction { word: Word },
    #[error("letter {letter} is not one of the {n_letters} letters of the alphabet")]
    UnknownLetter { letter: usize, n_letters: usize },
    #[error(transparent)]
    Stopped(#[from] StopReason),
}

fn show(word: &Word) -> String {
    let letters: Vec<String> = word.iter().map(|a| a.index().to_string()).collect();
    format!("[{}]", letters.join(" "))
}

/// How a run of [`learn`] ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learned {
    pub guarantee: Guarantee,
    /// Equivalence questions asked, the last one included.
    pub rounds: usize,
}

/// Learns until the equivalence oracle finds no difference.
pub fn learn<O: Clone + Eq>(
    learner: &mut dyn Learner<O>,
    mq: &mut dyn MembershipOracle<Answer = O>,
    eq: &mut dyn EquivalenceOracle<O>,
) -> Result<Learned, RefineError> {
    let mut rounds = 0;
    loop {
        learner.complete(mq)?;
        rounds += 1;
        match eq.compare(learner.hypothesis())? {
            EqAnswer::Agrees(guarantee) => return Ok(Learned { guarantee, rounds }),
            EqAnswer::Differs(cex) => learner.refine(&cex, mq)?,
        }
    }
}

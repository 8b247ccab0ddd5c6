//! What all active learners have in common, and the one loop that drives them.

use crate::{
    AnswerTree, Counterexample, EqAnswer, EquivalenceOracle, Guarantee, Machine, MembershipOracle,
};
use idiolect_automata::{Letter, Moore, Word};
use idiolect_base::{Bug, StopReason};

/// A learner that asks questions and holds a hypothesis at all times.
///
/// The oracle is lent and not kept. After a stop the learner still holds its last hypothesis and
/// everything it was told; the next call carries on where it stopped.
///
/// `H` is the kind of machine that is learned, [`Moore`] unless said otherwise.
pub trait Learner<O: Clone + Eq, H = Moore<O>> {
    /// The current model.
    fn hypothesis(&self) -> &H;

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
    /// How many of them the hypothesis has learned; a stop may leave some to be done.
    pub(crate) finished: usize,
}

impl<O: Clone + Eq> Notes<O> {
    pub fn new(n_letters: usize) -> Self {
        Self::with_answers(AnswerTree::new(n_letters))
    }

    /// Notes of a learner of this kind of machine. Whoever answers steps also answers all prefixes.
    pub(crate) fn of<H: Machine<O>>(n_letters: usize) -> Self {
        Self::with_answers(if H::ANSWERS_STEPS {
            AnswerTree::of_steps(n_letters)
        } else {
            AnswerTree::new(n_letters)
        })
    }

    fn with_answers(answers: AnswerTree<O>) -> Self {
        Self {
            answers,
            counterexamples: Vec::new(),
            finished: 0,
        }
    }

    /// Asks what a machine of one state needs, and makes it.
    pub(crate) fn first<H: Machine<O>>(
        &mut self,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<H, StopReason> {
        let root = crate::answer_tree::ROOT;
        if H::ANSWERS_STEPS {
            let letters = (0..self.answers.n_letters()).map(Letter::new);
            let words: Vec<_> = letters.map(|a| self.answers.extend(root, a)).collect();
            self.answers.ask(&words, mq)?;
        } else {
            self.answers.ask_one(root, mq)?;
        }
        H::of_node(&self.answers, root).ok_or(StopReason::Internal(Bug::NoAnswer))
    }

    /// Checks that this is a counterexample to `hypothesis`, and notes it and its answer.
    pub fn admit(
        &mut self,
        cex: &Counterexample<O>,
        hypothesis: &impl Machine<O>,
    ) -> Result<(), RefineError> {
        let n_letters = self.answers.n_letters();
        if let Some(a) = cex.word.iter().find(|a| a.index() >= n_letters) {
            return Err(RefineError::UnknownLetter {
                letter: a.index(),
                n_letters,
            });
        }
        // Without steps there is nothing to be wrong about.
        if (hypothesis.answer(&cex.word)).is_none_or(|answer| *answer == cex.answer) {
            return Err(RefineError::NotACounterexample {
                word: cex.word.clone(),
            });
        }
        let node = self.answers.extend_by(crate::answer_tree::ROOT, &cex.word);
        if self.answers.answer(node).is_none() {
            self.answers.note_bare(node);
        }
        self.answers.record(node, &cex.answer)?;
        if self.counterexamples.last() != Some(cex) {
            self.counterexamples.push(cex.clone());
        }
        self.finished = self.finished.min(self.counterexamples.len() - 1);
        Ok(())
    }

    /// The first counterexample that this hypothesis has not learned.
    pub(crate) fn unlearned(&mut self, hypothesis: &impl Machine<O>) -> Option<Counterexample<O>> {
        while let Some(cex) = self.counterexamples.get(self.finished) {
            if hypothesis.answer(&cex.word) != Some(&cex.answer) {
                return Some(cex.clone());
            }
            self.finished += 1;
        }
        None
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
pub fn learn<O: Clone + Eq, H>(
    learner: &mut dyn Learner<O, H>,
    mq: &mut dyn MembershipOracle<Answer = O>,
    eq: &mut dyn EquivalenceOracle<O, H>,
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

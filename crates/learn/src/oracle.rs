//! The two questions a learner may ask, and what an answer to the second one is worth.

use crate::Pattern;
use idiolect_automata::{Letter, Moore, Word};
use idiolect_base::{Bug, StopReason};
use std::cell::RefCell;

/// A word that was chosen on the way, and the answers to its letters.
pub type Stepped<A> = (Word, Vec<A>);

/// Answers questions about one fixed target; the same word always gets the same answer.
pub trait MembershipOracle {
    /// `bool` for a language, anything else for a Moore machine; for a Mealy machine the output of
    /// the last step.
    type Answer: Clone + Eq;

    /// One answer per word, in the order of `words`.
    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason>;

    /// As [`ask`](Self::ask), with the answers of all prefixes where they come for free: entry
    /// `i` of a trace is the answer of the first `i` letters, and the last entry is always there.
    ///
    /// An oracle that *runs* its target sees every prefix on the way and should give them all (and
    /// say so, see [`gives_prefixes`](Self::gives_prefixes)); one that solves a formula for each
    /// word cannot, and keeps this default.
    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        let answers = self.ask(words)?;
        Ok(words
            .iter()
            .zip(answers)
            .map(|(word, answer)| {
                let mut trace = vec![None; word.len()];
                trace.push(Some(answer));
                trace
            })
            .collect())
    }

    /// As [`ask_traces`](Self::ask_traces), with the answers told one after the other, so that an oracle
    /// that has them at hand need not copy them: `tell(i, n, answer)` is the answer of the first
    /// `n` letters of word `i`. The answer of the word itself is always told; those of prefixes shorter
    /// than `known[i]` need not be.
    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &Self::Answer),
    ) -> Result<(), StopReason> {
        let traces = self.ask_traces(words)?;
        for (i, (trace, &known)) in traces.iter().zip(known).enumerate() {
            for (n, answer) in trace.iter().enumerate().skip(known) {
                if let Some(answer) = answer {
                    tell(i, n, answer);
                }
            }
        }
        Ok(())
    }

    /// Whether [`ask_traces`](Self::ask_traces) answers all prefixes. L# then asks longer and
    /// fewer words.
    fn gives_prefixes(&self) -> bool {
        false
    }

    /// Runs one word whose letters are chosen on the way: `front` first, then what `next` says, which
    /// is given all answers so far, until it says nothing. The word and the answers to its letters.
    ///
    /// Only an oracle that runs its target letter by letter can do this; the others keep this
    /// default and answer `None`, without having called `next`.
    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[Self::Answer]) -> Option<Letter>,
    ) -> Result<Option<Stepped<Self::Answer>>, StopReason> {
        let _ = (front, next);
        Ok(None)
    }

    /// What this oracle found out about many words at once since it was last asked for it, for a
    /// cache around it to keep. An oracle that knows no such thing keeps this default.
    fn take_patterns(&mut self) -> Vec<Pattern<Self::Answer>> {
        Vec::new()
    }
}

/// The answers of the prefixes of a word, from the empty one to the word itself.
pub type Trace<A> = Vec<Option<A>>;

impl<M: MembershipOracle + ?Sized> MembershipOracle for &mut M {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason> {
        (**self).ask(words)
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        (**self).ask_traces(words)
    }

    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &Self::Answer),
    ) -> Result<(), StopReason> {
        (**self).tell_traces(words, known, tell)
    }

    fn gives_prefixes(&self) -> bool {
        (**self).gives_prefixes()
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[Self::Answer]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<Self::Answer>)>, StopReason> {
        (**self).ask_stepwise(front, next)
    }

    fn take_patterns(&mut self) -> Vec<Pattern<Self::Answer>> {
        (**self).take_patterns()
    }
}

/// An oracle that a learner and an equivalence oracle share.
impl<M: MembershipOracle> MembershipOracle for &RefCell<M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason> {
        borrow(self)?.ask(words)
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        borrow(self)?.ask_traces(words)
    }

    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &Self::Answer),
    ) -> Result<(), StopReason> {
        borrow(self)?.tell_traces(words, known, tell)
    }

    fn gives_prefixes(&self) -> bool {
        self.try_borrow().is_ok_and(|m| m.gives_prefixes())
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[Self::Answer]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<Self::Answer>)>, StopReason> {
        borrow(self)?.ask_stepwise(front, next)
    }

    fn take_patterns(&mut self) -> Vec<Pattern<Self::Answer>> {
        borrow(self).map_or_else(|_| Vec::new(), |mut m| m.take_patterns())
    }
}

/// An oracle that asks itself gets no answer.
fn borrow<M>(cell: &RefCell<M>) -> Result<std::cell::RefMut<'_, M>, StopReason> {
    cell.try_borrow_mut()
        .map_err(|_| StopReason::Internal(Bug::NoAnswer))
}

/// Compares a hypothesis with the target.
///
/// `H` is the kind of machine, [`Moore`] unless said otherwise. For a Mealy machine, the word had best
/// end with the first output that differs.
pub trait EquivalenceOracle<O, H = Moore<O>> {
    /// A word on which the two differ, or what is known about there being none.
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<O>, StopReason>;
}

impl<O, H, E: EquivalenceOracle<O, H> + ?Sized> EquivalenceOracle<O, H> for Box<E> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<O>, StopReason> {
        (**self).compare(hypothesis)
    }
}

impl<O, H, E: EquivalenceOracle<O, H> + ?Sized> EquivalenceOracle<O, H> for &mut E {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<O>, StopReason> {
        (**self).compare(hypothesis)
    }
}

/// The answer to an equivalence query.
#[derive(Clone, PartialEq, Debug)]
pub enum EqAnswer<O = bool> {
    Differs(Counterexample<O>),
    Agrees(Guarantee),
}

/// A word and the *target's* answer to it, which is not that of the hypothesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<O = bool> {
    pub word: Word,
    pub answer: O,
}

/// What an equivalence oracle has shown when it found no difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guarantee {
    /// There is no difference.
    Proved,
    /// No word of at most this length tells the two apart.
    UpToLength(usize),
    /// There is no difference if the target has at most this many states.
    UpToStates(usize),
    /// Wrong on at most `epsilon` of the sampled distribution, with confidence `delta`
    /// (as in the PAC-MAN paper, where delta is near 1).
    Pac {
        epsilon: f64,
        delta: f64,
        samples: u64,
    },
    /// So many words were tried, which promises nothing.
    Tested { words: u64 },
}

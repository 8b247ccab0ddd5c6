//! A plain function as an oracle.

use crate::MembershipOracle;
use idiolect_automata::{Letter, Word};
use idiolect_base::StopReason;

/// Answers with a function from words to answers.
///
/// ```
/// use idiolect_automata::Letter;
/// use idiolect_learn::{FnOracle, KearnsVazirani, Learner, WpMethod, learn};
/// // Words with as many 0s as 1s so far never more than two apart are balanced.
/// let balanced = |word: &[Letter]| {
///     let mut sum = 0i32;
///     word.iter().all(|a| {
///         sum += if a.0 == 0 { 1 } else { -1 };
///         sum.abs() <= 2
///     })
/// };
/// let mut mq = FnOracle::new(balanced);
/// let mut learner = KearnsVazirani::new(2, &mut mq)?;
/// learn(&mut learner, &mut mq, &mut WpMethod::new(FnOracle::new(balanced), 2))?;
/// assert_eq!(learner.hypothesis().n_states(), 6);
/// # Ok::<(), idiolect_learn::RefineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FnOracle<F> {
    answer: F,
}

impl<F> FnOracle<F> {
    pub fn new<A>(answer: F) -> Self
    where
        F: FnMut(&[Letter]) -> A,
    {
        Self { answer }
    }
}

impl<A: Clone + Eq, F: FnMut(&[Letter]) -> A> MembershipOracle for FnOracle<F> {
    type Answer = A;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<A>, StopReason> {
        Ok(words.iter().map(|word| (self.answer)(word)).collect())
    }
}

//! Words that nobody could decide, and the smallest automaton that agrees with all others.
//!
//! A word that no run within the bound on loops has may still have a run beyond it. It is *decided* if it
//! has a run within the bound, or if no run that the bound cuts had a prefix of it as its word so far:
//! then no run has it at all. Words that are not decided, and words beyond the bound on letters, may be
//! accepted or not. (The paper's outlook, §9, calls for such a "don't care".) Counting up to the bound is
//! then no part of the answer: four states say what ten did.
//!
//! The automaton is found by example: the smallest one for some accepted and some rejected words
//! (`consistent.rs`) is compared with all decided words, and a word that tells them apart is the next
//! example. Since examples are only a part of what is decided, the first one that passes is a smallest.

use crate::consistent::{Apart, Sample, consistent};
use crate::session::{Bounds, Session, is_bound};
use crate::sets::SetAnswer;
use crate::teacher::Teacher;
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::StopReason;
use idiolect_smt::{Evaluator, Outcome, TermId};
use idiolect_symex::EndKind;
use idiolect_symex::events::Words;

/// Automata of more states than this are left as they are: looking for smaller ones takes long.
const MAX_STATES: usize = 9;
/// Examples, and words that are found undecided, before the search is given up.
const MAX_EXAMPLES: usize = 400;
/// Words that are looked at one by one where they cannot be looked at all at once.
const MAX_WORDS: usize = 2_000;
/// Letters of all examples together.
const MAX_NODES: usize = 400;

/// Which words are not decided. A letter that every word has stays one that every word has.
struct Undecided {
    /// Of runs that the bound cuts.
    cut: Words,
    /// Words of cut runs that were met.
    known: Vec<Word>,
}

impl Session<'_> {
    /// A smallest automaton that agrees with this one on all decided words; `None` if none has fewer states
    /// than `n_strict`, its sink not counted, or if it would take too long to find.
    pub(crate) fn smallest(
        &mut self,
        strict: &Dfa,
        n_strict: usize,
        bounds: &Bounds,
    ) -> Result<Option<Dfa>, StopReason> {
        self.teacher.set_unwind(bounds.unwind);
        let mut undecided = Undecided::new(&mut self.teacher);
        let mut sample = Sample::default();
        sample.accepted.extend(shortest(strict, bounds.word_length));
        let n_letters = strict.n_letters();
        let is_dominating = strict.trim().dominating_letters();
        let dominating: Vec<Letter> = (strict.letters())
            .filter(|letter| is_dominating.get(letter.index()) == Some(&true))
            .collect();
        // Where bounds have settled, the promise that no run is missed goes up to the largest ones.
        let longest = if bounds.converged {
            self.options().max_word_length
        } else {
            bounds.word_length
        };
        let mut k = 1;
        loop {
            let n_examples = sample.accepted.len() + sample.rejected.len() + undecided.known.len();
            let words = sample.accepted.iter().chain(&sample.rejected);
            let n_nodes: usize = words.map(Vec::len).sum();
            if n_examples > MAX_EXAMPLES || n_nodes > MAX_NODES {
                return Ok(None);
            }
            let apart = Apart::new(&sample);
            k = apart.lower_bound().max(k);
            if k >= n_strict || k > MAX_STATES {
                return Ok(None);
            }
            let Some(found) = consistent(&apart, n_letters, k, self.teacher.budget)? else {
                k += 1;
                continue;
            };
            if let Some(word) = shortest(&strict.difference(&found), longest) {
                sample.accepted.push(word);
                continue;
            }
            // What every word has is what an automaton is looked at for: it is kept.
            let kept = dominating.iter().find_map(|&letter| {
                let lacking = found.difference(&with_letter(n_letters, letter)).minimize();
                shortest(&lacking, bounds.word_length)
            });
            if let Some(word) = kept {
                sample.rejected.push(word);
                continue;
            }
            let more = found.difference(strict).minimize();
            match (self.teacher).least_decided(&more, bounds.word_length, &mut undecided)? {
                Least::Decided(word) | Least::NotLookedAt(word) => sample.rejected.push(word),
                Least::None => return Ok(Some(found)),
            }
        }
    }

    /// The least word of up to the largest length that the automaton accepts although no run has it, whatever the
    /// bound.
    pub(crate) fn accepted_for_nothing(&mut self, dfa: &Dfa) -> Result<Least, StopReason> {
        let max_length = self.options().max_word_length;
        (self.teacher.symbolic).make_room(max_length, self.teacher.budget)?;
        let mut undecided = Undecided::new(&mut self.teacher);
        (self.teacher).least_decided(dfa, max_length, &mut undecided)
    }

    /// Whether the bounds decide the word: some run within them has it, or no run has it at all.
    pub fn is_decided(&mut self, word: &[Letter], bounds: &Bounds) -> Result<bool, StopReason> {
        if word.len() > bounds.word_length {
            return Ok(false);
        }
        self.teacher.set_unwind(bounds.unwind);
        if self.teacher.is_member(word)? {
            return Ok(true);
        }
        let undecided = Undecided::new(&mut self.teacher);
        Ok(self.teacher.cut_prefix(word, &undecided.cut)?.is_none())
    }
}

impl Undecided {
    fn new(teacher: &mut Teacher<'_>) -> Self {
        let unwind = teacher.unwind;
        let cut = Words::of_ends(&mut teacher.symbolic.encoding, |end| match &end.kind {
            EndKind::Bound(level, _) => *level as usize == unwind,
            EndKind::OwnBound(_) => true,
            EndKind::Trap(gap) => is_bound(gap),
            _ => false,
        });
        let known = Vec::new();
        Self { cut, known }
    }
}

/// An accepted word of which no run within the bound is known.
pub(crate) enum Least {
    /// There is none but words that may have a run beyond the bound.
    None,
    /// No run has this one at all, and it is the least such word.
    Decided(Word),
    /// All words before this one are as they should be; what comes after it was not looked at.
    NotLookedAt(Word),
}

impl Teacher<'_> {
    /// The least word that an automaton accepts although it is decided that no run has it.
    fn least_decided(
        &mut self,
        dfa: &Dfa,
        max_length: usize,
        undecided: &mut Undecided,
    ) -> Result<Least, StopReason> {
        for (i, word) in dfa.accepted_words().enumerate() {
            self.budget.look()?;
            if word.len() > max_length {
                break;
            }
            if i == self.one_by_one {
                match self.all_may_have_runs(dfa, &undecided.cut, max_length)? {
                    SetAnswer::AllHaveRuns => break,
                    SetAnswer::Without(word) => return Ok(Least::Decided(word)),
                    SetAnswer::GaveUp => {}
                }
            }
            if i > MAX_WORDS {
                return Ok(Least::NotLookedAt(word));
            }
            let mut known = undecided.known.iter();
            if known.any(|prefix| word.starts_with(prefix)) || self.is_member(&word)? {
                continue;
            }
            match self.cut_prefix(&word, &undecided.cut)? {
                None => return Ok(Least::Decided(word)),
                Some(prefix) => undecided.known.push(prefix),
            }
        }
        Ok(Least::None)
    }

    /// The shortest prefix of the word that is all that a cut run had. `None` means that no run has the
    /// word, whatever the bound, if none within the bound has it.
    pub(crate) fn cut_prefix(
        &mut self,
        word: &[Letter],
        cut: &Words,
    ) -> Result<Option<Word>, StopReason> {
        let events = match self.vocabulary.assert() {
            None => word,
            Some(assert) => match word.split_last() {
                Some((&last, events)) if last == assert && !events.contains(&assert) => events,
                // No run at all has such a word.
                _ => return Ok(None),
            },
        };
        if !self.flow.accepts(word) {
            return Ok(None);
        }
        let mut by_length = Vec::new();
        for n in 0..=events.len() {
            let Some(literals) = cut.member(&events[..n]) else {
                break;
            };
            by_length.push(self.symbolic.encoding.terms.and_all(&literals));
        }
        let any = self.symbolic.any(&by_length);
        let mut question: Vec<TermId> = self.symbolic.encoding.bound(self.unwind);
        question.push(any);
        match self.symbolic.ask(&question, self.budget) {
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(model) => {
                let mut evaluator = Evaluator::new(&self.symbolic.encoding.terms, &model);
                let n = by_length.iter().position(|&t| evaluator.eval_bool(t));
                Ok(Some(events[..n.unwrap_or(events.len())].to_vec()))
            }
        }
    }
}

/// All words that have this letter.
fn with_letter(n_letters: usize, letter: Letter) -> Dfa {
    Dfa::from_fn(n_letters, &[false, true], |q, a| {
        q.max(usize::from(a == letter))
    })
}

/// The least accepted word, if it is not too long.
fn shortest(dfa: &Dfa, max_length: usize) -> Option<Word> {
    let mut words = dfa.accepted_words();
    words.next().filter(|word| word.len() <= max_length)
}

//! Is this automaton the language? With shortest counterexamples first.
//!
//! Positive feedback (a failing run whose word is rejected) is one question to the solver. Negative
//! feedback (an accepted word that no failing run has) goes through the first accepted words, shortest
//! first; most of them are known already. If there are many, the rest is asked about at once
//! (`sets.rs`).
//!
//! [`Promise::Paper`] is Theorem 4.1 of the paper: only words that the program itself comes near are
//! looked at, by passing the assertion with this word (Figure 9, line 8) or by exiting on the way
//! (the trap of Figure 11). Of the trap's misprints two are mended: its automaton starts anew for
//! each candidate, and words of exactly the longest length are looked at. A third one is mended by
//! asking: a word that is merely not *known* to be in the language is no counterexample, so it is
//! asked for first. [`Promise::Exact`] looks at all accepted words.

use crate::sets::SetAnswer;
use crate::teacher::Teacher;
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::StopReason;
use idiolect_learn::Counterexample;
use idiolect_smt::{Outcome, TermId};

/// What is promised of a learned automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promise {
    /// Up to the bounds, a word is accepted exactly if some run has it.
    #[default]
    Exact,
    /// Up to the bounds, a run's word is accepted exactly if it fails.
    Paper,
}

/// So many accepted words are asked about one by one where they cannot be asked about all at once; beyond
/// that, the promise is for shorter words.
const MAX_WORDS: usize = 20_000;

/// So many times more words are asked about one by one where runs are put together from others.
const MORE_WORDS: usize = 16;

/// How a conjecture compares with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Differs(Counterexample),
    /// All runs were looked at, and accepted words up to this length.
    Agrees {
        checked_length: usize,
    },
}

impl Teacher<'_> {
    /// Compares for words up to this length, the failing assertion included, with the present
    /// bound on loops.
    pub(crate) fn compare(
        &mut self,
        dfa: &Dfa,
        max_length: usize,
        promise: Promise,
    ) -> Result<Comparison, StopReason> {
        if let Some(word) = self.rejected_run(dfa, max_length)? {
            let answer = true;
            return Ok(Comparison::Differs(Counterexample { word, answer }));
        }
        self.accepted_without_run(dfa, max_length, promise)
    }

    /// The least word of a run that the automaton rejects: shortest, then by letters. So what a
    /// learner is told depends on the program and the automaton, and on nobody's luck.
    pub(crate) fn rejected_run(
        &mut self,
        dfa: &Dfa,
        max_length: usize,
    ) -> Result<Option<Word>, StopReason> {
        let last = self.vocabulary.assert();
        let Some(max_events) = max_length.checked_sub(usize::from(last.is_some())) else {
            return Ok(None);
        };
        self.symbolic.make_room(max_events, self.budget)?;
        self.longest = max_length;
        self.look_for_words(max_length)?;
        let by_length = self.symbolic.rejected(dfa, last, max_events);
        let known = self
            .members(self.unwind)
            .map(|(word, _)| word)
            .filter(|w| w.len() <= max_length && !dfa.accepts(w))
            .min_by_key(|w| (w.len(), *w))
            .cloned();
        let found = match known {
            Some(word) => Some(word),
            None => {
                let any = self.symbolic.any(&by_length);
                self.run_with(&[any])?
            }
        };
        let Some(mut found) = found else {
            return Ok(None);
        };
        // Any shorter one?
        let mut n_events = found.len() - usize::from(last.is_some());
        for (n, &shorter) in by_length.iter().enumerate().take(n_events) {
            if let Some(word) = self.run_with(&[shorter])? {
                (found, n_events) = (word, n);
                break;
            }
        }
        // Any with a smaller letter, from the first one on?
        let mut question = vec![by_length[n_events]];
        for position in 0..n_events {
            loop {
                let smaller: Vec<TermId> = (0..found[position].index())
                    .filter_map(|a| self.symbolic.letter_literal(position, Letter::new(a)))
                    .collect();
                let any = self.symbolic.any(&smaller);
                question.push(any);
                let better = self.run_with(&question)?;
                question.pop();
                match better {
                    Some(word) => found = word,
                    None => break,
                }
            }
            question.extend(self.symbolic.letter_literal(position, found[position]));
        }
        Ok(Some(found))
    }

    /// The word of a run with all of these properties.
    fn run_with(&mut self, properties: &[TermId]) -> Result<Option<Word>, StopReason> {
        let mut question = self.symbolic.encoding.bound(self.unwind);
        question.extend(properties);
        match self.symbolic.ask_for_run(&question, self.budget) {
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(model) => self.word_of(&model),
        }
    }

    fn accepted_without_run(
        &mut self,
        dfa: &Dfa,
        max_length: usize,
        promise: Promise,
    ) -> Result<Comparison, StopReason> {
        for (i, word) in dfa.accepted_words().enumerate() {
            if word.len() > max_length {
                break;
            }
            // Where runs are put together, most words cost less than a lesson of a strategy.
            let one_by_one = if self.is_expensive() {
                self.one_by_one * MORE_WORDS
            } else {
                self.one_by_one
            };
            if i == one_by_one && promise == Promise::Exact {
                match self.all_have_runs(dfa, word.len(), max_length)? {
                    SetAnswer::AllHaveRuns => break,
                    SetAnswer::GaveUp => {}
                    SetAnswer::Without(word) => {
                        let answer = false;
                        return Ok(Comparison::Differs(Counterexample { word, answer }));
                    }
                }
            }
            if i == MAX_WORDS {
                let checked_length = word.len() - 1;
                return Ok(Comparison::Agrees { checked_length });
            }
            if self.is_member(&word)? {
                continue;
            }
            if promise == Promise::Exact || self.comes_near(&word)? {
                let answer = false;
                return Ok(Comparison::Differs(Counterexample { word, answer }));
            }
        }
        Ok(Comparison::Agrees {
            checked_length: max_length,
        })
    }

    /// Whether some run has this word without failing there, or exits on the way to it.
    fn comes_near(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        let events: Word = match self.vocabulary.assert() {
            Some(assert) => word.iter().copied().take_while(|&a| a != assert).collect(),
            None => word.to_vec(),
        };
        self.symbolic.make_room(events.len(), self.budget)?;
        let mut near = vec![self.symbolic.exits_on_the_way(&events)];
        if events.len() == word.len() {
            let literals = self.symbolic.prefix_literals(&events);
            near.push(self.symbolic.encoding.terms.and_all(&literals));
        }
        let any = self.symbolic.any(&near);
        let mut question = self.symbolic.encoding.bound(self.unwind);
        question.push(any);
        match self.symbolic.ask(&question, self.budget) {
            Outcome::Sat(_) => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

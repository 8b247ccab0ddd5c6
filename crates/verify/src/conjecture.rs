//! What is asked of a conjecture before it is compared with runs.

use crate::outcome::FoundBy;
use crate::session::{Session, Stop, error};
use crate::teacher::outcomes;
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::{Rng, StopReason};
use idiolect_ir::Property;
use idiolect_learn::Counterexample;
use idiolect_search::Doubt;
use idiolect_search::runs::{Sample, is_error};
use idiolect_symex::{EndKind, bmc};

/// Work for a path that leads to an error: it is worth more than others.
const ERROR_EFFORT: u64 = 20_000_000;
/// Work to look for faults on the path of a sample.
const FAULT_EFFORT: u64 = 200_000;
/// Words of runs that assumptions end before an error; with more we give up.
const MAX_CLEARED: usize = 200;
/// Random words of models have their own streams of randomness.
const WALK_STREAM: u64 = 1 << 56;
/// The decisions of a program need not be regular: after so many corrections a model may have words
/// that no run takes, and the guarantee does not speak of them.
const MAX_WALKS_REFUTED: u64 = 60;
/// Nor does it where questions are too hard to be decided.
const MAX_GIVEN_UP: u64 = 10;

impl Session<'_> {
    /// Feasible vectors are prefix-closed, so a conjecture that is not is wrong: with a word that it
    /// accepts and a prefix that it does not, one of the two is a counterexample.
    pub(crate) fn not_prefix_closed(&mut self, c: &Dfa) -> Result<Option<Counterexample>, Stop> {
        let live = c.live_states();
        let access = c.access_words();
        let mut best: Option<Word> = None;
        for state in c.states() {
            if c.is_accepting(state) || !live[state.index()] {
                continue;
            }
            if let Some(word) = &access[state.index()]
                && best.as_ref().is_none_or(|b| word.len() < b.len())
            {
                best = Some(word.clone());
            }
        }
        let Some(rejected) = best else {
            return Ok(None);
        };
        let from = c.run(c.initial(), &rejected);
        let Some(rest) = c.least_word_to(from, |q| c.is_accepting(q)) else {
            return Ok(None);
        };
        let longer: Word = rejected.iter().chain(&rest).copied().collect();
        Ok(Some(if self.teacher.is_feasible(&rejected)? {
            Counterexample {
                word: rejected,
                answer: true,
            }
        } else {
            Counterexample {
                word: longer,
                answer: false,
            }
        }))
    }

    /// The two tests of §4.2. A word that leads to an error and that a run takes is an error; one
    /// that no run takes is a counterexample.
    pub(crate) fn error_word(&mut self, conjecture: &Dfa) -> Result<Option<Counterexample>, Stop> {
        for which in 0..self.errors.len() {
            if let Some(cex) = self.error_word_of(which, conjecture)? {
                return Ok(Some(cex));
            }
        }
        Ok(None)
    }

    pub(crate) fn error_word_of(
        &mut self,
        which: usize,
        conjecture: &Dfa,
    ) -> Result<Option<Counterexample>, Stop> {
        loop {
            let longest = self.config.max_decisions;
            let counts = &mut self.statistics.tests;
            let errors = &self.errors[which];
            let found = errors.in_conjecture(conjecture, longest, counts, self.budget)?;
            let Some(word) = found else {
                return Ok(None);
            };
            if self.teacher.decide(&word)? == Some(false) {
                let word = self.shortest_refuted(conjecture, word)?;
                return Ok(Some(Counterexample {
                    word,
                    answer: false,
                }));
            }
            match self.run_of(which, &word) {
                Ok(Some(inputs)) => {
                    let run = self.replay(&inputs)?;
                    if is_error(&run, &self.config.properties) {
                        return Err(error(FoundBy::Model, run));
                    }
                    // A label behind the last decision may have been missed because of an
                    // assumption; an error must not.
                    if which < usize::from(self.has_assertion) {
                        return Err(Stop::Doubt(Doubt::Unconfirmed));
                    }
                }
                Ok(None) => {}
                Err(StopReason::Steps | StopReason::Memory) => {
                    let decisions = outcomes(&word);
                    return Err(Stop::Doubt(Doubt::HardPath { decisions }));
                }
                Err(reason) => return Err(reason.into()),
            }
            let errors = &mut self.errors[which];
            if errors.n_cleared() >= MAX_CLEARED {
                return Err(Stop::Doubt(Doubt::Assumptions));
            }
            errors.clear(word);
        }
    }

    /// Inputs of a run that takes the word. For assertions, of one that goes on to the error:
    /// sequential edges lead there from the last decision.
    pub(crate) fn run_of(
        &mut self,
        which: usize,
        word: &[Letter],
    ) -> Result<Option<Vec<u128>>, StopReason> {
        let decisions = outcomes(word);
        if which < usize::from(self.has_assertion) {
            let is_error_end = |kind: &EndKind| matches!(kind, EndKind::Error(_));
            return self.teacher.run_to(&decisions, is_error_end, ERROR_EFFORT);
        }
        match self.teacher.inputs_of(&decisions)? {
            None => Err(StopReason::Steps),
            found => Ok(found),
        }
    }

    /// No decision leads to a fault, so the two tests say nothing of it: nearly every word leads past
    /// some place that faults with other values. Instead the path of a sample is asked whether other
    /// inputs on it come to a fault. The guarantee does not depend on it.
    pub(crate) fn fault_on_path(&mut self, sample: &Sample) -> Result<(), Stop> {
        let properties = &self.config.properties;
        if properties.iter().all(|&p| p == Property::Assert) {
            return Ok(());
        }
        let word = sample.word();
        if !self.asked_paths.insert(word.clone()) {
            return Ok(());
        }
        let is_wanted =
            |kind: &EndKind| matches!(kind, EndKind::Fault(_)) && bmc::is_error(kind, properties);
        match self.teacher.run_to(&word, is_wanted, FAULT_EFFORT) {
            Ok(Some(inputs)) => {
                let run = self.replay(&inputs)?;
                if is_error(&run, &self.config.properties) {
                    Err(error(FoundBy::Sampling, run))
                } else {
                    Ok(())
                }
            }
            Ok(None) | Err(StopReason::Steps | StopReason::Memory) => Ok(()),
            Err(reason) => Err(reason.into()),
        }
    }

    /// Samples are feasible, so they never show that a model has too many words, and without an error
    /// to look for nothing else does. Then q_i random words of the model itself are asked for.
    pub(crate) fn is_two_sided(&self) -> bool {
        self.errors.is_empty()
            && self.statistics.model_words_refuted < MAX_WALKS_REFUTED
            && self.teacher.statistics().given_up < MAX_GIVEN_UP
    }

    pub(crate) fn infeasible_word(
        &mut self,
        conjecture: &Dfa,
        question: u32,
    ) -> Result<Option<Counterexample>, Stop> {
        if !self.is_two_sided() {
            return Ok(None);
        }
        let longest = (2 * conjecture.n_states()).clamp(4, self.config.max_decisions) as u64;
        for _ in 0..self.needed(question)? {
            let mut rng = Rng::new(self.config.seed, WALK_STREAM + self.walks);
            self.walks += 1;
            let word = walk(conjecture, 1 + rng.below(longest), &mut rng);
            if self.teacher.decide(&word)? == Some(false) {
                let word = self.shortest_refuted(conjecture, word)?;
                let answer = false;
                return Ok(Some(Counterexample { word, answer }));
            }
        }
        Ok(None)
    }

    /// The shortest prefix of an infeasible word that is infeasible and that the conjecture accepts:
    /// a shorter counterexample teaches the same and costs less.
    pub(crate) fn shortest_refuted(&mut self, conjecture: &Dfa, word: Word) -> Result<Word, Stop> {
        let (mut feasible, mut infeasible) = (0, word.len());
        while infeasible - feasible > 1 {
            let middle = feasible.midpoint(infeasible);
            if self.teacher.is_feasible(&word[..middle])? {
                feasible = middle
            } else {
                infeasible = middle
            }
        }
        let accepted = (infeasible..=word.len()).find(|&n| conjecture.accepts(&word[..n]));
        Ok(word[..accepted.unwrap_or(word.len())].to_vec())
    }
}

/// A random walk through accepting states, of at most so many letters.
fn walk(conjecture: &Dfa, length: u64, rng: &mut Rng) -> Word {
    let mut word = Word::new();
    let mut state = conjecture.initial();
    for _ in 0..length {
        let next: Vec<Letter> = (conjecture.letters())
            .filter(|&a| conjecture.is_accepting(conjecture.step(state, a)))
            .collect();
        if next.is_empty() {
            break;
        }
        let letter = next[rng.below(next.len() as u64) as usize];
        word.push(letter);
        state = conjecture.step(state, letter);
    }
    word
}

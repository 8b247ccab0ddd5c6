//! One word: does the program have it, and if not, what stands in the way?

use crate::session::Session;
use crate::symbolic::Symbolic;
use crate::witness::WordWitness;
use idiolect_automata::Letter;
use idiolect_base::StopReason;
use idiolect_ir::Location;
use idiolect_smt::{Outcome, TermId};
use idiolect_symex::Config;

/// The answer to a question about one word.
#[derive(Clone, Debug)]
pub enum WordAnswer {
    Member(Box<WordWitness>),
    NotMember(Blocked),
}

/// Where a word leaves the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// Some run has this many letters of the word; if they are all, it cannot end there as wanted.
    pub position: usize,
    pub why: Reason,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Words of errors end with the failing assertion, which they have once.
    Shape,
    /// No path of the control-flow graph goes on like this.
    ControlFlow,
    /// These branches cannot come out as the word needs them; the list is as short as possible.
    Conditions(Vec<Location>),
    /// Only runs beyond the bound on loops may have the word.
    Bound,
    /// The solver found no reason among branches: what is computed excludes it.
    Data,
}

impl Session<'_> {
    /// Asks about one word, with the largest bound.
    pub fn ask_word(&mut self, word: &[Letter]) -> Result<WordAnswer, StopReason> {
        self.teacher.set_unwind(self.options().max_unwind);
        if self.teacher.is_member(word)?
            && let Some(witness) = self.witness(word)
        {
            return Ok(WordAnswer::Member(Box::new(witness)));
        }
        self.blocked(word).map(WordAnswer::NotMember)
    }

    fn blocked(&mut self, word: &[Letter]) -> Result<Blocked, StopReason> {
        let assert = self.teacher.vocabulary.assert();
        let first_assert = word.iter().position(|&a| Some(a) == assert);
        let events = &word[..first_assert.unwrap_or(word.len())];
        self.teacher
            .symbolic
            .make_room(events.len(), self.teacher.budget)?;
        let mut position = 0;
        while position < events.len() && self.has_prefix(&events[..position + 1])? {
            position += 1;
        }
        let is_misshapen = assert.is_some() && first_assert != Some(word.len().saturating_sub(1));
        let why = if position == events.len() && is_misshapen {
            Reason::Shape
        } else if self.teacher.flow.longest_prefix(word) <= position {
            Reason::ControlFlow
        } else {
            self.reason(events, position)?
        };
        Ok(Blocked { position, why })
    }

    fn has_prefix(&mut self, events: &[Letter]) -> Result<bool, StopReason> {
        let teacher = &mut self.teacher;
        let mut question = teacher.symbolic.encoding.bound(teacher.unwind);
        question.extend(teacher.symbolic.prefix_literals(events));
        match teacher.symbolic.ask(&question, teacher.budget) {
            Outcome::Sat(_) => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// Encodes the program once more with conditions that may be dropped, and asks which of them
    /// are needed to exclude the word.
    fn reason(&mut self, events: &[Letter], position: usize) -> Result<Reason, StopReason> {
        let budget = self.teacher.budget;
        let config = Config {
            relax_conditions: true,
            max_word: events.len(),
            // Further than the bound, so that the bound is an assumption that can be dropped. Each
            // round that matters here has an event.
            unwind: self.teacher.unwind.max(events.len()) + 1,
            ..self.teacher.symbolic.config.clone()
        };
        let target = self.teacher.symbolic.target().clone();
        let mut relaxed = Symbolic::new(self.program().clone(), &target, config, budget)?;
        let word = if position == events.len() {
            relaxed.word_literals(events)
        } else {
            relaxed.prefix_literals(&events[..=position])
        };
        let bound = relaxed.encoding.bound(self.teacher.unwind);
        let conditions = relaxed.encoding.conditions.clone();
        let fixed: Vec<TermId> = word.into_iter().chain(bound.iter().copied()).collect();
        let mut question = fixed.clone();
        question.extend(conditions.iter().map(|c| c.1));
        let core = match relaxed.ask(&question, budget) {
            Outcome::Unsat(core) => core,
            Outcome::Unknown(reason) => return Err(reason),
            Outcome::Sat(_) => return Ok(Reason::Data),
        };
        // The fewest conditions; letters and bounds are given anyway.
        let mut needed: Vec<TermId> = core.into_iter().filter(|t| !fixed.contains(t)).collect();
        let mut at = 0;
        while at < needed.len() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            let all: Vec<TermId> = fixed.iter().chain(&fewer).copied().collect();
            match relaxed.ask(&all, budget) {
                Outcome::Unsat(core) => {
                    needed = fewer.into_iter().filter(|t| core.contains(t)).collect()
                }
                Outcome::Sat(_) => at += 1,
                Outcome::Unknown(_) => break,
            }
        }
        let places: Vec<Location> = conditions
            .iter()
            .filter(|(_, literal)| needed.contains(literal))
            .map(|&(place, _)| place)
            .collect();
        if !places.is_empty() {
            return Ok(Reason::Conditions(places));
        }
        // Without any condition: either the bound is in the way, or nothing that is a branch.
        let without: Vec<TermId> = fixed
            .iter()
            .filter(|t| !bound.contains(t))
            .copied()
            .collect();
        Ok(match relaxed.ask(&without, budget) {
            Outcome::Sat(_) => Reason::Bound,
            _ => Reason::Data,
        })
    }
}

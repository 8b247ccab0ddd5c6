//! Answers a learner's questions about one program: first what can be known for free, then one
//! incremental solver, asked by assumption.
//!
//! After H. Chockler, P. Kesseli, D. Kroening and O. Strichman, *Learning the Language of Software
//! Errors* (JAIR 2020), §4 and §6:
//!
//! | paper | here |
//! |---|---|
//! | pre-checks of §4.1 | [`Teacher::precheck`] |
//! | membership query, Figure 7 | [`Teacher::solve`]: the word's letters are assumptions |
//! | cache of §7.1 | members, refuted words, and patterns made of unsatisfiable cores |
//! | `UCQueries`, Figure 15 | [`Teacher::open`] |
//! | FIX, Figure 16 | [`Teacher::fix`] |
//!
//! Where we differ: the loop bound is an assumption as well, so one encoding serves all bounds; an
//! answer *yes* is a run that has been replayed; an answer *no* is kept as the part of the word
//! that the solver needed to refute it, and for larger bounds if it did not need the bound.
//!
//! Words of any length are answered by the program under the loop bound alone, as in Figure 7; the
//! bound on the length is for conjectures.

use crate::flow::Flow;
use crate::pieces::Pieces;
use crate::replay::{Replay, Replayer};
use crate::strategy::Strategy;
use crate::symbolic::Symbolic;
use crate::vocabulary::{EventVocabulary, LanguageTarget};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Budget, Bug, StopReason};
use idiolect_interp::End;
use idiolect_ir::Program;
use idiolect_learn::{MembershipOracle, Pattern, Patterns};
use idiolect_smt::{Model, Outcome, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who answered the membership queries of the learner; the empty word is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnsweredBy {
    /// The word does not end with the failing assertion, or has it earlier.
    pub shape: u64,
    /// No path of the control-flow graph, unwound up to the bound, has the word.
    pub cfg: u64,
    /// Asked and solved before, or a run put together from known ones has it (`pieces.rs`).
    pub cache: u64,
    /// A part of the word was refuted before.
    pub core: u64,
    /// Nobody yet: to be confirmed before the conjecture is compared.
    pub guess: u64,
    pub solver: u64,
}

impl AnsweredBy {
    pub fn total(&self) -> u64 {
        self.shape + self.cfg + self.cache + self.core + self.guess + self.solver
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Shape,
    Flow,
    Cache,
    Core,
    Guess,
    Solver,
}

/// A run that has a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    /// It needs at most so many unwindings.
    pub(crate) unwind: usize,
    pub(crate) inputs: Vec<u128>,
}

/// The solver found a run that the interpreter does not have: our bug.
#[derive(Clone, PartialEq, Debug)]
pub struct Disagreement {
    /// The word that the solver promised, if it was asked for one.
    pub word: Option<Word>,
    pub inputs: Vec<u128>,
    pub replay: Box<Replay>,
}

pub(crate) struct Teacher<'a> {
    pub(crate) vocabulary: EventVocabulary,
    pub(crate) flow: Flow,
    pub(crate) replayer: Replayer,
    pub(crate) symbolic: Symbolic,
    pub(crate) budget: &'a Budget,
    pub(crate) unwind: usize,
    /// With the failing assertion at their ends.
    members: BTreeMap<Word, Member>,
    /// Members whose runs were not cut into pieces yet.
    pub(crate) new_members: Vec<Word>,
    pub(crate) pieces: Pieces,
    /// Words of this length are of interest.
    pub(crate) longest: usize,
    /// And the bound up to which they are refuted.
    refuted: FxHashMap<Word, usize>,
    /// Refuted parts of words, whatever the bound.
    always: Patterns<()>,
    /// And those that are refuted with the present bound.
    for_now: Patterns<()>,
    /// What to answer instead of asking the solver.
    guess: Option<bool>,
    /// Guessed and not confirmed.
    open: Vec<Word>,
    pub(crate) answered_by: AnsweredBy,
    pub(crate) wrong_guesses: u64,
    pub(crate) fixes: u64,
    pub(crate) fix_calls: u64,
    pub(crate) empty_word: u64,
    pub(crate) disagreement: Option<Disagreement>,
    /// Accepted words that are asked about one by one.
    pub(crate) one_by_one: usize,
    /// As [`Options::large`](crate::Options).
    pub(crate) large: usize,
    /// What inputs runs have, as far as it was needed; for one encoding.
    pub(crate) strategy: Strategy,
    strategy_of: u64,
    /// Words whose only runs depend on a value that is not modelled exactly.
    pub(crate) doubtful: Vec<Word>,
}

impl<'a> Teacher<'a> {
    pub(crate) fn new(
        program: Arc<Program>,
        vocabulary: EventVocabulary,
        target: &LanguageTarget,
        flow: Flow,
        symbolic: Symbolic,
        budget: &'a Budget,
    ) -> Self {
        let overflow = symbolic.config.check_overflow;
        let replayer = Replayer::new(program, &vocabulary, target, overflow);
        Self {
            vocabulary,
            flow,
            replayer,
            unwind: symbolic.config.unwind,
            symbolic,
            budget,
            members: BTreeMap::new(),
            new_members: Vec::new(),
            pieces: Pieces::default(),
            longest: 0,
            refuted: FxHashMap::default(),
            always: Patterns::default(),
            for_now: Patterns::default(),
            guess: None,
            open: Vec::new(),
            answered_by: AnsweredBy::default(),
            wrong_guesses: 0,
            fixes: 0,
            fix_calls: 0,
            empty_word: 0,
            disagreement: None,
            one_by_one: 0,
            large: usize::MAX,
            strategy: Strategy::default(),
            strategy_of: 0,
            doubtful: Vec::new(),
        }
    }

    /// Runs may go round loops so often from now on. Bounds only grow.
    pub(crate) fn set_unwind(&mut self, unwind: usize) {
        if unwind != self.unwind {
            self.unwind = unwind;
            self.for_now = Patterns::default();
        }
    }

    /// Forgets what inputs runs have if the program was encoded anew: they have other numbers then.
    pub(crate) fn renew_strategy(&mut self) {
        if self.strategy_of != self.symbolic.encodings {
            self.strategy_of = self.symbolic.encodings;
            self.strategy = Strategy::default();
        }
    }

    /// Questions that would cost a solver call are answered like this from now on.
    pub(crate) fn set_guess(&mut self, guess: Option<bool>) {
        self.guess = guess;
    }

    /// Known words with at most this many unwindings.
    pub(crate) fn members(&self, unwind: usize) -> impl Iterator<Item = (&Word, &Member)> {
        self.members.iter().filter(move |(_, m)| m.unwind <= unwind)
    }

    pub(crate) fn member(&self, word: &[Letter]) -> Option<&Member> {
        self.members.get(word)
    }

    /// Whether some run has the word, within the present bound. Never a guess.
    pub(crate) fn is_member(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        let guess = self.guess.take();
        let answer = self.answer(word);
        self.guess = guess;
        Ok(answer?.0)
    }

    fn answer(&mut self, word: &[Letter]) -> Result<(bool, Source), StopReason> {
        if let Some(source) = self.precheck(word)? {
            return Ok((false, source));
        }
        if let Some(member) = self.members.get(word)
            && member.unwind <= self.unwind
        {
            return Ok((true, Source::Cache));
        }
        if self.refuted.get(word).is_some_and(|&b| self.unwind <= b) {
            return Ok((false, Source::Cache));
        }
        let events = self.events_of(word);
        let is_refuted = |patterns: &Patterns<()>| patterns.answer(events).is_some();
        if is_refuted(&self.always) || is_refuted(&self.for_now) {
            return Ok((false, Source::Core));
        }
        if self.has_pieced_run(word)? {
            return Ok((true, Source::Cache));
        }
        if let Some(guess) = self.guess {
            self.open.push(word.to_vec());
            return Ok((guess, Source::Guess));
        }
        Ok((self.solve(word)?, Source::Solver))
    }

    /// The word without the failing assertion at its end.
    pub(crate) fn events_of<'w>(&self, word: &'w [Letter]) -> &'w [Letter] {
        match self.vocabulary.assert() {
            Some(_) => &word[..word.len().saturating_sub(1)],
            None => word,
        }
    }

    /// Who refutes the word without a solver, if somebody does.
    fn precheck(&mut self, word: &[Letter]) -> Result<Option<Source>, StopReason> {
        if let Some(assert) = self.vocabulary.assert() {
            let is_shaped = word
                .split_last()
                .is_some_and(|(last, events)| *last == assert && !events.contains(&assert));
            if !is_shaped {
                return Ok(Some(Source::Shape));
            }
        }
        if !self.flow.accepts(word) {
            return Ok(Some(Source::Flow));
        }
        let events = self.events_of(word);
        self.symbolic.make_room(events.len(), self.budget)?;
        Ok(self.symbolic.excludes(events).then_some(Source::Flow))
    }

    /// Asks the solver.
    fn solve(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        let events = self.events_of(word).to_vec();
        let bound = self.symbolic.encoding.bound(self.unwind);
        let literals = self.symbolic.word_literals(&events);
        let question: Vec<TermId> = bound.iter().chain(&literals).copied().collect();
        match self.symbolic.ask_for_run(&question, self.budget) {
            Outcome::Sat(model) => {
                let is_accepted = self.accept_model(&model, Some(word))?;
                // What is new in it may be all that others lacked.
                self.look_for_words(self.longest.max(word.len()))?;
                Ok(is_accepted)
            }
            Outcome::Unsat(core) => {
                self.learn_core(&events, &literals, &bound, &core);
                self.refuted.insert(word.to_vec(), self.unwind);
                Ok(false)
            }
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// What the solver needed to refute a word refutes all words that have it.
    fn learn_core(
        &mut self,
        events: &[Letter],
        literals: &[TermId],
        bound: &[TermId],
        core: &[TermId],
    ) {
        let letters = (events.iter().enumerate())
            .filter(|&(i, _)| core.contains(&literals[i]))
            .map(|(i, &letter)| (i, letter))
            .collect();
        let length = literals.last().filter(|l| core.contains(l));
        let pattern = Pattern {
            letters,
            length: length.map(|_| events.len()),
            answer: (),
        };
        if bound.iter().any(|b| core.contains(b)) {
            self.for_now.add(pattern)
        } else {
            self.always.add(pattern)
        }
    }

    /// Replays a model. Returns whether there is a run of the wanted word.
    fn accept_model(&mut self, model: &Model, word: Option<&[Letter]>) -> Result<bool, StopReason> {
        let (inputs, replay) = self.replay(model);
        let is_as_promised = replay.is_wanted && word.is_none_or(|w| replay.word == w);
        // A run of another word than the model's would be no answer to the question.
        let is_answer = word.is_some() || !is_as_promised || self.has_word(model, &replay.word);
        if is_as_promised && is_answer {
            let unwind = self.unwind;
            self.keep(replay.word, Member { unwind, inputs });
            return Ok(true);
        }
        // A run that the interpreter gives up on, of gigabytes say, says nothing.
        let is_cut = matches!(replay.outcome.end, End::Limit(_));
        if is_cut || self.symbolic.encoding.is_approximate(model) {
            self.doubtful.push(word.unwrap_or(&replay.word).to_vec());
            return Ok(false);
        }
        self.disagreement = Some(Disagreement {
            word: word.map(<[Letter]>::to_vec),
            inputs,
            replay: Box::new(replay),
        });
        Err(StopReason::Internal(Bug::Disagreement))
    }

    /// Whether the model is one of a run with this word; where the encoding is exact, the word of the run that
    /// was made from it is.
    fn has_word(&self, model: &Model, word: &[Letter]) -> bool {
        let literals = self.symbolic.word_literals(self.events_of(word));
        self.symbolic.all_hold(model, &literals) || !self.symbolic.encoding.is_approximate(model)
    }

    /// Some run has the word.
    pub(crate) fn keep(&mut self, word: Word, member: Member) {
        let unwind = member.unwind;
        match self.members.get_mut(&word) {
            Some(known) => known.unwind = known.unwind.min(unwind),
            None => {
                self.new_members.push(word.clone());
                self.members.insert(word, member);
            }
        }
    }

    fn replay(&self, model: &Model) -> (Vec<u128>, Replay) {
        let inputs: Vec<u128> = self.symbolic.inputs_of(model);
        let replay = self.replayer.run(&inputs);
        (inputs, replay)
    }

    /// A run for a model of a question that named no word. `None` if it is doubtful.
    pub(crate) fn word_of(&mut self, model: &Model) -> Result<Option<Word>, StopReason> {
        let (_, replay) = self.replay(model);
        Ok(self.accept_model(model, None)?.then_some(replay.word))
    }

    pub(crate) fn has_guesses(&self) -> bool {
        !self.open.is_empty()
    }

    /// Confirms what was guessed or puts it right (Figure 16). Returns whether a guess was wrong.
    ///
    /// Where *no* was guessed, each solver call finds one wrong guess, and one more call finds that
    /// there is none. Where *yes* was guessed, each call confirms one, and the last one convicts all
    /// that are left.
    pub(crate) fn fix(&mut self) -> Result<bool, StopReason> {
        let guessed = self.guess.unwrap_or(false);
        let mut open = std::mem::take(&mut self.open);
        open.sort_unstable();
        open.dedup();
        let mut n_found = 0;
        self.fixes += 1;
        let result = loop {
            if self.is_expensive() {
                let (left, n_known) = self.without_pieced(open)?;
                (open, n_found) = (left, n_found + n_known);
                if open.is_empty() {
                    break Ok(());
                }
            }
            let bound = self.symbolic.encoding.bound(self.unwind);
            let words: Vec<&[Letter]> = open.iter().map(|w| self.events_of(w)).collect();
            let any = self.symbolic.any_of(&words);
            self.fix_calls += 1;
            let question: Vec<TermId> = bound.into_iter().chain([any]).collect();
            match self.symbolic.ask_for_run(&question, self.budget) {
                Outcome::Unsat(_) => break Ok(()),
                Outcome::Unknown(reason) => break Err(reason),
                Outcome::Sat(model) => match self.word_of(&model) {
                    Err(reason) => break Err(reason),
                    Ok(Some(word)) => {
                        n_found += 1;
                        open.retain(|w| *w != word);
                    }
                    // Nothing can be said about the words that such a run may have.
                    Ok(None) => break Ok(()),
                },
            }
        };
        if let Err(reason) = result {
            self.open = open;
            return Err(reason);
        }
        let n_left = open.len() as u64;
        for word in open {
            self.refuted.insert(word, self.unwind);
        }
        let wrong = if guessed { n_left } else { n_found };
        self.wrong_guesses += wrong;
        Ok(wrong > 0)
    }

    /// Words of which no run is known, pieces of known runs included, and the number of the others.
    fn without_pieced(&mut self, words: Vec<Word>) -> Result<(Vec<Word>, u64), StopReason> {
        let n_words = words.len();
        let mut left = Vec::with_capacity(n_words);
        for word in words {
            if !self.knows(&word) && !self.has_pieced_run(&word)? {
                left.push(word);
            }
        }
        let n_known = (n_words - left.len()) as u64;
        Ok((left, n_known))
    }

    pub(crate) fn forget_guesses(&mut self) {
        self.open.clear();
    }
}

impl MembershipOracle for Teacher<'_> {
    type Answer = bool;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<bool>, StopReason> {
        let mut answers = Vec::with_capacity(words.len());
        for word in words {
            self.budget.spend(1)?;
            let (answer, source) = self.answer(word)?;
            answers.push(answer);
            if word.is_empty() {
                self.empty_word += 1;
                continue;
            }
            let counts = &mut self.answered_by;
            *match source {
                Source::Shape => &mut counts.shape,
                Source::Flow => &mut counts.cfg,
                Source::Cache => &mut counts.cache,
                Source::Core => &mut counts.core,
                Source::Guess => &mut counts.guess,
                Source::Solver => &mut counts.solver,
            } += 1;
        }
        Ok(answers)
    }
}

//! Does every word that an automaton accepts have a run? Asked for all words at once.
//!
//! "For every word there is a run" is a question with two quantifiers. The inner one is answered by a
//! [`Strategy`], which says for a word what inputs a run of it would have. The program under a strategy
//! has one run for each word, so what is left is a plain question to the solver: is there an accepted
//! word whose run, on the inputs that the strategy gives, has another word? *No* settles all words.
//! *Yes* names a word, and that one is asked about by itself: if it has no run, it is the answer, and if
//! it has one, the strategy learns from it. So the number of questions depends on how many different
//! things a run has to do, and not on how many words there are: `(a|b)*` up to forty letters takes about
//! as many as up to four.
//!
//! Why *no* can be believed: words are free variables, automata and trees are functions of them, and each
//! input is a variable of its own which the strategy gives a value that depends on the word and on what
//! the run did before. So for every word the inputs of a run exist, and the solver's *no* says that this
//! run has the word. Inputs that are not such a variable, and values that the encoding leaves open, are
//! not given a value: *no* then holds whatever they are.

use crate::strategy::{AFTER_THE_END, BEFORE_THE_START, Example, Feature, Tree};
use crate::teacher::Teacher;
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::{Bug, Rng, StopReason};
use idiolect_smt::{Evaluator, Model, Node, Outcome, Sort, TermId};
use idiolect_symex::Encoding;
use idiolect_symex::events::Words;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// So many words are learned from before a strategy is given up.
const MAX_LESSONS: usize = 300;
/// Programs that read more inputs than this are asked word by word.
const MAX_INPUTS: usize = 4_000;
/// When a word's own inputs are looked for, so many are tried to be as the strategy has them.
const MAX_KEPT: usize = 40;
/// Accepted words that are asked about by themselves after all is said, against bugs of ours.
const SAMPLES: usize = 4;

/// What came of it.
pub(crate) enum SetAnswer {
    AllHaveRuns,
    /// The least word, by length and then by letters, that has none.
    Without(Word),
    /// No strategy was found that is good for all words.
    GaveUp,
}

/// What is asked of each word.
#[derive(Clone, Copy)]
enum Goal<'g> {
    /// Some run has it.
    Run,
    /// Some run has it, or the bound cuts a run that had a prefix of it so far.
    RunOrCut(&'g Words),
}

/// Words as variables.
struct AnyWord {
    /// `letters[i][a]`: letter `i` is `a`.
    letters: Vec<Vec<TermId>>,
    /// `length[n]`: there are `n` letters.
    length: Vec<TermId>,
    /// `ended[i]`: there are at most `i` letters.
    ended: Vec<TermId>,
    /// There is one length, and one letter at each position before it.
    is_word: TermId,
    /// By input, feature and answer.
    answers: FxHashMap<(usize, i32, u32), TermId>,
}

/// What is looked for, and how much was learned on the way.
struct Search<'g> {
    fixed: [TermId; 3],
    goal: Goal<'g>,
    lessons: usize,
}

/// A stop, or the strategy's end.
enum Halt {
    Stopped(StopReason),
    GaveUp,
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Halt::Stopped(reason)
    }
}

impl Teacher<'_> {
    /// Whether all accepted words of up to `max_length` letters have runs; those below `from_length` are
    /// known to.
    pub(crate) fn all_have_runs(
        &mut self,
        dfa: &Dfa,
        from_length: usize,
        max_length: usize,
    ) -> Result<SetAnswer, StopReason> {
        let n_last = usize::from(self.vocabulary.assert().is_some());
        let Some(max_events) = max_length.checked_sub(n_last) else {
            return Ok(SetAnswer::AllHaveRuns);
        };
        self.symbolic.make_room(max_events, self.budget)?;
        let answer = self.least_without_goal(dfa, Goal::Run, from_length, max_length)?;
        if matches!(answer, SetAnswer::AllHaveRuns) {
            self.ask_samples(dfa, max_length)?;
        }
        Ok(answer)
    }

    /// Whether each accepted word of up to `max_length` letters has a run or may have one beyond the bound. The cut
    /// runs are those of the present bound, with room for such words.
    pub(crate) fn all_may_have_runs(
        &mut self,
        dfa: &Dfa,
        cut: &Words,
        max_length: usize,
    ) -> Result<SetAnswer, StopReason> {
        self.least_without_goal(dfa, Goal::RunOrCut(cut), 0, max_length)
    }

    fn least_without_goal(
        &mut self,
        dfa: &Dfa,
        goal: Goal<'_>,
        from_length: usize,
        max_length: usize,
    ) -> Result<SetAnswer, StopReason> {
        let n_last = usize::from(self.vocabulary.assert().is_some());
        let Some(max_events) = max_length.checked_sub(n_last) else {
            return Ok(SetAnswer::AllHaveRuns);
        };
        if self.symbolic.encoding.inputs.len() > MAX_INPUTS {
            return Ok(SetAnswer::GaveUp);
        }
        self.renew_strategy();
        let last = self.vocabulary.assert();
        let n_letters = self.vocabulary.events().len();
        let mut any = AnyWord::new(&mut self.symbolic.encoding, n_letters, max_events);
        let is_accepted = any.is_accepted(&mut self.symbolic.encoding, dfa, last);
        let is_missed = self.is_missed(&any, goal);
        let mut search = Search {
            fixed: [any.is_word, is_accepted, is_missed],
            goal,
            lessons: 0,
        };
        let from_events = from_length.saturating_sub(n_last);
        let found = self.least_without(&mut any, &mut search, from_events);
        let misshapen = last.and_then(|last| misshapen(dfa, last, max_length));
        match found {
            Err(Halt::Stopped(reason)) => Err(reason),
            Err(Halt::GaveUp) => Ok(SetAnswer::GaveUp),
            Ok(Some(word)) => Ok(SetAnswer::Without(match misshapen {
                Some(other) if (other.len(), &other) < (word.len(), &word) => other,
                _ => word,
            })),
            Ok(None) => match misshapen {
                Some(word) => Ok(SetAnswer::Without(word)),
                None => Ok(SetAnswer::AllHaveRuns),
            },
        }
    }

    fn least_without(
        &mut self,
        any: &mut AnyWord,
        search: &mut Search<'_>,
        from_events: usize,
    ) -> Result<Option<Word>, Halt> {
        let Some(found) = self.without(any, search, &[])? else {
            return Ok(None);
        };
        let n_last = usize::from(self.vocabulary.assert().is_some());
        let mut found = found;
        // The shortest one.
        for n in from_events..found.len() - n_last {
            let of_length = any.length[n];
            if let Some(shorter) = self.without(any, search, &[of_length])? {
                found = shorter;
                break;
            }
        }
        // The one with the smallest letters, from the first on.
        let n_events = found.len() - n_last;
        let mut restricted = vec![any.length[n_events]];
        for position in 0..n_events {
            loop {
                let smaller = &any.letters[position][..found[position].index()];
                let smaller = self.symbolic.encoding.terms.or_all(smaller);
                restricted.push(smaller);
                let better = self.without(any, search, &restricted)?;
                restricted.pop();
                match better {
                    Some(word) => found = word,
                    None => break,
                }
            }
            restricted.push(any.letters[position][found[position].index()]);
        }
        Ok(Some(found))
    }

    /// Some accepted word without a run, among those with these properties.
    fn without(
        &mut self,
        any: &mut AnyWord,
        search: &mut Search<'_>,
        restricted: &[TermId],
    ) -> Result<Option<Word>, Halt> {
        let mut seen: FxHashSet<Word> = FxHashSet::default();
        loop {
            self.budget.look()?;
            let inputs = self.inputs_as_told(any);
            let mut question = self.symbolic.encoding.bound(self.unwind);
            question.extend(search.fixed.iter().chain(restricted));
            question.push(inputs);
            let model = match self.symbolic.ask(&question, self.budget) {
                Outcome::Unsat(_) => return Ok(None),
                Outcome::Unknown(reason) => return Err(reason.into()),
                Outcome::Sat(model) => model,
            };
            let events = any.word_in(&self.symbolic.encoding, &model);
            let mut word = events.clone();
            word.extend(self.vocabulary.assert());
            let run = if self.is_member(&word)? {
                self.symbolic.word_literals(&events)
            } else {
                match self.cut_run(&word, search.goal)? {
                    Some(run) => run,
                    None => return Ok(Some(word)),
                }
            };
            search.lessons += 1;
            if search.lessons > MAX_LESSONS || !seen.insert(events.clone()) {
                return Err(Halt::GaveUp);
            }
            self.learn_inputs(&events, &run)?;
        }
    }

    /// The properties of a run that the bound cuts on the way to the word, if that is what is wanted and there is one.
    fn cut_run(&mut self, word: &[Letter], goal: Goal<'_>) -> Result<Option<Vec<TermId>>, Halt> {
        let Goal::RunOrCut(cut) = goal else {
            return Ok(None);
        };
        let prefix = self.cut_prefix(word, cut)?;
        Ok(prefix.and_then(|prefix| cut.member(&prefix)))
    }

    /// Holds if the run does not do for the word what is asked.
    fn is_missed(&mut self, any: &AnyWord, goal: Goal<'_>) -> TermId {
        let is_other = self.is_other(any);
        let Goal::RunOrCut(cut) = goal else {
            return is_other;
        };
        let terms = &mut self.symbolic.encoding.terms;
        let mut is_prefix = terms.tt();
        let mut ways = Vec::new();
        for n in 0..any.length.len() {
            let Some(ends) = cut.length(n) else {
                break;
            };
            ways.push(terms.and(ends, is_prefix));
            let Some(letters) = any.letters.get(n) else {
                break;
            };
            // Beyond its end, a word has no letter.
            let read: Vec<TermId> = (letters.iter().enumerate())
                .filter_map(|(a, &letter)| Some((letter, cut.letter(n, Letter::new(a))?)))
                .map(|(letter, read)| terms.and(letter, read))
                .collect();
            let is_read = terms.or_all(&read);
            is_prefix = terms.and(is_prefix, is_read);
        }
        let is_cut = terms.or_all(&ways);
        let goes_on = terms.not(is_cut);
        terms.and(is_other, goes_on)
    }

    /// Holds if the run does not have the word, or does not end as wanted.
    fn is_other(&mut self, any: &AnyWord) -> TermId {
        let mut list = Vec::new();
        for (n, &of_length) in any.length.iter().enumerate() {
            let ends = self.symbolic.length_literal(n);
            let terms = &mut self.symbolic.encoding.terms;
            let is_other = match ends {
                Some(ends) => terms.not(ends),
                None => terms.tt(),
            };
            list.push(terms.and(of_length, is_other));
        }
        for (position, letters) in any.letters.iter().enumerate() {
            for (a, &wanted) in letters.iter().enumerate() {
                let read = self.symbolic.letter_literal(position, Letter::new(a));
                let terms = &mut self.symbolic.encoding.terms;
                let is_other = match read {
                    Some(read) => terms.not(read),
                    None => terms.tt(),
                };
                list.push(terms.and(wanted, is_other));
            }
        }
        self.symbolic.encoding.terms.or_all(&list)
    }

    /// Holds if all inputs are as the strategy has them.
    fn inputs_as_told(&mut self, any: &mut AnyWord) -> TermId {
        let encoding = &mut self.symbolic.encoding;
        let mut list = Vec::new();
        for record in own_variables(encoding) {
            let input = encoding.inputs[record];
            let sort = encoding.terms.sort(input.value);
            let value = match self.strategy.tree(input.origin) {
                None => encoding.terms.constant(0, sort),
                Some(tree) => any.value_of(encoding, record, tree, sort),
            };
            let is_told = encoding.terms.eq(input.value, value);
            list.push(encoding.terms.implies(input.guard, is_told));
        }
        encoding.terms.and_all(&list)
    }

    /// Looks for a run with these properties whose inputs are, as far as possible, as the strategy has them for the
    /// word, and lets the strategy learn from it.
    fn learn_inputs(&mut self, events: &[Letter], run: &[TermId]) -> Result<(), Halt> {
        let mut fixed = self.symbolic.encoding.bound(self.unwind);
        fixed.extend(run);
        let mut kept = self.wishes(events);
        let mut dropped = Vec::new();
        let mut model = loop {
            let question: Vec<TermId> = fixed.iter().chain(&kept).copied().collect();
            match self.symbolic.ask(&question, self.budget) {
                Outcome::Sat(model) => break model,
                Outcome::Unknown(reason) => return Err(reason.into()),
                Outcome::Unsat(core) => {
                    let before = kept.len();
                    dropped.extend(kept.iter().filter(|t| core.contains(t)));
                    kept.retain(|t| !core.contains(t));
                    if kept.len() == before {
                        // It has a run, so this does not happen.
                        return Err(Halt::GaveUp);
                    }
                }
            }
        };
        // A core may blame more than it has to.
        for &wish in dropped.iter().take(MAX_KEPT) {
            kept.push(wish);
            let question: Vec<TermId> = fixed.iter().chain(&kept).copied().collect();
            match self.symbolic.ask(&question, self.budget) {
                Outcome::Sat(better) => model = better,
                Outcome::Unsat(_) => drop(kept.pop()),
                Outcome::Unknown(reason) => return Err(reason.into()),
            }
        }
        let word = Rc::new(events.to_vec());
        let encoding = &self.symbolic.encoding;
        let mut evaluator = Evaluator::new(&encoding.terms, &model);
        let mut lesson = Vec::new();
        for record in own_variables(encoding) {
            let input = &encoding.inputs[record];
            if !evaluator.eval_bool(input.guard) {
                continue;
            }
            let mut positions = encoding.input_positions[record].iter();
            let Some(position) = positions.position(|&p| evaluator.eval_bool(p)) else {
                continue;
            };
            let value = evaluator.eval(input.value);
            let word = word.clone();
            let example = Example {
                word,
                record,
                position,
                value,
            };
            lesson.push((input.origin, example));
        }
        self.strategy.learn(lesson);
        Ok(())
    }

    /// By input: it is as the strategy has it for this word.
    fn wishes(&mut self, events: &[Letter]) -> Vec<TermId> {
        let encoding = &mut self.symbolic.encoding;
        let mut list = Vec::new();
        for record in own_variables(encoding) {
            let input = encoding.inputs[record];
            let sort = encoding.terms.sort(input.value);
            let mut all = encoding.terms.tt();
            for position in 0..=events.len() {
                let Some(&here) = encoding.input_positions[record].get(position) else {
                    continue;
                };
                if encoding.terms.known_false(here) {
                    continue;
                }
                let value = self.strategy.value(input.origin, events, record, position);
                let value = encoding.terms.constant(value, sort);
                let is_wished = encoding.terms.eq(input.value, value);
                let condition = encoding.terms.and(input.guard, here);
                let wish = encoding.terms.implies(condition, is_wished);
                all = encoding.terms.and(all, wish);
            }
            if !encoding.terms.known_true(all) && !list.contains(&all) {
                list.push(all);
            }
        }
        list
    }

    /// Some accepted words, asked about and replayed one by one: two ways to the same answer.
    fn ask_samples(&mut self, dfa: &Dfa, max_length: usize) -> Result<(), StopReason> {
        let live = dfa.live_states();
        for number in 0..SAMPLES {
            let mut rng = Rng::new(number as u64, 0x5e75);
            let (mut state, mut word, mut longest) = (dfa.initial(), Word::new(), None);
            while word.len() < max_length {
                let next: Vec<Letter> = dfa
                    .letters()
                    .filter(|&a| live[dfa.step(state, a).index()])
                    .collect();
                if next.is_empty() {
                    break;
                }
                let letter = next[rng.below(next.len() as u64) as usize];
                state = dfa.step(state, letter);
                word.push(letter);
                if dfa.is_accepting(state) {
                    longest = Some(word.len());
                }
            }
            if let Some(n) = longest
                && !self.is_member(&word[..n])?
                && self.doubtful.is_empty()
            {
                return Err(StopReason::Internal(Bug::Disagreement));
            }
        }
        Ok(())
    }
}

/// The least accepted word that does not end with `last` or has it earlier. Words of such a shape are not among
/// those that are asked about.
fn misshapen(dfa: &Dfa, last: Letter, max_length: usize) -> Option<Word> {
    let n_letters = dfa.n_letters();
    // Before the last letter, after it, and where no word goes on.
    let shape = Dfa::from_fn(n_letters, &[false, true, false], |q, a| {
        match (q, a == last) {
            (0, false) => 0,
            (0, true) => 1,
            _ => 2,
        }
    });
    let others = dfa.difference(&shape).minimize();
    let least = others.accepted_words().next();
    least.filter(|word| word.len() <= max_length)
}

/// The inputs that are a variable which no other input is.
fn own_variables(encoding: &Encoding) -> Vec<usize> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut shared: FxHashSet<TermId> = FxHashSet::default();
    for input in &encoding.inputs {
        if !seen.insert(input.value) {
            shared.insert(input.value);
        }
    }
    let is_own = |value: TermId| {
        matches!(encoding.terms.node(value), Node::Var(_)) && !shared.contains(&value)
    };
    (0..encoding.inputs.len())
        .filter(|&i| is_own(encoding.inputs[i].value) && i < encoding.input_positions.len())
        .collect()
}

impl AnyWord {
    fn new(encoding: &mut Encoding, n_letters: usize, max_events: usize) -> Self {
        let terms = &mut encoding.terms;
        let mut all = Vec::new();
        let length: Vec<TermId> = (0..=max_events)
            .map(|n| terms.bool_var(&format!("length[{n}]")))
            .collect();
        all.push(terms.or_all(&length));
        let mut ended = Vec::with_capacity(length.len());
        let mut before = terms.ff();
        for &own in &length {
            let both = terms.and(before, own);
            all.push(terms.not(both));
            before = terms.or(before, own);
            ended.push(before);
        }
        let mut letters = Vec::with_capacity(max_events);
        for (position, &is_over) in ended.iter().enumerate().take(max_events) {
            let own: Vec<TermId> = (0..n_letters)
                .map(|a| terms.bool_var(&format!("letter[{position}][{a}]")))
                .collect();
            let mut any = terms.ff();
            for &letter in &own {
                let both = terms.and(any, letter);
                all.push(terms.not(both));
                any = terms.or(any, letter);
            }
            all.push(terms.ne(any, is_over));
            letters.push(own);
        }
        let is_word = terms.and_all(&all);
        Self {
            letters,
            length,
            ended,
            is_word,
            answers: FxHashMap::default(),
        }
    }

    /// Holds if the automaton accepts the word, followed by `last` if there is one.
    fn is_accepted(&self, encoding: &mut Encoding, dfa: &Dfa, last: Option<Letter>) -> TermId {
        let live = dfa.live_states();
        let terms = &mut encoding.terms;
        let mut states = vec![terms.ff(); dfa.n_states()];
        states[dfa.initial().index()] = terms.tt();
        let mut accepted = Vec::new();
        for (n, &of_length) in self.length.iter().enumerate() {
            let here: Vec<TermId> = dfa
                .states()
                .filter(|&q| dfa.is_accepting(last.map_or(q, |a| dfa.step(q, a))))
                .map(|q| states[q.index()])
                .collect();
            let is_accepting = terms.or_all(&here);
            accepted.push(terms.and(of_length, is_accepting));
            let Some(letters) = self.letters.get(n) else {
                break;
            };
            let mut next = vec![Vec::new(); dfa.n_states()];
            for q in dfa.states() {
                if terms.known_false(states[q.index()]) {
                    continue;
                }
                for (a, &letter) in letters.iter().enumerate() {
                    let to = dfa.step(q, Letter::new(a));
                    if live[to.index()] {
                        next[to.index()].push(terms.and(states[q.index()], letter));
                    }
                }
            }
            states = next.iter().map(|list| terms.or_all(list)).collect();
        }
        terms.or_all(&accepted)
    }

    fn word_in(&self, encoding: &Encoding, model: &Model) -> Word {
        let mut evaluator = Evaluator::new(&encoding.terms, model);
        let mut lengths = self.length.iter();
        let n = lengths.position(|&l| evaluator.eval_bool(l)).unwrap_or(0);
        self.letters[..n]
            .iter()
            .map(|letters| {
                let a = letters.iter().position(|&l| evaluator.eval_bool(l));
                Letter::new(a.unwrap_or(0))
            })
            .collect()
    }

    /// What a tree says about an input.
    fn value_of(
        &mut self,
        encoding: &mut Encoding,
        record: usize,
        tree: &Tree,
        sort: Sort,
    ) -> TermId {
        match tree {
            Tree::Value(value) => encoding.terms.constant(*value, sort),
            Tree::Ask {
                feature,
                branches,
                otherwise,
            } => {
                let mut value = encoding.terms.constant(*otherwise, sort);
                for (answer, below) in branches.iter().rev() {
                    let condition = self.answers(encoding, record, *feature, *answer);
                    if encoding.terms.known_false(condition) {
                        continue;
                    }
                    let below = self.value_of(encoding, record, below, sort);
                    value = encoding.terms.ite(condition, below, value);
                }
                value
            }
        }
    }

    /// Holds if a feature has this answer for the word and the input.
    fn answers(
        &mut self,
        encoding: &mut Encoding,
        record: usize,
        feature: Feature,
        answer: u32,
    ) -> TermId {
        let distance = match feature {
            Feature::Record => return encoding.terms.bool(record as u32 == answer),
            Feature::Length => {
                let known = self.length.get(answer as usize).copied();
                return known.unwrap_or_else(|| encoding.terms.ff());
            }
            Feature::Letter(distance) => distance,
        };
        let key = (record, distance, answer);
        if let Some(&known) = self.answers.get(&key) {
            return known;
        }
        let mut any = encoding.terms.ff();
        for position in 0..self.length.len() {
            let Some(&here) = encoding.input_positions[record].get(position) else {
                break;
            };
            let holds = match position.checked_add_signed(distance as isize) {
                None if answer == BEFORE_THE_START => encoding.terms.tt(),
                None => continue,
                Some(_) if answer == BEFORE_THE_START => continue,
                Some(at) if answer == AFTER_THE_END => match self.ended.get(at) {
                    Some(&ended) => ended,
                    None => encoding.terms.tt(),
                },
                Some(at) => match self.letters.get(at).and_then(|l| l.get(answer as usize)) {
                    Some(&letter) => letter,
                    None => continue,
                },
            };
            let both = encoding.terms.and(here, holds);
            any = encoding.terms.or(any, both);
        }
        self.answers.insert(key, any);
        any
    }
}

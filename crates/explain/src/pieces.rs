//! Runs put together from pieces of known runs.
//!
//! Where the encoding is large, a question that has a run costs the solver far more than one that has none: it has
//! to give a value to everything (schedule of the Siemens programs at 3 rounds: 0.6 s against 0.02 s on
//! average). But programs that read commands do the same wherever they read them. So what known runs read between
//! two events is kept, and a word that nobody knows is tried with what was read before each of its letters elsewhere.
//!
//! Nothing is believed for that. Such a run counts as one of the solver's does: the interpreter has to have
//! the word, and all that would be asked of the solver has to hold of these inputs in the encoding, bounds included.
//! So the answers are the same with and without; only the solver is asked less.

use crate::replay::Replay;
use crate::symbolic::Symbolic;
use crate::teacher::{Member, Teacher};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Budget, Rng, StopReason};
use idiolect_interp::{DrawnInput, RandomInputs, Spread};
use idiolect_smt::{Evaluator, Model, Node, TermId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Propagations of the solver from which on pieces are tried, however small the encoding is. Counted, as seconds would
/// make what is asked depend on the machine.
const EXPENSIVE: u64 = 5_000_000;
/// Runs that are tried for one word.
const TRIES: usize = 24;
/// Runs on random inputs that come first.
const FIRST_RUNS: usize = 500;
/// Runs that are tried for new words, as long as they show some.
const WALKS: usize = 10_000;
/// And the statements that they may take together.
const WALK_STEPS: u64 = 10_000_000;
/// Different values of inputs that are tried elsewhere.
const MAX_VALUES: usize = 1_000;
/// Places from which the inputs between two letters are taken, at most.
const MAX_PLACES: usize = 256;
/// So many runs with a word that go beyond the bounds are enough.
const MAX_FAILURES: usize = 32;
/// Statements of one such run.
const MAX_STEPS: u64 = 200_000;

/// What numbers in a text are made of.
const TEXT: &[u8] = b" \n0123456789+-.";

/// The letter before and after; none at the start and at the end.
type Between = (Option<Letter>, Option<Letter>);

/// What known runs read, cut at their events.
#[derive(Default)]
pub(crate) struct Pieces {
    runs: Vec<KnownRun>,
    places: BTreeMap<Between, Vec<Place>>,
    values: BTreeSet<u128>,
    has_begun: bool,
    /// By word: the bound, and how many runs with the word were not within it.
    failures: FxHashMap<Word, (usize, usize)>,
    /// How often runs were tried, so that no two tries draw the same.
    n_tried: u64,
}

struct KnownRun {
    events: Word,
    /// By number of events before: the inputs that are read then.
    inputs: Vec<Vec<u128>>,
}

#[derive(Clone, Copy)]
struct Place {
    run: usize,
    position: usize,
}

impl Pieces {
    fn learn(&mut self, events: &[Letter], inputs: &[DrawnInput], positions: &[usize]) {
        let mut by_position = vec![Vec::new(); events.len() + 1];
        for (input, &position) in inputs.iter().zip(positions) {
            if let Some(list) = by_position.get_mut(position) {
                list.push(input.bits);
            }
            if self.values.len() < MAX_VALUES {
                self.values.insert(input.bits);
            }
        }
        let run = self.runs.len();
        self.runs.push(KnownRun {
            events: events.to_vec(),
            inputs: by_position,
        });
        for position in 0..=events.len() {
            let here = Place { run, position };
            let places = self.places.entry(between(events, position)).or_default();
            // The same inputs in the same surroundings are no news.
            let content = |p: Place| {
                let known = &self.runs[p.run];
                (
                    &known.inputs[p.position],
                    surroundings(&known.events, p.position),
                )
            };
            let is_known = places.iter().any(|&p| content(p) == content(here));
            if !is_known && places.len() < MAX_PLACES {
                places.push(here);
            }
        }
    }

    /// For each position of the word the places that its inputs may be taken from, the most similar ones first.
    fn places_for(&self, events: &[Letter]) -> Option<Vec<Vec<Place>>> {
        (0..=events.len())
            .map(|position| {
                let mut places = self.places.get(&between(events, position))?.clone();
                places.sort_by_key(|p| {
                    let known = &self.runs[p.run].events;
                    let before = common_before(known, p.position, events, position);
                    let after = common_after(known, p.position, events, position);
                    std::cmp::Reverse(before + after)
                });
                Some(places)
            })
            .collect()
    }

    fn inputs_at(&self, place: Place) -> &[u128] {
        &self.runs[place.run].inputs[place.position]
    }

    /// Inputs of a known run up to some event, then of others, as letters follow each other in known runs. Half of
    /// the time some of them are changed.
    fn walk(&self, rng: &mut Rng, max_events: usize) -> Vec<u128> {
        let run = &self.runs[pick(rng, self.runs.len())];
        let kept = pick(rng, run.events.len() + 1);
        let mut inputs: Vec<u128> = run.inputs[..kept].concat();
        let mut last = kept.checked_sub(1).map(|at| run.events[at]);
        for _ in kept..=max_events {
            let follow = self.places.range((last, None)..);
            let ways: Vec<&Vec<Place>> = follow
                .take_while(|(between, _)| between.0 == last)
                .map(|(_, places)| places)
                .collect();
            if ways.is_empty() {
                break;
            }
            let places = ways[pick(rng, ways.len())];
            let place = places[pick(rng, places.len())];
            inputs.extend(self.inputs_at(place));
            match self.runs[place.run].events.get(place.position) {
                Some(&letter) => last = Some(letter),
                None => break,
            }
        }
        if rng.below(2) == 0 {
            for _ in 0..=rng.below(3) {
                self.change(rng, &mut inputs);
            }
        }
        inputs
    }

    /// Another value for an input, one more, or some numbers as a text has them.
    fn change(&self, rng: &mut Rng, inputs: &mut Vec<u128>) {
        if inputs.is_empty() {
            return;
        }
        // Late ones as often as all others: what comes first are often arguments.
        let late = rng.below(2) * inputs.len().saturating_sub(4) as u64;
        let at = late as usize + pick(rng, inputs.len() - late as usize);
        match rng.below(8) {
            0 => {
                let numbers = (0..=rng.below(4)).flat_map(|_| [b'0' + rng.below(10) as u8, b' ']);
                let numbers: Vec<u128> = numbers.map(u128::from).collect();
                inputs.splice(at..at, numbers);
            }
            1 => inputs.insert(at, self.value(rng, inputs[at])),
            _ => inputs[at] = self.value(rng, inputs[at]),
        }
    }

    /// A neighbour, a character, or what was read elsewhere.
    fn value(&self, rng: &mut Rng, now: u128) -> u128 {
        match rng.below(5) {
            0 => now.wrapping_add(1),
            1 => now.wrapping_sub(1),
            2 => u128::from(rng.below(128)),
            3 => u128::from(TEXT[pick(rng, TEXT.len())]),
            _ => {
                let mut values = self.values.iter();
                let number = pick(rng, values.len());
                values.nth(number).copied().unwrap_or(0)
            }
        }
    }
}

fn pick(rng: &mut Rng, n: usize) -> usize {
    rng.below(n.max(1) as u64) as usize
}

fn between(events: &[Letter], position: usize) -> Between {
    let before = position.checked_sub(1).map(|at| events[at]);
    (before, events.get(position).copied())
}

fn surroundings(events: &[Letter], position: usize) -> &[Letter] {
    &events[position.saturating_sub(3)..(position + 3).min(events.len())]
}

/// How many letters before two positions are the same; the start counts as one.
fn common_before(a: &[Letter], at_a: usize, b: &[Letter], at_b: usize) -> usize {
    let pairs = a[..at_a].iter().rev().zip(b[..at_b].iter().rev());
    let n = pairs.take_while(|(x, y)| x == y).count();
    n + usize::from(n == at_a && n == at_b)
}

/// And how many after them; the end counts as one.
fn common_after(a: &[Letter], at_a: usize, b: &[Letter], at_b: usize) -> usize {
    let (a, b) = (&a[at_a..], &b[at_b..]);
    let n = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    n + usize::from(n == a.len() && n == b.len())
}

impl Symbolic {
    /// Whether these literals hold of the run on these inputs, in the encoding, with so many unwindings.
    fn holds_of(&self, inputs: &[DrawnInput], unwind: usize, literals: &[TermId]) -> bool {
        let encoding = &self.encoding;
        let terms = &encoding.terms;
        let mut model = Model::new();
        for (n, &allowed) in encoding.unwind.iter().enumerate() {
            model.set_term(terms, allowed, u128::from(n < unwind));
        }
        let mut evaluator = Evaluator::new(terms, &model);
        let mut drawn = inputs.iter();
        for input in &encoding.inputs {
            if !evaluator.eval_bool(input.guard) {
                continue;
            }
            // More inputs than the run has: the encoding goes another way.
            let Some(next) = drawn.next().filter(|d| d.ty == input.ty) else {
                return false;
            };
            let is_variable = matches!(terms.node(input.value), Node::Var(_));
            if is_variable && !evaluator.knows(input.value) {
                evaluator.set(input.value, next.bits);
            }
            if evaluator.eval(input.value) != next.bits {
                return false;
            }
        }
        literals.iter().all(|&literal| evaluator.eval_bool(literal))
    }
}

impl Teacher<'_> {
    /// Whether a run put together from pieces of others has the word. *No* says nothing.
    pub(crate) fn has_pieced_run(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        if !self.collect_pieces()? {
            return Ok(false);
        }
        let events = self.events_of(word).to_vec();
        let Some(places) = self.pieces.places_for(&events) else {
            return Ok(false);
        };
        for number in 0..TRIES {
            self.budget.look()?;
            let mut rng = self.draw();
            let mut inputs = Vec::new();
            for list in &places {
                // First the most similar ones, then others, less and less often.
                let mut at = 0;
                while number > 0 && at + 1 < list.len() && rng.below(2) == 0 {
                    at += 1;
                }
                inputs.extend(self.pieces.inputs_at(list[at]));
            }
            let run = self.replayer.run_with_positions(&inputs, MAX_STEPS).replay;
            if run.word == word {
                // It is this one that was asked for.
                self.pieces.failures.remove(word);
                self.keep_if_run(&run, word.len());
                if self.knows(word) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Looks for runs with new words of at most this length, as long as there are some. They are known from now on.
    pub(crate) fn look_for_words(&mut self, max_length: usize) -> Result<(), StopReason> {
        if !self.collect_pieces()? {
            return Ok(());
        }
        let mut steps = 0;
        loop {
            self.collect_pieces()?;
            if self.pieces.runs.is_empty() {
                return Ok(());
            }
            for _ in 0..WALKS {
                self.budget.look()?;
                let mut rng = self.draw();
                let inputs = self.pieces.walk(&mut rng, max_length);
                let run = self.replayer.run_with_positions(&inputs, MAX_STEPS).replay;
                steps += run.outcome.steps;
                self.keep_if_run(&run, max_length);
            }
            if self.new_members.is_empty() || steps > WALK_STEPS {
                return Ok(());
            }
        }
    }

    fn run_at_random(&mut self) -> Result<(), StopReason> {
        for _ in 0..FIRST_RUNS {
            self.budget.look()?;
            let mut source = RandomInputs::new(self.draw(), Spread::Mixed);
            let own = Budget::steps(MAX_STEPS).cancelled_by(self.budget.canceller());
            let run = self.replayer.run_on(&mut source, &own);
            self.keep_if_run(&run, self.symbolic.max_events());
        }
        Ok(())
    }

    fn draw(&mut self) -> Rng {
        self.pieces.n_tried += 1;
        Rng::new(self.pieces.n_tried, 0x91ec)
    }

    /// Whether a question may cost the solver so much that runs are tried first.
    pub(crate) fn is_expensive(&self) -> bool {
        self.symbolic.encoding.terms.len() >= self.large
            || self.symbolic.statistics().propagations >= EXPENSIVE
    }

    /// Cuts the runs that are known since the last time. Returns whether pieces are of use at all.
    fn collect_pieces(&mut self) -> Result<bool, StopReason> {
        if !self.is_expensive() {
            return Ok(false);
        }
        if !self.pieces.has_begun {
            self.pieces.has_begun = true;
            self.run_at_random()?;
        }
        for word in std::mem::take(&mut self.new_members) {
            let Some(member) = self.member(&word) else {
                continue;
            };
            let run = (self.replayer).run_with_positions(&member.inputs, MAX_STEPS);
            if run.replay.word == word {
                let events = self.events_of(&word).to_vec();
                self.pieces
                    .learn(&events, run.replay.inputs(), &run.positions);
            }
        }
        Ok(true)
    }

    /// If that is a run within the bounds with a new word, not longer than this, the word is known from now on.
    fn keep_if_run(&mut self, run: &Replay, max_length: usize) {
        if !run.is_wanted || run.word.len() > max_length || self.knows(&run.word) {
            return;
        }
        // Most runs that are not within the bounds have words of which none is.
        let n_failed = self.pieces.failures.get(&run.word);
        if n_failed.is_some_and(|&(unwind, n)| unwind == self.unwind && n >= MAX_FAILURES) {
            return;
        }
        // None if the word is longer than there is room for.
        let literals = self.symbolic.word_literals(self.events_of(&run.word));
        if literals.is_empty() || !self.symbolic.holds_of(run.inputs(), self.unwind, &literals) {
            let failed = self.pieces.failures.entry(run.word.clone()).or_default();
            *failed = match *failed {
                (unwind, n) if unwind == self.unwind => (unwind, n + 1),
                _ => (self.unwind, 1),
            };
        } else {
            let inputs = run.inputs().iter().map(|input| input.bits).collect();
            let unwind = self.unwind;
            self.keep(run.word.clone(), Member { unwind, inputs });
        }
    }

    /// Whether a run with the word is known, within the bound.
    pub(crate) fn knows(&self, word: &[Letter]) -> bool {
        self.member(word).is_some_and(|m| m.unwind <= self.unwind)
    }
}

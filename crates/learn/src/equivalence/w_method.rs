//! Conformance tests that are complete up to a number of states.
//!
//! T. S. Chow, *Testing software design modeled by finite-state machines*, 1978 (W), and
//! S. Fujiwara et al., *Test selection based on finite state models*, 1991 (Wp). P is a set of
//! access words closed under one more letter, W tells all states of the hypothesis apart, m is the
//! number of states that the target may have in addition.
//!
//! * W: all words of P · Σ^≤m · W.
//! * Wp: (access words) · Σ^≤m · W, then the rest of P · Σ^≤m, each followed by words that tell
//!   the state reached from all others only.

use super::first_difference;
use crate::{EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle};
use idiolect_automata::{Letter, Moore, StateId, Word};
use idiolect_base::StopReason;
use rustc_hash::FxHashSet;

/// Asks for all words of the W-method.
#[derive(Clone, Debug)]
pub struct WMethod<M> {
    mq: M,
    extra_states: usize,
}

/// Asks for all words of the Wp-method: the same guarantee with fewer words.
#[derive(Clone, Debug)]
pub struct WpMethod<M> {
    mq: M,
    extra_states: usize,
}

impl<M> WMethod<M> {
    /// The target may have this many states more than the hypothesis.
    pub fn new(mq: M, extra_states: usize) -> Self {
        Self { mq, extra_states }
    }
}

impl<M> WpMethod<M> {
    /// The target may have this many states more than the hypothesis.
    pub fn new(mq: M, extra_states: usize) -> Self {
        Self { mq, extra_states }
    }
}

impl<M: MembershipOracle> EquivalenceOracle<M::Answer> for WMethod<M> {
    fn compare(
        &mut self,
        hypothesis: &Moore<M::Answer>,
    ) -> Result<EqAnswer<M::Answer>, StopReason> {
        let access = access_words(hypothesis);
        let separators = Separators::new(hypothesis);
        let words = cover(hypothesis, &access).flat_map(|prefix| {
            middles(hypothesis.n_letters(), self.extra_states).flat_map({
                let separators = &separators;
                move |middle| {
                    let front = [prefix.as_slice(), &middle].concat();
                    let ends = separators.all.iter();
                    ends.map(move |end| [front.as_slice(), end].concat())
                }
            })
        });
        answer(words, hypothesis, &mut self.mq, self.extra_states)
    }
}

impl<M: MembershipOracle> EquivalenceOracle<M::Answer> for WpMethod<M> {
    fn compare(
        &mut self,
        hypothesis: &Moore<M::Answer>,
    ) -> Result<EqAnswer<M::Answer>, StopReason> {
        let access = access_words(hypothesis);
        let separators = Separators::new(hypothesis);
        let (k, m) = (hypothesis.n_letters(), self.extra_states);
        let first = access.iter().flatten().flat_map(|prefix| {
            middles(k, m).flat_map({
                let separators = &separators;
                move |middle| {
                    let front = [prefix.as_slice(), &middle].concat();
                    let ends = separators.all.iter();
                    ends.map(move |end| [front.as_slice(), end].concat())
                }
            })
        });
        let second = cover(hypothesis, &access)
            .filter(|prefix| access.iter().flatten().all(|a| a != prefix))
            .flat_map(|prefix| {
                middles(k, m).flat_map({
                    let separators = &separators;
                    move |middle| {
                        let front = [prefix.as_slice(), &middle].concat();
                        let state = hypothesis.run(hypothesis.initial(), &front);
                        let ends = separators.of_state[state.index()].iter();
                        ends.map(move |&end| [front.as_slice(), &separators.all[end]].concat())
                    }
                })
            });
        answer(first.chain(second), hypothesis, &mut self.mq, m)
    }
}

fn answer<M: MembershipOracle>(
    words: impl Iterator<Item = Word>,
    hypothesis: &Moore<M::Answer>,
    mq: &mut M,
    extra_states: usize,
) -> Result<EqAnswer<M::Answer>, StopReason> {
    let mut asked: FxHashSet<Word> = FxHashSet::default();
    let words = words.filter(|w| asked.insert(w.clone()));
    Ok(match first_difference(words, hypothesis, mq)? {
        Some(cex) => EqAnswer::Differs(cex),
        None => EqAnswer::Agrees(Guarantee::UpToStates(hypothesis.n_states() + extra_states)),
    })
}

/// A shortest word to each state that can be reached.
fn access_words<O>(machine: &Moore<O>) -> Vec<Option<Word>> {
    let mut access: Vec<Option<Word>> = vec![None; machine.n_states()];
    access[machine.initial().index()] = Some(Word::new());
    let mut queue = vec![machine.initial()];
    let mut next = 0;
    while let Some(&q) = queue.get(next) {
        next += 1;
        for a in machine.letters() {
            let r = machine.step(q, a);
            if access[r.index()].is_none() {
                let mut word = access[q.index()].clone().unwrap_or_default();
                word.push(a);
                access[r.index()] = Some(word);
                queue.push(r);
            }
        }
    }
    access
}

/// The access words and their extensions by one letter, each once.
fn cover<'a, O>(
    machine: &'a Moore<O>,
    access: &'a [Option<Word>],
) -> impl Iterator<Item = Word> + 'a {
    let extended = access.iter().flatten().flat_map(move |word| {
        machine.letters().map(move |a| {
            let mut longer = word.clone();
            longer.push(a);
            longer
        })
    });
    std::iter::once(Word::new()).chain(extended)
}

/// All words of at most this length, short ones first.
fn middles(n_letters: usize, longest: usize) -> impl Iterator<Item = Word> {
    let mut next = Some(Word::new());
    std::iter::from_fn(move || {
        let word = next.take()?;
        let mut following = word.clone();
        let last = Letter::new(n_letters.saturating_sub(1));
        // Count up, the last letter fastest; after the last word of a length comes a longer one.
        match following.iter().rposition(|&a| a != last) {
            Some(i) => {
                following[i] = Letter(following[i].0 + 1);
                following[i + 1..].fill(Letter(0));
                next = Some(following);
            }
            None if word.len() < longest && n_letters > 0 => {
                next = Some(vec![Letter(0); word.len() + 1]);
            }
            None => {}
        }
        Some(word)
    })
}

/// Words that tell the states of a machine apart.
struct Separators {
    all: Vec<Word>,
    /// Positions in `all`.
    of_state: Vec<Vec<usize>>,
}

impl Separators {
    /// Words are added until the classes of states with the same outputs on all of them cannot be
    /// split. A new word separates two states of one class, and then splits all other classes too.
    fn new<O: Clone + Eq>(machine: &Moore<O>) -> Self {
        let n = machine.n_states();
        let mut all = vec![Word::new()];
        let mut class = vec![0usize; n];
        refine(machine, &mut class, &[]);
        let mut first: Vec<Option<usize>> = Vec::new();
        let mut q = 0;
        while q < n {
            first.resize(n, None);
            match first[class[q]] {
                Some(p) if p != q => {
                    if let Some(word) = machine.distinguish_states(StateId::new(p), StateId::new(q))
                    {
                        refine(machine, &mut class, &word);
                        all.push(word);
                        first = vec![None; n];
                        q = 0;
                        continue;
                    }
                }
                _ => first[class[q]] = Some(q),
            }
            q += 1;
        }
        let outputs: Vec<Vec<&O>> = all
            .iter()
            .map(|w| {
                let end = |q| machine.output(machine.run(StateId::new(q), w));
                (0..n).map(end).collect()
            })
            .collect();
        let of_state = (0..n)
            .map(|q| {
                let mut rest: Vec<usize> = (0..n).filter(|&p| class[p] != class[q]).collect();
                let mut chosen = Vec::new();
                for (i, output) in outputs.iter().enumerate() {
                    let before = rest.len();
                    rest.retain(|&p| output[p] == output[q]);
                    if rest.len() < before {
                        chosen.push(i);
                    }
                }
                if chosen.is_empty() {
                    chosen.push(0);
                }
                chosen
            })
            .collect();
        Self { all, of_state }
    }
}

/// Splits classes by the output after a word.
fn refine<O: Clone + Eq>(machine: &Moore<O>, class: &mut [usize], word: &[Letter]) {
    let mut known: Vec<(usize, &O)> = Vec::new();
    for (q, class) in class.iter_mut().enumerate() {
        let key = (*class, machine.output(machine.run(StateId::new(q), word)));
        let at = known.iter().position(|k| *k == key);
        *class = at.unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        });
    }
}

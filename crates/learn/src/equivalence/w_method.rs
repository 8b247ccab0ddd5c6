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
//!
//! Access words are those of a breadth-first tree. So each word of P · Σ^≤m is in one way an access
//! word, the longest that it begins with, and a rest of at most m + 1 letters of which the first is
//! not in the tree. Going through these, short rests first, meets every word once and keeps none.
//!
//! [`RandomWp`] draws from the words of Wp with rests of any length, which promises nothing and
//! finds what many random walks do not.

use super::first_difference;
use crate::{EqAnswer, EquivalenceOracle, Guarantee, Machine, MembershipOracle};
use idiolect_automata::{Letter, StateId, Word};
use idiolect_base::{Rng, StopReason};
use rustc_hash::FxHashMap;

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

/// Asks for random words of the Wp-method, without a bound on the states of the target.
#[derive(Clone, Debug)]
pub struct RandomWp<M> {
    mq: M,
    n_words: u64,
    mean_rest: u64,
    rng: Rng,
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

impl<M> RandomWp<M> {
    /// Tries `n_words` words in each comparison; between an access word and a word that tells states
    /// apart there are `mean_rest` letters on average.
    pub fn new(mq: M, n_words: u64, mean_rest: u64, rng: Rng) -> Self {
        Self {
            mq,
            n_words,
            mean_rest,
            rng,
        }
    }
}

impl<M: MembershipOracle, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H> for WMethod<M> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
        complete(hypothesis, &mut self.mq, self.extra_states, false)
    }
}

impl<M: MembershipOracle, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H> for WpMethod<M> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
        complete(hypothesis, &mut self.mq, self.extra_states, true)
    }
}

impl<M: MembershipOracle, H: Machine<M::Answer>> EquivalenceOracle<M::Answer, H> for RandomWp<M> {
    fn compare(&mut self, hypothesis: &H) -> Result<EqAnswer<M::Answer>, StopReason> {
        let tree = AccessTree::new(hypothesis);
        let separators = Separators::new(hypothesis, self.mq.gives_prefixes());
        let (k, rng, mean) = (hypothesis.n_letters() as u64, &mut self.rng, self.mean_rest);
        let words = (0..self.n_words).map(|_| {
            let q = tree.order[rng.below(tree.order.len() as u64) as usize];
            let mut word = tree.word(q);
            while k > 0 && !rng.chance(1, mean + 1) {
                word.push(Letter(rng.below(k) as u32));
            }
            let ends = if rng.chance(1, 2) {
                &separators.everywhere
            } else {
                let state = hypothesis.run(hypothesis.initial(), &word);
                &separators.of_state[state.index()]
            };
            if !ends.is_empty() {
                let end = ends[rng.below(ends.len() as u64) as usize];
                word.extend_from_slice(&separators.all[end]);
            }
            word
        });
        Ok(match first_difference(words, hypothesis, &mut self.mq)? {
            Some(cex) => EqAnswer::Differs(cex),
            None => EqAnswer::Agrees(Guarantee::Tested {
                words: self.n_words,
            }),
        })
    }
}

fn complete<M: MembershipOracle, H: Machine<M::Answer>>(
    hypothesis: &H,
    mq: &mut M,
    extra_states: usize,
    partial: bool,
) -> Result<EqAnswer<M::Answer>, StopReason> {
    let tree = AccessTree::new(hypothesis);
    let separators = Separators::new(hypothesis, mq.gives_prefixes());
    let words = tree.fronts(hypothesis, extra_states).flat_map(|front| {
        let separators = &separators;
        let ends = if partial && front.rest > extra_states {
            let state = hypothesis.run(hypothesis.initial(), &front.word);
            &separators.of_state[state.index()]
        } else {
            &separators.everywhere
        };
        let with_end = move |&end: &usize| [front.word.as_slice(), &separators.all[end]].concat();
        ends.iter().map(with_end)
    });
    // A word without letters is a question only where it has an answer.
    let words = words.filter(|word| !word.is_empty() || hypothesis.empty_answer().is_some());
    Ok(match first_difference(words, hypothesis, mq)? {
        Some(cex) => EqAnswer::Differs(cex),
        None => EqAnswer::Agrees(Guarantee::UpToStates(hypothesis.n_states() + extra_states)),
    })
}

/// A word of P · Σ^≤m.
struct Front {
    word: Word,
    /// The letters after the longest access word.
    rest: usize,
}

/// Shortest words to all states that can be reached.
pub(super) struct AccessTree {
    /// The states in breadth-first order.
    pub(super) order: Vec<StateId>,
    /// How a state is reached; `None` for the initial one and for those that are not reached.
    parent: Vec<Option<(StateId, Letter)>>,
}

impl AccessTree {
    pub(super) fn new<O>(machine: &impl Machine<O>) -> Self {
        let mut parent = vec![None; machine.n_states()];
        let mut seen = vec![false; machine.n_states()];
        seen[machine.initial().index()] = true;
        let mut order = vec![machine.initial()];
        let mut next = 0;
        while let Some(&q) = order.get(next) {
            next += 1;
            for a in machine.letters() {
                let r = machine.step(q, a);
                if !std::mem::replace(&mut seen[r.index()], true) {
                    parent[r.index()] = Some((q, a));
                    order.push(r);
                }
            }
        }
        Self { order, parent }
    }

    pub(super) fn word(&self, state: StateId) -> Word {
        let mut word = Word::new();
        let mut at = state;
        while let Some((before, a)) = self.parent[at.index()] {
            word.push(a);
            at = before;
        }
        word.reverse();
        word
    }

    /// All words of P · Σ^≤m, each once.
    fn fronts<'a, O>(
        &'a self,
        machine: &'a impl Machine<O>,
        m: usize,
    ) -> impl Iterator<Item = Front> + 'a {
        (0..=m + 1).flat_map(move |rest| {
            self.order.iter().flat_map(move |&q| {
                let access = self.word(q);
                words_of_length(machine.n_letters(), rest)
                    .filter(move |rest| rest.first().is_none_or(|&a| !self.has(machine, q, a)))
                    .map(move |end| Front {
                        word: [access.as_slice(), &end].concat(),
                        rest,
                    })
            })
        })
    }

    /// Whether a step is in the tree.
    fn has<O>(&self, machine: &impl Machine<O>, from: StateId, letter: Letter) -> bool {
        self.parent[machine.step(from, letter).index()] == Some((from, letter))
    }
}

/// All words of a length, in order.
fn words_of_length(n_letters: usize, length: usize) -> impl Iterator<Item = Word> {
    let mut next = (n_letters > 0 || length == 0).then(|| vec![Letter(0); length]);
    std::iter::from_fn(move || {
        let word = next.take()?;
        let mut following = word.clone();
        let last = Letter::new(n_letters.saturating_sub(1));
        // Count up, the last letter fastest.
        if let Some(i) = following.iter().rposition(|&a| a != last) {
            following[i] = Letter(following[i].0 + 1);
            following[i + 1..].fill(Letter(0));
            next = Some(following);
        }
        Some(word)
    })
}

/// Words that tell the states of a machine apart.
struct Separators {
    all: Vec<Word>,
    /// Positions in `all` of words that tell all states apart.
    everywhere: Vec<usize>,
    /// For each state the positions of words that tell it from all others.
    of_state: Vec<Vec<usize>>,
}

impl Separators {
    /// Words are added until the classes of states with the same answers on all of them cannot be
    /// split. A new word separates two states of one class, and then splits all other classes too.
    ///
    /// With `prefixes` all answers on the way count, and a word that another one begins with is left
    /// out.
    fn new<O: Clone + Eq, H: Machine<O>>(machine: &H, prefixes: bool) -> Self {
        let n = machine.n_states();
        let mut all: Vec<Word> = Vec::new();
        let mut class = vec![0usize; n];
        if !H::ANSWERS_STEPS {
            all.push(Word::new());
            refine(machine, &mut class, &[], prefixes);
        }
        let mut first: Vec<Option<usize>> = vec![None; n];
        let mut q = 0;
        while q < n {
            match first[class[q]] {
                Some(p) if p != q => {
                    if let Some(word) = machine.separator(StateId::new(p), StateId::new(q)) {
                        refine(machine, &mut class, &word, prefixes);
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
        if prefixes && all.len() > 1 {
            let longer = all.clone();
            all.retain(|word| {
                !longer
                    .iter()
                    .any(|other| other.len() > word.len() && other.starts_with(word))
            });
        }
        if all.is_empty() {
            // One state: a front is all there is to see.
            all.push(Word::new());
        }
        let outcomes: Vec<Vec<usize>> = all
            .iter()
            .map(|word| {
                let mut class = vec![0; n];
                refine(machine, &mut class, word, prefixes);
                class
            })
            .collect();
        let of_state = (0..n)
            .map(|q| {
                let mut rest: Vec<usize> = (0..n).filter(|&p| class[p] != class[q]).collect();
                let mut chosen = Vec::new();
                for (i, outcome) in outcomes.iter().enumerate() {
                    let before = rest.len();
                    rest.retain(|&p| outcome[p] == outcome[q]);
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
        Self {
            everywhere: (0..all.len()).collect(),
            all,
            of_state,
        }
    }
}

/// Splits classes by the answer to a word or, with `prefixes`, by all answers on its way. Classes are
/// numbered from 0 in the order of their first states.
fn refine<O: Clone + Eq, H: Machine<O>>(
    machine: &H,
    class: &mut [usize],
    word: &[Letter],
    prefixes: bool,
) {
    // Answers as small numbers, so that they can be hashed.
    let mut values: Vec<&O> = Vec::new();
    let mut known: FxHashMap<(usize, Vec<usize>), usize> = FxHashMap::default();
    for (q, class) in class.iter_mut().enumerate() {
        let state = StateId::new(q);
        let mut seen = machine.answers_from(state, word);
        if let Some(own) = machine.state_answer(state) {
            seen.insert(0, own);
        }
        let from = if prefixes {
            0
        } else {
            seen.len().saturating_sub(1)
        };
        let ids = seen[from..].iter().map(|&answer| {
            let known = values.iter().position(|&v| v == answer);
            known.unwrap_or_else(|| {
                values.push(answer);
                values.len() - 1
            })
        });
        let key = (*class, ids.collect());
        let fresh = known.len();
        *class = *known.entry(key).or_insert(fresh);
    }
}

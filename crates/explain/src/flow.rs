//! What the control-flow graph says about words before anybody solves anything.

use idiolect_automata::{Dfa, Letter, Nfa, StateId, Trimmed};
use rustc_hash::FxHashSet;

/// Beyond so many states the graph is asked word by word.
const MAX_STATES: usize = 20_000;

/// The words that some path of the control-flow graph has, calls and returns not matched. It is
/// the same for all bounds, so what it refutes stays refuted.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    nfa: Nfa,
    dfa: Option<Dfa>,
}

impl Flow {
    pub(crate) fn new(nfa: Nfa) -> Self {
        let nfa = nfa.trim();
        let dfa = nfa.determinize(MAX_STATES).ok().map(|d| d.minimize());
        Self { nfa, dfa }
    }

    /// As one deterministic automaton, if that is not too large.
    pub(crate) fn dfa(&self) -> Option<&Dfa> {
        self.dfa.as_ref()
    }

    pub(crate) fn accepts(&self, word: &[Letter]) -> bool {
        match &self.dfa {
            Some(dfa) => dfa.accepts(word),
            None => self.nfa.accepts(word),
        }
    }

    /// How many letters of the word some path has before it is left.
    pub(crate) fn longest_prefix(&self, word: &[Letter]) -> usize {
        let Some(dfa) = &self.dfa else {
            return word.len();
        };
        let live = dfa.live_states();
        let mut state = dfa.initial();
        for (i, &letter) in word.iter().enumerate() {
            state = dfa.step(state, letter);
            if !live[state.index()] {
                return i;
            }
        }
        word.len()
    }

    /// The length of the shortest word, if there is one.
    pub(crate) fn shortest(&self) -> Option<usize> {
        self.nfa.shortest_accepted().map(|word| word.len())
    }

    /// The automaton as a person wants to see it: without its sink, and without transitions that
    /// no accepted word of the graph takes. A learner may send what cannot happen anywhere.
    pub(crate) fn trim(&self, dfa: &Dfa) -> Trimmed {
        let trimmed = dfa.trim();
        let Some(flow) = &self.dfa else {
            return trimmed;
        };
        let used = used_transitions(&trimmed, flow);
        trimmed.without(|state, letter| !used.contains(&(state, letter)))
    }
}

/// The transitions that words accepted by both take.
fn used_transitions(trimmed: &Trimmed, flow: &Dfa) -> FxHashSet<(StateId, Letter)> {
    let n_flow = flow.n_states();
    let number = |q: StateId, f: StateId| q.index() * n_flow + f.index();
    let n_pairs = trimmed.n_states() * n_flow;
    let mut is_reached = vec![false; n_pairs];
    let mut edges: Vec<(StateId, StateId, Letter, usize)> = Vec::new();
    let mut work = vec![(trimmed.initial(), flow.initial())];
    is_reached[number(trimmed.initial(), flow.initial())] = true;
    while let Some((q, f)) = work.pop() {
        for letter in flow.letters() {
            let Some(to) = trimmed.step(q, letter) else {
                continue;
            };
            let f_to = flow.step(f, letter);
            edges.push((q, f, letter, number(to, f_to)));
            if !is_reached[number(to, f_to)] {
                is_reached[number(to, f_to)] = true;
                work.push((to, f_to));
            }
        }
    }
    let mut is_live = vec![false; n_pairs];
    for q in trimmed.states().filter(|&q| trimmed.is_accepting(q)) {
        for f in flow.states().filter(|&f| flow.is_accepting(f)) {
            is_live[number(q, f)] = is_reached[number(q, f)];
        }
    }
    // Backwards until nothing changes; the products are small, and edges come nearly in order.
    loop {
        let mut changed = false;
        for &(q, f, _, to) in edges.iter().rev() {
            if is_live[to] && !is_live[number(q, f)] {
                is_live[number(q, f)] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    edges
        .into_iter()
        .filter(|&(_, _, _, to)| is_live[to])
        .map(|(q, _, letter, _)| (q, letter))
        .collect()
}

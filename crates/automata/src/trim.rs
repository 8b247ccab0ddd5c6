//! Automata as people look at them: a [`Trimmed`] DFA has no dead states, and a missing transition
//! rejects. On this form the post-processing of M. Chapman, H. Chockler, P. Kesseli, D. Kroening,
//! O. Strichman and M. Tautschnig, *Learning the Language of Software Errors*, §7.2, makes sense:
//!
//! | paper | here |
//! |---|---|
//! | removing the (non-accepting) sink state | [`Dfa::trim`] |
//! | marking dominating edges, event by event | [`Trimmed::dominating_letters`] |
//! | marking doomed states: the accepting state is inevitable | [`Trimmed::doomed_states`] |
//!
//! The paper says that a sink always exists. It need not (a learner may send what cannot happen
//! anywhere), so transitions that are known to be impossible can be taken out with
//! [`Trimmed::without`] before anything is marked. Beside the paper's events we find the single
//! edges that every accepted word takes, [`Trimmed::dominating_edges`].

use crate::backward::Backward;
use crate::{Dfa, Letter, StateId};
use std::collections::VecDeque;

/// A DFA without states from which no word is accepted, except that the initial state is always
/// there. State 0 is initial; states are in breadth-first order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trimmed {
    n_letters: usize,
    accepting: Vec<bool>,
    delta: Vec<Option<StateId>>,
    origin: Vec<StateId>,
}

/// What [`Trimmed::marks`] finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    /// One for each state.
    pub doomed: Vec<bool>,
    /// One for each letter.
    pub dominating: Vec<bool>,
}

impl Dfa {
    /// The part that a person wants to see: states between the initial and an accepting one.
    ///
    /// ```
    /// use idiolect_automata::{Dfa, Letter};
    /// let trimmed = Dfa::of_word(2, &[Letter(0)]).trim();
    /// assert_eq!((trimmed.n_states(), trimmed.edges().count()), (2, 1));
    /// ```
    pub fn trim(&self) -> Trimmed {
        Trimmed::new(self, |_, _| true)
    }
}

impl Trimmed {
    /// The trimmed form of a DFA of which only the transitions that `keep` accepts are there.
    pub fn new(dfa: &Dfa, mut keep: impl FnMut(StateId, Letter) -> bool) -> Self {
        let partial = Self {
            n_letters: dfa.n_letters(),
            accepting: dfa.outputs().to_vec(),
            delta: (dfa.states())
                .flat_map(|q| dfa.letters().map(move |a| (q, a)))
                .map(|(q, a)| keep(q, a).then(|| dfa.step(q, a)))
                .collect(),
            origin: dfa.states().collect(),
        };
        partial.trimmed(dfa.initial())
    }

    /// The same without some transitions, such as those that no control flow allows; states that
    /// are useless then go too.
    #[must_use]
    pub fn without(&self, mut remove: impl FnMut(StateId, Letter) -> bool) -> Self {
        let mut partial = self.clone();
        for (q, a, _) in self.edges() {
            if remove(q, a) {
                partial.delta[q.index() * self.n_letters + a.index()] = None;
            }
        }
        partial.trimmed(StateId(0))
    }

    fn trimmed(&self, initial: StateId) -> Self {
        let live = self.backward().closure(self.accepting.clone());
        let mut number = vec![None; self.n_states()];
        number[initial.index()] = Some(StateId(0));
        let mut order = vec![initial];
        let mut done = 0;
        while done < order.len() {
            for to in self.row(order[done]).iter().flatten() {
                if live[to.index()] && number[to.index()].is_none() {
                    number[to.index()] = Some(StateId::new(order.len()));
                    order.push(*to);
                }
            }
            done += 1;
        }
        let delta = (order.iter())
            .flat_map(|&q| self.row(q))
            .map(|to| {
                to.filter(|to| live[to.index()])
                    .and_then(|to| number[to.index()])
            })
            .collect();
        Self {
            n_letters: self.n_letters,
            accepting: order.iter().map(|&q| self.is_accepting(q)).collect(),
            delta,
            origin: order.iter().map(|&q| self.origin[q.index()]).collect(),
        }
    }

    pub fn n_states(&self) -> usize {
        self.accepting.len()
    }

    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    pub fn initial(&self) -> StateId {
        StateId(0)
    }

    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.n_states()).map(StateId::new)
    }

    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state.index()]
    }

    /// Where a letter leads, if it leads to acceptance at all.
    pub fn step(&self, from: StateId, letter: Letter) -> Option<StateId> {
        self.row(from)[letter.index()]
    }

    fn row(&self, from: StateId) -> &[Option<StateId>] {
        &self.delta[from.index() * self.n_letters..][..self.n_letters]
    }

    /// The transitions, by state and then letter.
    pub fn edges(&self) -> impl Iterator<Item = (StateId, Letter, StateId)> + '_ {
        self.states().flat_map(move |q| {
            (self.row(q).iter().enumerate())
                .filter_map(move |(a, to)| to.map(|to| (q, Letter::new(a), to)))
        })
    }

    /// The state of the DFA that this state was.
    pub fn origin(&self, state: StateId) -> StateId {
        self.origin[state.index()]
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        !self.accepting.contains(&true)
    }

    pub fn accepts(&self, word: &[Letter]) -> bool {
        (word.iter())
            .try_fold(StateId(0), |q, &a| self.step(q, a))
            .is_some_and(|q| self.is_accepting(q))
    }

    /// The complete DFA: missing transitions lead to a rejecting sink, the last state, which is
    /// there only if one is missing.
    pub fn complete(&self) -> Dfa {
        let sink = StateId::new(self.n_states());
        let mut accepting = self.accepting.clone();
        let mut delta: Vec<StateId> = self.delta.iter().map(|to| to.unwrap_or(sink)).collect();
        if delta.contains(&sink) {
            accepting.push(false);
            delta.extend(std::iter::repeat_n(sink, self.n_letters));
        }
        Dfa::from_table(self.n_letters, accepting, delta)
    }

    /// For every letter, whether each accepted word contains it: without its transitions no
    /// accepting state could be reached. All false for the empty language.
    pub fn dominating_letters(&self) -> Vec<bool> {
        let mut dominating = vec![false; self.n_letters];
        // Only letters of one accepted word, say a shortest, can be in all of them.
        for &(q, a) in &self.shortest_path().unwrap_or_default() {
            debug_assert!(self.step(q, a).is_some());
            if !dominating[a.index()] {
                dominating[a.index()] = !self.accepts_some(|_, b| b != a);
            }
        }
        dominating
    }

    /// The transitions that the run of each accepted word takes, in the order in which they are
    /// taken first. Linear in the number of transitions.
    pub fn dominating_edges(&self) -> Vec<(StateId, Letter)> {
        let Some(path) = self.shortest_path() else {
            return Vec::new();
        };
        // Explore from the start of the path without its edges. As long as that gets to a later
        // state of the path (or to acceptance, which counts as behind its end), the edges before
        // can be bypassed; where it gets no further, the next edge is the only way on.
        let mut place = vec![None; self.n_states()];
        for (i, &(q, _)) in path.iter().enumerate() {
            place[q.index()] = Some(i);
        }
        let end = (path.last())
            .and_then(|&(q, a)| self.step(q, a))
            .unwrap_or(StateId(0));
        place[end.index()] = Some(path.len());
        let mut seen = vec![false; self.n_states()];
        let mut stack = Vec::new();
        let mut furthest = 0;
        let mut dominating = Vec::new();
        for (i, &(start, letter)) in path.iter().enumerate() {
            if !std::mem::replace(&mut seen[start.index()], true) {
                stack.push(start);
            }
            while let Some(q) = stack.pop() {
                if self.is_accepting(q) {
                    furthest = path.len();
                }
                for (a, to) in self.row(q).iter().enumerate() {
                    let on_path =
                        place[q.index()].is_some_and(|j| path.get(j) == Some(&(q, Letter::new(a))));
                    let Some(to) = to.filter(|_| !on_path) else {
                        continue;
                    };
                    furthest = furthest.max(place[to.index()].unwrap_or(0));
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push(to);
                    }
                }
            }
            if furthest <= i {
                dominating.push((start, letter));
            }
            furthest = furthest.max(i + 1);
        }
        dominating
    }

    /// For every state, whether acceptance is inevitable once it is reached: each way on from it
    /// comes to an accepting state after finitely many letters. Accepting states are doomed, and
    /// a state on a cycle that avoids them is not.
    pub fn doomed_states(&self) -> Vec<bool> {
        // The least set with the accepting states and every state all of whose transitions lead
        // into the set. No state but perhaps the initial one is without transitions and not
        // accepting, because the automaton is trimmed.
        let backward = self.backward();
        let mut left: Vec<usize> = (self.states())
            .map(|q| self.row(q).iter().flatten().count())
            .collect();
        let mut doomed = self.accepting.clone();
        let mut stack: Vec<StateId> = self.states().filter(|&q| self.is_accepting(q)).collect();
        while let Some(q) = stack.pop() {
            for &p in backward.sources(q.index()) {
                left[p as usize] -= 1;
                if left[p as usize] == 0 && !std::mem::replace(&mut doomed[p as usize], true) {
                    stack.push(StateId(p));
                }
            }
        }
        doomed
    }

    /// All marks that the explanation of an error shows.
    pub fn marks(&self) -> Marks {
        Marks {
            doomed: self.doomed_states(),
            dominating: self.dominating_letters(),
        }
    }

    fn backward(&self) -> Backward {
        let k = self.n_letters.max(1);
        let edges = self.delta.iter().enumerate();
        let edges = edges.filter_map(|(i, to)| to.map(|to| (i / k, to.index())));
        Backward::new(self.n_states(), edges)
    }

    fn accepts_some(&self, keep: impl Fn(StateId, Letter) -> bool) -> bool {
        self.search(keep).is_some()
    }

    /// The run of a shortest accepted word, as the transitions it takes.
    fn shortest_path(&self) -> Option<Vec<(StateId, Letter)>> {
        self.search(|_, _| true)
    }

    fn search(&self, keep: impl Fn(StateId, Letter) -> bool) -> Option<Vec<(StateId, Letter)>> {
        let mut parent = vec![None; self.n_states()];
        let mut seen = vec![false; self.n_states()];
        seen[0] = true;
        let mut queue = VecDeque::from([StateId(0)]);
        while let Some(q) = queue.pop_front() {
            if self.is_accepting(q) {
                let mut path = Vec::new();
                let mut at = q;
                while let Some((before, a)) = parent[at.index()] {
                    path.push((before, a));
                    at = before;
                }
                path.reverse();
                return Some(path);
            }
            for (a, to) in self.row(q).iter().enumerate() {
                let a = Letter::new(a);
                if let Some(to) = to
                    && keep(q, a)
                    && !std::mem::replace(&mut seen[to.index()], true)
                {
                    parent[to.index()] = Some((q, a));
                    queue.push_back(*to);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Trimmed;
    use crate::testing::{any_dfa, words_shorter_than};
    use crate::{Alphabet, Dfa, Letter, StateId};
    use proptest::prelude::*;

    /// The three states that L* learns for Figure 6 of the paper: what cannot happen leads back to
    /// the start.
    fn raw_example() -> (Dfa, Alphabet) {
        let alphabet = Alphabet::new(["g", "f", "assert"]);
        let dfa = Dfa::from_fn(3, &[false, false, true], |q, a| match (q, a.index()) {
            (0, 1) => 1,
            (1, 2) => 2,
            _ => 0,
        });
        (dfa, alphabet)
    }

    fn displayed_example() -> (Trimmed, Alphabet) {
        let (dfa, alphabet) = raw_example();
        let possible = [(0, 0), (0, 1), (1, 2)];
        let trimmed = dfa.trim().without(|q, a| !possible.contains(&(q.0, a.0)));
        (trimmed, alphabet)
    }

    #[test]
    fn the_displayed_form_of_the_example() {
        let (trimmed, alphabet) = displayed_example();
        let edges: Vec<String> = (trimmed.edges())
            .map(|(p, a, q)| format!("q{} -{}-> q{}", p.0, alphabet.name(a), q.0))
            .collect();
        assert_eq!(edges, ["q0 -g-> q0", "q0 -f-> q1", "q1 -assert-> q2"]);
        let accepting: Vec<bool> = trimmed.states().map(|q| trimmed.is_accepting(q)).collect();
        assert_eq!(accepting, [false, false, true]);
    }

    #[test]
    fn marks_of_the_example() {
        let (trimmed, _) = displayed_example();
        let marks = trimmed.marks();
        assert_eq!(marks.dominating, [false, true, true]);
        assert_eq!(marks.doomed, [false, true, true]);
        let edges = [(StateId(0), Letter(1)), (StateId(1), Letter(2))];
        assert_eq!(trimmed.dominating_edges(), edges);
    }

    #[test]
    fn in_the_raw_form_only_the_end_is_doomed() {
        let (dfa, _) = raw_example();
        assert_eq!(dfa.trim().doomed_states(), [false, false, true]);
    }

    #[test]
    fn an_event_on_two_edges_dominates_though_neither_edge_does() {
        // Two ways to the end, a then b or c then b.
        let words = [[0, 1], [2, 1]].map(|w| w.map(Letter).to_vec());
        let trimmed = words.into_iter().collect::<Dfa>().trim();
        assert_eq!(trimmed.dominating_letters(), [false, true, false]);
        assert_eq!(trimmed.dominating_edges(), []);
    }

    #[test]
    fn the_empty_language_keeps_its_initial_state() {
        let trimmed = Dfa::none(2).trim();
        assert_eq!((trimmed.n_states(), trimmed.edges().count()), (1, 0));
        assert!(trimmed.is_empty());
        assert_eq!(trimmed.marks().doomed, [false]);
        assert_eq!(trimmed.marks().dominating, [false, false]);
        assert!(trimmed.complete().is_empty());
    }

    proptest! {
        #[test]
        fn trimming_keeps_the_language_and_nothing_useless(dfa in any_dfa(6, 2)) {
            let trimmed = dfa.trim();
            for word in words_shorter_than(7, 2) {
                prop_assert_eq!(trimmed.accepts(&word), dfa.accepts(&word));
            }
            prop_assert!(trimmed.complete().is_equivalent(&dfa));
            let live = dfa.live_states();
            for q in trimmed.states().skip(1) {
                prop_assert!(live[trimmed.origin(q).index()]);
            }
        }

        #[test]
        fn a_dominating_letter_is_in_every_word(dfa in any_dfa(6, 3)) {
            let trimmed = dfa.trim();
            let dominating = trimmed.dominating_letters();
            for a in dfa.letters() {
                let keep: Vec<Letter> = dfa.letters().filter(|&b| a != b).collect();
                let needed = !dfa.is_empty() && dfa.restrict(&keep).is_empty();
                prop_assert_eq!(dominating[a.index()], needed);
            }
        }

        #[test]
        fn a_dominating_edge_is_on_every_run(dfa in any_dfa(7, 2)) {
            let trimmed = dfa.trim();
            let edges = trimmed.dominating_edges();
            for (q, a, _) in trimmed.edges() {
                let needed = !trimmed.accepts_some(|p, b| (p, b) != (q, a));
                prop_assert_eq!(edges.contains(&(q, a)), needed, "{:?} {:?}", q, a);
            }
        }

        #[test]
        fn a_doomed_state_has_no_long_way_around(dfa in any_dfa(6, 2)) {
            let trimmed = dfa.trim();
            let doomed = trimmed.doomed_states();
            // A way that avoids acceptance for as many steps as there are states goes in circles.
            for start in trimmed.states() {
                let mut avoiding = vec![start];
                avoiding.retain(|&q| !trimmed.is_accepting(q));
                for _ in 0..trimmed.n_states() {
                    let mut next: Vec<StateId> = avoiding.iter()
                        .flat_map(|&q| trimmed.row(q).iter().flatten().copied())
                        .filter(|&q| !trimmed.is_accepting(q))
                        .collect();
                    next.sort();
                    next.dedup();
                    avoiding = next;
                }
                let expected = avoiding.is_empty() && !trimmed.is_empty();
                prop_assert_eq!(doomed[start.index()], expected);
            }
        }
    }
}

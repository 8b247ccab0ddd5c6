//! Minimization by partition refinement: J. Hopcroft, *An n log n algorithm for minimizing states
//! in a finite automaton*, 1971.
//!
//! | paper | here |
//! |---|---|
//! | B(i) | the states `members[start[i]..end[i]]` |
//! | δ⁻¹(s, a) | `sources[offsets[s·k + a]..offsets[s·k + a + 1]]` |
//! | L(a), the splitters to do | `pending`, one list for all letters |
//!
//! A splitter is a block with all letters at once rather than one letter each. The bound stays
//! O(k·n·log n): a state is in a splitter at most log n times, since each time the splitter is at
//! most half of the block it was in before. Blocks live in one permuted array, as in A. Valmari,
//! *Fast brief practical DFA minimization*, 2012, so that a split moves only the marked states.

use crate::{Moore, StateId};
use rustc_hash::FxHashMap;
use std::hash::Hash;

impl<O: Clone + Eq + Hash> Moore<O> {
    /// The smallest machine with the same outputs on all words, in canonical form: two machines
    /// are equivalent exactly if their minimal forms are equal.
    ///
    /// O(k·n·log n) for n states and k letters.
    #[must_use]
    pub fn minimize(&self) -> Self {
        let machine = self.canonical();
        let classes = machine.equivalence_classes();
        let n_classes = classes.iter().max().map_or(0, |&c| c as usize + 1);
        if n_classes == machine.n_states() {
            return machine;
        }
        let mut member = vec![StateId(u32::MAX); n_classes];
        for q in machine.states() {
            member[classes[q.index()] as usize] = q;
        }
        let outputs = member.iter().map(|&q| machine.output(q).clone()).collect();
        let delta = (member.iter())
            .flat_map(|&q| {
                machine
                    .row(q)
                    .iter()
                    .map(|next| StateId(classes[next.index()]))
            })
            .collect();
        let mut quotient = Self::from_table(machine.n_letters(), outputs, delta);
        quotient.set_initial(StateId(classes[machine.initial().index()]));
        quotient.canonical()
    }

    /// Whether no machine with fewer states gives the same outputs.
    pub fn is_minimal(&self) -> bool {
        self.minimize().n_states() == self.n_states()
    }

    /// For every state, reachable or not, the number of its class: states have the same number
    /// exactly if the outputs on all words from them agree.
    pub fn equivalence_classes(&self) -> Vec<u32> {
        let k = self.n_letters();
        let mut class_of_output: FxHashMap<&O, u32> = FxHashMap::default();
        let mut colors = Vec::with_capacity(self.n_states());
        for output in self.outputs() {
            let fresh = class_of_output.len() as u32;
            colors.push(*class_of_output.entry(output).or_insert(fresh));
        }
        let mut partition = Partition::new(colors, class_of_output.len());
        let inverse = Inverse::new(self.table(), k, self.n_states());

        // The set of all states splits nothing (the machine is complete), so one block, the
        // largest, need not be a splitter: what it splits, the others together split too.
        let largest = (0..partition.n_blocks()).max_by_key(|&b| partition.len(b));
        let mut is_pending: Vec<bool> = (0..partition.n_blocks())
            .map(|b| Some(b) != largest)
            .collect();
        let mut pending: Vec<usize> = (0..partition.n_blocks())
            .filter(|&b| is_pending[b])
            .collect();

        let mut splitter = Vec::new();
        while let Some(block) = pending.pop() {
            is_pending[block] = false;
            // A copy, because the splitter may be split by itself, and all letters are to use it
            // as it was.
            splitter.clear();
            splitter.extend_from_slice(partition.members(block));
            for a in 0..k {
                for &q in &splitter {
                    for &source in inverse.of(q, a) {
                        partition.mark(source);
                    }
                }
                partition.split(|old, new, partition| {
                    let smaller = if partition.len(new) <= partition.len(old) {
                        new
                    } else {
                        old
                    };
                    is_pending.push(false);
                    let add = if is_pending[old] { new } else { smaller };
                    is_pending[add] = true;
                    pending.push(add);
                });
            }
        }
        partition.block_of
    }
}

/// The transitions backwards: for state `q` and letter `a` the states that `a` takes to `q`.
struct Inverse {
    n_letters: usize,
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Inverse {
    fn new(table: &[StateId], n_letters: usize, n_states: usize) -> Self {
        let slot = |i: usize, to: StateId| to.index() * n_letters + i % n_letters.max(1);
        let mut offsets = vec![0u32; n_states * n_letters + 1];
        for (i, &to) in table.iter().enumerate() {
            offsets[slot(i, to) + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut fill = offsets.clone();
        let mut sources = vec![0u32; table.len()];
        for (i, &to) in table.iter().enumerate() {
            let at = &mut fill[slot(i, to)];
            sources[*at as usize] = (i / n_letters) as u32;
            *at += 1;
        }
        Self {
            n_letters,
            offsets,
            sources,
        }
    }

    fn of(&self, q: u32, a: usize) -> &[u32] {
        let i = q as usize * self.n_letters + a;
        &self.sources[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

/// A partition of `0..n` whose blocks can be split by marked elements in time proportional to the
/// number of marks.
struct Partition {
    /// The elements, block after block; within a block the marked ones first.
    members: Vec<u32>,
    /// Where an element stands in `members`.
    place: Vec<u32>,
    block_of: Vec<u32>,
    start: Vec<u32>,
    end: Vec<u32>,
    marked: Vec<u32>,
    touched: Vec<u32>,
}

impl Partition {
    fn new(block_of: Vec<u32>, n_blocks: usize) -> Self {
        let mut start = vec![0u32; n_blocks + 1];
        for &block in &block_of {
            start[block as usize + 1] += 1;
        }
        for b in 0..n_blocks {
            start[b + 1] += start[b];
        }
        let mut fill = start.clone();
        let mut members = vec![0u32; block_of.len()];
        let mut place = vec![0u32; block_of.len()];
        for (q, &block) in block_of.iter().enumerate() {
            let at = &mut fill[block as usize];
            members[*at as usize] = q as u32;
            place[q] = *at;
            *at += 1;
        }
        let end = start[1..].to_vec();
        start.pop();
        Self {
            members,
            place,
            block_of,
            marked: vec![0; n_blocks],
            start,
            end,
            touched: Vec::new(),
        }
    }

    fn n_blocks(&self) -> usize {
        self.start.len()
    }

    fn len(&self, block: usize) -> u32 {
        self.end[block] - self.start[block]
    }

    fn members(&self, block: usize) -> &[u32] {
        &self.members[self.start[block] as usize..self.end[block] as usize]
    }

    fn mark(&mut self, q: u32) {
        let block = self.block_of[q as usize] as usize;
        let (from, to) = (
            self.place[q as usize],
            self.start[block] + self.marked[block],
        );
        // A machine is deterministic, so no source is met twice for one letter and splitter.
        debug_assert!(from >= to);
        if self.marked[block] == 0 {
            self.touched.push(block as u32);
        }
        self.marked[block] += 1;
        let other = self.members[to as usize];
        self.members.swap(from as usize, to as usize);
        self.place[q as usize] = to;
        self.place[other as usize] = from;
    }

    /// Makes a new block of the marked elements of each block that is marked in part, unmarks all
    /// and reports `(old, new)` after each.
    fn split(&mut self, mut report: impl FnMut(usize, usize, &Self)) {
        while let Some(old) = self.touched.pop() {
            let old = old as usize;
            let marked = std::mem::take(&mut self.marked[old]);
            if marked == self.len(old) {
                continue;
            }
            let new = self.n_blocks();
            let (first, middle) = (self.start[old], self.start[old] + marked);
            self.start.push(first);
            self.end.push(middle);
            self.marked.push(0);
            self.start[old] = middle;
            for &q in &self.members[first as usize..middle as usize] {
                self.block_of[q as usize] = new as u32;
            }
            report(old, new, self);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{any_dfa, any_moore, words_shorter_than};
    use crate::{Dfa, Letter};
    use proptest::prelude::*;

    #[test]
    fn no_letters_and_one_state() {
        assert_eq!(Dfa::new(0, vec![true]).minimize().n_states(), 1);
        assert_eq!(Dfa::new(0, vec![true, false]).minimize().n_states(), 1);
    }

    #[test]
    fn a_long_cycle_folds() {
        let dfa = Dfa::from_fn(1, &[true, false, true, false, true, false], |q, _| {
            (q + 1) % 6
        });
        let minimal = dfa.minimize();
        assert_eq!(minimal.n_states(), 2);
        assert!(minimal.accepts(&[Letter(0), Letter(0)]));
    }

    proptest! {
        // Two states of a machine with n states that can be told apart are so by a word shorter
        // than n, so for six states the words below length six settle everything.
        #[test]
        fn classes_are_those_of_brute_force(machine in any_moore(6, 2, 3)) {
            let classes = machine.equivalence_classes();
            let words = words_shorter_than(6, 2);
            for p in machine.states() {
                for q in machine.states() {
                    let alike = words.iter().all(|word| {
                        machine.output(machine.run(p, word)) == machine.output(machine.run(q, word))
                    });
                    prop_assert_eq!(alike, classes[p.index()] == classes[q.index()]);
                }
            }
        }

        #[test]
        fn minimal_form_is_least_and_speaks_alike(dfa in any_dfa(7, 2)) {
            let minimal = dfa.minimize();
            for word in words_shorter_than(8, 2) {
                prop_assert_eq!(minimal.accepts(&word), dfa.accepts(&word));
            }
            // Myhill and Nerode: as many states as there are residuals.
            let words = words_shorter_than(7, 2);
            let mut residuals: Vec<Vec<bool>> = dfa.reachable_states().iter()
                .map(|&q| words.iter().map(|w| dfa.is_accepting(dfa.run(q, w))).collect())
                .collect();
            residuals.sort();
            residuals.dedup();
            prop_assert_eq!(minimal.n_states(), residuals.len());
            prop_assert!(minimal.is_minimal());
        }
    }
}

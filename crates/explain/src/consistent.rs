//! The smallest automaton that accepts some words and rejects others, by a SAT solver.
//!
//! After M. Heule and S. Verwer, *Exact DFA identification using SAT solvers* (ICGI 2010): the words are
//! a tree, each of its nodes is in one state, and the successor of a node is given by the transitions.
//! Nodes that some word tells apart, as many as a greedy search finds, have states of their own from the
//! start: they name the states and are a lower bound. A rejecting sink is not counted; whatever no accepted word needs goes
//! there.

use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::{Budget, StopReason};
use idiolect_smt::{Outcome, Solver, TermId, Terms};
use std::collections::BTreeMap;

/// What automata are asked to agree with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) accepted: Vec<Word>,
    pub(crate) rejected: Vec<Word>,
}

/// The words as a tree, breadth first.
struct Tree {
    /// Parent and letter of all nodes but the first.
    parents: Vec<Option<(usize, Letter)>>,
    verdicts: Vec<Option<bool>>,
    /// Some accepted word comes here.
    is_needed: Vec<bool>,
}

impl Tree {
    fn new(sample: &Sample) -> Self {
        let mut prefixes: BTreeMap<(usize, &[Letter]), usize> = BTreeMap::new();
        for word in sample.accepted.iter().chain(&sample.rejected) {
            for n in 0..=word.len() {
                prefixes.insert((n, &word[..n]), 0);
            }
        }
        prefixes.entry((0, &[])).or_default();
        for (number, at) in prefixes.values_mut().enumerate() {
            *at = number;
        }
        let mut tree = Tree {
            parents: vec![None; prefixes.len()],
            verdicts: vec![None; prefixes.len()],
            is_needed: vec![false; prefixes.len()],
        };
        for (&(n, prefix), &node) in &prefixes {
            if let Some((&letter, before)) = prefix.split_last() {
                tree.parents[node] = Some((prefixes[&(n - 1, before)], letter));
            }
        }
        for (words, verdict) in [(&sample.accepted, true), (&sample.rejected, false)] {
            for word in words {
                tree.verdicts[prefixes[&(word.len(), &word[..])]] = Some(verdict);
            }
        }
        for word in &sample.accepted {
            for n in 0..=word.len() {
                tree.is_needed[prefixes[&(n, &word[..n])]] = true;
            }
        }
        tree
    }

    fn len(&self) -> usize {
        self.parents.len()
    }

    /// By two nodes: whether some word after both is accepted after one and rejected after the other.
    fn clashes(&self) -> Vec<Vec<bool>> {
        let n = self.len();
        let mut children: Vec<BTreeMap<Letter, usize>> = vec![BTreeMap::new(); n];
        for (node, parent) in self.parents.iter().enumerate() {
            if let Some((parent, letter)) = parent {
                children[*parent].insert(*letter, node);
            }
        }
        let mut clashes = vec![vec![false; n]; n];
        // Children come after their parents.
        for a in (0..n).rev() {
            for b in (a + 1..n).rev() {
                let verdicts = (self.verdicts[a], self.verdicts[b]);
                let is_apart = matches!(verdicts, (Some(x), Some(y)) if x != y);
                let mut common = children[a].iter();
                let below = |(letter, &x): (&Letter, &usize)| {
                    children[b].get(letter).is_some_and(|&y| clashes[x][y])
                };
                if is_apart || common.any(below) {
                    clashes[a][b] = true;
                    clashes[b][a] = true;
                }
            }
        }
        clashes
    }
}

/// The conflicts of a sample, and nodes of its tree that are in different states in any automaton.
pub(crate) struct Apart {
    tree: Tree,
    /// No two of these can be in one state, and none is in the sink.
    nodes: Vec<usize>,
}

impl Apart {
    pub(crate) fn new(sample: &Sample) -> Self {
        let tree = Tree::new(sample);
        let clashes = tree.clashes();
        let needed: Vec<usize> = (0..tree.len()).filter(|&v| tree.is_needed[v]).collect();
        let mut nodes = Vec::new();
        for &first in &needed {
            let mut clique = vec![first];
            for &other in &needed {
                if clique.iter().all(|&v| clashes[v][other]) {
                    clique.push(other);
                }
            }
            if clique.len() > nodes.len() {
                nodes = clique;
            }
        }
        Self { tree, nodes }
    }

    /// No automaton has fewer states.
    pub(crate) fn lower_bound(&self) -> usize {
        self.nodes.len().max(1)
    }
}

/// An automaton of `k` states and a sink that agrees with the words, if there is one.
pub(crate) fn consistent(
    apart: &Apart,
    n_letters: usize,
    k: usize,
    budget: &Budget,
) -> Result<Option<Dfa>, StopReason> {
    let Apart { tree, nodes } = apart;
    if nodes.len() > k {
        return Ok(None);
    }
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let variable = |terms: &mut Terms| terms.bool_var("");
    // `at[v][q]`: node v is in state q; q = k is the sink.
    let at: Vec<Vec<TermId>> = (0..tree.len())
        .map(|_| (0..=k).map(|_| variable(&mut terms)).collect())
        .collect();
    let accepts: Vec<TermId> = (0..k).map(|_| variable(&mut terms)).collect();
    let mut moves: BTreeMap<(usize, Letter), Vec<TermId>> = BTreeMap::new();
    for &(_, letter) in tree.parents.iter().flatten() {
        for q in 0..k {
            moves
                .entry((q, letter))
                .or_insert_with(|| (0..=k).map(|_| variable(&mut terms)).collect());
        }
    }
    for one_of in at.iter().chain(moves.values()) {
        solver.add_clause(&terms, one_of);
        for (i, &a) in one_of.iter().enumerate() {
            for &b in &one_of[..i] {
                let (a, b) = (terms.not(a), terms.not(b));
                solver.add_clause(&terms, &[a, b]);
            }
        }
    }
    // Nodes that are apart name the states, so that no two solutions differ by names alone.
    for (q, &node) in nodes.iter().enumerate() {
        solver.assert(&terms, at[node][q]);
    }
    for node in 0..tree.len() {
        budget.look()?;
        for q in 0..=k {
            let not_here = terms.not(at[node][q]);
            let clause = match (tree.verdicts[node], accepts.get(q)) {
                (None, _) | (Some(false), None) => None,
                (Some(true), None) => Some(vec![not_here]),
                (Some(true), Some(&accepts)) => Some(vec![not_here, accepts]),
                (Some(false), Some(&accepts)) => Some(vec![not_here, terms.not(accepts)]),
            };
            if let Some(clause) = clause {
                solver.add_clause(&terms, &clause);
            }
            // Further states are first visited in their order.
            if (nodes.len() + 1..k).contains(&q) {
                let mut clause = vec![not_here];
                clause.extend((0..node).map(|before| at[before][q - 1]));
                solver.add_clause(&terms, &clause);
            }
        }
        let Some((parent, letter)) = tree.parents[node] else {
            continue;
        };
        for q in 0..k {
            let not_there = terms.not(at[parent][q]);
            for (to, &goes) in moves[&(q, letter)].iter().enumerate() {
                let stays = terms.not(goes);
                solver.add_clause(&terms, &[not_there, stays, at[node][to]]);
            }
        }
        let not_lost = terms.not(at[parent][k]);
        solver.add_clause(&terms, &[not_lost, at[node][k]]);
    }
    let model = match solver.check(&terms, &[], budget) {
        Outcome::Unsat(_) => return Ok(None),
        Outcome::Unknown(reason) => return Err(reason),
        Outcome::Sat(model) => model,
    };
    let state_of = |node: usize| {
        let mut states = at[node].iter();
        let found = states.position(|&here| model.eval_bool(&terms, here));
        found.unwrap_or(k)
    };
    let initial = state_of(0);
    // The initial state is the first.
    let renamed = |q: usize| match q {
        q if q == initial => 0,
        0 => initial,
        q => q,
    };
    let state_of = |node: usize| renamed(state_of(node));
    let mut next = vec![vec![k; n_letters]; k + 1];
    for node in (0..tree.len()).filter(|&v| tree.is_needed[v]) {
        if let Some((parent, letter)) = tree.parents[node] {
            next[state_of(parent)][letter.index()] = state_of(node);
        }
    }
    let mut accepting = vec![false; k + 1];
    for node in (0..tree.len()).filter(|&v| tree.verdicts[v] == Some(true)) {
        accepting[state_of(node)] = true;
    }
    Ok(Some(Dfa::from_fn(n_letters, &accepting, |q, a| {
        next[q][a.index()]
    })))
}

#[cfg(test)]
mod tests {
    use super::{Apart, Sample, consistent};
    use idiolect_automata::{Letter, Word};
    use idiolect_base::Budget;

    fn words(list: &[&str]) -> Vec<Word> {
        let letter = |b: u8| Letter::new((b - b'a') as usize);
        list.iter()
            .map(|w| w.bytes().map(letter).collect())
            .collect()
    }

    #[test]
    fn the_number_of_states_is_the_least() {
        // a* b, as far as these words tell.
        let sample = Sample {
            accepted: words(&["b", "ab", "aab", "aaab"]),
            rejected: words(&["", "a", "bb", "ba", "bab"]),
        };
        let budget = Budget::unlimited();
        assert_eq!(consistent(&Apart::new(&sample), 2, 1, &budget), Ok(None));
        let found = consistent(&Apart::new(&sample), 2, 2, &budget)
            .unwrap()
            .unwrap();
        for word in &sample.accepted {
            assert!(found.accepts(word));
        }
        for word in &sample.rejected {
            assert!(!found.accepts(word));
        }
        assert!(found.accepts(&words(&["aaaaaaab"])[0]));
    }

    #[test]
    fn nothing_at_all_needs_no_state() {
        let budget = Budget::unlimited();
        let nothing = Sample {
            accepted: Vec::new(),
            rejected: words(&["", "a"]),
        };
        let found = consistent(&Apart::new(&nothing), 1, 1, &budget)
            .unwrap()
            .unwrap();
        assert!(!found.accepts(&[]));
    }
}

//! The accepted word nearest to a given one, by edit distance on the automaton.

use idiolect_automata::{Letter, Nfa, StateId};
use std::collections::VecDeque;

/// One step from the given word to the accepted one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// The letter at this position stays.
    Keep(usize),
    /// A letter is missing here.
    Missing(Letter),
    /// The letter at this position is too much.
    Extra(usize),
}

/// The edits to a nearest accepted word; `None` if nothing is accepted. Letters of the word that are
/// not in the automaton's alphabet are `None`.
///
/// Letters are added and left out, each at a cost of one; calling something instead of something else
/// is both. (With a cheaper replacement, a scenario that lacks its last call would be told to replace
/// the one before.)
///
/// A breadth-first search of pairs (position, state): keeping a letter costs nothing, every other
/// edit one. Time and memory are in proportion to the length of the word times the transitions.
pub fn nearest(nfa: &Nfa, word: &[Option<Letter>]) -> Option<Vec<Edit>> {
    let n = nfa.n_states();
    let id = |position: usize, q: StateId| position * n + q.index();
    let size = (word.len() + 1) * n;
    let mut distance = vec![u32::MAX; size];
    let mut parent: Vec<Option<(usize, Option<Edit>)>> = vec![None; size];
    let mut settled = vec![false; size];
    let mut queue = VecDeque::new();
    for &q in nfa.initial() {
        distance[id(0, q)] = 0;
        queue.push_back((0, q));
    }
    while let Some((at, q)) = queue.pop_front() {
        let here = id(at, q);
        if std::mem::replace(&mut settled[here], true) {
            continue;
        }
        if at == word.len() && nfa.is_accepting(q) {
            let mut edits = Vec::new();
            let mut back = here;
            while let Some((before, edit)) = parent[back] {
                edits.extend(edit);
                back = before;
            }
            edits.reverse();
            return Some(edits);
        }
        let mut go = |at: usize, q: StateId, edit: Option<Edit>| {
            let free = matches!(edit, None | Some(Edit::Keep(_)));
            let there = id(at, q);
            let cost = distance[here] + u32::from(!free);
            if cost < distance[there] {
                distance[there] = cost;
                parent[there] = Some((here, edit));
                if free {
                    queue.push_front((at, q))
                } else {
                    queue.push_back((at, q))
                }
            }
        };
        for &(letter, to) in nfa.edges(q) {
            let Some(letter) = letter else {
                go(at, to, None);
                continue;
            };
            if at < word.len() && word[at] == Some(letter) {
                go(at + 1, to, Some(Edit::Keep(at)));
            }
            go(at, to, Some(Edit::Missing(letter)));
        }
        if at < word.len() {
            go(at + 1, q, Some(Edit::Extra(at)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Edit, nearest};
    use idiolect_automata::{Letter, Nfa};
    use proptest::prelude::*;

    /// `a b* c`
    fn example() -> Nfa {
        let mut nfa = Nfa::new(3);
        let [p, q, r] = [false, false, true].map(|accepting| nfa.add_state(accepting));
        nfa.add_initial(p);
        nfa.add_transition(p, Some(Letter(0)), q);
        nfa.add_transition(q, Some(Letter(1)), q);
        nfa.add_transition(q, Some(Letter(2)), r);
        nfa
    }

    fn letters(word: &[u32]) -> Vec<Option<Letter>> {
        word.iter().map(|&a| (a < 3).then_some(Letter(a))).collect()
    }

    #[test]
    fn what_is_missing_and_what_is_too_much() {
        let check = |word: &[u32], expected: &[Edit]| {
            assert_eq!(
                nearest(&example(), &letters(word)).as_deref(),
                Some(expected)
            );
        };
        check(&[0, 1, 2], &[Edit::Keep(0), Edit::Keep(1), Edit::Keep(2)]);
        check(
            &[0, 1],
            &[Edit::Keep(0), Edit::Keep(1), Edit::Missing(Letter(2))],
        );
        check(&[0, 2, 2], &[Edit::Keep(0), Edit::Keep(1), Edit::Extra(2)]);
        check(
            &[0, 2, 9, 9],
            &[Edit::Keep(0), Edit::Keep(1), Edit::Extra(2), Edit::Extra(3)],
        );
        assert_eq!(nearest(&Nfa::new(3), &letters(&[0])), None);
    }

    fn distance(a: &[u32], b: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut before = std::mem::replace(&mut row[0], i + 1);
            for (j, y) in b.iter().enumerate() {
                let changed = row[j].min(row[j + 1]) + 1;
                let best = if x == y { before.min(changed) } else { changed };
                before = std::mem::replace(&mut row[j + 1], best);
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn no_accepted_word_is_nearer(word in prop::collection::vec(0..4u32, 0..6)) {
            let edits = nearest(&example(), &letters(&word)).expect("something is accepted");
            let cost = edits.iter().filter(|e| !matches!(e, Edit::Keep(_))).count();
            let accepted = (0..8).map(|n| [vec![0], vec![1; n], vec![2]].concat());
            prop_assert_eq!(Some(cost), accepted.map(|a| distance(&word, &a)).min());
            let result: Vec<Letter> = edits.iter().filter_map(|edit| match *edit {
                Edit::Keep(at) => Some(Letter(word[at])),
                Edit::Missing(letter) => Some(letter),
                Edit::Extra(_) => None,
            }).collect();
            prop_assert!(example().accepts(&result));
        }
    }
}

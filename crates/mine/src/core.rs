//! The corer: what is left of a probabilistic automaton when its cold edges are gone.
//!
//! Section 4.2 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002): edges colder than the
//! cut-off are removed, then states that cannot be reached, then the weights.
//!
//! Where we differ: ends are cut like edges (the paper's automata have an edge into a final state
//! in their place), so that a rare run which leaves out the last call does not make that call
//! optional. If every end were cut, the hottest ones stay. States from which no end can be reached
//! any more go, too. And for each thing removed we say how many scenarios it explained: those whose
//! most probable run takes it.

use crate::heat::Heat;
use crate::strings::Strings;
use idiolect_automata::{Letter, Nfa, Pfsa, StateId};

/// An edge or an end that is not in the specification.
#[derive(Clone, PartialEq, Debug)]
pub struct Removed {
    pub from: StateId,
    /// Letter and target; `None` for the end of strings.
    pub edge: Option<(Letter, StateId)>,
    pub weight: f64,
    pub heat: f64,
    /// Scenarios that cannot be explained as before without it.
    pub scenarios: u64,
}

/// The hot core.
#[derive(Clone, PartialEq, Debug)]
pub struct Core {
    /// Without states that are on no way to an end.
    pub nfa: Nfa,
    /// Edges by state, each state's end behind them.
    pub removed: Vec<Removed>,
}

/// Removes what is colder than `cut`.
pub fn core(pfsa: &Pfsa, heat: &Heat, cut: f64, strings: &Strings) -> Core {
    let hottest = heat.ends.iter().copied().fold(0.0, f64::max);
    let end_cut = cut.min(hottest);
    let keeps_end = |q: StateId| pfsa.final_weight(q) > 0.0 && heat.ends[q.index()] >= end_cut;
    let mut nfa = Nfa::new(pfsa.n_letters());
    for q in pfsa.states() {
        nfa.add_state(keeps_end(q));
    }
    if pfsa.n_states() > 0 {
        nfa.add_initial(pfsa.initial());
    }
    let edges = || pfsa.transitions().zip(&heat.edges);
    let hot = edges().filter(|((_, edge), heat)| edge.weight > 0.0 && **heat >= cut);
    nfa.add_transitions(hot.map(|((q, edge), _)| (q, Some(edge.letter), edge.to)));
    let (use_edges, use_ends) = uses(pfsa, strings);
    let alive = alive_states(&nfa);
    let mut removed = Vec::new();
    let mut at = 0;
    for q in pfsa.states() {
        for edge in pfsa.edges(q) {
            let kept = heat.edges[at] >= cut && alive[q.index()] && alive[edge.to.index()];
            if !kept && edge.weight > 0.0 {
                removed.push(Removed {
                    from: q,
                    edge: Some((edge.letter, edge.to)),
                    weight: edge.weight,
                    heat: heat.edges[at],
                    scenarios: use_edges[at],
                });
            }
            at += 1;
        }
        if pfsa.final_weight(q) > 0.0 && !(keeps_end(q) && alive[q.index()]) {
            removed.push(Removed {
                from: q,
                edge: None,
                weight: pfsa.final_weight(q),
                heat: heat.ends[q.index()],
                scenarios: use_ends[q.index()],
            });
        }
    }
    Core {
        nfa: nfa.trim(),
        removed,
    }
}

/// States on a way from the initial state to an end.
fn alive_states(nfa: &Nfa) -> Vec<bool> {
    let reach = |nfa: &Nfa| {
        let mut seen = vec![false; nfa.n_states()];
        let mut stack: Vec<StateId> = nfa.initial().to_vec();
        for q in &stack {
            seen[q.index()] = true;
        }
        while let Some(q) = stack.pop() {
            for &(_, to) in nfa.edges(q) {
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push(to);
                }
            }
        }
        seen
    };
    let (forward, backward) = (reach(nfa), reach(&nfa.reverse()));
    forward.iter().zip(backward).map(|(f, b)| *f && b).collect()
}

/// How many scenarios' most probable runs take each edge and each end.
fn uses(pfsa: &Pfsa, strings: &Strings) -> (Vec<u64>, Vec<u64>) {
    let n = pfsa.n_states();
    let mut first = vec![0; n + 1];
    for q in pfsa.states() {
        first[q.index() + 1] = first[q.index()] + pfsa.edges(q).len();
    }
    let mut edges = vec![0u64; first[n]];
    let mut ends = vec![0u64; n];
    for (word, count) in &strings.strings {
        let Some((run, last)) = most_probable_run(pfsa, &first, word) else {
            continue;
        };
        ends[last.index()] += count;
        let mut taken = run;
        taken.sort_unstable();
        taken.dedup();
        for edge in taken {
            edges[edge] += count;
        }
    }
    (edges, ends)
}

/// Viterbi's algorithm: the numbers of the edges taken, and the last state.
fn most_probable_run(
    pfsa: &Pfsa,
    first: &[usize],
    word: &[Letter],
) -> Option<(Vec<usize>, StateId)> {
    if pfsa.n_states() == 0 {
        return None;
    }
    // Per letter: the states reached, with the best logarithm, the edge and the entry before.
    let mut layers: Vec<Vec<(StateId, f64, usize, usize)>> =
        vec![vec![(pfsa.initial(), 0.0, 0, 0)]];
    for &letter in word {
        let now = layers.last()?;
        let mut next: Vec<(StateId, f64, usize, usize)> = Vec::new();
        for (entry, &(q, log, ..)) in now.iter().enumerate() {
            for (at, edge) in pfsa.edges(q).iter().enumerate() {
                if edge.letter == letter && edge.weight > 0.0 {
                    let log = log + pfsa.probability(q, edge).ln();
                    next.push((edge.to, log, first[q.index()] + at, entry));
                }
            }
        }
        // Best first for each state; the earlier edge wins a tie.
        next.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        next.dedup_by_key(|entry| entry.0);
        layers.push(next);
    }
    let ends = layers.last()?.iter().enumerate();
    let ends = ends.filter(|(_, (q, ..))| pfsa.final_weight(*q) > 0.0);
    let ends = ends.map(|(at, (q, log, ..))| (at, *q, log + pfsa.final_probability(*q).ln()));
    let (mut at, last, _) = ends.max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))?;
    let mut run = Vec::new();
    for layer in layers[1..].iter().rev() {
        let (_, _, edge, before) = layer[at];
        run.push(edge);
        at = before;
    }
    run.reverse();
    Some((run, last))
}

/// The automaton for people: the minimal DFA if it has no more states than the NFA, else the NFA.
pub fn for_reading(nfa: &Nfa) -> Nfa {
    let limit = 4 * nfa.n_states() + 100;
    let Ok(dfa) = nfa.determinize(limit) else {
        return nfa.clone();
    };
    let trimmed = dfa.minimize().trim();
    if trimmed.is_empty() || trimmed.n_states() > nfa.n_states() {
        return nfa.clone();
    }
    let mut read = Nfa::new(nfa.n_letters());
    for q in trimmed.states() {
        read.add_state(trimmed.is_accepting(q));
    }
    read.add_initial(trimmed.initial());
    read.add_transitions(trimmed.edges().map(|(from, a, to)| (from, Some(a), to)));
    read
}

#[cfg(test)]
mod tests {
    use super::{core, for_reading};
    use crate::heat::heat;
    use crate::strings::Strings;
    use idiolect_automata::{Alphabet, Letter, Word};
    use idiolect_learn::passive::PrefixTree;

    fn strings(words: &[(&str, u64)]) -> Strings {
        let mut alphabet = Alphabet::default();
        let mut word = |text: &str| -> Word {
            text.chars()
                .map(|c| alphabet.intern(&c.to_string()))
                .collect()
        };
        let strings = words
            .iter()
            .map(|(text, count)| (word(text), *count))
            .collect();
        Strings { alphabet, strings }
    }

    #[test]
    fn rare_edges_and_rare_ends_go_with_what_they_explained() {
        // 97 good scenarios, 2 that leave out the last call, 1 that does something else.
        let strings = strings(&[("abc", 97), ("ab", 2), ("xc", 1)]);
        let tree = PrefixTree::of_words(strings.alphabet.len(), &strings.strings);
        let pfsa = tree.to_pfsa();
        let core = core(&pfsa, &heat(&pfsa), 0.05, &strings);
        let accepts = |text: &str| {
            let letters = text
                .chars()
                .map(|c| strings.alphabet.letter(&c.to_string()));
            core.nfa.accepts(
                &letters
                    .map(|a| a.expect("a letter"))
                    .collect::<Vec<Letter>>(),
            )
        };
        assert!(accepts("abc") && !accepts("ab") && !accepts("xc"));
        let removed: Vec<(bool, u64)> = core
            .removed
            .iter()
            .map(|r| (r.edge.is_some(), r.scenarios))
            .collect();
        // The edges `x` and `c` behind it, the end behind `ab`, the end behind `xc`.
        assert_eq!(removed, [(true, 1), (true, 1), (false, 2), (false, 1)]);
        assert_eq!(for_reading(&core.nfa).n_states(), 4);
    }

    #[test]
    fn the_hottest_end_stays() {
        let strings = strings(&[("a", 1), ("b", 1), ("c", 1)]);
        let pfsa = PrefixTree::of_words(3, &strings.strings).to_pfsa();
        let core = core(&pfsa, &heat(&pfsa), 0.9, &strings);
        // All edges are colder than 0.9, so nothing is left but the end that cannot be reached.
        assert!(core.nfa.is_empty());
        assert_eq!(core.removed.len(), 6);
        let core = super::core(&pfsa, &heat(&pfsa), 0.3, &strings);
        assert!(core.removed.is_empty());
    }

    #[test]
    fn what_is_exactly_at_the_cut_off_stays() {
        let strings = strings(&[("a", 1), ("b", 1)]);
        let pfsa = PrefixTree::of_words(2, &strings.strings).to_pfsa();
        let core = core(&pfsa, &heat(&pfsa), 0.5, &strings);
        assert!(core.removed.is_empty());
        assert!(
            [Letter(0), Letter(1)]
                .iter()
                .all(|&a| core.nfa.accepts(&[a]))
        );
    }
}

//! Heat: the probability that an edge is traversed while a string is generated.
//!
//! Section 4.2 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002) inverts a matrix with a
//! row for each transition. Here the Markov chain is taken apart:
//!
//! * Let V(a, u) be the expected number of visits of u from a. An edge u → v of probability p is
//!   traversed V(i, u)·p times on average from the initial state i, and once it has been traversed,
//!   V(v, u)·p times more. So it is traversed at all with probability V(i, u)·p / (1 + V(v, u)·p).
//! * From v one can come back to u only within a strongly connected component. So V is needed within
//!   components only, and the components are visited in topological order.
//! * Within one, x = b + P·x is solved by eliminating states with few neighbours first, sparsely,
//!   for each u. A pivot 1 − p(k, k) is computed as the sum of all ways out, as Grassmann, Taksar
//!   and Heyman do (1985): nothing is ever subtracted, so that loops that are almost never left do
//!   not cost accuracy.

use idiolect_automata::{Pfsa, StateId};
use std::collections::{BTreeMap, BTreeSet};

/// The heat of everything in a probabilistic automaton.
#[derive(Clone, PartialEq, Debug)]
pub struct Heat {
    /// For each transition, in the order of [`Pfsa::transitions`].
    pub edges: Vec<f64>,
    /// For each state, the probability that a string ends there.
    pub ends: Vec<f64>,
}

/// The heat of each transition and each end.
pub fn heat(pfsa: &Pfsa) -> Heat {
    let n = pfsa.n_states();
    let mut heat = Heat {
        edges: Vec::new(),
        ends: vec![0.0; n],
    };
    if n == 0 {
        return heat;
    }
    let mut first_edge = vec![0; n + 1];
    for q in pfsa.states() {
        first_edge[q.index() + 1] = first_edge[q.index()] + pfsa.edges(q).len();
    }
    heat.edges = vec![0.0; first_edge[n]];
    let components = components(pfsa);
    let mut component_of = vec![0; n];
    for (number, states) in components.iter().enumerate() {
        for &q in states {
            component_of[q] = number;
        }
    }
    // How often each state is entered from outside its component.
    let mut entered = vec![0.0; n];
    entered[pfsa.initial().index()] = 1.0;
    // Tarjan's algorithm finds components before those that lead to them.
    for (number, states) in components.iter().enumerate().rev() {
        let inside = |q: usize| component_of[q] == number;
        let reached: f64 = states.iter().map(|&q| entered[q]).sum();
        if reached == 0.0 {
            continue;
        }
        let local = |q: usize| states.binary_search(&q);
        let solved = Elimination::new(pfsa, states);
        for (i, &u) in states.iter().enumerate() {
            let from = StateId::new(u);
            // V(·, u) within the component; `None` if a string that comes here never ends.
            let visits = solved.as_ref().map(|solved| solved.visits(i));
            let arrivals = states.iter().map(|&q| entered[q]);
            let expected = visits.as_ref().map(|visits| -> f64 {
                arrivals
                    .zip(visits)
                    .map(|(arrival, visits)| arrival * visits)
                    .sum()
            });
            for (at, edge) in pfsa.edges(from).iter().enumerate() {
                let p = pfsa.probability(from, edge);
                let to = edge.to.index();
                let hot = match (&visits, expected) {
                    (Some(visits), Some(expected)) => {
                        let again = local(to).map_or(0.0, |to| visits[to]);
                        expected * p / (1.0 + again * p)
                    }
                    _ if p > 0.0 => reached,
                    _ => 0.0,
                };
                heat.edges[first_edge[u] + at] = hot.min(1.0);
                if !inside(to) {
                    entered[to] += expected.unwrap_or(0.0) * p;
                }
            }
            let ends = expected.unwrap_or(0.0) * pfsa.final_probability(from);
            heat.ends[u] = ends.min(1.0);
        }
    }
    heat
}

/// The strongly connected components, each sorted, successors before predecessors.
fn components(pfsa: &Pfsa) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = pfsa.n_states();
    let mut index = vec![UNSEEN; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let mut stack = Vec::new();
    let mut components = Vec::new();
    let mut counter = 0;
    for root in 0..n {
        if index[root] != UNSEEN {
            continue;
        }
        // Tarjan's algorithm with a stack of its own: chains may be long.
        let mut calls = vec![(root, 0)];
        while let Some(&mut (q, ref mut next)) = calls.last_mut() {
            if *next == 0 {
                index[q] = counter;
                low[q] = counter;
                counter += 1;
                stack.push(q);
                on_stack[q] = true;
            }
            let edges = pfsa.edges(StateId::new(q));
            if let Some(edge) = edges.get(*next) {
                *next += 1;
                let to = edge.to.index();
                if edge.weight == 0.0 {
                    continue;
                }
                if index[to] == UNSEEN {
                    calls.push((to, 0));
                } else if on_stack[to] {
                    low[q] = low[q].min(index[to]);
                }
                continue;
            }
            // All edges are done; a state without edges comes here at once.
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[q]);
            }
            if low[q] == index[q] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == q {
                        break;
                    }
                }
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components
}

/// The system x = b + P·x of one component, factored.
struct Elimination {
    /// In the order of elimination.
    steps: Vec<Step>,
    n: usize,
}

struct Step {
    state: usize,
    pivot: f64,
    /// Later states c with p(state, c).
    row: Vec<(usize, f64)>,
    /// Later states a with p(a, state) / pivot.
    column: Vec<(usize, f64)>,
}

impl Elimination {
    /// `None` if the component is never left.
    fn new(pfsa: &Pfsa, states: &[usize]) -> Option<Self> {
        let n = states.len();
        let mut rows: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); n];
        let mut columns: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
        let mut exit = vec![0.0; n];
        for (a, &q) in states.iter().enumerate() {
            let from = StateId::new(q);
            exit[a] = pfsa.final_probability(from);
            for edge in pfsa.edges(from) {
                let p = pfsa.probability(from, edge);
                match states.binary_search(&edge.to.index()) {
                    // A loop only scales the row; the pivot takes care of it.
                    Ok(c) if c == a || p == 0.0 => {}
                    Ok(c) => {
                        *rows[a].entry(c).or_insert(0.0) += p;
                        columns[c].insert(a);
                    }
                    Err(_) => exit[a] += p,
                }
            }
        }
        let mut left: BTreeSet<usize> = (0..n).collect();
        let mut steps = Vec::with_capacity(n);
        while let Some(&first) = left.first() {
            // Few neighbours first keeps the rows sparse. Looking at some is enough.
            let cost = |k: usize| rows[k].len() * columns[k].len();
            let k = left
                .iter()
                .copied()
                .take(64)
                .min_by_key(|&k| cost(k))
                .unwrap_or(first);
            left.remove(&k);
            let row = std::mem::take(&mut rows[k]);
            let pivot = exit[k] + row.values().sum::<f64>();
            if pivot <= 0.0 {
                return None;
            }
            for c in row.keys() {
                columns[*c].remove(&k);
            }
            let mut column = Vec::new();
            for a in std::mem::take(&mut columns[k]) {
                let share = rows[a].remove(&k).unwrap_or(0.0) / pivot;
                column.push((a, share));
                exit[a] += share * exit[k];
                for (&c, &p) in row.iter().filter(|(c, _)| **c != a) {
                    *rows[a].entry(c).or_insert(0.0) += share * p;
                    columns[c].insert(a);
                }
            }
            steps.push(Step {
                state: k,
                pivot,
                row: row.into_iter().collect(),
                column,
            });
        }
        Some(Self { steps, n })
    }

    /// The expected number of visits of `u` from each state.
    fn visits(&self, u: usize) -> Vec<f64> {
        let mut x = vec![0.0; self.n];
        x[u] = 1.0;
        for step in &self.steps {
            let b = x[step.state];
            if b != 0.0 {
                for &(a, share) in &step.column {
                    x[a] += share * b;
                }
            }
        }
        for step in self.steps.iter().rev() {
            let sum: f64 = step.row.iter().map(|&(c, p)| p * x[c]).sum();
            x[step.state] = (x[step.state] + sum) / step.pivot;
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::heat;
    use idiolect_automata::{Letter, Pfsa, StateId};
    use proptest::prelude::*;

    fn pfsa(ends: &[f64], edges: &[(usize, usize, f64)]) -> Pfsa {
        let mut pfsa = Pfsa::new(ends.len().max(1));
        for &end in ends {
            pfsa.add_state(end);
        }
        for &(from, to, weight) in edges {
            // The letter tells parallel edges apart from nothing: there are none.
            pfsa.add_transition(
                StateId::new(from),
                Letter::new(to),
                StateId::new(to),
                weight,
            );
        }
        pfsa
    }

    /// Probability by letting strings run for many steps, the edge's target being a trap.
    fn by_iteration(pfsa: &Pfsa, from: usize, to: usize) -> f64 {
        let mut mass = vec![0.0; pfsa.n_states()];
        mass[pfsa.initial().index()] = 1.0;
        let mut hit = 0.0;
        for _ in 0..20_000 {
            let mut next = vec![0.0; mass.len()];
            for q in pfsa.states() {
                for edge in pfsa.edges(q) {
                    let moved = mass[q.index()] * pfsa.probability(q, edge);
                    if (q.index(), edge.to.index()) == (from, to) {
                        hit += moved
                    } else {
                        next[edge.to.index()] += moved
                    }
                }
            }
            mass = next;
        }
        hit
    }

    #[test]
    fn edges_that_every_string_takes_are_hot_whatever_their_weight() {
        // Figure 19's drawing is lost, but not its idea: four edges of weight 5, three of 10000, and
        // every string takes the edge out of the start and the edge into the end.
        let figure_19 = pfsa(
            &[0.0, 0.0, 0.0, 0.0, 0.0, 5.0],
            &[
                (0, 1, 5.0),
                (1, 2, 10000.0),
                (2, 3, 10000.0),
                (3, 1, 10000.0),
                (3, 4, 5.0),
                (4, 5, 5.0),
                (1, 4, 5.0),
            ],
        );
        let heat = heat(&figure_19);
        let of = |from: usize, to: usize| {
            let all: Vec<_> = figure_19.transitions().collect();
            let at = all
                .iter()
                .position(|(q, e)| (q.index(), e.to.index()) == (from, to));
            heat.edges[at.expect("the edge is there")]
        };
        assert!((of(0, 1) - 1.0).abs() < 1e-12);
        assert!((of(4, 5) - 1.0).abs() < 1e-12);
        assert!(of(1, 2) < 1.0 && of(1, 2) > 0.999);
        // About half the strings leave by either way.
        assert!((of(3, 4) - 0.5).abs() < 0.01 && (of(1, 4) - 0.5).abs() < 0.01);
        assert!((heat.ends[5] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn strings_that_never_end_do_no_harm() {
        let trap = pfsa(&[1.0, 0.0, 0.0], &[(0, 1, 1.0), (1, 2, 1.0), (2, 1, 1.0)]);
        assert_eq!(heat(&trap).edges, [0.5, 0.5, 0.5]);
        assert_eq!(heat(&Pfsa::new(1)).edges, [0.0; 0]);
    }

    #[test]
    fn a_long_chain_is_no_deep_recursion() {
        let n = 100_000;
        let mut ends = vec![0.0; n];
        ends[n - 1] = 1.0;
        let mut chain = Pfsa::new(1);
        for end in ends {
            chain.add_state(end);
        }
        for q in 1..n {
            chain.add_transition(StateId::new(q - 1), Letter(0), StateId::new(q), 3.0);
        }
        assert!(heat(&chain).edges.iter().all(|&h| h == 1.0));
    }

    proptest! {
        #[test]
        fn heat_is_the_probability_of_traversal(
            ends in prop::collection::vec(0..3u32, 4),
            edges in prop::collection::vec((0..4usize, 0..4usize, 1..4u32), 0..10),
        ) {
            let ends: Vec<f64> = ends.iter().map(|&w| f64::from(w) + 0.25).collect();
            let edges: Vec<_> = edges.iter().map(|&(a, b, w)| (a, b, f64::from(w))).collect();
            let pfsa = pfsa(&ends, &edges);
            let heat = heat(&pfsa);
            for ((from, edge), found) in pfsa.transitions().zip(&heat.edges) {
                let expected = by_iteration(&pfsa, from.index(), edge.to.index());
                prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
            }
            prop_assert!((heat.ends.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

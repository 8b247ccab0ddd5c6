//! Parts of a large automaton that one box can stand for: what is doomed, what goes in circles,
//! chains without a choice; and where these are too large or too few, what is near one state.

use crate::graph::Graph;

/// Why states are drawn as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// A state of its own.
    Single,
    /// Failure is certain from here on.
    Doomed,
    /// Each state can reach each other.
    Cycle,
    /// One way in, one way out, all along.
    Chain,
    /// States to which the shortest way leads through the first of them.
    Region,
}

/// States that are drawn as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphPart {
    pub kind: PartKind,
    /// States of the graph, in its order; a chain in the order of its letters, a region from where it
    /// is entered.
    pub members: Vec<usize>,
}

/// A circle of more states says too little when it is closed, and too much when it is open.
const LARGE_CIRCLE: usize = 24;
/// More parts than this are as hard to read as the states were.
const MANY_PARTS: usize = 40;

/// Every state in exactly one part; parts in the order of their first members.
pub fn parts(graph: &Graph) -> Vec<GraphPart> {
    let natural = natural_parts(graph);
    let many = natural.len() > MANY_PARTS;
    let is_kept = |part: &GraphPart| match part.kind {
        PartKind::Cycle => part.members.len() <= LARGE_CIRCLE,
        PartKind::Single => !many,
        _ => true,
    };
    let (mut found, loose): (Vec<GraphPart>, Vec<GraphPart>) =
        natural.into_iter().partition(is_kept);
    let loose: Vec<usize> = loose.into_iter().flat_map(|p| p.members).collect();
    if !loose.is_empty() {
        found.extend(regions(graph, &loose));
    }
    found.sort_by_key(|part| part.members.iter().copied().min());
    found
}

/// The parts that have a meaning of their own.
fn natural_parts(graph: &Graph) -> Vec<GraphPart> {
    let n = graph.states.len();
    let successors = graph.successors();
    let mut taken = vec![false; n];
    let mut found: Vec<GraphPart> = Vec::new();
    let mut take = |kind, members: Vec<usize>, taken: &mut Vec<bool>| {
        for &member in &members {
            taken[member] = true;
        }
        found.push(GraphPart { kind, members });
    };
    let doomed: Vec<usize> = (0..n).filter(|&i| graph.states[i].doomed).collect();
    if doomed.len() > 1 {
        take(PartKind::Doomed, doomed, &mut taken);
    }
    for component in components(&successors, &taken) {
        if component.len() > 1 {
            take(PartKind::Cycle, component, &mut taken);
        }
    }
    for chain in chains(graph, &successors, &taken) {
        take(PartKind::Chain, chain, &mut taken);
    }
    for state in 0..n {
        if !taken[state] {
            take(PartKind::Single, vec![state], &mut taken);
        }
    }
    found
}

/// Cuts these states into pieces of the tree of shortest ways from the initial states.
fn regions(graph: &Graph, loose: &[usize]) -> Vec<GraphPart> {
    let n = graph.states.len();
    let enough = (n / 16).max(6);
    let mut is_loose = vec![false; n];
    for &state in loose {
        is_loose[state] = true;
    }
    let successors = graph.successors();
    let mut order: Vec<usize> = (0..n).filter(|&i| graph.states[i].initial).collect();
    let mut seen = vec![false; n];
    for &state in &order {
        seen[state] = true;
    }
    let mut parent = vec![None; n];
    let mut at = 0;
    while at < n {
        // What no way leads to comes last.
        if at == order.len() {
            order.extend((0..n).find(|&i| !std::mem::replace(&mut seen[i], true)));
        }
        let state = order[at];
        for &next in &successors[state] {
            if !std::mem::replace(&mut seen[next], true) {
                parent[next] = (is_loose[state] && is_loose[next]).then_some(state);
                order.push(next);
            }
        }
        at += 1;
    }
    // From the leaves up: a piece that is large enough is cut off.
    let mut gathered: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut found = Vec::new();
    for &state in order.iter().rev().filter(|&&s| is_loose[s]) {
        let mut members = vec![state];
        members.append(&mut gathered[state]);
        match parent[state] {
            Some(parent) if members.len() < enough => gathered[parent].append(&mut members),
            _ if members.len() < 3 => found.extend(members.into_iter().map(|state| GraphPart {
                kind: PartKind::Single,
                members: vec![state],
            })),
            _ => found.push(GraphPart {
                kind: PartKind::Region,
                members,
            }),
        }
    }
    found
}

/// Strongly connected components of the states that are not taken (Tarjan, without recursion).
fn components(successors: &[Vec<usize>], taken: &[bool]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = successors.len();
    let (mut index, mut low) = (vec![NEW; n], vec![NEW; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut counter) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if taken[root] || index[root] != NEW {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((state, next)) = work.pop() {
            if next == 0 {
                (index[state], low[state]) = (counter, counter);
                counter += 1;
                stack.push(state);
                on_stack[state] = true;
            } else {
                let child = successors[state][next - 1];
                if on_stack[child] {
                    low[state] = low[state].min(low[child]);
                }
            }
            if let Some(&to) = successors[state].get(next) {
                work.push((state, next + 1));
                if !taken[to] && index[to] == NEW {
                    work.push((to, 0));
                }
                continue;
            }
            if low[state] == index[state] {
                let at = stack.iter().rposition(|&s| s == state).unwrap_or(0);
                let mut component = stack.split_off(at);
                for &member in &component {
                    on_stack[member] = false;
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

/// Runs of at least three untaken states with nothing to choose in between.
fn chains(graph: &Graph, successors: &[Vec<usize>], taken: &[bool]) -> Vec<Vec<usize>> {
    let n = successors.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (from, list) in successors.iter().enumerate() {
        for &to in list {
            predecessors[to].push(from);
        }
    }
    let only_next = |state: usize| match successors[state][..] {
        [to] if !taken[to] && predecessors[to].len() == 1 && !graph.states[to].initial => Some(to),
        _ => None,
    };
    let mut found = Vec::new();
    for start in (0..n).filter(|&i| !taken[i]) {
        let continues = match predecessors[start][..] {
            [before] => !taken[before] && only_next(before) == Some(start),
            _ => false,
        };
        if continues {
            continue;
        }
        let mut chain = vec![start];
        // Circles were taken as components, so this ends.
        while let Some(next) = only_next(chain[chain.len() - 1]) {
            chain.push(next);
        }
        if chain.len() >= 3 {
            found.push(chain);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn graph(n: u64, doomed: &[u64], edges: &[(u64, u64)]) -> Graph {
        let states: Vec<_> = (0..n)
            .map(|id| json!({"id": id, "initial": id == 0, "doomed": doomed.contains(&id)}))
            .collect();
        let transitions: Vec<_> = edges
            .iter()
            .map(|(from, to)| json!({"from": from, "to": to, "letter": "a"}))
            .collect();
        let value = json!({"kind": "nfa", "alphabet": ["a"], "states": states,
                           "transitions": transitions});
        Graph::from_json(&value).unwrap()
    }

    #[test]
    fn circles_chains_and_the_doomed_region() {
        // A circle 0-1-2, a chain 3-4-5-6, doomed 7-8.
        let edges = [
            (0, 1),
            (1, 2),
            (2, 0),
            (2, 3),
            (3, 4),
            (4, 5),
            (5, 6),
            (6, 7),
            (7, 8),
            (8, 7),
        ];
        let found = parts(&graph(9, &[7, 8], &edges));
        let found: Vec<_> = found.into_iter().map(|p| (p.kind, p.members)).collect();
        assert_eq!(
            found,
            [
                (PartKind::Cycle, vec![0, 1, 2]),
                (PartKind::Chain, vec![3, 4, 5, 6]),
                (PartKind::Doomed, vec![7, 8]),
            ]
        );
    }

    #[test]
    fn a_choice_ends_a_chain() {
        let found = parts(&graph(5, &[], &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)]));
        assert!(found.iter().all(|part| part.kind == PartKind::Single));
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn a_large_circle_is_cut_into_regions() {
        // A circle of 90 states with a shortcut from each to the one after the next.
        let edges: Vec<(u64, u64)> = (0..90)
            .flat_map(|i| [(i, (i + 1) % 90), (i, (i + 2) % 90)])
            .collect();
        let found = parts(&graph(90, &[], &edges));
        assert!(found.len() > 4 && found.len() < 40, "{}", found.len());
        assert!(found.iter().all(|part| part.members.len() <= LARGE_CIRCLE));
        let mut all: Vec<usize> = found.iter().flat_map(|p| p.members.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..90).collect::<Vec<_>>());
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_states_needs_no_deep_stack() {
        let edges: Vec<(u64, u64)> = (0..99_999).map(|i| (i, i + 1)).collect();
        let found = parts(&graph(100_000, &[], &edges));
        assert_eq!(found.len(), 1);
    }
}

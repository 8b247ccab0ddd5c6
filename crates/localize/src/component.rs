//! The checks of a trace by what they have to do with each other: two that share a drawn variable, or
//! are linked by others that do, are in one component. What can hold together with the trace is
//! decided by the components that it speaks of, since the others hold on their own.

use crate::graph::{Graph, ItemKind, ItemNo};
use idiolect_smt::{TermId, Terms};
use rustc_hash::FxHashMap;

pub(crate) struct Components {
    /// By component: its checks, in order.
    pub(crate) checks: Vec<Vec<ItemNo>>,
    pub(crate) by_draw: FxHashMap<TermId, usize>,
}

/// Looking for variables goes through whole terms; for longer traces all checks are one component.
const MAX_CHECKS: usize = 5_000;

impl Components {
    pub(crate) fn new(terms: &Terms, graph: &Graph, over_draws: &[TermId]) -> Self {
        let draws: Vec<TermId> = graph
            .items
            .iter()
            .filter(|i| i.kind == ItemKind::Drawn)
            .map(|i| i.subject)
            .collect();
        let numbers: FxHashMap<TermId, usize> =
            draws.iter().enumerate().map(|(i, &d)| (d, i)).collect();
        let checks: Vec<ItemNo> = (0..graph.items.len())
            .filter(|&i| matches!(graph.items[i].kind, ItemKind::Check { .. }))
            .filter(|&i| !terms.known_true(over_draws[i]))
            .map(|i| i as ItemNo)
            .collect();
        let mut parent: Vec<usize> = (0..draws.len()).collect();
        let is_whole = checks.len() > MAX_CHECKS;
        let mut first_draw: Vec<Option<usize>> = Vec::with_capacity(checks.len());
        for &check in &checks {
            let mut first = None;
            if is_whole {
                first = (!draws.is_empty()).then_some(0);
            } else {
                let (variables, _) = terms.variables_of(&[over_draws[check as usize]]);
                for variable in variables {
                    let Some(&own) = numbers.get(&terms.variable_term(variable)) else {
                        continue;
                    };
                    match first {
                        None => first = Some(own),
                        Some(other) => union(&mut parent, own, other),
                    }
                }
            }
            first_draw.push(first);
        }
        if is_whole {
            parent.fill(0);
        }
        let mut of_root: FxHashMap<usize, usize> = FxHashMap::default();
        let mut by_draw: FxHashMap<TermId, usize> = FxHashMap::default();
        for (i, &draw) in draws.iter().enumerate() {
            let root = find(&mut parent, i);
            let next = of_root.len();
            by_draw.insert(draw, *of_root.entry(root).or_insert(next));
        }
        let mut lists: Vec<Vec<ItemNo>> = vec![Vec::new(); of_root.len()];
        for (&check, first) in checks.iter().zip(first_draw) {
            if let Some(first) = first {
                lists[by_draw[&draws[first]]].push(check);
            }
        }
        Self {
            checks: lists,
            by_draw,
        }
    }

    /// The components that these terms speak of, in order.
    pub(crate) fn of(&self, terms: &Terms, list: &[TermId]) -> Vec<usize> {
        let (variables, _) = terms.variables_of(list);
        let variables = variables.into_iter().map(|v| terms.variable_term(v));
        let mut own: Vec<usize> = variables
            .filter_map(|v| self.by_draw.get(&v).copied())
            .collect();
        own.sort_unstable();
        own.dedup();
        own
    }
}

fn find(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn union(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b)] = a.min(b);
}

//! Standardization: equivalent scenarios become the same string.
//!
//! Section 4.1 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002), Figures 16 to 18.
//!
//! | there | here |
//! |---|---|
//! | S, a simplified scenario | [`Scenario`] after [`Scenario::simplify`] |
//! | d, the order kept by permutations | [`Scenario::dependences`]: flow, anti and output |
//! | `StandardName` | [`names`] |
//! | `RestrictedPermutations` | [`Search::extend`] |
//! | `Standardize` | [`standardize`] |
//!
//! Two scenarios are equivalent if reordering independent interactions and renaming values makes
//! them equal. Interactions are ordered so that the sequence of their skeletons is the least that
//! the dependences allow; among several such orders, names decide. Names are given from the seed
//! outward, per type, first to the interaction before and then to the one behind.
//!
//! "Lexicographically smallest" compares the skeletons of the whole string first and the names
//! after them. Compared letter by letter, the restriction to least skeletons would not be safe:
//! names depend on what follows, so a smaller first name may only be had with larger skeletons
//! later on.
//!
//! Where we differ: two uses of one object change places only if the traces have both orders
//! ([`ObjectOrders`]). Interactions with equal skeletons and values that could come next at the same
//! time are interchangeable, so only one of them is tried; ten reads of one socket would otherwise
//! be 10! permutations. And the search ends after [`MOST_ORDERS`] orders (deciding equivalence is
//! as hard as graph isomorphism): then a single order is taken, in which ties are broken by what
//! surrounds an interaction. Equivalent scenarios still become the same string unless they are so
//! regular that colour refinement does not tell their parts apart.

use crate::scenario::{NOTHING, Scenario, Step};
use crate::types::{AttributeTypes, ObjectOrders};
use crate::vocabulary::{ApiVocabulary, Skeleton};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Orders looked at before the search is cut short.
pub const MOST_ORDERS: usize = 1000;

/// A scenario in its standard order with standard names.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Standardized {
    /// Where each interaction was in the scenario.
    pub order: Vec<usize>,
    /// The string: steps whose values are names.
    pub scenario: Scenario,
}

/// Standardizes a simplified scenario. Without types, all attributes share one name space.
pub fn standardize(
    vocabulary: &ApiVocabulary,
    types: Option<&AttributeTypes>,
    scenario: &Scenario,
) -> Standardized {
    let orders = types.and_then(AttributeTypes::orders);
    standardize_in(vocabulary, types, orders, scenario)
}

/// The same with uses that keep their order unless they were seen both ways.
pub(crate) fn standardize_in(
    vocabulary: &ApiVocabulary,
    types: Option<&AttributeTypes>,
    orders: Option<&ObjectOrders>,
    scenario: &Scenario,
) -> Standardized {
    let order = Search::new(vocabulary, types, orders, scenario).run();
    let permuted = permute(scenario, &order);
    Standardized {
        scenario: names(vocabulary, types, &permuted),
        order,
    }
}

/// The steps in another order.
fn permute(scenario: &Scenario, order: &[usize]) -> Scenario {
    let seed = order.iter().position(|&i| i == scenario.seed);
    Scenario {
        seed: seed.unwrap_or(0),
        steps: order.iter().map(|&i| scenario.steps[i].clone()).collect(),
    }
}

/// `StandardName`: replaces values by names, from the seed outward.
fn names(
    vocabulary: &ApiVocabulary,
    types: Option<&AttributeTypes>,
    scenario: &Scenario,
) -> Scenario {
    let mut spaces: FxHashMap<u32, u32> = FxHashMap::default();
    let mut given: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut named = scenario.clone();
    let mut name = |step: &mut Step| {
        for (attribute, value) in vocabulary.attributes(step.skeleton).zip(&mut step.values) {
            if *value == NOTHING {
                continue;
            }
            let space = types.map_or(0, |types| types.of(attribute).unwrap_or(u32::MAX));
            *value = *given.entry((space, *value)).or_insert_with(|| {
                let next = spaces.entry(space).or_insert(0);
                *next += 1;
                *next - 1
            });
        }
    };
    let (seed, n) = (scenario.seed, scenario.steps.len());
    if n > 0 {
        name(&mut named.steps[seed]);
    }
    for distance in 1..n {
        if let Some(before) = seed.checked_sub(distance) {
            name(&mut named.steps[before]);
        }
        if seed + distance < n {
            name(&mut named.steps[seed + distance]);
        }
    }
    named
}

/// The order of strings: skeletons first, then names.
fn compare(vocabulary: &ApiVocabulary, left: &Scenario, right: &Scenario) -> Ordering {
    let skeletons = |a: &Step, b: &Step| vocabulary.compare(a.skeleton, b.skeleton);
    let by_skeletons = (left.steps.iter().zip(&right.steps))
        .map(|(a, b)| skeletons(a, b))
        .find(|order| order.is_ne());
    let values = |s: &'_ Scenario| -> Vec<u32> {
        s.steps
            .iter()
            .flat_map(|step| step.values.iter().copied())
            .collect()
    };
    by_skeletons
        .unwrap_or_else(|| left.steps.len().cmp(&right.steps.len()))
        .then_with(|| values(left).cmp(&values(right)))
        .then_with(|| left.seed.cmp(&right.seed))
}

struct Search<'a> {
    vocabulary: &'a ApiVocabulary,
    types: Option<&'a AttributeTypes>,
    scenario: &'a Scenario,
    /// The rank of each step's skeleton in lexicographic order.
    rank: Vec<u32>,
    successors: Vec<SmallVec<[u32; 4]>>,
    /// How many steps each one still waits for.
    waiting: Vec<u32>,
    ready: Vec<u32>,
    order: Vec<usize>,
    orders_seen: usize,
    best: Option<(Scenario, Vec<usize>)>,
    /// Breaks ties instead of trying all, once there are too many.
    colors: Option<Vec<u64>>,
}

impl<'a> Search<'a> {
    fn new(
        vocabulary: &'a ApiVocabulary,
        types: Option<&'a AttributeTypes>,
        orders: Option<&ObjectOrders>,
        scenario: &'a Scenario,
    ) -> Self {
        let before = scenario.dependences(vocabulary, types, orders);
        let mut successors = vec![SmallVec::new(); before.len()];
        for (step, needs) in before.iter().enumerate() {
            for &need in needs {
                successors[need as usize].push(step as u32);
            }
        }
        let waiting: Vec<u32> = before.iter().map(|needs| needs.len() as u32).collect();
        let mut skeletons: Vec<Skeleton> = scenario.steps.iter().map(|s| s.skeleton).collect();
        skeletons.sort_by(|a, b| vocabulary.compare(*a, *b));
        skeletons.dedup();
        let rank =
            |s: &Step| skeletons.partition_point(|k| vocabulary.compare(*k, s.skeleton).is_lt());
        Self {
            rank: scenario.steps.iter().map(|s| rank(s) as u32).collect(),
            ready: (0..waiting.len() as u32)
                .filter(|&i| waiting[i as usize] == 0)
                .collect(),
            vocabulary,
            types,
            scenario,
            successors,
            waiting,
            order: Vec::new(),
            orders_seen: 0,
            best: None,
            colors: None,
        }
    }

    fn run(mut self) -> Vec<usize> {
        self.extend();
        if self.orders_seen > MOST_ORDERS {
            self.colors = Some(self.refine_colors());
            self.best = None;
            self.orders_seen = 0;
            self.extend();
        }
        self.best.map_or_else(Vec::new, |(_, order)| order)
    }

    /// Tries each way to go on from the steps chosen so far.
    fn extend(&mut self) {
        if self.orders_seen > MOST_ORDERS {
            return;
        }
        if self.order.len() == self.rank.len() {
            self.finish();
            return;
        }
        for step in self.selected() {
            let at = self.ready.iter().position(|&r| r == step);
            let at = at.expect("a selected step is ready");
            self.ready.swap_remove(at);
            self.order.push(step as usize);
            let n_ready = self.ready.len();
            for next in self.successors[step as usize].clone() {
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 {
                    self.ready.push(next);
                }
            }
            self.extend();
            // Deeper levels permute what was ready, so the new ones are removed by name.
            let mut new: SmallVec<[u32; 4]> = SmallVec::new();
            for &next in &self.successors[step as usize] {
                if self.waiting[next as usize] == 0 {
                    new.push(next);
                }
                self.waiting[next as usize] += 1;
            }
            self.ready.retain(|r| !new.contains(r));
            debug_assert_eq!(self.ready.len(), n_ready, "everything was put back");
            self.ready.push(step);
            self.order.pop();
        }
    }

    /// `OfLeastSkeletons(Ready)`, one of each set of interchangeable steps.
    fn selected(&self) -> SmallVec<[u32; 4]> {
        let rank = |s: u32| self.rank[s as usize];
        let least = self.ready.iter().map(|&s| rank(s)).min();
        let mut selected: SmallVec<[u32; 4]> = self.ready.iter().copied().collect();
        selected.retain(|s| Some(rank(*s)) == least);
        selected.sort_unstable();
        let is_seed = |s: u32| s as usize == self.scenario.seed;
        let values = |s: u32| &self.scenario.steps[s as usize].values;
        let mut distinct: SmallVec<[u32; 4]> = SmallVec::new();
        for s in selected {
            let same = |d: &u32| values(*d) == values(s) && !is_seed(*d) && !is_seed(s);
            if !distinct.iter().any(same) {
                distinct.push(s);
            }
        }
        if let Some(colors) = &self.colors {
            let first = distinct
                .iter()
                .copied()
                .min_by_key(|&s| (colors[s as usize], s));
            distinct = first.into_iter().collect();
        }
        distinct
    }

    fn finish(&mut self) {
        self.orders_seen += 1;
        let permuted = permute(self.scenario, &self.order);
        let named = names(self.vocabulary, self.types, &permuted);
        let better = (self.best.as_ref())
            .is_none_or(|(best, _)| compare(self.vocabulary, &named, best).is_lt());
        if better {
            self.best = Some((named, self.order.clone()));
        }
    }

    /// Numbers that depend on what a step is and on its surroundings, not on its position or on the
    /// numbers of values.
    fn refine_colors(&self) -> Vec<u64> {
        let steps = &self.scenario.steps;
        let hash_of = |item: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            item(&mut hasher);
            hasher.finish()
        };
        let mut colors: Vec<u64> = (0..steps.len())
            .map(|i| hash_of(&|h| (self.rank[i], i == self.scenario.seed).hash(h)))
            .collect();
        let mut predecessors = vec![Vec::new(); steps.len()];
        for (i, after) in self.successors.iter().enumerate() {
            for &s in after {
                predecessors[s as usize].push(i as u32);
            }
        }
        for _ in 0..8 {
            let mut meetings: FxHashMap<u32, Vec<(u64, usize)>> = FxHashMap::default();
            for (step, color) in steps.iter().zip(&colors) {
                for (place, value) in step.values.iter().enumerate() {
                    meetings.entry(*value).or_default().push((*color, place));
                }
            }
            let sorted = |list: &[u32]| {
                let mut list: Vec<u64> = list.iter().map(|&i| colors[i as usize]).collect();
                list.sort_unstable();
                list
            };
            let next = (0..steps.len()).map(|i| {
                hash_of(&|h| {
                    colors[i].hash(h);
                    for value in &steps[i].values {
                        let mut met = meetings.get(value).cloned().unwrap_or_default();
                        met.sort_unstable();
                        met.hash(h);
                    }
                    sorted(&predecessors[i]).hash(h);
                    sorted(&self.successors[i]).hash(h);
                })
            });
            colors = next.collect();
        }
        colors
    }
}

#[cfg(test)]
#[path = "standardize_tests.rs"]
mod tests;

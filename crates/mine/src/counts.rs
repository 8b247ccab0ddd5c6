//! How often each scenario was seen, and what was learned about types: all that mining needs of a
//! trace, and so what is merged when traces are read in parallel or on several machines.
//!
//! [`CountedScenarios::merge`] is associative and commutative, and empty counts change nothing.

use crate::lives::LifeCounts;
use crate::scenario::{Packed, Scenario};
use crate::standardize::standardize_in;
use crate::types::Typing;
use crate::vocabulary::ApiVocabulary;
use rustc_hash::FxHashMap;

/// Scenario counts and typing. All attributes that carry dependences are still there.
#[derive(Clone, Debug)]
pub struct CountedScenarios {
    /// Scenarios in standard order as far as that is known without types.
    standard: FxHashMap<Packed, u64>,
    /// Scenarios as they came. Emptied into `standard` when there are many, because the same
    /// scenario may come in many orders.
    recent: FxHashMap<Packed, u64>,
    typing: Typing,
    /// How many orders of uses were known when all scenarios were last brought into standard order.
    n_orders: usize,
    /// Runs with at least one call.
    pub runs: u64,
    /// Calls of any kind.
    pub calls: u64,
    /// Lines that are no calls.
    pub skipped_lines: u64,
    /// Interactions of calls that the API has.
    pub interactions: u64,
    /// Calls that the API does not have.
    pub unknown_calls: u64,
    /// Scenarios whose closure was cut because it reached too far back.
    pub cut_closures: u64,
    /// Scenarios that were cut at their size: they say nothing about how it goes on.
    pub censored: u64,
    /// What programs do with objects from birth to end.
    pub lives: LifeCounts,
}

const MOST_RECENT: usize = 1 << 14;

impl CountedScenarios {
    pub fn new(vocabulary: &ApiVocabulary) -> Self {
        Self {
            standard: FxHashMap::default(),
            recent: FxHashMap::default(),
            typing: Typing::new(vocabulary.n_attributes()),
            n_orders: 0,
            runs: 0,
            calls: 0,
            skipped_lines: 0,
            interactions: 0,
            unknown_calls: 0,
            cut_closures: 0,
            censored: 0,
            lives: LifeCounts::default(),
        }
    }

    pub fn typing(&self) -> &Typing {
        &self.typing
    }

    pub(crate) fn typing_mut(&mut self) -> &mut Typing {
        &mut self.typing
    }

    /// Counts a scenario.
    pub(crate) fn add(&mut self, packed: &Packed, vocabulary: &ApiVocabulary) {
        if let Some(count) = self.recent.get_mut(packed) {
            *count += 1;
            return;
        }
        if self.recent.len() >= MOST_RECENT {
            self.settle(vocabulary);
        }
        self.recent.insert(packed.clone(), 1);
    }

    /// Brings recent scenarios into standard order. With all attributes and one name space this is
    /// finer than the order that types will decide, and so is keeping the order of uses that were
    /// seen in one order only *so far*; so nothing is lost.
    pub(crate) fn settle(&mut self, vocabulary: &ApiVocabulary) {
        let mut recent: Vec<(Packed, u64)> = self.recent.drain().collect();
        recent.sort_unstable();
        for (packed, _) in &recent {
            if let Some(scenario) = Scenario::unpack(packed, vocabulary) {
                self.typing.orders_mut().add(vocabulary, &scenario);
            }
        }
        self.standardize_all(recent, vocabulary);
    }

    /// Scenarios that settled before all orders were known may be the same now.
    pub(crate) fn settle_all(&mut self, vocabulary: &ApiVocabulary) {
        self.settle(vocabulary);
        let n_orders = self.typing.orders().pairs().count();
        if std::mem::replace(&mut self.n_orders, n_orders) != n_orders {
            let mut again: Vec<(Packed, u64)> = self.standard.drain().collect();
            again.sort_unstable();
            self.standardize_all(again, vocabulary);
        }
    }

    fn standardize_all(&mut self, scenarios: Vec<(Packed, u64)>, vocabulary: &ApiVocabulary) {
        let orders = Some(self.typing.orders());
        for (packed, count) in scenarios {
            if let Some(scenario) = Scenario::unpack(&packed, vocabulary) {
                let standard = standardize_in(vocabulary, None, orders, &scenario);
                let entry = self.standard.entry(standard.scenario.pack());
                let own = entry.or_insert(0);
                *own = own.saturating_add(count);
            }
        }
    }

    /// Adds what another part of the traces gave, with the same API.
    pub fn merge(&mut self, mut other: Self, vocabulary: &ApiVocabulary) {
        self.settle(vocabulary);
        other.settle(vocabulary);
        let mut items: Vec<(Packed, u64)> = other.standard.into_iter().collect();
        items.sort_unstable();
        for (packed, count) in items {
            let own = self.standard.entry(packed).or_insert(0);
            *own = own.saturating_add(count);
        }
        self.typing.join(&other.typing);
        // Each part was brought into standard order by what it knew.
        self.n_orders = usize::MAX;
        self.runs = self.runs.saturating_add(other.runs);
        self.calls = self.calls.saturating_add(other.calls);
        self.skipped_lines = self.skipped_lines.saturating_add(other.skipped_lines);
        self.interactions = self.interactions.saturating_add(other.interactions);
        self.unknown_calls = self.unknown_calls.saturating_add(other.unknown_calls);
        self.cut_closures = self.cut_closures.saturating_add(other.cut_closures);
        self.censored = self.censored.saturating_add(other.censored);
        self.lives.merge(other.lives);
    }

    /// The distinct scenarios, in a fixed order, with all attributes.
    pub fn scenarios(&mut self, vocabulary: &ApiVocabulary) -> Vec<(Scenario, u64)> {
        self.settle_all(vocabulary);
        let mut items: Vec<(&Packed, u64)> = self.standard.iter().map(|(p, c)| (p, *c)).collect();
        items.sort_unstable();
        let unpack =
            |(packed, count): (&Packed, u64)| Some((Scenario::unpack(packed, vocabulary)?, count));
        items.into_iter().filter_map(unpack).collect()
    }

    /// The number of scenarios seen.
    pub fn total(&self) -> u64 {
        let all = self.standard.values().chain(self.recent.values());
        all.fold(0, |sum: u64, n| sum.saturating_add(*n))
    }

    /// The scenarios in standard order, as numbers, in a fixed order.
    pub(crate) fn packed(&self) -> Vec<(Vec<u32>, u64)> {
        let items = self.standard.iter();
        let mut packed: Vec<(Vec<u32>, u64)> = items.map(|(p, c)| (p.to_vec(), *c)).collect();
        packed.sort_unstable();
        packed
    }

    /// Adds a scenario in standard order.
    pub(crate) fn add_packed(&mut self, packed: Vec<u32>, count: u64) {
        let own = self.standard.entry(packed.into()).or_insert(0);
        *own = own.saturating_add(count);
    }
}

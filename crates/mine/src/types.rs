//! Types of attributes, by union-find: attributes between which a value has flowed have one type,
//! and an attribute has a type if and only if it took part in a flow dependence.
//!
//! Which attributes are united does not depend on the order of dependences, so the typings of
//! several traces can be joined in any order.

use crate::scenario::{NOTHING, Scenario};
use crate::vocabulary::{ApiVocabulary, AttributeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A typing that grows with every dependence seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typing {
    parent: Vec<u32>,
    typed: Vec<bool>,
    orders: ObjectOrders,
}

/// In which order attributes use the same object, with nothing in between that changes it.
///
/// The paper lets all such uses change places. But a program that always asks for a column after a step
/// does so for a reason that no dependence shows; so uses change places only if both orders were seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectOrders {
    seen: BTreeSet<(u32, u32)>,
}

impl ObjectOrders {
    pub(crate) fn new(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Self {
            seen: pairs.into_iter().collect(),
        }
    }

    /// Whether both orders were seen.
    pub fn commute(&self, a: AttributeId, b: AttributeId) -> bool {
        a == b || self.seen.contains(&(a.0, b.0)) && self.seen.contains(&(b.0, a.0))
    }

    /// The pairs that may change places.
    pub(crate) fn commuting(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let both = |(a, b): &(u32, u32)| self.seen.contains(&(*b, *a));
        self.seen.iter().copied().filter(both)
    }

    /// All pairs that were seen in this order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.seen.iter().copied()
    }

    pub(crate) fn insert(&mut self, a: u32, b: u32) {
        self.seen.insert((a, b));
    }

    /// Adds what a scenario shows, which is in the order of the trace.
    pub(crate) fn add(&mut self, vocabulary: &ApiVocabulary, scenario: &Scenario) {
        let mut users: FxHashMap<u32, Vec<AttributeId>> = FxHashMap::default();
        for step in &scenario.steps {
            let pairs = || vocabulary.attributes(step.skeleton).zip(&step.values);
            for (attribute, value) in pairs().filter(|(_, v)| **v != NOTHING) {
                let before = users.entry(*value).or_default();
                if vocabulary.defines(attribute) {
                    before.clear();
                } else {
                    let others = before.iter().filter(|other| **other != attribute);
                    self.seen.extend(others.map(|other| (other.0, attribute.0)));
                    if !before.contains(&attribute) {
                        before.push(attribute);
                    }
                }
            }
        }
    }
}

impl Typing {
    /// Each attribute on its own, none of them typed.
    pub fn new(n_attributes: usize) -> Self {
        Self {
            parent: (0..n_attributes as u32).collect(),
            typed: vec![false; n_attributes],
            orders: ObjectOrders::default(),
        }
    }

    pub fn orders(&self) -> &ObjectOrders {
        &self.orders
    }

    pub(crate) fn orders_mut(&mut self) -> &mut ObjectOrders {
        &mut self.orders
    }

    fn root(&self, mut attribute: u32) -> u32 {
        while self.parent[attribute as usize] != attribute {
            attribute = self.parent[attribute as usize];
        }
        attribute
    }

    /// A value flowed from one attribute to another.
    pub fn unite(&mut self, from: AttributeId, to: AttributeId) {
        self.typed[from.index()] = true;
        self.typed[to.index()] = true;
        let (a, b) = (self.root(from.0), self.root(to.0));
        // The least member is the root: no ranks are needed for the few attributes of an API, and
        // equal typings are equal tables.
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
        self.parent[from.index()] = low;
        self.parent[to.index()] = low;
    }

    /// Everything that the other typing has united, too.
    pub fn join(&mut self, other: &Self) {
        self.orders.seen.extend(&other.orders.seen);
        for attribute in 0..other.parent.len() as u32 {
            if other.typed[attribute as usize] {
                self.unite(AttributeId(other.root(attribute)), AttributeId(attribute));
            }
        }
    }

    /// Each typed attribute with the first of its type.
    pub(crate) fn pairs(&self) -> Vec<(u32, u32)> {
        let all = (0..self.parent.len() as u32).filter(|&a| self.typed[a as usize]);
        all.map(|a| (self.root(a), a)).collect()
    }

    pub fn is_typed(&self, attribute: AttributeId) -> bool {
        self.typed[attribute.index()]
    }

    /// The types, numbered in the lexicographic order of their first attributes.
    pub fn types(&self, vocabulary: &ApiVocabulary) -> AttributeTypes {
        let mut all: Vec<AttributeId> = (0..self.parent.len()).map(AttributeId::new).collect();
        all.retain(|a| self.is_typed(*a));
        all.sort_by_key(|&a| vocabulary.full_name(a));
        let mut number: Vec<Option<u32>> = vec![None; self.parent.len()];
        let mut of = vec![None; self.parent.len()];
        let mut n_types = 0;
        for attribute in all {
            let root = self.root(attribute.0) as usize;
            let fresh = *number[root].get_or_insert_with(|| {
                n_types += 1;
                n_types - 1
            });
            of[attribute.index()] = Some(fresh);
        }
        AttributeTypes {
            of,
            orders: Some(self.orders.clone()),
        }
    }
}

/// The type of each attribute that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeTypes {
    of: Vec<Option<u32>>,
    /// If they are not known, all uses may change places.
    orders: Option<ObjectOrders>,
}

impl AttributeTypes {
    /// A typing given by hand or by a file: the number of each attribute's type.
    pub fn new(of: Vec<Option<u32>>, orders: Option<ObjectOrders>) -> Self {
        Self { of, orders }
    }

    pub fn orders(&self) -> Option<&ObjectOrders> {
        self.orders.as_ref()
    }

    pub fn of(&self, attribute: AttributeId) -> Option<u32> {
        self.of.get(attribute.index()).copied().flatten()
    }

    /// Each typed attribute by its full name, and its type.
    pub fn list(&self, vocabulary: &ApiVocabulary) -> Vec<(String, u32)> {
        let all = (0..self.of.len()).map(AttributeId::new);
        let typed = all.filter_map(|a| Some((vocabulary.full_name(a), self.of(a)?)));
        let mut list: Vec<(String, u32)> = typed.collect();
        list.sort();
        list
    }
}

//! Types of attributes, by union-find: attributes between which a value has flowed have one type,
//! and an attribute has a type if and only if it took part in a flow dependence.
//!
//! Which attributes are united does not depend on the order of dependences, so the typings of
//! several traces can be joined in any order.

use crate::vocabulary::{AttributeId, Vocabulary};

/// A typing that grows with every dependence seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typing {
    parent: Vec<u32>,
    typed: Vec<bool>,
}

impl Typing {
    /// Each attribute on its own, none of them typed.
    pub fn new(n_attributes: usize) -> Self {
        Self {
            parent: (0..n_attributes as u32).collect(),
            typed: vec![false; n_attributes],
        }
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
    pub fn types(&self, vocabulary: &Vocabulary) -> Types {
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
        Types(of)
    }
}

/// The type of each attribute that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Types(Vec<Option<u32>>);

impl Types {
    /// A typing given by hand or by a file: the number of each attribute's type.
    pub fn new(of: Vec<Option<u32>>) -> Self {
        Self(of)
    }

    pub fn of(&self, attribute: AttributeId) -> Option<u32> {
        self.0.get(attribute.index()).copied().flatten()
    }

    /// Each typed attribute by its full name, and its type.
    pub fn list(&self, vocabulary: &Vocabulary) -> Vec<(String, u32)> {
        let all = (0..self.0.len()).map(AttributeId::new);
        let typed = all.filter_map(|a| Some((vocabulary.full_name(a), self.of(a)?)));
        let mut list: Vec<(String, u32)> = typed.collect();
        list.sort();
        list
    }
}

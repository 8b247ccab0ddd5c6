//! A map from small integers that is copied in constant time and compared in the time of its
//! differences: a radix tree of 16-way nodes that copies share until one of them is changed.
//!
//! Symbolic states are copied at every decision and merged at every join, and the two sides of a
//! join differ in a few entries of thousands; both costs are those of the entries that changed.
//!
//! Nodes are shared by `Arc`, so that what millions of them know can be freed by a thread of its own
//! (see [`idiolect_base::drop_aside`]).

use std::rc::Rc;
use std::sync::Arc;

const DIGIT: u32 = 4;
const WAYS: usize = 1 << DIGIT;

/// Whether two values are the same thing, cheaply: a false `false` costs time, never a wrong result.
pub(crate) trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl Same for bool {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Same for idiolect_smt::TermId {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<T> Same for Rc<T> {
    fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(self, other)
    }
}

#[derive(Clone)]
enum Node<V> {
    Branch([Option<Arc<Node<V>>>; WAYS]),
    Leaf([Option<V>; WAYS]),
}

#[derive(Clone)]
pub(crate) struct PersistentMap<V> {
    root: Option<Arc<Node<V>>>,
    /// The digits of keys that fit, at least one.
    height: u32,
}

impl<V: Clone + Same> Default for PersistentMap<V> {
    fn default() -> Self {
        Self {
            root: None,
            height: 1,
        }
    }
}

fn fits(key: u32, height: u32) -> bool {
    DIGIT * height >= 32 || key >> (DIGIT * height) == 0
}

fn digit(key: u32, level: u32) -> usize {
    (key >> (DIGIT * level)) as usize & (WAYS - 1)
}

impl<V: Clone + Same> PersistentMap<V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    pub(crate) fn get(&self, key: u32) -> Option<&V> {
        if !fits(key, self.height) {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height - 1;
        loop {
            match &**node {
                Node::Leaf(values) => return values[digit(key, 0)].as_ref(),
                Node::Branch(children) => {
                    node = children[digit(key, level)].as_ref()?;
                    level -= 1;
                }
            }
        }
    }

    /// Makes room for keys of one digit more.
    fn grow(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children = [const { None }; WAYS];
            children[0] = Some(root);
            self.root = Some(Arc::new(Node::Branch(children)));
        }
        self.height += 1;
    }

    pub(crate) fn insert(&mut self, key: u32, value: V) {
        while !fits(key, self.height) {
            self.grow();
        }
        insert(&mut self.root, self.height - 1, key, value);
    }

    pub(crate) fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            remove(&mut self.root, self.height - 1, key);
        }
    }

    /// The entries with keys in `from..to`, ascending.
    pub(crate) fn for_range(&self, from: u32, to: u32, visit: &mut impl FnMut(u32, &V)) {
        if let Some(root) = &self.root {
            walk(root, self.height - 1, 0, from, to, visit);
        }
    }

    /// The keys whose entries are not the same in both, ascending.
    pub(crate) fn differences(&self, other: &Self) -> Vec<u32> {
        let mut keys = Vec::new();
        let (mut a, mut b) = (self.clone(), other.clone());
        while a.height < b.height {
            a.grow();
        }
        while b.height < a.height {
            b.grow();
        }
        differences(a.root.as_ref(), b.root.as_ref(), a.height - 1, 0, &mut keys);
        keys
    }
}

fn insert<V: Clone>(slot: &mut Option<Arc<Node<V>>>, level: u32, key: u32, value: V) {
    let node = slot.get_or_insert_with(|| {
        Arc::new(match level {
            0 => Node::Leaf([const { None }; WAYS]),
            _ => Node::Branch([const { None }; WAYS]),
        })
    });
    match Arc::make_mut(node) {
        Node::Leaf(values) => values[digit(key, 0)] = Some(value),
        Node::Branch(children) => insert(
            &mut children[digit(key, level)],
            level.saturating_sub(1),
            key,
            value,
        ),
    }
}

fn remove<V: Clone>(slot: &mut Option<Arc<Node<V>>>, level: u32, key: u32) {
    let Some(node) = slot else { return };
    let is_empty = match Arc::make_mut(node) {
        Node::Leaf(values) => {
            values[digit(key, 0)] = None;
            values.iter().all(Option::is_none)
        }
        Node::Branch(children) => {
            remove(
                &mut children[digit(key, level)],
                level.saturating_sub(1),
                key,
            );
            children.iter().all(Option::is_none)
        }
    };
    if is_empty {
        *slot = None;
    }
}

fn walk<V>(
    node: &Node<V>,
    level: u32,
    prefix: u32,
    from: u32,
    to: u32,
    visit: &mut impl FnMut(u32, &V),
) {
    for i in 0..WAYS {
        let start = u64::from(prefix) + ((i as u64) << (DIGIT * level));
        let end = start + (1 << (DIGIT * level));
        if end <= u64::from(from) || start >= u64::from(to) {
            continue;
        }
        match node {
            Node::Leaf(values) => {
                if let Some(value) = &values[i] {
                    visit(start as u32, value);
                }
            }
            Node::Branch(children) => {
                if let Some(child) = &children[i] {
                    walk(
                        child,
                        level.saturating_sub(1),
                        start as u32,
                        from,
                        to,
                        visit,
                    );
                }
            }
        }
    }
}

fn differences<V: Same>(
    a: Option<&Arc<Node<V>>>,
    b: Option<&Arc<Node<V>>>,
    level: u32,
    prefix: u32,
    keys: &mut Vec<u32>,
) {
    if let (Some(a), Some(b)) = (a, b)
        && Arc::ptr_eq(a, b)
    {
        return;
    }
    if a.is_none() && b.is_none() {
        return;
    }
    for i in 0..WAYS {
        let key = prefix.wrapping_add((i as u32) << (DIGIT * level));
        if level == 0 {
            let left = leaf_value(a, i);
            let right = leaf_value(b, i);
            let same = match (left, right) {
                (Some(x), Some(y)) => x.same(y),
                (None, None) => true,
                _ => false,
            };
            if !same {
                keys.push(key);
            }
        } else {
            differences(child(a, i), child(b, i), level - 1, key, keys);
        }
    }
}

fn leaf_value<V>(node: Option<&Arc<Node<V>>>, i: usize) -> Option<&V> {
    match &**node? {
        Node::Leaf(values) => values[i].as_ref(),
        Node::Branch(_) => None,
    }
}

fn child<V>(node: Option<&Arc<Node<V>>>, i: usize) -> Option<&Arc<Node<V>>> {
    match &**node? {
        Node::Branch(children) => children[i].as_ref(),
        Node::Leaf(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_base::Rng;
    use std::collections::BTreeMap;

    fn entries(map: &PersistentMap<bool>) -> Vec<(u32, bool)> {
        let mut list = Vec::new();
        map.for_range(0, u32::MAX, &mut |k, v| list.push((k, *v)));
        list
    }

    #[test]
    fn copies_change_apart_and_agree_with_a_tree_map() {
        let mut rng = Rng::new(7, 0);
        let mut copies = vec![(PersistentMap::default(), BTreeMap::new())];
        for _ in 0..3000 {
            let from = rng.below(copies.len() as u64) as usize;
            let (mut map, mut model) = copies[from].clone();
            for _ in 0..rng.below(6) {
                let key = (rng.next_u64() as u32) >> rng.below(32);
                if rng.chance(1, 3) {
                    map.remove(key);
                    model.remove(&key);
                } else {
                    let value = rng.chance(1, 2);
                    map.insert(key, value);
                    model.insert(key, value);
                }
            }
            let own: Vec<(u32, bool)> = model
                .iter()
                .filter(|(k, _)| **k != u32::MAX)
                .map(|(&k, &v)| (k, v))
                .collect();
            assert_eq!(entries(&map), own);
            let (other, other_model) = &copies[rng.below(copies.len() as u64) as usize];
            let mut expected: Vec<u32> = model
                .iter()
                .filter(|(k, v)| other_model.get(k) != Some(v))
                .chain(other_model.iter().filter(|(k, v)| model.get(k) != Some(v)))
                .map(|(&k, _)| k)
                .collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(map.differences(other), expected);
            if copies.len() < 20 {
                copies.push((map, model));
            } else {
                copies[from] = (map, model);
            }
        }
    }
}

//! States with the same strings, as far as an agreement looks at them.
//!
//! A prefix tree has many states and few kinds of them: whether two agree depends on the classes
//! they are in alone. So classes are compared, each pair once, and only those that share a string;
//! the states that agree with a given one are then the members of a few classes.

use super::sk_strings::{Criterion, Strings, agree};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What tells classes apart: strings, most probable strings and their probabilities, as far as
/// they matter.
type Key = (Vec<u32>, Vec<u32>, Vec<u64>);

struct Class {
    key: Key,
    strings: Strings,
    members: BTreeSet<u32>,
    /// Other classes that agree with this one. Some may have lost all their members.
    friends: Vec<u32>,
}

/// The classes that have members.
pub(crate) struct StringClasses {
    criterion: Criterion,
    classes: Vec<Class>,
    of_key: FxHashMap<Key, u32>,
    class_of: Vec<Option<u32>>,
    /// Classes by each of their strings, and by the most probable one.
    containing: FxHashMap<u32, Vec<u32>>,
    starting: FxHashMap<Option<u32>, Vec<u32>>,
    /// How many pairs of classes were compared.
    pub(crate) comparisons: u64,
}

impl StringClasses {
    pub(crate) fn new(n_states: usize, criterion: Criterion) -> Self {
        Self {
            criterion,
            classes: Vec::new(),
            of_key: FxHashMap::default(),
            class_of: vec![None; n_states],
            containing: FxHashMap::default(),
            starting: FxHashMap::default(),
            comparisons: 0,
        }
    }

    /// Forgets all classes.
    pub(crate) fn clear(&mut self) {
        let n = self.class_of.len();
        let comparisons = self.comparisons;
        *self = Self::new(n, self.criterion);
        self.comparisons = comparisons;
    }

    /// Puts a state into the class of its strings. Whether it was in another one.
    pub(crate) fn put(&mut self, state: u32, strings: &Strings) -> bool {
        let key = self.key(strings);
        let old = self.class_of[state as usize];
        if old.is_some_and(|c| self.classes[c as usize].key == key) {
            return false;
        }
        self.remove(state);
        let class = match self.of_key.get(&key) {
            Some(&class) => class,
            None => self.add(key, strings),
        };
        self.classes[class as usize].members.insert(state);
        self.class_of[state as usize] = Some(class);
        true
    }

    /// Takes a state out of its class.
    pub(crate) fn remove(&mut self, state: u32) {
        let Some(class) = self.class_of[state as usize].take() else {
            return;
        };
        let class = &mut self.classes[class as usize];
        class.members.remove(&state);
        if class.members.is_empty() {
            // It stays in the lists of others until they are looked at, and never comes back.
            self.of_key.remove(&class.key);
            class.friends = Vec::new();
        }
    }

    /// The first state after another that agrees with `state`.
    pub(crate) fn partner(&mut self, state: u32, after: Option<u32>) -> Option<u32> {
        let class = self.class_of[state as usize]?;
        let from = after.map_or(0, |a| a + 1);
        let mut friends = std::mem::take(&mut self.classes[class as usize].friends);
        friends.retain(|&f| !self.classes[f as usize].members.is_empty());
        let first = |c: u32| {
            let mut members = self.classes[c as usize].members.range(from..);
            members.find(|&&m| m != state).copied()
        };
        let found = friends.iter().copied().chain([class]).filter_map(first);
        let found = found.min();
        self.classes[class as usize].friends = friends;
        found
    }

    /// All other states that agree with `state`, in order.
    pub(crate) fn agreeing(&self, state: u32) -> Vec<u32> {
        let Some(own) = self.class_of[state as usize] else {
            return Vec::new();
        };
        let classes = &self.classes;
        let friends = classes[own as usize].friends.iter().chain([&own]);
        let all = friends.flat_map(|&class| &classes[class as usize].members);
        let mut all: Vec<u32> = all.copied().filter(|&other| other != state).collect();
        all.sort_unstable();
        all
    }

    pub(crate) fn criterion(&self) -> Criterion {
        self.criterion
    }

    fn key(&self, strings: &Strings) -> Key {
        let ids = |list: &[(u32, f64)]| -> Vec<u32> { list.iter().map(|(id, _)| *id).collect() };
        match self.criterion {
            Criterion::Tails => (strings.ids.clone(), Vec::new(), Vec::new()),
            Criterion::Strings(sk) => {
                let top = strings.top(sk.s);
                if sk.agreement.is_about_sets() {
                    let mut set = ids(top);
                    set.sort_unstable();
                    return (strings.ids.clone(), set, Vec::new());
                }
                let bits = if sk.agreement.is_about_probabilities() {
                    top.iter().map(|(_, p)| p.to_bits()).collect()
                } else {
                    Vec::new()
                };
                (Vec::new(), ids(top), bits)
            }
        }
    }

    /// A new class, compared with those it may agree with.
    fn add(&mut self, key: Key, strings: &Strings) -> u32 {
        let class = self.classes.len() as u32;
        let mut friends = Vec::new();
        for other in self.candidates(strings) {
            self.comparisons += 1;
            let found = &mut self.classes[other as usize];
            if agree(self.criterion, strings, &found.strings) {
                found.friends.push(class);
                friends.push(other);
            }
        }
        if let Criterion::Strings(sk) = self.criterion {
            if sk.agreement.is_about_sets() {
                for &id in &strings.ids {
                    self.containing.entry(id).or_default().push(class);
                }
            }
            let first = strings.by_probability.first().map(|(id, _)| *id);
            self.starting.entry(first).or_default().push(class);
        }
        self.of_key.insert(key.clone(), class);
        self.classes.push(Class {
            key,
            strings: strings.clone(),
            members: BTreeSet::new(),
            friends,
        });
        class
    }

    /// The classes that may agree with these strings: all that do are among them.
    fn candidates(&mut self, strings: &Strings) -> Vec<u32> {
        let Criterion::Strings(sk) = self.criterion else {
            // Equal strings are one class.
            return Vec::new();
        };
        let classes = &self.classes;
        let living = |list: Option<&mut Vec<u32>>, found: &mut Vec<u32>| {
            if let Some(list) = list {
                list.retain(|&c| !classes[c as usize].members.is_empty());
                found.extend_from_slice(list);
            }
        };
        let mut found = Vec::new();
        let first = strings.by_probability.first().map(|(id, _)| *id);
        if sk.agreement.is_about_sets() {
            // A class that can produce the most probable strings can produce the first of them.
            match first {
                Some(first) => living(self.containing.get_mut(&first), &mut found),
                None => found.extend(
                    (0..classes.len() as u32).filter(|&c| !classes[c as usize].members.is_empty()),
                ),
            }
            if !sk.agreement.is_mutual() {
                for &id in &strings.ids {
                    living(self.starting.get_mut(&Some(id)), &mut found);
                }
                living(self.starting.get_mut(&None), &mut found);
            }
        } else if sk.agreement.is_about_probabilities() {
            // Probabilities may differ by rounding, strings may not.
            living(self.starting.get_mut(&first), &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

//! Scenario extraction from a trace that streams by.
//!
//! Section 4.1 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002). Around each seed: its N
//! closest ancestors S_a and descendants S_d by flow dependences, and the interactions S_ar ∩ S_dr
//! on chains from the former to the latter.
//!
//! The paper's worklist always takes the nearest interaction next, and ancestors of an interaction
//! lie before it; so S_a are simply the N *last* ancestors before the seed and S_d the N *first*
//! descendants behind it. That makes one pass possible:
//!
//! * each living definition carries its N last ancestors, made from those of its own definers;
//! * each open seed collects descendants as they come, found by a mark on the definitions that
//!   descend from it. It is complete with N of them, or when the last of these definitions has been
//!   replaced, for nothing can descend from it any more.
//!
//! So memory is in proportion to living definitions and open seeds, and time to the length of the
//! trace, N and the number of seeds an interaction belongs to (at most N open ones per object). A
//! definition lives until the same value is defined again, or until [`GRACE`] interactions after
//! a call that ends the object according to the API, such as `close`: by then a use of it is no
//! mistake that anybody could see, but another object of the same name that we do not know.
//!
//! Chains that leave the ancestors and come back to a descendant without touching the seed are rare
//! and are searched for when a descendant has a definer that is neither. The search looks back over
//! the last [`WINDOW`] defining interactions; where that is not far enough, the scenario is counted
//! in [`CountedScenarios::cut_closures`](crate::CountedScenarios::cut_closures).

use crate::counts::CountedScenarios;
use crate::reaching::Definitions;
use crate::scenario::{Packed, pack_interactions};
use crate::value::Value;
use crate::vocabulary::{ApiVocabulary, AttributeId, Interaction};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// How many defining interactions are remembered for chains beside the seed.
pub const WINDOW: usize = 1 << 16;

/// How many interactions an object is remembered that a call has ended.
pub const GRACE: u64 = 1 << 16;

/// An interaction that is part of a scenario or may become so.
#[derive(Debug)]
struct Node {
    position: u64,
    interaction: Interaction,
    /// The positions of the interactions it depends on.
    definers: SmallVec<[u64; 2]>,
}

/// What the table of definitions knows about a definer.
#[derive(Debug)]
struct Definition {
    node: Rc<Node>,
    /// The last N ancestors, latest first.
    ancestors: Box<[Rc<Node>]>,
    /// The open seeds that it is, or descends from.
    seeds: RefCell<SmallVec<[OpenId; 2]>>,
    /// How many values it defines and nobody has defined since.
    entries: Cell<u32>,
}

/// An open seed; the generation tells it from an earlier one in the same slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OpenId {
    slot: u32,
    generation: u32,
}

#[derive(Debug)]
struct Open {
    generation: u32,
    seed: Rc<Node>,
    /// Latest first.
    ancestors: Box<[Rc<Node>]>,
    descendants: Vec<Rc<Node>>,
    /// Interactions on chains beside the seed.
    beside: Vec<Rc<Node>>,
    /// Definitions marked with this seed that are still alive.
    alive: u32,
    was_cut: bool,
}

impl Open {
    fn earliest(&self) -> u64 {
        self.ancestors.last().unwrap_or(&self.seed).position
    }
}

/// A scenario as it is found.
#[derive(Clone, Debug)]
pub struct FoundScenario {
    /// In the order of the trace.
    pub interactions: Vec<Interaction>,
    /// The position of the seed among them.
    pub seed: usize,
}

/// Extracts scenarios from one run after the other.
#[derive(Debug)]
pub struct Extractor<'a> {
    vocabulary: &'a ApiVocabulary,
    /// N.
    size: usize,
    definitions: Definitions<Rc<Definition>>,
    position: u64,
    open: Vec<Option<Open>>,
    free: Vec<u32>,
    generation: u32,
    window: VecDeque<Rc<Node>>,
    /// Objects that were ended, and when.
    ended: VecDeque<(u64, Value)>,
    grace: u64,
    links: FxHashSet<(AttributeId, AttributeId)>,
    packed: Packed,
    seen: Vec<Value>,
    /// Handed every scenario, if somebody wants to see them.
    keep: Option<Vec<FoundScenario>>,
}

impl<'a> Extractor<'a> {
    /// At most `size` ancestors and `size` descendants of each seed.
    pub fn new(vocabulary: &'a ApiVocabulary, size: usize) -> Self {
        Self {
            vocabulary,
            size,
            definitions: Definitions::default(),
            position: 0,
            open: Vec::new(),
            free: Vec::new(),
            generation: 0,
            window: VecDeque::new(),
            ended: VecDeque::new(),
            grace: GRACE,
            links: FxHashSet::default(),
            packed: Packed::new(),
            seen: Vec::new(),
            keep: None,
        }
    }

    /// Keeps the scenarios themselves, too, until they are taken.
    #[must_use]
    pub fn keeping(mut self) -> Self {
        self.keep = Some(Vec::new());
        self
    }

    /// The scenarios found since the last time, in the order in which they were completed.
    pub fn take(&mut self) -> Vec<FoundScenario> {
        self.keep.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The next interaction of the run.
    pub fn add(&mut self, interaction: Interaction, counts: &mut CountedScenarios) {
        let vocabulary = self.vocabulary;
        self.position += 1;
        counts.interactions += 1;
        self.forget_ended(counts);
        let mut definers: SmallVec<[Rc<Definition>; 2]> = SmallVec::new();
        let links = &mut self.links;
        (self.definitions).reaching(vocabulary, &interaction, |definer, from, to| {
            if links.insert((from, to)) {
                counts.typing_mut().unite(from, to);
            }
            if !definers.iter().any(|d| Rc::ptr_eq(d, definer)) {
                definers.push(definer.clone());
            }
        });
        let mut seeds: SmallVec<[OpenId; 2]> = SmallVec::new();
        for definer in &definers {
            let mut marks = definer.seeds.borrow_mut();
            marks.retain(|id| is_open(&self.open, *id));
            for id in marks.iter() {
                if !seeds.contains(id) {
                    seeds.push(*id);
                }
            }
        }
        if vocabulary.may_end(interaction.skeleton) {
            self.note_ended(&interaction);
        }
        let is_seed = vocabulary.is_seed(interaction.skeleton);
        let may_define = vocabulary.may_define(interaction.skeleton);
        if seeds.is_empty() && !is_seed && !may_define {
            return;
        }
        let node = Rc::new(Node {
            position: self.position,
            interaction,
            definers: definers.iter().map(|d| d.node.position).collect(),
        });
        for id in &seeds {
            self.add_descendant(*id, &node, &definers);
        }
        let ancestors = last_ancestors(&definers, self.size);
        let mut touched = seeds;
        if is_seed {
            touched.push(self.open_seed(&node, ancestors.clone()));
        }
        drop(definers);
        if may_define {
            self.define(&node, ancestors, &mut touched);
        }
        // Complete are seeds with N descendants, and those from which nothing can descend now.
        for id in touched {
            self.close_if_complete(id, counts);
        }
    }

    /// The run is over: all open seeds are complete.
    pub fn end_run(&mut self, counts: &mut CountedScenarios) {
        for slot in 0..self.open.len() {
            if let Some(open) = self.open[slot].take() {
                self.free.push(slot as u32);
                self.emit(&open, counts);
            }
        }
        self.definitions.clear();
        self.window.clear();
        self.ended.clear();
    }

    fn open_seed(&mut self, node: &Rc<Node>, ancestors: Box<[Rc<Node>]>) -> OpenId {
        self.generation = self.generation.wrapping_add(1);
        let open = Open {
            generation: self.generation,
            seed: node.clone(),
            ancestors,
            descendants: Vec::new(),
            beside: Vec::new(),
            alive: 0,
            was_cut: false,
        };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.open[slot as usize] = Some(open);
                slot
            }
            None => {
                self.open.push(Some(open));
                self.open.len() as u32 - 1
            }
        };
        OpenId {
            slot,
            generation: self.generation,
        }
    }

    /// Enters what a node defines. Seeds that lose a definition are added to `touched`.
    fn define(
        &mut self,
        node: &Rc<Node>,
        ancestors: Box<[Rc<Node>]>,
        touched: &mut SmallVec<[OpenId; 2]>,
    ) {
        let definition = Rc::new(Definition {
            node: node.clone(),
            ancestors,
            seeds: RefCell::new(touched.clone()),
            entries: Cell::new(0),
        });
        let replaced = (self.definitions).define(self.vocabulary, &node.interaction, || {
            definition.entries.set(definition.entries.get() + 1);
            definition.clone()
        });
        if definition.entries.get() > 0 {
            for id in touched.iter() {
                if let Some(open) = find_open(&mut self.open, *id) {
                    open.alive += 1;
                }
            }
            if self.window.len() == WINDOW {
                self.window.pop_front();
            }
            self.window.push_back(node.clone());
        }
        for old in replaced {
            self.lose_entry(&old, touched);
        }
    }

    /// A definition has one value less. Seeds that lose the definition with it are added to `touched`.
    fn lose_entry(&mut self, old: &Definition, touched: &mut SmallVec<[OpenId; 2]>) {
        old.entries.set(old.entries.get() - 1);
        if old.entries.get() > 0 {
            return;
        }
        for id in old.seeds.borrow().iter() {
            if let Some(open) = find_open(&mut self.open, *id) {
                open.alive -= 1;
                if !touched.contains(id) {
                    touched.push(*id);
                }
            }
        }
    }

    /// Remembers which objects the call ends. What it makes at the same time, as `realloc` may give
    /// the same block again, is another object of that name.
    fn note_ended(&mut self, interaction: &Interaction) {
        let vocabulary = self.vocabulary;
        let pairs = || (vocabulary.attributes(interaction.skeleton)).zip(&interaction.values);
        for (attribute, value) in pairs() {
            let makes = |(a, v): (AttributeId, &Value)| {
                v == value && vocabulary.defines(a) && !vocabulary.ends(a)
            };
            if vocabulary.ends(attribute) && *value != Value::NOTHING && !pairs().any(makes) {
                self.ended.push_back((self.position, *value));
            }
        }
    }

    /// Forgets objects that were ended long ago and not defined since.
    fn forget_ended(&mut self, counts: &mut CountedScenarios) {
        while let Some(&(when, value)) = self.ended.front() {
            if when + self.grace >= self.position {
                return;
            }
            self.ended.pop_front();
            let is_same = |definer: &Rc<Definition>| definer.node.position <= when;
            if let Some(old) = self.definitions.forget(&value, is_same) {
                let mut touched = SmallVec::new();
                self.lose_entry(&old, &mut touched);
                for id in touched {
                    self.close_if_complete(id, counts);
                }
            }
        }
    }

    fn add_descendant(&mut self, id: OpenId, node: &Rc<Node>, definers: &[Rc<Definition>]) {
        let Some(open) = find_open(&mut self.open, id) else {
            return;
        };
        open.descendants.push(node.clone());
        let earliest = open.earliest();
        for definer in definers {
            let position = definer.node.position;
            let known = position < earliest
                || definer.seeds.borrow().contains(&id)
                || is_ancestor(&open.ancestors, position)
                || open.beside.iter().any(|n| n.position == position);
            if !known {
                search_beside(open, &definer.node, &self.window);
            }
        }
    }

    fn close_if_complete(&mut self, id: OpenId, counts: &mut CountedScenarios) {
        let size = self.size;
        let complete = find_open(&mut self.open, id)
            .is_some_and(|open| open.alive == 0 || open.descendants.len() >= size);
        if complete && let Some(open) = self.open[id.slot as usize].take() {
            self.free.push(id.slot);
            self.emit(&open, counts);
        }
    }

    fn emit(&mut self, open: &Open, counts: &mut CountedScenarios) {
        counts.cut_closures += u64::from(open.was_cut);
        let is_censored = open.alive > 0 && open.descendants.len() >= self.size;
        counts.censored += u64::from(is_censored);
        let descendants = &open.descendants[..open.descendants.len().min(self.size)];
        let mut nodes: SmallVec<[&Rc<Node>; 32]> = open.ancestors.iter().rev().collect();
        nodes.push(&open.seed);
        nodes.extend(descendants);
        if !open.beside.is_empty() {
            nodes.extend(&open.beside);
            nodes.sort_unstable_by_key(|n| n.position);
        }
        let seed = nodes.partition_point(|n| n.position < open.seed.position);
        let interactions = || nodes.iter().map(|n| &n.interaction);
        pack_interactions(interactions(), seed, &mut self.packed, &mut self.seen);
        counts.add(&self.packed, self.vocabulary);
        if let Some(found) = &mut self.keep {
            found.push(FoundScenario {
                interactions: interactions().cloned().collect(),
                seed,
            });
        }
    }
}

fn is_open(open: &[Option<Open>], id: OpenId) -> bool {
    let slot = open.get(id.slot as usize).and_then(Option::as_ref);
    slot.is_some_and(|open| open.generation == id.generation)
}

fn find_open(open: &mut [Option<Open>], id: OpenId) -> Option<&mut Open> {
    let slot = open.get_mut(id.slot as usize).and_then(Option::as_mut);
    slot.filter(|open| open.generation == id.generation)
}

/// Ancestors are latest first.
fn is_ancestor(ancestors: &[Rc<Node>], position: u64) -> bool {
    let at = ancestors.binary_search_by(|n| position.cmp(&n.position));
    at.is_ok()
}

/// The N last of some definers and their ancestors, latest first.
fn last_ancestors(definers: &[Rc<Definition>], size: usize) -> Box<[Rc<Node>]> {
    match definers {
        [] => Box::default(),
        [only] => {
            let chain = std::iter::once(&only.node).chain(only.ancestors.iter());
            chain.take(size).cloned().collect()
        }
        several => {
            let chains = several
                .iter()
                .flat_map(|d| std::iter::once(&d.node).chain(&*d.ancestors));
            let mut all: Vec<&Rc<Node>> = chains.collect();
            all.sort_unstable_by_key(|n| std::cmp::Reverse(n.position));
            all.dedup_by_key(|n| n.position);
            all.into_iter().take(size).cloned().collect()
        }
    }
}

/// Adds the interactions on chains from an ancestor of the seed to `from`, which a descendant of the
/// seed depends on.
fn search_beside(open: &mut Open, from: &Rc<Node>, window: &VecDeque<Rc<Node>>) {
    let earliest = open.earliest();
    let mut back: FxHashMap<u64, &Rc<Node>> = FxHashMap::default();
    back.insert(from.position, from);
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        for &position in &node.definers {
            if position < earliest || is_ancestor(&open.ancestors, position) {
                continue;
            }
            let found = open.beside.iter().any(|n| n.position == position);
            if found || position == open.seed.position || back.contains_key(&position) {
                continue;
            }
            let at = window.partition_point(|n| n.position < position);
            match window.get(at).filter(|n| n.position == position) {
                Some(next) => {
                    back.insert(position, next);
                    stack.push(next);
                }
                None => open.was_cut = true,
            }
        }
    }
    let mut nodes: Vec<&Rc<Node>> = back.into_values().collect();
    nodes.sort_unstable_by_key(|n| n.position);
    let mut reached: FxHashSet<u64> = open.beside.iter().map(|n| n.position).collect();
    for node in nodes {
        let mut definers = node.definers.iter();
        if definers.any(|p| is_ancestor(&open.ancestors, *p) || reached.contains(p)) {
            reached.insert(node.position);
            open.beside.push(node.clone());
        }
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;

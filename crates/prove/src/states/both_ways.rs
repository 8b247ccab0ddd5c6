//! Chains whose blocks point back, too.
//!
//! Such a chain is of two or more blocks, so that its first and its last are never the same, and each has a name by which
//! anybody may point to it. Taking a block off at either end leaves a chain or one block, under the name of the
//! other end; no pointer has to be changed but those of the neighbor.

use super::chain::{Back, Chain, Folding, set};
use super::evaluate::at;
use super::memory::{Object, ObjectKind};
use super::state::State;
use super::value::Value;
use idiolect_ir::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A block or chain, and the one behind it, by the names of their first and last blocks.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    first: (u32, u32),
    next: (u32, u32),
}

/// The names of the first and the last block. None of a chain whose blocks do not point back.
fn ends(id: u32, object: &Object) -> Option<(u32, u32)> {
    match &object.chain {
        None => Some((id, id)),
        Some(chain) => chain.back.map(|back| (id, back.last)),
    }
}

impl State {
    /// Two neighbors that point to each other, and what both are together. The link comes before the pointer back in
    /// memory, so that there is one way to see a list.
    pub(super) fn foldable_both_ways(
        &mut self,
        program: &Program,
        folding: Folding,
    ) -> Option<(Pair, Object)> {
        let references = self.references();
        let is_single = |id: u32| references.get(&id) == Some(&1);
        let pointer = program.types.model.pointer_size();
        let blocks: Vec<(u32, Rc<Object>)> = (self.objects.iter())
            .filter(|(_, o)| o.kind == ObjectKind::Heap && o.last_of.is_none())
            .map(|(&id, o)| (id, o.clone()))
            .collect();
        for (id, block) in &blocks {
            let Some(first) = ends(*id, block) else {
                continue;
            };
            for &link in block.cells.keys() {
                let Some((target, entry)) = self.pointer(block, link, pointer) else {
                    continue;
                };
                let Some(other) = self.objects.get(&target).cloned() else {
                    continue;
                };
                let Some(next) = ends(target, &other).filter(|n| n.0 != first.0) else {
                    continue;
                };
                if other.last_of.is_some() {
                    continue;
                }
                // The last block of the first chain and the first of the second are inside, where nobody else points to.
                let is_inner = |ends: (u32, u32), inner: u32| ends.0 == ends.1 || is_single(inner);
                if !is_inner(first, first.1) || !is_inner(next, next.0) {
                    continue;
                }
                let backs: Vec<u64> = other.cells.range(link + 1..).map(|c| *c.0).collect();
                for back in backs {
                    let Some((before, back_entry)) = self.pointer(&other, back, pointer) else {
                        continue;
                    };
                    if before != first.1 {
                        continue;
                    }
                    let chain = Chain {
                        link,
                        entry,
                        back: Some(Back {
                            link: back,
                            entry: back_entry,
                            last: next.1,
                        }),
                        own: BTreeSet::new(),
                    };
                    let pair = Pair { first, next };
                    if let Some(joined) =
                        self.joined_both_ways((block, &other), chain, pointer, folding)
                    {
                        return Some((pair, joined));
                    }
                }
            }
        }
        None
    }

    /// Where a cell points to.
    fn pointer(&self, object: &Object, cell: u64, pointer: u64) -> Option<(u32, i64)> {
        let cell = self.known_link(object, cell, pointer)?;
        match self.resolve(cell.value) {
            Value::Pointer { object, low, high } if low == high => Some((object, low)),
            _ => None,
        }
    }

    fn joined_both_ways(
        &mut self,
        (first, next): (&Object, &Object),
        chain: Chain,
        pointer: u64,
        folding: Folding,
    ) -> Option<Object> {
        let back = chain.back?;
        let fits = |o: &Object| {
            o.chain.as_ref().is_none_or(|c| {
                let own = c.back.map(|b| (b.link, b.entry));
                c.link == chain.link
                    && c.entry == chain.entry
                    && own == Some((back.link, back.entry))
            })
        };
        if !fits(first) || !fits(next) {
            return None;
        }
        let behind = self.known_link(next, chain.link, pointer)?;
        let before = self.known_link(first, back.link, pointer)?;
        let links = BTreeMap::from([(chain.link, behind), (back.link, before)]);
        self.alike(first, next, (chain, links), folding)
    }

    pub(super) fn join_both_ways(&mut self, pair: Pair, joined: Object) {
        let (size, background) = (joined.size, joined.background);
        for inner in [pair.first.1, pair.next.0] {
            self.objects.remove(&inner);
        }
        self.objects.insert(pair.first.0, Rc::new(joined));
        let last = Object {
            background,
            last_of: Some(pair.first.0),
            ..Object::new(ObjectKind::Heap, size)
        };
        self.objects.insert(pair.next.1, Rc::new(last));
    }

    /// The first block by itself, or the last.
    pub(super) fn unfold_both_ways(
        &mut self,
        (first, rest): (u32, &Rc<Object>),
        (chain, back): (&Chain, Back),
        is_least: bool,
        is_last: bool,
    ) {
        let mut one = self.one_of(rest, chain);
        if is_least {
            let mut other = self.one_of(rest, chain);
            set(&mut one, chain.link, at(back.last, chain.entry));
            set(&mut other, back.link, at(first, back.entry));
            self.objects.insert(first, Rc::new(one));
            self.objects.insert(back.last, Rc::new(other));
            return;
        }
        let mut rest = (**rest).clone();
        let name = |of: u32, o: &Object| Object {
            last_of: Some(of),
            background: o.background,
            ..Object::new(ObjectKind::Heap, o.size)
        };
        if is_last {
            let last = self.allocate(name(first, &rest));
            set(&mut one, back.link, at(last, back.entry));
            set(&mut rest, chain.link, at(back.last, chain.entry));
            if let Some(back) = rest.chain.as_mut().and_then(|c| c.back.as_mut()) {
                back.last = last;
            }
            self.objects.insert(back.last, Rc::new(one));
            self.objects.insert(first, Rc::new(rest));
        } else {
            set(&mut rest, back.link, at(first, back.entry));
            let named = name(first, &rest);
            let behind = self.allocate(rest);
            set(&mut one, chain.link, at(behind, chain.entry));
            self.objects.insert(first, Rc::new(one));
            let named = Object {
                last_of: Some(behind),
                ..named
            };
            self.objects.insert(back.last, Rc::new(named));
        }
    }
}

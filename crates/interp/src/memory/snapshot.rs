//! Memory at some moment of a run, to come back to: what differs from the image, and nothing else.

use super::flat::{FlatSpace, WideSpace};
use super::lifetime::DeadEntries;
use super::{BITS_BESIDE, Image, Info, Memory, Object, SMALL, bits_for};
use std::ops::Range;

/// What a run has changed so far.
#[derive(Clone, Debug)]
pub(crate) struct MemorySnapshot {
    /// Static objects that were written to.
    dirty: Vec<(u32, Object, Info)>,
    /// Their bytes, one after the other.
    dirty_bytes: Vec<u8>,
    /// The objects that the run made, and the part of the arena that they are in.
    objects: Vec<Object>,
    infos: Vec<Info>,
    arena: Vec<u8>,
    free_blocks: Vec<(u8, Vec<usize>)>,
    dead_heap: DeadEntries,
    dead_local: DeadEntries,
    /// The bits of that part of the arena, and of static objects that have some.
    bits: Vec<u8>,
    dirty_bits: Vec<u8>,
    n_heap: u32,
    n_alloca: u32,
    flat: FlatSpace,
    wide: WideSpace,
}

/// The bytes that hold the bits of an object. Static objects start where a byte of bits does.
fn bits_of(object: &Object) -> Range<usize> {
    object.base / 8..(object.base + object.size as usize).div_ceil(8)
}

impl MemorySnapshot {
    /// About the memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let bits = self.bits.len() + self.dirty_bits.len();
        let table = size_of::<Object>() + size_of::<Info>();
        let queues = 4 * (self.dead_heap.len() + self.dead_local.len());
        let entries = self.dirty.len() + self.objects.len();
        self.dirty_bytes.len() + self.arena.len() + bits + entries * table + queues
    }
}

impl Memory {
    /// What would bring memory back to what it is now.
    pub(crate) fn snapshot(&self, image: &Image) -> MemorySnapshot {
        let (mut dirty_bytes, mut dirty_bits) = (Vec::new(), Vec::new());
        let dirty = self.dirty.iter().map(|&index| {
            let (object, info) = (self.objects[index as usize], self.infos[index as usize]);
            let range = object.base..object.base + object.size as usize;
            if object.size > SMALL && object.written == BITS_BESIDE {
                dirty_bits.extend_from_slice(&self.bits[bits_of(&object)]);
            }
            dirty_bytes.extend_from_slice(&self.arena[range]);
            (index, object, info)
        });
        let dirty = dirty.collect();
        let in_use = |(class, blocks): (usize, &Vec<usize>)| {
            (!blocks.is_empty()).then(|| (class as u8, blocks.clone()))
        };
        MemorySnapshot {
            dirty,
            dirty_bytes,
            objects: self.objects[self.n_static..].to_vec(),
            infos: self.infos[self.n_static..].to_vec(),
            arena: self.arena[image.bytes.len()..self.top].to_vec(),
            free_blocks: (self.free_blocks.iter().enumerate())
                .filter_map(in_use)
                .collect(),
            dead_heap: self.dead_heap.clone(),
            dead_local: self.dead_local.clone(),
            bits: self.bits[image.bytes.len() / 8..bits_for(self.top)].to_vec(),
            dirty_bits,
            n_heap: self.n_heap,
            n_alloca: self.n_alloca,
            flat: self.flat.clone(),
            wide: self.wide.clone(),
        }
    }

    /// Back to a moment of an earlier run.
    pub(crate) fn restore(&mut self, image: &Image, to: &MemorySnapshot) {
        self.reset(image);
        let (mut at, mut bit_at) = (0, 0);
        for &(index, object, info) in &to.dirty {
            let size = object.size as usize;
            self.arena[object.base..object.base + size]
                .copy_from_slice(&to.dirty_bytes[at..at + size]);
            at += size;
            if object.size > SMALL && object.written == BITS_BESIDE {
                let range = bits_of(&object);
                let n = range.len();
                self.bits[range].copy_from_slice(&to.dirty_bits[bit_at..bit_at + n]);
                bit_at += n;
            }
            self.objects[index as usize] = object;
            self.infos[index as usize] = info;
            self.dirty.push(index);
        }
        self.objects.extend_from_slice(&to.objects);
        self.infos.extend_from_slice(&to.infos);
        self.top = image.bytes.len() + to.arena.len();
        if self.arena.len() < self.top {
            self.arena.resize(self.top, 0);
            self.bits.resize(bits_for(self.top), 0);
        }
        self.arena[image.bytes.len()..self.top].copy_from_slice(&to.arena);
        self.bits[image.bytes.len() / 8..bits_for(self.top)].copy_from_slice(&to.bits);
        for (class, blocks) in &to.free_blocks {
            self.free_blocks[*class as usize].clone_from(blocks);
        }
        self.dead_heap.clone_from(&to.dead_heap);
        self.dead_local.clone_from(&to.dead_local);
        self.n_heap = to.n_heap;
        self.n_alloca = to.n_alloca;
        self.flat.clone_from(&to.flat);
        self.wide.clone_from(&to.wide);
    }
}

//! How objects come and go: blocks of the arena, entries of the table.

use super::{Access, INDEX_BITS, INDEX_MASK, Info, Memory, Object, bits_for};
use crate::input::ObjectKind;
use idiolect_base::StopReason;
use idiolect_ir::FaultKind;
use idiolect_ir::memory::{MAX_OBJECT_SIZE, address, object_of};
use std::collections::VecDeque;

/// Worn entries wait until so many others are worn.
const QUEUE: usize = 1024;

/// Entries of dead objects. The last one that died is used next, while the processor still has it at hand: thus a
/// few entries serve all calls of small functions. After all generations an entry rests.
#[derive(Clone, Debug, Default)]
pub(super) struct DeadEntries {
    ready: Vec<u32>,
    resting: VecDeque<u32>,
}

impl DeadEntries {
    #[inline]
    fn take(&mut self) -> Option<u32> {
        match self.ready.pop() {
            None if self.resting.len() > QUEUE => self.resting.pop_front(),
            found => found,
        }
    }

    #[inline]
    fn give(&mut self, index: u32, is_worn: bool) {
        if is_worn {
            self.resting.push_back(index);
        } else {
            self.ready.push(index);
        }
    }

    pub(super) fn clear(&mut self) {
        self.ready.clear();
        self.resting.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.resting.len()
    }
}

/// A block of the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArenaBlock {
    base: usize,
    class: u8,
}

impl Memory {
    /// Takes a block of the arena, with whatever bytes it has.
    #[inline]
    pub(crate) fn take_block(&mut self, size: u64) -> Result<ArenaBlock, StopReason> {
        self.take_block_of(class_of(size))
    }

    /// As [`Memory::take_block`], of a class and its size.
    #[inline]
    pub(crate) fn take_block_of(
        &mut self,
        (class, rounded): (u8, usize),
    ) -> Result<ArenaBlock, StopReason> {
        if let Some(base) = self.free_blocks[class as usize].pop() {
            return Ok(ArenaBlock { base, class });
        }
        let base = self.top;
        let end = base.saturating_add(rounded);
        if end > self.limit {
            return Err(StopReason::Memory);
        }
        if end > self.arena.len() {
            let larger = (self.arena.len() * 2).clamp(end, self.limit);
            grow(&mut self.arena, larger)?;
            if self.bits.len() < bits_for(larger) {
                grow(&mut self.bits, bits_for(larger))?;
            }
        }
        self.top = end;
        Ok(ArenaBlock { base, class })
    }

    #[inline]
    pub(crate) fn give_block(&mut self, block: ArenaBlock) {
        self.free_blocks[block.class as usize].push(block.base);
    }

    /// A new object of unwritten bytes at `offset` in a block; returns a pointer to its start.
    #[inline]
    pub(crate) fn add_object(
        &mut self,
        kind: ObjectKind,
        block: ArenaBlock,
        offset: usize,
        size: u32,
        made_at: u32,
    ) -> Result<u64, StopReason> {
        let is_heap = matches!(kind, ObjectKind::Heap { .. });
        let dead = if is_heap {
            &mut self.dead_heap
        } else {
            &mut self.dead_local
        };
        let info = Info {
            kind,
            is_live: true,
            is_read_only: false,
            is_worn: false,
            is_dirty: false,
            made_at,
            flat: 0,
            truncated: None,
            is_forgotten: false,
        };
        let mut object = Object {
            base: block.base + offset,
            written: 0,
            id: 0,
            readable: 0,
            writable: 0,
            size,
        };
        if let Some(index) = dead.take() {
            let index = index as usize;
            object.id = self.objects[index].id.wrapping_add(1 << INDEX_BITS);
            self.objects[index] = object;
            self.infos[index] = info;
        } else {
            object.id = self.objects.len() as u32;
            // Tables of this length take gigabytes, wherever the limit for bytes is.
            if object.id > INDEX_MASK || self.objects.len() * 64 > self.limit {
                return Err(StopReason::Memory);
            }
            self.objects.push(object);
            self.infos.push(info);
        }
        Ok(address(object.id, 0))
    }

    /// A block of the heap or of `alloca`.
    #[inline]
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        is_alloca: bool,
        made_at: u32,
    ) -> Result<u64, StopReason> {
        if size >= MAX_OBJECT_SIZE {
            return Err(StopReason::Memory);
        }
        let block = self.take_block(size)?;
        let kind = if is_alloca {
            self.n_alloca += 1;
            ObjectKind::Alloca {
                number: self.n_alloca - 1,
            }
        } else {
            self.n_heap += 1;
            ObjectKind::Heap {
                number: self.n_heap - 1,
            }
        };
        self.add_object(kind, block, 0, size as u32, made_at)
    }

    /// Ends the life of the object that a pointer names; its bytes go back if it owned them.
    #[inline]
    pub(crate) fn end_object(&mut self, pointer: u64, owns_block: bool) {
        let index = (object_of(pointer) & INDEX_MASK) as usize;
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        if !info.is_live || owns_block && object.id != object_of(pointer) {
            return;
        }
        info.is_live = false;
        let is_heap = matches!(info.kind, ObjectKind::Heap { .. });
        let is_worn = info.is_worn || object.id >> INDEX_BITS == u32::MAX >> INDEX_BITS;
        let (base, size) = (object.base, object.size);
        object.written = 0;
        object.readable = 0;
        object.writable = 0;
        object.size = 0;
        if is_heap {
            self.dead_heap.give(index as u32, is_worn);
        } else {
            self.dead_local.give(index as u32, is_worn);
        }
        if owns_block {
            let (class, _) = class_of(u64::from(size));
            self.give_block(ArenaBlock { base, class });
        }
    }

    /// The same place with a new lifetime: pointers to the old one dangle. Returns a pointer to
    /// the new one. An object that nobody wrote to stays as it is.
    #[inline]
    pub(crate) fn renew(&mut self, pointer: u64) -> u64 {
        let index = (object_of(pointer) & INDEX_MASK) as usize;
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        info.is_forgotten = false;
        if object.readable == 0 && object.written == 0 {
            return pointer;
        }
        self.restart(pointer)
    }

    /// A memory local ends, and may begin again: no pointer to it is good any more.
    #[inline]
    pub(crate) fn restart(&mut self, pointer: u64) -> u64 {
        let index = (object_of(pointer) & INDEX_MASK) as usize;
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        info.is_forgotten = false;
        object.id = object.id.wrapping_add(1 << INDEX_BITS);
        info.is_worn |= object.id >> INDEX_BITS == 0;
        object.written = 0;
        object.readable = 0;
        object.writable = 0;
        info.flat = 0;
        address(object.id, 0)
    }

    /// `free`
    pub(crate) fn free(&mut self, pointer: u64) -> Access<()> {
        self.heap_block(pointer)?;
        self.end_object(pointer, true);
        Ok(())
    }

    /// The entry of a live heap block, for `free` and `realloc`.
    fn heap_block(&self, pointer: u64) -> Access<usize> {
        match self.locate(pointer, 0) {
            Ok((index, 0)) if matches!(self.infos[index].kind, ObjectKind::Heap { .. }) => {
                Ok(index)
            }
            Err(FaultKind::UseAfterFree) => Err(FaultKind::DoubleFree),
            _ => Err(FaultKind::InvalidFree),
        }
    }

    /// `realloc` of something that is not null, to a size that is not too large.
    pub(crate) fn reallocate(
        &mut self,
        pointer: u64,
        size: u64,
        made_at: u32,
    ) -> Result<Access<u64>, StopReason> {
        let index = match self.heap_block(pointer) {
            Ok(index) => index,
            Err(fault) => return Ok(Err(fault)),
        };
        let old = u64::from(self.objects[index].size);
        let new = self.allocate(size, false, made_at)?;
        if let Err(fault) = self.copy(new, pointer, old.min(size)) {
            return Ok(Err(fault));
        }
        self.end_object(pointer, true);
        Ok(Ok(new))
    }
}

/// Makes the arena larger. New pages are zero and cost nothing until they are used, so a block of a
/// gigabyte is not cleared, and pages that are zero are not copied.
#[cold]
fn grow(arena: &mut Vec<u8>, larger: usize) -> Result<(), StopReason> {
    const PAGE: usize = 1 << 12;
    if larger <= 1 << 20 {
        arena.resize(larger, 0);
        return Ok(());
    }
    // A machine that has not got it should say so here, where it can be told.
    let probe = Vec::<u8>::new().try_reserve_exact(larger);
    probe.map_err(|_| StopReason::Memory)?;
    let mut grown = vec![0; larger];
    for (new, old) in grown.chunks_mut(PAGE).zip(arena.chunks(PAGE)) {
        if old.iter().any(|&byte| byte != 0) {
            new[..old.len()].copy_from_slice(old);
        }
    }
    *arena = grown;
    Ok(())
}

pub(super) const N_CLASSES: usize = 256;

/// The size class of a block, and how many bytes its blocks have: four classes between two powers
/// of two, so that at most a fifth is lost.
pub(crate) fn class_of(size: u64) -> (u8, usize) {
    let size = size.max(16);
    let bits = 63 - (size - 1).leading_zeros();
    let rounded = size.next_multiple_of(1 << (bits - 2));
    let quarter = (rounded - 1) >> (bits - 2) & 3;
    ((bits * 4) as u8 + quarter as u8, rounded as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_arena_has_the_same_bytes() {
        let mut arena: Vec<u8> = (0..3 << 20)
            .map(|i| if i >> 14 & 1 == 0 { 0 } else { i as u8 })
            .collect();
        let before = arena.clone();
        grow(&mut arena, (5 << 20) + 7).expect("a few megabytes");
        assert_eq!(arena.len(), (5 << 20) + 7);
        assert!(arena[..before.len()] == before && arena[before.len()..].iter().all(|&b| b == 0));
        assert_eq!(grow(&mut arena, usize::MAX >> 1), Err(StopReason::Memory));
    }

    #[test]
    fn blocks_fit_and_waste_little() {
        for size in (0..5000).chain([1 << 20, (1 << 20) + 1, MAX_OBJECT_SIZE - 1]) {
            let (class, rounded) = class_of(size);
            assert!(rounded as u64 >= size && usize::from(class) < N_CLASSES);
            assert!(size < 16 || rounded as u64 * 4 <= size * 5, "{size}");
            // A block that is given back has the size that its class says.
            assert_eq!(class_of(rounded as u64), (class, rounded), "{size}");
        }
    }
}

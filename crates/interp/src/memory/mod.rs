//! Memory: a table of objects over one arena of bytes.
//!
//! A pointer's object number is an index into the table (lower [`INDEX_BITS`] bits) and a
//! generation. Entries of dead objects are used again with the next generation, so that a dangling
//! pointer meets an entry with another number. One that has had all generations rests until many
//! others have come so far ([`DeadEntries`]): it takes `QUEUE * 2^(32 - INDEX_BITS)` further objects
//! before one could be mistaken for alive.
//!
//! Two numbers make an access one comparison in the usual case: bytes below `readable` exist and
//! were written; bytes below `writable` exist, were written, and may be overwritten without anyone
//! else having to know. Everything else takes the slow path: first writes, which raise the two
//! marks; objects written out of order, which have a bit for each byte, in one word if they are
//! small and else beside the arena; the first write to a
//! global after a reset, which notes that it has to be restored; reads of unwritten bytes; faults.

mod fast;
mod flat;
mod image;
mod leaks;
mod lifetime;
mod snapshot;
mod written;

pub(crate) use image::{Image, StaticObject};
pub(crate) use lifetime::{ArenaBlock, class_of};
pub(crate) use snapshot::MemorySnapshot;

use crate::context::{Halt, fault};
use crate::input::ObjectKind;
use flat::{FlatSpace, WideSpace};
use idiolect_ir::FaultKind;
use idiolect_ir::memory::{address, object_of, offset_of};
use lifetime::DeadEntries;

const INDEX_BITS: u32 = 25;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
/// Objects up to this size keep their bits for written bytes in one word.
const SMALL: u32 = 64;
const BITS_BESIDE: u64 = 1;

/// How many bytes hold a bit for each of so many, where two are read at once.
fn bits_for(n_bytes: usize) -> usize {
    n_bytes / 8 + 2
}

/// What an access looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    base: usize,
    /// Which bytes were written, for small objects. For others, [`BITS_BESIDE`] if their bits beside the arena mean
    /// anything, and else 0. Bytes below `readable` count as written whatever this says.
    written: u64,
    id: u32,
    readable: u32,
    writable: u32,
    size: u32,
}

/// What only slow paths look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) kind: ObjectKind,
    is_live: bool,
    is_read_only: bool,
    /// It has had all generations in this life.
    is_worn: bool,
    is_dirty: bool,
    /// Where it was made, as a position in the code.
    pub(crate) made_at: u32,
    /// Its place under ILP32, or 0.
    flat: u32,
    /// What was limited if it is only the first part of a larger object, as an index into
    /// [`idiolect_ir::Program::assumptions`].
    truncated: Option<u32>,
    /// Its bytes are unwritten because something unknown may have written them.
    is_forgotten: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    infos: Vec<Info>,
    arena: Vec<u8>,
    /// The end of the used part of the arena.
    top: usize,
    limit: usize,
    /// Free blocks by class, see [`lifetime`].
    free_blocks: Vec<Vec<usize>>,
    /// Entries of dead objects, apart for heap and locals so that a dangling pointer can be told
    /// by its entry.
    dead_heap: DeadEntries,
    dead_local: DeadEntries,
    /// A bit for each byte of the arena: whether it was written, where the object says that it means anything.
    bits: Vec<u8>,
    dirty: Vec<u32>,
    n_static: usize,
    n_heap: u32,
    n_alloca: u32,
    flat: FlatSpace,
    wide: WideSpace,
}

type Access<T> = Result<T, FaultKind>;

impl Memory {
    pub(crate) fn new(image: &Image, limit: usize) -> Self {
        let mut memory = Memory {
            objects: image.objects.clone(),
            infos: image.infos.clone(),
            arena: image.fresh(),
            top: image.bytes.len(),
            limit: limit.saturating_add(image.bytes.len()),
            free_blocks: vec![Vec::new(); lifetime::N_CLASSES],
            dead_heap: DeadEntries::default(),
            dead_local: DeadEntries::default(),
            bits: vec![0; bits_for(image.bytes.len())],
            dirty: Vec::new(),
            n_static: image.objects.len(),
            n_heap: 0,
            n_alloca: 0,
            flat: image.flat.clone(),
            wide: WideSpace::default(),
        };
        memory.flat.reset();
        memory
    }

    /// Back to the image. What the last run did not touch is not touched here either.
    pub(crate) fn reset(&mut self, image: &Image) {
        self.objects.truncate(self.n_static);
        self.infos.truncate(self.n_static);
        // A run that needed much should not make all later ones carry it along.
        const KEEP: usize = 1 << 26;
        let sizes = self.dirty.iter().map(|&i| image.objects[i as usize].size);
        let is_much = sizes.map(|size| size as usize).sum::<usize>() > KEEP;
        if is_much {
            // Before the new ones are asked for.
            self.arena = Vec::new();
            self.arena = image.fresh();
        }
        for index in self.dirty.drain(..) {
            let index = index as usize;
            let object = image.objects[index];
            if !is_much {
                let range = object.base..object.base + object.size as usize;
                self.arena[range.clone()].copy_from_slice(&image.bytes[range]);
            }
            self.objects[index] = object;
            self.infos[index] = image.infos[index];
        }
        self.top = image.bytes.len();
        for blocks in &mut self.free_blocks {
            blocks.clear();
        }
        self.dead_heap.clear();
        self.dead_local.clear();
        self.n_heap = 0;
        self.n_alloca = 0;
        self.flat.reset();
        self.wide.reset();
        if self.arena.len() > KEEP.max(2 * self.top) {
            self.arena.truncate(self.top);
            self.arena.shrink_to_fit();
            self.bits.truncate(bits_for(self.top));
            self.bits.shrink_to_fit();
        }
    }

    /// The table index and offset of `size` bytes of a live object.
    pub(crate) fn locate(&self, pointer: u64, size: u64) -> Access<(usize, u32)> {
        let id = object_of(pointer);
        let offset = offset_of(pointer);
        let index = (id & INDEX_MASK) as usize;
        if index == 0 {
            return Err(if id == 0 && (-4096..65536).contains(&offset) {
                FaultKind::NullDereference
            } else {
                FaultKind::InvalidPointer
            });
        }
        let (Some(object), Some(info)) = (self.objects.get(index), self.infos.get(index)) else {
            return Err(FaultKind::InvalidPointer);
        };
        if object.id != id || !info.is_live {
            return Err(match info.kind {
                ObjectKind::Heap { .. } => FaultKind::UseAfterFree,
                ObjectKind::Local { .. } | ObjectKind::Alloca { .. } => FaultKind::UseAfterReturn,
                ObjectKind::Global(_) | ObjectKind::Function(_) => FaultKind::InvalidPointer,
            });
        }
        if let ObjectKind::Function(_) = info.kind {
            return Err(FaultKind::InvalidPointer);
        }
        if offset < 0 || (offset as u64).saturating_add(size) > u64::from(object.size) {
            return Err(FaultKind::OutOfBounds);
        }
        Ok((index, offset as u32))
    }

    /// The bytes of a live object and whether each was written, whatever `readable` says.
    pub(crate) fn bytes_at(&self, index: usize, offset: u32, size: u64) -> &[u8] {
        let at = self.objects[index].base + offset as usize;
        &self.arena[at..at + size as usize]
    }

    /// Overwrites bytes, on the slow path.
    #[cold]
    #[inline(never)]
    pub(crate) fn write_slow(&mut self, pointer: u64, bytes: &[u8]) -> Access<()> {
        let (index, offset) = self.locate_to_write(pointer, bytes.len() as u64)?;
        let at = self.objects[index].base + offset as usize;
        self.arena[at..at + bytes.len()].copy_from_slice(bytes);
        self.mark_written(index, offset, bytes.len() as u64);
        Ok(())
    }

    /// As [`Memory::locate`], for bytes that are about to be overwritten.
    pub(crate) fn locate_to_write(&mut self, pointer: u64, size: u64) -> Access<(usize, u32)> {
        let (index, offset) = self.locate(pointer, size)?;
        if self.infos[index].is_read_only {
            return Err(FaultKind::WriteToReadOnly);
        }
        self.touch(index);
        Ok((index, offset))
    }

    /// The bytes at a place that [`Memory::locate_to_write`] gave.
    pub(crate) fn bytes_at_mut(&mut self, index: usize, offset: u32, size: u64) -> &mut [u8] {
        let at = self.objects[index].base + offset as usize;
        &mut self.arena[at..at + size as usize]
    }

    /// Fills in unwritten bytes of any live object, read-only or not: an input was read there.
    pub(crate) fn settle(&mut self, index: usize, offset: u32, bytes: &[u8]) {
        self.touch(index);
        self.bytes_at_mut(index, offset, bytes.len() as u64)
            .copy_from_slice(bytes);
        self.mark_written(index, offset, bytes.len() as u64);
    }

    /// The live object that a pointer names is only the first part of a larger one.
    pub(crate) fn truncate(&mut self, pointer: u64, assumption: u32) {
        if let Some(index) = self.index_of(pointer) {
            self.touch(index);
            self.infos[index].truncated = Some(assumption);
        }
    }

    /// Makes all bytes of the live object that a pointer names unwritten, if it can be written.
    pub(crate) fn forget(&mut self, pointer: u64) {
        if let Some(index) = self.index_of(pointer)
            && !self.infos[index].is_read_only
            && !matches!(self.infos[index].kind, ObjectKind::Function(_))
        {
            self.touch(index);
            self.mark_all_unwritten(index);
            self.infos[index].is_forgotten = true;
        }
    }

    pub(crate) fn is_forgotten(&self, index: usize) -> bool {
        self.infos[index].is_forgotten
    }

    /// What an access at a pointer came to that [`Memory::locate`] refuses: an access at or beyond
    /// the end of a truncated object is one that was not looked at, everything else a fault.
    #[cold]
    pub(crate) fn halt(&self, kind: FaultKind, pointer: u64) -> Halt {
        match self.index_of(pointer).and_then(|i| self.infos[i].truncated) {
            Some(index) if kind == FaultKind::OutOfBounds && offset_of(pointer) >= 0 => {
                Halt::Trap(index)
            }
            _ => fault(kind, pointer),
        }
    }

    /// The entry of the live object that a pointer names.
    fn index_of(&self, pointer: u64) -> Option<usize> {
        let id = object_of(pointer);
        let index = (id & INDEX_MASK) as usize;
        let (object, info) = (self.objects.get(index)?, self.infos.get(index)?);
        (index != 0 && object.id == id && info.is_live).then_some(index)
    }

    /// Notes that a static object must be restored.
    fn touch(&mut self, index: usize) {
        let info = &mut self.infos[index];
        if index < self.n_static && !info.is_dirty {
            info.is_dirty = true;
            self.dirty.push(index as u32);
            if !info.is_read_only {
                let object = &mut self.objects[index];
                object.writable = object.readable;
            }
        }
    }

    /// Copies bytes that may overlap, written or not.
    pub(crate) fn copy(&mut self, to: u64, from: u64, size: u64) -> Access<()> {
        if size == 0 {
            return Ok(());
        }
        let (source, source_offset) = self.locate(from, size)?;
        let (target, target_offset) = self.locate_to_write(to, size)?;
        let start = self.objects[source].base + source_offset as usize;
        let end = self.objects[target].base + target_offset as usize;
        if self.all_written(source, source_offset, size) {
            self.arena.copy_within(start..start + size as usize, end);
            self.mark_written(target, target_offset, size);
            return Ok(());
        }
        let written: Vec<bool> = (0..size as u32)
            .map(|i| self.is_written(source, source_offset + i))
            .collect();
        self.arena.copy_within(start..start + size as usize, end);
        for (i, written) in written.into_iter().enumerate() {
            let at = target_offset + i as u32;
            if written {
                self.mark_written(target, at, 1)
            } else {
                self.mark_unwritten(target, at)
            }
        }
        Ok(())
    }

    /// Bytes that nobody wrote become zero, so that they are the same wherever they are copied to.
    pub(crate) fn settle_unwritten(&mut self, from: u64, size: u64) {
        let Ok((index, offset)) = self.locate(from, size) else {
            return;
        };
        if size == 0 || self.all_written(index, offset, size) {
            return;
        }
        for at in offset..offset + size as u32 {
            if !self.is_written(index, at) {
                self.settle(index, at, &[0]);
            }
        }
    }

    pub(crate) fn fill(&mut self, to: u64, byte: u8, size: u64) -> Access<()> {
        if size == 0 {
            return Ok(());
        }
        let (index, offset) = self.locate_to_write(to, size)?;
        self.bytes_at_mut(index, offset, size).fill(byte);
        self.mark_written(index, offset, size);
        Ok(())
    }

    /// Kind, size and place of making of the object that a pointer names, if it is alive.
    pub(crate) fn object(&self, pointer: u64) -> Option<(&Info, u32)> {
        let index = self.index_of(pointer)?;
        Some((&self.infos[index], self.objects[index].size))
    }

    pub(crate) fn kind_at(&self, index: usize) -> ObjectKind {
        self.infos[index].kind
    }
}

/// `pointer + delta` in the same object. Offsets that do not fit are out of bounds for good.
#[inline]
pub(crate) fn displaced(pointer: u64, delta: i64) -> u64 {
    let offset = i64::from(offset_of(pointer)).saturating_add(delta);
    match i32::try_from(offset) {
        Ok(_) => pointer.wrapping_add(delta as u64),
        Err(_) if offset < 0 => address(object_of(pointer), i32::MIN),
        Err(_) => address(object_of(pointer), i32::MAX),
    }
}

//! Memory: a table of objects over one arena of bytes.
//!
//! A pointer's object number is an index into the table (lower [`INDEX_BITS`] bits) and a
//! generation. Entries of dead objects are used again late, and with the next generation, so that
//! a dangling pointer meets an entry with another number: it takes
//! `QUEUE * 2^(32 - INDEX_BITS)` further objects before one could be mistaken for alive.
//!
//! Two numbers make an access one comparison in the usual case: bytes below `readable` exist and
//! were written; bytes below `writable` exist, were written, and may be overwritten without anyone
//! else having to know. Everything else takes the slow path: first writes, which raise the two
//! marks; objects written out of order, which have a bit for each byte; the first write to a
//! global after a reset, which notes that it has to be restored; reads of unwritten bytes; faults.

use crate::flat::FlatSpace;
use crate::input::ObjectKind;
use idiolect_base::StopReason;
use idiolect_ir::FaultKind;
use idiolect_ir::memory::{MAX_OBJECT_SIZE, address, object_of, offset_of};
use std::collections::VecDeque;

const INDEX_BITS: u32 = 25;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
/// Dead entries wait until so many others have died.
const QUEUE: usize = 1024;
/// Objects up to this size keep their bits for written bytes in one word.
const SMALL: u32 = 64;

/// What an access looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    base: usize,
    /// Which bytes were written, for small objects. For others with [`Info::has_bitmap`], an
    /// index into `bitmaps`. Bytes below `readable` count as written whatever this says.
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
    has_bitmap: bool,
    is_dirty: bool,
    /// Where it was made, as a position in the code.
    pub(crate) made_at: u32,
    /// Its place under ILP32, or 0.
    flat: u32,
}

/// A static object before any run.
pub(crate) struct StaticObject {
    pub(crate) kind: ObjectKind,
    pub(crate) size: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_read_only: bool,
    pub(crate) is_unwritten: bool,
}

/// Memory as it is when a run starts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    objects: Vec<Object>,
    infos: Vec<Info>,
    flat: FlatSpace,
}

/// A block of the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArenaBlock {
    base: usize,
    class: u8,
}

impl Object {
    fn empty() -> Self {
        Object {
            base: 0,
            written: 0,
            id: 0,
            readable: 0,
            writable: 0,
            size: 0,
        }
    }
}

impl Image {
    /// The objects get the numbers 1, 2, … in order.
    pub(crate) fn new(statics: Vec<StaticObject>) -> Self {
        let mut image = Image {
            bytes: Vec::new(),
            objects: vec![Object::empty()],
            infos: vec![Info {
                kind: ObjectKind::Heap { number: 0 },
                is_live: false,
                is_read_only: true,
                has_bitmap: false,
                is_dirty: false,
                made_at: 0,
                flat: 0,
            }],
            flat: FlatSpace::default(),
        };
        for object in statics {
            let id = image.objects.len() as u32;
            image
                .bytes
                .resize(image.bytes.len().next_multiple_of(16), 0);
            let base = image.bytes.len();
            image.bytes.extend_from_slice(&object.bytes);
            image.bytes.resize(base + object.size as usize, 0);
            image.objects.push(Object {
                base,
                written: 0,
                id,
                readable: if object.is_unwritten { 0 } else { object.size },
                writable: 0,
                size: object.size,
            });
            let flat = image.flat.place(id, object.size).unwrap_or(0);
            image.infos.push(Info {
                kind: object.kind,
                is_live: true,
                is_read_only: object.is_read_only,
                has_bitmap: false,
                is_dirty: false,
                made_at: 0,
                flat,
            });
        }
        image
            .bytes
            .resize(image.bytes.len().next_multiple_of(16), 0);
        image
    }

    /// The ILP32 address of a static object.
    pub(crate) fn flat_of(&self, id: u32) -> u32 {
        self.infos[id as usize].flat
    }

    /// Overwrites bytes of a static object; for relocations.
    pub(crate) fn patch(&mut self, id: u32, offset: u64, bytes: &[u8]) {
        let object = &self.objects[id as usize];
        if offset + bytes.len() as u64 <= u64::from(object.size) {
            let at = object.base + offset as usize;
            self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    infos: Vec<Info>,
    arena: Vec<u8>,
    /// The end of the used part of the arena.
    top: usize,
    limit: usize,
    /// Free blocks by class, see [`class_of`].
    free_blocks: Vec<Vec<usize>>,
    /// Entries of dead objects, apart for heap and locals so that a dangling pointer can be told
    /// by its entry.
    dead_heap: VecDeque<u32>,
    dead_local: VecDeque<u32>,
    bitmaps: Vec<Vec<u64>>,
    free_bitmaps: Vec<usize>,
    dirty: Vec<u32>,
    n_static: usize,
    n_heap: u32,
    n_alloca: u32,
    flat: FlatSpace,
}

type Access<T> = Result<T, FaultKind>;

impl Memory {
    pub(crate) fn new(image: &Image, limit: usize) -> Self {
        let mut memory = Memory {
            objects: image.objects.clone(),
            infos: image.infos.clone(),
            arena: image.bytes.clone(),
            top: image.bytes.len(),
            limit: limit.saturating_add(image.bytes.len()),
            free_blocks: vec![Vec::new(); N_CLASSES],
            dead_heap: VecDeque::new(),
            dead_local: VecDeque::new(),
            bitmaps: Vec::new(),
            free_bitmaps: Vec::new(),
            dirty: Vec::new(),
            n_static: image.objects.len(),
            n_heap: 0,
            n_alloca: 0,
            flat: image.flat.clone(),
        };
        memory.flat.reset();
        memory
    }

    /// Back to the image. What the last run did not touch is not touched here either.
    pub(crate) fn reset(&mut self, image: &Image) {
        self.objects.truncate(self.n_static);
        self.infos.truncate(self.n_static);
        for index in self.dirty.drain(..) {
            let index = index as usize;
            let object = image.objects[index];
            let range = object.base..object.base + object.size as usize;
            self.arena[range.clone()].copy_from_slice(&image.bytes[range]);
            self.objects[index] = object;
            self.infos[index] = image.infos[index];
        }
        self.top = image.bytes.len();
        for blocks in &mut self.free_blocks {
            blocks.clear();
        }
        self.dead_heap.clear();
        self.dead_local.clear();
        self.bitmaps.clear();
        self.free_bitmaps.clear();
        self.n_heap = 0;
        self.n_alloca = 0;
        self.flat.reset();
        // A run that needed much should not make all later ones carry it along.
        const KEEP: usize = 1 << 26;
        if self.arena.len() > KEEP.max(2 * self.top) {
            self.arena.truncate(self.top);
            self.arena.shrink_to_fit();
        }
    }

    /// The `N` bytes at `pointer + delta`, if they are there for the taking.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, pointer: u64, delta: i64) -> Option<[u8; N]> {
        // A negative offset of the pointer is at least 2^31 here, a negative sum at least 2^63:
        // both are beyond any mark. Thus the object of the pointer is never left.
        let offset = u64::from(pointer as u32).wrapping_add(delta as u64);
        self.read_at((pointer >> 32) as u32, offset)
    }

    /// As [`Memory::read`] of [`displaced`]`(pointer, first) + second`.
    #[inline(always)]
    pub(crate) fn read_twice<const N: usize>(
        &self,
        pointer: u64,
        first: i64,
        second: i64,
    ) -> Option<[u8; N]> {
        let offset = u64::from(pointer as u32).wrapping_add(first as u64);
        // A pointer stops at 2^31 and at 0, where the sum of numbers would go on.
        if offset >= 1 << 31 {
            return None;
        }
        self.read_at((pointer >> 32) as u32, offset.wrapping_add(second as u64))
    }

    /// [`Memory::read`] twice, from one object.
    #[inline(always)]
    pub(crate) fn read_both<const N: usize>(
        &self,
        pointer: u64,
        first: i64,
        second: i64,
    ) -> Option<([u8; N], [u8; N])> {
        let id = (pointer >> 32) as u32;
        let object = self.objects.get((id & INDEX_MASK) as usize)?;
        if object.id != id {
            return None;
        }
        let start = u64::from(pointer as u32);
        let at = |delta: i64| {
            let offset = start.wrapping_add(delta as u64);
            let end = offset.checked_add(N as u64)?;
            let bytes = self.arena.get(object.base..)?;
            (end <= u64::from(object.readable)).then_some(())?;
            let bytes = bytes.get(offset as usize..end as usize)?;
            bytes.try_into().ok()
        };
        Some((at(first)?, at(second)?))
    }

    #[inline(always)]
    fn read_at<const N: usize>(&self, id: u32, offset: u64) -> Option<[u8; N]> {
        let object = self.objects.get((id & INDEX_MASK) as usize)?;
        if object.id != id || offset.checked_add(N as u64)? > u64::from(object.readable) {
            return None;
        }
        let at = object.base + offset as usize;
        let bytes = self.arena.get(at..at + N)?;
        bytes.try_into().ok()
    }

    /// Overwrites the `N` bytes at `pointer + delta`, if nothing stands in the way.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(
        &mut self,
        pointer: u64,
        delta: i64,
        bytes: [u8; N],
    ) -> bool {
        let offset = u64::from(pointer as u32).wrapping_add(delta as u64);
        self.write_at((pointer >> 32) as u32, offset, bytes)
    }

    /// As [`Memory::write`] to [`displaced`]`(pointer, first) + second`.
    #[inline(always)]
    pub(crate) fn write_twice<const N: usize>(
        &mut self,
        pointer: u64,
        first: i64,
        second: i64,
        bytes: [u8; N],
    ) -> bool {
        let offset = u64::from(pointer as u32).wrapping_add(first as u64);
        offset < 1 << 31
            && self.write_at(
                (pointer >> 32) as u32,
                offset.wrapping_add(second as u64),
                bytes,
            )
    }

    #[inline(always)]
    fn write_at<const N: usize>(&mut self, id: u32, offset: u64, bytes: [u8; N]) -> bool {
        let Some(object) = self.objects.get((id & INDEX_MASK) as usize) else {
            return false;
        };
        let Some(end) = offset.checked_add(N as u64) else {
            return false;
        };
        if object.id != id || end > u64::from(object.writable) {
            return false;
        }
        let at = object.base + offset as usize;
        match self.arena.get_mut(at..at + N) {
            Some(place) => {
                place.copy_from_slice(&bytes);
                true
            }
            None => false,
        }
    }

    /// Written bytes of a small object on the heap or the stack. Records with padding stay
    /// unwritten in part forever, so this is the usual case for nodes of lists and trees.
    #[inline(never)]
    pub(crate) fn read_small<const N: usize>(&self, pointer: u64, delta: i64) -> Option<u64> {
        let (index, offset) = self.small_place::<N>(pointer, delta)?;
        let object = &self.objects[index];
        let bits = low_bits(N as u32) << offset;
        if object.written & bits != bits {
            return None;
        }
        let at = object.base + offset as usize;
        let mut wide = [0; 8];
        wide.get_mut(..N)?
            .copy_from_slice(self.arena.get(at..at + N)?);
        Some(u64::from_le_bytes(wide))
    }

    /// Writes bytes of a small object on the heap or the stack.
    #[inline(never)]
    pub(crate) fn write_small<const N: usize>(
        &mut self,
        pointer: u64,
        delta: i64,
        bytes: [u8; N],
    ) -> bool {
        let Some((index, offset)) = self.small_place::<N>(pointer, delta) else {
            return false;
        };
        let object = &mut self.objects[index];
        let at = object.base + offset as usize;
        let Some(place) = self.arena.get_mut(at..at + N) else {
            return false;
        };
        place.copy_from_slice(&bytes);
        object.written |= low_bits(N as u32) << offset;
        object.readable = object.written.trailing_ones();
        object.writable = object.readable;
        true
    }

    /// Where bytes of a live small object are that is neither static nor read-only.
    #[inline(always)]
    fn small_place<const N: usize>(&self, pointer: u64, delta: i64) -> Option<(usize, u32)> {
        let id = (pointer >> 32) as u32;
        let offset = u64::from(pointer as u32).wrapping_add(delta as u64);
        let index = (id & INDEX_MASK) as usize;
        let object = self.objects.get(index)?;
        let fits = object.id == id
            && object.size <= SMALL
            && offset.saturating_add(N as u64) <= u64::from(object.size)
            && index >= self.n_static;
        fits.then_some((index, offset as u32))
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

    pub(crate) fn is_written(&self, index: usize, offset: u32) -> bool {
        let object = &self.objects[index];
        if offset < object.readable {
            return true;
        }
        if object.size <= SMALL {
            return object.written >> offset & 1 == 1;
        }
        self.infos[index].has_bitmap
            && self.bitmaps[object.written as usize][offset as usize / 64] >> (offset % 64) & 1 == 1
    }

    /// Whether all of a range was written.
    pub(crate) fn all_written(&self, index: usize, offset: u32, size: u64) -> bool {
        u64::from(offset) + size <= u64::from(self.objects[index].readable)
            || (0..size as u32).all(|i| self.is_written(index, offset + i))
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

    pub(crate) fn mark_written(&mut self, index: usize, offset: u32, size: u64) {
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        let end = offset + size as u32;
        if end <= object.readable {
            return;
        }
        if object.size <= SMALL {
            let bits = low_bits(size as u32) << offset;
            object.written |= bits | low_bits(object.readable);
            object.readable = object.written.trailing_ones();
        } else if offset <= object.readable && !info.has_bitmap {
            object.readable = end;
        } else {
            if !info.has_bitmap {
                let n_words = (object.size as usize).div_ceil(64);
                let bitmap = match self.free_bitmaps.pop() {
                    Some(bitmap) => bitmap,
                    None => {
                        self.bitmaps.push(Vec::new());
                        self.bitmaps.len() - 1
                    }
                };
                self.bitmaps[bitmap].clear();
                self.bitmaps[bitmap].resize(n_words, 0);
                object.written = bitmap as u64;
                info.has_bitmap = true;
            }
            let words = &mut self.bitmaps[object.written as usize];
            set_bits(words, offset, end);
            // The mark moves on over what is written already; each bit is passed once.
            if offset <= object.readable {
                object.readable = end;
            }
            while object.readable < object.size {
                let word = words[object.readable as usize / 64] >> (object.readable % 64);
                let ones = word.trailing_ones();
                object.readable = (object.readable + ones).min(object.size);
                if ones == 0 || (object.readable % 64 != 0 && ones < 64) {
                    break;
                }
            }
        }
        object.writable = if info.is_read_only {
            0
        } else {
            object.readable
        };
    }

    /// Makes bytes unwritten again: unwritten bytes were copied over them.
    fn mark_unwritten(&mut self, index: usize, offset: u32) {
        let object = self.objects[index];
        if object.size <= SMALL {
            let object = &mut self.objects[index];
            object.written |= low_bits(object.readable);
            object.written &= !(1 << offset);
            object.readable = object.written.trailing_ones();
        } else {
            let readable = object.readable;
            if !self.infos[index].has_bitmap && offset < readable {
                // Force a bitmap by a write that is out of order, which is then taken back.
                self.objects[index].readable = 0;
                self.mark_written(index, offset.max(1), 1);
            }
            if self.infos[index].has_bitmap {
                let object = &mut self.objects[index];
                let words = &mut self.bitmaps[object.written as usize];
                set_bits(words, 0, readable);
                words[offset as usize / 64] &= !(1 << (offset % 64));
                object.readable = readable.min(offset);
            }
        }
        if !self.infos[index].is_read_only {
            self.objects[index].writable = self.objects[index].readable;
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
            match written {
                true => self.mark_written(target, at, 1),
                false => self.mark_unwritten(target, at),
            }
        }
        Ok(())
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

    /// Takes a block of the arena, with whatever bytes it has.
    #[inline]
    pub(crate) fn take_block(&mut self, size: u64) -> Result<ArenaBlock, StopReason> {
        let (class, rounded) = class_of(size);
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
            self.arena.resize(larger, 0);
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
        let queue = if is_heap {
            &mut self.dead_heap
        } else {
            &mut self.dead_local
        };
        let info = Info {
            kind,
            is_live: true,
            is_read_only: false,
            has_bitmap: false,
            is_dirty: false,
            made_at,
            flat: 0,
        };
        let mut object = Object {
            base: block.base + offset,
            written: 0,
            id: 0,
            readable: 0,
            writable: 0,
            size,
        };
        if queue.len() > QUEUE
            && let Some(index) = queue.pop_front()
        {
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
        if info.has_bitmap {
            self.free_bitmaps.push(object.written as usize);
            info.has_bitmap = false;
        }
        let is_heap = matches!(info.kind, ObjectKind::Heap { .. });
        let (class, _) = class_of(u64::from(object.size));
        let base = object.base;
        object.readable = 0;
        object.writable = 0;
        object.size = 0;
        if is_heap {
            self.dead_heap.push_back(index as u32);
        } else {
            self.dead_local.push_back(index as u32);
        }
        if owns_block {
            self.give_block(ArenaBlock { base, class });
        }
    }

    /// The same place with a new lifetime: pointers to the old one dangle. Returns a pointer to
    /// the new one. An object that nobody wrote to stays as it is.
    pub(crate) fn renew(&mut self, pointer: u64) -> u64 {
        let index = (object_of(pointer) & INDEX_MASK) as usize;
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        if object.readable == 0 && !info.has_bitmap && (object.size > SMALL || object.written == 0)
        {
            return pointer;
        }
        if info.has_bitmap {
            self.free_bitmaps.push(object.written as usize);
            info.has_bitmap = false;
        }
        object.id = object.id.wrapping_add(1 << INDEX_BITS);
        object.written = 0;
        object.readable = 0;
        object.writable = 0;
        info.flat = 0;
        address(object.id, 0)
    }

    /// `free`
    pub(crate) fn free(&mut self, pointer: u64) -> Access<()> {
        let index = self.heap_block(pointer)?;
        let _ = index;
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

    /// Kind, size and place of making of the object that a pointer names, if it is alive.
    pub(crate) fn object(&self, pointer: u64) -> Option<(&Info, u32)> {
        let id = object_of(pointer);
        let index = (id & INDEX_MASK) as usize;
        let (object, info) = (self.objects.get(index)?, self.infos.get(index)?);
        (index != 0 && object.id == id && info.is_live).then_some((info, object.size))
    }

    pub(crate) fn kind_at(&self, index: usize) -> ObjectKind {
        self.infos[index].kind
    }

    /// The ILP32 address of a pointer.
    pub(crate) fn flatten(&mut self, pointer: u64) -> Result<u32, StopReason> {
        let id = object_of(pointer);
        let index = (id & INDEX_MASK) as usize;
        let offset = offset_of(pointer) as u32;
        if index == 0 || index >= self.objects.len() {
            return Ok(offset);
        }
        // A dangling pointer to an entry in new use has no address left that would be its own.
        if self.objects[index].id != id {
            return Ok(offset.wrapping_add(FlatSpace::NOWHERE));
        }
        if self.infos[index].flat == 0 {
            let size = self.objects[index].size;
            self.infos[index].flat = self.flat.place(id, size).ok_or(StopReason::Memory)?;
        }
        Ok(self.infos[index].flat.wrapping_add(offset))
    }

    /// The pointer that an ILP32 address means.
    pub(crate) fn unflatten(&self, flat: u32) -> u64 {
        match self.flat.find(flat) {
            Some((id, offset)) => address(id, offset),
            None => address(0, flat as i32),
        }
    }

    /// Heap blocks that no chain of pointers reaches from `roots`, the globals and live locals;
    /// by ascending number, with the place where each was made.
    pub(crate) fn leaks(&self, roots: &[u64], pointer_size: usize) -> Vec<(u64, u32)> {
        let mut reached = vec![false; self.objects.len()];
        let mut todo: Vec<usize> = Vec::new();
        let visit = |pointer: u64, reached: &mut Vec<bool>, todo: &mut Vec<usize>| {
            let id = object_of(pointer);
            let index = (id & INDEX_MASK) as usize;
            if index != 0
                && let (Some(object), Some(info)) = (self.objects.get(index), self.infos.get(index))
                && object.id == id
                && info.is_live
                && !reached[index]
            {
                reached[index] = true;
                todo.push(index);
            }
        };
        for (index, info) in self.infos.iter().enumerate() {
            if info.is_live && !matches!(info.kind, ObjectKind::Heap { .. }) && index != 0 {
                reached[index] = true;
                todo.push(index);
            }
        }
        for &root in roots {
            visit(root, &mut reached, &mut todo);
        }
        while let Some(index) = todo.pop() {
            let size = self.objects[index].size;
            let bytes = self.bytes_at(index, 0, u64::from(size));
            // Pointers may lie anywhere in packed records, so every byte is a possible start.
            for (offset, window) in bytes.windows(pointer_size).enumerate() {
                if !self.is_written(index, offset as u32) {
                    continue;
                }
                let pointer = match <[u8; 8]>::try_from(window) {
                    Ok(bytes) => u64::from_le_bytes(bytes),
                    Err(_) => match <[u8; 4]>::try_from(window) {
                        Ok(bytes) => self.unflatten(u32::from_le_bytes(bytes)),
                        Err(_) => continue,
                    },
                };
                visit(pointer, &mut reached, &mut todo);
            }
        }
        let mut leaks: Vec<(u32, u64, u32)> = Vec::new();
        for (index, info) in self.infos.iter().enumerate() {
            if let ObjectKind::Heap { number } = info.kind
                && info.is_live
                && !reached[index]
            {
                leaks.push((number, address(self.objects[index].id, 0), info.made_at));
            }
        }
        leaks.sort_unstable();
        leaks.into_iter().map(|(_, p, at)| (p, at)).collect()
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

const N_CLASSES: usize = 256;

/// The size class of a block, and how many bytes its blocks have: four classes between two powers
/// of two, so that at most a fifth is lost.
fn class_of(size: u64) -> (u8, usize) {
    let size = size.max(16);
    let bits = 63 - (size - 1).leading_zeros();
    let rounded = size.next_multiple_of(1 << (bits - 2));
    let quarter = (rounded - 1) >> (bits - 2) & 3;
    ((bits * 4) as u8 + quarter as u8, rounded as usize)
}

fn low_bits(n: u32) -> u64 {
    match n {
        64.. => u64::MAX,
        _ => (1 << n) - 1,
    }
}

fn set_bits(words: &mut [u64], start: u32, end: u32) {
    let mut at = start;
    while at < end {
        let n = (64 - at % 64).min(end - at);
        words[at as usize / 64] |= low_bits(n) << (at % 64);
        at += n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two displacements in one access are what they are one after the other, also where a pointer
    /// stops at the end of its range.
    #[test]
    fn two_displacements_at_once() {
        let image = Image::new(vec![StaticObject {
            kind: ObjectKind::Global(idiolect_ir::GlobalId::new(0)),
            size: 64,
            bytes: (0..64).collect(),
            is_read_only: false,
            is_unwritten: false,
        }]);
        let memory = Memory::new(&image, 1 << 20);
        let far = i64::from(i32::MAX);
        let deltas = [
            0,
            4,
            60,
            61,
            64,
            -4,
            -64,
            far - 8,
            far,
            far + 8,
            3 * far,
            -far,
            -3 * far,
        ];
        let mut n_read = 0;
        for start in [0, 8, 63, i32::MAX, -8, i32::MIN] {
            let pointer = address(1, start);
            for first in deltas {
                for second in deltas {
                    let slow = memory.read::<4>(displaced(pointer, first), second);
                    match memory.read_twice::<4>(pointer, first, second) {
                        // What is left to the slow path is done in two steps there.
                        None => {}
                        fast => assert_eq!(fast, slow, "{start} {first} {second}"),
                    }
                    // Pointers from before the start of their object take the slow path.
                    let is_inside =
                        start >= 0 && (0..1 << 31).contains(&(i64::from(start) + first));
                    if slow.is_some() && is_inside {
                        n_read += 1;
                        assert!(memory.read_twice::<4>(pointer, first, second).is_some());
                    }
                }
            }
        }
        assert!(n_read > 20, "{n_read}");
    }
}

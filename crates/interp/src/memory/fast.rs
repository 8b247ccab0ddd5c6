//! Accesses in the usual case: what is there for the taking, and small objects with gaps.
//!
//! Every instruction that touches memory comes through here, so these are inlined into the loop.

use super::written::low_bits;
use super::{BITS_BESIDE, INDEX_MASK, Memory, Object, SMALL};

impl Memory {
    /// The `N` bytes at `pointer + delta` as a number, if they are there for the taking.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, pointer: u64, delta: i64) -> Option<u64> {
        // A negative offset of the pointer is at least 2^31 here, a negative sum at least 2^63:
        // both are beyond any mark. Thus the object of the pointer is never left.
        let offset = u64::from(pointer as u32).wrapping_add(delta as u64);
        self.read_at::<N>((pointer >> 32) as u32, offset)
    }

    /// As [`Memory::read`] of [`displaced`]`(pointer, first) + second`.
    #[inline(always)]
    pub(crate) fn read_twice<const N: usize>(
        &self,
        pointer: u64,
        first: i64,
        second: i64,
    ) -> Option<u64> {
        let offset = u64::from(pointer as u32).wrapping_add(first as u64);
        // A pointer stops at 2^31 and at 0, where the sum of numbers would go on.
        if offset >= 1 << 31 {
            return None;
        }
        self.read_at::<N>((pointer >> 32) as u32, offset.wrapping_add(second as u64))
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
    fn read_at<const N: usize>(&self, id: u32, offset: u64) -> Option<u64> {
        let object = self.objects.get((id & INDEX_MASK) as usize)?;
        if object.id != id {
            return None;
        }
        if offset.checked_add(N as u64)? > u64::from(object.readable) {
            return self.read_gapped::<N>(object, offset);
        }
        self.bytes::<N>(object.base + offset as usize)
    }

    /// `N` bytes of the arena as a number.
    #[inline(always)]
    fn bytes<const N: usize>(&self, at: usize) -> Option<u64> {
        let mut wide = [0; 8];
        wide[..N].copy_from_slice(self.arena.get(at..at + N)?);
        Some(u64::from_le_bytes(wide))
    }

    /// Written bytes of an object that has gaps. Records with padding stay unwritten in part forever, so this is
    /// the usual case for them.
    #[inline(never)]
    fn read_gapped<const N: usize>(&self, object: &Object, offset: u64) -> Option<u64> {
        if offset + N as u64 > u64::from(object.size) {
            return None;
        }
        let at = object.base + offset as usize;
        let bits = if object.size <= SMALL {
            object.written >> offset
        } else if object.written == BITS_BESIDE {
            self.bits_at(at)?
        } else {
            return None;
        };
        let wanted = low_bits(N as u32);
        if bits & wanted != wanted {
            return None;
        }
        self.bytes::<N>(at)
    }

    /// The bits of eight bytes at least.
    #[inline(always)]
    fn bits_at(&self, at: usize) -> Option<u64> {
        let bits = self.bits.get(at / 8..at / 8 + 2)?;
        Some(u64::from(u16::from_le_bytes(bits.try_into().ok()?)) >> (at % 8))
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
        let index = (id & INDEX_MASK) as usize;
        let Some(object) = self.objects.get(index) else {
            return false;
        };
        let Some(end) = offset.checked_add(N as u64) else {
            return false;
        };
        if object.id != id {
            return false;
        }
        if end > u64::from(object.writable) {
            return self.write_gapped::<N>(index, offset, bytes);
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

    /// Writes bytes of an object on the heap or the stack that has gaps, or of which they are the first ones. Such
    /// objects are never read-only, and nobody has to remember that they change.
    #[inline(never)]
    fn write_gapped<const N: usize>(&mut self, index: usize, offset: u64, bytes: [u8; N]) -> bool {
        if index < self.n_static {
            return false;
        }
        let Some(object) = self.objects.get_mut(index) else {
            return false;
        };
        if offset + N as u64 > u64::from(object.size) {
            return false;
        }
        let at = object.base + offset as usize;
        let Some(place) = self.arena.get_mut(at..at + N) else {
            return false;
        };
        place.copy_from_slice(&bytes);
        if object.size <= SMALL {
            object.written |= low_bits(N as u32) << offset;
            object.readable = object.written.trailing_ones();
            object.writable = object.readable;
            return true;
        }
        let wanted = low_bits(N as u32);
        let has_bits = object.written == BITS_BESIDE;
        if !has_bits || self.bits_at(at).is_none_or(|bits| bits & wanted != wanted) {
            self.mark_written(index, offset as u32, N as u64);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::input::ObjectKind;
    use crate::memory::{Image, Memory, StaticObject, displaced};
    use idiolect_ir::memory::address;

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

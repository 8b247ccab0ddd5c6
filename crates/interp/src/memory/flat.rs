//! Addresses of 32 bits, for ILP32.
//!
//! Registers always hold pointers with an object number and an offset. Where a program can see a
//! pointer's bits (in memory, in integers), each object gets a range of a flat space when it is
//! first needed, with a gap on both sides, so that pointers slightly outside keep their object.

use super::{INDEX_MASK, Memory};
use idiolect_base::StopReason;
use idiolect_ir::memory::{address, object_of, offset_of};
use rustc_hash::FxHashMap;

/// Ranges of objects, in the order in which they were placed.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatSpace {
    /// The start of each range with its gap, ascending, and the object.
    ranges: Vec<(u32, u32)>,
    n_static: usize,
    is_running: bool,
    end: u32,
}

const START: u32 = 0x1_0000;
const GAP: u32 = 16;

/// Objects of a type have a size that its alignment divides; nothing needs more than a page unless the program says
/// so.
fn alignment_of(size: u32) -> u32 {
    (1 << size.max(1).trailing_zeros().min(12)).max(GAP)
}

impl FlatSpace {
    /// Beyond all ranges: no object is found there.
    pub(crate) const NOWHERE: u32 = 0xf000_0000;

    /// A place for an object, or `None` when the space is used up.
    pub(crate) fn place(&mut self, id: u32, size: u32) -> Option<u32> {
        let first = self.end.max(START).checked_add(GAP)?;
        let start = first.checked_next_multiple_of(alignment_of(size))? - GAP;
        let end = start
            .checked_add(size)?
            .checked_add(2 * GAP)?
            .checked_next_multiple_of(16)?;
        if end >= Self::NOWHERE {
            return None;
        }
        self.end = end;
        self.ranges.push((start, id));
        if !self.is_running {
            self.n_static = self.ranges.len();
        }
        Some(start + GAP)
    }

    /// Back to the objects that were placed before the first reset.
    pub(crate) fn reset(&mut self) {
        self.is_running = true;
        if self.ranges.len() > self.n_static {
            self.end = self.ranges[self.n_static].0;
            self.ranges.truncate(self.n_static);
        }
    }

    /// The object and offset at an address.
    pub(crate) fn find(&self, flat: u32) -> Option<(u32, i32)> {
        if flat >= self.end {
            return None;
        }
        let after = self.ranges.partition_point(|&(start, _)| start <= flat);
        let (start, id) = *self.ranges.get(after.checked_sub(1)?)?;
        Some((id, flat.wrapping_sub(start + GAP) as i32))
    }
}

/// Addresses of 47 bits, for LP64 programs that run as a process: those that keep tags in the upper bits of a
/// pointer would lose the object number otherwise.
///
/// Only integers hold such addresses; pointers in memory keep their bits. The two can be told apart: an offset
/// is less than 2^31, and these addresses have that bit set.
#[derive(Clone, Debug, Default)]
pub(super) struct WideSpace {
    /// The start of each range and the object, ascending.
    ranges: Vec<(u64, u32)>,
    /// For each page of the first part of the space, how many ranges start before it.
    pages: Vec<u32>,
    starts: FxHashMap<u32, u64>,
    end: u64,
}

impl WideSpace {
    const START: u64 = 0x5555_8000_0000;
    const HIGH: u64 = 0x8000_0000;
    /// Offsets below zero look as if they were above this.
    const TOP: u64 = 0xe000_0000;
    const LIMIT: u64 = 1 << 47;
    /// Bytes of a page, as a power of two.
    const PAGE_BITS: u32 = 8;
    /// Pages that are kept; addresses beyond them are looked for among all.
    const MAX_PAGES: usize = 1 << 22;

    fn place(&mut self, id: u32, size: u32, alignment: u64) -> Option<u64> {
        if let Some(&start) = self.starts.get(&id) {
            return Some(start);
        }
        let mut start = self
            .end
            .max(Self::START)
            .checked_next_multiple_of(alignment)?;
        let room = (u64::from(size) + u64::from(GAP)).next_multiple_of(16);
        if (start & 0xffff_ffff) + room >= Self::TOP {
            start = (((start >> 32) + 1) << 32 | Self::HIGH).next_multiple_of(alignment);
        }
        let is_too_large = Self::HIGH + room >= Self::TOP;
        if is_too_large || start + room >= Self::LIMIT {
            return None;
        }
        self.end = start + room;
        while self.pages.len() < Self::MAX_PAGES && Self::page_start(self.pages.len()) <= start {
            self.pages.push(self.ranges.len() as u32);
        }
        self.ranges.push((start, id));
        self.starts.insert(id, start);
        Some(start)
    }

    fn page_start(page: usize) -> u64 {
        Self::START + ((page as u64) << Self::PAGE_BITS)
    }

    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    fn find(&self, address: u64) -> Option<(u32, i32)> {
        if !(Self::START..self.end).contains(&address) || address & Self::HIGH == 0 {
            return None;
        }
        let page = ((address - Self::START) >> Self::PAGE_BITS) as usize;
        let first = |page: usize| match self.pages.get(page) {
            Some(&n) => n as usize,
            None => self.ranges.len(),
        };
        // A page that is not kept may begin anywhere behind the last one that is.
        let low = if page < Self::MAX_PAGES {
            first(page)
        } else {
            first(Self::MAX_PAGES - 1)
        };
        let near = self.ranges.get(low..first(page + 1))?;
        let after = low + near.partition_point(|&(start, _)| start <= address);
        let (start, id) = *self.ranges.get(after.checked_sub(1)?)?;
        i32::try_from(address - start)
            .ok()
            .map(|offset| (id, offset))
    }
}

impl Memory {
    /// The address of a pointer of an LP64 process.
    #[inline]
    pub(crate) fn flatten_wide(&mut self, pointer: u64) -> u64 {
        // Numbers and labels are what they are.
        if object_of(pointer) & INDEX_MASK == 0 {
            return pointer;
        }
        self.flatten_aligned(pointer, 1)
    }

    /// The same for an object that has no address yet and needs one that this power of two divides.
    pub(crate) fn flatten_aligned(&mut self, pointer: u64, alignment: u64) -> u64 {
        let id = object_of(pointer);
        let index = (id & INDEX_MASK) as usize;
        if index == 0 || index >= self.objects.len() {
            return pointer;
        }
        let size = if self.objects[index].id == id {
            self.objects[index].size
        } else {
            0
        };
        let alignment = alignment.max(alignment_of(size).into());
        match self.wide.place(id, size, alignment) {
            Some(start) => start.wrapping_add_signed(i64::from(offset_of(pointer))),
            None => pointer,
        }
    }

    /// The pointer that an address of an LP64 process means.
    #[inline]
    pub(crate) fn unflatten_wide(&self, flat: u64) -> u64 {
        if !(WideSpace::START..self.wide.end).contains(&flat) {
            return flat;
        }
        match self.wide.find(flat) {
            Some((id, offset)) => address(id, offset),
            None => flat,
        }
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
}

#[cfg(test)]
mod tests {
    use super::WideSpace;

    /// Each address of an object is found again, and so is the gap behind it; pages are only a short cut.
    #[test]
    fn addresses_lead_to_their_objects() {
        let mut space = WideSpace::default();
        let mut state = 1_u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 33) % n
        };
        let mut placed = Vec::new();
        for id in 1..3000 {
            let size = [random(40), random(300), random(9000), 1 << 26][(id % 53).min(3) as usize];
            let start = space.place(id, size as u32, 16).expect("there is room");
            placed.push((id, start, size));
        }
        assert!(placed.last().expect("some").1 > WideSpace::page_start(WideSpace::MAX_PAGES));
        for &(id, start, size) in &placed {
            for offset in [0, size / 2, size.saturating_sub(1), size] {
                assert_eq!(space.find(start + offset), Some((id, offset as i32)));
            }
        }
        assert_eq!(space.find(WideSpace::START - 1), None);
        assert_eq!(space.find(space.end), None);
    }
}

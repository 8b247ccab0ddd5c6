//! Addresses of 32 bits, for ILP32.
//!
//! Registers always hold pointers with an object number and an offset. Where a program can see a
//! pointer's bits (in memory, in integers), each object gets a range of a flat space when it is
//! first needed, with a gap on both sides, so that pointers slightly outside keep their object.

use super::{INDEX_MASK, Memory};
use idiolect_base::StopReason;
use idiolect_ir::memory::{address, object_of, offset_of};

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

impl FlatSpace {
    /// Beyond all ranges: no object is found there.
    pub(crate) const NOWHERE: u32 = 0xf000_0000;

    /// A place for an object, or `None` when the space is used up.
    pub(crate) fn place(&mut self, id: u32, size: u32) -> Option<u32> {
        let start = self.end.max(START);
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

impl Memory {
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

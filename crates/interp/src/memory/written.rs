//! Which bytes of an object were written: a mark up to which all were, and a bit for each byte
//! where they are written out of order.

use super::{Memory, SMALL};

impl Memory {
    pub(crate) fn is_written(&self, index: usize, offset: u32) -> bool {
        let object = &self.objects[index];
        if offset < object.readable {
            return true;
        }
        if object.size <= SMALL {
            return object.written >> offset & 1 == 1;
        }
        self.infos[index].has_bitmap
            && self.bitmaps[object.written as usize - 1][offset as usize / 64] >> (offset % 64) & 1
                == 1
    }

    /// Whether all of a range was written.
    pub(crate) fn all_written(&self, index: usize, offset: u32, size: u64) -> bool {
        let object = &self.objects[index];
        if size == 0 || u64::from(offset) + size <= u64::from(object.readable) {
            return true;
        }
        let end = offset + size as u32;
        if object.size <= SMALL {
            let written = object.written | low_bits(object.readable);
            let bits = low_bits(size as u32) << offset;
            return written & bits == bits;
        }
        self.has_bits(index, offset, end)
    }

    /// Whether all of a range of a large object was written.
    #[inline(always)]
    pub(super) fn has_bits(&self, index: usize, offset: u32, end: u32) -> bool {
        let object = &self.objects[index];
        let at = offset.max(object.readable);
        if at >= end {
            return true;
        }
        // What has no bitmap has the number of none.
        let Some(words) = self.bitmaps.get((object.written as usize).wrapping_sub(1)) else {
            return false;
        };
        let (first, last) = (at as usize / 64, (end - 1) as usize / 64);
        if first == last {
            let bits = low_bits(end - at) << (at % 64);
            return words.get(first).is_some_and(|word| word & bits == bits);
        }
        Self::has_all(words, at, end)
    }

    #[inline(never)]
    fn has_all(words: &[u64], mut at: u32, end: u32) -> bool {
        while at < end {
            let n = (64 - at % 64).min(end - at);
            let bits = low_bits(n) << (at % 64);
            if words[at as usize / 64] & bits != bits {
                return false;
            }
            at += n;
        }
        true
    }

    pub(crate) fn mark_written(&mut self, index: usize, offset: u32, size: u64) {
        let (object, info) = (&mut self.objects[index], &self.infos[index]);
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
            self.make_bitmap(index);
            let object = &mut self.objects[index];
            let words = &mut self.bitmaps[object.written as usize - 1];
            set_bits(words, offset, end);
            // The mark moves on over what is written already; each bit is passed once.
            if offset <= object.readable {
                object.readable = end;
            }
            while object.readable < object.size {
                let word = words[object.readable as usize / 64] >> (object.readable % 64);
                let ones = word.trailing_ones();
                object.readable = (object.readable + ones).min(object.size);
                if ones == 0 || (!object.readable.is_multiple_of(64) && ones < 64) {
                    break;
                }
            }
        }
        let object = &mut self.objects[index];
        object.writable = if self.infos[index].is_read_only {
            0
        } else {
            object.readable
        };
    }

    /// Gives a large object a bit for each byte, none of them set, unless it has them already.
    fn make_bitmap(&mut self, index: usize) {
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        if info.has_bitmap {
            return;
        }
        let bitmap = match self.free_bitmaps.pop() {
            Some(bitmap) => bitmap,
            None => {
                self.bitmaps.push(Vec::new());
                self.bitmaps.len() - 1
            }
        };
        self.bitmaps[bitmap].clear();
        self.bitmaps[bitmap].resize((object.size as usize).div_ceil(64), 0);
        object.written = bitmap as u64 + 1;
        info.has_bitmap = true;
    }

    /// Makes all bytes of an object unwritten again.
    pub(super) fn mark_all_unwritten(&mut self, index: usize) {
        let (object, info) = (&mut self.objects[index], &mut self.infos[index]);
        object.readable = 0;
        object.writable = 0;
        if info.has_bitmap {
            self.free_bitmaps.push(object.written as usize - 1);
            info.has_bitmap = false;
        }
        object.written = 0;
    }

    /// Makes bytes unwritten again: unwritten bytes were copied over them.
    pub(super) fn mark_unwritten(&mut self, index: usize, offset: u32) {
        let object = self.objects[index];
        if object.size <= SMALL {
            let object = &mut self.objects[index];
            object.written |= low_bits(object.readable);
            object.written &= !(1 << offset);
            object.readable = object.written.trailing_ones();
        } else {
            let readable = object.readable;
            if offset < readable {
                self.make_bitmap(index);
            }
            if self.infos[index].has_bitmap {
                let object = &mut self.objects[index];
                let words = &mut self.bitmaps[object.written as usize - 1];
                set_bits(words, 0, readable);
                words[offset as usize / 64] &= !(1 << (offset % 64));
                object.readable = readable.min(offset);
            }
        }
        if !self.infos[index].is_read_only {
            self.objects[index].writable = self.objects[index].readable;
        }
    }
}

pub(super) fn low_bits(n: u32) -> u64 {
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
    use crate::memory::{Image, Memory};
    use idiolect_ir::memory::object_of;

    /// Ranges are written and single bytes made unwritten, in any order: each byte is what it was
    /// made last, and the marks never pass a byte without a value.
    #[test]
    fn bytes_are_told_apart() {
        let mut state = 1u64;
        let mut random = move |n: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 33) as u32 % n
        };
        for size in [1, 7, 63, 64, 65, 128, 200, 300] {
            for _ in 0..40 {
                let mut memory = Memory::new(&Image::new(Vec::new()), 1 << 20);
                let pointer = memory.allocate(u64::from(size), false, 0).expect("room");
                let index = object_of(pointer) as usize;
                let mut written = vec![false; size as usize];
                for _ in 0..30 {
                    // Often where the marks are: at the first byte and the first without a value.
                    let first = written.iter().position(|&w| !w).unwrap_or(0) as u32;
                    let start =
                        [random(size), first, first.saturating_sub(1), 0][random(4) as usize];
                    if random(3) == 0 {
                        memory.mark_unwritten(index, start);
                        written[start as usize] = false;
                    } else {
                        let longest = (size - start).min([1, 3, 90][random(3) as usize]);
                        let end = start + 1 + random(longest);
                        memory.mark_written(index, start, u64::from(end - start));
                        written[start as usize..end as usize].fill(true);
                    }
                    for (i, &expected) in written.iter().enumerate() {
                        let is_written = memory.is_written(index, i as u32);
                        assert_eq!(is_written, expected, "byte {i} of {size}");
                    }
                    let start = random(size);
                    let end = start + random(size - start + 1);
                    let expected = written[start as usize..end as usize].iter().all(|&w| w);
                    let all = memory.all_written(index, start, u64::from(end - start));
                    assert_eq!(all, expected, "bytes {start} to {end} of {size}");
                    let first = written.iter().position(|&w| !w).unwrap_or(written.len());
                    let object = memory.objects[index];
                    assert!(object.readable as usize <= first, "{object:?}");
                    assert!(object.writable <= object.readable, "{object:?}");
                }
            }
        }
    }
}

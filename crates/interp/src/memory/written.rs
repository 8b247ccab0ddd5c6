//! Which bytes of an object were written: a mark up to which all were, and a bit for each byte
//! where they are written out of order.

use super::{BITS_BESIDE, Memory, SMALL};

impl Memory {
    pub(crate) fn is_written(&self, index: usize, offset: u32) -> bool {
        self.all_written(index, offset, 1)
    }

    /// Whether all of a range was written.
    pub(crate) fn all_written(&self, index: usize, offset: u32, size: u64) -> bool {
        let object = &self.objects[index];
        if size == 0 || u64::from(offset) + size <= u64::from(object.readable) {
            return true;
        }
        if object.size <= SMALL {
            let written = object.written | low_bits(object.readable);
            let bits = low_bits(size as u32) << offset;
            return written & bits == bits;
        }
        let start = object.base + offset as usize;
        object.written == BITS_BESIDE
            && ones_from(&self.bits, start, size as usize) == size as usize
    }

    pub(crate) fn mark_written(&mut self, index: usize, offset: u32, size: u64) {
        let object = &mut self.objects[index];
        let end = offset + size as u32;
        if end <= object.readable {
            return;
        }
        if object.size <= SMALL {
            let bits = low_bits(size as u32) << offset;
            object.written |= bits | low_bits(object.readable);
            object.readable = object.written.trailing_ones();
        } else if offset <= object.readable && object.written != BITS_BESIDE {
            object.readable = end;
        } else {
            self.use_bits(index);
            let object = &mut self.objects[index];
            let base = object.base;
            set_bits(&mut self.bits, base + offset as usize, size as usize);
            // The mark moves on over what is written already; each bit is passed once.
            if offset <= object.readable {
                let rest = (object.size - end) as usize;
                let more = ones_from(&self.bits, base + end as usize, rest);
                object.readable = end + more as u32;
            }
        }
        let object = &mut self.objects[index];
        object.writable = if self.infos[index].is_read_only {
            0
        } else {
            object.readable
        };
    }

    /// Makes the bits of a large object mean what its marks say, unless they mean something already.
    fn use_bits(&mut self, index: usize) {
        let object = &mut self.objects[index];
        if object.written == BITS_BESIDE {
            return;
        }
        clear_bits(&mut self.bits, object.base, object.size as usize);
        set_bits(&mut self.bits, object.base, object.readable as usize);
        object.written = BITS_BESIDE;
    }

    /// Makes all bytes of an object unwritten again.
    pub(super) fn mark_all_unwritten(&mut self, index: usize) {
        let object = &mut self.objects[index];
        object.readable = 0;
        object.writable = 0;
        object.written = 0;
    }

    /// Makes bytes unwritten again: unwritten bytes were copied over them.
    pub(super) fn mark_unwritten(&mut self, index: usize, offset: u32) {
        let object = &mut self.objects[index];
        if object.size <= SMALL {
            object.written |= low_bits(object.readable);
            object.written &= !(1 << offset);
            object.readable = object.written.trailing_ones();
        } else if offset < object.readable || object.written == BITS_BESIDE {
            self.use_bits(index);
            let object = &mut self.objects[index];
            clear_bits(&mut self.bits, object.base + offset as usize, 1);
            object.readable = object.readable.min(offset);
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

/// Calls `change` with each byte of bits and which of its bits are meant.
#[inline]
fn each_byte(bits: &mut [u8], start: usize, n: usize, change: impl Fn(&mut u8, u8)) {
    let end = start + n;
    let mut at = start;
    while at < end {
        let n = (8 - at % 8).min(end - at);
        change(&mut bits[at / 8], (low_bits(n as u32) << (at % 8)) as u8);
        at += n;
    }
}

fn set_bits(bits: &mut [u8], start: usize, n: usize) {
    each_byte(bits, start, n, |byte, which| *byte |= which);
}

fn clear_bits(bits: &mut [u8], start: usize, n: usize) {
    each_byte(bits, start, n, |byte, which| *byte &= !which);
}

/// How many of `n` bits are ones before the first that is not.
fn ones_from(bits: &[u8], start: usize, n: usize) -> usize {
    let end = start + n;
    let mut at = start;
    while at < end {
        let ones = (bits[at / 8] >> (at % 8)).trailing_ones() as usize;
        at += ones;
        if ones == 0 || !at.is_multiple_of(8) {
            break;
        }
    }
    at.min(end) - start
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

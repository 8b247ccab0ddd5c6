//! The memory model, shared by all engines.
//!
//! Memory is a set of *objects*: globals, memory locals (one per activation and lifetime), heap
//! blocks, and functions. An object has a size in bytes; nothing lies between or around objects.
//! A pointer names an object and a byte offset in it; arithmetic moves the offset and never the
//! object, and only an access checks the bounds.
//!
//! **Bits of a pointer under LP64:** `object << 32` plus the offset as a signed 32-bit number, so
//! that an integer made from a pointer can be taken apart, compared, stored bytewise and made a
//! pointer again, offsets may go below zero, and objects are aligned as no real allocator could
//! align them better. Object 0 does not exist; its address is null. Sizes stay below 2³¹.
//!
//! **Under ILP32** a pointer has 32 bits, too few for both parts: each engine lays objects out in a
//! flat space of its own, and programs must not depend on the layout (real ones may not either).

/// Objects are smaller than this.
pub const MAX_OBJECT_SIZE: u64 = 1 << 31;

/// The bits of an LP64 pointer to `offset` in object number `object`.
#[inline]
pub fn address(object: u32, offset: i32) -> u64 {
    (u64::from(object) << 32).wrapping_add(offset as i64 as u64)
}

/// The object number that the bits of an LP64 pointer name.
#[inline]
pub fn object_of(address: u64) -> u32 {
    (address.wrapping_add(1 << 31) >> 32) as u32
}

/// The offset that the bits of an LP64 pointer name.
#[inline]
pub fn offset_of(address: u64) -> i32 {
    address as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_split_into_what_they_were_made_of() {
        for object in [0, 1, 7, u32::MAX - 1] {
            for offset in [0, 1, -1, 4096, i32::MAX, i32::MIN] {
                let bits = address(object, offset);
                if object == 0 && offset < 0 {
                    continue;
                }
                assert_eq!((object_of(bits), offset_of(bits)), (object, offset));
            }
        }
        assert_eq!(address(0, 0), 0);
    }
}

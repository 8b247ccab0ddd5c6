//! Which program a model belongs to.

use idiolect_ir::Program;
use idiolect_ir::text;

/// A number that tells programs apart: of their meaning, so that comments and layout do not count.
/// A model is about runs, and what ends a run belongs to it.
pub fn fingerprint(program: &Program, check_overflow: bool) -> String {
    // FNV-1a with 128 bits: nobody forges models of their own program.
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let text = text::print(program);
    for byte in text.bytes().chain([u8::from(check_overflow)]) {
        hash ^= u128::from(byte);
        hash = hash.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    format!("{hash:032x}")
}

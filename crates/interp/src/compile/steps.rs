//! Steps that are counted where the text has them, counted later instead: by the jump that ends the straight line.
//!
//! Lines are long where tests of constants fall away (`do … while (0)`), and have one count after the other.

use super::link::steps_mut;
use crate::code::{Instr, Site};

/// What takes another way than to the next instruction, or lets somebody see the count, and counts nothing itself.
fn is_border(instr: Instr) -> bool {
    use Instr::*;
    matches!(
        instr,
        Call { .. }
            | CallPointer { .. }
            | CallBuiltin { .. }
            | Setjmp { .. }
            | Longjmp { .. }
            | Yield
            | Thread { .. }
            | Switch32 { .. }
            | Switch64 { .. }
            | Input { .. }
            | CheckLeaks
            | Decision { .. }
            | Before
            | After { .. }
            | Mark { .. }
            | Enter
    )
}

/// Moves counts behind what cannot tell. What happens in between has so many more steps behind it that are not
/// counted yet.
pub(super) fn gather(
    instrs: &mut [Instr],
    sites: &mut [Site],
    keep: &mut [bool],
    is_target: &[bool],
) {
    // The last count of this line.
    let mut open: Option<(usize, u32)> = None;
    for i in 0..instrs.len() {
        if is_target[i] {
            open = None;
        }
        if !keep[i] {
            continue;
        }
        let is_border = is_border(instrs[i]);
        let n = match &mut instrs[i] {
            Instr::Steps { n } => {
                *n += open.map_or(0, |(_, n)| n);
                Some(*n)
            }
            instr => match (steps_mut(instr), open) {
                (Some(steps), Some((_, n))) if u32::from(*steps) + n <= u32::from(u8::MAX) => {
                    *steps += n as u8;
                    None
                }
                (None, _) if !is_border => continue,
                _ => {
                    open = None;
                    continue;
                }
            },
        };
        if let Some((l, before)) = open {
            keep[l] = false;
            for site in &mut sites[l + 1..=i] {
                site.uncounted += before;
            }
        }
        open = n.map(|n| (i, n));
    }
}

//! Registers of open calls: the window that moves over one stack, and where to move it back.

use crate::code::{Code, WINDOW};
use crate::context::{Context, Halt};
use crate::outcome::Fault;
use idiolect_base::StopReason;
use idiolect_ir::FaultKind;

/// An open call: where to go on, how far the window moved, where the result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) pc: u32,
    pub(crate) base: u8,
    pub(crate) d: u8,
}

#[inline(always)]
pub(super) fn window(stack: &mut [u64], fp: u32) -> &mut [u64; WINDOW] {
    // Of 32 bits, so that the sum needs no check of its own.
    (&mut stack[fp as usize..fp as usize + WINDOW])
        .try_into()
        .expect("the slice has this length")
}

/// Room for more calls, up to the limit.
#[cold]
#[inline(never)]
pub(super) fn more_frames(frames: &mut Vec<Frame>, limit: usize) -> Result<(), Halt> {
    // A window moves by less than 256 registers in each call, and its start has 32 bits.
    let limit = limit.min(1 << 24);
    let n = frames.len();
    if n >= limit {
        return Err(Halt::Limit(StopReason::Memory));
    }
    frames.reserve_exact(n.max(64).min(limit - n));
    Ok(())
}

/// As [`window`], after making the stack larger.
#[cold]
#[inline(never)]
pub(super) fn grown(stack: &mut Vec<u64>, fp: u32) -> &mut [u64; WINDOW] {
    let larger = (stack.len() * 2).max(fp as usize + WINDOW);
    stack.resize(larger, 0);
    window(stack, fp)
}

/// The first block that is lost, and where it was made: the run is then there, which no call is open for.
#[cold]
#[inline(never)]
pub(super) fn first_leak(
    cx: &Context<'_>,
    code: &Code,
    stack: &[u64],
    frames: &mut Vec<Frame>,
    pc: usize,
) -> Option<(Fault, usize)> {
    let fp = cx.meter.fp as usize;
    let mut roots = live_registers(code, stack, frames, fp, pc, &cx.parts.far);
    roots.extend(cx.parts.threads.registers());
    let (address, made_at) = cx.first_leak(&roots)?;
    frames.clear();
    let kind = FaultKind::Leak;
    Some((Fault { kind, address }, made_at))
}

/// The variables in registers of all open calls.
fn live_registers(
    code: &Code,
    stack: &[u64],
    frames: &[Frame],
    fp: usize,
    pc: usize,
    far: &[u64],
) -> Vec<u64> {
    let mut live = far.to_vec();
    let (mut fp, mut pc) = (fp, pc);
    for caller in frames.iter().rev().map(Some).chain([None]) {
        let n = code.functions[code.function_at(pc).index()].n_registers;
        live.extend_from_slice(&stack[fp..fp + n as usize]);
        if let Some(caller) = caller {
            fp -= usize::from(caller.base);
            pc = caller.pc as usize - 1;
        }
    }
    live
}

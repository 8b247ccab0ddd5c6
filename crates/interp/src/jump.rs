//! `setjmp` and `longjmp`.
//!
//! What `setjmp` keeps is a number in the program's buffer and, under that number, how much of each stack of the
//! machine was in use. A jump back gives up the rest. Variables keep the values that they have at the time of the
//! jump, as they do without optimisation; those in registers, too, since no two variables share one.

use crate::context::{Context, Halt, fault};
use idiolect_ir::FaultKind;

/// A place to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    /// What the buffer holds.
    number: u32,
    buffer: u64,
    /// The instruction that set it.
    pub(crate) pc: usize,
    /// The register that takes the value.
    pub(crate) register: u8,
    /// How many calls were open.
    pub(crate) depth: usize,
    fp: u32,
    far_base: usize,
    n_far: usize,
    /// How many scopes were open, that of the function itself included: when that one is left, so is this place.
    pub(crate) n_scopes: usize,
}

impl Jump {
    pub(crate) fn new(pc: usize, register: u8, depth: usize, cx: &Context<'_>) -> Self {
        Self {
            number: 0,
            buffer: 0,
            pc,
            register,
            depth,
            fp: cx.meter.fp,
            far_base: cx.parts.far_base,
            n_far: cx.parts.far.len(),
            n_scopes: cx.parts.scopes.len(),
        }
    }
}

impl Context<'_> {
    pub(crate) fn set_jump(&mut self, buffer: u64, mut jump: Jump) -> Result<(), Halt> {
        let parts = &mut self.parts;
        parts.n_jumps = parts.n_jumps.wrapping_add(1).max(1);
        jump.number = parts.n_jumps;
        jump.buffer = buffer;
        // A buffer that is set anew forgets what it had: loops do that.
        parts.jumps.retain(|old| old.buffer != buffer);
        parts.jumps.push(jump);
        self.store_slow(buffer, 0, &jump.number.to_le_bytes())
    }

    fn find_jump(&mut self, buffer: u64, pc: usize) -> Result<Jump, Halt> {
        let number = self.load_bits(buffer, 4, pc)? as u32;
        let jump = self
            .parts
            .jumps
            .iter()
            .rev()
            .find(|jump| jump.number == number);
        // Nothing was set, or the function that did it has returned.
        jump.copied()
            .ok_or(fault(FaultKind::UseAfterReturn, buffer))
    }

    /// Finds the place that a buffer holds and gives up what was taken since it was set; open calls are left to
    /// the caller.
    pub(crate) fn jump_back(&mut self, buffer: u64, pc: usize) -> Result<Jump, Halt> {
        let jump = self.find_jump(buffer, pc)?;
        self.meter.left -= i64::from(self.code.site_at(pc).uncounted);
        self.unwind(&jump);
        Ok(jump)
    }

    fn unwind(&mut self, jump: &Jump) {
        while self.parts.scopes.len() > jump.n_scopes {
            self.leave_locals();
        }
        self.meter.fp = jump.fp;
        let parts = &mut self.parts;
        parts.far.truncate(jump.n_far);
        parts.far_base = jump.far_base;
        parts.arguments.clear();
    }
}

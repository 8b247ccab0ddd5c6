//! The checks that programs carry (`idiolect_ir::checks`).

use crate::encoder::Encoder;
use crate::memory::ObjectKind;
use crate::pointer::Target;
use crate::resolve::Access;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::FaultKind;
use idiolect_smt::TermId;

const UNKNOWN: &str = "whether something unknown wrote what is read";

impl Encoder<'_> {
    /// Addresses in different objects are further apart than any object is long.
    pub(crate) fn check_overlap(&mut self, s: &mut State, to: TermId, from: TermId, size: TermId) {
        let zero = self.terms.bv(0, self.addresses.width());
        let (ahead, behind) = (self.terms.sub(to, from), self.terms.sub(from, to));
        let is_other = self.terms.ne(ahead, zero);
        let (x, y) = (self.terms.ult(ahead, size), self.terms.ult(behind, size));
        let is_near = self.terms.or(x, y);
        let overlaps = self.terms.and(is_other, is_near);
        self.fault(s, FaultKind::Overlap, overlaps);
    }

    /// Bytes of locals and of the heap that nobody wrote are a fault.
    pub(crate) fn check_written(
        &mut self,
        s: &mut State,
        pointer: TermId,
        size: TermId,
    ) -> Result<(), StopReason> {
        let size = self.terms.as_const(size).unwrap_or(1) as u32;
        for t in self.resolve(s, pointer, u64::from(size), Access::Read) {
            if s.is_dead() {
                break;
            }
            let counts = match self.infos[t.object as usize].kind {
                // What pointers of the entry function point to is made by the start function.
                ObjectKind::Local { function, .. } => function != self.program.start,
                ObjectKind::Heap | ObjectKind::Alloca => true,
                ObjectKind::Global(_) | ObjectKind::Function(_) => false,
            };
            if !counts {
                continue;
            }
            let unwritten = self.unwritten(s, t, size)?;
            let condition = self.terms.and(t.condition, unwritten);
            if self.infos[t.object as usize].is_forgotten {
                self.trap(s, UNKNOWN, condition);
            } else {
                self.fault(s, FaultKind::Uninitialised, condition);
            }
        }
        Ok(())
    }

    /// The condition under which one of the bytes at a target is unwritten.
    fn unwritten(&mut self, s: &mut State, t: Target, size: u32) -> Result<TermId, StopReason> {
        let is_wide = size.is_power_of_two() && self.is_wide(t, size);
        if let Some(large) = self.as_large(s, t, size, is_wide) {
            self.charge(1)?;
            let Some(index) = self.element(s, t, large, size) else {
                return Ok(self.terms.ff());
            };
            let bit = self.terms.select(large.unwritten, index);
            return Ok(self.terms.is_nonzero(bit));
        }
        self.limit(s, t, size);
        let mut any = self.terms.ff();
        let Some(contents) = s.memory.objects.get(t.object).cloned() else {
            return Ok(any);
        };
        let initial = self.infos[t.object as usize].initial.clone();
        let offsets = self.inside(t, size);
        self.charge(offsets.len() as u64)?;
        for offset in offsets {
            let here = self.at_offset(t, offset);
            let pieces = contents.pieces(&mut self.terms, initial.as_deref(), offset, size);
            for piece in pieces {
                let unwritten = self.terms.and(here, piece.unwritten);
                any = self.terms.or(any, unwritten);
            }
        }
        Ok(any)
    }

    /// Blocks are left at the end. Whether a pointer to each of them is left, too, is not followed: there
    /// may be a leak, and only a run can tell.
    pub(crate) fn check_leaks(&mut self, s: &mut State) {
        let open = self.fresh("leak", 1);
        let guard = self.guards.term(&mut self.terms, s.guard);
        self.approximations.push((guard, open));
        let is_lost = self.terms.is_nonzero(open);
        self.fault(s, FaultKind::Leak, is_lost);
    }
}

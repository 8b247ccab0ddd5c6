//! What an access through a pointer may touch, and which faults it may be.

use crate::encoder::Encoder;
use crate::memory::ObjectKind;
use crate::pointer::Target;
use crate::record::Gap;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_ir::FaultKind;
use idiolect_smt::TermId;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Encoder<'_> {
    /// The condition, and everything that the expression around it takes for granted.
    pub(crate) fn under_lazies(&mut self, condition: TermId) -> TermId {
        let mut all = condition;
        for i in (0..self.lazies.len()).rev() {
            all = self.terms.and(self.lazies[i], all);
        }
        all
    }

    /// Runs in which the condition holds here are not modelled.
    pub(crate) fn trap(&mut self, s: &mut State, construct: &str, condition: TermId) {
        self.end_if(s, crate::EndKind::Trap(Gap::engine(construct)), condition);
    }

    /// Runs in which the condition holds here access memory beyond the end of an object: a fault,
    /// or what was not looked at if the object is only the first part of a larger one.
    pub(crate) fn out_of_bounds(&mut self, s: &mut State, t: Target, condition: TermId) {
        if let Some((truncated, index)) = self.infos[t.object as usize].truncated {
            let width = self.addresses.width();
            let sign = self.terms.extract(width - 1, width - 1, t.offset);
            let is_before = self.terms.is_nonzero(sign);
            let is_after = self.terms.not(is_before);
            let cut = self.terms.and(truncated, is_after);
            let cut = self.terms.and(condition, cut);
            let gap = Gap::assumption(self.program, index);
            self.end_if(s, crate::EndKind::Trap(gap), cut);
        }
        self.fault(s, FaultKind::OutOfBounds, condition);
    }

    pub(crate) fn end_if(&mut self, s: &mut State, kind: crate::EndKind, condition: TermId) {
        if self.is_excluded(s, condition) {
            return;
        }
        let condition = self.under_lazies(condition);
        let guard = self.guards.term(&mut self.terms, s.guard);
        let guard = self.terms.and(guard, condition);
        let is_gap = matches!(kind, crate::EndKind::Trap(_));
        if !self.terms.known_false(guard) {
            self.record_end(s, guard, kind);
        }
        let go_on = self.terms.not(condition);
        if is_gap {
            self.note_inexact(go_on);
        }
        s.guard = self.guards.push(&mut self.terms, s.guard, go_on);
    }

    /// What an access of `size` bytes may touch; everything else has become a fault.
    pub(crate) fn resolve(
        &mut self,
        s: &mut State,
        pointer: TermId,
        size: u64,
        access: Access,
    ) -> Vec<Target> {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, pointer, n);
        let mut live = Vec::new();
        for &t in targets.iter() {
            if s.is_dead() {
                break;
            }
            if self.is_excluded(s, t.condition) {
                continue;
            }
            if self.check_target(s, t, access) && !s.is_dead() {
                let beyond = self.beyond(t, size);
                if !self.terms.known_false(beyond) {
                    let fault = self.terms.and(t.condition, beyond);
                    self.out_of_bounds(s, t, fault);
                }
                if !self.is_excluded(s, t.condition) {
                    if access == Access::Write && self.infos[t.object as usize].is_read_only {
                        self.fault(s, FaultKind::WriteToReadOnly, t.condition);
                    } else {
                        live.push(self.as_in_run(s, t, size));
                    }
                }
            }
        }
        if s.is_dead() {
            live.clear();
        }
        live
    }

    /// Faults of a target that has no live object; whether there may be one.
    fn check_target(&mut self, s: &mut State, t: Target, _: Access) -> bool {
        let width = self.addresses.width();
        if t.object == 0 {
            let low = self.terms.bv(4096, width);
            let window = self.terms.bv(4096 + 65536, width);
            let shifted = self.terms.add(t.offset, low);
            let near = self.terms.ult(shifted, window);
            let null = self.terms.and(t.condition, near);
            self.fault(s, FaultKind::NullDereference, null);
            let far = self.terms.not(near);
            let unknown = self.terms.and(t.condition, far);
            if self.is_recording()
                && self.terms.as_const(t.offset).is_none()
                && !self.is_excluded(s, t.condition)
                && !self.is_by_choice(unknown)
            {
                // What `malloc` returned may be null elsewhere, plus an index; in this run it is not.
                if self.holds_not_as_in_run(s, unknown) {
                    return false;
                }
                self.not_recordable("an access through a pointer that is not known");
            }
            self.no_object(s, t, FaultKind::InvalidPointer);
            return false;
        }
        let kind = self.infos[t.object as usize].kind;
        if matches!(kind, ObjectKind::Function(_)) {
            self.fault(s, FaultKind::InvalidPointer, t.condition);
            return false;
        }
        let ended = if kind.is_automatic() {
            FaultKind::UseAfterReturn
        } else {
            FaultKind::UseAfterFree
        };
        if let Some(&dead) = s.memory.dead.get(t.object) {
            let fault = self.terms.and(t.condition, dead);
            self.fault(s, ended, fault);
        }
        if s.memory.objects.get(t.object).is_none() {
            // A heap block that was not made on this path cannot be pointed to.
            if kind.is_automatic() {
                self.fault(s, ended, t.condition);
            }
            return false;
        }
        true
    }

    /// Holds if `size` bytes from the target on are not all inside its object.
    fn beyond(&mut self, t: Target, size: u64) -> TermId {
        let width = self.addresses.width();
        let own = self.infos[t.object as usize].size;
        // Most accesses are like this: nothing but the answer becomes a term.
        if let (Some(own), Some(offset)) = (self.terms.as_const(own), self.terms.as_const(t.offset))
        {
            let size = u128::from(size);
            return if own < size || own - size < offset {
                self.terms.tt()
            } else {
                self.terms.ff()
            };
        }
        let wanted = self.terms.bv(u128::from(size), width);
        let too_small = self.terms.ult(own, wanted);
        let last = self.terms.sub(own, wanted);
        let past = self.terms.ult(last, t.offset);
        self.terms.or(too_small, past)
    }

    /// The constant offsets that an access of `size` bytes may have. There may be more than one
    /// wants to look at: then runs with further ones are not modelled, which
    /// [`limit`](Self::limit) has said before.
    pub(crate) fn candidates(&mut self, t: Target, size: u32) -> Vec<u32> {
        if let Some(offset) = self.terms.as_const(t.offset) {
            return vec![offset as u32];
        }
        let (first, last, step) = self.extent(t, size);
        let mut list = Vec::new();
        let mut at = first;
        while at <= last {
            list.push(at as u32);
            at += step;
        }
        list
    }

    /// First and last offset that an access may have, and the distance between two of them.
    pub(crate) fn places(&mut self, t: Target, size: u32) -> (u128, u128, u128) {
        let info = &self.infos[t.object as usize];
        let facts = *self.terms.facts(t.offset);
        let last = u128::from(info.max_size)
            .checked_sub(u128::from(size))
            .map_or(0, |last| last.min(facts.max));
        let (step, start) = self.offsets.congruence(&self.terms, t.offset);
        let step = u128::from(step.max(1));
        let mut first = u128::from(start) % step;
        if first < facts.min {
            first += (facts.min - first).div_ceil(step) * step;
        }
        (first, last, step)
    }

    /// The same, as far as one wants to look.
    fn extent(&mut self, t: Target, size: u32) -> (u128, u128, u128) {
        let (first, last, step) = self.places(t, size);
        let most = match self.terms.as_const(self.infos[t.object as usize].size) {
            Some(_) => self.config.max_elements,
            None => self.config.max_unsized_elements,
        };
        let last = last.min(first + step * u128::from(most.max(1) - 1));
        (first, last, step)
    }

    /// Whether an access has so many places that an array is cheaper than looking at each.
    pub(crate) fn is_wide(&mut self, t: Target, size: u32) -> bool {
        if self.terms.as_const(t.offset).is_some() {
            return false;
        }
        let (first, last, step) = self.places(t, size);
        let most = match self.terms.as_const(self.infos[t.object as usize].size) {
            Some(_) => self.config.array_elements,
            None => self
                .config
                .max_unsized_elements
                .min(self.config.array_elements),
        };
        last >= first + step * u128::from(most)
    }

    /// Runs that go beyond the last candidate of an access are not modelled.
    pub(crate) fn limit(&mut self, s: &mut State, t: Target, size: u32) {
        if self.terms.as_const(t.offset).is_some() {
            return;
        }
        let max_size = self.infos[t.object as usize].max_size;
        let (_, last, step) = self.extent(t, size);
        if last + step + u128::from(size) <= u128::from(max_size) {
            let width = self.addresses.width();
            let last = self.terms.bv(last, width);
            let beyond = self.terms.ult(last, t.offset);
            let beyond = self.terms.and(t.condition, beyond);
            self.trap(s, "a symbolic index into a large object", beyond);
        }
    }

    /// The places of an access of one value. A known place that is out of bounds is none: a run faults before it,
    /// and only who follows that run beyond its end asks.
    pub(crate) fn inside(&mut self, t: Target, size: u32) -> Vec<u32> {
        let max_size = u128::from(self.infos[t.object as usize].max_size);
        let is_outside = |offset: u128| offset.saturating_add(u128::from(size)) > max_size;
        if self.terms.as_const(t.offset).is_some_and(is_outside) {
            return Vec::new();
        }
        self.candidates(t, size)
    }

    pub(crate) fn at_offset(&mut self, t: Target, offset: u32) -> TermId {
        let width = self.addresses.width();
        let constant = self.terms.bv(u128::from(offset), width);
        self.terms.eq(t.offset, constant)
    }
}

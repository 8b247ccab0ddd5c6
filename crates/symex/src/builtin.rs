//! What programs call and no C text defines.

use crate::encoder::Encoder;
use crate::memory::{ObjectInfo, ObjectKind};
use crate::print::Arguments;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::{Builtin, FaultKind, PrintfTarget, Ty};
use idiolect_smt::TermId;
use std::rc::Rc;

type Step<T> = Result<T, StopReason>;

/// Larger objects are not made inputs cell by cell.
const MOST_FORGOTTEN: u32 = 1 << 16;
const FORGOTTEN: &str = "what a function without a body writes to a large object";

impl Encoder<'_> {
    pub(crate) fn builtin(
        &mut self,
        s: &mut State,
        builtin: Builtin,
        args: &[TermId],
        _types: &[Ty],
        wanted: Option<Ty>,
    ) -> Step<Option<TermId>> {
        let width = self.addresses.width();
        let zero = self.terms.bv(0, width);
        let arg = |i: usize| args.get(i).copied().unwrap_or(zero);
        let truth = self.terms.tt();
        Ok(match builtin {
            Builtin::Malloc => {
                let size = self.fit(arg(0), width);
                Some(self.allocate(s, size, false, ObjectKind::Heap))
            }
            Builtin::Calloc => {
                let (count, size) = (self.fit(arg(0), width), self.fit(arg(1), width));
                let total = self.saturating_product(count, size);
                Some(self.allocate(s, total, true, ObjectKind::Heap))
            }
            Builtin::Alloca => {
                let size = self.fit(arg(0), width);
                self.largest(s, size);
                Some(self.allocate(s, size, false, ObjectKind::Alloca))
            }
            Builtin::Realloc => {
                let size = self.fit(arg(1), width);
                Some(self.reallocate(s, arg(0), size)?)
            }
            Builtin::Free => {
                self.free(s, arg(0));
                None
            }
            Builtin::Memmove => {
                let size = self.fit(arg(2), width);
                self.copy(s, arg(0), arg(1), size)?;
                None
            }
            Builtin::Memset => {
                let byte = self.fit(arg(1), 8);
                let size = self.fit(arg(2), width);
                self.fill(s, arg(0), byte, size)?;
                None
            }
            Builtin::Putchar => {
                let byte = self.fit(arg(0), 8);
                Some(self.terms.zext(byte, 32))
            }
            Builtin::Printf(target) | Builtin::VPrintf(target) => {
                let (n_leading, room) = match target {
                    PrintfTarget::Stdout | PrintfTarget::Stderr | PrintfTarget::Elsewhere => {
                        (0, None)
                    }
                    PrintfTarget::Buffer => (1, None),
                    PrintfTarget::BoundedBuffer => (2, Some(self.fit(arg(1), width))),
                };
                let first = n_leading + 1;
                let arguments = match builtin {
                    Builtin::VPrintf(_) => Arguments::Slots(self.fit(arg(first), width)),
                    _ => Arguments::Values(args.get(first..).unwrap_or(&[])),
                };
                if n_leading > 0 {
                    let format = arg(n_leading);
                    let n = self.print_to_memory(s, arg(0), room, format, arguments)?;
                    return Ok(wanted.map(|_| n));
                }
                self.print(s, arg(0), arguments)?;
                wanted.map(|_| {
                    // The number of characters is left open; it is never negative.
                    let length = self.fresh("printf", 31);
                    let guard = self.guards.term(&mut self.terms, s.guard);
                    self.approximations.push((guard, length));
                    self.terms.zext(length, 32)
                })
            }
            Builtin::Truncate(index) => {
                self.truncate(s, arg(0), arg(1), index);
                None
            }
            Builtin::Forget => {
                self.forget(s, arg(0))?;
                None
            }
            Builtin::CheckOverlap => {
                let size = self.fit(arg(2), width);
                self.check_overlap(s, arg(0), arg(1), size);
                None
            }
            Builtin::CheckWritten => {
                self.check_written(s, arg(0), arg(1))?;
                None
            }
            Builtin::CheckLeaks => {
                self.check_leaks(s);
                None
            }
            Builtin::Math(function) => Some(self.math(s, function, [arg(0), arg(1), arg(2)])),
            // The first return. A second one comes from a `longjmp`, after which there is a trap.
            Builtin::Setjmp => Some(self.terms.bv(0, 32)),
            Builtin::Longjmp => None,
            Builtin::Host(_) => {
                self.trap(s, "the system around the program", truth);
                None
            }
            Builtin::ParseDouble => {
                if self.is_rerun() || self.is_recording() {
                    self.trap(s, "the number that a text begins with", truth);
                    return Ok(None);
                }
                let guard = self.guards.term(&mut self.terms, s.guard);
                let (value, length) = (self.fresh("strtod", 64), self.fresh("strtod", 31));
                self.approximations
                    .extend([(guard, value), (guard, length)]);
                self.store(s, arg(1), 8, value)?;
                Some(self.terms.zext(length, 32))
            }
        })
    }

    /// Where the condition holds, the object that a pointer names is the first part of a larger one.
    fn truncate(&mut self, s: &State, pointer: TermId, condition: TermId, index: u32) {
        let condition = self.terms.is_nonzero(condition);
        let guard = self.guards.term(&mut self.terms, s.guard);
        let condition = self.terms.and(guard, condition);
        let n = self.infos.len();
        for &t in self
            .addresses
            .targets(&mut self.terms, pointer, n)
            .clone()
            .iter()
        {
            let here = self.terms.and(condition, t.condition);
            if t.object == 0 || self.terms.known_false(here) {
                continue;
            }
            let info = &mut self.infos[t.object as usize];
            info.truncated = Some(match info.truncated {
                Some((old, _)) => (self.terms.or(old, here), index),
                None => (here, index),
            });
        }
    }

    /// All bytes of the object that a pointer names become unwritten.
    fn forget(&mut self, s: &mut State, pointer: TermId) -> Step<()> {
        let n = self.infos.len();
        let (truth, zero) = (self.terms.tt(), self.terms.bv(0, self.addresses.width()));
        let targets = self.addresses.targets(&mut self.terms, pointer, n).clone();
        for &t in targets.iter() {
            let info = &self.infos[t.object as usize];
            let (max_size, stride) = (info.max_size.min(u64::from(u32::MAX)) as u32, info.stride);
            let can_be_written =
                !info.is_read_only && !matches!(info.kind, ObjectKind::Function(_));
            if t.object == 0
                || !can_be_written
                || s.memory.objects.get(t.object).is_none()
                || self.is_excluded(s, t.condition)
            {
                continue;
            }
            if self.refuse_large(s, t, FORGOTTEN) {
                continue;
            }
            if max_size > MOST_FORGOTTEN {
                self.trap(s, FORGOTTEN, t.condition);
                continue;
            }
            self.infos[t.object as usize].is_forgotten = true;
            // The object itself may have ended: nothing is left to forget then, and nobody reads it.
            let start = crate::pointer::Target { offset: zero, ..t };
            let mut at = 0;
            while at < max_size {
                self.charge(1)?;
                let size = stride.min(max_size - at);
                let value = self.terms.bv(0, size * 8);
                self.raw_write(s, start, at, size, max_size, (value, truth), t.condition);
                at += size;
            }
        }
        Ok(())
    }

    /// `count * size`, or the largest number if that does not fit.
    fn saturating_product(&mut self, count: TermId, size: TermId) -> TermId {
        let width = self.addresses.width();
        let (x, y) = (
            self.terms.zext(count, 2 * width),
            self.terms.zext(size, 2 * width),
        );
        let product = self.terms.mul(x, y);
        let high = self.terms.extract(2 * width - 1, width, product);
        let low = self.terms.extract(width - 1, 0, product);
        let overflows = self.terms.is_nonzero(high);
        let most = self.terms.bv(u128::MAX, width);
        self.terms.ite(overflows, most, low)
    }

    /// A fresh object; null for sizes that no object can have.
    fn allocate(&mut self, s: &mut State, size: TermId, zeroed: bool, kind: ObjectKind) -> TermId {
        let width = self.addresses.width();
        let null = self.terms.bv(0, width);
        let limit = self.terms.bv(1 << 31, width);
        let fits = self.terms.ult(size, limit);
        if self.terms.known_false(fits) || s.is_dead() {
            return null;
        }
        let max_size = (self.terms.facts(size).max as u64).min((1 << 31) - 1);
        let made = self.guards.term(&mut self.terms, s.guard);
        let made = self.terms.and(made, fits);
        // Blocks of the heap are usually arrays of something.
        let stride = match max_size {
            n if n % 8 == 0 => 8,
            n if n % 4 == 0 => 4,
            _ => 1,
        };
        let info = ObjectInfo {
            kind,
            size,
            max_size,
            is_read_only: false,
            initial: zeroed.then(|| Rc::from([])),
            stride,
            made,
            truncated: None,
            is_forgotten: false,
        };
        let object = self.make_object(s, info);
        let pointer = self.pointer_term(object);
        self.terms.ite(fits, pointer, null)
    }

    /// The heap blocks that a pointer may be the start of, for `free` and `realloc`; everything
    /// but null and these is a fault.
    fn heap_blocks(&mut self, s: &mut State, pointer: TermId) -> Vec<crate::pointer::Target> {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, pointer, n);
        let width = self.addresses.width();
        let zero = self.terms.bv(0, width);
        let mut blocks = Vec::new();
        for &t in targets.iter() {
            if self.is_excluded(s, t.condition) {
                continue;
            }
            let off = self.terms.ne(t.offset, zero);
            let off = self.terms.and(t.condition, off);
            if t.object == 0 {
                let other = crate::pointer::Target {
                    condition: off,
                    ..t
                };
                self.no_object(s, other, FaultKind::InvalidFree);
                continue;
            }
            if self.infos[t.object as usize].kind != ObjectKind::Heap {
                self.fault(s, FaultKind::InvalidFree, t.condition);
                continue;
            }
            if let Some(&dead) = s.memory.dead.get(t.object) {
                let twice = self.terms.and(t.condition, dead);
                self.fault(s, FaultKind::DoubleFree, twice);
            }
            self.fault(s, FaultKind::InvalidFree, off);
            if s.memory.objects.get(t.object).is_some() {
                blocks.push(t);
            }
        }
        blocks
    }

    fn free(&mut self, s: &mut State, pointer: TermId) {
        for t in self.heap_blocks(s, pointer) {
            self.kill(s, t.object, t.condition);
        }
    }

    pub(crate) fn kill(&mut self, s: &mut State, object: u32, condition: TermId) {
        let falsity = self.terms.ff();
        let dead = s.memory.dead.get(object).copied().unwrap_or(falsity);
        let dead = self.terms.or(dead, condition);
        s.memory.dead.insert(object, dead);
    }

    /// As glibc does it, a size of 0 frees.
    fn reallocate(&mut self, s: &mut State, pointer: TermId, size: TermId) -> Step<TermId> {
        let width = self.addresses.width();
        let null = self.terms.bv(0, width);
        let was_null = self.terms.eq(pointer, null);
        let is_zero = self.terms.eq(size, null);
        let limit = self.terms.bv(1 << 31, width);
        let fits = self.terms.ult(size, limit);
        let frees = {
            let not_null = self.terms.not(was_null);
            self.terms.and(not_null, is_zero)
        };
        let blocks = self.heap_blocks(s, pointer);
        if s.is_dead() {
            return Ok(null);
        }
        let moves = {
            let stays = self.terms.not(frees);
            self.terms.and(stays, fits)
        };
        if self.terms.known_false(moves) {
            for t in blocks {
                let ends = self.terms.and(t.condition, frees);
                self.kill(s, t.object, ends);
            }
            return Ok(null);
        }
        let new = self.allocate(s, size, false, ObjectKind::Heap);
        let made = self.infos.len() - 1;
        // The block only counts as taken where it is.
        self.infos[made].made = self.terms.and(self.infos[made].made, moves);
        for t in &blocks {
            let hit = self.terms.and(t.condition, moves);
            let old = self.infos[t.object as usize].size;
            let smaller = self.terms.ult(old, size);
            let n = self.terms.ite(smaller, old, size);
            let n = self.terms.ite(hit, n, null);
            let from = self.pointer_term(t.object);
            let to = self.pointer_term(made as u32);
            if self.terms.as_const(n).is_some() {
                self.copy(s, to, from, n)?;
            } else {
                self.lazies.push(hit);
                let copied = self.copy(s, to, from, n);
                self.lazies.pop();
                copied?;
            }
        }
        for t in blocks {
            let gone = self.terms.or(moves, frees);
            let ends = self.terms.and(t.condition, gone);
            self.kill(s, t.object, ends);
        }
        let stays_null = self.terms.not(moves);
        Ok(self.terms.ite(stays_null, null, new))
    }
}

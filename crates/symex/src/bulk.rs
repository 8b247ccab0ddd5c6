//! Ranges of memory at once: copying and filling.

use crate::encoder::Encoder;
use crate::memory::MAX_CELL;
use crate::resolve::Access;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::Ty;
use idiolect_smt::TermId;
use std::collections::BTreeSet;

type Step<T> = Result<T, StopReason>;

const SYMBOLIC_SIZE: &str = "a copy of symbolic size in a large array";

impl Encoder<'_> {
    /// `memmove`: any overlap, written or not.
    pub(crate) fn copy(
        &mut self,
        s: &mut State,
        to: TermId,
        from: TermId,
        size: TermId,
    ) -> Step<()> {
        let size = self.size_as_in_run(s, size);
        let Some(total) = self.terms.as_const(size) else {
            return self.copy_symbolic(s, to, from, size);
        };
        if total == 0 || s.is_dead() {
            return Ok(());
        }
        let truth = self.terms.tt();
        let total = total as u64;
        let sources = self.resolve(s, from, total, Access::Read);
        let destinations = self.resolve(s, to, total, Access::Write);
        if s.is_dead() || sources.is_empty() || destinations.is_empty() {
            return Ok(());
        }
        if self.copy_large(s, &sources, &destinations, total as u32)? {
            return Ok(());
        }
        for &t in sources.iter().chain(&destinations) {
            self.limit(s, t, total as u32);
        }
        if s.is_dead() {
            return Ok(());
        }
        let pieces = self.gather(s, &sources, total as u32)?;
        let Some(pieces) = pieces else {
            self.trap(s, "a copy of a large object", truth);
            return Ok(());
        };
        let is_single = destinations.len() == 1;
        for t in destinations {
            let hit = if is_single { truth } else { t.condition };
            for &(skip, size, value) in &pieces {
                self.charge(1)?;
                self.raw_write(s, t, skip, size, total as u32, value, hit);
            }
        }
        Ok(())
    }

    /// Unwritten bytes become inputs before they are copied, each by itself, if the copy is no fault.
    pub(crate) fn read_copied(
        &mut self,
        s: &mut State,
        to: TermId,
        from: TermId,
        size: u32,
    ) -> Step<()> {
        if size == 0 || s.is_dead() {
            return Ok(());
        }
        let sources = self.resolve(s, from, u64::from(size), Access::Read);
        let destinations = self.resolve(s, to, u64::from(size), Access::Write);
        if s.is_dead() || sources.is_empty() || destinations.is_empty() {
            return Ok(());
        }
        // Of an array of the solver each copy may read other values: more runs than there are.
        if sources.iter().any(|&t| self.large_of(s, t).is_some()) {
            return Ok(());
        }
        let Some(pieces) = self.gather(s, &sources, size)? else {
            return Ok(());
        };
        let open = pieces
            .into_iter()
            .filter(|(_, _, (_, u))| !self.terms.known_false(*u));
        let open: Vec<(u32, u32)> = open.map(|(at, size, _)| (at, size)).collect();
        for at in open.into_iter().flat_map(|(at, size)| at..at + size) {
            let distance = self.terms.bv(u128::from(at), self.addresses.width());
            let byte = self.terms.add(from, distance);
            self.load(s, byte, 1, 1, Ty::Int(8))?;
            if s.is_dead() {
                break;
            }
        }
        Ok(())
    }

    /// The bytes of a range in pieces: distance from its start, size, value and unwrittenness.
    #[expect(clippy::type_complexity)]
    fn gather(
        &mut self,
        s: &State,
        sources: &[crate::pointer::Target],
        total: u32,
    ) -> Step<Option<Vec<(u32, u32, (TermId, TermId))>>> {
        // One source at a constant place: its own cells are the pieces.
        if let [t] = sources
            && let Some(offset) = self.terms.as_const(t.offset)
            && let Some(contents) = s.memory.objects.get(t.object).cloned()
        {
            let offset = offset as u32;
            let initial = self.infos[t.object as usize].initial.clone();
            let found = contents.pieces(&mut self.terms, initial.as_deref(), offset, total);
            self.charge(found.len() as u64)?;
            let list = found
                .into_iter()
                .map(|p| (p.at - offset, p.size, (p.value, p.unwritten)));
            return Ok(Some(list.collect()));
        }
        let cuts = self.cuts(s, sources, total)?;
        let mut list = Vec::new();
        for pair in cuts.windows(2) {
            self.charge(1)?;
            let (at, size) = (pair[0], pair[1] - pair[0]);
            match self.raw_read_any(s, sources, at, size, total) {
                Some(value) => list.push((at, size, value)),
                None => return Ok(None),
            }
        }
        Ok(Some(list))
    }

    /// Where a range is cut so that each part lies in one cell of every source, or in none: what is a
    /// pointer in all of them stays one. Where no source has a cell, parts are scalars.
    fn cuts(
        &mut self,
        s: &State,
        sources: &[crate::pointer::Target],
        total: u32,
    ) -> Step<Vec<u32>> {
        let stride = sources
            .iter()
            .map(|t| self.infos[t.object as usize].stride)
            .min()
            .unwrap_or(1)
            .clamp(1, MAX_CELL);
        let mut cells: BTreeSet<(u32, u32)> = BTreeSet::new();
        for &t in sources {
            let Some(contents) = s.memory.objects.get(t.object).cloned() else {
                continue;
            };
            for offset in self.candidates(t, total) {
                self.charge(1)?;
                let from = offset.saturating_sub(MAX_CELL - 1);
                contents
                    .cells
                    .for_range(from, offset + total, &mut |at, cell| {
                        let end = (at + cell.size).saturating_sub(offset).min(total);
                        let start = at.saturating_sub(offset);
                        if start < end {
                            cells.insert((start, end));
                        }
                    });
            }
        }
        let mut borders: BTreeSet<u32> = BTreeSet::from([0, total]);
        for &(start, end) in &cells {
            borders.extend([start, end]);
        }
        let mut cuts = Vec::new();
        let mut cells = cells.into_iter().peekable();
        let mut covered = 0;
        let mut borders = borders.into_iter().peekable();
        while let Some(at) = borders.next() {
            cuts.push(at);
            while let Some((_, end)) = cells.next_if(|&(start, _)| start <= at) {
                covered = covered.max(end);
            }
            let Some(&next) = borders.peek() else { break };
            if covered <= at {
                let first = (at / stride + 1) * stride;
                cuts.extend((first..next).step_by(stride as usize));
            }
        }
        Ok(cuts)
    }

    fn raw_read_any(
        &mut self,
        s: &State,
        sources: &[crate::pointer::Target],
        skip: u32,
        size: u32,
        total: u32,
    ) -> Option<(TermId, TermId)> {
        let mut result: Option<(TermId, TermId)> = None;
        for &t in sources {
            let own = self.raw_read(s, t, skip, size, total)?;
            result = Some(match result {
                None => own,
                Some((value, unwritten)) => (
                    self.terms.ite(t.condition, own.0, value),
                    self.terms.ite(t.condition, own.1, unwritten),
                ),
            });
        }
        result
    }

    /// A copy whose size is not known: byte by byte, each if it is still within the size.
    fn copy_symbolic(&mut self, s: &mut State, to: TermId, from: TermId, size: TermId) -> Step<()> {
        let Some(most) = self.symbolic_extent(s, &[to, from], size) else {
            return Ok(());
        };
        // Faults first: the ranges have to be there as a whole.
        self.check_range(s, from, size, Access::Read);
        self.check_range(s, to, size, Access::Write);
        let width = self.addresses.width();
        let mut bytes = Vec::new();
        for i in 0..most {
            if s.is_dead() {
                return Ok(());
            }
            let distance = self.terms.bv(u128::from(i), width);
            let inside = self.terms.ult(distance, size);
            if self.is_excluded(s, inside) {
                break;
            }
            let at = self.terms.add(from, distance);
            self.lazies.push(inside);
            let sources = self.resolve(s, at, 1, Access::Read);
            for &t in &sources {
                if !self.refuse_large(s, t, SYMBOLIC_SIZE) {
                    self.limit(s, t, 1);
                }
            }
            self.lazies.pop();
            let value = self.raw_read_any(s, &sources, 0, 1, 1);
            self.charge(1)?;
            bytes.push((distance, inside, value));
        }
        for (distance, inside, value) in bytes {
            if let Some(value) = value {
                self.write_byte(s, to, distance, inside, value);
            }
        }
        Ok(())
    }

    /// The byte at a distance from a pointer becomes this one in the runs in which the condition holds.
    fn write_byte(
        &mut self,
        s: &mut State,
        to: TermId,
        distance: TermId,
        inside: TermId,
        value: (TermId, TermId),
    ) {
        let at = self.terms.add(to, distance);
        self.lazies.push(inside);
        let destinations = self.resolve(s, at, 1, Access::Write);
        for &t in &destinations {
            if !self.refuse_large(s, t, SYMBOLIC_SIZE) {
                self.limit(s, t, 1);
            }
        }
        self.lazies.pop();
        for t in destinations {
            let hit = self.terms.and(inside, t.condition);
            self.raw_write(s, t, 0, 1, 1, value, hit);
        }
    }

    /// The first `size` of these bytes.
    pub(crate) fn write_bytes(
        &mut self,
        s: &mut State,
        to: TermId,
        size: TermId,
        bytes: &[TermId],
    ) -> Step<()> {
        let size = self.size_as_in_run(s, size);
        if s.is_dead() {
            return Ok(());
        }
        self.check_range(s, to, size, Access::Write);
        let (width, falsity) = (self.addresses.width(), self.terms.ff());
        for (i, &byte) in bytes.iter().enumerate() {
            let distance = self.terms.bv(i as u128, width);
            let inside = self.terms.ult(distance, size);
            if self.is_excluded(s, inside) {
                break;
            }
            self.charge(1)?;
            self.write_byte(s, to, distance, inside, (byte, falsity));
        }
        Ok(())
    }

    /// How many bytes an operation of symbolic size may touch at most.
    fn symbolic_extent(&mut self, s: &mut State, pointers: &[TermId], size: TermId) -> Option<u32> {
        let mut most = self.terms.facts(size).max.min(u128::from(u32::MAX)) as u64;
        for &pointer in pointers {
            let n = self.infos.len();
            let targets = self.addresses.targets(&mut self.terms, pointer, n);
            let own = targets
                .iter()
                .map(|t| self.infos[t.object as usize].max_size)
                .max();
            most = most.min(own.unwrap_or(0));
        }
        // Sizes beyond what one wants to look at are not modelled.
        let limit = u64::from(self.config.max_unsized_elements) * 8;
        if most > limit {
            let width = self.addresses.width();
            let limit = self.terms.bv(u128::from(limit), width);
            let beyond = self.terms.ult(limit, size);
            self.trap(s, "a copy of symbolic size in a large object", beyond);
        }
        let most = most.min(limit);
        if s.is_dead() {
            return None;
        }
        Some(most as u32)
    }

    /// Faults of a range of symbolic size, unless it is empty.
    fn check_range(&mut self, s: &mut State, pointer: TermId, size: TermId, access: Access) {
        let width = self.addresses.width();
        let zero = self.terms.bv(0, width);
        let nonempty = self.terms.ne(size, zero);
        if self.is_excluded(s, nonempty) {
            return;
        }
        self.lazies.push(nonempty);
        let live = self.resolve(s, pointer, 1, access);
        for t in live {
            let own = self.infos[t.object as usize].size;
            let room = self.terms.sub(own, t.offset);
            let beyond = self.terms.ult(room, size);
            let beyond = self.terms.and(t.condition, beyond);
            self.out_of_bounds(s, t, beyond);
        }
        self.lazies.pop();
    }

    /// `memset`
    pub(crate) fn fill(
        &mut self,
        s: &mut State,
        to: TermId,
        byte: TermId,
        size: TermId,
    ) -> Step<()> {
        let truth = self.terms.tt();
        let falsity = self.terms.ff();
        let size = self.size_as_in_run(s, size);
        let Some(total) = self.terms.as_const(size) else {
            let Some(most) = self.symbolic_extent(s, &[to], size) else {
                return Ok(());
            };
            self.check_range(s, to, size, Access::Write);
            let width = self.addresses.width();
            for i in 0..most {
                let distance = self.terms.bv(u128::from(i), width);
                let inside = self.terms.ult(distance, size);
                if self.is_excluded(s, inside) {
                    break;
                }
                self.charge(1)?;
                self.write_byte(s, to, distance, inside, (byte, falsity));
            }
            return Ok(());
        };
        if total == 0 || s.is_dead() {
            return Ok(());
        }
        let targets = self.resolve(s, to, total as u64, Access::Write);
        let is_single = targets.len() == 1;
        for t in targets {
            let hit = if is_single { truth } else { t.condition };
            if self.fill_large(s, t, byte, total as u32, hit)? {
                continue;
            }
            self.limit(s, t, total as u32);
            let stride = self.infos[t.object as usize].stride;
            let mut at = 0;
            while at < total as u32 {
                self.charge(1)?;
                let size = stride.min(total as u32 - at);
                let value = self.concat(&vec![byte; size as usize]);
                self.raw_write(s, t, at, size, total as u32, (value, falsity), hit);
                at += size;
            }
        }
        Ok(())
    }
}

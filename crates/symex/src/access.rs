//! Reading and writing memory through pointers, cell by cell.

use crate::encoder::Encoder;
use crate::memory::{Cell, Contents, ObjectInfo, part};
use crate::pointer::{ObjectNo, Target};
use crate::record::{InputOrigin, InputRecord};
use crate::resolve::Access;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::Ty;
use idiolect_smt::{TermId, mask};
use std::rc::Rc;

type Step<T> = Result<T, StopReason>;

impl Encoder<'_> {
    pub(crate) fn pointer_term(&mut self, object: ObjectNo) -> TermId {
        let bits = self.addresses.base(object);
        let width = self.addresses.width();
        self.terms.bv(u128::from(bits), width)
    }

    /// Makes an object that lives from now on.
    pub(crate) fn make_object(&mut self, s: &mut State, mut info: ObjectInfo) -> ObjectNo {
        info.size = self.kept(info.size);
        let object = self.infos.len() as ObjectNo;
        let automatic = info.kind.is_automatic();
        let room = info.max_size.min(1 << 20);
        let max_size = info.max_size;
        self.infos.push(info);
        if !self.addresses.place(room) || max_size >= 1 << 31 {
            let truth = self.terms.tt();
            self.trap(s, "more memory than an address space has", truth);
        }
        s.memory
            .objects
            .insert(object, Rc::new(Contents::default()));
        if automatic && let Some(made) = self.created.last_mut() {
            made.push(object);
        }
        object
    }

    /// The `size` bytes at a pointer; unwritten ones become inputs.
    pub(crate) fn load(
        &mut self,
        s: &mut State,
        pointer: TermId,
        size: u32,
        checked: u32,
        ty: Ty,
    ) -> Step<TermId> {
        let targets = self.resolve(s, pointer, u64::from(checked), Access::Read);
        let mut values: Vec<(TermId, TermId)> = Vec::new();
        let is_single = targets.len() == 1;
        for t in targets {
            if s.is_dead() {
                break;
            }
            if !is_single {
                self.lazies.push(t.condition);
            }
            let value = self.load_target(s, t, size, checked, ty);
            if !is_single {
                self.lazies.pop();
            }
            values.push((t.condition, value?));
        }
        let Some((_, mut result)) = values.pop() else {
            return Ok(self.terms.bv(0, size * 8));
        };
        for (condition, value) in values.into_iter().rev() {
            result = self.terms.ite(condition, value, result);
        }
        Ok(result)
    }

    fn load_target(
        &mut self,
        s: &mut State,
        t: Target,
        size: u32,
        checked: u32,
        ty: Ty,
    ) -> Step<TermId> {
        let is_wide = size == checked && self.is_wide(t, size);
        if let Some(large) = self.as_large(s, t, size, is_wide) {
            return self.load_large(s, t, large, size, ty);
        }
        self.limit(s, t, checked);
        let offsets = self.inside(t, checked);
        if let [offset] = offsets[..]
            && self.terms.as_const(t.offset).is_some()
        {
            self.note_cell(self.infos[t.object as usize].kind, offset);
            return Ok(self.read_at(s, t.object, offset, size, ty, None));
        }
        self.charge(offsets.len() as u64)?;
        let mut values = Vec::with_capacity(offsets.len());
        for &offset in &offsets {
            let value = self.read_at(s, t.object, offset, size, ty, Some(t));
            values.push((offset, value));
        }
        if values.is_empty() {
            return Ok(self.terms.bv(0, size * 8));
        }
        Ok(self.select_by_offset(t, &values))
    }

    /// The value at the offset that `t` has: a tree over the bits of the offset where the distance
    /// is a power of two, which needs no comparison at all, else a chain of comparisons.
    fn select_by_offset(&mut self, t: Target, values: &[(u32, TermId)]) -> TermId {
        let [(first, fallback), .., (last, _)] = *values else {
            return values[0].1;
        };
        let step = values[1].0 - first;
        if step.is_power_of_two() {
            let width = self.addresses.width();
            let base = self.terms.bv(u128::from(first), width);
            let distance = self.terms.sub(t.offset, base);
            let bits = 32 - ((last - first) / step).leading_zeros();
            let list: Vec<TermId> = values.iter().map(|v| v.1).collect();
            return self.select_by_bits(distance, step.trailing_zeros(), bits, &list);
        }
        let mut result = fallback;
        for &(offset, value) in &values[1..] {
            let here = self.at_offset(t, offset);
            result = self.terms.ite(here, value, result);
        }
        result
    }

    fn select_by_bits(&mut self, index: TermId, low: u32, bits: u32, list: &[TermId]) -> TermId {
        if bits == 0 || list.len() == 1 {
            return list[0];
        }
        let half = 1usize << (bits - 1);
        if list.len() <= half {
            return self.select_by_bits(index, low, bits - 1, list);
        }
        let lower = self.select_by_bits(index, low, bits - 1, &list[..half]);
        let upper = self.select_by_bits(index, low, bits - 1, &list[half..]);
        let at = low + bits - 1;
        let bit = self.terms.extract(at, at, index);
        let is_set = self.terms.is_nonzero(bit);
        self.terms.ite(is_set, upper, lower)
    }

    fn initial_of(&self, object: ObjectNo) -> Option<Rc<[u8]>> {
        self.infos[object as usize].initial.clone()
    }

    /// Reads at a constant offset; `hit` is the pointer if it may also be elsewhere.
    fn read_at(
        &mut self,
        s: &mut State,
        object: ObjectNo,
        offset: u32,
        size: u32,
        ty: Ty,
        hit: Option<Target>,
    ) -> TermId {
        let Some(contents) = s.memory.objects.get(object).cloned() else {
            return self.terms.bv(0, size * 8);
        };
        let initial = self.initial_of(object);
        let terms = &mut self.terms;
        let pieces = contents.pieces(terms, initial.as_deref(), offset, size);
        if pieces.iter().all(|p| terms.known_false(p.unwritten)) {
            let list: Vec<TermId> = pieces.iter().map(|p| p.value).collect();
            return self.concat(&list);
        }
        let here = match hit {
            Some(t) => self.at_offset(t, offset),
            None => self.terms.tt(),
        };
        if self.is_excluded(s, here) {
            let list: Vec<TermId> = pieces.iter().map(|p| p.value).collect();
            return self.concat(&list);
        }
        let here = self.under_lazies(here);
        let elsewhere = self.terms.not(here);
        let kind = self.infos[object as usize].kind;
        let mut all = self.terms.tt();
        for p in &pieces {
            all = self.terms.and(all, p.unwritten);
        }
        let whole = if self.terms.known_false(all) {
            self.terms.bv(0, size * 8)
        } else {
            let origin = InputOrigin::Unwritten {
                object: kind,
                offset,
                size,
            };
            let condition = self.terms.and(here, all);
            self.draw(s, origin, ty, size * 8, condition)
        };
        let mut contents = (*contents).clone();
        let uniform = pieces.iter().all(|p| p.unwritten == pieces[0].unwritten);
        let mut list = Vec::new();
        if uniform {
            // All or nothing, as for a scalar that was not given a value on some paths.
            for p in &pieces {
                let fresh = part(&mut self.terms, whole, offset, p.at, p.size);
                list.push(self.terms.ite(p.unwritten, fresh, p.value));
            }
            let value = self.concat(&list);
            let unwritten = self.terms.and(pieces[0].unwritten, elsewhere);
            let cell = Cell {
                size,
                value,
                unwritten,
            };
            contents.put(&mut self.terms, offset, cell);
            s.memory.objects.insert(object, Rc::new(contents));
            return value;
        }
        for p in pieces {
            for at in p.at..p.at + p.size {
                let own = part(&mut self.terms, p.value, p.at, at, 1);
                if self.terms.known_false(p.unwritten) {
                    list.push(own);
                    continue;
                }
                let not_all = self.terms.not(all);
                let alone = self.terms.and(not_all, p.unwritten);
                let condition = self.terms.and(here, alone);
                let origin = InputOrigin::Unwritten {
                    object: kind,
                    offset: at,
                    size: 1,
                };
                let single = self.draw(s, origin, Ty::Int(8), 8, condition);
                let shared = part(&mut self.terms, whole, offset, at, 1);
                let fresh = self.terms.ite(all, shared, single);
                let value = self.terms.ite(p.unwritten, fresh, own);
                list.push(value);
                let unwritten = self.terms.and(p.unwritten, elsewhere);
                let cell = Cell {
                    size: 1,
                    value,
                    unwritten,
                };
                contents.put(&mut self.terms, at, cell);
            }
        }
        s.memory.objects.insert(object, Rc::new(contents));
        self.concat(&list)
    }

    /// A new input that runs use if they come here and the condition holds.
    pub(crate) fn draw(
        &mut self,
        s: &State,
        origin: InputOrigin,
        ty: Ty,
        width: u32,
        condition: TermId,
    ) -> TermId {
        if self.terms.known_true(condition)
            && let Some(given) = self.script.as_mut().and_then(|s| s.given.as_mut())
            && let Some(bits) = given.next(origin)
        {
            return self.terms.bv(bits & mask(width), width);
        }
        let value = self.fresh("input", width);
        self.record_input(s, origin, ty, value, condition);
        value
    }

    /// Runs that come here use this value as an input if the condition holds.
    pub(crate) fn record_input(
        &mut self,
        s: &State,
        origin: InputOrigin,
        ty: Ty,
        value: TermId,
        condition: TermId,
    ) {
        let guard = self.guards.term(&mut self.terms, s.guard);
        let guard = self.terms.and(guard, condition);
        if !self.terms.known_false(guard) {
            self.inputs.push(InputRecord {
                guard,
                origin,
                ty,
                value,
            });
            self.input_positions.push((*s.position).clone());
            self.note_input(value, guard, origin);
        }
    }

    /// Parts in ascending order as one value.
    pub(crate) fn concat(&mut self, list: &[TermId]) -> TermId {
        let width: u32 = list.iter().map(|&part| self.terms.width(part)).sum();
        if list.len() > 1
            && width == self.addresses.width()
            && let Some(pointer) = self.pointer_of_parts(list)
        {
            return pointer;
        }
        let mut result = list[0];
        for &next in &list[1..] {
            result = self.terms.concat(next, result);
        }
        result
    }

    /// Stores a value of `size` bytes.
    pub(crate) fn store(
        &mut self,
        s: &mut State,
        pointer: TermId,
        size: u32,
        value: TermId,
    ) -> Step<()> {
        let targets = self.resolve(s, pointer, u64::from(size), Access::Write);
        let is_single = targets.len() == 1;
        for t in targets {
            let truth = self.terms.tt();
            let hit = if is_single { truth } else { t.condition };
            self.store_target(s, t, size, value, hit)?;
        }
        Ok(())
    }

    fn store_target(
        &mut self,
        s: &mut State,
        t: Target,
        size: u32,
        value: TermId,
        hit: TermId,
    ) -> Step<()> {
        let is_wide = self.is_wide(t, size);
        if let Some(large) = self.as_large(s, t, size, is_wide) {
            return self.store_large(s, t, large, (size, value), hit);
        }
        self.limit(s, t, size);
        let offsets = self.inside(t, size);
        let initial = self.initial_of(t.object);
        let mut contents = s.memory.contents_mut(t.object);
        self.charge(offsets.len() as u64)?;
        for offset in offsets {
            let here = self.at_offset(t, offset);
            let hit = self.terms.and(hit, here);
            if self.terms.known_false(hit) {
                continue;
            }
            let initial = initial.as_deref();
            contents.write(&mut self.terms, initial, offset, size, value, hit);
        }
        s.memory.objects.insert(t.object, Rc::new(contents));
        Ok(())
    }

    /// Stores some bits of a unit of `size` bytes; bits of unwritten bytes become 0.
    pub(crate) fn store_bits(
        &mut self,
        s: &mut State,
        pointer: TermId,
        size: u32,
        shift: u32,
        value: TermId,
    ) -> Step<()> {
        let targets = self.resolve(s, pointer, u64::from(size), Access::Write);
        let width = size * 8;
        let n_bits = self.terms.width(value);
        let is_single = targets.len() == 1;
        for t in targets {
            let truth = self.terms.tt();
            let outer = if is_single { truth } else { t.condition };
            if self.refuse_large(s, t, "a bit-field of a large array") {
                continue;
            }
            self.limit(s, t, size);
            let offsets = self.inside(t, size);
            self.charge(offsets.len() as u64)?;
            let initial = self.initial_of(t.object);
            let mut contents = s.memory.contents_mut(t.object);
            for offset in offsets {
                let pieces = contents.pieces(&mut self.terms, initial.as_deref(), offset, size);
                let mut list = Vec::new();
                for p in pieces {
                    let zero = self.terms.bv(0, p.size * 8);
                    list.push(self.terms.ite(p.unwritten, zero, p.value));
                }
                let old = self.concat(&list);
                let mut parts = Vec::new();
                if shift > 0 {
                    parts.push(self.terms.extract(shift - 1, 0, old));
                }
                parts.push(value);
                if shift + n_bits < width {
                    parts.push(self.terms.extract(width - 1, shift + n_bits, old));
                }
                let new = self.concat(&parts);
                let here = self.at_offset(t, offset);
                let hit = self.terms.and(outer, here);
                let initial = initial.as_deref();
                contents.write(&mut self.terms, initial, offset, size, new, hit);
            }
            s.memory.objects.insert(t.object, Rc::new(contents));
        }
        Ok(())
    }

    /// A piece of memory as it is, written or not. `None` if its parts differ in that.
    pub(crate) fn raw_read(
        &mut self,
        s: &State,
        t: Target,
        skip: u32,
        size: u32,
        total: u32,
    ) -> Option<(TermId, TermId)> {
        let contents = s.memory.objects.get(t.object)?.clone();
        let initial = self.initial_of(t.object);
        let offsets = self.candidates(t, total);
        let mut result: Option<(TermId, TermId)> = None;
        for offset in offsets {
            let at = offset + skip;
            let pieces = contents.pieces(&mut self.terms, initial.as_deref(), at, size);
            if pieces.iter().any(|p| p.unwritten != pieces[0].unwritten) {
                return None;
            }
            let list: Vec<TermId> = pieces.iter().map(|p| p.value).collect();
            let own = (self.concat(&list), pieces[0].unwritten);
            result = Some(match result {
                None => own,
                Some((value, unwritten)) => {
                    let here = self.at_offset(t, offset);
                    (
                        self.terms.ite(here, own.0, value),
                        self.terms.ite(here, own.1, unwritten),
                    )
                }
            });
        }
        result
    }

    /// Puts a piece of memory, written or not, where `hit` holds.
    #[expect(clippy::too_many_arguments)]
    pub(crate) fn raw_write(
        &mut self,
        s: &mut State,
        t: Target,
        skip: u32,
        size: u32,
        total: u32,
        (value, unwritten): (TermId, TermId),
        hit: TermId,
    ) {
        let offsets = self.candidates(t, total);
        let initial = self.initial_of(t.object);
        let mut contents = s.memory.contents_mut(t.object);
        for offset in offsets {
            let here = self.at_offset(t, offset);
            let hit = self.terms.and(hit, here);
            let at = offset + skip;
            if self.terms.known_true(hit) {
                let cell = Cell {
                    size,
                    value,
                    unwritten,
                };
                contents.put(&mut self.terms, at, cell);
                continue;
            }
            let pieces = contents.pieces(&mut self.terms, initial.as_deref(), at, size);
            for p in pieces {
                let new = part(&mut self.terms, value, at, p.at, p.size);
                let cell = Cell {
                    size: p.size,
                    value: self.terms.ite(hit, new, p.value),
                    unwritten: self.terms.ite(hit, unwritten, p.unwritten),
                };
                contents.put(&mut self.terms, p.at, cell);
            }
        }
        s.memory.objects.insert(t.object, Rc::new(contents));
    }
}

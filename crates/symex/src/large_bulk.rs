//! Copying and filling ranges of a known size where one side is an array of the solver: element by
//! element, or, where the whole object is meant, the array as it is.

use crate::encoder::Encoder;
use crate::large::Large;
use crate::pointer::Target;
use crate::state::State;
use idiolect_base::StopReason;
use idiolect_smt::TermId;

type Step<T> = Result<T, StopReason>;

const CONSTRUCT: &str = "a copy that cuts the elements of a large array";

impl Encoder<'_> {
    pub(crate) fn large_of(&self, s: &State, t: Target) -> Option<Large> {
        s.memory.objects.get(t.object)?.large
    }

    /// Whether a range of so many bytes is an object from its start to its end.
    fn is_whole(&self, t: Target, total: u32) -> bool {
        let size = self.infos[t.object as usize].size;
        self.terms.as_const(t.offset) == Some(0)
            && self.terms.as_const(size) == Some(u128::from(total))
    }

    /// `memmove` of `total` bytes, if one of the targets is an array; all of them are live. Whether
    /// it was done.
    pub(crate) fn copy_large(
        &mut self,
        s: &mut State,
        sources: &[Target],
        destinations: &[Target],
        total: u32,
    ) -> Step<bool> {
        let either = |targets: &[Target]| targets.iter().find_map(|&t| self.large_of(s, t));
        let Some(Large { size: unit, .. }) = either(sources).or_else(|| either(destinations))
        else {
            return Ok(false);
        };
        let truth = self.terms.tt();
        if let (&[from], &[to]) = (sources, destinations)
            && let Some(large) = self.large_of(s, from)
            && self.is_whole(from, total)
            && self.is_whole(to, total)
        {
            self.set_large(s, to, large);
            return Ok(true);
        }
        for &t in sources.iter().chain(destinations) {
            self.take_elements(s, t, unit, total);
        }
        if s.is_dead() {
            return Ok(true);
        }
        // All is read before anything is written, since the ranges may overlap.
        let mut elements = Vec::new();
        for skip in (0..total).step_by(unit as usize) {
            self.charge(1)?;
            let Some(element) = self.any_element(s, sources, skip, unit, total) else {
                self.trap(s, CONSTRUCT, truth);
                return Ok(true);
            };
            elements.push((skip, element));
        }
        for &t in destinations {
            let hit = match destinations.len() {
                1 => truth,
                _ => t.condition,
            };
            for &(skip, element) in &elements {
                self.charge(1)?;
                self.put_element(s, t, (skip, unit, total), element, hit);
            }
        }
        Ok(true)
    }

    /// `memset` of `total` bytes of an array. Whether the target is one.
    pub(crate) fn fill_large(
        &mut self,
        s: &mut State,
        t: Target,
        byte: TermId,
        total: u32,
        hit: TermId,
    ) -> Step<bool> {
        let Some(large) = self.large_of(s, t) else {
            return Ok(false);
        };
        let unit = large.size;
        self.take_elements(s, t, unit, total);
        if s.is_dead() {
            return Ok(true);
        }
        let value = self.concat(&vec![byte; unit as usize]);
        if self.is_whole(t, total) && self.terms.known_true(hit) {
            let filled = Large::filled(&mut self.terms, unit, value);
            self.set_large(s, t, filled);
            return Ok(true);
        }
        let falsity = self.terms.ff();
        for skip in (0..total).step_by(unit as usize) {
            self.charge(1)?;
            self.put_element(s, t, (skip, unit, total), (value, falsity), hit);
        }
        Ok(true)
    }

    /// Runs in which the range does not consist of whole elements are not modelled.
    fn take_elements(&mut self, s: &mut State, t: Target, unit: u32, total: u32) {
        let Some(large) = self.large_of(s, t) else {
            self.limit(s, t, total);
            return;
        };
        if unit == 0 || large.size != unit || !total.is_multiple_of(unit) {
            self.trap(s, CONSTRUCT, t.condition);
            return;
        }
        if unit > 1 {
            let rest = self.terms.extract(unit.trailing_zeros() - 1, 0, t.offset);
            let misaligned = self.terms.is_nonzero(rest);
            let misaligned = self.terms.and(t.condition, misaligned);
            self.trap(s, CONSTRUCT, misaligned);
        }
    }

    /// Value and unwrittenness of one element behind any of the targets.
    fn any_element(
        &mut self,
        s: &State,
        sources: &[Target],
        skip: u32,
        unit: u32,
        total: u32,
    ) -> Option<(TermId, TermId)> {
        let mut result: Option<(TermId, TermId)> = None;
        for &t in sources {
            let own = match self.large_of(s, t) {
                Some(large) => {
                    let index = self.index_of(t, skip, unit);
                    let value = self.terms.select(large.values, index);
                    let unwritten = self.terms.select(large.unwritten, index);
                    (value, self.terms.is_nonzero(unwritten))
                }
                None => self.raw_read(s, t, skip, unit, total)?,
            };
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

    fn put_element(
        &mut self,
        s: &mut State,
        t: Target,
        (skip, unit, total): (u32, u32, u32),
        (value, unwritten): (TermId, TermId),
        hit: TermId,
    ) {
        let Some(mut large) = self.large_of(s, t) else {
            return self.raw_write(s, t, skip, unit, total, (value, unwritten), hit);
        };
        let index = self.index_of(t, skip, unit);
        let (mut value, mut unwritten) = (value, self.terms.bool_to_bv(unwritten, 1));
        if !self.terms.known_true(hit) {
            let old = self.terms.select(large.values, index);
            value = self.terms.ite(hit, value, old);
            let old = self.terms.select(large.unwritten, index);
            unwritten = self.terms.ite(hit, unwritten, old);
        }
        large.values = self.terms.store(large.values, index, value);
        large.unwritten = self.terms.store(large.unwritten, index, unwritten);
        self.set_large(s, t, large);
    }

    fn index_of(&mut self, t: Target, skip: u32, unit: u32) -> TermId {
        let width = self.addresses.width();
        let skip = self.terms.bv(u128::from(skip), width);
        let at = self.terms.add(t.offset, skip);
        let low = unit.trailing_zeros();
        self.terms.extract(Large::OFFSET_BITS - 1, low, at)
    }
}

//! Reading and writing memory, cell by cell.

use super::super::cells::{Extent, Object, Target};
use super::super::system::Step;
use super::Effects;
use idiolect_ir::{ExprId, Property, Ty};
use idiolect_smt::TermId;
use idiolect_symex::walker::WalkDomain;

impl Effects<'_> {
    /// A write through a pointer that is not known.
    pub(super) fn clobber(&mut self) {
        self.is_exact = false;
        let all: Vec<(Object, Extent)> = (self.cells.objects())
            .flat_map(|(o, list)| list.iter().map(move |&e| (o, e)))
            .collect();
        for (object, extent) in all {
            let variable = self.cell(object, extent);
            let value = self.guess(self.terms.sort(variable));
            self.set(variable, value);
        }
    }

    /// Bytes of one value, or unknown ones, over a range.
    pub(super) fn overwrite(&mut self, context: usize, to: ExprId, size: u64, byte: Option<u8>) {
        let target = self.cells.resolve(context, to);
        let Some(target) = target.filter(|t| t.index.is_none()) else {
            self.value(context, to);
            self.may_fault();
            return self.clobber();
        };
        let start = target.offset;
        let end = start.saturating_add_unsigned(size);
        let fits = start >= 0 && end as u64 <= self.cells.size(target.object);
        if size > 0 && (!fits || self.is_constant(target.object)) {
            let always = self.terms.tt();
            return self.ends(Property::Memory, always);
        }
        for extent in self.cells.of(target.object).to_vec() {
            let (low, high) = (extent.offset as i64, (extent.offset + extent.size) as i64);
            if high <= start || low >= end {
                continue;
            }
            let variable = self.cell(target.object, extent);
            let sort = self.terms.sort(variable);
            let value = match byte {
                Some(0) if start <= low && high <= end => self.terms.constant(0, sort),
                _ => self.guess(sort),
            };
            self.set(variable, value);
        }
    }

    /// Whether writing to it is a fault.
    fn is_constant(&self, object: Object) -> bool {
        matches!(object, Object::Global(global) if self.program.global(global).read_only)
    }

    /// `old` with `bits` from bit `offset` on.
    pub(super) fn insert(&mut self, old: TermId, offset: u32, bits: TermId) -> TermId {
        let (whole, width) = (self.terms.width(old), self.terms.width(bits));
        let mut result = bits;
        if offset > 0 {
            let low = self.terms.extract(offset - 1, 0, old);
            result = self.terms.concat(result, low);
        }
        if offset + width < whole {
            let high = self.terms.extract(whole - 1, offset + width, old);
            result = self.terms.concat(high, result);
        }
        result
    }

    /// The cells that an access means, each with the condition under which it does and the access's
    /// first bit in it; faults where it means none. `None` if that is not known.
    fn places(
        &mut self,
        context: usize,
        target: Target,
        size: u64,
    ) -> Option<Vec<(TermId, TermId, u32)>> {
        let extents = self.cells.extents(&target, size)?;
        let cells = self.cells.of(target.object).to_vec();
        if cells.is_empty() && !extents.is_empty() {
            return None;
        }
        let index = (target.index).map(|(index, scale)| (self.value(context, index), scale));
        let mut list = Vec::new();
        let mut inside = self.terms.ff();
        for extent in extents {
            let cell = *cells
                .iter()
                .find(|c| c.offset <= extent.offset && extent.offset + size <= c.offset + c.size)?;
            let condition = match index {
                None => self.terms.tt(),
                Some((index, scale)) => {
                    let distance = extent.offset as i64 - target.offset;
                    let wanted = distance.div_euclid(scale as i64);
                    let width = self.terms.width(index);
                    let wanted = self.terms.bv(wanted as u128, width);
                    self.terms.eq(index, wanted)
                }
            };
            let variable = self.cell(target.object, cell);
            let bit = 8 * (extent.offset - cell.offset) as u32;
            list.push((condition, variable, bit));
            inside = self.terms.or(inside, condition);
        }
        let outside = self.terms.not(inside);
        self.ends(Property::Memory, outside);
        Some(list)
    }

    pub(super) fn store(
        &mut self,
        context: usize,
        address: ExprId,
        size: u64,
        change: impl Fn(&mut Self, TermId) -> TermId,
    ) {
        let places = match self.cells.resolve(context, address) {
            Some(target) if self.is_constant(target.object) => {
                let always = self.terms.tt();
                return self.ends(Property::Memory, always);
            }
            Some(target) => match self.places(context, target, size) {
                Some(places) => places,
                // The object is opaque: nothing is known of it anyway.
                None if self.cells.of(target.object).is_empty() => {
                    self.is_exact = false;
                    return self.may_fault();
                }
                None => {
                    self.may_fault();
                    return self.clobber();
                }
            },
            None => {
                self.value(context, address);
                self.may_fault();
                return self.clobber();
            }
        };
        let mut new: Vec<(TermId, TermId)> = Vec::new();
        for (condition, variable, bit) in places {
            let width = 8 * size as u32;
            let old = self.terms.extract(bit + width - 1, bit, variable);
            let changed = change(self, old);
            let whole = self.insert(variable, bit, changed);
            // At most one of the conditions holds.
            match new.iter().position(|n| n.0 == variable) {
                Some(i) => new[i].1 = self.terms.ite(condition, whole, new[i].1),
                None => new.push((variable, self.terms.ite(condition, whole, variable))),
            }
        }
        self.steps.push(Step::Assign(new));
    }

    pub(super) fn load(&mut self, context: usize, address: ExprId, ty: Ty) -> TermId {
        let sort = self.sort_of(ty);
        let size = self.cells.size_of(ty);
        let places = match (self.cells.resolve(context, address), size) {
            (Some(target), Some(size)) => self.places(context, target, size),
            _ => {
                self.value(context, address);
                None
            }
        };
        let (Some(places), Some(size)) = (places, size) else {
            self.may_fault();
            return self.guess(sort);
        };
        let width = 8 * size as u32;
        let mut value = self.terms.bv(0, width);
        for (condition, variable, bit) in places {
            let bits = self.terms.extract(bit + width - 1, bit, variable);
            value = self.terms.ite(condition, bits, value);
        }
        let own = self.width_of(ty);
        let value = if own < width {
            self.terms.extract(own - 1, 0, value)
        } else {
            value
        };
        self.typed(value, ty)
    }
}

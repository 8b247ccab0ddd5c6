//! Large objects that are accessed at symbolic offsets, as arrays of the solver: a write costs one
//! term and not one per place. All accesses of such an object have one size and are aligned to it;
//! where they are not, the run is not modelled.

use crate::encoder::Encoder;
use crate::memory::{Contents, ObjectInfo, part};
use crate::pointer::Target;
use crate::record::InputOrigin;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::Ty;
use idiolect_smt::{ArrayId, TermId, Terms};
use std::rc::Rc;

type Step<T> = Result<T, StopReason>;

/// The contents of an object by element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Large {
    /// Bytes of an element: a power of two.
    pub(crate) size: u32,
    pub(crate) values: ArrayId,
    /// Of one bit: 1 where nobody wrote yet.
    pub(crate) unwritten: ArrayId,
    /// Where nobody wrote yet, `values` has the inputs that reading there draws.
    pub(crate) has_inputs: bool,
}

/// More elements than this that are not zero from the start are not put into an array.
const MAX_INITIAL: usize = 4096;

const CONSTRUCT: &str = "a symbolic index into a large object";

impl Large {
    /// No object has more bytes than this many bits can count.
    pub(crate) const OFFSET_BITS: u32 = 31;

    /// An array of so many bytes an element, all of which are written and have this value.
    pub(crate) fn filled(terms: &mut Terms, size: u32, value: TermId) -> Self {
        let width = Self::index_width(size);
        let written = terms.bv(0, 1);
        Self {
            size,
            values: terms.array_const(value, width),
            unwritten: terms.array_const(written, width),
            has_inputs: false,
        }
    }

    fn index_width(size: u32) -> u32 {
        Self::OFFSET_BITS - size.trailing_zeros()
    }

    /// The same contents as an array of elements of `size` bytes, if every cell is made of whole ones.
    fn new(
        terms: &mut Terms,
        info: &ObjectInfo,
        contents: &Contents,
        size: u32,
        has_inputs: bool,
    ) -> Option<Self> {
        if !size.is_power_of_two() || size > 8 {
            return None;
        }
        let width = Self::index_width(size);
        let zero = terms.bv(0, size * 8);
        let fresh = terms.bv(u128::from(info.initial.is_none()), 1);
        let has_inputs = has_inputs && info.initial.is_none();
        let mut large = Self {
            size,
            values: if has_inputs {
                terms.array_var("inputs", width, size * 8)
            } else {
                terms.array_const(zero, width)
            },
            unwritten: terms.array_const(fresh, width),
            has_inputs,
        };
        let bytes = info.initial.as_deref().unwrap_or(&[]);
        let mut n_initial = 0;
        for (i, element) in bytes.chunks(size as usize).enumerate() {
            if element.iter().all(|&b| b == 0) {
                continue;
            }
            n_initial += 1;
            if n_initial > MAX_INITIAL {
                return None;
            }
            let mut value = [0; 16];
            value[..element.len()].copy_from_slice(element);
            let index = terms.bv(i as u128, width);
            let value = terms.bv(u128::from_le_bytes(value), size * 8);
            large.values = terms.store(large.values, index, value);
        }
        let mut is_whole = true;
        let mut cells = Vec::new();
        contents.cells.for_range(0, u32::MAX, &mut |at, &cell| {
            is_whole &= at % size == 0 && cell.size % size == 0;
            cells.push((at, cell));
        });
        if !is_whole {
            return None;
        }
        for (at, cell) in cells {
            for from in (at..at + cell.size).step_by(size as usize) {
                let index = terms.bv(u128::from(from / size), width);
                let mut value = part(terms, cell.value, at, from, size);
                if has_inputs && !terms.known_false(cell.unwritten) {
                    let own = terms.select(large.values, index);
                    value = terms.ite(cell.unwritten, own, value);
                }
                let unwritten = terms.bool_to_bv(cell.unwritten, 1);
                large.values = terms.store(large.values, index, value);
                large.unwritten = terms.store(large.unwritten, index, unwritten);
            }
        }
        Some(large)
    }

    /// The contents that are `a` where `selector` holds and `b` elsewhere, if either is an array. If
    /// the other cannot be one, nothing is known of them: no access has a size of 0.
    pub(crate) fn merged(
        terms: &mut Terms,
        info: &ObjectInfo,
        selector: TermId,
        a: &Contents,
        b: &Contents,
    ) -> Option<Self> {
        let either = a.large.or(b.large)?;
        let (size, nothing) = (either.size, Self { size: 0, ..either });
        let mut of = |contents: &Contents| match contents.large {
            Some(large) => Some(large),
            None => Self::new(terms, info, contents, size, either.has_inputs),
        };
        let (Some(a), Some(b)) = (of(a), of(b)) else {
            return Some(nothing);
        };
        if a.size != b.size || size == 0 {
            return Some(nothing);
        }
        Some(Self {
            size,
            // A part that is filled has no unwritten elements, so it does not matter there.
            has_inputs: a.has_inputs || b.has_inputs,
            values: terms.array_ite(selector, a.values, b.values),
            unwritten: terms.array_ite(selector, a.unwritten, b.unwritten),
        })
    }
}

impl Encoder<'_> {
    /// The object as an array, if it is one or becomes one for this access.
    pub(crate) fn as_large(
        &mut self,
        s: &mut State,
        t: Target,
        size: u32,
        is_wide: bool,
    ) -> Option<Large> {
        let contents = s.memory.objects.get(t.object)?.clone();
        if let Some(large) = contents.large {
            return Some(large);
        }
        if !is_wide {
            return None;
        }
        let large = Large::new(
            &mut self.terms,
            &self.infos[t.object as usize],
            &contents,
            size,
            self.config.unwritten_arrays,
        )?;
        self.set_large(s, t, large);
        Some(large)
    }

    pub(crate) fn set_large(&mut self, s: &mut State, t: Target, large: Large) {
        let contents = Contents {
            large: Some(large),
            ..Contents::default()
        };
        s.memory.objects.insert(t.object, Rc::new(contents));
    }

    /// The element that an access touches; runs in which it is not one whole element are not modelled.
    pub(crate) fn element(
        &mut self,
        s: &mut State,
        t: Target,
        large: Large,
        size: u32,
    ) -> Option<TermId> {
        if large.size != size {
            self.trap(s, CONSTRUCT, t.condition);
            return None;
        }
        let low = size.trailing_zeros();
        if low > 0 {
            let rest = self.terms.extract(low - 1, 0, t.offset);
            let misaligned = self.terms.is_nonzero(rest);
            let misaligned = self.terms.and(t.condition, misaligned);
            self.trap(s, CONSTRUCT, misaligned);
        }
        if s.is_dead() {
            return None;
        }
        Some(self.terms.extract(Large::OFFSET_BITS - 1, low, t.offset))
    }

    pub(crate) fn load_large(
        &mut self,
        s: &mut State,
        t: Target,
        mut large: Large,
        size: u32,
        ty: Ty,
    ) -> Step<TermId> {
        self.charge(1)?;
        let Some(index) = self.element(s, t, large, size) else {
            return Ok(self.terms.bv(0, size * 8));
        };
        let value = self.terms.select(large.values, index);
        let unwritten = self.terms.select(large.unwritten, index);
        let is_unwritten = self.terms.is_nonzero(unwritten);
        if self.is_excluded(s, is_unwritten) {
            return Ok(value);
        }
        let truth = self.terms.tt();
        let here = self.under_lazies(truth);
        let condition = self.terms.and(here, is_unwritten);
        let origin = InputOrigin::Unwritten {
            object: self.infos[t.object as usize].kind,
            offset: 0,
            size,
        };
        let zero = self.terms.bv(0, 1);
        let kept = self.terms.ite(here, zero, unwritten);
        let result = if large.has_inputs {
            self.record_input(s, origin, ty, value, condition);
            value
        } else {
            let drawn = self.draw(s, origin, ty, size * 8, condition);
            let result = self.terms.ite(is_unwritten, drawn, value);
            large.values = self.terms.store(large.values, index, result);
            result
        };
        large.unwritten = self.terms.store(large.unwritten, index, kept);
        self.set_large(s, t, large);
        Ok(result)
    }

    pub(crate) fn store_large(
        &mut self,
        s: &mut State,
        t: Target,
        mut large: Large,
        (size, value): (u32, TermId),
        hit: TermId,
    ) -> Step<()> {
        self.charge(1)?;
        let Some(index) = self.element(s, t, large, size) else {
            return Ok(());
        };
        let (mut value, mut unwritten) = (value, self.terms.bv(0, 1));
        if !self.terms.known_true(hit) {
            let old = self.terms.select(large.values, index);
            value = self.terms.ite(hit, value, old);
            let old = self.terms.select(large.unwritten, index);
            unwritten = self.terms.ite(hit, unwritten, old);
        }
        large.values = self.terms.store(large.values, index, value);
        large.unwritten = self.terms.store(large.unwritten, index, unwritten);
        self.set_large(s, t, large);
        Ok(())
    }

    /// Runs that come to what an array cannot do are not modelled. Whether the target is one.
    pub(crate) fn refuse_large(&mut self, s: &mut State, t: Target, construct: &str) -> bool {
        let is_large = self.large_of(s, t).is_some();
        if is_large {
            self.trap(s, construct, t.condition);
        }
        is_large
    }
}

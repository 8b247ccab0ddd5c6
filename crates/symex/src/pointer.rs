//! Pointers as bit vectors, and what they may point to.
//!
//! A pointer is a term with exactly the bits of [`idiolect_ir::memory`], so that integers made from
//! pointers stay what they are. Where it may point is read off the term: constants name an object,
//! `ite` is a choice, additions move the offset. Every term is looked at once.
//!
//! Under ILP32 objects lie in a flat space with gaps between them, as they do in `interp`, though
//! not at the same addresses.

use crate::memory::ObjectInfo;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::memory;
use idiolect_smt::{BinaryOp, Node, TermId, Terms, UnaryOp};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Number 0 is no object: null, and integers that are no address of an object.
pub(crate) type ObjectNo = u32;

/// One thing that a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// Holds if this is what it points to; the conditions of all targets exclude each other.
    pub(crate) condition: TermId,
    pub(crate) object: ObjectNo,
    /// Bytes from the start of the object; the whole value for object 0.
    pub(crate) offset: TermId,
}

/// Where objects are.
pub(crate) struct Addresses {
    model: DataModel,
    /// Under ILP32: start of the range with its gap, ascending, by object number.
    starts: Vec<u32>,
    end: u32,
    targets: FxHashMap<TermId, Rc<[Target]>>,
}

const FIRST: u32 = 0x1_0000;
/// Before and after each object, so that a pointer that a constant moved out of its object is not
/// taken for one into another, unless it went further than this.
const GAP: u32 = 1 << 17;
/// No object lies here or above.
const LAST: u32 = 0xf000_0000;

impl Addresses {
    pub(crate) fn new(model: DataModel) -> Self {
        Self {
            model,
            starts: vec![0],
            end: FIRST,
            targets: FxHashMap::default(),
        }
    }

    pub(crate) fn width(&self) -> u32 {
        u32::from(self.model.pointer_width())
    }

    /// Places the next object; false if there is no room left.
    pub(crate) fn place(&mut self, size: u64) -> bool {
        if self.model == DataModel::Lp64 {
            return true;
        }
        self.starts.push(self.end);
        let end = u64::from(self.end) + u64::from(2 * GAP) + size.next_multiple_of(16);
        if end >= u64::from(LAST) {
            return false;
        }
        self.end = end as u32;
        true
    }

    /// The bits of a pointer to the start of an object.
    pub(crate) fn base(&self, object: ObjectNo) -> u64 {
        match self.model {
            DataModel::Lp64 => memory::address(object, 0),
            DataModel::Ilp32 => u64::from(self.starts[object as usize] + GAP),
        }
    }

    /// No bit below this one tells which object an address means.
    pub(crate) fn lowest_bit(&self) -> u32 {
        match self.model {
            DataModel::Lp64 => 31,
            DataModel::Ilp32 => FIRST.trailing_zeros(),
        }
    }

    /// The addresses of the first `n` objects and their surroundings lie from the one to below the
    /// other.
    pub(crate) fn occupied(&self, n: u32) -> (u64, u64) {
        match self.model {
            DataModel::Lp64 => (memory::address(1, i32::MIN), memory::address(n, i32::MIN)),
            DataModel::Ilp32 => (u64::from(FIRST), u64::from(self.end)),
        }
    }

    /// `base + distance` where both are constants. A pointer that would leave what can be told
    /// apart stays at its end: any access there is out of bounds all the same.
    pub(crate) fn displaced(&self, base: u64, distance: i64, sizes: &[ObjectInfo]) -> u64 {
        let (object, offset) = self.find(base, sizes.len());
        let sum = base.wrapping_add(distance as u64);
        if object == 0 {
            return sum;
        }
        let (low, high) = match self.model {
            DataModel::Lp64 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            DataModel::Ilp32 => {
                let size = sizes[object as usize].max_size.min(1 << 20);
                (-i64::from(GAP), size as i64 + i64::from(GAP) - 1)
            }
        };
        let offset = match self.model {
            DataModel::Lp64 => offset as i64,
            DataModel::Ilp32 => i64::from(offset as u32 as i32),
        };
        let wanted = offset.saturating_add(distance);
        // Multiples of 16, so that an alignment that can be told stays one.
        let kept = match wanted {
            n if n < low => low,
            n if n > high => high & !15,
            n => n,
        };
        let bits = self.base(object).wrapping_add(kept as u64);
        match self.model {
            DataModel::Lp64 => bits,
            DataModel::Ilp32 => u64::from(bits as u32),
        }
    }

    /// What a constant address means.
    pub(crate) fn find(&self, bits: u64, n_objects: usize) -> (ObjectNo, u64) {
        match self.model {
            DataModel::Lp64 => {
                let object = memory::object_of(bits);
                if (object as usize) < n_objects && object != 0 {
                    (object, memory::offset_of(bits) as i64 as u64)
                } else {
                    (0, bits)
                }
            }
            DataModel::Ilp32 => {
                let flat = bits as u32;
                if flat < FIRST || flat >= self.end {
                    return (0, bits);
                }
                let after = self.starts.partition_point(|&start| start <= flat);
                let object = after as u32 - 1;
                let offset = flat.wrapping_sub(self.starts[object as usize] + GAP);
                (object, u64::from(offset))
            }
        }
    }

    /// What a pointer may point to.
    pub(crate) fn targets(
        &mut self,
        terms: &mut Terms,
        pointer: TermId,
        n_objects: usize,
    ) -> Rc<[Target]> {
        if let Some(found) = self.targets.get(&pointer) {
            return found.clone();
        }
        let found: Rc<[Target]> = self.compute(terms, pointer, n_objects).into();
        // Constants of objects that do not exist yet may come to mean something.
        if terms.as_const(pointer).is_none() {
            self.targets.insert(pointer, found.clone());
        }
        found
    }

    fn compute(&mut self, terms: &mut Terms, pointer: TermId, n: usize) -> Vec<Target> {
        let truth = terms.tt();
        let width = self.width();
        let whole = vec![Target {
            condition: truth,
            object: 0,
            offset: pointer,
        }];
        match terms.node(pointer) {
            Node::Const(bits) => {
                let (object, offset) = self.find(bits as u64, n);
                vec![Target {
                    condition: truth,
                    object,
                    offset: terms.bv(u128::from(offset), width),
                }]
            }
            Node::Ite(condition, then, otherwise) => {
                let then = self.targets(terms, then, n);
                let otherwise = self.targets(terms, otherwise, n);
                choose(terms, condition, &then, &otherwise)
            }
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let left = self.targets(terms, a, n);
                let right = self.targets(terms, b, n);
                let is_number = |list: &[Target]| list.iter().all(|t| t.object == 0);
                let (moved, by) = if is_number(&right) {
                    (left, b)
                } else if is_number(&left) && op == BinaryOp::Add {
                    (right, a)
                } else {
                    return whole;
                };
                if is_number(&moved) {
                    return whole;
                }
                moved
                    .iter()
                    .map(|t| Target {
                        offset: terms.binary(op, t.offset, by),
                        ..*t
                    })
                    .collect()
            }
            // Tags in the low bits of a pointer.
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) => {
                let Some(bits) = terms.as_const(b) else {
                    return whole;
                };
                let high = bits as u64 >> 16;
                let keeps = match op {
                    BinaryOp::And => high == idiolect_smt::mask(width - 16) as u64,
                    _ => high == 0,
                };
                let list = self.targets(terms, a, n);
                if !keeps || list.iter().all(|t| t.object == 0) {
                    return whole;
                }
                list.iter()
                    .map(|t| Target {
                        offset: terms.binary(op, t.offset, b),
                        ..*t
                    })
                    .collect()
            }
            Node::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend | UnaryOp::Not, _)
            | Node::Var(_)
            | Node::Extract { .. }
            | Node::Select(..)
            | Node::Unary(UnaryOp::Neg, _)
            | Node::Binary(..) => whole,
        }
    }
}

/// The targets of `condition ? then : otherwise`, each object once.
fn choose(
    terms: &mut Terms,
    condition: TermId,
    then: &[Target],
    otherwise: &[Target],
) -> Vec<Target> {
    let opposite = terms.not(condition);
    let mut result: Vec<Target> = Vec::new();
    for t in then {
        let twin = otherwise.iter().find(|o| o.object == t.object);
        result.push(match twin {
            Some(o) => Target {
                condition: terms.ite(condition, t.condition, o.condition),
                object: t.object,
                offset: terms.ite(condition, t.offset, o.offset),
            },
            None => Target {
                condition: terms.and(condition, t.condition),
                ..*t
            },
        });
    }
    for o in otherwise {
        if !then.iter().any(|t| t.object == o.object) {
            result.push(Target {
                condition: terms.and(opposite, o.condition),
                ..*o
            });
        }
    }
    result.retain(|t| !terms.known_false(t.condition));
    result
}

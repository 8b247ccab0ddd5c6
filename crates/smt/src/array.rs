//! Functional arrays from bit vectors to bit vectors: variables, constants, `store`, `ite`, `select`.
//!
//! There is no equality of arrays, so nothing has to be extensional. A read is pushed through the
//! writes above it as far as that stays small ([`EAGER_READS`] undecided writes), which removes the
//! array altogether where it is short or its indices are constants; what is left becomes a
//! [`Node::Select`], which the solver treats as a free value and constrains on demand (see
//! [`crate::solver`]).

use crate::rewrite::Rule;
use crate::term::{ArrayId, MAX_WIDTH, Node, Sort, TermId, Terms};

/// How many writes with an undecided index a read is expanded over before it is left to refinement.
pub const EAGER_READS: usize = 16;

/// A variable array with at most this many places is made of so many element variables at once.
pub const EAGER_ELEMENTS: u32 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayNode {
    /// The number is an index into the pool's table of array names.
    Var(u32),
    /// The same element everywhere. The number is the width of the index.
    Const(TermId, u32),
    Store(ArrayId, TermId, TermId),
    Ite(TermId, ArrayId, ArrayId),
}

impl Terms {
    #[inline]
    pub fn array_node(&self, array: ArrayId) -> ArrayNode {
        self.arrays[array.index()]
    }

    /// The widths of index and element.
    #[inline]
    pub fn array_sort(&self, array: ArrayId) -> (u32, u32) {
        self.array_sorts[array.index()]
    }

    pub fn array_name(&self, variable: u32) -> &str {
        &self.array_names[variable as usize]
    }

    pub fn n_array_variables(&self) -> usize {
        self.array_names.len()
    }

    fn intern_array(&mut self, node: ArrayNode, sort: (u32, u32)) -> ArrayId {
        if let Some(&array) = self.interned_arrays.get(&node) {
            return array;
        }
        let array = ArrayId::new(self.arrays.len());
        self.arrays.push(node);
        self.array_sorts.push(sort);
        self.interned_arrays.insert(node, array);
        array
    }

    /// A new array about which nothing is known. With at most [`EAGER_ELEMENTS`] places it is built
    /// from one variable for each, named `name[i]`.
    pub fn array_var(&mut self, name: &str, index_width: u32, element_width: u32) -> ArrayId {
        assert!((1..=MAX_WIDTH).contains(&index_width), "width 1 to 128");
        assert!((1..=MAX_WIDTH).contains(&element_width), "width 1 to 128");
        if self.simplifies() && index_width < 32 && (1 << index_width) <= EAGER_ELEMENTS {
            let elements: Vec<TermId> = (0..1 << index_width)
                .map(|i| self.bv_var(&format!("{name}[{i}]"), element_width))
                .collect();
            return self.array_of(&elements, index_width);
        }
        let variable = self.array_names.len() as u32;
        self.array_names.push(name.to_owned());
        self.intern_array(ArrayNode::Var(variable), (index_width, element_width))
    }

    /// The array that has `element` everywhere.
    pub fn array_const(&mut self, element: TermId, index_width: u32) -> ArrayId {
        let Sort::BitVec(width) = self.sort(element) else {
            panic!("array elements are bit vectors");
        };
        self.intern_array(ArrayNode::Const(element, index_width), (index_width, width))
    }

    /// The array with these elements from index 0 on; beyond them its elements equal the last one.
    pub fn array_of(&mut self, elements: &[TermId], index_width: u32) -> ArrayId {
        let (&last, front) = elements.split_last().expect("at least one element");
        let mut array = self.array_const(last, index_width);
        for (i, &element) in front.iter().enumerate() {
            let index = self.bv(i as u128, index_width);
            array = self.store(array, index, element);
        }
        array
    }

    pub fn store(&mut self, array: ArrayId, index: TermId, element: TermId) -> ArrayId {
        let sort = self.array_sort(array);
        assert_eq!(self.sort(index), Sort::BitVec(sort.0), "index of store");
        assert_eq!(self.sort(element), Sort::BitVec(sort.1), "element of store");
        if self.simplifies()
            && let ArrayNode::Store(below, i, _) = self.array_node(array)
            && i == index
        {
            self.fire(Rule::StoreStore);
            return self.store(below, index, element);
        }
        self.intern_array(ArrayNode::Store(array, index, element), sort)
    }

    pub fn array_ite(&mut self, cond: TermId, then: ArrayId, otherwise: ArrayId) -> ArrayId {
        assert_eq!(self.sort(cond), Sort::Bool, "condition of ite");
        let sort = self.array_sort(then);
        assert_eq!(sort, self.array_sort(otherwise), "arms of ite");
        if self.simplifies() {
            if then == otherwise {
                self.fire(Rule::ArrayIteSame);
                return then;
            }
            if let Some(value) = self.as_const(cond) {
                self.fire(Rule::ArrayIteConst);
                return if value == 1 { then } else { otherwise };
            }
        }
        self.intern_array(ArrayNode::Ite(cond, then, otherwise), sort)
    }

    /// The element of `array` at `index`.
    pub fn select(&mut self, array: ArrayId, index: TermId) -> TermId {
        let (index_width, width) = self.array_sort(array);
        assert_eq!(
            self.sort(index),
            Sort::BitVec(index_width),
            "index of select"
        );
        let sort = Sort::BitVec(width);
        self.rewrite_or_build(Node::Select(array, index), sort, |terms| {
            read_through(terms, array, index, sort)
        })
    }
}

/// The read pushed through the writes above it, or `None` if it cannot move at all.
fn read_through(t: &mut Terms, array: ArrayId, index: TermId, sort: Sort) -> Option<TermId> {
    // The writes that may or may not be hit, newest first, with the condition under which they are.
    let mut maybe: Vec<(TermId, TermId)> = Vec::new();
    // Where the first undecided write was met: a read given up on starts there.
    let mut start = array;
    let mut at = array;
    let base = loop {
        match t.array_node(at) {
            ArrayNode::Const(element, _) => {
                t.fire(Rule::SelectConst);
                break element;
            }
            ArrayNode::Var(_) => {
                break t.build(Node::Select(at, index), sort);
            }
            ArrayNode::Store(below, i, element) => {
                let hit = t.eq(i, index);
                match t.as_const(hit) {
                    Some(1) => {
                        t.fire(Rule::SelectHit);
                        break element;
                    }
                    Some(_) => t.fire(Rule::SelectMiss),
                    None if maybe.len() == EAGER_READS => {
                        if start == array {
                            return None;
                        }
                        return Some(t.build(Node::Select(start, index), sort));
                    }
                    None => maybe.push((hit, element)),
                }
                at = below;
                if maybe.is_empty() {
                    start = at;
                }
            }
            ArrayNode::Ite(cond, then, otherwise) => {
                if at != array {
                    // As a read of its own, so that its answer is remembered and its depth counted.
                    break t.select(at, index);
                }
                t.fire(Rule::SelectIte);
                let (then, otherwise) = (t.select(then, index), t.select(otherwise, index));
                break t.ite(cond, then, otherwise);
            }
        }
    };
    let mut result = base;
    for (hit, element) in maybe.into_iter().rev() {
        t.fire(Rule::SelectSymbolic);
        result = t.ite(hit, element, result);
    }
    Some(result)
}

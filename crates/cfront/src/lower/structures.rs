//! What pointers in the records behind parameters point to: lists and trees up to a bound, texts, and functions of
//! the program.
//!
//! Each is null or points to an object of its own. As many records are there as elements are looked at
//! (`--max-elements`), the nearest first; where there could be more, the last ones point to an object of which nothing
//! is looked at, so that going on is beyond a bound and no fault.

use super::Lowerer;
use super::link::{External, Subprogram};
use super::scope::SubprogramId;
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType, IntKind};
use idiolect_ir::{AssumptionKind, BinaryOp, ExprId, InputKind, Place, Ty, TypeId};
use std::collections::VecDeque;

/// Elements of an array whose pointers are filled.
const MOST_ELEMENTS: u64 = 4;
/// Functions among which a pointer is chosen.
const MOST_FUNCTIONS: usize = 8;

/// Memory whose pointers are to be filled.
struct Unfilled {
    address: ExprId,
    ty: TypeId,
    name: String,
    /// What is between its name and that of a member.
    joint: &'static str,
}

/// A pointer in an object.
struct Slot {
    offset: u64,
    to: TypeId,
    name: String,
}

impl<'a> Lowerer<'a> {
    /// The pointer, or null.
    pub(super) fn or_null(&mut self, name: &str, pointer: ExprId, span: Span) -> ExprId {
        let null = self.body.constant(0, Ty::Ptr, span);
        let kind = InputKind::Parameter(format!("{name} is null"));
        let is_null = self.choice(kind, span);
        self.body.select(is_null, null, pointer, span)
    }

    /// Gives the pointers in the first of `n` elements at an address something to point to.
    pub(super) fn fill_pointers(
        &mut self,
        name: &str,
        address: ExprId,
        ty: TypeId,
        n: u64,
        span: Span,
    ) {
        if !self.has_slots(name, ty, span) {
            return;
        }
        let mut left = self.options.pointer_elements.max(1);
        let n = n.min(MOST_ELEMENTS);
        let queue = (0..n)
            .map(|i| self.unfilled(name, address, ty, (n > 1).then_some(i), span))
            .collect();
        self.fill(queue, &mut left, span);
    }

    /// The same where only a run says how many elements there are; no more than `most` are looked at.
    pub(super) fn fill_counted(
        &mut self,
        name: &str,
        address: ExprId,
        ty: TypeId,
        (count, most): (ExprId, u64),
        span: Span,
    ) {
        if !self.has_slots(name, ty, span) {
            return;
        }
        let mut left = self.options.pointer_elements.max(1);
        let after = self.body.new_block();
        for i in 0..most.min(MOST_ELEMENTS) {
            let index = self.body.constant(i.into(), self.body.ty(count), span);
            let is_there = self.body.binary(BinaryOp::ULt, index, count, span);
            let then = self.body.new_block();
            self.body.branch(is_there, then, after, span);
            self.body.start(then);
            let element = self.unfilled(name, address, ty, Some(i), span);
            self.fill(VecDeque::from([element]), &mut left, span);
        }
        self.body.goto(after, span);
        self.body.start(after);
    }

    /// Whether there are pointers to fill, which is then an assumption.
    fn has_slots(&mut self, name: &str, ty: TypeId, span: Span) -> bool {
        if self.slots(ty, "", "").is_empty() {
            return false;
        }
        let text = format!(
            "pointers in what `{name}` stands for are null or point to memory of their own"
        );
        self.assume(AssumptionKind::Contract, &text, span, None);
        true
    }

    /// One object at an address, or one of several.
    fn unfilled(
        &mut self,
        name: &str,
        address: ExprId,
        ty: TypeId,
        index: Option<u64>,
        span: Span,
    ) -> Unfilled {
        let size = self.types.size_of(ty).unwrap_or(1);
        let width = self.pointer_width();
        Unfilled {
            address: (self.body).offset(address, index.unwrap_or(0) * size, width, span),
            ty,
            name: match index {
                Some(i) => format!("{name}[{i}]"),
                None => name.to_owned(),
            },
            joint: if index.is_some() { "." } else { "->" },
        }
    }

    fn fill(&mut self, mut queue: VecDeque<Unfilled>, left: &mut u32, span: Span) {
        while let Some(next) = queue.pop_front() {
            for slot in self.slots(next.ty, &next.name, next.joint) {
                // What a contract says of it comes later.
                if self.is_shaped(&slot.name) {
                    continue;
                }
                let pointer = self.behind(&slot, left, &mut queue, span);
                let pointer = self.or_null(&slot.name, pointer, span);
                let width = self.pointer_width();
                let address = self.body.offset(next.address, slot.offset, width, span);
                let ty = Ty::Ptr;
                self.body
                    .assign(Place::Memory { address, ty }, pointer, span);
            }
        }
    }

    /// Something for one pointer to point to.
    fn behind(
        &mut self,
        slot: &Slot,
        left: &mut u32,
        queue: &mut VecDeque<Unfilled>,
        span: Span,
    ) -> ExprId {
        if self.is_function(slot.to) {
            return self.some_function(&slot.name, slot.to, span);
        }
        let has_pointers = !self.slots(slot.to, "", "").is_empty();
        let is_record = matches!(self.types.get(slot.to), CType::Record(_))
            && self.types.size_of(slot.to).is_some();
        if (is_record || has_pointers) && *left > 0 {
            *left -= 1;
            let array = self.array_of(slot.to, 1);
            let address = self.memory_behind(&slot.name, array, span);
            queue.push_back(Unfilled {
                address,
                ty: slot.to,
                name: slot.name.clone(),
                joint: "->",
            });
            return address;
        }
        let wanted = u64::from(self.options.pointer_elements).max(1);
        let (element, n) = match self.types.size_of(slot.to).filter(|&size| size > 0) {
            Some(_) if is_record || has_pointers => (slot.to, 0),
            Some(_) => (slot.to, wanted),
            None => (self.common.char_, 8 * wanted),
        };
        let array = self.array_of(element, n);
        let address = self.memory_behind(&slot.name, array, span);
        let text = match n {
            0 => format!("nothing behind `{}` is looked at", slot.name),
            n => format!("only {n} elements behind `{}` are looked at", slot.name),
        };
        let index = self.assume(AssumptionKind::Bound, &text, span, Some("--max-elements"));
        let truth = self.body.constant(1, Ty::BOOL, span);
        self.truncate(address, truth, index, span);
        address
    }

    /// The pointers in a type. Those of unions are left alone: nobody knows which member counts.
    fn slots(&self, ty: TypeId, name: &str, joint: &str) -> Vec<Slot> {
        let mut found = Vec::new();
        match self.types.get(ty) {
            CType::Pointer(to) => found.push(Slot {
                offset: 0,
                to: *to,
                name: match joint {
                    "->" => format!("*{name}"),
                    _ => name.to_owned(),
                },
            }),
            CType::Array {
                element,
                length: ArrayLength::Known(n),
            } => {
                let size = self.types.size_of(*element).unwrap_or(1);
                let name = match joint {
                    "->" => format!("(*{name})"),
                    _ => name.to_owned(),
                };
                for i in 0..(*n).min(MOST_ELEMENTS) {
                    for slot in self.slots(*element, &format!("{name}[{i}]"), ".") {
                        let offset = slot.offset + i * size;
                        found.push(Slot { offset, ..slot });
                    }
                }
            }
            CType::Record(id) => {
                let record = self.types.record(*id);
                let layout = record.layout.as_ref().filter(|_| !record.is_union);
                for field in layout.iter().flat_map(|layout| &layout.fields) {
                    let path = match &field.name {
                        Some(field) => format!("{name}{joint}{field}"),
                        None => name.to_owned(),
                    };
                    let joint = if field.name.is_some() { "." } else { joint };
                    if field.bits.is_none() {
                        for slot in self.slots(field.ty, &path, joint) {
                            let offset = slot.offset + field.offset;
                            found.push(Slot { offset, ..slot });
                        }
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// One of the program's own functions of a type; if there is none, one of which nothing is known.
    pub(super) fn some_function(&mut self, name: &str, ty: TypeId, span: Span) -> ExprId {
        let entry = self.options.entry.clone();
        let own: Vec<SubprogramId> = (0..self.subprograms.len())
            .filter(|&i| {
                let subprogram = &self.subprograms[i];
                let is_own =
                    (subprogram.definition).is_some_and(|d| !self.units[d.unit].is_library);
                is_own && subprogram.name != entry && self.are_compatible(subprogram.ty, ty)
            })
            .map(SubprogramId::new)
            .take(MOST_FUNCTIONS)
            .collect();
        let Some((&first, others)) = own.split_first() else {
            let unknown = self.unknown_function(name, ty, span);
            return self.function_address(unknown, span);
        };
        let names: Vec<String> = (own.iter())
            .map(|f| format!("`{}`", self.subprograms[f.index()].name))
            .collect();
        let text = format!("`{name}` is one of the functions {}", names.join(", "));
        self.assume(AssumptionKind::Contract, &text, span, None);
        let mut pointer = self.function_address(first, span);
        if others.is_empty() {
            return pointer;
        }
        let byte = self.types.int(IntKind::UChar);
        let choice = self.input_value(InputKind::Parameter(name.to_owned()), byte, span);
        for (i, &other) in others.iter().enumerate() {
            let number = self.int_value(i as i128 + 1, byte, span);
            let is_this = self
                .body
                .binary(BinaryOp::Eq, choice.expr, number.expr, span);
            let other = self.function_address(other, span);
            pointer = self.body.select(is_this, other, pointer, span);
        }
        self.body.save(pointer, self.common.void_pointer)
    }

    fn unknown_function(&mut self, name: &str, ty: TypeId, span: Span) -> SubprogramId {
        let is_part = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut plain: String = name.chars().map(is_part).collect();
        let is_taken = |this: &Self, name: &str| {
            let symbol = this.symbols.get(name);
            let known = symbol.and_then(|s| this.externals.get(&s));
            matches!(known, Some(External::Function(_) | External::Object(_)))
        };
        while is_taken(self, &plain) {
            plain.push('_');
        }
        let id = SubprogramId::new(self.subprograms.len());
        self.subprograms.push(Subprogram {
            name: plain,
            ty,
            span,
            definition: None,
            is_constructor: false,
            is_destructor: false,
            id: None,
            const_parameters: Vec::new(),
            other_name: None,
            same_as: None,
        });
        id
    }
}

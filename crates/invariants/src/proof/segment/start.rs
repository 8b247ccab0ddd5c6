//! The first block of a derived program: any state that satisfies the claim at the start.

use super::{Deriver, Meaning};
use crate::proof::bound;
use crate::proof::cells::{self, Place};
use crate::proof::state::put_list;
use idiolect_ir::build::{Builder, Number};
use idiolect_ir::{
    BinaryOp, BlockId, ExprId, ExprKind, Function, InputId, LocalId, LocalKind, LocalStorage,
    TerminatorKind, Ty,
};
use idiolect_quantified::point::{ArraySize, Binding, Point, PointKind, Role, Structure};

/// Lists at the start: their structure, their cells, and where variables point.
type Made = (usize, cells::Cells, Vec<(usize, Place)>);

impl Deriver<'_> {
    /// Any integer, as far as it matters.
    pub(super) fn any_datum(&mut self, name: &str, ty: Ty, signed: bool) -> (ExprId, InputId) {
        any_datum(&mut self.b, self.data_bits, name, ty, signed)
    }

    pub(super) fn prologue(&mut self) {
        let task = self.task;
        self.b.go_on_in(Function::ENTRY);
        self.choose_indices();
        self.havoc_registers();
        match task.cuts.list[self.from].point {
            Some(claim) => {
                let (point, formula) = self.numbered(claim);
                // Before there are numbers to put behind pointers.
                self.make_heads(point);
                self.give_numbers(point);
                self.make_arrays(point);
                let made = self.make_lists(point);
                self.remember_entry(Some(point));
                let mut view = self.state.look(&mut self.b, task.program, point);
                for (structure, cells, places) in made {
                    let all: Vec<Place> = places.iter().map(|p| p.1.clone()).collect();
                    let canonical = cells.is_canonical(&mut self.b, &all);
                    self.b.assume(canonical);
                    put_list(&mut self.b, &mut view, structure, cells, places);
                }
                for size in view.sizes.clone().into_iter().flatten() {
                    let zero = self.b.number(0);
                    let fits = self.b.at_most(zero, size);
                    self.b.assume(fits);
                }
                self.assume(&mut view, claim, formula);
            }
            None => {
                // Pools without a point have no cells.
                for i in 0..self.pools.len() {
                    self.pools[i].n = 0;
                }
                self.remember_entry(None);
            }
        }
        let cut = task.cuts.list[self.from];
        let n = task.function.blocks.len();
        let start = match (cut.kind, task.cuts.at(cut.block)) {
            (PointKind::Entry, Some(head)) => BlockId::new(1 + n + head),
            _ => BlockId::new(cut.block.index() + 1),
        };
        self.b.end(TerminatorKind::Goto(start));
    }

    /// Any values for everything that the function may read before it writes it.
    fn havoc_registers(&mut self) {
        let is_entry = self.task.cuts.list[self.from].kind == PointKind::Entry;
        for i in 0..self.task.function.locals.len() {
            let local = LocalId::new(i);
            let info = self.task.function.local(local);
            let is_register = matches!(info.storage, LocalStorage::Register(_));
            if !is_register || (is_entry && info.kind != LocalKind::Parameter) {
                continue;
            }
            let name = info.name.clone();
            self.b.havoc(local, &name);
        }
    }

    /// What parameters were at entry, where the point does not say.
    fn remember_entry(&mut self, point: Option<&Point>) {
        let is_entry = self.task.cuts.list[self.from].kind == PointKind::Entry;
        let mut list: Vec<(LocalId, LocalId)> =
            self.state.at_entry.iter().map(|(&a, &b)| (a, b)).collect();
        list.sort_unstable();
        for (parameter, register) in list {
            let is_given = point.is_some_and(|p| {
                let bindings = [Binding::AtEntry(parameter), Binding::BehindEntry(parameter)];
                p.variables.iter().any(|v| bindings.contains(&v.binding))
            });
            if is_entry || !self.state.modified[parameter.index()] {
                let value = self.b.read(parameter);
                self.b.assign(register, value);
            } else if !is_given {
                self.b.havoc(register, "entry");
            }
        }
    }

    fn give_numbers(&mut self, point: &Point) {
        for (variable, v) in point.variables.iter().enumerate() {
            if !matches!(
                v.role,
                Role::Index { .. } | Role::Length { .. } | Role::Scalar
            ) {
                continue;
            }
            if let Some(ty @ Ty::Int(_)) = self.task.program.types.scalar(v.ty) {
                let (value, input) = self.any_datum(&v.name, ty, v.signed);
                self.meanings.push((input, Meaning::Number { variable }));
                self.state.give(&mut self.b, v.binding, ty, value);
            }
        }
    }

    /// An array for each pointer that is the base of one. They do not overlap.
    fn make_arrays(&mut self, point: &Point) {
        let types = &self.task.program.types;
        for v in &point.variables {
            let Role::Base { structure, field } = v.role else {
                continue;
            };
            let Structure::Array(group) = &point.structures[structure] else {
                continue;
            };
            if types.scalar(v.ty) != Some(Ty::Ptr) {
                continue; // An object of the program.
            }
            let size = match group.size {
                ArraySize::Constant(n) => Some(self.b.number(n as i64)),
                ArraySize::Variable(n) => {
                    let n = &point.variables[n];
                    self.state.number(&mut self.b, self.task.program, n)
                }
            };
            let Some(size) = size else { continue };
            let capacity = self.b.register("size", Ty::Int(size.width));
            self.b.assign(capacity, size.expr);
            let size = Number {
                expr: self.b.read(capacity),
                ..size
            };
            let bits = self.b.pointer_bits();
            // The number of bytes of so many elements must not wrap.
            if size.width > 32 {
                let most = self.b.number(i64::from(i32::MAX));
                let fits = self.b.at_most(size, most);
                self.b.assume(fits);
            }
            let wide = self.b.widened(size, bits);
            let bytes = group.fields[field].stride;
            let bytes = self.b.constant(u128::from(bytes), Ty::Int(bits));
            let total = self.b.binary(BinaryOp::Mul { signed: false }, wide, bytes);
            let array = self.b.malloc("array", total);
            let (address, null) = (self.b.read(array), self.b.null());
            // No object has 2 GiB or more; one with a negative number of elements would.
            let is_there = self.b.binary(BinaryOp::Ne, address, null);
            self.b.assume(is_there);
            self.state.give(&mut self.b, v.binding, Ty::Ptr, address);
            let binding = self.state.plain(v.binding);
            self.state.arrays.push((binding, array, size));
            let freed = self.b.register("freed", Ty::BOOL);
            let falsity = self.b.falsity();
            self.b.assign(freed, falsity);
            self.state.freed.push(freed);
        }
    }

    /// A variable of its own for each list whose head something points to.
    fn make_heads(&mut self, point: &Point) {
        for v in &point.variables {
            let Some(pointer) = self.state.pointer(v.binding) else {
                continue;
            };
            let bits = self.b.pointer_bits();
            let size = self.task.program.types.size_of(v.ty);
            let size = size.unwrap_or(u64::from(bits / 8));
            let bytes = self.b.constant(u128::from(size), Ty::Int(bits));
            let head = self.b.malloc("head", bytes);
            let address = self.b.read(head);
            self.state.give(&mut self.b, pointer, Ty::Ptr, address);
            self.state.heads.push((pointer, head));
            if let (PointKind::Entry, Binding::Behind(l)) = (point.kind, v.binding) {
                self.state.heads.push((Binding::AtEntry(l), head));
            }
        }
    }

    fn make_lists(&mut self, point: &Point) -> Vec<Made> {
        let mut made = Vec::new();
        for i in 0..self.pools.len() {
            let (n, shape) = (self.pools[i].n, self.pools[i].shape.clone());
            let Some(structure) = bound::structure_of(point, shape.record) else {
                self.pools[i].n = 0;
                continue;
            };
            let (cells, next, data) = cells::make(&mut self.b, &shape, n, self.data_bits);
            for (cell, input) in next.into_iter().enumerate() {
                self.meanings
                    .push((input, Meaning::Next { structure, cell }));
            }
            for (cell, row) in data.into_iter().enumerate() {
                for (field, input) in row.into_iter().enumerate() {
                    let meaning = Meaning::Datum {
                        structure,
                        cell,
                        field,
                    };
                    self.meanings.push((input, meaning));
                }
            }
            let mut places = Vec::new();
            for (variable, v) in point.variables.iter().enumerate() {
                if v.role != (Role::Pointer { structure }) {
                    continue;
                }
                let (choice, input) = self.b.any(&v.name, Ty::Int(8));
                self.meanings.push((input, Meaning::Pointer { variable }));
                let choice = self.b.read(choice);
                let mut value = self.b.null();
                let mut at = Vec::new();
                for (cell, &address) in cells.addresses.iter().enumerate() {
                    let here = self.b.constant(cell as u128, Ty::Int(8));
                    let is_here = self.b.binary(BinaryOp::Eq, choice, here);
                    at.push(self.b.keep(is_here));
                    value = self.b.select(at[cell], address, value);
                }
                // Null is one number beyond the cells, and no other.
                let none = self.b.constant(n as u128, Ty::Int(8));
                let fits = self.b.binary(BinaryOp::ULe, choice, none);
                self.b.assume(fits);
                let is_nil = self.b.binary(BinaryOp::Eq, choice, none);
                let is_nil = self.b.keep(is_nil);
                places.push((variable, Place { at, is_nil }));
                self.state.give(&mut self.b, v.binding, Ty::Ptr, value);
            }
            self.pools[i].addresses = (cells.addresses.iter())
                .filter_map(|&e| match self.b.function.expr(e).kind {
                    ExprKind::Local(l) => Some(l),
                    _ => None,
                })
                .collect();
            for _ in 0..n {
                let freed = self.b.register("freed", Ty::BOOL);
                let falsity = self.b.falsity();
                self.b.assign(freed, falsity);
                self.pools[i].freed.push(freed);
            }
            made.push((structure, cells, places));
        }
        made
    }
}

/// A new register with any integer, or with any of so few bits.
pub(in crate::proof) fn any_datum(
    b: &mut Builder,
    bits: Option<u8>,
    name: &str,
    ty: Ty,
    signed: bool,
) -> (ExprId, InputId) {
    let (Some(few), Ty::Int(width)) = (bits, ty) else {
        let (register, input) = b.any(name, ty);
        return (b.read(register), input);
    };
    // Inputs have whole bytes. The value is made of the few bits, so that solvers see no others,
    // and the byte says the same, so that models show it.
    let (register, input) = b.any(name, Ty::Int(8));
    let byte = Number {
        expr: b.read(register),
        width: 8,
        signed,
    };
    let kept = Number {
        expr: b.widened(byte, few),
        width: few,
        signed,
    };
    let again = b.widened(kept, 8);
    let same = b.binary(BinaryOp::Eq, again, byte.expr);
    b.assume(same);
    let value = b.widened(kept, width);
    (b.keep(value), input)
}

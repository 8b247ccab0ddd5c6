//! A call that is described by a contract and works on arrays.
//!
//! Each array argument is a part of an array of the caller, which the callee sees as an array of its
//! own: that it is a part, and that parts of one array do not overlap, is asked like what the
//! contract needs. The callee is proved to stay in its arrays, has no other pointers, and keeps none
//! (`contract.rs`); so what lies outside of the parts is what it was, and inside there is anything
//! that the claim at the exit allows.
//!
//! An array that may be changed is replaced by a new one: the variable points to a new object with
//! any contents, and at all indices of interest outside of the parts the contents are equal. The old
//! object is freed, so that a pointer into it that was kept across the call is found as a use of
//! freed memory, and the question is then in doubt.
//!
//! **Copies.** A function that writes only what it read from its one array can at any time find in
//! the array, and in its variables for such values, only what the array had at the start. So each
//! element afterwards is equal to some element before. The index of that one is foreseen, and claims
//! at the start are assumed at it, too. It is what makes a sift in a part of the array keep below
//! the rest what was below it.

use super::Deriver;
use crate::proof::bound::NoBound;
use crate::proof::contract::Contract;
use crate::proof::cuts::Unbounded;
use crate::proof::state::look_without_arrays;
use crate::proof::view::View;
use idiolect_ir::build::{Builder, Number};
use idiolect_ir::{
    BinaryOp, BlockId, Builtin, Callee, ConvertOp, ExprId, ExprKind, Function, LocalId,
    LocalStorage, Place as IrPlace, StmtKind, TerminatorKind, Ty,
};
use idiolect_quantified::formula::{Conclusion, Conjunct, DataTerm, ForAll, Formula};
use idiolect_quantified::point::{ArraySize, Binding, Point, Role, Structure, Variable};

/// An array that is handed to a callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// The callee's parameter.
    parameter: LocalId,
    /// The argument.
    argument: ExprId,
    /// The caller's variable.
    root: LocalId,
    /// Where in its array the part starts.
    offset: Option<Number>,
    /// The structure of the callee's points that it belongs to.
    structure: usize,
    field: usize,
}

/// The variable that a pointer expression starts from, the index behind it and its scale.
fn resolve(function: &Function, argument: ExprId) -> Option<(LocalId, Option<(ExprId, u64)>)> {
    match function.expr(argument).kind {
        ExprKind::Local(root) => Some((root, None)),
        ExprKind::PtrAdd { base, index, scale } => match function.expr(base).kind {
            ExprKind::Local(root) => Some((root, Some((index, scale)))),
            _ => None,
        },
        _ => None,
    }
}

/// An index without the conversions that make it as wide as a pointer.
fn number(function: &Function, index: ExprId) -> Option<Number> {
    let e = function.expr(index);
    let (expr, signed) = match e.kind {
        ExprKind::Convert(ConvertOp::SignExtend, inner) => (inner, true),
        ExprKind::Convert(ConvertOp::ZeroExtend, inner) => (inner, false),
        _ => (index, true),
    };
    match function.expr(expr).ty {
        Ty::Int(width) => Some(Number {
            expr,
            width,
            signed,
        }),
        _ => None,
    }
}

/// Whether an expression reads such a register.
fn uses(function: &Function, e: ExprId, wanted: &dyn Fn(LocalId) -> bool) -> bool {
    let kind = &function.expr(e).kind;
    let mut found = matches!(kind, ExprKind::Local(l) if wanted(*l));
    kind.for_each_operand(|o| found |= uses(function, o, wanted));
    found
}

impl Deriver<'_> {
    /// The parts that a call hands over; nothing if an argument is no part of an array that is known
    /// at the start.
    fn parts(&self, contract: &Contract, args: &[ExprId]) -> Option<Vec<Part>> {
        let function = self.task.function;
        let (own, _) = self.claim(self.from)?;
        let (entry, _) = self.numbered(contract.entry.claim);
        let callee = self.task.program.function(contract.function);
        let mut parts = Vec::new();
        for v in &entry.variables {
            let (Role::Base { structure, field }, Binding::Local(parameter)) = (v.role, v.binding)
            else {
                continue;
            };
            let position = callee.params.iter().position(|&p| p == parameter)?;
            let argument = *args.get(position)?;
            let (root, behind) = resolve(function, argument)?;
            let element = entry.structures[structure].fields()[field].ty;
            let is_own = |w: &&Variable| match w.role {
                Role::Base { structure, field } => {
                    self.state.plain(w.binding) == Binding::Local(root)
                        && own.structures[structure].fields()[field].ty == element
                }
                _ => false,
            };
            own.variables.iter().find(is_own)?;
            if self.state.modified[root.index()] {
                return None;
            }
            let offset = match behind {
                None => None,
                Some((index, scale)) => {
                    if scale != self.task.program.types.scalar_size(element) {
                        return None;
                    }
                    Some(number(function, index)?)
                }
            };
            parts.push(Part {
                parameter,
                argument,
                root,
                offset,
                structure,
                field,
            });
        }
        Some(parts)
    }

    /// Whether all calls that work on arrays can be described.
    pub(super) fn check_array_calls(&self) -> Result<(), NoBound> {
        for (_, contract, args) in self.array_calls() {
            if self.parts(contract, &args).is_none() {
                return Err(NoBound::Code(Unbounded {
                    function: Some(contract.function),
                }));
            }
        }
        Ok(())
    }

    fn array_calls(&self) -> Vec<((BlockId, usize), &Contract, Vec<ExprId>)> {
        let mut found = Vec::new();
        for &block in &self.segment {
            for (i, stmt) in self.task.function.block(block).stmts.iter().enumerate() {
                if let (Some(contract), StmtKind::Call { args, .. }) =
                    (self.task.contract(&stmt.kind), &stmt.kind)
                    && contract.has_arrays
                {
                    found.push(((block, i), contract, args.clone()));
                }
            }
        }
        found
    }

    /// Whether a pointer may be computed before a call that works on arrays and used behind it: then
    /// some register with a pointer is used in another block than it is written in, or on the other
    /// side of a call.
    pub(super) fn keeps_pointers(&self) -> bool {
        let function = self.task.function;
        let roots = |l: LocalId| !self.state.modified[l.index()];
        let is_pointer = |l: LocalId| {
            matches!(function.local(l).storage, LocalStorage::Register(Ty::Ptr)) && !roots(l)
        };
        for &block in &self.segment {
            let code = function.block(block);
            // Written in this block, and behind its last call.
            let mut fresh: Vec<LocalId> = Vec::new();
            let mut is_stale = false;
            for stmt in &code.stmts {
                stmt.kind.for_each_expr(|e| {
                    is_stale |= uses(function, e, &|l| is_pointer(l) && !fresh.contains(&l));
                });
                if self.task.contract(&stmt.kind).is_some_and(|c| c.has_arrays) {
                    fresh.clear();
                }
                fresh.extend(crate::proof::state::written(&stmt.kind));
            }
            if let Some(e) = code.terminator.kind.expr() {
                is_stale |= uses(function, e, &|l| is_pointer(l) && !fresh.contains(&l));
            }
            if is_stale {
                return true;
            }
        }
        // What lives in memory may be anything.
        let in_memory = |l: &idiolect_ir::Local| !matches!(l.storage, LocalStorage::Register(_));
        function.locals.iter().any(in_memory)
    }

    /// Indices that calls speak of: their own ones, and those that goals of contracts quantify over,
    /// as the caller counts.
    pub(super) fn foresee_calls(&mut self) {
        let calls: Vec<_> = (self.array_calls().into_iter())
            .map(|(at, contract, args)| (at, *contract, args))
            .collect();
        self.has_array_calls = !calls.is_empty();
        for (at, contract, args) in calls {
            let Some(parts) = self.parts(&contract, &args) else {
                continue;
            };
            let mut offsets: Vec<Number> = parts.iter().filter_map(|p| p.offset).collect();
            offsets.dedup();
            for offset in offsets {
                for skolem in self.skolem_indices.clone() {
                    let sum = self.b.sum_of(&[(skolem, true), (offset, true)], 0);
                    self.foresee(sum.expr, at);
                }
            }
            let (entry, _) = self.numbered(contract.entry.claim);
            let callee = self.task.program.function(contract.function);
            for v in &entry.variables {
                let (Role::Index { .. }, Binding::Local(l)) = (v.role, v.binding) else {
                    continue;
                };
                let position = callee.params.iter().position(|&p| p == l);
                if let Some(&arg) = position.and_then(|p| args.get(p)) {
                    match self.b.function.expr(arg).kind {
                        ExprKind::Const(_) => self.foresee_constant(arg),
                        _ => self.foresee(arg, at),
                    }
                }
            }
        }
    }

    /// Keeps the indices of interest as they are at the start, and foresees where what is there
    /// after a call that copies comes from.
    pub(super) fn keep_indices(&mut self, indices: &[Number]) -> Vec<Number> {
        if !self.has_array_calls {
            return Vec::new();
        }
        for &index in indices {
            let register = self.b.register("index", Ty::Int(index.width));
            self.b.assign(register, index.expr);
            let expr = self.b.read(register);
            self.kept_indices.push(Number { expr, ..index });
        }
        let is_copy = |c: &&Contract| c.has_arrays && c.copies;
        if self.calls.iter().filter(|c| is_copy(c)).count() == 1 {
            for _ in indices {
                let (register, _) = self.b.any("source", Ty::Int(32));
                let expr = self.b.read(register);
                self.sources.push(Number {
                    expr,
                    width: 32,
                    signed: true,
                });
            }
        }
        self.sources.clone()
    }

    /// Goes on in a new block.
    pub(super) fn call_with_arrays(
        &mut self,
        contract: &Contract,
        dest: Option<IrPlace>,
        args: &[ExprId],
    ) {
        let Some(parts) = self.parts(contract, args) else {
            return;
        };
        let program = self.task.program;
        let callee = program.function(contract.function);
        let is_number = |e: ExprId| matches!(self.b.function.expr(e).ty, Ty::Int(_));
        let numbers: Vec<ExprId> = args.iter().copied().filter(|&a| is_number(a)).collect();
        let kept: Vec<(ExprId, ExprId)> =
            (numbers.into_iter()).map(|a| (a, self.b.keep(a))).collect();
        let argument = |local: LocalId| {
            let position = callee.params.iter().position(|&p| p == local)?;
            let arg = args.get(position)?;
            kept.iter().find(|k| k.0 == *arg).map(|k| k.1)
        };
        // What it needs.
        let here = self.b.current();
        let look = self.b.start_block();
        self.b.go_on_in(here);
        self.b.end(TerminatorKind::Goto(look));
        self.b.go_on_in(look);
        let (point, _) = self.numbered(contract.entry.claim);
        let find = |_: &mut Builder, binding: Binding, _: Ty| match binding {
            Binding::Local(l) | Binding::AtEntry(l) => argument(l),
            _ => None,
        };
        let view = self.view_of_parts(point, &parts, &find);
        let sizes = view.sizes.clone();
        let size = |p: &Part| sizes.get(p.structure).copied().flatten();
        let shape = self.are_parts(&parts, &size);
        self.ask(contract.entry, look, view, shape);
        // What it may change.
        if contract.writes_data {
            let mut roots: Vec<LocalId> = parts.iter().map(|p| p.root).collect();
            roots.sort_unstable();
            roots.dedup();
            for root in roots {
                self.replace(root, &parts, &size, contract.copies);
            }
        }
        let (point, formula) = self.numbered(contract.exit.claim);
        let result = (point.variables.iter()).find(|v| v.binding == Binding::Result);
        let result = match (result, callee.ret) {
            (Some(v), Some(ty)) => Some(self.any_datum(&v.name, ty, v.signed).0),
            _ => None,
        };
        // What it promises.
        let find = |_: &mut Builder, binding: Binding, _: Ty| match binding {
            Binding::Local(l) | Binding::AtEntry(l) => argument(l),
            Binding::Result => result,
            Binding::Behind(_) | Binding::BehindEntry(_) | Binding::Global(_) => None,
        };
        let mut view = self.view_of_parts(point, &parts, &find);
        // Indices that were counted with different offsets have little to do with each other.
        for indices in self.as_callee_counts(&mut view, &parts, formula) {
            self.assume_at(&mut view, contract.exit.claim, formula, &indices);
        }
        if let (Some(place), Some(value)) = (dest, result) {
            self.b.statement(StmtKind::Assign { place, value });
        }
    }

    /// The state as the callee sees it.
    fn view_of_parts<'p>(
        &mut self,
        point: &'p Point,
        parts: &[Part],
        find: &crate::proof::state::Find<'_>,
    ) -> View<'p> {
        let mut view = look_without_arrays(&mut self.b, self.task.program, point, find);
        for (s, structure) in point.structures.iter().enumerate() {
            let Structure::Array(group) = structure else {
                continue;
            };
            view.sizes[s] = match group.size {
                ArraySize::Constant(n) => Some(self.b.number(n as i64)),
                ArraySize::Variable(v) => match view.variables.get(v) {
                    Some(crate::proof::view::Spot::Number(n)) => Some(*n),
                    _ => None,
                },
            };
            view.bases[s] = vec![None; group.fields.len()];
        }
        for v in &point.variables {
            let (
                Role::Base { structure, field },
                Binding::Local(parameter) | Binding::AtEntry(parameter),
            ) = (v.role, v.binding)
            else {
                continue;
            };
            if let Some(part) = parts.iter().find(|p| p.parameter == parameter) {
                let pointer = self.b.keep(part.argument);
                view.bases[structure][field] = Some(pointer);
            }
        }
        view
    }

    /// The array of a variable of the caller: the register with its address, and its size.
    fn array_of(&self, root: LocalId) -> Option<(LocalId, Number)> {
        let is_it = |a: &&(Binding, LocalId, Number)| a.0 == Binding::Local(root);
        let found = self.state.arrays.iter().find(is_it)?;
        Some((found.1, found.2))
    }

    /// Whether arguments are parts of arrays of the caller, and do not overlap.
    fn are_parts(&mut self, parts: &[Part], size: &dyn Fn(&Part) -> Option<Number>) -> ExprId {
        let mut good = self.b.truth();
        for (i, part) in parts.iter().enumerate() {
            let (Some((array, capacity)), Some(size_of)) = (self.array_of(part.root), size(part))
            else {
                return self.b.falsity();
            };
            let (address, root) = (self.b.read(array), self.b.read(part.root));
            let same = self.b.same_pointer(address, root);
            good = self.b.and(good, same);
            let zero = self.b.number(0);
            let is_size = self.b.at_most(zero, size_of);
            good = self.b.and(good, is_size);
            // Each fits, so that their sum does not wrap: no array has 2 GiB.
            let fits = self.b.at_most(size_of, capacity);
            good = self.b.and(good, fits);
            let end = self.end(part, size_of);
            if let Some(offset) = part.offset {
                let is_offset = self.b.at_most(zero, offset);
                good = self.b.and(good, is_offset);
                let fits = self.b.at_most(offset, capacity);
                good = self.b.and(good, fits);
            }
            let fits = self.b.at_most(end, capacity);
            good = self.b.and(good, fits);
            for other in &parts[..i] {
                if other.root != part.root {
                    continue;
                }
                let Some(size_of_other) = size(other) else {
                    return self.b.falsity();
                };
                let other_end = self.end(other, size_of_other);
                let start = part.offset.unwrap_or(zero);
                let other_start = other.offset.unwrap_or(zero);
                let before = self.b.at_most(end, other_start);
                let behind = self.b.at_most(other_end, start);
                let apart = self.b.or(before, behind);
                good = self.b.and(good, apart);
            }
        }
        self.b.keep(good)
    }

    /// The index behind a part.
    fn end(&mut self, part: &Part, size: Number) -> Number {
        match part.offset {
            None => size,
            Some(offset) => self.b.sum(&[(offset, true), (size, true)], 0),
        }
    }

    /// A new array in the place of one that may be changed in some parts.
    fn replace(
        &mut self,
        root: LocalId,
        parts: &[Part],
        size: &dyn Fn(&Part) -> Option<Number>,
        copies: bool,
    ) {
        let Some((array, capacity)) = self.array_of(root) else {
            return;
        };
        let Some((part, ty)) = parts
            .iter()
            .find(|p| p.root == root)
            .map(|p| (*p, self.element(p)))
        else {
            return;
        };
        let Ty::Int(width) = ty else { return };
        let bytes = self.task.program.types.scalar_size(ty);
        let indices = self.kept_indices.clone();
        let sources = if copies && parts.len() == 1 {
            self.sources.clone()
        } else {
            Vec::new()
        };
        let mut before = Vec::new();
        for &index in indices.iter().chain(&sources) {
            let inside = self.inside(index, capacity);
            let value = self.read_at(root, index, inside, ty, bytes);
            before.push((inside, value));
        }
        let bits = self.b.pointer_bits();
        let wide = self.b.widened(capacity, bits);
        let bytes_of = self.b.constant(u128::from(bytes), Ty::Int(bits));
        let total = (self.b).binary(BinaryOp::Mul { signed: false }, wide, bytes_of);
        let new = self.b.malloc("array", total);
        let (address, null) = (self.b.read(new), self.b.null());
        let is_there = self.b.binary(BinaryOp::Ne, address, null);
        self.b.assume(is_there);
        let old = self.b.read(array);
        self.b.statement(StmtKind::Call {
            dest: None,
            callee: Callee::Builtin(Builtin::Free),
            args: vec![old],
        });
        self.b.assign(array, address);
        self.b.assign(root, address);
        for (i, &index) in indices.iter().enumerate() {
            let (inside, old) = before[i];
            let new = self.read_at(root, index, inside, ty, bytes);
            let mut is_kept = inside;
            for p in parts.iter().filter(|p| p.root == root) {
                let Some(size) = size(p) else { continue };
                let is_in = self.is_in(p, size, index);
                let is_out = self.b.not(is_in);
                is_kept = self.b.and(is_kept, is_out);
            }
            let same = self.b.binary(BinaryOp::Eq, new, old);
            let stays = self.b.implies(is_kept, same);
            self.b.assume(stays);
            let (Some(&source), Some(size)) = (sources.get(i), size(&part)) else {
                continue;
            };
            // Where nothing is copied, the source is of no interest.
            let (_, from) = before[indices.len() + i];
            let is_in = self.is_in(&part, size, index);
            let is_source = self.is_in(&part, size, source);
            let same = self.b.binary(BinaryOp::Eq, new, from);
            let copied = self.b.and(is_source, same);
            let holds = self.b.implies(is_in, copied);
            self.b.assume(holds);
        }
        debug_assert!(width > 0);
    }

    fn element(&self, part: &Part) -> Ty {
        let (Some((own, _)), root) = (self.claim(self.from), part.root) else {
            return Ty::Ptr;
        };
        for v in &own.variables {
            if let (Role::Base { structure, field }, true) =
                (v.role, self.state.plain(v.binding) == Binding::Local(root))
            {
                return own.structures[structure].fields()[field].ty;
            }
        }
        Ty::Ptr
    }

    fn inside(&mut self, index: Number, capacity: Number) -> ExprId {
        let zero = self.b.number(0);
        let low = self.b.at_most(zero, index);
        let high = self.b.less(index, capacity);
        let both = self.b.and(low, high);
        self.b.keep(both)
    }

    fn is_in(&mut self, part: &Part, size: Number, index: Number) -> ExprId {
        let start = match part.offset {
            None => self.b.number(0),
            Some(offset) => offset,
        };
        let low = self.b.at_most(start, index);
        let end = self.end(part, size);
        let high = self.b.less(index, end);
        let both = self.b.and(low, high);
        self.b.keep(both)
    }

    fn read_at(
        &mut self,
        root: LocalId,
        index: Number,
        inside: ExprId,
        ty: Ty,
        bytes: u64,
    ) -> ExprId {
        let base = self.b.read(root);
        let at = self.b.element(base, index, bytes);
        let loaded = self.b.load(at, ty);
        let zero = self.b.constant(0, ty);
        let value = self.b.select(inside, loaded, zero);
        self.b.keep(value)
    }

    /// The indices of interest as the callee counts. Differences may wrap: where one is an index of
    /// the part, which begins and ends in its array, the sum with the offset is what was meant. Elements of parts with the offset that an index
    /// was counted with are those of the caller, and read there.
    fn as_callee_counts(
        &mut self,
        view: &mut View<'_>,
        parts: &[Part],
        formula: &Formula,
    ) -> Vec<Vec<Number>> {
        let mut offsets: Vec<Option<Number>> = Vec::new();
        for part in parts {
            let is_mentioned = mentions(formula, part.structure, part.field);
            if is_mentioned && !offsets.contains(&part.offset) {
                offsets.push(part.offset);
            }
        }
        if offsets.is_empty() {
            offsets.extend(parts.first().map(|p| p.offset));
        }
        let mut all = Vec::new();
        for offset in offsets {
            let mut found = Vec::new();
            for index in self.kept_indices.clone() {
                let counted = match offset {
                    None => index,
                    Some(offset) => self.b.sum(&[(index, true), (offset, false)], 0),
                };
                found.push(counted);
                for part in parts.iter().filter(|p| p.offset == offset) {
                    let ty = self.element(part);
                    let bytes = self.task.program.types.scalar_size(ty);
                    let inside = view.in_range(&mut self.b, part.structure, counted);
                    let inside = self.b.keep(inside);
                    let value = self.read_at(part.root, index, inside, ty, bytes);
                    let key = (part.structure, part.field, counted.expr);
                    view.elements.insert(key, (inside, value));
                }
            }
            all.push(found);
        }
        all
    }
}

/// Whether a formula compares elements of this array.
fn mentions(formula: &Formula, structure: usize, field: usize) -> bool {
    let is_it = |t: DataTerm| matches!(t, DataTerm::At { structure: s, field: f, .. } if s == structure && f == field);
    formula.conjuncts.iter().any(|c| match c {
        Conjunct::ForAll(ForAll {
            conclusion: Conclusion::All(list),
            ..
        }) => list.iter().any(|c| is_it(c.left) || is_it(c.right)),
        _ => false,
    })
}

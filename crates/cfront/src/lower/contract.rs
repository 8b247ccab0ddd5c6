//! Arguments of an entry function that has preconditions: objects of the shapes that they ask for, and
//! everything else assumed.
//!
//! An object that is said to have `n` elements has exactly so many, so that the next one is out of bounds: whatever
//! goes wrong with more goes wrong with these, too. Only so many as `--max-elements` are looked at.

use super::Lowerer;
use super::convert::Value;
use super::lvalue::LPlace;
use super::parameters::Pointed;
use super::scope::Entry;
use crate::ast::{BinaryOp as AstBinary, Expr, ExprKind as AstKind, UnaryOp};
use crate::contract::{Clause, Precondition, plain};
use idiolect_base::Span;
use idiolect_ir::ctype::{ArrayLength, CType, IntKind};
use idiolect_ir::{
    AssumptionKind, BEHIND, BinaryOp, BlockId, ExprId, ExprKind, FuncId, InputKind, LocalId,
    LocalStorage, Place, StmtKind, Ty, TypeId,
};
use std::collections::BTreeMap;

/// A clause with its expressions, parsed.
#[derive(Clone, Copy)]
pub(crate) struct ActiveClause<'a> {
    pub clause: &'a Clause,
    /// The condition, or the pointer.
    pub first: Option<&'a Expr>,
    /// The number of elements.
    pub second: Option<&'a Expr>,
}

#[derive(Clone)]
pub(crate) struct ActivePrecondition<'a> {
    pub precondition: &'a Precondition,
    pub clauses: Vec<ActiveClause<'a>>,
}

/// The C texts of a clause, to be parsed: the condition or the pointer, and the number of elements.
pub(crate) fn texts(clause: &Clause) -> (Option<&str>, Option<&str>) {
    match clause {
        Clause::Condition(text) => (Some(text), None),
        Clause::Valid { pointer, count, .. } => (Some(pointer), Some(count)),
        Clause::Text { pointer, .. } => (Some(pointer), None),
        Clause::Separated(_) => (None, None),
    }
}

impl<'a> Lowerer<'a> {
    /// As [`entry_arguments`](Self::entry_arguments), with numbers before pointers: sizes depend on them.
    pub fn contract_arguments(&mut self, entry: FuncId, span: Span) -> Vec<ExprId> {
        let types = self.parameter_types(entry);
        let restrict = self.restrict_parameters(entry);
        let n_hidden = usize::from(types.first().is_some_and(|(name, _)| name == "%result"));
        if let Some(definition) = (self.function_of.get(entry.index()).copied().flatten())
            .and_then(|f| self.subprograms[f.index()].definition)
        {
            self.unit = definition.unit;
        }
        self.push_scope(span);
        let mut values: Vec<Option<ExprId>> = vec![None; types.len()];
        for (i, (name, ty)) in types.iter().enumerate() {
            let is_pointer = matches!(self.types.get(*ty), CType::Pointer(_));
            if !is_pointer && self.types.scalar(*ty).is_some() {
                let input = InputKind::Parameter(name.clone());
                let value = self.input_value(input, *ty, span);
                values[i] = Some(self.named_value(name, value, span));
            }
        }
        let mut earlier: Vec<Pointed> = Vec::new();
        let mut ends = BTreeMap::new();
        for i in self.order_of_pointers(&types) {
            let (name, ty) = &types[i];
            if values[i].is_some() {
                continue;
            }
            let expr = match *self.types.get(*ty) {
                CType::Pointer(to) if i < n_hidden => self.memory_temporary(to, span),
                CType::Pointer(_) if name == "%arguments" => self.no_arguments(span),
                CType::Pointer(to) if self.begins_of(name).is_some() => {
                    // Set when its beginning is there.
                    let null = self.body.constant(0, Ty::Ptr, span);
                    let pointer = self.types.pointer_to(to);
                    let local = self.body.temporary(Ty::Ptr, pointer, span);
                    self.body.assign(Place::Local(local), null, span);
                    ends.insert(name.clone(), local);
                    if let Some(symbol) = self.symbols.get(name) {
                        self.declare(symbol, Entry::Local(local));
                    }
                    values[i] = Some(self.body.read(local, Ty::Ptr, span));
                    continue;
                }
                CType::Pointer(to) => {
                    let is_used = self.uses_parameter(entry, i);
                    let is_restrict = restrict.get(i - n_hidden) == Some(&true);
                    let given = (name.as_str(), to, is_restrict);
                    self.contract_pointer(given, is_used, &mut earlier, &ends, span)
                }
                _ => self.memory_temporary(*ty, span),
            };
            let is_named = self.types.scalar(*ty).is_some();
            values[i] = Some(if is_named {
                self.named_value(name, Value::new(expr, *ty), span)
            } else {
                expr
            });
        }
        let names: Vec<&str> = types.iter().map(|(name, _)| name.as_str()).collect();
        self.inner_shapes(&names, &ends, span);
        self.assume_conditions(span);
        self.pop_scope();
        values.into_iter().flatten().collect()
    }

    /// A local of that name, for the conditions.
    fn named_value(&mut self, name: &str, value: Value, span: Span) -> ExprId {
        let scalar = self.types.scalar(value.ty).unwrap_or(Ty::Ptr);
        let local = self.body.temporary(scalar, value.ty, span);
        self.body.assign(Place::Local(local), value.expr, span);
        if let Some(symbol) = self.symbols.get(name) {
            self.declare(symbol, Entry::Local(local));
        }
        self.body.read(local, scalar, span)
    }

    /// What is said of the memory behind a pointer.
    fn shape_of(&self, pointer: &str) -> Option<ActiveClause<'a>> {
        let clauses = self.preconditions.iter().flat_map(|p| &p.clauses);
        clauses.copied().find(|active| match active.clause {
            Clause::Valid { pointer: of, .. } | Clause::Text { pointer: of, .. } => {
                plain(of) == pointer
            }
            _ => false,
        })
    }

    /// Whether a contract gives the pointer its own memory.
    pub(super) fn is_shaped(&self, pointer: &str) -> bool {
        self.shape_of(&plain(pointer)).is_some()
    }

    /// Whether a contract says that these two do not overlap.
    pub(super) fn are_separated(&self, a: &str, b: &str) -> bool {
        let clauses = self.preconditions.iter().flat_map(|p| &p.clauses);
        clauses.into_iter().any(|active| match active.clause {
            Clause::Separated(all) => [a, b]
                .iter()
                .all(|name| all.iter().any(|p| plain(p) == **name)),
            _ => false,
        })
    }

    /// Pointers in an order in which sizes are known when they are needed: `headers` has `*n` elements.
    fn order_of_pointers(&self, types: &[(String, TypeId)]) -> Vec<usize> {
        let needs = |i: usize| -> Vec<usize> {
            let Some(ActiveClause {
                clause: Clause::Valid { count, .. },
                ..
            }) = self.shape_of(&types[i].0)
            else {
                return Vec::new();
            };
            (0..types.len())
                .filter(|&k| k != i && has_word(count, &types[k].0))
                .collect()
        };
        let is_end = |i: usize| self.begins_of(&types[i].0).is_some();
        let mut order: Vec<usize> = (0..types.len()).filter(|&i| is_end(i)).collect();
        let mut rest: Vec<usize> = (0..types.len()).filter(|&i| !is_end(i)).collect();
        while !rest.is_empty() {
            let next = rest
                .iter()
                .position(|&i| needs(i).iter().all(|k| !rest.contains(k)));
            order.push(rest.remove(next.unwrap_or(0)));
        }
        order
    }

    /// The pointer from which a parameter is so many elements away: in `\\valid(p + (0 .. end - p - 1))`, `p`.
    fn begins_of(&self, end: &str) -> Option<&'a str> {
        let clauses = self.preconditions.iter().flat_map(|p| &p.clauses);
        clauses.into_iter().find_map(|active| {
            let (pointer, of) = difference(active.clause)?;
            (plain(of) == end).then_some(pointer)
        })
    }

    fn contract_pointer(
        &mut self,
        (name, to, is_restrict): (&str, TypeId, bool),
        is_used: bool,
        earlier: &mut Vec<Pointed>,
        ends: &BTreeMap<String, LocalId>,
        span: Span,
    ) -> ExprId {
        let Some(shape) = self.shape_of(name) else {
            let null = self.body.constant(0, Ty::Ptr, span);
            let new = Pointed::new(name, to, null, is_restrict);
            return self.pointer_argument(new, is_used, earlier, span);
        };
        let (own, count) = self.shaped(shape, name, to, ends, span);
        if let CType::Function(_) = self.types.get(to) {
            return own;
        }
        let mut pointer = own;
        for old in earlier.iter() {
            let is_alone = is_restrict || old.is_restrict || self.are_separated(name, &old.name);
            if !is_alone && self.may_overlap(old.element, to) {
                pointer = self.or_within(pointer, count, to, old, name, span);
            }
        }
        let mut new = Pointed::new(name, to, own, is_restrict);
        new.count = Some(count);
        earlier.push(new);
        if pointer == own {
            own
        } else {
            self.body.save(pointer, self.common.void_pointer)
        }
    }

    /// The pointer, or one to elements behind an earlier parameter, as many as are asked for: an input from 1 on
    /// says where they begin.
    fn or_within(
        &mut self,
        pointer: ExprId,
        count: ExprId,
        to: TypeId,
        old: &Pointed,
        name: &str,
        span: Span,
    ) -> ExprId {
        let text = format!(
            "if `{name}` points to the object behind `{}`, it does so at or after it",
            old.name
        );
        self.assume(AssumptionKind::Contract, &text, span, None);
        let long = self.long();
        let byte = self.types.int(IntKind::UChar);
        let kind = InputKind::Parameter(format!("{name} in {}", old.name));
        let place = self.input_value(kind, byte, span);
        let one = self.int_value(1, byte, span);
        let most = self.int_value(255, byte, span);
        let wrapping = BinaryOp::Sub { signed: false };
        let index = self.body.binary(wrapping, place.expr, one.expr, span);
        let is_chosen = self.body.binary(BinaryOp::ULt, index, most.expr, span);
        let index = self.body.resize(index, false, self.pointer_width(), span);
        let size_of =
            |this: &Self, ty: TypeId| this.types.size_of(ty).filter(|&s| s > 0).unwrap_or(1);
        let (old_size, new_size) = (size_of(self, old.element), size_of(self, to));
        let times = |this: &mut Self, value: ExprId, size: u64| {
            let size = this.body.constant(size.into(), long, span);
            this.body
                .binary(BinaryOp::Mul { signed: false }, value, size, span)
        };
        let all = match old.count {
            Some(count) => count,
            None => self.body.constant(old.n_elements.into(), long, span),
        };
        let (all, from) = (times(self, all, old_size), times(self, index, old_size));
        let needed = times(self, count, new_size);
        let end = self
            .body
            .binary(BinaryOp::Add { signed: false }, from, needed, span);
        let fits = self.body.binary(BinaryOp::ULe, end, all, span);
        let is_inside = self.body.binary(BinaryOp::BitAnd, is_chosen, fits, span);
        let address = self.body.pointer_add(old.address, index, old_size, span);
        self.body.select(is_inside, address, pointer, span)
    }

    /// A pointer to an object of the shape that is asked for, and how many elements there are at least.
    fn shaped(
        &mut self,
        shape: ActiveClause<'a>,
        name: &str,
        to: TypeId,
        ends: &BTreeMap<String, LocalId>,
        span: Span,
    ) -> (ExprId, ExprId) {
        let mut least = self.body.constant(1, self.long(), span);
        let end = difference(shape.clause).and_then(|(_, end)| ends.get(&plain(end)).copied());
        let (pointer, may_be_null) = match shape.clause {
            Clause::Text { may_be_null, .. } => (self.text_object(name, to, span), *may_be_null),
            Clause::Valid { may_be_null, .. } if self.is_function(to) => {
                (self.some_function(name, to, span), *may_be_null)
            }
            Clause::Valid {
                may_be_null,
                in_bytes,
                ..
            } => {
                let mut is_signed = false;
                let count = match shape.second {
                    _ if end.is_some() => self.distance(shape.clause, span),
                    Some(expr) => {
                        let value = self.rvalue(expr);
                        is_signed = self.types.is_signed(value.ty);
                        let long = self.types.int(IntKind::Long);
                        self.convert(value, long, span).expr
                    }
                    None => self.body.constant(1, self.long(), span),
                };
                let count = if is_signed {
                    self.not_negative(count, span)
                } else {
                    count
                };
                let pointer = self.array_object(name, to, count, *in_bytes, span);
                let long = self.types.int(IntKind::Long);
                least = self.body.save(count, long);
                if let Some(end) = end {
                    let size = self.types.size_of(to).filter(|&s| s > 0).unwrap_or(1);
                    let after = self.body.pointer_add(pointer, least, size, span);
                    self.body.assign(Place::Local(end), after, span);
                }
                let size = self.types.size_of(to).unwrap_or(1).max(1);
                let unit = if *in_bytes { size } else { 1 };
                match self.body.const_bits(count) {
                    Some(n) => self.fill_pointers(name, pointer, to, n as u64 / unit, span),
                    None => {
                        let most = self.most_elements(size, None);
                        let unit = self.body.constant(unit.into(), self.long(), span);
                        let n = self.body.binary(BinaryOp::UDiv, least, unit, span);
                        self.fill_counted(name, pointer, to, (n, most), span);
                    }
                }
                (pointer, *may_be_null)
            }
            _ => (self.body.constant(0, Ty::Ptr, span), false),
        };
        if !may_be_null {
            return (pointer, least);
        }
        (self.or_null(name, pointer, span), least)
    }

    pub(super) fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Function(_))
    }

    /// How many elements there are between two pointers.
    fn distance(&mut self, clause: &Clause, span: Span) -> ExprId {
        let (begin, end) = difference(clause).unwrap_or_default();
        let text = format!("`{end}` is at most {MOST_BETWEEN} elements after `{begin}`");
        self.assume(AssumptionKind::Contract, &text, span, None);
        let kind = InputKind::Parameter(format!("{end} - {begin}"));
        let int = self.types.int(IntKind::UInt);
        let n = self.input_value(kind, int, span);
        let most = self.int_value(i128::from(MOST_BETWEEN), int, span);
        let condition = self.body.binary(BinaryOp::ULe, n.expr, most.expr, span);
        self.body.emit(StmtKind::Assume { condition }, span);
        let width = self.pointer_width();
        self.body.resize(n.expr, false, width, span)
    }

    fn long(&self) -> Ty {
        Ty::Int(self.pointer_width())
    }

    /// An object of this many elements, or of as many as are looked at, if that is less.
    fn array_object(
        &mut self,
        name: &str,
        to: TypeId,
        count: ExprId,
        in_bytes: bool,
        span: Span,
    ) -> ExprId {
        let size = self.types.size_of(to).filter(|&size| size > 0);
        let (element, size) = match (size, in_bytes) {
            (Some(size), false) => (to, size),
            _ => (self.common.char_, 1),
        };
        let most = self.most_elements(size, in_bytes.then_some(to));
        // A constant number of elements is no bound.
        if let Some(n) = self.body.const_bits(count)
            && n <= u128::from(most.max(MOST_CONSTANT))
        {
            let array = self.array_of(element, n as u64);
            return self.memory_behind(name, array, span);
        }
        self.assume_possible(count, size, span);
        let limit = self.body.constant(u128::from(most), self.long(), span);
        let is_more = self.body.binary(BinaryOp::ULt, limit, count, span);
        let count = self.body.select(is_more, limit, count, span);
        let pointer = self.sized_object(name, element, size, count, most, span);
        let what = if in_bytes { "bytes" } else { "elements" };
        let text = format!("only {most} {what} behind `{name}` are looked at");
        let index = self.assume(AssumptionKind::Bound, &text, span, Some("--max-elements"));
        self.truncate(pointer, is_more, index, span);
        pointer
    }

    /// No object has more bytes than a `ptrdiff_t` can count: its elements have addresses that do not wrap.
    fn assume_possible(&mut self, count: ExprId, size: u64, span: Span) {
        let largest = (1u128 << (self.pointer_width() - 1)) - 1;
        let most = (self.body).constant(largest / u128::from(size), self.long(), span);
        let condition = self.body.binary(BinaryOp::ULe, count, most, span);
        self.body.emit(StmtKind::Assume { condition }, span);
    }

    /// The object behind a parameter.
    pub(super) fn memory_behind(&mut self, name: &str, array: TypeId, span: Span) -> ExprId {
        let address = self.memory_temporary(array, span);
        if let ExprKind::LocalAddress(local) = self.body.exprs[address.index()].kind {
            self.body.locals[local.index()].name = format!("{BEHIND}{name}");
        }
        address
    }

    /// No object has fewer elements than none.
    fn not_negative(&mut self, count: ExprId, span: Span) -> ExprId {
        let zero = self.body.constant(0, self.long(), span);
        let is_none = self.body.binary(BinaryOp::SLt, count, zero, span);
        self.body.select(is_none, zero, count, span)
    }

    /// How many elements of this size are looked at.
    fn most_elements(&self, size: u64, bytes_of: Option<TypeId>) -> u64 {
        let wanted = u64::from(self.options.pointer_elements).max(1);
        let inner = bytes_of.and_then(|to| self.types.size_of(to)).unwrap_or(1);
        (wanted * inner.max(1)).min((MOST_BYTES / size).max(1))
    }

    /// An object of so many elements, of which there are not more than that.
    fn sized_object(
        &mut self,
        name: &str,
        element: TypeId,
        size: u64,
        count: ExprId,
        most: u64,
        span: Span,
    ) -> ExprId {
        let ty = self.long();
        // So that everybody sees how large it can be.
        let mask = (most + 1).next_power_of_two() - 1;
        let mask = self.body.constant(u128::from(mask), ty, span);
        let count = self.body.binary(BinaryOp::BitAnd, count, mask, span);
        let long = self.types.int(IntKind::Long);
        let number = self.body.temporary(ty, long, span);
        self.body.assign(Place::Local(number), count, span);
        let count = self.body.read(number, ty, span);
        let scale = self.body.constant(u128::from(size), ty, span);
        let bytes = self
            .body
            .binary(BinaryOp::Mul { signed: false }, count, scale, span);
        let array = self.types.intern(CType::Array {
            element,
            length: ArrayLength::Variable(number),
        });
        let local = self.body.unnamed(array, LocalStorage::Dynamic, span);
        self.body.locals[local.index()].name = format!("{BEHIND}{name}");
        let size = Some(bytes);
        self.body.emit(StmtKind::Declare { local, size }, span);
        (self.body).add(ExprKind::LocalAddress(local), Ty::Ptr, span)
    }

    /// Characters with a nul at the end. Of longer texts than are looked at, only the first part is there.
    fn text_object(&mut self, name: &str, to: TypeId, span: Span) -> ExprId {
        let size = self.types.size_of(to).filter(|&size| size > 0).unwrap_or(1);
        let element = match size {
            1 => self.common.char_,
            _ => to,
        };
        let most = self.most_elements(size, None);
        let byte = self.types.int(IntKind::UChar);
        let kind = InputKind::Parameter(format!("length of {name}"));
        let length = self.input_value(kind, byte, span);
        let width = self.pointer_width();
        let length = self.body.resize(length.expr, false, width, span);
        let limit = self.body.constant(u128::from(most), self.long(), span);
        let is_short = self.body.binary(BinaryOp::ULt, length, limit, span);
        let last = self.body.constant(u128::from(most - 1), self.long(), span);
        let last = self.body.select(is_short, length, last, span);
        let last = self.body.save(last, self.common.size);
        let one = self.body.constant(1, self.long(), span);
        let count = self
            .body
            .binary(BinaryOp::Add { signed: false }, last, one, span);
        let pointer = self.sized_object(name, element, size, count, most, span);
        // The last character is the nul, unless the text goes on.
        let address = self.body.pointer_add(pointer, last, size, span);
        let ty = Ty::Int((size * 8) as u8);
        let nul = self.body.constant(0, ty, span);
        let char_type = match size {
            1 => byte,
            _ => to,
        };
        let other = self.input_value(
            InputKind::Parameter(format!("{name}[{}]", most - 1)),
            char_type,
            span,
        );
        let value = self.body.select(is_short, nul, other.expr, span);
        self.body.assign(Place::Memory { address, ty }, value, span);
        let text = format!("only the first {most} characters of `{name}` are looked at");
        let index = self.assume(AssumptionKind::Bound, &text, span, Some("--max-elements"));
        let zero = self.body.constant(0, Ty::BOOL, span);
        let goes_on = self.body.binary(BinaryOp::Eq, is_short, zero, span);
        self.truncate(pointer, goes_on, index, span);
        pointer
    }

    /// Pointers that are not parameters but found from them, such as `s->data`.
    fn inner_shapes(&mut self, parameters: &[&str], ends: &BTreeMap<String, LocalId>, span: Span) {
        for precondition in self.preconditions.clone() {
            for active in precondition.clauses {
                let (Clause::Valid { pointer, .. } | Clause::Text { pointer, .. }) = active.clause
                else {
                    continue;
                };
                let name = plain(pointer);
                let Some(expr) = active
                    .first
                    .filter(|_| !parameters.contains(&name.as_str()))
                else {
                    continue;
                };
                let after = self.if_there(expr, span);
                let place = self.lvalue(expr);
                let (LPlace::Memory(address), Some(to)) = (place.place, self.pointee(place.ty))
                else {
                    let message = format!("`{pointer}` is no pointer that could be given memory");
                    self.error("c::contract", span, message);
                    continue;
                };
                let address = self.body.save(address, self.common.void_pointer);
                let (value, _) = self.shaped(active, pointer, to, ends, span);
                let ty = Ty::Ptr;
                self.body.assign(Place::Memory { address, ty }, value, span);
                self.body.goto(after, span);
                self.body.start(after);
            }
        }
    }

    /// What comes now is only done if the pointers on the way to an expression are not null. The block after it is
    /// returned.
    fn if_there(&mut self, expr: &'a Expr, span: Span) -> BlockId {
        let after = self.body.new_block();
        for base in bases(expr) {
            let value = self.rvalue(base);
            if self.body.ty(value.expr) != Ty::Ptr {
                continue;
            }
            let null = self.body.constant(0, Ty::Ptr, span);
            let is_there = self.body.binary(BinaryOp::Ne, value.expr, null, span);
            let then = self.body.new_block();
            self.body.branch(is_there, then, after, span);
            self.body.start(then);
        }
        after
    }

    fn assume_conditions(&mut self, span: Span) {
        for precondition in self.preconditions.clone() {
            for active in &precondition.clauses {
                if let (Clause::Condition(_), Some(expr)) = (active.clause, active.first) {
                    let after = self.if_there(expr, span);
                    let condition = self.condition(expr);
                    self.body.emit(StmtKind::Assume { condition }, span);
                    self.body.goto(after, span);
                    self.body.start(after);
                }
            }
            let given = precondition.precondition;
            let text = format!("requires {}", given.text);
            let option = given.is_suggested.then_some("--assume nothing");
            self.assume(AssumptionKind::Contract, &text, span, option);
        }
    }
}

/// In `\\valid(p + (0 .. end - p - 1))`: `p` and `end`.
fn difference(clause: &Clause) -> Option<(&str, &str)> {
    let Clause::Valid { pointer, count, .. } = clause else {
        return None;
    };
    let end = plain(count);
    let end = end.strip_suffix(&format!("-{}", plain(pointer)))?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_name = !end.is_empty() && end.chars().all(is_name);
    let end = count.get(..end.len()).filter(|_| is_name)?;
    Some((pointer, end))
}

/// Whether a text has this name in it.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).any(|part| part == word)
}

/// The pointers through which an expression goes, those first that others need.
fn bases(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect_bases(expr, &mut found);
    found
}

fn collect_bases<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        AstKind::Member { base, arrow, .. } => {
            collect_bases(base, found);
            if *arrow {
                found.push(base);
            }
        }
        AstKind::Unary(op, operand) => {
            collect_bases(operand, found);
            if *op == UnaryOp::Deref {
                found.push(operand);
            }
        }
        AstKind::Index(base, index) => {
            collect_bases(base, found);
            collect_bases(index, found);
            found.push(base);
        }
        AstKind::Binary(op, left, right) if !matches!(op, AstBinary::And | AstBinary::Or) => {
            collect_bases(left, found);
            collect_bases(right, found);
        }
        AstKind::Cast(_, operand) => collect_bases(operand, found),
        _ => {}
    }
}

/// A pointer to the end is not further away than so many elements.
const MOST_BETWEEN: u32 = 1 << 28;
/// Objects of a constant number of elements have up to so many, whatever else is looked at.
const MOST_CONSTANT: u64 = 4096;
/// Objects have no more bytes than this, unless one element has.
const MOST_BYTES: u64 = 4096;
